"""Nearest neighbours: what SciPy says, whether answers are right, and what other packages take for them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ..harness import AppError
from . import data, trees, variants
from .app import App, Array, Arrays, Case, Peer

TOLERANCE = 2e-6  # relative, of a distance: what float's rounding explains in 16 dimensions
APART = 3 * TOLERANCE  # two right distances

Rows = NDArray[np.intp]


def case_of(name: str, points: data.Points, k: int, label: str = "", arguments: tuple[str, ...] = ()) -> Case:
    """Return the case of a search for k neighbours in an input; `arguments` are those beside the points.

    Raises `AppError` if there are not so many other points.
    """
    _require(label or name, points, k)
    return Case(
        input=name,
        label=label or name,
        arrays={"points": points},
        arguments=("--input", "{points}", *arguments),
        defines=(f"-DDIM={points.shape[1]}",),
        parameters={"k": k},
    )


def _require(label: str, points: data.Points, k: int) -> None:
    if len(points) < k + 1:
        raise AppError(f"{label}: a search for k={k} needs at least {k + 1} points, found {len(points)}")


def truth_of(case: Case, most: int | None) -> Arrays:
    """Return the rows of points, `most` of them or all, and their distances to their k nearest other points."""
    points = case.arrays["points"]
    rows = np.arange(len(points)) if most is None else np.random.default_rng(1).permutation(len(points))[:most]
    return {"rows": rows, "distances": nearest_distances(case.label, points, int(case.parameters["k"]), rows)}


def check_case(what: str, case: Case, truth: Arrays, answers: Array) -> None:
    """Check the records (neighbours, distances) of all points against the truth about some of them: see `check`."""
    points, rows = case.arrays["points"], truth["rows"]
    shape = (len(points), int(case.parameters["k"]))
    if answers["neighbours"].shape != shape:
        raise AppError(f"{what}: answers of shape {answers['neighbours'].shape}, expected {shape}")
    check(what, points, truth["distances"], answers["neighbours"][rows], answers["distances"][rows], rows)


def nearest_distances(label: str, points: data.Points, k: int, rows: Rows | None = None) -> NDArray[np.float64]:
    """Return the distances to the k nearest other points, by SciPy, in double precision: of all points or of `rows`."""
    _require(label, points, k)
    asked = points if rows is None else points[rows]
    # the nearest of all is the point itself, or one at the same place
    distances, _ = data.scipy_tree(points).query(asked.astype(np.float64), k=k + 1, workers=-1)
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
    rows: Rows | None = None,
) -> None:
    """Raise `AppError` unless each point has k different neighbours, as near as the nearest, with their distances.

    All arrays but `points` are points x k, of all points or of `rows`. Of equally near points, and of those nearer by
    less than float's rounding, any is right.
    """
    rows = np.arange(len(points)) if rows is None else rows
    own = rows[:, None]
    real = (neighbours >= 0) & (neighbours < len(points)) & (neighbours != own)
    in_order = np.sort(neighbours, axis=1)
    different = (in_order[:, 1:] != in_order[:, :-1]).all(axis=1)
    found = np.empty(truth.shape)
    for i in range(truth.shape[1]):
        difference = points[rows].astype(np.float64) - points[np.where(real[:, i], neighbours[:, i], 0)]
        found[:, i] = np.sqrt((difference**2).sum(axis=1))
    right = real & (found <= truth * (1 + TOLERANCE)) & (abs(distances - found) <= TOLERANCE * found)
    right &= different[:, None]
    if not right.all():
        row, i = (int(at) for at in np.argwhere(~right)[0])
        twice = "" if different[row] else ", some point twice"
        raise AppError(
            f"{what}: {np.count_nonzero(~right.all(axis=1))} of {len(rows)} answers are wrong; first: "
            f"point {rows[row]}: point {neighbours[row, i]} at {distances[row, i]:.9g} ({found[row, i]:.9g}), "
            f"neighbour {i + 1} is at {truth[row, i]:.9g}{twice}"
        )


# ------------------------------------------------------------------------------------------- other packages

Found = tuple[Array, Array]  # distances and rows of one more neighbour than asked for: the point itself may be one


def _search_scipy(case: Case, order: str, cores: int) -> Callable[[], trees.Answered[Found]]:
    tree = data.scipy_tree(case.arrays["points"])
    asked, queries = trees.queries(case.arrays["points"], tree.indices, order)
    k = int(case.parameters["k"]) + 1
    return lambda: trees.Answered(asked, tree.query(queries, k=k, workers=cores))


def _search_scikit_learn(case: Case, order: str, cores: int) -> Callable[[], trees.Answered[Found]]:
    tree, in_order = trees.scikit_learn_tree(case.arrays["points"])
    asked, queries = trees.queries(case.arrays["points"], in_order, order)
    k = int(case.parameters["k"]) + 1

    def search() -> trees.Answered[Found]:
        parts = trees.in_parts(lambda part: tree.query(part, k=k), queries, cores)
        distances, rows = (np.concatenate(each) for each in zip(*parts, strict=True))
        return trees.Answered(asked, (distances, rows))

    return search


def _records(case: Case, answered: trees.Answered[Found]) -> Array:
    """Return the answers in the order of the input, each without the point itself, as the programs write them."""
    k = int(case.parameters["k"])
    distances, rows = answered.result
    others = rows != answered.rows[:, None]
    others[others.all(axis=1), -1] = False  # the point is not among them, if more than k others are at its place
    records = np.empty(len(rows), [("neighbours", "<i4", (k,)), ("distances", "<f4", (k,))])
    records["neighbours"][answered.rows] = rows[others].reshape(-1, k)
    records["distances"][answered.rows] = distances[others].reshape(-1, k)
    return records


PEERS = {
    "scipy": Peer("scipy", _search_scipy, _records),
    "scikit-learn": Peer("sklearn", _search_scikit_learn, _records),
}

neighbours_app = partial(
    App,
    inputs=("cities", "flights", "diamonds", "covtype-like", "digits", "random:70000x2", "random:200000x7"),
    quick_inputs=("random:20000x2", "random:20000x7"),
    known_inputs=data.KNOWN,
    truth=truth_of,
    check=check_case,
    tolerance=APART,
    variants=(*variants.GUIDED, *variants.HOST, *variants.MIMD, variants.SCIPY, variants.SCIKIT_LEARN),
    baselines=variants.BASELINES,
    host_flags=variants.OPENMP_HOST_FLAGS,
    libraries=variants.OPENMP_LIBRARIES,
    peers=PEERS,
)
