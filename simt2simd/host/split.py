"""The host side of a `.cu` file: kernels become launch stubs, launches become calls, the rest stays as it is.

    __global__ void scale(int n, float *x) {       void scale(int n, float *x) { void *s2s_args[] = {...};
      if (threadIdx.x < n) x[threadIdx.x] *= 2;  ->  s2s_launch_pushed(&s2s_kernel_scale, s2s_args); }
    }
    scale<<<blocks, 256>>>(n, x);               -> (s2s_push_call(blocks, 256) ? (void)0 : scale(n, x));

The text worked on is what the C++ preprocessor gives, so launches and qualifiers inside macros are found. Only the
user's own files are looked at, and every line and column stays where it was: line markers see to it that the C++
compiler's messages name the user's.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from ..diag import CompileError, Diagnostic, Note
from ..source import Source
from . import class_names, device_functions, lambdas, stubs, typenames, variables
from .functions import params
from .part import HostPart
from .program import Program
from .tokens import LAUNCH_ATTRIBUTES, QUALIFIERS, STATEMENT_WORDS, Edit, Text


def split(preprocessed: str, source: Source, *, linked: bool = False) -> HostPart:
    """Turn the C++ preprocessor's output for `source` into what the C++ compiler shall see.

    Assumes that `preprocessed` has line markers (no `-P`) and that cuda_runtime.h was included first and left the
    words `__global__`, `__device__`, ... alone. `linked`: the device part is linked with those of other files. Raises
    `CompileError` for each launch or call of a kernel that cannot be right; other mistakes are left to the C++
    compiler.
    """
    text = Text(preprocessed, source)
    program = Program(text)
    kernels = [f for f in program.functions if f.kind == "kernel" and f.body is not None]
    simple = stubs.simple_kernels(program, kernels)
    others = stubs.places(text, (kernel for kernel in kernels if kernel not in simple))
    edits = list(typenames.completed(text))
    edits += class_names.qualified(program)
    faults = list(_check_kernels(program))
    of_variables, variable_names, about_variables = variables.edits(program, linked=linked)
    edits += of_variables
    made, closures, wrong = lambdas.rewrite_lambdas(program)
    edits += made
    faults += wrong
    for function in program.functions:
        if function.kind == "device":
            edits += device_functions.hide(program, function)
        elif function.kind == "kernel" and function.body is not None:
            made, wrong = stubs.stub(text, function, others.get(function))
            edits += made
            faults += wrong
    for i, token in enumerate(text.tokens):
        if i in program.removed or i in about_variables:
            continue
        if token.text in QUALIFIERS:
            edits.append(text.blank(i, i))
        elif token.text in LAUNCH_ATTRIBUTES and text.at(i + 1) == "(":
            edits.append(text.blank(i, text.partner.get(i + 1, i + 1)))
        elif token.text == "__noinline__" and text.at(i - 1) not in ("(", ","):  # alone it is CUDA's, not GCC's
            edits.append(text.blank(i, i, "__attribute__((noinline))"))
        elif text.is_launch(i):
            launch = _find_launch(text, i)
            if isinstance(launch, Diagnostic):
                faults.append(launch)
            else:
                edits += _launch_as_call(text, launch)
                faults += _check_launch(program, launch)
        elif text.at(i + 1) == "(" and i in program.host_bodies:
            faults += _check_call(program, i)
    if faults:
        raise CompileError(faults)
    declared = (
        variables.references(text)
        + device_functions.declarations(program)
        + stubs.declarations(text, simple, others)
        + lambdas.declarations(closures)
    )
    if declared:
        at = text.marker_before(text.tokens[0].start)
        edits.append(Edit(at, at, declared))
    return HostPart(
        text.apply(edits),
        {f.name: text.span(f.name_at) for f in simple},
        {name: text.span(at) for name, at in variable_names.items()},
        bool(others),
        tuple(closures),
        variables.marked_words(text),
    )


# -------------------------------------------------------------------------------------------- launches


class _Launch(NamedTuple):
    """`callee<<<config>>>(args)`: all places are token numbers.

    `callee` is its first token, `opening` the first `<`, `closing` the first `>` and `args` the `(` after it.
    """

    callee: int
    opening: int
    closing: int
    args: int


def _find_launch(text: Text, opening: int) -> _Launch | Diagnostic:
    """Return the launch whose `<<<` is at token `opening`, or what is wrong with it."""
    span = text.span(opening - 1)
    i = opening + 3
    while text.at(i) not in ("", ";", ")", "]", "}"):
        if text.at(i) == text.at(i + 1) == text.at(i + 2) == ">" and text.at(i + 3) != ">":
            callee = _callee(text, opening)
            if callee is None:
                return Diagnostic(span, "expected the name of a kernel before '<<<'")
            if text.at(i + 3) != "(" or i + 3 not in text.partner:
                return Diagnostic(span, "expected '(' and the kernel's arguments after '>>>'")
            return _Launch(callee, opening, i, i + 3)
        i = text.partner.get(i, i) + 1 if text.at(i) in ("(", "[", "{") else i + 1
    return Diagnostic(span, "no '>>>' ends the execution configuration that '<<<' begins")


def _callee(text: Text, opening: int) -> int | None:
    """Return the first token of the postfix expression that ends before `opening`: `k`, `ns::k<int>`, `(*table[i])`."""
    i = opening - 1
    while True:
        if text.at(i) == ">":
            depth = 0
            while i >= 0:
                i = text.partner.get(i, i) if text.at(i) in (")", "]", "}") else i
                depth += {">": 1, "<": -1}.get(text.at(i), 0)
                if depth == 0:
                    break
                i -= 1
            i -= 1
            continue
        if text.at(i) in (")", "]"):
            i = text.partner.get(i, -1)
            if i < 0:
                return None
            if _ends_operand(text, i - 1):
                i -= 1
                continue
        elif not text.is_word(i) or text.at(i) in STATEMENT_WORDS:
            return None
        if text.at(i - 1) in (".", "->"):
            i -= 2
            continue
        if text.at(i - 1) == "::":
            i -= 1
            if text.is_word(i - 1) and text.at(i - 1) not in STATEMENT_WORDS:
                i -= 1
                continue
        return i


def _ends_operand(text: Text, i: int) -> bool:
    """True if brackets after token `i` call or index something; False after `return` and after `if (...)`."""
    if text.at(i) == ")" and text.at(text.partner.get(i, i) - 1) in STATEMENT_WORDS:
        return False
    return text.at(i) in (")", "]") or (text.is_word(i) and text.at(i) not in STATEMENT_WORDS)


def _launch_as_call(text: Text, launch: _Launch) -> list[Edit]:
    """`k<<<g, b>>>(a)` becomes `(s2s_push_call(g, b) ? (void)0 : k(a))`: an expression, as a call is."""
    tokens = text.tokens
    named = tokens[launch.callee : launch.opening]
    spaces = ["" if token.end == after.start else " " for token, after in pairwise(named)]  # `1 << 3` is `<` `<`
    callee = "".join(token.text + space for token, space in zip(named, [*spaces, ""], strict=True))
    end = tokens[text.partner[launch.args]].end
    return [
        text.replace(tokens[launch.callee].start, tokens[launch.opening + 2].end, "(s2s_push_call("),
        text.replace(tokens[launch.closing].start, tokens[launch.args].start, f") ? (void)0 : {callee}"),
        Edit(end, end, ")"),
    ]


# ----------------------------------------------------------------------------------------------- checks


def _check_kernels(program: Program) -> Iterator[Diagnostic]:
    """Yield a fault for each `__global__` that begins no function: without it, the kernel would run on the host."""
    text = program.text
    heads = {i for f in program.functions for i in range(f.first, f.name_at)}
    for i, token in enumerate(text.tokens):
        if token.text == "__global__" and i not in heads and "friend" not in (text.at(i - 1), text.at(i + 1)):
            yield Diagnostic(
                text.span(i), "'__global__' begins no declaration of a function that can be understood here"
            )


def _check_launch(program: Program, launch: _Launch) -> Iterator[Diagnostic]:
    """Yield what is wrong with a launch that the C++ compiler would accept or explain badly."""
    text = program.text
    name = text.at(launch.callee)
    config = _between(text, launch.opening + 3, launch.closing)
    if config is not None and not 2 <= config <= 4:
        yield Diagnostic(
            text.span(launch.callee),
            f"an execution configuration has 2 to 4 arguments: {config} given",
            help=f"{name}<<<grid, block>>>(...) or {name}<<<grid, block, shared_bytes, stream>>>(...)",
        )
    if launch.callee + 1 != launch.opening or name in program.local_names:
        return
    declared = [f for f in program.functions if f.name == name]
    kernels = [f for f in declared if f.kind == "kernel"]
    if declared and not kernels:
        note = Note(text.span(declared[0].name_at), f"'{name}' is declared here")
        yield Diagnostic(
            text.span(launch.callee), f"only a kernel can be launched: '{name}' is not declared __global__", (note,)
        )
    given = _between(text, launch.args + 1, text.partner[launch.args])
    expected = {len(params(text, f)) for f in kernels}
    is_open = any(text.at(i) in ("=", ".") for f in kernels for i in range(f.params, text.partner[f.params]))
    if given is None or len(expected) != 1 or is_open or given in expected:  # defaults and packs leave it open
        return
    few = "few" if given < min(expected) else "many"
    yield Diagnostic(
        text.span(launch.callee),
        f"too {few} arguments to '{name}': {given} given, {min(expected)} expected",
        (Note(text.span(kernels[0].name_at), f"'{name}' is declared here"),),
    )


def _check_call(program: Program, i: int) -> Iterator[Diagnostic]:
    """Yield the fault if the word at `i`, with a `(` after it, calls a kernel or a device function from the host."""
    text = program.text
    name = text.at(i)
    previous = text.at(i - 1)
    in_expression = previous in STATEMENT_WORDS or previous in (*"{}();,=?+-/%!~[|^",)
    if not in_expression:
        return
    kinds = {f.kind for f in program.functions if f.name == name and program.is_visible(f, i)}
    if kinds not in ({"kernel"}, {"device"}) or name in program.local_names:
        return
    declared = next(f for f in program.functions if f.name == name)
    note = Note(text.span(declared.name_at), f"'{name}' is declared here")
    if kinds == {"kernel"}:
        yield Diagnostic(
            text.span(i),
            f"a kernel cannot be called as a function: '{name}'",
            (note,),
            help=f"launch it: {name}<<<grid, block>>>(...)",
        )
    else:
        yield Diagnostic(
            text.span(i),
            f"host code cannot call '{name}', a __device__ function",
            (note,),
            help="declare it `__host__ __device__` to have it on both sides",
        )


def _between(text: Text, first: int, end: int) -> int | None:
    """Count the comma-separated items from token `first` to before `end`; None where a `<` makes commas ambiguous."""
    count, i = 1, first
    while i < end:
        if text.at(i) == "<":
            return None
        count += text.at(i) == ","
        i = text.partner.get(i, i) + 1 if text.at(i) in ("(", "[", "{") else i + 1
    return count if end > first else 0
