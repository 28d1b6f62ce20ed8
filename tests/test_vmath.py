"""Math functions: error bounds, special cases, masks, and that vectors stay vectors.

The bounds are the CUDA C++ Programming Guide's, "Mathematical Functions" (CUDA 13): the greatest distance between
the result and the correctly rounded one, in units in the last place.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache

import numpy as np
import pytest
from llvmlite import ir
from long_double import reference, ulp_difference
from vector_jit import KINDS, RUNNABLE, TARGETS, Case, Compiled, Kind, all_kinds, dtype, of_kinds, vectors_only

from simt2simd.interp.math import MATH
from simt2simd.lang.builtins import BUILTINS, Builtin
from simt2simd.lang.ctype import BOOL, DOUBLE, FLOAT, INT, LONG, VOID, Pointer, Scalar
from simt2simd.options import Options
from simt2simd.python.kernel import RawKernel
from simt2simd.simd.builder import const
from simt2simd.target import native
from simt2simd.vmath import dispatch

# op: bound for float, bound for double
BOUNDS = {
    "exp": (1, 1), "exp2": (2, 1), "exp10": (2, 1), "expm1": (1, 1),
    "log": (1, 1), "log2": (1, 1), "log10": (2, 1), "log1p": (1, 1), "pow": (4, 2),
    "sin": (2, 2), "cos": (2, 2), "tan": (4, 2), "asin": (2, 2), "acos": (2, 2), "atan": (2, 2), "atan2": (3, 2),
    "sinpi": (1, 2), "cospi": (1, 2),
    "sinh": (3, 2), "cosh": (2, 1), "tanh": (2, 1), "asinh": (3, 3), "acosh": (4, 3), "atanh": (3, 2),
    "rsqrt": (2, 1), "cbrt": (1, 1), "rcbrt": (1, 1), "hypot": (3, 2), "rhypot": (2, 1),
    "norm3d": (3, 2), "norm4d": (3, 2), "rnorm3d": (2, 1), "rnorm4d": (2, 1),
    "erf": (2, 2), "erfc": (4, 5), "erfinv": (2, 5), "erfcinv": (4, 6), "erfcx": (4, 4),
    "normcdf": (5, 5), "normcdfinv": (5, 8), "tgamma": (5, 10),
    "lgamma": (6, 4),  # outside [-10.001, -2.264] (float) and [-23.0001, -2.2637] (double)
    "j0": (9, 7), "j1": (9, 7), "y0": (9, 7), "y1": (9, 7),  # for |x| < 8
}  # fmt: skip
# Near their zeros glibc's Bessel functions of double exceed those bounds; there the absolute error counts.
BESSEL_ABSOLUTE = 1e-16

LIBM_PER_LANE = {"lgamma", "tgamma", "j0", "j1", "jn", "y0", "y1", "yn"}
NATIVE = (native().name, False)


def options(kind: Kind, fast_math: bool = False) -> Options:
    return Options(target=TARGETS[kind[0]], fast_math=fast_math)


def number_of_args(op: str) -> int:
    return next(len(rows[0].params) for name, rows in BUILTINS.items() if rows[0].op == op and name == op)


def case(op: str, params: tuple[Scalar, ...], results: tuple[Scalar, ...], opts: Options) -> Case:
    def build(b: ir.IRBuilder, mask: ir.Value | None, *args: ir.Value) -> list[ir.Value]:
        return dispatch.builtin(b, op, params, results[0], list(args), mask, opts)

    return Case(params, results, build)


# ----------------------------------------------------------------------------------------------- inputs

EDGES = [0.0, -0.0, 1e-45, -1e-45, 5e-324, 1e-40, -1e-310, 0.5, -0.5, 1, -1, 1.5, 2, 3, -3, 1e10, 1e30, -1e30, 1e300,
         np.inf, -np.inf, np.nan]  # fmt: skip
COUNT = 3000


def powers(rng: np.random.Generator, low: float, high: float, signed: bool = True) -> np.ndarray:
    x = np.exp2(rng.uniform(low, high, COUNT))
    return x * rng.choice([-1, 1], COUNT) if signed else x


def samples(op: str, scalar: Scalar) -> list[np.ndarray]:
    """Arguments over the function's domain, dense where it is hard, with the edge cases at the end."""
    rng = np.random.default_rng(sum(map(ord, op)) + scalar.bits)
    single = scalar == FLOAT
    small, big = (-149, 127) if single else (-1074, 1023)
    top, bottom = (88.8, -104) if single else (709.9, -746)

    def between(low: float, high: float) -> np.ndarray:
        return rng.uniform(low, high, COUNT)

    def everywhere(signed: bool = True) -> np.ndarray:
        return powers(rng, small, big, signed)

    def near(centre: float) -> np.ndarray:
        return centre + powers(rng, -24 if single else -53, -2)

    match op:
        case "exp" | "exp2" | "exp10" | "expm1":
            scale = {"exp2": 1.443, "exp10": 0.4343}.get(op, 1.0)
            columns = [[between(bottom * scale, top * scale), between(-2, 2), powers(rng, -40, 1)]]
        case "log" | "log2" | "log10":
            columns = [[everywhere(False), between(0.3, 3), near(1)]]
        case "log1p":
            columns = [[everywhere(False), between(-1, 2), powers(rng, -60, 0)]]
        case "sin" | "cos" | "tan":
            multiples = rng.integers(1, 10000, COUNT) * (np.pi / 2)
            columns = [[between(-10, 10), between(-1e5, 1e5), everywhere(), multiples]]
        case "sinpi" | "cospi":
            columns = [[between(-10, 10), everywhere(), rng.integers(-20, 20, COUNT) / 2 + powers(rng, -40, -2)]]
        case "asin" | "acos" | "atanh" | "erfinv":
            columns = [[between(-1, 1), powers(rng, -60, 0), 1 - powers(rng, -24 if single else -53, 0, False)]]
        case "sinh" | "cosh" | "tanh":
            columns = [[between(-top, top), between(-2, 2), powers(rng, -30, 3)]]
        case "acosh":
            columns = [[1 + powers(rng, -20, 20, False), powers(rng, 0, big, False)]]
        case "erf" | "erfc":
            columns = [[between(-5, 10 if single else 26), powers(rng, -60, 2)]]
        case "erfcinv":
            columns = [[between(0, 2), powers(rng, small, 0, False)]]
        case "normcdfinv":
            columns = [[between(0, 1), powers(rng, small, -1, False)]]
        case "normcdf":
            columns = [[between(-14 if single else -37.5, 9)[:600], powers(rng, -30, 2)[:200]]]
        case "erfcx":
            columns = [[between(-9 if single else -26, 30)[:600], powers(rng, -30, big)[:200]]]
        case "tgamma":
            columns = [[between(-10, 34), between(0, 3)]]
        case "lgamma":
            columns = [[between(-2.2, 10), between(0, 100), everywhere(False)]]
        case "j0" | "j1":
            columns = [[between(-8, 8)]]
        case "y0" | "y1":
            columns = [[between(0, 8)]]
        case "rsqrt":
            columns = [[everywhere(False)]]
        case "pow":
            columns = [
                [between(0, 10), powers(rng, -10, 10, False), near(1), everywhere(False)],
                [between(-30, 30), between(-10, 10), between(-2000, 2000), between(-2, 2)],
            ]
        case _:
            columns = [[between(-3, 3), everywhere()] for _ in range(number_of_args(op))]
    with np.errstate(all="ignore"):
        edges = np.array(EDGES).astype(dtype(scalar))
        if len(columns) == 2:
            corner = [part.ravel() for part in np.meshgrid(edges, edges)]
        else:
            corner = [rng.permutation(edges) if len(columns) > 2 else edges for _ in columns]
        return [
            np.concatenate([*(part.astype(dtype(scalar)) for part in c), e])
            for c, e in zip(columns, corner, strict=True)
        ]


