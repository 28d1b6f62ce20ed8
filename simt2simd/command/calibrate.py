"""Measures this CPU for `simt2simd predict`: about a second."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from pathlib import Path
from types import ModuleType

from .. import target
from ..predict.machines import CPUS, Cpu

SYSTEM = Path("/sys/devices/system/cpu/cpu0/cache")
_KERNELS = """
__global__ void chain(float *x, int n) {
    float a = x[threadIdx.x], b = a + 1, c = a + 2, d = a + 3;
    for (int i = 0; i < n; i++) { a = a * b + c; b = b * c + d; c = c * d + a; d = d * a + b; }
    x[threadIdx.x] = a + b + c + d;
}
__global__ void gather(const float *x, const int *at, float *y, int n) {
    float sum = 0;
    for (int i = 0; i < n; i++) sum += x[at[(i * 16 + threadIdx.x) & 1023]];
    y[threadIdx.x] = sum;
}
"""
_ROUNDS, _CHAIN_ROUNDS = 5, 100_000
_CHAIN_NS, _GATHER_NS = 4.6, 2.6  # of a round on the Xeon of `CPUS`, where "slowness" is 1


def measure() -> Cpu:
    """Return this CPU: its caches as the system tells, its speed and memory as measured."""
    import numpy as np

    xeon = CPUS["xeon"]
    cores = len(os.sched_getaffinity(0))
    known = (xeon.l1_bytes, xeon.l2_bytes, xeon.l3_bytes)
    l1, l2, l3 = (_cache_bytes(level, bytes_) for level, bytes_ in enumerate(known, start=1))
    l3 = min(l3, 32 << 20)  # a virtual machine is told of the whole of it
    waits = [_line_ns(np, size) for size in (l1 // 2, (l1 + l2) // 2, (l2 + l3) // 2, 4 * l3)]
    steps = [max(0.3, later - waits[0]) for later in waits[1:]]
    return replace(
        xeon,
        name="this",
        text=target.cpu_name() or "this CPU",
        cores=cores,
        slowness=_slowness(np),
        l1_bytes=l1,
        l2_bytes=l2,
        l3_bytes=l3,
        l2_ns=steps[0],
        l3_ns=steps[1],
        dram_ns=steps[2],
        dram_gbs=_stream_gbs(np, 2 * l3, cores),
    )


def _cache_bytes(level: int, otherwise: int) -> int:
    """Return the size of a core's cache for data."""
    units = {"K": 1 << 10, "M": 1 << 20, "G": 1 << 30}
    for folder in sorted(SYSTEM.glob("index*")):
        try:
            text = {name: (folder / name).read_text().strip() for name in ("level", "type", "size")}
            if text["level"] == str(level) and text["type"] != "Instruction":
                return int(text["size"][:-1]) * units[text["size"][-1]]
        except (OSError, KeyError, ValueError):
            continue
    return otherwise


def _least(work: Callable[[], object]) -> float:
    """Return the least seconds of several runs."""
    times = []
    for _ in range(_ROUNDS):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


def _slowness(np: ModuleType) -> float:
    """Return by how much this CPU is slower than the Xeon: the mean of arithmetic and gathers."""
    from ..python.kernel import RawModule

    module = RawModule(code=_KERNELS)
    chain, gather = module.get_function("chain"), module.get_function("gather")
    x = np.zeros(1024, np.float32)
    at = np.random.default_rng(1).permutation(1024).astype(np.int32)
    n = np.int32(_CHAIN_ROUNDS)
    ratios = []
    for kernel, arguments, known in ((chain, (x, n), _CHAIN_NS), (gather, (x, at, x.copy(), n), _GATHER_NS)):
        kernel((1,), (16,), arguments)
        seconds = _least(partial(kernel, (1,), (16,), arguments))
        ratios.append(seconds * 1e9 / _CHAIN_ROUNDS / known)
    return float(np.mean(ratios))


def _line_ns(np: ModuleType, size: int) -> float:
    """Return what a line costs that is read from anywhere in so many bytes, others being on their way."""
    lines = size // 64
    data = np.zeros(lines * 16, np.float32)
    count = min(1 << 16, max(1 << 12, lines))
    at = (np.random.default_rng(1).integers(0, lines, count) * 16).astype(np.intp)
    out = np.empty(count, np.float32)
    np.take(data, at, out=out, mode="clip")
    return _least(lambda: np.take(data, at, out=out, mode="clip")) * 1e9 / count


def _stream_gbs(np: ModuleType, size: int, cores: int) -> float:
    """Return what all cores together copy, in gigabytes a second."""
    parts = [(np.zeros(size // 8), np.ones(size // 8)) for _ in range(min(cores, 16))]
    with ThreadPoolExecutor(len(parts)) as pool:
        seconds = _least(lambda: list(pool.map(lambda part: np.copyto(part[0], part[1]), parts)))
    return 3 * size * len(parts) / seconds / 1e9  # what is written is read first
