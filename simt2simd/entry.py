"""A kernel's entries and descriptor, as runtime/s2s.h declares them.

`range` runs blocks one after the other, for kernels without barriers and for those that are divided at their
barriers (`fission`); `gang` runs one gang, for other kernels with barriers and for blocks that several hthreads share.
Both come in versions (`VERSIONS`): one for launches where no gang spans two rows of the block, one for all and,
for kernels that access memory better so, one whose gangs lie along y.
"""

from __future__ import annotations

from collections.abc import Sequence

from llvmlite import ir

from . import abi, tree
from .abi import DIM3, GANG, LAUNCH
from .barrier import leave_ring
from .ctype import LONG, leaves
from .frame import fixed, load_field
from .gangs import BlockSize, Turn, each_gang, existing_lanes, keep_loops, set_field
from .irtools import I1, I8, I16, I32, I64
from .source import Span
from .vector import ANY_POINTER, PTR, Value, constant_data, constant_text, move, opaque, scalar_type, vector

VOID = ir.VoidType()
DEFAULT_MAX_THREADS = 1024
VERSIONS = ("x", "", "y")  # in the order of s2s_kernel's tables: the axis along which gangs lie; empty: they span rows


def emit_kernel(
    llvm: ir.Module, module: tree.Module, kernel: tree.Function, bodies: Sequence[ir.Function],
    whole_block: ir.Function | None, *, synchronises: bool, independent: bool, sites: list[Span], shared_bytes: int,
) -> None:  # fmt: skip
    """Emit the entries and the descriptor of `kernel`, from its body for each of `VERSIONS`; it may have no third.

    `bodies` run one gang; `whole_block`, if given, runs a block of a kernel that is divided, gangs along x.
    """
    ranges: list[ir.Function | None] = [None] * len(bodies)
    if not synchronises:
        ranges = [
            _range(llvm, kernel, body, f"{kernel.name}.range{i}", along)
            if body is not bodies[0] or whole_block is None
            else None
            for i, (body, along) in enumerate(zip(bodies, VERSIONS, strict=False))
        ]
    if whole_block is not None:
        ranges[0] = _range(llvm, kernel, whole_block, f"{kernel.name}.range0", "x", whole_block=True)
    gangs = [
        _gang(llvm, kernel, body, f"{kernel.name}.gang{i}", along, synchronises=synchronises)
        for i, (body, along) in enumerate(zip(bodies, VERSIONS, strict=False))
    ]
    flags = (abi.HAS_BARRIERS if synchronises else 0) | (abi.CHECKED_BARRIERS if sites else 0)
    flags |= abi.INDEPENDENT_BLOCKS if independent else 0
    _descriptor(llvm, module, kernel, ranges, gangs, flags, sites, shared_bytes)


def _function(llvm: ir.Module, name: str, params: list[ir.Type]) -> ir.Function:
    function = ir.Function(llvm, ir.FunctionType(VOID, params), name)
    function.linkage = "internal"
    function.attributes.add("nounwind")
    return function


def _params(b: ir.IRBuilder, kernel: tree.Function, args: ir.Value) -> list[ir.Value]:
    """Read the kernel's parameters, scalar by scalar, from their packed block."""
    offsets, _ = abi.pack_params(param.type for param in kernel.params)
    return [
        _held(b, move(b, args, offset + at), leaf, f"{param.name}.arg")
        for param, offset in zip(kernel.params, offsets, strict=True)
        for at, leaf in leaves(param.type)
    ]


def _fitted(b: ir.IRBuilder, body: ir.Function, args: list[ir.Value]) -> list[ir.Value]:
    """The parameters as `body` takes them: scalars, or vectors where nothing is claimed to be uniform (`--verify`)."""
    return [_spread(b, arg, type_) for arg, type_ in zip(args, body.function_type.args[2:], strict=True)]


