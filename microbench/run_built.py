"""Run the programs that `python -m microbench --build DIR` made, on a machine without our dependencies.

It needs Python and what the programs themselves need: a GPU for those built by nvcc. The records go to a file,
rewritten after every program.
"""

from __future__ import annotations

import argparse
import os
import sys
import time
from pathlib import Path

from apps.machine import describe, gpu_name
from apps.records import write_records

from .measure import Record
from .plan import Contents, NotAFolder, Step, read_contents, run_steps, steps
from .suite import GPU, QUESTIONS


def main(argv: list[str]) -> int:
    args = _parse(argv)
    try:
        return _run(args)
    except NotAFolder as fault:
        print(f"run_built: error: {fault}", file=sys.stderr)
    except OSError as fault:
        print(f"run_built: error: cannot write {args.json}: {fault.strerror}", file=sys.stderr)
    except KeyboardInterrupt:
        return 130
    return 1


def _parse(argv: list[str]) -> argparse.Namespace:
    names = [question.name for question in QUESTIONS]
    parser = argparse.ArgumentParser(prog="python -m microbench.run_built", description=__doc__)
    parser.add_argument("folder", type=Path, metavar="DIR", help="what --build made")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"questions (default: all): {', '.join(names)}")
    parser.add_argument("--json", type=Path, required=True, metavar="FILE", help="write the records to FILE")
    parser.add_argument("--cores", type=int, metavar="N", help="use so many cores (default: all)")
    parser.add_argument("--no-gpu", action="store_true", help="leave out the GPU")
    parser.add_argument("--no-cpu", action="store_true", help="leave out the CPU")
    parser.add_argument("--quick", action="store_true", help="small inputs, few runs: to see that it works")
    args = parser.parse_args(argv)
    for name in args.names:
        if name not in names:
            parser.error(f"no question '{name}': choose from {', '.join(names)}")
    there = len(os.sched_getaffinity(0))
    args.cores = there if args.cores is None else args.cores
    if not 1 <= args.cores <= there:
        parser.error(f"--cores {args.cores}: this process may use {there}")
    return args


def _run(args: argparse.Namespace) -> int:
    contents = read_contents(args.folder)
    todo = _todo(args, contents)
    used = {step.mapping.target for step in todo}
    machine = describe(
        {target: text for target, text in contents.compiler.items() if target in used},
        {target: text for target, text in contents.flags.items() if target in used},
        contents.commit,
    )
    records: list[Record] = []
    start, failed = time.monotonic(), False
    for number, (step, found, troubles) in enumerate(run_steps(todo), 1):
        seconds = time.monotonic() - start
        print(f"{seconds:4.0f} s [{number}/{len(todo)}] {step.question.name}, {step.mapping.name}", file=sys.stderr)
        for trouble in troubles:
            print(f"run_built: error: {trouble}", file=sys.stderr)
        failed = failed or bool(troubles)
        records += found
        write_records(args.json, machine, records)
    print(f"{len(records)} records in {args.json}", file=sys.stderr)
    return 1 if failed else 0


def _todo(args: argparse.Namespace, contents: Contents) -> list[Step]:
    names = args.names or [question.name for question in QUESTIONS]
    programs = [(built, args.folder.resolve() / built.file) for built in contents.programs]
    if not args.no_gpu and any(built.target == GPU for built, _ in programs) and not gpu_name():
        print("without the GPU programs: nvidia-smi finds no GPU", file=sys.stderr)
        args.no_gpu = True
    todo = list(steps(programs, names, args.cores, args.quick))
    return [step for step in todo if not (args.no_gpu if step.mapping.target == GPU else args.no_cpu)]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
