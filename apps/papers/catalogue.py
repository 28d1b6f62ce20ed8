"""All tables and figures of the papers, by name."""

from __future__ import annotations

from collections.abc import Iterable

from ..harness import AppError
from . import burtscher, goldfarb, predicted, sorting, wu_chapter3, wu_chapter4, wu_chapter5, wu_chapter6, yang
from .table import PaperTable

# Each has its tables in TABLES.
MODULES = (goldfarb, wu_chapter3, wu_chapter4, sorting, wu_chapter5, wu_chapter6, burtscher, yang, predicted)
ALL = "all"


def tables() -> dict[str, PaperTable]:
    """Return the tables by name, in the order of the papers."""
    return {table.name: table for module in MODULES for table in module.TABLES}


def chosen(names: Iterable[str]) -> list[PaperTable]:
    """Return the tables of names, of which `ALL` stands for every one. Raises `AppError` for an unknown one."""
    there = tables()
    found: dict[str, PaperTable] = {}
    for name in names:
        if name != ALL and name not in there:
            raise AppError(f"unknown table '{name}'; there are {', '.join(there)}")
        found |= there if name == ALL else {name: there[name]}
    return list(found.values())
