"""Tree-to-tree: the recursive calls of a function become statements, under nothing but `if`s.

**Known as:** A-normal form of recursive calls.

Loops over children unroll, switches become `if`s:

    for (int i = 0; i < 2; i++) {               const int i = 0;
        if (n->child[i] == 0) continue;         if (!(n->child[i] == 0))
        visit(n->child[i]);                         visit(n->child[i]);
    }                                           const int i_2 = 1;
                                                if (!(n->child[i_2] == 0))
                                                    visit(n->child[i_2]);

What a `continue` or `break` skips moves into the other arm of the `if` that it is in. Statements that make no
recursive call stay as they are. What cannot be written so, or only at great length, raises `RefusedError`.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import replace
from typing import assert_never, cast

from ...analysis.frames import RefusedError
from ...analysis.path_invariant_values import constant_iterations, counter, number
from ...analysis.walks import calls
from ...lang.ctype import BOOL, CType, Scalar
from ...source import Span
from ...tree import nodes as tree
from ...tree.build import Build
from ...tree.effects import declared_variables, jumps_out, named_variables, only_reads
from ...tree.nodes import Function, Variable
from ...tree.rewrite import copied, renamed
from ...tree.walk import count_nodes, map_children, walk

MAX_TRIP_COUNT = 16  # of a loop over children
MOST_NODES = 6000  # of what is made of a function

Statements = Sequence[tree.Stmt]


def normalise_recursion(function: Function, name: str | None = None) -> Function:
    """Return a function with its calls of the function `name`, by default of itself, as statements under `if`s.

    Each iteration of a loop begins with a declaration of the counter, for `with_numbers`. Raises `RefusedError`.
    """
    statements = _Straightener(name or function.name).statements(function.body.statements)
    return replace(function, body=tree.Block(function.body.span, tuple(statements)))


Counters = frozenset[tuple[str, Span]]


def counters(function: Function) -> Counters:
    """Return the counters of a function's loops, by name and place: each iteration of an unrolled loop has its own."""
    found = (counter(node) for node in walk(function.body) if isinstance(node, tree.Loop))
    return frozenset((variable.name, variable.span) for variable in found if variable is not None)


def is_counter(variable: Variable, known: Counters) -> bool:
    """Whether a variable is a counter in an iteration of an unrolled loop."""
    return variable.const and (variable.name, variable.span) in known


def with_numbers(body: tree.Block, known: Counters) -> tree.Block:
    """Return a body with numbers in the place of counters of unrolled loops."""
    numbers: dict[Variable, tree.Constant] = {}
    for node in walk(body):
        match node:
            case tree.Declare(variable=variable, initial=tree.Constant() as number) if is_counter(variable, known):
                numbers[variable] = number

    def change(node: tree.Node) -> tree.Node:
        match node:
            case tree.Load(place=tree.VarRef(variable=variable)) if variable in numbers:
                return replace(numbers[variable], span=node.span)
            case tree.Block(statements=statements):
                left = tuple(node for node in statements if not _declares(node, numbers))
                return map_children(replace(node, statements=left), change)
        return map_children(node, change)

    return cast("tree.Block", change(body))


def _declares(node: tree.Stmt, variables: Container[Variable]) -> bool:
    return isinstance(node, tree.Declare) and node.variable in variables


def renewed(block: tree.Block) -> tree.Block:
    """Return a copy of a block for the same function: with variables of its own."""
    return copied(block, {variable: replace(variable) for variable in declared_variables(block)})


