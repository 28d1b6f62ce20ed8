"""What kernels work on."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from .kernels import FLAGS, LOCKS, Kernel

NumPyArray = np.ndarray[Any, np.dtype[np.int32]]


@dataclass(frozen=True)
class Memory:
    """The arrays `out`, `flags`, `locks` and `sums`; behind the sums under locks stands one to which all add."""

    arrays: tuple[NumPyArray, ...]

    @staticmethod
    def of(kernel: Kernel) -> Memory:
        """Return the memory that a kernel finds."""
        threads = kernel.blocks * kernel.threads
        return Memory(tuple(np.zeros(count, np.int32) for count in (threads, threads * FLAGS, LOCKS, LOCKS + 1)))

    def difference(self, other: Memory) -> str:
        """Return where two memories differ, "" if nowhere."""
        for name, left, right in zip(("out", "flags", "locks", "sums"), self.arrays, other.arrays, strict=True):
            at = np.flatnonzero(left != right)
            if len(at):
                return f"{len(at)} of {name} differ, first {name}[{at[0]}]: {left[at[0]]}, expected {right[at[0]]}"
        return ""
