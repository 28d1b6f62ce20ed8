"""Look values up in a binary search tree: the smallest key that is not smaller.

All answers are checked with NumPy; only comparisons are made, so they are exact.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from ..common import data, variants
from ..common.app import App, Array, Arrays, Case, no_truth
from ..harness import AppError

INPUTS = ("random:1000000x1", "random:20000x1")
QUICK_INPUTS = ("random:20000x1",)
KNOWN = "random:Nx1, FILE.npy or FILE.csv with one number a row"


def _cases(name: str, _: argparse.Namespace) -> Iterator[Case]:
    points = data.load(name)
    if points.shape[1] != 1:
        raise AppError(f"{name}: a search tree needs points of 1 coordinate, found {points.shape[1]}")
    if len(points) < 1:
        raise AppError(f"{name}: a search tree needs at least 1 point, found 0")
    yield Case(name, name, {"keys": points[:, 0]}, ("--input", "{keys}"))


def _check(what: str, case: Case, _: Arrays, answers: Array) -> None:
    keys = case.arrays["keys"]
    if answers.shape != keys.shape:
        raise AppError(f"{what}: answers of shape {answers.shape}, expected {keys.shape}")
    check_rows(what, keys, answers)


def check_rows(what: str, keys: Array, answers: Array) -> None:
    """Raise `AppError` unless each value has the row of the smallest key that is not smaller; of equal keys the first.

    `answers` are records (value, row).
    """
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


APP = App(
    name="bs",
    question="values among the keys of a binary search tree",
    source=Path(__file__).parent / "bs.cu",
    inputs=INPUTS,
    quick_inputs=QUICK_INPUTS,
    known_inputs=KNOWN,
    cases=_cases,
    truth=no_truth,
    check=_check,
    variants=(*variants.GUIDED, *variants.HOST, *variants.MIMD),
    baselines=variants.BASELINES,
    host_flags=variants.OPENMP_HOST_FLAGS,
    libraries=variants.OPENMP_LIBRARIES,
)
