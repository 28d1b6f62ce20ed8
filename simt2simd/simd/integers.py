"""Integer arithmetic and conversions, on scalars (uniform) and vectors (one lane per thread) alike.

Nothing here traps or gives poison, whatever a lane holds: lanes that are off hold anything, zero divisors
included. Values have the C type's width (`bool` is `i1`); C's promotions are already done.
The GPU's answers where C has none: x / 0 is all ones, x % 0 is x, INT_MIN / -1 is INT_MIN.
"""

from __future__ import annotations

from typing import Literal

from llvmlite import ir

from ..lang.ctype import DOUBLE, FLOAT, INT, UINT, Scalar, is_short_float
from ..target import Target
from . import short_floats, wide_integers
from .builder import F32, F64, I32, I64, bits_of, const, constant_of, element, element_type, intrinsic, lanes, splat
from .builder import with_element as like
from .saturation import to_integer

# ------------------------------------------------------------------------------------------- division


def divide(b: ir.IRBuilder, left: ir.Value, right: ir.Value, signed: bool) -> ir.Value:
    """left / right, truncated, for integers of 8 to 128 bits; exact for all inputs."""
    if bits_of(left.type) == wide_integers.BITS:
        return wide_integers.divide(b, left, right, signed)
    known = constant_of(right)
    if known is not None:
        return _divide_by_constant(b, left, known, signed)
    if not lanes(left):
        return _divide_scalar(b, left, right, signed)[0]
    return _divide_vector(b, left, right, signed)[0]


def remainder(b: ir.IRBuilder, left: ir.Value, right: ir.Value, signed: bool) -> ir.Value:
    """left % right, with the sign of `left`; exact for all inputs."""
    if bits_of(left.type) == wide_integers.BITS:
        return wide_integers.divide(b, left, right, signed, remainder=True)
    if constant_of(right) is not None:
        return _multiply_back(b, left, right, divide(b, left, right, signed))
    if not lanes(left):
        return _divide_scalar(b, left, right, signed)[1]
    return _divide_vector(b, left, right, signed)[1]


def divide_uniform(b: ir.IRBuilder, left: ir.Value, right: ir.Value, signed: bool) -> ir.Value:
    """Return the vector `left` divided by the scalar `right`: its reciprocal is computed once, in scalar code."""
    if bits_of(left.type) == wide_integers.BITS:
        return wide_integers.divide(b, left, right, signed)
    known = constant_of(right)
    if known is not None:
        return _divide_by_constant(b, left, known, signed)
    if bits_of(left.type) <= 32:
        return _divide_uniform_32(b, left, right, signed)
    return _divide_by_reciprocal(b, left, right, signed)[0]


def remainder_uniform(b: ir.IRBuilder, left: ir.Value, right: ir.Value, signed: bool) -> ir.Value:
    """Return the vector `left` modulo the scalar `right`."""
    if bits_of(left.type) == wide_integers.BITS:
        return wide_integers.divide(b, left, right, signed, remainder=True)
    if constant_of(right) is None and bits_of(left.type) == 64:
        return _divide_by_reciprocal(b, left, right, signed)[1]
    return _multiply_back(b, left, splat(b, right, lanes(left)), divide_uniform(b, left, right, signed))


def _multiply_back(b: ir.IRBuilder, left: ir.Value, right: ir.Value, quotient: ir.Value) -> ir.Value:
    """left - quotient * right. Right for a zero divisor (gives left) and for INT_MIN / -1 (gives 0) too."""
    return b.sub(left, b.mul(quotient, right), name="rem")


def _divide_by_constant(b: ir.IRBuilder, left: ir.Value, divisor: int, signed: bool) -> ir.Value:
    """LLVM turns division by a constant into multiplications; for vectors of 64-bit lanes it does not."""
    type_, width = left.type, bits_of(left.type)
    minus_one = (1 << width) - 1
    if divisor == 0:
        return const(type_, -1)
    if signed and divisor == minus_one:
        return b.sub(const(type_, 0), left, name="quot")
    magnitude = (1 << width) - divisor if signed and divisor >> (width - 1) else divisor
    if lanes(left) and width == 64 and magnitude & (magnitude - 1):
        return _divide_by_reciprocal(b, left, const(element(type_), divisor), signed)[0]
    return (b.sdiv if signed else b.udiv)(left, const(type_, divisor), name="quot")


