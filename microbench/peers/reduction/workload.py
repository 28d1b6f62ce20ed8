"""The sum of floats, and sums of 256 that are all reduction in shared memory."""

import numpy as np

from ..workload import CheckFailed, Inputs, Outputs, Workload

BLOCK = 256


def inputs(count: int) -> Inputs:
    """Random numbers from 0 to 1."""
    return {"x": np.random.default_rng(13).random(count, np.float32)}


def check_close(found: np.ndarray, expected: np.ndarray) -> None:
    error = np.abs(found / expected - 1).max()
    if not error < 1e-5:
        raise CheckFailed(f"relative error {error:.2g}")


def check_sum(given: Inputs, found: Outputs) -> None:
    """One number, against double precision."""
    check_close(found["sums"], given["x"].sum(dtype=np.float64))


def check_sums_of_blocks(given: Inputs, found: Outputs) -> None:
    """A sum for every 256 numbers, against double precision."""
    padded = np.pad(given["x"], (0, -len(given["x"]) % BLOCK))
    check_close(found["sums"], padded.reshape(-1, BLOCK).sum(axis=1, dtype=np.float64))


WORKLOADS = [
    Workload(
        name="sum",
        size="16 M floats",
        folder="reduction",
        inputs=lambda: inputs(1 << 24),
        quick_inputs=lambda: inputs(70_001),
        check=check_sum,
        cores=("one", "all"),
    ),
    Workload(
        name="block-reduction",
        size="2,048 blocks of 256",
        folder="reduction",
        inputs=lambda: inputs(2048 * BLOCK),
        quick_inputs=lambda: inputs(3001),
        check=check_sums_of_blocks,
        defines=("-DONE_ELEMENT",),
        cores=("one", "all"),
    ),
]
