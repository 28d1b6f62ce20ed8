"""Find the nearest other point of every point of a set, by recursive search of a kd-tree.

All answers are checked with SciPy. Programs are compiled for the input's number of coordinates. What compiling,
importing, launching and waiting at a barrier cost is measured too, unless variants are chosen.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from .. import harness
from ..common import data, neighbours, variants
from ..common.app import Case
from ..common.variants import Variant
from ..harness import Record

HERE = Path(__file__).parent

SCALAR_CELL = Variant(
    "scalar-cell",
    "another algorithm in C++, which keeps the distance to each node's cell",
    "host",
    flags=("-DSEARCH=scalar_cell_search",),
    sources=("baseline.cpp", "scalar.cpp"),
)
LIMIT = Variant(
    "limit",
    "the kernel's algorithm in AVX-512 intrinsics: what a compiler could reach",
    "host",
    flags=("-DSEARCH=limit_search",),
    sources=("baseline.cpp", "limit.cpp"),
)


def _cases(name: str, _: argparse.Namespace) -> Iterator[Case]:
    yield neighbours.case_of(name, data.load(name), 1)


# ------------------------------------------------------------------------------------------- overheads


def overheads(target: str) -> list[Record]:
    """Return what compiling, importing, launching and waiting at a barrier cost."""
    target_flag = f"--target={target}"
    with tempfile.TemporaryDirectory(prefix="nn-") as name:
        compile_seconds = harness.simt2simd("compile", HERE / "nn.cu", target_flag, "-o", Path(name) / "nn")
        program = Path(name) / "overheads"
        harness.simt2simd("compile", HERE / "overheads.cu", target_flag, "-o", program)
        threads = min(2, len(os.sched_getaffinity(0)))
        found = json.loads(harness.run([program], {"S2S_THREADS": str(threads)}))

    def record(what: str, cores: int, ms: float, goal_ms: float) -> Record:
        return Record("nn", what, None, "auto", target, cores, ms, False, goal_ms=goal_ms)

    launch = found["launch_ms"]
    return [
        record("compile nn.cu", 1, compile_seconds * 1e3, 3000),
        record("compile nn.cu, device part", 1, _device_part_ms(), 500),
        record("import simt2simd", 1, _import_ms(), 300),
        record("empty kernel, 1 block of 32", threads, launch["1"], 0.001),
        record("empty kernel, 128 blocks of 32", threads, launch["128"], 0.003),
        record("empty kernel, 4096 blocks of 32", threads, launch["4096"], 0.015),
        record("barrier, block of 256", 1, found["barrier_ms"]["256"], 60e-6),
    ]


def _import_ms() -> float:
    code = "import time; t = time.perf_counter(); import simt2simd; print(time.perf_counter() - t)"
    return min(float(harness.run([sys.executable, "-c", code])) for _ in range(3)) * 1e3


def _device_part_ms() -> float:
    """Return the time from nn.cu's text to its kernel's object code, without the host part."""
    from simt2simd.options import Options
    from simt2simd.pipeline import compile_device
    from simt2simd.source import Source
    from simt2simd.target import native

    times = []
    for _ in range(3):
        start = time.perf_counter()
        compile_device(Source.read(str(HERE / "nn.cu")), Options(target=native())).object_code()
        times.append(time.perf_counter() - start)
    return min(times) * 1e3


APP = neighbours.neighbours_app(
    name="nn",
    question="the nearest neighbour of every point, by a kd-tree",
    source=HERE / "nn.cu",
    cases=_cases,
    variants=(
        *variants.GUIDED,
        *variants.HOST,
        *variants.MIMD,
        SCALAR_CELL,
        LIMIT,
        variants.SCIPY,
        variants.SCIKIT_LEARN,
    ),
    overheads=overheads,
)
