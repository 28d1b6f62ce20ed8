"""Tree-to-tree: grid-stride loops that the threads of a block run round by round, together.

    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
        sum += x[i];

Were one gang to run all its rounds before the next gang begins, it would touch one cache line here and the next one far
away: no prefetch, and the other gangs find the lines gone. In one round the gangs of a block read one run of memory.
Threads of a block have no order but at barriers, so the rounds may come first:

    int first = blockIdx.x * blockDim.x, bound = n, step = blockDim.x * gridDim.x;
    if (the block has several gangs, and first, bound and step are so small that nothing wraps)
        for (; first < bound; first += step)               // `swept`: all gangs run a round before the next (fission)
            if (threadIdx.x < bound - first) {
                int i = first + threadIdx.x;
                __prefetch(&x[i + PREFETCH_ROUNDS * step]);
                sum += x[i];
            }
    else ...                                               // the loop as it was

Each thread does the same as before, whatever the values are; only the speed depends on start, bound and step being the
same in the whole block, which `fission` finds out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from ..analysis import liveness
from ..analysis.storage import root
from ..costs import MAX_PREFETCHES, MIN_SWEEPING_THREADS, PREFETCH_ROUNDS
from ..lang.builtins import Builtin
from ..lang.ctype import BOOL, UINT, ULONG, VOID, Array, CType, Pointer, Scalar
from ..source import Span
from ..tree import nodes as tree
from ..tree.calls import synchronising_functions
from ..tree.effects import is_barrier, may_wait, repeats
from ..tree.nodes import Loop, Module, Variable
from ..tree.rewrite import copied, read
from ..tree.walk import children, walk
from .loop_locals import definition

MAX_NODES = 600  # of a loop, which is copied
PREFETCH = Builtin("__prefetch", "prefetch", (Pointer(VOID),), VOID, pure=False)  # the first lane's address, a wish
MAX_KEPT_BYTES = 32  # per thread, of values of its own that it takes from round to round


def sweep_loops(module: Module) -> Module:
    """Return a module that means the same, in which the grid-stride loops of kernels are swept."""
    functions = dict(module.functions)
    synchronising = synchronising_functions(module)
    for kernel in module.kernels:
        if any(isinstance(node, Loop) for node in walk(kernel.body)):
            functions[kernel.name] = _Kernel(kernel, synchronising).run()
    return replace(module, functions=functions)


@dataclass(frozen=True)
class _Stride:
    """A grid-stride loop: `for (counter = start; counter < bound; counter += step) body`."""

    counter: Variable
    start: tree.Expr  # of the thread with threadIdx.x 0
    bound: tree.Expr
    inclusive: bool  # `<=`
    step: tree.Expr
    body: tuple[tree.Stmt, ...]
    streams: tuple[tree.Index, ...]  # what every round reads or writes, one run of memory each
    narrow: tuple[tree.Expr, ...]  # parts of `start` that are converted to a wider type with threadIdx.x added


@dataclass
class _Kernel:
    function: tree.Function
    synchronising: frozenset[str]
    nodes: list[tree.Node] = field(init=False)
    fixed: dict[Variable, tree.Expr | None] = field(init=False)  # never change; None: a parameter
    varying: frozenset[Variable] = field(init=False)  # may differ between the threads of a block
    pinned: frozenset[Variable | None] = field(init=False)  # their address is taken
    live: dict[tree.Stmt, liveness.Live] = field(init=False)  # behind each loop

    def __post_init__(self) -> None:
        self.nodes = list(walk(self.function.body))
        taken = (root(node.place) for node in self.nodes if isinstance(node, tree.AddressOf | tree.Decay))
        self.pinned = frozenset(taken)
        changed = self.pinned | {variable for variable, _ in _changes(self.nodes)}
        self.fixed = dict.fromkeys(param for param in self.function.params if param not in changed)
        for node in self.nodes:
            if isinstance(node, tree.Declare) and node.variable not in changed and isinstance(node.initial, tree.Expr):
                self.fixed[node.variable] = node.initial
        self.varying = self.find_varying()
        self.live = liveness.analyse(self.function).after

    def run(self) -> tree.Function:
        return replace(self.function, body=self.block(self.function.body))

    # ---------------------------------------------------------------------------------- what is uniform

    def find_varying(self) -> frozenset[Variable]:
        """The variables that take values which may differ, or take them where some threads may be missing."""
        varying = {variable for variable in self.pinned if variable is not None}
        writes = [(variable, value) for node in self.nodes for variable, value in _written(node)]
        choices = [(cond, list(_written_below(node))) for node in self.nodes for cond in _decides(node)]
        while True:
            self.varying = frozenset(varying)
            varying |= {variable for variable, value in writes if value is not None and not self.is_uniform(value)}
            varying |= {variable for cond, below in choices if not self.is_uniform(cond) for variable in below}
            if varying == self.varying:
                return self.varying

    def is_uniform(self, node: tree.Expr) -> bool:
        """Whether a value has no effects, reads no memory, and looks the same in the whole block."""
        for below in walk(node):
            match below:
                case tree.VarRef(variable=variable):
                    if variable in self.varying or variable.storage not in ("local", "param"):
                        return False
                case tree.ThreadIndex(name="threadIdx"):
                    return False
                case tree.BuiltinCall():
                    if not below.builtin.pure or any(isinstance(arg.type, Pointer) for arg in below.args):
                        return False
                case tree.Load() | tree.Member() | tree.Constant() | tree.ThreadIndex() | tree.Convert():
                    pass
                case tree.Unary() | tree.Binary() | tree.Logical() | tree.Conditional():
                    pass
                case _:
                    return False
        return True

    def is_fixed(self, node: tree.Expr) -> bool:
        """Whether the value is the same wherever it is computed."""
        return all(below.variable in self.fixed for below in walk(node) if isinstance(below, tree.VarRef))

    # ---------------------------------------------------------------------------------- statements

    def block(self, block: tree.Block) -> tree.Block:
        done: list[tree.Stmt] = []
        for node in block.statements:
            match node:
                case tree.Block():
                    done.append(self.block(node))
                case tree.If() if self.is_uniform(node.cond):
                    done.append(replace(node, then=self.block(node.then), other=self.block(node.other)))
                case Loop():
                    found = self.grid_stride(done, node)
                    if found is not None:
                        done.append(_swept(node, found))
                    elif node.cond is None or self.is_uniform(node.cond):
                        body = self.block(node.body)
                        done.append(replace(node, body=body) if body.statements != node.body.statements else node)
                    else:
                        done.append(node)
                case _:
                    done.append(node)
        return replace(block, statements=tuple(done))

    def grid_stride(self, before: list[tree.Stmt], loop: Loop) -> _Stride | None:
        """Recognise a loop, with the statements before it in its block, if it is worth being swept."""
        *body, last = loop.body.statements or (None,)
        if len(loop.step) == 1:
            advance, body = loop.step[0], list(loop.body.statements)
        elif not loop.step and isinstance(last, tree.Evaluate):
            advance = last.expr
        else:
            return None
        counter, step = _advance(advance)
        if counter is None or step is None or not loop.test_first or counter in self.pinned | self.live[loop]:
            return None
        test = _bounded(loop.cond, counter)
        start = self.start(before, loop, counter)
        if test is None or start is None:
            return None
        bound, inclusive = test
        changed = {variable for part in (*loop.step, loop.body) for variable, _ in _changes(walk(part))}
        limits = (bound, step)
        if not all(map(self.is_uniform, limits)) or _mentioned(limits) & changed or _may_trap(step):
            return None
        if any(variable is counter for statement in body for variable, _ in _changes(walk(statement))):
            return None
        if not self.may_sweep(loop, body, counter) or not _has_access(body, counter):
            return None
        streams = tuple(self.streams(body, counter, changed))
        return _Stride(counter, start[0], bound, inclusive, step, tuple(body), streams, start[1])

    def streams(self, body: list[tree.Stmt], counter: Variable, changed: set[Variable]) -> Iterator[tree.Index]:
        """The elements, one of each array, that every thread accesses in its round at an affine place."""
        seen: set[Variable] = set()
        inside = [below for statement in body for below in walk(statement)]
        unknown = changed | self.varying | {node.variable for node in inside if isinstance(node, tree.Declare)}
        for node in (below for statement in body for below in _certain(statement)):
            if not isinstance(node, tree.Index) or not _is_affine(node.index, counter) or len(seen) == MAX_PREFETCHES:
                continue
            if not repeats(node.index):
                continue
            match node.pointer:
                case tree.Load(place=tree.VarRef(variable=array)) if array.storage == "param" and array in self.fixed:
                    others = _mentioned([node.index]) - {counter}
                    if array not in seen and not others & unknown:
                        seen.add(array)
                        yield node

    def may_sweep(self, loop: Loop, body: list[tree.Stmt], counter: Variable) -> bool:
        """Whether rounds may be parted, and what threads take from one to the next is little."""
        inside = [node for statement in body for node in walk(statement)]
        if len(inside) > MAX_NODES or any(map(_jumps, body)):
            return False
        own = {node.variable for node in inside if isinstance(node, tree.Declare)}
        if any(variable.storage != "local" for variable in own):
            return False
        if any(isinstance(node, tree.Call) and node.function in self.synchronising for node in inside):
            return False
        if any(map(is_barrier, inside)):
            return False
        if any(map(may_wait, inside)):
            return False
        mentioned = _mentioned(inside)
        taken = {v for v in mentioned - own - {counter} if v.storage in ("local", "param") and v in self.varying}
        if any(isinstance(variable.type, Array) or variable in self.pinned for variable in taken):
            return False
        return sum(variable.type.size for variable in taken) <= MAX_KEPT_BYTES

    # ---------------------------------------------------------------------------------- the start

    def start(
        self, before: list[tree.Stmt], loop: Loop, counter: Variable
    ) -> tuple[tree.Expr, tuple[tree.Expr, ...]] | None:
        """The counter's first value for threadIdx.x 0, if that of others is larger by their index; and `narrow`."""
        place = list(loop.init) or before
        at = definition(place, counter)
        if at is None or (loop.init and len(loop.init) > 1):
            return None
        match place[at]:
            case tree.Declare(initial=initial) if initial is not None and not isinstance(initial, tree.Braces):
                value = initial
            case tree.Evaluate(expr=tree.Assign() as assign):
                value = assign.value
            case _:
                return None
        if place is before and not self.is_fixed(value):
            return None
        narrow: list[tree.Expr] = []
        found = self.without_thread(value, narrow)
        return None if found is None or not found[1] else (found[0], tuple(narrow))

    def without_thread(self, node: tree.Expr, narrow: list[tree.Expr]) -> tuple[tree.Expr, bool] | None:
        """Return `node` with 0 for threadIdx.x, and whether that is in it: added, once. None: it is not that simple."""
        if self.is_uniform(node):
            return node, False
        match node:
            case tree.ThreadIndex(name="threadIdx", axis=0):
                return tree.Constant(node.span, node.type, 0), True
            case tree.Convert() if _is_wide(node.type) and _is_wide(node.operand.type):
                found = self.without_thread(node.operand, narrow)
                if found is None:
                    return None
                if found[1] and node.type.size > node.operand.type.size:
                    narrow.append(found[0])
                return replace(node, operand=found[0]), found[1]
            case tree.Binary(op="+" | "-") if _is_wide(node.type):
                left, right = self.without_thread(node.left, narrow), self.without_thread(node.right, narrow)
                if left is None or right is None or (left[1] and right[1]) or (node.op == "-" and right[1]):
                    return None
                return replace(node, left=left[0], right=right[0]), True
            case tree.Load(place=tree.VarRef(variable=variable)) if _is_wide(node.type):
                value = self.fixed.get(variable)
                return self.without_thread(value, narrow) if value is not None and self.is_fixed(value) else None
        return None


