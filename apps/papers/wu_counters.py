"""Count with Nsight Compute what the forms of nested parallelism do on a GPU: Wu's figures 3.6 to 3.8.

    python -m apps.papers.wu_counters DIR --json FILE

DIR is what `python -m apps tables wu-3.5 --build DIR --gpu` made. Each program profiles one run of its kernels, with
those that they launch, as one range: ncu runs the whole program again for each pass. Its CSV is read from its output.
"""

from __future__ import annotations

import argparse
import csv
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from .. import harness
from ..common import plan
from ..common.app import FOLDER, app_of
from ..common.nested import FORMS
from ..harness import AppError
from ..machine import CUDA, Machine, describe, gpu_name
from ..progress import progress
from ..records import read_records, write_records

THREADS, INSTRUCTIONS = "smsp__thread_inst_executed.sum", "smsp__inst_executed.sum"
OCCUPANCY, CYCLES = "sm__warps_active.avg.pct_of_peak_sustained_active", "sm__cycles_active.sum"
READ, WRITTEN = "dram__sectors_read.sum", "dram__sectors_write.sum"
METRICS = (THREADS, INSTRUCTIONS, OCCUPANCY, CYCLES, READ, WRITTEN)
WARP = 32
APPS = ("sssp", "spmv", "pagerank", "coloring", "bfs_rec")
COUNTERS = FOLDER / "results" / "counters"
PATIENCE = 240.0  # seconds, for one program with all its passes
REPLAY = {
    "app-range": ("--replay-mode", "app-range"),  # a run with the kernels that kernels launch
    "kernel": ("--replay-mode", "kernel", "--profile-from-start", "off"),
}


@dataclass(frozen=True)
class Counted:
    """What the kernels of a form did in one run.

    `efficiency` is the part of a warp's threads that is on, of all instructions; `occupancy` the part of the warps that
    a multiprocessor has room for, while it is active; `sectors` are of 32 bytes, read from and written to DRAM.
    """

    app: str
    input: str
    variant: str
    efficiency: float
    occupancy: float
    sectors: float


def read_csv(text: str) -> list[dict[str, float]]:
    """Return the metrics of each result that `ncu --csv` printed, among whatever else is in the output.

    A line has one metric of a result, or there is a line for each result with a column for each metric (`--page raw`),
    whose units stand in a line of their own. Raises `AppError` if there is no result, or a metric has no number.
    """
    lines = text.splitlines()
    start = next((i for i, line in enumerate(lines) if line.startswith('"ID",')), None)
    if start is None:
        raise AppError(f"ncu printed no CSV:\n{_last(lines)}")
    table = csv.DictReader(line for line in lines[start:] if line.startswith('"'))
    found: dict[str, dict[str, float]] = {}
    for row in table:
        if not row["ID"]:  # the units of a raw page
            continue
        result = found.setdefault(row["ID"], {})
        named = {row["Metric Name"]: row["Metric Value"]} if "Metric Name" in row else row
        result |= {name: _number(name, value) for name, value in named.items() if name in METRICS}
    lacking = sorted({name for result in found.values() for name in METRICS if name not in result})
    if not found or lacking:
        raise AppError(f"ncu printed nothing of {lacking[0] if lacking else METRICS[0]}:\n{_last(lines)}")
    return list(found.values())


def _last(lines: Sequence[str]) -> str:
    return "\n".join(lines[-5:])


def _number(name: str, text: str) -> float:
    try:
        return float(text.replace(",", ""))
    except ValueError:
        raise AppError(f"ncu: {name} is '{text}', not a number") from None


def sum_up(app: str, name: str, variant: str, results: Iterable[Mapping[str, float]]) -> Counted:
    """Return what several results say together: ratios of sums, and the occupancy weighted by active cycles."""
    found = list(results)
    total = {metric: sum(result[metric] for result in found) for metric in METRICS}
    occupied = sum(result[OCCUPANCY] * result[CYCLES] for result in found)
    if not total[INSTRUCTIONS] or not total[CYCLES]:
        raise AppError(f"{app}, {name}, {variant}: ncu counted no instruction")
    return Counted(
        app,
        name,
        variant,
        efficiency=total[THREADS] / total[INSTRUCTIONS] / WARP,
        occupancy=occupied / total[CYCLES] / 100,
        sectors=total[READ] + total[WRITTEN],
    )


# ------------------------------------------------------------------------------------------- running ncu


