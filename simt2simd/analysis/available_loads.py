"""Which reads find what the thread has read before: nothing was written since, so the value is known.

**Known as:** available loads; redundant-load elimination.

    if (p[i].z < near || p[i].x > far) continue;      the read of x comes after that of z, of the same object
    sum += p[i].x;                                    and this one after both

A read is *after* another one if each thread that reaches it has made the other one before, in the same iteration of
all loops around both of them. The lanes that are on there were on at the other one: what is after runs under a
narrower mask. An object that a thread reads a part of is there as a whole, so the first read may read more of it.

Nothing of an iteration is known in the next one or after the loop, nor of an arm after the `if`: other lanes come
there.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias, assert_never

from ..lang.ctype import Array, Pointer, Scalar
from ..tree import nodes as tree
from ..tree.calls import functions_reaching, recursive_functions
from ..tree.effects import (
    addressed_variables,
    is_effect,
    is_local,
    is_volatile,
    named_variables,
    root,
    write_of,
    written_variables,
)
from ..tree.nodes import Function, Module, Variable
from ..tree.same import same_place
from ..tree.walk import children, walk

# A scalar of an object: how many bytes into it, and its type.
Part: TypeAlias = "tuple[int, Scalar | Pointer]"

# Built-in functions that are more than their result, but write nothing that the program reads.
_WRITE_NOTHING = frozenset({"prefetch", "visit", "nothing"})


@dataclass(frozen=True)
class AvailableLoads:
    """What is known of the reads of a function.

    `sources`: of a read, those that may have left its value: the first one of its object, and of its part.
    `wanted`: of such a source, all the parts that reads after it may find there.
    """

    sources: Mapping[tree.Load, Sequence[tree.Load]]
    wanted: Mapping[tree.Load, frozenset[Part]]


def find(module: Module) -> dict[str, AvailableLoads]:
    """Return what is known of the reads of each function in which there are such ones."""
    silent = silent_functions(module)
    found = {name: Reads(function, silent).found() for name, function in module.functions.items()}
    return {name: each for name, each in found.items() if each.sources}


def whole_object(place: tree.Place) -> tuple[tree.Place, int]:
    """Return the object that `place` is a part of, and how many bytes into it.

    It is a part by members, and by elements of arrays at constant places.
    """
    match place:
        case tree.Member():
            whole, offset = whole_object(place.base)
            return whole, offset + place.offset
        case tree.Index(pointer=tree.Decay(place=array), index=tree.Constant(value=index)):
            assert isinstance(array.type, Array)
            if isinstance(array, tree.Member | tree.Index) and 0 <= index < array.type.count:
                whole, offset = whole_object(array)
                return whole, offset + int(index) * place.type.size
    return place, 0


def silent_functions(module: Module) -> frozenset[str]:
    """Return the functions that write nothing but variables of their own, and do not recurse.

    Those that recurse may run as a loop over a stack, in whose iterations other lanes reach the same reads.
    """
    silent = frozenset(module.functions) - recursive_functions(module)
    loud = {name for name, function in module.functions.items() if Reads(function, silent).is_loud()}
    calling = functions_reaching(module, lambda node: isinstance(node, tree.Call) and node.function in loud)
    return silent - loud - calling


@dataclass(frozen=True)
class _Object:
    """An object that was read. `parts`: the first read of each."""

    place: tree.Place
    first: tree.Load
    parts: Mapping[Part, tree.Load]


# The objects that were read on the way to a point of the function: by their variables and whether they are never
# written, and then by the numbers in them. So those that a change does not touch are not looked at one by one, nor
# compared.
_Known: TypeAlias = "dict[tuple[frozenset[Variable], bool], Mapping[tuple[str, ...], tuple[_Object, ...]]]"


@dataclass(frozen=True)
class Changes:
    """What nodes may change: these variables of the thread's own, and anything in memory."""

    variables: frozenset[Variable]
    memory: bool


