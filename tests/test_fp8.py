"""cuda_fp8.h in kernels and on the host: every code, every half, and floats at and around every tie, by exact integers.

The model knows a format as the list of its numbers, counted in units of 2^-24, and finds the nearest one.
"""

from __future__ import annotations

import subprocess
import sys
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest

Array = np.ndarray[Any, np.dtype[Any]]

PROGRAM = r"""
#include <cuda_fp8.h>
#include <cstdio>
#include <cstring>
#include <vector>

struct Rows {
    const double *in;
    unsigned *out;
    int n;
};

template <class Kind> __host__ __device__ void number_of(const Rows &rows, int code, unsigned *out) {
    Kind x;
    x.__x = code;
    float f = static_cast<float>(x);
    memcpy(out, &f, 4);
    out[1] = __half_as_ushort(static_cast<__half>(x)) | __bfloat16_as_ushort(static_cast<__nv_bfloat16>(x)) << 16;
    out[2] = static_cast<int>(x);
    out[3] = static_cast<unsigned char>(x) | (static_cast<signed char>(x) & 255) << 8 |
             (static_cast<char>(x) & 255) << 16 | static_cast<bool>(x) << 24;
    out[4] = static_cast<unsigned>(x);
    out[5] = static_cast<unsigned short>(x) | (static_cast<short>(x) & 65535u) << 16;
    out[6] = static_cast<unsigned>(static_cast<long long>(x)) ^ static_cast<unsigned>(static_cast<long>(x) >> 32);
    out[7] = static_cast<unsigned>(static_cast<unsigned long long>(x)) ^
             static_cast<unsigned>(static_cast<unsigned long>(x) >> 32);
}

__host__ __device__ void numbers(const Rows &rows, int i) {
    number_of<__nv_fp8_e4m3>(rows, i, rows.out + i * 24);
    number_of<__nv_fp8_e5m2>(rows, i, rows.out + i * 24 + 8);
    number_of<__nv_fp8_e8m0>(rows, i, rows.out + i * 24 + 16);
}

__host__ __device__ void halves(const Rows &rows, int i) {
    __half_raw half;
    __nv_bfloat16_raw bfloat;
    half.x = bfloat.x = i;
    rows.out[i * 3] = __nv_cvt_halfraw_to_fp8(half, __NV_SATFINITE, __NV_E4M3) |
                      __nv_cvt_halfraw_to_fp8(half, __NV_NOSAT, __NV_E4M3) << 8 |
                      __nv_cvt_halfraw_to_fp8(half, __NV_SATFINITE, __NV_E5M2) << 16 |
                      __nv_cvt_halfraw_to_fp8(half, __NV_NOSAT, __NV_E5M2) << 24;
    rows.out[i * 3 + 1] = __nv_cvt_bfloat16raw_to_fp8(bfloat, __NV_SATFINITE, __NV_E4M3) |
                          __nv_cvt_bfloat16raw_to_fp8(bfloat, __NV_NOSAT, __NV_E4M3) << 8 |
                          __nv_cvt_bfloat16raw_to_fp8(bfloat, __NV_SATFINITE, __NV_E5M2) << 16 |
                          __nv_cvt_bfloat16raw_to_fp8(bfloat, __NV_NOSAT, __NV_E5M2) << 24;
    rows.out[i * 3 + 2] = __nv_cvt_bfloat16raw_to_e8m0(bfloat, __NV_SATFINITE, cudaRoundPosInf) |
                          __nv_cvt_bfloat16raw_to_e8m0(bfloat, __NV_NOSAT, cudaRoundPosInf) << 8 |
                          __nv_cvt_bfloat16raw_to_e8m0(bfloat, __NV_SATFINITE, cudaRoundZero) << 16 |
                          __nv_cvt_bfloat16raw_to_e8m0(bfloat, __NV_NOSAT, cudaRoundZero) << 24;
}

__host__ __device__ void doubles(const Rows &rows, int i) {
    double x = rows.in[i];
    float f = static_cast<float>(x);
    unsigned *out = rows.out + i * 4;
    out[0] = __nv_cvt_double_to_fp8(x, __NV_SATFINITE, __NV_E4M3) |
             __nv_cvt_double_to_fp8(x, __NV_NOSAT, __NV_E4M3) << 8 |
             __nv_cvt_double_to_fp8(x, __NV_SATFINITE, __NV_E5M2) << 16 |
             __nv_cvt_double_to_fp8(x, __NV_NOSAT, __NV_E5M2) << 24;
    out[1] = __nv_cvt_float_to_fp8(f, __NV_SATFINITE, __NV_E4M3) |
             __nv_cvt_float_to_fp8(f, __NV_NOSAT, __NV_E4M3) << 8 |
             __nv_cvt_float_to_fp8(f, __NV_SATFINITE, __NV_E5M2) << 16 |
             __nv_cvt_float_to_fp8(f, __NV_NOSAT, __NV_E5M2) << 24;
    out[2] = __nv_cvt_double_to_e8m0(x, __NV_SATFINITE, cudaRoundPosInf) |
             __nv_cvt_double_to_e8m0(x, __NV_NOSAT, cudaRoundPosInf) << 8 |
             __nv_cvt_double_to_e8m0(x, __NV_SATFINITE, cudaRoundZero) << 16 |
             __nv_cvt_double_to_e8m0(x, __NV_NOSAT, cudaRoundZero) << 24;
    out[3] = __nv_fp8_e4m3(x).__x | __nv_fp8_e5m2(f).__x << 8 |
             __nv_fp8_e4m3(__half(f)).__x << 16 | __nv_fp8_e8m0(f).__x << 24;
}

__host__ __device__ void vectors(const Rows &rows, int i) {
    float4 f = make_float4(i, -i, i * 0.125f, 1e9f);
    unsigned *out = rows.out + i * 8;
    __nv_fp8x4_e4m3 x(f);
    __nv_fp8x4_e5m2 y(f);
    __nv_fp8x4_e8m0 z(f);
    out[0] = x.__x;
    out[1] = y.__x;
    out[2] = z.__x;
    float4 back = static_cast<float4>(x);
    memcpy(out + 3, &back.w, 4);
    __nv_fp8x2_e4m3 pair(make_float2(f.x, f.y)), same(__half2(f.x, f.y));
    __half2 halves = static_cast<__half2>(pair);
    out[4] = pair.__x | same.__x << 16;
    out[5] = __half_as_ushort(halves.x) | __half_as_ushort(halves.y) << 16;
    out[6] = __nv_fp8_e4m3(i).__x | __nv_fp8_e5m2(-i).__x << 8 |
             __nv_fp8_e4m3(static_cast<unsigned short>(i)).__x << 16 |
             __nv_fp8_e5m2(i * 1000000007ll).__x << 24;
    unsigned long long large = ~0ull >> i % 64;
    out[7] = __nv_fp8_e8m0(large).__x | __nv_fp8_e8m0(static_cast<long long>(large >> 1)).__x << 8 |
             __nv_fp8_e8m0(-i).__x << 16 | __nv_fp8_e8m0(static_cast<unsigned long long>(i)).__x << 24;
}

#define KERNEL(NAME) \
    __global__ void NAME##_kernel(Rows rows) { \
        int i = blockIdx.x * blockDim.x + threadIdx.x; \
        if (i < rows.n) NAME(rows, i); \
    } \
    static void run_##NAME(const double *in, int n, int width, FILE *to) { \
        Rows rows{in, nullptr, n}; \
        cudaMallocManaged(&rows.out, n * width * 4); \
        NAME##_kernel<<<(n + 127) / 128, 128>>>(rows); \
        if (cudaDeviceSynchronize() != cudaSuccess) printf("failed\n"); \
        fwrite(rows.out, 4, n * width, to); \
        for (int i = 0; i < n; i++) NAME(rows, i); \
        fwrite(rows.out, 4, n * width, to); \
    }
KERNEL(numbers)
KERNEL(halves)
KERNEL(doubles)
KERNEL(vectors)

int main(int count, char **names) {
    FILE *from = fopen(names[1], "rb"), *to = fopen(names[2], "wb");
    int n;
    fread(&n, 4, 1, from);
    double *in;
    cudaMallocManaged(&in, n * 8);
    fread(in, 8, n, from);
    run_numbers(nullptr, 256, 24, to);
    run_halves(nullptr, 65536, 3, to);
    run_doubles(in, n, 4, to);
    run_vectors(nullptr, 300, 8, to);
    fclose(to);
}
"""
UNIT = 24  # the model counts in 2^-24


