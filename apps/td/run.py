"""Count the nodes in the subtree of every node of a tree, in the forms of parallel recursion.

All counts are checked with NumPy.
"""

from __future__ import annotations

import argparse
import re
import warnings
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from ..common.app import Array, Arrays, Case, no_truth
from ..common.iterative import check_numbers
from ..common.subtrees import subtree_app
from ..harness import AppError

HERE = Path(__file__).parent
INPUTS = ("random:14:4-8:50", "random:10:32-64:12.5")
QUICK_INPUTS = ("random:8:4-8:50", "random:5:32-64:12.5")
KNOWN = "random:LEVELS:LEAST-MOST:PERCENT, or a file with the parent of each node: .npy, or text with one a line"
SEED = 11  # makes trees about as large as they are expected to be
MOST_NODES = 1 << 30

Parents = NDArray[np.int32]
Rows = NDArray[np.int64]


def _cases(name: str, args: argparse.Namespace) -> Iterator[Case]:
    yield Case(name, name, {"parents": parents(name)}, ("--input", "{parents}"))


def parents(name: str) -> Parents:
    """Return the parent of each node of an input, -1 of the root."""
    if name.startswith("random:"):
        match = re.fullmatch(r"random:([1-9]\d{0,2}):([1-9]\d{0,5})-([1-9]\d{0,5}):(\d+\.?\d*)", name)
        if match is None or int(match[2]) > int(match[3]) or float(match[4]) > 100:
            raise AppError(f"{name}: expected random:LEVELS:LEAST-MOST:PERCENT, for example {INPUTS[0]}")
        return random_tree(name, int(match[1]), int(match[2]), int(match[3]), float(match[4]) / 100)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # NumPy's about files without numbers
            found = (
                np.load(name)
                if name.endswith(".npy")
                else np.loadtxt(name, comments=("#", "%"), dtype=np.int64, ndmin=1)
            )
    except (OSError, ValueError) as fault:
        raise AppError(f"{name}: {getattr(fault, 'strerror', None) or fault}") from None
    if found.size == 0:
        raise AppError(f"{name}: a tree has at least 1 node, found 0")
    if found.ndim != 1 or found.dtype.kind not in "iu":
        raise AppError(
            f"{name}: {found.dtype} of shape {found.shape}; whole numbers are expected, a parent for each node"
        )
    if found.min() < -1 or found.max() >= len(found):
        wrong = int(np.flatnonzero((found < -1) | (found >= len(found)))[0])
        raise AppError(f"{name}: node {wrong}: the parent is {found[wrong]}; nodes are 0 to {len(found) - 1}")
    levels(name, found)
    return np.ascontiguousarray(found, np.int32)


def random_tree(name: str, count: int, least: int, most: int, chance: float, seed: int = SEED) -> Parents:
    """Return a tree of `count` levels; the root, and `chance` of the other nodes above the last, have children.

    How many they have, from `least` to `most`, is as likely for each number. Nodes lie level by level.
    """
    rng = np.random.default_rng(seed)
    found = [np.array([-1], np.int32)]
    begin, end = 0, 1
    for _ in range(1, count):
        children = rng.integers(least, most + 1, end - begin)
        if begin > 0:
            children[rng.random(end - begin) >= chance] = 0
        if end + children.sum() > MOST_NODES:
            raise AppError(f"{name}: more than 2^30 nodes are not supported")
        found.append(np.repeat(np.arange(begin, end, dtype=np.int32), children))
        begin, end = end, end + len(found[-1])
    return np.concatenate(found)


def levels(name: str, found: NDArray[np.integer]) -> Sequence[Rows | slice]:
    """Return the nodes of each level of a tree, the root's first. Raises `AppError` if it is no tree."""
    above = found[1:]
    is_in_order = found[0] == -1 and (above[:1] >= 0).all() and (above[1:] >= above[:-1]).all()
    if is_in_order and (above < np.arange(1, len(found))).all():
        return _levels_in_order(found)
    roots = np.flatnonzero(found == -1)
    if len(roots) > 1:
        raise AppError(f"{name}: nodes {roots[0]} and {roots[1]} both have no parent: a tree has one root")
    by_parent = np.argsort(found, kind="stable")
    start = np.searchsorted(found[by_parent], np.arange(len(found) + 1))
    level, met = roots, 0
    all_levels: list[Rows] = []
    while len(level):
        all_levels.append(level)
        met += len(level)
        counts = start[level + 1] - start[level]
        first = np.repeat(start[level] - np.cumsum(counts) + counts, counts)
        level = by_parent[first + np.arange(counts.sum())]
    if met < len(found):
        left = np.ones(len(found), bool)
        left[np.concatenate(all_levels or [roots])] = False
        raise AppError(f"{name}: node {np.flatnonzero(left)[0]} is its own ancestor, or below one that is")
    return all_levels


def _levels_in_order(found: NDArray[np.integer]) -> list[slice]:
    """Return the levels of a tree whose nodes lie level by level."""
    all_levels = [slice(0, 1)]
    while (begin := all_levels[-1].stop) < len(found):
        all_levels.append(slice(begin, int(np.searchsorted(found, begin))))
    return all_levels


def descendants(name: str, found: NDArray[np.integer]) -> Rows:
    """Return how many nodes the subtree of each node has."""
    counts = np.ones(len(found), np.int64)
    for level in reversed(levels(name, found)[1:]):
        above = found[level]
        least = int(above.min())
        counts[least : int(above.max()) + 1] += np.bincount(above - least, counts[level]).astype(np.int64)
    return counts


def _check(what: str, case: Case, _: Arrays, answers: Array) -> None:
    check_numbers(what, "counts", "node", descendants(case.label, case.arrays["parents"]), answers)


APP = subtree_app(
    name="td",
    question="how many nodes the subtree of each node of a tree has",
    source=HERE / "td.cu",
    inputs=INPUTS,
    quick_inputs=QUICK_INPUTS,
    known_inputs=KNOWN,
    cases=_cases,
    truth=no_truth,
    check=_check,
)
