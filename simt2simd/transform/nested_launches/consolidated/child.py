"""The consolidated child kernel: its threads fetch work items, and do for each what the child did."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal

from ....frontend.sema.constexpr.fold import fold
from ....lang.builtins import BUILTINS
from ....lang.ctype import UINT, ULONG
from ....tree import nodes as tree
from ....tree.build import Build
from ....tree.calls import reached_functions
from ....tree.effects import addressed_variables, declared_variables, is_barrier, is_local, written_variables
from ....tree.nodes import MOST_THREADS, Function, Module, Variable
from ....tree.returns import falling_through
from ....tree.rewrite import copied, renamed
from ....tree.threads import Places, moved, number_in_block, threads_of_block
from ....tree.walk import map_children, walk
from .buffer import BUFFER, Layout, layout, own
from .memory import helper
from .sites import Child

Scope = Literal["warp", "block", "grid"]

_COMPUTED = (tree.Binary, tree.Conditional, tree.Convert, tree.Logical, tree.Unary)


@dataclass(frozen=True)
class Entered:
    """A kernel before its own launches are consolidated. `last`: what its blocks do at the end.

    It has no `return`. `iterations`: how many items' threads each of its threads runs, at most; `all`: how many threads
    of items there are.
    """

    function: Function
    last: tuple[tree.Stmt, ...] = ()
    iterations: tree.Expr | None = None
    all: tree.Expr | None = None


def as_it_is(kernel: Function) -> Entered:
    """Return a kernel that fetches nothing."""
    body = replace(kernel.body, statements=tuple(falling_through(kernel.body.statements)))
    return Entered(replace(kernel, body=body))


class Fetching:
    """Makes the kernel `name` that fetches the items of a child."""

    def __init__(self, module: Module, made: Child, name: str) -> None:
        self.module, self.made, self.name = module, made, name
        self.child = module.functions[made.kernel]
        self.layout: Layout = layout(self.child, made)
        self.build = build = Build(self.child.span)
        self.work = Variable("work", BUFFER, build.span, "param")
        self.items, self.capacity, self.total = (
            Variable(name, UINT, build.span, "param") for name in ("items", "capacity", "total")
        )
        self.item = own("item", UINT, build, const=False)
        self.places: Places = {}
        self.numbers: dict[tuple[str, int], int] = {}

    def kernel(self) -> Entered:
        build, child = self.build, self.child
        common = {p: replace(p) for i, p in enumerate(child.params) if i not in self.made.differing}
        shared = {v: replace(v) for v in declared_variables(child.body) if v.storage == "shared"}
        local = {v: replace(v) for v in declared_variables(child.body) if is_local(v)}
        changed = written_variables(child.body) | addressed_variables(child.body)
        names: dict[Variable, Variable] = dict(local)
        first: list[tree.Stmt] = []
        for i, param in enumerate(child.params):
            names[param] = common.get(param, param)
            if param in common and param not in changed:
                continue
            variable = replace(param, storage="local", const=False, restrict=False)
            value = build.read(common[param]) if param in common else self.fetched(i)
            first.append(build.declare(variable, value))
            names[param] = variable
        ids = self.identity()
        body = replace(child.body, statements=tuple(falling_through(child.body.statements)))
        body = self.numbered(moved(renamed(copied(body, names), shared), self.places))
        if self.made.loose:
            body = build.block(self.each_thread(body))
        loop = self.loop(build.block(*first, *ids, *body.statements, *self.between()))
        params = (self.work, self.items, self.capacity, self.total, *common.values())
        declared = [build.declare(variable) for variable in shared.values()]
        function = Function(
            self.name, child.span, "kernel", params, child.result, build.block(*declared, loop),
            max_threads=child.max_threads, static=child.static, helps=child.name,
            shown=f"{child.title} (consolidated)",
        )  # fmt: skip
        iterations, threads = self.iterations()
        return Entered(function, self.last(), iterations, threads)

    def fetched(self, part: int | str, item: tree.Expr | None = None) -> tree.Expr:
        """Return a part of an item, of the current one if no other is named."""
        build = self.build
        number = build.read(self.item) if item is None else item
        place = self.layout.place(build, build.read(self.work), build.read(self.capacity), part, number)
        return tree.Load(build.span, place.type, place)

    # ---------------------------------------------------------------------------------- which thread fetches which item

    def loop(self, body: tree.Block) -> tree.Stmt:
        """Return the loop over the items, or over the blocks of all items."""
        build, x = self.build, self.build.thread_index(0, "blockIdx")
        along_x = build.thread_index(0, "gridDim")
        if self.made.form == "threads":
            number = build.binary(build.binary(x, "*", threads_of_block(build)), "+", number_in_block(build))
            step = build.binary(along_x, "*", threads_of_block(build))
            return self.over(self.item, number, build.read(self.items), step, body)
        if self.made.form == "block":
            return self.over(self.item, x, build.read(self.items), along_x, body)
        return build.block(*self.units(body))

    def units(self, body: tree.Block) -> list[tree.Stmt]:
        """Return the loop over the blocks of all items: those of a block lie after each other."""
        build, x, along_x = self.build, self.build.thread_index(0, "blockIdx"), self.build.thread_index(0, "gridDim")
        units, share, begin, end, block = (
            own(name, UINT, build) for name in ("units", "share", "begin", "end", "block")
        )
        unit = own("unit", UINT, build, const=False)
        last = build.binary(build.read(self.items), "-", build.number(UINT, 1))
        one = build.number(UINT, 1)
        up = build.binary(build.binary(build.read(units), "+", along_x), "-", one)
        share_end = build.binary(build.read(begin), "+", build.read(share))
        lesser = next(row for row in BUILTINS["min"] if row.result == UINT)
        find = helper(self.module, "s2s_find_item")
        firsts = self.layout.array(build, build.read(self.work), build.read(self.capacity), "first")
        found = build.call(find, build.convert(find.params[0].type, firsts), build.read(self.items), build.read(begin))
        place = build.binary(build.read(unit), "-", self.fetched("first"))
        is_next = build.binary(place, "==", self.fetched("blocks"))
        inner = (
            build.when(is_next, [build.evaluate(build.plus(self.item, copied(one)))]),
            build.declare(block, build.binary(build.read(unit), "-", self.fetched("first"))),
            *self.block_places(block),
            *body.statements,
        )
        return [
            build.declare(units, build.binary(self.fetched("first", last), "+", self.fetched("blocks", copied(last)))),
            build.declare(share, build.binary(up, "/", copied(along_x))),
            build.declare(begin, build.binary(x, "*", build.read(share))),
            build.declare(end, build.call_builtin(lesser, share_end, build.read(units))),
            build.declare(self.item, found),
            self.over(unit, build.read(begin), build.read(end), copied(one), replace(body, statements=inner)),
        ]

    def over(self, i: Variable, first: tree.Expr, end: tree.Expr, step: tree.Expr, body: tree.Block) -> tree.Loop:
        build = self.build
        return tree.Loop(
            build.span,
            (build.declare(i, first),),
            build.binary(build.read(i), "<", end),
            (build.plus(i, step),),
            body,
        )

    def identity(self) -> list[tree.Stmt]:
        """Declare the thread's place in the item's grid."""
        build, form = self.build, self.made.form
        if form == "threads":
            self.fix(["blockIdx", "threadIdx"], 0)
            self.fix(["gridDim", "blockDim"], 1)
        elif form == "block":
            self.fix(["blockIdx"], 0)
            self.fix(["gridDim"], 1)
        else:
            self.block_axes()
        if not self.made.loose:
            return []
        threads = own("blockDim_x", UINT, build)
        self.places["blockDim", 0] = threads
        self.places["threadIdx", 0] = own("threadIdx_x", UINT, build, const=False)
        self.fix(["threadIdx"], 0, axes=(1, 2))
        self.fix(["blockDim"], 1, axes=(1, 2))
        return [build.declare(threads, self.fetched("threads"))]

    def fix(self, names: Iterable[str], value: int, axes: Iterable[int] = (0, 1, 2)) -> None:
        """Let these be the same number for all threads."""
        self.numbers |= {(name, axis): value for name in names for axis in axes}

    def used(self) -> set[tuple[str, int]]:
        return {(node.name, node.axis) for node in walk(self.child.body) if isinstance(node, tree.ThreadIndex)}

    def numbered(self, body: tree.Block) -> tree.Block:
        """Return a body with numbers for those of `threadIdx` and the like that are always the same.

        What is computed of them is one number, too: so would the checker have it that reads the printed kernel.
        """

        def change(node: tree.Node) -> tree.Node:
            if isinstance(node, tree.ThreadIndex) and (node.name, node.axis) in self.numbers:
                return tree.Constant(node.span, node.type, self.numbers[node.name, node.axis])
            new = map_children(node, change)
            return fold(new) if new is not node and isinstance(new, _COMPUTED) else new

        return map_children(body, change)

    def block_axes(self) -> None:
        axes = (0,) if self.made.flat else (0, 1, 2)
        for name in ("blockIdx", "gridDim"):
            for axis in axes:
                self.places[name, axis] = own(f"{name}_{'xyz'[axis]}", UINT, self.build)
        if self.made.flat:
            self.fix(["blockIdx"], 0, axes=(1, 2))
            self.fix(["gridDim"], 1, axes=(1, 2))

    def block_places(self, block: Variable) -> list[tree.Stmt]:
        """Declare those of `blockIdx` and `gridDim` that the child uses."""
        build, used = self.build, self.used()
        if self.made.flat:
            values: dict[tuple[str, int], tree.Expr] = {
                ("blockIdx", 0): build.read(block), ("gridDim", 0): self.fetched("blocks"),
            }  # fmt: skip
        else:
            along = [own(f"along_{axis}", UINT, build) for axis in "xy"]
            x, y = along
            plane = build.binary(build.read(x), "*", build.read(y))
            row = build.binary(build.read(block), "/", build.read(x))
            values = {
                ("blockIdx", 0): build.binary(build.read(block), "%", build.read(x)),
                ("blockIdx", 1): build.binary(row, "%", build.read(y)),
                ("blockIdx", 2): build.binary(build.read(block), "/", plane),
                ("gridDim", 0): build.read(x), ("gridDim", 1): build.read(y),
                ("gridDim", 2): build.binary(self.fetched("blocks"), "/", copied(plane)),
            }  # fmt: skip
        found: list[tree.Stmt] = []
        if not self.made.flat:
            found += [build.declare(variable, self.fetched(variable.name)) for variable in along]
        found += [build.declare(self.places[key], value) for key, value in values.items() if key in used]
        return found

    def each_thread(self, body: tree.Block) -> tree.Stmt:
        """The loop over the threads of an item's block."""
        build = self.build
        end = build.read(self.places["blockDim", 0])
        return self.over(
            self.places["threadIdx", 0], build.thread_index(), end, build.thread_index(0, "blockDim"), body
        )

    # ------------------------------------------------------------------------------------------------- around it

    def between(self) -> list[tree.Stmt]:
        """What separates an item from the next one: no thread writes to shared memory that others still read."""
        if self.made.form == "threads" or self.made.loose:
            return []
        bodies = [
            self.child.body,
            *(self.module.functions[f].body for f in reached_functions(self.module)[self.child.name]),
        ]
        nodes = [node for body in bodies for node in walk(body)]
        if any(isinstance(node, tree.VarRef) and node.variable.storage == "shared" for node in nodes) or any(
            map(is_barrier, nodes)
        ):
            return [barrier(self.build)]
        return []

    def last(self) -> tuple[tree.Stmt, ...]:
        """What a block does at its end: the last one gives the buffer back."""
        build = self.build
        finish = build.evaluate(build.call(helper(self.module, "s2s_finish_block"), build.read(self.work)))
        return (barrier(build), build.when(is_first(build), [finish]))

    def iterations(self) -> tuple[tree.Expr, tree.Expr]:
        """Return how many threads of items a thread is at most, and how many there are in all."""
        build = self.build
        blocks = build.thread_index(0, "gridDim")
        one = build.number(UINT, 1)

        def share(count: tree.Expr, by: tree.Expr) -> tree.Expr:
            return build.convert(ULONG, build.binary(build.binary(count, "/", by), "+", copied(one)))

        def times(count: tree.Expr, threads: tree.Expr) -> tree.Expr:
            return build.binary(build.convert(ULONG, count), "*", build.convert(ULONG, threads))

        if self.made.form == "threads":
            by = build.binary(blocks, "*", threads_of_block(build))
            return share(build.read(self.items), by), build.convert(ULONG, build.read(self.items))
        count = self.items if self.made.form == "block" else self.total
        iterations = share(build.read(count), blocks)
        if not self.made.loose:
            return iterations, times(build.read(count), threads_of_block(build))
        width = build.number(ULONG, MOST_THREADS)
        wide = build.binary(
            build.binary(width, "/", build.convert(ULONG, threads_of_block(build))), "+", build.number(ULONG, 1)
        )
        iterations = build.binary(iterations, "*", wide)
        if self.made.form == "block":
            return iterations, build.convert(ULONG, build.read(self.total))
        return iterations, times(build.read(count), build.number(UINT, MOST_THREADS))


def barrier(build: Build) -> tree.Stmt:
    return build.evaluate(build.call_builtin(BUILTINS["__syncthreads"][0]))


def is_first(build: Build) -> tree.Expr:
    """Whether a thread is the first of its block."""
    return build.binary(number_in_block(build), "==", build.number(UINT, 0))
