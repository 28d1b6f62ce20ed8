"""Which places in memory are a node's own, so that all nodes of a level may write to theirs at the same time.

    sum[node] += ...      tree[node].sum      cell->sum       part[4 * node + k]      no other node has these
    sum[child] += ...     of the child that an iteration of a loop launches: it has one parent
    sum[parent[node]]     total[0]            bins[node % 8]  other nodes may have them, too

As they are written, kernels in one stream come one after the other. So `total[0] += sum[node]` adds up all of them
there, and loses some where the nodes of a level run together.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from ....analysis.call_sets import quoted
from ....analysis.frames import RefusedError
from ....lang.ctype import CType, Pointer, is_integer, leaves
from ....tree import nodes as tree
from ....tree.calls import reached_functions
from ....tree.effects import addressed_variables, is_local, named_variables, root, write_of, written_variables
from ....tree.launches import is_launch, parts_of
from ....tree.nodes import Module, Node, Variable
from ....tree.rewrite import renamed
from ....tree.same import is_value_of, same_text, without_conversions
from ....tree.walk import children, map_children, walk
from .pattern import Descent

Values = Mapping[Variable, tree.Expr]


def fixed_values(statements: Sequence[tree.Stmt]) -> dict[Variable, tree.Expr]:
    """Return the variables whose values are what they are declared with."""
    changed = {variable for node in statements for variable in written_variables(node)}
    return {
        node.variable: node.initial
        for top in statements
        for node in walk(top)
        if isinstance(node, tree.Declare) and node.variable not in changed and isinstance(node.initial, tree.Expr)
    }


def resolved(node: Node, values: Values) -> Node:
    """Return a node with the values of variables that never change in their place."""

    def change(node: Node) -> Node:
        if isinstance(node, tree.Load) and isinstance(node.place, tree.VarRef) and node.place.variable in values:
            return change(values[node.place.variable])
        return map_children(node, change)

    return change(node)


def quoted_place(place: tree.Place) -> str:
    return quoted(tree.Load(place.span, place.type, place))


def is_own(place: tree.Place) -> bool:
    """Whether a place is in a variable of the thread or in the block's shared memory."""
    variable = root(place)
    return variable is not None and (is_local(variable) or variable.storage == "shared")


def bases_of(node: Node) -> set[Variable]:
    """Return the variables by which `node` reaches memory that others see, without those in indices."""
    match node:
        case tree.Index(pointer=pointer) | tree.Deref(pointer=pointer):
            return bases_of(pointer)
        case tree.Member(base=base):
            return bases_of(base)
        case tree.PointerAdd(pointer=pointer):
            return bases_of(pointer)
        case tree.Load(place=place) | tree.Decay(place=place) | tree.AddressOf(place=place):
            return bases_of(place)
        case tree.VarRef(variable=variable):
            return {variable} if isinstance(variable.type, Pointer) or variable.storage == "device" else set()
    return {base for below in children(node) for base in bases_of(below)}


def read_bases(node: Node) -> set[Variable]:
    """Return the variables by which `node` and what is below it read memory that others see."""
    loads = (below for below in walk(node) if isinstance(below, tree.Load) and not is_own(below.place))
    return {base for load in loads for base in bases_of(load.place)}


def alike(one: CType, other: CType) -> bool:
    """Whether objects of these types may have memory in common."""
    ones, others = ({ctype for _, ctype in leaves(each)} for each in (one, other))
    return bool(ones & others) or any(ctype.size == 1 for ctype in ones | others)


def may_overlap(one: tree.Place, other: tree.Place) -> bool:
    """Whether two places may have memory in common: by their types, and by `__restrict__`."""
    if not alike(one.type, other.type) or _are_two_members(one, other):
        return False
    return may_lead_alike(bases_of(one), bases_of(other))


def may_lead_alike(bases: set[Variable], others: set[Variable]) -> bool:
    """Whether two sets of variables may lead to the same memory; a thread's own pointer may lead anywhere."""
    if bases & others or not bases or not others:
        return True
    both = (*bases, *others)
    return any(base.storage == "local" for base in both) or not any(base.restrict for base in both)


