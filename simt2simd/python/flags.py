"""nvcc's flags for device code, and our own: one table, for Python programs and for the command line."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from ..options import Debug, Options, Traverse
from ..target import TARGETS, native
from .architecture import NAMES as ARCHITECTURES
from .architecture import OURS, architecture


@dataclass(frozen=True)
class Flag:
    """A flag. `apply` returns options into which a value, as text, is put; it raises `ValueError` for a wrong one.

    `values`: all that it may be, if that is a list; `implied`: what it is if none can be given. A name of one letter
    may directly precede the value.
    """

    names: tuple[str, ...]
    field: str
    apply: Callable[[Options, str], Options]
    help: str
    values: tuple[str, ...] = ()
    implied: str | None = None
    metavar: str | None = None


def _with_target(options: Options, name: str) -> Options:
    return replace(options, target=native() if name == "native" else TARGETS[name])


def _without(options: Options, text: str) -> Options:
    """Switch optimisations off."""
    from ..pipeline import require_known  # and with it LLVM

    names = frozenset(text.split(","))
    require_known(names)
    return replace(options, disabled=options.disabled | names)


def _with_warp_stats(options: Options, _: str) -> Options:
    return replace(options, stats=True, warp_stats=True)


def _with_traverse(options: Options, text: str) -> Options:
    return replace(options, traverse=Traverse(text))


_DEFINITION = re.compile(r"[A-Za-z_$][\w$]*(\([\w$, .]*\))?(=[^\n\r]*)?", re.ASCII)


def with_macro(options: Options, text: str) -> Options:
    """Define a macro: NAME, NAME=VALUE or NAME(PARAMS)=VALUE."""
    if not _DEFINITION.fullmatch(text):
        shown = text if len(text) <= 40 else f"{text[:40]}..."
        raise ValueError(f"-D defines a macro as NAME or NAME=VALUE, on one line: not {shown!r}")
    return replace(options, defines=(*options.defines, text))


FLAGS = (
    Flag(
        ("--target",),
        "target",
        _with_target,
        f"native: the best that this CPU has (default); {', '.join(TARGETS)}: for another machine",
        values=("native", *TARGETS),
    ),
    Flag(
        ("-O", "--optimize"),
        "optimise",
        lambda options, text: replace(options, optimise=int(text)),
        "0 to 3; by default 3 for kernels and 2 for host code, of which -g alone makes 0",
        values=("0", "1", "2", "3"),
        metavar="N",
    ),
    Flag(
        ("--use_fast_math", "-use_fast_math"),
        "fast_math",
        lambda options, _: replace(options, fast_math=True),
        "quick and less precise math functions, as nvcc",
        implied="true",
    ),
    Flag(
        ("-fmad", "--fmad"),
        "fmad",
        lambda options, text: replace(options, fmad=text == "true"),
        "may a*b+c be one rounding? default: true",
        values=("true", "false"),
    ),
    Flag(
        ("--verify",),
        "verify",
        lambda options, _: replace(options, verify=True),
        "check at run time what the compiler assumes to be uniform",
        implied="true",
    ),
    Flag(
        ("--check-ir",),
        "check_ir",
        lambda options, _: replace(options, check_ir=True),
        "check after every pass that the tree of the program is as it should be",
        implied="true",
    ),
    Flag(
        ("--stats",),
        "stats",
        lambda options, _: replace(options, stats=True),
        "count what kernels and recursive traversals do, and say so when the program ends; see $S2S_STATS",
        implied="true",
    ),
    Flag(
        ("--warp-stats",),
        "warp_stats",
        _with_warp_stats,
        "count as --stats in gangs of 32, as a GPU has them, and what they ask of memory: for simt2simd predict",
        implied="true",
    ),
    Flag(
        ("--lanes",),
        "lanes",
        lambda options, text: replace(options, lanes=int(text)),
        "threads of a gang, of kernels that can have other than 16; default: whichever seem best",
        values=("16", "32", "64"),
    ),
    Flag(
        ("--traverse",),
        "traverse",
        _with_traverse,
        "the form of recursive traversals: recursive: calls under masks; lockstep: loops over a stack for each gang, "
        "where that can be; ropes: loops over a stack for each thread; static-ropes, static-ropes-lockstep: the same "
        "without a stack; refill: ropes, and a lane whose query is done takes the next one, where that can be; "
        "none: as written; auto (default): the best; with --emit cuda, a form that not all traversals of kernels can "
        "have is an error, and of lockstep and ropes each launch chooses one if auto is asked for; of kernels "
        "that launch themselves for the children of a tree's "
        "node: crec, crec-block: one launch for a level, a thread or a block for a node; flat: nodes add to all that "
        "they lie below",
        values=tuple(Traverse),
    ),
    Flag(
        ("--sort-queries",),
        "sort_queries",
        lambda options, _: replace(options, sort_queries=True),
        "sort the threads that search a tree in every launch; by default where that seems to be worth it",
        implied="true",
    ),
    Flag(
        ("--disable",),
        "disabled",
        _without,
        "compile without these optimisations; --disable=help lists them",
        metavar="NAME[,NAME]",
    ),
    Flag(
        ("-D", "--define-macro"),
        "defines",
        with_macro,
        "define a macro",
        metavar="NAME[=VALUE]",
    ),
    Flag(
        ("-I", "--include-path"),
        "include_dirs",
        lambda options, text: replace(options, include_dirs=(*options.include_dirs, text)),
        "look for headers here",
        metavar="DIR",
    ),
    Flag(
        ("-U", "--undefine-macro"),
        "undefines",
        lambda options, text: replace(options, undefines=(*options.undefines, text)),
        "leave a macro undefined, whatever -D says",
        metavar="NAME",
    ),
    Flag(
        ("-include", "--pre-include"),
        "pre_includes",
        lambda options, text: replace(options, pre_includes=(*options.pre_includes, text)),
        "include a file before the first line",
        metavar="FILE",
    ),
    Flag(
        ("-isystem", "--system-include"),
        "system_dirs",
        lambda options, text: replace(options, system_dirs=(*options.system_dirs, text)),
        "look for headers here after all other folders",
        metavar="DIR",
    ),
)

_BY_NAME = {name: flag for flag in FLAGS for name in flag.names}

# Without effect on a CPU, or what we always do.
_DEBUG = {"-lineinfo": "lines", "--generate-line-info": "lines", "-G": "device", "--device-debug": "device"}
_IGNORED = frozenset(
    """-w -default-device
    --default-device -ftz --ftz -prec-div --prec-div -prec-sqrt --prec-sqrt""".split()
)

_STANDARDS = ("c++03", "c++11", "c++14", "c++17", "c++20", "c++23")


def device_options(words: Sequence[str]) -> Options:
    """Return the options that `words` ask for; without `--target`, for this machine's CPU.

    Raises `ValueError` for a flag that is unknown or has a wrong value, `ToolError` if this CPU cannot run any
    target.
    """
    given: list[tuple[Flag, str]] = []
    architectures: list[str] = []
    debug: set[str] = set()
    standard: str | None = None
    remaining = iter(words)
    for word in remaining:
        name, equals, value = word.partition("=")
        if word[:2] in _BY_NAME:
            flag = _BY_NAME[word[:2]]
            given.append((flag, word[2:] or next(remaining, "")))
        elif name in _BY_NAME:
            flag = _BY_NAME[name]
            given.append((flag, flag.implied or (value if equals else next(remaining, ""))))
        elif name in ARCHITECTURES:
            architectures.append(value if equals else next(remaining, ""))
        elif name in ("-std", "--std"):
            standard = value if equals else next(remaining, "")
            if standard not in _STANDARDS:
                raise ValueError(f"option '-std': expected {_either(_STANDARDS)}, got '{standard}'")
        elif word in _DEBUG:
            debug.add(_DEBUG[word])
        elif name not in _IGNORED:
            raise ValueError(f"unknown option '{word}': known are {' '.join(_spelled(flag) for flag in FLAGS)}")
    for flag, text in given:
        if flag.values and text not in flag.values:
            raise ValueError(f"option '{flag.names[0]}': expected {_either(flag.values)}, got '{text}'")
    options = replace(options_of(given), device_only=True, architecture=architecture(architectures, OURS))
    options = replace(options, standard=standard)
    return with_debug(options, host=False, device="device" in debug, lines="lines" in debug)


def with_debug(options: Options, *, host: bool, device: bool, lines: bool) -> Options:
    """Return the options with nvcc's `-g`, `-G` and `-lineinfo`. `-G` switches off what changes kernels."""
    debug: Debug = "full" if host or device else "lines" if lines else ""
    if not debug:
        return options
    options = replace(options, debug=debug, debug_folder=os.getcwd())
    if not device:
        return options
    from ..pipeline import OPTIMISATIONS  # and with it LLVM

    return replace(options, optimise=0, disabled=frozenset(OPTIMISATIONS))


def options_of(given: Iterable[tuple[Flag, str]]) -> Options:
    """Return the options with all these values put in, in order."""
    given = list(given)
    options = Options() if any(flag.field == "target" for flag, _ in given) else Options(target=native())
    for flag, text in given:
        options = flag.apply(options, text)
    return options


def _spelled(flag: Flag) -> str:
    name = flag.names[0]
    if flag.values:
        return f"{name}{'' if len(name) == 2 else '='}{'|'.join(flag.values)}"
    return name if flag.implied or len(name) == 2 else f"{name}={flag.metavar}"


def _either(values: Sequence[str]) -> str:
    return f"{', '.join(values[:-1])} or {values[-1]}"
