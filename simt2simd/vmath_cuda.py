"""Math functions that CUDA has and C has not: inverse error functions, the normal distribution, norms, ..."""

from __future__ import annotations

import math
from collections.abc import Callable

from llvmlite import ir

from .irtools import F32, F64, const, element, fma, intrinsic
from .irtools import with_element as like
from .vmath_bits import INFINITY, copysign, fabs, is_nan
from .vmath_call import Site
from .vmath_library import in_double, library, loose, polynomial

# ------------------------------------------------------------------------------ inverse error functions

# erfinv(p) = p * P(w) with w = -log(1 - p * p), for w <= 6.25 (relative error 5e-9) ...
_INVERSE_CENTRE = (
    0.8862269302736959, 0.2320134242798217, 0.011551319342027862, -0.002341321696105002, -0.00011808752226509437,
    3.7370535423067654e-05, 7.326536295434431e-06, -2.934796124117728e-06, 3.865193643943553e-07,
    -2.456869417702669e-08, 6.377618366063223e-10,
)  # fmt: skip
# ... and p * s * Q(1 / s) with s = sqrt(w), for s in [2.5, 27.4], which is all of double (relative error 2e-8).
_INVERSE_TAIL = (
    1.0000752464191502, -0.013477120786846174, -1.5808115685350987, 9.971617448544842, -58.25816556616659,
    254.28098454500716, -471.1669783536119, -2074.79110755779, 18476.858627392285, -64380.32034104532,
    123789.27165163754, -128287.06988918096, 56008.93008290495,
)  # fmt: skip


def _inverse_estimate(site: Site, p: ir.Value, q: ir.Value) -> ir.Value:
    """erfinv(p) to a relative error of 2e-8, from p >= 0 and q = 1 - p, in double."""
    b, type_ = site.b, p.type
    w = b.fneg(library(site, "log", b.fmul(q, b.fadd(const(type_, 1.0), p))))
    centre = polynomial(b, w, _INVERSE_CENTRE)
    s = intrinsic(b, "llvm.sqrt", w)
    tail = b.fmul(s, polynomial(b, b.fdiv(const(type_, 1.0), s), _INVERSE_TAIL))
    return b.fmul(p, b.select(b.fcmp_ordered("<", w, const(type_, 6.25)), centre, tail))


def _inverse(site: Site, p: ir.Value, q: ir.Value) -> ir.Value:
    """erfinv(p) = erfcinv(q) in double, for p >= 0 and q = 1 - p, the smaller of which is exact.

    One step of Halley's method on erf(x) = p, or on erfc(x) = q where q is the smaller. For q below 1e-280, where
    q and erfc(x) are close to denormal, a Newton step on log erfc(x) = log q instead.
    """
    b, type_ = site.b, p.type
    half_root_pi = const(type_, math.sqrt(math.pi) / 2)
    x = _inverse_estimate(site, p, q)
    by_erf = b.fsub(library(site, "erf", x), p)
    by_erfc = b.fsub(q, library(site, "erfc", x))
    error = b.select(b.fcmp_ordered("<", p, const(type_, 0.5)), by_erf, by_erfc)
    square = intrinsic(b, "llvm.minnum", b.fmul(x, x), const(type_, 700.0))
    step = b.fmul(error, b.fmul(half_root_pi, loose(site, "exp", square)))
    halley = b.fsub(x, b.fdiv(step, fma(b, x, step, const(type_, 1.0))))

    scaled = _erfcx_tail(site, x)
    # x^2 - log erfcx(x) + log q = 0, whose derivative is 2 / (sqrt(pi) erfcx(x))
    logs = b.fsub(library(site, "log", q), library(site, "log", scaled))
    newton = fma(b, b.fneg(fma(b, x, x, logs)), b.fmul(half_root_pi, scaled), x)
    refined = b.select(b.fcmp_ordered("<", q, const(type_, 1e-280)), newton, halley)
    at_end = b.select(b.fcmp_ordered("==", q, const(type_, 0.0)), const(type_, INFINITY), refined)
    return b.select(b.fcmp_ordered("==", p, const(type_, 0.0)), p, at_end)


