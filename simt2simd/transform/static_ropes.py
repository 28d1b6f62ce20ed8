"""Tree-to-tree: an unguided traversal as a loop that follows ropes, without a stack (static ropes).

All threads meet the nodes of the tree in one order, of which each may skip parts. So where a thread goes on that skips
a node's children can be found out before the launch: to the node that comes next without them, the node's rope.

    void visit(nodes, n, q) {                      bool visit_goes_on(nodes, n, q) {
        if (far(nodes, n, q)) return;                  if (far(nodes, n, q)) return false;
        q->count++;                                    q->count++;
        if (nodes[n].left >= 0)                        return true;
            visit(nodes, nodes[n].left, q);        }
        if (nodes[n].right >= 0)                   void visit_by_ropes(nodes, n, q, ropes) {
            visit(nodes, nodes[n].right, q);           while (n >= 0)
    }                                                      n = ropes[2 * n + visit_goes_on(nodes, n, q)];
                                                   }

A node is told by a number; nothing else changes from call to call. An array of the launch's own has the rope of node n
at 2 * n, and behind it the node's first child; the rope once more if there is none. It is filled by a function that is
made of the traversal's conditions and calls, as far as they depend on the node alone, and of nothing else. It follows
the ropes itself:

    int visit_install_ropes(nodes, n, ropes, room) {
        ropes[2 * n] = -2;                                   // the end; -1 is where no rope is yet
        while (n >= 0) {
            int rope = ropes[2 * n], first = rope, last = -1;
            if (nodes[n].left >= 0) link(nodes[n].left);
            if (nodes[n].right >= 0) link(nodes[n].right);
            n = ropes[2 * n + 1] = first;
        }
        return 0;
    }
    link(child): if (last < 0) first = child; else ropes[2 * last] = child;
                 ropes[2 * child] = rope; last = child;

It gives up where a node is reached twice, as then there is no one node that comes next, and where a number is negative.
Then the kernel runs as it is written. A launch (runtime/ropes.c) first runs `k_install_ropes`, with one thread, then
`k_by_ropes` in place of `k`.

In lockstep, a gang is at one node. It goes on to the children if a lane does; a lane that does not waits until the gang
comes to the node that its rope leads to:

    int own = n;
    while (n >= 0) {
        int rope = ropes[2 * n], first = ropes[2 * n + 1];
        bool here = own == n, down = here && visit_goes_on(nodes, n, q);
        if (here) own = down ? first : rope;
        n = any lane(down) ? first : rope;
    }

After Liu, Wu and Becchi; the code variants SR and SR-L of Wu, sections 4.3 and 4.5. The latter needs no stack of masks.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from ..analysis.call_sets import fixed_values, quoted
from ..analysis.common_values import CommonValues
from ..analysis.frames import Frames, RefusedError
from ..analysis.walks import Pointers, calls, handed_on, parts
from ..lang.builtins import ANY_LANE
from ..lang.ctype import BOOL, INT, VOID, CType, Pointer, Scalar, leaves
from ..tree import nodes as tree
from ..tree.build import Build
from ..tree.calls import reached_functions, recursive_functions
from ..tree.effects import (
    addressed_variables,
    declared_variables,
    in_union,
    is_changeable,
    is_local,
    is_volatile,
    named_variables,
    only_reads,
    returns,
    root,
    write_of,
    written_variables,
)
from ..tree.nodes import Function, Module, QueryOrder, StaticRopes, Variable
from ..tree.rewrite import copied
from ..tree.same import same_text
from ..tree.walk import children, map_blocks, map_children, walk
from .pseudo_tail import Refused, pseudo_tail, put_in_place
from .ropes import Recursive

NO_ROPE, END = -1, -2
NO_TREE = -1  # what an installer returns that gives up
MOST_NODES = 1 << 26  # numbers of nodes are below


def use_static_ropes(module: Module, *, in_step: bool = False) -> Module:
    """Return a module with what launches need to run traversals by ropes, those that can be.

    `in_step`: a gang follows the ropes in lockstep.
    """
    return _Made(module, in_step=in_step).module


def refused(module: Module) -> list[Recursive]:
    """Return the functions that recurse in a kernel and do not follow ropes."""
    return _Made(module).refused


class _Made:
    """The module that is made, function by function, and what is `refused`."""

    def __init__(self, module: Module, *, in_step: bool = False) -> None:
        self.before = self.module = module
        self.in_step = in_step
        self.refused: list[Recursive] = []
        self.reached = reached_functions(module)
        for name in sorted(recursive_functions(module)):
            kernels = [kernel for kernel in module.launched if name in self.reached[kernel.name]]
            try:
                traversal = _Traversal(module, name)
                self.add(traversal, [plan for kernel in kernels for plan in self.plans(traversal, kernel)])
            except RefusedError as why:
                self.refused.append(Recursive(name, why.span, str(why)))

    def plans(self, traversal: _Traversal, kernel: Function) -> Iterator[_Plan]:
        """Yield how a kernel comes to a traversal by ropes, if it can."""
        try:
            if kernel.name in self.module.static_ropes:
                raise RefusedError(traversal.function.span, f"kernel '{kernel.name}' makes another traversal by ropes")
            yield _Plan(self.before, traversal, kernel)
        except RefusedError as why:
            self.refused.append(Recursive(traversal.name, why.span, str(why)))

    def add(self, traversal: _Traversal, plans: Sequence[_Plan]) -> None:
        """Add what launches of these kernels need. Raises `RefusedError` if there is no room for it."""
        if not plans:
            return
        follower = traversal.in_step() if self.in_step else traversal.by_ropes()
        made = [traversal.goes_on(), follower, traversal.installer()]
        ways = {name for plan in plans for name in plan.way}
        made += [_with_ropes(function, ways, traversal.name) for function in self.functions(ways)]
        orders, ropes = dict(self.module.query_orders), dict(self.module.static_ropes)
        for plan in plans:
            order = self.module.query_orders.get(plan.kernel.name)
            helpers = [] if order is None else [self.module.functions[order.coordinates]]
            made += [_with_unused_ropes(function, len(plan.kernel.params)) for function in helpers]
            if order is not None:
                in_order = self.module.functions[order.in_order]
                made.append(_with_ropes(in_order, ways, traversal.name, len(plan.kernel.params)))
                orders[_by_ropes(plan.kernel.name)] = replace(
                    order, coordinates=_by_ropes(order.coordinates), in_order=_by_ropes(order.in_order)
                )
            made += [plan.installer(), _with_ropes(plan.kernel, ways, traversal.name)]
            ropes[plan.kernel.name] = StaticRopes(traversal.name, plan.installer().name, _by_ropes(plan.kernel.name))
        self.put(made, orders, ropes)

    def functions(self, names: Iterable[str]) -> list[Function]:
        return [self.before.functions[name] for name in sorted(names)]

    def put(self, made: Sequence[Function], orders: dict[str, QueryOrder], ropes: dict[str, StaticRopes]) -> None:
        for function in made:
            if function.name in self.module.functions:
                raise RefusedError(function.span, f"the name '{function.name}' is taken")
        functions = {**self.module.functions, **{function.name: function for function in made}}
        self.module = replace(self.module, functions=functions, query_orders=orders, static_ropes=ropes)


def _by_ropes(name: str) -> str:
    return f"{name}_by_ropes"


def _ropes(function: Function, *, const: bool = True) -> Variable:
    return Variable("ropes", Pointer(INT, const=const), function.span, "param")


# ------------------------------------------------------------------------------------------------- the traversal


class _Traversal:
    """A recursive function whose nodes have ropes. Raises `RefusedError` if they cannot.

    `node`: the parameter that tells the node. `empty`: under these conditions, of which each is evaluated where those
    before it do not hold, a call returns at once; `rest`: the statements after they have been tested. `structure`: what
    is left of the rest to find the children of a node, which `links` links. `needed`: the other parameters that the
    structure depends on.
    """

    def __init__(self, module: Module, name: str) -> None:
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
        self.links = _Links.of(self.function)
        self.structure = tuple(self._structure(self.rest))
        named = {variable for node in (*self.empty, *self.structure) for variable in named_variables(node)}
        self.needed = tuple(p for p in self.function.params if p in named and p is not self.node)

    def _node(self) -> tuple[int, Variable]:
        function = self.function
        changing = [i for i, same in enumerate(handed_on(function)) if not same]
        if len(changing) != 1:
            texts = " and ".join(f"'{function.params[i].name}'" for i in changing)
            why = f"{texts} change from node to node" if changing else "no parameter tells the node"
            raise RefusedError(function.span, why)
        node = function.params[changing[0]]
        if node.type != INT:
            raise RefusedError(node.span, f"'{node.name}', which tells the node, is no number of type int")
        if node in written_variables(function.body):
            raise RefusedError(node.span, f"'{node.name}', which tells the node, is assigned to")
        return changing[0], node

    # ------------------------------------------------------------------------------ calls that return at once

    def _divided(self) -> tuple[tuple[tree.Expr, ...], tuple[tree.Stmt, ...]]:
        """Return the conditions that the function tests first, if they depend on the node alone, and the rest."""
        empty: list[tree.Expr] = []
        statements = list(self.function.body.statements)
        while statements and isinstance(statements[0], tree.If) and _only_returns(statements[0]):
            node = statements.pop(0)
            assert isinstance(node, tree.If)
            conds = _operands(node.cond, "||")
            while conds and self._is_structural(conds[0]):
                empty.append(conds.pop(0))
            if conds:
                statements.insert(0, replace(node, cond=_joined(conds, "||")))
                break
        return tuple(empty), tuple(statements)

    def is_empty(self, value: tree.Expr) -> list[tree.Expr]:
        """Return the condition that a call with this node returns at once; none if no call does."""
        if not self.empty:
            return []
        conds = [_substituted(cond, lambda v: value if v is self.node else self.build.read(v)) for cond in self.empty]
        return [copied(_joined(conds, "||"))]

    # ----------------------------------------------------------------------------------------- the structure

    def _is_structural(self, node: tree.Expr) -> bool:
        """Whether `node` has one value at a node of the tree, whoever evaluates it and whenever in the launch."""
        names = {variable for variable in named_variables(node) if variable.storage != "constant"}
        here = not any(isinstance(below, tree.ThreadIndex) for below in walk(node))
        return here and names <= self.known and self.frames.is_stable(node) and self.common.is_common(node)

    def _structural_part(self, cond: tree.Expr, op: tree.LogicalOp) -> tree.Expr | None:
        """Return those operands of a chain of `&&` or `||` that depend on the node alone, None if there are none."""
        found = [operand for operand in _operands(cond, op) if self._is_structural(operand)]
        return _joined(found, op) if found else None

    def _structure(self, statements: Sequence[tree.Stmt]) -> Iterator[tree.Stmt]:
        """What finds the children of a node. Where a thread's data decide, the thread goes on."""
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
                case tree.Return():
                    yield self.build.assign(self.node, self.build.read(self.links.rope))
                    yield tree.Continue(node.span)
                case tree.Block():
                    yield self.build.block(*self._work(node.statements))
                case tree.If() if returns(node):
                    yield from self._leaving(node)

    def _leaving(self, node: tree.If) -> Iterator[tree.Stmt]:
        """What becomes of an `if` in which a visit may end: a thread that need not end it goes on to the children."""
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
        """The children that a thread goes on to if its data want that; `inside` finds them."""
        cond = self._structural_part(node.cond, "&&") if calls(node.then, self.name) else None
        yield self.build.when(cond, inside) if cond is not None else self.build.block(*inside)

    def _refuse_choice(self, cond: tree.Expr) -> None:
        raise RefusedError(
            cond.span, f"{quoted(cond)} decides to which children a thread goes on, and may depend on its own data"
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
                arg.span, f"to which node a thread goes on, {quoted(arg)}, may depend on its own data, or on calls"
            )
        build = Build(arg.span)
        child = Variable("child", INT, arg.span, "local", const=True)
        link = list(self.links.link(build, child))
        empty = self.is_empty(build.read(child))
        return build.block(build.declare(child, arg), *([build.when(build.negate(empty[0]), link)] if empty else link))

    # ----------------------------------------------------------------------------------- what is made of it

    def goes_on(self) -> Function:
        """Return the function that visits one node, and says whether the thread goes on to its children."""
        never = self.build.number(BOOL, False)
        statements = list(self._one_visit(self.rest))
        if not isinstance(statements[-1], tree.Return):
            statements.append(tree.Return(self.build.span, never))
        return replace(self._made(f"{self.name}_goes_on", self.function.params, BOOL, statements), inline="always")

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
        build, node, ropes = self.build, self.node, _ropes(self.function)
        step = build.assign(node, _pair(build, ropes, node, build.convert(INT, self._visited())))
        return self._follow(ropes, [tree.Loop(build.span, (), self._is_node(), (), build.block(step))])

    def in_step(self) -> Function:
        """Return the loop in which a gang follows the ropes."""
        build, node, ropes = self.build, self.node, _ropes(self.function)
        own, rope, first = (Variable(name, INT, build.span, "local") for name in ("own", "rope", "first"))
        here, down, more = (Variable(name, BOOL, build.span, "local") for name in ("here", "down", "gang_goes_on"))

        def next_(cond: Variable) -> tree.Expr:
            return build.choose(build.read(cond), build.read(first), build.read(rope))

        body: list[tree.Stmt] = [
            build.declare(rope, _pair(build, ropes, node, build.number(INT, 0))),
            build.declare(first, _pair(build, ropes, node, build.number(INT, 1))),
            build.declare(here, build.binary(build.read(own), "==", build.read(node))),
            build.declare(down, build.number(BOOL, False)),
            build.when(build.read(here), [build.assign(down, self._visited()), build.assign(own, next_(down))]),
            build.declare(more, build.call_builtin(ANY_LANE, build.read(down))),
            build.assign(node, next_(more)),
        ]
        loop = tree.Loop(build.span, (), self._is_node(), (), build.block(*body))
        return self._follow(ropes, [build.declare(own, build.read(node)), loop])

    def _visited(self) -> tree.Expr:
        args = tuple(map(self.build.read, self.function.params))
        return tree.Call(self.build.span, BOOL, f"{self.name}_goes_on", args)

    def _is_node(self) -> tree.Expr:
        return self.build.binary(self.build.read(self.node), ">=", self.build.number(INT, 0))

    def _follow(self, ropes: Variable, statements: Sequence[tree.Stmt]) -> Function:
        leave = tree.Return(self.build.span, None)
        first = [self.build.when(cond, [leave]) for cond in self.is_empty(self.build.read(self.node))]
        return self._made(_by_ropes(self.name), (*self.function.params, ropes), VOID, [*first, *statements])

    def installer(self) -> Function:
        """Return the function that installs the ropes of the tree below a node.

        Its value is 0; or else `NO_TREE`, or for how many nodes there must be room at least.
        """
        build, node, links = self.build, self.node, self.links
        zero = build.number(INT, 0)
        body = [
            build.declare(links.rope, _pair(build, links.ropes, node, zero)),
            build.declare(links.first, build.read(links.rope)),
            build.declare(links.last, build.number(INT, -1)),
            *self.structure,
            build.assign(_pair(build, links.ropes, node, build.number(INT, 1)).place, build.read(links.first)),
            build.assign(node, build.read(links.first)),
        ]
        statements: list[tree.Stmt] = [
            *(build.when(cond, [tree.Return(build.span, zero)]) for cond in self.is_empty(build.read(node))),
            *links.checked(build, node),
            build.assign(_pair(build, links.ropes, node, zero).place, build.number(INT, END)),
            tree.Loop(build.span, (), self._is_node(), (), build.block(*body)),
            tree.Return(build.span, zero),
        ]
        params = (*self.needed, node, links.ropes, links.room)
        return self._made(f"{self.name}_install_ropes", params, INT, statements)

    def _made(self, name: str, params: Sequence[Variable], result: CType, statements: Sequence[tree.Stmt]) -> Function:
        made = replace(self.function, name=name, params=tuple(params), result=result, helps=self.name, looped=False)
        return _renewed(replace(made, body=self.build.block(*statements)), free=self.node)


