"""Roots, hyperbolic and error functions, where libmvec is not accurate or not fast enough."""

from __future__ import annotations

import math

from ..options import Options
from .bits import fast_divide
from .exp import exp, exp2, exp10, exp_reduced, expm1, exponent_and_fraction, log2, times_power_of_two
from .float_parts import fraction_above_floor, has_parts, inverse_root_estimate, refined, scalef
from .num import INFINITY, Num, fma, polynomial, where
from .trig import sincos

# (asin(r) / r - 1) / r^2 as a polynomial in r^2, for r <= 1/2: to 2^-28.
_ASIN = (0.16666753590106964, 0.07495241612195969, 0.04547709971666336, 0.024147577583789825, 0.04221862554550171)

# erf(x) / x less the leading constant as a polynomial in x^2, for x <= 1, and -log(erfc(x)) for x in [1, 4]: to 2^-29.
_ERF_LEADING = 1.128379225730896
_ERF_NEAR = (-6.000406926887081e-08, -0.3761262595653534, 0.1128358542919159, -0.026853812858462334,
             0.005188328213989735, -0.000801019836217165, 7.853877468733117e-05)  # fmt: skip
_ERF_FAR = (0.00035374026629142463, 1.127039909362793, 0.638225793838501, 0.10303724557161331, -0.021805260330438614,
            0.0029395930469036102, -0.0001855725859059021)  # fmt: skip

# (tanh(x) / x - 1) / x^2 as a polynomial in x^2, for |x| <= 0.55: to 2^-60.
_TANH = (
    -0.3333333333333329, 0.13333333333325173, -0.05396825396289296, 0.02186948836028281, -0.008863232170989948,
    0.003592087572709278, -0.0014555134716149035, 0.0005883210108755054, -0.00023306105872954156,
    8.284844268024358e-05, -1.9200715829439556e-05,
)  # fmt: skip

# 2^f for f in [0, 1): to 2^-23, and exact for 0.
_EXP2_FAST = (1.0, 0.6931512951850891, 0.24016445875167847, 0.05579990893602371, 0.009017033502459526,
              0.0018671290017664433)  # fmt: skip


def rsqrt_float(x: Num, options: Options) -> Num:
    """Return 1 / sqrt(x): the hardware's 14 bits and one Newton step.

    The step is left out for 0 and infinity, where it would give NaN.
    """
    if not has_parts(x, options):
        return 1.0 / x.sqrt()
    estimate = inverse_root_estimate(x, options)
    error = fma(-(x * estimate), estimate, 1.0)
    return refined(fma(estimate * 0.5, error, estimate), estimate, options)


def cbrt(x: Num, options: Options) -> Num:
    root, inverse, power, size = _cube_root(x, options)
    # root^3 = size but for rounding; one step with the exact residual
    square = root * root
    square_low = fma(root, root, -square)
    residual = fma(-square, root, size) - square_low * root
    root = fma(residual, inverse * inverse * (1 / 3), root)
    root = times_power_of_two(root, power, options).copysign(x)
    ordinary = (abs(x) > 0.0) & (abs(x) < INFINITY)
    return where(ordinary, root, x)


def rcbrt(x: Num, options: Options) -> Num:
    """Return 1 / cbrt(x)."""
    _, inverse, power, size = _cube_root(x, options)
    error = fma(-(size * inverse), inverse * inverse, 1.0)
    inverse = fma(error, inverse * (1 / 3), inverse)
    inverse = times_power_of_two(inverse, -power, options)
    inverse = where(x.equals(0.0), x.like(INFINITY), where(abs(x).equals(INFINITY), x.like(0.0), inverse)).copysign(x)
    return where(x.is_nan(), x, inverse)


def _cube_root(x: Num, options: Options) -> tuple[Num, Num, Num, Num]:
    """Return (a^(1/3), a^(-1/3), q, a) with |x| = a 2^(3 q), the roots to a few units in the last place."""
    e, f = exponent_and_fraction(abs(x), options)
    q = (e * (1 / 3)).floor()
    size = times_power_of_two(f + 1.0, fma(q, -3.0, e), options)  # [0.75, 6)
    inverse = _inverse_cube_root_float(size if x.is_float32 else size.narrow())
    if not x.is_float32:
        inverse = _refine_inverse(inverse.widen(), size)
    return size * inverse * inverse, inverse, q, size


