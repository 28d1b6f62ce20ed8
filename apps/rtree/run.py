"""Search an R-tree for the records that overlap rectangles, by recursion and by stacks of threads, warps and blocks.

Some answers are checked with NumPy, by all records, and all answers must be the same in all variants.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from ..common import data, variants
from ..common.app import App, Array, Arrays, Case
from ..common.variants import Variant
from ..harness import AppError

INPUTS = ("random:4194304x2",)
QUICK_INPUTS = ("random:20000x2",)
KNOWN = "random:Nx2, cities, FILE.npy or FILE.csv with points (2 numbers a row) or rectangles (4)"
NODE_SIZES = tuple(2**power for power in range(1, 13))  # as in figure 2 of Yang et al.
QUICK_NODE_SIZES = (2, 16, 256)
MOST_NODE_SIZE = 65536
QUERIES = 100_000  # at most: as many as records
SELECTIVITY = 1e-5
TESTS = 4e8  # of a record against a query, by NumPy: some seconds

RECURSIVE = Variant(
    "recursive", "recursion, a query a thread: the lanes of a gang together", arguments=("--form", "recursive")
)
T_STACK = Variant(
    "t-stack", "a stack a thread, a query a thread: run as the walk that it is", arguments=("--form", "thread")
)
T_STACK_AS_WRITTEN = Variant(
    "t-stack-as-written",
    "the same, each lane at its own node",
    flags=("--disable=stack-loops",),
    arguments=("--form", "thread"),
)
W_STACK = Variant("w-stack", "a stack a warp: its lanes look at entries of one node", arguments=("--form", "warp"))
B_STACK = Variant("b-stack", "a stack a block: its threads look at entries of one node", arguments=("--form", "block"))
SMALL_STACK = 16  # entries: so few that some searches find their stack full


def _small(name: str, form: str) -> Variant:
    text = f"{name} with {SMALL_STACK} entries: full stacks are dumped and resumed"
    return Variant(f"{name}-{SMALL_STACK}", text, arguments=("--form", form, "--stack", str(SMALL_STACK)))


SMALL = (_small("t-stack", "thread"), _small("w-stack", "warp"), _small("b-stack", "block"))
HYBRID = (
    Variant("bw-stack", "a stack a block, then one for each of its warps", arguments=("--form", "block-warp")),
    Variant("wt-stack", "a stack a warp, then one for each of its lanes", arguments=("--form", "warp-thread")),
)
OPENMP = Variant("openmp", "C++ with OpenMP, recursive", "host", arguments=("--host", "openmp"))


def _add_options(parser: argparse.ArgumentParser) -> None:
    sizes = " ".join(map(str, NODE_SIZES))
    parser.add_argument("--node-size", type=_node_size, nargs="+", metavar="N", help=f"entries (default: {sizes})")
    parser.add_argument(
        "--selectivity", type=_selectivity, metavar="S", help=f"a query's part of the area (default: {SELECTIVITY:g})"
    )


def _node_size(text: str) -> int:
    if not text.isdecimal() or not 2 <= int(text) <= MOST_NODE_SIZE:
        raise argparse.ArgumentTypeError(f"expected a whole number from 2 to {MOST_NODE_SIZE}, found '{text}'")
    return int(text)


def _selectivity(text: str) -> float:
    try:
        part = float(text)
    except ValueError:
        part = -1.0
    if not 0 <= part <= 1:
        raise argparse.ArgumentTypeError(f"expected a number from 0 to 1, found '{text}'")
    return part


def _cases(name: str, args: argparse.Namespace) -> Iterator[Case]:
    records = data.load(name)
    boxes = boxes_of(name, records)
    given: float | None = getattr(args, "selectivity", None)
    selectivity = SELECTIVITY if given is None else given
    queries = queries_of(boxes, selectivity)
    quick = getattr(args, "quick", False)
    sizes = getattr(args, "node_size", None) or (QUICK_NODE_SIZES if quick else NODE_SIZES)
    for size in dict.fromkeys(sizes):
        yield Case(
            input=name,
            label=f"{name}, N={size}",
            arrays={"records": records, "queries": queries},
            arguments=("--input", "{records}", "--queries", "{queries}", "--node-size", str(size)),
            parameters={"node size": size, "selectivity": selectivity},
            kept=("queries",),
        )


def boxes_of(name: str, rows: data.Points) -> data.Points:
    """Return the rectangles x0, y0, x1, y1 that points or rectangles are."""
    if rows.shape[1] not in (2, 4):
        raise AppError(f"{name}: rows of {rows.shape[1]} numbers; rectangles have 4 (x0, y0, x1, y1), points 2")
    if not len(rows):
        raise AppError(f"{name}: an R-tree needs at least 1 record, found 0")
    boxes = rows if rows.shape[1] == 4 else np.concatenate((rows, rows), axis=1)
    wrong = np.flatnonzero((boxes[:, :2] > boxes[:, 2:]).any(axis=1))
    if len(wrong):
        raise AppError(f"{name}: row {wrong[0]}: {boxes[wrong[0]].tolist()} is no rectangle: lower edges come first")
    return boxes


def queries_of(boxes: data.Points, selectivity: float) -> data.Points:
    """Return rectangles around random records, each a part of the area of all records together, of its proportions."""
    rng = np.random.default_rng(7)
    chosen = boxes[rng.integers(0, len(boxes), min(len(boxes), QUERIES))].astype(np.float64)
    centres = (chosen[:, :2] + chosen[:, 2:]) / 2
    sides = boxes[:, 2:].max(axis=0).astype(np.float64) - boxes[:, :2].min(axis=0)
    half = 0.5 * selectivity**0.5 * sides
    return np.concatenate((centres - half, centres + half), axis=1).astype(np.float32)


def _truth(case: Case, most: int | None) -> Arrays:
    boxes = boxes_of(case.input, np.asarray(case.arrays["records"]))
    queries = np.asarray(case.arrays["queries"])
    affordable = max(16, int(TESTS / len(boxes)))
    rows = np.random.default_rng(1).permutation(len(queries))[: min(affordable, most or affordable)]
    return {"rows": rows, "right": search(boxes, queries[rows])}


def search(boxes: data.Points, queries: data.Points) -> Array:
    """Return for each query how many boxes overlap it, and the sum of their rows modulo 2^32."""
    x0, y0, x1, y1 = np.ascontiguousarray(boxes.T)
    right = np.empty(len(queries), [("count", "<i4"), ("sum", "<u4")])
    for i, (left, low, far, high) in enumerate(queries):
        hits = np.flatnonzero((x0 <= far) & (x1 >= left) & (y0 <= high) & (y1 >= low))
        right[i] = len(hits), int(hits.sum()) % 2**32
    return right


def _check(what: str, case: Case, truth: Arrays, answers: Array) -> None:
    expected = len(case.arrays["queries"])
    if answers.shape != (expected,):
        raise AppError(f"{what}: answers of shape {answers.shape}, expected {expected}")
    check_answers(what, truth, answers)


def check_answers(what: str, truth: Arrays, answers: Array) -> None:
    """Raise `AppError` unless the answers of which the truth is known are right."""
    found, right = answers[truth["rows"]], truth["right"]
    wrong = np.flatnonzero((found["count"] != right["count"]) | (found["sum"] != right["sum"]))
    if len(wrong):
        first = wrong[0]
        raise AppError(
            f"{what}: {len(wrong)} of {len(right)} answers are wrong; first: query {truth['rows'][first]}: "
            f"{found[first]}, expected {right[first]} (records, sum of their rows)"
        )


APP = App(
    name="rtree",
    question="which records overlap a rectangle, by an R-tree",
    source=Path(__file__).parent / "rtree.cu",
    inputs=INPUTS,
    quick_inputs=QUICK_INPUTS,
    known_inputs=KNOWN,
    cases=_cases,
    truth=_truth,
    check=_check,
    variants=(RECURSIVE, T_STACK, T_STACK_AS_WRITTEN, W_STACK, B_STACK, *SMALL, *HYBRID, *variants.HOST, OPENMP),
    baselines=(*variants.BASELINES, OPENMP.name),
    exact=True,
    axis="node size",
    add_options=_add_options,
    host_flags=variants.OPENMP_HOST_FLAGS,
    libraries=variants.OPENMP_LIBRARIES,
)
