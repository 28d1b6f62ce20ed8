"""Device functions in host text: the C++ compiler cannot compile their bodies, but programs may need the declarations.

    struct Line { __device__ float at(float x) const { return slope * x + __ldg(start); } };

    struct Line { inline float at(float x) const { (void)x; s2s_not_on_host("at"); } };

A method has to be there for its class to be the same on both sides; other functions vanish unless host code names them,
for example as a template argument. There may be calls in functions for both sides, and tables of virtual functions name
methods. So the program links, with a warning, and ends with a message if the host gets there.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from .functions import Function, param_name, params
from .program import Program
from .tokens import Edit, Text, after_attributes, closing_angle

_OF_MEMORY = re.compile(r"atomic[A-Z]\w*|__ldg")  # built-in functions that host headers lack
_NO_TYPE = (*"{};:", "explicit", "constexpr", "inline", "__device__", "__forceinline__")


def declarations(program: Program) -> str:
    """Return the declarations of built-in functions of the device that the host's text names by `::name`.

    A template for both sides may call them: its host form is an error only if it is instantiated and runs. A name
    without `::` needs none: g++ looks for it when it instantiates the template ([temp.dep.candidate]).
    """
    text = program.text
    names = [
        text.at(i)
        for i in range(1, len(text.tokens))
        if text.at(i - 1) == "::"
        and not text.is_word(i - 2)
        and i not in program.removed
        and _OF_MEMORY.fullmatch(text.at(i))
    ]
    return "".join(
        f'template <class T, class... A> inline T {name}(T *, A...) {{ s2s_not_on_host("{name}"); }}\n'
        for name in dict.fromkeys(names)
    )


def hide(program: Program, function: Function) -> list[Edit]:
    """Hide a device function from the C++ compiler, as far as that can be; `program.removed` gets what vanishes."""
    text = program.text
    if function.first in program.removed:
        return [text.blank(function.first, function.last)]
    if function.body is None:
        return []
    is_outside = text.at(function.name_at - 1) == "::"
    if text.at(function.name_at - 1) == "~":
        return [text.blank(function.tail, function.last, "{ }")]
    if _is_constructor(text, function) or {"constexpr", "auto"} & function.words:  # need more than any body
        if is_outside:
            program.removed.update(range(function.first, function.last + 1))
            return [text.blank(function.first, function.last)]
        return [text.blank(function.tail, function.last, ";")]
    words = "inline " * ("inline" not in function.words)
    if not is_outside and next(f for f in program.functions if f.name == function.name) is function:
        words += f"""__attribute__((warning("host code calls '{function.name}', a __device__ function"))) """
    used = "".join(f" (void){name};" for name in _param_names(text, function))
    body = f'{{{used} s2s_not_on_host("{function.name}"); }}'
    start = text.tokens[after_attributes(text, function.own)].start
    return [Edit(start, start, words), text.blank(function.tail, function.last, body)]


def _is_constructor(text: Text, function: Function) -> bool:
    before = text.at(function.name_at - 1)
    if before != "::":  # in its class: nothing before it is a type
        return before in _NO_TYPE or any(closing == function.name_at - 1 for _, closing in function.heads)
    i = function.name_at - 2  # `X::X(...)` or `X<T>::X(...)`
    if text.at(i) == ">":
        i = next((j for j in range(i - 1, function.first, -1) if closing_angle(text, j) == i), i) - 1
    return text.at(i) == function.name


def _param_names(text: Text, function: Function) -> Iterator[str]:
    """Yield the names of a function's parameters, without those of packs."""
    for first, last in params(text, function):
        name_at, _ = param_name(text, first, last)
        if name_at is not None and all(text.at(i) != "." for i in range(first, name_at)):
            yield text.at(name_at)
