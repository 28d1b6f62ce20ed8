"""What `--emit cuda` adds to a program with `#pragma dp consolidate`: buffers, and the kernels that fetch from them.

                                            ... the pool, and the functions for buffers ...
                                            __global__ void child_consolidated(unsigned char *work, ...);
    __global__ void parent(int n) {   ->    __global__ void parent(int n) {
        child<<<1, 64>>>(i);                    ... child_consolidated<<<...>>>(buffer, ...);
    }                                       }
                                            __global__ void child_consolidated(unsigned char *work, ...) { ... }

The new kernels follow the last device function of the file, so that all is declared that they use.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from ..frontend.parse.definitions import Definition
from ..lang.builtins import GRID_ID
from ..pipeline import Compiled, results
from ..tree import nodes as tree
from ..tree.launches import is_launch
from ..tree.nodes import Function
from ..tree.show import show_variable
from ..tree.show_struct import show_struct
from ..tree.walk import walk
from .cuda_launches import Edit


@dataclass(frozen=True)
class Consolidated:
    """What is added: `texts`, the new functions and kernels; `edits` of the program's text."""

    texts: Mapping[str, str]
    edits: tuple[Edit, ...]


NONE = Consolidated({}, ())

# Numbers of grids: the PTX ISA says of %gridid that it is unique among the launches of a context.
_GRID_ID = f"""\
#ifndef __SIMT2SIMD__
static __device__ __forceinline__ unsigned long long {GRID_ID.name}() {{
    unsigned long long id;
    asm volatile("mov.u64 %0, %%gridid;" : "=l"(id));
    return id;
}}
#endif
"""


def made_names(compiled: Compiled) -> frozenset[str]:
    """Return the functions and kernels that consolidation has made."""
    if results.LAUNCH_CONSOLIDATION.name not in compiled.results:
        return frozenset()
    return frozenset(compiled[results.LAUNCH_CONSOLIDATION].functions) - frozenset(compiled[results.TREE].functions)


def obstacle(compiled: Compiled, text: str) -> str | None:
    """Return why nothing can be added to a program's text, None if it can."""
    for name in sorted(made_names(compiled)):
        if re.search(rf"\b{name}\b", text):
            return f"the name '{name}', for a part of it, is taken"
    return None


def consolidated_for(
    compiled: Compiled, parents: Iterable[str], texts: Mapping[str, str], places: Mapping[str, Definition | str]
) -> Consolidated:
    """Return what is added for these kernels; `texts`: all functions after the rewrites, as CUDA-C."""
    made = made_names(compiled)
    functions = compiled.module.functions
    found = {name: place for name in parents if isinstance(place := places[name], Definition)}
    needed = _needed([functions[name] for name in found], functions, made)
    if not needed:
        return NONE
    kernels = [name for name in texts if name in needed and functions[name].kind == "kernel"]
    helpers = [name for name in texts if name in needed and functions[name].kind == "device"]
    heads = {name: f"{texts[name].partition(' {')[0]};\n" for name in needed}
    edits: list[Edit] = []
    users = sorted((place.first, name) for name, place in found.items() if _uses(functions[name]) & needed)
    for i, (at, name) in enumerate(users):
        begin = _buffers(compiled, helpers, texts) if i == 0 else ""
        launched = "".join(heads[kernel] for kernel in kernels if kernel in _uses(functions[name]))
        edits.append((at, at, begin + launched))
    last = max(place.end for place in places.values() if isinstance(place, Definition))
    bodies = "\n".join(texts[name] for name in kernels)
    edits.append((last, last, f"\n\n{''.join(heads[name] for name in kernels)}\n{bodies}"))
    return Consolidated({name: texts[name] for name in needed}, tuple(edits))


def _buffers(compiled: Compiled, helpers: Iterable[str], texts: Mapping[str, str]) -> str:
    """Return the variables and functions for buffers."""
    before, after = compiled[results.TREE], compiled.module
    structs = [show_struct(struct) for struct in after.structs if struct not in before.structs]
    variables = [
        f"static {show_variable(variable, content)}\n"
        for variable, content in after.variables.items()
        if variable not in before.variables
    ]
    functions = [texts[name] for name in helpers]
    ids = [_GRID_ID] if any(f"{GRID_ID.name}()" in text for text in functions) else []
    return "\n".join(
        ["// Buffers of work items, made by simt2simd.", *ids, *structs, "".join(variables), *functions, ""]
    )


def _needed(parents: Iterable[Function], functions: Mapping[str, Function], made: frozenset[str]) -> frozenset[str]:
    found: set[str] = set()
    todo = list(parents)
    while todo:
        more = (_uses(todo.pop()) & made) - found
        found |= more
        todo += [functions[name] for name in more]
    return frozenset(found)


def _uses(function: Function) -> frozenset[str]:
    """Return what a function calls or launches."""
    return frozenset(
        node.function if isinstance(node, tree.Call) else node.builtin.kernel
        for node in walk(function.body)
        if isinstance(node, tree.Call) or is_launch(node)
    )
