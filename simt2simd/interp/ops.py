"""What each operator and each built-in function computes, on Python values.

Integers are Python integers within the range of their C type; both floating types are Python floats, and
a `float` is rounded to single precision after every operation; pointers are addresses. `bool` is a bool.
The payload of a NaN is not kept.
"""

from __future__ import annotations

import ctypes
import math
import struct
from collections.abc import Callable
from typing import Any

from ..lang.builtins import Builtin
from ..lang.ctype import BFLOAT16, FLOAT, HALF, CType, Pointer, Scalar, is_float, is_short_float, leaves
from ..lang.numbers import QUIET_COMPARISONS, bf16, classify, decoded, encoded, f16, f32, rounded_integer
from .directed_rounding import DIRECTED
from .math import MATH, divide
from .packed import packed_operation

Operation = Callable[..., Any]


def round_for(ctype: CType) -> Callable[[float], float]:
    """Return the function that rounds a double to the floating type `ctype`."""
    assert isinstance(ctype, Scalar)
    return {HALF: f16, BFLOAT16: bf16, FLOAT: f32}.get(ctype, float)


# ------------------------------------------------------------------------------------------- integers


def limits(ctype: CType) -> tuple[int, int]:
    """Return the least and the greatest value of an integer, bool or pointer type."""
    if isinstance(ctype, Pointer):
        return 0, (1 << 64) - 1
    assert isinstance(ctype, Scalar)
    if ctype.kind == "bool":
        return 0, 1
    if ctype.signed:
        return -(1 << (ctype.bits - 1)), (1 << (ctype.bits - 1)) - 1
    return 0, (1 << ctype.bits) - 1


def wrap(value: int, bits: int, signed: bool) -> int:
    """Return the value of the type with these bits that is congruent to `value` modulo 2^bits."""
    value &= (1 << bits) - 1
    return value - (1 << bits) if signed and value >> (bits - 1) else value


def quotient(left: int, right: int, bits: int, signed: bool) -> int:
    """Divide as C's `/`; division by zero gives all ones, the least value divided by -1 gives itself."""
    if right == 0:
        return -1 if signed else (1 << bits) - 1
    magnitude = abs(left) // abs(right)
    return wrap(magnitude if (left < 0) == (right < 0) else -magnitude, bits, signed)


def modulo(left: int, right: int, bits: int, signed: bool) -> int:
    """Return C's `%`: `left - left / right * right`; the remainder by zero is the dividend."""
    if right == 0:
        return left
    rest = abs(left) % abs(right)
    return -rest if left < 0 else rest


def shift_left(value: int, count: int, bits: int, signed: bool) -> int:
    return wrap(value << count, bits, signed) if 0 <= count < bits else 0


def shift_right(value: int, count: int, bits: int) -> int:
    """Shift; `count` is unsigned, so a negative one counts as huge: only the sign is left."""
    if 0 <= count < bits:
        return value >> count
    return -1 if value < 0 else 0


# --------------------------------------------------------------------------------------------- floats


def divide_single(left: float, right: float) -> float:
    """Return the quotient of two singles. Rounding it twice, to double and to single, is exact (53 >= 2 * 24 + 2)."""
    return f32(divide(left, right))


def to_integer(value: float, low: int, high: int, nan: int, rounding: Callable[[float], int] = math.trunc) -> int:
    """Round, and saturate what is out of range."""
    if value != value:
        return nan
    if value <= low:
        return low
    return min(high, rounding(value)) if value < high else high


def float_to_integer(target: Scalar, rounding: Callable[[float], int] = math.trunc) -> Operation:
    """Return the conversion from a floating type to `target`.

    As PTX's `cvt`, it knows 32 and 64 bits: saturated; NaN gives 0, for 64 bits 0x8000000000000000. 128 bits likewise.
    A narrower type takes the low bits of the 32-bit result, as nvcc has it.
    """
    saturating = saturating_integer(Scalar("", "int", max(32, target.bits), target.signed), rounding)
    if target.bits >= 32:
        return saturating
    return lambda value: wrap(saturating(value), target.bits, target.signed)


def saturating_integer(target: Scalar, rounding: Callable[[float], int]) -> Operation:
    """Return the conversion from a floating type to `target` that saturates, whatever its width."""
    low, high = limits(target)
    nan = 0 if target.bits != 64 else low if target.signed else 1 << 63
    return lambda value: to_integer(value, low, high, nan, rounding)


def integer_to_single(value: int) -> float:
    """Round an integer to single precision, once."""
    return rounded_integer(value, FLOAT)


