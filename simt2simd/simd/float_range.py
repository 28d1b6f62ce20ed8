"""What the instructions that compute a floating number say of it: where it lies, and whether it may be NaN."""

from __future__ import annotations

from dataclasses import dataclass, replace

from llvmlite import ir

from .builder import bits_of, constant_of, float_constant_of

_INFINITY = float("inf")
_DEEPEST = 12  # instructions
_WHOLE = ("llvm.floor.", "llvm.ceil.", "llvm.rint.", "llvm.trunc.", "llvm.round.")


@dataclass(frozen=True)
class Range:
    """`low <= number <= high`, or NaN if it `may_be_nan`."""

    low: float = -_INFINITY
    high: float = _INFINITY
    may_be_nan: bool = True

    def inside(self, low: float, high: float) -> bool:
        """Whether it is a number between the two, and neither of them."""
        return not self.may_be_nan and low < self.low and self.high < high


def range_of(value: ir.Value, depth: int = 0) -> Range:
    constant = float_constant_of(value)
    if constant is not None:
        return Range(constant, constant, False) if constant == constant else Range()
    if depth > _DEEPEST or not isinstance(value, ir.Instruction):
        return Range()
    match value.opname:
        case "select":
            condition, yes, no = value.operands
            return _selected(condition, yes, no, depth + 1)
        case "fadd" | "fmul":
            left, right = value.operands
            return _combined(value.opname, left, right, depth + 1)
        case "sitofp" | "uitofp":
            return _converted(value.operands[0], value.opname == "sitofp")
        case "call":
            callee, *args = value.operands
            if isinstance(callee, ir.Function) and callee.name.startswith(_WHOLE):
                found = range_of(args[0], depth + 1)
                return replace(found, low=found.low - 1, high=found.high + 1)
    return Range()


def _selected(condition: ir.Value, yes: ir.Value, no: ir.Value, depth: int) -> Range:
    """The range of `x > limit ? x : limit` and the like; of one of the two, for others."""
    if isinstance(condition, ir.Instruction) and condition.opname == "fcmp":
        x, limit = condition.operands
        bound, op = float_constant_of(limit), getattr(condition, "op", "")
        if op == "uno" and x is limit and bound is not None and bound == bound:
            return range_of(no, depth)
        if bound is not None and op in ("ogt", "oge", "olt", "ole"):
            known, above = range_of(x, depth), op.startswith("og")
            if yes is x and float_constant_of(no) == bound:  # NaN gives the limit
                kept = replace(known, may_be_nan=False)
                return replace(kept, low=max(known.low, bound)) if above else replace(kept, high=min(known.high, bound))
            if no is x and float_constant_of(yes) == bound:
                return (
                    replace(known, high=min(known.high, bound)) if above else replace(known, low=max(known.low, bound))
                )
    one, other = range_of(yes, depth), range_of(no, depth)
    return Range(min(one.low, other.low), max(one.high, other.high), one.may_be_nan or other.may_be_nan)


def _combined(op: str, left: ir.Value, right: ir.Value, depth: int) -> Range:
    """The range of a sum or a product of finite numbers, with room for rounding."""
    one, other = range_of(left, depth), range_of(right, depth)
    if not (one.inside(-1e30, 1e30) and other.inside(-1e30, 1e30)):
        return Range()
    if op == "fadd":
        low, high = one.low + other.low, one.high + other.high
    else:
        ends = [x * y for x in (one.low, one.high) for y in (other.low, other.high)]
        low, high = min(ends), max(ends)
    room = 1e-6 * max(abs(low), abs(high))
    return Range(low - room, high + room, False) if room < 1e24 else Range()


def _converted(number: ir.Value, signed: bool) -> Range:
    """The range of what an integer becomes."""
    bits = bits_of(number.type)
    if isinstance(number, ir.Instruction) and number.opname in ("zext", "sext"):
        bits, signed = bits_of(number.operands[0].type), number.opname == "sext"
    if isinstance(number, ir.Instruction) and number.opname == "and":
        known = [constant_of(operand) for operand in number.operands]
        least = min((mask for mask in known if mask is not None and mask < 1 << 31), default=None)
        if least is not None:
            return Range(0.0, least * (1 + 2.0**-24), False)  # as a float, it may be rounded up
    return Range(-(2.0 ** (bits - 1)), 2.0 ** (bits - 1), False) if signed else Range(0.0, 2.0**bits, False)
