"""Which forms of its kernels a program asks for: read from what the C++ compiler has made of the host part.

The host function of a kernel that is not simple holds a `s2s_reference` (cuda_runtime.h), whose texts say where the
kernel is and with which template arguments the C++ compiler has instantiated it. It is in the object file if the
host function is: a template that is never launched leaves nothing.

    "t.cu:3:scan:1"  "constexpr const char* s2s_text() [with S2S_ARGUMENTS = s2s_list<float, s2s_value<int, 3> >]"
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..diag import CompileError, Diagnostic
from ..lang.instance import Argument, Instance, Place
from ..source import Source, Span
from .elf import ObjectFile, Symbol

REFERENCE = "s2s_reference"  # the variable's name; in an object file it follows the function's
_PLACE, _ARGUMENTS = 16, 24  # offsets in struct s2s_reference

_LIST = re.compile(r"\[(?:with )?S2S_ARGUMENTS = (.*)\]$", re.DOTALL)
_ANONYMOUS = re.compile(r"(?:\{anonymous\}|\(anonymous namespace\)|'unnamed'|<unnamed>)::")
_LAMBDA = re.compile(r"<lambda\(|\(lambda at |'lambda|<lambda>")
_UNNAMED = re.compile(r"<unnamed |\(unnamed |\(anonymous |<anonymous |\{unnamed")
_LOCAL = re.compile(r"\)(?: const)?::(?!<lambda)")  # `main(int, char**)::S`
_OPENERS, _CLOSERS = "<([{", ">)]}"


def read_instances(object_file: bytes) -> list[Instance]:
    """Return what the host object asks for, sorted by place.

    Raises `CompileError` for template arguments that device code cannot know, `ValueError` if the file cannot be read.
    """
    found = _references(object_file)
    faults = [fault for instance, symbol in found.items() for fault in _check(instance, symbol)]
    if faults:
        raise CompileError(faults)
    return sorted(found, key=lambda i: (i.place.file, i.place.line, i.place.nth, i.place.name, i.key))


def linkage_names(object_file: bytes) -> dict[Instance, str]:
    """Return what the C++ compiler calls the instances: `_Z4scanIfEvPT_`. Raises `ValueError` for no object file."""
    found = {}
    for instance, symbol in _references(object_file).items():
        head, _, _ = symbol.name.rpartition(f"E{len(REFERENCE)}{REFERENCE}")
        if head.startswith("_ZZ"):  # a name in a function: Z, the function's name, E, the name
            found[instance] = f"_Z{head[3:]}"
    return found


def _references(object_file: bytes) -> dict[Instance, Symbol]:
    """Return the instances that the host object asks for, each with its `s2s_reference`."""
    file = ObjectFile(object_file)
    found: dict[Instance, Symbol] = {}
    for symbol in file.symbols:
        if REFERENCE not in symbol.name:
            continue
        place, key = file.text_at(symbol, _PLACE), file.text_at(symbol, _ARGUMENTS)
        if place is not None and key is not None:
            found.setdefault(Instance(Place.read(place), key, parse_arguments(key)), symbol)
    return found


def parse_arguments(key: str) -> tuple[Argument, ...]:
    """Return the template arguments in what `s2s_text` returns; none in an empty text. Raises `ValueError`."""
    if not key:
        return ()
    match = _LIST.search(key)
    if match is None:
        raise ValueError(f"not a list of template arguments: {key}")
    return _argument(match[1]).items


def _argument(text: str) -> Argument:
    """Return one argument, whose kind is given by the header's helpers."""
    name, inner = _split(text)
    match name:
        case "s2s_list":
            return Argument("pack", items=tuple(_argument(item) for item in inner))
        case "s2s_value":
            type_, value = inner
            return Argument("value", plain(value), plain(type_))
        case "s2s_template":
            return Argument("template", plain(inner[0]))
        case _:
            return Argument("type", plain(text))