def numbers_of(mantissa: int, lowest: int, largest: int) -> list[Fraction]:
    """Return the numbers of the codes 0 to `largest`."""
    found = []
    for code in range(largest + 1):
        exponent, rest = code >> mantissa, code & ((1 << mantissa) - 1)
        whole = rest + (exponent > 0) * (1 << mantissa)
        found.append(Fraction(whole) * Fraction(2) ** (max(exponent, 1) - 1 + lowest - mantissa))
    return found


E4M3, E5M2 = numbers_of(3, -6, 0x7E), numbers_of(2, -14, 0x7B)


def rounded(x: Array, numbers: list[Fraction], overflow: int) -> Array:
    """Return the codes of doubles without NaN: the nearest number's, of two the even one's."""
    middles = [(a + b) / 2 for a, b in zip(numbers, [*numbers[1:], 2 * numbers[-1] - numbers[-2]], strict=True)]
    exact = np.array([float(middle) for middle in middles])
    assert all(Fraction(a) == b for a, b in zip(exact.tolist(), middles, strict=True))
    size = np.abs(x)
    code = np.searchsorted(exact, size, side="left")  # of a tie, the lower one
    tied = (code < len(exact)) & (exact[np.minimum(code, len(exact) - 1)] == size)
    code = code + (tied & (code % 2 == 1))
    code = np.where(code > len(numbers) - 1, overflow, code)
    return code | np.where(np.signbit(x), 0x80, 0)


