"""The command line: arguments in, exit code out.

0: done. 1: the program has faults, or something is missing. 2: wrong arguments. `run` gives the program's own code.
"""

from __future__ import annotations

import argparse
import os
import sys
import traceback
import warnings
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from ..diag import BuildFailed, CompileError, InternalError, ToolError
from ..options import Options
from ..python import flags
from ..python.architecture import OURS, architecture, in_words
from ..python.cache import default_cache
from ..target import TARGETS
from .arguments import CUDA, parse
from .colours import print_message
from .debugging import run_gdb
from .job import Job
from .toolchain import HostFlags


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return the exit code; wrong arguments, `--help` and lists end in `SystemExit`.

    A reader of our output may end at any time, as `head -1` does: that is no fault, and nothing is said of it.
    """
    _open_closed_streams()
    try:
        try:
            return _main(list(sys.argv[1:] if argv is None else argv))
        finally:
            sys.stdout.flush()  # at exit, Python would report what it cannot write
    except BrokenPipeError:
        return 1
    except OSError as fault:
        where = f" '{fault.filename}'" if fault.filename else ""
        return _failed(f"simt2simd: error: cannot read or write{where}: {(fault.strerror or str(fault)).lower()}")
    finally:
        _discard_unwritten()


def _main(argv: list[str]) -> int:
    if argv[:1] == ["nvcc"]:
        from . import nvcc

        return _reporting(lambda: nvcc.main(argv[1:]))
    if argv[:1] == ["gdb"] and argv[1:] and argv[1] not in ("-h", "--help"):
        return _reporting(lambda: run_gdb(argv[1:]))
    command, args, program_args = parse(argv)
    return _reporting(lambda: _run_command(command, args, program_args))


def _reporting(run: Callable[[], int]) -> int:
    """Return the exit code of what `run` does, with its warnings and errors printed."""
    try:
        with warnings.catch_warnings():
            warnings.showwarning = lambda message, *_, **__: _warn(str(message))
            return run()
    except (BuildFailed, CompileError) as fault:
        return _failed(str(fault))
    except ToolError as fault:
        return _failed(f"simt2simd: error: {fault}")
    except KeyboardInterrupt:
        return 130
    except OSError:
        raise
    except Exception as fault:
        if os.environ.get("S2S_DEBUG") == "1":
            traceback.print_exception(fault)
        known = fault if isinstance(fault, InternalError) else InternalError("driver", fault)
        return _failed(f"simt2simd: {known}\nhelp: set S2S_DEBUG=1 to see where")


def _open_closed_streams() -> None:
    """Print into nothing where the caller has closed stdout or stderr: to Python they are None then."""
    sys.stdout = sys.stdout or os.fdopen(_nowhere(), "w")
    sys.stderr = sys.stderr or os.fdopen(_nowhere(), "w")


def _discard_unwritten() -> None:
    """Turn a stream that cannot be written to nothing, so that Python does not try once more at exit."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            os.dup2(_nowhere(), stream.fileno())


def _nowhere() -> int:
    return os.open(os.devnull, os.O_WRONLY)


def _warn(message: str) -> None:
    print_message(f"simt2simd: warning: {message}")


def _failed(message: str) -> int:
    print_message(message)
    return 1


def _run_command(command: str, args: argparse.Namespace, program_args: list[str]) -> int:
    if command == "doctor":
        from . import doctor

        return doctor.main()
    if command == "predict":
        from . import predict

        return predict.main(args)
    if command == "cache":
        return _show_cache(clear=args.clear)
    if command == "toolkit":
        from . import toolkit

        if args.to is not None:
            toolkit.install(Path(args.to).absolute())
        else:
            print(toolkit.folder())
        return 0
    from . import build

    job = Job(
        files=tuple(args.files),
        output=args.output,
        emit="object" if args.device_c else args.emit,
        options=_device_options(args),
        flags=_host_flags(args),
        nvcc=CUDA in args.target[-1:],
        nvcc_args=(*["-G"] * args.device_debug, *["-lineinfo"] * args.line_info, *args.nvcc_args),
        cxx=args.ccbin,
        keep=args.keep,
        remarks=args.remarks,
        warnings=args.warnings,
        dumps=tuple(args.dump_ir or ()),
        listing=args.listing,
        counts_file=args.counts_file,
        choose=args.traverse[-1:] == ["auto"],
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
        print(f"{len(entries)} entries removed")
        return 0
    size = sum(entry.bytes for entry in entries)
    if (obstacle := cache.obstacle()) is not None:
        print(f"not used: {obstacle}")
    print(f"{cache.folder}\n{len(entries)} entries, {size / 2**20:.1f} MiB of {cache.limit_bytes / 2**20:.0f} MiB")
    return 0


def _device_options(args: argparse.Namespace) -> Options:
    given = [(flag, text) for flag in flags.FLAGS for text in getattr(args, flag.field)]
    any_target = next(iter(TARGETS))  # nvcc looks at none of it
    options = flags.options_of((flag, any_target if text == CUDA else text) for flag, text in given)
    options = flags.with_debug(
        options, host=args.debug, device=args.device_debug, lines=args.line_info or args.listing is not None
    )
    number = 0 if args.target[-1:] == [CUDA] else architecture(in_words(args.nvcc_args), OURS)
    relocatable = args.device_c or args.relocatable == "true"
    return replace(options, relocatable=relocatable, architecture=number, standard=args.std)


def _host_flags(args: argparse.Namespace) -> HostFlags:
    return HostFlags(
        optimise=int(args.optimise[-1]) if args.optimise else 0 if args.debug or args.device_debug else 2,
        debug=args.debug or args.device_debug,
        standard=args.std,
        defines=tuple(args.defines),
        include_dirs=tuple(args.include_dirs),
        undefines=tuple(args.undefines),
        pre_includes=tuple(args.pre_includes),
        system_dirs=tuple(args.system_dirs),
        compile_args=(
            *(["-w"] if args.warnings == "hidden" else []),
            *(part for text in args.compiler_options for part in text.split(",")),
        ),
        link_args=(
            *(f"-L{path}" for path in args.library_path),
            *(f"-Wl,{text}" for text in args.linker_options),
            *(f"-l{name}" for name in args.library),
        ),
        echo=args.verbose,
    )
