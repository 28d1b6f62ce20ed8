"""Measure simt2simd against what else runs the same problems on this CPU.

Every workload is a CUDA-C file ("ours") and the same problem as C++ loops (on one core `scalar`, with OpenMP on all
`openmp`), as AVX-512 intrinsics by hand (`limit`), in ISPC's language (`ispc`, and `ispc-plain` as one writes it at
first), and as OpenCL C by Intel's runtime and by PoCL, as far as these are installed. All get the same inputs, all
results are checked, and the programs run in turns, a short slice each.
"""

from __future__ import annotations

import argparse
import importlib
import os
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path
from typing import Protocol

import numpy as np

from apps import harness
from apps.harness import AppError

from . import built, report
from .build import HERE, Absent, Peer, build_program, command_and_environment, find_peers, source_of
from .program import Program, ProgramFailed
from .report import Record, Timing
from .workload import CheckFailed, Inputs, Outputs, Workload

ROUNDS = 15
QUICK_SIZE = "small"  # of every workload with --quick
BUSY = 0.3  # of a hardware thread
PAUSE = 0.005  # seconds before a slice: until the threads of the program before have gone to sleep


def main(argv: list[str]) -> int:
    return _run(_parse(argv))


def _parse(argv: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m microbench peers", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--only", action="append", metavar="W[,W]", help="workloads or their folders (default: all)")
    parser.add_argument("--peer", action="append", choices=report.PEERS, help="may be repeated (default: all)")
    parser.add_argument("--cores", type=_positive, metavar="N", help="for runs on all cores (default: all there are)")
    parser.add_argument("--seconds", type=float, default=0.5, metavar="S", help="for each program (default: 0.5)")
    parser.add_argument("--quick", action="store_true", help="small inputs, few runs: to see that it works")
    parser.add_argument("--json", metavar="FILE", help="write the records to FILE")
    parser.add_argument("--plot", metavar="DIR", help="write bar charts to DIR")
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--build", type=Path, metavar="DIR", help="only build, into DIR")
    where.add_argument("--built", type=Path, metavar="DIR", help="measure what --build made, maybe on another machine")
    parser.add_argument("--list", action="store_true", help="print the workloads and their programs")
    return parser.parse_args(argv)


def _positive(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"expected a whole number from 1, found '{text}'")
    return int(text)


def _run(args: argparse.Namespace) -> int:
    workloads = choose(all_workloads(), args.only)
    if args.list:
        _print_list(workloads)
        return 0
    if args.plot:
        harness.require_matplotlib()
    if args.built:
        peers, programs = built.read(args.built)
        absent: list[Absent] = []
    else:
        peers, absent = find_peers()
    peers = [peer for peer in peers if not args.peer or peer.name in ("ours", *args.peer)]
    for missing in absent:
        if not args.peer or missing.name in args.peer:
            print(f"without {missing.name}: {missing.why}", file=sys.stderr)
    where = report.machine(peers)
    if where.load > BUSY * where.hardware_threads:
        print(f"this machine is busy (load {where.load:.1f}): the times will say little", file=sys.stderr)
    bench = Bench(peers, args.cores, args.quick, args.seconds)
    if args.built:
        bench.programs = programs
    else:
        bench.build(workloads)
    if args.build:
        built.write(args.build, peers, bench.programs)
        return _told(bench.troubles)
    records = []
    for i, workload in enumerate(workloads):
        print(f"[{i + 1}/{len(workloads)}] {workload.name} ...", file=sys.stderr)
        records += bench.measure(workload)
    _present(records, where, args)
    return _told(bench.troubles)


def _told(troubles: Sequence[str]) -> int:
    """Print what went wrong; return the exit code."""
    for trouble in troubles:
        print(f"microbench peers: error: {trouble}", file=sys.stderr)
    return 1 if troubles else 0


def _present(records: list[Record], where: report.Machine, args: argparse.Namespace) -> None:
    print(f"{where.machine}, {where.hardware_threads} hardware threads, {where.date}, {where.commit}\n")
    if records:
        report.print_comparison(records)
    if args.json:
        harness.write_json(args.json, [where, *records])
    if args.plot:
        for file in report.plot(records, Path(args.plot), where):
            print(file, file=sys.stderr)


