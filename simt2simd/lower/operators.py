"""Operators and conversions on lowered values: arithmetic, comparison, shifts, C conversions."""

from __future__ import annotations

from collections.abc import Sequence

from llvmlite import ir

from ..analysis.lattice import Kind, Shape
from ..lang.ctype import INT, ULONG, CType, Pointer, Scalar, is_float
from ..simd import integers, wide_integers
from ..simd.builder import I32, I64, Builder, bits_of, const, fma, undefined
from ..simd.values import PTR, Value, vector
from ..tree import nodes as tree
from ..vmath import dispatch
from .frame import Frame


def nothing() -> Value:
    """Return the value of an expression of type `void`; it is never used."""
    return Value(INT, undefined(I32))


def unary(f: Frame, node: tree.Unary, operand: Value) -> Value:
    b = f.b
    assert isinstance(node.type, Scalar)
    if node.op == "-" and operand.stride:
        return Value(node.type, b.neg(operand.ir), -operand.stride)
    value = vector(b, operand) if operand.stride else operand.ir
    match node.op:
        case "-":
            return Value(node.type, b.fneg(value) if is_float(node.type) else b.neg(value))
        case "~" | "!":
            return Value(node.type, b.not_(value))
        case _:
            raise AssertionError(node.op)


def binary(f: Frame, op: tree.BinaryOp, ctype: CType, left: Value, right: Value, shape: Shape) -> Value:
    """Compute `left op right`; `ctype` is the type of the result and `shape` its shape."""
    assert isinstance(ctype, Scalar)
    b = f.b
    if shape.kind == Kind.AFFINE:  # on lane 0's values; the shape analysis knows what becomes of the stride
        return Value(ctype, _operate(f, op, left.type, left.ir, right.ir), shape.stride)
    if not shape.scalar:
        if op in "/%" and right.uniform and not is_float(left.type):
            assert isinstance(left.type, Scalar)
            divide = integers.divide_uniform if op == "/" else integers.remainder_uniform
            return Value(ctype, divide(b, vector(b, left), right.ir, left.type.signed))
        return Value(ctype, _operate(f, op, left.type, vector(b, left), vector(b, right)))
    return Value(ctype, _operate(f, op, left.type, left.ir, right.ir))


def _operate(f: Frame, op: tree.BinaryOp, ctype: CType, left: ir.Value, right: ir.Value) -> ir.Value:
    """Combine two scalars or two vectors of C type `ctype`."""
    b = f.b
    if isinstance(ctype, Pointer):
        if left.type == PTR:
            left, right = b.ptrtoint(left, I64), b.ptrtoint(right, I64)
        assert op in tree.COMPARISONS
        return b.icmp_unsigned(op, left, right)
    assert isinstance(ctype, Scalar)
    if ctype.kind == "float":
        return _operate_float(f, op, left, right)
    if op in tree.COMPARISONS and ctype.bits == wide_integers.BITS:
        return wide_integers.compare(b, op, left, right, ctype.signed)
    if op in tree.COMPARISONS:
        return (b.icmp_signed if ctype.signed else b.icmp_unsigned)(op, left, right)
    match op:
        case "+":
            return b.add(left, right)
        case "-":
            return b.sub(left, right)
        case "*":
            return b.mul(left, right)
        case "/":
            return integers.divide(b, left, right, ctype.signed)
        case "%":
            return integers.remainder(b, left, right, ctype.signed)
        case "&":
            return b.and_(left, right)
        case "|":
            return b.or_(left, right)
        case "^":
            return b.xor(left, right)
        case "<<" | ">>":
            return integers.shift(b, op, left, _shift_count(b, right, left.type), ctype.signed)
        case _:
            raise AssertionError(op)


def _shift_count(b: ir.IRBuilder, count: ir.Value, to: ir.Type) -> ir.Value:
    """Return a shift count in the width of the value: too large stays too large."""
    have, want = bits_of(count.type), bits_of(to)
    if have == want:
        return count
    if have < want:
        return b.zext(count, to)
    limit = const(count.type, (1 << want) - 1)
    return b.trunc(b.select(b.icmp_unsigned("<", count, limit), count, limit), to)


def _operate_float(f: Frame, op: tree.BinaryOp, left: ir.Value, right: ir.Value) -> ir.Value:
    b, options = f.b, f.program.options
    if op in tree.COMPARISONS:
        return (b.fcmp_unordered if op == "!=" else b.fcmp_ordered)(op, left, right)
    flags = ("contract",) if options.fmad or options.fast_math else ()
    if flags and op in "+-" and (fused := _fused(b, op, left, right)) is not None:
        return fused
    match op:
        case "+":
            return b.fadd(left, right, flags=flags)
        case "-":
            return b.fsub(left, right, flags=flags)
        case "*":
            return b.fmul(left, right, flags=flags)
        case "/":
            return dispatch.float_divide(b, left, right, options)
        case _:
            raise AssertionError(op)


def _fused(b: Builder, op: tree.BinaryOp, left: ir.Value, right: ir.Value) -> ir.Value | None:
    """Compute `left op right` with one rounding, if a side is a product that no variable holds."""
    if (factors := _factors(b, left)) is not None:
        x, y = factors
        return fma(b, x, y, right if op == "+" else b.fneg(right))
    if (factors := _factors(b, right)) is not None:
        x, y = factors
        return fma(b, x if op == "+" else b.fneg(x), y, left)
    return None


def _factors(b: Builder, value: ir.Value) -> Sequence[ir.Value] | None:
    """Return what `value` is the product of, if it is one that no variable holds."""
    if isinstance(value, ir.Instruction) and value.opname == "fmul" and not b.is_held(value):
        return value.operands
    return None


def convert(f: Frame, value: Value, to: CType, shape: Shape) -> Value:
    """Convert `value` to type `to`, in the form that `shape` allows."""
    b, source, target = f.b, value.type, f.program.options.target
    if isinstance(to, Scalar) and to.kind == "void":
        return nothing()
    if isinstance(source, Pointer) or isinstance(to, Pointer):
        return _convert_pointer(f, value, to, shape)
    assert isinstance(to, Scalar)
    if source == to or (source.kind == to.kind == "int" and source.bits == to.bits):
        return Value(to, value.ir, value.stride)
    if value.stride and shape.scalar:
        return Value(to, integers.convert(b, value.ir, source, to, target), value.stride)
    lanes = vector(b, value) if value.stride else value.ir
    return Value(to, integers.convert(b, lanes, source, to, target))


def _convert_pointer(f: Frame, value: Value, to: CType, shape: Shape) -> Value:
    b = f.b
    if isinstance(to, Pointer) and isinstance(value.type, Pointer):
        return Value(to, value.ir, value.stride, value.interleave)
    if isinstance(to, Pointer):  # from an integer
        wide = convert(f, value, ULONG, shape)
        return Value(to, wide.ir if wide.varying else b.inttoptr(wide.ir, PTR), wide.stride)
    assert isinstance(to, Scalar)
    number = vector(b, value) if value.stride else value.ir
    if number.type == PTR:
        number = b.ptrtoint(number, I64)
    return Value(to, integers.convert(b, number, ULONG, to, f.program.options.target))
