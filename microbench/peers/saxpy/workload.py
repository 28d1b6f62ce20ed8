"""y = a x + y."""

import numpy as np

from ..workload import CheckFailed, Inputs, Outputs, Workload


def inputs(count: int) -> Inputs:
    random = np.random.default_rng(21)
    return {"a": 2.5, "x": random.random(count, np.float32), "y": random.random(count, np.float32)}


def check(given: Inputs, found: Outputs) -> None:
    """Either with one rounding or with two."""
    expected = given["a"] * given["x"].astype(np.float64) + given["y"]
    error = np.abs(found["y"] - expected).max()
    if not error < 1e-6:
        raise CheckFailed(f"off by up to {error:.2g}")


WORKLOADS = [
    Workload(
        name="saxpy",
        size="16 M floats",
        folder="saxpy",
        inputs=lambda: inputs(1 << 24),
        quick_inputs=lambda: inputs(70_001),
        check=check,
        cores=("one", "all"),
    )
]
