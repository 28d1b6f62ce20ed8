"""Integer operations and conversions, lane by lane against Python's integers and NumPy's floats."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial

import numpy as np
import pytest
from llvmlite import ir
from vector_jit import KINDS, TARGETS, Case, Compiled, Kind, all_kinds, dtype, of_kinds, vectors_only

from simt2simd.lang.builtins import BUILTINS
from simt2simd.lang.ctype import (
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
from simt2simd.options import Options
from simt2simd.python.kernel import RawKernel
from simt2simd.simd import integers
from simt2simd.simd.builder import const, intrinsic
from simt2simd.target import AVX512, Target, native
from simt2simd.vmath.bits import fmax, fmin
from simt2simd.vmath.bits import saturate as clamped
from simt2simd.vmath.num import Num

INTEGERS = (SCHAR, UCHAR, SHORT, USHORT, INT, UINT, LONGLONG, ULONGLONG)
WIDE = (INT, UINT, LONGLONG, ULONGLONG)
FLOATS = (FLOAT, DOUBLE)


def label(*parts: object) -> str:
    """A case's name, which is also a symbol."""
    return "_".join(str(part).replace(" ", "_").replace("-", "minus_") for part in parts)


integer_types = pytest.mark.parametrize("scalar", INTEGERS, ids=label)
wide_types = pytest.mark.parametrize("scalar", WIDE, ids=label)
float_types = pytest.mark.parametrize("source", FLOATS, ids=label)


# ------------------------------------------------------------------------------------------------ inputs


def edges(scalar: Scalar) -> list[int]:
    info = np.iinfo(dtype(scalar))
    near = [info.min, info.max, 0, 1, 2, 3, 5, 7, 10, 100]
    near += [1 << k for k in (7, 8, 15, 16, 23, 24, 31, 32, 52, 53, 62, 63) if k < scalar.bits - scalar.signed]
    near += [x + d for x in list(near) for d in (-1, 1)]
    near += [-x for x in near]
    return sorted({x for x in near if info.min <= x <= info.max})


def random_integers(scalar: Scalar, count: int, seed: int = 0) -> np.ndarray:
    """Random numbers of all magnitudes."""
    rng = np.random.default_rng(seed)
    info = np.iinfo(dtype(scalar))
    full: np.ndarray = rng.integers(info.min, info.max, count, dtype=dtype(scalar), endpoint=True)
    shifted: np.ndarray = np.right_shift(full, rng.integers(0, scalar.bits, count).astype(dtype(scalar)))
    return shifted


@cache
def pairs(scalar: Scalar) -> tuple[np.ndarray, np.ndarray]:
    """All pairs of edge cases, then random pairs."""
    e = np.array(edges(scalar), dtype(scalar))
    left, right = (grid.ravel() for grid in np.meshgrid(e, e))
    return np.concatenate([left, random_integers(scalar, 4000, 1)]), np.concatenate(
        [right, random_integers(scalar, 4000, 2)]
    )


FLOAT_EDGES = [
    *(0.0, -0.0, 0.5, -0.5, 1.5, -1.5, 2.5, -2.5, 0.9999999, 1e-40, 126.9, 127.5, 128.0, -128.9, -129.0, 255.9, 256.0),
    *(32767.5, 32768.0, -32769.0, 65535.9, 65536.0, 2.0**24 + 1, 2.0**31 - 1, 2.0**31, -(2.0**31), -(2.0**31) - 1),
    *(2.0**32 - 1, 2.0**32, 2.0**53, 2.0**63 - 1024, 2.0**63, -(2.0**63), 2.0**64 - 4096, 2.0**64, 1e30, -1e30),
    *(np.inf, -np.inf, np.nan),
]


def floats(scalar: Scalar) -> np.ndarray:
    rng = np.random.default_rng(3)
    spread = rng.normal(size=3000) * np.exp2(rng.integers(-5, 70, 3000))
    with np.errstate(over="ignore"):
        return np.concatenate([np.array(FLOAT_EDGES), spread]).astype(dtype(scalar))


