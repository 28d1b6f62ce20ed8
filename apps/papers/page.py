"""The page of a table, in Markdown, and its figure."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ..common import drawing
from ..common.tables import where
from ..harness import AppError
from .measured import Measured
from .table import PaperTable


def write(table: PaperTable, measured: Measured, folder: Path, again: str) -> list[Path]:
    """Write the page and the figure of a table to a folder; return the files. `again` is the command to do so again.

    Raises `AppError` if a file cannot be written.
    """
    page, figure = folder / f"{table.name}.md", folder / f"{table.name}.svg"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        drawn = table.draw is not None and drawing.save(lambda: table.draw and table.draw(measured), figure)
        if not drawn:
            figure.unlink(missing_ok=True)
        page.write_text(text_of(table, measured, figure.name if drawn else "", again), encoding="utf-8")
    except OSError as fault:
        raise AppError(f"cannot write {fault.filename or page}: {fault.strerror}") from None
    return [page, figure] if drawn else [page]


def text_of(table: PaperTable, measured: Measured, figure: str, again: str) -> str:
    """Return the text of a table's page; `figure` is the file of its figure, if there is one."""
    rows = [each.markdown() for each in table.rows(measured) if each.rows]
    found = table.found(measured)
    parts = [
        f"# {table.paper}, {table.number}: {table.title}",
        table.origin or _origin(measured),
        f"```\n{again}\n```",
        f"![{table.title}]({figure})" if figure else "",
        *rows,
        _missing(measured.reasons),
        f"## What the paper says\n\n{table.said}",
        f"## What we find\n\n{found}" if found else "",
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def _origin(measured: Measured) -> str:
    """Say which machines and files the records are from."""
    if not measured.used:
        return "There are no records yet."
    lines = dict.fromkeys(f"- `{source.file.name}`: {where(source.machine)}" for source in measured.used)
    return "\n".join(["Records, with their machine, date and commit:\n", *lines])


def _missing(reasons: Sequence[str]) -> str:
    return "Missing: " + "; ".join(f"[{i}] {reason}" for i, reason in enumerate(reasons, 1)) + "." if reasons else ""
