"""Kernels whose launches of children are consolidated."""

from __future__ import annotations

from typing import Any

from .case import Case, Launch


def adds(launch: Launch) -> list[Any]:
    return [launch.ints(), launch.out(count=16), launch.n]


CASES = [Case("consolidation/few.cu", "adds", adds)]
