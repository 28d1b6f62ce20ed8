"""Tree-to-tree: parameters of kernels that are only read stay where the launch has put them.

    struct Filter { float weight[64]; int n; };
    __global__ void k(Filter f, ...) { ... f.weight[i] ... }

An array in a struct needs memory, and a variable in memory is there once per thread. What no thread changes can be
there once per launch: the storage of such a parameter becomes "launch".
"""

from __future__ import annotations

from dataclasses import replace

from ..analysis.storage import has_array
from ..tree import nodes as tree
from ..tree.effects import root
from ..tree.nodes import Function, Module, Variable
from ..tree.rewrite import renamed
from ..tree.walk import walk


def leave_in_place(module: Module) -> Module:
    """Give the parameters of kernels that hold arrays and are only read the storage "launch"."""
    functions = dict(module.functions)
    for kernel in module.kernels:
        if new := {param: replace(param, storage="launch") for param in kernel.params if _is_only_read(kernel, param)}:
            params = tuple(new.get(param, param) for param in kernel.params)
            functions[kernel.name] = replace(kernel, params=params, body=renamed(kernel.body, new))
    return replace(module, functions=functions)


def _is_only_read(kernel: Function, param: Variable) -> bool:
    """Whether the kernel names a parameter with an array in it only to read parts of it, by their names and indices."""
    if not has_array(param.type):
        return False
    nodes = list(walk(kernel.body))
    named = sum(isinstance(node, tree.VarRef) and node.variable is param for node in nodes)
    return named == sum(isinstance(node, tree.Load) and root(node.place) is param for node in nodes)
