"""Tree-to-tree: an unguided traversal as a loop that follows ropes, without a stack (static ropes).

**Known as:** ropes, skip pointers, hit-miss links.

All threads meet the nodes of the tree in one order, of which each may skip parts. So where a thread continues that
skips a node's children can be found out before the launch: to the node that comes next without them, the node's rope.

    void visit(nodes, n, q) {                      bool visit_continues(nodes, n, q) {
        if (far(nodes, n, q)) return;                  if (far(nodes, n, q)) return false;
        q->count++;                                    q->count++;
        if (nodes[n].left >= 0)                        return true;
            visit(nodes, nodes[n].left, q);        }
        if (nodes[n].right >= 0)                   void visit_by_ropes(nodes, n, q, ropes) {
            visit(nodes, nodes[n].right, q);           while (n >= 0)
    }                                                      n = ropes[2 * n + visit_continues(nodes, n, q)];
                                                   }

A node is identified by a number; nothing else changes from call to call. An array of the launch's own has the rope of
node n at 2 * n, and after it the node's first child; the rope once more if there is none. It is filled by a function
that is made of the traversal's conditions and calls, as far as they depend on the node alone, and of nothing else. It
follows the ropes itself:

    int visit_install_ropes(nodes, n, ropes, room) {
        ropes[2 * n] = -2;                                   // the end; -1 is where no rope is yet
        while (n >= 0) {
            int rope = ropes[2 * n], first = rope, last = -1;
            if (nodes[n].left >= 0) link(nodes[n].left);
            if (nodes[n].right >= 0) link(nodes[n].right);
            n = ropes[2 * n + 1] = first;
        }
        return 0;
    }
    link(child): if (last < 0) first = child; else ropes[2 * last] = child;
                 ropes[2 * child] = rope; last = child;

It gives up where a node is reached twice, as then there is no one node that comes next, and where a number is negative.
Then the kernel runs as it is written. A launch (runtime/exec/ropes.c) first runs `k_install_ropes` with one thread,
then `k_by_ropes` in place of `k`.

In lockstep, a gang is at one node. It visits the children if a lane does; a lane that does not waits until the gang
reaches the node that its rope leads to:

    int own = n;
    while (n >= 0) {
        int rope = ropes[2 * n], first = ropes[2 * n + 1];
        bool here = own == n, down = here && visit_continues(nodes, n, q);
        if (here) own = down ? first : rope;
        n = any lane(down) ? first : rope;
    }

On GPUs (`--emit cuda`) a warp takes the place of the gang, and a block that of the one thread: `visit_begin_ropes` and
`visit_link_ropes` do the steps of `visit_install_ropes` for the root and for each node of a level of the tree.

After Liu, Wu and Becchi; the code variants SR and SR-L of Wu, sections 4.3 and 4.5. The latter needs no stack of masks.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from ...analysis.frames import RefusedError
from ...tree.calls import reached_functions, recursive_functions
from ...tree.companions import (
    AnyCompanion,
    Companion,
    FollowsRopes,
    InstallsRopes,
    RunsInOrder,
    StoresCoordinates,
)
from ...tree.nodes import Function, Module
from .roped.plan import Plan, with_ropes, with_unused_ropes
from .roped.traversal import Traversal, by_ropes
from .ropes import Recursive


def static_ropes(module: Module, *, in_step: bool = False, for_gpus: bool = False) -> Module:
    """Return a module with what launches need to run traversals by ropes, those that can be.

    `in_step`: a gang follows the ropes in lockstep, or a warp `for_gpus`, where a block installs them.
    """
    return _Made(module, in_step=in_step, for_gpus=for_gpus).module


def refused(module: Module) -> list[Recursive]:
    """Return the functions that recurse in a kernel and do not follow ropes."""
    return _Made(module).refused


class _Made:
    """The module that is made, function by function, and what is `refused`."""

    def __init__(self, module: Module, *, in_step: bool = False, for_gpus: bool = False) -> None:
        self.before = self.module = module
        self.in_step, self.for_gpus = in_step, for_gpus
        self.refused: list[Recursive] = []
        self.reached = reached_functions(module)
        for name in sorted(recursive_functions(module)):
            kernels = [kernel for kernel in module.launched if name in self.reached[kernel.name]]
            try:
                traversal = Traversal(module, name, by_block=for_gpus)
                self.add(traversal, [plan for kernel in kernels for plan in self.plans(traversal, kernel)])
            except RefusedError as why:
                self.refused.append(Recursive(name, why.span, str(why)))

    def plans(self, traversal: Traversal, kernel: Function) -> Iterator[Plan]:
        """Yield how a kernel calls a traversal by ropes, if it can."""
        try:
            if self.module.companion(kernel.name, FollowsRopes):
                raise RefusedError(traversal.function.span, f"kernel '{kernel.name}' makes another traversal by ropes")
            yield Plan(self.before, traversal, kernel)
        except RefusedError as why:
            self.refused.append(Recursive(traversal.name, why.span, str(why)))

    def add(self, traversal: Traversal, plans: Sequence[Plan]) -> None:
        """Add what launches of these kernels need. Raises `RefusedError` if there is no room for it."""
        if not plans:
            return
        made = [traversal.continues(), self.follower(traversal)]
        made += [traversal.begins(), traversal.links_children()] if self.for_gpus else [traversal.installer()]
        ways = {name for plan in plans for name in plan.way}
        made += [with_ropes(function, ways, traversal.name) for function in self.functions(ways)]
        companions: list[AnyCompanion] = []
        for plan in plans:
            followed = by_ropes(plan.kernel.name)
            coordinates = self.module.companion(plan.kernel.name, StoresCoordinates)
            order = self.module.companion(plan.kernel.name, RunsInOrder)
            helpers = [] if coordinates is None or self.for_gpus else [self.module.functions[coordinates.kernel]]
            made += [with_unused_ropes(function, len(plan.kernel.params)) for function in helpers]
            if order is not None:
                in_order = self.module.functions[order.kernel]
                made.append(with_ropes(in_order, ways, traversal.name, len(plan.kernel.params)))
            made += plan.by_block() if self.for_gpus else [plan.installer()]
            made.append(with_ropes(plan.kernel, ways, traversal.name))
            companions += [
                replace(each, kernel=by_ropes(each.kernel), of=followed) for each in (coordinates, order) if each
            ]
            if not self.for_gpus:
                companions.append(Companion(plan.installer().name, plan.kernel.name, InstallsRopes()))
            companions.append(Companion(followed, plan.kernel.name, FollowsRopes(traversal.name)))
        self.put(made, companions)

    def follower(self, traversal: Traversal) -> Function:
        """Return the function that follows the ropes."""
        if not self.in_step:
            return traversal.by_ropes()
        return traversal.in_warp_step() if self.for_gpus else traversal.in_step()

    def functions(self, names: Iterable[str]) -> list[Function]:
        return [self.before.functions[name] for name in sorted(names)]

    def put(self, made: Sequence[Function], companions: Sequence[AnyCompanion]) -> None:
        for function in made:
            if function.name in self.module.functions:
                raise RefusedError(function.span, f"the name '{function.name}' is taken")
        functions = {**self.module.functions, **{function.name: function for function in made}}
        self.module = replace(self.module, functions=functions, companions=(*self.module.companions, *companions))
