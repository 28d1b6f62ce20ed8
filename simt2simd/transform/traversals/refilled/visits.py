"""An iteration of a traversal in two parts: each lane's own work, and long work that the lanes do together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ....analysis.frames import RefusedError
from ....analysis.path_invariant_values import constant_iterations
from ....lang.ctype import INT, Array
from ....tree import nodes as tree
from ....tree.build import Build
from ....tree.effects import addressed_variables, named_variables
from ....tree.nodes import Variable
from ....tree.walk import map_blocks, walk

Statements = Sequence[tree.Stmt]


@dataclass(frozen=True)
class Visit:
    """An iteration of a traversal: `early`, which a `break` ends if there is more to do, and then `late`.

    `kept`: variables that both need.
    """

    early: tuple[tree.Stmt, ...]
    late: tuple[tree.Stmt, ...] = ()
    kept: tuple[Variable, ...] = ()


def divided(statements: Statements, long: frozenset[str]) -> Visit:
    """Put the long work that ends an iteration, such as the loop over the points of a leaf, after the rest."""
    for i, node in enumerate(statements):
        before, rest = statements[:i], statements[i + 1 :]
        if not isinstance(node, tree.If):
            continue
        for arm, other, cond in (
            (node.then, node.other, node.cond),
            (node.other, node.then, Build(node.span).negate(node.cond)),
        ):
            work = [below for below in arm.statements if not isinstance(below, tree.Continue)]
            ends = not rest or len(work) == len(arm.statements) - 1
            if ends and any(is_long(below) or _calls(below, long) for top in work for below in walk(top)):
                leave = Build(node.span).when(cond, [tree.Break(node.span)])
                needed = {variable for top in work for variable in named_variables(top)}
                needed |= {variable for top in before for variable in addressed_variables(top)}
                kept = tuple(top.variable for top in before if isinstance(top, tree.Declare) and top.variable in needed)
                early = (new for top in before for new in with_kept(top, set(kept)))
                return Visit((*early, leave, *other.statements, *rest), tuple(work), kept)
    return Visit(tuple(statements))


def is_long(node: tree.Node) -> bool:
    """Whether a node is a loop whose iterations cannot be counted: lanes wait there for the one with most of them."""
    return isinstance(node, tree.Loop) and constant_iterations(node) is None


def _calls(node: tree.Node, functions: frozenset[str]) -> bool:
    return isinstance(node, tree.Call) and node.function in functions


def surely_calls(node: tree.Node, name: str) -> bool:
    """Whether every thread that reaches a statement makes a call of `name` in it, or returns."""
    match node:
        case tree.Evaluate(expr=tree.Call(function=called)):
            return called == name
        case tree.Return():
            return True
        case tree.Block(statements=statements):
            return any(surely_calls(below, name) for below in statements)
        case tree.If(then=then, other=other):
            return surely_calls(then, name) and surely_calls(other, name)
    return False


def with_kept(node: tree.Stmt, kept: set[Variable]) -> list[tree.Stmt]:
    """Return a statement with assignments in place of the declarations of variables that are kept."""
    if not isinstance(node, tree.Declare) or node.variable not in kept:
        return [map_blocks(node, lambda block: _block_with_kept(block, kept))]
    build, variable = Build(node.span), node.variable
    match node.initial:
        case None:
            return []
        case tree.Braces():
            value = replace(variable, name=f"{variable.name}_first", const=True)
            first = replace(node, variable=value)
            if not isinstance(variable.type, Array):
                return [first, build.assign(variable, build.read(value))]
            return [first, _copy(build, variable, value, variable.type)]
        case initial:
            return [build.assign(variable, initial)]


def _block_with_kept(block: tree.Block, kept: set[Variable]) -> tree.Block:
    return replace(block, statements=tuple(new for node in block.statements for new in with_kept(node, kept)))


def _copy(build: Build, to: Variable, value: Variable, array: Array) -> tree.Stmt:
    """Copy an array, element by element."""
    if isinstance(array.element, Array):
        raise RefusedError(
            build.span, f"'{to.name}', an array of arrays, has a value and is needed after the traversal"
        )
    i = Variable("i", INT, build.span, "local")
    place, from_ = (build.element(build.place(v), array.element, build.read(i)) for v in (to, value))
    return build.count(i, array.count, [build.assign(place, tree.Load(build.span, array.element, from_))])
