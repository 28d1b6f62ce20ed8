"""Compile pathfinder.cu, find the cheapest ways down grids of costs, check them with NumPy.

Each grid is measured by the kernel (`simt2simd`) and by C++ with OpenMP (`openmp`), on as many cores.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ..common import iterative, options
from ..harness import AppError, Record

HERE = Path(__file__).parent
INPUTS = ("random:20x10000", "random:100x100000")
KNOWN = "random:ROWSxCOLUMNS, or a file: .npy, or text with a row a line"


def main(argv: list[str]) -> int:
    return options.finish("pathfinder", iterative.parser("pathfinder", __doc__, INPUTS, KNOWN).parse_args(argv), _run)


def _run(args: argparse.Namespace) -> list[Record]:
    grids = {name: grid(name) for name in args.input or INPUTS}
    records = []
    with tempfile.TemporaryDirectory(prefix="pathfinder-") as name:
        program = iterative.IterativeProgram("pathfinder", HERE / "pathfinder.cu", Path(name), args)
        for label, costs in grids.items():
            print(f"{label} ...", file=sys.stderr)
            file = program.folder / "costs.npy"
            np.save(file, costs.astype(np.float32))
            right = cheapest(costs)

            def check(variant: str, answers: Path, label: str = label, right: NDArray[np.int64] = right) -> None:
                check_costs(f"{label}, {variant}", right, answers)

            records += program.measure_beside_openmp(label, ("--input", file), check)
    return records


def grid(name: str) -> iterative.Matrix:
    """Return a grid of costs: random ones from 0 to 9, or those of a file."""
    shape = iterative.random_shape(name)
    if shape:
        return np.random.default_rng(9).integers(0, 10, shape).astype(np.float64)
    return iterative.read_matrix(name)


def cheapest(costs: iterative.Matrix) -> NDArray[np.int64]:
    """Return what the cheapest way to each cell of the last row costs."""
    whole = costs.astype(np.int64)
    ways: NDArray[np.int64] = whole[0]
    for row in whole[1:]:
        best = ways.copy()
        best[1:] = np.minimum(best[1:], ways[:-1])
        best[:-1] = np.minimum(best[:-1], ways[1:])
        ways = best + row
    return ways


def check_costs(what: str, right: NDArray[np.int64], file: Path) -> None:
    """Raise `AppError` unless the costs in the file are right; they are whole numbers."""
    found = np.load(file)
    wrong = np.flatnonzero(found != right) if found.shape == right.shape else np.arange(len(right))
    if len(wrong):
        first = int(wrong[0])
        raise AppError(
            f"{what}: {len(wrong)} of {len(right)} costs are wrong; first: column {first}: "
            f"{found.ravel()[first]}, expected {right[first]}"
        )