# ------------------------------------------------------------------------------------------- error bounds


@cache
def functions(kind: Kind, scalar: Scalar) -> Compiled:
    cases = {op: case(op, (scalar,) * number_of_args(op), (scalar,), options(kind)) for op in BOUNDS}
    cases["sincos"] = case("sincos", (scalar,), (scalar, scalar), options(kind))
    cases["sincospi"] = case("sincospi", (scalar,), (scalar, scalar), options(kind))
    return Compiled(cases, options(kind), uniform=kind[1])


@cache
def expected(op: str, scalar: Scalar) -> tuple[list[np.ndarray], np.ndarray]:
    args = samples(op, scalar)
    return args, reference(op, *args)


def worst(args: list[np.ndarray], got: np.ndarray, want: np.ndarray) -> tuple[float, str]:
    distance = ulp_difference(got, want)
    i = int(np.argmax(distance))
    return distance[i], f"{[float(arg[i]) for arg in args]}: got {got[i]!r}, expected {want[i]!r}"


@pytest.mark.parametrize("op", BOUNDS)
@pytest.mark.parametrize("scalar", [FLOAT, DOUBLE], ids=str)
@all_kinds
def test_error_is_within_the_guides_bound(op: str, scalar: Scalar, kind: Kind) -> None:
    args, want = expected(op, scalar)
    got = functions(kind, scalar)(op, *args)
    if op in ("j0", "j1", "y0", "y1"):
        inside = np.abs(args[0]) < 8
        args, got, want = [args[0][inside]], got[inside], want[inside]
        if scalar == DOUBLE:
            with np.errstate(all="ignore"):
                got = np.where(np.abs(got - want) < BESSEL_ABSOLUTE, want.astype(np.float64), got)
    bound = BOUNDS[op][scalar == DOUBLE]
    distance, where = worst(args, got, want)
    assert distance <= bound, where
    nonzero = (want != 0) | (got != 0)
    assert (nonzero | (np.signbit(got) == np.signbit(want))).all(), "the sign of a zero"


