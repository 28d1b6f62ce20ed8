"""Tree-to-tree: a kernel that launches itself for the children of a tree's node takes a level at a time.

**Known as:** level-synchronous traversal, flattening of recursive launches.

With `crec`, consolidated recursion, one launch has a thread, or with `crec-block` a block, for each node of a level.
What the kernel does before it waits for the children runs from the root down, what it does then from the last level up.
With `flat`, each node hands its part on to all nodes above it by atomic functions, where the nodes add up what their
children have. `descent/kernels` shows what is launched, `descent/combination` says which sums are handed on.

    __global__ void visit(int *first, int *sum, int n) {        __global__ void visit(int *first, int *sum, int n) {
        for (c in children of n by threads)                         if (the grid is one block) {
            visit<<<1, 32>>>(first, sum, c);                            if (threadIdx.x == 0) {
        cudaDeviceSynchronize();                          ->                lists of nodes = the node n;
        for (c in children of n by threads)                                 visit_next<<<1, 1, 0, tail>>>(..., 0);
            atomicAdd(&sum[n], sum[c]);                                 }
    }                                                                   return;
                                                                    }
                                                                    what was written
                                                                }

After Wu (2022), section 4.4.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ...analysis.frames import RefusedError
from ...options import Traverse
from ...source import Span
from ...tree.nodes import Function, Module
from .levels.kernels import Levels
from .levels.pattern import descent_of, launches_itself
from .levels.places import require_own_writes

__all__ = ["Refusal", "level_synchronous"]


@dataclass(frozen=True)
class Refusal:
    """Why a kernel does not get its form, and where that is seen."""

    kernel: str
    span: Span
    why: str


def level_synchronous(module: Module, form: Traverse, *, for_gpus: bool = False) -> tuple[Module, Sequence[Refusal]]:
    """Return a module whose kernels that descend a tree take a level at a time, and which ones cannot.

    `for_gpus`: a kernel that waits by `cudaDeviceSynchronize`, which CUDA 12 does not have, traps where it would be
    run as it is written: in a launch of several blocks, for example.
    """
    functions, refused = dict(module.functions), []
    for kernel in module.kernels:
        if not launches_itself(kernel):
            continue
        try:
            descent = descent_of(module, kernel)
            require_own_writes(module, descent)
            made = Levels(descent, form, for_gpus).functions()
            _require_free_names(module, kernel, made)
        except RefusedError as why:
            refused.append(Refusal(kernel.title, why.span, why.why))
            continue
        functions |= {function.name: function for function in made}
    return replace(module, functions=functions), refused


def _require_free_names(module: Module, kernel: Function, made: Sequence[Function]) -> None:
    for function in made:
        if function is not made[0] and function.name in module.functions:
            raise RefusedError(module.functions[function.name].span, f"the name '{function.name}' is taken")
