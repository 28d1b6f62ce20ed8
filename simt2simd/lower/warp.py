"""Lowering of warp functions: the lanes of a gang are the threads of a warp.

The lanes that are on take part. A function that names lanes which are on the way to somewhere else would wait for them
for ever on a GPU; here it ends the launch. For that the gang's record says which lanes are `present`: those that have
not ended, and may still reach such a function.
"""

from __future__ import annotations

import zlib
from collections.abc import Callable

from llvmlite import ir

from ..analysis import warp_meetings
from ..lang.builtins import WARP_SIZE
from ..lang.ctype import INT, UINT, Pointer, Scalar
from ..simd import builder
from ..simd import mask as masks
from ..simd.address import Address, at
from ..simd.builder import (
    F32,
    F64,
    I1,
    I32,
    I64,
    Builder,
    bits_of,
    concat,
    const,
    declare,
    element,
    slice_lanes,
    suffix,
)
from ..simd.instructions import instructions
from ..simd.mask import Mask
from ..simd.values import PTR, Value, constant_text, lane_constants, move, splat, vector
from ..source import Span
from ..target import LANES
from ..tree import nodes as tree
from ..tree.walk import children
from . import gang_split
from .frame import Frame, coerce, load_field, merge
from .gang_loops import set_field
from .matrices import of_matrices
from .shape_checks import fail_if_any

ALL = (1 << WARP_SIZE) - 1
_SLOT_BYTES = 8  # of an argument of a lane that goes to the runtime


def warp_function(f: Frame, node: tree.BuiltinCall, args: list[Value], mask: Mask) -> Value:
    """Lower a call; the last argument of `__match_all_sync` says where its second result goes."""
    assert f.lanes == WARP_SIZE
    builtin = node.builtin
    named = Value(UINT, ir.Constant(I32, ALL))
    if builtin.names_lanes:
        named, *args = args
    if builtin.gathers_lanes and not mask.all_on and f.shapes.instance in f.program.plans.divergent_waits.kept:
        return _whole_or_parted(f, node, named, args, mask)
    if builtin.gathers_lanes and not mask.all_on:
        _gather(f, node, named, mask)
    return _at_once(f, node, named, args, mask)


def _at_once(f: Frame, node: tree.BuiltinCall, named: Value, args: list[Value], mask: Mask) -> Value:
    """Lower a call that all lanes have reached which take part."""
    builtin = node.builtin
    if builtin.of_matrices:
        return of_matrices(f, node, args, mask)
    kind = builtin.op.removeprefix("warp_")
    if kind.startswith("shfl_"):
        shuffled = node.args[1 if builtin.names_lanes else 0]
        if args[0].uniform or (f.claims is not None and f.claims.of(shuffled).uniform):
            return args[0]
        return _shuffle(f, kind.removeprefix("shfl_"), args)
    if kind.startswith("reduce_"):
        return _reduce(f, kind.removeprefix("reduce_"), args[0], named, mask)
    match kind:
        case "sync":
            return Value(INT, ir.Constant(I32, 0))
        case "activemask":
            return Value(UINT, masks.bits(f.b, mask))
        case "match_any":
            return _match_any(f, args[0], named, mask)
        case "match_all":
            return _match_all(f, args[0], args[1], named, mask)
    return _vote(f, kind, args[0], named, mask)


# ------------------------------------------------------------------------------------ which lanes are here


def begin(f: Frame, bits: ir.Value) -> None:
    """Note which lanes begin a kernel, or a part of one between barriers."""
    if f.shapes.function.name in f.program.plans.warps.gathering:
        set_field(f.b, f.gang, "present", bits)


def enter(f: Frame, body: tree.Block, mask: Mask) -> None:
    """Note that these lanes begin a statement which the others are past, if these gather nowhere any more."""
    if body in f.program.plans.warps.last:
        set_field(f.b, f.gang, "present", masks.bits(f.b, mask))


def leave(f: Frame, jump: tree.Jump, mask: Mask) -> None:
    """Note that these lanes leave by a jump after which they gather nowhere any more."""
    if jump in f.program.plans.warps.last:
        present = load_field(f.b, f.gang, "present", I32)
        set_field(f.b, f.gang, "present", f.b.and_(present, f.b.not_(masks.bits(f.b, mask))))


