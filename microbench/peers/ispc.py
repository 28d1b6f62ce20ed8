"""ISPC as a peer: `ispc.cpp` of a workload, linked with what ISPC makes of the `kernels.ispc` beside it."""

from __future__ import annotations

import shutil
from functools import cache
from pathlib import Path

from apps import harness, programs
from simt2simd.target import cpu_features

from .home import peers_home

# Defined for a program as first written: it does not declare to ISPC what is the same in all lanes.
AS_WRITTEN = "-DAS_WRITTEN"

# Targets with sixteen lanes, the best first, and what a CPU must have for them.
TARGETS = {
    "avx512spr-x16": {"avx512f", "avx512bw", "avx512dq", "avx512vl", "avx512_vbmi2", "avx512_fp16"},
    "avx512icl-x16": {"avx512f", "avx512bw", "avx512dq", "avx512vl", "avx512_vbmi2"},
    "avx512skx-x16": {"avx512f", "avx512bw", "avx512dq", "avx512vl"},
}


class NoIspc(Exception):
    """ISPC cannot take part; the text says why."""


def version() -> str:
    """Return the version of ISPC that is installed, and the target that it compiles for; `NoIspc` if there is none."""
    first = harness.run([_compiler(), "--version"]).strip().splitlines()[0]
    return f"{first}, --target={_target()}"


def build(source: Path, flags: tuple[str, ...]) -> Path:
    """Return the program made of an `ispc.cpp` and its `kernels.ispc`; both see `flags`, which are `-D`s."""
    kernels = source.with_name("kernels.ispc")
    command = [_compiler(), "-O3", f"--target={_target()}", "--pic", "--woff", *flags]
    made = programs.made(kernels, (), command, version(), ".o")
    return programs.build(source, (*flags, str(made)))


def differs_as_written(source: Path) -> bool:
    """Whether an `ispc.cpp` has kernels that look at `AS_WRITTEN`."""
    return "AS_WRITTEN" in source.with_name("kernels.ispc").read_text(encoding="utf-8")


@cache
def _compiler() -> str:
    path = peers_home() / "ispc" / "bin" / "ispc"
    found = str(path) if path.exists() else shutil.which("ispc")
    if found is None:
        raise NoIspc(f"there is no {path}, and no 'ispc' on the PATH")
    return found


@cache
def _target() -> str:
    for target, required in TARGETS.items():
        if required <= cpu_features():
            return target
    raise NoIspc("the CPU has no AVX-512")