def _spread(b: ir.IRBuilder, arg: ir.Value, wanted: ir.Type) -> ir.Value:
    if arg.type == I1 and wanted == I16:
        return b.sext(arg, I16)  # a bool for each lane
    if isinstance(wanted, ir.VectorType):
        return vector(b, Value(LONG if arg.type != PTR else ANY_POINTER, arg))
    return arg


def _held(b: ir.IRBuilder, where: ir.Value, leaf: object, name: str) -> ir.Value:
    type_ = scalar_type(leaf)  # type: ignore[arg-type]
    if type_ == ir.IntType(1):
        return b.icmp_unsigned("!=", b.load(where, typ=I8), ir.Constant(I8, 0), name=name)
    return b.load(where, typ=type_, name=name)


def _gang(
    llvm: ir.Module, kernel: tree.Function, body: ir.Function, name: str, along: str, *, synchronises: bool
) -> ir.Function:
    function = _function(llvm, name, [PTR])
    (gang,) = function.args
    b = ir.IRBuilder(function.append_basic_block("entry"))
    first = load_field(b, gang, "first_thread", I32)
    if along:
        inner, outer = along, "y" if along == "x" else "x"
        width, height = (load_field(b, gang, f"launch.block.{axis}", I32) for axis in (inner, outer))
        row = b.udiv(first, width)
        set_field(b, gang, "thread", b.urem(first, width), inner)
        set_field(b, gang, "thread", b.urem(row, height), outer)
        set_field(b, gang, "thread", b.udiv(row, height), "z")
    args = _params(b, kernel, load_field(b, gang, "launch.args", PTR))
    mask = existing_lanes(b, load_field(b, gang, "launch.threads", I32), first)
    b.call(body, [gang, mask, *_fitted(b, body, args)], attrs=("alwaysinline",) if synchronises else ("noinline",))
    if synchronises:
        leave_ring(b, gang)
    else:
        b.ret_void()
    return function


