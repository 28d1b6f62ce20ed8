"""Builds programs by their own Makefiles with our nvcc, and their twins with the C++ compiler."""

from __future__ import annotations

import hashlib
import json
import os
import re
import shlex
import shutil
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from apps import harness
from simt2simd.command import toolkit

from .arguments import Arguments, from_lines
from .find import CXX_SUFFIXES, MAKEFILES, Program, has_main, source_files
from .process import Done, execute
from .records import CXX, OPENMP

# Contraction is off because programs compare what the host computes with what kernels do, some of them bit by bit.
HOST_FLAGS = ("-O3", "-march=native", "-ffp-contract=off")
OURS = ("-O3", *(word for flag in HOST_FLAGS for word in ("-Xcompiler", flag)))
COUNTING = ("--stats", "--remarks=json")
TWIN_FLAGS = ("-O3", "-march=native", "-fopenmp", "-w")
_TOOLKIT_VARIABLES = ("CUDA_PATH", "CUDA_HOME", "CUDA_DIR", "CUDA_ROOT", "CUDA_INSTALL_PATH")
_C_COMPILERS = {"gcc", "cc", "icc", "icx", "clang", "mpicc"}
_CXX_COMPILERS = {"g++", "c++", "icpc", "icpx", "clang++", "mpicxx", "mpic++", "nvc++", "amdclang++", "dpcpp"}


@dataclass(frozen=True)
class Built:
    """A program's file and how it is run, or why there is none; what the compiler remarked."""

    file: Path | None
    fault: str = ""
    arguments: Arguments = field(default_factory=Arguments)
    folder: Path = Path()
    remarks: list[dict[str, Any]] = field(default_factory=list)
    peer: str = ""  # what a twin is called


class Builder:
    """Builds in a copy of the programs' folder, and keeps what it makes in `place`."""

    def __init__(self, place: Path, limit: float, version: str) -> None:
        self.place, self.limit, self.version = place, limit, version
        self.toolkit = place / f"toolkit-{version[:12]}"
        if not self.toolkit.exists():
            toolkit.install(self.toolkit)
        (place / "bin").mkdir(exist_ok=True)

    def ours(self, program: Program, counting: bool) -> Built:
        """Build a program with simt2simd, for measuring or for `counting` what its kernels do."""
        flags = (*OURS, *(COUNTING if counting else ()))
        target = self._target(program.name, flags, [program.folder, *program.includes])
        log = target.with_suffix(".log")
        fault = _kept_fault(target)
        if fault is None:
            done = self._make(program, flags, target) if program.makefile else self._compile(program, flags, target)
            log.write_text(done.text, encoding="utf-8")
            fault = "" if target.exists() else _why(done)
            if not done.ended:  # another time the machine may be less busy
                _keep(target, fault)
        if fault:
            return Built(None, fault)
        name, arguments = self._how_to_run(program.folder)
        remarks = remarks_in(log.read_text(encoding="utf-8")) if counting else []
        return Built(target, "", arguments, _folder_of(name, program.folder), remarks)

    def twin(self, folder: Path) -> Built:
        """Build a program for the CPU: the sources that its Makefile names, else all in its folder."""
        target = self._target(folder.name, TWIN_FLAGS, [folder])
        peer = OPENMP if _uses_openmp(source_files(folder)) else CXX
        fault = _kept_fault(target)
        if fault is None:
            fault = self._compile_twin(folder, target)
            _keep(target, fault)
        if fault:
            return Built(None, fault, peer=peer)
        name, arguments = self._how_to_run(folder)
        return Built(target, "", arguments, _folder_of(name, folder), peer=peer)

    def _target(self, name: str, flags: Sequence[str], folders: Iterable[Path]) -> Path:
        """Return where a program is kept, by all that it is made from as far as it is known before."""
        key = hashlib.sha256(f"{self.version} {flags}".encode())
        for folder in folders:
            makefiles = [folder / name for name in (*MAKEFILES, "CMakeLists.txt") if (folder / name).is_file()]
            for file in (*source_files(folder), *makefiles):
                key.update(file.read_bytes())
        return self.place / "bin" / f"{re.sub(r'[^A-Za-z0-9]+', '-', name)}-{key.hexdigest()[:16]}"

    # ------------------------------------------------------------------------------------- ours

    def _make(self, program: Program, flags: Sequence[str], target: Path) -> Done:
        """Run make, and move the program that it links to `target`."""
        environment = {
            "PATH": f"{self.toolkit / 'bin'}:{os.environ.get('PATH', '')}",
            "NVCC_APPEND_FLAGS": shlex.join(flags),
            "LC_ALL": "C",
        }
        _remove_programs(program.folder)
        command = ["make", "-B", *self._variables()]
        done = execute(command, program.folder, self.limit, environment)
        name, _ = self._how_to_run(program.folder)
        made = _program_made(program.folder, name)
        if made:
            shutil.move(made, target)
        return done

    def _variables(self) -> list[str]:
        return [f"{name}={self.toolkit}" for name in _TOOLKIT_VARIABLES]

    def _compile(self, program: Program, flags: Sequence[str], target: Path) -> Done:
        includes = [f"-I{folder}" for folder in program.includes]
        language = ["-std=c++17", "--extended-lambda", "-rdc=true"]
        if _uses_openmp(program.sources):
            language += ["-Xcompiler", "-fopenmp"]
        nvcc = self.toolkit / "bin" / "nvcc"
        command = [str(nvcc), *map(str, program.sources), *includes, *language, *flags, "-o", str(target)]
        return execute(command, program.folder, self.limit)

    def _how_to_run(self, folder: Path) -> tuple[str, Arguments]:
        """Return a program's name and arguments, from its Makefile or from a script beside it."""
        texts = []
        if any((folder / name).is_file() for name in MAKEFILES):
            texts.append(execute(["make", "-n", "run", *self._variables()], folder, 30).text)
        texts += [file.read_text(errors="replace") for file in sorted(folder.glob("run*")) if _is_script(file)]
        for text in texts:
            if found := from_lines(text, folder):
                return found
        return "", Arguments()

    # ------------------------------------------------------------------------------------- twins

    def _compile_twin(self, folder: Path, target: Path) -> str:
        """Compile and link a twin; return why that cannot be done."""
        sources, flags, libraries = self._twin_commands(folder)
        if not sources:
            return "no sources found"
        objects = []
        for number, (file, is_c) in enumerate(sources.items()):
            made = target.with_suffix(f".{number}.o")
            compiler = ["gcc"] if is_c else shlex.split(harness.cxx_compiler())
            kept = [flag for flag in flags if not (flag.startswith("-std=") and is_c != ("++" not in flag))]
            done = execute([*compiler, *TWIN_FLAGS, *kept, "-c", str(file), "-o", str(made)], folder, self.limit)
            objects.append(made)
            if done.fault:
                return _why(done)
        link = [*shlex.split(harness.cxx_compiler()), *TWIN_FLAGS, *map(str, objects)]
        command = [*link, "-o", str(target), *libraries, "-lm"]
        done = execute(command, folder, self.limit)
        for made in objects:
            made.unlink(missing_ok=True)
        return _why(done) if done.fault else ""

    def _twin_commands(self, folder: Path) -> tuple[dict[Path, bool], list[str], list[str]]:
        """Return the source files of a twin, whether each is C, the flags that matter, and libraries."""
        done = execute(["make", "-n", "-B", "-k"], folder, 30)
        sources: dict[Path, bool] = {}
        flags: list[str] = []
        libraries: list[str] = []
        for words in _commands(done.text):
            tool = Path(words[0]).name
            if tool not in _C_COMPILERS | _CXX_COMPILERS:
                continue
            for i, word in enumerate(words[1:], 1):
                if Path(word).suffix in CXX_SUFFIXES and (folder / word).is_file():
                    sources[(folder / word).resolve()] = word.endswith(".c") and tool in _C_COMPILERS
                elif word in ("-D", "-I") and i + 1 < len(words):
                    flags.append(word + words[i + 1])
                elif re.match(r"-[DI].|-std=", word):
                    flags.append(word)
                elif word.startswith("-l") and word not in ("-lcuda", "-lcudart"):
                    libraries.append(word)
        if not sources:
            files = [file for file in sorted(folder.iterdir()) if file.suffix in CXX_SUFFIXES]
            sources = {file: file.suffix == ".c" for file in files}
            if sum(map(has_main, files)) > 1:
                sources = {}
        return sources, list(dict.fromkeys(flags)), list(dict.fromkeys(libraries))


