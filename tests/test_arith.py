"""Integer operations and conversions, lane by lane against Python's integers and NumPy's floats."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import numpy as np
import pytest
from llvmlite import ir
from vector_jit import Compiled, compile_lanes, dtype

from simt2simd import arith
from simt2simd.ctype import (
    BOOL,
    DOUBLE,
    FLOAT,
    INT,
    LONGLONG,
    SCHAR,
    SHORT,
    UCHAR,
    UINT,
    ULONGLONG,
    USHORT,
    Scalar,
)
from simt2simd.irtools import const
from simt2simd.target import AVX2, AVX512, Options

INTEGERS = (SCHAR, UCHAR, SHORT, USHORT, INT, UINT, LONGLONG, ULONGLONG)
TARGETS = (AVX512, AVX2)
ids = [scalar.name.replace(" ", "_") for scalar in INTEGERS]
integer_types = pytest.mark.parametrize("scalar", INTEGERS, ids=ids)
all_targets = pytest.mark.parametrize("target", TARGETS, ids=lambda t: t.name)


def edges(scalar: Scalar) -> list[int]:
    info = np.iinfo(dtype(scalar))
    near = [info.min, info.max, 0, 1, 2, 3, 7, 10, 15, 16, 255 & info.max]
    near += [1 << k for k in range(scalar.bits - scalar.signed)]
    near += [x + d for x in list(near) for d in (-1, 1)] + [-x for x in near]
    return sorted({x for x in near if info.min <= x <= info.max})


def integers(scalar: Scalar, count: int, seed: int = 0) -> np.ndarray:
    """Random numbers of all magnitudes."""
    rng = np.random.default_rng(seed)
    info = np.iinfo(dtype(scalar))
    full = rng.integers(info.min, info.max, count, dtype=dtype(scalar), endpoint=True)
    return full >> rng.integers(0, scalar.bits, count).astype(dtype(scalar))


def pairs(scalar: Scalar, count: int = 20000) -> tuple[np.ndarray, np.ndarray]:
    """All pairs of edge cases, then random pairs."""
    e = np.array(edges(scalar), dtype(scalar))
    left, right = (grid.ravel() for grid in np.meshgrid(e, e))
    return np.concatenate([left, integers(scalar, count, 1)]), np.concatenate([right, integers(scalar, count, 2)])


def wrap(value: int, scalar: Scalar) -> int:
    value &= (1 << scalar.bits) - 1
    return value - (1 << scalar.bits) if scalar.signed and value >> (scalar.bits - 1) else value


def true_quotient(a: int, b: int, scalar: Scalar) -> int:
    if b == 0:
        return wrap(-1, scalar)
    quotient = abs(a) // abs(b)
    return wrap(-quotient if (a < 0) != (b < 0) else quotient, scalar)


def true_remainder(a: int, b: int, scalar: Scalar) -> int:
    return a if b == 0 else wrap(a - b * (abs(a) // abs(b) * (-1 if (a < 0) != (b < 0) else 1)), scalar)


def expect(function: Callable[..., int], scalar: Scalar, *args: np.ndarray) -> np.ndarray:
    rows = zip(*(arg.tolist() for arg in args), strict=True)
    return np.array([function(*row) for row in rows], dtype(scalar))


@cache
def binary(operation: str, scalar: Scalar, target_name: str, uniform: bool) -> Compiled:
    target = AVX512 if target_name == "avx512" else AVX2
    function = getattr(arith, operation)
    return compile_lanes(
        lambda b, mask, x, y: [function(b, x, y, scalar.signed)],
        [scalar, scalar],
        [scalar],
        Options(target=target),
        uniform=uniform,
    )


@integer_types
@all_targets
@pytest.mark.parametrize("uniform", [False, True], ids=["vector", "scalar"])
def test_division_is_exact_for_every_divisor(scalar, target, uniform):
    left, right = pairs(scalar)
    quotient = binary("divide", scalar, target.name, uniform)(left, right)
    remainder = binary("remainder", scalar, target.name, uniform)(left, right)
    np.testing.assert_array_equal(
        quotient, expect(lambda a, b: true_quotient(a, b, scalar), scalar, left, right), strict=True
    )
    np.testing.assert_array_equal(
        remainder, expect(lambda a, b: true_remainder(a, b, scalar), scalar, left, right), strict=True
    )


@integer_types
@all_targets
def test_vector_division_uses_no_scalar_division_and_no_call(scalar, target):
    for operation in ("divide", "remainder"):
        used = set(binary(operation, scalar, target.name, False).mnemonics())
        assert not {"idivl", "divl", "idivq", "divq", "idivw", "divw", "idivb", "divb", "callq"} & used


@integer_types
@all_targets
def test_division_by_uniform_is_exact(scalar, target):
    """The divisor is lane 0 of each gang's second argument."""

    def build(b, mask, x, y):
        divisor = b.extract_element(y, ir.Constant(ir.IntType(32), 0))
        return [
            arith.divide_uniform(b, x, divisor, scalar.signed),
            arith.remainder_uniform(b, x, divisor, scalar.signed),
        ]

    compiled = compile_lanes(build, [scalar, scalar], [scalar, scalar], Options(target=target))
    left, right = pairs(scalar)
    left, right = left[: len(left) // 16 * 16], right[: len(left) // 16 * 16]
    right = np.repeat(right[::16], 16)
    quotient, remainder = compiled.call(left, right)
    np.testing.assert_array_equal(quotient, expect(lambda a, b: true_quotient(a, b, scalar), scalar, left, right))
    np.testing.assert_array_equal(remainder, expect(lambda a, b: true_remainder(a, b, scalar), scalar, left, right))


@integer_types
@pytest.mark.parametrize("uniform", [False, True], ids=["vector", "scalar"])
@pytest.mark.parametrize("divisor", [0, 1, -1, 2, 3, -7, 10, 64, 100, "min", "max"])
def test_division_by_constant_is_exact(scalar, uniform, divisor):
    info = np.iinfo(dtype(scalar))
    divisor = wrap({"min": info.min, "max": info.max}.get(divisor, divisor), scalar)

    def build(b, mask, x):
        constant = const(x.type, divisor)
        return [arith.divide(b, x, constant, scalar.signed), arith.remainder(b, x, constant, scalar.signed)]

    compiled = compile_lanes(build, [scalar], [scalar, scalar], uniform=uniform)
    left, _ = pairs(scalar, 2000)
    quotient, remainder = compiled.call(left)
    np.testing.assert_array_equal(quotient, expect(lambda a: true_quotient(a, divisor, scalar), scalar, left))
    np.testing.assert_array_equal(remainder, expect(lambda a: true_remainder(a, divisor, scalar), scalar, left))
    assert uniform or not {"idivq", "divq", "mulxq", "imulq"} & set(compiled.mnemonics())


def test_division_of_constants_by_zero_is_not_folded_to_poison():
    def build(b, mask, x):
        minimum, zero, minus_one = (const(x.type, k) for k in (-(2**31), 0, -1))
        as_value = [b.or_(b.and_(x, zero), k) for k in (zero, minus_one)]  # LLVM sees through this, we do not
        return [arith.divide(b, minimum, divisor, True) for divisor in as_value]

    by_zero, by_minus_one = compile_lanes(build, [INT], [INT, INT]).call(np.zeros(16, np.int32))
    assert set(by_zero) == {-1} and set(by_minus_one) == {-(2**31)}


def shifted(value: int, count: int, op: str, scalar: Scalar) -> int:
    if op == "<<":
        return wrap(value << min(count, 64), scalar)
    return value >> min(count, 64)


@pytest.mark.parametrize("scalar", [INT, UINT, LONGLONG, ULONGLONG], ids=lambda s: s.name.replace(" ", "_"))
@all_targets
@pytest.mark.parametrize("op", ["<<", ">>"])
@pytest.mark.parametrize("uniform", [False, True], ids=["vector", "scalar"])
def test_shift_clamps_its_count(scalar, target, op, uniform):
    compiled = compile_lanes(
        lambda b, mask, x, n: [arith.shift(b, op, x, n, scalar.signed)],
        [scalar, scalar],
        [scalar],
        Options(target=target),
        uniform=uniform,
    )
    counts = [*range(scalar.bits + 2), 255, 1 << 20, wrap(-1, scalar)]
    values = edges(scalar)
    left, right = (
        grid.ravel() for grid in np.meshgrid(np.array(values, dtype(scalar)), np.array(counts, dtype(scalar)))
    )
    want = [
        shifted(v, c & ((1 << scalar.bits) - 1), op, scalar) for v, c in zip(left.tolist(), right.tolist(), strict=True)
    ]
    np.testing.assert_array_equal(compiled(left, right), np.array(want, dtype(scalar)))
    if scalar.bits == 32 and target == AVX512 and not uniform:
        vector = [m for m in compiled.mnemonics() if m.startswith("v") and m not in ("vzeroupper", "vmovdqu64")]
        assert len(vector) == 1, vector  # one shift, no comparison, no blend


FLOAT_EDGES = [
    *(0.0, -0.0, 0.5, -0.5, 1.5, -1.5, 2.5, -2.5, 0.9999999, 1e-40, 126.9, 127.5, 128.0, -128.9, -129.0, 255.9, 256.0),
    *(32767.5, 32768.0, -32769.0, 65535.9, 65536.0, 2.0**24 + 1, 2.0**31 - 1, 2.0**31, -(2.0**31), -(2.0**31) - 1),
    *(2.0**32 - 1, 2.0**32, 2.0**53, 2.0**63 - 1024, 2.0**63, -(2.0**63), 2.0**64 - 4096, 2.0**64, 1e30, -1e30),
    *(np.inf, -np.inf, np.nan),
]


def floats(scalar: Scalar, count: int = 5000) -> np.ndarray:
    rng = np.random.default_rng(3)
    spread = rng.normal(size=count) * np.exp2(rng.integers(-5, 70, count))
    with np.errstate(over="ignore"):
        return np.concatenate([np.array(FLOAT_EDGES), spread]).astype(dtype(scalar))


def saturate(value: float, to: Scalar) -> int:
    """What nvcc's code does: 32 or 64 bits saturate, narrower ones keep the low bits of the 32-bit result."""
    if to.bits < 32:
        return wrap(saturate(value, INT if to.signed else UINT), to)
    if np.isnan(value):
        return 0 if to.bits == 32 else wrap(1 << 63, to)
    info = np.iinfo(dtype(to))
    return info.min if value <= info.min else info.max if value >= info.max else int(value)


@pytest.mark.parametrize("source", [FLOAT, DOUBLE], ids=str)
@integer_types
@all_targets
@pytest.mark.parametrize("uniform", [False, True], ids=["vector", "scalar"])
def test_float_to_integer_truncates_and_saturates(source, scalar, target, uniform):
    compiled = compile_lanes(
        lambda b, mask, x: [arith.convert(b, x, source, scalar)],
        [source],
        [scalar],
        Options(target=target),
        uniform=uniform,
    )
    values = floats(source)
    np.testing.assert_array_equal(
        compiled(values), np.array([saturate(v, scalar) for v in values.tolist()], dtype(scalar))
    )


@pytest.mark.avx512
def test_float_to_int_is_vectorised():
    compiled = compile_lanes(lambda b, mask, x: [arith.convert(b, x, FLOAT, INT)], [FLOAT], [INT])
    assert "vcvttps2dq" in compiled.mnemonics() and "cvttss2si" not in " ".join(compiled.mnemonics())
    assert len(compiled.body()) < 30


@integer_types
@all_targets
@pytest.mark.parametrize("to", [FLOAT, DOUBLE], ids=str)
@pytest.mark.parametrize("uniform", [False, True], ids=["vector", "scalar"])
def test_integer_to_float_rounds_to_nearest(scalar, target, to, uniform):
    compiled = compile_lanes(
        lambda b, mask, x: [arith.convert(b, x, scalar, to)], [scalar], [to], Options(target=target), uniform=uniform
    )
    values = np.concatenate([np.array(edges(scalar), dtype(scalar)), integers(scalar, 5000)])
    np.testing.assert_array_equal(compiled(values), values.astype(dtype(to)))


@integer_types
@pytest.mark.parametrize("to", INTEGERS, ids=ids)
def test_integer_to_integer_wraps_and_extends(scalar, to):
    compiled = compile_lanes(lambda b, mask, x: [arith.convert(b, x, scalar, to)], [scalar], [to])
    values = np.array(edges(scalar), dtype(scalar))
    np.testing.assert_array_equal(compiled(values), values.astype(dtype(to)))


def test_bool_conversions():
    for source, values in (
        (FLOAT, floats(FLOAT)),
        (DOUBLE, floats(DOUBLE)),
        (INT, integers(INT, 100)),
        (UCHAR, np.arange(256)),
    ):
        compiled = compile_lanes(lambda b, mask, x, s=source: [arith.convert(b, x, s, BOOL)], [source], [BOOL])
        values = values.astype(dtype(source))
        np.testing.assert_array_equal(compiled(values), values != 0)
    for to in (FLOAT, DOUBLE, INT, UCHAR, LONGLONG, BOOL):
        compiled = compile_lanes(lambda b, mask, x, t=to: [arith.convert(b, x, BOOL, t)], [BOOL], [to])
        values = np.arange(16) % 3 == 0
        np.testing.assert_array_equal(compiled(values), values.astype(dtype(to)))


def test_double_to_float_rounds_to_nearest():
    compiled = compile_lanes(lambda b, mask, x: [arith.convert(b, x, DOUBLE, FLOAT)], [DOUBLE], [FLOAT])
    values = floats(DOUBLE)
    with np.errstate(over="ignore"):
        np.testing.assert_array_equal(compiled(values), values.astype(np.float32))


@pytest.mark.parametrize("mode, rounding", [("rn", np.rint), ("rz", np.trunc), ("rd", np.floor), ("ru", np.ceil)])
@pytest.mark.parametrize("source", [FLOAT, DOUBLE], ids=str)
@pytest.mark.parametrize("to", [INT, UINT, LONGLONG, ULONGLONG], ids=lambda s: s.name.replace(" ", "_"))
def test_float_to_integer_with_rounding_mode(mode, rounding, source, to):
    compiled = compile_lanes(
        lambda b, mask, x: [arith.conversion_op(b, f"to_int_{mode}", (source,), to, [x])], [source], [to]
    )
    values = floats(source)
    want = [saturate(v, to) for v in rounding(values.astype(np.float64)).tolist()]
    np.testing.assert_array_equal(compiled(values), np.array(want, dtype(to)))


@pytest.mark.parametrize("source", [INT, UINT, LONGLONG, ULONGLONG, DOUBLE], ids=lambda s: s.name.replace(" ", "_"))
@pytest.mark.parametrize("uniform", [False, True], ids=["vector", "scalar"])
def test_to_float_towards_zero(source, uniform):
    compiled = compile_lanes(
        lambda b, mask, x: [arith.conversion_op(b, "to_float_rz", (source,), FLOAT, [x])],
        [source],
        [FLOAT],
        uniform=uniform,
    )
    if source == DOUBLE:
        values = np.concatenate([floats(DOUBLE), floats(DOUBLE) * 1e-60, [3.4028235e38, 3.5e38, 1e300, 1e-46, 1e-300]])
    else:
        values = np.concatenate([np.array(edges(source), dtype(source)), integers(source, 5000)])
    got = compiled(values)
    with np.errstate(over="ignore"):
        nearest = values.astype(np.float32)
    want = []
    for value, near in zip(values.tolist(), nearest, strict=True):
        too_far = np.isfinite(value) and abs(float(near)) > abs(value)
        want.append(np.nextafter(near, np.float32(0)) if too_far else near)
    np.testing.assert_array_equal(got, np.array(want, np.float32))


def test_lround_goes_away_from_zero_at_halves():
    compiled = compile_lanes(
        lambda b, mask, x: [arith.conversion_op(b, "lround", (FLOAT,), LONGLONG, [x])], [FLOAT], [LONGLONG]
    )
    values = np.array([0.5, -0.5, 1.5, 2.5, -2.5, 0.49999997, 8388607.5, 8388609.0, -8388609.0], np.float32)
    assert compiled(values).tolist() == [1, -1, 2, 3, -3, 0, 8388608, 8388609, -8388609]


def bits(value: int, width: int) -> int:
    return value & ((1 << width) - 1)


def reverse(value: int, width: int) -> int:
    return int(f"{bits(value, width):0{width}b}"[::-1], 2)


def bytes_of(value: int, signed: bool) -> list[int]:
    return [b - 256 if signed and b > 127 else b for b in bits(value, 32).to_bytes(4, "little")]


def dot(x: list[int], y: list[int]) -> int:
    return sum(p * q for p, q in zip(x, y, strict=True))


def low_24(value: int, scalar: Scalar) -> int:
    value = bits(value, 24)
    return value - (1 << 24) if scalar.signed and value >> 23 else value


def funnel(low: int, high: int, count: int) -> int:
    return (bits(high, 32) << 32 | bits(low, 32)) << count


# op, parameter types, result, what it computes
INTEGER_CASES = [
    *[("clz", (s,), INT, lambda x, w=s.bits: w - bits(x, w).bit_length()) for s in (INT, LONGLONG)],
    *[("popc", (s,), INT, lambda x: x.bit_count()) for s in (UINT, ULONGLONG)],
    *[("ffs", (s,), INT, lambda x: (x & -x).bit_length()) for s in (INT, LONGLONG)],
    *[("brev", (s,), s, lambda x, w=s.bits: reverse(x, w)) for s in (UINT, ULONGLONG)],
    *[("mulhi", (s, s), s, lambda x, y, w=s.bits: x * y >> w) for s in (INT, UINT, LONGLONG, ULONGLONG)],
    *[("mul24", (s, s), s, lambda x, y, s=s: wrap(low_24(x, s) * low_24(y, s), s)) for s in (INT, UINT)],
    *[("sad", (s, s, UINT), UINT, lambda x, y, z: bits(abs(x - y) + z, 32)) for s in (INT, UINT)],
    *[("hadd", (s, s), s, lambda x, y: (x + y) >> 1) for s in (INT, UINT)],
    *[("rhadd", (s, s), s, lambda x, y: (x + y + 1) >> 1) for s in (INT, UINT)],
    *[("min", (s, s), s, min) for s in (INT, UINT, LONGLONG, ULONGLONG)],
    *[("max", (s, s), s, max) for s in (INT, UINT, LONGLONG, ULONGLONG)],
    *[("abs", (s,), s, lambda x, s=s: wrap(abs(x), s)) for s in (INT, LONGLONG)],
    ("funnelshift_l", (UINT,) * 3, UINT, lambda x, y, n: bits(funnel(x, y, n % 32) >> 32, 32)),
    ("funnelshift_lc", (UINT,) * 3, UINT, lambda x, y, n: bits(funnel(x, y, min(n, 32)) >> 32, 32)),
    ("funnelshift_r", (UINT,) * 3, UINT, lambda x, y, n: bits(funnel(x, y, 0) >> n % 32, 32)),
    ("funnelshift_rc", (UINT,) * 3, UINT, lambda x, y, n: bits(funnel(x, y, 0) >> min(n, 32), 32)),
    (
        "byte_perm", (UINT,) * 3, UINT,
        lambda x, y, s: sum((bytes_of(x, False) + bytes_of(y, False))[s >> 4 * i & 7] << 8 * i for i in range(4)),
    ),
    *[
        ("dp4a", (s,) * 3, s, lambda x, y, z, s=s: wrap(z + dot(bytes_of(x, s.signed), bytes_of(y, s.signed)), s))
        for s in (INT, UINT)
    ],
]  # fmt: skip


@pytest.mark.parametrize(
    "op, params, result, meaning", INTEGER_CASES, ids=[f"{c[0]}-{c[1][0].name}" for c in INTEGER_CASES]
)
@all_targets
@pytest.mark.parametrize("uniform", [False, True], ids=["vector", "scalar"])
def test_integer_builtin(op, params, result, meaning, target, uniform):
    compiled = compile_lanes(
        lambda b, mask, *args: [arith.integer_op(b, op, params, list(args))],
        params,
        [result],
        Options(target=target),
        uniform=uniform,
    )
    first = pairs(params[0], 3000)
    args = [*first[: min(2, len(params))]]
    if len(params) == 3:
        third = np.concatenate([np.arange(70), integers(params[2], len(first[0]), 5)])[: len(first[0])]
        args.append(third.astype(dtype(params[2])))
    np.testing.assert_array_equal(compiled(*args), expect(meaning, result, *args))
    assert uniform or "callq" not in compiled.mnemonics()


def test_bit_casts():
    values = floats(DOUBLE)
    halves = compile_lanes(
        lambda b, mask, x: [arith.conversion_op(b, f"double2{half}int", (DOUBLE,), INT, [x]) for half in ("hi", "lo")],
        [DOUBLE],
        [INT, INT],
    )
    high, low = halves.call(values)
    raw = values.view(np.int64)
    np.testing.assert_array_equal(high, (raw >> 32).astype(np.int32))
    np.testing.assert_array_equal(low, raw.astype(np.int32))
    joined = compile_lanes(
        lambda b, mask, h, lo: [arith.conversion_op(b, "hiloint2double", (INT, INT), DOUBLE, [h, lo])],
        [INT, INT],
        [DOUBLE],
    )
    np.testing.assert_array_equal(joined(high, low).view(np.int64), raw)
    as_int = compile_lanes(lambda b, mask, x: [arith.conversion_op(b, "bitcast", (FLOAT,), INT, [x])], [FLOAT], [INT])
    single = floats(FLOAT)
    np.testing.assert_array_equal(as_int(single), single.view(np.int32))


def test_every_integer_and_conversion_builtin_is_covered():
    from simt2simd.cuda import BUILTINS

    tested = {case[0] for case in INTEGER_CASES}
    assert tested == arith.INTEGER_OPS
    ops = {row.op for rows in BUILTINS.values() for row in rows}
    assert ops >= arith.INTEGER_OPS | arith.CONVERSION_OPS
