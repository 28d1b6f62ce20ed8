"""Where the lanes of a gang access memory. The form of an `Address` decides what an access costs:

    base                          one scalar load, broadcast
    base + lane * size            one (masked) vector load
    base + offset[lane] * scale   one gather with 32-bit offsets per 16 lanes of 32 bits
    address[lane]                 a gather with 64-bit addresses

`access` has the whole list.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from llvmlite import ir

from ..access import Spread
from ..lang.ctype import Pointer, Scalar
from . import builder
from .builder import I32, I64, Builder, const
from .values import ANY_POINTER, Value, lane_constants, move, splat, vector


@dataclass(frozen=True)
class Wrap:
    """Where an index of 32 bits may wrap around within the gang: lane l's is `first + stride * l`.

    The address of a lane whose index has wrapped is `distance` bytes from where the others' make it seem.
    """

    first: ir.Value
    stride: int
    signed: bool
    distance: int

    def beyond(self, b: Builder, index: ir.Value, first: ir.Value) -> ir.Value:
        """Whether `index` has wrapped on its way from `first`, of numbers or of vectors."""
        compare = b.icmp_signed if self.signed else b.icmp_unsigned
        return compare("<" if self.stride > 0 else ">", index, first)


@dataclass(frozen=True)
class Address:
    """Where each lane's scalar lies.

    With `offsets` (i32, signed): `base + offsets * scale`; with `wide` (i64): there;
    else `base + lane * stride`. `interleave`: the memory is private and interleaved. If `record_size` is not 0, the
    scalar is `record_offset` bytes into an object of that size, all of which may be read. With `wrap`, `base` and
    `stride` are right for the lanes in front of it; only `Memory` and `exact` take such an address. Where there are
    offsets: `rise`, by how many bytes, at least and at most, the address grows from one lane to the next, if that is
    known; `likely`, by how many it does in nearly all gangs, on which nothing may rely; `row`, how many bytes from
    `base` on may be read if one of the elements lies in them.
    `unaligned`: it may be any, whatever size the scalar has.
    """

    base: ir.Value | None
    stride: int = 0
    interleave: int = 0
    offsets: ir.Value | None = None
    scale: int = 1
    wide: ir.Value | None = None
    record_size: int = 0
    record_offset: int = 0
    rise: tuple[int, int] | None = None
    likely: int | None = None
    row: int = 0
    wrap: Wrap | None = None
    unaligned: bool = False

    @property
    def uniform(self) -> bool:
        return self.offsets is None and self.wide is None and self.stride == 0 and self.wrap is None

    def alignment(self, size: int) -> int:
        """Return of how many bytes the address of a scalar of `size` bytes is a multiple."""
        return 1 if self.unaligned else size

    @property
    def spread(self) -> Spread:
        """How the lanes' addresses lie to each other."""
        anywhere = self.offsets is not None or self.wide is not None
        return Spread(
            None if anywhere else self.stride,
            self.wide is not None,
            self.interleave,
            self.record_size,
            self.record_offset,
            self.scale,
            self.rise,
            self.likely,
            self.row,
        )

    def evenly(self, stride: int) -> Address:
        """The address in a gang whose lanes are `stride` bytes apart. Its base is still that of the offsets."""
        return replace(self, stride=stride, offsets=None, scale=1, rise=None, likely=None, row=0)

    @property
    def start(self) -> ir.Value:
        """`base`, of an address that is not `wide` and follows from it alone."""
        assert self.base is not None and self.wrap is None
        return self.base


def at(b: ir.IRBuilder, pointer: Value) -> Address:
    """The address that a pointer value holds."""
    if pointer.varying:
        return Address(None, interleave=pointer.interleave, wide=pointer.ir)
    return Address(pointer.ir, pointer.stride, pointer.interleave)


def member(b: Builder, address: Address, offset: int, size: int = 0) -> Address:
    """The address of the member `offset` bytes into the struct, of `size` bytes if known, at `address`."""
    if address.interleave:
        offset *= b.lanes
    elif size and not address.record_size:
        address = replace(address, record_size=size, record_offset=0)
    address = replace(address, record_offset=address.record_offset + offset)
    if address.wide is not None:
        return replace(address, wide=b.add(address.wide, const(address.wide.type, offset))) if offset else address
    assert address.base is not None
    return replace(address, base=move(b, address.base, offset))


def wraps(b: Builder, wrap: Wrap) -> ir.Value:
    """Emit the test whether the index of any lane, on or off, has wrapped."""
    last = b.add(wrap.first, const(I32, (b.lanes - 1) * wrap.stride))
    return wrap.beyond(b, last, wrap.first)


