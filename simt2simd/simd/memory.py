"""Memory accesses of a gang: scalar, vector, strided, gather, scatter; loads and stores, under a mask."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import assert_never

from llvmlite import ir

from ..access import (
    Access,
    Broadcast,
    Consecutive,
    FromRow,
    Gathered,
    IfEven,
    InRuns,
    LaneByLane,
    Near,
    Strided,
    Verb,
    form,
    plan,
)
from ..costs import EVEN_WEIGHTS, WRAP_WEIGHTS, Form
from ..lang.ctype import BOOL, DOUBLE, LONG_DOUBLE, ULONG, Pointer, Scalar
from ..target import LANES, Target
from . import mask as masks
from . import strided, wide_integers
from .address import Address, exact, member, wraps
from .builder import I1, I8, I16, I32, I64, Builder, concat, const, frozen, slice_lanes, undefined
from .gather_scatter import GatherScatter
from .instructions import Instructions, instructions
from .mask import Mask
from .strided import as_units, load_vector, store_vector
from .values import I32_LANES, PTR, Value, lane_constants, move, one_lane, scalar_type, splat, vector
from .wide_gangs import address_part, mask_part, value_part

NARROWEST_VECTOR_BYTES = 16


@dataclass(frozen=True)
class _Run:
    """Lanes side by side whose scalars are accessed by one vector: the first one, its address, and those that are on.

    The vector may be wider than the run: the lanes of `on` beyond it are off.
    """

    first: int
    where: ir.Value
    on: Mask


@dataclass(frozen=True)
class Memory:
    """Emits the accesses of one function for one target.

    `uneven`: where an i1 is set, if anywhere, when a gang turns out to be one of the few that need another way.
    `run`: how many lanes lie in one row of the block at least, most often; what is likely is so within such runs.
    """

    b: Builder
    target: Target
    uneven: ir.Value | None = None
    run: int = LANES

    @property
    def cpu(self) -> Instructions:
        return instructions(self.target)

    @property
    def indexed(self) -> GatherScatter:
        """The accesses at addresses that differ from lane to lane in no way that is known."""
        return GatherScatter(self.b, self.target)

    def plan(self, address: Address, size: int, verb: Verb) -> Access:
        """How scalars of `size` bytes are accessed."""
        return plan(replace(address.spread, run=self.run), size, verb, self.target)

    def form(self, address: Address, size: int, verb: Verb) -> Form:
        """What that is in words, and what it costs."""
        return form(self.plan(address, size, verb), size, verb, self.target)

    def load(self, address: Address, ctype: Scalar | Pointer, mask: Mask) -> Value:
        """Read a scalar per active lane. Inactive lanes read nothing; their value is arbitrary."""
        if address.wrap is not None:
            return self.unless_wrapped(address, lambda way: (self.load(way, ctype, mask),))[0]
        b = self.b
        if ctype.size == 2 * ULONG.size and not address.uniform:
            return self._load_wide(address, ctype, mask)
        if ctype.align < ctype.size:
            address = replace(address, unaligned=True)
        held = I8 if ctype == BOOL else scalar_type(ctype)
        access = self.plan(address, ctype.size, "load")
        if isinstance(access, Broadcast):
            return Value(
                ctype, self._as_value(b.load(address.start, typ=held, align=address.alignment(ctype.size)), ctype)
            )
        element = I64 if held == PTR else held
        ways = [(address, mask)]
        if b.lanes > LANES:
            ways = [(address_part(b, address, i), mask_part(b, mask, i)) for i in range(b.lanes // LANES)]
        with b.narrow(LANES):
            read = [self._as_value(self._load(access, where, element, ctype.size, on), ctype) for where, on in ways]
            return Value(ctype, concat(b, read))

    def _as_value(self, loaded: ir.Value, ctype: Scalar | Pointer) -> ir.Value:
        return self.b.icmp_unsigned("!=", loaded, const(loaded.type, 0)) if ctype == BOOL else loaded

    def store(self, address: Address, value: Value, mask: Mask) -> None:
        """Write the active lanes' scalars; where lanes meet, the highest wins."""
        if address.wrap is not None:

            def stored(way: Address) -> tuple[Value, ...]:
                self.store(way, value, mask)
                return ()

            self.unless_wrapped(address, stored)
            return
        b, size = self.b, value.type.size
        if size == 2 * ULONG.size and not address.uniform:
            self._store_wide(address, value, mask)
            return
        access = self.plan(address, size, "store")
        if isinstance(access, Broadcast):
            scalar = one_lane(b, value, mask)
            b.store(b.zext(scalar, I8) if value.type == BOOL else scalar, address.start, align=address.alignment(size))
            return
        ways = [(address, value, mask)]
        if b.lanes > LANES:
            parts = range(b.lanes // LANES)
            ways = [(address_part(b, address, i), value_part(b, value, i), mask_part(b, mask, i)) for i in parts]
        with b.narrow(LANES):
            for where, part, on in ways:
                self._store(access, where, as_stored(b, part), size, on)

    def _load_wide(self, address: Address, ctype: Scalar | Pointer, mask: Mask) -> Value:
        """Read a scalar of 16 bytes per lane by its halves; a `long double` has its value in the first one."""
        b = self.b
        if ctype == LONG_DOUBLE:
            return Value(ctype, self.load(_half(b, address, 0), DOUBLE, mask).ir)
        low, high = (vector(b, self.load(_half(b, address, i), ULONG, mask)) for i in (0, 1))
        return Value(ctype, wide_integers.joined(b, low, high))

    def _store_wide(self, address: Address, value: Value, mask: Mask) -> None:
        b, lanes = self.b, vector(self.b, value)
        if value.type == LONG_DOUBLE:
            self.store(_half(b, address, 0), Value(DOUBLE, lanes), mask)
            return
        for i, half in enumerate(wide_integers.halves(b, lanes)):
            self.store(_half(b, address, i), Value(ULONG, half), mask)

    def unless_wrapped(self, address: Address, access: Callable[[Address], tuple[Value, ...]]) -> tuple[Value, ...]:
        """Emit an access and return its values; if an index may wrap, once more for the few gangs in which it does."""
        b, wrap = self.b, address.wrap
        if wrap is None:
            return access(address)
        usual, other, done = (b.append_basic_block(name) for name in ("straight", "wrapped", "accessed"))
        b.cbranch(wraps(b, wrap), other, usual).set_weights(WRAP_WEIGHTS)
        b.position_at_end(usual)
        straight = [replace(value, ir=vector(b, value)) for value in access(replace(address, wrap=None))]
        after_usual = b.block
        b.branch(done)
        b.position_at_end(other)
        self._note_uneven()
        wrapped = [vector(b, value) for value in access(exact(b, address))]
        after_other = b.block
        b.branch(done)
        b.position_at_end(done)
        values = []
        for value, far in zip(straight, wrapped, strict=True):
            phi = b.phi(far.type)
            phi.add_incoming(value.ir, after_usual)
            phi.add_incoming(far, after_other)
            values.append(Value(value.type, phi))
        return tuple(values)

    def _note_uneven(self) -> None:
        if self.uneven is not None:
            self.b.store(ir.Constant(I1, 1), self.uneven)

    def _load(self, access: Access, address: Address, element: ir.Type, size: int, mask: Mask) -> ir.Value:
        """Read sixteen lanes as planned."""
        match access:
            case Broadcast():
                return splat(self.b, self.b.load(address.start, typ=element, align=address.alignment(size)))
            case Consecutive():
                return self._load_consecutive(address, element, size, mask)
            case Strided():
                return self._load_strided(access, address, element, mask)
            case Near():
                return self._load_near(access, address, element, size, mask)
            case FromRow():
                return self._load_from_row(access, address, element, size, mask)
            case IfEven():
                return self._load_if_even(access, address, element, size, mask)
            case InRuns():
                return self._load_runs(access, address, element, size, mask)
            case Gathered(words=True):
                return self.indexed.gather_small(address, size, mask)
            case Gathered():
                return self.indexed.gather(address, element, size, mask)
            case LaneByLane():
                raise AssertionError("a load goes by words instead")
            case _:
                assert_never(access)

    def _store(self, access: Access, address: Address, lanes: ir.Value, size: int, mask: Mask) -> None:
        """Write sixteen lanes as planned."""
        match access:
            case Consecutive():
                self._store_consecutive(address, lanes, size, mask)
            case Strided():
                units = as_units(self.b, lanes, access.size)
                strided.store(self.b, self.cpu, address.start, access, units, mask, address.alignment(access.size))
            case IfEven():
                self._store_if_even(access, address, lanes, size, mask)
            case InRuns():
                self._store_runs(access, address, lanes, size, mask)
            case Gathered():
                self.indexed.scatter(address, lanes, size, mask)
            case LaneByLane():
                self.indexed.scatter_small(address, lanes, mask)
            case Broadcast() | Near() | FromRow():
                raise AssertionError(f"no store of many lanes is {access}")
            case _:
                assert_never(access)

    def _load_consecutive(self, address: Address, element: ir.Type, size: int, mask: Mask) -> ir.Value:
        lanes = ir.VectorType(element, LANES)
        if address.interleave:  # the gang's own memory: all of it may be read
            return self.b.load(address.start, typ=lanes, align=min(64, size * LANES))
        return load_vector(self.b, address.start, lanes, address.alignment(size), mask)

    def _store_consecutive(self, address: Address, lanes: ir.Value, size: int, mask: Mask) -> None:
        b = self.b
        if address.interleave:
            align = min(64, size * LANES)
            if not mask.all_on:
                lanes = b.select(mask.lanes, lanes, b.load(address.start, typ=lanes.type, align=align))
            b.store(lanes, address.start, align=align)
        else:
            store_vector(b, address.start, lanes, address.alignment(size), mask)

    def _load_strided(self, window: Strided, address: Address, element: ir.Type, mask: Mask) -> ir.Value:
        b, units = self.b, strided.load(self.b, self.cpu, address.start, window, mask, address.alignment(window.size))
        if window.shift:
            units = b.lshr(units, const(units.type, window.shift))
        lanes = ir.VectorType(element, LANES)
        if isinstance(element, ir.IntType):
            return b.trunc(units, lanes) if element.width < 8 * window.size else units
        return b.bitcast(units, lanes)

    # -- addresses that rise from lane to lane by no more than an element or two, in no regular way

    def _load_near(self, access: Near, address: Address, element: ir.Type, size: int, mask: Mask) -> ir.Value:
        """Read what lies between the first and the last active lane's elements, and permute it."""
        b, offsets = self.b, address.offsets
        assert address.rise is not None and offsets is not None
        ends = self._ends(offsets, mask)
        low, high = ends if address.rise[0] >= 0 else reversed(ends)
        start = move(b, address.start, b.mul(b.sext(low, I64), ir.Constant(I64, size)))
        ones = b.sub(b.shl(ir.Constant(I64, 2), b.zext(b.sub(high, low), I64)), ir.Constant(I64, 1))
        if mask.maybe_empty:
            ones = b.select(masks.any_on(b, mask), ones, ir.Constant(I64, 0))
        narrow = ir.VectorType(ir.IntType(8 * size), LANES)
        parts = []
        for i in range(access.vectors):
            within = masks.from_bits(b, b.trunc(b.lshr(ones, ir.Constant(I64, LANES * i)), I16))
            part = load_vector(b, move(b, start, LANES * size * i), narrow, address.alignment(size), within)
            parts.append(part if size == 4 else b.zext(part, I32_LANES))
        places = b.sub(offsets, splat(b, low))
        picked = self.cpu.permute(b, parts, places)
        lanes = ir.VectorType(element, LANES)
        if size == 4:
            return b.bitcast(picked, lanes) if lanes != picked.type else picked
        return b.trunc(picked, lanes)

    def _ends(self, offsets: ir.Value, mask: Mask) -> tuple[ir.Value, ir.Value]:
        """Return the first and the last active lane's offset.

        They are moved to lane 0: LLVM would put all lanes into memory to read one from there, and wait for that.
        """
        b, zero = self.b, ir.Constant(I32, 0)
        if mask.all_on:
            return b.extract_element(offsets, zero), b.extract_element(offsets, ir.Constant(I32, LANES - 1))
        first = self.cpu.compress(b, offsets, mask.lanes)
        last = self.cpu.permute(b, [offsets], splat(b, masks.last_lane(b, mask)))
        return b.extract_element(first, zero), b.extract_element(last, zero)

    # -- addresses in a short row

    def _load_from_row(self, access: FromRow, address: Address, element: ir.Type, size: int, mask: Mask) -> ir.Value:
        """Read the whole row and permute it, if all active lanes' elements lie in it."""
        b, offsets = self.b, address.offsets
        assert offsets is not None
        beyond = masks.both(b, mask, b.icmp_unsigned(">=", offsets, const(offsets.type, access.count)))
        is_within = b.icmp_unsigned("==", masks.bits(b, beyond), ir.Constant(I16, 0), name="within")
        if mask.maybe_empty:  # then the row need not be there
            is_within = b.and_(is_within, masks.any_on(b, mask))

        def from_row() -> ir.Value:
            parts = []
            for first in range(0, access.count, LANES):
                rest = min(access.count - first, LANES)
                there = Mask(ir.Constant(masks.lane_bits(LANES), [int(lane < rest) for lane in range(LANES)]))
                there = Mask(masks.all_lanes(LANES)) if rest == LANES else there
                parts.append(load_vector(b, move(b, address.start, first * size), I32_LANES, size, there))
            picked = self.cpu.permute(b, parts, offsets)
            lanes = ir.VectorType(element, LANES)
            return b.bitcast(picked, lanes) if lanes != picked.type else picked

        def otherwise() -> ir.Value:
            self._note_uneven()
            return self._load(access.other, replace(address, row=0), element, size, mask)

        return self._either(is_within, from_row, otherwise, ("within", "beyond"))

    def _either(
        self, test: ir.Value, usual: Callable[[], ir.Value], other: Callable[[], ir.Value], names: tuple[str, str]
    ) -> ir.Value:
        """Read in one of two ways."""
        b = self.b
        first, second, done = (b.append_basic_block(name) for name in (*names, "loaded"))
        b.cbranch(test, first, second).set_weights(EVEN_WEIGHTS)
        ways = []
        for block, way in ((first, usual), (second, other)):
            b.position_at_end(block)
            ways.append((way(), b.block))
            b.branch(done)
        b.position_at_end(done)
        phi = b.phi(ways[0][0].type)
        for loaded, block in ways:
            phi.add_incoming(loaded, block)
        return phi

    # -- addresses that are evenly spaced in nearly all gangs

    def _test_even(self, address: Address, even: Address, mask: Mask) -> tuple[ir.Value, Address]:
        """Whether the active lanes' addresses are spaced as in `even`, and `even` with its true base.

        Where no lane is on there is no first one to give the base, so what is accessed whole counts as uneven then.
        """
        b, offsets, step = self.b, address.offsets, even.stride // address.scale
        assert offsets is not None
        packed = offsets
        lane: ir.Value = ir.Constant(I32, 0)
        if not mask.all_on:  # all are compared with the first lane that is on
            packed, lane = self.cpu.compress(b, offsets, mask.lanes), masks.first_lane(b, mask)
        first = b.extract_element(packed, ir.Constant(I32, 0), name="first.offset")
        before = b.mul(lane, ir.Constant(I32, step))
        starts = splat(b, b.sub(first, before))
        expected = b.add(starts, lane_constants(I32, step, LANES)) if step else starts
        others = masks.both(b, mask, b.icmp_unsigned("!=", offsets, expected))
        is_even = b.icmp_unsigned("==", masks.bits(b, others), ir.Constant(I16, 0), name="even")
        if mask.maybe_empty and (even.uniform or even.interleave):
            is_even = b.and_(is_even, masks.any_on(b, mask))
        start = b.sub(b.sext(first, I64), b.zext(before, I64) if step >= 0 else b.sext(before, I64))
        return is_even, replace(even, base=move(b, address.start, b.mul(start, ir.Constant(I64, address.scale))))

    def _load_if_even(self, access: IfEven, address: Address, element: ir.Type, size: int, mask: Mask) -> ir.Value:
        """Read as in most gangs if this is one of them, else gather."""
        is_even, even = self._test_even(address, address.evenly(access.stride), mask)

        def evenly() -> ir.Value:
            return self._load(access.usual, even, element, size, mask)

        def otherwise() -> ir.Value:
            self._note_uneven()
            return self._load(access.other, address, element, size, mask)

        return self._either(is_even, evenly, otherwise, ("even", "uneven"))

    def _store_if_even(self, access: IfEven, address: Address, lanes: ir.Value, size: int, mask: Mask) -> None:
        """Write as in most gangs if this is one of them, else scatter."""
        b = self.b
        is_even, even = self._test_even(address, address.evenly(access.stride), mask)
        usual, other, done = (b.append_basic_block(name) for name in ("even", "uneven", "stored"))
        b.cbranch(is_even, usual, other).set_weights(EVEN_WEIGHTS)
        for block, where, way in ((usual, even, access.usual), (other, address, access.other)):
            b.position_at_end(block)
            if block is other:
                self._note_uneven()
            self._store(way, where, lanes, size, mask)
            b.branch(done)
        b.position_at_end(done)

    # -- addresses that are consecutive within each run of lanes in nearly all gangs

    def _test_runs(self, count: int, address: Address, size: int, mask: Mask) -> tuple[ir.Value, list[_Run]]:
        """Whether the active lanes' addresses are consecutive in each run of `count`; the runs.

        A run begins at its first lane's address, also if that lane is off: then it is right if the others agree.
        """
        b, step = self.b, size // address.scale
        assert address.offsets is not None
        offsets = frozen(b, address.offsets)
        firsts = ir.Constant(I32_LANES, [lane - lane % count for lane in range(LANES)])
        starts = b.shuffle_vector(offsets, offsets, firsts)
        along = ir.Constant(I32_LANES, [step * (lane % count) for lane in range(LANES)])
        expected = b.add(starts, along)
        wrong = b.or_(b.icmp_unsigned("!=", offsets, expected), b.icmp_signed("<", expected, starts))
        others = masks.both(b, mask, wrong)
        in_runs = b.icmp_unsigned("==", masks.bits(b, others), ir.Constant(I16, 0), name="in.runs")
        runs = []
        for first in range(0, LANES, count):
            offset = b.sext(b.extract_element(offsets, ir.Constant(I32, first)), I64)
            where = move(b, address.start, b.mul(offset, ir.Constant(I64, address.scale)))
            runs.append(_Run(first, where, _run_mask(b, mask, first, count, size)))
        return in_runs, runs

    def _load_runs(self, access: InRuns, address: Address, element: ir.Type, size: int, mask: Mask) -> ir.Value:
        """Read one vector for each run if all are consecutive, else gather."""
        b = self.b
        in_runs, runs = self._test_runs(access.lanes, address, size, mask)
        usual, other, done = (b.append_basic_block(name) for name in ("runs", "no.runs", "loaded"))
        b.cbranch(in_runs, usual, other).set_weights(EVEN_WEIGHTS)
        b.position_at_end(usual)
        parts = [load_vector(b, run.where, ir.VectorType(element, run.on.count), size, run.on) for run in runs]
        joined = concat(b, [slice_lanes(b, part, 0, access.lanes) for part in parts])
        b.branch(done)
        b.position_at_end(other)
        self._note_uneven()
        gathered = self._load(access.other, address, element, size, mask)
        after_other = b.block
        b.branch(done)
        b.position_at_end(done)
        phi = b.phi(ir.VectorType(element, LANES))
        phi.add_incoming(joined, usual)
        phi.add_incoming(gathered, after_other)
        return phi

    def _store_runs(self, access: InRuns, address: Address, lanes: ir.Value, size: int, mask: Mask) -> None:
        """Write one vector for each run if all are consecutive, else scatter; where runs meet, the last one wins."""
        b = self.b
        in_runs, runs = self._test_runs(access.lanes, address, size, mask)
        usual, other, done = (b.append_basic_block(name) for name in ("runs", "no.runs", "stored"))
        b.cbranch(in_runs, usual, other).set_weights(EVEN_WEIGHTS)
        b.position_at_end(usual)
        for run in runs:
            numbers = [(run.first + lane) % LANES for lane in range(run.on.count)]
            part = b.shuffle_vector(lanes, lanes, ir.Constant(ir.VectorType(I32, len(numbers)), numbers))
            store_vector(b, run.where, part, size, run.on)
        b.branch(done)
        b.position_at_end(other)
        self._note_uneven()
        self._store(access.other, address, lanes, size, mask)
        b.branch(done)
        b.position_at_end(done)


def _half(b: Builder, address: Address, i: int) -> Address:
    """The address of 8 of the 16 bytes of a scalar, which lie together in interleaved memory too."""
    return member(b, replace(address, interleave=0, row=0) if address.interleave else address, 8 * i)


def as_stored(b: Builder, value: Value) -> ir.Value:
    """The lanes of a value as they lie in memory."""
    lanes = vector(b, value)
    return b.zext(lanes, ir.VectorType(I8, LANES)) if value.type == BOOL else lanes


def _run_mask(b: ir.IRBuilder, mask: Mask, first: int, count: int, size: int) -> Mask:
    """Lanes `first` to `first + count - 1` of a mask, and lanes that are off up to the narrowest vector of this `size`.

    LLVM 22 goes wrong where it puts in those lanes itself, to widen a masked access of less than 16 bytes: it takes
    the instruction that clears a mask's upper bits for a copy if it spills the result. It goes wrong too where lanes
    that are off are shifted into a part of a wider mask: what is shifted in is the next part. So `and` clears them.
    """
    if mask.all_on:
        return Mask(masks.all_lanes(count))
    narrowest = NARROWEST_VECTOR_BYTES // size
    if count >= narrowest:
        return Mask(slice_lanes(b, mask.lanes, first, count), maybe_empty=True)
    numbers = [first + lane if lane < count else LANES for lane in range(narrowest)]
    lanes = b.shuffle_vector(
        mask.lanes, undefined(mask.lanes.type), ir.Constant(ir.VectorType(I32, narrowest), numbers)
    )
    within = ir.Constant(masks.lane_bits(narrowest), [int(lane < count) for lane in range(narrowest)])
    return Mask(b.and_(lanes, within), maybe_empty=True)
