"""Find the center of mass of every cube of an octree of bodies, in the forms of parallel recursion.

All centers are checked with NumPy, which builds the octree once more and adds up its bodies in order.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ..bh.run import bodies
from ..common.app import Array, Arrays, Case, no_truth
from ..common.subtrees import subtree_app
from ..harness import AppError

HERE = Path(__file__).parent
INPUTS = ("plummer:1000000", "random:1000000x3")
QUICK_INPUTS = ("plummer:3000",)
KNOWN = "plummer:N, random:NxD, FILE.npy or FILE.csv; rows of 3, 6 or 7 numbers: place, velocity, mass"
LEVELS = 21  # below the root, as in octree.h
ROUNDING = 2.0**-23  # of a float
MOST_ERROR = 1e-9  # of what is added up, relative: sums are made in different orders

Rows = NDArray[np.int64]
Doubles = NDArray[np.float64]


def _cases(name: str, args: argparse.Namespace) -> Iterator[Case]:
    yield Case(name, name, {"bodies": bodies(name)}, ("--input", "{bodies}"))


def _check(what: str, case: Case, _: Arrays, answers: Array) -> None:
    check_centers(what, case.arrays["bodies"], answers)


def cubes(place: Doubles) -> tuple[Rows, Rows, Rows]:
    """Return the order of bodies in an octree, and the first and the end of those of each cube, level by level."""
    low = place.min(axis=0)
    edge = float((place.max(axis=0) - low).max())
    cells = np.zeros(place.shape, np.uint64)
    if edge > 0:
        cells = np.minimum((place - low) / edge * 2.0**LEVELS, 2.0**LEVELS - 1).astype(np.uint64)
    octants = np.zeros(len(place), np.uint64)
    for bit in range(LEVELS):
        for axis, shift in enumerate((2, 1, 0)):
            octants |= (cells[:, axis] >> np.uint64(bit) & np.uint64(1)) << np.uint64(3 * bit + shift)
    order = np.argsort(octants, kind="stable")
    octants = octants[order]
    firsts, ends = [np.array([0])], [np.array([len(place)])]
    for level in range(1, LEVELS + 1):
        divided = ends[-1] - firsts[-1] > 1
        inside = np.zeros(len(place) + 1, np.int64)
        np.add.at(inside, firsts[-1][divided], 1)
        np.add.at(inside, ends[-1][divided], -1)
        prefix = octants >> np.uint64(3 * (LEVELS - level))
        begins = np.flatnonzero(np.concatenate(([True], prefix[1:] != prefix[:-1])))
        limits = np.append(begins[1:], len(place))
        there = inside.cumsum()[begins] > 0
        firsts.append(begins[there])
        ends.append(limits[there])
    return order, np.concatenate(firsts), np.concatenate(ends)


def check_centers(what: str, rows: Array, found: Array) -> None:
    """Raise `AppError` unless each cube has the center of mass and the mass of its bodies."""
    place = rows[:, :3].astype(np.float64)
    mass = (rows[:, 6] if rows.shape[1] == 7 else np.full(len(rows), np.float32(1 / len(rows)))).astype(np.float64)
    order, first, end = cubes(place)
    if len(found) != len(first):
        raise AppError(f"{what}: {len(found)} cubes, expected {len(first)}")
    weights = _between(mass[order], first, end)
    if not np.allclose(found["mass"], weights, rtol=MOST_ERROR + ROUNDING, atol=0):
        raise AppError(f"{what}: the masses of cubes are wrong")
    for axis in range(3):
        moments = np.asarray(place[:, axis] * mass)[order]
        right, size = (_between(each, first, end) / weights for each in (moments, abs(moments)))
        wrong = abs(found["center"][:, axis] - right) > ROUNDING * abs(right) + MOST_ERROR * size
        if wrong.any():
            cube = int(wrong.argmax())
            raise AppError(
                f"{what}: {np.count_nonzero(wrong)} of {len(found)} centers are wrong; first: cube {cube}, "
                f"axis {axis}: {found['center'][cube, axis]:.9g}, expected {right[cube]:.9g}"
            )


def _between(numbers: Doubles, first: Rows, end: Rows) -> Doubles:
    """Return the sums of numbers[first] to numbers[end - 1], without the rounding of sums of all that is before."""
    exact = np.concatenate(([0], np.cumsum(numbers.astype(np.longdouble))))
    return (exact[end] - exact[first]).astype(np.float64)


APP = subtree_app(
    name="mc",
    question="the mass and the center of mass of each cube of an octree",
    source=HERE / "mc.cu",
    inputs=INPUTS,
    quick_inputs=QUICK_INPUTS,
    known_inputs=KNOWN,
    cases=_cases,
    truth=no_truth,
    check=_check,
)