def _range(
    llvm: ir.Module, kernel: tree.Function, body: ir.Function, name: str, along: str, *, whole_block: bool = False
) -> ir.Function:
    """for (block = first; block < end; block++) for each gang of the block: body; if that is a `whole_block`: body"""
    function = _function(llvm, name, [PTR, PTR, I64, I64])
    launch, shared, first_block, end_block = function.args
    for arg, label in zip(function.args, ("launch", "shared", "first.block", "end.block"), strict=True):
        arg.name = label
    entry = ir.IRBuilder(function.append_basic_block("entry"))
    gang = opaque(entry.alloca(ir.ArrayType(I64, GANG.size // 8), name="gang"))
    gang.align = 64
    set_field(entry, gang, "launch", launch)
    set_field(entry, gang, "shared", shared)
    args = _params(entry, kernel, entry.load(move(entry, launch, LAUNCH.offset["args"]), typ=PTR))
    axes = "yxz" if along == "y" else "xyz"  # neighbouring blocks in memory follow each other
    grid = [_launch_field(entry, launch, "grid", axis) for axis in axes]
    width, height, _ = (_launch_field(entry, launch, "block", axis) for axis in "xyz")
    threads = entry.load(move(entry, launch, LAUNCH.offset["threads"]), typ=I32, name="threads")
    columns, rows = entry.zext(grid[0], I64), entry.zext(grid[1], I64)
    row = entry.udiv(first_block, columns)
    start = [
        entry.trunc(entry.urem(first_block, columns), I32),
        entry.trunc(entry.urem(row, rows), I32),
        entry.trunc(entry.udiv(row, rows), I32),
    ]
    block, done = function.append_basic_block("block"), function.append_basic_block("done")
    b = ir.IRBuilder(block)
    entry.cbranch(entry.icmp_unsigned("<", first_block, end_block), block, done)
    number = b.phi(I64, "block.number")
    number.add_incoming(first_block, entry.block)
    index = [b.phi(I32, f"block.{axis}") for axis in axes]
    for phi, value in zip(index, start, strict=True):
        phi.add_incoming(value, entry.block)
    for phi, axis in zip(index, axes, strict=True):
        set_field(b, gang, "block", phi, axis)
    if whole_block:
        keep_loops(function)
        b.call(body, [gang, *args], attrs=("alwaysinline",))
    else:

        def call(turn: Turn) -> None:
            b.call(body, [gang, turn.mask, *_fitted(b, body, args)], attrs=("alwaysinline",))

        each_gang(b, gang, BlockSize(threads, width, height), call, along=along, split=False)

    zero, one = ir.Constant(I32, 0), ir.Constant(I32, 1)
    after = b.add(number, ir.Constant(I64, 1))
    right = b.add(index[0], one)
    wraps = b.icmp_unsigned(">=", right, grid[0])
    down = b.add(index[1], b.zext(wraps, I32))
    deep = b.icmp_unsigned(">=", down, grid[1])
    number.add_incoming(after, b.block)
    index[0].add_incoming(b.select(wraps, zero, right), b.block)
    index[1].add_incoming(b.select(deep, zero, down), b.block)
    index[2].add_incoming(b.add(index[2], b.zext(deep, I32)), b.block)
    b.cbranch(b.icmp_unsigned("<", after, end_block), block, done)
    b.position_at_end(done)
    b.ret_void()
    return function


def _launch_field(b: ir.IRBuilder, launch: ir.Value, field: str, axis: str) -> ir.Value:
    return fixed(b, b.load(move(b, launch, LAUNCH.offset[field] + DIM3.offset[axis]), typ=I32, name=f"{field}.{axis}"))


# -------------------------------------------------------------------------------------------- descriptor


def _descriptor(
    llvm: ir.Module, module: tree.Module, kernel: tree.Function, ranges: Sequence[ir.Function | None],
    gangs: Sequence[ir.Function], flags: int, sites: list[Span], shared_bytes: int,
) -> None:  # fmt: skip
    """The `s2s_kernel` that describes the kernel to the runtime."""
    offsets, args_bytes = abi.pack_params(param.type for param in kernel.params)
    null = ir.Constant(PTR, None)
    numbers = [
        len(kernel.params),
        args_bytes,
        shared_bytes,
        kernel.max_threads or DEFAULT_MAX_THREADS,
        flags,
        len(sites),
    ]
    fields = [
        constant_text(llvm, "text", kernel.name),
        *(entry if entry is not None else null for entry in _filled(ranges)),
        *(entry if entry is not None else null for entry in _filled(gangs)),
        _data(llvm, f"{kernel.name}.offsets", [ir.Constant(I32, offset) for offset in offsets], I32),
        _data(llvm, f"{kernel.name}.sizes", [ir.Constant(I32, param.type.size) for param in kernel.params], I32),
        _sites(llvm, kernel, sites),
        *(ir.Constant(I32, number) for number in numbers),
    ]
    type_ = ir.LiteralStructType([field.type if not isinstance(field, ir.GlobalValue) else PTR for field in fields])
    symbol = abi.kernel_symbol(kernel.name, module.name, static=kernel.static)
    item = ir.GlobalVariable(llvm, type_, symbol)
    item.initializer = ir.Constant(type_, fields)
    item.global_constant = True


def _filled(entries: Sequence[ir.Function | None]) -> list[ir.Function | None]:
    """One entry for each version."""
    return [*entries, *[None] * (len(VERSIONS) - len(entries))]


def _sites(llvm: ir.Module, kernel: tree.Function, sites: list[Span]) -> ir.Value:
    site_type = ir.LiteralStructType([PTR, I32, I32])
    items = []
    for site in sites:
        file = constant_text(llvm, "text", site.source.name)
        items.append(ir.Constant(site_type, [file, ir.Constant(I32, site.line), ir.Constant(I32, site.column)]))
    return _data(llvm, f"{kernel.name}.sites", items, site_type)


def _data(llvm: ir.Module, name: str, items: list[ir.Constant], type_: ir.Type) -> ir.Value:
    if not items:
        return ir.Constant(PTR, None)
    return constant_data(llvm, name, ir.Constant(ir.ArrayType(type_, len(items)), items))
