"""The only door to the package that is tested: the interpreter, and compiled code under all kinds of options."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from simt2simd.diag import CompileError, CompileWarning, InternalError
from simt2simd.frontend.parse.parse import parse
from simt2simd.frontend.sema.module import check
from simt2simd.frontend.text.preprocess import preprocess
from simt2simd.interp.run import Interpreter, InterpreterError
from simt2simd.options import Options
from simt2simd.python.kernel import RawModule
from simt2simd.runtime import ALL_GANGS, LaunchError, configure
from simt2simd.source import Source
from simt2simd.target import AVX2
from simt2simd.tree.nodes import Module

from .data import Arguments
from .launch import Launch, Program

__all__ = [
    "DEFAULT",
    "VARIANTS",
    "CompileError",
    "Compiled",
    "InternalError",
    "InterpreterError",
    "LaunchError",
    "checked",
    "interpret",
    "warm_up",
]

DEFAULT = "default"

# How else kernels can be compiled or run: fields of `Options`, and hthreads that run a block together.
VARIANTS: Mapping[str, Mapping[str, Any]] = {
    DEFAULT: {},
    "16-lanes": {"lanes": 16},
    "32-lanes": {"lanes": 32},
    "64-lanes": {"lanes": 64},
    "O0": {"optimise": 0},
    "avx2": {"target": AVX2},
    "fibers": {"disabled": frozenset({"barrier-fission"})},
    "verify": {"verify": True, "optimise": 0},
    "verify-64-lanes": {"verify": True, "lanes": 64, "optimise": 0},
    "team": {"hthreads_per_block": ALL_GANGS},
}

MAX_STEPS = 200_000  # loop iterations and calls, in all threads of a launch


def checked(program: Program) -> Module:
    """Return the program as the checker understands it. Raises `CompileError`."""
    return check(parse(preprocess(Source("program.cu", program.text), Options(fmad=False))))


def interpret(program: Program, launch: Launch, arguments: Arguments) -> None:
    """Run the kernel one thread at a time. Raises `CompileError` or `InterpreterError`."""
    Interpreter(checked(program)).launch("kernel", launch.grid, launch.block, arguments.values, max_steps=MAX_STEPS)


class Compiled:
    """The program as machine code."""

    def __init__(self, program: Program, variant: str) -> None:
        settings = dict(VARIANTS[variant])
        self.hthreads_per_block = settings.pop("hthreads_per_block", 0)
        module = RawModule(code=program.text, options=("-fmad=false",))
        module._options = replace(module._options, **settings)
        self.kernel = module.get_function("kernel")

    def run(self, launch: Launch, arguments: Arguments) -> None:
        configure(4 if self.hthreads_per_block else 0, self.hthreads_per_block)
        self.kernel(launch.grid, launch.block, tuple(arguments.values))


def warm_up() -> None:
    """Load the compiler, without starting a thread: what is loaded is there for forks of this process."""
    warnings.simplefilter("ignore", CompileWarning)  # that a variable is never used
    kernel = "__global__ void kernel(int *out) { out[threadIdx.x] = out[threadIdx.x] / 3 + blockIdx.x; }"
    Compiled(Program(kernel, (), Launch((1,), (1,)), Launch((1,), (1,)), 0, False), DEFAULT)
