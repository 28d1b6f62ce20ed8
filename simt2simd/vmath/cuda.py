"""Math functions that CUDA has and C has not: inverse error functions, the normal distribution, norms.

Those of float compute in double, where a few units in the last place do no harm.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from ..options import Options
from .library import library
from .num import INFINITY, Num, fma, polynomial, two_product, two_sum, where

_HALF_ROOT_PI = math.sqrt(math.pi) / 2


def _call(op: str, x: Num, options: Options) -> Num:
    return library(op, [x], options)[0]


def _in_double(function: Callable[..., Num], x: Num, options: Options) -> Num:
    """Return function(x, options, precise), computed in double.

    `precise` says that the result is not rounded to float.
    """
    if x.is_float32:
        return function(x.widen(), options, False).narrow()
    return function(x, options, True)


# ------------------------------------------------------------------------------ inverse error functions

# erfinv(p) = p * P(w) with w = -log(1 - p * p), for w <= 6.25 (relative error 5e-9) ...
_INVERSE_CENTRE = (
    0.8862269302736959, 0.2320134242798217, 0.011551319342027862, -0.002341321696105002, -0.00011808752226509437,
    3.7370535423067654e-05, 7.326536295434431e-06, -2.934796124117728e-06, 3.865193643943553e-07,
    -2.456869417702669e-08, 6.377618366063223e-10,
)  # fmt: skip
# ... and p * s * Q(1 / s) with s = sqrt(w), for s in [2.5, 27.4], which is all of double (relative error 2e-8).
_INVERSE_TAIL = (
    1.0000752464191502, -0.013477120786846174, -1.5808115685350987, 9.971617448544842, -58.25816556616659,
    254.28098454500716, -471.1669783536119, -2074.79110755779, 18476.858627392285, -64380.32034104532,
    123789.27165163754, -128287.06988918096, 56008.93008290495,
)  # fmt: skip


def _inverse(p: Num, q: Num, options: Options, precise: bool) -> Num:
    """Return erfinv(p) = erfcinv(q) for p >= 0 and q = 1 - p, of which the smaller is exact."""
    w = -_call("log", q * (1.0 + p), options)
    s = w.sqrt()
    centre = polynomial(w, _INVERSE_CENTRE)
    tail = s * polynomial(1.0 / s, _INVERSE_TAIL)
    x = p * where(w < 6.25, centre, tail)
    if precise:
        x = where(q < 1e-280, _inverse_step_by_log(x, q, options), _inverse_step(x, p, q, options))
    x = where(p.equals(0.0), p, x)
    return where(q.equals(0.0), x.like(INFINITY), x)


def _inverse_step(x: Num, p: Num, q: Num, options: Options) -> Num:
    """Take one step of Halley's method on erf(x) = p, or on erfc(x) = q where q is the smaller."""
    error = where(p < 0.5, _call("erf", x, options) - p, q - _call("erfc", x, options))
    step = error * _HALF_ROOT_PI * _call("exp", (x * x).at_most(700.0), options)  # error / erf'(x)
    return x - step / fma(x, step, 1.0)


def _inverse_step_by_log(x: Num, q: Num, options: Options) -> Num:
    """Take one step of Newton's method on log erfc(x) = log q, for q so small that erfc(x) is nearly denormal.

    That is x^2 - log erfcx(x) + log q = 0, with the derivative 2 / (sqrt(pi) erfcx(x)).
    """
    scaled = _erfcx_tail(x)
    logs = _call("log", q, options) - _call("log", scaled, options)
    return x - fma(x, x, logs) * scaled * _HALF_ROOT_PI


def erfinv(y: Num, options: Options) -> Num:
    def compute(value: Num, options: Options, precise: bool) -> Num:
        p = abs(value)
        return _inverse(p, 1.0 - p, options, precise).copysign(value)

    return _in_double(compute, y, options)


def _erfcinv(y: Num, options: Options, precise: bool) -> Num:
    mirrored = y > 1.0
    q = where(mirrored, 2.0 - y, y)
    x = _inverse(1.0 - q, q, options, precise)
    return where(mirrored, -x, x)


def erfcinv(y: Num, options: Options) -> Num:
    return _in_double(_erfcinv, y, options)


