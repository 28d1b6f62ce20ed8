"""Barrier fission: which kernels can run a whole block as plain loops over its gangs, and how they divide.

**Known as:** loop fission at barriers; PoCL: parallel regions.

    a[t] = x;                           for each gang: a[t] = x;
    __syncthreads();
    for (s = n / 2; s > 0; s /= 2) {    for (s = n / 2; s > 0; s /= 2)      // once for the block
        if (t < s) a[t] += a[t + s];        for each gang: if (t < s) a[t] += a[t + s];
        __syncthreads();
    }

Where control flow around the barriers is the same for all threads of the block, it runs once per block, and the code
between two barriers, a *region*, becomes a loop over the gangs. Values that are equal in the whole block exist once.
What a gang needs in a later region is *kept* in its frame, or *remade* if computing it again is cheap. No gang ever
waits, so that neither stacks nor switches are needed. The iterations of a loop that is better `swept` are divided too.

A kernel qualifies if no barrier is reached by some threads only, in a called function, or inside an expression.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import assert_never

from ..analysis import liveness
from ..analysis.block_values import BlockValues
from ..analysis.liveness import NONE, Exits, Live
from ..analysis.shapes import FunctionShapes, Instance, Shapes
from ..analysis.storage import CONSTANT, DEVICE, FLAT, INTERLEAVED, REGISTER, SHARED, Storage
from ..costs import MAX_SCALAR_COST, MAX_VECTOR_COST
from ..lang.ctype import CType, Pointer, kinds_of_leaves
from ..tree import nodes as tree
from ..tree.effects import (
    declared_variables,
    is_barrier,
    is_barrier_alone,
    jumps_out,
    named_variables,
    only_reads,
    outermost,
    returns,
    write_of,
)
from ..tree.nodes import Variable
from ..tree.threads import thread_axes
from ..tree.walk import children, walk

# ---------------------------------------------------------------------------------------- a divided kernel


@dataclass(frozen=True, eq=False)
class Region:
    """Statements without a barrier, which each gang runs in turn."""

    statements: tuple[tree.Stmt, ...]

    @cached_property
    def mentioned(self) -> Live:
        """The variables that occur in the region."""
        found = (*map(named_variables, self.statements), *map(declared_variables, self.statements))
        return frozenset[Variable]().union(*found)

    @cached_property
    def assigned(self) -> Live:
        """The variables to which the region gives a value, in whole or in part."""
        return frozenset(filter(None, map(_assigned, self.nodes)))

    @cached_property
    def returns(self) -> bool:
        """Some threads may end here."""
        return any(map(returns, self.statements))

    @cached_property
    def nodes(self) -> tuple[tree.Node, ...]:
        return tuple(node for statement in self.statements for node in walk(statement))


@dataclass(frozen=True, eq=False)
class Once:
    """A statement about values that are equal in the whole block: it runs once for the block."""

    statement: tree.Stmt


@dataclass(frozen=True, eq=False)
class Choice:
    """An `if` that all threads of the block decide alike."""

    cond: tree.Expr
    then: Items
    other: Items


@dataclass(frozen=True, eq=False)
class Repeat:
    """A loop that all threads of the block leave together; what was in its `init` precedes it."""

    cond: tree.Expr | None
    test_first: bool
    body: Items
    step: Items


@dataclass(frozen=True, eq=False)
class Selection:
    """A `switch` that all threads of the block decide alike: the labels and the items of each section."""

    value: tree.Expr
    sections: tuple[tuple[tuple[int | None, ...], Items], ...]


@dataclass(frozen=True, eq=False)
class Jump:
    """A `break`, `continue` or `return` that all threads of the block take together."""

    node: tree.Break | tree.Continue | tree.Return


Item = Region | Once | Choice | Repeat | Selection | Jump
Items = tuple[Item, ...]


@dataclass(frozen=True)
class Plan:
    """A kernel divided at its barriers.

    `start` is a region that runs before all others and only once, if there is one. There must be if some threads return
    before others (`loses_threads`): it is where the gangs' masks begin, which are kept in their frames too; and if
    there are parameters that differ between threads, which get their values there.
    `settled`: variables that exist once for the block and keep the value that they have got between regions.
    """

    items: Items
    needed: dict[Region, Live]  # variables whose values a region takes from before it
    wanted: dict[Region, Live]  # variables that are read after a region
    kept: tuple[Variable, ...]  # in the frames of the gangs
    remade: tuple[tree.Declare, ...]  # in order: later ones may depend on earlier ones
    once: Live  # exist once for the block
    settled: Live
    loses_threads: bool
    start: Region | None
    declared: dict[Variable, int]  # the kernel's own variables, by the order of their declarations

    def ordered(self, variables: Iterable[Variable]) -> list[Variable]:
        return _ordered(variables, self.declared)


def _ordered(variables: Iterable[Variable], declared: dict[Variable, int]) -> list[Variable]:
    """Return variables in the order of the source. Copies that inlining makes of one share its place there."""
    return sorted(variables, key=lambda v: (v.span.line, v.span.column, v.name, declared.get(v, -1)))


def _declared(function: tree.Function) -> dict[Variable, int]:
    nodes = walk(function.body)
    found = [*function.params, *(node.variable for node in nodes if isinstance(node, tree.Declare))]
    return {variable: i for i, variable in enumerate(found)}


class _NotDivisible(Exception):
    """Why a kernel does not qualify."""


def plan(module: tree.Module, shapes: FunctionShapes, storage: Storage) -> Plan | str:
    """Divide a kernel that has barriers or loops to be swept; return why not if it does not qualify."""
    try:
        try:
            return _Division(module, shapes, storage, sweeping=True).run()
        except _NotDivisible:
            return _Division(module, shapes, storage, sweeping=False).run()
    except _NotDivisible as reason:
        return str(reason)


def divide(module: tree.Module, shapes: Shapes, fibers: frozenset[str]) -> dict[Instance, Plan | str]:
    """Return how the versions of kernels are divided that have barriers or loops to be swept, or why they are not.

    That is for versions whose gangs lie along x or, if there are barriers, span rows; but not for `fibers`, whose
    threads wait elsewhere too.
    """
    found: dict[Instance, Plan | str] = {}
    for kernel in module.kernels:
        for version in shapes.versions(kernel) if kernel.name not in fibers else ():
            swept = any(isinstance(node, tree.Loop) and node.swept for node in walk(version.function.body))
            synchronises = kernel.name in shapes.storage.synchronising
            if (version.instance.along == "x" and swept) or (version.instance.along in ("x", "") and synchronises):
                found[version.instance] = plan(module, version, shapes.storage)
    return found


# ------------------------------------------------------------------------------------------- the division


@dataclass
class _Division:
    module: tree.Module
    shapes: FunctionShapes
    storage: Storage
    sweeping: bool  # loops that are better swept are divided too
    needed: dict[Region, Live] = field(default_factory=dict)
    wanted: dict[Region, Live] = field(default_factory=dict)
    heads: dict[Repeat, Live] = field(default_factory=dict)  # live before an iteration, as far as it is known

    @cached_property
    def block(self) -> BlockValues:
        return BlockValues(self.shapes, self.storage)

    @cached_property
    def declared(self) -> dict[Variable, int]:
        return _declared(self.shapes.function)

    def run(self) -> Plan:
        """Divide the kernel, and find out what its regions hand to each other."""
        self.require_divisible()
        items = self.items(self.shapes.function.body.statements)
        if sum(1 for _ in regions(items)) > MAX_REGIONS:
            raise _NotDivisible(f"it has more than {MAX_REGIONS} parts between barriers")
        loses_threads = any(region.returns for region in regions(items))
        own_params = any(not self.block.is_once(param) for param in self.shapes.function.params)
        items, start = _with_start(items, needed=loses_threads or own_params)
        self.settle_live(items)
        settled = self.settled(items)
        remade = self.remade(settled)
        return Plan(
            items=items,
            needed=self.needed,
            wanted=self.wanted,
            kept=self.kept(items, start, {node.variable for node in remade}),
            remade=remade,
            once=frozenset(filter(self.block.is_once, {variable for variable, _ in self.shapes.variables})),
            settled=settled,
            loses_threads=loses_threads,
            start=start,
            declared=self.declared,
        )

    def require_divisible(self) -> None:
        """Refuse a kernel without anything to divide at, or with barriers that do not divide its own text."""
        function = self.shapes.function
        if function.name not in self.storage.synchronising and not any(
            map(self.is_swept, _flattened(function.body.statements))
        ):
            raise _NotDivisible("there is nothing to divide")
        for node in walk(function.body):
            if isinstance(node, tree.BuiltinCall) and node in self.shapes.skipped:
                raise _NotDivisible(f"threads of a block may disagree about the barrier in line {node.span.line}")
            if isinstance(node, tree.Call) and node.function in self.storage.synchronising:
                raise _NotDivisible(f"'{node.function}', called in line {node.span.line}, has a barrier")

    # -- statements

    def items(self, statements: Iterable[tree.Stmt]) -> Items:
        """Divide a list of statements: runs without barriers become regions."""
        found: list[Item] = []
        run: list[tree.Stmt] = []
        for node in _flattened(statements):
            if is_barrier_alone(node):
                found += self.region(run)
                run = []
            elif self.divides(node):
                found += self.region(run)
                run = []
                found += self.whole_block(node)
            else:
                run.append(node)
        return (*found, *self.region(run))

    def region(self, run: list[tree.Stmt]) -> Items:
        """Make a region of the statements; those at its ends, or first, that can run once for the block do."""
        run = self.with_block_values_first(run)
        first, end = 0, len(run)
        while first < end and self.block.runs_once(run[first]):
            first += 1
        while end > first and self.block.runs_once(run[end - 1]):
            end -= 1
        inside = (Region(tuple(run[first:end])),) if first < end else ()
        return (*map(Once, run[:first]), *inside, *map(Once, run[end:]))

    def with_block_values_first(self, run: list[tree.Stmt]) -> list[tree.Stmt]:
        """Move declarations that run once for the block, and are plain arithmetic, before what has no part in them."""
        first: list[tree.Stmt] = []
        rest: list[tree.Stmt] = []
        seen: set[Variable] = set()  # what `rest` mentions, and what it changes
        written: set[Variable] = set()
        for node in run:
            if isinstance(node, tree.Declare) and self.is_arithmetic_of_block(node):
                assert node.initial is not None
                if node.variable not in seen and not written & named_variables(node.initial):
                    first.append(node)
                    continue
            rest.append(node)
            seen |= named_variables(node) | declared_variables(node)
            written |= set(filter(None, map(_assigned, walk(node))))
        return first + rest

    def is_arithmetic_of_block(self, node: tree.Declare) -> bool:
        """Whether a declaration runs once for the block, and does nothing but to compute a value from variables."""
        if node.initial is None or not only_reads(node.initial) or not self.block.runs_once(node):
            return False
        loads = (below for below in walk(node.initial) if isinstance(below, tree.Load))
        return all(isinstance(load.place, tree.VarRef) for load in loads)

    def divides(self, node: tree.Stmt) -> bool:
        """Whether a statement is control flow of the whole block, not of one gang after the other."""
        match node:
            case tree.Break() | tree.Continue() | tree.Return():
                return True
            case tree.If() if self.block.is_uniform(node.cond):
                arms = (*_flattened(node.then.statements), *_flattened(node.other.statements))
                if any(isinstance(below, tree.Return | tree.If) and self.divides(below) for below in arms):
                    return True
        return any(is_barrier(below) for below in walk(node)) or _leaves(node) or self.is_swept(node)

    def is_swept(self, node: tree.Stmt) -> bool:
        """Whether a statement is a loop to be swept, or control flow of the whole block around one."""
        if not self.sweeping:
            return False
        match node:
            case tree.Loop(cond=cond) if cond is not None:
                if not any(isinstance(below, tree.Loop) and below.swept for below in walk(node)):
                    return False
                inside = list(_flattened(node.body.statements))
                if not self.block.is_uniform(cond) or any(map(_leaves, inside)):
                    return False
                return node.swept or any(map(self.is_swept, inside))
            case tree.If():
                arms = _flattened((node.then, node.other))
                return any(map(self.is_swept, arms)) and self.block.is_uniform(node.cond)
        return False

    def whole_block(self, node: tree.Stmt) -> Items:
        """The items of a statement that `divides`."""
        match node:
            case tree.Break() | tree.Continue() | tree.Return():
                return (Jump(node),)
            case tree.If():
                self.require_once(node.cond)
                return (Choice(node.cond, self.items(node.then.statements), self.items(node.other.statements)),)
            case tree.Loop():
                if node.cond is not None:
                    self.require_once(node.cond)
                steps = [tree.Evaluate(step.span, step) for step in node.step]
                body, step = self.items(node.body.statements), self.items(steps)
                return (*self.items(node.init), Repeat(node.cond, node.test_first, body, step))
            case tree.Switch():
                self.require_once(node.value)
                sections = tuple((section.labels, self.items(section.body.statements)) for section in node.sections)
                return (Selection(node.value, sections),)
            case _:
                raise _NotDivisible(f"the barrier in line {_barrier_line(node)} is part of an expression")

    # -- what runs once

    def require_once(self, node: tree.Expr) -> None:
        if any(map(is_barrier, walk(node))):
            raise _NotDivisible(f"the barrier in line {_barrier_line(node)} is part of an expression")
        if not self.block.is_uniform(node):
            raise _NotDivisible(f"the condition in line {node.span.line} is not computed once for the block")

    # -- what lives from region to region

    def settle_live(self, items: Items) -> None:
        """Note what every region needs and what is wanted of it, until nothing more is live before a loop."""
        before: dict[Repeat, Live] | None = None
        while before != self.heads:
            before = dict(self.heads)
            self.live(items, Exits(NONE, NONE), NONE)

    def live(self, items: Items, exits: Exits, after: Live) -> Live:
        """Note what every region needs and what is wanted of it; return what is live before the items."""
        for item in reversed(items):
            after = self.live_before(item, exits, after)
        return after

    def live_before(self, item: Item, exits: Exits, after: Live) -> Live:
        match item:
            case Region():
                self.wanted[item] = after
                self.needed[item] = liveness.before(item.statements, after)
                return self.needed[item]
            case Once():
                return liveness.before((item.statement,), after)
            case Choice():
                arms = self.live(item.then, exits, after) | self.live(item.other, exits, after)
                return _uses(item.cond, arms)
            case Repeat():
                return self.live_before_loop(item, after)
            case Selection():
                inside = Exits(after, exits.continued)
                live = everywhere = after
                for _, section in reversed(item.sections):
                    live = self.live(section, inside, live)
                    everywhere |= live
                return _uses(item.value, everywhere)
            case Jump(node=tree.Break()):
                return exits.broken
            case Jump(node=tree.Continue()):
                return exits.continued
            case Jump():
                return NONE
            case _:
                assert_never(item)

    def live_before_loop(self, item: Repeat, after: Live) -> Live:
        head = self.heads.get(item, NONE)
        if item.test_first:
            again = self.live(item.step, Exits(NONE, NONE), head | self.test(item, NONE, after))
            before = self.test(item, self.live(item.body, Exits(after, again), again), after)
        else:
            again = self.test(item, head, after)
            before = self.live(item.body, Exits(after, again), again)
        self.heads[item] = before
        return before

    def test(self, item: Repeat, into: Live, after: Live) -> Live:
        return into if item.cond is None else _uses(item.cond, into | after)

    def kept(self, items: Items, start: Region | None, remade: set[Variable]) -> tuple[Variable, ...]:
        """The variables that need a place in each gang's frame."""
        across = {variable for region in regions(items) if region is not start for variable in self.needed[region]}
        found = {v for v in across if self.storage.of(v) == REGISTER and not self.block.is_once(v) and v not in remade}
        found |= {param for param in self.shapes.function.params if self.storage.of(param) in (INTERLEAVED, FLAT)}
        found |= {variable for region in regions(items) for variable in self.lasting(region, items)}
        if sum(variable.type.size for variable in found) > MAX_KEPT_BYTES:
            raise _NotDivisible(f"more than {MAX_KEPT_BYTES} bytes per thread would have to be kept across barriers")
        return tuple(_ordered(found, self.declared))

    def lasting(self, region: Region, items: Items) -> Iterator[Variable]:
        """The variables in memory that are declared in a region and may be reached from others."""
        pointers = [v for v in self.wanted[region] & region.assigned if _has_pointer(v.type)]
        for node in region.statements:
            if not isinstance(node, tree.Declare) or self.storage.of(node.variable) not in (INTERLEAVED, FLAT):
                continue
            elsewhere = any(node.variable in other.mentioned for other in regions(items) if other is not region)
            if elsewhere or pointers or node.variable in self.storage.escaped:
                yield node.variable

    @cached_property
    def changed(self) -> Live:
        """The variables to which something else than a declaration gives a value."""
        nodes = (node for node in walk(self.shapes.function.body) if not isinstance(node, tree.Declare))
        return frozenset(filter(None, map(_assigned, nodes)))

    def settled(self, items: Items) -> Live:
        params = filter(self.block.is_once, self.shapes.function.params)
        return frozenset((*params, *_declared_once(items))) - self.changed

    def remade(self, settled: Live) -> tuple[tree.Declare, ...]:
        """The variables that are never assigned again and cheap to compute from what the whole block has.

        What the rows of a block have in common costs little even if it is a vector: where a row is a gang, LLVM takes
        it out of the loop over rows.
        """
        fixed = dict.fromkeys(settled, 0)
        found = []
        several_rows = bool(thread_axes(self.shapes.function.body) - {0})
        of_row: set[Variable] = set()
        for node in walk(self.shapes.function.body):
            if not isinstance(node, tree.Declare) or node.initial is None or isinstance(node.initial, tree.Braces):
                continue
            variable = node.variable
            if self.storage.of(variable) != REGISTER or variable in self.changed:
                continue
            if thread_axes(node.initial) - {0} or of_row & named_variables(node.initial):
                of_row.add(variable)
            cost = _cost(node.initial, fixed, self.storage)
            in_common = several_rows and variable not in of_row
            cheap = self.shapes.variable(variable).scalar or in_common
            if cost is not None and cost <= (MAX_SCALAR_COST if cheap else MAX_VECTOR_COST):
                fixed.setdefault(variable, cost)
                found.append(node)
        return tuple(found)


