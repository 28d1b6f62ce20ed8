"""Ask forests of decision trees, trained by scikit-learn, what they say to rows of numbers.

All answers are compared with those of scikit-learn's predict(): any answer that differs is an error, unless two classes
are even but for rounding. LightGBM and XGBoost answer by models of their own, of which the accuracy is told.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from ..common import variants
from ..common.app import App, Array, Arrays, Case
from ..common.session import positive
from ..common.variants import Variant
from ..harness import AppError
from . import data, figures, peers
from .layout import SUBTREE_DEPTHS, csr, hierarchical
from .trees import depth_of, of_scikit_learn

HERE = Path(__file__).parent
INPUTS = ("covtype-like", "higgs-like", "susy-like", "synth")
QUICK_INPUTS = ("synth:4000",)
TREES, DEPTH = 100, 15
QUICK_TREES, QUICK_DEPTH = 10, 8
EVEN = {"int32": 1e-12, "float64": 1e-12, "int64": 1e-5, "float32": 1e-5}  # by how much answers may differ, relative

TEXTS = {
    "iterative": "within a subtree of {depth} levels a node's place gives those of its children",
    "encoded": "a subtree of {depth} levels as nested branches",
    "collaborative": "a warp asks all nodes of a subtree of {depth} levels at once",
}


def _variant(kernel: str, depth: int, atomic: bool) -> Variant:
    """Return a way to ask; of CSR `depth` is 0."""
    name = "-".join([kernel, *([str(depth)] if depth else []), *(["atomic"] if atomic else [])])
    text = TEXTS[kernel].format(depth=depth) if depth else "node after node, in CSR"
    mapping = ", a part of the trees, and atomic additions" if atomic else ""
    layout = f"h{depth}" if depth else "csr"
    arguments = ("--forest", f"{{{layout}}}", "--kernel", kernel, "--mapping", "atomic" if atomic else "free")
    return Variant(name, text + mapping, arguments=arguments)


LINKED = Variant(
    "linked",
    "nodes with links, the upper levels in a warp's registers, four rows of a thread at once",
    arguments=("--forest", "{csr}", "--kernel", "linked"),
)
KERNELS = sorted(
    [LINKED, *(_variant("csr", 0, atomic) for atomic in (False, True))]
    + [_variant(kernel, depth, atomic) for kernel in TEXTS for depth in SUBTREE_DEPTHS for atomic in (False, True)],
    key=lambda variant: variant.name != "iterative-4",
)
HOST = Variant("openmp", "C++ with OpenMP, the layout of iterative-4", "host", arguments=("--host", "--forest", "{h4}"))
PYTHON = (
    Variant("scikit-learn", "its predict()", "python"),
    Variant("onnxruntime", "ONNX Runtime, the forest converted by skl2onnx", "python"),
    Variant("treelite", "treelite's general inference library", "python"),
    Variant("lightgbm", "another model: LightGBM's, with as many trees and leaves", "python"),
    Variant("xgboost", "another model: XGBoost's, with as many trees and leaves", "python"),
)


def _add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--trees", type=positive, nargs="+", metavar="N", help=f"default: {TREES}, {QUICK_TREES} with --quick"
    )
    parser.add_argument(
        "--depth", type=positive, nargs="+", metavar="D", help=f"default: {DEPTH}, {QUICK_DEPTH} with --quick"
    )
    parser.add_argument(
        "--training", type=positive, default=data.MOST_TRAINING, metavar="N", help="rows to train with, at most"
    )


def _cases(name: str, args: argparse.Namespace) -> Iterator[Case]:
    quick = getattr(args, "quick", False)
    for trees in getattr(args, "trees", None) or [QUICK_TREES if quick else TREES]:
        for depth in getattr(args, "depth", None) or [QUICK_DEPTH if quick else DEPTH]:
            yield case_of(name, trees, depth, getattr(args, "training", data.MOST_TRAINING))


def case_of(name: str, trees: int, depth: int, training: int) -> Case:
    """Return the case of an input and a forest for it, which is trained first. Raises `AppError`."""
    rows = data.rows_of(name)
    model = data.model_of(name, trees, depth, training)
    forest = of_scikit_learn(model)
    layouts = {"csr": csr(forest), **{f"h{levels}": hierarchical(forest, levels) for levels in SUBTREE_DEPTHS}}
    return Case(
        input=name,
        label=f"{name}, {trees} trees, depth {depth}",
        arrays={**{key: layout.words() for key, layout in layouts.items()}, "rows": rows.asked},
        arguments=("--input", "{rows}"),
        defines=(f"-DOUTPUTS={forest.outputs}",),
        parameters={
            "trees": trees,
            "depth": depth,
            "training": training,
            "rows": len(rows.asked),
            "columns": forest.columns,
            "classes": rows.classes,
            "nodes": len(forest.left),
            "deepest": depth_of(forest),
            "accuracy": float(model.score(rows.asked, rows.right)),
            **{f"{key}_bytes": layout.bytes for key, layout in layouts.items()},
        },
    )


def _truth(case: Case, most: int | None) -> Arrays:
    """Return what scikit-learn answers, and how far ahead of the next class an answer is."""
    asked = case.arrays["rows"]
    rows = np.arange(len(asked)) if most is None else np.random.default_rng(1).permutation(len(asked))[:most]
    model = peers.model(case)
    if not case.parameters["classes"]:
        return {"rows": rows, "answers": model.predict(asked[rows]), "ahead": np.zeros(len(rows))}
    shares = model.predict_proba(asked[rows])
    in_order = np.sort(shares, axis=1)
    answers = shares.argmax(axis=1).astype(np.int32)
    return {"rows": rows, "answers": answers, "ahead": in_order[:, -1] - in_order[:, -2]}


def _check(what: str, case: Case, truth: Arrays, answers: Array) -> None:
    if len(answers) != len(case.arrays["rows"]):
        raise AppError(f"{what}: {len(answers)} answers to {len(case.arrays['rows'])} rows")
    check_answers(what, truth, answers)


def check_answers(what: str, truth: Arrays, answers: Array) -> None:
    """Raise `AppError` unless all answers are scikit-learn's.

    Where two classes are even but for rounding, either is right; packages that answer in other types than the program
    does add up in single precision.
    """
    rows, right = truth["rows"], truth["answers"]
    found, even = answers[rows], EVEN[answers.dtype.name]
    if right.dtype.kind == "f":
        wrong = np.flatnonzero(~np.isclose(found, right, rtol=even, atol=0))
    else:
        wrong = np.flatnonzero((found != right) & (truth["ahead"] > even))
    if len(wrong):
        first = int(wrong[0])
        raise AppError(
            f"{what}: {len(wrong)} of {len(rows)} answers are not scikit-learn's; first: "
            f"row {rows[first]}: {found[first]}, expected {right[first]}"
        )


APP = App(
    name="forest",
    question="which class a random forest gives to every row",
    source=HERE / "forest.cu",
    inputs=INPUTS,
    quick_inputs=QUICK_INPUTS,
    known_inputs=data.KNOWN,
    cases=_cases,
    truth=_truth,
    check=_check,
    variants=(*KERNELS, HOST, *PYTHON),
    baselines=(HOST.name,),
    orders=(),
    peers=peers.PEERS,
    add_options=_add_options,
    host_flags=variants.OPENMP_HOST_FLAGS,
    libraries=variants.OPENMP_LIBRARIES,
    figures=figures.draw,
)