def convert(source: CType, target: CType) -> Operation | None:
    """Return the conversion of a value of type `source` to type `target`; None where the value stays."""
    if target == source or (is_float(source) and is_float(target) and target.size > source.size):
        return None
    assert isinstance(target, Scalar | Pointer)
    if isinstance(target, Scalar) and target.kind == "bool":
        return lambda value: value != 0
    if is_float(target):
        if is_float(source) or target.size == 2:
            return round_for(target)
        return float if target.size >= 8 else integer_to_single if source.size >= 8 else f32
    if is_float(source):
        assert isinstance(target, Scalar)
        return float_to_integer(target)
    low, high = limits(target)
    source_low, source_high = limits(source)
    if low <= source_low and source_high <= high:
        return None
    bits, signed = target.size * 8, isinstance(target, Scalar) and target.signed
    return lambda value: wrap(value, bits, signed)


# ------------------------------------------------------------------------------------ built-in functions


def builtin_operation(builtin: Builtin) -> Operation:
    """Return what `builtin` computes.

    An operation with pointer parameters returns a tuple: its result, then what to store through each pointer, in
    order. An atomic one takes the old value in place of the pointer and returns the new one. The operations that are
    not computations ("barrier", "fence") are not here. Raises `KeyError` for them and for anything unknown.
    """
    if builtin.op in MATH:
        return _math_operation(builtin)
    if builtin.atomic:
        return _atomic_operation(builtin)
    if builtin.op.startswith("packed_"):
        return _packed(builtin)
    if builtin.op in _BY_TYPE:
        return _BY_TYPE[builtin.op](builtin)
    return _PLAIN[builtin.op]


def _math_operation(builtin: Builtin) -> Operation:
    """Compute in double precision, then round to the result's type."""
    double = MATH[builtin.op]
    stored = [param.target for param in builtin.params if isinstance(param, Pointer)]
    if stored:
        kinds = [builtin.result, *stored]
        rounders = [round_for(kind) if is_float(kind) else (lambda value: value) for kind in kinds]
        return lambda *args: tuple(r(value) for r, value in zip(rounders, double(*args), strict=True))
    if is_float(builtin.result) and builtin.result.size == 4:
        return lambda *args: f32(double(*args))
    return double


def _atomic_operation(builtin: Builtin) -> Operation:
    ctype = builtin.result
    assert isinstance(ctype, Scalar)
    if is_float(ctype):
        rounded = round_for(ctype)
        return {"atomic_add": lambda old, value: rounded(old + value), "atomic_exch": lambda old, value: value}[
            builtin.op
        ]
    bits, signed = ctype.bits, ctype.signed
    operations: dict[str, Operation] = {
        "atomic_add": lambda old, value: wrap(old + value, bits, signed),
        "atomic_sub": lambda old, value: wrap(old - value, bits, signed),
        "atomic_exch": lambda old, value: value,
        "atomic_min": min,
        "atomic_max": max,
        "atomic_inc": lambda old, limit: 0 if old >= limit else old + 1,
        "atomic_dec": lambda old, limit: limit if old == 0 or old > limit else old - 1,
        "atomic_cas": lambda old, compare, value: value if old == compare else old,
        "atomic_and": lambda old, value: old & value,
        "atomic_or": lambda old, value: old | value,
        "atomic_xor": lambda old, value: old ^ value,
    }
    return operations[builtin.op]


def _packed(builtin: Builtin) -> Operation:
    result, operation = builtin.result, packed_operation(builtin.op)
    assert isinstance(result, Scalar)
    return lambda *words: wrap(operation(*words), result.bits, result.signed)


def _nextafter(builtin: Builtin) -> Operation:
    if builtin.result.size == 8:
        return math.nextafter
    return lambda x, y: f32(y) if x == y or x != x or y != y else _next_single(x, y)


def _next_single(x: float, y: float) -> float:
    if x == 0.0:
        return math.copysign(2.0**-149, y)
    bits = struct.unpack("<i", struct.pack("<f", x))[0]
    bits += 1 if (y > x) == (x > 0) else -1
    return float(struct.unpack("<f", struct.pack("<i", bits))[0])


_libm = ctypes.CDLL("libm.so.6")


def _fma(builtin: Builtin) -> Operation:
    """Return fma by the C library, which rounds once: computing a single-precision fma in double would round twice."""
    function = _libm.fma if builtin.result.size == 8 else _libm.fmaf
    kind = ctypes.c_double if builtin.result.size == 8 else ctypes.c_float
    function.restype, function.argtypes = kind, [kind] * 3
    operation: Operation = function
    return operation


