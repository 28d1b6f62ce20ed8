"""What a differential test runs: a kernel, how its arguments are made, and how exactly the results must agree."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from math import prod
from typing import Any, TypeVar

import numpy as np
from numpy.typing import DTypeLike

Array = np.ndarray[Any, np.dtype[Any]]
T = TypeVar("T")

# Around the gang's 16 lanes and the warp's 32 threads; ragged ones; one that has many gangs.
ONE_D = ((1,), (15,), (16,), (17,), (31,), (32,), (33,), (48,), (256,))
TWO_D = ((16, 16), (8, 8), (5, 3), (32, 4), (16, 1), (1, 7), (20, 3))
THREE_D = ((4, 4, 4), (5, 3, 2), (16, 2, 2), (1, 1, 3), (9, 2, 2))


class Launch:
    """One launch: its shape, and a seeded source of arguments.

    The grid has two blocks along the first axes and does not fit the data: `nx`, `ny`, `nz` elements leave a part
    of the last block without work. `n` is `nx`. `grid` can be given instead.
    """

    def __init__(self, block: Sequence[int], grid: Sequence[int] | None, seed: int) -> None:
        self.block = tuple(block)
        self.grid = tuple(grid) if grid else (2,) * min(2, len(self.block)) + (1,) * (len(self.block) - 2)
        sizes = [count * side - side // 3 for count, side in zip(self.grid, self.block, strict=True)]
        self.nx, self.ny, self.nz = (*sizes, 1, 1)[:3]
        self.n = self.nx
        self.blocks = prod(self.grid)
        self.threads = self.blocks * prod(self.block)
        self.rng = np.random.default_rng(seed)
        self.reachable: list[Array] = []
        self.variables: dict[str, Array] = {}  # what those at file scope hold after it
        self.addresses: list[Array] = []

    def ints(self, low: int = 0, high: int = 100, count: int | None = None, dtype: DTypeLike = np.int32) -> Array:
        """Return integers from `low` to `high` - 1."""
        return self.rng.integers(low, high, self.n if count is None else count, dtype=np.int64).astype(dtype)

    def any_ints(self, dtype: DTypeLike, count: int | None = None) -> Array:
        """Return integers of all magnitudes: small, extreme, random bits."""
        count = self.n if count is None else count
        info = np.iinfo(dtype)
        bits = self.rng.integers(info.min, info.max, count, dtype=dtype, endpoint=True)
        shifted = bits >> self.rng.integers(0, info.bits, count).astype(dtype)
        edges = np.array([0, 1, 2, 3, 7, info.max, info.min, info.max - 1, info.min + 1], dtype)
        chosen = self.rng.integers(0, 4, count)
        return np.where(
            chosen == 0, edges[self.rng.integers(0, len(edges), count)], np.where(chosen == 1, bits, shifted)
        )

    def floats(
        self, low: float = 0.0, high: float = 1.0, count: int | None = None, dtype: DTypeLike = np.float32
    ) -> Array:
        return self.rng.uniform(low, high, self.n if count is None else count).astype(dtype)

    def special_floats(self, dtype: DTypeLike = np.float32, count: int | None = None, nan: bool = True) -> Array:
        """Return floats of all magnitudes, among them zeros, infinities, denormals, integers, halves and NaNs."""
        count = self.n if count is None else count
        tiny, huge = float(np.finfo(dtype).tiny), float(np.finfo(dtype).max)
        edges = np.array([0.0, -0.0, 1.0, -1.0, 0.5, -0.5, 1.5, 2.5, np.inf, -np.inf, tiny, -tiny / 8, huge, -huge,
                          2.0**31, -(2.0**31), 2.0**32, 2.0**63, -(2.0**63), 2.0**64, 16777217.0, 0.1,
                          *[np.nan] * nan], dtype)  # fmt: skip
        magnitudes = self.rng.normal(size=count) * 10.0 ** self.rng.integers(-3, 12, count)
        picked = edges[self.rng.integers(0, len(edges), count)]
        return np.where(self.rng.integers(0, 3, count) == 0, picked, magnitudes.astype(dtype))

    def out(self, dtype: DTypeLike = np.int32, count: int | None = None) -> Array:
        """Return an array for results, filled with something that a kernel would not write."""
        return np.full(self.n if count is None else count, 77, dtype)

    def reach(self, array: Array) -> Array:
        """Let kernels reach `array` through pointers in memory; it is compared as the arguments are."""
        self.reachable.append(array)
        return array

    def holds_addresses(self, array: Array) -> Array:
        """Leave `array` out of the comparison: it holds addresses."""
        self.addresses.append(array)
        return array


@dataclass(frozen=True)
class Case:
    """Kernel `kernel` of `file`, run at every block shape of `blocks`.

    `args` makes the arguments of a launch. `ulps` says how far floats may differ: for all arguments, or for the
    argument with an index, one number or one per column of its rows. 0 means the same bits (any NaN equals any NaN).
    `shared` gives the bytes of dynamic shared memory of a launch. `variables` are those at file scope that are
    compared, too; each launch finds them as the program begins. `expect` computes with NumPy, from the arguments before
    the launch, what arguments hold after it, by index.
    """

    file: str
    kernel: str
    args: Callable[[Launch], list[Any]]
    blocks: Sequence[Sequence[int]] = ONE_D
    grid: Sequence[int] | None = None
    ulps: float | dict[int, float | Sequence[float]] = 0.0
    shared: Callable[[Launch], int] = lambda launch: 0
    variables: Sequence[str] = ()
    expect: Callable[[Launch, list[Any]], dict[int, Array]] | None = field(default=None, repr=False)

    @property
    def name(self) -> str:
        return f"{self.file.removesuffix('.cu')}:{self.kernel}"

    def ulps_of(self, argument: int) -> float | Sequence[float]:
        return self.ulps.get(argument, 0.0) if isinstance(self.ulps, dict) else self.ulps


def in_out(launch: Launch) -> list[Any]:
    """`(const int *in, int *out, int n)` with numbers from 0 to 99."""
    return [launch.ints(), launch.out(), launch.n]


def with_number(launch: Launch, number: int) -> list[Any]:
    """`in_out`, and one more number."""
    return [*in_out(launch), number]


def given(value: T, make: Callable[[Launch, T], list[Any]]) -> Callable[[Launch], list[Any]]:
    """Return what makes the arguments that `make` makes of a launch and `value`."""
    return lambda launch: make(launch, value)


def assert_agree(ours: Array, theirs: Array, ulps: float | Sequence[float], what: str) -> None:
    """Raise `AssertionError` that shows the first elements that differ by more than `ulps`."""
    assert ours.dtype == theirs.dtype and ours.shape == theirs.shape, what
    if ours.dtype.names:  # a struct: padding does not count
        for name in ours.dtype.names:
            assert_agree(ours[name], theirs[name], ulps, f"{what}.{name}")
        return
    ours, theirs = np.atleast_1d(ours), np.atleast_1d(theirs)
    limit = np.broadcast_to(np.resize(np.asarray(ulps, float), ours.shape[-1:]), ours.shape)
    wrong = np.argwhere(distance(ours, theirs) > limit)
    if len(wrong):
        shown = [(tuple(map(int, at)), ours[tuple(at)], theirs[tuple(at)]) for at in wrong[:5]]
        lines = [f"  at {at}: {a!r} and {b!r} (up to {limit[at]} ulps)" for at, a, b in shown]
        raise AssertionError(f"{what}: {len(wrong)} of {ours.size} elements differ\n" + "\n".join(lines))


def distance(a: Array, b: Array) -> Array:
    """Return how many representable numbers lie between `a` and `b`: 0 for equal values, NaNs included."""
    if a.dtype.kind != "f":
        differ: Array = a != b
        return differ.astype(float)
    bits = np.dtype(f"i{a.dtype.itemsize}")
    steps = []
    for x in (a, b):
        i = np.ascontiguousarray(x).view(bits).astype(object if bits.itemsize == 8 else np.int64)
        steps.append(np.where(i < 0, np.iinfo(bits).min - i, i))
    distance = np.abs(steps[0] - steps[1]).astype(float)
    same_bits = np.ascontiguousarray(a).view(bits) == np.ascontiguousarray(b).view(bits)
    distance = np.where(~same_bits & (a == b), 0.5, distance)  # +0 and -0
    both, one = np.isnan(a) & np.isnan(b), np.isnan(a) ^ np.isnan(b)
    return np.where(both, 0.0, np.where(one, np.inf, distance))
