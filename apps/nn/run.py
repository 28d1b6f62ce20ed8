"""Compile nn.cu, answer all queries of real and random inputs, check every answer with SciPy, compare with baselines.

Each input is measured in both orders. In one process, round after round: the kernel (compiled for the input's
dimension), the same algorithm as scalar C++ (`host-recursive`, and `host-iterative` with a stack of its own), the
quickest algorithm known here for one query at a time (`scalar-cell`), and the kernel's algorithm in AVX-512 intrinsics
(`limit`). `program` is nn itself, as a user runs it, compiled once for all dimensions.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import statistics
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from .. import harness
from ..common import data, neighbours, options
from ..common.program import HOST_VARIANTS
from ..harness import AppError, Record

HERE = Path(__file__).parent
INPUTS = ("cities", "flights", "diamonds", "covtype-like", "random:70000x2", "random:200000x7")
QUICK_INPUTS = ("random:20000x2", "random:20000x7")
BASELINE_FLAGS = ("-std=c++17", "-Xcompiler", "-O3,-march=native,-fopenmp")


def main(argv: list[str]) -> int:
    args = options.parser("nn", __doc__, INPUTS, data.KNOWN).parse_args(argv)
    return options.finish("nn", args, _run)


def _run(args: argparse.Namespace) -> list[Record]:
    inputs = {name: data.load(name) for name in options.inputs(args, INPUTS, QUICK_INPUTS)}
    with tempfile.TemporaryDirectory(prefix="nn-") as name:
        bench = Bench(Path(name), args)
        records = bench.overheads()
        for label, points in inputs.items():
            truth = neighbours.nearest_distances(label, points, 1)
            for order in options.orders(args):
                print(f"{label}, {order} ...", file=sys.stderr)
                records += bench.measure(label, points, truth, order)
    return records


class Bench:
    """The compiled programs, in a folder of their own, and what they measure."""

    def __init__(self, folder: Path, args: argparse.Namespace) -> None:
        from simt2simd.target import native

        self.folder = folder
        self.cores: int = args.cores
        self.quick: bool = args.quick
        self.target_flag = f"--target={args.target}"
        self.target: str = native().name if args.target == "native" else args.target
        self.compile_seconds = harness.simt2simd("compile", HERE / "nn.cu", self.target_flag, "-o", folder / "nn")

    def _environment(self) -> dict[str, str]:
        return {"S2S_THREADS": str(self.cores), "OMP_NUM_THREADS": str(self.cores)}

    def _bench_for(self, dim: int) -> Path:
        """Return the benchmark for one dimension, the kernel and its baselines compiled for it."""
        program = self.folder / f"bench{dim}"
        if not program.exists():
            dimension = f"-DDIM={dim}"
            kernel = self.folder / "kernel.o"
            flags = ("-c", "-DNN_LIBRARY", dimension, self.target_flag)
            harness.simt2simd("compile", HERE / "nn.cu", *flags, "-o", kernel)
            objects = [kernel]
            for name in ("scalar", "limit", "bench"):
                objects.append(self.folder / f"{name}.o")
                harness.simt2simd("compile", "-c", HERE / f"{name}.cpp", dimension, *BASELINE_FLAGS, "-o", objects[-1])
            harness.simt2simd("compile", *objects, "-Xcompiler", "-fopenmp", "-o", program)
        return program

    def measure(self, label: str, points: data.Points, truth: NDArray[np.float64], order: str) -> list[Record]:
        """Return the records of one input in one order. Raises `AppError` at the first wrong answer."""
        file = self.folder / "points.npy"
        np.save(file, points)
        seconds, rounds = ("0.1", "1") if self.quick else ("3", "3")
        command = (file, order, str(self.cores), seconds, rounds, f"{self.folder}/answers-")
        output = harness.run([self._bench_for(points.shape[1]), *command], self._environment())
        found = json.loads(output)["variants"]
        least = {variant["variant"]: min(variant["ms"]) for variant in found}
        baseline = min(HOST_VARIANTS, key=least.__getitem__)
        records = []
        for variant in found:
            neighbours.check_file(f"{label}, {variant['variant']}", points, truth, Path(variant["answers"]))
            records.append(
                Record(
                    app="nn",
                    input=label,
                    order=order,
                    variant=variant["variant"],
                    target=self.target if variant["variant"] == "simt2simd" else "c++",
                    cores=self.cores,
                    ms=min(variant["ms"]),
                    median_ms=statistics.median(variant["ms"]),
                    checked=True,
                    baseline=baseline,
                    ratio=least[baseline] / min(variant["ms"]),
                )
            )
        if "limit" in least:
            against_limit = least["limit"] / records[0].ms
            records.append(replace(records[0], baseline="limit", ratio=against_limit))
        program = self._program(label, points, truth, order, file)
        records.append(replace(program, baseline=baseline, ratio=least[baseline] / program.ms))
        return records

    def _program(self, label: str, points: data.Points, truth: NDArray[np.float64], order: str, file: Path) -> Record:
        """Run nn itself."""
        answers = self.folder / "answers.npy"
        reps = "1" if self.quick else "5"
        command = (self.folder / "nn", "--input", file, "--order", order, "--reps", reps, "--out", answers)
        output = harness.run(command, self._environment())
        match = re.search(r"^kernel: ([\d.]+) ms", output, re.MULTILINE)
        if match is None:
            raise AppError(f"nn did not say how long its kernel took:\n{output}")
        neighbours.check_file(f"{label}, program", points, truth, answers)
        return Record("nn", label, order, "program", self.target, self.cores, float(match[1]), True)

    def overheads(self) -> list[Record]:
        """Return what compiling, importing, launching and waiting at a barrier cost."""
        program = self.folder / "overheads"
        harness.simt2simd("compile", HERE / "overheads.cu", self.target_flag, "-o", program)
        cores = min(2, len(os.sched_getaffinity(0)))
        found = json.loads(harness.run([program], {"S2S_THREADS": str(cores)}))

        def record(what: str, cores: int, ms: float, goal_ms: float) -> Record:
            return Record("nn", what, None, "simt2simd", self.target, cores, ms, False, goal_ms=goal_ms)

        launch = found["launch_ms"]
        return [
            record("compile nn.cu", 1, self.compile_seconds * 1e3, 3000),
            record("compile nn.cu, device part", 1, _device_part_ms(), 500),
            record("import simt2simd", 1, _import_ms(), 300),
            record("empty kernel, 1 block of 32", cores, launch["1"], 0.001),
            record("empty kernel, 128 blocks of 32", cores, launch["128"], 0.003),
            record("empty kernel, 4096 blocks of 32", cores, launch["4096"], 0.015),
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
