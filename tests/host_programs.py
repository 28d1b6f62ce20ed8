"""Compiles the host part of CUDA programs alone: the object file, and what it asks of the device part."""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

from simt2simd import runtime
from simt2simd.command.toolchain import HostFlags, Toolchain
from simt2simd.host.instances import read_instances
from simt2simd.host.part import HostPart
from simt2simd.host.split import split
from simt2simd.lang.instance import Instance
from simt2simd.source import Source

COMPILERS = [name for name in ("g++", "clang++") if shutil.which(name)]
FLAGS = HostFlags(standard="c++17", compile_args=("-Wall", "-Wextra", "-Werror"))


def compile_host(
    folder: Path, text: str, flags: HostFlags = FLAGS, cxx: str = "g++", name: str = "t.cu"
) -> tuple[HostPart, Path]:
    """Compile the host part of a program as `simt2simd compile` does; return it and the object file."""
    file = folder / name
    file.write_text(text)
    toolchain = Toolchain((cxx,), runtime.native_dir())
    part = split(toolchain.preprocess(str(file), flags), Source.read(file))
    made = file.with_suffix(".o")
    printed = toolchain.compile_text(part.text, made, flags)
    assert printed == ""
    return part, made


def instances(folder: Path, text: str, optimise: int = 2, cxx: str = "g++") -> list[Instance]:
    _, made = compile_host(folder, text, replace(FLAGS, optimise=optimise), cxx)
    return read_instances(made.read_bytes())


def run_host(folder: Path, text: str, cxx: str = "g++") -> subprocess.CompletedProcess[str]:
    """Run a program that launches nothing."""
    _, made = compile_host(folder, text, cxx=cxx)
    program = folder / "program"
    Toolchain((cxx,), runtime.native_dir()).link([str(made)], program, FLAGS)
    return subprocess.run([str(program)], capture_output=True, text=True)
