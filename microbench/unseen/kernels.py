"""Reads what programs compiled with `--stats` say of their kernels, and finds those that lose most."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from .records import Kernel, Line

LOST = ("gather", "scatter", "atomic", "divergent")
NOTABLE = 0.05  # of a program's estimated time


def kernels_of(program: str, stats: Mapping[str, Any], remarks: Sequence[Mapping[str, Any]]) -> list[Kernel]:
    """Return the kernels that ran, the one that loses most first."""
    rows = [row for row in stats.get("kernels", ()) if row.get("gangs") and sum(row["estimated_ns"].values()) > 0]
    rows = _joined(rows)
    whole = sum(sum(row["estimated_ns"].values()) for row in rows)
    kernels = [_kernel(program, row, whole, remarks) for row in rows]
    return sorted(kernels, key=lambda kernel: -kernel.weight)


def worst(kernels: Iterable[Kernel], count: int) -> list[Kernel]:
    """Return the kernels in which the largest parts of their programs' time are lost."""
    return sorted(kernels, key=lambda kernel: -kernel.weight)[:count]


def reasons(kernels: Iterable[Kernel]) -> list[tuple[str, int, float]]:
    """Return what costs most over all programs: an instruction, in how many programs, and of how much of their time.

    A program counts where the instruction has a twentieth of its estimated time or more. The mean is over those.
    """
    shares: dict[str, dict[str, float]] = defaultdict(lambda: defaultdict(float))
    for kernel in kernels:
        whole = kernel.ns / kernel.of_program
        for line in kernel.lines:
            shares[line.remark.partition(";")[0]][kernel.program] += line.ns / whole
    found = []
    for instruction, of_programs in shares.items():
        large = [share for share in of_programs.values() if share >= NOTABLE]
        if instruction and large:
            found.append((instruction, len(large), sum(large) / len(large)))
    return sorted(found, key=lambda item: -item[1] * item[2])


def _joined(rows: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Return rows in which the instances of a template are one, by the name without its arguments."""
    groups: dict[tuple[str, int], list[Mapping[str, Any]]] = defaultdict(list)
    for row in rows:
        groups[row["file"], row["line"]].append(row)
    return [group[0] if len(group) == 1 else _sum(group) for group in groups.values()]


def _sum(group: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    first = group[0]
    lines = [line for row in group for line in row.get("lines", ())]
    counts = {name: sum(row[name] for row in group) for name in ("launches", "gangs", "lanes_active", "lanes")}
    name = f"{first['name'].partition('<')[0]} ({len(group)} instances)"
    summed: dict[str, Any] = {"name": name, "file": first["file"], "line": first["line"], "lines": lines, **counts}
    for part in ("estimated_ns", "statements"):
        if part in first:
            summed[part] = {key: sum(row[part][key] for row in group) for key in first[part]}
    return summed


def _kernel(program: str, row: Mapping[str, Any], whole: float, remarks: Sequence[Mapping[str, Any]]) -> Kernel:
    parts: dict[str, float] = row["estimated_ns"]
    ns = sum(parts.values())
    lost = {name: parts[name] / ns for name in LOST if parts.get(name)}
    counted = row.get("statements", row)  # where lanes are off tells more than how many a gang began with
    lanes, gangs = counted["lanes"] or 1, counted["gangs"] or 1
    lost["masked"] = (1 - counted["lanes_active"] / lanes) * (1 - sum(lost.values()))
    return Kernel(
        program,
        row["name"],
        row["file"],
        row["line"],
        row["launches"],
        ns,
        ns / whole,
        counted["lanes_active"] / gangs,
        lanes / gangs,
        lost,
        _lines(row, remarks),
    )


def _lines(row: Mapping[str, Any], remarks: Sequence[Mapping[str, Any]]) -> list[Line]:
    """Return the lines that cost most, each with the remark about the dearest of what stands there.

    A place costs what its remark estimates, as often as gangs came there.
    """
    said: dict[tuple[str, int, int], Mapping[str, Any]] = {}
    for remark in remarks:
        place = Path(remark["file"]).name, remark["line"], remark["column"]
        if place not in said or remark["cost_ns"] > said[place]["cost_ns"]:
            said[place] = remark
    came: dict[tuple[str, int, int], int] = defaultdict(int)
    for site in row.get("lines", ()):
        if site["kind"] not in ("kernel", "statement"):
            place = site["file"], site["line"], site["column"]
            came[place] = max(came[place], site["gangs"])  # what loads and stores has two sites and one remark
    lines: dict[tuple[str, int], list[Line]] = defaultdict(list)
    for (file, line, column), gangs in came.items():
        found = said.get((Path(file).name, line, column))
        if found:
            text = f"{found['instruction']}; {found['why']}"
            lines[file, line].append(Line(file, line, gangs * found["cost_ns"], text))
    summed = [
        replace(max(parts, key=lambda part: part.ns), ns=sum(part.ns for part in parts)) for parts in lines.values()
    ]
    return sorted(summed, key=lambda line: -line.ns)
