"""Runs many kernels in several ways and compares what they leave in memory."""

from __future__ import annotations

import os
import sys
import time
import traceback
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from simt2simd.diag import CompileError
from simt2simd.frontend.parse.parse import parse
from simt2simd.frontend.sema.module import check
from simt2simd.frontend.text.preprocess import preprocess
from simt2simd.interp.run import Interpreter
from simt2simd.options import Options
from simt2simd.python.kernel import RawModule
from simt2simd.runtime import ALL_GANGS, LaunchError, configure
from simt2simd.source import Source

from .kernels import Kernel, kernel
from .memory import Memory
from .oracle import EndlessError, Library

INTERPRETER = "interpreter"
DEFAULT = "default"
# Fields of `Options`, and hthreads that run a block together.
VARIANTS: Mapping[str, Mapping[str, Any]] = {
    DEFAULT: {},
    "16-lanes": {"lanes": 16},
    "32-lanes": {"lanes": 32},
    "64-lanes": {"lanes": 64},
    "O0": {"optimise": 0},
    "fibers": {"disabled": frozenset({"barrier-fission"})},
    "uninlined": {"disabled": frozenset({"inline-barriers"})},
    "verify": {"verify": True, "optimise": 0},
    "team": {"hthreads_per_block": ALL_GANGS},
    "pairs": {"hthreads_per_block": 2},
    INTERPRETER: {},
}
BATCH = 16
SECONDS = 60  # for a kernel in one way
MOST_INTERPRETED = 48  # threads
STEPS = 3_000_000


def outcome(kernel: Kernel, variant: str) -> Memory:
    """Run a kernel in one way."""
    memory = Memory.of(kernel)
    arguments = (*memory.arrays, 4)
    text = "#define PAUSE\n" + kernel.text
    if variant == INTERPRETER:
        module = check(parse(preprocess(Source("kernel.cu", text), Options())))
        Interpreter(module).launch("kernel", kernel.blocks, kernel.threads, arguments, max_steps=STEPS)
        return memory
    settings = dict(VARIANTS[variant])
    together = settings.pop("hthreads_per_block", 0)
    module_ = RawModule(code=text)
    module_._options = replace(module_._options, **settings)
    configure(4 if together else 0, together)
    module_.get_function("kernel")((kernel.blocks,), (kernel.threads,), arguments)
    return memory


def verdict(kernel: Kernel, variant: str, expected: Memory) -> str:
    """Return what is wrong with a kernel that is run in one way, in a process of its own; "" if nothing."""
    reads, writes = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reads)
        try:
            text = outcome(kernel, variant).difference(expected)
        except (LaunchError, CompileError) as error:
            text = f"{type(error).__name__}: {error}"
        except BaseException:
            text = traceback.format_exc()
        os.write(writes, text.encode()[:60_000])
        os._exit(0)
    os.close(writes)
    return _answer(child, reads)


def _answer(child: int, reads: int) -> str:
    end = time.monotonic() + SECONDS
    while not (ended := os.waitpid(child, os.WNOHANG))[0]:
        if time.monotonic() > end:
            os.kill(child, 9)
            os.waitpid(child, 0)
            os.close(reads)
            return f"not finished after {SECONDS} seconds"
        time.sleep(0.002)
    with os.fdopen(reads, "rb") as pipe:
        text = pipe.read().decode()
    return text if ended[1] == 0 else f"{text} (ended by signal {ended[1]})"


def ways(number: int, variants: Sequence[str], kernel: Kernel) -> list[str]:
    """Return the default and one other variant in turn, as far as they are wanted."""
    others = [name for name in variants if name != DEFAULT]
    found = [DEFAULT] if DEFAULT in variants else []
    if others:
        found.append(others[number % len(others)])
    return [one for one in found if one != INTERPRETER or kernel.threads <= MOST_INTERPRETED]


def run(seed: int, first: int, count: int, variants: Sequence[str] = tuple(VARIANTS)) -> Iterator[str]:
    """Run kernels `first` to `first + count - 1` of a seed; yield what is wrong."""
    for begin in range(first, first + count, BATCH):
        numbers = range(begin, min(begin + BATCH, first + count))
        kernels = [kernel(f"{seed}/{number}") for number in numbers]
        library = Library(kernels)
        for at, (number, one) in enumerate(zip(numbers, kernels, strict=True)):
            try:
                expected = library.run(at, one)
            except EndlessError:
                yield f"{number}: the oracle does not end"
                continue
            for variant in ways(number, variants, one):
                if wrong := verdict(one, variant, expected):
                    yield f"{number}, {one.blocks} x {one.threads} threads, {variant}: {wrong}"
        sys.stdout.flush()
