"""What the workloads that search kd-trees share: random points, the order of the queries, checks by SciPy."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from apps.harness import AppError

from .workload import CheckFailed, Inputs, Outputs

TOLERANCE = 1e-5  # relative, of distances
CHECKED_QUERIES = 4000  # of those whose answers take SciPy long


def inputs(count: int, dim: int, order: str, radius: float = 0.0) -> Inputs:
    """Points in the unit cube; every point is a query, by its number in the tree, where neighbours are neighbours."""
    queries = np.arange(count) if order == "sorted" else np.random.default_rng(77).permutation(count)
    return {"points": _points(count, dim).ravel(), "queries": queries.astype(np.int32), "radius": np.float32(radius)}


def check_nearest(dim: int, found: Outputs) -> None:
    """Every point's nearest other point, and how far it is."""
    nearest, distance = found["nearest"], found["distance"]
    count = len(nearest)
    points, truth = _points(count, dim), _nearest_distances(count, dim)
    own = np.arange(count)
    real = (nearest >= 0) & (nearest < count) & (nearest != own)
    difference = points.astype(np.float64) - points[np.where(real, nearest, 0)]
    to_nearest = np.sqrt((difference**2).sum(axis=1))
    right = real & (to_nearest <= truth * (1 + TOLERANCE)) & (abs(distance - to_nearest) <= TOLERANCE * to_nearest)
    _report(~right, f"point {{0}}: {nearest[~right][:1]} at {distance[~right][:1]}")


def check_found(dim: int, radius: float, found: Outputs) -> None:
    """How many points are within the radius; those whose distance is the radius, but for rounding, may count."""
    counts = found["found"]
    rows, surely, perhaps = _counts(len(counts), dim, radius)
    wrong = np.zeros(len(counts), bool)
    wrong[rows] = (counts[rows] < surely) | (counts[rows] > perhaps)
    _report(wrong, f"point {{0}}: {counts[wrong][:1]} points are near")
    _report(counts < 1, "point {0} is not near itself")


def _report(wrong: NDArray[np.bool_], text: str) -> None:
    if wrong.any():
        first = int(np.flatnonzero(wrong)[0])
        raise CheckFailed(f"{np.count_nonzero(wrong)} of {len(wrong)} answers; first: {text.format(first)}")


@cache
def _points(count: int, dim: int) -> NDArray[np.float32]:
    return np.random.default_rng(100 + dim).random((count, dim)).astype(np.float32)


@cache
def _nearest_distances(count: int, dim: int) -> NDArray[np.float64]:
    points = _points(count, dim).astype(np.float64)
    distances: NDArray[np.float64] = _scipy_tree(points).query(points, k=2, workers=-1)[0]
    return distances[:, 1]  # the first is the point itself


@cache
def _counts(count: int, dim: int, radius: float) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.intp]]:
    """Some points, or all, and how many are surely and perhaps near each."""
    points = _points(count, dim).astype(np.float64)
    rows = np.random.default_rng(1).permutation(count)[:CHECKED_QUERIES]
    tree = _scipy_tree(points)
    surely, perhaps = (
        tree.query_ball_point(points[rows], float(np.float32(radius)) * factor, return_length=True, workers=-1)
        for factor in (1 - TOLERANCE, 1 + TOLERANCE)
    )
    return rows, surely, perhaps


def _scipy_tree(points: NDArray[np.float64]) -> Any:
    try:
        from scipy.spatial import cKDTree
    except ImportError:
        raise AppError("checking needs the package scipy: pip install simt2simd[data]") from None
    return cKDTree(points)
