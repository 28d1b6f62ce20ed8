"""How device code is compiled: the options, as every stage gets them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, get_args

from .target import AVX512, Target

Traverse = Literal[
    "auto", "recursive", "lockstep", "ropes", "static-ropes", "static-ropes-lockstep", "refill", "none",
    "flat", "crec", "crec-block",
]  # fmt: skip
TRAVERSE: tuple[Traverse, ...] = get_args(Traverse)
STATIC_ROPES: tuple[Traverse, ...] = ("static-ropes", "static-ropes-lockstep")


Debug = Literal["", "lines", "full"]


@dataclass(frozen=True)
class Options:
    """How to compile device code; every field has nvcc's meaning where nvcc has the flag.

    `fmad`: `a * b + c` may fuse. `fast_math`: `--use_fast_math`. `optimise`: LLVM's level, 0 to 3.
    `verify`: emit run-time checks of every uniform and affine claim. `lanes`: of the gangs of kernels that can have
    other than 16; None: whichever seem best. `sort_queries`: launches sort the threads of traversals even where that
    seems not to be worth it. `traverse`: the form that recursive traversals get. `device_only`: no C++ compiler reads
    the program too: missing headers and rubbish at file scope are ours to tell. `disabled`: optimisations that do not
    run, by their names in the list of passes (`pipeline.OPTIMISATIONS`). `check_ir`: check the tree after every pass.
    `stats`: count what kernels and traversals do; `warp_stats`: in warps, and what they ask of memory. `relocatable`:
    the file is to be linked with others, whose device functions and variables it may use. `undefines` are macros that
    are not defined, whatever `defines` and the compiler say; `pre_includes` are files that are included before the
    first line, `system_dirs` folders that are searched last.
    `architecture`: `__CUDA_ARCH__`, divided by 10. `for_gpus`: the program is only rewritten, for a GPU to run it.
    `choose`: then launches choose the form of traversals by the data.
    `debug`: what debuggers are told of kernels: the lines, or all; `debug_folder` is the folder from which the names of
    files lead to them.
    """

    target: Target = AVX512
    fmad: bool = True
    fast_math: bool = False
    optimise: int = 3
    verify: bool = False
    lanes: int | None = None
    sort_queries: bool = False
    traverse: Traverse = "auto"
    device_only: bool = False
    disabled: frozenset[str] = frozenset()
    check_ir: bool = field(default=False, kw_only=True)
    stats: bool = field(default=False, kw_only=True)
    warp_stats: bool = field(default=False, kw_only=True)
    relocatable: bool = field(default=False, kw_only=True)
    architecture: int = field(default=90, kw_only=True)
    for_gpus: bool = field(default=False, kw_only=True)
    choose: bool = field(default=False, kw_only=True)
    debug: Debug = field(default="", kw_only=True)
    debug_folder: str = field(default="", kw_only=True)
    defines: tuple[str, ...] = field(default=())  # "NAME" or "NAME=VALUE"
    include_dirs: tuple[str, ...] = field(default=())
    undefines: tuple[str, ...] = field(default=(), kw_only=True)
    pre_includes: tuple[str, ...] = field(default=(), kw_only=True)
    system_dirs: tuple[str, ...] = field(default=(), kw_only=True)
