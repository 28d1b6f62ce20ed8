"""Divided kernels that get code of their own for blocks of the size that their shared arrays are made for.

**Known as:** specialisation by work-group size (OpenCL: reqd_work_group_size).

    __shared__ float sums[256];                         blockDim.x == 256: eight iterations, each of a known
    ...                                                 number of gangs; the array is in 16 registers
    for (s = blockDim.x / 2; s > 0; s /= 2) ...

That is worth it for reductions, in which registers hold the array in the last iterations (`register_arrays`): there the
counts of iterations and gangs, the tests of masks and the trips through memory are most of the work.

    __shared__ float tile[16][17];                      blockDim.x == 16 && blockDim.y == 16: a row is a gang, all lanes
    tile[threadIdx.y][threadIdx.x] = ...                are on, and what depends on threadIdx.x alone is done once

So it is for tiles: the regions between barriers are short, and the loops around them would be as long as they are.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ..analysis.shapes import Instance, Shapes
from ..lang.ctype import Array, Scalar
from ..tree.effects import named_variables, root
from ..tree.nodes import AddressOf, Decay, Function, Index, Module, Place, Variable, VarRef
from ..tree.threads import thread_axes
from ..tree.walk import count_nodes, walk
from .barrier_fission import Plan, Repeat, regions
from .register_arrays import THREADS, Prefixes

SIZES = tuple(1 << i for i in range(6, 11))  # of smaller blocks, few gangs reach the loop
MAX_NODES = 300  # of the kernel, which is copied
MAX_BYTES = 8192  # of an array on the stack
MAX_TILE_NODES = 800  # of a kernel with tiles


@dataclass(frozen=True)
class UsualBlock:
    """A block of `height` rows of `width` threads. `arrays`: the shared ones that only such a block's code reaches.

    `iterations`: how many the loop has before the first gang is alone in it, and `alone`, how many after that. Both
    assume that each iteration halves the number of threads. Nothing relies on it.
    """

    width: int
    height: int
    arrays: tuple[Variable, ...]

    @property
    def threads(self) -> int:
        return self.width * self.height

    @property
    def iterations(self) -> int:
        return self.threads.bit_length() - 1 - self.alone

    @property
    def alone(self) -> int:
        return THREADS.bit_length()


def choose(
    module: Module,
    shapes: Shapes,
    divisions: Mapping[Instance, Plan | str],
    prefixes: Prefixes,
    held: Mapping[Repeat, tuple[Variable, ...]],
) -> dict[Instance, UsualBlock]:
    """Return the versions of kernels that get such code, from what other passes found.

    Of the loops that `held` has arrays for, those are reductions in which each region is for the first threads. In
    others the first gang is alone in small blocks only.
    """
    reductions = {loop: arrays for loop, arrays in held.items() if all(map(prefixes.get, regions((loop,))))}
    found = {}
    for version, plan in divisions.items():
        if not isinstance(plan, str) and (size := _find(module, shapes, version, plan, reductions)) is not None:
            found[version] = size
    return found


def _find(
    module: Module, shapes: Shapes, version: Instance, plan: Plan, held: Mapping[Repeat, tuple[Variable, ...]]
) -> UsualBlock | None:
    function = shapes.instances[version].function
    nodes = count_nodes(function.body)
    kept = [array for item in plan.items if isinstance(item, Repeat) for array in held.get(item, ())]
    counts = [array.type.count for array in kept if isinstance(array.type, Array) and not array.dynamic]
    if counts:
        size = (counts[0], 1) if counts[0] in SIZES and nodes <= MAX_NODES else None
    else:
        size = _of_tiles(function, version.lanes) if nodes <= MAX_TILE_NODES else None
    if size is None or size[0] * size[1] > function.most_threads:
        return None
    elsewhere = {
        variable
        for other in module.functions.values()
        if other is not function
        for variable in named_variables(other.body)
    }
    arrays = _used_by_elements(function) - elsewhere
    own = [
        array
        for array in plan.ordered(arrays)
        if not array.dynamic and not array.volatile and array.type.size <= MAX_BYTES
    ]
    return UsualBlock(*size, tuple(own))


def _of_tiles(function: Function, lanes: int) -> tuple[int, int] | None:
    """Return the width and height of a block that has a thread for each element of a tile.

    Tiles are shared arrays of two dimensions, in a kernel that asks for both indices of its threads. They may be wider
    than the block, by a border or padding. The row length is rounded down to whole gangs; the remainder is the border.
    The number of rows has the same border, unless it is a multiple of the gang's lanes. Shorter rows are no tiles.
    """
    if thread_axes(function.body) != {0, 1}:
        return None
    sizes = set()
    for variable in named_variables(function.body):
        rows = variable.type
        if variable.storage == "shared" and isinstance(rows, Array) and isinstance(rows.element, Array):
            width = rows.element.count // lanes * lanes
            beyond = rows.element.count - width
            height = rows.count if rows.count % lanes == 0 else rows.count - beyond
            if isinstance(rows.element.element, Scalar) and width and height > 1:
                sizes.add((width, height))
    return min(sizes, default=None)


def _used_by_elements(function: Function) -> set[Variable]:
    """The shared arrays of which only elements are used: `tile[y][x]`, and neither `f(tile[y])` nor `&tile[y][x]`."""
    nodes = list(walk(function.body))
    exposed = {root(node.place) for node in nodes if isinstance(node, AddressOf)}
    named = {ref for node in nodes if isinstance(node, Index) and (ref := _array_of(node)) is not None}
    exposed |= {node.variable for node in nodes if isinstance(node, VarRef) and node not in named}
    return {ref.variable for ref in named if ref.variable.storage == "shared"} - exposed


def _array_of(place: Place) -> VarRef | None:
    """Return the name of the array of which a place is an element, a number."""
    if not isinstance(place.type, Scalar):
        return None
    while isinstance(place, Index) and isinstance(place.pointer, Decay):
        place = place.pointer.place
    return place if isinstance(place, VarRef) else None
