"""Runs the programs of the suite and makes records of what they print."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import tempfile
import threading
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from apps.machine import Machine
from apps.records import read_records

from .suite import GPU, Mapping

HERE = Path(__file__).parent
RESULTS = HERE / "results"
LAUNCH_NS = 1000.0  # what an empty kernel takes at most on a CPU that runs nothing else
_LAUNCHES = "ns per launch"  # where the launch is what is measured


class ProgramFailed(Exception):
    """A program of the suite ended with an error, was too slow, or printed what it should not; the text says what."""


@dataclass(frozen=True)
class Record:
    """One point of one question on one platform.

    `platform` is the name of the mapping, which `mapping` describes in full; `params` are the program's own parameters,
    equal at the same point of all platforms; `work` is how much was done in one run, where speed decides that.
    `median`, `min` and `max` are those of `runs` runs, in `unit`. `checked`: the program compared its results with
    what they must be, and they are right. `quick`: of a run that only shows that all works.
    """

    bench: str
    platform: str
    mapping: dict[str, str | int]
    params: dict[str, str | int]
    work: dict[str, int]
    unit: str
    median: float
    min: float
    max: float
    runs: int
    checked: bool
    quick: bool = False

    @property
    def least(self) -> float | None:
        """The least value that a clock can distinguish from 0, where one run is a launch of so many pieces; else None.

        What takes no longer than an empty launch is a launch, and not the pieces in it.
        """
        if self.unit == _LAUNCHES:
            return None
        return next(
            (LAUNCH_NS / count for name, count in self.work.items() if self.unit == f"ns per {name[:-1]}"), None
        )

    @property
    def is_known(self) -> bool:
        """Whether the time is more than that of the launch."""
        return self.least is None or self.median >= self.least


Taken = tuple[Machine, list[Record]]


def is_default(machine: Machine, mapping: dict[str, str | int]) -> bool:
    """Whether a record's mapping is the default for a user who chooses nothing but the number of cores."""
    best = next((target for target in machine.compiler if target != GPU), "")
    return mapping == asdict(Mapping(best, cores=int(mapping["cores"])))


# ------------------------------------------------------------------------------------------- running


def measure(
    bench: str, program: Path, mapping: Mapping, arguments: Sequence[str], patience: float = 600
) -> Iterator[Record]:
    """Run a program and yield a record for every line as it comes.

    On a CPU it runs on the last `mapping.cores` of the CPUs that this process may use. Raises `ProgramFailed` if it
    fails, or is not done after `patience` seconds.
    """
    cpus = sorted(os.sched_getaffinity(0))
    if mapping.target != GPU:
        cpus = cpus[-mapping.cores :]
    with tempfile.TemporaryFile("w+", errors="replace") as messages:
        try:
            process = subprocess.Popen(
                [str(program), *arguments],
                stdout=subprocess.PIPE,
                stderr=messages,
                text=True,
                env={**os.environ, **mapping.environment},
                preexec_fn=lambda: os.sched_setaffinity(0, cpus),
            )
        except OSError as fault:
            raise ProgramFailed(f"cannot run {program}: {fault.strerror}") from None
        timer = threading.Timer(patience, process.kill)
        timer.start()
        try:
            assert process.stdout is not None
            for line in process.stdout:
                yield _record(bench, mapping, line)
            code = process.wait()
            late = not timer.is_alive()
        finally:
            timer.cancel()
            process.kill()
            process.wait()
        if late:
            raise ProgramFailed(f"not done after {patience:.0f} seconds")
        if code != 0:
            messages.seek(0)
            said = messages.read().strip()
            raise ProgramFailed(f"ended with code {code}" + (f": {said[-2000:]}" if said else ""))


def _record(bench: str, mapping: Mapping, line: str) -> Record:
    try:
        found: dict[str, Any] = json.loads(line)
        times = [float(time) for time in found["times"]]
        return Record(
            bench=bench,
            platform=mapping.name,
            mapping=asdict(mapping),
            params=found["params"],
            work=found["work"],
            unit=found["unit"],
            median=statistics.median(times),
            min=min(times),
            max=max(times),
            runs=len(times),
            checked=found["checked"],
        )
    except (ValueError, KeyError, TypeError):
        raise ProgramFailed(f"unexpected line '{line.strip()}'") from None


def recorded(folder: Path = RESULTS) -> list[Taken]:
    """Return the suite's recorded results."""
    found = (read_records(file, Record) for file in sorted(folder.glob("*.json")))
    return [taken for taken in found if taken is not None]
