"""Search graphs in breadth by kernels that launch themselves, for a node or for many.

All levels are checked with SciPy. The variants with a size in their names are those of the dissertation's figure 3.4.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from ..common import nested
from ..common.app import Array, Arrays, Case
from ..common.iterative import check_numbers
from ..common.nested import nested_app
from ..harness import AppError

SOURCE = Path(__file__).parent / "bfs_rec.cu"


def _cases(name: str, _: argparse.Namespace) -> Iterator[Case]:
    yield nested.case_of(name, {})


def _truth(case: Case, _: int | None) -> Arrays:
    return {"levels": levels(nested.graph_of(SOURCE, case))}


def levels(graph: Arrays, source: int | None = None) -> Array:
    """Return how many edges each node is away from the source; -1 where there is no way."""
    try:
        from scipy.sparse import csr_matrix
        from scipy.sparse.csgraph import breadth_first_order
    except ImportError:
        raise AppError("checking needs the package scipy: pip install simt2simd[data]") from None
    start, nodes = graph["start"], len(graph["start"]) - 1
    matrix = csr_matrix((np.ones(start[-1], np.int8), graph["column"], start), shape=(nodes, nodes))
    first = nested.source_of(graph) if source is None else source
    order, before = breadth_first_order(matrix, first, return_predecessors=True)
    found: Array = np.full(nodes, -1, np.int32)
    found[first] = 0
    for node in order[1:]:
        found[node] = found[before[node]] + 1
    return found


def _check(what: str, _: Case, truth: Arrays, answers: Array) -> None:
    check_numbers(what, "levels", "node", truth["levels"], answers)


APP = nested_app(
    name="bfs_rec",
    question="how many edges each node of a graph is away from one, by recursion",
    source=SOURCE,
    inputs=(nested.KRONECKER, nested.CITATION),
    cases=_cases,
    truth=_truth,
    check=_check,
    variants=(*nested.FORMS, *nested.SIZES, *nested.HOST),
)
