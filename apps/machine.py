"""The machine that measures: what it is, and what the programs were made from."""

from __future__ import annotations

import os
import platform
import subprocess
import time
from dataclasses import dataclass, field
from pathlib import Path

from simt2simd.target import cpu_name

HERE = Path(__file__).parent
CUDA = "cuda"  # the target that nvcc compiles for


@dataclass(frozen=True)
class Machine:
    """Where and with what records were taken.

    `gpu` is empty if it took no part. `compiler` and `flags` have a text for every target. `load` is the load average
    of the last minute before. `left_out` has what was wanted and is not among the records, with the reason.
    """

    machine: str
    hardware_threads: int
    gpu: str
    load: float
    system: str
    date: str
    commit: str
    compiler: dict[str, str]
    flags: dict[str, str]
    left_out: dict[str, str] = field(default_factory=dict)


def commit() -> str:
    """Return the present commit of these files, "-dirty" behind it if they were changed; empty outside of git."""
    git = ["git", "-C", str(HERE), "describe", "--always", "--dirty", "--abbrev=12"]
    try:
        return subprocess.run(git, capture_output=True, text=True, check=False).stdout.strip()
    except OSError:
        return ""


def gpu_name() -> str:
    """Return the name of this machine's first GPU and its driver's version; empty if there is none."""
    return _ask_gpu("name,driver_version").replace(", ", ", driver ")


def gpu_architecture() -> str:
    """Return nvcc's name for the architecture of this machine's first GPU; empty if there is none."""
    capability = _ask_gpu("compute_cap")
    return f"sm_{capability.replace('.', '')}" if capability else ""


def _ask_gpu(what: str) -> str:
    query = ["nvidia-smi", f"--query-gpu={what}", "--format=csv,noheader"]
    try:
        done = subprocess.run(query, capture_output=True, text=True, check=False)
    except OSError:
        return ""
    return done.stdout.splitlines()[0].strip() if done.returncode == 0 and done.stdout.strip() else ""


def describe(compiler: dict[str, str], flags: dict[str, str], made_from: str) -> Machine:
    """Describe this machine, and programs that were compiled so from the commit `made_from`."""
    return Machine(
        machine=cpu_name() or platform.machine(),
        hardware_threads=len(os.sched_getaffinity(0)),
        gpu=gpu_name() if CUDA in compiler else "",
        load=os.getloadavg()[0],
        system=platform.platform(),
        date=time.strftime("%Y-%m-%d"),
        commit=made_from,
        compiler=compiler,
        flags=flags,
    )
