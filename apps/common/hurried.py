"""Measuring the problems of a built folder in little time: the most urgent first, until time is up."""

from __future__ import annotations

import argparse
import os
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from ..harness import Record
from ..progress import progress
from . import measure, plan
from .app import App, Array, Arrays
from .jobs import Job, Pool, physical_cores
from .measure import Runner, Settings, Timed
from .plan import GPU_CORES
from .session import Session, naming

QUICK_MS = 1000.0  # a run that takes less on a CPU is made once more, repeating: the first time, its memory is new
GPU_REPS = 3  # in one run, as beginning one takes longer than most kernels
SPARE = 5.0  # seconds at the end, for what has begun


@dataclass
class Place:
    """A problem in one order: what is timed there, and the answers that were found right."""

    app: App
    problem: plan.Problem
    order: str | None
    timed: list[Timed]
    right: list[Array] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)
    runner: Runner | None = None


def measure_until(
    deadline: float,
    todo: Sequence[tuple[App, plan.Problem, Sequence[str | None]]],
    known: Sequence[Record],
    folder: Path,
    settings: Settings,
    session: Session,
) -> None:
    """Measure problems in their orders until a time of time.monotonic(); records that are known are kept.

    What had no time is in the machine's `left_out`, and said so.
    """
    session.add(known)
    places = [
        Place(app, problem, order, _unknown(app, problem, order, known, settings))
        for app, problem, orders in todo
        for order in orders
    ]
    with tempfile.TemporaryDirectory(prefix="apps-") as name:
        run = _Run(Path(name), folder, settings, session, places, len(known), deadline)
        run.all()


def _unknown(
    app: App, problem: plan.Problem, order: str | None, known: Sequence[Record], settings: Settings
) -> list[Timed]:
    """Return what is to be timed and has no record, or has one of which nothing was counted that is to be."""
    there = {
        (record.variant, record.target, record.cores): record
        for record in known
        if (record.app, record.input, record.order) == (app.name, problem.label, order) and record.checked
    }
    found = []
    for timed in measure.timed_of(problem.commands, order, settings):
        record = there.get((timed.command.variant, timed.command.target, timed.cores))
        if record is None or (_is_counted(timed, settings) and not record.traversals and record.active_lanes is None):
            found.append(timed)
    return found


def _is_counted(timed: Timed, settings: Settings) -> bool:
    return bool(timed.command.counting) and timed.cores == min(timed.command.core_counts(settings.cores))


@dataclass
class _Run:
    made: Path
    folder: Path
    settings: Settings
    session: Session
    places: list[Place]
    known: int  # how many of the session's records are from before
    deadline: float
    lock: threading.Lock = field(default_factory=threading.Lock)
    making: threading.Lock = field(default_factory=threading.Lock)

    def all(self) -> None:
        jobs = [job for place in self.places for timed in place.timed for job in self._jobs(place, timed)]
        pool = Pool(physical_cores(sorted(os.sched_getaffinity(0))), self.deadline - SPARE)
        with progress("measuring", len(jobs)) as done:
            late = pool.run([replace(job, work=self._told(job, done)) for job in jobs])
        left = [timed for place in self.places for timed in place.timed if not timed.ms and not timed.trouble]
        for timed in left:
            timed.trouble = "there was no time"
        self._write()
        for place in self.places:
            for timed in place.timed:
                if timed.trouble:
                    where = f"{place.problem.label}{f', {place.order}' if place.order else ''}, {timed.name}"
                    self.session.troubles.append(f"apps {place.app.name}: error: {where}: {timed.trouble}")
        if late and not left:
            self.session.troubles.append(f"there was no time for {len(late)} more runs of what is measured once")

    def _jobs(self, place: Place, timed: Timed) -> list[Job]:
        on_gpu = timed.cores == GPU_CORES
        cpus = max(timed.cores, 1)
        ends = (GPU_CORES, min(self.settings.cores), max(self.settings.cores))
        urgent = 2 * timed.command.urgent + (timed.cores not in ends)
        jobs = [Job(cpus, on_gpu, urgent, lambda release: self._measure(place, timed, release))]
        if _is_counted(timed, self.settings):
            jobs.append(Job(cpus, on_gpu, urgent, lambda _: self._count(place, timed), timed=False))
        return jobs

    def _told(self, job: Job, done: Callable[[], None]) -> Callable[[Callable[[], None]], None]:
        def work(release: Callable[[], None]) -> None:
            job.work(release)
            with self.lock:
                done()

        return work

    def _measure(self, place: Place, timed: Timed, release: Callable[[], None]) -> None:
        runner = replace(self._runner(place, timed), ran=release)
        runner.run(timed, place.right)
        again = timed.cores != GPU_CORES and not self.settings.quick
        if again and not timed.trouble and timed.ms[0] < QUICK_MS:
            runner.run(timed, place.right)
        runner.answers.unlink(missing_ok=True)
        self._write()

    def _count(self, place: Place, timed: Timed) -> None:
        runner = self._runner(place, timed)
        runner.count(timed)
        runner.answers.unlink(missing_ok=True)
        self._write()

    def _runner(self, place: Place, timed: Timed) -> Runner:
        """Return a runner with files of its own; inputs that are missing are made once for all of them."""
        with place.lock:
            if place.runner is None:
                with naming(place.app), self.making:
                    problem = plan.make_missing(place.app, place.problem, self.folder, self.made)
                truth: Arrays = plan.load(self.folder, problem.truth)
                case = problem.case(self.folder)
                place.runner = Runner(place.app, case, problem, truth, place.order, self.folder, self.made, bound=True)
        name = f"{id(timed)}-{threading.get_ident()}.npy"
        left = max(1.0, self.deadline - time.monotonic())
        reps = GPU_REPS if timed.cores == GPU_CORES and not self.settings.quick else 1
        patience = min(measure.PATIENCE, left)
        return replace(place.runner, answers=self.made / name, patience=patience, first_reps=reps, lock=place.lock)

    def _write(self) -> None:
        with self.lock:
            session = self.session
            session.records = session.records[: self.known]
            records = [
                record
                for place in self.places
                for record in measure.records_of(place.app, place.problem, place.order, place.timed)
            ]
            session.machine = replace(session.machine, left_out=session.machine.left_out | self._left_out())
            session.add(records)

    def _left_out(self) -> dict[str, str]:
        return {
            measure.name_of(place.app, place.problem, place.order, timed): timed.trouble.splitlines()[0]
            for place in self.places
            for timed in place.timed
            if timed.trouble
        }


def parse_seconds(text: str) -> float:
    """Return the seconds that an argument is, more than `SPARE`."""
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not SPARE < seconds < 1e6:
        raise argparse.ArgumentTypeError(f"expected a number of seconds above {SPARE:g}, found '{text}'")
    return seconds