# ------------------------------------------------------------------------------------------- recognition


def _is_wide(ctype: CType) -> bool:
    return isinstance(ctype, Scalar) and ctype.kind == "int" and ctype.size >= 4


def _changes(nodes: Iterable[tree.Node]) -> Iterator[tuple[Variable, tree.Expr | None]]:
    """Each variable that is changed after its declaration, and the value that it takes."""
    for node in nodes:
        if isinstance(node, tree.Assign | tree.CompoundAssign | tree.Increment):
            variable = root(node.place)
            if variable is not None:
                yield variable, None if isinstance(node, tree.Increment) else node.value


def _written(node: tree.Node) -> Iterator[tuple[Variable, tree.Expr | None]]:
    if isinstance(node, tree.Declare):
        values = [v for _, _, v in node.initial.items] if isinstance(node.initial, tree.Braces) else [node.initial]
        for value in values:
            yield node.variable, value
    else:
        yield from _changes([node])


def _written_below(node: tree.Node) -> Iterator[Variable]:
    for below in walk(node):
        for variable, _ in _written(below):
            yield variable


def _decides(node: tree.Node) -> Iterator[tree.Expr]:
    """The value on which it depends what threads do in a statement or expression."""
    match node:
        case tree.If() | tree.Conditional():
            yield node.cond
        case tree.Loop(cond=cond) if cond is not None:
            yield cond
        case tree.Switch():
            yield node.value
        case tree.Logical():
            yield node.left


