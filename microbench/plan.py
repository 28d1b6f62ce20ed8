"""What is measured: programs that were built, and every mapping that each of them is run with.

`python -m microbench --build DIR` writes the programs and a file that says what they are to a folder;
`python -m microbench.run_built DIR` reads it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from simt2simd.target import TARGETS, cpu_features

from .measure import ProgramFailed, Record, measure
from .suite import GPU, QUESTIONS, Choice, Mapping, Question, mappings_of

CONTENTS = "programs.json"  # in the folder of built programs
QUICK = ("ms=2", "runs=2")


@dataclass(frozen=True)
class Built:
    """A program: the question that it asks, and what it is compiled for."""

    bench: str
    target: str
    lanes: int
    file: str


@dataclass(frozen=True)
class Contents:
    """What a folder of built programs holds: how they were compiled, by target, and from which commit."""

    commit: str
    compiler: dict[str, str]
    flags: dict[str, str]
    programs: tuple[Built, ...]


@dataclass(frozen=True)
class Step:
    """One run of one program; with `arguments` it is quick, and says little."""

    question: Question
    mapping: Mapping
    program: Path
    arguments: tuple[str, ...]


class NotAFolder(Exception):
    """The folder holds no built programs; the text says why."""


def write_contents(folder: Path, contents: Contents) -> None:
    (folder / CONTENTS).write_text(json.dumps(asdict(contents), indent=1) + "\n", encoding="utf-8")


def read_contents(folder: Path) -> Contents:
    """Read what `write_contents` wrote. Raises `NotAFolder`."""
    try:
        found = json.loads((folder / CONTENTS).read_text(encoding="utf-8"))
        programs = tuple(Built(**program) for program in found.pop("programs"))
        return Contents(programs=programs, **found)
    except OSError as fault:
        raise NotAFolder(f"cannot read {folder / CONTENTS}: {fault.strerror}") from None
    except (ValueError, TypeError, KeyError, AttributeError):
        raise NotAFolder(f"{folder / CONTENTS} was not written by --build") from None


def runs_here(target: str) -> bool:
    """Whether this machine's CPU has what a target uses."""
    return TARGETS[target].required <= cpu_features()


def run_steps(todo: Iterable[Step]) -> Iterator[tuple[Step, list[Record], list[str]]]:
    """Run programs; yield after each what it measured, and what went wrong with it. The others continue."""
    for step in todo:
        name = step.question.name
        records: list[Record] = []
        troubles: list[str] = []
        try:
            for record in measure(name, step.program, step.mapping, step.arguments):
                records.append(replace(record, quick=bool(step.arguments)))
                if not record.checked:
                    troubles.append(f"{name}, {step.mapping.name}: wrong results with {record.params}")
        except ProgramFailed as fault:
            troubles.append(f"{name}, {step.mapping.name}: {fault}")
        yield step, records, troubles


def steps(programs: Sequence[tuple[Built, Path]], names: Iterable[str], cores: int, quick: bool) -> Iterator[Step]:
    """Yield all runs of the questions `names`, question by question, on CPUs with up to `cores` cores and on the GPU.

    Programs that this CPU cannot run are left out.
    """
    for question in QUESTIONS:
        if question.name not in names:
            continue
        arguments = (*question.quick, *QUICK) if quick else ()
        files = {(built.target, built.lanes): path for built, path in programs if built.bench == question.name}
        on_cpu = tuple(key for key in files if key[0] != GPU and runs_here(key[0]))
        for mapping in mappings_of(question, Choice(on_cpu, cores)):
            yield Step(question, mapping, files[mapping.target, mapping.lanes], arguments)
        for target, lanes in files:
            if target == GPU:
                yield Step(question, Mapping(GPU, lanes), files[target, lanes], arguments)
