"""Ensembles of LightGBM and XGBoost with as many trees of as many leaves as a forest: other models of the same rows."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..common.app import Array, Case
from ..harness import AppError
from . import data

SAMPLE = 0.632  # of the rows, for each tree: as many different ones as scikit-learn draws


@dataclass(frozen=True)
class Size:
    """What trees are to be like. Of several classes each has its own trees, `rounds` of them."""

    rounds: int
    depth: int
    leaves: int
    columns: float  # the share that a node chooses from
    classes: int


def size_of(case: Case) -> Size:
    """Return how large another ensemble is, if it has as many trees in all as the forest, and as many leaves."""
    trees, depth, nodes, columns, classes = (
        int(case.parameters[name]) for name in ("trees", "depth", "nodes", "columns", "classes")
    )
    each_round = classes if classes > 2 else 1
    leaves = max(2, round((nodes + trees) / 2 / trees))
    share = 1.0 if classes == 0 else max(1, int(columns**0.5)) / columns
    return Size(max(1, round(trees / each_round)), depth, leaves, share, classes)


def light_gbm(case: Case) -> Any:
    """Return a forest that LightGBM has trained, as its boosters are."""
    import lightgbm

    size = size_of(case)
    objective = {0: "regression", 2: "binary"}.get(size.classes, "multiclass")
    settings = {
        "objective": objective, "boosting": "rf", "num_leaves": size.leaves, "max_depth": size.depth,
        "bagging_fraction": SAMPLE, "bagging_freq": 1, "feature_fraction_bynode": size.columns, "min_data_in_leaf": 1,
        "min_sum_hessian_in_leaf": 0.0, "seed": 1, "verbosity": -1,
    }  # fmt: skip
    if size.classes > 2:
        settings["num_class"] = size.classes

    def train(x: Array, y: Array) -> Any:
        return lightgbm.train(settings, lightgbm.Dataset(x, y, params={"verbosity": -1}), size.rounds)

    return _trained(case, "lightgbm", lightgbm.__version__, train)


def xg_boost(case: Case) -> Any:
    """Return a forest that XGBoost has trained in one round, as its boosters are."""
    import xgboost

    size = size_of(case)
    objective = {0: "reg:squarederror", 2: "binary:logistic"}.get(size.classes, "multi:softprob")
    settings = {
        "objective": objective, "tree_method": "hist", "grow_policy": "lossguide", "max_depth": size.depth,
        "max_leaves": size.leaves, "num_parallel_tree": size.rounds, "subsample": SAMPLE,
        "colsample_bynode": size.columns, "min_child_weight": 0.0, "learning_rate": 1.0, "seed": 1,
    }  # fmt: skip
    if size.classes > 2:
        settings["num_class"] = size.classes

    def train(x: Array, y: Array) -> Any:
        return xgboost.train(settings, xgboost.DMatrix(x, y), 1)

    return _trained(case, "xgboost", xgboost.__version__, train)


def _trained(case: Case, package: str, version: str, train: Callable[[Array, Array], Any]) -> Any:
    rows = data.rows_of(case.input)
    most = int(case.parameters["training"])
    x, y = rows.trained[:most], rows.known[:most]
    return data.kept(x, y, f"{package} {version} {size_of(case)}", lambda: train(x, y))


def ask_light_gbm(case: Case, _: str, cores: int) -> Callable[[], Array]:
    model, rows = light_gbm(case), np.array(case.arrays["rows"])

    def predict() -> Array:
        found: Array = model.predict(rows, num_threads=cores)
        return found

    return predict


def ask_xg_boost(case: Case, _: str, cores: int) -> Callable[[], Array]:
    model, rows = xg_boost(case), np.array(case.arrays["rows"])
    model.set_param({"nthread": cores})

    def predict() -> Array:
        found: Array = model.inplace_predict(rows)
        return found

    return predict


def answers(case: Case, found: Array) -> Array:
    """Return classes, or numbers: of two classes packages give the share of the second one."""
    if not case.parameters["classes"]:
        return found.astype(np.float64)
    return (found.argmax(axis=1) if found.ndim > 1 else found > 0.5).astype(np.int32)


def judge_light_gbm(case: Case, found: Array) -> dict[str, float]:
    leaves = re.findall(r"^num_leaves=(\d+)$", light_gbm(case).model_to_string(), re.MULTILINE)
    return _judged(case, "LightGBM", found, [int(count) for count in leaves])


def judge_xg_boost(case: Case, found: Array) -> dict[str, float]:
    return _judged(case, "XGBoost", found, [tree.count("leaf=") for tree in xg_boost(case).get_dump()])


def _judged(case: Case, package: str, found: Array, leaves: list[int]) -> dict[str, float]:
    """Return the accuracy of answers and the nodes of the trees. Raises `AppError` if the answers are bad ones."""
    right = data.rows_of(case.input).right
    if len(found) != len(right):
        raise AppError(f"{package}: {len(found)} answers to {len(right)} rows")
    if case.parameters["classes"]:
        accuracy, least = float(np.mean(found == right)), float(np.bincount(right).max() / len(right))
    else:
        accuracy, least = 1.0 - float(np.mean((found - right) ** 2) / np.var(right)), 0.0
    if not accuracy > least:
        raise AppError(f"{package}: an accuracy of {accuracy:.3f}; the same answer for all rows has {least:.3f}")
    return {"accuracy": accuracy, "nodes": sum(2 * count - 1 for count in leaves)}
