"""The command line: arguments in, exit code out.

0: done. 1: the program has faults, or something is missing. 2: wrong arguments. `run` gives the program's own code.
"""

from __future__ import annotations

import argparse
import os
import sys
import textwrap
import traceback
from collections.abc import Sequence

from .. import __version__, target
from ..diag import BuildFailed, CompileError, InternalError, ToolError
from ..python.cache import default_cache
from ..target import Options
from . import nvcc_flags
from .toolchain import HostFlags

_DESCRIPTION = """\
Compile CUDA-C for the CPU: sixteen CUDA threads ride in the sixteen lanes of a vector register.

  simt2simd compile nn.cu -o nn                     an executable for this CPU
  simt2simd compile nn.cu -o nn.gpu --target cuda   the same file by nvcc, for comparison
  simt2simd run nn.cu -- 70000                      compile and run, with an argument
  simt2simd compile nn.cu --remarks                 what is slow and why, with line numbers
  simt2simd cache                                   where compiled kernels are kept, and how many
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

_DUMPS = ("host", "preprocess", "tree", "traverse", "shape", "llvm", "opt", "assembly")


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return the exit code; wrong arguments end in `SystemExit(2)`."""
    command, args, program_args = _parse(list(sys.argv[1:] if argv is None else argv))
    try:
        code = _run_command(command, args, program_args)
        sys.stdout.flush()
        return code
    except (BuildFailed, CompileError) as fault:
        return _failed(str(fault))
    except ToolError as fault:
        return _failed(f"simt2simd: error: {fault}")
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # whoever read our output has gone
        return 1
    except Exception as fault:
        if os.environ.get("S2S_DEBUG") == "1":
            traceback.print_exception(fault)
        known = fault if isinstance(fault, InternalError) else InternalError("driver", fault)
        return _failed(f"simt2simd: {known}\nhelp: set S2S_DEBUG=1 to see where")


def _failed(message: str) -> int:
    print(message, file=sys.stderr)
    return 1


def _run_command(command: str, args: argparse.Namespace, program_args: list[str]) -> int:
    if command == "doctor":
        from . import doctor

        return doctor.main()
    if command == "cache":
        return _show_cache(clear=args.clear)
    from . import build

    job = build.Job(
        files=tuple(args.files),
        output=args.output,
        emit=args.emit,
        options=_device_options(args),
        flags=_host_flags(args),
        nvcc=args.target == "cuda",
        nvcc_args=tuple(args.nvcc_args),
        cxx=args.ccbin,
        keep=args.keep,
        remarks=args.remarks,
        dumps=tuple(args.dump_ir),
    )
    if command == "run":
        return build.run(job, program_args)
    build.build(job)
    return 0


def _show_cache(*, clear: bool) -> int:
    cache = default_cache()
    entries = cache.entries()
    if clear:
        cache.clear()
        print(f"{len(entries)} programs removed")
        return 0
    size = sum(entry.bytes for entry in entries)
    print(f"{cache.folder}\n{len(entries)} programs, {size / 2**20:.1f} MiB of {cache.limit_bytes / 2**20:.0f} MiB")
    return 0


def _device_options(args: argparse.Namespace) -> Options:
    by_name = target.TARGETS | {"cuda": target.AVX512}  # nvcc looks at none of it
    return Options(
        target=by_name.get(args.target) or target.native(),
        fmad=args.fmad == "true",
        fast_math=args.use_fast_math,
        optimise=3 if args.optimise is None else args.optimise,
        verify=args.verify,
        lanes=args.lanes,
        defines=tuple(args.define),
        include_dirs=tuple(args.include_dir),
    )


def _host_flags(args: argparse.Namespace) -> HostFlags:
    return HostFlags(
        optimise=2 if args.optimise is None else args.optimise,
        debug=args.debug,
        standard=args.std,
        defines=tuple(args.define),
        include_dirs=tuple(args.include_dir),
        compile_args=tuple(part for text in args.compiler_options for part in text.split(",")),
        link_args=(
            *(f"-L{path}" for path in args.library_path),
            *(f"-Wl,{text}" for text in args.linker_options),
            *(f"-l{name}" for name in args.library),
        ),
        echo=args.verbose,
    )


# ------------------------------------------------------------------------------------------- arguments


