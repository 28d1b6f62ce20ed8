"""Tree-to-tree: a recursive traversal as a loop over a stack of the thread's own (autoropes).

**Known as:** autoropes (Goldfarb, Jo and Kulkarni).

    void visit(nodes, n, q) {                      void visit(nodes, n, q) {
        if (far(nodes, n, q)) return;                  int n_stack[256], depth = 0;
        q->count++;                                    for (bool more = true; more || depth > 0;) {
        if (nodes[n].left >= 0)                            if (!more) n = n_stack[--depth];
            visit(nodes, nodes[n].left, q);                more = false;
        if (nodes[n].right >= 0)                           if (far(nodes, n, q)) continue;
            visit(nodes, nodes[n].right, q);               q->count++;
    }                                                      if (nodes[n].right >= 0) n_stack[depth++] = nodes[n].right;
                                                           if (nodes[n].left >= 0) { n = nodes[n].left; more = true; }
                                                       }
                                                   }

Each lane is at a node of its own, and none waits for another. The order of a thread's visits stays the same. An
iteration finds out what all the calls of a visit are before it makes the first of them: so the function is put into
pseudo-tail form first. One that calls itself only to return what the call returns needs no stack, and may have a
result.

After Goldfarb, Jo and Kulkarni 2013, section 3; the code variant DR of Wu, section 4.3. The result prints as CUDA-C and
runs on GPUs too.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from ...analysis.frames import Frames
from ...analysis.walks import calls, handed_on, parts
from ...lang.compiler_calls import STACK_OVERFLOW
from ...lang.ctype import BOOL, INT, VOID, Array, Pointer, Scalar
from ...source import Span
from ...tree import nodes as tree
from ...tree.build import Build
from ...tree.calls import recursive_functions
from ...tree.effects import addressed_variables, is_barrier, is_vote
from ...tree.nodes import Function, Module, Variable
from ...tree.returns import leaving, returning_to
from ...tree.rewrite import copied, renamed
from ...tree.walk import map_blocks, map_children, walk
from .pseudo_tail import Converted, Refused, pseudo_tail, put_in_place

LEVELS = 256  # of a tree, for which a stack has room ...
MOST_PUSHES = 8  # ... of so many calls each, if a visit makes that many


def ropes(module: Module) -> Module:
    """Return a module in which recursive traversals are loops, those that can be."""
    module = without_votes(module)
    functions = dict(module.functions)
    for name in recursive_functions(module):
        made = _as_loop(module, name)
        if isinstance(made, Function):
            functions[name] = made
    return replace(module, functions=functions)


@dataclass(frozen=True)
class Recursive:
    """A function that does not become a loop."""

    name: str
    span: Span
    why: str


def refused(module: Module) -> list[Recursive]:
    """Return the functions that recurse and do not become loops."""
    module = without_votes(module)
    made = {name: _as_loop(module, name) for name in sorted(recursive_functions(module))}
    return [Recursive(name, found.span, found.why) for name, found in made.items() if isinstance(found, Refused)]


def without_votes(module: Module) -> Module:
    """Return a module in which each thread decides for itself: lanes that go their own ways have nothing to vote on."""

    def decide(node: tree.Node) -> tree.Node:
        return decide(node.args[0]) if is_vote(node) else map_children(node, decide)

    functions = {name: replace(f, body=map_children(f.body, decide)) for name, f in module.functions.items()}
    return replace(module, functions=functions)


@dataclass(frozen=True)
class Iterations:
    """A traversal as the iterations of a loop.

    `body` is one iteration, which `continue` ends. Before it, the parameters of `function` hold a call, or the stack
    does; if there is no stack, `more` says whether there is another iteration. `begin`: what parameters that the
    traversal did not have in the program are for its first call. `result` holds the value of the traversal after the
    last iteration.
    """

    function: Function
    begin: Mapping[Variable, tree.Constant]
    stack: _Stack | None
    more: Variable
    result: Variable | None
    body: tuple[tree.Stmt, ...]

    def again(self, build: Build) -> tree.Expr:
        """Whether there is another iteration."""
        more = build.read(self.more)
        return more if self.stack is None else tree.Logical(build.span, BOOL, "||", more, self.stack.is_left(build))


def iterations_of(module: Module, name: str) -> Iterations | Refused:
    """Return a recursive function as iterations, or why that cannot be."""
    function = module.functions[name]
    if is_tail_recursive(function):
        return _tail_iterations(function)
    converted = pseudo_tail(module, name)
    return converted if isinstance(converted, Refused) else _Loop(module, converted).iterations()


def _as_loop(module: Module, name: str) -> Function | Refused:
    function = module.functions[name]
    if is_tail_recursive(function):
        return _tail_as_loop(function)
    converted = pseudo_tail(module, name)
    return converted if isinstance(converted, Refused) else _Loop(module, converted).made()


# ------------------------------------------------------------------------------------------- what both loops share


def _changing(function: Function) -> list[Variable]:
    """The parameters that not all calls of the function in it hand on."""
    return [param for param, kept in zip(function.params, handed_on(function), strict=True) if not kept]


def _with_body(function: Function, statements: Sequence[tree.Stmt]) -> Function:
    """Return the function with another body, which may assign to its parameters."""
    free = {param: replace(param, const=False) for param in function.params if param.const}
    block = renamed(replace(function.body, statements=tuple(statements)), free)
    return replace(function, params=tuple(free.get(param, param) for param in function.params), body=block)


def _go_to(call: tree.Call, function: Function) -> Iterator[tree.Stmt]:
    """Give the parameters that change the values of a call. Arguments may name each other's parameters."""
    build = Build(call.span)
    changing = _changing(function)
    values = {param: arg for param, arg in zip(function.params, call.args, strict=True) if param in changing}
    if len(changing) == 1:
        yield from (build.assign(param, value) for param, value in values.items())
        return
    new = {param: replace(param, name=f"{param.name}_next", storage="local", const=False) for param in changing}
    values_first = [build.declare(new[param], value) for param, value in values.items()]
    yield build.block(*values_first, *(build.assign(param, build.read(new[param])) for param in changing))


