"""What a descent adds up at each node: places of the node, each combined with the same place of all of its children.

    for (int c = first[n]; c < first[n + 1]; c++)         for (int c = first[n]; c < first[n + 1]; c++)
        if (first[c] < first[c + 1])                          atomicAdd(&sum[n], sum[c]);
            visit<<<1, 32>>>(first, sum, c);              mean[n] = sum[n] / size[n];

A node's part may reach all nodes above it at once, without those between, if three things hold. Whatever is combined
may be combined in any order and in any grouping: sums (of floats, too, whose rounding may differ then), minima, maxima,
and the bitwise operations. Nothing but that depends on what the children found, up to the node's own result. And the
loop over the children that launches them goes over those that are combined.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ....analysis.call_sets import quoted
from ....analysis.frames import RefusedError
from ....lang.builtins import BUILTINS, Builtin
from ....lang.ctype import Pointer, is_integer, leaves
from ....source import Span
from ....tree import nodes as tree
from ....tree.effects import declared_variables, is_effect, is_local, named_variables, write_of
from ....tree.launches import is_launch, parts_of
from ....tree.nodes import Node, Variable
from ....tree.rewrite import copied, renamed
from ....tree.same import is_value_of, same_text, without_conversions
from ....tree.walk import map_children, walk
from .pattern import Descent
from .places import (
    are_disjoint,
    bases_of,
    fixed_values,
    is_own,
    may_lead_alike,
    may_overlap,
    quoted_place,
    resolved,
    slot_of,
)

_OPERATORS: Mapping[str, str] = {"+": "atomicAdd", "&": "atomicAnd", "|": "atomicOr", "^": "atomicXor"}
_FUNCTIONS = {"min": "atomicMin", "max": "atomicMax"}
_ATOMIC_OPS = ("atomic_add", "atomic_min", "atomic_max", "atomic_and", "atomic_or", "atomic_xor")


@dataclass(frozen=True)
class Combined:
    """A place of a node that gets its children's parts by an atomic function."""

    place: tree.Place
    by: Builtin


@dataclass(frozen=True)
class Combination:
    """What a descent adds up, for a node that one thread has.

    `loop`: the loop before the wait that launches children. `each`: what a child that is not launched is combined by,
    in an iteration of that loop. `rest`: what is left to do when the node is complete.
    """

    combined: tuple[Combined, ...]
    loop: tree.Loop
    each: tuple[tree.Stmt, ...]
    rest: tuple[tree.Stmt, ...]


def combination_of(descent: Descent, before: Sequence[tree.Stmt], after: Sequence[tree.Stmt]) -> Combination:
    """Return what a descent adds up; `before` and `after` are its parts as one thread does them.

    Raises `RefusedError` if parts of nodes cannot go to all nodes above them at once.
    """
    launching = _launching_loop(descent, before)
    declared, adding, rest = _parts(descent, after)
    values = fixed_values(before) | fixed_values(after)
    _require_same_children(launching, adding, values)
    names = {_variable(adding): _variable(launching)}
    values = {variable: renamed(value, names) for variable, value in values.items()}
    body = renamed(adding.body, names)
    combined = tuple(_combined(descent, body, _child(descent, launching), values))
    _require_disjoint_places(descent, combined)
    _require_taken_in(launching, body, values)
    _require_rest(combined, [*declared, *rest], values)
    _require_untouched(combined, before, launching, values)
    _require_combined(descent, before, launching)
    _require_same_tree(launching, adding, (*before, *after), values)
    each = resolved(body, {variable: values[variable] for node in declared for variable in declared_variables(node)})
    assert isinstance(each, tree.Block)
    return Combination(combined, launching, tuple(copied(node) for node in each.statements), (*declared, *rest))


def _variable(loop: tree.Loop) -> Variable:
    (start,) = loop.init
    assert isinstance(start, tree.Declare)
    return start.variable


# ------------------------------------------------------------------------------------------- the two loops


