"""Atomic operations lane by lane, or address by address.

The loops are functions of their own, each made once per module and kind, and called where lanes have to be serialised.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Literal

from llvmlite import ir

from ..simd import mask as masks
from ..simd.address import Address
from ..simd.builder import I1, I8, I16, I32, I64, Builder, bits_of, element, known_function, undefined
from ..simd.mask import Mask
from ..simd.values import PTR, Value, move, opaque, splat, vector, vector_type
from ..target import LANES, Target
from .atomic_word import Operation, combined, updated

FULL = masks.all_bits(LANES)


@dataclass(frozen=True)
class Access:
    """One atomic call under its mask. `values`: the arguments after the pointer; `used`: the old values are wanted."""

    operation: Operation
    where: Address
    values: tuple[Value, ...]
    mask: Mask
    used: bool


def unrolled(b: Builder, access: Access) -> ir.Value | None:
    """Update the words of all 16 lanes, lowest first, by ordinary instructions."""
    where, operation = access.where, access.operation
    vectors = [value.ir if value.uniform else vector(b, value) for value in access.values]
    old = undefined(vector_type(operation.type, LANES))
    offsets = None if where.offsets is None else _taken(b, where.offsets)
    for number in range(LANES):
        lane = ir.Constant(I32, number)
        values = tuple(b.extract_element(v, lane) if _is_vector(v) else v for v in vectors)
        offset: ir.Value | int = number * where.stride
        if offsets is not None:
            offset = b.mul(next(offsets), ir.Constant(I64, where.scale))
        found = operation.update(b, move(b, where.start, offset), values, locked=False)
        if access.used:
            old = b.insert_element(old, found, lane)
    return old if access.used else None


def _taken(b: ir.IRBuilder, offsets: ir.Value) -> Iterator[ir.Value]:
    """Yield the lanes of an i32 vector as i64. To leave a vector is costly, so several lanes do so in one word.

    Two of them fit a word; of lanes that were bytes or shorts before, eight or four, as those are taken. Each lane is
    taken where the caller asks for it: LLVM would keep sixteen that are taken at once in memory.
    """
    lanes, signed = _before_widened(offsets)
    bits = bits_of(lanes.type)
    widen, shift = (b.sext, b.ashr) if signed else (b.zext, b.lshr)
    in_word = 64 // bits
    words = b.bitcast(lanes, ir.VectorType(I64, LANES // in_word))

    def kept(value: ir.Value) -> ir.Value:
        """Return the same value; its origin is hidden from LLVM, which would else compute each lane separately."""
        return b.asm(ir.FunctionType(I64, [I64]), "", "=r,0", [value], False)

    for number in range(LANES // in_word):
        word = kept(b.extract_element(words, ir.Constant(I32, number)))
        for _ in range(in_word - 1):
            yield widen(b.trunc(word, ir.IntType(bits)), I64)
            # By one lane each time: on a Xeon the second byte of a register, `%ah`, is slower to take than that.
            word = kept(shift(word, ir.Constant(I64, bits)))
        yield word


def _before_widened(lanes: ir.Value) -> tuple[ir.Value, bool]:
    """Return the vector of bytes or shorts that an i32 vector was made of, or itself, and whether that has signs."""
    if isinstance(lanes, ir.Instruction) and lanes.opname in ("zext", "sext"):
        narrow = lanes.operands[0]
        if element(narrow.type) in (I8, I16):
            return narrow, lanes.opname == "sext"
    return lanes, True


def lane_by_lane(b: Builder, access: Access, *, locked: bool) -> ir.Value | None:
    """Update the word of each active lane, lowest first. Returns the old values, None if they are not used."""

    def body(inner: Builder, own: Access) -> ir.Value | None:
        operation = own.operation
        if not locked:
            full, rest = inner.append_basic_block("full"), inner.append_basic_block("rest")
            inner.cbranch(inner.icmp_unsigned("==", masks.bits(inner, own.mask), FULL), full, rest)
            inner.position_at_end(full)
            _leave(inner, unrolled(inner, own))
            inner.position_at_end(rest)
        pointer, values = _pointers(inner, own.where), [_scalars(inner, value) for value in own.values]

        def step(lane: ir.Value, left: ir.Value) -> tuple[ir.Value, ir.Value | None]:
            old = operation.update(inner, pointer(lane), tuple(value(lane) for value in values), locked=locked)
            return inner.and_(left, inner.neg(left)), splat(inner, old) if own.used else None

        return _while_lanes_left(inner, own, step)

    return _call(b, "lanes", access, locked, body)


def address_by_address(b: Builder, access: Access, target: Target, *, locked: bool) -> ir.Value | None:
    """Combine the values of all lanes at one address and update its word once; then continue with the other lanes."""

    def body(inner: Builder, own: Access) -> ir.Value | None:
        operation, where = own.operation, own.where
        keys = where.wide if where.wide is not None else where.offsets
        assert keys is not None
        pointer, key = _pointers(inner, where), _scalars(inner, keys)

        def step(lane: ir.Value, left: ir.Value) -> tuple[ir.Value, ir.Value | None]:
            alike = inner.bitcast(inner.icmp_unsigned("==", keys, splat(inner, key(lane))), I16)
            here = inner.and_(alike, left, name="here")
            mask = Mask(inner.bitcast(here, masks.lane_bits(LANES)))
            total, prefix = combined(inner, operation, own.values[0], mask, own.used, target)
            old = operation.update(inner, pointer(lane), (total,), locked=locked)
            return here, None if prefix is None else updated(inner, operation, splat(inner, old), prefix)

        return _while_lanes_left(inner, own, step)

    return _call(b, "addresses", access, locked, body)


# ----------------------------------------------------------------------------------------- the functions

Body = Callable[[Builder, Access], ir.Value | None]
Step = Callable[[ir.Value, ir.Value], tuple[ir.Value, ir.Value | None]]
Read = Callable[[ir.Value], ir.Value]


def _call(b: Builder, kind: Literal["lanes", "addresses"], access: Access, locked: bool, body: Body) -> ir.Value | None:
    """Call the function that does `body`, given the access with the function's parameters in place of its values."""
    where, operation = access.where, access.operation
    values = [value.ir if value.uniform else vector(b, value) for value in access.values]
    places = [place for place in (where.base, where.offsets, where.wide) if place is not None]
    args = [masks.bits(b, access.mask), *values, *places]
    form = f"by{where.scale}" if where.offsets is not None else "wide" if where.wide is not None else f"{where.stride}"
    parts = [operation.name, operation.type.name.replace(" ", "_"), kind, "locked" if locked else "plain", form]
    parts += ["each" if _is_vector(value) else "same" for value in values] + ["old"] * access.used
    name = f"s2s.atomic.{'.'.join(parts)}"
    function = known_function(b.module, name)
    if function is None:
        result = vector_type(operation.type, LANES) if access.used else ir.VoidType()
        function = ir.Function(b.module, ir.FunctionType(result, [arg.type for arg in args]), name)
        function.linkage = "internal"
        function.attributes.add("nounwind")
        function.attributes.add("noinline")
        inner = Builder(function.append_basic_block("entry"), LANES)
        _leave(inner, body(inner, _within(inner, access, list(function.args))))
    old = b.call(function, args)
    return old if access.used else None


