"""Versions that hardly a launch runs: gangs that may span rows, of kernels that distinguish threads along x only.

**Known as:** cold code; LLVM: `optnone`.

A launch uses such a version if its blocks have several rows that are no whole gangs, or if a row of blocks has more
than 2^31 threads. A kernel that never asks for `threadIdx.y` nor `threadIdx.z` is launched with blocks of one row. Its
version for the other launches must be right, but need not be fast: there is no second copy of its code for full masks,
and LLVM leaves it nearly as it is, which takes a fraction of the time. What numbers the threads of any block, along all
axes, as cooperative groups do in the library's headers, says nothing of the blocks of a kernel that asks for
`threadIdx.x` itself.

What sorts the threads of a kernel, and runs them in order, is launched with the kernel's blocks, and goes with it.

Kernels with atomic functions have no such version: what these become is shared by all versions, and LLVM would no
longer see which of its arguments are constants.

The functions that such a version calls are compiled like all others: in a recursion, code that LLVM leaves as it is
would need much more of the stack.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence

from ..analysis.shapes import Instance
from ..tree.calls import reached_functions
from ..tree.companions import RunsInOrder, StoresCoordinates
from ..tree.nodes import Block, BuiltinCall, Module, Node, ThreadIndex
from ..tree.walk import walk


def find(
    module: Module, versions: Mapping[str, tuple[Instance, ...]], waiting: frozenset[str], divided: frozenset[Instance]
) -> frozenset[Instance]:
    """Return the versions of kernels that are rarely launched.

    `versions`: of each kernel, those that launches use. `waiting`: kernels in which gangs wait for others, but for
    the `divided` versions, in which they do not.
    """
    reached = reached_functions(module)
    written = {
        each.kernel: each.of for each in module.companions if isinstance(each.role, StoresCoordinates | RunsInOrder)
    }

    def is_rare(version: Instance) -> bool:
        if version.along or not any(other.along == "x" for other in versions[version.name]):
            return False
        if version.name in waiting and version not in divided:
            return False
        kernel = written.get(version.name, version.name)
        bodies = [module.functions[name].body for name in {kernel} | reached[kernel]]
        return _along_x(bodies) and not any(_is_atomic(node) for body in bodies for node in walk(body))

    return frozenset(filter(is_rare, itertools.chain.from_iterable(versions.values())))


def _along_x(bodies: Sequence[Block]) -> bool:
    """Whether functions tell threads apart along x only, or all that they ask for themselves is along x."""
    indices = [node for body in bodies for node in walk(body) if isinstance(node, ThreadIndex)]
    asked = {(index.axis, index.span.source.library) for index in indices if index.name == "threadIdx"}
    return all(axis == 0 for axis, _ in asked) or {axis for axis, library in asked if not library} == {0}


def _is_atomic(node: Node) -> bool:
    return isinstance(node, BuiltinCall) and node.builtin.atomic
