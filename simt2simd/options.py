"""How device code is compiled: the options, as every stage gets them."""

from __future__ import annotations

from dataclasses import dataclass, field

from .target import AVX512, Target


@dataclass(frozen=True)
class Options:
    """How to compile device code; every field has nvcc's meaning where nvcc has the flag.

    `fmad`: `a * b + c` may fuse. `fast_math`: `--use_fast_math`. `optimise`: LLVM's level, 0 to 3.
    `verify`: emit run-time checks of every uniform and affine claim. `fission`: divide kernels at their barriers.
    `lanes`: of the gangs of kernels that can have other than 16; None: whichever seem best.
    """

    target: Target = AVX512
    fmad: bool = True
    fast_math: bool = False
    optimise: int = 3
    verify: bool = False
    fission: bool = True
    lanes: int | None = None
    defines: tuple[str, ...] = field(default=())  # "NAME" or "NAME=VALUE"
    include_dirs: tuple[str, ...] = field(default=())