def _divide_scalar(b: ir.IRBuilder, left: ir.Value, right: ir.Value, signed: bool) -> tuple[ir.Value, ir.Value]:
    """Divide as the CPU does, with the two divisors that trap replaced by 1; return (quotient, remainder)."""
    type_ = left.type
    is_zero = b.icmp_unsigned("==", right, const(type_, 0))
    replaced = is_zero
    if signed:
        is_minus_one = b.icmp_unsigned("==", right, const(type_, -1))
        replaced = b.or_(is_zero, is_minus_one)
    safe = b.select(replaced, const(type_, 1), right, name="divisor")
    quotient = (b.sdiv if signed else b.udiv)(left, safe)
    if signed:
        quotient = b.select(is_minus_one, b.sub(const(type_, 0), left), quotient)
    quotient = b.select(is_zero, const(type_, -1), quotient, name="quot")
    return quotient, _multiply_back(b, left, right, quotient)


def _divide_vector(b: ir.IRBuilder, left: ir.Value, right: ir.Value, signed: bool) -> tuple[ir.Value, ir.Value]:
    """Return (quotient, remainder); the one that the caller does not use costs nothing."""
    if bits_of(left.type) >= 32:
        return _divide_by_reciprocal(b, left, right, signed)
    quotient = _divide_16(b, left, right, signed)
    return quotient, _multiply_back(b, left, right, quotient)


def _to_float(b: ir.IRBuilder, value: ir.Value, to: ir.Type, signed: bool) -> ir.Value:
    return (b.sitofp if signed else b.uitofp)(value, like(value.type, to))


def _to_int(b: ir.IRBuilder, value: ir.Value, to: ir.Type, signed: bool) -> ir.Value:
    return (b.fptosi if signed else b.fptoui)(value, like(value.type, to))


def _fix_special_divisors(
    b: ir.IRBuilder, left: ir.Value, right: ir.Value, quotient: ir.Value, signed: bool
) -> ir.Value:
    """Put in the quotients by 0 and (signed) by -1, which the reciprocal methods leave undefined."""
    type_ = left.type
    if signed:
        is_minus_one = b.icmp_unsigned("==", right, const(right.type, -1))
        quotient = b.select(is_minus_one, b.sub(const(type_, 0), left), quotient)
    is_zero = b.icmp_unsigned("==", right, const(right.type, 0))
    return b.select(is_zero, const(type_, -1), quotient, name="quot")


def _divide_16(b: ir.IRBuilder, left: ir.Value, right: ir.Value, signed: bool) -> ir.Value:
    """8 and 16 bits, by float division.

    The correctly rounded quotient of numbers up to 2^16 never reaches the next integer: the exact one is below it
    by at least 1/right, which is more than half a unit in the last place.
    """
    ratio = b.fdiv(_to_float(b, left, F32, signed), _to_float(b, right, F32, signed))
    quotient = b.trunc(_to_int(b, ratio, I32, signed=True), left.type)
    return _fix_special_divisors(b, left, right, quotient, signed)


# Truncating a * ((1 + BIAS) / b) is exact for 32-bit a, b: the product's rounding errors are less than the bias, so
# that an integer quotient stays; and the gap to the next integer, 1/a of the quotient, is more.
_BIAS = 1 + 2.0**-40


