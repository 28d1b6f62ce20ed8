"""How a loop over a stack starts and ends: by a test of the stack, or by a sentinel that was pushed first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ...lang.ctype import Pointer
from ...tree import nodes as tree
from ...tree.effects import root, written_variables
from ...tree.nodes import Variable
from ...tree.walk import children, walk
from .accesses import moved_by
from .conditions import COMPARE, comparison
from .iterations import IterationReader
from .plain_loops import flat
from .scripts import Fork, Op, Plain, Push, Script, Set, all_ops


@dataclass(eq=False)
class EndReader(IterationReader):
    """Reads how the loop, statement `at` of its block, ends.

    `statements` are those before it, `pinned` the variables to which pointers lead.
    """

    statements: Sequence[tree.Stmt]
    at: int
    pinned: set[Variable]

    def check_start(self, setup: Script, test: tree.Expr | None, tested: bool) -> tuple[Script, bool]:
        """Check how the loop starts and ends; return the set-up without a sentinel, and whether there is one."""
        if tested:
            pushed = any(isinstance(op, Push) for op in setup)
            if not self.loop.test_first and not pushed:
                self.fail(self.loop, "the stack may be empty at the start of a `do`")
            if not self.loop.test_first and test is not None:
                self.fail(self.loop, "a `do` tests more than the stack")
            return setup, False
        untested = self.has_untested_pop(self.loop.body)
        if untested:
            first = next((op for op in setup if isinstance(op, Push | Fork)), None)
            if not isinstance(first, Push) or len(first.values) != 1 or not isinstance(first.values[0], tree.Constant):
                self.fail(self.loop, "the stack is popped without a test, and no sentinel was pushed first")
            self.final.append(first.values[0].value)
            setup = tuple(op for op in setup if op is not first)
        for value in self.final:
            if test is None or self.holds(test, value) is not False:
                self.fail(self.loop, "it is not known that the last value popped ends the loop")
        if test is not None and not self.final:
            self.fail(self.loop, "the loop tests something else than the stack")
        if test is not None and not self.loop.test_first and not self.starts_well(test):
            self.fail(self.loop, "it is not known that the first node is no sentinel; test it before the loop: "
                      "`while (...)` for `do ... while (...)`")  # fmt: skip
        return setup, test is not None

    def has_untested_pop(self, node: tree.Node, tested: bool = False) -> bool:
        """Whether a pop is under no test of the stack."""
        if isinstance(node, tree.Block):
            for below in node.statements:
                if self.has_untested_pop(below, tested):
                    return True
                tested = tested or self.is_exit(below)
            return False
        if isinstance(node, tree.If | tree.Conditional) and self.emptiness(node.cond) is not None:
            return False
        if (move := moved_by(node)) is not None and move[0] is self.top and move[1] < 0:
            return not tested
        return any(self.has_untested_pop(below, tested) for below in children(node))

    # ------------------------------------------------------------------------------------- sentinels

    def holds(self, test: tree.Expr, value: float) -> bool | None:
        """Whether the test holds for a value of the current node; None if that is not known."""
        for variable in self.entry:
            atom = comparison(test, True, variable)
            if atom is not None:
                return COMPARE[atom[0]](value, atom[1])
        return None

    def starts_well(self, test: tree.Expr) -> bool:
        """Whether the first node passes the test, which a `do` makes only after the first iteration."""
        (variable,) = self.entry
        for node in reversed([*self.statements, *self.loop.init]):
            value = node.initial if isinstance(node, tree.Declare) and node.variable is variable else None
            match node:
                case tree.Evaluate(expr=tree.Assign(place=tree.VarRef(variable=assigned), value=value)):
                    if assigned is not variable:
                        value = None
            if isinstance(value, tree.Constant):
                return self.holds(test, value.value) is True
            if value is not None or variable in written_variables(node):
                break
        if not isinstance(variable.type, Pointer) or self.final != [0]:
            return False
        first = next(iter(flat(self.loop.body.statements)), None)
        if not isinstance(first, tree.Declare | tree.Evaluate):
            return False
        choices = any(isinstance(below, tree.Logical | tree.Conditional) for below in walk(first))
        return not choices and any(_follows(below, variable) for below in walk(first))

    def is_only_at_the_bottom(self, script: Script) -> bool:
        """Whether no iteration can push a sentinel: that is the null pointer, and they push addresses of objects."""
        values = [value for op in all_ops(script) for value in _pushed(op)]
        others = [
            op.node if isinstance(op, Plain) else op.cond for op in all_ops(script) if isinstance(op, Plain | Fork)
        ]
        written = set[Variable]().union(*map(written_variables, (*values, *others)))
        if not isinstance(self.parts[0].type, Pointer) or set(self.final) != {0} or written & set(self.entry):
            return False
        return all(map(self.is_object, values))

    def is_object(self, node: tree.Expr) -> bool:
        """Whether a pointer is the address of something."""
        match node:
            case tree.PointerAdd() | tree.AddressOf(place=tree.Index() | tree.VarRef()):
                return True
            case tree.Conditional(then=then, other=other):
                return self.is_object(then) and self.is_object(other)
            case tree.Convert(operand=operand):
                return isinstance(operand.type, Pointer) and self.is_object(operand)
            case tree.Load(place=tree.VarRef(variable=variable)):
                values = [
                    below.initial
                    for below in walk(self.loop.body)
                    if isinstance(below, tree.Declare) and below.variable is variable
                ]
                changed = self.pinned | written_variables(self.loop)
                return variable not in changed and len(values) == 1 and self.is_known_object(values[0])
        return False

    def is_known_object(self, node: tree.Expr | tree.Braces | None) -> bool:
        return node is not None and not isinstance(node, tree.Braces) and self.is_object(node)


def _pushed(op: Op) -> tuple[tree.Expr, ...]:
    match op:
        case Push(values=values):
            return values
        case Set(value=value):
            return (value,)
    return ()


def _follows(node: tree.Node, pointer: Variable) -> bool:
    """Whether `node` reaches what `pointer` leads to."""
    match node:
        case tree.Deref(pointer=value) | tree.Index(pointer=value):
            return isinstance(value, tree.Load) and root(value.place) is pointer
    return False
