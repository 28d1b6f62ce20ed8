"""Compile hotspot.cu, compute how temperatures of chips change, check them with a stencil in NumPy.

Each chip is measured by the kernel (`simt2simd`) and by C++ with OpenMP (`openmp`), on as many cores.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

import numpy as np

from ..common import iterative, options
from ..harness import AppError, Record

HERE = Path(__file__).parent
INPUTS = ("random:1024x1024",)
KNOWN = "random:ROWSxCOLUMNS, or a file of temperatures: .npy, or text with a row a line"
STEPS = 16


def main(argv: list[str]) -> int:
    parser = iterative.parser("hotspot", __doc__, INPUTS, KNOWN)
    parser.add_argument("--steps", type=options.positive, default=STEPS, metavar="N", help=f"default: {STEPS}")
    return options.finish("hotspot", parser.parse_args(argv), _run)


def _run(args: argparse.Namespace) -> list[Record]:
    chips = {name: chip(name) for name in args.input or INPUTS}
    records = []
    with tempfile.TemporaryDirectory(prefix="hotspot-") as name:
        program = iterative.IterativeProgram("hotspot", HERE / "hotspot.cu", Path(name), args)
        for label, (temperature, power) in chips.items():
            print(f"{label}, {args.steps} steps ...", file=sys.stderr)
            files = (program.folder / "temperature.npy", program.folder / "power.npy")
            np.save(files[0], temperature)
            np.save(files[1], power)
            right = heated(temperature, power, args.steps)

            def check(variant: str, answers: Path, label: str = label, right: iterative.Matrix = right) -> None:
                check_temperatures(f"{label}, {variant}", right, args.steps, answers)

            arguments = ("--input", files[0], "--power", files[1], "--steps", str(args.steps))
            records += program.measure_beside_openmp(label, arguments, check)
    return records


def chip(name: str) -> tuple[iterative.Matrix, iterative.Matrix]:
    """Return the temperature and the power of each cell, as float32 has them; a file's cells use no power."""
    shape = iterative.random_shape(name)
    if shape:
        rng = np.random.default_rng(5)
        temperature, power = 323 + 10 * rng.random(shape), 0.01 * rng.random(shape)
    else:
        temperature = iterative.read_matrix(name)
        power = np.zeros(temperature.shape)
    return temperature.astype(np.float32).astype(np.float64), power.astype(np.float32).astype(np.float64)


def heated(temperature: iterative.Matrix, power: iterative.Matrix, steps: int) -> iterative.Matrix:
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


def check_temperatures(what: str, right: iterative.Matrix, steps: int, file: Path) -> None:
    """Raise `AppError` unless the temperatures in the file are right.

    A step adds a few numbers of the size of the temperature, each of which may be off by a part in 2^23 of it.
    """
    found = np.load(file)
    near = abs(found - right) <= (steps + 1) * 2.0**-22 * abs(right)
    if not near.all():
        y, x = (int(at) for at in np.argwhere(~near)[0])
        raise AppError(
            f"{what}: {np.count_nonzero(~near)} of {right.size} temperatures are wrong; first: row {y}, column {x}: "
            f"{found[y, x]:.9g}, expected {right[y, x]:.9g}"
        )
