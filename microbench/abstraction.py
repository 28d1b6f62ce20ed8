"""`python -m microbench abstraction [NAME...]`: what the abstractions of C++ cost, as loops that are written twice.

Each pair of `abstraction.cu` runs in turns, in C++ and in plain C, on one core, with data in the first-level cache; the
least of many runs counts. Results that differ between the two are named, and make the exit code 1.
"""

from __future__ import annotations

import re
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from simt2simd import RawKernel, RawModule
from simt2simd.runtime import configure
from simt2simd.target import cpu_name

FILE = Path(__file__).with_suffix(".cu")
FORMS = ("plain", "abstract")
NUMBERS = 8208  # also whole structs of three
BLOCKS, THREADS = 200, 256
RUNS = 60

Numbers = np.ndarray[tuple[int], np.dtype[np.float32]]


@dataclass(frozen=True)
class Section:
    """Pairs that share some text, with the text: a whole program."""

    names: tuple[str, ...]
    text: str


@dataclass(frozen=True)
class Pair:
    """The least times of a pair, and whether both wrote the same, bit by bit."""

    name: str
    plain_ns: float
    abstract_ns: float
    same: bool

    @property
    def ratio(self) -> float:
        return self.abstract_ns / self.plain_ns


def sections() -> list[Section]:
    """Return the sections of `abstraction.cu`. Each begins with a comment: four dashes, its names, and a colon."""
    head, *rest = re.split(r"(?m)^/\* ---- (.*?): ", FILE.read_text(encoding="utf-8"))
    lines = head.count("\n")
    found = []
    for names, text in zip(rest[::2], rest[1::2], strict=True):
        found.append(Section(tuple(names.split(", ")), f"{head}#line {lines + 1}\n/* {text}"))
        lines += text.count("\n")
    return found


def numbers(count: int) -> Numbers:
    """Return numbers from 1 to 2, as floats or as the upper of two halves, of which the other is 0; the first are 1."""
    found = (1 + np.random.default_rng(1).integers(0, 128, count) / 128).astype(np.float32)
    found[:4] = 1
    return found


def written(kernel: RawKernel, data: Numbers, count: int, blocks: int, threads: int) -> Numbers:
    """Return what a kernel writes."""
    out: Numbers = np.zeros(max(blocks * threads, count), np.float32)
    kernel((blocks,), (threads,), (out, data, np.int32(count)), shared_mem=4 * threads)
    return out


def measured(names: Sequence[str] = ()) -> Iterator[Pair]:
    """Measure the pairs of these names, or all."""
    data = numbers(NUMBERS)
    for section in sections():
        wanted = [name for name in section.names if not names or name in names]
        module = RawModule(code=section.text) if wanted else None
        for name in wanted:
            assert module is not None
            yield _pair(name, [module.get_function(f"{name}_{form}") for form in FORMS], data)


def _pair(name: str, kernels: Sequence[RawKernel], data: Numbers) -> Pair:
    outs = [written(kernel, data, NUMBERS, BLOCKS, THREADS) for kernel in kernels]
    same = np.array_equal(outs[0].view(np.int32), outs[1].view(np.int32))
    least = [float("inf")] * len(kernels)
    for _ in range(RUNS):
        for i, (kernel, out) in enumerate(zip(kernels, outs, strict=True)):
            args = (out, data, np.int32(NUMBERS))
            start = time.perf_counter_ns()
            kernel((BLOCKS,), (THREADS,), args, shared_mem=4 * THREADS)
            least[i] = min(least[i], time.perf_counter_ns() - start)
    plain_ns, abstract_ns = least
    return Pair(name, plain_ns, abstract_ns, same)


def main(argv: Sequence[str]) -> int:
    """Print a table; return the exit code."""
    known = [name for section in sections() for name in section.names]
    for name in argv:
        if name not in known:
            print(f"no pair '{name}': choose from {', '.join(known)}")
            return 2
    print(f"{cpu_name()}\n{'pair':16}{'plain, us':>10}{'C++, us':>10}{'ratio':>8}")
    wrong = []
    configure(threads=1)
    try:
        for pair in measured(argv):
            print(
                f"{pair.name:16}{pair.plain_ns / 1e3:10.1f}{pair.abstract_ns / 1e3:10.1f}{pair.ratio:8.3f}", flush=True
            )
            wrong += [] if pair.same else [pair.name]
    finally:
        configure()
    for name in wrong:
        print(f"{name}: the two forms have different results")
    return 1 if wrong else 0
