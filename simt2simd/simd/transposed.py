"""Runs of memory of sixteen lanes, transposed: what each lane has side by side becomes a vector for each place in it.

    lane 0:   a0 a1 a2 ...            a0 b0 c0 ...     the first of all lanes
    lane 1:   b0 b1 b2 ...   becomes  a1 b1 c1 ...     the second
    lane 2:   c0 c1 c2 ...            a2 b2 c2 ...

A run has 64 bytes. Registers are transposed in two steps: within units of 128 bits, and unit by unit.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from llvmlite import ir

from ..target import LANES
from .builder import I32, const, known_function, lanes, splat
from .mask import Mask
from .strided import load_vector
from .values import I32_LANES, I64_LANES, PTR, move

RUN_BYTES = 64


def elements(size: int) -> int:
    """Return how many elements of `size` bytes a run has."""
    return RUN_BYTES // size


def read_runs(module: ir.Module, size: int) -> ir.Function:
    """Return the function `(room, addresses, counts)` that reads a run of each lane, of elements of `size` bytes.

    `room`: where the vectors are put, `LANES * RUN_BYTES` bytes, with 64 as their alignment; `addresses`: where the
    lanes' runs begin; `counts`: how many elements of each are read, 0 of lanes that are off. The rest become 0.
    """
    name = f"s2s.runs.{size}"
    known = known_function(module, name)
    if known is not None:
        return known
    function = ir.Function(module, ir.FunctionType(ir.VoidType(), [PTR, I64_LANES, I32_LANES]), name)
    function.linkage = "internal"
    function.attributes.add("nounwind")
    function.attributes.add("noinline")
    room, addresses, counts = function.args
    entry, whole, partly, done = (function.append_basic_block(label) for label in ("entry", "whole", "partly", "done"))
    b = ir.IRBuilder(entry)
    count = elements(size)
    run = ir.VectorType(ir.IntType(8 * size), count)
    short = b.icmp_unsigned("!=", counts, const(I32_LANES, count))
    b.cbranch(b.icmp_unsigned("==", b.bitcast(short, ir.IntType(LANES)), const(ir.IntType(LANES), 0)), whole, partly)
    starts = []
    for block in (whole, partly):
        b.position_at_end(block)
        starts.append([b.inttoptr(b.extract_element(addresses, const(I32, lane)), PTR) for lane in range(LANES)])
    b.position_at_end(whole)
    runs = [b.load(start, typ=run, align=size) for start in starts[0]]
    b.branch(done)
    b.position_at_end(partly)
    parts = [_part(b, start, run, b.extract_element(counts, const(I32, lane))) for lane, start in enumerate(starts[1])]
    b.branch(done)
    b.position_at_end(done)
    rows = []
    for one, other in zip(runs, parts, strict=True):
        phi = b.phi(run)
        phi.add_incoming(one, whole)
        phi.add_incoming(other, partly)
        rows.append(phi)
    for first in range(0, LANES, count):
        for place, vector in enumerate(transposed(b, rows[first : first + count])):
            b.store(vector, move(b, room, (place * LANES + first) * size), align=RUN_BYTES)
    b.ret_void()
    return function


def _part(b: ir.IRBuilder, start: ir.Value, run: ir.VectorType, count: ir.Value) -> ir.Value:
    """Read the first `count` elements of a run."""
    numbers = ir.VectorType(I32, run.count)
    on = b.icmp_unsigned("<", ir.Constant(numbers, list(range(run.count))), splat(b, count, run.count))
    return load_vector(b, start, run, RUN_BYTES // run.count, Mask(on))


def transposed(b: ir.IRBuilder, rows: Sequence[ir.Value]) -> list[ir.Value]:
    """Return the columns of a square of numbers of 32 or 64 bits, of which each row is a register of 512 bits."""
    units = 4
    per_unit = lanes(rows[0]) // units
    done = list(rows)
    for first in range(0, len(rows), per_unit):
        done[first : first + per_unit] = _within_units(b, done[first : first + per_unit])
    turned = [_unit_by_unit(b, done[column::per_unit]) for column in range(per_unit)]
    return [turned[column][unit] for unit in range(units) for column in range(per_unit)]


def _within_units(b: ir.IRBuilder, rows: Sequence[ir.Value]) -> list[ir.Value]:
    """Return what has the columns of these rows in each unit of 128 bits: two rows of 64 bits, or four of 32."""
    count = lanes(rows[0])
    if len(rows) == 2:
        return [_picked(b, rows, _unpacked(count, 1, 2, high)) for high in (False, True)]
    near = [_picked(b, rows[i : i + 2], _unpacked(count, 1, 4, high)) for i in (0, 2) for high in (False, True)]
    pairs = ((near[0], near[2]), (near[1], near[3]))
    return [_picked(b, pair, _unpacked(count, 2, 4, high)) for pair in pairs for high in (False, True)]


def _unpacked(count: int, size: int, per_unit: int, high: bool) -> Iterable[int]:
    """Yield lanes of two registers: pieces of `size` from the lower or the upper half of each unit, in turns."""
    for unit in range(0, count, per_unit):
        for place in range(per_unit // 2 if high else 0, per_unit if high else per_unit // 2, size):
            for register in (0, count):
                yield from range(register + unit + place, register + unit + place + size)


def _unit_by_unit(b: ir.IRBuilder, rows: Sequence[ir.Value]) -> list[ir.Value]:
    """Return the columns of four registers of four units each."""
    count = lanes(rows[0])
    size = count // 4

    def every_other(first: int) -> list[int]:
        starts = (first * size, (first + 2) * size, count + first * size, count + (first + 2) * size)
        return [lane for start in starts for lane in range(start, start + size)]

    even, odd = ([_picked(b, rows[i : i + 2], every_other(first)) for i in (0, 2)] for first in (0, 1))
    return [_picked(b, halves, every_other(first)) for first in (0, 1) for halves in (even, odd)]


def _picked(b: ir.IRBuilder, two: Sequence[ir.Value], places: Iterable[int]) -> ir.Value:
    """Return a register of these lanes of two."""
    picked = list(places)
    return b.shuffle_vector(two[0], two[1], ir.Constant(ir.VectorType(I32, len(picked)), picked))