@pytest.mark.parametrize("scalar", [FLOAT, DOUBLE], ids=str)
@all_kinds
@pytest.mark.parametrize(
    "op, parts, bounds", [("sincos", ("sin", "cos"), (2, 2)), ("sincospi", ("sinpi", "cospi"), (1, 2))]
)
def test_sincos_gives_sine_then_cosine(
    op: str, parts: tuple[str, str], bounds: tuple[int, int], scalar: Scalar, kind: Kind
) -> None:
    for i, part in enumerate(parts):
        args, want = expected(part, scalar)
        got = functions(kind, scalar).call(op, *args)[i]
        distance, where = worst(args, got, want)
        assert distance <= bounds[scalar == DOUBLE], where


def test_pow_has_cs_special_cases() -> None:
    values = [-np.inf, -3.0, -2.5, -1.0, -0.5, -0.0, 0.0, 0.5, 1.0, 2.0, 3.0, 1e9, 16777217.0, np.inf, np.nan]
    x, y = (part.ravel() for part in np.meshgrid(values, values))
    for scalar in (FLOAT, DOUBLE):
        for kind in RUNNABLE:
            with np.errstate(all="ignore"):
                args = [x.astype(dtype(scalar)), y.astype(dtype(scalar))]
                want = np.power(args[0].astype(np.float64), args[1].astype(np.float64))
                want = want.astype(dtype(scalar))
            got = functions(kind, scalar)("pow", *args)
            np.testing.assert_allclose(got, want, rtol=1e-6)
            assert (np.isnan(want) | (np.signbit(got) == np.signbit(want))).all()


def test_pow_of_float_is_within_1_1_units_of_the_exact_power() -> None:
    """Where results are finite, up to the ends of the range; near 1 too, where the exponent multiplies most."""
    rng = np.random.default_rng(29)
    count = 100_000
    sizes = rng.integers(1, 0x7F800000, count).astype(np.uint32).view(np.float32)
    near = (1 + rng.choice([-1, 1], count) * np.exp2(rng.uniform(-23, -1.5, count))).astype(np.float32)
    x = np.concatenate([sizes, near, near, -rng.integers(1, 1000, count).astype(np.float32)])
    log2 = np.log2(np.abs(x).astype(np.float64))
    log2[log2 == 0] = 1
    ends = np.where(rng.random(count) < 0.5, rng.uniform(126, 128, count), rng.uniform(-146, -126, count))
    powers = [*rng.uniform(-149, 128, (2, count)), ends]
    y = np.concatenate([np.concatenate(powers) / log2[: 3 * count], rng.integers(-14, 14, count)]).astype(np.float32)
    want = np.power(x.astype(np.float64), y.astype(np.float64))
    inside = (np.abs(want) < 3.4028e38) & (np.abs(want) > 2.0**-149)
    got = functions(NATIVE, FLOAT)("pow", x, y)
    unit = np.exp2(np.maximum(np.frexp(want)[1] - 24, -149))
    assert (np.abs(got - want)[inside] <= 1.1 * unit[inside]).all()
    assert inside.mean() > 0.9


def test_pow_of_small_whole_floats_is_exact() -> None:
    x, y = (part.ravel().astype(np.float32) for part in np.meshgrid(np.arange(-64, 65), np.arange(13)))
    want = np.power(x.astype(np.float64), y)
    exact = np.abs(want) <= 2**24
    got = functions(NATIVE, FLOAT)("pow", x, y)
    np.testing.assert_array_equal(got[exact], want[exact])


