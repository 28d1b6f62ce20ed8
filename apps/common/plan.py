"""What is measured: problems with their inputs as files, and the commands that solve them.

`python -m apps --build DIR` writes the files and MANIFEST, which says what they are; `python -m apps.run_built DIR`
reads it.
"""

from __future__ import annotations

import argparse
import gzip
import hashlib
import json
import os
import shutil
import subprocess
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any, Literal

import numpy as np

from ..harness import AppError
from ..machine import CUDA
from .app import App, Array, Arrays, Case

MANIFEST = "manifest.json"
GPU_CORES = 0  # `cores` of a GPU's record

Cores = Literal["every", "ends", "one", "most"]  # numbers of cores: "ends" are the least and the most


def chosen_cores(on: Cores, there: Sequence[int]) -> tuple[int, ...]:
    """Return those of the numbers of cores that are meant."""
    least, most = min(there), max(there)
    found = {"every": tuple(there), "ends": (least, most), "one": (least,), "most": (most,)}[on]
    return tuple(dict.fromkeys(found))


@dataclass(frozen=True)
class Command:
    """One way in which a problem is solved.

    `target` is that of the compiler, "c++" of a host variant, "python" of a package. `program` is a file, relative to
    the folder of the problem, empty in Python. `counting`, if there is one, is the same program compiled to count what
    traversals do. If it is `parallel`, it is wanted on some of the numbers of cores: see `Cores`. Without `orders` it
    is wanted in all. What is more `urgent`, 0 the most, is measured first where time is short.
    """

    variant: str
    target: str
    program: str
    arguments: tuple[str, ...]
    parallel: bool
    counting: str = ""
    on: Cores = "every"
    orders: tuple[str, ...] = ()
    urgent: int = 0

    @property
    def programs(self) -> list[str]:
        """The files of its programs."""
        return [file for file in (self.program, self.counting) if file]

    def core_counts(self, there: Sequence[int]) -> tuple[int, ...]:
        """Return the numbers of cores, of those there are, that it runs on; 0 stands for a GPU."""
        if self.target == CUDA:
            return (GPU_CORES,)
        return chosen_cores(self.on, there) if self.parallel else (1,)


@dataclass(frozen=True)
class Problem:
    """A case of an application whose arrays are files, with what its answers are checked against, and its commands."""

    app: str
    input: str
    label: str
    arrays: Mapping[str, str]
    arguments: tuple[str, ...]
    parameters: Mapping[str, float]
    truth: Mapping[str, str]
    commands: tuple[Command, ...]
    order: str = ""

    def case(self, folder: Path) -> Case:
        """Return the case; its arrays are read when they are used."""
        arrays = load(folder, self.arrays)
        parameters = dict(self.parameters)
        return Case(self.input, self.label, arrays, self.arguments, parameters=parameters, order=self.order)


@dataclass(frozen=True)
class Manifest:
    """What a built folder holds: from which commit, by which compilers with which flags, for each target.

    `left_out` has what was wanted and is not there, with the reason.
    """

    commit: str
    compiler: Mapping[str, str]
    flags: Mapping[str, str]
    problems: tuple[Problem, ...]
    left_out: Mapping[str, str] = field(default_factory=dict)


RAW = ".bytes"  # a file of bytes alone


def save(folder: Path, arrays: Arrays, raw: Container[str] = ()) -> dict[str, str]:
    """Write arrays to files that are named by what they hold; return the names of the files.

    They are .npy files, but for those that are `raw`: their bytes alone.
    """
    return {name: _save(folder, array, name in raw) for name, array in arrays.items()}


def _save(folder: Path, array: Array, raw: bool) -> str:
    digest = hashlib.sha256(f"{array.dtype}{array.shape}".encode() + np.ascontiguousarray(array).tobytes())
    name = f"{digest.hexdigest()[:16]}{RAW if raw else '.npy'}"
    if raw:
        array.tofile(folder / name)
    elif not (folder / name).exists():
        np.save(folder / name, array)
    return name


