"""What operators, conversions and built-in functions give while the program is compiled, or why they give nothing.

C++ has fewer constants than machines have results: what is undefined ([expr.const]) is no constant. `binary` and its
like return a function on Python values; that function raises `NotConstant`.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any

from ....lang.builtins import Builtin
from ....lang.ctype import BOOL, Scalar, is_float, is_integer
from ....lang.numbers import QUIET_COMPARISONS, classify, decoded, encoded, round_to
from ....source import Span
from ....tree.nodes import COMPARISONS, BinaryOp
from .fold import convert_value, wrap

Operation = Callable[..., Any]


class NotConstant(Exception):
    """An expression has no value at compile time: why, where that turned out, and in which function."""

    def __init__(self, span: Span, reason: str) -> None:
        super().__init__(reason)
        self.span, self.reason, self.function = span, reason, ""


_COMPARE: dict[str, Operation] = {
    "==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip
_EXACT: dict[str, Operation] = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "&": operator.and_, "|": operator.or_, "^": operator.xor,
}  # fmt: skip


def limits(ctype: Scalar) -> tuple[int, int]:
    """Return the least and the greatest value of an integer type."""
    if ctype.kind == "bool":
        return 0, 1
    return (-(1 << ctype.bits - 1), (1 << ctype.bits - 1) - 1) if ctype.signed else (0, (1 << ctype.bits) - 1)


def binary(op: BinaryOp, ctype: Scalar, span: Span) -> Operation:
    """Return what an operator makes of two numbers, the left one a `ctype`."""
    if op in COMPARISONS:
        return _COMPARE[op]
    if is_float(ctype):
        return _float_operator(op, ctype, span)
    if op in ("<<", ">>"):
        return _shift(op, ctype, span)
    if op in ("/", "%"):
        return _division(op, ctype, span)
    return _fitting(_EXACT[op], ctype, span)


def _fitting(exact: Operation, ctype: Scalar, span: Span) -> Operation:
    """Return an operation whose result wraps around if the type is unsigned, and must fit if it is signed."""
    low, high = limits(ctype)
    if not ctype.signed:
        return lambda *values: exact(*values) & high

    def checked(*values: int) -> int:
        result: int = exact(*values)
        if low <= result <= high:
            return result
        raise NotConstant(span, f"{result} does not fit '{ctype}'")

    return checked


def _division(op: str, ctype: Scalar, span: Span) -> Operation:
    _, high = limits(ctype)

    def divide(left: int, right: int) -> int:
        if right == 0:
            raise NotConstant(span, "division by zero")
        quotient = abs(left) // abs(right) * (1 if (left < 0) == (right < 0) else -1)
        if quotient > high:
            raise NotConstant(span, f"{quotient} does not fit '{ctype}'")
        return quotient if op == "/" else left - right * quotient

    return divide


def _shift(op: str, ctype: Scalar, span: Span) -> Operation:
    """C++17: what a signed `<<` shifts out must be zeros; the sign bit may be reached ([expr.shift])."""
    most = (1 << ctype.bits) - 1

    def shift(left: int, count: int) -> int:
        if not 0 <= count < ctype.bits:
            raise NotConstant(span, f"a shift by {count} of '{ctype}', which has {ctype.bits} bits")
        if op == ">>":
            return left >> count
        result = left << count
        if ctype.signed and not 0 <= result <= most:
            what = "a negative number is shifted to the left" if left < 0 else f"{result} does not fit '{ctype}'"
            raise NotConstant(span, what)
        return wrap(result, ctype)

    return shift


def _float_operator(op: str, ctype: Scalar, span: Span) -> Operation:
    exact = _EXACT.get(op)

    def compute(left: float, right: float) -> float:
        if exact is None and right == 0:
            raise NotConstant(span, "division by zero")
        result = round_to(exact(left, right) if exact is not None else left / right, ctype)
        if not math.isfinite(result) and math.isfinite(left) and math.isfinite(right):
            raise NotConstant(span, f"the result is too large for '{ctype}'")
        if result != result and left == left and right == right:
            raise NotConstant(span, "the result is not a number")
        return result

    return compute


def unary(op: str, ctype: Scalar, span: Span) -> Operation:
    if op == "!":
        return operator.not_
    if is_float(ctype):
        return operator.neg
    return _fitting(operator.neg if op == "-" else operator.invert, ctype, span)


def conversion(source: Scalar, target: Scalar, span: Span) -> Operation | None:
    """Return what converts between arithmetic types; None where the value stays."""
    if target is BOOL or target.kind == "bool":
        return None if source.kind == "bool" else lambda value: value != 0
    if source.kind == "bool":
        return float if is_float(target) else int
    if is_integer(source) and is_integer(target):
        (low, high), (least, most) = limits(target), limits(source)
        return None if low <= least and most <= high else lambda value: wrap(value, target)
    if source == target or (is_float(source) and is_float(target) and target.size > source.size):
        return None

    def convert(value: float) -> float:
        result = convert_value(value, target)
        if result is None:
            raise NotConstant(span, f"{value:g} does not fit '{target}'")
        return result

    return convert


# ------------------------------------------------------------------------------------ built-in functions


def builtin(row: Builtin, span: Span) -> Operation:
    """Return a built-in function; one that no machine computes to the last bit is no constant."""
    found = _function(row, span)
    if found is None:
        raise NotConstant(span, f"'{row.name}' is not computed at compile time")
    return found


def _function(row: Builtin, span: Span) -> Operation | None:
    if row.op in _PLAIN:
        return _PLAIN[row.op]
    first = row.params[0] if row.params else None
    if not isinstance(first, Scalar) or not isinstance(row.result, Scalar):
        return None
    if row.op == "abs":
        return _fitting(abs, row.result, span)
    if row.op in _FLOAT_OPERATORS:
        return binary(_FLOAT_OPERATORS[row.op], row.result, span)
    if row.op in _BITS:
        return _BITS[row.op](first.bits, first)
    if row.op == "bitcast":
        return _bit_cast(first, row.result, span)
    if row.op == "sqrt":
        return _square_root(row.result, span)
    if row.op == "fpclassify":
        return lambda x: classify(x, first)
    if row.op == "isnormal":
        return lambda x: classify(x, first) == 4
    return None


def _bit_cast(source: Scalar, target: Scalar, span: Span) -> Operation:
    def cast(value: Any) -> Any:
        content = encoded(value, source)
        result = decoded(content, target)
        if encoded(result, target) != content:
            raise NotConstant(span, "the bits of this NaN are known only at run time")
        return result

    return cast


def _square_root(ctype: Scalar, span: Span) -> Operation:
    def root(value: float) -> float:
        if not value >= 0:
            raise NotConstant(span, "the square root of a negative number")
        return round_to(math.sqrt(value), ctype)

    return root


def _whole(function: Callable[[float], float]) -> Operation:
    """Return a rounding function that keeps what has no fraction: infinities, NaN and the sign of zero."""
    return lambda x: math.copysign(float(function(x)), x) if math.isfinite(x) else x


def _half_away(x: float) -> float:
    whole = math.trunc(x)
    return whole + math.copysign(1.0, x) if abs(x - whole) >= 0.5 else whole


def _greater(x: float, y: float) -> float:
    """Return the larger; if one is NaN, the other. +0 is larger than -0."""
    if x == y:
        return y if math.copysign(1.0, x) < 0 else x
    return y if x != x or x < y else x


def _lesser(x: float, y: float) -> float:
    if x == y:
        return x if math.copysign(1.0, x) < 0 else y
    return y if x != x or y < x else x


_PLAIN: dict[str, Operation] = {
    "is_constant_evaluated": lambda: True,
    "max": max, "min": min, "fmax": _greater, "fmin": _lesser, "fabs": math.fabs, "copysign": math.copysign,
    "floor": _whole(math.floor), "ceil": _whole(math.ceil), "trunc": _whole(math.trunc), "round": _whole(_half_away),
    "rint": _whole(round), "nearbyint": _whole(round), "popc": int.bit_count,
    "isnan": math.isnan, "isinf": math.isinf, "isfinite": math.isfinite,
    "signbit": lambda x: math.copysign(1.0, x) < 0, **QUIET_COMPARISONS,
}  # fmt: skip

_FLOAT_OPERATORS: dict[str, BinaryOp] = {
    "add_rn": "+",
    "sub_rn": "-",
    "mul_rn": "*",
    "div_rn": "/",
    "fdivide": "/",
}

_BITS: dict[str, Callable[[int, Scalar], Operation]] = {
    "clz": lambda bits, _: lambda x: bits - (x & (1 << bits) - 1).bit_length(),
    "ffs": lambda bits, _: lambda x: (x & -x).bit_length(),
    "brev": lambda bits, _: lambda x: int(format(x, f"0{bits}b")[::-1], 2),
    "mulhi": lambda bits, _: lambda x, y: x * y >> bits,
}
