"""Names for the tree and for messages: unique identifiers, and what was probably meant."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


def identifier(shown: str) -> str:
    """Return `shown` as an identifier: `geo::scan<int, 4>` becomes `geo_scan_int_4`."""
    if shown.isidentifier():
        return shown
    words = "".join(char if char.isalnum() and char.isascii() else "_" for char in _spelled(shown)).split("_")
    return "_".join(word for word in words if word) or "operator"


def _spelled(shown: str) -> str:
    head, mark, sign = shown.partition("operator")
    for symbol, word in _SIGNS.items():
        sign = sign.replace(symbol, f"_{word}_") if mark else sign
    return head + mark + sign.replace("*", "_p").replace("&", "_r").replace("-", "_m")


_SIGNS = {
    "()": "call", "[]": "at", "->": "arrow", "<<": "shl", ">>": "shr", "==": "eq", "!=": "ne", "<=": "le", ">=": "ge",
    "&&": "land", "||": "lor", "++": "inc", "--": "dec", "*": "mul", "&": "and", "<": "lt", ">": "gt",
    "+": "add", "-": "sub", "/": "div", "%": "mod", "^": "xor", "|": "or", "~": "not", "!": "lnot", "=": "assign",
}  # fmt: skip


def unique(name: str, taken: set[str]) -> str:
    """Return `name`, with a number after it if it is taken, and take it."""
    count, found = 1, name
    while found in taken:
        count += 1
        found = f"{name}_{count}"
    taken.add(found)
    return found


def did_you_mean(name: str, candidates: Iterable[str]) -> str | None:
    close = difflib.get_close_matches(name, list(candidates), 1, 0.7)
    return f"did you mean '{close[0]}'?" if close else None
