"""Tree-to-tree: a lane whose query is done takes the next query of its blocks (GDR of Wu, section 4.3).

**Known as:** persistent threads with ray replacement; GDR of Wu.

A traversal as a loop over a stack (`ropes`) lasts as long as the longest of a gang's or warp's lanes. Here the loops
over nodes and over queries are one:

    __global__ void k(nodes, x, count, found) {     __global__ void k(nodes, x, count, found) {
        int i = blockIdx.x * blockDim.x                 __shared__ unsigned int next;
                + threadIdx.x;                          ... some blocks return; next = 0; __syncthreads(); ...
        if (i >= count) return;                         for (;;) {
        Query q = {x[i], 0};                                if (!more && depth == 0) {
        visit(nodes, 0, &q);                                    if (busy) { busy = 0; found[i] = q.count; }
        found[i] = q.count;                                     taken = atomicAdd(&next, 1);
    }                                                           if (taken >= threads of these blocks) break;
                                                                i = ...;
                                                                if (i >= count) continue;
                                                                q = {x[i], 0};
                                                                n = 0; busy = 1; more = true;
                                                            }
                                                            ... one iteration of the traversal ...
                                                        }
                                                    }

One block in `rounds` works, for itself and for those that follow it: threads take numbers, and each does for its number
what the kernel did for that thread. What decides in all threads alike which call of the traversal they make, such as
a `switch` over a parameter, is decided before: each arm has a loop of its own.

An iteration may end with long work that only some visits have, such as the loop over the points of a leaf. Then the
iterations are a loop inside: it ends for a lane that reaches such work, and the lanes do theirs together.

The threads of the kernel must be independent, and make at most one call of one recursive function,
outside loops. The functions between the kernel and that call are inlined. The result prints as CUDA-C.
"""

from __future__ import annotations

from dataclasses import replace

from ...analysis.frames import RefusedError
from ...analysis.thread_independence import are_independent
from ...tree import nodes as tree
from ...tree.calls import functions_reaching, reached_functions, recursive_functions
from ...tree.nodes import Function, Module
from ...tree.walk import walk
from .pseudo_tail import Refused
from .refilled.inlined import InPlace
from .refilled.kernel import Kernel
from .refilled.visits import is_long
from .ropes import Recursive, iterations_of, without_votes


def lane_refill(module: Module) -> Module:
    """Return a module in which lanes of traversal kernels take one query after the other, where that can be."""
    made = _all_refilled(module)
    functions = {name: found for name, found in made.items() if isinstance(found, Function)}
    return replace(module, functions={**module.functions, **functions})


def refused(module: Module) -> list[Recursive]:
    """Return the kernels that reach recursive functions and stay as they are."""
    made = _all_refilled(module)
    return [Recursive(name, found.span, found.why) for name, found in made.items() if isinstance(found, Refused)]


def _all_refilled(module: Module) -> dict[str, Function | Refused | None]:
    module = without_votes(module)
    return {kernel.name: _refilled(module, kernel) for kernel in module.kernels}


def _refilled(module: Module, kernel: Function) -> Function | Refused | None:
    """Return the new kernel, or why there is none; None if it reaches no recursive function."""
    recursive, reached = recursive_functions(module), reached_functions(module)
    if not reached[kernel.name] & recursive:
        return None
    try:
        if module.traversals:
            raise RefusedError(kernel.span, "visits are counted for each call of a traversal")
        if not are_independent(module, kernel, reached[kernel.name]):
            raise RefusedError(kernel.span, f"threads of '{kernel.name}' may know of each other")
        way = {name for name in reached[kernel.name] - recursive if reached[name] & recursive}
        name = _only_traversal(module, kernel, way, recursive)
        iterations = iterations_of(module, name)
        if isinstance(iterations, Refused):
            raise RefusedError(iterations.span, iterations.why)
        body = InPlace(module, frozenset(way), iterations).of(kernel)
        return Kernel(kernel, iterations, body, functions_reaching(module, is_long)).made()
    except RefusedError as why:
        return Refused(why.span, why.why)


def _only_traversal(module: Module, kernel: Function, way: set[str], recursive: frozenset[str]) -> str:
    bodies = (module.functions[name].body for name in (kernel.name, *way))
    found = {node.function for body in bodies for node in walk(body) if isinstance(node, tree.Call)} & recursive
    if len(found) > 1:
        raise RefusedError(
            kernel.span, f"'{kernel.name}' calls several recursive functions: {', '.join(sorted(found))}"
        )
    return found.pop()
