"""What `--emit cuda --traverse=lockstep` adds to a program: launches that give kernels room for the stacks of warps.

__global__ void k(int n) { ... }        __global__ void k(int n) { ... }
                                   ->   static void k_launch(const s2s_launch_at &at, int n) { ... }
k<<<grid, block>>>(7);                  k_launch(s2s_launch_at(grid, block), 7);
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

from ..frontend.definitions import Definition
from ..lang.builtins import WARP_SIZE
from ..pipeline import Compiled
from .cuda_ropes import AT, Edit, head_of_launcher, launches_of, without_comments


@dataclass(frozen=True)
class Lockstep:
    """What is added: `edits` of the program's text; or `left`: why that cannot be, by kernel."""

    edits: tuple[Edit, ...]
    left: Mapping[str, str]


def lockstep_for(compiled: Compiled, texts: Mapping[str, str], places: Mapping[str, Definition | str]) -> Lockstep:
    """Return what is added to a program; `texts`: all its functions after the rewrites, as CUDA-C."""
    kernels = compiled.module.warp_stacks
    source = without_comments(compiled.source.text)
    found: dict[str, Definition] = {}
    for name in kernels:
        place = places[name]
        if isinstance(place, str):
            return Lockstep((), dict.fromkeys(kernels, place))
        found[name] = place
    first = min((place.end for place in found.values()), default=0)
    edits: list[Edit] = []
    for name, place in found.items():
        function = compiled.module.functions[name]
        names = ", ".join(param.name for param in function.params)
        words = {
            "HEAD": head_of_launcher(function, texts[name]),
            "KERNEL": name,
            "ARGS": names,
            "WARP": str(WARP_SIZE),
            "BYTES": str(kernels[name]),
        }
        launcher = re.sub("|".join(words), partial(_word, words), _LAUNCH)
        edits.append((place.end, place.end, "\n" + AT * (place.end == first) + launcher))
        edits += launches_of(source, name, place.end)
    return Lockstep(tuple(edits), {})


def _word(words: Mapping[str, str], found: re.Match[str]) -> str:
    return words[found[0]]


_LAUNCH = """
// Runs the kernel with room in shared memory for a stack of each warp.
HEAD
{
    const size_t s2s_threads = (size_t)at.block.x * at.block.y * at.block.z;
    const size_t s2s_bytes = at.shared_bytes + (s2s_threads + WARP - 1) / WARP * BYTES;
    if (s2s_bytes > 16384)
        cudaFuncSetAttribute((const void *)KERNEL, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)s2s_bytes);
    KERNEL<<<at.grid, at.block, s2s_bytes, at.stream>>>(ARGS);
}
"""
