"""What the machine code is for: lanes and CPU features."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from .diag import ToolError

LANES = 16  # threads of a gang: one AVX-512 register of 32-bit values
MAX_LANES = 64

Axis = Literal["x", "y"]
Along = Literal["x", "y", ""]  # the axis along which the threads of a gang lie; empty if a gang may span rows


@dataclass(frozen=True)
class Target:
    """A kind of CPU. `cpu` and `features` are LLVM's names."""

    name: Literal["avx512", "avx2"]
    cpu: str
    features: str = ""

    @property
    def has_avx512(self) -> bool:
        return self.name == "avx512"


AVX512 = Target("avx512", "x86-64-v4")
AVX2 = Target("avx2", "x86-64-v3")

# What a target uses, in the words of /proc/cpuinfo ("abm" is lzcnt).
REQUIRED = {
    "avx2": frozenset("avx avx2 bmi1 bmi2 f16c fma abm movbe".split()),
    "avx512": frozenset("avx avx2 bmi1 bmi2 f16c fma abm movbe avx512f avx512bw avx512cd avx512dq avx512vl".split()),
}


def cpu_features() -> frozenset[str]:
    """Return the features of this machine's CPU, in the words of /proc/cpuinfo; empty if it does not tell."""
    return frozenset(_cpuinfo("flags").split())


def cpu_name() -> str:
    """Return what this machine's CPU calls itself; empty if it does not tell."""
    return _cpuinfo("model name")


def _cpuinfo(key: str) -> str:
    try:
        with open("/proc/cpuinfo") as lines:  # to be read only as far as needed: it has such lines for every CPU
            return next((line.partition(":")[2].strip() for line in lines if line.startswith(key)), "")
    except OSError:
        return ""


def native() -> Target:
    """Return the best target that this machine's CPU can run. Raises `ToolError` if there is none."""
    features = cpu_features()
    for target in (AVX512, AVX2):
        if features >= REQUIRED[target.name]:
            return target
    missing = ", ".join(sorted(REQUIRED["avx2"] - features))
    raise ToolError(f"this CPU cannot run any target: AVX2 is the least, and it lacks {missing}")
