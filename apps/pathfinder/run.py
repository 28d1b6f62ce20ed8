"""Find the cheapest ways down grids of costs, several rows to a launch.

The costs of the ways are checked with NumPy.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ..common import matrices
from ..common.app import Array, Arrays, Case
from ..common.iterative import check_numbers, iterative_app
from ..common.matrices import Matrix

HERE = Path(__file__).parent
INPUTS = ("random:20x10000", "random:100x100000")
QUICK_INPUTS = ("random:20x10000",)
KNOWN = "random:ROWSxCOLUMNS, or a file: .npy, or text with a row a line"


def _cases(name: str, _: argparse.Namespace) -> Iterator[Case]:
    yield Case(name, name, {"costs": grid(name).astype(np.float32)}, ("--input", "{costs}"))


def _truth(case: Case, _: int | None) -> Arrays:
    return {"ways": cheapest(case.arrays["costs"])}


def _check(what: str, _: Case, truth: Arrays, answers: Array) -> None:
    check_numbers(what, "costs", "column", truth["ways"], answers)


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


APP = iterative_app(
    name="pathfinder",
    question="the cheapest ways down a grid of costs",
    source=HERE / "pathfinder.cu",
    inputs=INPUTS,
    quick_inputs=QUICK_INPUTS,
    known_inputs=KNOWN,
    cases=_cases,
    truth=_truth,
    check=_check,
    orders=(),
)
