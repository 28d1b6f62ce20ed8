"""The model: what a kernel takes on a CPU and on a GPU, by the resource that it needs longest.

On a CPU, a core's instructions and its waiting for memory add up. Two hardware threads of a core share its instructions
and wait side by side. Cores share the memory's bandwidth, pass each other the lines that atomic functions update, and a
launch ends with its longest gang. A line is waited for alone where few accesses miss; where more do, several are on
their way, and streams are asked for ahead of time.

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
    """The constants that no data sheet has. `python -m apps.papers.predicting --fit` fits them to measured times.

    The first five say what things take of what `simt2simd/costs.py` says, since LLVM hoists, joins and overlaps them:
    `cpu_vectors`: scalar and vector accesses; `cpu_gathers`: gathers and scatters; `cpu_atomics`; `cpu_operations`;
    `cpu_divergent`: divergent branches, with their operations. `cpu_window`: accesses that a core looks ahead
    while it waits for one. `cpu_sorted`: nanoseconds of a thread that a launch sorts. `local`: which part of the
    accesses to threads' own arrays is to memory, on both; the others are in registers.

    `gpu_issue`: instructions that a GPU issues for an operation of the program's text. `gpu_call`: instructions of a
    recursive call. `gpu_frame`: registers that it stores and reads back; frames of all warps are too many for
    first-level caches. `gpu_overlap`: accesses of a warp that are on their way at once. `gpu_special`: instructions of
    a division, a root. `gpu_meeting`: cycles of a lane that updates a sector after another lane.
    """

    cpu_vectors: float = 0.21
    cpu_gathers: float = 0.8
    cpu_atomics: float = 2.26
    cpu_operations: float = 0.3
    cpu_divergent: float = 0.5
    cpu_window: float = 343.0
    cpu_sorted: float = 60.0
    local: float = 0.359
    gpu_issue: float = 0.61
    gpu_call: float = 60.0
    gpu_frame: float = 36.0
    gpu_overlap: float = 2.1
    gpu_special: float = 11.5
    gpu_meeting: float = 5.0


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
    cpu_ns = {**counts.cpu_ns, "consecutive": counts.cpu_ns["consecutive"] * _in_memory(counts, factors)}
    compute = sum(ns * getattr(factors, _FACTORS[kind]) * cpu.slowness.get(kind, 1.0) for kind, ns in cpu_ns.items())
    compute += counts.sorted * factors.cpu_sorted
    waiting = _waiting(counts, cpu, factors)
    one_core = compute + waiting
    physical = min(cores, cpu.physical)
    shared = max(compute / (physical * (SMT if cores > physical else 1.0)), one_core / cores)
    passed, meeting = _passed_lines(counts) if cores > 1 else (0.0, 0.0)
    bandwidth = counts.missed_by(cpu.l3_bytes) * LINE_BYTES / cpu.dram_gbs
    longest = one_core * _longest_part(counts)
    launch_us = cpu.launch_us if cores == 1 else cpu.wake_us
    child_us = cpu.grandchild_us if _launches_itself(counts) else cpu.child_us
    launches = ((counts.launches - counts.children) * launch_us + counts.children * child_us) * 1e3
    parts: list[tuple[float, Bound]] = [
        (shared + passed * LINE_PASSED_NS / cores, "memory" if waiting > compute else "compute"),
        (bandwidth, "memory"),
        (longest if cores > 1 else 0.0, "longest warp"),
        (meeting * LINE_PASSED_NS, "atomics"),
    ]
    return _time(parts, launches)


GANG = 16  # lanes
LINE_PASSED_NS = 80  # from the cache of a core to that of another one
SMT = 1.25  # what two hardware threads of a core do together, of what one does alone that never waits
LINES_ON_THEIR_WAY = 12  # of a core: its line fill buffers
LINES_AHEAD = 32  # of a stream, that a core's prefetchers ask for


def _passed_lines(counts: KernelCounts) -> tuple[float, float]:
    """Return how many lines cores take from each other for atomic functions: in all, and one after the other."""
    together = min(GANG, counts.atomic_lanes / max(1, counts.atomics))  # lanes of which a gang makes one update
    return counts.atomic_addresses, counts.atomic_hottest / max(1.0, together)


def _waiting(counts: KernelCounts, cpu: Cpu, factors: Factors) -> float:
    """Return what a core waits for lines: the more of them are among the accesses that it sees at once, the less."""
    l1, l2, l3 = (counts.missed_by(size) for size in (cpu.l1_bytes, cpu.l2_bytes, cpu.l3_bytes))
    accesses = max(1, 2 * sum(counts.accesses.values()))
    streamed = _streamed_part(counts)
    waits = 0.0
    for lines, beyond, ns in ((l1, l2, cpu.l2_ns), (l2, l3, cpu.l3_ns), (l3, 0.0, cpu.dram_ns)):
        at_once = min(LINES_ON_THEIR_WAY, max(1.0, factors.cpu_window * lines / accesses))
        waits += max(0.0, lines - beyond) * ns * (streamed / LINES_AHEAD + (1 - streamed) / at_once)
    return waits


def _streamed_part(counts: KernelCounts) -> float:
    """Return which part of the lines is asked for by accesses side by side, which CPUs prefetch."""
    kinds = counts.accesses
    others = counts.shared_accesses + counts.local_accesses  # most of them are side by side, too
    side_by_side = 2 * max(0, kinds["consecutive"] + kinds["strided"] - others)
    separate = GANG * (kinds["gather"] + kinds["scatter"] + kinds["atomic"]) + kinds["uniform"]
    return side_by_side / max(1, side_by_side + separate)


def _in_memory(counts: KernelCounts, factors: Factors) -> float:
    """Return which part of the accesses side by side is to memory: threads' own arrays are in registers, mostly."""
    side_by_side = counts.accesses["consecutive"]
    own = min(counts.local_accesses, side_by_side)
    return 1 - own / max(1, side_by_side) * (1 - factors.local)


