"""Math functions that are a few exact instructions: rounding, classification, exponents, remainders, minimum."""

from __future__ import annotations

from collections.abc import Callable

from llvmlite import ir

from .irtools import F32, F64, I32, I64, bitcast, const, declare, element, float_bits, in_parts, intrinsic, lanes
from .irtools import with_element as like
from .target import Options
from .vmath_call import Site, call_per_lane, library_call

INFINITY = float("inf")
NAN = float("nan")


def float_divide(b: ir.IRBuilder, x: ir.Value, y: ir.Value, options: Options) -> ir.Value:
    """x / y, correctly rounded; approximate for float under `fast_math`."""
    return b.fdiv(x, y, name="quot")


def float_sqrt(b: ir.IRBuilder, x: ir.Value, options: Options) -> ir.Value:
    """The correctly rounded square root."""
    return intrinsic(b, "llvm.sqrt", x, name_result="sqrt")


# --------------------------------------------------------------------------------------- the layout of floats


def int_type(type_: ir.Type) -> ir.Type:
    """Return the integer type of the same width, with the same lanes."""
    return like(type_, I32 if element(type_) == F32 else I64)


def mantissa_bits(type_: ir.Type) -> int:
    return 23 if element(type_) == F32 else 52


def exponent_bias(type_: ir.Type) -> int:
    return 127 if element(type_) == F32 else 1023


def smallest_normal(type_: ir.Type) -> ir.Constant:
    return const(type_, 2.0 ** (1 - exponent_bias(type_)))


def to_bits(b: ir.IRBuilder, x: ir.Value) -> ir.Value:
    return bitcast(b, x, element(int_type(x.type)))


def from_bits(b: ir.IRBuilder, bits: ir.Value, type_: ir.Type) -> ir.Value:
    return b.bitcast(bits, type_)


def fabs(b: ir.IRBuilder, x: ir.Value) -> ir.Value:
    return intrinsic(b, "llvm.fabs", x)


def copysign(b: ir.IRBuilder, x: ir.Value, sign: ir.Value) -> ir.Value:
    return intrinsic(b, "llvm.copysign", x, sign)


def is_nan(b: ir.IRBuilder, x: ir.Value) -> ir.Value:
    return b.fcmp_unordered("uno", x, x)


def power_of_two(b: ir.IRBuilder, exponent: ir.Value, type_: ir.Type) -> ir.Value:
    """2 ** exponent for an integer vector or scalar of the floats' width, in the range of normal numbers."""
    biased = b.add(exponent, const(exponent.type, exponent_bias(type_)))
    return b.bitcast(b.shl(biased, const(biased.type, mantissa_bits(type_))), type_)


def split_exponent(b: ir.IRBuilder, x: ir.Value) -> tuple[ir.Value, ir.Value]:
    """Return (fraction, exponent), x = fraction * 2 ** exponent with 0.5 <= |fraction| < 1.

    `exponent` has the integer type of x's width. Meaningless for 0, infinity and NaN.
    """
    type_, bits_type = x.type, int_type(x.type)
    mantissa = mantissa_bits(type_)
    tiny = b.fcmp_ordered("<", fabs(b, x), smallest_normal(type_))
    bits = to_bits(b, b.select(tiny, b.fmul(x, const(type_, 2.0 ** (mantissa + 1))), x))
    shifted = b.and_(b.lshr(bits, const(bits_type, mantissa)), const(bits_type, 2 * exponent_bias(type_) + 1))
    offset = b.select(
        tiny,
        const(bits_type, exponent_bias(type_) - 1 + mantissa + 1),
        const(bits_type, exponent_bias(type_) - 1),
    )
    sign_and_fraction = const(bits_type, ~((2 * exponent_bias(type_) + 1) << mantissa))
    half = const(bits_type, (exponent_bias(type_) - 1) << mantissa)
    fraction = from_bits(b, b.or_(b.and_(bits, sign_and_fraction), half), type_)
    return fraction, b.sub(shifted, offset)


