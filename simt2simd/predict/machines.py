"""Machines: CPUs and GPUs by name, with what their makers and our measurements say of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

KIB, MIB = 1 << 10, 1 << 20
CPU_KINDS = ("uniform", "consecutive", "strided", "gather", "scatter", "atomic", "other", "divergent")


@dataclass(frozen=True)
class Cpu:
    """A CPU with so many hardware threads, `cores`, two of them to a core if there are half as many `physical` ones.

    `slowness`: of operations and accesses by kind (the kinds of `KernelCounts.cpu_ns`) in `simt2simd/costs.py`'s
    nanoseconds, which are a Xeon's: 1 there and of kinds that are not named. `l2_ns`, `l3_ns`, `dram_ns`: what a load
    waits for a line that the cache before does not have, if it waits for it alone. `l3_bytes` is the part of the
    third-level cache that a program may have; `dram_gbs` all cores' together. `launch_us` is a launch on one core,
    `wake_us` one that others help with, `child_us` one by a kernel, and `grandchild_us` one by such a kernel.
    """

    name: str
    text: str
    cores: int
    physical: int
    slowness: Mapping[str, float]
    l1_bytes: int
    l2_bytes: int
    l3_bytes: int
    l2_ns: float
    l3_ns: float
    dram_ns: float
    dram_gbs: float
    launch_us: float = 0.12
    wake_us: float = 0.6
    child_us: float = 0.025
    grandchild_us: float = 0.1


@dataclass(frozen=True)
class Gpu:
    """A GPU. `fp32`, `fp64`, `special`: lanes of a multiprocessor that finish an operation in a cycle; `sms` of these.

    `l1_bytes` is the first-level cache of a multiprocessor with its shared memory, `warps` how many it holds.
    `launch_us` is a launch after another one, `child_us` one by a kernel, `grandchild_us` one by a kernel that was
    launched so itself. `generation_us`: until a kernel's last child launches one itself. `wait_us`: what a launch takes
    longer for which the host waits.
    """

    name: str
    text: str
    sms: int
    ghz: float
    fp32: int
    fp64: int
    special: int
    warps: int
    l1_bytes: int
    l2_bytes: int
    l2_gbs: float
    dram_gbs: float
    launch_us: float = 2.2
    child_us: float = 0.37
    grandchild_us: float = 1.8
    generation_us: float = 16.0
    wait_us: float = 5.8


# Multiprocessors, clock (boost), operations a cycle, caches and bandwidth: NVIDIA's architecture white papers and data
# sheets of each (H100 "Hopper", A100 "Ampere", V100 "Volta", T4 "Turing", L4 and RTX 4090 "Ada Lovelace"); operations a
# cycle also in the CUDA C++ Programming Guide's table of arithmetic throughput. The bandwidth of second-level caches is
# not in them: 64 bytes a cycle and two multiprocessors, about what microbenchmarks of others report. Launches: the
# H200's and, of `wait_us`, the H100's are measured by `python -m microbench`; those of the others are taken to be as
# quick. `grandchild_us` and `generation_us` are from `bfs_rec` and `mc`, whose kernels launch themselves.
GPUS = {
    gpu.name: gpu
    for gpu in (
        Gpu("h200", "NVIDIA H200 SXM", 132, 1.98, 128, 64, 16, 64, 256 * KIB, 50 * MIB, 5500, 4800),
        Gpu("h100", "NVIDIA H100 SXM", 132, 1.98, 128, 64, 16, 64, 256 * KIB, 50 * MIB, 5500, 3350),
        Gpu("a100", "NVIDIA A100 SXM, 80 GB", 108, 1.41, 64, 32, 16, 64, 192 * KIB, 40 * MIB, 4500, 2039),
        Gpu("v100", "NVIDIA V100 SXM2", 80, 1.53, 64, 32, 16, 64, 128 * KIB, 6 * MIB, 2500, 900),
        Gpu("rtx4090", "NVIDIA GeForce RTX 4090", 128, 2.52, 128, 2, 16, 48, 128 * KIB, 72 * MIB, 5000, 1008),
        Gpu("l4", "NVIDIA L4", 58, 2.04, 128, 2, 16, 48, 128 * KIB, 48 * MIB, 2000, 300),
        Gpu("t4", "NVIDIA T4", 40, 1.59, 64, 2, 16, 32, 96 * KIB, 4 * MIB, 1200, 320),
    )
}  # fmt: skip

# `python -m microbench costs` on an EPYC (AMD, family 25, model 17), by what it prints on the Xeon: "read uniform",
# "read consecutive", "read stride 2", "read gather", "write scatter", "atomic, locked, apart", "fma", and "two arms,
# divergent" less "two arms in turn".
ZEN_4 = {
    "uniform": 0.81, "consecutive": 1.18, "strided": 1.3, "gather": 3.4, "scatter": 1.7, "atomic": 0.66,
    "other": 1.3, "divergent": 1.0,
}  # fmt: skip

# What `simt2simd predict` calls this CPU when it is not measured: a Xeon (Sapphire Rapids) as in records.
# Their waits are of loads that wait for each other; launches are the Xeon's, by `python -m microbench launch children`.
CPUS = {
    cpu.name: cpu
    for cpu in (
        Cpu("xeon", "Intel Xeon, family 6, model 207", 16, 8, {}, 48 * KIB, 2 * MIB, 32 * MIB, 4.0, 30.0, 120.0, 90),
        Cpu("epyc", "AMD EPYC, Zen 4", 2, 2, ZEN_4, 32 * KIB, 1 * MIB, 16 * MIB, 4.0, 25.0, 150.0, 30),
    )
}  # fmt: skip