@dataclass(frozen=True)
class _Links:
    """What an installer links the children of a node with.

    `rope`: that of the node, and of its last child. `first`: the first child so far, or else the rope; `last`: the last
    one so far, or -1. There is `room` for so many nodes.
    """

    ropes: Variable
    room: Variable
    rope: Variable
    first: Variable
    last: Variable

    @classmethod
    def of(cls, function: Function) -> _Links:
        room, span = Variable("room", INT, function.span, "param"), function.span
        rope, first, last = (Variable(name, INT, span, "local") for name in ("rope", "first", "last"))
        return cls(_ropes(function, const=False), room, rope, first, last)

    def checked(self, build: Build, number: Variable) -> Iterator[tree.Stmt]:
        """Return from the installer if there is no place in the array for a node."""
        read, limit = build.read(number), build.number(INT, MOST_NODES)
        negative = build.binary(read, "<", build.number(INT, 0))
        no_tree = tree.Logical(build.span, BOOL, "||", negative, build.binary(build.read(number), ">=", limit))
        yield self.given(build, no_tree, build.number(INT, NO_TREE))
        outside = build.binary(build.read(number), ">=", build.read(self.room))
        yield self.given(build, outside, build.binary(build.read(number), "+", build.number(INT, 1)))

    def given(self, build: Build, cond: tree.Expr, value: tree.Expr) -> tree.Stmt:
        return build.when(cond, [tree.Return(build.span, value)])

    def link(self, build: Build, child: Variable) -> Iterator[tree.Stmt]:
        """Let the rope of the child before this one lead to it, and its own where the node's does."""
        yield from self.checked(build, child)
        rope = _pair(build, self.ropes, child, build.number(INT, 0))
        reached = build.binary(rope, "!=", build.number(INT, NO_ROPE))
        yield self.given(build, reached, build.number(INT, NO_TREE))
        yield build.assign(_pair(build, self.ropes, child, build.number(INT, 0)).place, build.read(self.rope))
        before = _pair(build, self.ropes, self.last, build.number(INT, 0)).place
        yield build.when(
            build.binary(build.read(self.last), "<", build.number(INT, 0)),
            [build.assign(self.first, build.read(child))],
            [build.assign(before, build.read(child))],
        )
        yield build.assign(self.last, build.read(child))


