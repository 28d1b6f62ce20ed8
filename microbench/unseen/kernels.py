"""Reads what programs compiled with `--stats` say of their kernels, and finds those that lose most."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from .records import Kernel, Line

LOST = ("gather", "scatter", "atomic", "divergent")
LEAST_NS = 50_000.0  # that a kernel takes in all
LEAST_WEIGHT = 0.01  # of its program's time that is lost in it
ARITHMETIC = "arithmetic"
NOTABLE = 0.05  # of a program's estimated time


def kernels_of(program: str, stats: Mapping[str, Any], remarks: Sequence[Mapping[str, Any]]) -> list[Kernel]:
    """Return the kernels that ran, the one that loses most first."""
    rows = [row for row in stats.get("kernels", ()) if row.get("gangs") and sum(row["estimated_ns"].values()) > 0]
    rows = _joined(rows)
    whole = sum(sum(row["estimated_ns"].values()) for row in rows)
    kernels = [_kernel(program, row, whole, remarks) for row in rows]
    return sorted(kernels, key=lambda kernel: -kernel.weight)


def worst(kernels: Iterable[Kernel], count: int) -> list[Kernel]:
    """Return the kernels in which the largest parts of their programs' time are lost.

    Kernels that do or lose next to nothing are left out: such as examples of a feature, whose time does not matter.
    """
    large = [kernel for kernel in kernels if kernel.ns >= LEAST_NS and kernel.weight >= LEAST_WEIGHT]
    return sorted(large, key=lambda kernel: -kernel.weight)[:count]


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
        if instruction != ARITHMETIC and large:
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
    counted = row.get("statements", row)  # the lanes that are off say more than how many a gang began with
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
    """Return the lines that cost most, each with what the compiler remarked about the dearest place on it.

    A function may have been compiled in several forms: a remark that does not fit what was counted is about another.
    """
    said: dict[tuple[str, int, int], list[Mapping[str, Any]]] = defaultdict(list)
    for remark in sorted(remarks, key=lambda remark: -remark["cost_ns"]):
        said[Path(remark["file"]).name, remark["line"], remark["column"]].append(remark)
    lines: dict[tuple[str, int], list[Line]] = defaultdict(list)
    for site in row.get("lines", ()):
        kind, file, line = site["kind"], site["file"], site["line"]
        found = [r for r in said[Path(file).name, line, site["column"]] if _fits(r["instruction"], kind)]
        counted = ARITHMETIC if kind == "statement" else kind if kind in ("branch", "loop") else f"{kind} access"
        text = f"{found[0]['instruction']}; {found[0]['why']}" if found else counted
        lines[file, line].append(Line(file, line, site["estimated_ns"], text))
    summed = [
        replace(max(parts, key=lambda part: part.ns), ns=sum(part.ns for part in parts)) for parts in lines.values()
    ]
    return sorted((line for line in summed if line.ns), key=lambda line: -line.ns)


def _fits(instruction: str, kind: str) -> bool:
    """Can a remark's instruction be what was counted as an access of some kind?"""
    if kind in ("kernel", "statement"):
        return False
    if kind in ("gather", "scatter"):
        return kind in instruction
    return kind not in ("uniform", "consecutive", "strided") or not instruction.startswith(("gather", "scatter"))