MAX_REGIONS = 64  # LLVM's analyses of loops take the square of how many there are in a function
MAX_KEPT_BYTES = 2048  # per thread: frames of 2 MiB for the largest block, 4 if its rows are ragged


def regions(items: Items) -> Iterator[Region]:
    """Yield all regions, in the order of the text."""
    for item in items:
        match item:
            case Region():
                yield item
            case Choice():
                yield from regions(item.then)
                yield from regions(item.other)
            case Repeat():
                yield from regions(item.body)
                yield from regions(item.step)
            case Selection():
                for _, section in item.sections:
                    yield from regions(section)


def _declared_once(items: Items) -> Iterator[Variable]:
    """Yield the variables that are declared, with a value, between regions: the block has them from there on."""
    for item in items:
        match item:
            case Once(tree.Declare(variable=variable, initial=initial)) if initial is not None:
                yield variable
            case Choice():
                yield from _declared_once((*item.then, *item.other))
            case Repeat():
                yield from _declared_once((*item.body, *item.step))
            case Selection():
                for _, section in item.sections:
                    yield from _declared_once(section)


def _with_start(items: Items, needed: bool) -> tuple[Items, Region | None]:
    """Return the items and the region that runs before all others, once; if it is `needed`, put an empty one there."""
    before = list(itertools.takewhile(lambda item: isinstance(item, Once), items))
    match items[len(before) :]:
        case (Region() as start, *_):
            return items, start
        case rest if needed:
            start = Region(())
            return (*before, start, *rest), start
        case _:
            return items, None


