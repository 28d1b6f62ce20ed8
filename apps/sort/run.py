"""Sort whole numbers: by quicksort whose kernels launch kernels, simple and advanced, and by merge sort.

All keys are compared with NumPy's.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np

from ..common import variants
from ..common.app import App, Array, Arrays, Case, Peer, no_truth
from ..common.variants import Variant
from ..harness import AppError

INPUTS = ("random:300000", "random:500000", "random:1000000", "random:2000000")  # Wu's are of these sizes
QUICK_INPUTS = ("random:20000",)
KNOWN = "random:N, or FILE.npy with uint32 or int32"
DEPTH, MOST_DEPTH = 16, 22  # as in sort.cu
MOST_KEYS = 1 << 30

SIMPLE = Variant(
    "simple", "quicksort: a thread a range, which launches a thread a part", arguments=("--form", "simple")
)
ADVANCED = Variant(
    "advanced", "quicksort: blocks split a range together and launch kernels", arguments=("--form", "advanced")
)
MERGE = Variant("merge", "merge sort, launched by the host", arguments=("--form", "merge"))
STD_SORT = Variant("std-sort", "C++'s std::sort", "host", arguments=("--host", "std"), parallel=False)
OPENMP = Variant("openmp", "libstdc++'s parallel sort, by OpenMP", "host", arguments=("--host", "openmp"))
NUMPY = Variant("numpy", "numpy.sort", "python", parallel=False)


def _add_options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--depth",
        type=_depth,
        nargs="+",
        metavar="D",
        help=f"how deep launches of quicksort nest, 0 to {MOST_DEPTH} (default: {DEPTH})",
    )


def _depth(text: str) -> int:
    if not text.isdecimal() or int(text) > MOST_DEPTH:
        raise argparse.ArgumentTypeError(f"expected a whole number from 0 to {MOST_DEPTH}, found '{text}'")
    return int(text)


def _cases(name: str, args: argparse.Namespace) -> Iterator[Case]:
    found = keys(name)
    given = getattr(args, "depth", None)
    for depth in dict.fromkeys(given or (DEPTH,)):
        yield Case(
            input=name,
            label=f"{name}, depth {depth}" if given else name,
            arrays={"keys": found},
            arguments=("--input", "{keys}", "--depth", str(depth)),
            parameters={"keys": len(found), "depth": depth},
        )


def keys(name: str) -> Array:
    """Return the keys of an input. Raises `AppError` if it has none."""
    if name.startswith("random:"):
        number = name.removeprefix("random:")
        if not number.isdecimal() or not 1 <= int(number) <= MOST_KEYS:
            raise AppError(f"{name}: expected random:N, for example {INPUTS[0]}")
        return np.random.default_rng(5).integers(0, 2**32, int(number), dtype=np.uint32)
    try:
        found: Array = np.load(name)
    except (OSError, ValueError) as fault:
        raise AppError(f"{name}: {getattr(fault, 'strerror', None) or fault}") from None
    if found.ndim != 1 or found.dtype not in (np.uint32, np.int32):
        raise AppError(f"{name}: {found.dtype} of shape {found.shape}; uint32 or int32, a key an element, are expected")
    if not 1 <= len(found) <= MOST_KEYS:
        raise AppError(f"{name}: {len(found)} keys; 1 to 2^30 are expected")
    return found


def _check(what: str, case: Case, _: Arrays, answers: Array) -> None:
    check_keys(what, np.asarray(case.arrays["keys"]), answers)


def check_keys(what: str, given: Array, found: Array) -> None:
    """Raise `AppError` unless `found` are the keys `given` in NumPy's order."""
    if found.shape != given.shape or found.dtype != given.dtype:
        raise AppError(f"{what}: {found.dtype} of shape {found.shape}, expected {given.dtype} of {given.shape}")
    right = np.sort(given)
    wrong = np.flatnonzero(found != right)
    if len(wrong):
        first = int(wrong[0])
        raise AppError(f"{what}: {len(wrong)} keys are wrong; first: key {first} is {found[first]}, not {right[first]}")


def _numpy(case: Case, _: str, __: int) -> Callable[[], Array]:
    given = np.array(case.arrays["keys"])
    return lambda: np.sort(given)


APP = App(
    name="sort",
    question="sorting: quicksort by launches from kernels, against merge sort",
    source=Path(__file__).parent / "sort.cu",
    inputs=INPUTS,
    quick_inputs=QUICK_INPUTS,
    known_inputs=KNOWN,
    cases=_cases,
    truth=no_truth,
    check=_check,
    variants=(SIMPLE, ADVANCED, MERGE, STD_SORT, OPENMP, NUMPY),
    baselines=(STD_SORT.name, OPENMP.name),
    exact=True,
    orders=(),
    axis="keys",
    peers={NUMPY.name: Peer("numpy", _numpy, lambda _, found: found)},
    add_options=_add_options,
    host_flags=variants.OPENMP_HOST_FLAGS,
    libraries=variants.OPENMP_LIBRARIES,
    gpu_flags=("-rdc=true", "-l", "cudadevrt"),
)
