"""The parameter lists after `template`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from .tokens import TYPE_WORDS, Text, closing_angle

_BEFORE_NAMES = ("auto", "class", "typename", "struct", ".", ">", "*", "&")


class TemplateParam(NamedTuple):
    """A template's parameter. `first` is its first token, `end` the character after which its name would follow.

    `item` is its C++ type in a `s2s_list` (cuda_runtime.h). `unnamed`: the program gives it no name.
    `takes_values`: it is a template with a parameter that is no type.
    """

    first: int
    end: int
    name: str
    item: str
    unnamed: bool
    is_pack: bool
    takes_values: bool = False


def template_params(text: Text, opening: int, closing: int) -> Iterator[TemplateParam]:
    """Yield the parameters in the brackets `opening` and `closing` of a template."""
    for number, (first, last) in enumerate(_items(text, opening, closing)):
        last = _before_default(text, first, last)
        end = text.tokens[last].end
        found = _name(text, first, last)
        name = found or f"s2s_argument{number}"
        tokens = [text.at(i) for i in range(first, last + 1)]
        is_pack = tokens[-4:-1] == ["."] * 3 or tokens[-3:] == ["."] * 3
        values = False
        if tokens[0] == "template":
            item = f"s2s_template<{name}>"
            inner = _items(text, first + 1, closing_angle(text, first + 1))
            values = not all(_is_type(text, *part) for part in inner)
        elif _is_type(text, first, last):
            item = name
        else:
            item = f"s2s_value<decltype({name}), {name}>"
        item = f"s2s_list<{item}...>" if is_pack else item
        yield TemplateParam(first, end, name, item, found is None, is_pack, values)


def _items(text: Text, opening: int, closing: int) -> Iterator[tuple[int, int]]:
    first = i = opening + 1
    while i < closing:
        if text.at(i) == "<":
            i = closing_angle(text, i)
        elif text.at(i) in ("(", "[", "{"):
            i = text.partner.get(i, i)
        elif text.at(i) == ",":
            yield first, i - 1
            first = i + 1
        i += 1
    if first < closing:
        yield first, closing - 1


def _before_default(text: Text, first: int, last: int) -> int:
    """Return the last token of a template parameter before its default."""
    i = first
    while i <= last and text.at(i) != "=":
        i = (closing_angle(text, i) if text.at(i) == "<" else text.partner.get(i, i) if text.at(i) == "(" else i) + 1
    return i - 1


def _is_type(text: Text, first: int, last: int) -> bool:
    """True for `class T` and `std::integral T`, false for the value `typename X<T>::type n`."""
    if _is_constraint(text, first, last):
        return True
    words = [text.at(i) for i in range(first, last + 1) if text.at(i) != "."]
    return words[0] in ("class", "typename") and len(words) <= 2 and all(word.isidentifier() for word in words)


def _is_constraint(text: Text, first: int, last: int) -> bool:
    """True where the name of a concept is in the place of `class`."""
    i = first
    while text.at(i + 1) == "::" or text.at(i) == "::":
        i += 1
    following = closing_angle(text, i + 1) + 1 if text.at(i + 1) == "<" else i + 1
    return text.at(i) in text.concepts and "auto" not in [text.at(j) for j in range(following, last + 1)]


def _name(text: Text, first: int, last: int) -> str | None:
    for i in range(first, last):  # a pointer to a function or member: `int (*f)(int)`
        if text.at(i) == "(" and i in text.partner:
            inner = [j for j in range(i, text.partner[i]) if text.is_word(j) and text.at(j + 1) == ")"]
            if inner:
                return text.at(inner[0])
    if not text.is_word(last) or last == first or text.at(last) in TYPE_WORDS:
        return None
    return text.at(last) if text.is_word(last - 1) or text.at(last - 1) in _BEFORE_NAMES else None
