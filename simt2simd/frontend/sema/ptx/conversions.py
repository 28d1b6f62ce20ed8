"""PTX's conversions between types.

Source: "Parallel Thread Execution ISA", `cvt`.
"""

from __future__ import annotations

from ....lang.ctype import (
    BFLOAT16,
    BOOL,
    DOUBLE,
    FLOAT,
    HALF,
    INT,
    LONGLONG,
    UINT,
    ULONGLONG,
    USHORT,
    Scalar,
    is_float,
)
from ....tree.nodes import Expr, Stmt
from ....tree.rewrite import copied
from ...parse.ptx_text import Instruction
from .arithmetic import DIRECTIONS, Arithmetic
from .registers import TYPES

_ROUNDINGS_TO_INT = {"rni": "rn", "rzi": "rz", "rmi": "rd", "rpi": "ru"}
_ROUNDINGS_OF_FLOAT = {"rni": "rint", "rzi": "trunc", "rmi": "floor", "rpi": "ceil"}
_SIGNIFICANT_BITS = {FLOAT: 24, DOUBLE: 53}
_NAMES = {INT: "int", UINT: "uint", LONGLONG: "ll", ULONGLONG: "ull", FLOAT: "float", DOUBLE: "double"}
SHORT = {"f16": HALF, "bf16": BFLOAT16}
_TO_BITS = {HALF: "__half_as_ushort", BFLOAT16: "__bfloat16_as_ushort"}
FROM_BITS = {HALF: "__ushort_as_half", BFLOAT16: "__ushort_as_bfloat16"}
# Numbers of eight bits: how many bits the mantissa has, the bias of exponents, the largest number, and what is none.
_BYTES = {"e4m3": (3, 7, 0x7E, 0x7F), "e5m2": (2, 15, 0x7B, 0x7F)}


