"""Threads of one warp that take different ways, a loop of arithmetic each."""

from functools import partial

import numpy as np
from numpy.typing import NDArray

from ..workload import CheckFailed, Inputs, Outputs, Workload


def inputs(threads: int, branches: int, steps: int) -> Inputs:
    return {"threads": threads, "branches": branches, "steps": steps}


def step(arm: int, x: NDArray[np.uint32]) -> NDArray[np.uint32]:
    """The integer part of one step."""
    shift, addend = np.uint32(5 + arm % 9), np.uint32(0x9E3779B9 * (2 * arm + 1) % 2**32)
    mixed: NDArray[np.uint32]
    if arm % 3 == 0:
        mixed = (x ^ (x >> shift)) + addend
    elif arm % 3 == 1:
        mixed = (x ^ (x << shift)) - addend
    else:
        mixed = (x + (x >> shift)) ^ addend
    return mixed


def check(given: Inputs, found: Outputs) -> None:
    """Integers exact; floats against double precision, within what a few roundings make."""
    threads, branches = given["threads"], given["branches"]
    for arm in range(branches):
        thread = np.arange(arm, threads, branches)
        x = thread.astype(np.uint32)
        f = thread * 1e-6
        factor, offset = float(np.float32(0.90 + 0.003 * arm)), float(np.float32(0.25 + 0.01 * arm))
        for _ in range(given["steps"]):
            x = step(arm, x)
            f = f * factor + offset
        if not np.array_equal(found["x"][thread], x):
            raise CheckFailed(f"wrong integers in arm {arm}")
        error = np.abs(found["f"][thread] / f - 1).max()
        if not error < 1e-5:
            raise CheckFailed(f"floats of arm {arm} are off by a factor of 1 + {error:.2g}")


WORKLOADS = [
    Workload(
        name=f"divergence-{branches}{suffix}",
        size=f"262,144 threads x {steps} steps",
        folder="divergence",
        inputs=partial(inputs, 1 << 18, branches, steps),
        quick_inputs=partial(inputs, 1 << 12, branches, 20),
        check=check,
        defines=(f"-DBRANCHES={branches}",),
        cores=cores,
    )
    for steps, suffix, cores in ((256, "", ("one", "all")), (1000, "-1000", ("one",)))
    for branches in (1, 2, 4, 8, 16)
]
