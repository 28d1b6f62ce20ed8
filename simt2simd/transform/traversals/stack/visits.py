"""What an iteration of a loop over a stack visits next, as calls: the last pushed first, and each node once.

Paths of an iteration may visit the same nodes in different orders. Their calls are made in one order that contains
the others, each under the condition that a path that makes it was taken (compare `merge_calls`):

    c ? (left, right) : (right, left)        if (c) f(left);  f(right);  if (!c) f(left);
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import repeat

from ....analysis.stack.accesses import NotRead
from ....analysis.stack.scripts import Repeat
from ....lang.ctype import BOOL, is_float
from ....tree import nodes as tree
from ....tree.build import Build
from ....tree.nodes import Variable
from ....tree.same import same_text
from ....tree.subsequence import common_subsequence

MAX_PICKS = 3  # choices between values that become choices between calls
MAX_VISITS = 64  # calls at the end of an iteration


@dataclass(frozen=True, eq=False)
class Pick:
    """One of two values, as a variable says."""

    chosen: Variable
    then: Value
    other: Value


Value = tree.Expr | Pick


@dataclass(frozen=True, eq=False)
class Visit:
    """A node to visit: the entry's values."""

    values: tuple[Value, ...]


@dataclass(frozen=True, eq=False)
class Decide:
    """One of two lists of visits, as a variable says. If it says the first one, so do the variables `implied`."""

    chosen: Variable
    then: tuple[Step, ...]
    other: tuple[Step, ...]
    implied: frozenset[Variable] = frozenset()


@dataclass(frozen=True, eq=False)
class Again:
    """The visits of a counted loop: it runs from `first` to `bound`, and visits what its script pushes."""

    repeat: Repeat
    first: tree.Expr
    bound: tree.Expr


Step = Visit | Decide | Again
Steps = tuple[Step, ...]


@dataclass(frozen=True, eq=False)
class Guarded:
    """A call under a condition, or calls in a loop; None: always."""

    guard: tree.Expr | None
    values: tuple[tree.Expr, ...]
    again: Again | None = None


@dataclass(frozen=True)
class Calls:
    """Makes calls of steps; `loop` is the loop that makes them."""

    loop: tree.Loop

    @property
    def build(self) -> Build:
        return Build(self.loop.span)

    def of(self, steps: Steps) -> list[Guarded]:
        picks = list(dict.fromkeys(self.picks(steps)))
        while len(picks) > MAX_PICKS:
            steps = self.blended(steps, picks.pop())
        return self.split(steps, picks)

    def picks(self, steps: Steps) -> Iterator[Variable]:
        """The variables that choose between nodes."""
        for step in steps:
            if isinstance(step, Decide):
                yield from self.picks((*step.then, *step.other))
                continue
            for value in step.values if isinstance(step, Visit) else ():
                yield from _picks(value)

    def blended(self, steps: Steps, chosen: Variable) -> Steps:
        """Return steps in which a choice is one between values again."""

        def value(node: Value) -> Value:
            if not isinstance(node, Pick):
                return node
            then, other = value(node.then), value(node.other)
            if node.chosen is chosen and not isinstance(then, Pick) and not isinstance(other, Pick):
                return self.build.choose(self.build.read(chosen), then, other)
            return replace(node, then=then, other=other)

        return _mapped(steps, value)

    def split(self, steps: Steps, picks: Sequence[Variable]) -> list[Guarded]:
        if not picks:
            return self.merged(steps)
        chosen, *more = picks
        then, other = (_on_side(steps, chosen, side) for side in (True, False))
        return self.either(chosen, self.split(then, more), self.split(other, more))

    def merged(self, steps: Steps) -> list[Guarded]:
        found: list[Guarded] = []
        for step in reversed(steps):
            if isinstance(step, Visit):
                found.append(Guarded(None, tuple(self.value(value) for value in step.values)))
            elif isinstance(step, Again):
                found.append(Guarded(None, (), step))
            else:
                found += self.either(step.chosen, self.merged(step.then), self.merged(step.other))
        return found

    def value(self, value: Value) -> tree.Expr:
        if isinstance(value, Pick):
            return self.build.choose(self.build.read(value.chosen), self.value(value.then), self.value(value.other))
        return value

    def either(self, chosen: Variable, left: list[Guarded], right: list[Guarded]) -> list[Guarded]:
        """Return the calls of two lists in one order that has both orders in it."""
        if len(left) + len(right) > MAX_VISITS:
            raise NotRead(self.loop, "it pushes too many nodes in an iteration")
        result: list[Guarded] = []
        done_left = done_right = 0
        build = self.build
        for i, j in [*common_subsequence(left, right, _same_node), (len(left), len(right))]:
            for call in left[done_left:i]:
                result.append(replace(call, guard=self.also(build.read(chosen), call.guard)))
            for call in right[done_right:j]:
                result.append(replace(call, guard=self.also(build.negate(build.read(chosen)), call.guard)))
            if i < len(left):
                guards = left[i].guard, right[j].guard
                guard = None
                if same_text(*guards):
                    guard = guards[0]
                else:
                    guard = build.choose(
                        build.read(chosen), *(g if g is not None else build.number(BOOL, True) for g in guards)
                    )
                values = tuple(map(self.blend, repeat(chosen), left[i].values, right[j].values))
                result.append(replace(left[i], guard=guard, values=values))
            done_left, done_right = i + 1, j + 1
        return result

    def blend(self, chosen: Variable, left: tree.Expr, right: tree.Expr) -> tree.Expr:
        """What a call passes that visits the same node in both lists."""
        return left if same_text(left, right) else self.build.choose(self.build.read(chosen), left, right)

    def also(self, cond: tree.Expr, guard: tree.Expr | None) -> tree.Expr:
        return cond if guard is None else self.build.both(cond, guard)


