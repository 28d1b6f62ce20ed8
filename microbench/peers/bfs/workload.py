"""Breadth-first search of a random graph."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..workload import CheckFailed, Inputs, Outputs, Workload


def inputs(nodes: int, average_degree: int) -> Inputs:
    """An undirected graph with random edges: those of node i are `edges[start[i]:start[i] + degree[i]]`."""
    rng = np.random.default_rng(7)
    count = nodes * average_degree // 2
    one_end, other_end = rng.integers(0, nodes, count), rng.integers(0, nodes, count)
    sources, targets = np.concatenate([one_end, other_end]), np.concatenate([other_end, one_end])
    order = np.argsort(sources, kind="stable")
    degree = np.bincount(sources, minlength=nodes)
    return {
        "start": (np.cumsum(degree) - degree).astype(np.int32),
        "degree": degree.astype(np.int32),
        "edges": targets[order].astype(np.int32),
    }


def levels(start: NDArray[Any], degree: NDArray[Any], edges: NDArray[Any]) -> NDArray[np.int32]:
    """The distance of every node from node 0; -1 where there is no path."""
    level = np.full(len(start), -1, np.int32)
    level[0] = 0
    frontier = np.zeros(1, np.int64)
    for distance in range(1, len(start)):
        counts = degree[frontier]
        within = np.arange(counts.sum()) - np.repeat(np.cumsum(counts) - counts, counts)
        reached = np.unique(edges[np.repeat(start[frontier], counts) + within])
        frontier = reached[level[reached] < 0]
        if len(frontier) == 0:
            break
        level[frontier] = distance
    return level


def check(given: Inputs, found: Outputs) -> None:
    """Distances are exact."""
    expected = levels(given["start"], given["degree"], given["edges"])
    wrong = np.flatnonzero(found["level"] != expected)
    if len(wrong):
        raise CheckFailed(f"{len(wrong)} nodes have a wrong level, the first is {wrong[0]}")


WORKLOADS = [
    Workload(
        name="bfs",
        size="1 M nodes, degree 6",
        folder="bfs",
        inputs=lambda: inputs(1 << 20, 6),
        quick_inputs=lambda: inputs(5000, 6),
        check=check,
    )
]
