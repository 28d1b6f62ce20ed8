"""A function for each product of matrices that a warp computes (`lang/matrix_products`): all registers of the result.

The lanes' registers of a are eight rows of the matrix, side by side; those of b are eight columns. So the function
stores a as it is, and b by rows. Each row of the sum is a vector, to which it adds a row of b for each factor of a:

    sum[row] += a[row][k] * b[k]        for all rows, k by k

A row of the sum has the even columns first: an operand of a thread has one or the other.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain

from llvmlite import ir

from ..lang.ctype import BFLOAT16, HALF
from ..lang.matrix_products import BITS, ElementType, MatrixProduct
from .builder import (
    F32,
    F64,
    I8,
    I16,
    I32,
    I64,
    bitcast,
    const,
    counted_loop,
    element,
    fma,
    intrinsic,
    known_function,
    lanes,
    splat,
    with_element,
)
from .short_floats import narrowed, widened
from .values import PTR, opaque

_LANES = 32
_COLUMNS = 8  # of b, and as many rows at a time of a
_ALIGN = 64


def product_function(module: ir.Module, matrix: MatrixProduct) -> ir.Function:
    """Return the function `(a..., b..., c...)`, of registers in all lanes, that gives a structure of the sums."""
    name = f"s2s.mma.{matrix.name}"
    known = known_function(module, name)
    if known is not None:
        return known
    of_a, of_b, of_sum = matrix.registers
    given = ir.VectorType(F64 if matrix.a == "f64" else I32, _LANES)
    total = ir.VectorType({"f64": F64, "f32": F32}.get(matrix.sum_type, I32), _LANES)
    type_ = ir.FunctionType(ir.LiteralStructType([total] * of_sum), [given] * (of_a + of_b) + [total] * of_sum)
    function = ir.Function(module, type_, name)
    function.linkage = "internal"
    for attribute in ("nounwind", "noinline", "readnone"):
        function.attributes.add(attribute)
    b, args = ir.IRBuilder(function.append_basic_block("entry")), list(function.args)
    left = [_factors(b, register, matrix.a) for register in args[:of_a]]
    right = [_by_rows(b, _pieces(b, register, matrix.b)) for register in args[of_a : of_a + of_b]]
    before = list(chain.from_iterable(_elements(b, register, matrix) for register in args[of_a + of_b :]))
    room_of_a, room_of_b = (_stored(b, each) for each in (left, [_numbers(b, each, matrix.b) for each in right]))
    # What is stored here is read from memory: a register is not taken apart again.
    b.asm(ir.FunctionType(ir.VoidType(), [PTR, PTR]), "", "r,r,~{memory}", [room_of_a, room_of_b], True)
    width, halves = lanes(left[0]) // _COLUMNS, matrix.m // 8
    sums: list[ir.Value] = []
    for half in range(halves):
        even, odd = before[2 * half : 2 * half + 2]
        rows = [_row_of_sum(b, even, odd, row, matrix) for row in range(_COLUMNS)]
        at_once = 4 if matrix.a == "f64" else _COLUMNS  # so many rows are in registers
        for first in range(0, _COLUMNS, at_once):
            of_block = [(half + halves * block) * _COLUMNS + first for block in range(of_b)]
            places = [(row * width, block * width * _COLUMNS) for block, row in enumerate(of_block)]
            rows[first : first + at_once] = _added(
                b, matrix, rows[first : first + at_once], (room_of_a, room_of_b), places, width
            )
        both = _concatenated(b, rows)
        for part in range(2):
            picked = [row * _COLUMNS + part * 4 + column for row in range(8) for column in range(4)]
            sums.append(_picked(b, both, picked))
    if matrix.how == "satfinite":
        sums = [intrinsic(b, "llvm.sadd.sat", c, found) for c, found in zip(before, sums, strict=True)]
    result: ir.Value = ir.Constant(type_.return_type, ir.Undefined)
    for number, register in enumerate(_registers(b, sums, matrix)):
        result = b.insert_value(result, register, number)
    b.ret(result)
    return function


def _added(
    b: ir.IRBuilder,
    matrix: MatrixProduct,
    rows: list[ir.Value],
    rooms: tuple[ir.Value, ir.Value],
    places: Iterable[tuple[int, int]],
    width: int,
) -> list[ir.Value]:
    """Add products to rows of the sum: `places` says where their factors begin, `width` for each row."""
    number = {"f64": F64, "s32": I32}.get(matrix.sum_type, F32)
    for of_a, of_b in places:
        with counted_loop(b, const(I64, 0), const(I64, width), 1, "factors", "k") as loop:
            carried = [loop.carry(row, "sum") for row in rows]
            start = b.add(const(I64, of_b), b.mul(loop.number, const(I64, _COLUMNS)))
            row_of_b = b.load(
                b.gep(rooms[1], [start], source_etype=number), typ=ir.VectorType(number, _COLUMNS), align=4 * _COLUMNS
            )
            rows = []
            for row, before in enumerate(carried):
                place = b.add(loop.number, const(I64, of_a + row * width))
                factor = b.load(b.gep(rooms[0], [place], source_etype=number), typ=number)
                rows.append(_more(b, matrix, splat(b, factor, _COLUMNS), row_of_b, before))
                loop.follow(before, rows[-1])
    return rows


def _more(b: ir.IRBuilder, matrix: MatrixProduct, x: ir.Value, y: ir.Value, total: ir.Value) -> ir.Value:
    if matrix.how in ("xor", "and"):
        return b.add(total, intrinsic(b, "llvm.ctpop", b.xor(x, y) if matrix.how == "xor" else b.and_(x, y)))
    return b.add(total, b.mul(x, y)) if matrix.sum_type == "s32" else fma(b, x, y, total)


def _stored(b: ir.IRBuilder, vectors: list[ir.Value]) -> ir.Value:
    """Return where vectors lie one after the other, in memory of this function."""
    count = lanes(vectors[0])
    allocated = b.alloca(ir.ArrayType(element(vectors[0].type), count * len(vectors)))
    allocated.align = _ALIGN
    room = opaque(allocated)
    for number, each in enumerate(vectors):
        b.store(each, b.gep(room, [const(I64, number * count)], source_etype=element(each.type)), align=_ALIGN)
    return room


# ------------------------------------------------------------------------------------------- sums


def _elements(b: ir.IRBuilder, register: ir.Value, matrix: MatrixProduct) -> list[ir.Value]:
    """Return the elements of a sum that a register has."""
    if matrix.sum_type != "f16":
        return [register]
    short = with_element(register.type, I16)
    parts = register, b.lshr(register, const(register.type, 16))
    return [widened(b, b.trunc(part, short), HALF) for part in parts]


def _registers(b: ir.IRBuilder, sums: list[ir.Value], matrix: MatrixProduct) -> list[ir.Value]:
    if matrix.sum_type != "f16":
        return sums
    words = [b.zext(narrowed(b, each, HALF), with_element(each.type, I32)) for each in sums]
    pairs = zip(words[::2], words[1::2], strict=True)
    return [b.or_(low, b.shl(high, const(high.type, 16))) for low, high in pairs]


def _row_of_sum(b: ir.IRBuilder, even: ir.Value, odd: ir.Value, row: int, matrix: MatrixProduct) -> ir.Value:
    """Return a row of what the products are added to: the even columns, and the others."""
    if matrix.how == "satfinite":
        return const(ir.VectorType(I32, _COLUMNS), 0)
    own = range(4 * row, 4 * row + 4)
    picked = ir.Constant(ir.VectorType(I32, _COLUMNS), [*own, *(_LANES + lane for lane in own)])
    return b.shuffle_vector(even, odd, picked)


def _concatenated(b: ir.IRBuilder, rows: list[ir.Value]) -> ir.Value:
    while len(rows) > 1:
        every = ir.Constant(ir.VectorType(I32, 2 * lanes(rows[0])), list(range(2 * lanes(rows[0]))))
        rows = [b.shuffle_vector(low, high, every) for low, high in zip(rows[::2], rows[1::2], strict=True)]
    return rows[0]


# ------------------------------------------------------------------------------------------- factors


def _factors(b: ir.IRBuilder, register: ir.Value, kind: ElementType) -> ir.Value:
    """Return what the lanes have of a matrix, in the order of its elements."""
    return _numbers(b, _pieces(b, register, kind), kind)


def _pieces(b: ir.IRBuilder, register: ir.Value, kind: ElementType) -> ir.Value:
    """Take the registers apart: one element of the vector is one of the matrix. Of four bits, it is a byte's low ones.

    The parts of a register follow each other, and so do the lanes of a row.
    """
    bits = BITS[kind]
    if bits in (1, 32, 64):
        return register
    wide = max(bits, 8)
    pieces = b.bitcast(register, ir.VectorType(ir.IntType(wide), 32 // wide * _LANES))
    if bits == wide:
        return pieces
    count, high = lanes(pieces), b.lshr(pieces, const(pieces.type, bits))
    by_turns = [lane + other for lane in range(count) for other in (0, count)]
    return b.shuffle_vector(pieces, high, ir.Constant(ir.VectorType(I32, len(by_turns)), by_turns))


def _by_rows(b: ir.IRBuilder, pieces: ir.Value) -> ir.Value:
    """Return eight columns of a matrix as rows of eight, their even places first.

    What takes elements of the two halves by turns moves the highest bit of their places to the end: three times, that
    transposes.
    """
    half = lanes(pieces) // 2
    by_turns = [lane + other for lane in range(half) for other in (0, half)]
    for _ in range(3):
        pieces = _picked(b, pieces, by_turns)
    rows = range(0, 2 * half, _COLUMNS)
    return _picked(b, pieces, [row + 2 * column + odd for row in rows for odd in range(2) for column in range(4)])


def _picked(b: ir.IRBuilder, values: ir.Value, places: list[int]) -> ir.Value:
    return b.shuffle_vector(values, values, ir.Constant(ir.VectorType(I32, len(places)), places))


def _numbers(b: ir.IRBuilder, pieces: ir.Value, kind: ElementType) -> ir.Value:
    """Return elements of a matrix as float or double, as integers of 32 bits, or as words of single bits."""
    match kind:
        case "f64" | "b1":
            return pieces
        case "tf32":  # the low bits do not count
            return bitcast(b, b.and_(pieces, const(pieces.type, 0xFFFFE000)), F32)
        case "f16" | "bf16":
            return widened(b, pieces, HALF if kind == "f16" else BFLOAT16)
        case "e4m3" | "e5m2":
            return _from_byte(b, pieces, kind)
    if BITS[kind] == 4:
        top = b.shl(pieces, const(pieces.type, 4))
        pieces = (b.ashr if kind == "s4" else b.lshr)(top, const(top.type, 4))
    return (b.sext if kind in ("s8", "s4") else b.zext)(pieces, with_element(pieces.type, I32))


def _from_byte(b: ir.IRBuilder, byte: ir.Value, kind: ElementType) -> ir.Value:
    """Return numbers of eight bits as float; 4 bits of exponent become the low ones of a half's, 8 less than meant."""
    assert element(byte.type) == I8
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
