"""A run of measurements: the options that choose what is measured, and what comes of it."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from .. import harness
from ..harness import AppError, Record
from ..machine import Machine
from ..records import write_records
from . import measure, tables
from .app import ORDERS, App
from .measure import Settings
from .plan import Problem

BUSY = 0.3  # of a hardware thread


@contextmanager
def naming(app: App) -> Iterator[None]:
    """Say in errors which application they are about; too large an input is one."""
    try:
        yield
    except AppError as fault:
        raise AppError(f"apps {app.name}: error: {fault}") from None
    except MemoryError as fault:
        raise AppError(f"apps {app.name}: error: an input is too large for this machine's memory: {fault}") from None


def add_choices(parser: argparse.ArgumentParser, own: App | None) -> None:
    """Add the options that choose what is measured."""
    inputs = f"{own.known_inputs} (default: {' '.join(own.inputs)})" if own else "of those that applications have"
    parser.add_argument("--input", action="extend", nargs="+", metavar="INPUT", help=inputs)
    parser.add_argument("--variant", action="extend", nargs="+", metavar="V", help="default: all")
    parser.add_argument("--order", choices=ORDERS, help="of the queries (default: both)")
    parser.add_argument("--cores", type=positive, action="extend", nargs="+", metavar="N", help="default: 1")
    parser.add_argument(
        "--quick",
        action="store_true",
        help="one round of a small input, two forms and a baseline: to see that it works, not to measure",
    )


def positive(text: str) -> int:
    """Return the whole number from 1 that an argument is."""
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"expected a whole number from 1, found '{text}'")
    return int(text)


def cores_of(args: argparse.Namespace) -> tuple[int, ...]:
    """Return the numbers of cores to measure on. Raises `AppError` if this process may not use so many."""
    there = len(os.sched_getaffinity(0))
    for cores in args.cores or ():
        if cores > there:
            raise AppError(f"--cores {cores}: this process may use {there}")
    return tuple(dict.fromkeys(args.cores or (1,)))


def orders_of(app: App, case_order: str, args: argparse.Namespace) -> tuple[str | None, ...]:
    """Return the orders in which a case is wanted; None stands for an application without queries."""
    there = (case_order,) if case_order else app.orders
    return tuple(order for order in there if args.order in (None, order)) if there else (None,)


def check_outputs(args: argparse.Namespace) -> None:
    """Raise `AppError` if the results could not be written after all the work."""
    if args.json:
        check_file(args.json)
    if args.plot:
        harness.require_matplotlib()


def check_file(file: Path) -> None:
    """Raise `AppError` if a file of records could not be written after all the work."""
    if not file.parent.is_dir():
        raise AppError(f"{file}: there is no directory '{file.parent}'")
    if file.is_dir():
        raise AppError(f"{file}: it is a directory; expected a file")
    if not os.access(file if file.exists() else file.parent, os.W_OK):
        raise AppError(f"{file}: it cannot be written")


class Session:
    """What has been measured so far; it is written to a file after each problem, so that nothing gets lost."""

    def __init__(self, machine: Machine, json: Path | None) -> None:
        self.machine = machine
        self.json = json
        self.records: list[Record] = []
        self.troubles: list[str] = []
        if machine.load > BUSY * machine.hardware_threads:
            print(f"this machine is busy (load {machine.load:.1f}): the times will say little", file=sys.stderr)

    def measure(
        self,
        app: App,
        problem: Problem,
        orders: Sequence[str | None],
        folder: Path,
        settings: Settings,
        done: Callable[[], None],
    ) -> None:
        """Measure a problem in some orders."""
        for order in orders:
            records, troubles = measure.measure(app, problem, order, folder, settings, done)
            self.troubles += [f"apps {app.name}: error: {trouble}" for trouble in troubles]
            self.add(records)

    def add(self, records: Sequence[Record]) -> None:
        self.records += records
        try:
            if self.json:
                write_records(self.json, self.machine, self.records)
        except OSError as fault:
            raise AppError(f"{self.json}: {fault.strerror}") from None

    def finish(self, figures: Path | None) -> int:
        """Print tables, draw figures, say what went wrong; return the exit code."""
        from . import plots

        tables.print_all(self.machine, self.records)
        if figures:
            for file in plots.plot(self.machine, self.records, figures):
                print(file, file=sys.stderr)
        for trouble in self.troubles:
            print(trouble, file=sys.stderr)
        return 1 if self.troubles else 0
