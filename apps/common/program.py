"""Compiling an application's `.cu`, running it on the device and as scalar C++, and the records of all."""

from __future__ import annotations

import argparse
import re
import statistics
from collections.abc import Callable, Sequence
from pathlib import Path

from .. import harness
from ..harness import AppError, Record

HOST_FLAGS = "-O3,-march=native"  # so that searches on the host are as quick as the C++ compiler can make them
VARIANTS: dict[str, tuple[str, ...]] = {
    "simt2simd": (),
    "host-recursive": ("--host", "recursive"),
    "host-iterative": ("--host", "iterative"),
}  # and the flags of each
HOST_VARIANTS = ("host-recursive", "host-iterative")


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
        rounds: int = 3,
        reps: int = 5,
    ) -> list[Record]:
        """Return the records of the kernel (`simt2simd`) and of both scalar searches, on one core.

        They run in turns; the quicker scalar one is the baseline. `check(variant, file)` raises `AppError` unless the
        answers in the file are right. A round takes the least of `reps` runs.
        """
        if self.quick:
            rounds = reps = 1
        times: dict[str, list[float]] = {variant: [] for variant in VARIANTS}
        for _ in range(rounds):
            for variant, flags in VARIANTS.items():
                answers = self.folder / f"answers-{variant}.npy"
                command = (program, *arguments, "--order", order, "--reps", str(reps), "--out", answers, *flags)
                times[variant].append(self._ms(harness.run(command, {"S2S_THREADS": str(self.cores)})))
                check(variant, answers)
        baseline = min(HOST_VARIANTS, key=lambda variant: min(times[variant]))
        return [
            Record(
                app=self.name,
                input=label,
                order=order,
                variant=variant,
                target="c++" if variant in HOST_VARIANTS else self.target,
                cores=1 if variant in HOST_VARIANTS else self.cores,
                ms=min(ms),
                median_ms=statistics.median(ms),
                checked=True,
                baseline=baseline,
                ratio=min(times[baseline]) / min(ms),
            )
            for variant, ms in times.items()
        ]

    def _ms(self, output: str) -> float:
        match = re.search(r"^(?:kernel|host): ([\d.]+) ms", output, re.MULTILINE)
        if match is None:
            raise AppError(f"{self.name} did not say how long it took:\n{output}")
        return float(match[1])
