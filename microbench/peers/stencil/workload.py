"""Steps of a 5-point stencil on a grid."""

import numpy as np

from ..workload import CheckFailed, Inputs, Outputs, Workload


def inputs(width: int, height: int, steps: int) -> Inputs:
    grid = np.random.default_rng(23).random(width * height, np.float32)
    return {"grid": grid, "width": width, "height": height, "steps": steps}


def check(given: Inputs, found: Outputs) -> None:
    """Against double precision."""
    grid = given["grid"].reshape(given["height"], given["width"]).astype(np.float64)
    for _ in range(given["steps"]):
        around = grid[1:-1, :-2] + grid[1:-1, 2:] + grid[:-2, 1:-1] + grid[2:, 1:-1]
        grid[1:-1, 1:-1] = 0.5 * grid[1:-1, 1:-1] + 0.125 * around
    error = np.abs(found["grid"] - grid.ravel()).max()
    if not error < 1e-6:
        raise CheckFailed(f"off by up to {error:.2g}")


WORKLOADS = [
    Workload(
        name="stencil",
        size="1024 x 1024, 20 steps",
        folder="stencil",
        inputs=lambda: inputs(1024, 1024, 20),
        quick_inputs=lambda: inputs(75, 50, 4),
        check=check,
        cores=("one", "all"),
    )
]