def _are_two_members(one: tree.Place, other: tree.Place) -> bool:
    """Whether places are different members of structs of one type."""
    if not isinstance(one, tree.Member) or not isinstance(other, tree.Member) or one.base.type != other.base.type:
        return False
    ends = [member.offset + member.type.size for member in (one, other)]
    return ends[0] <= other.offset or ends[1] <= one.offset


# ------------------------------------------------------------------------------------------- a node's own


@dataclass(frozen=True)
class Slot:
    """A place of a node in an array: `array[stride * node + offset]`; None where it is no number that is known."""

    stride: int | None
    offset: int | None


def slot_of(place: tree.Place, node: Variable) -> Slot | None:
    """Return where a place lies among those of all nodes, None if several nodes may have it."""
    match place:
        case tree.Member(base=base):
            return slot_of(base, node)
        case tree.Index(pointer=tree.Decay(place=tree.Member(base=base))) if _names(base, node):
            return slot_of(base, node) if not _names(place.index, node) else None
        case tree.Index(pointer=pointer, index=index):
            return _slot_behind(pointer, index, node)
        case tree.Deref(pointer=tree.PointerAdd(pointer=pointer, index=index, negative=False)):
            return _slot_behind(pointer, index, node)
        case tree.Deref(pointer=tree.AddressOf(place=inner)):
            return slot_of(inner, node)
        case tree.Deref(pointer=tree.Load(place=tree.VarRef(variable=variable))) if variable is node:
            return Slot(None, None)
    return None


def _slot_behind(pointer: tree.Expr, index: tree.Expr, node: Variable) -> Slot | None:
    if isinstance(node.type, Pointer):
        is_node = is_value_of(pointer, node)
        return Slot(None, None) if is_node and isinstance(index, tree.Constant) else None
    return None if _names(pointer, node) else _linear(index, node)


def _names(where: Node, node: Variable) -> bool:
    return node in named_variables(where)


def _linear(index: tree.Expr, node: Variable) -> Slot | None:
    """Return the slot of an index that grows evenly with the node."""
    match index:
        case tree.Convert(operand=operand) if is_integer(index.type) and is_integer(operand.type):
            return _linear(operand, node)
        case tree.Load() if is_value_of(index, node):
            return Slot(1, 0)
        case tree.Binary(op="+" | "-", left=left, right=right) if not _names(right, node):
            return _moved(_linear(left, node), right, 1 if index.op == "+" else -1)
        case tree.Binary(op="+", left=left, right=right) if not _names(left, node):
            return _moved(_linear(right, node), left, 1)
        case tree.Binary(op="*", left=left, right=right) if not _names(right, node):
            return _stretched(_linear(left, node), right)
        case tree.Binary(op="*", left=left, right=right) if not _names(left, node):
            return _stretched(_linear(right, node), left)
        case tree.Binary(op="<<", left=left, right=tree.Constant(value=int() as bits)):
            return _stretched(_linear(left, node), tree.Constant(index.span, index.type, 1 << bits))
    return None


def _moved(slot: Slot | None, by: tree.Expr, sign: int) -> Slot | None:
    match by:
        case tree.Constant(value=int() as far) if slot is not None:
            return Slot(slot.stride, slot.offset + sign * far if slot.offset is not None else None)
    if slot is None or (slot.stride in (1, -1) and not _is_same_for_all(by)):
        return None
    return Slot(slot.stride, None)


def _stretched(slot: Slot | None, by: tree.Expr) -> Slot | None:
    match by:
        case tree.Convert(operand=operand) if is_integer(by.type) and is_integer(operand.type):
            return _stretched(slot, operand)
        case tree.Constant(value=int() as factor) if slot is not None and factor != 0:
            stride = slot.stride * factor if slot.stride is not None else None
            return Slot(stride, slot.offset * factor if slot.offset is not None else None)
    return Slot(None, None) if slot is not None and _is_same_for_all(by) else None


def _is_same_for_all(value: tree.Expr) -> bool:
    """Whether a value, in which the node is not named, is made of the kernel's parameters alone."""
    return all(
        below.variable.storage == "param" or below.variable.storage == "constant"
        for below in walk(value)
        if isinstance(below, tree.VarRef)
    )


