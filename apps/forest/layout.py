"""Writes forests as the program reads them: with nodes linked one by one (CSR), or in subtrees that are arrays.

A file is one int32 array: a header, then the sections that `Layout` names, each as 32-bit words. A leaf's node has the
feature LEAF and, in place of a threshold, the number of its row among the values.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ..harness import AppError
from .trees import LEAF, Forest, Ints, children_of, levels_of

MAGIC = 0x5453_5246  # "FRST"
SUBTREE_DEPTHS = (3, 4, 5)  # a warp has a lane for each pair of words of the deepest
LINE_NODES = 8  # in a line of a cache
NOTHING = -1  # a child or a subtree that there is not
MOST_WORDS = 2**31 - 1


@dataclass(frozen=True)
class Layout:
    """What is in a file.

    `depth` is that of subtrees, 0 of CSR. `nodes` has a pair of words for each node: feature and threshold. `roots` has
    for each tree where its root is among the nodes, or its first subtree. `links`, of CSR alone, has for each node
    where its children stand in `children`. `children` has nodes, or what is below the bottom of a full subtree:
    subtrees, and of leaves their rows of values, with all bits inverted. A subtree's first pair says where its
    children stand, and how many pairs there are to the next subtree; behind it come the nodes 1, 2, 3 and so on, of
    which n has the children 2n and 2n + 1. `values` has a row for each different leaf.
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
            len(self.links), len(self.children), len(self.nodes), len(self.values),
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
    """Return a forest in subtrees of at most `depth` levels.

    A subtree ends with its last node; where one before that is missing, there is one that is never reached. None has a
    leaf alone, but where a tree is nothing else.
    """
    if depth not in SUBTREE_DEPTHS:
        raise AppError(f"subtrees of depth {depth}; 3, 4 and 5 are supported")
    levels = levels_of(forest)
    subtree, place, heads = _places(forest, levels, depth)
    inside = np.flatnonzero(subtree != NOTHING)
    sizes = np.zeros(len(heads), np.int64)
    np.maximum.at(sizes, subtree[inside], place[inside] + 1)
    starts = _starts(sizes)
    bottom = np.flatnonzero((subtree != NOTHING) & (place >= 2 ** (depth - 1)) & (forest.left != LEAF))
    left = 2 * place[bottom] - 2**depth
    ends = np.zeros(len(heads), np.int64)
    np.maximum.at(ends, subtree[bottom], left + 2)
    first_children = np.cumsum(ends) - ends
    own, values = _nodes(forest)
    children = np.full(int(ends.sum()), NOTHING, np.int32)
    at = first_children[subtree[bottom]] + left
    below = children_of(forest, bottom)
    children[np.stack([at, at + 1], axis=1).ravel()] = np.where(
        subtree[below] == NOTHING, ~own[below, 1], starts[subtree[below]]
    )
    nodes = np.full((int(starts[-1]), 2), (LEAF, 0), np.int32)
    nodes[starts[:-1]] = np.stack([first_children, np.diff(starts)], axis=1)
    nodes[starts[subtree[inside]] + place[inside]] = own[inside]
    return Layout(
        depth=depth,
        numbers=forest.numbers,
        columns=forest.columns,
        roots=starts[subtree[forest.first[:-1]]].astype(np.int32),
        links=np.zeros(0, np.int32),
        children=children,
        nodes=nodes,
        values=values,
    )


def _starts(sizes: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return where subtrees of some sizes begin, and where the last one ends.

    None lies in more lines of a cache than it needs.
    """
    starts, next_start = [], 0
    for size in sizes.tolist():
        if (next_start % LINE_NODES + size - 1) // LINE_NODES > (size - 1) // LINE_NODES:
            next_start += -next_start % LINE_NODES
        starts.append(next_start)
        next_start += size
    return np.array([*starts, next_start], np.int64)


def _places(forest: Forest, levels: list[Ints], depth: int) -> tuple[Ints, Ints, Ints]:
    """Return for each node its subtree and its place there, and the roots of the subtrees, parents first.

    Leaves right below a subtree are in NOTHING.
    """
    heads = _tree_after_tree(forest, levels[::depth])
    heads = heads[(forest.left[heads] != LEAF) | np.isin(heads, forest.first)]
    subtree = np.full(len(forest.left), NOTHING, np.int32)
    place = np.ones(len(forest.left), np.int32)
    subtree[heads] = np.arange(len(heads), dtype=np.int32)
    for number, level in enumerate(levels[:-1]):
        if (number + 1) % depth:
            below = levels[number + 1]
            parents = np.repeat(level[forest.left[level] != LEAF], 2)
            subtree[below] = subtree[parents]
            place[below] = 2 * place[parents] + np.arange(len(below), dtype=np.int32) % 2
    return subtree, place, heads


def _tree_after_tree(forest: Forest, levels: list[Ints]) -> Ints:
    """Return the nodes of some levels, those of the first tree first."""
    nodes = np.concatenate(levels)
    return nodes[np.argsort(forest.tree_of[nodes], kind="stable")]


def _nodes(forest: Forest) -> tuple[Ints, NDArray[np.float64]]:
    """Return the pairs of words of all nodes, and the different rows of values of leaves.

    Rows that a tree is the first to have stand together.
    """
    leaves = np.flatnonzero(forest.left == LEAF)
    values, firsts, rows = np.unique(forest.values[leaves], axis=0, return_index=True, return_inverse=True)
    order = np.argsort(firsts)
    nodes = np.empty((len(forest.left), 2), np.int32)
    nodes[:, 0] = np.where(forest.left == LEAF, LEAF, forest.feature)
    nodes[:, 1] = rounded_down(forest.threshold).view(np.int32)
    nodes[leaves, 1] = np.argsort(order)[rows.ravel()]
    return nodes, np.ascontiguousarray(values[order])


def rounded_down(numbers: NDArray[np.float64]) -> NDArray[np.float32]:
    """Return the largest float32 numbers that are not above `numbers`: a float32 x is <= both or neither of them."""
    with np.errstate(over="ignore"):
        nearest = numbers.astype(np.float32)
    below = np.nextafter(nearest, np.float32(-np.inf))
    rounded: NDArray[np.float32] = np.where(nearest > numbers, below, nearest)
    return rounded
