"""Tree-to-tree: a pointer into an array becomes the index of what it points to.

**Known as:** pointer-to-index conversion, induction-variable canonicalisation.

    const Node *node = &nodes[start[i]];        int node = start[i];
    while (node->n) {                           while (nodes[node].n) {
        sum += node->x;                             sum += nodes[node].x;
        node = &nodes[node->next];                  node = nodes[node].next;
    }                                           }

Where lanes have pointers of their own, an access by them is two gathers with addresses of 64 bits; with one pointer
that all lanes share and an index of 32 bits it is one.

What must hold: the variable is the thread's own, its address is not taken, and all that it gets is computed from one
pointer, which is not written while it lives. Elements have 4 bytes or more: then the distance of two pointers into one
object fits an `int`, as no object has 2^33 bytes. Pointers are left alone if no index comes from memory: those are
likely to be alike in all lanes, or to advance from lane to lane.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from enum import Enum
from typing import Final

from ..analysis.mod_ref import written_variables
from ..analysis.storage import pointer_below
from ..lang.ctype import INT, LONG, CType, Pointer, Scalar
from ..tree import nodes as tree
from ..tree.build import Build
from ..tree.effects import is_local, root
from ..tree.nodes import COMPARISONS, Expr, Function, Module, Variable
from ..tree.rewrite import copied
from ..tree.walk import map_children, walk

SMALLEST_ELEMENT = 4  # bytes

Write = tree.Assign | tree.CompoundAssign | tree.Increment


def pointer_indices(module: Module) -> Module:
    """Put indices for pointers."""
    if not any(_may_be_index(variable) for function in module.functions.values() for variable in _declared(function)):
        return module
    written = written_variables(module)
    functions = {name: _indexed(function, written) for name, function in module.functions.items()}
    return replace(module, functions=functions)


def _indexed(function: Function, written: frozenset[Variable]) -> Function:
    gets = _values(function)
    from_memory = _from_memory(gets)
    addressed = {root(node.place) for node in walk(function.body) if isinstance(node, tree.AddressOf)}
    fit = {variable for variable in _declared(function) if _may_be_index(variable)} & from_memory - addressed
    bases = _Bases(gets, fit, _lasting(function, written)).found()
    if not bases:
        return function
    body = _Rewrite(bases).node(function.body)
    assert isinstance(body, tree.Block)
    return replace(function, body=body)


def _declared(function: Function) -> Iterator[Variable]:
    return (node.variable for node in walk(function.body) if isinstance(node, tree.Declare))


def _may_be_index(variable: Variable) -> bool:
    ctype = variable.type
    return (
        variable.storage == "local"
        and not variable.volatile
        and isinstance(ctype, Pointer)
        and not ctype.volatile
        and ctype.target.size >= SMALLEST_ELEMENT
    )


def _values(function: Function) -> dict[Variable, list[Expr]]:
    """Return what each variable gets, or is moved by."""
    gets: dict[Variable, list[Expr]] = {}
    for node in walk(function.body):
        match node:
            case tree.Declare(variable=variable, initial=initial):
                values = gets.setdefault(variable, [])
                if isinstance(initial, tree.Expr):
                    values.append(initial)
            case tree.Assign(place=tree.VarRef(variable=variable)):
                gets.setdefault(variable, []).append(node.value)
            case tree.CompoundAssign(place=tree.VarRef(variable=variable)):
                gets.setdefault(variable, []).append(node.value)
    return gets


def _from_memory(gets: Mapping[Variable, Iterable[Expr]]) -> set[Variable]:
    """Return the variables whose value depends on what was read from memory, or on the result of a function."""
    found: set[Variable] = set()
    while more := {
        variable
        for variable, values in gets.items()
        if variable not in found and any(_reads_memory(value, found) for value in values)
    }:
        found |= more
    return found


def _reads_memory(value: Expr, found: set[Variable]) -> bool:
    return any(
        isinstance(node, tree.Call | tree.BuiltinCall)
        or (isinstance(node, tree.Load) and (pointer_below(node.place) is not None or root(node.place) in found))
        for node in walk(value)
    )


def _lasting(function: Function, written: frozenset[Variable]) -> frozenset[Variable]:
    """Return the variables that have one value as long as the function runs, from before its other declarations on."""
    first = []
    for statement in function.body.statements:
        if not isinstance(statement, tree.Declare):
            break
        first.append(statement.variable)
    return frozenset(variable for variable in (*function.params, *first) if variable not in written)


# ------------------------------------------------------------------------------------------------- bases


class _Open(Enum):
    """What is known of a variable's base before all its values were seen."""

    NOTHING = "nothing"
    SEVERAL = "several"


