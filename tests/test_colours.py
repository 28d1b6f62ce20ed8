"""Messages on a terminal."""

from __future__ import annotations

import os
import pty
import re
import subprocess
import sys
from pathlib import Path

from simt2simd.command.colours import coloured

MESSAGE = """k.cu:2:9: error: 'x' is not declared
    2 |     *a = x; // warning: note:
      |          ^~
k.cu:1:1: note: here
help: declare it
"""


def test_kinds_places_and_carets_have_colours() -> None:
    lines = coloured(MESSAGE).splitlines()
    assert lines[0] == "\033[1mk.cu:2:9: \033[0m\033[1;31merror:\033[0m 'x' is not declared"
    assert lines[1] == MESSAGE.splitlines()[1]
    assert lines[2] == "      |          \033[1;32m^~\033[0m"
    assert lines[3].startswith("\033[1mk.cu:1:1: \033[0m\033[1;36mnote:")
    assert lines[4].startswith("\033[1m\033[0m\033[1;32mhelp:")
    assert re.sub(r"\033\[[\d;]*m", "", coloured(MESSAGE)) == MESSAGE


def printed(file: Path, **variables: str) -> str:
    """Return what the compiler prints on a terminal about a file."""
    ours, theirs = pty.openpty()
    command = [sys.executable, "-m", "simt2simd", "compile", "-c", str(file), "-o", str(file.with_suffix(".o"))]
    subprocess.run(command, stderr=theirs, env={**os.environ, **variables}, check=False)
    os.close(theirs)
    found = b""
    try:
        while more := os.read(ours, 4096):
            found += more
    except OSError:  # the other side is closed, and all has been read
        pass
    os.close(ours)
    return found.decode()


def test_terminals_get_colours_unless_the_user_says_no(tmp_path: Path) -> None:
    file = tmp_path / "k.cu"
    file.write_text("__global__ void k(int *a) { *a = missing; }\nint host() { return also_missing; }\n")
    found = printed(file, NO_COLOR="")
    assert "\033[1;31merror:\033[0m 'missing' is not declared" in found
    assert found.count("\033[1;31merror:\033[0m") == 2  # the other one is the C++ compiler's
    assert "\033" not in printed(file, NO_COLOR="1")
