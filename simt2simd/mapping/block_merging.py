"""Strips: neighbouring blocks of a grid that run together, row by row.

**Known as:** block merging, thread coarsening across blocks.

    for each block: for each row: for each gang          for each row: for each block of the strip: for each gang

Threads of kernels without barriers and shared memory may run in any order. Where each does little, a strip does once
for all its blocks what their rows have in common, such as a guard `y < height`, and it sweeps memory in long lines;
where they loop, it is better to use what a block has in the caches.

A strip is *fused* if nothing in the kernel depends on where one of its blocks ends along the axis on which gangs lie:
it uses `threadIdx` and `blockIdx` of that axis only as `blockIdx.x * blockDim.x + threadIdx.x`. Then a gang may span
blocks, whatever their width. Of `gridDim.x * blockDim.x`, a row's width, all blocks have the same.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..analysis.storage import SHARED, Storage
from ..target import Axis
from ..tree import nodes as tree
from ..tree.calls import functions_reaching, reached_functions, recursive_functions
from ..tree.effects import is_barrier, is_of_warp, may_wait
from ..tree.launches import uses_family
from ..tree.nodes import Module
from ..tree.same import is_global_index, is_grid_width, is_row_start
from ..tree.walk import walk


@dataclass(frozen=True)
class Strips:
    """How neighbouring blocks run together. `long`: as many as there are; else few, so many that they fill gangs."""

    long: bool
    fused: bool


def along_axes(module: Module, storage: Storage, warps: frozenset[str]) -> dict[Axis, dict[str, Strips]]:
    """Return the plans for gangs that lie along x, and for those along y; none for kernels whose gangs are `warps`."""
    axes: tuple[Axis, ...] = ("x", "y")
    found = {axis: plans(module, storage, axis) for axis in axes}
    return {axis: {name: plan for name, plan in found[axis].items() if name not in warps} for axis in axes}


def plans(module: Module, storage: Storage, along: Axis) -> dict[str, Strips]:
    """Return how neighbouring blocks should run together, for each kernel that gains by it with gangs `along` an axis.

    A kernel without an entry runs its blocks one by one.
    """
    reached, recursive = reached_functions(module), recursive_functions(module)
    found: dict[str, Strips] = {}
    for kernel in module.kernels:
        names = {kernel.name} | reached[kernel.name]
        if kernel.body.statements and kernel.name not in storage.synchronising and not names & recursive:
            strips = _plan([node for name in names for node in walk(module.functions[name].body)], along)
            if strips is not None:
                found[kernel.name] = strips
    return found


def independent(module: Module) -> frozenset[str]:
    """Return the kernels whose blocks do not wait for one another."""
    waiting = functions_reaching(module, may_wait)
    return frozenset(kernel.name for kernel in module.kernels) - waiting


def _plan(nodes: list[tree.Node], along: Axis) -> Strips | None:
    """Return the entry of one kernel, by the nodes of the kernel and of all that it calls."""
    if any(may_wait(node) or uses_family(node) for node in nodes):
        return None
    if any(isinstance(node, tree.VarRef) and node.variable.storage == SHARED for node in nodes):
        return None
    long = not any(isinstance(node, tree.Loop) for node in nodes)
    fused = _is_fused(nodes, along)
    several_rows = len({node.axis for node in nodes if isinstance(node, tree.ThreadIndex)}) > 1
    return Strips(long, fused) if fused or (long and several_rows) else None


def divisible(module: Module, whole: frozenset[str]) -> dict[str, frozenset[Axis]]:
    """Return the axes along which blocks of kernels may be divided: no thread depends on where one ends.

    The threads use an axis, and only in `blockIdx.x * blockDim.x + threadIdx.x` and `gridDim.x * blockDim.x`. They
    neither wait nor share memory, and kernels of `whole` stay whole.
    """
    reached = reached_functions(module)
    found: dict[str, frozenset[Axis]] = {}
    axes: tuple[Axis, ...] = ("x", "y")
    for kernel in module.launched:
        nodes = [node for name in {kernel.name} | reached[kernel.name] for node in walk(module.functions[name].body)]
        if kernel.name in whole or any(map(_ties, nodes)):
            continue
        found[kernel.name] = frozenset(axis for axis in axes if _is_unused(nodes, "xyz".index(axis)))
    return {name: along for name, along in found.items() if along}


def _ties(node: tree.Node) -> bool:
    """Whether what a node does is about the threads of a block."""
    shared = isinstance(node, tree.VarRef) and node.variable.storage == SHARED
    return shared or is_barrier(node) or may_wait(node) or is_of_warp(node) or uses_family(node)


def _is_unused(nodes: list[tree.Node], axis: int) -> bool:
    indices = {node for node in nodes if isinstance(node, tree.ThreadIndex) and node.axis == axis}
    sums = [node for node in nodes if isinstance(node, tree.Binary) and is_global_index(node, axis)]
    widths = [node for node in nodes if isinstance(node, tree.Binary) and is_grid_width(node, axis)]
    return bool(sums) and indices == indices.intersection(below for node in (*sums, *widths) for below in walk(node))


def _is_fused(nodes: list[tree.Node], along: Axis) -> bool:
    axis = "xyz".index(along)
    indices = (node for node in nodes if isinstance(node, tree.ThreadIndex) and node.axis == axis)
    used = {node for node in indices if node.name in ("threadIdx", "blockIdx")}
    for node in nodes:
        if isinstance(node, tree.Binary) and is_global_index(node, axis):
            used.difference_update(walk(node))
        if along == "x" and isinstance(node, tree.Binary) and is_row_start(node):
            return False
    return not used
