"""Accesses whose lanes are a small distance apart, or in reverse: wide loads and stores, and shuffles.

    x = in[2 * i]             units 0, 2, 4 ... of two vectors
    x = in[n - 1 - i]         one vector, backwards
    p = points[i].x           one unit of each record of three; the loads serve `.y` and `.z` too

A *unit* is what the shuffles move: 1 to 8 bytes. A *window* is the units from the first lane's to the last lane's,
in vectors of 16 (`access.Strided`). It lies after the `base` of an address.
"""

from __future__ import annotations

from collections.abc import Sequence

from llvmlite import ir

from ..access import Strided
from ..target import LANES
from . import mask as masks
from .builder import I16, I32, I64, const, declare, element, frozen, lanes
from .instructions import Instructions
from .mask import Mask
from .values import I32_LANES, move


def load(b: ir.IRBuilder, cpu: Instructions, base: ir.Value, window: Strided, mask: Mask, align: int) -> ir.Value:
    """The unit of each lane that is on, as integers; lanes that are off read nothing but what lies between others."""
    count, step = abs(window.step), window.step
    type_ = ir.VectorType(ir.IntType(8 * window.size), LANES)
    parts = [
        load_vector(b, move(b, base, window.offset + window.size * LANES * i), type_, align, part)
        for i, part in enumerate(_spread(b, cpu, mask, window, storing=False))
    ]
    numbers = [(lane if step > 0 else LANES - 1 - lane) * count + window.unit for lane in range(LANES)]
    return _choose(b, parts, [divmod(number, LANES) for number in numbers])


def store(
    b: ir.IRBuilder,
    cpu: Instructions,
    base: ir.Value,
    window: Strided,
    units: Sequence[ir.Value],
    mask: Mask,
    align: int,
) -> None:
    """Store, for each lane, `units`: the one that the window is about, or for a whole record all of them."""
    count, step = abs(window.step), window.step
    for i, part in enumerate(_spread(b, cpu, mask, window, storing=True)):
        wanted: list[tuple[int, int] | None] = []
        for number in range(i * LANES, (i + 1) * LANES):
            lane, unit = divmod(number, count)
            needed = window.whole or unit == 0
            wanted.append((unit, lane if step > 0 else LANES - 1 - lane) if needed else None)
        where = move(b, base, window.offset + window.size * LANES * i)
        store_vector(b, where, _choose(b, units, wanted), align, part)


def _spread(b: ir.IRBuilder, cpu: Instructions, mask: Mask, window: Strided, storing: bool) -> list[Mask]:
    """For each vector of the window, the units of lanes that are on: the first, or all of a whole record."""
    count = abs(window.step)
    on = mask.lanes
    if window.step < 0 and not mask.all_on:
        on = b.shuffle_vector(on, on, ir.Constant(I32_LANES, [*reversed(range(LANES))]))
    if count == 1:
        return [Mask(on)]
    units = (1 << count) - 1 if window.whole else 1
    if mask.all_on:
        bits = sum(units << (lane * count) for lane in range(LANES))
        if not storing:  # what lies between the lanes' may be read
            bits = (1 << bits.bit_length()) - 1
        return [_constant_mask(bits >> LANES * i) for i in range(count)]
    return [masks.from_bits(b, part) for part in _spread_bits(b, cpu, on, count, units)]


def _constant_mask(bits: int) -> Mask:
    on = [bits >> lane & 1 for lane in range(LANES)]
    return Mask(masks.all_lanes(LANES) if all(on) else ir.Constant(masks.lane_bits(LANES), on))


def _spread_bits(b: ir.IRBuilder, cpu: Instructions, on: ir.Value, count: int, units: int) -> list[ir.Value]:
    """`units` bits for each lane's bit, `count` apart, in parts of 16 bits."""
    half = LANES // 2 if count > 4 else LANES
    pattern = ir.Constant(I64, sum(1 << (lane * count) for lane in range(half)))
    number = b.zext(b.bitcast(on, I16), I64)
    wide = ir.IntType(LANES * count) if count > 4 else I64
    spread: ir.Value | None = None
    for first in range(0, LANES, half):
        bits: ir.Value = cpu.deposit(b, b.lshr(number, ir.Constant(I64, first)) if first else number, pattern)
        bits = b.mul(bits, ir.Constant(I64, units)) if units > 1 else bits
        bits = b.shl(b.zext(bits, wide), ir.Constant(wide, first * count)) if wide != I64 else bits
        spread = bits if spread is None else b.or_(spread, bits)
    assert spread is not None
    return [b.trunc(b.lshr(spread, ir.Constant(wide, LANES * i)), I16) for i in range(count)]


