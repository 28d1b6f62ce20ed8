"""`simt2simd gdb`: gdb with commands that show one thread of a gang."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path

from ..diag import ToolError

SCRIPT = Path(__file__).parent / "gdb_threads.py"


def run_gdb(words: Sequence[str]) -> int:
    """Replace this process by gdb, with our commands, for a program and its arguments; `ToolError` without gdb.

    Options of gdb precede a `--`.
    """
    gdb = shutil.which("gdb")
    if gdb is None:
        raise ToolError("there is no gdb: install it, on Debian and Ubuntu with 'apt install gdb'")
    sys.stdout.flush()
    at = words.index("--") if "--" in words else -1
    os.execv(gdb, [gdb, "-q", "-x", str(SCRIPT), *words[: max(at, 0)], "--args", *words[at + 1 :]])
