"""Guards: conditions about which the lanes of few gangs disagree, as `i < n`.

**Known as:** boundary checks, bounds guards.
"""

from __future__ import annotations

from ..tree import nodes as tree
from .lattice import Kind
from .shapes import FunctionShapes


def is_guard(shapes: FunctionShapes, node: tree.Expr) -> bool:
    """Whether a condition is made of comparisons of which most gangs' lanes have the same answer."""
    match node:
        case tree.Unary(op="!"):
            return is_guard(shapes, node.operand)
        case tree.Logical():
            return is_guard(shapes, node.left) and is_guard(shapes, node.right)
        case tree.Binary(op="<" | "<=" | ">" | ">=") if not shapes.of(node).uniform:
            kinds = {shapes.of(node.left).kind, shapes.of(node.right).kind}
            return Kind.AFFINE in kinds and Kind.VARYING not in kinds
    return shapes.of(node).uniform
