"""Whether the threads of a kernel depend on each other: not at all, or only on what others wrote before a barrier.

**Known as:** independence of threads.
"""

from __future__ import annotations

from collections.abc import Iterator

from ..tree import nodes as tree
from ..tree.effects import is_plain_barrier, is_volatile
from ..tree.nodes import Function, Module
from ..tree.walk import walk


def are_independent(module: Module, kernel: Function, reached: set[str]) -> bool:
    """Whether the threads of a kernel are independent, and only the kernel itself uses the thread's number.

    They may run in any order, or one in place of another.
    """
    return not any(_depends(node, own=name == kernel.name) for name, node in _nodes(module, kernel, reached))


def meet_at_barriers(module: Module, kernel: Function, reached: set[str]) -> bool:
    """Whether threads of a kernel depend on each other only by what they wrote before a barrier in its text.

    Only the kernel itself uses the thread's number. Memory that a thread reads is not written by another one between
    the same two barriers: the program would have a race. So threads may run in any order from barrier to barrier, in
    step as well.
    """
    barriers = 0
    for name, node in _nodes(module, kernel, reached):
        own = name == kernel.name
        if own and is_plain_barrier(node):
            barriers += 1
        elif not _is_shared(node) and _depends(node, own=own):
            return False
    return barriers > 0


def _nodes(module: Module, kernel: Function, reached: set[str]) -> Iterator[tuple[str, tree.Node]]:
    for name in dict.fromkeys((kernel.name, *sorted(reached))):
        yield from ((name, node) for node in walk(module.functions[name].body))


def _is_shared(node: tree.Node) -> bool:
    return isinstance(node, tree.VarRef) and node.variable.storage == "shared" and not is_volatile(node)


def _depends(node: tree.Node, *, own: bool) -> bool:
    """Whether by a node a thread may depend on another one, or on its number outside the kernel's `own` text."""
    match node:
        case tree.ThreadIndex(name="threadIdx" | "blockIdx"):
            return not own
        case tree.VarRef(variable=variable) if variable.storage == "shared":
            return True
        case tree.BuiltinCall(builtin=builtin) if not builtin.pure:
            return builtin.op not in ("trap", "vote", "prefetch")
        case tree.VarRef() | tree.Deref() | tree.Index() | tree.Member():
            return is_volatile(node)
    return False
