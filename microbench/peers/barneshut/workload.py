"""The accelerations of bodies by Barnes and Hut."""

import numpy as np

from ..workload import CheckFailed, Inputs, Outputs, Workload

CHECKED_BODIES = 500
MEAN_ERROR = 0.01  # of an acceleration, relative: what the method costs with the opening angle of octree.h
SOFTENING2 = 1e-6  # as in octree.h


def inputs(count: int, order: str) -> Inputs:
    """Plummer's model of a star cluster, without the outermost thousandth."""
    random = np.random.default_rng(42)
    radius = 1 / np.sqrt(random.uniform(0, 0.999, count) ** (-2 / 3) - 1)
    height, turn = random.uniform(-1, 1, count), random.uniform(0, 2 * np.pi, count)
    width = np.sqrt(1 - height**2)
    x, y, z = ((radius * part).astype(np.float32) for part in (width * np.cos(turn), width * np.sin(turn), height))
    asked = np.arange(count) if order == "sorted" else np.random.default_rng(77).permutation(count)
    return {"x": x, "y": y, "z": z, "mass": np.full(count, 1 / count, np.float32), "order": asked.astype(np.int32)}


def check(given: Inputs, found: Outputs) -> None:
    """Some bodies against the sum over all others."""
    places = np.stack([given[axis] for axis in "xyz"], axis=1).astype(np.float64)
    accelerations = np.stack([found["a" + axis] for axis in "xyz"], axis=1)
    if not np.isfinite(accelerations).all():
        raise CheckFailed("some accelerations are not finite")
    rows = np.random.default_rng(1).permutation(len(places))[:CHECKED_BODIES]
    errors = []
    for row in rows:
        away = places - places[row]
        pull = given["mass"] / ((away**2).sum(axis=1) + SOFTENING2) ** 1.5
        expected = (pull[:, None] * away).sum(axis=0)
        errors.append(np.linalg.norm(accelerations[row] - expected) / np.linalg.norm(expected))
    if not (np.mean(errors) < MEAN_ERROR and np.max(errors) < 30 * MEAN_ERROR):
        worst = int(rows[np.argmax(errors)])
        raise CheckFailed(f"off by {np.mean(errors):.2g} on average, {np.max(errors):.2g} for body {worst}")


def workload(order: str) -> Workload:
    return Workload(
        name=f"barneshut-{order}",
        size="100k bodies",
        folder="barneshut",
        inputs=lambda: inputs(100_000, order),
        quick_inputs=lambda: inputs(3001, order),
        check=check,
        cores=("one", "all"),
    )


WORKLOADS = [workload(order) for order in ("sorted", "shuffled")]
