"""One atomic operation on one word of memory, and what many lanes' values make of it together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, get_args

from llvmlite import ir

from ..lang.ctype import Scalar, is_float, is_short_float
from ..simd import mask as masks
from ..simd import short_floats
from ..simd.builder import I32, Builder, const, declare, element, element_type, intrinsic, suffix
from ..simd.instructions import instructions
from ..simd.mask import Mask
from ..simd.values import I32_LANES, Value, lane_constants, one_lane, splat, vector
from ..target import LANES, Target

# CUDA promises less, but on x86 more is free, and programs count on the accesses around an atomic function to stay put.
ORDER: Final = "acq_rel"
LOAD_ORDER: Final = "acquire"

Name = Literal["add", "exch", "min", "max", "inc", "dec", "cas", "and", "or", "xor"]
NAMES: tuple[Name, ...] = get_args(Name)

# What LLVM calls the operations that one locked instruction does.
_LOCKED: dict[Name, Literal["add", "xchg", "uinc_wrap", "udec_wrap", "and", "or", "xor"]] = {
    "add": "add", "exch": "xchg", "inc": "uinc_wrap", "dec": "udec_wrap", "and": "and", "or": "or", "xor": "xor"
}  # fmt: skip


@dataclass(frozen=True)
class Operation:
    """`type` is that of the word."""

    name: Name
    type: Scalar

    def update(self, b: ir.IRBuilder, pointer: ir.Value, values: tuple[ir.Value, ...], *, locked: bool) -> ir.Value:
        """Update a word, `locked` if other hthreads may be changing it; return the old value."""
        if not locked:
            old = b.load(pointer, typ=element_type(self.type), align=self.type.size, name="old")
            b.store(updated(b, self, old, *values), pointer, align=self.type.size)
            return old
        if self.name == "cas":
            return _compare_and_swap(b, self, pointer, *values)
        if self.name in ("min", "max"):
            return _replace_if_better(b, self, pointer, *values)
        if is_short_float(self.type):
            return _swap_until_added(b, self, pointer, *values)
        adds_floats = self.name == "add" and is_float(self.type)
        return b.atomic_rmw("fadd" if adds_floats else _LOCKED[self.name], pointer, values[0], ORDER, name="old")


def updated(b: ir.IRBuilder, operation: Operation, old: ir.Value, *values: ir.Value) -> ir.Value:
    """Return the new value of a word, or of a vector of words."""
    value = values[0]
    match operation.name:
        case "add" if is_short_float(operation.type):
            before, by = (short_floats.widened(b, bits, operation.type) for bits in (old, value))
            return short_floats.narrowed(b, b.fadd(before, by), operation.type)
        case "add":
            return b.fadd(old, value) if is_float(operation.type) else b.add(old, value)
        case "exch":
            return value
        case "min" | "max":
            return intrinsic(b, f"llvm.{'s' if operation.type.signed else 'u'}{operation.name}", old, value)
        case "inc":
            return b.select(b.icmp_unsigned(">=", old, value), const(old.type, 0), b.add(old, const(old.type, 1)))
        case "dec":
            wraps = b.or_(b.icmp_unsigned("==", old, const(old.type, 0)), b.icmp_unsigned(">", old, value))
            return b.select(wraps, value, b.sub(old, const(old.type, 1)))
        case "cas":
            return b.select(b.icmp_unsigned("==", old, value), values[1], old)
        case "and":
            return b.and_(old, value)
        case "or":
            return b.or_(old, value)
        case "xor":
            return b.xor(old, value)
        case _:
            raise AssertionError(operation.name)


def _compare_and_swap(
    b: ir.IRBuilder, operation: Operation, pointer: ir.Value, compare: ir.Value, value: ir.Value
) -> ir.Value:
    """Look before locking: of the lanes that compete for a word, most fail, and a failure is only a load."""
    found = b.load_atomic(pointer, LOAD_ORDER, operation.type.size, typ=value.type, name="found")
    before, swap, done = b.block, b.append_basic_block("swap"), b.append_basic_block("swap.done")
    b.cbranch(b.icmp_unsigned("==", found, compare), swap, done)
    b.position_at_end(swap)
    swapped = b.extract_value(b.cmpxchg(pointer, compare, value, ORDER, LOAD_ORDER), 0)
    b.branch(done)
    b.position_at_end(done)
    old = b.phi(value.type, "old")
    old.add_incoming(found, before)
    old.add_incoming(swapped, swap)
    return old


def _replace_if_better(b: ir.IRBuilder, operation: Operation, pointer: ir.Value, value: ir.Value) -> ir.Value:
    """Try to replace the word as long as it is not as good as `value`, for a minimum or maximum."""
    compare = b.icmp_signed if operation.type.signed else b.icmp_unsigned
    better: Final = "<" if operation.name == "min" else ">"
    found = b.load_atomic(pointer, LOAD_ORDER, operation.type.size, typ=value.type, name="found")
    before = b.block
    test, swap, done = (b.append_basic_block(name) for name in ("test", "swap", "swap.done"))
    b.branch(test)
    b.position_at_end(test)
    old = b.phi(value.type, "old")
    old.add_incoming(found, before)
    b.cbranch(compare(better, value, old), swap, done)
    b.position_at_end(swap)
    pair = b.cmpxchg(pointer, old, value, ORDER, LOAD_ORDER)
    old.add_incoming(b.extract_value(pair, 0), swap)
    b.cbranch(b.extract_value(pair, 1), done, test)
    b.position_at_end(done)
    return old


def _swap_until_added(b: ir.IRBuilder, operation: Operation, pointer: ir.Value, value: ir.Value) -> ir.Value:
    """Replace the word by the sum, from the start again where another hthread was quicker."""
    found = b.load_atomic(pointer, LOAD_ORDER, operation.type.size, typ=value.type, name="found")
    before, swap, done = b.block, b.append_basic_block("swap"), b.append_basic_block("swap.done")
    b.branch(swap)
    b.position_at_end(swap)
    old = b.phi(value.type, "old")
    old.add_incoming(found, before)
    pair = b.cmpxchg(pointer, old, updated(b, operation, old, value), ORDER, LOAD_ORDER)
    old.add_incoming(b.extract_value(pair, 0), b.block)
    b.cbranch(b.extract_value(pair, 1), done, swap)
    b.position_at_end(done)
    return old


# ------------------------------------------------------------------------------------- lanes together


def combinable(operation: Operation, used: bool) -> bool:
    """Whether the lanes' values at one address can be combined into one update.

    Sums of floats depend on the order. In memory any order is right, since CUDA promises none, but the old values must
    be those of some order. Sums of short floats are too rough for any other order than that of the lanes.
    """
    if is_short_float(operation.type):
        return False
    if operation.name == "exch":
        return not used
    return operation.name in ("add", "min", "max", "and", "or", "xor") and not (used and is_float(operation.type))


def combined(
    b: Builder, operation: Operation, value: Value, mask: Mask, want_prefix: bool, target: Target
) -> tuple[ir.Value, ir.Value | None]:
    """Combine the active lanes' values to one, and, if wanted, for each lane those of the active lanes before it."""
    if operation.name == "exch":
        return one_lane(b, value, mask), None
    if value.uniform:
        return _combined_uniform(b, operation, value.ir, mask, want_prefix, target)
    lanes = vector(b, value)
    neutral = const(lanes.type, _neutral(operation))
    if not mask.all_on:
        lanes = b.select(mask.lanes, lanes, neutral)
    prefix = _scan(b, operation, lanes, neutral) if want_prefix else None
    return _reduced(b, operation, lanes), prefix


