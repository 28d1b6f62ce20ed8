"""`__half` and `__nv_bfloat16`, and pairs of them: host code computes the same as kernels, and as the interpreter."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from simt2simd.command import cli
from simt2simd.frontend.parse.parse import parse
from simt2simd.frontend.sema.half.half import ARRANGEMENTS, COMPUTATIONS, CONVERSIONS, FLOAT2
from simt2simd.frontend.sema.module import check
from simt2simd.frontend.text.preprocess import preprocess
from simt2simd.interp.run import Interpreter
from simt2simd.lang.builtins import BUILTINS
from simt2simd.lang.ctype import BFLOAT16, FLOAT, HALF, Scalar
from simt2simd.lang.numbers import decoded, encoded, round_to
from simt2simd.lang.vectors import BFLOAT162, HALF2
from simt2simd.options import Options
from simt2simd.python.kernel import RawKernel
from simt2simd.source import Source

PROGRAM = r"""
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cstdio>
#include <cstring>

__global__ void convert(const float *f, __half *h, __nv_bfloat16 *b, float *scaled, __half by, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) { h[i] = __float2half(f[i]); b[i] = f[i]; scaled[i] = h[i] * by; }
}

int main() {
    int n = 1 << 18, bad = 0;
    float *f, *scaled;
    __half *h;
    __nv_bfloat16 *b;
    cudaMallocManaged(&f, n * 4);
    cudaMallocManaged(&scaled, n * 4);
    cudaMallocManaged(&h, n * 2);
    cudaMallocManaged(&b, n * 2);
    unsigned x = 1;
    for (int i = 0; i < n; i++) {
        x = x * 1664525 + 1013904223;
        unsigned bits = i & 1 ? x : 0x33000000 + x % 0x15000000;
        memcpy(f + i, &bits, 4);
        if (f[i] != f[i]) f[i] = 1;
    }
    convert<<<n / 256, 256>>>(f, h, b, scaled, __half(1.25f), n);
    cudaDeviceSynchronize();
    for (int i = 0; i < n; i++) {
        half here = __float2half(f[i]);
        float product = here * __half(1.25f);
        __nv_bfloat16 other(f[i]);
        bad += memcmp(&here, h + i, 2) != 0 || memcmp(&other, b + i, 2) != 0 || product != scaled[i];
    }
    for (int i = 0; i < 65536; i++) {
        unsigned short bits = i;
        half value;
        memcpy(&value, &bits, 2);
        half again((float)value);
        bad += (float)value == (float)value && memcmp(&value, &again, 2) != 0;
    }
    printf("%d\n", bad);
}
"""


@pytest.mark.skipif(shutil.which("c++") is None, reason="needs a C++ compiler")
def test_host_and_device_convert_alike(tmp_path: Path) -> None:
    (tmp_path / "convert.cu").write_text(PROGRAM)
    assert cli.main(["compile", str(tmp_path / "convert.cu"), "-o", str(tmp_path / "convert")]) == 0
    assert subprocess.run([tmp_path / "convert"], capture_output=True, check=True).stdout == b"0\n"


def test_all_halves_survive_and_doubles_round_once() -> None:
    for bits in range(1 << 16):
        content = bits.to_bytes(2, "little")
        for ctype in (HALF, BFLOAT16):
            value = decoded(content, ctype)
            if value == value:
                assert encoded(round_to(value, ctype), ctype) == content
    rng = np.random.default_rng(1)
    for value in rng.normal(size=2000) * 10.0 ** rng.integers(-9, 9, 2000):
        with np.errstate(over="ignore"):
            assert round_to(float(value), HALF) == float(np.float16(value))


# What each function gives, one after the other, as 64 bits. T is `__half` or `__nv_bfloat16`, P pairs of it, $N and $M
# how functions name them. NaNs count as equal.
RESULTS = """
__host__ __device__ static unsigned long long bits(T v) { return __hisnan(v) ? 0x7FFF : __$N_as_ushort(v); }
__host__ __device__ static unsigned long long bits(P v) { return bits(v.x) | bits(v.y) << 16; }
__host__ __device__ static unsigned long long bits(float v)
{
    return v > -1e12f && v < 1e12f ? (unsigned long long)(long long)(v * 4096) : v > 0 ? 88 : 77;
}
__host__ __device__ static unsigned long long bits(float2 v) { return bits(v.x) * 31 + bits(v.y); }
__host__ __device__ static unsigned long long bits(long long v) { return (unsigned long long)v; }

