"""Golden tests: a `.cu` names a stage in its first line (`// RUN: STAGE [FLAG...]`) and `CHECK`s its dump.

The dump is that of code for AVX-512, on every machine.
"""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from simt2simd.pipeline import compile_device
from simt2simd.python import flags
from simt2simd.source import Source
from simt2simd.target import AVX512

GOLDEN = Path(__file__).parent / "golden"


@pytest.mark.parametrize("path", sorted(GOLDEN.glob("*.cu")), ids=lambda path: path.stem)
def test_dump_reads_as_checked(path: Path, tmp_path: Path) -> None:
    first = path.read_text().splitlines()[0]
    assert first.startswith("// RUN: "), first
    stage, *options = first.removeprefix("// RUN: ").split()
    wanted = replace(flags.device_options(options), target=AVX512)
    dumps: list[str] = []
    compile_device(Source.read(path), wanted, [stage], lambda _, text: dumps.append(text))
    dump = tmp_path / "dump"
    dump.write_text(dumps[0])
    command = [sys.executable, "-m", "filecheck", str(path), "--input-file", str(dump)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
