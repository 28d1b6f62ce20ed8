"""Kernels for blocks of one thread, of which neighbours run in the lanes of a gang.

**Known as:** vectorisation across blocks.

    __global__ void add(const float *a, const float *b, float *c) {         add<<<n, 1>>>(a, b, c);
        c[blockIdx.x] = a[blockIdx.x] + b[blockIdx.x];
    }

Each such block would be a gang with one lane on. A kernel that asks for `blockIdx` and never for `threadIdx` gets a
companion, `add_lone`, with `blockIdx.x * blockDim.x + threadIdx.x` in place of `blockIdx.x`, and likewise along y. That
is the same number in a block of one thread, and says what `block-merging` looks for: that gangs may span blocks.
Launches run the companion if their blocks have one thread.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TypeGuard

from ..lang.ctype import UINT
from ..tree import nodes as tree
from ..tree.build import Build
from ..tree.calls import reached_functions, recursive_functions
from ..tree.companions import Companion, SingleThread
from ..tree.effects import is_barrier, is_of_warp, may_wait
from ..tree.launches import uses_family
from ..tree.names import free_name
from ..tree.nodes import Function, Module, Variable
from ..tree.threads import Places, companion
from ..tree.walk import walk

AXES = (0, 1)  # along which gangs may lie


def single_thread_blocks(module: Module) -> Module:
    """Return a module in which such kernels have their companions, as `SingleThread`."""
    reached, recursive = reached_functions(module), recursive_functions(module)
    functions = dict(module.functions)
    found: list[Companion[SingleThread]] = []
    for kernel in module.launched:
        names = reached[kernel.name]
        if names & recursive or any(each.of == kernel.name for each in module.companions):
            continue
        below = [node for name in names for node in walk(module.functions[name].body)]
        if _gains(list(walk(kernel.body)), below):
            name = free_name(f"{kernel.name}_lone", functions)
            functions[name] = _with_blocks_as_threads(kernel, name)
            found.append(Companion(name, kernel.name, SingleThread()))
    return replace(module, functions=functions, companions=(*module.companions, *found)) if found else module


def _gains(own: Sequence[tree.Node], below: Sequence[tree.Node]) -> bool:
    """Whether a kernel may run so, by its own nodes and by those of the functions that it reaches, and gains by it."""
    by_block = any(map(_is_block_index, own)) and not any(map(_is_block_index, below))
    return by_block and not any(map(_depends_on_thread, (*own, *below)))


def _is_block_index(node: tree.Node) -> TypeGuard[tree.ThreadIndex]:
    return isinstance(node, tree.ThreadIndex) and node.name == "blockIdx" and node.axis in AXES


def _depends_on_thread(node: tree.Node) -> bool:
    """Whether a node depends on the thread within its block, or on whether all lanes are of one block."""
    if isinstance(node, tree.ThreadIndex):
        return node.name == "threadIdx"
    if isinstance(node, tree.VarRef) and node.variable.storage == "shared":
        return True
    return is_barrier(node) or is_of_warp(node) or uses_family(node) or may_wait(node)


def _with_blocks_as_threads(kernel: Function, name: str) -> Function:
    build = Build(kernel.span)
    first: list[tree.Stmt] = []
    places: Places = {}
    for axis in sorted({node.axis for node in walk(kernel.body) if _is_block_index(node)}):
        of_blocks = build.binary(build.thread_index(axis, "blockIdx"), "*", build.thread_index(axis, "blockDim"))
        place = Variable(f"block_{'xy'[axis]}", UINT, kernel.span, "local", const=True)
        first.append(build.declare(place, build.binary(of_blocks, "+", build.thread_index(axis))))
        places["blockIdx", axis] = place
    return companion(kernel, name, first, places)
