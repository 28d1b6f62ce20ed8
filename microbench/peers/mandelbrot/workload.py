"""The Mandelbrot set, from -2 - 1.5i to 1 + 1.5i."""

import numpy as np

from ..workload import CheckFailed, Inputs, Outputs, Workload


def inputs(width: int, height: int, most: int) -> Inputs:
    return {
        "width": width,
        "height": height,
        "most": most,
        "left": -2.0,
        "top": -1.5,
        "dx": float(np.float32(3 / width)),
        "dy": float(np.float32(3 / height)),
    }


def check(given: Inputs, found: Outputs) -> None:
    """Against double precision: of points at the edge of the set rounding decides, and a few of those may differ."""
    re = given["left"] + np.arange(given["width"]) * given["dx"]
    im = given["top"] + np.arange(given["height"]) * given["dy"]
    c = (re + 1j * im[:, None]).ravel()
    expected = np.full(len(c), given["most"], np.int32)
    left, z = np.arange(len(c)), c
    for step in range(given["most"]):
        out = z.real**2 + z.imag**2 > 4
        expected[left[out]] = step
        left, z = left[~out], z[~out]
        z = z * z + c[left]
    differ = np.count_nonzero(found["counts"] != expected)
    if differ > 0.01 * len(c):
        raise CheckFailed(f"{differ} of {len(c)} points differ")


WORKLOADS = [
    Workload(
        name="mandelbrot",
        size="1024 x 1024, 256 iterations",
        folder="mandelbrot",
        inputs=lambda: inputs(1024, 1024, 256),
        quick_inputs=lambda: inputs(75, 50, 30),
        check=check,
        cores=("one", "all"),
    )
]
