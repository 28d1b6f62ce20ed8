"""AVX-512 instructions that LLVM's portable IR has no words for, on vectors of float or double."""

from __future__ import annotations

from collections.abc import Sequence

from llvmlite import ir

from ..simd.builder import F64, I1, I8, I32, I64, const, declare, element, in_parts, lanes, undefined
from .num import Num

_CURRENT_ROUNDING = ir.Constant(I32, 4)


def _masked(x: Num, name: str, *rest: Num, options: Sequence[ir.Constant] = (), rounding: bool = True) -> Num:
    """Call `llvm.x86.avx512.NAME.ps.512` with all lanes on.

    Its arguments are the operands, the options, the value for lanes that are off, the mask and the rounding.
    """
    b = x.b
    width = 16 if x.is_float32 else 8
    vector, mask_type = ir.VectorType(element(x.type), width), ir.IntType(width)
    tail = [const(mask_type, -1), *([_CURRENT_ROUNDING] if rounding else [])]

    def part(*operands: ir.Value) -> ir.Value:
        args = [*operands, *options, operands[0], *tail]
        function = declare(b.module, f"llvm.x86.avx512.{name}.p{'s' if x.is_float32 else 'd'}.512", vector,
                           [arg.type for arg in args])  # fmt: skip
        return b.call(function, args)

    return Num(b, in_parts(b, width, part, x.value, *(other.value for other in rest)))


def scalef(x: Num, power: Num) -> Num:
    """x * 2 ** floor(power), rounded once, for any power."""
    return _masked(x, "mask.scalef", power)


def getexp(x: Num) -> Num:
    """floor(log2 |x|) as a float; -infinity for 0, infinity for an infinity."""
    return _masked(x, "mask.getexp")


def getmant(x: Num) -> Num:
    """The m in [0.75, 1.5) with |x| = m * 2 ** k; 1 for 0 and infinity, NaN for negative x."""
    interval, nan_if_negative = 3, 2 << 2
    return _masked(x, "mask.getmant", options=[ir.Constant(I32, interval | nan_if_negative)])


def fraction_above_floor(x: Num) -> Num:
    """x - floor(x); 0 for infinities."""
    towards_minus_infinity = 1
    return _masked(x, "mask.reduce", options=[ir.Constant(I32, towards_minus_infinity)])


def range_min(x: Num, y: Num) -> Num:
    """The smaller; if one is NaN, the other."""
    return _range(x, y, 0)


def range_max(x: Num, y: Num) -> Num:
    """The larger; if one is NaN, the other."""
    return _range(x, y, 1)


def _range(x: Num, y: Num, which: int) -> Num:
    sign_of_result = 1 << 2
    option = ir.Constant(I32, which | sign_of_result)
    if x.is_vector:
        return _masked(x, "mask.range", y, options=[option])
    b, name = x.b, "ss" if x.is_float32 else "sd"
    vector = ir.VectorType(x.type, 4 if x.is_float32 else 2)
    low = ir.Constant(I32, 0)
    left, right = (b.insert_element(undefined(vector), value, low) for value in (x.value, y.value))
    args = [left, right, left, ir.Constant(I8, 1), option, _CURRENT_ROUNDING]
    function = declare(b.module, f"llvm.x86.avx512.mask.range.{name}", vector, [arg.type for arg in args])
    return Num(b, b.extract_element(b.call(function, args), low))


def rcp14(x: Num) -> Num:
    """1 / x to a relative error of 2^-14; exact for 0 and infinity."""
    return _masked(x, "rcp14", rounding=False)


def rsqrt14(x: Num) -> Num:
    """1 / sqrt(x) to a relative error of 2^-14; exact for 0 and infinity."""
    return _masked(x, "rsqrt14", rounding=False)


def lookup(b: ir.IRBuilder, name: str, table: Sequence[float], index: ir.Value, avx512: bool) -> ir.Value:
    """table[index] for an `i32` index, scalar or vector, within the table of doubles."""
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
    width = 8 if avx512 else 4
    vector, indices = ir.VectorType(F64, width), ir.VectorType(I32, width)
    zero = ir.Constant(vector, None)
    pointer = ir.PointerType()
    if avx512:
        on, scale = const(ir.VectorType(I1, width), 1), ir.Constant(I32, 8)
        function = declare(b.module, "llvm.x86.avx512.mask.gather.dpd.512", vector,
                           [vector, pointer, indices, on.type, I32])  # fmt: skip
    else:
        # the lane's sign bit says that it is on
        on, scale = const(vector, -1.0), ir.Constant(I8, 8)
        function = declare(b.module, "llvm.x86.avx2.gather.d.pd.256", vector, [vector, pointer, indices, vector, I8])
    return in_parts(b, width, lambda part: b.call(function, [zero, base, part, on, scale]), index)