def _parse(argv: list[str]) -> tuple[str, argparse.Namespace, list[str]]:
    """Return the command, its arguments, and what follows `--`."""
    parser = argparse.ArgumentParser(
        prog="simt2simd", description=_DESCRIPTION, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--version", action="version", version=f"simt2simd {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True)
    compiling = _add_command(
        commands, "compile", "compile .cu files to an executable, an object, assembly or LLVM IR", _COMPILE
    )
    _add_output_options(compiling)
    compiling.set_defaults(emit="exe")
    running = _add_command(commands, "run", "compile and run: simt2simd run FILE.cu [options] -- ARGS", _RUN)
    running.set_defaults(output=None, emit="exe", keep=False)
    for command in (compiling, running):
        _add_options(command)
    doctor = "say what this machine has: CPU features, C++ compiler, nvcc, GPU; and what to install"
    commands.add_parser("doctor", help=doctor, description=doctor.capitalize())
    cache = "show where compiled kernels are kept, how many, and how much room they take; or remove them"
    caching = commands.add_parser("cache", help=cache, description=cache.capitalize(), epilog=_CACHE)
    caching.add_argument("--clear", action="store_true", help="remove all compiled kernels")

    program_args: list[str] = []
    if argv[:1] == ["run"] and "--" in argv:
        at = argv.index("--")
        argv, program_args = argv[:at], argv[at + 1 :]
    argv = _joined(argv)
    chosen = {"compile": compiling, "run": running}.get(argv[0] if argv else "", parser)
    if chosen is not parser:
        _check_names(argv[1:], chosen)
    args = parser.parse_args(argv)
    if args.command in ("doctor", "cache"):
        return args.command, args, []
    if args.target == "cuda" and (args.dump_ir or args.remarks or args.verify or args.emit in ("assembly", "llvm")):
        chosen.error("--target cuda only calls nvcc: --dump-ir, --remarks, --verify and --emit do not go with it")
    if args.emit in ("assembly", "llvm") and any(not file.endswith(".cu") for file in args.files):
        chosen.error(f"--emit {args.emit} takes .cu files")
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


def _add_output_options(parser: argparse.ArgumentParser) -> None:
    group = parser.add_argument_group("output")
    group.add_argument(
        "-o", "--output-file", dest="output", metavar="FILE", help="default: a.out, NAME.o ...; - prints text"
    )
    group.add_argument(
        "-c", "--compile", "-dc", dest="emit", action="store_const", const="object", help="the same as --emit object"
    )
    group.add_argument(
        "--emit",
        choices=("exe", "object", "assembly", "llvm"),
        help="what to make (default: exe); assembly and llvm are those of the kernels",
    )
    group.add_argument(
        "--keep",
        "-keep",
        action="store_true",
        help="leave NAME.ll, NAME.s, NAME.host.ii and the objects beside the output",
    )


def _add_options(parser: argparse.ArgumentParser) -> None:
    """Add what `compile` and `run` share."""
    group = parser.add_argument_group("code generation")
    group.add_argument(
        "--target",
        choices=("native", *target.TARGETS, "cuda"),
        default="native",
        help="native: the best that this CPU has (default); cuda: by nvcc; others: for another machine",
    )
    group.add_argument(
        "-O",
        "--optimize",
        dest="optimise",
        type=int,
        choices=range(4),
        metavar="N",
        help="0 to 3; by default 3 for kernels and 2 for host code",
    )
    group.add_argument(
        "--use_fast_math", "-use_fast_math", action="store_true", help="quick and less precise math functions, as nvcc"
    )
    group.add_argument(
        "-fmad", "--fmad", choices=("true", "false"), default="true", help="may a*b+c be one rounding? default: true"
    )
    group.add_argument(
        "--verify", action="store_true", help="check at run time what the compiler assumes to be uniform"
    )
    group.add_argument(
        "--lanes",
        type=int,
        choices=(16, 32, 64),
        help="threads of a gang, of kernels that can have other than 16; default: whichever seem best",
    )
    group = parser.add_argument_group("what the compiler does")
    group.add_argument(
        "--remarks",
        action="store_const",
        const="text",
        help="tell what each access, branch and call in loops became and why, worst first",
    )
    group.add_argument(
        "--remarks=json",  # an option of its own, so that `--remarks FILE` does not take FILE for a value
        dest="remarks",
        action="store_const",
        const="json",
        help="the same to stdout, as a JSON list",
    )
    group.add_argument(
        "--dump-ir",
        type=_stages,
        default=[],
        metavar="STAGE[,STAGE]",
        help=f"print what these stages make: {', '.join(_DUMPS)}",
    )
    group.add_argument("-v", "--verbose", action="store_true", help="print the commands that are run")
    group = parser.add_argument_group("program text and host code")
    group.add_argument(
        "-D",
        "--define-macro",
        dest="define",
        type=_definition,
        action="append",
        default=[],
        metavar="NAME[=VALUE]",
        help="define a macro",
    )
    group.add_argument(
        "-I",
        "--include-path",
        dest="include_dir",
        action="append",
        default=[],
        metavar="DIR",
        help="look for headers here",
    )
    group.add_argument("-std", "--std", metavar="STD", help="language of the host code: c++14, c++17, ...")
    group.add_argument("-g", "--debug", action="store_true", help="debug information for host code")
    group.add_argument(
        "-ccbin", "--compiler-bindir", dest="ccbin", metavar="CXX", help="the C++ compiler; default: $CXX"
    )
    group.add_argument(
        "-Xcompiler", "--compiler-options", action="append", default=[], metavar="OPTIONS", help="for the C++ compiler"
    )
    group.add_argument(
        "-Xlinker", "--linker-options", action="append", default=[], metavar="OPTIONS", help="for the linker"
    )
    group.add_argument("-l", "--library", action="append", default=[], metavar="LIB", help="link with libLIB")
    group.add_argument(
        "-L", "--library-path", action="append", default=[], metavar="DIR", help="look for libraries here"
    )
    group = parser.add_argument_group("nvcc's options without effect on a CPU; --target cuda passes them on")
    for names in nvcc_flags.IGNORED_SWITCHES:
        group.add_argument(*names, dest="nvcc_args", action=_ForNvcc, nargs=0, default=[], help=argparse.SUPPRESS)
    for names in nvcc_flags.IGNORED_WITH_VALUE:
        group.add_argument(*names, dest="nvcc_args", action=_ForNvcc, default=[], help=argparse.SUPPRESS)
    ignored = (names[0] for names in (*nvcc_flags.IGNORED_WITH_VALUE, *nvcc_flags.IGNORED_SWITCHES))
    group.description = textwrap.fill(" ".join(ignored), 100, break_on_hyphens=False)


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


def _definition(text: str) -> str:
    try:
        return target.definition(text)
    except ValueError as fault:
        raise argparse.ArgumentTypeError(str(fault)) from fault


def _stages(text: str) -> list[str]:
    stages = text.split(",")
    for stage in stages:
        if stage not in _DUMPS:
            raise argparse.ArgumentTypeError(f"no stage '{stage}': choose from {', '.join(_DUMPS)}")
    return stages
