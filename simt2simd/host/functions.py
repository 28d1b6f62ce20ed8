"""The functions that the user's text declares, found by their tokens.

This is no C++ parser. It knows brackets, template brackets after names, and what a function's declarator looks like;
that is enough to find kernels, and what it does not understand it leaves to the C++ compiler.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal, NamedTuple

from .tokens import QUALIFIERS, TYPE_WORDS, Text, after_attribute, arguments, closing_angle

_NO_FUNCTIONS = frozenset("typedef using static_assert _Static_assert asm __asm__ __asm namespace".split())
_NO_TYPES = frozenset("const volatile struct enum union class typename".split())  # these alone
_TYPEOF = ("typeof", "__typeof", "__typeof__")
_OF_POINTERS = frozenset("const volatile __restrict__ __restrict restrict".split())

Side = Literal["kernel", "device", "both", "host"]


class Function(NamedTuple):
    """A function declared or defined in the user's text; all places are token numbers.

    `kind` is "kernel", "device" (device only), "both" or "host"; `words` are those before its name. `first` begins the
    declaration, `last` is its `;` or the `}` of its body. `heads` are the brackets after each `template`. `own` is the
    first token after them and the `requires` clause that may follow them. `name_at` is the name, `params` the `(`
    after it, `tail` where the declaration ends that a prototype would have: at a `:`, a `{` or the `;`. `body` is the
    `{` or None for a prototype.
    """

    name: str
    kind: Side
    words: frozenset[str]
    first: int
    heads: tuple[tuple[int, int], ...]
    own: int
    name_at: int
    params: int
    tail: int
    body: int | None
    last: int

    @property
    def static(self) -> bool:
        return "static" in self.words


def find_functions(text: Text) -> Iterator[Function]:
    """Yield the functions of the user's text. Bodies are passed over; classes, namespaces and `extern "C"` entered."""
    i = 0
    while i < len(text.tokens):
        function = _function_at(text, i)
        if function is not None:
            yield function
            i = function.last + 1
        else:
            i = _next_declaration(text, i)


def _next_declaration(text: Text, first: int) -> int:
    """Return where the declaration after the one at `first` begins; that may be inside this one's braces."""
    words: set[str] = set()
    i = first
    while i < len(text.tokens):
        word = text.at(i)
        if word in (";", "}"):
            return i + 1
        if word == "{":
            if i == first or words & {"namespace", "class", "struct", "union", "enum", "extern"}:
                return i + 1
            i = text.partner.get(i, i)
            if text.at(i + 1) not in (";", ",", "{", ")"):  # not an initialiser, but the body of what is no function
                return i + 1
        elif word in ("(", "["):
            i = text.partner.get(i, i)
        elif word == ":" and text.at(i - 1) in ("public", "private", "protected"):
            return i + 1
        words.add(word)
        i += 1
    return i


