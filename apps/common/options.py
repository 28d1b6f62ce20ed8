"""The command line of `python -m apps NAME`: what all applications take, and how a run ends."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Sequence

from simt2simd.target import TARGETS

from .. import harness
from ..harness import AppError, Record

ORDERS = ("sorted", "shuffled")


def parser(name: str, description: str | None, inputs: Sequence[str], known: str) -> argparse.ArgumentParser:
    """Return a parser with the options of every application; `known` says what an input can be."""
    made = argparse.ArgumentParser(
        prog=f"python -m apps {name}", description=description, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    made.add_argument(
        "--input",
        action="append",
        metavar="INPUT",
        help=f"{known}; may be repeated (default: {' '.join(inputs)})",
    )
    made.add_argument("--order", choices=ORDERS, help="of the queries (default: both)")
    made.add_argument("--cores", type=positive, default=1, metavar="N", help="default: 1")
    made.add_argument("--target", choices=("native", *TARGETS), default="native", help="default: native")
    made.add_argument("--json", metavar="FILE", help="write the records to FILE")
    made.add_argument("--quick", action="store_true", help="few rounds: to see that it works, not to measure")
    return made


def inputs(args: argparse.Namespace, usual: Sequence[str], quick: Sequence[str]) -> Sequence[str]:
    """Return the names of the inputs: those of the user, else the usual ones, or with --quick the quick ones."""
    return args.input or (quick if args.quick else usual)


def positive(text: str) -> int:
    """Return the whole number from 1 that an argument is."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"expected a whole number from 1, found '{text}'")
    return int(text)


def orders(args: argparse.Namespace) -> Sequence[str]:
    """Return the orders of queries that the user wants."""
    return (args.order,) if args.order else ORDERS


def finish(name: str, args: argparse.Namespace, measure: Callable[[argparse.Namespace], list[Record]]) -> int:
    """Measure, print and write the records; return the exit code, which is 1 after an `AppError`."""
    try:
        records = measure(args)
        harness.print_records(records)
        if args.json:
            harness.write_json(args.json, records)
    except AppError as fault:
        print(f"apps {name}: error: {fault}", file=sys.stderr)
        return 1
    return 0
