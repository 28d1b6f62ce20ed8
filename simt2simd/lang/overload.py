"""Which overload of a built-in a call means: C++'s rules, over the overloads that CUDA's headers declare."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from .builtins import BUILTINS, Builtin
from .ctype import (
    DOUBLE,
    FLOAT,
    INT,
    LONG,
    LONGLONG,
    UINT,
    ULONG,
    ULONGLONG,
    CType,
    Pointer,
    Scalar,
    is_arithmetic,
    is_float,
    promote,
)

# <cmath>: an integer argument counts as double, and the widest argument decides (C++17 [c.math.syn]).
CMATH = frozenset(
    """
    acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh erf erfc exp exp2 expm1 fabs fdim floor fma fmax
    fmin fmod fpclassify frexp hypot ilogb isfinite isgreater isgreaterequal isinf isless islessequal islessgreater
    isnan isnormal isunordered ldexp lgamma llrint llround log log10 log1p log2 logb lrint lround nearbyint nextafter
    pow remainder remquo rint round scalbln scalbn signbit sin sinh sqrt tan tanh tgamma trunc
    """.split()
)

# CUDA declares max and min also for operands that differ in sign or width: these become the second type.
_MIXED = (
    (INT, UINT, UINT),
    (LONG, ULONG, ULONG),
    (LONGLONG, ULONGLONG, ULONGLONG),
    (FLOAT, DOUBLE, DOUBLE),
)

_EXACT, _PROMOTION, _CONVERSION = range(3)


class Ambiguous(Exception):
    """No overload is better than all the others; `rows` are the best ones."""

    def __init__(self, rows: list[Builtin]) -> None:
        super().__init__()
        self.rows = rows


def resolve(name: str, args: Sequence[CType]) -> Builtin | None:
    """Return the overload of `name` that a call with arguments of the types `args` means.

    None if no overload takes such arguments. Raises `Ambiguous` where C++ would reject the call.
    """
    args = tuple(args)
    if name in CMATH:
        args = _as_cmath(name, args)
    ranked = [(ranks, row) for params, row in _candidates(name) if (ranks := _ranks(args, params)) is not None]
    best = [(ranks, row) for ranks, row in ranked if not any(_better(other, ranks) for other, _ in ranked)]
    rows = list(dict.fromkeys(row for _, row in best))
    if len(best) > 1:
        raise Ambiguous(rows)
    return rows[0] if rows else None


@cache
def _candidates(name: str) -> tuple[tuple[tuple[CType, ...], Builtin], ...]:
    """Return the parameter lists under which each row may be called."""
    rows = [(row.params, row) for row in BUILTINS[name]]
    if name in ("max", "min"):
        for first, second, target in _MIXED:
            row = next(row for row in BUILTINS[name] if row.params == (target, target))
            rows += [((first, second), row), ((second, first), row)]
    return tuple(rows)


def _as_cmath(name: str, args: tuple[CType, ...]) -> tuple[CType, ...]:
    """Return the argument types that <cmath>'s rule makes of `args`: all real ones alike."""
    real = [index for index, param in enumerate(BUILTINS[name][0].params) if is_float(param)]
    given = [args[index] for index in real if index < len(args)]
    if not all(is_arithmetic(arg) for arg in given):
        return args
    target = FLOAT if all(arg is FLOAT for arg in given) else DOUBLE
    return tuple(target if index in real else arg for index, arg in enumerate(args))


def _ranks(args: tuple[CType, ...], params: tuple[CType, ...]) -> tuple[int, ...] | None:
    """Return how each argument becomes its parameter; None if the call is impossible."""
    if len(args) != len(params):
        return None
    ranks = [_rank(arg, param) for arg, param in zip(args, params, strict=True)]
    return None if None in ranks else tuple(rank for rank in ranks if rank is not None)


def _rank(arg: CType, param: CType) -> int | None:
    if arg == param:
        return _EXACT
    if isinstance(param, Pointer):
        return _CONVERSION if isinstance(arg, Pointer) and arg.target == param.target and not arg.const else None
    if not isinstance(arg, Scalar) or not is_arithmetic(arg):
        return None
    promoted = promote(arg) is param or (arg is FLOAT and param is DOUBLE)
    return _PROMOTION if promoted else _CONVERSION


def _better(left: tuple[int, ...], right: tuple[int, ...]) -> bool:
    """True if `left` is nowhere worse than `right` and somewhere better."""
    return all(a <= b for a, b in zip(left, right, strict=True)) and left != right
