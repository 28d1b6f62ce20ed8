"""Exponentials and logarithms of float and double: one polynomial each, for all bases.

Every function takes and gives `Num`s, scalar or vector, and has no branches. Errors are measured in
tests/test_vmath.py. The polynomials are minimax fits, relative to the function.
"""

from __future__ import annotations

import math

from ..options import Options
from .float_parts import getexp, getmant, has_parts, scalef
from .num import INFINITY, NAN, Num, fma, polynomial, quick_two_sum, two_product, where

# e^r = 1 + r + r^2 (...) for |r| <= ln(2) / 2: to 2^-28 and 2^-58.
_EXP_FLOAT = (1.0, 1.0, 0.4999999403953552, 0.1666651964187622, 0.04166839271783829, 0.0083687799051404,
              0.0013814480043947697)  # fmt: skip
_EXP_DOUBLE = (
    1.0, 1.0, 0.5000000000000011, 0.1666666666666641, 0.04166666666652919, 0.008333333333495717, 0.0013888888943922276,
    0.00019841269504566983, 2.4801492762804077e-05, 2.7557587514363896e-06, 2.763037872326115e-07,
    2.499991295131864e-08,
)  # fmt: skip

# (e^r - 1 - r) / r^2 for |r| <= 0.52.
_EXPM1_FLOAT = (0.5000000596046448, 0.16666662693023682, 0.04166514053940773, 0.008333621546626091,
                0.0014004878466948867, 0.00019850340322591364)  # fmt: skip
_EXPM1_DOUBLE = (
    0.5, 0.16666666666666669, 0.041666666666668045, 0.008333333333332136, 0.0013888888888470017, 0.00019841269843139155,
    2.4801587841792884e-05, 2.755731800844201e-06, 2.7556982510929756e-07, 2.5052410633649995e-08,
    2.097714190472316e-09, 1.606030165538118e-10,
)  # fmt: skip

# (log(1 + f) - f) / f^2 for f in [-0.25, 0.5]: to 2^-28 and 2^-59 of log(1 + f).
_LOG_FLOAT = (-0.5, 0.3333345353603363, -0.250000536441803, 0.19990606606006622, -0.16647768020629883,
              0.1448206603527069, -0.1316223293542862, 0.10448312014341354, -0.04490938410162926)  # fmt: skip
_LOG_DOUBLE = (
    -0.49999999999999994, 0.3333333333333323, -0.2500000000000385, 0.20000000000043733, -0.16666666665973318,
    0.1428571427873141, -0.12500000049786386, 0.1111111166244507, -0.09999998566534778, 0.09090885372024812,
    -0.08333331094895588, 0.07692866288867603, -0.07143980685617261, 0.06660328045487868, -0.06223684887324227,
    0.05892621055489403, -0.057842479841348333, 0.05665870009996776, -0.04717450299624364, 0.026476398008637474,
    -0.007026661413211015,
)  # fmt: skip

# (log2(1 + f) - f log2(e)) / f^2 for 1 + f between the roots of 1/2 and 2: to 2^-27 and 2^-58 of log2(1 + f).
_LOG2_FLOAT = (
    -0.7213473320007324, 0.4808982312679291, -0.3606966435909271, 0.28856760263442993, -0.2396172285079956,
    0.20459695160388947, -0.191062793135643, 0.18619903922080994, -0.10997620224952698,
)  # fmt: skip
_LOG2_DOUBLE = (
    -0.7213475204444817, 0.48089834696299005, -0.360673760222213, 0.28853900817687206, -0.24044917348641448,
    0.2060992916874194, -0.18033687978380816, 0.16029943963816878, -0.14426951127546472, 0.13115446987809945,
    -0.1202247517836926, 0.11096757007780027, -0.10303709318434075, 0.09630636056065517, -0.09045964106686952,
    0.08390908714370153, -0.07680034926449779, 0.07818051645589576, -0.09069005365088736, 0.08225167842696283,
    -0.03497298339530283,
)  # fmt: skip

