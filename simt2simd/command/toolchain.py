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
from ..frontend.text.headers import LIBRARIES
from ..frontend.text.macros import is_toolkit
from ..options import Options

TOOLKIT_VARIABLE = "S2S_TOOLKIT"  # in which our `nvcc` says where its toolkit is

# What the runtime and kernels need of glibc: vector math, math, threads, and `dladdr`.
RUNTIME_LIBRARIES = ("-lmvec", "-lm", "-lpthread", "-ldl")

# What nvcc 13.0 defines of its version.
VERSION = (13, 0, 88)
_VERSION_MACROS = tuple(
    f"-D__CUDACC_VER_{part}__={number}" for part, number in zip(("MAJOR", "MINOR", "BUILD"), VERSION, strict=True)
)

# NVIDIA's libraries that the runtime or a header replace.
CUDA_LIBRARIES = frozenset(
    """-lcuda -lcudart -lcudart_static -lcudadevrt -lculibos -lnvrtc -lcurand -lcurand_static -lnvToolsExt""".split()
)


class CompilerFailed(Exception):
    """A system compiler or linker refused its input; `output` is what it printed."""

    def __init__(self, output: str) -> None:
        super().__init__(output)
        self.output = output


@dataclass(frozen=True)
class HostFlags:
    """How to compile and link host code; the words are those of GCC, Clang and nvcc alike."""

    optimise: int = 2  # the level, 0 to 3
    debug: bool = False  # -g
    standard: str | None = None  # of the language, for -std; None: the compiler's own
    defines: tuple[str, ...] = ()  # macros, without `-D`
    include_dirs: tuple[str, ...] = ()  # folders, without `-I`
    compile_args: tuple[str, ...] = ()  # words that are passed on untouched
    link_args: tuple[str, ...] = ()  # the same when a program is linked
    echo: bool = False  # print every command before it runs
    undefines: tuple[str, ...] = ()  # macros, without `-U`
    system_dirs: tuple[str, ...] = ()  # folders, without `-isystem`
    pre_includes: tuple[str, ...] = ()  # files, without `-include`
    dry: bool = False  # run no command

    @property
    def preprocessing(self) -> list[str]:
        return [
            *(f"-D{define}" for define in self.defines),
            *(f"-U{name}" for name in self.undefines),
            *(f"-I{path}" for path in self.include_dirs),
            *(word for path in self.system_dirs for word in ("-isystem", path)),
        ]

    @property
    def including(self) -> list[str]:
        """The words for files that are included before the first line."""
        return [word for file in self.pre_includes for word in ("-include", file)]

    def with_headers(self, ours: Path) -> list[str]:
        """Return the words of `preprocessing`, and those for our own headers, which come before NVIDIA's.

        The user's folders come before ours, those of NVIDIA's headers after: they are the system's, as under nvcc.
        A macro tells <nvrtc.h> which compiler compiles while the program runs.
        """
        toolkits = [path for path in (*self.include_dirs, *self.system_dirs) if is_toolkit(path)]
        users = replace(
            self,
            include_dirs=tuple(path for path in self.include_dirs if path not in toolkits),
            system_dirs=tuple(path for path in self.system_dirs if path not in toolkits),
        )
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

    `cxx` is the command, which may have arguments of its own (`ccache g++`). `runtime` are the words that link the
    runtime; None: libs2s.a.
    """

    cxx: tuple[str, ...]
    native: Path
    runtime: tuple[str, ...] | None = None

    def preprocess(self, file: str, flags: HostFlags, language: str = "cu", words: Sequence[str] = ()) -> str:
        """Return `file` preprocessed, CUDA host code with line markers and CUDA's own words left as they are.

        `words` are more options, such as that of `-M`, which makes it return a rule.
        """
        return _run([*self.cxx, "-E", *words, *self._reading(language, flags), *flags.compiling, file], flags).stdout

    def commands(self, flags: HostFlags) -> str:
        """Return the commands that the C++ compiler runs for `compile_text`, as it prints them itself."""
        command = [*self.cxx, "-###", "-pipe", "-c", "-x", "c++-cpp-output", *flags.compiling, "-o", "host.o", "-"]
        return _run(command, flags).stderr

    def _reading(self, language: str, flags: HostFlags) -> list[str]:
        """Return the words that say how a file in `language` is read."""
        if language != "cu":
            return ["-x", language, *flags.with_headers(self._headers), *flags.including]
        cuda = ["-D__CUDACC__", "-D__NVCC__", *_VERSION_MACROS, "-D__SIMT2SIMD_SPLIT__"]
        including = ["-include", "cuda_runtime.h", *flags.including]
        return ["-x", "c++", *cuda, *flags.with_headers(self._headers), *including]

    def compile_text(self, text: str, output: Path, flags: HostFlags) -> str:
        """Compile preprocessed C++ `text` into the object file `output`; return the warnings.

        The file holds machine code under -flto too: `read_instances` reads it.
        """
        fat = ["-ffat-lto-objects"] if any(word.startswith("-flto") for word in flags.compile_args) else []
        command = [*self.cxx, "-c", "-x", "c++-cpp-output", *flags.compiling, *fat, "-o", str(output), "-"]
        return _run(command, flags, text).stderr

    def compile_file(
        self, file: Path, output: Path, flags: HostFlags, language: str = "c++", words: Sequence[str] = ()
    ) -> str:
        """Compile a C or C++ file, which may include cuda_runtime.h, into an object file; return the warnings.

        `words` are more options.
        """
        if language == "c" and (flags.standard or "").startswith(("c++", "gnu++")):
            flags = replace(flags, standard=None)
        command = [
            *self.cxx, "-c", *words, *self._reading(language, flags), *flags.compiling, "-o", str(output), str(file),
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

    def archive(self, ar: str, members: Sequence[str], output: Path, flags: HostFlags, words: Sequence[str]) -> None:
        """Make a static library of object files."""
        _run([ar, "cr", *words, str(output), *members], flags)

    def shared_runtime(self, output: Path, name: str) -> None:
        """Make a shared library of the runtime that programs linked with it look for as `name`."""
        archive = str(self.native / "libs2s.a")
        whole = ["-Wl,--whole-archive", archive, "-Wl,--no-whole-archive"]
        named = ["-Xlinker", "-soname", "-Xlinker", name]
        _run([*self.cxx, "-shared", *named, "-o", str(output), *whole, *RUNTIME_LIBRARIES], HostFlags())

    def link(self, inputs: Sequence[str], output: Path, flags: HostFlags) -> str:
        """Link objects and libraries, in the order given, with the runtime into an executable; return the warnings."""
        link_args = (word for word in flags.link_args if word not in CUDA_LIBRARIES)
        command = [
            *self.cxx, *flags.compile_args, "-o", str(output), *inputs, *link_args,
            *([str(self.native / "libs2s.a"), *RUNTIME_LIBRARIES] if self.runtime is None else self.runtime),
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
    folders = [*os.get_exec_path(), *(f"{place}/bin" for place in places if place)]
    for found in (shutil.which("nvcc", path=folder) for folder in folders):
        if found and not _is_ours(Path(found)):
            return found
    raise ToolError(
        "--target cuda needs nvcc, and there is none on this machine\n"
        "help: install the CUDA toolkit (Debian, Ubuntu: `apt install nvidia-cuda-toolkit`), or set CUDA_HOME; "
        "the other targets need no nvcc"
    )


def _is_ours(nvcc: Path) -> bool:
    """True for the `nvcc` that `toolkit` makes, which calls us."""
    return TOOLKIT_VARIABLE.encode() in nvcc.read_bytes()[:1000]


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
    if flags.echo or flags.dry:
        print(f"#$ {shlex.join(command)}", file=sys.stderr, flush=True)
    if flags.dry:
        return subprocess.CompletedProcess(command, 0, "", "")
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
