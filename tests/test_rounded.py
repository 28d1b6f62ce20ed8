"""Arithmetic and conversions that round in one direction: what the host computes after `fesetround`, to the bit."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np
import pytest

from simt2simd import RawKernel
from simt2simd.frontend.parse.parse import parse
from simt2simd.frontend.sema.module import check
from simt2simd.frontend.text.preprocess import preprocess
from simt2simd.interp.run import Interpreter
from simt2simd.options import Options
from simt2simd.source import Source

Array = np.ndarray[Any, np.dtype[Any]]

MODES = {"rd": 0x400, "ru": 0x800, "rz": 0xC00}  # of <fenv.h> on x86
LIBM = ctypes.CDLL("libm.so.6")
COUNT = 240

TEXT = """
template <bool Uniform, class T> __device__ T taken(const T *x) {
  return x[Uniform ? 3 : threadIdx.x + blockIdx.x * blockDim.x];
}
#define KERNEL(NAME, T, P) \\
  template <bool U> __device__ void NAME(const T *x, const T *y, const T *z, T *out) { \\
    int i = threadIdx.x + blockIdx.x * blockDim.x; \\
    T a = taken<U>(x), b = taken<U>(y), c = taken<U>(z); \\
    out[i] = __##P##add_MODE(a, b), out[i + COUNT] = __##P##sub_MODE(a, b); \\
    out[i + 2 * COUNT] = __##P##mul_MODE(a, b), out[i + 3 * COUNT] = __##P##div_MODE(a, b); \\
    out[i + 4 * COUNT] = __##P##rcp_MODE(a), out[i + 5 * COUNT] = __##P##sqrt_MODE(a); \\
    out[i + 6 * COUNT] = FMA(a, b, c); \\
  }
