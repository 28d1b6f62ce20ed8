"""PTX's matrix instructions: `mma.sync`, `ldmatrix` and others give what NumPy computes of whole matrices."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

import numpy as np
import pytest
from front import module
from ptx_assembler import assembles

from simt2simd import RawKernel
from simt2simd.interp.run import Interpreter

RNG = np.random.default_rng(11)
BITS = {
    "f64": 64, "f16": 16, "bf16": 16, "tf32": 32, "e4m3": 8, "e5m2": 8, "s8": 8, "u8": 8, "s4": 4, "u4": 4, "b1": 1,
}  # fmt: skip


def products() -> Iterator[tuple[tuple[int, int, int], str, str, str, str]]:
    """Yield the sizes, the types of a and b and of the sums, and how: what the manual's tables list."""
    yield (8, 8, 4), "f64", "f64", "f64", ""
    for k in (4, 8, 16):
        yield (16, 8, k), "f64", "f64", "f64", ""
    for k, (factor, total) in product((8, 16), (("f16", "f16"), ("f16", "f32"), ("bf16", "f32"))):
        yield (16, 8, k), factor, factor, total, ""
    for k in (4, 8):
        yield (16, 8, k), "tf32", "tf32", "f32", ""
    for a, b, total in product(("e4m3", "e5m2"), ("e4m3", "e5m2"), ("f32", "f16")):
        yield (16, 8, 32), a, b, total, ""
    for bits, depth in ((8, 16), (4, 32)):
        for a, b, size, how in product(
            "su", "su", ((8, 8, depth), (16, 8, depth), (16, 8, 2 * depth)), ("", "satfinite")
        ):
            yield size, f"{a}{bits}", f"{b}{bits}", "s32", how
    for size, how in product(((8, 8, 128), (16, 8, 128), (16, 8, 256)), ("xor", "and")):
        yield size, "b1", "b1", "s32", how


def opcode(size: tuple[int, int, int], a: str, b: str, total: str, how: str) -> str:
    m, n, k = size
    words = f"mma.sync.aligned.m{m}n{n}k{k}.row.col"
    tail = {"satfinite": ".satfinite", "": ""}.get(how, "")
    bits = f".{how}.popc" if how in ("xor", "and") else ""
    return f"{words}{tail}.{total}.{a}.{b}.{total}{bits}"


def elements(kind: str, shape: tuple[int, ...]) -> tuple[np.ndarray, np.ndarray]:
    """Return numbers of a type, and their bits as integers."""
    numbers: np.ndarray
    bits: np.ndarray
    if kind == "f64":
        numbers = RNG.uniform(-2, 2, shape)
        return numbers, numbers.view(np.uint64)
    if kind == "f16":
        numbers = RNG.uniform(-2, 2, shape).astype(np.float16)
        return numbers.astype(np.float64), numbers.view(np.uint16).astype(np.uint64)
    if kind in ("bf16", "tf32"):
        kept = 16 if kind == "bf16" else 13
        bits = RNG.uniform(-2, 2, shape).astype(np.float32).view(np.uint32) >> kept << kept
        numbers = bits.astype(np.uint32).view(np.float32).astype(np.float64)
        return numbers, (bits >> (16 if kind == "bf16" else 0)).astype(np.uint64)
    if kind in ("e4m3", "e5m2"):
        mantissa = 3 if kind == "e4m3" else 2
        bits = RNG.integers(0, 256, shape, np.uint64) & ~np.uint64(0x40)  # of small exponents, some of them 0
        exponent, digits = (
            (bits >> np.uint64(mantissa) & np.uint64(31 >> mantissa - 2)),
            bits & np.uint64((1 << mantissa) - 1),
        )
        bias = 7 if kind == "e4m3" else 15
        scale = 2.0 ** (np.maximum(exponent, 1).astype(np.float64) - bias)
        magnitude = scale * ((exponent > 0) + digits / 2.0**mantissa)
        return np.where(bits & np.uint64(0x80), -magnitude, magnitude), bits
    bits = RNG.integers(0, 1 << BITS[kind], shape, np.uint64)
    signed = kind[0] == "s"
    numbers = (
        bits.astype(np.int64) - ((bits >> np.uint64(BITS[kind] - 1)) << np.uint64(BITS[kind])).astype(np.int64) * signed
    )
    return numbers, bits


