"""Integers of 128 bits (`__int128`): what LLVM would call functions of the compiler's library for, lane by lane.

Division is the runtime's, for all lanes at once. Conversions from and to floating types work on the two halves, which
are vectors of 64 bits, and round once. Nothing here traps or gives poison, whatever a lane holds.
"""

from __future__ import annotations

from llvmlite import ir

from ..lang.ctype import Scalar
from .builder import F32, F64, I32, I64, const, constant_of, declare, element, intrinsic, known_function, lanes, splat
from .builder import with_element as like

I128 = ir.IntType(128)
BITS = 128
_HALF = 64
_PTR = ir.PointerType()


def halves(b: ir.IRBuilder, value: ir.Value) -> tuple[ir.Value, ir.Value]:
    """Return the low and the high 64 bits."""
    half = like(value.type, I64)
    known = constant_of(value)
    if known is not None:
        return const(half, known), const(half, known >> _HALF)
    if isinstance(value, ir.Instruction) and value.opname in ("zext", "sext") and value.operands[0].type == half:
        low = value.operands[0]
        return low, const(half, 0) if value.opname == "zext" else b.ashr(low, const(half, _HALF - 1))
    return b.trunc(value, half), b.trunc(b.lshr(value, const(value.type, _HALF)), half)


def joined(b: ir.IRBuilder, low: ir.Value, high: ir.Value) -> ir.Value:
    """Return the number with these halves."""
    wide = like(low.type, I128)
    return b.or_(b.zext(low, wide), b.shl(b.zext(high, wide), const(wide, _HALF)))


def compare(b: ir.IRBuilder, op: str, left: ir.Value, right: ir.Value, signed: bool) -> ir.Value:
    """left `op` right, of C's comparisons: by halves, since LLVM takes the lanes one by one, and long to do so."""
    if op in (">", "<="):
        left, right, op = right, left, {">": "<", "<=": ">="}[op]
    (low, high), (other_low, other_high) = halves(b, left), halves(b, right)
    same = b.icmp_unsigned("==", high, other_high)
    if op in ("==", "!="):
        equal = b.and_(same, b.icmp_unsigned("==", low, other_low))
        return equal if op == "==" else b.not_(equal)
    below = (b.icmp_signed if signed else b.icmp_unsigned)("<", high, other_high)
    less = b.or_(below, b.and_(same, b.icmp_unsigned("<", low, other_low)))
    return less if op == "<" else b.not_(less)


def shift(b: ir.IRBuilder, op: str, value: ir.Value, count: ir.Value, signed: bool) -> ir.Value:
    """value << count or value >> count; a count of the width or more gives 0, or the sign for a signed `>>`."""
    low, high = halves(b, count)
    type_, none = value.type, const(low.type, 0)
    in_range = b.and_(b.icmp_unsigned("==", high, none), b.icmp_unsigned("<", low, const(low.type, BITS)))
    within = b.zext(b.and_(low, const(low.type, BITS - 1)), type_)
    beyond: ir.Value = const(type_, 0)
    if op == "<<":
        shifted = b.shl(value, within)
    elif signed:
        shifted, beyond = b.ashr(value, within), b.ashr(value, const(type_, BITS - 1))
    else:
        shifted = b.lshr(value, within)
    return shifted if constant_of(in_range) == 1 else b.select(in_range, shifted, beyond, name="shifted")


# ------------------------------------------------------------------------------------------- division


def divide(b: ir.IRBuilder, left: ir.Value, right: ir.Value, signed: bool, remainder: bool = False) -> ir.Value:
    """left / right or left % right, truncated: x / 0 is all ones, x % 0 is x. `right` may be a scalar."""
    known = constant_of(right)
    if known and not signed and known & (known - 1) == 0:
        if remainder:
            return b.and_(left, const(left.type, known - 1), name="rem")
        return b.lshr(left, const(left.type, known.bit_length() - 1), name="quot")
    if lanes(left) and not lanes(right):
        right = splat(b, right, lanes(left))
    return b.call(_division(b.module, left.type, signed, remainder), [left, right])


def _division(module: ir.Module, type_: ir.Type, signed: bool, remainder: bool) -> ir.Function:
    """Return the function that puts the operands into memory, where the runtime divides them."""
    count = type_.count if isinstance(type_, ir.VectorType) else 1
    name = f"s2s.{'rem' if remainder else 'quot'}.{'s' if signed else 'u'}128.{count}"
    known = known_function(module, name)
    if known is not None:
        return known
    function = ir.Function(module, ir.FunctionType(type_, [type_, type_]), name)
    function.linkage = "internal"
    function.attributes.add("nounwind")
    function.attributes.add("noinline")
    b = ir.IRBuilder(function.append_basic_block("entry"))
    places = [b.alloca(type_) for _ in range(3)]
    for place in places:
        place.type = _PTR
    for operand, place in zip(function.args, places, strict=False):
        b.store(operand, place)
    called = declare(module, "s2s_divide_wide", ir.VoidType(), [_PTR, _PTR, _PTR, I32, I32, I32])
    b.call(called, [*places, const(I32, count), const(I32, int(signed)), const(I32, int(remainder))])
    b.ret(b.load(places[2], typ=type_))
    return function


