"""`python -m apps NAME [options]`: compile, run, check and measure an application."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path


def names() -> list[str]:
    """Return the applications: the folders with a `run.py`."""
    return sorted(path.parent.name for path in Path(__file__).parent.glob("*/run.py"))


def main(argv: list[str]) -> int:
    if not argv or argv[0] in ("-h", "--help") or argv[0] not in names():
        known = ", ".join(names())
        wrong = bool(argv) and argv[0] not in ("-h", "--help")
        text = f"usage: python -m apps NAME [options]\n\napplications: {known}; for options: python -m apps NAME --help"
        print(f"unknown application '{argv[0]}'\n{text}" if wrong else text, file=sys.stderr if wrong else sys.stdout)
        return 2 if wrong else 0
    code: int = importlib.import_module(f"apps.{argv[0]}.run").main(argv[1:])
    return code


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
