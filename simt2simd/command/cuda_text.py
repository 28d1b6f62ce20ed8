"""What `--emit cuda` prints: the program's own text, with the functions in it that the rewrites have changed.

    __device__ void visit(int n) {              __device__ __noinline__ void visit_rest(int n);
        if (n < 0) return;                      __forceinline__ __device__ void visit(int n) {
        visit(left(n)); visit(right(n));            if (n < 0) { return; }
    }                                     ->        visit_rest(n);
    int main() { ... }                          }
                                                __device__ __noinline__ void visit_rest(int n) {
                                                    visit(left(n)); visit(right(n));
                                                }
                                                int main() { ... }

Host code, types, constants, includes and comments stay as the programmer wrote them, and so does a function that no
rewrite changes. Every function that is put in is read back: what it means in that text must be what it shall mean.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

from .. import __version__, pipeline
from ..diag import CompileError, Diagnostic
from ..frontend.parse.definitions import Definition, find_definitions
from ..options import Options
from ..pipeline import Compiled, results
from ..source import Source, Span
from ..tree import nodes as tree
from ..tree.launches import is_launch
from ..tree.walk import walk
from . import cuda_consolidated, cuda_headers, cuda_launches, cuda_names
from .cuda_launches import Launches


@dataclass(frozen=True)
class CudaText:
    """A program for nvcc. `left`: a warning for each function that a rewrite would change and that stays as it is."""

    text: str
    left: tuple[Diagnostic, ...]


def read(file: str) -> Source:
    """Read a program. What is no UTF-8 in it, in a string of the host perhaps, is kept as surrogates."""
    return Source(file, Path(file).read_text(encoding="utf-8-sig", errors="surrogateescape"))


def emit(source: Source, options: Options, *, choose: bool = False) -> CudaText:
    """Return the program after the rewrites that take nothing of our gangs for granted.

    The macros of `options` are defined in the text: what a rewrite has made of a function holds for these alone.
    Headers with functions that a rewrite changes are included in it. `choose`: launches choose the form of traversals.
    Raises what `pipeline.compile_device` raises, and `CompileError` where a form that is asked for cannot be emitted.
    """
    pipeline.require_printed(options.traverse, Span(source, 1, 0))
    compiled = pipeline.rewrite_for_gpus(source, options, choose=choose)
    headers = _changed_headers(compiled)
    if not headers:
        return _emitted(compiled)
    joined = cuda_headers.joined(source, options, compiled.included, headers, read)
    try:
        again = pipeline.rewrite_for_gpus(joined.source, options, choose=choose)
        same = again.functions("tree") == compiled.functions("tree")
    except CompileError:
        same = False
    if not same:  # an include that a macro names, for example
        return _emitted(compiled)
    try:
        made = _emitted(again)
    except CompileError as fault:
        raise CompileError([joined.remapped(each) for each in fault.diagnostics]) from None
    return CudaText(made.text, tuple(map(joined.remapped, made.left)))


def _changed_headers(compiled: Compiled) -> frozenset[str]:
    """Return the program's own headers that define functions and kernels to which something is done."""
    own = cuda_headers.own_headers(compiled.source, compiled.included)
    functions = compiled[results.TREE].functions
    names = {*(rewrite.name for rewrite in _rewrites(compiled)), *cuda_launches.kernels_of(compiled)}
    places = {os.path.normpath(os.path.abspath(functions[name].span.source.name)) for name in names}
    return frozenset(places & own.keys())


_ELSE = "its new text would mean something else in its place"


def _emitted(compiled: Compiled) -> CudaText:
    rewrites = _rewrites(compiled)
    places = _places(compiled)
    asking = _asks_for_compiler(compiled)
    put_in: list[_Rewrite] = []
    left: dict[str, str] = {}
    for rewrite in rewrites:
        place = places[rewrite.name]
        why = place if isinstance(place, str) else asking or _obstacle(rewrite, place, compiled)
        if why is None and not _means_the_same(compiled, [*put_in, rewrite], places):
            why = cuda_names.unnamed_in(compiled, rewrite.texts.values()) or _ELSE
        if why is None:
            put_in.append(rewrite)
        else:
            left[rewrite.name] = why
    launches = _launches(compiled, put_in, places, asking)
    fixed = {name for name, place in places.items() if isinstance(place, str)}
    pipeline.require_form(compiled, left, launches.left, fixed)
    functions = compiled.module.functions
    warnings = [
        Diagnostic(functions[name].span, f"'{functions[name].title}' stays as it is: {why}", severity="warning")
        for name, why in left.items()
    ]
    text = _head(compiled.source, compiled.options) + _with(compiled, put_in, places, launches)
    return CudaText(text, (*warnings, *_pragmas_left(compiled, places)))


