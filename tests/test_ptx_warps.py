"""PTX for warps, matrices in shared memory and asynchronous copies: what NumPy says, compiled and interpreted."""

from __future__ import annotations

import numpy as np
from front import module
from ptx_assembler import assembles

from simt2simd import RawKernel
from simt2simd.interp.run import Interpreter

RNG = np.random.default_rng(5)

SHUFFLES = [  # kind, b, c
    ("up", 3, 0), ("up", 5, 0x1800), ("down", 2, 31), ("down", 7, 0x101F), ("bfly", 5, 31), ("bfly", 9, 0x181F),
    ("idx", 13, 31), ("idx", 3, 0x181F), ("idx", 9, 20), ("down", 4, 17), ("up", 2, 6), ("bfly", 3, 0x1005),
]  # fmt: skip


def shuffled(kind: str, by: int, how: int) -> tuple[list[int], list[int]]:
    """Return the source of each lane and whether it is inside, by the manual's formulas."""
    low, segment = how & 31, how >> 8 & 31
    sources, inside = [], []
    for lane in range(32):
        last, first = (lane & segment) | (low & ~segment & 31), lane & segment
        place = {"up": lane - by, "down": lane + by, "bfly": lane ^ by, "idx": first | (by & ~segment & 31)}[kind]
        good = place >= last if kind == "up" else place <= last
        sources.append(place if good else lane)
        inside.append(int(good))
    return sources, inside


def both(text: str, name: str, block: int, arrays: list[np.ndarray]) -> list[np.ndarray]:
    """Return the arrays after the compiled kernel; what the interpreter leaves there is the same."""
    ours, theirs = ([array.copy() for array in arrays] for _ in range(2))
    RawKernel(text, name)((1,), (block,), tuple(ours))
    Interpreter(module(text)).launch(name, 1, block, theirs)
    for mine, other in zip(ours, theirs, strict=True):
        np.testing.assert_array_equal(mine, other)
    return ours


def test_shuffles_with_predicates() -> None:
    body = "".join(
        f"""asm volatile("{{ .reg .pred p; shfl.sync.{kind}.b32 %0|p, %2, {by}, {how}, -1; selp.u32 %1, 1, 0, p; }}"
                : "=r"(x), "=r"(y) : "r"(a[i]));
            asm volatile("shfl.sync.{kind}.b32 %0, %1, %2, %3, -1;" : "=r"(z) : "r"(a[i]), "r"({by}), "r"({how}));
            d[{3 * k} * 64 + i] = x; d[{3 * k + 1} * 64 + i] = y; d[{3 * k + 2} * 64 + i] = z;\n"""
        for k, (kind, by, how) in enumerate(SHUFFLES)
    )
    text = f"""extern "C" __global__ void k(unsigned *d, const unsigned *a) {{
        int i = threadIdx.x; unsigned x, y, z; {body} }}"""
    assembles(text, "sm_80")
    a = RNG.integers(0, 1 << 32, 64, np.uint32)
    d, _ = both(text, "k", 64, [np.zeros(3 * len(SHUFFLES) * 64, np.uint32), a])
    rows = d.reshape(len(SHUFFLES), 3, 2, 32)
    for row, (kind, by, how) in zip(rows, SHUFFLES, strict=True):
        sources, inside = shuffled(kind, by, how)
        for warp in range(2):
            for found in (row[0, warp], row[2, warp]):
                assert found.tolist() == a.reshape(2, 32)[warp][sources].tolist(), (kind, by, how)
            assert row[1, warp].tolist() == inside, (kind, by, how)


