"""Search graphs in breadth, a launch for each level or for many.

All levels are checked with SciPy. The nodes are in the order in which they are made, and in random order.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from .. import harness, programs
from ..common.app import ORDERS, Array, Arrays, Case
from ..common.iterative import check_numbers, iterative_app
from ..harness import AppError

HERE = Path(__file__).parent
INPUTS = ("road:1024", "rmat:20x16")
QUICK_INPUTS = ("road:64",)
KNOWN = "road:SIDE, rmat:SCALExDEGREE, or a file: .npy, or text with an edge a line"
FORMS = ("queue", "masks")
MADE = ("road:", "rmat:")

Levels = NDArray[np.int64]


def _add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--form", choices=FORMS, default=FORMS[0], help=f"default: {FORMS[0]}")


def _cases(name: str, args: argparse.Namespace) -> Iterator[Case]:
    form = getattr(args, "form", FORMS[0])
    for order in ORDERS:
        if getattr(args, "order", None) not in (None, order):
            continue
        if name.startswith(MADE):  # by the program, the same everywhere
            yield Case(name, name, {}, ("--input", name, "--order", order, "--form", form), order=order)
        else:
            edges = edges_of(name, order)
            yield Case(name, name, {"edges": edges}, ("--input", "{edges}", "--form", form), order=order)


def edges_of(name: str, order: str) -> NDArray[np.int32]:
    """Return the edges of a graph, as the program makes them or reads them from a file."""
    with tempfile.TemporaryDirectory(prefix="bfs-") as folder:
        file = f"{folder}/edges.npy"
        program = programs.build(HERE / "bfs.cu")
        harness.run((program, "--input", name, "--order", order, "--save-edges", file, "--reps", "1"))
        edges: NDArray[np.int32] = np.load(file)
    return edges


def _truth(case: Case, most: int | None) -> Arrays:
    edges = case.arrays["edges"] if case.arrays else edges_of(case.input, case.order)
    right = levels(edges, nodes=nodes_of(case.input, edges)).astype(np.int32)
    rows = np.arange(len(right)) if most is None else np.sort(np.random.default_rng(1).permutation(len(right))[:most])
    return {"rows": rows, "levels": right[rows], "nodes": np.array(len(right))}


def _check(what: str, _: Case, truth: Arrays, answers: Array) -> None:
    if answers.shape != (nodes := int(truth["nodes"]),):
        raise AppError(f"{what}: answers of shape {answers.shape}, expected {nodes} levels")
    check_numbers(what, "levels", "node", truth["levels"], answers[truth["rows"]], truth["rows"])


def nodes_of(name: str, edges: NDArray[np.int32]) -> int:
    """Return the number of nodes of a graph, of which the last may have no edge if the program makes it."""
    kind, _, size = name.partition(":")
    if kind == "road":
        return int(size) ** 2
    if kind == "rmat":
        return 1 << int(size.partition("x")[0])
    return int(edges.max()) + 1


def levels(edges: NDArray[np.int32], source: int | None = None, nodes: int | None = None) -> Levels:
    """Return how many edges each node is away from the source, by SciPy; -1 where there is no way.

    The source is the node of most edges, the first of several, if none is given; the nodes are those with edges and
    the ones before them, if no number is given.
    """
    try:
        from scipy.sparse import csr_matrix
        from scipy.sparse.csgraph import dijkstra
    except ImportError:
        raise AppError("checking needs the package scipy: pip install simt2simd[data]") from None
    nodes = nodes or int(edges.max()) + 1
    if source is None:
        source = int(np.bincount(edges.ravel(), minlength=nodes).argmax())
    ends = np.concatenate([edges, edges[:, ::-1]])
    graph = csr_matrix((np.ones(len(ends), np.float32), (ends[:, 0], ends[:, 1])), shape=(nodes, nodes))
    away = dijkstra(graph, unweighted=True, indices=source)
    found: Levels = np.where(np.isfinite(away), away, -1).astype(np.int64)
    return found


APP = iterative_app(
    name="bfs",
    question="how many edges each node of a graph is away from one",
    source=HERE / "bfs.cu",
    inputs=INPUTS,
    quick_inputs=QUICK_INPUTS,
    known_inputs=KNOWN,
    cases=_cases,
    truth=_truth,
    check=_check,
    add_options=_add_options,
)