def _gather(f: Frame, node: tree.BuiltinCall, named: Value, mask: Mask) -> None:
    """End the launch if a lane is named that is elsewhere."""
    b, missing = f.b, _missing(f, named, mask)
    where = _parted(f, node)
    parted = f"they diverged at {where}" if where is not None else "they diverged before this function was called"
    why = f"{node.span}: '{node.builtin.name}' waits for threads of the warp that are not here: {parted}"
    fail_if_any(f, Mask(b.bitcast(missing, masks.lane_bits(f.lanes)), maybe_empty=True), why)


def _missing(f: Frame, named: Value, mask: Mask) -> ir.Value:
    """Return the lanes that are named, are not here, and may come."""
    b = f.b
    absent = b.and_(load_field(b, f.gang, "present", I32), b.not_(masks.bits(b, mask)))
    return b.and_(named.ir if named.uniform else _all_named(f, named, mask), absent)


def _all_named(f: Frame, named: Value, mask: Mask) -> ir.Value:
    b, lanes = f.b, vector(f.b, named)
    return _over_lanes(f, "or", b.select(mask.lanes, lanes, const(lanes.type, 0)))


def _parted(f: Frame, node: tree.BuiltinCall) -> Span | None:
    """Return where lanes last diverged before a call, as far as the text of its function says."""
    found = None
    around: list[tuple[tree.Node, Span | None]] = [(f.shapes.function.body, None)]
    while around:
        below, place = around.pop()
        if below is node:
            found = place
        if isinstance(below, tree.If | tree.Loop) and below.cond is not None and not f.shapes.of(below.cond).uniform:
            place = below.span
        around += [(child, place) for child in children(below)]
    return found


# ----------------------------------------------------------------------------- in split gangs


def _whole_or_parted(f: Frame, node: tree.BuiltinCall, named: Value, args: list[Value], mask: Mask) -> Value:
    """Lower a call where the gang may have been split: then the lanes that are named meet in the runtime first."""
    b = f.b
    shape = f.shapes.of(node)
    whole, parted, done = f.block("warp.whole"), f.block("warp.parted"), f.block("warp.done")
    is_whole = b.icmp_unsigned("==", load_field(b, f.gang, "pieces", PTR), ir.Constant(PTR, None))
    b.cbranch(is_whole, whole, parted)
    ways: list[tuple[Value, ir.Block]] = []
    b.position_at_end(whole)
    if node in f.program.plans.waits.meetings:
        together = f.block("warp.together")
        none = b.icmp_unsigned("==", _missing(f, named, mask), const(I32, 0))
        b.cbranch(none, together, parted)
        b.position_at_end(together)
    else:
        _gather(f, node, named, mask)
    ways.append((coerce(b, _at_once(f, node, named, args, mask), shape), b.block))
    b.branch(done)
    b.position_at_end(parted)
    if node in f.program.plans.waits.meetings:
        part = declare(b.module, "s2s_part_at", ir.VoidType(), [PTR, I64, I64])
        b.call(part, [f.gang, b.zext(_all_named(f, named, mask), I64), b.zext(masks.bits(b, mask), I64)])
        mask = gang_split.with_lanes(f, mask)
    result = _after_meeting(f, node, named, args, mask)
    if shape.scalar and not result.uniform:
        first = b.extract_element(vector(b, result), masks.first_lane(b, mask))
        result = Value(result.type, first)
    ways.append((coerce(b, result, shape), b.block))
    b.branch(done)
    b.position_at_end(done)
    return merge(b, ways, shape)


