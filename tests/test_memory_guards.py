"""Kernels that run over the ends of device memory: an error with its place, and the host's memory stays as it was."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from simt2simd.command import cli

PROGRAMS = Path(__file__).parent / "programs"
FAULT = "cudaErrorIllegalAddress"


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("guards") / "guards"
    assert cli.main(["compile", "-lineinfo", str(PROGRAMS / "guards.cu"), "-o", str(path)]) == 0
    return path


def output_of(program: Path, kind: str) -> tuple[str, str]:
    """Return what the program writes to its standard output and standard error."""
    done = subprocess.run([str(program), kind], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done
    return done.stdout, done.stderr


@pytest.mark.parametrize(
    ("kind", "place"),
    [
        ("small", r"\d+ bytes after an allocation of 400 bytes at 0x"),
        ("strided", r"\d+ bytes after an allocation of 400 bytes at 0x"),
        ("wide", r"8589934188 bytes after an allocation of 400 bytes at 0x"),
        ("before", r"4400 bytes before an allocation of 100000 bytes at 0x"),
        ("large", r"\d+ bytes after an allocation of 3145728 bytes at 0x"),
        ("heap", r"\d+ bytes (before|after) an allocation of \d+ bytes at 0x"),
        ("freed", "in an allocation of 4000 bytes at 0x[0-9a-f]+ that was freed"),
        ("freed-large", "in an allocation of 67108864 bytes at 0x[0-9a-f]+ that was freed"),
    ],
)
def test_the_access_is_stopped_at_its_line(program: Path, kind: str, place: str) -> None:
    out, err = output_of(program, kind)
    assert out == f"{FAULT}\n"
    assert re.fullmatch(
        rf"simt2simd: kernel '\w+': illegal memory access at \S*guards.cu:\d+ in .*at address 0x[0-9a-f]+: {place}.*\n",
        err,
    )


@pytest.mark.parametrize(
    ("kind", "place"),
    [
        ("behind", "0 bytes after an allocation of 4000 bytes"),
        ("just-before", "4 bytes before an allocation of 300 bytes"),
        ("large-behind", "0 bytes after an allocation of 300000 bytes"),
        ("managed", "0 bytes after an allocation of 100 bytes at 0x[0-9a-f]+; or the host wrote there"),
        ("pool", "0 bytes after an allocation of 5000 bytes"),
        ("slab", "0 bytes after an allocation of 400 bytes"),
        ("freed-slab", "in an allocation of 400 bytes at 0x[0-9a-f]+ that was freed"),
        ("freeing", "0 bytes after an allocation of 4000 bytes"),
        ("copying", "0 bytes after an allocation of 4000 bytes"),
        ("end", "0 bytes after an allocation of 4000 bytes"),
        ("two", "0 bytes after an allocation of 4000 bytes"),
        ("stream", "0 bytes after an allocation of 4000 bytes"),
    ],
)
def test_a_damaged_red_zone_is_found(program: Path, kind: str, place: str) -> None:
    out, err = output_of(program, kind)
    lines = {"behind": [FAULT, "cudaSuccess"], "end": ["not asked"], "freeing": [FAULT] * 2, "copying": [FAULT] * 2}
    assert out.splitlines() == lines.get(kind, [FAULT] * (2 if kind == "stream" else 1))
    who = "one of the kernels 'harmless', 'put'" if kind in ("two", "freed-slab") else "kernel 'put'"
    expected = f"simt2simd: {who}: illegal memory access: the byte at address 0x[0-9a-f]+ was overwritten: {place}"
    assert re.match(expected, err) and err.count("\n") == 1


@pytest.mark.parametrize("kind", ["pinned", "pitch"])
def test_pages_behind_other_memory_cannot_be_touched(program: Path, kind: str) -> None:
    out, err = output_of(program, kind)
    assert out == ("cudaSuccess " if kind == "pinned" else "") + f"{FAULT}\n"
    assert "after an allocation of" in err and err.count("\n") == 1


@pytest.mark.parametrize(("kind", "lines"), [("right", ["right"]), ("threads", [])])
def test_programs_that_keep_within_bounds_see_nothing(program: Path, kind: str, lines: list[str]) -> None:
    out, err = output_of(program, kind)
    assert out.splitlines() == [*lines, "cudaSuccess"] and err == ""


def test_a_child_process_has_guards_of_its_own(program: Path) -> None:
    out, err = output_of(program, "fork")
    assert out == f"child: {FAULT}\ncudaSuccess\n" and err.count("4000 bytes") == 1