# -------------------------------------------------------------------------------------------------- the kernels


class _Plan:
    """How a kernel comes to a traversal by ropes. Raises `RefusedError` if it cannot.

    `way`: the functions by which its calls come there.
    """

    def __init__(self, module: Module, traversal: _Traversal, kernel: Function) -> None:
        self.module, self.traversal, self.kernel = module, traversal, kernel
        self.reached = reached_functions(module)
        below = self.reached[kernel.name] - {traversal.name}
        self.way = {name for name in below if traversal.name in self.reached[name]}
        self.callers = [module.functions[name] for name in (kernel.name, *sorted(self.way))]
        for name in self.way:
            if name in self.reached[name]:
                raise RefusedError(traversal.function.span, f"'{name}', which calls it, is recursive")
        begin = traversal.function.params[traversal.place]
        places = {param: i for i, param in enumerate(traversal.function.params)}
        self.values = {param: self.at_launch(traversal.name, places[param]) for param in (*traversal.needed, begin)}
        self._require_lasting()

    # ------------------------------------------------------------------------- what calls from outside pass

    def at_launch(self, name: str, place: int) -> tree.Expr:
        """Return the argument that all calls of a function pass, in terms of the kernel's parameters."""
        param = self.module.functions[name].params[place]
        found = [self.value(caller, call.args[place]) for caller in self.callers for call in calls(caller.body, name)]
        if not all(same_text(found[0], other) for other in found[1:]):
            raise RefusedError(param.span, f"the calls of '{name}' pass different values of '{param.name}'")
        return found[0]

    def value(self, function: Function, node: tree.Expr) -> tree.Expr:
        changed = written_variables(function.body) | addressed_variables(function.body)
        fixed = fixed_values(function)

        def of(variable: Variable) -> tree.Expr:
            if variable in function.params and variable not in changed:
                if function is self.kernel:
                    return Build(node.span).read(variable)
                return self.at_launch(function.name, function.params.index(variable))
            if variable in fixed:
                return self.value(function, fixed[variable])
            raise self.cannot_tell(node)

        if not only_reads(node) or any(isinstance(below, tree.ThreadIndex) for below in walk(node)):
            raise self.cannot_tell(node)
        try:
            return _substituted(node, of)
        except _NoPlaceError:
            raise self.cannot_tell(node) from None

    def cannot_tell(self, node: tree.Expr) -> RefusedError:
        name = self.traversal.name
        return RefusedError(
            node.span, f"{quoted(node)}, which '{name}' is called with, may differ from thread to thread"
        )

    # ------------------------------------------------------------------------------- the tree stays the same

    def _require_lasting(self) -> None:
        """Refuse kernels that may change the tree between the beginning of the launch and a traversal."""
        traversal = self.traversal
        nodes: list[tree.Node] = [*traversal.empty, *traversal.structure, *self.values.values()]
        loads = [
            node for top in nodes for node in walk(top) if isinstance(node, tree.Load) and root(node.place) is None
        ]
        if not loads:
            return
        for place in self._written():
            if any(_may_overlap(place, load) for load in loads):
                span = place.span
                why = f"kernel '{self.kernel.name}' writes, before a traversal, to memory in which the tree may lie"
                raise RefusedError(span, why)

    def _written(self) -> Iterator[tree.Node]:
        """What the kernel may write before a traversal begins, of memory that is not the thread's own."""
        pointers = self.traversal.frames.pointers
        reached = [self.module.functions[name] for name in (self.kernel.name, *sorted(self.reached[self.kernel.name]))]
        if any(_may_know_of_others(node, pointers) for function in reached for node in walk(function.body)):
            yield from (
                place for function in reached for node in walk(function.body) for place in _places(node, pointers)
            )
            return
        way = {*self.way, self.traversal.name}
        for caller in self.callers:
            for node in _before(caller.body, lambda node: isinstance(node, tree.Call) and node.function in way):
                yield from _places(node, pointers)
                if isinstance(node, tree.Call):
                    for name in (node.function, *self.reached[node.function]):
                        body = self.module.functions[name].body
                        yield from (place for below in walk(body) for place in _places(below, pointers))

    # ------------------------------------------------------------------------------------- what is made of it

    def installer(self) -> Function:
        """Return the kernel that installs the ropes, with one thread."""
        kernel, build, traversal = self.kernel, Build(self.kernel.span), self.traversal
        ropes, room = _ropes(kernel, const=False), Variable("room", INT, kernel.span, "param")
        state = Variable("state", Pointer(INT), kernel.span, "param")
        args = [*(self.values[param] for param in (*traversal.needed, traversal.node)), build.read(ropes)]
        call = tree.Call(build.span, INT, f"{traversal.name}_install_ropes", (*args, build.read(room)))
        body = build.block(build.assign(tree.Deref(build.span, INT, build.read(state)), call))
        made = replace(
            kernel,
            name=f"{kernel.name}_install_ropes",
            params=(*kernel.params, ropes, room, state),
            body=body,
            max_threads=None,
            min_blocks=None,
            helps=kernel.name,
        )
        return _renewed(made)