def _erfinv(site: Site, y: ir.Value) -> list[ir.Value]:
    b = site.b

    def compute(value: ir.Value) -> ir.Value:
        p = fabs(b, value)
        q = b.fsub(const(p.type, 1.0), p)
        size = _float_inverse(site, p, q) if element(y.type) == F32 else _inverse(site, p, q)
        return copysign(b, size, value)

    return [in_double(site, compute, y) if element(y.type) == F32 else compute(y)]


def _float_inverse(site: Site, p: ir.Value, q: ir.Value) -> ir.Value:
    b, type_ = site.b, p.type
    estimate = _inverse_estimate(site, p, q)
    return b.select(b.fcmp_ordered("==", q, const(type_, 0.0)), const(type_, INFINITY), estimate)


def _erfcinv_of(site: Site, y: ir.Value, refine: bool) -> ir.Value:
    """erfcinv in double for y in [0, 2]; the sign is that of 1 - y."""
    b, type_ = site.b, y.type
    q = intrinsic(b, "llvm.minnum", y, b.fsub(const(type_, 2.0), y))
    q = b.select(is_nan(b, y), y, q)
    p = b.fsub(const(type_, 1.0), q)
    size = (_inverse if refine else _float_inverse)(site, p, q)
    return b.select(b.fcmp_ordered(">", y, const(type_, 1.0)), b.fneg(size), size)


def _erfcinv(site: Site, y: ir.Value) -> list[ir.Value]:
    if element(y.type) == F32:
        return [in_double(site, lambda wide: _erfcinv_of(site, wide, refine=False), y)]
    return [_erfcinv_of(site, y, refine=True)]


def _normcdfinv(site: Site, p: ir.Value) -> list[ir.Value]:
    """-sqrt(2) erfcinv(2 p)"""
    b = site.b

    def compute(value: ir.Value) -> ir.Value:
        inverse = _erfcinv_of(site, b.fadd(value, value), refine=element(p.type) == F64)
        return b.fmul(const(value.type, -math.sqrt(2)), inverse)

    return [in_double(site, compute, p) if element(p.type) == F32 else compute(p)]


# ------------------------------------------------------------------------- error function with a factor


def _normcdf(site: Site, x: ir.Value) -> list[ir.Value]:
    """erfc(-x / sqrt(2)) / 2, with the rounding error of the argument put right by the derivative."""
    b = site.b
    root, root_low = 0.7071067811865476, -4.833646656726457e-17  # 1 / sqrt(2) in two parts

    def compute(value: ir.Value) -> ir.Value:
        type_ = value.type
        # Beyond 40 the result is 0 or 1; the clamp keeps infinities out of the correction.
        clamped = b.select(
            b.fcmp_ordered(">", fabs(b, value), const(type_, 40.0)), copysign(b, const(type_, 40.0), value), value
        )
        z = b.fmul(clamped, const(type_, -root))
        tail = library(site, "erfc", z)
        if element(x.type) == F64:
            low = fma(b, clamped, const(type_, -root), b.fneg(z))
            low = fma(b, clamped, const(type_, -root_low), low)
            slope = b.fmul(loose(site, "exp", b.fneg(b.fmul(z, z))), const(type_, -2 / math.sqrt(math.pi)))
            tail = fma(b, low, slope, tail)
        return b.fmul(tail, const(type_, 0.5))

    return [in_double(site, compute, x) if element(x.type) == F32 else compute(x)]


def _erfcx_tail(site: Site, x: ir.Value) -> ir.Value:
    """exp(x^2) erfc(x) for x >= 10 in double: the asymptotic series 1/(x sqrt(pi)) (1 - u + 3 u^2 - 15 u^3 ...)."""
    b, type_ = site.b, x.type
    terms = [(-1.0) ** n * math.prod(range(1, 2 * n, 2)) for n in range(14)]
    u = b.fdiv(const(type_, 0.5), b.fmul(x, x))
    return b.fdiv(b.fmul(polynomial(b, u, terms), const(type_, 1 / math.sqrt(math.pi))), x)


