"""A value is read, its place is written, and then the value is used."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import DTypeLike

from .case import Array, Case, Launch, given, in_out

ROWS = 7


def _put(dtype: DTypeLike, launch: Launch) -> list[Any]:
    """Numbers to put something between, numbers to put there, and room for what is left in hand."""
    return [launch.ints(0, 100, dtype=dtype), launch.ints(0, 100, dtype=dtype), launch.out(dtype), launch.n]


def _less_stays(launch: Launch, args: list[Any]) -> dict[int, Array]:
    return {0: np.minimum(args[0], args[1]), 2: np.maximum(args[0], args[1])}


def _column_each(launch: Launch) -> list[Any]:
    return [launch.ints(-20, 80, ROWS * launch.n), launch.out(count=ROWS * launch.n), launch.n, ROWS]


def _sorted_columns(launch: Launch, args: list[Any]) -> dict[int, Array]:
    wanted = args[1].reshape(ROWS, -1).copy()
    for i, column in enumerate(args[0].reshape(ROWS, -1).T):
        kept = np.sort(column[column >= 0])
        wanted[: len(kept), i] = kept
    return {1: wanted.ravel()}


def _float_columns(launch: Launch) -> list[Any]:
    numbers, room, *sizes = _column_each(launch)
    return [numbers.astype(np.float32), room.astype(np.float32), *sizes]


def _whole_columns(launch: Launch, args: list[Any]) -> dict[int, Array]:
    return {1: np.sort(args[0].reshape(ROWS, -1), axis=0).ravel()}


def _places(launch: Launch) -> list[Any]:
    places = launch.rng.permutation(launch.n * 3)[: launch.n].astype(np.int32)
    return [launch.ints(count=launch.n * 3), places, launch.ints(), launch.out(), launch.n]


def _less_stays_there(launch: Launch, args: list[Any]) -> dict[int, Array]:
    h, places, numbers = args[0].copy(), args[1], args[2]
    h[places] = np.minimum(args[0][places], numbers)
    return {0: h, 3: np.maximum(args[0][places], numbers)}


CASES = [
    *(
        Case("memory/kept.cu", f"put_{name}", given(dtype, lambda s, dtype: _put(dtype, s)), expect=_less_stays)
        for name, dtype in (
            ("floats", np.float32),
            ("doubles", np.float64),
            ("ints", np.int32),
            ("longs", np.int64),
            ("shorts", np.int16),
            ("bytes", np.uint8),
        )
    ),
    Case("memory/kept.cu", "insertion", _column_each, expect=_sorted_columns),
    Case("memory/kept.cu", "bubbles", _float_columns, expect=_whole_columns),
    Case("memory/kept.cu", "by_index", _places, expect=_less_stays_there),
    Case("memory/kept.cu", "in_shared", in_out),
    Case("memory/kept.cu", "in_local", in_out),
    Case("memory/kept.cu", "separate_steps", lambda s: [s.ints(count=2 * s.n), s.ints(), s.out(), s.n]),
    *(Case("memory/kept.cu", kernel, lambda s: _put(np.int32, s)) for kernel in ("aliases", "nested", "last_seen")),
]
