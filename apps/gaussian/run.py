"""Compile gaussian.cu, solve systems of linear equations, check the unknowns with NumPy.

Each system is measured by the kernels (`simt2simd`) and by C++ with OpenMP (`openmp`), on as many cores.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ..common import iterative, options
from ..harness import AppError, Record

HERE = Path(__file__).parent
INPUTS = ("random:128", "random:1024")
KNOWN = "random:N, or a file whose last column is b: .npy, or text with a row a line"
FORMS = ("panels", "steps")


def main(argv: list[str]) -> int:
    parser = iterative.parser("gaussian", __doc__, INPUTS, KNOWN)
    parser.add_argument("--form", choices=FORMS, default=FORMS[0], help=f"default: {FORMS[0]}")
    return options.finish("gaussian", parser.parse_args(argv), _run)


def _run(args: argparse.Namespace) -> list[Record]:
    systems = {name: system(name) for name in args.input or INPUTS}
    records = []
    with tempfile.TemporaryDirectory(prefix="gaussian-") as name:
        program = iterative.IterativeProgram("gaussian", HERE / "gaussian.cu", Path(name), args)
        for label, equations in systems.items():
            print(f"{label}, {args.form} ...", file=sys.stderr)
            file = program.folder / "system.npy"
            np.save(file, equations)

            def check(variant: str, answers: Path, label: str = label, ab: iterative.Matrix = equations) -> None:
                check_unknowns(f"{label}, {variant}", ab, np.load(answers))

            records += program.measure_beside_openmp(label, ("--input", file, "--form", args.form), check)
    return records


def system(name: str) -> iterative.Matrix:
    """Return [A b], as float32 has it: at random, with a diagonal that outweighs its rows, or from a file."""
    if name.startswith("random:"):
        match = re.fullmatch(r"random:([1-9]\d*)", name)
        if match is None:
            raise AppError(f"{name}: expected random:N, for example random:1024")
        size = int(match[1])
        rng = np.random.default_rng(size)
        equations = rng.uniform(-1, 1, (size, size + 1))
        np.fill_diagonal(equations, abs(equations[:, :-1]).sum(axis=1) + 1)
    else:
        equations = iterative.read_matrix(name)
    return equations.astype(np.float32).astype(np.float64)


def check_unknowns(what: str, equations: iterative.Matrix, found: NDArray[np.float32]) -> None:
    """Raise `AppError` unless the unknowns are those of `numpy.linalg.solve`, in double precision.

    Elimination without pivoting in float may lose as many digits as the matrix has in its condition number.
    """
    a, b = equations[:, :-1], equations[:, -1]
    try:
        right = np.linalg.solve(a, b)
    except np.linalg.LinAlgError:
        raise AppError(f"{what}: the matrix is singular") from None
    error = abs(found - right).max() / max(abs(right).max(), np.finfo(np.float32).tiny)
    bound = len(a) * 2.0**-24 * np.linalg.cond(a, np.inf)
    if not error <= bound:
        first = int(abs(found - right).argmax())
        raise AppError(f"{what}: unknown {first} is {found[first]:.9g}, expected {right[first]:.9g}")