def pack(bits: np.ndarray, kind: str, places: list[list[tuple[int, int]]]) -> np.ndarray:
    """Return the registers of each lane: `places` says which elements a lane has, in order."""
    if kind == "f64":
        return np.array([[bits[place] for place in row] for row in places], np.uint64).view(np.float64)
    each = 32 // BITS[kind]
    words = []
    for row in places:
        for first in range(0, len(row), each):
            words.append(sum(int(bits[place]) << i * BITS[kind] for i, place in enumerate(row[first : first + each])))
    return np.array(words, np.uint32).reshape(32, -1)


def places_of_a(m: int, k: int, kind: str) -> list[list[tuple[int, int]]]:
    """Return the places of the elements a0, a1, ... of each lane, from the manual's formulas."""
    each = max(1, 32 // BITS[kind])
    rows = []
    for lane in range(32):
        group, thread, held = lane >> 2, lane % 4, []
        for i in range(m * k // 32):
            register, part = divmod(i, each)
            row = group if m == 8 or register % 2 == 0 else group + 8
            column = thread * each + part + 4 * each * (register // (m // 8))
            held.append((row, column))
        rows.append(held)
    return rows


def places_of_b(k: int, kind: str) -> list[list[tuple[int, int]]]:
    each = max(1, 32 // BITS[kind])
    return [
        [((lane % 4) * each + i % each + 4 * each * (i // each), lane >> 2) for i in range(k * 8 // 32)]
        for lane in range(32)
    ]


def places_of_sum(m: int) -> list[list[tuple[int, int]]]:
    return [[((lane >> 2) + 8 * (i // 2), 2 * (lane % 4) + i % 2) for i in range(m * 8 // 32)] for lane in range(32)]


def kernel(name: str, operation: str, a: int, b: int, c: int, factor: str, total: str) -> str:
    """Return a kernel in which each warp multiplies; a, b and c are numbers of registers."""
    of_factor, of_sum = ("d" if factor == "double" else "r"), {"double": "d", "float": "f"}.get(total, "r")
    numbers = iter(range(100))
    groups = ["{" + ", ".join(f"%{next(numbers)}" for _ in range(count)) + "}" for count in (c, a, b, c)]
    outputs = ", ".join(f'"={of_sum}"(d[{i}])' for i in range(c))
    inputs = [f'"{of_factor}"(a[{i}])' for i in range(a)] + [f'"{of_factor}"(b[{i}])' for i in range(b)]
    inputs += [f'"{of_sum}"(c[{i}])' for i in range(c)]
    params = f"const {factor} *as, const {factor} *bs, const {total} *cs, {total} *ds"
    return f"""extern "C" __global__ void {name}({params}) {{
        int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
        {factor} a[{a}], b[{b}]; {total} c[{c}], d[{c}];
        for (int i = 0; i < {a}; i++) a[i] = as[(warp * 32 + lane) * {a} + i];
        for (int i = 0; i < {b}; i++) b[i] = bs[(warp * 32 + lane) * {b} + i];
        for (int i = 0; i < {c}; i++) c[i] = d[i] = cs[(warp * 32 + lane) * {c} + i];
        if (warp != 1)  // what one warp leaves out, the others do
            asm volatile("{operation} {", ".join(groups)};" : {outputs} : {", ".join(inputs)});
        for (int i = 0; i < {c}; i++) ds[(warp * 32 + lane) * {c} + i] = d[i];
    }}
"""


EVERY = list(products())


def is_slow(size: tuple[int, int, int], a: str, b: str, total: str, how: str) -> bool:
    """Whether others of the same kind are tested each time."""
    common = size in ((8, 8, 4), (16, 8, 8), (16, 8, 16), (16, 8, 32), (16, 8, 64), (16, 8, 256))
    return not common or a != b or a in ("u8", "u4", "e5m2") or total == "f16" or how == "and"


@pytest.mark.parametrize(
    ("size", "a", "b", "total", "how"),
    [pytest.param(*each, marks=[pytest.mark.slow] * is_slow(*each)) for each in EVERY],
    ids=lambda value: str(value).replace(" ", ""),
)
def test_products_of_all_sizes_and_types(size: tuple[int, int, int], a: str, b: str, total: str, how: str) -> None:
    m, n, k = size
    warps = 3
    factor = "double" if a == "f64" else "unsigned"
    sums = {"f64": "double", "f32": "float", "f16": "unsigned", "s32": "int"}[total]
    as_, bs, cs, expected = [], [], [], []
    for _ in range(warps):
        left, left_bits = elements(a, (m, k))
        right, right_bits = elements(b, (k, n))
        as_.append(pack(left_bits, a, places_of_a(m, k, a)))
        bs.append(pack(right_bits, b, places_of_b(k, b)))
        if total == "s32":
            before = RNG.integers(-1000, 1000, (m, n))
            if how == "satfinite":
                before = np.where(RNG.random((m, n)) < 0.5, (1 << 31) - 1 - abs(before), abs(before) - (1 << 31))
        else:
            before = RNG.uniform(-1, 1, (m, n)).astype({"f64": np.float64, "f32": np.float32, "f16": np.float16}[total])
        if how in ("xor", "and"):
            combine = np.bitwise_xor if how == "xor" else np.bitwise_and
            dot = combine(left[:, :, None], right[None]).sum(axis=1)
        else:
            dot = left @ right
        whole = before.astype(dot.dtype) + dot
        if how == "satfinite":
            whole = np.clip(whole, -(1 << 31), (1 << 31) - 1)
        places = places_of_sum(m)
        cs.append(np.array([[before[place] for place in row] for row in places]))
        expected.append(np.array([[whole[place] for place in row] for row in places]))
    expected[1] = cs[1]
    kinds = {"double": np.float64, "float": np.float32, "int": np.int32, "unsigned": np.float16}
    given = [np.array(each) for each in (as_, bs, cs)]
    given[2] = given[2].astype(kinds[sums])
    registers = given[0].shape[-1], given[1].shape[-1], given[2].shape[-1] // (2 if total == "f16" else 1)
    text = kernel("k", opcode(size, a, b, total, how), *registers, factor, sums)
    if total == "f16":
        given[2] = given[2].view(np.uint32)
    found = [np.zeros_like(given[2]) for _ in range(2)]
    RawKernel(text, "k")((1,), (32 * warps,), (*(np.ascontiguousarray(each) for each in given), found[0]))
    Interpreter(module(text)).launch("k", 1, 32 * warps, [*(each.copy() for each in given), found[1]])
    np.testing.assert_array_equal(found[0], found[1])
    if total == "s32":
        np.testing.assert_array_equal(found[0], np.array(expected))
    else:
        tolerance = {"f64": 1e-14, "f32": 2e-6, "f16": 2e-3}[total]
        numbers = found[0].view(np.float16) if total == "f16" else found[0]
        np.testing.assert_allclose(numbers.astype(np.float64), np.array(expected), rtol=tolerance, atol=tolerance * k)


@pytest.mark.slow
def test_nvcc_takes_all_products() -> None:
    for arch, chosen in (("sm_80", "f16 bf16 tf32 s8 u8 s4 u4 b1".split()), ("sm_90", ["f64", "e4m3", "e5m2"])):
        text = ""
        for number, (size, a, b, total, how) in enumerate(EVERY):
            if a in chosen:
                m, n, k = size
                held = max(1, 32 // BITS[a])
                sums = {"f64": "double", "f32": "float", "f16": "unsigned", "s32": "int"}[total]
                counts = m * k // 32 // held, k * n // 32 // held, m * n // 32 // (2 if total == "f16" else 1)
                factor = "double" if a == "f64" else "unsigned"
                text += kernel(f"k{number}", opcode(size, a, b, total, how), *counts, factor, sums)
        assembles(text, arch)


# c = a * b, where b comes by columns: tiles of 64 x 64 x 32, of which one is copied while the other is multiplied.
MATMUL = r"""#include <cuda_fp16.h>
#include <cstdint>
__device__ uint32_t address(const half &place) { return (uint32_t)__cvta_generic_to_shared(&place); }
extern "C" __global__ void matmul(const half *a, const half *b, float *c, int m, int n, int k) {
    __shared__ __align__(16) half as[2][64][40], bs[2][64][40];
    int t = threadIdx.x, warp = t / 32, lane = t % 32;
    int row0 = blockIdx.y * 64, col0 = blockIdx.x * 64;
    int wm = warp / 2 * 32, wn = warp % 2 * 32;
    float sum[2][4][4] = {};
    auto load = [&](int stage, int k0) {
        for (int i = t; i < 256; i += 128) {
            int r = i / 4, part = i % 4 * 8;
            asm volatile("cp.async.cg.shared.global [%0], [%1], 16;\n"
                         :: "r"(address(as[stage][r][part])), "l"(a + (row0 + r) * k + k0 + part));
            asm volatile("cp.async.cg.shared.global.L2::128B [%0], [%1], %2, %3;\n"
                         :: "r"(address(bs[stage][r][part])), "l"(b + (col0 + r) * k + k0 + part), "n"(16),
                            "r"(col0 + r < n ? 16 : 0));
        }
        asm volatile("cp.async.commit_group;\n" ::);
    };
    load(0, 0);
    for (int k0 = 0, stage = 0; k0 < k; k0 += 32, stage ^= 1) {
        if (k0 + 32 < k) {
            load(stage ^ 1, k0 + 32);
            asm volatile("cp.async.wait_group %0;\n" :: "n"(1));
        } else {
            asm volatile("cp.async.wait_all;\n" ::);
        }
        __syncthreads();
        for (int kk = 0; kk < 32; kk += 16) {
            uint32_t fa[2][4], fb[2][4];
            for (int i = 0; i < 2; i++) {
                uint32_t at = address(as[stage][wm + 16 * i + lane % 16][kk + lane / 16 * 8]);
                asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];\n"
                             : "=r"(fa[i][0]), "=r"(fa[i][1]), "=r"(fa[i][2]), "=r"(fa[i][3]) : "r"(at));
                at = address(bs[stage][wn + 16 * i + lane % 8 + lane / 16 * 8][kk + lane / 8 % 2 * 8]);
                asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];\n"
                             : "=r"(fb[i][0]), "=r"(fb[i][1]), "=r"(fb[i][2]), "=r"(fb[i][3]) : "r"(at));
            }
            for (int i = 0; i < 2; i++)
                for (int j = 0; j < 4; j++) {
                    float *d = sum[i][j];
                    uint32_t *x = fa[i], *y = fb[j / 2] + j % 2 * 2;
                    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
                                 "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};\n"
                                 : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                                 : "r"(x[0]), "r"(x[1]), "r"(x[2]), "r"(x[3]), "r"(y[0]), "r"(y[1]));
                }
        }
        __syncthreads();
    }
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 4; j++)
            for (int e = 0; e < 4; e++) {
                int row = row0 + wm + 16 * i + lane / 4 + e / 2 * 8;
                c[row * n + col0 + wn + 8 * j + lane % 4 * 2 + e % 2] = sum[i][j][e];
            }
}"""


LANES = [pytest.param((f"--lanes={lanes}",), marks=pytest.mark.slow, id=str(lanes)) for lanes in (16, 64)]


@pytest.mark.parametrize("options", [(), pytest.param(("-O0",), id="O0"), *LANES])
def test_a_product_in_tiles(options: tuple[str, ...]) -> None:
    m, n, k = 64, 128, 96
    a, b = (RNG.uniform(-1, 1, (rows, k)).astype(np.float16) for rows in (m, n))
    c = np.zeros((m, n), np.float32)
    RawKernel(MATMUL, "matmul", options=options)((n // 64, m // 64), (128,), (a, b, c, m, n, k))
    np.testing.assert_allclose(c, a.astype(np.float32) @ b.astype(np.float32).T, rtol=1e-5, atol=1e-5)


# Each warp has 16 rows of q, and goes over all keys 16 at a time: softmax(q k^T) v, with a running maximum.
ATTENTION = r"""#include <cuda_fp16.h>
#include <cstdint>
__device__ uint32_t address(const half &place) { return (uint32_t)__cvta_generic_to_shared(&place); }
__device__ void copy(const half &to, const half *from) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" :: "r"(address(to)), "l"(from) : "memory");
}
extern "C" __global__ void attention(const half *q, const half *k, const half *v, float *out, int keys) {
    __shared__ __align__(16) half qs[64][32], ks[2][16][32], vs[2][16][32];
    int t = threadIdx.x, warp = t / 32, lane = t % 32;
    auto load = [&](int stage, int first) {
        int row = t % 64 / 4, part = t % 4 * 8;
        if (t < 64) copy(ks[stage][row][part], k + (first + row) * 32 + part);
        else copy(vs[stage][row][part], v + (first + row) * 32 + part);
        asm volatile("cp.async.commit_group;" ::: "memory");
    };
    for (int i = t; i < 256; i += 128) copy(qs[i / 4][i % 4 * 8], q + blockIdx.x * 2048 + i * 8);
    load(0, 0);
    float o[4][4] = {}, top[2] = {-INFINITY, -INFINITY}, total[2] = {0, 0};
    uint32_t fq[2][4];
    for (int first = 0, stage = 0; first < keys; first += 16, stage ^= 1) {
        if (first + 16 < keys) { load(stage ^ 1, first + 16); asm volatile("cp.async.wait_group 1;" ::: "memory"); }
        else asm volatile("cp.async.wait_group 0;" ::: "memory");
        __syncthreads();
        if (first == 0)
            for (int i = 0; i < 2; i++)
                asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                             : "=r"(fq[i][0]), "=r"(fq[i][1]), "=r"(fq[i][2]), "=r"(fq[i][3])
                             : "r"(address(qs[warp * 16 + lane % 16][16 * i + lane / 16 * 8])));
        float s[2][4] = {};
        for (int i = 0; i < 2; i++) {
            uint32_t b[4];
            asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                         : "=r"(b[0]), "=r"(b[1]), "=r"(b[2]), "=r"(b[3])
                         : "r"(address(ks[stage][lane % 8 + lane / 16 * 8][16 * i + lane / 8 % 2 * 8])));
            for (int j = 0; j < 2; j++)
                asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
                             "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                             : "+f"(s[j][0]), "+f"(s[j][1]), "+f"(s[j][2]), "+f"(s[j][3])
                             : "r"(fq[i][0]), "r"(fq[i][1]), "r"(fq[i][2]), "r"(fq[i][3]),
                               "r"(b[2 * j]), "r"(b[2 * j + 1]));
        }
        for (int half_ = 0; half_ < 2; half_++) {
            int e = 2 * half_;
            float best = fmaxf(fmaxf(s[0][e], s[0][e + 1]), fmaxf(s[1][e], s[1][e + 1]));
            for (int by = 1; by < 4; by *= 2) best = fmaxf(best, __shfl_xor_sync(0xffffffff, best, by));
            float now = fmaxf(top[half_], best), scale, sum = 0;
            asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(scale) : "f"((top[half_] - now) * 1.44269504f));
            for (int j = 0; j < 2; j++)
                for (int i = 0; i < 2; i++) {
                    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(s[j][e + i]) : "f"((s[j][e + i] - now) * 1.44269504f));
                    sum += s[j][e + i];
                }
            total[half_] = total[half_] * scale + sum;
            top[half_] = now;
            for (int j = 0; j < 4; j++) { o[j][e] *= scale; o[j][e + 1] *= scale; }
        }
        uint32_t p[4];
        for (int i = 0; i < 4; i++)
            asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(p[i]) : "f"(s[i / 2][i % 2 * 2 + 1]), "f"(s[i / 2][i % 2 * 2]));
        for (int i = 0; i < 2; i++) {
            uint32_t b[4];
            asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                         : "=r"(b[0]), "=r"(b[1]), "=r"(b[2]), "=r"(b[3])
                         : "r"(address(vs[stage][lane % 16][16 * i + lane / 16 * 8])));
            for (int j = 0; j < 2; j++) {
                float *d = o[2 * i + j];
                asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
                             "{%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                             : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                             : "r"(p[0]), "r"(p[1]), "r"(p[2]), "r"(p[3]), "r"(b[2 * j]), "r"(b[2 * j + 1]));
            }
        }
        __syncthreads();
    }
    for (int half_ = 0; half_ < 2; half_++) {
        float all = total[half_], over;
        for (int by = 1; by < 4; by *= 2) all += __shfl_xor_sync(0xffffffff, all, by);
        asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(over) : "f"(all));
        for (int j = 0; j < 4; j++)
            for (int i = 0; i < 2; i++)
                out[(blockIdx.x * 64 + warp * 16 + lane / 4 + 8 * half_) * 32 + 8 * j + lane % 4 * 2 + i]
                    = o[j][2 * half_ + i] * over;
    }
}"""


def test_attention_with_a_running_maximum() -> None:
    rows, keys = 128, 80
    q, k, v = (RNG.uniform(-1, 1, (count, 32)).astype(np.float16) for count in (rows, keys, keys))
    out = np.zeros((rows, 32), np.float32)
    RawKernel(ATTENTION, "attention")((rows // 64,), (128,), (q, k, v, out, keys))
    weights = np.exp(q.astype(np.float64) @ k.astype(np.float64).T)
    expected = weights @ v.astype(np.float64) / weights.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(out, expected, atol=2e-3)


def test_attention_in_the_interpreter() -> None:
    keys = 32
    q, k, v = (RNG.uniform(-1, 1, (count, 32)).astype(np.float16) for count in (64, keys, keys))
    found = [np.zeros((64, 32), np.float32) for _ in range(2)]
    RawKernel(ATTENTION, "attention")((1,), (128,), (q, k, v, found[0], keys))
    Interpreter(module(ATTENTION)).launch("attention", 1, 128, [q, k, v, found[1], keys])
    np.testing.assert_allclose(found[0], found[1], rtol=1e-5, atol=1e-6)


@pytest.mark.slow
def test_nvcc_takes_whole_kernels() -> None:
    assembles(MATMUL, "sm_80")
    assembles(ATTENTION, "sm_80")
