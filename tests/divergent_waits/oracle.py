"""The same text as plain C++, with one coroutine for each thread."""

from __future__ import annotations

import ctypes
import subprocess
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from .kernels import Kernel
from .memory import Memory

SHARED = ("__shared__ int cells[2 * N];", "int *cells = blocks[blockIdx.x].shared;")


class EndlessError(Exception):
    """The threads of a kernel do not end: a fault of the generator."""


class Library:
    """Several kernels, compiled and loaded into this process."""

    def __init__(self, kernels: Sequence[Kernel]) -> None:
        with TemporaryDirectory() as folder:
            source, library = Path(folder, "kernels.cpp"), Path(folder, "kernels.so")
            source.write_text(_translation(kernels))
            flags = "-std=c++17 -O1 -w -fpermissive -fPIC -shared -fwrapv".split()
            here = Path(__file__).parent
            subprocess.run(["c++", *flags, f"-I{here}", str(source), "-o", str(library)], check=True)
            self.library = ctypes.CDLL(str(library))

    def run(self, at: int, kernel: Kernel) -> Memory:
        """Return the memory that kernel number `at` leaves."""
        memory = Memory.of(kernel)
        pointers = (ctypes.c_void_p * 4)(*(array.ctypes.data for array in memory.arrays))
        if self.library[f"run_{at}"](kernel.blocks, kernel.threads, pointers):
            raise EndlessError
        return memory


def _translation(kernels: Sequence[Kernel]) -> str:
    parts = ['#include "shims.h"']
    for k, kernel in enumerate(kernels):
        text = kernel.text.replace(*SHARED).replace('extern "C" ', "")
        parts.append(f"namespace k{k} {{\n{text}")
        arguments = "(int *)a[0], (int *)a[1], (int *)a[2], (int *)a[3], 4"
        parts.append(f"static void call(void **a) {{ kernel({arguments}); }}\n}}")
        parts.append(f'extern "C" int run_{k}(int b, int t, void **a) {{ return each_thread(b, t, k{k}::call, a); }}')
    return "\n".join(parts) + "\n"