def wrap(value: int, scalar: Scalar) -> int:
    value &= (1 << scalar.bits) - 1
    return value - (1 << scalar.bits) if scalar.signed and value >> (scalar.bits - 1) else value


def expect(function: Callable[..., int], scalar: Scalar, *args: np.ndarray) -> np.ndarray:
    rows = zip(*(arg.tolist() for arg in args), strict=True)
    return np.array([function(*row) for row in rows], dtype(scalar))


# ---------------------------------------------------------------------------------------------- division


def true_quotient(a: int, b: int, scalar: Scalar) -> int:
    if b == 0:
        return wrap(-1, scalar)
    quotient = abs(a) // abs(b)
    return wrap(-quotient if (a < 0) != (b < 0) else quotient, scalar)


def true_remainder(a: int, b: int, scalar: Scalar) -> int:
    return a if b == 0 else wrap(a - b * true_quotient(a, b, scalar), scalar)


@cache
def true_division(scalar: Scalar) -> tuple[np.ndarray, np.ndarray]:
    left, right = pairs(scalar)
    return (
        expect(lambda a, b: true_quotient(a, b, scalar), scalar, left, right),
        expect(lambda a, b: true_remainder(a, b, scalar), scalar, left, right),
    )


def divided_by_first(b: ir.IRBuilder, x: ir.Value, y: ir.Value, signed: bool) -> list[ir.Value]:
    divisor = b.extract_element(y, ir.Constant(ir.IntType(32), 0))
    return [integers.divide_uniform(b, x, divisor, signed), integers.remainder_uniform(b, x, divisor, signed)]


DIVISORS = (0, 1, -1, 2, 3, -7, 10, 64, 100, "min", "max")


def constant_divisor(scalar: Scalar, divisor: int | str) -> int:
    info = np.iinfo(dtype(scalar))
    extremes = {"min": int(info.min), "max": int(info.max)}
    return wrap(extremes[divisor] if isinstance(divisor, str) else divisor, scalar)


@cache
def division(kind: Kind) -> Compiled:
    cases = {}
    for scalar in INTEGERS:
        signed = scalar.signed
        cases[label("divide", scalar)] = Case(
            [scalar] * 2, [scalar], lambda b, mask, x, y, s=signed: [integers.divide(b, x, y, s)]
        )
        cases[label("remainder", scalar)] = Case(
            [scalar] * 2, [scalar], lambda b, mask, x, y, s=signed: [integers.remainder(b, x, y, s)]
        )
        if not kind[1]:
            cases[label("uniform", scalar)] = Case(
                [scalar] * 2, [scalar] * 2, lambda b, mask, x, y, s=signed: divided_by_first(b, x, y, s)
            )
        for divisor in DIVISORS:
            number = constant_divisor(scalar, divisor)

            def build(
                b: ir.IRBuilder, mask: ir.Value | None, x: ir.Value, s: bool = signed, number: int = number
            ) -> list[ir.Value]:
                constant = const(x.type, number)
                return [integers.divide(b, x, constant, s), integers.remainder(b, x, constant, s)]

            cases[label("constant", scalar, divisor)] = Case([scalar], [scalar] * 2, build)
    return Compiled(cases, Options(target=TARGETS[kind[0]]), uniform=kind[1])


SCALAR_CODE = {"idivl", "divl", "idivq", "divq", "idivw", "divw", "idivb", "divb", "mulxq", "imulq", "mulq", "callq"}


@integer_types
@all_kinds
def test_division_is_exact_for_every_divisor(scalar: Scalar, kind: Kind) -> None:
    quotient, remainder = true_division(scalar)
    np.testing.assert_array_equal(division(kind)(label("divide", scalar), *pairs(scalar)), quotient, strict=True)
    np.testing.assert_array_equal(division(kind)(label("remainder", scalar), *pairs(scalar)), remainder, strict=True)


@integer_types
@of_kinds(TARGETS, executed=False)
def test_vector_division_uses_no_scalar_division_and_no_call(scalar: Scalar, kind: Kind) -> None:
    for operation in ("divide", "remainder"):
        assert not SCALAR_CODE & set(division(kind).mnemonics(label(operation, scalar)))


