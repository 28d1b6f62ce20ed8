"""Divided kernels that get code of their own for blocks of the size that their shared arrays are made for.

    __shared__ float sums[256];                         blockDim.x == 256: the loop has eight rounds, each of as many
    ...                                                 gangs as is known; the array is 16 registers, nobody's memory
    for (s = blockDim.x / 2; s > 0; s /= 2) ...

That is worth it for reductions, in which registers hold the array in the last rounds (`register_arrays`): there the
counts of rounds and gangs, the tests of masks and the trips through memory are most of the work.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ..analysis.shapes import Instance, Shapes
from ..lang.ctype import Array
from ..tree.effects import named_variables
from ..tree.nodes import Module, Variable
from ..tree.walk import walk
from .fission import Plan, Repeat
from .register_arrays import THREADS, named_by_elements

SIZES = tuple(1 << i for i in range(6, 11))  # of smaller blocks, few gangs come to the loop
MAX_NODES = 300  # of the kernel, which is copied
MAX_BYTES = 8192  # of an array on the stack


@dataclass(frozen=True)
class UsualSize:
    """A block of `threads` threads, all in one row. `arrays`: the shared ones that only such a block's code reaches.

    `rounds`: how often the loop runs before the first gang is alone in it, and `alone`, how often then, if half of the
    threads go on from round to round. Nothing relies on it.
    """

    threads: int
    arrays: tuple[Variable, ...]

    @property
    def rounds(self) -> int:
        return self.threads.bit_length() - 2 - self.alone + 1

    @property
    def alone(self) -> int:
        return THREADS.bit_length()


def choose(
    module: Module,
    shapes: Shapes,
    divisions: Mapping[Instance, Plan | str],
    held: Mapping[Repeat, tuple[Variable, ...]],
) -> dict[Instance, UsualSize]:
    """Return the versions of kernels that get such code."""
    found = {}
    for version, plan in divisions.items():
        if not isinstance(plan, str) and (size := _find(module, shapes, version, plan, held)) is not None:
            found[version] = size
    return found


def _find(
    module: Module, shapes: Shapes, version: Instance, plan: Plan, held: Mapping[Repeat, tuple[Variable, ...]]
) -> UsualSize | None:
    function = shapes.instances[version].function
    if sum(1 for _ in walk(function.body)) > MAX_NODES:
        return None
    kept = [array for item in plan.items if isinstance(item, Repeat) for array in held.get(item, ())]
    counts = [array.type.count for array in kept if isinstance(array.type, Array) and not array.dynamic]
    if not counts or counts[0] not in SIZES:
        return None
    elsewhere = {
        variable
        for other in module.functions.values()
        if other is not function
        for variable in named_variables(other.body)
    }
    arrays = named_by_elements(function) - elsewhere
    own = [
        array
        for array in plan.ordered(arrays)
        if array.storage == "shared" and not array.dynamic and not array.volatile and array.type.size <= MAX_BYTES
    ]
    return UsualSize(counts[0], tuple(own))
