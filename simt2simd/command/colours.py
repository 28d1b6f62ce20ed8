"""Colours of messages on a terminal: those that C++ compilers use, for their messages and ours."""

from __future__ import annotations

import os
import re
import sys
from typing import TextIO

_BOLD, _RESET = "\033[1m", "\033[0m"
_OF_KIND = {
    "error": "\033[1;31m", "fatal error": "\033[1;31m", "warning": "\033[1;35m", "note": "\033[1;36m",
    "remark": "\033[1;36m", "help": "\033[1;32m",
}  # fmt: skip
_KINDS = "|".join(_OF_KIND)
_HEADER = re.compile(rf"^(?P<place>(?:\S[^\n]*?: )?)(?P<kind>{_KINDS}): ", re.MULTILINE)
_CARET = re.compile(r"^(?P<gutter> +\| [ \t]*)(?P<caret>\^~*)$", re.MULTILINE)


def print_message(text: str) -> None:
    """Print a message to stderr: in colours if that is a terminal, and the user has not set NO_COLOR (no-color.org)."""
    print(coloured(text) if in_colours(sys.stderr) else text, file=sys.stderr)


def in_colours(stream: TextIO) -> bool:
    """Whether what is printed to a stream has colours."""
    return stream.isatty() and not os.environ.get("NO_COLOR")


def coloured(text: str) -> str:
    """Return a message with the place in bold and the kind and the caret in their colours."""

    def header(found: re.Match[str]) -> str:
        place, kind = found["place"], found["kind"]
        return f"{_BOLD}{place}{_RESET}{_OF_KIND[kind]}{kind}:{_RESET} "

    text = _HEADER.sub(header, text)
    return _CARET.sub(lambda found: f"{found['gutter']}{_OF_KIND['help']}{found['caret']}{_RESET}", text)


def print_output(text: str) -> None:
    """Print what another tool has printed, if it has printed anything."""
    if text:
        print_message(text.rstrip("\n"))
