"""Tree-to-tree: what all threads read after a barrier, all have read before one of them writes it again.

**Known as:** write-after-read (WAR) hazard on shared memory; barrier insertion.

    __syncthreads();                    __syncthreads();
    sum = s[0];                         sum = s[0];
                                        __syncthreads();
    s[threadIdx.x] = x / sum;           s[threadIdx.x] = x / sum;

Without the second barrier the threads race. But on a GPU, the warps that leave a barrier together read at once, and the
result is the expected one. Here, a gang runs up to the next barrier before another one begins. Correct programs hardly
ever write soon what all their threads read, so they stay as they are.

The new barrier is in the list of the old one, with nothing but reads between them: threads that reach one reach
both. A loop that ends each iteration with a barrier is as good as one. Lists in the arms of an `if` stay, as the
threads outside may count on the number of barriers; so do kernels whose threads pass barriers separately
(`aligned_barriers`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TypeGuard

from ..analysis import aligned_barriers, writes_before_barrier
from ..analysis.writes_before_barrier import NOTHING, Element, NextWrites, Written
from ..tree import nodes as tree
from ..tree.build import Build
from ..tree.effects import is_barrier, is_effect, is_local, is_volatile, write_of
from ..tree.nodes import Module, Variable
from ..tree.walk import map_blocks, walk


def barrier_after_broadcast_read(module: Module) -> Module:
    """Add barriers after reads of shared memory that all threads of a block make right after a barrier."""
    waiting = {name for name, function in module.functions.items() if any(map(_is_barrier, walk(function.body)))}
    if not waiting:
        return module
    soon, uneven = writes_before_barrier.find(module), aligned_barriers.uneven(module)
    functions = dict(module.functions)
    for name in waiting - uneven:
        functions[name] = replace(functions[name], body=_Lists(name, soon).block(functions[name].body))
    return replace(module, functions=functions)


def _is_barrier(node: tree.Node) -> TypeGuard[tree.Evaluate]:
    """Whether a statement is `__syncthreads();`."""
    if not isinstance(node, tree.Evaluate) or not isinstance(node.expr, tree.BuiltinCall):
        return False
    return is_barrier(node.expr) and not node.expr.args and node.expr.builtin.op == "barrier"


def _last_barrier(node: tree.Stmt) -> tree.Evaluate | None:
    """Return the barrier with which a statement ends, at least if its loops have iterations."""
    match node:
        case tree.Evaluate() if _is_barrier(node):
            return node
        case tree.Block(statements=(*_, last)):
            return _last_barrier(last)
        case tree.Loop(body=tree.Block(statements=(*_, last))) if not any(map(_leaves, walk(node.body))):
            return _last_barrier(last)
    return None


def _leaves(node: tree.Node) -> bool:
    return isinstance(node, tree.Break | tree.Continue | tree.Return)


@dataclass(frozen=True)
class _Lists:
    """Rewrites the lists of statements of one function."""

    function: str
    soon: NextWrites

    def block(self, block: tree.Block) -> tree.Block:
        new: list[tree.Stmt] = []
        at = 0
        while at < len(block.statements):
            barrier = _last_barrier(block.statements[at])
            new.append(self.below(block.statements[at]))
            at += 1
            if barrier is not None:
                end = at + self.run(block.statements[at:])
                if end > at:
                    new += (*block.statements[at : end - 1], *_settled(block.statements[end - 1], barrier))
                at = end
        return replace(block, statements=tuple(new))

    def below(self, node: tree.Stmt) -> tree.Stmt:
        """Rewrite the lists in a statement, but for those that some of the threads may skip."""
        return map_blocks(node, self.block) if isinstance(node, tree.Block | tree.Loop) else node

    def run(self, statements: tuple[tree.Stmt, ...]) -> int:
        """Return how many statements after a barrier lead up to the last one that reads what is soon written.

        They read shared memory, and write only what the thread has for itself.
        """
        last = 0
        for count, node in enumerate(statements, 1):
            values = list(_values(node))
            if not all(map(_writes_own_only, values)) or not isinstance(node, _READING):
                break
            written = self.soon.soon(self.function, self.written_soon(node))
            read = [element for value in values for element in _common_reads(value)]
            if any(own.may_be(other) for own in read for other in written if other is not None):
                last = count
            if isinstance(node, tree.If | tree.Return):
                break
        return last

    def written_soon(self, node: tree.Stmt) -> Written:
        if isinstance(node, tree.If):
            return self.soon.inside[node]
        return writes_before_barrier.AT_END if isinstance(node, tree.Return) else self.soon.after.get(node, NOTHING)


_READING = (tree.Declare, tree.Evaluate, tree.If, tree.Return)


def _values(node: tree.Stmt) -> Iterator[tree.Node]:
    """Yield what a statement evaluates before anything else happens."""
    match node:
        case tree.Declare(initial=initial) if initial is not None:
            yield initial
        case tree.Evaluate():
            yield node.expr
        case tree.If():
            yield node.cond
        case tree.Return(value=value) if value is not None:
            yield value


def _writes_own_only(value: tree.Node) -> bool:
    """Whether an expression changes nothing but the variables that each thread has for itself."""
    return not any(is_effect(node) and not _is_own(node) for node in walk(value))


def _is_own(node: tree.Node) -> bool:
    write = write_of(node)
    return write is not None and write.variable is not None and is_local(write.variable)


def _common_reads(value: tree.Node) -> Iterator[Element]:
    """Yield the elements of shared variables that an expression reads and that are the same for all threads."""
    for node in walk(value):
        if isinstance(node, tree.Load) and not is_volatile(node.place) and all(map(_is_common, walk(node.place))):
            element = writes_before_barrier.element(node.place)
            if element is not None:
                yield element


def _is_common(node: tree.Node) -> bool:
    match node:
        case tree.ThreadIndex():
            return node.name != "threadIdx"
        case tree.VarRef():
            return node.variable.storage == "shared"
        case tree.Index() | tree.Member() | tree.Decay() | tree.Constant() | tree.Convert() | tree.Binary():
            return True
    return False


def _settled(node: tree.Stmt, barrier: tree.Evaluate) -> Iterator[tree.Stmt]:
    """Yield a statement that reads with another barrier: after it, or between what it reads and what it does then."""
    build = Build(node.span)
    again = replace(barrier, expr=replace(barrier.expr))
    match node:
        case tree.If():
            settled = Variable("settled", node.cond.type, node.cond.span, "local", const=True)
            yield from (build.declare(settled, node.cond), again, replace(node, cond=build.read(settled)))
        case tree.Return(value=value) if value is not None:
            settled = Variable("settled", value.type, value.span, "local", const=True)
            yield from (build.declare(settled, value), again, replace(node, value=build.read(settled)))
        case _:
            yield from (node, again)