@pytest.mark.parametrize("exponent", [1.0, 2.0, 3.0, 4.0, -1.0, 0.5, -0.5, 1.5, 0.0])
@pytest.mark.parametrize("scalar", [FLOAT, DOUBLE], ids=str)
@all_kinds
def test_pow_with_constant_exponent_keeps_bound_and_special_cases(exponent: float, scalar: Scalar, kind: Kind) -> None:
    def build(b: ir.IRBuilder, mask: ir.Value | None, x: ir.Value) -> list[ir.Value]:
        return dispatch.builtin(b, "pow", (scalar, scalar), scalar, [x, const(x.type, exponent)], mask, options(kind))

    compiled = Compiled({"f": Case([scalar], [scalar], build)}, options(kind), uniform=kind[1])
    x = exact_samples(scalar)[0]
    want = reference("pow", x, np.full_like(x, exponent))
    got = compiled("f", x)
    assert ulp_difference(got, want).max() <= BOUNDS["pow"][scalar == DOUBLE]
    assert (np.isnan(want) | (np.signbit(got) == np.signbit(want))).all()
    if exponent == 2.0:
        assert "callq" not in compiled.mnemonics("f")


# --------------------------------------------------------------------------------------- exact functions


def by_numpy(function: Callable[..., np.ndarray]) -> Callable[..., np.ndarray]:
    def compute(*args: np.ndarray) -> np.ndarray:
        with np.errstate(all="ignore"):
            return function(*args)

    return compute


def round_half_away(x: np.ndarray) -> np.ndarray:
    whole: np.ndarray = np.trunc(x)
    return np.where(np.abs(x - whole) >= 0.5, whole + np.copysign(1, x).astype(x.dtype), whole)


EXACT: dict[str, Callable[..., np.ndarray]] = {
    "ceil": np.ceil, "floor": np.floor, "trunc": np.trunc, "rint": np.rint, "nearbyint": np.rint,
    "round": round_half_away, "fabs": np.abs, "copysign": np.copysign, "sqrt": np.sqrt, "nextafter": np.nextafter,
    "fmax": np.fmax, "fmin": np.fmin,
    "fdim": lambda x, y: np.where(np.isnan(x) | np.isnan(y), x + y, np.where(x > y, x - y, 0)),
    "isnan": np.isnan, "isinf": np.isinf, "isfinite": np.isfinite, "signbit": np.signbit,
    "isnormal": lambda x: np.isfinite(x) & (np.abs(x) >= np.finfo(x.dtype).tiny),
    "fpclassify": lambda x: np.select(
        [np.isnan(x), np.isinf(x), x == 0, np.abs(x) < np.finfo(x.dtype).tiny], [0, 1, 2, 3], 4
    ),
    "isgreater": np.greater, "isgreaterequal": np.greater_equal, "isless": np.less, "islessequal": np.less_equal,
    "islessgreater": lambda x, y: (x < y) | (x > y), "isunordered": lambda x, y: np.isnan(x) | np.isnan(y),
    "logb": lambda x: np.where(np.isinf(x), np.inf, np.where(x == 0, -np.inf, np.frexp(x)[1] - 1.0 + 0 * x)),
    "add_rn": np.add, "sub_rn": np.subtract, "mul_rn": np.multiply, "div_rn": np.divide, "rcp_rn": np.reciprocal,
    "fdivide": np.divide,
}  # fmt: skip


def exact_samples(scalar: Scalar) -> list[np.ndarray]:
    rng = np.random.default_rng(7)
    small, big = (-149, 127) if scalar == FLOAT else (-1074, 1023)
    columns = []
    with np.errstate(all="ignore"):
        edges = np.array([*EDGES, 2.5, -2.5, 3.5, 0.49999997, 8388607.5, 4503599627370495.5]).astype(dtype(scalar))
        corners = [part.ravel() for part in np.meshgrid(edges, edges)]
        for corner in corners:
            spread = [powers(rng, small, big), rng.uniform(-100, 100, COUNT), rng.integers(-50, 50, COUNT) / 2]
            columns.append(np.concatenate([*spread, corner]).astype(dtype(scalar)))
    return columns


