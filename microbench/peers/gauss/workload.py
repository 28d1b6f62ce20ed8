"""Gaussian elimination."""

from functools import partial

import numpy as np

from ..workload import CheckFailed, Inputs, Outputs, Workload


def inputs(size: int) -> Inputs:
    """A matrix that falls off from its diagonal and needs no pivoting, and a right side of ones."""
    fall = (10 * np.exp(-0.01 * np.arange(size))).astype(np.float32)
    index = np.arange(size)
    return {"a": fall[np.abs(index[:, None] - index[None, :])], "b": np.ones(size, np.float32), "size": size}


def check(given: Inputs, found: Outputs) -> None:
    """The triangle that is left has the solution of the whole system."""
    size = int(given["size"])
    triangle = np.triu(found["a"].reshape(size, size).astype(np.float64))
    solution = np.linalg.solve(triangle, found["b"].astype(np.float64))
    expected = np.linalg.solve(given["a"].astype(np.float64), given["b"].astype(np.float64))
    if not np.allclose(solution, expected, rtol=1e-3, atol=1e-4):
        raise CheckFailed(f"the solution is off by up to {np.abs(solution - expected).max():.2g}")


WORKLOADS = [
    Workload(
        name=f"gauss-{size}{suffix}",
        size=f"{size} x {size}",
        folder="gauss",
        inputs=partial(inputs, size),
        quick_inputs=lambda: inputs(37),
        check=check,
        defines=defines,
    )
    for size in (128, 1024)
    for suffix, defines in (("", ()), ("-coalesced", ("-DCOALESCED",)))
]
