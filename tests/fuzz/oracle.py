"""An oracle that knows nothing of simt2simd: the same text as plain C++, by the system's compiler.

Compiling is slow, so many programs are compiled at once. The code checks for undefined arithmetic; the result of a
launch that has any says nothing.
"""

from __future__ import annotations

import ctypes
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

from .data import Arguments
from .launch import Array, Launch, Number, Program, Record

FLAGS = [
    *"-std=c++17 -O1 -w -fpermissive -Wno-narrowing -fPIC -shared -ffp-contract=off -fno-strict-aliasing".split(),
    "-fsanitize=signed-integer-overflow,shift,integer-divide-by-zero,bounds,float-cast-overflow",
]


DEFINED, STUCK = 0, 2  # `Outcome` in plain/threads.h


class OracleError(Exception):
    """The C++ compiler refuses a program, or its threads wait for ever: a fault of the generator or of the shims."""


class _Index(ctypes.Structure):
    _fields_ = (("x", ctypes.c_uint), ("y", ctypes.c_uint), ("z", ctypes.c_uint))


class _Launch(ctypes.Structure):
    _fields_ = (("grid", _Index), ("block", _Index), ("synchronises", ctypes.c_int))


def available() -> bool:
    return shutil.which("c++") is not None


def translation(programs: Sequence[Program]) -> str:
    """Return the C++ text: each program in a namespace, and a function to launch its kernel."""
    parts = ['#include "shims.h"']
    for k, program in enumerate(programs):
        values = [_value(at, parameter) for at, parameter in enumerate(program.parameters)]
        parts.append(f"namespace p{k} {{ namespace {{\n{program.text}")
        parts.append(f"void call(void **a) {{ kernel({', '.join(values)}); }}\n}} }}")
        parts.append(
            f'extern "C" int run_{k}(const Launch *launch, void **a) {{ return each_thread(launch, p{k}::call, a); }}'
        )
    return "\n".join(parts) + "\n"


def _value(at: int, parameter: object) -> str:
    if isinstance(parameter, Number | Record):
        return f"*({'int' if isinstance(parameter, Number) else parameter.type} *)a[{at}]"
    assert isinstance(parameter, Array) or hasattr(parameter, "type")
    return f"({parameter.type} *)a[{at}]"


class Library:
    """Several programs, compiled and loaded into this process."""

    def __init__(self, programs: Sequence[Program]) -> None:
        with TemporaryDirectory() as folder:
            source, library = Path(folder, "programs.cpp"), Path(folder, "programs.so")
            source.write_text(translation(programs))
            shims = Path(__file__).parent / "plain"
            done = subprocess.run(
                ["c++", *FLAGS, f"-I{shims}", str(source), "-o", str(library)], capture_output=True, text=True
            )
            if done.returncode != 0:
                raise OracleError(done.stderr)
            try:
                self.library = ctypes.CDLL(str(library))
            except OSError as failure:  # a function is used and has no definition
                raise OracleError(str(failure)) from failure

    def run(self, at: int, program: Program, launch: Launch, arguments: Arguments) -> bool:
        """Launch program number `at`; return whether all that it did is defined."""
        x, y, z = (*launch.grid, 1, 1)[:3]
        grid = _Index(x, y, z)
        x, y, z = (*launch.block, 1, 1)[:3]
        block = _Index(x, y, z)
        pointers = (ctypes.c_void_p * len(arguments.values))()
        kept = [np.array(v) for v in arguments.values if not isinstance(v, np.ndarray)]
        numbers = iter(kept)
        for k, v in enumerate(arguments.values):
            array = v if isinstance(v, np.ndarray) else next(numbers)
            pointers[k] = array.ctypes.data
        how = ctypes.byref(_Launch(grid, block, int(program.synchronises)))
        outcome = self.library[f"run_{at}"](how, pointers)
        if outcome == STUCK:
            raise OracleError("threads wait for each other")
        return bool(outcome == DEFINED)