@cache
def exact_functions(kind: Kind, scalar: Scalar) -> Compiled:
    opts = options(kind)
    cases = {}
    for op in EXACT:
        row = next(row for rows in BUILTINS.values() for row in rows if row.op == op)
        result = row.result if row.result in (BOOL, INT) else scalar
        cases[op] = case(op, (scalar,) * len(row.params), (result,), opts)
    cases |= {
        "fmod": case("fmod", (scalar,) * 2, (scalar,), opts),
        "remainder": case("remainder", (scalar,) * 2, (scalar,), opts),
        "remquo": case("remquo", (scalar,) * 2, (scalar, INT), opts),
        "frexp": case("frexp", (scalar,), (scalar, INT), opts),
        "modf": case("modf", (scalar,), (scalar, scalar), opts),
        "ilogb": case("ilogb", (scalar,), (INT,), opts),
        "ldexp": case("ldexp", (scalar, INT), (scalar,), opts),
        "scalbln": case("ldexp", (scalar, LONG), (scalar,), opts),
        "fma": case("fma", (scalar,) * 3, (scalar,), opts),
        "saturate": case("saturate", (scalar,), (scalar,), opts),
    }
    if scalar == FLOAT:
        cases["frsqrt_rn"] = case("frsqrt_rn", (scalar,), (scalar,), opts)
    return Compiled(cases, opts, uniform=kind[1])


both = pytest.mark.parametrize("scalar", [FLOAT, DOUBLE], ids=str)


@pytest.mark.parametrize("op", EXACT)
@both
@all_kinds
def test_exact_function(op: str, scalar: Scalar, kind: Kind) -> None:
    compiled = exact_functions(kind, scalar)
    args = exact_samples(scalar)[: len(compiled.cases[op].params)]
    want = by_numpy(EXACT[op])(*args)
    np.testing.assert_array_equal(compiled(op, *args), want.astype(dtype(compiled.cases[op].results[0])))


@both
@all_kinds
def test_remainders_are_exact(scalar: Scalar, kind: Kind) -> None:
    rng = np.random.default_rng(11)
    compiled = exact_functions(kind, scalar)
    x, y = exact_samples(scalar)
    ties = [rng.integers(-40, 40, COUNT) / 2, rng.integers(1, 5, COUNT).astype(float)]
    x, y = np.concatenate([x, ties[0].astype(x.dtype)]), np.concatenate([y, ties[1].astype(x.dtype)])
    for op in ("fmod", "remainder"):
        want = reference(op, x, y).astype(x.dtype)
        got = compiled(op, x, y)
        np.testing.assert_array_equal(got, want)
        assert (np.isnan(want) | (np.signbit(got) == np.signbit(want))).all()
    rest, quotient = compiled.call("remquo", x, y)
    np.testing.assert_array_equal(rest, reference("remainder", x, y).astype(x.dtype))
    plain = np.isfinite(x) & np.isfinite(y) & (y != 0)
    plain &= np.abs(x.astype(np.longdouble) / np.where(plain, y, 1)) < 2.0**40
    whole = ((x.astype(np.longdouble) - rest) / np.where(plain, y, 1))[plain]
    whole = np.rint(whole).astype(np.int64)
    np.testing.assert_array_equal(quotient[plain], np.sign(whole) * (np.abs(whole) & 7))


@both
@all_kinds
def test_fractions_and_exponents(scalar: Scalar, kind: Kind) -> None:
    compiled = exact_functions(kind, scalar)
    x = exact_samples(scalar)[0]
    fraction, exponent = compiled.call("frexp", x)
    with np.errstate(all="ignore"):
        want = np.frexp(x)
    np.testing.assert_array_equal(fraction, want[0])
    np.testing.assert_array_equal(exponent, np.where(np.isfinite(x), want[1], 0))
    fraction, whole = compiled.call("modf", x)
    with np.errstate(all="ignore"):
        want = np.modf(x)
    np.testing.assert_array_equal(fraction, want[0])
    np.testing.assert_array_equal(whole, want[1])
    assert (np.signbit(fraction) == np.signbit(x)).all() or np.isnan(x).any()
    ordinary = np.isfinite(x) & (x != 0)
    logs = compiled("ilogb", x)
    np.testing.assert_array_equal(logs[ordinary], np.frexp(x[ordinary])[1] - 1)
    assert set(logs[np.isinf(x)]) == {2**31 - 1} and set(logs[(x == 0) | np.isnan(x)]) == {-(2**31)}


@both
@all_kinds
def test_ldexp_rounds_once(scalar: Scalar, kind: Kind) -> None:
    rng = np.random.default_rng(12)
    compiled = exact_functions(kind, scalar)
    x = exact_samples(scalar)[0]
    spread = 300 if scalar == FLOAT else 2200
    n = rng.integers(-spread, spread, len(x)).astype(np.int32)
    n[:20] = [2**31 - 1, -(2**31)] * 10
    with np.errstate(all="ignore"):
        want = np.ldexp(x, n)
        far = np.ldexp(x, np.sign(n) * 10000)
    np.testing.assert_array_equal(compiled("ldexp", x, n), want)
    np.testing.assert_array_equal(compiled("scalbln", x, n.astype(np.int64) << 20), far)


