"""Find the nearest other point of every point of a set, by recursive search of a vantage-point tree.

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


def _cases(name: str, _: argparse.Namespace) -> Iterator[Case]:
    yield neighbours.case_of(name, data.load(name), 1)


APP = App(
    name="vp",
    question="the nearest neighbour of every point, by a vantage-point tree",
    source=Path(__file__).parent / "vp.cu",
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
)
