"""Compile pc.cu, count the points near every point of real and random inputs, check the counts with SciPy.

Each input is measured in both orders, by the kernel (`simt2simd`) and by the same search in scalar C++ on one core,
recursive (`host-recursive`) and with a stack of its own (`host-iterative`), all compiled for the input's number of
coordinates.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ..common import data, options
from ..common.program import Program
from ..harness import AppError, Record

HERE = Path(__file__).parent
RADII = {
    "cities": 0.5,
    "flights": 0.3,
    "diamonds": 0.3,
    "covtype-like": 150,
    "random:200000x2": 0.01,
    "random:200000x7": 0.3,
}
QUICK_INPUTS = ("random:20000x2", "random:20000x7")
RADIUS = 0.02  # of other inputs
CHECKED_QUERIES = 5000  # SciPy takes long for more

Counts = NDArray[np.int64]


@dataclass(frozen=True)
class Bounds:
    """How many points are near: for some rows of the input at least and at most, and for all rows together."""

    rows: NDArray[np.intp]
    least: Counts
    most: Counts
    all_least: int
    all_most: int


def main(argv: list[str]) -> int:
    parser = options.parser("pc", __doc__, tuple(RADII), data.KNOWN)
    radii = ", ".join(f"{radius} for {name}" for name, radius in RADII.items())
    parser.add_argument("--radius", type=_radius, metavar="R", help=f"default: {radii}, {RADIUS} for others")
    return options.finish("pc", parser.parse_args(argv), _run)


def _radius(text: str) -> float:
    try:
        radius = float(text)
    except ValueError:
        radius = -1.0
    if not 0 <= radius <= 1e18:
        raise argparse.ArgumentTypeError(f"expected a number from 0 to 1e18, found '{text}'")
    return radius


def _run(args: argparse.Namespace) -> list[Record]:
    inputs = {name: data.load(name) for name in options.inputs(args, tuple(RADII), QUICK_INPUTS)}
    records = []
    with tempfile.TemporaryDirectory(prefix="pc-") as name:
        folder = Path(name)
        program = Program("pc", HERE / "pc.cu", folder, args)
        for label, points in inputs.items():
            if len(points) < 1:
                raise AppError(f"{label}: point correlation needs at least 1 point, found 0")
            radius = RADII.get(label, RADIUS) if args.radius is None else args.radius
            truth = bounds(points, radius)
            np.save(folder / "points.npy", points)

            def check(variant: str, file: Path, label: str = label, truth: Bounds = truth) -> None:
                check_counts(f"{label}, {variant}", truth, file)

            for order in options.orders(args):
                print(f"{label}, radius {radius:g}, {order} ...", file=sys.stderr)
                compiled = program.compiled(f"-DDIM={points.shape[1]}")
                arguments = ("--input", folder / "points.npy", "--radius", repr(radius))
                records += program.measure(label, order, compiled, arguments, check)
    return records


def bounds(points: data.Points, radius: float) -> Bounds:
    """Return how many points are near, by SciPy, in double precision.

    The kernel squares and adds in float: a squared distance of `dim` coordinates is off by (dim + 4) 2^-24 of its
    value at most, its root by half of that. A point so near to the radius may count or not; where there is none, and
    that is nearly everywhere, least and most are the same.
    """
    tree = data.scipy_tree(points)
    rows = np.random.default_rng(1).permutation(len(points))[:CHECKED_QUERIES]
    error = (points.shape[1] + 4) * 2.0**-25
    radii = [float(np.float32(radius)) * factor for factor in (1 - error, 1 + error)]
    asked = points[rows].astype(np.float64)
    least, most = (np.asarray(tree.query_ball_point(asked, r, return_length=True, workers=-1)) for r in radii)
    all_least, all_most = (int(pairs) for pairs in tree.count_neighbors(tree, radii))
    return Bounds(rows, least, most, all_least, all_most)


def check_counts(what: str, truth: Bounds, file: Path) -> None:
    """Raise `AppError` unless the counts in the file, and their sum, lie within the bounds."""
    counts = np.load(file)
    found = counts[truth.rows]
    wrong = (found < truth.least) | (found > truth.most)
    if wrong.any():
        first = int(np.flatnonzero(wrong)[0])
        raise AppError(
            f"{what}: {np.count_nonzero(wrong)} of {len(wrong)} counts are wrong; first: point {truth.rows[first]}: "
            f"{found[first]}, expected {truth.least[first]} to {truth.most[first]}"
        )
    pairs = int(counts.sum(dtype=np.int64))
    if not truth.all_least <= pairs <= truth.all_most:
        raise AppError(f"{what}: {pairs} pairs are near, expected {truth.all_least} to {truth.all_most}")
