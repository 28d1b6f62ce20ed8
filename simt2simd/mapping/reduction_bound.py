"""Kernels that sum up: each iteration of their loops waits for the one before it, and for nothing else.

**Known as:** loop-carried dependence of a reduction.

    for (int k = 0; k < n; k++) s += a[k] * b[k * n + i];

An addition takes four times as long as the CPU needs to begin the next one. Sums in four registers are four chains side
by side, and they read longer runs of memory. It need not be a sum: a maximum, a polynomial by Horner's rule.
"""

from __future__ import annotations

from collections.abc import Mapping

from .. import costs
from ..analysis.lattice import Kind
from ..analysis.shapes import FunctionShapes, Instance, register_place
from ..analysis.storage import Storage
from ..tree import nodes as tree
from ..tree.effects import declared_variables, named_variables, own_written
from ..tree.nodes import Loop
from ..tree.walk import walk
from .access_cost import access_cost

Instances = Mapping[Instance, FunctionShapes]


def mostly_sums(shapes: FunctionShapes, instances: Instances, storage: Storage) -> bool:
    """Whether all loops of a kernel hold nothing but whole vectors and scalars, and the innermost hand on values.

    `instances` has the shapes of the functions that it calls.
    """
    loops = _loops(shapes)
    innermost = [loop for loop in loops if not any(isinstance(node, Loop) for node in walk(loop) if node is not loop)]
    hand_on = bool(loops) and all(_hands_on(shapes, storage, loop) for loop in innermost)
    return hand_on and is_steady(shapes, instances, storage)


def is_steady(shapes: FunctionShapes, instances: Instances, storage: Storage) -> bool:
    """Whether all loops of a kernel hold nothing but whole vectors and scalars."""
    return all(_is_steady(shapes, instances, storage, node) for loop in _loops(shapes) for node in walk(loop))


def _loops(shapes: FunctionShapes) -> list[Loop]:
    return [node for node in walk(shapes.function.body) if isinstance(node, Loop)]


def _is_steady(shapes: FunctionShapes, instances: Instances, storage: Storage, node: tree.Node) -> bool:
    """Whether all lanes do a part of a loop at once, and no lane by itself."""
    match node:
        case Loop():
            return node not in shapes.divergent_loops
        case tree.If(cond=cond) | tree.Switch(value=cond):
            return shapes.of(cond).uniform
        case tree.Load() | tree.Assign() | tree.CompoundAssign() | tree.Increment():
            return access_cost(shapes, storage, node) <= costs.LANE_BY_LANE_FROM_NS
        case tree.BuiltinCall(builtin=builtin):
            return builtin.pure
        case tree.Call():
            called = instances[shapes.calls[node]]
            return all(_is_steady(called, instances, storage, below) for below in walk(called.function.body))
    return True


def _hands_on(shapes: FunctionShapes, storage: Storage, loop: Loop) -> bool:
    """Whether an iteration computes a number that differs among lanes from its value of the iteration before."""
    inside = declared_variables(loop)
    for node in walk(loop):
        variable = own_written(node)
        if variable is None or variable in inside or not isinstance(node, tree.Assign | tree.CompoundAssign):
            continue
        place = register_place(node.place, storage)
        differs = place is not None and shapes.variable(*place).kind == Kind.VARYING
        if differs and (isinstance(node, tree.CompoundAssign) or variable in named_variables(node.value)):
            return True
    return False
