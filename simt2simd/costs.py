"""What things cost, in nanoseconds for the 16 lanes of a gang on a 3.6 GHz AVX-512 core, data in the first-level cache.

Costs choose between two ways to say the same thing, and rank remarks; they do not foretell a kernel's time.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Form:
    """A way to lower something: the instructions in words, and what they cost.

    `good` is what a summary calls it where nothing better is possible, "" elsewhere.
    """

    text: str
    cost_ns: float
    good: str = ""


TEST_NS = 0.5  # to see whether the lanes of a gang are spaced as they are likely to be
ROUNDS = 8  # how often a loop is taken to run
