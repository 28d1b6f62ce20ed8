"""How function instances are called: their LLVM types and attributes, and how values travel.

There is one LLVM parameter or result for each scalar of the C types. A bool that differs among lanes travels as a mask
does, as i16: a `<16 x i1>` would travel as sixteen bytes, and LLVM cannot return one without optimisation.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

from llvmlite import ir

from ..analysis.lattice import VARYING, Shape
from ..analysis.shapes import FunctionShapes
from ..analysis.storage import REGISTER
from ..lang.ctype import BOOL, Pointer, Scalar, leaves
from ..mapping.stack_walks import StackWalk
from ..simd import mask as masks
from ..simd.address import member
from ..simd.builder import Builder, const, store_volatile, undefined
from ..simd.mask import Mask
from ..simd.values import PTR, Value, scalar_type, vector_type
from ..tree import nodes as tree
from ..tree.nodes import Variable
from .frame import Frame


def declare_function(llvm: ir.Module, name: str, type_: ir.FunctionType) -> ir.Function:
    """Declare a function that only this module calls, by `name` or one like it that is still free."""
    function = ir.Function(llvm, type_, llvm.get_unique_name(name))
    function.linkage = "internal"
    function.attributes.add("nounwind")
    return function


def inlining(
    function: tree.Function, stack_walk: StackWalk | None, *, too_large: bool
) -> Literal["noinline", "alwaysinline"] | None:
    """Return the attribute that says whether LLVM inlines a function; None leaves that to LLVM."""
    if function.inline == "never" or too_large:
        return "noinline"
    if function.inline == "always" or (stack_walk is not None and stack_walk.inlined):
        return "alwaysinline"
    return None


def leave_as_it_is(function: ir.Function) -> None:
    """Tell LLVM to spend no time on a function."""
    function.attributes.add("noinline")
    function.attributes.add("optnone")


# -------------------------------------------------------------------------------------------------- types


def function_type(shapes: FunctionShapes) -> ir.FunctionType:
    """Return the type of an instance: it takes a gang's record, the active mask and its parameters."""
    params = [type_ for _, _, type_ in parameters(shapes)]
    return ir.FunctionType(result_type(shapes), [PTR, masks.travelling(shapes.instance.lanes), *params])


def block_function_type(shapes: FunctionShapes) -> ir.FunctionType:
    """Return the type of what runs a whole block of a kernel: it takes a gang's record and the parameters."""
    return ir.FunctionType(ir.VoidType(), [PTR, *(type_ for _, _, type_ in parameters(shapes))])


def result_type(shapes: FunctionShapes) -> ir.Type:
    """Return the type of what an instance returns: nothing, a scalar or vector, or a struct of several."""
    results = [
        travelling_type(leaf, shape, shapes.instance.lanes)
        for (_, leaf), shape in zip(leaves(shapes.function.result), shapes.results, strict=False)
    ]
    if len(results) > 1:
        return ir.LiteralStructType(results)
    return results[0] if results else ir.VoidType()


# ------------------------------------------------------------------------------- parameters and results


def parameters(shapes: FunctionShapes) -> list[tuple[Variable, int, ir.Type]]:
    """Return for every scalar that an instance takes: its parameter, its offset in it, and its LLVM type."""
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
            arg.add_attribute("noalias")  # nothing is written there while the kernel runs: loads move out of loops
        value = arrived(f.b, arg, leaf, shape)
        known = constants.get(variable)
        if known is not None:
            value = Value(leaf, const(scalar_type(leaf), known))
        if f.program.storage.of(variable) == REGISTER:
            f.write(variable, offset, leaf, value, mask, False)
            if f.b.traced and f.shapes.function.kind == "kernel":
                home = f.home(variable, offset, leaf)  # stays in memory then, where debuggers find it
                store_volatile(f.b, f.b.load(home, typ=home.allocated_type), home)
        else:
            f.memory.store(member(f.b, f.address(variable), offset), value, mask)


def return_results(f: Frame) -> None:
    """Return what the slots of the function's results hold."""
    b = f.b
    values = [leaving(b, b.load(slot, typ=slot.allocated_type)) for slot in f.results]
    if not values:
        b.ret_void()
    elif len(values) == 1:
        b.ret(values[0])
    else:
        b.ret(_aggregate(b, f.function.return_value.type, values))


def _aggregate(b: ir.IRBuilder, type_: ir.Type, values: list[ir.Value]) -> ir.Value:
    whole: ir.Value = undefined(type_)
    for i, value in enumerate(values):
        whole = b.insert_value(whole, value, i)
    return whole


# ------------------------------------------------------------------------------------------ a scalar's travel


def travelling_type(leaf: Scalar | Pointer, shape: Shape, lanes: int) -> ir.Type:
    """Return the LLVM type of a parameter or result."""
    if shape.scalar:
        return scalar_type(leaf)
    return masks.travelling(lanes) if leaf == BOOL else vector_type(leaf, lanes)


def leaving(b: Builder, value: ir.Value) -> ir.Value:
    """Return a value, in the form that its shape calls for, as it travels to another function."""
    return b.bitcast(value, masks.travelling(b.lanes)) if value.type == masks.lane_bits(b.lanes) else value


def arrived(b: Builder, value: ir.Value, leaf: Scalar | Pointer, shape: Shape) -> Value:
    """Return the value that `leaving` has sent, in the form that its shape calls for."""
    if leaf == BOOL and not shape.scalar:
        value = b.bitcast(value, masks.lane_bits(b.lanes))
    return Value(leaf, value, shape.stride if shape.scalar else 0, shape.interleave)


def leaf_shapes(shapes: FunctionShapes) -> Iterator[tuple[Scalar | Pointer, Shape]]:
    """Yield the C type and shape of every scalar that an instance takes."""
    for param, known in zip(shapes.function.params, shapes.args, strict=True):
        if param.storage == "launch":
            continue
        parts = known if isinstance(known, tuple) else (known,)
        for (_, leaf), shape in zip(leaves(param.type), parts, strict=True):
            yield leaf, shape or VARYING
