"""The rows that forests are trained with and asked, and the forests, which are kept from run to run."""

from __future__ import annotations

import hashlib
import importlib
import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..harness import AppError, cache_dir
from ..progress import progress
from .trees import MOST_OUTPUTS

TRAINING_SHARE = 0.7
MOST_TRAINING = 200_000  # rows: each tree takes some 2 s for as many
KNOWN = "covtype-like, higgs-like, susy-like, synth or friedman, each as NAME:ROWS with other rows, or FILE.npy"


@dataclass(frozen=True)
class Made:
    """What scikit-learn's generator is asked for: as many rows, columns and classes as the data that it stands for."""

    rows: int
    columns: int
    classes: int
    options: Mapping[str, Any]


# Of Higgs and Susy, forests classify 7 and 8 rows of 10 right: so many labels are inverted.
MADE = {
    "covtype-like": Made(
        581_012,
        54,
        7,
        {"n_informative": 14, "n_clusters_per_class": 3, "weights": [0.365, 0.488, 0.062, 0.005, 0.015, 0.03, 0.035]},
    ),
    "higgs-like": Made(11_000_000, 28, 2, {"n_informative": 12, "n_clusters_per_class": 6, "flip_y": 0.35}),
    "susy-like": Made(5_000_000, 18, 2, {"n_informative": 8, "n_clusters_per_class": 4, "flip_y": 0.25}),
    "synth": Made(1_500_000, 50, 2, {"n_informative": 20, "n_clusters_per_class": 4}),
}
FRIEDMAN = Made(200_000, 10, 0, {})  # numbers, no classes


@dataclass(frozen=True)
class Rows:
    """Rows and what is known of them: a class, counted from 0, or a number if there are no `classes`."""

    classes: int
    trained: NDArray[np.float32]
    known: NDArray[Any]
    asked: NDArray[np.float32]
    right: NDArray[Any]


@cache
def rows_of(name: str) -> Rows:
    """Return the rows of an input. Raises `AppError` if there is no such input, or for what is wrong with a file."""
    if name.endswith(".npy"):
        x, y, classes = _of_file(name)
    else:
        x, y, classes = _made(name)
    train = int(len(x) * TRAINING_SHARE)
    if train < 2 or train == len(x):
        raise AppError(f"{name}: {len(x)} rows; at least 3 are needed, to train and to ask")
    return Rows(classes, x[:train], y[:train], x[train:], y[train:])


def _made(name: str) -> tuple[NDArray[np.float32], NDArray[Any], int]:
    match = re.fullmatch(r"([a-z-]+)(?::([1-9]\d*))?", name)
    if match is None or match[1] not in (*MADE, "friedman"):
        raise AppError(f"unknown input '{name}'; expected {KNOWN}")
    made = MADE.get(match[1], FRIEDMAN)
    rows = int(match[2] or made.rows)
    datasets = scikit_learn("datasets")
    if match[1] == "friedman":
        x, y = datasets.make_friedman1(rows, made.columns, noise=1.0, random_state=1)
        return x.astype(np.float32), y, 0
    if rows < 10 * made.classes:
        raise AppError(f"{name}: {rows} rows; at least {10 * made.classes} are needed for {made.classes} classes")
    x, y = datasets.make_classification(rows, made.columns, n_classes=made.classes, random_state=1, **made.options)
    return x.astype(np.float32), y.astype(np.int32), made.classes


def _of_file(name: str) -> tuple[NDArray[np.float32], NDArray[Any], int]:
    """Return the rows of a file: its last column has classes, as whole numbers, or numbers."""
    try:
        array = np.load(name, allow_pickle=False)
    except OSError as fault:
        raise AppError(f"{name}: {fault.strerror or fault}") from None
    except (ValueError, EOFError) as fault:
        raise AppError(f"{name}: not a file of numbers: {fault}") from None
    if array.ndim != 2 or array.shape[1] < 2 or array.dtype.kind not in "fiu":
        raise AppError(f"{name}: {array.dtype} of shape {array.shape}; rows of numbers, the class last, are expected")
    wrong = ~np.isfinite(array)
    with np.errstate(over="ignore"):
        wrong[:, :-1] |= ~np.isfinite(array[:, :-1].astype(np.float32))
    if wrong.any():
        row, column = (int(at) for at in np.argwhere(wrong)[0])
        raise AppError(f"{name}: row {row}, column {column}: {array[row, column]} is not a finite number")
    x, y = array[:, :-1].astype(np.float32), array[:, -1]
    found, classes = np.unique(y, return_inverse=True)
    if len(found) > MOST_OUTPUTS or (found != np.round(found)).any():
        return x, y.astype(np.float64), 0
    if len(found) < 2:
        raise AppError(f"{name}: all rows are of class {found[0]:g}" if len(found) else f"{name}: there are no rows")
    return x, classes.astype(np.int32), len(found)


def scikit_learn(part: str) -> Any:
    """Import a part of scikit-learn. Raises `AppError` if it is not installed."""
    try:
        return importlib.import_module(f"sklearn.{part}")
    except ImportError:
        raise AppError("forests need the package scikit-learn: pip install simt2simd[data]") from None


@cache
def model_of(name: str, trees: int, depth: int, most_training: int) -> Any:
    """Return the forest of scikit-learn that is trained with the rows of an input, or with the first of them."""
    ensemble = scikit_learn("ensemble")
    import sklearn

    rows = rows_of(name)
    x, y = rows.trained[:most_training], rows.known[:most_training]
    if rows.classes and len(np.unique(y)) < rows.classes:
        raise AppError(f"{name}: a class is empty: none of the {len(y)} rows trained with is of it")
    kind = ensemble.RandomForestClassifier if rows.classes else ensemble.RandomForestRegressor
    model = kind(trees, max_depth=depth, n_jobs=-1, random_state=1)

    def train() -> Any:
        """Train some trees at a time, which makes the same forest as all at once, and report how far that is."""
        at_a_time = max(len(os.sched_getaffinity(0)), trees // 10)
        with progress(f"training trees for {name}", trees) as done:
            model.set_params(warm_start=True)
            for there in range(0, trees, at_a_time):
                now = min(there + at_a_time, trees)
                model.set_params(n_estimators=now).fit(x, y)
                for _ in range(there, now):
                    done()
        return model.set_params(warm_start=False)

    return kept(x, y, f"{sklearn.__version__} {trees} {depth}", train)


def kept(x: NDArray[np.float32], y: NDArray[Any], what: str, train: Callable[[], Any]) -> Any:
    """Return what has been trained with rows before, or train it; `what` names the package and its settings."""
    import joblib

    key = hashlib.sha256(x.tobytes() + y.tobytes() + what.encode()).hexdigest()
    file = cache_dir("forests") / f"{key[:20]}.joblib"
    if file.exists():
        return joblib.load(file)
    model = train()
    unfinished = file.with_suffix(".unfinished")
    joblib.dump(model, unfinished)
    unfinished.rename(file)
    return model
