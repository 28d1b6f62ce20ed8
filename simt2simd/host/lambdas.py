"""Lambdas for the device in host code: each becomes an object whose type says which lambda it is and what it holds.

    [=] __device__ (int i) { y[i] = a * x[i]; }

    s2s_close<s2s_lambda_7_1_MARK<s2s_held<decltype(y)>, s2s_held<decltype(a)>, s2s_held<decltype(x)>>>(
        [y, a, x] (int i) { __builtin_trap(); })

So a kernel's template argument reads `s2s_lambda_7_1_MARK<float*, float, float*>`, and the object lies in memory as a
struct with these members. A lambda that the host may call too keeps its body. After its captures follow
the constants, the parameters of the templates around it, and the types of its function and its classes that it names.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple

from ..diag import Diagnostic
from ..lang.instance import Lambda, lambda_name
from .functions import param_name
from .locals import Local, local_variables, visible
from .program import Program
from .scope_types import names_around
from .template_heads import template_params
from .tokens import Edit, Text, arguments

_SIDES = ("__device__", "__host__")


class _Found(NamedTuple):
    """A lambda's tokens: its `[`, the first after `]` that is no side, its `{`, and its `}`."""

    opening: int
    after_sides: int
    body: int
    last: int
    on_host: bool


class _Capture(NamedTuple):
    name: str
    text: str  # in the lambda's brackets
    type: str


def find_lambdas(text: Text, removed: set[int]) -> Iterator[_Found]:
    """Yield the lambdas for the device, but not those in device code."""
    for i, token in enumerate(text.tokens):
        if token.text != "[" or i in removed or text.at(text.partner.get(i, i) + 1) not in _SIDES:
            continue
        if text.at(i + 1) == "[":  # an attribute: `[[nodiscard]] __host__ __device__`
            continue
        j = first = text.partner[i] + 1
        while text.at(j) in _SIDES:
            j += 1
        sides = {text.at(k) for k in range(first, j)}
        body = text.partner[j] + 1 if text.at(j) == "(" and j in text.partner else j
        while text.at(body) not in ("", ";", "{", "}"):
            body = text.partner.get(body, body) + 1 if text.at(body) in ("(", "[") else body + 1
        if "__device__" in sides and text.at(body) == "{" and body in text.partner:
            yield _Found(i, j, body, text.partner[body], "__host__" in sides)


def rewrite_lambdas(program: Program) -> tuple[list[Edit], list[Lambda], list[Diagnostic]]:
    """Return the edits, what the device has to know of each lambda, and what cannot be.

    Adds to `program.removed` what the host compiler will not see.
    """
    text = program.text
    edits: list[Edit] = []
    lambdas: list[Lambda] = []
    faults: list[Diagnostic] = []
    seen: Counter[tuple[str, int]] = Counter()
    for found in list(find_lambdas(text, program.removed)):
        span = text.span(found.opening)
        where = (span.source.name, span.line)
        seen[where] += 1
        wrong = list(_check(text, found))
        faults += wrong
        if wrong:
            continue
        function = next((f for f in program.functions if f.body is not None and f.body < found.opening < f.last), None)
        around = list(local_variables(text, function)) if function is not None else []
        known = visible(around, found.opening)
        if function is not None:
            heads = [*program.class_heads(function), *function.heads]
            parameters = [p for head in heads for p in template_params(text, *head)]
        else:
            parameters = []
        captures, constants, cannot = _captures(text, found, known)
        faults += cannot
        used = _words(text, found.after_sides, found.last)
        parameters = [p for p in parameters if p.name in used and not p.unnamed]
        aliases: list[str] = []
        if function is not None:
            around_it = names_around(program, function, found.opening)
            hidden = {*known, *_own_params(text, found), *(p.name for p in parameters)}
            aliases = [name for name in around_it.types if name in used - hidden]
            constants += [name for name in around_it.constants if name in used - hidden and name not in constants]
        name = lambda_name(*where, seen[where])
        types = [c.type for c in captures]
        types += [f"s2s_value<s2s_held<decltype({constant})>, {constant}>" for constant in constants]
        types += [*(p.item for p in parameters), *aliases]
        edits += _edits(text, found, f"s2s_close<{name}<{', '.join(types)}>>(", captures)
        lambdas.append(
            Lambda(
                name,
                *where,
                seen[where],
                tuple(c.name for c in captures),
                (*constants, *(p.name for p in parameters), *aliases),
            )
        )
        program.removed.update(range(found.opening, found.after_sides))
        if not found.on_host:
            program.removed.update(range(found.body, found.last + 1))
    return edits, lambdas, faults


