"""Runs programs of strangers: for a time, within a part of the memory, with their output kept short."""

from __future__ import annotations

import os
import resource
import select
import signal
import subprocess
import tempfile
import time
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO

KEPT_BYTES = 2**20  # of the beginning of what a program prints, and as much of its end
FILE_BYTES = 2**31  # that a program may write into one file
MEMORY_SHARE = 0.6  # of the machine's memory; more than that may end programs of others
LOOK_SECONDS = 0.2  # between two looks at the memory

_running: set[int] = set()  # the process groups of what runs, which an interrupt from the keyboard does not reach


@dataclass(frozen=True)
class Done:
    """How a program ended. `code` is negative after a signal; `ended` says why we ended it, if we did."""

    code: int
    text: str
    seconds: float
    ended: str = ""

    @property
    def fault(self) -> str:
        """What went wrong, in words; empty if nothing did."""
        if self.ended:
            return self.ended
        if self.code < 0:
            return f"ended by {signal.Signals(-self.code).name}"
        return f"exit code {self.code}" if self.code else ""


def execute(
    command: Sequence[str | Path],
    folder: Path,
    limit: float,
    environment: Mapping[str, str] | None = None,
    cpus: Collection[int] = (),
) -> Done:
    """Run a command in a folder, on some CPUs if they are given, for `limit` seconds at most.

    What it starts ends with it. Standard input is empty; what it prints and its messages are one text.
    """

    with tempfile.TemporaryFile() as output:
        start = time.perf_counter()
        try:
            with _on(cpus):
                process = subprocess.Popen(
                    [str(word) for word in command],
                    cwd=folder,
                    env={**os.environ, **(environment or {})},
                    stdin=subprocess.DEVNULL,
                    stdout=output,
                    stderr=subprocess.STDOUT,
                    start_new_session=True,
                )
        except OSError as fault:
            return Done(127, f"{command[0]}: {fault.strerror}", 0.0)
        _running.add(process.pid)
        try:
            resource.prlimit(process.pid, resource.RLIMIT_FSIZE, (FILE_BYTES, FILE_BYTES))
            resource.prlimit(process.pid, resource.RLIMIT_CORE, (0, 0))
            ended = _wait(process, start + limit)
            seconds = time.perf_counter() - start
        finally:
            _end(process.pid)
            process.wait()
            _running.discard(process.pid)
        return Done(process.returncode, _text(output), seconds, ended and ended.format(limit=limit))


@contextmanager
def _on(cpus: Collection[int]) -> Iterator[None]:
    """Bind this thread to some CPUs, for what it starts to find itself there."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, cpus or before)
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def end_all() -> None:
    """End what other threads run."""
    for group in list(_running):
        _end(group)


def _end(group: int) -> None:
    with suppress(ProcessLookupError):
        os.killpg(group, signal.SIGKILL)


def _wait(process: subprocess.Popen[bytes], deadline: float) -> str:
    """Wait until a process ends by itself, or return why it shall be ended."""
    most = MEMORY_SHARE * os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    handle = os.pidfd_open(process.pid)
    try:
        poll = select.poll()
        poll.register(handle, select.POLLIN)
        while True:
            left = deadline - time.perf_counter()
            if poll.poll(1000 * max(0.0, min(left, LOOK_SECONDS))):
                return ""
            if left <= 0:
                return "not done after {limit:g} seconds"
            if _resident_bytes(process.pid) > most:
                return "takes too much of the memory"
    finally:
        os.close(handle)


def _resident_bytes(pid: int) -> int:
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    except (OSError, IndexError):
        return 0


def _text(output: IO[bytes]) -> str:
    size = output.seek(0, os.SEEK_END)
    output.seek(0)
    text = output.read(KEPT_BYTES)
    if size > KEPT_BYTES:
        output.seek(max(KEPT_BYTES, size - KEPT_BYTES))
        text += b"\n" + output.read()
    return text.decode(errors="replace")
