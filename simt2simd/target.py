"""What the machine code is for: lanes, CPU features, and the options that change its meaning."""

from __future__ import annotations

from dataclasses import dataclass, field

LANES = 16  # threads of a gang: one AVX-512 register of 32-bit values


@dataclass(frozen=True)
class Target:
    """A kind of CPU. `cpu` and `features` are LLVM's names."""

    name: str
    cpu: str
    features: str = ""

    @property
    def has_avx512(self) -> bool:
        return self.name == "avx512"


AVX512 = Target("avx512", "x86-64-v4")
AVX2 = Target("avx2", "x86-64-v3")


@dataclass(frozen=True)
class Options:
    """How to compile device code; every field has nvcc's meaning where nvcc has the flag.

    `fmad`: `a * b + c` may fuse. `fast_math`: `--use_fast_math`. `optimise`: LLVM's level, 0 to 3.
    `verify`: emit run-time checks of every uniform and affine claim.
    """

    target: Target = AVX512
    fmad: bool = True
    fast_math: bool = False
    optimise: int = 3
    verify: bool = False
    defines: tuple[str, ...] = field(default=())  # "NAME" or "NAME=VALUE"
    include_dirs: tuple[str, ...] = field(default=())
