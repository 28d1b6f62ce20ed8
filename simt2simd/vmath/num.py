"""`Num`: an LLVM value that Python's operators work on, so that math functions read as formulas.

The instruction is chosen by the type: floating, integer (of the same width, for bits and exponents) or condition.
A Python number is that constant in every lane.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from llvmlite import ir

from ..simd.builder import F32, F64, I32, I64, const, element, intrinsic, lanes, with_element

INFINITY = float("inf")
NAN = float("nan")


@dataclass(frozen=True, eq=False, slots=True)
class Num:
    """A scalar or vector value and the builder that appends to its block."""

    b: ir.IRBuilder
    value: ir.Value

    @property
    def type(self) -> ir.Type:
        return self.value.type

    @property
    def is_float32(self) -> bool:
        return bool(element(self.type) == F32)

    @property
    def is_floating(self) -> bool:
        return element(self.type) in (F32, F64)

    @property
    def is_vector(self) -> bool:
        return lanes(self.value) > 0

    def like(self, number: float | int) -> Num:
        """Return a constant of this type."""
        return Num(self.b, const(self.type, number))

    def _other(self, other: Num | float | int) -> ir.Value:
        return other.value if isinstance(other, Num) else const(self.type, other)

    def _emit(self, floating: str, integer: str, other: Num | float | int, swap: bool = False) -> Num:
        left, right = self.value, self._other(other)
        if swap:
            left, right = right, left
        return Num(self.b, getattr(self.b, floating if self.is_floating else integer)(left, right))

    def __add__(self, other: Num | float | int) -> Num:
        return self._emit("fadd", "add", other)

    def __sub__(self, other: Num | float | int) -> Num:
        return self._emit("fsub", "sub", other)

    def __mul__(self, other: Num | float | int) -> Num:
        return self._emit("fmul", "mul", other)

    def __truediv__(self, other: Num | float | int) -> Num:
        return self._emit("fdiv", "", other)

    def __radd__(self, other: float | int) -> Num:
        return self._emit("fadd", "add", other)

    def __rsub__(self, other: float | int) -> Num:
        return self._emit("fsub", "sub", other, swap=True)

    def __rmul__(self, other: float | int) -> Num:
        return self._emit("fmul", "mul", other)

    def __rtruediv__(self, other: float | int) -> Num:
        return self._emit("fdiv", "", other, swap=True)

    def __neg__(self) -> Num:
        return Num(self.b, self.b.fneg(self.value)) if self.is_floating else 0 - self

    def __abs__(self) -> Num:
        return self.call("llvm.fabs")

    def __and__(self, other: Num | int) -> Num:
        return self._emit("", "and_", other)

    def __or__(self, other: Num | int) -> Num:
        return self._emit("", "or_", other)

    def __xor__(self, other: Num | int) -> Num:
        return self._emit("", "xor", other)

    def __lshift__(self, other: Num | int) -> Num:
        return self._emit("", "shl", other)

    def __rshift__(self, other: Num | int) -> Num:
        """Shift arithmetically: the sign moves in."""
        return self._emit("", "ashr", other)

    def _compare(self, op: Literal["<", "<=", ">", ">=", "=="], other: Num | float | int) -> Num:
        right = self._other(other)
        if self.is_floating:
            return Num(self.b, self.b.fcmp_ordered(op, self.value, right))
        return Num(self.b, self.b.icmp_signed(op, self.value, right))

    def __lt__(self, other: Num | float | int) -> Num:
        """Compare; comparisons with NaN are false."""
        return self._compare("<", other)

    def __le__(self, other: Num | float | int) -> Num:
        return self._compare("<=", other)

    def __gt__(self, other: Num | float | int) -> Num:
        return self._compare(">", other)

    def __ge__(self, other: Num | float | int) -> Num:
        return self._compare(">=", other)

    def equals(self, other: Num | float | int) -> Num:
        return self._compare("==", other)

    def is_nan(self) -> Num:
        return Num(self.b, self.b.fcmp_unordered("uno", self.value, self.value))

    def call(self, name: str, *others: Num) -> Num:
        """Call an overloaded intrinsic."""
        return Num(self.b, intrinsic(self.b, name, self.value, *(other.value for other in others)))

    def rint(self) -> Num:
        return self.call("llvm.rint")

    def floor(self) -> Num:
        return self.call("llvm.floor")

    def trunc(self) -> Num:
        return self.call("llvm.trunc")

    def sqrt(self) -> Num:
        return self.call("llvm.sqrt")

    def copysign(self, sign: Num) -> Num:
        return self.call("llvm.copysign", sign)

    def at_least(self, low: float) -> Num:
        """Return the larger of this and `low`; NaN stays NaN."""
        return where(self < low, self.like(low), self)

    def at_most(self, high: float) -> Num:
        return where(self > high, self.like(high), self)

    # ---- the layout of floating numbers

    @property
    def mantissa_bits(self) -> int:
        return 23 if self.is_float32 else 52

    @property
    def bias(self) -> int:
        return 127 if self.is_float32 else 1023

    def bits(self) -> Num:
        """Return the floating number's bits, as an integer of the same width."""
        return Num(self.b, self.b.bitcast(self.value, with_element(self.type, I32 if self.is_float32 else I64)))

    def as_float(self, like: Num) -> Num:
        """Return these bits as a floating number of the type of `like`."""
        return Num(self.b, self.b.bitcast(self.value, like.type))

    def to_int(self) -> Num:
        """Convert to the integer of the same width; the caller makes sure that the value fits."""
        return Num(self.b, self.b.fptosi(self.value, with_element(self.type, I32 if self.is_float32 else I64)))

    def to_float(self, like: Num) -> Num:
        """Convert a signed integer to the floating type of `like`."""
        return Num(self.b, self.b.sitofp(self.value, like.type))

    def to_int32(self) -> Num:
        """Convert an integer to 32 bits; the caller makes sure that the value fits."""
        narrow = with_element(self.type, I32)
        return self if self.type == narrow else Num(self.b, self.b.trunc(self.value, narrow))

    def widen(self) -> Num:
        """Convert float to double."""
        return Num(self.b, self.b.fpext(self.value, with_element(self.type, F64)))

    def narrow(self) -> Num:
        """Convert double to float."""
        return Num(self.b, self.b.fptrunc(self.value, with_element(self.type, F32)))


