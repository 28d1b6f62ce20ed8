"""Writes forests as the program reads them: with nodes linked one by one (CSR), or in subtrees that are arrays.

A file is one int32 array: HEADER, then the sections that `Layout` names, each as 32-bit words. A leaf's node has the
feature LEAF and, in place of a threshold, the number of its row among the values.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..harness import AppError
from .trees import LEAF, Forest, Ints, children_of, levels_of

MAGIC = 0x5453_5246  # "FRST"
SUBTREE_DEPTHS = (3, 4, 5)  # a warp has a lane for each of the 31 nodes of the deepest
MOST_WORDS = 2**31 - 1


@dataclass(frozen=True)
class Layout:
    """What is in a file.

    `depth` is that of subtrees, 0 of CSR. `roots`: of CSR the first node of each tree, else the first subtree. `links`:
    of CSR for each node where its two children stand in `children`; else for each subtree a pair, its first node and
    where its bottom nodes' children stand. `children`: of CSR nodes, else subtrees, a pair for each node that has
    children there. `nodes` has a pair of words for each node: feature and threshold. `values` has a row for each
    different leaf.
    """

    depth: int
    numbers: bool
    columns: int
    roots: Ints
    links: Ints
    children: Ints
    nodes: Ints
    values: NDArray[np.float64]

    @property
    def bytes(self) -> int:
        """The bytes of nodes and topology. The values of leaves are the same in all layouts."""
        return sum(each.nbytes for each in (self.roots, self.links, self.children, self.nodes))

    def words(self) -> Ints:
        """Return all of it as the program reads it."""
        header = (
            MAGIC, self.depth, int(self.numbers), self.columns, self.values.shape[1], len(self.roots),
            self.links.size, self.children.size, len(self.nodes), len(self.values),
        )  # fmt: skip
        parts = (np.array(header, np.int32), self.roots, self.links, self.children, self.nodes, self.values)
        words = [np.ascontiguousarray(part).view(np.int32).ravel() for part in parts]
        if sum(map(len, words)) > MOST_WORDS:
            raise AppError("a forest of more than 2^31 words")
        return np.concatenate(words)


def csr(forest: Forest) -> Layout:
    """Return a forest with its nodes in the order of their depth, tree after tree."""
    order = _tree_after_tree(forest, levels_of(forest))
    place = np.empty_like(order)
    place[order] = np.arange(len(order), dtype=np.int32)
    inner = forest.left[order] != LEAF
    nodes, values = _nodes(forest)
    return Layout(
        depth=0,
        numbers=forest.numbers,
        columns=forest.columns,
        roots=place[forest.first[:-1]],
        links=(2 * (np.cumsum(inner) - inner)).astype(np.int32),
        children=place[children_of(forest, order)],
        nodes=nodes[order],
        values=values,
    )


def hierarchical(forest: Forest, depth: int) -> Layout:
    """Return a forest in subtrees of at most `depth` levels, each an array in which n has the children 2n + 1, 2n + 2.

    An array ends with the last node that there is, and has nodes that are never reached where some are missing before.
    """
    if depth not in SUBTREE_DEPTHS:
        raise AppError(f"subtrees of depth {depth}; 3, 4 and 5 are supported")
    subtree, slot, roots = _places(forest, depth)
    count = len(roots)
    sizes = np.zeros(count, np.int32)
    np.maximum.at(sizes, subtree, slot + 1)
    starts = np.cumsum(sizes) - sizes
    bottom = 2 ** (depth - 1) - 1
    linked = np.flatnonzero((slot >= bottom) & (forest.left != LEAF))
    ends = np.zeros(count, np.int64)
    np.maximum.at(ends, subtree[linked], 2 * (slot[linked] - bottom + 1))
    first_children = np.cumsum(ends) - ends
    children = np.zeros(int(ends.sum()), np.int32)
    below = children_of(forest, linked)
    at = first_children[subtree[linked]] + 2 * (slot[linked] - bottom)
    children[np.stack([at, at + 1], axis=1).ravel()] = subtree[below]
    nodes, values = _nodes(forest)
    slots = np.zeros((int(sizes.sum()), 2), np.int32)
    slots[:, 0] = LEAF
    slots[starts[subtree] + slot] = nodes
    return Layout(
        depth=depth,
        numbers=forest.numbers,
        columns=forest.columns,
        roots=subtree[forest.first[:-1]],
        links=np.stack([starts, first_children], axis=1).astype(np.int32),
        children=children,
        nodes=slots,
        values=values,
    )


def _places(forest: Forest, depth: int) -> tuple[Ints, Ints, Ints]:
    """Return for each node its subtree and its place there, and the roots of the subtrees."""
    levels = levels_of(forest)
    heads = _tree_after_tree(forest, levels[::depth])
    subtree = np.empty(len(forest.left), np.int32)
    slot = np.zeros(len(forest.left), np.int32)
    subtree[heads] = np.arange(len(heads), dtype=np.int32)
    for number, level in enumerate(levels[:-1]):
        if (number + 1) % depth:
            below = levels[number + 1]
            parents = np.repeat(level[forest.left[level] != LEAF], 2)
            subtree[below] = subtree[parents]
            slot[below] = 2 * slot[parents] + 1 + np.arange(len(below), dtype=np.int32) % 2
    return subtree, slot, heads


def _tree_after_tree(forest: Forest, levels: list[Ints]) -> Ints:
    """Return the nodes of some levels, those of the first tree first."""
    nodes = np.concatenate(levels)
    return nodes[np.argsort(forest.tree_of[nodes], kind="stable")]


def _nodes(forest: Forest) -> tuple[Ints, NDArray[np.float64]]:
    """Return the pairs of words of all nodes, and the different rows of values of leaves."""
    leaves = np.flatnonzero(forest.left == LEAF)
    values, rows = np.unique(forest.values[leaves], axis=0, return_inverse=True)
    nodes = np.empty((len(forest.left), 2), np.int32)
    nodes[:, 0] = np.where(forest.left == LEAF, LEAF, forest.feature)
    nodes[:, 1] = rounded_down(forest.threshold).view(np.int32)
    nodes[leaves, 1] = rows.ravel()
    return nodes, np.ascontiguousarray(values)


def rounded_down(numbers: NDArray[np.float64]) -> NDArray[np.float32]:
    """Return the largest float32 numbers that are not above `numbers`: a float32 x is <= both or neither of them."""
    with np.errstate(over="ignore"):
        nearest = numbers.astype(np.float32)
    below = np.nextafter(nearest, np.float32(-np.inf))
    rounded: NDArray[np.float32] = np.where(nearest > numbers, below, nearest)
    return rounded
