"""Sine, cosine and tangent of float and double, of radians and of multiples of pi.

The argument is reduced by a multiple of pi in three parts: x - k pi, where the first step is exact, for
everything up to a limit. Beyond it floats do the same in double, and from 2^30 on take a table of 1/pi; doubles
take libm.
"""

from __future__ import annotations

import math

from llvmlite import ir

from ..options import Options
from ..simd.builder import F64, I32, with_element
from .call import call_per_lane, local_function, scalar_call
from .float_parts import lookup
from .num import Num, fma, polynomial, replace_rare, round_to_integer, two_product, where

# (sin(r) / r - 1) / r^2 as a polynomial in r^2: for |r| <= pi / 2 (2^-27), |r| <= pi / 4 (2^-28), |r| <= pi / 4 (2^-58)
_SIN_HALF = (-0.16666659712791443, 0.008333065547049046, -0.0001980953966267407, 2.6056311526190257e-06)
_SIN_FLOAT = (-0.16666655242443085, 0.008332173340022564, -0.00019516656175255775)
_SIN_DOUBLE = (-0.16666666666666632, 0.008333333333322314, -0.00019841269829725219, 2.755731366207136e-06,
               -2.505075326761435e-08, 1.5896505163799499e-10)  # fmt: skip
# (cos(r) - 1 + r^2 / 2) / r^4 as a polynomial in r^2, for |r| <= pi / 4 (2^-33 and 2^-64)
_COS_FLOAT = (0.04166664555668831, -0.001388736185617745, 2.443773155391682e-05)
_COS_DOUBLE = (0.0416666666666666, -0.001388888888887399, 2.4801587289395082e-05, -2.755731432607097e-07,
               2.087571956375325e-09, -1.1359448927418086e-11)  # fmt: skip

_PI_FLOAT = (3.1415927410125732, -8.742277657347586e-08, -3.4302490200117637e-15)
_PI_DOUBLE = (3.141592653589793, 1.2246467991473532e-16, -2.9947698097183397e-33)

_FLOAT_LIMIT = 2.0**15  # up to here x / pi is rounded well enough for |r| to stay within the polynomial's range
_DOUBLE_LIMIT = 2.0**30  # the same for double, also for a float that is reduced in double


def _pi_parts(x: Num) -> tuple[float, float, float]:
    return _PI_FLOAT if x.is_float32 else _PI_DOUBLE


def _subtract_multiple(x: Num, k: Num, factor: float) -> Num:
    """Return x - k * factor * pi, for a `factor` that is a power of two."""
    for part in _pi_parts(x):
        x = fma(k, -part * factor, x)
    return x


def _flip_sign(x: Num, odd_bits: Num) -> Num:
    """Return -x where bit 0 of `odd_bits` is set."""
    return (x.bits() ^ (odd_bits << (31 if x.is_float32 else 63))).as_float(x)


# -------------------------------------------------------------------------------------- sine or cosine of a float


def sin(x: Num, options: Options) -> Num:
    """Return sin(x) = (-1)^k sin(r), x = k pi + r."""
    if not x.is_float32:
        return _double(x, "sin", options)
    k, bits = round_to_integer(x * (1 / math.pi))
    r, bits = _reduce_large(x, [_subtract_multiple(x, k, 1.0), bits], 1.0, 0.0, options)
    sine = _sin_half_turn(r)
    return _flip_sign(where(x.equals(0.0), x, sine), bits)


def cos(x: Num, options: Options) -> Num:
    """Return cos(x) = -(-1)^k sin(r), x = (k + 1/2) pi + r."""
    if not x.is_float32:
        return _double(x, "cos", options)
    k, bits = round_to_integer(fma(x, 1 / math.pi, -0.5))
    r, bits = _reduce_large(x, [_subtract_multiple(x, fma(k, 2.0, 1.0), 0.5), bits + 1], 1.0, 0.5, options)
    return _flip_sign(_sin_half_turn(r), bits)


def _sin_half_turn(r: Num) -> Num:
    """Return sin(r) for float, |r| <= pi / 2."""
    z = r * r
    return fma(r * z, polynomial(z, _SIN_HALF), r)


# 1 / pi * 2^256, cut off
_ONE_OVER_PI = 0x517CC1B727220A94FE13ABE8FA9A6EE06DB14ACC9E21C820FF28B1D5EF5DE2B0
_FIRST_EXPONENT = 127 + 15  # the biased exponent of _FLOAT_LIMIT


