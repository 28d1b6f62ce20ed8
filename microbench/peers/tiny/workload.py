"""y = a exp(x) + b for few elements: what counts is how soon it begins and ends."""

from functools import partial

import numpy as np

from ..workload import CheckFailed, Inputs, Outputs, Workload

CALLS = 1000


def inputs(count: int, wait_for_each: bool, calls: int) -> Inputs:
    """Numbers round zero."""
    x = np.random.default_rng(31).normal(size=count).astype(np.float32)
    return {"x": x, "a": 2.5, "b": -0.75, "wait_for_each": wait_for_each, "calls": calls}


def check(given: Inputs, found: Outputs) -> None:
    """Against double precision. CUDA's expf errs by 2 units in the last place, and the sum cancels a digit at most."""
    first = given["a"] * np.exp(given["x"].astype(np.float64))
    error = np.abs(found["y"] - (first + given["b"])) / (first - given["b"])
    if not error.max() < 1e-6:
        raise CheckFailed(f"relative error {error.max():.2g}")


WORKLOADS = [
    Workload(
        name=f"tiny{suffix}",
        size=f"4 K elements{text}",
        folder="tiny",
        inputs=partial(inputs, 4096, each, CALLS),
        quick_inputs=partial(inputs, 1000, each, 3),
        check=check,
        batch=CALLS,
        quick_batch=3,
        cores=("one", "all"),
    )
    for suffix, each, text in (("", True, ""), ("-batch", False, f", waits after {CALLS}"))
]
