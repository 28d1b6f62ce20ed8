"""A kernel's entries and descriptor, as runtime/include/s2s.h declares them.

`range` runs blocks one after the other, for kernels without barriers and for those that are divided at their
barriers (`barrier-fission`); `gang` runs one gang, for other kernels with barriers and for blocks that several hthreads
share. Kernels whose blocks may be divided have no `gang`: each hthread runs parts of blocks. Nor have divided versions
that hardly a launch uses (`rare-versions`): one hthread runs a block.

Both come in versions (`Version`): one for launches where no gang spans two rows of the block, one for all and, for
kernels that access memory better so, one whose gangs lie along y. Kernels that gain by wider gangs, or by gangs that
are tiles of a block, have versions for these too.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from llvmlite import ir

from .. import abi
from ..abi import DIM3, GANG, LAUNCH, PROGRESS
from ..costs import LONG_STRIP, SHORT_STRIP
from ..lang.ctype import LONG, CType, leaves
from ..lang.instance import AnyInstance, Instance
from ..mapping.block_merging import Strips
from ..mapping.redundant_axes import AXES
from ..simd.builder import I1, I8, I32, I64, Builder, counted_loop, store_volatile
from ..simd.values import (
    ANY_POINTER,
    PTR,
    Value,
    constant_table,
    constant_text,
    move,
    opaque,
    scalar_type,
    vector,
)
from ..target import Along, Axis, Target
from ..tree import nodes as tree
from .barrier import end_of_piece, leave_ring
from .frame import fixed, load_field
from .gang_loops import BlockSize, Strip, Turn, each_gang, existing_lanes, keep_loops, set_field
from .profile_counters import text
from .sites import Sites

VOID = ir.VoidType()


@dataclass(frozen=True)
class RowBody:
    """What runs gangs in `rows` neighbouring rows of a block in step: a function of the gang in the first of them.

    `side`: of a kernel that is divided at its barriers it runs whole blocks, which are so wide and high.
    """

    rows: int
    function: ir.Function
    side: int | None = None


@dataclass(frozen=True)
class Version:
    """A way to run a kernel.

    `slot`: its place in the tables of `s2s_kernel`. `along`: the axis along which gangs lie; empty if they may span
    rows. `body` runs a gang; None if there is nothing to run a gang alone. `whole_block` runs a block of a kernel that
    is divided at its barriers; None if it is not. `strips`: how neighbouring blocks run together, if they do.
    `axes`: of a block, all three, or the first ones if the threads along the others would do the same once more.
    `in_step`: what runs several rows, if they run in step, the most rows first. `ragged`: its gangs need not divide
    the rows in which they lie. `takes_long`: its threads do so much
    that a call for each gang costs nothing.
    """

    slot: int
    along: Along
    lanes: int
    body: ir.Function | None
    whole_block: ir.Function | None
    strips: Strips | None
    axes: int = AXES
    in_step: tuple[RowBody, ...] = ()
    ragged: bool = False
    takes_long: bool = False

    def threads(self, b: Builder, all_threads: ir.Value, block: Sequence[ir.Value]) -> ir.Value:
        """Return how many of a block's threads run, the first ones; `block`: its size along each axis."""
        if self.axes == AXES:
            return all_threads
        assert self.axes > 1 or self.along in ("x", ""), "the first ones are a row"
        return block[0] if self.axes == 1 else b.mul(block[0], block[1], flags=("nuw", "nsw"), name="layer")


# Of a body, before LLVM has made anything of it. Guesses:
MOST_COPIED_INSTRUCTIONS = 750  # what may be copied into two loops
MOST_INLINED_INSTRUCTIONS = 3750  # what is worth a copy in the loop over blocks: one of 1552 in `volume` gains 4 %

SLOTS = {"x": 0, "": 1, "y": 2}  # of versions whose gangs are as wide as they must be, by their axis
WIDE_SLOT = 3  # of the one with wider gangs, along x
TILE_SLOT = 4  # of the one whose gangs are tiles


