"""nvcc's options for debuggers, and `simt2simd gdb`: gdb with commands that show one thread of a gang."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from ..diag import ToolError
from ..options import Debug, Options

SCRIPT = Path(__file__).parent / "gdb_threads.py"


def with_debug(options: Options, *, host: bool, device: bool, lines: bool) -> Options:
    """Return the options with nvcc's `-g`, `-G` and `-lineinfo`. `-G` switches off what changes kernels."""
    debug: Debug = "full" if host or device else "lines" if lines else ""
    if not debug:
        return options
    options = replace(options, debug=debug, debug_folder=os.getcwd())
    if not device:
        return options
    from .. import pipeline

    return replace(options, optimise=0, disabled=frozenset(pipeline.OPTIMISATIONS))


def run_gdb(words: Sequence[str]) -> int:
    """Replace this process by gdb, with our commands, for a program and its arguments; `ToolError` without gdb.

    In front of a `--` stand options of gdb.
    """
    gdb = shutil.which("gdb")
    if gdb is None:
        raise ToolError("there is no gdb: install it, on Debian and Ubuntu with 'apt install gdb'")
    sys.stdout.flush()
    at = words.index("--") if "--" in words else -1
    os.execv(gdb, [gdb, "-q", "-x", str(SCRIPT), *words[: max(at, 0)], "--args", *words[at + 1 :]])