VOTES = r"""extern "C" __global__ void k(unsigned *d, const unsigned *a) {
    int i = threadIdx.x, n = blockDim.x; unsigned r, s;
    asm volatile("{ .reg .pred p; setp.gt.u32 p, %1, 2; vote.sync.ballot.b32 %0, p, 0xffffffff; }"
                 : "=r"(r) : "r"(a[i]));
    d[i] = r;
    asm volatile("{ .reg .pred p, q; setp.gt.u32 p|q, %1, 2; vote.sync.any.pred p, !q, -1; vote.sync.all.pred q, q, -1;"
                 " selp.u32 %0, 1, 0, p; @q add.u32 %0, %0, 2; }" : "=r"(r) : "r"(a[i]));
    d[n + i] = r;
    asm volatile("match.any.sync.b32 %0, %1, 0xffffffff;" : "=r"(r) : "r"(a[i]));
    d[2 * n + i] = r;
    asm volatile("{ .reg .pred p; match.all.sync.b32 %0|p, %2, -1; selp.u32 %1, 1, 0, p; }"
                 : "=r"(r), "=r"(s) : "r"(i / 32 ? 7 : a[i]));
    d[3 * n + i] = r; d[4 * n + i] = s;
    asm volatile("redux.sync.add.s32 %0, %1, 0xffffffff;" : "=r"(r) : "r"(a[i])); d[5 * n + i] = r;
    asm volatile("redux.sync.max.u32 %0, %1, 0xffffffff;" : "=r"(r) : "r"(a[i])); d[6 * n + i] = r;
    asm volatile("redux.sync.xor.b32 %0, %1, 0xffffffff;" : "=r"(r) : "r"(a[i])); d[7 * n + i] = r;
    if (i % 2) asm volatile("activemask.b32 %0;" : "=r"(r)); d[8 * n + i] = r;
    asm volatile("{ .reg .pred p; .reg .u64 q; cvta.to.global.u64 q, %1; isspacep.global p, q; selp.u32 %0, 1, 0, p; }"
                 : "=r"(r) : "l"(d)); d[9 * n + i] = r;
}"""


def test_votes_matches_and_reductions() -> None:
    assembles(VOTES, "sm_80")
    a = RNG.integers(0, 5, 64, np.uint32)
    d, _ = both(VOTES, "k", 64, [np.zeros(640, np.uint32), a])
    for warp, values in enumerate(a.reshape(2, 32)):
        rows = d.reshape(10, 2, 32)[:, warp]
        ballot = sum(1 << lane for lane in range(32) if values[lane] > 2)
        assert (rows[0] == ballot).all()
        assert (rows[1] == (ballot != 0) + 2 * (ballot == 0)).all()
        assert rows[2].tolist() == [sum(1 << lane for lane in range(32) if values[lane] == v) for v in values]
        assert (rows[3] == (0xFFFFFFFF if warp else 0)).all() and (rows[4] == warp).all()
        assert (rows[5] == values.sum()).all() and (rows[6] == values.max()).all()
        assert (rows[7] == np.bitwise_xor.reduce(values)).all()
        assert (rows[8][1::2] == 0xAAAAAAAA).all() and (rows[9] == 1).all()


MOVED = r"""#include <cstdint>
extern "C" __global__ void k(unsigned *d, const unsigned short *a, unsigned short *b) {
    __shared__ __align__(16) unsigned short s[32][8], r[2][32][8];
    int i = threadIdx.x; unsigned x, y, z, w;
    for (int j = 0; j < 8; j++) s[i][j] = a[8 * i + j];
    __syncwarp();
    uint32_t at = (uint32_t)__cvta_generic_to_shared(&s[i][0]);
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(x), "=r"(y), "=r"(z), "=r"(w) : "r"(at));
    d[i] = x; d[32 + i] = y; d[64 + i] = z; d[96 + i] = w;
    uint32_t to = (uint32_t)__cvta_generic_to_shared(&r[0][i][0]);
    asm volatile("stmatrix.sync.aligned.m8n8.x4.shared.b16 [%0], {%1, %2, %3, %4};"
                 :: "r"(to), "r"(x), "r"(y), "r"(z), "r"(w));
    asm volatile("stmatrix.sync.aligned.m8n8.x2.trans.shared::cta.b16 [%0+512], {%1, %2};" :: "r"(to), "r"(x), "r"(w));
    asm volatile("movmatrix.sync.aligned.m8n8.trans.b16 %0, %1;" : "=r"(z) : "r"(y));
    d[224 + i] = z;
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2 + 256];"
                 : "=r"(x), "=r"(y) : "r"(at));
    d[128 + i] = x; d[160 + i] = y;
    asm volatile("ldmatrix.sync.aligned.m8n8.x1.shared::cta.b16 {%0}, [%1];" : "=r"(z) : "r"(at ^ 16)); d[192 + i] = z;
    __syncwarp();
    for (int j = 0; j < 8; j++) b[8 * i + j] = r[0][i][j];
    if (i < 16) for (int j = 0; j < 8; j++) b[256 + 8 * i + j] = r[1][i][j];
}"""


