"""Unions, bit-fields, vector types, half precision."""

from __future__ import annotations

from typing import Any

import numpy as np

from .case import Array, Case, Launch

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
]
