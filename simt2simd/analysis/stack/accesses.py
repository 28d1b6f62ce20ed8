"""How a loop reaches into a stack of the thread's own: where its expressions point, and which of them test it.

A stack is one array or several under one index `top`, or one array and a pointer into it. Places in it are given
relative to `top`, as far as `top` is moved by constants: `stack[top - 1]`, `stack[top++]`, `*--sp`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any, NoReturn

from ...lang.ctype import Pointer, Scalar, Struct, is_integer
from ...tree import nodes as tree
from ...tree.effects import is_local, writes
from ...tree.nodes import Loop, Variable
from ...tree.walk import walk


class NotRead(Exception):
    """A loop over a stack is not understood: the text says why, the node where."""

    def __init__(self, node: tree.Node, why: str) -> None:
        super().__init__(why)
        self.node, self.why = node, why


def pointer_of(loop: Loop) -> Variable | None:
    """Return the variable that looks like the index of a stack, or the pointer to its top: it goes up and down."""
    moves: dict[Variable, set[bool]] = {}
    for node in walk(loop):
        change = moved_by(node)
        if change is not None and is_local(change[0]):
            moves.setdefault(change[0], set()).add(change[1] > 0)
    tops = [variable for variable, ways in moves.items() if len(ways) == 2]
    return next((top for top in tops if any(_reaches(write.place, top) for write in writes(loop))), None)


def _reaches(place: tree.Place, top: Variable) -> bool:
    """Whether a place is what `top` indexes or points to, or next to it."""
    match place:
        case tree.Member():
            return _reaches(place.base, top)
        case tree.Index(pointer=tree.Decay(place=tree.VarRef(variable=array)), index=index):
            return array.storage == "local" and offset_of(index, top) is not None
        case tree.Index(pointer=pointer) | tree.Deref(pointer=pointer):
            return offset_of(pointer, top) is not None
    return False


def moved_by(node: tree.Node) -> tuple[Variable, int] | None:
    """Return which variable is moved, and by how much, if `node` is `v++`, `v -= 2` or `v = v + 1`."""
    match node:
        case tree.Increment(place=tree.VarRef(variable=variable), delta=delta):
            return variable, delta
        case tree.CompoundAssign(op="+" | "-" as op, place=tree.VarRef(variable=variable), value=value):
            count = constant(value)
            return None if count is None else (variable, count if op == "+" else -count)
        case tree.Assign(place=tree.VarRef(variable=variable), value=value):
            found = offset_of(value, variable)
            return (variable, found.index) if found is not None and found.index and not found.shift else None
    return None


@dataclass(frozen=True)
class Offset:
    """An index relative to `top` before the expression, and by how much the expression moves `top`."""

    index: int
    shift: int = 0


def constant(node: tree.Expr) -> int | None:
    while isinstance(node, tree.Convert) and is_integer(node.type):
        node = node.operand
    return node.value if isinstance(node, tree.Constant) and isinstance(node.value, int) else None


def offset_of(node: tree.Expr, top: Variable) -> Offset | None:
    """Return what an index or a pointer is, relative to `top`; None if it is something else."""
    match node:
        case tree.Convert(operand=operand) if is_integer(node.type):
            return offset_of(operand, top)
        case tree.Load(place=tree.VarRef(variable=variable)) if variable is top:
            return Offset(0)
        case tree.Increment(place=tree.VarRef(variable=variable), delta=delta) if variable is top:
            return Offset(delta if node.prefix else 0, delta)
        case tree.Binary(op="+" | "-" as op, left=left, right=right):
            found, count = offset_of(left, top), constant(right)
            if found is not None and count is not None and not found.shift:
                return Offset(found.index + (count if op == "+" else -count))
        case tree.PointerAdd(pointer=pointer, index=index):
            found, count = offset_of(pointer, top), constant(index)
            if found is not None and count is not None and not found.shift:
                return Offset(found.index + (-count if node.negative else count))
    return None


@dataclass(frozen=True)
class Access:
    """A place in the stack: `index` is relative to `top`, or absolute. `shift` moves `top` on the way."""

    array: Variable
    member: tree.Member | None
    index: int
    shift: int
    absolute: bool


@dataclass(eq=False)
class Accesses:
    """Finds what the expressions of `loop` do with the stack whose index or pointer is `top`.

    `bottom` is `top` where the stack is empty; `below` is 1 if `top` is the index of the last entry, else 0.
    """

    loop: Loop
    top: Variable
    arrays: frozenset[Variable] = field(default=frozenset(), init=False)
    bottom: int | None = field(default=None, init=False)
    below: int = field(default=0, init=False)

    def fail(self, node: tree.Node, why: str) -> NoReturn:
        raise NotRead(node, why)

    def touches(self, node: tree.Node) -> bool:
        return any(below.variable is self.top or below.variable in self.arrays for below in references(node))

    # ---------------------------------------------------------------------------------- tests for emptiness

    def split_test(self, cond: tree.Expr | None) -> tuple[tree.Expr | None, bool]:
        """Return what else a condition says, and whether it says that the stack is not empty."""
        if cond is None or (isinstance(cond, tree.Constant) and cond.value):
            return None, False
        if isinstance(cond, tree.Logical) and cond.op == "&&":
            left, left_tested = self.split_test(cond.left)
            right, right_tested = self.split_test(cond.right)
            if left_tested or right_tested:
                both = replace(cond, left=left, right=right) if left is not None and right is not None else None
                return both or left or right, True
            return cond, False
        found = self.emptiness(cond)
        if found is None:
            return cond, False
        if found:
            self.fail(cond, "the loop runs while the stack is empty")
        return None, True

    def emptiness(self, cond: tree.Expr) -> bool | None:
        """Whether `cond` says that the stack is empty (True) or that it is not (False); None: it says neither."""
        match cond:
            case tree.Unary(op="!"):
                found = self.emptiness(cond.operand)
                return None if found is None else not found
            case tree.Convert(operand=operand) if not isinstance(self.top.type, Pointer):
                if self.is_top(operand):
                    self.note_bottom(cond, 0)
                    return False
                return self.emptiness(operand) if isinstance(operand, tree.Convert) else None
            case tree.Binary(op=op, left=left, right=right) if op in tree.COMPARISONS:
                if offset_of(right, self.top) is not None:
                    left, right, op = right, left, FLIPPED.get(op, op)
                base, offset = self.absolute(right), offset_of(left, self.top)
                if offset is None or offset.shift or base is None:
                    return None
                if offset.index and isinstance(left.type, Scalar) and not left.type.signed:
                    return None  # `top - 1 < 0` never holds there
                self.note_bottom(cond, (base - 1 if op in (">=", "<") else base) - offset.index)
                return op in ("==", "<=", "<")
        return None

    def is_top(self, node: tree.Expr) -> bool:
        found = offset_of(node, self.top)
        return found is not None and found == Offset(0)

    def absolute(self, node: tree.Expr) -> int | None:
        """Return the index that a constant is, or the pointer to an element of the stack."""
        if not isinstance(self.top.type, Pointer):
            return constant(node)
        match node:
            case tree.Decay(place=tree.VarRef(variable=variable)) if variable in self.arrays:
                return 0
            case tree.PointerAdd(pointer=pointer, index=index):
                base, count = self.absolute(pointer), constant(index)
                return None if base is None or count is None else base - count if node.negative else base + count
            case tree.AddressOf(place=tree.Index(pointer=pointer, index=index)):
                base, count = self.absolute(pointer), constant(index)
                return None if base is None or count is None else base + count
        return None

    def note_bottom(self, node: tree.Node, bottom: int) -> None:
        if self.bottom is not None and self.bottom != bottom:
            self.fail(node, "two tests of the stack differ in when it is empty")
        self.bottom = bottom

    def find_bottom(self, loop: Loop) -> None:
        """Note what all tests in the loop say."""
        for node in walk(loop.body):
            if isinstance(node, tree.If | tree.Conditional):
                self.emptiness(node.cond)

    def find_convention(self) -> None:
        """Find out whether `top` is the index of the last entry: it moves before a push, or after a pop."""
        if self.bottom == -1:
            self.below = 1
        for node in walk(self.loop):
            place = node.place if isinstance(node, tree.Assign | tree.Load) else None
            found = None if place is None else self.access(place)
            if found is not None and found.shift:
                self.below = found.index if found.shift > 0 else found.index + 1

    # ------------------------------------------------------------------------------------------ accesses

    def access(self, place: tree.Place) -> Access | None:
        """Return which place in the stack `place` is, None if it is none."""
        match place:
            case tree.Member():
                found = self.access(place.base)
                if isinstance(place.base.type, Struct) and place.base.type.union:  # other members are there too
                    return None
                return None if found is None or found.member is not None else replace(found, member=place)
            case tree.Index(pointer=tree.Decay(place=tree.VarRef(variable=variable)), index=index):
                if variable not in self.arrays:
                    return None
                offset, base = offset_of(index, self.top), constant(index)
                if offset is not None:
                    return Access(variable, None, offset.index, offset.shift, False)
                return None if base is None else Access(variable, None, base, 0, True)
            case tree.Index(pointer=pointer, index=index) if isinstance(self.top.type, Pointer):
                offset, count = offset_of(pointer, self.top), constant(index)
                if offset is None or count is None:
                    return None
                return Access(next(iter(self.arrays)), None, offset.index + count, offset.shift, False)
            case tree.Deref(pointer=pointer) if isinstance(self.top.type, Pointer):
                offset, base = offset_of(pointer, self.top), self.absolute(pointer)
                if offset is not None:
                    return Access(next(iter(self.arrays)), None, offset.index, offset.shift, False)
                return None if base is None else Access(next(iter(self.arrays)), None, base, 0, True)
        return None


FLIPPED: dict[str, Any] = {"<": ">", ">": "<", "<=": ">=", ">=": "<="}


def references(node: tree.Node) -> Iterator[tree.VarRef]:
    return (below for below in walk(node) if isinstance(below, tree.VarRef))
