"""Which shared variables may be written between a place of the text and the barrier that comes next.

**Known as:** write sets between barriers.

That is the backward analysis of `liveness` with barriers in place of assignments: what is after a barrier does not
count. What is after the end of a function is what its callers do there.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import assert_never

from ..tree import nodes as tree
from ..tree.effects import addressed_variables, has_effects, is_barrier, outermost, root, writes
from ..tree.nodes import Module, Variable
from ..tree.walk import walk
from .path_invariant_values import number


@dataclass(frozen=True)
class Element:
    """An element of a shared variable; of all that it has if `index` is None."""

    variable: Variable
    index: int | None

    def may_be(self, other: Element) -> bool:
        return self.variable is other.variable and (None in (self.index, other.index) or self.index == other.index)


Written = frozenset[Element | None]  # None: the end of the function may come before a barrier
NOTHING: Written = frozenset()
AT_END: Written = frozenset([None])


def element(place: tree.Place) -> Element | None:
    """Return the element that `place` is, or is in; None if it is not known to be in a shared variable."""
    variable = root(place)
    if variable is None or variable.storage != "shared":
        return None
    match outermost(place)[0]:
        case tree.Index(pointer=tree.Decay(place=tree.VarRef()), index=index):
            return Element(variable, number(index))
    return Element(variable, None)


@dataclass
class NextWrites:
    """What may be written of shared variables before the next barrier.

    `after` a statement; `inside` an `if`, before its arms; `after_end` the end of a function.
    """

    after: dict[tree.Stmt, Written] = field(default_factory=dict)
    inside: dict[tree.If, Written] = field(default_factory=dict)
    after_end: dict[str, Written] = field(default_factory=dict)

    def soon(self, function: str, written: Written) -> Written:
        """Return what is in `written`, with what callers write if the end of the function is near."""
        return (written | self.after_end.get(function, NOTHING) if None in written else written) - AT_END


def find(module: Module) -> NextWrites:
    """Walk all functions again and again until nothing more is found."""
    found = _Found()
    known: object = None
    while known != (found.functions, found.heads, found.result.after_end):
        known = (dict(found.functions), dict(found.heads), dict(found.result.after_end))
        for name, function in module.functions.items():
            walked = _Backward(found, name)
            found.functions[name] = walked.block(function.body, _Exits(NOTHING, NOTHING), AT_END)
    return found.result


@dataclass
class _Found:
    """What is known so far: what is written soon before each function's body, and before the iterations of loops."""

    result: NextWrites = field(default_factory=NextWrites)
    functions: dict[str, Written] = field(default_factory=dict)
    heads: dict[tree.Loop, Written] = field(default_factory=dict)
    uses: dict[tree.Node, _Uses] = field(default_factory=dict)


@dataclass(frozen=True)
class _Exits:
    """What is written soon where `break` and `continue` lead."""

    broken: Written
    continued: Written


@dataclass
class _Backward:
    """Each method takes what is written soon after a node and returns what is written soon before it."""

    found: _Found
    name: str

    @property
    def result(self) -> NextWrites:
        return self.found.result

    def block(self, block: tree.Block, exits: _Exits, after: Written) -> Written:
        for statement in reversed(block.statements):
            self.result.after[statement] = after
            after = self.statement(statement, exits, after)
        return after

    def statement(self, node: tree.Stmt, exits: _Exits, after: Written) -> Written:
        match node:
            case tree.Block():
                return self.block(node, exits, after)
            case tree.Declare():
                return after if node.initial is None else self.uses(node.initial, after)
            case tree.Evaluate():
                return self.uses(node.expr, after)
            case tree.If():
                inside = self.block(node.then, exits, after) | self.block(node.other, exits, after)
                self.result.inside[node] = inside
                return self.uses(node.cond, inside)
            case tree.Loop():
                return self.loop(node, exits, after)
            case tree.Switch():
                return self.switch(node, exits, after)
            case tree.Break():
                return exits.broken
            case tree.Continue():
                return exits.continued
            case tree.Return():
                return AT_END if node.value is None else self.uses(node.value, AT_END)
            case _:
                assert_never(node)

    def loop(self, node: tree.Loop, exits: _Exits, after: Written) -> Written:
        head = self.found.heads.get(node, NOTHING)
        again = self.test(node, head, after) if not node.test_first else head
        for step in reversed(node.step):
            again = self.uses(step, again)
        before = self.block(node.body, _Exits(after, again), again)
        if node.test_first:
            before = self.test(node, before, after)
        self.found.heads[node] = head | before
        for statement in reversed(node.init):
            before = self.statement(statement, exits, before)
        return before

    def test(self, node: tree.Loop, into: Written, after: Written) -> Written:
        return into if node.cond is None else self.uses(node.cond, into | after)

    def switch(self, node: tree.Switch, exits: _Exits, after: Written) -> Written:
        live = everywhere = after
        for section in reversed(node.sections):
            live = self.block(section.body, _Exits(after, exits.continued), live)
            everywhere |= live
        return self.uses(node.value, everywhere)

    def uses(self, node: tree.Node, after: Written) -> Written:
        """Return what is written soon before an expression; it may be evaluated in any order."""
        uses = self.found.uses.get(node)
        if uses is None:
            uses = self.found.uses[node] = _uses(node)
        own, after_end = uses.written, self.result.after_end
        for function in uses.calls:
            after_end[function] = after_end.get(function, NOTHING) | self.result.soon(self.name, after)
            first = self.found.functions.get(function, NOTHING)
            own |= first - AT_END
            if None not in first:
                after = NOTHING
        return own if uses.waits else own | after


@dataclass(frozen=True)
class _Uses:
    """What an expression writes of shared variables, or hands to something that may; what it calls; its barriers."""

    written: Written
    calls: tuple[str, ...]
    waits: bool


def _uses(node: tree.Node) -> _Uses:
    if not has_effects(node):
        return _Uses(NOTHING, (), waits=False)
    handed = (Element(variable, None) for variable in addressed_variables(node) if variable.storage == "shared")
    written = frozenset(found for write in writes(node) if (found := element(write.place)) is not None)
    calls = tuple(below.function for below in walk(node) if isinstance(below, tree.Call))
    return _Uses(written.union(handed), calls, any(map(is_barrier, walk(node))))
