"""Colour graphs, neighbours differently; a kernel launches others for nodes of many neighbours.

All colours are compared with those that NumPy finds from node to node, in the order of their numbers.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from ..common import nested
from ..common.app import Array, Arrays, Case
from ..common.iterative import check_numbers
from ..common.nested import nested_app
from ..harness import AppError

SOURCE = Path(__file__).parent / "coloring.cu"


def _truth(case: Case, _: int | None) -> Arrays:
    return {"colours": colours(nested.graph_of(SOURCE, case))}


def colours(graph: Arrays) -> Array:
    """Return the colour of each node: one more than the last of its neighbours with larger numbers.

    Raises `AppError` if neighbours got the same, which cannot be.
    """
    start, column = graph["start"], graph["column"]
    found: Array = np.full(len(start) - 1, -1, np.int32)
    for node in np.argsort(-graph["number"]):
        found[node] = found[column[start[node] : start[node + 1]]].max(initial=-1) + 1
    if (np.repeat(found, np.diff(start)) == found[column]).any():
        raise AppError("neighbours have the same colour")
    return found


def _check(what: str, _: Case, truth: Arrays, answers: Array) -> None:
    check_numbers(what, "colours", "node", truth["colours"], answers)


APP = nested_app(
    name="coloring",
    question="colours for the nodes of a graph, neighbours different ones",
    source=SOURCE,
    inputs=(nested.KRONECKER,),
    cases=nested.cases_with_threshold,
    truth=_truth,
    check=_check,
    add_options=nested.add_threshold,
    quick_inputs=("kron:10",),
)
