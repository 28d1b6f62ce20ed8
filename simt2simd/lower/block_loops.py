"""A kernel that runs a block as loops over its gangs (`barrier-fission`): regions, and control flow once per block.

Variables have their homes on the stack of the function, as everywhere, and LLVM makes values of them. One that exists
once for the block keeps its value from region to region; each gang begins with the value from before the region. One
that differs between gangs is loaded from the gang's frame where a region needs it, and stored where it is wanted later.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import assert_never

from llvmlite import ir

from ..analysis.storage import REGISTER
from ..lang.ctype import Scalar, leaves
from ..mapping.barrier_fission import Choice, Items, Jump, Once, Plan, Region, Repeat, Selection, regions
from ..mapping.block_size_specialisation import UsualBlock
from ..mapping.first_threads import Prefix
from ..mapping.register_arrays import THREADS
from ..simd import mask as masks
from ..simd.builder import I1, I8, I32, I64, concat, const, undefined
from ..simd.mask import Mask
from ..simd.values import move
from ..target import Along
from ..tree import nodes as tree
from ..tree.effects import named_variables
from ..tree.nodes import Variable
from . import available_loads, full_mask, profile_counters, register_arrays, warp
from .declarations import declare
from .expressions import scalar
from .frame import Frame
from .gang_loops import MOST_LANES_PER_THREAD, BlockSize, Turn, each_gang, existing_lanes, first_threads, set_field
from .signature import receive
from .statements import block, statement

Key = tuple[Variable, int]  # a scalar of a variable, by its offset


def lower_block(f: Frame, plan: Plan, args: Sequence[ir.Value]) -> None:
    """Lower the body of a kernel so that it runs a whole block, in gangs that lie in rows or span them.

    `f` is at its start, `args` are its arguments.
    """
    _WholeBlock(f, plan, args).run()


@dataclass(frozen=True)
class _Loop:
    """Where `break` and `continue` lead; a switch has no `again`."""

    exit: ir.Block
    again: ir.Block | None


@dataclass(frozen=True)
class _State:
    """A region while it is lowered: the values of its block-wide variables before it, and where they go."""

    region: Region
    before: dict[Key, ir.Value]
    after: dict[Key, ir.AllocaInstr]
    alive: ir.Value | None  # the lanes, of any gang, that reach the end of a region in which threads may return
    own_masks: bool  # the gangs' masks are in their frames
    first_threads: Prefix | None  # all that have something to do


@dataclass
class _WholeBlock:
    f: Frame
    plan: Plan
    args: Sequence[ir.Value]
    loops: list[_Loop] = field(default_factory=list)
    usual: UsualBlock | None = None  # the block's, in code of its own for that
    alone: Mask | None = None  # the lanes of the first gang while it runs items on its own

    @property
    def everyone(self) -> Mask:
        return Mask(masks.all_lanes(self.f.lanes))

    @property
    def along(self) -> Along:
        return self.f.shapes.instance.along

    @property
    def none(self) -> ir.Constant:
        """No lanes, as in frames."""
        return ir.Constant(masks.travelling(self.f.lanes), 0)

    def run(self) -> None:
        f = self.f
        rows, in_step = f.program.plans.in_step(f.shapes.function.name), 1
        if rows is not None and rows.side is not None:
            in_step, side = rows.rows, ir.Constant(I32, rows.side)
            f.fields |= {"launch.block.x": side, "launch.block.y": side, "launch.block.z": ir.Constant(I32, 1)}
            f.fields["launch.threads"] = ir.Constant(I32, rows.side**2)
        threads, width, height = (f.fixed(f"launch.{name}", I32) for name in ("threads", "block.x", "block.y"))
        ragged = in_step == 1 and f.program.plans.is_ragged(f.shapes.instance)
        self.size = BlockSize(threads, width, height, one_layer=in_step > 1, in_step=in_step, ragged=ragged)
        self.slots = _Slots(f, self.plan)
        most = f.shapes.function.most_threads * (MOST_LANES_PER_THREAD if ragged else 1)
        self.frames = f.allocate(ir.ArrayType(I8, self.slots.size * -(-most // (f.lanes * in_step))), "frames")
        self.frames.align = 64
        params = f.shapes.function.params
        receive(f, [param for param in params if param in self.plan.once], self.args, self.everyone)
        self.own_params = [param for param in params if param not in self.plan.once]
        self.first_region = next(iter(regions(self.plan.items)), None)
        usual = f.program.plans.block_sizes.get(f.shapes.instance)
        if usual is not None and f.debug is None:
            self.if_usual(usual)
        self.whole()

    def whole(self) -> None:
        """Lower all of the kernel, to its end."""
        self.items(self.plan.items)
        if not self.f.ended:
            self.f.b.branch(self.f.leave)

    def if_usual(self, usual: UsualBlock) -> None:
        """Lower the kernel for a block of the usual size; continue where it has another one."""
        f, b, size, fields = self.f, self.f.b, self.size, self.f.fields
        threads, width, height, one = (ir.Constant(I32, n) for n in (usual.threads, usual.width, usual.height, 1))
        same_rows = b.icmp_unsigned("==", size.width, width), b.icmp_unsigned("==", size.height, height)
        is_usual = b.and_(b.icmp_unsigned("==", size.threads, threads), b.and_(*same_rows), name="usual.size")
        own, other = f.block("usual"), f.block("unusual")
        b.cbranch(is_usual, own, other)
        b.position_at_end(own)
        sizes = {"launch.threads": threads} | {
            f"launch.block.{axis}": value for axis, value in zip("xyz", (width, height, one), strict=True)
        }
        f.fields = fields | sizes
        for array in usual.arrays:
            home = f.allocate(ir.ArrayType(I8, array.type.size), array.name)
            home.align = 64
            f.own_shared[array] = home
        self.size = replace(size, threads=threads, width=width, height=height, one_layer=True, ragged=False)
        self.usual = usual
        self.whole()
        self.size, self.usual = size, None
        f.own_shared.clear()
        f.fields = fields | {path: value for path, value in f.fields.items() if path not in sizes}
        b.position_at_end(other)

    # ------------------------------------------------------------------------ control flow of the whole block

    def items(self, items: Items) -> None:
        """Lower the items in order, up to a jump."""
        for item in items:
            if self.f.ended:
                return
            match item:
                case Region():
                    self.region(item)
                case Once():
                    with self.once():
                        statement(self.f, item.statement, self.everyone)
                case Choice():
                    self.choice(item)
                case Repeat():
                    self.repeat(item)
                case Selection():
                    self.selection(item)
                case Jump():
                    self.jump(item)
                case _:
                    assert_never(item)

    @contextmanager
    def once(self) -> Iterator[None]:
        """What is lowered inside is done once for the block."""
        available_loads.forget(self.f)
        self.f.once = self.alone is None
        yield
        self.f.once = False

    def value(self, node: tree.Expr) -> ir.Value:
        with self.once():
            value = scalar(self.f, node, self.everyone)
        assert value.uniform
        return value.ir

    def section(self, items: Items, start: ir.Block, following: ir.Block) -> None:
        """Lower items from the block `start` on, and go to `following` after them."""
        self.f.b.position_at_end(start)
        self.items(items)
        if not self.f.ended:
            self.f.b.branch(following)

    def choice(self, item: Choice) -> None:
        f = self.f
        then, other, done = f.block("then"), f.block("else"), f.block("endif")
        f.b.cbranch(self.value(item.cond), then, other)
        self.section(item.then, then, done)
        self.section(item.other, other, done)
        f.b.position_at_end(done)

    def repeat(self, item: Repeat) -> None:
        """Lower a loop with barriers inside: one scalar loop for the block."""
        f = self.f
        arrays = f.program.plans.register_arrays.get(item, ()) if self.alone is None else ()
        test, body, again, done = (f.block(f"loop.{part}") for part in ("test", "body", "again", "done"))
        if arrays and self.usual is not None:
            self.first_iterations(item, self.usual.iterations, done)
        f.b.branch(test if item.test_first else body)
        self.loops.append(_Loop(done, again))
        self.section(item.body, body, again)
        self.loops.pop()
        self.section(item.step, again, test)
        f.b.position_at_end(test)
        if item.cond is None:
            f.b.branch(body)
        elif arrays:
            f.b.cbranch(self.value(item.cond), few := f.block("loop.few"), done)
            f.b.position_at_end(few)
            self.repeat_alone(item, arrays, body, done)
        else:
            f.b.cbranch(self.value(item.cond), body, done)
        f.b.position_at_end(done)

    def first_iterations(self, item: Repeat, count: int, done: ir.Block) -> None:
        """Unroll the first iterations of a loop, so that LLVM knows the numbers in each; after the last continue.

        Assumes that the loop tests first.
        """
        f, b = self.f, self.f.b
        for _ in range(count):
            body, again, following = (f.block(f"round.{part}") for part in ("body", "again", "next"))
            assert item.cond is not None
            b.cbranch(self.value(item.cond), body, done)
            self.loops.append(_Loop(done, again))
            self.section(item.body, body, again)
            self.loops.pop()
            self.section(item.step, again, following)
            b.position_at_end(following)

    def repeat_alone(self, item: Repeat, arrays: tuple[Variable, ...], others: ir.Block, done: ir.Block) -> None:
        """Run iterations with arrays in registers, from one on in which only the first threads have work.

        As soon as others have something to do go to `others`, for that iteration's body; after the last, to `done`.
        """
        f, b = self.f, self.f.b
        first, body, leave = (f.block(f"alone.{part}") for part in ("first", "body", "leave"))
        b.cbranch(self.only_first_threads(item), first, others)
        b.position_at_end(first)
        with self.as_thread_zero():
            self.alone = self.lanes_alone()
            changed = self.enter_alone(item, self.alone)
            register_arrays.take(f, arrays)
            ways: list[tuple[int, ir.Block]] = []  # whether there is more to do for others, and where that is known
            for _ in range(self.usual.alone if self.usual is not None else 0):
                following = f.block("alone.next")
                ways += self.iteration_alone(item, following, leave)
                b.position_at_end(following)
            b.branch(body)
            b.position_at_end(body)
            ways += self.iteration_alone(item, body, leave)
            b.position_at_end(leave)
            more = b.phi(I1, "more")
            for is_more, block_ in ways:
                more.add_incoming(ir.Constant(I1, is_more), block_)
            register_arrays.give_back(f, arrays)
            for key in changed:
                b.store(self.load(key), move(b, self.frames, self.slots.register[key]))
            b.cbranch(more, others, done)
            self.alone = None

    def iteration_alone(self, item: Repeat, following: ir.Block, leave: ir.Block) -> list[tuple[int, ir.Block]]:
        """Run an iteration for the first gang. Go to `following` while it stays alone, else to `leave`.

        Return the two blocks that lead there, and whether the loop continues for others.
        """
        f, b = self.f, self.f.b
        again = f.block("alone.again")
        self.items((*item.body, *item.step))
        assert item.cond is not None
        b.cbranch(self.value(item.cond), again, leave)
        ended = b.block
        b.position_at_end(again)
        b.cbranch(self.only_first_threads(item), following, leave)
        return [(0, ended), (1, b.block)]

    @contextmanager
    def as_thread_zero(self) -> Iterator[None]:
        """Let the gang be the one that begins with thread 0, and let LLVM know."""
        f, zero = self.f, ir.Constant(I32, 0)
        set_field(f.b, f.gang, "first_thread", zero)
        for axis in "xyz":
            set_field(f.b, f.gang, "thread", zero, axis)
        outside, own = f.fields, dict.fromkeys(("first_thread", "thread.x", "thread.y", "thread.z"), zero)
        f.fields = outside | own
        yield
        f.fields = outside | {path: value for path, value in f.fields.items() if path not in own}

    def lanes_alone(self) -> Mask:
        """Return the lanes that may run alone; LLVM sees that others of a wide gang are off."""
        b, most = self.f.b, ir.IntType(THREADS)
        bits = self.first_mask()
        first = masks.from_bits(b, b.trunc(bits, most) if bits.type != most else bits).lanes
        none = masks.no_lanes(THREADS)
        return Mask(concat(b, [first] + [none] * (self.f.lanes // THREADS - 1)))

    def first_mask(self) -> ir.Value:
        """Return the first gang's lanes, as they travel, of those that may run alone."""
        b, type_ = self.f.b, masks.travelling(self.f.lanes)
        if self.plan.loses_threads:
            bits: ir.Value = b.load(self.frames, typ=type_, name="mask.bits")
        else:
            bits = existing_lanes(b, self.size.threads, ir.Constant(I32, 0))
        return b.and_(bits, ir.Constant(type_, (1 << THREADS) - 1))

    def only_first_threads(self, item: Repeat) -> ir.Value:
        """Whether only the first few threads have work in an iteration of a loop, and one of them is on."""
        f, b, most = self.f, self.f.b, ir.Constant(I32, THREADS)
        prefixes = [f.program.plans.first_threads.get(region) for region in regions((item,))]
        small = b.icmp_unsigned("<=", self.size.threads, most)
        if all(prefixes):
            small = ir.Constant(I1, 1)
            for found in filter(None, prefixes):
                count = None if found.count is None else self.value(found.count)
                threads = _thread_count(b, found, count, self.size.width)
                small = b.and_(small, b.icmp_unsigned("<=", threads, most))
        some = b.icmp_unsigned("!=", self.first_mask(), self.none)
        return b.and_(b.and_(small, some), b.icmp_unsigned("==", self.size.width, self.size.threads), name="only.first")

    def enter_alone(self, item: Repeat, mask: Mask) -> list[Key]:
        """Give the first gang its variables; return which of them to put back into its frame."""
        f, b, plan = self.f, self.f.b, self.plan
        for variable, offset in self.slots.memory.items():
            f.places[variable] = move(b, self.frames, offset)
        inside = list(regions((item,)))
        for key, offset in self.slots.register.items():
            if any(key[0] in plan.needed[region] for region in inside):
                home = self.home(key)
                b.store(b.load(move(b, self.frames, offset), typ=home.allocated_type), home)
        for node in {node.variable: node for region in inside for node in self.remade_for(region)}.values():
            declare(f, node, mask)
        written = frozenset().union(*(region.assigned & plan.wanted[region] for region in inside))
        return [key for key in self.slots.register if key[0] in written]

    def selection(self, item: Selection) -> None:
        """Lower a switch with barriers inside: one jump table for the block."""
        f = self.f
        value = self.value(item.value)
        entries, done = [f.block("case") for _ in item.sections], f.block("switch.done")
        default = done
        for entry, (labels, _) in zip(entries, item.sections, strict=True):
            default = entry if None in labels else default
        table = f.b.switch(value, default)
        self.loops.append(_Loop(done, None))
        for i, (labels, section) in enumerate(item.sections):
            for label in labels:
                if label is not None:
                    table.add_case(const(value.type, label), entries[i])
            self.section(section, entries[i], (*entries, done)[i + 1])
        self.loops.pop()
        f.b.position_at_end(done)

    def jump(self, item: Jump) -> None:
        match item.node:
            case tree.Break():
                self.f.b.branch(self.loops[-1].exit)
            case tree.Continue():
                self.f.b.branch(next(loop.again for loop in reversed(self.loops) if loop.again is not None))
            case tree.Return():
                self.f.b.branch(self.f.leave)

    # -------------------------------------------------------------------------------------------- a region

    def region(self, region: Region) -> None:
        """Emit `for each gang: region`, and the end of the block if no thread is left then."""
        f, b = self.f, self.f.b
        if self.alone is not None:
            available_loads.forget(f)
            block(f, region.statements, self.alone)
            return
        once = [variable for variable in self.plan.ordered(region.assigned) if variable in self.plan.once]
        before = {key: self.load(key) for key in self.keys(once) if key[0] in self.plan.needed[region]}
        after = {
            key: f.allocate(self.home(key).allocated_type, "after")
            for key in self.keys(once)
            if key[0] in self.plan.wanted[region]
        }
        alive = f.allocate(self.none.type, "alive") if region.returns else None
        if alive is not None:
            b.store(self.none, alive)
        own_masks = self.plan.loses_threads and region is not self.plan.start
        first = f.program.plans.first_threads.get(region)
        state = _State(region, before, after, alive, own_masks, first)
        split = not own_masks and full_mask.gangs_pay(f, region.statements)
        if first is None:
            each_gang(b, f.gang, self.size, lambda turn: self.turn(state, turn), along=self.along, split=split)
        else:
            count = None if first.count is None else self.value(first.count)
            threads = _thread_count(b, first, count, self.size.width)
            first_threads(b, f.gang, self.size, threads, lambda turn: self.turn(state, turn), split=split)
        for key, slot in after.items():
            b.store(b.load(slot, typ=slot.allocated_type), self.home(key))
        if alive is not None:
            more = f.block("some.alive")
            b.cbranch(b.icmp_unsigned("!=", b.load(alive, typ=self.none.type), self.none), more, f.leave)
            b.position_at_end(more)

    def turn(self, state: _State, turn: Turn) -> None:
        """Run the region for one gang."""
        f, b, region = self.f, self.f.b, state.region
        available_loads.forget(f)
        outside = f.fields
        own_fields = {"first_thread": turn.first}
        own_fields |= {f"thread.{axis}": value for axis, value in zip("xyz", turn.thread, strict=False)}
        f.fields = outside | own_fields
        done = f.block("gang.done")
        frame = move(b, self.frames, b.mul(b.zext(turn.slot, I64), ir.Constant(I64, self.slots.size // f.lanes)))
        bits = present = turn.mask
        if state.first_threads is not None:
            present = self.existing(turn)
        if state.own_masks:
            bits = present = b.load(frame, typ=self.none.type, name="mask.bits")
            bits = b.and_(bits, turn.mask) if state.first_threads is not None else bits
            run = f.block("gang.run")
            b.cbranch(b.icmp_unsigned("!=", bits, self.none), run, done)
            b.position_at_end(run)
        warp.begin(f, present)
        mask = self.everyone if bits is masks.all_bits(f.lanes) else full_mask.usually_full(f, masks.from_bits(b, bits))
        self.begin(region, frame, state.before, mask)
        if region is self.first_region:
            profile_counters.entered(f, mask)
        else:
            profile_counters.passed_barrier(f, mask)
        leave = f.leave
        if region.returns:
            f.leave = f.block("gang.left")
            b.store(masks.no_lanes(f.lanes), f.returned)
        statements = region.statements if state.first_threads is None else state.first_threads.body.statements
        if state.first_threads is not None:
            warp.enter(f, state.first_threads.body, mask)
        left = block(f, statements, mask)
        if not f.ended:
            self.end(state, frame, left, done)
        if region.returns:
            b.position_at_end(f.leave)
            b.store(self.none, frame)
            b.branch(done)
        f.leave = leave
        b.position_at_end(done)
        outside |= {path: value for path, value in f.fields.items() if path not in own_fields}
        f.fields = outside

    def existing(self, turn: Turn) -> ir.Value:
        """Return the lanes of a gang in a row, as they travel, that have a thread."""
        if self.size.ragged:
            return existing_lanes(self.f.b, self.size.width, turn.thread[0])
        return existing_lanes(self.f.b, self.size.threads, turn.first)

    def begin(self, region: Region, frame: ir.Value, before: dict[Key, ir.Value], mask: Mask) -> None:
        """Give the variables that occur in the region their values."""
        f, b, plan = self.f, self.f.b, self.plan
        for variable, offset in self.slots.memory.items():
            f.places[variable] = move(b, frame, offset)
        remade = self.remade_for(region)
        made = {node.variable for node in remade}
        for variable in self.plan.ordered(region.mentioned):
            if f.program.storage.of(variable) != REGISTER or variable in made:
                continue
            for key in self.keys([variable]):
                home = self.home(key)
                if key in before:
                    b.store(before[key], home)
                elif variable in plan.needed[region] and key in self.slots.register:
                    b.store(self.kept(frame, self.slots.register[key], home.allocated_type), home)
                elif variable not in plan.needed[region]:  # what the last gang left there is dead
                    b.store(undefined(home.allocated_type), home)
        if region is plan.start:
            receive(f, self.own_params, self.args, mask)
        for node in remade:
            declare(f, node, mask)

    def remade_for(self, region: Region) -> list[tree.Declare]:
        """Return the declarations to repeat before the region, in order."""
        wanted = set(self.plan.needed[region] & region.mentioned) - self.plan.once
        found: list[tree.Declare] = []
        for node in reversed(self.plan.remade):
            if node.variable in wanted:
                assert node.initial is not None
                found.append(node)
                wanted |= named_variables(node.initial) - self.plan.settled
        return found[::-1]

    def end(self, state: _State, frame: ir.Value, left: Mask | None, done: ir.Block) -> None:
        """Save what later regions need, and go to `done`; `left` are the lanes that reached the region's end."""
        f, b, plan, region = self.f, self.f.b, self.plan, state.region
        changed = region.assigned | frozenset(self.own_params if region is plan.start else ())
        for key, offset in self.slots.register.items():
            if key[0] in changed and key[0] in plan.wanted[region]:
                b.store(self.load(key), move(b, frame, offset), align=_alignment(offset))
        bits = self.none if left is None else masks.bits(b, left)
        if plan.loses_threads and (region.returns or region is plan.start):
            b.store(bits, frame)
        if state.alive is not None:
            b.store(b.or_(b.load(state.alive, typ=self.none.type), bits), state.alive)
            if state.after:  # a gang without lanes may not have come by all assignments
                whole = f.block("gang.whole")
                b.cbranch(b.icmp_unsigned("!=", bits, self.none), whole, done)
                b.position_at_end(whole)
        for key, slot in state.after.items():
            b.store(self.load(key), slot)
        b.branch(done)

    # -- the homes of register variables

    def keys(self, variables: list[Variable]) -> list[Key]:
        return [(variable, offset) for variable in variables for offset, _ in leaves(variable.type)]

    def kept(self, frame: ir.Value, offset: int, type_: ir.Type) -> ir.Value:
        """Return what the frame of a gang holds."""
        b = self.f.b
        return b.load(move(b, frame, offset), typ=type_, align=_alignment(offset))

    def home(self, key: Key) -> ir.AllocaInstr:
        variable, offset = key
        return self.f.home(variable, offset, dict(leaves(variable.type))[offset])

    def load(self, key: Key) -> ir.Value:
        home = self.home(key)
        return self.f.b.load(home, typ=home.allocated_type, name=key[0].name)


class _Slots:
    """Where a gang's frame holds what is kept: the mask, if threads get lost, then variables."""

    def __init__(self, f: Frame, plan: Plan) -> None:
        self.register: dict[Key, int] = {}
        self.memory: dict[Variable, int] = {}
        self.size = f.lanes // 8 if plan.loses_threads else 0
        for variable in plan.kept:
            if f.program.storage.of(variable) != REGISTER:
                self.memory[variable] = self.place(variable.type.size * f.lanes, 64)
                continue
            for offset, leaf in leaves(variable.type):
                is_scalar = f.shapes.variable(variable, offset).scalar
                self.register[variable, offset] = self.place(leaf.size * (1 if is_scalar else f.lanes), leaf.size)
        self.size = -(-self.size // 64) * 64

    def place(self, size: int, align: int) -> int:
        align = 64 if size >= 64 else align
        offset = -(-self.size // align) * align
        self.size = offset + size
        return offset


def _alignment(offset: int) -> int:
    """Return how a place in a frame is aligned, in bytes."""
    return min(64, offset & -offset) if offset else 64


def _thread_count(b: ir.IRBuilder, prefix: Prefix, count: ir.Value | None, width: ir.Value) -> ir.Value:
    """Return how many threads of each row run a prefix, as i32, from the value of its `count` and a row's width."""
    if prefix.count is None or count is None:
        return ir.Constant(I32, 1)
    assert isinstance(prefix.count.type, Scalar)
    signed = prefix.count.type.signed
    less = b.icmp_signed if signed else b.icmp_unsigned
    most = width if count.type == I32 else b.zext(width, count.type)
    some = b.select(less("<", count, most), count, most)  # the width is small: no number wraps from here on
    if prefix.inclusive:
        some = b.add(some, const(count.type, 1))
        some = b.select(less("<", some, most), some, most)
    if signed:
        some = b.select(b.icmp_signed(">", some, const(count.type, 0)), some, const(count.type, 0))
    return b.trunc(some, I32, name="first.threads") if count.type != I32 else some
