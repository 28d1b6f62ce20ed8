"""What a kernel will cost with all that it calls, roughly: every loop and every recursion runs `TRIP_COUNT` times.

**Known as:** a static cost model.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from .. import costs
from ..analysis.shapes import FunctionShapes, Instance
from ..analysis.storage import Storage
from ..tree import nodes as tree
from ..tree.walk import walk_loops
from .access_cost import access_cost
from .gather_bound import operation_cost


@dataclass(frozen=True)
class Cost:
    """What operations on lanes will cost, and accesses. `lane_by_lane`: some in loops go lane by lane."""

    operations: float
    accesses: float
    lane_by_lane: bool = False

    def times(self, count: float) -> Cost:
        return Cost(self.operations * count, self.accesses * count, self.lane_by_lane)

    def __add__(self, other: Cost) -> Cost:
        either = self.lane_by_lane or other.lane_by_lane
        return Cost(self.operations + other.operations, self.accesses + other.accesses, either)


def expected_cost(instance: Instance, instances: Mapping[Instance, FunctionShapes], storage: Storage) -> Cost:
    """Return what an instance of a function will cost; `instances` has those that it calls."""
    return _Costs(instances, storage).of(instance)


class _Costs:
    def __init__(self, instances: Mapping[Instance, FunctionShapes], storage: Storage) -> None:
        self.instances = instances
        self.storage = storage
        self.known: dict[Instance, Cost] = {}
        self.running: set[Instance] = set()
        self.recursive: set[Instance] = set()

    def of(self, instance: Instance) -> Cost:
        if instance in self.running:
            self.recursive.add(instance)
            return Cost(0.0, 0.0)
        if instance not in self.known:
            self.running.add(instance)
            cost = self._body(self.instances[instance])
            self.running.remove(instance)
            self.known[instance] = cost.times(float(costs.TRIP_COUNT) if instance in self.recursive else 1.0)
        return self.known[instance]

    def _body(self, inside: FunctionShapes) -> Cost:
        total = Cost(0.0, 0.0)
        for node, loops in walk_loops(inside.function.body):
            access = access_cost(inside, self.storage, node) if isinstance(node, tree.Access) else 0.0
            cost = Cost(operation_cost(inside, node), access, bool(loops) and access > costs.LANE_BY_LANE_FROM_NS)
            if isinstance(node, tree.Call):
                cost += self.of(inside.calls[node])
            total += cost.times(float(costs.TRIP_COUNT**loops))
        return total
