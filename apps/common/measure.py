"""Runs the commands of a problem in turns, checks their answers, makes records of their times.

It needs Python and NumPy alone; peers in Python are left out where their package is missing.
"""

from __future__ import annotations

import json
import os
import re
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from .. import harness
from ..harness import AppError, Record
from .app import App, Array, Arrays, Case
from .plan import GPU_CORES, Command, Problem, load

ROUNDS = 3
LEAST_MS = 1e-4  # of what programs print as 0
SLICE_MS = 400.0  # what a program may take in a round for all its repetitions
MOST_REPS = 100
SLOW_MS = 20e3  # a run that takes longer is made once
PATIENCE = 1200.0  # seconds
PART = re.compile(r"^part (.+): ([\d.]+) ms$", re.MULTILINE)
COUNT = re.compile(r"^count (.+): (\d+)$", re.MULTILINE)


@dataclass(frozen=True)
class Settings:
    """How the user wants to measure: numbers of cores, one round only or all."""

    cores: tuple[int, ...]
    quick: bool


@dataclass
class Timed:
    """A command on a number of cores, and what has been measured of it so far."""

    command: Command
    cores: int
    search: Callable[[], object] | None = None  # of a peer in Python, once it is set up
    ms: list[float] = field(default_factory=list)
    parts: dict[str, float] = field(default_factory=dict)  # of the least of these
    counts: dict[str, float] = field(default_factory=dict)
    transfer_ms: list[float] = field(default_factory=list)
    launches_ms: list[float] = field(default_factory=list)
    children: tuple[int | None, int | None] = (None, None)  # launches from kernels, and items
    traversals: list[dict[str, Any]] = field(default_factory=list)
    active_lanes: float | None = None
    judgement: Mapping[str, float] = field(default_factory=dict)  # of a peer that has a model of its own
    right: bool = True
    trouble: str = ""

    @property
    def name(self) -> str:
        """What it is called in messages."""
        where = "GPU" if self.cores == GPU_CORES else f"{self.cores} core{'s' if self.cores > 1 else ''}"
        return f"{self.command.variant}, {where}"


def timed_of(commands: Sequence[Command], order: str | None, settings: Settings) -> list[Timed]:
    """Return what is timed in an order: commands on the numbers of cores that they are wanted on."""
    return [
        Timed(command, cores)
        for command in commands
        if not command.orders or order in command.orders
        for cores in command.core_counts(settings.cores)
    ]


def count_runs(commands: Sequence[Command], orders: Sequence[str | None], settings: Settings) -> int:
    """Return how often `measure` calls `done` in all orders."""
    return _rounds(settings) * sum(len(timed_of(commands, order, settings)) for order in orders)


def _rounds(settings: Settings) -> int:
    return 1 if settings.quick else ROUNDS


def measure(
    app: App, problem: Problem, order: str | None, folder: Path, settings: Settings, done: Callable[[], None]
) -> tuple[list[Record], list[str]]:
    """Return the records of a problem in one order, and what went wrong.

    All commands run in turns, round after round; `done` is called after each run. What fails
    runs no more, and what answers wrong has a record that says so.
    """
    case = problem.case(folder)
    truth = load(folder, problem.truth)
    timed = timed_of(problem.commands, order, settings)
    right: list[Array] = []
    with tempfile.TemporaryDirectory(prefix=f"{app.name}-") as name:
        runner = Runner(app, case, problem, truth, order, folder, Path(name) / "answers.npy")
        for number in range(_rounds(settings)):
            for each in timed:
                if not each.trouble and not (number and min(each.ms) > SLOW_MS):
                    runner.run(each, right)
                done()
        for each in timed:
            if (
                each.command.counting
                and each.cores == min(each.command.core_counts(settings.cores))
                and not each.trouble
            ):
                runner.count(each)
    troubles = [f"{problem.label}{f', {order}' if order else ''}, {each.name}: {each.trouble}" for each in timed]
    return records_of(app, problem, order, timed), [
        text for each, text in zip(timed, troubles, strict=True) if each.trouble
    ]


