"""Loops with barriers that the first gang of a block runs alone, with shared arrays in registers."""

from __future__ import annotations

from math import prod
from typing import Any

from .case import ONE_D, TWO_D, Case, Launch, given, in_out

FILE = "barriers/alone.cu"
FEW = ((5,), (8,), (15,), (16,))


def _all_out(launch: Launch, *more: Any) -> list[Any]:
    return [launch.ints(), launch.out(count=launch.threads), launch.n, *more]


def _extreme(launch: Launch) -> list[Any]:
    """Few values, so that many are equal."""
    count = launch.threads
    return [launch.ints(high=9).astype("f4"), launch.out("f4", count=count), launch.out(count=count), launch.n]


def _rows(launch: Launch) -> list[Any]:
    threads = prod(launch.block)
    return [launch.ints(count=threads), launch.out(count=launch.threads), threads]


CASES = [
    Case(FILE, "tree", _all_out, blocks=(*ONE_D, (2,), (100,), (512,))),
    Case(FILE, "last", _all_out, blocks=(*ONE_D, (2,), (100,))),
    Case(FILE, "largest", _extreme, blocks=ONE_D),
    Case(FILE, "smallest", _extreme, blocks=ONE_D),
    *[Case(FILE, "round", given(k, _all_out), blocks=(*ONE_D, *FEW)) for k in (0, 1, 21)],
    Case(FILE, "anywhere", lambda s: _all_out(s, 9), blocks=(*ONE_D, *FEW)),
    Case(FILE, "small", _all_out, blocks=((5,), (8,), (13,), (16,))),
    *[Case(FILE, "tides", given(k, _all_out), blocks=ONE_D) for k in (0, 1, 40)],
    *[Case(FILE, "survivors", given(k, lambda s, k: [*in_out(s), k]), blocks=ONE_D) for k in (0, 3, 16, 20)],
    Case(FILE, "rows", _rows, blocks=(*[(x, y) for x, y in TWO_D if y <= 8 and x <= 56], (16, 2), (32, 1), (33, 1))),
    Case(FILE, "names", _all_out, blocks=(*ONE_D, *FEW)),
]