@dataclass
class Reads:
    """Goes through a function in the order in which it runs, and returns what its nodes may change."""

    function: Function
    silent: frozenset[str]  # functions that write nothing
    addressed: set[Variable] = field(init=False)
    changed: set[Variable] = field(init=False)
    sources: dict[tree.Load, list[tree.Load]] = field(default_factory=dict)
    wanted: dict[tree.Load, set[Part]] = field(default_factory=dict)
    below: dict[tree.Node, Changes] = field(default_factory=dict)  # what may change in a node, with all below it

    def __post_init__(self) -> None:
        self.addressed = addressed_variables(self.function.body)
        self.changed = written_variables(self.function.body) | self.addressed

    def found(self) -> AvailableLoads:
        self.statement(self.function.body, {})
        return AvailableLoads(self.sources, {load: frozenset(parts) for load, parts in self.wanted.items()})

    def is_loud(self) -> bool:
        """Whether the function writes memory itself, not counting its callees, which may be silent."""
        return any(self.change(node).memory for node in walk(self.function.body))

    # ------------------------------------------------------------------------------------- statements

    def statement(self, node: tree.Stmt, known: _Known) -> None:
        """Note the reads in a statement, and make of `known` what is known after it."""
        match node:
            case tree.Block(statements=statements):
                for below in statements:
                    self.statement(below, known)
            case tree.Declare():
                self.inside(node, known)
                _forget(known, Changes(frozenset({node.variable}), False))
            case tree.Evaluate(expr=expr):
                self.inside(expr, known)
            case tree.If():
                self.choice(node, known)
            case tree.Loop():
                self.loop(node, known)
            case tree.Switch(value=value, sections=sections):
                self.inside(value, known)
                _forget(known, self.changes(sections))
                for section in sections:
                    self.statement(section.body, dict(known))
            case tree.Return(value=value):
                if value is not None:
                    self.inside(value, known)
            case tree.Break() | tree.Continue():
                pass
            case _:
                assert_never(node)

    def choice(self, node: tree.If, known: _Known) -> None:
        chosen = self.test(node.cond, known)
        arms = node.then, node.other
        for arm, at_arm in zip(arms, chosen, strict=True):
            self.statement(arm, dict(at_arm))
        staying = [i for i, arm in enumerate(arms) if not _leaves(arm)]
        if len(staying) == 1:  # those after it come from there
            known.clear()
            known.update(chosen[staying[0]])
        _forget(known, self.changes(arms[i] for i in staying))

    def loop(self, node: tree.Loop, known: _Known) -> None:
        for below in node.init:
            self.statement(below, known)
        tests = [] if node.cond is None else [node.cond]
        _forget(known, self.changes([*tests, node.body, *node.step]))
        within = dict(known)
        for test in tests:
            when_true, _ = self.test(test, dict(known))
            within = when_true if node.test_first else within
        self.statement(node.body, within)
        at_step = dict(known)
        for step in node.step:
            self.inside(step, at_step)

    # ------------------------------------------------------------------------------------ expressions

    def test(self, node: tree.Expr, known: _Known) -> tuple[_Known, _Known]:
        """Do as `inside`, and return what threads know for which the condition is true, and those for which it is not.

        Where `a && b` is true, both were evaluated.
        """
        match node:
            case tree.Logical(op=op, left=left, right=right):
                by_left = self.test(left, known)
                by_right = self.test(right, dict(by_left[0] if op == "&&" else by_left[1]))
                _forget(known, self.changes([right]))
                return (by_right[0], dict(known)) if op == "&&" else (dict(known), by_right[1])
            case tree.Unary(op="!", operand=operand):
                when_true, when_false = self.test(operand, known)
                return when_false, when_true
        self.inside(node, known)
        return dict(known), dict(known)

    def inside(self, node: tree.Node, known: _Known) -> None:
        """Note the reads in an expression or a declaration, and make of `known` what is known after it."""
        match node:
            case tree.Logical():
                self.test(node, known)
                return
            case tree.Conditional(cond=cond, then=then, other=other):
                for arm, at_arm in zip((then, other), self.test(cond, known), strict=True):
                    self.inside(arm, dict(at_arm))
                _forget(known, self.changes([then, other]))
                return
        below = _in_order(node)
        if len(below) > 1 and not isinstance(node, tree.Comma):
            _forget(known, self.changes(below))  # whichever comes first
            for operand in below:
                self.inside(operand, known)
            _forget(known, self.changes(below))
        else:
            for operand in below:
                self.inside(operand, known)
        if isinstance(node, tree.Load):
            self.read(node, known)
        _forget(known, self.change(node))

    def read(self, load: tree.Load, known: _Known) -> None:
        place, offset = whole_object(load.place)
        if not isinstance(load.type, Scalar | Pointer) or not _may_be_known(load.place, place):
            return
        part = offset, load.type
        key, numbers = (frozenset(named_variables(place)), self.is_fixed(place)), _numbers(place)
        alike = known.get(key, {})
        others = alike.get(numbers, ())
        same = next((one for one in others if same_place(one.place, place)), None)
        if same is None:
            known[key] = {**alike, numbers: (*others, _Object(place, load, {part: load}))}
            return
        sources = [same.first]
        if part in same.parts and same.parts[part] is not same.first:
            sources.append(same.parts[part])
        self.sources[load] = sources
        for source in sources:
            self.wanted.setdefault(source, set()).add(part)
        if part not in same.parts:
            new = _Object(same.place, same.first, {**same.parts, part: load})
            known[key] = {**alike, numbers: tuple(new if one is same else one for one in others)}

    def is_fixed(self, place: tree.Place) -> bool:
        """Whether an object is never written: it is reached by `const __restrict__` and numbers."""
        if named_variables(place) & self.addressed:
            return False
        match place:
            case tree.Index(pointer=pointer, index=index):
                if any(isinstance(below, tree.Load) and not _is_own(below.place) for below in walk(index)):
                    return False
            case tree.Deref(pointer=pointer):
                pass
            case _:
                return False
        match pointer:
            case tree.Load(place=tree.VarRef(variable=variable)):
                promised = variable.restrict and isinstance(variable.type, Pointer) and variable.type.const
                return promised and variable not in self.changed
        return False

    # ---------------------------------------------------------------------------------------- changes

    def changes(self, nodes: Iterable[tree.Node]) -> Changes:
        """Return what may change anywhere in these nodes."""
        return _together(map(self.changes_in, nodes))

    def changes_in(self, node: tree.Node) -> Changes:
        """Return what may change in a node, of which each is looked at once: arms and loops lie deep in each other."""
        found = self.below.get(node)
        if found is None:
            found = _together((self.change(node), *map(self.changes_in, children(node))))
            self.below[node] = found
        return found

    def change(self, node: tree.Node) -> Changes:
        """Return what `node` itself may change, without the nodes below it."""
        if isinstance(node, tree.Declare):
            return Changes(frozenset({node.variable}), False)
        if isinstance(node, tree.Load) and is_volatile(node.place):
            return Changes(frozenset(), True)  # the thread looks what others have done
        write = write_of(node)
        if write is not None:
            variable = root(write.place)
            own = variable is not None and is_local(variable)
            known = frozenset({variable} if variable is not None else ())
            return Changes(known, not own or variable in self.addressed)
        if isinstance(node, tree.Call) and node.function in self.silent:
            return _NOTHING
        if not is_effect(node) or (isinstance(node, tree.BuiltinCall) and node.builtin.op in _WRITE_NOTHING):
            return _NOTHING
        return Changes(frozenset(), True)


