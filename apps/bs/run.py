"""Compile bs.cu, look values up among random keys, check all answers with NumPy.

Each input is measured in both orders, by the kernel (`simt2simd`) and by the same search in scalar C++ on one core,
recursive (`host-recursive`) and as a loop (`host-iterative`).
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

import numpy as np

from ..common import data, options
from ..common.program import Program
from ..harness import AppError, Record

HERE = Path(__file__).parent
INPUTS = ("random:1000000x1", "random:20000x1")
QUICK_INPUTS = ("random:20000x1",)
KNOWN = "random:Nx1, FILE.npy or FILE.csv with one number a row"


def main(argv: list[str]) -> int:
    return options.finish("bs", options.parser("bs", __doc__, INPUTS, KNOWN).parse_args(argv), _run)


def _run(args: argparse.Namespace) -> list[Record]:
    inputs = {name: _keys(name) for name in options.inputs(args, INPUTS, QUICK_INPUTS)}
    records = []
    with tempfile.TemporaryDirectory(prefix="bs-") as name:
        program = Program("bs", HERE / "bs.cu", Path(name), args)
        for label, keys in inputs.items():
            records += _measure(program, label, keys, args)
    return records


def _keys(name: str) -> data.Points:
    points = data.load(name)
    if points.shape[1] != 1:
        raise AppError(f"{name}: a search tree needs points of 1 coordinate, found {points.shape[1]}")
    if len(points) < 1:
        raise AppError(f"{name}: a search tree needs at least 1 point, found 0")
    return points[:, 0]


def _measure(program: Program, label: str, keys: data.Points, args: argparse.Namespace) -> list[Record]:
    file = program.folder / "keys.npy"
    np.save(file, keys)
    records = []
    for order in options.orders(args):
        print(f"{label}, {order} ...", file=sys.stderr)
        records += program.measure(
            label,
            order,
            program.compiled(),
            ("--input", file),
            lambda variant, answers: check_rows(f"{label}, {variant}", keys, answers),
        )
    return records


def check_rows(what: str, keys: data.Points, file: Path) -> None:
    """Raise `AppError` unless each value in the file has the row of the smallest key that is not smaller.

    Of equal keys it is the first row's. Only comparisons are made, so the answers are exact.
    """
    answers = np.load(file)
    in_order = np.argsort(keys, kind="stable")
    place = np.searchsorted(keys[in_order], answers["value"], side="left")
    right = np.append(in_order, -1)[place]
    wrong = np.flatnonzero(answers["row"] != right)
    if len(wrong):
        first = int(wrong[0])
        raise AppError(
            f"{what}: {len(wrong)} of {len(answers)} answers are wrong; first: value {first}: "
            f"row {answers['row'][first]}, expected {right[first]}"
        )
