"""The mathematical functions, in double precision, by the C library; what it lacks is made here.

Every function takes and gives Python floats and never fails: a pole is infinite, an undefined value NaN.
Functions with pointer parameters return a tuple: the result, then what to store through each pointer.
"""

from __future__ import annotations

import ctypes
import math
from collections.abc import Callable
from typing import Any

_libm = ctypes.CDLL("libm.so.6")


def _library(name: str, *params: Any, result: Any = ctypes.c_double) -> Callable[..., Any]:
    """Return a function of the C library."""
    function = getattr(_libm, name)
    function.argtypes, function.restype = params, result
    found: Callable[..., Any] = function
    return found


_D = ctypes.c_double
_UNARY = {
    name: _library(name, _D)
    for name in (
        "acos acosh asin asinh atan atanh cbrt ceil cos cosh erf erfc exp exp10 exp2 expm1 fabs floor j0 j1 lgamma "
        "log log10 log1p log2 logb nearbyint rint round sin sinh sqrt tan tanh tgamma trunc y0 y1"
    ).split()
}
_BINARY = {
    name: _library(name, _D, _D)
    for name in "atan2 copysign fdim fmod hypot pow remainder".split()
}  # fmt: skip

_exp, _erf, _erfc, _sqrt, _log = (_UNARY[name] for name in ("exp", "erf", "erfc", "sqrt", "log"))
_sin, _cos, _hypot, _pow = _UNARY["sin"], _UNARY["cos"], _BINARY["hypot"], _BINARY["pow"]


def divide(left: float, right: float) -> float:
    """Divide as IEEE does."""
    if right:
        return left / right
    if left == 0.0 or left != left:
        return math.nan
    return math.copysign(math.inf, left) * math.copysign(1.0, right)


def _fmax(x: float, y: float) -> float:
    """Return the larger; if one is NaN, the other. +0 is larger than -0."""
    if x == y:
        return y if math.copysign(1.0, x) < 0 else x
    return y if x != x or x < y else x


def _fmin(x: float, y: float) -> float:
    return -_fmax(-x, -y)


def _fast_pow(x: float, y: float) -> float:
    """Return 2^(y log2 x): NaN for negative x, 0^0, infinity^0 and 1^infinity."""
    if x != x or y != y or x < 0.0 or (y == 0.0 and (x == 0.0 or math.isinf(x))) or (x == 1.0 and math.isinf(y)):
        return math.nan
    return float(_pow(abs(x), y))


def _reciprocal(x: float) -> float:
    return divide(1.0, x)


def _rsqrt(x: float) -> float:
    return _reciprocal(_sqrt(x))


def _sinpi(x: float) -> float:
    """Return sin(pi x): the whole turns and quarter turns are taken off x, exactly, before pi comes in."""
    if not math.isfinite(x):
        return math.nan
    turn = math.fmod(x, 2.0)
    if turn == math.trunc(turn):
        return math.copysign(0.0, x)
    quarters = round(turn * 2.0)
    rest = math.pi * (turn - quarters / 2.0)
    return (math.sin(rest), math.cos(rest), -math.sin(rest), -math.cos(rest))[quarters % 4]


def _cospi(x: float) -> float:
    if not math.isfinite(x):
        return math.nan
    turn = math.fmod(abs(x), 2.0)
    quarters = round(turn * 2.0)
    rest = math.pi * (turn - quarters / 2.0)
    if rest == 0.0:
        return (1.0, 0.0, -1.0, 0.0)[quarters % 4]
    return (math.cos(rest), -math.sin(rest), -math.cos(rest), math.sin(rest))[quarters % 4]


_SPLIT = 134217729.0  # 2^27 + 1


def _square(x: float) -> tuple[float, float]:
    """Return (high, low) with high + low = x * x exactly (Dekker's product), for |x| < 2^500."""
    high = x * x
    upper = _SPLIT * x - (_SPLIT * x - x)
    lower = x - upper
    return high, ((upper * upper - high) + 2.0 * upper * lower) + lower * lower


def _erfcx(x: float) -> float:
    """Return exp(x^2) erfc(x), with the square in two parts: its rounding error alone would cost x^2 ulps."""
    if x != x:
        return x
    if x < -26.7:
        return math.inf
    if x < 12.0:
        high, low = _square(x)
        return float(_exp(high) * (1.0 + low) * _erfc(x))
    # The asymptotic series 1/(x sqrt(pi)) sum (-1)^n (2n-1)!! / (2x^2)^n: for x >= 12, 20 terms reach 2^-53.
    total = term = 1.0
    for n in range(1, 20):
        term *= -(2 * n - 1) / (2.0 * x * x)
        total += term
    return total / (x * math.sqrt(math.pi))


