"""Tree-to-tree: several rows of a block run in step, and share what they read.

**Known as:** thread coarsening, register tiling.

    for (int k = 0; k < n; k++)                 for (int k = 0; k < n; k++) {
        s += a[row * n + k] * b[k * n + col];       float shared = b[k * n + col];
                                                    s += a[row * n + k] * shared;
                                                    s_row1 += a[row_row1 * n + k] * shared;
                                                }

A thread of a matrix product reads as much as it computes. The threads below it in the block read the same column. The
kernel gets a companion, `KERNEL_rows8`, in which a thread does the work of eight threads with neighbouring
`threadIdx.y`: its own and those below it. Of the rows of a block that are left over, four may have another companion;
the others run as before. Where a thread has more live values, all companions are of fewer rows (`_counts`).

Where neighbours in memory are threads along y, as in `int row = blockIdx.x * blockDim.x + threadIdx.x`, gangs lie along
y (`mapping/versions`), and the columns of a block read the same: read x for y above, and columns for rows.

A kernel with barriers copies tiles to shared memory, as a rule, with a thread for each element, so the size of its
blocks shows: 32 x 32 if an array has so many elements, else 16 x 16. Its companion runs whole blocks of this size, and
does the work of as many rows as fit half of the registers.

What differs among the rows is there for each of them, what is common is there once (`analysis/row_values`). A statement
is done for all rows before the next one begins, so each thread does in its own order what it did before, with the same
roundings. Threads of a kernel that knows no barriers, no shared memory and no atomic functions may run in any order, in
step as well. What they read together is read where the first of them would read it. Barriers order what threads
write and others read; between two of them, threads may run in any order too. All rows reach a barrier together: one
in a statement that runs row by row leaves the kernel as it is.

Under a guard, such as `row < n`, they run in step if it holds for all rows, else one after the other.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar, cast

from ..analysis import row_values, warp_synchronous
from ..analysis.pointer_chasing import reads_memory
from ..analysis.row_values import Rows
from ..analysis.thread_independence import are_independent, meet_at_barriers
from ..costs import MAX_PREFETCHES
from ..lang.ctype import INT, UINT, Array, Pointer, Scalar, is_float
from ..tree import nodes as tree
from ..tree.build import Build
from ..tree.calls import reached_functions, recursive_functions
from ..tree.companions import IN_STEP, Companion, RowAxis, RunsInStep
from ..tree.effects import (
    Write,
    addressed_variables,
    declared_variables,
    is_barrier,
    is_barrier_alone,
    is_effect,
    is_local,
    named_variables,
    own_written,
    returns,
    root,
    write_of,
)
from ..tree.names import free_name
from ..tree.nodes import Function, Module, Variable
from ..tree.returns import falling_through
from ..tree.rewrite import copied
from ..tree.same import certain_operands
from ..tree.threads import Places, moved, thread_axes
from ..tree.walk import children, count_nodes, map_blocks, map_children, walk
from .software_prefetch import counter_of, prefetch, same_place, strides

N = TypeVar("N", bound=tree.Node)

ROWS = 4  # so that blocks of four rows have whole groups
MORE_ROWS = 8  # where 32 lanes of what each of them hands on still fit the registers
WIDEST = {"x": 32, "y": 16}  # lanes of gangs, by the axis along which they lie
MOST_CARRIED = 4  # scalars that each thread carries between iterations: those of 16 lanes and four rows are registers
MOST_NODES = 400  # of a kernel, which is there for each row
MOST_ROW_NODES = 2400  # in all rows: those of a product of 16 x 16 tiles in eight, with guards, and in 16 without


def thread_coarsening(module: Module, *, fuses: bool, scalars: int) -> Module:
    """Return a module in which each kernel that gains by it has companions that run rows or columns in step.

    `scalars`: how many of 32 bits fit half of the registers.
    `fuses`: products may be fused with sums. LLVM leaves one alone that several sums use, so a product that rows have
    in common might be rounded in their companion, and not where a row runs by itself: such a kernel gets none.
    """
    reached, recursive = reached_functions(module), recursive_functions(module)
    functions = dict(module.functions)
    companions: list[Companion[RunsInStep]] = []
    exchanging: Collection[str] | None = None
    for kernel in module.launched:
        names = reached[kernel.name]
        if names & recursive:
            continue
        body = _with_guards(replace(kernel.body, statements=tuple(falling_through(kernel.body.statements))))
        if not _may_run_in_step(kernel, body):
            continue
        if not are_independent(module, kernel, names):
            if not _meet_only_at_barriers(module, kernel, names):
                continue
            if exchanging is None:  # the search is of all kernels, so it is made once, and only where one needs it
                exchanging = warp_synchronous.find(module).keys()
            if kernel.name in exchanging:
                continue
        by_row, by_column = row_values.find(body, 1), row_values.find(body, 0)
        ways: dict[RowAxis, tuple[Rows, Rows]] = {"x": (by_row, by_column)}
        if _has_columns(by_column, body):
            ways["y"] = (by_column, by_row)
        for along, (rows, columns) in ways.items():
            if any(is_barrier(below) for node in rows.separate for below in walk(node)):
                continue
            carried, side = _carried(rows, columns, body), _side_of_blocks(kernel.body)
            counts = _counts(body, side, scalars // max(carried, 1), WIDEST[along])
            if not 0 < carried <= MOST_CARRIED or counts[0] <= 1:
                continue
            if fuses and _has_common_product(module, rows, body):
                continue
            made = {count: free_name(f"{kernel.name}_{IN_STEP[along]}{count}", functions) for count in counts}
            for count, name in made.items():
                functions[name] = _companion(kernel, body, rows, columns, name, count)
                companions.append(Companion(name, kernel.name, RunsInStep(along, count, carried, side)))
    return replace(module, functions=functions, companions=(*module.companions, *companions)) if companions else module


def _meet_only_at_barriers(module: Module, kernel: Function, reached: set[str]) -> bool:
    """Whether barriers, each a statement, order all data exchange between threads, but for what warps do."""
    alone = {below for node in walk(kernel.body) if is_barrier_alone(node) for below in walk(node)}
    return meet_at_barriers(module, kernel, reached) and all(
        node in alone for node in walk(kernel.body) if is_barrier(node)
    )


def _side_of_blocks(body: tree.Block) -> int | None:
    """Return how wide and high the blocks of a kernel with barriers are, as far as is known; None without these.

    Rows of less than 16 threads share their gangs with others already: 0.
    """
    if not any(map(is_barrier, walk(body))):
        return None
    shared = [variable for variable in named_variables(body) if variable.storage == "shared"]
    most = max((_elements(variable) for variable in shared), default=0)
    return next((side for side in (32, 16) if most >= side * side), 0)


def _elements(variable: Variable) -> int:
    """Return how many elements a tile has, of which an array may hold several.

    For dynamic memory that is unknown, and tiles of 16 x 16 are usual.
    """
    sides, ctype = [1, 1], variable.type
    while isinstance(ctype, Array):
        sides, ctype = [*sides, ctype.count], ctype.element
    return 16 * 16 if variable.dynamic else sides[-2] * sides[-1]


def _has_columns(rows: Rows, body: tree.Block) -> bool:
    """Whether columns read the same where threads along y are neighbours in memory, so that gangs may lie along y.

    A kernel with barriers has no such gangs.
    """
    own = {node.variable for node in walk(body) if isinstance(node, tree.Declare) and _moves_along_y(node.initial, ())}
    reads = (node.place for node in walk(body) if isinstance(node, tree.Load) and rows.is_common(node))
    neighbours = any(isinstance(place, tree.Index) and _moves_along_y(place.index, own) for place in reads)
    return neighbours and thread_axes(body) >= {0, 1} and not any(map(is_barrier, walk(body)))


def _moves_along_y(node: tree.Node | None, own: Collection[Variable]) -> bool:
    """Whether a sum has `threadIdx.y` in it, or a variable that is `own`, as it is."""
    match node:
        case tree.ThreadIndex(name="threadIdx", axis=1):
            return True
        case tree.Load(place=tree.VarRef(variable=variable)):
            return variable in own
        case tree.Convert(operand=operand):
            return _moves_along_y(operand, own)
        case tree.Binary(op="+", left=left, right=right):
            return _moves_along_y(left, own) or _moves_along_y(right, own)
    return False


def _counts(body: tree.Block, side: int | None, lanes: int, widest: int) -> list[int]:
    """Return how many rows run in step if so many lanes of them fit the registers: at first, and of what is left."""
    if side is not None:
        return [_fitting_rows(lanes // max(side, 1), side, body)]
    return [MORE_ROWS, ROWS] if _fitting_rows(lanes // widest, MORE_ROWS, body) == MORE_ROWS else [ROWS]


def _fitting_rows(most: int, side: int, body: tree.Block) -> int:
    """Return how many rows of a block of so many run in step: no more than `most`, and than the code allows."""
    nodes, count = count_nodes(body), side
    while count > most or count * nodes > MOST_ROW_NODES:
        count //= 2
    return count


def _with_guards(block: tree.Block) -> tree.Block:
    """Return a block with `if (!a) b;` in place of `if (a) ; else b;`, which is what an early return has become."""
    done: list[tree.Stmt] = []
    for node in block.statements:
        if isinstance(node, tree.If) and not node.then.statements and node.other.statements:
            build = Build(node.span)
            node = build.when(build.negate(node.cond), node.other.statements)
        done.append(map_blocks(node, _with_guards))
    return replace(block, statements=tuple(done))


def _may_run_in_step(kernel: Function, body: tree.Block) -> bool:
    """Whether a kernel is one of rows, of a kind that a companion can be made of."""
    nodes = list(walk(body))
    return (
        len(nodes) <= MOST_NODES
        and 1 in thread_axes(body)
        and any(isinstance(node, tree.Loop) for node in nodes)
        and not any(isinstance(node, tree.Loop) and node.swept for node in nodes)
        and not returns(body)
        and not any(map(is_local, addressed_variables(body)))
        and not any(param.storage == "launch" and param in declared_variables(body) for param in kernel.params)
    )


def _carried(rows: Rows, columns: Rows, body: tree.Block) -> int:
    """Return how many scalars a thread carries between iterations of the loops that share what they read; 0 if none.

    It may do so in memory; around a barrier it must. What all threads of the block read is shared by the lanes of a
    gang already.
    """
    carried: set[Variable | Write] = set()
    for loop in row_values.joint_loops(rows, body):
        nodes = list(row_values.joint_nodes(rows, loop.body))
        if any(map(is_barrier, nodes)):
            continue
        if any(reads_memory(n) and rows.is_common(n) and not columns.is_common(n) for n in nodes):
            inside = declared_variables(loop)
            written = {variable for node in nodes if (variable := own_written(node)) is not None}
            carried |= {v for v in (written - inside) & rows.differing if v in columns.differing}
            carried |= {write for node in nodes if (write := write_of(node)) and own_written(node) is None}
    return sum(max(1, (each.type if isinstance(each, Variable) else each.place.type).size // 4) for each in carried)


def _has_common_product(module: Module, rows: Rows, body: tree.Block) -> bool:
    """Whether rows have the product of two floating numbers in common that a sum may use by way of something else.

    The lowering itself fuses what is the operand of a sum.
    """
    summed = _operands_of_more_than_products(body)
    for node in walk(body):
        match node:
            case tree.Binary() | tree.CompoundAssign(op="+" | "-"):
                continue
            case tree.CompoundAssign(op="*") if is_float(node.type) and rows.is_common(node):
                return True
            case tree.Declare(variable=variable) if variable not in summed:
                continue
            case tree.Call() if _has_common_product_in(module, rows, node):
                return True
        if any(_is_product(below) and rows.is_common(below) for below in children(node)):
            return True
    return False


def _has_common_product_in(module: Module, rows: Rows, call: tree.Call) -> bool:
    callee = module.functions[call.function]
    differing = {param for param, arg in zip(callee.params, call.args, strict=True) if not rows.is_common(arg)}
    return _has_common_product(module, row_values.find(callee.body, rows.axis, differing), callee.body)


def _operands_of_more_than_products(body: tree.Block) -> set[Variable]:
    """Return the variables that are not only factors, or compared."""
    factors = {
        part
        for node in walk(body)
        if isinstance(node, tree.Binary) and node.op not in ("+", "-")
        for part in (node.left, node.right)
        if isinstance(part, tree.Load)
    }
    places = {part.place for part in factors}
    return {node.variable for node in walk(body) if isinstance(node, tree.VarRef) and node not in places}


def _is_product(node: tree.Node) -> bool:
    return isinstance(node, tree.Binary) and node.op == "*" and is_float(node.type)


# ------------------------------------------------------------------------------------------------ the companion


def _companion(kernel: Function, body: tree.Block, rows: Rows, columns: Rows, name: str, count: int) -> Function:
    build = Build(kernel.span)
    params = {param: replace(param) for param in kernel.params}
    first: list[tree.Stmt] = []
    places: list[Places] = [{}]
    for i in range(1, count):
        below = Variable(f"thread_{'xy'[rows.axis]}{i}", UINT, kernel.span, "local", const=True)
        first.append(build.declare(below, build.binary(build.thread_index(rows.axis), "+", build.number(UINT, i))))
        places.append({("threadIdx", rows.axis): below})
    own = [_own_params(params, rows, i) for i in range(count)]
    for copies in own:
        first += [build.declare(copy, build.read(params[param])) for param, copy in copies.items()]
    declared = {variable for variable in declared_variables(body) if is_local(variable)}
    common = {v: replace(v) for v in declared - rows.differing}
    locals_ = declared & rows.differing
    names = [params | own[i] | common | {v: _of_row(rows, v, i) for v in locals_} for i in range(count)]
    statements = _Companion(rows, columns, names, places).all(body.statements)
    return replace(
        kernel,
        name=name,
        params=tuple(params.values()),
        body=replace(body, statements=(*first, *statements)),
        helps=kernel.name,
    )


def _own_params(params: dict[Variable, Variable], rows: Rows, row: int) -> dict[Variable, Variable]:
    """Return the variables in which a row has the parameters that the kernel changes."""
    return {param: replace(_of_row(rows, param, row), storage="local") for param in params if param in rows.differing}


def _of_row(rows: Rows, variable: Variable, row: int) -> Variable:
    word = "row" if rows.axis == 1 else "column"
    return replace(
        variable, name=f"{variable.name}_{word}{row}" if row or variable.storage == "param" else variable.name
    )


@dataclass(frozen=True)
class _Companion:
    """Makes the statements of a companion. `names`, `places`: what each row has in place of variables and indices.

    `columns`: what threads have in common that differ along the other axis.
    """

    rows: Rows
    columns: Rows
    names: Sequence[dict[Variable, Variable]]
    places: Sequence[Places]

    @property
    def count(self) -> int:
        """How many rows run in step."""
        return len(self.names)

    def all(self, statements: Sequence[tree.Stmt]) -> list[tree.Stmt]:
        return [new for node in statements for new in self.statement(node)]

    def statement(self, node: tree.Stmt) -> Iterator[tree.Stmt]:
        match node:
            case tree.If() if node in self.rows.guards:
                holds = Build(node.span).both(*(self.of_row(node.cond, i) for i in range(self.count)))
                arrays = any(isinstance(variable.type, Array) for variable in self.differing_outside(node))
                others = self.each(node) if arrays else [self.one_by_one(node)]
                yield Build(node.span).when(holds, self.all(node.then.statements), others)
            case _ if node in self.rows.separate:
                yield from self.each(node)
            case tree.Block():
                yield self.block(node)
            case tree.Declare(variable=variable, initial=initial):
                if variable not in self.rows.differing:
                    yield self.of_row(node, 0)
                    return
                yield from self.each_row(node, initial)
            case tree.Evaluate(expr=expr):
                if self.rows.is_joint(expr) or is_barrier_alone(node):
                    yield self.of_row(node, 0)
                    return
                yield from self.each_row(node, expr)
            case tree.If():
                yield replace(
                    node, cond=self.of_row(node.cond, 0), then=self.block(node.then), other=self.block(node.other)
                )
            case tree.Loop():
                yield self.loop(node)
            case _:
                yield self.of_row(node, 0)

    def block(self, node: tree.Block) -> tree.Block:
        return replace(node, statements=tuple(self.all(node.statements)))

    def loop(self, node: tree.Loop) -> tree.Loop:
        each = range(self.count)
        step = [self.of_row(expr, i) for expr in node.step for i in (each[:1] if self.rows.is_joint(expr) else each)]
        return replace(
            node,
            init=tuple(self.all(node.init)),
            cond=None if node.cond is None else self.of_row(node.cond, 0),
            step=tuple(step),
            body=Build(node.span).block(*self.early(node), *self.all(node.body.statements)),
        )

    def early(self, node: tree.Loop) -> Iterator[tree.Stmt]:
        """Yield prefetches of the vectors that the rows read together some iterations later, each in its own place.

        CPUs prefetch runs of memory themselves, but not accesses at a distance of a matrix row.
        """
        counter = counter_of(node)
        if counter is None:
            return
        asked: list[tree.Index] = []
        for read in row_values.joint_nodes(self.rows, node.body):
            if not isinstance(read, tree.Load) or not reads_memory(read) or not isinstance(read.place, tree.Index):
                continue
            place = read.place
            if (variable := root(place)) is not None and variable.storage == "shared":
                continue
            alone = self.rows.is_common(place) and not self.columns.is_common(place)
            if alone and strides(place, counter, node) and not any(same_place(place, other) for other in asked):
                asked.append(place)
        for place in asked[:MAX_PREFETCHES]:
            yield self.of_row(prefetch(place, counter), 0)

    def each(self, node: tree.Stmt) -> Iterator[tree.Stmt]:
        """Yield a statement for one row after the other, each with variables of its own."""
        for i in range(self.count):
            own = {variable: replace(variable) for variable in declared_variables(node)}
            yield moved(copied(node, self.names[i] | own), self.places[i])

    def one_by_one(self, node: tree.If) -> tree.Stmt:
        """Return `for (int turn = 0; turn < count; turn += 1) node`, with what the row has whose turn it is."""
        build = Build(node.span)
        turn = Variable("turn", INT, node.span, "local")
        axis = self.rows.axis
        place = Variable(f"thread_{'xy'[axis]}", UINT, node.span, "local", const=True)
        number = build.convert(UINT, build.read(turn))
        first: list[tree.Stmt] = [build.declare(place, build.binary(build.thread_index(axis), "+", number))]
        last: list[tree.Stmt] = []
        own = {variable: replace(variable) for variable in declared_variables(node)}
        written = {variable for below in walk(node) if (variable := own_written(below)) is not None}
        for variable in self.differing_outside(node):
            own[variable] = replace(variable, storage="local", const=False)
            first.append(build.declare(own[variable], self.in_turn(build, variable, turn)))
            if variable in written:
                last += self.handed_back(build, variable, own[variable], turn)
        body = moved(copied(node, self.names[0] | own), {("threadIdx", axis): place})
        return replace(build.count(turn, self.count, (*first, body, *last)), unroll=1)

    def differing_outside(self, node: tree.Stmt) -> list[Variable]:
        """Return the variables that are declared before `node`, and of which each row has its own."""
        inside = declared_variables(node)
        named = dict.fromkeys(below.variable for below in walk(node) if isinstance(below, tree.VarRef))
        return [variable for variable in named if variable in self.rows.differing - inside]

    def in_turn(self, build: Build, variable: Variable, turn: Variable) -> tree.Expr:
        """Return the value of `variable` in the row whose turn it is."""
        value: tree.Expr = build.read(self.names[-1][variable])
        for i in reversed(range(self.count - 1)):
            value = build.choose(_is(build, turn, i), build.read(self.names[i][variable]), value)
        return value

    def handed_back(self, build: Build, variable: Variable, own: Variable, turn: Variable) -> Iterator[tree.Stmt]:
        for i in range(self.count):
            yield build.when(_is(build, turn, i), [build.assign(self.names[i][variable], build.read(own))])

    def of_row(self, node: N, row: int) -> N:
        return moved(copied(node, self.names[row]), self.places[row])

    def each_row(self, node: tree.Declare | tree.Evaluate, value: tree.Node | None) -> Iterator[tree.Stmt]:
        """Yield a statement for all rows, after the reads of memory that they have in common."""
        shared = {read: _shared(read) for read in ([] if value is None else self.common_reads(value))}
        for read, variable in shared.items():
            yield Build(read.span).declare(variable, self.of_row(read, 0))
        node = _replaced(node, shared)
        yield from (self.of_row(node, i) for i in range(self.count))

    def common_reads(self, node: tree.Node) -> list[tree.Load]:
        """Return what every row reads, and the same, before it changes anything."""
        effects = [below for below in walk(node) if is_effect(below)]
        if effects and not (effects == [node] and isinstance(node, tree.Assignment)):
            return []
        return list(self.reads(node)) if isinstance(node, tree.Expr) else []

    def reads(self, node: tree.Expr | tree.Place) -> Iterator[tree.Load]:
        if isinstance(node, tree.Load) and reads_memory(node) and self.rows.is_common(node):
            yield from [node] if isinstance(node.type, Scalar | Pointer) else []
            return
        for below in certain_operands(node):
            yield from self.reads(cast("tree.Expr | tree.Place", below))


def _is(build: Build, turn: Variable, row: int) -> tree.Expr:
    return build.binary(build.read(turn), "==", build.number(INT, row))


def _shared(read: tree.Load) -> Variable:
    return Variable("shared", read.type, read.span, "local")


def _replaced(node: N, shared: Mapping[tree.Load, Variable]) -> N:
    """Return `node` with variables in place of what it reads."""

    def change(below: tree.Node) -> tree.Node:
        if isinstance(below, tree.Load) and below in shared:
            return Build(below.span).read(shared[below])
        return map_children(below, change)

    return map_children(node, change) if shared else node
