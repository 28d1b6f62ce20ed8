"""Files of records: a list with the machine first, then what was measured there."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, TypeVar

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
        return Machine(**machine), [kind(**record) for record in records]
    except (ValueError, TypeError):
        return None
