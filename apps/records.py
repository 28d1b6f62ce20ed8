"""Files of records: a list with the machine first, then what was measured there."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from types import UnionType
from typing import Any, Literal, TypeVar, Union, get_args, get_origin, get_type_hints

from .machine import Machine

R = TypeVar("R")


def write_records(path: Path, machine: Machine, records: Sequence[Any]) -> None:
    """Write a list with an item to a line: the machine, then the records, which are dataclasses.

    Raises `OSError` if the file cannot be written.
    """
    items = [asdict(machine), *map(asdict, records)]
    lines = ",\n".join(map(json.dumps, items))
    path.write_text(f"[\n{lines}\n]\n", encoding="utf-8")


def read_records(path: Path, kind: type[R]) -> tuple[Machine, list[R]] | None:
    """Read what `write_records` wrote of records of a kind; None if the file holds something else."""
    try:
        machine, *records = json.loads(path.read_text(encoding="utf-8"))
        (where,) = _made(Machine, [machine])
        return where, _made(kind, records)
    except (ValueError, TypeError):
        return None


def _made(kind: type[R], items: Sequence[Mapping[str, Any]]) -> list[R]:
    """Make dataclasses of what stands in a file. Raises `TypeError` unless each field has a value of its type."""
    hints = get_type_hints(kind)
    made = [kind(**values) for values in items]
    for name, value in (pair for values in items for pair in values.items()):
        if not _is(value, hints[name]):
            raise TypeError(f"'{name}' is {value!r}, which is no {hints[name]}")
    return made


def _is(value: Any, hint: Any) -> bool:
    """Whether a value of JSON has a type, as far as that is known: `Any` is any, a tuple is a list in JSON."""
    parts = get_args(hint)
    whole = get_origin(hint) or hint
    if whole in (Union, UnionType):
        return any(_is(value, part) for part in parts)
    if whole is Literal:
        return value in parts
    if whole is float:
        return isinstance(value, (int, float)) and not isinstance(value, bool)
    if whole is int:
        return isinstance(value, int) and not isinstance(value, bool)
    if whole is Any or not isinstance(whole, type):
        return True
    if issubclass(whole, (list, tuple)):
        return isinstance(value, (list, tuple)) and (not parts or all(_is(each, parts[0]) for each in value))
    if issubclass(whole, dict):
        return isinstance(value, dict) and (not parts or all(_is(each, parts[1]) for each in value.values()))
    return isinstance(value, whole)
