"""Which functions that only the host can call the checker must know: those that a call in device code may mean.

Overload resolution takes them for candidates, and nvcc refuses the call if one of them is the best. The headers of a
file have thousands of them. A call in device code finds one beside other candidates only if device code has a function
of its name too. An operator needs an operand of a class or an enumeration, for built-in operators are its rivals.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from ...lang.builtins import BUILTINS
from .declaration_scan import RECORDS, head_of, name_in_head, record_name
from .headers import pieces_of
from .lexer import Token
from .preprocessed import Preprocessed
from .top_level import Item, Split

_FRIEND = re.compile(r"\bfriend\b[^;{}]*?\b(\w+)\s*\(")


def with_rival_host_functions(split: Split, pre: Preprocessed) -> Split:
    """Return `split` with only those functions of the host that are candidates beside others."""
    items = list(_items(split))
    if not any(item.kind == "host" for item in items):
        return split
    known = _Known(items, pre)
    return _filtered(split, known)


class _Known:
    """The names of functions and types that device code has."""

    def __init__(self, items: list[Item], pre: Preprocessed) -> None:
        self.functions, self.types = set(BUILTINS), set[str]()
        self.functions.update(pieces_of(pre.library))
        for item in items:
            if item.kind == "host":
                continue
            head = head_of(item.tokens)
            if (name := name_in_head(head)) is not None:
                self.functions.add(name.value)
            if any(token.type in RECORDS for token in head) and (record := record_name(head)) is not None:
                self.types.add(record.value)
                first, last = item.tokens[0], item.tokens[-1]
                self.functions.update(_FRIEND.findall(pre.text, first.place, last.place))

    def is_rival(self, tokens: list[Token]) -> bool:
        """Whether a call in device code may mean this function or another one."""
        name = name_in_head(head_of(tokens))
        if name is None or name.value == "main":
            return False
        if name.value != "operator":
            return name.value in self.functions
        return any(token.value in self.types for token in tokens)


def _filtered(split: Split, known: _Known) -> Split:
    items = [
        item if item.inside is None else replace(item, inside=_filtered(item.inside, known))
        for item in split.items
        if item.kind != "host" or known.is_rival(item.tokens)
    ]
    return replace(split, items=items)


def _items(split: Split) -> Iterator[Item]:
    for item in split.items:
        if item.inside is not None:
            yield from _items(item.inside)
        else:
            yield item
