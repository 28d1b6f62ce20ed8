"""The model: what a kernel takes on a CPU and on a GPU, by the resource that it needs longest.

On a CPU, a core's instructions and its waiting for memory add up; cores share the memory's bandwidth, and a launch ends
with its longest gang.

On a GPU, warps hide each other's waiting: the time is that of the busiest of several resources, all of which work at
once. Where there are few warps, it is their own latency.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from .counts import LINE_BYTES, SECTOR_BYTES, KernelCounts
from .machines import Cpu, Gpu

Bound = Literal["compute", "cache", "memory", "latency", "longest warp", "atomics", "launches", "nothing"]


@dataclass(frozen=True)
class Time:
    """Milliseconds, and what most of them are spent for."""

    ms: float
    bound: Bound


@dataclass(frozen=True)
class Factors:
    """The constants that no data sheet has. `python -m apps tables predicted` fits them to measured times.

    The first five say what things take of what `simt2simd/costs.py` says, since LLVM hoists, joins and overlaps them:
    `cpu_vectors`: scalar and vector accesses; `cpu_gathers`: gathers and scatters; `cpu_atomics`; `cpu_operations`;
    `cpu_divergent`: branches on which lanes part, with their operations. `cpu_misses`: what is waited for memory.
    `cpu_scaling`: n cores do the work of n to the power of it.

    `gpu_issue`: instructions that a GPU issues for an operation of the program's text. `gpu_call`: instructions of a
    recursive call, with what it saves. `gpu_overlap`: accesses of a warp that are on their way at once. `gpu_special`:
    instructions of a division, a root. `gpu_meeting`: cycles of a lane that updates what the one before it has updated.
    """

    cpu_vectors: float = 0.21
    cpu_gathers: float = 0.8
    cpu_atomics: float = 3.0
    cpu_operations: float = 0.3
    cpu_divergent: float = 0.5
    cpu_misses: float = 1.0
    cpu_scaling: float = 0.76
    gpu_issue: float = 0.61
    gpu_call: float = 70.0
    gpu_overlap: float = 2.6
    gpu_special: float = 10.0
    gpu_meeting: float = 14.0


FITTED = Factors()

# ------------------------------------------------------------------------------------------- a CPU

# Which factor is that of which kind of `cpu_ns`.
_FACTORS = {
    "uniform": "cpu_vectors",
    "consecutive": "cpu_vectors",
    "strided": "cpu_vectors",
    "gather": "cpu_gathers",
    "scatter": "cpu_gathers",
    "atomic": "cpu_atomics",
    "other": "cpu_operations",
    "divergent": "cpu_divergent",
}


def on_cpu(counts: KernelCounts, cpu: Cpu, cores: int, factors: Factors = FITTED) -> Time:
    """Return what a kernel takes on so many cores."""
    compute = sum(ns * getattr(factors, _FACTORS[kind]) for kind, ns in counts.cpu_ns.items()) * cpu.slowness
    l1, l2, l3 = (counts.missed_by(size) for size in (cpu.l1_bytes, cpu.l2_bytes, cpu.l3_bytes))
    waiting = (max(0.0, l1 - l2) * cpu.l2_ns + max(0.0, l2 - l3) * cpu.l3_ns + l3 * cpu.dram_ns) * factors.cpu_misses
    one_core = compute + waiting
    shared = one_core / cores**factors.cpu_scaling
    bandwidth = l3 * LINE_BYTES / cpu.dram_gbs
    longest = one_core * _longest_part(counts)
    launches = ((counts.launches - counts.children) * cpu.launch_us + counts.children * cpu.child_us / cores) * 1e3
    parts: list[tuple[float, Bound]] = [
        (shared, "memory" if waiting > compute else "compute"),
        (bandwidth, "memory"),
        (longest if cores > 1 else 0.0, "longest warp"),
    ]
    return _time(parts, launches)


def _longest_part(counts: KernelCounts) -> float:
    """Return which part of a kernel's work is in the warps that do most of each launch."""
    own = counts.launches - counts.children
    all_accesses = sum(counts.accesses.values())
    if not own or not all_accesses or counts.operations["barrier"]:  # warps that wait for each other do alike
        return min(1.0, own / max(1, counts.warps))
    return min(1.0, counts.longest / max(1, all_accesses))


