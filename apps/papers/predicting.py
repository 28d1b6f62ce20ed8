"""What `simt2simd predict`'s model says of counted runs, and how its constants are fitted to measured times.

`python -m apps.papers.predicting --fit` fits them to the records of the applications in `FITTED_ON` and prints them:
they belong into `simt2simd/predict/times.py`. `--page` writes into `docs/remarks.md` how often the model is right.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from math import log
from typing import TYPE_CHECKING

from simt2simd.predict.machines import CPUS, GPUS
from simt2simd.predict.times import FITTED, Factors, Time, on_cpu, on_gpu

from ..common.app import FOLDER
from ..harness import Record
from ..machine import Machine
from .measured import Source, results
from .measured import read as read_records
from .table import GPU

if TYPE_CHECKING:
    from .counted import Counted

FILE = FOLDER / "papers" / "predicted.json"
PAGE = FOLDER.parent / "docs" / "remarks.md"
SENTENCE = re.compile(r"Of \d+ measured times of the applications .* finds the quicker one of \d+:")
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


def run_ms(parts: Sequence[tuple[str, Time]], on: int, machine: str) -> float:
    """Return what a run takes: its kernels, and that the host waits for a GPU."""
    return sum(time.ms for _, time in parts) + (GPUS[machine].wait_us / 1e3 if on == GPU else 0.0)


def for_cpu(all_: Sequence[Counted]) -> list[Counted]:
    """Return those that a CPU runs."""
    return [each for each in all_ if each.where == "cpu"]


def for_gpu(all_: Sequence[Counted]) -> list[Counted]:
    """Return those that a GPU runs: those of their own, and else those of a CPU."""
    own = {each.what[:4] for each in all_ if each.where == "gpu"}
    return [each for each in all_ if each.where == "gpu" or each.what[:4] not in own]


@dataclass(frozen=True)
class Column:
    """Where runs are predicted and measured: on so many cores of a machine, or on its GPU.

    `sources` are the files of that machine, the newest first.
    """

    on: int
    sources: tuple[Source, ...]

    @property
    def machine(self) -> Machine:
        return self.sources[0].machine

    @property
    def name(self) -> str:
        """What the model calls the machine's CPU, or its GPU."""
        if self.on == GPU:
            return "h100" if "H100" in self.machine.gpu else "h200"
        return "epyc" if "EPYC" in self.machine.machine else "xeon"

    def record(self, counted: Counted) -> tuple[Source, Record] | None:
        """Return the newest record of a run, with its file."""
        for source in self.sources:
            for record in source.records:
                if _is_of(record, counted, self.on):
                    return source, record
        return None


def columns(all_: Sequence[Counted], sources: Sequence[Source]) -> list[Column]:
    """Return one core, the most cores that there are records of, and a GPU: each on the best machine that has it.

    That is the one with the most records. For one core, it is the one with the fewest hardware threads if it has at
    least half as many: where there are more, programs run side by side, share the memory and the cores' other threads.
    """
    by_date = sorted(sources, key=lambda source: source.machine.date, reverse=True)
    most = max((r.cores for source in sources for r in source.records if _is_ours(r)), default=1)
    found = []
    for on in dict.fromkeys((1, most, GPU)):
        machines: dict[tuple[str, int, str], list[Source]] = {}
        for source in by_date:
            if any(record.cores == on and _is_ours(record) for record in source.records):
                machine = source.machine
                place = (machine.machine, machine.hardware_threads, machine.gpu if on == GPU else "")
                machines.setdefault(place, []).append(source)
        wanted = for_gpu(all_) if on == GPU else for_cpu(all_)
        there = [Column(on, tuple(own)) for own in machines.values()]
        counts = [sum(column.record(each) is not None for each in wanted) for column in there]
        enough = [c for c, count in zip(there, counts, strict=True) if count and 2 * count >= max(counts)]
        if on == 1 and enough:
            found.append(min(enough, key=lambda column: column.machine.hardware_threads))
        elif enough:
            found.append(there[counts.index(max(counts))])
    return found