def remarks_in(log: str) -> list[dict[str, Any]]:
    """Return the remarks in what a build printed: lists of JSON between other lines."""
    found: list[dict[str, Any]] = []
    for text in re.findall(r"^\[\n(?: .*\n)*\]$", log, re.MULTILINE):
        try:
            found += json.loads(text)
        except ValueError:
            continue
    return found


def _commands(text: str) -> Iterable[list[str]]:
    for line in re.sub(r"\\\n\s*", " ", text).splitlines():
        for command in re.split(r"\s*(?:&&|;|\|\|)\s*", line):
            try:
                words = shlex.split(command)
            except ValueError:
                continue
            if words:
                yield words


def _uses_openmp(files: Sequence[Path]) -> bool:
    return any(re.search(r"#pragma\s+omp|<omp\.h>", file.read_text(errors="replace")) for file in files)


def _is_script(file: Path) -> bool:
    return file.is_file() and file.suffix in ("", ".sh") and not _is_program(file)


def _is_program(file: Path) -> bool:
    """Is it an executable in the format of Linux, neither an object nor a shared library?"""
    if not file.is_file() or file.is_symlink() or not os.access(file, os.X_OK) or ".so" in file.name:
        return False
    with file.open("rb") as opened:
        return opened.read(4) == b"\x7fELF"


def _remove_programs(folder: Path) -> None:
    for file in folder.rglob("*"):
        if _is_program(file):
            file.unlink()


def _program_made(folder: Path, name: str) -> Path | None:
    """Return the program that a build made: the one that is run, else the only one, else the newest."""
    if name and _is_program(folder / name):
        return folder / name
    made = [file for file in folder.rglob("*") if _is_program(file)]
    return max(made, key=lambda file: file.stat().st_mtime, default=None)


def _folder_of(name: str, folder: Path) -> Path:
    return (folder / name).parent if name and (folder / name).parent.is_dir() else folder


def _why(done: Done) -> str:
    """Return the line that says why a build failed."""
    if done.ended:
        return done.ended
    lines = done.text.splitlines()
    faults = [
        line.strip() for line in lines if re.search(r"error\b|undefined reference|cannot find|No such file", line)
    ]
    first = next((line for line in faults if not line.startswith("make")), next(iter(faults), ""))
    return first or (lines[-1].strip() if lines else "") or done.fault or "make links no program"


def _kept_fault(target: Path) -> str | None:
    """Return the result of an earlier build of the same; None if there was none."""
    if target.exists():
        return ""
    failed = target.with_suffix(".failed")
    return failed.read_text(encoding="utf-8") if failed.exists() else None


def _keep(target: Path, fault: str) -> None:
    if fault:
        target.with_suffix(".failed").write_text(fault, encoding="utf-8")