def _time(parts: Sequence[tuple[float, Bound]], launches_ns: float) -> Time:
    longest, bound = max(parts, key=lambda part: part[0])
    if launches_ns > longest:
        bound = "launches"
    total = longest + launches_ns
    return Time(total / 1e6, bound if total > 0 else "nothing")


# ------------------------------------------------------------------------------------------- a GPU

WARP = 32
SCHEDULERS = 4  # of a multiprocessor: warp instructions that it issues in a cycle
RESIDENT = 0.5  # of the warps that a multiprocessor could hold: registers and shared memory allow about so many
L1_CYCLES, L2_CYCLES, DRAM_CYCLES, SHARED_CYCLES = 33, 260, 650, 29  # of latency
OPERATION_CYCLES = 4.5  # from an instruction to the next one that needs its result
SECTORS_A_CYCLE = 4  # that a first-level cache hands out: 128 bytes
ATOMICS_A_CYCLE = 1.0  # lanes at different addresses, for each multiprocessor, in the second-level cache
BARRIER_CYCLES = 20
L1_OF_WARP = 4096  # bytes of the first-level cache that a warp can call its own, as many share it


def on_gpu(counts: KernelCounts, gpu: Gpu, factors: Factors = FITTED) -> Time:
    """Return what a kernel takes on a GPU."""
    if not counts.warps:
        return _time([(0.0, "nothing")], counts.launches * gpu.launch_us * 1e3)
    launches = max(1, counts.launches)
    in_launch = counts.warps / launches
    if counts.children:  # kernels launch while others run: their warps share the GPU
        in_launch = counts.warps / max(1, launches - counts.children)
    sms = max(1.0, min(gpu.sms, in_launch / 2))
    held = max(1.0, min(in_launch, gpu.sms * gpu.warps * RESIDENT))
    ops = counts.operations
    accesses = counts.global_accesses + counts.shared_accesses + counts.local_accesses
    issued = (
        (ops["int"] + ops["float"]) * factors.gpu_issue
        + ops["double"] * (gpu.fp32 / gpu.fp64)
        + ops["special"] * factors.gpu_special
        + counts.calls * factors.gpu_call
        + 2 * accesses
    )
    compute = issued / (min(SCHEDULERS, gpu.fp32 / WARP) * sms)
    wide = counts.local_bytes / (SECTORS_A_CYCLE * SECTOR_BYTES) + counts.shared_rounds
    first_level = (max(counts.global_accesses, counts.sectors / SECTORS_A_CYCLE) + wide) / sms
    from_l2, from_dram = counts.missed_by(L1_OF_WARP), counts.missed_by(gpu.l2_bytes)
    second_level = from_l2 * LINE_BYTES / gpu.l2_gbs * gpu.ghz
    memory = from_dram * LINE_BYTES / gpu.dram_gbs * gpu.ghz
    atomics = max(
        counts.atomic_addresses / (ATOMICS_A_CYCLE * sms),
        counts.atomic_hottest * factors.gpu_meeting,
    )
    alone = _cycles_alone(counts, issued, from_l2, from_dram, factors)
    parts: list[tuple[float, Bound]] = [
        (compute, "compute"),
        (first_level, "cache"),
        (second_level, "cache"),
        (memory, "memory"),
        (atomics, "atomics"),
        (alone / held, "latency"),
        (alone * _longest_part(counts), "longest warp"),
    ]
    launches_ns = ((counts.launches - counts.children) * gpu.launch_us + counts.children * gpu.child_us) * 1e3
    return _time([(cycles / gpu.ghz, bound) for cycles, bound in parts], launches_ns)


def _cycles_alone(counts: KernelCounts, issued: float, from_l2: float, from_dram: float, factors: Factors) -> float:
    """Return what all warps would take one after the other, each waiting for its own instructions."""
    lines = max(1, counts.lines)
    there, far = min(1.0, from_l2 / lines), min(1.0, from_dram / lines)
    latency = L1_CYCLES + there * (L2_CYCLES - L1_CYCLES) + far * (DRAM_CYCLES - L2_CYCLES)
    waits = counts.global_accesses * latency + counts.local_accesses * L1_CYCLES
    waits += counts.shared_accesses * SHARED_CYCLES + counts.operations["barrier"] * BARRIER_CYCLES
    waits += counts.atomics * L2_CYCLES
    return waits / factors.gpu_overlap + issued * OPERATION_CYCLES