def is_made_by_numpy(name: str) -> bool:
    """Whether NumPy makes the same input on any CPU: without sines and the like, which they round differently."""
    return name.startswith(("random:", "plummer:"))


def make_missing(app: App, problem: Problem, folder: Path, made: Path) -> Problem:
    """Return a problem of `folder` whose arrays are all files; those that are missing are made, in the folder `made`.

    Raises `AppError` if they are not what they were where the folder was built.
    """
    missing = {name: file for name, file in problem.arrays.items() if not (folder / file).exists()}
    if not missing or not is_made_by_numpy(problem.input):
        return problem
    case = next(iter(app.cases(problem.input, argparse.Namespace())))
    files = save(made, {name: case.arrays[name] for name in missing}, case.raw)
    if files != missing:
        raise AppError(f"{problem.input}: NumPy {np.__version__} makes other numbers than where the folder was built")
    return replace(problem, arrays={**problem.arrays, **{name: str(made / file) for name, file in files.items()}})


def load(folder: Path, files: Mapping[str, str]) -> dict[str, Array]:
    """Return the arrays of files. Raises `AppError` if one cannot be read."""
    arrays = {}
    for name, file in files.items():
        try:
            path = folder / file
            arrays[name] = np.fromfile(path, np.uint8) if file.endswith(RAW) else np.load(path, mmap_mode="r")
        except (OSError, ValueError) as fault:
            raise AppError(f"cannot read {folder / file}: {fault}") from None
    return arrays


def problem_of(app: App, case: Case, commands: tuple[Command, ...], folder: Path, most: int | None) -> Problem:
    """Write the arrays of a case, and what `most` of its answers or all are checked against, to a folder."""
    return Problem(
        app=app.name,
        input=case.input,
        label=case.label,
        arrays=save(folder, case.arrays, case.raw),
        arguments=case.arguments,
        parameters=case.parameters,
        truth=save(folder, app.truth(case, most)),
        commands=commands,
        order=case.order,
    )


PACKED = ".gz"


def pack(folder: Path, programs: Iterable[str]) -> None:
    """Replace programs by packed ones without their symbols, a quarter of the size."""
    for name in programs:
        file = folder / name
        if shutil.which("strip"):
            subprocess.run(["strip", "-s", file], check=False, capture_output=True)
        (folder / f"{name}{PACKED}").write_bytes(gzip.compress(file.read_bytes(), mtime=0))
        file.unlink()


def unpack(folder: Path) -> None:
    """Unpack the programs of a folder, once."""
    for file in folder.glob(f"*{PACKED}"):
        program = file.with_suffix("")
        if not program.exists():
            unfinished = program.with_name(f"{os.getpid()}-{program.name}")
            unfinished.write_bytes(gzip.decompress(file.read_bytes()))
            unfinished.chmod(0o755)
            unfinished.rename(program)


def write_manifest(folder: Path, manifest: Manifest) -> None:
    (folder / MANIFEST).write_text(json.dumps(asdict(manifest), indent=1) + "\n", encoding="utf-8")


def read_manifest(folder: Path) -> Manifest:
    """Read what `write_manifest` wrote. Raises `AppError`."""
    path = folder / MANIFEST
    try:
        found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
        return Manifest(problems=tuple(_problems(found.pop("problems"))), **found)
    except OSError as fault:
        raise AppError(f"cannot read {path}: {fault.strerror}") from None
    except (ValueError, TypeError, KeyError, AttributeError):
        raise AppError(f"{path} was not written by --build") from None


def _problems(found: Iterable[dict[str, Any]]) -> Iterable[Problem]:
    for each in found:
        commands = tuple(
            Command(**{**command, "arguments": tuple(command["arguments"]), "orders": tuple(command["orders"])})
            for command in each.pop("commands")
        )
        yield Problem(arguments=tuple(each.pop("arguments")), commands=commands, **each)
