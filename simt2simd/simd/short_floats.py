"""`__half` and `__nv_bfloat16`: sixteen bits in memory and in registers, computed with as `float`.

Conversions round once, to the nearest and ties to even. The CPU converts between half and float; what comes from double
is first rounded to float so that its last bit records lost bits ("round to odd"): the second rounding is right then.
"""

from __future__ import annotations

from typing import Literal

from llvmlite import ir

from ..lang.ctype import HALF, Scalar
from .builder import F32, F64, I16, I32, I64, const, element, intrinsic, with_element

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


def toward(b: ir.IRBuilder, value: ir.Value, to: Scalar, mode: Literal["rz", "rd", "ru"]) -> ir.Value:
    """Return the bits of double numbers rounded to zero, down or up: to the nearest, and on from there if need be."""
    bits = narrowed(b, value, to)
    near = b.fpext(widened(b, bits, to), value.type)
    if mode == "rz":
        larger = b.fcmp_ordered(">", intrinsic(b, "llvm.fabs", near), intrinsic(b, "llvm.fabs", value))
        return b.sub(bits, b.zext(larger, bits.type))
    wrong = b.fcmp_ordered(">" if mode == "rd" else "<", near, value)
    zero, one, minus_one = (const(bits.type, number) for number in (0, 1, -1))
    steps = (minus_one, one) if mode == "rd" else (one, minus_one)
    onward = b.add(bits, b.select(b.icmp_signed(">=", bits, zero), *steps))
    is_zero = b.icmp_unsigned("==", b.shl(bits, one), zero)
    least = const(bits.type, 0x8001 if mode == "rd" else 1)
    return b.select(wrong, b.select(is_zero, least, onward), bits)


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
