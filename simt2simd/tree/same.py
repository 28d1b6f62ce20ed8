"""Which expressions are alike: the same value, the same address, a well-known form."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import fields
from itertools import islice
from typing import TypeVar, assert_never, cast

from ..lang.ctype import INT, UINT, is_integer
from .effects import is_effect, is_volatile
from .nodes import (
    AddressOf,
    Assign,
    Binary,
    BuiltinCall,
    Call,
    Comma,
    CompoundAssign,
    Conditional,
    Constant,
    Convert,
    Decay,
    Deref,
    Expr,
    Increment,
    Index,
    Load,
    Logical,
    Member,
    Node,
    Place,
    PointerAdd,
    PointerDiff,
    Temporary,
    ThreadIndex,
    Unary,
    Variable,
    VarRef,
)
from .walk import children, walk

N = TypeVar("N", bound=Node)


def narrow_index(index: Expr) -> Expr:
    """Return an index without a conversion from 32 to 64 bits, which address arithmetic does anyway."""
    if isinstance(index, Convert) and index.operand.type in (INT, UINT) and index.type.size == 8:
        return index.operand
    return index


def without_conversions(node: N) -> N | Expr:
    """Return what is below conversions."""
    below: N | Expr = node
    while isinstance(below, Convert):
        below = below.operand
    return below


def is_value_of(node: Node, variable: Variable) -> bool:
    """Whether `node` is the value of a variable."""
    return isinstance(node, Load) and isinstance(node.place, VarRef) and node.place.variable is variable


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


def is_grid_width(node: Binary, axis: int) -> bool:
    """`gridDim.x * blockDim.x`, or the same along another axis."""
    factors = [factor for factor in (node.left, node.right) if isinstance(factor, ThreadIndex) and factor.axis == axis]
    return node.op == "*" and {factor.name for factor in factors} == {"gridDim", "blockDim"}


def is_row_start(product: Binary) -> bool:
    """`threadIdx.y * blockDim.x`: where gangs neither span blocks nor end in a row, 0 or a multiple of their lanes."""
    if product.op != "*":
        return False
    names = {(factor.name, factor.axis) for factor in map(_index_in, (product.left, product.right)) if factor}
    return ("blockDim", 0) in names and bool(names & {("threadIdx", 1), ("threadIdx", 2)})


def _index_in(node: Expr) -> ThreadIndex | None:
    """The built-in index that `node` is, perhaps converted to another integer type."""
    while isinstance(node, Convert) and is_integer(node.type):
        node = node.operand
    return node if isinstance(node, ThreadIndex) else None


def same_value(left: Expr, right: Expr) -> bool:
    """Whether two expressions, evaluated one after the other, are made alike of constants, variables and memory."""
    if left.type != right.type:
        return False
    match left:
        case Constant():
            return isinstance(right, Constant) and repr(left.value) == repr(right.value)  # 0.0 and -0.0 are two
        case ThreadIndex():
            return isinstance(right, ThreadIndex) and (left.name, left.axis) == (right.name, right.axis)
        case Load():
            return isinstance(right, Load) and same_place(left.place, right.place)
        case AddressOf() | Decay():
            return isinstance(right, AddressOf | Decay) and same_place(left.place, right.place)
        case PointerAdd():
            if not isinstance(right, PointerAdd) or left.negative != right.negative:
                return False
            return same_value(left.pointer, right.pointer) and same_value(left.index, right.index)
        case Convert():
            return isinstance(right, Convert) and same_value(left.operand, right.operand)
        case Unary():
            return isinstance(right, Unary) and left.op == right.op and same_value(left.operand, right.operand)
        case Binary():
            if not isinstance(right, Binary) or left.op != right.op:
                return False
            return same_value(left.left, right.left) and same_value(left.right, right.right)
        case Assign() | CompoundAssign() | Increment() | Call() | BuiltinCall():
            return False
        case Logical() | Conditional() | PointerDiff() | Comma():
            return False  # addresses seldom have them: they are not compared
        case _:
            assert_never(left)


def same_place(left: Place, right: Place) -> bool:
    """Whether two places, evaluated one after the other, are made alike as in `same_value`; volatile ones never are."""
    match left:
        case VarRef():
            return isinstance(right, VarRef) and left.variable is right.variable and not is_volatile(left)
        case Deref():
            if not isinstance(right, Deref) or is_volatile(left) or is_volatile(right):
                return False
            return same_value(left.pointer, right.pointer)
        case Index():
            if not isinstance(right, Index) or is_volatile(left) or is_volatile(right):
                return False
            return same_value(left.pointer, right.pointer) and same_value(left.index, right.index)
        case Member():
            if not isinstance(right, Member) or (left.offset, left.type) != (right.offset, right.type):
                return False
            if is_volatile(left) or is_volatile(right):
                return False
            return same_place(left.base, right.base)
        case Temporary():
            return False
        case _:
            assert_never(left)


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
    if len(nodes) >= MAX_REPEATED or any(map(_calls_or_changes, nodes)):
        return False
    read = list(_certain_loads(cond))
    again = [node for node in walk(arm) if isinstance(node, Load) and not _is_own(node.place)]
    return all(any(same_value(node, load) for load in read) for node in again)


def _is_own(place: Place) -> bool:
    return isinstance(place, VarRef) and not is_volatile(place)


def _calls_or_changes(node: Node) -> bool:
    return is_effect(node) or isinstance(node, BuiltinCall | Temporary)


def _certain_loads(node: Expr | Place) -> Iterator[Load]:
    """Yield the loads that all lanes make which evaluate `node`."""
    if isinstance(node, Load):
        yield node
    for below in certain_operands(node):
        yield from _certain_loads(cast("Expr | Place", below))


def certain_operands(node: Expr | Place) -> Sequence[Node]:
    """Return the operands that every lane evaluates."""
    match node:
        case Conditional():
            return [node.cond]
        case Logical():
            return [node.left]
        case VarRef() | Deref() | Index() | Member() | Temporary() | Load() | AddressOf() | Decay():
            return children(node)
        case Constant() | ThreadIndex() | Unary() | Binary() | PointerAdd() | PointerDiff() | Convert() | Comma():
            return children(node)
        case Assign() | CompoundAssign() | Increment() | Call() | BuiltinCall():
            return children(node)
        case _:
            assert_never(node)
