"""Programs that were built on one machine, to be measured on another one without compilers or packages of ours."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterable, Mapping
from pathlib import Path

from apps.harness import AppError

from .build import HERE, Peer

INDEX = "programs.json"

# By a program's source and the flags it is built with; None if it could not be built.
Programs = dict[tuple[Path, tuple[str, ...]], Path | None]


def write(folder: Path, peers: Iterable[Peer], programs: Mapping[tuple[Path, tuple[str, ...]], Path | None]) -> None:
    """Copy programs to a folder, with what `read` needs to know of them. Raises `OSError`.

    OpenCL's are left out: they need a runtime, and compile their kernels when they start.
    """
    folder.mkdir(parents=True, exist_ok=True)
    kept = []
    for (source, flags), program in programs.items():
        if program is not None and source.name != "opencl.cpp":
            file = f"{source.parent.name}-{program.name}"
            shutil.copy(program, folder / file)
            kept.append({"source": str(source.relative_to(HERE)), "flags": flags, "file": file})
    described = [
        {"name": p.name, "source": p.source, "cores": p.cores, "version": p.version, "flags": p.flags}
        for p in peers
        if p.source != "opencl.cpp"
    ]
    (folder / INDEX).write_text(json.dumps({"peers": described, "programs": kept}, indent=1) + "\n", encoding="utf-8")


def read(folder: Path) -> tuple[list[Peer], Programs]:
    """Return what `write` wrote. `AppError` if it is not there."""
    try:
        found = json.loads((folder / INDEX).read_text(encoding="utf-8"))
        peers = [
            Peer(p["name"], p["source"], tuple(p["cores"]), p["version"], tuple(p["flags"])) for p in found["peers"]
        ]
        programs: Programs = {
            (HERE / p["source"], tuple(p["flags"])): folder.resolve() / p["file"] for p in found["programs"]
        }
    except (OSError, ValueError, KeyError, TypeError) as fault:
        raise AppError(f"{folder}: no folder that --build made: {fault}") from None
    return peers, programs
