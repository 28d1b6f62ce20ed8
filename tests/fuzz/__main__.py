"""`python -m tests.fuzz --seconds N --seed S`: run random programs; exit code 1 if one fails."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path

from . import ours
from .programs import CLASSES
from .run import Settings, run
from .writer import Features

FEATURES = [CLASSES, *(field.name for field in fields(Features))]


def parser() -> argparse.ArgumentParser:
    result = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    result.add_argument("--seconds", type=_positive, help="stop after so many seconds (default: 60)")
    result.add_argument("--count", type=_positive, help="stop after so many programs")
    result.add_argument("--seed", type=int, default=0, help="of the programs (default: 0)")
    result.add_argument("--first", type=int, default=0, help="number of the first program (default: 0)")
    result.add_argument("--jobs", type=_positive, default=len(os.sched_getaffinity(0)), help="processes")
    result.add_argument("--variants", type=_variants, default=tuple(ours.VARIANTS), metavar="NAME,...",
                        help=f"ways to compile and run, of {', '.join(ours.VARIANTS)} (default: all); "
                        "none: the interpreter alone")  # fmt: skip
    result.add_argument("--about", type=_features, default=(), metavar="NAME,...",
                        help=f"what programs are about, of {', '.join(FEATURES)} (default: what is drawn)")  # fmt: skip
    result.add_argument("--keep", type=Path, metavar="DIR", help="folder for the programs that fail")
    result.add_argument("--shrink-seconds", type=float, default=60, help="for each kind of failure (default: 60)")
    result.add_argument("--stop-after", type=_positive, default=10, help="so many failures (default: 10)")
    return result


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text} is not a positive number")
    return number


def _features(text: str) -> tuple[str, ...]:
    names = tuple(text.split(","))
    for name in names:
        if name not in FEATURES:
            raise argparse.ArgumentTypeError(f"no feature '{name}'; there are {', '.join(FEATURES)}")
    return names


def _variants(text: str) -> tuple[str, ...]:
    names = tuple(text.split(",")) if text != "none" else ()
    for name in names:
        if name not in ours.VARIANTS:
            raise argparse.ArgumentTypeError(f"no variant '{name}'; there are {', '.join(ours.VARIANTS)}")
    return names


def main(argv: Sequence[str]) -> int:
    """Run, and return the exit code; wrong arguments end in `SystemExit(2)`."""
    given = parser().parse_args(argv)
    seconds = given.seconds or (None if given.count else 60)
    settings = Settings(given.seed, given.first, given.count, seconds, given.jobs, given.variants, given.keep,
                        given.shrink_seconds, given.stop_after, given.about)  # fmt: skip
    try:
        return 1 if run(settings).findings else 0
    except KeyboardInterrupt:
        print("interrupted")
        return 130


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