def divide_small(b: ir.IRBuilder, number: ir.Value, by: ir.Value) -> tuple[ir.Value, ir.Value]:
    """Return quotient and remainder of a vector or a scalar, below 2^11, and a scalar from 1 on; all have 32 bits.

    `number + 1/2` over `by` is further from any integer than roundings of float get it.
    """
    reals, count = like(number.type, F32), lanes(number)
    inverse = b.fdiv(const(F32, 1.0), b.uitofp(by, F32), name="recip")
    if count:
        by, inverse = splat(b, by, count), splat(b, inverse, count)
    ratio = b.fmul(b.fadd(b.sitofp(number, reals), const(reals, 0.5)), inverse)
    quotient = b.fptosi(ratio, number.type, name="quot")
    return quotient, b.sub(number, b.mul(quotient, by), name="rem")


def _divide_uniform_32(b: ir.IRBuilder, left: ir.Value, right: ir.Value, signed: bool) -> ir.Value:
    """Up to 32 bits by a scalar: multiply by 1 / |right| in double. For right = 0 that factor is 0."""
    type_, count = right.type, lanes(left)
    zero = const(type_, 0)
    is_zero = b.icmp_unsigned("==", right, zero)
    magnitude = intrinsic(b, "llvm.abs", right, const(ir.IntType(1), 0)) if signed else right
    inverse = b.fdiv(const(F64, _BIAS), b.uitofp(magnitude, F64))
    inverse = b.select(is_zero, const(F64, 0.0), inverse, name="recip")
    ratio = b.fmul(_to_float(b, left, F64, signed), splat(b, inverse, count))
    wide = _to_int(b, ratio, I32, signed)
    quotient = wide if bits_of(type_) == 32 else b.trunc(wide, left.type)
    if signed:
        sign = splat(b, b.ashr(right, const(type_, bits_of(type_) - 1)), count)
        quotient = b.sub(b.xor(quotient, sign), sign)
    return b.or_(quotient, splat(b, b.sext(is_zero, type_), count), name="quot")


def _divide_by_reciprocal(b: ir.IRBuilder, left: ir.Value, right: ir.Value, signed: bool) -> tuple[ir.Value, ir.Value]:
    """Vectors of 32- or 64-bit lanes, by a vector or a scalar; return (quotient, remainder).

    In float for 32 bits and double for 64: q = a * f, with f nearer to zero than 1/b by more than all roundings
    together, is never too far from zero, and too near by at most 2^15 and 1. The same again for what is left, which
    has the sign of a, gives at most 1 too few. For b = 0 the numbers mean nothing and are not used.
    """
    count, type_ = lanes(left), left.type
    whole = right if lanes(right) else splat(b, right, count)
    real, slack = (F32, 2.0**-21) if bits_of(type_) == 32 else (F64, 2.0**-50)
    size = _to_float(b, right, real, signed)
    factor = b.fdiv(const(size.type, 1 - slack), size, name="recip")
    if not lanes(right):
        factor = splat(b, factor, count)
    quotient: ir.Value = const(type_, 0)
    rest = left
    for _ in range(2):
        part = _to_int(b, b.fmul(_to_float(b, rest, real, signed), factor), element(type_), signed)
        quotient, rest = b.add(quotient, part), b.sub(rest, b.mul(part, whole))
    zero, one = const(type_, 0), const(type_, 1)
    if signed:
        no_poison = const(ir.IntType(1), 0)
        magnitude = intrinsic(b, "llvm.abs", whole, no_poison)
        short = b.icmp_unsigned(">=", intrinsic(b, "llvm.abs", rest, no_poison), magnitude)
        more = b.or_(b.ashr(b.xor(left, whole), const(type_, bits_of(type_) - 1)), one)  # 1 or -1
        less = b.select(b.icmp_signed("<", left, zero), b.add(rest, magnitude), b.sub(rest, magnitude))
    else:
        short, more, less = b.icmp_unsigned(">=", rest, whole), one, b.sub(rest, whole)
    quotient = b.select(short, b.add(quotient, more), quotient)
    rest = b.select(short, less, rest)
    is_zero = b.icmp_unsigned("==", whole, zero)
    return b.select(is_zero, const(type_, -1), quotient, name="quot"), b.select(is_zero, left, rest, name="rem")


