"""Turbulence by eight octaves of Perlin's "improved" noise, a slice through space."""

import numpy as np
from numpy.typing import NDArray

from ..workload import CheckFailed, Inputs, Outputs, Workload

OCTAVES = 8  # as in the programs


def inputs(width: int, height: int) -> Inputs:
    return {
        "width": width,
        "height": height,
        "left": -10.0,
        "top": -10.0,
        "dx": float(np.float32(20 / width)),
        "dy": float(np.float32(20 / height)),
        "z": float(np.float32(0.6)),
        "permutation": np.random.default_rng(29).permutation(256).astype(np.int32),
    }


def check(given: Inputs, found: Outputs) -> None:
    """Against double precision.

    A place in octave k is 1.99**k as far out, and its rounding errors are as much larger; but so much smaller is the
    amplitude, so that each octave contributes some units in the last place of the coordinates, which are up to 10.
    """
    error = np.abs(found["image"] - image(given)).max()
    if not error < 1e-5:
        raise CheckFailed(f"off by up to {error:.2g}")


def image(given: Inputs) -> NDArray[np.float64]:
    """Return the turbulence at all pixels."""
    x = given["left"] + np.arange(given["width"]) * given["dx"]
    y = given["top"] + np.arange(given["height"]) * given["dy"]
    total = np.zeros((given["height"], given["width"]))
    for octave in range(OCTAVES):
        scale = float(np.float32(1.99)) ** octave
        total += np.abs(noise(given["permutation"], x * scale, y[:, None] * scale, given["z"] * scale)) / 2**octave
    return total.ravel() / 2


def noise(permutation: NDArray[np.int32], *coordinates: NDArray[np.float64] | float) -> NDArray[np.float64]:
    """Return the noise at places whose x, y and z are broadcast against each other."""
    places = np.broadcast_arrays(*coordinates)
    cell = [np.floor(axis).astype(int) for axis in places]
    inside = [axis - low for axis, low in zip(places, cell, strict=True)]
    weight = [t**3 * (t * (t * 6 - 15) + 10) for t in inside]
    total = np.zeros(places[0].shape)
    for corner in np.ndindex(2, 2, 2):
        place = np.zeros(total.shape, int)
        share = np.ones(total.shape)
        for d in range(3):
            place = permutation[(place + cell[d] + corner[d]) & 255]
            share = share * (weight[d] if corner[d] else 1 - weight[d])
        total += share * gradient(place, *(inside[d] - corner[d] for d in range(3)))
    return total


def gradient(
    place: NDArray[np.int32], x: NDArray[np.float64], y: NDArray[np.float64], z: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return the product of a vector and the gradient that belongs to a hashed place."""
    h = place & 15
    u = np.where(h < 8, x, y)
    v = np.where(h < 4, y, np.where((h == 12) | (h == 14), x, z))
    return np.where(h & 1, -u, u) + np.where(h & 2, -v, v)


WORKLOADS = [
    Workload(
        name="noise",
        size="512 x 512, 8 octaves",
        folder="noise",
        inputs=lambda: inputs(512, 512),
        quick_inputs=lambda: inputs(75, 50),
        check=check,
        cores=("one", "all"),
    )
]