def emit_kernel(
    llvm: ir.Module, module: tree.Module, kernel: tree.Function, versions: Sequence[Version], target: Target,
    *, synchronises: bool, fibers: bool, independent: bool, always_wide: bool, lanes: int, counted: Sites | None,
    traced: bool, divisible: Collection[Axis], parts: bool, with_events: bool | None, shared_bytes: int,
    always_sorted: bool,
) -> None:  # fmt: skip
    """Emit the entries of all versions of `kernel`, and its descriptor.

    `always_wide`: the version with wide gangs is to be used wherever it can be, not only where it is better.
    `fibers`: its threads wait for each other. `parts`: lanes of a gang may wait without the others.
    `lanes`: of the gangs of the other versions. `counted`: what is counted while it runs, if anything.
    `with_events`: whether it has events; None if it launches no kernels. `traced`: the running gang is always known.
    `divisible`: the axes along which blocks may be divided; then nothing runs a gang alone.
    `always_sorted`: if its threads can be sorted, they are.
    """
    ranges: list[ir.Function | None] = [None] * (TILE_SLOT + 1)
    gangs: list[ir.Function | None] = [None] * (WIDE_SLOT + 1)
    for version in versions:
        if version.whole_block is not None or not (synchronises or fibers):
            ranges[version.slot] = _range(llvm, kernel, version, f"{kernel.name}.range{version.slot}", traced=traced)
        if version.body is not None and version.slot < WIDE_SLOT and not divisible:
            name = f"{kernel.name}.gang{version.slot}"
            gangs[version.slot] = _gang(
                llvm, kernel, version, version.body, name, target, synchronises=synchronises, parts=parts
            )
    wide_lanes, tile_lanes = (
        next((version.lanes for version in versions if version.slot == slot), 0) for slot in (WIDE_SLOT, TILE_SLOT)
    )
    flags = (abi.HAS_BARRIERS if synchronises else 0) | (abi.FIBERS if fibers else 0) | (abi.PARTS if parts else 0)
    flags |= abi.INDEPENDENT_BLOCKS if independent else 0
    fused = {version.along for version in versions if version.strips is not None and version.strips.fused}
    flags |= (abi.FUSED_BLOCKS if "x" in fused else 0) | (abi.FUSED_ALONG_Y if "y" in fused else 0)
    ragged = any(version.ragged and ranges[version.slot] is not None for version in versions)
    flags |= abi.RAGGED_ROWS if ragged else 0
    flags |= (abi.DIVISIBLE_X if "x" in divisible else 0) | (abi.DIVISIBLE_Y if "y" in divisible else 0)
    flags |= abi.ALWAYS_WIDE if always_wide else 0
    flags |= abi.COUNTED if counted is not None else 0
    flags |= abi.ALWAYS_SORTED if always_sorted else 0
    flags |= (abi.LAUNCHES if with_events is not None else 0) | (abi.ONE_STREAM if with_events else 0)
    lanes_of = [wide_lanes, lanes, tile_lanes]
    _descriptor(llvm, module, kernel, ranges, gangs, lanes_of, flags, shared_bytes, counted)


def _function(llvm: ir.Module, name: str, params: list[ir.Type]) -> ir.Function:
    function = ir.Function(llvm, ir.FunctionType(VOID, params), name)
    function.linkage = "internal"
    function.attributes.add("nounwind")
    return function


def _params(b: Builder, kernel: tree.Function, args: ir.Value) -> list[ir.Value]:
    """Read those of the kernel's parameters that travel, scalar by scalar, from their packed block."""
    offsets, _ = abi.pack_params(param.type for param in kernel.params)
    return [
        _held(b, move(b, args, offset + at), leaf, f"{param.name}.arg")
        for param, offset in zip(kernel.params, offsets, strict=True)
        if param.storage != "launch"
        for at, leaf in leaves(param.type)
    ]


def _fitted(b: Builder, body: ir.Function, args: list[ir.Value]) -> list[ir.Value]:
    """Return the parameters as `body` takes them: vectors where nothing is claimed to be uniform (`--verify`)."""
    return [_spread(b, arg, type_) for arg, type_ in zip(args, body.function_type.args[2:], strict=True)]