def _places(compiled: Compiled) -> dict[str, Definition | str]:
    """Return where each function of the program is in its text, or why it cannot be replaced there."""
    found = find_definitions(compiled[results.PREPROCESS])
    module = compiled[results.TREE]
    places: dict[str, Definition | str] = {}
    for name, function in module.functions.items():
        why = cuda_names.why_unnamed(module, function)
        places[name] = found.get(name, "its definition is not found") if why is None else f"it {why}"
    return places


_PRAGMA = re.compile(r"^[ \t]*#[ \t]*(pragma[ \t]+dp\b.*)", re.MULTILINE)


def _pragmas_left(compiled: Compiled, places: Mapping[str, Definition | str]) -> Iterator[Diagnostic]:
    """Yield a warning for each pragma in a template: only the host knows which instances of it there are."""
    source, known = compiled.source, compiled[results.TREE].functions
    whole = [place for name, place in places.items() if isinstance(place, Definition) and name in known]
    for found in _PRAGMA.finditer(source.text):
        at = found.start(1)
        if any(place.first <= at < place.end for place in whole):
            continue
        line = source.text.count("\n", 0, at) + 1
        column = at - source.text.rfind("\n", 0, at)
        what = "the launch after this stays as it is: a template is printed as it is written"
        help = "print a kernel without parameters of a template"
        yield Diagnostic(Span(source, line, column, len(found[1])), what, severity="warning", help=help)


def _launches(
    compiled: Compiled, put_in: Sequence[_Rewrite], places: Mapping[str, Definition | str], asking: str | None
) -> Launches:
    """Return what is added for launches that do more than run a kernel."""
    if asking is not None:
        return cuda_launches.left_out(compiled, asking)
    launches = cuda_launches.launches_for(compiled, compiled.functions(_last(compiled)), places)
    if not _means_the_same(compiled, put_in, places, launches):
        why = cuda_names.unnamed_in(compiled, launches.texts.values()) or _ELSE
        return cuda_launches.left_out(compiled, why)
    return launches


# ------------------------------------------------------------------------------------------- what has changed


@dataclass(frozen=True)
class _Rewrite:
    """A function that rewrites have changed, and those that they have made for it; `texts` are these as CUDA-C."""

    name: str
    inline: bool  # it has become `__forceinline__`
    made: tuple[str, ...]
    texts: Mapping[str, str]


def _rewrites(compiled: Compiled) -> list[_Rewrite]:
    before, after = compiled.functions("tree"), compiled.functions(_last(compiled))
    old, new = compiled[results.TREE].functions, compiled.module.functions
    found = []
    consolidated = cuda_consolidated.made_names(compiled)
    for name in old:
        made = tuple(sorted(_made_for(new[name], new, old) - consolidated))
        if before[name] != after[name]:
            inline = new[name].inline != old[name].inline
            found.append(_Rewrite(name, inline, made, {part: after[part] for part in (name, *made)}))
    return found


def _last(compiled: Compiled) -> str:
    return list(compiled.results)[-1]


def _made_for(function: tree.Function, new: Mapping[str, tree.Function], old: Mapping[str, tree.Function]) -> set[str]:
    """Return the functions that rewrites have made for one that they have changed, and for each other."""
    found: set[str] = set()
    left = [function]
    while left:
        names = _used(left.pop()) - old.keys() - found
        found |= names
        left += [new[name] for name in names]
    return found


def _used(function: tree.Function) -> set[str]:
    """Return the functions that a function calls, and the kernels that it launches."""
    calls = {node.function for node in walk(function.body) if isinstance(node, tree.Call)}
    return calls | {node.builtin.kernel for node in walk(function.body) if is_launch(node)}


# ----------------------------------------------------------------------------------------- what cannot be put in

# Macros that name the compiler: nvcc may choose other text, with other types and constants, than we did.
_COMPILERS = re.compile(
    r"\b(__SIMT2SIMD__|__CUDA_ARCH__|__GNUC__|__CUDACC_VER_\w+|CUDART_VERSION|CUDA_VERSION|__clang__)\b"
)


def _asks_for_compiler(compiled: Compiled) -> str | None:
    """Return the obstacle that the program's text depends on the compiler, None if it does not."""
    for text in _texts(compiled):
        if found := _COMPILERS.search(text):
            return f"the program asks for '{found[0]}', which may differ under nvcc"
    return None


def _texts(compiled: Compiled) -> list[str]:
    """Return the text of the program and of its own headers."""
    return [compiled.source.text, *filter(None, compiled.included.values())]


def _obstacle(rewrite: _Rewrite, place: Definition, compiled: Compiled) -> str | None:
    texts = (str(compiled[results.PREPROCESS].text), *_texts(compiled))
    if _used(compiled.module.functions[rewrite.name]) & cuda_consolidated.made_names(compiled):
        taken = (cuda_consolidated.obstacle(compiled, text) for text in texts)
        if why := next(filter(None, taken), None):
            return why
    for name in rewrite.made:
        if any(re.search(rf"\b{re.escape(name)}\b", text) for text in texts):
            return f"the name '{name}', for a part of it, is taken"
    tags = {struct.tag for struct in compiled.module.structs}
    for param in compiled.module.functions[rewrite.name].params:
        if param.name in tags:
            return f"its parameter '{param.name}' hides the struct '{param.name}'"
    own = "".join(rewrite.texts.values())
    if place.host and not _separate(rewrite, place) and (found := _DEVICE_ONLY.search(own)):
        return f"it is a function of the host too, which has no '{found[1]}'"
    return None


