"""Compile bh.cu, move bodies under their own gravity, check forces with NumPy and that energy is kept.

Each input is measured with the bodies in both orders, by the kernel (`simt2simd`) and by two walks in scalar C++ on
one core. The time is that of all walks of a run, without the building of trees.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from .. import harness
from ..common import data, options
from ..common.program import Program
from ..harness import AppError, Record

HERE = Path(__file__).parent
INPUTS = ("plummer:100000", "plummer:1000000", "random:1000000x6")
QUICK_INPUTS = ("plummer:20000",)
KNOWN = "plummer:N, random:NxD, FILE.npy or FILE.csv; rows of 3, 6 or 7 numbers: place, velocity, mass"
THETA, SOFTENING = 0.5, 0.05  # the defaults of bh.cu
CHECKED_PAIRS = 100_000_000  # in double precision; they take a few seconds
MOST_ERROR = 0.05 * THETA**2 + 1e-4  # of the pull, on average: what nodes that pull as a whole may put it off
MOST_DRIFT = 1e-3  # of the energy


def main(argv: list[str]) -> int:
    parser = options.parser("bh", __doc__, INPUTS, KNOWN)
    parser.add_argument("--steps", type=options.positive, default=5, metavar="N", help="time steps (default: 5)")
    return options.finish("bh", parser.parse_args(argv), _run)


def _run(args: argparse.Namespace) -> list[Record]:
    inputs = {name: bodies(name) for name in options.inputs(args, INPUTS, QUICK_INPUTS)}
    records = []
    with tempfile.TemporaryDirectory(prefix="bh-") as name:
        program = Program("bh", HERE / "bh.cu", Path(name), args)
        for label, rows in inputs.items():
            records += _measure(program, label, rows, args)
    return records


def bodies(name: str) -> data.Points:
    """Return the rows of an input; `AppError` unless they are bodies."""
    rows = data.load(name)
    if rows.shape[1] not in (3, 6, 7):
        raise AppError(f"{name}: rows of {rows.shape[1]} numbers; bodies have 3, 6 or 7")
    if len(rows) < 1:
        raise AppError(f"{name}: gravity needs at least 1 body, found 0")
    return rows


def _measure(program: Program, label: str, rows: data.Points, args: argparse.Namespace) -> list[Record]:
    file, at_start = program.folder / "bodies.npy", program.folder / "start.npy"
    np.save(file, rows)
    harness.run((program.compiled(), "--input", file, "--steps", "0", "--reps", "1", "--out", at_start))
    check_forces(f"{label}, at the start", at_start)
    before = energy(at_start)

    def check(variant: str, answers: Path) -> None:
        check_forces(f"{label}, {variant}", answers)
        drift = abs(energy(answers) - before)
        if not drift <= MOST_DRIFT * abs(before):
            raise AppError(f"{label}, {variant}: the energy, {before:.3g}, has changed by {drift:.2e}")

    records = []
    for order in options.orders(args):
        print(f"{label}, {order} ...", file=sys.stderr)
        arguments = ("--input", file, "--steps", str(args.steps))
        records += program.measure(label, order, program.compiled(), arguments, check, rounds=2, reps=1)
    return records


def energy(file: Path) -> float:
    """Return the energy of the bodies in a file that bh wrote: that of motion, and half the potential of each."""
    found = np.load(file)
    motion = (found["velocity"].astype(np.float64) ** 2).sum(axis=1)
    return float((0.5 * found["mass"] * (motion + found["potential"])).sum())


def check_forces(what: str, file: Path, softening: float = SOFTENING, most: float = MOST_ERROR) -> None:
    """Raise `AppError` unless accelerations and potentials in the file are those of all pairs, but for `most`.

    It looks at a sample of the bodies. `most` bounds the root of the mean square of errors, relative to that of all
    accelerations, and in the same way of potentials.
    """
    found = np.load(file)
    count = len(found)
    rows = np.random.default_rng(1).permutation(count)[: max(16, CHECKED_PAIRS // count)]
    acceleration, potential = all_pairs(found["place"], found["mass"], rows, softening)
    for name, right in (("acceleration", acceleration), ("potential", potential)):
        off = np.sqrt(((found[name][rows] - right) ** 2).sum() / max((right**2).sum(), 1e-300))
        if not off <= most:
            raise AppError(
                f"{what}: the {name} of {len(rows)} bodies is off by {off:.2e} of its size; {most:.2e} is right"
            )


def all_pairs(
    place: NDArray[np.float32], mass: NDArray[np.float32], rows: NDArray[np.intp], softening: float
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the acceleration of some bodies, and the potential there, by the pull of each other body in turn."""
    x, y, z = place.astype(np.float64).T
    m = mass.astype(np.float64)
    acceleration, potential = np.empty((len(rows), 3)), np.empty(len(rows))
    for i, row in enumerate(rows):
        dx, dy, dz = x - x[row], y - y[row], z - z[row]
        inverse = 1 / np.sqrt(dx * dx + dy * dy + dz * dz + softening**2)
        strength = m * inverse**3
        acceleration[i] = (dx @ strength, dy @ strength, dz @ strength)
        potential[i] = m[row] / softening - m @ inverse
    return acceleration, potential