def _launching_loop(descent: Descent, before: Sequence[tree.Stmt]) -> tree.Loop:
    """Return the loop that launches the children, which is among the statements before the wait."""
    name = descent.kernel.name
    holding = [node for node in before if any(is_launch(b) and b.builtin.kernel == name for b in walk(node))]
    if len(holding) != 1 or not isinstance(holding[0], tree.Loop) or not _is_plain(holding[0]):
        why = "one loop, 'for (int child = ...; ...; ...)', must launch all children, outside conditions"
        raise RefusedError(holding[0].span, why)
    loop = holding[0]
    sites = [node for node in walk(loop) if is_launch(node)]
    if len(sites) != 1:
        raise RefusedError(sites[1].span, "an iteration of the loop over the children may launch more than one")
    if any(isinstance(node, tree.Loop) and node is not loop for node in walk(loop)):
        raise RefusedError(loop.span, "children are launched in loops within loops")
    return loop


def _is_plain(loop: tree.Loop) -> bool:
    return (
        len(loop.init) == 1
        and isinstance(loop.init[0], tree.Declare)
        and loop.cond is not None
        and not any(isinstance(node, tree.Jump) for node in walk(loop.body))
    )


def _parts(descent: Descent, after: Sequence[tree.Stmt]) -> tuple[list[tree.Stmt], tree.Loop, list[tree.Stmt]]:
    """Return what comes after: declarations, the loop that combines, and the rest."""
    declared: list[tree.Stmt] = []
    for i, node in enumerate(after):
        if isinstance(node, tree.Declare) and isinstance(node.initial, tree.Expr) and not _effects(node):
            declared.append(node)
        elif isinstance(node, tree.Loop) and _is_plain(node):
            return declared, node, list(after[i + 1 :])
        else:
            break
    span = after[len(declared)].span if len(after) > len(declared) else descent.kernel.span
    raise RefusedError(span, "after the wait, a loop over the children that combines their results must come first")


def _effects(node: Node) -> bool:
    return any(map(is_effect, walk(node)))


def _require_same_children(launching: tree.Loop, adding: tree.Loop, values: Mapping[Variable, tree.Expr]) -> None:
    """Refuse two loops that do not have the same iterations."""
    names = {_variable(adding): _variable(launching)}
    one, other = launching.init[0], adding.init[0]
    assert isinstance(one, tree.Declare) and isinstance(other, tree.Declare)
    assert isinstance(one.initial, tree.Expr) and isinstance(other.initial, tree.Expr)
    pairs = [
        (one.initial, other.initial),
        (launching.cond, adding.cond),
        *zip(launching.step, adding.step, strict=False),
    ]
    same = len(launching.step) == len(adding.step) and all(
        same_text(resolved(mine, values), resolved(renamed(others, names), values))
        for mine, others in pairs
        if mine is not None and others is not None
    )
    if not same:
        why = "the loop after the wait goes over other children than the one that launches them"
        raise RefusedError(adding.span, f"{why}, or says so in other words")


def _child(descent: Descent, launching: tree.Loop) -> tree.Expr:
    """Return the child that an iteration of the loop launches."""
    (site,) = (node for node in walk(launching) if is_launch(node))
    return parts_of(site).args[descent.kernel.params.index(descent.node)]


# ------------------------------------------------------------------------------------------- what is combined


def _combined(
    descent: Descent, body: tree.Block, child: tree.Expr, values: Mapping[Variable, tree.Expr]
) -> Iterator[Combined]:
    """Yield what an iteration of the loop combines; the loop does nothing else."""
    found = list(_sums(body))
    if not found:
        raise RefusedError(body.span, "the loop over the children combines nothing")
    for span, place, by, value in found:
        if descent.node not in named_variables(place) or is_own(place):
            raise RefusedError(place.span, f"{quoted_place(place)} is no place of the node '{descent.node.name}'")
        if slot_of(place, descent.node) is None:
            why = f"{quoted_place(place)} may be a place of several nodes, and each would hand on all of it"
            raise RefusedError(place.span, why)
        wanted = at_node(place, descent.node, child)
        if not same_text(resolved(value, values), resolved(wanted, values)):
            what = f"{quoted_place(place)} is combined with {quoted(value)}, not with what the child has there"
            raise RefusedError(span, f"{what}: it depends on its children by more than the combination")
        yield Combined(place, by)


