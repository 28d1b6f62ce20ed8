"""Loops over a stack in a plain form, from which `explicit_stack` reads them: they mean the same.

    if (--top < 0) break;                   if (top - 1 < 0) { --top; break; } else --top;
    while (top--) {...}                     while (top) { top--; ... }
    while (true) { if (c) break; ... }      while (!c) {...}
    while (more) { ... more = false; }      while (true) { ... break; }
    while (a) {                             while (a) {
        while (inner(n)) visit(n);              if (inner(n)) { visit(n); continue; }
        leaf(n);                                leaf(n);
    }                                       }
    while (top > 0) {                       while (true) {
        n = stack[--top];                       if (inner(n)) { visit(n); continue; }
        while (inner(n)) visit(n);              leaf(n);
        leaf(n);                                if (top == 0) break;
    }                                           n = stack[--top];
                                            }

The last form begins with a pop. A nested loop is flattened only where the outer test, which is then made more
often, says nothing that the inner ones do not say, as `n >= 0` around `n >= 0 && n < first_leaf`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from ...lang.ctype import Pointer
from ...tree import nodes as tree
from ...tree.build import Build
from ...tree.effects import is_local, jumps_out, named_variables, only_reads
from ...tree.nodes import Loop, Variable
from ...tree.rewrite import replaced
from ...tree.walk import map_children, walk
from .accesses import moved_by, references
from .conditions import COMPARE, comparison, exclude


def flat(statements: Sequence[tree.Stmt]) -> list[tree.Stmt]:
    """Return statements without the braces around some of them."""
    return [
        below for node in statements for below in (flat(node.statements) if isinstance(node, tree.Block) else [node])
    ]


@dataclass(frozen=True)
class PlainLoop:
    """`popped`: the loop begins with a pop, into a variable that keeps the node from then on."""

    loop: Loop
    popped: bool = False


def plain(loop: Loop, top: Variable, before: Sequence[tree.Stmt], live: frozenset[Variable]) -> PlainLoop:
    """Return a loop over a stack with the index or pointer `top` in a plain form.

    `before` are the statements before it, `live` the variables that are read after it.
    """
    return _Plain(top, before, live).outer(loop)


@dataclass(frozen=True)
class _Plain:
    top: Variable
    before: Sequence[tree.Stmt]
    live: frozenset[Variable]

    def names_top(self, node: tree.Node) -> bool:
        return any(below.variable is self.top for below in references(node))

    def outer(self, loop: Loop) -> PlainLoop:
        loop = self.with_moves(self.tested(loop))
        loop = self.without_flag(loop)
        found = self.rotated(loop)
        if found is not None:
            return PlainLoop(found, popped=True)
        return PlainLoop(self.flattened(loop))

    # ------------------------------------------------------------------------------------------- tests

    def tested(self, loop: Loop) -> Loop:
        """Return the loop with what its body tests first, or last, as its condition."""
        body = flat(loop.body.statements)
        if loop.step or not body:
            return loop
        body = [self.tested(node) if isinstance(node, Loop) and self.names_top(node) else node for node in body]
        loop = replace(loop, body=replace(loop.body, statements=tuple(body)))
        cond = self.exit(body[0])
        if cond is not None and loop.test_first and is_true(loop.cond):
            return replace(loop, cond=cond, body=replace(loop.body, statements=tuple(body[1:])))
        cond = self.exit(body[-1])
        if cond is not None and is_true(loop.cond) and not any(
            isinstance(jump, tree.Continue) for node in body for jump in jumps_out(node)
        ):  # fmt: skip
            return replace(loop, cond=cond, test_first=False, body=replace(loop.body, statements=tuple(body[:-1])))
        return loop

    def exit(self, node: tree.Stmt) -> tree.Expr | None:
        """Return when a loop continues after `if (...) break;`, unless that asks for the stack."""
        if not isinstance(node, tree.If) or not only_reads(node.cond) or self.names_top(node.cond):
            return None
        match flat(node.then.statements), flat(node.other.statements):
            case [tree.Break()], []:
                return Build(node.span).negate(node.cond)
            case [], [tree.Break()]:
                return node.cond
        return None

    # ------------------------------------------------------------------------------------------- moves

    def with_moves(self, loop: Loop, *, inner: bool = False) -> Loop:
        """Return the loop with statements where conditions move `top`."""
        body = self.moves_before_tests(loop.body.statements, inner=inner)
        found = None if loop.cond is None or not loop.test_first or loop.step else self.unmoved(loop.cond)
        if found is not None:
            cond, move = found
            return replace(loop, cond=cond, body=replace(loop.body, statements=(move, *body)))
        return replace(loop, body=replace(loop.body, statements=tuple(body)))

    def moves_before_tests(self, statements: Sequence[tree.Stmt], *, inner: bool) -> list[tree.Stmt]:
        new: list[tree.Stmt] = []
        for statement in flat(statements):
            node = statement
            if isinstance(node, Loop) and self.names_top(node):
                node = self.with_moves(node, inner=True)
            if not isinstance(node, tree.If) or not self.names_top(node):
                new.append(node)
                continue
            node = replace(node, then=self.block(node.then, inner), other=self.block(node.other, inner))
            found = self.unmoved(node.cond)
            if found is None and new and self.is_move(new[-1]) and self.reads_top_alone(node.cond):
                found = self.with_top(node.cond, self.moved_top(new[-1])), new.pop()
            if found is None:
                new.append(node)
                continue
            cond, move = found
            if not node.other.statements and _is_break(node.then) and not inner:
                new += [replace(node, cond=cond), move]  # after the loop, `top` is dead
                continue
            then, other = (
                arm if _is_break(arm) and not inner else replace(arm, statements=(move, *arm.statements))
                for arm in (node.then, node.other)
            )
            new.append(replace(node, cond=cond, then=then, other=other))
        return new

    def block(self, block: tree.Block, inner: bool) -> tree.Block:
        return replace(block, statements=tuple(self.moves_before_tests(block.statements, inner=inner)))

    def is_move(self, node: tree.Stmt) -> bool:
        move = moved_by(node.expr) if isinstance(node, tree.Evaluate) else None
        return move is not None and move[0] is self.top and move[1] < 0

    def reads_top_alone(self, cond: tree.Expr) -> bool:
        """Whether a condition asks for nothing but `top` and constants."""
        return only_reads(cond) and self.names_top(cond) and all(
            below.place.variable is self.top if isinstance(below.place, tree.VarRef) else False
            for below in walk(cond) if isinstance(below, tree.Load)
        )  # fmt: skip

    def unmoved(self, cond: tree.Expr) -> tuple[tree.Expr, tree.Stmt] | None:
        """Return a test that moves `top` as one that does not, and the move."""
        moves = [node for node in walk(cond) if (found := moved_by(node)) is not None and found[0] is self.top]
        if len(moves) != 1 or any(isinstance(below, tree.Logical | tree.Conditional) for below in walk(cond)):
            return None
        (move,) = moves
        if not isinstance(move, tree.Increment | tree.CompoundAssign | tree.Assign):
            return None
        stays = isinstance(move, tree.Increment) and not move.prefix
        value = Build(move.span).read(self.top) if stays else self.moved_top(tree.Evaluate(move.span, move))
        new: tree.Expr = replaced(cond, move, value)
        return (new, tree.Evaluate(move.span, move)) if self.reads_top_alone(new) else None

    def moved_top(self, move: tree.Stmt) -> tree.Expr:
        """Return what `top` is after a move."""
        assert isinstance(move, tree.Evaluate)
        build, found = Build(move.span), moved_by(move.expr)
        assert found is not None
        read = build.read(self.top)
        count = build.number(self.top.type, found[1])
        if isinstance(self.top.type, Pointer):
            return tree.PointerAdd(move.span, self.top.type, read, count, negative=False)
        return build.binary(read, "+", count)

    def with_top(self, node: Any, value: tree.Expr) -> Any:
        if isinstance(node, tree.Load) and isinstance(node.place, tree.VarRef) and node.place.variable is self.top:
            return value
        return map_children(node, lambda child: self.with_top(child, value))

    # ------------------------------------------------------------------------------------------- flags

    def without_flag(self, loop: Loop) -> Loop:
        """Return a loop that ends by `break` where it ended by a variable."""
        flags = set() if loop.cond is None or loop.step else named_variables(loop.cond)
        if len(flags) != 1 or self.names_top(loop) is False or loop.cond is None:
            return loop
        (flag,) = flags
        uses = sum(1 for below in references(loop.body) if below.variable is flag)
        atom = comparison(loop.cond, True, flag)
        if not is_local(flag) or flag in self.live or atom is None or uses != len(list(_set_to(loop.body, flag))):
            return loop
        values = [value for _, value in _set_to(loop.body, flag)]
        if not values or not all(_excludes(loop.cond, flag, value) for value in values):
            return loop
        if not self.starts_with(flag, loop.cond):
            return loop
        body, left = _with_breaks(loop.body, flag)
        return loop if left else replace(loop, cond=None, body=body)

    def starts_with(self, flag: Variable, cond: tree.Expr) -> bool:
        """Whether a condition holds at first, by the value that a variable gets before the loop."""
        for node in reversed(self.before):
            value = node.initial if isinstance(node, tree.Declare) and node.variable is flag else None
            if value is None:
                value = next((value for write, value in _set_to(node, flag) if write is node), None)
            if isinstance(value, tree.Constant):
                return _excludes(Build(node.span).negate(cond), flag, value)
            if any(below.variable is flag for below in references(node)):
                break
        return False

    # -------------------------------------------------------------------------------- loops in the loop

    def flattened(self, loop: Loop) -> Loop:
        """Return the loop without loops in it that push or pop, where they are at its start or its end."""
        body = flat(loop.body.statements)
        if loop.step or not body:
            return loop
        if self.is_inner(body[0]) and (loop.test_first or loop.cond is None):
            inner = body[0]
            if self.is_said(loop.cond, inner, body[1:]):
                return self.flattened(
                    replace(loop, body=replace(loop.body, statements=(self.iteration(inner), *body[1:])))
                )
        if len(body) > 1 and self.is_inner(body[-1]) and loop.test_first:
            iteration = self.iteration(body[-1])
            skipped = all(self.is_skipped(node, iteration.cond, True) for node in body[:-1])
            if skipped and self.is_said(loop.cond, body[-1], ()):
                return replace(loop, body=replace(loop.body, statements=(*body[:-1], iteration)))
        return self.tested_behind(loop, body)

    def tested_behind(self, loop: Loop, body: list[tree.Stmt]) -> Loop:
        """Return a loop with a test as its condition before which an iteration has only done what the test excludes."""
        for i, node in enumerate(body):
            goes_on = self.exit(node)
            if goes_on is not None and is_true(loop.cond) and loop.test_first:
                rest = (*body[:i], *body[i + 1 :])
                return replace(loop, cond=goes_on, body=replace(loop.body, statements=rest))
            if not isinstance(node, tree.If):
                break
            last = flat(node.then.statements)[-1:]
            following = next((cond for later in body[i:] if (cond := self.exit(later)) is not None), None)
            if (
                following is None
                or not last
                or not isinstance(last[0], tree.Continue)
                or not self.is_skipped(node, following, False)
            ):
                break
        return loop

    def is_inner(self, node: tree.Stmt) -> bool:
        return (
            isinstance(node, Loop) and node.test_first and not node.init and not node.step and node.cond is not None
            and self.names_top(node.body) and only_reads(node.cond) and not self.names_top(node.cond)
            and not any(isinstance(jump, tree.Break) for below in node.body.statements for jump in jumps_out(below))
        )  # fmt: skip

    def iteration(self, inner: tree.Stmt) -> tree.If:
        """Return one iteration of an inner loop, as one of the outer loop."""
        assert isinstance(inner, Loop)
        assert inner.cond is not None
        then = replace(inner.body, statements=(*inner.body.statements, tree.Continue(inner.span)))
        return tree.If(inner.span, inner.cond, then, tree.Block(inner.span, ()))

    def is_said(self, test: tree.Expr | None, inner: tree.Stmt, following: Sequence[tree.Stmt]) -> bool:
        """Whether nothing happens in the rest of an iteration in which the outer test does not hold any more."""
        if is_true(test) or test is None:
            return True
        for node in (inner, *following):
            if self.is_left(node, test):
                return True
            if not self.is_skipped(node, test, False):
                return False
        return True

    def is_skipped(self, node: tree.Stmt, cond: tree.Expr | None, holds: bool) -> bool:
        """Whether a statement does nothing if a condition holds, or does not hold."""
        assert cond is not None
        own = node.cond if isinstance(node, tree.If | Loop) else None
        if own is None or not only_reads(own) or (isinstance(node, Loop) and (node.init or not node.test_first)):
            return False
        if isinstance(node, tree.If) and node.other.statements:
            return False
        return any(exclude([(cond, holds), (own, True)], variable) for variable in named_variables(cond))

    def is_left(self, node: tree.Stmt, test: tree.Expr) -> bool:
        """Whether a statement ends the loop if the test does not hold."""
        match node:
            case tree.If(cond=cond, then=tree.Block(statements=(tree.Break(),))) if only_reads(cond):
                return any(exclude([(test, False), (cond, False)], variable) for variable in named_variables(test))
        return False

    def rotated(self, loop: Loop) -> Loop | None:
        """Return a loop that pops first, and then has a loop in it that pushes, with the pop at its end."""
        body = flat(loop.body.statements)
        if loop.step or loop.init or not loop.test_first or loop.cond is None or not self.names_top(loop.cond):
            return None
        moves: list[tree.Stmt] = []
        while body and self.is_move(body[0]):
            moves.append(body.pop(0))
        if len(body) < 2 or not self.is_inner(body[1]):
            return None
        build = Build(loop.span)
        match body[0]:
            case tree.Declare(variable=variable, initial=tree.Load() as value):
                pop: tree.Stmt = build.assign(variable, value)
            case tree.Evaluate(expr=tree.Assign(place=tree.VarRef(), value=tree.Load() as value)) as pop:
                pass
            case _:
                return None
        if not self.names_top(value):
            return None
        end = (build.when(build.negate(loop.cond), [tree.Break(loop.span)]), *moves, pop)

        def popping(statements: Sequence[tree.Stmt]) -> list[tree.Stmt]:
            return [below for node in statements for below in instead(node)]

        def instead(node: tree.Stmt) -> Sequence[tree.Stmt]:
            match node:
                case tree.Continue():
                    return (*end, node)
                case tree.If(then=then, other=other):
                    arms = [replace(arm, statements=tuple(popping(arm.statements))) for arm in (then, other)]
                    return (replace(node, then=arms[0], other=arms[1]),)
                case tree.Block():
                    return (replace(node, statements=tuple(popping(node.statements))),)
            return (node,)

        rest = popping(body[2:])
        return replace(loop, cond=None, body=replace(loop.body, statements=(self.iteration(body[1]), *rest, *end)))


def _is_break(block: tree.Block) -> bool:
    return len(found := flat(block.statements)) == 1 and isinstance(found[0], tree.Break)


def is_true(cond: tree.Expr | None) -> bool:
    return cond is None or (isinstance(cond, tree.Constant) and bool(cond.value))


def _set_to(node: tree.Node, flag: Variable) -> list[tuple[tree.Stmt, tree.Constant]]:
    """Return the statements that set a variable to a constant."""
    found: list[tuple[tree.Stmt, tree.Constant]] = []
    for below in walk(node):
        match below:
            case tree.Evaluate(expr=tree.Assign(place=tree.VarRef(variable=variable), value=tree.Constant() as value)):
                if variable is flag:
                    found.append((below, value))
    return found


def _excludes(cond: tree.Expr, flag: Variable, value: tree.Constant) -> bool:
    """Whether a condition does not hold where a variable has a value."""
    build = Build(cond.span)
    same = build.binary(build.read(flag), "==", value)
    atom = comparison(same, True, flag) or ("==", float(value.value))
    own = comparison(cond, True, flag)
    return own is not None and not COMPARE[own[0]](atom[1], own[1])


def _with_breaks(block: tree.Block, flag: Variable) -> tuple[tree.Block, int]:
    """Return a body with `break` where an iteration ends by setting `flag`; and how many other places set it."""
    left = len(_set_to(block, flag))

    def ending(statements: Sequence[tree.Stmt]) -> tuple[tree.Stmt, ...]:
        """`statements` are the last of an iteration."""
        nonlocal left
        found = flat(statements)
        at_end = [i for i, node in enumerate(found) if isinstance(node, tree.Continue)]
        last = at_end[0] if at_end else len(found)
        for i, node in enumerate(found):
            if i == last - 1 and _set_to(node, flag) and isinstance(node, tree.Evaluate):
                left -= 1
                return (*found[:i], tree.Break(node.span))
            if isinstance(node, tree.If) and (i >= last - 1 or _always_ends(node)):
                found[i] = arms(node)
            elif isinstance(node, tree.If):
                found[i] = inner(node)
        return tuple(found)

    def arms(node: tree.If) -> tree.If:
        then, other = (replace(arm, statements=ending(arm.statements)) for arm in (node.then, node.other))
        return replace(node, then=then, other=other)

    def inner(node: tree.If) -> tree.If:
        """An `if` after which an iteration continues, in the arms that do not end with a `continue`."""
        new = [
            replace(arm, statements=ending(arm.statements))
            if arm.statements and isinstance(flat(arm.statements)[-1], tree.Continue) else arm
            for arm in (node.then, node.other)
        ]  # fmt: skip
        return replace(node, then=new[0], other=new[1])

    return replace(block, statements=ending(block.statements)), left


def _always_ends(node: tree.If) -> bool:
    arms = [flat(arm.statements) for arm in (node.then, node.other)]
    return all(arm and isinstance(arm[-1], tree.Continue) for arm in arms)
