"""Many programs, batch after batch, by several processes; failures become small programs in files."""

from __future__ import annotations

import json
import multiprocessing
import re
import signal
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from pathlib import Path
from typing import TextIO

from . import check, oracle, ours
from .check import ORACLE, Verdict
from .choices import RandomChoices
from .launch import Program
from .programs import program
from .shrink import smallest, trim

BATCH = 32  # programs that the C++ compiler gets at once
ROTATION = [name for name in ours.VARIANTS if name != ours.DEFAULT]


@dataclass(frozen=True)
class Settings:
    """What to run: programs number `first`, `first` + 1, ... of a seed, until `count` are done or time is up."""

    seed: int
    first: int = 0
    count: int | None = None
    seconds: float | None = None
    jobs: int = 1
    variants: tuple[str, ...] = tuple(ours.VARIANTS)
    keep: Path | None = None
    shrink_seconds: float = 60.0
    stop_after: int = 10  # failures
    about: tuple[str, ...] = ()  # features that all programs have to do with


@dataclass(frozen=True)
class Finding:
    """A program that fails, by its number, and how."""

    number: int
    program: Program
    verdict: Verdict

    @property
    def kind(self) -> str:
        """What findings of the same cause have in common, mostly."""
        detail = self.verdict.detail
        if "elements differ" in detail:
            detail = detail.split(":")[0]
        return f"{self.verdict.way}: " + re.sub(r"\d+", "#", detail.split("\n")[0])[:100]


@dataclass
class Summary:
    programs: int = 0
    skipped: dict[str, int] = field(default_factory=dict)
    findings: list[Finding] = field(default_factory=list)

    def add(self, number: int, made: Program, verdict: Verdict) -> None:
        self.programs += 1
        if verdict.kind == "differ":
            self.findings.append(Finding(number, made, verdict))
        elif verdict.kind != "agree":
            self.skipped[verdict.kind] = self.skipped.get(verdict.kind, 0) + 1


def choices_of(settings: Settings, number: int) -> RandomChoices:
    return RandomChoices(f"{settings.seed}/{number}")


def variants_of(settings: Settings, number: int) -> list[str]:
    """The default, and one of the others in turn."""
    others = [name for name in settings.variants if name != ours.DEFAULT]
    chosen = [ours.DEFAULT] if ours.DEFAULT in settings.variants else []
    return chosen + ([others[number % len(others)]] if others else [])


# ----------------------------------------------------------------------------------------------------- one process


def run_batch(settings: Settings, numbers: Sequence[int]) -> Iterator[tuple[int, Program, Verdict]]:
    programs = [program(choices_of(settings, number), settings.about) for number in numbers]
    library = None
    if oracle.available():
        try:
            library = oracle.Library(programs)
        except oracle.OracleError:
            for number, made in zip(numbers, programs, strict=True):
                yield number, made, run_one(made, variants_of(settings, number))
            return
    for at, (number, made) in enumerate(zip(numbers, programs, strict=True)):
        yield number, made, check.isolated(made, variants_of(settings, number), library, at)


def run_one(made: Program, variants: Sequence[str]) -> Verdict:
    """The verdict on a program that the C++ compiler gets alone."""
    try:
        library = oracle.Library([made]) if oracle.available() else None
    except oracle.OracleError as failure:
        return Verdict("differ", ORACLE, None, str(failure))
    return check.isolated(made, variants, library)


def _start(target: Callable[..., None], *arguments: object) -> tuple[SpawnProcess, Connection]:
    """Start a process, which inherits no thread of this one, and that forks can be made of; `target` gets a sender."""
    context = multiprocessing.get_context("spawn")
    receiver, sender = context.Pipe(duplex=False)
    process = context.Process(target=target, args=(sender, *arguments), daemon=True)
    process.start()
    sender.close()
    return process, receiver