def test_matrices_in_shared_memory() -> None:
    assembles(MOVED, "sm_90")
    a = np.arange(256, dtype=np.uint16)
    d, _, b = both(MOVED, "k", 32, [np.zeros(256, np.uint32), a, np.zeros(384, np.uint16)])
    whole, found = a.reshape(4, 8, 8), d.view(np.uint16).reshape(8, 8, 8)
    np.testing.assert_array_equal(found[:4], whole)
    np.testing.assert_array_equal(found[4:6], whole[2:].transpose(0, 2, 1))
    np.testing.assert_array_equal(found[6], whole[0].reshape(4, 2, 8)[:, ::-1].reshape(8, 8))
    np.testing.assert_array_equal(found[7], whole[1].T)
    np.testing.assert_array_equal(b[:256], a)
    np.testing.assert_array_equal(b[256:].reshape(2, 8, 8), whole[[0, 3]].transpose(0, 2, 1))


COPIES = r"""#include <cstdint>
extern "C" __global__ void k(unsigned char *d, const unsigned char *a, int limit) {
    extern __shared__ __align__(16) unsigned char dynamic[];
    __shared__ __align__(16) unsigned char s[64][16];
    int i = threadIdx.x;
    for (int j = 0; j < 16; j++) s[i][j] = 200;
    uint32_t at = (uint32_t)__cvta_generic_to_shared(s[i]);
    int bytes = i < limit ? 16 : i % 17;
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" :: "r"(at), "l"(a + 16 * i), "r"(bytes) : "memory");
    asm volatile("cp.async.commit_group; cp.async.wait_group 0;" ::: "memory");
    __syncthreads();
    for (int j = 0; j < 16; j++) d[16 * i + j] = s[i][j];
    asm volatile("{ .reg .pred p; setp.lt.s32 p, %2, 5;"
                 " @!p cp.async.ca.shared.global [%0], [%1], 4; cp.async.wait_all; }"
                 :: "r"(at + 4), "l"(a), "r"(i) : "memory");
    asm volatile("cp.async.ca.shared.global [%0], [%1], 8, 5;" :: "r"(at + 8), "l"(a + 8) : "memory");
    for (int j = 0; j < 16; j++) d[1024 + 16 * i + j] = s[i][j];
}"""


def test_copies_fill_with_zeros() -> None:
    assembles(COPIES, "sm_80")
    a = RNG.integers(1, 256, 1024, np.uint8)
    ours, theirs = np.zeros(2048, np.uint8), np.zeros(2048, np.uint8)
    RawKernel(COPIES, "k")((1,), (64,), (ours, a, np.int32(20)))
    Interpreter(module(COPIES)).launch("k", 1, 64, [theirs, a, 20])
    np.testing.assert_array_equal(ours, theirs)
    expected = a.reshape(64, 16).copy()
    for i in range(20, 64):
        expected[i, i % 17 :] = 0
    np.testing.assert_array_equal(ours[:1024].reshape(64, 16), expected)
    expected[5:, 4:8] = a[:4]
    expected[:, 8:13], expected[:, 13:] = a[8:13], 0
    np.testing.assert_array_equal(ours[1024:].reshape(64, 16), expected)


