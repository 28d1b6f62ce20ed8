"""The functions of cuda_fp16.h and cuda_bf16.h: what each does to single numbers, and which arrange parts of pairs.

Operations are computed as `float` and rounded once. That is exact: a float has more than twice as many digits as a
short float (Figueroa, "When is double rounding innocuous?", 1995). For `__hfma`, double has enough: what is near the
middle between two short floats has all its bits within 53.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from ....lang.ctype import (
    BFLOAT16,
    DOUBLE,
    FLOAT,
    HALF,
    INT,
    LONGLONG,
    SHORT,
    UINT,
    ULONGLONG,
    USHORT,
    CType,
    Scalar,
    Struct,
)
from ....lang.vectors import BFLOAT16_RAW, BFLOAT162, HALF2, HALF_RAW, VECTOR_TYPES
from ....tree.nodes import BinaryOp

FLOAT2 = VECTOR_TYPES["float2"]
PAIR_OF = {HALF: HALF2, BFLOAT16: BFLOAT162}
SHORT_OF = {HALF2: HALF, BFLOAT162: BFLOAT16}
# The structs that hold the bits, and the functions that turn them into numbers and back.
RAW: dict[Struct, tuple[Scalar, str, str]] = {
    HALF_RAW: (HALF, "__ushort_as_half", "__half_as_ushort"),
    BFLOAT16_RAW: (BFLOAT16, "__ushort_as_bfloat16", "__bfloat16_as_ushort"),
}
_NAMES = {"half": HALF, "bfloat16": BFLOAT16}
_INTEGERS = {"int": INT, "uint": UINT, "short": SHORT, "ushort": USHORT, "ll": LONGLONG, "ull": ULONGLONG}

# Conversions that are casts: from what, to what. (`lang/short_conversions` has those with other rounding.)
CONVERSIONS: dict[str, tuple[Scalar, Scalar]] = {
    **{f"__float2{name}{mode}": (FLOAT, short) for name, short in _NAMES.items() for mode in ("", "_rn")},
    **{f"__double2{name}": (DOUBLE, short) for name, short in _NAMES.items()},
    **{f"__{name}2float": (short, FLOAT) for name, short in _NAMES.items()},
    **{f"__{i}2{name}_rn": (ctype, short) for i, ctype in _INTEGERS.items() for name, short in _NAMES.items()},
}


# ------------------------------------------------------------------------------------------ computations

# How the results for single numbers make the result: as they are, as 1 and 0, as bits, or all of them must be true.
Result = Literal["", "flag", "mask", "all"]


@dataclass(frozen=True, slots=True)
class Computation:
    """One function: of single numbers, or of pairs. `limit`: "sat" to [0, 1], "relu" to at least 0."""

    op: str
    operands: int
    pairs: bool = False
    limit: Literal["", "sat", "relu"] = ""
    result: Result = ""


ARITHMETIC: dict[str, BinaryOp] = {"add": "+", "sub": "-", "mul": "*", "div": "/"}
# Each with its negation; "ne" is true for numbers alone, as all of these.
COMPARISONS: dict[str, BinaryOp] = {"eq": "==", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}
UNORDERED: dict[str, str] = {"equ": "ne", "neu": "eq", "ltu": "ge", "leu": "gt", "gtu": "le", "geu": "lt"}

# What `float` and `double` have, by the names of their functions.
UNARY = {
    "ceil": "ceilf", "floor": "floorf", "trunc": "truncf", "rint": "rintf", "sqrt": "sqrtf", "rsqrt": "rsqrtf",
    "exp": "expf", "exp2": "exp2f", "exp10": "exp10f", "log": "logf", "log2": "log2f", "log10": "log10f",
    "sin": "sinf", "cos": "cosf", "tanh": "tanhf", "tanh_approx": "tanhf", "rcp": "__frcp_rn",
}  # fmt: skip
BUILTIN_OF = {
    **UNARY, "abs": "fabsf", "max": "fmaxf", "min": "fminf", "isnan": "__isnanf", "fma": "__fma_rn"
}  # fmt: skip


def _computations() -> Iterator[tuple[str, Computation]]:
    for op in ("add", "sub", "mul"):
        for two in ("", "2"):
            yield f"__h{op}{two}", Computation(op, 2, bool(two))
            yield f"__h{op}{two}_rn", Computation(op, 2, bool(two))
            yield f"__h{op}{two}_sat", Computation(op, 2, bool(two), "sat")
    yield "__hdiv", Computation("div", 2)
    yield "__h2div", Computation("div", 2, pairs=True)
    for two in ("", "2"):
        for op, operands in (("abs", 1), ("neg", 1), ("max", 2), ("min", 2), ("max_nan", 2), ("min_nan", 2)):
            name, _, suffix = op.partition("_")
            yield f"__h{name}{two}{'_' * bool(suffix)}{suffix}", Computation(op, operands, bool(two))
        yield f"__hfma{two}", Computation("fma", 3, bool(two))
        yield f"__hfma{two}_sat", Computation("fma", 3, bool(two), "sat")
        yield f"__hfma{two}_relu", Computation("fma", 3, bool(two), "relu")
    for op in (*COMPARISONS, "ne", *UNORDERED):
        yield f"__h{op}", Computation(op, 2)
        yield f"__h{op}2", Computation(op, 2, pairs=True, result="flag")
        yield f"__h{op}2_mask", Computation(op, 2, pairs=True, result="mask")
        yield f"__hb{op}2", Computation(op, 2, pairs=True, result="all")
    yield "__hisnan", Computation("isnan", 1)
    yield "__hisnan2", Computation("isnan", 1, pairs=True, result="flag")
    yield "__hisinf", Computation("isinf", 1)
    for op in UNARY:
        yield f"h{op}", Computation(op, 1)
        yield f"h2{op}", Computation(op, 1, pairs=True)


COMPUTATIONS = dict(_computations())

# C++'s operators on pairs. A comparison is true if it is for both parts.
PAIR_OPERATORS = {
    "+": "__hadd2", "-": "__hsub2", "*": "__hmul2", "/": "__h2div", "==": "__hbeq2", "!=": "__hbneu2", "<": "__hblt2",
    "<=": "__hble2", ">": "__hbgt2", ">=": "__hbge2",
}  # fmt: skip


# ------------------------------------------------------------------------------------------- arrangements


@dataclass(frozen=True, slots=True)
class Arrangement:
    """One function that makes its result of its arguments or of parts of them: "0" is all of the first one.

    "1y" is a part of the next.
    """

    params: tuple[CType, ...]
    result: CType
    parts: tuple[str, ...]


def _arrangements(name: str, short: Scalar, pair: Struct) -> Iterator[tuple[str, Arrangement]]:
    """Yield the functions for `__half` (`name` is "half") or `__nv_bfloat16`. Some are overloaded for both."""
    two = f"{name}2"
    for position, part in (("low", "x"), ("high", "y")):
        yield f"__{position}2{name}", Arrangement((pair,), short, (f"0{part}",))
        yield f"__{position}2float", Arrangement((pair,), FLOAT, (f"0{part}",))
        yield f"__{position}2{two}", Arrangement((pair,), pair, (f"0{part}", f"0{part}"))
        yield f"__{position}s2{two}", Arrangement((pair, pair), pair, (f"0{part}", f"1{part}"))
    yield "__lowhigh2highlow", Arrangement((pair,), pair, ("0y", "0x"))
    yield f"__{name}2{two}", Arrangement((short,), pair, ("0", "0"))
    yield f"__float2{two}_rn", Arrangement((FLOAT,), pair, ("0", "0"))
    yield f"__floats2{two}_rn", Arrangement((FLOAT, FLOAT), pair, ("0", "1"))
    yield f"__float22{two}_rn", Arrangement((FLOAT2,), pair, ("0x", "0y"))
    yield f"__{two}2float2", Arrangement((pair,), FLOAT2, ("0x", "0y"))


ARRANGEMENTS: dict[str, list[Arrangement]] = {}
for _name, _short in _NAMES.items():
    for _function, _arrangement in _arrangements(_name, _short, PAIR_OF[_short]):
        ARRANGEMENTS.setdefault(_function, []).append(_arrangement)

NAMES = frozenset((*CONVERSIONS, *COMPUTATIONS, *ARRANGEMENTS))
