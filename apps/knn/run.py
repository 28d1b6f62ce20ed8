"""Compile knn.cu, find the neighbours of every point of real and random inputs, check all answers with SciPy.

Each input is measured in both orders and for k = 1, 8 and 32, by the kernel (`simt2simd`) and by the same search in
scalar C++ on one core, recursive (`host-recursive`) and with a stack of its own (`host-iterative`), all compiled for
the input's number of coordinates.
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
MOST = 32


def main(argv: list[str]) -> int:
    parser = options.parser("knn", __doc__, INPUTS, data.KNOWN)
    parser.add_argument("--k", type=_k, action="append", metavar="K", help="1 to 32; may be repeated (default: 1 8 32)")
    return options.finish("knn", parser.parse_args(argv), _run)


def _k(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= MOST:
        raise argparse.ArgumentTypeError(f"expected a whole number from 1 to {MOST}, found '{text}'")
    return int(text)


def _run(args: argparse.Namespace) -> list[Record]:
    inputs = {name: data.load(name) for name in options.inputs(args, INPUTS, QUICK_INPUTS)}
    records = []
    with tempfile.TemporaryDirectory(prefix="knn-") as name:
        program = Program("knn", HERE / "knn.cu", Path(name), args)
        for label, points in inputs.items():
            for k in args.k or (1, 8, 32):
                records += _measure(program, f"{label}, k={k}", points, k, args)
    return records


def _measure(program: Program, label: str, points: data.Points, k: int, args: argparse.Namespace) -> list[Record]:
    truth: NDArray[np.float64] = neighbours.nearest_distances(label, points, k)
    file = program.folder / "points.npy"
    np.save(file, points)
    compiled = program.compiled(f"-DDIM={points.shape[1]}")

    def check(variant: str, answers: Path) -> None:
        neighbours.check_file(f"{label}, {variant}", points, truth, answers)

    records = []
    for order in options.orders(args):
        print(f"{label}, {order} ...", file=sys.stderr)
        records += program.measure(label, order, compiled, ("--input", file, "--k", str(k)), check)
    return records