def fp8(x: Array, *, signed_nan: bool) -> Array:
    """Return E4M3 saturated and not, and E5M2 saturated and not, in the bytes of a number."""
    with np.errstate(invalid="ignore"):
        nan, sign = np.isnan(x), np.where(np.signbit(x), 0x80, 0) * signed_nan
    number = np.where(nan, 0.0, x)
    parts = []
    for numbers, beyond in ((E4M3, 0x7F), (E5M2, 0x7C)):
        for overflow in (len(numbers) - 1, beyond):
            low = 0x7F
            if numbers is E5M2 and signed_nan:
                low = 0x7E | (x.view(np.uint64) >> np.uint64(50) & np.uint64(3)).astype(np.int64)  # type: ignore[assignment]
            parts.append(np.where(nan, low | sign, rounded(number, numbers, overflow)))
    return sum(part.astype(np.uint32) << np.uint32(8 * at) for at, part in enumerate(parts))  # type: ignore[return-value]


def e8m0(x: Array) -> Array:
    """Return the powers of two: up saturated and not, down saturated and not, in the bytes of a number."""
    bounds = np.array([2.0 ** (code - 127) for code in range(255)])
    size = np.abs(np.where(np.isnan(x), 1.0, x))
    up = np.searchsorted(bounds, size, side="left")
    down = np.maximum(np.searchsorted(bounds, size, side="right") - 1, 0)
    down_open = np.where(np.isinf(size), 255, down)
    parts = [np.minimum(up, 254), up, down, down_open]
    return sum(  # type: ignore[return-value]
        np.where(np.isnan(x), 255, part).astype(np.uint32) << np.uint32(8 * at) for at, part in enumerate(parts)
    )


