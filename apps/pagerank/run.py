"""Find the PageRank of the nodes of graphs; a kernel launches others for nodes that many edges lead to.

All ranks are compared with NumPy's in double precision, after as many iterations.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from ..common import nested
from ..common.app import Array, Arrays, Case
from ..common.nested import nested_app
from ..common.session import positive
from ..harness import AppError

SOURCE = Path(__file__).parent / "pagerank.cu"
ITERATIONS = 40
DAMPING = float(np.float32(0.85))


def _add_options(parser: argparse.ArgumentParser) -> None:
    nested.add_threshold(parser)
    parser.add_argument("--iterations", type=positive, default=ITERATIONS, metavar="N", help=f"default: {ITERATIONS}")


def _cases(name: str, args: argparse.Namespace) -> Iterator[Case]:
    threshold = getattr(args, "threshold", nested.THRESHOLD)
    yield nested.case_of(name, {"threshold": threshold, "iterations": getattr(args, "iterations", ITERATIONS)})


def _truth(case: Case, _: int | None) -> Arrays:
    return ranks(nested.graph_of(SOURCE, case), int(case.parameters["iterations"]))


def ranks(graph: Arrays, iterations: int) -> Arrays:
    """Return the ranks after some iterations, and by how much those of floats may differ.

    All terms are positive, so an iteration adds the relative error of its longest sum, and passes on the part of the
    earlier ones that damping leaves.
    """
    try:
        from scipy.sparse import csr_matrix
    except ImportError:
        raise AppError("checking needs the package scipy: pip install simt2simd[data]") from None
    start, nodes = graph["start"], len(graph["start"]) - 1
    degree = np.diff(start)
    into = csr_matrix((np.ones(start[-1]), graph["column"], start), shape=(nodes, nodes)).T.tocsr()
    rank = np.full(nodes, 1 / nodes)
    for _ in range(iterations):
        given = np.divide(rank, degree, out=np.zeros(nodes), where=degree > 0)
        lost = rank[degree == 0].sum()
        rank = (1 - DAMPING + DAMPING * lost) / nodes + DAMPING * (into @ given)
    longest = np.bincount(graph["column"], minlength=nodes).max(initial=0) + np.count_nonzero(degree == 0)
    return {"right": rank, "bound": rank * ((longest + 8) * 2.0**-24 / (1 - DAMPING))}


def _check(what: str, _: Case, truth: Arrays, answers: Array) -> None:
    nested.check_bounds(what, "ranks", "node", truth, answers)


APP = nested_app(
    name="pagerank",
    question="the PageRank of the nodes of a graph",
    source=SOURCE,
    inputs=(nested.CITATION, nested.KRONECKER),
    cases=_cases,
    truth=_truth,
    check=_check,
    add_options=_add_options,
)
