"""Forests of decision trees as flat arrays, taken from scikit-learn, and what can be wrong with them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..harness import AppError

LEAF = -1
MOST_OUTPUTS = 32  # classes: a warp has a lane for each

Ints = NDArray[np.int32]
Doubles = NDArray[np.float64]


@dataclass(frozen=True)
class Forest:
    """Trees, one behind the other.

    Tree t has the nodes first[t] to first[t + 1] - 1, its root first. `left` and `right` are nodes counted from the
    tree's first one, LEAF of a leaf. A row goes left where row[feature] <= threshold. `values` has a row for each node,
    of which those of leaves count: the share of each class, or one number if `numbers`. `columns` is how many numbers a
    row has that is asked.
    """

    columns: int
    numbers: bool
    first: Ints
    left: Ints
    right: Ints
    feature: Ints
    threshold: Doubles
    values: Doubles

    @property
    def trees(self) -> int:
        return len(self.first) - 1

    @property
    def outputs(self) -> int:
        return int(self.values.shape[1])

    @property
    def tree_of(self) -> Ints:
        """Return for each node the number of its tree."""
        return np.repeat(np.arange(self.trees, dtype=np.int32), np.diff(self.first))

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return all of it as arrays, for a file."""
        whole = {"columns": np.int32(self.columns), "numbers": np.bool_(self.numbers)}
        parts = ("first", "left", "right", "feature", "threshold", "values")
        return {
            **{name: np.asarray(each) for name, each in whole.items()},
            **{name: getattr(self, name) for name in parts},
        }


def of_arrays(arrays: Any) -> Forest:
    """Return the forest of what `Forest.arrays` made. Raises `AppError` if there is none in it, or a malformed one."""
    parts = ("first", "left", "right", "feature", "threshold", "values")
    for name in ("columns", "numbers", *parts):
        if name not in arrays:
            raise AppError(f"not a forest: there is no array '{name}'")
    forest = Forest(int(arrays["columns"]), bool(arrays["numbers"]), *(np.asarray(arrays[name]) for name in parts))
    check(forest)
    return forest


def _averages_trees(model: Any) -> bool:
    """Whether a model is a RandomForest or ExtraTrees; others with `estimators_` weigh them, or choose columns."""
    return hasattr(model, "predict") and any(base.__name__ == "BaseForest" for base in type(model).__mro__)


def of_scikit_learn(model: Any) -> Forest:
    """Return the forest of a fitted RandomForestClassifier, RandomForestRegressor or the like.

    Raises `AppError` if it is not fitted, has several outputs, or no classes.
    """
    if getattr(model, "estimators_", None) is not None and not _averages_trees(model):
        raise AppError(f"{type(model).__name__} is no forest of scikit-learn, whose answer is the mean of its trees")
    if not getattr(model, "estimators_", None):
        raise AppError(f"{type(model).__name__} is not fitted: it has no trees")
    if model.n_outputs_ != 1:
        raise AppError(f"a forest of {model.n_outputs_} outputs; one is supported")
    classes = getattr(model, "classes_", None)
    if classes is not None and len(classes) == 0:
        raise AppError("a forest without classes")
    trees = [each.tree_ for each in model.estimators_]
    counts = [tree.node_count for tree in trees]
    values = np.concatenate([tree.value[:, 0, :] for tree in trees])
    if classes is not None:
        values = _shares(values)
    forest = Forest(
        columns=int(model.n_features_in_),
        numbers=classes is None,
        first=np.concatenate([[0], np.cumsum(counts)]).astype(np.int32),
        left=np.concatenate([tree.children_left for tree in trees]).astype(np.int32),
        right=np.concatenate([tree.children_right for tree in trees]).astype(np.int32),
        feature=np.concatenate([np.where(tree.feature < 0, LEAF, tree.feature) for tree in trees]).astype(np.int32),
        threshold=np.concatenate([tree.threshold for tree in trees]),
        values=values,
    )
    check(forest)
    return forest


def _shares(values: Doubles) -> Doubles:
    """Return the shares of classes; scikit-learn before 1.3 kept weights instead."""
    sums = values.sum(axis=1, keepdims=True)
    return values if np.allclose(sums, 1) else values / np.where(sums == 0, 1, sums)


# ------------------------------------------------------------------------------------------- what can be wrong


def check(forest: Forest) -> None:
    """Raise `AppError`, with the tree and the node, unless all trees are trees and their numbers make sense."""
    _check_shapes(forest)
    inner = forest.left != LEAF
    _fail(forest, inner != (forest.right != LEAF), "has one child; two or none are expected")
    sizes = np.diff(forest.first)[forest.tree_of]
    for side in (forest.left, forest.right):
        wrong = inner & ((side < 0) | (side >= sizes))
        _fail(forest, wrong, lambda i, side=side: f"has the child {side[i]}; the tree has {sizes[i]} nodes")
    _fail(
        forest,
        inner & ((forest.feature < 0) | (forest.feature >= forest.columns)),
        lambda i: f"compares column {forest.feature[i]}; rows have {forest.columns}",
    )
    _fail(forest, inner & ~np.isfinite(forest.threshold), lambda i: f"has the threshold {forest.threshold[i]}")
    _fail(forest, ~inner & ~np.isfinite(forest.values).all(axis=1), "is a leaf whose value is not a finite number")
    if not forest.numbers:
        _fail(forest, ~inner & (forest.values < 0).any(axis=1), "is a leaf with a class of negative weight")
        _fail(forest, ~inner & (forest.values.sum(axis=1) <= 0), "is a leaf whose classes are all empty")
    _check_topology(forest, inner)


