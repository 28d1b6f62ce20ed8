"""Which loops work off a stack of the thread's own, and what they do with it.

    int stack[64], top = 0;                         while (true) {
    stack[top++] = root;                                if (leaf(n)) {
    while (top > 0) {                                       if (top == 0) break;
        int n = stack[--top];                               n = stack[--top];
        if (far(n)) continue;                           } else {
        stack[top++] = right(n);                            stack[top++] = right(n);
        stack[top++] = left(n);                             n = left(n);
    }                                                   }
                                                    }

Such a loop goes on to one node in each round. What it does with the stack is read as a script: pushes, and ends of the
round at which the next node is popped. On the left the round begins with the pop; on the right it has a `current` node,
which a path of the round sets or pops at its end. The stack may be several arrays under one index, an array of structs,
or be moved along by a pointer; `top` may count the entries or be the index of the last one.

This holds of the loops that are read, all others are refused with a reason:

- The arrays and `top` are local and are named only where the stack is set up, pushed, popped and tested for emptiness:
  nothing else can see what lies in it, or how deep it is.
- The set-up stands in the block of the loop. From there to the loop, the stack holds what is pushed there.
- A round pops once: at its start, in every round, or at the end of a path that sets no current node.
- The loop ends where the stack is empty, or where a sentinel is popped that was pushed first; any other end is a
  `break` or a `return`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ..lang.ctype import Array, CType, Pointer, Scalar, Struct, is_integer
from ..tree import nodes as tree
from ..tree.effects import (
    has_effects,
    is_local,
    jumps_out,
    named_variables,
    only_reads,
    repeats,
    root,
    writes,
    written_variables,
)
from ..tree.nodes import Loop, Variable
from ..tree.walk import children, map_children, walk
from .stack_accesses import Access, Accesses, moved_by, offset_of, pointer_of, references

# ------------------------------------------------------------------------------------------------ scripts


@dataclass(frozen=True, eq=False)
class Part:
    """What a stack holds in each entry: an element of `array`, or a member of it."""

    array: Variable
    member: str | None
    type: CType


@dataclass(frozen=True, eq=False)
class Plain:
    """A statement that does not touch the stack, and leads out of the round at most by a `return`."""

    node: tree.Stmt


@dataclass(frozen=True, eq=False)
class Push:
    """An entry is pushed: the value of each part."""

    node: tree.Node
    values: tuple[tree.Expr, ...]


@dataclass(frozen=True, eq=False)
class Set:
    """The current node becomes `value`, in the part `index`; nothing in the round reads it afterwards."""

    index: int
    value: tree.Expr


@dataclass(frozen=True, eq=False)
class Fork:
    """An `if` with such operations in an arm."""

    node: tree.Node
    cond: tree.Expr
    then: Script
    other: Script


@dataclass(frozen=True, eq=False)
class Stop:
    """The round ends. `takes`: the next node is popped, else it is the current one, if the loop has such."""

    takes: bool


@dataclass(frozen=True, eq=False)
class Leave:
    """The loop ends, whatever is on the stack."""

    node: tree.Node


Op = Plain | Push | Set | Fork | Stop | Leave
Script = tuple[Op, ...]


@dataclass(frozen=True, eq=False)
class StackLoop:
    """A loop over a stack, as read.

    `first` indexes, in the block of the loop, the statement where the set-up begins; `setup` are the statements from
    there. The popped values, or the current node, are `entry`, one variable for each of the `parts`. `test` must hold
    in every round; a round in which it does not hold ends the loop, and if it is `sentinel`, that may be by the node.
    """

    loop: Loop
    parts: tuple[Part, ...]
    entry: tuple[Variable, ...]
    current: bool
    first: int
    setup: Script
    test: tree.Expr | None
    sentinel: bool
    round: Script
    stack: frozenset[Variable]


@dataclass(frozen=True)
class Judged:
    """What became of a loop that pushes and pops, in the function `where`: `function`, or nothing else, for `why`.

    `at` is what stands in the way.
    """

    loop: Loop
    where: str
    why: str | None = None
    at: tree.Node | None = None
    function: str | None = None


def ends(script: Script) -> bool:
    """Whether all paths through a script end the round."""
    match script[-1:]:
        case (Stop() | Leave(),):
            return True
        case (Plain(node=tree.Return()),):
            return True
        case (Fork(then=then, other=other),):
            return ends(then) and ends(other)
    return False


# ------------------------------------------------------------------------------------------------ reading


def read(block: tree.Block, at: int, live: frozenset[Variable], pinned: set[Variable]) -> StackLoop:
    """Read the loop that is statement `at` of `block`; `live` are the variables that are read behind it, `pinned`
    those to which pointers lead.

    Raises `NotRead`.
    """
    loop = block.statements[at]
    assert isinstance(loop, Loop)
    top = pointer_of(loop)
    assert top is not None
    return _Reader(loop, top, block.statements, at, live, pinned).read()


@dataclass
class _Group:
    """Statements in a row that together push entries, or pop one: what has been written, and where `top` is."""

    slots: dict[tuple[int, int], tree.Expr] = field(default_factory=dict)  # by entry and part
    moved: int = 0


@dataclass(eq=False)
class _Reader(Accesses):
    statements: Sequence[tree.Stmt]
    at: int
    live: frozenset[Variable]
    pinned: set[Variable]
    parts: tuple[Part, ...] = ()
    entry: tuple[Variable, ...] = ()
    current: bool = False
    final: list[int | float | bool] = field(default_factory=list)  # values of the current node that end the loop

    # -------------------------------------------------------------------------------------- the whole

    def read(self) -> StackLoop:
        loop = self.loop
        if loop.step:
            self.fail(loop, "the loop has a step of its own")
        if not is_local(self.top) or not (is_integer(self.top.type) or isinstance(self.top.type, Pointer)):
            self.fail(loop, f"'{self.top.name}' is no variable of the thread's own")
        before = [*self.statements[: self.at], *loop.init]
        reset = self.find_reset(before)
        self.find_arrays(before, reset)
        body = _flat(loop.body.statements)
        test, tested = self.split_test(loop.cond)
        if not tested and body and self.is_exit(body[0]) and self.pops(body[1:]):
            tested = True
            body = body[1:]
        self.find_bottom(loop)
        self.find_convention()
        self.find_parts()
        round_: Script
        if tested:
            round_ = self.popping_round(body)
        else:
            self.find_current()
            round_ = self.script(body, frozenset(), popped=False)
        if any(isinstance(op, Plain) and self.touches(op.node) for op in _ops(round_)):
            self.fail(loop, f"'{self.top.name}' is used in another way than by pushes and pops")
        first, setup = self.read_setup(before, reset)
        setup, sentinel = self.check_start(setup, test, tested)
        sentinel = sentinel and not self.is_only_at_the_bottom(round_)
        first = min(first, self.at)  # where it is the start of the `for`
        watched = {self.top, *(self.entry if self.current else ())}
        if left := watched & self.live:
            name = min(variable.name for variable in left)
            self.fail(loop, f"'{name}' is read behind the loop")
        return StackLoop(
            loop, self.parts, self.entry, self.current, first, setup, test, sentinel, round_,
            frozenset({self.top, *self.arrays}),
        )  # fmt: skip

    def find_reset(self, before: Sequence[tree.Stmt]) -> int:
        """Return the index of the statement that sets `top`."""
        for i in reversed(range(len(before))):
            match before[i]:
                case tree.Declare(variable=variable, initial=initial) if variable is self.top and initial is not None:
                    return i
                case tree.Evaluate(expr=tree.Assign(place=tree.VarRef(variable=variable), value=value)):
                    if variable is self.top and self.top not in named_variables(value):
                        return i
            if isinstance(before[i], Loop | tree.Switch) and self.top in written_variables(before[i]):
                break
        return self.fail(self.loop, f"'{self.top.name}' gets no start value in the block of the loop")

    def start_value(self, node: tree.Stmt) -> tree.Expr:
        value = node.initial if isinstance(node, tree.Declare) else None
        if isinstance(node, tree.Evaluate) and isinstance(node.expr, tree.Assign):
            value = node.expr.value
        assert value is not None
        return self.fail(node, "a braced value") if isinstance(value, tree.Braces) else value

    def find_arrays(self, before: Sequence[tree.Stmt], reset: int) -> None:
        if isinstance(self.top.type, Pointer):
            arrays = {root(below.place) for below in walk(self.start_value(before[reset]))
                      if isinstance(below, tree.Decay | tree.AddressOf)}  # fmt: skip
        else:
            arrays = {
                root(node)
                for node in walk(self.loop)
                if isinstance(node, tree.Index) and offset_of(node.index, self.top) is not None
            }
        found = {array for array in arrays if array is not None}
        if not found or len(found) != len(arrays):
            self.fail(self.loop, "the stack is no array of the thread's own")
        for array in found:
            if array.storage != "local" or not isinstance(array.type, Array) or isinstance(array.type.element, Array):
                self.fail(self.loop, f"'{array.name}' is no local array")
        self.arrays = frozenset(found)

    def find_parts(self) -> None:
        """Find what an entry consists of: what is written to."""
        found: dict[tuple[Variable, str | None], CType] = {}
        for write in writes(self.loop):
            access = self.access(write.place)
            if access is not None:
                name = None if access.member is None else access.member.name
                found[access.array, name] = write.place.type
        for array in self.arrays:
            members = [name for known, name in found if known is array]
            if not members:
                self.fail(self.loop, f"nothing is pushed to '{array.name}'")
            if None in members and len(members) > 1:
                self.fail(self.loop, f"'{array.name}' is written both as a whole and by members")
        for ctype in found.values():
            if not isinstance(ctype, Scalar | Pointer | Struct):
                self.fail(self.loop, "the stack holds arrays")
        self.parts = tuple(Part(array, name, ctype) for (array, name), ctype in found.items())
        names = [part.array.name if part.member is None else part.member for part in self.parts]
        self.entry = tuple(
            Variable(f"{name}_entry", part.type, self.loop.span, "param")
            for name, part in zip(names, self.parts, strict=True)
        )

    def part(self, node: tree.Node, access: Access) -> int:
        for i, part in enumerate(self.parts):
            if part.array is access.array and part.member == (access.member.name if access.member else None):
                return i
        return self.fail(node, "what is read of the stack is not what is pushed")

    # ------------------------------------------------------------------------------------ pops at the start

    def pops(self, body: Sequence[tree.Stmt]) -> bool:
        """Whether a body begins with a pop, behind statements that do not touch the stack."""
        for node in body:
            if self.touches(node):
                return isinstance(node, tree.Declare | tree.Evaluate) and any(
                    (move := moved_by(below)) is not None and move[0] is self.top and move[1] < 0
                    for below in walk(node)
                )
        return False

    def popping_round(self, body: Sequence[tree.Stmt]) -> Script:
        """Read a round that begins with a pop: what is popped becomes the entry's variables."""
        moved = 0
        ops: list[Op] = []
        rest = list(body)
        while moved != -1:
            if not rest:
                self.fail(self.loop, "no round begins with a pop")
            node = rest.pop(0)
            if not self.touches(node):
                if _leads_out(node):
                    self.fail(node, "a round may end before it pops")
                ops.append(Plain(node))
                continue
            if not isinstance(node, tree.Declare | tree.Evaluate):
                self.fail(node, "a round begins with something else than a pop")
            new, moved = self.popped(node, moved)
            move = moved_by(node.expr) if isinstance(node, tree.Evaluate) else None
            if move is None or move[0] is not self.top:
                ops.append(Plain(new))
        return (*ops, *self.script(rest, frozenset(), popped=True))

    def popped(self, node: tree.Stmt, moved: int) -> tuple[tree.Stmt, int]:
        """Return a statement of a pop with the entry's variables, and how far `top` has moved behind it."""
        moves = [move for below in walk(node) if (move := moved_by(below)) is not None and move[0] is self.top]
        if moves:
            uses = sum(1 for below in references(node) if below.variable is self.top)
            choices = any(isinstance(below, tree.Logical | tree.Conditional) for below in walk(node))
            alone = isinstance(node, tree.Evaluate) and moved_by(node.expr) is not None
            if len(moves) > 1 or choices or (uses > 1 and not alone):
                self.fail(node, f"'{self.top.name}' moves in an expression of several parts")
        new: tree.Stmt = self.with_entry(node, moved)
        moved += sum(count for _, count in moves)
        if moved not in (0, -1):
            self.fail(node, "a round begins with something else than one pop")
        return new, moved

    def with_entry(self, node: Any, moved: int) -> Any:
        """Return `node` with the entry's variables for what it reads of the entry that was popped."""
        if isinstance(node, tree.Load | tree.Member) and not isinstance(node.type, Array):
            place = node.place if isinstance(node, tree.Load) else node
            found = self.access(place)
            whole = self.access(place.base) if isinstance(place, tree.Member) else None
            if found is not None and not found.absolute and moved + found.index - self.below == -1:
                by_whole = whole is not None and any(p.array is whole.array and p.member is None for p in self.parts)
                if by_whole and isinstance(place, tree.Member) and whole is not None:
                    variable = self.entry[self.part(node, whole)]
                    new: tree.Place = replace(place, base=tree.VarRef(node.span, variable.type, variable))
                    return replace(node, place=new) if isinstance(node, tree.Load) else new
                if isinstance(node, tree.Load):
                    variable = self.entry[self.part(node, found)]
                    return tree.Load(node.span, node.type, tree.VarRef(node.span, variable.type, variable))
        if isinstance(node, tree.Assignment) and self.access(node.place) is not None:
            return replace(node, value=self.with_entry(node.value, moved)) if isinstance(node, tree.Assign) else node
        return map_children(node, lambda child: self.with_entry(child, moved))

    # ---------------------------------------------------------------------------------- a current node

    def find_current(self) -> None:
        """Find the variables that take what is popped."""
        found: dict[int, Variable] = {}
        for node in walk(self.loop.body):
            if isinstance(node, tree.Assign) and isinstance(node.place, tree.VarRef):
                for value in _either(node.value):
                    if isinstance(value, tree.Load) and (access := self.access(value.place)) is not None:
                        i = self.part(node, access)
                        if found.setdefault(i, node.place.variable) is not node.place.variable:
                            self.fail(node, "what is popped goes to several variables")
        own = {below.variable for below in walk(self.loop.body) if isinstance(below, tree.Declare)}
        for i in range(len(self.parts)):
            if i not in found or found[i] in own or not is_local(found[i]):
                self.fail(self.loop, "not every round pops, and what is popped becomes no variable that it keeps")
        if len(set(found.values())) < len(found):
            self.fail(self.loop, "two parts of what is popped become one variable")
        self.current = True
        self.entry = tuple(found[i] for i in range(len(self.parts)))

    # ------------------------------------------------------------------------------------------ scripts

    def is_exit(self, node: tree.Stmt) -> bool:
        """`if (empty) break;`"""
        match node:
            case tree.If(then=tree.Block(statements=(tree.Break(),)), other=tree.Block(statements=())):
                return self.emptiness(node.cond) is True
            case tree.If(then=tree.Block(statements=()), other=tree.Block(statements=(tree.Break(),))):
                return self.emptiness(node.cond) is False
        return False

    def script(self, statements: Sequence[tree.Stmt], later: frozenset[Variable], *, popped: bool) -> Script:
        """Read statements of a round or of the set-up; `later` names what is used behind them.

        `popped`: what was popped at the start of the round may still be read from the stack.
        """
        ops: list[Op] = []
        group = _Group()
        rest = _flat(statements)
        while rest:
            node = rest.pop(0)
            if group.slots or group.moved:
                if not self.touches(node):
                    self.fail(node, "a push or a pop is interrupted")
                self.in_group(node, group, ops, rest)
                continue
            names = later.union(*map(named_variables, rest))
            if popped and self.touches(node) and not isinstance(node, tree.If | Loop):
                node = self.with_entry(node, -1)
            match node:
                case tree.Break():
                    ops.append(Leave(node))
                    return tuple(ops)
                case tree.Continue():
                    ops.append(Stop(takes=not self.current))
                    return tuple(ops)
                case tree.Return():
                    ops.append(Plain(node))
                    return tuple(ops)
                case tree.If() if self.touches(node) or _leads_out(node):
                    pushing = any(self.access(write.place) is not None for write in writes(node))
                    ops += self.fork(node, names, rest, popped)
                    popped = popped and not pushing
                case tree.Evaluate(expr=tree.Assign(place=tree.VarRef(variable=variable), value=value)) if (
                    self.current and variable in self.entry and variable not in names
                    and not self.touches(node) and only_reads(value)
                ):  # fmt: skip
                    ops.append(Set(self.entry.index(variable), value))
                case tree.Declare() | tree.Evaluate() if self.touches(node):
                    self.in_group(node, group, ops, rest)
                    popped = False
                case _:
                    if self.touches(node) or _leads_out(node):
                        self.fail(node, "the stack is used, or the round ended, in a loop or switch within it")
                    ops.append(Plain(node))
            if ops and isinstance(ops[-1], Stop):
                break
        if group.slots or group.moved:
            self.fail(self.loop, "a push or a pop is not complete")
        return tuple(ops)

    def fork(self, node: tree.If, names: frozenset[Variable], rest: list[tree.Stmt], popped: bool) -> list[Op]:
        """Read an `if` with operations in it."""
        empty = self.emptiness(node.cond)
        if empty is not None:
            if not self.current:
                self.fail(node, "the stack is tested for emptiness within a round")
            taking, ending = (node.other, node.then) if empty else (node.then, node.other)
            if not self.is_end(ending):
                self.fail(node, "the loop goes on when the stack is empty")
            found = self.script([*taking.statements, *rest], names, popped=False)
            rest.clear()
            if not (found and isinstance(found[-1], Stop) and found[-1].takes):
                self.fail(node, "the stack is tested for emptiness, but not popped")
            return list(found)
        cond = self.with_entry(node.cond, -1) if popped else node.cond
        if self.touches(cond):
            self.fail(node.cond, f"'{self.top.name}' is used in another way than by pushes and pops")
        then = self.script(node.then.statements, names, popped=popped)
        other = self.script(node.other.statements, names, popped=popped)
        return [Fork(node, cond, then, other)]

    def is_end(self, block: tree.Block) -> bool:
        """Whether a block, run when the stack is empty, ends the loop: `break;` or `n = sentinel;`"""
        match _flat(block.statements):
            case [tree.Break()]:
                return True
            case [tree.Evaluate(expr=tree.Assign(place=tree.VarRef(variable=variable), value=value))]:
                return variable in self.entry and self.is_final(value)
        return False

    def is_final(self, value: tree.Expr) -> bool:
        if len(self.parts) != 1 or not isinstance(value, tree.Constant):
            return False
        self.final.append(value.value)
        return True

    def in_group(self, node: tree.Stmt, group: _Group, ops: list[Op], rest: list[tree.Stmt]) -> None:
        """Read a statement of a push or of a pop."""
        if self.take(node, group):
            if len([key for key in group.slots if key[0] == -1]) == len(self.parts) and group.moved == -1:
                left = [below for below in rest if not isinstance(below, tree.Continue)]
                if left:
                    self.fail(left[0], "something follows a pop in its round")
                ops.append(Stop(takes=True))
                rest.clear()
                group.slots, group.moved = {}, 0
            return
        move = moved_by(node.expr) if isinstance(node, tree.Evaluate) else None
        if move is not None and move[0] is self.top:
            group.moved += move[1]
        elif isinstance(node, tree.Evaluate) and isinstance(node.expr, tree.Assign):
            self.store(node, node.expr, group)
        else:
            self.fail(node, f"'{self.top.name}' is used in another way than by pushes and pops")
        if group.moved < -1 or (group.moved < 0 and not self.current):
            self.fail(node, "a round pops more than once")
        if group.moved > 0:
            keys = [(entry, i) for entry in range(group.moved) for i in range(len(self.parts))]
            if all(key in group.slots for key in keys) and len(keys) == len(group.slots):
                values = list(group.slots.values())
                if len(values) > 1 and any(map(has_effects, values)):
                    self.fail(node, "the values that are pushed together have effects")
                for entry in range(group.moved):
                    ops.append(Push(node, tuple(group.slots[entry, i] for i in range(len(self.parts)))))
                group.slots, group.moved = {}, 0

    def store(self, node: tree.Stmt, assign: tree.Assign, group: _Group) -> None:
        access = self.access(assign.place)
        if access is None or access.absolute or self.touches(assign.value):
            self.fail(node, "the stack is used in another way than by pushes and pops")
        key = group.moved + access.index - self.below, self.part(node, access)
        if key[0] < 0 or key in group.slots:
            self.fail(node, "an entry is written that is on the stack already")
        group.slots[key] = assign.value
        group.moved += access.shift

    def take(self, node: tree.Stmt, group: _Group) -> bool:
        """Whether a statement pops into the current node."""
        match node:
            case tree.Evaluate(expr=tree.Assign(place=tree.VarRef(variable=variable), value=value)):
                if not self.current or variable not in self.entry:
                    return False
                if isinstance(value, tree.Conditional):
                    value = self.tested_pop(value)
                access = self.access(value.place) if isinstance(value, tree.Load) else None
                if access is None:
                    return False
                index = self.part(node, access)
                entry = group.moved + access.index - self.below
                if access.absolute or entry != -1 or self.entry[index] is not variable or group.moved > 0:
                    self.fail(node, "what is popped is not the last entry")
                group.slots[-1, index] = value
                group.moved += access.shift
                return True
            case tree.Evaluate() if (move := moved_by(node.expr)) is not None and move[0] is self.top:
                if group.moved + move[1] == -1 and self.current:
                    group.moved = -1
                    return True
        return False

    def tested_pop(self, node: tree.Conditional) -> tree.Expr:
        """Return the pop in `nonempty ? pop : sentinel`."""
        empty = self.emptiness(node.cond)
        if empty is None:
            return node
        taken, ending = (node.other, node.then) if empty else (node.then, node.other)
        return taken if self.is_final(ending) else node

    # ----------------------------------------------------------------------------------------- the set-up

    def read_setup(self, before: Sequence[tree.Stmt], reset: int) -> tuple[int, Script]:
        """Return where the set-up begins, and what it does, less what sets `top`."""
        start = self.absolute(self.start_value(before[reset]))
        if start is None:
            self.fail(before[reset], f"'{self.top.name}' does not start at a constant")
        if self.bottom is None:
            self.bottom = min(start, 0) if self.below == 0 else -1
        group = _Group(moved=start - self.bottom)
        first = reset
        for i in reversed(range(reset)):
            node = before[i]
            if (isinstance(node, tree.Declare) and node.variable in self.arrays) or isinstance(
                node, Loop | tree.Switch
            ):
                break
            if self.touches(node):
                if not self.absolute_store(node, group):
                    self.fail(node, "the stack is used before it is set up")
                first = i
        ops: list[Op] = []
        rest: list[tree.Stmt] = []
        for node in before[reset + 1 :]:
            if not rest and self.absolute_store(node, group):
                continue
            rest.append(node)
        kept = [node for node in before[first:reset] if not self.touches(node)]
        keys = [(entry, i) for entry in range(group.moved) for i in range(len(self.parts))]
        if (group.moved < 0 or set(keys) != set(group.slots)) and (group.moved or len(group.slots) != 0):
            self.fail(before[reset], "it is not known what is on the stack at first")
        values = list(group.slots.values())
        if (kept or rest) and not all(map(repeats, values)):
            self.fail(before[reset], "what is on the stack at first is computed before other things")
        for entry in range(group.moved):
            ops.append(Push(self.loop, tuple(group.slots[entry, i] for i in range(len(self.parts)))))
        current, self.current = self.current, False
        more = self.setup_script(rest)
        self.current = current
        written = self.pinned.union(*map(written_variables, (*kept, *rest)))
        if any(named_variables(value) & written for value in values):
            self.fail(before[reset], "what is on the stack at first changes before the loop")
        return first, (*map(Plain, kept), *ops, *more)

    def setup_script(self, statements: Sequence[tree.Stmt]) -> Script:
        """Read the statements before the loop: they may jump, for they stay where they are."""
        ops: list[Op] = []
        run: list[tree.Stmt] = []
        for node in statements:
            if self.touches(node):
                run.append(node)
            else:
                ops += self.script(run, frozenset(), popped=False)
                run.clear()
                ops.append(Plain(node))
        return (*ops, *self.script(run, frozenset(), popped=False))

    def absolute_store(self, node: tree.Stmt, group: _Group) -> bool:
        """Whether `node` is `stack[0] = value;`, which is noted."""
        match node:
            case tree.Evaluate(expr=tree.Assign(place=place, value=value)):
                access = self.access(place)
                if access is None or not access.absolute or self.bottom is None:
                    return False
                key = access.index - self.bottom - self.below, self.part(node, access)
                if key in group.slots or self.touches(value):
                    self.fail(node, "an entry is written that is on the stack already")
                group.slots[key] = value
                return True
        return False

    def check_start(self, setup: Script, test: tree.Expr | None, tested: bool) -> tuple[Script, bool]:
        """Check how the loop starts and ends; return the set-up without a sentinel, and whether there is one."""
        if tested:
            pushed = any(isinstance(op, Push) for op in setup)
            if not self.loop.test_first and not pushed:
                self.fail(self.loop, "the stack may be empty at the start of a `do`")
            if not self.loop.test_first and test is not None:
                self.fail(self.loop, "a `do` tests more than the stack")
            return setup, False
        untested = self.has_untested_pop(self.loop.body)
        if untested:
            first = next((op for op in setup if isinstance(op, Push | Fork)), None)
            if not isinstance(first, Push) or len(first.values) != 1 or not isinstance(first.values[0], tree.Constant):
                self.fail(self.loop, "the stack is popped without a test, and no sentinel was pushed first")
            self.final.append(first.values[0].value)
            setup = tuple(op for op in setup if op is not first)
        for value in self.final:
            if test is None or self.holds(test, value) is not False:
                self.fail(self.loop, "it is not known that the last value popped ends the loop")
        if test is not None and not self.final:
            self.fail(self.loop, "the loop tests something else than the stack")
        if test is not None and not self.loop.test_first and not self.starts_well(test):
            self.fail(self.loop, "it is not known that the first node is no sentinel; test it before the loop: "
                      "`while (...)` for `do ... while (...)`")  # fmt: skip
        return setup, test is not None

    def is_only_at_the_bottom(self, script: Script) -> bool:
        """Whether no round can push a sentinel: that is the null pointer, and they push addresses of objects."""
        values = [value for op in _ops(script) for value in _pushed(op)]
        others = [op.node if isinstance(op, Plain) else op.cond for op in _ops(script) if isinstance(op, Plain | Fork)]
        written = set[Variable]().union(*map(written_variables, (*values, *others)))
        if not isinstance(self.parts[0].type, Pointer) or set(self.final) != {0} or written & set(self.entry):
            return False
        return all(map(self.is_object, values))

    def is_object(self, node: tree.Expr) -> bool:
        """Whether a pointer is the address of something."""
        match node:
            case tree.PointerAdd() | tree.AddressOf(place=tree.Index() | tree.VarRef()):
                return True
            case tree.Conditional(then=then, other=other):
                return self.is_object(then) and self.is_object(other)
            case tree.Convert(operand=operand):
                return isinstance(operand.type, Pointer) and self.is_object(operand)
            case tree.Load(place=tree.VarRef(variable=variable)):
                values = [
                    below.initial
                    for below in walk(self.loop.body)
                    if isinstance(below, tree.Declare) and below.variable is variable
                ]
                changed = self.pinned | written_variables(self.loop)
                return variable not in changed and len(values) == 1 and self.is_known_object(values[0])
        return False

    def is_known_object(self, node: tree.Expr | tree.Braces | None) -> bool:
        return node is not None and not isinstance(node, tree.Braces) and self.is_object(node)

    def has_untested_pop(self, node: tree.Node, tested: bool = False) -> bool:
        """Whether a pop stands under no test of the stack."""
        if isinstance(node, tree.Block):
            for below in node.statements:
                if self.has_untested_pop(below, tested):
                    return True
                tested = tested or self.is_exit(below)
            return False
        if isinstance(node, tree.If | tree.Conditional) and self.emptiness(node.cond) is not None:
            return False
        if (move := moved_by(node)) is not None and move[0] is self.top and move[1] < 0:
            return not tested
        return any(self.has_untested_pop(below, tested) for below in children(node))

    def holds(self, test: tree.Expr, value: float) -> bool | None:
        """Whether the test holds for a value of the current node; None if that is not known."""
        match test:
            case tree.Binary(
                op=op, left=tree.Load(place=tree.VarRef(variable=variable)), right=tree.Constant() as bound
            ):
                if variable in self.entry and op in _COMPARE:
                    return bool(_COMPARE[op](value, bound.value))
            case tree.Convert(operand=tree.Load(place=tree.VarRef(variable=variable))) if variable in self.entry:
                return bool(value)
        return None

    def starts_well(self, test: tree.Expr) -> bool:
        """Whether the first node passes the test, which a `do` makes only behind the first round."""
        (variable,) = self.entry
        for node in reversed([*self.statements[: self.at], *self.loop.init]):
            value = node.initial if isinstance(node, tree.Declare) and node.variable is variable else None
            match node:
                case tree.Evaluate(expr=tree.Assign(place=tree.VarRef(variable=assigned), value=value)):
                    if assigned is not variable:
                        value = None
            if isinstance(value, tree.Constant):
                return self.holds(test, value.value) is True
            if value is not None or variable in written_variables(node):
                break
        if not isinstance(variable.type, Pointer) or self.final != [0]:
            return False
        first = next(iter(_flat(self.loop.body.statements)), None)
        if not isinstance(first, tree.Declare | tree.Evaluate):
            return False
        choices = any(isinstance(below, tree.Logical | tree.Conditional) for below in walk(first))
        return not choices and any(_follows(below, variable) for below in walk(first))


