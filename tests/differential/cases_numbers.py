"""Integer and floating-point arithmetic, conversions, intrinsics, the math library."""

from __future__ import annotations

from typing import Any

import numpy as np

from .case import Case, Launch, given

DTYPES = {
    "char": np.int8, "schar": np.int8, "uchar": np.uint8, "short": np.int16, "ushort": np.uint16, "int": np.int32,
    "uint": np.uint32, "long": np.int64, "ulong": np.uint64, "longlong": np.int64, "ulonglong": np.uint64,
}  # fmt: skip

# Integers are cheap but the columns are many: fewer launches.
BLOCKS = ((1,), (15,), (17,), (64,))
# Python takes a while for the math library.
MATH_BLOCKS = ((16,), (33,))


def compound(first: str, second: str) -> Case:
    def args(s: Launch) -> list[Any]:
        return [s.any_ints(DTYPES[first]), s.any_ints(DTYPES[second]), s.out(DTYPES[first], s.n * 12), s.n]

    return Case("integers/compound.cu", f"{first}_{second}", args, blocks=BLOCKS)


def shifts(value: str, count: str) -> Case:
    def args(s: Launch) -> list[Any]:
        low = 0 if count.startswith("u") else -3
        by = s.ints(low, 70, dtype=DTYPES[count])
        return [s.any_ints(DTYPES[value]), by, s.out(DTYPES[value], s.n * 4), s.n]

    return Case("integers/shifts.cu", f"{value}_by_{count}", args, blocks=BLOCKS)


def divisions(kernel: str, dtype: Any, common: int) -> Case:
    def args(s: Launch) -> list[Any]:
        return [s.any_ints(dtype), s.any_ints(dtype), s.out(dtype, s.n * 14), s.n, dtype(common)]

    return Case("integers/division.cu", kernel, args, blocks=BLOCKS)


def bits32(s: Launch) -> list[Any]:
    return [*(s.any_ints(np.uint32) for _ in range(3)), s.out(np.uint32, s.n * 26), s.n]


def mixed_signs(s: Launch) -> list[Any]:
    given = [s.any_ints(dtype) for dtype in (np.int32, np.uint32, np.int8, np.uint16)]
    return [*given, s.out(np.int64, s.n * 16), s.n]


def special_pairs(dtype: Any) -> Any:
    return lambda s: [s.special_floats(dtype), s.special_floats(dtype), s.out(dtype, s.n * 10), s.out(), s.n]


def rounding(dtype: Any) -> Any:
    def args(s: Launch) -> list[Any]:
        halves = np.round(s.floats(-8, 8)) / 2
        x = np.where(s.ints(0, 2) == 0, halves, s.floats(-100, 100)).astype(dtype)
        y = np.where(s.ints(0, 4) == 0, 0.75, s.floats(0.5, 9) * np.where(s.ints(0, 2) == 0, 1, -1)).astype(dtype)
        return [np.where(x == 0, dtype(1.25), x), y, s.out(dtype, s.n * 22), s.out(np.int64, s.n * 5), s.n]

    return args


def unary(dtype: Any) -> Any:
    def args(s: Launch) -> list[Any]:
        unit = s.floats(-0.95, 0.95, dtype=dtype)
        unit = np.where(np.abs(unit) < 0.01, dtype(0.25), unit)
        return [s.floats(-9, 9, dtype=dtype), s.floats(0.01, 9, dtype=dtype), unit, s.out(dtype, s.n * 48), s.n]

    return args


def several(dtype: Any) -> Any:
    def args(s: Launch) -> list[Any]:
        a, b, c = s.floats(-6, 6, dtype=dtype), s.floats(-6, 6, dtype=dtype), s.floats(0.5, 4, dtype=dtype)
        return [a, b, c, s.out(dtype, s.n * 13), s.n]

    return args


# The bounds of the CUDA C++ Programming Guide, "Mathematical Functions", in the order of the columns of
# math_unary.cu; one more where the reference itself rounds. The Bessel functions are absolute there: 64 ulps serve.
UNARY_FLOAT = [2, 4, 2, 3, 2, 3, 1, 2, 2, 1, 2, 4, 4, 4, 2, 2, 2, 2, 1, 64, 64, 6, 1, 2, 1, 1, 5, 5, 1, 2, 2, 3, 1, 0,
               4, 2, 5, 64, 64, 2, 2, 2, 2, 4, 64, 0, 3, 3]  # fmt: skip
