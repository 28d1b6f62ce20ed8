"""Atomic functions in the programs that need them."""

from __future__ import annotations

from typing import Any

import numpy as np

from .case import Array, Case, Launch, in_out

FILE = "atomics/programs.cu"
CELL = np.dtype([("count", "i4"), ("weight", "f4"), ("flags", "u4", (2,))], align=True)


def zeros(count: int, dtype: Any = np.int32) -> Array:
    return np.zeros(count, dtype)


def bounds(launch: Launch) -> list[Any]:
    numbers = launch.ints(-1000, 1000)
    lowest, highest = np.array([2000], np.int32), zeros(1, np.uint32)
    return [numbers, lowest, highest, np.full(3, 1 << 40, np.int64), zeros(5, np.uint64), launch.n]


def expected_bounds(launch: Launch, args: list[Any]) -> dict[int, Array]:
    return {1: np.array([args[0].min()], np.int32), 2: np.array([args[0].view(np.uint32).max()], np.uint32)}


def locks(launch: Launch) -> list[Any]:
    return [launch.ints(), zeros(4), zeros(4), launch.out(), launch.n]


def objects(launch: Launch) -> list[Any]:
    kinds = (np.uint8, np.int16, np.int32, np.int64, np.float32, np.float64)
    return [launch.ints(-100, 100), *(np.full(20, 90, kind) for kind in kinds), launch.n]


def pairs(launch: Launch) -> list[Any]:
    return [launch.ints(), aligned(4), aligned(2), zeros(1, np.uint32), launch.n]


def aligned(count: int) -> Array:
    """Return 64-bit zeros, of which every second one lies at a multiple of 16 bytes."""
    room = zeros(count + 1, np.uint64)
    return room[room.ctypes.data % 16 // 8 :][:count]


def owned(launch: Launch) -> list[Any]:
    return [launch.ints(), launch.out(), zeros(2, np.int16), zeros(1, np.uint64), launch.n]


CASES = [
    Case(
        FILE,
        "histogram",
        lambda launch: [launch.ints(), zeros(32, np.uint32), launch.n],
        expect=lambda launch, args: {1: np.bincount(args[0] & 31, minlength=32).astype(np.uint32)},
    ),
    Case(FILE, "compact", lambda launch: [launch.ints(), zeros(launch.n), zeros(launch.n), zeros(1), launch.n]),
    Case(
        FILE,
        "last_block",
        lambda launch: [launch.ints(), zeros(launch.blocks), zeros(1, np.uint32), zeros(1), launch.n],
        expect=lambda launch, args: {3: np.array([args[0].sum()], np.int32)},
    ),
    Case(
        FILE,
        "by_compare_and_swap",
        lambda launch: [launch.floats(), zeros(1, np.float32), np.ones(2, np.uint64), launch.n],
        expect=lambda launch, args: {1: np.array([args[0].max()], np.float32)},
    ),
    Case(FILE, "cells", lambda launch: [np.zeros(8, CELL), launch.ints(), launch.n]),
    Case(FILE, "bounds", bounds, expect=expected_bounds),
    Case(
        FILE,
        "locked",
        lambda launch: [zeros(1), zeros(1), launch.ints(), launch.n],
        expect=lambda launch, args: {1: np.array([args[2].sum()], np.int32)},
    ),
    Case(FILE, "divergent", lambda launch: [launch.ints(), zeros(11), zeros(10), launch.n]),
    Case(FILE, "own_variable", in_out),
    *(Case("atomics/locks.cu", kernel, locks) for kernel in ("plain", "exchanged", "called", "nested")),
    Case("atomics/objects.cu", "integers", objects),
    Case("atomics/objects.cu", "pairs", pairs),
    Case("atomics/objects.cu", "owned", owned, variables=("counter",)),
]