def _before(body: tree.Block, wanted: Callable[[tree.Node], bool]) -> Iterator[tree.Node]:
    """What may be evaluated before one of the `wanted` nodes in a function: it stands before, or in a loop with it."""
    nodes = list(_in_order(body))
    last = max((i for i, node in enumerate(nodes) if wanted(node)), default=-1)
    yield from nodes[: max(last, 0)]
    loops = [node for node in nodes if isinstance(node, tree.Loop) and any(map(wanted, walk(node)))]
    yield from (below for loop in loops for below in walk(loop))


def _in_order(node: tree.Node) -> Iterator[tree.Node]:
    """All nodes, those below a node before it."""
    for child in children(node):
        yield from _in_order(child)
    yield node


def _may_know_of_others(node: tree.Node, pointers: Pointers) -> bool:
    """Whether a thread may find out by `node` what another one has done meanwhile."""
    match node:
        case tree.VarRef(variable=variable):
            return is_changeable(variable)
        case tree.Deref() | tree.Index():
            return is_volatile(node)
        case tree.BuiltinCall(builtin=builtin):
            return not builtin.pure and builtin.op != "trap" and not pointers.keeps_to_itself(node)
    return False


def _places(node: tree.Node, pointers: Pointers) -> Iterator[tree.Node]:
    """The places, or pointers to them, that `node` itself writes to, if they are not the thread's own."""
    if pointers.keeps_to_itself(node):
        return
    write = write_of(node)
    if write is not None:
        yield write.place
    elif isinstance(node, tree.BuiltinCall):
        yield from (arg for arg in node.args if isinstance(arg.type, Pointer))


