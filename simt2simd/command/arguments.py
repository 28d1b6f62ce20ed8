"""The arguments of the command line: the tables of options, and what argparse makes of them.

`parse` ends in `SystemExit` for wrong arguments, `--help` and lists.
"""

from __future__ import annotations

import argparse
import textwrap
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import NoReturn

from .. import __version__
from ..options import Options
from ..python import flags
from ..python.architecture import OURS, architecture
from . import nvcc_flags
from .job import HOST_DUMP, LISTING_TEXT, LISTING_WITH_CODE, TEXTS

_DESCRIPTION = """\
Compile CUDA-C for the CPU: sixteen CUDA threads ride in the sixteen lanes of a vector register.

  simt2simd compile nn.cu -o nn                     an executable for this CPU
  simt2simd compile nn.cu -o nn.gpu --target cuda   the same file by nvcc, for comparison
  simt2simd run nn.cu -- 70000                      compile and run, with an argument
  simt2simd compile nn.cu --remarks                 what is slow and why, with line numbers
  simt2simd nvcc -c nn.cu -MD                       the same by nvcc's own command line, for builds
  simt2simd toolkit --path                          a folder that build systems take for the CUDA toolkit
  simt2simd cache                                   where compiled code is kept, and how much
  simt2simd predict nn.cu --stats-file nn.json      what its kernels take on this CPU and on a GPU, by counts
  simt2simd doctor                                  what this machine has, and what to install
"""

_COMPILE = """\
Compile CUDA-C files to a program for the CPU. Flags have nvcc's names and meanings where nvcc has the flag.
Kernels are compiled by simt2simd, everything else by the C++ compiler: $CXX, or c++, g++, clang++.

C and C++ files (.c .cc .cpp .cxx), objects and libraries (.o .a .so) are compiled and linked as nvcc does it.
With -c, each file gives one object, which holds its host and its device part.
"""

_RUN = """\
Compile CUDA-C files to a temporary program and run it. What follows -- goes to the program; its exit code is ours.
"""

_CACHE = """\
$SIMT2SIMD_CACHE_DIR is the folder, by default ~/.cache/simt2simd/kernels; $SIMT2SIMD_CACHE_SIZE how large it may grow,
by default 256M; 0 turns the cache off.
"""

_GDB = (
    "In gdb, 's2s thread' says where the gang is, 's2s thread X,Y,Z' chooses one of its threads, and 's2s locals' and "
    "'s2s print NAME' show what that thread has."
)
CUDA = "cuda"  # as a target: nvcc compiles
_LIST = "help"  # in place of a name: list them all


