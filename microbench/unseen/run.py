"""Measure programs from elsewhere: a folder of CUDA programs that time themselves.

DIR may be a suite in its own layout or a few .cu files. Each program is built by its own Makefile, with simt2simd for
nvcc, run with the arguments of its Makefile or run script, and compared with its twin for the CPU (NAME-omp beside
NAME-cuda, openmp/NAME beside cuda/NAME) and with its own reference on the host, by the times that both print. A second
build counts what kernels do, and says which of them lose most in gathers, scatters and divergent work.
"""

from __future__ import annotations

import argparse
import itertools
import os
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from pathlib import Path

import simt2simd
from apps.harness import AppError
from apps.machine import Machine, commit, describe
from apps.programs import compiler_text
from apps.progress import progress
from apps.records import write_records

from ..peers.report import duration
from .build import OURS, TWIN_FLAGS, Builder, Built
from .find import Program, chosen, find_programs, find_twin
from .measure import Setting, measured
from .process import end_all
from .records import PEERS, REFERENCE, Result
from .report import print_report
from .shadow import shadow


def main(argv: list[str]) -> int:
    """Run the command line and return the exit code; wrong arguments end in `SystemExit(2)`."""
    return _run(_parse(argv))


def _parse(argv: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m microbench unseen", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path, metavar="DIR", help="the programs; nothing is written there")
    parser.add_argument(
        "--only", action="append", default=[], metavar="NAME[,NAME]", help="these; * and ? are patterns"
    )
    parser.add_argument("--peer", action="append", choices=PEERS, help="may be repeated (default: all)")
    parser.add_argument("--seconds", type=_seconds, default=2.0, metavar="S", help="for each way to run (default: 2)")
    parser.add_argument("--limit", type=_seconds, default=60.0, metavar="S", help="for one build or run (default: 60)")
    parser.add_argument("--quick", action="store_true", help="one run of each, repetitions cut: to see that it works")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the records to FILE, anew after each program")
    parser.add_argument("--work", type=Path, metavar="DIR", help="keep what is built there, for the next time")
    return parser.parse_args(argv)


def _seconds(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value < float("inf"):
        raise argparse.ArgumentTypeError(f"expected a number of seconds, found '{text}'")
    return value


def _run(args: argparse.Namespace) -> int:
    if not args.folder.is_dir():
        raise AppError(f"{args.folder}: no such folder")
    if args.json and not args.json.parent.is_dir():
        raise AppError(f"{args.json}: there is no directory '{args.json.parent}'")
    with ExitStack() as stack:
        work = args.work or Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="unseen-")))
        work.mkdir(parents=True, exist_ok=True)
        return _measure(args, work.resolve())


def _measure(args: argparse.Namespace, work: Path) -> int:
    top = args.folder.resolve()
    if not find_programs(top):
        raise AppError(f"{args.folder}: no CUDA programs there")
    top = shadow(top, work)
    programs, unknown = chosen(find_programs(top), args.only)
    if unknown:
        raise AppError(f"no program '{unknown[0]}' in {args.folder}")
    bench = Bench(args, top, work)
    flags = {"native": " ".join(OURS), "twin": " ".join(TWIN_FLAGS)}
    machine = describe({"native": f"simt2simd {simt2simd.__version__}"}, flags, commit())
    results: list[Result] = []
    code = 0
    try:
        bench.build(programs)
        with _reporting(len(programs)) as report:
            for result in bench.results(programs):
                results.append(result)
                if args.json:
                    _write(args.json, machine, results)
                report(result)
    except KeyboardInterrupt:
        code = 130
    print_report(machine, results, len(programs))
    return code


@contextmanager
def _reporting(count: int) -> Iterator[Callable[[Result], None]]:
    """Show a bar on a terminal, else a line for each program; call what this yields with each result."""
    if sys.stderr.isatty():
        with progress("measuring", count) as done:
            yield lambda result: done()
        return
    numbers = itertools.count(1)

    def report(result: Result) -> None:
        print(f"[{next(numbers)}/{count}] {result.program}: {_summary(result)}", file=sys.stderr, flush=True)

    yield report


def _write(file: Path, machine: Machine, results: Sequence[Result]) -> None:
    try:
        write_records(file, machine, results)
    except OSError as fault:
        raise AppError(f"{file}: {fault.strerror}") from None


class Bench:
    """Builds programs and measures them, several builds at a time and one program after the other."""

    def __init__(self, args: argparse.Namespace, top: Path, work: Path) -> None:
        self.top, self.limit = top, args.limit
        self.builder = Builder(work, max(args.limit, 60.0), compiler_text())
        cpus = tuple(sorted(os.sched_getaffinity(0)))
        self.setting = Setting(args.seconds, args.limit, args.quick, cpus, tuple(args.peer or PEERS))
        self.built: dict[str, tuple[Built, Built, Built | None]] = {}

    def build(self, programs: Sequence[Program]) -> None:
        """Build all programs, their counting forms and their twins."""
        with (
            ThreadPoolExecutor(max_workers=len(self.setting.cpus)) as pool,
            progress("building", len(programs)) as done,
        ):
            tasks = [pool.submit(self._build, program) for program in programs]
            try:
                for program, task in zip(programs, tasks, strict=True):
                    self.built[program.name] = task.result()
                    done()
            except KeyboardInterrupt:
                pool.shutdown(wait=False, cancel_futures=True)
                end_all()
                raise

    def results(self, programs: Sequence[Program]) -> Iterator[Result]:
        """Measure programs that are built, one after the other."""
        for program in programs:
            yield measured(program.name, *self.built[program.name], self.setting)

    def _build(self, program: Program) -> tuple[Built, Built, Built | None]:
        try:
            ours = self.builder.ours(program, counting=False)
            counting = self.builder.ours(program, counting=True) if ours.file else ours
            folder = find_twin(program, self.top) if ours.file and self.setting.peers != (REFERENCE,) else None
            twin = self.builder.twin(folder) if folder else None
        except OSError as fault:
            return Built(None, str(fault)), Built(None), None
        return ours, counting, twin if twin and twin.peer in self.setting.peers else None


def _summary(result: Result) -> str:
    said = f"{result.state}: {result.said}" if result.said else result.state
    times = (
        f"{duration(t.ours * 1e3)} on {t.cores}{f' ({t.peer} / ours {t.ratio:.2f})' if t.ratio else ''}"
        for t in result.timings
    )
    return ", ".join((said, *times))
