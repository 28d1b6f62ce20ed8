"""`python -m microbench [NAME...]`: the suite; `... peers`: against other compilers.

`... costs`: what stands behind `costs.py`; `... abstraction`: what C++ costs; `... libraries`: CUB beside C++;
`... unseen DIR`: programs from elsewhere; `... conformance DIR`: self-checking ones, as device code.
"""

from __future__ import annotations

import sys

from . import abstraction, costs, libraries, run
from .conformance import run as conformance
from .peers import run as peers
from .unseen import run as unseen


def main(argv: list[str]) -> int:
    """Run a benchmark and return the exit code; wrong arguments end in `SystemExit(2)`."""
    if argv[:1] == ["costs"]:
        return costs.main(argv[1:])
    if argv[:1] == ["abstraction"]:
        return abstraction.main(argv[1:])
    if argv[:1] == ["libraries"]:
        return libraries.main(argv[1:])
    if argv[:1] == ["unseen"]:
        return unseen.main(argv[1:])
    if argv[:1] == ["conformance"]:
        return conformance.main(argv[1:])
    return peers.main(argv[1:]) if argv[:1] == ["peers"] else run.main(argv)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
