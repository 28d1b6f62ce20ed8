"""Gathers and scatters: accesses of sixteen lanes at addresses that differ in no way that is known."""

from __future__ import annotations

from dataclasses import dataclass, replace

from llvmlite import ir

from ..target import LANES, Target
from . import builder
from . import mask as masks
from .address import Address, member, pointer_to
from .builder import I8, I16, I32, I64, Builder, bits_of, concat, const, declare, known_function, slice_lanes
from .instructions import Instructions, instructions
from .mask import Mask
from .strided import code
from .values import ANY_POINTER, I32_LANES, I64_LANES, PTR, lane_constants, opaque, splat, vector


@dataclass(frozen=True)
class GatherScatter:
    """Emits gathers and scatters of one function for one target."""

    b: Builder
    target: Target

    @property
    def cpu(self) -> Instructions:
        return instructions(self.target)

    def _offsets(self, address: Address) -> tuple[ir.Value, ir.Value, int]:
        """Base, 32-bit offsets and scale of an address that is not wide."""
        assert address.base is not None
        if address.offsets is not None:
            return address.base, address.offsets, address.scale
        return address.base, lane_constants(I32, address.stride, LANES), 1

    def _wide(self, address: Address) -> ir.Value:
        """The 16 addresses as <16 x i64>."""
        return vector(self.b, pointer_to(self.b, address, ANY_POINTER))

    def gather(self, address: Address, element: ir.Type, size: int, mask: Mask) -> ir.Value:
        b, lanes = self.b, ir.VectorType(element, LANES)
        if address.wide is not None or not self.target.gathers:
            return self._gather_wide(address, lanes, size, mask)
        base, offsets, scale = self._offsets(address)
        if size == 4:
            return self.cpu.gather(b, lanes, base, offsets, mask.lanes, scale)
        half = ir.VectorType(element, LANES // 2)
        return concat(
            b,
            [self.cpu.gather(b, half, base, self._half(offsets, i), self._half(mask.lanes, i), scale) for i in (0, 1)],
        )

    def _gather_wide(self, address: Address, lanes: ir.VectorType, size: int, mask: Mask) -> ir.Value:
        b, pointers = self.b, ir.VectorType(PTR, LANES)
        types = [pointers, I32, masks.lane_bits(LANES), lanes]
        function = declare(b.module, f"llvm.masked.gather.v16{code(lanes.element)}.v16p0", lanes, types)
        where = b.inttoptr(self._wide(address), pointers)
        return b.call(function, [where, ir.Constant(I32, address.alignment(size)), mask.lanes, const(lanes, 0)])

    def scatter(self, address: Address, lanes: ir.Value, size: int, mask: Mask) -> None:
        b, element = self.b, builder.element(lanes.type)
        if address.wide is not None or not self.target.gathers:
            pointers = ir.VectorType(PTR, LANES)
            types = [lanes.type, pointers, I32, masks.lane_bits(LANES)]
            function = declare(b.module, f"llvm.masked.scatter.v16{code(element)}.v16p0", ir.VoidType(), types)
            b.call(
                function,
                [
                    lanes,
                    b.inttoptr(self._wide(address), pointers),
                    ir.Constant(I32, address.alignment(size)),
                    mask.lanes,
                ],
            )
            return
        base, offsets, scale = self._offsets(address)
        if size == 4:
            self.cpu.scatter(b, base, offsets, lanes, mask.lanes, scale)
            return
        for i in (0, 1):  # low half first: where lanes meet, the highest wins
            on = self._half(mask.lanes, i)
            self.cpu.scatter(b, base, self._half(offsets, i), self._half(lanes, i), on, scale)

    def _half(self, lanes: ir.Value, i: int) -> ir.Value:
        return slice_lanes(self.b, lanes, i * LANES // 2, LANES // 2)

    # -- 8 and 16 bits: LLVM would take each lane on its own

    def gather_small(self, address: Address, size: int, mask: Mask) -> ir.Value:
        """Gather a 32-bit word around each scalar and shift it down: the record's, or the aligned one.

        An aligned word is never on another page; the record's serves its other scalars too. What may lie in two words
        is gathered byte by byte.
        """
        b = self.b
        if address.unaligned and size > 1:
            ways = [replace(member(b, address, i), unaligned=False) for i in range(size)]
            lanes = ir.VectorType(I16, LANES)
            bits = [b.zext(self.gather_small(way, 1, mask), lanes) for way in ways]
            return b.or_(bits[0], b.shl(bits[1], const(lanes, 8)))
        narrow = ir.VectorType(I8 if size == 1 else I16, LANES)
        within = address.record_offset % 4
        if address.record_offset - within + 4 <= address.record_size:
            gathered = self.gather(member(b, address, -within), I32, 4, mask)
            return b.trunc(b.lshr(gathered, const(I32_LANES, 8 * within)), narrow)
        if address.wide is not None:
            low = b.trunc(b.and_(address.wide, const(I64_LANES, 3)), I32_LANES)
            words = Address(None, wide=b.and_(address.wide, const(I64_LANES, -4)))
        else:
            base, offsets, scale = self._offsets(address)
            number = b.ptrtoint(base, I64)
            start = b.trunc(b.and_(number, ir.Constant(I64, 3)), I32)
            aligned = b.inttoptr(b.and_(number, ir.Constant(I64, -4)), PTR)
            if scale >= 4:
                low = splat(b, start)
                words = Address(aligned, offsets=offsets, scale=scale)
            else:  # split the offset before adding, so that nothing overflows
                units = 4 // scale
                fine = b.mul(b.and_(offsets, const(I32_LANES, units - 1)), const(I32_LANES, scale))
                fine = b.add(fine, splat(b, start))
                whole = b.ashr(offsets, const(I32_LANES, units.bit_length() - 1))
                whole = b.add(whole, b.lshr(fine, const(I32_LANES, 2)))
                low = b.and_(fine, const(I32_LANES, 3))
                words = Address(aligned, offsets=whole, scale=4)
        gathered = self.gather(words, I32, 4, mask)
        shifted = b.lshr(gathered, b.shl(low, const(I32_LANES, 3)))
        return b.trunc(shifted, narrow)

    def scatter_small(self, address: Address, lanes: ir.Value, mask: Mask) -> None:
        """Nothing scatters 8 or 16 bits, and a neighbour's bytes must not be touched: a loop over lanes."""
        b = self.b
        function = _lane_store(b.module, builder.element(lanes.type))
        b.call(function, [self._wide(address), lanes, masks.bits(b, mask)])


def _lane_store(module: ir.Module, element: ir.Type) -> ir.Function:
    """`for each lane that is on, lowest first: *addresses[lane] = values[lane]`"""
    name, lanes = f"s2s.scatter.{element}", ir.VectorType(element, LANES)
    known = known_function(module, name)
    if known is not None:
        return known
    function = ir.Function(module, ir.FunctionType(ir.VoidType(), [I64_LANES, lanes, I16]), name)
    function.linkage = "internal"
    function.attributes.add("nounwind")
    addresses, values, bits = function.args
    entry, body, done = (function.append_basic_block(label) for label in ("entry", "lane", "done"))
    b = ir.IRBuilder(entry)
    todo = b.zext(bits, I32)
    places, held = opaque(b.alloca(I64_LANES)), opaque(b.alloca(lanes))
    b.store(addresses, places)
    b.store(values, held)
    b.cbranch(b.icmp_unsigned("!=", todo, ir.Constant(I32, 0)), body, done)
    b.position_at_end(body)
    left = b.phi(I32, "left")
    left.add_incoming(todo, entry)
    lane = b.cttz(left, ir.Constant(ir.IntType(1), 1))
    value = b.load(b.gep(held, [lane], source_etype=element), typ=element)
    place = b.inttoptr(b.load(b.gep(places, [lane], source_etype=I64), typ=I64), PTR)
    b.store(value, place, align=bits_of(element) // 8)
    rest = b.and_(left, b.sub(left, ir.Constant(I32, 1)))
    left.add_incoming(rest, body)
    b.cbranch(b.icmp_unsigned("!=", rest, ir.Constant(I32, 0)), body, done)
    b.position_at_end(done)
    b.ret_void()
    return function