def _after_meeting(f: Frame, node: tree.BuiltinCall, named: Value, args: list[Value], mask: Mask) -> Value:
    """Lower a call for the lanes that meet, with the arguments of all of them."""
    b = f.b
    slots, where = f.slots(len(args)), constant_text(b.module, "warp", f"{node.span} ('{node.builtin.name}')")
    for i, arg in enumerate(args):
        lanes = vector(b, arg)
        bits = b.bitcast(lanes, ir.VectorType(ir.IntType(_width(lanes.type)), f.lanes))
        b.store(_resized(b, bits, I64), move(b, slots, i * f.lanes * _SLOT_BYTES), align=_SLOT_BYTES)
    lanes = vector(b, named)
    meet = declare(b.module, "s2s_meet", I64, [PTR, PTR, I64, I64, PTR, I32, I32])
    wide = [b.zext(bits, I64) for bits in (_all_named(f, named, mask), masks.bits(b, mask))]
    kind = const(I32, _kind(node))
    here = b.call(meet, [f.gang, where, *wide, slots, const(I32, len(args)), kind])
    met = []
    for i, arg in enumerate(args):
        type_ = vector(b, arg).type
        place = move(b, slots, i * f.lanes * _SLOT_BYTES)
        found = b.load(place, typ=ir.VectorType(I64, f.lanes), align=_SLOT_BYTES)
        met.append(Value(arg.type, b.bitcast(_resized(b, found, ir.IntType(_width(type_))), type_)))
    return _at_once(f, node, Value(named.type, lanes), met, masks.from_bits(b, b.trunc(here, I32)))


def _kind(node: tree.BuiltinCall) -> int:
    """Return a number for the instruction: threads meet that execute the same one, wherever it lies in the text."""
    instruction = " ".join(map(str, warp_meetings.kind(node)))
    return zlib.crc32(instruction.encode()) & 0x7FFFFFFF


def _resized(b: Builder, lanes: ir.Value, wanted: ir.IntType) -> ir.Value:
    """Return the low bits of all lanes as integers of another size."""
    if element(lanes.type) == wanted:
        return lanes
    type_ = ir.VectorType(wanted, builder.lanes(lanes))
    return b.zext(lanes, type_) if bits_of(element(lanes.type)) < wanted.width else b.trunc(lanes, type_)


# ---------------------------------------------------------------------------------------- shuffles


def _shuffle(f: Frame, kind: str, args: list[Value]) -> Value:
    """Give each lane another one's value; of a lane that is off, anything."""
    value, by, *rest = args
    width = rest[0] if rest else Value(INT, ir.Constant(I32, WARP_SIZE))
    b, constant = f.b, (_number(by), _number(width))
    if kind == "idx" and by.uniform and constant[1] == WARP_SIZE:
        return Value(value.type, _one(f, vector(b, value), by.ir))
    if constant[0] is not None and constant[1] is not None:
        places = [_source(kind, lane, constant[0], constant[1]) for lane in range(WARP_SIZE)]
        lanes = vector(b, value)
        return Value(value.type, b.shuffle_vector(lanes, lanes, ir.Constant(_words(f), places)))
    from_lanes = _sources(f, kind, vector(b, by), vector(b, width))
    return Value(value.type, _picked(f, vector(b, value), from_lanes))


def _one(f: Frame, values: ir.Value, lane: ir.Value) -> ir.Value:
    """Return the value of one lane."""
    b, lane = f.b, f.b.and_(lane, ir.Constant(I32, WARP_SIZE - 1))
    if isinstance(lane, ir.Constant):
        return b.extract_element(values, lane)
    return b.extract_element(_picked(f, values, splat(b, lane)), ir.Constant(I32, 0))


def _number(value: Value) -> int | None:
    """Return what is the same constant in all lanes."""
    found = value.ir.constant if value.uniform and isinstance(value.ir, ir.Constant) else None
    return found if isinstance(found, int) else None


def _segment(width: int) -> int:
    """The bits of a lane's number that say to which segment of so many lanes it belongs."""
    return (WARP_SIZE - width) & (WARP_SIZE - 1)


def _source(kind: str, lane: int, by: int, width: int) -> int:
    """Return the lane from which a lane gets its value. Source: PTX ISA, `shfl.sync`."""
    by &= WARP_SIZE - 1
    first = lane & _segment(width)
    last = first | (WARP_SIZE - 1 & ~_segment(width))
    place = {"idx": first | (by & (last - first)), "up": lane - by, "down": lane + by, "xor": lane ^ by}[kind]
    return place if first <= place <= last or (kind == "xor" and place <= last) else lane


