"""Consolidated launches mean what the launches do that they stand for; what cannot be consolidated is refused."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from front import messages, module

from simt2simd.diag import CompileError
from simt2simd.interp.run import Interpreter
from simt2simd.python.kernel import RawModule
from simt2simd.transform.consolidate import consolidate

TEXT = (Path(__file__).parent / "differential" / "consolidation" / "levels.cu").read_text()
LEVELS = ("warp", "block", "grid")
CONCURRENCY = ("1", "16", "32", "items")
Array = np.ndarray[Any, np.dtype[Any]]
Arguments = list[Any]


def text(level: str, kc: str) -> str:
    return f"#define LEVEL {level}\n#define KC {kc}\n{TEXT}"


@functools.cache
def as_written() -> Interpreter:
    return Interpreter(module(text("block", "1")))


@functools.cache
def interpreted(level: str, kc: str) -> Interpreter:
    return Interpreter(consolidate(module(text(level, kc))))


@functools.cache
def compiled(level: str, kc: str, *options: str) -> RawModule:
    return RawModule(code=text(level, kc), options=("-fmad=false", *options))


# --------------------------------------------------------------------------------------------------- arguments


def row_of(n: int, rng: np.random.Generator, most: int = 40) -> Array:
    degrees = rng.integers(0, most, max(n, 1)) * (rng.integers(0, 3, max(n, 1)) > 0)
    return np.concatenate([[0], np.cumsum(degrees)]).astype(np.int32)


def rows(n: int, rng: np.random.Generator) -> Arguments:
    row = row_of(n, rng)
    return [row, np.zeros(row[-1] + 1, np.int32), n, 5]


def changes(n: int, rng: np.random.Generator) -> Arguments:
    return [rng.integers(0, 50, n + 1).astype(np.int32), rng.integers(0, 10, n + 1).astype(np.int32), n, 16]


def reductions(n: int, rng: np.random.Generator) -> Arguments:
    row = row_of(n, rng, 90)
    return [rng.integers(0, 99, row[-1] + 1).astype(np.int32), row, np.full(n + 1, -1, np.int32), n]


def mirrors(n: int, rng: np.random.Generator) -> Arguments:
    return [np.zeros((n + 1) * 12 * 8, np.int32), n, 3]


def fills(n: int, rng: np.random.Generator) -> Arguments:
    row = row_of(n, rng, 100)
    return [row, np.zeros(row[-1] + 1, np.int32), n]


def visit(n: int, rng: np.random.Generator) -> Arguments:
    """A tree of n nodes and more, node 0 of which has the threads of the first block as children."""
    first, end = [1], 1 + n
    for node in range(1, n + 1):
        first.append(end)
        end += int(rng.integers(0, 3)) if node < n // 2 else 0
    first += [end] * (end - n + 1)
    nodes = end + 2
    return [np.array(first, np.int32), 0, 0, np.zeros(64, np.int32), np.full(nodes, -1, np.int32)]


def top(n: int, rng: np.random.Generator) -> Arguments:
    return [np.zeros(n + 1, np.int32), n]


KERNELS = {"rows": rows, "changes": changes, "reductions": reductions, "mirrors": mirrors, "fills": fills, "top": top}
SIZES = (0, 1, 15, 33, 150)
BLOCKS = (1, 16, 33, 96)


def shapes() -> list[tuple[int, int]]:
    return [(n, block) for i, n in enumerate(SIZES) for block in (BLOCKS[i % 4], BLOCKS[(i + 2) % 4])]


def launch_of(kernel: str, n: int, block: int) -> tuple[int, int, Arguments]:
    rng = np.random.default_rng([n, block, len(kernel)])
    if kernel == "visit":
        return 1, max(n, 1), visit(max(n, 1), rng)
    return max(1, -(-n // block)), block, KERNELS[kernel](n, rng)


@functools.cache
def expected(kernel: str, n: int, block: int) -> tuple[Any, ...]:
    grid, threads, args = launch_of(kernel, n, block)
    as_written().launch(kernel, grid, threads, args)
    return tuple(args)


def assert_same(kernel: str, n: int, block: int, args: Arguments) -> None:
    for i, (ours, theirs) in enumerate(zip(args, expected(kernel, n, block), strict=True)):
        assert np.array_equal(ours, theirs), f"argument {i} of {kernel}, {n} items, blocks of {block}"


@pytest.mark.parametrize("kernel", [*KERNELS, "visit"])
@pytest.mark.parametrize("level", LEVELS)
def test_compiled_code_means_what_is_written(kernel: str, level: str) -> None:
    for i, (n, block) in enumerate(shapes()):
        grid, threads, args = launch_of(kernel, n, block)
        code = compiled(level, CONCURRENCY[1] if i % 2 else CONCURRENCY[2])
        code.get_function(kernel)((grid,), (threads,), tuple(args))
        assert_same(kernel, n, block, args)


@pytest.mark.parametrize("level", LEVELS)
def test_the_interpreter_agrees(level: str) -> None:
    for kernel in (*KERNELS, "visit"):
        for n, block in ((0, 16), (15, 16), (33, 20)):
            grid, threads, args = launch_of(kernel, n, block)
            interpreted(level, "16").launch(kernel, grid, threads, args)
            assert_same(kernel, n, block, args)