@dataclass(frozen=True)
class Runner:
    """Runs commands of one problem in one order; their answers go to the file `answers`.

    Programs repeat their work `first_reps` times in their first run, and may run for `patience` seconds. If it is
    `bound`, its thread keeps to the CPUs that it is to use; else programs run on the last ones. With a `lock`, answers
    are compared while it is held: others may compare with the same at that time. `ran` is called when a program has
    run, before its answers are compared.
    """

    app: App
    case: Case
    problem: Problem
    truth: Arrays
    order: str | None
    folder: Path
    answers: Path
    bound: bool = False
    patience: float = PATIENCE
    first_reps: int = 1
    ran: Callable[[], None] = lambda: None
    lock: AbstractContextManager[Any] = field(default_factory=nullcontext)

    def run(self, timed: Timed, right: list[Array]) -> None:
        """Run a command once more; keep its times, or what is wrong with it. `right` are answers found right before."""
        try:
            found = self._search(timed) if timed.command.target == "python" else self._program(timed)
            self.ran()
            peer = self.app.peers.get(timed.command.variant)
            if peer is not None and peer.judge is not None:
                timed.judgement = timed.judgement or peer.judge(self.case, found)
            else:
                with self.lock:
                    self._check(timed, found, right)
        except AppError as fault:
            timed.trouble, timed.right = str(fault), False

    def count(self, timed: Timed) -> None:
        """Keep what a command's program that counts says of its traversals and of its lanes."""
        file = self.answers.with_suffix(".json")
        try:
            self._start(timed, timed.command.counting, 1, {"S2S_STATS": f"json:{file}"})
            counted = json.loads(file.read_text(encoding="utf-8"))
            timed.traversals = counted["traversals"]
            timed.active_lanes = _active_lanes(counted.get("kernels", []))
        except (AppError, OSError, ValueError, KeyError) as fault:
            timed.trouble = f"counting: {fault}"

    def _start(self, timed: Timed, program: str, reps: int, environment: dict[str, str]) -> str:
        files = {name: self.folder / file for name, file in self.problem.arrays.items()}
        arguments = [argument.format(**files) for argument in (*self.problem.arguments, *timed.command.arguments)]
        order = ("--order", self.order) if self.order and not self.problem.order else ()
        threads = {"S2S_THREADS": str(timed.cores), "OMP_NUM_THREADS": str(timed.cores)} if timed.cores else {}
        return harness.run(
            (self.folder / program, *arguments, *order, "--reps", str(reps), "--out", self.answers),
            threads | environment,
            cpus=() if self.bound else _cpus(timed.cores),
            patience=self.patience,
        )

    def _program(self, timed: Timed) -> Array:
        self.answers.unlink(missing_ok=True)
        output = self._start(timed, timed.command.program, self._reps(timed), {})
        ms = _time(output, "kernel|host")
        if ms is None or not self.answers.exists():
            raise AppError(f"it did not say how long it took, or wrote no answers:\n{output}")
        timed.ms.append(max(ms, LEAST_MS))
        if ms <= min(timed.ms):
            timed.parts = {name: float(part) for name, part in PART.findall(output)}
        timed.counts = {name: float(count) for name, count in COUNT.findall(output)}
        for times, found in (
            (timed.transfer_ms, _time(output, "transfers")),
            (timed.launches_ms, _time(output, r"launches: \d+, empty ones take", "")),
        ):
            times += [found] if found is not None else []
        if children := re.search(r"^child launches: (\d+) for (\d+) items", output, re.MULTILINE):
            timed.children = int(children[1]), int(children[2])
        answers: Array = np.load(self.answers)
        return answers

    def _search(self, timed: Timed) -> Array:
        peer = self.app.peers[timed.command.variant]
        with _bound_to(_cpus(timed.cores)):
            timed.search = timed.search or peer.setup(self.case, self.order or "", timed.cores)
            times = []
            for _ in range(self._reps(timed)):
                start = time.perf_counter()
                result = timed.search()
                times.append((time.perf_counter() - start) * 1e3)
        timed.ms.append(min(times))
        return peer.answers(self.case, result)

    def _reps(self, timed: Timed) -> int:
        """Return how often to repeat: seldom in the first round, which shows how long it takes."""
        return max(1, min(int(SLICE_MS / max(min(timed.ms), 1e-3)), MOST_REPS)) if timed.ms else self.first_reps

    def _check(self, timed: Timed, found: Array, right: list[Array]) -> None:
        """Raise `AppError` if answers are wrong, or differ from those of others by more than the application says."""
        if any(_equal(found, known) for known in right):
            return
        try:
            self.app.check(f"{self.problem.label}, {timed.command.variant}", self.case, self.truth, found)
        except (IndexError, KeyError, ValueError) as fault:  # NumPy's, of an array that is of another kind
            raise AppError(f"answers of type {found.dtype} and shape {found.shape} make no sense: {fault}") from None
        if right and self.app.exact:
            raise AppError(_difference(right[0], found))
        if right and self.app.tolerance is not None:
            _compare(right[0], found, self.app.tolerance)
        right.append(found)


