"""Products of matrices."""

from functools import partial

import numpy as np

from ..workload import CheckFailed, Inputs, Outputs, Workload

FORMS = {"naive": (), "tiled": ("-DTILED",), "blocked": ("-DBLOCKED",)}

# How names begin; for people; the rows of A, the columns of A, which are the rows of B, and the columns of B.
SIZES = [
    ("sgemm", "1024 x 1024", (1024, 1024, 1024)),
    ("sgemm-512", "512 x 512", (512, 512, 512)),
    ("sgemm-small", "256 x 64 x 512", (256, 64, 512)),
]


def inputs(rows: int, inner: int, columns: int) -> Inputs:
    """Random numbers from 0 to 1."""
    rng = np.random.default_rng(17)
    a, b = rng.random((rows, inner), np.float32), rng.random((inner, columns), np.float32)
    return {"a": a, "b": b, "rows": rows, "inner": inner, "columns": columns}


def check(given: Inputs, found: Outputs) -> None:
    """Against double precision."""
    expected = given["a"].astype(np.float64) @ given["b"].astype(np.float64)
    error = np.abs(found["c"].reshape(expected.shape) / expected - 1).max()
    if not error < 1e-4:
        raise CheckFailed(f"relative error {error:.2g}")


WORKLOADS = [
    Workload(
        name=f"{name}-{form}",
        size=size,
        folder="sgemm",
        inputs=partial(inputs, *sizes),
        quick_inputs=partial(inputs, 128, 64, 192),
        check=check,
        defines=defines,
        cores=("one", "all"),
    )
    for name, size, sizes in SIZES
    for form, defines in FORMS.items()
]
