"""Measure forests of many depths and numbers of trees: Wu's figures 5.10 to 5.13.

    python -m apps.forest.sweep --build DIR --gpu                            # here: programs
    python -m apps.forest.sweep DIR --gpu --cores 16 --json FILE             # there: forests, and times

Forests are too large to be carried, so they are grown where they are asked, which needs scikit-learn there. Each
input has one forest of 100 trees of depth 15; the smaller ones are cut out of it. A tree that is not to be deeper
than 8 is the same but for the columns that scikit-learn draws for its nodes, so these are as good as grown ones.
Answers are compared with those of the same trees in NumPy, and these for the whole forest with scikit-learn's.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from simt2simd.target import TARGETS, cpu_features

from .. import machine
from ..common.app import Array, Case
from ..common.driver import add_machine, architecture_of, target_of
from ..common.hurried import measure_until, parse_seconds
from ..common.measure import Settings
from ..common.plan import Command, Problem, pack, save, unpack
from ..common.prepare import Builder, make_programs
from ..common.session import Session, cores_of, naming, positive
from ..harness import AppError
from ..machine import CUDA, describe, gpu_name
from ..progress import progress
from . import data
from .layout import SUBTREE_DEPTHS, csr, hierarchical
from .run import APP, TEXTS
from .trees import Forest, cut, depth_of, of_scikit_learn, shares_of

INPUTS = ("covtype-like:500000", "higgs-like:500000", "susy-like:500000", "synth:500000")
QUICK_INPUTS = ("synth:4000",)
TRAINING = 100_000
TREES, DEPTHS = 100, tuple(range(8, 16))
NUMBERS = (20, 40, 60, 80)  # of trees, beside all
MANIFEST = "sweep.json"
SAMPLE = 20_000  # rows whose answers are checked
EVEN_IF_BELOW = 1e-9  # by how much NumPy's shares may differ from scikit-learn's
FIRST_DEPTHS = (8, 15, 12)  # are measured first; then 10 and 14, then the others
SECOND_DEPTHS = (10, 14)


@dataclass(frozen=True)
class Size:
    """A forest that is asked: its input, its trees and their depth."""

    input: str
    trees: int
    depth: int

    @property
    def urgent(self) -> int:
        return 1 if self.depth in FIRST_DEPTHS else 2 if self.depth in SECOND_DEPTHS else 3


def sizes(inputs: Sequence[str]) -> list[Size]:
    """Return the forests of figures 5.10, 5.12 and 5.13, and those of 5.11: of the last input, with fewer trees."""
    return [
        *(Size(name, TREES, depth) for name in inputs for depth in DEPTHS),
        *(Size(inputs[-1], trees, DEPTHS[-1]) for trees in NUMBERS),
    ]


def wanted(size: Size, last: str) -> Iterator[tuple[str, int, bool]]:
    """Yield the variants that a forest is asked by, how urgent each is, and whether a GPU does it, too.

    The atomic mappings are for figures 5.12 and 5.13, and all of the last input's for 5.11. One variant is for 5.10.
    """
    kernels = [f"{kernel}-{depth}" for kernel in TEXTS if kernel != "csr" for depth in SUBTREE_DEPTHS]
    yield "iterative-4", 0, False
    if size.trees == TREES:
        yield from ((name, size.urgent, True) for name in ("csr", "csr-atomic", *(f"{k}-atomic" for k in kernels)))
    if size.input == last:
        urgent = 2 if size.depth in (FIRST_DEPTHS + SECOND_DEPTHS) else 3
        yield from ((name, urgent, True) for kernel in kernels for name in (kernel, f"{kernel}-atomic"))


def commands(size: Size, last: str, programs: dict[str, str]) -> tuple[Command, ...]:
    """Return the commands for a forest, each once; `programs` has a file for each target."""
    found: dict[tuple[str, str], Command] = {}
    for name, urgent, on_gpu in wanted(size, last):
        for target, program in programs.items():
            if target == CUDA and not on_gpu:
                continue
            before = found.get((name, target))
            if before is None or before.urgent > urgent:
                arguments = APP.variant(name).arguments
                found[name, target] = Command(name, target, program, arguments, True, on="most", urgent=urgent)
    return tuple(found.values())


# ------------------------------------------------------------------------------------------- forests


def case_of(size: Size, forest: Forest, training: int) -> tuple[Case, dict[str, Array]]:
    """Return a forest that is cut out of a larger one as a case, and what its answers are checked against."""
    rows = data.rows_of(size.input)
    small = cut(forest, size.trees, size.depth)
    layouts = {"csr": csr(small), **{f"h{levels}": hierarchical(small, levels) for levels in SUBTREE_DEPTHS}}
    sample = np.random.default_rng(1).permutation(len(rows.asked))[:SAMPLE]
    shares = shares_of(small, rows.asked[sample])
    in_order = np.sort(shares, axis=1)
    answers = shares.argmax(axis=1).astype(np.int32)
    case = Case(
        size.input,
        f"{size.input}, {size.trees} trees, depth {size.depth}",
        {**{key: layout.words() for key, layout in layouts.items()}, "rows": rows.asked},
        ("--input", "{rows}"),
        parameters={
            "trees": size.trees,
            "depth": size.depth,
            "grown_depth": DEPTHS[-1],
            "training": training,
            "rows": len(rows.asked),
            "columns": small.columns,
            "classes": rows.classes,
            "nodes": len(small.left),
            "deepest": depth_of(small),
            "accuracy": float(np.mean(answers == rows.right[sample])),
            **{f"{key}_bytes": layout.bytes for key, layout in layouts.items()},
        },
    )
    return case, {"rows": sample, "answers": answers, "ahead": in_order[:, -1] - in_order[:, -2]}


def grown(name: str, training: int) -> Forest:
    """Return the forest of an input, whose trees say in NumPy what they say in scikit-learn. Raises `AppError`."""
    model = data.model_of(name, TREES, DEPTHS[-1], training)
    forest = of_scikit_learn(model)
    few = data.rows_of(name).asked[:1000]
    off = np.abs(shares_of(forest, few) - model.predict_proba(few)).max()
    if not off <= EVEN_IF_BELOW:
        raise AppError(f"{name}: the trees say something else than scikit-learn: {off:.2e}")
    return forest


_forests: dict[str, Forest] = {}  # of this process and those that it forks


def _problem(job: tuple[Size, str, int, Path, dict[str, str]]) -> Problem:
    size, last, training, folder, programs = job
    case, truth = case_of(size, _forests[size.input], training)
    arrays = save(folder, case.arrays)
    return Problem(
        APP.name, case.input, case.label, arrays, case.arguments, case.parameters, save(folder, truth),
        commands(size, last, programs),
    )  # fmt: skip


def problems(inputs: Sequence[str], training: int, folder: Path, programs: dict[int, dict[str, str]]) -> list[Problem]:
    """Grow the forests of inputs, and write all that are cut out of them to a folder, several at a time."""
    with progress("growing", len(inputs)) as done:
        for name in inputs:
            _forests[name] = grown(name, training)
            done()
    jobs = [
        (size, inputs[-1], training, folder, programs[_forests[size.input].outputs]) for size in sizes(inputs)
    ]  # fmt: skip
    found = []
    with progress("cutting", len(jobs)) as done, multiprocessing.get_context("fork").Pool() as pool:
        for problem in pool.imap(_problem, jobs):
            found.append(problem)
            done()
    return found


# ------------------------------------------------------------------------------------------- the command line


def main(argv: list[str]) -> int:
    """Run the command and return the exit code: 1 if something is wrong, 2 with wrong arguments."""
    args = _parse(argv)
    try:
        with naming(APP):
            return _build(args) if args.build else _measure(args)
    except AppError as fault:
        print(fault, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130


def _parse(argv: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m apps.forest.sweep", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path, nargs="?", metavar="DIR", help="what --build made")
    parser.add_argument("--build", type=Path, metavar="DIR", help="only build the programs")
    parser.add_argument("--input", nargs="+", metavar="INPUT", help=f"with classes; default: {' '.join(INPUTS)}")
    parser.add_argument("--training", type=positive, default=TRAINING, metavar="N", help=f"rows; default: {TRAINING}")
    parser.add_argument("--cores", type=positive, action="extend", nargs="+", metavar="N", help="default: 1")
    parser.add_argument("--seconds", type=parse_seconds, default=3600.0, metavar="N", help="be done in N seconds")
    parser.add_argument("--quick", action="store_true", help="a small input, one round: to see that it works")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the records to FILE")
    add_machine(parser)
    args = parser.parse_args(argv)
    if (args.folder is None) == (args.build is None):
        parser.error("either DIR or --build DIR is needed")
    if args.folder and not args.json:
        parser.error("--json FILE is needed")
    return args


def _build(args: argparse.Namespace) -> int:
    outputs = sorted({made.classes for made in data.MADE.values()})
    builder = Builder(target_of(args), native=False, architecture=architecture_of(args))
    wanted_programs = {
        count: builder.wanted(APP, Case("", "", {}, (), (f"-DOUTPUTS={count}",)), [APP.variant("iterative-4")])
        for count in outputs
    }
    recipes = [each.recipe for every in wanted_programs.values() for each in every if each.recipe]
    with progress("building", len(recipes)) as done:
        programs = make_programs(recipes, done)
    refused = [why for why in programs.values() if isinstance(why, str)]
    if refused:
        raise AppError(refused[0])
    try:
        args.build.mkdir(parents=True, exist_ok=True)
        named: dict[int, dict[str, str]] = {}
        for count, every in wanted_programs.items():
            for each in every:
                if each.recipe:
                    file = Path(programs[each.recipe])
                    (args.build / file.name).write_bytes(file.read_bytes())
                    (args.build / file.name).chmod(0o755)
                    named.setdefault(count, {})[each.target] = file.name
        pack(args.build, [file for targets in named.values() for file in targets.values()])
        found = {
            "commit": machine.commit(), "compiler": builder.compilers(), "flags": builder.flags(), "programs": named
        }  # fmt: skip
        (args.build / MANIFEST).write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    except OSError as fault:
        raise AppError(f"cannot write {fault.filename}: {fault.strerror}") from None
    print(f"{len(recipes)} programs in {args.build}")
    return 0


def _read(folder: Path) -> dict[str, Any]:
    try:
        found: dict[str, Any] = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
        found["programs"] = {int(count): targets for count, targets in found["programs"].items()}
    except OSError as fault:
        raise AppError(f"cannot read {folder / MANIFEST}: {fault.strerror}") from None
    except (ValueError, KeyError, AttributeError):
        raise AppError(f"{folder / MANIFEST} was not written by --build") from None
    return found


def _measure(args: argparse.Namespace) -> int:
    start = time.monotonic()
    manifest = _read(args.folder)
    try:
        unpack(args.folder)
    except OSError as fault:
        raise AppError(f"{args.folder}: cannot unpack {fault.filename}: {fault.strerror}") from None
    if args.gpu and not gpu_name():
        raise AppError("--gpu: nvidia-smi finds no GPU on this machine")
    cores = cores_of(args)
    used = {
        target
        for targets in manifest["programs"].values()
        for target in targets
        if (args.gpu if target == CUDA else TARGETS[target].required <= cpu_features())
    }
    here = args.folder.resolve()
    programs = {
        count: {target: str(here / file) for target, file in targets.items() if target in used}
        for count, targets in manifest["programs"].items()
    }
    texts = {key: {name: text for name, text in manifest[key].items() if name in used} for key in ("compiler", "flags")}
    session = Session(describe(texts["compiler"], texts["flags"], manifest["commit"]), args.json)
    inputs = args.input or (QUICK_INPUTS if args.quick else INPUTS)
    with tempfile.TemporaryDirectory(prefix="forests-") as name:
        todo = [(APP, each, (None,)) for each in problems(inputs, args.training, Path(name), programs)]
        measure_until(start + args.seconds, todo, [], Path(name), Settings(cores, args.quick), session)
    return session.finish(None)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