NOTHING: Final = _Open.NOTHING
SEVERAL: Final = _Open.SEVERAL


@dataclass(frozen=True)
class Base:
    """A pointer that stays as it is: a variable's, or that of a member so many bytes into a variable."""

    variable: Variable
    offset: int
    pointer: Expr

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Base) and (self.variable, self.offset) == (other.variable, other.offset)

    def __hash__(self) -> int:
        return hash((self.variable, self.offset))


@dataclass(frozen=True)
class _Bases:
    """Finds the one pointer that each of the variables `fit` is computed from."""

    gets: Mapping[Variable, Iterable[Expr]]
    fit: set[Variable]
    lasting: frozenset[Variable]

    def found(self) -> dict[Variable, Base]:
        now: dict[Variable, Base | _Open] = dict.fromkeys(self.fit, NOTHING)
        while True:
            next_ = {variable: self._of_all(variable, now) for variable in now}
            if next_ == now:
                return {variable: base for variable, base in now.items() if isinstance(base, Base)}
            now = next_

    def _of_all(self, variable: Variable, now: Mapping[Variable, Base | _Open]) -> Base | _Open:
        result: Base | _Open = NOTHING
        for value in self.gets[variable]:
            if isinstance(value.type, Pointer):  # not by how much it is moved
                result = _meet(result, self._of(value, _target(variable.type), now))
        return result

    def _of(self, value: Expr, target: CType, now: Mapping[Variable, Base | _Open]) -> Base | _Open:
        """Return the base of a pointer to elements of the type `target`."""
        if not isinstance(value.type, Pointer) or value.type.target != target or value.type.volatile:
            return SEVERAL
        match value:
            case tree.AddressOf(place=tree.Index(pointer=pointer) | tree.Deref(pointer=pointer)):
                return self._of(pointer, target, now)
            case tree.PointerAdd(pointer=pointer) | tree.Convert(operand=pointer):
                return self._of(pointer, target, now)
            case tree.Conditional():
                return _meet(self._of(value.then, target, now), self._of(value.other, target, now))
            case tree.Load(place=place):
                return self._of_place(value, place, now)
            case tree.Assign() | tree.CompoundAssign() | tree.Increment():
                return self._of_place(value, value.place, now)
        return SEVERAL

    def _of_place(self, value: Expr, place: tree.Place, now: Mapping[Variable, Base | _Open]) -> Base | _Open:
        if isinstance(place, tree.VarRef) and place.variable in now:
            return now[place.variable]
        variable, offset = _member(place)
        if variable is None or not isinstance(value, tree.Load) or place.type != value.type:
            return SEVERAL
        lasts = variable.storage == "constant" or (is_local(variable) or variable.storage == "launch")
        if not lasts or (variable.storage != "constant" and variable not in self.lasting):
            return SEVERAL
        return Base(variable, offset, value)


def _meet(one: Base | _Open, other: Base | _Open) -> Base | _Open:
    if one is NOTHING or one == other:
        return other
    return one if other is NOTHING else SEVERAL


def _target(ctype: CType) -> CType:
    assert isinstance(ctype, Pointer)
    return ctype.target


def _member(place: tree.Place) -> tuple[Variable | None, int]:
    """Return the variable that `place` is a member of, or is, and how many bytes into it."""
    match place:
        case tree.VarRef():
            return place.variable, 0
        case tree.Member(bits=None):
            variable, offset = _member(place.base)
            return variable, offset + place.offset
    return None, 0


# ----------------------------------------------------------------------------------------------- rewriting


