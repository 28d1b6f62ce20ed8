"""Nearest neighbours: what SciPy says, and whether answers are right."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ..harness import AppError
from . import data

TOLERANCE = 2e-6  # relative, of a distance: what float's rounding explains in 16 dimensions


def nearest_distances(label: str, points: data.Points, k: int) -> NDArray[np.float64]:
    """Return each point's distances to its k nearest other points, by SciPy, in double precision: points x k."""
    if len(points) < k + 1:
        raise AppError(f"{label}: a search for k={k} needs at least {k + 1} points, found {len(points)}")
    # the nearest of all is the point itself, or one at the same place
    distances, _ = data.scipy_tree(points).query(points.astype(np.float64), k=k + 1, workers=-1)
    nearest: NDArray[np.float64] = distances[:, 1:]
    return nearest


def check_file(what: str, points: data.Points, truth: NDArray[np.float64], file: Path) -> None:
    """Check the records (neighbours, distances) of a .npy file: see `check`."""
    answers = np.load(file)
    check(what, points, truth, answers["neighbours"], answers["distances"])


def check(
    what: str,
    points: data.Points,
    truth: NDArray[np.float64],
    neighbours: NDArray[np.int32],
    distances: NDArray[np.float32],
) -> None:
    """Raise `AppError` unless each point has k different neighbours, as near as the nearest, with their distances.

    All arrays but `points` are points x k. Of equally near points, and of those nearer by less than float's rounding,
    any is right.
    """
    own = np.arange(len(points))[:, None]
    real = (neighbours >= 0) & (neighbours < len(points)) & (neighbours != own)
    in_order = np.sort(neighbours, axis=1)
    different = (in_order[:, 1:] != in_order[:, :-1]).all(axis=1)
    found = np.empty_like(truth)
    for i in range(truth.shape[1]):
        difference = points.astype(np.float64) - points[np.where(real[:, i], neighbours[:, i], 0)]
        found[:, i] = np.sqrt((difference**2).sum(axis=1))
    right = real & (found <= truth * (1 + TOLERANCE)) & (abs(distances - found) <= TOLERANCE * found)
    right &= different[:, None]
    if not right.all():
        row, i = (int(at) for at in np.argwhere(~right)[0])
        twice = "" if different[row] else ", some point twice"
        raise AppError(
            f"{what}: {np.count_nonzero(~right.all(axis=1))} of {len(points)} answers are wrong; first: point {row}: "
            f"point {neighbours[row, i]} at {distances[row, i]:.9g} ({found[row, i]:.9g}), "
            f"neighbour {i + 1} is at {truth[row, i]:.9g}{twice}"
        )
