"""Kernels whose threads may pass different numbers of barriers: in arms that some skip, in loops of unlike iterations.

**Known as:** barrier alignment, barrier divergence.

    for (int k = 0; k < threadIdx.x % 3; k++)    after the loop, which barrier of others a thread meets depends on
        __syncthreads();                         how many there are in an iteration

A value that is read from a variable is the same for all threads if all definitions that reach it are; that of a call,
if all threads return together, and all that they may return is.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..tree import nodes as tree
from ..tree.calls import functions_reaching, reached_functions
from ..tree.effects import addressed_variables, is_barrier, is_changeable, is_local, is_volatile, jumps_out, write_of
from ..tree.nodes import Function, Module
from ..tree.walk import children, walk
from . import reaching_definitions
from .reaching_definitions import Definition


def uneven(module: Module) -> frozenset[str]:
    """Return the kernels whose threads may pass different numbers of barriers, and all functions that they reach."""
    meeting, reached = functions_reaching(module, is_barrier), reached_functions(module)
    kernels = {kernel.name for kernel in module.kernels} & meeting
    common = CommonValues(module, kernels.union(*(reached[name] for name in kernels)))
    diverging = {name for name in meeting & common.names if common.parts(module.functions[name], meeting)}
    found = {name for name in kernels if ({name} | reached[name]) & diverging}
    return frozenset(found).union(*(reached[name] for name in found))


class CommonValues:
    """What the threads of a block have in common in these functions, which the kernels among them reach."""

    def __init__(self, module: Module, names: set[str]) -> None:
        self.module, self.names = module, names
        self.functions = [module.functions[name] for name in sorted(names)]
        self._addressed = {one for function in self.functions for one in addressed_variables(function.body)}
        self._reaching: dict[tree.VarRef, frozenset[Definition]] = {}
        for function in self.functions:
            self._reaching |= reaching_definitions.of(function)
        self._differing: set[Definition | Function] = set()  # of functions, their results
        self._known: dict[tree.Node, bool] = {}
        while more := {one for function in self.functions for one in self._defined(function)} - self._differing:
            self._differing |= more
            self._known.clear()

    def parts(self, function: Function, meeting: frozenset[str]) -> bool:
        """Whether some threads may reach a barrier, or a call of a function with barriers, without the others."""
        return any(
            is_barrier(node)
            or (isinstance(node, tree.Call) and node.function in meeting)
            or (isinstance(node, tree.Return) and function.kind != "kernel")
            for node in self._diverging(function.body)
        )

    def _defined(self, function: Function) -> Iterator[Definition | Function]:
        """Yield the definitions of local variables that may give each thread another value, or only some threads one.

        And the function, if that is so with its result.
        """
        for node, diverges in self._nodes(function.body, diverging=False):
            match node:
                case tree.Return(value=value) if value is not None:
                    if diverges or self.differs(value):
                        yield function
                case tree.Declare(initial=initial) if initial is not None:
                    if diverges or self.differs(initial):
                        yield node
                case tree.Call():
                    params = self.module.functions[node.function].params
                    yield from (
                        param for param, arg in zip(params, node.args, strict=True) if diverges or self.differs(arg)
                    )
                case _:
                    write = write_of(node)
                    written = None if write is None else write.variable
                    if written is not None and is_local(written) and (diverges or self.differs(node)):
                        yield node

    def _diverging(self, node: tree.Node) -> Iterator[tree.Node]:
        return (below for below, diverges in self._nodes(node, diverging=False) if diverges)

    def _nodes(self, node: tree.Node, *, diverging: bool) -> Iterator[tuple[tree.Node, bool]]:
        """Yield the nodes in `node`, each with whether some threads may reach it without the others."""
        yield node, diverging
        inside = diverging or self.splits(node)
        for child in children(node):
            yield from self._nodes(child, diverging=inside)

    def splits(self, node: tree.Node) -> bool:
        """Whether threads that reach a node together may execute different parts of it, or a part not as often."""
        match node:
            case tree.If(cond=cond) | tree.Conditional(cond=cond):
                return self.differs(cond)
            case tree.Logical(left=left):
                return self.differs(left)
            case tree.Switch(value=value):
                return self.differs(value) or self._jumps_diverge(node)
            case tree.Loop(cond=cond):
                return (cond is not None and self.differs(cond)) or self._jumps_diverge(node)
        return False

    def _jumps_diverge(self, node: tree.Loop | tree.Switch) -> bool:
        """Whether some threads may leave an iteration or a section early. A thread that has ended counts as arrived."""
        if node not in self._known:
            parts: tuple[tree.Stmt | tree.Section, ...] = (node.body,) if isinstance(node, tree.Loop) else node.sections
            jumps = any(not isinstance(jump, tree.Return) for part in parts for jump in jumps_out(part))
            self._known[node] = jumps and any(_leaves(below) for part in parts for below in self._diverging(part))
        return self._known[node]

    def differs(self, node: tree.Node) -> bool:
        """Whether a value may differ between threads."""
        match node:
            case tree.ThreadIndex():
                return node.name == "threadIdx"
            case tree.VarRef(variable=variable):
                return variable in self._addressed or not self._differing.isdisjoint(self._reaching.get(node, ()))
            case tree.Assign(place=tree.VarRef(), value=value):
                return self.differs(value)
            case tree.BuiltinCall() if not node.builtin.pure:
                return True
            case tree.Call(function=name):
                return self.result_differs(name) or any(map(_is_of_others, walk(self.module.functions[name].body)))
            case tree.Load(place=place) if is_volatile(place):
                return True
        return any(map(self.differs, children(node)))

    def result_differs(self, name: str) -> bool:
        """Whether a function may return another value to each thread, memory apart."""
        return self.module.functions[name] in self._differing


def _is_of_others(node: tree.Node) -> bool:
    """Whether it is a variable that other threads may change meanwhile."""
    return isinstance(node, tree.VarRef) and is_changeable(node.variable)


def _leaves(node: tree.Node) -> bool:
    return isinstance(node, tree.Break | tree.Continue)
