"""Shared arrays whose first elements stay in registers while the first gang of a block is alone with them.

**Known as:** register promotion of arrays.

That takes a loop in which every region is for the first threads, `if (t < s) a[t] += a[t + s];`, and arrays that each
thread writes at its own place only. What it gains, and how it is done: see the module of this name in `lower`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from ..analysis.shapes import FunctionShapes, Instance, Shapes
from ..analysis.storage import SHARED
from ..lang.ctype import INT, UINT, Array, Pointer, Scalar
from ..target import LANES
from ..tree import nodes as tree
from ..tree.effects import has_effects, is_of_warp, named_variables, repeats, root, write_of
from ..tree.nodes import Variable
from ..tree.same import narrow_index
from ..tree.walk import walk
from . import first_threads
from .barrier_fission import Choice, Items, Jump, Once, Plan, Region, Repeat, Selection, regions
from .first_threads import Prefix, Values

Prefixes = Mapping[Region, Prefix]

MAX_NODES = 150  # of a loop, which is copied
MAX_ARRAYS = 4
THREADS = LANES  # the most that may have something to do, the first ones of the block


def choose(
    shapes: Shapes, divisions: Mapping[Instance, Plan | str], prefixes: Prefixes
) -> dict[Repeat, tuple[Variable, ...]]:
    """Return the loops of divided kernels in which registers hold arrays while the first gang is alone, and which."""
    found: dict[Repeat, tuple[Variable, ...]] = {}
    for version, plan in divisions.items():
        if version.along == "x" and not isinstance(plan, str):
            found |= find(shapes.instances[version], plan, prefixes)
    return found


def find(shapes: FunctionShapes, plan: Plan, prefixes: Prefixes) -> dict[Repeat, tuple[Variable, ...]]:
    """Return those loops of one version."""
    loops = _loops(plan.items)
    found = {loop: _arrays(shapes, plan, prefixes, loop) for loop in loops}
    return {loop: arrays for loop, arrays in found.items() if arrays}


def _loops(items: Items) -> Iterator[Repeat]:
    for item in items:
        match item:
            case Repeat():
                yield item
                yield from _loops((*item.body, *item.step))
            case Choice():
                yield from _loops((*item.then, *item.other))
            case Selection():
                for _, section in item.sections:
                    yield from _loops(section)


def _arrays(shapes: FunctionShapes, plan: Plan, prefixes: Prefixes, loop: Repeat) -> tuple[Variable, ...]:
    """The arrays that registers may hold in a loop; none if that would gain nothing."""
    if not loop.test_first or loop.cond is None:
        return ()
    nodes = list(_nodes((loop,)))
    if len(nodes) > MAX_NODES or any(isinstance(node, tree.Return | tree.Call) or is_of_warp(node) for node in nodes):
        return ()
    if not _is_simple(loop.body) or not _is_simple(loop.step) or _changes_a_count(prefixes, loop):
        return ()
    values = {node.variable: node.initial for node in plan.remade if isinstance(node.initial, tree.Expr)}
    suitable = named_by_elements(shapes.function) & _used_well(shapes, nodes, values)
    return tuple(plan.ordered(suitable)[:MAX_ARRAYS])


def _nodes(items: Items) -> Iterator[tree.Node]:
    for item in items:
        match item:
            case Region():
                yield from item.nodes
            case Once():
                yield from walk(item.statement)
            case Choice():
                yield from walk(item.cond)
                yield from _nodes((*item.then, *item.other))
            case Repeat():
                if item.cond is not None:
                    yield from walk(item.cond)
                yield from _nodes((*item.body, *item.step))


def _is_simple(items: Items) -> bool:
    """Whether no jump leads out of the items."""
    for item in items:
        match item:
            case Jump() | Selection():
                return False
            case Choice():
                if not _is_simple(item.then) or not _is_simple(item.other):
                    return False
            case Repeat():
                if not _is_simple(item.body) or not _is_simple(item.step):
                    return False
    return True


def _changes_a_count(prefixes: Prefixes, loop: Repeat) -> bool:
    """Whether the number of threads that a region is for may be another one, or not be there, at the loop's test."""
    changed: set[Variable | None] = set()
    for item in loop.body:
        read: set[Variable | None] = set()
        for region in regions((item,)):
            if region in prefixes and (count := prefixes[region].count) is not None:
                if not repeats(count):
                    return True
                read |= named_variables(count)
        for node in _nodes((item,)):
            if isinstance(node, tree.Declare):
                changed.add(node.variable)
            elif (write := write_of(node)) is not None:
                changed.add(write.variable)
        if read & changed:
            return True
    return False


def array_of(place: tree.Place) -> Variable | None:
    """The shared array of 32-bit numbers of which a place is an element, by the array's name."""
    match place:
        case tree.Index(
            type=Scalar(size=4), pointer=tree.Decay(type=Pointer(volatile=False), place=tree.VarRef() as of)
        ):
            return of.variable if of.variable.storage == SHARED else None
    return None


def named_by_elements(function: tree.Function) -> set[Variable]:
    """The shared arrays of which nothing is used but elements, each by the array's name."""
    uses: dict[Variable, int] = {}
    for node in walk(function.body):
        if isinstance(node, tree.VarRef) and isinstance(node.variable.type, Array):
            uses[node.variable] = uses.get(node.variable, 0) + 1
        elif isinstance(node, tree.Index) and (array := array_of(node)) is not None:
            uses[array] = uses.get(array, 0) - 1
    exposed = {root(node.place) for node in walk(function.body) if isinstance(node, tree.AddressOf)}
    dynamic = {variable for variable in named_variables(function.body) if variable.dynamic}
    if len(dynamic) > 1:  # names of the same memory
        exposed |= dynamic
    return {array for array, others in uses.items() if others == 0 and array not in exposed}


def _used_well(shapes: FunctionShapes, nodes: list[tree.Node], values: Values) -> set[Variable]:
    """The arrays that are written and read, written only by each thread at its own place."""
    written: set[Variable] = set()
    read: set[Variable] = set()
    unfit: set[Variable] = set()
    for node in nodes:
        match node:
            case tree.Assign(place=place) | tree.CompoundAssign(place=place) | tree.Increment(place=place):
                users = written
                fits = isinstance(place, tree.Index) and first_threads.is_thread_index(place.index, values)
            case tree.Load(place=place):
                users, fits = read, isinstance(place, tree.Index) and _is_plain(shapes, place.index)
            case _:
                continue
        if (array := array_of(place)) is not None:
            users.add(array)
            if not fits:
                unfit.add(array)
    return (written & read) - unfit


def _is_plain(shapes: FunctionShapes, node: tree.Expr) -> bool:
    """Whether an index is a number of 32 bits, without effects, that differs between threads."""
    if narrow_index(node).type not in (INT, UINT) or shapes.of(node).uniform:
        return False
    return not has_effects(node)
