"""`python -m apps [NAME...] [options]`: compile, run, check and measure applications."""

from __future__ import annotations

import sys

from .common import driver


def main(argv: list[str]) -> int:
    """Run the command and return the exit code; wrong arguments end in `SystemExit(2)`."""
    return driver.main(argv)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
