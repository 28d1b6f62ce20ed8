"""Reads what programs compiled with `--stats` say of their kernels, and finds those that lose most."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from .records import Kernel, Line

LOST = ("gather", "scatter", "atomic", "divergent")
LINES = 5  # of a kernel


def kernels_of(program: str, stats: Mapping[str, Any], remarks: Sequence[Mapping[str, Any]]) -> list[Kernel]:
    """Return the kernels that ran, the one that loses most first."""
    rows = [row for row in stats.get("kernels", ()) if row.get("gangs") and sum(row["estimated_ns"].values()) > 0]
    whole = sum(sum(row["estimated_ns"].values()) for row in rows)
    kernels = [_kernel(program, row, whole, remarks) for row in rows]
    return sorted(kernels, key=lambda kernel: -kernel.weight)


def worst(kernels: Iterable[Kernel], count: int) -> list[Kernel]:
    """Return the kernels in which the largest parts of their programs' time are lost."""
    return sorted(kernels, key=lambda kernel: -kernel.weight)[:count]


def _kernel(program: str, row: Mapping[str, Any], whole: float, remarks: Sequence[Mapping[str, Any]]) -> Kernel:
    parts: dict[str, float] = row["estimated_ns"]
    ns = sum(parts.values())
    lost = {name: parts[name] / ns for name in LOST if parts.get(name)}
    off = 1 - row["lanes_active"] / row["lanes"] if row["lanes"] else 0.0
    lost["masked"] = off * (1 - sum(lost.values()))
    return Kernel(
        program,
        row["name"],
        row["file"],
        row["line"],
        row["launches"],
        ns,
        ns / whole,
        row["lanes_active"] / row["gangs"],
        row["lanes"] / row["gangs"],
        lost,
        _lines(row, remarks),
    )


def _lines(row: Mapping[str, Any], remarks: Sequence[Mapping[str, Any]]) -> list[Line]:
    """Return the lines that cost most, each with the remark about the dearest of what stands there."""
    said: dict[tuple[str, int], list[Mapping[str, Any]]] = defaultdict(list)
    for remark in remarks:
        said[Path(remark["file"]).name, remark["line"]].append(remark)
    lines = []
    for line in row.get("lines", ()):
        ns = sum(line.get("estimated_ns", {}).values())
        file = line.get("file", row["file"])
        found = max(said[Path(file).name, line["line"]], key=lambda remark: remark["cost_ns"], default=None)
        lines.append(Line(file, line["line"], ns, f"{found['instruction']}; {found['why']}" if found else ""))
    return sorted(lines, key=lambda line: -line.ns)[:LINES]
