"""Which loops work off a stack of the thread's own, and what they do with it.

**Known as:** recognition of an explicit stack.

    int stack[64], top = 0;                         while (true) {
    stack[top++] = root;                                if (leaf(n)) {
    while (top > 0) {                                       if (top == 0) break;
        int n = stack[--top];                               n = stack[--top];
        if (far(n)) continue;                           } else {
        stack[top++] = right(n);                            stack[top++] = right(n);
        stack[top++] = left(n);                             n = left(n);
    }                                                   }
                                                    }

Such a loop visits one node in each iteration. What it does with the stack is read as a script: pushes, and ends of
the iteration at which the next node is popped. On the left the iteration begins with the pop; on the right it has a
`current` node, which a path of the iteration sets or pops at its end. The stack may be several arrays under one index,
an array of structs, or be moved along by a pointer; `top` may count the entries or be the index of the last one.

This holds of the loops that are read, all others are refused with a reason:

- The arrays and `top` are local and are named only where the stack is set up, pushed, popped and tested for emptiness:
  nothing else can see what lies in it, or how deep it is.
- The set-up is in the block of the loop. From there to the loop, the stack holds what is pushed there.
- An iteration pops once: at its start, in every iteration, or at the end of a path that sets no current node.
- The loop ends where the stack is empty, or where a sentinel is popped that was pushed first, or whatever was pushed
  first if its value is not used; any other end is a `break` or a `return`.

Loops of other forms that mean the same are first brought into one of these: see `plain_loops`, `members`
and `paths`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from ...lang.ctype import INT, Array, CType, Pointer, Scalar, Struct, is_integer
from ...tree import nodes as tree
from ...tree.effects import (
    declared_variables,
    is_local,
    jumps_out,
    named_variables,
    repeats,
    root,
    writes,
    written_variables,
)
from ...tree.nodes import Loop, Variable
from ...tree.same import same_text
from ...tree.walk import map_children, walk
from .accesses import offset_of, pointer_of
from .ends import EndReader
from .iterations import Group, without_conversions
from .members import by_members
from .paths import spread
from .plain_loops import flat, is_true, plain
from .scripts import Fork, Op, Part, Plain, Push, Script, StackLoop, all_ops

NO_START = "gets no start value in the block of the loop"


@dataclass(frozen=True)
class Judged:
    """What became of a loop that pushes and pops, in the function `where`: `function`, or nothing else, for `why`.

    `at`: the node that prevents it.
    """

    loop: Loop
    where: str
    why: str | None = None
    at: tree.Node | None = None
    function: str | None = None


def read(block: tree.Block, at: int, live: frozenset[Variable], pinned: set[Variable]) -> StackLoop:
    """Read the loop that is statement `at` of `block`; `live` are the variables that are read after it, `pinned`
    those to which pointers lead.

    Raises `NotRead`.
    """
    loop = block.statements[at]
    assert isinstance(loop, Loop)
    top = pointer_of(loop)
    assert top is not None
    new, before = by_members(loop, top, block.statements[:at], live)
    found = plain(new, top, [*before, *loop.init], live)
    return _Reader(found.loop, top, before, at, pinned, live, found.popped).read()


@dataclass(eq=False)
class _Reader(EndReader):
    """Reads a whole loop. `live` are the variables that are read after it; `pops_first` as in `PlainLoop.popped`."""

    live: frozenset[Variable]
    pops_first: bool

    # -------------------------------------------------------------------------------------- the whole

    def read(self) -> StackLoop:
        loop = self.loop
        if loop.step:
            self.fail(loop, "the loop has a step of its own")
        if not is_local(self.top) or not (is_integer(self.top.type) or isinstance(self.top.type, Pointer)):
            self.fail(loop, f"'{self.top.name}' is no variable of the thread's own")
        before = [*self.statements, *loop.init]
        reset = self.find_reset(before)
        self.find_arrays(before, reset)
        following = self.hoist_returns()
        body = flat(self.loop.body.statements)
        test, tested = self.split_test(loop.cond)
        lies_below = tested and not self.pops(body)
        if not tested and body and self.is_exit(body[0]) and self.pops(body[1:]):
            tested = True
            body = body[1:]
        self.find_bottom(loop)
        self.find_convention()
        self.find_parts()
        iteration: Script
        if tested and not lies_below:  # a loop ends where it has popped what lies below all that its iterations push
            iteration = self.popping_iteration(body)
        else:
            self.find_current()
            iteration = self.script(body, frozenset(), popped=False)
        iteration = spread(iteration)
        if any(isinstance(op, Plain) and self.touches(op.node) for op in all_ops(iteration)):
            self.fail(loop, f"'{self.top.name}' is used in another way than by pushes and pops")
        first, setup = self.read_setup(before, reset, lies_below)
        if lies_below:
            setup, sentinel = self.without_bottom(setup), False
        else:
            setup, sentinel = self.check_start(setup, test, tested)
        sentinel = sentinel and not self.is_only_at_the_bottom(iteration)
        first = min(first, self.at)  # where it is the start of the `for`
        watched = {self.top, *(self.entry if self.current else ())}
        read_after = self.live.union(*map(named_variables, following))
        if left := watched & read_after:
            name = min(variable.name for variable in left)
            self.fail(loop, f"'{name}' is read after the loop")
        return StackLoop(
            self.loop, self.parts, self.entry, self.current, first, setup, test, sentinel, iteration,
            frozenset({self.top, *self.arrays}), self.pops_first, following,
        )  # fmt: skip

    def hoist_returns(self) -> tuple[tree.Stmt, ...]:
        """Let the loop end by `break` where the function returns at an empty stack; return what then follows it."""
        if not is_true(self.loop.cond) or any(isinstance(jump, tree.Break) for jump in jumps_out(self.loop.body)):
            return ()
        found: list[tree.Block] = []

        def without(node: Any) -> Any:
            if isinstance(node, tree.If) and (empty := self.emptiness(node.cond)) is not None:
                ending = node.then if empty else node.other
                last = ending.statements[-1:]
                if last and isinstance(last[0], tree.Return) and not self.touches(ending):
                    found.append(ending)
                    instead = replace(ending, statements=(tree.Break(last[0].span),))
                    node = replace(node, then=instead) if empty else replace(node, other=instead)
            return map_children(node, without)

        loop = without(self.loop)
        own = declared_variables(self.loop.body)
        if not found or not all(_same_return(found[0], other) for other in found[1:]):
            return ()
        if named_variables(found[0]) & own:
            return ()
        self.loop = loop
        return found[0].statements

    def without_bottom(self, setup: Script) -> Script:
        """Return the set-up without what it pushes first."""
        first = next((op for op in setup if isinstance(op, Push | Fork)), None)
        if not isinstance(first, Push):
            self.fail(self.loop, "not every iteration pops, and the stack may be empty at first")
        return tuple(op for op in setup if op is not first)

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
        return self.fail(self.loop, f"'{self.top.name}' {NO_START}")

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

    def find_current(self) -> None:
        """Find the variables that take what is popped."""
        found: dict[int, Variable] = {}
        for node in walk(self.loop.body):
            if isinstance(node, tree.Assign) and isinstance(node.place, tree.VarRef):
                for value in map(without_conversions, _either(without_conversions(node.value))):
                    if isinstance(value, tree.Load) and (access := self.access(value.place)) is not None:
                        i = self.part(node, access)
                        if found.setdefault(i, node.place.variable) is not node.place.variable:
                            self.fail(node, "what is popped goes to several variables")
        own = {below.variable for below in walk(self.loop.body) if isinstance(below, tree.Declare)}
        for i in range(len(self.parts)):
            if i not in found or found[i] in own or not is_local(found[i]):
                self.fail(self.loop, "not every iteration pops, and what is popped becomes no variable that it keeps")
        if len(set(found.values())) < len(found):
            self.fail(self.loop, "two parts of what is popped become one variable")
        self.current = True
        self.entry = tuple(found[i] for i in range(len(self.parts)))

    # ----------------------------------------------------------------------------------------- the set-up

    def read_setup(self, before: Sequence[tree.Stmt], reset: int, lies_below: bool) -> tuple[int, Script]:
        """Return where the set-up begins, and what it does, less what sets `top`.

        `lies_below`: the lowest entry is not used and may have no value.
        """
        start = self.absolute(self.start_value(before[reset]))
        if start is None:
            self.fail(before[reset], f"'{self.top.name}' does not start at a constant")
        if self.bottom is None:
            self.bottom = min(start, 0) if self.below == 0 else -1
        group = Group(moved=start - self.bottom)
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
            if not any(map(self.touches, rest)) and self.absolute_store(node, group):
                continue
            rest.append(node)
        kept = [node for node in before[first:reset] if not self.touches(node)]
        if lies_below and group.moved > 0 and all(entry != 0 for entry, _ in group.slots):
            group.slots |= {(0, i): tree.Constant(self.loop.span, INT, 0) for i in range(len(self.parts))}
        keys = [(entry, i) for entry in range(group.moved) for i in range(len(self.parts))]
        if (group.moved < 0 or set(keys) != set(group.slots)) and (group.moved or len(group.slots) != 0):
            self.fail(before[reset], "it is not known what is on the stack at first")
        values = list(group.slots.values())
        if (kept or rest) and not all(map(repeats, values)):
            self.fail(before[reset], "what is on the stack at first is computed before other things")
        for entry in range(group.moved):
            ops.append(Push(self.loop, self.entry_of(group, entry)))
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

    def absolute_store(self, node: tree.Stmt, group: Group) -> bool:
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
            case tree.Block():
                return all(self.absolute_store(below, group) for below in flat(node.statements))
        return False


def _same_return(left: tree.Block, right: tree.Block) -> bool:
    """Whether two blocks return the same, and do nothing else."""
    match left.statements, right.statements:
        case (tree.Return(value=one),), (tree.Return(value=other),):
            return (one is None and other is None) or (one is not None and other is not None and same_text(one, other))
    return False


def _either(node: tree.Expr) -> Iterator[tree.Expr]:
    """The values that an expression may choose between."""
    if isinstance(node, tree.Conditional):
        yield from _either(node.then)
        yield from _either(node.other)
    else:
        yield node
