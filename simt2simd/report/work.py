"""What the operations in expressions cost, roughly, and which nodes are none of the program's text."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from .. import costs
from ..analysis.shapes import FunctionShapes
from ..lang.ctype import CType, is_float
from ..tree import nodes as tree
from ..tree.walk import walk

_COMPOUND = ("for", "while", "do", "if", "switch")  # of the program's statements without parts, none begins so


def is_written(node: tree.Node) -> bool:
    """Whether a statement is one of the program, as far as its text says, and no rewrite has made it.

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


Operation = Literal["int", "float", "double", "special", "call", "barrier"]
OPERATIONS: tuple[Operation, ...] = ("int", "float", "double", "special", "call", "barrier")


@dataclass(frozen=True)
class Work:
    """Nanoseconds of a gang of sixteen lanes, and how many operations each lane does, by their kinds.

    special: a division, a root, a function such as `expf`; int: all that is nothing else.
    """

    ns: float
    operations: tuple[int, ...] = (0,) * len(OPERATIONS)

    def and_ns(self, ns: float) -> Work:
        return Work(self.ns + ns, self.operations)


NO_WORK = Work(0.0)
BARRIER = Work(0.0, tuple(int(kind == "barrier") for kind in OPERATIONS))


def work_of(function: FunctionShapes, *nodes: tree.Node) -> Work:
    """Return what the operations in some expressions are and cost. Accesses and branches are listed separately."""
    found = [below for node in nodes for below in walk(node) if not isinstance(below, _FREE)]
    kinds = Counter(kind for node in found if (kind := _kind(node)) is not None)
    return Work(sum(_operation_ns(function, node) for node in found), tuple(kinds[kind] for kind in OPERATIONS))


_SIMPLE = frozenset("fma fmin fmax fabs floor ceil trunc rint min max abs neg mul add sub".split())


def _kind(node: tree.Node) -> Operation | None:
    """Return what an operation is on a GPU; None if it is none there or is counted by itself."""
    match node:
        case tree.Call():
            return "call"
        case tree.BuiltinCall(builtin=builtin):
            if builtin.atomic or builtin.counts:
                return None
            if builtin.synchronises:
                return "barrier"
            if is_float(builtin.result) and builtin.op not in _SIMPLE:
                return "special"
            return _kind_of_type(builtin.result)
        case tree.Binary(op="/" | "%", right=right, type=type_):
            simple = isinstance(right, tree.Constant) and not is_float(type_)
            return "int" if simple else "special"
        case tree.CompoundAssign(op="/" | "%"):
            return "special"
        case tree.Binary(left=left):
            return _kind_of_type(left.type)
        case tree.CompoundAssign(compute=type_):
            return _kind_of_type(type_)
        case tree.Unary(type=type_):
            return _kind_of_type(type_)
    return "int"


def _kind_of_type(ctype: CType) -> Operation:
    return "int" if not is_float(ctype) else "double" if ctype.size >= 8 else "float"


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
