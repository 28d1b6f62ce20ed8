"""Matrices as inputs: random ones, and those of files."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ..harness import AppError

Matrix = NDArray[np.float64]


def random_shape(name: str) -> tuple[int, int] | None:
    """Return the rows and columns of "random:ROWSxCOLUMNS", or None for the name of a file."""
    match = re.fullmatch(r"random:([1-9]\d*)x([1-9]\d*)", name)
    if name.startswith("random:") and match is None:
        raise AppError(f"{name}: expected random:ROWSxCOLUMNS, for example random:100x1000")
    return (int(match[1]), int(match[2])) if match else None


def read_matrix(name: str) -> Matrix:
    """Return the matrix of a .npy file, or of a text with a row a line; `AppError` names the row of a mistake."""
    try:
        if name.endswith(".npy"):
            array = np.load(name, allow_pickle=False)
        else:
            with open(name, encoding="utf-8") as file:
                array = _numbers(name, file.read().splitlines())
    except OSError as fault:
        raise AppError(f"{name}: {fault.strerror or fault}") from None
    except (ValueError, EOFError) as fault:
        raise AppError(f"{name}: not a file of numbers: {fault}") from None
    if array.ndim != 2 or array.size == 0 or array.dtype.kind not in "fiu":
        raise AppError(f"{name}: {array.dtype} of shape {array.shape}; a matrix of numbers is expected")
    matrix: Matrix = array.astype(np.float64)
    return matrix


def _numbers(name: str, lines: Sequence[str]) -> Matrix:
    rows: list[list[float]] = []
    for number, line in enumerate(lines, 1):
        fields = line.replace(",", " ").split()
        if not fields:
            continue
        try:
            rows.append([float(field) for field in fields])
        except ValueError as fault:
            raise AppError(f"{name}: line {number}: {fault}") from None
        if len(rows[-1]) != len(rows[0]):
            raise AppError(f"{name}: line {number}: {len(rows[-1])} numbers, {len(rows[0])} expected")
    return np.array(rows, dtype=np.float64).reshape(len(rows), -1)
