"""The new kernel: its threads take numbers, and each does for its number what the kernel did for that thread."""

from __future__ import annotations

from collections.abc import Iterator, Sequence, Set
from dataclasses import replace
from typing import cast

from ....analysis.frames import RefusedError
from ....analysis.walks import calls, handed_on
from ....lang.builtins import BUILTINS
from ....lang.ctype import BOOL, FLOAT, INT, UINT, Pointer, Scalar
from ....tree import nodes as tree
from ....tree.build import Build
from ....tree.effects import addressed_variables, declared_variables, is_local, named_variables
from ....tree.nodes import Function, Variable
from ....tree.returns import leaving
from ....tree.rewrite import copied, renamed
from ....tree.same import same_text
from ....tree.threads import Places, moved, number_in_block, thread_index, threads_of_block
from ....tree.walk import map_blocks, map_children, walk
from ..normalise_recursion import renewed
from ..ropes import Iterations
from .launch_values import Body, is_of_launch, is_value, substituted
from .visits import Visit, divided, surely_calls, with_kept

MOST_QUERIES = 32  # queries for each thread that works ...
LEAST_BLOCKS = 256  # ... if so many blocks do
MOST_VERSIONS = 16  # of the loop, for what a launch decides

Statements = Sequence[tree.Stmt]