def parse(argv: list[str]) -> tuple[str, argparse.Namespace, list[str]]:
    """Return the command, its arguments, and what follows `--`."""
    parser = argparse.ArgumentParser(
        prog="simt2simd", description=_DESCRIPTION, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--version", action="version", version=f"simt2simd {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    compiling = _add_command(
        commands, "compile", "compile .cu files to an executable, an object, assembly, LLVM IR or CUDA-C", _COMPILE
    )
    _add_group(compiling, "output", _OUTPUT)
    compiling.set_defaults(emit="exe")
    running = _add_command(commands, "run", "compile and run: simt2simd run FILE.cu [options] -- ARGS", _RUN)
    running.set_defaults(output=None, emit="exe", keep=False, device_c=False)
    for command in (compiling, running):
        _add_options(command)
    doctor = "say what this machine has: CPU features, C++ compiler, nvcc, GPU; and what to install"
    commands.add_parser("doctor", help=doctor, description=doctor.capitalize())
    cache = "show where compiled code is kept, how many entries there are, and how much room they take; or remove them"
    caching = commands.add_parser("cache", help=cache, description=cache.capitalize(), epilog=_CACHE)
    caching.add_argument("--clear", action="store_true", help="remove all compiled code")
    _add_toolkit(commands)
    _add_predict(commands, argv)
    debugging = "run gdb on a program that was compiled with -g, with commands that show one thread of a gang"
    gdb = commands.add_parser("gdb", help=debugging, description=debugging.capitalize(), epilog=_GDB)
    gdb.add_argument(
        "program",
        metavar="PROGRAM",
        help="the program; its arguments follow, and gdb's options and -- may precede it",
    )
    commands.add_parser("nvcc", help="compile with nvcc's options: simt2simd nvcc --help lists them", add_help=False)

    program_args: list[str] = []
    if argv[:1] == ["run"] and "--" in argv:
        at = argv.index("--")
        argv, program_args = argv[:at], argv[at + 1 :]
    argv = _joined(argv)
    chosen = {"compile": compiling, "run": running}.get(argv[0] if argv else "", parser)
    if chosen is not parser:
        _check_names(argv[1:], chosen)
    args = parser.parse_args(argv)
    if args.command in ("doctor", "cache", "toolkit", "predict"):
        return args.command, args, []
    if CUDA in args.target[-1:] and (
        args.dump_ir or args.check_ir or args.remarks or args.listing or args.verify or args.stats or args.emit in TEXTS
    ):
        chosen.error(
            "--target cuda only calls nvcc: "
            "--dump-ir, --check-ir, --remarks, --listing, --verify, --stats and --emit do not go with it"
        )
    if CUDA in args.target[-1:] and (args.traverse[-1:] not in ([], ["auto"]) or args.sort_queries):
        chosen.error("--target cuda only calls nvcc: --emit cuda writes the program that --traverse asks for, for nvcc")
    if args.counts_file is not None and args.listing is None:
        chosen.error("--stats-file is for --listing")
    if args.emit in TEXTS and any(not file.endswith(".cu") for file in args.files):
        chosen.error(f"--emit {args.emit} takes .cu files")
    if args.emit in TEXTS and (args.device_c or args.relocatable == "true"):
        chosen.error(f"--emit {args.emit} takes whole programs: it does not go with -rdc=true")
    if args.emit == "cuda" and len(args.files) > 1:
        chosen.error(f"--emit cuda takes one .cu file: {len(args.files)} given")
    return args.command, args, program_args


def _check_names(words: list[str], parser: argparse.ArgumentParser) -> None:
    """End with an error at a word that is no option of `parser`: argparse would read `-objtemp` as `-o bjtemp`."""
    known = frozenset(name for action in parser._actions for name in action.option_strings)
    for word in words:
        if word == "--":
            return
        if why := nvcc_flags.why_refused(word, known):
            parser.error(why)


# nvcc's options that take the next word as their value even if that begins with a dash.
_TAKES_DASHES = frozenset(
    "-Xcompiler --compiler-options -Xlinker --linker-options -Xptxas --ptxas-options -Xnvlink --nvlink-options".split()
)


def _joined(argv: list[str]) -> list[str]:
    """Write `-Xcompiler -Wall` as `-Xcompiler=-Wall`: argparse would take the second word for an option of ours."""
    joined: list[str] = []
    words = iter(argv)
    for word in words:
        if word == "--listing":  # its value, if any, follows `=`: a file that follows is no value
            word = f"{word}={LISTING_TEXT}"
        value = next(words, None) if word in _TAKES_DASHES else None
        joined.append(word if value is None else f"{word}={value}")
    return joined


def _add_command(
    commands: argparse._SubParsersAction[argparse.ArgumentParser], name: str, summary: str, description: str
) -> argparse.ArgumentParser:
    parser = commands.add_parser(
        name,
        help=summary,
        description=description,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    parser.add_argument("files", nargs="+", metavar="FILE", help="program files; kernels are in .cu files")
    return parser


def _add_predict(commands: argparse._SubParsersAction[argparse.ArgumentParser], argv: list[str]) -> None:
    text = "foretell what each kernel takes on this CPU and on a GPU, from what a run has counted"
    if argv[:1] != ["predict"]:
        commands.add_parser("predict", help=text)
        return
    from . import predict

    predict.add_arguments(commands.add_parser("predict", description=text.capitalize(), epilog=predict.HOW))


def _add_toolkit(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    summary = "print or make a folder that build systems take for the CUDA toolkit: bin/nvcc, include, lib64"
    parser = commands.add_parser("toolkit", help=summary, description=summary.capitalize())
    what = parser.add_mutually_exclusive_group(required=True)
    what.add_argument("--path", action="store_true", help="print the folder, which is made if it is not there")
    what.add_argument("--to", metavar="DIR", help="make one here, such as /usr/local/cuda; nothing may be there")


def _stages(text: str) -> list[str]:
    from .. import pipeline

    dumps = {HOST_DUMP: "kernels become launch stubs", **{row.name: row.why for row in pipeline.STAGES}}
    dumps |= {"after-all": "what each rewrite of the tree changed", "assembly": "the machine code"}
    if text == _LIST:
        width = max(map(len, dumps))
        _print_list(f"  {name:<{width}}  {why}" for name, why in dumps.items())
    stages = text.split(",")
    for stage in stages:
        if stage not in dumps:
            raise argparse.ArgumentTypeError(f"no stage '{stage}': choose from {', '.join(dumps)}")
    return stages


def _listing(text: str) -> str:
    if text in (LISTING_TEXT, LISTING_WITH_CODE) or text.endswith((".html", ".htm")):
        return text
    raise argparse.ArgumentTypeError(f"'{text}' is neither {LISTING_WITH_CODE} nor the name of an HTML file")


def _print_list(lines: Iterable[str]) -> NoReturn:
    print("\n".join(lines))
    raise SystemExit(0)


@dataclass(frozen=True)
class _Option:
    """An option that is not one of the flags for device code.

    `names` have spaces between them, `field` is where its value goes, and `choices` are all that the value may be. An
    option without `metavar` and `choices` takes no value and stores `implied`. `many` collects the values of all times
    that it is given.
    """

    names: str
    field: str
    help: str
    metavar: str | None = None
    many: bool = False
    implied: bool | str = True
    choices: tuple[str, ...] | None = None
    read: Callable[[str], object] = str


_OUTPUT = (
    _Option(
        "-o --output-file", "output", "default: a.out, NAME.o ...; - prints text, the default of --emit cuda", "FILE"
    ),
    _Option("-c --compile", "emit", "the same as --emit object", implied="object"),
    _Option("-dc --device-c", "device_c", "the same as -c -rdc=true"),
    _Option(
        "-dlink --device-link", "emit", "only link the device code of objects, into one more object", implied="linked"
    ),
    _Option(
        "--emit",
        "emit",
        "what to make (default: exe); assembly and llvm are those of the kernels, cuda is the program as our rewrites "
        "leave it, for nvcc",
        choices=("exe", "object", *TEXTS),
    ),
    _Option("--keep -keep", "keep", "leave NAME.ll, NAME.s, NAME.host.ii and the objects beside the output"),
)

_REPORTS = (
    _Option(
        "--remarks",
        "remarks",
        "report what each access, branch and call in loops became and why, worst first",
        implied="text",
    ),
    _Option(
        "--listing",
        "listing",
        "print each line of device code with its shape, mask, accesses, cost and instructions; =asm: and the code of "
        "these; =FILE.html: as one HTML file",
        "HOW",
        read=_listing,
    ),
    _Option("--stats-file", "counts_file", "with --listing: what a run under --stats has counted", "FILE"),
    # An option of its own, so that `--remarks FILE` does not take FILE for a value.
    _Option("--remarks=json", "remarks", "the same to stdout, as a JSON list", implied="json"),
    _Option(
        "--remarks=missed",
        "remarks",
        "only what costs, the most expensive first, and each kernel in short",
        implied="missed",
    ),
    _Option("--remarks=all", "remarks", "as --remarks", implied="text"),
    _Option(
        "--dump-ir",
        "dump_ir",
        "print what these stages make; --dump-ir=help lists them",
        "STAGE[,STAGE]",
        read=_stages,
    ),
    _Option("-v --verbose", "verbose", "print the commands that are run"),
)

_HOST = (
    _Option("-std --std", "std", "language of the host code: c++14, c++17, ...", "STD"),
    _Option("-g --debug", "debug", "debug information; host code is not optimised, unless -O says so"),
    _Option("-G --device-debug", "device_debug", "the same, and kernels are not optimised either"),
    _Option("-lineinfo --generate-line-info", "line_info", "the lines of kernels, for profilers"),
    _Option("-ccbin --compiler-bindir", "ccbin", "the C++ compiler; default: $CXX", "CXX"),
    _Option("-Xcompiler --compiler-options", "compiler_options", "for the C++ compiler", "OPTIONS", many=True),
    _Option("-Xlinker --linker-options", "linker_options", "for the linker", "OPTIONS", many=True),
    _Option("-l --library", "library", "link with libLIB", "LIB", many=True),
    _Option("-L --library-path", "library_path", "look for libraries here", "DIR", many=True),
)

_LINKING = _Option(
    "-rdc --relocatable-device-code",
    "relocatable",
    "may files use the device functions and variables of other files? default: false",
    choices=("true", "false"),
)

_FOR_HOST_TOO = (
    "defines",
    "include_dirs",
    "undefines",
    "pre_includes",
    "system_dirs",
)  # fields of flags that both compilers get


def _add_flag(group: argparse._ArgumentGroup, flag: flags.Flag) -> None:
    """Add a flag for device code; its values are collected as texts."""
    if flag.implied is not None:
        group.add_argument(
            *flag.names, dest=flag.field, action="append_const", const=flag.implied, default=[], help=flag.help
        )
        return
    is_target = flag.field == "target"
    group.add_argument(
        *flag.names,
        dest=flag.field,
        action="append",
        default=[],
        type=str if flag.values else _checked(flag),
        choices=(*flag.values, CUDA) if is_target else flag.values or None,
        metavar=flag.metavar,
        help=flag.help + ("; cuda: by nvcc" if is_target else ""),
    )


def _checked(flag: flags.Flag) -> Callable[[str], str]:
    """Return a function that returns the value of a flag if options can hold it; `_LIST` prints the optimisations."""

    def check(text: str) -> str:
        if flag.field == "disabled" and text == _LIST:
            from .. import pipeline

            _print_list([pipeline.list_optimisations()])
        try:
            flag.apply(Options(), text)
        except ValueError as fault:
            raise argparse.ArgumentTypeError(str(fault)) from fault
        return text

    return check


def _add_option(group: argparse._ArgumentGroup, option: _Option) -> None:
    names = option.names.split()
    if option.metavar is None and option.choices is None:
        off = False if option.implied is True else None
        group.add_argument(
            *names, dest=option.field, action="store_const", const=option.implied, default=off, help=option.help
        )
        return
    group.add_argument(
        *names,
        dest=option.field,
        action="append" if option.many else "store",
        default=[] if option.many else None,
        type=option.read,
        choices=option.choices,
        metavar=option.metavar,
        help=option.help,
    )


def _add_group(
    parser: argparse.ArgumentParser, title: str, rows: Iterable[_Option | flags.Flag]
) -> argparse._ArgumentGroup:
    group = parser.add_argument_group(title)
    for row in rows:
        if isinstance(row, flags.Flag):
            _add_flag(group, row)
        else:
            _add_option(group, row)
    return group


def _add_options(parser: argparse.ArgumentParser) -> None:
    """Add what `compile` and `run` share."""
    host_too = [flag for flag in flags.FLAGS if flag.field in _FOR_HOST_TOO]
    code = [flag for flag in flags.FLAGS if flag not in host_too]
    generating = _add_group(parser, "code generation", [*code, _LINKING])
    for names in nvcc_flags.ARCHITECTURES:
        generating.add_argument(
            *names, dest="nvcc_args", action=_ForNvcc, default=[], metavar="ARCH", type=_architecture,
            help="the GPU that _CUDA_ARCH__ names: sm_80; the default is sm_90",
        )  # fmt: skip
    _add_group(parser, "what the compiler does", _REPORTS)
    _add_warnings(parser)
    _add_group(parser, "program text and host code", [*host_too, *_HOST])
    group = parser.add_argument_group("nvcc's options without effect on a CPU; --target cuda passes them on")
    for names in nvcc_flags.IGNORED_SWITCHES:
        group.add_argument(*names, dest="nvcc_args", action=_ForNvcc, nargs=0, default=[], help=argparse.SUPPRESS)
    for names in nvcc_flags.IGNORED_WITH_VALUE:
        group.add_argument(*names, dest="nvcc_args", action=_ForNvcc, default=[], help=argparse.SUPPRESS)
    ignored = (names[0] for names in (*nvcc_flags.IGNORED_WITH_VALUE, *nvcc_flags.IGNORED_SWITCHES))
    group.description = textwrap.fill(" ".join(ignored), 100, break_on_hyphens=False)


def _architecture(text: str) -> str:
    try:
        architecture([text], OURS)
    except ValueError as fault:
        raise argparse.ArgumentTypeError(str(fault)) from fault
    return text


def _add_warnings(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("warnings")
    hidden, errors = "no warnings", "errors in place of warnings about kernels; KIND is all-warnings"
    group.add_argument("-w", "--disable-warnings", dest="nvcc_args", action=_ForNvcc, nargs=0, default=[], help=hidden)
    group.add_argument("-Werror", "--Werror", dest="nvcc_args", action=_ForNvcc, metavar="KIND", help=errors)
    parser.set_defaults(warnings="shown")


class _ForNvcc(argparse.Action):
    """Collects an option with its value, as nvcc wants to see it."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: object,
        option_string: str | None = None,
    ) -> None:
        value = [values] if isinstance(values, str) else []
        setattr(namespace, self.dest, [*getattr(namespace, self.dest), option_string, *value])
        if option_string in ("-w", "--disable-warnings"):
            namespace.warnings = "hidden"
        if option_string in ("-Werror", "--Werror") and namespace.warnings == "shown":
            kinds = str(values).split(",")
            namespace.warnings = "errors" if "all-warnings" in kinds else "shown"