def normcdfinv(p: Num, options: Options) -> Num:
    """Return -sqrt(2) erfcinv(2 p)."""
    return _in_double(
        lambda p, options, precise: -math.sqrt(2) * _erfcinv(p + p, options, precise),
        p,
        options,
    )


# ------------------------------------------------------------------------ error function with a factor


def normcdf(x: Num, options: Options) -> Num:
    """Return erfc(-x / sqrt(2)) / 2, with the rounding error of the argument put right by the derivative."""
    root, root_low = 0.7071067811865476, -4.833646656726457e-17  # 1 / sqrt(2) in two parts

    def compute(x: Num, options: Options, precise: bool) -> Num:
        # From 40 on the result is 0 or 1; the limit keeps infinities out of the correction.
        x = x.at_most(40.0).at_least(-40.0)
        z, z_low = two_product(x, x.like(-root))
        tail = _call("erfc", z, options)
        if precise:
            slope = _call("exp", -(z * z), options) * (-2 / math.sqrt(math.pi))
            tail = fma(fma(x, -root_low, z_low), slope, tail)
        return tail * 0.5

    return _in_double(compute, x, options)


def _erfcx_tail(x: Num) -> Num:
    """Return exp(x^2) erfc(x) for x >= 10: the asymptotic series (1 - u + 3 u^2 - 15 u^3 ...) / (x sqrt(pi)).

    u is 1 / (2 x^2).
    """
    terms = [(-1.0) ** n * math.prod(range(1, 2 * n, 2)) for n in range(14)]
    return polynomial(0.5 / (x * x), terms) * (1 / math.sqrt(math.pi)) / x


def erfcx(x: Num, options: Options) -> Num:
    """Return exp(x^2) erfc(x), with both parts of x^2 in the exponent."""

    def compute(x: Num, options: Options, precise: bool) -> Num:
        near = x.at_most(10.0).at_least(-30.0)
        square, square_low = two_product(near, near)
        product = _call("exp", square, options) * _call("erfc", near, options)
        product = where(product < INFINITY, fma(product, square_low, product), product)
        return where(x > 10.0, _erfcx_tail(x), product)

    return _in_double(compute, x, options)


# ------------------------------------------------------------------------------------------------ norms


def _sum_of_squares(args: tuple[Num, ...]) -> tuple[Num, Num]:
    """Return the sum of the squares in two parts."""
    high, low = two_product(args[0], args[0])
    for x in args[1:]:
        square, square_low = two_product(x, x)
        high, lost = two_sum(high, square)
        low = low + (lost + square_low)
    return high, low


def _root_of_squares(args: tuple[Num, ...], reciprocal: bool) -> Num:
    """Return the root, or 1 over it, for doubles whose squares neither overflow nor underflow."""
    high, low = _sum_of_squares(args)
    root = high.sqrt()
    rest = fma(-root, root, high) + low  # the root of high + low is root + rest / (2 root)
    inverse = 1.0 / root
    if not reciprocal:
        return where(root > 0.0, fma(rest * 0.5, inverse, root), root)
    error = fma(-inverse, root, 1.0)
    error = fma(-inverse, rest * 0.5 * inverse, error)
    return where(root > 0.0, fma(inverse, error, inverse), inverse)


def norm(*args: Num, reciprocal: bool) -> Num:
    """Return the root of the sum of squares, or 1 over it; an infinite argument decides it even beside a NaN."""
    first = args[0]
    largest = abs(first)
    infinite = largest.equals(INFINITY)
    for x in args[1:]:
        size = abs(x)
        infinite = infinite | size.equals(INFINITY)
        largest = where(size > largest, size, largest)
    if first.is_float32:
        value = _root_of_squares(tuple(x.widen() for x in args), reciprocal).narrow()
    else:
        big, small = largest > 2.0**500, largest < 2.0**-400
        down, up = first.like(2.0**-600), first.like(2.0**600)
        factor = where(big, down, where(small, up, first.like(1.0)))
        inverse = where(big, up, where(small, down, first.like(1.0)))
        value = _root_of_squares(tuple(x * factor for x in args), reciprocal)
        value = value * (factor if reciprocal else inverse)
    return where(infinite, first.like(0.0 if reciprocal else INFINITY), value)
