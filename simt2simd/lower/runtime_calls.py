"""Lowering of calls of the runtime: `printf`, `assert`, the heap, C's library, and time.

Such a call hands over the arguments of all lanes in slots of 64 bits, and the lanes that are there. The runtime serves
one lane after the other; its result takes the place of the first argument.
"""

from __future__ import annotations

from llvmlite import ir

from ..abi import GANG
from ..lang.ctype import ULONGLONG, CType, Pointer, Scalar
from ..simd import mask as masks
from ..simd.builder import I32, I64, bitcast, const, declare, element
from ..simd.mask import Mask
from ..simd.values import PTR, Value, move, vector
from ..tree import nodes as tree
from ..tree.effects import is_text
from .frame import Frame
from .operators import nothing

SLOT_BYTES = 8
_RARE = ("printf", "assert_fail")  # the way to these calls is kept out of the way of others


def service(f: Frame, node: tree.BuiltinCall, args: list[Value], mask: Mask) -> Value:
    """Call the runtime with these arguments."""
    b, builtin = f.b, node.builtin
    slots = f.slots(len(args))
    for i, arg in enumerate(args):
        b.store(as_slots(f, arg), move(b, slots, i * f.lanes * SLOT_BYTES), align=SLOT_BYTES)
    function = declare(b.module, f"s2s_{builtin.op}", ir.VoidType(), [PTR, I64, PTR, I32, I32])
    if builtin.op in _RARE:
        function.attributes.add("cold")
    lanes = masks.wide_bits(b, mask)
    wide = lanes if lanes.type == I64 else b.zext(lanes, I64)
    b.call(function, [f.gang, wide, slots, const(I32, f.lanes), const(I32, len(args))])
    if builtin.op == "printf":
        return _printed(f, node, args[0])
    if builtin.op in ("memcpy", "memset", "strcpy"):
        return Value(args[0].type, vector(b, args[0]))
    if isinstance(builtin.result, Scalar) and builtin.result.kind == "void":
        return nothing()
    found = b.load(slots, typ=ir.VectorType(I64, f.lanes), align=SLOT_BYTES)
    return _from_slots(f, found, builtin.result)


def as_slots(f: Frame, value: Value) -> ir.Value:
    b, lanes = f.b, vector(f.b, value)
    lane, wide = element(lanes.type), ir.VectorType(I64, f.lanes)
    if isinstance(lane, ir.IntType):
        if lane.width == SLOT_BYTES * 8:
            return lanes
        signed = isinstance(value.type, Scalar) and value.type.signed
        return b.sext(lanes, wide) if signed else b.zext(lanes, wide)
    if value.type.size == SLOT_BYTES:
        return bitcast(b, lanes, I64)
    return b.zext(bitcast(b, lanes, ir.IntType(value.type.size * 8)), wide)


def _from_slots(f: Frame, found: ir.Value, ctype: CType) -> Value:
    assert isinstance(ctype, Scalar | Pointer)
    if isinstance(ctype, Pointer) or ctype.bits == SLOT_BYTES * 8:
        return Value(ctype, found)
    return Value(ctype, f.b.trunc(found, ir.VectorType(ir.IntType(ctype.bits), f.lanes)))


def _printed(f: Frame, node: tree.BuiltinCall, template: Value) -> Value:
    """Return what `printf` returns: how many arguments follow the format, or -1 if that is null."""
    assert isinstance(node.type, Scalar)
    count = const(I32, len(node.args) - 1)
    if is_text(node.args[0]):
        return Value(node.type, count)
    b, lanes = f.b, vector(f.b, template)
    null = b.icmp_unsigned("==", lanes, const(lanes.type, 0))
    some, none = (const(ir.VectorType(I32, f.lanes), number) for number in (len(node.args) - 1, -1))
    return Value(node.type, b.select(null, none, some))


def clock(f: Frame, node: tree.BuiltinCall) -> Value:
    """Read the CPU's clock; what is before and after it in the program stays there."""
    b = f.b
    assert isinstance(node.type, Scalar)
    _keep_order(f)
    now = b.call(declare(b.module, "llvm.readcyclecounter", I64, []), [], name="clock")
    _keep_order(f)
    return Value(node.type, now)


def globaltimer(f: Frame) -> Value:
    return Value(ULONGLONG, f.b.call(declare(f.b.module, "s2s_globaltimer", I64, []), [], name="globaltimer"))


def grid_id(f: Frame) -> Value:
    """Return where the launch is described: no two that run share that place."""
    launch = f.b.load(move(f.b, f.gang, GANG.offset["launch"]), typ=I64, name="grid.id")
    return Value(ULONGLONG, launch)


def _keep_order(f: Frame) -> None:
    f.b.asm(ir.FunctionType(ir.VoidType(), []), "", "~{memory}", [], True)
