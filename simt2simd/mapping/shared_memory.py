"""Where the variables in a block's shared memory lie."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ..analysis.storage import SHARED
from ..tree import nodes as tree
from ..tree.nodes import Module, Variable
from ..tree.walk import walk

ALIGNMENT = 16  # bytes, at least


@dataclass(frozen=True)
class SharedMemory:
    """Each variable's offset, and how many bytes each kernel needs in all."""

    offsets: Mapping[Variable, int]
    bytes: Mapping[str, int]


def place(module: Module) -> SharedMemory:
    """Lay out static shared memory.

    The device functions' variables come first, at offsets that hold in every kernel, also where such a function was put
    in place of its call; a kernel's own follow.
    """
    offsets: dict[Variable, int] = {}

    def place_those_of(function: tree.Function, end: int) -> int:
        for node in walk(function.body):
            if isinstance(node, tree.Declare) and node.variable.storage == SHARED and node.variable not in offsets:
                align = max(ALIGNMENT, node.variable.type.align)
                offsets[node.variable] = -(-end // align) * align
                end = offsets[node.variable] + node.variable.type.size
        return end

    end = 0
    for function in module.functions.values():
        if function.kind != "kernel":
            end = place_those_of(function, end)
    return SharedMemory(offsets, {kernel.name: place_those_of(kernel, end) for kernel in module.kernels})