# ----------------------------------------------------------------------------------------- conversions


def to_float(b: ir.IRBuilder, value: ir.Value, signed: bool, real: ir.Type, odd: bool = False) -> ir.Value:
    """Convert to float or double, rounding once. `odd`: to the double that a short float rounds to the same.

    The 64 bits from the leading one on, with a sticky 1 for those below, round as the whole number does.
    """
    is_negative = compare(b, "<", value, const(value.type, 0), signed) if signed else None
    if is_negative is not None:
        value = b.select(is_negative, b.neg(value), value)
    low, high = halves(b, value)
    none = const(high.type, 0)
    leading = intrinsic(b, "llvm.ctlz", high, const(ir.IntType(1), 0))
    is_short = b.icmp_unsigned("==", high, none)
    count = b.and_(leading, const(high.type, _HALF - 1))
    top = intrinsic(b, "llvm.fshl", high, low, count)
    sticky = b.icmp_unsigned("!=", b.shl(low, count), none)
    bits = b.select(is_short, low, b.or_(top, b.zext(sticky, high.type)))
    if odd:
        bits = to_odd(b, bits, signed=False)
    exponent = b.select(is_short, none, b.sub(const(high.type, _HALF), leading))
    bias, fraction, held = (127, 23, I32) if real == F32 else (1023, 52, I64)
    power = b.add(exponent, const(exponent.type, bias))
    power = b.trunc(power, like(power.type, held)) if held != I64 else power
    scale = b.bitcast(b.shl(power, const(power.type, fraction)), like(power.type, real))
    number = b.fmul(b.uitofp(bits, scale.type), scale)
    return number if is_negative is None else b.select(is_negative, b.fneg(number), number)


def to_odd(b: ir.IRBuilder, bits: ir.Value, signed: bool) -> ir.Value:
    """Return an integer of 64 bits that a double can hold, and that a short float rounds to the same.

    Where the upper half is in use, a 1 replaces what the lowest 16 bits hold.
    """
    type_, low, zero = bits.type, const(bits.type, 0xFFFF), const(bits.type, 0)
    odd = b.or_(b.and_(bits, b.not_(low)), const(type_, 0x10000))
    exact = b.icmp_unsigned("==", b.and_(bits, low), zero)
    size = intrinsic(b, "llvm.abs", bits, const(ir.IntType(1), 0)) if signed else bits
    small = b.icmp_unsigned("==", b.lshr(size, const(type_, 32)), zero)
    return b.select(b.or_(exact, small), bits, odd)


def from_float(b: ir.IRBuilder, value: ir.Value, to: Scalar) -> ir.Value:
    """Convert float or double, truncating; what is out of range saturates, and NaN gives 0."""
    value = b.fpext(value, like(value.type, F64)) if element(value.type) == F32 else value
    type_, result = value.type, like(value.type, I128)
    limit = 2.0 ** (BITS - 1 if to.signed else BITS)
    is_negative = b.fcmp_ordered("<", value, const(type_, 0.0))
    is_large = b.fcmp_ordered(">=", value, const(type_, limit))
    least = const(type_, -limit if to.signed else -1.0)
    above = b.fcmp_ordered(">=" if to.signed else ">", value, least)
    fits = b.and_(above, b.fcmp_ordered("<", value, const(type_, limit)))
    size = intrinsic(b, "llvm.trunc", intrinsic(b, "llvm.fabs", b.select(fits, value, const(type_, 0.0))))
    unit = 2.0**_HALF
    high = intrinsic(b, "llvm.floor", b.fmul(size, const(type_, 1 / unit)))
    low = b.fsub(size, b.fmul(high, const(type_, unit)))
    whole = joined(b, *(b.fptoui(part, like(type_, I64)) for part in (low, high)))
    most = (1 << (BITS - 1 if to.signed else BITS)) - 1
    if not to.signed:
        return b.select(is_large, const(result, most), whole, name="int")
    whole = b.select(is_negative, b.neg(whole), whole)
    whole = b.select(b.fcmp_ordered("<", value, least), const(result, -1 << (BITS - 1)), whole)
    return b.select(is_large, const(result, most), whole, name="int")