def _sources(f: Frame, kind: str, by: ir.Value, width: ir.Value) -> ir.Value:
    """Emit `_source` for all lanes."""
    b, words = f.b, _words(f)
    low = const(words, WARP_SIZE - 1)
    by, lane = b.and_(by, low), lane_constants(I32, 1, WARP_SIZE)
    segment = b.and_(b.sub(const(words, WARP_SIZE), width), low)
    first = b.and_(lane, segment)
    last = b.or_(first, b.and_(b.not_(segment), low))
    match kind:
        case "idx":
            return b.or_(first, b.and_(by, b.not_(segment)))
        case "up":
            place = b.sub(lane, by)
            inside = b.icmp_signed(">=", place, first)
        case "down":
            place = b.add(lane, by)
            inside = b.icmp_signed("<=", place, last)
        case _:
            place = b.xor(lane, by)
            inside = b.icmp_signed("<=", place, last)
    return b.select(inside, place, lane)


def _picked(f: Frame, values: ir.Value, places: ir.Value) -> ir.Value:
    """Return for each lane the value of the lane that `places` says."""
    b, type_ = f.b, values.type
    size = _width(type_)
    if size < 32:
        narrow = ir.VectorType(ir.IntType(size), WARP_SIZE)
        return b.bitcast(b.trunc(_words_picked(f, b.zext(b.bitcast(values, narrow), _words(f)), places), narrow), type_)
    if size == 32:
        return b.bitcast(_words_picked(f, b.bitcast(values, _words(f)), places), type_)
    halves = b.bitcast(values, ir.VectorType(I32, 2 * WARP_SIZE))
    parts = []
    for first in (0, 1):
        wanted = ir.Constant(_words(f), list(range(first, 2 * WARP_SIZE, 2)))
        parts.append(_words_picked(f, b.shuffle_vector(halves, halves, wanted), places))
    zipped = [lane + WARP_SIZE * half for lane in range(WARP_SIZE) for half in (0, 1)]
    low, high = parts
    both = b.shuffle_vector(low, high, ir.Constant(ir.VectorType(I32, 2 * WARP_SIZE), zipped))
    return b.bitcast(both, type_)


def _words_picked(f: Frame, words: ir.Value, places: ir.Value) -> ir.Value:
    b, target = f.b, f.program.options.target
    if target.permutes:
        registers = [slice_lanes(b, words, first, LANES) for first in range(0, WARP_SIZE, LANES)]
        parts = [slice_lanes(b, places, first, LANES) for first in range(0, WARP_SIZE, LANES)]
        return concat(b, [instructions(target).permute(b, registers, part) for part in parts])
    room = f.slots(1)
    b.store(words, room, align=64)
    where = Address(room, offsets=b.shl(places, const(_words(f), 2)))
    return vector(b, f.memory.load(where, UINT, Mask(masks.all_lanes(WARP_SIZE))))


# ------------------------------------------------------------------------------------------- votes


def _vote(f: Frame, kind: str, predicate: Value, named: Value, mask: Mask) -> Value:
    b = f.b
    lanes = vector(b, predicate)
    ayes = masks.bits(b, masks.both(b, mask, b.icmp_unsigned("!=", lanes, const(lanes.type, 0))))
    here = masks.bits(b, mask)
    names = named.ir if named.uniform else vector(b, named)
    if not named.uniform:
        ayes, here = splat(b, ayes), splat(b, here)
    ayes, here = b.and_(ayes, names), b.and_(here, names)
    if kind == "ballot":
        return Value(UINT, ayes)
    none = b.icmp_unsigned("==", ayes, const(ayes.type, 0))
    every = b.icmp_unsigned("==", ayes, here)
    answer = {"any": lambda: b.not_(none), "all": lambda: every, "uni": lambda: b.or_(none, every)}[kind]()
    return Value(INT, b.zext(answer, ayes.type))


def _match_any(f: Frame, value: Value, named: Value, mask: Mask) -> Value:
    """Give each lane the lanes that have its value."""
    bits = _alike(f, vector(f.b, value), mask)
    return Value(UINT, f.b.and_(bits, vector(f.b, named)))


