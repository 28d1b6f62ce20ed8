"""Tables of the suite's records."""

from __future__ import annotations

from collections.abc import Sequence

from apps import harness
from apps.machine import Machine

from .measure import Record
from .peers.report import duration
from .suite import QUESTIONS, Question


def print_tables(machine: Machine, records: Sequence[Record]) -> None:
    """Print where the records were taken, then a table for each question."""
    gpu = f", {machine.gpu}" if machine.gpu else ""
    print(f"{machine.machine}, {machine.hardware_threads} hardware threads{gpu}, {machine.date}, {machine.commit}")
    for question in QUESTIONS:
        found = [record for record in records if record.bench == question.name]
        if found:
            _print_table(question, found)


def _print_table(question: Question, records: Sequence[Record]) -> None:
    """Print a row for each platform and panel, with the median at each value of the question's `x`."""
    values = list(dict.fromkeys(record.params[question.x] for record in records))
    rows = []
    for platform, panel in dict.fromkeys((record.platform, panel_of(question, record)) for record in records):
        of_row = {
            record.params[question.x]: record
            for record in records
            if (record.platform, panel_of(question, record)) == (platform, panel)
        }
        cells = [_cell(of_row[value]) if value in of_row else "" for value in values]
        rows.append((platform, panel, *cells))
    print(f"\n{question.name}: {question.text}; {records[0].unit.removeprefix('ns ')}, medians; {question.x_label}:\n")
    harness.print_table(("platform", ", ".join(question.panels), *map(str, values)), rows, left=2)


def panel_of(question: Question, record: Record) -> str:
    """Name the panel of the figure that a record belongs to."""
    return ", ".join(str(record.params[name]) for name in question.panels)


def _cell(record: Record) -> str:
    return cell(record) if record.checked else "WRONG"


def cell(record: Record) -> str:
    """Write a time; of what is less than the clock's resolution, the bound."""
    if record.is_known:
        return duration(record.median * 1e-6)
    return f"<{duration((record.least or 0) * 1e-6)}"