def _to_i32(b: ir.IRBuilder, value: ir.Value) -> ir.Value:
    return value if element(value.type) == I32 else b.trunc(value, like(value.type, I32))


# ------------------------------------------------------------------------------------------------ functions


def _intrinsic(name: str) -> Callable[..., list[ir.Value]]:
    return lambda site, *args: [intrinsic(site.b, f"llvm.{name}", *args)]


def _fmax(site: Site, x: ir.Value, y: ir.Value) -> list[ir.Value]:
    """The larger; if one is NaN, the other. The comparison fails for a NaN x; a NaN y is replaced after it."""
    b = site.b
    larger = b.select(b.fcmp_ordered(">", x, y), x, y)
    return [b.select(is_nan(b, y), x, larger, name="fmax")]


def _fmin(site: Site, x: ir.Value, y: ir.Value) -> list[ir.Value]:
    b = site.b
    smaller = b.select(b.fcmp_ordered("<", x, y), x, y)
    return [b.select(is_nan(b, y), x, smaller, name="fmin")]


def _fdim(site: Site, x: ir.Value, y: ir.Value) -> list[ir.Value]:
    b = site.b
    return [b.select(b.fcmp_ordered("<=", x, y), const(x.type, 0.0), b.fsub(x, y), name="fdim")]


def _isnan(site: Site, x: ir.Value) -> list[ir.Value]:
    return [is_nan(site.b, x)]


def _isinf(site: Site, x: ir.Value) -> list[ir.Value]:
    return [site.b.fcmp_ordered("==", fabs(site.b, x), const(x.type, INFINITY))]


def _isfinite(site: Site, x: ir.Value) -> list[ir.Value]:
    return [site.b.fcmp_ordered("<", fabs(site.b, x), const(x.type, INFINITY))]


def _signbit(site: Site, x: ir.Value) -> list[ir.Value]:
    bits = to_bits(site.b, x)
    return [site.b.icmp_signed("<", bits, const(bits.type, 0))]


def _modf(site: Site, x: ir.Value) -> list[ir.Value]:
    """(fraction, integral), both with the sign of x; an infinity has fraction 0."""
    b = site.b
    integral = intrinsic(b, "llvm.trunc", x)
    infinite = b.fcmp_ordered("==", fabs(b, x), const(x.type, INFINITY))
    fraction = b.select(infinite, const(x.type, 0.0), b.fsub(x, integral))
    return [copysign(b, fraction, x), integral]


def _frexp(site: Site, x: ir.Value) -> list[ir.Value]:
    """(fraction, exponent); 0, infinity and NaN are their own fraction, with exponent 0."""
    b = site.b
    fraction, exponent = split_exponent(b, x)
    size = fabs(b, x)
    zero = b.fcmp_ordered("==", size, const(x.type, 0.0))
    special = b.or_(zero, b.fcmp_unordered("==", size, const(x.type, INFINITY)))
    return [b.select(special, x, fraction), _to_i32(b, b.select(special, const(exponent.type, 0), exponent))]


def _logb(site: Site, x: ir.Value) -> list[ir.Value]:
    """floor(log2 |x|) as a float; -infinity for 0, infinity for infinities."""
    b = site.b
    _, exponent = split_exponent(b, x)
    size = fabs(b, x)
    whole = b.sitofp(b.sub(exponent, const(exponent.type, 1)), x.type)
    not_finite = b.fcmp_unordered(">=", size, const(x.type, INFINITY))
    value = b.select(not_finite, size, whole)
    return [b.select(b.fcmp_ordered("==", size, const(x.type, 0.0)), const(x.type, -INFINITY), value)]


