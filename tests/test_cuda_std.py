"""Parts of `cuda::std`: programs check them on the device and on the host."""

from __future__ import annotations

from pathlib import Path

import pytest
from library_kernels import run_program

PROGRAMS = Path(__file__).parent / "libraries"


@pytest.mark.parametrize("name", ["expected", "mdspan", "memory", "numeric", "whole_numbers"])
def test_a_program_finds_no_difference(tmp_path: Path, name: str) -> None:
    assert run_program(tmp_path, (PROGRAMS / f"cuda_std_{name}.cu").read_text(), "-std=c++17") == "0 wrong\n"