def _round_to_long(rounding: Callable[[float], int]) -> Callable[[Builtin], Operation]:
    def make(builtin: Builtin) -> Operation:
        assert isinstance(builtin.result, Scalar)
        return saturating_integer(builtin.result, rounding)

    return make


def _away_from_zero(value: float) -> int:
    """Round to nearest, ties away from zero."""
    whole = math.trunc(value)
    return whole + int(math.copysign(1.0, value)) if abs(value - whole) >= 0.5 else whole


def _to_float_rn(builtin: Builtin) -> Operation:
    if builtin.result.size == 8:
        return float
    return f32 if is_float(builtin.params[0]) else integer_to_single


def _short_toward(wrong: Callable[[float, float], bool]) -> Callable[[Builtin], Operation]:
    """Return the conversion to a short float that rounds to its nearest, and on from there if that is `wrong`."""

    def make(builtin: Builtin) -> Operation:
        ctype = builtin.result
        assert isinstance(ctype, Scalar)
        rounded = round_for(ctype)

        def convert(value: float) -> float:
            near = rounded(value)
            return next_short(near, ctype, near < value) if wrong(near, value) else near

        return convert

    return make


def next_short(value: float, ctype: Scalar, up: bool) -> float:
    """Return the short float after `value`, or before it."""
    bits = int.from_bytes(encoded(value, ctype), "little")
    if bits & 0x7FFF == 0:
        bits = 1 if up else 0x8001
    else:
        bits += 1 if up == (bits < 0x8000) else -1
    return decoded(bits.to_bytes(2, "little"), ctype)


_LETTERS = {("bool", 1, False): "?", ("int", 1, True): "b", ("int", 1, False): "B", ("int", 2, True): "h",
            ("int", 2, False): "H", ("int", 4, True): "i", ("int", 4, False): "I", ("int", 8, True): "q",
            ("int", 8, False): "Q", ("float", 4, True): "f", ("float", 8, True): "d"}  # fmt: skip


def packer(ctype: CType) -> tuple[Operation, Operation]:
    """Return what makes the bytes of a scalar, and what finds the scalar in them."""
    assert isinstance(ctype, Scalar | Pointer)
    if isinstance(ctype, Scalar) and (is_short_float(ctype) or ctype.bits == 128):
        return lambda value: encoded(value, ctype), lambda content: decoded(content, ctype)
    letter = "Q" if isinstance(ctype, Pointer) else _LETTERS[ctype.kind, ctype.size, ctype.signed]
    form = struct.Struct("<" + letter)
    return form.pack, lambda content: form.unpack(content)[0]


def _bitcast(builtin: Builtin) -> Operation:
    pack, unpack = packer(builtin.params[0])[0], packer(builtin.result)[1]
    return lambda value: unpack(pack(value))


def _make(builtin: Builtin) -> Operation:
    """Return what makes the bytes of a struct from its scalars."""
    result = builtin.result
    offsets = [offset for offset, _ in leaves(result)]
    packers = [packer(leaf)[0] for _, leaf in leaves(result)]

    def make(*parts: Any) -> bytes:
        content = bytearray(result.size)
        for offset, pack, part in zip(offsets, packers, parts, strict=True):
            bits = pack(part)
            content[offset : offset + len(bits)] = bits
        return bytes(content)

    return make


def _arithmetic_rn(function: Operation) -> Callable[[Builtin], Operation]:
    def make(builtin: Builtin) -> Operation:
        rounded = round_for(builtin.result)
        return lambda *args: rounded(function(*args))

    return make


def _integer(function: Callable[[int, bool], Operation]) -> Callable[[Builtin], Operation]:
    """Make an operation from the bits and signedness of the first parameter."""

    def make(builtin: Builtin) -> Operation:
        first = builtin.params[0]
        assert isinstance(first, Scalar)
        return function(first.bits, first.signed)

    return make


def _count_leading_zeros(bits: int, _signed: bool) -> Operation:
    return lambda x: bits - wrap(x, bits, False).bit_length()


def _find_first_set(bits: int, _signed: bool) -> Operation:
    return lambda x: (x & -x).bit_length() if x else 0


def _reverse(bits: int, _signed: bool) -> Operation:
    return lambda x: int(format(x, f"0{bits}b")[::-1], 2)


