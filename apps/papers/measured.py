"""The records that tables are made of: which machine they are from, which there are, and why others are missing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from ..common.app import FOLDER
from ..common.plan import GPU_CORES, chosen_cores
from ..common.tables import times_as_fast
from ..harness import AppError, Record, milliseconds
from ..machine import CUDA, Machine
from ..records import read_records
from .table import GPU, Key, Needed

RESULTS = FOLDER / "results"
Place = tuple[str, int, str]  # a machine: its name, its hardware threads, its GPU


@dataclass(frozen=True)
class Source:
    """A file of records."""

    file: Path
    machine: Machine
    records: tuple[Record, ...]

    @property
    def place(self) -> Place:
        return (self.machine.machine, self.machine.hardware_threads, self.machine.gpu)


def read(files: Iterable[Path]) -> list[Source]:
    """Read files of records. Raises `AppError` for one that holds something else."""
    found = []
    for file in files:
        try:
            taken = read_records(file, Record)
        except OSError as fault:
            raise AppError(f"{file}: {fault.strerror}") from None
        if taken is None:
            raise AppError(f"{file} holds no records of applications")
        found.append(Source(file, taken[0], tuple(taken[1])))
    return found


def results() -> list[Path]:
    """Return the files of records in the repository."""
    return sorted(RESULTS.glob("*.json"))


def is_of(record: Record, key: Key) -> bool:
    """Whether a record is the measurement that a key names."""
    if (record.app, record.variant, record.cores, record.order) != (key.app, key.variant, key.on, key.order):
        return False
    if record.input != key.input and not record.input.startswith(f"{key.input}, "):
        return False
    return all(record.parameters.get(name) == value for name, value in key.parameters)


@dataclass
class Measured:
    """The records of one machine that a table is made of, and what it needs.

    What a table asks for and is not there gets a number, under which the page gives the reason.
    """

    needs: tuple[Needed, ...]
    sources: Sequence[Source]  # of the machine
    elsewhere: Sequence[Source]  # of others
    cores: tuple[int, ...]  # the numbers of cores that are measured on the machine
    reasons: list[str] = field(default_factory=list)
    used: list[Source] = field(default_factory=list)

    @property
    def machine(self) -> Machine | None:
        """The machine, as the newest of its files describes it; None without records."""
        return max((source.machine for source in self.sources), key=lambda machine: machine.date, default=None)

    @property
    def most_cores(self) -> int:
        return max(self.cores)

    def record(self, key: Key) -> Record | None:
        """Return the newest record of a key; None if there is none or its answers are wrong."""
        for source in self._by_date():
            for record in source.records:
                if is_of(record, key) and record.checked:
                    if source not in self.used:
                        self.used.append(source)
                    return record
        return None

    def traversals(self, key: Key) -> Record | None:
        """Return a record of a key that counted what traversals do; of any machine, on which that does not depend."""
        for source in (*self._by_date(), *self.elsewhere):
            for record in source.records:
                if is_of(replace(record, cores=key.on), key) and record.checked and record.traversals:
                    if source not in self.used:
                        self.used.append(source)
                    return record
        return None

    def ms(self, key: Key) -> str:
        """Return a cell with a time."""
        return self.value(key, lambda record: milliseconds(record.ms))

    def value(self, key: Key, text: Callable[[Record], str]) -> str:
        """Return a cell with what a function says of a record."""
        record = self.record(key)
        return text(record) if record else self.missing(key)

    def ratio(self, slow: Key, fast: Key) -> str:
        """Return a cell with how many times as fast the second is as the first."""
        found = self.record(slow), self.record(fast)
        if found[0] is None:
            return self.missing(slow)
        if found[1] is None:
            return self.missing(fast)
        return times_as_fast(found[0].ms / found[1].ms)

    def best(self, keys: Iterable[Key]) -> Record | None:
        """Return the quickest of the records that there are."""
        there = (record for key in keys if (record := self.record(key)) is not None)
        return min(there, key=lambda record: record.ms, default=None)

    def missing(self, key: Key) -> str:
        """Return a cell for a measurement that is not there: a mark with the number of the reason."""
        return self.because(self.reason(key))

    def because(self, reason: str) -> str:
        """Return a cell for what is not there for a reason."""
        if reason not in self.reasons:
            self.reasons.append(reason)
        return f"–[{self.reasons.index(reason) + 1}]"

    def reason(self, key: Key) -> str:
        """Return why a measurement is not there."""
        for source in self._by_date():
            if any(is_of(record, key) and not record.checked for record in source.records):
                return f"{key.app}, {key.variant}: the answers are wrong"
            for name, why in source.machine.left_out.items():
                if _names(name, key):
                    return f"{key.app}, {key.variant}{', GPU' if key.on == GPU else ''}: {why}"
        if key.on == GPU and self.sources and not any(source.machine.gpu for source in self.sources):
            return "no GPU was measured on this machine"
        there = [source for source in self.elsewhere if any(is_of(record, key) for record in source.records)]
        if there:
            return f"measured on another machine: {there[-1].file.name}"
        return "not measured"

    def _by_date(self) -> list[Source]:
        return sorted(self.sources, key=lambda source: source.machine.date, reverse=True)


def _names(name: str, key: Key) -> bool:
    """Whether what was left out, "APP, VARIANT for TARGET" or with a problem behind a colon, is a key's."""
    what, _, rest = name.partition(" for ")
    target, _, problem = rest.partition(": ")
    if what != f"{key.app}, {key.variant}" or (target == CUDA) != (key.on == GPU):
        return False
    return not problem or (problem.startswith(key.input) and problem.endswith(f", {key.order}, {key.on}"))