# Constants in two parts, for float (True) and double: the number rounded down, and the rest. Both are positive, so
# that an infinite multiple of them adds up to infinity.
_LN2 = {True: (0.6931471228599548, 5.769998878690785e-08), False: (0.6931471805599453, 2.3190468138462996e-17)}
_LOG10_2 = {True: (0.3010299801826477, 1.5481333548450493e-08), False: (0.30102999566398114, 5.270742310347266e-17)}
_LOG2_E = {True: (1.4426950216293335, 1.925963033500011e-08), False: (1.4426950408889634, 2.0355273740931033e-17)}
_LOG10_E = {True: (0.4342944622039795, 1.9699271547324315e-08), False: (0.4342944819032518, 1.098319650216765e-17)}


def times_power_of_two(x: Num, exponent: Num, options: Options) -> Num:
    """Return x * 2 ** exponent, rounded once.

    0.5 <= |x| <= 2, and the exponent is a whole floating number up to twice the range.
    """
    if has_parts(x, options):
        return scalef(x, exponent, options)
    # In two steps, for 2 ** exponent may be out of range where the result is denormal.
    whole = exponent.to_int() if x.is_float32 else _small_int(exponent)
    half = whole >> 1
    for part in (half, whole - half):
        x = x * ((part + x.bias) << x.mantissa_bits).as_float(x)
    return x


def _small_int(x: Num) -> Num:
    """Convert a whole double below 2^51 to a 64-bit integer: adding 1.5 * 2^52 puts it into the low bits.

    AVX2 has no such conversion.
    """
    shift = 1.5 * 2.0**52
    return (x + shift).bits() - x.like(shift).bits()


def exp(x: Num, options: Options) -> Num:
    """Return e^x = 2^k e^r, k whole, |r| <= ln(2) / 2."""
    high, low = _LN2[x.is_float32]
    x = x.at_most(89.0).at_least(-104.0) if x.is_float32 else x.at_most(710.0).at_least(-746.0)
    k = (x * math.log2(math.e)).rint()
    r = fma(k, -low, fma(k, -high, x))
    return exp_reduced(k, r, options)


def exp2(x: Num, options: Options) -> Num:
    """Return 2^x = 2^k e^(f ln 2), f = x - k exact."""
    x = x.at_most(129.0).at_least(-151.0) if x.is_float32 else x.at_most(1025.0).at_least(-1076.0)
    k = x.rint()
    return exp_reduced(k, (x - k) * math.log(2), options)


def exp10(x: Num, options: Options) -> Num:
    """Return 10^x = 2^k e^(f ln 10), f = x - k log10(2)."""
    high, low = _LOG10_2[x.is_float32]
    x = x.at_most(39.0).at_least(-46.0) if x.is_float32 else x.at_most(309.0).at_least(-324.5)
    k = (x * math.log2(10)).rint()
    f = fma(k, -low, fma(k, -high, x))
    return exp_reduced(k, f * math.log(10), options)


def exp_reduced(k: Num, r: Num, options: Options) -> Num:
    """Return 2^k e^r for whole k up to twice the range and |r| <= ln(2) / 2."""
    return times_power_of_two(polynomial(r, _EXP_FLOAT if r.is_float32 else _EXP_DOUBLE), k, options)


def expm1(x: Num, options: Options) -> Num:
    """Return e^x - 1 = 2^k (e^r - 1) + (2^k - 1), with k = 0 up to |x| = 0.5, where nothing cancels."""
    high, low = _LN2[x.is_float32]
    limited = x.at_most(89.0).at_least(-30.0) if x.is_float32 else x.at_most(710.0).at_least(-50.0)
    k = (limited * math.log2(math.e)).rint()
    k = where(abs(x) < 0.5, k.like(0.0), k)
    r = fma(k, -low, fma(k, -high, limited))
    p = fma(r * r, polynomial(r, _EXPM1_FLOAT if x.is_float32 else _EXPM1_DOUBLE), r)
    # 2^128 overflows where the result does not: halve the power, double the sum.
    half_power = times_power_of_two(x.like(0.5), k, options)
    half = fma(half_power, p, half_power - 0.5)
    return where(x.equals(0.0), x, half + half)


