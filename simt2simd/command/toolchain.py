"""The tools of the system: the C++ compiler for host code and linking, nvcc for comparison.

Nothing here looks into a program. Every function runs one tool, gives its warnings back as text, and raises
`CompilerFailed` with its messages as they came if it fails.
"""

from __future__ import annotations

import json
import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from ..diag import ToolError
from ..frontend.library import LIBRARIES
from ..frontend.macros import is_toolkit
from ..options import Options

# What a program needs beside its own objects: the runtime, glibc's vector math, math, threads.
_RUNTIME_LIBRARIES = ("-lmvec", "-lm", "-lpthread")

# NVIDIA's libraries that the runtime stands in for.
_CUDA_LIBRARIES = frozenset(("-lcuda", "-lcudart", "-lcudart_static", "-lcudadevrt", "-lculibos", "-lnvrtc"))


class CompilerFailed(Exception):
    """A system compiler or linker refused its input; `output` is what it printed."""

    def __init__(self, output: str) -> None:
        super().__init__(output)
        self.output = output


@dataclass(frozen=True)
class HostFlags:
    """How to compile and link host code; the words are those of GCC, Clang and nvcc alike.

    `optimise` is the level, 0 to 3. `compile_args` and `link_args` are passed on untouched, `defines` and
    `include_dirs` without `-D` and `-I`. `echo` prints every command before it runs.
    """

    optimise: int = 2
    debug: bool = False
    standard: str | None = None
    defines: tuple[str, ...] = ()
    include_dirs: tuple[str, ...] = ()
    compile_args: tuple[str, ...] = ()
    link_args: tuple[str, ...] = ()
    echo: bool = False

    @property
    def preprocessing(self) -> list[str]:
        return [
            *(f"-D{define}" for define in self.defines),
            *(f"-I{path}" for path in self.include_dirs),
        ]

    def with_headers(self, ours: Path) -> list[str]:
        """Return the words of `preprocessing`, and those for our own headers, which come before NVIDIA's.

        The user's folders come before ours, those of NVIDIA's headers after: they are the system's, as under nvcc.
        <nvrtc.h> knows by a macro who compiles while the program runs.
        """
        toolkits = [path for path in self.include_dirs if is_toolkit(path)]
        users = replace(self, include_dirs=tuple(path for path in self.include_dirs if path not in toolkits))
        system = [word for folder in (str(ours), *toolkits) for word in ("-isystem", folder)]
        return [*system, *users.preprocessing, "-I", str(LIBRARIES), f'-DS2S_PYTHON="{sys.executable}"']

    @property
    def language(self) -> list[str]:
        return [f"-std={self.standard}"] if self.standard else []

    @property
    def compiling(self) -> list[str]:
        return [*self.language, f"-O{self.optimise}", *(["-g"] if self.debug else []), *self.compile_args]


@dataclass(frozen=True)
class Toolchain:
    """The system's C++ compiler, and the folder that holds libs2s.a and include/cuda_runtime.h.

    `cxx` is the command, which may have arguments of its own (`ccache g++`).
    """

    cxx: tuple[str, ...]
    native: Path

    def preprocess(self, file: str, flags: HostFlags) -> str:
        """Return `file` preprocessed as CUDA host code: with line markers, CUDA's own words left as they are."""
        return _run(
            [
                *self.cxx, "-E", "-x", "c++", "-D__CUDACC__", "-D__NVCC__", "-D__SIMT2SIMD_SPLIT__",
                *flags.with_headers(self._headers), "-include", "cuda_runtime.h", *flags.compiling,
                file,
            ],
            flags,
        ).stdout  # fmt: skip

    def compile_text(self, text: str, output: Path, flags: HostFlags) -> str:
        """Compile preprocessed C++ `text` into the object file `output`; return the warnings.

        The file holds machine code under -flto too: `read_instances` reads it.
        """
        fat = ["-ffat-lto-objects"] if any(word.startswith("-flto") for word in flags.compile_args) else []
        command = [*self.cxx, "-c", "-x", "c++-cpp-output", *flags.compiling, *fat, "-o", str(output), "-"]
        return _run(command, flags, text).stderr

    def compile_file(self, file: Path, output: Path, flags: HostFlags) -> str:
        """Compile a C or C++ file, which may include cuda_runtime.h, into an object file; return the warnings."""
        language = "c" if file.suffix == ".c" else "c++"
        if language == "c" and (flags.standard or "").startswith(("c++", "gnu++")):
            flags = replace(flags, standard=None)
        command = [
            *self.cxx, "-c", "-x", language, *flags.with_headers(self._headers), *flags.compiling, "-o", str(output),
            str(file),
        ]  # fmt: skip
        return _run(command, flags).stderr

    def data_object(self, sections: Mapping[str, bytes], output: Path, flags: HostFlags) -> None:
        """Make an object file of sections with these contents; the linker leaves them out of programs."""
        lines = ['.section .note.GNU-stack,"",@progbits']
        for number, (name, content) in enumerate(sections.items()):
            path = output.with_suffix(f".section{number}")
            path.write_bytes(content)
            lines += [f'.section {name},"e",@progbits', f".incbin {json.dumps(str(path))}"]
        _run([*self.cxx, "-c", "-x", "assembler", "-o", str(output), "-"], flags, "\n".join([*lines, ""]))

    def combine(self, objects: Sequence[str], output: Path, flags: HostFlags) -> None:
        """Make one object file of several."""
        _run([*self.cxx, "-r", "-nostdlib", "-o", str(output), *objects], flags)

    def link(self, inputs: Sequence[str], output: Path, flags: HostFlags) -> str:
        """Link objects and libraries, in the order given, with the runtime into an executable; return the warnings."""
        link_args = (word for word in flags.link_args if word not in _CUDA_LIBRARIES)
        command = [
            *self.cxx, *flags.compile_args, "-o", str(output), *inputs, *link_args,
            str(self.native / "libs2s.a"), *_RUNTIME_LIBRARIES,
        ]  # fmt: skip
        return _run(command, flags).stderr

    @property
    def _headers(self) -> Path:
        return self.native / "include"


