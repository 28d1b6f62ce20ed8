"""Lowering: what it refuses, and shapes of code that no other test reaches."""

from __future__ import annotations

import ctypes
import functools
import mmap

import numpy as np
import pytest

from simt2simd import CompileError, RawKernel, RawModule
from simt2simd.options import Options
from simt2simd.pipeline.driver import compile_device
from simt2simd.source import Source
from simt2simd.target import AVX512


def test_too_much_local_memory_is_refused() -> None:
    code = "__global__ void k(int *a) {\n    int big[100000];\n    big[a[0]] = 1;\n    a[1] = big[a[2]];\n}"
    with pytest.raises(CompileError, match=r"<code>:2:\d+: error: the local variables of 'k' take more than 256 KiB"):
        RawKernel(code, "k").compile()


def test_the_highest_lane_wins_where_lanes_meet() -> None:
    code = "__global__ void k(int *a) { a[0] = threadIdx.x; a[1 + (threadIdx.x & 1)] = threadIdx.x; }"
    out = np.zeros(3, np.int32)
    RawKernel(code, "k")((1,), (16,), (out,))
    assert out.tolist() == [15, 14, 15]


def test_lanes_that_are_off_touch_no_memory() -> None:
    code = """
    __global__ void k(const int *in, int *out, int n, const int *none) {
        int i = threadIdx.x;
        if (i < n) out[i] = in[i] + in[2 * i] + in[(i * 7) % n];
        if (i > 100) out[i] = none[0] + none[i] + none[i * i];
    }
    """
    kernel = RawKernel(code, "k")
    for n in (1, 5, 16, 17, 31):
        data = np.arange(2 * n, dtype=np.int32)
        out = np.zeros(n, np.int32)
        kernel((1,), (48,), (data, out, n, None))
        i = np.arange(n)
        assert (out == data[i] + data[2 * i] + data[(i * 7) % n]).all()


EDGES = """
struct Pair { float x, y; };
struct Triple { float x, y, z; };
struct Quad { float x, y, z, w; };
struct Pixel { unsigned char r, g, b, a; };
__global__ void edges(const float *in, float *out, const int *at, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    const Pair *pairs = (const Pair *)in;
    const Triple *triples = (const Triple *)in;
    const Quad *quads = (const Quad *)in;
    const Pixel *pixels = (const Pixel *)in;
    const double *doubles = (const double *)in;
    const short *shorts = (const short *)in;
    const unsigned char *bytes = (const unsigned char *)in;
    int last = 12 * n - 1;
    float sum = in[i] + in[last - i] + in[2 * i] + in[last - 2 * i] + in[8 * i] + in[last - 5 * i] + in[i / 2];
    sum += in[max(i - 3, 0)] + in[min(i + last - 2, last)] + in[last - i / 3] + in[min(2 * i + last - 4, last)];
    sum += pairs[i].y + pairs[6 * n - 1 - i].x + triples[i].x + triples[4 * n - 1 - i].z;
    sum += quads[i].x + quads[3 * n - 1 - i].y + pixels[i].b + pixels[last - i].a + pixels[at[i]].g;
    sum += doubles[i] + doubles[6 * n - 1 - i] + doubles[2 * i] + doubles[6 * n - 1 - 2 * i];
    sum += shorts[3 * i] + shorts[2 * last + 1 - i] + shorts[2 * last + 1 - 2 * i];
    sum += shorts[min(i + 2 * last - 3, 2 * last + 1)];
    sum += bytes[i] + bytes[4 * last + 3 - i] + bytes[4 * last + 3 - 3 * i] + bytes[max(i - 3, 0)];
    out[i] = sum > 0;
}
__global__ void stores(float *out, int n, int down) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    Quad q = {1, 2, 3, 4};
    int k = down ? n - 1 - i : i;
    ((Quad *)out)[down ? 0 : i] = q;
    ((Quad *)out)[n - 1 - i] = q;
    out[4 * n - 1 - i] = 5;
    out[2 * i] = k;
    ((unsigned char *)out)[16 * n - 1 - 2 * i] = 1;
    ((double *)out)[2 * n - 1 - i] = 1;
}
"""


def guarded_page() -> tuple[mmap.mmap, int]:
    """Return memory with a page that can be touched between two that cannot, and where it begins."""
    page = mmap.PAGESIZE
    whole = mmap.mmap(-1, 3 * page)
    address = np.frombuffer(whole, np.uint8).ctypes.data
    for guard in (0, 2):
        assert ctypes.CDLL(None).mprotect(ctypes.c_void_p(address + guard * page), page, 0) == 0
    return whole, page


@pytest.mark.parametrize("at_end", [True, False], ids=["before a guard page", "behind a guard page"])
@pytest.mark.parametrize("n", [1, 3, 15, 16, 17, 31])
def test_wide_accesses_stay_within_what_lanes_touch(n: int, at_end: bool) -> None:
    """An array that ends, or begins, at a page that cannot be touched."""
    whole, page = guarded_page()

    def array(count: int) -> np.ndarray:
        return np.frombuffer(whole, np.float32, count, 2 * page - 4 * count if at_end else page)

    at = np.arange(n, dtype=np.int32)[::-1] * 11
    out = np.zeros(n, np.float32)
    RawKernel(EDGES, "edges")((1,), (32,), (array(12 * n), out, at.copy(), n))
    RawKernel(EDGES, "stores")((1,), (32,), (array(4 * n), n, 0))
    RawKernel(EDGES, "stores")((1,), (32,), (array(4 * n), n, 1))