def _ilogb(site: Site, x: ir.Value) -> list[ir.Value]:
    """floor(log2 |x|) as an `int`; INT_MIN for 0 and NaN, INT_MAX for infinities."""
    b = site.b
    _, exponent = split_exponent(b, x)
    size = fabs(b, x)
    whole = _to_i32(b, b.sub(exponent, const(exponent.type, 1)))
    infinite = b.fcmp_ordered("==", size, const(x.type, INFINITY))
    value = b.select(infinite, const(whole.type, 2**31 - 1), whole)
    none = b.fcmp_unordered("==", size, const(x.type, 0.0))
    return [b.select(none, const(whole.type, -(2**31)), value)]


def scale(site: Site, x: ir.Value, exponent: ir.Value) -> ir.Value:
    """x * 2 ** exponent with one rounding; `exponent` is a whole number in x's floating type."""
    b = site.b
    name = "llvm.x86.avx512.mask.scalef.ps.512" if element(x.type) == F32 else "llvm.x86.avx512.mask.scalef.pd.512"
    width = 16 if element(x.type) == F32 else 8
    vector, mask = ir.VectorType(element(x.type), width), ir.IntType(width)
    function = declare(b.module, name, vector, [vector, vector, vector, mask, I32])

    def part(value: ir.Value, power: ir.Value) -> ir.Value:
        current_rounding = ir.Constant(I32, 4)
        return b.call(function, [value, power, value, const(mask, -1), current_rounding], name="scaled")

    return in_parts(b, width, part, x, exponent)


def ldexp(site: Site, x: ir.Value, n: ir.Value) -> list[ir.Value]:
    """x * 2 ** n with one rounding; n is an `int` or a `long`."""
    b = site.b
    limit = const(n.type, 3000)  # from the smallest denormal to infinity is 2098
    n = intrinsic(b, "llvm.smax", intrinsic(b, "llvm.smin", n, limit), const(n.type, -3000))
    n = _to_i32(b, n)
    if lanes(x) and site.options.target.has_avx512:
        return [scale(site, x, b.sitofp(n, x.type))]
    if element(x.type) == F32:  # double has the range to spare: one rounding, at the end
        limit = const(n.type, 400)
        n = intrinsic(b, "llvm.smax", intrinsic(b, "llvm.smin", n, limit), const(n.type, -400))
        wide = like(x.type, F64)
        power = power_of_two(b, b.sext(n, like(x.type, I64)), wide)
        return [b.fptrunc(b.fmul(b.fpext(x, wide), power), x.type)]
    if lanes(x):
        each: Callable[..., list[ir.Value]] = lambda inner, value, count: [_scalar_ldexp(inner, value, count)]  # noqa: E731
        return call_per_lane(b, "ldexp", [x, n], site.mask, each, [F64])
    return [_scalar_ldexp(b, x, n)]


def _scalar_ldexp(b: ir.IRBuilder, x: ir.Value, n: ir.Value) -> ir.Value:
    return b.call(declare(b.module, "ldexp", F64, [F64, I32], pure=True), [x, n])


def _nextafter(site: Site, x: ir.Value, y: ir.Value) -> list[ir.Value]:
    """The next number after x towards y: one more or less in the bits, which count magnitudes."""
    b, type_ = site.b, x.type
    bits = to_bits(b, x)
    zero = const(type_, 0.0)
    away = b.icmp_unsigned("==", b.fcmp_ordered("<", x, y), b.fcmp_ordered(">", x, zero))
    step = b.select(away, const(bits.type, 1), const(bits.type, -1))
    moved = from_bits(b, b.add(bits, step), type_)
    moved = b.select(b.fcmp_ordered("==", x, zero), copysign(b, float_bits(type_, 1), y), moved)
    moved = b.select(b.fcmp_ordered("==", x, y), y, moved)
    return [b.select(b.fcmp_unordered("uno", x, y), b.fadd(x, y), moved)]