BARRIER = r"""#include <cstdint>
extern "C" __global__ void k(int *d, unsigned *states) {
    __shared__ unsigned long long bar;
    __shared__ int data[64];
    int i = threadIdx.x;
    uint32_t at = (uint32_t)__cvta_generic_to_shared(&bar);
    if (i == 0) asm volatile("mbarrier.init.shared.b64 [%0], %1;" :: "r"(at), "r"(64));
    __syncthreads();
    int sum = 0;
    for (int phase = 0; phase < 4; phase++) {
        data[i] = i + phase;
        unsigned long long token; unsigned done = 0;
        asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(token) : "r"(at) : "memory");
        while (!done) {
            if (phase % 2)
                asm volatile("{ .reg .pred p; mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;"
                             " selp.u32 %0, 1, 0, p; }"
                             : "=r"(done) : "r"(at), "r"(phase & 1) : "memory");
            else
                asm volatile("{ .reg .pred p; mbarrier.try_wait.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }"
                             : "=r"(done) : "r"(at), "l"(token) : "memory");
        }
        sum += data[63 - i];
        __syncthreads();
    }
    d[i] = sum;
    unsigned early;
    asm volatile("{ .reg .pred p; mbarrier.test_wait.parity.shared.b64 p, [%1], 0; selp.u32 %0, 1, 0, p; }"
                 : "=r"(early) : "r"(at));
    states[i] = early;
    asm volatile("{ .reg .b64 t; mbarrier.arrive.noComplete.shared.b64 t, [%0], 1; }" :: "r"(at));
}"""


def test_barriers_in_shared_memory() -> None:
    assembles(BARRIER.replace("try_wait.shared.b64", "try_wait.shared::cta.b64"), "sm_90")
    d, states = both(BARRIER, "k", 64, [np.zeros(64, np.int32), np.ones(64, np.uint32)])
    assert d.tolist() == [4 * (63 - i) + 6 for i in range(64)] and not states.any()


def test_subnormal_numbers_become_zeros() -> None:
    statements = {
        "add.ftz.f32 %0, %1, %2;": lambda a, b: a + b, "mul.rn.ftz.f32 %0, %1, %2;": lambda a, b: a * b,
        "fma.rn.ftz.f32 %0, %1, %2, %1;": lambda a, b: np.float32(np.float64(a) * b + a),
        "sub.ftz.f32 %0, %1, %2;": lambda a, b: a - b,
        "abs.ftz.f32 %0, %1;": lambda a, b: abs(a), "neg.ftz.f32 %0, %1;": lambda a, b: -a,
        "max.ftz.f32 %0, %1, %2;": lambda a, b: max(a, b), "add.rn.f32 %0, %1, %2;": None,
    }  # fmt: skip
    body = "".join(
        f'asm("{text}" : "=f"(x) : "f"(a[i]), "f"(b[i])); d[{k} * 64 + i] = x;\n' for k, text in enumerate(statements)
    )
    text = f"""extern "C" __global__ void k(float *d, const float *a, const float *b) {{
        int i = threadIdx.x; float x; {body} }}"""
    assembles(text, "sm_80")
    some = np.array([1e-40, -1e-40, 2e-38, -1.5e-38, 1.2e-38, 1.0, -3e-20, 0.0], np.float32)
    a, b = some.repeat(8), np.tile(some, 8)
    d, *_ = both(text, "k", 64, [np.zeros(64 * len(statements), np.float32), a, b])

    def flushed(value: np.float32) -> np.float32:
        return np.float32(np.copysign(0, value)) if abs(value) < 2.0**-126 else np.float32(value)

    for row, meaning in zip(d.reshape(-1, 64), statements.values(), strict=True):
        if meaning is not None:
            expected = [flushed(np.float32(meaning(flushed(x), flushed(y)))) for x, y in zip(a, b, strict=True)]
            np.testing.assert_array_equal(row, np.array(expected))
        else:
            np.testing.assert_array_equal(row, a + b)


