"""What a gang asks of its CPU beyond LLVM's portable IR, in words that are the same for every kind of CPU.

`Target` says which of these a CPU has; no caller uses another. For a new family of CPUs, write a module with these
functions (one that no target of the family has may raise `NotImplementedError`), and give it a row in `instructions`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, Protocol, assert_never

from llvmlite import ir

from ..target import Target
from . import x86

Arithmetic = Literal["add", "sub", "mul", "div", "sqrt", "fma"]
Direction = Literal["rz", "ru", "rd"]
Rounding = Literal["rn", "rz", "rd", "ru"]  # to nearest (ties to even), toward zero, down, up


class Instructions(Protocol):
    """A module of instructions: `values` are sixteen lanes of 32 bits, and `on` is a mask of as many bits."""

    # -- `Target.compresses`

    def compress(self, b: ir.IRBuilder, values: ir.Value, on: ir.Value) -> ir.Value:
        """The lanes that are on, side by side from lane 0; zeros after them."""

    def expand(self, b: ir.IRBuilder, values: ir.Value, on: ir.Value, name: str = "") -> ir.Value:
        """Lanes 0, 1, 2 ... put where lanes are on, in order; zeros elsewhere."""

    # -- `Target.permutes`

    def permute(self, b: ir.IRBuilder, registers: Sequence[ir.Value], places: ir.Value) -> ir.Value:
        """The elements of one register, or of two, at the given places, counted through both."""

    # -- `Target.conflicts`

    def conflicts(self, b: ir.IRBuilder, values: ir.Value, name: str = "") -> ir.Value:
        """For each lane a bit for every lane before it that holds the same value."""

    # -- `Target.mask_registers`

    def deposit(self, b: ir.IRBuilder, bits: ir.Value, pattern: ir.Value) -> ir.Value:
        """Put the low bits of a 64-bit number, in order, where `pattern` has ones; zeros elsewhere."""

    # -- `Target.gathers`

    def gather(
        self, b: ir.IRBuilder, kind: ir.VectorType, base: ir.Value, offsets: ir.Value, on: ir.Value, scale: int
    ) -> ir.Value:
        """Read 16 elements of 32 bits or 8 of 64 at `base + offsets * scale`; offsets are signed, of 32 bits."""

    def scatter(
        self, b: ir.IRBuilder, base: ir.Value, offsets: ir.Value, values: ir.Value, on: ir.Value, scale: int
    ) -> None:
        """Write 16 elements of 32 bits or 8 of 64, the lowest lane first."""

    # -- every target

    def lookup(self, b: ir.IRBuilder, table: ir.Value, index: ir.Value, target: Target) -> ir.Value:
        """Read doubles of a table; `index` has any number of lanes, of 32 bits, all within the table."""

    # -- `Target.float_parts`, on vectors of float or double with any number of lanes

    def scalef(self, b: ir.IRBuilder, x: ir.Value, power: ir.Value) -> ir.Value:
        """x * 2 ** floor(power), rounded once, for any power."""

    def getexp(self, b: ir.IRBuilder, x: ir.Value) -> ir.Value:
        """floor(log2 |x|) as a float; -infinity for 0, infinity for an infinity."""

    def getmant(self, b: ir.IRBuilder, x: ir.Value) -> ir.Value:
        """The m in [0.75, 1.5) with |x| = m * 2 ** k; 1 for 0 and infinity, NaN for negative x."""

    def significand(self, b: ir.IRBuilder, x: ir.Value) -> ir.Value:
        """The m in [1, 2) with |x| = m * 2 ** k; 1 for 0 and infinity."""

    def fraction_around_nearest(self, b: ir.IRBuilder, x: ir.Value) -> ir.Value:
        """x less the nearest whole number (ties to even); 0 for infinities."""

    def nearer_zero(self, b: ir.IRBuilder, x: ir.Value, y: ir.Value) -> ir.Value:
        """The smaller magnitude of the two, with the sign of x; if one is NaN, the other."""

    def fraction_above_floor(self, b: ir.IRBuilder, x: ir.Value) -> ir.Value:
        """x - floor(x); 0 for infinities."""

    def minimum(self, b: ir.IRBuilder, x: ir.Value, y: ir.Value) -> ir.Value:
        """The smaller; if one is NaN, the other. Also of two scalars."""

    def maximum(self, b: ir.IRBuilder, x: ir.Value, y: ir.Value) -> ir.Value:
        """The larger; if one is NaN, the other. Also of two scalars."""

    def inverse_estimate(self, b: ir.IRBuilder, x: ir.Value) -> ir.Value:
        """1 / x to a relative error of 2^-14; exact for 0 and infinity."""

    def inverse_root_estimate(self, b: ir.IRBuilder, x: ir.Value) -> ir.Value:
        """1 / sqrt(x) to a relative error of 2^-14; exact for 0 and infinity."""

    def refined(self, b: ir.IRBuilder, better: ir.Value, estimate: ir.Value) -> ir.Value:
        """`better`, but `estimate` in the lanes where that is 0 or infinite; of floats."""

    # -- every target, on floats and doubles, scalars or vectors with any number of lanes

    def rounded(
        self, b: ir.IRBuilder, op: Arithmetic, direction: Direction, args: Sequence[ir.Value], target: Target
    ) -> ir.Value:
        """One operation, rounded once: toward zero, up, or down."""

    # -- every target

    def whole(
        self, b: ir.IRBuilder, value: ir.Value, to: ir.Type, signed: bool, rounding: Rounding, target: Target
    ) -> ir.Value:
        """Integers of type `to`, by lane, from floats or doubles; without `float_parts` only "rz" to signed 32 bits.

        What does not fit, and NaN, gives the lowest signed integer or the highest unsigned one.
        """

    # -- every target: contexts of gangs, as runtime/include/s2s.h declares them

    def switch(self, b: ir.IRBuilder, own: ir.Value, following: ir.Value, target: Target) -> ir.Value:
        """Save the gang in its context, continue with the following one; return the own context when it is resumed."""

    def resume(self, b: ir.IRBuilder, context: ir.Value) -> None:
        """Continue with another gang, and never return."""


def instructions(target: Target) -> Instructions:
    match target.family:
        case "x86":
            return x86
        case _:
            assert_never(target.family)
