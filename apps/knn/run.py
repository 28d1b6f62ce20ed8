"""Find the k nearest other points of every point of a set, by recursive search of a kd-tree.

All answers are checked with SciPy. Programs are compiled for the input's number of coordinates.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

from ..common import data, neighbours, variants
from ..common.app import App, Case

INPUTS = ("cities", "flights", "diamonds", "covtype-like", "random:70000x2", "random:200000x7")
QUICK_INPUTS = ("random:20000x2", "random:20000x7")
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


APP = App(
    name="knn",
    question="the k nearest neighbours of every point, by a kd-tree",
    source=Path(__file__).parent / "knn.cu",
    inputs=INPUTS,
    quick_inputs=QUICK_INPUTS,
    known_inputs=data.KNOWN,
    cases=_cases,
    truth=neighbours.truth_of,
    check=neighbours.check_case,
    tolerance=neighbours.APART,
    variants=(*variants.GUIDED, *variants.HOST, variants.SCIPY, variants.SCIKIT_LEARN),
    baselines=variants.BASELINES,
    peers=neighbours.PEERS,
    add_options=_add_options,
)