UNARY_DOUBLE = [2, 3, 2, 3, 2, 2, 1, 2, 1, 2, 2, 5, 6, 4, 5, 1, 1, 1, 1, 64, 64, 4, 1, 1, 1, 1, 7, 8, 1, 1, 2, 2, 2, 0,
                2, 2, 10, 64, 64, 2, 2, 2, 2, 4, 64, 0, 3, 3]  # fmt: skip
SEVERAL_FLOAT = [3, 3, 2, 4, 4, 3, 2, 3, 2, 64, 64, 0, 64]
SEVERAL_DOUBLE = [2, 2, 1, 2, 2, 1, 1, 1, 1, 64, 64, 0, 64]
# The fast functions promise an absolute error, or ulps that grow with the argument.
FAST = [30, 30, 1e4, 1e4, 1e4, 1e4, 1e4, 1e4, 1e4, 2, 1e4, 1e4]


def voting(launch: Launch, dtype: Any) -> list[Any]:
    numbers = launch.any_ints(dtype, launch.threads)
    table = launch.floats(count=launch.threads, dtype=np.float64)
    return [numbers, table, launch.out(np.float64, launch.threads), launch.out(count=launch.threads), launch.threads]


def gathering(launch: Launch) -> list[Any]:
    numbers, table = launch.any_ints(np.int8, launch.threads), launch.ints(count=launch.threads)
    return [numbers, table, launch.out(count=launch.threads), launch.threads]


def plus_one(bounds: list[int]) -> list[float]:
    """The reference may be one off itself."""
    return [bound + 1.0 if bound else 0.0 for bound in bounds]