@integer_types
@vectors_only
def test_division_by_uniform_is_exact(scalar: Scalar, kind: Kind) -> None:
    """The divisor is lane 0 of each gang's second argument."""
    left, right = pairs(scalar)
    left = left[: len(left) // 16 * 16]
    right = np.repeat(np.resize(right, len(left))[::16], 16)
    quotient, remainder = division(kind).call(label("uniform", scalar), left, right)
    np.testing.assert_array_equal(quotient, expect(lambda a, b: true_quotient(a, b, scalar), scalar, left, right))
    np.testing.assert_array_equal(remainder, expect(lambda a, b: true_remainder(a, b, scalar), scalar, left, right))


@integer_types
@all_kinds
def test_division_by_constant_is_exact(scalar: Scalar, kind: Kind) -> None:
    left = np.concatenate([np.array(edges(scalar), dtype(scalar)), random_integers(scalar, 500)])
    for divisor in DIVISORS:
        number = constant_divisor(scalar, divisor)
        quotient, remainder = division(kind).call(label("constant", scalar, divisor), left)
        np.testing.assert_array_equal(quotient, expect(lambda a, d=number: true_quotient(a, d, scalar), scalar, left))
        np.testing.assert_array_equal(remainder, expect(lambda a, d=number: true_remainder(a, d, scalar), scalar, left))
        assert kind[1] or not SCALAR_CODE & set(division(kind).mnemonics(label("constant", scalar, divisor)))


def test_division_of_constants_is_not_folded_to_poison() -> None:
    def build(b: ir.IRBuilder, mask: ir.Value | None, x: ir.Value) -> list[ir.Value]:
        minimum, zero, minus_one = (const(x.type, k) for k in (-(2**31), 0, -1))
        hidden = [b.or_(b.and_(x, zero), k) for k in (zero, minus_one)]  # LLVM sees through this, arith does not
        return [integers.divide(b, minimum, divisor, True) for divisor in hidden]

    compiled = Compiled({"f": Case([INT], [INT, INT], build)})
    by_zero, by_minus_one = compiled.call("f", np.zeros(16, np.int32))
    assert set(by_zero) == {-1} and set(by_minus_one) == {-(2**31)}


# ------------------------------------------------------------------------------------------------ shifts


@cache
def shifts(kind: Kind) -> Compiled:
    cases = {
        label("left" if op == "<<" else "right", scalar): Case(
            [scalar] * 2, [scalar], lambda b, mask, x, n, op=op, s=scalar.signed: [integers.shift(b, op, x, n, s)]
        )
        for scalar in WIDE
        for op in ("<<", ">>")
    }
    return Compiled(cases, Options(target=TARGETS[kind[0]]), uniform=kind[1])


def shifted(value: int, count: int, op: str, scalar: Scalar) -> int:
    count = min(count & ((1 << scalar.bits) - 1), 64)
    return wrap(value << count, scalar) if op == "<<" else value >> count


@wide_types
@all_kinds
@pytest.mark.parametrize("op", ["<<", ">>"])
def test_shift_clamps_its_count(scalar: Scalar, kind: Kind, op: str) -> None:
    counts = [*range(scalar.bits + 2), 255, 1 << 20, wrap(-1, scalar)]
    grid = np.meshgrid(np.array(edges(scalar), dtype(scalar)), np.array(counts, dtype(scalar)))
    left, right = (part.ravel() for part in grid)
    name = label("left" if op == "<<" else "right", scalar)
    want = expect(lambda v, c: shifted(v, c, op, scalar), scalar, left, right)
    np.testing.assert_array_equal(shifts(kind)(name, left, right), want)


@pytest.mark.parametrize("scalar", [INT, UINT], ids=label)
@pytest.mark.parametrize("name", ["left", "right"])
def test_shift_is_one_instruction(scalar: Scalar, name: str) -> None:
    used = shifts(KINDS["avx512"]).mnemonics(label(name, scalar))
    vector = [m for m in used if m.startswith("v") and m not in ("vzeroupper", "vmovdqu64")]
    assert len(vector) == 1, vector  # one shift, no comparison, no blend


# ------------------------------------------------------------------------------------------- conversions


@cache
def conversions(kind: Kind) -> Compiled:
    target = TARGETS[kind[0]]
    types = (*INTEGERS, *FLOATS, BOOL)
    cases = {
        label("convert", source, to): Case(
            [source], [to], lambda b, mask, x, s=source, t=to: [integers.convert(b, x, s, t, target)]
        )
        for source in types
        for to in types
    }
    for source in FLOATS:
        for to in WIDE:
            for op in ("to_int_rn", "to_int_rz", "to_int_rd", "to_int_ru", "lrint", "lround"):
                cases[label(op, source, to)] = conversion(op, (source,), to, target)
    for source in (*WIDE, DOUBLE):
        for to in FLOATS:
            cases[label("to_float_rn", source, to)] = conversion("to_float_rn", (source,), to, target)
        cases[label("to_float_rz", source)] = conversion("to_float_rz", (source,), FLOAT, target)
    cases["double2hiint"] = conversion("double2hiint", (DOUBLE,), INT, target)
    cases["double2loint"] = conversion("double2loint", (DOUBLE,), INT, target)
    cases["hiloint2double"] = conversion("hiloint2double", (INT, INT), DOUBLE, target)
    cases["float_as_int"] = conversion("bitcast", (FLOAT,), INT, target)
    cases["longlong_as_double"] = conversion("bitcast", (LONGLONG,), DOUBLE, target)
    return Compiled(cases, Options(target=target), uniform=kind[1])


def conversion(op: str, params: tuple[Scalar, ...], to: Scalar, target: Target) -> Case:
    return Case(params, [to], lambda b, mask, *args: [integers.conversion_op(b, op, params, to, list(args), target)])


def saturate(value: float, to: Scalar) -> int:
    """What nvcc's code does: 32 or 64 bits saturate, narrower ones keep the low bits of the 32-bit result."""
    if to.bits < 32:
        return wrap(saturate(value, INT if to.signed else UINT), to)
    if np.isnan(value):
        return 0 if to.bits == 32 else wrap(1 << 63, to)
    info = np.iinfo(dtype(to))
    return int(info.min) if value <= info.min else int(info.max) if value >= info.max else int(value)


@float_types
@integer_types
@all_kinds
def test_float_to_integer_truncates_and_saturates(source: Scalar, scalar: Scalar, kind: Kind) -> None:
    values = floats(source)
    want = expect(lambda v: saturate(v, scalar), scalar, values)
    np.testing.assert_array_equal(conversions(kind)(label("convert", source, scalar), values), want)


@pytest.mark.parametrize("to, instructions", [(INT, 4), (UINT, 2)], ids=label)
def test_float_to_32_bits_is_a_conversion_and_what_saturates(to: Scalar, instructions: int) -> None:
    loop = conversions(KINDS["avx512"]).vectors_in_loop(label("convert", FLOAT, to))
    assert len(loop) == instructions + 2, loop  # with a load and a store


@pytest.mark.parametrize("name, way", [("floor", "rd"), ("ceil", "ru"), ("rint", ""), ("trunc", "")])
@vectors_only
def test_rounding_and_conversion_are_one_instruction(name: str, way: str, kind: Kind) -> None:
    """What saturates does so for the same numbers as after the rounding on its own."""
    target = TARGETS[kind[0]]

    def build(b: ir.IRBuilder, mask: ir.Value | None, x: ir.Value, source: Scalar, to: Scalar) -> list[ir.Value]:
        return [integers.convert(b, intrinsic(b, f"llvm.{name}", x), source, to, target)]

    pairs = [(source, to) for source in FLOATS for to in WIDE]
    cases = {label("f", s, t): Case([s], [t], partial(build, source=s, to=t)) for s, t in pairs}
    compiled = Compiled(cases, Options(target=target))
    for source, to in pairs:
        top = 2.0**to.bits
        near = [
            sign * (part + by) for sign in (1, -1) for part in (top, top / 2, 0) for by in (-1, -0.75, -0.5, 0, 0.5)
        ]
        values = np.concatenate([floats(source), np.array(near, dtype(source))])
        whole = getattr(np, name)(values)
        want = expect(lambda v, to=to: saturate(v, to), to, whole)
        np.testing.assert_array_equal(compiled(label("f", source, to), values), want)
    if target == AVX512:
        assert len(compiled.vectors_in_loop(label("f", FLOAT, INT))) == 6
        assert not way or f"{{{way}-sae}}" in compiled.assembly


CLAMPS: dict[str, Callable[[ir.IRBuilder, ir.Value], Num]] = {
    "min_max": lambda b, x: fmin(fmax(Num(b, x), const_num(b, x, -7.5), Options()), const_num(b, x, 1e9), Options()),
    "saturate": lambda b, x: clamped(Num(b, x)) * 255.0 + 0.5,
    "floor": lambda b, x: (clamped(Num(b, x)) * 1e6).floor(),
}


@pytest.mark.parametrize("clamp", CLAMPS)
@pytest.mark.parametrize("limit", [1.0, 1e5])
def test_a_float_that_is_known_to_fit_is_converted_by_one_instruction(clamp: str, limit: float) -> None:
    """If the product with `limit` may be too large, it saturates."""
    compiled = clamped_conversion(clamp, limit, native())
    values = floats(FLOAT)
    want = expect(lambda v: saturate(v, INT), INT, compiled("number", values))
    np.testing.assert_array_equal(compiled("int", values), want)
    shown = clamped_conversion(clamp, limit, AVX512)
    used = [len(shown.vectors_in_loop(name)) for name in ("number", "int")]
    fits = limit == 1 or clamp == "saturate"
    assert used[1] - used[0] == 1 if fits else used[1] - used[0] > 1


@pytest.mark.parametrize("mask", [0x7FFFFFFF, 0x7FFFFFC0, 0x7FFFFFBF, 0xFFFF])
def test_a_masked_integer_that_is_rounded_up_as_a_float_saturates(mask: int) -> None:
    body = "int i = threadIdx.x; out[i] = (int)(float)(in[i] & MASK);"
    code = f'extern "C" __global__ void k(const int *in, int *out) {{ {body} }}'
    given = np.array([-1, -2, -64, -65, -129, 5, 0x7FFFFFFF, 0], np.int32)
    out = np.zeros_like(given)
    RawKernel(code, "k", (f"-DMASK={mask}",))((1,), (given.size,), (given, out))
    kept = (given & np.int32(mask)).astype(np.float32).astype(np.float64)
    np.testing.assert_array_equal(out, np.minimum(kept, 2**31 - 1).astype(np.int32))


def clamped_conversion(clamp: str, limit: float, target: Target) -> Compiled:
    compute = CLAMPS[clamp]
    cases = {
        "number": Case([FLOAT], [FLOAT], lambda b, mask, x: [(compute(b, x) * limit).value]),
        "int": Case(
            [FLOAT], [INT], lambda b, mask, x: [integers.convert(b, (compute(b, x) * limit).value, FLOAT, INT, target)]
        ),
    }
    return Compiled(cases, Options(target=target))


def const_num(b: ir.IRBuilder, like: ir.Value, number: float) -> Num:
    return Num(b, const(like.type, number))


@integer_types
@all_kinds
def test_integer_to_float_rounds_to_nearest(scalar: Scalar, kind: Kind) -> None:
    values = np.concatenate([np.array(edges(scalar), dtype(scalar)), random_integers(scalar, 3000)])
    for to in FLOATS:
        np.testing.assert_array_equal(conversions(kind)(label("convert", scalar, to), values), values.astype(dtype(to)))


@integer_types
@all_kinds
def test_integer_to_integer_wraps_and_extends(scalar: Scalar, kind: Kind) -> None:
    values = np.array(edges(scalar), dtype(scalar))
    for to in INTEGERS:
        np.testing.assert_array_equal(conversions(kind)(label("convert", scalar, to), values), values.astype(dtype(to)))


@all_kinds
def test_bool_conversions(kind: Kind) -> None:
    for source in (*INTEGERS, *FLOATS):
        values = floats(source) if source in FLOATS else random_integers(source, 100)
        np.testing.assert_array_equal(conversions(kind)(label("convert", source, BOOL), values), values != 0)
    values = np.arange(16) % 3 == 0
    for to in (*INTEGERS, *FLOATS, BOOL):
        np.testing.assert_array_equal(conversions(kind)(label("convert", BOOL, to), values), values.astype(dtype(to)))


@all_kinds
def test_double_to_float_rounds_to_nearest(kind: Kind) -> None:
    values = floats(DOUBLE)
    with np.errstate(over="ignore"):
        want = values.astype(np.float32)
    np.testing.assert_array_equal(conversions(kind)(label("convert", DOUBLE, FLOAT), values), want)
    np.testing.assert_array_equal(conversions(kind)(label("to_float_rn", DOUBLE, FLOAT), values), want)


def round_half_away(values: np.ndarray) -> np.ndarray:
    whole: np.ndarray = np.trunc(values)
    with np.errstate(invalid="ignore"):
        whole += np.copysign(np.abs(values - whole) >= 0.5, values)
    return whole


ROUNDING: dict[str, Callable[[np.ndarray], np.ndarray]] = {
    "to_int_rn": np.rint, "to_int_rz": np.trunc, "to_int_rd": np.floor, "to_int_ru": np.ceil, "lrint": np.rint,
    "lround": round_half_away,
}  # fmt: skip


@pytest.mark.parametrize("op", ROUNDING)
@float_types
@all_kinds
def test_float_to_integer_with_rounding_mode(op: str, source: Scalar, kind: Kind) -> None:
    values = floats(source)
    for to in WIDE:
        want = expect(lambda v, to=to: saturate(v, to), to, ROUNDING[op](values.astype(np.float64)))
        np.testing.assert_array_equal(conversions(kind)(label(op, source, to), values), want)


@pytest.mark.parametrize("source", [*WIDE, DOUBLE], ids=label)
@all_kinds
def test_to_float_towards_zero(source: Scalar, kind: Kind) -> None:
    if source == DOUBLE:
        values = np.concatenate([floats(DOUBLE), floats(DOUBLE) * 1e-60, [3.4028235e38, 3.5e38, 1e300, 1e-46, 1e-300]])
    else:
        values = np.concatenate([np.array(edges(source), dtype(source)), random_integers(source, 3000)])
    with np.errstate(over="ignore"):
        nearest = values.astype(np.float32)
    want = []
    for value, near in zip(values.tolist(), nearest, strict=True):
        too_far = np.isfinite(value) and abs(float(near)) > abs(value)
        want.append(np.nextafter(near, np.float32(0)) if too_far else near)
    np.testing.assert_array_equal(conversions(kind)(label("to_float_rz", source), values), np.array(want, np.float32))


@all_kinds
def test_bit_casts(kind: Kind) -> None:
    values = floats(DOUBLE)
    raw = values.view(np.int64)
    high, low = (conversions(kind)(name, values) for name in ("double2hiint", "double2loint"))
    np.testing.assert_array_equal(high, (raw >> 32).astype(np.int32))
    np.testing.assert_array_equal(low, raw.astype(np.int32))
    np.testing.assert_array_equal(conversions(kind)("hiloint2double", high, low).view(np.int64), raw)
    np.testing.assert_array_equal(conversions(kind)("longlong_as_double", raw).view(np.int64), raw)
    single = floats(FLOAT)
    np.testing.assert_array_equal(conversions(kind)("float_as_int", single), single.view(np.int32))


# ------------------------------------------------------------------------------------- integer functions


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


def funnel(low: int, high: int) -> int:
    return bits(high, 32) << 32 | bits(low, 32)


def picked_byte(x: int, y: int, selector: int, i: int) -> int:
    return (bytes_of(x, False) + bytes_of(y, False))[selector >> 4 * i & 7] << 8 * i


# op, parameter types, result, what it computes
IntegerCase = tuple[str, tuple[Scalar, ...], Scalar, Callable[..., int]]
INTEGER_CASES: list[IntegerCase] = [
    *[("clz", (s,), INT, lambda x, w=s.bits: w - bits(x, w).bit_length()) for s in (INT, LONGLONG)],
    *[("popc", (s,), INT, lambda x: x.bit_count()) for s in (UINT, ULONGLONG)],
    *[("ffs", (s,), INT, lambda x: (x & -x).bit_length()) for s in (INT, LONGLONG)],
    *[("brev", (s,), s, lambda x, w=s.bits: reverse(x, w)) for s in (UINT, ULONGLONG)],
    *[("mulhi", (s, s), s, lambda x, y, w=s.bits: x * y >> w) for s in WIDE],
    *[("mul24", (s, s), s, lambda x, y, s=s: wrap(low_24(x, s) * low_24(y, s), s)) for s in (INT, UINT)],
    *[("sad", (s, s, UINT), UINT, lambda x, y, z: bits(abs(x - y) + z, 32)) for s in (INT, UINT)],
    *[("hadd", (s, s), s, lambda x, y: (x + y) >> 1) for s in (INT, UINT)],
    *[("rhadd", (s, s), s, lambda x, y: (x + y + 1) >> 1) for s in (INT, UINT)],
    *[("min", (s, s), s, min) for s in WIDE],
    *[("max", (s, s), s, max) for s in WIDE],
    *[("abs", (s,), s, lambda x, s=s: wrap(abs(x), s)) for s in (INT, LONGLONG)],
    *[
        ("dp4a", (s,) * 3, s, lambda x, y, z, s=s: wrap(z + dot(bytes_of(x, s.signed), bytes_of(y, s.signed)), s))
        for s in (INT, UINT)
    ],
    ("funnelshift_l", (UINT,) * 3, UINT, lambda x, y, n: bits(funnel(x, y) << n % 32 >> 32, 32)),
    ("funnelshift_lc", (UINT,) * 3, UINT, lambda x, y, n: bits(funnel(x, y) << min(n, 32) >> 32, 32)),
    ("funnelshift_r", (UINT,) * 3, UINT, lambda x, y, n: bits(funnel(x, y) >> n % 32, 32)),
    ("funnelshift_rc", (UINT,) * 3, UINT, lambda x, y, n: bits(funnel(x, y) >> min(n, 32), 32)),
    ("byte_perm", (UINT,) * 3, UINT, lambda x, y, s: sum(picked_byte(x, y, s, i) for i in range(4))),
]


@cache
def integer_builtins(kind: Kind) -> Compiled:
    cases = {
        label(op, params[0]): Case(
            params, [result], lambda b, mask, *args, op=op, p=params: [integers.integer_op(b, op, p, list(args))]
        )
        for op, params, result, _ in INTEGER_CASES
    }
    return Compiled(cases, Options(target=TARGETS[kind[0]]), uniform=kind[1])


@pytest.mark.parametrize("case", INTEGER_CASES, ids=lambda case: label(case[0], case[1][0]))
@all_kinds
def test_integer_builtin(case: IntegerCase, kind: Kind) -> None:
    op, params, result, meaning = case
    args = [arg[-6000:] for arg in pairs(params[0])[: len(params)]]
    if len(params) == 3:
        third = np.concatenate([np.arange(70), random_integers(params[2], len(args[0]), 5)])[: len(args[0])]
        args.append(third.astype(dtype(params[2])))
    name = label(op, params[0])
    np.testing.assert_array_equal(integer_builtins(kind)(name, *args), expect(meaning, result, *args))
    assert kind[1] or "callq" not in integer_builtins(kind).mnemonics(name)


def test_every_integer_and_conversion_builtin_is_covered() -> None:
    assert {case[0] for case in INTEGER_CASES} == integers.INTEGER_OPS
    assert {row.op for rows in BUILTINS.values() for row in rows} >= integers.INTEGER_OPS | integers.CONVERSION_OPS
