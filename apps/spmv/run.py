"""Multiply sparse matrices with vectors; a kernel launches others for the long rows.

All numbers are compared with SciPy's in double precision: they differ from these by what rounding can do at most.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from ..common import nested
from ..common.app import Array, Arrays, Case
from ..common.nested import nested_app
from ..harness import AppError

SOURCE = Path(__file__).parent / "spmv.cu"


def _truth(case: Case, _: int | None) -> Arrays:
    return product(nested.graph_of(SOURCE, case))


def product(graph: Arrays) -> Arrays:
    """Return the product of a matrix with a vector, and by how much that of floats may differ.

    Any order of adding n products is off by n * 2^-24 times the sum of their magnitudes at most.
    """
    try:
        from scipy.sparse import csr_matrix
    except ImportError:
        raise AppError("checking needs the package scipy: pip install simt2simd[data]") from None
    x = graph["x"].astype(np.float64)
    shape = (len(graph["start"]) - 1, len(x))
    matrix = csr_matrix((graph["value"].astype(np.float64), graph["column"], graph["start"]), shape=shape)
    terms = np.diff(graph["start"]) + 1
    smallest = float(np.finfo(np.float32).tiny)
    return {"right": matrix @ x, "bound": terms * 2.0**-24 * (abs(matrix) @ np.abs(x)) + smallest}


def _check(what: str, _: Case, truth: Arrays, answers: Array) -> None:
    nested.check_bounds(what, "numbers", "row", truth, answers)


APP = nested_app(
    name="spmv",
    question="a sparse matrix times a vector",
    source=SOURCE,
    inputs=(nested.CITATION, nested.KRONECKER),
    cases=nested.cases_with_threshold,
    truth=_truth,
    check=_check,
    add_options=nested.add_threshold,
)
