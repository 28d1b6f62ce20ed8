"""`python -m tests.fuzz.plant`: how many programs it takes to find faults that are planted into a copy of the compiler.

Each fault is a piece of the source, which must be in the package exactly once, and what takes its place.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

HERE = Path(__file__).parent
PACKAGE = HERE.parent.parent / "simt2simd"


@dataclass(frozen=True)
class Fault:
    """`about`: a feature of the programs that are to find it; without, programs are about what is drawn."""

    name: str
    old: str
    new: str
    about: str = ""


FAULTS = (
    Fault(
        "lanes that return in a loop continue after it",
        'left = masks.without(f.b, mask, waiting(f, f.returned), "alive") if plan.returns else mask',
        "left = mask",
    ),
    Fault(
        "lanes that say `continue` do not come back",
        "    if exits.continued is not None:\n        collect(f, exits.continued, mask)\n",
        "",
    ),
    Fault(
        "lanes that leave a switch by `break` are lost",
        "    if exits.broken is not None:\n        collect(f, exits.broken, mask)\n",
        "",
    ),
    Fault(
        "what a function returns counts as uniform though its lanes return one by one",
        "            shape = all_varying(shape)\n            here = here.without_returned()\n",
        "            here = here.without_returned()\n",
    ),
    Fault(
        "the else-arm sees what the then-arm assigned",
        "        self.result.otherwise[node] = otherwise\n",
        "        self.result.otherwise[node] = live\n",
    ),
    Fault(
        "an increment counts as something that may happen for nothing",
        "any(is_effect(below) or _reads_unmasked(f, below) for",
        "any(is_effect(below) and not isinstance(below, tree.Increment) or _reads_unmasked(f, below) for",
    ),
    Fault(
        "variables that change later are computed again behind a barrier",
        "if self.storage.of(variable) != REGISTER or variable in self.changed:",
        "if self.storage.of(variable) != REGISTER:",
    ),
    Fault(
        "calls are merged whatever their arguments",
        "return left.call is not None and right.call is not None and same_text(left.call.expr, right.call.expr)",
        "return left.call is not None and right.call is not None",
    ),
    Fault(
        "a twin's value is not copied back",
        "return [*before, build.block(*begin, renamed(loop, twins), *end)]",
        "return [*before, build.block(*begin, renamed(loop, twins))]",
    ),
    Fault(
        "atomic additions of 0 are left out though the old value is wanted",
        'if access.used or operation.name not in ("add", "or", "xor")',
        'if operation.name not in ("add", "or", "xor")',
    ),
    Fault(
        "lanes that a vote does not name vote",
        "    ayes, here = b.and_(ayes, names), b.and_(here, names)\n",
        "    here = b.and_(here, names)\n",
    ),
    Fault(
        "a shuffle takes the lanes of the next segment",
        'inside = b.icmp_signed("<=", place, last)\n        case _:',
        'inside = b.icmp_signed("<=", place, low)\n        case _:',
    ),
    Fault(
        "`if (threadIdx.x <= n)` runs like `<`",
        'return Prefix(right, cond.op == "<=", body)',
        "return Prefix(right, False, body)",
    ),
    Fault(
        "rows of narrow blocks count as consecutive",
        'wrong = b.or_(b.icmp_unsigned("!=", offsets, expected), b.icmp_signed("<", expected, starts))',
        'wrong = b.icmp_signed("<", expected, starts)',
    ),
    Fault(
        "a variable that is declared further out gets a new name",
        "return fits and variable in own and is_local(variable)",
        "return fits and is_local(variable)",
    ),
    Fault(
        "bytes in any order are a word",
        "return 8 * (self.offset - other.offset) == self.shift - other.shift",
        "return True",
    ),
    Fault(
        "LLVM sees that a masked load is blended, and moves it behind stores",
        "return frozen(b, b.call(function, [where, ir.Constant(I32, align), mask.lanes, ir.Constant(type_, None)]))",
        "return b.call(function, [where, ir.Constant(I32, align), mask.lanes, ir.Constant(type_, None)])",
    ),
    Fault(
        "blocks with as many threads as tiles have elements are as wide and high as tiles",
        'b.and_(b.icmp_unsigned("==", size.threads, threads), b.and_(*same_rows), name="usual.size")',
        'b.icmp_unsigned("==", size.threads, threads, name="usual.size")',
        "tiles",
    ),
    Fault(
        "temporaries are destroyed in the order in which they are made",
        "for place in reversed(places) for stmt in self._destroyed_object(place)",
        "for place in places for stmt in self._destroyed_object(place)",
        "classes",
    ),
)


def plant(fault: Fault, package: Path) -> None:
    """Put the fault into the package. Raises `ValueError` if its place is not there, or not only once."""
    holders = [path for path in package.rglob("*.py") if fault.old in path.read_text()]
    if len(holders) != 1 or holders[0].read_text().count(fault.old) != 1:
        raise ValueError(f"the place of '{fault.name}' is not there once, but in {holders}")
    holders[0].write_text(holders[0].read_text().replace(fault.old, fault.new))


def programs_needed(fault: Fault, seed: int, most: int, jobs: int, first: int = 0) -> int | None:
    """Return how many programs ran when the fault was found, None if `most` were not enough."""
    with TemporaryDirectory() as folder:
        shutil.copytree(PACKAGE, Path(folder, "simt2simd"))
        shutil.copytree(HERE, Path(folder, "tests", "fuzz"))
        plant(fault, Path(folder, "simt2simd"))
        options = f"--first {first} --count {most} --seed {seed} --jobs {jobs} --variants default".split()
        options += "--stop-after 1 --shrink-seconds 0".split()
        options += ["--about", fault.about] if fault.about else []
        done = subprocess.run(
            [sys.executable, "-m", "tests.fuzz", *options], cwd=folder, capture_output=True, text=True, check=False
        )
    last = re.search(r"^(\d+) programs in", done.stdout, re.MULTILINE)
    own = "C\\+\\+" if fault.about == "classes" else "C\\+\\+|interpreter"  # whose failure is one of the fuzzer itself
    if last is None or re.search(rf"fails, \d+ done, ({own})", done.stdout):
        raise RuntimeError(done.stdout + done.stderr)
    return int(last[1]) if done.returncode == 1 else None


def main(argv: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz.plant", description=__doc__)
    parser.add_argument("--seeds", type=int, default=3, help="runs for each fault (default: 3)")
    parser.add_argument("--most", type=int, default=500, help="programs of a run (default: 500)")
    parser.add_argument("--jobs", type=int, default=2, help="processes (default: 2)")
    parser.add_argument("faults", nargs="*", help="words of the faults to plant (default: all)")
    given = parser.parse_args(argv)
    chosen = [f for f in FAULTS if not given.faults or any(word in f.name for word in given.faults)]
    missed = 0
    for fault in chosen:
        needed = [programs_needed(fault, 1000 + seed, given.most, given.jobs) for seed in range(given.seeds)]
        missed += needed.count(None)
        shown = ", ".join("-" if n is None else str(n) for n in needed)
        print(f"| {fault.name} | {shown} |", flush=True)
    print(f"{len(chosen)} faults, {missed} of {len(chosen) * given.seeds} runs missed theirs")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
