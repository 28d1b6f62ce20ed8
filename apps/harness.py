"""What the applications share: running compilers and programs, records of measurements, tables."""

from __future__ import annotations

import importlib.util
import json
import os
import shlex
import shutil
import subprocess
import sys
import time
from collections.abc import Collection, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any


class AppError(Exception):
    """Something is missing or went wrong; the text is for the user."""


@dataclass(frozen=True)
class Record:
    """One measurement.

    `ms` is the quickest of all rounds and `median_ms` their median; `ratio` is the time of `baseline` divided by `ms`,
    both from one run. `transfer_ms` is what copies to the device and back take, which `ms` leaves out; `launches_ms`
    what as many empty launches take as `ms` has. `cores` is 0 of a GPU. `checked`: all results were compared with an
    independent program's and are right. `parameters` are the application's own; `traversals` is what kernels compiled
    with --stats count; `parts` are those of `ms`, in milliseconds, where programs report them. `child_launches` is how
    many launches kernels made, for `child_items` items; `active_lanes`, of kernels compiled with --stats, which part of
    their gangs' lanes was on, of all statements together. `counts` are how often a program does something, where it
    reports that. `goal_ms`, where there is one, is what the project wants to reach: the record is of what compiling or
    launching takes, and has no results.
    """

    app: str
    input: str
    order: str | None
    variant: str
    target: str
    cores: int
    ms: float
    checked: bool
    baseline: str | None = None
    ratio: float | None = None
    median_ms: float | None = None
    goal_ms: float | None = None
    transfer_ms: float | None = None
    launches_ms: float | None = None
    child_launches: int | None = None
    child_items: int | None = None
    active_lanes: float | None = None
    parameters: dict[str, float] = field(default_factory=dict)
    traversals: list[dict[str, Any]] = field(default_factory=list)
    parts: dict[str, float] = field(default_factory=dict)
    counts: dict[str, float] = field(default_factory=dict)


def run(
    command: Sequence[str | Path],
    env: dict[str, str] | None = None,
    cpus: Collection[int] = (),
    patience: float | None = None,
) -> str:
    """Run a program, on some CPUs if they are given, and return what it prints.

    Raises `AppError` with its messages if it fails, or is not done after `patience` seconds.
    """
    words = [str(word) for word in command]
    bind = (lambda: os.sched_setaffinity(0, cpus)) if cpus else None
    try:
        done = subprocess.run(
            words,
            capture_output=True,
            text=True,
            errors="replace",
            env=os.environ | (env or {}),
            check=False,
            timeout=patience,
            preexec_fn=bind,
        )
    except OSError as fault:
        raise AppError(f"{words[0]}: {fault.strerror}") from None
    except subprocess.TimeoutExpired:
        raise AppError(f"not done after {patience:.0f} seconds: {shlex.join(words)}") from None
    if done.returncode:
        said = "\n".join(text.strip() for text in (done.stdout, done.stderr) if text.strip())
        raise AppError(f"exit code {done.returncode} from {shlex.join(words)}\n{said}")
    return done.stdout


def simt2simd(*args: str | Path) -> float:
    """Run the command line of simt2simd; return the seconds that it took."""
    start = time.perf_counter()
    run([sys.executable, "-m", "simt2simd", *args])
    return time.perf_counter() - start


def cxx_compiler() -> str:
    """Return the C++ compiler: $CXX, or the first of c++, g++, clang++ that is installed."""
    for name in filter(None, (os.environ.get("CXX"), "c++", "g++", "clang++")):
        if shutil.which(name.split()[0]):
            return name
    raise AppError("no C++ compiler found; install g++, or name one in $CXX")


COLUMNS = ("input", "order", "variant", "target", "cores", "ms", "transfers", "median", "ratio", "goal ms", "checked")


def print_records(records: Sequence[Record]) -> None:
    """Print a table of records, without the columns in which nothing stands."""
    rows = [_cells(record) for record in records]
    shown = [i for i in range(len(COLUMNS)) if any(row[i] for row in rows)]
    left = len([i for i in shown if i < 4])
    print_table([COLUMNS[i] for i in shown], [[row[i] for i in shown] for row in rows], left)


def print_table(header: Sequence[str], rows: Sequence[Sequence[str]], left: int) -> None:
    """Print a table whose first `left` columns are flush left.

    It is drawn by rich if that is installed and stdout is a terminal, else it is plain columns.
    """
    if sys.stdout.isatty() and _print_rich(header, rows, left):
        return
    widths = [max(len(row[i]) for row in (header, *rows)) for i in range(len(header))]
    for row in (header, *rows):
        words = [cell.ljust(width) for cell, width in zip(row[:left], widths[:left], strict=True)]
        numbers = [cell.rjust(width) for cell, width in zip(row[left:], widths[left:], strict=True)]
        print("  ".join(words + numbers).rstrip())


def _cells(record: Record) -> tuple[str, ...]:
    ratio = "" if record.ratio is None else f"{record.ratio:.2f}x {record.baseline}"
    return (
        record.input,
        record.order or "",
        record.variant,
        record.target,
        str(record.cores or ""),
        milliseconds(record.ms),
        milliseconds(record.transfer_ms),
        milliseconds(record.median_ms),
        ratio,
        milliseconds(record.goal_ms),
        "yes" if record.checked else "WRONG" if record.goal_ms is None else "a timing",
    )


def milliseconds(ms: float | None) -> str:
    """Write a time; nothing for none."""
    return "" if ms is None else f"{ms:.4g}" if ms < 1 else f"{ms:.2f}"


def _print_rich(header: Sequence[str], rows: Sequence[Sequence[str]], left: int) -> bool:
    """Print a table with lines round its columns; return whether that can be done here."""
    try:
        from rich.console import Console
        from rich.table import Table
    except ImportError:
        return False
    table = Table()
    for i, name in enumerate(header):
        table.add_column(name, justify="left" if i < left else "right")
    for row in rows:
        table.add_row(*row)
    Console().print(table)
    return True


def write_json(path: str, records: Sequence[Any]) -> None:
    """Write records, which are dataclasses, as a list; `AppError` if the file cannot be written."""
    try:
        Path(path).write_text(json.dumps([asdict(record) for record in records], indent=1) + "\n", encoding="utf-8")
    except OSError as fault:
        raise AppError(f"{path}: {fault.strerror}") from None


def require_matplotlib() -> None:
    """Raise `AppError` if there is no matplotlib."""
    if importlib.util.find_spec("matplotlib") is None:
        raise AppError("a plot needs the package matplotlib: pip install simt2simd[plot]")


def cache_dir(name: str) -> Path:
    """Return a folder for files that can be made again."""
    home = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")
    path = Path(home) / "simt2simd" / name
    path.mkdir(parents=True, exist_ok=True)
    return path
