"""The gravity of all bodies on each."""

import numpy as np

from ..workload import CheckFailed, Inputs, Outputs, Workload

SOFTENING = 1e-3
CHECKED = 64  # bodies


def inputs(count: int) -> Inputs:
    """Bodies in a cube with a mean mass of 1 / count; a row is x, y, z and mass."""
    bodies = np.random.default_rng(19).random((count, 4), np.float32)
    bodies[:, 3] *= 2 / count
    return {"bodies": bodies, "softening": SOFTENING}


def check(given: Inputs, found: Outputs) -> None:
    """Some of the bodies, against double precision."""
    bodies = given["bodies"].astype(np.float64)
    some = np.linspace(0, len(bodies) - 1, CHECKED).astype(int)
    distance = bodies[None, :, :3] - bodies[some, None, :3]
    pull = bodies[:, 3] * ((distance**2).sum(axis=2) + SOFTENING) ** -1.5
    expected = (distance * pull[:, :, None]).sum(axis=1)
    got = np.stack([found["ax"], found["ay"], found["az"]], axis=1)[some]
    error = np.abs(got - expected).max() / np.abs(expected).max()
    if not error < 1e-4:
        raise CheckFailed(f"error {error:.2g} of the greatest acceleration")


WORKLOADS = [
    Workload(
        name=name,
        size="16,384 bodies",
        folder="nbody",
        inputs=lambda: inputs(16384),
        quick_inputs=lambda: inputs(512),
        check=check,
        defines=defines,
        cores=("one", "all"),
    )
    for name, defines in (("nbody", ()), ("nbody-tiled", ("-DTILED",)))
]