_NOTHING = Changes(frozenset(), False)


def _together(parts: Iterable[Changes]) -> Changes:
    some = [part for part in parts if part.memory or part.variables]
    if len(some) < 2:
        return some[0] if some else _NOTHING
    variables = frozenset[Variable]().union(*(part.variables for part in some))
    return Changes(variables, any(part.memory for part in some))


def _forget(known: _Known, changes: Changes) -> None:
    """Take out of `known` what may have changed."""
    if not changes.memory and not changes.variables:
        return
    for variables, fixed in [*known]:
        if variables & changes.variables or (changes.memory and not fixed):
            del known[variables, fixed]


def _numbers(place: tree.Place) -> tuple[str, ...]:
    """Return the constants in a place; those of places that are the same are the same, too."""
    return tuple(repr(node.value) for node in walk(place) if isinstance(node, tree.Constant))


def _leaves(arm: tree.Block) -> bool:
    """Whether no thread reaches the end of an arm."""
    return bool(arm.statements) and isinstance(arm.statements[-1], tree.Jump)


def _in_order(node: tree.Node) -> Sequence[tree.Node]:
    """Return what is below an expression in the order in which the lowering evaluates it."""
    match node:
        case tree.Assign(place=place, value=value) | tree.CompoundAssign(place=place, value=value):
            return [value, place]
    return children(node)


def _may_be_known(place: tree.Place, whole: tree.Place) -> bool:
    """Whether `whole`, of which `place` is read, is memory that the thread does not have for itself alone."""
    if not isinstance(whole, tree.Deref | tree.Index) or is_volatile(place):
        return False
    variable = root(whole)
    return variable is None or not is_local(variable)


def _is_own(place: tree.Place) -> bool:
    return isinstance(place, tree.VarRef) and is_local(place.variable)
