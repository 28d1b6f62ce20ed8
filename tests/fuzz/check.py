"""One program, run in several ways: by the interpreter, by the oracle, and as compiled code.

Each program runs in a process of its own, a fork of one in which the compiler is loaded: compiled code that crashes
or does not end takes nothing with it.
"""

from __future__ import annotations

import gc
import multiprocessing
import os
import signal
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from multiprocessing.connection import Connection
from pathlib import Path

import numpy as np

from . import ours
from .data import MARGIN, Arguments, NumPyArray, arguments
from .launch import Launch, Program
from .oracle import Library, OracleError

TIMEOUT = 60.0  # seconds of CPU that one way to run a program may take; without any CPU, it waits for ever
LEAST_CPU = 0.1  # seconds in so many seconds, of a program that runs beside many others

ORACLE, INTERPRETER = "C++", "interpreter"


@dataclass(frozen=True)
class Verdict:
    """What came of a program: "agree", "undefined", "long", or "differ", and then where and how."""

    kind: str
    way: str = ""
    launch: Launch | None = None
    detail: str = ""


AGREE = Verdict("agree")

Say = Callable[[str, Launch], None]  # what is about to run


def isolated(program: Program, variants: Sequence[str], library: Library | None, at: int = 0) -> Verdict:
    """Return the verdict on a program, number `at` of the library, from a process of its own."""
    receiver, sender = multiprocessing.Pipe(duplex=False)
    child = os.fork()
    if child == 0:
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        status = 1
        try:
            receiver.close()
            verdict = check(program, variants, library, at, lambda way, launch: sender.send((way, launch)))
            sender.send(verdict)
            status = 0
        finally:
            os._exit(status)
    sender.close()
    try:
        return _await(receiver, child)
    finally:
        receiver.close()
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)


def _await(receiver: Connection, child: int) -> Verdict:
    way, launch = "", None
    start = before = _cpu_seconds(child)
    while True:
        if not receiver.poll(TIMEOUT):
            used = _cpu_seconds(child)
            if used - start > TIMEOUT or used - before < LEAST_CPU:
                return Verdict("differ", way, launch, f"not finished after {TIMEOUT:.0f} seconds")
            before = used
            continue
        try:
            message = receiver.recv()
        except EOFError:
            return Verdict("differ", way, launch, "the process crashed")
        if isinstance(message, Verdict):
            return message
        way, launch = message
        start = before = _cpu_seconds(child)


def _cpu_seconds(process: int) -> float:
    """Return how long a process of this machine has run on its CPUs, all threads together."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def prepare() -> None:
    """Load everything that the forks share."""
    os.environ["SIMT2SIMD_CACHE_SIZE"] = "0"
    ours.warm_up()
    gc.collect()
    gc.freeze()


def check(program: Program, variants: Sequence[str], library: Library | None, at: int, say: Say) -> Verdict:
    """Run the program everywhere and compare. The oracle has the last word; without it, the interpreter.

    The interpreter runs the small launch alone if there is an oracle.
    """
    expected: dict[Launch, Arguments] = {}
    if library is not None:
        for launch in program.launches:
            say(ORACLE, launch)
            expected[launch] = arguments(program, launch)
            try:
                if not library.run(at, program, launch, expected[launch]):
                    return Verdict("undefined")
            except OracleError as failure:
                return Verdict("differ", ORACLE, launch, str(failure))
    for launch in program.launches[: 1 if library is not None else 2]:
        say(INTERPRETER, launch)
        result = arguments(program, launch)
        try:
            ours.interpret(program, launch, result)
        except ours.InterpreterError as failure:
            if "not finished after" in str(failure):
                return Verdict("long")
            return Verdict("differ", INTERPRETER, launch, str(failure))
        except ours.CompileError as failure:
            return Verdict("differ", INTERPRETER, launch, str(failure))
        if (difference := _difference(result, expected.setdefault(launch, result))) is not None:
            return Verdict("differ", INTERPRETER, launch, difference)
    for variant in variants:
        verdict = _check_compiled(program, variant, expected, say)
        if verdict != AGREE:
            return verdict
    return AGREE


def _check_compiled(program: Program, variant: str, expected: dict[Launch, Arguments], say: Say) -> Verdict:
    say(variant, program.small)
    try:
        compiled = ours.Compiled(program, variant)
    except (ours.CompileError, ours.InternalError) as failure:
        return Verdict("differ", variant, program.small, str(failure))
    for launch in program.launches:
        say(variant, launch)
        result = arguments(program, launch)
        try:
            compiled.run(launch, result)
        except ours.LaunchError as failure:
            return Verdict("differ", variant, launch, str(failure))
        if (difference := _difference(result, expected[launch])) is not None:
            return Verdict("differ", variant, launch, difference)
    return AGREE


def _difference(result: Arguments, expected: Arguments) -> str | None:
    for name, array in result.arrays.items():
        right = expected.arrays[name]
        equal = _equal(array, right)
        if not equal.all():
            wrong = np.flatnonzero(~equal)
            first = ", ".join(f"[{at - MARGIN}] {array[at]} instead of {right[at]}" for at in wrong[:4])
            return f"{name}: {len(wrong)} of {len(array) - 2 * MARGIN} elements differ: {first}"
    return None


def _equal(array: NumPyArray, right: NumPyArray) -> NumPyArray:
    """Which elements are the same; all NaNs are, and padding does not count."""
    if array.dtype.names:
        same = [_equal(array[name], right[name]) for name in array.dtype.names]
        return np.asarray(np.all([field.reshape(len(array), -1).all(axis=1) for field in same], axis=0))
    equal = array == right
    return np.asarray(equal | (np.isnan(array) & np.isnan(right)) if array.dtype.kind == "f" else equal)