NARROWED = r"""extern "C" __global__ void k(unsigned *d, const float *a, const float *b) {
    int i = threadIdx.x, n = blockDim.x; unsigned x; unsigned short h; float f;
    asm("cvt.rn.f16x2.f32 %0, %1, %2;" : "=r"(x) : "f"(a[i]), "f"(b[i])); d[i] = x;
    asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(x) : "f"(a[i]), "f"(b[i])); d[n + i] = x;
    asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(x) : "f"(a[i])); d[2 * n + i] = x;
    asm("cvt.rn.satfinite.e4m3x2.f32 %0, %1, %2;" : "=h"(h) : "f"(a[i]), "f"(b[i])); d[3 * n + i] = h;
    asm("cvt.rn.satfinite.e5m2x2.f32 %0, %1, %2;" : "=h"(h) : "f"(a[i]), "f"(b[i])); d[4 * n + i] = h;
    asm("{ .reg .b16 h; cvt.rn.f16.f32 h, %1; cvt.f32.f16 %0, h; }" : "=f"(f) : "f"(a[i]));
    d[5 * n + i] = __float_as_uint(f);
    asm("cvt.rn.relu.bf16.f32 %0, %1;" : "=h"(h) : "f"(a[i])); d[6 * n + i] = h;
}"""


def nearest_byte(value: float, mantissa: int, bias: int, largest: int) -> int:
    """Return the bits of the number of eight bits that is nearest, ties to even."""

    def number(bits: int) -> float:
        exponent, digits = bits >> mantissa, bits & (1 << mantissa) - 1
        return float(2.0 ** (max(exponent, 1) - bias) * ((exponent > 0) + digits / 2**mantissa))

    best = min(range(largest + 1), key=lambda bits: (abs(number(bits) - abs(value)), bits & 1))
    return best | (0x80 if np.signbit(value) else 0)


def test_conversions_to_fewer_bits() -> None:
    assembles(NARROWED, "sm_89")
    a = np.concatenate(
        [RNG.uniform(-500, 500, 32), RNG.uniform(-0.02, 0.02, 32), [0.0, -0.0, 1e6, -448, 464, 1.0625, 1.1875, 6e-5]]
    )
    a = a.astype(np.float32)
    b = a[::-1].copy()
    d, *_ = both(NARROWED, "k", 72, [np.zeros(7 * 72, np.uint32), a, b])
    rows = d.reshape(7, 72)
    half = a.astype(np.float16).view(np.uint16).astype(np.uint32)
    np.testing.assert_array_equal(rows[0], half << 16 | half[::-1])
    bits = a.view(np.uint32).astype(np.uint64)
    short = (bits + 0x7FFF + (bits >> np.uint64(16) & np.uint64(1)) >> np.uint64(16)).astype(np.uint32)
    np.testing.assert_array_equal(rows[1], short << 16 | short[::-1])
    np.testing.assert_array_equal(rows[2], (bits + 0x1000 & 0xFFFFE000).astype(np.uint32))
    for row, form in ((rows[3], (3, 7, 0x7E)), (rows[4], (2, 15, 0x7B))):
        byte = np.array([nearest_byte(float(x), *form) for x in a], np.uint32)
        np.testing.assert_array_equal(row, byte << 8 | byte[::-1])
    np.testing.assert_array_equal(rows[5].view(np.float32), a.astype(np.float16).astype(np.float32))
    np.testing.assert_array_equal(rows[6], np.where(a > 0, short, 0))


def test_exit_ends_a_thread() -> None:
    text = r"""extern "C" __global__ void k(int *d) {
        int i = threadIdx.x;
        asm volatile("{ .reg .pred p; setp.ge.s32 p, %0, 20; @p exit; }" :: "r"(i));
        d[i] = 1;
        asm volatile("exit;");
        d[i] = 2;
    }"""
    assembles(text, "sm_80")
    (d,) = both(text, "k", 64, [np.zeros(64, np.int32)])
    assert d.tolist() == [1] * 20 + [0] * 44