# -------------------------------------------------------------------------------------------- shifts


def shift(b: ir.IRBuilder, op: Literal["<<", ">>"], value: ir.Value, count: ir.Value, signed: bool) -> ir.Value:
    """value << count or value >> count (`op`); a count of the width or more gives 0, or the sign for a signed `>>`.

    `count` has the type of `value` and is taken as unsigned, so a negative count shifts everything out.
    x86's variable shifts do just that: LLVM folds the comparison away.
    """
    type_ = value.type
    width = bits_of(type_)
    if width == wide_integers.BITS and constant_of(count) is None:
        return wide_integers.shift(b, op, value, count, signed)
    if op == ">>" and signed:
        return b.ashr(value, intrinsic(b, "llvm.umin", count, const(type_, width - 1)), name="shr")
    known = constant_of(count)
    if known is not None:
        if known >= width:
            return const(type_, 0)
        return b.shl(value, count, name="shl") if op == "<<" else b.lshr(value, count, name="shr")
    # A shift by the width or more is poison in LLVM, and so must not be the operand of anything but this select.
    shifted = b.shl(value, count) if op == "<<" else b.lshr(value, count)
    in_range = b.icmp_unsigned("<", count, const(type_, width))
    return b.select(in_range, shifted, const(type_, 0), name="shl" if op == "<<" else "shr")


# --------------------------------------------------------------------------------------- conversions


def convert(b: ir.IRBuilder, value: ir.Value, source: Scalar, to: Scalar, target: Target) -> ir.Value:
    """Convert between any two of `bool`, the integers, `float` and `double`, as a cast does on the GPU.

    To `bool` is `!= 0`. Floating to integer truncates; out of range it saturates, and NaN gives 0
    (0x8000000000000000 for 64 bits). To 8 or 16 bits it goes through 32, as nvcc's code does.
    """
    if source == to:
        return value
    if is_short_float(source):
        return convert(b, short_floats.widened(b, value, source), FLOAT, to, target)
    if is_short_float(to):
        if source.bits == wide_integers.BITS:
            return short_floats.narrowed(b, wide_integers.to_float(b, value, source.signed, F64, odd=True), to)
        wide = source if source.kind == "float" else DOUBLE
        return short_floats.narrowed(b, convert(b, _to_odd(b, value, source), source, wide, target), to)
    result = like(value.type, element_type(to))
    if to.kind == "bool":
        zero = const(value.type, 0)
        if source.kind == "float":
            return b.fcmp_unordered("!=", value, zero, name="bool")
        if source.bits == wide_integers.BITS:
            return wide_integers.compare(b, "!=", value, zero, signed=False)
        return value if source.kind == "bool" else b.icmp_unsigned("!=", value, zero, name="bool")
    if to.kind == "float":
        if source.kind == "float":
            if source.bits == to.bits:
                return value
            return b.fpext(value, result) if to.bits > source.bits else b.fptrunc(value, result)
        if source.bits == wide_integers.BITS:
            return wide_integers.to_float(b, value, source.signed, element_type(to))
        return b.sitofp(value, result) if source.signed and source.kind == "int" else b.uitofp(value, result)
    if source.kind == "float" and to.bits == wide_integers.BITS:
        return wide_integers.from_float(b, value, to)
    if source.kind == "float":
        if to.bits < 32:
            return b.trunc(to_integer(b, value, INT if to.signed else UINT, target), result)
        return to_integer(b, value, to, target)
    source_bits = bits_of(value.type)
    if to.bits == source_bits:
        return value
    if to.bits < source_bits:
        return b.trunc(value, result)
    return b.sext(value, result) if source.signed and source.kind == "int" else b.zext(value, result)


def _to_odd(b: ir.IRBuilder, value: ir.Value, source: Scalar) -> ir.Value:
    """Return a number that a double can hold, and that a short float rounds to the same as `value`."""
    return wide_integers.to_odd(b, value, source.signed) if source.kind == "int" and source.bits == 64 else value


