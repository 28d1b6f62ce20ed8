"""Loops over the gangs of a block, in generated code."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from llvmlite import ir

from ..abi import DIM3, GANG
from ..simd.builder import I32, I64, Builder
from ..simd.mask import all_bits, travelling
from ..simd.values import move
from ..target import Along, Axis


@dataclass(frozen=True)
class BlockSize:
    """The threads of a block, in all and along its first two axes, as i32."""

    threads: ir.Value
    width: ir.Value
    height: ir.Value


@dataclass(frozen=True)
class Turn:
    """One round of a loop over gangs."""

    first: ir.Value  # the linear index of the gang's first thread
    thread: tuple[ir.Value, ...]  # its threadIdx, if no gang spans rows; else nothing
    mask: ir.Value  # one bit for each lane, the lanes whose threads exist; the constant `all_bits` if all do


@dataclass(frozen=True)
class Strip:
    """Neighbouring blocks along the axis along which gangs lie: the index of the first, and how many, as i32.

    `fused`: gangs may span them, as if they were one block; see `strips`.
    """

    first: ir.Value
    count: ir.Value
    fused: bool


def each_gang(
    b: Builder, gang: ir.Value, size: BlockSize, body: Callable[[Turn], None],
    *, along: Along, split: bool, strip: Strip | None = None,
) -> None:  # fmt: skip
    """Emit `for each gang of the block: body`; a gang has as many threads as `b` has lanes.

    The body finds itself in the record `gang`.

    `along`: the axis along which gangs lie; empty: they may span rows. `split`: then the body is emitted twice, first
    for the gangs that are full, then for the one that may not be, at the end of the only row. `strip`: for each row,
    the gangs of all these blocks, so that what the rows of a block have in common is done once for all of them.
    """
    if along:
        _by_rows(b, gang, size, body, along, split, strip)
        return
    assert strip is None
    head, done = _blocks(b, "gang", "gangs.done")
    start = b.block
    b.branch(head)
    b.position_at_end(head)
    first = b.phi(I32, "first.thread")
    first.add_incoming(_ZERO, start)
    set_field(b, gang, "first_thread", first)
    body(Turn(first, (), existing_lanes(b, size.threads, first)))
    following = b.add(first, ir.Constant(I32, b.lanes), flags=_NO_WRAP)
    first.add_incoming(following, b.block)
    b.cbranch(b.icmp_unsigned("<", following, size.threads), head, done)
    b.position_at_end(done)


def _by_rows(
    b: Builder, gang: ir.Value, size: BlockSize, body: Callable[[Turn], None], along: Axis, split: bool,
    strip: Strip | None,
) -> None:  # fmt: skip
    """`for each row: for each block of the strip: for each gang of the row: body`; then, if `split`, the rest of a row.

    Along y, rows are columns: read y for x below, and the block's height for its width.
    """
    assert strip is None or not split
    inner, outer = along, "y" if along == "x" else "x"
    width, height = (size.width, size.height) if along == "x" else (size.height, size.width)
    row, one, row_done, rest = _blocks(b, "row", "gang", "row.done", "gangs.done")
    odd = b.and_(width, ir.Constant(I32, b.lanes - 1), name="odd")
    end = b.sub(width, odd, flags=_NO_WRAP, name="full.width") if split else width
    if strip is not None and strip.fused:
        end = b.mul(width, strip.count, flags=_NO_WRAP, name="strip.width")
    start = b.block
    if split:
        b.cbranch(b.icmp_unsigned("!=", end, _ZERO), row, rest)
    else:
        b.branch(row)
    b.position_at_end(row)
    row_first, y, z = (b.phi(I32, name) for name in ("row.first", "thread.y", "thread.z"))
    for phi in (row_first, y, z):
        phi.add_incoming(_ZERO, start)
    set_field(b, gang, "thread", y, outer)
    set_field(b, gang, "thread", z, "z")
    column_done = row_done
    if strip is not None and not strip.fused:
        column, column_done = _blocks(b, "block.of.strip", "block.of.strip.done")
        b.branch(column)
        b.position_at_end(column)
        number = b.phi(I32, "block.in.strip")
        number.add_incoming(_ZERO, row)
        set_field(b, gang, "block", b.add(strip.first, number, flags=_NO_WRAP), inner)
    before = b.block
    b.branch(one)
    b.position_at_end(one)
    x = b.phi(I32, "thread.x")
    x.add_incoming(_ZERO, before)
    first = b.add(row_first, x, flags=_NO_WRAP, name="first.thread")
    set_field(b, gang, "first_thread", first)
    set_field(b, gang, "thread", x, inner)
    thread = (x, y, z) if along == "x" else (y, x, z)
    if split:
        mask: ir.Value = all_bits(b.lanes)
    elif strip is not None and strip.fused:
        mask = existing_lanes(b, end, x)
    else:
        mask = existing_lanes(b, size.threads, first)
    body(Turn(first, thread, mask))
    onward = b.add(x, ir.Constant(I32, b.lanes), flags=_NO_WRAP)
    x.add_incoming(onward, b.block)
    b.cbranch(b.icmp_unsigned("<", onward, end), one, column_done)

    if strip is not None and not strip.fused:
        b.position_at_end(column_done)
        right = b.add(number, _ONE, flags=_NO_WRAP)
        number.add_incoming(right, column_done)
        b.cbranch(b.icmp_unsigned("<", right, strip.count), column, row_done)
    b.position_at_end(row_done)
    following = b.add(row_first, width, flags=_NO_WRAP)
    below = b.add(y, _ONE, flags=_NO_WRAP)
    wraps = b.icmp_unsigned(">=", below, height)
    row_first.add_incoming(following, row_done)
    y.add_incoming(b.select(wraps, _ZERO, below), row_done)
    z.add_incoming(b.add(z, b.zext(wraps, I32), flags=_NO_WRAP), row_done)
    b.cbranch(b.icmp_unsigned("<", following, size.threads), row, rest)
    b.position_at_end(rest)
    if not split:
        return
    partial, done = _blocks(b, "gang.partial", "block.done")
    b.cbranch(b.icmp_unsigned("!=", odd, _ZERO), partial, done)
    b.position_at_end(partial)
    set_field(b, gang, "first_thread", end)
    for axis, value in zip("xyz", (end, _ZERO, _ZERO), strict=True):
        set_field(b, gang, "thread", value, axis)
    body(Turn(end, (end, _ZERO, _ZERO), _lanes_below(b, odd)))
    b.branch(done)
    b.position_at_end(done)


def first_threads(
    b: Builder, gang: ir.Value, size: BlockSize, count: ir.Value, body: Callable[[Turn], None], *, split: bool
) -> None:
    """Emit `for each row: for each gang of the row's first `count` threads: body`; no gang spans two rows.

    `count`: an i32, not more than the width. `split`: the body is emitted twice, first for the gangs that are full,
    then for the one that may not be; it gets exactly those threads.
    """
    row, one, rest, row_done, done = _blocks(b, "row", "gang", "gangs.done", "row.done", "rows.done")
    odd = b.and_(count, ir.Constant(I32, b.lanes - 1), name="odd")
    end = b.sub(count, odd, flags=_NO_WRAP, name="full.count") if split else count
    start = b.block
    b.cbranch(b.icmp_unsigned("!=", count, _ZERO), row, done)
    b.position_at_end(row)
    row_first, y, z = (b.phi(I32, name) for name in ("row.first", "thread.y", "thread.z"))
    for phi in (row_first, y, z):
        phi.add_incoming(_ZERO, start)

    def turn(x: ir.Value, lanes: ir.Value) -> None:
        first = b.add(row_first, x, flags=_NO_WRAP, name="first.thread")
        set_field(b, gang, "first_thread", first)
        for axis, value in zip("xyz", (x, y, z), strict=True):
            set_field(b, gang, "thread", value, axis)
        body(Turn(first, (x, y, z), lanes))

    b.cbranch(b.icmp_unsigned("!=", end, _ZERO), one, rest)
    b.position_at_end(one)
    x = b.phi(I32, "thread.x")
    x.add_incoming(_ZERO, row)
    turn(x, all_bits(b.lanes) if split else existing_lanes(b, count, x))
    onward = b.add(x, ir.Constant(I32, b.lanes), flags=_NO_WRAP)
    x.add_incoming(onward, b.block)
    b.cbranch(b.icmp_unsigned("<", onward, end), one, rest)
    b.position_at_end(rest)
    if split:
        (partial,) = _blocks(b, "gang.partial")
        b.cbranch(b.icmp_unsigned("!=", odd, _ZERO), partial, row_done)
        b.position_at_end(partial)
        turn(end, _lanes_below(b, odd))
    b.branch(row_done)

    b.position_at_end(row_done)
    following = b.add(row_first, size.width, flags=_NO_WRAP)
    row_first.add_incoming(following, row_done)
    below = b.add(y, _ONE, flags=_NO_WRAP)
    wraps = b.icmp_unsigned(">=", below, size.height)
    y.add_incoming(b.select(wraps, _ZERO, below), row_done)
    z.add_incoming(b.add(z, b.zext(wraps, I32), flags=_NO_WRAP), row_done)
    b.cbranch(b.icmp_unsigned("<", following, size.threads), row, done)
    b.position_at_end(done)


_ZERO, _ONE = (ir.Constant(I32, number) for number in (0, 1))
_NO_WRAP = ("nuw", "nsw")


def _blocks(b: ir.IRBuilder, *names: str) -> list[ir.Block]:
    return [b.function.append_basic_block(name) for name in names]


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


def set_field(b: ir.IRBuilder, gang: ir.Value, field: str, value: ir.Value, axis: str = "") -> None:
    """Write a field of the gang's record."""
    b.store(value, move(b, gang, GANG.offset[field] + (DIM3.offset[axis] if axis else 0)))