def _launches_itself(counts: KernelCounts) -> bool:
    return 0 < counts.children < counts.launches


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
SECTORS_OF_REGISTER = 4  # of all lanes, in a thread's own memory
ATOMICS_A_CYCLE = 1.0  # lanes at different addresses, for each multiprocessor, in the second-level cache
BARRIER_CYCLES = 20
NESTED = 24  # how deep launches from kernels nest
L1_OF_WARP = 4096  # bytes of the first-level cache that a warp can call its own, as many share it


def on_gpu(counts: KernelCounts, gpu: Gpu, factors: Factors = FITTED) -> Time:
    """Return what a kernel takes on a GPU."""
    if not counts.warps:
        return _time([(0.0, "nothing")], counts.launches * gpu.launch_us * 1e3)
    launches = max(1, counts.launches)
    own = max(0, launches - counts.children)
    in_launch = counts.warps / _in_turn(counts)
    sms = max(1.0, min(gpu.sms, in_launch / 2))
    held = max(1.0, min(in_launch, gpu.sms * gpu.warps * RESIDENT))
    ops = counts.operations
    accesses = counts.global_accesses + counts.shared_accesses + factors.local * counts.local_accesses
    issued = (
        (ops["int"] + ops["float"]) * factors.gpu_issue
        + ops["double"] * (gpu.fp32 / gpu.fp64)
        + ops["special"] * factors.gpu_special
        + counts.calls * factors.gpu_call
        + 2 * accesses
    )
    compute = issued / (min(SCHEDULERS, gpu.fp32 / WARP) * sms)
    wide = factors.local * counts.local_bytes / (SECTORS_A_CYCLE * SECTOR_BYTES) + counts.shared_rounds
    first_level = (max(counts.global_accesses, counts.sectors / SECTORS_A_CYCLE) + wide) / sms
    from_l2, from_dram = counts.missed_by(L1_OF_WARP), counts.missed_by(gpu.l2_bytes)
    frames = counts.calls * 2 * factors.gpu_frame * max(1.0, SECTORS_OF_REGISTER * counts.active) * SECTOR_BYTES
    second_level = (from_l2 * LINE_BYTES + frames) / gpu.l2_gbs * gpu.ghz
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
    child_us = gpu.grandchild_us if _launches_itself(counts) else gpu.child_us
    launches_ns = (own * gpu.launch_us + counts.children * child_us) * 1e3
    launches_ns += (_in_turn(counts) - own) * gpu.generation_us * 1e3
    return _time([(cycles / gpu.ghz, bound) for cycles, bound in parts], launches_ns)


def _in_turn(counts: KernelCounts) -> int:
    """Return how many launches run one after the other. Children share the GPU, but not with their own children."""
    own = counts.launches - counts.children
    return max(own, min(counts.launches, NESTED)) if _launches_itself(counts) else max(1, own)


def _cycles_alone(counts: KernelCounts, issued: float, from_l2: float, from_dram: float, factors: Factors) -> float:
    """Return what all warps would take one after the other, each waiting for its own instructions."""
    lines = max(1, counts.lines)
    there, far = min(1.0, from_l2 / lines), min(1.0, from_dram / lines)
    latency = L1_CYCLES + there * (L2_CYCLES - L1_CYCLES) + far * (DRAM_CYCLES - L2_CYCLES)
    waits = counts.global_accesses * latency + factors.local * counts.local_accesses * L1_CYCLES
    waits += counts.shared_accesses * SHARED_CYCLES + counts.operations["barrier"] * BARRIER_CYCLES
    waits += counts.atomics * L2_CYCLES
    return waits / factors.gpu_overlap + issued * OPERATION_CYCLES