def _require_disjoint_places(descent: Descent, combined: Sequence[Combined]) -> None:
    """Refuse places of which one may be another one, of the same node or of another."""
    for i, one in enumerate(combined):
        for other in combined[:i]:
            if same_text(one.place, other.place):
                why = f"{quoted_place(one.place)} is combined with its children twice"
                raise RefusedError(one.place.span, why)
            if not are_disjoint(one.place, other.place, descent.node):
                why = (
                    f"{quoted_place(one.place)} may be {quoted_place(other.place)}, of the same node or of another one"
                )
                help = "if it never is, declare the pointers '__restrict__'"
                raise RefusedError(one.place.span, f"{why}; {help}")


def _sums(node: Node) -> Iterator[tuple[Span, tree.Place, Builtin, tree.Expr]]:
    """Yield the combinations in the body of a loop: the place, the atomic function for it, and the value."""
    match node:
        case tree.Block(statements=statements):
            for inner in statements:
                yield from _sums(inner)
        case tree.If(cond=cond, then=then, other=tree.Block(statements=())) if not _effects(cond):
            yield from _sums(then)
        case tree.Declare() if not _effects(node):
            return
        case tree.Evaluate(expr=expr):
            yield _sum(expr)
        case _:
            raise RefusedError(node.span, "the loop over the children does more than to combine their results")


def _sum(expr: tree.Expr) -> tuple[Span, tree.Place, Builtin, tree.Expr]:
    expr = without_conversions(expr)
    match expr:
        case tree.BuiltinCall(builtin=builtin, args=(tree.AddressOf(place=place), value)) if builtin.atomic:
            if builtin.op not in _ATOMIC_OPS:
                why = f"'{builtin.name}' does not combine values in any order: it is not associative and commutative"
                raise RefusedError(expr.span, why)
            return expr.span, place, builtin, value
        case tree.CompoundAssign(place=place, op=op, value=value):
            if is_integer(place.type) != is_integer(expr.compute):
                why = f"{quoted_place(place)} is of type '{place.type}' and combined as '{expr.compute}', which rounds"
                raise RefusedError(expr.span, why)
            return expr.span, place, _atomic(expr.span, place, op, _OPERATORS), _as_type(value, place)
        case tree.Assign(place=place, value=tree.Binary(op=op, left=left, right=right)):
            return expr.span, place, _atomic(expr.span, place, op, _OPERATORS), _other(expr, place, left, right)
        case tree.Assign(place=place, value=tree.BuiltinCall(builtin=builtin, args=(left, right))):
            return expr.span, place, _atomic(expr.span, place, builtin.op, _FUNCTIONS), _other(expr, place, left, right)
    raise RefusedError(expr.span, "the loop over the children does more than to combine their results")


def _as_type(value: tree.Expr, place: tree.Place) -> tree.Expr:
    if isinstance(value, tree.Convert) and value.operand.type == place.type:
        return value.operand
    return value


def _other(expr: tree.Assign, place: tree.Place, left: tree.Expr, right: tree.Expr) -> tree.Expr:
    """Return the operand that is not the place itself."""
    for own, value in ((left, right), (right, left)):
        if isinstance(own, tree.Load) and same_text(own.place, place):
            return value
    raise RefusedError(expr.span, f"{quoted_place(place)} is not combined with what it holds")


def _atomic(span: Span, place: tree.Place, op: str, table: Mapping[str, str]) -> Builtin:
    """Return the atomic function that combines as an operator or a function does."""
    if op not in table:
        shown = f"'{op}'"
        if op == "*":
            why = f"{shown} is associative, but there is no atomic function that multiplies"
        else:
            why = f"{shown} is not associative and commutative: what is combined first would make a difference"
        raise RefusedError(span, why)
    for builtin in BUILTINS[table[op]]:
        target = builtin.params[0]
        if isinstance(target, Pointer) and target.target == place.type:
            return builtin
    raise RefusedError(span, f"there is no '{table[op]}' of type '{place.type}', by which nodes could add to others")


