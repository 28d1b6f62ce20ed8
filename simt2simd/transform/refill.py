"""Tree-to-tree: a lane whose query is done takes the next query of its blocks (GDR of Wu, section 4.3).

A traversal as a loop over a stack (`ropes`) lasts as long as the longest of a gang's or warp's lanes. Here the loops
over nodes and over queries are one:

    __global__ void k(nodes, x, count, found) {     __global__ void k(nodes, x, count, found) {
        int i = blockIdx.x * blockDim.x                 __shared__ unsigned int next;
                + threadIdx.x;                          ... some blocks return; next = 0; __syncthreads(); ...
        if (i >= count) return;                         for (;;) {
        Query q = {x[i], 0};                                if (!more && depth == 0) {
        visit(nodes, 0, &q);                                    if (busy) { busy = 0; found[i] = q.count; }
        found[i] = q.count;                                     taken = atomicAdd(&next, 1);
    }                                                           if (taken >= threads of these blocks) break;
                                                                i = ...;
                                                                if (i >= count) continue;
                                                                q = {x[i], 0};
                                                                n = 0; busy = 1; more = true;
                                                            }
                                                            ... one round of the traversal ...
                                                        }
                                                    }

One block in `rounds` works, for itself and for those that follow it: threads take numbers, and each does for its number
what the kernel did for that thread. What decides in all threads alike which call of the traversal they come to, such as
a `switch` over a parameter, is decided before: each arm has a loop of its own.

A round may end with long work that only some visits have, such as the loop over the points of a leaf. Then the rounds
are a loop inside: it ends for a lane that comes to such work, and the lanes do theirs together.

The threads of the kernel must know nothing of each other, and come to one call of one recursive function at most,
outside loops. The functions between the kernel and that call stand in the kernel. The result prints as CUDA-C.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from typing import cast

from ..analysis.apart import are_apart
from ..analysis.common_values import constant_rounds
from ..analysis.frames import RefusedError
from ..analysis.walks import calls, handed_on
from ..lang.builtins import BUILTINS
from ..lang.ctype import BOOL, FLOAT, INT, UINT, VOID, Array, Pointer, Scalar
from ..tree import nodes as tree
from ..tree.build import Build
from ..tree.calls import functions_reaching, reached_functions, recursive_functions
from ..tree.effects import addressed_variables, declared_variables, is_local, named_variables, written_variables
from ..tree.nodes import Function, Module, Variable
from ..tree.returns import falling_through, leaving, returning_to
from ..tree.rewrite import copied, renamed, replaced
from ..tree.same import same_text
from ..tree.threads import Places, moved, number_in_block, thread_index, threads_of_block
from ..tree.walk import map_blocks, map_children, walk
from .inline_barriers import goes_first
from .pseudo_tail import Refused
from .ropes import Recursive, Rounds, rounds_of, without_votes
from .straight_calls import MOST_NODES, renewed, straighten

MOST_ROUNDS = 32  # queries for each thread that works ...
LEAST_BLOCKS = 256  # ... if so many blocks do
MOST_VERSIONS = 16  # of the loop, for what a launch decides

Statements = Sequence[tree.Stmt]


def use_refill(module: Module) -> Module:
    """Return a module in which lanes of traversal kernels take one query after the other, where that can be."""
    made = _all_refilled(module)
    functions = {name: found for name, found in made.items() if isinstance(found, Function)}
    return replace(module, functions={**module.functions, **functions})


def refused(module: Module) -> list[Recursive]:
    """Return the kernels that reach recursive functions and stay as they are."""
    made = _all_refilled(module)
    return [Recursive(name, found.span, found.why) for name, found in made.items() if isinstance(found, Refused)]


def _all_refilled(module: Module) -> dict[str, Function | Refused | None]:
    module = without_votes(module)
    return {kernel.name: _refilled(module, kernel) for kernel in module.kernels}


def _refilled(module: Module, kernel: Function) -> Function | Refused | None:
    """Return the new kernel, or why there is none; None if it reaches no recursive function."""
    recursive, reached = recursive_functions(module), reached_functions(module)
    if not reached[kernel.name] & recursive:
        return None
    try:
        if module.traversals:
            raise RefusedError(kernel.span, "visits are counted for each call of a traversal")
        if not are_apart(module, kernel, reached[kernel.name]):
            raise RefusedError(kernel.span, f"threads of '{kernel.name}' may know of each other")
        way = {name for name in reached[kernel.name] - recursive if reached[name] & recursive}
        name = _only_traversal(module, kernel, way, recursive)
        rounds = rounds_of(module, name)
        if isinstance(rounds, Refused):
            raise RefusedError(rounds.span, rounds.why)
        body = _InPlace(module, frozenset(way), rounds).of(kernel)
        return _Kernel(kernel, rounds, body, functions_reaching(module, _is_long)).made()
    except RefusedError as why:
        return Refused(why.span, why.why)


def _only_traversal(module: Module, kernel: Function, way: set[str], recursive: frozenset[str]) -> str:
    bodies = (module.functions[name].body for name in (kernel.name, *way))
    found = {node.function for body in bodies for node in walk(body) if isinstance(node, tree.Call)} & recursive
    if len(found) > 1:
        raise RefusedError(
            kernel.span, f"'{kernel.name}' calls several recursive functions: {', '.join(sorted(found))}"
        )
    return found.pop()


# --------------------------------------------------------------------------------- what the kernel does, in one place


@dataclass
class _InPlace:
    """Puts functions on the `way` to the traversal in place of their calls.

    Calls of the traversal become statements. What they return is read from the `result` of its rounds.
    """

    module: Module
    way: frozenset[str]
    rounds: Rounds
    pointed_to: set[Variable] = field(default_factory=set)  # what a function may change that is not given its name
    room: int = MOST_NODES

    @property
    def name(self) -> str:
        return self.rounds.function.name

    def of(self, kernel: Function) -> _Body:
        self.pointed_to |= addressed_variables(kernel.body)
        body = _with_own_params(self.block(kernel.body), kernel)
        straight = straighten(replace(kernel, body=body), self.name).body
        return _with_values(straight, kernel.params)

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
        for i, (param, arg) in enumerate(zip(self.rounds.function.params, call.args, strict=False)):
            if handed_on(self.rounds.function)[i] and isinstance(arg, tree.Binary | tree.PointerAdd):
                variable = Variable(param.name, arg.type, arg.span, "local", const=True)
                declared.append(build.declare(variable, arg))
                args[i] = build.read(variable)
        return [*declared, build.evaluate(replace(call, args=tuple(args)))], self.rounds.result

    def body(self, call: tree.Call) -> tuple[list[tree.Stmt], Variable | None]:
        """Return the body of a function for the arguments of a call, and the variable with what it returns."""
        function, build = self.module.functions[call.function], Build(call.span)
        result = Variable(f"{function.name}_", function.result, call.span, "local") if function.result != VOID else None
        body = returning_to(function.body, result) if result is not None else function.body
        body = replace(body, statements=tuple(falling_through(body.statements)))
        self.room -= sum(1 for _ in walk(body))
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


# ------------------------------------------------------------------------------------------- what a launch decides


def _is_of_launch(node: tree.Expr, params: Container[Variable]) -> bool:
    """Whether all threads of a launch find the same value, which may be computed early."""
    match node:
        case tree.Constant():
            return True
        case tree.Load(place=tree.VarRef(variable=variable)):
            return variable in params
        case tree.Convert(operand=operand) | tree.Unary(operand=operand):
            return _is_of_launch(operand, params)
        case tree.PointerAdd(pointer=pointer, index=index):
            return _is_of_launch(pointer, params) and _is_of_launch(index, params)
        case tree.Binary(op=op):
            return op not in ("/", "%") and _is_of_launch(node.left, params) and _is_of_launch(node.right, params)
        case tree.Logical():
            return _is_of_launch(node.left, params) and _is_of_launch(node.right, params)
    return False


def _is_value(node: tree.Expr, params: Container[Variable]) -> bool:
    """Whether a variable that has this value all the time can be replaced by it: it costs nothing."""
    match node:
        case tree.Constant():
            return True
        case tree.Load(place=tree.VarRef(variable=variable)):
            return variable in params
        case tree.AddressOf(place=tree.VarRef(variable=variable)) | tree.Decay(place=tree.VarRef(variable=variable)):
            return is_local(variable) or variable.storage in ("constant", "device")
    return False


@dataclass(frozen=True)
class _Body:
    """What a thread does. `first`: what is the same for all threads of a launch, computed before; `fixed`: variables
    with such values.
    """

    first: tuple[tree.Stmt, ...]
    fixed: frozenset[Variable]
    statements: tree.Block


def _with_values(body: tree.Block, params: Sequence[Variable]) -> _Body:
    """Return a body without the variables that have such a value, or one that costs nothing, all the time."""
    changed = written_variables(body) | addressed_variables(body)
    values: dict[Variable, tree.Expr] = {}
    first: dict[Variable, tree.Stmt] = {}
    fixed = set(params)
    for node in walk(body):
        match node:
            case tree.Declare(variable=variable, initial=initial) if variable not in changed and is_local(variable):
                if not isinstance(initial, tree.Expr) or not isinstance(variable.type, Scalar | Pointer):
                    continue
                value = cast("tree.Expr", _substituted(initial, values))
                if _is_value(value, fixed):
                    values[variable] = value
                elif _is_of_launch(value, fixed):
                    first[variable] = replace(node, initial=copied(value))
                    fixed.add(variable)
    statements = cast("tree.Block", _substituted(body, values, first))
    return _Body(tuple(first.values()), frozenset(fixed), statements)


def _substituted(
    node: tree.Node, values: Mapping[Variable, tree.Expr], declared: Mapping[Variable, object] | None = None
) -> tree.Node:
    """Return a node with values in place of variables, without declarations of these and of what is `declared`."""
    gone: dict[Variable, object] = {**values, **(declared or {})}

    def change(node: tree.Node) -> tree.Node:
        match node:
            case tree.Load(place=tree.VarRef(variable=variable)) if variable in values:
                return Build(node.span).convert(variable.type, copied(values[variable]))
            case tree.Block(statements=statements):
                left = (below for below in statements if not _declares_one_of(below, gone))
                return map_children(replace(node, statements=tuple(left)), change)
        node = map_children(node, change)
        if isinstance(node, tree.Deref) and isinstance(node.pointer, tree.AddressOf):
            return node.pointer.place
        return node

    return change(node)


def _declares_one_of(node: tree.Stmt, variables: Mapping[Variable, object]) -> bool:
    return isinstance(node, tree.Declare) and node.variable in variables


# --------------------------------------------------------------------------------------------------- the new kernel


class _Kernel:
    """Makes the new kernel from its `body`, in which the calls of the traversal are statements under `if`s.

    `long`: functions with long loops.
    """

    def __init__(self, kernel: Function, rounds: Rounds, body: _Body, long: frozenset[str]) -> None:
        self.kernel, self.rounds, self.body, self.long = kernel, rounds, body, long
        self.versions = 1
        self.name = rounds.function.name
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
        build, stack = Build(self.kernel.span), self.rounds.stack
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
        few, many = build.binary(copied(share), "<", number(1)), build.binary(copied(share), ">", number(MOST_ROUNDS))
        chosen = build.choose(few, number(1), build.choose(many, number(MOST_ROUNDS), share))
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
        return isinstance(node, tree.If) and bool(calls(node, self.name)) and _is_of_launch(node.cond, self.body.fixed)

    # ---------------------------------------------------------------------------------------- threads that were taken

    def quotient(self, build: Build, number: Variable, place: str) -> tree.Expr:
        """Return `number` divided by what `place` says, from below, without an integer division.

        Quotients are below 2^15, divisors at most 2^10: half a number away from the next integer, floats are exact.
        """
        middle = build.binary(build.convert(FLOAT, build.read(number)), "+", build.number(FLOAT, 0.5))
        return build.convert(UINT, build.binary(middle, "*", build.read(self.shares[place])))

    def places(self, build: Build, taken: Variable, used: Set[tuple[str, int]]) -> tuple[list[tree.Stmt], Places]:
        """Declare where the thread with a number stands: those of `threadIdx` and `blockIdx` that are `used`."""
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

    def __init__(self, kernel: _Kernel, body: tree.Block) -> None:
        self.kernel, self.rounds, self.name = kernel, kernel.rounds, kernel.name
        self.span = span = kernel.kernel.span
        self.taken = Variable("taken", UINT, span, "local", const=True)
        self.call = Variable("call", INT, span, "local")  # which one of the program's the thread is in; 0: none
        self.ended = Variable("ended", INT, span, "local", const=True)
        rounds, stack = kernel.rounds, kernel.rounds.stack
        self.new = {variable: replace(variable) for variable in declared_variables(body) if is_local(variable)}
        self.own = [
            rounds.more,
            *([stack.depth] if stack is not None else []),
            *([rounds.result] if rounds.result else []),
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
        function = self.rounds.function
        values: dict[Variable, tree.Expr] = {}
        for i, (param, kept) in enumerate(zip(function.params, handed_on(function), strict=True)):
            args = [call.args[i] for call in self.calls if i < len(call.args)]
            is_same = kept and args and all(same_text(arg, args[0]) for arg in args)
            if is_same and isinstance(param.type, Scalar | Pointer) and self.is_fixed(args[0]):
                values[param] = args[0]
        others = (param for param in function.params if param not in values)
        return values, {param: replace(param, storage="local", const=False, restrict=False) for param in others}

    def is_fixed(self, arg: tree.Expr) -> bool:
        return _is_value(arg, self.kernel.body.fixed)

    # ------------------------------------------------------------------------------------------ the loop

    def statements(self) -> list[tree.Stmt]:
        build = Build(self.span)
        begin = list(self.until_call(self.body.statements))
        end = renewed(build.block(*self.from_call(self.body.statements)))
        visit = self.visit()
        kept = [*self.kept(end), *visit.kept]
        names = {variable: replace(variable, const=False) for variable in kept}
        begin = [new for node in begin for new in _with_kept(node, set(kept))]
        loop = self.loop(begin, end, visit)
        starts: list[tree.Stmt] = [build.declare(variable) for variable in names.values()]
        if self.calls:
            starts += [build.declare(variable) for variable in self.params.values()]
            starts += [self.declared(variable) for variable in self.own]
            starts.append(build.declare(self.call, build.number(INT, 0)))
        return [*starts, renamed(loop, names)]

    def loop(self, begin: Statements, end: tree.Block, visit: _Visit) -> tree.Stmt:
        """Return the loop over rounds. If visits go on to long work, it is one in a loop that does this work."""
        build = Build(self.span)
        if not visit.late:
            rounds = self.round(begin, end, visit.early, [tree.Break(self.span)])
            return tree.Loop(self.span, (), None, (), build.block(*rounds))
        over = Variable("over", BOOL, self.span, "local")
        leave: list[tree.Stmt] = [build.assign(over, build.number(BOOL, True)), tree.Break(self.span)]
        rounds = self.round(begin, end, visit.early, leave)
        inside = tree.Loop(self.span, (), None, (), build.block(*rounds))
        first: list[tree.Stmt] = [build.declare(over, build.number(BOOL, False)), inside]
        last = build.when(build.read(over), [tree.Break(self.span)])
        return tree.Loop(self.span, (), None, (), build.block(*first, last, *visit.late))

    def declared(self, variable: Variable) -> tree.Stmt:
        build, new = Build(self.span), self.new[variable]
        if variable is self.rounds.result:
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

    def round(self, begin: Statements, end: tree.Block, visit: Statements, leave: Statements) -> list[tree.Stmt]:
        build = Build(self.span)
        take = [*self.take(build, leave), *leaving(begin)]
        if not self.calls:
            return take
        again = self.again(build)
        finish = build.when(build.binary(build.read(self.call), "!=", build.number(INT, 0)), self.finish(end))
        none = build.when(build.negate(build.read(self.new[self.rounds.more])), [tree.Continue(self.span)])
        return [build.when(build.negate(again), [finish, *take, none]), *visit]

    def again(self, build: Build) -> tree.Expr:
        return copied(self.rounds.again(build), self.new)

    def take(self, build: Build, leave: Statements) -> Iterator[tree.Stmt]:
        add = next(builtin for builtin in BUILTINS["atomicAdd"] if builtin.result == UINT)
        place = tree.AddressOf(self.span, Pointer(UINT), build.place(self.kernel.next))
        yield build.declare(self.taken, build.call_builtin(add, place, build.number(UINT, 1)))
        over = build.binary(build.read(self.taken), ">=", build.read(self.kernel.count))
        yield build.when(over, leave)

    def visit(self) -> _Visit:
        """Return a round of the traversal; nothing if no thread comes to a call of it."""
        if not self.calls:
            return _Visit(())
        body = Build(self.span).block(*self.rounds.body)
        own = {variable: replace(variable) for variable in declared_variables(body)}
        body = copied(body, {**own, **self.new, **self.params})
        return _divided(cast("tree.Block", _substituted(body, self.values)).statements, self.kernel.long)

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
        if rest and not _surely_calls(statements[at], self.name):
            build = Build(self.span)
            yield build.when(build.negate(build.read(self.new[self.rounds.more])), rest)

    def start(self, call: tree.Call) -> Iterator[tree.Stmt]:
        build = Build(call.span)
        args = list(zip(self.rounds.function.params, call.args, strict=False))
        for param, value in (*args, *self.rounds.begin.items()):
            if param in self.params:
                yield build.assign(self.params[param], copied(value))
        yield build.assign(self.call, build.number(INT, self.calls.index(call) + 1))
        yield build.assign(self.new[self.rounds.more], build.number(BOOL, True))

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


# ------------------------------------------------------------------------------------------- long work in visits


@dataclass(frozen=True)
class _Visit:
    """A round of a traversal: `early`, which a `break` ends if there is more to do, and then `late`.

    `kept`: variables that both need.
    """

    early: tuple[tree.Stmt, ...]
    late: tuple[tree.Stmt, ...] = ()
    kept: tuple[Variable, ...] = ()


def _divided(statements: Statements, long: frozenset[str]) -> _Visit:
    """Put the long work that ends a round, such as the loop over the points of a leaf, behind the rest."""
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
            if ends and any(_is_long(below) or _calls(below, long) for top in work for below in walk(top)):
                leave = Build(node.span).when(cond, [tree.Break(node.span)])
                needed = {variable for top in work for variable in named_variables(top)}
                needed |= {variable for top in before for variable in addressed_variables(top)}
                kept = tuple(top.variable for top in before if isinstance(top, tree.Declare) and top.variable in needed)
                early = (new for top in before for new in _with_kept(top, set(kept)))
                return _Visit((*early, leave, *other.statements, *rest), tuple(work), kept)
    return _Visit(tuple(statements))


def _is_long(node: tree.Node) -> bool:
    """Whether a node is a loop whose rounds cannot be counted: lanes wait there for the one with most of them."""
    return isinstance(node, tree.Loop) and constant_rounds(node) is None


def _calls(node: tree.Node, functions: frozenset[str]) -> bool:
    return isinstance(node, tree.Call) and node.function in functions


def _surely_calls(node: tree.Node, name: str) -> bool:
    """Whether every thread that comes to a statement makes a call of `name` in it, or returns."""
    match node:
        case tree.Evaluate(expr=tree.Call(function=called)):
            return called == name
        case tree.Return():
            return True
        case tree.Block(statements=statements):
            return any(_surely_calls(below, name) for below in statements)
        case tree.If(then=then, other=other):
            return _surely_calls(then, name) and _surely_calls(other, name)
    return False


def _with_kept(node: tree.Stmt, kept: set[Variable]) -> list[tree.Stmt]:
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
    return replace(block, statements=tuple(new for node in block.statements for new in _with_kept(node, kept)))


def _copy(build: Build, to: Variable, value: Variable, array: Array) -> tree.Stmt:
    """Copy an array, element by element."""
    if isinstance(array.element, Array):
        raise RefusedError(
            build.span, f"'{to.name}', an array of arrays, has a value and is needed after the traversal"
        )
    i = Variable("i", INT, build.span, "local")
    place, from_ = (build.element(build.place(v), array.element, build.read(i)) for v in (to, value))
    return build.count(i, array.count, [build.assign(place, tree.Load(build.span, array.element, from_))])
