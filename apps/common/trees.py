"""The trees of SciPy and scikit-learn, asked the same queries as ours, on as many cores."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from .data import Points

R = TypeVar("R")
Rows = NDArray[np.intp]
Queries = NDArray[np.float64]


@dataclass(frozen=True)
class Answered(Generic[R]):
    """A result, and which rows of the input were asked, in this order."""

    rows: Rows
    result: R


def queries(points: Points, in_order: Rows, order: str) -> tuple[Rows, Queries]:
    """Return all rows of the points, and their coordinates: in the order of a tree, or in a random one."""
    rows = np.random.default_rng(1).permutation(len(points)) if order == "shuffled" else in_order
    return rows, np.ascontiguousarray(points[rows], dtype=np.float64)


def scikit_learn_tree(points: Points) -> tuple[Any, Rows]:
    """Return scikit-learn's kd-tree, and the order in which the points lie in it."""
    from sklearn.neighbors import KDTree

    tree = KDTree(np.asarray(points, dtype=np.float64))
    return tree, np.asarray(tree.get_arrays()[1])


def in_parts(search: Callable[[Queries], R], asked: Queries, cores: int) -> list[R]:
    """Return what a search that runs on one core finds for parts of the queries, on several cores at once."""
    parts = np.array_split(asked, max(1, min(8 * cores, len(asked))))
    with ThreadPoolExecutor(max_workers=cores) as pool:
        return list(pool.map(search, parts))
