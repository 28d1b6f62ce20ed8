"""Which recursive walks (`analysis/walks`) become loops over a stack, and which of these in place of their calls.

**Known as:** recursion elimination by a stack.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..analysis import walks
from ..analysis.shapes import FunctionShapes, Instance, Shapes
from ..tree.walk import count_nodes

MAX_INLINED_NODES = 400  # larger walks are called


@dataclass(frozen=True)
class StackWalk:
    """`inlined`: put in place of its calls, so that what its pointers lead to may live in registers."""

    inlined: bool


def choose(shapes: Shapes) -> dict[Instance, StackWalk]:
    """Return the function instances that become such loops."""
    return {
        instance: StackWalk(count_nodes(inside.function.body) <= MAX_INLINED_NODES)
        for instance, inside in shapes.instances.items()
        if inside.function.looped and _is_loop(inside)
    }


def _is_loop(shapes: FunctionShapes) -> bool:
    """Whether all the calls in a walk are of the instance itself."""
    function = shapes.function
    calls = walks.calls(function.body, function.name)
    same = all(shapes.calls.get(call) == shapes.instance for call in calls)
    return same and walks.parts(function.body.statements, function.name, loops=True) is not None
