"""The command line of the applications: what to build and to measure, and what is shown of it."""

from __future__ import annotations

import argparse
import importlib
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from simt2simd.target import TARGETS, cpu_features, native

from ..harness import AppError
from ..machine import commit, describe, gpu_architecture
from .app import App, Case, app_of, chapters, names
from .measure import Settings
from .prepare import Builder
from .session import Session, add_choices, check_outputs, cores_of, naming, orders_of
from .steps import CaseRequest, make_steps, measure_steps, write_folder
from .variants import Variant

DEFAULT_ARCHITECTURE = "sm_90"
ALL = "all"
HINT = f"`python -m apps NAME` measures one, `python -m apps {ALL}` all; `python -m apps NAME --help` says more of it."
FEW = "of each application one small input, two forms and a baseline (all with --variant or --input)"


@dataclass(frozen=True)
class Chosen:
    """An application, and what the user wants of it."""

    app: App
    inputs: tuple[str, ...]
    variants: tuple[Variant, ...]


# ------------------------------------------------------------------------------------------- the command line


def main(argv: list[str]) -> int:
    """Run the command and return the exit code: 1 if something is wrong with the input, 2 with the arguments."""
    if not argv:
        print(f"{listed()}\n\n{HINT}")
        return 0
    chosen, args = _parse(argv)
    try:
        return _build(chosen, args) if args.build else _measure(chosen, args)
    except AppError as fault:
        text = str(fault)
        print(text if text.startswith("apps ") else f"apps: error: {text}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130


def _parse(argv: list[str]) -> tuple[list[Chosen], argparse.Namespace]:
    """Return what is wanted of each application. Wrong arguments end in `SystemExit(2)`."""
    named = [word for word in argv if word in names()]
    own = app_of(named[0]) if len(set(named)) == 1 and ALL not in argv else None
    parser = _parser(own)
    args = parser.parse_args(argv)
    for name in args.names:
        if name not in (ALL, *names()):
            parser.error(f"unknown application '{name}'; there are {', '.join(names())}")
    everything = not args.names or ALL in args.names
    apps = [app_of(name) for name in names() if everything or name in args.names]
    if args.build and (args.json or args.plot):
        parser.error("--build only builds: --json and --plot do not go with it")
    _check_known(parser, "variant", args.variant, {v.name for app in apps for v in app.variants}, apps)
    if args.order and not any(args.order in app.orders for app in apps):
        parser.error(f"--order: {own.name if own else 'these applications'} has no queries to order")
    return _choose(apps, args), args


def _check_known(
    parser: argparse.ArgumentParser, what: str, given: Sequence[str] | None, known: set[str], apps: Sequence[App]
) -> None:
    unknown = [name for name in given or () if name not in known]
    if unknown:
        of = f" of {apps[0].name}" if len(apps) == 1 else ""
        parser.error(f"unknown {what} '{unknown[0]}'; those{of} are {', '.join(sorted(known))}")


def _parser(own: App | None) -> argparse.ArgumentParser:
    """Return the parser, with the options of an application if it is the only one."""
    parser = argparse.ArgumentParser(
        prog="python -m apps",
        description=_description(own),
        epilog=None if own else f"{listed()}\n\n{HINT}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"an application, or '{ALL}' (default: all)")
    add_choices(parser, own)
    add_machine(parser)
    parser.add_argument("--stats", action="store_true", help="also count what traversals do, in a run of its own")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the records to FILE")
    parser.add_argument("--plot", type=Path, metavar="DIR", help="write figures to DIR")
    parser.add_argument(
        "--build",
        type=Path,
        metavar="DIR",
        help="only build programs and inputs, into DIR, for python -m apps.run_built on another machine",
    )
    if own:
        own.add_options(parser)
    return parser


def add_machine(parser: argparse.ArgumentParser) -> None:
    """Add the options that say for which CPU and GPU programs are built."""
    parser.add_argument("--gpu", action="store_true", help="also with nvcc on this machine's GPU")
    parser.add_argument("--target", choices=("native", *TARGETS), default="native", help="default: native")
    parser.add_argument(
        "--arch", metavar="SM", help="the GPU's architecture (default: that of this machine's, else sm_90)"
    )


def listed() -> str:
    """Return a list of the applications by chapter, each with its question."""
    return "\n\n".join(
        "\n".join([f"{chapter.title}:", *(f"  {name:11} {app_of(name).question}" for name in chapter.names)])
        for chapter in chapters()
    )


def _description(own: App | None) -> str:
    text = "Compile applications, run them in every variant, check all answers, compare the times."
    if own is None:
        return text
    listed = "\n".join(f"  {variant.name:15} {variant.text}" for variant in own.variants)
    return f"{importlib.import_module(f'apps.{own.name}.run').__doc__}\nvariants:\n{listed}"


def _choose(apps: Sequence[App], args: argparse.Namespace) -> list[Chosen]:
    """Return what is wanted of the applications that have the variants wanted."""
    chosen = []
    for app in apps:
        variants = tuple(v for v in app.variants if (v.name in args.variant if args.variant else v.usual))
        if variants:
            own = app.quick_inputs if args.quick and app.quick_inputs else app.inputs
            inputs = tuple(dict.fromkeys(args.input or own))
            if _takes_few(args):
                chosen.append(Chosen(app, inputs[:1], _few(app)))
            else:
                chosen.append(Chosen(app, inputs, variants))
    if args.input and len(apps) > 1:
        return [replace(c, inputs=own) for c in chosen if (own := tuple(n for n in c.inputs if n in c.app.inputs))]
    return chosen


def _takes_few(args: argparse.Namespace) -> bool:
    """Whether --quick chooses what runs: the user names neither variants nor inputs."""
    return bool(args.quick and not args.variant and not args.input)


def _few(app: App) -> tuple[Variant, ...]:
    """Return the variants that show that an application works: what users get, another form, and a baseline."""
    kernels = [variant for variant in app.variants if variant.runner == "device"]
    return (*kernels[:2], app.variant(app.baselines[0]))


# ------------------------------------------------------------------------------------------- building


def _cases(chosen: Sequence[Chosen], args: argparse.Namespace) -> list[tuple[Chosen, Case]]:
    """Return all problems, before anything is built: a wrong input shows at once."""
    if not chosen:
        raise AppError(f"no application has an input '{args.input[0]}'; name one application to give it any input")
    cases = []
    for each in chosen:
        with naming(each.app):
            cases += [(each, case) for name in each.inputs for case in each.app.cases(name, args)]
    return [(each, case) for each, case in cases if orders_of(each.app, case.order, args)]


def _asked(chosen: Sequence[Chosen], args: argparse.Namespace, builder: Builder) -> list[CaseRequest]:
    return [
        CaseRequest(
            each.app,
            case,
            orders_of(each.app, case.order, args),
            tuple(builder.wanted(each.app, case, each.variants)),
        )
        for each, case in _cases(chosen, args)
    ]


def architecture_of(args: argparse.Namespace) -> str | None:
    """Return nvcc's name of the GPU to build for; None without --gpu."""
    if not args.gpu:
        return None
    if not args.build and not gpu_architecture():
        raise AppError("--gpu: nvidia-smi finds no GPU on this machine")
    return str(args.arch or gpu_architecture() or DEFAULT_ARCHITECTURE)


def _tell(refusals: Mapping[str, str], args: argparse.Namespace) -> None:
    """Say which variants compilers refuse, which are left out; if the user asked for variants, that is an error."""
    if args.variant and refusals:
        raise AppError(": ".join(next(iter(refusals.items()))))
    for variant, why in refusals.items():
        print(f"without {variant}: {why}", file=sys.stderr)


def _build(chosen: Sequence[Chosen], args: argparse.Namespace) -> int:
    builder = Builder(target_of(args), native=False, architecture=architecture_of(args), stats=args.stats)
    write_folder(args.build, _asked(chosen, args, builder), builder, lambda refusals: _tell(refusals, args))
    return 0


def target_of(args: argparse.Namespace) -> str:
    """Return the target that is wanted. Raises `AppError` if this CPU cannot run its programs."""
    name = native().name if args.target == "native" else str(args.target)
    lacking = TARGETS[name].required - cpu_features()
    if lacking and not args.build:
        raise AppError(f"--target {name}: this CPU has no {' '.join(sorted(lacking))}")
    return name


# ------------------------------------------------------------------------------------------- measuring


def _measure(chosen: Sequence[Chosen], args: argparse.Namespace) -> int:
    check_outputs(args)
    settings = Settings(cores_of(args), args.quick)
    builder = Builder(target_of(args), native=True, architecture=architecture_of(args), stats=args.stats)
    if _takes_few(args):
        print(f"--quick: {FEW}", file=sys.stderr)
    steps, refusals = make_steps(_asked(chosen, args, builder), None)
    _tell(refusals, args)
    session = Session(describe(builder.compilers(), builder.flags(), commit()), args.json)
    for each in chosen:
        if each.app.overheads and not args.variant:
            session.add(each.app.overheads(builder.target))
    measure_steps(steps, settings, session)
    return session.finish(args.plot)
