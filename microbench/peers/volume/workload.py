"""A cloud by ray marching: rays through a grid of densities, and from each sample a ray towards the light."""

from functools import partial

import numpy as np
from numpy.typing import NDArray

from ..workload import CheckFailed, Inputs, Outputs, Workload

OPAQUE = 0.005  # as in the programs
CHECKED = 200  # pixels
SCATTERING, ABSORPTION, STEP, LIGHT_STEP = 12.0, 12.0, 0.025, 0.05

Places = NDArray[np.float64]  # a row for each ray


def inputs(width: int, height: int, side: int) -> Inputs:
    """A ball with waves in it, in the box from -1 to 1, from a place before, above and to the right of it."""
    place = np.array([0.9, 1.1, -2.6])
    forward = -place / np.linalg.norm(place)
    right = np.cross([0, 1, 0], forward)
    right /= np.linalg.norm(right)
    pixel = 1.15 / width  # of an image at distance 1
    camera = np.concatenate([place, forward, right * pixel, np.cross(forward, right) * pixel])
    return {
        "width": width,
        "height": height,
        "side": side,
        "density": cloud(side),
        "box": np.array([-1, -1, -1, 1, 1, 1], np.float32),
        "camera": camera.astype(np.float32),
        "medium": np.array([-3, 4, -1, SCATTERING, ABSORPTION, STEP, LIGHT_STEP], np.float32),
    }


def cloud(side: int) -> NDArray[np.float32]:
    """Return densities from 0 to 1; none are at the sides of the box."""
    along = (np.arange(side) + 0.5) / side * 2 - 1
    z, y, x = np.meshgrid(along, along, along, indexing="ij")
    ball = np.clip(1.2 - 1.4 * np.sqrt(x**2 + y**2 + z**2), 0, 1)
    waves = np.sin(9 * x + 2 * y) * np.sin(7 * y - 3 * z) * np.sin(8 * z + x)
    return np.clip(ball * (0.5 + waves), 0, 1).astype(np.float32)


def check(given: Inputs, found: Outputs) -> None:
    """Some pixels against double precision.

    A sum of up to a hundred rounded products is off by less than 1e-5, and by far less on average. But rounding also
    decides whether a ray that sees just OPAQUE of the light behind ends, and so adds or leaves out that much of what
    comes from there.
    """
    pixels = np.random.default_rng(1).permutation(given["width"] * given["height"])[:CHECKED]
    error = np.abs(found["image"][pixels] - image(given, pixels))
    if not (error.max() < OPAQUE and error.mean() < 1e-6):
        raise CheckFailed(f"off by up to {error.max():.2g}, on average by {error.mean():.2g}")


def image(given: Inputs, pixels: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return the light that reaches the camera at some pixels."""
    y, x = np.divmod(pixels, given["width"])
    place, forward, right, up = given["camera"].astype(np.float64).reshape(4, 3)
    across, along = x + 0.5 - given["width"] / 2, given["height"] / 2 - y - 0.5
    direction = unit(forward + across[:, None] * right + along[:, None] * up)
    enter, leave = crossing(given, place, direction)
    medium = given["medium"].astype(np.float64)
    scattering, absorption, step = medium[3:6]
    radiance, depth = np.zeros(len(pixels)), np.zeros(len(pixels))
    going = enter < leave
    t = enter + step / 2
    while (going := going & (t < leave)).any():
        rows = np.flatnonzero(going)
        places = place + t[rows, None] * direction[rows]
        density = sample(given, places)
        depth[rows] += density * step * (scattering + absorption)
        seen = np.exp(-depth[rows])
        going[rows[(density > 0) & (seen < OPAQUE)]] = False
        lit = going[rows] & (density > 0)
        radiance[rows[lit]] += (seen * density)[lit] * step * scattering * transmittance(given, places[lit])
        t = t + step
    return radiance


def transmittance(given: Inputs, places: Places) -> NDArray[np.float64]:
    """Return the share of the light that gets to some places."""
    medium = given["medium"].astype(np.float64)
    scattering, absorption, step = medium[3], medium[4], medium[6]
    direction = unit(medium[:3] - places)
    enter, leave = crossing(given, places, direction)
    depth = np.zeros(len(places))
    t = enter + step / 2
    while (going := t < leave).any():
        depth[going] += sample(given, places[going] + t[going, None] * direction[going])
        t = t + step
    share: NDArray[np.float64] = np.exp(-depth * step * (scattering + absorption))
    return share


def crossing(given: Inputs, origin: Places, direction: Places) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return where rays enter and leave the box; they miss it where they would leave first."""
    low, high = given["box"].astype(np.float64).reshape(2, 3)
    one, other = (low - origin) / direction, (high - origin) / direction
    enter, leave = np.minimum(one, other).max(axis=1), np.maximum(one, other).min(axis=1)
    return np.maximum(enter, 0), leave


def sample(given: Inputs, places: Places) -> NDArray[np.float64]:
    """Return the densities at some places, between the points of the grid."""
    side = given["side"]
    grid = given["density"].reshape(side, side, side)
    low, high = given["box"].astype(np.float64).reshape(2, 3)
    place = (places - low) / (high - low) * side - 0.5
    cell = np.floor(place).astype(int)
    inside = place - cell
    total = np.zeros(len(places))
    for corner in np.ndindex(2, 2, 2):
        x, y, z = np.clip(cell + corner, 0, side - 1).T
        total += grid[z, y, x] * np.where(corner, inside, 1 - inside).prod(axis=1)
    return total


def unit(vectors: Places) -> Places:
    length: Places = np.sqrt((vectors**2).sum(axis=1, keepdims=True))
    return vectors / length


WORKLOADS = [
    Workload(
        name=name,
        size=f"{width} x {height}, {side}^3",
        folder="volume",
        inputs=partial(inputs, width, height, side),
        quick_inputs=partial(inputs, 37, 25, 20),
        check=check,
        cores=("one", "all"),
    )
    for name, width, height, side in (("volume-small", 160, 120, 64), ("volume", 320, 240, 128))
]