def _mentioned(nodes: Iterable[tree.Node]) -> set[Variable]:
    return {below.variable for node in nodes for below in walk(node) if isinstance(below, tree.VarRef)}


def _advance(node: tree.Expr) -> tuple[Variable | None, tree.Expr | None]:
    """The counter and the step of `i += step` and `i = i + step`."""
    match node:
        case tree.CompoundAssign(op="+", place=tree.VarRef(variable=variable)):
            if _is_wide(node.type) and _is_wide(node.compute) and _is_wide(node.value.type):
                return variable, node.value
        case tree.Assign(place=tree.VarRef(variable=variable)) if _is_wide(node.type):
            total = node.value
            while isinstance(total, tree.Convert) and total.operand.type.size >= node.type.size:
                total = total.operand
            if isinstance(total, tree.Binary) and total.op == "+" and _is_wide(total.type):
                for old, step in ((total.left, total.right), (total.right, total.left)):
                    if _reads(old, variable):
                        return variable, step
    return None, None


def _reads(node: tree.Expr, variable: Variable) -> bool:
    """Whether a value is that of a variable, perhaps in a type that is no narrower."""
    while isinstance(node, tree.Convert) and _is_wide(node.type) and _is_wide(node.operand.type):
        if node.type.size < node.operand.type.size:
            return False
        node = node.operand
    match node:
        case tree.Load(place=tree.VarRef(variable=read)):
            return read is variable
    return False


