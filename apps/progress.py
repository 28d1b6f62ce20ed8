"""Shows how far something is: a bar on a terminal if rich is installed, else lines."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import Progress

LINE_SECONDS = 10.0  # between two lines about what is done


class _Lines:
    """Shows how far something is, in lines."""

    def __init__(self, doing: str, total: int) -> None:
        self.doing, self.total, self.done = doing, total, 0
        self.shown = time.monotonic()
        self._tell()

    def advance(self) -> None:
        self.done += 1
        if self.done == self.total or time.monotonic() - self.shown >= LINE_SECONDS:
            self.shown = time.monotonic()
            self._tell()

    def _tell(self) -> None:
        print(f"{self.doing}: {self.done} of {self.total}", file=sys.stderr, flush=True)


@contextmanager
def progress(doing: str, total: int) -> Iterator[Callable[[], None]]:
    """Show a bar on a terminal if rich is installed, else a line now and then.

    Call what this yields after each of `total` pieces.
    """
    bar = _bar() if sys.stderr.isatty() else None
    if bar is None:
        yield _Lines(doing, total).advance
        return
    with bar:
        task = bar.add_task(doing, total=total)
        yield lambda: bar.advance(task)


def _bar() -> Progress | None:
    try:
        from rich.console import Console
        from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn
    except ImportError:
        return None
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    return Progress(*columns, console=Console(stderr=True), transient=True)
