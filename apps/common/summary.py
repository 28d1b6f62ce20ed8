"""What records say together: which variant is how much faster, what more cores bring, where a GPU is ahead."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from simt2simd.target import TARGETS

from ..harness import Record
from ..machine import CUDA


@dataclass(frozen=True)
class Place:
    """A problem of an application in one order of its queries."""

    app: str
    input: str
    order: str | None

    @property
    def name(self) -> str:
        """What it is called within its application."""
        return f"{self.input}, {self.order}" if self.order else self.input


def place_of(record: Record) -> Place:
    return Place(record.app, record.input, record.order)


def places(records: Iterable[Record]) -> list[Place]:
    """Return where something was measured, in the order of the records; not what compiling and launching cost."""
    return list(dict.fromkeys(place_of(record) for record in records if record.goal_ms is None))


def right(records: Iterable[Record], place: Place) -> list[Record]:
    """Return the records of a place whose answers are right."""
    return [record for record in records if record.checked and place_of(record) == place]


def is_kernel(record: Record) -> bool:
    """Whether kernels that we compiled did the work, on the CPU."""
    return record.target in TARGETS


def platform_of(record: Record, least_cores: int) -> str:
    """Name a variant, with the number of cores if it is not the least that kernels were measured on."""
    if record.target == CUDA:
        return f"{record.variant}, GPU"
    if record.cores == least_cores:
        return record.variant
    return f"{record.variant}, {in_words(record.cores)}"


def core_counts(records: Iterable[Record]) -> list[int]:
    """Return the numbers of cores that were measured on, the least first, and behind them 0 if a GPU was, too."""
    return sorted({record.cores for record in records}, key=lambda cores: (cores == 0, cores))


def in_words(cores: int) -> str:
    return f"{cores} core{'s' if cores > 1 else ''}" if cores else "GPU"


def least_cores(records: Iterable[Record]) -> int:
    return min((record.cores for record in records if is_kernel(record)), default=1)


# ------------------------------------------------------------------------------------------- cores


def over_cores(records: Sequence[Record], place: Place) -> dict[int, Record]:
    """Return the records of the variant that users get, or of the first one, by number of cores."""
    kernels = [record for record in right(records, place) if is_kernel(record)]
    names = [record.variant for record in kernels]
    chosen = "auto" if "auto" in names else next(iter(names), "")
    return {record.cores: record for record in kernels if record.variant == chosen}


# ------------------------------------------------------------------------------------------- CPU and GPU


@dataclass(frozen=True)
class Duel:
    """A CPU and a GPU at one place: the quickest variants of both, without and with copies, and the GPU's recursion."""

    place: Place
    cpu: Record
    gpu: Record
    gpu_with_transfers: Record
    gpu_recursive: Record | None


def with_transfers(record: Record) -> float:
    """Return the milliseconds of the work and of the copies to and from the device, which a CPU does not need."""
    return record.ms + (record.transfer_ms or 0.0) if record.target == CUDA else record.ms


def duels(records: Sequence[Record]) -> list[Duel]:
    """Return where both a CPU, on the most cores measured, and a GPU gave right answers."""
    found = []
    for place in places(records):
        here = right(records, place)
        kernels = [record for record in here if is_kernel(record)]
        gpu = [record for record in here if record.target == CUDA]
        if kernels and gpu:
            most = max(record.cores for record in kernels)
            found.append(
                Duel(
                    place,
                    cpu=min((record for record in kernels if record.cores == most), key=lambda record: record.ms),
                    gpu=min(gpu, key=lambda record: record.ms),
                    gpu_with_transfers=min(gpu, key=with_transfers),
                    gpu_recursive=next((record for record in gpu if record.variant == "recursive"), None),
                )
            )
    return found
