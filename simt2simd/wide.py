"""Wide gangs: kernels whose values had better be two registers each.

A chain of dependent operations on one register leaves most of the CPU's issue slots empty; on two registers each it
takes no longer and does twice as much, and what a gang does once - loops, branches, scalar arithmetic - serves twice as
many threads. Accesses lane by lane gain nothing by it, and lanes that part from each other lose.
"""

from __future__ import annotations

from . import outcome, tree
from .instance import FunctionShapes
from .storage import Storage
from .tree import Module

GATHER_NS = 2.0  # what costs more is done lane by lane


def possible(module: Module) -> frozenset[str]:
    """The kernels that can run in wide gangs: neither recursion nor atomic functions, which go lane by lane."""
    recursive = tree.recursive(module)
    lane_by_lane = tree.reaching(
        module,
        lambda node: (
            (isinstance(node, tree.BuiltinCall) and node.builtin.atomic)
            or (isinstance(node, tree.Call) and node.function in recursive)
        ),
    )
    return frozenset(kernel.name for kernel in module.kernels if kernel.name not in lane_by_lane)


def pays(shapes: FunctionShapes, storage: Storage) -> bool:
    """Whether a kernel gains by wide gangs."""
    accesses = (tree.Load, tree.Assign, tree.CompoundAssign, tree.Increment)
    return not any(
        isinstance(node, accesses) and outcome.access_cost(shapes, storage, node) > GATHER_NS
        for node in tree.walk(shapes.function.body)
    )