RECORDS = """
struct Light { float x, y, z, range, red, green, blue; };
__global__ void lit(const Light *lights, const int *order, float *out, int n) {
    int i = threadIdx.x;
    if (i < n && lights[i].z > 0.5f && lights[i].x < 0.9f) out[i] += lights[i].blue;
    if (i < n && lights[order[i]].z > 0.5f && lights[order[i]].x < 0.9f) out[i] += lights[order[i]].blue;
    if (i < n && lights[n - 1 - i].blue > 0.5f && lights[n - 1 - i].x < 0.9f) out[i] += lights[n - 1 - i].y;
}
"""


@pytest.mark.parametrize("at_end", [True, False], ids=["before a guard page", "behind a guard page"])
@pytest.mark.parametrize("n", [1, 15, 17, 32])
def test_records_of_lanes_that_are_off_are_not_touched(n: int, at_end: bool) -> None:
    """What the first read takes along for later ones lies in the records of the lanes that make it."""
    whole, page = guarded_page()
    lights = np.frombuffer(whole, np.float32, 7 * n, 2 * page - 28 * n if at_end else page).reshape(n, 7)
    lights[:] = np.random.default_rng(n).uniform(0, 1, (n, 7))
    order, out = np.arange(n, dtype=np.int32)[::-1].copy(), np.zeros(n, np.float32)
    RawKernel(RECORDS, "lit")((1,), (32,), (lights, order, out, n))

    back = lights[::-1]
    expected = np.zeros(n, np.float32)
    for records in (lights, back):
        expected += np.where((records[:, 2] > 0.5) & (records[:, 0] < 0.9), records[:, 6], 0)
    expected += np.where((back[:, 6] > 0.5) & (back[:, 0] < 0.9), back[:, 1], 0)
    assert np.array_equal(out, expected)


WORDS = """
struct Two { unsigned char a, b; };
struct Five { unsigned char b[5]; };
struct Eight { unsigned char b[8]; };
struct Twelve { unsigned char b[12]; };
template <class T> __device__ void change(T *all, const int *order, int n, int i) {
    if (i >= n) return;
    T x = all[i], y = all[order[i]];
    ((unsigned char *)&x)[0] += ((unsigned char *)&y)[sizeof(T) - 1];
    all[i] = x;
}
__global__ void twos(Two *all, const int *order, int n) { change(all, order, n, threadIdx.x); }
__global__ void fives(Five *all, const int *order, int n) { change(all, order, n, threadIdx.x); }
__global__ void eights(Eight *all, const int *order, int n) { change(all, order, n, threadIdx.x); }
__global__ void twelves(Twelve *all, const int *order, int n) { change(all, order, n, threadIdx.x); }
__global__ void bytes(unsigned char *p, const int *order, int n) {
    int i = threadIdx.x;
    if (i >= n) return;
    unsigned long long s = 0, t = 0;
    for (int k = 0; k < 8; k++) s |= (unsigned long long)p[8 * i + k] << (8 * k);
    for (int k = 0; k < 8; k++) t |= (unsigned long long)p[8 * order[i] + k] << (8 * k);
    unsigned u = p[8 * order[i] + 6] | p[8 * order[i] + 7] << 8;
    p[8 * i] += (unsigned char)((s ^ t) >> 56) + (u >> 8);
}
"""


@pytest.mark.parametrize("at_end", [True, False], ids=["before a guard page", "behind a guard page"])
@pytest.mark.parametrize("kernel", ["twos", "fives", "eights", "twelves", "bytes"])
@pytest.mark.parametrize("lanes", [16, 64])
def test_words_hold_nothing_but_the_objects_bytes(kernel: str, at_end: bool, lanes: int) -> None:
    """Structs and words at the end, or the beginning, of what can be touched, wherever their words would be aligned."""
    size = {"twos": 2, "fives": 5, "eights": 8, "twelves": 12, "bytes": 8}[kernel]
    run = words_module(lanes).get_function(kernel)
    for n in (1, 3, 15, 16, 17, 31):
        whole, page = guarded_page()
        all_ = np.frombuffer(whole, np.uint8, size * n, 2 * page - size * n if at_end else page).reshape(n, size)
        all_[:] = np.random.default_rng(n).integers(0, 256, (n, size))
        before, order = all_.copy(), np.arange(n, dtype=np.int32)  # each thread's own: others write theirs
        run((1,), (32,), (all_.reshape(-1), order, n))
        expected = before.copy()
        expected[:, 0] += before[:, -1]
        assert np.array_equal(all_, expected), n


@functools.cache
def words_module(lanes: int) -> RawModule:
    return RawModule(code=WORDS, options=(f"--lanes={lanes}", "-O0"))


def test_what_a_wider_mask_has_read_is_not_read_again() -> None:
    """A gather of a test serves what is behind it; what comes along with vectors takes no more of these."""

    def count(*disabled: str) -> tuple[int, int]:
        options = Options(target=AVX512, disabled=frozenset({"full-mask", *disabled}))
        text = compile_device(Source("records.cu", RECORDS), options, until="opt").dump("opt")
        return text.count("call <16 x i32> @llvm.masked.load"), text.count("gather")

    (vectors, gathers), (vectors_again, gathers_again) = count(), count("available-loads")
    assert vectors <= vectors_again and gathers < gathers_again
