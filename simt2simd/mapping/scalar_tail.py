"""Which divergent loops hand their last lanes over to scalar code, and how many lanes are the last ones.

**Known as:** a scalar epilogue, scalarised tail.

An iteration for sixteen lanes costs the same however few of them are on. That is weighed against an iteration of one
lane.
"""

from __future__ import annotations

from dataclasses import dataclass

from ..analysis.shapes import FunctionShapes, Instance, Shapes, register_place
from ..analysis.storage import Storage
from ..tree import nodes as tree
from ..tree.nodes import Loop, OutlinedLoop
from ..tree.walk import walk
from .access_cost import access_cost

MIN_LANES, MAX_LANES = 3, 10

# Nanoseconds, as in `costs`.
LANE_ITERATION, LANE_ACCESS, LANE_OPERATION, LANE_BRANCH = 0.5, 0.2, 0.1, 0.7
OPERATION, BRANCH = 0.3, 1.5


@dataclass(frozen=True)
class ScalarTail:
    """When no more than so many `lanes` are left in a loop, `instance` serves each of them alone."""

    loop: OutlinedLoop
    instance: Instance
    lanes: int


def choose(shapes: Shapes) -> dict[tuple[Instance, Loop], ScalarTail]:
    """Return the loops, each in a function instance, whose last lanes finish faster one by one."""
    found: dict[tuple[Instance, Loop], ScalarTail] = {}
    for inside in shapes.instances.values():
        for node, (loop, instance) in inside.lane_loops.items():
            scalar = any(inside.variable(variable).scalar for variable in loop.results)
            if scalar or not all(shape.uniform for shape in shapes.instances[instance].results):
                continue
            lanes = min(MAX_LANES, _break_even(inside, shapes.storage, node))
            if lanes >= MIN_LANES:
                found[inside.instance, node] = ScalarTail(loop, instance, lanes)
    return found


def _break_even(shapes: FunctionShapes, storage: Storage, node: Loop) -> int:
    """Return how many lanes, run one by one, cost as much as an iteration of the gang."""

    def in_memory(access: tree.Access) -> bool:
        return register_place(access.place, storage) is None

    gang, lane = 0.0, LANE_ITERATION
    for part in (node.cond, *node.step, node.body):
        for below in walk(part) if part is not None else ():
            match below:
                case tree.Load() | tree.Assign() | tree.CompoundAssign() | tree.Increment() if in_memory(below):
                    gang += access_cost(shapes, storage, below)
                    lane += LANE_ACCESS
                case tree.Binary() | tree.Unary() | tree.BuiltinCall() | tree.CompoundAssign() | tree.Increment():
                    gang += OPERATION
                    lane += LANE_OPERATION
                case tree.If() | tree.Conditional() | tree.Logical():
                    gang += BRANCH
                    lane += LANE_BRANCH
    return int(gang / lane)
