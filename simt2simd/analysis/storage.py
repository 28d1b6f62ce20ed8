"""Where each variable of a thread lives: in registers, or in memory, and how the gang's copies lie there.

**Known as:** register promotion (mem2reg), interleaved private memory.

A variable whose address is never taken lives in registers. The others need memory, one copy per lane:

- *flat*: lane l's object lies at `base + l * sizeof(object)`, as C lays it out. Always possible.
- *interleaved*: the object is cut into its scalars, all of one size g, and the 16 lanes' copies of
  one scalar lie side by side: byte b of lane l's object is at `base + b / g * 16 * g + l * g + b % g`.
  Then `q->x[axis]` with a uniform axis is one vector load, as on a GPU, whose local memory is
  interleaved too. It is possible while every pointer into the object is known to be one: the address
  is only dereferenced, offset, kept in a pointer variable that is initialised and never assigned,
  or passed to a parameter that is used in the same way (`confined`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from ..lang.ctype import Array, CType, Pointer, Struct, common_size, has_mixed_union
from ..tree import nodes as tree
from ..tree.calls import synchronising_functions
from ..tree.effects import outermost, root
from ..tree.nodes import Module, Variable
from ..tree.walk import children

Home = Literal["register", "interleaved", "flat", "shared", "constant", "device"]
REGISTER: Final = "register"
INTERLEAVED: Final = "interleaved"
FLAT: Final = "flat"
SHARED: Final = "shared"
CONSTANT: Final = "constant"
DEVICE: Final = "device"


@dataclass(frozen=True)
class Storage:
    """The decision for every variable of a module, and what functions may reach a barrier.

    `moved`: pointer variables that may hold the address of an element of an array: there might be no such element.
    """

    addressed: frozenset[Variable]
    escaped: frozenset[Variable]
    moved: frozenset[Variable]
    synchronising: frozenset[str]

    def of(self, variable: Variable) -> Home:
        if variable.storage in (SHARED, CONSTANT, DEVICE):
            return variable.storage
        if variable.storage == "launch":
            return CONSTANT
        if variable not in self.addressed and not (has_array(variable.type) or has_mixed_union(variable.type)):
            return REGISTER
        if variable not in self.escaped and common_size(variable.type):
            return INTERLEAVED
        return FLAT


def decide(module: Module) -> Storage:
    """Decide for all variables of `module`."""
    uses = _Uses(module)
    for function in module.functions.values():
        uses.statement(function.body)
    synchronising = synchronising_functions(module)
    return Storage(frozenset(uses.addressed), uses.closed_escapes(), uses.closed_moves(), synchronising)


class _Uses:
    """Collects whose address is taken, whose address escapes, and which pointer variable an address flows to.

    `moved`: the pointer variables that an address flows to by way of an index.
    """

    def __init__(self, module: Module) -> None:
        self.functions = module.functions
        self.addressed: set[Variable] = set()
        self.escaped: set[Variable] = set()
        self.moved: set[Variable] = set()
        self.flows: list[tuple[Variable, Variable]] = []

    def closed_escapes(self) -> frozenset[Variable]:
        """Whatever flows into something that escapes, escapes."""
        escaped = self.escaped | {variable for variable in self.addressed if isinstance(variable.type, Pointer)}
        while more := {source for source, target in self.flows if target in escaped} - escaped:
            escaped |= more
        return frozenset(escaped)

    def closed_moves(self) -> frozenset[Variable]:
        """Whatever flows out of something that was moved, was moved."""
        moved = set(self.moved)
        while more := {target for source, target in self.flows if source in moved} - moved:
            moved |= more
        return frozenset(moved)

    def statement(self, node: tree.Node) -> None:
        if isinstance(node, tree.Declare) and isinstance(node.variable.type, Pointer) and node.initial is not None:
            assert not isinstance(node.initial, tree.Braces)
            self.confined(node.initial, node.variable)
        elif isinstance(node, tree.Expr):
            self.expression(node)
        else:
            for child in children(node):
                self.statement(child)

    def expression(self, node: tree.Node) -> None:
        """Visit a value of which nothing is known but that it is used: an address in it escapes."""
        match node:
            case tree.AddressOf() | tree.Decay():
                self.take(node.place, escapes=True)
            case tree.Load(place=tree.VarRef(variable=variable)) if isinstance(variable.type, Pointer):
                self.escaped.add(variable)
            case tree.Assign() | tree.CompoundAssign() | tree.Increment():
                if isinstance(node.place, tree.VarRef) and isinstance(node.place.type, Pointer):
                    self.escaped.add(node.place.variable)  # a pointer variable that changes is not followed
                for child in children(node):
                    self.expression(child)
            case tree.Call():
                for param, arg in zip(self.functions[node.function].params, node.args, strict=True):
                    self.confined(arg, param)
            case tree.BuiltinCall() if not node.builtin.service:
                for arg in node.args:
                    self.confined(arg, None)
            case tree.Deref():
                self.confined(node.pointer, None)
            case tree.Index():
                self.confined(node.pointer, None)
                self.expression(node.index)
            case _:
                for child in children(node):
                    self.expression(child)

    def confined(self, node: tree.Expr, target: Variable | None) -> None:
        """Visit a pointer that is dereferenced here (`target` None) or becomes the value of `target`."""
        if not isinstance(node.type, Pointer):
            self.expression(node)
            return
        match node:
            case tree.AddressOf() | tree.Decay():
                self.take(node.place, escapes=False)
                self.flow(root(node.place), target)
                if target is not None and _is_element(node.place):
                    self.moved.add(target)
                base = pointer_below(node.place)
                if base is not None and target is not None:
                    self.confined(base, target)
            case tree.PointerAdd():
                if target is not None:
                    self.moved.add(target)
                self.confined(node.pointer, target)
                self.expression(node.index)
            case tree.Load(place=tree.VarRef(variable=variable)):
                self.flow(variable, target)
            case tree.Convert() if isinstance(node.operand.type, Pointer) and _same(node.operand.type, node.type):
                self.confined(node.operand, target)
            case _:
                self.expression(node)

    def flow(self, source: Variable | None, target: Variable | None) -> None:
        if source is not None and target is not None:
            self.flows.append((source, target))

    def take(self, place: tree.Place, escapes: bool) -> None:
        variable = root(place)
        if variable is not None:
            self.addressed.add(variable)
            if escapes:
                self.escaped.add(variable)
        base = pointer_below(place)
        if base is not None and escapes:
            self.expression(base)
        self.expression(place)


def pointer_below(place: tree.Place) -> tree.Expr | None:
    """Return the pointer value through which `place` is reached, None if it is part of a variable."""
    match place:
        case tree.Member():
            return pointer_below(place.base)
        case tree.Deref() | tree.Index():
            pointer = place.pointer
            if isinstance(pointer, tree.Decay | tree.AddressOf):
                return pointer_below(pointer.place)
            return pointer
        case _:
            return None


def _is_element(place: tree.Place) -> bool:
    """Whether `place` is reached by an index."""
    place, _ = outermost(place)
    match place:
        case tree.Index() | tree.Deref(pointer=tree.PointerAdd()):
            return True
        case tree.Deref(pointer=tree.AddressOf(place=below) | tree.Decay(place=below)):
            return _is_element(below)
    return False


def _same(source: Pointer, target: Pointer) -> bool:
    return source.target == target.target


def has_array(ctype: CType) -> bool:
    """Whether there is an array in a type: an index needs an address."""
    match ctype:
        case Array():
            return True
        case Struct():
            return any(has_array(member.type) for member in ctype.fields or ())
        case _:
            return False
