"""Arithmetic of C's types on Python's numbers: what the checker, the printer and the interpreter agree on."""

from __future__ import annotations

import math
import operator
import struct
from array import array
from collections.abc import Callable

from .ctype import BFLOAT16, DOUBLE, FLOAT, HALF, LONG_DOUBLE, Scalar

_SINGLE = array("f", [0.0])


def f32(value: float) -> float:
    """Round to single precision: to nearest, ties to even; too large becomes infinite."""
    _SINGLE[0] = value
    return _SINGLE[0]


def f16(value: float) -> float:
    """Round to half precision: to nearest, ties to even; too large becomes infinite."""
    try:
        return float(struct.unpack("<e", struct.pack("<e", float(value)))[0])
    except OverflowError:
        return math.copysign(math.inf, value)


def bf16(value: float) -> float:
    """Round to the upper half of a float: to nearest, ties to even."""
    near = f32(value)
    if not math.isfinite(near):
        return near
    bits = int(struct.unpack("<I", struct.pack("<f", near))[0])
    if near != value:  # round to odd: a second rounding then cannot go wrong
        bits = bits - (abs(near) > abs(value)) | 1
    bits = bits + 0x7FFF + (bits >> 16 & 1) & 0xFFFF0000
    return float(struct.unpack("<f", struct.pack("<I", bits))[0])


def round_to(value: float, ctype: Scalar) -> float:
    """Return `value` rounded to `ctype`."""
    if ctype.bits == 16:
        return f16(value) if ctype == HALF else bf16(value)
    return value if ctype.bits == 64 else f32(value)


def rounded_integer(value: int, ctype: Scalar) -> float:
    """Return an integer rounded to a floating type: once, where Python would round it to double first.

    A sticky 1 replaces the bits that do not fit a double: it keeps the number on its side of the midpoint.
    """
    excess = abs(value).bit_length() - 53
    if ctype.bits == 64 or excess <= 0:
        return round_to(float(value), ctype)
    magnitude = abs(value)
    sticky = int(magnitude & ((1 << excess) - 1) != 0)
    return round_to(math.copysign(math.ldexp(float(magnitude >> excess | sticky), excess), value), ctype)


_LAYOUTS = {DOUBLE: "<d", FLOAT: "<f", HALF: "<e", LONG_DOUBLE: "<d8x"}  # as `struct` spells them


def encoded(value: float, ctype: Scalar) -> bytes:
    """Return the bytes of a number that has type `ctype`."""
    if ctype.kind != "float":
        return int(value).to_bytes(ctype.size, "little", signed=ctype.signed)
    if ctype == BFLOAT16:
        return struct.pack("<f", value)[2:]
    return struct.pack(_LAYOUTS[ctype], value)


def decoded(content: bytes, ctype: Scalar) -> float:
    """Return the number of type `ctype` with these bytes; of a bool, an integer."""
    if ctype.kind != "float":
        return int.from_bytes(content, "little", signed=ctype.signed)
    if ctype == BFLOAT16:
        return float(struct.unpack("<f", b"\0\0" + content)[0])
    return float(struct.unpack(_LAYOUTS[ctype], content)[0])


def classify(value: float, ctype: Scalar) -> int:
    """Return what <math.h>'s `fpclassify` says: FP_NAN, FP_INFINITE, FP_ZERO, FP_SUBNORMAL or FP_NORMAL, 0 to 4."""
    if math.isnan(value):
        return 0
    if math.isinf(value):
        return 1
    if value == 0:
        return 2
    return 3 if abs(value) < (2.0**-1022 if ctype.bits == 64 else 2.0**-126) else 4


# <math.h>'s comparisons: false where an operand is NaN.
QUIET_COMPARISONS: dict[str, Callable[[float, float], bool]] = {
    "isgreater": operator.gt,
    "isgreaterequal": operator.ge,
    "isless": operator.lt,
    "islessequal": operator.le,
    "islessgreater": lambda x, y: x < y or x > y,
    "isunordered": lambda x, y: x != x or y != y,
}
