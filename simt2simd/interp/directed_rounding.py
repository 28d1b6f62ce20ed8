"""Arithmetic that rounds in one direction, on Python floats: exact results as fractions, rounded once."""

from __future__ import annotations

import math
from collections.abc import Callable
from fractions import Fraction
from typing import Literal

from ..lang.builtins import Builtin

Direction = Literal["rz", "ru", "rd"]
Number = int | float | Fraction

# Bits of the significand and the least exponent of a unit in the last place, by the bytes of the type.
_FORMATS = {4: (24, -149), 8: (53, -1074)}
_GREATEST = {4: float.fromhex("0x1.fffffep127"), 8: float.fromhex("0x1.fffffffffffffp1023")}


def toward(value: Number, direction: Direction, size: int) -> float:
    """Round a number to a float of so many bytes."""
    if value == 0 or (isinstance(value, float) and not math.isfinite(value)):
        return float(value)
    exact = Fraction(value)
    up = direction == "ru" or (direction == "rz" and exact < 0)
    unit = _unit(abs(exact), size)
    steps = exact / unit
    found = (math.ceil(steps) if up else math.floor(steps)) * unit
    greatest = Fraction(_GREATEST[size])
    if abs(found) > greatest:
        beyond = (found > 0) == up
        return math.copysign(math.inf if beyond else _GREATEST[size], 1 if found > 0 else -1)
    if found == 0:
        return math.copysign(0.0, 1 if exact > 0 else -1)
    return float(found)


def _unit(size: Fraction, of: int) -> Fraction:
    """Return the unit in the last place of numbers of this size."""
    bits, least = _FORMATS[of]
    exponent = size.numerator.bit_length() - size.denominator.bit_length()
    if Fraction(2) ** exponent > size:
        exponent -= 1
    return Fraction(2) ** max(exponent - bits + 1, least)


def _of_sum(terms: tuple[float, float], direction: Direction, size: int, exact: Callable[[], Fraction]) -> float:
    """Round a sum of two terms, which may be rounded themselves: their signs decide what sort of zero it is."""
    if not all(map(math.isfinite, terms)):
        return sum(terms)
    total = exact()
    if total != 0:
        return toward(total, direction, size)
    signs = {math.copysign(1.0, term) for term in terms}
    return math.copysign(0.0, signs.pop() if len(signs) == 1 else -1.0 if direction == "rd" else 1.0)


def _add(x: float, y: float, direction: Direction, size: int) -> float:
    return _of_sum((x, y), direction, size, lambda: Fraction(x) + Fraction(y))


def _subtract(x: float, y: float, direction: Direction, size: int) -> float:
    return _add(x, -y, direction, size)


def _multiply(x: float, y: float, direction: Direction, size: int) -> float:
    if not (math.isfinite(x) and math.isfinite(y)) or x == 0 or y == 0:
        return x * y
    return toward(Fraction(x) * Fraction(y), direction, size)


def _divide(x: float, y: float, direction: Direction, size: int) -> float:
    sign = math.copysign(1.0, x) * math.copysign(1.0, y)
    if math.isnan(x) or math.isnan(y) or (math.isinf(x) and math.isinf(y)) or x == y == 0:
        return math.nan
    if math.isinf(x) or y == 0:
        return math.copysign(math.inf, sign)
    if math.isinf(y) or x == 0:
        return math.copysign(0.0, sign)
    return toward(Fraction(x) / Fraction(y), direction, size)


def _root(x: float, direction: Direction, size: int) -> float:
    if math.isnan(x) or x < 0:
        return math.nan
    if x == 0 or math.isinf(x):
        return x
    exact = Fraction(x)
    unit = _unit(Fraction(math.sqrt(x)), size)
    # The root lies between two multiples of a unit that is fine enough, and is the lower one or between them.
    fine = unit / 2**8
    squared = exact / fine**2
    whole = math.isqrt(squared.numerator // squared.denominator)
    below = Fraction(whole) * fine
    return toward(below if whole * whole == squared else below + fine / 2, direction, size)


def _fma(x: float, y: float, z: float, direction: Direction, size: int) -> float:
    if not (math.isfinite(x) and math.isfinite(y)):
        return x * y + z
    product = math.copysign(0.0 if x == 0 or y == 0 else 1.0, math.copysign(1.0, x) * math.copysign(1.0, y))
    return _of_sum((product, z), direction, size, lambda: Fraction(x) * Fraction(y) + Fraction(z))


_FUNCTIONS: dict[str, Callable[..., float]] = {
    "add": _add, "sub": _subtract, "mul": _multiply, "div": _divide, "sqrt": _root, "fma": _fma,
    "rcp": lambda x, direction, size: _divide(1.0, x, direction, size), "to_float": toward,
}  # fmt: skip


def directed_operation(name: str, direction: Direction) -> Callable[[Builtin], Callable[..., float]]:
    """Return what makes the operation of a built-in function, such as `__fadd_rz`."""
    function = _FUNCTIONS[name]
    return lambda builtin: lambda *args: function(*args, direction, builtin.result.size)


DIRECTED = {
    f"{name}_{direction}": directed_operation(name, direction)
    for name in _FUNCTIONS
    for direction in ("rz", "ru", "rd")
}