# --------------------------------------------------------------------------------------------- calls at the end


def is_tail_recursive(function: Function) -> bool:
    """Whether a function calls itself only as the last thing that it does, outside loops."""
    if any(not isinstance(param.type, Scalar | Pointer) for param in _changing(function)):
        return False
    if addressed_variables(function.body).intersection(function.params):
        return False
    found = tail_calls(function)
    return (
        function.kind == "device"
        and bool(found)
        and len(found) == len(calls(function.body, function.name))
        and not any(is_barrier(node) for node in walk(function.body))
    )


def tail_calls(function: Function) -> list[tree.Call]:
    """The calls of itself that are `return f(...)`, or, if nothing is done after them, `f(...)`."""
    return list(_tail_calls(function.body.statements, function, last=True))


def _tail_calls(statements: Sequence[tree.Stmt], function: Function, *, last: bool) -> Iterator[tree.Call]:
    for i, node in enumerate(statements):
        ends = last if i == len(statements) - 1 else _is_plain_return(statements[i + 1])
        call = _called_last(node, function, last=ends)
        if call is not None:
            yield call
            continue
        match node:
            case tree.Block():
                yield from _tail_calls(node.statements, function, last=ends)
            case tree.If():
                yield from _tail_calls(node.then.statements, function, last=ends)
                yield from _tail_calls(node.other.statements, function, last=ends)


def _is_plain_return(node: tree.Stmt) -> bool:
    return isinstance(node, tree.Return) and node.value is None


def _called_last(node: tree.Stmt, function: Function, *, last: bool) -> tree.Call | None:
    match node:
        case tree.Return(value=tree.Call() as call) if call.function == function.name:
            inside = call
        case tree.Evaluate(expr=tree.Call() as call) if last and call.function == function.name:
            inside = call
        case _:
            return None
    return inside if not any(calls(arg, function.name) for arg in inside.args) else None


def _tail_as_loop(function: Function) -> Function:
    """`return f(n + 1)` becomes `n = n + 1; continue`."""
    body = _going_on(function)
    if function.result == VOID:  # else every way through it ends in a `return`
        body = replace(body, statements=(*body.statements, tree.Return(function.span, None)))
    return _with_body(function, [tree.Loop(function.span, (), None, (), body)])


def _going_on(function: Function, more: Variable | None = None) -> tree.Block:
    """Return the body with the end of an iteration in the place of the calls at the end; it sets `more`."""
    tail = set(tail_calls(function))

    def block(node: tree.Block) -> tree.Block:
        done: list[tree.Stmt] = []
        for below in node.statements:
            match below:
                case tree.Return(value=tree.Call() as call) | tree.Evaluate(expr=tree.Call() as call) if call in tail:
                    build = Build(call.span)
                    done += _go_to(call, function)
                    done += [build.assign(more, build.number(BOOL, True))] if more is not None else []
                    done.append(tree.Continue(below.span))
                    break
                case _:
                    done.append(map_blocks(below, block))
        return replace(node, statements=tuple(done))

    return block(function.body)


def _tail_iterations(function: Function) -> Iterations:
    more = Variable("more", BOOL, function.span, "local")
    result = Variable("result", function.result, function.span, "local") if function.result != VOID else None
    body = _going_on(function, more)
    if result is not None:
        body = returning_to(body, result)
    build = Build(function.span)
    first = build.assign(more, build.number(BOOL, False))
    return Iterations(function, {}, None, more, result, (first, *leaving(body.statements)))


# ------------------------------------------------------------------------------------------------ loops over a stack


