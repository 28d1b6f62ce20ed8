"""Writes and reads at random places of shared memory; the time is that of one write and one read of all 64 threads."""

from functools import partial

import numpy as np

from ..workload import CheckFailed, Inputs, Outputs, Workload

ELEMENTS = 2048
ROUNDS = 32768
QUICK_ROUNDS = 100


def inputs(degree: int, rounds: int) -> Inputs:
    return {"threads": 64, "rounds": rounds, "mask": max(degree - 1, 0)}


def check(given: Inputs, found: Outputs) -> None:
    own = np.arange(given["threads"])
    state = own.astype(np.uint32) * np.uint32(747796405) + np.uint32(2891336453)
    expected = np.zeros(len(own), np.int32)
    for _ in range(given["rounds"]):
        for _ in range(2):  # the second number is for the read
            state = state * np.uint32(1664525) + np.uint32(1013904223)
        place = (own + ((state >> 16) & np.uint32(given["mask"]))) % ELEMENTS
        expected += (3 * place + 1).astype(np.int32)
    if not np.array_equal(found["out"], expected):
        raise CheckFailed("wrong sums")


WORKLOADS = [
    Workload(
        name=f"shared-{degree}",
        size="64 threads, 2048 ints",
        folder="shared",
        inputs=partial(inputs, degree, ROUNDS),
        quick_inputs=partial(inputs, degree, QUICK_ROUNDS),
        check=check,
        batch=ROUNDS,
        quick_batch=QUICK_ROUNDS,
    )
    for degree in (0, 1024)
]
