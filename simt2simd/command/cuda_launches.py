"""What `--emit cuda` adds to a program whose launches have to do more than run a kernel, and how it launches.

    __global__ void k(int n) { ... }        __global__ void k(int n) { ... }
                                            static void k_launch(const s2s_launch_at &at, int n);
                                       ->   ... what the launch needs (`cuda_launchers`) ...
                                            static void k_launch(const s2s_launch_at &at, int n) { ... }
    k<<<grid, block>>>(7);                  k_launch(s2s_launch_at(grid, block), 7);

A launch is changed where the text names it, in functions, lambdas, templates and macros alike. Where the text names a
kernel in another way, such as by its address, it may be launched as it was written: that is refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from ..frontend.parse.definitions import Definition
from ..pipeline import Compiled
from ..tree.nodes import Function
from . import cuda_launchers
from .cuda_launchers import NAMES, Parts, launched, launcher

Edit = tuple[int, int, str]  # put a text in place of the characters from the first place to before the second


@dataclass(frozen=True)
class Launches:
    """What is added: `texts`, the new device functions and kernels; `edits` of the program's text.

    `own`: the names of functions that are added besides. `left`: the kernels for which nothing can be added, and why.
    """

    texts: Mapping[str, str]
    edits: tuple[Edit, ...]
    own: frozenset[str]
    left: Mapping[str, str]


NONE = Launches({}, (), frozenset(), {})


def launches_for(compiled: Compiled, texts: Mapping[str, str], places: Mapping[str, Definition | str]) -> Launches:
    """Return what is added to a program; `texts`: all its functions after the rewrites, as CUDA-C."""
    kernels = launched(compiled)
    if not kernels:
        return NONE
    functions = compiled.module.functions
    made = {name: text for name, text in texts.items() if functions[name].helps is not None}
    source = without_comments(compiled.source.text)
    found: dict[str, Definition] = {}
    edits: list[Edit] = []
    own = [name for parts in kernels for name in parts.own]
    for parts in kernels:
        name, place = parts.kernel.name, places[parts.kernel.name]
        if isinstance(place, str):
            return left_out(compiled, place)
        found[name] = place
        if "=" in source[place.head : place.body]:
            return left_out(compiled, "a parameter of it has a default value")
        try:
            edits += _replaced(source, parts, place, places)
        except _OtherUse as use:
            return left_out(compiled, str(use))
    for name in (*made, *own, *(_launcher(kernel) for kernel in found), *NAMES):
        if re.search(rf"\b{name}\b", source):
            return left_out(compiled, f"the name '{name}', for a part of it, is taken")
    first = min(place.end for place in found.values())
    last = max(place.end for place in found.values())
    for name, place in found.items():
        begin = cuda_launchers.AT if place.end == first else ""
        edits.append((place.end, place.end, f"\n{begin}{_head(functions[name], texts[name])};\n"))
    heads = "".join(text.partition(" {\n")[0] + ";\n" for text in made.values())
    support = cuda_launchers.support(kernels)
    launchers = [launcher(parts, _head(parts.kernel, texts[parts.kernel.name]), texts) for parts in kernels]
    edits.append((last, last, "\n".join(["", heads, *made.values(), support, *launchers])))
    includes = cuda_launchers.includes(kernels)
    edits.append((0, 0, includes))
    return Launches(made, tuple(edits), frozenset(own) | NAMES, {})


def kernels_of(compiled: Compiled) -> frozenset[str]:
    """Return the kernels whose launches are changed."""
    return frozenset(parts.kernel.name for parts in launched(compiled))


def left_out(compiled: Compiled, why: str) -> Launches:
    """Return that nothing is added, as that cannot be."""
    return Launches({}, (), frozenset(), {parts.kernel.name: why for parts in launched(compiled)})


def _launcher(name: str) -> str:
    return f"{name}_launch"


def _head(kernel: Function, text: str) -> str:
    params = cuda_launchers.params_of(kernel, text)
    return f"static void {_launcher(kernel.name)}(const s2s_launch_at &at{f', {params}' if params else ''})"


# ------------------------------------------------------------------------------------------------ the program's text

_COMMENT = re.compile(
    r'//(?:\\\n|[^\n])*|/\*.*?\*/|\bR"(?P<fence>[^()\\\s]{0,16})\(.*?\)(?P=fence)"'
    r"|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])'",
    re.DOTALL,
)


def without_comments(text: str) -> str:
    """Return a program's text with blanks in place of its comments and strings."""
    return _COMMENT.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text)


class _OtherUse(Exception):
    """The text names a kernel in a way that may be a launch, and that cannot be changed."""


# Functions of CUDA that ask about a kernel, or prepare it, without launching it.
_ASKING = re.compile(r"\bcuda(?:Func\w+|Occupancy\w+)\s*(?:<[^;(]*>)?\s*\([^;{}]*\Z")


def _replaced(source: str, parts: Parts, place: Definition, places: Mapping[str, Definition | str]) -> Iterator[Edit]:
    """Change the launches of a kernel. Raises `_OtherUse` for one that cannot be changed."""
    name = parts.kernel.name
    device = [(other.first, other.end) for other in places.values() if isinstance(other, Definition)]
    for found in re.finditer(rf"(?<![\w.]){name}(?!\w)", source):
        at = found.start()
        if place.first <= at < place.body or _is_declared(source, found.end()) or _is_asked_for(source, at):
            continue
        line = source.count("\n", 0, at) + 1
        if any(first <= at < end for first, end in device):
            raise _OtherUse(f"device code launches it, or a function of its name, in line {line}")
        opening = re.compile(r"\s*<<<").match(source, found.end())
        if opening is None and not _is_value(source, at, found.end()):
            continue  # something else has that name
        end = _config_end(source, opening.end()) if opening is not None else None
        args = re.compile(r">>>\s*\(\s*").match(source, end) if end is not None else None
        if opening is None or end is None or args is None or re.search(r"(?:::|->)\s*\Z", source[:at]):
            raise _OtherUse(f"line {line} names it in another way than '{name}<<<...>>>(...)'")
        if at < place.end:
            raise _OtherUse(f"line {line} launches it before its definition")
        yield at, opening.end(), f"{_launcher(name)}(s2s_launch_at("
        yield end, args.end(), ")" if source[args.end()] == ")" else "), "


def _is_value(source: str, begin: int, end: int) -> bool:
    """Whether a name is used as a value."""
    before = source[:begin].rstrip()
    after = re.compile(r"\s*([,;)}]|\Z)").match(source, end) is not None
    return after and (before[-1:] in ("(", ",", "=", "&", ")", "{", "?", ":") or before.endswith("return"))


def _is_declared(source: str, after: int) -> bool:
    """Whether a name is that of a declaration or a definition: `__global__ void k(`."""
    begin = max(source.rfind(end, 0, after) for end in ";{}")
    return "__global__" in source[begin + 1 : after] and "<<<" not in source[begin + 1 : after]


def _is_asked_for(source: str, at: int) -> bool:
    return _ASKING.search(source, max(0, at - 300), at) is not None


def _config_end(source: str, at: int) -> int | None:
    """Return where the `>>>` is that ends an execution configuration."""
    depth = 0
    while at < len(source):
        if depth == 0 and source.startswith(">>>", at):
            return at
        depth += {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}.get(source[at], 0)
        if depth < 0 or source[at] == ";":
            return None
        at += 1
    return None
