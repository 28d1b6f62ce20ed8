"""What records say of applications whose kernels launch kernels: figures 3.4 to 3.6 of Wu's dissertation."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial

from ..harness import Record
from .summary import Place, core_counts, places, right

LEVELS = ("warp", "block", "grid")
CONFIGURATIONS = {"warp": 32, "block": 16, "grid": 1}  # how many grids of a level's usual size can run at a time


@dataclass(frozen=True)
class Forms:
    """What was measured of the forms of an application at one place, on one number of cores (0: a GPU)."""

    place: Place
    cores: int
    records: Mapping[str, Record]

    def speedup(self, variant: str) -> float | None:
        """Return how many times as fast as `basic` a variant is."""
        there = self.records.get(variant)
        return self.records["basic"].ms / there.ms if there else None


def forms_of(records: Sequence[Record]) -> list[Forms]:
    """Return what was measured of forms beside `basic`, which the others are compared with."""
    found = []
    for place in places(records):
        here = [record for record in right(records, place) if record.child_launches is not None or _is_flat(record)]
        for cores in core_counts(here):
            by_variant = {record.variant: record for record in here if record.cores == cores}
            if "basic" in by_variant:
                found.append(Forms(place, cores, by_variant))
    return found


def _is_flat(record: Record) -> bool:
    return record.variant == "flat" and record.target not in ("c++", "python")


def configurations_of(forms: Forms) -> dict[str, dict[str, float]]:
    """Return, for each size of consolidated grids, how many times as fast as `basic` each level is."""
    names: Sequence[tuple[str, Callable[[str], str]]] = (
        *((f"KC_{n}", partial(_name_of_size, n)) for n in (1, 16, 32)),
        ("1-1", lambda level: f"{level}-1-1"),
        ("best", lambda level: f"{level}-best"),
    )
    found = {}
    for name, variant in names:
        speedups = {level: speedup for level in LEVELS if (speedup := forms.speedup(variant(level)))}
        found[name] = speedups
    return found if found["best"] else {}


def _name_of_size(concurrency: int, level: str) -> str:
    return level if CONFIGURATIONS[level] == concurrency else f"{level}-kc{concurrency}"
