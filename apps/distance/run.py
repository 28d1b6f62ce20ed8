"""Compile distance.cu, find the records nearest to a place, check them with NumPy.

Each input is measured by the kernels (`simt2simd`) and by C++ with OpenMP (`openmp`), on as many cores.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

import numpy as np

from ..common import data, iterative, options
from ..harness import AppError, Record

HERE = Path(__file__).parent
INPUTS = ("random:8388608x2", "cities")
K = 10
TOLERANCE = 1e-6  # relative, of a distance in float


def main(argv: list[str]) -> int:
    parser = iterative.parser("distance", __doc__, INPUTS, data.KNOWN)
    parser.add_argument("--k", type=options.positive, default=K, metavar="K", help=f"default: {K}")
    return options.finish("distance", parser.parse_args(argv), _run)


def _run(args: argparse.Namespace) -> list[Record]:
    inputs = {name: _records(name) for name in args.input or INPUTS}
    records = []
    with tempfile.TemporaryDirectory(prefix="distance-") as name:
        program = iterative.IterativeProgram("distance", HERE / "distance.cu", Path(name), args)
        for label, points in inputs.items():
            print(f"{label}, k={args.k} ...", file=sys.stderr)
            file = program.folder / "records.npy"
            np.save(file, points)
            place = np.median(points[:1000], axis=0).astype(np.float32)

            def check(
                variant: str,
                answers: Path,
                label: str = label,
                points: data.Points = points,
                place: data.Points = place,
            ) -> None:
                check_nearest(f"{label}, {variant}", points, place, args.k, answers)

            where = ("--x", repr(float(place[0])), "--y", repr(float(place[1])))
            records += program.measure_beside_openmp(label, ("--input", file, "--k", str(args.k), *where), check)
    return records


def _records(name: str) -> data.Points:
    points = data.load(name)
    if points.shape[1] != 2:
        raise AppError(f"{name}: records have 2 coordinates, found {points.shape[1]}")
    if len(points) < 1:
        raise AppError(f"{name}: a search needs at least 1 point, found 0")
    return points


def check_nearest(what: str, points: data.Points, place: data.Points, k: int, file: Path) -> None:
    """Raise `AppError` unless the file has k different records, as near as the nearest, with their distances.

    Of equally near records, and of those nearer by less than float's rounding, any is right.
    """
    answers = np.load(file)
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
