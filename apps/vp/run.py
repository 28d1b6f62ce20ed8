"""Find the nearest other point of every point of a set, by recursive search of a vantage-point tree.

All answers are checked with SciPy. Programs are compiled for the input's number of coordinates.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

from ..common import data, neighbours
from ..common.app import Case


def _cases(name: str, _: argparse.Namespace) -> Iterator[Case]:
    yield neighbours.case_of(name, data.load(name), 1)


APP = neighbours.neighbours_app(
    name="vp",
    question="the nearest neighbour of every point, by a vantage-point tree",
    source=Path(__file__).parent / "vp.cu",
    cases=_cases,
)
