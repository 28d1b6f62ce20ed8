"""Products of square matrices."""

import numpy as np

from ..workload import CheckFailed, Inputs, Outputs, Workload


def inputs(n: int) -> Inputs:
    """Random numbers from 0 to 1."""
    rng = np.random.default_rng(17)
    return {"a": rng.random((n, n), np.float32), "b": rng.random((n, n), np.float32), "n": n}


def check(given: Inputs, found: Outputs) -> None:
    """Against double precision."""
    expected = given["a"].astype(np.float64) @ given["b"].astype(np.float64)
    error = np.abs(found["c"].reshape(expected.shape) / expected - 1).max()
    if not error < 1e-4:
        raise CheckFailed(f"relative error {error:.2g}")


WORKLOADS = [
    Workload(
        name=f"sgemm-{name}",
        size="1024 x 1024",
        folder="sgemm",
        inputs=lambda: inputs(1024),
        quick_inputs=lambda: inputs(64),
        check=check,
        defines=defines,
        cores=("one", "all"),
    )
    for name, defines in (("naive", ()), ("tiled", ("-DTILED",)), ("blocked", ("-DBLOCKED",)))
]
