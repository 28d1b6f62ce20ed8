"""Warp functions at which threads of a warp meet that come from different places in the text.

**Known as:** independent thread scheduling.

    if (c) x = __shfl_xor_sync(~0u, v, 16);       both arms: threads at one call wait for threads at the other, which
    else y = __shfl_xor_sync(~0u, w, 16);         execute the same instruction
    for (int i = 0; i < lane; i++)                threads that have left the loop are at the call after it
        __syncwarp();
    __syncwarp();

PTX ISA, `shfl.sync`: a thread waits until all threads in the mask have executed the same instruction with the
same mask; where it lies in the text does not matter. Threads that diverge by what a whole warp has in common do
not part, and those that name themselves wait for no others.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ..lang.builtins import WARP_SIZE
from ..lang.ctype import VOID, CType, Scalar
from ..tree import nodes as tree
from ..tree.calls import functions_reaching, reached_functions
from ..tree.effects import is_barrier, is_local, is_of_warp, jumps_out
from ..tree.nodes import Module, Variable
from ..tree.walk import children, walk
from .aligned_barriers import CommonValues
from .locks import constant_value

Kind = tuple[str, int]

_OWN = ("warp_activemask", "warp_ballot", "warp_match_any")  # they give a mask of the threads that are here


def kind(node: tree.BuiltinCall) -> Kind:
    """Return the instruction that a warp function is: what it does, and the bits of what it takes."""
    operands = node.builtin.params[1:] if node.builtin.names_lanes else node.builtin.params
    return node.builtin.op, _bits(operands[0] if operands else VOID)


def _bits(type_: CType) -> int:
    return type_.bits if isinstance(type_, Scalar) else 0


def find(module: Module) -> frozenset[tree.BuiltinCall]:
    """Return the warp functions that may wait for threads at another call of the same one."""
    gathering = functions_reaching(module, _gathers)
    kernels = {kernel.name for kernel in module.kernels} & gathering
    if not kernels:
        return frozenset()
    reached = reached_functions(module)
    search = _Search(module, kernels.union(*(reached[name] for name in kernels)), reached)
    for name in sorted(search.names & gathering):
        search.block(module.functions[name].body, ())
    return frozenset(search.found)


def _gathers(node: tree.Node) -> bool:
    return is_of_warp(node) and node.builtin.gathers_lanes


class _WarpValues(CommonValues):
    """What the threads of a warp have in common: `threadIdx.x / 32` is, too, and what they read in the same place."""

    def differs(self, node: tree.Node) -> bool:
        match node:
            case tree.VarRef(variable=variable) if not is_local(variable):
                return False
            case tree.Call(function=name):
                return self.result_differs(name)
            case tree.Binary(op="/" | ">>", right=right):
                number = constant_value(right)
                if isinstance(number, int) and (number if node.op == "/" else 1 << number) % WARP_SIZE == 0:
                    return False
            case tree.BuiltinCall() if is_of_warp(node) and node.builtin.op == "warp_shfl_idx":
                return self.differs(node.args[1 + node.builtin.names_lanes])
            case tree.BuiltinCall() if is_of_warp(node):
                return node.builtin.op.startswith(("warp_match_", "warp_shfl_"))
        return super().differs(node)


class _Search:
    """Goes through functions. `rest`: what threads may do that do not enter a statement, up to a barrier."""

    def __init__(self, module: Module, names: set[str], reached: dict[str, set[str]]) -> None:
        self.module, self.names, self.reached = module, names, reached
        self.values = _WarpValues(module, names)
        self.found: set[tree.BuiltinCall] = set()
        self._indices = {one for name in names for one in _thread_indices(module.functions[name].body)}
        self._own = {variable for name in names for variable in _own(module.functions[name].body)}

    def calls(self, nodes: Iterable[tree.Node]) -> dict[Kind, set[tree.BuiltinCall]]:
        """Return the warp functions in nodes, and in what these call, that may wait for other threads."""
        bodies = list(nodes)
        called = {below.function for node in bodies for below in walk(node) if isinstance(below, tree.Call)}
        called |= {name for one in called for name in self.reached.get(one, ())}
        bodies += [self.module.functions[name].body for name in sorted(called) if name in self.module.functions]
        found: dict[Kind, set[tree.BuiltinCall]] = {}
        for body in bodies:
            for node in walk(body):
                if isinstance(node, tree.BuiltinCall) and _gathers(node) and not self.names_itself(node):
                    found.setdefault(kind(node), set()).add(node)
        return found

    def names_itself(self, node: tree.BuiltinCall) -> bool:
        """Whether the mask has been made of the threads that are here."""
        if not node.builtin.names_lanes:
            return False
        match node.args[0]:
            case tree.BuiltinCall(builtin=builtin):
                return builtin.op in _OWN
            case tree.Load(place=tree.VarRef(variable=variable)):
                return variable in self._own
        return False

    def meet(self, *ways: Iterable[tree.Node]) -> None:
        """Threads of a warp may be in each of these ways at a time."""
        calls = [self.calls(nodes) for nodes in ways]
        for at, here in enumerate(calls):
            for there in calls[at + 1 :]:
                for one in here.keys() & there.keys():
                    self.found |= here[one] | there[one]

    def counts_by_thread(self, cond: tree.Expr) -> bool:
        """Whether a loop ends where the thread's number says so; a stack of a warp's own is no such end."""
        return any(
            (isinstance(node, tree.ThreadIndex) and node.name == "threadIdx")
            or (isinstance(node, tree.VarRef) and node.variable in self._indices)
            for node in walk(cond)
        ) and self.values.differs(cond)

    def block(self, node: tree.Block, rest: tuple[tree.Node, ...]) -> None:
        after = rest
        for statement in reversed(node.statements):
            self.node(statement, after)
            after = () if isinstance(statement, tree.Evaluate) and is_barrier(statement.expr) else (statement, *after)

    def node(self, node: tree.Node, rest: tuple[tree.Node, ...]) -> None:
        splits = self.values.splits(node)
        match node:
            case tree.Block():
                self.block(node, rest)
                return
            case tree.If() if splits:
                arms = (node.then, node.other)
                self.meet(*((arm,) if not _leaves(other) else (arm, *rest) for arm, other in (arms, arms[::-1])))
            case tree.Conditional() if splits:
                self.meet((node.then,), (node.other,))
            case tree.Switch() if splits:
                self.meet(*((section.body,) for section in node.sections))
            case tree.Loop(cond=cond) if splits and cond is not None and self.counts_by_thread(cond):
                self.meet((node,), rest)
        inner = (*_iteration(node), *rest) if isinstance(node, tree.Loop) else rest
        for below in children(node):
            self.node(below, inner)


def _iteration(loop: tree.Loop) -> Sequence[tree.Node]:
    """Return what a thread does in the next iteration, up to a barrier."""
    found: list[tree.Node] = []
    for statement in loop.body.statements:
        if isinstance(statement, tree.Evaluate) and is_barrier(statement.expr):
            break
        found.append(statement)
    return found


def _leaves(arm: tree.Block) -> bool:
    return bool(jumps_out(arm)) or any(isinstance(node, tree.Return) for node in walk(arm))


def _thread_indices(body: tree.Block) -> set[Variable]:
    """Return the variables that are declared with a number made of `threadIdx`, as `threadIdx.x % 32`."""
    return {
        node.variable
        for node in walk(body)
        if isinstance(node, tree.Declare)
        and node.initial is not None
        and any(isinstance(below, tree.ThreadIndex) and below.name == "threadIdx" for below in walk(node.initial))
    }


def _own(body: tree.Block) -> set[Variable]:
    """Return the variables in statements of others that hold a mask of the threads that were there."""
    whole = body.statements
    return {
        node.variable
        for node in walk(body)
        if isinstance(node, tree.Declare)
        and node not in whole
        and isinstance(node.initial, tree.BuiltinCall)
        and node.initial.builtin.op in _OWN
    }
