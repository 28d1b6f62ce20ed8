"""`__half` and `__nv_bfloat16`: sixteen bits in memory and in registers, computed with as `float`.

Conversions round once, to the nearest and ties to even. The CPU converts between half and float; what comes from double
is first rounded to float so that its last bit tells of lost bits ("round to odd"): the second rounding is right then.
"""

from __future__ import annotations

from llvmlite import ir

from ..lang.ctype import HALF, Scalar
from .builder import F32, F64, I16, I32, I64, const, element, with_element

HALF_TYPE = ir.HalfType()


def widened(b: ir.IRBuilder, bits: ir.Value, source: Scalar) -> ir.Value:
    """Return the numbers as float."""
    single = with_element(bits.type, F32)
    if source == HALF:
        return b.fpext(b.bitcast(bits, with_element(bits.type, HALF_TYPE)), single)
    whole = b.zext(bits, with_element(bits.type, I32))
    return b.bitcast(b.shl(whole, const(whole.type, 16)), single)


def narrowed(b: ir.IRBuilder, value: ir.Value, to: Scalar) -> ir.Value:
    """Return the bits of float or double numbers, rounded."""
    single = _to_odd(b, value) if element(value.type) == F64 else value
    short = with_element(value.type, I16)
    if to == HALF:
        return b.bitcast(b.fptrunc(single, with_element(value.type, HALF_TYPE)), short)
    bits = b.bitcast(single, with_element(value.type, I32))
    last = b.and_(b.lshr(bits, const(bits.type, 16)), const(bits.type, 1))
    rounded = b.lshr(b.add(bits, b.add(last, const(bits.type, 0x7FFF))), const(bits.type, 16))
    quiet = b.or_(b.lshr(bits, const(bits.type, 16)), const(bits.type, 0x40))
    return b.trunc(b.select(b.fcmp_unordered("uno", single, single), quiet, rounded), short)


def _to_odd(b: ir.IRBuilder, value: ir.Value) -> ir.Value:
    """Round double to float: toward zero, with the last bit set where something is lost."""
    single, whole = with_element(value.type, F32), with_element(value.type, I32)
    near = b.fptrunc(value, single)
    back = b.fpext(near, value.type)
    magnitude = with_element(value.type, I64)
    mask = const(magnitude, (1 << 63) - 1)
    larger = b.icmp_unsigned(">", b.and_(b.bitcast(back, magnitude), mask), b.and_(b.bitcast(value, magnitude), mask))
    bits = b.bitcast(near, whole)
    down = b.sub(bits, b.zext(larger, whole))
    odd = b.or_(down, const(whole, 1))
    return b.bitcast(b.select(b.fcmp_ordered("!=", back, value), odd, bits), single)