def _byte_perm(x: int, y: int, selector: int) -> int:
    """Return the bytes of y:x that the nibbles of `selector` pick; a nibble's top bit is ignored."""
    both = (y << 32 | x).to_bytes(8, "little")
    return int.from_bytes(bytes(both[selector >> (4 * i) & 7] for i in range(4)), "little")


def _multiply_24(bits: int, signed: bool) -> Operation:
    return lambda x, y: wrap(wrap(x, 24, signed) * wrap(y, 24, signed), bits, signed)


def _dot_4_bytes(bits: int, signed: bool) -> Operation:
    def lanes(x: int) -> list[int]:
        return [wrap(x >> shift, 8, signed) for shift in (0, 8, 16, 24)]

    return lambda x, y, total: wrap(sum(map(int.__mul__, lanes(x), lanes(y))) + total, bits, signed)


def _funnel_left(low: int, high: int, count: int) -> int:
    """Return the upper half of `high:low` shifted left by up to 32."""
    return ((high << 32 | low) << count) >> 32 & 0xFFFFFFFF


def _funnel_right(low: int, high: int, count: int) -> int:
    return (high << 32 | low) >> count & 0xFFFFFFFF


def _of_class(result: Callable[[int], Any]) -> Callable[[Builtin], Operation]:
    """Return the maker of a function of a number's class, as `fpclassify` says it."""

    def make(builtin: Builtin) -> Operation:
        (ctype,) = builtin.params
        assert isinstance(ctype, Scalar)
        return lambda x: result(classify(x, ctype))

    return make


_BY_TYPE: dict[str, Callable[[Builtin], Operation]] = {
    "nextafter": _nextafter,
    "isnormal": _of_class(lambda kind: kind == 4),
    "fpclassify": _of_class(lambda kind: kind),
    "fma": _fma,
    "lrint": _round_to_long(round),
    "lround": _round_to_long(_away_from_zero),
    "to_int_rn": _round_to_long(round),
    "to_int_rz": _round_to_long(math.trunc),
    "to_int_rd": _round_to_long(math.floor),
    "to_int_ru": _round_to_long(math.ceil),
    "to_float_rn": _to_float_rn,
    **DIRECTED,
    "to_short_rz": _short_toward(lambda near, value: abs(near) > abs(value)),
    "to_short_rd": _short_toward(lambda near, value: near > value),
    "to_short_ru": _short_toward(lambda near, value: near < value),
    "bitcast": _bitcast,
    "make": _make,
    "add_rn": _arithmetic_rn(lambda x, y: x + y),
    "sub_rn": _arithmetic_rn(lambda x, y: x - y),
    "mul_rn": _arithmetic_rn(lambda x, y: x * y),
    "div_rn": _arithmetic_rn(divide),
    "rcp_rn": _arithmetic_rn(lambda x: divide(1.0, x)),
    "abs": _integer(lambda bits, signed: lambda x: wrap(abs(x), bits, signed)),
    "clz": _integer(_count_leading_zeros),
    "ffs": _integer(_find_first_set),
    "brev": _integer(_reverse),
    "mulhi": _integer(lambda bits, signed: lambda x, y: x * y >> bits),
    "mul24": _integer(_multiply_24),
    "dp4a": _integer(_dot_4_bytes),
}

_PLAIN: dict[str, Operation] = {
    "max": max,
    "min": min,
    "isnan": math.isnan,
    "isinf": math.isinf,
    "isfinite": math.isfinite,
    **QUIET_COMPARISONS,
    "signbit": lambda x: math.copysign(1.0, x) < 0,
    "popc": int.bit_count,
    "byte_perm": _byte_perm,
    "sad": lambda x, y, z: (abs(x - y) + z) & 0xFFFFFFFF,
    "hadd": lambda x, y: (x + y) >> 1,
    "rhadd": lambda x, y: (x + y + 1) >> 1,
    "funnelshift_l": lambda low, high, count: _funnel_left(low, high, count & 31),
    "funnelshift_r": lambda low, high, count: _funnel_right(low, high, count & 31),
    "funnelshift_lc": lambda low, high, count: _funnel_left(low, high, min(count, 32)),
    "funnelshift_rc": lambda low, high, count: _funnel_right(low, high, min(count, 32)),
    "double2hiint": lambda x: struct.unpack("<ii", struct.pack("<d", x))[1],
    "double2loint": lambda x: struct.unpack("<ii", struct.pack("<d", x))[0],
    "hiloint2double": lambda high, low: struct.unpack("<d", struct.pack("<ii", low, high))[0],
}
