"""Exponents, fractions and estimates by single instructions, for targets that have these (`Target.float_parts`).

Each function means what `simd.instructions.Instructions` says of its namesake.
"""

from __future__ import annotations

import struct
from collections.abc import Sequence

from llvmlite import ir

from ..options import Options
from ..simd.builder import F32, F64, I64, in_parts, lanes, with_element
from ..simd.instructions import instructions
from ..simd.values import I32_LANES
from ..target import LANES, Target
from .num import Num


def has_parts(x: Num, options: Options) -> bool:
    """Return whether the functions below may be used for `x`."""
    return x.is_vector and options.target.float_parts


def scalef(x: Num, power: Num, options: Options) -> Num:
    return Num(x.b, instructions(options.target).scalef(x.b, x.value, power.value))


def getexp(x: Num, options: Options) -> Num:
    return Num(x.b, instructions(options.target).getexp(x.b, x.value))


def getmant(x: Num, options: Options) -> Num:
    return Num(x.b, instructions(options.target).getmant(x.b, x.value))


def significand(x: Num, options: Options) -> Num:
    return Num(x.b, instructions(options.target).significand(x.b, x.value))


def fraction_around_nearest(x: Num, options: Options) -> Num:
    return Num(x.b, instructions(options.target).fraction_around_nearest(x.b, x.value))


def nearer_zero(x: Num, y: Num | float, options: Options) -> Num:
    other = y if isinstance(y, Num) else x.like(y)
    return Num(x.b, instructions(options.target).nearer_zero(x.b, x.value, other.value))


def one_of_32(index: Num, table: Sequence[float], options: Options) -> Num:
    """Read from a table of 32 floats, at the place in the five low bits of an index."""
    b = index.b
    words = [_bits_of_float(number) for number in table]
    registers = [ir.Constant(I32_LANES, words[first : first + LANES]) for first in (0, LANES)]
    found = in_parts(b, LANES, lambda part: instructions(options.target).permute(b, registers, part), index.value)
    return Num(b, b.bitcast(found, with_element(found.type, F32)))


def _bits_of_float(number: float) -> int:
    (bits,) = struct.unpack("<i", struct.pack("<f", number))
    return int(bits)


def fraction_above_floor(x: Num, options: Options) -> Num:
    return Num(x.b, instructions(options.target).fraction_above_floor(x.b, x.value))


def minimum(x: Num, y: Num, options: Options) -> Num:
    """Return the smaller, of two vectors or two scalars."""
    return Num(x.b, instructions(options.target).minimum(x.b, x.value, y.value))


def maximum(x: Num, y: Num, options: Options) -> Num:
    """Return the larger, of two vectors or two scalars."""
    return Num(x.b, instructions(options.target).maximum(x.b, x.value, y.value))


def inverse_estimate(x: Num, options: Options) -> Num:
    return Num(x.b, instructions(options.target).inverse_estimate(x.b, x.value))


def inverse_root_estimate(x: Num, options: Options) -> Num:
    return Num(x.b, instructions(options.target).inverse_root_estimate(x.b, x.value))


def refined(better: Num, estimate: Num, options: Options) -> Num:
    return Num(better.b, instructions(options.target).refined(better.b, better.value, estimate.value))


def lookup(b: ir.IRBuilder, name: str, table: Sequence[float], index: ir.Value, target: Target) -> ir.Value:
    """Read table[index] for an `i32` index, scalar or vector, within the table of doubles; on any target."""
    symbol = f"s2s.table.{name}"
    array = ir.ArrayType(F64, len(table))
    if symbol not in b.module.globals:
        variable = ir.GlobalVariable(b.module, array, symbol)
        variable.linkage, variable.global_constant, variable.align = "internal", True, 64
        variable.initializer = ir.Constant(array, [ir.Constant(F64, number) for number in table])
    base = b.module.globals[symbol]
    if not lanes(index):
        wide = b.zext(index, I64)
        return b.load(b.gep(base, [ir.Constant(I64, 0), wide], source_etype=array), typ=F64)
    return instructions(target).lookup(b, base, index, target)
