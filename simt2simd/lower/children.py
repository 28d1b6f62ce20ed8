"""Lowering of launches of child kernels.

The gang hands over the arguments of all its lanes in slots of 64 bits, as for every call of the runtime, and a record
that says how they are packed. The runtime makes a child of each lane that is on.
"""

from __future__ import annotations

from collections.abc import Iterable

from llvmlite import ir

from .. import abi
from ..abi import CHILD, pack_params
from ..lang.ctype import leaves
from ..simd import mask as masks
from ..simd.builder import I32, I64, const, declare
from ..simd.mask import Mask
from ..simd.values import PTR, Value, constant_data, move, opaque
from ..tree import nodes as tree
from .frame import Frame, Parts
from .operators import nothing
from .runtime_calls import SLOT_BYTES, as_slots


def launch(f: Frame, node: tree.BuiltinCall, args: Iterable[Value | Parts], mask: Mask) -> Value:
    """Launch a child for each lane; the arguments are lowered already."""
    b = f.b
    values = [part for arg in args for part in (arg if isinstance(arg, tuple) else (arg,))]
    slots = f.slots(len(values))
    for i, value in enumerate(values):
        b.store(as_slots(f, value), move(b, slots, i * f.lanes * SLOT_BYTES), align=SLOT_BYTES)
    lanes = masks.wide_bits(b, mask)
    wide = lanes if lanes.type == I64 else b.zext(lanes, I64)
    function = declare(b.module, "s2s_launch_children", ir.VoidType(), [PTR, I64, PTR, I32, PTR])
    b.call(function, [f.gang, wide, slots, const(I32, f.lanes), _record(f, node.builtin.kernel)])
    return nothing()


def _record(f: Frame, kernel: str) -> ir.Value:
    """Return the `s2s_child` of a kernel, which `complete` fills in."""
    records = f.program.children
    if kernel not in records:
        type_ = ir.LiteralStructType([PTR, PTR, PTR, I32])
        record = ir.GlobalVariable(f.b.module, type_, f"{kernel}.child")
        record.linkage = "internal"
        record.global_constant = True
        records[kernel] = record
    return opaque(records[kernel])


def complete(llvm: ir.Module, module: tree.Module, records: dict[str, ir.GlobalVariable]) -> None:
    """Fill in the records: the descriptors of all kernels are there."""
    for name, record in records.items():
        kernel = module.functions[name]
        offsets, _ = pack_params(param.type for param in kernel.params)
        places = [
            (offset + at, leaf.size)
            for param, offset in zip(kernel.params, offsets, strict=True)
            for at, leaf in leaves(param.type)
        ]
        tables = [_table(llvm, f"{name}.child.{what}", [place[i] for place in places])
                  for i, what in enumerate(("offsets", "sizes"))]  # fmt: skip
        descriptor = llvm.globals[abi.kernel_symbol(name, module.name, static=kernel.static)]
        assert isinstance(descriptor, ir.GlobalVariable)
        fields = [opaque(descriptor), *tables, ir.Constant(I32, len(places))]
        assert len(fields) == len(CHILD.offset)
        record.initializer = ir.Constant(record.value_type, fields)


def _table(llvm: ir.Module, name: str, numbers: list[int]) -> ir.Value:
    if not numbers:
        return ir.Constant(PTR, None)
    type_ = ir.ArrayType(I32, len(numbers))
    return constant_data(llvm, name, ir.Constant(type_, [ir.Constant(I32, number) for number in numbers]))
