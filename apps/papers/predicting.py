"""What `simt2simd predict`'s model says of counted runs, and how its constants are fitted to measured times.

`python -m apps.papers.predicting --fit` fits them to the records of the applications in `FITTED_ON` and prints them:
they belong into `simt2simd/predict/times.py`.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from math import log
from typing import TYPE_CHECKING

from simt2simd.predict.machines import CPUS, GPUS
from simt2simd.predict.times import FITTED, Factors, Time, on_cpu, on_gpu

from ..common.app import FOLDER
from ..harness import Record
from .measured import read as read_records
from .measured import results
from .table import GPU

if TYPE_CHECKING:
    from .counted import Counted

FILE = FOLDER / "papers" / "predicted.json"
FITTED_ON = ("bfs_rec", "bh", "coloring", "forest", "hotspot", "mc", "nn", "pathfinder", "pc", "rtree", "spmv")
CORES = (1, 16)  # of what `predicted.json` has
STEPS = "bh6"  # whose times are of one of its steps


@dataclass(frozen=True)
class Beside:
    """A run as predicted and as measured, in milliseconds; `on` is a number of cores, or `GPU`.

    `parts` are the times of its kernels.
    """

    counted: Counted
    on: int
    predicted: float
    measured: float
    parts: tuple[tuple[str, Time], ...]

    @property
    def factor(self) -> float:
        """By how much too high the prediction is."""
        return self.predicted / self.measured

    @property
    def near(self) -> bool:
        return 0.5 <= self.factor <= 2


def times(counted: Counted, on: int, machine: str, factors: Factors = FITTED) -> list[tuple[str, Time]]:
    """Return what each kernel of a run takes on a machine of `CPUS` or `GPUS`."""
    kernels = counted.counts()
    if on == GPU:
        return [(each.name, on_gpu(each, GPUS[machine], factors)) for each in kernels]
    return [(each.name, on_cpu(each, CPUS[machine], on, factors)) for each in kernels]


def for_cpu(all_: Sequence[Counted]) -> list[Counted]:
    """Return those that a CPU runs."""
    return [each for each in all_ if each.where == "cpu"]


def for_gpu(all_: Sequence[Counted]) -> list[Counted]:
    """Return those that a GPU runs: those of their own, and else those of a CPU."""
    own = {each.what[:4] for each in all_ if each.where == "gpu"}
    return [each for each in all_ if each.where == "gpu" or each.what[:4] not in own]


def beside(
    all_: Sequence[Counted], records: Sequence[Record], cpu: str, gpu: str, factors: Factors = FITTED
) -> list[Beside]:
    """Return what there are records of: the newest of each."""
    found = []
    places = sorted({record.cores for record in records if record.target != "c++"})
    for on in places:
        for each in for_gpu(all_) if on == GPU else for_cpu(all_):
            of_it = [record for record in records if _is_of(record, each, on)]
            if not of_it:
                continue
            record = of_it[-1]
            steps = record.parameters.get("steps", 1) if each.app == STEPS else 1
            parts = times(each, on, gpu if on == GPU else cpu, factors)
            found.append(Beside(each, on, sum(time.ms for _, time in parts), record.ms * steps, tuple(parts)))
    return found


def _is_of(record: Record, counted: Counted, on: int) -> bool:
    return (
        (record.app, record.input, record.order, record.variant, record.cores) == (*counted.what[:4], on)
        and record.checked
        and record.target not in ("c++", "python")
    )


def write(all_: Sequence[Counted]) -> None:
    """Write what a Xeon of one and sixteen cores and an H200 should take, and the bytes that kernels ask for."""
    found = []
    for on in (*CORES, GPU):
        for each in for_gpu(all_) if on == GPU else for_cpu(all_):
            ms = sum(time.ms for _, time in times(each, on, "h200" if on == GPU else "xeon"))
            moved = sum(kernel.bytes for kernel in each.counts())
            what = dict(zip(("app", "input", "order", "variant"), each.what, strict=False))
            found.append({**what, "cores": on, "ms": round(ms, 5), "bytes": moved})
    lines = ",\n".join(map(json.dumps, found))
    FILE.write_text(f"[\n{lines}\n]\n", encoding="utf-8")


# ------------------------------------------------------------------------------------------- fitting

FAR = log(6)  # what is off by more says no more
TRUST = 0.02  # in the constants as they were guessed: what a constant costs that is off by a factor of e
SPREADS = (2.0, 1.4, 1.15)
MOST_ROUNDS = 8


def fit(compared: Callable[[Factors], Sequence[Beside]], start: Factors) -> Factors:
    """Return constants with which what is compared is near, by changing one at a time as long as that helps."""
    best, least = start, _distance(compared(start), start, start)
    for spread in SPREADS:
        for _ in range(MOST_ROUNDS):
            before = least
            for changed in _neighbours(best, spread):
                distance = _distance(compared(changed), changed, start)
                if distance < least:
                    best, least = changed, distance
            if least == before:
                break
    return best


def _neighbours(factors: Factors, spread: float) -> Iterator[Factors]:
    for name, value in asdict(factors).items():
        for factor in (spread, 1 / spread):
            if name == "cpu_scaling":
                yield replace(factors, cpu_scaling=min(1.0, value + 0.05 * log(factor)))
            else:
                yield replace(factors, **{name: value * factor})


def _distance(compared: Sequence[Beside], factors: Factors, start: Factors) -> float:
    """Return how far predictions are from what was measured, with what it costs to leave the start."""
    off = [abs(log(max(each.predicted, 1e-9) / each.measured)) for each in compared]
    moved = [(log(value) - log(getattr(start, name))) ** 2 for name, value in asdict(factors).items()]
    return sum(min(each, FAR) + (0.3 if each > log(2) else 0) for each in off) / len(off) + TRUST * sum(moved)


def main(argv: list[str]) -> int:
    """Print constants that are fitted, and how many predictions are within a factor of two."""
    from .counted import read

    all_ = read()
    records = [r for source in read_records(results()) if "H200" in source.machine.gpu for r in source.records]
    own = [each for each in all_ if each.app in FITTED_ON]
    fitted = (
        fit(lambda factors: beside(own, records, "xeon", "h200", factors), Factors()) if "--fit" in argv else FITTED
    )
    print(fitted)
    for name, some in (("fitted on", own), ("held out", [each for each in all_ if each.app not in FITTED_ON])):
        for on in (1, 16, GPU):
            found = [each for each in beside(some, records, "xeon", "h200", fitted) if each.on == on]
            print(f"{name}, {on}: {sum(each.near for each in found)} of {len(found)} within a factor of two")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
