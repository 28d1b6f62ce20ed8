"""Arithmetic of C's types on Python's numbers: what the checker, the printer and the interpreter agree on."""

from __future__ import annotations

from array import array

from .ctype import DOUBLE, Scalar

_SINGLE = array("f", [0.0])


def f32(value: float) -> float:
    """Round to single precision: to nearest, ties to even; too large becomes infinite."""
    _SINGLE[0] = value
    return _SINGLE[0]


def round_to(value: float, ctype: Scalar) -> float:
    """Return `value` rounded to `ctype`."""
    return value if ctype is DOUBLE else f32(value)
