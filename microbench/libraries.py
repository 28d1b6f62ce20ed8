"""`python -m microbench libraries`: warp functions and CUB beside C++ that uses all cores.

`libraries.cu` has the pairs. Each runs in turns with OpenMP, or with AVX-512 where the limit of the machine is asked
for; the least of some runs counts. Wrong results are named, and make the exit code 1.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from apps import harness
from apps.harness import AppError
from apps.programs import build
from simt2simd.target import cpu_name

FILE = Path(__file__).with_suffix(".cu")
FLAGS = ("-Xcompiler", "-fopenmp,-march=native,-O3")


@dataclass(frozen=True)
class Pair:
    """The least times of both, in milliseconds, and whether both found the same."""

    name: str
    beside: str
    ms: float
    beside_ms: float
    checked: bool

    @property
    def speed(self) -> float:
        """How many times as fast ours is."""
        return self.beside_ms / self.ms


def measured(runs: int, count: int) -> list[Pair]:
    """Measure all pairs, on so many numbers. Raises `AppError` if the program cannot be built or fails."""
    command = [str(build(FILE, FLAGS)), str(runs), str(count)]
    environment = {**os.environ, "OMP_WAIT_POLICY": "passive"}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if done.returncode not in (0, 1):
        raise AppError(f"{FILE.name} ends with code {done.returncode}: {done.stderr.strip()}")
    return [Pair(**json.loads(line)) for line in done.stdout.splitlines()]


def main(argv: Sequence[str]) -> int:
    """Print a table; return the exit code."""
    parser = argparse.ArgumentParser("python -m microbench libraries", description=__doc__)
    parser.add_argument("--runs", type=int, default=20, help="of which the least counts (default: 20)")
    parser.add_argument("--count", type=int, default=1 << 24, help="numbers, a multiple of 65536 (default: 16 M)")
    args = parser.parse_args(argv)
    pairs = measured(args.runs, args.count)
    print(f"{cpu_name()}, {len(os.sched_getaffinity(0))} cores, {args.count} numbers")
    rows = [(pair.name, f"{pair.ms:.2f}", pair.beside, f"{pair.beside_ms:.2f}", f"{pair.speed:.2f}") for pair in pairs]
    harness.print_table(("pair", "ms", "beside", "ms", "times as fast"), rows, 1)
    wrong = [pair.name for pair in pairs if not pair.checked]
    for name in wrong:
        print(f"{name}: the results differ")
    return 1 if wrong else 0
