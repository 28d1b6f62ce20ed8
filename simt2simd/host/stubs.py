"""A kernel's host function: it passes the addresses of the parameters to the runtime, with the kernel to launch.

    { void *s2s_args[] = {(void *)&n, (void *)&x}; s2s_launch_pushed(&s2s_kernel_scale, s2s_args); }

That is for simple kernels (`lang/instance`). Of others, only the C++ compiler knows which ones there will be, so their
host functions leave a `s2s_reference` (cuda_runtime.h) in the object file, one for each instance, and are launched by it:

    { static struct s2s_reference s2s_reference = {0, &s2s_instances_MARK, "t.cu:3:scan:1", s2s_text<s2s_list<T>>()};
      void *s2s_args[] = {(void *)&x}; s2s_launch_instance(&s2s_reference, s2s_args); }
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from ..abi import instances_symbol, kernel_symbol
from ..diag import Diagnostic
from ..lang.instance import Place
from .instances import REFERENCE
from .tokens import ATTRIBUTES, QUALIFIERS, TYPE_WORDS, Edit, Function, Program, Text, closing_angle, params


def simple_kernels(program: Program, kernels: Iterable[Function]) -> list[Function]:
    """Return those of `kernels` that their name alone is enough to find."""
    kernels = list(kernels)
    names = Counter(kernel.name for kernel in kernels)
    return [k for k in kernels if names[k.name] == 1 and not k.heads and not program.in_namespace(k)]


def places(text: Text, kernels: Iterable[Function]) -> dict[Function, Place]:
    """Return where each of `kernels` is defined."""
    found: dict[Function, Place] = {}
    seen: Counter[tuple[str, int, str]] = Counter()
    for kernel in kernels:
        span = text.span(kernel.name_at)
        where = (span.source.name, span.line, kernel.name)
        seen[where] += 1
        found[kernel] = Place(*where, seen[where])
    return found


def symbol(text: Text, kernel: Function) -> str:
    """Return the symbol of a simple kernel's descriptor."""
    return kernel_symbol(kernel.name, text.module, static=kernel.static)


def declarations(text: Text, simple: Iterable[Function], others: Mapping[Function, Place]) -> str:
    """Return what the host functions name."""
    declared = "".join(f" extern const struct s2s_kernel {symbol(text, kernel)};" for kernel in simple)
    if others:
        declared += f" extern const struct s2s_instances {instances_symbol(text.module)};"
    return f'extern "C" {{{declared} }}\n' if declared else ""


def stub(text: Text, kernel: Function, place: Place | None) -> tuple[list[Edit], list[Diagnostic]]:
    """Give a kernel's host function its body; `place` is None for a simple kernel. Also return what cannot be."""
    assert kernel.body is not None
    edits: list[Edit] = []
    addresses: list[str] = []
    for number, (first, last) in enumerate(params(text, kernel)):
        name_at, insert_at = _param_name(text, first, last)
        if name_at is None:
            name, at = f"s2s_param{number}", text.tokens[insert_at].end
            edits.append(Edit(at, at, f" {name}"))
        else:
            name = text.at(name_at)
        is_pack = any(text.at(i) == text.at(i + 1) == text.at(i + 2) == "." for i in range(first, last - 1))
        addresses.append(f"(void *)&{name}" + "..." * is_pack)
    if any(address.endswith("...") for address in addresses):
        addresses.append("0")  # an array has an element, a pack may have none
    array, args = "", "0"
    if addresses:
        array, args = f"void *s2s_args[] = {{{', '.join(addresses)}}}; ", "s2s_args"
    if place is None:
        body = f"{{ {array}s2s_launch_pushed(&{symbol(text, kernel)}, {args}); }}"
        return [*edits, text.blank(kernel.body, kernel.last, body)], []
    named, key, faults = _template_arguments(text, kernel)
    fields = f"0, &{instances_symbol(text.module)}, {json.dumps(str(place), ensure_ascii=False)}, {key}"
    reference = f"static struct s2s_reference {REFERENCE} = {{{fields}}}; "
    body = f"{{ {reference}{array}s2s_launch_instance(&{REFERENCE}, {args}); }}"
    return [*edits, *named, text.blank(kernel.body, kernel.last, body)], faults


