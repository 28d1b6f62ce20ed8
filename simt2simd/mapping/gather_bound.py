"""Kernels that search: most of their time goes into chases, in which each lane is at a place of its own.

**Known as:** latency-bound kernels.

A gather takes some 10 ns from its address to its values, and a chase waits for it before the next one. Four gathers
side by side take little longer than one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from .. import costs
from ..analysis.pointer_chasing import Chase, reads_memory
from ..analysis.shapes import FunctionShapes, Instance
from ..analysis.storage import Storage
from ..lang.ctype import Struct
from ..tree import nodes as tree
from ..tree.calls import functions_reaching
from ..tree.effects import is_local, root
from ..tree.nodes import Loop, Module
from ..tree.walk import children, walk
from .access_cost import access_cost

Chasing = Mapping[str, tuple[Loop, ...]]  # by function


def searching_loops(module: Module, chasing: Mapping[str, tuple[Chase, ...]]) -> Chasing:
    """Return, of the chases of a module, those that only search: they write no memory and have no `switch`."""
    doing = functions_reaching(module, _does_more)

    def searches(loop: Loop) -> bool:
        return not any(
            _does_more(node) or (isinstance(node, tree.Call) and node.function in doing) for node in walk(loop)
        )

    found = {name: tuple(chase.loop for chase in chases if searches(chase.loop)) for name, chases in chasing.items()}
    return {name: loops for name, loops in found.items() if loops}


def _does_more(node: tree.Node) -> bool:
    match node:
        case tree.Assign(place=place) | tree.CompoundAssign(place=place) | tree.Increment(place=place):
            variable = root(place)
            return variable is None or not is_local(variable)
        case tree.BuiltinCall(builtin=builtin):
            return builtin.atomic or not builtin.pure
    return isinstance(node, tree.Switch)


def mostly_searches(
    shapes: FunctionShapes, instances: Mapping[Instance, FunctionShapes], storage: Storage, chasing: Chasing
) -> bool:
    """Whether gathers in chases are most of what a kernel does, itself and in the functions that it calls."""
    searching, whole = _Costs(instances, storage, chasing).of(shapes, False)
    return searching > costs.MOSTLY * whole


@dataclass(frozen=True)
class _Costs:
    """What functions cost; `known` has what was asked before."""

    instances: Mapping[Instance, FunctionShapes]
    storage: Storage
    chasing: Chasing
    known: dict[tuple[Instance, bool], tuple[float, float]] = field(default_factory=dict)

    def of(self, shapes: FunctionShapes, inside: bool) -> tuple[float, float]:
        """Return what the gathers in chases cost, and all of a function; `inside`: a chase calls it."""
        key = shapes.instance, inside
        if key not in self.known:
            self.known[key] = self._below(shapes, shapes.function.body, inside)
        return self.known[key]

    def _below(self, shapes: FunctionShapes, node: tree.Node, inside: bool) -> tuple[float, float]:
        inside = inside or any(node is loop for loop in self.chasing.get(shapes.function.name, ()))
        searching, whole = self._own(shapes, node, inside)
        for below in children(node):
            more = self._below(shapes, below, inside)
            searching, whole = searching + more[0], whole + more[1]
        trip_count = costs.TRIP_COUNT if isinstance(node, Loop) else 1
        return searching * trip_count, whole * trip_count

    def _own(self, shapes: FunctionShapes, node: tree.Node, inside: bool) -> tuple[float, float]:
        """Return what a node costs without those below it, but with the function that it calls."""
        match node:
            case tree.Call():
                return self.of(self.instances[shapes.calls[node]], inside)
            case tree.Load() | tree.Assign() | tree.CompoundAssign() | tree.Increment():
                cost = access_cost(shapes, self.storage, node)
                searching = inside and reads_memory(node) and cost >= costs.GATHER_NS
                return searching * cost, cost + operation_cost(shapes, node)
            case tree.Binary(op="/" | "%", right=tree.Constant()):  # a shift or two and a product
                return 0.0, min(operation_cost(shapes, node), costs.SOME_OPERATIONS_NS)
        return 0.0, operation_cost(shapes, node)


def operation_cost(shapes: FunctionShapes, node: tree.Node) -> float:
    """What an operation costs if it is done on lanes."""
    match node:
        case tree.BuiltinCall() | tree.Binary(op="/" | "%") | tree.CompoundAssign(op="/" | "%"):
            return _on_lanes(shapes, node) * costs.LONG_OPERATION_NS
        case tree.Unary() | tree.Binary() | tree.CompoundAssign():
            return _on_lanes(shapes, node) * costs.OPERATION_NS
    return 0.0


def _on_lanes(shapes: FunctionShapes, node: tree.Expr) -> bool:
    return not isinstance(node.type, Struct) and not shapes.of(node).scalar
