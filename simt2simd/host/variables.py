"""Variables at file scope that kernels use, in the host's text: declarations of what the device part defines.

    static __device__ int count = 1, list[2];     extern int count __asm__("s2s_variable_count_MARK"),
                                              ->             list[2] __asm__("s2s_variable_list_MARK");
    __constant__ float table[] = {1, 2};          extern float table[sizeof(s2s_array<float[]>{1, 2}) / ...]

    texture<float, 2> image;                      extern texture<float, 2> image __asm__("s2s_variable_image_MARK");

So the host's name is the very memory that kernels use. A constant with an initialiser stays: each side has a
copy, and the host may need its value while it compiles.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ..abi import linked_variable_symbol, variable_symbol
from ..lang.builtins import TEXTURE_REFERENCES
from .functions import pointer_to_member
from .program import Program
from .tokens import ATTRIBUTES, TYPE_WORDS, Edit, Text, after_attribute, after_attributes, closing_angle

SPACES = frozenset(("__device__", "__constant__", "__managed__"))
_LINKAGE = frozenset(("static", "extern", "inline", "__inline__", "thread_local"))
_NO_VARIABLES = ("typedef", "using", "template")  # an instance of a template belongs to kernels alone
_RECORDS = frozenset(("struct", "class", "union", "enum"))


@dataclass(frozen=True)
class Declarator:
    """One variable of a declaration; all places are token numbers.

    `first` to `last` is the declarator, `initial` where its initialiser begins, and `end` the `,` or `;` after it.
    """

    first: int
    name: int
    last: int
    initial: int
    end: int


@dataclass(frozen=True)
class Declaration:
    """A declaration of variables from token `first` to the `;` at `last`. `body`: the `{` of a type that it defines."""

    first: int
    last: int
    declarators: tuple[Declarator, ...]
    body: int | None
    extern: bool

    def is_static(self, text: Text) -> bool:
        return any(text.at(i) == "static" for i in range(self.first, self.declarators[0].first))

    def is_constant(self, text: Text, item: Declarator) -> bool:
        """Whether a variable itself is const and has an initialiser, or a class that needs none."""
        specifiers = range(self.first, self.declarators[0].first)
        if any(text.at(i) == "constexpr" for i in specifiers):
            return True
        if item.initial == item.end:
            return False
        stars = [i for i in range(item.first, item.name) if text.at(i) == "*"]
        if stars:
            return any(text.at(i) == "const" for i in range(stars[-1], item.name))
        return any(text.at(i) == "const" for i in specifiers)


def declarations(program: Program) -> Iterator[Declaration]:
    """Yield the declarations at file scope and in namespaces that make variables known to both sides."""
    text = program.text
    inside = {i for f in program.functions for i in range(f.first, f.last + 1)}
    done = -1
    for i, token in enumerate(text.tokens):
        named = (token.text in SPACES and not _is_of_block(text, i)) or _is_reference(text, i)
        if i > done and named and i not in inside and _is_outside(text, i):
            found = _declaration(text, i)
            if found is not None:
                if text.at(found.first) not in _NO_VARIABLES:
                    yield found
                done = found.last


def edits(program: Program, *, linked: bool) -> tuple[list[Edit], dict[str, int], set[int]]:
    """Return the edits, the tokens where the names of the variables are that the device part has to define, and the
    tokens that the edits are about. `linked`: other files may mean the same variables.
    """
    text = program.text
    found: list[Edit] = []
    names: dict[str, int] = {}
    touched: set[int] = set()
    promised: set[str] = set()  # what `extern` says that there is, a constant too
    for declaration in declarations(program):
        known = {item: program.namespaces_around(item.name) + text.at(item.name) for item in declaration.declarators}
        promised |= {name for item, name in known.items() if declaration.extern and item.initial == item.end}
        shared = [
            item
            for item in declaration.declarators
            if known[item] in promised or not declaration.is_constant(text, item)
        ]
        if not shared:
            continue
        found += _specifiers(text, declaration, touched)
        for item, name in known.items():
            is_private = not linked or declaration.is_static(text) or "" in name.split("::")
            symbol = variable_symbol(name, text.module) if is_private else linked_variable_symbol(name)
            found += _declared(text, declaration, item, symbol)
            touched.update(range(item.initial, item.end))
            if not declaration.extern or item.initial < item.end:
                names[name] = item.name
    return found, names, touched


def marked_words(text: Text) -> frozenset[str]:
    """Return the words of all declarations with a memory space: a variable's name that is none of them is not there."""
    found: set[str] = set()
    for i, token in enumerate(text.tokens):
        if token.text in SPACES or _is_reference(text, i):
            while text.at(i) not in ("", ";", "{", "}"):
                found.add(text.at(i))
                i += 1
    return frozenset(found)


