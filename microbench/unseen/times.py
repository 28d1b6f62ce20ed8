"""Reads the times, and the verdicts on their results, that programs print."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

_SECONDS = {
    "ns": 1e-9, "nsec": 1e-9, "nanosecond": 1e-9,
    "us": 1e-6, "usec": 1e-6, "microsecond": 1e-6, "\u00b5s": 1e-6, "\u03bcs": 1e-6,
    "ms": 1e-3, "msec": 1e-3, "millisecond": 1e-3,
    "s": 1.0, "sec": 1.0, "second": 1.0,
}  # fmt: skip
_UNIT = "(" + "|".join(sorted(map(re.escape, _SECONDS), key=len, reverse=True)) + r")s?(?![\w/])\.?"
_NUMBER = r"([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)"
_BEHIND = re.compile(rf"(?<![\w.]){_NUMBER}\s*[(\[]?\s*{_UNIT}[)\]]?")  # Average kernel execution time: 12.5 (us)
_BEFORE = re.compile(rf"(?<!\w){_UNIT}[)\]]?\s*(?:[:=]|is)\s*{_NUMBER}(?![\w.])")  # kernel time (ms): 12.5
_HEADING = re.compile(rf"(?:\bin |[(\[]){_UNIT}[)\]]?\s*:\s*$")  # GPU Time in seconds: and a number on the next line
_TIME = re.compile(
    r"time|took|takes|elapsed|duration|latency|exec|spent|average|\bavg|processing|kernel|gpu|cpu",
    re.IGNORECASE,
)

# The first row that fits says what a line is about.
_KINDS = (
    (
        "transfer",
        r"cop(y|ies)|transfer|h(ost)?\s?(to|2)\s?d|d(evice)?\s?(to|2)\s?h|\bi/?o\b|\bread|\bload|alloc|\binit|set-?up"
        r"|\bpars(e|ing)|prepar|compil|writ(e|ing)|\bfile|minimum|recom+end",
    ),
    ("host", r"^(?!.*(gpu|device|kernel|cuda)).*(cpu|\b(host|reference|serial|sequential|gold(en)?|openmp|omp)\b)"),
    (
        "host",
        r"\bcpu (run)?time|\b(cpu|host) (version|implementation|exec|took|kernel)|reference (version|implementation)",
    ),
    ("kernel", r"kernel|gpu|device|cuda|offload"),
)

_RIGHT = re.compile(
    r"\bpass(ed|es)?\b|\bsuccess(ful(ly)?)?\b|\bcorrect(ly)?\b|\bvalid(ated)?\b|\bOK\b|\bmatch(es)?\b"
    r"|Non-Matching CPU-GPU Outputs.*: 0\s*$",
    re.IGNORECASE | re.MULTILINE,
)
_WRONG = re.compile(
    r"\bfail(ed|ure|s)?\b|\bmis-?match(es)?\b|\bincorrect|\bwrong\b|\binvalid\b|\b-?nan\b"
    r"|\bnot (correct|match|equal|valid)|Non-Matching CPU-GPU Outputs.*: [1-9]|\berror\s*:(?!\s*[-+.\d])",
    re.IGNORECASE,
)
_HARMLESS = re.compile(
    r"\b(0|no|zero|without)\s+(\w+\s+)?(fail|mis-?match|invalid|wrong|error|incorrect)"
    r"|(fail|mis-?match|invalid|wrong|incorrect).*[:=]\s*0(\.0+)?\s*$|pass\s*(/|or)\s*fail",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Printed:
    """A time that a program printed: what stands before it, what it is about, and seconds.

    `kind` is "kernel", "host" (the program's own reference), "transfer" (and all else that is not the work) or "other".
    """

    label: str
    kind: str
    seconds: float


@dataclass(frozen=True)
class Compared:
    """Seconds of two programs for the same, and what that is."""

    what: str
    ours: float
    theirs: float


def printed_times(text: str) -> list[Printed]:
    """Return the times in what a program printed, in order. Numbers without a unit are none."""
    found = []
    lines = text.splitlines()
    for i, line in enumerate(lines):
        if heading := _HEADING.search(line):
            following = lines[i + 1].split() if i + 1 < len(lines) else []
            if all(re.fullmatch(_NUMBER, word) for word in following):
                found += [_printed(line[: heading.start()], float(word), heading[1]) for word in following]
            continue
        for label, number, unit in (*_in_line(line, _BEHIND, 1, 2), *_in_line(line, _BEFORE, 2, 1)):
            if _TIME.search(label) and float(number) >= 0:
                found.append(_printed(label, float(number), unit))
    return found


def work_time(printed: Sequence[Printed]) -> tuple[str, float] | None:
    """Return what a program says that its own work took: of its kernels, else of what is no transfer and no reference.

    A total counts only where nothing else is there, so that nothing counts twice.
    """
    for kind in ("kernel", "other"):
        of_kind = [time for time in printed if time.kind == kind]
        parts = [
            time for time in of_kind if not re.search(r"\btotal|overall|\ball\b", time.label, re.IGNORECASE)
        ] or of_kind
        if parts and sum(time.seconds for time in parts) > 0:
            return _named(parts), sum(time.seconds for time in parts)
    return None


def reference_time(printed: Sequence[Printed]) -> tuple[str, float] | None:
    """Return what a program says that its own reference on the host took."""
    parts = [time for time in printed if time.kind == "host"]
    seconds = sum(time.seconds for time in parts)
    return (_named(parts), seconds) if seconds > 0 else None


def compared(ours: Sequence[Printed], theirs: Sequence[Printed]) -> Compared | None:
    """Return the times of two programs that can be compared: those with equal labels, else those of all their work."""
    common = {time.label for time in ours if time.kind != "transfer"} & {time.label for time in theirs}
    mine = [time for time in ours if time.label in common]
    other = [time for time in theirs if time.label in common]
    if len(mine) == len(other):
        first, second = work_time(mine), work_time(other)
        if first and second:
            return Compared(first[0], first[1], second[1])
    first, second = work_time(ours), work_time(theirs)
    return Compared(f"{first[0]} / {second[0]}", first[1], second[1]) if first and second else None


def verdict(text: str) -> str:
    """Return "wrong" or "right" as a program says of its results; empty if it says nothing."""
    lines = [line for line in text.splitlines() if not _HARMLESS.search(line)]
    if any(_WRONG.search(line) for line in lines):
        return "wrong"
    return "right" if _RIGHT.search(text) or _HARMLESS.search(text) else ""


def wrong_line(text: str) -> str:
    """Return the first line that says that something is wrong."""
    lines = [line.strip() for line in text.splitlines() if _WRONG.search(line) and not _HARMLESS.search(line)]
    return lines[0] if lines else ""


def _in_line(line: str, pattern: re.Pattern[str], number: int, unit: int) -> Iterator[tuple[str, str, str]]:
    """Yield labels, numbers and units in a line; a label reaches back to the number before it, or to the beginning."""
    end = 0
    for found in pattern.finditer(line):
        label = line[end : found.start()]
        yield (label if _TIME.search(label) else line[: found.start()]), found[number], found[unit]
        end = found.end()


def _printed(label: str, number: float, unit: str) -> Printed:
    kind = next((kind for kind, pattern in _KINDS if re.search(pattern, label, re.IGNORECASE)), "other")
    return Printed(_plain(label), kind, number * _SECONDS[unit])


def _plain(label: str) -> str:
    """Return a label without what differs by run: numbers and marks."""
    words = re.sub(r"(?<!\w)[-+]?\d+(\.\d+)?([eE][-+]?\d+)?(?!\w)", " ", label)
    return " ".join(re.sub(r"[^\w/*+.()-]+", " ", words).split()).strip(" .:=(-")


def _named(times: Sequence[Printed]) -> str:
    labels = list(dict.fromkeys(time.label for time in times))
    return labels[0] if len(labels) == 1 else f"{labels[0]} + {len(labels) - 1} more"