def declarations(lambdas: list[Lambda]) -> str:
    """Return the declarations of the classes that distinguish lambdas."""
    names = dict.fromkeys(f"template <class...> struct {known.name};" for known in lambdas)
    return " ".join(names) + "\n" if names else ""


def _edits(text: Text, found: _Found, head: str, captures: list[_Capture]) -> list[Edit]:
    end = text.tokens[found.last].end
    intro = f"{head}[{', '.join(c.text for c in captures)}]"
    edits = [text.blank(found.opening, found.after_sides - 1, intro)]
    used = "".join(f" (void){capture.name};" for capture in captures)  # compilers warn of what is not
    if found.on_host:
        begin = text.tokens[found.body].end
        return [*edits, *([Edit(begin, begin, used)] if used else []), Edit(end, end, ")")]
    used += "".join(f" (void){name};" for name in _own_params(text, found))
    return [*edits, text.blank(found.body, found.last, f"{{{used} __builtin_trap(); }})")]


def _check(text: Text, found: _Found) -> Iterator[Diagnostic]:
    """Yield a fault for what a lambda for the device cannot capture."""
    for first, last in arguments(text, found.opening, templates=True):
        item = [text.at(i) for i in range(first, last + 1)]
        if not item:  # a comma too many, which the parser reports
            continue
        if item[0] == "&":
            yield Diagnostic(
                text.span(first),
                "a lambda for the device cannot capture by reference",
                help="capture copies (`[=]`); for what it shall change, capture a pointer",
            )
        elif "this" in item[:2]:
            yield _no_this(text, last)
        elif "." in item:
            yield Diagnostic(text.span(first), "a lambda for the device cannot capture a parameter pack")
    this = next((i for i in range(found.body, found.last) if text.at(i) == "this"), None)
    if this is not None:
        yield _no_this(text, this)


def _no_this(text: Text, i: int) -> Diagnostic:
    help = "copy the members that it uses into local variables"
    return Diagnostic(text.span(i), "a lambda for the device cannot capture 'this'", help=help)


def _captures(text: Text, found: _Found, known: dict[str, Local]) -> tuple[list[_Capture], list[str], list[Diagnostic]]:
    """Return what a lambda captures, in order, the constants of the function around that it uses, and what it cannot.

    With `[=]`, these are the variables that its body names.
    """
    captures: list[_Capture] = []
    constants: list[str] = []
    faults: list[Diagnostic] = []
    everything = False
    for first, last in arguments(text, found.opening, templates=True):
        name = text.at(first)
        if name == "=":
            everything = True
        elif text.at(first + 1) == "=":
            value = text.text[text.tokens[first + 2].start : text.tokens[last].end]
            captures.append(_Capture(name, f"{name} = {value}", f"s2s_decayed<decltype({value})>"))
        else:
            captures.append(_capture(name, known.get(name)))
    taken = {capture.name for capture in captures} | set(_own_params(text, found))
    for i in _words_in_order(text, found.body, found.last) if everything else ():
        name = text.at(i)
        variable = known.get(name)
        if variable is None or name in taken:
            continue
        taken.add(name)
        if variable.is_pack:
            faults.append(Diagnostic(text.span(i), "a lambda for the device cannot capture a parameter pack"))
        elif "constexpr" in variable.words and not variable.words & {"float", "double"}:
            constants.append(name)
        else:
            captures.append(_capture(name, variable))
    return captures, constants, faults


def _capture(name: str, variable: Local | None) -> _Capture:
    bound = variable is not None and variable.bound  # which C++17 does not capture as it is
    return _Capture(name, f"{name} = {name}" if bound else name, f"s2s_held<decltype({name})>")


def _own_params(text: Text, found: _Found) -> Iterator[str]:
    if text.at(found.after_sides) == "(":
        for first, last in arguments(text, found.after_sides, templates=True):
            name_at, _ = param_name(text, first, last)
            if name_at is not None and "." not in [text.at(i) for i in range(first, name_at)]:
                yield text.at(name_at)


def _words_in_order(text: Text, first: int, last: int) -> Iterator[int]:
    """Yield the words that may name variables."""
    for i in range(first, last):
        if text.is_word(i) and text.at(i - 1) not in (".", "->", "::") and text.at(i + 1) != "::":
            yield i


def _words(text: Text, first: int, last: int) -> set[str]:
    return {text.at(i) for i in range(first, last) if text.is_word(i)}
