"""Cases and the commands that solve them: built, written to a folder for another machine, or measured here."""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ..harness import AppError
from ..machine import commit
from ..progress import progress
from . import measure, plan
from .app import App, Case
from .measure import Settings
from .prepare import Builder, Wanted, commands_of, make_programs
from .session import Session, naming

SAMPLE = 5000  # answers of a case that a built folder has the truth of
QUICK_SAMPLE = 1000  # and of those that are checked with --quick


@dataclass(frozen=True)
class CaseRequest:
    """A case of an application, in which orders it is wanted, and commands whose programs are not built yet."""

    app: App
    case: Case
    orders: tuple[str | None, ...]
    wanted: tuple[Wanted, ...]


@dataclass(frozen=True)
class Step:
    """A case of an application, and the commands that solve it."""

    app: App
    case: Case
    orders: tuple[str | None, ...]
    commands: tuple[plan.Command, ...]

    def problem(self, folder: Path, most: int | None = None) -> plan.Problem:
        """Write the case, and the truth about `most` of its answers or all, to a folder."""
        with naming(self.app):
            return plan.problem_of(self.app, self.case, self.commands, folder, most)


def make_steps(asked: Sequence[CaseRequest], copies: Path | None) -> tuple[list[Step], dict[str, str]]:
    """Build all programs, also into the folder `copies`; return what is to be measured, and what compilers refused.

    The refusals are texts "APP, VARIANT for TARGET", each with the compiler's line that says why.
    """
    recipes = dict.fromkeys(recipe for each in asked for wanted in each.wanted for recipe in wanted.recipes)
    with progress("building", len(recipes)) as done:
        programs = make_programs(recipes, done)
    refusals = {
        f"{each.app.name}, {wanted.variant.name} for {wanted.target}": short(why)
        for each in asked
        for wanted in each.wanted
        for recipe in wanted.recipes
        if isinstance(why := programs[recipe], str)
    }
    steps = [Step(each.app, each.case, each.orders, commands_of(each.wanted, programs, copies)) for each in asked]
    return steps, refusals


def short(said: str) -> str:
    """Return the line of a compiler's messages that says what is wrong."""
    lines = [line.strip() for line in said.splitlines()]
    return next((line for line in lines if "error:" in line), lines[-1])


def write_folder(
    folder: Path,
    asked: Sequence[CaseRequest],
    builder: Builder,
    report: Callable[[Mapping[str, str]], None],
    packed: bool = False,
) -> None:
    """Build and write what `run_built` measures on another machine, its programs perhaps packed.

    `report` is called with what compilers refused.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        steps, refusals = make_steps(asked, folder)
        report(refusals)
        with progress("writing", len(steps)) as done:
            problems = []
            for step in steps:
                problems.append(step.problem(folder, SAMPLE))
                if plan.is_made_by_numpy(step.case.input):
                    for name, file in problems[-1].arrays.items():
                        if name not in step.case.kept:
                            (folder / file).unlink(missing_ok=True)
                done()
        plan.write_manifest(
            folder, plan.Manifest(commit(), builder.compilers(), builder.flags(), tuple(problems), refusals)
        )
        programs = {file for problem in problems for each in problem.commands for file in each.programs}
        if packed:
            plan.pack(folder, sorted(programs))
            size = sum(file.stat().st_size for file in folder.iterdir())
            print(f"{size / 2**20:.1f} MiB to carry", file=sys.stderr)
    except OSError as fault:
        raise AppError(f"cannot write {fault.filename or folder}: {fault.strerror}") from None
    print(f"{len(problems)} problems and {len(programs)} programs in {folder}")


def measure_steps(steps: Sequence[Step], settings: Settings, session: Session) -> None:
    """Measure one problem after the other."""
    total = sum(measure.count_runs(step.commands, step.orders, settings) for step in steps)
    with tempfile.TemporaryDirectory(prefix="apps-") as name, progress("measuring", total) as done:
        for step in steps:
            folder = Path(name)
            problem = step.problem(folder, QUICK_SAMPLE if settings.quick else None)
            session.measure(step.app, problem, step.orders, folder, settings, done)
            for file in folder.iterdir():
                file.unlink()