@both
@all_kinds
def test_fma_rounds_once_and_saturate_clamps(scalar: Scalar, kind: Kind) -> None:
    rng = np.random.default_rng(13)
    compiled = exact_functions(kind, scalar)
    x, y = (rng.normal(size=2000).astype(dtype(scalar)) for _ in range(2))
    z = (-x.astype(np.longdouble) * y).astype(dtype(scalar))  # what is left is the rounding error of x * y
    exact = x.astype(np.longdouble) * y + z if scalar == FLOAT else reference("fma", x, y, z)
    np.testing.assert_array_equal(compiled("fma", x, y, z), exact.astype(dtype(scalar)))
    values = np.array([-np.inf, -1, -0.0, 0.25, 1, 2, np.inf, np.nan], dtype(scalar))
    assert compiled("saturate", values).tolist() == [0, 0, 0, 0.25, 1, 1, 1, 0]


def test_frsqrt_rn_is_correctly_rounded() -> None:
    x = np.abs(exact_samples(FLOAT)[0])
    got = exact_functions(NATIVE, FLOAT)("frsqrt_rn", x)
    assert ulp_difference(got, reference("rsqrt", x)).max() == 0


# -------------------------------------------------------------------------------------------- fast versions


def test_fast_functions_keep_the_guides_bounds() -> None:
    """`__expf`: 2 + floor(1.173 |x|) and so on; and --use_fast_math means them."""
    for kind in RUNNABLE:
        opts = options(kind, fast_math=True)
        names = {
            f"fast_{op}": f"fast_{op}"
            for op in ("exp", "exp10", "log", "log2", "log10", "sin", "cos", "tan", "pow", "div")
        }
        cases = {
            name: case(op, (FLOAT,) * (2 if op in ("fast_pow", "fast_div") else 1), (FLOAT,), opts)
            for name, op in names.items()
        }
        cases["exp"] = case("exp", (FLOAT,), (FLOAT,), opts)
        compiled = Compiled(cases, opts, uniform=kind[1])
        rng = np.random.default_rng(17)
        x = rng.uniform(-80, 80, 4000).astype(np.float32)
        for name in ("fast_exp", "exp"):
            distance = ulp_difference(compiled(name, x), reference("exp", x))
            assert (distance <= 2 + np.floor(np.abs(1.173 * x))).all()
        distance = ulp_difference(compiled("fast_exp10", x / 2.4), reference("exp10", x / np.float32(2.4)))
        assert (distance <= 2 + np.floor(np.abs(2.97 * x / 2.4))).all()
        positive = np.exp2(rng.uniform(-120, 120, 4000)).astype(np.float32)
        for op in ("log", "log2", "log10"):
            assert ulp_difference(compiled(f"fast_{op}", positive), reference(op, positive)).max() <= 2
        angle = rng.uniform(-np.pi, np.pi, 4000).astype(np.float32)
        for op in ("sin", "cos"):
            assert np.abs(compiled(f"fast_{op}", angle) - reference(op, angle)).max() < 2.0**-21.41
        np.testing.assert_allclose(compiled("fast_tan", angle), np.tan(angle.astype(float)), rtol=1e-6)
        base, exponent = rng.uniform(0.1, 10, 4000).astype(np.float32), rng.uniform(-5, 5, 4000).astype(np.float32)
        np.testing.assert_allclose(compiled("fast_pow", base, exponent), base.astype(float) ** exponent, rtol=2e-6)
        divisor = np.exp2(rng.uniform(-126, 126, 4000)).astype(np.float32)
        with np.errstate(over="ignore", under="ignore"):
            quotient = base / divisor
        normal = np.abs(quotient) > 1e-37
        assert ulp_difference(compiled("fast_div", base, divisor), quotient.astype(np.longdouble))[normal].max() <= 2
        ends = compiled("fast_div", np.ones(5, np.float32), np.array([0, -0.0, 1e-45, np.inf, np.nan], np.float32))
        np.testing.assert_array_equal(ends, np.array([np.inf, -np.inf, np.inf, 0, np.nan], np.float32))
        special = np.array([np.inf, -np.inf, np.nan, 1e30, -1e30, 0], np.float32)
        np.testing.assert_array_equal(
            compiled("fast_exp", special), np.array([np.inf, 0, np.nan, np.inf, 0, 1], np.float32)
        )


# -------------------------------------------------------------------------------------------------- masks