def references(text: Text) -> str:
    """Return what declares the names of texture references, if the program uses them."""
    if not any(_is_reference(text, i) for i in range(len(text.tokens))):
        return ""
    return (
        "template <class T, int Type = 1, cudaTextureReadMode Mode = cudaReadModeElementType> "
        "using texture = s2s_texture_reference<T, Type, Mode>; "
        "template <class T, int Type = 1> using surface = s2s_surface_reference<T, Type>;\n"
    )


# ------------------------------------------------------------------------------------------------ reading


def _is_reference(text: Text, i: int) -> bool:
    return text.at(i) in TEXTURE_REFERENCES and text.at(i + 1) == "<" and text.at(i - 1) != "::"


def _is_of_block(text: Text, i: int) -> bool:
    """Whether `__shared__` is next to the word at `i`: no host text names what a block has."""
    return "__shared__" in (text.at(i - 1), text.at(i + 1))


def _is_outside(text: Text, i: int) -> bool:
    """Whether no braces but those of namespaces and `extern "C"` are around token `i`."""
    return all(_is_scope(text, opening) for opening in _braces(text, i))


def _braces(text: Text, i: int) -> Iterator[int]:
    for opening, closing in text.partner.items():
        if text.at(opening) in ("{", "(") and opening < i < closing:
            yield opening


def _is_scope(text: Text, brace: int) -> bool:
    if text.at(brace) != "{":
        return False
    at = brace - 1
    while text.at(at) not in ("", ";", "{", "}", ")"):
        if text.at(at) == "namespace":
            return True
        at -= 1
    return text.at(brace - 2) == "extern"


def _declaration(text: Text, marked: int) -> Declaration | None:
    """Return the declaration of variables of which token `marked` is a specifier; None if it is something else."""
    first = marked
    while text.at(first - 1) not in ("", ";", "{", "}") or _closes_record(text, first - 1):
        first -= 1
    at, body = first, None
    while True:  # to the end of the specifiers and the first declarator
        after = after_attribute(text, at)
        if after is not None:
            at = after
            continue
        if text.at(at) in ("", ";", "=", "(", "["):
            break
        if text.at(at) == "{":
            if not any(text.at(j) in _RECORDS for j in range(first, at)) or body is not None:
                break
            body, at = at, text.partner.get(at, at)
        elif text.at(at) == "<":
            at = closing_angle(text, at)
        elif text.at(at) == ",":
            break
        at += 1
    start = _first_declarator(text, first, at)
    if start is None or marked > at:  # the device is a lambda's, in an initialiser
        return None
    items = tuple(_declarators(text, start))
    if not items or text.at(items[-1].end) != ";":
        return None
    words = {text.at(j) for j in range(first, start)}
    return Declaration(first, items[-1].end, items, body, "extern" in words)


def _closes_record(text: Text, i: int) -> bool:
    """Whether the `}` at token `i` ends a type that a declaration of variables defines: `struct {...} __device__ x;`"""
    if text.at(i) != "}":
        return False
    opening = text.partner.get(i, i)
    return any(text.at(j) in _RECORDS for j in (opening - 1, opening - 2)) and text.at(i + 1) != ";"


def _first_declarator(text: Text, first: int, stop: int) -> int | None:
    """Return where the first declarator begins, in the specifiers and declarator that `stop` ends."""
    if text.at(stop) == "(" and text.at(pointer_to_member(text, stop + 1)) in ("*", "&"):
        return stop
    name = stop - 1
    if text.at(stop) == "(" and name in text.partner:
        return None
    while name > first and not _is_name(text, name):
        name = text.partner[name] - 1 if name in text.partner else name - 1
    at = name
    while at > first and text.at(at - 1) in ("*", "const", "volatile", "__restrict__", "__restrict"):
        at -= 1
    while at < name and text.at(at) != "*":  # `int const x`: what precedes the first star are specifiers
        at += 1
    return at if at > first else None


def _is_name(text: Text, i: int) -> bool:
    return text.is_word(i) and text.at(i) not in TYPE_WORDS | ATTRIBUTES


