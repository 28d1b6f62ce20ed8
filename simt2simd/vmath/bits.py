"""Math functions with exact results: rounding, classification, exponents, remainders, minimum and maximum."""

from __future__ import annotations

import math
from collections.abc import Sequence

from llvmlite import ir

from ..options import Options
from ..simd.builder import F32, F64, I32, I64, declare, element, float_bits, float_constant_of, intrinsic, with_element
from .call import call_per_lane, scalar_call
from .float_parts import has_parts, inverse_estimate, maximum, minimum, refined, scalef
from .num import INFINITY, Num, fma, replace_rare, round_to_integer, where


def float_divide(b: ir.IRBuilder, x: ir.Value, y: ir.Value, options: Options) -> ir.Value:
    """Return x / y, correctly rounded; for float under `fast_math` within 2 units in the last place."""
    if options.fast_math and element(x.type) == F32:
        return fast_divide(Num(b, x), Num(b, y), options).value
    return b.fdiv(x, y, name="quot")


def float_sqrt(b: ir.IRBuilder, x: ir.Value, options: Options) -> ir.Value:
    """Return the correctly rounded square root; on a CPU no other is faster."""
    return intrinsic(b, "llvm.sqrt", x, name_result="sqrt")


def fast_divide(x: Num, y: Num, options: Options) -> Num:
    """Return x times 1 / y: the hardware's 14 bits and one Newton step.

    The step is left out where the 14 bits are infinite or 0: it would give NaN.
    """
    if not has_parts(x, options):
        return x / y
    estimate = inverse_estimate(y, options)
    error = fma(-y, estimate, 1.0)
    return x * refined(fma(estimate, error, estimate), estimate, options)


# ------------------------------------------------------------------------------------ minimum, classification


def fmax(x: Num, y: Num, options: Options) -> Num:
    """Return the larger; if one is NaN, the other. +0 is larger than -0, as in PTX's `max`."""
    return _larger_or_smaller("max", x, y, options)


def fmin(x: Num, y: Num, options: Options) -> Num:
    return _larger_or_smaller("min", x, y, options)


def _larger_or_smaller(which: str, x: Num, y: Num, options: Options) -> Num:
    if float_constant_of(x.value) is not None:
        x, y = y, x
    if float_constant_of(y.value) is None and options.target.float_parts:
        return maximum(x, y, options) if which == "max" else minimum(x, y, options)
    if (constant := float_constant_of(y.value)) is not None:
        # the comparison picks y for a NaN x; where the zeros are equal it must not pick the wrong one
        picks_zero = constant == 0 and (math.copysign(1.0, constant) > 0) == (which == "min")
        larger, smaller = (x >= y, x <= y) if picks_zero else (x > y, x < y)
        return where(y.is_nan(), x, where(larger if which == "max" else smaller, x, y))
    # as x86's own maximum and minimum, it picks y for a NaN x and for zeros; a NaN y is replaced after it
    picked = where(y.is_nan(), x, where(x > y if which == "max" else x < y, x, y))
    if which == "max":
        return (picked.bits() & where(x.equals(y), x.bits(), x.bits().like(-1))).as_float(x)
    return (picked.bits() | where(x.equals(y), x.bits(), x.bits().like(0))).as_float(x)


def fdim(x: Num, y: Num) -> Num:
    return where(x <= y, x.like(0.0), x - y)


def saturate(x: Num) -> Num:
    """Return x clamped to [0, 1]; NaN gives 0."""
    return where(x > 0.0, x, x.like(0.0)).at_most(1.0)


def isinf(x: Num) -> Num:
    return abs(x).equals(INFINITY)


def isfinite(x: Num) -> Num:
    return abs(x) < INFINITY


def isnormal(x: Num) -> Num:
    return where(abs(x) < 2.0 ** (1 - x.bias), isinf(x), isfinite(x))  # an infinity is not that small