#define FMA __fmaf_MODE
KERNEL(singles, float, f)
#undef FMA
#define FMA __fma_MODE
KERNEL(doubles, double, d)
__global__ void k(const float *x, const float *y, const float *z, float *out, const double *u, const double *v,
                  const double *w, double *wide, int uniform) {
  if (threadIdx.x + blockIdx.x * blockDim.x >= COUNT) return;
  if (uniform) {
    singles<true>(x, y, z, out);
    doubles<true>(u, v, w, wide);
  } else {
    singles<false>(x, y, z, out);
    doubles<false>(u, v, w, wide);
  }
}
__global__ void convert(const long long *x, const double *y, float *out, double *wide) {
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i >= COUNT) return;
  out[i] = __int2float_MODE(x[i]), out[i + COUNT] = __uint2float_MODE(x[i]), out[i + 2 * COUNT] = __ll2float_MODE(x[i]);
  out[i + 3 * COUNT] = __ull2float_MODE(x[i]), out[i + 4 * COUNT] = __double2float_MODE(y[i]);
  wide[i] = __ll2double_MODE(x[i]), wide[i + COUNT] = __ull2double_MODE(x[i]);
}
"""


@contextmanager
def rounding(mode: str) -> Iterator[None]:
    LIBM.fesetround(MODES[mode])
    try:
        yield
    finally:
        LIBM.fesetround(0)


def made(dtype: type[np.floating[Any]], seed: int) -> Array:
    """Return numbers of all magnitudes, many of them close to each other, and the ends of the range."""
    rng = np.random.default_rng(seed)
    bits = np.dtype(dtype).itemsize * 8
    any_bits = rng.integers(0, 1 << 63, COUNT, dtype=np.uint64) * 2 + rng.integers(0, 2, COUNT, dtype=np.uint64)
    wild = any_bits.astype(f"u{bits // 8}").view(dtype)
    tame = (rng.integers(-(1 << 24), 1 << 24, COUNT) * 2.0 ** rng.integers(-4, 4, COUNT)).astype(dtype)
    info = np.finfo(dtype)
    edges = np.array([0.0, -0.0, 1, -1, info.max, -info.max, info.tiny, info.smallest_subnormal, -info.tiny, np.inf,
                      -np.inf, np.nan, 3, 1 + info.eps], dtype)  # fmt: skip
    kind = rng.integers(0, 4, COUNT)
    return np.where(kind == 0, wild, np.where(kind == 1, edges[rng.integers(0, len(edges), COUNT)], tame))


def of_host(numbers: Sequence[Array], mode: str) -> Array:
    x, y, z = numbers
    fused, kind = (LIBM.fmaf, ctypes.c_float) if x.dtype == np.float32 else (LIBM.fma, ctypes.c_double)
    fused.restype, fused.argtypes = kind, [kind] * 3
    with np.errstate(all="ignore"), rounding(mode):
        parts = [x + y, x - y, x * y, x / y, x.dtype.type(1) / x, np.sqrt(x)]
        parts.append(np.array([fused(*map(float, row)) for row in zip(x, y, z, strict=True)], x.dtype))
    return np.concatenate(parts)


def assert_same(ours: Array, theirs: Array) -> None:
    bits = f"u{ours.itemsize}"
    wrong = np.flatnonzero((ours.view(bits) != theirs.view(bits)) & ~(np.isnan(ours) & np.isnan(theirs)))
    assert not len(wrong), [(int(i) // COUNT, int(i) % COUNT, ours[i], theirs[i]) for i in wrong[:5]]


def run(way: str, mode: str, kernel: str, args: tuple[Any, ...]) -> None:
    text = TEXT.replace("_MODE", f"_{mode}").replace("COUNT", str(COUNT))
    if way == "interp":
        source = Source("k.cu", text)
        Interpreter(check(parse(preprocess(source, Options())))).launch(kernel, 5, 48, list(args))
    else:
        RawKernel(text, kernel, options=(f"--target={way}",))((5,), (48,), args)


WAYS = ["interp", "avx2", pytest.param("avx512", marks=pytest.mark.avx512)]


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("uniform", [0, 1])
@pytest.mark.parametrize("mode", MODES)
def test_arithmetic_is_that_of_the_host(way: str, mode: str, uniform: int) -> None:
    singles = [made(np.float32, seed) for seed in (1, 2, 3)]
    doubles = [made(np.float64, seed) for seed in (4, 5, 6)]
    out, wide = np.zeros(7 * COUNT, np.float32), np.zeros(7 * COUNT)
    run(way, mode, "k", (*singles, out, *doubles, wide, np.int32(uniform)))
    if uniform:
        singles, doubles = ([np.full(COUNT, x[3]) for x in given] for given in (singles, doubles))
    assert_same(out, of_host(singles, mode))
    assert_same(wide, of_host(doubles, mode))


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("mode", MODES)
def test_conversions_are_those_of_the_host(way: str, mode: str) -> None:
    rng = np.random.default_rng(7)
    integers = rng.integers(-(1 << 63), 1 << 63, COUNT) >> rng.integers(0, 64, COUNT)
    integers[:6] = [0, -1, (1 << 63) - 1, -(1 << 63), (1 << 24) + 1, -(1 << 53) - 1]
    floats = np.where(rng.integers(0, 2, COUNT), made(np.float64, 8), made(np.float32, 9).astype(np.float64))
    floats[:4] = [1e-60, -1e-60, 1e60, -1e60]
    out, wide = np.zeros(5 * COUNT, np.float32), np.zeros(2 * COUNT)
    run(way, mode, "convert", (integers, floats, out, wide))
    bits = integers.view(np.uint64)
    kinds = [integers.astype(np.int32), integers.astype(np.uint32), integers, bits, floats]
    with np.errstate(all="ignore"), rounding(mode):
        narrow = np.concatenate([kind.astype(np.float32) for kind in kinds])
        broad = np.concatenate([integers.astype(np.float64), bits.astype(np.float64)])
    assert_same(out, narrow)
    assert_same(wide, broad)


def test_ptx_rounds_in_the_same_directions() -> None:
    text = """__global__ void k(float *s, double *d, float x, float y, double u, long long n) {
    asm("add.rp.f32 %0, %1, %2;" : "=f"(s[0]) : "f"(x), "f"(y));
    asm("mul.rz.f32 %0, %1, %2;" : "=f"(s[1]) : "f"(x), "f"(y));
    asm("fma.rm.f32 %0, %1, %2, %1;" : "=f"(s[2]) : "f"(x), "f"(y));
    asm("sqrt.rp.f64 %0, %1;" : "=d"(d[0]) : "d"(u));
    asm("div.rm.f64 %0, %1, %2;" : "=d"(d[1]) : "d"(1.0), "d"(u));
    asm("cvt.rp.f64.s64 %0, %1;" : "=d"(d[2]) : "l"(n));
    asm("cvt.rm.f32.f64 %0, %1;" : "=f"(s[3]) : "d"(u));
    s[4] = __fadd_ru(x, y), s[5] = __fmul_rz(x, y), s[6] = __fmaf_ieee_rd(x, y, x), s[7] = __double2float_rd(u);
    d[3] = __dsqrt_ru(u), d[4] = __ddiv_rd(1, u), d[5] = __ll2double_ru(n);
    }"""
    s, d = np.zeros(8, np.float32), np.zeros(6)
    RawKernel(text, "k")((1,), (1,), (s, d, np.float32(0.1), np.float32(0.7), 3.3, (1 << 60) + 1))
    assert s[:4].tolist() == s[4:].tolist() and d[:3].tolist() == d[3:].tolist() and d[2] == 2.0**60 + 256
