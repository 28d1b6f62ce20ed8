"""Prices of European options: calls and puts."""

import numpy as np
from scipy.special import ndtr

from ..workload import CheckFailed, Inputs, Outputs, Workload


def inputs(count: int) -> Inputs:
    random = np.random.default_rng(31)

    def uniform(low: float, high: float) -> np.ndarray:
        return low + (high - low) * random.random(count, np.float32)

    spot, strike, years = uniform(5, 30), uniform(1, 100), uniform(0.25, 10)
    return {"spot": spot, "strike": strike, "years": years, "rate": 0.02, "volatility": 0.3}


def check(given: Inputs, found: Outputs) -> None:
    """Against double precision and the exact normal distribution."""
    spot, strike, years = (given[name].astype(np.float64) for name in ("spot", "strike", "years"))
    rate, volatility = given["rate"], given["volatility"]
    deviation = volatility * np.sqrt(years)
    d1 = (np.log(spot / strike) + (rate + volatility**2 / 2) * years) / deviation
    n1, n2 = ndtr(d1), ndtr(d1 - deviation)
    discounted = strike * np.exp(-rate * years)
    expected = {"call": spot * n1 - discounted * n2, "put": discounted * (1 - n2) - spot * (1 - n1)}
    for name, right in expected.items():
        error = np.abs(found[name] - right).max()
        if not error < 5e-5:
            raise CheckFailed(f"{name} prices are off by up to {error:.2g}")


WORKLOADS = [
    Workload(
        name="black-scholes",
        size="4 M options",
        folder="blackscholes",
        inputs=lambda: inputs(1 << 22),
        quick_inputs=lambda: inputs(7001),
        check=check,
        cores=("one", "all"),
    )
]