def plain(text: str) -> str:
    """Return the text of a type or value as a program would write it.

    Our own helpers leave: a lambda's `s2s_closure<TAG<int>, its type>` is `TAG<int>`, `s2s_value<int, 3>` is `3`, and
    `s2s_value<const unsigned int, 3>` is `(unsigned int)3`.
    """
    text = " ".join(_ANONYMOUS.sub("", text).split())
    while (found := re.search(r"\bs2s_(closure|value|list)<", text)) is not None:
        end = _closing(text, found.end() - 1)
        inner = list(_items(text[found.end() : end]))
        kept = {"closure": inner[:1], "value": [_typed(*inner)] if inner[1:] else [], "list": inner}[found[1]]
        before, after = text[: found.start()], text[end + 1 :]
        if not kept:  # an empty list, and its comma
            before, after = (before.rstrip(", "), after) if before.endswith(", ") else (before, after.lstrip(", "))
        text = before + ", ".join(kept) + after
    return text.replace(" >", ">")


def _typed(type_: str, value: str) -> str:
    """Return a value as text of its type, which compilers leave out."""
    type_ = type_.removeprefix("const ")
    return value if type_ in ("int", "bool") or not re.fullmatch(r"[\w: ]+", type_) else f"({type_}){value}"


def _split(text: str) -> tuple[str, list[str]]:
    """Return name and arguments of `name<arguments>`; no arguments for what is more or less than that."""
    name, bracket, _ = text.partition("<")
    if not bracket or _closing(text, len(name)) != len(text.rstrip()) - 1:
        return text, []
    return name.strip(), list(_items(text[len(name) + 1 : text.rstrip().rindex(">")]))


def _items(text: str) -> Iterator[str]:
    """Yield what commas outside all brackets separate."""
    depth, start = 0, 0
    for at, char in _brackets(text):
        if char == "," and depth == 0:
            yield text[start:at].strip()
            start = at + 1
        depth += (char in _OPENERS) - (char in _CLOSERS)
    if text[start:].strip():
        yield text[start:].strip()


def _closing(text: str, opening: int) -> int:
    """Return the place of the bracket that closes the one at `opening`. Raises `ValueError` if there is none."""
    depth = 0
    for at, char in _brackets(text):
        if at >= opening:
            depth += (char in _OPENERS) - (char in _CLOSERS)
            if depth == 0:
                return at
    raise ValueError(f"brackets do not match: {text}")


def _brackets(text: str) -> Iterator[tuple[int, str]]:
    """Yield place and character of brackets and commas, but not of those in literals, nor of `->`."""
    for match in re.finditer(r"'(?:[^'\\]|\\.)+'|->|[<>()\[\]{},]", text):
        if len(match[0]) == 1:
            yield match.start(), match[0]


def _check(instance: Instance, symbol: Symbol) -> Iterator[Diagnostic]:
    """Yield a fault if a template argument is a type that device code cannot name, as in CUDA."""
    text = ", ".join(map(_all_text, instance.arguments))
    if _LAMBDA.search(text):
        what, help = "a lambda", "mark the lambda: `[=] __device__ (...) {...}`"
    elif _UNNAMED.search(text):
        what, help = "a type without a name", "give the type a name"
    elif _LOCAL.search(text) or (not _LAMBDA.search(instance.key) and _is_local(symbol.name)):
        what, help = "a type that is local to a function", "declare the type at file scope"
    else:
        return
    name = instance.place.name
    message = f"{what} cannot be a template argument of a kernel: '{instance.shown}'"
    yield Diagnostic(span_of(instance.place), message, help=help if name else None)


def _all_text(argument: Argument) -> str:
    return f"{argument.type} {argument.text} " + " ".join(map(_all_text, argument.items))


def _is_local(mangled: str) -> bool:
    """Return whether a mangled name has a name within a function (`Z`) besides the variable's own.

    Clang names a type without the function in which it is.
    """
    at = mangled.find("_ZZ") + 3
    while at < len(mangled):
        if number := re.compile(r"\d+").match(mangled, at):
            at = number.end() + int(number[0])
        elif mangled.startswith(("sZ", "_Z"), at):  # sizeof..., a function or variable as an argument
            at += 2
        elif mangled[at] == "Z":
            return True
        else:
            at += 1
    return False


def span_of(place: Place) -> Span:
    """Return where in the source a kernel's name is; column 0 where that line does not show it."""
    try:
        source = Source.read(place.file)
    except OSError:
        source = Source(place.file, "")
    found = [m.start() for m in re.finditer(rf"(?<!\w){re.escape(place.name)}(?!\w)", source.line(place.line))]
    return Span(source, place.line, found[0] + 1 if len(found) == 1 else 0, len(place.name))