def _combined_uniform(
    b: Builder, operation: Operation, value: ir.Value, mask: Mask, want_prefix: bool, target: Target
) -> tuple[ir.Value, ir.Value | None]:
    """Do the same for one value in all lanes."""
    lanes = splat(b, value)
    if operation.name in ("add", "xor"):
        count = ir.Constant(I32, LANES) if mask.all_on else b.zext(intrinsic(b, "llvm.ctpop", masks.bits(b, mask)), I32)
        total = _times(b, operation, value, count)
        return total, _times(b, operation, lanes, _rank(b, mask, target)) if want_prefix else None
    if not want_prefix:
        return value, None
    bits = masks.bits(b, mask)
    first = b.bitcast(b.and_(bits, b.neg(bits)), masks.lane_bits(LANES))
    return value, b.select(first, const(lanes.type, _neutral(operation)), lanes)


def _times(b: ir.IRBuilder, operation: Operation, value: ir.Value, count: ir.Value) -> ir.Value:
    """Return `value` added, or combined by xor, `count` times (32 bits)."""
    if is_float(operation.type):
        return b.fmul(value, b.uitofp(count, value.type))
    wide = b.zext(count, value.type) if operation.type.bits > 32 else count
    if operation.name == "xor":
        return b.mul(value, b.and_(wide, const(wide.type, 1)))
    return b.mul(value, wide)


def _rank(b: ir.IRBuilder, mask: Mask, target: Target) -> ir.Value:
    """Return for each active lane how many active lanes come before it, as <16 x i32>."""
    numbers = lane_constants(I32, 1, LANES)
    if mask.all_on:
        return numbers
    if target.compresses:
        return instructions(target).expand(b, numbers, mask.lanes, name="rank")
    ones = b.zext(mask.lanes, I32_LANES)
    return _scan(b, Operation("add", Scalar("int", "int", 32, True)), ones, const(I32_LANES, 0))


def _neutral(operation: Operation) -> float | int:
    """Return the value that changes nothing."""
    ctype = operation.type
    match operation.name:
        case "add":
            return -0.0 if is_float(ctype) else 0
        case "and":
            return -1
        case "min":
            return (1 << (ctype.bits - ctype.signed)) - 1
        case "max":
            return -(1 << (ctype.bits - 1)) if ctype.signed else 0
        case _:
            return 0


def _reduced(b: ir.IRBuilder, operation: Operation, lanes: ir.Value) -> ir.Value:
    word = element(lanes.type)
    if is_float(operation.type):
        name = f"llvm.vector.reduce.fadd.{suffix(lanes.type)}"
        function = declare(b.module, name, word, [word, lanes.type])
        return b.call(function, [const(word, -0.0), lanes], fastmath=("reassoc",), name="total")
    sign = ("s" if operation.type.signed else "u") if operation.name in ("min", "max") else ""
    name = f"llvm.vector.reduce.{sign}{operation.name}.{suffix(lanes.type)}"
    return b.call(declare(b.module, name, word, [lanes.type]), [lanes], name="total")


def _scan(b: ir.IRBuilder, operation: Operation, lanes: ir.Value, neutral: ir.Value) -> ir.Value:
    """Combine for each lane the lanes before it: in four steps, by shifts of 1, 2, 4 and 8 lanes."""

    def shifted(value: ir.Value, by: int) -> ir.Value:
        pick = [LANES + lane - by if lane >= by else lane for lane in range(LANES)]
        return b.shuffle_vector(neutral, value, ir.Constant(I32_LANES, pick))

    result = shifted(lanes, 1)
    for by in (1, 2, 4, 8):
        result = updated(b, operation, result, shifted(result, by))
    return result