def to_float_toward(
    b: ir.IRBuilder, value: ir.Value, source: Scalar, result: Scalar, direction: Literal["rz", "rd", "ru"]
) -> ir.Value:
    """Convert an integer to a floating type, or a double to float, rounding in one direction."""
    target = like(value.type, element_type(result))
    if source.kind == "float":
        return _narrowed_toward(b, value, target, direction)
    type_ = value.type
    width = bits_of(type_)
    size = intrinsic(b, "llvm.abs", value, const(ir.IntType(1), 0)) if source.signed else value
    # Clear what does not fit the bits of a significand: all below a bit of the number shifted to the top.
    leading = intrinsic(b, "llvm.ctlz", size, const(ir.IntType(1), 0))
    keep = const(type_, ~0 << (width - (24 if result.bits == 32 else 53)))
    kept = b.and_(size, shift(b, ">>", keep, leading, signed=False))
    magnitude = b.uitofp(kept, target)
    negative = b.icmp_signed("<", value, const(type_, 0)) if source.signed else None
    if direction == "ru" or (direction == "rd" and negative is not None):  # away from zero on one side
        away = b.icmp_unsigned("!=", kept, size)
        if negative is not None:
            away = b.and_(away, negative if direction == "rd" else b.not_(negative))
        bits = b.bitcast(magnitude, like(target, ir.IntType(result.bits)))
        magnitude = b.bitcast(b.add(bits, b.zext(away, bits.type)), target)
    return magnitude if negative is None else b.select(negative, b.fneg(magnitude), magnitude)


def _narrowed_toward(b: ir.IRBuilder, value: ir.Value, target: ir.Type, direction: str) -> ir.Value:
    """Round to the nearest float, and on to the next one if that lies on the wrong side."""
    nearest = b.fptrunc(value, target)
    found, bits = b.fpext(nearest, value.type), b.bitcast(nearest, like(target, I32))
    if direction == "rz":
        found, value = (intrinsic(b, "llvm.fabs", number) for number in (found, value))
        return b.bitcast(b.sub(bits, b.zext(b.fcmp_ordered(">", found, value), bits.type)), target)
    wrong = b.fcmp_ordered("<" if direction == "ru" else ">", found, value)
    negative = b.icmp_signed("<", bits, const(bits.type, 0))
    grows = negative if direction == "rd" else b.not_(negative)
    step = b.select(grows, const(bits.type, 1), const(bits.type, -1))
    return b.bitcast(b.add(bits, b.select(wrong, step, const(bits.type, 0))), target)


# ------------------------------------------------------------------------------- bits and small sums


def multiply_high(b: ir.IRBuilder, x: ir.Value, y: ir.Value, signed: bool) -> ir.Value:
    """Return the upper half of the product, for 32 and 64 bits."""
    type_ = x.type
    width = bits_of(type_)
    if width == 64 and lanes(x):
        return _multiply_high_64(b, x, y, signed)
    wide = like(type_, ir.IntType(2 * width))
    extend = b.sext if signed else b.zext
    product = b.mul(extend(x, wide), extend(y, wide))
    return b.trunc(b.lshr(product, const(wide, width)), type_, name="mulhi")


def _multiply_high_64(b: ir.IRBuilder, x: ir.Value, y: ir.Value, signed: bool) -> ir.Value:
    """From four 32 x 32 -> 64 products, the one that vectors have."""
    type_ = x.type
    low, half = const(type_, 0xFFFFFFFF), const(type_, 32)
    x_low, x_high = b.and_(x, low), b.lshr(x, half)
    y_low, y_high = b.and_(y, low), b.lshr(y, half)
    middle = b.add(b.mul(x_high, y_low), b.lshr(b.mul(x_low, y_low), half))
    other = b.add(b.mul(x_low, y_high), b.and_(middle, low))
    high = b.add(b.add(b.mul(x_high, y_high), b.lshr(middle, half)), b.lshr(other, half))
    if signed:  # a negative factor means itself plus 2^64
        sign = const(type_, 63)
        high = b.sub(high, b.and_(b.ashr(x, sign), y))
        high = b.sub(high, b.and_(b.ashr(y, sign), x))
    return high


