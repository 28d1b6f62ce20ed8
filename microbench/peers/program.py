"""A program with bench.h's main function, running as a child process."""

from __future__ import annotations

import subprocess
import tempfile
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from .workload import Outputs


class ProgramFailed(Exception):
    """The program ended or said that it cannot continue; the text says why."""


class Program:
    """A program that has been started. Call `wait_until_ready` before other requests, and `close` in the end.

    Every request raises `ProgramFailed` if it is not answered within `patience` seconds.
    """

    def __init__(
        self, command: Sequence[str], env: Mapping[str, str], folder: Path, inputs: Path, patience: float = 300
    ) -> None:
        self._patience = patience
        self._messages = tempfile.TemporaryFile("w+", errors="replace")  # noqa: SIM115 (close() does)
        self._process = subprocess.Popen(
            [*command, str(inputs)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._messages,
            text=True,
            env=dict(env),
            cwd=folder,
        )

    def wait_until_ready(self) -> None:
        """Wait until it is set up."""
        self._answer("ready")

    def run(self, count: int) -> list[float]:
        """Run so many times; return the milliseconds of each."""
        self._ask(f"run {count}")
        return [float(word) for word in self._answer("times")]

    def save(self) -> tuple[float, Outputs]:
        """Run once; return the milliseconds and the results."""
        with tempfile.TemporaryDirectory(prefix="peers-") as name:
            self._ask(f"save {name}")
            (ms,) = self._answer("saved")
            types = (Path(name) / "types.txt").read_text(encoding="utf-8")
            arrays = {}
            for line in types.splitlines():
                array, dtype = line.split()
                arrays[array] = np.fromfile(f"{name}/{array}.bin", np.dtype(dtype))
        return float(ms), arrays

    def close(self) -> None:
        """End the process, gently if it listens."""
        for pipe in (self._process.stdin, self._process.stdout):
            try:
                assert pipe is not None
                pipe.close()
            except BrokenPipeError:
                pass
        try:
            self._process.wait(timeout=5)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._messages.close()

    def _ask(self, request: str) -> None:
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(request + "\n")
            self._process.stdin.flush()
        except BrokenPipeError:
            pass  # the missing answer says so

    def _answer(self, expected: str) -> list[str]:
        """Wait for the answer that begins with a word; return its other words."""
        assert self._process.stdout is not None
        timer = threading.Timer(self._patience, self._process.kill)
        timer.start()
        line = self._process.stdout.readline()
        late = not timer.is_alive()
        timer.cancel()
        words = line.split()
        if words and words[0] == expected:
            return words[1:]
        if late:
            raise ProgramFailed(f"no answer in {self._patience:.0f} seconds")
        if words and words[0] == "error":
            raise ProgramFailed(line.removeprefix("error").strip())
        if words:
            raise ProgramFailed(f"unexpected answer '{line.strip()}'")
        code = self._process.wait()
        self._messages.seek(0)
        said = self._messages.read().strip()
        raise ProgramFailed(f"ended with code {code}" + (f": {said[-2000:]}" if said else ""))