def at_node(place: tree.Place, node: Variable, other: tree.Expr) -> tree.Load:
    """Return what a place of the node `node` holds of the node `other`."""

    def change(below: Node) -> Node:
        if is_value_of(below, node):
            return copied(other)
        return map_children(below, change)

    changed = change(tree.Load(place.span, place.type, place))
    assert isinstance(changed, tree.Load)
    return changed


def _require_taken_in(launching: tree.Loop, body: tree.Block, values: Mapping[Variable, tree.Expr]) -> None:
    """Refuse conditions under which a child that is launched is not combined."""
    launched = [resolved(cond, values) for cond in _ahead_of_launch(launching.body)]
    for cond in _conditions(body):
        if not any(same_text(resolved(cond, values), other) for other in launched):
            why = f"{quoted(cond)} decides whether a child is combined, but not whether it is launched"
            raise RefusedError(cond.span, why)


def _ahead_of_launch(block: tree.Block) -> Iterator[tree.Expr]:
    """The conditions that hold where a child is launched."""
    for node in block.statements:
        match node:
            case tree.Block():
                yield from _ahead_of_launch(node)
            case tree.If() if any(map(is_launch, walk(node.then))):
                yield from _operands(node.cond)
                yield from _ahead_of_launch(node.then)
            case tree.If():
                yield from _ahead_of_launch(node.other)


def _conditions(node: Node) -> Iterator[tree.Expr]:
    for below in walk(node):
        if isinstance(below, tree.If):
            yield from _operands(below.cond)


def _operands(cond: tree.Expr) -> Iterator[tree.Expr]:
    if isinstance(cond, tree.Logical) and cond.op == "&&":
        yield from _operands(cond.left)
        yield from _operands(cond.right)
    else:
        yield cond


# ------------------------------------------------------------------------------------- what else there is


def _require_rest(
    combined: Sequence[Combined], rest: Sequence[tree.Stmt], values: Mapping[Variable, tree.Expr]
) -> None:
    """Refuse what is done after the combination if it asks for more than the node's own results, or changes them."""
    help = "if it never is, declare the pointers '__restrict__'"
    for node in (below for top in rest for below in walk(top)):
        write = write_of(node)
        if write is not None and any(same_text(write.place, each.place) for each in combined):
            why = f"{quoted_place(write.place)} is changed after the combination, and the node above gets that"
            raise RefusedError(node.span, why)
        if write is not None and not is_own(write.place) and _overlaps(write.place, combined, values):
            why = f"{quoted_place(write.place)} is changed after the combination: it may be what is combined; {help}"
            raise RefusedError(node.span, why)
        if _passes_pointer(node) and _may_lead_to(bases_of(resolved(node, values)), combined):
            raise RefusedError(node.span, "what is combined may be changed after the combination")
        read = node.place if isinstance(node, tree.Load) and not is_own(node.place) else None
        if read is not None and _overlaps(read, combined, values) and not _is_part(read, combined):
            why = f"{quoted_place(read)} is read after the combination: it may be a result of another node"
            raise RefusedError(node.span, f"{why}, and only the node's own is complete there; {help}")


def _overlaps(place: tree.Place, combined: Sequence[Combined], values: Mapping[Variable, tree.Expr]) -> bool:
    where = resolved(place, values)
    assert isinstance(where, tree.Place)
    return any(may_overlap(where, each.place) for each in combined)


def _passes_pointer(node: Node) -> bool:
    if not isinstance(node, tree.Call | tree.BuiltinCall) or (isinstance(node, tree.BuiltinCall) and node.builtin.pure):
        return False
    return any(isinstance(arg.type, Pointer) for arg in node.args)


def _is_part(place: tree.Place, combined: Sequence[Combined]) -> bool:
    """Whether a place is one that is combined, or the struct that it is a member of."""
    for each in combined:
        whole: tree.Place = each.place
        while True:
            if same_text(place, whole):
                return True
            if not isinstance(whole, tree.Member):
                break
            whole = whole.base
    return False