def _low_24(b: ir.IRBuilder, x: ir.Value, signed: bool) -> ir.Value:
    if not signed:
        return b.and_(x, const(x.type, 0xFFFFFF))
    return b.ashr(b.shl(x, const(x.type, 8)), const(x.type, 8))


def _byte_perm(b: ir.IRBuilder, x: ir.Value, y: ir.Value, selector: ir.Value) -> ir.Value:
    """Byte i of the result is byte s_i of the eight in y:x, s_i being the low 3 bits of selector nibble i."""
    type_, wide = x.type, like(x.type, I64)
    source = b.or_(b.zext(x, wide), b.shl(b.zext(y, wide), const(wide, 32)))
    result: ir.Value = const(type_, 0)
    for i in range(4):
        nibble = b.and_(b.lshr(selector, const(type_, 4 * i)), const(type_, 7))
        distance = b.zext(b.shl(nibble, const(type_, 3)), wide)
        byte = b.and_(b.trunc(b.lshr(source, distance), type_), const(type_, 0xFF))
        result = b.or_(result, b.shl(byte, const(type_, 8 * i)))
    return result


def _dp4a(b: ir.IRBuilder, x: ir.Value, y: ir.Value, total: ir.Value, signed: bool) -> ir.Value:
    """total plus the sum of the products of the four bytes of x and y."""
    type_ = x.type
    for i in range(4):
        factors = []
        for word in (x, y):
            top = b.shl(word, const(type_, 24 - 8 * i))
            factors.append((b.ashr if signed else b.lshr)(top, const(type_, 24)))
        total = b.add(total, b.mul(factors[0], factors[1]))
    return total


INTEGER_OPS = frozenset(
    "clz popc ffs brev byte_perm mulhi mul24 sad hadd rhadd funnelshift_l funnelshift_r funnelshift_lc funnelshift_rc "
    "dp4a min max abs".split()
)


def integer_op(b: ir.IRBuilder, op: str, types: tuple[Scalar, ...], args: list[ir.Value]) -> ir.Value:
    """Emit one of CUDA's integer built-ins (`INTEGER_OPS`); `types` are the C types of `args`."""
    type_ = args[0].type
    width, signed = types[0].bits, types[0].signed
    x, y, z = (*args, args[0], args[0])[:3]  # what `op` does not take, it does not use
    int_type = like(type_, I32)
    not_poison = const(ir.IntType(1), 0)
    match op:
        case "clz":
            return _resize(b, intrinsic(b, "llvm.ctlz", x, not_poison), int_type)
        case "popc":
            return _resize(b, intrinsic(b, "llvm.ctpop", x), int_type)
        case "ffs":  # the lowest bit alone; no bit has `width` leading zeros
            lowest = b.and_(x, b.sub(const(type_, 0), x))
            leading = intrinsic(b, "llvm.ctlz", lowest, not_poison)
            return _resize(b, b.sub(const(type_, width), leading), int_type)
        case "brev":
            return intrinsic(b, "llvm.bitreverse", x)
        case "byte_perm":
            return _byte_perm(b, x, y, z)
        case "mulhi":
            return multiply_high(b, x, y, signed)
        case "mul24":
            return b.mul(_low_24(b, x, signed), _low_24(b, y, signed))
        case "sad":
            larger, smaller = _extreme(b, "max", x, y, signed), _extreme(b, "min", x, y, signed)
            return b.add(b.sub(larger, smaller), z)
        case "hadd":
            differing = b.xor(x, y)
            half = (b.ashr if signed else b.lshr)(differing, const(type_, 1))
            return b.add(b.and_(x, y), half)
        case "rhadd":
            differing = b.xor(x, y)
            half = (b.ashr if signed else b.lshr)(differing, const(type_, 1))
            return b.sub(b.or_(x, y), half)
        case "funnelshift_l":  # of high:low, given as (low, high, count modulo 32)
            return intrinsic(b, "llvm.fshl", y, x, z)
        case "funnelshift_r":
            return intrinsic(b, "llvm.fshr", y, x, z)
        case "funnelshift_lc":  # the count is clamped to 32
            return b.select(b.icmp_unsigned("<", z, const(type_, 32)), intrinsic(b, "llvm.fshl", y, x, z), x)
        case "funnelshift_rc":
            return b.select(b.icmp_unsigned("<", z, const(type_, 32)), intrinsic(b, "llvm.fshr", y, x, z), y)
        case "dp4a":
            return _dp4a(b, x, y, z, signed)
        case "min":
            return _extreme(b, "min", x, y, signed)
        case "max":
            return _extreme(b, "max", x, y, signed)
        case "abs":
            return intrinsic(b, "llvm.abs", x, not_poison)
    raise AssertionError(f"no integer operation {op!r}")


