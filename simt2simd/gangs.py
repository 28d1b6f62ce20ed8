"""Loops over the gangs of a block, in generated code."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from llvmlite import ir

from .abi import DIM3, GANG
from .irtools import I32
from .mask import I16
from .target import LANES
from .vector import move


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
    mask: ir.Value  # i16: the lanes whose threads exist


@contextmanager
def each_gang(b: ir.IRBuilder, gang: ir.Value, size: BlockSize, linear: bool) -> Iterator[Turn]:
    """Emit `for each gang of the block: ...`; what is emitted inside is the body, which finds itself in `gang`."""
    function = b.function
    head, done = function.append_basic_block("gang"), function.append_basic_block("gangs.done")
    start = b.block
    b.branch(head)
    b.position_at_end(head)
    zero, lanes = ir.Constant(I32, 0), ir.Constant(I32, LANES)
    first = b.phi(I32, "first.thread")
    first.add_incoming(zero, start)
    thread = [b.phi(I32, f"thread.{axis}") for axis in "xyz"] if linear else []
    for phi in thread:
        phi.add_incoming(zero, start)
    set_field(b, gang, "first_thread", first)
    for phi, axis in zip(thread, "xyz", strict=False):
        set_field(b, gang, "thread", phi, axis)
    yield Turn(first, tuple(thread), existing_lanes(b, size.threads, first))
    following = b.add(first, lanes, flags=("nuw", "nsw"))
    first.add_incoming(following, b.block)
    if linear:  # the next gang of the row, or the first of the next row
        along = b.add(thread[0], lanes, flags=("nuw", "nsw"))
        wraps = b.icmp_unsigned(">=", along, size.width)
        down = b.add(thread[1], b.zext(wraps, I32))
        deep = b.icmp_unsigned(">=", down, size.height)
        thread[0].add_incoming(b.select(wraps, zero, along), b.block)
        thread[1].add_incoming(b.select(deep, zero, down), b.block)
        thread[2].add_incoming(b.add(thread[2], b.zext(deep, I32)), b.block)
    b.cbranch(b.icmp_unsigned("<", following, size.threads), head, done)
    b.position_at_end(done)


def existing_lanes(b: ir.IRBuilder, threads: ir.Value, first: ir.Value) -> ir.Value:
    """The lanes, as i16, of the gang that starts at thread `first` of a block of `threads`."""
    left = b.sub(threads, first, name="left")
    partial = b.sub(b.shl(ir.Constant(I32, 1), left), ir.Constant(I32, 1))
    partial = b.and_(partial, ir.Constant(I32, (1 << LANES - 1) - 1))  # tells LLVM that it is never the full mask
    full = b.icmp_unsigned(">=", left, ir.Constant(I32, LANES))
    return b.trunc(b.select(full, ir.Constant(I32, (1 << LANES) - 1), partial), I16, name="entry.mask")


def set_field(b: ir.IRBuilder, gang: ir.Value, field: str, value: ir.Value, axis: str = "") -> None:
    """Write a field of the gang's record."""
    b.store(value, move(b, gang, GANG.offset[field] + (DIM3.offset[axis] if axis else 0)))