def _flattened(statements: Iterable[tree.Stmt]) -> Iterator[tree.Stmt]:
    """The statements with blocks dissolved: scopes mean nothing any more, each variable is an object of its own."""
    for node in statements:
        if isinstance(node, tree.Block):
            yield from _flattened(node.statements)
        else:
            yield node


def _has_pointer(ctype: CType) -> bool:
    return any(isinstance(leaf, Pointer) for leaf in kinds_of_leaves(ctype))


def _barrier_line(node: tree.Node) -> int:
    return next(below.span.line for below in walk(node) if is_barrier(below))


def _leaves(node: tree.Stmt) -> bool:
    """Whether a `break` or `continue` in `node` leads to a loop or switch outside it."""
    return any(not isinstance(jump, tree.Return) for jump in jumps_out(node))


def _assigned(node: tree.Node) -> Variable | None:
    """Return the variable that a node assigns, or of which it assigns a part, if it does so by the name."""
    if isinstance(node, tree.Declare):
        return node.variable if node.initial is not None else None
    write = write_of(node)
    place = outermost(write.place)[0] if write is not None else None
    return place.variable if isinstance(place, tree.VarRef) else None


def _uses(node: tree.Expr, live: Live) -> Live:
    return liveness.before((tree.Evaluate(node.span, node),), live)


_ONE_INSTRUCTION = frozenset("abs fabs fma fmax fmin max min".split())


def _cost(node: tree.Node, fixed: dict[Variable, int], storage: Storage) -> int | None:
    """Return how many operations it takes to compute a value again; None if the result could differ."""
    own = 0
    match node:
        case tree.Load(place=tree.VarRef(variable=variable)):
            return fixed.get(variable)
        case tree.VarRef(variable=variable):
            return 0 if storage.of(variable) in (SHARED, CONSTANT, DEVICE) else None
        case tree.Binary(op="/" | "%"):
            own = 4
        case tree.Unary() | tree.Binary() | tree.PointerAdd() | tree.Index() | tree.Logical():
            own = 1
        case tree.Conditional():
            own = 2
        case tree.BuiltinCall(builtin=builtin) if builtin.pure and builtin.op in _ONE_INSTRUCTION:
            own = 1
        case tree.Constant() | tree.ThreadIndex() | tree.Convert() | tree.Decay() | tree.AddressOf() | tree.Member():
            pass
        case _:
            return None
    costs = [_cost(child, fixed, storage) for child in children(node)]
    return None if None in costs else own + sum(filter(None, costs))
