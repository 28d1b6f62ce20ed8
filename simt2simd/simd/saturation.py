"""Floating numbers made whole: conversions to integers that saturate, as those of the GPU do."""

from __future__ import annotations

from typing import get_args

from llvmlite import ir

from ..lang.ctype import Scalar
from ..target import Target
from .builder import F64, const, element, element_type, intrinsic, lanes
from .builder import with_element as like
from .float_range import range_of
from .instructions import Rounding, instructions

_FUNCTIONS: dict[Rounding, str] = {"rn": "llvm.rint", "rz": "llvm.trunc", "rd": "llvm.floor", "ru": "llvm.ceil"}
assert set(_FUNCTIONS) == set(get_args(Rounding))


def to_integer(b: ir.IRBuilder, value: ir.Value, to: Scalar, target: Target, rounding: Rounding = "rz") -> ir.Value:
    """Convert floating `value` to a C integer type, saturating; NaN gives 0, and 0x8000000000000000 for 64 bits."""
    low, high = (-(2.0 ** (to.bits - 1)), 2.0 ** (to.bits - 1)) if to.signed else (-1.0, 2.0**to.bits)
    fits, rounded = rounding == "rz" and range_of(value).inside(low, high), value
    if rounding == "rz":
        value, rounding = _before_rounding(value)
    if lanes(value) and target.float_parts and (to.bits == 32 or (to.signed and to.bits == 64)):
        if fits:
            return instructions(target).whole(b, value, element_type(to), to.signed, rounding, target)
        return _by_instruction(b, value, to, target, rounding)
    if fits:
        return (b.fptosi if to.signed else b.fptoui)(rounded, like(value.type, element_type(to)), name="int")
    if rounding != "rz":
        value = intrinsic(b, _FUNCTIONS[rounding], value)
    if lanes(value) and to.signed and to.bits == 32:
        return _by_instruction(b, value, to, target, "rz")
    return _in_range(b, value, to)


def _before_rounding(value: ir.Value) -> tuple[ir.Value, Rounding]:
    """Return what `value` is made from by rounding to a whole number, and how: one instruction rounds and converts."""
    if isinstance(value, ir.Instruction) and value.opname == "call":
        callee, *args = value.operands
        for rounding, function in _FUNCTIONS.items():
            if isinstance(callee, ir.Function) and callee.name.startswith(f"{function}."):
                return args[0], rounding
    return value, "rz"


def _by_instruction(b: ir.IRBuilder, value: ir.Value, to: Scalar, target: Target, rounding: Rounding) -> ir.Value:
    """Convert by the CPU's instruction, and replace what that gives for numbers that do not fit.

    Signed it gives the lowest number, for those below the range rightly so; unsigned the highest, so that only
    what is below 0, and NaN with it, has to become 0 before.
    """
    type_, held = value.type, element_type(to)
    result = like(type_, held)
    if not to.signed:
        zero = const(type_, 0)
        return instructions(target).whole(
            b, b.select(b.fcmp_ordered(">", value, zero), value, zero), held, False, rounding, target
        )
    top = (1 << (to.bits - 1)) - 1
    has_top = element(type_) == F64 and to.bits == 32  # other floating numbers that large are whole, and even
    limit = const(type_, float(top))
    least = b.select(b.fcmp_ordered(">", value, limit), limit, value) if has_top else value
    whole = instructions(target).whole(b, least, held, True, rounding, target)
    if to.bits == 32:
        whole = b.select(b.fcmp_ordered("ord", value, value), whole, const(result, 0), name="int")
    if has_top:
        return whole
    return b.select(b.fcmp_ordered(">=", value, const(type_, float(top + 1))), const(result, top), whole, name="int")


def _in_range(b: ir.IRBuilder, value: ir.Value, to: Scalar) -> ir.Value:
    """Convert by LLVM's conversion, which is poison out of range.

    Its argument is first brought above the lower end, and what lies past the upper end is replaced after it.
    """
    type_, width, signed = value.type, to.bits, to.signed
    result = like(type_, element_type(to))
    low = -(2.0 ** (width - 1)) if signed else 0.0
    high = 2.0 ** (width - 1 if signed else width)  # the first value too large
    above = b.select(b.fcmp_ordered("<", value, const(type_, low)), const(type_, low), value)  # keeps NaN
    whole = (b.fptosi if signed else b.fptoui)(above, result)
    top = (1 << (width - 1 if signed else width)) - 1
    limited = b.select(b.fcmp_ordered(">=", value, const(type_, high)), const(result, top), whole)
    for_nan = 1 << 63 if width == 64 else 0
    return b.select(b.fcmp_unordered("uno", value, value), const(result, for_nan), limited, name="int")
