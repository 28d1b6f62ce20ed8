"""What the operations in expressions cost, roughly: what is no access and no branch, which are told by themselves."""

from __future__ import annotations

from .. import costs
from ..analysis.shapes import FunctionShapes
from ..lang.ctype import is_float
from ..tree import nodes as tree
from ..tree.walk import walk

_FREE = (
    tree.Load, tree.Assign, tree.VarRef, tree.Deref, tree.Index, tree.Member, tree.Temporary, tree.Constant,
    tree.ThreadIndex, tree.AddressOf, tree.Decay, tree.Braces, tree.Comma, tree.Convert, tree.Conditional,
)  # fmt: skip


def work_ns(function: FunctionShapes, *nodes: tree.Node) -> float:
    """Return what the operations in some expressions cost, in nanoseconds of a gang of sixteen lanes."""
    return sum(_operation_ns(function, below) for node in nodes for below in walk(node) if not isinstance(below, _FREE))


def _operation_ns(function: FunctionShapes, node: tree.Node) -> float:
    if isinstance(node, tree.Call):
        return costs.CALL_NS
    if isinstance(node, tree.BuiltinCall):
        return 0.0 if node.builtin.atomic else costs.SOME_OPERATIONS_NS
    shape = function.expressions.get(node) if isinstance(node, tree.Expr) else None
    if shape is not None and not isinstance(shape, tuple) and shape.uniform:
        return costs.LANE_OPERATION_NS
    if isinstance(node, tree.Binary) and node.op in ("/", "%"):
        cheap = isinstance(node.right, tree.Constant) and not is_float(node.type)
        return costs.OPERATION_NS if cheap else costs.LONG_OPERATION_NS
    return costs.OPERATION_NS
