"""Constants: reading literals, and computing at compile time exactly what the program would compute."""

from __future__ import annotations

import math
import operator
import re
from dataclasses import replace

from ....lang.ctype import (
    BOOL,
    CHAR,
    CHAR16,
    CHAR32,
    DOUBLE,
    FLOAT,
    INT,
    LONG,
    LONG_DOUBLE,
    LONGLONG,
    UINT,
    ULONG,
    ULONGLONG,
    WCHAR,
    CType,
    FunctionType,
    Pointer,
    Scalar,
    is_scalar,
)
from ....lang.numbers import round_to, rounded_integer
from ....source import Span
from ....tree.nodes import Binary, Conditional, Constant, Convert, Expr, Logical, Unary

ESCAPES = {"n": 10, "t": 9, "r": 13, "a": 7, "b": 8, "f": 12, "v": 11, "\\": 92, "'": 39, '"': 34, "?": 63}
_CHARACTER = re.compile(
    r"""
    ' (?: \\x(?P<hex>[0-9a-fA-F]{1,8}) | \\(?P<octal>[0-7]{1,3}) | \\(?P<escape>[ntrabfv\\'"?]) | (?P<plain>[^\\']) ) '
    """,
    re.VERBOSE,
)


def integer_literal(text: str, span: Span) -> Constant | None:
    """Return the constant of an integer literal, of the first type in C's list that holds it; None if none does."""
    text = text.replace("'", "").lower()
    if len(text) > _MOST_DIGITS:  # Python would refuse to read 4300 of them
        return None
    digits = text.rstrip("ul")
    suffix = text[len(digits) :]
    if digits.startswith("0x"):
        value, decimal = int(digits, 16), False
    elif digits.startswith("0b"):
        value, decimal = int(digits, 2), False
    else:
        decimal = not digits.startswith("0") or digits == "0"
        value = int(digits, 10 if decimal else 8)
    unsigned, longs = "u" in suffix, suffix.count("l")
    ladder = ((INT, UINT, 0), (LONG, ULONG, 1), (LONGLONG, ULONGLONG, 2))
    for signed_type, unsigned_type, rank in ladder:
        if rank < longs:
            continue
        if not unsigned and value < 1 << signed_type.bits - 1:
            return Constant(span, signed_type, value)
        if (unsigned or not decimal) and value < 1 << unsigned_type.bits:
            return Constant(span, unsigned_type, value)
    return None


_MOST_DIGITS = 100  # of an integer that fits 64 bits, with prefix and suffix, and a reasonable number of zeros


def float_literal(text: str, span: Span) -> Constant:
    """Return the constant of a floating literal, rounded once to its type."""
    text = text.replace("'", "").lower()
    hexadecimal = text.startswith("0x")
    single = text.endswith("f")
    digits = text.rstrip("fl") if not hexadecimal else text.rstrip("l").removesuffix("f") if "p" in text else text
    if single:
        return Constant(span, FLOAT, _nearest_float(digits, hexadecimal))
    ctype = LONG_DOUBLE if text.endswith("l") else DOUBLE
    return Constant(span, ctype, _nearest_double(digits, hexadecimal))


def _nearest_double(digits: str, hexadecimal: bool) -> float:
    try:
        return float.fromhex(digits) if hexadecimal else float(digits)
    except OverflowError:  # `fromhex` refuses what `float` takes for infinity
        return math.inf


def _nearest_float(digits: str, hexadecimal: bool) -> float:
    """Round the number written as `digits` to float, without rounding to double on the way."""
    double = _nearest_double(digits, hexadecimal)
    single = round_to(double, FLOAT)
    if hexadecimal or not math.isfinite(double) or single == double:
        return single
    from decimal import Decimal

    # Only where the double lies exactly between two floats can rounding twice differ from rounding once.
    exact, seen = Decimal(digits), Decimal(double)
    if exact == seen:
        return single
    toward = math.inf if exact > seen else -math.inf
    return round_to(math.nextafter(double, toward), FLOAT)


# The types of characters and strings by their prefixes ([lex.ccon], [lex.string]).
CHARACTERS = {"": CHAR, "L": WCHAR, "u": CHAR16, "U": CHAR32}


