"""Loops in which each thread goes along a row of its own."""

from __future__ import annotations

from typing import Any

import numpy as np

from .case import Array, Case, Launch, given

FILE = "loops/row_streams.cu"


def _offsets(launch: Launch) -> Array:
    """Where rows begin and end, of which some are empty, most short and some long."""
    lengths = launch.ints(0, 6) * launch.ints(0, 6) + (launch.ints(0, 9) == 0) * launch.ints(20, 70)
    return np.concatenate([[0], np.cumsum(lengths)]).astype(np.int32)


def _rows(launch: Launch) -> list[Any]:
    offsets = _offsets(launch)
    return [offsets, launch.ints(count=offsets[-1] + 1), launch.out(), launch.n]


def _long_results(launch: Launch) -> list[Any]:
    offsets, values, *_ = _rows(launch)
    return [offsets, values, launch.out(np.int64), launch.n]


def _sparse(launch: Launch) -> list[Any]:
    offsets = _offsets(launch)
    count = offsets[-1] + 1
    matrix = [offsets, launch.ints(0, 50, count), launch.ints(-9, 9, count, np.float64)]
    return [*matrix, launch.ints(-9, 9, 50, np.float64), launch.out(np.float64), launch.n]


def _counts(launch: Launch) -> list[Any]:
    return [*_rows(launch)[:3], np.zeros(8, np.int32), launch.n]


def _product(launch: Launch, length: int) -> list[Any]:
    return [launch.ints(count=launch.n * length), launch.ints(count=length), launch.out(), length, launch.n]


def _square(launch: Launch, length: int) -> list[Any]:
    return [launch.ints(count=launch.n * length), launch.out(count=launch.n * length), length, launch.n]


CASES = [
    *(Case(FILE, "product", given(length, _product)) for length in (0, 1, 7, 16, 40)),
    Case(FILE, "sparse", _sparse),
    *(Case(FILE, kernel, _rows) for kernel in ("greatest", "jumps", "called")),
    Case(FILE, "again", _long_results),
    Case(FILE, "counts", _counts),
    *(Case(FILE, kernel, given(20, _square)) for kernel in ("chain", "waits", "watched")),
]
