"""The cheapest path down a grid of costs."""

import numpy as np

from ..workload import CheckFailed, Inputs, Outputs, Workload


def inputs(rows: int, columns: int) -> Inputs:
    """Costs 0 to 9."""
    wall = np.random.default_rng(9).integers(0, 10, (rows, columns)).astype(np.int32)
    return {"wall": wall, "rows": rows, "columns": columns}


def check(given: Inputs, found: Outputs) -> None:
    """Row after row, exactly."""
    wall = given["wall"]
    cost = wall[0]
    for row in wall[1:]:
        cheapest = cost.copy()
        cheapest[1:] = np.minimum(cheapest[1:], cost[:-1])
        cheapest[:-1] = np.minimum(cheapest[:-1], cost[1:])
        cost = cheapest + row
    wrong = np.flatnonzero(found["cost"] != cost)
    if len(wrong):
        raise CheckFailed(f"{len(wrong)} columns have a wrong cost, the first is {wrong[0]}")


WORKLOADS = [
    Workload(
        name="pathfinder",
        size="100 rows of 100,000",
        folder="pathfinder",
        inputs=lambda: inputs(100, 100_000),
        quick_inputs=lambda: inputs(50, 700),
        check=check,
    )
]