def char_literal(text: str, span: Span) -> Constant | None:
    """Return the constant of `'x'` or `u'x'`; None for what is no plain character."""
    prefix, quote, rest = text.partition("'")
    ctype = CHARACTERS.get(prefix)
    match = _CHARACTER.fullmatch(quote + rest)
    if match is None or ctype is None:
        return None
    if match["hex"]:
        code = int(match["hex"], 16)
    elif match["octal"]:
        code = int(match["octal"], 8)
    else:
        code = ESCAPES[match["escape"]] if match["escape"] else ord(match["plain"])
    return Constant(span, ctype, wrap(code, ctype)) if code < 1 << ctype.bits else None


def wrap(value: int, ctype: Scalar) -> int:
    """Return `value` modulo 2**bits, in the range of `ctype`."""
    if ctype is BOOL:
        return int(value != 0)
    value &= (1 << ctype.bits) - 1
    return value - (1 << ctype.bits) if ctype.signed and value >> ctype.bits - 1 else value


def convert_value(value: int | float | bool, target: Scalar) -> int | float | bool | None:
    """Return `value` converted to `target`; None where C leaves the result open (a float out of range)."""
    if target is BOOL:
        return value != 0
    if target.kind == "float":
        return round_to(value, target) if isinstance(value, float) else rounded_integer(int(value), target)
    if isinstance(value, float):
        if not math.isfinite(value):
            return None
        whole = math.trunc(value)
        return whole if wrap(whole, target) == whole else None
    return wrap(int(value), target)


def fold(expr: Expr) -> Expr:
    """Return the constant that `expr` is, if its operands are constants; else `expr`."""
    match expr:
        case Convert(operand=Constant() as operand):
            return _fold_convert(expr, operand)
        case Unary(operand=Constant() as operand):
            return _constant(expr.span, expr.type, _unary(expr.op, operand.value)) or expr
        case Binary(left=Constant() as left, right=Constant() as right):
            return _constant(expr.span, expr.type, _binary(expr.op, left, right)) or expr
        case Logical(left=Constant() as left):
            if bool(left.value) == (expr.op == "||"):
                return Constant(expr.span, BOOL, bool(left.value))
            return expr.right
        case Conditional(cond=Constant() as cond):
            return expr.then if cond.value else expr.other
        case _:
            return expr


def _fold_convert(expr: Convert, operand: Constant) -> Expr:
    if isinstance(expr.type, Scalar) and expr.type.kind != "void" and isinstance(operand.type, Scalar):
        return _constant(expr.span, expr.type, convert_value(operand.value, expr.type)) or expr
    if isinstance(expr.type, Scalar) and expr.type is BOOL:
        return Constant(expr.span, BOOL, operand.value != 0)
    match expr.type, operand.type:
        case Pointer(target=FunctionType() as target), Pointer(target=FunctionType() as given):
            return replace(operand, type=expr.type) if target == replace(given, noexcept=False) else expr
    if isinstance(expr.type, Pointer) and operand.value == 0 and is_scalar(operand.type):
        return Constant(expr.span, expr.type, 0)
    return expr


def _constant(span: Span, ctype: CType, value: int | float | bool | None) -> Constant | None:
    if value is None or not isinstance(ctype, Scalar):
        return None
    if ctype is BOOL:
        return Constant(span, BOOL, bool(value))
    if ctype.kind == "float":
        return Constant(span, ctype, round_to(float(value), ctype))
    return Constant(span, ctype, wrap(int(value), ctype))


def _unary(op: str, value: int | float | bool) -> int | float | bool:
    if op == "!":
        return not value
    return -value if op == "-" else ~int(value)


_COMPARE = {
    "==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip
_ARITHMETIC = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "&": operator.and_, "|": operator.or_, "^": operator.xor,
}  # fmt: skip


def _binary(op: str, left: Constant, right: Constant) -> int | float | bool | None:
    """Compute `left op right`; None where the result is better left to the machine (division by zero, wide shifts)."""
    a, b = left.value, right.value
    if op in _COMPARE:
        return bool(_COMPARE[op](a, b))
    if isinstance(a, float) or isinstance(b, float):
        if op == "/":
            return a / b if b else None
        return float(_ARITHMETIC[op](a, b))
    if op in _ARITHMETIC:
        return int(_ARITHMETIC[op](a, b))
    if op in ("<<", ">>"):
        assert isinstance(left.type, Scalar)
        if not 0 <= b < left.type.bits:
            return None
        return a << b if op == "<<" else a >> b
    if b == 0:
        return None
    quotient = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
    return quotient if op == "/" else a - b * quotient
