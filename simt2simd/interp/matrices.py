"""Products of matrices that a warp computes, and loads of matrices, element by element (`lang/matrix_products`)."""

from __future__ import annotations

import struct
from collections.abc import Callable, Mapping
from typing import Any

from ..lang.builtins import BUILTINS
from ..lang.ctype import BFLOAT16, HALF
from ..lang.matrix_products import BITS, LOADED, MATRIX_PRODUCTS, MatrixProduct, loaded_halves
from ..lang.numbers import decoded, encoded
from .memory import Memory
from .ops import builtin_operation, wrap
from .warps import Waiting

_ROW_BYTES = 16


def outcome(lanes: Mapping[int, Waiting], memory: Memory) -> dict[int, Any]:
    """Return what each of the lanes that are together gets. Of lanes that are not here, all operands are 0."""
    builtin = next(iter(lanes.values())).builtin
    if builtin.op in LOADED:
        return _loaded(lanes, memory, transposed=LOADED[builtin.op])
    matrix = MATRIX_PRODUCTS[builtin.op.removeprefix("warp_mma_")]
    return {lane: _register(matrix, lanes, lane) for lane in lanes}


def _loaded(lanes: Mapping[int, Waiting], memory: Memory, transposed: bool) -> dict[int, int]:
    number = next(iter(lanes.values())).operands[0]
    halves: list[int] = []
    for lane in range(8 * number, 8 * number + 8):
        if lane not in lanes:
            halves += [0] * 8
            continue
        _, address = lanes[lane].operands
        halves += struct.unpack("<8H", memory.read(address, _ROW_BYTES, _ROW_BYTES, lanes[lane].site))
    pairs = loaded_halves(transposed)
    return {lane: halves[pairs[lane][0]] | halves[pairs[lane][1]] << 16 for lane in lanes}


def _register(matrix: MatrixProduct, lanes: Mapping[int, Waiting], lane: int) -> Any:
    """Return one register of the sum that a lane has."""
    number, *operands = lanes[lane].operands
    before = operands[sum(matrix.registers[:2]) + number]
    if matrix.sum_type != "f16":
        return _sum(matrix, lanes, lane, number, before)
    low, high = (decoded((before >> shift & 0xFFFF).to_bytes(2, "little"), HALF) for shift in (0, 16))
    sums = (_sum(matrix, lanes, lane, 2 * number + part, value) for part, value in enumerate((low, high)))
    bits = [int.from_bytes(encoded(total, HALF), "little") for total in sums]
    return bits[0] | bits[1] << 16


def _sum(matrix: MatrixProduct, lanes: Mapping[int, Waiting], lane: int, element: int, before: Any) -> Any:
    of_a, _, _ = matrix.registers
    total, more = before, _combine(matrix)
    for left, right in matrix.factors(element):
        a, b = (
            lanes[source.lanes[lane]].operands[1 + first + source.register] if source.lanes[lane] in lanes else 0
            for first, source in ((0, left), (of_a, right))
        )
        total = more(_factor(a, left.part, matrix.a), _factor(b, right.part, matrix.b), total)
    if matrix.how == "satfinite":
        return max(-(1 << 31), min((1 << 31) - 1, total))
    return wrap(total, 32, True) if matrix.sum_type == "s32" else total


def _combine(matrix: MatrixProduct) -> Callable[[Any, Any, Any], Any]:
    if matrix.how == "xor":
        return lambda a, b, total: total + (a ^ b).bit_count()
    if matrix.how == "and":
        return lambda a, b, total: total + (a & b).bit_count()
    if matrix.sum_type == "s32":
        return lambda a, b, total: total + a * b
    return builtin_operation(BUILTINS["fma" if matrix.a == "f64" else "fmaf"][0])


def _factor(register: Any, part: int, kind: str) -> Any:
    """Return one part of a register as a number."""
    if kind in ("f64", "b1"):
        return register
    bits = BITS[kind]  # type: ignore[index]
    field = register >> part * bits & (1 << bits) - 1
    match kind:
        case "f16":
            return decoded(field.to_bytes(2, "little"), HALF)
        case "bf16":
            return decoded(field.to_bytes(2, "little"), BFLOAT16)
        case "tf32":
            return struct.unpack("<f", struct.pack("<I", field & 0xFFFFE000))[0]
        case "e5m2":
            return decoded((field << 8).to_bytes(2, "little"), HALF)
        case "e4m3":
            if field & 0x7F == 0x7F:
                return float("nan")
            return 256 * decoded(((field & 0x80) << 8 | (field & 0x7F) << 7).to_bytes(2, "little"), HALF)
        case "s8" | "s4":
            return wrap(field, bits, True)
    return field
