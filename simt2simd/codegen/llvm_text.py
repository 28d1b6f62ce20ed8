"""LLVM's IR as it prints it, line by line: what the passes that rewrite this text read it with.

An instruction is a line of a function: two spaces, `%name = ` if it has a result, and what makes it.
"""

from __future__ import annotations

import re

NAME = r'%(?:[-\w.$]+|"[^"]*")'
ATTRIBUTES = r"(?:[a-z_]+(?:\(\d+\)| \d+)? )*"  # of an argument of a call: `nonnull align 4 `
NAMES = re.compile(NAME)
DEFINITION = re.compile(rf"  ({NAME}) = (.*)$")  # an instruction with a result: its name, and what makes it


def functions(text: str) -> list[str]:
    """Split a module before each function that it defines. What follows a function's last line goes with it."""
    return re.split(r"(?m)^(?=define )", text)


def arguments(line: str, start: int) -> tuple[list[str], str]:
    """Return the arguments of a call that begin at `start`, and what follows the call."""
    found: list[str] = []
    depth = 0
    for i in range(start, len(line)):
        match line[i]:
            case "(" | "<" | "[" | "{":
                depth += 1
            case ")" if depth == 0:
                return [*found, line[start:i].strip()], line[i + 1 :]
            case ")" | ">" | "]" | "}":
                depth -= 1
            case "," if depth == 0:
                found.append(line[start:i].strip())
                start = i + 1
    raise AssertionError(line)


def typed(argument: str) -> tuple[str, str]:
    """Return the vector type of an argument, and its value."""
    kind, value = argument.split("> ", 1)
    return f"{kind}>", value


def without_attributes(rest: str) -> str:
    """Return what follows a call, without the number of its attributes: another instruction has none of these."""
    return re.sub(r"^ #\d+", "", rest)