def _inverse_cube_root_float(a: Num) -> Num:
    """Return a^(-1/3) for float in [0.75, 6).

    A straight line in the bits, which is good to 4 %, is refined twice.
    """
    thirds = fma(a.bits().to_float(a), -1 / 3, 1419967116.0)
    estimate = thirds.to_int().as_float(a)
    return _refine_inverse(_refine_inverse(estimate, a), a)


def _refine_inverse(y: Num, a: Num) -> Num:
    """Return y (1 + e/3 + 2 e^2/9), e = 1 - a y^3, which converges cubically to a^(-1/3)."""
    error = fma(-(a * y), y * y, 1.0)
    return fma(y * error, fma(error, 2 / 9, 1 / 3), y)


def asin_float(x: Num, options: Options) -> Num:
    """Return asin(x), or pi/2 - 2 asin(sqrt((1 - |x|) / 2)) above 1/2."""
    size = abs(x)
    outer = size > 0.5
    z = where(outer, fma(size, -0.5, 0.5), size * size)
    r = where(outer, z.sqrt(), size)
    angle = fma(r * z, polynomial(z, _ASIN), r)
    half_pi, half_pi_low = 1.5707963705062866, -4.371138828673793e-08
    return where(outer, fma(angle, -2.0, half_pi_low) + half_pi, angle).copysign(x)


def erf_float(x: Num, options: Options) -> Num:
    size = abs(x)
    near = fma(x, _ERF_LEADING, x * polynomial(x * x, _ERF_NEAR))
    exponent = -polynomial(size.at_most(4.0), _ERF_FAR)
    k = (exponent * math.log2(math.e)).rint()
    far = 1.0 - exp_reduced(k, fma(k, -math.log(2), exponent), options)
    return where(size < 1.0, near, far).copysign(x)


def cosh_double(x: Num, options: Options) -> Num:
    """Return e^|x| / 2 + 1 / (4 (e^|x| / 2))."""
    size = abs(x).at_most(711.0)
    k = (size * math.log2(math.e)).rint()
    r = fma(k, -2.3190468138462996e-17, fma(k, -0.6931471805599453, size))
    half = exp_reduced(k - 1.0, r, options)
    return half + 0.25 / half


def tanh_double(x: Num, options: Options) -> Num:
    """Return t / (t + 2) with t = e^(2 |x|) - 1; a polynomial up to |x| = 0.55."""
    size = abs(x)
    z = x * x
    near = fma(x * z, polynomial(z, _TANH), x)
    t = expm1(size.at_most(22.0) * 2.0, options)
    return where(size < 0.55, near, t / (t + 2.0)).copysign(x)


# ------------------------------------------------------------------------ `__expf` and the like, and --use_fast_math


def _fast_exp2(x: Num, options: Options) -> Num:
    """Return 2^x for vectors of float, where `has_parts`; saturates to 0 and infinity."""
    return scalef(polynomial(fraction_above_floor(x, options), _EXP2_FAST), x, options)


def fast_exp(x: Num, options: Options) -> Num:
    """Return 2^(x log2(e)); the error grows with |x|, as the guide allows: x log2(e) is rounded."""
    if not has_parts(x, options):
        return exp(x, options)
    return _fast_exp2(x * math.log2(math.e), options)


def fast_exp10(x: Num, options: Options) -> Num:
    if not has_parts(x, options):
        return exp10(x, options)
    return _fast_exp2(x * math.log2(10), options)


def fast_pow(x: Num, y: Num, options: Options) -> Num:
    """Return 2^(y log2 x), all in float; NaN for negative x."""
    exponent = y * log2(x, options)
    if not has_parts(x, options):
        return exp2(exponent, options)
    return _fast_exp2(exponent, options)


def fast_tan(x: Num, options: Options) -> Num:
    return fast_divide(*sincos(x, options), options)