def _erfcx(site: Site, x: ir.Value) -> list[ir.Value]:
    b = site.b

    def compute(value: ir.Value) -> ir.Value:
        type_ = value.type
        near = intrinsic(b, "llvm.minnum", value, const(type_, 10.0))
        square = b.fmul(near, near)
        square_low = fma(b, near, near, b.fneg(square))
        power = library(site, "exp", square)
        product = b.fmul(power, library(site, "erfc", near))
        # exp(square + square_low); the low part times an infinite product would be NaN
        corrected = fma(b, product, square_low, product)
        product = b.select(b.fcmp_ordered("<", product, const(type_, INFINITY)), corrected, product)
        product = b.select(b.fcmp_ordered("<", value, const(type_, -30.0)), const(type_, INFINITY), product)
        far = b.fcmp_ordered(">", value, const(type_, 10.0))
        result = b.select(far, _erfcx_tail(site, value), product)
        result = b.select(b.fcmp_ordered("==", value, const(type_, INFINITY)), const(type_, 0.0), result)
        return b.select(is_nan(b, value), value, result)

    return [in_double(site, compute, x) if element(x.type) == F32 else compute(x)]


# ----------------------------------------------------------------------------- roots, norms and the rest


def _exp10(site: Site, x: ir.Value) -> list[ir.Value]:
    return [library(site, "exp10", x)]


def _rcbrt(site: Site, x: ir.Value) -> list[ir.Value]:
    b = site.b

    def compute(value: ir.Value) -> ir.Value:
        return b.fdiv(const(value.type, 1.0), library(site, "cbrt", value))

    return [in_double(site, compute, x) if element(x.type) == F32 else compute(x)]


def _sum_of_squares(b: ir.IRBuilder, args: tuple[ir.Value, ...]) -> tuple[ir.Value, ir.Value]:
    """Return (high, low): the sum of the squares, in two parts."""
    high, low = const(args[0].type, 0.0), const(args[0].type, 0.0)
    for x in args:
        square = b.fmul(x, x)
        square_low = fma(b, x, x, b.fneg(square))
        total = b.fadd(high, square)
        kept = b.fsub(total, high)
        lost = b.fadd(b.fsub(high, b.fsub(total, kept)), b.fsub(square, kept))
        high, low = total, b.fadd(low, b.fadd(lost, square_low))
    return high, low


def _norm(reciprocal: bool) -> Callable[..., list[ir.Value]]:
    """The root of the sum of squares, or 1 over it; an infinite argument gives infinity (or 0) even beside a NaN."""

    def in_range(site: Site, args: tuple[ir.Value, ...]) -> ir.Value:
        """For doubles whose squares neither overflow nor underflow."""
        b, type_ = site.b, args[0].type
        high, low = _sum_of_squares(b, args)
        root = intrinsic(b, "llvm.sqrt", high)
        # sqrt(high + low) = root + (high - root^2 + low) / (2 root)
        rest = b.fadd(fma(b, b.fneg(root), root, high), low)
        half = b.fdiv(const(type_, 0.5), root)
        if not reciprocal:
            return b.select(b.fcmp_ordered(">", root, const(type_, 0.0)), fma(b, rest, half, root), root)
        inverse = b.fadd(half, half)
        # 1 / (root + d), d = rest * half: inverse * (1 + (1 - inverse * root) - inverse * d)
        error = fma(b, b.fneg(inverse), root, const(type_, 1.0))
        error = fma(b, b.fneg(inverse), b.fmul(rest, half), error)
        corrected = fma(b, inverse, error, inverse)
        return b.select(b.fcmp_ordered(">", root, const(type_, 0.0)), corrected, inverse)

    def emit(site: Site, *args: ir.Value) -> list[ir.Value]:
        b, type_ = site.b, args[0].type
        any_infinite = b.fcmp_ordered("==", fabs(b, args[0]), const(type_, INFINITY))
        for x in args[1:]:
            any_infinite = b.or_(any_infinite, b.fcmp_ordered("==", fabs(b, x), const(type_, INFINITY)))
        if element(type_) == F32:
            value = in_double(site, lambda *wide: in_range(site, wide), *args)
        else:
            largest = fabs(b, args[0])
            for x in args[1:]:
                size = fabs(b, x)
                largest = b.select(b.fcmp_ordered(">", size, largest), size, largest)
            one = const(type_, 1.0)
            down = b.select(b.fcmp_ordered(">", largest, const(type_, 2.0**500)), const(type_, 2.0**-600), one)
            factor = b.select(b.fcmp_ordered("<", largest, const(type_, 2.0**-400)), const(type_, 2.0**600), down)
            value = in_range(site, tuple(b.fmul(x, factor) for x in args))
            inverse = b.select(b.fcmp_ordered("<", largest, const(type_, 2.0**-400)), const(type_, 2.0**-600), one)
            inverse = b.select(b.fcmp_ordered(">", largest, const(type_, 2.0**500)), const(type_, 2.0**600), inverse)
            value = b.fmul(value, factor if reciprocal else inverse)
        return [b.select(any_infinite, const(type_, 0.0 if reciprocal else INFINITY), value)]

    return emit


