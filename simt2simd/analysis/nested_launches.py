"""Kernels that may launch children, and whether these go in streams that may wait for each other.

**Known as:** dynamic parallelism.
"""

from __future__ import annotations

from ..tree.calls import functions_reaching
from ..tree.launches import launching_functions
from ..tree.nodes import BuiltinCall, Module, Node


def find(module: Module) -> dict[str, bool]:
    """Return the kernels that may launch children, or ask CUDA's runtime for something; True: it has events.

    Where a kernel has events, all streams of a block are one: then everything is done in the order in which it was
    asked for, and no stream has to wait for another one.
    """
    with_events = functions_reaching(module, _makes_event)
    reaching = launching_functions(module)
    return {kernel.name: kernel.name in with_events for kernel in module.kernels if kernel.name in reaching}


def _makes_event(node: Node) -> bool:
    return isinstance(node, BuiltinCall) and node.builtin.op == "create_event"