def _choose(b: ir.IRBuilder, sources: Sequence[ir.Value], wanted: Sequence[tuple[int, int] | None]) -> ir.Value:
    """The vector whose slot s is element `wanted[s][1]` of source `wanted[s][0]`: a shuffle per two sources, blends."""
    found: ir.Value | None = None
    have: set[int] = set()
    for first in range(0, len(sources), 2):
        pair = sources[first], sources[min(first + 1, len(sources) - 1)]
        slots = {s: LANES * (w[0] - first) + w[1] for s, w in enumerate(wanted) if w and w[0] in (first, first + 1)}
        if not slots:
            continue
        picked = pair[0]
        if slots != {s: s for s in slots}:
            picked = b.shuffle_vector(*pair, _indices(slots))
        if found is not None:
            both = {s: s for s in have} | {s: LANES + s for s in slots}
            picked = b.shuffle_vector(found, picked, _indices(both))
        found, have = picked, have | set(slots)
    assert found is not None
    return found


def _indices(slots: dict[int, int]) -> ir.Constant:
    """The indices of a shuffle; slots without one hold anything."""
    return ir.Constant(I32_LANES, [slots.get(s, s) for s in range(LANES)])


# ------------------------------------------------------------------------------------- vectors in memory


def load_vector(b: ir.IRBuilder, where: ir.Value, type_: ir.VectorType, align: int, mask: Mask) -> ir.Value:
    """Read the elements of lanes that are on; those of other lanes become 0.

    What a masked load gives is frozen. LLVM 22 makes a masked load whose only use is a `select` of the same mask into
    a new one at the place of the `select`, after stores to the same memory. It does not see the load through `freeze`,
    which it keeps: a masked load has undefined lanes for all it knows.
    Source: github.com/llvm/llvm-project/issues/215453.
    """
    if mask.all_on:
        return b.load(where, typ=type_, align=align)
    name = f"llvm.masked.load.v{mask.count}{code(type_.element)}.p0"
    function = declare(b.module, name, type_, [where.type, I32, masks.lane_bits(mask.count), type_])
    return frozen(b, b.call(function, [where, ir.Constant(I32, align), mask.lanes, ir.Constant(type_, None)]))


def store_vector(b: ir.IRBuilder, where: ir.Value, value: ir.Value, align: int, mask: Mask) -> None:
    """Write the elements of lanes that are on."""
    if mask.all_on:
        b.store(value, where, align=align)
        return
    name = f"llvm.masked.store.v{mask.count}{code(element(value.type))}.p0"
    function = declare(b.module, name, ir.VoidType(), [value.type, where.type, I32, masks.lane_bits(mask.count)])
    b.call(function, [value, where, ir.Constant(I32, align), mask.lanes])


def code(type_: ir.Type) -> str:
    """How intrinsics spell an element type."""
    return {"float": "f32", "double": "f64"}.get(str(type_), str(type_))


def as_units(b: ir.IRBuilder, value: ir.Value, size: int) -> list[ir.Value]:
    """The lanes of `value` as integers of `size` bytes: one vector, or two for a value of twice the size."""
    lane = element(value.type)
    width = lane.width if isinstance(lane, ir.IntType) else 0
    if not width:
        width = 32 if str(lane) == "float" else 64
        value = b.bitcast(value, ir.VectorType(ir.IntType(width), lanes(value)))
    unit = ir.VectorType(ir.IntType(8 * size), LANES)
    if width < 8 * size:
        return [b.zext(value, unit)]
    if width == 8 * size:
        return [value]
    return [b.trunc(value, unit), b.trunc(b.lshr(value, const(value.type, 8 * size)), unit)]