def name_of(app: App, problem: Problem, order: str | None, timed: Timed) -> str:
    """Return what `Machine.left_out` calls a measurement."""
    command = timed.command
    return f"{app.name}, {command.variant} for {command.target}: {problem.label}, {order}, {timed.cores}"


def _equal(found: Array, known: Array) -> bool:
    return found.dtype == known.dtype and found.shape == known.shape and found.tobytes() == known.tobytes()


def _difference(known: Array, found: Array) -> str:
    """Say where answers differ that should be the same."""
    if (known.dtype, known.shape) != (found.dtype, found.shape):
        return f"answers of type {found.dtype} and shape {found.shape}, others {known.dtype} and {known.shape}"
    differ = known != found
    first = int(np.argwhere(differ)[0][0])
    return (
        f"answers differ from other variants' in {np.count_nonzero(differ)} places; first: row {first}: "
        f"{found[first]}, others {known[first]}"
    )


def _compare(known: Array, found: Array, tolerance: float) -> None:
    for name in known.dtype.names or ():
        if known.dtype[name].base.kind != "f":
            continue
        differ = ~np.isclose(found[name], known[name], rtol=tolerance, atol=0)
        if differ.any():
            row = int(np.argwhere(differ)[0][0])
            raise AppError(
                f"the field {name} differs from other variants' in {np.count_nonzero(differ)} places; first: "
                f"row {row}: {found[name][row]}, others {known[name][row]}"
            )


def _active_lanes(kernels: Sequence[Mapping[str, Any]]) -> float | None:
    """Return which part of the lanes was on, of all statements of all kernels; None if none ran."""
    lanes = sum(kernel["statements"]["lanes"] for kernel in kernels)
    return sum(kernel["statements"]["lanes_active"] for kernel in kernels) / lanes if lanes else None


def _time(output: str, label: str, colon: str = ":") -> float | None:
    match = re.search(rf"^(?:{label}){colon} ([\d.]+) ms", output, re.MULTILINE)
    return float(match[1]) if match else None


def _cpus(cores: int) -> list[int]:
    """Return the CPUs for a run: the last ones; all for a GPU's program."""
    return sorted(os.sched_getaffinity(0))[-cores:]  # [-0:] is all of them


@contextmanager
def _bound_to(cpus: Sequence[int]) -> Iterator[None]:
    """Let this thread, and those that it makes, run on some CPUs only."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, cpus)
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def records_of(app: App, problem: Problem, order: str | None, timed: Sequence[Timed]) -> list[Record]:
    """Return the records of what has been timed."""
    return [_record(app, problem, order, each, _baseline(app, timed, each.cores)) for each in timed if each.ms]


def _baseline(app: App, timed: Sequence[Timed], cores: int) -> Timed | None:
    """Return the quickest baseline that uses one core only or as many as are wanted; beside a GPU, the quickest."""
    found = (each for each in timed if each.command.variant in app.baselines and each.ms and each.right)
    equal = (each for each in found if not each.command.parallel or cores in (each.cores, GPU_CORES))
    return min(equal, key=lambda each: min(each.ms), default=None)


def _record(app: App, problem: Problem, order: str | None, timed: Timed, baseline: Timed | None) -> Record:
    return Record(
        app=app.name,
        input=problem.label,
        order=order,
        variant=timed.command.variant,
        target=timed.command.target,
        cores=timed.cores,
        ms=min(timed.ms),
        checked=timed.right,
        baseline=baseline.command.variant if baseline else None,
        ratio=min(baseline.ms) / min(timed.ms) if baseline and timed.right else None,
        median_ms=statistics.median(timed.ms),
        transfer_ms=min(timed.transfer_ms, default=None),
        launches_ms=min(timed.launches_ms, default=None),
        child_launches=timed.children[0],
        child_items=timed.children[1],
        parameters={**problem.parameters, **timed.judgement},
        active_lanes=timed.active_lanes,
        traversals=timed.traversals,
        parts=timed.parts,
        counts=timed.counts,
    )