def beside(all_: Sequence[Counted], where: Sequence[Column], factors: Factors = FITTED) -> list[Beside]:
    """Return what there are records of: the newest of each."""
    found = []
    for column in where:
        for each in for_gpu(all_) if column.on == GPU else for_cpu(all_):
            if taken := column.record(each):
                record = taken[1]
                steps = record.parameters.get("steps", 1) if each.app == STEPS else 1
                parts = times(each, column.on, column.name, factors)
                ms = run_ms(parts, column.on, column.name)
                found.append(Beside(each, column.on, ms, record.ms * steps, tuple(parts)))
    return found


def _is_ours(record: Record) -> bool:
    return record.checked and record.target not in ("c++", "python")


def _is_of(record: Record, counted: Counted, on: int) -> bool:
    what = (record.app, record.input, record.order, record.variant, record.cores)
    return what == (*counted.what[:4], on) and _is_ours(record)


def write(all_: Sequence[Counted]) -> None:
    """Write what a Xeon of one and sixteen cores and an H200 should take, and the bytes that kernels ask for."""
    found = []
    for on in (*CORES, GPU):
        for each in for_gpu(all_) if on == GPU else for_cpu(all_):
            machine = "h200" if on == GPU else "xeon"
            ms = run_ms(times(each, on, machine), on, machine)
            moved = sum(kernel.bytes for kernel in each.counts())
            what = dict(zip(("app", "input", "order", "variant"), each.what, strict=False))
            found.append({**what, "cores": on, "ms": round(ms, 5), "bytes": moved})
    lines = ",\n".join(map(json.dumps, found))
    FILE.write_text(f"[\n{lines}\n]\n", encoding="utf-8")


# ------------------------------------------------------------------------------------------- fitting

FAR = log(6)  # what is off by more says no more
TRUST = 0.02  # in the constants as they were guessed: what a constant costs that is off by a factor of e
SPREADS = (2.0, 1.4, 1.15)
MOST_ITERATIONS = 8


def fit(compared: Callable[[Factors], Sequence[Beside]], start: Factors) -> Factors:
    """Return constants with which what is compared is near, by changing one at a time as long as that helps."""
    best, least = start, _distance(compared(start), start, start)
    for spread in SPREADS:
        for _ in range(MOST_ITERATIONS):
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
            yield replace(factors, **{name: value * factor})


def _distance(compared: Sequence[Beside], factors: Factors, start: Factors) -> float:
    """Return how far predictions are from what was measured, with what it costs to leave the start."""
    off = [abs(log(max(each.predicted, 1e-9) / each.measured)) for each in compared]
    moved = [(log(value) - log(getattr(start, name))) ** 2 for name, value in asdict(factors).items()]
    return sum(min(each, FAR) + (0.3 if each > log(2) else 0) for each in off) / len(off) + TRUST * sum(moved)


def sentence(found: Sequence[Beside]) -> str:
    """Return what the page on remarks says of the model."""
    from .predicted import right_winners

    right, runs = right_winners(found)
    return (
        f"Of {len(found)} measured times of the applications {sum(each.near for each in found)} are within a factor of "
        f"two of the model's, and of {runs} runs on both it finds the quicker one of {right}:"
    )


def main(argv: list[str]) -> int:
    """Print constants that are fitted, and how many predictions are within a factor of two."""
    parser = argparse.ArgumentParser(prog="python -m apps.papers.predicting", description=main.__doc__)
    parser.add_argument("--fit", action="store_true", help="fit the constants first")
    parser.add_argument("--page", action="store_true", help=f"only write into {PAGE.name} how often the model is right")
    args = parser.parse_args(argv)
    from .counted import read

    all_ = read()
    where = columns(all_, read_records(results()))
    if args.page:
        text = PAGE.read_text(encoding="utf-8")
        PAGE.write_text(SENTENCE.sub(sentence(beside(all_, where)), text), encoding="utf-8")
        return 0
    own = [each for each in all_ if each.app in FITTED_ON]
    fitted = fit(lambda factors: beside(own, where, factors), Factors()) if args.fit else FITTED
    print(fitted)
    for name, some in (("fitted on", own), ("held out", [each for each in all_ if each.app not in FITTED_ON])):
        for column in where:
            found = beside(some, [column], fitted)
            place = "GPU" if column.on == GPU else f"{column.on} of {column.machine.hardware_threads} threads"
            near = sum(each.near for each in found)
            print(f"{name}, {column.name}, {place}: {near} of {len(found)} within a factor of two")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