class _Straightener:
    def __init__(self, name: str) -> None:
        self.name = name
        self.room = MOST_NODES

    def statements(self, nodes: Statements) -> list[tree.Stmt]:
        return [new for node in nodes for new in self.statement(node)]

    def block(self, block: tree.Block) -> tree.Block:
        return replace(block, statements=tuple(self.statements(block.statements)))

    def has_calls(self, node: tree.Node) -> bool:
        return bool(calls(node, self.name))

    def statement(self, node: tree.Stmt) -> list[tree.Stmt]:
        if not self.has_calls(node):
            return [node]
        match node:
            case tree.Evaluate(expr=expr):
                return self.expression(expr)
            case tree.Block():
                return [self.block(node)]
            case tree.If():
                self.require_none(node.cond)
                return [replace(node, then=self.block(node.then), other=self.block(node.other))]
            case tree.Loop():
                return [self.loop(node)]
            case tree.Switch():
                self.require_none(node.value)
                return [self.switch(node)]
            case tree.Declare() | tree.Return():
                raise self.within_an_expression(node)
            case tree.Break() | tree.Continue():
                raise AssertionError(node)
            case _:
                assert_never(node)

    def expression(self, node: tree.Expr) -> list[tree.Stmt]:
        """Return what evaluates an expression that makes recursive calls, as statements."""
        build = Build(node.span)
        match node:
            case tree.Call(function=self.name) if not any(map(self.has_calls, node.args)):
                return [build.evaluate(node)]
            case tree.Convert(operand=operand):
                return self.expression(operand)
            case tree.Comma(left=left, right=right):
                return [*self.effects(left), *self.effects(right)]
            case tree.Conditional(cond=cond, then=then, other=other) if not self.has_calls(cond):
                return [build.when(cond, self.effects(then), self.effects(other))]
        raise self.within_an_expression(node)

    def effects(self, node: tree.Expr) -> list[tree.Stmt]:
        return self.expression(node) if self.has_calls(node) else [Build(node.span).evaluate(node)]

    def require_none(self, node: tree.Node) -> None:
        if self.has_calls(node):
            raise self.within_an_expression(node)

    def within_an_expression(self, node: tree.Node) -> RefusedError:
        call = calls(node, self.name)[0]
        return RefusedError(call.span, f"a call of '{self.name}' is a part of an expression")

    def copy(self, statements: Statements) -> list[tree.Stmt]:
        """Return a copy with variables of its own, as long as there is room for it."""
        block = tree.Block(statements[0].span, tuple(statements)) if statements else None
        if block is None:
            return []
        self.room -= count_nodes(block)
        if self.room < 0:
            raise RefusedError(block.span, f"'{self.name}' would become too long without loops around its calls")
        return list(renewed(block).statements)

    # ------------------------------------------------------------------------------------------ loops

    def loop(self, node: tree.Loop) -> tree.Block:
        """Return the iterations of a loop, one after the other."""
        for part in (*node.init, *([node.cond] if node.cond is not None else []), *node.step):
            self.require_none(part)
        build = Build(node.span)
        if not node.test_first and isinstance(node.cond, tree.Constant) and not node.cond.value:
            return build.block(*self.without(tree.Break, self.iteration(node.body.statements)))
        numbers, variable = constant_iterations(node), counter(node)
        if numbers is None or variable is None or not _is_exact(node, variable, numbers):
            raise RefusedError(node.span, f"how often the loop around a call of '{self.name}' runs is not constant")
        if len(numbers) > MAX_TRIP_COUNT:
            raise RefusedError(
                node.span, f"the loop around a call of '{self.name}' has more than {MAX_TRIP_COUNT} iterations"
            )
        unrolled: list[tree.Stmt] = []
        for value in numbers:
            number = replace(variable, const=True)
            body = self.copy([renamed(below, {variable: number}) for below in node.body.statements])
            unrolled += [build.declare(number, build.number(variable.type, value)), *self.iteration(body)]
        return build.block(*self.without(tree.Break, unrolled))

    def iteration(self, statements: Statements) -> list[tree.Stmt]:
        return self.without(tree.Continue, self.statements(statements))

    def without(self, kind: type[tree.Break | tree.Continue], statements: Statements) -> list[tree.Stmt]:
        """Return the statements without the jumps of a kind that lead out of them, to their end."""
        for i, node in enumerate(statements):
            if not any(isinstance(jump, kind) for jump in jumps_out(node)):
                continue
            before, rest = statements[:i], statements[i + 1 :]
            match node:
                case tree.Break() | tree.Continue():
                    return list(before)
                case tree.Block():
                    inside = self.without(kind, [*node.statements, *rest])
                    return [*before, replace(node, statements=tuple(inside))]
                case tree.If():
                    then = self.without(kind, [*node.then.statements, *rest])
                    other = self.without(kind, [*node.other.statements, *self.copy(rest)])
                    return [*before, *_choice(node, then, other)]
            raise RefusedError(node.span, f"a jump leads out of a statement between calls of '{self.name}'")
        return list(statements)

    # ------------------------------------------------------------------------------------------ switches

    def switch(self, node: tree.Switch) -> tree.Block:
        """Return a chain of `if`s: the arm of a label is its section and those into which that falls through."""
        bodies = [section.body.statements for section in node.sections]
        for i, body in enumerate(bodies):
            own = {below.variable for below in body if isinstance(below, tree.Declare)}
            if any(own & named_variables(below) for later in bodies[i + 1 :] for below in later):
                raise RefusedError(node.span, "a section of the switch around a call uses a variable of another one")
        build = Build(node.span)
        value = Variable("value", node.value.type, node.span, "local", const=True)
        arms = [self.section(bodies[i:]) for i in range(len(bodies))]
        chosen = next((arm for arm, s in zip(arms, node.sections, strict=True) if None in s.labels), [])
        for section, arm in reversed(list(zip(node.sections, arms, strict=True))):
            if None not in section.labels:
                chosen = [build.when(_is_one_of(build, value, section.labels), arm, chosen)]
        return build.block(build.declare(value, node.value), *chosen)

    def section(self, bodies: Sequence[Statements]) -> list[tree.Stmt]:
        """Return what runs from a label on."""
        return self.without(tree.Break, self.statements(self.copy([node for body in bodies for node in body])))


def _choice(node: tree.If, then: Statements, other: Statements) -> list[tree.Stmt]:
    """Return an `if` with other arms."""
    build = Build(node.span)
    if not then and not other and only_reads(node.cond):
        return []
    return [build.when(node.cond, then, other) if then else build.when(_opposite(node.cond), other)]


def _opposite(cond: tree.Expr) -> tree.Expr:
    if isinstance(cond, tree.Unary) and cond.op == "!":
        return cond.operand
    return Build(cond.span).negate(cond)


def _is_one_of(build: Build, value: Variable, labels: Sequence[int | None]) -> tree.Expr:
    """`value == label || ...`"""
    tests: list[tree.Expr] = [
        build.binary(build.read(value), "==", build.number(value.type, label)) for label in labels if label is not None
    ]
    found = tests[0]
    for test in tests[1:]:
        found = tree.Logical(build.span, BOOL, "||", found, test)
    return found


def _is_exact(node: tree.Loop, variable: Variable, numbers: range) -> bool:
    """Whether the counter of a loop and its test never wrap, so that its iterations are these."""
    values = (numbers.start, numbers.start + len(numbers) * numbers.step)
    assert isinstance(node.cond, tree.Binary)
    bound = number(node.cond.right)
    if bound is None or not _holds(node.cond.right.type, bound):
        return False
    types = {variable.type, *(below.type for below in walk(node.cond.left) if isinstance(below, tree.Convert))}
    return all(_holds(ctype, value) for ctype in types for value in values)


def _holds(ctype: CType, value: int) -> bool:
    if not isinstance(ctype, Scalar) or ctype.kind != "int":
        return False
    least = -(1 << ctype.bits - 1) if ctype.signed else 0
    return least <= value < least + (1 << ctype.bits)
