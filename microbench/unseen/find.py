"""Finds the programs in a folder, and their twins for the CPU."""

from __future__ import annotations

import fnmatch
import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

MAKEFILES = ("GNUmakefile", "makefile", "Makefile")
CXX_SUFFIXES = (".c", ".cc", ".cpp", ".cxx", ".C")
TWIN_WORDS = ("omp", "openmp", "cpu", "cpp", "serial", "seq")  # in names of folders, the likeliest first
_CUDA_WORD = re.compile(r"(?<![a-z])(cuda|cu|gpu)(?![a-z])", re.IGNORECASE)
_MAIN = re.compile(r"^[ \t]*(?:extern\s+\"C\"\s+)?(?:static\s+)?(?:int|void|auto)\s+main\s*\(", re.MULTILINE)


@dataclass(frozen=True)
class Program:
    """One program: its name, below the folder that was searched, and how it is built.

    `folder` has a Makefile, or a CMakeLists.txt of which `sources` are an executable's; otherwise the `sources` are
    compiled together.
    """

    name: str
    folder: Path
    makefile: bool
    sources: tuple[Path, ...] = ()
    includes: tuple[Path, ...] = ()


def find_programs(top: Path) -> list[Program]:
    """Return the programs in a folder and those below it, sorted by name.

    A `.cu` file belongs to the nearest folder above it that has a Makefile or an executable in its CMakeLists.txt, and
    only to that of `top` itself if there is no other. Without any, every file with a `main` is a program; if it is the
    only one in its folder, the other files there are parts of it.
    """
    owners: dict[Path, list[Path]] = defaultdict(list)
    for file in _cuda_files(top):
        owners[_owner(file, top)].append(file)
    if len(owners) > 1 and top in owners and not any(file.parent == top for file in owners[top]):
        for file in owners.pop(top):
            owners[file.parent].append(file)
    found: list[Program] = []
    for folder, files in owners.items():
        found += _programs_of(folder, files, top)
    return sorted(found, key=lambda program: program.name)


def chosen(programs: Sequence[Program], only: Sequence[str]) -> tuple[list[Program], list[str]]:
    """Return the programs that any of some names or patterns mean, and the names that mean none.

    A name is that of a program, or its last part with or without what distinguishes CUDA from the twins.
    """
    names = [name for words in only for name in words.split(",") if name]
    if not names:
        return list(programs), []
    known = {program.name: _names(program.name) for program in programs}
    unknown = [name for name in names if not any(fnmatch.filter(called, name) for called in known.values())]
    return [p for p in programs if any(fnmatch.filter(known[p.name], name) for name in names)], unknown


def find_twin(program: Program, top: Path) -> Path | None:
    """Return the folder of the same program for the CPU: `x-omp` beside `x-cuda`, `openmp/x` beside `cuda/x`."""
    parts = program.folder.parts
    first = max(0, len(top.parts) - 2)
    for word in TWIN_WORDS:
        for i in range(len(parts) - 1, first, -1):
            for name in dict.fromkeys((word, word.upper(), "OpenMP" if word == "openmp" else word)):
                other = _CUDA_WORD.sub(name, parts[i])
                folder = Path(*parts[:i], other, *parts[i + 1 :])
                if other != parts[i] and folder.is_dir() and any(_sources_in(folder)):
                    return folder
    return None


def source_files(folder: Path) -> list[Path]:
    """Return the C, C++ and CUDA files of a program's folder and those below it, headers too."""
    suffixes = (*CXX_SUFFIXES, ".cu", ".cuh", ".h", ".hpp", ".inl")
    return sorted(file for file in folder.rglob("*") if file.suffix in suffixes and file.is_file())


def has_main(file: Path) -> bool:
    """Does a source file define `main`?"""
    return bool(_MAIN.search(_read(file)))


def _cuda_files(top: Path) -> Iterator[Path]:
    for file in sorted(top.rglob("*.cu")):
        if file.is_file() and not any(part.startswith(".") for part in file.relative_to(top).parts):
            yield file


def _owner(file: Path, top: Path) -> Path:
    for folder in file.parents:
        if any((folder / name).is_file() for name in MAKEFILES) or _executables(folder):
            return folder
        if folder == top:
            break
    return file.parent


def _programs_of(folder: Path, files: list[Path], top: Path) -> list[Program]:
    name = str(folder.relative_to(top)) if folder != top else top.name
    if any((folder / makefile).is_file() for makefile in MAKEFILES):
        return [Program(name, folder, True)]
    executables = _executables(folder)
    if executables:
        several = len(executables) > 1
        return [
            Program(f"{name}/{each}" if several else name, folder, False, sources, _include_folders(folder))
            for each, sources in executables.items()
        ]
    mains = [file for file in files if has_main(file)]
    if len(mains) == 1 and folder != top:
        return [Program(name, folder, False, (mains[0], *_others(folder, mains[0])))]
    return [Program(str(file.relative_to(top).with_suffix("")), folder, False, (file,)) for file in mains]


def _others(folder: Path, main: Path) -> list[Path]:
    """Return what is compiled with a program's only file with a `main`: what no file includes and has none itself."""
    files = [file for file in _sources_in(folder) if file != main]
    included = {Path(name).name for file in (main, *files) for name in re.findall(r'#include\s+"(.+)"', _read(file))}
    return [file for file in files if file.name not in included and not has_main(file)]


def _sources_in(folder: Path) -> list[Path]:
    return sorted(file for file in folder.iterdir() if file.suffix in (*CXX_SUFFIXES, ".cu") and file.is_file())


def _executables(folder: Path) -> dict[str, tuple[Path, ...]]:
    """Return the executables of a folder's CMakeLists.txt whose sources are all named there and have a `.cu`."""
    found = {}
    for name, words in re.findall(r"add_executable\(\s*(\S+)\s+([^)]*)\)", _cmake_text(folder)):
        files = [folder / re.sub(r"\$\{CMAKE_CURRENT_SOURCE_DIR\}/", "", word) for word in words.split()]
        sources = tuple(file for file in files if file.suffix in (*CXX_SUFFIXES, ".cu"))
        if all(file.is_file() for file in sources) and any(file.suffix == ".cu" for file in sources):
            found[name.replace("${PROJECT_NAME}", folder.name)] = sources
    return found


def _include_folders(folder: Path) -> tuple[Path, ...]:
    words = re.findall(r"include_directories\(([^)]*)\)", _cmake_text(folder))
    names = [word for text in words for word in text.split() if "$" not in word]
    return tuple(folder / name for name in names if (folder / name).is_dir())


def _cmake_text(folder: Path) -> str:
    file = folder / "CMakeLists.txt"
    return re.sub(r"#.*", "", _read(file)) if file.is_file() else ""


def _read(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return ""


def _names(name: str) -> list[str]:
    last = name.rpartition("/")[2]
    return [name, last, _CUDA_WORD.sub("", last).strip("-_")]
