"""How device code is compiled: the options, as every stage gets them."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Literal

from .target import AVX512, Target


class Traverse(StrEnum):
    """The form that recursive traversals get: `--traverse`."""

    AUTO = "auto"
    RECURSIVE = "recursive"
    LOCKSTEP = "lockstep"
    ROPES = "ropes"
    STATIC_ROPES = "static-ropes"
    STATIC_ROPES_LOCKSTEP = "static-ropes-lockstep"
    REFILL = "refill"
    NONE = "none"
    FLAT = "flat"
    CREC = "crec"
    CREC_BLOCK = "crec-block"

    @property
    def asks_for_a_form(self) -> bool:
        """Whether it is more than leaving the choice to the compiler, or the recursion as it is."""
        return self not in (Traverse.AUTO, Traverse.RECURSIVE, Traverse.NONE)

    @property
    def has_thread_stacks(self) -> bool:
        """Whether each thread gets a stack of its own."""
        return self in (Traverse.ROPES, Traverse.REFILL)

    @property
    def has_static_ropes(self) -> bool:
        """Whether links that are installed in the tree replace the stack."""
        return self in (Traverse.STATIC_ROPES, Traverse.STATIC_ROPES_LOCKSTEP)

    @property
    def is_by_levels(self) -> bool:
        """Whether kernels that launch themselves for a tree's nodes are launched for its levels."""
        return self in (Traverse.FLAT, Traverse.CREC, Traverse.CREC_BLOCK)


Debug = Literal["", "lines", "full"]


@dataclass(frozen=True)
class Options:
    """How to compile device code; every field has nvcc's meaning where nvcc has the flag."""

    target: Target = AVX512  # the CPUs that the code is for
    fmad: bool = True  # `a * b + c` may fuse
    fast_math: bool = False  # --use_fast_math
    optimise: int = 3  # LLVM's level, 0 to 3
    verify: bool = False  # check every uniform and affine claim while kernels run
    lanes: int | None = None  # of the gangs of kernels that can have other than 16; None: whichever seem best
    sort_queries: bool = False  # launches sort the threads of traversals even where that seems not worth it
    traverse: Traverse = Traverse.AUTO  # the form that recursive traversals get
    device_only: bool = False  # no C++ compiler reads the program, so we report missing headers and bad file scope
    disabled: frozenset[str] = frozenset()  # optimisations that do not run, by their names in `pipeline.OPTIMISATIONS`
    check_ir: bool = field(default=False, kw_only=True)  # check the tree after every pass
    stats: bool = field(default=False, kw_only=True)  # count what kernels and traversals do
    warp_stats: bool = field(default=False, kw_only=True)  # in warps, and what they ask of memory
    relocatable: bool = field(default=False, kw_only=True)  # the file is linked with others that it may refer to
    architecture: int = field(default=90, kw_only=True)  # __CUDA_ARCH__ / 10
    for_gpus: bool = field(default=False, kw_only=True)  # the program is only rewritten, for a GPU to run it
    choose: bool = field(default=False, kw_only=True)  # then launches choose the form of traversals by the data
    debug: Debug = field(default="", kw_only=True)  # debug information: nothing, lines, or all
    debug_folder: str = field(default="", kw_only=True)  # from which the names of files lead to them
    standard: str | None = field(default=None, kw_only=True)  # of the language, for __cplusplus: "c++20"
    defines: tuple[str, ...] = field(default=())  # macros: "NAME" or "NAME=VALUE"
    include_dirs: tuple[str, ...] = field(default=())  # folders that are searched for headers, in this order
    undefines: tuple[str, ...] = field(default=(), kw_only=True)  # macros that are not defined, whatever `defines` says
    pre_includes: tuple[str, ...] = field(default=(), kw_only=True)  # files included before the first line
    system_dirs: tuple[str, ...] = field(default=(), kw_only=True)  # folders that are searched last
