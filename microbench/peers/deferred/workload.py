"""Deferred shading: many small lights over an image whose depths, normals and colours are known."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..workload import CheckFailed, Inputs, Outputs, Workload

# As struct Light in scene.h.
LIGHT = np.dtype([(name, np.float32) for name in ("x", "y", "z", "range", "red", "green", "blue")])
AMBIENT = 0.1

Numbers = NDArray[Any]


def inputs(width: int, height: int, lights: int) -> Inputs:
    """Waves with some blocks before them; normals are two numbers of an octahedral map, 16 bits each."""
    rng = np.random.default_rng(23)
    x, y = np.meshgrid(np.linspace(-1, 1, width), np.linspace(-1, 1, height))
    depth = 12 + 3 * np.sin(5 * x + y) * np.cos(3 * y)
    blocks = (np.floor(6 * x).astype(int) * 7 + np.floor(5 * y).astype(int) * 3) % 4 == 0
    depth = np.where(blocks, 6 + x, depth).astype(np.float32)
    slope_x, slope_y = 0.8 * np.cos(17 * x + 3 * y), 0.6 * np.sin(11 * y - 5 * x)
    return {
        "width": width,
        "height": height,
        "focal": 0.9 * height,
        "depth": depth,
        "normal_x": octahedral(slope_x, slope_y),
        "normal_y": octahedral(slope_y, slope_x),
        "red": (127 + 100 * np.sin(9 * x)).astype(np.uint8),
        "green": (127 + 100 * np.cos(7 * y)).astype(np.uint8),
        "blue": (127 + 100 * np.sin(5 * (x + y))).astype(np.uint8),
        "gloss": rng.integers(1, 64, (height, width), dtype=np.uint8),
        "lights": scatter(rng, lights, width / height),
    }


def octahedral(one: Numbers, other: Numbers) -> Numbers:
    """The first coordinate, in 16 bits, of normals that lean by (one, other) and look at the eye."""
    coordinate: Numbers = one / (1 + np.abs(one) + np.abs(other))
    return np.round((coordinate + 1) / 2 * 65535).astype(np.uint16)


def scatter(rng: np.random.Generator, count: int, aspect: float) -> Numbers:
    """Lights all over the view."""
    z = rng.uniform(4, 15, count)
    across, down = rng.uniform(-0.6, 0.6, (2, count)) * z
    values = [across * aspect, down, z, rng.uniform(0.8, 2.8, count), *rng.uniform(0.2, 1.0, (3, count))]
    return np.ascontiguousarray(np.stack(values, axis=1), np.float32).view(LIGHT)[:, 0]


def check(given: Inputs, found: Outputs) -> None:
    """Against double precision, without tiles. Rounding to bytes lets a result differ by one."""
    expected = shade(given)
    for name, colour in expected.items():
        difference = np.abs(found[name].astype(int) - colour.ravel())
        if difference.max() > 1:
            wrong = np.count_nonzero(difference > 1)
            raise CheckFailed(f"{wrong} of {difference.size} pixels differ in {name}, by up to {difference.max()}")


def shade(given: Inputs) -> dict[str, NDArray[np.int64]]:
    """The image, light by light, each where it can be seen."""
    width, height, focal = given["width"], given["height"], given["focal"]
    pixel_x, pixel_y = np.meshgrid(np.arange(width) + 0.5 - width / 2, np.arange(height) + 0.5 - height / 2)
    position = np.stack([pixel_x / focal, pixel_y / focal, np.ones_like(pixel_x)]) * given["depth"]
    to_eye = -position / np.linalg.norm(position, axis=0)
    u, v = given["normal_x"] / 65535 * 2 - 1, given["normal_y"] / 65535 * 2 - 1
    normal = np.stack([u, v, np.abs(u) + np.abs(v) - 1])
    normal /= np.linalg.norm(normal, axis=0)
    albedo = np.stack([given[name] for name in ("red", "green", "blue")]) / 255
    total = AMBIENT * albedo

    for x, y, z, reach, *colour in given["lights"].tolist():
        near, far = max(z - reach, 0.5), z + reach
        box = []
        for middle, size in ((y, height), (x, width)):
            low = min((middle - reach) / near, (middle - reach) / far) * focal + size / 2
            high = max((middle + reach) / near, (middle + reach) / far) * focal + size / 2
            box.append(slice(max(int(low) - 1, 0), max(int(high) + 2, 0)))
        part = (slice(None), *box)
        direction = np.array([x, y, z])[:, None, None] - position[part]
        distance = np.linalg.norm(direction, axis=0)
        direction /= distance
        facing = np.einsum("ijk,ijk->jk", direction, normal[part])
        halfway = direction + to_eye[part]
        halfway /= np.linalg.norm(halfway, axis=0)
        shine = np.maximum(np.einsum("ijk,ijk->jk", halfway, normal[part]), 0) ** given["gloss"][tuple(box)]
        fading = np.maximum(1 - (distance / reach) ** 2, 0) ** 2
        strength = np.where(facing > 0, fading, 0)
        total[part] += np.array(colour)[:, None, None] * strength * (facing * albedo[part] + 0.3 * shine)
    bytes_ = np.floor(255 * np.minimum(total, 1)).astype(np.int64)
    return dict(zip(("red", "green", "blue"), bytes_, strict=True))


WORKLOADS = [
    Workload(
        name="deferred",
        size="640 x 480, 512 lights",
        folder="deferred",
        inputs=lambda: inputs(640, 480, 512),
        quick_inputs=lambda: inputs(75, 50, 200),
        check=check,
        cores=("one", "all"),
    )
]
