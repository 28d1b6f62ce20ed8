"""Compiles and runs one check, and says what became of it."""

from __future__ import annotations

import hashlib
import re
import shlex
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ..unseen.process import Done, execute
from .find import Check
from .wrap import BEFORE, wrapped

PASSED, REFUSED, WRONG, LATE, OUTSIDE = "passed", "refused", "wrong", "timed out", "not CUDA"

_ERROR = re.compile(
    r"^(?:.*?:\d+(?::\d+)?: )?(?:fatal |internal )?error: .*|^.*: undefined reference to .*", re.MULTILINE
)
_ASSERTION = re.compile(r"^.*(?:[Aa]ssertion|main returned|error:).*$", re.MULTILINE)
_PLACE = re.compile(r"^\S*?:\d+(?::\d+)?: ")
_QUOTED = re.compile(r"'[^']*'|‘[^’]*’|\"[^\"]*\"|`[^`]*'")


@dataclass(frozen=True)
class Verdict:
    """What became of a check. `cause`: the first message; `seconds`: of the compilation; `threads`: of the block."""

    name: str
    state: str
    cause: str = ""
    seconds: float = 0.0
    threads: int | None = None

    @property
    def kind(self) -> str:
        """The cause without the place and the names in it, which many checks share."""
        return _QUOTED.sub("'...'", _PLACE.sub("", self.cause))


@dataclass(frozen=True)
class Runner:
    """How checks are compiled and run. `reference`: the command of a compiler which says what is CUDA; may be empty."""

    work: Path
    flags: tuple[str, ...]
    reference: tuple[str, ...]
    threads: tuple[int, ...]
    limit: float

    def __post_init__(self) -> None:
        (self.work / "before.h").write_text(BEFORE, encoding="utf-8")

    def verdict(self, check: Check) -> Verdict:
        """Compile a check and run it with each number of threads.

        What we do not pass and the reference does not take either is no CUDA program.
        """
        source = self.work / f"{re.sub(r'[^A-Za-z0-9]+', '-', check.name)}-{_key(check.name)}.cu"
        source.write_text(wrapped(check), encoding="utf-8")
        found = self._tried(check, source)
        if found.state != PASSED and self.reference and not self._reference_takes(check, source):
            return Verdict(check.name, OUTSIDE, found.cause, found.seconds)
        return found

    def _tried(self, check: Check, source: Path) -> Verdict:
        program = source.with_suffix("")
        command = [
            sys.executable,
            "-m",
            "simt2simd",
            "nvcc",
            "-w",
            *self._flags(check),
            str(source),
            "-o",
            str(program),
        ]
        built = execute(command, self.work, self.limit)
        if built.ended:
            return Verdict(check.name, LATE, f"compilation: {built.ended}", built.seconds)
        if built.fault or not program.exists():
            return Verdict(check.name, REFUSED, first_error(built.text) or built.fault, built.seconds)
        for threads in self.threads:
            ran = execute([program, str(threads)], self.work, self.limit)
            if ran.fault:
                program.unlink()
                state = LATE if ran.ended else WRONG
                return Verdict(check.name, state, _said(ran), built.seconds, threads)
        program.unlink()
        return Verdict(check.name, PASSED, "", built.seconds)

    def _flags(self, check: Check) -> list[str]:
        return [*self.flags, f"-I{check.file.parent}", "-include", str(self.work / "before.h")]

    def _reference_takes(self, check: Check, source: Path) -> bool:
        """Ask the reference, unless it has been asked about the same text before."""
        command = [*self.reference, *self._flags(check)]
        known = self.work / f"{_key(shlex.join(command) + source.read_text(encoding='utf-8'))}.reference"
        if not known.exists():
            output = source.with_suffix(".reference.o")
            done = execute([*command, str(source), "-o", str(output)], self.work, self.limit)
            output.unlink(missing_ok=True)
            known.write_text("taken" if not done.fault else done.text, encoding="utf-8")
        return known.read_text(encoding="utf-8") == "taken"


def first_error(text: str) -> str:
    """Return the first line of a compiler's messages that says what is wrong; the last line where none does."""
    found = _ERROR.search(text)
    lines = text.strip().splitlines()
    return found[0] if found else lines[-1] if lines else ""


def _said(done: Done) -> str:
    found = _ASSERTION.search(done.text)
    return found[0].strip() if found else done.fault


def _key(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:12]


def most_frequent(verdicts: Sequence[Verdict], states: Sequence[str]) -> list[tuple[int, Verdict]]:
    """Return each kind of cause among verdicts of some states: how many have it, and one of them; most first."""
    groups: dict[str, list[Verdict]] = {}
    for verdict in verdicts:
        if verdict.state in states:
            groups.setdefault(verdict.kind, []).append(verdict)
    return sorted(((len(group), group[0]) for group in groups.values()), key=lambda pair: -pair[0])