__host__ __device__ void results(T a, T b, T c, float f, double d, long long l, unsigned long long *out)
{
    P p(a, b), q{b, c}, r = make_$M(c, a);
    int n = 0;
    #define PUT(value) out[n++] = bits(value);
    #define NUMBER(value) out[n++] = bits((long long)(value));
    PUT(a + b) PUT(a - b) PUT(a * b) PUT(a / b) PUT(-a) PUT(+a)
    PUT(__hadd(a, b)) PUT(__hsub_rn(a, b)) PUT(__hmul(a, b)) PUT(__hdiv(a, b)) PUT(__hneg(a)) PUT(__habs(a))
    PUT(__hadd_sat(a, b)) PUT(__hsub_sat(a, b)) PUT(__hmul_sat(a, b)) PUT(__hfma(a, b, c)) PUT(__hfma_sat(a, b, c))
    PUT(__hfma_relu(a, b, c)) PUT(__hmax(a, b)) PUT(__hmin(a, b)) PUT(__hmax_nan(a, b)) PUT(__hmin_nan(a, b))
    PUT(hceil(a)) PUT(hfloor(a)) PUT(htrunc(a)) PUT(hrint(a)) PUT(hsqrt(__habs(a))) PUT(hrcp(a))
    NUMBER(__hisnan(a)) NUMBER(__hisinf(a)) NUMBER(__hisinf(b))
    NUMBER(__heq(a, b)) NUMBER(__hne(a, b)) NUMBER(__hlt(a, b)) NUMBER(__hle(a, b))
    NUMBER(__hgt(a, b)) NUMBER(__hge(a, b))
    NUMBER(__hequ(a, b)) NUMBER(__hneu(a, b)) NUMBER(__hltu(a, b)) NUMBER(__hleu(a, b)) NUMBER(__hgtu(a, b))
    NUMBER(__hgeu(a, b)) NUMBER(a == b) NUMBER(a != b) NUMBER(a < b) NUMBER(a >= b)
    PUT(p + q) PUT(p - q) PUT(p * q) PUT(p / q) PUT(-p) PUT(__hadd2(p, q)) PUT(__hsub2_sat(p, q)) PUT(__hmul2_rn(p, q))
    PUT(__h2div(p, q)) PUT(__hfma2(p, q, r)) PUT(__hfma2_sat(p, q, r)) PUT(__hfma2_relu(p, q, r)) PUT(__hneg2(p))
    PUT(__habs2(p)) PUT(__hmax2(p, q)) PUT(__hmin2(p, q)) PUT(__hmax2_nan(p, q)) PUT(__hmin2_nan(p, q)) PUT(h2floor(p))
    PUT(h2sqrt(__habs2(p))) PUT(h2rcp(p)) PUT(__hisnan2(p))
    PUT(__heq2(p, q)) PUT(__hneu2(p, q)) PUT(__hlt2(p, r)) PUT(__hgeu2(p, r)) NUMBER(__hle2_mask(p, q))
    NUMBER(__hbeq2(p, p)) NUMBER(__hbne2(p, q)) NUMBER(__hbltu2(p, q)) NUMBER(p == q) NUMBER(p != q) NUMBER(p <= r)
    PUT(__low2$N(p)) PUT(__high2$N(p)) PUT(__low2float(p)) PUT(__high2float(p)) PUT(__low2$M(p)) PUT(__high2$M(p))
    PUT(__lows2$M(p, q)) PUT(__highs2$M(p, q)) PUT(__lowhigh2highlow(p)) PUT(__halves2$M(c, b)) PUT(__$N2$M(b))
    PUT(__float2$M_rn(f)) PUT(__floats2$M_rn(f, 3 * f)) PUT(__float22$M_rn(make_float2(f, -f))) PUT(__$M2float2(p))
    PUT(__float2$N_rn(f)) PUT(__float2$N_rz(f)) PUT(__float2$N_rd(f)) PUT(__float2$N_ru(f)) PUT(__double2$N(d))
    PUT(__ll2$N_rn(l)) PUT(__ll2$N_rz(l)) PUT(__ll2$N_rd(l)) PUT(__ll2$N_ru(l)) PUT(__ull2$N_rn(l)) PUT(__ull2$N_ru(l))
    PUT(__int2$N_rn((int)l)) PUT(__int2$N_rd((int)l)) PUT(__uint2$N_ru((unsigned)l)) PUT(__short2$N_rz((short)l))
    PUT(__ushort2$N_rn((unsigned short)l))
    NUMBER(__$N2int_rn(a)) NUMBER(__$N2int_rz(a)) NUMBER(__$N2int_rd(a)) NUMBER(__$N2int_ru(a)) NUMBER(__$N2uint_rn(a))
    NUMBER(__$N2short_rn(a)) NUMBER(__$N2ushort_ru(a)) NUMBER(__$N2ll_rn(a)) NUMBER(__$N2ull_rd(a))
    NUMBER(__$N2char_rz(a)) NUMBER(__$N2uchar_rz(a)) NUMBER(__hisnan(c) ? 0 : __$N_as_short(c))
    PUT(__ushort_as_$N((unsigned short)(l & 0x3FFF)))
    P s = p;
    s += q; PUT(s) s *= r; PUT(s) s -= p; PUT(s) s /= q; PUT(s) PUT(s++) PUT(s) PUT(--s) PUT(s)
    T t = a;
    t += b; PUT(t) PUT(t++) PUT(t) PUT(++t) PUT(t--) PUT(--t)
}
"""
COUNT = RESULTS.count("PUT(") + RESULTS.count("NUMBER(") - 2
FORMATS = {
    "__half": ("half", "half2", "__half2", np.float16),
    "__nv_bfloat16": ("bfloat16", "bfloat162", "__nv_bfloat162", None),
}
KERNEL = """
__global__ void all(const T *h, const float *f, const double *d, const long long *l, unsigned long long *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) results(h[i], h[i + n], h[i + 2 * n], f[i], d[i], l[i], out + i * COUNT);
}
"""


def text(short: str, code: str) -> str:
    """Return `code` with the names for one of the types."""
    name, name2, pair, _ = FORMATS[short]
    for sign, word in (("COUNT", str(COUNT)), ("P", pair), ("T", short)):
        code = re.sub(rf"\b{sign}\b", word, code)
    return code.replace("$N", name).replace("$M", name2)


def inputs(seed: int, count: int) -> list[Any]:
    """Return short floats of all kinds, three a thread; floats, doubles and integers near where rounding matters."""
    rng = np.random.default_rng(seed)
    moderate = rng.normal(size=3 * count).astype(np.float16).view(np.uint16)
    halves = np.where(rng.random(3 * count) < 0.5, moderate, rng.integers(0, 1 << 16, 3 * count)).astype(np.uint16)
    halves[: count // 8] = halves[count : count + count // 8]  # some are equal
    singles = rng.integers(0, 1 << 32, count, dtype=np.uint64).astype(np.uint32).view(np.float32)
    middle = (rng.integers(0, 1 << 16, count).astype(np.uint32) << 16 | 0x8000).view(np.float32)
    near = (rng.normal(size=count) * 10.0 ** rng.integers(-8, 6, count)).astype(np.float32)
    floats = np.choose(rng.integers(0, 3, count), [singles, middle, near])
    doubles = floats.astype(np.float64) * (1 + rng.integers(-1, 2, count) * 2.0**-40)
    whole = rng.integers(-(1 << 63), 1 << 63, count, dtype=np.int64) >> rng.integers(0, 63, count)
    ties = (np.int64(0x181) << rng.integers(0, 53, count)) + rng.integers(-1, 2, count)
    return [halves, floats, doubles, np.where(rng.random(count) < 0.5, whole, ties)]


@pytest.mark.parametrize("short", FORMATS)
def test_compiled_functions_are_those_of_the_interpreter(short: str) -> None:
    count = 512
    code = text(short, RESULTS + KERNEL)
    with np.errstate(all="ignore"):
        args = inputs(1, count)
    ours, theirs = (np.zeros(count * COUNT, np.uint64) for _ in range(2))
    half = args[0].view(FORMATS[short][3]) if FORMATS[short][3] else args[0]
    source = Source("short.cu", code)
    Interpreter(check(parse(preprocess(source, Options())))).launch("all", 2, 256, [half, *args[1:], ours, count])
    RawKernel(code, "all")((2,), (256,), (half, *args[1:], theirs, count))
    wrong = np.flatnonzero((ours != theirs).reshape(count, COUNT).any(axis=0))
    assert wrong.size == 0, f"results number {wrong}"


MAIN = """
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cstdio>
#include <cstdlib>
#include <vector>
RESULTS
KERNEL
template <class V> V *read(FILE *file, int n) {
    V *p;
    cudaMallocManaged(&p, n * sizeof(V));
    if (fread(p, sizeof(V), n, file) != (size_t)n) exit(1);
    return p;
}
int main(int argc, char **argv) {
    int n = 4096;
    FILE *file = fopen(argv[argc - 1], "rb");
    T *h = read<T>(file, 3 * n);
    float *f = read<float>(file, n);
    double *d = read<double>(file, n);
    long long *l = read<long long>(file, n);
    unsigned long long *out, own[COUNT];
    cudaMallocManaged(&out, n * sizeof own);
    all<<<n / 256, 256>>>(h, f, d, l, out, n);
    cudaDeviceSynchronize();
    for (int i = 0; i < n; i++) {
        results(h[i], h[i + n], h[i + 2 * n], f[i], d[i], l[i], own);
        for (int k = 0; k < COUNT; k++)
            if (own[k] != out[i * COUNT + k])
                printf("result %d of thread %d: %llx, on the host %llx\\n", k, i, out[i * COUNT + k], own[k]);
    }
}
"""


@pytest.mark.skipif(shutil.which("c++") is None, reason="needs a C++ compiler")
@pytest.mark.parametrize("short", FORMATS)
def test_functions_of_the_host_are_those_of_the_device(short: str, tmp_path: Path) -> None:
    code = text(short, MAIN.replace("RESULTS", RESULTS).replace("KERNEL", KERNEL))
    (tmp_path / "all.cu").write_text(code)
    with np.errstate(all="ignore"):
        (tmp_path / "numbers").write_bytes(b"".join(part.tobytes() for part in inputs(2, 4096)))
    assert cli.main(["compile", str(tmp_path / "all.cu"), "-o", str(tmp_path / "all")]) == 0
    ran = subprocess.run([tmp_path / "all", tmp_path / "numbers"], capture_output=True, check=True, text=True)
    assert ran.stdout == "", ran.stdout[:2000]


Half = np.ndarray[Any, np.dtype[np.float16]]


@pytest.mark.parametrize(
    ("call", "meaning"),
    [
        ("__hadd2(p, q)", lambda a, b: a + b),
        ("__hsub2(p, q)", lambda a, b: a - b),
        ("__hmul2(p, q)", lambda a, b: a * b),
        ("__h2div(p, q)", lambda a, b: a / b),
        ("__hmax2(p, q)", np.fmax),
        ("__hmin2_nan(p, q)", np.minimum),
        ("h2sqrt(p)", lambda a, b: np.sqrt(a)),
        ("h2rint(p)", lambda a, b: np.rint(a)),
        ("__hlt2(p, q)", lambda a, b: a < b),
        ("__hneu2(p, q)", lambda a, b: a != b),
    ],
)
def test_pairs_are_numpys_halves(call: str, meaning: Callable[[Half, Half], Half]) -> None:
    every = np.arange(1 << 16, dtype=np.uint16).view(np.float16)
    other = np.random.default_rng(3).permutation(every)
    out = np.zeros_like(every)
    code = f"""__global__ void k(const half2 *a, const half2 *b, half2 *out) {{
        int i = blockIdx.x * blockDim.x + threadIdx.x; half2 p = a[i], q = b[i]; out[i] = {call}; }}"""
    RawKernel(code, "k")((128,), (256,), (every, other, out))
    with np.errstate(all="ignore"):
        np.testing.assert_array_equal(out, meaning(every, other).astype(np.float16))


# ------------------------------------------------------------------------------------------- constants


def _calls(name: str, at: Callable[[int], str]) -> list[str]:
    """Return a call of every function of `__half` ("half") or `__nv_bfloat16`: the bits of number i are at(i)."""
    ctype, pair = (HALF, HALF2) if name == "half" else (BFLOAT16, BFLOAT162)
    makers: dict[object, str] = {
        ctype: f"__ushort_as_{name}((unsigned short)%s)",
        FLOAT: "__uint_as_float((unsigned)%s << 16)",
    }

    def argument(kind: object, number: int) -> str:
        if kind == pair:
            both = ", ".join(makers[ctype] % at(number + part) for part in (0, 1))
            return f"__halves2{name}2({both})"
        if kind == FLOAT2:
            return f"make_float2({makers[FLOAT] % at(number)}, {makers[FLOAT] % at(number + 1)})"
        return makers.get(kind, f"({kind})(short)%s") % at(number)

    kinds: list[tuple[str, tuple[object, ...]]] = []
    kinds += [(one, (source,)) for one, (source, target) in CONVERSIONS.items() if ctype in (source, target)]
    kinds += [
        (one, row.params)
        for one, rows in ARRANGEMENTS.items()
        for row in rows
        if {ctype, pair} & {*row.params, row.result}
    ]
    kinds += [(one, (pair if row.pairs else ctype,) * row.operands) for one, row in COMPUTATIONS.items()]
    for one, built_in in BUILTINS.items():
        kinds += [
            (one, row.params)
            for row in built_in
            if one.startswith(("__", "h"))
            and ctype in (*row.params, row.result)
            and all(isinstance(kind, Scalar) for kind in row.params)
            and row.pure
        ]
    return [f"{one}({', '.join(argument(kind, 2 * k) for k, kind in enumerate(params))})" for one, params in kinds]


@pytest.mark.parametrize("name", ["half", "bfloat16"])
def test_functions_of_constants_give_what_they_give_of_variables(name: str) -> None:
    """Infinities, numbers that are none, zeros of both signs, ones and subnormal numbers among the bits."""
    one, infinite, none = (0x3C00, 0x7C00, 0x7E01) if name == "half" else (0x3F80, 0x7F80, 0x7FC1)
    bits = [one + 7, 0x8000, none, 0xC123, infinite, 5]
    constant, variable = _calls(name, lambda i: hex(bits[i])), _calls(name, lambda i: f"p[{i}]")
    lines = [f"    put(out + {16 * i}, {call});" for i, call in enumerate([*constant, *variable])]
    kernel = RawKernel(
        "#include <cuda_fp16.h>\n#include <cuda_bf16.h>\n"
        "template <class T> __device__ void put(char *to, T value) { *(T *)to = value; }\n"
        "__global__ void k(char *out, const unsigned short *p) {\n" + "\n".join(lines) + "\n}",
        "k",
        options=("-O0",),
    )
    out = np.zeros(32 * len(constant), np.uint8)
    kernel((1,), (1,), (out, np.array(bits, np.uint16)))
    of_constants, of_variables = out.reshape(2, -1, 16)
    wrong = [call for call, a, b in zip(constant, of_constants, of_variables, strict=True) if (a != b).any()]
    assert len(constant) > 150 and wrong == []


def test_constants_of_the_headers_have_their_bits() -> None:
    names = "INF NAN MIN_DENORM MAX_NORMAL NEG_ZERO ZERO ONE".split()
    lines = [
        f"out[{i}] = __half_as_ushort(CUDART_{n}_FP16); out[{i + 7}] = __bfloat16_as_ushort(CUDART_{n}_BF16);"
        for i, n in enumerate(names)
    ]
    text = (
        "#include <cuda_fp16.h>\n#include <cuda_bf16.h>\n__global__ void k(unsigned short *out) {"
        + "".join(lines)
        + "}"
    )
    out = np.zeros(14, np.uint16)
    RawKernel(text, "k")((1,), (1,), (out,))
    assert out.tolist() == [
        0x7C00, 0x7FFF, 1, 0x7BFF, 0x8000, 0, 0x3C00, 0x7F80, 0x7FFF, 1, 0x7F7F, 0x8000, 0, 0x3F80
    ]  # fmt: skip


DERIVED = r"""
#include <cuda_bf16.h>
#include <cuda_fp16.h>
template <class T> struct Bits : T { using T::__x; };
template <class T> __device__ constexpr unsigned short bits(T value) { return Bits<T>{value}.__x; }
template <class T> __device__ constexpr T from(unsigned short word) { Bits<T> made{}; made.__x = word; return made; }
struct Counted : __half {
    int count;
    __device__ Counted(float value, int count) : __half(value), count(count) {}
};
extern "C" __global__ void derived(unsigned *out, int n) {
    int i = threadIdx.x;
    Counted counted(i * 0.5f, i);
    if (i % 3 != 1) counted = Counted(-1.0f, n);
    __half value = counted;
    constexpr __half one = from<__half>(0x3c00);
    out[i] = bits(value) | bits(from<__nv_bfloat16>(0x3f80 + counted.count)) << 16;
    out[i] += (unsigned)(float)one;
}
"""


@pytest.mark.parametrize("how", ["compiled", "interpreted"])
def test_a_class_may_be_derived_from_a_short_float(how: str) -> None:
    out = np.zeros(20, np.uint32)
    if how == "compiled":
        RawKernel(DERIVED, "derived")((1,), (20,), (out, 7))
    else:
        module = check(parse(preprocess(Source("derived.cu", DERIVED), Options())))
        Interpreter(module).launch("derived", 1, 20, [out, 7])
    numbers = np.array([i * 0.5 if i % 3 == 1 else -1.0 for i in range(20)], np.float16)
    counts = np.array([i if i % 3 == 1 else 7 for i in range(20)])
    assert out.tolist() == (numbers.view(np.uint16) + (0x3F80 + counts) * 65536 + 1).tolist()
