"""Warp functions: blocks of every shape, whose last warp may lack lanes."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import DTypeLike

from .case import Array, Case, Launch, given

BLOCKS = ((1,), (15,), (17,), (32,), (33,), (48,), (100,))
SHAPES = (*BLOCKS, (8, 8), (5, 3), (33, 2), (3, 11, 2), (16, 2, 2))


def _each(launch: Launch, results: int, dtype: DTypeLike = np.int32) -> list[Any]:
    """`(const int *in, T *out)`, with so many results for each thread."""
    return [launch.ints(count=launch.threads), launch.out(dtype, launch.threads * results)]


def _typed(launch: Launch, dtype: DTypeLike) -> list[Any]:
    made = launch.floats if np.issubdtype(np.dtype(dtype), np.floating) else launch.ints
    return [made(count=launch.threads, dtype=dtype), launch.out(dtype, launch.threads * 4)]


def _with(launch: Launch, number: int) -> list[Any]:
    return [*_each(launch, 2), number]


def _some(launch: Launch, missing: int) -> list[Any]:
    return [*_each(launch, 1), max(0, launch.threads - missing)]


def _per_block(launch: Launch, rounds: int) -> list[Any]:
    return [launch.ints(count=launch.threads), launch.out(count=launch.blocks), rounds]


def _block_sums(launch: Launch, args: list[Any]) -> dict[int, Array]:
    size, rounds = launch.threads // launch.blocks, args[2]
    sums = args[0].reshape(launch.blocks, size).sum(axis=1) * rounds + size * rounds * (rounds - 1) // 2
    return {1: sums.astype(np.int32)}


def _scanned(launch: Launch, args: list[Any]) -> dict[int, Array]:
    return {1: args[0].reshape(launch.blocks, -1).cumsum(axis=1).astype(np.int32).ravel()}


def _rounds(launch: Launch, rounds: int) -> list[Any]:
    return [launch.ints(count=launch.threads), launch.out(count=launch.threads), rounds]


def _parts(launch: Launch) -> list[Any]:
    return [*_each(launch, 1), launch.out(count=launch.threads)]


def _sums_so_far(launch: Launch, args: list[Any]) -> dict[int, Array]:
    return {1: args[0].cumsum().astype(np.int32)}


def _locked(launch: Launch) -> list[Any]:
    return [*_each(launch, 1), np.zeros(1, np.int32), np.zeros(1, np.int32)]


def _total(launch: Launch, args: list[Any]) -> dict[int, Array]:
    return {3: args[0].sum(keepdims=True).astype(np.int32)}


def _wide(launch: Launch) -> list[Any]:
    return [*_each(launch, 1), launch.threads]


def _scans(launch: Launch, args: list[Any]) -> dict[int, Array]:
    found = np.zeros(launch.threads, np.int64)
    values = args[0].astype(np.uint32).tolist()
    per_block = launch.threads // launch.blocks
    for size, factor in ((64, 1), (128, 7), (256, 11), (16, 13)):
        for i, x in enumerate(values):
            if i % per_block % size == 0:
                maps = sums = 0
            own = x | 1
            until = _after(maps, own) if i % per_block % size else own
            found[i] += (until * 3 + maps + (sums + x) + sums * 5) * factor & 0xFFFFFFFF
            maps, sums = until, sums + x
    return {1: found.astype(np.uint32).astype(np.int32)}


def _after(f: int, g: int) -> int:
    """The map y -> a * y + b of g behind that of f, modulo 2^16: a below, b above."""
    return (f & 65535) * (g & 65535) & 65535 | ((f >> 16) * (g & 65535) + (g >> 16) & 65535) << 16


CASES = [
    *[
        Case("warps/shuffles.cu", kernel, given(dtype, _typed), blocks=SHAPES)
        for kernel, dtype in (
            ("ints", np.int32), ("uints", np.uint32), ("longs", np.int64), ("floats", np.float32),
            ("doubles", np.float64), ("halves", np.float32),
        )
    ],
    *[Case("warps/shuffles.cu", "widths", given(by, _with), blocks=SHAPES) for by in (0, 1, 5, 31, 40)],
    Case("warps/shuffles.cu", "different", given(3, _each), blocks=SHAPES),
    *[Case("warps/shuffles.cu", "sums", given(most, _with), blocks=SHAPES) for most in (16, 4)],
    Case("warps/votes.cu", "votes", given(6, _each), blocks=SHAPES),
    Case("warps/votes.cu", "halves", given(5, _each), blocks=SHAPES),
    Case("warps/votes.cu", "matches", given(6, _each), blocks=SHAPES),
    Case("warps/votes.cu", "aggregated", lambda s: [s.ints(count=s.threads), np.zeros(7, np.int32)], blocks=SHAPES),
    Case("warps/votes.cu", "reductions", lambda s: _each(s, 9, np.uint32), blocks=SHAPES),
    *[
        Case("warps/parted.cu", kernel, given(1, _each), blocks=BLOCKS)
        for kernel in ("branches", "loops", "returns", "calls", "switches", "squeezed")
    ],
    Case("warps/parted.cu", "in_step", _locked, expect=_total, blocks=BLOCKS),
    *[Case("warps/blocks.cu", "sums", given(r, _per_block), expect=_block_sums, blocks=SHAPES) for r in (1, 3)],
    Case("warps/blocks.cu", "scan", given(1, _each), expect=_scanned, blocks=SHAPES),
    *[Case("warps/blocks.cu", "guarded", given(m, _some), blocks=BLOCKS) for m in (0, 1, 17, 40)],
    *[Case("warps/grid.cu", "rounds", given(r, _rounds), blocks=BLOCKS, grid=(5,)) for r in (0, 1, 3)],
    Case("warps/grid.cu", "scan", _parts, blocks=BLOCKS, grid=(7,), expect=_sums_so_far),
    Case("warps/wide_tiles.cu", "tiles", _wide, blocks=((1,), (33,), (64,), (100,), (256,), (48, 3))),
    Case("warps/wide_tiles.cu", "scans", _wide, expect=_scans, blocks=((1,), (33,), (100,))),
    Case("warps/wide_tiles.cu", "pairs", _wide, blocks=BLOCKS),
    Case("warps/one_lane.cu", "one_of_warp", given(2, _each), blocks=BLOCKS),
    Case("warps/blocks.cu", "some_leave", given(1, _each), blocks=BLOCKS),
]  # fmt: skip
