"""Sorting random keys of 64 bits by one byte after the other, the lowest first."""

import numpy as np

from ..workload import CheckFailed, Inputs, Outputs, Workload


def inputs(count: int) -> Inputs:
    """All bits are random."""
    return {"keys": np.random.default_rng(29).integers(0, 2**64, count, dtype=np.uint64)}


def check(given: Inputs, found: Outputs) -> None:
    """The order is exact."""
    if not np.array_equal(found["keys"], np.sort(given["keys"])):
        raise CheckFailed("the keys are not sorted")


WORKLOADS = [
    Workload(
        name="radixsort",
        size="1 M keys of 64 bits",
        folder="radixsort",
        inputs=lambda: inputs(1 << 20),
        quick_inputs=lambda: inputs(20_001),
        check=check,
        cores=("one", "all"),
    )
]
