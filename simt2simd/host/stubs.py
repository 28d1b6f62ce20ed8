"""A kernel's host function: it passes the addresses of the parameters to the runtime, with the kernel to launch.

    { void *s2s_args[] = {(void *)&n, (void *)&x}; s2s_launch_pushed(&s2s_kernel_scale, s2s_args); }

That is for simple kernels (`lang/instance`). Of others, only the C++ compiler knows which ones there will be. So their
host functions leave a `s2s_reference` (cuda_runtime.h) in the object file, one for each instance:

    { static struct s2s_reference s2s_reference = {0, &s2s_instances_MARK, "t.cu:3:scan:1", s2s_text<s2s_list<T>>()};
      void *s2s_args[] = {(void *)&x}; s2s_launch_instance(&s2s_reference, s2s_args); }
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping

from ..abi import instances_symbol, kernel_symbol
from ..diag import Diagnostic
from ..lang.instance import Place
from .functions import Function, param_name, params
from .instances import REFERENCE
from .program import Program
from .template_heads import template_params
from .tokens import Edit, Text


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
        name_at, insert_at = param_name(text, first, last)
        if name_at is None:
            name, at = f"s2s_param{number}", text.tokens[insert_at].end
            edits.append(Edit(at, at, f" {name}"))
        else:
            name = text.at(name_at)
        end = insert_at + 1 if name_at is None else name_at
        is_pack = all(text.at(i) == "." for i in range(end - 3, end))  # not those of `std::tuple<T...> x`
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


def _template_arguments(text: Text, kernel: Function) -> tuple[list[Edit], str, list[Diagnostic]]:
    """Return the C++ text that names the template's own parameters, which get names where they have none.

    A specialisation's arguments are those that it is written with.
    """
    if not kernel.heads:
        return [], '""', []
    params = list(template_params(text, *kernel.heads[-1]))
    edits = [Edit(p.end, p.end, f" {p.name}") for p in params if p.unnamed]
    faults = [
        Diagnostic(
            text.span(p.first),
            "a template parameter of a kernel that takes values is not supported yet",
            help="let the template that it denotes take types only",
        )
        for p in params
        if p.takes_values
    ]
    return edits, f"s2s_text<s2s_list<{', '.join(p.item for p in params)}>>()", faults
