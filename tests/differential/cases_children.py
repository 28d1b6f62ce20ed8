"""Kernels that launch kernels."""

from __future__ import annotations

from typing import Any

from .case import Array, Case, Launch, in_out

FILE, WAITS = "children/launches.cu", "children/waits.cu"
FEW = ((1,), (15,), (17,), (33,), (48,))


def _sums(launch: Launch) -> list[Any]:
    return [launch.ints(), launch.ints(), launch.n]


def _zeros(launch: Launch, count: int) -> Array:
    return launch.ints(high=1, count=count)


def _outputs(launch: Launch, factor: int = 1, more: int = 0) -> list[Any]:
    return [_zeros(launch, factor * launch.n + more), launch.n]


CASES = [
    Case(FILE, "arguments", _sums, blocks=FEW),
    Case(FILE, "divergent", _sums, blocks=FEW),
    Case(FILE, "in_order", lambda s: [launch_room(s), s.blocks], blocks=FEW),
    Case(FILE, "forest", _outputs, blocks=FEW),
    Case(FILE, "complete", _outputs, blocks=((16,), (33,))),
    Case(FILE, "templates", lambda s: [_zeros(s, 3 * s.n + 9), 3 * (s.n // 3 + 1)], blocks=FEW),
    Case(FILE, "staged", lambda s: [s.ints(), _zeros(s, s.n), s.n], blocks=((1,), (33,), (64,), (100,))),
    Case(FILE, "failing", lambda s: _outputs(s, 2), blocks=FEW),
    Case(FILE, "copies", lambda s: [s.ints(count=s.n + 100), s.n], blocks=((16,), (33,))),
    Case(FILE, "device", lambda s: [s.out(count=4)], blocks=((1,), (20,))),
    Case(FILE, "events", lambda s: [s.ints(count=2 * s.blocks)], blocks=FEW),
    Case(FILE, "turns", lambda s: _outputs(s, 1, 1), blocks=FEW),
    Case(WAITS, "own", in_out, blocks=FEW),
    Case(WAITS, "whole", in_out, blocks=(*FEW, (64,), (256,))),
    Case(WAITS, "root", lambda s: [_zeros(s, 1 << 6), 5], blocks=((1,), (2,), (17,), (40,))),
    Case(WAITS, "fibonacci", _outputs, blocks=((5,), (16,))),
]


def launch_room(launch: Launch) -> Array:
    return launch.ints(count=3 * launch.blocks)