def _work(sender: Connection, settings: Settings, share: int, end: float) -> None:
    """Run every batch that falls to this process and send what came of it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    check.prepare()
    for numbers in _batches(settings, share, settings.jobs):
        for result in run_batch(settings, numbers):
            sender.send(result)
            if time.monotonic() > end:
                return


def _batches(settings: Settings, share: int, jobs: int) -> Iterator[range]:
    size = BATCH if settings.count is None else max(1, min(BATCH, settings.count // jobs))
    start, last = settings.first + share * size, None if settings.count is None else settings.first + settings.count
    while last is None or start < last:
        yield range(start, start + size if last is None else min(start + size, last))
        start += jobs * size


# ------------------------------------------------------------------------------------------------------ all of them


def run(settings: Settings, out: TextIO = sys.stdout) -> Summary:
    """Run the programs, print how far it is, and keep small versions of those that fail."""
    began = time.monotonic()
    end = began + settings.seconds if settings.seconds is not None else float("inf")
    summary = Summary()
    workers = []
    receivers: list[Connection] = []
    for share in range(settings.jobs):
        worker, receiver = _start(_work, settings, share, end)
        workers.append(worker)
        receivers.append(receiver)
    progress = _Progress(settings, out, began)
    try:
        while receivers and len(summary.findings) < settings.stop_after:
            ready = wait(receivers, timeout=1)
            for receiver in [r for r in receivers if r in ready]:
                try:
                    number, made, verdict = receiver.recv()
                except EOFError:
                    receivers.remove(receiver)
                    continue
                summary.add(number, made, verdict)
                if verdict.kind == "differ":
                    progress.say(f"program {number} fails, {summary.programs} done, {summary.findings[-1].kind}")
            progress.show(summary)
    finally:
        for worker in workers:
            worker.terminate()
        for worker in workers:
            worker.join()
        progress.close()
    crashed = [worker for worker in workers if worker.exitcode not in (0, -signal.SIGTERM)]
    if crashed:
        raise RuntimeError("a process of the fuzzer failed; see above")
    _report(settings, summary, out)
    seconds = time.monotonic() - began
    skipped = "".join(f", {n} {kind}" for kind, n in sorted(summary.skipped.items()))
    failed = f"{len(summary.findings)} fail" if summary.findings else "all agree"
    print(f"{summary.programs} programs in {seconds:.0f} s: {failed}{skipped}", file=out)
    return summary


class _Progress:
    """A bar on a terminal, if rich is there; lines elsewhere."""

    def __init__(self, settings: Settings, out: TextIO, began: float) -> None:
        self.settings, self.out, self.began = settings, out, began
        self.next = began + 10
        self.bar = None
        if out.isatty():
            try:
                from rich.console import Console
                from rich.progress import Progress
            except ImportError:
                return
            self.bar = Progress(console=Console(file=out), transient=True)
            self.task = self.bar.add_task("programs", total=settings.count or settings.seconds)
            self.bar.start()

    def show(self, summary: Summary) -> None:
        now = time.monotonic()
        done = summary.programs if self.settings.count else now - self.began
        text = f"{summary.programs} programs, {len(summary.findings)} fail"
        if self.bar is not None:
            self.bar.update(self.task, completed=done, description=text)
        elif now > self.next:
            self.next = now + 10
            print(f"{now - self.began:.0f} s: {text}", file=self.out, flush=True)

    def say(self, text: str) -> None:
        if self.bar is not None:
            self.bar.console.print(text, markup=False, highlight=False)
        else:
            print(text, file=self.out, flush=True)

    def close(self) -> None:
        if self.bar is not None:
            self.bar.stop()


def _report(settings: Settings, summary: Summary, out: TextIO) -> None:
    """Make the first program of each kind of finding smaller; print and keep it."""
    kinds: dict[str, Finding] = {}
    for finding in sorted(summary.findings, key=lambda f: len(f.program.text)):
        kinds.setdefault(finding.kind, finding)
    for finding in kinds.values():
        small = _shrunk(settings, finding)
        text = describe(settings, small)
        print(text, file=out, flush=True)
        if settings.keep is not None:
            settings.keep.mkdir(parents=True, exist_ok=True)
            name = settings.keep / f"{settings.seed}-{finding.number}"
            name.with_suffix(".cu").write_text(text)
            name.with_suffix(".json").write_text(json.dumps(asdict(small), indent=1))


def _shrunk(settings: Settings, finding: Finding) -> Finding:
    if settings.shrink_seconds <= 0:
        return finding
    process, receiver = _start(_shrink, settings, finding)
    try:
        small: Finding = receiver.recv()
    except EOFError:
        return finding
    finally:
        process.terminate()
        process.join()
    return small


def _shrink(sender: Connection, settings: Settings, finding: Finding) -> None:
    sender.send(shrink(settings, finding))


def shrink(settings: Settings, finding: Finding) -> Finding:
    """Return a smaller program that fails in the same way. Assumes a process of its own."""
    way = finding.verdict.way
    variants = [way] if way in ours.VARIANTS else []
    check.prepare()

    def verdict_on(candidate: Program) -> Verdict:
        """The oracle is asked last: it is the slowest."""
        if way in ours.VARIANTS:
            quick = check.isolated(candidate, variants, None)
            if quick.kind != "differ":
                return quick
        return run_one(candidate, variants)

    def fails(candidate: Program) -> bool:
        verdict = verdict_on(candidate)
        return verdict.kind == "differ" and Finding(0, candidate, verdict).kind == finding.kind

    choices = choices_of(settings, finding.number)
    program(choices, settings.about)
    made = smallest(choices.made, settings.about, fails, settings.shrink_seconds)
    if made is None:
        return finding
    made = trim(made, fails, settings.shrink_seconds / 2)
    return Finding(finding.number, made, verdict_on(made))


def describe(settings: Settings, finding: Finding) -> str:
    verdict, made = finding.verdict, finding.program
    about = f" --about {','.join(settings.about)}" if settings.about else ""
    lines = [f"// --seed {settings.seed} --first {finding.number} --count 1{about}, {verdict.way}: {verdict.detail}"]
    if verdict.launch is not None:
        lines.append(f"// <<<{verdict.launch.grid}, {verdict.launch.block}>>>, arrays of seed {made.seed}")
    lines += [f"// {parameter}" for parameter in made.parameters]
    return "\n".join("\n// ".join(line.splitlines()) for line in lines) + "\n" + made.text
