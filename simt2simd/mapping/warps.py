"""Warps: which kernels need gangs of 32 threads that run in step, and where threads are past all warp functions.

**Known as:** a required subgroup size.

if (i < n) {                            the threads that skip this reach no warp function any more: one in here
    sum += x[i];                        does not wait for them, as it does not wait for those that have ended
    sum = __reduce_add_sync(~0u, sum);
}
y[i] = sum;
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from ..analysis import warp_synchronous
from ..tree import nodes as tree
from ..tree.calls import functions_reaching
from ..tree.effects import is_of_warp
from ..tree.nodes import Module
from ..tree.walk import walk


@dataclass(frozen=True)
class Warps:
    """`kernels`: those whose gangs are warps. `gathering`: those in which warp functions wait for other lanes.

    `last`: the points after which a lane that leaves reaches no further warp function. They are blocks with warp
    functions, for the lanes that skip them, and jumps, for the lanes that take them.
    """

    kernels: frozenset[str]
    gathering: frozenset[str]
    last: frozenset[tree.Block | tree.Jump]


def find(module: Module, *, everywhere: bool = False) -> Warps:
    """Return where warps matter; `everywhere`: the gangs of all kernels are to be warps."""
    names = frozenset(kernel.name for kernel in module.kernels)
    kernels = functions_reaching(module, lambda node: is_of_warp(node) or _counts_warps(node)) & names
    gathering = functions_reaching(module, lambda node: is_of_warp(node) and node.builtin.gathers_lanes) & names
    search = _Search(functions_reaching(module, _gathers) if gathering else frozenset())
    for kernel in module.kernels:
        if kernel.name in gathering:
            search.statements(kernel.body.statements, False, False)
    return Warps(
        names if everywhere else kernels | warp_synchronous.find(module).keys(), gathering, frozenset(search.last)
    )


def _counts_warps(node: tree.Node) -> bool:
    return isinstance(node, tree.BuiltinCall) and node.builtin.op == "named_barrier"


def _gathers(node: tree.Node) -> bool:
    return isinstance(node, tree.BuiltinCall) and (node.builtin.gathers_lanes or node.builtin.synchronises)


@dataclass
class _Search:
    """Goes through a kernel.

    `gathering`: functions that reach a barrier or a warp function that waits. `after`: lanes that leave the statement
    may gather; `broken`: those that break out may, or those that stay do not either.
    """

    gathering: frozenset[str]
    last: set[tree.Block | tree.Jump] = field(default_factory=set)

    def gathers(self, node: tree.Node) -> bool:
        return any(
            _gathers(below) or (isinstance(below, tree.Call) and below.function in self.gathering)
            for below in walk(node)
        )

    def statements(self, statements: Sequence[tree.Stmt], after: bool, broken: bool) -> None:
        for node in reversed(statements):
            self.statement(node, after, broken)
            after = after or self.gathers(node)

    def block(self, node: tree.Block, elsewhere: bool, after: bool, broken: bool) -> None:
        """Visit statements that other lanes do not run, which may gather `elsewhere`."""
        if not elsewhere and self.gathers(node):
            self.last.add(node)
        self.statements(node.statements, after, broken)

    def statement(self, node: tree.Stmt, after: bool, broken: bool) -> None:
        match node:
            case tree.Block():
                self.statements(node.statements, after, broken)
            case tree.If():
                self.block(node.then, after or self.gathers(node.other), after, broken)
                self.block(node.other, after, after, broken)
            case tree.Loop():
                inside = after or self.gathers(node)
                self.block(node.body, after, inside, after or not inside)
            case tree.Switch():
                inside = after or self.gathers(node)
                for section in node.sections:
                    self.block(section.body, inside, inside, after or not inside)
            case tree.Break():
                if not broken:
                    self.last.add(node)
            case tree.Return():
                self.last.add(node)