class Conversions(Arithmetic):
    """Translates conversions."""

    def do_cvt(self, node: Instruction) -> list[Stmt] | None:
        if len(node.words) < 3:
            return None
        if (made_short := self.short(node)) is not None:
            return made_short
        target, source = (TYPES.get(word) for word in node.words[-2:])
        if target is None or source is None or BOOL in (target, source) or len(node.operands) != 2:
            return None
        made = self.converted(self.value(node.operands[1], source), source, target, node.words[1:-2])
        return None if made is None else self.result(node, made)

    def converted(self, value: Expr, source: Scalar, target: Scalar, how: tuple[str, ...]) -> Expr | None:
        b = self.build
        match is_float(source), is_float(target), how:
            case (False, False, ()):
                return b.convert(target, value)
            case (True, False, (rounding,)) if rounding in _ROUNDINGS_TO_INT:
                wide = target if target.size >= 4 else (INT if target.signed else UINT)
                name = f"__{_NAMES[source]}2{_NAMES[wide]}_{_ROUNDINGS_TO_INT[rounding]}"
                return b.convert(target, self.call(name, value)) if target.size >= 4 else None
            case (False, True, ("rn",)):
                return b.convert(target, value)
            case (False, True, (rounding,)) if rounding in DIRECTIONS and source.size * 8 > _SIGNIFICANT_BITS[target]:
                return self.call(f"__{_NAMES[source]}2{_NAMES[target]}_{DIRECTIONS[rounding]}", value)
            case (False, True, (rounding,)) if rounding in DIRECTIONS:
                return b.convert(target, value)
            case (True, True, ()) if target.size >= source.size:
                return b.convert(target, value)
            case (True, True, ("rn",)) if (source, target) == (DOUBLE, FLOAT):
                return b.convert(target, value)
            case (True, True, (rounding,)) if rounding in DIRECTIONS and (source, target) == (DOUBLE, FLOAT):
                return self.call(f"__double2float_{DIRECTIONS[rounding]}", value)
            case (True, True, ("sat",)) if source == target == FLOAT:
                return self.call("__saturatef", value)
            case (True, True, (rounding,)) if source == target and rounding in _ROUNDINGS_OF_FLOAT:
                return self.call(_ROUNDINGS_OF_FLOAT[rounding] + "f" * (source == FLOAT), value)
        return None

    # --------------------------------------------------------------------------------------- fewer bits

    def short(self, node: Instruction) -> list[Stmt] | None:
        """Convert from or to numbers of 16, 19 or 8 bits, or pairs of them; None for other types."""
        b, how = self.build, set(node.words[1:-2])
        target, source = node.words[-2:]
        operands = node.operands[1:]
        if target in SHORT and source == "f32" and how <= {"rn", "relu"} and "rn" in how and len(operands) == 1:
            return self.result(node, self.shortened(self.rectified(operands[0], how), SHORT[target]))
        if target in ("f16x2", "bf16x2") and source == "f32" and how <= {"rn", "relu"} and "rn" in how:
            if len(operands) != 2:
                return None
            ctype = SHORT[target.removesuffix("x2")]
            high, low = (self.shortened(self.rectified(operand, how), ctype) for operand in operands)
            return self.result(node, self.joined(high, low, UINT, 16))
        if source in SHORT and target in ("f32", "f64") and not how and len(operands) == 1:
            bits = self.value(operands[0], USHORT)
            return self.result(node, b.convert(TYPES[target], self.call(FROM_BITS[SHORT[source]], bits)))
        if (target, source, how) == ("tf32", "f32", {"rna"}) and len(operands) == 1:
            bits = self.bits(self.value(operands[0], FLOAT))
            up = b.binary(b.binary(bits, "+", b.number(UINT, 0x1000)), "&", b.number(UINT, 0xFFFFE000))
            exponent = b.binary(copied(bits), "&", b.number(UINT, 0x7F800000))
            finite = b.binary(exponent, "!=", b.number(UINT, 0x7F800000))
            return self.result(node, b.choose(finite, up, copied(bits)))
        kind = target.removesuffix("x2")
        if kind in _BYTES and target.endswith("x2") and source == "f32" and how - {"relu"} == {"rn", "satfinite"}:
            if len(operands) != 2:
                return None
            made: list[Stmt] = []
            parts: list[Expr] = []
            for operand in operands:
                byte, statements = self.byte(self.rectified(operand, how), kind)
                made += statements
                parts.append(byte)
            return [*made, *self.result(node, b.convert(USHORT, self.joined(parts[0], parts[1], UINT, 8)))]
        return None

    def rectified(self, operand: str, how: set[str]) -> Expr:
        """Return an operand; with `.relu`, 0 for negative numbers. What is no number stays so."""
        value = self.value(operand, FLOAT)
        if "relu" not in how:
            return value
        negative = self.build.binary(copied(value), "<=", self.build.number(FLOAT, 0.0))
        return self.build.choose(negative, self.build.number(FLOAT, 0.0), value)

    def shortened(self, value: Expr, ctype: Scalar) -> Expr:
        return self.call(_TO_BITS[ctype], self.build.convert(ctype, value))

    def joined(self, high: Expr, low: Expr, ctype: Scalar, by: int) -> Expr:
        b = self.build
        return b.binary(b.binary(b.convert(ctype, high), "<<", b.number(INT, by)), "|", b.convert(ctype, low))

    def byte(self, value: Expr, kind: str) -> tuple[Expr, list[Stmt]]:
        """Round to a number of eight bits, to the nearest, ties to even; what is too large becomes the largest."""
        b, (mantissa, bias, largest, none) = self.build, _BYTES[kind]
        number, first = self.kept("number", value)
        bits, second = self.kept("bits", self.bits(self.call("fabsf", b.read(number))))
        dropped = 23 - mantissa
        last = b.binary(b.binary(b.read(bits), ">>", b.number(INT, dropped)), "&", b.number(UINT, 1))
        half = b.binary(b.number(UINT, (1 << dropped - 1) - 1), "+", last)
        digits = b.binary(b.binary(b.read(bits), "+", half), ">>", b.number(INT, dropped))
        normal = b.binary(digits, "-", b.number(UINT, 127 - bias << mantissa))
        scaled = b.binary(self.call("fabsf", b.read(number)), "*", b.number(FLOAT, 2.0 ** (bias - 1 + mantissa)))
        tiny = b.convert(UINT, self.call("__float2uint_rn", scaled))
        is_tiny = b.binary(b.read(bits), "<", b.number(UINT, 128 - bias << 23))
        rounded, third = self.kept("rounded", b.choose(is_tiny, tiny, normal))
        limited = self.call("min", b.read(rounded), b.number(UINT, largest))
        is_none = b.binary(b.read(bits), ">", b.number(UINT, 0x7F800000))
        sign = b.binary(b.binary(self.bits(b.read(number)), ">>", b.number(INT, 24)), "&", b.number(UINT, 0x80))
        byte, fourth = self.kept("byte", b.binary(b.choose(is_none, b.number(UINT, none), limited), "|", sign))
        return b.read(byte), [first, second, third, fourth]
