"""Names for what passes make."""

from __future__ import annotations

from collections.abc import Collection
from itertools import count


def free_name(name: str, taken: Collection[str]) -> str:
    """Return a name that is not taken: `name`, or `name2`, `name3` and so on."""
    if name not in taken:
        return name
    return next(numbered for i in count(2) if (numbered := f"{name}{i}") not in taken)
