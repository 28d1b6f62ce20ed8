"""Threads that add to counters of their own in global memory, by atomic functions; the time is that of 32 additions."""

from functools import partial

import numpy as np

from ..workload import CheckFailed, Inputs, Outputs, Workload

THREADS = 256
BLOCKS, ROUNDS = 1024, 20
QUICK_BLOCKS, QUICK_ROUNDS = 4, 3


def inputs(apart: int, blocks: int, rounds: int) -> Inputs:
    return {"apart": apart, "blocks": blocks, "rounds": rounds}


def check(given: Inputs, found: Outputs) -> None:
    rounds = given["rounds"]
    sums = np.arange(THREADS) * rounds + rounds * (rounds - 1) // 2
    expected = np.tile(sums, given["blocks"]) if given["apart"] else sums * given["blocks"]
    if not np.array_equal(found["counters"], expected):
        raise CheckFailed("wrong sums")


WORKLOADS = [
    Workload(
        name=f"atomics-{name}",
        size=f"{BLOCKS} blocks of {THREADS}",
        folder="atomics",
        inputs=partial(inputs, apart, BLOCKS, ROUNDS),
        quick_inputs=partial(inputs, apart, QUICK_BLOCKS, QUICK_ROUNDS),
        check=check,
        batch=BLOCKS * THREADS // 32 * ROUNDS,
        quick_batch=QUICK_BLOCKS * THREADS // 32 * QUICK_ROUNDS,
        cores=("one", "all"),
    )
    for name, apart in (("own", THREADS), ("common", 0))
]
