"""Builds the programs of the suite."""

from __future__ import annotations

import os
import shlex
import shutil
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from importlib import metadata
from pathlib import Path

import simt2simd
from apps import harness
from apps.harness import AppError
from apps.machine import commit
from apps.programs import build, nvcc_version

from .plan import Built, Contents, write_contents
from .suite import GPU

HERE = Path(__file__).parent


def flags_of(target: str, lanes: int, architecture: str) -> tuple[str, ...]:
    """Return the arguments of `simt2simd compile`; `architecture` is the GPU's, in nvcc's words.

    With 0 lanes the compiler chooses.
    """
    if target == GPU:
        return ("--target", GPU, f"-arch={architecture}", "-std=c++17")
    return ("--target", target, *(("--lanes", str(lanes)) if lanes else ()))


def build_all(
    names: Sequence[str], builds: Sequence[tuple[str, int]], architecture: str, done: Callable[[], None]
) -> tuple[Contents, list[tuple[Built, Path]]]:
    """Build the programs of some questions for some targets with lanes; call `done` after each.

    Raises `AppError` with the compiler's messages if one cannot be built.
    """
    wanted = [(name, target, lanes) for name in names for target, lanes in builds]

    def make(key: tuple[str, str, int]) -> tuple[Built, Path]:
        name, target, lanes = key
        path = build(HERE / f"{name}.cu", flags_of(target, lanes, architecture))
        done()
        return Built(name, target, lanes, f"{name}-{target}-{lanes}"), path

    with ThreadPoolExecutor(max_workers=len(os.sched_getaffinity(0))) as pool:
        programs = list(pool.map(make, wanted))
    targets = dict.fromkeys(target for target, _ in builds)
    contents = Contents(
        commit=commit(),
        compiler={target: _compiler(target) for target in targets},
        flags={target: shlex.join(flags_of(target, 0, architecture)) for target in targets},
        programs=tuple(built for built, _ in programs),
    )
    return contents, programs


def write_folder(folder: Path, contents: Contents, programs: Sequence[tuple[Built, Path]]) -> None:
    """Copy programs to a folder, so that `run_built` finds them there. Raises `AppError`."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for built, path in programs:
            shutil.copy(path, folder / built.file)
        write_contents(folder, contents)
    except OSError as fault:
        raise AppError(f"cannot write {fault.filename or folder}: {fault.strerror}") from None


def _compiler(target: str) -> str:
    if target == GPU:
        return f"nvcc, {nvcc_version()}"
    host = harness.run([*shlex.split(harness.cxx_compiler()), "--version"]).splitlines()[0]
    return f"simt2simd {simt2simd.__version__}, llvmlite {metadata.version('llvmlite')}, {host}"
