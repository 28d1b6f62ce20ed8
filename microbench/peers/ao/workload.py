"""Ambient occlusion: three spheres on a plane under an even sky, the scene of Fujita's aobench."""

import numpy as np
from numpy.typing import NDArray

from ..workload import CheckFailed, Inputs, Outputs, Workload

SIDE, SUB = 8, 2  # as in the programs
AWAY = 1e-4
CHECKED = 3000  # pixels

Vectors = NDArray[np.float64]  # a row for each ray


def inputs(width: int, height: int) -> Inputs:
    """A sphere is its center and radius; the plane is a point of it and its normal."""
    spheres = [[-2.0, 0.0, -3.5, 0.5], [-0.5, 0.0, -3.0, 0.5], [1.0, 0.0, -2.2, 0.5]]
    plane = [0.0, -0.5, 0.0, 0.0, 1.0, 0.0]
    return {
        "width": width,
        "height": height,
        "spheres": np.array(spheres, np.float32),
        "plane": np.array(plane, np.float32),
    }


def check(given: Inputs, found: Outputs) -> None:
    """Some pixels against double precision, with the same random numbers.

    Where a ray touches an edge, rounding decides whether it hits: one of 64 rays from a point moves a pixel by 1/256,
    and a point that is missed changes all random numbers of the points after it. Few pixels may differ, and by little.
    """
    count = given["width"] * given["height"]
    pixels = np.random.default_rng(1).permutation(count)[:CHECKED]
    error = np.abs(found["image"][pixels] - image(given, pixels))
    if not (error.mean() < 1e-4 and np.count_nonzero(error > 1e-6) <= 0.01 * len(pixels)):
        differ = np.count_nonzero(~(error <= 1e-6))
        raise CheckFailed(f"{differ} of {len(pixels)} pixels differ, on average by {error.mean():.2g}")


def image(given: Inputs, pixels: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return the brightness of some pixels."""
    width, height = given["width"], given["height"]
    y, x = np.divmod(pixels, width)
    state = first_state(pixels.astype(np.uint32))
    brightness = np.zeros(len(pixels))
    for v in range(SUB):
        for u in range(SUB):
            across = (x + u / SUB - width / 2) / (width / 2)
            up = -(y + v / SUB - height / 2) / (height / 2)
            direction = unit(np.stack([across, up, np.full(len(pixels), -1.0)], axis=1))
            hit, place, normal = trace(given, np.zeros_like(direction), direction)
            seen, state[hit] = visibility(given, place[hit], normal[hit], state[hit])
            brightness[hit] += seen / SUB**2
    return brightness


def visibility(
    given: Inputs, place: Vectors, normal: Vectors, state: NDArray[np.uint32]
) -> tuple[NDArray[np.float64], NDArray[np.uint32]]:
    """Return the share of rays from each place that meet nothing, and the generators' states after them."""
    axis = np.where(np.abs(normal[:, 0]) < 0.6, 0, np.where(np.abs(normal[:, 1]) < 0.6, 1, 2))
    across = unit(np.cross(np.eye(3)[axis], normal))
    along = unit(np.cross(normal, across))
    seen = np.zeros(len(place))
    for _ in range(SIDE * SIDE):
        state, first = random(state)
        state, second = random(state)
        radius, angle = np.sqrt(first), 2 * np.pi * second
        x, y, z = radius * np.cos(angle), radius * np.sin(angle), np.sqrt(1 - first)
        direction = x[:, None] * across + y[:, None] * along + z[:, None] * normal
        hit, _, _ = trace(given, place + AWAY * normal, direction)
        seen += ~hit
    return seen / SIDE**2, state


def trace(given: Inputs, origin: Vectors, direction: Vectors) -> tuple[NDArray[np.bool_], Vectors, Vectors]:
    """Return which rays meet something, where, and the normals there."""
    nearest = np.full(len(origin), np.inf)
    normal = np.zeros_like(origin)
    for sphere in given["spheres"].astype(np.float64):
        center, radius = sphere[:3], sphere[3]
        away = origin - center
        b = (away * direction).sum(axis=1)
        d = b**2 - (away**2).sum(axis=1) + radius**2
        t = -b - np.sqrt(np.maximum(d, 0))
        hit = (d > 0) & (t > 0) & (t < nearest)
        nearest[hit] = t[hit]
        normal[hit] = unit(away[hit] + t[hit, None] * direction[hit])
    place, up = given["plane"].astype(np.float64).reshape(2, 3)
    with np.errstate(divide="ignore"):
        t = ((place - origin) @ up) / (direction @ up)
    hit = (t > 0) & (t < nearest)
    nearest[hit] = t[hit]
    normal[hit] = up
    hits = np.isfinite(nearest)
    return hits, origin + np.where(hits, nearest, 0)[:, None] * direction, normal


def unit(vectors: Vectors) -> Vectors:
    length: Vectors = np.sqrt((vectors**2).sum(axis=1, keepdims=True))
    return vectors / length


def first_state(pixels: NDArray[np.uint32]) -> NDArray[np.uint32]:
    """Return each pixel's generator."""
    x = pixels * np.uint32(747796405) + np.uint32(2891336453)
    return (x ^ (x >> np.uint32(15))) * np.uint32(277803737) | np.uint32(1)


def random(state: NDArray[np.uint32]) -> tuple[NDArray[np.uint32], NDArray[np.float64]]:
    """Return the next states, and a number from 0 to 1 each."""
    state = state ^ (state << np.uint32(13))
    state = state ^ (state >> np.uint32(17))
    state = state ^ (state << np.uint32(5))
    return state, (state >> np.uint32(8)) / 2.0**24


WORKLOADS = [
    Workload(
        name="ao",
        size="256 x 256, 4 x 64 rays",
        folder="ao",
        inputs=lambda: inputs(256, 256),
        quick_inputs=lambda: inputs(37, 25),
        check=check,
        cores=("one", "all"),
    )
]
