"""The fields of syntax nodes, of pycparser's and of ours."""

from __future__ import annotations

from functools import cache

_PLACES = frozenset(("coord", "span", "__weakref__"))


def fields_of(node: object) -> list[tuple[str, object]]:
    """Return the names and values of a node's fields, in order, but where it is. A field may lack its value: None."""
    kind: type = type(node)
    found = [(name, getattr(node, name, None)) for name in _slots_of(kind)]
    more: dict[str, object] | None = getattr(node, "__dict__", None)
    if more:
        found += [field for field in more.items() if field[0] not in _PLACES]
    return found


@cache
def _slots_of(kind: type) -> tuple[str, ...]:
    slots = dict.fromkeys(name for base in kind.__mro__ for name in getattr(base, "__slots__", ()))
    return tuple(name for name in slots if name not in _PLACES)