_COMPARE = {
    "!=": lambda a, b: a != b, "==": lambda a, b: a == b, ">=": lambda a, b: a >= b, ">": lambda a, b: a > b,
    "<": lambda a, b: a < b, "<=": lambda a, b: a <= b,
}  # fmt: skip


def _flat(statements: Sequence[tree.Stmt]) -> list[tree.Stmt]:
    """Return statements without the braces round some of them."""
    return [
        below for node in statements for below in (_flat(node.statements) if isinstance(node, tree.Block) else [node])
    ]


def _ops(script: Script) -> Iterator[Op]:
    for op in script:
        yield op
        if isinstance(op, Fork):
            yield from _ops(op.then)
            yield from _ops(op.other)


def _pushed(op: Op) -> tuple[tree.Expr, ...]:
    match op:
        case Push(values=values):
            return values
        case Set(value=value):
            return (value,)
    return ()


def _leads_out(node: tree.Stmt) -> bool:
    """Whether a `break` or `continue` in a statement is of a loop around it."""
    return any(not isinstance(jump, tree.Return) for jump in jumps_out(node))


def _either(node: tree.Expr) -> Iterator[tree.Expr]:
    """The values that an expression may choose between."""
    if isinstance(node, tree.Conditional):
        yield from _either(node.then)
        yield from _either(node.other)
    else:
        yield node


def _follows(node: tree.Node, pointer: Variable) -> bool:
    """Whether `node` reaches what `pointer` leads to."""
    match node:
        case tree.Deref(pointer=value) | tree.Index(pointer=value):
            return isinstance(value, tree.Load) and root(value.place) is pointer
    return False