def _large_table() -> tuple[list[float], list[float]]:
    """Return 2^e / pi modulo 2, in two parts, for each biased exponent from `_FIRST_EXPONENT` on.

    e is the exponent of the mantissa's last bit. The high part has 29 bits, so that its product with the 24 bits
    of a mantissa is exact; the low part has 53 more.
    """
    high, low = [], []
    for biased in range(_FIRST_EXPONENT, 255):
        exponent = biased - 150
        scaled = (_ONE_OVER_PI << 120 + exponent) % (1 << 377)  # 376 bits of fraction
        top = scaled >> 348
        high.append(math.ldexp(top, -28))
        low.append(math.ldexp((scaled - (top << 348)) >> 248, -128))
    return high, low


def _reduce_large(x: Num, usual: list[Num], factor: float, offset: float, options: Options) -> list[Num]:
    """Return `usual` = [r, bits of k], computed again in double or from the table where floats are beyond the limit.

    x factor / pi + offset = k + f with |f| <= 1/2; r = f pi / factor. `factor` is 1 or 2, `offset` 0 or 1/2.
    """
    name = f"reduce_large_{'cos' if offset else 'sin' if factor == 1.0 else 'sincos'}"
    bits_type = with_element(x.type, I32)

    def body(b: ir.IRBuilder, value: ir.Value) -> list[ir.Value]:
        size = Num(b, value)
        in_double = _reduce_in_double(size, factor, offset)
        by_table = replace_rare(
            abs(size) >= _DOUBLE_LIMIT, in_double, lambda: _reduce_by_table(size, factor, offset, options)
        )
        return [part.value for part in by_table]

    def slow() -> list[Num]:
        return [Num(x.b, part) for part in local_function(x.b, name, [x.type, bits_type], [x.value], body, cold=True)]

    return replace_rare(abs(x) >= _FLOAT_LIMIT, usual, slow)


def _reduce_in_double(x: Num, factor: float, offset: float) -> list[Num]:
    """Return [r, bits of k] for a float up to `_DOUBLE_LIMIT`: r has the precision of double, so a float's and more."""
    wide = x.widen()
    k, bits = round_to_integer(fma(wide, factor / math.pi, offset))
    r = wide
    for part in _PI_DOUBLE[:2]:
        r = fma(k - offset, -part / factor, r)
    return [r.narrow(), Num(x.b, x.b.trunc(bits.value, with_element(x.type, I32)))]


def _reduce_by_table(x: Num, factor: float, offset: float, options: Options) -> list[Num]:
    """Return [r, bits of k] for a float of at least `_FLOAT_LIMIT`; r is NaN for infinities and NaN."""
    b = x.b
    size = abs(x)
    bits = size.bits()
    row = (bits >> 23) - _FIRST_EXPONENT
    row = row.call("llvm.smax", row.like(0)).call("llvm.smin", row.like(254 - _FIRST_EXPONENT))
    mantissa = Num(b, b.sitofp(((bits & 0x7FFFFF) | 0x800000).value, with_element(x.type, F64)))
    mantissa = mantissa.copysign(x.widen()) * factor
    high, low = (
        Num(b, lookup(b, name, table, row.value, options.target))
        for name, table in zip(("inverse_pi_high", "inverse_pi_low"), _large_table(), strict=True)
    )
    whole = fma(mantissa, high, offset)
    k, k_bits = round_to_integer(whole)
    fraction = fma(mantissa, low, whole - k)
    carry, carry_bits = round_to_integer(fraction)  # the low part adds up to 1/16
    r = ((fraction - carry) * (math.pi / factor)).narrow()
    r = where(size < math.inf, r, x - x)
    return [r, Num(b, b.trunc((k_bits + carry_bits).value, with_element(x.type, I32)))]


# --------------------------------------------------------------------------------------- both, by quarter turns


def _sin_cos_quarter(r: Num, tail: Num | None = None) -> tuple[Num, Num]:
    """Return (sin, cos) of r + tail, |r| <= pi / 4, `tail` a rounding error of r."""
    z = r * r
    half = z * 0.5
    first = 1.0 - half
    sin_rest = r * z * polynomial(z, _SIN_FLOAT if r.is_float32 else _SIN_DOUBLE)
    cos_rest = fma(z * z, polynomial(z, _COS_FLOAT if r.is_float32 else _COS_DOUBLE), (1.0 - first) - half)
    if tail is not None:
        sin_rest = fma(tail, first, sin_rest)
        cos_rest = fma(-tail, r, cos_rest)
    return r + sin_rest, first + cos_rest


