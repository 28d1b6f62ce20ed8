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
from typing import TYPE_CHECKING

from .. import target
from ..predict.machines import CPU_KINDS, CPUS, Cpu

if TYPE_CHECKING:
    from ..python.kernel import RawModule

SYSTEM = Path("/sys/devices/system/cpu/cpu0/cache")
_KERNELS = """
__global__ void multiply(float *x, int n) {
    float c = x[threadIdx.x], sum = 0, a[8];
    for (int j = 0; j < 8; j++) a[j] = c + j;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < 8; j++) a[j] = a[j] * c + c;
    for (int j = 0; j < 8; j++) sum += a[j];
    x[threadIdx.x] = sum;
}
__global__ void gather(const float *x, const int *at, float *y, int n) {
    float sum = 0;
    for (int i = 0; i < n; i++) sum += x[at[(i * 16 + threadIdx.x) & 1023]];
    y[threadIdx.x] = sum;
}
__global__ void chase(const int *next, int n, int *out) {
    int at = 0;
    for (int i = 0; i < n; i++) at = next[at];
    out[0] = at;
}
"""
_REPETITIONS, _TURNS = 5, 100_000
_MULTIPLY_NS, _GATHER_NS = 2.16, 2.6  # of a turn on the Xeon of `CPUS`; eight of "fma" in `simt2simd/costs.py`
_MOST_STEPS, _LINE_INTS = 1 << 17, 16


def measure() -> Cpu:
    """Return this CPU: its caches as the system reports them, its speed and memory as measured."""
    import numpy as np

    from ..python.kernel import RawModule

    xeon = CPUS["xeon"]
    cores = len(os.sched_getaffinity(0))
    known = (xeon.l1_bytes, xeon.l2_bytes, xeon.l3_bytes)
    l1, l2, l3 = (_cache_bytes(level, bytes_) for level, bytes_ in enumerate(known, start=1))
    l3 = min(l3, 32 << 20)  # a virtual machine reports the host's whole cache
    module = RawModule(code=_KERNELS)
    waits = [_line_ns(np, module, size) for size in (l1 // 2, (l1 + l2) // 2, (l2 + l3) // 2, 4 * l3)]
    steps = [max(0.3, later - waits[0]) for later in waits[1:]]
    arithmetic, gathers = _slowness(np, module)
    return replace(
        xeon,
        name="this",
        text=target.cpu_name() or "this CPU",
        cores=cores,
        physical=_physical(cores),
        slowness=dict.fromkeys(CPU_KINDS, arithmetic) | dict.fromkeys(("gather", "scatter"), gathers),
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
    for _ in range(_REPETITIONS):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times)


def _slowness(np: ModuleType, module: RawModule) -> tuple[float, float]:
    """Return by how much this CPU is slower than the Xeon: in arithmetic, in gathers."""
    multiply, gather = module.get_function("multiply"), module.get_function("gather")
    x = np.zeros(1024, np.float32)
    at = np.random.default_rng(1).permutation(1024).astype(np.int32)
    n = np.int32(_TURNS)
    ratios = []
    for kernel, arguments, known in ((multiply, (x, n), _MULTIPLY_NS), (gather, (x, at, x.copy(), n), _GATHER_NS)):
        kernel((1,), (16,), arguments)
        seconds = _least(partial(kernel, (1,), (16,), arguments))
        ratios.append(seconds * 1e9 / _TURNS / known)
    return ratios[0], ratios[1]


def _line_ns(np: ModuleType, module: RawModule, size: int) -> float:
    """Return what a load takes from anywhere in so many bytes, when the next one waits for it."""
    lines = size // (4 * _LINE_INTS)
    order = np.random.default_rng(1).permutation(lines)
    next_ = np.zeros(lines * _LINE_INTS, np.int32)
    next_[order * _LINE_INTS] = np.roll(order, -1) * _LINE_INTS
    arguments = (next_, np.int32(_MOST_STEPS), np.zeros(1, np.int32))
    chase = module.get_function("chase")
    chase((1,), (1,), arguments)
    return _least(lambda: chase((1,), (1,), arguments)) * 1e9 / _MOST_STEPS


def _physical(cores: int) -> int:
    """Return on how many cores so many hardware threads are, by what the system reports of the first one."""
    try:
        siblings = (SYSTEM.parent / "topology/thread_siblings_list").read_text()
    except OSError:
        return cores
    return max(1, cores // 2) if "," in siblings or "-" in siblings else cores


def _stream_gbs(np: ModuleType, size: int, cores: int) -> float:
    """Return what all cores together copy, in gigabytes a second."""
    parts = [(np.zeros(size // 8), np.ones(size // 8)) for _ in range(min(cores, 16))]
    with ThreadPoolExecutor(len(parts)) as pool:
        seconds = _least(lambda: list(pool.map(lambda part: np.copyto(part[0], part[1]), parts)))
    return 3 * size * len(parts) / seconds / 1e9  # what is written is read first