@dataclass(frozen=True)
class _Stack:
    """`depth` entries, each with a value for every parameter that changes.

    `more`: the parameters hold a call that comes before those in the stack.
    """

    entries: int
    values: Mapping[Variable, Variable]  # the array of each parameter's values
    depth: Variable
    more: Variable

    def is_left(self, build: Build) -> tree.Expr:
        return build.binary(build.read(self.depth), ">", build.number(INT, 0))

    def entry(self, build: Build, param: Variable) -> tree.Index:
        return build.element(build.place(self.values[param]), param.type, build.read(self.depth))

    def step(self, build: Build, delta: int) -> tree.Stmt:
        return build.evaluate(tree.Increment(build.span, INT, build.place(self.depth), delta, prefix=True))

    def pop(self, build: Build) -> Iterator[tree.Stmt]:
        yield self.step(build, -1)
        for param in self.values:
            yield build.assign(param, tree.Load(build.span, param.type, self.entry(build, param)))

    def push(self, build: Build, values: Mapping[Variable, tree.Expr]) -> Iterator[tree.Stmt]:
        full = build.binary(build.read(self.depth), "==", build.number(INT, self.entries))
        yield build.when(full, [build.evaluate(build.call_builtin(STACK_OVERFLOW))])
        for param in self.values:
            yield build.assign(self.entry(build, param), values[param])
        yield self.step(build, 1)


class _Loop:
    """Makes the loop of a function in pseudo-tail form; what that form added to its parameters begins as variables."""

    def __init__(self, module: Module, converted: Converted) -> None:
        self.function = function = converted.function
        self.is_stable = Frames(put_in_place(module, converted), function).is_stable
        old = len(function.params) - len(converted.root_args)
        self.params, added = function.params[:old], function.params[old:]
        self.begin = dict(zip(added, converted.root_args, strict=True))
        span, pushes = function.span, max(1, len(calls(function.body, function.name)) - 1)
        entries = LEVELS * min(pushes, MOST_PUSHES)
        self.stack = _Stack(
            entries,
            {
                param: Variable(f"{param.name}_stack", Array(param.type, entries), span, "local")
                for param in _changing(self.function)
            },
            Variable("depth", INT, span, "local"),
            Variable("more", BOOL, span, "local"),
        )

    def iterations(self) -> Iterations:
        build, stack = Build(self.function.span), self.stack
        body = [
            build.when(build.negate(build.read(stack.more)), stack.pop(build)),
            build.assign(stack.more, build.number(BOOL, False)),
            *self.iteration(self.function.body.statements),
        ]
        return Iterations(self.function, self.begin, stack, stack.more, None, tuple(body))

    def made(self) -> Function:
        build, stack, iterations = Build(self.function.span), self.stack, self.iterations()
        own = {param: replace(param, storage="local", const=False) for param in self.begin}
        statements: list[tree.Stmt] = [
            *(build.declare(own[param], copied(value)) for param, value in self.begin.items()),
            *(build.declare(values) for values in stack.values.values()),
            build.declare(stack.depth, build.number(INT, 0)),
            build.declare(stack.more, build.number(BOOL, True)),
            renamed(tree.Loop(build.span, (), iterations.again(build), (), build.block(*iterations.body)), own),
        ]
        return _with_body(replace(self.function, params=self.params), statements)

    def iteration(self, statements: Sequence[tree.Stmt]) -> Iterator[tree.Stmt]:
        """The statements of the walk, or of an arm of it, as an iteration's or a part of it."""
        found = parts(statements, self.function.name, self.is_stable)
        assert found is not None
        yield from leaving(found.work)
        if found.fork is not None:
            fork = found.fork
            build = Build(fork.span)
            yield build.when(fork.cond, self.iteration(fork.then.statements), self.iteration(fork.other.statements))
        yield from self.steps(found.steps, first=True)

    def steps(self, statements: Sequence[tree.Stmt], *, first: bool) -> Iterator[tree.Stmt]:
        """Push the calls, the last one first, except the `first` of the iteration, which is made next."""
        yield from (node for node in statements if isinstance(node, tree.Declare))
        rest = [node for node in statements if not isinstance(node, tree.Declare)]
        for i in reversed(range(len(rest))):
            yield from self.step(rest[i], first=first and i == 0)

    def step(self, node: tree.Stmt, *, first: bool) -> Iterator[tree.Stmt]:
        match node:
            case tree.Evaluate(expr=tree.Call() as call):
                build, params = Build(call.span), self.function.params
                if first:
                    yield from _go_to(call, self.function)
                    yield build.assign(self.stack.more, build.number(BOOL, True))
                else:
                    yield from self.stack.push(build, dict(zip(params, call.args, strict=True)))
            case tree.If():
                then, other = (self.steps(arm.statements, first=first) for arm in (node.then, node.other))
                yield Build(node.span).when(node.cond, then, other)
            case tree.Block():
                yield Build(node.span).block(*self.steps(node.statements, first=first))
