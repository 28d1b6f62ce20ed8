"""Move bodies under their own gravity, by recursive walks through an octree, for some time steps.

Forces are checked with NumPy against all pairs, of a sample of the bodies, and energy has to be kept. The time is that
of all walks of a run, without the building of trees.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from .. import harness, programs
from ..common import data, variants
from ..common.app import App, Array, Arrays, Case
from ..common.session import positive
from ..harness import AppError

HERE = Path(__file__).parent
INPUTS = ("plummer:100000", "plummer:1000000", "random:1000000x6")
QUICK_INPUTS = ("plummer:20000",)
KNOWN = "plummer:N, random:NxD, FILE.npy or FILE.csv; rows of 3, 6 or 7 numbers: place, velocity, mass"
STEPS = 5
THETA, SOFTENING = 0.5, 0.05  # the defaults of bh.cu
CHECKED_PAIRS = 100_000_000  # in double precision; they take a few seconds
MOST_ERROR = 0.05 * THETA**2 + 1e-4  # of the pull, on average: what nodes that pull as a whole may put it off
MOST_DRIFT = 1e-3  # of the energy


def _add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--steps", type=positive, default=STEPS, metavar="N", help=f"time steps (default: {STEPS})")


def _cases(name: str, args: argparse.Namespace) -> Iterator[Case]:
    steps = getattr(args, "steps", STEPS)
    yield Case(
        input=name,
        label=name,
        arrays={"bodies": bodies(name)},
        arguments=("--input", "{bodies}", "--steps", str(steps)),
        parameters={"steps": steps},
    )


def bodies(name: str) -> data.Points:
    """Return the rows of an input; `AppError` unless they are bodies."""
    rows = data.load(name)
    if rows.shape[1] not in (3, 6, 7):
        raise AppError(f"{name}: rows of {rows.shape[1]} numbers; bodies have 3, 6 or 7")
    if len(rows) < 1:
        raise AppError(f"{name}: gravity needs at least 1 body, found 0")
    if rows.shape[1] == 7 and not (rows[:, 6] > 0).all():
        wrong = int(np.argmin(rows[:, 6] > 0))
        raise AppError(f"{name}: row {wrong}: a mass of {rows[wrong, 6]:g}; it must be positive")
    return rows


def _truth(case: Case, _: int | None) -> Arrays:
    """Return the energy at the start, which the program prints after no steps; the forces are right there too."""
    with tempfile.TemporaryDirectory(prefix="bh-") as folder:
        np.save(f"{folder}/bodies.npy", case.arrays["bodies"])
        program = programs.build(HERE / "bh.cu")
        out = f"{folder}/start.npy"
        harness.run((program, "--input", f"{folder}/bodies.npy", "--steps", "0", "--reps", "1", "--out", out))
        at_start = np.load(out)
    check_forces(f"{case.label}, at the start", at_start)
    return {"energy": np.array(energy(at_start))}


def _check(what: str, _: Case, truth: Arrays, answers: Array) -> None:
    check_forces(what, answers)
    before = float(truth["energy"])
    drift = abs(energy(answers) - before)
    if not drift <= MOST_DRIFT * abs(before):
        raise AppError(f"{what}: the energy, {before:.3g}, has changed by {drift:.2e}")


def energy(found: Array) -> float:
    """Return the energy of the bodies that bh wrote: that of motion, and half the potential of each."""
    motion = (found["velocity"].astype(np.float64) ** 2).sum(axis=1)
    return float((0.5 * found["mass"] * (motion + found["potential"])).sum())


def check_forces(what: str, found: Array, softening: float = SOFTENING, most: float = MOST_ERROR) -> None:
    """Raise `AppError` unless the accelerations and potentials that bh wrote are those of all pairs, but for `most`.

    It looks at a sample of the bodies. `most` bounds the root of the mean square of errors, relative to that of all
    accelerations, and in the same way of potentials.
    """
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


APP = App(
    name="bh",
    question="gravity between bodies, by an octree",
    source=HERE / "bh.cu",
    inputs=INPUTS,
    quick_inputs=QUICK_INPUTS,
    known_inputs=KNOWN,
    cases=_cases,
    truth=_truth,
    check=_check,
    variants=(*variants.UNGUIDED, *variants.HOST, *variants.MIMD),
    baselines=variants.BASELINES,
    host_flags=variants.OPENMP_HOST_FLAGS,
    libraries=variants.OPENMP_LIBRARIES,
    add_options=_add_options,
)
