"""Values of a gang: one scalar per lane, in the cheapest form that its shape allows.

scalar                   the same in all lanes
scalar + lane * stride   evenly spaced
vector                   anything
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from llvmlite import ir

from ..lang.ctype import BOOL, LONG_DOUBLE, VOID, CType, Pointer, Scalar
from ..target import LANES
from . import builder
from . import mask as masks
from .builder import I8, I32, I64, Builder, bits_of, const, element_type
from .mask import Mask

PTR = ir.PointerType()
I32_LANES = ir.VectorType(I32, LANES)  # of one register
I64_LANES = ir.VectorType(I64, LANES)
ANY_POINTER = Pointer(VOID)


@dataclass(frozen=True)
class Value:
    """One scalar per lane.

    `ir` is a vector, an element per lane (a varying value), or one scalar: then lane l holds `ir + stride * l`, and a
    uniform value has stride 0. A varying pointer is a vector of i64. `interleave`, `rise` and
    `likely` as in `lattice.Shape`.
    """

    type: Scalar | Pointer
    ir: ir.Value
    stride: int = 0
    interleave: int = 0
    rise: tuple[int, int] | None = None
    likely: int | None = None

    @property
    def varying(self) -> bool:
        return isinstance(self.ir.type, ir.VectorType)

    @property
    def uniform(self) -> bool:
        return not self.varying and self.stride == 0


def reinterpreted(b: Builder, value: Value, ctype: Scalar | Pointer) -> Value:
    """The bytes of `value` as a value of another type of its size, as a union has it."""
    source = value.type
    if source == ctype:
        return value
    if isinstance(source, Scalar) and isinstance(ctype, Scalar) and source.kind == ctype.kind == "int":
        return Value(ctype, value.ir, value.stride)
    one = value if value.uniform else Value(source, vector(b, value))

    def as_lanes(element: ir.Type) -> ir.Type:
        return ir.VectorType(element, b.lanes) if one.varying else element

    bits = one.ir
    if source == LONG_DOUBLE:  # of 16 bytes; what the upper ones hold means nothing
        bits = b.zext(b.bitcast(bits, as_lanes(I64)), as_lanes(ir.IntType(8 * source.size)))
    if bits.type == PTR:
        bits = b.ptrtoint(bits, I64)
    elif source == BOOL:
        bits = b.zext(bits, as_lanes(I8))
    if ctype == BOOL:
        return Value(ctype, b.icmp_unsigned("!=", bits, const(bits.type, 0)))
    if isinstance(ctype, Pointer):
        number = b.bitcast(bits, as_lanes(I64)) if bits.type != as_lanes(I64) else bits
        return Value(ctype, number if one.varying else b.inttoptr(number, PTR))
    if ctype == LONG_DOUBLE:
        bits = b.trunc(bits, as_lanes(I64))
    wanted = as_lanes(scalar_type(ctype))
    return Value(ctype, b.bitcast(bits, wanted) if bits.type != wanted else bits)


Slot = TypeVar("Slot", ir.AllocaInstr, ir.GlobalVariable)


def opaque(pointer: Slot) -> Slot:
    """Give an `alloca` or a global the type `ptr`: llvmlite still types them by what they point to."""
    pointer.type = PTR
    return pointer


def constant_data(module: ir.Module, name: str, value: ir.Constant) -> ir.GlobalVariable:
    """Put a constant into the module's read-only data, under a name of its own."""
    item = ir.GlobalVariable(module, value.type, module.get_unique_name(name))
    item.initializer = value
    item.linkage = "internal"
    item.global_constant = True
    return opaque(item)


def constant_table(module: ir.Module, name: str, items: Sequence[ir.Constant], type_: ir.Type) -> ir.Value:
    """Put an array of constants of a type into the module's read-only data; null if there are none."""
    if not items:
        return ir.Constant(PTR, None)
    return constant_data(module, name, ir.Constant(ir.ArrayType(type_, len(items)), items))


def constant_text(module: ir.Module, name: str, text: str) -> ir.GlobalVariable:
    """Put a C string into the module's read-only data."""
    data = bytearray(text.encode(errors="surrogateescape") + b"\0")
    return constant_data(module, name, ir.Constant(ir.ArrayType(I8, len(data)), data))


def scalar_type(ctype: CType) -> ir.Type:
    """The LLVM type of one lane's value; `bool` is i1."""
    if isinstance(ctype, Pointer):
        return PTR
    assert isinstance(ctype, Scalar)
    return element_type(ctype)


def pointer_constant(address: int) -> ir.Value:
    """Return a number as an address: a function's number."""
    return ir.Constant(I64, address).inttoptr(PTR)


def vector_type(ctype: CType, lanes: int) -> ir.VectorType:
    """The LLVM type of so many lanes' values; pointers are i64."""
    return ir.VectorType(I64 if isinstance(ctype, Pointer) else scalar_type(ctype), lanes)


@functools.cache
def lane_constants(element: ir.Type, step: int, lanes: int) -> ir.Constant:
    """`<0, step, 2 * step, ...>`"""
    limit = (1 << bits_of(element)) - 1
    return ir.Constant(ir.VectorType(element, lanes), [(lane * step) & limit for lane in range(lanes)])


def splat(b: Builder, scalar: ir.Value) -> ir.Value:
    return builder.splat(b, scalar, b.lanes)


def vector(b: Builder, value: Value) -> ir.Value:
    """The lanes of `value`; pointers as i64."""
    if value.varying:
        return value.ir
    scalar = b.ptrtoint(value.ir, I64) if isinstance(value.type, Pointer) else value.ir
    lanes = splat(b, scalar)
    return b.add(lanes, lane_constants(scalar.type, value.stride, b.lanes)) if value.stride else lanes


def move(b: ir.IRBuilder, base: ir.Value, offset: ir.Value | int) -> ir.Value:
    """`(char *)base + offset`"""
    if isinstance(offset, int):
        if offset == 0:
            return base
        offset = ir.Constant(I64, offset)
    return b.gep(base, [offset], source_etype=I8)


def lane_of(b: ir.IRBuilder, value: Value, lane: ir.Value) -> ir.Value:
    """The scalar of lane number `lane`, an i32, of a value that follows from one scalar."""
    if value.uniform:
        return value.ir
    if isinstance(value.type, Pointer):
        return move(b, value.ir, b.mul(b.zext(lane, I64), ir.Constant(I64, value.stride)))
    width = bits_of(value.ir.type)
    number = lane if width == 32 else (b.zext if width > 32 else b.trunc)(lane, value.ir.type)
    return b.add(value.ir, b.mul(number, const(number.type, value.stride)))


def one_lane(b: Builder, value: Value, mask: Mask) -> ir.Value:
    """The scalar of the highest lane that is on: the one that wins when lanes write one place in order."""
    if value.uniform:
        return value.ir
    lane = b.extract_element(vector(b, value), masks.last_lane(b, mask), name="winner")
    return b.inttoptr(lane, PTR) if isinstance(value.type, Pointer) else lane