CASES = [
    *[
        Case(
            "integers/widths.cu",
            f"on_{name}",
            given(dtype, lambda s, d: [s.any_ints(d), s.any_ints(d), s.out(d, s.n * 16), s.n]),
            blocks=BLOCKS,
        )
        for name, dtype in DTYPES.items()
    ],
    compound("char", "int"),
    compound("uchar", "short"),
    compound("short", "uint"),
    compound("int", "uint"),
    compound("longlong", "uint"),
    compound("longlong", "ulonglong"),
    compound("ulonglong", "int"),
    *[
        Case(
            "integers/conversions.cu",
            f"from_{name}",
            given(
                DTYPES[name],
                lambda s, d: [
                    s.any_ints(d),
                    s.out(np.uint64, s.n * 9),
                    s.out(np.float32),
                    s.out(np.float64),
                    s.n,
                ],
            ),
            blocks=BLOCKS,
        )
        for name in ("schar", "uchar", "short", "ushort", "int", "uint", "longlong", "ulonglong")
    ],
    Case("integers/mixed_signs.cu", "mixed", mixed_signs),
    Case("integers/mixed_signs.cu", "below_zero", lambda s: [s.ints(count=4 * s.n), s.out(np.int64, 8 * s.n), s.n]),
    shifts("int", "int"),
    shifts("uint", "uint"),
    shifts("uint", "longlong"),
    shifts("longlong", "int"),
    shifts("ulonglong", "uint"),
    shifts("short", "uchar"),
    *[divisions("ints", np.int32, common) for common in (13, -5, 0, -1)],
    *[divisions("uints", np.uint32, common) for common in (13, 0, 2**31 + 1)],
    *[divisions("longlongs", np.int64, common) for common in (10**12 + 7, 0, -1)],
    *[divisions("ulonglongs", np.uint64, common) for common in (10**12 + 7, 0)],
    Case("integers/intrinsics.cu", "bits32", bits32, blocks=BLOCKS),
    Case(
        "integers/intrinsics.cu",
        "bits64",
        lambda s: [s.any_ints(np.uint64), s.any_ints(np.uint64), s.out(np.uint64, s.n * 12), s.n],
        blocks=BLOCKS,
    ),
    Case(
        "integers/wide.cu",
        "wide",
        lambda s: [s.ints(0, 256, dtype=np.uint8), s.any_ints(np.uint64), s.out(np.uint64, s.n * 2), s.n],
    ),
    *[
        Case("integers/signs.cu", name, given(dtype, voting))
        for name, dtype in (("negative", np.int8), ("odd", np.uint8))
    ],
    Case("integers/signs.cu", "gathered", gathering),
    Case("integers/literals.cu", "literals", lambda s: [s.ints(), s.out(np.int64), s.n]),
    Case("floats/arithmetic.cu", "floats", special_pairs(np.float32)),
    Case("floats/arithmetic.cu", "doubles", special_pairs(np.float64)),
    Case(
        "floats/mixed.cu",
        "mixed",
        lambda s: [
            s.ints(0, 60),
            s.floats(-9, 9),
            s.floats(-9, 9, dtype=np.float64),
            s.out(np.float64, s.n * 8),
            s.out(np.float32),
            s.n,
        ],
    ),
    Case(
        "floats/conversions.cu",
        "to_integers",
        lambda s: [s.special_floats(), s.special_floats(np.float64), s.out(np.int64, s.n * 11), s.n],
    ),
    Case("floats/conversions.cu", "to_narrow", lambda s: [s.floats(-100, 100), s.out(), s.n]),
    Case(
        "floats/conversions.cu",
        "with_mode",
        lambda s: [s.special_floats(), s.special_floats(np.float64), s.out(np.int64, s.n * 32), s.n],
        blocks=BLOCKS,
    ),
    Case(
        "floats/conversions.cu",
        "from_integers",
        lambda s: [s.any_ints(np.int64), s.out(np.float32, s.n * 12), s.out(np.float64, s.n * 6), s.n],
    ),
    Case("floats/conversions.cu", "between", lambda s: [s.special_floats(np.float64), s.out(np.float32, s.n * 3), s.n]),
    Case(
        "floats/bits.cu",
        "casts",
        lambda s: [
            s.special_floats(nan=False),
            s.special_floats(np.float64, nan=False),
            s.out(np.uint32, s.n * 8),
            s.out(np.float64, s.n * 2),
            s.n,
        ],
    ),
    Case("floats/rounding.cu", "floats", rounding(np.float32), blocks=BLOCKS),
    Case("floats/rounding.cu", "doubles", rounding(np.float64), blocks=BLOCKS),
    Case(
        "floats/rounding.cu",
        "special",
        lambda s: [s.special_floats(), s.special_floats(), s.out(np.float32, s.n * 12), s.n],
        blocks=BLOCKS,
    ),
    Case(
        "floats/rounding.cu",
        "rounded",
        lambda s: [
            s.floats(-9, 9),
            s.floats(0.1, 9),
            s.floats(-9, 9, dtype=np.float64),
            s.floats(0.1, 9, dtype=np.float64),
            s.out(np.float32, s.n * 8),
            s.out(np.float64, s.n * 6),
            s.n,
        ],
        blocks=BLOCKS,
    ),
    Case("floats/math_unary.cu", "floats", unary(np.float32), blocks=MATH_BLOCKS, ulps={3: plus_one(UNARY_FLOAT)}),
    Case("floats/math_unary.cu", "doubles", unary(np.float64), blocks=MATH_BLOCKS, ulps={3: plus_one(UNARY_DOUBLE)}),
    Case(
        "floats/math_several.cu", "floats", several(np.float32), blocks=MATH_BLOCKS, ulps={3: plus_one(SEVERAL_FLOAT)}
    ),
    Case(
        "floats/math_several.cu", "doubles", several(np.float64), blocks=MATH_BLOCKS, ulps={3: plus_one(SEVERAL_DOUBLE)}
    ),
    Case(
        "floats/math_several.cu",
        "fast",
        lambda s: [s.floats(-3, 3), s.floats(0.1, 9), s.out(np.float32, s.n * 12), s.n],
        ulps={2: FAST},
    ),
    Case("floats/divergent_math.cu", "guarded", lambda s: [s.special_floats(), s.out(np.float32), s.n], ulps=64),
    Case(
        "floats/divergent_math.cu",
        "newton",
        lambda s: [s.floats(0, 50, dtype=np.float64), s.out(np.float64), s.out(), s.n],
    ),
]