def _spread(b: Builder, arg: ir.Value, wanted: ir.Type) -> ir.Value:
    if arg.type == I1 and isinstance(wanted, ir.IntType) and wanted != I1:
        return b.sext(arg, wanted)  # a bool for each lane
    if isinstance(wanted, ir.VectorType):
        return vector(b, Value(LONG if arg.type != PTR else ANY_POINTER, arg))
    return arg


def _held(b: Builder, where: ir.Value, leaf: CType, name: str) -> ir.Value:
    type_ = scalar_type(leaf)
    if type_ == ir.IntType(1):
        return b.icmp_unsigned("!=", b.load(where, typ=I8), ir.Constant(I8, 0), name=name)
    return b.load(where, typ=type_, name=name)


def _gang(
    llvm: ir.Module, kernel: tree.Function, version: Version, body: ir.Function, name: str, target: Target,
    *, synchronises: bool, parts: bool,
) -> ir.Function:  # fmt: skip
    """Make what runs one gang, of which the record says where it begins."""
    assert version.along != "xy"
    function = _function(llvm, name, [PTR])
    (gang,) = function.args
    b, along = Builder(function.append_basic_block("entry"), version.lanes), version.along
    first = load_field(b, gang, "first_thread", I32)
    if along:
        inner, outer = along, "y" if along == "x" else "x"
        width, height = (load_field(b, gang, f"launch.block.{axis}", I32) for axis in (inner, outer))
        row = b.udiv(first, width)
        set_field(b, gang, "thread", b.urem(first, width), inner)
        set_field(b, gang, "thread", b.urem(row, height), outer)
        set_field(b, gang, "thread", b.udiv(row, height), "z")
    args = _params(b, kernel, load_field(b, gang, "launch.args", PTR))
    block = [load_field(b, gang, f"launch.block.{axis}", I32) for axis in "xyz"]
    threads = version.threads(b, load_field(b, gang, "launch.threads", I32), block)
    if version.axes < AXES:
        runs, idle = (b.append_basic_block(name) for name in ("runs", "idle"))
        b.cbranch(b.icmp_unsigned("<", first, threads), runs, idle)
        b.position_at_end(idle)
        b.ret_void()
        b.position_at_end(runs)
    mask = existing_lanes(b, threads, first)
    b.call(body, [gang, mask, *_fitted(b, body, args)], attrs=_copied(body) if synchronises else ("noinline",))
    if synchronises:
        if parts:
            end_of_piece(b, gang)
        leave_ring(b, gang, target)
    else:
        b.ret_void()
    return function