def exact(b: Builder, address: Address) -> Address:
    """Return the same address without `wrap`."""
    wrap = address.wrap
    if wrap is None:
        return address
    first = splat(b, wrap.first)
    index = b.add(first, lane_constants(I32, wrap.stride, b.lanes))
    numbers = ir.VectorType(I64, b.lanes)
    shift = b.select(wrap.beyond(b, index, first), const(numbers, wrap.distance), const(numbers, 0))
    before = vector(b, pointer_to(b, replace(address, wrap=None), ANY_POINTER))
    return replace(address, base=None, stride=0, wide=b.add(before, shift), wrap=None)


def pointer_to(b: Builder, address: Address, ctype: Pointer) -> Value:
    """The pointer value that holds `address`."""
    address = exact(b, address)
    if address.wide is not None:
        return Value(ctype, address.wide, interleave=address.interleave)
    assert address.base is not None
    if address.offsets is None:
        return Value(ctype, address.base, address.stride, address.interleave)
    numbers = ir.VectorType(I64, b.lanes)
    offsets = b.mul(b.sext(address.offsets, numbers), const(numbers, address.scale))
    return Value(ctype, b.add(splat(b, b.ptrtoint(address.base, I64)), offsets), interleave=address.interleave)


def index(
    b: Builder,
    address: Address,
    count: Value,
    size: int,
    negative: bool = False,
    may_wrap: bool = False,
    small: bool = False,
) -> Address:
    """The address `count` elements of `size` bytes after `address`, before it if `negative`.

    With `may_wrap`, lanes on both sides of where an affine `count` of 32 bits wraps may be in the object. If that is
    `small`, it has less than 2^31 bytes, and its end is no further from `address`: offsets in bytes fit 32 bits.
    `count` has a promoted integer type. Offsets of 32 bits are exact because no object has 2^33 bytes: a pointer and
    what it is moved to lie in one object, so that their distance in units of 4 bytes or more fits a signed 32-bit
    integer, and what 64-bit arithmetic holds above its low 32 bits is only their sign.
    """
    assert isinstance(count.type, Scalar)
    size *= b.lanes if address.interleave else 1
    step = -size if negative else size
    may_wrap = may_wrap and count.stride != 0
    if address.wrap is not None and (may_wrap or count.varying):
        address = exact(b, address)
    if address.wide is not None:
        return _wide_index(b, address, count, step)
    if count.varying:
        return _gather_index(b, address, count, step, small)
    assert address.base is not None
    within = _record_offset(address, count, step)
    if within is not None:
        return member(b, address, within - address.record_offset)
    if may_wrap and address.offsets is not None:
        return _wide_index(b, address, count, step)
    extended = _first_to_i64(b, count) if may_wrap else _to_i64(b, count)
    base = move(b, address.base, b.mul(extended, ir.Constant(I64, step)))
    address = replace(address, record_size=0, wrap=_wrap(count, step) if may_wrap else address.wrap)
    if address.offsets is None:
        return replace(address, base=base, stride=address.stride + count.stride * step)
    if count.stride * step % address.scale:
        unit = _unit(count.stride * step, address.scale)
        if unit < 4 and not small:
            return _wide_index(b, address, count, step)
        address = replace(address, offsets=_in_units(b, address, unit), scale=unit)
    assert address.offsets is not None
    lanes = lane_constants(I32, count.stride * step // address.scale, b.lanes)
    if not count.stride:
        return replace(address, base=base)
    offsets, rise, likely = b.add(address.offsets, lanes), _rise(address, count, step), _likely(address, count, step)
    return replace(address, base=base, offsets=offsets, rise=rise, likely=likely)


def _rise(address: Address, count: Value, step: int) -> tuple[int, int] | None:
    """The rise of the address `count` steps after `address`."""
    along = (count.stride, count.stride) if not count.varying else count.rise
    before = (address.stride, address.stride) if address.offsets is None else address.rise
    if along is None or before is None:
        return None
    least, most = sorted((along[0] * step, along[1] * step))
    return before[0] + least, before[1] + most


def _likely(address: Address, count: Value, step: int) -> int | None:
    """How far apart the lanes' addresses `count` steps after `address` are in nearly all gangs."""
    along = count.likely if count.varying else count.stride
    before = address.stride if address.offsets is None else address.likely
    return None if along is None or before is None else before + along * step


def _record_offset(address: Address, count: Value, step: int) -> int | None:
    """The offset in the record of a scalar `count` steps on, if that is known and in the record."""
    known = builder.constant_of(count.ir)
    if known is None or count.stride or not address.record_size:
        return None
    assert isinstance(count.type, Scalar)
    if count.type.signed and known >> (count.type.bits - 1):
        known -= 1 << count.type.bits
    offset = address.record_offset + known * step
    return offset if 0 <= offset < address.record_size else None


def _wrap(count: Value, step: int) -> Wrap:
    assert isinstance(count.type, Scalar)
    return Wrap(count.ir, count.stride, count.type.signed, (-step if count.stride > 0 else step) << 32)


def _first_to_i64(b: Builder, count: Value) -> ir.Value:
    """Lane 0's index in 64 bits."""
    assert isinstance(count.type, Scalar)
    if count.type.bits == 64:
        return count.ir
    return b.sext(count.ir, I64) if count.type.signed else b.zext(count.ir, I64)


def _to_i64(b: Builder, count: Value) -> ir.Value:
    """Lane 0's index in 64 bits, or what would be right for it if the lanes with small numbers are those that are on.

    An unsigned affine index may wrap within the gang, as in `a[threadIdx.x - 1]` where lane 0 is off. The
    lanes after the wrap are those whose index is in bounds: extend the index of the last lane.
    """
    assert isinstance(count.type, Scalar)
    if count.type.bits == 64 or count.type.signed or count.stride <= 0:
        return _first_to_i64(b, count)
    span = (b.lanes - 1) * count.stride
    return b.sub(b.zext(b.add(count.ir, ir.Constant(I32, span)), I64), ir.Constant(I64, span))


def _wide_index(b: Builder, address: Address, count: Value, step: int) -> Address:
    assert isinstance(count.type, Scalar)
    wide, numbers = vector(b, count), ir.VectorType(I64, b.lanes)
    if count.type.bits == 32:
        wide = b.sext(wide, numbers) if count.type.signed else b.zext(wide, numbers)
    start = vector(b, pointer_to(b, address, ANY_POINTER))
    return Address(None, interleave=address.interleave, wide=b.add(start, b.mul(wide, const(numbers, step))))


def _unit(*distances: int) -> int:
    """The largest unit of offsets in which the distances can be written."""
    return next(unit for unit in (8, 4, 2, 1) if all(distance % unit == 0 for distance in distances))


def _in_units(b: Builder, address: Address, unit: int) -> ir.Value:
    """The offsets of `address`, counted in smaller units."""
    assert address.offsets is not None
    if address.scale == unit:
        return address.offsets
    return b.mul(address.offsets, const(address.offsets.type, address.scale // unit))


def _below_half(value: ir.Value) -> bool:
    """Whether what computes an unsigned number of 64 bits says that it is below 2^31."""
    if not isinstance(value, ir.Instruction) or value.opname not in ("and", "lshr", "urem"):
        return False
    known = [builder.constant_of(operand) for operand in value.operands]
    match value.opname, known:
        case "and", _:
            return any(bits is not None and bits < 1 << 31 for bits in known)
        case "lshr", [_, int(distance)]:
            return 33 <= distance < 64
        case "urem", [_, int(divisor)]:
            return 0 < divisor <= 1 << 31
    return False


def _gather_index(b: Builder, address: Address, count: Value, step: int, small: bool) -> Address:
    """A varying index after a scalar address, or after one with 32-bit offsets."""
    assert isinstance(count.type, Scalar) and address.base is not None
    inner = address.stride if address.offsets is None else address.scale
    scale = _unit(step, inner)
    fits = count.type.bits == 32 or _below_half(count.ir)
    if scale < 4 and not small and (step != scale or inner or not fits):
        return _wide_index(b, address, count, step)
    base, numbers = address.base, ir.VectorType(I32, b.lanes)
    offsets = b.trunc(count.ir, numbers) if count.type.bits == 64 else count.ir
    biased = scale < 4 and not small and count.type.bits == 32 and not count.type.signed
    if biased:  # the whole unsigned range may be in bounds
        offsets = b.xor(offsets, const(numbers, 1 << 31))
        base = move(b, base, scale << 31)
    if step != scale:
        offsets = b.mul(offsets, const(numbers, step // scale))
    if address.offsets is not None:
        offsets = b.add(_in_units(b, address, scale), offsets)
    elif address.stride:
        offsets = b.add(offsets, lane_constants(I32, address.stride // scale, b.lanes))
    rise, likely = _rise(address, count, step), _likely(address, count, step)
    if biased:  # lanes may be 2^32 elements apart: their offsets do not show it
        likely = None
    return Address(base, interleave=address.interleave, offsets=offsets, scale=scale, rise=rise, likely=likely)
