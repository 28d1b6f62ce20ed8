"""What one call of the compiler is to do."""

from __future__ import annotations

from dataclasses import dataclass

from ..options import Options
from .toolchain import HostFlags

CUDA_SUFFIX = ".cu"
HOST_SUFFIXES = frozenset((".c", ".cc", ".cpp", ".cxx", ".C"))
LINK_SUFFIXES = frozenset((".o", ".a", ".so"))
HOST_DUMP = "host"  # the one thing that --dump-ir prints and no device stage makes
STDOUT = "-"  # as an output's name
TEXTS = ("assembly", "llvm", "cuda")  # what can be printed


@dataclass(frozen=True)
class Job:
    """One call of the compiler.

    `emit` is "exe", "object", "linked" (an object with the device code of others), "assembly", "llvm" or "cuda";
    without `output`, the names are nvcc's, and "cuda" is printed. `cxx` is the C++ compiler that the user asks for.
    `keep` leaves the intermediate files beside the output. `dumps` are the names of stages. `remarks` is "text" or
    "json". `warnings` about kernels are "shown", "hidden" or "errors".
    `nvcc`: all is left to nvcc, which also gets `nvcc_args`.
    """

    files: tuple[str, ...]
    output: str | None
    emit: str
    options: Options
    flags: HostFlags
    cxx: str | None = None
    keep: bool = False
    remarks: str | None = None
    warnings: str = "shown"
    dumps: tuple[str, ...] = ()
    nvcc: bool = False
    nvcc_args: tuple[str, ...] = ()
