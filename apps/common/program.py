"""Compiling an application's `.cu`, running it on the device and on the host, and the records of both."""

from __future__ import annotations

import argparse
import re
import statistics
from collections.abc import Callable, Sequence
from pathlib import Path

from .. import harness
from ..harness import AppError, Record

HOST_FLAGS = "-O3,-march=native"  # so that `host` is as quick as the C++ compiler can make it


class Program:
    """An application's programs, one for each list of defines, in a folder of their own."""

    def __init__(self, name: str, source: Path, folder: Path, args: argparse.Namespace) -> None:
        from simt2simd.target import native

        self.name = name
        self.source = source
        self.folder = folder
        self.cores: int = args.cores
        self.quick: bool = args.quick
        self.target_flag = f"--target={args.target}"
        self.target: str = native().name if args.target == "native" else args.target

    def compiled(self, *defines: str) -> Path:
        """Return the program compiled with `defines`."""
        program = self.folder / "".join([self.name, *defines])
        if not program.exists():
            harness.simt2simd(
                "compile", self.source, *defines, self.target_flag, "-Xcompiler", HOST_FLAGS, "-o", program
            )
        return program

    def measure(
        self,
        label: str,
        order: str,
        program: Path,
        arguments: Sequence[str | Path],
        check: Callable[[str, Path], None],
    ) -> list[Record]:
        """Return the records of the kernel (`simt2simd`) and of its functions on the host, on one core (`host`).

        The two run in turns. `check(variant, file)` raises `AppError` unless the answers in the file are right.
        """
        rounds, reps = (1, "1") if self.quick else (3, "5")
        times: dict[str, list[float]] = {"simt2simd": [], "host": []}
        for _ in range(rounds):
            for variant, ms in times.items():
                answers = self.folder / f"answers-{variant}.npy"
                flags = ("--host",) if variant == "host" else ()
                command = (program, *arguments, "--order", order, "--reps", reps, "--out", answers, *flags)
                ms.append(self._ms(harness.run(command, {"S2S_THREADS": str(self.cores)})))
                check(variant, answers)
        return [
            Record(
                app=self.name,
                input=label,
                order=order,
                variant=variant,
                target=self.target if variant == "simt2simd" else "c++",
                cores=self.cores if variant == "simt2simd" else 1,
                ms=min(ms),
                median_ms=statistics.median(ms),
                checked=True,
                baseline="host",
                ratio=min(times["host"]) / min(ms),
            )
            for variant, ms in times.items()
        ]

    def _ms(self, output: str) -> float:
        match = re.search(r"^(?:kernel|host): ([\d.]+) ms", output, re.MULTILINE)
        if match is None:
            raise AppError(f"{self.name} did not say how long it took:\n{output}")
        return float(match[1])
