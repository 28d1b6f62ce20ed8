"""Ask what launches, memory, divergence, barriers, recursion, atomic functions and calls cost on this machine.

Every NAME is one question, one program microbench/NAME.cu, which simt2simd compiles for the CPU and, with --gpu, nvcc
for the GPU. It is measured with several mappings of CUDA threads to hardware threads, and checks its own results.
`python -m microbench peers` compares simt2simd with other compilers, `... unseen DIR` measures a folder of programs
from elsewhere; `costs`, `abstraction` and `libraries` are the others.
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

from apps.harness import AppError, require_matplotlib
from apps.machine import Machine, describe, gpu_architecture
from apps.progress import progress
from apps.records import read_records, write_records
from simt2simd.target import TARGETS, cpu_features

from . import against, plot, report
from .build import build_all, write_folder
from .measure import Record, recorded
from .plan import run_steps, runs_here, steps
from .suite import GPU, QUESTIONS

LANES = (16, 32, 64)
DEFAULT_LANES = (0, 16, 32)  # 0: as the compiler chooses
DEFAULT_ARCHITECTURE = "sm_90"
BUSY = 0.3  # of a hardware thread


def main(argv: list[str]) -> int:
    args = _parse(argv)
    if args.build:
        return _build_folder(args)
    return _show(args) if args.records else _run(args)


def _parse(argv: list[str]) -> argparse.Namespace:
    names = [question.name for question in QUESTIONS]
    width = max(map(len, names))
    listed = "\n".join(f"  {question.name:{width}}  {question.text}" for question in QUESTIONS)
    parser = argparse.ArgumentParser(
        prog="python -m microbench",
        description=__doc__,
        epilog=f"questions:\n{listed}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help="a question (default: all)")
    parser.add_argument(
        "--target", action="append", choices=tuple(TARGETS), help="may be repeated (default: all that run)"
    )
    parser.add_argument(
        "--lanes",
        action="append",
        type=int,
        choices=LANES,
        help="of a gang; may be repeated (default: as the compiler chooses, 16, 32)",
    )
    parser.add_argument("--cores", type=int, metavar="N", help="use up to N cores (default: all)")
    parser.add_argument("--gpu", action="store_true", help="also with nvcc on this machine's GPU")
    parser.add_argument("--quick", action="store_true", help="small inputs, few runs: to see that it works")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the records to FILE")
    parser.add_argument("--plot", type=Path, metavar="DIR", help="write a figure for each question to DIR")
    parser.add_argument(
        "--from",
        dest="records",
        type=Path,
        metavar="FILE",
        help="measure nothing: take the records from FILE, which --json or run_built wrote",
    )
    parser.add_argument(
        "--build",
        type=Path,
        metavar="DIR",
        help="only build the programs, into DIR, for python -m microbench.run_built on another machine",
    )
    parser.add_argument(
        "--arch", metavar="SM", help="the GPU's architecture (default: that of this machine's, else sm_90)"
    )
    args = parser.parse_args(argv)
    for name in args.names:
        if name not in names:
            parser.error(f"no question '{name}': choose from {', '.join(names)}")
    if args.cores is not None and args.cores < 1:
        parser.error(f"--cores {args.cores}: expected a number from 1")
    if args.build and (args.json or args.plot):
        parser.error("--build only builds: --json and --plot do not go with it")
    if args.records and (args.json or args.build or args.gpu):
        parser.error("--from measures nothing: --json, --build and --gpu do not go with it")
    args.names = [name for name in names if not args.names or name in args.names]
    return args


# ------------------------------------------------------------------------------------------- what to do


def _builds(args: argparse.Namespace) -> list[tuple[str, int]]:
    """Return the targets and lanes to compile for. Raises `AppError` for what cannot be."""
    if args.build:
        targets = args.target or list(TARGETS)
    else:
        targets = args.target or [target for target in TARGETS if runs_here(target)]
        for target in targets:
            if not runs_here(target):
                lacking = " ".join(sorted(TARGETS[target].required - cpu_features()))
                raise AppError(f"--target {target}: this CPU has no {lacking}")
    return [(target, count) for target in TARGETS if target in targets for count in args.lanes or DEFAULT_LANES]


def _build_folder(args: argparse.Namespace) -> int:
    builds = _builds(args)
    if args.gpu:
        builds.append((GPU, 0))
    architecture = args.arch or gpu_architecture() or DEFAULT_ARCHITECTURE
    with progress("building", len(args.names) * len(builds)) as done:
        contents, programs = build_all(args.names, builds, architecture, done)
    write_folder(args.build, contents, programs)
    print(f"{len(programs)} programs in {args.build}")
    return 0


def _run(args: argparse.Namespace) -> int:
    if args.plot:
        require_matplotlib()
    there = len(os.sched_getaffinity(0))
    cores = there if args.cores is None else args.cores
    if cores > there:
        raise AppError(f"--cores {cores}: this process may use {there}")
    if args.json and not args.json.parent.is_dir():
        raise AppError(f"{args.json}: there is no directory '{args.json.parent}'")
    builds = _builds(args)
    if args.gpu:
        if not gpu_architecture():
            raise AppError("--gpu: nvidia-smi finds no GPU on this machine")
        builds.append((GPU, 0))
    with progress("building", len(args.names) * len(builds)) as done:
        contents, programs = build_all(args.names, builds, args.arch or gpu_architecture(), done)
    machine = describe(contents.compiler, contents.flags, contents.commit)
    if machine.load > BUSY * there:
        print(f"this machine is busy (load {machine.load:.1f}): the times will say little", file=sys.stderr)

    records: list[Record] = []
    troubles: list[str] = []
    todo = list(steps(programs, args.names, cores, args.quick))
    with progress("measuring", len(todo)) as done:
        for _, found, wrong in run_steps(todo):
            records += found
            troubles += wrong
            done()

    if args.json:
        try:
            write_records(args.json, machine, records)
        except OSError as fault:
            raise AppError(f"{args.json}: {fault.strerror}") from None
    _present(machine, records, args.plot)
    for trouble in troubles:
        print(f"microbench: error: {trouble}", file=sys.stderr)
    return 1 if troubles else 0


def _show(args: argparse.Namespace) -> int:
    if args.plot:
        require_matplotlib()
    try:
        taken = read_records(args.records, Record)
    except OSError as fault:
        raise AppError(f"{args.records}: {fault.strerror}") from None
    if taken is None:
        raise AppError(f"{args.records} holds no records of the suite")
    machine, records = taken
    _present(machine, [record for record in records if record.bench in args.names], args.plot)
    return 0


def _present(machine: Machine, records: list[Record], folder: Path | None) -> None:
    others = [] if any(record.quick for record in records) else recorded()
    report.print_tables(machine, records)
    against.print_against_gpu(machine, records, others)
    if folder:
        for file in plot.plot(records, machine, others, folder):
            print(file, file=sys.stderr)
