"""Reading the iterations of a loop over a stack: statements become a script.

An iteration pops once: at its start, in every iteration, or at the end of a path that sets no current node. Statements
in a row that together push entries, or pop one, are read as one.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from ...lang.ctype import Array
from ...tree import nodes as tree
from ...tree.build import Build
from ...tree.effects import has_effects, jumps_out, named_variables, only_reads, writes
from ...tree.nodes import Loop, Variable
from ...tree.walk import map_children, walk
from ..counted_loops import counted
from .accesses import Access, Accesses, moved_by, references
from .plain_loops import flat
from .scripts import Fork, Leave, Op, Part, Plain, Push, Repeat, Script, Set, Stop, all_ops, ends


@dataclass
class Group:
    """Statements in a row that together push entries, or pop one: what has been written, and where `top` is."""

    slots: dict[tuple[int, int], tree.Expr] = field(default_factory=dict)  # by entry and part
    moved: int = 0


@dataclass(eq=False)
class IterationReader(Accesses):
    """Reads iterations. An entry of the stack has `parts`, and is popped into the variables `entry`.

    `current`: these variables keep the node from one iteration to the next. `final` are its values that end the loop.
    """

    parts: tuple[Part, ...] = field(default=(), init=False)
    entry: tuple[Variable, ...] = field(default=(), init=False)
    current: bool = field(default=False, init=False)
    final: list[int | float | bool] = field(default_factory=list, init=False)

    def part(self, node: tree.Node, access: Access) -> int:
        for i, part in enumerate(self.parts):
            if part.array is access.array and part.member == (access.member.name if access.member else None):
                return i
        return self.fail(node, "what is read of the stack is not what is pushed")

    # ------------------------------------------------------------------------------------ pops at the start

    def pops(self, body: Sequence[tree.Stmt]) -> bool:
        """Whether a body begins with a pop, after statements that do not touch the stack."""
        for node in body:
            if self.touches(node):
                return isinstance(node, tree.Declare | tree.Evaluate) and any(
                    (move := moved_by(below)) is not None and move[0] is self.top and move[1] < 0
                    for below in walk(node)
                )
        return False

    def popping_iteration(self, body: Sequence[tree.Stmt]) -> Script:
        """Read an iteration that begins with a pop: what is popped becomes the entry's variables."""
        moved = 0
        ops: list[Op] = []
        rest = list(body)
        while moved != -1:
            if not rest:
                self.fail(self.loop, "no iteration begins with a pop")
            node = rest.pop(0)
            if not self.touches(node):
                if _leads_out(node):
                    self.fail(node, "an iteration may end before it pops")
                ops.append(Plain(node))
                continue
            if not isinstance(node, tree.Declare | tree.Evaluate):
                self.fail(node, "an iteration begins with something else than a pop")
            new, moved = self.popped(node, moved)
            move = moved_by(node.expr) if isinstance(node, tree.Evaluate) else None
            if move is None or move[0] is not self.top:
                ops.append(Plain(new))
        return (*ops, *self.script(rest, frozenset(), popped=True))

    def popped(self, node: tree.Stmt, moved: int) -> tuple[tree.Stmt, int]:
        """Return a statement of a pop with the entry's variables, and how far `top` has moved after it."""
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
            self.fail(node, "an iteration begins with something else than one pop")
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
        """Read statements of an iteration or of the set-up; `later` names what is used after them.

        `popped`: what was popped at the start of the iteration may still be read from the stack.
        """
        ops: list[Op] = []
        group = Group()
        rest = flat(statements)
        while rest:
            node = rest.pop(0)
            if group.slots or group.moved:
                if not self.touches(node):
                    self.fail(node, "a push or a pop is interrupted")
                self.in_group(node, group, ops, rest)
                continue
            names = self.used(rest, later)
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
                case Loop() if self.touches(node):
                    ops.append(self.repeat(node, names))
                    popped = False
                case _:
                    if self.touches(node) or _leads_out(node):
                        self.fail(node, "the stack is used, or the iteration ended, in a loop or switch within it")
                    ops.append(Plain(node))
            if ops and isinstance(ops[-1], Stop):
                break
        if group.slots or group.moved:
            self.fail(self.loop, "a push or a pop is not complete")
        return tuple(ops)

    def used(self, statements: Sequence[tree.Stmt], later: frozenset[Variable]) -> frozenset[Variable]:
        """Return what statements, and what is `later` if they lead there, name. What a pop sets is not named by it."""
        found = frozenset[Variable]()
        for node in statements:
            match node:
                case tree.Break() | tree.Continue() | tree.Return(value=None):
                    return found
                case tree.Block():
                    found |= self.used(node.statements, frozenset())
                case tree.If():
                    arms = (self.used(arm.statements, frozenset()) for arm in (node.then, node.other))
                    found = found.union(named_variables(node.cond), *arms)
                case tree.Evaluate(expr=tree.Assign(place=tree.VarRef(variable=variable), value=value)) if (
                    variable in self.entry and self.is_popped(without_conversions(value))
                ):
                    found |= named_variables(value)
                case _:
                    found |= named_variables(node)
        return found | later

    def is_popped(self, value: tree.Expr) -> bool:
        return isinstance(value, tree.Load) and self.access(value.place) is not None

    def fork(self, node: tree.If, names: frozenset[Variable], rest: list[tree.Stmt], popped: bool) -> list[Op]:
        """Read an `if` with operations in it."""
        empty = self.emptiness(node.cond)
        if empty is not None:
            if not self.current:
                self.fail(node, "the stack is tested for emptiness within an iteration")
            taking, ending = (node.other, node.then) if empty else (node.then, node.other)
            if not self.is_end(ending):
                self.fail(node, "the loop continues when the stack is empty")
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

    def repeat(self, node: Loop, later: frozenset[Variable]) -> Repeat:
        """Read a loop that pushes; `later` names what is used after it."""
        found = counted(node)
        if found is None:
            self.fail(node, "it pushes in a loop that does not count by one, up or down to a bound")
        if any(self.touches(part) for part in (*node.init, *node.step, found.bound)):
            self.fail(node, f"'{self.top.name}' is used in another way than by pushes and pops")
        if not isinstance(node.init[0], tree.Declare) and found.variable in later:
            self.fail(node, f"'{found.variable.name}' is used after the loop that pushes")
        current, self.current = self.current, False  # no pops there
        inside = later.union(named_variables(found.bound), named_variables(node.body))
        body = self.settled(self.script(node.body.statements, inside, popped=False))
        self.current = current
        return Repeat(found, body)

    def settled(self, script: Script) -> Script:
        """Return the script of an iteration of a loop that pushes, without its ends: the rest is in other arms."""
        for i, op in enumerate(script):
            rest = script[i + 1 :]
            match op:
                case Stop():
                    return script[:i]
                case Fork() if any(isinstance(below, Stop) for below in all_ops((*op.then, *op.other))):
                    if not (ends(op.then) or ends(op.other)):
                        self.fail(
                            op.node, "an iteration of a loop that pushes ends within an `if` and continues after it"
                        )
                    then = self.settled(op.then if ends(op.then) else (*op.then, *rest))
                    other = self.settled(op.other if ends(op.other) else (*op.other, *rest))
                    return (*script[:i], replace(op, then=then, other=other))
                case Fork():
                    self.settled(op.then), self.settled(op.other)
                case Plain(node=tree.Declare(initial=value)) if value is not None and not isinstance(
                    value, tree.Braces
                ):
                    pass
                case Plain() | Leave():
                    self.fail(op.node, "a loop that pushes does something else too")
                case Set():
                    self.fail(op.value, "a loop that pushes does something else too")
        return script

    def is_end(self, block: tree.Block) -> bool:
        """Whether a block, run when the stack is empty, ends the loop: `break;` or `n = sentinel;`"""
        match flat(block.statements):
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

    # ------------------------------------------------------------------------------------- pushes and pops

    def in_group(self, node: tree.Stmt, group: Group, ops: list[Op], rest: list[tree.Stmt]) -> None:
        """Read a statement of a push or of a pop."""
        if self.take(node, group):
            if len([key for key in group.slots if key[0] == -1]) == len(self.parts) and group.moved == -1:
                left = [below for below in rest if not isinstance(below, tree.Continue)]
                if left:
                    self.fail(left[0], "something follows a pop in its iteration")
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
            self.fail(node, "an iteration pops more than once")
        if group.moved > 0:
            keys = [(entry, i) for entry in range(group.moved) for i in range(len(self.parts))]
            if all(key in group.slots for key in keys) and len(keys) == len(group.slots):
                values = list(group.slots.values())
                if len(values) > 1 and any(map(has_effects, values)):
                    self.fail(node, "the values that are pushed together have effects")
                for entry in range(group.moved):
                    ops.append(Push(node, self.entry_of(group, entry)))
                group.slots, group.moved = {}, 0

    def entry_of(self, group: Group, entry: int) -> tuple[tree.Expr, ...]:
        """Return what is pushed, as what the current node has of it if it is popped."""
        return tuple(
            Build(value.span).convert(variable.type, Build(value.span).convert(part.type, value))
            for part, variable, i in zip(self.parts, self.entry, range(len(self.parts)), strict=True)
            for value in (group.slots[entry, i],)
        )

    def store(self, node: tree.Stmt, assign: tree.Assign, group: Group) -> None:
        access = self.access(assign.place)
        if access is None or access.absolute or self.touches(assign.value):
            self.fail(node, "the stack is used in another way than by pushes and pops")
        key = group.moved + access.index - self.below, self.part(node, access)
        if key[0] < 0 or key in group.slots:
            self.fail(node, "an entry is written that is on the stack already")
        group.slots[key] = assign.value
        group.moved += access.shift

    def take(self, node: tree.Stmt, group: Group) -> bool:
        """Whether a statement pops into the current node."""
        match node:
            case tree.Evaluate(expr=tree.Assign(place=tree.VarRef(variable=variable), value=value)):
                if not self.current or variable not in self.entry:
                    return False
                value = without_conversions(value)
                if isinstance(value, tree.Conditional):
                    value = without_conversions(self.tested_pop(value))
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


def without_conversions(node: tree.Expr) -> tree.Expr:
    while isinstance(node, tree.Convert):
        node = node.operand
    return node


def _leads_out(node: tree.Stmt) -> bool:
    """Whether a `break` or `continue` in a statement is of a loop around it."""
    return any(not isinstance(jump, tree.Return) for jump in jumps_out(node))
