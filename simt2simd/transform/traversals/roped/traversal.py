"""A recursive function whose nodes have ropes: the functions that follow them and that install them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from ....analysis.call_sets import quoted
from ....analysis.frames import Frames, RefusedError
from ....analysis.path_invariant_values import CommonValues
from ....analysis.walks import calls, handed_on, parts
from ....lang.builtins import BUILTINS
from ....lang.compiler_calls import ANY_LANE
from ....lang.ctype import BOOL, INT, UINT, VOID, CType, Pointer, Scalar
from ....tree import nodes as tree
from ....tree.build import Build
from ....tree.effects import addressed_variables, named_variables, returns, written_variables
from ....tree.nodes import Function, Module, Variable
from ....tree.rewrite import copied
from ....tree.walk import map_blocks, walk
from ..pseudo_tail import Refused, pseudo_tail, put_in_place
from .expressions import joined, operands, renewed, substituted
from .links import END, Links, pair, ropes_of


def by_ropes(name: str) -> str:
    return f"{name}_by_ropes"


class Traversal:
    """A recursive function whose nodes have ropes. Raises `RefusedError` if they cannot.

    `node`: the parameter that identifies the node. `empty`: under these conditions, of which each is evaluated where
    those before it do not hold, a call returns at once; `rest`: the statements after they have been tested.
    `structure`: what is left of the rest to find the children of a node, which `links` links. `needed`: the other
    parameters that the structure depends on. `by_block`: the threads of a block share the installing of ropes.
    """

    def __init__(self, module: Module, name: str, *, by_block: bool = False) -> None:
        converted = pseudo_tail(module, name)
        if isinstance(converted, Refused):
            raise RefusedError(converted.span, converted.why)
        if converted.root_args:
            span = module.functions[name].span
            why = f"'{name}' does something between its calls or after them, or then asks for what visits may change"
            raise RefusedError(span, why)
        self.module = module = put_in_place(module, converted)
        self.function, self.name = converted.function, name
        self.frames = Frames(module, self.function)
        self.place, self.node = self._node()
        self.build = Build(self.function.span)
        self.common = CommonValues(module, self.frames.pointers, frozenset({self.node}))
        self.changed = written_variables(self.function.body) | addressed_variables(self.function.body)
        kept = handed_on(self.function)
        self.known = {param for param, same in zip(self.function.params, kept, strict=True) if same} | {self.node}
        self.empty, self.rest = self._divided()
        self.links = Links.of(self.function, by_block=by_block)
        self.structure = tuple(self._structure(self.rest))
        named = {variable for node in (*self.empty, *self.structure) for variable in named_variables(node)}
        self.needed = tuple(p for p in self.function.params if p in named and p is not self.node)

    def _node(self) -> tuple[int, Variable]:
        function = self.function
        changing = [i for i, same in enumerate(handed_on(function)) if not same]
        if len(changing) != 1:
            texts = " and ".join(f"'{function.params[i].name}'" for i in changing)
            why = f"{texts} change from node to node" if changing else "no parameter identifies the node"
            raise RefusedError(function.span, why)
        node = function.params[changing[0]]
        if node.type != INT:
            raise RefusedError(node.span, f"'{node.name}', which identifies the node, is no number of type int")
        if node in written_variables(function.body):
            raise RefusedError(node.span, f"'{node.name}', which identifies the node, is assigned to")
        return changing[0], node

    # ------------------------------------------------------------------------------ calls that return at once

    def _divided(self) -> tuple[tuple[tree.Expr, ...], tuple[tree.Stmt, ...]]:
        """Return the conditions that the function tests first, if they depend on the node alone, and the rest."""
        empty: list[tree.Expr] = []
        statements = list(self.function.body.statements)
        while statements and isinstance(statements[0], tree.If) and _only_returns(statements[0]):
            node = statements.pop(0)
            assert isinstance(node, tree.If)
            conds = operands(node.cond, "||")
            while conds and self._is_structural(conds[0]):
                empty.append(conds.pop(0))
            if conds:
                statements.insert(0, replace(node, cond=joined(conds, "||")))
                break
        return tuple(empty), tuple(statements)

    def is_empty(self, value: tree.Expr) -> list[tree.Expr]:
        """Return the condition that a call with this node returns at once; none if no call does."""
        if not self.empty:
            return []
        conds = [substituted(cond, lambda v: value if v is self.node else self.build.read(v)) for cond in self.empty]
        return [copied(joined(conds, "||"))]

    # ----------------------------------------------------------------------------------------- the structure

    def _is_structural(self, node: tree.Expr) -> bool:
        """Whether `node` has one value at a node of the tree, in all threads and throughout the launch."""
        names = {variable for variable in named_variables(node) if variable.storage != "constant"}
        here = not any(isinstance(below, tree.ThreadIndex) for below in walk(node))
        return here and names <= self.known and self.frames.is_stable(node) and self.common.is_common(node)

    def _structural_part(self, cond: tree.Expr, op: tree.LogicalOp) -> tree.Expr | None:
        """Return those operands of a chain of `&&` or `||` that depend on the node alone, None if there are none."""
        found = [operand for operand in operands(cond, op) if self._is_structural(operand)]
        return joined(found, op) if found else None

    def _structure(self, statements: Sequence[tree.Stmt]) -> Iterator[tree.Stmt]:
        """What finds the children of a node. Where a thread's data decide, the thread continues."""
        found = parts(statements, self.name, self.frames.is_stable)
        assert found is not None
        yield from self._work(found.work)
        if found.fork is not None:
            yield from self._fork(found.fork)
        yield from self._steps(found.steps, alone=True)

    def _work(self, statements: Sequence[tree.Stmt]) -> Iterator[tree.Stmt]:
        for node in statements:
            match node:
                case tree.Declare():
                    yield from self._declared(node)
                case tree.Return() if self.links.tail is not None:
                    yield tree.Return(node.span, self.build.number(INT, 0))
                case tree.Return():
                    yield self.build.assign(self.node, self.build.read(self.links.rope))
                    yield tree.Continue(node.span)
                case tree.Block():
                    yield self.build.block(*self._work(node.statements))
                case tree.If() if returns(node):
                    yield from self._leaving(node)

    def _leaving(self, node: tree.If) -> Iterator[tree.Stmt]:
        """What becomes of an `if` in which a visit may end: a thread that need not end it visits the children."""
        cond: tree.Expr | None = node.cond
        if not self._is_structural(node.cond):
            cond = self._structural_part(node.cond, "||") if _only_returns(node) else None
        if cond is not None:
            yield self.build.when(cond, self._work(node.then.statements), self._work(node.other.statements))

    def _declared(self, node: tree.Declare) -> Iterator[tree.Stmt]:
        variable, initial = node.variable, node.initial
        if variable in self.changed or not isinstance(initial, tree.Expr) or not self._is_structural(initial):
            return
        if isinstance(variable.type, Scalar | Pointer):
            self.known.add(variable)
            yield node

    def _fork(self, node: tree.If) -> Iterator[tree.Stmt]:
        arms = [arm for arm in (node.then, node.other) if calls(arm, self.name)]
        if self._is_structural(node.cond):
            then, other = (self._structure(arm.statements) for arm in (node.then, node.other))
            yield self.build.when(node.cond, then, other)
        elif len(arms) == 1:
            yield from self._if_any(node, self._structure(arms[0].statements))
        else:
            self._refuse_choice(node.cond)

    def _if_any(self, node: tree.If, inside: Iterable[tree.Stmt]) -> Iterator[tree.Stmt]:
        """The children that a thread visits if its data say so; `inside` finds them."""
        cond = self._structural_part(node.cond, "&&") if calls(node.then, self.name) else None
        yield self.build.when(cond, inside) if cond is not None else self.build.block(*inside)

    def _refuse_choice(self, cond: tree.Expr) -> None:
        raise RefusedError(
            cond.span, f"{quoted(cond)} decides which children a thread visits, and may depend on its own data"
        )

    def _steps(self, statements: Sequence[tree.Stmt], *, alone: bool) -> Iterator[tree.Stmt]:
        """The calls of a visit. `alone`: there are no others that a thread may make without them."""
        alone = alone and sum(1 for node in statements if calls(node, self.name)) == 1
        for node in statements:
            match node:
                case tree.Declare():
                    yield from self._declared(node)
                case tree.Block():
                    yield self.build.block(*self._steps(node.statements, alone=alone))
                case tree.Evaluate(expr=tree.Call(args=args)):
                    yield self._child(args[self.place])
                case tree.If() if self._is_structural(node.cond):
                    then, other = (self._steps(arm.statements, alone=alone) for arm in (node.then, node.other))
                    yield self.build.when(node.cond, then, other)
                case tree.If():
                    arms = [arm for arm in (node.then, node.other) if calls(arm, self.name)]
                    if not alone or len(arms) != 1:
                        self._refuse_choice(node.cond)
                    yield from self._if_any(node, self._steps(arms[0].statements, alone=True))

    def _child(self, arg: tree.Expr) -> tree.Stmt:
        if not self._is_structural(arg):
            raise RefusedError(
                arg.span, f"which node a thread visits next, {quoted(arg)}, may depend on its own data, or on calls"
            )
        build = Build(arg.span)
        child = Variable("child", INT, arg.span, "local", const=True)
        link = list(self.links.link(build, child))
        empty = self.is_empty(build.read(child))
        return build.block(build.declare(child, arg), *([build.when(build.negate(empty[0]), link)] if empty else link))

    # ----------------------------------------------------------------------------------- what is made of it

    def continues(self) -> Function:
        """Return the function that visits one node, and says whether the thread visits its children."""
        never = self.build.number(BOOL, False)
        statements = list(self._one_visit(self.rest))
        if not isinstance(statements[-1], tree.Return):
            statements.append(tree.Return(self.build.span, never))
        return replace(self._made(f"{self.name}_continues", self.function.params, BOOL, statements), inline="always")

    def _one_visit(self, statements: Sequence[tree.Stmt]) -> Iterator[tree.Stmt]:
        found = parts(statements, self.name, self.frames.is_stable)
        assert found is not None
        yield from (_returning_false(node) for node in found.work)
        if found.fork is not None:
            then, other = (self._one_visit(arm.statements) for arm in (found.fork.then, found.fork.other))
            yield Build(found.fork.span).when(found.fork.cond, then, other)
        conds = (node.cond for step in found.steps for node in walk(step) if isinstance(node, tree.If))
        if found.steps and all(map(self._is_structural, conds)):
            yield self._yes(found.steps[0])  # if there is no child, that is in the array
        else:
            yield from self._first_calls(found.steps)

    def _yes(self, node: tree.Stmt) -> tree.Stmt:
        return tree.Return(node.span, Build(node.span).number(BOOL, True))

    def _first_calls(self, steps: Sequence[tree.Stmt]) -> Iterator[tree.Stmt]:
        """Return true where the first call is made."""
        for node in steps:
            match node:
                case tree.Evaluate():
                    yield self._yes(node)
                    return
                case tree.Block():
                    yield Build(node.span).block(*self._first_calls(node.statements))
                case tree.If():
                    then, other = (self._first_calls(arm.statements) for arm in (node.then, node.other))
                    yield Build(node.span).when(node.cond, then, other)
                case _:
                    yield node

    def by_ropes(self) -> Function:
        """Return the loop in which each thread follows the ropes."""
        build, node, ropes = self.build, self.node, ropes_of(self.function)
        step = build.assign(node, pair(build, ropes, node, build.convert(INT, self._visited())))
        return self._follow(ropes, [tree.Loop(build.span, (), self._is_node(), (), build.block(step))])

    def in_step(self) -> Function:
        """Return the loop in which a gang follows the ropes."""
        build, node, ropes = self.build, self.node, ropes_of(self.function)
        own, rope, first = (Variable(name, INT, build.span, "local") for name in ("own", "rope", "first"))
        here, down, more = (Variable(name, BOOL, build.span, "local") for name in ("here", "down", "gang_continues"))

        def next_(cond: Variable) -> tree.Expr:
            return build.choose(build.read(cond), build.read(first), build.read(rope))

        body: list[tree.Stmt] = [
            build.declare(rope, pair(build, ropes, node, build.number(INT, 0))),
            build.declare(first, pair(build, ropes, node, build.number(INT, 1))),
            build.declare(here, build.binary(build.read(own), "==", build.read(node))),
            build.declare(down, build.number(BOOL, False)),
            build.when(build.read(here), [build.assign(down, self._visited()), build.assign(own, next_(down))]),
            build.declare(more, build.call_builtin(ANY_LANE, build.read(down))),
            build.assign(node, next_(more)),
        ]
        loop = tree.Loop(build.span, (), self._is_node(), (), build.block(*body))
        return self._follow(ropes, [build.declare(own, build.read(node)), loop])

    def in_warp_step(self) -> Function:
        """Return the loop in which the lanes of a warp follow the ropes, those that reach it together."""
        build, node, ropes = self.build, self.node, ropes_of(self.function)
        own, rope, first = (Variable(name, INT, build.span, "local") for name in ("own", "rope", "first"))
        down, lanes = Variable("down", BOOL, build.span, "local"), Variable("lanes", UINT, build.span, "local")
        (mask,), (vote,) = BUILTINS["__activemask"], BUILTINS["__any_sync"]
        here = build.binary(build.read(own), "==", build.read(node))
        any_down = build.call_builtin(vote, build.read(lanes), build.convert(INT, build.read(down)))
        gang_continues = build.binary(any_down, "!=", build.number(INT, 0))
        body: list[tree.Stmt] = [
            build.declare(rope, pair(build, ropes, node, build.number(INT, 0))),
            build.declare(first, pair(build, ropes, node, build.number(INT, 1))),
            build.declare(down, build.number(BOOL, False)),
            build.when(
                here,
                [
                    build.assign(down, self._visited()),
                    build.assign(own, build.choose(build.read(down), build.read(first), build.read(rope))),
                ],
            ),
            build.assign(node, build.choose(gang_continues, build.read(first), build.read(rope))),
        ]
        loop = tree.Loop(build.span, (), self._is_node(), (), build.block(*body))
        return self._follow(
            ropes, [build.declare(lanes, build.call_builtin(mask)), build.declare(own, build.read(node)), loop]
        )

    def _visited(self) -> tree.Expr:
        args = tuple(map(self.build.read, self.function.params))
        return tree.Call(self.build.span, BOOL, f"{self.name}_continues", args)

    def _is_node(self) -> tree.Expr:
        return self.build.binary(self.build.read(self.node), ">=", self.build.number(INT, 0))

    def _follow(self, ropes: Variable, statements: Sequence[tree.Stmt]) -> Function:
        leave = tree.Return(self.build.span, None)
        first = [self.build.when(cond, [leave]) for cond in self.is_empty(self.build.read(self.node))]
        return self._made(by_ropes(self.name), (*self.function.params, ropes), VOID, [*first, *statements])

    def installer(self) -> Function:
        """Return the function that installs the ropes of the tree below a node.

        Its value is 0; or else `NO_TREE`, or for how many nodes there must be room at least.
        """
        build, node, links = self.build, self.node, self.links
        zero = build.number(INT, 0)
        body = [
            build.declare(links.rope, pair(build, links.ropes, node, zero)),
            build.declare(links.first, build.read(links.rope)),
            build.declare(links.last, build.number(INT, -1)),
            *self.structure,
            build.assign(pair(build, links.ropes, node, build.number(INT, 1)).place, build.read(links.first)),
            build.assign(node, build.read(links.first)),
        ]
        statements: list[tree.Stmt] = [
            *(build.when(cond, [tree.Return(build.span, zero)]) for cond in self.is_empty(build.read(node))),
            *links.checked(build, node),
            build.assign(pair(build, links.ropes, node, zero).place, build.number(INT, END)),
            tree.Loop(build.span, (), self._is_node(), (), build.block(*body)),
            tree.Return(build.span, zero),
        ]
        params = (*self.needed, node, links.ropes, links.room)
        return self._made(f"{self.name}_install_ropes", params, INT, statements)

    def begins(self) -> Function:
        """Return the function by which one thread begins the list of nodes with the root."""
        build, node, links = self.build, self.node, self.links
        zero = build.number(INT, 0)
        statements: list[tree.Stmt] = [
            *(build.when(cond, [tree.Return(build.span, zero)]) for cond in self.is_empty(build.read(node))),
            *links.checked(build, node),
            build.assign(pair(build, links.ropes, node, zero).place, build.number(INT, END)),
            *links.listed(build, node),
            tree.Return(build.span, zero),
        ]
        return self._made(f"{self.name}_begin_ropes", (*self.needed, node, *links.params), INT, statements)

    def links_children(self) -> Function:
        """Return the function that links the children of a node, and puts them into the list of nodes.

        Its value is that of `installer`.
        """
        build, node, links = self.build, self.node, self.links
        zero = build.number(INT, 0)
        statements: list[tree.Stmt] = [
            build.declare(links.rope, pair(build, links.ropes, node, zero)),
            build.declare(links.first, build.read(links.rope)),
            build.declare(links.last, build.number(INT, -1)),
            *self.structure,
            build.assign(pair(build, links.ropes, node, build.number(INT, 1)).place, build.read(links.first)),
            tree.Return(build.span, zero),
        ]
        return self._made(f"{self.name}_link_ropes", (*self.needed, node, *links.params), INT, statements)

    def _made(self, name: str, params: Sequence[Variable], result: CType, statements: Sequence[tree.Stmt]) -> Function:
        made = replace(self.function, name=name, params=tuple(params), result=result, helps=self.name, looped=False)
        return renewed(replace(made, body=self.build.block(*statements)), free=self.node)


def _returning_false(node: tree.Stmt) -> tree.Stmt:
    if isinstance(node, tree.Return):
        return replace(node, value=Build(node.span).number(BOOL, False))
    return map_blocks(node, lambda block: replace(block, statements=tuple(map(_returning_false, block.statements))))


def _only_returns(node: tree.If) -> bool:
    """Whether nothing happens in an `if` but that the function returns."""
    return (
        not node.other.statements
        and len(node.then.statements) == 1
        and isinstance(node.then.statements[0], tree.Return)
    )
