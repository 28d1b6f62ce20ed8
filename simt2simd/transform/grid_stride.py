"""Tree-to-tree: grid-stride loops that the threads of a block run iteration by iteration, together.

**Known as:** loop interchange of the grid-stride loop and the loop over gangs.

    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
        sum += x[i];

Were one gang to run all its iterations before the next gang begins, it would touch one cache line here and the next one
far away: no prefetch, and the other gangs find the lines gone. In one iteration the gangs of a block read one run of
memory. Threads of a block have no order but at barriers, so the iterations may come first:

    int first = blockIdx.x * blockDim.x, bound = n, step = blockDim.x * gridDim.x;
    if (the block has several gangs, and first, bound and step are so small that nothing wraps)
        for (; first < bound; first += step)               // `swept`: all gangs run an iteration before the next
        (fission)
            if (threadIdx.x < bound - first) {
                int i = first + threadIdx.x;
                __prefetch(&x[i + PREFETCH_DISTANCE * step]);
                sum += x[i];
            }
    else ...                                               // the loop as it was

Each thread does the same as before, whatever the values are; only the speed depends on start, bound and step being the
same in the whole block, which `barrier-fission` finds out.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from ..analysis import liveness
from ..costs import MAX_PREFETCHES, MIN_SWEEPING_THREADS, PREFETCH_DISTANCE
from ..lang.ctype import UINT, ULONG, Array, CType, Scalar
from ..tree import nodes as tree
from ..tree.addresses import same_target
from ..tree.build import Build
from ..tree.calls import synchronising_functions
from ..tree.effects import (
    addressed_variables,
    declared_variables,
    is_barrier,
    is_local,
    jumps_out,
    may_wait,
    named_variables,
    repeats,
    write_of,
    written_variables,
)
from ..tree.nodes import Loop, Module, Variable
from ..tree.rewrite import copied
from ..tree.walk import children, walk
from .live_range_splitting import definition

MAX_NODES = 600  # of a loop, which is copied
MAX_KEPT_BYTES = 32  # per thread, of values of its own that it takes from iteration to iteration


def grid_stride(module: Module) -> Module:
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
    streams: tuple[tree.Index, ...]  # what every iteration reads or writes, one run of memory each
    narrow: tuple[tree.Expr, ...]  # parts of `start` that are converted to a wider type with threadIdx.x added


@dataclass
class _Kernel:
    function: tree.Function
    synchronising: frozenset[str]
    nodes: list[tree.Node] = field(init=False)
    fixed: dict[Variable, tree.Expr | None] = field(init=False)  # never change; None: a parameter
    varying: frozenset[Variable] = field(init=False)  # may differ between the threads of a block
    pinned: set[Variable] = field(init=False)  # their address is taken
    live: dict[tree.Stmt, liveness.Live] = field(init=False)  # after each loop

    def __post_init__(self) -> None:
        self.nodes = list(walk(self.function.body))
        self.pinned = addressed_variables(self.function.body)
        changed = self.pinned | written_variables(self.function.body)
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
        varying = set(self.pinned)
        given = list(_given(self.function.body))
        choices = [(cond, [v for v, _ in _given(node)]) for node in self.nodes for cond in _decides(node)]
        while True:
            self.varying = frozenset(varying)
            varying |= {variable for variable, value in given if value is not None and not self.is_uniform(value)}
            varying |= {variable for cond, below in choices if not self.is_uniform(cond) for variable in below}
            if varying == self.varying:
                return self.varying

    def is_uniform(self, node: tree.Expr) -> bool:
        """Whether a value has no effects, reads no memory, and looks the same in the whole block."""
        for below in walk(node):
            match below:
                case tree.VarRef(variable=variable) if variable in self.varying or not is_local(variable):
                    return False
                case tree.ThreadIndex(name="threadIdx"):
                    return False
        return repeats(node)

    def is_fixed(self, node: tree.Expr) -> bool:
        """Whether the value is the same wherever it is computed."""
        return all(variable in self.fixed for variable in named_variables(node))

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
        if counter is None or step is None or not loop.test_first:
            return None
        if counter in self.pinned or counter in self.live[loop]:
            return None
        test = _bounded(loop.cond, counter)
        start = self.start(before, loop, counter)
        if test is None or start is None:
            return None
        bound, inclusive = test
        changed = set[Variable]().union(*map(written_variables, (*loop.step, loop.body)))
        limits = (bound, step)
        if not all(map(self.is_uniform, limits)) or _named(limits) & changed or _may_trap(step):
            return None
        if any(counter in written_variables(statement) for statement in body):
            return None
        if not self.may_sweep(loop, body, counter) or not _has_access(body, counter):
            return None
        streams = tuple(self.streams(body, counter, changed))
        return _Stride(counter, start[0], bound, inclusive, step, tuple(body), streams, start[1])

    def streams(self, body: list[tree.Stmt], counter: Variable, changed: set[Variable]) -> Iterator[tree.Index]:
        """The elements, one of each array, that every thread accesses in its iteration at an affine place."""
        seen: set[Variable] = set()
        unknown = changed | self.varying | _declared(body)
        for node in (below for statement in body for below in _certain(statement)):
            if not isinstance(node, tree.Index) or not _is_affine(node.index, counter) or len(seen) == MAX_PREFETCHES:
                continue
            if not repeats(node.index):
                continue
            match node.pointer:
                case tree.Load(place=tree.VarRef(variable=array)) if self.is_parameter(array):
                    others = named_variables(node.index) - {counter}
                    if array not in seen and not others & unknown:
                        seen.add(array)
                        yield node

    def is_parameter(self, array: Variable) -> bool:
        """Whether a variable is a parameter, or its copy, and never changes."""
        if array not in self.fixed or array in self.varying:
            return False
        match self.fixed[array]:
            case tree.Load(place=tree.VarRef(variable=source)):
                return self.is_parameter(source)
            case tree.Convert(operand=tree.Load(place=tree.VarRef(variable=source))) as convert:
                return same_target(convert.operand, convert) and self.is_parameter(source)
        return array.storage == "param"

    def may_sweep(self, loop: Loop, body: list[tree.Stmt], counter: Variable) -> bool:
        """Whether iterations may be separated, and threads carry little from one to the next."""
        inside = [node for statement in body for node in walk(statement)]
        if len(inside) > MAX_NODES or any(map(jumps_out, body)):
            return False
        own = _declared(body)
        if any(variable.storage != "local" for variable in own):
            return False
        if any(isinstance(node, tree.Call) and node.function in self.synchronising for node in inside):
            return False
        if any(map(is_barrier, inside)):
            return False
        if any(map(may_wait, inside)):
            return False
        taken = {v for v in _named(body) - own - {counter} if is_local(v) and v in self.varying}
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


def _given(node: tree.Node) -> Iterator[tuple[Variable, tree.Expr | None]]:
    """Each variable that gets a value in `node`, and the value; None for an increment."""
    for below in walk(node):
        if isinstance(below, tree.Declare):
            initial = below.initial
            values = [value for _, _, value in initial.items] if isinstance(initial, tree.Braces) else [initial]
            yield from ((below.variable, value) for value in values)
        elif (write := write_of(below)) is not None and (variable := write.variable) is not None:
            yield variable, write.value


def _decides(node: tree.Node) -> Iterator[tree.Expr]:
    """Return the value that decides what threads do in a statement or expression."""
    match node:
        case tree.If() | tree.Conditional():
            yield node.cond
        case tree.Loop(cond=cond) if cond is not None:
            yield cond
        case tree.Switch():
            yield node.value
        case tree.Logical():
            yield node.left


def _declared(nodes: Iterable[tree.Node]) -> set[Variable]:
    return set[Variable]().union(*map(declared_variables, nodes))


def _named(nodes: Iterable[tree.Node]) -> set[Variable]:
    return set[Variable]().union(*map(named_variables, nodes))


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
    """Whether it may fail to compute a value: the step is computed even if no iteration needs it."""
    return any(isinstance(below, tree.Binary) and below.op in "/%" for below in walk(node))


def _has_access(body: list[tree.Stmt], counter: Variable) -> bool:
    """Whether neighbouring threads access neighbouring memory in an iteration."""
    nodes = [node for statement in body for node in walk(statement)]
    indices = (node.index for node in nodes if isinstance(node, tree.Index | tree.PointerAdd))
    return any(_is_affine(index, counter) for index in indices)


def _certain(node: tree.Node) -> Iterator[tree.Node]:
    """Yield what always runs when a statement runs."""
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
            sides = [side for side in (node.left, node.right) if counter in named_variables(side)]
            return len(sides) == 1 and _is_affine(sides[0], counter)
        case tree.Binary(op="<<"):
            return _is_affine(node.left, counter) and counter not in named_variables(node.right)
    return _reads(node, counter)


# --------------------------------------------------------------------------------------------- the new loop


@dataclass(frozen=True)
class _Variables:
    """What the new loop counts with. `mine` is a thread's own counter, in place of the old one."""

    first: Variable
    bound: Variable
    step: Variable
    ahead: Variable
    mine: Variable