def _within(b: ir.IRBuilder, access: Access, params: list[ir.Value]) -> Access:
    """Return the access as the function sees it."""
    bits, *rest = params
    values = tuple(Value(access.operation.type, rest.pop(0)) for _ in access.values)
    base, offsets, wide = (
        None if place is None else rest.pop(0) for place in (access.where.base, access.where.offsets, access.where.wide)
    )
    where = replace(access.where, base=base, offsets=offsets, wide=wide)
    return replace(access, where=where, values=values, mask=masks.from_bits(b, bits))


def _leave(b: ir.IRBuilder, result: ir.Value | None) -> None:
    if result is None:
        b.ret_void()
    else:
        b.ret(result)


def _while_lanes_left(b: ir.IRBuilder, access: Access, step: Step) -> ir.Value | None:
    """Run `step(first lane left, lanes left)` until all active lanes are done.

    A step returns the lanes that it has done, as bits, and their old values.
    """
    todo, start, none_left = masks.bits(b, access.mask), b.block, ir.Constant(I16, 0)
    loop, done = b.append_basic_block("lanes"), b.append_basic_block("done")
    nothing = undefined(vector_type(access.operation.type, LANES))
    b.cbranch(b.icmp_unsigned("!=", todo, none_left), loop, done)
    b.position_at_end(loop)
    left, before = b.phi(I16, "left"), b.phi(nothing.type, "before")
    left.add_incoming(todo, start)
    before.add_incoming(nothing, start)
    lane = b.zext(b.cttz(left, ir.Constant(I1, 1)), I64, name="lane")
    here, found = step(lane, left)
    rest = b.and_(left, b.not_(here), name="rest")
    old = before if found is None else b.select(b.bitcast(here, masks.lane_bits(LANES)), found, before)
    left.add_incoming(rest, b.block)
    before.add_incoming(old, b.block)
    end = b.block
    b.cbranch(b.icmp_unsigned("!=", rest, none_left), loop, done)
    b.position_at_end(done)
    result = b.phi(nothing.type, "old")
    result.add_incoming(nothing, start)
    result.add_incoming(old, end)
    return result if access.used else None


def _pointers(b: ir.IRBuilder, where: Address) -> Read:
    """Return the function that gives the pointer of the lane with a given number."""
    if where.wide is not None:
        wide = _scalars(b, where.wide)
        return lambda lane: b.inttoptr(wide(lane), PTR)
    if where.offsets is not None:
        offset = _scalars(b, where.offsets)
        return lambda lane: move(b, where.start, b.mul(b.sext(offset(lane), I64), ir.Constant(I64, where.scale)))
    return lambda lane: move(b, where.start, b.mul(lane, ir.Constant(I64, where.stride)))


def _scalars(b: ir.IRBuilder, value: Value | ir.Value) -> Read:
    """Return the function that reads the lane with a given number; a vector is put into memory for it."""
    lanes = value.ir if isinstance(value, Value) else value
    if not _is_vector(lanes):
        return lambda lane: lanes
    home, scalar = opaque(b.alloca(lanes.type)), element(lanes.type)
    b.store(lanes, home)
    return lambda lane: b.load(b.gep(home, [lane], source_etype=scalar), typ=scalar)


def _is_vector(value: ir.Value) -> bool:
    return isinstance(value.type, ir.VectorType)
