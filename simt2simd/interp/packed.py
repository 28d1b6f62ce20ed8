"""What CUDA's SIMD functions compute: the same for each of two or four small integers in one word.

An operation is named `packed_add_u8`: what is done, to parts of which type.
"""

from __future__ import annotations

from collections.abc import Callable

_PARTS: dict[str, Callable[..., int]] = {
    "add": lambda x, y: x + y,
    "sub": lambda x, y: x - y,
    "addsat": lambda x, y: x + y,
    "subsat": lambda x, y: x - y,
    "neg": lambda x: -x,
    "negsat": lambda x: -x,
    "abs": abs,
    "abssat": abs,
    "max": max,
    "min": min,
    "absdiff": lambda x, y: abs(x - y),
    "sad": lambda x, y: abs(x - y),
    "havg": lambda x, y: (x + y) >> 1,
    "avg": lambda x, y: (x + y + (x + y >= 0)) >> 1,
    "max3": max,
    "min3": min,
}
_COMPARISONS: dict[str, Callable[[int, int], bool]] = {
    "eq": lambda x, y: x == y,
    "ne": lambda x, y: x != y,
    "lt": lambda x, y: x < y,
    "le": lambda x, y: x <= y,
    "gt": lambda x, y: x > y,
    "ge": lambda x, y: x >= y,
}


def packed_operation(op: str) -> Callable[..., int]:
    """Return the function on words that an operation is; the result is that of an unsigned word."""
    _, name, part = op.split("_")
    signed, bits = part[0] == "s", int(part[1:])
    low, high = (-(1 << (bits - 1)), (1 << (bits - 1)) - 1) if signed else (0, (1 << bits) - 1)

    def value(word: int, shift: int) -> int:
        number = word >> shift & ((1 << bits) - 1)
        return number - (1 << bits) if number > high else number

    one = _on_parts(name, lambda number: value(number, 0))

    def operation(*words: int) -> int:
        results = [one(*(value(word, shift) for word in words)) for shift in range(0, 32, bits)]
        if name == "sad":
            return sum(results)
        if name.endswith("sat"):
            results = [min(high, max(low, result)) for result in results]
        return sum((result & ((1 << bits) - 1)) << number * bits for number, result in enumerate(results))

    return operation


def _on_parts(name: str, wrapped: Callable[[int], int]) -> Callable[..., int]:
    """Return what an operation does to numbers; `wrapped` brings one into the range of a part."""
    if name.endswith("relu"):
        inner = _on_parts(name.removesuffix("relu"), wrapped)
        return lambda *numbers: max(0, inner(*numbers))
    if name[:3] in ("cmp", "set"):
        holds, yes = _COMPARISONS[name[3:]], -1 if name[:3] == "cmp" else 1
        return lambda x, y: yes * holds(x, y)
    if name in ("addmax", "addmin"):
        best = _PARTS[name[3:]]
        return lambda x, y, z: best(wrapped(x + y), z)
    return _PARTS[name]