def _remquo(site: Site, x: ir.Value, y: ir.Value) -> list[ir.Value]:
    """(remainder, the low bits of the quotient with its sign), by libm."""
    base = element(x.type)

    def each(b: ir.IRBuilder, one: ir.Value, other: ir.Value) -> list[ir.Value]:
        with b.goto_entry_block():
            slot = b.alloca(I32)
        wide = [b.fpext(value, F64) if base == F32 else value for value in (one, other)]
        function = declare(b.module, "remquo", F64, [F64, F64, ir.PointerType()])
        value = b.call(function, [*wide, slot])
        return [b.fptrunc(value, F32) if base == F32 else value, b.load(slot, typ=I32)]

    if not lanes(x):
        return each(site.b, x, y)
    return call_per_lane(site.b, "remquo", [x, y], site.mask, each, [base, I32])


def _fmod(site: Site, x: ir.Value, y: ir.Value) -> list[ir.Value]:
    return [library_call(site.b, "fmod", [x, y], site.mask)]


def _remainder(site: Site, x: ir.Value, y: ir.Value) -> list[ir.Value]:
    return [library_call(site.b, "remainder", [x, y], site.mask)]


def _saturate(site: Site, x: ir.Value) -> list[ir.Value]:
    """x clamped to [0, 1]; NaN gives 0."""
    b, type_ = site.b, x.type
    zero, one = const(type_, 0.0), const(type_, 1.0)
    positive = b.select(b.fcmp_ordered(">", x, zero), x, zero)
    return [b.select(b.fcmp_ordered("<", positive, one), positive, one, name="saturate")]


def _rsqrt(site: Site, x: ir.Value) -> list[ir.Value]:
    return [site.b.fdiv(const(x.type, 1.0), intrinsic(site.b, "llvm.sqrt", x))]


def _frsqrt_rn(site: Site, x: ir.Value) -> list[ir.Value]:
    """1 / sqrt(x) rounded once: both operations in double, then to float."""
    wide = site.b.fpext(x, like(x.type, F64))
    return [site.b.fptrunc(_rsqrt(site, wide)[0], x.type)]


def _divide(site: Site, x: ir.Value, y: ir.Value) -> list[ir.Value]:
    return [float_divide(site.b, x, y, site.options)]


BIT_OPS: dict[str, Callable[..., list[ir.Value]]] = {
    "ceil": _intrinsic("ceil"),
    "floor": _intrinsic("floor"),
    "trunc": _intrinsic("trunc"),
    "rint": _intrinsic("rint"),
    "nearbyint": _intrinsic("rint"),
    "round": _intrinsic("round"),
    "fabs": _intrinsic("fabs"),
    "copysign": _intrinsic("copysign"),
    "fma": _intrinsic("fma"),
    "sqrt": lambda site, x: [float_sqrt(site.b, x, site.options)],
    "fmax": _fmax,
    "fmin": _fmin,
    "fdim": _fdim,
    "isnan": _isnan,
    "isinf": _isinf,
    "isfinite": _isfinite,
    "signbit": _signbit,
    "modf": _modf,
    "frexp": _frexp,
    "logb": _logb,
    "ilogb": _ilogb,
    "ldexp": ldexp,
    "nextafter": _nextafter,
    "remquo": _remquo,
    "fmod": _fmod,
    "remainder": _remainder,
    "saturate": _saturate,
    "rsqrt": _rsqrt,
    "frsqrt_rn": _frsqrt_rn,
    "fdivide": _divide,
    # Plain operations without the flag that lets LLVM fuse them.
    "add_rn": lambda site, x, y: [site.b.fadd(x, y)],
    "sub_rn": lambda site, x, y: [site.b.fsub(x, y)],
    "mul_rn": lambda site, x, y: [site.b.fmul(x, y)],
    "div_rn": lambda site, x, y: [site.b.fdiv(x, y)],
    "rcp_rn": lambda site, x: [site.b.fdiv(const(x.type, 1.0), x)],
}
