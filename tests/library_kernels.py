"""Runs kernels that include CUDA's libraries: interpreted, compiled, and as whole programs."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from simt2simd.command.cli import main
from simt2simd.frontend.parse.parse import parse
from simt2simd.frontend.sema.module import check
from simt2simd.frontend.text.preprocess import preprocess
from simt2simd.interp.memory import Memory
from simt2simd.interp.run import Interpreter
from simt2simd.options import Options
from simt2simd.python.kernel import RawModule
from simt2simd.source import Source

OPTIONS = Options(fmad=False, device_only=True)


def both(
    text: str, kernel: str, grid: int, block: int, args: Sequence[Any], ulps: float = 0
) -> list[np.ndarray[Any, Any]]:
    """Run a kernel both ways; return its arrays, which must be the same, floats to within so many ulps."""
    interpreted = [arg.copy() if isinstance(arg, np.ndarray) else arg for arg in args]
    program = check(parse(preprocess(Source("t.cu", text), OPTIONS)))
    Interpreter(program).launch(kernel, (grid,), (block,), interpreted, memory=Memory())
    RawModule(code=text, options=("-fmad=false",)).get_function(kernel)((grid,), (block,), tuple(args))
    found = [arg for arg in args if isinstance(arg, np.ndarray)]
    for one, other in zip(found, [arg for arg in interpreted if isinstance(arg, np.ndarray)], strict=True):
        if one.dtype.kind == "f" and ulps:
            np.testing.assert_array_max_ulp(one, other, ulps)
        else:
            np.testing.assert_array_equal(one, other)
    return found


def run_program(folder: Path, text: str, *flags: str) -> str:
    """Compile a program and run it; return what it prints."""
    (folder / "t.cu").write_text(text)
    assert main(["compile", str(folder / "t.cu"), "-o", str(folder / "t"), *flags]) == 0
    done = subprocess.run([str(folder / "t")], capture_output=True, text=True, timeout=120)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout
