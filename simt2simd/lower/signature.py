"""How scalars travel between function instances: one LLVM parameter or result for each scalar of the C types.

A bool that differs among lanes travels as a mask does, as i16: a `<16 x i1>` would travel as sixteen bytes, and LLVM
cannot return one without optimisation.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from llvmlite import ir

from ..analysis.lattice import VARYING, Shape
from ..analysis.shapes import FunctionShapes
from ..analysis.storage import REGISTER
from ..lang.ctype import BOOL, Pointer, Scalar, leaves
from ..simd import mask as masks
from ..simd.address import member
from ..simd.builder import Builder, const
from ..simd.mask import Mask
from ..simd.values import PTR, Value, scalar_type, vector_type
from ..tree.nodes import Variable
from .frame import Frame


def parameters(shapes: FunctionShapes) -> list[tuple[Variable, int, ir.Type]]:
    """For every scalar that an instance takes: its parameter, its offset in it, and its LLVM type."""
    travel = [param for param in shapes.function.params if param.storage != "launch"]
    places = [(param, offset) for param in travel for offset, _ in leaves(param.type)]
    return [
        (param, offset, travelling_type(leaf, shape, shapes.instance.lanes))
        for (param, offset), (leaf, shape) in zip(places, leaf_shapes(shapes), strict=True)
    ]


def receive(f: Frame, variables: Sequence[Variable], args: Sequence[ir.Value], mask: Mask) -> None:
    """Give those parameters that are among `variables` their values; `args` are all of the function's arguments."""
    constants = dict(zip(f.shapes.function.params, f.shapes.instance.constants, strict=False))
    for (variable, offset, _), arg, (leaf, shape) in zip(
        parameters(f.shapes), args, leaf_shapes(f.shapes), strict=True
    ):
        if variable not in variables:
            continue
        if (
            variable.restrict
            and isinstance(leaf, Pointer)
            and leaf.const
            and arg.type == PTR
            and isinstance(arg, ir.Argument)
        ):
            arg.add_attribute("noalias")  # nobody writes there while the kernel runs: loads move out of loops
        value = arrived(f.b, arg, leaf, shape)
        known = constants.get(variable)
        if known is not None:
            value = Value(leaf, const(scalar_type(leaf), known))
        if f.program.storage.of(variable) == REGISTER:
            f.write(variable, offset, leaf, value, mask, False)
        else:
            f.memory.store(member(f.b, f.address(variable), offset), value, mask)


def travelling_type(leaf: Scalar | Pointer, shape: Shape, lanes: int) -> ir.Type:
    """The LLVM type of a parameter or result."""
    if shape.scalar:
        return scalar_type(leaf)
    return masks.travelling(lanes) if leaf == BOOL else vector_type(leaf, lanes)


def leaving(b: Builder, value: ir.Value) -> ir.Value:
    """A value, in the form that its shape calls for, on its way to another function."""
    return b.bitcast(value, masks.travelling(b.lanes)) if value.type == masks.lane_bits(b.lanes) else value


def arrived(b: Builder, value: ir.Value, leaf: Scalar | Pointer, shape: Shape) -> Value:
    """Return the value that `leaving` has sent, in the form that its shape calls for."""
    if leaf == BOOL and not shape.scalar:
        value = b.bitcast(value, masks.lane_bits(b.lanes))
    return Value(leaf, value, shape.stride if shape.scalar else 0, shape.interleave)


def leaf_shapes(shapes: FunctionShapes) -> Iterator[tuple[Scalar | Pointer, Shape]]:
    """The C type and shape of every scalar that an instance takes."""
    for param, known in zip(shapes.function.params, shapes.args, strict=True):
        if param.storage == "launch":
            continue
        parts = known if isinstance(known, tuple) else (known,)
        for (_, leaf), shape in zip(leaves(param.type), parts, strict=True):
            yield leaf, shape or VARYING
