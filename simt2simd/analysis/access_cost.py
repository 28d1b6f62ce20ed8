"""What the accesses of a function will cost, by the shapes of their addresses, before anything is lowered."""

from __future__ import annotations

from ..costs import ROUNDS, TEST_NS
from ..tree import nodes as tree
from ..tree.walk import walk_loops
from .lattice import VARYING, Kind, Shape, affine
from .shapes import FunctionShapes, access_shape, register_place
from .storage import Storage


def access_costs(function: FunctionShapes, storage: Storage) -> float:
    """What the accesses of a function will cost, roughly, if every loop runs `ROUNDS` times."""
    costs = 0.0
    for node, loops in walk_loops(function.function.body):
        if isinstance(node, tree.Access):
            costs += access_cost(function, storage, node) * float(ROUNDS**loops)
    return costs


def access_cost(function: FunctionShapes, storage: Storage, node: tree.Access) -> float:
    """What a read, write or update of a place will cost, by the shape of its address; nothing for a register."""
    if register_place(node.place, storage) is not None:
        return 0.0
    shape = access_shape(function, node.place, storage)
    reads, writes = not isinstance(node, tree.Assign), not isinstance(node, tree.Load)
    return reads * _cost(shape, node.place.type.size, False) + writes * _cost(shape, node.place.type.size, True)


def _cost(shape: Shape, size: int, storing: bool) -> float:
    if shape.uniform:
        return 0.6
    if shape.kind == Kind.AFFINE and abs(shape.stride) <= 4 * size:
        return 1.0
    if shape.likely is not None and (shape.likely or not storing):
        return min(_cost(affine(shape.likely), size, storing) + TEST_NS, _cost(VARYING, size, storing))
    if size < 4:
        return 9.0 if storing else 2.8
    return (4.2 if storing else 2.5) * (2 if size == 8 else 1)