def _param_name(text: Text, first: int, last: int) -> tuple[int | None, int]:
    """Return the token of a parameter's name, None if it has none, and the token after which one would be inserted."""
    declarator: list[int] = []
    i = first
    while i <= last and text.at(i) != "=":
        if text.at(i) == "[":
            break
        if text.at(i) == "(" and text.at(i + 1) in ("*", "&"):  # a pointer to an array or function: T (*name)[4]
            closing = text.partner.get(i, last)
            inner = [j for j in range(i, closing) if text.is_word(j) and text.at(j) not in TYPE_WORDS]
            return (inner[0], i) if inner else (None, i + 1)
        if text.at(i) == "<":
            i = closing_angle(text, i)
        elif text.at(i) in ATTRIBUTES and text.at(i + 1) == "(":
            i = text.partner.get(i + 1, i + 1)
        else:
            declarator.append(i)
        i += 1
    end = i - 1
    words = [j for j in declarator if text.is_word(j) and text.at(j) not in QUALIFIERS]
    if not words or text.at(words[-1]) in TYPE_WORDS:
        return None, end
    # `Point`, `const Point` and `Point *` name a type only; so does the last part of `geo::Point`.
    others = [
        j for j in words[:-1] if text.at(j) not in ("const", "volatile", "struct", "enum", "union", "class", "typename")
    ]
    if not others or text.at(words[-1] - 1) == "::" or text.at(end) in ("*", "&", ".", ">"):
        return None, end
    return words[-1], end


# ------------------------------------------------------------------------------------- template arguments


def _template_arguments(text: Text, kernel: Function) -> tuple[list[Edit], str, list[Diagnostic]]:
    """Return the C++ text that names the template's own parameters, which get names where they have none.

    A specialisation's arguments are those that it is written with.
    """
    if not kernel.heads:
        return [], '""', []
    opening, closing = kernel.heads[-1]
    edits: list[Edit] = []
    named: list[str] = []
    faults: list[Diagnostic] = []
    for number, (first, last) in enumerate(_template_params(text, opening, closing)):
        name, edit = _template_name(text, first, last, f"s2s_argument{number}")
        edits += [edit] if edit is not None else []
        dots = "..." * _is_pack(text, first, last)
        match text.at(first):
            case "class" | "typename" if _is_type_param(text, first, last):
                item = name
            case "template":
                inner = closing_angle(text, first + 1)
                if any(text.at(i) not in ("class", "typename", ",", ".") for i in _kinds(text, first + 2, inner)):
                    faults.append(
                        Diagnostic(
                            text.span(first),
                            "a template parameter of a kernel that takes values is not supported yet",
                            help="let the template that it stands for take types only",
                        )
                    )
                item = f"s2s_template<{name}>"
            case _:
                item = f"s2s_value<decltype({name}), {name}>"
        named.append(f"s2s_list<{item}...>" if dots else item)
    return edits, f"s2s_text<s2s_list<{', '.join(named)}>>()", faults


def _template_params(text: Text, opening: int, closing: int) -> Iterator[tuple[int, int]]:
    """Yield the first and last token of each parameter in a template's brackets."""
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


def _declared_part(text: Text, first: int, last: int) -> int:
    """Return the last token of a template parameter before its default."""
    i = first
    while i <= last and text.at(i) != "=":
        i = (closing_angle(text, i) if text.at(i) == "<" else text.partner.get(i, i) if text.at(i) == "(" else i) + 1
    return i - 1


def _is_pack(text: Text, first: int, last: int) -> bool:
    end = _declared_part(text, first, last)
    return text.at(end) == "." or (end - 1 > first and text.is_word(end) and text.at(end - 1) == ".")


def _is_type_param(text: Text, first: int, last: int) -> bool:
    """True for `class T`, false for the value `typename X<T>::type n`."""
    words = [text.at(i) for i in range(first, _declared_part(text, first, last) + 1) if text.at(i) != "."]
    return len(words) <= 2 and all(word.isidentifier() for word in words)


def _template_name(text: Text, first: int, last: int, instead: str) -> tuple[str, Edit | None]:
    """Return a template parameter's name; where it has none, `instead` and the edit that inserts it."""
    end = _declared_part(text, first, last)
    for i in range(first, end):  # a value that is a pointer to a function or member: `int (*f)(int)`
        if text.at(i) == "(" and i in text.partner:
            inner = [j for j in range(i, text.partner[i]) if text.is_word(j) and text.at(j + 1) == ")"]
            if inner:
                return text.at(inner[0]), None
    begins = ("class", "typename", "struct", ".", ">", "*", "&", ",", "<")
    has_name = text.is_word(end) and end > first and text.at(end) not in TYPE_WORDS
    if has_name and (text.is_word(end - 1) or text.at(end - 1) in begins):
        return text.at(end), None
    at = text.tokens[end].end
    return instead, Edit(at, at, f" {instead}")


def _kinds(text: Text, first: int, end: int) -> Iterator[int]:
    """Yield what tells the kinds of a template parameter's own parameters: the tokens without names."""
    for i in range(first, end):
        if not (text.is_word(i) and text.at(i - 1) in ("class", "typename", ".")):
            yield i


