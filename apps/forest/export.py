"""Write a forest of scikit-learn as apps/forest/forest.cu reads it.

python -m apps.forest.export MODEL FILE [--layout csr|3|4|5], where joblib.dump wrote MODEL; it must be from a source
whom you trust, as reading it may run code.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Any

import numpy as np

from ..harness import AppError
from .data import scikit_learn
from .layout import SUBTREE_DEPTHS, csr, hierarchical
from .trees import of_scikit_learn


def export(model: Any, file: str | Path, depth: int = 4) -> None:
    """Write a fitted RandomForestClassifier or RandomForestRegressor to a .npy file.

    It is in subtrees of `depth` levels, 3 to 5, or in CSR if that is 0. Raises `AppError` for a malformed forest.
    """
    forest = of_scikit_learn(model)
    np.save(file, (hierarchical(forest, depth) if depth else csr(forest)).words())


def main(argv: list[str]) -> int:
    """Run the command and return the exit code."""
    parser = argparse.ArgumentParser(prog="python -m apps.forest.export", description=__doc__)
    parser.add_argument("model", type=Path)
    parser.add_argument("file", type=Path)
    parser.add_argument("--layout", choices=("csr", *map(str, SUBTREE_DEPTHS)), default="4")
    args = parser.parse_args(argv)
    try:
        scikit_learn("ensemble")
        import joblib

        export(joblib.load(args.model), args.file, 0 if args.layout == "csr" else int(args.layout))
    except (AppError, OSError, ValueError) as fault:
        print(f"export: error: {fault}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
