"""The kernels that take a level of a tree at a time, in place of one that launches itself for each node.

The launch of `visit` for the root allocates lists, and launches, each after the one before it:

    visit_count   how many nodes the next level has: it does what decides that, and nothing else
    visit_next    one thread allocates the next level's list, launches visit_down, and itself for the next level
    visit_down    what comes before the wait; a child that would be launched goes to the next level's list instead
    visit_add     with `flat`: a node's own part goes to all nodes above it
    visit_up      what comes after the wait, for the nodes that reached it, level by level from the last one up
    visit_ups     one thread launches visit_up, frees the lists after it, and launches itself for the level above

All lists lie in the heap of device code. `lists[2 * level]` has the nodes of a level, `lists[2 * level + 1]` those of
them that reached the wait; `counts` has their numbers likewise. `above[level]` says where in the list of the level
above each node's parent is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from ....analysis.frames import RefusedError
from ....lang.builtins import BUILTINS, make
from ....lang.compiler_calls import LEVELS_FULL, launch
from ....lang.ctype import BOOL, INT, UINT, ULONG, VOID, CType, Pointer
from ....lang.device_runtime import NAMED_STREAMS, STREAM
from ....lang.vectors import DIM3
from ....options import Traverse
from ....tree import nodes as tree
from ....tree.build import Build
from ....tree.effects import declared_variables, is_effect, named_variables
from ....tree.launches import is_launch, parts_of
from ....tree.nodes import Function, Node, Variable
from ....tree.rewrite import copied
from ....tree.same import same_text
from ....tree.walk import map_children, walk
from .atomic_aggregation import gathered
from .combination import Combination, at_node, combination_of
from .counting import Counting
from .one_thread import alone, require_any_size
from .pattern import Descent
from .places import require_settled

THREADS = 128  # of a block whose threads have a node each
MOST_LEVELS = 4096


@dataclass(frozen=True)
class Levels:
    """Makes the kernels for a descent. Raises `RefusedError` where a form cannot be."""

    descent: Descent
    form: Traverse
    for_gpus: bool = False

    # ------------------------------------------------------------------------------- words for what is made

    @property
    def build(self) -> Build:
        return Build(self.descent.kernel.span)

    @cached_property
    def node(self) -> Variable:
        """A node of a list."""
        return replace(self.descent.node, storage="local", const=True, restrict=False)

    @cached_property
    def _taken(self) -> frozenset[str]:
        """The names of the program's variables in what is made."""
        parts = (*self.descent.before, *self.descent.after, self.descent.kernel.body)
        named = {variable for part in parts for variable in (*named_variables(part), *declared_variables(part))}
        return frozenset(variable.name for variable in (*self.descent.kernel.params, *named))

    def fresh(self, name: str, ctype: CType, *, const: bool = False) -> Variable:
        """Return a new variable, with a name that the program does not use there."""
        while name in self._taken:
            name += "_"
        return Variable(name, ctype, self.descent.kernel.span, "local", const=const)

    def _extra(self, name: str, ctype: CType) -> Variable:
        return replace(self.fresh(name, ctype), storage="param", restrict=isinstance(ctype, Pointer))

    @cached_property
    def lists(self) -> Variable:
        return self._extra("lists", Pointer(Pointer(self.node.type)))

    @cached_property
    def counts(self) -> Variable:
        return self._extra("counts", Pointer(INT))

    @cached_property
    def above(self) -> Variable:
        return self._extra("above", Pointer(Pointer(INT)))

    @cached_property
    def level(self) -> Variable:
        return self._extra("level", INT)

    @cached_property
    def last(self) -> Variable:
        """The tree's last level."""
        return self._extra("last", INT)

    @cached_property
    def room(self) -> Variable:
        """How many nodes the list of the next level has room for."""
        return self._extra("room", INT)

    @cached_property
    def threads(self) -> Variable:
        return self._extra("threads", UINT)

    @cached_property
    def shared_params(self) -> tuple[Variable, ...]:
        """The parameters of all kernels that are made, but for the level and what follows it."""
        others = tuple(param for param in self.descent.kernel.params if param is not self.descent.node)
        flat = (self.above,) if self.form is Traverse.FLAT else ()
        sizes = (self.threads,) if self.form is Traverse.CREC_BLOCK else ()
        return (*others, self.lists, self.counts, *flat, *sizes)

    def number(self, value: int) -> tree.Expr:
        return self.build.number(INT, value)

    def at(self, pointer: tree.Expr, index: tree.Expr) -> tree.Index:
        assert isinstance(pointer.type, Pointer)
        return tree.Index(self.build.span, pointer.type.target, pointer, index)

    def load(self, place: tree.Place) -> tree.Load:
        return tree.Load(self.build.span, place.type, place)

    def place_of(self, further: int, *, waited: bool = False) -> tree.Expr:
        """Return the index of a level, so much further on, in `lists` and `counts`."""
        two = self.build.binary(self.number(2), "*", self.build.read(self.level))
        offset = 2 * further + waited
        return self.build.binary(two, "+", self.number(offset)) if offset else two

    def count(self, further: int = 0, *, waited: bool = False) -> tree.Index:
        return self.at(self.build.read(self.counts), self.place_of(further, waited=waited))

    def list_of(self, further: int = 0, *, waited: bool = False) -> tree.Index:
        return self.at(self.build.read(self.lists), self.place_of(further, waited=waited))

    def atomic_add(self, place: tree.Place, value: tree.Expr) -> tree.Expr:
        row = next(row for row in BUILTINS["atomicAdd"] if row.params[1] == INT)
        address = tree.AddressOf(self.build.span, Pointer(INT), place)
        return self.build.call_builtin(row, address, value)

    def trap(self) -> tree.Stmt:
        return self.build.evaluate(self.build.call_builtin(LEVELS_FULL))

    def allocated(self, count: tree.Expr, target: CType) -> tree.Expr:
        """`(target *)malloc(sizeof(target) * count)`"""
        build = self.build
        if isinstance(count, tree.Constant):
            length: tree.Expr = build.number(ULONG, target.size * int(count.value))
        else:
            length = build.binary(build.number(ULONG, target.size), "*", build.convert(ULONG, count))
        (malloc,) = BUILTINS["malloc"]
        return tree.Convert(build.span, Pointer(target), build.call_builtin(malloc, length), explicit=True)

    def allocate(self, to: tree.Place, count: tree.Expr, target: CType) -> Iterator[tree.Stmt]:
        """`to = malloc(...); if (!to) __trap();`"""
        yield self.build.assign(to, self.allocated(count, target))
        yield self.build.when(self.is_null(self.load(copied(to))), [self.trap()])

    def is_null(self, pointer: tree.Expr) -> tree.Expr:
        return self.build.negate(tree.Convert(self.build.span, BOOL, pointer))

    def free(self, pointer: tree.Expr) -> tree.Stmt:
        (row,) = BUILTINS["free"]
        return self.build.evaluate(self.build.call_builtin(row, tree.Convert(self.build.span, Pointer(VOID), pointer)))

    # ------------------------------------------------------------------------------------------- launches

    def launch(self, name: str, grid: tree.Expr, block: tree.Expr, *more: tree.Expr) -> tree.Stmt:
        """Launch one of the made kernels after all that was launched before."""
        build, span = self.build, self.build.span
        args = (*(build.read(param) for param in self.shared_params), *more)
        stream = tree.Convert(span, STREAM, build.number(ULONG, NAMED_STREAMS["cudaStreamTailLaunch"]), explicit=True)
        row = launch(self.name(name), tuple(arg.type for arg in args))
        sizes = (self.extent(grid), self.extent(block), build.number(ULONG, 0), stream)
        return build.evaluate(build.call_builtin(row, *sizes, *args))

    def extent(self, along_x: tree.Expr) -> tree.Expr:
        one = self.build.number(UINT, 1)
        return self.build.call_builtin(make(DIM3, "dim3"), along_x, one, copied(one))

    def one(self) -> tree.Expr:
        return self.build.number(UINT, 1)

    def launch_all(self, name: str, count: tree.Expr, *more: tree.Expr) -> tree.Stmt:
        """Launch one of the made kernels with a thread, or a block, for each of `count` nodes; a constant is 1."""
        build = self.build
        if isinstance(count, tree.Constant):
            return self.launch(name, self.one(), build.number(UINT, THREADS), *more)
        nodes = build.convert(UINT, count)
        if self.form is Traverse.CREC_BLOCK and name != "count":
            return self.launch(name, nodes, build.read(self.threads), *more)
        rounded = build.binary(nodes, "+", build.number(UINT, THREADS - 1))
        blocks = build.binary(rounded, "/", build.number(UINT, THREADS))
        return self.launch(name, blocks, build.number(UINT, THREADS), *more)

    def name(self, part: str) -> str:
        return f"{self.descent.kernel.name}_{part}"

    def made(self, part: str, params: Sequence[Variable], *statements: tree.Stmt) -> Function:
        kernel = self.descent.kernel
        new = replace(
            kernel,
            name=self.name(part),
            params=(*self.shared_params, *params),
            body=self.build.block(*statements),
            max_threads=None,
            min_blocks=None,
            helps=kernel.name,
        )
        return _renewed(new)

    # --------------------------------------------------------------------------------------------- what is made

    @cached_property
    def before(self) -> tuple[tree.Stmt, ...]:
        """What comes before the wait, as a thread or a block does it that has a node of a list."""
        return self._for_one(self.descent.before, f"kernel '{self.descent.kernel.title}'", self.descent.threads)

    @cached_property
    def after(self) -> tuple[tree.Stmt, ...]:
        threads, descent = self.descent.threads_after, self.descent
        if self.form is Traverse.CREC_BLOCK and not same_text(threads, descent.threads):
            assert descent.tail is not None
            raise RefusedError(descent.tail.span, "what follows the wait runs in blocks of another size")
        return self._for_one(descent.after, "what follows the wait", threads)

    @property
    def _is_single(self) -> bool:
        return _is_one_thread(self.descent.threads)

    def _for_one(self, statements: Sequence[tree.Stmt], what: str, threads: tree.Expr) -> tuple[tree.Stmt, ...]:
        block = self.build.block(*statements)
        if self.form is Traverse.CREC_BLOCK:
            return _in_grid_of_one(block).statements
        if not _is_one_thread(threads):
            require_any_size(block, what)
        return alone(block).statements

    @cached_property
    def combination(self) -> Combination | None:
        if self.form is not Traverse.FLAT:
            return None
        return combination_of(self.descent, self.before, self.after)

    @property
    def is_finished(self) -> bool:
        """Whether something is to be done for nodes on the way up."""
        return self.combination is None or any(is_effect(node) for top in self.combination.rest for node in walk(top))

    def functions(self) -> list[Function]:
        """Return the kernel with a new body, and the kernels that it launches."""
        made = [self.count_kernel(), self.next_kernel(), self.down_kernel()]
        if self.combination is not None:
            made.append(self.add_kernel(self.combination))
        if self.is_finished:
            made.append(self.up_kernel())
        made.append(self.ups_kernel())
        return [self.kernel(), *made]

    def kernel(self) -> Function:
        """Return the kernel with what begins a descent in front of what was written, for launches of one block."""
        build, kernel = self.build, self.descent.kernel
        grid = [build.thread_index(axis, "gridDim") for axis in range(3)]
        block = [build.thread_index(axis, "blockDim") for axis in range(3)]
        blocks = build.binary(build.binary(grid[0], "*", grid[1]), "*", grid[2])
        conds = [build.binary(blocks, "==", self.one())]
        conds += [build.binary(size, "==", self.one()) for size in block[1:]]
        size = self.descent.threads
        if self.form is Traverse.CREC_BLOCK or self._is_single:
            conds.append(build.binary(block[0], "==", build.convert(UINT, copied(size))))
        first = build.binary(build.thread_index(0), "==", build.number(UINT, 0))
        begin = build.when(first, self._begin())
        waits = self.for_gpus and self.descent.tail is None
        otherwise = [self.trap()] if waits else kernel.body.statements
        body = build.block(build.when(build.both(*conds), [begin, tree.Return(build.span, None)]), *otherwise)
        return replace(kernel, body=body)

    def _begin(self) -> Iterator[tree.Stmt]:
        build = self.build
        tables = [self.lists, self.counts, *((self.above,) if self.form is Traverse.FLAT else ())]
        for table in tables:
            assert isinstance(table.type, Pointer)
            entries = MOST_LEVELS if table is self.above else 2 * MOST_LEVELS
            yield build.declare(self._own(table), self.allocated(self.number(entries), table.type.target))
            yield build.when(self.is_null(build.read(self._own(table))), [self.trap()])
        yield build.declare(self._own(self.level), self.number(0))
        if self.form is Traverse.CREC_BLOCK:
            yield build.declare(self._own(self.threads), build.convert(UINT, copied(self.descent.threads)))
        statements: list[tree.Stmt] = []
        for waited in (False, True):
            statements += self.allocate(self.list_of(waited=waited), self.number(1), self.node.type)
        statements += [
            build.assign(self.at(self.load(self.list_of()), self.number(0)), build.read(self.descent.node)),
            build.assign(self.count(), self.number(1)),
            build.assign(self.count(waited=True), self.number(0)),
            build.assign(self.count(1), self.number(0)),
            self.launch_all("count", self.number(1), build.read(self.level)),
            self.launch("next", self.one(), self.one(), build.read(self.level)),
        ]
        own = {param: self._own(param) for param in (*tables, self.level, self.threads)}
        yield from (copied(node, own) for node in statements)

    def _own(self, param: Variable) -> Variable:
        """Return the variable of the first kernel that becomes a parameter of the others."""
        if param not in self._owns:
            self._owns[param] = replace(param, storage="local", restrict=False)
        return self._owns[param]

    @cached_property
    def _owns(self) -> dict[Variable, Variable]:
        return {}

    def next_kernel(self) -> Function:
        """Return the kernel that launches the next level."""
        build = self.build
        room = self.fresh("room", INT, const=True)
        level = build.read(self.level)
        further = build.binary(build.read(self.level), "+", self.number(1))
        some = build.binary(build.read(room), ">", self.number(0))
        full = build.binary(copied(further), "==", self.number(MOST_LEVELS - 1))
        lists = [
            *self.allocate(self.list_of(1), build.read(room), self.node.type),
            *self.allocate(self.list_of(1, waited=True), build.read(room), self.node.type),
        ]
        if self.form is Traverse.FLAT:
            lists += self.allocate(self.at(build.read(self.above), copied(further)), build.read(room), INT)
        here = self.load(self.count())
        add = [self.launch_all("add", copied(here), copied(level))] if self.form is Traverse.FLAT else []
        deeper = [
            self.launch_all("count", build.read(room), copied(further)),
            self.launch("next", self.one(), self.one(), copied(further)),
        ]
        up = [self.launch("ups", self.one(), self.one(), copied(level), copied(level))]
        return self.made(
            "next",
            (self.level,),
            build.declare(room, self.load(self.count(1))),
            build.when(
                some,
                [
                    build.when(full, [self.trap()]),
                    *lists,
                    build.assign(self.count(1), self.number(0)),
                    build.assign(self.count(1, waited=True), self.number(0)),
                    build.assign(self.count(2), self.number(0)),
                ],
            ),
            self.launch_all("down", here, copied(level), build.read(room)),
            *add,
            build.when(copied(some), deeper, up),
        )

    def _takes(self, *, waited: bool = False, by_block: bool) -> Iterator[tree.Stmt]:
        """A thread or a block takes a node of a list; those that get none return."""
        build = self.build
        index = self.index
        if by_block:
            yield build.declare(index, build.convert(INT, build.thread_index(0, "blockIdx")))
        else:
            x = build.binary(build.thread_index(0, "blockIdx"), "*", build.thread_index(0, "blockDim"))
            yield build.declare(index, build.convert(INT, build.binary(x, "+", build.thread_index(0))))
            outside = build.binary(build.read(index), ">=", self.load(self.count(waited=waited)))
            yield build.when(outside, [tree.Return(build.span, None)])
        chosen = self.at(self.load(self.list_of(waited=waited)), build.read(index))
        yield build.declare(self.node, self.load(chosen))

    @cached_property
    def index(self) -> Variable:
        return self.fresh("number", INT, const=True)

    def _at_list(self, statements: Sequence[tree.Stmt]) -> list[tree.Stmt]:
        """Put the node of a list in place of the kernel's own."""
        shared = {
            variable: variable
            for node in statements
            for variable in declared_variables(node)
            if variable.storage == "shared"
        }
        return [copied(node, {self.descent.node: self.node, **shared}) for node in statements]

    def count_kernel(self) -> Function:
        """Return the kernel that counts the children of a level: a thread for a node, whatever the form is."""
        build = self.build
        found = self.fresh("found", INT)
        more = self.atomic_add(self.count(1), build.read(found))
        report = build.when(build.binary(build.read(found), ">", self.number(0)), [build.evaluate(more)])
        before = build.block(*self.descent.before)
        if self.form is Traverse.CREC_BLOCK and not self._is_single:
            deciding = Counting(self.descent, None, build.block()).slice(before)
            require_any_size(build.block(*deciding), f"what decides on the children of '{self.descent.kernel.title}'")
        counting = Counting(self.descent, build.evaluate(build.plus(found, self.number(1))), report)
        kept = counting.slice(before)
        require_settled(self.descent.before, kept)
        statements = alone(build.block(*kept)).statements
        return self.made(
            "count",
            (self.level,),
            *self._takes(by_block=False),
            build.declare(found, self.number(0)),
            *self._at_list(statements),
            copied(report),
        )

    def down_kernel(self) -> Function:
        """Return the kernel that does what comes before the wait."""
        statements: list[tree.Stmt] = list(self.before)
        if self.combination is not None:
            statements = [
                self._taking_in(self.combination) if node is self.combination.loop else node for node in statements
            ]
        statements = [self._listing(node) for node in statements]
        if self.descent.tail is None:
            wait = self._waiting()
            if self.form is Traverse.CREC_BLOCK:
                wait = self.build.when(
                    self.build.binary(self.build.thread_index(0), "==", self.build.number(UINT, 0)), [wait]
                )
            statements.append(wait)
        return self._for_list("down", (self.level, self.room), statements)

    def _listing(self, node: tree.Stmt) -> tree.Stmt:
        """Put children and nodes that reach the wait on lists, in place of launches."""
        name, tail = self.descent.kernel.name, self.descent.tail

        def change(node: Node) -> Node:
            if isinstance(node, tree.Evaluate) and is_launch(node.expr):
                if node.expr.builtin.kernel == name:
                    return self._child(parts_of(node.expr).args[self.descent.kernel.params.index(self.descent.node)])
                if tail is not None:
                    return self._waiting()
            return map_children(node, change)

        changed = change(node)
        assert isinstance(changed, tree.Stmt)
        return changed

    def _child(self, child: tree.Expr) -> tree.Stmt:
        """`const int slot = atomicAdd(&counts[...], 1); if (slot >= room) __trap(); lists[...][slot] = child;`"""
        build = self.build
        slot = self.fresh("slot", INT, const=True)
        statements: list[tree.Stmt] = [
            build.declare(slot, self.atomic_add(self.count(1), self.number(1))),
            build.when(build.binary(build.read(slot), ">=", build.read(self.room)), [self.trap()]),
            build.assign(self.at(self.load(self.list_of(1)), build.read(slot)), copied(child)),
        ]
        if self.form is Traverse.FLAT:
            further = build.binary(build.read(self.level), "+", self.number(1))
            place = self.at(self.load(self.at(build.read(self.above), further)), build.read(slot))
            statements.append(build.assign(place, build.read(self.index)))
        return build.block(*statements)

    def _waiting(self) -> tree.Stmt:
        """Put the node on the list of those for which something is done after the wait."""
        build = self.build
        if not self.is_finished:
            return build.block()
        slot = self.atomic_add(self.count(waited=True), self.number(1))
        return build.assign(self.at(self.load(self.list_of(waited=True)), slot), build.read(self.descent.node))

    def _taking_in(self, combination: Combination) -> tree.Loop:
        """Return the loop over the children where those that are not launched are combined at once."""
        build = self.build
        listed = self.fresh("listed", BOOL)

        def change(node: Node) -> Node:
            if isinstance(node, tree.Evaluate) and is_launch(node.expr):
                return build.block(node, build.assign(listed, build.number(BOOL, True)))
            return map_children(node, change)

        body = change(combination.loop.body)
        assert isinstance(body, tree.Block)
        return replace(
            combination.loop,
            body=build.block(
                build.declare(listed, build.number(BOOL, False)),
                *body.statements,
                build.when(build.negate(build.read(listed)), combination.each),
            ),
        )

    def add_kernel(self, combination: Combination) -> Function:
        """Return the kernel that adds what each node of a level has by itself to the nodes above it."""
        build = self.build
        here = self.fresh("here", INT)
        place = self.fresh("place", INT)
        other = self.fresh("ancestor", self.node.type, const=True)
        parts = [self.fresh(f"part{i}", each.place.type, const=True) for i, each in enumerate(combination.combined)]
        yours = [at_node(each.place, self.descent.node, build.read(other)) for each in combination.combined]
        declared = [
            build.declare(part, at_node(each.place, self.descent.node, build.read(self.node)))
            for part, each in zip(parts, combination.combined, strict=True)
        ]
        adding = [
            build.evaluate(
                build.call_builtin(each.by, tree.AddressOf(build.span, each.by.params[0], load.place), build.read(part))
            )
            for each, load, part in zip(combination.combined, yours, parts, strict=True)
        ]
        up = tree.Increment(build.span, INT, build.place(here), -1, prefix=False)
        parent = self.at(self.load(self.at(build.read(self.above), build.read(here))), build.read(place))
        twice = build.binary(self.number(2), "*", build.binary(build.read(here), "-", self.number(1)))
        chosen = self.at(self.load(self.at(build.read(self.lists), twice)), build.read(place))
        loop = tree.Loop(
            build.span,
            (build.declare(here, build.read(self.level)),),
            build.binary(build.read(here), ">", self.number(0)),
            (up,),
            build.block(build.assign(place, self.load(parent)), build.declare(other, self.load(chosen)), *adding),
        )
        return self.made(
            "add",
            (self.level,),
            *self._takes(by_block=False),
            *declared,
            build.declare(place, build.read(self.index)),
            loop,
        )

    def up_kernel(self) -> Function:
        """Return the kernel that does what comes after the wait."""
        statements = self.after if self.combination is None else self.combination.rest
        return self._for_list("up", (self.level,), statements)

    def _for_list(self, part: str, params: Sequence[Variable], statements: Sequence[tree.Stmt]) -> Function:
        """Return a kernel that does something for each node of a list."""
        by_block = self.form is Traverse.CREC_BLOCK
        takes = self._takes(waited=part == "up", by_block=by_block)
        return self.made(part, params, *takes, *self._at_list(list(statements if by_block else gathered(statements))))

    def ups_kernel(self) -> Function:
        """Return the kernel that launches the level above, and frees what is no longer needed."""
        build = self.build
        below = [
            self.free(self.load(self.list_of(1))),
            self.free(self.load(self.list_of(1, waited=True))),
        ]
        tables = [self.free(build.read(self.lists)), self.free(build.read(self.counts))]
        if self.form is Traverse.FLAT:
            further = build.binary(build.read(self.level), "+", self.number(1))
            below.append(
                build.when(
                    build.binary(build.read(self.level), ">=", self.number(0)),
                    [self.free(self.load(self.at(build.read(self.above), further)))],
                )
            )
            tables.append(self.free(build.read(self.above)))
        less = build.binary(build.read(self.level), "-", self.number(1))
        waiting = self.load(self.count(waited=True))
        go: list[tree.Stmt] = []
        if self.is_finished:
            some = build.binary(copied(waiting), ">", self.number(0))
            go.append(build.when(some, [self.launch_all("up", waiting, build.read(self.level))]))
        go.append(self.launch("ups", self.one(), self.one(), less, build.read(self.last)))
        return self.made(
            "ups",
            (self.level, self.last),
            build.when(build.binary(build.read(self.level), "<", build.read(self.last)), below),
            build.when(build.binary(build.read(self.level), ">=", self.number(0)), go, tables),
        )


def _is_one_thread(size: tree.Expr) -> bool:
    return isinstance(size, tree.Constant) and size.value == 1


def _renewed(function: Function) -> Function:
    """Return a function of new nodes, with variables of its own, those in shared memory included."""
    new = {variable: replace(variable) for variable in (*function.params, *declared_variables(function.body))}
    params = tuple(new[param] for param in function.params)
    return replace(function, params=params, body=copied(function.body, new))


def _in_grid_of_one(node: tree.Block) -> tree.Block:
    """Put the numbers of a grid of one block in place of what a block asks for."""

    def change(node: Node) -> Node:
        if isinstance(node, tree.ThreadIndex) and node.name in ("blockIdx", "gridDim"):
            return tree.Constant(node.span, node.type, int(node.name == "gridDim"))
        return map_children(node, change)

    changed = change(node)
    assert isinstance(changed, tree.Block)
    return changed
