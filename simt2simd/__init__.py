"""CUDA-C kernels on CPU vector units.

    from simt2simd import RawKernel
    saxpy = RawKernel(code, "saxpy")
    saxpy((blocks,), (256,), (np.float32(2), x, y, n))

Nothing heavy is imported before one of the names below is used.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .diag import CompileError as CompileError
    from .diag import CompileWarning as CompileWarning
    from .python.kernel import RawKernel as RawKernel
    from .python.kernel import RawModule as RawModule
    from .runtime import LaunchError as LaunchError

__version__ = "0.1.0"
__all__ = ["CompileError", "CompileWarning", "LaunchError", "RawKernel", "RawModule"]

_HOME = {
    "CompileError": "diag", "CompileWarning": "diag", "LaunchError": "runtime", "RawKernel": "python.kernel",
    "RawModule": "python.kernel",
}  # fmt: skip


def __getattr__(name: str) -> object:
    if name not in _HOME:
        raise AttributeError(f"module 'simt2simd' has no attribute '{name}'")
    return getattr(importlib.import_module(f".{_HOME[name]}", __name__), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
