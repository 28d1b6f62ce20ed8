"""By which level launches are consolidated where the program leaves that open.

On a GPU by grid, which is best for all of Wu's applications (section 3.7). On a CPU a launch by a thread costs little,
and children that are blocks fill vectors as they are: nothing is gained by collecting them. What gains is that children
of one thread share gangs, three times as fast for tasks of some 50 steps; and that a kernel which launches itself into
the default stream runs level by level, not branch by branch, forty times as fast for a search (tests/consolidation,
2-core Intel Xeon VM with AVX-512, 23 November 2026). Into `cudaStreamFireAndForget` it runs level by level by
itself: collecting takes such a kernel of little work eight times as long.

Launches into `cudaStreamFireAndForget` may run at the same time, whatever the program says: on a CPU they are
consolidated without a pragma where that gains.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial

from ....lang.consolidation import Consolidation, Level
from ....tree import nodes as tree
from ....tree.calls import closure
from ....tree.launches import is_launch, parts_of, stream_number
from ....tree.nodes import Function, Module
from ....tree.walk import map_children, walk
from .sites import FIRE_AND_FORGET, wanted
from .values import CommonValues, is_one


def with_levels(module: Module, *, for_gpus: bool, unasked: bool) -> tuple[Module, frozenset[str]]:
    """Return a module in which every pragma names a level, and the kernels in which we have chosen one.

    Where nothing is gained, a launch has no pragma any more. `unasked`: launches without one may get one.
    """
    chosen: set[str] = set()
    functions = dict(module.functions)
    recursive = _launching_themselves(module)
    for kernel in module.kernels:
        open_ones = [node for node in _statements(kernel) if _is_open(node, unasked=unasked and not for_gpus)]
        if open_ones:
            values = CommonValues(kernel)
            levels: dict[tree.BuiltinCall, Level | None] = {
                node: "grid" if for_gpus else _level(node, values, recursive) for node in open_ones
            }
            functions[kernel.name] = _changed(kernel, partial(_with, levels))
            if any(level is not None for level in levels.values()):
                chosen.add(kernel.name)
    return replace(module, functions=functions), frozenset(chosen)


def without(kernel: Function) -> Function:
    """Return a kernel without what `with_levels` has put into it."""

    def change(node: tree.BuiltinCall) -> tree.BuiltinCall:
        how = wanted(node)
        return replace(node, builtin=replace(node.builtin, consolidation=None)) if how and how.chosen else node

    return _changed(kernel, change)


def _statements(kernel: Function) -> list[tree.BuiltinCall]:
    nodes = (node.expr for node in walk(kernel.body) if isinstance(node, tree.Evaluate))
    return [node for node in nodes if is_launch(node)]


def _is_open(node: tree.BuiltinCall, *, unasked: bool) -> bool:
    how = wanted(node)
    if how is not None:
        return how.level == "auto"
    return unasked and stream_number(parts_of(node).stream) == FIRE_AND_FORGET


def _level(node: tree.BuiltinCall, values: CommonValues, recursive: frozenset[str]) -> Level | None:
    launch = parts_of(node)
    if launch.kernel in recursive:
        return None if stream_number(launch.stream) == FIRE_AND_FORGET else "grid"
    grid, block = values.axes(launch.grid), values.axes(launch.block)
    if grid is not None and block is not None and all(map(is_one, (*grid, *block))):
        return "block"
    return None


def _with(levels: Mapping[tree.BuiltinCall, Level | None], node: tree.BuiltinCall) -> tree.BuiltinCall:
    if node not in levels:
        return node
    level = levels[node]
    how = wanted(node) or Consolidation("auto")
    new = None if level is None else replace(how, level=level, chosen=True)
    return replace(node, builtin=replace(node.builtin, consolidation=new))


def _changed(kernel: Function, change: Callable[[tree.BuiltinCall], tree.BuiltinCall]) -> Function:
    def changed(node: tree.Node) -> tree.Node:
        new = change(node) if is_launch(node) else node
        return map_children(new, changed)

    return replace(kernel, body=map_children(kernel.body, changed))


def _launching_themselves(module: Module) -> frozenset[str]:
    """Return the kernels that launch themselves, or kernels by way of which they do."""
    found: dict[str, set[str]] = {name: set() for name in module.functions}
    for name, function in module.functions.items():
        for node in walk(function.body):
            if is_launch(node):
                found[name].add(node.builtin.kernel)
            elif isinstance(node, tree.Call) and node.function in module.functions:
                found[name].add(node.function)
    kernels = {kernel.name for kernel in module.kernels}
    return frozenset(name for name, reached in closure(found).items() if name in reached and name in kernels)
