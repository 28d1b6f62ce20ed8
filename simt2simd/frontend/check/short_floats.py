"""The functions of cuda_fp16.h and cuda_bf16.h on single numbers, by what they mean.

Operations are computed as `float` and rounded once. That is exact: a float has more than twice as many digits as a
short float (Figueroa, "When is double rounding innocuous?", 1995). For `__hfma`, double has enough.
"""

from __future__ import annotations

from typing import cast

from ...lang.builtins import BUILTINS
from ...lang.ctype import (
    BFLOAT16,
    BOOL,
    DOUBLE,
    FLOAT,
    HALF,
    INT,
    LONGLONG,
    SHORT,
    UINT,
    ULONGLONG,
    USHORT,
    Scalar,
    is_short_float,
)
from ...source import Span
from ...tree.build import Build
from ...tree.nodes import COMPARISONS, BinaryOp, Expr, Unary
from .fold import fold

_SHORT = {"half": HALF, "bfloat16": BFLOAT16}
_INTEGERS = {"int": INT, "uint": UINT, "short": SHORT, "ushort": USHORT, "ll": LONGLONG, "ull": ULONGLONG}

# Conversions: from what, to what.
CONVERSIONS: dict[str, tuple[Scalar, Scalar]] = {
    **{f"__float2{name}{mode}": (FLOAT, short) for name, short in _SHORT.items() for mode in ("", "_rn")},
    **{f"__double2{name}": (DOUBLE, short) for name, short in _SHORT.items()},
    **{f"__{name}2float": (short, FLOAT) for name, short in _SHORT.items()},
    **{f"__{i}2{name}_rn": (ctype, short) for i, ctype in _INTEGERS.items() for name, short in _SHORT.items()},
    **{f"__{name}2{i}_rz": (short, ctype) for i, ctype in _INTEGERS.items() for name, short in _SHORT.items()},
}

OPERATORS: dict[str, BinaryOp] = {
    "__hadd": "+", "__hadd_rn": "+", "__hsub": "-", "__hsub_rn": "-", "__hmul": "*", "__hmul_rn": "*", "__hdiv": "/",
    "__heq": "==", "__hne": "!=", "__hlt": "<", "__hle": "<=", "__hgt": ">", "__hge": ">=",
}  # fmt: skip

# Functions that `float` or `double` has too.
FUNCTIONS = {
    "__habs": "fabsf", "hceil": "ceilf", "hfloor": "floorf", "htrunc": "truncf", "hrint": "rintf", "hsqrt": "sqrtf",
    "hexp": "expf", "hexp2": "exp2f", "hexp10": "exp10f", "hlog": "logf", "hlog2": "log2f", "hlog10": "log10f",
    "hsin": "sinf", "hcos": "cosf", "htanh": "tanhf", "hrsqrt": "rsqrtf", "__hmax": "fmaxf", "__hmin": "fminf",
    "__hisnan": "__isnanf", "__hisinf": "__isinff", "__hfma": "__fma_rn",
}  # fmt: skip

NAMES = frozenset((*CONVERSIONS, *OPERATORS, *FUNCTIONS, "__hneg"))


def operands(name: str) -> int:
    """Return how many arguments function `name` takes."""
    if name in OPERATORS:
        return 2
    return len(BUILTINS[FUNCTIONS[name]][0].params) if name in FUNCTIONS else 1


def call(name: str, args: list[Expr], span: Span) -> Expr:
    """Return what function `name` computes of numbers."""
    build = Build(span)
    if name in CONVERSIONS:
        source, target = CONVERSIONS[name]
        return fold(build.convert(target, fold(build.convert(source, args[0]))))
    short = next((cast("Scalar", arg.type) for arg in args if is_short_float(arg.type)), HALF)
    args = [build.convert(short, arg) for arg in args]
    if name in OPERATORS:
        op = OPERATORS[name]
        left, right = (build.convert(FLOAT, arg) for arg in args)
        result: Expr = build.binary(left, op, right)
        return result if op in COMPARISONS else build.convert(short, result)
    if name == "__hneg":
        return build.convert(short, Unary(span, FLOAT, "-", build.convert(FLOAT, args[0])))
    (row,) = BUILTINS[FUNCTIONS[name]]
    value = build.call_builtin(row, *(build.convert(param, arg) for param, arg in zip(row.params, args, strict=True)))
    return value if row.result == BOOL else build.convert(short, value)