def _variables(stride: _Stride) -> _Variables:
    counter = stride.counter

    def fixed(name: str, ctype: CType) -> Variable:
        return Variable(f"{counter.name}_{name}", ctype, counter.span, "local", const=True)

    return _Variables(
        first=Variable(f"{counter.name}_first", counter.type, counter.span, "local"),
        bound=fixed("bound", stride.bound.type),
        step=fixed("step", counter.type),
        ahead=fixed("ahead", counter.type),
        mine=replace(counter, storage="local"),
    )


def _swept(loop: Loop, stride: _Stride) -> tree.Stmt:
    """Return both loops: the new one runs if all its numbers are so small that none can wrap."""
    build, v, ctype = Build(loop.span), _variables(stride), stride.counter.type
    return build.block(
        build.declare(v.first, build.convert(ctype, copied(stride.start))),
        build.declare(v.bound, copied(stride.bound)),
        build.declare(v.step, build.convert(ctype, copied(stride.step))),
        build.declare(v.ahead, build.binary(build.read(v.step), "*", build.number(ctype, PREFETCH_DISTANCE))),
        build.when(_pays_and_never_wraps(build, stride, v), [_block_stride_loop(build, loop, stride, v)], [loop]),
    )


def _block_stride_loop(build: Build, loop: Loop, stride: _Stride, v: _Variables) -> Loop:
    """`for (; first < bound; first += step) if (threadIdx.x < bound - first) { i = first + threadIdx.x; ... }`"""
    assert loop.cond is not None
    here = Build(loop.cond.span)
    less: tree.Comparison = "<=" if stride.inclusive else "<"
    compared = stride.bound.type
    start = build.binary(build.read(v.first), "+", build.convert(v.first.type, here.thread_index()))
    left = build.binary(build.read(v.bound), "-", build.convert(compared, build.read(v.first)))
    guard = build.binary(build.convert(compared, here.thread_index()), less, left)
    early = [_prefetch(build, place, stride.counter, v) for place in stride.streams]
    new = {variable: replace(variable) for variable in _declared(stride.body)} | {stride.counter: v.mine}
    body = here.when(guard, [build.declare(v.mine, start), *early, *(copied(node, new) for node in stride.body)])
    cond = build.binary(build.convert(compared, build.read(v.first)), less, build.read(v.bound))
    onward = build.plus(v.first, build.read(v.step))
    return Loop(build.span, (), cond, (onward,), build.block(body), swept=True)


