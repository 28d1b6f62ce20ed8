"""What the kernels of an application do in one run, counted in warps: what `simt2simd predict` takes.

`python -m apps.papers.counted [APP...]` counts what `counts.json` does not have of applications (default: of all), or
with `--again` all of it, and writes `predicted.json`.

A program that was compiled with `--warp-stats` runs twice: with one repetition, and with two. What the second one adds
is a run of its kernels alone, without what prepares it, and with caches that are warm, as they are when it is timed.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from simt2simd.predict.counts import KernelCounts, of_row

from .. import harness, programs
from ..common import plan
from ..common.app import FOLDER, App, Case, app_of, names
from ..common.variants import Variant
from ..harness import AppError
from . import predicting

FILE = FOLDER / "papers" / "counts.json"

PATIENCE = 1500.0  # seconds: counting takes ten to a hundred times as long
Row = dict[str, Any]
ON_CPU, ON_GPU = "cpu", "gpu"
PARTS = ("kernels", "traversals")
MULTIPROCESSORS = 132  # of the H200: grids that are sized by them are counted as they are there
WAITING = ("bh6",)  # their blocks wait for one another: there are as many as run at a time
AS_FOR_GPUS = ("--disable=query-order",)  # on a GPU, no launch sorts its queries


@dataclass(frozen=True)
class Counted:
    """The kernels of one run of a variant, as a CPU or a GPU runs them: rows of a stats file, without lines."""

    app: str
    input: str
    order: str | None
    variant: str
    where: str
    kernels: list[Row]
    traversals: list[Row]

    @property
    def what(self) -> tuple[str, str, str | None, str, str]:
        """What it is of."""
        return self.app, self.input, self.order, self.variant, self.where

    def counts(self) -> list[KernelCounts]:
        """Return it kernel by kernel."""
        return [of_row(row, self.traversals) for row in self.kernels]


def read(file: Path = FILE) -> list[Counted]:
    """Return what is in a file; nothing if there is none. Raises `AppError`."""
    try:
        return [Counted(**each) for each in json.loads(file.read_text(encoding="utf-8"))]
    except FileNotFoundError:
        return []
    except (OSError, ValueError, TypeError) as fault:
        raise AppError(f"{file}: not a list of counts: {fault}") from None


def write(found: Sequence[Counted], file: Path = FILE) -> None:
    """Write a list with an item to a line."""
    lines = ",\n".join(json.dumps(asdict(each)) for each in sorted(found, key=lambda each: [str(w) for w in each.what]))
    file.write_text(f"[\n{lines}\n]\n", encoding="utf-8")


def count(app: App, case: Case, order: str | None, variant: Variant, where: str) -> Counted:
    """Compile and run a variant of an application; return what its kernels do. Raises `AppError`."""
    libraries = [flag for name in app.libraries for flag in ("-l", name)]
    host_flags = ",".join(("-O2", "-march=native", *app.host_flags))
    flags = ["--warp-stats", *variant.flags, *(AS_FOR_GPUS if where == ON_GPU else ())]
    program = programs.build(app.source, [*flags, *case.defines, "-Xcompiler", host_flags, *libraries])
    sized = {} if app.name in WAITING else {"S2S_MULTIPROCESSORS": str(MULTIPROCESSORS)}
    with tempfile.TemporaryDirectory(prefix=f"{app.name}-") as name:
        folder = Path(name)
        files = {key: folder / file for key, file in plan.save(folder, case.arrays, case.raw).items()}
        arguments = [word.format(**files) for word in (*case.arguments, *variant.arguments)]
        arguments += ["--order", order] if order and not case.order else []
        once, twice = (_run(program, arguments, reps, folder / "stats.json", sized) for reps in (1, 2))
    rows = {part: added(once[part], twice[part]) for part in PARTS}
    return Counted(app.name, case.label, order, variant.name, where, **rows)


UNUSED = ("lines", "estimated_ns", "estimated_partial_ns", "masked_accesses")  # by the model


def _run(
    program: Path, arguments: Sequence[str], reps: int, file: Path, sized: Mapping[str, str]
) -> dict[str, list[Row]]:
    environment = {"S2S_THREADS": "1", "S2S_STATS": "0", "S2S_STATS_FILE": str(file), **sized}
    harness.run((program, *arguments, "--reps", str(reps)), environment, patience=PATIENCE)
    try:
        found: dict[str, list[Row]] = json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError, KeyError) as fault:
        raise AppError(f"{program}: it has counted nothing: {fault}") from None
    return {part: [_kept(row) for row in found[part]] for part in PARTS}


def _kept(row: Row) -> Row:
    """Return what the model uses of a row, with the file as the repository calls it."""
    file = Path(row["file"])
    name = str(file.relative_to(FOLDER.parent)) if file.is_relative_to(FOLDER.parent) else file.name
    return {**{key: row[key] for key in row if key not in UNUSED}, "file": name}


def added(before: Sequence[Row], after: Sequence[Row]) -> list[Row]:
    """Return what there is more `after` than `before`, row by row, without rows of which there is no more."""
    known = {_name(row): row for row in before}
    rows = [_less(row, known.get(_name(row), {})) for row in after]
    return [row for row in rows if (row["launches"] if "launches" in row else row["gangs"]) > 0]


def _name(row: Row) -> tuple[str, ...]:
    return tuple(str(row.get(key)) for key in ("name", "kernel", "function", "file", "line"))


def _less(after: Mapping[str, Any], before: Mapping[str, Any]) -> Row:
    result: Row = {}
    for key, value in after.items():
        if isinstance(value, dict):
            result[key] = _less(value, before.get(key, {}))
        elif isinstance(value, str | bool) or key == "line":
            result[key] = value
        else:
            result[key] = max(0, round(value - before.get(key, 0), 1))
    return result


# ------------------------------------------------------------------------------------------- the command


@dataclass(frozen=True)
class Wanted:
    """Variants of an application that are counted, for an input, in each of the orders; `options` are its words.

    Those that are `sorted_on_cpu` have counts of their own for a GPU, which sorts no queries.
    """

    app: str
    input: str
    variants: tuple[str, ...]
    options: tuple[str, ...] = ()
    orders: tuple[str | None, ...] = (None,)
    sorted_on_cpu: tuple[str, ...] = ()

    def is_for(self, counted: Counted) -> bool:
        """Whether counts are of such a run."""
        of_input = counted.input == self.input or counted.input.startswith(f"{self.input}, ")
        kinds = counted.variant in self.variants and counted.order in self.orders
        return of_input and kinds and counted.app == self.app


BOTH = ("sorted", "shuffled")
FORMS = ("flat", "basic", "block", "grid")
SUMS = ("flat", "crec", "levels", "hier")


def _walks(app: str, input: str, *options: str) -> Wanted:
    return Wanted(app, input, ("recursive", "ropes"), options, BOTH, ("recursive", "ropes"))


WANTED = (
    _walks("pc", "cities"),
    _walks("nn", "cities"),
    _walks("knn", "cities", "--k", "8"),
    _walks("vp", "cities"),
    Wanted("bh", "plummer:100000", ("recursive",), orders=("sorted",), sorted_on_cpu=("recursive",)),
    _walks("bs", "random:1000000x1"),
    Wanted("bfs", "rmat:20x16", ("auto",), orders=("shuffled",)),
    Wanted("bfs", "road:1024", ("auto",), orders=("sorted",)),
    Wanted("hotspot", "random:1024x1024", ("auto",)),
    Wanted("pathfinder", "random:20x10000", ("auto",)),
    Wanted("pathfinder", "random:100x100000", ("auto",)),
    Wanted("gaussian", "random:128", ("auto",)),
    Wanted("gaussian", "random:1024", ("auto",)),
    Wanted("distance", "random:8388608x2", ("auto",)),
    Wanted("levenshtein", "random:4000000", ("auto",)),
    Wanted("bh6", "plummer:50000", ("auto",)),
    Wanted("rtree", "random:4194304x2", ("t-stack", "w-stack"), ("--node-size", "4", "64", "1024"), orders=("sorted",)),
    Wanted("sssp", "kron", FORMS),
    Wanted("spmv", "kron", FORMS),
    Wanted("pagerank", "kron", ("flat", "grid")),
    Wanted("coloring", "kron", ("flat", "grid")),
    Wanted("bfs_rec", "kron", FORMS),
    Wanted("mc", "plummer:1000000", SUMS),
    Wanted("td", "random:14:4-8:50", SUMS),
    Wanted("sort", "random:1000000", ("advanced", "merge"), ("--depth", "16")),
    Wanted("forest", "synth:150000", ("csr", "iterative-4", "encoded-4", "collaborative-4"), ("--trees", "20")),
)


def main(argv: list[str]) -> int:
    """Run the command and return the exit code: 1 if something could not be counted."""
    parser = argparse.ArgumentParser(prog="python -m apps.papers.counted", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="APP", help=f"of {', '.join(names())}; default: all")
    parser.add_argument("--again", action="store_true", help="count also what counts.json has")
    args = parser.parse_args(argv)
    if unknown := set(args.names) - {each.app for each in WANTED}:
        parser.error(f"unknown application '{sorted(unknown)[0]}'")
    wrong = 0
    there = [each for each in read() if any(wanted.is_for(each) for wanted in WANTED)]
    for wanted in WANTED:
        if args.names and wanted.app not in args.names:
            continue
        known = set() if args.again else {each.what for each in there}
        try:
            for found in _count(wanted, known):
                there = [*(each for each in there if each.what != found.what), found]
                write(there)
                print(*found.what)
        except AppError as fault:
            print(f"counted: error: {wanted.app}: {fault}", file=sys.stderr)
            wrong = 1
    predicting.write(there)
    return wrong


def _count(wanted: Wanted, known: set[tuple[str, str, str | None, str, str]]) -> Iterator[Counted]:
    """Count what is not known."""
    app = app_of(wanted.app)
    parser = argparse.ArgumentParser()
    app.add_options(parser)
    for case in app.cases(wanted.input, parser.parse_args(wanted.options)):
        for order in wanted.orders:
            for name in wanted.variants:
                for where in (ON_CPU, ON_GPU) if name in wanted.sorted_on_cpu else (ON_CPU,):
                    if (app.name, case.label, order, name, where) not in known:
                        yield count(app, case, order, app.variant(name), where)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
