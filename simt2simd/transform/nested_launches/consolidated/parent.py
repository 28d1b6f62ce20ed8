"""The new parent kernel: prework, buffering of its threads' items, one launch per warp, block or grid."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from ....lang.builtins import BUILTINS, WARP_SIZE, make
from ....lang.compiler_calls import CONFIGURATION, launch
from ....lang.ctype import BOOL, UINT, ULONG, ULONGLONG, VOID, Array, CType, Pointer, Struct
from ....lang.vectors import DIM3
from ....tree import nodes as tree
from ....tree.build import Build
from ....tree.launches import is_launch
from ....tree.nodes import Function, Module, Variable
from ....tree.rewrite import copied
from ....tree.threads import number_in_block, threads_of_block
from ....tree.walk import map_blocks
from .buffer import BUFFER, Layout, layout, own
from .child import Entered, barrier, is_first
from .memory import HEADER_BYTES, WINDOW, helper
from .sites import Site, without_pragma
from .values import CommonValues

REPEATED = 4  # items of a thread for each time that it could reach a launch in a loop (Wu, section 3.6)
SHARE_OF_POOL = 4  # a buffer takes no more than a part of the pool
MOST_WARPS = 32
MOST_UNITS = 2**31  # blocks of all items of a buffer: with a grid's blocks, no more than 32 bits hold

# How many child grids are to run at once, as the dissertation has it (KC_1, KC_16 and KC_32).
CONCURRENCY = {"grid": 1, "block": 16, "warp": 32}
DEFAULT_THREADS = {"threads": 128, "block": 64, "blocks": 64}  # of a block, where items do not say it


@dataclass(frozen=True)
class Machine:
    """How many threads the device runs at once, and how many bytes the pool has."""

    threads: int
    pool_bytes: int


class Parent:
    """Makes the kernel that buffers the items of its launches.

    `consolidated`: the kernel that fetches the items of a launch. `numbers`: the launches of the module.
    """

    def __init__(
        self,
        module: Module,
        entered: Entered,
        sites: Sequence[Site],
        consolidated: Callable[[Site], Function],
        machine: Machine,
    ) -> None:
        self.entered, self.sites = entered, sites
        self.kernel = entered.function
        self.values = CommonValues(self.kernel)
        place = _PLACES[sites[0].level] if sites else _PerBlock
        self.places = {site.statement: place(module, self, site, consolidated(site), machine) for site in sites}

    def function(self) -> Function:
        build = Build(self.kernel.span)
        body = self.buffering(self.kernel.body)
        places = list(self.places.values())
        begin = [node for place in places for node in place.begin()]
        end = [node for place in places for node in place.end()]
        if places:
            begin = [*begin, places[0].barrier(build)]
            end = [places[0].barrier(build), *end]
        return replace(self.kernel, body=replace(body, statements=(*begin, *body.statements, *end, *self.entered.last)))

    def buffering(self, block: tree.Block) -> tree.Block:
        done: list[tree.Stmt] = []
        for node in block.statements:
            if isinstance(node, tree.Evaluate) and node in self.places:
                done.append(self.places[node].insertion())
            else:
                done.append(map_blocks(node, self.buffering))
        return replace(block, statements=tuple(done))


class _Place(ABC):
    """A launch of the parent, and where its items go."""

    def __init__(self, module: Module, parent: Parent, site: Site, kernel: Function, machine: Machine) -> None:
        self.module, self.parent, self.site, self.kernel, self.machine = module, parent, site, kernel, machine
        child = module.functions[site.child.kernel]
        self.child = child
        self.layout: Layout = layout(child, site.child)
        self.build = build = Build(site.span)
        self.room = own("room", UINT, build)  # for items
        self.most = max(16, machine.pool_bytes // SHARE_OF_POOL // max(1, self.layout.bytes) // 16 * 16)
        wanted = self.wanted()
        self.fixed = -(-min(wanted.value, self.most) // 16) * 16 if isinstance(wanted, tree.Constant) else None
        self.buffer = Variable("buffer", self.of_all(BUFFER), build.span, "shared")
        self.count = Variable("count", self.of_all(ULONGLONG), build.span, "shared")
        self.most_blocks = own("most_blocks", UINT, build)

    # --------------------------------------------------------------------------------- what levels differ in

    def of_all(self, ctype: CType) -> CType:
        """Return the type of a shared variable with a value for each buffer of a block."""
        return ctype

    def own_buffer(self, build: Build) -> tree.Place:
        return build.place(self.buffer)

    def own_count(self, build: Build) -> tree.Place:
        return build.place(self.count)

    def launches(self, build: Build) -> tree.Expr:
        """Whether a thread is the one that launches."""
        return is_first(build)

    def barrier(self, build: Build) -> tree.Stmt:
        return barrier(build)

    @abstractmethod
    def threads(self, build: Build) -> tree.Expr:
        """How many threads share a buffer, at most."""

    def begin(self) -> list[tree.Stmt]:
        build = self.build
        self_buffer, self_count = self.own_buffer(build), self.own_count(build)
        taken = build.call(helper(self.module, "s2s_take_buffer"), self.bytes())
        return [
            build.declare(self.buffer),
            build.declare(self.count),
            *self.measures(),
            build.when(
                self.launches(build),
                [build.assign(self_buffer, taken), build.assign(self_count, build.number(ULONGLONG, 0))],
            ),
        ]

    def end(self) -> list[tree.Stmt]:
        build = self.build
        count = tree.Load(build.span, ULONGLONG, self.own_count(build))
        return [
            build.when(
                self.launches(build), self.launch(lambda: tree.Load(build.span, BUFFER, self.own_buffer(build)), count)
            )
        ]

    # ------------------------------------------------------------------------------------------- how much room

    def measures(self) -> list[tree.Stmt]:
        """Declare for how many items a buffer has room, a multiple of 16, unless that is known now."""
        build = self.build
        if self.fixed is not None:
            return []
        wanted = own("wanted", ULONG, build)
        limit = build.number(ULONG, self.most)
        fewer = build.choose(build.binary(build.read(wanted), "<", limit), build.read(wanted), copied(limit))
        up = build.binary(build.convert(UINT, fewer), "+", build.number(UINT, 15))
        room = build.binary(build.binary(up, "/", build.number(UINT, 16)), "*", build.number(UINT, 16))
        found: list[tree.Stmt] = [build.declare(wanted, self.wanted()), build.declare(self.room, room)]
        if self.site.child.form == "blocks":
            every = build.binary(build.number(UINT, MOST_UNITS), "/", build.read(self.room))
            found.append(build.declare(self.most_blocks, every))
        return found

    def space(self) -> tree.Expr:
        """For how many items there is room."""
        build = self.build
        return build.read(self.room) if self.fixed is None else build.number(UINT, self.fixed)

    def blocks_of_an_item(self, ctype: CType) -> tree.Expr:
        """How many blocks an item may have: their sum is limited."""
        build = self.build
        if self.fixed is not None:
            return build.number(ctype, MOST_UNITS // self.fixed)
        return build.convert(ctype, build.read(self.most_blocks))

    def wanted(self) -> tree.Expr:
        build, size = self.build, self.site.how.size
        if isinstance(size, int):
            return build.number(ULONG, size)
        param = next((p for p in self.parent.values.params if p.name == size), None)
        if param is not None:
            return build.convert(ULONG, build.read(param))
        threads = self.threads(build)
        if not self.site.repeats:
            return threads
        if isinstance(threads, tree.Constant):
            return build.number(ULONG, threads.value * REPEATED)
        return build.binary(threads, "*", build.number(ULONG, REPEATED))

    def bytes(self) -> tree.Expr:
        build = self.build
        if self.fixed is not None:
            return build.number(ULONGLONG, self.fixed * self.layout.bytes + HEADER_BYTES)
        room = build.convert(ULONGLONG, build.read(self.room))
        items = build.binary(room, "*", build.number(ULONGLONG, self.layout.bytes))
        return build.binary(items, "+", build.number(ULONGLONG, HEADER_BYTES))

    # --------------------------------------------------------------------------------------------- an item

    def insertion(self) -> tree.Stmt:
        """Return what a thread does in place of the launch."""
        site, build = self.site, self.build
        launch = site.launch
        declared: list[tree.Stmt] = []

        def kept(name: str, ctype: CType, value: tree.Expr) -> Variable:
            variable = own(name, ctype, build)
            declared.append(build.declare(variable, value))
            return variable

        args = {i: kept(self.child.params[i].name, launch.args[i].type, launch.args[i]) for i in site.child.differing}
        axes = "" if site.child.form != "blocks" else "x" if site.child.flat else "xyz"
        extents = [kept(f"blocks_{axis}", UINT, size) for axis, size in zip(axes, site.grid, strict=False)]
        threads = kept("threads", UINT, site.block[0]) if site.child.loose else None
        conditions, amount = self.fits(extents, threads)
        before = own("before", ULONGLONG, build, const=False)
        declared.append(build.declare(before, self.none()))
        one: tree.Expr = build.number(ULONGLONG, 1)
        if amount is not None:
            high = build.binary(build.convert(ULONGLONG, amount), "<<", build.number(UINT, 32))
            one = build.binary(high, "+", one)
        address = tree.AddressOf(build.span, Pointer(ULONGLONG), self.own_count(build))
        taken = build.assign(before, build.call_builtin(_ADD, address, one))
        declared.append(build.when(build.both(*conditions), [taken]))
        slot = kept("slot", UINT, build.convert(UINT, build.read(before)))
        parts: dict[int | str, tree.Expr] = {i: build.read(variable) for i, variable in args.items()}
        if extents:
            first = build.binary(build.read(before), ">>", build.number(UINT, 32))
            parts["first"] = build.convert(UINT, first)
            parts["blocks"] = self.product(extents, UINT)
            if not site.child.flat:
                parts["along_x"], parts["along_y"] = (build.read(extent) for extent in extents[:2])
        if threads is not None:
            parts["threads"] = build.read(threads)
        stores = [self.store(part, slot, value) for part, value in parts.items()]
        alone = self.alone(args, extents, threads)
        stored = build.binary(build.read(slot), "<", self.space())
        return build.block(*declared, build.when(stored, stores, [alone]))

    def none(self) -> tree.Expr:
        """The count that an item without a place in the buffer has."""
        build = self.build
        if self.fixed is not None:
            return build.number(ULONGLONG, self.fixed)
        return build.convert(ULONGLONG, build.read(self.room))

    def fits(self, extents: Sequence[Variable], threads: Variable | None) -> tuple[list[tree.Expr], tree.Expr | None]:
        """Return when an item goes into a buffer, and what it adds to the sum of blocks or of threads."""
        build = self.build
        buffer = tree.Load(build.span, BUFFER, self.own_buffer(build))
        conditions: list[tree.Expr] = [build.binary(buffer, "!=", build.number(BUFFER, 0))]
        amount: tree.Expr | None = None
        if threads is not None:
            conditions.append(self.below(build.read(threads), build.number(UINT, self.child.most_threads)))
            amount = build.read(threads)
        if extents:
            blocks = self.product(extents, UINT if self.site.child.flat else ULONGLONG)
            conditions.append(self.below(blocks, self.blocks_of_an_item(blocks.type)))
            amount = self.product(extents, UINT)
        return conditions, amount

    def below(self, value: tree.Expr, most: tree.Expr) -> tree.Expr:
        """Whether a number is from 1 to `most`."""
        build = self.build
        return build.binary(build.binary(value, "-", build.number(value.type, 1)), "<", most)

    def product(self, extents: Sequence[Variable], ctype: CType) -> tree.Expr:
        build = self.build
        x, *others = [build.convert(ctype, build.read(extent)) for extent in extents]
        for other in others:
            x = build.binary(x, "*", other)
        return x

    def store(self, part: int | str, slot: Variable, value: tree.Expr) -> tree.Stmt:
        build = self.build
        buffer = tree.Load(build.span, BUFFER, self.own_buffer(build))
        place = self.layout.place(build, buffer, self.space(), part, build.read(slot))
        return build.assign(place, value)

    def alone(self, args: dict[int, Variable], extents: Sequence[Variable], threads: Variable | None) -> tree.Stmt:
        """Return the launch as the program has it, for an item that no buffer takes."""
        build, site = self.build, self.site
        one = build.number(UINT, 1)
        ones: list[tree.Expr] = [copied(one) for _ in range(3 - len(extents))]
        grid = [*map(build.read, extents), *ones]
        block: list[tree.Expr] = list(map(copied, site.block))
        if threads is not None:
            block = [build.read(threads), copied(one), copied(one)]
        given = [build.read(args[i]) if i in args else copied(site.common[i]) for i in range(len(site.launch.args))]
        old = site.statement.expr
        assert is_launch(old)
        launch = replace(
            without_pragma(old),
            args=(_dim3(build, grid), _dim3(build, block), copied(site.shared), copied(site.launch.stream), *given),
        )
        return build.evaluate(launch)

    # --------------------------------------------------------------------------------------------- the launch

    def launch(self, buffer: Callable[[], tree.Expr], counted: tree.Expr) -> list[tree.Stmt]:
        """Return the launch of the consolidated child; a buffer without items goes back."""
        build = self.build
        count = own("counted", ULONGLONG, build)
        items, total = own("items", UINT, build), own("total", UINT, build)
        low = build.convert(UINT, build.read(count))
        fewer = build.choose(build.binary(low, "<", self.space()), copied(low), self.space())
        high = build.binary(build.read(count), ">>", build.number(UINT, 32))
        give = build.evaluate(build.call(helper(self.module, "s2s_give_buffer"), buffer()))
        some = build.binary(build.read(items), "!=", build.number(UINT, 0))
        there = build.binary(buffer(), "!=", build.number(BUFFER, 0))
        inside: list[tree.Stmt] = [
            build.declare(count, counted),
            build.declare(items, fewer),
            build.declare(total, build.convert(UINT, high)),
            build.when(some, [self.launching(buffer(), items, total)], [give]),
        ]
        return [build.when(there, inside)]

    def launching(self, buffer: tree.Expr, items: Variable, total: Variable) -> tree.Stmt:
        build, site = self.build, self.site
        common = [copied(site.common[i]) for i in sorted(site.common)]
        given = (buffer, build.read(items), self.space(), build.read(total), *common)
        blocks, block = self.configuration(items, total)
        one = build.number(UINT, 1)
        row = launch(self.kernel.name, tuple(param.type for param in self.kernel.params))
        assert row.params[: len(CONFIGURATION)] == CONFIGURATION
        args = (
            _dim3(build, [blocks, one, copied(one)]), _dim3(build, block),
            copied(site.shared), copied(site.launch.stream), *given,
        )  # fmt: skip
        return build.evaluate(tree.BuiltinCall(build.span, VOID, row, args))

    def configuration(self, items: Variable, total: Variable) -> tuple[tree.Expr, list[tree.Expr]]:
        """Return how many blocks are launched, and of how many threads along each axis."""
        build, site, how = self.build, self.site, self.site.how
        one = build.number(UINT, 1)
        form = site.child.form
        if site.common_block is not None and form != "threads":
            block = list(map(copied, site.common_block))
        else:
            block = [build.number(UINT, how.threads or DEFAULT_THREADS[form]), copied(one), copied(one)]
        needed: tree.Expr = build.read(items)
        if form == "threads":
            threads = _number(block[0]) or 1
            more = build.binary(needed, "+", build.number(UINT, threads - 1))
            needed = build.binary(more, "/", build.number(UINT, threads))
        elif form == "blocks":
            needed = build.read(total)
        if how.blocks is None and how.concurrency == 0:
            return needed, block
        most = build.number(UINT, how.blocks) if how.blocks is not None else self.most_at_once(block)
        return build.call_builtin(_MIN, needed, most), block

    def most_at_once(self, block: Sequence[tree.Expr]) -> tree.Expr:
        """Return how many blocks the device runs at once, divided by how many child grids are to run at once."""
        build = self.build
        share = self.machine.threads // (self.site.how.concurrency or CONCURRENCY[self.site.level])
        x, y, z = map(_number, block)
        if x is not None and y is not None and z is not None:
            return build.number(UINT, max(1, share // max(1, x * y * z)))
        threads = build.binary(build.binary(copied(block[0]), "*", copied(block[1])), "*", copied(block[2]))
        blocks = build.binary(build.number(UINT, share), "/", threads)
        return build.call_builtin(_MAX, blocks, build.number(UINT, 1))


class _PerWarp(_Place):
    """One launch for each warp."""

    def of_all(self, ctype: CType) -> CType:
        return Array(ctype, MOST_WARPS)

    def __init__(self, module: Module, parent: Parent, site: Site, kernel: Function, machine: Machine) -> None:
        super().__init__(module, parent, site, kernel, machine)
        self.warp = own("warp", UINT, self.build)

    def own_buffer(self, build: Build) -> tree.Place:
        return build.element(build.place(self.buffer), BUFFER, build.read(self.warp))

    def own_count(self, build: Build) -> tree.Place:
        return build.element(build.place(self.count), ULONGLONG, build.read(self.warp))

    def begin(self) -> list[tree.Stmt]:
        build = self.build
        number = build.binary(number_in_block(build), "/", build.number(UINT, WARP_SIZE))
        return [build.declare(self.warp, number), *super().begin()]

    def launches(self, build: Build) -> tree.Expr:
        lane = build.binary(number_in_block(build), "%", build.number(UINT, WARP_SIZE))
        return build.binary(lane, "==", build.number(UINT, 0))

    def barrier(self, build: Build) -> tree.Stmt:
        row = next(row for row in BUILTINS["__syncwarp"] if not row.params)
        return build.evaluate(build.call_builtin(row))

    def threads(self, build: Build) -> tree.Expr:
        warp = build.number(ULONG, WARP_SIZE)
        iterations = self.parent.entered.iterations
        return warp if iterations is None else build.binary(warp, "*", copied(iterations))


class _PerBlock(_Place):
    """One launch for each block."""

    def threads(self, build: Build) -> tree.Expr:
        threads = build.convert(ULONG, threads_of_block(build))
        iterations = self.parent.entered.iterations
        return threads if iterations is None else build.binary(threads, "*", copied(iterations))


class _PerGrid(_Place):
    """One launch for the grid, by the last of its blocks."""

    def __init__(self, module: Module, parent: Parent, site: Site, kernel: Function, machine: Machine) -> None:
        super().__init__(module, parent, site, kernel, machine)
        join = helper(module, "s2s_join_grid")
        assert isinstance(join.result, Pointer) and isinstance(join.result.target, Struct)
        self.record = join.result.target
        self.grid = Variable("grid", join.result, self.build.span, "shared")

    def own_count(self, build: Build) -> tree.Place:
        return self._member(build, build.read(self.grid), "count")

    def threads(self, build: Build) -> tree.Expr:
        if self.parent.entered.all is not None:
            return copied(self.parent.entered.all)
        x, y, z = (build.convert(ULONG, build.thread_index(axis, "gridDim")) for axis in range(3))
        blocks = build.binary(build.binary(x, "*", y), "*", z)
        return build.binary(blocks, "*", build.convert(ULONG, threads_of_block(build)))

    def begin(self) -> list[tree.Stmt]:
        build = self.build
        joined = build.call(helper(self.module, "s2s_join_grid"), self._number(build), self.bytes())
        work = build.call(helper(self.module, "s2s_grid_work"), build.read(self.grid))
        return [
            build.declare(self.grid),
            build.declare(self.buffer),
            *self.measures(),
            build.when(self.launches(build), [build.assign(self.grid, joined), build.assign(self.buffer, work)]),
        ]

    def end(self) -> list[tree.Stmt]:
        build = self.build
        i, one = own("i", UINT, build, const=False), own("place", self.grid.type, build)
        work = own("work", BUFFER, build)
        arrived = build.call(helper(self.module, "s2s_all_arrived"), self._number(build), build.read(self.grid))
        closed = build.call(helper(self.module, "s2s_close_grid"), self._number(build), build.read(i))
        count = tree.Load(build.span, ULONGLONG, self._member(build, build.read(one), "count"))
        inside: list[tree.Stmt] = [
            build.declare(work, build.call(helper(self.module, "s2s_grid_work"), build.read(one))),
            *self.launch(lambda: build.read(work), count),
            build.evaluate(build.call(helper(self.module, "s2s_free_grid"), build.read(one))),
        ]
        places = tree.Loop(
            build.span,
            (build.declare(i, build.number(UINT, 0)),),
            build.binary(build.read(i), "<", build.number(UINT, WINDOW)),
            (build.plus(i, build.number(UINT, 1)),),
            build.block(
                build.declare(one, closed),
                build.when(build.binary(build.read(one), "!=", build.number(one.type, 0)), inside),
            ),
        )
        return [build.when(build.both(self.launches(build), arrived), [places])]

    def _number(self, build: Build) -> tree.Expr:
        return build.number(UINT, self.site.number)

    def _member(self, build: Build, grid: tree.Expr, name: str) -> tree.Place:
        field = self.record.field(name)
        assert field is not None
        return build.member(tree.Deref(build.span, self.record, grid), field)


_PLACES: dict[str, type[_Place]] = {"warp": _PerWarp, "block": _PerBlock, "grid": _PerGrid}
_ADD = next(row for row in BUILTINS["atomicAdd"] if row.result == ULONGLONG)
_MIN, _MAX = (next(row for row in BUILTINS[name] if row.result == UINT) for name in ("min", "max"))


def _dim3(build: Build, sizes: Sequence[tree.Expr]) -> tree.Expr:
    return build.call_builtin(make(DIM3), *(build.convert(UINT, size) for size in sizes))


def _number(node: tree.Expr) -> int | None:
    """Return the number that an expression is, if that can be seen."""
    match node:
        case tree.Constant(value=value):
            return int(value)
        case tree.Convert(operand=operand) if operand.type != BOOL:
            return _number(operand)
    return None
