"""Tree-to-tree, for GPUs: a recursive traversal as a loop in which a warp goes through the tree in lockstep.

**Known as:** lockstep traversal with a ballot (Goldfarb, Jo and Kulkarni).

All lanes of a warp are at one node. It visits a child if one of its lanes does; which of them do so is in a
mask beside the child. The warp has one stack, in shared memory, with what is the same for all lanes:

    void visit(nodes, n, q) {                      void visit(nodes, n, q) {
        if (far(nodes, n, q)) return;                  const unsigned here = __activemask();
        q->count++;                                    unsigned lanes = here;
        if (nodes[n].left >= 0)                        for (int depth = 0;;) {
            visit(nodes, nodes[n].left, q);                unsigned calls = 0;
        if (nodes[n].right >= 0)                           if (lanes >> lane & 1)
            visit(nodes, nodes[n].right, q);                   calls = visit_round(nodes, n, q, &n_0, &n_1);
    }                                                      unsigned going = __ballot_sync(here, calls != 0);
                                                           if (going != 0) push what the first of `going` calls
                                                           if (depth == 0) break;
                                                           --depth; n = n_stack[depth]; lanes = lanes_stack[depth];
                                                       }
                                                   }

`visit_round` is a visit of one lane, which notes its calls. A lane that returns early makes none: its bit is missing
from all masks until the warp is back at a node above. Calls that the same lanes make are pushed together; arguments
that differ by lane are in an array of each thread's own. Entries that find no room in shared memory are in such arrays,
too. In a guided traversal lanes choose different orders: there the warp takes the arm that most lanes choose where the
program allows it (`#pragma s2s any_order`), else the traversal is refused.

`here` are the threads that begin the traversal together. Some of a warp may have returned before, or begin later, on
another path: these wait until the stack is free. The kernel marks it free at its start; a launch gives it dynamic
shared memory for the stacks of a block's warps, `warp_stacks` bytes each (`command/cuda_launchers`).

After Goldfarb, Jo and Kulkarni 2013, section 4 and figure 8; the code variant DR-L of Wu, section 4.3.
"""

from __future__ import annotations

from dataclasses import replace

from ...analysis.frames import RefusedError
from ...tree.calls import reached_functions, recursive_functions
from ...tree.launches import is_launch
from ...tree.names import free_name
from ...tree.nodes import Module
from ...tree.walk import walk
from .lockstepped.traversal import Traversal
from .lockstepped.visit import visit_of
from .lockstepped.walk import WORD, begin_kernel, layout_of, walk_of
from .ropes import Recursive


def lockstep(module: Module) -> Module:
    """Return a module in which warps run traversals in lockstep, those that can be."""
    found, _ = _traversals(module)
    if not found:
        return module
    words = max(layout_of(traversal).words for traversal in found)
    functions = dict(module.functions)
    kernels: set[str] = set()
    for traversal in found:
        visit = visit_of(traversal, free_name(f"{traversal.name}_round", functions))
        functions[visit.function.name] = visit.function
        functions[traversal.name] = walk_of(traversal, visit, words)
        kernels |= {kernel.name for kernel in traversal.kernels}
    for name in kernels:
        functions[name] = begin_kernel(functions[name], words)
    return replace(module, functions=functions, warp_stacks=dict.fromkeys(sorted(kernels), words * WORD))


def refused(module: Module) -> list[Recursive]:
    """Return the functions that recurse in a kernel and do not run in lockstep."""
    return _traversals(module)[1]


def _traversals(module: Module) -> tuple[list[Traversal], list[Recursive]]:
    found: list[Traversal] = []
    left: list[Recursive] = []
    reached = reached_functions(module)
    launched = {node.builtin.kernel for f in module.functions.values() for node in walk(f.body) if is_launch(node)}
    for name in sorted(recursive_functions(module)):
        kernels = [kernel for kernel in module.kernels if name in reached[kernel.name]]
        if not kernels or module.functions[name].kind == "kernel":
            continue
        try:
            if children := sorted(launched & {kernel.name for kernel in kernels}):
                raise RefusedError(module.functions[name].span, f"kernels launch '{children[0]}', which makes it")
            found.append(Traversal(module, name))
        except RefusedError as why:
            left.append(Recursive(name, why.span, str(why)))
    return found, left
