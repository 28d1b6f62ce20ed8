"""Names for what passes make."""

from __future__ import annotations

from collections.abc import Collection
from itertools import count

from ..lang.ctype import Struct


def free_name(name: str, taken: Collection[str]) -> str:
    """Return a name that is not taken: `name`, or `name2`, `name3` and so on."""
    if name not in taken:
        return name
    return next(numbered for i in count(2) if (numbered := f"{name}{i}") not in taken)


def assignment_name(struct: Struct) -> str:
    """Return the name that shown text gives the function which assigns to a struct, all but its padding."""
    return f"s2s_assign_{struct.tag}"
