"""Programs of the applications and of the benchmarks, built once.

They are kept in a folder of the user's cache under a name made of everything that they were made from, so that a
second run builds nothing.
"""

from __future__ import annotations

import hashlib
import os
import re
import shlex
import sys
import threading
import time
from collections.abc import Sequence
from functools import cache
from pathlib import Path

import simt2simd
from simt2simd.command.toolchain import find_nvcc
from simt2simd.diag import ToolError
from simt2simd.target import cpu_features

from . import harness
from .harness import AppError

CXX_FLAGS = ("-std=c++17", "-O3", "-march=native", "-fopenmp", "-Wall", "-Wextra")
DAYS_KEPT = 30


def build(source: Path, flags: Sequence[str] = (), others: Sequence[Path] = ()) -> Path:
    """Return the program made of a source file and of `others`; build it unless that was done before.

    `flags` are for simt2simd if it is CUDA-C or if there are others, which simt2simd hands on to the C++ compiler, else
    for that compiler. `AppError` with the compiler's messages if it refuses.
    """
    if source.suffix == ".cu" or others:
        return made(source, others, [sys.executable, "-m", "simt2simd", "compile", *flags], _cuda_compiler(flags), "")
    command = [*shlex.split(harness.cxx_compiler()), *CXX_FLAGS, *flags]
    if source.name == "opencl.cpp":
        command.append(f"-DOPENCL_OPTIONS={_quoted(' '.join(flags))}")
    return made(source, (), command, harness.run([*shlex.split(harness.cxx_compiler()), "--version"]), "", ("-ldl",))


def emit_cuda(source: Path, flags: Sequence[str]) -> Path:
    """Return the CUDA-C that simt2simd makes of a `.cu` file, with the user's flags; see `build`."""
    command = [sys.executable, "-m", "simt2simd", "compile", "--emit", "cuda", *flags]
    return made(source, (), command, compiler_text(), ".cu")


def _cuda_compiler(flags: Sequence[str]) -> str:
    return nvcc_version() if "cuda" in flags else compiler_text()


def made(
    source: Path,
    others: Sequence[Path],
    command: Sequence[str],
    made_from: str,
    suffix: str,
    libraries: Sequence[str] = (),
) -> Path:
    """Return what `command` makes of source files, as a kept file; `made_from`: the compiler's version."""
    key = hashlib.sha256(f"{command}\n{made_from}\n{_cpu_text()}".encode())
    for each in (source, *others):
        for file in _with_included(each):
            key.update(file.read_bytes())
    made = programs_dir() / f"{source.stem}-{key.hexdigest()[:20]}{suffix}"
    if made.exists():
        os.utime(made)
        return made
    unfinished = made.with_name(f"{os.getpid()}-{threading.get_ident()}-{made.name}")
    harness.run([*command, source, *others, "-o", unfinished, *libraries])
    unfinished.rename(made)  # in one step: another process may be building the same
    return made


def programs_dir() -> Path:
    """Return the folder of the built programs, without those unused for long."""
    folder = harness.cache_dir("programs")
    oldest = time.time() - DAYS_KEPT * 24 * 3600
    for file in folder.iterdir():
        if file.is_file() and file.stat().st_mtime < oldest:
            file.unlink(missing_ok=True)
    return folder


def _with_included(source: Path) -> list[Path]:
    """Return a source and every file that it includes as `#include "..."`, directly or not."""
    files = [source]
    for file in files:
        for name in re.findall(r'^#include "(.*)"', file.read_text(encoding="utf-8"), re.MULTILINE):
            path = (file.parent / name).resolve()
            if path.exists() and path not in files:
                files.append(path)
    return files


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


@cache
def nvcc_version() -> str:
    """Return what nvcc calls itself; `AppError` if there is none."""
    try:
        return harness.run([find_nvcc(), "--version"]).strip().splitlines()[-1]
    except ToolError as fault:
        raise AppError(str(fault)) from None


@cache
def compiler_text() -> str:
    """Return a text that differs whenever simt2simd itself differs."""
    digest = hashlib.sha256()
    package = Path(simt2simd.__file__).parent
    for file in sorted((*package.rglob("*.py"), *package.glob("_native/**/*"))):
        if file.is_file():
            digest.update(file.read_bytes())
    return digest.hexdigest()


@cache
def _cpu_text() -> str:
    return " ".join(sorted(cpu_features()))