# ------------------------------------------------------------------------------------------- workloads


def all_workloads() -> list[Workload]:
    """Return the workloads of all folders but those that lack a package, which are named."""
    found = []
    for folder in sorted(file.parent.name for file in HERE.glob("*/workload.py")):
        try:
            found += importlib.import_module(f"{__package__}.{folder}.workload").WORKLOADS
        except ModuleNotFoundError as fault:
            message = f"without {folder}: checking needs the package {fault.name}: pip install simt2simd[data]"
            print(message, file=sys.stderr)
    return found


def choose(workloads: Sequence[Workload], only: Sequence[str] | None) -> list[Workload]:
    """Return the workloads that are named, themselves or by folder; all if nothing is. `AppError` at a wrong name."""
    if not only:
        return list(workloads)
    names = {name for words in only for name in words.split(",") if name}
    unknown = names - {w.name for w in workloads} - {w.folder for w in workloads}
    if unknown:
        raise AppError(f"no workload '{min(unknown)}'; --list prints those there are")
    return [w for w in workloads if w.name in names or w.folder in names]


def _print_list(workloads: Sequence[Workload]) -> None:
    columns = {"ours": "{}.cu", "C++": "scalar.cpp", "limit": "limit.cpp", "ISPC": "ispc.cpp", "OpenCL": "opencl.cpp"}
    rows = []
    for w in workloads:
        there = ["yes" if (HERE / w.folder / name.format(w.folder)).exists() else "" for name in columns.values()]
        rows.append((w.name, w.size, w.folder, " ".join(w.cores), *there))
    harness.print_table(("workload", "size", "folder", "cores", *columns), rows, left=4)


# ------------------------------------------------------------------------------------------- measuring


class Bench:
    """Builds programs and measures them. What goes wrong with one of them is kept in `troubles`; the rest continues."""

    def __init__(self, peers: Sequence[Peer], cores: int | None, quick: bool, seconds: float) -> None:
        cpus = sorted(os.sched_getaffinity(0))
        if cores is not None and cores > len(cpus):
            raise AppError(f"--cores {cores}: this process may use {len(cpus)}")
        self.peers = peers
        self.cpus = {"one": cpus[-1:], "all": cpus[-cores:] if cores else cpus}
        self.quick = quick
        self.seconds = 0.02 if quick else seconds
        self.rounds = 2 if quick else ROUNDS
        self.troubles: list[str] = []
        self.programs: built.Programs = {}

    def build(self, workloads: Sequence[Workload]) -> None:
        """Build all programs of some workloads, several at a time."""
        wanted = {
            (source, (*w.defines, *p.flags)): None for w in workloads for p in self.peers if (source := source_of(p, w))
        }
        print(f"building {len(wanted)} programs ...", file=sys.stderr)
        with ThreadPoolExecutor(max_workers=len(os.sched_getaffinity(0))) as pool:
            for key, program in zip(wanted, pool.map(lambda key: self._build(*key), wanted), strict=True):
                self.programs[key] = program

    def _build(self, source: Path, flags: tuple[str, ...]) -> Path | None:
        try:
            return build_program(source, flags)
        except AppError as fault:
            self.troubles.append(f"{source.parent.name}/{source.name}: {fault}")
            return None

    def measure(self, workload: Workload) -> list[Record]:
        """Return the records of one workload, whose programs are built."""
        given = workload.quick_inputs() if self.quick else workload.inputs()
        size = QUICK_SIZE if self.quick else workload.size
        records = []
        known: list[Outputs] = []  # results found right; most programs' are the same to the bit
        with tempfile.TemporaryDirectory(prefix="peers-") as name:
            write_inputs(given, Path(name))
            for setting in workload.cores:
                timings = self._time(workload, given, Path(name), setting, known)
                if "ours" in timings:
                    cores = len(self.cpus[setting])
                    records += report.compare(workload.name, size, cores, timings)
        return records

    def _time(
        self, workload: Workload, given: Inputs, inputs: Path, setting: str, known: list[Outputs]
    ) -> dict[str, Timing]:
        """Start programs, check their results, time them in turns."""
        batch = workload.quick_batch if self.quick else workload.batch
        with ExitStack() as stack:
            started = self._start(workload, inputs, setting, stack)
            programs: dict[str, Program] = {}
            first_ms: dict[str, float] = {}
            right: dict[str, bool] = {}
            for name, program in started.items():
                label = f"{workload.name}, {name}, {setting}"
                try:
                    first_ms[name], found = program.save()
                except ProgramFailed as fault:
                    self.troubles.append(f"{label}: {fault}")
                    continue
                programs[name] = program
                right[name] = self._check(label, workload, given, found, known)
            try:
                times = take_turns(programs, first_ms, self.seconds, self.rounds)
            except ProgramFailed as fault:
                self.troubles.append(f"{workload.name}, {setting}: {fault}")
                return {}
        return {name: Timing([ms / batch for ms in times[name]], right[name]) for name in programs}

    def _start(self, workload: Workload, inputs: Path, setting: str, stack: ExitStack) -> dict[str, Program]:
        """Start the programs of all peers that take part in a setting; return those that are ready."""
        started = {}
        for peer in self.peers:
            source = source_of(peer, workload)
            flags = (*workload.defines, *peer.flags)
            file = self.programs.get((source, flags)) if source and setting in peer.cores else None
            if source is None or file is None:
                continue
            command, environment = command_and_environment(peer, file, self.cpus[setting])
            started[peer.name] = Program(command, environment, source.parent, inputs)
            stack.callback(started[peer.name].close)
        ready = {}
        for name, program in started.items():
            try:
                program.wait_until_ready()
                ready[name] = program
            except ProgramFailed as fault:
                self.troubles.append(f"{workload.name}, {name}, {setting}: {fault}")
        return ready

    def _check(self, label: str, workload: Workload, given: Inputs, found: Outputs, known: list[Outputs]) -> bool:
        if any(_same(found, other) for other in known):
            return True
        try:
            workload.check(given, found)
        except CheckFailed as fault:
            self.troubles.append(f"{label}: wrong result: {fault}")
            return False
        known.append(found)
        return True


