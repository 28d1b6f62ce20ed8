"""Command line: `python -m tests.divergent_waits --count 1000 --seed 3`. The exit code is 1 if a kernel failed."""

from __future__ import annotations

import argparse
import sys

from .kernels import kernel
from .run import VARIANTS, run


def main() -> int:
    """Run, and return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tests.divergent_waits", description=__doc__)
    parser.add_argument("--count", type=int, default=100, help="kernels (default: 100)")
    parser.add_argument("--seed", type=int, default=0, help="of the kernels (default: 0)")
    parser.add_argument("--first", type=int, default=0, help="number of the first one (default: 0)")
    parser.add_argument("--variants", default=",".join(VARIANTS), help="how they are run (default: %(default)s)")
    parser.add_argument("--show", action="store_true", help="print the first kernel and end")
    given = parser.parse_args()
    if given.show:
        print(kernel(f"{given.seed}/{given.first}").text)
        return 0
    failed = 0
    for wrong in run(given.seed, given.first, given.count, given.variants.split(",")):
        failed += 1
        print(wrong, flush=True)
    print(f"{given.count} kernels, {failed} failures")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
