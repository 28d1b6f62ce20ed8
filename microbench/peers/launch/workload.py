"""Launching a kernel that does nothing."""

from functools import partial

import numpy as np

from ..workload import CheckFailed, Inputs, Outputs, Workload

LAUNCHES = 50


def inputs(blocks: int, wait_for_each: bool, launches: int) -> Inputs:
    untouched = np.arange(16, dtype=np.int32)
    return {"blocks": blocks, "launches": launches, "wait_for_each": wait_for_each, "untouched": untouched}


def check(given: Inputs, found: Outputs) -> None:
    if not np.array_equal(found["untouched"], given["untouched"]):
        raise CheckFailed("an empty kernel wrote something")


WORKLOADS = [
    Workload(
        name=f"launch{suffix}-{blocks}",
        size=f"{blocks} x 32 threads{text}",
        folder="launch",
        inputs=partial(inputs, blocks, each, LAUNCHES),
        quick_inputs=partial(inputs, blocks, each, 2),
        check=check,
        batch=LAUNCHES,
        quick_batch=2,
    )
    for suffix, each, text in (("", True, ""), ("-batch", False, ", waits after 50"))
    for blocks in (1, 128, 4096)
]
