"""Measure what `python -m apps --build DIR` made, on a machine that has Python and NumPy alone.

Programs for a CPU that this one is not, and those for a GPU without --gpu, are left out. All answers are checked
against a sample that was found right elsewhere, and against each other. The records go to a file, rewritten after every
problem.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from simt2simd.target import TARGETS, cpu_features

from .common import measure, plan
from .common.app import App, app_of, names
from .common.hurried import measure_until, parse_seconds
from .common.measure import Settings
from .common.session import Session, add_choices, check_outputs, cores_of, naming, orders_of
from .harness import AppError, Record
from .machine import CUDA, Machine, describe, gpu_name
from .progress import progress
from .records import read_records


def main(argv: list[str]) -> int:
    """Run the command and return the exit code: 1 if something is wrong with the folder, 2 with the arguments."""
    try:
        return _run(*_parse(argv))
    except AppError as fault:
        text = str(fault)
        print(text if text.startswith("apps ") else f"run_built: error: {text}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130


def _parse(argv: list[str]) -> tuple[argparse.Namespace, argparse.ArgumentParser]:
    parser = argparse.ArgumentParser(prog="python -m apps.run_built", description=__doc__)
    parser.add_argument("folder", type=Path, metavar="DIR", help="what --build made")
    parser.add_argument("names", nargs="*", metavar="NAME", help="an application (default: all)")
    add_choices(parser, None)
    parser.add_argument("--gpu", action="store_true", help="also the programs for a GPU")
    parser.add_argument("--no-cpu", action="store_true", help="leave out the CPU")
    parser.add_argument(
        "--seconds",
        type=parse_seconds,
        metavar="N",
        help="be done in N seconds: the most urgent first, each once or twice, the CPU's beside the GPU's",
    )
    parser.add_argument(
        "--resume", type=Path, metavar="FILE", help="with --seconds: keep the records of FILE, measure the others"
    )
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the records to FILE")
    parser.add_argument("--plot", type=Path, metavar="DIR", help="write figures to DIR")
    args = parser.parse_args(argv)
    if args.resume and not args.seconds:
        parser.error("--resume goes with --seconds only")
    return args, parser


def _run(args: argparse.Namespace, parser: argparse.ArgumentParser) -> int:
    start = time.monotonic()
    manifest = plan.read_manifest(args.folder)
    problems = [problem for problem in manifest.problems if problem.app in names()]
    _check_names(parser, "application", args.names, {problem.app for problem in problems})
    problems = [problem for problem in problems if not args.names or problem.app in args.names]
    _check_names(parser, "input", args.input, {problem.input for problem in problems})
    _check_names(
        parser, "variant", args.variant, {command.variant for problem in problems for command in problem.commands}
    )
    check_outputs(args)
    settings = Settings(cores_of(args), args.quick)
    if args.gpu and not gpu_name():
        raise AppError("--gpu: nvidia-smi finds no GPU on this machine")
    on_cpu = not args.no_cpu and _runs_here(manifest)
    todo = [
        (app_of(problem.app), replace(problem, commands=_commands(problem, args, on_cpu)))
        for problem in problems
        if not args.input or problem.input in args.input
    ]
    used = {command.target for _, problem in todo for command in problem.commands}
    machine = describe(
        {target: text for target, text in manifest.compiler.items() if target in used},
        {target: text for target, text in manifest.flags.items() if target in used},
        manifest.commit,
    )
    try:
        plan.unpack(args.folder)
    except OSError as fault:
        raise AppError(f"{args.folder}: cannot unpack {fault.filename}: {fault.strerror}") from None
    session = Session(replace(machine, left_out=dict(manifest.left_out)), args.json)
    if args.seconds:
        wanted = [(app, problem, orders_of(app, problem.order, args)) for app, problem in todo]
        known = _known(args.resume, machine) if args.resume else []
        measure_until(start + args.seconds, wanted, known, args.folder.resolve(), settings, session)
        return session.finish(args.plot)
    return _measure(todo, args, settings, session)


def _known(file: Path, machine: Machine) -> list[Record]:
    """Return the records of a file. Raises `AppError` if they are not of this machine, or of other programs."""
    try:
        taken = read_records(file, Record)
    except OSError as fault:
        raise AppError(f"--resume {file}: {fault.strerror}") from None
    if taken is None:
        raise AppError(f"--resume {file}: it holds no records of applications")
    for name in ("machine", "hardware_threads", "gpu", "commit"):
        there, here = getattr(taken[0], name), getattr(machine, name)
        if there != here:
            raise AppError(f"--resume {file}: its {name.replace('_', ' ')} is '{there}', not '{here}'")
    return taken[1]


def _check_names(parser: argparse.ArgumentParser, what: str, given: Sequence[str] | None, known: set[str]) -> None:
    for name in given or ():
        if name not in known:
            parser.error(f"no {what} '{name}' in the folder; there are {', '.join(sorted(known))}")


def _commands(problem: plan.Problem, args: argparse.Namespace, on_cpu: bool) -> tuple[plan.Command, ...]:
    """Return the commands of a problem that can run here and are wanted."""
    return tuple(
        command
        for command in problem.commands
        if (not args.variant or command.variant in args.variant) and (args.gpu if command.target == CUDA else on_cpu)
    )


def _runs_here(manifest: plan.Manifest) -> bool:
    """Whether this CPU has what the kernels use, and with them the host programs that were built for the same."""
    return all(TARGETS[target].required <= cpu_features() for target in manifest.flags if target in TARGETS)


def _measure(
    todo: Sequence[tuple[App, plan.Problem]], args: argparse.Namespace, settings: Settings, session: Session
) -> int:
    folder = args.folder.resolve()
    orders = [orders_of(app, problem.order, args) for app, problem in todo]
    total = sum(measure.count_runs(todo[i][1].commands, orders[i], settings) for i in range(len(todo)))
    if not total:
        raise AppError(f"nothing in {args.folder} is wanted and runs on this machine")
    with progress("measuring", total) as done:
        for (app, problem), wanted in zip(todo, orders, strict=True):
            with tempfile.TemporaryDirectory(prefix="apps-") as made, naming(app):
                whole = plan.make_missing(app, problem, folder, Path(made))
                session.measure(app, whole, wanted, folder, settings, done)
    return session.finish(args.plot)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
