"""Which expressions are alike: the same value, the same address, a well-known form."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from itertools import islice

from ..lang.ctype import INT, UINT, is_integer
from .effects import is_volatile
from .nodes import (
    AddressOf,
    Assignment,
    Binary,
    BuiltinCall,
    Call,
    Conditional,
    Constant,
    Convert,
    Decay,
    Deref,
    Expr,
    Index,
    Load,
    Logical,
    Member,
    Node,
    Place,
    PointerAdd,
    Temporary,
    ThreadIndex,
    Unary,
    VarRef,
)
from .walk import children, walk


def narrow_index(index: Expr) -> Expr:
    """Return an index without a conversion from 32 to 64 bits, which address arithmetic does anyway."""
    if isinstance(index, Convert) and index.operand.type in (INT, UINT) and index.type.size == 8:
        return index.operand
    return index


def without_resigning(node: Expr) -> Expr:
    """Return what is below conversions between signed and unsigned integers of one size."""
    while isinstance(node, Convert) and is_integer(node.type) and is_integer(node.operand.type):
        if node.type.size != node.operand.type.size:
            break
        node = node.operand
    return node


def is_global_index(node: Binary, axis: int) -> bool:
    """`blockIdx.x * blockDim.x + threadIdx.x`, or the same along another axis."""
    if node.op != "+":
        return False
    for product, thread in ((node.left, node.right), (node.right, node.left)):
        if not isinstance(thread, ThreadIndex) or (thread.name, thread.axis) != ("threadIdx", axis):
            continue
        if isinstance(product, Binary) and product.op == "*":
            factors = [f for f in (product.left, product.right) if isinstance(f, ThreadIndex)]
            if {f.name for f in factors if f.axis == axis} == {"blockIdx", "blockDim"}:
                return True
    return False


def same_value(left: Expr, right: Expr) -> bool:
    """Whether two expressions, evaluated one after the other, are made alike of constants, variables and memory."""
    match left, right:
        case Constant(), Constant():
            return left.type == right.type and left.value == right.value
        case ThreadIndex(), ThreadIndex():
            return (left.name, left.axis) == (right.name, right.axis)
        case Load(), Load():
            return left.type == right.type and _same_place(left.place, right.place)
        case AddressOf() | Decay(), AddressOf() | Decay():
            return left.type == right.type and _same_place(left.place, right.place)
        case PointerAdd(), PointerAdd():
            alike = left.negative == right.negative and same_value(left.pointer, right.pointer)
            return alike and same_value(left.index, right.index)
        case Convert(), Convert():
            return left.type == right.type and same_value(left.operand, right.operand)
        case Unary(), Unary():
            return left.op == right.op and same_value(left.operand, right.operand)
        case Binary(), Binary():
            alike = left.op == right.op and left.type == right.type
            return alike and same_value(left.left, right.left) and same_value(left.right, right.right)
    return False


def _same_place(left: Place, right: Place) -> bool:
    match left, right:
        case VarRef(), VarRef():
            return left.variable is right.variable
        case Deref(), Deref():
            return not is_volatile(left) and not is_volatile(right) and same_value(left.pointer, right.pointer)
        case Index(), Index():
            alike = same_value(left.pointer, right.pointer) and same_value(left.index, right.index)
            return alike and not is_volatile(left) and not is_volatile(right)
        case Member(), Member():
            return left.offset == right.offset and left.type == right.type and _same_place(left.base, right.base)
    return False


def same_text(left: object, right: object) -> bool:
    """Whether two trees read the same: the same kinds of nodes, the same variables; positions do not count."""
    if isinstance(left, tuple) and isinstance(right, tuple):
        return len(left) == len(right) and all(same_text(a, b) for a, b in zip(left, right, strict=True))
    if type(left) is not type(right):
        return False
    if not isinstance(left, Node):
        return left is right or left == right
    return all(
        same_text(getattr(left, item.name), getattr(right, item.name)) for item in fields(left) if item.name != "span"
    )


MAX_REPEATED = 500  # nodes


def only_repeats(arm: Expr, cond: Expr) -> bool:
    """Whether `arm` changes nothing and reads only what all lanes read for `cond`: `a[i] < b ? a[i] : b`.

    Looks at short ones only.
    """
    nodes = [*islice(walk(arm), MAX_REPEATED), *islice(walk(cond), MAX_REPEATED)]
    changing = Call | BuiltinCall | Assignment | Temporary
    if len(nodes) >= MAX_REPEATED or any(isinstance(node, changing) for node in nodes):
        return False
    read = list(_certain_loads(cond))
    again = [node for node in walk(arm) if isinstance(node, Load) and not isinstance(node.place, VarRef)]
    return all(any(same_value(node, load) for load in read) for node in again)


def _certain_loads(node: Node) -> Iterator[Load]:
    """Yield the loads that all lanes make which evaluate `node`."""
    if isinstance(node, Load):
        yield node
    certain = {Conditional: "cond", Logical: "left"}.get(type(node))
    for below in children(node) if certain is None else [getattr(node, certain)]:
        yield from _certain_loads(below)