def _function_at(text: Text, first: int) -> Function | None:
    """Return the function whose declaration begins at token `first`, None if it is something else."""
    if text.at(first) in _NO_FUNCTIONS:
        return None
    words: set[str] = set()
    angles = (first, first)  # the last template brackets
    heads: list[tuple[int, int]] = []
    own = i = first
    while text.at(i) not in ("(", "operator"):
        word = text.at(i)
        if word in ("", ";", "=", "{", "}") or (word == ":" and words <= {"public", "private", "protected"}):
            return None
        after = after_attribute(text, i)
        if after is not None:
            i = after - 1
        elif word == "[":
            i = text.partner.get(i, i)  # the brackets of an array, which has no parameters after it
        elif word == "<":
            angles = (i, closing_angle(text, i))
            if text.at(i - 1) == "template":
                heads.append(angles)
                own = angles[1] + 1
            i = angles[1]
        elif word == "requires" and i == own:
            own = after_requires(text, i)
            i = own - 1
        words.add(word)
        i += 1
    found = _parenthesised(text, i) if text.at(i) == "(" and i > own else None
    if found is not None:
        name_at, params = found
    elif text.at(i) == "operator":
        name_at, params = i, _params_of_operator(text, i)
    elif _begins_declarator(text, i):  # a variable: `int (*f)(int)`
        return None
    else:
        name_at, params = i - 1, i
        while text.at(name_at) == "]" and text.at(text.partner.get(name_at, i) + 1) == "[":  # `f [[nodiscard]] ()`
            name_at = text.partner[name_at] - 1
        name_at = angles[0] - 1 if angles[1] == name_at else name_at  # of `f<3>(...)`, a specialisation
    if name_at < first or not text.is_word(name_at) or text.at(name_at) in TYPE_WORDS or params not in text.partner:
        return None
    if re.match(r"""[\d"'+!~{-]""", text.at(params + 1)):  # `int x(3);` is a variable
        return None
    tail, end = _end_of_head(text, text.partner[params] + 1)
    body = end if text.at(end) == "{" else None
    last = text.partner.get(end, end) if body is not None else end
    while body is not None and text.at(last + 1) == "catch" and last + 2 in text.partner:  # `int f() try {`
        last = text.partner.get(text.partner[last + 2] + 1, last)
    if text.at(last) not in (";", "}"):
        return None
    kind: Side = "kernel" if "__global__" in words else "device" if "__device__" in words else "host"
    if kind == "device" and "__host__" in words:
        kind = "both"
    name = "".join(text.at(j) for j in range(name_at, params)) if text.at(name_at) == "operator" else text.at(name_at)
    return Function(name, kind, frozenset(words), first, tuple(heads), own, name_at, params, tail, body, last)


def _params_of_operator(text: Text, i: int) -> int:
    """Return the `(` of the parameters of the operator or conversion whose `operator` is at `i`."""
    i += 3 if text.at(i + 1) == "(" else 2  # operator()(...)
    while text.at(i) not in ("(", "", ";", "{"):
        i += 1
    return i


def _begins_declarator(text: Text, opening: int) -> bool:
    """Whether a pointer or a reference is declared in the parentheses that open at `opening`: `(*f`, `(S::*f`."""
    return text.at(pointer_to_member(text, opening + 1)) in ("*", "&")


def pointer_to_member(text: Text, at: int) -> int:
    """Return the `*` of a pointer to a member, `S::*`, if such a one begins at token `at`; `at` if not."""
    end = at
    while text.at(end) == "::" or text.is_word(end) or text.at(end) == "<":
        end = closing_angle(text, end) + 1 if text.at(end) == "<" else end + 1
    return end if text.at(end) == "*" and text.at(end - 1) == "::" else at


def _parenthesised(text: Text, opening: int) -> tuple[int, int] | None:
    """Return name and `(` of the function that a declarator in parentheses declares: `(*f(char))[3]`, `(f)(char)`.

    None if these parentheses hold no declarator, or that of a variable.
    """
    closing = text.partner.get(opening, opening)
    i, indirect = opening + 1, False
    while i < closing:
        member = pointer_to_member(text, i)
        if text.at(member) in ("*", "&"):
            i, indirect = member + 1, True
        elif text.at(i) in _OF_POINTERS:
            i += 1
        elif (after := after_attribute(text, i)) is not None:
            i = after
        else:
            break
    if text.at(i) == "(":
        return _parenthesised(text, i) if indirect else None
    name = i
    while text.is_word(i) or text.at(i) == "::" or (text.at(i) == "<" and closing_angle(text, i) > i):
        if text.is_word(i):
            name = i
        i = closing_angle(text, i) + 1 if text.at(i) == "<" else i + 1
        if text.at(i) == "(" and indirect:
            return name, i
        if i == closing and not indirect and text.at(i + 1) == "(" and _may_end_type(text, opening - 1):
            return name, i + 1
    return None


