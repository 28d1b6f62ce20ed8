"""Count the points within a radius of every point of a set, by recursive search of a kd-tree.

The counts are checked with SciPy: those of some thousand queries, and the sum of all. Programs are compiled for the
input's number of coordinates.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

from ..common import data, trees, variants
from ..common.app import App, Array, Arrays, Case, Peer
from ..harness import AppError

RADII = {
    "cities": 0.5,
    "flights": 0.3,
    "diamonds": 0.3,
    "covtype-like": 150,
    "digits": 9,
    "random:200000x2": 0.01,
    "random:200000x7": 0.3,
}
QUICK_INPUTS = ("random:20000x2", "random:20000x7")
RADIUS = 0.02  # of other inputs, but for projected ones
NEAR = 100  # points, the query among them, that half of the queries have within the radius of a projected input
CHECKED_QUERIES = 5000  # SciPy takes long for more


def _add_options(parser: argparse.ArgumentParser) -> None:
    radii = ", ".join(f"{radius} for {name}" for name, radius in RADII.items())
    others = f"{RADIUS} for others; for projected points such that half of the queries have {NEAR} within it"
    parser.add_argument("--radius", type=_radius, metavar="R", help=f"default: {radii}, {others}")


def _radius(text: str) -> float:
    try:
        radius = float(text)
    except ValueError:
        radius = -1.0
    if not 0 <= radius <= 1e18:
        raise argparse.ArgumentTypeError(f"expected a number from 0 to 1e18, found '{text}'")
    return radius


def _cases(name: str, args: argparse.Namespace) -> Iterator[Case]:
    points = data.load(name)
    if len(points) < 1:
        raise AppError(f"{name}: point correlation needs at least 1 point, found 0")
    given: float | None = getattr(args, "radius", None)
    if given is None and name.startswith("projected:"):
        given = _usual_radius(points)
    radius = RADII.get(name, RADIUS) if given is None else given
    yield Case(
        input=name,
        label=name,
        arrays={"points": points},
        arguments=("--input", "{points}", "--radius", repr(radius)),
        defines=(f"-DDIM={points.shape[1]}",),
        parameters={"radius": radius},
    )


def _usual_radius(points: data.Points) -> float:
    """Return the median of some points' distances to the `NEAR`th nearest, by SciPy, in two digits."""
    rows = np.random.default_rng(1).permutation(len(points))[:500]
    nearest, _ = data.scipy_tree(points).query(points[rows].astype(np.float64), k=[min(NEAR, len(points))])
    return float(f"{np.median(nearest):.2g}")


def _truth(case: Case, _: int | None) -> Arrays:
    return bounds(case.arrays["points"], case.parameters["radius"])


def bounds(points: data.Points, radius: float) -> Arrays:
    """Return how many points are near, by SciPy, in double precision.

    They are `least` and `most` for some `rows` of the input, and `all_least` and `all_most` for all rows together. The
    kernel squares and adds in float: a squared distance of `dim` coordinates is off by (dim + 4) 2^-24 of its value at
    most, its root by half of that. A point so near to the radius may count or not; where there is none, and that is
    nearly everywhere, least and most are the same.
    """
    tree = data.scipy_tree(points)
    rows = np.random.default_rng(1).permutation(len(points))[:CHECKED_QUERIES]
    error = (points.shape[1] + 4) * 2.0**-25
    radii = [float(np.float32(radius)) * factor for factor in (1 - error, 1 + error)]
    asked = points[rows].astype(np.float64)
    least, most = (np.asarray(tree.query_ball_point(asked, r, return_length=True, workers=-1)) for r in radii)
    all_least, all_most = (np.asarray(pairs) for pairs in tree.count_neighbors(tree, radii))
    return {"rows": rows, "least": least, "most": most, "all_least": all_least, "all_most": all_most}


def _check(what: str, case: Case, truth: Arrays, answers: Array) -> None:
    expected = len(case.arrays["points"])
    if answers.shape != (expected,):
        raise AppError(f"{what}: answers of shape {answers.shape}, expected {expected}")
    check_counts(what, truth, answers)


def check_counts(what: str, truth: Arrays, counts: Array) -> None:
    """Raise `AppError` unless the counts, and their sum, lie within the bounds."""
    found = counts[truth["rows"]]
    wrong = (found < truth["least"]) | (found > truth["most"])
    if wrong.any():
        first = int(np.flatnonzero(wrong)[0])
        raise AppError(
            f"{what}: {np.count_nonzero(wrong)} of {len(wrong)} counts are wrong; first: point {truth['rows'][first]}: "
            f"{found[first]}, expected {truth['least'][first]} to {truth['most'][first]}"
        )
    pairs = int(counts.sum(dtype=np.int64))
    if not truth["all_least"] <= pairs <= truth["all_most"]:
        raise AppError(f"{what}: {pairs} pairs are near, expected {truth['all_least']} to {truth['all_most']}")


# ------------------------------------------------------------------------------------------- other packages


def _count_scipy(case: Case, order: str, cores: int) -> Callable[[], trees.Answered[Array]]:
    tree = data.scipy_tree(case.arrays["points"])
    asked, queries = trees.queries(case.arrays["points"], tree.indices, order)
    radius = float(np.float32(case.parameters["radius"]))
    return lambda: trees.Answered(
        asked, np.asarray(tree.query_ball_point(queries, radius, return_length=True, workers=cores))
    )


def _count_scikit_learn(case: Case, order: str, cores: int) -> Callable[[], trees.Answered[Array]]:
    tree, in_order = trees.scikit_learn_tree(case.arrays["points"])
    asked, queries = trees.queries(case.arrays["points"], in_order, order)
    radius = float(np.float32(case.parameters["radius"]))

    def count() -> trees.Answered[Array]:
        parts = trees.in_parts(lambda part: tree.query_radius(part, radius, count_only=True), queries, cores)
        return trees.Answered(asked, np.concatenate(parts))

    return count


def _counts(_: Case, answered: trees.Answered[Array]) -> Array:
    counts = np.empty(len(answered.rows), np.int32)
    counts[answered.rows] = answered.result
    return counts


APP = App(
    name="pc",
    question="how many points lie within a radius of every point, by a kd-tree",
    source=Path(__file__).parent / "pc.cu",
    inputs=tuple(RADII),
    quick_inputs=QUICK_INPUTS,
    known_inputs=data.KNOWN,
    cases=_cases,
    truth=_truth,
    check=_check,
    variants=(*variants.UNGUIDED, *variants.HOST, *variants.MIMD, variants.SCIPY, variants.SCIKIT_LEARN),
    baselines=variants.BASELINES,
    host_flags=variants.OPENMP_HOST_FLAGS,
    libraries=variants.OPENMP_LIBRARIES,
    peers={
        "scipy": Peer("scipy", _count_scipy, _counts),
        "scikit-learn": Peer("sklearn", _count_scikit_learn, _counts),
    },
    add_options=_add_options,
)
