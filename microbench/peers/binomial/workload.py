"""American put options by binomial trees of 64 steps, with an array for each thread."""

import numpy as np

from ..workload import CheckFailed, Inputs, Outputs, Workload

STEPS = 64  # as in the programs
CHECKED = 5000  # options


def inputs(count: int) -> Inputs:
    random = np.random.default_rng(37)

    def uniform(low: float, high: float) -> np.ndarray:
        return low + (high - low) * random.random(count, np.float32)

    spot, strike, years = uniform(5, 30), uniform(1, 100), uniform(0.25, 10)
    return {"spot": spot, "strike": strike, "years": years, "rate": 0.02, "volatility": 0.3}


def check(given: Inputs, found: Outputs) -> None:
    """Some options against double precision: the price of a node is a product of up to 64 rounded factors."""
    rows = np.random.default_rng(1).permutation(len(given["spot"]))[:CHECKED]
    spot, strike, years = (given[name][rows].astype(np.float64) for name in ("spot", "strike", "years"))
    dt = years / STEPS
    up = np.exp(given["volatility"] * np.sqrt(dt))
    discount = np.exp(-given["rate"] * dt)
    rise = discount * (1 / discount - 1 / up) / (up - 1 / up)
    exponents = 2 * np.arange(STEPS + 1)[:, None] - STEPS
    values = np.maximum(strike - spot * up**exponents, 0)
    for step in range(STEPS - 1, -1, -1):
        exponents = 2 * np.arange(step + 1)[:, None] - step
        values = np.maximum(rise * values[1:] + (discount - rise) * values[:-1], strike - spot * up**exponents)
    error = (np.abs(found["put"][rows] - values[0]) / strike).max()
    if not error < 2e-5:
        raise CheckFailed(f"prices are off by up to {error:.2g} of the strike")


WORKLOADS = [
    Workload(
        name="binomial",
        size="16 K options, 64 steps",
        folder="binomial",
        inputs=lambda: inputs(1 << 14),
        quick_inputs=lambda: inputs(701),
        check=check,
        cores=("one", "all"),
    )
]
