"""Lowering of questions about addresses: to which memory they lead, and where in shared memory.

All memory is the process's own, and a pointer's value says what it points to: shared memory is the block's, local
memory the stacks of this hthread, constant memory the module's constants, and global memory is all the rest.
"""

from __future__ import annotations

from llvmlite import ir

from ..abi import SHARED_ROOM_BYTES
from ..lang.builtins import Builtin
from ..lang.ctype import BOOL, ULONG, VOID, Pointer
from ..simd.builder import I1, I64, const, declare
from ..simd.values import PTR, Value, splat, vector
from .frame import Frame


def query(f: Frame, builtin: Builtin, value: Value) -> Value:
    """Lower a call of one of `ADDRESS_FUNCTIONS`."""
    b = f.b
    shared = b.ptrtoint(f.fixed("shared", PTR), I64)
    if builtin.op == "from_shared":
        if value.uniform:
            return Value(Pointer(VOID), b.inttoptr(b.add(value.ir, shared), PTR))
        return Value(Pointer(VOID), b.add(vector(b, value), splat(b, shared)))
    address = b.ptrtoint(value.ir, I64) if value.uniform else vector(b, value)
    match builtin.op:
        case "to_shared":
            return Value(ULONG, b.sub(address, _like(f, address, shared)))
        case "is_shared":
            found = _within(f, address, shared, SHARED_ROOM_BYTES)
        case "is_local":
            found = _is_local(f, address)
        case "is_constant":
            found = _is_constant(f, address)
        case _:
            ours = b.or_(_within(f, address, shared, SHARED_ROOM_BYTES), _is_local(f, address))
            found = b.not_(b.or_(ours, _is_constant(f, address)))
    return Value(BOOL, found)


def _like(f: Frame, address: ir.Value, scalar: ir.Value) -> ir.Value:
    return scalar if address.type == I64 else splat(f.b, scalar)


def _within(f: Frame, address: ir.Value, begin: ir.Value, size: int) -> ir.Value:
    b = f.b
    return b.icmp_unsigned("<", b.sub(address, _like(f, address, begin)), const(address.type, size))


def _is_constant(f: Frame, address: ir.Value) -> ir.Value:
    b = f.b
    found = b.icmp_unsigned("!=", address, address)
    for variable, item in f.program.globals.items():
        if variable.storage == "constant":
            found = b.or_(found, _within(f, address, b.ptrtoint(item, I64), variable.type.size))
    return found


def _is_local(f: Frame, address: ir.Value) -> ir.Value:
    """Ask the runtime, for one lane after the other."""
    b = f.b
    function = declare(b.module, "s2s_is_local", I1, [PTR, I64])
    if address.type == I64:
        return b.call(function, [f.gang, address])
    found = b.icmp_unsigned("!=", address, address)
    for lane in range(f.lanes):
        number = ir.Constant(ir.IntType(32), lane)
        found = b.insert_element(found, b.call(function, [f.gang, b.extract_element(address, number)]), number)
    return found