def _may_overlap(written: tree.Node, load: tree.Load) -> bool:
    """Whether memory that is written may be what is read, by the rule that an object is accessed as what it is."""
    assert isinstance(written, tree.Place | tree.Expr)
    ctype = written.type
    if isinstance(written, tree.Expr) and isinstance(ctype, Pointer):
        ctype = ctype.target
    if ctype == VOID or in_union(written) or in_union(load.place):
        return True
    return any(_may_be(one, other) for _, one in leaves(ctype) for _, other in leaves(load.type))


def _may_be(written: Scalar | Pointer, read: Scalar | Pointer) -> bool:
    if isinstance(written, Scalar) and isinstance(read, Scalar):
        return written.size == 1 or (written.size == read.size and written.kind == read.kind)
    return isinstance(written, Pointer) == isinstance(read, Pointer) or written.size == 1


def _with_ropes(function: Function, ways: set[str], name: str, place: int | None = None) -> Function:
    """Return a function that hands ropes on to the traversal `name` and to those by which it comes there.

    The new parameter is at `place`, or the last one.
    """
    ropes = _ropes(function)

    def change(node: tree.Node) -> tree.Node:
        node = map_children(node, change)
        if isinstance(node, tree.Call) and (node.function in ways or node.function == name):
            read = Build(node.span).read(ropes)
            return replace(node, function=_by_ropes(node.function), args=(*node.args, read))
        return node

    params = list(function.params)
    params.insert(len(params) if place is None else place, ropes)
    body = map_children(function.body, change)
    helps = function.helps or function.name
    return _renewed(replace(function, name=_by_ropes(function.name), params=tuple(params), body=body, helps=helps))