def _require_untouched(
    combined: Sequence[Combined], before: Sequence[tree.Stmt], loop: tree.Loop, values: Mapping[Variable, tree.Expr]
) -> None:
    """Refuse what comes before if it may know of results: those of nodes above are not yet complete there.

    A node's own place is its own until its children are launched.
    """
    launched = False
    for top in before:
        launched = launched or top is loop
        for node in walk(top):
            if (
                _passes_pointer(node)
                and not is_launch(node)
                and _may_lead_to(bases_of(resolved(node, values)), combined)
            ):
                raise RefusedError(node.span, "what is combined may be changed or read before the wait")
            place = _accessed(node)
            if (
                place is None
                or not _may_lead_to(bases_of(resolved(place, values)), combined)
                or not _may_hold(place, combined)
            ):
                continue
            if not _is_part(place, combined):
                why = f"{quoted_place(place)} is used before the wait: it may be a result of another node"
                help = "if it never is, declare the pointers '__restrict__'"
                raise RefusedError(node.span, f"{why}; {help}")
            if launched and write_of(node) is not None:
                why = f"{quoted_place(place)} is changed after the launches of the children"
                raise RefusedError(node.span, why)


def _require_combined(descent: Descent, before: Sequence[tree.Stmt], loop: tree.Loop) -> None:
    """Refuse nodes that launch children and do not combine what these find."""
    following = before[[node is loop for node in before].index(True) + 1 :]
    for node in (below for top in following for below in walk(top)):
        if isinstance(node, tree.Return):
            raise RefusedError(node.span, "a node whose children are launched may leave without combining them")
    if descent.tail is not None and not any(
        isinstance(node, tree.Evaluate) and is_launch(node.expr) and node.expr.builtin == descent.tail.builtin
        for node in before
    ):
        raise RefusedError(descent.tail.span, "what combines the children of a node is launched under a condition")


def _require_same_tree(
    launching: tree.Loop, adding: tree.Loop, statements: Sequence[tree.Stmt], values: Mapping[Variable, tree.Expr]
) -> None:
    """Refuse writes to what determines the children of a node: the loop after the wait might find others."""
    deciding = [
        node.place
        for loop in (launching, adding)
        for part in (*loop.init, *loop.step, loop.cond, *_conditions(loop.body))
        if part is not None
        for node in walk(resolved(part, values))
        if isinstance(node, tree.Load) and not isinstance(node.place, tree.VarRef)
    ]
    for node in (below for top in statements for below in walk(top)):
        for written in _written(node):
            for place in deciding:
                if may_overlap(written, place):
                    why = f"it may change {quoted_place(place)}, which determines the children of a node"
                    raise RefusedError(node.span, f"{why}; if it never does, declare the pointers '__restrict__'")


def _written(node: Node) -> Iterator[tree.Place]:
    """Yield what `node` itself may write of memory."""
    write = write_of(node)
    if write is not None and not is_own(write.place):
        yield write.place
    if _passes_pointer(node) and not is_launch(node):
        for arg in walk(node):
            if isinstance(arg, tree.AddressOf) and not is_own(arg.place):
                yield arg.place
            elif isinstance(arg, tree.Load) and isinstance(arg.type, Pointer) and not arg.type.const:
                yield tree.Deref(arg.span, arg.type.target, arg)


def _accessed(node: Node) -> tree.Place | None:
    """Return what `node` itself reads or writes of memory."""
    if not isinstance(node, tree.Load | tree.Assign | tree.CompoundAssign | tree.Increment):
        return None
    return None if isinstance(node.place, tree.VarRef) and is_local(node.place.variable) else node.place


def _may_lead_to(bases: set[Variable], combined: Sequence[Combined]) -> bool:
    """Whether what is reached by these variables may be combined: `__restrict__` does not separate them."""
    return any(may_lead_alike(bases, bases_of(each.place)) for each in combined)


def _may_hold(place: tree.Place, combined: Sequence[Combined]) -> bool:
    """Whether a place may hold something of a type that is combined."""
    types = {ctype for _, ctype in leaves(place.type)}
    return any(each.place.type in types or any(ctype.size == 1 for ctype in types) for each in combined)
