"""`python -m apps [NAME...] [options]`: compile, run, check and measure applications.

`python -m apps tables NAME...` makes tables of the papers.
"""

from __future__ import annotations

import sys

from .common import driver

TABLES = "tables"


def main(argv: list[str]) -> int:
    """Run the command and return the exit code; wrong arguments end in `SystemExit(2)`."""
    if argv[:1] == [TABLES]:
        from .papers import command

        return command.main(argv[1:])
    return driver.main(argv)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
