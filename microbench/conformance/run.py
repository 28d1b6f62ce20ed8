"""Run a folder of self-checking C++ programs as device code, such as the tests of a standard library.

Each file has a `main` that asserts what it finds and returns 0. It is compiled as it is, with its `main` called in a
kernel, and run with one thread and with 33. Flags after `--` are the compiler's: `-- -I include -std=c++17`.
"""

from __future__ import annotations

import argparse
import os
import shlex
import sys
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from contextlib import ExitStack
from pathlib import Path

import simt2simd
from apps.harness import AppError
from apps.machine import commit, describe
from apps.records import write_records

from ..unseen.process import end_all
from .find import Check, find_checks, sample
from .report import print_report
from .verdict import OUTSIDE, PASSED, Runner, Verdict

PARITIES = {"even": 0, "odd": 1}


def main(argv: list[str]) -> int:
    """Run the command line; return 0 where every check passed, 1 where one did not, else raise `SystemExit(2)`."""
    at = argv.index("--") if "--" in argv else len(argv)
    return _run(_parse(argv[:at]), argv[at + 1 :])


def _parse(argv: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m microbench conformance",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        usage="%(prog)s [options] DIR [-- FLAG ...]",
    )
    parser.add_argument("folder", type=Path, metavar="DIR", help="the checks, in it and below")
    parser.add_argument("--pattern", default="*.cpp", metavar="GLOB", help="the names of the files (default: *.cpp)")
    parser.add_argument(
        "--crc", choices=PARITIES, help="only those of which the CRC32 of the path below DIR is even, or odd"
    )
    parser.add_argument("--sample", type=_count, metavar="N", help="only so many of them, chosen by --seed")
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="another sample (default: 0)")
    parser.add_argument(
        "--threads", type=_counts, default=(1, 33), metavar="N[,N]", help="of the block (default: 1,33)"
    )
    parser.add_argument(
        "--reference",
        type=shlex.split,
        default=[],
        metavar="COMMAND",
        help="'nvcc -ptx': what that refuses is left out",
    )
    parser.add_argument("--limit", type=float, default=120.0, metavar="S", help="for one compilation or run (120)")
    parser.add_argument("--jobs", type=_count, default=len(os.sched_getaffinity(0)), metavar="N", help="at a time")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the verdicts to FILE")
    parser.add_argument("--work", type=Path, metavar="DIR", help="keep what is made there, for the next time")
    return parser.parse_args(argv)


def _count(text: str) -> int:
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"expected a number above 0, found '{text}'")
    return int(text)


def _counts(text: str) -> tuple[int, ...]:
    return tuple(_count(word) for word in text.split(","))


def _run(args: argparse.Namespace, flags: Sequence[str]) -> int:
    if not args.folder.is_dir():
        raise AppError(f"{args.folder}: no such folder")
    if args.json and not args.json.parent.is_dir():
        raise AppError(f"{args.json}: there is no directory '{args.json.parent}'")
    parity = PARITIES[args.crc] if args.crc else None
    checks = sample(find_checks(args.folder.resolve(), args.pattern, parity), args.sample, args.seed)
    if not checks:
        raise AppError(f"{args.folder}: no file '{args.pattern}' there has a main")
    with ExitStack() as stack:
        work = args.work or Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="conformance-")))
        work.mkdir(parents=True, exist_ok=True)
        runner = Runner(work.resolve(), _absolute(flags), tuple(args.reference), args.threads, args.limit)
        verdicts = _verdicts(runner, checks, args.jobs)
    print_report(verdicts)
    if args.json:
        machine = describe({"native": f"simt2simd {simt2simd.__version__}"}, {"native": " ".join(flags)}, commit())
        write_records(args.json, machine, verdicts)
    return int(any(verdict.state not in (PASSED, OUTSIDE) for verdict in verdicts))


def _absolute(flags: Sequence[str]) -> tuple[str, ...]:
    """Return compiler flags with the folders of `-I` as they are from anywhere."""
    made = []
    for before, flag in zip(("", *flags), flags, strict=False):
        if before in ("-I", "-isystem"):
            flag = str(Path(flag).resolve())
        elif flag.startswith("-I") and len(flag) > 2:
            flag = f"-I{Path(flag[2:]).resolve()}"
        made.append(flag)
    return tuple(made)


def _verdicts(runner: Runner, checks: Sequence[Check], jobs: int) -> list[Verdict]:
    """Return what became of each check, in their order; a line for each goes to standard error."""
    found: dict[str, Verdict] = {}
    with ThreadPoolExecutor(max_workers=jobs) as pool:
        tasks = [pool.submit(runner.verdict, check) for check in checks]
        try:
            for number, task in enumerate(as_completed(tasks), 1):
                verdict = task.result()
                found[verdict.name] = verdict
                line = f"[{number}/{len(checks)}] {verdict.name}: {verdict.state} ({verdict.seconds:.0f} s)"
                print(f"{line} {verdict.cause}".rstrip(), file=sys.stderr, flush=True)
        except KeyboardInterrupt:
            pool.shutdown(wait=False, cancel_futures=True)
            end_all()
            raise
    return [found[check.name] for check in checks]