def fpclassify(x: Num) -> Num:
    """Return <math.h>'s FP_NAN, FP_INFINITE, FP_ZERO, FP_SUBNORMAL or FP_NORMAL: 0 to 4, an `int`."""
    kind = x.bits().to_int32().like
    nonzero = where(abs(x) < 2.0 ** (1 - x.bias), kind(3), kind(4))
    finite = where(x.equals(0.0), kind(2), nonzero)
    return where(x.is_nan(), kind(0), where(isinf(x), kind(1), finite))


def islessgreater(x: Num, y: Num) -> Num:
    return Num(x.b, x.b.fcmp_ordered("!=", x.value, y.value))


def isunordered(x: Num, y: Num) -> Num:
    return Num(x.b, x.b.fcmp_unordered("uno", x.value, y.value))


def signbit(x: Num) -> Num:
    return x.bits() < 0


def frsqrt_rn(x: Num) -> Num:
    """Return 1 / sqrt(x) for float, rounded once: both operations in double, then to float."""
    return (1.0 / x.widen().sqrt()).narrow()


# ------------------------------------------------------------------------------------ fractions and exponents


def modf(x: Num) -> list[Num]:
    """Return (fraction, integral), both with the sign of x; an infinity has fraction 0."""
    integral = x.trunc()
    return [where(isinf(x), x.like(0.0), x - integral).copysign(x), integral]


def _split_exponent(x: Num) -> tuple[Num, Num]:
    """Return (fraction, exponent), x = fraction * 2 ** exponent with 0.5 <= |fraction| < 1.

    `exponent` is an integer of x's width. Meaningless for 0, infinity and NaN.
    """
    tiny = abs(x) < 2.0 ** (1 - x.bias)
    shift = x.mantissa_bits + 1
    bits = where(tiny, x * 2.0**shift, x).bits()
    field = 2 * x.bias + 1  # the exponent's bits
    biased = (bits >> x.mantissa_bits) & field
    offset = where(tiny, bits.like(x.bias - 1 + shift), bits.like(x.bias - 1))
    fraction = (bits & ~(field << x.mantissa_bits)) | x.like(0.5).bits()
    return fraction.as_float(x), biased - offset


def frexp(x: Num) -> list[Num]:
    """Return (fraction, exponent); 0, infinity and NaN are their own fraction, with exponent 0."""
    fraction, exponent = _split_exponent(x)
    ordinary = (abs(x) > 0.0) & isfinite(x)
    return [where(ordinary, fraction, x), where(ordinary, exponent, exponent.like(0)).to_int32()]


def logb(x: Num) -> Num:
    """Return floor(log2 |x|) as a float; -infinity for 0, infinity for infinities."""
    _, exponent = _split_exponent(x)
    whole = where(isfinite(x), (exponent - 1).to_float(x), abs(x))
    return where(x.equals(0.0), x.like(-INFINITY), whole)


def ilogb(x: Num) -> Num:
    """Return floor(log2 |x|) as an `int`; INT_MIN for 0 and NaN, INT_MAX for infinities."""
    _, exponent = _split_exponent(x)
    whole = (exponent - 1).to_int32()
    whole = where(isinf(x), whole.like(2**31 - 1), whole)
    return where(abs(x) > 0.0, whole, whole.like(-(2**31)))


def ldexp(x: Num, n: Num, options: Options, mask: ir.Value | None) -> Num:
    """Return x * 2 ** n with one rounding; n is an `int` or a `long`."""
    b = x.b
    limit = 400 if x.is_float32 else 3000  # more than the distance from the smallest number to the largest
    n = n.call("llvm.smin", n.like(limit)).call("llvm.smax", n.like(-limit)).to_int32()
    if has_parts(x, options):
        return scalef(x, Num(b, b.sitofp(n.value, x.type)), options)
    if x.is_float32:  # double has the range to spare: one rounding, at the end
        wide = x.widen()
        exponent = Num(b, b.sext(n.value, with_element(x.type, I64)))
        return (wide * ((exponent + wide.bias) << wide.mantissa_bits).as_float(wide)).narrow()

    def each(inner: ir.IRBuilder, value: ir.Value, count: ir.Value) -> list[ir.Value]:
        return [scalar_call(inner, "ldexp", [value, count], F64)]

    if x.is_vector:
        return Num(b, call_per_lane(b, "ldexp", [x.value, n.value], mask, each, [F64])[0])
    return Num(b, each(b, x.value, n.value)[0])


