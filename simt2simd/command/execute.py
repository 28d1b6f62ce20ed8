"""Running a program that was compiled: its exit code, and what Ctrl-C does."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

from .colours import print_output


def run_program(program: Path, args: Sequence[str]) -> int:
    """Run a program to its end. Signals are its to handle; the terminal's Ctrl-C reaches it without our help."""
    sys.stdout.flush()  # what we have printed comes before what the program prints
    interrupts: list[int] = []
    with _handled(signal.SIGINT, lambda number, _: interrupts.append(number)):
        process = subprocess.Popen([str(program), *args])
        with _handled(signal.SIGTERM, lambda *_: process.terminate()):
            code = process.wait()
    if code < 0:
        print_output(f"simt2simd run: the program was ended by {_signal_name(-code)}: {signal.strsignal(-code)}")
        return 128 - code
    return 128 + signal.SIGINT if interrupts and code == 0 else code


def _signal_name(number: int) -> str:
    """Return "SIGSEGV" for 11; of the real-time signals, only the first and the last have names."""
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


@contextmanager
def _handled(number: int, handler: Callable[[int, FrameType | None], object]) -> Iterator[None]:
    """Handle a signal, unless it is ignored. An exception in its place would break into a wait and lose its result."""
    previous = signal.getsignal(number)
    if previous == signal.SIG_IGN:
        yield
        return
    signal.signal(number, handler)
    try:
        yield
    finally:
        signal.signal(number, previous)
