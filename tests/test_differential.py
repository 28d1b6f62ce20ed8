"""Every kernel in differential/ means the same to the interpreter, to the compiled code and, where given, to NumPy.

The compiled code is built with `-fmad=false`: the interpreter fuses nothing.
"""

from __future__ import annotations

import functools
import zlib
from pathlib import Path
from typing import Any

import pytest
from differential import cases_apps, cases_control, cases_functions, cases_memory, cases_numbers
from differential.case import Case, Launch, assert_agree

from simt2simd.check import check
from simt2simd.interp import Interpreter, InterpreterError
from simt2simd.interp_memory import Memory
from simt2simd.kernel import RawModule
from simt2simd.parse import parse
from simt2simd.preprocess import preprocess
from simt2simd.runtime import LaunchError
from simt2simd.source import Source
from simt2simd.target import Options

KERNELS = Path(__file__).parent / "differential"
CASES = [
    case for table in (cases_control, cases_functions, cases_memory, cases_numbers, cases_apps) for case in table.CASES
]


@functools.cache
def interpreter(file: str) -> Interpreter:
    return Interpreter(check(parse(preprocess(Source.read(KERNELS / file), Options(fmad=False)))))


@functools.cache
def compiled(file: str) -> RawModule:
    return RawModule(code=(KERNELS / file).read_text(), options=("-fmad=false",))


def make(case: Case, block: tuple[int, ...]) -> tuple[Launch, list[Any]]:
    """Make the arguments; the same ones whenever this is called."""
    launch = Launch(block, case.grid, seed=zlib.crc32(f"{case.name} {block}".encode()))
    return launch, case.args(launch)


def interpret(case: Case, launch: Launch, args: list[Any]) -> None:
    memory = Memory()
    for array in launch.reachable:
        memory.register(array)
    interpreter(case.file).launch(case.kernel, launch.grid, launch.block, args, memory=memory)


def arrays(launch: Launch, args: list[Any]) -> dict[str, Any]:
    """Return what a launch may have written, by name."""
    found = {f"argument {i}": arg for i, arg in enumerate(args) if hasattr(arg, "dtype") and arg.ndim}
    found |= {f"reachable array {i}": array for i, array in enumerate(launch.reachable)}
    return {name: array for name, array in found.items() if not any(array is other for other in launch.addresses)}


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_interpreter_and_compiled_code_agree(case: Case) -> None:
    kernel = compiled(case.file).get_function(case.kernel)
    for block in case.blocks:
        launch, args = make(case, tuple(block))
        interpret(case, launch, args)
        other_launch, other_args = make(case, tuple(block))
        kernel(other_launch.grid, other_launch.block, tuple(other_args))
        ours, theirs = arrays(launch, args), arrays(other_launch, other_args)
        for index, name in enumerate(ours):
            argument = int(name.split()[-1]) if name.startswith("argument") else -1 - index
            ulps = case.ulps_of(argument)
            rows = ours[name], theirs[name]
            if not isinstance(ulps, float | int):
                rows = tuple(array.reshape(-1, len(ulps)) for array in rows)  # type: ignore[assignment]
            assert_agree(*rows, ulps, f"block {block}, {name}, interpreter and compiled code")


@pytest.mark.parametrize("case", [case for case in CASES if case.expect], ids=lambda case: case.name)
def test_interpreter_and_numpy_agree(case: Case) -> None:
    assert case.expect is not None
    for block in case.blocks:
        launch, args = make(case, tuple(block))
        expected = case.expect(launch, args)
        interpret(case, launch, args)
        for index, array in expected.items():
            assert_agree(args[index], array, 0.0, f"block {block}, argument {index}, interpreter and NumPy")
