"""Powers of floats: x ** y = 2^(y log2 |x|), with C's special cases."""

from __future__ import annotations

import math

from ..options import Options
from .exp import exp_reduced, exponent_and_fraction, special_cases
from .float_parts import fraction_around_nearest, getexp, has_parts, nearer_zero, one_of_32, scalef, significand
from .num import INFINITY, NAN, Num, fma, polynomial, quick_two_sum, replace_rare, two_product, where

# log2(1 + f) / f for f in [-0.25, 0.5]: to 2^-33.
_LOG2_IN_DOUBLE = (
    1.442695040994504, -0.721347516856083, 0.48089828223965414, -0.3606743594001635, 0.2885460229489548,
    -0.24042821525818844, 0.20582040016963857, -0.18031467691193767, 0.16465716074982176, -0.15287006731969346,
    0.11550255655518889, -0.044953757781042596,
)  # fmt: skip

# 1/c for each 32nd of [1, 2), in 64ths, so that m/c - 1 is exact for a float m in there and at most 1/32; log2(c), the
# upper part in 65536ths, so that a whole number up to 255 can be added exactly, and the rest.
_INVERSES = [n / 64 for n in (64, 61, 59, 58, 56, 55, 53, 52, 51, 49, 48, 47, 46, 45, 44, 43,
                              42, 41, 41, 40, 39, 38, 38, 37, 36, 36, 35, 34, 34, 33, 33, 32)]  # fmt: skip
_LOGARITHMS = [round(-math.log2(inverse) * 65536) / 65536 for inverse in _INVERSES]
_LOGARITHMS_LOW = [-math.log2(inverse) - high for inverse, high in zip(_INVERSES, _LOGARITHMS, strict=True)]

# log2(1 + r) / r for r in [-0.0206, 1/32]: the first two coefficients, and the rest with what those lack; to 2^-32.
_LOG2_LEADING = (1.4426950216293335, -0.7213475108146667)
_LOG2_REST = (1.9112061266923774e-08, 7.396567802686604e-09, 0.48090115189552307, -0.3608051538467407,
              0.28233689069747925)  # fmt: skip

# 2^f for |f| <= 0.55: to 2^-27, and exact for 0.
_EXP2 = (
    1.0, 0.6931472420692444, 0.24022649228572845, 0.05550272762775421,
    0.009618227370083332, 0.0013418119633570313, 0.00015424491721205413,
)  # fmt: skip


def pow_float(x: Num, y: Num, options: Options) -> Num:
    """Return x ** y, within 1.1 units in the last place of the exact value."""
    if not (has_parts(x, options) and options.target.permutes):
        return _special_cases(_by_double(abs(x), y, options), x, y)
    power = _by_parts(x, y, options)
    rare = (x.bits() < 0) | power.is_nan()
    return replace_rare(rare, [power], lambda: [_special_cases(power, x, y)])[0]


def _by_parts(x: Num, y: Num, options: Options) -> Num:
    """Return |x| ** y by a logarithm and a product in two floats each: |x| = 2^e c (1 + r), e + log2(c) + log2(1 + r).

    The logarithm is good to 2^-31. NaN for 0 * infinity, infinity * 0 and NaN.
    """
    m = significand(x, options)
    piece = m.bits() >> 18
    inverse, high, low = (one_of_32(piece, table, options) for table in (_INVERSES, _LOGARITHMS, _LOGARITHMS_LOW))
    r = fma(m, inverse, -1.0)
    first, second = _LOG2_LEADING
    factor = fma(r, second, first)
    lost = fma(r, second, first - factor)
    fraction, rest = two_product(r, factor)
    rest = fma(r, lost + polynomial(r, _LOG2_REST), rest)
    logarithm, lost = quick_two_sum(getexp(x, options) + high, fraction)
    exponent = y * logarithm
    error = fma(y, lost + (rest + low), fma(y, logarithm, -exponent))
    # At most 0.05 if the result is finite. Where the exponent is huge or infinite, it may be anything.
    f = fraction_around_nearest(exponent, options) + nearer_zero(error, 2.0**-4, options)
    return scalef(polynomial(f, _EXP2), exponent.rint(), options)


def _by_double(size: Num, y: Num, options: Options) -> Num:
    """Return size ** y, the logarithm and the product in double."""
    e, f = exponent_and_fraction(size, options)
    logarithm = fma(f.widen(), polynomial(f.widen(), _LOG2_IN_DOUBLE), e.widen())
    logarithm = special_cases(logarithm, size, options)
    exponent = (y.widen() * logarithm).at_most(160.0).at_least(-160.0)
    k = exponent.rint()
    return exp_reduced(k.narrow(), ((exponent - k) * math.log(2)).narrow(), options)


def _special_cases(power: Num, x: Num, y: Num) -> Num:
    """Return x ** y, `power` being |x| ** y where that is no special case."""
    power = where(abs(x).equals(1.0) | y.equals(0.0), x.like(1.0), power)
    whole = y.trunc().equals(y)
    half = y * 0.5
    odd = whole & _not(half.trunc().equals(half)) & (abs(y) < 2.0**24)
    sign = where(odd, x, x.like(1.0))
    signed = power.copysign(sign)
    no_power = (x < 0.0) & (x > -INFINITY) & _not(whole)
    result = where(no_power, x.like(NAN), signed)
    return where(y.equals(0.0), x.like(1.0), result)


def _not(condition: Num) -> Num:
    return condition ^ 1


def pow_constant(x: Num, exponent: float) -> Num | None:
    """Return x to a power that is a few multiplications, with C's special cases; None for other powers."""
    match exponent:
        case 1.0:
            return x
        case 2.0:
            return x * x
        case 3.0:
            return x * x * x
        case 4.0:
            square = x * x
            return square * square
        case -1.0:
            return 1.0 / x
        case 0.5:  # of -0 and -infinity: +0 and infinity
            return where(x.equals(-INFINITY), -x, (x + 0.0).sqrt())
    return None
