"""What `--emit cuda --traverse=static-ropes` adds to a program: the kernels that follow ropes, and how to launch them.

    __global__ void k(int n) { ... }        __global__ void k(int n) { ... }
                                            static void k_launch(const s2s_launch_at &at, int n);
                                       ->   __global__ void k_install_ropes(int n, int *ropes, ...) { ... }
                                            __global__ void k_by_ropes(int n, const int *ropes) { ... }
                                            static void k_launch(const s2s_launch_at &at, int n) { ... }
    k<<<grid, block>>>(7);                  k_launch(s2s_launch_at(grid, block), 7);

The launch installs the ropes with one thread, waits for what it says, and runs the kernel that follows them, or the one
that was written if the nodes are no tree. A launch that stands before its kernel, or that names the kernel in another
way, stays as it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from ..frontend.definitions import Definition
from ..pipeline import Compiled
from ..tree.nodes import Function

Edit = tuple[int, int, str]  # put a text in place of the characters from the first place to before the second


@dataclass(frozen=True)
class Ropes:
    """What is added: `texts`, the new device functions and kernels; `edits` of the program's text.

    `left`: the kernels for which nothing can be added, and why.
    """

    texts: Mapping[str, str]
    edits: tuple[Edit, ...]
    left: Mapping[str, str]


NONE = Ropes({}, (), {})


def ropes_for(compiled: Compiled, texts: Mapping[str, str], places: Mapping[str, Definition | str]) -> Ropes:
    """Return what is added to a program; `texts`: all its functions after the rewrites, as CUDA-C."""
    kernels = compiled.module.static_ropes
    if not kernels:
        return NONE
    made = {name: text for name, text in texts.items() if compiled.module.functions[name].helps is not None}
    found: dict[str, Definition] = {}
    for kernel in kernels:
        place = places[kernel]
        if isinstance(place, str):
            return left_out(compiled, place)
        found[kernel] = place
    source = _without_comments(compiled.source.text)
    for name in (*made, *map(_launcher, kernels), "s2s_launch_at"):
        if re.search(rf"\b{name}\b", source):
            return left_out(compiled, f"the name '{name}', for a part of it, is taken")
    last = max(place.end for place in found.values())
    first = min(place.end for place in found.values())
    edits: list[Edit] = []
    for name, place in found.items():
        function = compiled.module.functions[name]
        declared = f"{_head(function, texts[name])};\n"
        edits.append((place.end, place.end, "\n" + (_AT if place.end == first else "") + declared))
        edits += _launches(source, name, place.end)
    heads = "".join(text.partition(" {\n")[0] + ";\n" for text in made.values())
    launchers = (_launch(compiled.module.functions[name], texts[name]) for name in kernels)
    edits.append((last, last, "\n".join(["", heads, *made.values(), *launchers])))
    return Ropes(made, tuple(edits), {})


def left_out(compiled: Compiled, why: str) -> Ropes:
    """Return that nothing is added, as that cannot be."""
    return Ropes({}, (), dict.fromkeys(compiled.module.static_ropes, why))


def _launcher(name: str) -> str:
    return f"{name}_launch"


def _head(kernel: Function, text: str) -> str:
    params = text[text.index(f" {kernel.name}(") + len(kernel.name) + 2 :].partition(") {\n")[0]
    return f"static void {_launcher(kernel.name)}(const s2s_launch_at &at{f', {params}' if kernel.params else ''})"


_AT = """
// Made by simt2simd: where `kernel<<<grid, block, shared_bytes, stream>>>` runs.
struct s2s_launch_at {
    dim3 grid, block;
    size_t shared_bytes;
    cudaStream_t stream;
    s2s_launch_at(dim3 grid, dim3 block, size_t shared_bytes = 0, cudaStream_t stream = 0)
        : grid(grid), block(block), shared_bytes(shared_bytes), stream(stream) {}
};
"""

# The array of ropes, with the state behind it, stays for the next launch. That may be in another stream: so this waits
# for the device.
_LAUNCH = """\
// Installs ropes in the tree, and runs the kernel that follows them. By one thread of the host at a time.
HEAD
{
    static int *s2s_ropes = NULL, s2s_room = 0;
    int s2s_state = s2s_room > 0 ? s2s_room : 4096;
    cudaDeviceSynchronize();
    while (s2s_state > 0) {
        if (s2s_state > s2s_room) {
            const int s2s_nodes = s2s_state > 2 * s2s_room ? s2s_state : 2 * s2s_room;
            cudaFree(s2s_ropes);
            s2s_room = 0;
            if (cudaMalloc((void **)&s2s_ropes, (2 * (size_t)s2s_nodes + 1) * sizeof(int)) != cudaSuccess) {
                cudaGetLastError();
                s2s_ropes = NULL;
                s2s_state = -1;
                break;
            }
            s2s_room = s2s_nodes;
        }
        int *s2s_where = s2s_ropes + 2 * (size_t)s2s_room;
        cudaMemset(s2s_ropes, 0xff, 2 * (size_t)s2s_room * sizeof(int));
        KERNEL_install_ropes<<<1, 1>>>(ARGS s2s_ropes, s2s_room, s2s_where);
        s2s_state = -1;
        cudaDeviceSynchronize();
        cudaMemcpy(&s2s_state, s2s_where, sizeof(int), cudaMemcpyDeviceToHost);
    }
    if (s2s_state == 0)
        KERNEL_by_ropes<<<at.grid, at.block, at.shared_bytes, at.stream>>>(ARGS s2s_ropes);
    else
        KERNEL<<<at.grid, at.block, at.shared_bytes, at.stream>>>(PLAIN);
}
"""


def _launch(kernel: Function, text: str) -> str:
    names = ", ".join(param.name for param in kernel.params)
    words = {"HEAD": _head(kernel, text), "KERNEL": kernel.name, "ARGS": f"{names}," if names else "", "PLAIN": names}
    return re.sub("|".join(words), lambda word: words[word[0]], _LAUNCH)


# ------------------------------------------------------------------------------------------------ the program's text

_COMMENT = re.compile(r"//(?:\\\n|[^\n])*|/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])'", re.DOTALL)


def _without_comments(text: str) -> str:
    """Return a program's text with blanks in place of its comments and strings."""
    return _COMMENT.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text)


def _launches(source: str, name: str, after: int) -> Iterator[Edit]:
    """Change the launches of a kernel that stand after a place of the text."""
    for found in re.compile(rf"(?<![\w:.>]){name}\s*<<<").finditer(source, after):
        end = _config_end(source, found.end())
        opening = re.compile(r">>>\s*\(\s*").match(source, end) if end is not None else None
        if end is None or opening is None:
            continue
        yield found.start(), found.end(), f"{_launcher(name)}(s2s_launch_at("
        no_args = source[opening.end()] == ")"
        yield end, opening.end(), ")" if no_args else "), "


def _config_end(source: str, at: int) -> int | None:
    """Return where the `>>>` is that ends an execution configuration."""
    depth = 0
    while at < len(source):
        if depth == 0 and source.startswith(">>>", at):
            return at
        depth += {"(": 1, "[": 1, "{": 1, ")": -1, "]": -1, "}": -1}.get(source[at], 0)
        if depth < 0 or source[at] == ";":
            return None
        at += 1
    return None
