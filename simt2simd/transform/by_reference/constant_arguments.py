"""What a function is where arguments are constants: the branches that they decide are gone.

**Known as:** function specialisation; LLVM: `ipsccp`.

    float *at(V *self, int i) {                                 for at(&v, 2):
        (void)(i >= 0 && i < 3 || (fail(), false));             return &self->z;
        switch (i) { case 0: return &self->x; ... }
    }

A function that chooses a member by an index is then one address, which takes the place of its call. Otherwise each
access would be a `switch` over lanes, with a pointer in each.

Only integers and bools are followed: a parameter that is never written, and whose address is not taken.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import cast

from ...frontend.sema.constexpr.fold import fold
from ...lang.ctype import Scalar
from ...tree import nodes as tree
from ...tree.constant_switch import chosen_statements, spliced
from ...tree.effects import addressed_variables, has_effects, only_reads, written_variables
from ...tree.nodes import Expr, Function, Node, Stmt, Variable
from ...tree.rewrite import as_before, changed
from ...tree.walk import map_children

ValueOf = Callable[[tree.Call], tree.Constant | None]  # of a call, if it does nothing but to give a constant


def for_constants(function: Function, args: Sequence[Expr], value_of: ValueOf) -> Function:
    """Return a function that does the same for these arguments; the same object if none of them is a known integer."""
    given = {param: arg for param, arg in zip(function.params, args, strict=True) if is_known(arg)}
    if given:
        changing = written_variables(function.body) | addressed_variables(function.body)
        known = {
            param: cast("tree.Constant", arg)
            for param, arg in given.items()
            if param not in changing and not param.volatile and param.type == arg.type
        }
        if known:
            body = cast("tree.Block", _Folding(known, value_of).node(function.body))
            return function if body is function.body else replace(function, body=body)
    return function


def is_known(arg: Expr) -> bool:
    """Whether an argument is an integer or a bool that the compiler knows."""
    return isinstance(arg, tree.Constant) and isinstance(arg.type, Scalar) and not isinstance(arg.value, float)


class _Folding:
    """Puts constants in place of parameters."""

    def __init__(self, known: Mapping[Variable, tree.Constant], value_of: ValueOf) -> None:
        self.known = known
        self.value_of = value_of

    def node(self, node: Node) -> Node:
        match node:
            case tree.Load(place=tree.VarRef(variable=variable)) if variable in self.known:
                return replace(self.known[variable], span=node.span, type=node.type)
            case tree.Conditional():
                cond = cast("Expr", self.node(node.cond))
                if isinstance(cond, tree.Constant):
                    return self.node(node.then if cond.value else node.other)
            case tree.Block():
                return changed(node, statements=as_before(list(self.statements(node.statements)), node.statements))
            case tree.Section():  # no statement is left out: its variables are those of later sections, too
                statements = [cast("Stmt", self.node(below)) for below in node.body.statements]
                body = changed(node.body, statements=as_before(statements, node.body.statements))
                return changed(node, body=body)
        new = map_children(node, self.node)
        match new:
            case tree.Logical():
                return _logical(new)
            case tree.Call():
                return self.value_of(new) or new
            case tree.Convert() | tree.Unary() | tree.Binary():
                return fold(new)
        return new

    def statements(self, nodes: Sequence[Stmt]) -> Iterator[Stmt]:
        """Yield what is left of the statements of a block, up to the first jump."""
        for node in nodes:
            for left in self.left(node):
                yield left
                if isinstance(left, tree.Return | tree.Break | tree.Continue):
                    return

    def left(self, node: Stmt) -> Sequence[Stmt]:
        new = cast("Stmt", self.node(node))
        match new:
            case tree.If(cond=tree.Constant(value=value)):
                return spliced(new.then if value else new.other)
            case tree.Switch(value=tree.Constant() as of):
                chosen = chosen_statements(new, of)
                return [new] if chosen is None else list(self.statements(spliced(chosen)))
            case tree.Evaluate() if new is not node and not has_effects(new.expr):
                return []
        return [new]


def _logical(node: tree.Logical) -> Expr:
    """Return `&&` or `||` without an operand that decides nothing."""
    if isinstance(node.right, tree.Constant) and not isinstance(node.left, tree.Constant):
        if bool(node.right.value) != (node.op == "||"):
            return node.left
        return node.right if only_reads(node.left) else node
    return fold(node)