def main(argv: list[str]) -> int:
    """Run the command and return the exit code: 1 if something cannot be counted, 2 with wrong arguments."""
    parser = argparse.ArgumentParser(prog="python -m apps.papers.wu_counters", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)  # fmt: skip
    parser.add_argument("folder", type=Path, metavar="DIR", help="what --build made, with --gpu")
    parser.add_argument("--json", type=Path, metavar="FILE", required=True, help="write what was counted to FILE")
    parser.add_argument("--replay", choices=tuple(REPLAY), default="app-range", help="default: app-range")
    parser.add_argument("--seconds", type=float, metavar="N", help="begin no program behind N seconds")
    args = parser.parse_args(argv)
    try:
        return _count_all(args)
    except AppError as fault:
        print(f"wu_counters: error: {fault}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130


def _count_all(args: argparse.Namespace) -> int:
    ncu = find_ncu()
    if not gpu_name():
        raise AppError("nvidia-smi finds no GPU on this machine")
    manifest = plan.read_manifest(args.folder)
    try:
        plan.unpack(args.folder)
    except OSError as fault:
        raise AppError(f"{args.folder}: cannot unpack {fault.filename}: {fault.strerror}") from None
    wanted = commands(manifest)
    if not wanted:
        raise AppError(f"{args.folder} has no program of {', '.join(APPS)} for a GPU")
    if not args.json.parent.is_dir():
        raise AppError(f"{args.json}: there is no directory '{args.json.parent}'")
    taken = {target: text for target, text in manifest.compiler.items() if target == CUDA}
    machine = describe(taken, {CUDA: manifest.flags.get(CUDA, "")}, manifest.commit)
    start = time.monotonic()
    found: list[Counted] = []
    troubles = []
    with progress("counting", len(wanted)) as done, tempfile.TemporaryDirectory(prefix="ncu-") as made:
        for problem, command in wanted:
            what = f"{problem.app}, {problem.input}, {command.variant}"
            if args.seconds and time.monotonic() - start > args.seconds:
                troubles.append(f"{what}: there was no time")
            else:
                try:
                    found.append(_count(ncu, args, problem, command, Path(made)))
                    _write(args.json, machine, found)
                except AppError as fault:
                    troubles.append(f"{what}: {fault}")
            done()
    for trouble in troubles:
        print(f"wu_counters: error: {trouble}", file=sys.stderr)
    return 1 if troubles else 0


def find_ncu() -> str:
    """Return Nsight Compute's command. Raises `AppError` if it is not installed."""
    found = os.environ.get("NCU") or shutil.which("ncu") or shutil.which("ncu", path="/usr/local/cuda/bin")
    if not found:
        raise AppError("ncu (Nsight Compute) is not installed; $NCU may name it")
    return found


def commands(manifest: plan.Manifest) -> list[tuple[plan.Problem, plan.Command]]:
    """Return what is counted: the forms of the applications on a GPU, the smallest applications' first."""
    forms = {form.name for form in FORMS}
    return [
        (problem, command)
        for problem in sorted(manifest.problems, key=lambda problem: not problem.input.startswith("kron"))
        for command in problem.commands
        if problem.app in APPS and command.target == CUDA and command.variant in forms
    ]


def _count(ncu: str, args: argparse.Namespace, problem: plan.Problem, command: plan.Command, made: Path) -> Counted:
    folder = args.folder.resolve()
    whole = plan.make_missing(app_of(problem.app), problem, folder, made)
    files = {name: folder / file for name, file in whole.arrays.items()}
    arguments = [argument.format(**files) for argument in (*problem.arguments, *command.arguments)]
    words = (ncu, "--csv", "--print-units", "base", "--clock-control", "none", *REPLAY[args.replay])
    program = (folder / command.program, *arguments, "--reps", "1")
    output = harness.run((*words, "--metrics", ",".join(METRICS), *program), patience=PATIENCE)
    return sum_up(problem.app, problem.input, command.variant, read_csv(output))


def _write(file: Path, machine: Machine, found: Sequence[Counted]) -> None:
    try:
        write_records(file, machine, found)
    except OSError as fault:
        raise AppError(f"{file}: {fault.strerror}") from None


# ------------------------------------------------------------------------------------------- reading again


def recorded(folder: Path = COUNTERS) -> tuple[Machine, list[Counted]] | None:
    """Return what was counted last, of all files in a folder; None if nothing was."""
    files = sorted(folder.glob("*.json"))
    taken = [found for file in files if (found := read_records(file, Counted)) is not None]
    return max(taken, key=lambda each: each[0].date, default=None)


def of(counted: Sequence[Counted], app: str, name: str, variant: str) -> Counted | None:
    """Return what was counted of a form, if it was."""
    is_it: Callable[[Counted], bool] = lambda each: (each.app, each.input, each.variant) == (app, name, variant)  # noqa: E731
    return next(filter(is_it, counted), None)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
