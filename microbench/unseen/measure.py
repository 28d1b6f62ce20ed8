"""Measures one program: with its own arguments, on one core and on all, in turns with its twin."""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from .arguments import Arguments, missing_files
from .build import Built
from .kernels import kernels_of
from .process import Done, execute
from .records import BUILD_FAILED, FAILED, PEERS, RAN, REFERENCE, WALL, WRONG, Kernel, Result, Timing
from .times import compared, printed_times, reference_time, verdict, work_time, wrong_line

ROUNDS = 5  # at most


@dataclass(frozen=True)
class Setting:
    """How programs are run: `seconds` for each way to run each of them, `limit` for a single run."""

    seconds: float
    limit: float
    quick: bool
    cpus: tuple[int, ...]
    peers: tuple[str, ...] = PEERS

    def environment(self, cores: int) -> dict[str, str]:
        """Return what sets for both runtimes how many cores to use."""
        return {"S2S_THREADS": str(cores), "OMP_NUM_THREADS": str(cores), "OMP_WAIT_POLICY": "passive"}

    def run(self, built: Built, arguments: Arguments, cores: int, more: dict[str, str] | None = None) -> Done:
        """Run a program once on so many cores, the last ones."""
        assert built.file is not None
        environment = {**self.environment(cores), **(more or {})}
        return execute([built.file, *arguments.words], built.folder, self.limit, environment, self.cpus[-cores:])


def measured(name: str, ours: Built, counting: Built, twin: Built | None, setting: Setting) -> Result:
    """Run a program and return what is found out about it."""
    if ours.file is None:
        return Result(name, BUILD_FAILED, ours.fault)
    arguments, first = _first_run(ours, setting)
    said = _fault(first, arguments, ours.folder)
    if said:
        return Result(name, FAILED, said, arguments=arguments.text)
    wrong = verdict(first.text) == "wrong"
    result = Result(
        name,
        WRONG if wrong else RAN,
        wrong_line(first.text) if wrong else "",
        verdict(first.text) == "right",
        arguments.text,
        twin.fault and f"not built: {twin.fault}" if twin else "",
    )
    if twin and twin.file is None:
        twin = None
    timings = []
    for cores in dict.fromkeys((1, len(setting.cpus))):
        timings += _timings(ours, twin, arguments, cores, setting, wrong)
    return replace(result, timings=timings, kernels=_count(name, counting, arguments, setting))


def _first_run(built: Built, setting: Setting) -> tuple[Arguments, Done]:
    """Run a program on all cores, and choose arguments with which it takes about as long as it may.

    Repetitions are there to make a GPU's times long enough to measure. One shows how many there is time for.
    """
    cores = len(setting.cpus)
    arguments = built.arguments.cut(1)
    done = setting.run(built, arguments, cores)
    if done.ended:
        shorter = arguments.with_last_number_cut()
        if shorter != arguments:
            return shorter, setting.run(built, shorter, cores)
    if done.fault or setting.quick or built.arguments.repeats is None:
        return arguments, done
    more = built.arguments.cut(max(1, int(setting.seconds / 2 / max(done.seconds, 1e-3))))
    return (more, setting.run(built, more, cores)) if more.count > 1 else (arguments, done)


def _fault(done: Done, arguments: Arguments, folder: Path) -> str:
    """Say why a run failed; empty if it did not."""
    if not done.fault:
        return ""
    missing = missing_files(arguments, folder)
    if missing and not done.ended:
        return f"{done.fault}; not there: {', '.join(missing)}"
    lines = [line.strip() for line in done.text.splitlines() if line.strip()]
    ours = next((line for line in lines if line.startswith("simt2simd")), "")
    line = wrong_line(done.text) or ours or (lines[-1] if lines else "")
    return f"{done.fault}: {line}" if line else done.fault


def _timings(
    ours: Built, twin: Built | None, arguments: Arguments, cores: int, setting: Setting, wrong: bool
) -> list[Timing]:
    """Run a program and its twin in turns, and return ours beside what it can be compared with."""
    runs = _take_turns({"ours": (ours, arguments)} | ({"twin": (twin, arguments)} if twin else {}), cores, setting)
    mine = _good(runs["ours"])
    if not mine:
        return []
    found = []
    failed = ""
    theirs = _good(runs.get("twin", []))
    if twin and theirs:
        found.append(_beside_twin(mine, theirs, cores, twin.peer, wrong))
    elif twin:
        failed = f"failed: {_fault(runs['twin'][0], arguments, twin.folder)}"
    own = _own_time(mine)
    references = [time for done in mine if (time := reference_time(printed_times(done.text)))]
    reference = min(references, default=None, key=lambda pair: pair[1])
    if reference and REFERENCE in setting.peers and own[0] != WALL:
        ratio = None if wrong else reference[1] / own[1]
        found.append(Timing(cores, own[0], own[1], REFERENCE, reference[1], ratio, reference[0]))
    return found if found and not failed else [*found, Timing(cores, *own, note=failed)]


def _take_turns(programs: dict[str, tuple[Built, Arguments]], cores: int, setting: Setting) -> dict[str, list[Done]]:
    """Run programs round after round, until each has had its seconds."""
    runs: dict[str, list[Done]] = {name: [] for name in programs}
    for _ in range(1 if setting.quick else ROUNDS):
        for name, (built, arguments) in programs.items():
            spent = sum(done.seconds for done in runs[name])
            if runs[name] and (runs[name][-1].fault or spent + runs[name][-1].seconds > setting.seconds):
                continue
            runs[name].append(setting.run(built, arguments, cores))
    return runs


def _good(runs: Sequence[Done]) -> list[Done]:
    return [done for done in runs if not done.fault]


def _own_time(runs: Sequence[Done]) -> tuple[str, float]:
    """Return the least time that a program tells of its own work, else that of its process."""
    timed = [time for done in runs if (time := work_time(printed_times(done.text)))]
    return min(timed, key=lambda pair: pair[1]) if timed else (WALL, min(done.seconds for done in runs))


def _beside_twin(mine: Sequence[Done], theirs: Sequence[Done], cores: int, peer: str, wrong: bool) -> Timing:
    pairs = [pair for a in mine for b in theirs if (pair := compared(printed_times(a.text), printed_times(b.text)))]
    wrong = wrong or any(verdict(done.text) == "wrong" for done in theirs)
    if pairs:
        what, ours, other = pairs[0].what, min(pair.ours for pair in pairs), min(pair.theirs for pair in pairs)
    else:
        what, ours, other = WALL, min(done.seconds for done in mine), min(done.seconds for done in theirs)
    return Timing(cores, what, ours, peer, other, None if wrong else other / ours)


def _count(name: str, counting: Built, arguments: Arguments, setting: Setting) -> list[Kernel]:
    """Run a program that counts what its kernels do, once, with as few repetitions as can be."""
    if counting.file is None:
        return []
    file = counting.file.with_suffix(".stats.json")
    file.unlink(missing_ok=True)
    cut = replace(arguments, repeats=counting.arguments.repeats).cut(1)
    setting.run(counting, cut, len(setting.cpus), {"S2S_STATS_FILE": str(file), "S2S_STATS": "0"})
    return kernels_of(name, _read(file), counting.remarks)


def _read(file: Path) -> dict[str, Any]:
    try:
        found: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    finally:
        if os.path.exists(file):
            file.unlink()
    return found
