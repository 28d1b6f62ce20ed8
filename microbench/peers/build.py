"""The peers, and how their programs are started."""

from __future__ import annotations

import os
import shlex
import shutil
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import simt2simd
from apps import harness
from apps.harness import AppError
from apps.programs import build
from simt2simd.target import AVX512, cpu_features

from . import ispc
from .home import peers_home
from .workload import Workload

HERE = Path(__file__).parent

# The platform's name contains the second word.
OPENCL_PLATFORMS = {"intel": "Intel", "pocl": "Portable Computing Language"}


@dataclass(frozen=True)
class Peer:
    """Something that runs workloads: we ourselves ("ours"), or what we are compared with.

    `environment` holds what its programs need beyond the number of threads. `version` is for the record.
    """

    name: str
    source: str  # in the workload's folder; {} stands for the folder's name
    cores: tuple[str, ...]  # the settings of `Workload.cores` that it takes part in
    version: str
    flags: tuple[str, ...] = ()  # for its compiler, beside the workload's `defines`
    environment: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Absent:
    """A peer that cannot run here, and why."""

    name: str
    why: str


def find_peers() -> tuple[list[Peer], list[Absent]]:
    """Return the peers that can run on this machine, ours first, and those that cannot."""
    compiler = harness.run([*shlex.split(harness.cxx_compiler()), "--version"]).splitlines()[0]
    peers = [
        Peer("ours", "{}.cu", ("one", "all"), f"simt2simd {simt2simd.__version__}"),
        Peer("scalar", "scalar.cpp", ("one",), compiler),
        Peer("openmp", "scalar.cpp", ("all",), compiler),
    ]
    absent = []
    lacking = AVX512.required - cpu_features()
    if lacking:
        absent.append(Absent("limit", f"the CPU has no {' '.join(sorted(lacking))}"))
    else:
        peers.append(Peer("limit", "limit.cpp", ("one", "all"), compiler))
    try:
        version = ispc.version()
        peers.append(Peer("ispc", "ispc.cpp", ("one", "all"), version))
        peers.append(Peer("ispc-plain", "ispc.cpp", ("one", "all"), version, (ispc.AS_WRITTEN,)))
    except ispc.NoIspc as fault:
        absent += [Absent("ispc", str(fault)), Absent("ispc-plain", str(fault))]
    found = _opencl_platforms()
    for name, platform in OPENCL_PLATFORMS.items():
        if name in found:
            version, environment = found[name]
            peers.append(Peer(name, "opencl.cpp", ("all",), version, environment=environment))
        else:
            absent.append(Absent(name, f"no OpenCL platform '{platform}' with a CPU is installed"))
    return peers, absent


def source_of(peer: Peer, workload: Workload) -> Path | None:
    """Return the source of a peer's program; None if the workload has none."""
    path = HERE / workload.folder / peer.source.format(workload.folder)
    if not path.exists() or (ispc.AS_WRITTEN in peer.flags and not ispc.differs_as_written(path)):
        return None
    return path


def build_program(source: Path, flags: tuple[str, ...]) -> Path:
    """Return the program made of a source, built with such flags; `AppError` with the compiler's messages."""
    return ispc.build(source, flags) if source.name == "ispc.cpp" else build(source, flags)


# ------------------------------------------------------------------------------------------- OpenCL


def _opencl_platforms() -> dict[str, tuple[str, dict[str, str]]]:
    """Return the version and the environment of each known OpenCL runtime that is installed."""
    probe = build(HERE / "platforms.cpp")
    found: dict[str, tuple[str, dict[str, str]]] = {}
    for environment in _opencl_environments():
        try:
            lines = harness.run([probe], environment).splitlines()
        except AppError:
            continue  # no OpenCL here; the peers are reported as absent
        for line in lines:
            platform, version, _, driver = line.split("\t")
            for name, part in OPENCL_PLATFORMS.items():
                if part in platform:
                    text = f"{platform}, driver {driver}, {version}"
                    found.setdefault(name, (text, {**environment, "OPENCL_PLATFORM": part}))
    return found


def _opencl_environments() -> Iterator[dict[str, str]]:
    """Yield where runtimes may be: folders of .icd files below $PEERS_HOME, this Python's environment, the system.

    Intel's package on PyPI brings an .icd file with a path that does not exist, so one is written here.
    """
    library = _opencl_library()
    for folder in sorted(peers_home().glob("vendors/*/")):
        yield library | {"OCL_ICD_VENDORS": str(folder)}
    intel = Path(sys.prefix) / "lib" / "libintelocl.so"
    if intel.exists():
        folder = harness.cache_dir("peers-vendors")
        (folder / "intel.icd").write_text(f"{intel}\n", encoding="utf-8")
        yield library | {"OCL_ICD_VENDORS": str(folder)}
    yield library


def _opencl_library() -> dict[str, str]:
    """Name the loader that comes with Intel's package on PyPI, if there is one; else the system's is taken."""
    path = Path(sys.prefix) / "lib" / "libOpenCL.so.1"
    return {"OPENCL_LIBRARY": str(path)} if path.exists() else {}


# ------------------------------------------------------------------------------------------- starting


def command_and_environment(peer: Peer, program: Path, cpus: Sequence[int]) -> tuple[list[str], dict[str, str]]:
    """Return how to start a program so that it uses just these CPUs."""
    count = str(len(cpus))
    threads = {
        "S2S_THREADS": count,
        "OMP_NUM_THREADS": count,
        "CL_CONFIG_CPU_TBB_NUM_WORKERS": count,
        "POCL_MAX_PTHREAD_COUNT": count,
        "POCL_CPU_MAX_CU_COUNT": count,
    }
    if not shutil.which("taskset"):
        raise AppError("no 'taskset' found; install util-linux")
    pinned = ["taskset", "--cpu-list", ",".join(map(str, cpus)), str(program)]
    return pinned, os.environ | threads | peer.environment