class Kernel:
    """Makes the new kernel from its `body`, in which the calls of the traversal are statements under `if`s.

    `long`: functions with long loops.
    """

    def __init__(self, kernel: Function, iterations: Iterations, body: Body, long: frozenset[str]) -> None:
        self.kernel, self.iterations, self.body, self.long = kernel, iterations, body, long
        self.versions = 1
        self.name = iterations.function.name
        span = kernel.span
        self.next = Variable("next", UINT, span, "shared")
        self.threads, self.count, self.every = (
            Variable(name, UINT, span, "local", const=True) for name in ("threads", "count", "rounds")
        )
        self.shares = {
            place: Variable(name, FLOAT, span, "local", const=True)
            for place, name in (("block", "block_share"), ("x", "row_share"), ("y", "slice_share"))
        }

    def made(self) -> Function:
        build, stack = Build(self.kernel.span), self.iterations.stack
        loops = self.loops(self.body.statements)
        used = {variable for loop in loops for variable in named_variables(loop)}
        statements = [
            *self.begin(build, used),
            *(build.declare(array) for array in (stack.values.values() if stack is not None else ())),
            *self.body.first,
            *loops,
        ]
        return replace(self.kernel, body=replace(self.kernel.body, statements=tuple(statements)))

    def begin(self, build: Build, used: Set[Variable]) -> Iterator[tree.Stmt]:
        """What blocks do before they take queries; those that take none return."""
        x, along_x = build.thread_index(0, "blockIdx"), build.thread_index(0, "gridDim")

        def number(value: int) -> tree.Expr:
            return build.number(UINT, value)

        blocks = Variable("blocks", UINT, build.span, "local", const=True)
        sizes = [build.thread_index(axis, "gridDim") for axis in range(3)]
        yield build.declare(blocks, build.binary(build.binary(sizes[0], "*", sizes[1]), "*", sizes[2]))
        share = build.binary(build.read(blocks), "/", number(LEAST_BLOCKS))
        few, many = build.binary(copied(share), "<", number(1)), build.binary(copied(share), ">", number(MOST_QUERIES))
        chosen = build.choose(few, number(1), build.choose(many, number(MOST_QUERIES), share))
        yield build.declare(self.every, chosen)
        rest = build.binary(x, "%", build.read(self.every))
        yield build.when(build.binary(rest, "!=", number(0)), [tree.Return(build.span, None)])
        yield build.declare(self.next)
        first = build.binary(number_in_block(build), "==", number(0))
        yield build.when(first, [build.assign(self.next, number(0))])
        yield build.evaluate(build.call_builtin(BUILTINS["__syncthreads"][0]))
        yield build.declare(self.threads, threads_of_block(build))
        left = Variable("left", UINT, build.span, "local", const=True)
        yield build.declare(left, build.binary(along_x, "-", copied(x)))
        fewer = build.binary(build.read(left), "<", build.read(self.every))
        taken = build.choose(fewer, build.read(left), build.read(self.every))
        yield build.declare(self.count, build.binary(taken, "*", build.read(self.threads)))
        lengths = (build.read(self.threads), thread_index(build, "blockDim", 0), thread_index(build, "blockDim", 1))
        for share_of, length in zip(self.shares.values(), lengths, strict=True):
            if share_of in used:
                one = build.number(FLOAT, 1.0)
                yield build.declare(share_of, build.binary(one, "/", build.convert(FLOAT, length)))

    def loops(self, body: tree.Block) -> list[tree.Stmt]:
        """Return the loop of the kernel, or one for each way on which a launch sends all its threads."""
        chosen = next((node for node in walk(body) if self.is_switch(node)), None)
        if not isinstance(chosen, tree.If) or self.versions == MOST_VERSIONS:
            return _Version(self, body).statements()
        self.versions += 1
        then, other = (self.loops(_with_arm(body, chosen, arm)) for arm in (chosen.then, chosen.other))
        return [Build(chosen.span).when(copied(chosen.cond), then, other)]

    def is_switch(self, node: tree.Node) -> bool:
        return isinstance(node, tree.If) and bool(calls(node, self.name)) and is_of_launch(node.cond, self.body.fixed)

    # ---------------------------------------------------------------------------------------- threads that were taken

    def quotient(self, build: Build, number: Variable, place: str) -> tree.Expr:
        """Return `number` divided by what `place` says, from below, without an integer division.

        Quotients are below 2^15, divisors at most 2^10: half a number away from the next integer, floats are exact.
        """
        middle = build.binary(build.convert(FLOAT, build.read(number)), "+", build.number(FLOAT, 0.5))
        return build.convert(UINT, build.binary(middle, "*", build.read(self.shares[place])))

    def places(self, build: Build, taken: Variable, used: Set[tuple[str, int]]) -> tuple[list[tree.Stmt], Places]:
        """Declare the place of the thread with a number: those of `threadIdx` and `blockIdx` that are `used`."""
        statements: list[tree.Stmt] = []
        places: Places = {}

        def declared(name: str, value: tree.Expr) -> Variable:
            variable = Variable(name, UINT, build.span, "local", const=True)
            statements.append(build.declare(variable, value))
            return variable

        def rest(name: str, number: Variable, quotient: Variable, length: tree.Expr) -> Variable:
            return declared(
                name, build.binary(build.read(number), "-", build.binary(build.read(quotient), "*", length))
            )

        if not used:
            return statements, places
        block = declared("block", self.quotient(build, taken, "block"))
        if ("blockIdx", 0) in used:
            first = build.thread_index(0, "blockIdx")
            places["blockIdx", 0] = declared("blockIdx_x", build.binary(first, "+", build.read(block)))
        axes = {axis for name, axis in used if name == "threadIdx"}
        if axes:
            thread = rest("thread", taken, block, build.read(self.threads))
            row = declared("row", self.quotient(build, thread, "x"))
            if 0 in axes:
                places["threadIdx", 0] = rest("threadIdx_x", thread, row, thread_index(build, "blockDim", 0))
            if axes & {1, 2}:
                plane = declared("threadIdx_z", self.quotient(build, row, "y"))
                places["threadIdx", 2] = plane
                places["threadIdx", 1] = rest("threadIdx_y", row, plane, thread_index(build, "blockDim", 1))
        return statements, places


def _with_arm(body: tree.Block, chosen: tree.If, arm: tree.Block) -> tree.Block:
    def change(node: tree.Node) -> tree.Node:
        return arm if node is chosen else map_children(node, change)

    return map_children(body, change)


