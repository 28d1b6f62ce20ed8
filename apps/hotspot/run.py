"""Compute how temperatures of chips change, several steps to a launch, in tiles that overlap.

The temperatures are checked with a stencil in NumPy.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from ..common import matrices
from ..common.app import Array, Arrays, Case
from ..common.iterative import iterative_app
from ..common.matrices import Matrix
from ..common.session import positive
from ..harness import AppError

HERE = Path(__file__).parent
INPUTS = ("random:1024x1024",)
QUICK_INPUTS = ("random:256x256",)
KNOWN = "random:ROWSxCOLUMNS, or a file of temperatures: .npy, or text with a row a line"
STEPS = 16


def _add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--steps", type=positive, default=STEPS, metavar="N", help=f"default: {STEPS}")


def _cases(name: str, args: argparse.Namespace) -> Iterator[Case]:
    steps = getattr(args, "steps", STEPS)
    temperature, power = chip(name)
    yield Case(
        name,
        name,
        {"temperature": temperature, "power": power},
        ("--input", "{temperature}", "--power", "{power}", "--steps", str(steps)),
        parameters={"steps": steps},
    )


def _truth(case: Case, most: int | None) -> Arrays:
    right = heated(case.arrays["temperature"], case.arrays["power"], int(case.parameters["steps"]))
    rows, columns = right.shape
    kept = rows if most is None else min(rows, max(2, most // columns))
    chosen = np.linspace(0, rows - 1, kept).astype(np.int64)
    return {"rows": chosen, "temperature": right[chosen]}


def _check(what: str, case: Case, truth: Arrays, answers: Array) -> None:
    if answers.shape != case.arrays["temperature"].shape:
        raise AppError(f"{what}: answers of shape {answers.shape}, expected {case.arrays['temperature'].shape}")
    rows = truth["rows"]
    check_temperatures(what, truth["temperature"], int(case.parameters["steps"]), answers[rows], rows)


def chip(name: str) -> tuple[Matrix, Matrix]:
    """Return the temperature and the power of each cell, as float32 has them; a file's cells use no power."""
    shape = matrices.random_shape(name)
    if shape:
        rng = np.random.default_rng(5)
        temperature, power = 323 + 10 * rng.random(shape), 0.01 * rng.random(shape)
    else:
        temperature = matrices.read_matrix(name)
        power = np.zeros(temperature.shape)
    return temperature.astype(np.float32).astype(np.float64), power.astype(np.float32).astype(np.float64)


def heated(temperature: Matrix, power: Matrix, steps: int) -> Matrix:
    """Return the temperatures after some steps, in double precision; no heat crosses the edges."""
    height, width, thickness = 0.016 / temperature.shape[0], 0.016 / temperature.shape[1], 0.0005
    capacity = 0.5 * 1.75e6 * thickness * width * height
    step = 0.001 / (3.0e6 / (0.5 * thickness * 1.75e6))
    along_x, along_y = 2 * 100 * thickness * height / width, 2 * 100 * thickness * width / height
    to_air = 100 * height * width / thickness
    for _ in range(steps):
        around = np.pad(temperature, 1, mode="edge")
        vertical = around[2:, 1:-1] + around[:-2, 1:-1] - 2 * temperature
        horizontal = around[1:-1, 2:] + around[1:-1, :-2] - 2 * temperature
        flow = power + vertical * along_y + horizontal * along_x + (80 - temperature) * to_air
        temperature = temperature + step / capacity * flow
    return temperature


def check_temperatures(what: str, right: Matrix, steps: int, found: Array, rows: Array | None = None) -> None:
    """Raise `AppError` unless the temperatures that were found are right, of all rows or of some.

    A step adds a few numbers of the size of the temperature, each of which may be off by a part in 2^23 of it.
    """
    if found.shape != right.shape:
        raise AppError(f"{what}: answers of shape {found.shape}, expected {right.shape}")
    near = abs(found - right) <= (steps + 1) * 2.0**-22 * abs(right)
    if not near.all():
        y, x = (int(at) for at in np.argwhere(~near)[0])
        raise AppError(
            f"{what}: {np.count_nonzero(~near)} of {right.size} temperatures are wrong; first: "
            f"row {y if rows is None else rows[y]}, column {x}: {found[y, x]:.9g}, expected {right[y, x]:.9g}"
        )


APP = iterative_app(
    name="hotspot",
    question="how the temperature of a chip changes, a stencil in tiles",
    source=HERE / "hotspot.cu",
    inputs=INPUTS,
    quick_inputs=QUICK_INPUTS,
    known_inputs=KNOWN,
    cases=_cases,
    truth=_truth,
    check=_check,
    orders=(),
    add_options=_add_options,
)
