"""Which lanes run a statement and which wait, as the shape analysis hands it down."""

from __future__ import annotations

import pytest
from front import as_a, kernel

from simt2simd.analysis.divergence import Here, InactiveLanes
from simt2simd.analysis.lattice import Kind
from simt2simd.tree import nodes as tree
from simt2simd.tree.walk import walk

TEXT = "int x; int y; for (;;) { switch (i) { case 1: x = y; } }"
BODY = list(walk(kernel(TEXT)))
LOOP = next(as_a(tree.Loop, node) for node in BODY if isinstance(node, tree.Loop))
SWITCH = next(as_a(tree.Switch, node) for node in BODY if isinstance(node, tree.Switch))
X, Y = (node.variable for node in BODY if isinstance(node, tree.Declare))
START = Here(Kind.BLOCK)


def test_lanes_wait_for_conditions_that_they_disagree_about() -> None:
    arm = START.under(Kind.VARYING, frozenset({X}))
    assert arm.is_wanted(X) and not arm.is_wanted(Y) and arm.control == Kind.VARYING
    assert START.after(arm) == START
    uniform = START.under(Kind.UNIFORM, frozenset({X}))
    assert not uniform.is_wanted(X) and uniform.control == Kind.UNIFORM
    assert START.under(Kind.VARYING, None).is_wanted(Y), "operands of ?: keep everything"


@pytest.mark.parametrize(("outer", "inner", "seldom"), [(1, 1, True), (1, 0, False), (0, 1, False)])
def test_lanes_are_mostly_together_if_all_conditions_are_so(outer: bool, inner: bool, seldom: bool) -> None:
    arm = START.under(Kind.VARYING, None, outer).under(Kind.VARYING, None, inner)
    assert arm.mostly_together == seldom


def test_continued_lanes_are_missing_until_the_next_iteration() -> None:
    inside = START.in_loop(LOOP, Kind.BLOCK, ())
    assert inside.loop is not None and inside.has_all_of(inside.loop)
    arm = inside.under(Kind.VARYING, frozenset())
    assert arm.loop is not None and not arm.has_all_of(arm.loop)
    rest = inside.after(arm.without_continued(frozenset({X})))
    assert rest.loop is not None and not rest.has_all_of(rest.loop)
    assert rest.is_wanted(X) and not rest.mostly_together and rest.control == Kind.BLOCK
    within = rest.in_loop(LOOP, Kind.BLOCK, ())
    assert within.loop is not None and within.has_all_of(within.loop) and within.is_wanted(X)
    assert START.after_loop(rest) == START


def test_broken_lanes_are_missing_until_the_end_of_the_switch() -> None:
    loop = START.in_loop(LOOP, Kind.BLOCK, ())
    inside = loop.in_switch(SWITCH, Kind.BLOCK, ())
    assert inside.scope is not None and inside.loop is not None
    rest = inside.after(inside.under(Kind.VARYING, frozenset()).without_broken(frozenset({X})))
    assert rest.is_wanted(X) and not rest.has_all_of(inside.scope) and not rest.has_all_of(inside.loop)
    assert loop.after_switch(rest) == loop


def test_lanes_that_continue_in_a_switch_do_not_come_behind_it() -> None:
    loop = START.in_loop(LOOP, Kind.BLOCK, ())
    inside = loop.in_switch(SWITCH, Kind.BLOCK, ())
    assert inside.scope is not None and inside.loop is not None
    rest = inside.after(inside.under(Kind.VARYING, frozenset()).without_continued(frozenset({X})))
    assert rest.has_all_of(inside.scope), "the others are still together in the switch"
    behind = loop.after_switch(rest)
    assert behind.is_wanted(X) and not behind.has_all_of(inside.loop)


def test_lanes_part_at_a_switch_about_which_they_disagree() -> None:
    inside = START.in_switch(SWITCH, Kind.VARYING, (frozenset({X}),))
    assert inside.scope is not None and not inside.has_all_of(inside.scope) and inside.is_wanted(X)


def test_returned_lanes_never_come_back() -> None:
    loop = START.in_loop(LOOP, Kind.BLOCK, ())
    inside = loop.in_switch(SWITCH, Kind.BLOCK, ()).without_returned()
    behind = START.after_loop(loop.after_switch(inside))
    assert behind.inactive == InactiveLanes(returned=True) and not behind.all_waiting