def find_cxx(wanted: str | None = None) -> tuple[str, ...]:
    """Return the command of the C++ compiler: `wanted`, $CXX, or the first of c++, g++, clang++ on the path.

    Raises `ToolError`, which says what to install, if there is none.
    """
    for name, value in (("-ccbin", wanted), ("the environment variable CXX", os.environ.get("CXX"))):
        if value:
            command = tuple(shlex.split(value))
            if not command or shutil.which(command[0]) is None:
                raise ToolError(f"no such C++ compiler: '{value}', which {name} names")
            return command
    for candidate in ("c++", "g++", "clang++"):
        if shutil.which(candidate):
            return (candidate,)
    raise ToolError(
        "no C++ compiler found: host code needs one, as under nvcc\n"
        "help: install g++ (Debian, Ubuntu: `apt install g++`; Fedora: `dnf install gcc-c++`), or set CXX"
    )


def find_nvcc() -> str:
    """Return the path of nvcc: on the path, or in $CUDA_HOME or /usr/local/cuda. Raises `ToolError` without one."""
    places = [os.environ.get("CUDA_HOME"), os.environ.get("CUDA_PATH"), "/usr/local/cuda"]
    for found in (shutil.which("nvcc"), *(shutil.which("nvcc", path=f"{place}/bin") for place in places if place)):
        if found:
            return found
    raise ToolError(
        "--target cuda needs nvcc, and there is none on this machine\n"
        "help: install the CUDA toolkit (Debian, Ubuntu: `apt install nvidia-cuda-toolkit`), or set CUDA_HOME; "
        "the other targets need no nvcc"
    )


_NVCC_EMITS = {"object": ["-c"], "linked": ["-dlink"]}


def nvcc(
    files: Sequence[str],
    output: Path,
    flags: HostFlags,
    options: Options,
    more_args: Sequence[str] = (),
    *,
    emit: str = "exe",
) -> str:
    """Compile and link `files` with nvcc, under nvcc's own names for the flags; return what it printed.

    The GPU's architecture comes from `-arch` or `-gencode` in `more_args`, else from $S2S_CUDA_ARCH, else it is that
    of this machine's GPU, else nvcc's default.
    """
    architecture = os.environ.get("S2S_CUDA_ARCH") or ("native" if shutil.which("nvidia-smi") else None)
    if any(arg.startswith(("-arch", "-gencode", "--gpu-architecture", "--generate-code")) for arg in more_args):
        architecture = None
    command = [
        find_nvcc(), *files, "-o", str(output), *_NVCC_EMITS.get(emit, []), *flags.preprocessing,
        *flags.language, f"-O{flags.optimise}", *(["-g"] if flags.debug else []),
        f"-fmad={'true' if options.fmad else 'false'}", *(["--use_fast_math"] if options.fast_math else []),
        *([f"-arch={architecture}"] if architecture else []), *(["-rdc=true"] if options.relocatable else []),
        *more_args,
        *(f"-Xcompiler={arg}" for arg in flags.compile_args), *map(_for_nvcc, flags.link_args),
    ]  # fmt: skip
    done = _run(command, flags)
    return done.stdout + done.stderr


def _for_nvcc(link_arg: str) -> str:
    """Write an argument of the linker as nvcc wants it."""
    return f"-Xlinker={link_arg.removeprefix('-Wl,')}" if link_arg.startswith("-Wl,") else link_arg


def _run(command: list[str], flags: HostFlags, text: str | None = None) -> subprocess.CompletedProcess[str]:
    if flags.echo:
        print(shlex.join(command), file=sys.stderr)
    try:
        done = subprocess.run(
            command,
            input=text,
            stdin=subprocess.DEVNULL if text is None else None,
            capture_output=True,
            encoding="utf-8",
            errors="surrogateescape",
        )
    except OSError as fault:
        raise ToolError(f"cannot run '{command[0]}': {fault.strerror}") from fault
    if done.returncode != 0:
        printed = done.stderr if "-E" in command else done.stdout + done.stderr
        raise CompilerFailed(printed or f"'{shlex.join(command)}' failed with exit code {done.returncode}\n")
    return done