@both
@vectors_only
def test_lanes_that_are_off_do_not_matter(scalar: Scalar, kind: Kind) -> None:
    """With garbage in the lanes that are off, the others give what they give alone, bit for bit."""
    cases = {op: functions(kind, scalar).cases[op] for op in BOUNDS}
    cases |= {op: exact_functions(kind, scalar).cases[op] for op in ("fmod", "remainder", "ldexp")}
    masked = Compiled(cases, options(kind), masked=True)
    rng = np.random.default_rng(19)
    on = rng.random(320) < 0.5
    garbage = np.resize(np.array(EDGES), 320)
    for op, case_ in cases.items():
        args = []
        for param in case_.params:
            with np.errstate(all="ignore"):
                clean = rng.uniform(1.1, 1.9, 320) - (op in ("asin", "acos", "atanh", "erfinv", "normcdfinv"))
                noise = garbage if param == scalar else rng.integers(-(2**31), 2**31 - 1, 320)
                args.append(np.where(on, clean, noise).astype(dtype(param)))
        alone = (functions if op in BOUNDS else exact_functions)(kind, scalar)(op, *args)
        np.testing.assert_array_equal(masked(op, *args, mask=on), np.where(on, alone, 0), err_msg=op)


@both
@of_kinds(TARGETS, executed=False)
def test_vectors_call_no_scalar_library_function(scalar: Scalar, kind: Kind) -> None:
    """Only the functions that have no vector version anywhere, and huge arguments of double, go lane by lane."""
    compiled = functions(kind, scalar)
    declared = set(re.findall(r"^declare .* @([\w.]+)\(", compiled.ir_text, re.MULTILINE))
    scalar_names = {name for name in declared if not name.startswith(("llvm.", "_ZGV"))}
    allowed = LIBM_PER_LANE | ({"sin", "cos", "tan"} if scalar == DOUBLE else set())
    assert scalar_names <= allowed, scalar_names - allowed
    newest = {
        "_ZGVeN16v_",
        "_ZGVeN8v_",
        "_ZGVdN8v_",
        "_ZGVdN4v_",
        "_ZGVeN16vv_",
        "_ZGVeN8vv_",
        "_ZGVdN8vv_",
        "_ZGVdN4vv_",
    }
    assert all(any(name.startswith(prefix) for prefix in newest) for name in declared if name.startswith("_ZGV"))


HOT = ("exp", "exp2", "exp10", "log", "log2", "log10", "rsqrt", "asin", "sinpi")


@pytest.mark.parametrize("op", HOT)
def test_hot_functions_are_inline_vector_code(op: str) -> None:
    used = functions(KINDS["avx512"], FLOAT).mnemonics(op)
    assert "callq" not in used
    assert not [m for m in used if re.fullmatch(r"v?(add|mul|fmadd\d+|sqrt|div)ss", m)]


def test_pow_of_float_computes_in_float() -> None:
    used = functions(KINDS["avx512"], FLOAT).mnemonics("pow")
    assert not [m for m in used if m.endswith(("pd", "sd")) or m.startswith("call")]


def test_rsqrt_is_six_instructions_under_any_mask() -> None:
    """The estimate, four of the Newton step and the repair of 0 and infinity; a load and a store beside."""
    opts = options(KINDS["avx512"])
    compiled = Compiled({"rsqrt": case("rsqrt", (FLOAT,), (FLOAT,), opts)}, opts)
    assert len(compiled.vectors_in_loop("rsqrt")) == 6 + 2
    masked = Compiled(compiled.cases, opts, masked=True)
    assert "vblendmps" not in masked.vectors_in_loop("rsqrt")


# -------------------------------------------------------------------------------------------- completeness


def all_rows() -> list[Builtin]:
    rows = {(row.op, row.params, row.result): row for rows in BUILTINS.values() for row in rows}
    no_number = ("barrier", "grid_barrier", "fence", "trap", "make")
    return [r for r in rows.values() if r.op not in no_number and not (r.atomic or r.service or r.waits or r.of_warp)]


@pytest.mark.parametrize(
    "kind, fast_math", [*((kind, False) for kind in KINDS.values()), (KINDS["avx512"], True)], ids=[*KINDS, "fast_math"]
)
def test_every_builtin_has_code(kind: Kind, fast_math: bool) -> None:
    """Results have the right types, on vectors under a mask and on scalars."""
    cases = {}
    opts = options(kind, fast_math=fast_math)
    for i, row in enumerate(all_rows()):
        params = tuple(param for param in row.params if isinstance(param, Scalar))
        stored = [param.target for param in row.params if isinstance(param, Pointer)]
        results = [type_ for type_ in (row.result, *stored) if isinstance(type_, Scalar) and type_ != VOID]

        def build(b: ir.IRBuilder, mask: ir.Value | None, *args: ir.Value, row: Builtin = row) -> list[ir.Value]:
            return dispatch.builtin(b, row.op, row.params, row.result, list(args), mask, opts)

        cases[f"{row.name}_{i}"] = Case(params, results, build)
    Compiled(cases, opts, uniform=kind[1], masked=not kind[1], optimise=0)


