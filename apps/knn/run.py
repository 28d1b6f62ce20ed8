"""Find the k nearest other points of every point of a set, by recursive search of a kd-tree.

All answers are checked with SciPy. Programs are compiled for the input's number of coordinates.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

from ..common import data, neighbours
from ..common.app import Case

MOST = 32
DEFAULT = (1, 8, 32)


def _add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--k", type=_k, action="append", metavar="K", help="1 to 32; may be repeated (default: 1 8 32)")


def _k(text: str) -> int:
    if not text.isdecimal() or not 1 <= int(text) <= MOST:
        raise argparse.ArgumentTypeError(f"expected a whole number from 1 to {MOST}, found '{text}'")
    return int(text)


def _cases(name: str, args: argparse.Namespace) -> Iterator[Case]:
    points = data.load(name)
    for k in getattr(args, "k", None) or DEFAULT:
        yield neighbours.case_of(name, points, k, label=f"{name}, k={k}", arguments=("--k", str(k)))


APP = neighbours.neighbours_app(
    name="knn",
    question="the k nearest neighbours of every point, by a kd-tree",
    source=Path(__file__).parent / "knn.cu",
    cases=_cases,
    add_options=_add_options,
)
