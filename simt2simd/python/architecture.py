"""The GPU architectures that programs are compiled for: nvcc's words, and what `__CUDA_ARCH__` is for them.

Kernels are for the CPU whatever these say. But programs ask in the preprocessor what the GPU can do.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import pairwise

OURS = 90  # the compute capability of the device that programs find here
DEFAULT_OF_NVCC = 75
KNOWN = (75, 80, 86, 87, 88, 89, 90, 100, 103, 110, 120, 121)  # to CUDA 13.0

NAMES = ("-arch", "--gpu-architecture", "-gencode", "--generate-code")

_ALL = ("native", "all", "all-major")
_ARCHITECTURE = re.compile(r"(?:compute|sm|lto)_(\d+)[af]?")
_PAIR = re.compile(r"arch=compute_(\d+)[af]?")


def architecture(values: Iterable[str], default: int) -> int:
    """Return the architecture that a device like ours would take of those that values of `-arch` and `-gencode` name.

    These are `sm_80`, `compute_80`, `native`, `all`, and `arch=compute_80,code=sm_80` or parts of it. The best that our
    device can run counts, or the lowest if it can run none; one that CUDA 13 knows no more is taken for the oldest that
    it knows. Raises `ValueError` for what is no architecture.
    """
    asked = [number for value in values for number in _numbers(value)]
    if not asked:
        return default
    return max((number for number in asked if number <= OURS), default=min(asked))


def in_words(words: Sequence[str]) -> list[str]:
    """Return the values of `-arch` and `-gencode` among options, each with its value after `=` or in the next word."""
    divided = ((word.partition("="), following) for word, following in pairwise((*words, "")))
    return [value if equals else following for (name, equals, value), following in divided if name in NAMES]


def _numbers(value: str) -> list[int]:
    if value in _ALL:
        return [OURS]
    if value.startswith(("arch=", "code=")) or not value:
        found = [int(number) for number in _PAIR.findall(value)]
        if value.startswith("arch=") and not found:
            raise ValueError(f"unsupported gpu architecture '{value.removeprefix('arch=').partition(',')[0]}'")
    elif (match := _ARCHITECTURE.fullmatch(value)) is not None:
        found = [int(match[1])]
    else:
        raise ValueError(f"unsupported gpu architecture '{value}'")
    return [max(number, KNOWN[0]) for number in found]
