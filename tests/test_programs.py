"""Whole programs in programs/, in the manner of what users write: each prints what its last comment says."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

from simt2simd.command import cli

pytestmark = pytest.mark.unoptimised

PROGRAMS = Path(__file__).parent / "programs"
_PRINTS = "// It prints:\n"
PRINTING = [path for path in sorted(PROGRAMS.glob("*.cu")) if _PRINTS in path.read_text()]


@pytest.mark.parametrize("path", PRINTING, ids=lambda path: path.stem)
def test_a_program_prints_what_it_says(path: Path, tmp_path: Path) -> None:
    expected = [line.removeprefix("// ") for line in path.read_text().partition(_PRINTS)[2].splitlines()]
    program = tmp_path / "program"
    assert cli.main(["compile", str(path), "-o", str(program)]) == 0
    done = subprocess.run([program], capture_output=True, text=True, timeout=60, check=False)
    assert [line.rstrip() for line in done.stdout.splitlines()] == expected
    assert done.returncode == 0 and done.stderr == ""


@pytest.mark.slow("nvcc compiles programs")  # whether it does changes only with a program
@pytest.mark.skipif(shutil.which("nvcc") is None, reason="needs nvcc")
@pytest.mark.parametrize("path", PRINTING, ids=lambda path: path.stem)
def test_nvcc_compiles_it(path: Path, tmp_path: Path) -> None:
    command = ["nvcc", "-std=c++17", "--extended-lambda", "-w", "-c", str(path), "-o", str(tmp_path / "program.o")]
    command += ["-arch=sm_90", "-rdc=true"] * (path.stem == "children")
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[:2000]
