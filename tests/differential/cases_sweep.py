"""Grid-stride loops."""

from __future__ import annotations

from typing import Any

import numpy as np

from .case import ONE_D, THREE_D, TWO_D, Array, Case, Launch, given, in_out

FILE = "barriers/sweep.cu"
BLOCKS = (*ONE_D, (64,), (65,), (79,), (100,))
STARTS = ((5, 200, 64), (5, 200, 2**32 - 1), (2**32 - 16, 200, 2**31), (2**31 - 20, 2**31 + 90, 2**30), (0, 0, 1))


def _many(launch: Launch, rounds: int, more: int) -> list[Any]:
    """Elements for so many iterations of the grid, and some more."""
    n = max(1, rounds * launch.threads + more)
    return [launch.ints(count=n), launch.out(count=n), n]


def _summed(launch: Launch, args: list[Any]) -> dict[int, Array]:
    width = launch.block[0]
    results = []
    for block in range(launch.blocks):
        mine = args[0][7 * block :]
        results += [int(mine.sum()) * 100 + len(mine), max([-1, *mine.tolist()])]
    assert width > 0
    return {1: np.array(results, np.int32)}


def _sums(launch: Launch, rounds: int) -> list[Any]:
    given, _, n = _many(launch, rounds, 3)
    return [given, launch.out(count=2 * launch.blocks), n]


def _calls(launch: Launch) -> list[Any]:
    given, _, n = _many(launch, 10, -3)
    calls = np.zeros(6 * launch.threads, np.int32)
    return [given, calls, launch.out(count=launch.threads), n]


def _prepared(launch: Launch) -> list[Any]:
    given, out, n = _many(launch, 3, 5)
    return [given, launch.holds_addresses(np.zeros(2, np.uint64)), out, n]


def _rows(launch: Launch, width: int) -> list[Any]:
    return [launch.ints(count=5 * width), launch.out(count=5 * width), width, 5]


CASES = [
    *[
        Case(FILE, "counters", given((r, m), lambda s, v: _many(s, *v)), blocks=BLOCKS)
        for r, m in ((0, 5), (1, -1), (1, 0), (2, 1), (3, 15), (3, 16))
    ],
    *[Case(FILE, "sums", given(r, _sums), blocks=BLOCKS, expect=_summed) for r in (0, 1, 3)],
    *[Case(FILE, "nested", given(t, lambda s, t: [*_many(s, 2, 5), t]), blocks=BLOCKS) for t in (1, 4)],
    *[
        Case(
            FILE,
            "wraps",
            given(a, lambda s, a: [s.ints(count=64), s.out(count=64), *map(np.uint32, a)]),
            blocks=((16,), (64,)),
            grid=(1,),
        )
        for a in STARTS
    ],
    *[Case(FILE, "parted", given(m, lambda s, m: [*_many(s, 2, 5), m]), blocks=BLOCKS) for m in (0, 20, 1000)],
    *[Case(FILE, "rows", given(w, _rows), blocks=(*TWO_D, *THREE_D, (32, 3), (64,), (70,))) for w in (1, 16, 37, 64)],
    Case(FILE, "counters", in_out, blocks=((1024,),)),
    Case(FILE, "effects", _calls, blocks=(*BLOCKS, (128,))),
    Case(FILE, "prepared", _prepared, blocks=BLOCKS),
]