# ------------------------------------------------------------------------------ sine and cosine of pi x


def _sincospi_of(site: Site, x: ir.Value) -> tuple[ir.Value, ir.Value]:
    """(sin(pi x), cos(pi x)) in double: exact reduction to |f| <= 1/4 of x = k / 2 + f, then the quadrant."""
    b, type_ = site.b, x.type
    k = intrinsic(b, "llvm.rint", b.fadd(x, x))
    f = fma(b, k, const(type_, -0.5), x)
    angle = b.fmul(f, const(type_, math.pi))
    sine, cosine = library(site, "sin", angle), library(site, "cos", angle)
    # k modulo 4 without an integer conversion that could overflow
    turn = b.fsub(k, b.fmul(const(type_, 4.0), intrinsic(b, "llvm.floor", b.fmul(k, const(type_, 0.25)))))
    odd = b.or_(b.fcmp_ordered("==", turn, const(type_, 1.0)), b.fcmp_ordered("==", turn, const(type_, 3.0)))
    sin_value, cos_value = b.select(odd, cosine, sine), b.select(odd, sine, cosine)
    minus_sin = b.fcmp_ordered(">=", turn, const(type_, 2.0))
    minus_cos = b.or_(b.fcmp_ordered("==", turn, const(type_, 1.0)), b.fcmp_ordered("==", turn, const(type_, 2.0)))
    sin_value = b.select(minus_sin, b.fneg(sin_value), sin_value)
    cos_value = b.select(minus_cos, b.fneg(cos_value), cos_value)
    # whole numbers have sine 0 with the sign of x, half numbers cosine +0
    zero = b.fcmp_ordered("==", sin_value, const(type_, 0.0))
    sin_value = b.select(zero, copysign(b, sin_value, x), sin_value)
    return sin_value, b.fadd(cos_value, const(type_, 0.0))


def _sincospi(site: Site, x: ir.Value) -> list[ir.Value]:
    b, type_ = site.b, x.type
    if element(type_) == F64:
        return list(_sincospi_of(site, x))
    wide = b.fpext(x, like(type_, F64))
    return [b.fptrunc(value, type_) for value in _sincospi_of(site, wide)]


def _sincos(site: Site, x: ir.Value) -> list[ir.Value]:
    return [library(site, "sin", x), library(site, "cos", x)]


def _fast(op: str) -> Callable[..., list[ir.Value]]:
    return lambda site, *args: [library(site, op, *args)]


CUDA_OPS: dict[str, Callable[..., list[ir.Value]]] = {
    "erfinv": _erfinv,
    "erfcinv": _erfcinv,
    "normcdf": _normcdf,
    "normcdfinv": _normcdfinv,
    "erfcx": _erfcx,
    "exp10": _exp10,
    "rcbrt": _rcbrt,
    "rhypot": _norm(reciprocal=True),
    "norm3d": _norm(reciprocal=False),
    "rnorm3d": _norm(reciprocal=True),
    "norm4d": _norm(reciprocal=False),
    "rnorm4d": _norm(reciprocal=True),
    "sinpi": lambda site, x: _sincospi(site, x)[:1],
    "cospi": lambda site, x: _sincospi(site, x)[1:],
    "sincospi": _sincospi,
    "sincos": _sincos,
    "fast_sincos": _sincos,
    "fast_exp": _fast("exp"),
    "fast_exp10": _fast("exp10"),
    "fast_log": _fast("log"),
    "fast_log2": _fast("log2"),
    "fast_log10": _fast("log10"),
    "fast_sin": _fast("sin"),
    "fast_cos": _fast("cos"),
    "fast_tan": _fast("tan"),
    "fast_pow": _fast("pow"),
    "fast_div": lambda site, x, y: [site.b.fdiv(x, y)],
}
