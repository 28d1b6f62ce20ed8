"""Lowering of products of matrices that a warp computes, and of loads of matrices (`lang/matrix_products`)."""

from __future__ import annotations

from llvmlite import ir

from ..lang.builtins import WARP_SIZE, Builtin
from ..lang.ctype import Scalar
from ..lang.matrix_products import LOADED, MATRIX_PRODUCTS, loaded_halves
from ..simd import mask as masks
from ..simd.builder import I16, I32, concat
from ..simd.mask import Mask
from ..simd.matrix_products import product_function
from ..simd.values import PTR, Value, splat, vector
from ..tree import nodes as tree
from .frame import Frame

_ROWS = 8  # of a matrix that is loaded
_ROW_BYTES = 16


def of_matrices(f: Frame, node: tree.BuiltinCall, args: list[Value], mask: Mask) -> Value:
    """Lower a call; the first of `args` is the number of the register, a constant of the program."""
    builtin, number = node.builtin, node.args[1]
    assert isinstance(number, tree.Constant) and isinstance(builtin.result, Scalar)
    lanes = [vector(f.b, arg) for arg in args[1:]]
    if builtin.op in LOADED:
        return Value(builtin.result, _loaded(f, int(number.value), lanes[0], mask, LOADED[builtin.op]))
    return Value(builtin.result, _product(f, builtin, int(number.value), lanes))


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


def _product(f: Frame, builtin: Builtin, number: int, lanes: list[ir.Value]) -> ir.Value:
    """Return one register of the sum, in all lanes. The calls for the others have the same operands."""
    b, matrix = f.b, MATRIX_PRODUCTS[builtin.op.removeprefix("warp_mma_")]
    function = product_function(b.module, matrix)
    every = b.numbered((function, *lanes), lambda: b.call(function, lanes))
    return b.extract_value(every, number)
