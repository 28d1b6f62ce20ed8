"""The distance of records from one place: the first half of a search for the nearest."""

from functools import partial

import numpy as np

from ..workload import CheckFailed, Inputs, Outputs, Workload


def inputs(count: int, arrays: bool) -> Inputs:
    random = np.random.default_rng(3)
    latitudes = 60 * random.random(count, np.float32)
    longitudes = 180 * random.random(count, np.float32)
    place = {"latitude": 30.0, "longitude": 90.0}
    if arrays:
        return {"latitudes": latitudes, "longitudes": longitudes, **place}
    return {"records": np.stack([latitudes, longitudes], axis=1), **place}


def check(given: Inputs, found: Outputs) -> None:
    """Against double precision."""
    records = given["records"] if "records" in given else np.stack([given["latitudes"], given["longitudes"]], axis=1)
    expected = np.hypot(given["latitude"] - records[:, 0], given["longitude"] - records[:, 1].astype(np.float64))
    error = np.abs(found["distance"] - expected).max()
    if not error < 2e-5:
        raise CheckFailed(f"off by up to {error:.2g}")


WORKLOADS = [
    Workload(
        name=f"distance{suffix}",
        size="8 M records",
        folder="distance",
        inputs=partial(inputs, 1 << 23, arrays),
        quick_inputs=partial(inputs, 70_001, arrays),
        check=check,
        defines=defines,
        cores=("one", "all"),
    )
    for suffix, arrays, defines in (("", False, ()), ("-arrays", True, ("-DARRAYS",)))
]
