"""Idle axes: those of a block along which all threads do the same, so that one of them does it for all.

A kernel written for blocks of one row may be launched with blocks of 32 x 8 threads; its eight rows then write the same
values to the same places. Where a kernel never asks for `threadIdx.y` nor `threadIdx.z`, and nobody can tell how often
a row ran, only the first row runs.

How often it ran can be told by atomics, output, clocks, and what else is more than its result. What threads write that
others read without a barrier cannot tell it: then `sum[x] += a` in eight rows at once may be any of eight results.
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


def running_axes(module: Module, storage: Storage, warps: frozenset[str]) -> dict[str, int]:
    """Return, for each kernel of which whole rows or layers are idle, how many axes of its blocks run: 1 or 2."""
    reached = reached_functions(module)
    found: dict[str, int] = {}
    for kernel in module.kernels:
        if kernel.name in storage.synchronising or kernel.name in warps:
            continue
        names = {kernel.name} | reached[kernel.name]
        nodes = [node for name in names for node in walk(module.functions[name].body)]
        axes = _axes_asked_for(nodes)
        if axes < AXES and not any(map(_can_tell, nodes)):
            found[kernel.name] = axes
    return found


def _axes_asked_for(nodes: Iterable[Node]) -> int:
    """Return how many axes there are up to the last one along which threads are told apart; 1 at least."""
    threads = (node for node in nodes if isinstance(node, tree.ThreadIndex) and node.name == "threadIdx")
    return max((node.axis + 1 for node in threads), default=1)


def _can_tell(node: Node) -> bool:
    """Whether `node` may show how many threads evaluate it."""
    match node:
        case tree.VarRef():
            return node.variable.storage == SHARED or is_volatile(node)
        case tree.BuiltinCall():
            return not node.builtin.pure and node.builtin.op != "prefetch"
        case tree.Deref() | tree.Index() | tree.Member():
            return is_volatile(node)
    return may_wait(node)