def test_division_and_root_of_the_language() -> None:
    rng = np.random.default_rng(23)
    x, y = (rng.normal(size=4000).astype(np.float32) for _ in range(2))
    opts = options(NATIVE)
    cases = {
        "divide": Case([FLOAT] * 2, [FLOAT], lambda b, mask, x, y: [dispatch.float_divide(b, x, y, opts)]),
        "root": Case([FLOAT], [FLOAT], lambda b, mask, x: [dispatch.float_sqrt(b, x, opts)]),
    }
    compiled = Compiled(cases, opts)
    np.testing.assert_array_equal(compiled("divide", x, y), x / y)
    np.testing.assert_array_equal(compiled("root", np.abs(x)), np.sqrt(np.abs(x)))


ZEROS = """
#define PAIRS(f, x, y) o[0] = f(x, y); o[1] = f(y, x); o[2] = f(x, ZERO); o[3] = f(ZERO, x); o[4] = f(x, -ZERO);
#define FOLDED(f, both) o[5] = f(ZERO, -ZERO); o[6] = f(-ZERO, ZERO); constexpr T both = f(-ZERO, ZERO); o[7] = both;
__global__ void k(const T *a, const T *b, T *out) {
    T x = a[threadIdx.x], y = b[threadIdx.x], *o = out + 16 * threadIdx.x;
    PAIRS(LARGER, x, y) FOLDED(LARGER, larger)
    o += 8;
    PAIRS(SMALLER, x, y) FOLDED(SMALLER, smaller)
}"""


@pytest.mark.parametrize(("ctype", "suffix"), [("float", "f"), ("double", "")])
def test_zeros_of_both_signs_have_an_order(ctype: str, suffix: str) -> None:
    """+0 is larger than -0, also where the compiler knows one or both."""
    dtype = np.float32 if ctype == "float" else np.float64
    macros = {"T": ctype, "ZERO": f"0.0{suffix}", "LARGER": f"fmax{suffix}", "SMALLER": f"fmin{suffix}"}
    text = "".join(f"#define {name} {value}\n" for name, value in macros.items()) + ZEROS
    values = np.array([0.0, -0.0, np.nan, 1.0, -1.0], dtype)
    a, b = (np.ascontiguousarray(one.ravel()) for one in np.meshgrid(values, values))
    out = np.zeros((a.size, 16), dtype)
    RawKernel(text, "k")((1,), (a.size,), (a, b, out))
    for x, y, got in zip(a.tolist(), b.tolist(), out.tolist(), strict=True):
        pairs = [(x, y), (y, x), (x, 0.0), (0.0, x), (x, -0.0), (0.0, -0.0), (-0.0, 0.0), (-0.0, 0.0)]
        want = [MATH[op](*pair) for op in ("fmax", "fmin") for pair in pairs]
        assert list(map(repr, got)) == list(map(repr, want))


def test_powf_by_a_logarithm_has_no_negative_bases() -> None:
    """`__powf(x, y)` is exp2f(y * log2f(x)), also for powers that are products."""
    powers = ("1.0f", "2", "3.0f", "4.0f", "-1.0f", "0.5f", "y[0]")
    code = "__global__ void k(const float *x, const float *y, float *out) { float b = x[threadIdx.x];\n"
    code += "".join(f"out[{i} * 8 + threadIdx.x] = __powf(b, {power});\n" for i, power in enumerate(powers))
    x = np.array([-2.0, -0.0, 0.0, 3.0, -np.inf, np.inf, np.nan, -1e-30], np.float32)
    out = np.zeros((len(powers), x.size), np.float32)
    RawKernel(code + "}", "k")((1,), (x.size,), (x, np.array([2.0], np.float32), out))
    for row, exponent in zip(out, (1.0, 2.0, 3.0, 4.0, -1.0, 0.5, 2.0), strict=True):
        want = [MATH["fast_pow"](base, exponent) for base in x.tolist()]
        np.testing.assert_allclose(row, np.array(want, np.float32), rtol=2e-6)
        assert not np.signbit(row[1:3]).any()