def _declarators(text: Text, at: int) -> Iterator[Declarator]:
    while True:
        item = _declarator(text, at)
        if item is None:
            return
        yield item
        if text.at(item.end) != ",":
            return
        at = item.end + 1


def _declarator(text: Text, first: int) -> Declarator | None:
    at = pointer_to_member(text, first)
    while text.at(at) in ("*", "const", "volatile", "__restrict__", "__restrict"):
        at += 1
    if text.at(at) == "(":  # (*name)[4], (*name)(int), (*name[4])(int), (S::*name)(int) const
        closing = text.partner.get(at, at)
        name = next((j for j in range(pointer_to_member(text, at + 1), closing) if _is_name(text, j)), None)
        last, at = closing, closing + 1
        if text.at(at) == "(":
            last, at = text.partner.get(at, at), text.partner.get(at, at) + 1
            if text.at(at) == "const":
                last, at = at, at + 1
    else:
        name = at if _is_name(text, at) else None
        last, at = at, at + 1
    while text.at(at) == "[":
        last, at = text.partner.get(at, at), text.partner.get(at, at) + 1
    if name is None:
        return None
    while (after := after_attribute(text, at)) is not None:  # of the variable: they follow its name
        at = after
    initial = at
    while text.at(at) not in ("", ",", ";"):
        if text.at(at) == "<":
            at = closing_angle(text, at)
        at = text.partner.get(at, at) + 1 if text.at(at) in ("(", "[", "{") else at + 1
    return Declarator(first, name, last, initial, at)


# ------------------------------------------------------------------------------------------------ writing


def _specifiers(text: Text, declaration: Declaration, touched: set[int]) -> Iterator[Edit]:
    """Make `extern` of the first word that means storage, and blanks of the others."""
    instead: str | None = "extern"
    first = after_attributes(text, declaration.first)
    specifiers = range(declaration.first, declaration.declarators[0].first)
    body = declaration.body
    for i in specifiers:
        if body is not None and body < i < text.partner.get(body, body):
            continue
        if text.at(i) in SPACES | _LINKAGE:
            if instead is not None and i >= first:
                yield text.blank(i, i, instead.ljust(len(text.at(i))))
                instead = None
            else:
                yield text.blank(i, i)
            touched.add(i)
    if instead is not None:
        place = text.tokens[first].start
        yield Edit(place, place, f"{instead} ")
    if body is not None and text.at(body - 1) in _RECORDS:  # what is `extern` cannot have a type without a name
        place = text.tokens[body].start
        yield Edit(place, place, f"s2s_type_{text.at(declaration.declarators[0].name)} ")


def _declared(text: Text, declaration: Declaration, item: Declarator, symbol: str) -> Iterator[Edit]:
    """Give a variable the symbol by which the device part has it, and take its initialiser away."""
    place = text.tokens[item.last].end
    brackets = item.name + 1
    if text.at(brackets) == "[" and text.at(brackets + 1) == "]" and item.initial < item.end:
        at = text.tokens[brackets].end
        yield Edit(at, at, _count(text, declaration, item))
    yield Edit(place, place, f' __asm__("{symbol}")')
    if item.initial < item.end:
        yield text.blank(item.initial, item.end - 1)


def _count(text: Text, declaration: Declaration, item: Declarator) -> str:
    """Return an expression for the number of elements that an initialiser gives to an array without a size."""
    words: list[str] = []
    i = declaration.first
    while i < declaration.declarators[0].first:
        if text.at(i) in ATTRIBUTES and text.at(i + 1) == "(":
            i = text.partner.get(i + 1, i + 1)
        elif i == declaration.body:
            words.append(f"s2s_type_{text.at(declaration.declarators[0].name)}" * (words[-1] in _RECORDS))
            i = text.partner.get(i, i)
        elif text.at(i) not in SPACES | _LINKAGE:
            words.append(text.at(i))
        i += 1
    shape = [text.at(j) for j in range(item.first, item.last + 1) if j != item.name]
    values = " ".join(text.at(j) for j in range(item.initial + (text.at(item.initial) == "="), item.end))
    values = values if values.startswith("{") else f"{{{values}}}"
    list_type = " ".join([*words, *shape])
    return f"sizeof(s2s_array<{list_type}>{values}) / sizeof(s2s_element<{list_type}>::type)"
