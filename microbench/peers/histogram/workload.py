"""A histogram of random bytes."""

import numpy as np

from ..workload import CheckFailed, Inputs, Outputs, Workload


def inputs(count: int) -> Inputs:
    """Every value is as frequent as any other."""
    return {"values": np.random.default_rng(11).integers(0, 256, count, dtype=np.uint8)}


def check(given: Inputs, found: Outputs) -> None:
    """Counts are exact."""
    if not np.array_equal(found["bins"], np.bincount(given["values"], minlength=256)):
        raise CheckFailed("wrong counts")


WORKLOADS = [
    Workload(
        name="histogram",
        size="16 M bytes",
        folder="histogram",
        inputs=lambda: inputs(1 << 24),
        quick_inputs=lambda: inputs(70_001),
        check=check,
        cores=("one", "all"),
    )
]