def _range(llvm: ir.Module, kernel: tree.Function, version: Version, name: str, *, traced: bool) -> ir.Function:
    """Make `for (block = first; block < end; block++)`, for each gang of the block `body`, or else `whole_block`.

    If the version runs `strips`, `block` advances by a strip of neighbours.
    """
    function = _function(llvm, name, [PTR, PTR, I64, I64])
    launch, shared, first_block, end_block = function.args
    for arg, label in zip(function.args, ("launch", "shared", "first.block", "end.block"), strict=True):
        arg.name = label
    b = Builder(function.append_basic_block("entry"), version.lanes, traced=traced)
    gang = opaque(b.alloca(ir.ArrayType(I64, GANG.size // 8), name="gang"))
    gang.align = 64
    set_field(b, gang, "launch", launch)
    set_field(b, gang, "shared", shared)
    progress = move(b, shared, abi.SHARED_ROOM_BYTES)
    if traced:
        store_volatile(b, gang, move(b, progress, PROGRESS.offset["gang"]))
    args = _params(b, kernel, b.load(move(b, launch, LAUNCH.offset["args"]), typ=PTR))
    axes = "yxz" if version.along == "y" else "xyz"  # neighbouring blocks in memory follow each other
    grid = [_launch_field(b, launch, "grid", axis) for axis in axes]
    block = width, height, _ = [_launch_field(b, launch, "block", axis) for axis in "xyz"]
    threads = b.load(move(b, launch, LAUNCH.offset["threads"]), typ=I32, name="threads")
    size = BlockSize(version.threads(b, threads, block), width, height, ragged=version.ragged)
    longest = _longest_strip(b, version.strips, height if version.along == "y" else width)
    with _each_block(b, first_block, end_block, grid, axes) as walk:
        for axis, place in zip(axes, walk.place, strict=True):
            set_field(b, gang, "block", place, axis)
        if kernel.body.statements:  # else LLVM is to see that the loop does nothing
            store_volatile(b, walk.number, move(b, progress, PROGRESS.offset["block"]))
        if version.whole_block is not None:
            keep_loops(function)
            _run_block(b, gang, version, size, args)
        else:
            strip = _strip(b, version, walk, longest)
            walk.count = strip.count if strip is not None else walk.count
            if strip is not None:
                store_volatile(b, strip.count, move(b, progress, PROGRESS.offset["blocks"]))
            _run_gangs(b, gang, version, size, args, strip)
    b.ret_void()
    return function


def _run_block(b: Builder, gang: ir.Value, version: Version, size: BlockSize, args: list[ir.Value]) -> None:
    """Run a block that is divided at barriers; with rows in step if it has the size for that."""
    function = version.whole_block
    assert function is not None
    if not version.in_step:
        b.call(function, [gang, *args], attrs=_copied(function))
        return
    (in_step,) = version.in_step
    assert in_step.side is not None
    sides = ((size.width, in_step.side), (size.height, in_step.side), (size.threads, in_step.side**2))
    fits = [b.icmp_unsigned("==", found, ir.Constant(I32, number)) for found, number in sides]
    together, alone, done = (b.append_basic_block(name) for name in ("rows.together", "rows.alone", "rows.done"))
    b.cbranch(b.and_(b.and_(fits[0], fits[1]), fits[2], name="rows.fit"), together, alone)
    ways = ((together, in_step.function, _copied(in_step.function)), (alone, function, ("noinline",)))
    for block, called, attributes in ways:
        b.position_at_end(block)
        b.call(called, [gang, *args], attrs=attributes)
        b.branch(done)
    b.position_at_end(done)


def _copied(body: ir.Function) -> tuple[str, ...]:
    """Return the attributes of the body's only call: to put it here, unless it is rarely run, or looked for."""
    separate = "optnone" in body.attributes or ("dbg" in body.metadata and "noinline" in body.attributes)
    return ("noinline",) if separate else ("alwaysinline",)


def _is_called(version: Version) -> bool:
    """Whether the body is called for each gang, so that LLVM need not compile a copy of it, too."""
    assert version.body is not None
    return version.takes_long or (version.strips is None and _size(version.body) > MOST_INLINED_INSTRUCTIONS)


def _size(body: ir.Function) -> int:
    return sum(len(block.instructions) for block in body.blocks)


def _run_gangs(
    b: Builder, gang: ir.Value, version: Version, size: BlockSize, args: list[ir.Value], strip: Strip | None
) -> None:
    assert version.body is not None
    bodies = {each.rows: each.function for each in version.in_step} | {1: version.body}

    def call(turn: Turn) -> None:
        function = bodies[turn.rows]
        attributes = ("noinline",) if _is_called(version) else _copied(function)
        b.call(function, [gang, turn.mask, *_fitted(b, function, args)], attrs=attributes)

    rows = tuple(bodies)
    split = rows == (1,) and version.strips is not None and _pays_twice(version.strips, version.body)
    each_gang(b, gang, size, call, along=version.along, split=split, strip=strip, rows=rows)


def _pays_twice(strips: Strips, body: ir.Function) -> bool:
    """Whether a body does little, so that full gangs are worth a loop of their own, beside the last gang of a row."""
    return strips.fused and strips.long and _size(body) <= MOST_COPIED_INSTRUCTIONS


@dataclass
class BlockWalk:
    """One iteration of a loop over blocks: the block's number, and its place along each axis, the fastest first.

    `end`: the number at which the walk ends. `grid`: how many blocks there are along each axis. `count`: how many
    neighbours the iteration is for, this block and those after it in its row; may be set within the iteration.
    """

    number: ir.Value
    place: tuple[ir.Value, ...]
    end: ir.Value
    grid: Sequence[ir.Value]
    count: ir.Value


@contextmanager
def _each_block(b: Builder, first: ir.Value, end: ir.Value, grid: Sequence[ir.Value], axes: str) -> Iterator[BlockWalk]:
    """`for (number = first; number < end; number += count)`; `grid`: how many blocks there are along each of `axes`."""
    columns, rows = b.zext(grid[0], I64), b.zext(grid[1], I64)
    row = b.udiv(first, columns)
    start = [
        b.trunc(b.urem(first, columns), I32),
        b.trunc(b.urem(row, rows), I32),
        b.trunc(b.udiv(row, rows), I32),
    ]
    zero, one = ir.Constant(I32, 0), ir.Constant(I32, 1)
    some = b.icmp_unsigned("<", first, end)
    with counted_loop(b, first, end, 1, "block", "block.number", if_any=some, flags=()) as blocks:
        column, line, layer = (blocks.carry(value, f"block.{axis}") for value, axis in zip(start, axes, strict=True))
        walk = BlockWalk(blocks.number, (column, line, layer), end, grid, one)
        yield walk
        blocks.step = b.zext(walk.count, I64)
        right = b.add(column, walk.count)
        wraps = b.icmp_unsigned(">=", right, grid[0])
        down = b.add(line, b.zext(wraps, I32))
        deep = b.icmp_unsigned(">=", down, grid[1])
        blocks.follow(column, b.select(wraps, zero, right))
        blocks.follow(line, b.select(deep, zero, down))
        blocks.follow(layer, b.add(layer, b.zext(deep, I32)))


def _strip(b: Builder, version: Version, walk: BlockWalk, longest: ir.Value) -> Strip | None:
    """Return the neighbours that run with a block, `longest` at most; None: it runs alone."""
    if version.strips is None:
        return None
    left = b.trunc(_least(b, b.sub(walk.end, walk.number), b.zext(longest, I64)), I32)
    count = _least(b, left, b.sub(walk.grid[0], walk.place[0]))
    return Strip(walk.place[0], count, version.strips.fused)


def _longest_strip(b: Builder, strips: Strips | None, width: ir.Value) -> ir.Value:
    """Return how many blocks, each of so many threads along the gangs' axis, run together at most, as an i32.

    Short strips are of blocks that gangs do not fill: of narrow ones so many that together they fill whole gangs.
    """
    if strips is None or strips.long:
        return ir.Constant(I32, LONG_STRIP)
    lanes, one, few = (ir.Constant(I32, n) for n in (b.lanes, 1, max(SHORT_STRIP, b.lanes // SHORT_STRIP)))
    fits = b.icmp_unsigned("==", b.urem(width, lanes), ir.Constant(I32, 0))
    in_whole_gangs = b.udiv(lanes, b.and_(width, b.neg(width)))
    enough = b.or_(b.icmp_unsigned(">", width, lanes), b.icmp_unsigned("<", in_whole_gangs, few))
    return b.select(fits, one, b.select(enough, few, in_whole_gangs), name="longest.strip")


def _least(b: Builder, left: ir.Value, right: ir.Value) -> ir.Value:
    return b.select(b.icmp_unsigned("<", left, right), left, right)


def _launch_field(b: ir.IRBuilder, launch: ir.Value, field: str, axis: str) -> ir.Value:
    return fixed(b, b.load(move(b, launch, LAUNCH.offset[field] + DIM3.offset[axis]), typ=I32, name=f"{field}.{axis}"))


# -------------------------------------------------------------------------------------------- descriptor

COMPANION = ir.LiteralStructType([PTR, I32, I32])  # s2s_companion


def _descriptor(
    llvm: ir.Module, module: tree.Module, kernel: tree.Function, ranges: Sequence[ir.Function | None],
    gangs: Sequence[ir.Function | None], lanes: Sequence[int], flags: int, shared_bytes: int,
    counted: Sites | None,
) -> None:  # fmt: skip
    """Make the `s2s_kernel` that describes the kernel to the runtime."""
    written = module.functions[kernel.helps or kernel.name]
    offsets, args_bytes = abi.pack_params(param.type for param in kernel.params)
    companions = _companions(llvm, module, kernel)
    null = ir.Constant(PTR, None)
    numbers = [
        len(kernel.params),
        args_bytes,
        shared_bytes,
        kernel.most_threads,
        flags,
        *lanes,
    ]
    fields = [
        constant_text(llvm, "text", written.title),
        *(entry if entry is not None else null for entry in ranges),
        *(entry if entry is not None else null for entry in gangs),
        constant_table(llvm, f"{kernel.name}.offsets", [ir.Constant(I32, offset) for offset in offsets], I32),
        constant_table(
            llvm, f"{kernel.name}.sizes", [ir.Constant(I32, param.type.size) for param in kernel.params], I32
        ),
        *(ir.Constant(I32, number) for number in numbers),
        constant_table(llvm, f"{kernel.name}.companions", companions, COMPANION),
        *(ir.Constant(I32, number) for number in (len(companions), 0)),
    ]
    if counted is not None:
        place = written.span
        fields += [opaque(counted.record), text(llvm, place.source.name), ir.Constant(I32, place.line)]
    type_ = ir.LiteralStructType([field.type if not isinstance(field, ir.GlobalValue) else PTR for field in fields])
    symbol = abi.kernel_symbol(kernel.name, module.name, static=kernel.static)
    item = ir.GlobalVariable(llvm, type_, symbol)
    item.initializer = ir.Constant(type_, fields)
    item.global_constant = True
    if kernel.helps is not None:
        item.linkage = "internal"


def _companions(llvm: ir.Module, module: tree.Module, kernel: tree.Function) -> list[ir.Constant]:
    """Return what the runtime is to know of a kernel's companions, as an `s2s_companion` each."""
    known = [each for each in module.companions if each.of == kernel.name and each.role.kind is not None]
    kernels = _descriptors(llvm, module, kernel, *(each.kernel for each in known))
    return [
        ir.Constant(COMPANION, [helper, ir.Constant(I32, each.role.kind), ir.Constant(I32, each.role.number)])
        for helper, each in zip(kernels, known, strict=True)
    ]


def _descriptors(llvm: ir.Module, module: tree.Module, kernel: tree.Function, *names: str) -> list[ir.Value]:
    """Return the descriptors of kernels that help another one; they are there already."""
    symbols = (abi.kernel_symbol(name, module.name, static=kernel.static) for name in names)
    return [opaque(found) for symbol in symbols if isinstance(found := llvm.globals[symbol], ir.GlobalVariable)]


def emit_instances(llvm: ir.Module, module: tree.Module) -> None:
    """Emit the lists of the kernels that host code asks for by their place and template arguments."""
    _emit_list(llvm, module, abi.instances_symbol(module.name), module.instances)
    for symbol, instances in module.linked.items():
        _emit_list(llvm, module, symbol, instances)


def _emit_list(llvm: ir.Module, module: tree.Module, symbol: str, instances: Mapping[AnyInstance, str]) -> None:
    items = []
    for instance, name in instances.items():
        if isinstance(instance, Instance):
            (kernel,) = _descriptors(llvm, module, module.functions[name], name)
            texts = [constant_text(llvm, "text", text) for text in (str(instance.place), instance.key)]
            items.append(ir.Constant(ir.LiteralStructType([PTR] * 3), [*texts, kernel]))
    if not items:
        return
    list_ = constant_table(llvm, "instances", items, items[0].type)
    type_ = ir.LiteralStructType([PTR, I64])
    item = ir.GlobalVariable(llvm, type_, symbol)
    item.initializer = ir.Constant(type_, [list_, ir.Constant(I64, len(items))])
    item.global_constant = True
