"""What the accesses of a function will cost, by the shapes of their addresses, before anything is lowered.

**Known as:** a static cost model of memory accesses.
"""

from __future__ import annotations

from typing import assert_never

from ..access import (
    VERBS,
    Access,
    Broadcast,
    Consecutive,
    FromRow,
    Gathered,
    IfEven,
    InRuns,
    LaneByLane,
    Near,
    Spread,
    Strided,
    Verb,
    plan,
)
from ..analysis.lattice import Shape
from ..analysis.shapes import FunctionShapes, access_shape, register_place
from ..analysis.storage import Storage
from ..costs import (
    GATHER_NS,
    LANE_BY_LANE_NS,
    NEAR_NS,
    RUN_NS,
    SCALAR_LOAD_NS,
    SCATTER_NS,
    SOME_VECTORS_NS,
    TAKE_FROM_WORD_NS,
    TEST_NS,
    TRIP_COUNT,
)
from ..target import TARGETS, run
from ..tree import nodes as tree
from ..tree.walk import walk_loops

# What costs decide is the same for every target.
_CAPABLE = next(each for each in TARGETS.values() if each.mask_registers and each.permutes and each.gathers)


def access_costs(function: FunctionShapes, storage: Storage) -> float:
    """What the accesses of a function will cost, roughly, if every loop runs `TRIP_COUNT` times."""
    costs = 0.0
    for node, loops in walk_loops(function.function.body):
        if isinstance(node, tree.Access):
            costs += access_cost(function, storage, node) * float(TRIP_COUNT**loops)
    return costs


def access_cost(function: FunctionShapes, storage: Storage, node: tree.Access) -> float:
    """What a read, write or update of a place will cost, by the shape of its address; nothing for a register."""
    if register_place(node.place, storage) is not None:
        return 0.0
    shape, size = access_shape(function, node.place, storage), node.place.type.size
    reads, writes = not isinstance(node, tree.Assign), not isinstance(node, tree.Load)
    row = run(function.instance.along, function.instance.lanes)
    load, store = (_cost(_planned(shape, size, verb, row), size, verb) for verb in VERBS)
    return reads * load + writes * store


def is_gathered(function: FunctionShapes, storage: Storage, node: tree.Load) -> bool:
    """Whether a read of a scalar in memory looks for the lanes' elements one by one."""
    row = run(function.instance.along, function.instance.lanes)
    shape = access_shape(function, node.place, storage)
    return isinstance(_planned(shape, node.type.size, "load", row), Gathered) and not shape.interleave


def _planned(shape: Shape, size: int, verb: Verb, row: int) -> Access:
    """How an object is accessed on a target that has all that accesses may need; structs count as one access."""
    anywhere = Spread(None, interleave=shape.interleave, scale=size, rise=shape.rise, likely=shape.likely, run=row)
    spread = Spread(shape.stride, interleave=shape.interleave) if shape.scalar else anywhere
    return plan(spread, size, verb, _CAPABLE)


def _cost(access: Access, size: int, verb: Verb) -> float:
    match access:
        case Broadcast():
            return SCALAR_LOAD_NS
        case Consecutive() | Strided():
            return SOME_VECTORS_NS
        case Near() | FromRow():
            return NEAR_NS
        case IfEven():
            return _cost(access.usual, size, verb) + TEST_NS
        case InRuns():
            return RUN_NS * access.count + TEST_NS
        case Gathered():
            whole = GATHER_NS if verb == "load" else SCATTER_NS
            return whole * (2 if size == 8 else 1) + TAKE_FROM_WORD_NS * access.words
        case LaneByLane():
            return LANE_BY_LANE_NS
        case _:
            assert_never(access)
