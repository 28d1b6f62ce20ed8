"""Unions, bit-fields, vector types, half precision."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import DTypeLike

from .case import ONE_D, THREE_D, TWO_D, Array, Case, Launch

SHAPE = np.dtype([("kind", "i4"), ("content", "u4"), ("id", "i4")])
NODE = np.dtype([("leaf", "i4"), ("count", "u4"), ("payload", "u4", (2,))])


def floats_and_bits(launch: Launch) -> list[Any]:
    return [launch.special_floats(nan=False), launch.out(np.uint32), launch.out(np.float32), launch.n]


def shapes(launch: Launch) -> list[Any]:
    array = np.zeros(launch.n, SHAPE)
    array["kind"], array["id"] = launch.ints(0, 3), launch.ints()
    round_ = launch.floats(-9, 9).view(np.uint32)
    array["content"] = np.where(array["kind"] == 0, round_, launch.any_ints(np.uint32))
    return [array, np.zeros(launch.n, np.float32), launch.n]


def nodes(launch: Launch) -> list[Any]:
    array = np.zeros(launch.n, NODE)
    array["leaf"] = launch.ints(0, 2)
    array["count"] = np.where(array["leaf"] == 1, launch.ints(), launch.floats(-9, 9).view(np.uint32))
    array["payload"] = launch.ints(0, 1 << 20, 2 * launch.n).reshape(-1, 2)
    return [array, launch.out(), np.float32(1.5).tobytes(), launch.n]


def words(launch: Launch) -> list[Any]:
    n = launch.n
    return [launch.any_ints(np.uint64), launch.out(np.uint32), np.zeros(2 * n, np.uint64), n]


def halves(launch: Launch, count: int | None = None) -> Array:
    """Return half-precision numbers of all bits, most of them of moderate size; no NaN, whose bits may differ."""
    count = launch.n if count is None else count
    any_ = launch.ints(0, 1 << 16, count, np.uint16).view(np.float16)
    moderate = launch.rng.normal(size=count).astype(np.float16)
    return np.where((launch.rng.random(count) < 0.7) | ~np.isfinite(any_), moderate, any_)


def half_operators(launch: Launch) -> list[Any]:
    order = launch.rng.permutation(launch.n).astype(np.int32)
    return [halves(launch), halves(launch), order, halves(launch), launch.out(np.float32), launch.n]


def half_expected(_launch: Launch, args: list[Any]) -> dict[int, Array]:
    with np.errstate(all="ignore"):
        x, y = args[0], args[1][args[2]]
        s = x * y + x
        s = np.where(x > y, s - y, -s / np.float16(3))
        out = np.empty_like(s)
        out[args[2]] = s
        return {3: out, 4: s.astype(np.float32) + x.astype(np.float32)}


def half_functions(launch: Launch) -> list[Any]:
    return [halves(launch), halves(launch), halves(launch, 4 * launch.n), launch.n]


def pairs(launch: Launch) -> list[Any]:
    scale = np.array([(1.5, -2)], [("x", np.float16), ("y", np.float16)])[0]
    numbers = np.clip(halves(launch, 8 * launch.n), -100, 100)
    return [numbers.view(np.float32), halves(launch, 2 * launch.n + 8), scale, halves(launch, 2 * launch.n), launch.n]


def bfloats(launch: Launch) -> list[Any]:
    numbers = launch.floats(-3, 3).view(np.uint32) >> 16
    doubles = launch.rng.normal(size=launch.n) * 10.0 ** launch.rng.integers(-6, 6, launch.n)
    return [numbers.astype(np.uint16), doubles, launch.out(np.uint16), halves(launch), launch.n]


def packets(launch: Launch) -> list[Any]:
    return [launch.any_ints("u8", 2 * launch.n), launch.out(), launch.n]


def vectors(
    launch: Launch, dtype: DTypeLike, count: int, low: float = -9, high: float = 9, rows: int | None = None
) -> Array:
    """Return an array of vectors of `count` numbers, as rows."""
    rows = launch.n if rows is None else rows
    return launch.rng.uniform(low, high, rows * count).astype(dtype).reshape(rows, count)


def scaled(launch: Launch) -> list[Any]:
    return [vectors(launch, "f4", 4), vectors(launch, "f4", 4), np.float32(3), launch.n]


def gathered(launch: Launch) -> list[Any]:
    order = launch.rng.permutation(launch.n).astype(np.int32)
    return [vectors(launch, "f4", 4), order, vectors(launch, "f4", 4), launch.n]


def crossed(launch: Launch) -> list[Any]:
    return [*(vectors(launch, "f4", 3) for _ in range(3)), launch.n]


def small(launch: Launch) -> list[Any]:
    in_, pairs = vectors(launch, "u1", 4, 0, 256), vectors(launch, "i1", 2, -128, 128)
    return [in_, pairs, vectors(launch, "i2", 3), vectors(launch, "u1", 4, 0, 9), launch.n]


def wide(launch: Launch) -> list[Any]:
    return [vectors(launch, "f8", 2), vectors(launch, "i8", 2, -1e9, 1e9), vectors(launch, "f8", 4), launch.n]


def tile(launch: Launch) -> list[Any]:
    return [vectors(launch, "i4", 4), vectors(launch, "i4", 4), launch.n]


def parameter(launch: Launch) -> list[Any]:
    by = np.array([1, 2, 3, 4.5], np.float32).tobytes()
    return [by, np.array([7, 2], np.uint32).tobytes(), vectors(launch, "f4", 2), launch.n]


def indices(launch: Launch) -> list[Any]:
    return [launch.out(count=launch.nx * launch.ny * launch.nz), launch.nx, launch.ny, launch.nz]


def walked(launch: Launch) -> list[Any]:
    next_ = launch.rng.permutation(launch.n).astype(np.int32)
    return [vectors(launch, "f4", 2, 0, 1), next_, vectors(launch, "f4", 2), launch.n]


def bit_cast(_launch: Launch, args: list[Any]) -> dict[int, Array]:
    bits = args[0].view(np.uint32)
    exponent = bits >> np.uint32(23) & np.uint32(255)
    changed = np.where(exponent > 127, bits ^ np.uint32(1 << 31), bits - np.uint32(1 << 22))
    return {1: changed + exponent, 2: changed.view(np.float32)}


CASES = [
    Case("types/unions.cu", "bit_cast", floats_and_bits, expect=bit_cast),
    Case("types/unions.cu", "counted", lambda launch: [launch.ints(), launch.out(np.float32), launch.n]),
    Case("types/unions.cu", "tagged", shapes),
    Case("types/unions.cu", "passed", nodes),
    Case("types/unions.cu", "mixed", words),
    Case("types/unions.cu", "shared", lambda launch: [launch.floats(), launch.out(np.uint32), launch.n]),
    Case("types/unions.cu", "addressed", lambda launch: [launch.floats(), launch.out(np.float32), launch.n]),
    Case("types/unions.cu", "carried", lambda launch: [launch.floats(), launch.out(), launch.n]),
    Case("types/half.cu", "half_operators", half_operators, expect=half_expected),
    Case("types/half.cu", "half_functions", half_functions),
    Case("types/half.cu", "bfloats", bfloats),
    Case("types/half.cu", "half_table", lambda launch: [halves(launch), halves(launch), launch.n]),
    Case("types/half.cu", "pairs", pairs),
    Case("types/half.cu", "half_shared", lambda launch: [halves(launch), halves(launch), launch.n]),
    Case("types/bit_fields.cu", "packets", packets),
    Case("types/bit_fields.cu", "through_pointers", packets),
    Case("types/bit_fields.cu", "colors", lambda launch: [launch.any_ints("u4"), launch.out("u4"), launch.n]),
    Case("types/vectors.cu", "scaled", scaled),
    Case("types/vectors.cu", "gathered", gathered),
    Case("types/vectors.cu", "crossed", crossed),
    Case("types/vectors.cu", "small", small),
    Case("types/vectors.cu", "wide", wide),
    Case("types/vectors.cu", "tile", tile),
    Case("types/vectors.cu", "parameter", parameter),
    Case("types/vectors.cu", "indices", indices, (*ONE_D[:4], *TWO_D, *THREE_D)),
    Case("types/vectors.cu", "walked", walked),
]
