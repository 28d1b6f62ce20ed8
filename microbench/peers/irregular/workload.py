"""Reads, and reads with writes, at random places near the thread's own element.

`degree` is the number of elements from which one is picked at random; 0: always the own element.
"""

from functools import partial

import numpy as np

from ..workload import CheckFailed, Inputs, Outputs, Workload

DEGREES = (0, 1024, 65536)
ROUNDS = 10


def inputs(threads: int, degree: int, writes: bool) -> Inputs:
    values = np.random.default_rng(1).integers(0, 1000, threads + max(DEGREES), dtype=np.int32)
    return {"in": values, "threads": threads, "rounds": ROUNDS, "mask": max(degree - 1, 0), "writes": writes}


def check(given: Inputs, found: Outputs) -> None:
    """Exact, and nothing is written elsewhere."""
    values, threads = given["in"], given["threads"]
    own = np.arange(threads)
    state = own.astype(np.uint32) * np.uint32(747796405) + np.uint32(2891336453)
    expected = np.zeros_like(values)
    for _ in range(given["rounds"]):
        state = state * np.uint32(1664525) + np.uint32(1013904223)
        place = own + ((state >> 16) & np.uint32(given["mask"]))
        if given["writes"]:
            expected[place] = values[place] ^ 0x5A5A
        else:
            expected[:threads] += values[place]
    wrong = np.flatnonzero(found["out"] != expected)
    if len(wrong):
        raise CheckFailed(f"{len(wrong)} of {threads} elements, first element {wrong[0]}")


WORKLOADS = [
    Workload(
        name=f"irregular-{kind}-{degree}",
        size=f"2 M ints, {ROUNDS} each",
        folder="irregular",
        inputs=partial(inputs, 1 << 21, degree, writes),
        quick_inputs=partial(inputs, 1 << 13, degree, writes),
        check=check,
        cores=("one", "all"),
    )
    for kind, writes in (("reads", False), ("reads-writes", True))
    for degree in DEGREES
]
