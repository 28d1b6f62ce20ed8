"""Whether all calls of a recursive function may share one frame, and run in a loop.

A loop over a stack runs the calls of a function one after the other, each from its start to its end. What one call
makes of its variables is lost when the next one begins. So nothing may lead to them: no pointer that outlives the call,
no argument. No caller but itself may wait for a call to return: it has no value, and other functions do not make it.

In *pseudo-tail form* (Goldfarb, Jo and Kulkarni 2013) a call is over when it makes the first call of itself: there
follow other such calls, under conditions or not, and declarations of what these need. All arguments and conditions may
be evaluated before the first of the calls is made: what they read, visits do not change.

A walk (`analysis/walks`) is in pseudo-tail form. Two more rules hold, because the lanes of a gang visit nodes
together: it writes only to objects of the thread, and passes on no pointers to them but those it was given.
"""

from __future__ import annotations

from ..lang.ctype import VOID, Pointer
from ..source import Span
from ..tree import nodes as tree
from ..tree.effects import addressed_variables, declared_variables, only_reads, root
from ..tree.nodes import Function, Module, Variable
from ..tree.walk import walk
from .walks import Parts, Pointers, calls, is_step, parts


class RefusedError(Exception):
    """A recursive function cannot run in a loop, or be rewritten so that it can; the text says why."""

    def __init__(self, span: Span, why: str) -> None:
        super().__init__(why)
        self.span, self.why = span, why


class Frames:
    """What is known of the calls of a function that calls itself: its variables of all calls share one loop's.

    Raises `RefusedError` if that could be noticed, or if the calls are of no form that this pass knows.
    """

    def __init__(self, module: Module, function: Function) -> None:
        self.function, self.name = function, function.name
        self.pointers = Pointers(module)
        own = {*function.params, *declared_variables(function.body)}
        self.home = Pointers(module, lambda variable: variable in own)  # which pointers lead to a frame
        self._require(own)
        reached = [module.functions[called] for called in self.pointers.reached[self.name]]
        self.keeps_to_itself = all(
            self.pointers.keeps_to_itself(node) for called in reached for node in walk(called.body)
        )
        self.addressed = addressed_variables(function.body)

    def _require(self, own: set[Variable]) -> None:
        function, name, reached = self.function, self.name, self.pointers.reached
        inner = {call.function for call in walk(function.body) if isinstance(call, tree.Call)} - {name}
        recursive = calls(function.body, name)
        by_way = sorted(other for other in inner if name in reached[other])
        if by_way:
            raise RefusedError(function.span, f"'{name}' calls itself by way of '{by_way[0]}'")
        if not recursive:
            raise RefusedError(function.span, f"'{name}' does not call itself")
        if function.result != VOID:
            raise RefusedError(function.span, f"'{name}' returns a value")
        if name in self.pointers.storage.synchronising:
            raise RefusedError(function.span, f"'{name}' may wait at a barrier")
        for variable in sorted(own, key=lambda variable: variable.name):
            if variable.storage == "shared":
                raise RefusedError(variable.span, f"'{name}' declares shared memory")
            if variable in self.pointers.storage.escaped & self.pointers.storage.addressed:
                raise RefusedError(variable.span, f"the address of '{variable.name}' is kept, or cannot be followed")
        for param in function.params:
            if param in addressed_variables(function.body):
                raise RefusedError(param.span, f"the address of parameter '{param.name}' is taken")
        for call in recursive:
            for arg in call.args:
                if isinstance(arg.type, Pointer) and self.home.may_reach(arg):
                    raise RefusedError(arg.span, f"a call of '{name}' may get a pointer to a variable of its caller")

    def is_stable(self, node: tree.Node) -> bool:
        """Whether `node` gives the same value before and after visits, and may be evaluated at either time."""
        return only_reads(node) and not any(map(self._may_change, walk(node)))

    def _may_change(self, node: tree.Node) -> bool:
        if not isinstance(node, tree.Load):
            return False
        variable = root(node.place)
        if variable is not None and variable.storage != "shared":
            return False  # no visit has a pointer to a variable of another one
        return not self.keeps_to_itself or self.pointers.may_be_written(node)

    def parts(self) -> Parts | None:
        """Return the work and the steps of the function; None if it is not in pseudo-tail form."""
        return parts(self.function.body.statements, self.name, self.is_stable)

    def is_step(self, node: tree.Stmt) -> bool:
        """Whether a statement may follow a recursive call unchanged."""
        return is_step(node, self.name, self.is_stable)


def is_pseudo_tail(module: Module, function: Function) -> bool:
    """Whether a function is in pseudo-tail form as it is. Raises `RefusedError` if it cannot be put into it."""
    return Frames(module, function).parts() is not None