def are_disjoint(one: tree.Place, other: tree.Place, node: Variable) -> bool:
    """Whether two places, each a node's own, are never the same one of two nodes."""
    if same_text(one, other) or not may_overlap(one, other):
        return True
    first, second = slot_of(one, node), slot_of(other, node)
    if first is None or second is None or not bases_of(one) & bases_of(other):
        return False
    if None in (first.stride, second.stride, first.offset, second.offset):
        return True  # rows of a table, as far as is known
    assert first.offset is not None and second.offset is not None and first.stride is not None
    return first.stride == second.stride and abs(first.offset - second.offset) < abs(first.stride)


# --------------------------------------------------------------------------------- what kernels write


def require_own_writes(module: Module, descent: Descent) -> None:
    """Refuse assignments by which nodes of one level would come in each other's way. Raises `RefusedError`."""
    statements = (*descent.before, *descent.after)
    values = fixed_values(statements)
    places = _Places(descent, statements, values)
    changing: list[tree.Place] = []
    written: list[tree.Place] = []
    for node in (below for top in statements for below in walk(top)):
        write = write_of(node)
        if isinstance(node, tree.BuiltinCall) and node.builtin.atomic and isinstance(node.args[0], tree.AddressOf):
            written.append(places.by_node(node.args[0].place))
        if write is None or is_own(write.place):
            continue
        where = places.by_node(write.place)
        written.append(where)
        if slot_of(where, descent.node) is None:
            _require_harmless(places, node, write.place, where)
        elif not isinstance(node, tree.Assign) or _reads(node.value, bases_of(where), values):
            changing.append(where)
    for i, one in enumerate(changing):
        for other in changing[:i]:
            if bases_of(one) & bases_of(other) and not are_disjoint(one, other, descent.node):
                why = f"{quoted_place(one)} of one node may be {quoted_place(other)} of another one"
                raise RefusedError(one.span, f"{why}, and the nodes of a level run at the same time")
    for node in (below for top in statements for below in walk(top)):
        if isinstance(node, tree.Load) and not is_own(node.place):
            _require_own_result(places, node, written)
    _require_own_functions(module, statements)


def _require_own_result(places: _Places, read: tree.Load, written: Sequence[tree.Place]) -> None:
    """Refuse to read what another node of the level, the next one in an array for example, may write meanwhile."""
    node, where = places.descent.node, places.by_node(read.place)
    is_slot = slot_of(where, node) is not None
    for other in written:
        if not bases_of(where) & bases_of(other) or (slot_of(other, node) is not None) != is_slot:
            continue
        if not is_slot or not are_disjoint(where, other, node):
            why = f"{quoted_place(read.place)} may be what another node has in {quoted_place(other)}"
            raise RefusedError(read.span, f"{why}, and the nodes of a level run at the same time")


@dataclass(frozen=True)
class _Places:
    """Says of which node a place is, in the statements of a descent."""

    descent: Descent
    statements: Sequence[tree.Stmt]
    values: Values

    def by_node(self, place: tree.Place) -> tree.Place:
        """Return a place with the node in place of a child: in a tree, children of all nodes differ, as nodes do."""
        node = self.descent.node

        def change(below: Node) -> Node:
            if any(same_text(below, child) for child in self._children):
                return tree.Load(place.span, node.type, tree.VarRef(place.span, node.type, node))
            return map_children(below, change)

        changed = change(self._in_one_way(place))
        assert isinstance(changed, tree.Place)
        return changed

    def _in_one_way(self, node: Node) -> Node:
        return renamed(resolved(node, self.values), self._loop_variables)

    @cached_property
    def _children(self) -> list[Node]:
        """What the children are launched with, where it is more than a constant."""
        position = self.descent.kernel.params.index(self.descent.node)
        launches = [node for top in self.statements for node in walk(top) if is_launch(node)]
        args = [parts_of(node).args for node in launches if node.builtin.kernel == self.descent.kernel.name]
        found = [self._in_one_way(without_conversions(each[position])) for each in args]
        return [child for child in found if not isinstance(child, tree.Constant)]

    @cached_property
    def _loop_variables(self) -> dict[Variable, Variable]:
        """Loops that begin alike go over the same children: one variable for all of them."""
        found: list[tuple[Variable, Node]] = []
        names: dict[Variable, Variable] = {}
        for loop in (node for top in self.statements for node in walk(top) if isinstance(node, tree.Loop)):
            for init in loop.init:
                if isinstance(init, tree.Declare) and isinstance(init.initial, tree.Expr):
                    start = renamed(resolved(init.initial, self.values), names)
                    same = [variable for variable, other in found if same_text(other, start)]
                    names[init.variable] = same[0] if same else init.variable
                    found.append((init.variable, start))
        return names