def _pays_and_never_wraps(build: Build, stride: _Stride, v: _Variables) -> tree.Expr:
    """Whether a block has several gangs, and all numbers are small: one gang is not worth the way around it."""
    width, height, depth = (build.thread_index(axis, "blockDim") for axis in range(3))
    threads = build.binary(build.binary(width, "*", height), "*", depth)
    most = min(_largest_start(v.first.type), _largest_start(v.bound.type))
    return build.both(
        build.binary(threads, ">=", build.number(UINT, MIN_SWEEPING_THREADS)),
        _is_small(build, build.read(v.first), most),
        _is_small(build, build.read(v.bound), most),
        _is_small(build, build.read(v.step), 1 << 8 * v.step.type.size - 5),
        *(_is_small(build, copied(part), _largest_start(part.type)) for part in stride.narrow),
    )


def _is_small(build: Build, value: tree.Expr, most: int) -> tree.Expr:
    """`0 <= value <= most`"""
    unsigned = UINT if value.type.size == 4 else ULONG
    return build.binary(build.convert(unsigned, value), "<=", build.number(unsigned, most))


def _largest_start(ctype: CType) -> int:
    """A number that may grow by any small step and any threadIdx.x in this type."""
    assert isinstance(ctype, Scalar)
    return (1 << ctype.bits - ctype.signed) - 1 - (1 << ctype.bits - 4)


def _prefetch(build: Build, place: tree.Index, counter: Variable, v: _Variables) -> tree.Stmt:
    """Ask for `place` as it will be some iterations later."""
    later = build.binary(build.read(v.mine), "+", build.read(v.ahead))
    index = _with(copied(place.index), counter, later)
    return build.prefetch(copied(place.pointer), index)


def _with(node: tree.Expr, counter: Variable, value: tree.Expr) -> tree.Expr:
    """Return an index that is affine in the counter, with another value in the counter's place."""
    match node:
        case tree.Convert():
            return replace(node, operand=_with(node.operand, counter, value))
        case tree.Binary():
            return replace(node, left=_with(node.left, counter, value), right=_with(node.right, counter, value))
        case tree.Load(place=tree.VarRef(variable=variable)) if variable is counter:
            return value
    return node