def _bounded(cond: tree.Expr | None, counter: Variable) -> tuple[tree.Expr, bool] | None:
    """The bound of `counter < bound`, and whether it is `<=`."""
    match cond:
        case tree.Binary(op="<" | "<=") if _is_wide(cond.left.type) and _reads(cond.left, counter):
            return cond.right, cond.op == "<="
        case tree.Binary(op=">" | ">=") if _is_wide(cond.right.type) and _reads(cond.right, counter):
            return cond.left, cond.op == ">="
    return None


def _may_trap(node: tree.Expr) -> bool:
    """Whether it may fail to compute a value: the step is computed even if no round needs it."""
    return any(isinstance(below, tree.Binary) and below.op in "/%" for below in walk(node))


def _jumps(node: tree.Node) -> bool:
    """Whether there is a `return`, or a `break` or `continue` of the loop whose body `node` is in."""
    if isinstance(node, Loop):
        return any(isinstance(below, tree.Return) for below in walk(node))
    return isinstance(node, tree.Return | tree.Break | tree.Continue) or any(map(_jumps, children(node)))


def _has_access(body: list[tree.Stmt], counter: Variable) -> bool:
    """Whether neighbouring threads access neighbouring memory in a round."""
    nodes = [node for statement in body for node in walk(statement)]
    indices = (node.index for node in nodes if isinstance(node, tree.Index | tree.PointerAdd))
    return any(_is_affine(index, counter) for index in indices)


def _certain(node: tree.Node) -> Iterator[tree.Node]:
    """What runs whenever a statement does."""
    if isinstance(node, tree.If | Loop | tree.Switch | tree.Logical | tree.Conditional):
        return
    yield node
    for child in children(node):
        yield from _certain(child)


def _is_affine(node: tree.Expr, counter: Variable) -> bool:
    """Whether a value grows with the counter, step by step."""
    match node:
        case tree.Convert() if _is_wide(node.type) and _is_wide(node.operand.type):
            return _is_affine(node.operand, counter)
        case tree.Binary(op="+" | "-" | "*"):
            sides = [side for side in (node.left, node.right) if counter in _mentioned([side])]
            return len(sides) == 1 and _is_affine(sides[0], counter)
        case tree.Binary(op="<<"):
            return _is_affine(node.left, counter) and counter not in _mentioned([node.right])
    return _reads(node, counter)


# --------------------------------------------------------------------------------------------- the new loop


