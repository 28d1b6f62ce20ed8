"""Gangs that are tiles of a block: 4 by 4 threads, 8 by 4, or 8 by 8.

    gangs along x:  ----------------    a tile:  ----
                                                 ----
                                                 ----
                                                 ----

Where lanes leave a loop at different times, or take different arms in it, a gang takes as long as all its lanes
together. Neighbours in an image mostly do alike, and the lanes of a tile are nearer to each other than those of a row.
What lanes read and write side by side along x comes in several runs then, which a kernel must be able to afford.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from .. import costs
from ..analysis.access_cost import access_cost
from ..analysis.shapes import FunctionShapes, Instance, Shapes
from ..analysis.storage import SHARED, Storage
from ..target import LANES
from ..tree import nodes as tree
from ..tree.calls import reached_functions
from ..tree.nodes import Function, Module
from ..tree.walk import walk, walk_loops
from .searches import operation_cost


def possible(module: Module, storage: Storage) -> frozenset[str]:
    """Return the kernels whose gangs may be tiles: they use both axes of their blocks, loop, and have no barriers.

    Rows that run in step are rows."""
    reached = reached_functions(module)
    in_step = {*module.row_groups, *(group.function for group in module.row_groups.values())}
    return frozenset(
        kernel.name
        for kernel in module.kernels
        if kernel.name not in storage.synchronising
        and kernel.helps is None
        and kernel.name not in in_step
        and _axes(kernel) >= {0, 1}
        and _loops_freely([module.functions[name] for name in {kernel.name} | reached[kernel.name]])
    )


def _axes(kernel: Function) -> set[int]:
    indices = (node for node in walk(kernel.body) if isinstance(node, tree.ThreadIndex))
    return {node.axis for node in indices if node.name == "threadIdx"}


def _loops_freely(functions: list[Function]) -> bool:
    """Whether there is a loop or a recursion, and neither shared memory nor a loop that sweeps memory."""
    loops = False
    for function in functions:
        for node in walk(function.body):
            if isinstance(node, tree.VarRef) and node.variable.storage == SHARED:
                return False
            if isinstance(node, tree.Loop):
                if node.swept:
                    return False
                loops = True
            loops = loops or isinstance(node, tree.Call)
    return loops


def pays(version: Instance, shapes: Shapes) -> bool:
    """Whether a kernel gains by gangs that are tiles: lanes part in its loops, and its accesses stay cheap."""
    along_x = replace(version, along="x", lanes=LANES)
    if along_x not in shapes.instances:
        return False
    if not any(_lanes_part(inside) for inside in _reached(along_x, shapes.instances)):
        return False
    before, after = _Costs(shapes).of(along_x), _Costs(shapes).of(version)
    return after.accesses - before.accesses <= costs.TILE_SHARE * (before.operations + before.accesses)


@dataclass(frozen=True)
class _Cost:
    """What operations will cost, and accesses."""

    operations: float
    accesses: float

    def times(self, rounds: float) -> _Cost:
        return _Cost(self.operations * rounds, self.accesses * rounds)

    def __add__(self, other: _Cost) -> _Cost:
        return _Cost(self.operations + other.operations, self.accesses + other.accesses)


class _Costs:
    """What instances will cost with all that they call, if every loop and every recursion runs `ROUNDS` times."""

    def __init__(self, shapes: Shapes) -> None:
        self.shapes = shapes
        self.known: dict[Instance, _Cost] = {}
        self.running: set[Instance] = set()
        self.recursive: set[Instance] = set()

    def of(self, instance: Instance) -> _Cost:
        if instance in self.running:
            self.recursive.add(instance)
            return _Cost(0.0, 0.0)
        if instance not in self.known:
            self.running.add(instance)
            cost = self._body(self.shapes.instances[instance])
            self.running.remove(instance)
            self.known[instance] = cost.times(float(costs.ROUNDS) if instance in self.recursive else 1.0)
        return self.known[instance]

    def _body(self, inside: FunctionShapes) -> _Cost:
        total = _Cost(0.0, 0.0)
        for node, loops in walk_loops(inside.function.body):
            accesses = access_cost(inside, self.shapes.storage, node) if isinstance(node, tree.Access) else 0.0
            cost = _Cost(operation_cost(inside, node), accesses)
            if isinstance(node, tree.Call) and node in inside.calls:
                cost += self.of(inside.calls[node])
            total += cost.times(float(costs.ROUNDS**loops))
        return total


def _reached(instance: Instance, instances: Mapping[Instance, FunctionShapes]) -> Iterator[FunctionShapes]:
    """Yield the shapes of an instance and of all that it calls."""
    found, todo = {instance}, [instance]
    while todo:
        inside = instances[todo.pop()]
        yield inside
        new = set(inside.calls.values()) - found
        found |= new
        todo += new


def _lanes_part(inside: FunctionShapes) -> bool:
    """Whether lanes leave a loop of a function at different times, or only some of them enter one."""
    return bool(inside.divergent_loops) or any(
        isinstance(node, tree.If | tree.Conditional)
        and not inside.of(node.cond).uniform
        and not _is_guard(inside, node.cond)
        and _has_loop(node)
        for node in walk(inside.function.body)
    )


def _is_guard(inside: FunctionShapes, cond: tree.Expr) -> bool:
    """Whether a condition compares only what is affine along x, as `x < width && y < height`: few gangs disagree."""
    match cond:
        case tree.Logical():
            return _is_guard(inside, cond.left) and _is_guard(inside, cond.right)
        case tree.Unary(op="!"):
            return _is_guard(inside, cond.operand)
        case tree.Convert():
            return _is_guard(inside, cond.operand)
        case tree.Binary():
            return inside.of(cond.left).scalar and inside.of(cond.right).scalar
    return inside.of(cond).scalar


def _has_loop(node: tree.If | tree.Conditional) -> bool:
    """Whether an arm does much: it has a loop or a call."""
    return any(isinstance(below, tree.Loop | tree.Call) for below in walk(node))
