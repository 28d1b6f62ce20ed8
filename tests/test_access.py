"""Accesses: what is planned fits the addresses, and every lane reads and writes where it should."""

from __future__ import annotations

import ctypes
import functools
from collections.abc import Callable
from dataclasses import fields, replace

import llvmlite.binding as llvm
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from llvmlite import ir

from simt2simd import access
from simt2simd.access import Access, Broadcast, Consecutive, Gathered, IfEven, InRuns, LaneByLane, Near, Spread, Strided
from simt2simd.lang.ctype import CHAR, DOUBLE, FLOAT, INT, LONG, SHORT, UCHAR, UINT, ULONG, Scalar
from simt2simd.simd.address import Address, index, pointer_to
from simt2simd.simd.builder import I16, I64, Builder
from simt2simd.simd.mask import from_bits
from simt2simd.simd.memory import Memory
from simt2simd.simd.values import ANY_POINTER, PTR, Value, vector, vector_type
from simt2simd.target import AVX2, AVX512, LANES, TARGETS, Target, native

SIZES = st.sampled_from([1, 2, 4, 8])
VERBS = st.sampled_from(access.VERBS)
SPREADS = st.builds(
    Spread,
    stride=st.none() | st.sampled_from([-32, -12, -8, -4, 4, 8, 12, 16, 24]) | st.integers(-72, 72),
    wide=st.booleans(),
    interleave=st.sampled_from([0, 0, 0, 4, 8]),
    record_size=st.sampled_from([4, 8, 12, 16, 24, 32, 40]),
    record_offset=st.integers(0, 15),
    scale=st.sampled_from([1, 2, 4, 8]),
    rise=st.none() | st.tuples(st.integers(-20, 20), st.integers(-20, 20)),
    likely=st.none() | st.integers(-40, 40),
    run=st.sampled_from([4, 8, LANES]),
)
CAPABILITIES = [field.name for field in fields(Target) if field.type == "bool"]


# ------------------------------------------------------------------------------------------- plans


