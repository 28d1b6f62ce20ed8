"""What a kernel does, in one place: the functions on the way to its traversal are inlined."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from ....analysis.frames import RefusedError
from ....analysis.walks import handed_on
from ....lang.ctype import VOID
from ....tree import nodes as tree
from ....tree.build import Build
from ....tree.effects import addressed_variables, declared_variables, is_local, written_variables
from ....tree.nodes import Function, Module, Variable
from ....tree.returns import falling_through, returning_to
from ....tree.rewrite import copied, renamed, replaced
from ....tree.walk import count_nodes, map_blocks, walk
from ...inline_barriers import goes_first
from ..normalise_recursion import MOST_NODES, normalise_recursion
from ..ropes import Iterations
from .launch_values import Body, with_values


@dataclass
class InPlace:
    """Puts functions on the `way` to the traversal in place of their calls.

    Calls of the traversal become statements. What they return is read from the `result` of its iterations.
    """

    module: Module
    way: frozenset[str]
    iterations: Iterations
    pointed_to: set[Variable] = field(default_factory=set)  # what a function may change that is not given its name
    room: int = MOST_NODES

    @property
    def name(self) -> str:
        return self.iterations.function.name

    def of(self, kernel: Function) -> Body:
        self.pointed_to |= addressed_variables(kernel.body)
        body = _with_own_params(self.block(kernel.body), kernel)
        straight = normalise_recursion(replace(kernel, body=body), self.name).body
        return with_values(straight, kernel.params)

    def block(self, block: tree.Block) -> tree.Block:
        return replace(block, statements=tuple(new for node in block.statements for new in self.statement(node)))

    def calls(self, node: tree.Node) -> list[tree.Call]:
        wanted = {*self.way, self.name}
        return [below for below in walk(node) if isinstance(below, tree.Call) and below.function in wanted]

    def statement(self, node: tree.Stmt) -> list[tree.Stmt]:
        found = self.calls(node)
        if not found:
            return [node]
        if not isinstance(node, tree.Declare | tree.Evaluate):
            inside = map_blocks(node, self.block)
            left = self.calls(map_blocks(node, lambda block: replace(block, statements=())))
            if left:
                raise _within_an_expression(left[0])
            return [inside]
        call = found[0]
        if len(found) > 1 or not goes_first(node, call, self.pointed_to):
            raise _within_an_expression(call)
        first, value = self.traversal(call) if call.function == self.name else self.body(call)
        if isinstance(node, tree.Evaluate) and node.expr is call:
            return first
        assert value is not None
        return [*first, replaced(node, call, Build(call.span).read(value))]

    def traversal(self, call: tree.Call) -> tuple[list[tree.Stmt], Variable | None]:
        """Return the call with its argument for a parameter that stays the same in a variable: all may share it."""
        build = Build(call.span)
        declared: list[tree.Stmt] = []
        args = list(call.args)
        for i, (param, arg) in enumerate(zip(self.iterations.function.params, call.args, strict=False)):
            if handed_on(self.iterations.function)[i] and isinstance(arg, tree.Binary | tree.PointerAdd):
                variable = Variable(param.name, arg.type, arg.span, "local", const=True)
                declared.append(build.declare(variable, arg))
                args[i] = build.read(variable)
        return [*declared, build.evaluate(replace(call, args=tuple(args)))], self.iterations.result

    def body(self, call: tree.Call) -> tuple[list[tree.Stmt], Variable | None]:
        """Return the body of a function for the arguments of a call, and the variable with what it returns."""
        function, build = self.module.functions[call.function], Build(call.span)
        result = Variable(f"{function.name}_", function.result, call.span, "local") if function.result != VOID else None
        body = returning_to(function.body, result) if result is not None else function.body
        body = replace(body, statements=tuple(falling_through(body.statements)))
        self.room -= count_nodes(body)
        if self.room < 0:
            raise RefusedError(call.span, f"the kernel would become too long with '{function.name}' in its place")
        new = {param: replace(param, storage="local", restrict=False) for param in function.params}
        new |= {variable: replace(variable) for variable in declared_variables(body) if is_local(variable)}
        args = zip(function.params, call.args, strict=True)
        body = copied(body, new)
        self.pointed_to |= addressed_variables(body)
        inside = build.block(*(build.declare(new[param], arg) for param, arg in args), *self.block(body).statements)
        return [*([build.declare(result)] if result is not None else []), inside], result


def _with_own_params(body: tree.Block, kernel: Function) -> tree.Block:
    """Return a body that changes no parameter of the kernel: a thread finds them as the launch passes them."""
    changed = (written_variables(body) | addressed_variables(body)).intersection(kernel.params)
    own = {param: replace(param, storage="local", const=False, restrict=False) for param in changed}
    build = Build(kernel.span)
    first = (build.declare(own[param], build.read(param)) for param in kernel.params if param in own)
    return replace(body, statements=(*first, *renamed(body, own).statements))


def _within_an_expression(call: tree.Call) -> RefusedError:
    return RefusedError(call.span, f"a call of '{call.function}' is a part of an expression")
