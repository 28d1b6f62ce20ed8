"""What a program that was compiled with `--stats` has counted, read from the file that `S2S_STATS_FILE` named."""

from __future__ import annotations

import json
import os
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class LineCounts:
    """What was counted of a line. `kinds`: how often gangs made accesses of each kind, and statements, branches, loops.

    `gangs`: how many reached the line, at the place of it that most of them reached.
    """

    gangs: int
    lanes_active: int
    lanes: int
    estimated_ns: float
    kinds: Mapping[str, int]

    @property
    def active(self) -> float:
        """The part of the lanes that were on."""
        return self.lanes_active / self.lanes if self.lanes else 0.0


class WrongCounts(Exception):
    """A file does not hold counts; the text says why."""


CountRow = Mapping[str, int | str | float]


@dataclass(frozen=True)
class Counts:
    """What was counted in a run, by files and lines. The files have the names that the compiler was given then."""

    files: Mapping[str, Mapping[int, LineCounts]]

    def at(self, file: str, line: int) -> LineCounts | None:
        """Return what was counted of a line; the file may have been compiled from another folder."""
        return self._lines(file).get(line)

    def _lines(self, file: str) -> Mapping[int, LineCounts]:
        if file in self.files:
            return self.files[file]
        alike = [name for name in self.files if os.path.basename(name) == os.path.basename(file)]
        return self.files[alike[0]] if len(alike) == 1 else {}


def read(text: str) -> Counts:
    """Return the counts in a JSON text. Raises `WrongCounts`."""
    try:
        found = json.loads(text)
        return Counts(_by_file(row for kernel in found["kernels"] for row in kernel["lines"]))
    except (ValueError, KeyError, TypeError, AttributeError) as fault:
        raise WrongCounts("it is no file that S2S_STATS_FILE has named") from fault


def _by_file(rows: Iterable[CountRow]) -> dict[str, dict[int, LineCounts]]:
    places: dict[tuple[str, int], list[CountRow]] = {}
    for row in rows:
        if row["kind"] != "kernel":
            places.setdefault((str(row["file"]), int(row["line"])), []).append(row)
    files: dict[str, dict[int, LineCounts]] = {}
    for (file, line), found in places.items():
        files.setdefault(file, {})[line] = _together(found)
    return files


def _together(rows: list[CountRow]) -> LineCounts:
    kinds: Counter[str] = Counter()
    columns: Counter[tuple[int, str]] = Counter()
    for row in rows:
        kinds[str(row["kind"])] += int(row["gangs"])
        columns[int(row["column"]), str(row["kind"])] += int(row["gangs"])
    return LineCounts(
        max(columns.values()),
        sum(int(row["lanes_active"]) for row in rows),
        sum(int(row["lanes"]) for row in rows),
        sum(float(row["estimated_ns"]) for row in rows),
        kinds,
    )