def _require_harmless(places: _Places, node: Node, place: tree.Place, where: tree.Place) -> None:
    """Refuse an assignment to a place that several nodes may have, if it makes a difference which one comes last."""
    value = node.value if isinstance(node, tree.Assign) else None
    by_node = _names(where, places.descent.node) or any(
        variable.storage == "local" for variable in named_variables(where)
    )
    if value is not None and not by_node and _is_same_value(resolved(value, places.values), places.descent.node):
        return
    read = any(_reads(top, bases_of(where), places.values) for top in places.statements)
    if value is not None and by_node and not read:
        return
    why = f"several nodes may have {quoted_place(place)}, and those of a level run at the same time"
    raise RefusedError(node.span, f"{why}: combine what they do by an atomic function")


def _is_same_value(value: Node, node: Variable) -> bool:
    """Whether a value is the same for all nodes: made of constants and of the kernel's other parameters."""
    if _names(value, node) or not isinstance(value, tree.Expr) or not _is_same_for_all(value):
        return False
    return all(
        isinstance(below, tree.Constant | tree.Convert | tree.Binary | tree.Unary | tree.VarRef)
        or (isinstance(below, tree.Load) and isinstance(below.place, tree.VarRef))
        for below in walk(value)
    )


def _reads(node: Node, bases: set[Variable], values: Values) -> bool:
    """Whether `node` reads memory by one of these variables."""
    return bool(read_bases(resolved(node, values)) & bases)


def _require_own_functions(module: Module, statements: Sequence[tree.Stmt]) -> None:
    """Refuse functions that change variables of the file in a way that counts on their order."""
    reached = reached_functions(module)
    for call in (node for top in statements for node in walk(top) if isinstance(node, tree.Call)):
        for name in sorted({call.function, *reached[call.function]}):
            for node in walk(module.functions[name].body):
                write = write_of(node)
                variable = None if write is None else write.variable
                if variable is not None and variable.storage == "device":
                    why = f"'{call.function}', which it calls, changes '{variable.name}'"
                    raise RefusedError(call.span, f"{why}, and the nodes of a level run at the same time")


# -------------------------------------------------------------------------------- what children depend on


def require_settled(before: Sequence[tree.Stmt], kept: Sequence[tree.Stmt]) -> None:
    """Refuse a decision on the children by what the statements before the wait write: it is made ahead of them."""
    values = fixed_values(before)
    nodes = [below for top in before for below in walk(top)]
    written = [write.place for node in nodes if (write := write_of(node)) is not None]
    written += [node.place for node in nodes if isinstance(node, tree.AddressOf)]
    places = [resolved(place, values) for place in written if not is_own(place)]
    handed = [arg for node in nodes if isinstance(node, tree.Call) for arg in node.args]
    bases = {base for node in (*places, *handed) for base in bases_of(node)}
    for node in (below for top in kept for below in walk(top)):
        if isinstance(node, tree.Load) and any(same_text(resolved(node.place, values), place) for place in places):
            why = f"{quoted_place(node.place)} decides on the children of a node, and is written there"
            raise RefusedError(node.span, f"{why}: decide by a variable")
        if isinstance(node, tree.Loop) and node.cond is not None and bases & read_bases(resolved(node.cond, values)):
            why = f"{quoted(node.cond)} decides on the children of a node, and what it reads may be written there"
            raise RefusedError(node.cond.span, f"{why}: decide by a variable")
    addressed = {variable for top in before for variable in addressed_variables(top)}
    for node in (below for top in kept for below in walk(top)):
        if isinstance(node, tree.VarRef) and node.variable in addressed and is_local(node.variable):
            why = f"'{node.variable.name}' decides on the children of a node, and may change without being named"
            raise RefusedError(node.span, why)
