"""`python -m tests.conformance [NAME ...]`: compile and run the programs; exit code 1 if one does not pass."""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory

from .suite import Outcome, matrix, run, selected, with_nvcc, with_simt2simd


def parser() -> argparse.ArgumentParser:
    result = argparse.ArgumentParser(prog="python -m tests.conformance", description=__doc__)
    result.add_argument("names", nargs="*", metavar="NAME", help="programs, or features (default: all)")
    result.add_argument("--target", help="what to compile for, as `simt2simd compile --target` takes it")
    result.add_argument("--option", action="append", default=[], help="one more option of the compiler: --option=-O0")
    result.add_argument("--nvcc", action="store_true", help="compile with nvcc and run on this machine's GPU")
    result.add_argument("--jobs", type=int, default=len(os.sched_getaffinity(0)), help="programs at a time")
    result.add_argument("--json", type=Path, metavar="FILE", help="write what came of each program")
    result.add_argument("-v", "--verbose", action="store_true", help="show what is printed on failure")
    result.add_argument("--matrix", action="store_true", help="print which programs show which feature, and end")
    return result


def row(outcome: Outcome, wide: int) -> str:
    name, features = outcome.program.name, " ".join(outcome.program.features)
    compiled, ran = ("yes" if did else "no" for did in (outcome.compiled, outcome.ran))
    seconds = outcome.compile_seconds + outcome.run_seconds
    return f"{name:{wide}}  {compiled:8}  {ran:3}  {seconds:7.2f}  {outcome.result[:70]:70}  {features}"


def record(outcome: Outcome) -> dict[str, object]:
    return {
        "program": outcome.program.name,
        "features": outcome.program.features,
        "compiled": outcome.compiled,
        "ran": outcome.ran,
        "result": outcome.result,
        "compile_seconds": round(outcome.compile_seconds, 3),
        "run_seconds": round(outcome.run_seconds, 3),
        "output": outcome.output[-4000:] if not outcome.passed else "",
    }


def main(argv: Sequence[str]) -> int:
    given = parser().parse_args(argv)
    if given.matrix:
        print(matrix(), end="")
        return 0
    try:
        chosen = selected(given.names)
    except ValueError as error:
        print(f"conformance: error: {error}", file=sys.stderr)
        return 2
    compiler = with_nvcc() if given.nvcc else with_simt2simd(given.target, given.option)
    wide = max(len(program.name) for program in chosen)
    outcomes = []
    print(f"{'program':{wide}}  compiled  ran  seconds  {'result':70}  features")
    with TemporaryDirectory() as folder, ThreadPoolExecutor(max(1, given.jobs)) as pool:
        for outcome in pool.map(lambda program: run(program, compiler, Path(folder)), chosen):
            outcomes.append(outcome)
            print(row(outcome, wide), flush=True)
            if given.verbose and not outcome.passed:
                print(outcome.output)
    compiled, passed = (sum(getattr(o, what) for o in outcomes) for what in ("compiled", "passed"))
    seconds = sum(o.compile_seconds + o.run_seconds for o in outcomes)
    print(f"{len(outcomes)} programs, {compiled} compiled, {passed} passed; {seconds:.0f} s")
    if given.json:
        given.json.write_text(json.dumps([record(outcome) for outcome in outcomes], indent=1))
    return 0 if passed == len(outcomes) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
