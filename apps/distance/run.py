"""Find the records nearest to a place: all distances, then the least of them, k times.

The records are checked with NumPy.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from ..common import data
from ..common.app import Array, Arrays, Case, no_truth
from ..common.iterative import iterative_app
from ..common.session import positive
from ..harness import AppError

HERE = Path(__file__).parent
INPUTS = ("random:8388608x2", "cities")
QUICK_INPUTS = ("random:100000x2",)
K = 10
TOLERANCE = 1e-6  # relative, of a distance in float


def _add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--k", type=positive, default=K, metavar="K", help=f"default: {K}")


def _cases(name: str, args: argparse.Namespace) -> Iterator[Case]:
    k = getattr(args, "k", K)
    points = _records(name)
    if k > len(points):
        raise AppError(f"{name}: k is {k}, but there are only {len(points)} records")
    x, y = (float(median) for median in np.median(points[:1000], axis=0).astype(np.float32))
    arguments = ("--input", "{records}", "--k", str(k), "--x", repr(x), "--y", repr(y))
    yield Case(name, name, {"records": points}, arguments, parameters={"k": k, "x": x, "y": y})


def _check(what: str, case: Case, _: Arrays, answers: Array) -> None:
    place = np.array([case.parameters["x"], case.parameters["y"]], np.float32)
    check_nearest(what, case.arrays["records"], place, int(case.parameters["k"]), answers)


def _records(name: str) -> data.Points:
    points = data.load(name)
    if points.shape[1] != 2:
        raise AppError(f"{name}: records have 2 coordinates, found {points.shape[1]}")
    if len(points) < 1:
        raise AppError(f"{name}: a search needs at least 1 point, found 0")
    return points


def check_nearest(what: str, points: data.Points, place: data.Points, k: int, answers: Array) -> None:
    """Raise `AppError` unless the answers are k different records, as near as the nearest, with their distances.

    Of equally near records, and of those nearer by less than float's rounding, any is right.
    """
    distances = np.sqrt(((points.astype(np.float64) - place) ** 2).sum(axis=1))
    right = np.sort(np.partition(distances, k - 1)[:k])
    if len(answers) != k or len(np.unique(answers["row"])) != k:
        raise AppError(f"{what}: {len(np.unique(answers['row']))} different records, {k} expected")
    found = distances[answers["row"]]
    near = (abs(found - right) <= TOLERANCE * right) & (abs(answers["distance"] - found) <= TOLERANCE * found)
    if not near.all():
        first = int(np.flatnonzero(~near)[0])
        raise AppError(
            f"{what}: neighbour {first + 1} is row {answers['row'][first]} at {answers['distance'][first]:.9g} "
            f"({found[first]:.9g}), expected one at {right[first]:.9g}"
        )


APP = iterative_app(
    name="distance",
    question="the k records nearest to a place",
    source=HERE / "distance.cu",
    inputs=INPUTS,
    quick_inputs=QUICK_INPUTS,
    known_inputs=data.KNOWN,
    cases=_cases,
    truth=no_truth,
    check=_check,
    orders=(),
    add_options=_add_options,
)