def where(condition: Num, yes: Num, no: Num) -> Num:
    return Num(condition.b, condition.b.select(condition.value, yes.value, no.value))


def fma(x: Num, y: Num | float, z: Num | float) -> Num:
    """Return x * y + z with one rounding."""
    y, z = (other if isinstance(other, Num) else x.like(other) for other in (y, z))
    return x.call("llvm.fma", y, z)


def polynomial(x: Num, coefficients: Sequence[float]) -> Num:
    """Return c0 + c1 x + c2 x^2 + ... by Horner's scheme."""
    value = x.like(coefficients[-1])
    for coefficient in reversed(coefficients[:-1]):
        value = fma(value, x, coefficient)
    return value


def two_product(x: Num, y: Num) -> tuple[Num, Num]:
    """Return x * y exactly, as a sum of two numbers."""
    high = x * y
    return high, fma(x, y, -high)


def two_sum(x: Num, y: Num) -> tuple[Num, Num]:
    """Return x + y exactly, as a sum of two numbers."""
    high = x + y
    kept = high - x
    return high, (x - (high - kept)) + (y - kept)


def quick_two_sum(x: Num, y: Num) -> tuple[Num, Num]:
    """Return x + y exactly, as a sum of two numbers, for |x| >= |y|."""
    high = x + y
    return high, y - (high - x)


def round_to_integer(x: Num) -> tuple[Num, Num]:
    """Return (k, bits): k = x rounded, floating; the low bits of `bits` are those of the integer k.

    Adding 1.5 * 2^23 (2^52) leaves no room for a fraction; good for |x| < 2^22 (2^51).
    """
    shift = 1.5 * 2.0**x.mantissa_bits
    moved = x + shift
    return moved - shift, moved.bits()


def any_lane(condition: Num) -> ir.Value:
    """Return true if the condition holds in some lane."""
    count = lanes(condition.value)
    if count == 0:
        return condition.value
    bits = condition.b.bitcast(condition.value, ir.IntType(count))
    return condition.b.icmp_unsigned("!=", bits, ir.Constant(bits.type, 0))


def replace_rare(rare: Num, usual: Sequence[Num], slow: Callable[[], Sequence[Num]]) -> list[Num]:
    """Return `usual`, but `slow()` in the lanes where `rare` holds; jumps over the code of `slow` if there are none."""
    b = rare.b
    before, block, done = b.block, b.append_basic_block("rare"), b.append_basic_block("common")
    b.cbranch(any_lane(rare), block, done).set_weights([1, 1000])
    b.position_at_end(block)
    replaced = [where(rare, new, old) for new, old in zip(slow(), usual, strict=True)]
    after = b.block
    b.branch(done)
    b.position_at_end(done)
    results = []
    for old, new in zip(usual, replaced, strict=True):
        phi = b.phi(old.type)
        phi.add_incoming(old.value, before)
        phi.add_incoming(new.value, after)
        results.append(Num(b, phi))
    return results