def nextafter(x: Num, y: Num) -> Num:
    """Return the next number after x towards y: one more or less in the bits, which count magnitudes."""
    b = x.b
    outwards = Num(b, b.icmp_unsigned("==", (x < y).value, (x > 0.0).value))
    bits = x.bits()
    moved = (bits + where(outwards, bits.like(1), bits.like(-1))).as_float(x)
    smallest = Num(b, float_bits(x.type, 1))
    moved = where(x.equals(0.0), smallest.copysign(y), moved)
    moved = where(x.equals(y), y, moved)
    return where(x.is_nan() | y.is_nan(), x + y, moved)


# --------------------------------------------------------------------------------------------------- remainders

# With a quotient below this the remainder is one exact multiply-subtract, and the quotient's last bit is known.
_QUOTIENT_LIMIT = 2.0**50


def _exact_quotient(x: Num, y: Num) -> Num:
    """Return in which lanes the methods below hold: the others have large quotients, infinities, NaN or a divisor 0."""
    return (x < y * _QUOTIENT_LIMIT) & (y < INFINITY) & (y > 2.0**-900)


def fmod(x: Num, y: Num) -> Num:
    """Return x - trunc(x / y) * y, in double: the rounded quotient is at most one too large."""
    if x.is_float32:
        return fmod(x.widen(), y.widen()).narrow()
    size, divisor = abs(x), abs(y)
    rest = fma(-(size / divisor).trunc(), divisor, size)
    rest = where(rest < 0.0, rest + divisor, rest)
    return _else_libm("fmod", x, y, [rest.copysign(x)])[0]


def remainder(x: Num, y: Num) -> Num:
    return remquo(x, y)[0]


def remquo(x: Num, y: Num) -> list[Num]:
    """Return (x - n y, the low 3 bits of n with the quotient's sign): n is x / y rounded to nearest, ties to even."""
    if x.is_float32:
        rest, low_bits = remquo(x.widen(), y.widen())
        return [rest.narrow(), low_bits]
    size, divisor = abs(x), abs(y)
    quotient, bits = round_to_integer(size / divisor)
    rest = fma(-quotient, divisor, size)
    # The rounded quotient may lie on the wrong side of a tie, and on a tie the even one counts.
    twice = rest + rest
    odd = (bits & 1).equals(1)
    up = (twice > divisor) | (twice.equals(divisor) & odd)
    down = (twice < -divisor) | (twice.equals(-divisor) & odd)
    rest = where(up, rest - divisor, where(down, rest + divisor, rest))
    bits = where(up, bits + 1, where(down, bits - 1, bits)) & 7
    negative = (x.bits() ^ y.bits()) < 0
    low_bits = where(negative, -bits, bits).to_int32()
    # |x| - n |y| is 0 or has its own sign; times the sign of x
    signed = (rest.bits() ^ (x.bits() & (1 << 63))).as_float(x)
    return _else_libm("remquo", x, y, [signed, low_bits])


def _else_libm(op: str, x: Num, y: Num, usual: Sequence[Num]) -> list[Num]:
    """Return `usual`, but libm's results in the lanes with extreme arguments."""
    b = x.b
    extreme = _exact_quotient(abs(x), abs(y)) ^ 1

    def each(inner: ir.IRBuilder, one: ir.Value, other: ir.Value) -> list[ir.Value]:
        if op == "fmod":
            return [scalar_call(inner, op, [one, other])]
        with inner.goto_entry_block():
            slot = inner.alloca(I32)
        function = declare(inner.module, op, F64, [F64, F64, ir.PointerType()])
        value = inner.call(function, [one, other, slot])
        return [value, inner.load(slot, typ=I32)]

    def slow() -> list[Num]:
        if not x.is_vector:
            return [Num(b, value) for value in each(b, x.value, y.value)]
        types = [element(number.type) for number in usual]
        return [Num(b, value) for value in call_per_lane(b, op, [x.value, y.value], extreme.value, each, types)]

    return replace_rare(extreme, usual, slow)
