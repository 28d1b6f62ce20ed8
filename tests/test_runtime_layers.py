"""The runtime's folders: a file uses functions and data of its own folder and of earlier ones only."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterator

import pytest

from simt2simd import runtime

# The folders in order, and the files of each.
FOLDERS = {
    "base": "own ranges errors machine",
    "sched": "switch stack pool beside timeout interrupt wait others",
    "device": "printf heap assert atomic bytes clock guards",
    "exec": "launch block fibers pieces order ropes stats counts traffic lines object",
    "nested": "children child_errors family sequences duties chunks pending",
    "cudart": "array capture copy device graph graph_launch graph_params handles interop kernels memory module"
    " placement pools queue streams texture variables",
    "driver": "driver driver_arrays driver_calls driver_more nvrtc",
}
ORDER = list(FOLDERS)
FOLDER = {file: folder for folder, files in FOLDERS.items() for file in files.split()}

# Uses of later folders that are still there.
EXCEPTIONS = {
    ("beside", "queue"),
    ("pool", "guards"),
    ("pool", "queue"),
    ("wait", "queue"),
    ("guards", "queue"),
    ("fibers", "family"),
    ("launch", "family"),
}


def symbols() -> Iterator[tuple[str, str, str]]:
    """Give the file, the kind as nm tells it, and the name of each global symbol of libs2s.a."""
    archive = runtime.native_dir() / "libs2s.a"
    done = subprocess.run(["nm", "-A", "-g", str(archive)], capture_output=True, text=True, check=True)
    for line in done.stdout.splitlines():
        place, *_, kind, name = line.split()
        yield place.split(":")[1].removesuffix(".o"), kind, name


@pytest.mark.skipif(shutil.which("nm") is None, reason="no nm")
def test_a_folder_uses_only_those_before_it() -> None:
    every = list(symbols())
    owner = {name: file for file, kind, name in every if kind != "U"}
    uses = {(file, owner[name]) for file, kind, name in every if kind == "U" and name in owner}
    assert {file for file, _, _ in every} == set(FOLDER)
    assert len(uses) > 200
    upward = {(user, used) for user, used in uses if ORDER.index(FOLDER[used]) > ORDER.index(FOLDER[user])}
    assert upward == EXCEPTIONS
