"""`python -m tests.qualify` (`poe qualify-llvm`): is this version of LLVM fit for use? The exit code is 1 if it is not.

Four things are asked, and each prints a line or more: the known miscompilations, forms in optimised IR and machine code
that LLVM goes wrong with, the kernels of the differential tests that are about masks, and random kernels.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import llvmlite
import llvmlite.binding as llvm

from simt2simd.options import Options
from simt2simd.pipeline import compile_device
from simt2simd.source import Source
from simt2simd.target import AVX2, AVX512, Target, native

from .faults import FAULTS, LEVELS, run
from .forms import wrong_in_code, wrong_in_ir

TESTS = Path(__file__).parent.parent
KERNELS = TESTS / "differential"
# Of the differential tests: files whose kernels load, store and branch under masks.
FILES = ("memory/", "control/", "integers/", "loops/", "types/")


def main(argv: Sequence[str]) -> int:
    """Ask all four, and return the exit code; wrong arguments end in `SystemExit(2)`."""
    parser = argparse.ArgumentParser(prog="python -m tests.qualify", description=__doc__)
    parser.add_argument("--seed", type=int, default=0, help="of the random kernels (default: 0)")
    parser.add_argument("--programs", type=int, default=500, help="random kernels (default: 500)")
    parser.add_argument("--only", choices=list(STEPS), action="append", help="one of the four (default: all)")
    given = parser.parse_args(argv)
    version = ".".join(map(str, llvm.llvm_version_info))
    print(f"LLVM {version} of llvmlite {llvmlite.__version__}, for {native().name}", flush=True)
    failed = []
    for name in given.only or STEPS:
        start = time.monotonic()
        wrong = STEPS[name](given)
        print(f"{name}: {'fail' if wrong else 'pass'}, {time.monotonic() - start:.0f} s", flush=True)
        if wrong:
            failed.append(name)
    print(f"LLVM {version} {'fails: ' + ', '.join(failed) if failed else 'passes'}")
    return 1 if failed else 0


def known_faults(_: argparse.Namespace) -> bool:
    """Compile and run each known miscompilation, as it was found and as we hand it over."""
    wrong = False
    for fault in FAULTS:
        if not fault.target.required <= native().required:
            print(f"  {fault.number} {fault.what}: not on this CPU")
            continue
        found = [f"O{level}" for level in LEVELS if not run(fault, level, handed=False)]
        left = [f"O{level}" for level in LEVELS if not run(fault, level, handed=True)]
        here = f"in this LLVM at {' '.join(found)}" if found else "not in this LLVM"
        met = f"and hits us at {' '.join(left)}" if left else "and is met" if found else ""
        print(f"  {fault.number} {fault.what}: {here} {met}".rstrip(), flush=True)
        wrong = wrong or bool(left)
    return wrong


def forms(_: argparse.Namespace) -> bool:
    """Compile all kernels of the differential tests for both targets, and look for forms that must not be there."""
    jobs = [(file, target) for target in (AVX512, AVX2) for file in sorted(KERNELS.rglob("*.cu"))]
    with ProcessPoolExecutor(len(os.sched_getaffinity(0))) as pool:
        found = [text for some in pool.map(wrong, *zip(*jobs, strict=True)) for text in some]
    for text in found[:20]:
        print(f"  {text}")
    return bool(found)


def wrong(file: Path, target: Target) -> list[str]:
    """Return what must not stand in a file's optimised IR and machine code."""
    made = compile_device(Source.read(file), Options(target=target))
    code = wrong_in_code(made.assembly()) if target.mask_registers else ()
    return [f"{file.relative_to(KERNELS)}, {target.name}: {text}" for text in (*wrong_in_ir(made.dump("opt")), *code)]


def kernels(_: argparse.Namespace) -> bool:
    """Run kernels of the differential tests, also those that need a slow test."""
    words = " or ".join(FILES)
    command = [sys.executable, "-m", "pytest", "-q", "--slow", "all", "test_differential.py", "-k", words]
    return subprocess.run(command, cwd=TESTS, check=False).returncode != 0


def programs(given: argparse.Namespace) -> bool:
    """Run random kernels, and as many again that write places whose old values they still use."""
    count = str(max(1, given.programs // 2))
    command = [sys.executable, "-m", "tests.fuzz", "--seed", str(given.seed), "--count", count]
    done = [subprocess.run([*command, *more], cwd=TESTS.parent, check=False) for more in ([], ["--about", "keeps"])]
    return any(process.returncode for process in done)


STEPS = {"known": known_faults, "forms": forms, "kernels": kernels, "programs": programs}


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