@st.composite
def members(draw: st.DrawFn) -> tuple[Spread, int]:
    """Scalars of a size that lie evenly, perhaps as parts of records that lie side by side."""
    size = draw(SIZES)
    if draw(st.booleans()):
        return Spread(size * draw(st.integers(-9, 9))), size
    record = size * draw(st.integers(1, 40 // size))
    stride = draw(st.sampled_from([record, -record, 2 * record]))
    return Spread(stride, record_size=record, record_offset=size * draw(st.integers(0, record // size - 1))), size


@given(members(), VERBS)
def test_a_window_has_each_lanes_scalar_where_the_lane_looks(member: tuple[Spread, int], verb: access.Verb) -> None:
    spread, size = member
    window = access.strided(spread, size, verb)
    if window is None:
        return
    assert spread.stride and size * 8 + window.shift <= window.size * 8
    count = abs(window.step)
    for lane in range(LANES):
        first = lane * window.step if window.step > 0 else (LANES - 1 - lane) * count
        assert 0 <= first + window.unit < LANES * count
        place = window.offset + (first + window.unit) * window.size + window.shift // 8
        assert place == lane * spread.stride, lane


@given(members(), st.sampled_from([4, 8]))
def test_a_window_of_records_is_the_lanes_records(member: tuple[Spread, int], word: int) -> None:
    spread, _ = member
    window = access.record(spread, word)
    if window is None:
        return
    assert spread.stride and window.whole and abs(spread.stride) == spread.record_size
    records = [lane * spread.stride - spread.record_offset for lane in range(LANES)]
    assert window.offset == min(records)
    assert window.size * abs(window.step) * LANES == max(records) + spread.record_size - min(records)


@given(SPREADS, SIZES, VERBS, st.sets(st.sampled_from(CAPABILITIES)))
def test_plans_ask_only_for_what_a_target_has(spread: Spread, size: int, verb: access.Verb, has: set[str]) -> None:
    target = replace(AVX2, **{name: name in has for name in CAPABILITIES})  # type: ignore[arg-type]
    planned = access.plan(spread, size, verb, target)
    assert access.form(planned, size, verb, target).cost_ns > 0
    ways: list[Access] = [planned, planned.usual, planned.other] if isinstance(planned, IfEven) else [planned]
    for way in ways:
        assert not isinstance(way, Strided | Near) or target.mask_registers
        assert not isinstance(way, IfEven | InRuns) or target.compresses
        assert not isinstance(way, IfEven) or spread.run == LANES
        assert not isinstance(way, InRuns) or (way.lanes == spread.run < LANES and spread.likely == size)
        assert not isinstance(way, LaneByLane) or (verb == "store" and size < 4)
        assert not isinstance(way, Near) or verb == "load"
        assert not isinstance(way, Gathered) or way.wide == (spread.wide)


@pytest.mark.parametrize(
    ("spread", "size", "verb", "planned"),
    [
        (Spread(0), 4, "load", Broadcast()),
        (Spread(4), 4, "load", Consecutive()),
        (Spread(8), 4, "load", Strided(0, 4, 2)),
        (Spread(-4), 4, "store", Strided(-60, 4, -1)),
        (Spread(12, record_size=12, record_offset=4), 4, "load", Strided(-4, 4, 3, 1, 0, True)),
        (Spread(40), 4, "load", Gathered(False)),
        (Spread(None, scale=4, rise=(0, 4)), 4, "load", Near(1)),
        (Spread(None, scale=4, rise=(0, 8)), 4, "load", Near(2)),
        (Spread(None, scale=4, rise=(0, 4)), 4, "store", Gathered(False)),
        (Spread(None, scale=4, likely=4), 4, "load", IfEven(4, Consecutive(), Gathered(False))),
        (Spread(None, scale=4, likely=0), 4, "load", IfEven(0, Broadcast(), Gathered(False))),
        (Spread(None, scale=4, likely=0), 4, "store", Gathered(False)),
        (Spread(None, scale=4, likely=4, run=8), 4, "load", InRuns(8, Gathered(False))),
        (Spread(None, scale=1, likely=1, run=4), 1, "store", InRuns(4, LaneByLane())),
        (Spread(None, scale=4, likely=4, run=4), 4, "load", Gathered(False)),  # costs less than four vectors
        (Spread(None, scale=4, likely=0, run=8), 4, "load", Gathered(False)),
        (Spread(None, scale=4, likely=8, run=8), 4, "load", Gathered(False)),
        (Spread(None, wide=True, likely=4, run=8), 4, "load", Gathered(True)),
        (Spread(4, run=8), 4, "load", Consecutive()),
        (Spread(None, wide=True, likely=4), 4, "store", Gathered(True)),
        (Spread(None), 1, "load", Gathered(False, words=True)),
        (Spread(None), 1, "store", LaneByLane()),
    ],
)
def test_each_way_has_its_addresses(spread: Spread, size: int, verb: access.Verb, planned: Access) -> None:
    assert access.plan(spread, size, verb, AVX512) == planned


# ------------------------------------------------------------------------------------------- compiled pieces

llvm.initialize_native_target()
llvm.initialize_native_asmprinter()


class Piece:
    """`build(b, *args)` as a function of pointers and 64-bit integers, for `target`."""

    def __init__(self, params: int, build: Callable[..., None], target: Target) -> None:
        module = ir.Module("piece")
        function = ir.Function(module, ir.FunctionType(ir.VoidType(), [I64] * params), "piece")
        b = Builder(function.append_basic_block("entry"), LANES)
        build(b, *function.args)
        b.ret_void()
        parsed = llvm.parse_assembly(str(module))
        parsed.verify()
        machine = llvm.Target.from_triple(target.triple).create_target_machine(cpu=target.cpu, opt=1)
        self._engine = llvm.create_mcjit_compiler(parsed, machine)
        self._engine.finalize_object()
        self._call = ctypes.CFUNCTYPE(None, *[ctypes.c_uint64] * params)(self._engine.get_function_address("piece"))

    def __call__(self, *args: int) -> None:
        self._call(*(arg & 0xFFFFFFFFFFFFFFFF for arg in args))


def pointer(b: Builder, arg: ir.Value) -> ir.Value:
    return b.inttoptr(arg, PTR)


# ------------------------------------------------------------------------------------------- indices

STEPS = [1, 2, 4, 8, 12, 16, 20, 24]
OBJECT = 1 << 33  # no object has so many bytes
LOWEST, WIDTH = {INT: -(1 << 31), UINT: 0, LONG: -(1 << 63), ULONG: 0}, {INT: 32, UINT: 32, LONG: 64, ULONG: 64}


@functools.cache
def affine_index(ctype: Scalar, stride: int, step: int, negative: bool = False, may_wrap: bool = False) -> Piece:
    """Write the 16 addresses of elements of `step` bytes, numbers `count + stride * lane`, behind `base`."""

    def build(b: Builder, base: ir.Value, count: ir.Value, out: ir.Value) -> None:
        number = Value(ctype, count if ctype.bits == 64 else b.trunc(count, ir.IntType(32)), stride)
        where = index(b, Address(pointer(b, base)), number, step, negative, may_wrap)
        b.store(vector(b, pointer_to(b, where, ANY_POINTER)), pointer(b, out), align=8)

    return Piece(3, build, native())


@functools.cache
def varying_index(ctype: Scalar, step: int, before: str, negative: bool) -> Piece:
    """Write the 16 addresses of elements behind an address of 16 places: `before` says how these are given."""

    def build(b: Builder, base: ir.Value, earlier: ir.Value, counts: ir.Value, out: ir.Value) -> None:
        start = Address(pointer(b, base))
        if before == "affine":
            start = Address(pointer(b, base), stride=8)
        elif before == "offsets":
            numbers = b.load(pointer(b, earlier), typ=vector_type(INT, LANES), align=4)
            start = index(b, start, Value(INT, numbers), 4)
        count = Value(ctype, b.load(pointer(b, counts), typ=vector_type(ctype, LANES), align=4))
        where = index(b, start, count, step, negative)
        b.store(vector(b, pointer_to(b, where, ANY_POINTER)), pointer(b, out), align=8)

    return Piece(4, build, native())


def at_edges(ctype: Scalar, step: int) -> st.SearchStrategy[int]:
    """Indices, most of them where 32 bits end, within an object on either side of the pointer."""
    most = OBJECT // max(4, step) - 1 if step >= 4 else (1 << 32) - 1
    low, high = max(LOWEST[ctype], -most), min(LOWEST[ctype] + (1 << WIDTH[ctype]) - 1, most)
    edges = [edge for edge in (0, 1 << 31, -(1 << 31), 1 << 32, low, high) if low <= edge <= high]
    near = st.builds(lambda edge, by: min(max(edge + by, low), high), st.sampled_from(edges), st.integers(-40, 40))
    return near | st.integers(low, high)


def addresses(out: np.ndarray) -> list[int]:
    return [int(number) for number in out]


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_affine_indices_are_exact_up_to_the_edge(data: st.DataObject) -> None:
    ctype = data.draw(st.sampled_from([INT, UINT, LONG, ULONG]))
    stride, step = data.draw(st.sampled_from([-3, -1, 0, 1, 2, 16])), data.draw(st.sampled_from(STEPS))
    wraps = st.integers((1 << 32) - 40, (1 << 32) - 1) if ctype == UINT else st.nothing()
    count, base = data.draw(at_edges(ctype, step) | wraps), 1 << 40
    numbers = [count + stride * lane for lane in range(LANES)]
    lowest, width = LOWEST[ctype], WIDTH[ctype]
    inside = [lowest <= number < lowest + (1 << width) for number in numbers]
    if not all(inside) and ctype != UINT:
        return  # signed numbers must not overflow, and no gang comes near the ends of 64 bits
    out = np.zeros(LANES, np.uint64)
    affine_index(ctype, stride, step)(base, count, out.ctypes.data)
    # Where an unsigned index wraps within the gang, the lanes whose numbers are small are those in bounds.
    wrapped = [number % (1 << width) if ctype == UINT else number for number in numbers]
    checked = range(LANES) if all(inside) else [lane for lane in range(LANES) if inside[lane] == (stride < 0)]
    for lane in checked:
        assert int(out[lane]) == (base + wrapped[lane] * step) % (1 << 64), (lane, numbers)


@settings(max_examples=300, deadline=None)
@given(st.data())
def test_affine_indices_that_may_wrap_are_exact_in_all_lanes(data: st.DataObject) -> None:
    ctype = data.draw(st.sampled_from([INT, UINT]))
    stride, step = data.draw(st.sampled_from([-3, -1, 1, 2, 16])), data.draw(st.sampled_from([1, 2]))
    negative = data.draw(st.booleans())
    edges = st.builds(int.__add__, st.sampled_from([0, 1 << 31, 1 << 32]), st.integers(-300, 300))
    count, base = data.draw(edges) % (1 << 32), 1 << 40
    numbers = [(count + stride * lane - LOWEST[ctype]) % (1 << 32) + LOWEST[ctype] for lane in range(LANES)]
    out = np.zeros(LANES, np.uint64)
    affine_index(ctype, stride, step, negative, may_wrap=True)(base, count, out.ctypes.data)
    assert addresses(out) == [base + number * (-step if negative else step) for number in numbers]


@settings(max_examples=150, deadline=None)
@given(st.data())
def test_varying_indices_are_exact_at_the_edge(data: st.DataObject) -> None:
    ctype = data.draw(st.sampled_from([INT, UINT, LONG, ULONG]))
    step, before = data.draw(st.sampled_from(STEPS)), data.draw(st.sampled_from(["", "affine", "offsets"]))
    negative = data.draw(st.booleans())
    dtype = np.dtype(f"{'i' if ctype.signed else 'u'}{ctype.size}")
    room = OBJECT // 4 if before else 0  # what lies before the index is part of the same distance
    limit = (OBJECT - 8 * room // 4) // max(step, 4) - 1
    counts = np.array([data.draw(at_edges(ctype, step)) for _ in range(LANES)], object)
    if before or step >= 4:
        counts = np.array([max(min(count, limit), -limit if ctype.signed else 0) for count in counts], object)
    earlier = np.array([data.draw(st.integers(-(1 << 28), 1 << 28)) for _ in range(LANES)], np.int32)
    starts = {"": [0] * LANES, "affine": [8 * lane for lane in range(LANES)], "offsets": [4 * int(e) for e in earlier]}
    base, out, stored = 1 << 40, np.zeros(LANES, np.uint64), counts.astype(dtype)
    varying_index(ctype, step, before, negative)(base, earlier.ctypes.data, stored.ctypes.data, out.ctypes.data)
    sign = -1 if negative else 1
    expected = [(base + s + sign * int(c) * step) % (1 << 64) for s, c in zip(starts[before], counts, strict=True)]
    assert addresses(out) == expected


# ------------------------------------------------------------------------------------------- loads and stores

TYPES = [CHAR, UCHAR, SHORT, INT, FLOAT, LONG, DOUBLE, ULONG]
ROOM = 4096  # bytes; the lanes' scalars lie round the middle


def _address(b: Builder, base: ir.Value, offsets: ir.Value, spread: Spread) -> Address:
    """The address with this spread, lane 0's or the base of the offsets being `base`."""
    if spread.stride is not None:
        return Address(pointer(b, base), spread.stride, record_size=spread.record_size,
                       record_offset=spread.record_offset)  # fmt: skip
    numbers = b.load(pointer(b, offsets), typ=vector_type(INT, LANES), align=4)
    if spread.wide:
        wide = b.mul(
            b.sext(numbers, vector_type(LONG, LANES)), ir.Constant(vector_type(LONG, LANES), [spread.scale] * LANES)
        )
        starts = vector(b, Value(ANY_POINTER, pointer(b, base)))
        return Address(None, wide=b.add(starts, wide))
    return Address(pointer(b, base), offsets=numbers, scale=spread.scale, rise=spread.rise, likely=spread.likely)


@functools.cache
def accessor(spread: Spread, ctype: Scalar, verb: access.Verb, target: Target, unaligned: bool) -> Piece:
    def build(b: Builder, base: ir.Value, offsets: ir.Value, bits: ir.Value, values: ir.Value) -> None:
        mask = replace(from_bits(b, b.trunc(bits, I16)), maybe_empty=True)
        memory = Memory(b, target, run=spread.run)
        where = replace(_address(b, base, offsets, spread), unaligned=unaligned)
        lanes = vector_type(ctype, LANES)
        if verb == "load":
            read = vector(b, memory.load(where, ctype, mask))
            kept = b.load(pointer(b, values), typ=lanes, align=1)
            b.store(b.select(mask.lanes, read, kept), pointer(b, values), align=1)
        else:
            memory.store(where, Value(ctype, b.load(pointer(b, values), typ=lanes, align=1)), mask)

    return Piece(4, build, target)


def _spread_and_offsets(data: st.DataObject, size: int) -> tuple[Spread, list[int]]:
    """A spread, and by how much the lanes' addresses lie behind the base."""
    kind = data.draw(st.sampled_from(["affine", "record", "near", "even", "runs", "anywhere", "wide"]))
    if kind == "affine":
        stride = data.draw(st.sampled_from([1, -1, 2, -2, 3, 4, -4, 5, 8, -8, 9])) * size
        return Spread(stride), [lane * stride for lane in range(LANES)]
    if kind == "record":
        words = data.draw(st.sampled_from([1, 2, 3, 4])) * max(4, size)
        stride = data.draw(st.sampled_from([words, -words]))
        offset = data.draw(st.integers(0, words // size - 1)) * size
        return Spread(stride, record_size=words, record_offset=offset), [lane * stride for lane in range(LANES)]
    if kind == "near" and size <= 4:
        most = data.draw(st.sampled_from([1, 2]))
        sign = data.draw(st.sampled_from([1, -1]))
        rises = [data.draw(st.integers(0, most)) * sign for _ in range(LANES - 1)]
        rise = (0, most * size) if sign > 0 else (-most * size, 0)
        places = [sum(rises[:lane]) for lane in range(LANES)]
        return Spread(None, scale=size, rise=rise), [place * size for place in places]
    if kind == "runs":
        run, flat = data.draw(st.sampled_from([4, 8])), range(-60, 60)
        starts = [data.draw(st.sampled_from(flat)) for _ in range(LANES // run)]
        places = [starts[lane // run] + lane % run for lane in range(LANES)]
        for lane in data.draw(st.sets(st.integers(0, LANES - 1), max_size=2)):  # this gang is perhaps one of the few
            places[lane] = data.draw(st.sampled_from(flat))
        return Spread(None, scale=size, likely=size, run=run), [place * size for place in places]
    scale = min(size, 4) if kind != "even" else size
    places = [data.draw(st.integers(-60, 60)) * size // scale for _ in range(LANES)]
    likely = None
    if kind == "even":
        stride = data.draw(st.sampled_from([0, 1, -1, 2, 4]))
        likely = stride * size
        if data.draw(st.booleans()):  # this gang is one of the many
            places = [stride * lane for lane in range(LANES)]
    return Spread(None, wide=kind == "wide", scale=scale, likely=likely), [place * scale for place in places]


WITHOUT = [replace(AVX512, **{name: False}) for name in CAPABILITIES]  # type: ignore[arg-type]
RUNNABLE = [target for target in (*TARGETS.values(), *WITHOUT) if target.required <= native().required]


@settings(max_examples=200, deadline=None)
@given(st.data())
def test_each_lane_reads_and_writes_its_own_scalar(data: st.DataObject) -> None:
    ctype, verb, target = (data.draw(st.sampled_from(choice)) for choice in (TYPES, access.VERBS, RUNNABLE))
    assert isinstance(ctype, Scalar)
    size = ctype.size
    spread, offsets = _spread_and_offsets(data, size)
    on = data.draw(st.sampled_from([0xFFFF, 0, 1, 0x8000]) | st.integers(0, 0xFFFF))
    memory = np.random.default_rng(data.draw(st.integers(0, 99))).integers(0, 256, ROOM, np.uint8)
    values = np.arange(LANES * size).astype(np.uint8) + np.uint8(1)
    unaligned = data.draw(st.booleans())
    middle = ROOM // 2 + (data.draw(st.integers(0, 7)) if unaligned else 0)
    numbers = np.array([offset // spread.scale for offset in offsets], np.int32)
    before, held = memory.copy(), values.copy()
    run = accessor(spread, ctype, verb, target, unaligned)
    run(memory.ctypes.data + middle, numbers.ctypes.data, on, values.ctypes.data)
    for lane in range(LANES):
        place, own = middle + offsets[lane], slice(lane * size, (lane + 1) * size)
        if not on >> lane & 1:
            continue
        if verb == "load":
            held[own] = before[place : place + size]
        else:
            before[place : place + size] = values[own]
    assert (memory == before).all()
    assert (values == held).all()


@pytest.mark.avx512
@pytest.mark.parametrize("verb", access.VERBS)
@pytest.mark.parametrize("run", [4, 8])
def test_runs_do_not_go_on_past_the_end_of_32_bits(run: int, verb: access.Verb) -> None:
    """What a lane says that is off may be any number, also the one before the smallest, which is the largest."""
    spread, low = Spread(None, scale=4, likely=4, run=run), -(1 << 31)
    numbers = np.array([low - 1 + lane % run + (lane % run == 0) * (1 << 32) for lane in range(LANES)], np.int64)
    on = sum(1 << lane for lane in range(LANES) if lane % run)
    memory, values = np.arange(64, dtype=np.int32), np.full(LANES, -1, np.int32)
    accessor(spread, INT, verb, AVX512, False)(
        memory.ctypes.data - 4 * low, numbers.astype(np.int32).ctypes.data, on, values.ctypes.data
    )
    if verb == "load":
        assert list(values) == [lane % run - 1 for lane in range(LANES)]
    else:
        assert list(memory[: run - 1]) == [-1] * (run - 1)
        assert list(memory[run - 1 :]) == list(range(run - 1, 64))
