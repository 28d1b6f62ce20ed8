"""Lowering of what has no operands: constants and thread indices."""

from __future__ import annotations

from llvmlite import ir

from ..lang.ctype import Pointer, Scalar, is_short_float
from ..lang.numbers import encoded
from ..simd.builder import I32, const
from ..simd.values import Value, pointer_constant, scalar_type, splat
from ..target import tile
from ..tree import nodes as tree
from .frame import Frame, zero
from .gang_loops import threads_from
from .operators import nothing


def constant(node: tree.Constant) -> Value:
    """Return a number or an address that the program text gives; it is the same in all lanes."""
    if isinstance(node.type, Pointer):
        return Value(node.type, pointer_constant(int(node.value))) if node.value else zero(node.type)
    assert isinstance(node.type, Scalar)
    if node.type.kind == "void":
        return nothing()
    return Value(node.type, number(node))


def number(node: tree.Constant) -> ir.Constant:
    """Return the bits or the value of a number, as values of its type are kept."""
    assert isinstance(node.type, Scalar)
    if is_short_float(node.type):
        return const(scalar_type(node.type), int.from_bytes(encoded(float(node.value), node.type), "little"))
    return const(scalar_type(node.type), node.value)


def thread_index(f: Frame, node: tree.ThreadIndex) -> Value:
    """Return an axis of `threadIdx` or of the numbers that a block's threads share."""
    axis = "xyz"[node.axis]
    assert isinstance(node.type, Scalar)
    match node.name:
        case "blockIdx":
            return Value(node.type, f.fixed(f"block.{axis}", I32))
        case "blockDim":
            return Value(node.type, f.fixed(f"launch.block.{axis}", I32))
        case "gridDim":
            return Value(node.type, f.fixed(f"launch.grid.{axis}", I32))
    if f.shapes.instance.along == "xy" and node.axis < 2:
        return Value(node.type, _thread_index_in_tile(f, node.axis))
    if f.shapes.instance.along:
        return Value(node.type, f.fixed(f"thread.{axis}", I32), 1 if axis == f.shapes.instance.along else 0)
    return Value(node.type, _spanning_thread_index(f, node.axis))


def _thread_index_in_tile(f: Frame, axis: int) -> ir.Value:
    """Return threadIdx along x or y where a gang is a tile: its lanes go through it row by row."""
    width, _ = tile(f.lanes)
    steps = [lane % width if axis == 0 else lane // width for lane in range(f.lanes)]
    return f.b.add(splat(f.b, f.fixed(f"thread.{'xy'[axis]}", I32)), ir.Constant(ir.VectorType(I32, f.lanes), steps))


def _spanning_thread_index(f: Frame, axis: int) -> ir.Value:
    """Return threadIdx where a gang may span rows: the loop around it knows it, or it is computed once, on entry."""
    if f"thread.{'xyz'[axis]}" not in f.fields:
        width, height = (f.fixed(f"launch.block.{name}", I32) for name in "xy")
        threads = threads_from(f.entry, f.fixed("first_thread", I32), width, height)
        f.fields |= {f"thread.{name}": value for name, value in zip("xyz", threads, strict=True)}
    return f.fields[f"thread.{'xyz'[axis]}"]
