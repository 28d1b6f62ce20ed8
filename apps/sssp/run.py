"""Find the shortest ways from a node of a graph to all others; a kernel launches others for nodes of many edges.

All distances are compared with those of SciPy's Dijkstra.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from ..common import nested
from ..common.app import Array, Arrays, Case
from ..common.iterative import check_numbers
from ..common.nested import nested_app
from ..harness import AppError

SOURCE = Path(__file__).parent / "sssp.cu"


def _truth(case: Case, _: int | None) -> Arrays:
    return {"distances": distances(nested.graph_of(SOURCE, case))}


def distances(graph: Arrays, source: int | None = None) -> Array:
    """Return how far away from the source each node is; -1 where there is no way.

    SciPy takes an edge of length 0 for none, so lengths are counted in parts of one more than there are nodes, of which
    each edge has one too many.
    """
    try:
        from scipy.sparse import csr_matrix
        from scipy.sparse.csgraph import dijkstra
    except ImportError:
        raise AppError("checking needs the package scipy: pip install simt2simd[data]") from None
    nodes = len(graph["start"]) - 1
    row, column = np.repeat(np.arange(nodes), np.diff(graph["start"])), graph["column"]
    first = np.flatnonzero(np.diff(row, prepend=-1) | np.diff(column, prepend=-1))  # of edges with the same ends
    lengths = np.minimum.reduceat(graph["length"], first) if len(first) else graph["length"]
    parts = lengths.astype(np.float64) * (nodes + 1) + 1
    matrix = csr_matrix((parts, (row[first], column[first])), shape=(nodes, nodes))
    away = dijkstra(matrix, indices=nested.source_of(graph) if source is None else source)
    found: Array = np.full(nodes, -1, np.int32)
    reached = np.isfinite(away)
    found[reached] = away[reached] // (nodes + 1)
    return found


def _check(what: str, _: Case, truth: Arrays, answers: Array) -> None:
    check_numbers(what, "distances", "node", truth["distances"], answers)


APP = nested_app(
    name="sssp",
    question="the shortest ways from a node of a graph to all others",
    source=SOURCE,
    inputs=(nested.CITATION, nested.KRONECKER),
    cases=nested.cases_with_threshold,
    truth=_truth,
    check=_check,
    add_options=nested.add_threshold,
)
