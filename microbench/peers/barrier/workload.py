"""One block that meets at 100,000 barriers; the time is that of one."""

from functools import partial

import numpy as np

from ..workload import CheckFailed, Inputs, Outputs, Workload

BARRIERS = 100_000
QUICK_BARRIERS = 100


def inputs(threads: int, with_data: bool, barriers: int) -> Inputs:
    return {"threads": threads, "barriers": barriers, "with_data": with_data}


def check(given: Inputs, found: Outputs) -> None:
    threads, barriers = given["threads"], given["barriers"]
    if given["with_data"]:
        expected = (np.arange(threads) + barriers // 2) % threads
    else:
        expected = np.full(threads, barriers)
    if not np.array_equal(found["out"], expected):
        raise CheckFailed("wrong numbers")


WORKLOADS = [
    Workload(
        name=f"barrier{suffix}-{threads}",
        size=f"a block of {threads}",
        folder="barrier",
        inputs=partial(inputs, threads, data, BARRIERS),
        quick_inputs=partial(inputs, threads, data, QUICK_BARRIERS),
        check=check,
        batch=BARRIERS,
        quick_batch=QUICK_BARRIERS,
    )
    for suffix, data in (("", False), ("-data", True))
    for threads in (16, 64, 256, 1024)
]
