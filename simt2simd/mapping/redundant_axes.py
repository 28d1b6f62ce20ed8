"""Idle axes: those of a block along which all threads do the same, so that one of them does it for all.

**Known as:** elimination of redundant threads.

A kernel written for blocks of one row may be launched with blocks of 32 x 8 threads; its eight rows then write the same
values to the same places. Where a kernel never asks for `threadIdx.y` nor `threadIdx.z`, only the first row runs.

That is one of the ways in which the threads may go: those that differ along an idle axis in nothing, all in step. Then
they read the same and write the same at the same time, whatever they write. So it is also one of the results that
`sum[x] += a` may have, over which eight rows race: that of a warp of 4 x 8 threads on a GPU, to which a row adds once.
What counts how many come by is not for such kernels: atomic functions, warps, barriers, output, allocations, launches,
clocks, and volatile accesses, by which threads may wait for one another.
"""

from __future__ import annotations

from collections.abc import Iterable

from ..analysis.storage import SHARED, Storage
from ..tree import nodes as tree
from ..tree.calls import reached_functions
from ..tree.effects import is_volatile, may_wait
from ..tree.nodes import Module, Node
from ..tree.walk import walk

AXES = 3
# They write where their arguments say and do nothing else: what threads in step write is the same.
_WRITE_ONLY = frozenset({"prefetch", "fast_sincos", "sincos", "sincospi", "frexp", "modf", "remquo"})


def running_axes(module: Module, storage: Storage, whole: frozenset[str]) -> dict[str, int]:
    """Return, for each kernel of which whole rows or layers are idle, how many axes of its blocks run: 1 or 2.

    `whole`: kernels whose threads work together in warps, or wait for each other.
    """
    reached = reached_functions(module)
    found: dict[str, int] = {}
    for kernel in module.kernels:
        if kernel.name in storage.synchronising or kernel.name in whole:
            continue
        names = {kernel.name} | reached[kernel.name]
        nodes = [node for name in names for node in walk(module.functions[name].body)]
        axes = _axes_asked_for(nodes)
        if axes < AXES and not any(map(_shows_count, nodes)):
            found[kernel.name] = axes
    return found


def _axes_asked_for(nodes: Iterable[Node]) -> int:
    """Return how many axes there are up to the last one along which threads are distinguished; 1 at least."""
    threads = (node for node in nodes if isinstance(node, tree.ThreadIndex) and node.name == "threadIdx")
    return max((node.axis + 1 for node in threads), default=1)


def _shows_count(node: Node) -> bool:
    """Whether `node` may show how many threads evaluate it."""
    match node:
        case tree.VarRef():
            return node.variable.storage == SHARED or is_volatile(node)
        case tree.BuiltinCall():
            return not node.builtin.pure and node.builtin.op not in _WRITE_ONLY
        case tree.Deref() | tree.Index() | tree.Member():
            return is_volatile(node)
    return may_wait(node)
