"""`python -m microbench NAME [options]`: run a benchmark."""

from __future__ import annotations

import sys

from .peers import run as peers

USAGE = "usage: python -m microbench peers [options]; for options: python -m microbench peers --help"


def main(argv: list[str]) -> int:
    if argv and argv[0] == "peers":
        return peers.main(argv[1:])
    asked = bool(argv) and argv[0] in ("-h", "--help")
    print(USAGE, file=sys.stdout if asked else sys.stderr)
    return 0 if asked else 2


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