def _may_end_type(text: Text, i: int) -> bool:
    return text.is_word(i) or text.at(i) in (">", "*", "&", "]", ")")


def after_requires(text: Text, i: int) -> int:
    """Return the token after the `requires` clause that begins at `i`."""
    while True:
        i = _after_condition(text, i + 1)
        if text.at(i) == text.at(i + 1) and text.at(i) in ("&", "|"):
            i += 1
        else:
            return i


def _after_condition(text: Text, i: int) -> int:
    """Return the token after a name, a literal, parentheses, or `requires (...) {...}`."""
    if text.at(i) == "requires":
        i += 1
        if text.at(i) == "(":
            i = text.partner.get(i, i) + 1
        return text.partner.get(i, i) + 1
    if text.at(i) == "(":
        return text.partner.get(i, i) + 1
    while True:
        i += 2 if text.at(i) == "::" else 1
        if text.at(i) == "<":
            i = closing_angle(text, i) + 1
        if text.at(i) != "::":
            return i


def _end_of_head(text: Text, i: int) -> tuple[int, int]:
    """Return where a constructor's initialisers begin, and where the body or the `;` is, after the parameters."""
    while text.at(i) not in ("", ";", "{", "}", ":"):
        if text.at(i) == "requires":
            i = after_requires(text, i)
            continue
        i = text.partner.get(i, i) + 1 if text.at(i) in ("(", "[") else i + 1
    tail = i
    while text.at(i) in (":", ","):  # `: x(a), y{b}, Base<T>(c) {`
        while text.at(i) not in ("", ";", "(", "{", "}"):
            i = max(closing_angle(text, i), i) + 1 if text.at(i) == "<" else i + 1
        i = text.partner.get(i, i) + 1
        while text.at(i) == ".":  # of a pack
            i += 1
    return tail, i


def params(text: Text, function: Function) -> list[tuple[int, int]]:
    params = arguments(text, function.params, templates=True)
    return [] if [text.at(i) for param in params for i in param] == ["void", "void"] else params


def param_name(text: Text, first: int, last: int) -> tuple[int | None, int]:
    """Return the token of a parameter's name, None if it has none, and the token after which one would be inserted."""
    words: list[int] = []
    typed = False  # what precedes has its type's name
    i = end = first
    while i <= last and text.at(i) != "=":
        after = after_attribute(text, i)
        if after is not None:
            if text.at(i) in ("decltype", *_TYPEOF):
                typed, end = True, after - 1
            i = after
            continue
        if text.at(i) == "[":
            break
        if text.at(i) == "(":
            if i > first and _begins_declarator(text, i):  # a pointer to an array or function: T (*name)[4]
                return _innermost_name(text, i)
            break  # a function, which becomes a pointer: T name(int)
        if text.at(i) == "<":
            i = closing_angle(text, i)
        elif text.is_word(i) and text.at(i) not in QUALIFIERS:
            words.append(i)
        end = i
        i += 1
    if not words or text.at(words[-1]) in TYPE_WORDS:
        return None, end
    # `Point`, `const Point` and `Point *` name a type only; so does the last part of `geo::Point`.
    typed = typed or any(text.at(j) not in _NO_TYPES for j in words[:-1])
    if not typed or text.at(words[-1] - 1) == "::" or text.at(end) in ("*", "&", ".", ">"):
        return None, end
    return words[-1], end


def _innermost_name(text: Text, opening: int) -> tuple[int | None, int]:
    """Return the name in a declarator's parentheses, and the token after which one would be inserted."""
    closing = text.partner.get(opening, opening)
    i = opening + 1
    while i < closing:
        member = pointer_to_member(text, i)
        if text.at(member) in ("*", "&"):
            i = member + 1
        elif text.at(i) in _OF_POINTERS or text.at(i) == ".":
            i += 1
        elif text.at(i) == "(":
            return _innermost_name(text, i)
        else:
            break
    return (i, i) if text.is_word(i) else (None, i - 1)