def write_inputs(given: Inputs, folder: Path) -> None:
    """Write the inputs as bench.h reads them."""
    numbers = []
    for name, value in given.items():
        if isinstance(value, np.ndarray):
            value.tofile(folder / f"{name}.bin")
        else:
            numbers.append(f"{name} {float(value)!r}\n")
    (folder / "numbers.txt").write_text("".join(numbers), encoding="utf-8")


def _same(a: Outputs, b: Outputs) -> bool:
    return a.keys() == b.keys() and all(np.array_equal(a[name], b[name]) for name in a)


class Runs(Protocol):
    """What can be timed: a `Program`."""

    def run(self, count: int) -> list[float]: ...


def take_turns(
    programs: Mapping[str, Runs], first_ms: Mapping[str, float], seconds: float, rounds: int
) -> dict[str, list[float]]:
    """Run programs round after round, each for a slice of its `seconds`; return the milliseconds of every run.

    A program that is too slow for all rounds leaves out the last ones. `first_ms` is what the first run took, in
    which some build their kernels; it is in the result only if there is no time for a second.
    """
    times: dict[str, list[float]] = {name: [] for name in programs}
    spent = dict.fromkeys(programs, 0.0)
    run_seconds = {name: first_ms[name] / 1e3 for name in programs}
    slice_seconds = seconds / rounds
    for _ in range(rounds):
        for name, program in programs.items():
            if spent[name] and spent[name] + run_seconds[name] > seconds:
                continue
            if not spent[name] and run_seconds[name] > max(4 * seconds, 2):
                continue
            count = min(max(1, int(slice_seconds / run_seconds[name])), 1000) if run_seconds[name] else 1
            time.sleep(PAUSE)
            start = time.perf_counter()
            times[name] += program.run(count)
            took = time.perf_counter() - start
            spent[name] += took
            run_seconds[name] = took / count
    return {name: times[name] or [first_ms[name]] for name in programs}
