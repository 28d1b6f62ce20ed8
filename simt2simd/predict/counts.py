"""What a run under `--warp-stats` has counted of its kernels, read from the file that `S2S_STATS_FILE` named."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from itertools import pairwise
from typing import Any

LINE_BYTES, SECTOR_BYTES = 64, 32


class WrongCounts(Exception):
    """A file does not hold what is needed; the text says why. `without_warps`: but counts of a plain `--stats`."""

    def __init__(self, text: str, *, without_warps: bool = False) -> None:
        super().__init__(text)
        self.without_warps = without_warps


@dataclass(frozen=True)
class KernelCounts:
    """What all launches of a kernel did.

    `children`: of the launches, those that kernels made. `sorted`: threads that a CPU has sorted by what they search
    for. `warps` have begun, with `threads`. `longest`: accesses of the
    warp that makes most of them, of all launches together. `operations`: of warps, by kind. `statements` and `active`:
    of warps, and which part of the lanes was on in them. `cpu_ns`: what gangs of sixteen lanes take for accesses and
    operations, by kind, if all data are in the first-level cache. `calls`: of recursive functions, by warps, without
    those that a compiler makes loops of. `missed`: lines of 64 bytes that a cache of so many bytes would not have had.
    Shared memory takes as many `shared_rounds` as its busiest banks. In atomic functions lanes met at
    `atomic_addresses`, different ones for each warp, and `atomic_hottest` of them in the sector where most do in a
    launch. All that is counted of memory is by warps.
    """

    name: str
    file: str
    line: int
    launches: int
    children: int
    sorted: int
    warps: int
    threads: int
    longest: int
    statements: int
    active: float
    operations: Mapping[str, int]
    calls: int
    cpu_ns: Mapping[str, float]
    accesses: Mapping[str, int]
    global_accesses: int
    bytes: int
    sectors: int
    lines: int
    missed: Mapping[int, int]
    shared_accesses: int
    shared_rounds: int
    local_accesses: int
    local_bytes: int
    atomics: int
    atomic_lanes: int
    atomic_addresses: int
    atomic_hottest: int

    def missed_by(self, cache_bytes: float) -> float:
        """Return how many lines a cache of a size would not have: between sizes that were counted, by its logarithm."""
        sizes = sorted(self.missed)
        if cache_bytes <= sizes[0]:
            return float(self.missed[sizes[0]])
        for small, large in pairwise(sizes):
            if cache_bytes <= large:
                part = (cache_bytes / small - 1) / (large / small - 1)
                return self.missed[small] + part * (self.missed[large] - self.missed[small])
        return float(self.missed[sizes[-1]])


def read(text: str) -> list[KernelCounts]:
    """Return the kernels of a JSON text. Raises `WrongCounts`."""
    try:
        found = json.loads(text)
    except ValueError as fault:
        raise WrongCounts("it is no JSON, or cut off") from fault
    try:
        rows, traversals = found["kernels"], found["traversals"]
        if not isinstance(rows, list) or not isinstance(traversals, list):
            raise TypeError
        for row in rows:
            if "warps" not in row and row["launches"]:
                raise WrongCounts(f"kernel '{row['name']}' did not count warps", without_warps=True)
        return [_checked(of_row(row, traversals)) for row in rows]
    except (ValueError, KeyError, TypeError, AttributeError) as fault:
        raise WrongCounts("it is no file that S2S_STATS_FILE has named") from fault


_OPERATIONS = {"int", "float", "double", "special", "call", "barrier"}
_ACCESSES = {"uniform", "consecutive", "strided", "gather", "scatter", "atomic"}


def _checked(counts: KernelCounts) -> KernelCounts:
    """Return the same. Raises `TypeError` if it is not a name, a file and numbers from 0."""
    values: list[object] = []
    for value in (getattr(counts, each.name) for each in fields(counts)):
        values += value.values() if isinstance(value, Mapping) else [value]
    numbers = [value for value in values if value not in (counts.name, counts.file)]
    if not all(isinstance(number, int | float) and number >= 0 for number in numbers):
        raise TypeError
    kinds = (set(counts.operations) >= _OPERATIONS, set(counts.accesses) >= _ACCESSES, bool(counts.missed))
    if not (isinstance(counts.name, str) and isinstance(counts.file, str) and all(kinds)):
        raise TypeError
    if not _ACCESSES | {"other", "divergent"} <= set(counts.cpu_ns):
        raise TypeError
    return counts


def of_row(row: Mapping[str, Any], traversals: Sequence[Mapping[str, Any]]) -> KernelCounts:
    """Return the counts of an item of the file's "kernels", with those of its "traversals" that are this kernel's."""
    warps = row["warps"]
    steps = sum(t["steps"] for t in traversals if t["kernel"] == row["name"] and not t.get("tail"))
    statements = row["statements"]
    return KernelCounts(
        name=row["name"],
        file=row["file"],
        line=row["line"],
        launches=row["launches"],
        children=warps["children"],
        sorted=warps.get("sorted", 0),
        warps=row["gangs"],
        threads=row["lanes_active"],
        longest=warps["longest"],
        statements=statements["gangs"],
        active=statements["lanes_active"] / statements["lanes"] if statements["lanes"] else 1.0,
        operations=warps["operations"],
        calls=min(warps["operations"]["call"], steps),
        cpu_ns=warps["narrow_ns"],
        accesses=row["accesses"],
        global_accesses=warps["global"]["accesses"],
        bytes=warps["global"]["bytes"],
        sectors=warps["global"]["sectors"],
        lines=warps["global"]["lines"],
        missed={int(size): lines for size, lines in warps["lines_missed"].items()},
        shared_accesses=warps["shared"]["accesses"],
        shared_rounds=warps["shared"]["rounds"],
        local_accesses=warps["local"]["accesses"],
        local_bytes=warps["local"]["bytes"],
        atomics=warps["atomics"]["accesses"],
        atomic_lanes=warps["atomics"]["lanes"],
        atomic_addresses=warps["atomics"]["addresses"],
        atomic_hottest=warps["atomics"].get("hottest", 0),
    )
