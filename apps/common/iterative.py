"""What the applications share that launch a kernel many times: their command line, and measuring beside OpenMP."""

from __future__ import annotations

import argparse
import re
import statistics
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from simt2simd.target import TARGETS

from .. import harness
from ..harness import AppError, Record
from .options import positive
from .program import HOST_FLAGS, Program

Matrix = NDArray[np.float64]


def parser(name: str, description: str | None, inputs: Sequence[str], known: str) -> argparse.ArgumentParser:
    """Return a parser with the options of these applications; `known` says what an input can be."""
    made = argparse.ArgumentParser(
        prog=f"python -m apps {name}", description=description, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    made.add_argument(
        "--input",
        action="append",
        metavar="INPUT",
        help=f"{known}; may be repeated (default: {' '.join(inputs)})",
    )
    made.add_argument("--cores", type=positive, default=1, metavar="N", help="for us and for OpenMP (default: 1)")
    made.add_argument("--target", choices=("native", *TARGETS), default="native", help="default: native")
    made.add_argument("--json", metavar="FILE", help="write the records to FILE")
    made.add_argument("--quick", action="store_true", help="few rounds: to see that it works, not to measure")
    return made


class IterativeProgram(Program):
    """An application's program, whose `--host` is C++ with OpenMP."""

    def compiled(self, *defines: str) -> Path:
        """Return the program compiled with `defines`, and its host code with OpenMP."""
        program = self.folder / "".join([self.name, *defines])
        if not program.exists():
            flags = ("-Xcompiler", f"{HOST_FLAGS},-fno-math-errno,-fopenmp", "-l", "gomp")
            harness.simt2simd("compile", self.source, *defines, self.target_flag, *flags, "-o", program)
        return program

    def measure_beside_openmp(
        self, label: str, arguments: Sequence[str | Path], check: Callable[[str, Path], None], order: str | None = None
    ) -> list[Record]:
        """Return the records of the kernels (`simt2simd`) and of C++ with OpenMP (`openmp`), on as many cores.

        The two run in turns. `check(variant, file)` raises `AppError` unless the answers in the file are right. How
        much of the time launches take that do nothing is printed.
        """
        rounds, reps = (1, "1") if self.quick else (3, "7")
        program = self.compiled()
        env = {"S2S_THREADS": str(self.cores), "OMP_NUM_THREADS": str(self.cores)}
        times: dict[str, list[float]] = {"simt2simd": [], "openmp": []}
        for _ in range(rounds):
            for variant, ms in times.items():
                answers = self.folder / f"answers-{variant}.npy"
                flags = ("--host",) if variant == "openmp" else ()
                output = harness.run((program, *arguments, "--reps", reps, "--out", answers, *flags), env)
                ms.append(self._ms(output))
                check(variant, answers)
                if launches := re.search(r"^launches: .*", output, re.MULTILINE):
                    print(f"  {launches[0]}", file=sys.stderr)
        return [
            Record(
                app=self.name,
                input=label,
                order=order,
                variant=variant,
                target=self.target if variant == "simt2simd" else "c++",
                cores=self.cores,
                ms=min(ms),
                median_ms=statistics.median(ms),
                checked=True,
                baseline="openmp",
                ratio=min(times["openmp"]) / min(ms),
            )
            for variant, ms in times.items()
        ]


def random_shape(name: str) -> tuple[int, int] | None:
    """Return the rows and columns of "random:ROWSxCOLUMNS", or None for the name of a file."""
    match = re.fullmatch(r"random:([1-9]\d*)x([1-9]\d*)", name)
    if name.startswith("random:") and match is None:
        raise AppError(f"{name}: expected random:ROWSxCOLUMNS, for example random:100x1000")
    return (int(match[1]), int(match[2])) if match else None


def read_matrix(name: str) -> Matrix:
    """Return the matrix of a .npy file, or of a text with a row a line; `AppError` names the row of a mistake."""
    try:
        if name.endswith(".npy"):
            array = np.load(name, allow_pickle=False)
        else:
            with open(name, encoding="utf-8") as file:
                array = _numbers(name, file.read().splitlines())
    except OSError as fault:
        raise AppError(f"{name}: {fault.strerror or fault}") from None
    except (ValueError, EOFError) as fault:
        raise AppError(f"{name}: not a file of numbers: {fault}") from None
    if array.ndim != 2 or array.size == 0 or array.dtype.kind not in "fiu":
        raise AppError(f"{name}: {array.dtype} of shape {array.shape}; a matrix of numbers is expected")
    matrix: Matrix = array.astype(np.float64)
    return matrix


def _numbers(name: str, lines: Sequence[str]) -> Matrix:
    rows: list[list[float]] = []
    for number, line in enumerate(lines, 1):
        fields = line.replace(",", " ").split()
        if not fields:
            continue
        try:
            rows.append([float(field) for field in fields])
        except ValueError as fault:
            raise AppError(f"{name}: line {number}: {fault}") from None
        if len(rows[-1]) != len(rows[0]):
            raise AppError(f"{name}: line {number}: {len(rows[-1])} numbers, {len(rows[0])} expected")
    return np.array(rows, dtype=np.float64).reshape(len(rows), -1)
