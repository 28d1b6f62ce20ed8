"""Loops over the gangs of a block, in generated code."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass

from llvmlite import ir

from ..abi import DIM3, GANG
from ..simd.builder import I32, I64, Builder, counted_loop, store_volatile
from ..simd.integers import divide_small
from ..simd.mask import all_bits, travelling
from ..simd.values import lane_constants, move, splat
from ..target import Along, Axis, tile

MOST_LANES_PER_THREAD = 2  # in blocks with several ragged rows: narrower ones are run by gangs that span rows


@dataclass(frozen=True)
class BlockSize:
    """The threads of a block, in all and along its first two axes, as i32.

    `one_layer`: the third is known to be 1. `in_step`: how many rows a gang does the work of, its own and those below
    it; they divide the height without a rest. `ragged`: gangs that lie in rows need not divide these.
    """

    threads: ir.Value
    width: ir.Value
    height: ir.Value
    one_layer: bool = False
    in_step: int = 1
    ragged: bool = False


@dataclass(frozen=True)
class Turn:
    """One iteration of a loop over gangs."""

    first: ir.Value  # the linear index of the gang's first thread
    slot: ir.Value  # the same in a block of whole gangs, whose lanes may do the work of others too
    thread: tuple[ir.Value, ...]  # its threadIdx, if no gang spans rows; else those of all lanes; nothing in a tile
    mask: ir.Value  # one bit for each lane, the lanes whose threads exist; the constant `all_bits` if all do
    rows: int = 1  # how many neighbouring rows it is for; the rest is about the first of them


@dataclass(frozen=True)
class Strip:
    """Neighbouring blocks along the axis along which gangs lie: the index of the first, and how many, as i32.

    `fused`: gangs may span them, as if they were one block; see `block-merging`.
    """

    first: ir.Value
    count: ir.Value
    fused: bool


def each_gang(
    b: Builder, gang: ir.Value, size: BlockSize, body: Callable[[Turn], None],
    *, along: Along, split: bool, strip: Strip | None = None, rows: tuple[int, ...] = (1,),
) -> None:  # fmt: skip
    """Emit `for each gang of the block: body`; a gang has as many threads as `b` has lanes.

    The body finds itself in the record `gang`.

    `along`: the axis along which gangs lie; "xy": they are tiles; empty: they may span rows. `split`: then the body is
    emitted twice, first for the gangs that are full, then for the one that may not be, at the end of the only row or of
    the block, or, if rows are ragged, of each row.
    `strip`: for each row, the gangs of all these blocks, so that what the rows of a block have in common is done once
    for all of them. With `split`, if it is fused, the body is emitted for the full gangs and for the last one of a row.
    `rows`: the body is emitted for each of these, for so many rows in one turn as long as there are so many; the last
    is 1.
    """
    if along == "xy":
        assert strip is None and not split
        _by_tiles(b, gang, size, body)
        return
    if along:
        _by_rows(b, gang, size, body, along, split, strip, rows)
        return
    assert strip is None and rows == (1,)
    _by_threads(b, gang, size, body, split)


def _by_threads(b: Builder, gang: ir.Value, size: BlockSize, body: Callable[[Turn], None], split: bool) -> None:
    """Emit `for each gang of consecutive threads: body`; then, if `split`, the gang that is not full."""
    odd = b.and_(size.threads, ir.Constant(I32, b.lanes - 1), name="odd")
    end = b.sub(size.threads, odd, flags=_NO_WRAP, name="full.threads") if split else size.threads
    any_full = b.icmp_unsigned("!=", end, _ZERO) if split else None
    starts = threads_from(b, _ZERO, size.width, size.height)
    steps = _digits(b, ir.Constant(I32, b.lanes), size.width, size.height)
    with counted_loop(b, _ZERO, end, b.lanes, "gang", "first.thread", if_any=any_full) as gangs:
        first = gangs.number
        thread = tuple(gangs.carry(start, f"thread.{axis}") for start, axis in zip(starts, "xyz", strict=True))
        set_field(b, gang, "first_thread", first)
        body(Turn(first, first, thread, all_bits(b.lanes) if split else existing_lanes(b, end, first)))
        for value, onward in zip(thread, _threads_behind(b, thread, steps, size), strict=True):
            gangs.follow(value, onward)
    if split:
        with _if_odd(b, odd):
            set_field(b, gang, "first_thread", end)
            body(Turn(end, end, threads_from(b, end, size.width, size.height), _lanes_below(b, odd)))


def threads_from(b: Builder, first: ir.Value, width: ir.Value, height: ir.Value) -> tuple[ir.Value, ...]:
    """Return threadIdx, along each axis, of consecutive threads from number `first` of their block on."""
    return _digits(b, b.add(splat(b, first), lane_constants(I32, 1, b.lanes)), width, height)


def _digits(b: Builder, number: ir.Value, width: ir.Value, height: ir.Value) -> tuple[ir.Value, ...]:
    """Return where thread `number` of a block is along each axis; or how far it is from thread 0."""
    row, x = divide_small(b, number, width)
    layer, y = divide_small(b, row, height)
    return x, y, layer


def _threads_behind(
    b: Builder, thread: tuple[ir.Value, ...], steps: tuple[ir.Value, ...], size: BlockSize
) -> tuple[ir.Value, ...]:
    """Return threadIdx so many threads further on: what goes past the end of a row, or of a layer, is carried on."""
    x, y, z = (b.add(value, splat(b, step)) for value, step in zip(thread, steps, strict=True))
    x, y = _carried(b, x, size.width, y)
    y, z = _carried(b, y, size.height, z)
    return x, y, z


def _carried(b: Builder, low: ir.Value, base: ir.Value, high: ir.Value) -> tuple[ir.Value, ir.Value]:
    """Return a digit, at most one `base` too large, as it should be, and the next digit."""
    ends = splat(b, base)
    past = b.icmp_unsigned(">=", low, ends)
    one = ir.Constant(high.type, [1] * b.lanes)
    return b.select(past, b.sub(low, ends), low), b.select(past, b.add(high, one), high)


def _by_rows(
    b: Builder, gang: ir.Value, size: BlockSize, body: Callable[[Turn], None], along: Axis, split: bool,
    strip: Strip | None, rows: tuple[int, ...],
) -> None:  # fmt: skip
    """Emit `for each row, each block of the strip, each gang of the row: body`; then, if `split`, the rest of a row.

    Along y, rows are columns: read y for x below, and the block's height for its width.
    """
    fused = strip is not None and strip.fused
    ragged = fused or size.ragged
    assert not split or ((strip is None or fused) and rows == (1,))
    inner, outer = along, "y" if along == "x" else "x"
    width, height = (size.width, size.height) if along == "x" else (size.height, size.width)
    end = width
    if strip is not None and fused:
        end = b.mul(width, strip.count, flags=_NO_WRAP, name="strip.width")
    odd = b.and_(end, ir.Constant(I32, b.lanes - 1), name="odd")
    end = b.sub(end, odd, flags=_NO_WRAP, name="full.width") if split else end
    any_full = b.icmp_unsigned("!=", end, _ZERO) if split else None

    def gangs_of(row: _Row, count: int) -> None:
        with (
            nullcontext() if strip is None or fused else _each_block(b, gang, strip, inner),
            counted_loop(b, _ZERO, end, b.lanes, "gang", "thread.x", if_any=any_full if ragged else None) as gangs,
        ):
            mask = all_bits(b.lanes) if split else None
            gang_of(row, gangs.number, mask, count)
        if split and ragged:
            with _if_odd(b, odd):
                gang_of(row, end, _lanes_below(b, odd), count)

    def gang_of(row: _Row, x: ir.Value, mask: ir.Value | None, count: int) -> None:
        first = b.add(row.first, x, flags=_NO_WRAP, name="first.thread")
        set_field(b, gang, "first_thread", first)
        set_field(b, gang, "thread", x, inner)
        thread = (x, row.y, row.z) if along == "x" else (row.y, x, row.z)
        if mask is None:
            mask = existing_lanes(b, end, x) if ragged else existing_lanes(b, size.threads, first)
        body(Turn(first, row.slot(b, size, x), thread, mask, count))

    with _each_row(b, size, width, height, None if ragged else any_full) as row:
        set_field(b, gang, "thread", row.y, outer)
        set_field(b, gang, "thread", row.z, "z")
        _in_groups(b, row, height, rows, gangs_of)
    if split and not ragged:
        with _if_odd(b, odd):
            set_field(b, gang, "first_thread", end)
            _set_thread(b, gang, (end, _ZERO, _ZERO))
            body(Turn(end, end, (end, _ZERO, _ZERO), _lanes_below(b, odd)))


def _by_tiles(b: Builder, gang: ir.Value, size: BlockSize, body: Callable[[Turn], None]) -> None:
    """Emit `for each layer, each row of tiles, each tile: body`; tiles divide a layer without a rest."""
    width, height = tile(b.lanes)
    rows = b.mul(size.width, ir.Constant(I32, height), flags=_NO_WRAP, name="rows.of.tiles")
    with counted_loop(b, _ZERO, size.threads, rows, "row", "row.first") as lines:
        y, z = lines.carry(_ZERO, "thread.y"), lines.carry(_ZERO, "thread.z")
        set_field(b, gang, "thread", y, "y")
        set_field(b, gang, "thread", z, "z")
        with counted_loop(b, _ZERO, size.width, width, "gang", "thread.x") as gangs:
            x = gangs.number
            first = b.add(lines.number, x, flags=_NO_WRAP, name="first.thread")
            set_field(b, gang, "first_thread", first)
            set_field(b, gang, "thread", x, "x")
            body(Turn(first, first, (), all_bits(b.lanes)))
        below = b.add(y, ir.Constant(I32, height), flags=_NO_WRAP)
        wraps = b.icmp_unsigned(">=", below, size.height)
        lines.follow(y, b.select(wraps, _ZERO, below))
        lines.follow(z, b.add(z, b.zext(wraps, I32), flags=_NO_WRAP))


def first_threads(
    b: Builder, gang: ir.Value, size: BlockSize, count: ir.Value, body: Callable[[Turn], None], *, split: bool
) -> None:
    """Emit `for each row: for each gang of the row's first `count` threads: body`; no gang spans two rows.

    `count`: an i32, not more than the width. `split`: the body is emitted twice, first for the gangs that are full,
    then for the one that may not be; it gets exactly those threads.
    """
    odd = b.and_(count, ir.Constant(I32, b.lanes - 1), name="odd")
    end = b.sub(count, odd, flags=_NO_WRAP, name="full.count") if split else count
    some = b.icmp_unsigned("!=", count, _ZERO)

    def turn(row: _Row, x: ir.Value, lanes: ir.Value) -> None:
        first = b.add(row.first, x, flags=_NO_WRAP, name="first.thread")
        set_field(b, gang, "first_thread", first)
        _set_thread(b, gang, (x, row.y, row.z))
        body(Turn(first, row.slot(b, size, x), (x, row.y, row.z), lanes))

    with _each_row(b, size, size.width, size.height, some) as row:
        any_full = b.icmp_unsigned("!=", end, _ZERO)
        with counted_loop(b, _ZERO, end, b.lanes, "gang", "thread.x", if_any=any_full) as gangs:
            turn(row, gangs.number, all_bits(b.lanes) if split else existing_lanes(b, count, gangs.number))
        if split:
            with _if_odd(b, odd):
                turn(row, end, _lanes_below(b, odd))


def _in_groups(
    b: Builder, row: _Row, height: ir.Value, rows: tuple[int, ...], gangs_of: Callable[[_Row, int], None]
) -> None:
    """Emit what runs the most of `rows`, of which the last is 1, that the layer has from this one on."""
    if len(rows) == 1:
        gangs_of(row, 1)
        return
    most = ir.Constant(I32, rows[0])
    fits = b.icmp_unsigned("<=", b.add(row.y, most, flags=_NO_WRAP), height, name="rows.fit")
    together, fewer, done = (b.append_basic_block(name) for name in ("rows.together", "rows.fewer", "rows.done"))
    b.cbranch(fits, together, fewer)
    b.position_at_end(together)
    gangs_of(row, rows[0])
    b.branch(done)
    together = b.block
    b.position_at_end(fewer)
    _in_groups(b, row, height, rows[1:], gangs_of)
    b.branch(done)
    alone = b.block
    b.position_at_end(done)
    count = b.phi(I32, "row.count")
    count.add_incoming(most, together)
    count.add_incoming(row.count, alone)
    row.count = count


@dataclass
class _Row:
    """One iteration of a loop over the rows of a block: its first thread, and where it is.

    `count`: how many rows the iteration is for, this one and those below it in its layer; may be set within the
    iteration. `first_slot`: what the first thread's index would be if whole gangs were all rows.
    """

    first: ir.Value
    y: ir.Value
    z: ir.Value
    count: ir.Value
    first_slot: ir.Value

    def slot(self, b: Builder, size: BlockSize, x: ir.Value) -> ir.Value:
        """Return the index of thread `x` of the row in a block of whole gangs, among rows that gangs begin with."""
        first = self.first_slot
        if size.in_step > 1:
            first = b.udiv(first, ir.Constant(I32, size.in_step), name="slot.first")
        return b.add(first, x, flags=_NO_WRAP, name="slot")


@contextmanager
def _each_row(
    b: Builder, size: BlockSize, width: ir.Value, height: ir.Value, if_any: ir.Value | None
) -> Iterator[_Row]:
    """Emit `for each row of the block`, layer by layer; not at all unless `if_any`; every `in_step`-th row only."""
    with counted_loop(b, _ZERO, size.threads, width, "row", "row.first", if_any=if_any) as rows:
        y = rows.carry(_ZERO, "thread.y")
        z = None if size.one_layer else rows.carry(_ZERO, "thread.z")
        first_slot = rows.carry(_ZERO, "slot.first") if size.ragged else rows.number
        count = _ONE if size.in_step == 1 else ir.Constant(I32, size.in_step)
        row = _Row(rows.number, y, z or _ZERO, count, first_slot)
        yield row
        if size.ragged:
            slots = b.mul(_in_whole_gangs(b, width), row.count, flags=_NO_WRAP)
            rows.follow(first_slot, b.add(first_slot, slots, flags=_NO_WRAP))
        if row.count is not _ONE:
            rows.step = b.mul(width, row.count, flags=_NO_WRAP)
        below = b.add(y, row.count, flags=_NO_WRAP)
        if z is None:
            rows.follow(y, below)
            return
        wraps = b.icmp_unsigned(">=", below, height)
        rows.follow(y, b.select(wraps, _ZERO, below))
        rows.follow(z, b.add(z, b.zext(wraps, I32), flags=_NO_WRAP))


def _in_whole_gangs(b: Builder, width: ir.Value) -> ir.Value:
    """Return how many lanes the gangs of a row have."""
    more = b.add(width, ir.Constant(I32, b.lanes - 1), flags=_NO_WRAP)
    return b.and_(more, ir.Constant(I32, -b.lanes), name="whole.width")


@contextmanager
def _each_block(b: Builder, gang: ir.Value, strip: Strip, axis: Axis) -> Iterator[None]:
    """Emit `for each block of the strip`."""
    with counted_loop(b, _ZERO, strip.count, 1, "block.of.strip", "block.in.strip") as blocks:
        set_field(b, gang, "block", b.add(strip.first, blocks.number, flags=_NO_WRAP), axis)
        yield


@contextmanager
def _if_odd(b: Builder, odd: ir.Value) -> Iterator[None]:
    """Emit `if (odd != 0)`: for the gang at the end of a row that is not full."""
    partial, done = (b.append_basic_block(name) for name in ("gang.partial", "gang.partial.done"))
    b.cbranch(b.icmp_unsigned("!=", odd, _ZERO), partial, done)
    b.position_at_end(partial)
    yield
    b.branch(done)
    b.position_at_end(done)


_ZERO, _ONE = (ir.Constant(I32, number) for number in (0, 1))
_NO_WRAP = ("nuw", "nsw")


def keep_loops(function: ir.Function) -> None:
    """Tell LLVM not to make calls of memcpy and memset of loops: those over gangs are short, and a call spills all."""
    for name in ("memcpy", "memset", "memmove"):
        set.add(function.attributes, f'"no-builtin-{name}"')  # llvmlite knows no attributes that are texts


def _lanes_below(b: Builder, odd: ir.Value) -> ir.Value:
    """Return the first `odd` lanes, fewer than all, as they travel."""
    wide = I32 if b.lanes < 32 else I64
    number = odd if wide is I32 else b.zext(odd, I64)
    some = b.sub(b.shl(ir.Constant(wide, 1), number), ir.Constant(wide, 1))
    some = b.and_(some, ir.Constant(wide, (1 << b.lanes - 1) - 1))  # tells LLVM that it is never the full mask
    mask = travelling(b.lanes)
    return some if some.type == mask else b.trunc(some, mask, name="entry.mask")


def existing_lanes(b: Builder, threads: ir.Value, first: ir.Value) -> ir.Value:
    """Return the lanes, as they travel, of the gang that starts at thread `first` of a block of `threads`."""
    left = b.sub(threads, first, name="left")
    full = b.icmp_unsigned(">=", left, ir.Constant(I32, b.lanes))
    return b.select(full, all_bits(b.lanes), _lanes_below(b, left), name="entry.mask")


def set_field(b: Builder, gang: ir.Value, field: str, value: ir.Value, axis: str = "") -> None:
    """Write a field of the gang's record."""
    where = move(b, gang, GANG.offset[field] + (DIM3.offset[axis] if axis else 0))
    if b.traced:
        store_volatile(b, value, where)
    else:
        b.store(value, where)


def _set_thread(b: Builder, gang: ir.Value, thread: Sequence[ir.Value]) -> None:
    """Write the threadIdx of the gang's first thread."""
    for axis, value in zip("xyz", thread, strict=True):
        set_field(b, gang, "thread", value, axis)