def keys_of(needs: Sequence[Needed], cores: Sequence[int], gpu: bool) -> list[Key]:
    """Return all measurements that are needed."""
    found = [key for needed in needs for key in needed.cpu_keys(cores)]
    return list(dict.fromkeys([*found, *(key for needed in needs if gpu for key in needed.gpu_keys())]))


def is_counted(record: Record) -> bool:
    """Whether a record has what a program compiled with --stats counts."""
    return bool(record.traversals) or record.active_lanes is not None


def lacking(needs: Sequence[Needed], sources: Sequence[Source], cores: Sequence[int], gpu: bool) -> set[Key]:
    """Return the measurements that are needed and that no record is of, or none that counts where that is needed."""
    counted = {
        needed.key(input, name, on, order)
        for needed in needs
        for input in needed.inputs
        for order in needed.asked_orders()
        for name in needed.counted
        for on in (min(chosen_cores(needed.cores, cores)),)
    }
    records = [record for source in sources for record in source.records if record.checked]
    return {
        key
        for key in keys_of(needs, cores, gpu)
        if not any(is_of(record, key) and (key not in counted or is_counted(record)) for record in records)
    }


def of_best_machine(needs: Sequence[Needed], sources: Sequence[Source]) -> Measured:
    """Return the records of the machine that has the most of what is needed."""
    places = list(dict.fromkeys(source.place for source in sources))
    counts: dict[Place, int] = {}
    for place in places:
        own = [source for source in sources if is_there(source.place, place)]
        keys = keys_of(needs, core_counts(own, needs), gpu=True)
        records = [record for source in own for record in source.records]
        counts[place] = sum(any(is_of(record, key) for record in records) for key in keys)
    best = max(counts, key=counts.__getitem__, default=None)
    return of_machine(needs, sources, best if best and counts[best] else None)


def of_machine(needs: Sequence[Needed], sources: Sequence[Source], place: Place | None) -> Measured:
    """Return the records of a machine as a table takes them."""
    own = [source for source in sources if place and is_there(source.place, place)]
    others = [source for source in sources if source not in own]
    return Measured(tuple(needs), own, others, core_counts(own, needs))


def is_there(other: Place, place: Place) -> bool:
    """Whether records of one place are of the other, too: what a CPU does beside a GPU it does without."""
    return other == place or (other[:2] == place[:2] and not other[2])


def core_counts(sources: Sequence[Source], needs: Sequence[Needed]) -> tuple[int, ...]:
    """Return the numbers of cores that kernels of the applications ran on, the least first; 1 if none did."""
    apps = {needed.app for needed in needs}
    records = (record for source in sources for record in source.records if record.app in apps)
    found = {record.cores for record in records if record.cores != GPU_CORES}
    return tuple(sorted(found)) or (1,)