def _turn(sine: Num, cosine: Num, quarters: Num, x: Num) -> tuple[Num, Num]:
    """Return (sin, cos) after a turn by a number of quarters, of which the two low bits count.

    The sine of zero x is x.
    """
    sine = where(x.equals(0.0), x, sine)
    odd = (quarters & 1).equals(1)
    return (
        _flip_sign(where(odd, cosine, sine), quarters >> 1),
        _flip_sign(where(odd, sine, cosine), (quarters + 1) >> 1),
    )


def sincos(x: Num, options: Options) -> tuple[Num, Num]:
    k, quarters = round_to_integer(x * (2 / math.pi))
    if x.is_float32:
        r, quarters = _reduce_large(x, [_subtract_multiple(x, k, 0.5), quarters], 2.0, 0.0, options)
        return _turn(*_sin_cos_quarter(r), quarters, x)
    sine, cosine = _turn(*_sin_cos_quarter(_subtract_multiple(x, k, 0.5)), quarters, x)
    sine, cosine = replace_rare(_beyond(x), [sine, cosine], lambda: [_by_libm(x, "sin"), _by_libm(x, "cos")])
    return sine, cosine


def tan(x: Num, options: Options) -> Num:
    """Return the quotient of sine and cosine, turned: tan(r) or -1 / tan(r)."""
    k, quarters = round_to_integer(x * (2 / math.pi))
    if x.is_float32:
        r, quarters = _reduce_large(x, [_subtract_multiple(x, k, 0.5), quarters], 2.0, 0.0, options)
        return _tan_quarter(r, None, quarters, x)
    first, second, third = (part * 0.5 for part in _PI_DOUBLE)
    start = fma(k, -first, x)
    product, product_low = two_product(k, k.like(second))
    r = start - product
    tail = ((start - r) - product) - fma(k, third, product_low)
    return replace_rare(_beyond(x), [_tan_quarter(r, tail, quarters, x)], lambda: [_by_libm(x, "tan")])[0]


def _tan_quarter(r: Num, tail: Num | None, quarters: Num, x: Num) -> Num:
    sine, cosine = _sin_cos_quarter(r, tail)
    odd = (quarters & 1).equals(1)
    return where(x.equals(0.0), x, where(odd, -cosine, sine) / where(odd, sine, cosine))


def _double(x: Num, op: str, options: Options) -> Num:
    k, quarters = round_to_integer(x * (2 / math.pi))
    both = _turn(*_sin_cos_quarter(_subtract_multiple(x, k, 0.5)), quarters, x)
    value = both[0] if op == "sin" else both[1]
    return replace_rare(_beyond(x), [value], lambda: [_by_libm(x, op)])[0]


def _beyond(x: Num) -> Num:
    return abs(x) >= _DOUBLE_LIMIT


def _by_libm(x: Num, op: str) -> Num:
    """Call libm's function of double for the lanes beyond the limit."""
    if not x.is_vector:
        return Num(x.b, scalar_call(x.b, op, [x.value]))

    def each(b: ir.IRBuilder, value: ir.Value) -> list[ir.Value]:
        return [scalar_call(b, op, [value])]

    return Num(x.b, call_per_lane(x.b, op, [x.value], _beyond(x).value, each, [F64])[0])


# ------------------------------------------------------------------------------------------- of multiples of pi


def sincospi(x: Num, options: Options) -> tuple[Num, Num]:
    """Return (sin(pi x), cos(pi x)); every step of the reduction to |f| <= 1/4 is exact."""
    within = fma((x * 0.5).rint(), -2.0, x)  # [-1, 1]; NaN for infinities
    k, quarters = round_to_integer(within + within)
    f = fma(k, -0.5, within)
    pi, pi_low, _ = _pi_parts(x)
    r, tail = two_product(f, f.like(pi))
    sine, cosine = _turn(*_sin_cos_quarter(r, fma(f, pi_low, tail)), quarters, x)
    # whole numbers have sine 0 with the sign of x, half numbers cosine +0
    return where(sine.equals(0.0), sine.copysign(x), sine), cosine + 0.0