def _swept(loop: Loop, stride: _Stride) -> tree.Stmt:
    """Both loops. No node stands in the tree twice: what is known of one may depend on its place."""
    span, counter = loop.span, stride.counter
    ctype, compared = counter.type, stride.bound.type
    assert isinstance(ctype, Scalar) and isinstance(compared, Scalar) and loop.cond is not None
    build = _Builder(span)
    first = Variable(f"{counter.name}_first", ctype, counter.span, "local")
    bound = Variable(f"{counter.name}_bound", compared, counter.span, "local", const=True)
    step = Variable(f"{counter.name}_step", ctype, counter.span, "local", const=True)
    new = {counter: replace(counter, name=counter.name, storage="local")}
    for node in (below for statement in stride.body for below in walk(statement)):
        if isinstance(node, tree.Declare):
            new[node.variable] = replace(node.variable)

    thread = tree.ThreadIndex(loop.cond.span, UINT, "threadIdx", 0)
    mine = tree.Declare(span, new[counter], build.binary("+", build.load(first), build.convert(ctype, thread)))
    left = build.binary("-", build.load(bound), build.convert(compared, build.load(first)))
    less: tree.Comparison = "<=" if stride.inclusive else "<"
    guard = build.compare(less, build.convert(compared, thread), left)
    ahead = Variable(f"{counter.name}_ahead", ctype, counter.span, "local", const=True)
    rounds_ahead = build.binary("*", build.load(step), tree.Constant(span, ctype, PREFETCH_ROUNDS))
    later = build.binary("+", build.load(new[counter]), build.load(ahead))
    early = [build.prefetch(place, counter, later) for place in stride.streams]
    body = tree.If(
        loop.cond.span, guard, tree.Block(span, (mine, *early, *copied(stride.body, new))), tree.Block(span, ())
    )
    place = tree.VarRef(span, ctype, first)
    onward = tree.CompoundAssign(span, ctype, place, "+", build.load(step), ctype)
    cond = build.compare(less, build.convert(compared, build.load(first)), build.load(bound))
    rounds = Loop(span, (), cond, (onward,), tree.Block(span, (body,)), swept=True)

    most = min(_largest_start(ctype), _largest_start(compared))
    swept = build.both(build.many_threads(), build.small(build.load(first), most))
    swept = build.both(swept, build.small(build.load(bound), most))
    swept = build.both(swept, build.small(build.load(step), 1 << ctype.bits - 5))
    for part in stride.narrow:
        assert isinstance(part.type, Scalar)
        swept = build.both(swept, build.small(copied(part, {}), _largest_start(part.type)))
    return tree.Block(
        span,
        (
            tree.Declare(span, first, build.convert(ctype, copied(stride.start, {}))),
            tree.Declare(span, bound, copied(stride.bound, {})),
            tree.Declare(span, step, build.convert(ctype, copied(stride.step, {}))),
            tree.Declare(span, ahead, rounds_ahead),
            tree.If(span, swept, tree.Block(span, (rounds,)), tree.Block(span, (loop,))),
        ),
    )


def _largest_start(ctype: Scalar) -> int:
    """A number that may grow by any small step and any threadIdx.x in this type."""
    return (1 << ctype.bits - ctype.signed) - 1 - (1 << ctype.bits - 4)


@dataclass(frozen=True)
class _Builder:
    """Makes expressions, all at one place of the text."""

    span: Span

    def load(self, variable: Variable) -> tree.Expr:
        return read(variable, self.span)

    def convert(self, ctype: CType, node: tree.Expr) -> tree.Expr:
        return node if node.type == ctype else tree.Convert(self.span, ctype, node)

    def binary(self, op: tree.Arithmetic, left: tree.Expr, right: tree.Expr) -> tree.Expr:
        return tree.Binary(self.span, left.type, op, left, right)

    def compare(self, op: tree.Comparison, left: tree.Expr, right: tree.Expr) -> tree.Expr:
        return tree.Binary(self.span, BOOL, op, left, right)

    def both(self, left: tree.Expr, right: tree.Expr) -> tree.Expr:
        return tree.Logical(self.span, BOOL, "&&", left, right)

    def prefetch(self, place: tree.Index, counter: Variable, later: tree.Expr) -> tree.Stmt:
        """Ask for `place` as it will be when the counter has the value `later`."""
        index = _with(place.index, counter, later)
        address = tree.PointerAdd(self.span, place.pointer.type, place.pointer, index)
        return tree.Evaluate(self.span, tree.BuiltinCall(self.span, VOID, PREFETCH, (copied(address, {}),)))

    def many_threads(self) -> tree.Expr:
        """Whether a block has several gangs: a round of one or two is not worth the way round it."""
        width, height, depth = (tree.ThreadIndex(self.span, UINT, "blockDim", axis) for axis in range(3))
        threads = self.binary("*", self.binary("*", width, height), depth)
        return self.compare(">=", threads, tree.Constant(self.span, UINT, MIN_SWEEPING_THREADS))

    def small(self, node: tree.Expr, most: int) -> tree.Expr:
        """`0 <= node <= most`"""
        unsigned = UINT if node.type.size == 4 else ULONG
        return self.compare("<=", self.convert(unsigned, node), tree.Constant(self.span, unsigned, most))


def _with(node: tree.Expr, counter: Variable, value: tree.Expr) -> tree.Expr:
    """An index that is affine in the counter, with another value in place of the counter's."""
    match node:
        case tree.Convert():
            return replace(node, operand=_with(node.operand, counter, value))
        case tree.Binary():
            return replace(node, left=_with(node.left, counter, value), right=_with(node.right, counter, value))
        case tree.Load(place=tree.VarRef(variable=variable)) if variable is counter:
            return value
    return node