def inputs() -> Array:
    """Return every number and every middle of both formats, their neighbours as floats and doubles, and the rest."""
    found = [
        0.0,
        np.inf,
        np.nan,
        1e-300,
        5e-324,
        1e300,
        2.0**127,
        2.0**128,
        2.0**-127,
        2.0**-126,
        1.5 * 2.0**-127,
        448.1,
        463.9,
    ]
    for numbers in (E4M3, E5M2):
        for a, b in zip(numbers, [*numbers[1:], 2 * numbers[-1] - numbers[-2]], strict=True):
            found += [float(a), float((a + b) / 2)]
    exact = np.array(found)
    with np.errstate(over="ignore"):
        single = exact.astype(np.float32)
    with np.errstate(over="ignore", invalid="ignore"):
        around = [np.nextafter(exact, np.inf), np.nextafter(exact, 0.0)]
        around += [np.nextafter(single, np.float32(to)).astype(np.float64) for to in (np.inf, 0)]
    powers = np.ldexp(1.0, np.arange(-1074, 1024))
    rng = np.random.default_rng(5)
    with np.errstate(invalid="ignore"):
        bits = rng.integers(0, 1 << 32, 20000, np.uint32).view(np.float32).astype(np.float64)
    wide = rng.integers(0, 1 << 63, 4000, np.uint64).view(np.float64)
    every = np.concatenate([exact, *around, powers, powers * 1.25, bits, wide])
    return np.concatenate([every, -every])


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> dict[str, tuple[Array, Array]]:
    """Return what kernels gave, and what the host gave, by the name of the function."""
    folder = tmp_path_factory.mktemp("fp8")
    Path(folder, "t.cu").write_text(PROGRAM)
    program = folder / "program"
    subprocess.run([sys.executable, "-m", "simt2simd", "nvcc", "-w", folder / "t.cu", "-o", program], check=True)
    x = inputs()
    Path(folder, "in").write_bytes(np.int32(len(x)).tobytes() + x.tobytes())
    done = subprocess.run([program, folder / "in", folder / "out"], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stdout == ""
    out = np.fromfile(folder / "out", np.uint32)
    found = {}
    for name, count, width in (("numbers", 256, 24), ("halves", 65536, 3), ("doubles", len(x), 4), ("vectors", 300, 8)):
        pair, out = out[: 2 * count * width], out[2 * count * width :]
        device, host = pair.reshape(2, count, width)
        found[name] = (device, host)
    assert len(out) == 0
    return found


@pytest.mark.parametrize("name", ["numbers", "halves", "doubles", "vectors"])
def test_kernels_and_the_host_agree(results: dict[str, tuple[Array, Array]], name: str) -> None:
    device, host = results[name]
    wrong = np.argwhere(device != host)
    assert len(wrong) == 0, [(at, hex(device[tuple(at)]), hex(host[tuple(at)])) for at in wrong[:5].tolist()]


def same(got: Array, right: Array, x: Array) -> None:
    wrong = np.flatnonzero(got != right)
    assert len(wrong) == 0, [(x[i], hex(got[i]), hex(right[i])) for i in wrong[:5]]


def test_doubles_and_floats_round_to_the_nearest(results: dict[str, tuple[Array, Array]]) -> None:
    x, got = inputs(), results["doubles"][0]
    with np.errstate(over="ignore", invalid="ignore"):
        single = x.astype(np.float32).astype(np.float64)
        half = x.astype(np.float32).astype(np.float16).astype(np.float64)
    same(got[:, 0], fp8(x, signed_nan=True), x)
    same(got[:, 1], fp8(single, signed_nan=False), x)
    same(got[:, 2], e8m0(x), x)
    by_classes = fp8(x, signed_nan=True) & 255 | (fp8(single, signed_nan=False) >> 16 & 255) << 8
    by_classes |= (fp8(half, signed_nan=False) & 255) << 16 | (e8m0(single) & 255) << 24
    same(got[:, 3], by_classes, x)


def test_every_half_and_every_bfloat(results: dict[str, tuple[Array, Array]]) -> None:
    codes, got = np.arange(65536), results["halves"][0]
    half = codes.astype(np.uint16).view(np.float16).astype(np.float64)
    with np.errstate(invalid="ignore"):
        bfloat = (codes.astype(np.uint32) << np.uint32(16)).view(np.float32).astype(np.float64)
    same(got[:, 0], fp8(half, signed_nan=False), half)
    same(got[:, 1], fp8(bfloat, signed_nan=False), bfloat)
    same(got[:, 2], e8m0(bfloat), bfloat)


def model_numbers(kind: int) -> Array:
    """Return the numbers of all codes of E4M3, E5M2 or E8M0."""
    if kind == 2:
        return np.array([2.0 ** (code - 127) for code in range(255)] + [np.nan])
    numbers = [float(number) for number in (E4M3, E5M2)[kind]]
    numbers += [np.inf] * kind + [np.nan] * (128 - kind - len(numbers))
    return np.array(numbers + [-number for number in numbers])


@pytest.mark.parametrize("kind", [0, 1, 2], ids=["e4m3", "e5m2", "e8m0"])
def test_every_code(results: dict[str, tuple[Array, Array]], kind: int) -> None:
    got = results["numbers"][0][:, 8 * kind : 8 * kind + 8]
    x = model_numbers(kind)
    nan = np.isnan(x)
    number = np.where(nan, 0.0, x)
    bits = np.where(nan, 0x7FFF0000 if kind == 2 else 0x7FFFFFFF, number.astype(np.float32).view(np.uint32))
    same(got[:, 0], bits, x)
    with np.errstate(over="ignore"):
        half = np.where(nan, 0x7FFF, number.astype(np.float16).view(np.uint16))
    same(got[:, 1], half | np.where(nan, 0x7FFF, bits >> 16) << 16, x)

    def integer(low: int, high: int) -> list[int]:
        unknown = 0 if high < 1 << 40 else 1 << 63
        return [
            unknown if n else low if v <= low else high if v >= high else int(v)
            for n, v in zip(nan, number.tolist(), strict=True)
        ]

    def low_and_high(values: list[int]) -> Array:
        return np.array([v & 0xFFFFFFFF ^ ((v & (1 << 64) - 1) >> 32) for v in values])

    def masked(values: list[int], bits: int) -> Array:
        return np.array([v & (1 << bits) - 1 for v in values])

    same(got[:, 2], masked(integer(-(1 << 31), (1 << 31) - 1), 32), x)
    byte = masked(integer(-128, 127), 8)
    not_zero = number.astype(bool) | nan
    same(got[:, 3], masked(integer(0, 255), 8) | byte << 8 | byte << 16 | not_zero.astype(np.int64) << 24, x)
    same(got[:, 4], masked(integer(0, (1 << 32) - 1), 32), x)
    same(got[:, 5], masked(integer(0, 65535), 16) | masked(integer(-32768, 32767), 16) << 16, x)
    same(got[:, 6], low_and_high(integer(-(1 << 63), (1 << 63) - 1)), x)
    same(got[:, 7], low_and_high(integer(0, (1 << 64) - 1)), x)


def test_vectors_and_integers(results: dict[str, tuple[Array, Array]]) -> None:
    got, i = results["vectors"][0], np.arange(300)
    x = i.astype(np.float64)

    def code(value: Array, at: int) -> Array:
        return fp8(value, signed_nan=False) >> np.uint32(8 * at) & np.uint32(255)

    minus, eighth, large = np.where(i == 0, 0.0, -x), x / 8, np.full(300, 1e9)
    for column, at in ((0, 0), (1, 2)):
        parts = [code(v, at) for v in (x, minus, eighth, large)]
        same(got[:, column], sum(part << np.uint32(8 * k) for k, part in enumerate(parts)), x)  # type: ignore[arg-type]
    powers = [e8m0(v) & np.uint32(255) for v in (x, minus, eighth, large)]
    same(got[:, 2], sum(part << np.uint32(8 * k) for k, part in enumerate(powers)), x)  # type: ignore[arg-type]
    same(got[:, 3], np.full(300, 448.0, np.float32).view(np.uint32), x)
    pair = code(x, 0) | code(minus, 0) << np.uint32(8)
    same(got[:, 4], pair | pair << np.uint32(16), x)
    values = model_numbers(0).astype(np.float16).view(np.uint16).astype(np.uint32)
    same(got[:, 5], values[pair & 255] | values[pair >> 8] << np.uint32(16), x)
    many = (i * 1000000007).astype(np.float32).astype(np.float64)
    whole = code(x, 0) | code(minus, 2) << 8 | code(x, 0) << 16 | code(many, 2) << 24
    same(got[:, 6], whole, x)
    sizes = [(1 << 64) - 1 >> k % 64 for k in range(300)]

    def power(value: int) -> int:
        return 0 if value == 0 else 127 + (value - 1).bit_length()

    right = [
        power(size) | power(size >> 1) << 8 | power(k) << 16 | power(k) << 24
        for k, size in zip(range(300), sizes, strict=True)
    ]
    same(got[:, 7], np.array(right), x)
