"""Heat in a chip, 16 steps."""

from functools import partial

import numpy as np

from ..workload import CheckFailed, Inputs, Outputs, Workload

AMBIENT = np.float32(80)
THICKNESS, CHIP_SIDE = 0.0005, 0.016
HEAT_CAPACITY, CONDUCTIVITY, MAX_POWER_DENSITY, PRECISION = 1.75e6, 100.0, 3.0e6, 0.001
CAPACITOR_FACTOR = 0.5


def inputs(side: int, steps: int, pyramid: int) -> Inputs:
    """Temperatures and power of `side` x `side` cells, and what their size makes of the material's constants.

    A block computes `pyramid` steps before it writes back.
    """
    rng = np.random.default_rng(5)
    cell = CHIP_SIDE / side
    return {
        "temperature": (323 + 10 * rng.random((side, side))).astype(np.float32),
        "power": (rng.random((side, side)) * 1e-2).astype(np.float32),
        "rows": side,
        "columns": side,
        "steps": steps,
        "pyramid": pyramid,
        "cap": CAPACITOR_FACTOR * HEAT_CAPACITY * THICKNESS * cell * cell,
        "rx": cell / (2 * CONDUCTIVITY * THICKNESS * cell),
        "ry": cell / (2 * CONDUCTIVITY * THICKNESS * cell),
        "rz": THICKNESS / (CONDUCTIVITY * cell * cell),
        "step": PRECISION / (MAX_POWER_DENSITY / (CAPACITOR_FACTOR * THICKNESS * HEAT_CAPACITY)),
    }


def check(given: Inputs, found: Outputs) -> None:
    """Step by step in float32."""
    power, heat = given["power"], given["temperature"]
    step_over_cap = np.float32(np.float32(given["step"]) / np.float32(given["cap"]))
    rx_inverse, ry_inverse, rz_inverse = (np.float32(1) / np.float32(given[r]) for r in ("rx", "ry", "rz"))
    for _ in range(int(given["steps"])):
        near = np.pad(heat, 1, mode="edge")
        vertical = near[2:, 1:-1] + near[:-2, 1:-1] - 2 * heat
        horizontal = near[1:-1, 2:] + near[1:-1, :-2] - 2 * heat
        change = power + vertical * ry_inverse + horizontal * rx_inverse + (AMBIENT - heat) * rz_inverse
        heat = heat + step_over_cap * change
    error = np.abs(found["temperature"].reshape(heat.shape) / heat - 1).max()
    if not error < 1e-4:
        raise CheckFailed(f"relative error {error:.2g}")


WORKLOADS = [
    Workload(
        name=f"hotspot-{pyramid}",
        size="1024 x 1024, 16 steps",
        folder="hotspot",
        inputs=partial(inputs, 1024, 16, pyramid),
        quick_inputs=partial(inputs, 50, 4, pyramid),
        check=check,
    )
    for pyramid in (1, 2)
]
