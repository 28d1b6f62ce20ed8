"""A loop that only some lanes of a wide gang enter runs in a narrow one.

    if (kind == 3)                            lanes 5, 17, 33 and 60 of a gang of 64: at most 16 of them
        for (...) x = next(x);                x' = x of these lanes, in one register;  x' = loop(x');  x = x' put back
 On four registers each iteration would cost four times as much, for lanes that are off. The loop is a function of its
own (`outline`), compiled for gangs of 16. Lanes keep their order, so that all effects happen in the same order too.
Which loops: see `mapping/lane_compaction`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from llvmlite import ir

from ..lang.ctype import Pointer, Scalar
from ..mapping.lane_compaction import CompactedLoop
from ..simd import builder
from ..simd import mask as masks
from ..simd.builder import I32, I64, concat, const, element, slice_lanes
from ..simd.instructions import instructions
from ..simd.mask import Mask
from ..simd.values import I32_LANES, Value, lane_constants, splat, vector
from ..target import LANES
from .frame import Frame
from .signature import arrived, leaving


def run(f: Frame, plan: CompactedLoop, mask: Mask, others: ir.Block, done: ir.Block) -> None:
    """Run the loop in a narrow gang and go to `done`, if at most 16 lanes are on; else go to `others`."""
    b = f.b
    count = b.ctpop(masks.bits(b, mask))
    few = b.icmp_unsigned("<=", count, ir.Constant(count.type, LANES), name="few.lanes")
    start = f.block("loop.squeezed")
    b.cbranch(few, start, others)
    b.position_at_end(start)
    loop, instance = plan.loop, plan.instance
    places = _Places.of(f, mask)
    args: list[ir.Value] = []
    known = f.program.shapes.instances[instance].args
    for variable, shape in zip(loop.captured, known, strict=True):
        value = f.read(variable, 0, variable.type)
        assert isinstance(value, Value) and not isinstance(shape, tuple) and shape is not None
        args.append(value.ir if shape.scalar else _narrow(f, places, value))
    bits = b.sub(b.shl(ir.Constant(I32, 1), _as_i32(f, count)), ir.Constant(I32, 1))
    function = f.program.function(instance)
    returned = b.call(function, [f.gang, b.trunc(bits, masks.travelling(LANES)), *args])
    for i, (variable, shape) in enumerate(zip(loop.results, f.results_of(instance), strict=True)):
        result = returned if len(loop.results) == 1 else b.extract_value(returned, i)
        assert isinstance(variable.type, Scalar | Pointer)
        with b.narrow(LANES):
            value = arrived(b, result, variable.type, shape)
        if not value.uniform:
            value = Value(value.type, _widened(f, places, value))
        f.write(variable, 0, variable.type, value, mask, True)
    b.branch(done)
    b.position_at_end(others)


def _as_i32(f: Frame, count: ir.Value) -> ir.Value:
    return count if count.type == I32 else f.b.trunc(count, I32)


@dataclass(frozen=True)
class _Places:
    """Where the lanes that are on go. `lanes`: for each lane of the narrow gang, which lane of the wide one it is;
    `ranks`: for each lane of the wide gang, 16 at a time, which one of the narrow gang it is."""

    lanes: ir.Value
    ranks: tuple[ir.Value, ...]

    @staticmethod
    def of(f: Frame, mask: Mask) -> _Places:
        b = f.b
        iota = lane_constants(I32, 1, LANES)
        cpu = instructions(f.program.options.target)
        lanes: ir.Value = const(I32_LANES, 0)
        before: ir.Value = ir.Constant(I32, 0)
        ranks = []
        with b.narrow(LANES):
            for i in range(f.lanes // LANES):
                part = slice_lanes(b, mask.lanes, LANES * i, LANES)
                ranks.append(b.add(cpu.expand(b, iota, part), splat(b, before)))
                own = cpu.compress(b, b.add(iota, const(I32_LANES, LANES * i)), part)
                shifted = cpu.permute(b, [own], b.sub(iota, splat(b, before)))
                lanes = b.select(b.icmp_signed(">=", iota, splat(b, before)), shifted, lanes)
                bits = b.zext(b.bitcast(part, masks.travelling(LANES)), I32)
                before = b.add(before, b.ctpop(bits))
        return _Places(lanes, tuple(ranks))


def _narrow(f: Frame, places: _Places, value: Value) -> ir.Value:
    """Return the lanes of a value that are on, as they travel to a function of 16 lanes."""
    b = f.b
    found = _by_words(f, vector(b, value), LANES, lambda word: _picked(f, places, word))
    with b.narrow(LANES):
        return leaving(b, found)


def _picked(f: Frame, places: _Places, word: ir.Value) -> ir.Value:
    """Return 16 lanes of a vector of 32 or 64 times 32 bits."""
    b, cpu = f.b, instructions(f.program.options.target)
    registers = [slice_lanes(b, word, LANES * i, LANES) for i in range(f.lanes // LANES)]
    pairs = [cpu.permute(b, pair, places.lanes) for pair in zip(registers[::2], registers[1::2], strict=True)]
    if len(pairs) == 1:
        return pairs[0]
    upper = b.icmp_unsigned(">=", places.lanes, const(I32_LANES, 2 * LANES))
    return b.select(upper, pairs[1], pairs[0])


def _widened(f: Frame, places: _Places, value: Value) -> ir.Value:
    """Return the lanes of a narrow gang's value, each where it came from; anything in lanes that are off."""
    cpu = instructions(f.program.options.target)
    return _by_words(
        f, value.ir, f.lanes, lambda word: concat(f.b, [cpu.permute(f.b, [word], rank) for rank in places.ranks])
    )


def _by_words(f: Frame, lanes: ir.Value, count: int, move: Callable[[ir.Value], ir.Value]) -> ir.Value:
    """Apply `move`, which is for vectors of 32 bits a lane, to vectors of any type; the result has `count` lanes."""
    b, type_ = f.b, element(lanes.type)
    have = builder.lanes(lanes)
    if not isinstance(type_, ir.IntType):
        width = 32 if isinstance(type_, ir.FloatType) else 64
        numbers = b.bitcast(lanes, ir.VectorType(ir.IntType(width), have))
        return b.bitcast(_by_words(f, numbers, count, move), ir.VectorType(type_, count))
    if type_.width == 32:
        return move(lanes)
    words, wide = ir.VectorType(I32, have), ir.VectorType(I64, count)
    if type_.width < 32:
        return b.trunc(move(b.zext(lanes, words)), ir.VectorType(type_, count))
    low, high = move(b.trunc(lanes, words)), move(b.trunc(b.lshr(lanes, const(lanes.type, 32)), words))
    return b.or_(b.zext(low, wide), b.shl(b.zext(high, wide), const(wide, 32)))
