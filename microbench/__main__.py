"""`python -m microbench [NAME...]`: the suite; `... peers`: against other compilers.

`... costs`: what stands behind `costs.py`; `... abstraction`: what C++ costs; `... libraries`: CUB beside C++;
`... unseen DIR`: programs from elsewhere; `... conformance DIR`: self-checking ones, as device code.
"""

from __future__ import annotations

import sys
from collections.abc import Callable

from apps.harness import AppError
from simt2simd.diag import ToolError

from . import abstraction, costs, libraries, run
from .conformance import run as conformance
from .peers import run as peers
from .unseen import run as unseen

_BENCHMARKS: dict[str, Callable[[list[str]], int]] = {
    "costs": costs.main,
    "abstraction": abstraction.main,
    "libraries": libraries.main,
    "unseen": unseen.main,
    "conformance": conformance.main,
    "peers": peers.main,
}


def main(argv: list[str]) -> int:
    """Run a benchmark and return the exit code; wrong arguments end in `SystemExit(2)`.

    What goes wrong becomes one message and exit code 1; an interrupt, 130.
    """
    name = argv[0] if argv and argv[0] in _BENCHMARKS else ""
    try:
        return _BENCHMARKS[name](argv[1:]) if name else run.main(argv)
    except (AppError, ToolError, OSError) as fault:
        print(f"{f'microbench {name}'.strip()}: error: {fault}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
