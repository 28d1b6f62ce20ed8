"""What the evaluation of a node may change, and what may change it."""

from __future__ import annotations

from ..lang.builtins import Builtin
from ..lang.ctype import Pointer
from .nodes import (
    Binary,
    BuiltinCall,
    Conditional,
    Constant,
    Convert,
    Deref,
    Evaluate,
    Expr,
    Index,
    Load,
    Logical,
    Member,
    Node,
    ThreadIndex,
    Unary,
    VarRef,
)
from .walk import children, walk


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


def repeats(node: Expr) -> bool:
    """Whether an expression may be evaluated once more, before its turn, while its variables keep their values.

    It has no effects, and it reads no memory: the address may be one that is stored only meanwhile.
    """
    return all(map(_repeats, walk(node)))


def _repeats(node: Node) -> bool:
    match node:
        case Load():
            return isinstance(node.place, VarRef | Member)
        case VarRef():
            return node.variable.storage != "shared"
        case BuiltinCall():
            return node.builtin.pure
        case Constant() | ThreadIndex() | Member() | Unary() | Binary() | Logical() | Conditional() | Convert():
            return True
    return False