class _Rewrite:
    """Puts indices for the variables that have bases."""

    def __init__(self, bases: Mapping[Variable, Base]) -> None:
        self.bases = bases
        self.indices = {variable: replace(variable, type=INT, const=False) for variable in bases}

    def node(self, node: tree.Node) -> tree.Node:
        match node:
            case tree.Declare(variable=variable) if variable in self.bases:
                initial = self._index(node.initial) if isinstance(node.initial, tree.Expr) else None
                return replace(node, variable=self.indices[variable], initial=initial)
            case tree.Evaluate(expr=tree.Assign() | tree.CompoundAssign() | tree.Increment()) if self._moves(node.expr):
                return replace(node, expr=self._index(node.expr))
            case tree.Loop():
                return replace(map_children(node, self.node), step=tuple(map(self._step, node.step)))
            case tree.Deref(pointer=tree.Load(place=tree.VarRef(variable=variable)) as read) if variable in self.bases:
                return tree.Index(node.span, node.type, copied(self.bases[variable].pointer), self._index(read))
            case tree.Load(place=tree.VarRef(variable=variable)) if variable in self.bases:
                return self._pointer(node, self.bases[variable])
            case tree.Assign() | tree.CompoundAssign() | tree.Increment() if self._moves(node):
                return self._pointer(node, self.bases[_variable(node)])
            case tree.Binary(op=op) if op in COMPARISONS and (pair := self._pair(node.left, node.right)):
                return replace(node, left=pair[0], right=pair[1])
            case tree.PointerDiff() if pair := self._pair(node.left, node.right):
                difference = tree.Binary(node.span, INT, "-", *pair)
                return tree.Convert(node.span, LONG, difference)
        return map_children(node, self.node)

    def _expr(self, node: Expr) -> Expr:
        new = self.node(node)
        assert isinstance(new, tree.Expr)
        return new

    def _step(self, node: Expr) -> Expr:
        return self._index(node) if self._moves(node) else self._expr(node)

    def _moves(self, node: Expr) -> bool:
        return isinstance(node, Write) and isinstance(node.place, tree.VarRef) and node.place.variable in self.bases

    def _pointer(self, node: Expr, base: Base) -> Expr:
        return tree.PointerAdd(node.span, node.type, copied(base.pointer), self._index(node))

    def _pair(self, left: Expr, right: Expr) -> tuple[Expr, Expr] | None:
        """Return the indices of two variables with the same base."""
        match left, right:
            case tree.Load(place=tree.VarRef(variable=one)), tree.Load(place=tree.VarRef(variable=other)):
                if one in self.bases and other in self.bases and self.bases[one] == self.bases[other]:
                    return self._index(left), self._index(right)
        return None

    def _index(self, pointer: Expr) -> Expr:
        """Return by how many elements a pointer lies after its base."""
        build = Build(pointer.span)
        match pointer:
            case tree.AddressOf(place=tree.Index(pointer=below, index=index)):
                return self._plus(below, index, negative=False)
            case tree.PointerAdd(pointer=below, index=index, negative=negative):
                return self._plus(below, index, negative=negative)
            case tree.AddressOf(place=tree.Deref(pointer=below)) | tree.Convert(operand=below):
                return self._index(below)
            case tree.Conditional():
                return build.choose(self._expr(pointer.cond), self._index(pointer.then), self._index(pointer.other))
            case tree.Load(place=tree.VarRef(variable=variable)) if variable in self.bases:
                return build.read(self.indices[variable])
            case tree.Load():
                return build.number(INT, 0)
            case tree.Assign():
                return replace(pointer, type=INT, place=self._place(pointer), value=self._index(pointer.value))
            case tree.CompoundAssign():
                by = self._whole(pointer.value)
                return replace(pointer, type=INT, place=self._place(pointer), value=by, compute=INT)
            case tree.Increment():
                return replace(pointer, type=INT, place=self._place(pointer))
        raise AssertionError(f"no base for {type(pointer).__name__}")

    def _plus(self, below: Expr, index: Expr, *, negative: bool) -> Expr:
        build, by = Build(index.span), self._whole(index)
        if isinstance(below, tree.Load) and not self._is_index(below):
            return tree.Unary(index.span, INT, "-", by) if negative else by
        return build.binary(self._index(below), "-" if negative else "+", by)

    def _is_index(self, load: tree.Load) -> bool:
        return isinstance(load.place, tree.VarRef) and load.place.variable in self.bases

    def _whole(self, index: Expr) -> Expr:
        """Return an index as an `int`."""
        new = self._expr(index)
        while isinstance(new, tree.Convert) and isinstance(new.operand.type, Scalar) and _is_word(new.operand.type):
            new = new.operand
        return Build(index.span).convert(INT, new)

    def _place(self, write: Write) -> tree.VarRef:
        return Build(write.place.span).place(self.indices[_variable(write)])


def _is_word(ctype: Scalar) -> bool:
    return ctype.kind == "int" and ctype.bits == 32


def _variable(write: Write) -> Variable:
    assert isinstance(write.place, tree.VarRef)
    return write.place.variable
