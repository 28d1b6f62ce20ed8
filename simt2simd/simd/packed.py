"""CUDA's SIMD functions on two or four small integers in one word: vectors of more and narrower lanes do them at once.

An operation is named `packed_add_u8`: what is done, to parts of which type. Source: CUDA Math API, "SIMD Intrinsics".
"""

from __future__ import annotations

from collections.abc import Sequence

from llvmlite import ir

from .builder import I1, I32, const, intrinsic, lanes, with_element

_COMPARISONS = {"eq": "==", "ne": "!=", "lt": "<", "le": "<=", "gt": ">", "ge": ">="}


def packed_op(b: ir.IRBuilder, op: str, args: Sequence[ir.Value]) -> ir.Value:
    """Emit an operation on words, scalars or vectors of them."""
    _, name, part = op.split("_")
    signed, bits = part[0] == "s", int(part[1:])
    word = args[0].type
    wide = ir.VectorType(ir.IntType(bits), max(1, lanes(args[0])) * (32 // bits))
    parts = [b.bitcast(arg, wide) for arg in args]
    if name == "sad":
        return _sum_of_parts(b, b.bitcast(_larger_less_smaller(b, parts, signed), word), bits)
    return b.bitcast(_on_parts(b, name, parts, signed), word)


def _on_parts(b: ir.IRBuilder, name: str, parts: Sequence[ir.Value], signed: bool) -> ir.Value:
    """Return what an operation makes of vectors of parts."""
    x, y = parts[0], parts[-1 if len(parts) < 3 else 1]
    zero, one = const(x.type, 0), const(x.type, 1)
    letter = "s" if signed else "u"
    if name.endswith("relu"):
        return intrinsic(b, "llvm.smax", _on_parts(b, name.removesuffix("relu"), parts, signed), zero)
    if name[:3] in ("cmp", "set"):
        compare = b.icmp_signed if signed else b.icmp_unsigned
        holds = compare(_COMPARISONS[name[3:]], x, y)
        return b.sext(holds, x.type) if name[:3] == "cmp" else b.zext(holds, x.type)
    match name:
        case "add":
            return b.add(x, y)
        case "sub":
            return b.sub(x, y)
        case "addsat":
            return intrinsic(b, f"llvm.{letter}add.sat", x, y)
        case "subsat":
            return intrinsic(b, f"llvm.{letter}sub.sat", x, y)
        case "neg":
            return b.sub(zero, x)
        case "negsat":
            return intrinsic(b, "llvm.ssub.sat", zero, x)
        case "abs":
            return intrinsic(b, "llvm.abs", x, const(I1, 0))
        case "abssat":
            return intrinsic(b, "llvm.smax", x, intrinsic(b, "llvm.ssub.sat", zero, x))
        case "max" | "min":
            return intrinsic(b, f"llvm.{letter}{name}", x, y)
        case "absdiff":
            return _larger_less_smaller(b, parts, signed)
        case "havg":  # rounded down
            return _half_of_sum(b, x, y, signed)
        case "avg":  # rounded to the nearest, halves away from zero
            down = _half_of_sum(b, x, y, signed)
            odd = b.and_(b.xor(x, y), one)
            return b.add(down, b.select(b.icmp_signed("<", down, zero), zero, odd) if signed else odd)
        case "addmax" | "addmin":
            return intrinsic(b, f"llvm.{letter}{name[3:]}", b.add(x, y), parts[2])
        case "max3" | "min3":
            best = intrinsic(b, f"llvm.{letter}{name[:3]}", x, y)
            return intrinsic(b, f"llvm.{letter}{name[:3]}", best, parts[2])
    raise AssertionError(f"no operation on parts {name!r}")


def _half_of_sum(b: ir.IRBuilder, x: ir.Value, y: ir.Value, signed: bool) -> ir.Value:
    differing, one = b.xor(x, y), const(x.type, 1)
    return b.add(b.and_(x, y), b.ashr(differing, one) if signed else b.lshr(differing, one))


def _larger_less_smaller(b: ir.IRBuilder, parts: Sequence[ir.Value], signed: bool) -> ir.Value:
    letter, (x, y) = "s" if signed else "u", parts
    return b.sub(intrinsic(b, f"llvm.{letter}max", x, y), intrinsic(b, f"llvm.{letter}min", x, y))


def _sum_of_parts(b: ir.IRBuilder, word: ir.Value, bits: int) -> ir.Value:
    total: ir.Value = const(with_element(word.type, I32), 0)
    for shift in range(0, 32, bits):
        part = b.lshr(word, const(word.type, shift))
        total = b.add(total, b.and_(part, const(word.type, (1 << bits) - 1)))
    return total
