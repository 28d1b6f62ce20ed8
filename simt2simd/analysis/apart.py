"""Whether the threads of a kernel know nothing of each other, so that they may run in any order, or one for another."""

from __future__ import annotations

from ..tree import nodes as tree
from ..tree.effects import is_volatile
from ..tree.nodes import Function, Module
from ..tree.walk import walk


def are_apart(module: Module, kernel: Function, reached: set[str]) -> bool:
    """Whether the threads of a kernel know nothing of each other, and only the kernel itself which thread it is."""
    for name in (kernel.name, *reached):
        for node in walk(module.functions[name].body):
            match node:
                case tree.ThreadIndex(name="threadIdx" | "blockIdx") if name != kernel.name:
                    return False
                case tree.VarRef(variable=variable) if variable.storage == "shared":
                    return False
                case tree.BuiltinCall(builtin=builtin) if not builtin.pure and builtin.op not in ("trap", "vote"):
                    return False
                case tree.VarRef() | tree.Deref() | tree.Index() | tree.Member() if is_volatile(node):
                    return False
    return True
