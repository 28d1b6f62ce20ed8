"""What the evaluation of a node may change, and what may change it."""

from __future__ import annotations

from ..lang.builtins import Builtin
from ..lang.ctype import Pointer
from .nodes import BuiltinCall, Deref, Evaluate, Index, Node
from .walk import children


def is_barrier(node: Node) -> bool:
    """Whether `node` is a call of a barrier."""
    return isinstance(node, BuiltinCall) and node.builtin.synchronises


def may_wait(node: Node) -> bool:
    """Whether `node` lets a thread see what another block writes meanwhile, so that it could wait for it."""
    match node:
        case Deref() | Index():
            return isinstance(node.pointer.type, Pointer) and node.pointer.type.volatile
        case BuiltinCall(builtin=Builtin(op="fence")):
            return True
        case Evaluate():
            return False
    return any(isinstance(child, BuiltinCall) and child.builtin.atomic for child in children(node))
