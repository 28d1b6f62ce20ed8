"""Lowering of products of matrices that a warp computes, and of loads of matrices (`lang/matrix_products`).

Each factor of a register becomes a vector of its own once; then each lane has the factors handed to it, with indices
that are constants. Equal vectors of several registers of a result are one in what LLVM makes of them.
"""

from __future__ import annotations

from collections.abc import Sequence

from llvmlite import ir

from ..lang.builtins import WARP_SIZE, Builtin
from ..lang.ctype import HALF, Scalar
from ..lang.matrix_products import BITS, LOADED, MATRIX_PRODUCTS, ElementType, MatrixProduct, Source, loaded_halves
from ..simd import builder
from ..simd import mask as masks
from ..simd.builder import F32, I8, I16, I32, bitcast, concat, const, fma, intrinsic, with_element
from ..simd.mask import Mask
from ..simd.short_floats import narrowed, widened
from ..simd.values import PTR, Value, splat, vector
from ..tree import nodes as tree
from .frame import Frame

_ROWS = 8  # of a matrix that is loaded
_ROW_BYTES = 16
_COLUMNS = 4  # of the grid of lanes
# The lanes in such an order that those of one column, of its even rows or of its odd rows, lie side by side.
_BY_COLUMNS = tuple(8 * n + 4 * odd + column for column in range(4) for odd in range(2) for n in range(4))


class _Factors(dict[tuple[Source, bool], ir.Value]):
    """What the last product has handed to the lanes: by where it comes from, and whether that is b."""


def of_matrices(f: Frame, node: tree.BuiltinCall, args: list[Value], mask: Mask) -> Value:
    """Lower a call; the first of `args` is the number of the register, a constant of the program."""
    builtin, number = node.builtin, node.args[1]
    assert isinstance(number, tree.Constant) and isinstance(builtin.result, Scalar)
    lanes = [vector(f.b, arg) for arg in args[1:]]
    if builtin.op in LOADED:
        return Value(builtin.result, _loaded(f, int(number.value), lanes[0], mask, LOADED[builtin.op]))
    return Value(builtin.result, _register(f, builtin, int(number.value), lanes))


def _loaded(f: Frame, number: int, addresses: ir.Value, mask: Mask, transposed: bool) -> ir.Value:
    """Load eight rows of eight halves, and give each lane a pair of them."""
    b = f.b
    if not mask.all_on:  # lanes that do not exist have no address
        first = b.extract_element(addresses, masks.first_lane(b, mask))
        addresses = b.select(mask.lanes, addresses, splat(b, first))
    row = ir.VectorType(I16, _ROWS)
    rows = []
    for lane in range(_ROWS * number, _ROWS * number + _ROWS):
        address = b.extract_element(addresses, ir.Constant(I32, lane))
        rows.append(b.load(b.inttoptr(address, PTR), typ=row, align=_ROW_BYTES))
    halves = concat(b, rows)
    order = [half for pair in loaded_halves(transposed) for half in pair]
    if transposed:
        halves = b.shuffle_vector(halves, halves, ir.Constant(ir.VectorType(I32, 2 * WARP_SIZE), order))
    return b.bitcast(halves, ir.VectorType(I32, WARP_SIZE))


def _register(f: Frame, builtin: Builtin, number: int, lanes: list[ir.Value]) -> ir.Value:
    """Return one register of the sum, in all lanes.

    The calls for the registers of a product follow each other, so the factors of the first are there for the others,
    but where each call has a branch of its own.
    """
    b, matrix = f.b, MATRIX_PRODUCTS[builtin.op.removeprefix("warp_mma_")]
    if number == 0 or f.shapes.instance in f.program.plans.divergent_waits.kept:
        f.state(_Factors).clear()
    *factors, before = lanes
    if matrix.sum_type != "f16":
        return _sum(f, matrix, number, factors, before)
    low, high = (
        b.zext(
            narrowed(b, _sum(f, matrix, 2 * number + part, factors, _factor(b, before, part, "f16")), HALF), before.type
        )
        for part in range(2)
    )
    return b.or_(low, b.shl(high, const(before.type, 16)))


