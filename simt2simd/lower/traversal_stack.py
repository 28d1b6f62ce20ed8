"""A recursive walk as a loop over a stack (see `analysis/walks`; `mapping/stack_walks` chooses which).

Each iteration is one call of the function: its parameters lie in their homes, its lanes are the mask of the iteration.
What the calls in it pass on is pushed: the arguments that are not the same in all iterations, each a scalar or a vector
as the shape of its parameter says, and the lanes. The first call of an iteration is the next iteration. A loop of calls
pushes them in the order in which it reaches them, and then reverses them.

    entry ─> round ─> ... ─┬─> round             the first call, if a lane makes it
                           └─> next ─┬─> round   pops a call
                                     └─> return  if there is none

The stack begins as a few dozen entries in the function's frame. When it is full, its contents move to a larger one,
further down on the gang's own stack: a walk that is too deep ends as a recursion does, in the stack's guard.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from llvmlite import ir

from ..analysis import walks
from ..report import outcome
from ..simd import builder
from ..simd import mask as masks
from ..simd.builder import F32, I8, I32, I64
from ..simd.mask import Mask
from ..simd.values import PTR, Value, move, opaque, vector
from ..tree import nodes as tree
from ..tree.effects import declared_variables, named_variables, written_variables
from . import profile_counters, single_lane
from .declarations import declare
from .expressions import expression, scalar
from .frame import Frame, coerce
from .signature import leaving, parameters, receive
from .statements import block, statement

STACK_BYTES = 1024  # of a walk's stack at first, about
MAX_ENTRIES, MIN_ENTRIES = 64, 8
MAX_AT_ONCE = 4  # entries for which room is made together
MAX_GROWTH = 4 << 20  # bytes; less than the guard of a stack


def lower(f: Frame, args: Sequence[ir.Value], mask: Mask) -> None:
    """Lower the body of the function, whose parameters have been given `args`."""
    _Walk(f, args).run(mask)


class _Walk:
    """`changing`: the parameters that not all calls hand on; `places`: where their scalars are among the arguments."""

    def __init__(self, f: Frame, args: Sequence[ir.Value]) -> None:
        self.f = f
        self.function = f.shapes.function
        self.args = args
        same = walks.handed_on(self.function)
        self.changing = [param for param, kept in zip(self.function.params, same, strict=True) if not kept]
        self.places = [i for i, (param, _, _) in enumerate(parameters(f.shapes)) if param in self.changing]
        self.stack = _Stack(f, [args[i].type for i in self.places])
        self.iteration, self.next = f.block("walk.round"), f.block("walk.next")
        self.ways: list[tuple[list[ir.Value], ir.Block]] = []  # to the next iteration, with its arguments and lanes

    def run(self, mask: Mask) -> None:
        f, b = self.f, self.f.b
        leave, f.leave = f.leave, self.next
        self.go([*(self.args[i] for i in self.places), masks.bits(b, mask)])
        b.position_at_end(self.iteration)
        *passed, bits = [b.phi(value.type, f"round.{_name(value)}") for value in self.ways[0][0]]
        args = list(self.args)
        for i, value in zip(self.places, passed, strict=True):
            args[i] = value
        single_lane.branch_off(f, bits, args)
        inside = masks.from_bits(b, bits, "round.mask")
        receive(f, self.changing, args, inside)
        b.store(masks.no_lanes(b.lanes), f.returned)
        self.body(self.function.body.statements, inside, last=True)
        f.leave = leave
        b.position_at_end(self.next)
        pop = f.block("walk.pop")
        b.cbranch(self.stack.is_empty(), leave, pop)
        b.position_at_end(pop)
        self.go(self.stack.pop())
        for values, source in self.ways:
            for phi, incoming in zip([*passed, bits], values, strict=True):
                phi.add_incoming(incoming, source)

    def go(self, values: list[ir.Value]) -> None:
        """Start an iteration with these arguments and, at their end, lanes."""
        self.ways.append((values, self.f.b.block))
        self.f.b.branch(self.iteration)

    # In what follows the lanes are not none, and `last` says that nothing of the iteration is left to do after the
    # statements: then no block is open after them, all ways lead to the next iteration. Else one is.

    def body(self, statements: Sequence[tree.Stmt], mask: Mask, *, last: bool) -> None:
        """Lower the statements of the walk or of an arm: work, then what visits the children."""
        f, b = self.f, self.f.b
        found = walks.parts(statements, self.function.name, loops=True)
        assert found is not None
        after = block(f, found.work, mask)
        if f.ended:
            if not last:
                b.position_at_end(f.block("unreached"))
        elif after is not None and found.fork is not None:
            fork = found.fork
            self.under(after, lambda lanes: self.fork(fork, lanes, last), last)
        elif after is not None and found.steps:
            self.under(after, lambda lanes: self.steps(found.steps, lanes, last), last)
        elif last:
            b.branch(self.next)

    def under(self, mask: Mask, lower: Callable[[Mask], None], last: bool) -> None:
        """Emit what `lower` emits, to run only if `mask` has a lane."""
        f, b = self.f, self.f.b
        if not mask.maybe_empty:
            lower(mask)
            return
        some, done = f.block("walk.some"), self.next if last else f.block("walk.done")
        b.cbranch(masks.any_on(b, mask), some, done)
        b.position_at_end(some)
        lower(mask.nonempty())
        if not last:
            b.branch(done)
            b.position_at_end(done)

    def fork(self, node: tree.If, mask: Mask, last: bool) -> None:
        f, b = self.f, self.f.b
        cond = scalar(f, node.cond, mask)
        form = outcome.UNIFORM_BRANCH if cond.uniform else outcome.DIVERGENT_IF
        f.note(node, form)
        profile_counters.branched(f, node, form, mask, divergent=not cond.uniform)
        if cond.uniform:
            then, other, done = (f.block(f"walk.{name}") for name in ("then", "else", "endif"))
            b.cbranch(cond.ir, then, other)
            for entry, arm in ((then, node.then), (other, node.other)):
                b.position_at_end(entry)
                self.body(arm.statements, mask, last=last)
                if not last:
                    b.branch(done)
            if last:
                f.function.blocks.remove(done)
            else:
                b.position_at_end(done)
            return
        lanes = vector(b, cond)
        arms = [
            (node.other, masks.without(b, mask, lanes, "else.mask")),
            (node.then, masks.both(b, mask, lanes, "then.mask")),
        ]
        if not walks.calls(node.then, self.function.name) or _disturbs(node.other, node.then):
            arms.reverse()  # else the next iteration begins after the arm with calls
        (first, first_lanes), (second, second_lanes) = arms
        if first.statements:
            self.under(first_lanes, lambda lanes: self.body(first.statements, lanes, last=False), False)
        self.under(second_lanes, lambda lanes: self.body(second.statements, lanes, last=last), last)

    def steps(self, statements: Sequence[tree.Stmt], mask: Mask, last: bool) -> None:
        """Push the calls, the last one first. All that they depend on is known by now."""
        f, stack = self.f, self.stack
        first, *rest = [node for node in statements if not isinstance(node, tree.Declare)]
        for node in statements:
            if isinstance(node, tree.Declare):
                profile_counters.ran(f, node, mask)
                declare(f, node, mask)
        pushes = sum(len(walks.calls(node, self.function.name)) for node in (first, *rest))
        outermost = not stack.has_room and pushes <= MAX_AT_ONCE
        if outermost and pushes > (1 if last else 0):
            stack.make_room(pushes)
            stack.has_room = True
        if last and rest and isinstance(first, tree.If) and not first.other.statements:
            second, *others = rest
            for node in reversed(others):
                self.step(node, mask, last=False)
            self.first_or_second(first, second, mask)
        else:
            for node in reversed(rest):
                self.step(node, mask, last=False)
            self.step(first, mask, last=last)
        if outermost:
            stack.has_room = False

    def first_or_second(self, first: tree.If, second: tree.Stmt, mask: Mask) -> None:
        """Take the first of two steps, which is conditional, or at once the second if no lane takes the first.

        To push the second in that case, only to pop it, would have the next iteration wait for the memory.
        """
        f, b = self.f, self.f.b
        cond = scalar(f, first.cond, mask)
        form = outcome.UNIFORM_BRANCH if cond.uniform else outcome.DIVERGENT_IF
        f.note(first, form)
        profile_counters.branched(f, first, form, mask, divergent=not cond.uniform)
        some, none = f.block("walk.first"), f.block("walk.second")
        lanes = mask if cond.uniform else masks.both(b, mask, vector(b, cond), "then.mask")
        b.cbranch(cond.ir if cond.uniform else masks.any_on(b, lanes), some, none)
        b.position_at_end(some)
        self.step(second, mask, last=False)
        self.body(first.then.statements, lanes.nonempty(), last=True)
        b.position_at_end(none)
        self.step(second, mask, last=True)

    def step(self, node: tree.Stmt, mask: Mask, *, last: bool) -> None:
        match node:
            case tree.If():
                self.fork(node, mask, last)
            case tree.Block():
                self.body(node.statements, mask, last=last)
            case tree.Evaluate(expr=tree.Call() as call):
                profile_counters.ran(self.f, node, mask)
                values = [*self.arguments(call, mask), masks.bits(self.f.b, mask)]
                if last:
                    self.go(values)
                else:
                    self.stack.push(values)
            case tree.Loop():
                self.loop(node, mask)
                if last:
                    self.f.b.branch(self.next)

    def loop(self, node: tree.Loop, mask: Mask) -> None:
        """Push the calls that a loop makes, the first one last."""
        f = self.f
        used, has_room = self.stack.used(), self.stack.has_room
        self.stack.has_room = False

        def push(call: tree.Call, lanes: Mask) -> None:
            self.under(lanes, lambda some: self.stack.push([*self.arguments(call, some), masks.bits(f.b, some)]), False)

        f.stacked = push
        statement(f, node, mask)
        f.stacked = None
        self.stack.has_room = has_room
        self.stack.reverse(used)

    def arguments(self, call: tree.Call, mask: Mask) -> list[ir.Value]:
        """Return the scalars that a call passes on for the parameters that change."""
        f = self.f
        f.note(call, outcome.STACKED_CALL)
        values: list[ir.Value] = []
        for param, arg, known in zip(self.function.params, call.args, f.shapes.args, strict=True):
            if param in self.changing:
                value = expression(f, arg, mask)
                shapes = known if isinstance(known, tuple) else (known,)
                for part, shape in zip((value,) if isinstance(value, Value) else value, shapes, strict=True):
                    assert shape is not None
                    values.append(leaving(f.b, coerce(f.b, part, shape).ir))
        return values


def _disturbs(first: tree.Block, second: tree.Block) -> bool:
    """Whether an arm changes what the other one names: lanes that still wait for theirs are known to keep their values
    only if the arms run in the order of the text."""
    return bool((written_variables(first) - declared_variables(first)) & named_variables(second))


def _name(value: ir.Value) -> str:
    return value.name if isinstance(value, ir.NamedValue) else "constant"


class _Stack:
    """Entries of the same types, from `base` to `top`, in memory that ends at `end`: these are slots of pointers.

    `has_room`: room has been made for what is pushed.
    """

    def __init__(self, f: Frame, types: Sequence[ir.Type]) -> None:
        self.f = f
        self.has_room = False
        self.entry = ir.LiteralStructType([*types, masks.travelling(f.b.lanes)])
        count = min(MAX_ENTRIES, STACK_BYTES // sum(map(_size, self.entry.elements)))
        count = max(MIN_ENTRIES, count // 8 * 8)  # whole words, however small an entry is
        memory = f.allocate(ir.ArrayType(self.entry, count), "walk.stack")
        self.base, self.top, self.end = (f.allocate(PTR, f"walk.{name}") for name in ("base", "top", "end"))
        f.b.store(memory, self.base)
        f.b.store(memory, self.top)
        f.b.store(self.moved(memory, count), self.end)

    def moved(self, place: ir.Value, entries: int) -> ir.Value:
        return self.f.b.gep(place, [ir.Constant(I64, entries)], source_etype=self.entry)

    def is_empty(self) -> ir.Value:
        b = self.f.b
        return b.icmp_unsigned("==", b.load(self.top, typ=PTR), b.load(self.base, typ=PTR))

    def make_room(self, entries: int) -> None:
        """Have memory for so many entries, at most `MIN_ENTRIES`."""
        f, b = self.f, self.f.b
        full, room = f.block("stack.full"), f.block("stack.room")
        new_top = self.moved(b.load(self.top, typ=PTR), entries)
        is_full = b.icmp_unsigned(">", new_top, b.load(self.end, typ=PTR))
        b.cbranch(is_full, full, room).set_weights([1, 1000])
        b.position_at_end(full)
        self.grow()
        b.branch(room)
        b.position_at_end(room)

    def push(self, values: Sequence[ir.Value]) -> None:
        b = self.f.b
        if not self.has_room:
            self.make_room(1)
        top = b.load(self.top, typ=PTR)
        for i, value in enumerate(values):
            b.store(value, self.field(top, i))
        b.store(self.moved(top, 1), self.top)

    def pop(self) -> list[ir.Value]:
        b = self.f.b
        top = self.moved(b.load(self.top, typ=PTR), -1)
        b.store(top, self.top)
        return [b.load(self.field(top, i), typ=type_) for i, type_ in enumerate(self.entry.elements)]

    def used(self) -> ir.Value:
        """Return how many bytes are used."""
        b = self.f.b
        return b.sub(b.ptrtoint(b.load(self.top, typ=PTR), I64), b.ptrtoint(b.load(self.base, typ=PTR), I64))

    def reverse(self, used: ir.Value) -> None:
        """Reverse the order of the entries that have been pushed since so many bytes were used."""
        f, b = self.f, self.f.b
        head, swap, done = f.block("stack.turn"), f.block("stack.swap"), f.block("stack.turned")
        lowest = move(b, b.load(self.base, typ=PTR), used)
        highest = self.moved(b.load(self.top, typ=PTR), -1)
        start = b.block
        b.branch(head)
        b.position_at_end(head)
        low, high = b.phi(PTR, "low"), b.phi(PTR, "high")
        b.cbranch(b.icmp_unsigned("<", low, high), swap, done)
        b.position_at_end(swap)
        fields = [(self.field(low, i), self.field(high, i), type_) for i, type_ in enumerate(self.entry.elements)]
        values = [(b.load(below, typ=type_), b.load(above, typ=type_)) for below, above, type_ in fields]
        for (below, above, _), (lower_value, upper_value) in zip(fields, values, strict=True):
            b.store(upper_value, below)
            b.store(lower_value, above)
        for phi, first, step in ((low, lowest, 1), (high, highest, -1)):
            phi.add_incoming(first, start)
            phi.add_incoming(self.moved(phi, step), b.block)
        b.branch(head)
        b.position_at_end(done)

    def field(self, entry: ir.Value, i: int) -> ir.Value:
        return self.f.b.gep(entry, [ir.Constant(I32, 0), ir.Constant(I32, i)], source_etype=self.entry)

    def grow(self) -> None:
        """Move the entries to larger memory: twice as large, at first.

        It is taken from the gang's stack, and may lie in the guard below that, or reach even further. What would be
        written first, at the place of the last entry, is at most `MAX_GROWTH` away from the stack: a guard is larger.
        It is touched before the stack pointer moves, from which the runtime knows whose guard that is.
        """
        f, b = self.f, self.f.b
        base, end = b.load(self.base, typ=PTR), b.load(self.end, typ=PTR)
        size = b.sub(b.ptrtoint(end, I64), b.ptrtoint(base, I64), name="stack.size")
        most = ir.Constant(I64, MAX_GROWTH)
        larger = b.add(size, b.select(b.icmp_unsigned("<", size, most), size, most), name="stack.larger")
        known = b.call(builder.declare(b.module, "llvm.stacksave.p0", PTR, []), [])
        builder.touch(b, b.gep(known, [b.sub(size, b.add(larger, ir.Constant(I64, 64 + 8)))], source_etype=I8))
        memory = opaque(b.alloca(I8, size=larger, name="walk.stack"))
        memory.align = 64
        copy, done = f.block("stack.copy"), f.block("stack.copied")
        start = b.block
        b.branch(copy)
        b.position_at_end(copy)
        left = b.phi(I64, "left")
        left.add_incoming(size, start)
        at = b.sub(left, ir.Constant(I64, 8))
        b.store(b.load(move(b, base, at), typ=I64, align=2), move(b, memory, at), align=2)
        left.add_incoming(at, copy)
        b.cbranch(b.icmp_unsigned("!=", at, ir.Constant(I64, 0)), copy, done)
        b.position_at_end(done)
        used = b.sub(b.ptrtoint(b.load(self.top, typ=PTR), I64), b.ptrtoint(base, I64))
        b.store(memory, self.base)
        b.store(move(b, memory, used), self.top)
        b.store(move(b, memory, larger), self.end)


def _size(type_: ir.Type) -> int:
    """Return about how many bytes a scalar or vector takes in an entry."""
    if isinstance(type_, ir.VectorType):
        return _size(type_.element) * int(type_.count)
    return max(1, int(type_.width) // 8) if isinstance(type_, ir.IntType) else 4 if type_ == F32 else 8
