"""What the machine code is for: lanes and CPU features."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from .diag import ToolError

LANES = 16  # threads of a gang: one AVX-512 register of 32-bit values
MAX_LANES = 64

Axis = Literal["x", "y"]
# The axis along which the threads of a gang lie; "xy" if they are a tile of the block, see `tile`; empty if a gang may
# span rows.
Along = Literal["x", "y", "xy", ""]


def tile(lanes: int) -> tuple[int, int]:
    """Return how many threads a gang that is a tile has along x and along y: 4 and 4, 8 and 4, or 8 and 8."""
    width = 1 << (lanes.bit_length() // 2)
    return width, lanes // width


def run(along: Along, lanes: int) -> int:
    """Return how many lanes of sixteen lie side by side along x: those of a tile's row, of rows of most narrow blocks.

    Gangs that lie along an axis have no rows; they are one run.
    """
    return min(LANES, tile(lanes)[0] if along == "xy" else LANES if along else 8)


@dataclass(frozen=True)
class Target:
    """A kind of CPU: what LLVM and others call it, and what a gang may count on.

    `family` has a module of instructions in `simd/`. `cpu` and `features` are LLVM's words, `required` those of
    /proc/cpuinfo ("abm" is lzcnt). `macro` is what compilers predefine, `vector_math` what libmvec's names have.
    """

    name: str
    family: Literal["x86"]
    triple: str
    cpu: str
    required: frozenset[str] = field(repr=False)  # a set has no order, and caches name kernels by what is printed
    macro: str
    vector_math: str
    register_bits: int  # of a vector register
    registers: int  # such registers
    mask_registers: bool = False  # loads and stores under any mask cost as much as whole ones
    gathers: bool = False  # and scatters: 16 lanes of 32 bits at once, at 32-bit offsets from a base
    compresses: bool = False  # lanes that are on move side by side, and back
    permutes: bool = False  # lanes of one or two registers move anywhere
    conflicts: bool = False  # lanes with equal values find each other
    float_parts: bool = False  # exponents and fractions are taken and put together, in all cases of the standard
    features: str = ""


_AVX2 = frozenset("avx avx2 bmi1 bmi2 f16c fma abm movbe".split())

AVX512 = Target(
    "avx512",
    "x86",
    triple="x86_64-unknown-linux-gnu",
    cpu="x86-64-v4",
    required=_AVX2 | frozenset("avx512f avx512bw avx512cd avx512dq avx512vl".split()),
    macro="__x86_64__",
    vector_math="e",
    register_bits=512,
    registers=32,
    mask_registers=True,
    gathers=True,
    compresses=True,
    permutes=True,
    conflicts=True,
    float_parts=True,
)
AVX2 = Target(
    "avx2",
    "x86",
    triple="x86_64-unknown-linux-gnu",
    cpu="x86-64-v3",
    required=_AVX2,
    macro="__x86_64__",
    vector_math="d",
    register_bits=256,
    registers=16,
)
TARGETS = {target.name: target for target in (AVX512, AVX2)}  # the best first; the last is the least that kernels need


def cpu_features() -> frozenset[str]:
    """Return the features of this machine's CPU, in the words of /proc/cpuinfo; empty if that is not available."""
    return frozenset(_cpuinfo("flags").split())


def cpu_name() -> str:
    """Return what this machine's CPU calls itself; empty if that is not available."""
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
    for target in TARGETS.values():
        if features >= target.required:
            return target
    missing = ", ".join(sorted(AVX2.required - features))
    raise ToolError(f"this CPU cannot run any target: AVX2 is the least, and it lacks {missing}")
