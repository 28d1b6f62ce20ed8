"""`python -m apps tables NAME...`: measure what tables of the papers need, and write their pages and figures."""

from __future__ import annotations

import argparse
import os
import shlex
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import chain, count
from pathlib import Path

from ..common.app import FOLDER
from ..common.driver import add_machine, architecture_of, target_of
from ..common.measure import Settings
from ..common.prepare import Builder
from ..common.session import Session, check_file, cores_of, positive
from ..common.steps import make_steps, measure_steps, write_folder
from ..harness import AppError, require_matplotlib
from ..machine import commit, describe
from . import catalogue, index, page
from .measured import Source, lacking, of_best_machine, of_machine, read, results
from .table import Needed, PaperTable
from .work import asked_of

PAGES = FOLDER / "papers"


def main(argv: list[str]) -> int:
    """Run the command and return the exit code: 1 if something is wrong with the input, 2 with the arguments."""
    if not argv:
        print(listed())
        return 0
    args = _parse(argv)
    try:
        tables = catalogue.chosen(name for name in args.names if name != index.NAME)
    except AppError as fault:
        print(f"tables: error: {fault}", file=sys.stderr)
        return 2
    try:
        return _build(tables, args) if args.build else _make(tables, args)
    except AppError as fault:
        text = str(fault)
        print(text if text.startswith("apps ") else f"tables: error: {text}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130


def listed() -> str:
    """Return a list of the tables."""
    lines = [f"  {t.name:14} {t.paper}, {t.number}: {t.title}" for t in catalogue.tables().values()]
    return "\n".join(
        [
            *lines,
            "",
            "`python -m apps tables NAME...` makes some of them, `all` every one,",
            f"`{index.NAME}` the page that lists them and says who wins.",
        ]
    )


def _parse(argv: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="python -m apps tables",
        description="Measure what tables of the papers need and is not recorded; write their pages and figures.",
        epilog=listed(),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("names", nargs="+", metavar="NAME", help=f"a table, '{catalogue.ALL}', '{index.NAME}'")
    parser.add_argument(
        "--from",
        dest="files",
        type=Path,
        action="extend",
        nargs="+",
        metavar="FILE",
        help="take the records of these files, and measure nothing",
    )
    parser.add_argument("--out", type=Path, metavar="DIR", help="write pages and figures to DIR (default: apps/papers)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write new records to FILE (default: apps/results)")
    parser.add_argument(
        "--cores", type=positive, action="extend", nargs="+", metavar="N", help="default: 1, 2, 4 and so on"
    )
    parser.add_argument(
        "--input",
        type=_replaced,
        action="extend",
        nargs="+",
        default=[],
        metavar="NAME=INPUT",
        help="take INPUT in place of the input NAME, such as real data in place of data made alike",
    )
    parser.add_argument(
        "--quick", action="store_true", help="small inputs, one round: to see that it works; needs --out"
    )
    parser.add_argument(
        "--stats", action="store_true", help="with --build: also what only counts, which is the same on any machine"
    )
    add_machine(parser)
    parser.add_argument(
        "--build", type=Path, metavar="DIR", help="only build programs and inputs, for python -m apps.run_built"
    )
    args = parser.parse_args(argv)
    if args.build and (args.files or args.out or args.json):
        parser.error("--build only builds: --from, --out and --json do not go with it")
    if args.stats and not args.build:
        parser.error("--stats goes with --build only: here, what tables need is counted anyway")
    if args.files and args.json:
        parser.error("--from measures nothing: --json does not go with it")
    if args.quick and not (args.out or args.build):
        parser.error("--quick needs --out DIR: its times say nothing, so they do not go into the repository")
    return args


def _replaced(text: str) -> tuple[str, str]:
    name, equals, other = text.partition("=")
    if not (name and equals and other):
        raise argparse.ArgumentTypeError(f"expected NAME=INPUT, found '{text}'")
    return name, other


def needs_of(tables: Sequence[PaperTable], args: argparse.Namespace) -> list[Needed]:
    """Return what tables need, with the inputs that the user wants. Raises `AppError` for one that none needs."""
    needs = [needed.quick() if args.quick else needed for table in tables for needed in table.needs]
    others = dict(args.input)
    unknown = others.keys() - {input for needed in needs for input in needed.inputs}
    if unknown and tables:
        raise AppError(f"--input {min(unknown)}: these tables need no such input")
    return [replace(each, inputs=tuple(others.get(input, input) for input in each.inputs)) for each in needs]


def _build(tables: Sequence[PaperTable], args: argparse.Namespace) -> int:
    builder = Builder(target_of(args), native=False, architecture=architecture_of(args))
    needs = [needed for needed in needs_of(tables, args) if args.stats or not needed.counted]
    asked = asked_of(needs, builder)
    write_folder(args.build, asked, builder, _tell, packed=True)
    return 0


def _tell(refusals: Mapping[str, str]) -> None:
    for variant, why in refusals.items():
        print(f"without {variant}: {why}", file=sys.stderr)


def _make(tables: Sequence[PaperTable], args: argparse.Namespace) -> int:
    require_matplotlib()
    needs = needs_of(tables, args)
    wrong = 0
    if args.files:
        sources = read(args.files)
    else:
        sources = [] if args.quick else read(results())
        if tables:
            session, file = _measure(needs, sources, args)
            wrong = session.finish(None)
            sources.append(Source(file, session.machine, tuple(session.records)))
    for table in tables:
        own = needs_of([table], argparse.Namespace(quick=args.quick, input=_own(table, args)))
        place = None if args.files else sources[-1].place
        measured = of_machine(own, sources, place) if place else of_best_machine(own, sources)
        files = [] if place else enough(table, own, sources)
        for written in page.write(table, measured, args.out or PAGES, _again(table, args, files)):
            print(written)
    if index.NAME in args.names:
        print(_write_index(sources, args.out or PAGES))
    return wrong


def _write_index(sources: Sequence[Source], folder: Path) -> Path:
    """Write the page that lists all tables, for the pages that are in the folder."""
    predictions, words = index.read_predictions(index.PREDICTED), index.read_words(index.WHY)
    text = index.text_of(list(catalogue.tables().values()), sources, predictions, words, folder)
    file = folder / f"{index.NAME}.md"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
    except OSError as fault:
        raise AppError(f"cannot write {file}: {fault.strerror}") from None
    return file


def _own(table: PaperTable, args: argparse.Namespace) -> list[tuple[str, str]]:
    """Return which inputs are replaced, of those that a table needs."""
    there = {input for needed in table.needs for input in (*needed.inputs, *needed.quick_inputs)}
    return [(name, other) for name, other in args.input if name in there]


def enough(table: PaperTable, needs: Sequence[Needed], sources: Sequence[Source]) -> list[Path]:
    """Return the files that make the page of a table: without the others, it is the same."""

    def text_of(few: Sequence[Source]) -> str:
        return page.text_of(table, of_best_machine(needs, few), "", "")

    whole, few = text_of(sources), list(sources)
    for source in sources:
        others = [each for each in few if each is not source]
        if others and text_of(others) == whole:
            few = others
    return [source.file for source in few]


def _again(table: PaperTable, args: argparse.Namespace, files: Sequence[Path]) -> str:
    """Return the command that makes the page of a table again, from these files if there are any."""
    words = ["python", "-m", "apps", "tables", table.name]
    for file in files:
        words += ["--from"] * (words[-1] == table.name) + [os.path.relpath(file)]
    for name, other in _own(table, args):
        words += ["--input", f"{name}={other}"]
    return shlex.join([*words, *(["--gpu"] if args.gpu else []), *(["--quick"] if args.quick else [])])


# ------------------------------------------------------------------------------------------- measuring


def _cores(args: argparse.Namespace) -> tuple[int, ...]:
    """Return the numbers of cores that are wanted: by default the powers of two, and all."""
    there = len(os.sched_getaffinity(0))
    powers = [2**i for i in range(there.bit_length()) if 2**i < there]
    args.cores = args.cores or [*powers, there]
    return cores_of(args)


def _measure(needs: Sequence[Needed], kept: Sequence[Source], args: argparse.Namespace) -> tuple[Session, Path]:
    """Measure what no record of this machine is of; return the session, and the file of its records."""
    cores = _cores(args)
    builder = Builder(target_of(args), native=True, architecture=architecture_of(args))
    machine = describe(builder.compilers(), builder.flags(), commit())
    file = args.json or _new_file(args, machine.hardware_threads, machine.commit)
    check_file(file)
    here = [each for each in kept if each.place == (machine.machine, machine.hardware_threads, machine.gpu)]
    steps, refusals = make_steps(asked_of(needs, builder, lacking(needs, here, cores, bool(args.gpu))), None)
    _tell(refusals)
    session = Session(replace(machine, left_out=refusals), file if steps else None)
    measure_steps(steps, Settings(cores, args.quick), session)
    return session, file


def _new_file(args: argparse.Namespace, threads: int, made_from: str) -> Path:
    folder: Path = args.out if args.out else FOLDER / "results"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as fault:
        raise AppError(f"cannot write {folder}: {fault.strerror}") from None
    stem = f"{threads}-cores-{made_from or 'unknown'}"
    names = chain([stem], (f"{stem}-{i}" for i in count(2)))  # records of an earlier run of the same commit stay
    return next(file for name in names if not (file := folder / f"{name}.json").exists())