def _erfcinv(q: float) -> float:
    """Solve erfc(y) = q by Halley's iteration, on the side where erfc keeps its relative precision."""
    if not 0.0 <= q <= 2.0:
        return math.nan
    if q in (0.0, 2.0):
        return math.inf if q == 0.0 else -math.inf
    if q > 1.0:  # 2 - q is exact there
        return -_erfcinv(2.0 - q) if q >= 1.5 else _erfinv(1.0 - q)
    if q > 0.5:
        return _erfinv(1.0 - q)
    t = math.sqrt(2.0 * (math.log(2.0) - math.log(q)))
    y = (t - (2.30753 + t * 0.27061) / (1.0 + t * (0.99229 + t * 0.04481))) / math.sqrt(2.0)
    for _ in range(4):
        # Newton's step, then Halley's correction. exp(y^2) comes in two factors: it may overflow.
        high, low = _square(y)
        factor = math.exp(high / 2.0)
        step = (_erfc(y) - q) * factor * factor * (1.0 + low) * math.sqrt(math.pi) / 2.0
        y += step / (1.0 - y * step)
    return y


def _erfinv(x: float) -> float:
    if not -1.0 <= x <= 1.0:
        return math.nan
    if abs(x) > 0.5:  # 1 - |x| is exact there
        return math.copysign(_erfcinv(1.0 - abs(x)), x)
    y = x * math.sqrt(math.pi) / 2.0
    for _ in range(6):
        y -= (_erf(y) - x) * math.exp(y * y) * math.sqrt(math.pi) / 2.0
    return y


def _normcdf(x: float) -> float:
    """Return erfc(-x / sqrt 2) / 2.

    The argument's rounding error is put right to first order: erfc is steep out there.
    """
    if x < -38.6:
        return 0.0
    if x != x or x > 10.0:
        return x if x != x else 1.0
    y = -x * math.sqrt(0.5)
    if y == 0.0:
        return 0.5
    (high, low), (true_high, true_low) = _square(y), _square(x)
    error = ((true_high / 2.0 - high) + (true_low / 2.0 - low)) / (2.0 * y)
    return float(0.5 * (_erfc(y) - error * 2.0 / math.sqrt(math.pi) * math.exp(-high)))


def _norm(*values: float) -> float:
    return math.hypot(*values)


def _rnorm(*values: float) -> float:
    return _reciprocal(math.hypot(*values))


def _bessel(name: str) -> Callable[[int, float], float]:
    return _library(name, ctypes.c_int, _D)


def _ldexp(x: float, n: int) -> float:
    """Return x * 2^n; |n| past 5000 changes nothing more."""
    return float(_library_ldexp(x, max(-5000, min(5000, n))))


_library_ldexp = _library("ldexp", _D, ctypes.c_int)
_library_remquo = _library("remquo", _D, _D, ctypes.POINTER(ctypes.c_int))


def _frexp(x: float) -> tuple[float, int]:
    return math.frexp(x)


def _modf(x: float) -> tuple[float, float]:
    fraction, whole = math.modf(x)
    return fraction, whole


def _remquo(x: float, y: float) -> tuple[float, int]:
    quotient = ctypes.c_int()
    return _library_remquo(x, y, quotient), quotient.value


def _saturate(x: float) -> float:
    return min(1.0, x) if x > 0.0 else 0.0  # NaN gives 0


MATH: dict[str, Callable[..., Any]] = {
    **_UNARY,
    **_BINARY,
    "fmax": _fmax,
    "fmin": _fmin,
    "cospi": _cospi,
    "sinpi": _sinpi,
    "erfcinv": _erfcinv,
    "erfcx": _erfcx,
    "erfinv": _erfinv,
    "normcdf": _normcdf,
    "normcdfinv": lambda p: -math.sqrt(2.0) * _erfcinv(2.0 * p),
    "rcbrt": lambda x: _reciprocal(_UNARY["cbrt"](x)),
    "rsqrt": _rsqrt,
    "rhypot": _rnorm,
    "norm3d": _norm,
    "norm4d": _norm,
    "rnorm3d": _rnorm,
    "rnorm4d": _rnorm,
    "ldexp": _ldexp,
    "ilogb": _library("ilogb", _D, result=ctypes.c_int),
    "jn": _bessel("jn"),
    "yn": _bessel("yn"),
    "frexp": _frexp,
    "modf": _modf,
    "remquo": _remquo,
    "sincos": lambda x: (None, _sin(x), _cos(x)),
    "sincospi": lambda x: (None, _sinpi(x), _cospi(x)),
    "fast_sincos": lambda x: (None, _sin(x), _cos(x)),
    "fast_exp": _exp,
    "fast_exp10": _UNARY["exp10"],
    "fast_log": _log,
    "fast_log2": _UNARY["log2"],
    "fast_log10": _UNARY["log10"],
    "fast_sin": _sin,
    "fast_cos": _cos,
    "fast_tan": _UNARY["tan"],
    "fast_pow": _fast_pow,
    "fast_div": divide,
    "fdivide": divide,
    "saturate": _saturate,
    "frsqrt_rn": _rsqrt,
}