def _sum(f: Frame, matrix: MatrixProduct, element: int, factors: list[ir.Value], before: ir.Value) -> ir.Value:
    """Add to `before` the products for one element of the sum."""
    b, known, (of_a, _, _) = f.b, f.state(_Factors), matrix.registers
    left, right = factors[:of_a], factors[of_a:]

    def handed(source: Source, of_b: bool) -> ir.Value:
        if (source, of_b) not in known:
            registers, kind = (right, matrix.b) if of_b else (left, matrix.a)
            known[source, of_b] = _handed(b, registers, source, kind)
        return known[source, of_b]

    total = const(before.type, 0) if matrix.how == "satfinite" else before
    for source_a, source_b in matrix.factors(element):
        a, c = handed(source_a, False), handed(source_b, True)
        match matrix.how, matrix.sum_type:
            case ("xor" | "and", _):
                both = b.xor(a, c) if matrix.how == "xor" else b.and_(a, c)
                total = b.add(total, intrinsic(b, "llvm.ctpop", both))
            case (_, "s32"):
                total = b.add(total, b.mul(a, c))
            case _:
                total = fma(b, a, c, total)
    return intrinsic(b, "llvm.sadd.sat", before, total) if matrix.how == "satfinite" else total


def _handed(b: ir.IRBuilder, registers: list[ir.Value], source: Source, kind: ElementType) -> ir.Value:
    """Return a factor in the lanes where it is needed.

    What is the same in all rows of lanes is first brought together in four lanes; from there it goes to all rows.
    """
    values, few = _factor(b, registers[source.register], source.part, kind), source.lanes[:_COLUMNS]
    if source.lanes != few * (WARP_SIZE // _COLUMNS):
        return _picked(b, values, source.lanes)
    together = _picked(b, values, _BY_COLUMNS)
    four = _picked(b, together, [_BY_COLUMNS.index(lane) for lane in few])
    return _picked(b, four, tuple(range(_COLUMNS)) * (WARP_SIZE // _COLUMNS))


def _picked(b: ir.IRBuilder, values: ir.Value, lanes: Sequence[int]) -> ir.Value:
    return b.shuffle_vector(values, values, ir.Constant(ir.VectorType(I32, len(lanes)), list(lanes)))


def _factor(b: ir.IRBuilder, register: ir.Value, part: int, kind: ElementType) -> ir.Value:
    """Return one part of a register: as float or double, as an integer of 32 bits, or a word of single bits."""
    bits, type_ = BITS[kind], register.type
    match kind:
        case "f64" | "b1":
            return register
        case "tf32":  # the low bits do not count
            return bitcast(b, b.and_(register, const(type_, 0xFFFFE000)), F32)
        case "bf16":  # the high half of a float
            return bitcast(b, b.shl(register, const(type_, 16)) if part == 0 else _high_half(b, register), F32)
        case "f16":
            return widened(b, _piece(b, register, part, I16), HALF)
        case "e4m3" | "e5m2":
            return _from_byte(b, _piece(b, register, part, I8), kind)
    top = b.shl(register, const(type_, 32 - bits - bits * part))
    return (b.ashr if kind in ("s8", "s4") else b.lshr)(top, const(type_, 32 - bits))


def _high_half(b: ir.IRBuilder, words: ir.Value) -> ir.Value:
    """Return words without their low halves.

    LLVM 22 for AVX2 aborts at a mask of whole halves whose result is shuffled, so it does not see what the mask is.
    """
    mask = b.asm(ir.FunctionType(I32, []), "movl $$0xFFFF0000, $0", "=r", [], False)
    return b.and_(words, builder.splat(b, mask, WARP_SIZE))


def _piece(b: ir.IRBuilder, register: ir.Value, part: int, type_: ir.IntType) -> ir.Value:
    """Return one of the shorter integers that registers consist of."""
    moved = b.lshr(register, const(register.type, part * type_.width))
    return b.trunc(moved, with_element(register.type, type_))


def _from_byte(b: ir.IRBuilder, byte: ir.Value, kind: ElementType) -> ir.Value:
    """Return numbers of eight bits as float; 4 bits of exponent become the low ones of a half's, 8 less than meant."""
    wide = b.zext(byte, with_element(byte.type, I16))
    if kind == "e5m2":
        return widened(b, b.shl(wide, const(wide.type, 8)), HALF)
    digits = b.and_(wide, const(wide.type, 0x7F))
    sign = b.shl(b.and_(wide, const(wide.type, 0x80)), const(wide.type, 8))
    half = b.or_(sign, b.shl(digits, const(wide.type, 7)))
    value = widened(b, half, HALF)
    scaled = b.fmul(value, const(value.type, 256.0))
    is_nan = b.icmp_unsigned("==", digits, const(wide.type, 0x7F))
    return b.select(is_nan, const(value.type, float("nan")), scaled)
