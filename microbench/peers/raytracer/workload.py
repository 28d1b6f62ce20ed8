"""Primary rays into a scene of triangles: hills, and spheres above them."""

from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..workload import CheckFailed, Inputs, Outputs, Workload

# As struct Node and struct Triangle in trace.h.
NODE = np.dtype(
    [(f"{end}_{axis}", np.float32) for end in ("low", "high") for axis in "xyz"]
    + [("offset", np.int32), ("count", np.uint16), ("axis", np.uint16)]
)
TRIANGLE = np.dtype([(f"{what}_{axis}", np.float32) for what in ("corner", "edge1", "edge2") for axis in "xyz"])
LEAF = 4  # triangles, at most
EYE = (0.137, 3.4, -9.2)
TARGET = (0.0, 0.8, 0.0)
VIEW_ANGLE = 0.9

Numbers = NDArray[Any]


def inputs(width: int, height: int, side: int) -> Inputs:
    """A camera, and the scene as triangles in the order of the leaves of a tree of boxes; see `tree_of_boxes`."""
    corners = np.concatenate([hills(side), *(sphere(i, max(side // 5, 4)) for i in range(7))]).astype(np.float32)
    nodes, order = tree_of_boxes(corners.min(1), corners.max(1))
    corners = corners[order]
    edges = corners[:, 1:] - corners[:, :1]
    triangles = np.concatenate([corners[:, 0], edges[:, 0], edges[:, 1]], axis=1)
    return {
        "width": width,
        "height": height,
        "eye": np.array(EYE, np.float32),
        "pixel_to_world": camera(width, height).astype(np.float32),
        "nodes": nodes,
        "triangles": np.ascontiguousarray(triangles, np.float32).view(TRIANGLE)[:, 0],
    }


def hills(side: int) -> Numbers:
    """The corners (triangles x 3 x 3) of a landscape of 2 * side * side triangles."""
    x, z = np.meshgrid(np.linspace(-8, 8, side + 1), np.linspace(-8, 8, side + 1), indexing="ij")
    y = 0.5 * np.sin(1.3 * x) * np.cos(0.9 * z) + 0.15 * np.sin(4.1 * x + 2.3 * z)
    return _net(np.stack([x, y, z], axis=-1))


def sphere(i: int, parts: int) -> Numbers:
    """The corners of sphere number i, of 4 * parts * parts triangles."""
    longitude, latitude = np.meshgrid(
        np.linspace(0, 2 * np.pi, 2 * parts + 1), np.linspace(0, np.pi, parts + 1), indexing="ij"
    )
    ring = np.sin(latitude)
    surface = np.stack([ring * np.cos(longitude), np.cos(latitude), ring * np.sin(longitude)], axis=-1)
    centre = np.array([4.5 * np.cos(0.9 * i), 1.5 + 0.2 * i, 4.5 * np.sin(0.9 * i)])
    return _net(centre + (0.5 + 0.08 * i) * surface)


def _net(points: Numbers) -> Numbers:
    a, b, c, d = points[:-1, :-1], points[1:, :-1], points[:-1, 1:], points[1:, 1:]
    halves = [np.stack([a, b, c], axis=2), np.stack([d, c, b], axis=2)]
    return np.concatenate([half.reshape(-1, 3, 3) for half in halves])


def camera(width: int, height: int) -> Numbers:
    """The matrix that makes the direction of a pixel's ray out of (x, y, 1), y downwards."""
    forward = np.subtract(TARGET, EYE)
    forward /= np.linalg.norm(forward)
    right = np.cross((0, 1, 0), forward)
    right /= np.linalg.norm(right)
    up = np.cross(forward, right)
    step = 2 * np.tan(VIEW_ANGLE / 2) / height
    first = forward + step * ((0.5 - width / 2) * right - (0.5 - height / 2) * up)
    return np.stack([step * right, -step * up, first], axis=1)


def tree_of_boxes(low: Numbers, high: Numbers) -> tuple[Numbers, list[int]]:
    """Return the nodes of a bounding volume hierarchy, depth first, and the objects in the order of its leaves.

    The first child of an inner node (count = 0) is the next node, the second is node `offset`; it was divided along
    `axis`. A leaf has `count` objects from `offset` on.
    """
    nodes: list[tuple[Any, ...]] = []
    order: list[int] = []

    def add(members: Numbers) -> None:
        n = len(nodes)
        box = (*low[members].min(0), *high[members].max(0))
        if len(members) <= LEAF:
            nodes.append((*box, len(order), len(members), 0))
            order.extend(members)
            return
        centres = low[members] + high[members]
        axis = int(np.argmax(np.ptp(centres, axis=0)))
        members = members[np.argsort(centres[:, axis], kind="stable")]
        nodes.append(())
        add(members[: len(members) // 2])
        nodes[n] = (*box, len(nodes), 0, axis)
        add(members[len(members) // 2 :])

    add(np.arange(len(low)))
    return np.array(nodes, NODE), order


def check(given: Inputs, found: Outputs) -> None:
    """Against drawing triangle by triangle, in double precision.

    Rounding decides what a pixel at an edge shows, and lets the brightness differ by one.
    """
    expected = draw(given)
    differ = np.abs(found["image"].astype(int) - expected.ravel()) > 1
    if differ.mean() > 0.001:
        raise CheckFailed(f"{np.count_nonzero(differ)} of {differ.size} pixels differ")


def draw(given: Inputs) -> NDArray[np.int64]:
    """The image, with a buffer of depths."""
    width, height = given["width"], given["height"]
    eye, matrix = given["eye"].astype(float), given["pixel_to_world"].astype(float)
    numbers = given["triangles"].view(np.float32).reshape(-1, 3, 3).astype(float)
    corner, edge1, edge2 = numbers[:, 0] - eye, numbers[:, 1], numbers[:, 2]
    normals = np.cross(edge1, edge2)
    lengths = np.linalg.norm(normals, axis=1)
    pixels = np.linalg.solve(matrix, np.stack([corner, corner + edge1, corner + edge2], axis=-1))
    assert (pixels[:, 2] > 0).all(), "the scene is before the camera"
    pixels = pixels[:, :2] / pixels[:, 2:]
    first = np.clip(np.ceil(pixels.min(2)).astype(int), 0, (width, height))
    end = np.clip(np.floor(pixels.max(2)).astype(int) + 1, 0, (width, height))

    image = np.zeros((height, width), np.int64)
    depth = np.full((height, width), np.inf)
    for i in np.flatnonzero((first < end).all(1) & (lengths > 0)):
        (left, top), (right, bottom) = first[i], end[i]
        x, y = np.meshgrid(np.arange(left, right), np.arange(top, bottom))
        direction = np.stack([x, y, np.ones_like(x)], axis=-1) @ matrix.T
        towards = direction @ normals[i]
        distance = corner[i] @ normals[i] / np.where(towards, towards, np.nan)
        along = direction * distance[..., None] - corner[i]
        u = np.cross(along, edge2[i]) @ normals[i] / lengths[i] ** 2
        v = np.cross(edge1[i], along) @ normals[i] / lengths[i] ** 2
        part = np.s_[top:bottom, left:right]
        seen = (u >= 0) & (v >= 0) & (u + v <= 1) & (distance > 0) & (distance < depth[part])
        cosine = np.abs(towards) / lengths[i] / np.linalg.norm(direction, axis=-1)
        depth[part][seen] = distance[seen]
        image[part][seen] = (1 + 254 * cosine[seen]).astype(int)
    return image


WORKLOADS = [
    Workload(
        name=f"raytracer-{name}",
        size="512 x 384, 11 K triangles",
        folder="raytracer",
        inputs=partial(inputs, 512, 384, 64),
        quick_inputs=partial(inputs, 75, 50, 10),
        check=check,
        defines=defines,
        cores=("one", "all"),
    )
    for name, defines in (("stack", ()), ("recursive", ("-DRECURSIVE",)))
]