def _match_all(f: Frame, value: Value, where: Value, named: Value, mask: Mask) -> Value:
    """Give each lane all lanes that it names, and true, if they have one value; else nothing."""
    b = f.b
    here = b.and_(splat(b, masks.bits(b, mask)), vector(b, named))
    same = b.icmp_unsigned("==", b.and_(_alike(f, vector(b, value), mask), here), here)
    assert isinstance(where.type, Pointer)
    f.memory.store(at(b, where), Value(INT, b.zext(same, _words(f))), mask)
    return Value(UINT, b.select(same, here, const(_words(f), 0)))


def _alike(f: Frame, values: ir.Value, mask: Mask) -> ir.Value:
    """Return for each lane that is on, as bits, the lanes that are on and have its value's bits."""
    b = f.b
    size = _width(values.type)
    keys = b.bitcast(values, ir.VectorType(ir.IntType(size), WARP_SIZE))

    def step(first: ir.Value, found: ir.Value) -> tuple[ir.Value, ir.Value]:
        key = _picked(f, keys, splat(b, first))
        same = masks.both(b, mask, b.icmp_unsigned("==", keys, key))
        bits = masks.bits(b, same)
        return bits, b.select(same.lanes, splat(b, bits), found)

    return _by_groups(f, mask, const(_words(f), 0), step)


# -------------------------------------------------------------------------------------- reductions

_NEUTRAL = {"add": 0, "or": 0, "xor": 0, "and": -1}


def _reduce(f: Frame, kind: str, value: Value, named: Value, mask: Mask) -> Value:
    b, lanes = f.b, vector(f.b, value)
    assert isinstance(value.type, Scalar)
    signed = value.type.signed
    name = {"min": "smin" if signed else "umin", "max": "smax" if signed else "umax"}.get(kind, kind)
    least, most = (-(1 << 31), (1 << 31) - 1) if signed else (0, ALL)
    neutral = const(lanes.type, {"min": most, "max": least}.get(kind, _NEUTRAL.get(kind, 0)))
    if named.uniform:
        on = masks.both(b, mask, b.bitcast(named.ir, masks.lane_bits(WARP_SIZE))).lanes
        return Value(value.type, _over_lanes(f, name, b.select(on, lanes, neutral)))
    names = vector(b, named)

    def step(first: ir.Value, found: ir.Value) -> tuple[ir.Value, ir.Value]:
        alike = masks.both(b, mask, b.icmp_unsigned("==", names, _picked(f, names, splat(b, first))))
        total = _over_lanes(f, name, b.select(alike.lanes, lanes, neutral))
        return masks.bits(b, alike), b.select(alike.lanes, splat(b, total), found)

    return Value(value.type, _by_groups(f, mask, const(lanes.type, 0), step))


def _over_lanes(f: Frame, name: str, lanes: ir.Value) -> ir.Value:
    full = f"llvm.vector.reduce.{name}.{suffix(lanes.type)}"
    return f.b.call(declare(f.b.module, full, element(lanes.type), [lanes.type]), [lanes])


def _by_groups(
    f: Frame, mask: Mask, nothing: ir.Value, step: Callable[[ir.Value, ir.Value], tuple[ir.Value, ir.Value]]
) -> ir.Value:
    """Run `step(first lane left, result so far)` until all lanes that are on are done.

    A step returns the lanes that it has done, as bits, and the result.
    """
    b, everyone = f.b, masks.bits(f.b, mask)
    head, done = f.block("lanes"), f.block("lanes.done")
    before = b.block
    b.branch(head)
    b.position_at_end(head)
    left, found = b.phi(I32, "lanes.left"), b.phi(nothing.type, "found")
    bits, result = step(b.cttz(left, ir.Constant(I1, 1)), found)
    rest = b.and_(left, b.not_(bits))
    left.add_incoming(everyone, before)
    b.cbranch(b.icmp_unsigned("!=", rest, ir.Constant(I32, 0)), head, done)
    left.add_incoming(rest, b.block)
    found.add_incoming(nothing, before)
    found.add_incoming(result, b.block)
    b.position_at_end(done)
    return result


def _width(type_: ir.Type) -> int:
    """Return how many bits a lane has."""
    held = element(type_)
    return {F32: 32, F64: 64}.get(held) or bits_of(held)


def _words(f: Frame) -> ir.VectorType:
    return ir.VectorType(I32, f.lanes)