def _picks(value: Value) -> Iterator[Variable]:
    if isinstance(value, Pick):
        some = value.then if not isinstance(value.then, Pick) else value.other
        if isinstance(some, Pick) or not is_float(some.type):
            yield value.chosen
        yield from _picks(value.then)
        yield from _picks(value.other)


def _on_side(steps: Steps, chosen: Variable, side: bool) -> Steps:
    """Return the steps where a variable has a value."""
    found: list[Step] = []
    for step in steps:
        match step:
            case Visit(values=values):
                found.append(Visit(tuple(_chosen(value, chosen, side) for value in values)))
            case Decide(then=then, other=other) if step.chosen is chosen:
                found += _on_side(then if side else other, chosen, side)
            case Decide(other=other, implied=implied) if not side and chosen in implied:
                found += _on_side(other, chosen, side)
            case Decide(then=then, other=other):
                found.append(replace(step, then=_on_side(then, chosen, side), other=_on_side(other, chosen, side)))
            case Again():
                found.append(step)
    return tuple(found)


def _chosen(value: Value, chosen: Variable, side: bool) -> Value:
    if not isinstance(value, Pick):
        return value
    then, other = _chosen(value.then, chosen, side), _chosen(value.other, chosen, side)
    if value.chosen is chosen:
        return then if side else other
    return replace(value, then=then, other=other)


def _mapped(steps: Steps, change: Callable[[Value], Value]) -> Steps:
    """Return steps with other values."""

    def step(node: Step) -> Step:
        if isinstance(node, Visit):
            return Visit(tuple(map(change, node.values)))
        if isinstance(node, Again):
            return node
        return replace(node, then=_mapped(node.then, change), other=_mapped(node.other, change))

    return tuple(map(step, steps))


def _same_node(left: Guarded, right: Guarded) -> bool:
    """Whether two calls visit the same node. A number that comes with the node, such as a distance, may differ."""
    if left.again is not None or right.again is not None:
        return left.again is right.again
    pairs = list(zip(left.values, right.values, strict=True))
    nodes = [pair for pair in pairs if not is_float(pair[0].type)]
    return all(same_text(*pair) for pair in nodes or pairs)
