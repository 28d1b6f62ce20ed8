"""Work of the first threads of a row, between barriers."""

from __future__ import annotations

from math import prod
from typing import Any

from .case import ONE_D, THREE_D, TWO_D, Case, Launch, given, in_out

FILE = "barriers/prefix.cu"
BOUNDS = (-5, 0, 1, 15, 16, 31, 40, 1000)


def _in_rows(launch: Launch, bound: int) -> list[Any]:
    return [launch.ints(), launch.out(count=prod(launch.block)), launch.n, bound]


CASES = [
    Case(FILE, "trees", lambda s: [s.ints(), s.out(count=s.blocks), s.n], blocks=(*ONE_D, (100,), (1024,))),
    *[Case(FILE, "bounds", given(b, lambda s, b: [*in_out(s), b])) for b in BOUNDS],
    *[Case(FILE, "survivors", given(b, lambda s, b: [*in_out(s), b])) for b in BOUNDS[1::2]],
    *[Case(FILE, "rows", given(b, _in_rows), blocks=(*TWO_D, *THREE_D, (32, 3, 2))) for b in BOUNDS],
]
