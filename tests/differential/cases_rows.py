"""Loops in which the rows of a block read the same."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import DTypeLike

from .case import Array, Case, Launch

DEPTH = 7
PAIR = np.dtype([("re", "f4"), ("im", "f4")])
HIGH_BLOCKS = ((16, 16), (8, 32), (8, 8), (5, 7), (3, 5), (6, 33), (7, 1), (4, 20), (48, 16))
BLOCKS = ((16, 16), (32, 8), (8, 8), (7, 5), (5, 3), (33, 6), (1, 7), (48,), (4, 4, 4))
FEW_BLOCKS = ((16, 16), (7, 5), (33, 4))
OF_TILES = ((16, 16), (15, 3), (17, 5), (31, 2), (1, 1), (32, 8))


def _matrices(dtype: DTypeLike, most: int = 99) -> Callable[[Launch], list[Any]]:
    """Return what makes a row of numbers for each row of threads, a column for each column, and room for results."""

    def make(launch: Launch) -> list[Any]:
        a, b = (launch.ints(0, most, count * DEPTH, dtype) for count in (launch.ny, launch.nx))
        return [a, b, launch.out(dtype, launch.nx * launch.ny), launch.nx, launch.ny, DEPTH]

    return make


def _turned(dtype: DTypeLike, most: int = 99) -> Callable[[Launch], list[Any]]:
    """Return the same for kernels whose rows follow one another along x."""

    def make(launch: Launch) -> list[Any]:
        a, b = (launch.ints(0, most, count * DEPTH, dtype) for count in (launch.nx, launch.ny))
        return [a, b, launch.out(dtype, launch.nx * launch.ny), launch.nx, launch.ny, DEPTH]

    return make


def _pairs(launch: Launch) -> list[Any]:
    a, b = (launch.ints(-9, 9, 2 * count * DEPTH, np.float32).view(PAIR) for count in (launch.ny, launch.nx))
    return [a, b, launch.out(np.float32, 2 * launch.nx * launch.ny).view(PAIR), launch.nx, launch.ny, DEPTH]


def _in_one_array(launch: Launch) -> list[Any]:
    columns = launch.ints(0, 99, launch.nx * (launch.ny + DEPTH))
    return [launch.ints(0, 99, launch.ny * DEPTH), columns, launch.nx, launch.ny, DEPTH]


def _in_one_array_turned(launch: Launch) -> list[Any]:
    rows = launch.ints(0, 99, launch.ny * (launch.nx + DEPTH))
    return [launch.ints(0, 99, launch.nx * DEPTH), rows, launch.nx, launch.ny, DEPTH]


def _bytes(launch: Launch) -> list[Any]:
    a, b = launch.any_ints(np.uint8, launch.ny * DEPTH), launch.any_ints(np.int8, launch.nx * DEPTH)
    return [a, b, launch.out(np.int16, launch.nx * launch.ny), launch.nx, launch.ny, DEPTH]


def _layers(launch: Launch) -> list[Any]:
    width, height, depth = (n * m for n, m in zip(launch.grid, (*launch.block, 1, 1)[:3], strict=False))
    rows = height * depth
    return [launch.ints(0, 99, rows * DEPTH), launch.ints(0, 99, width * DEPTH), launch.out(count=rows * width), DEPTH]


def _layers_turned(launch: Launch) -> list[Any]:
    height, width, depth = (n * m for n, m in zip(launch.grid, launch.block, strict=True))
    rows = height * depth
    return [launch.ints(0, 99, rows * DEPTH), launch.ints(0, 99, width * DEPTH), launch.out(count=rows * width), DEPTH]


def _product(launch: Launch, args: list[Any]) -> dict[int, Array]:
    a, b, _, nx, ny, depth = args
    return {2: (a.reshape(ny, depth) @ b.reshape(depth, nx)).ravel()}


def _product_turned(launch: Launch, args: list[Any]) -> dict[int, Array]:
    a, b, _, nx, ny, depth = args
    return {2: (a.reshape(nx, depth) @ b.reshape(depth, ny)).ravel()}


CASES = [
    Case("loops/rows.cu", "product", _matrices(np.float32), BLOCKS, expect=_product),
    Case("loops/rows.cu", "returns_early", _matrices(np.float32, 5), FEW_BLOCKS),
    Case("loops/rows.cu", "nested_guards", _matrices(np.float32, 9), BLOCKS),
    Case("loops/rows.cu", "adds_in_memory", _in_one_array, FEW_BLOCKS),
    Case("loops/rows.cu", "effects", _matrices(np.int32), FEW_BLOCKS),
    Case("loops/rows.cu", "trip_counts", _matrices(np.int32), FEW_BLOCKS),
    Case("loops/rows.cu", "jumps", _matrices(np.int32), FEW_BLOCKS),
    Case("loops/rows.cu", "of_pairs", _pairs, FEW_BLOCKS),
    Case("loops/rows.cu", "pointers", _matrices(np.float64, 9), FEW_BLOCKS),
    Case("loops/rows.cu", "bytes", _bytes, FEW_BLOCKS),
    Case("barriers/row_tiles.cu", "tiled", _matrices(np.float32), OF_TILES),
    Case("barriers/row_tiles.cu", "by_pointers", _matrices(np.int32), OF_TILES),
    Case("barriers/row_tiles.cu", "ends_early", _matrices(np.int32), OF_TILES),
    Case("loops/rows.cu", "layers", _layers, [(16, 16, 1), (4, 4, 4), (5, 9, 2)], grid=(2, 2, 2)),
    Case("loops/columns.cu", "product", _turned(np.float32), HIGH_BLOCKS, expect=_product_turned),
    Case("loops/columns.cu", "returns_early", _turned(np.float64, 5), HIGH_BLOCKS),
    Case("loops/columns.cu", "nested_guards", _turned(np.int32, 9), HIGH_BLOCKS),
    Case("loops/columns.cu", "pointers", _turned(np.int32), HIGH_BLOCKS),
    Case("loops/columns.cu", "adds_in_memory", _in_one_array_turned, HIGH_BLOCKS),
    Case("loops/columns.cu", "layers", _layers_turned, [(16, 16, 1), (4, 4, 4), (9, 5, 2)], grid=(2, 2, 2)),
]