class _Version:
    """Makes the loop that takes threads and runs their traversals, all on one way that the launch decides."""

    def __init__(self, kernel: Kernel, body: tree.Block) -> None:
        self.kernel, self.iterations, self.name = kernel, kernel.iterations, kernel.name
        self.span = span = kernel.kernel.span
        self.taken = Variable("taken", UINT, span, "local", const=True)
        self.call = Variable("call", INT, span, "local")  # which one of the program's the thread is in; 0: none
        self.ended = Variable("ended", INT, span, "local", const=True)
        iterations, stack = kernel.iterations, kernel.iterations.stack
        self.new = {variable: replace(variable) for variable in declared_variables(body) if is_local(variable)}
        self.own = [
            iterations.more,
            *([stack.depth] if stack is not None else []),
            *([iterations.result] if iterations.result else []),
        ]
        self.new |= {variable: replace(variable) for variable in self.own}
        body = copied(body, self.new)
        used = {(node.name, node.axis) for node in walk(body) if isinstance(node, tree.ThreadIndex)}
        wanted = {(name, axis) for name, axis in used if name == "threadIdx" or (name, axis) == ("blockIdx", 0)}
        places, names = kernel.places(Build(span), self.taken, wanted)
        self.body = replace(body, statements=(*places, *moved(body, names).statements))
        self.calls = calls(self.body, self.name)
        self.on_way: set[Variable] = set()  # variables that are there at a call
        self.values, self.params = self.parameters()

    def parameters(self) -> tuple[dict[Variable, tree.Expr], dict[Variable, Variable]]:
        """Return the parameters of the traversal that are always the same value, and variables for the others."""
        function = self.iterations.function
        values: dict[Variable, tree.Expr] = {}
        for i, (param, kept) in enumerate(zip(function.params, handed_on(function), strict=True)):
            args = [call.args[i] for call in self.calls if i < len(call.args)]
            is_same = kept and args and all(same_text(arg, args[0]) for arg in args)
            if is_same and isinstance(param.type, Scalar | Pointer) and self.is_fixed(args[0]):
                values[param] = args[0]
        others = (param for param in function.params if param not in values)
        return values, {param: replace(param, storage="local", const=False, restrict=False) for param in others}

    def is_fixed(self, arg: tree.Expr) -> bool:
        return is_value(arg, self.kernel.body.fixed)

    # ------------------------------------------------------------------------------------------ the loop

    def statements(self) -> list[tree.Stmt]:
        build = Build(self.span)
        begin = list(self.until_call(self.body.statements))
        end = renewed(build.block(*self.from_call(self.body.statements)))
        visit = self.visit()
        kept = [*self.kept(end), *visit.kept]
        names = {variable: replace(variable, const=False) for variable in kept}
        begin = [new for node in begin for new in with_kept(node, set(kept))]
        loop = self.loop(begin, end, visit)
        starts: list[tree.Stmt] = [build.declare(variable) for variable in names.values()]
        if self.calls:
            starts += [build.declare(variable) for variable in self.params.values()]
            starts += [self.declared(variable) for variable in self.own]
            starts.append(build.declare(self.call, build.number(INT, 0)))
        return [*starts, renamed(loop, names)]

    def loop(self, begin: Statements, end: tree.Block, visit: Visit) -> tree.Stmt:
        """Return the loop over iterations. If visits lead to long work, it is one in a loop that does this work."""
        build = Build(self.span)
        if not visit.late:
            iterations = self.iteration(begin, end, visit.early, [tree.Break(self.span)])
            return tree.Loop(self.span, (), None, (), build.block(*iterations))
        over = Variable("over", BOOL, self.span, "local")
        leave: list[tree.Stmt] = [build.assign(over, build.number(BOOL, True)), tree.Break(self.span)]
        iterations = self.iteration(begin, end, visit.early, leave)
        inside = tree.Loop(self.span, (), None, (), build.block(*iterations))
        first: list[tree.Stmt] = [build.declare(over, build.number(BOOL, False)), inside]
        last = build.when(build.read(over), [tree.Break(self.span)])
        return tree.Loop(self.span, (), None, (), build.block(*first, last, *visit.late))

    def declared(self, variable: Variable) -> tree.Stmt:
        build, new = Build(self.span), self.new[variable]
        if variable is self.iterations.result:
            return build.declare(new)
        return build.declare(new, build.number(new.type, False if new.type == BOOL else 0))

    def kept(self, end: tree.Block) -> list[Variable]:
        """Return the variables that a thread needs until its traversal is over, in the order of the text."""
        needed = (named_variables(end) - declared_variables(end)) | addressed_variables(self.body)
        return [
            node.variable
            for node in walk(self.body)
            if isinstance(node, tree.Declare) and node.variable in needed & self.on_way
        ]

    def iteration(self, begin: Statements, end: tree.Block, visit: Statements, leave: Statements) -> list[tree.Stmt]:
        build = Build(self.span)
        take = [*self.take(build, leave), *leaving(begin)]
        if not self.calls:
            return take
        again = self.again(build)
        finish = build.when(build.binary(build.read(self.call), "!=", build.number(INT, 0)), self.finish(end))
        none = build.when(build.negate(build.read(self.new[self.iterations.more])), [tree.Continue(self.span)])
        return [build.when(build.negate(again), [finish, *take, none]), *visit]

    def again(self, build: Build) -> tree.Expr:
        return copied(self.iterations.again(build), self.new)

    def take(self, build: Build, leave: Statements) -> Iterator[tree.Stmt]:
        add = next(builtin for builtin in BUILTINS["atomicAdd"] if builtin.result == UINT)
        place = tree.AddressOf(self.span, Pointer(UINT), build.place(self.kernel.next))
        yield build.declare(self.taken, build.call_builtin(add, place, build.number(UINT, 1)))
        over = build.binary(build.read(self.taken), ">=", build.read(self.kernel.count))
        yield build.when(over, leave)

    def visit(self) -> Visit:
        """Return an iteration of the traversal; nothing if no thread reaches a call of it."""
        if not self.calls:
            return Visit(())
        body = Build(self.span).block(*self.iterations.body)
        own = {variable: replace(variable) for variable in declared_variables(body)}
        body = copied(body, {**own, **self.new, **self.params})
        return divided(cast("tree.Block", substituted(body, self.values)).statements, self.kernel.long)

    # ------------------------------------------------------------------------------- what comes before and after it

    def has_calls(self, *nodes: tree.Node) -> bool:
        return any(calls(node, self.name) for node in nodes)

    def until_call(self, statements: Statements) -> Iterator[tree.Stmt]:
        """Yield statements that end where a call of the traversal begins."""
        at = next((i for i, node in enumerate(statements) if self.has_calls(node)), None)
        if at is None:
            yield from statements
            return
        rest = statements[at + 1 :]
        if self.has_calls(*rest):
            call = next(call for node in rest for call in calls(node, self.name))
            raise RefusedError(call.span, f"a thread may call '{self.name}' more than once")
        self.on_way |= {node.variable for node in statements[:at] if isinstance(node, tree.Declare)}
        yield from statements[:at]
        match statements[at]:
            case tree.Evaluate(expr=tree.Call() as call):
                yield from self.start(call)
                return
            case node:
                yield map_blocks(
                    node, lambda block: replace(block, statements=tuple(self.until_call(block.statements)))
                )
        if rest and not surely_calls(statements[at], self.name):
            build = Build(self.span)
            yield build.when(build.negate(build.read(self.new[self.iterations.more])), rest)

    def start(self, call: tree.Call) -> Iterator[tree.Stmt]:
        build = Build(call.span)
        args = list(zip(self.iterations.function.params, call.args, strict=False))
        for param, value in (*args, *self.iterations.begin.items()):
            if param in self.params:
                yield build.assign(self.params[param], copied(value))
        yield build.assign(self.call, build.number(INT, self.calls.index(call) + 1))
        yield build.assign(self.new[self.iterations.more], build.number(BOOL, True))

    def finish(self, end: tree.Block) -> Iterator[tree.Stmt]:
        """What follows the call that a thread was in."""
        build = Build(self.span)
        if self.ended in named_variables(end):
            yield build.declare(self.ended, build.read(self.call))
        yield build.assign(self.call, build.number(INT, 0))
        yield from leaving(end.statements)

    def from_call(self, statements: Statements) -> Iterator[tree.Stmt]:
        """Yield what follows the calls in some statements."""
        at = next((i for i, node in enumerate(statements) if self.has_calls(node)), None)
        if at is None:
            return
        match statements[at]:
            case tree.Block(statements=inside):
                yield from self.from_call(inside)
            case tree.If(then=then, other=other) as node:
                then_, other_ = (list(self.from_call(arm.statements)) for arm in (then, other))
                last = self.calls.index(calls(then, self.name)[-1]) + 1 if self.has_calls(then) else 0
                if not self.has_calls(then) or not self.has_calls(other):
                    yield from (*then_, *other_)
                elif then_ or other_:
                    build = Build(node.span)
                    before = build.binary(build.read(self.ended), "<=", build.number(INT, last))
                    yield build.when(before, then_, other_)
        yield from statements[at + 1 :]
