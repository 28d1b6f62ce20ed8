"""Kernels whose gangs must be warps: 32 threads that run in step, as on a GPU."""

from __future__ import annotations

from ..tree import nodes as tree
from ..tree.calls import functions_reaching
from ..tree.nodes import Module
from . import exchange


def find(module: Module) -> frozenset[str]:
    """Return the kernels that use warp functions, or whose threads exchange values as those of a warp may."""
    calling = functions_reaching(module, _is_of_warp)
    return frozenset(kernel.name for kernel in module.kernels if kernel.name in calling) | exchange.find(module).keys()


def _is_of_warp(node: tree.Node) -> bool:
    return isinstance(node, tree.BuiltinCall) and node.builtin.of_warp