def _check_shapes(forest: Forest) -> None:
    nodes = len(forest.left)
    if forest.trees < 1:
        raise AppError("a forest without trees")
    if forest.values.ndim != 2 or forest.outputs < 1:
        raise AppError("a forest without classes")
    if forest.outputs > MOST_OUTPUTS:
        raise AppError(f"a forest of {forest.outputs} classes; at most {MOST_OUTPUTS} are supported")
    if forest.columns < 1:
        raise AppError("a forest for rows without columns")
    for name in ("left", "right", "feature", "threshold", "values"):
        if len(getattr(forest, name)) != nodes:
            raise AppError(f"a forest of {nodes} nodes, but {len(getattr(forest, name))} in '{name}'")
    if forest.first[0] != 0 or forest.first[-1] != nodes or (np.diff(forest.first) < 1).any():
        raise AppError(f"the first nodes of the trees do not divide {nodes} nodes into trees of one node or more")


def _check_topology(forest: Forest, inner: NDArray[np.bool_]) -> None:
    """Raise `AppError` unless each node but the root has one parent, and is reached from the root."""
    base = forest.first[forest.tree_of]
    children = np.concatenate([(forest.left + base)[inner], (forest.right + base)[inner]])
    parents = np.bincount(children, minlength=len(inner))
    is_root = np.zeros(len(inner), bool)
    is_root[forest.first[:-1]] = True
    _fail(forest, is_root & (parents > 0), "is the root and the child of another node: a cycle")
    _fail(forest, parents > 1, lambda i: f"is the child of {parents[i]} nodes")
    reached = np.zeros(len(inner), bool)
    level = forest.first[:-1]
    while len(level):
        reached[level] = True
        level = children_of(forest, level)
    _fail(forest, ~reached & (parents > 0), "is in a cycle: no way leads there from the root")
    _fail(forest, ~reached, "cannot be reached from the root")


def _fail(forest: Forest, wrong: NDArray[np.bool_], what: Any) -> None:
    if wrong.any():
        i = int(np.flatnonzero(wrong)[0])
        tree = int(forest.tree_of[i])
        text = what if isinstance(what, str) else what(i)
        raise AppError(f"tree {tree}: node {i - forest.first[tree]} {text}")


# ------------------------------------------------------------------------------------------- levels


def children_of(forest: Forest, level: NDArray[Any]) -> Ints:
    """Return the children of the inner nodes among some, left and right in turn. Nodes count from the first tree's."""
    inner = level[forest.left[level] != LEAF]
    base = forest.first[forest.tree_of[inner]] if len(inner) else inner
    return np.stack([forest.left[inner] + base, forest.right[inner] + base], axis=1).ravel().astype(np.int32)


def levels_of(forest: Forest) -> list[Ints]:
    """Return the nodes of each depth; each level has the nodes of the first tree first."""
    levels = [forest.first[:-1].astype(np.int32)]
    while len(below := children_of(forest, levels[-1])):
        levels.append(below)
    return levels


def depth_of(forest: Forest) -> int:
    """Return the depth of the deepest tree: 0 of a tree that is a leaf, as scikit-learn counts."""
    return len(levels_of(forest)) - 1


# ------------------------------------------------------------------------------------------- smaller forests


def cut(forest: Forest, trees: int, depth: int) -> Forest:
    """Return the first trees of a forest without what is deeper than `depth`, where nodes become leaves.

    Their values have to be there, as scikit-learn has them: the shares of the rows that reached a node in training.
    """
    if not 1 <= trees <= forest.trees or depth < 0:
        raise AppError(f"{trees} trees of depth {depth} of a forest of {forest.trees} trees")
    levels = levels_of(forest)[: depth + 1]
    kept = np.zeros(len(forest.left), bool)
    kept[np.concatenate(levels)] = True
    kept[forest.first[trees] :] = False
    last = np.zeros(len(forest.left), bool)
    last[levels[-1]] = len(levels) == depth + 1
    leaf = (last | (forest.left == LEAF))[kept]
    new_place = np.cumsum(kept) - 1
    first = np.concatenate([new_place[forest.first[:trees]], [int(kept.sum())]]).astype(np.int32)
    tree_of = forest.tree_of[kept]

    def moved(side: Ints) -> Ints:
        below = np.where(leaf, 0, side[kept] + forest.first[tree_of])
        return np.where(leaf, LEAF, new_place[below] - first[tree_of]).astype(np.int32)

    return Forest(
        columns=forest.columns,
        numbers=forest.numbers,
        first=first,
        left=moved(forest.left),
        right=moved(forest.right),
        feature=np.where(leaf, LEAF, forest.feature[kept]).astype(np.int32),
        threshold=forest.threshold[kept],
        values=forest.values[kept],
    )


def shares_of(forest: Forest, rows: NDArray[np.float32]) -> Doubles:
    """Return what a forest says to rows, the mean of its trees: shares of classes, or one number."""
    sums = np.zeros((len(rows), forest.outputs))
    for tree in range(forest.trees):
        base = forest.first[tree]
        at = np.full(len(rows), base, np.int64)
        asking = np.flatnonzero(forest.left[at] != LEAF)
        while len(asking):
            here = at[asking]
            goes_left = rows[asking, forest.feature[here]] <= forest.threshold[here]
            at[asking] = base + np.where(goes_left, forest.left[here], forest.right[here])
            asking = asking[forest.left[at[asking]] != LEAF]
        sums += forest.values[at]
    return sums / forest.trees
