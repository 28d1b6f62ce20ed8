"""Solve systems of linear equations by elimination, one launch or two for each column or panel of columns.

The unknowns are checked with NumPy.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ..common import matrices
from ..common.app import Array, Arrays, Case, no_truth
from ..common.iterative import iterative_app
from ..common.matrices import Matrix
from ..harness import AppError

HERE = Path(__file__).parent
INPUTS = ("random:128", "random:1024")
QUICK_INPUTS = ("random:128",)
KNOWN = "random:N, or a file whose last column is b: .npy, or text with a row a line"
FORMS = ("panels", "steps")


def _add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--form", choices=FORMS, default=FORMS[0], help=f"default: {FORMS[0]}")


def _cases(name: str, args: argparse.Namespace) -> Iterator[Case]:
    form = getattr(args, "form", FORMS[0])
    yield Case(name, name, {"system": system(name)}, ("--input", "{system}", "--form", form))


def _check(what: str, case: Case, _: Arrays, answers: Array) -> None:
    check_unknowns(what, case.arrays["system"], answers)


def system(name: str) -> Matrix:
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
        equations = matrices.read_matrix(name)
    return equations.astype(np.float32).astype(np.float64)


def check_unknowns(what: str, equations: Matrix, found: NDArray[np.float32]) -> None:
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


APP = iterative_app(
    name="gaussian",
    question="unknowns of a system of linear equations, by elimination",
    source=HERE / "gaussian.cu",
    inputs=INPUTS,
    quick_inputs=QUICK_INPUTS,
    known_inputs=KNOWN,
    cases=_cases,
    truth=no_truth,
    check=_check,
    orders=(),
    add_options=_add_options,
)
