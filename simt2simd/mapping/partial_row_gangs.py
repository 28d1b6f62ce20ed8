"""Blocks whose rows gangs do not divide: 8 x 8 threads, or 20 x 20.

**Known as:** masked remainder, tail folding.

Gangs may span such rows; then the lanes of one have threads of two rows or three, and in memory only those of one row
are neighbours. Or each row has gangs of its own, the last of which has lanes off: that is better as long as half of the
lanes have a thread. Where gangs lie along y, the same holds for columns.

Where rows are whole gangs, `threadIdx.y * blockDim.x` is a multiple of their lanes, so that we know a thread's number
divided by 32. A kernel that may ask for that keeps gangs that span rows.
"""

from __future__ import annotations

from collections.abc import Iterable

from ..lang.ctype import is_integer
from ..tree.calls import reached_functions
from ..tree.nodes import Binary, CompoundAssign, Module, Node
from ..tree.same import is_row_start
from ..tree.threads import thread_axes
from ..tree.walk import walk


def possible(module: Module, warps: frozenset[str]) -> frozenset[str]:
    """Return the kernels whose gangs may lie in rows of any width; none of `warps`, whose gangs are warps."""
    reached = reached_functions(module)
    found = set()
    for kernel in module.kernels:
        bodies = [module.functions[name].body for name in {kernel.name} | reached[kernel.name]]
        nodes = [node for body in bodies for node in walk(body)]
        splits = any(map(_starts_a_row, nodes)) and any(map(_splits, nodes))
        if kernel.name not in warps and not splits and any(thread_axes(body) - {0} for body in bodies):
            found.add(kernel.name)
    return frozenset(found)


def with_callees(module: Module, kernels: Iterable[str]) -> frozenset[str]:
    """Return kernels and the functions that they may call."""
    reached = reached_functions(module)
    return frozenset(kernels).union(*(reached[name] for name in kernels))


def _starts_a_row(node: Node) -> bool:
    return isinstance(node, Binary) and is_row_start(node)


def _splits(node: Node) -> bool:
    """Whether a node asks for the high or the low bits of an integer."""
    return isinstance(node, Binary | CompoundAssign) and node.op in ("/", "%", ">>", "&") and is_integer(node.type)
