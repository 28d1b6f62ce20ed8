"""Unsigned division by divisors that differ: 16 M once, bound by memory, and 64 K that stay in the cache."""

import numpy as np

from ..workload import CheckFailed, Inputs, Outputs, Workload


def inputs(count: int, rounds: int) -> Inputs:
    """Quotients of all sizes, and some divisions that are hard to round."""
    random = np.random.default_rng(41)
    a = random.integers(0, 2**32, count, dtype=np.uint32)
    b = random.integers(1, 2**32, count, dtype=np.uint32) >> random.integers(0, 32, count, dtype=np.uint32)
    b = np.maximum(b, 1)
    a[:4], b[:4] = [0, 2**32 - 1, 2**32 - 1, 2**32 - 2], [2**32 - 1, 1, 2**32 - 1, 2**32 - 1]
    return {"a": a, "b": b, "rounds": rounds}


def check(given: Inputs, found: Outputs) -> None:
    """Exact."""
    for name, expected in (("quotient", given["a"] // given["b"]), ("remainder", given["a"] % given["b"])):
        wrong = np.flatnonzero(found[name] != expected)
        if len(wrong):
            i = wrong[0]
            raise CheckFailed(f"{name} of {given['a'][i]} and {given['b'][i]} is {found[name][i]}")


WORKLOADS = [
    Workload(
        name="division",
        size="16 M",
        folder="division",
        inputs=lambda: inputs(1 << 24, 1),
        quick_inputs=lambda: inputs(70_001, 1),
        check=check,
        cores=("one", "all"),
    ),
    Workload(
        name="division-cached",
        size="64 K, 256 times",
        folder="division",
        inputs=lambda: inputs(1 << 16, 256),
        quick_inputs=lambda: inputs(1001, 2),
        check=check,
        cores=("one", "all"),
    ),
]
