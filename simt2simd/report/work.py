"""What the operations in expressions cost, roughly, and which nodes are none of the program's text."""

from __future__ import annotations

from collections.abc import Sequence

from .. import costs
from ..analysis.shapes import FunctionShapes
from ..lang.ctype import is_float
from ..tree import nodes as tree
from ..tree.walk import walk

_COMPOUND = ("for", "while", "do", "if", "switch")  # of the program's statements without parts, none begins so


def is_written(node: tree.Node) -> bool:
    """Whether a statement is one of the program, as far as its text tells, and no rewrite has made it.

    A rewrite may put an `if` at the place of a `for`, and a declaration before it.
    """
    if node.span.expansion is not None:
        return True
    text = node.span.source.line(node.span.line)[max(0, node.span.column - 1) :]
    match node:
        case tree.If():
            return not node.span.column or _begins_with(text, ("if",))
        case tree.Declare() | tree.Evaluate() | tree.Break() | tree.Continue() | tree.Return():
            return not _begins_with(text, _COMPOUND)
    return True


def _begins_with(text: str, words: Sequence[str]) -> bool:
    return any(text.startswith(word) and not text[len(word) :][:1].isidentifier() for word in words)


_FREE = (
    tree.Load, tree.Assign, tree.VarRef, tree.Deref, tree.Index, tree.Member, tree.Temporary, tree.Constant,
    tree.ThreadIndex, tree.AddressOf, tree.Decay, tree.Braces, tree.Comma, tree.Convert, tree.Conditional,
)  # fmt: skip


def work_ns(function: FunctionShapes, *nodes: tree.Node) -> float:
    """Return what the operations in some expressions cost, in nanoseconds of a gang of sixteen lanes.

    What is an access or a branch is told by itself.
    """
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
