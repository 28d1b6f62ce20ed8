"""What is equal in the whole block: values that are computed, and statements that run, once for all its threads."""

from __future__ import annotations

from dataclasses import dataclass

from ..lang.ctype import Pointer
from ..tree import nodes as tree
from ..tree.effects import root
from ..tree.nodes import Variable
from ..tree.walk import walk
from .lattice import Kind
from .shapes import FunctionShapes, register_place
from .storage import CONSTANT, DEVICE, REGISTER, SHARED, Storage


@dataclass(frozen=True)
class BlockValues:
    """Answers for one version of a kernel."""

    shapes: FunctionShapes
    storage: Storage

    def is_once(self, variable: Variable) -> bool:
        """Whether a variable exists once for the block."""
        if self.storage.of(variable) != REGISTER:
            return self.storage.of(variable) in (SHARED, CONSTANT, DEVICE)
        shapes = [shape for (other, _), shape in self.shapes.variables.items() if other is variable]
        return bool(shapes) and all(shape.kind == Kind.BLOCK for shape in shapes)

    def is_uniform(self, node: tree.Expr) -> bool:
        """Whether all of an expression may be computed once for the block: it has no effects but on such values."""
        return all(self.is_uniform_node(below) for below in walk(node))

    def is_uniform_node(self, node: tree.Node) -> bool:
        match node:
            case tree.Assign() | tree.CompoundAssign() | tree.Increment():
                place = register_place(node.place, self.storage)
                return place is not None and self.is_once(place[0])
            case tree.Load():
                place = register_place(node.place, self.storage)
                if place is not None:
                    return self.is_once(place[0])
                variable = root(node.place)
                return variable is not None and self.storage.of(variable) == CONSTANT and self.has_uniform_shape(node)
            case tree.ThreadIndex():
                return node.name != "threadIdx"
            case tree.BuiltinCall():
                return node.builtin.pure and not any(isinstance(arg.type, Pointer) for arg in node.args)
            case tree.VarRef():
                return self.is_once(node.variable)
            case tree.Call() | tree.Temporary():
                return False
        return True

    def has_uniform_shape(self, node: tree.Expr) -> bool:
        known = self.shapes.expressions.get(node)
        parts = known if isinstance(known, tuple) else (known,)
        return all(part is not None and part.kind == Kind.BLOCK for part in parts)

    def runs_once(self, node: tree.Stmt) -> bool:
        """Whether a statement is about such values only, and may run once for the block."""
        match node:
            case tree.Block():
                return all(map(self.runs_once, node.statements))
            case tree.Declare(variable=variable, initial=initial):
                if initial is None or variable.storage == SHARED:
                    return self.storage.of(variable) in (REGISTER, SHARED)
                values = [value for _, _, value in initial.items] if isinstance(initial, tree.Braces) else [initial]
                return self.is_once(variable) and all(map(self.is_uniform, values))
            case tree.Evaluate():
                return self.is_uniform(node.expr)
            case tree.If():
                arms = (node.then, node.other)
                return self.is_uniform(node.cond) and all(map(self.runs_once, arms))
        return False
