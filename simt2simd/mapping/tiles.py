"""Gangs that are tiles of a block: 4 by 4 threads, 8 by 4, or 8 by 8.

**Known as:** two-dimensional vectorisation, swizzled thread indices.

    gangs along x:  ----------------    a tile:  ----
                                                 ----
                                                 ----
                                                 ----

Where lanes leave a loop at different times, or take different arms in it, a gang takes as long as all its lanes
together. Neighbours in an image mostly do alike, and the lanes of a tile are nearer to each other than those of a row.
What lanes read and write side by side along x comes in several runs then, which a kernel must be able to afford.
"""

from __future__ import annotations

from dataclasses import replace

from .. import costs
from ..analysis.boundary_guards import is_guard
from ..analysis.shapes import FunctionShapes, Instance, Shapes, reachable
from ..analysis.storage import SHARED, Storage
from ..target import LANES
from ..tree import nodes as tree
from ..tree.calls import reached_functions
from ..tree.companions import RunsInStep, with_role
from ..tree.nodes import Function, Module
from ..tree.threads import thread_axes
from ..tree.walk import walk
from .expected_costs import expected_cost


def possible(module: Module, storage: Storage) -> frozenset[str]:
    """Return the kernels whose gangs may be tiles: they use both axes of their blocks, loop, and have no barriers.

    Rows that run in step are rows."""
    reached = reached_functions(module)
    in_step = {each.of for each in with_role(module.companions, RunsInStep)}
    return frozenset(
        kernel.name
        for kernel in module.kernels
        if kernel.name not in storage.synchronising
        and kernel.helps is None
        and kernel.name not in in_step
        and thread_axes(kernel.body) >= {0, 1}
        and _loops_freely([module.functions[name] for name in {kernel.name} | reached[kernel.name]])
    )


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
    """Whether a kernel gains by gangs that are tiles: lanes diverge in its loops, and its accesses stay cheap."""
    along_x = replace(version, along="x", lanes=LANES)
    if along_x not in shapes.instances:
        return False
    if not any(_lanes_part(inside) for inside in reachable(shapes.instances, [along_x]).values()):
        return False
    before, after = (expected_cost(each, shapes.instances, shapes.storage) for each in (along_x, version))
    return after.accesses - before.accesses <= costs.TILE_SHARE * (before.operations + before.accesses)


def _lanes_part(inside: FunctionShapes) -> bool:
    """Whether lanes leave a loop of a function at different times, or only some of them enter one."""
    return bool(inside.divergent_loops) or any(
        isinstance(node, tree.If | tree.Conditional)
        and not inside.of(node.cond).uniform
        and not is_guard(inside, node.cond)
        and _has_loop(node)
        for node in walk(inside.function.body)
    )


def _has_loop(node: tree.If | tree.Conditional) -> bool:
    """Whether an arm does much: it has a loop or a call."""
    return any(isinstance(below, tree.Loop | tree.Call) for below in walk(node))