# What the host does not have: how infinities are printed, and what forms of traversals ask of a GPU.
_DEVICE_ONLY = re.compile(r"\b(__int_as_float|__longlong_as_double|__trap|__activemask)\(")


def _separate(rewrite: _Rewrite, place: Definition) -> bool:
    """Whether the host keeps a function as it is written, beside the device's. It inlines no recursion."""
    return place.host and not rewrite.inline


def _means_the_same(
    compiled: Compiled,
    put_in: Sequence[_Rewrite],
    places: Mapping[str, Definition | str],
    launches: Launches = cuda_launches.NONE,
) -> bool:
    """Read the text back: each function must be what it is after the rewrites, or was before them."""
    source = compiled.source
    text = _head(source, compiled.options) + _with(compiled, put_in, places, launches)
    try:
        again = pipeline.compile_device(
            Source(source.name, text), replace(compiled.options, defines=()), until="tree"
        ).functions("tree")
    except CompileError:
        return False
    expected = compiled.functions("tree")
    for rewrite in put_in:
        expected |= rewrite.texts
    expected |= launches.texts
    expected |= _consolidated(compiled, put_in, places).texts
    return {name: text for name, text in again.items() if name not in launches.own and name in expected} == expected


def _consolidated(
    compiled: Compiled, put_in: Sequence[_Rewrite], places: Mapping[str, Definition | str]
) -> cuda_consolidated.Consolidated:
    """Return what is added for launches that have become few."""
    names = [rewrite.name for rewrite in put_in]
    return cuda_consolidated.consolidated_for(compiled, names, compiled.functions(_last(compiled)), places)


# ---------------------------------------------------------------------------------------------- the new text


class _Edit(NamedTuple):
    """Put `text` in place of the characters from `start` to before `end`."""

    start: int
    end: int
    text: str


def _with(
    compiled: Compiled, put_in: Sequence[_Rewrite], places: Mapping[str, Definition | str], launches: Launches
) -> str:
    text = compiled.source.text
    parts: list[str] = []
    done = 0
    added = (*_consolidated(compiled, put_in, places).edits, *launches.edits)
    edits = [edit for rewrite in put_in for edit in _edits(text, rewrite, places[rewrite.name])]
    for edit in sorted([*(_Edit(*edit) for edit in added), *edits], key=lambda edit: edit[:2]):
        parts += [text[done : edit.start], edit.text]
        done = edit.end
    return "".join([*parts, text[done:]])


def _edits(text: str, rewrite: _Rewrite, place: Definition | str) -> Iterator[_Edit]:
    """Give a function a new body after its own head; what was made for it is put around it."""
    assert isinstance(place, Definition)
    separate = _separate(rewrite, place)
    host = "__host__ " * (place.host and not separate)
    made = [host + rewrite.texts[name] for name in rewrite.made]
    heads = "".join(f"{_split(text)[0]};\n" for text in made)
    fresh_line = "" if place.first == 0 or text[place.first - 1] == "\n" else "\n"
    inline = "__forceinline__" * rewrite.inline
    yield _Edit(place.first, place.first, f"{fresh_line}// Rewritten by simt2simd.\n{heads}")
    if place.inline is not None and inline:
        yield _Edit(*place.inline, inline)
    elif inline:
        yield _Edit(place.head, place.head, f"{inline} ")
    body = _split(rewrite.texts[rewrite.name])[1]
    added = "".join(f"\n\n{text.rstrip()}" for text in made)
    body = body.rstrip()
    if separate:
        written = text[place.body + 1 : place.end - 1].strip("\n")
        body = f"#ifdef __CUDA_ARCH__\n{body.removesuffix('}').rstrip()}\n#else\n{written}\n#endif\n}}"
    yield _Edit(place.body, place.end, f"{{\n{body}{added}")


def _split(function: str) -> tuple[str, str]:
    """Return what precedes the `{` of a function's text, and what follows it."""
    head, _, body = function.partition(" {\n")
    return head, body


def _head(source: Source, options: Options) -> str:
    name = re.sub(r"[^ -\[\]-~]", "?", Path(source.name).name)  # a backslash would continue the comment
    defines = [definition.partition("=") for definition in options.defines]
    return "".join(
        [
            f"// Generated by simt2simd {__version__} from {name} with --emit cuda: changes belong there, not here.\n",
            *(f"#define {name} {value if equals else '1'}\n" for name, equals, value in defines),
        ]
    )
