"""Compile vp.cu, find the nearest neighbour of every point of real and random inputs, check all answers with SciPy.

Each input is measured in both orders, by the kernel (`simt2simd`) and by the same search in scalar C++ on one core,
recursive (`host-recursive`) and with a stack of its own (`host-iterative`), all compiled for the input's number of
coordinates.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ..common import data, neighbours, options
from ..common.program import Program
from ..harness import Record

HERE = Path(__file__).parent
INPUTS = ("cities", "flights", "diamonds", "covtype-like", "random:70000x2", "random:200000x7")
QUICK_INPUTS = ("random:20000x2", "random:20000x7")


def main(argv: list[str]) -> int:
    return options.finish("vp", options.parser("vp", __doc__, INPUTS, data.KNOWN).parse_args(argv), _run)


def _run(args: argparse.Namespace) -> list[Record]:
    inputs = {name: data.load(name) for name in options.inputs(args, INPUTS, QUICK_INPUTS)}
    records = []
    with tempfile.TemporaryDirectory(prefix="vp-") as name:
        program = Program("vp", HERE / "vp.cu", Path(name), args)
        for label, points in inputs.items():
            records += _measure(program, label, points, args)
    return records


def _measure(program: Program, label: str, points: data.Points, args: argparse.Namespace) -> list[Record]:
    truth: NDArray[np.float64] = neighbours.nearest_distances(label, points, 1)
    file = program.folder / "points.npy"
    np.save(file, points)
    compiled = program.compiled(f"-DDIM={points.shape[1]}")

    def check(variant: str, answers: Path) -> None:
        neighbours.check_file(f"{label}, {variant}", points, truth, answers)

    records = []
    for order in options.orders(args):
        print(f"{label}, {order} ...", file=sys.stderr)
        records += program.measure(label, order, compiled, ("--input", file), check)
    return records
