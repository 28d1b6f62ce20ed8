"""Tables, in Markdown, and figures of recorded results: `python -m apps.report apps/results/*.json`."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from .common import plots, tables
from .common.tables import Table
from .harness import AppError, Record, require_matplotlib
from .machine import Machine
from .records import read_records


def main(argv: list[str]) -> int:
    """Print the tables of each file; return 1 if a file has no records."""
    parser = argparse.ArgumentParser(prog="python -m apps.report", description=__doc__)
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE", help="what --json wrote")
    parser.add_argument("--plot", type=Path, metavar="DIR", help="write figures to DIR, a folder for each file")
    args = parser.parse_args(argv)
    try:
        if args.plot:
            require_matplotlib()
        for file in args.files:
            machine, records = _read(file)
            print("\n\n".join(_sections(machine, records)) + "\n")
            if args.plot:
                plots.plot(machine, records, args.plot / file.stem)
    except AppError as fault:
        print(f"report: error: {fault}", file=sys.stderr)
        return 1
    return 0


def _read(file: Path) -> tuple[Machine, list[Record]]:
    try:
        taken = read_records(file, Record)
    except OSError as fault:
        raise AppError(f"{file}: {fault.strerror}") from None
    if taken is None:
        raise AppError(f"{file} holds no records of applications")
    return taken


def _sections(machine: Machine, records: Sequence[Record]) -> Iterator[str]:
    yield f"## {tables.where(machine)}"
    yield "\n".join(f"- {target}: {text}, {machine.flags.get(target, '')}" for target, text in machine.compiler.items())
    for app in dict.fromkeys(record.app for record in records):
        yield f"### {app}: {tables.question_of(app)}"
        found = (tables.times, tables.speedups, tables.parts, tables.overheads)
        yield from _of(*(table(records, app) for table in found))
    of_all = (
        tables.scaling,
        tables.against_gpu,
        tables.expansion,
        tables.launches,
        tables.nested,
        tables.configurations,
    )
    shared = list(_of(*(table(records) for table in of_all)))
    if shared:
        yield "### All applications"
        yield from shared


def _of(*found: Table) -> Iterator[str]:
    """Yield the tables in which something stands."""
    for table in found:
        if table.rows:
            yield table.markdown()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