def exponent_and_fraction(x: Num, options: Options) -> tuple[Num, Num]:
    """Return (e, f) with x = 2^e (1 + f), -0.25 <= f < 0.5, e a whole floating number.

    With `float_parts` the logarithm's special cases are in there: e is infinite for 0 and infinity, f NaN for negative
    and NaN. Without it they need `special_cases`.
    """
    if has_parts(x, options):
        mantissa = getmant(x, options)
        return getexp(x, options) - getexp(mantissa, options), mantissa - 1.0
    tiny = x < 2.0 ** (1 - x.bias)
    shift = x.mantissa_bits + 1
    bits = where(tiny, x * 2.0**shift, x).bits()
    from_three_quarters = bits - x.like(0.75).bits()
    e = from_three_quarters >> x.mantissa_bits
    mantissa = (bits - (e << x.mantissa_bits)).as_float(x)
    e_float = e.to_float(x) if x.is_float32 else _float_from_small_int(e, x)
    return where(tiny, e_float - float(shift), e_float), mantissa - 1.0


def _float_from_small_int(number: Num, like: Num) -> Num:
    """Convert a 64-bit integer below 2^51 to double: `_small_int` backwards."""
    shift = like.like(1.5 * 2.0**52)
    return (number + shift.bits()).as_float(like) - shift


def special_cases(result: Num, x: Num, options: Options) -> Num:
    """Return the logarithm `result`, but -infinity for 0, infinity for infinity, NaN for negative numbers and NaN."""
    if has_parts(x, options):
        return result
    not_positive = where(x.equals(0.0), result.like(-INFINITY), result.like(NAN))
    return where(x.equals(INFINITY), result.like(INFINITY), where(x > 0.0, result, not_positive))


def log(x: Num, options: Options) -> Num:
    """Return e ln(2) + log(1 + f)."""
    high, low = _LN2[x.is_float32]
    e, f = exponent_and_fraction(x, options)
    return special_cases(fma(e, high, f + fma(e, low, _log_tail(f))), x, options)


def log2(x: Num, options: Options) -> Num:
    """Return e + log2(1 + f), for 1 + f between the roots of 1/2 and 2.

    The two may cancel in part, so the rounding errors of f log2(e) and of the sum are added back.
    """
    high, low = _LOG2_E[x.is_float32]
    e, f = exponent_and_fraction(x, options)
    upper = f > math.sqrt(2) - 1
    e, f = where(upper, e + 1.0, e), where(upper, 0.5 * f - 0.5, f)
    leading, error = two_product(f, f.like(high))
    total, lost = quick_two_sum(e, leading)
    tail = f * f * polynomial(f, _LOG2_FLOAT if f.is_float32 else _LOG2_DOUBLE)
    rest = fma(f, low, tail) + (error + where(e.equals(0.0), e, lost))
    return special_cases(where(abs(e) < INFINITY, total + rest, e), x, options)


def log10(x: Num, options: Options) -> Num:
    """Return e log10(2) + log(1 + f) log10(e)."""
    high, low = _LOG10_2[x.is_float32]
    factor, factor_low = _LOG10_E[x.is_float32]
    e, f = exponent_and_fraction(x, options)
    fraction = fma(f, factor, fma(f, factor_low, _log_tail(f) * factor))
    return special_cases(fma(e, high, fma(e, low, fraction)), x, options)


def _log_tail(f: Num) -> Num:
    """Return log(1 + f) - f."""
    return f * f * polynomial(f, _LOG_FLOAT if f.is_float32 else _LOG_DOUBLE)


def log1p(x: Num, options: Options) -> Num:
    """Return log(u), u = 1 + x = 2^e (1 + f); f = x 2^-e + (2^-e - 1) keeps what 1 + x rounds away."""
    high, low = _LN2[x.is_float32]
    u = 1.0 + x
    e, _ = exponent_and_fraction(u, options)
    scale = times_power_of_two(x.like(1.0), -e, options)
    f = fma(x, scale, scale - 1.0)
    result = fma(e, high, f + fma(e, low, _log_tail(f)))
    result = where(u > 0.0, result, where(u.equals(0.0), x.like(-INFINITY), x.like(NAN)))
    return where((x.equals(0.0) | x.equals(INFINITY)), x, result)
