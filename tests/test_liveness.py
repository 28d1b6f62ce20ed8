"""Liveness against its definition: a variable is live where some path leads to a read of it before it is assigned.

Each test draws a function, draws its paths as a graph of reads and writes, and searches this graph, variable by
variable, from each point where lanes may wait.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import assert_never

import pytest
from front import body, kernel, module
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from simt2simd.analysis import liveness
from simt2simd.analysis.liveness import Live
from simt2simd.tree import nodes as tree
from simt2simd.tree.effects import declared_variables, named_variables
from simt2simd.tree.nodes import Variable
from simt2simd.tree.walk import children, walk

PROPERTY = settings(
    max_examples=100, derandomize=True, deadline=None, suppress_health_check=list(HealthCheck), database=None
)

# ----------------------------------------------------------------------------------- the paths through a function


@dataclass(eq=False)
class Point:
    """A point of a path: what is read or assigned there, if anything, and where the path may continue."""

    read: Variable | None = None
    assigned: Variable | None = None
    next: list[Point] = field(default_factory=list)

    def then(self, point: Point) -> Point:
        self.next.append(point)
        return point


def is_live(variable: Variable, at: Point) -> bool:
    todo, seen = [at], {at}
    while todo:
        point = todo.pop()
        if point.read is variable:
            return True
        if point.assigned is not variable:
            todo += [other for other in point.next if other not in seen]
            seen.update(point.next)
    return False


@dataclass(frozen=True)
class Exits:
    broken: Point
    continued: Point


@dataclass
class Paths:
    """Draws the paths through statements; each method takes the point before a node and returns the one behind it.

    `waits`: the points where lanes may wait, by the statement and the name that `Liveness` has for them.
    """

    waits: dict[tuple[tree.Stmt, str], list[Point]] = field(default_factory=dict)

    def block(self, node: tree.Block, at: Point, exits: Exits) -> Point:
        for below in node.statements:
            at = self.statement(below, at, exits)
        return at

    def statement(self, node: tree.Stmt, at: Point, exits: Exits) -> Point:
        match node:
            case tree.Block():
                return self.block(node, at, exits)
            case tree.Declare():
                assert not isinstance(node.initial, tree.Braces)
                at = at if node.initial is None else self.expression(node.initial, at)
                return at.then(Point(assigned=node.variable))  # without a value at first
            case tree.Evaluate():
                return self.expression(node.expr, at)
            case tree.If():
                at, otherwise, after = self.expression(node.cond, at), Point(), Point()
                at.next.append(otherwise)
                self.block(node.then, at.then(Point()), exits).then(after)
                self.block(node.other, otherwise, exits).then(after)
                self.waits |= {(node, "otherwise"): [otherwise], (node, "after"): [after]}
                return after
            case tree.Loop():
                return self.loop(node, at, exits)
            case tree.Switch():
                return self.switch(node, at, exits)
            case tree.Break():
                at.next.append(exits.broken)
            case tree.Continue():
                at.next.append(exits.continued)
            case tree.Return():
                assert node.value is None
            case _:
                assert_never(node)
        return Point()  # no path leads on

    def loop(self, node: tree.Loop, at: Point, exits: Exits) -> Point:
        for below in node.init:
            at = self.statement(below, at, exits)
        test, again, body, after = Point(), Point(), Point(), Point()
        at.then(test if node.test_first else body)
        self.block(node.body, body, Exits(after, again)).then(again)
        end = again
        for step in node.step:
            end = self.expression(step, end)
        end.then(test)
        if node.cond is None:
            test.then(body)
        else:
            tested = self.expression(node.cond, test)
            tested.next += [body, after]
        self.waits |= {(node, "again"): [again], (node, "after"): [after]}
        return after

    def switch(self, node: tree.Switch, at: Point, exits: Exits) -> Point:
        at, after = self.expression(node.value, at), Point()
        starts = [Point() for _ in node.sections]
        at.next += [*starts, after]
        end = Point()
        for section, start in zip(node.sections, starts, strict=True):
            end.then(start)
            end = self.block(section.body, start, Exits(after, exits.continued))
        end.then(after)
        self.waits |= {(node, "sections"): [*starts, after], (node, "after"): [after]}
        return after

    def expression(self, node: tree.Node, at: Point) -> Point:
        """The order in which operands are evaluated is that of the text; assignments take place behind their values."""
        match node:
            case tree.Load(place=tree.VarRef(variable=variable)):
                return at.then(Point(read=variable))
            case tree.Assign(place=tree.VarRef(variable=variable)):
                return self.expression(node.value, at).then(Point(assigned=variable))
            case tree.CompoundAssign(place=tree.VarRef(variable=variable), value=value):
                read = self.expression(value, at).then(Point(read=variable))
                return read.then(Point(assigned=variable))
            case tree.Increment(place=tree.VarRef(variable=variable)):
                return at.then(Point(read=variable)).then(Point(assigned=variable))
            case tree.Logical():
                left, behind = self.expression(node.left, at), Point()
                self.expression(node.right, left).then(behind)
                return left.then(behind)
            case tree.Conditional():
                cond, behind = self.expression(node.cond, at), Point()
                for arm in (node.then, node.other):
                    self.expression(arm, cond.then(Point())).then(behind)
                return behind
            case _:
                for child in children(node):
                    at = self.expression(child, at)
                return at


def by_definition(function: tree.Block) -> Iterator[tuple[tree.Stmt, str, Live]]:
    """Yield what is live at each point where lanes may wait: the statement, the name of the point, the variables."""
    paths, nowhere = Paths(), Point()
    paths.block(function, Point(), Exits(nowhere, nowhere))
    variables = named_variables(function) | declared_variables(function)
    for (node, name), points in paths.waits.items():
        yield node, name, frozenset(v for v in variables if any(is_live(v, point) for point in points))


# ------------------------------------------------------------------------------------------------------ functions

NAMES = st.sampled_from("abcd")
VALUES = st.builds("{}".format, NAMES) | st.builds("{} + {}".format, NAMES, NAMES) | st.just("1")
EFFECTS = st.one_of(
    st.builds("{} = {}".format, NAMES, VALUES),
    st.builds("{} = {} = {}".format, NAMES, NAMES, VALUES),
    st.builds("{} += {}".format, NAMES, VALUES),
    st.builds("{}++".format, NAMES),
    st.builds("{} = {}, {} = {}".format, NAMES, VALUES, NAMES, VALUES),
)
CONDITIONS = st.builds("{} < {}".format, NAMES, VALUES)

NESTED = st.one_of(
    VALUES,
    st.builds("({} = {})".format, NAMES, VALUES),
    st.builds("({} && ({} = {}))".format, NAMES, NAMES, VALUES),
    st.builds("({} ? {} : ({} = {}))".format, NAMES, VALUES, NAMES, VALUES),
    st.builds("({}++ + {})".format, NAMES, VALUES),
)
NESTED_EFFECTS = st.builds("{} = {} + {}".format, NAMES, NESTED, NESTED) | st.builds("{} || {}".format, NESTED, NESTED)
NESTED_CONDITIONS = st.builds("{} < {}".format, NESTED, NESTED)


@st.composite
def functions(draw: st.DrawFn, effects: st.SearchStrategy[str], conditions: st.SearchStrategy[str]) -> str:
    """The text of a function of four variables, with all statements that there are."""

    def block(depth: int, jumps: tuple[str, ...]) -> str:
        return "{ " + " ".join(statement(depth, jumps) for _ in range(draw(st.integers(0, 3)))) + " }"

    def statement(depth: int, jumps: tuple[str, ...]) -> str:
        kinds = ["effect", "effect", "jump", "declare"] + ["if", "loop", "loop", "switch"] * (depth > 0)
        inside = tuple(dict.fromkeys((*jumps, "break;", "continue;")))
        match draw(st.sampled_from(kinds)):
            case "effect":
                return draw(effects) + ";"
            case "jump":
                return draw(st.sampled_from(jumps))
            case "declare":  # another variable of the same name
                name = draw(NAMES)
                initial = draw(st.sampled_from(["", *(f" = {other}" for other in "abcd" if other != name)]))
                return f"{{ int {name}{initial}; {statement(0, jumps)} {statement(0, jumps)} }}"
            case "if":
                other = draw(st.sampled_from(["", "else"]))
                return f"if ({draw(conditions)}) {block(depth - 1, jumps)} {other and other + block(depth - 1, jumps)}"
            case "loop":
                cond, rounds = draw(conditions), block(depth - 1, inside)
                step = draw(st.just("") | effects)
                forms = [
                    f"while ({cond}) {rounds}",
                    f"do {rounds} while ({cond});",
                    f"for ({draw(effects)}; {cond}; {step}) {rounds}",
                    f"for (;; {step}) {rounds}",
                ]
                return draw(st.sampled_from(forms))
            case _:
                labels = draw(st.sampled_from([["case 1:"], ["case 1:", "default:"], ["case 1:", "case 2: case 3:"]]))
                switched = tuple(dict.fromkeys((*jumps, "break;")))
                sections = " ".join(f"{label} {block(depth - 1, switched)}" for label in labels)
                return f"switch ({draw(VALUES)}) {{ {sections} }}"

    text = " ".join(statement(3, ("return;",)) for _ in range(draw(st.integers(1, 3))))
    return f"__global__ void k(int a, int b, int c, int d) {{ {text} }}"


def names(live: Live) -> list[tuple[str, int]]:
    """Variables by name and, as there are several of one name, place."""
    return sorted((variable.name, variable.span.column) for variable in live)


SWITCH_IN_LOOP = """
__global__ void k(int a, int b, int c, int d) {
    for (; a < b; b = c) {
        switch (a) { case 1: continue; case 2: d = a; if (a < d) break; default: return; }
        c = d;
    }
    a = d;
}"""


@PROPERTY
@given(functions(EFFECTS, CONDITIONS))
@example(SWITCH_IN_LOOP)
def test_what_is_live_is_what_some_path_reads(text: str) -> None:
    function = module(text).functions["k"]
    found = liveness.analyse(function)
    for node, name, live in by_definition(function.body):
        assert names(getattr(found, name)[node]) == names(live), (name, node.span)


@PROPERTY
@given(functions(NESTED_EFFECTS, NESTED_CONDITIONS))
def test_whatever_a_path_reads_is_live(text: str) -> None:
    """Assignments within larger expressions count as reads, too."""
    function = module(text).functions["k"]
    found = liveness.analyse(function)
    for node, name, live in by_definition(function.body):
        assert live <= getattr(found, name)[node], (name, node.span)


@PROPERTY
@given(functions(EFFECTS, CONDITIONS), st.sets(NAMES))
def test_what_is_live_before_a_part(text: str, wanted: set[str]) -> None:
    """`before` gets what is live after statements; the others are those that begin so."""
    function = body(text)
    variables = named_variables(function)
    behind = frozenset(variable for variable in variables if variable.name in wanted)
    whole = liveness.before(function.statements, behind)
    end, start, nowhere = Point(), Point(), Point()
    Paths().block(function, start, Exits(nowhere, nowhere)).then(end)
    at = end
    for variable in behind:
        at = at.then(Point(read=variable))
    assert names(whole) == names(frozenset(v for v in variables if is_live(v, start)))


@pytest.mark.parametrize(
    ("text", "live"),
    [
        ("st.x = i;", "i st"),  # a part of it: the rest stays
        ("pi[i] = u;", "i pi u"),
        ("int x = i; x = u;", "i u"),
        ("st = *ps;", "ps"),
        ("(void)(i = u);", "u"),
        ("return; i = u;", ""),
        ("int a[2] = {i, i}; a[u] = 1;", "i u"),
    ],
)
def test_kinds_of_assignments(text: str, live: str) -> None:
    statements = kernel(text).statements
    assert sorted(variable.name for variable in liveness.before(statements, frozenset())) == live.split()


def test_every_place_where_lanes_wait_is_looked_at() -> None:
    """The drawn functions have all kinds of statements with such places."""
    text = "__global__ void k(int a) { for (;;) { if (a) continue; switch (a) { case 1: break; } } }"
    function = body(text)
    assert len(list(by_definition(function))) == 6
    assert {type(node) for node in walk(function)} >= {tree.If, tree.Loop, tree.Switch, tree.Continue, tree.Break}
