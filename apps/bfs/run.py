"""Compile bfs.cu, search graphs in breadth, check all levels with SciPy.

Each graph is measured by the kernels (`simt2simd`) and by C++ with OpenMP (`openmp`), on as many cores, with its nodes
in the order in which they are made and in random order.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from .. import harness
from ..common import iterative, options
from ..harness import AppError, Record

HERE = Path(__file__).parent
INPUTS = ("road:1024", "rmat:20x16")
KNOWN = "road:SIDE, rmat:SCALExDEGREE, or a file: .npy, or text with an edge a line"
FORMS = ("queue", "masks")

Levels = NDArray[np.int64]


def main(argv: list[str]) -> int:
    parser = iterative.parser("bfs", __doc__, INPUTS, KNOWN)
    parser.add_argument("--order", choices=options.ORDERS, help="of the nodes (default: both)")
    parser.add_argument("--form", choices=FORMS, default=FORMS[0], help=f"default: {FORMS[0]}")
    return options.finish("bfs", parser.parse_args(argv), _run)


def _run(args: argparse.Namespace) -> list[Record]:
    records = []
    with tempfile.TemporaryDirectory(prefix="bfs-") as name:
        program = iterative.IterativeProgram("bfs", HERE / "bfs.cu", Path(name), args)
        for label in args.input or INPUTS:
            for order in options.orders(args):
                print(f"{label}, {order}, {args.form} ...", file=sys.stderr)
                file = program.folder / "edges.npy"
                made = (program.compiled(), "--input", label, "--order", order, "--save-edges", file, "--reps", "1")
                harness.run(made)
                right = levels(np.load(file))

                def check(variant: str, answers: Path, label: str = label, right: Levels = right) -> None:
                    check_levels(f"{label}, {variant}", right, np.load(answers))

                arguments = ("--input", file, "--form", args.form)
                records += program.measure_beside_openmp(label, arguments, check, order)
    return records


def levels(edges: NDArray[np.int32], source: int | None = None) -> Levels:
    """Return how many edges each node is away from the source, by SciPy; -1 where there is no way.

    The source is the node of most edges, the first of several, if none is given.
    """
    try:
        from scipy.sparse import csr_matrix
        from scipy.sparse.csgraph import dijkstra
    except ImportError:
        raise AppError("checking needs the package scipy: pip install simt2simd[data]") from None
    nodes = int(edges.max()) + 1
    if source is None:
        source = int(np.bincount(edges.ravel(), minlength=nodes).argmax())
    ends = np.concatenate([edges, edges[:, ::-1]])
    graph = csr_matrix((np.ones(len(ends), np.float32), (ends[:, 0], ends[:, 1])), shape=(nodes, nodes))
    away = dijkstra(graph, unweighted=True, indices=source)
    found: Levels = np.where(np.isfinite(away), away, -1).astype(np.int64)
    return found


def check_levels(what: str, right: Levels, found: NDArray[np.int32]) -> None:
    """Raise `AppError` unless all levels are right."""
    wrong = np.flatnonzero(found != right) if found.shape == right.shape else np.arange(len(right))
    if len(wrong):
        first = int(wrong[0])
        raise AppError(
            f"{what}: {len(wrong)} of {len(right)} levels are wrong; first: node {first}: "
            f"{found[first]}, expected {right[first]}"
        )
