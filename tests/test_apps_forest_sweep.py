"""Forests that are cut out of larger ones, and the sweep over them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from apps.forest import sweep
from apps.forest.run import APP
from apps.forest.trees import LEAF, Forest, check, cut, depth_of, of_scikit_learn, shares_of
from apps.harness import AppError
from apps.machine import CUDA
from apps.papers import wu_chapter5

# ------------------------------------------------------------------------------------------- smaller forests


def test_a_cut_forest_is_the_first_trees_up_to_a_depth() -> None:
    whole, model = trained(12, 6)
    rows = np.random.default_rng(3).normal(size=(300, whole.columns)).astype(np.float32)
    assert np.allclose(shares_of(whole, rows), model.predict_proba(rows), rtol=0, atol=1e-12)
    for trees, depth in ((12, 6), (5, 6), (12, 3), (4, 1), (1, 0)):
        small = cut(whole, trees, depth)
        check(small)
        assert (small.trees, depth_of(small)) == (trees, depth)
        for tree in range(trees):
            assert_same_up_to(depth, model.estimators_[tree].tree_, small, tree)
    assert cut(whole, 12, 9).left.tolist() == whole.left.tolist()
    with pytest.raises(AppError, match="13 trees of depth 1 of a forest of 12 trees"):
        cut(whole, 13, 1)


def trained(trees: int, depth: int) -> tuple[Forest, Any]:
    ensemble = pytest.importorskip("sklearn.ensemble")
    rng = np.random.default_rng(2)
    x = rng.normal(size=(500, 5)).astype(np.float32)
    y = (x[:, 0] * x[:, 1] + 0.5 * rng.normal(size=500) > 0).astype(int) + (x[:, 2] > 1)
    model = ensemble.RandomForestClassifier(trees, max_depth=depth, random_state=1).fit(x, y)
    return of_scikit_learn(model), model


def assert_same_up_to(depth: int, tree: Any, small: Forest, number: int) -> None:
    """Follow both trees from their roots; scikit-learn's nodes at `depth` are leaves of the small one."""
    base = small.first[number]
    pairs = [(0, 0, 0)]
    while pairs:
        level, its, own = pairs.pop()
        place = base + own
        assert np.allclose(small.values[place], tree.value[its, 0], rtol=0, atol=1e-12)
        is_leaf = tree.children_left[its] < 0 or level == depth
        assert (small.left[place] == LEAF) == is_leaf
        if not is_leaf:
            assert small.feature[place] == tree.feature[its] and small.threshold[place] == tree.threshold[its]
            pairs.append((level + 1, tree.children_left[its], small.left[place]))
            pairs.append((level + 1, tree.children_right[its], small.right[place]))


# ------------------------------------------------------------------------------------------- the sweep


def test_the_sweep_asks_every_forest_that_the_figures_have() -> None:
    sizes = sweep.sizes(sweep.INPUTS)
    assert len(sizes) == len(set(sizes)) == 4 * 8 + 4
    programs = {"avx512": "cpu", CUDA: "gpu"}
    last = sweep.INPUTS[-1]
    for table in wu_chapter5.TABLES:
        for needed in table.needs:
            size = sweep.Size("", int(needed.parameters["trees"]), int(needed.parameters["depth"]))
            for name in needed.inputs:
                (own,) = [each for each in sizes if replace(each, input="") == size and each.input == name]
                there = [(each.variant, each.target) for each in sweep.commands(own, last, programs)]
                assert len(there) == len(set(there))
                assert {(variant, "avx512") for variant in needed.variants} <= set(there), table.name
                assert {(variant, CUDA) for variant in needed.on_gpu} <= set(there), table.name


def test_a_small_sweep_has_right_answers(tmp_path: Path) -> None:
    case, truth = sweep.case_of(sweep.Size("synth:2000", 4, 2), cut(sweep.grown("synth:2000", 500), 10, 4), 500)
    assert case.parameters["trees"] == 4 and case.parameters["deepest"] == 2 and case.parameters["accuracy"] > 0.5
    right = np.full(len(case.arrays["rows"]), -1, np.int32)
    right[truth["rows"]] = truth["answers"]
    APP.check("sweep", case, truth, right)
    right[truth["rows"][np.flatnonzero(truth["ahead"] > 0)[0]]] ^= 1
    with pytest.raises(AppError, match="1 of 600 answers are not"):
        APP.check("sweep", case, truth, right)
