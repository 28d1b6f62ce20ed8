"""The shapes within one function instance: a walk of its body that hands down which lanes run, and which wait where."""

from __future__ import annotations

from typing import assert_never

from ..lang.ctype import leaves
from ..target import LANES
from ..tree import nodes as tree
from ..tree.walk import count_nodes
from . import instances
from .divergence import Here, Scope
from .expression_shapes import Expressions
from .fixed_point import Facts
from .instances import Program
from .lattice import BLOCK, Kind, all_varying, join_known
from .shapes import FunctionShapes
from .storage import REGISTER


def find_shapes(program: Program, shapes: FunctionShapes) -> None:
    """Walk the body of one instance in order, again and again until the variables' shapes converge."""
    facts = Facts(shapes, program.likely and _is_tested(shapes.function))
    statements = _Statements(program, shapes, facts)
    for param, shape in zip(shapes.function.params, shapes.args, strict=True):
        if program.storage.of(param) == REGISTER:
            facts.define(param, 0, param.type, shape, None, Here(Kind.BLOCK))
    facts.changed = True
    while facts.changed:
        facts.begin_walk()
        control = Kind.VARYING if shapes.instance.divergent else Kind.BLOCK
        statements.statement(shapes.function.body, Here(max(control, facts.raised(None))))


# Nodes of a function whose accesses look whether a gang is one of the many. Past that, what each does then and what it
# does otherwise are more code than caches hold: five kernels of 5,000 to 10,000 nodes (sw4ck, in blocks of 8 x 8) ran
# in 0.83 to 1.15 s with gathers and in 1.15 to 1.27 s with tests, and LLVM took 5 s for them instead of 11.
MOST_TESTED = 4000


def _is_tested(function: tree.Function) -> bool:
    """Whether it matters in a function what holds in nearly all gangs."""
    return count_nodes(function.body) <= MOST_TESTED


class _Statements:
    """Walks the statements of one instance: from the lanes that run a statement to those that run what follows it."""

    def __init__(self, program: Program, shapes: FunctionShapes, facts: Facts) -> None:
        self.program = program
        self.storage = program.storage
        self.shapes = shapes
        self.facts = facts
        self.expressions = Expressions(program, shapes, facts)
        self.live = program.live_in(shapes.function.name)

    def statement(self, node: tree.Stmt, here: Here) -> Here:
        match node:
            case tree.Block():
                for below in node.statements:
                    here = self.statement(below, here)
                return here
            case tree.Declare():
                self.declare(node, here)
                return here
            case tree.Evaluate():
                self.expressions.known(node.expr, here)
                return here
            case tree.If():
                return self.choice(node, here)
            case tree.Loop():
                return self.loop(node, here)
            case tree.Switch():
                return self.switch(node, here)
            case tree.Break():
                return self.leave(node, here)
            case tree.Continue():
                return self.next_iteration(node, here)
            case tree.Return():
                return self.give_back(node, here)
            case _:
                assert_never(node)

    def declare(self, node: tree.Declare, here: Here) -> None:
        variable = node.variable
        in_register = self.storage.of(variable) == REGISTER
        if isinstance(node.initial, tree.Braces):
            parts = [
                (offset, ctype, self.expressions.known(value, here)) for offset, ctype, value in node.initial.items
            ]
            if in_register:
                given = {offset + at for offset, ctype, _ in parts for at, _ in leaves(ctype)}
                parts += [(offset, leaf, BLOCK) for offset, leaf in leaves(variable.type) if offset not in given]
                for offset, ctype, shape in parts:
                    self.facts.define(variable, offset, ctype, shape, node, here)
        elif node.initial is not None:
            shape = self.expressions.known(node.initial, here)
            if in_register:
                self.facts.define(variable, 0, variable.type, shape, node, here)

    # ------------------------------------------------------------------------------- control flow

    def choice(self, node: tree.If, here: Here) -> Here:
        kind = self.expressions.kind(node.cond, here)
        seldom = self.shapes.of(node.cond).common_stride == 0
        here = here.after(self.statement(node.then, here.under(kind, self.live.otherwise[node], seldom)))
        return here.after(self.statement(node.other, here.under(kind, self.live.after[node], seldom)))

    def loop(self, node: tree.Loop, here: Here) -> Here:
        for below in node.init:
            here = self.statement(below, here)
        divergent = node in self.shapes.divergent_loops
        left = (self.live.after[node],) if divergent else ()
        inside = here.in_loop(node, self.facts.raised(node), left)
        if inside.control > Kind.UNIFORM:
            self.shapes.diverging.add(node)
        if node.cond is not None and node.test_first:
            self.loop_test(node, node.cond, inside)
        end = self.statement(node.body, inside)
        for step in node.step:  # the lanes that said `continue` are back
            self.expressions.known(step, inside)
        if node.cond is not None and not node.test_first:
            self.loop_test(node, node.cond, inside)
        here = here.after_loop(end)
        if node in self.shapes.divergent_loops:
            instances.run_alone(self.program, self.shapes, node)
        if self.shapes.instance.lanes > LANES and here.all_waiting:
            instances.run_narrow(self.program, self.shapes, node)
        return here

    def loop_test(self, node: tree.Loop, cond: tree.Expr, here: Here) -> None:
        kind = self.expressions.kind(cond, here)
        if kind >= Kind.AFFINE:
            self.facts.mark_divergent(node)
        self.facts.raise_control(node, kind)

    def switch(self, node: tree.Switch, here: Here) -> Here:
        kind = self.expressions.kind(node.value, here)
        reads = (self.live.sections[node],) if kind >= Kind.AFFINE else ()
        inside = here.in_switch(node, max(kind, self.facts.raised(node)), reads)
        for section in node.sections:
            inside = self.statement(section.body, inside)
        return here.after_switch(inside)

    # -------------------------------------------------------------------------------------- jumps

    def leave(self, node: tree.Break, here: Here) -> Here:
        """A `break`: divergent if not all lanes that are in the loop or switch take it together."""
        scope = here.scope
        assert scope is not None
        self.raise_inside(scope, here)
        if here.has_all_of(scope):
            self.shapes.together.add(node)
            return here
        if isinstance(scope.node, tree.Loop):
            self.facts.mark_divergent(scope.node)
            return here
        return here.without_broken(self.live.after[scope.node])

    def next_iteration(self, node: tree.Continue, here: Here) -> Here:
        """A `continue`: until the end of the body, lanes may wait at the loop's next iteration."""
        scope = here.loop
        assert scope is not None and isinstance(scope.node, tree.Loop)
        self.raise_inside(scope, here)
        if here.has_all_of(scope):
            self.shapes.together.add(node)
            return here
        return here.without_continued(self.live.again[scope.node])

    def raise_inside(self, scope: Scope, here: Here) -> None:
        """A jump under a condition that differs among the threads makes the control differ all over the loop."""
        if here.control > scope.control:
            self.facts.raise_control(scope.node, here.control)

    def give_back(self, node: tree.Return, here: Here) -> Here:
        shape = None if node.value is None else self.expressions.known(node.value, here)
        together = not here.all_waiting and not here.inactive.returned
        if together:
            self.shapes.together.add(node)
        else:
            shape = all_varying(shape)
            here = here.without_returned()
        self.shapes.result = join_known(self.shapes.result, shape)
        if self.shapes.function.kind != "kernel" and here.control > Kind.BLOCK:
            self.facts.raise_control(None, here.control)
        return here
