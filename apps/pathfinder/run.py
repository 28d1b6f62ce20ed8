"""Find the cheapest ways down grids of costs, several rows to a launch.

The costs of the ways are checked with NumPy.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ..common import matrices, variants
from ..common.app import App, Array, Arrays, Case
from ..common.matrices import Matrix
from ..harness import AppError

HERE = Path(__file__).parent
INPUTS = ("random:20x10000", "random:100x100000")
QUICK_INPUTS = ("random:20x10000",)
KNOWN = "random:ROWSxCOLUMNS, or a file: .npy, or text with a row a line"


def _cases(name: str, _: argparse.Namespace) -> Iterator[Case]:
    yield Case(name, name, {"costs": grid(name).astype(np.float32)}, ("--input", "{costs}"))


def _truth(case: Case, _: int | None) -> Arrays:
    return {"ways": cheapest(case.arrays["costs"])}


def _check(what: str, _: Case, truth: Arrays, answers: Array) -> None:
    check_costs(what, truth["ways"], answers)


def grid(name: str) -> Matrix:
    """Return a grid of costs: random ones from 0 to 9, or those of a file."""
    shape = matrices.random_shape(name)
    if shape:
        return np.random.default_rng(9).integers(0, 10, shape).astype(np.float64)
    return matrices.read_matrix(name)


def cheapest(costs: Array) -> NDArray[np.int64]:
    """Return what the cheapest way to each cell of the last row costs."""
    whole = costs.astype(np.int64)
    ways: NDArray[np.int64] = whole[0]
    for row in whole[1:]:
        best = ways.copy()
        best[1:] = np.minimum(best[1:], ways[:-1])
        best[:-1] = np.minimum(best[:-1], ways[1:])
        ways = best + row
    return ways


def check_costs(what: str, right: Array, found: Array) -> None:
    """Raise `AppError` unless the costs that were found are right; they are whole numbers."""
    wrong = np.flatnonzero(found != right) if found.shape == right.shape else np.arange(len(right))
    if len(wrong):
        first = int(wrong[0])
        raise AppError(
            f"{what}: {len(wrong)} of {len(right)} costs are wrong; first: column {first}: "
            f"{found.ravel()[first]}, expected {right[first]}"
        )


APP = App(
    name="pathfinder",
    question="the cheapest ways down a grid of costs",
    source=HERE / "pathfinder.cu",
    inputs=INPUTS,
    quick_inputs=QUICK_INPUTS,
    known_inputs=KNOWN,
    cases=_cases,
    truth=_truth,
    check=_check,
    variants=(variants.AUTO, variants.OPENMP),
    baselines=(variants.OPENMP.name,),
    orders=(),
    host_flags=variants.OPENMP_HOST_FLAGS,
    libraries=variants.OPENMP_LIBRARIES,
)
