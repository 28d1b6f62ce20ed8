"""Move bodies under their own gravity, by the six kernels of Burtscher and Pingali: all of a time step on the device.

The program itself compares the tree with its bodies. Forces are checked with NumPy against all pairs, of a sample of
the bodies, and so is where these move. The time is that of a time step, and there is one for each of its six parts.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from ..bh.run import KNOWN, SOFTENING, THETA, all_pairs, bodies
from ..common.app import App, Array, Arrays, Case, no_truth
from ..common.session import positive
from ..common.variants import Variant
from ..harness import AppError

HERE = Path(__file__).parent
SIZES = (5_000, 50_000, 500_000, 5_000_000)  # of the chapter's; 50,000,000 as well, if asked for
DT = 0.025  # the default of bh6.cu
MOST_ERROR = 0.1 * THETA**2 + 1e-4  # of the pull, on average: what cells that pull as a whole may put it off
CHECKED_PAIRS = 20_000_000  # in double precision; they take a second
CHECKED_STEPS = 1_000_000  # bodies of which it is checked where they move
MOST_PAIRS = 100_000  # bodies of which a CPU finds the pull of all pairs in some seconds
ROUNDING = 1e-6  # of the place of a body, in a step

KERNELS = Variant("auto", "the six kernels, as simt2simd compiles them by default", arguments=("--by", "kernels"))
ALL_PAIRS = Variant("all-pairs", "a kernel for the pull of every body on every other", arguments=("--by", "all-pairs"))
WALKS = Variant("walks", "the kernel of bh, with the host's tree", arguments=("--by", "walks"))
COUNTED = Variant(
    "counted",
    "the six kernels, and how much they do",
    arguments=("--by", "kernels", "--count"),
    usual=False,
)
SERIAL = Variant("serial", "scalar C++", "host", arguments=("--by", "serial"), parallel=False)


def _add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--steps", type=positive, default=1, metavar="N", help="time steps (default: 1)")


def _cases(name: str, args: argparse.Namespace) -> Iterator[Case]:
    steps = getattr(args, "steps", 1)
    model = name.startswith("plummer:") and name.removeprefix("plummer:").isdecimal()
    arrays = {} if model else {"bodies": bodies(name)}
    count = int(name.removeprefix("plummer:")) if model else len(arrays["bodies"])
    if count < 1:
        raise AppError(f"{name}: gravity needs at least 1 body, found 0")
    yield Case(
        input=name,
        label=name,
        arrays=arrays,
        arguments=("--input", name if model else "{bodies}", "--steps", str(steps), "--check"),
        parameters={"bodies": count, "steps": steps},
        slow_on_cpu=(ALL_PAIRS.name,) if count > MOST_PAIRS and not getattr(args, "variant", None) else (),
    )


def _check(what: str, _: Case, __: Arrays, found: Array) -> None:
    check_forces(what, found)
    check_step(what, found)


def check_forces(what: str, found: Array, softening: float = SOFTENING, most: float = MOST_ERROR) -> None:
    """Raise `AppError` unless the accelerations that bh6 wrote are those of all pairs, but for `most`.

    It looks at a sample of the bodies. `most` bounds the root of the mean square of errors, relative to that of all
    accelerations.
    """
    count = len(found)
    rows = np.random.default_rng(1).permutation(count)[: max(4, CHECKED_PAIRS // count)]
    right, _ = all_pairs(found["from"], found["mass"], rows, softening)
    off = np.sqrt(((found["acceleration"][rows] - right) ** 2).sum() / max((right**2).sum(), 1e-300))
    if not off <= most:
        raise AppError(
            f"{what}: the acceleration of {len(rows)} bodies is off by {off:.2e} of its size; {most:.2e} is right"
        )


def check_step(what: str, found: Array, dt: float = DT) -> None:
    """Raise `AppError` unless bodies are where the last step leads: velocities are those at its end."""
    rows = np.arange(len(found))
    if len(found) > CHECKED_STEPS:
        rows = np.sort(np.random.default_rng(2).choice(len(found), CHECKED_STEPS, replace=False))
        found = found[rows]
    start, end = found["from"].astype(np.float64), found["place"].astype(np.float64)
    halfway = found["velocity"].astype(np.float64) - 0.5 * dt * found["acceleration"]
    off = abs(start + dt * halfway - end) / (1 + abs(end))
    if not off.max() <= ROUNDING:
        row = int(np.nanargmax(off.max(axis=1)))
        raise AppError(f"{what}: row {rows[row]}: the last step does not lead to {end[row]}")


APP = App(
    name="bh6",
    question="gravity between bodies, by the six kernels of Burtscher and Pingali",
    source=HERE / "bh6.cu",
    inputs=tuple(f"plummer:{count}" for count in SIZES),
    quick_inputs=("plummer:5000",),
    known_inputs=KNOWN,
    cases=_cases,
    truth=no_truth,
    check=_check,
    variants=(KERNELS, ALL_PAIRS, WALKS, COUNTED, SERIAL),
    baselines=(SERIAL.name,),
    orders=(),
    add_options=_add_options,
    axis="bodies",
)
