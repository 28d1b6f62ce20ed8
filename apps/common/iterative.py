"""What the applications share whose kernels are launched again and again: their ways to run, and their checks."""

from __future__ import annotations

from functools import partial

import numpy as np

from ..harness import AppError
from . import variants
from .app import App, Array

iterative_app = partial(
    App,
    variants=(variants.AUTO, variants.OPENMP),
    baselines=(variants.OPENMP.name,),
    host_flags=variants.OPENMP_HOST_FLAGS,
    libraries=variants.OPENMP_LIBRARIES,
)


def check_numbers(what: str, numbers: str, place: str, right: Array, found: Array, places: Array | None = None) -> None:
    """Raise `AppError` unless all whole numbers are right; `numbers` and `place` are words for them and for places.

    They stand at `places`; without those, at 0, 1, 2 and so on.
    """
    wrong = np.flatnonzero(found != right) if found.shape == right.shape else np.arange(len(right))
    if len(wrong):
        first = int(wrong[0])
        raise AppError(
            f"{what}: {len(wrong)} of {len(right)} {numbers} are wrong; first: "
            f"{place} {first if places is None else places[first]}: "
            f"{found.ravel()[first]}, expected {right[first]}"
        )