def _extreme(b: ir.IRBuilder, op: Literal["min", "max"], x: ir.Value, y: ir.Value, signed: bool) -> ir.Value:
    return intrinsic(b, f"llvm.{'s' if signed else 'u'}{op}", x, y)


def _resize(b: ir.IRBuilder, value: ir.Value, to: ir.Type) -> ir.Value:
    """Return a bit count as `int`; the value fits."""
    return value if value.type == to else b.trunc(value, to)


CONVERSION_OPS = frozenset(
    "bitcast double2hiint double2loint hiloint2double to_int_rn to_int_rz to_int_rd to_int_ru to_float_rn to_float_rz "
    "to_float_rd to_float_ru "
    "to_short_rz to_short_rd to_short_ru lrint lround".split()
)


_TOWARD: dict[str, Literal["rz", "rd", "ru"]] = {
    "to_short_rz": "rz", "to_short_rd": "rd", "to_short_ru": "ru",
    "to_float_rz": "rz", "to_float_rd": "rd", "to_float_ru": "ru",
}  # fmt: skip


def conversion_op(
    b: ir.IRBuilder, op: str, types: tuple[Scalar, ...], result: Scalar, args: list[ir.Value], target: Target
) -> ir.Value:
    """Emit a bit cast or a conversion with a rounding mode (`CONVERSION_OPS`)."""
    x, source = args[0], types[0]
    if op.startswith("to_int") and is_short_float(source):
        x, source = convert(b, x, source, FLOAT, target), FLOAT
    match op:
        case "bitcast":
            return b.bitcast(x, like(x.type, element_type(result)))
        case "double2hiint" | "double2loint":
            bits = b.bitcast(x, like(x.type, I64))
            if op == "double2hiint":
                bits = b.lshr(bits, const(bits.type, 32))
            return b.trunc(bits, like(x.type, I32))
        case "hiloint2double":
            wide = like(x.type, I64)
            high = b.shl(b.zext(x, wide), const(wide, 32))
            return b.bitcast(b.or_(high, b.zext(args[1], wide)), like(x.type, F64))
        case "to_int_rn":
            return to_integer(b, x, result, target, "rn")
        case "to_int_rz":
            return to_integer(b, x, result, target, "rz")
        case "to_int_rd":
            return to_integer(b, x, result, target, "rd")
        case "to_int_ru":
            return to_integer(b, x, result, target, "ru")
        case "lrint":
            return to_integer(b, x, result, target, "rn")
        case "lround":
            return to_integer(b, intrinsic(b, "llvm.round", x), result, target)
        case "to_float_rn":
            return convert(b, x, source, result, target)
        case "to_float_rz" | "to_float_rd" | "to_float_ru":
            return to_float_toward(b, x, source, result, _TOWARD[op])
        case "to_short_rz" | "to_short_rd" | "to_short_ru":
            number = convert(b, _to_odd(b, x, source), source, DOUBLE, target)
            return short_floats.toward(b, number, result, _TOWARD[op])
    raise AssertionError(f"no conversion {op!r}")