def _with_unused_ropes(function: Function, place: int) -> Function:
    params = list(function.params)
    params.insert(place, _ropes(function))
    return _renewed(replace(function, name=_by_ropes(function.name), params=tuple(params)))


# ------------------------------------------------------------------------------------------------- expressions


def _renewed(function: Function, free: Variable | None = None) -> Function:
    """Return a function of new nodes, with variables of its own; the parameter `free` may be assigned to."""
    new = {param: replace(param, const=param.const and param is not free) for param in function.params}
    new |= {variable: replace(variable) for variable in declared_variables(function.body) if is_local(variable)}
    params = tuple(new[param] for param in function.params)
    return replace(function, params=params, body=copied(function.body, new))


def _pair(build: Build, ropes: Variable, node: Variable, which: tree.Expr) -> tree.Load:
    """`ropes[2 * node + which]`"""
    twice = build.binary(build.number(INT, 2), "*", build.read(node))
    index = twice if isinstance(which, tree.Constant) and which.value == 0 else build.binary(twice, "+", which)
    return tree.Load(build.span, INT, tree.Index(build.span, INT, build.read(ropes), index))


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


def _operands(cond: tree.Expr, op: tree.LogicalOp) -> list[tree.Expr]:
    """Return the operands of a chain of `&&` or `||`, in order; one that is no chain is its own."""
    if isinstance(cond, tree.Logical) and cond.op == op:
        return [*_operands(cond.left, op), *_operands(cond.right, op)]
    return [cond]


def _joined(conds: Sequence[tree.Expr], op: tree.LogicalOp) -> tree.Expr:
    first, *rest = conds
    for cond in rest:
        first = tree.Logical(cond.span, BOOL, op, first, cond)
    return first


class _NoPlaceError(Exception):
    """A variable is more than read, and what it stands for is no place."""


def _substituted(node: tree.Expr, value: Callable[[Variable], tree.Expr]) -> tree.Expr:
    """Return an expression with the values of the variables of a thread that it reads in their place."""

    def change(node: tree.Node) -> tree.Node:
        match node:
            case tree.Load(place=tree.VarRef(variable=variable)) if is_local(variable):
                return value(variable)
            case tree.VarRef(variable=variable) if is_local(variable):
                found = value(variable)
                if not isinstance(found, tree.Load):
                    raise _NoPlaceError
                return found.place
        return map_children(node, change)

    changed = change(node)
    assert isinstance(changed, tree.Expr)
    return changed
