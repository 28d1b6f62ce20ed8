"""The runtime's folders: a file uses functions and data of its own folder and of earlier ones only."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from simt2simd import runtime

RUNTIME = Path(__file__).parents[1] / "runtime"

# The folders in order.
ORDER = ["include", "base", "sched", "device", "exec", "nested", "cudart", "driver"]
FOLDER = {path.stem: path.parent.name for path in RUNTIME.glob("*/*.c")}

# Files of an API that launch nothing and wait for nothing.
WITHOUT_HOOKS = {"nvrtc"}


@pytest.fixture(scope="module")
def uses() -> set[tuple[str, str]]:
    """The pairs of files in libs2s.a of which the first uses a symbol of the second."""
    if shutil.which("nm") is None:
        pytest.skip("no nm")
    archive = runtime.native_dir() / "libs2s.a"
    done = subprocess.run(["nm", "-A", "-g", str(archive)], capture_output=True, text=True, check=True)
    every = []
    for line in done.stdout.splitlines():
        place, *_, kind, name = line.split()
        every.append((place.split(":")[1].removesuffix(".o"), kind, name))
    owner = {name: file for file, kind, name in every if kind != "U"}
    assert sorted({file for file, _, _ in every}) == sorted(path.stem for path in RUNTIME.glob("*/*.c"))
    return {(file, owner[name]) for file, kind, name in every if kind == "U" and name in owner}


def test_a_folder_uses_only_those_before_it(uses: set[tuple[str, str]]) -> None:
    assert len(uses) > 200
    assert {(user, used) for user, used in uses if ORDER.index(FOLDER[used]) > ORDER.index(FOLDER[user])} == set()


def test_a_program_with_an_api_has_the_hooks(uses: set[tuple[str, str]]) -> None:
    """The linker takes files of libs2s.a one by one: whichever a program calls, it gets the one that sets the hooks."""
    files = {file for file in FOLDER if FOLDER[file] in ("cudart", "driver")}
    reached = {"kernels"}
    while more := {user for user, used in uses if used in reached and user in files} - reached:
        reached |= more
    assert files - reached == WITHOUT_HOOKS


def test_every_hook_is_set() -> None:
    (table,) = re.findall(r"typedef struct {([^}]*)} s2s_hook_table;", (RUNTIME / "sched" / "hooks.h").read_text())
    (values,) = re.findall(r"s2s_hooks = \(s2s_hook_table\){([^}]*)}", (RUNTIME / "cudart" / "kernels.c").read_text())
    assert re.findall(r"\(\*(\w+)\)", table) == re.findall(r"\.(\w+) =", values)


@pytest.mark.parametrize("path", sorted(RUNTIME.glob("*/*.[ch]")), ids=lambda path: f"{path.parent.name}/{path.name}")
def test_a_file_includes_only_headers_of_its_folder_and_of_those_before_it(path: Path) -> None:
    named = re.findall(r'^#include "(.*)"', path.read_text(), re.MULTILINE)
    folders = {name.rpartition("/")[0] or "include" for name in named}
    assert folders <= set(ORDER[: ORDER.index(path.parent.name) + 1])
