"""PTX in `asm` statements: instructions give what the ISA says, in the interpreter and in compiled code."""

from __future__ import annotations

import math
import struct
from collections.abc import Callable

import numpy as np
import pytest
from front import module

from simt2simd import LaunchError, RawKernel
from simt2simd.diag import CompileError
from simt2simd.interp.run import Interpreter
from simt2simd.tree.show import show

M32, M64 = (1 << 32) - 1, (1 << 64) - 1
RNG = np.random.default_rng(7)
EDGES = [0, 1, 2, 31, 32, 33, 63, 64, 255, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, 0x12345678, 0x80FF017F, 0xFFFF0000, 5]
A = np.array([EDGES[i % 16] for i in range(256)], np.uint32)
B = np.array([EDGES[i // 16] for i in range(256)], np.uint32)
C = RNG.integers(0, 1 << 32, 256, np.uint32)


def s32(value: int) -> int:
    return value - (1 << 32) if value >> 31 & 1 else value


def bfe(a: int, position: int, length: int, bits: int, signed: bool) -> int:
    position, length = position & 255, length & 255
    sign = min(position + length - 1, bits - 1)
    fill = a >> sign & 1 if signed and length else 0
    picked = [(a >> position + i & 1 if position + i < bits else fill) if i < length else fill for i in range(bits)]
    return sum(bit << i for i, bit in enumerate(picked))


def bfi(a: int, b: int, position: int, length: int) -> int:
    position, length = position & 255, length & 255
    for i in range(length):
        if position + i < 32:
            b = b & ~(1 << position + i) | (a >> i & 1) << position + i
    return b


def prmt(a: int, b: int, selector: int) -> int:
    both = b << 32 | a
    result = 0
    for i in range(4):
        nibble = selector >> 4 * i & 15
        byte = both >> 8 * (nibble & 7) & 255
        result |= ((255 if byte & 128 else 0) if nibble & 8 else byte) << 8 * i
    return result


def permuted(selectors: tuple[str, ...]) -> Callable[[int, int, int], int]:
    return lambda a, b, c: prmt(a, c, int(selectors[b & 3], 16))


def bmsk(first: int, count: int) -> int:
    return sum(1 << i for i in range(first, min(32, first + count)))


def bfind(a: int, signed: bool) -> int:
    a = ~a & M32 if signed and a >> 31 else a
    return a.bit_length() - 1 & M32


def dp(a: int, b: int, c: int, *, parts: int, bits: int, first: int = 0, signed: tuple[bool, bool]) -> int:
    def part(word: int, width: int, index: int, is_signed: bool) -> int:
        value = word >> width * index & (1 << width) - 1
        return value - (1 << width) if is_signed and value >> width - 1 else value

    return c + sum(part(a, bits, i, signed[0]) * part(b, 8, first + i, signed[1]) for i in range(parts))


def saturated(value: int) -> int:
    return max(-(1 << 31), min((1 << 31) - 1, value))


def halves(total: int) -> int:
    """Return the second word of a sum xor the third."""
    return (total >> 32 ^ total >> 64) & M32


# The instruction on %1, %2 and %3, 32 bits each, and its result.
WORDS: dict[str, Callable[[int, int, int], int]] = {
    "add.u32 %0, %1, %2;": lambda a, b, c: a + b,
    "add.s32 %0, %1, -7;": lambda a, b, c: a - 7,
    "add.sat.s32 %0, %1, %2;": lambda a, b, c: saturated(s32(a) + s32(b)),
    "sub.sat.s32 %0, %1, %2;": lambda a, b, c: saturated(s32(a) - s32(b)),
    "sub.s32 %0, %1, %2;": lambda a, b, c: a - b,
    "mul.lo.u32 %0, %1, %2;": lambda a, b, c: a * b,
    "mul.lo.s32 %0, %1, 0x10;": lambda a, b, c: a * 16,
    "mul.hi.u32 %0, %1, %2;": lambda a, b, c: a * b >> 32,
    "mul.hi.s32 %0, %1, %2;": lambda a, b, c: s32(a) * s32(b) >> 32,
    "mad.lo.u32 %0, %1, %2, %3;": lambda a, b, c: a * b + c,
    "mad.hi.u32 %0, %1, %2, %3;": lambda a, b, c: (a * b >> 32) + c,
    "mad.hi.s32 %0, %1, %2, %3;": lambda a, b, c: (s32(a) * s32(b) >> 32) + c,
    "mul24.lo.u32 %0, %1, %2;": lambda a, b, c: (a & 0xFFFFFF) * (b & 0xFFFFFF),
    "mad24.lo.u32 %0, %1, %2, %3;": lambda a, b, c: (a & 0xFFFFFF) * (b & 0xFFFFFF) + c,
    "and.b32 %0, %1, %2;": lambda a, b, c: a & b,
    "or.b32 %0, %1, %2;": lambda a, b, c: a | b,
    "xor.b32 %0, %1, %2;": lambda a, b, c: a ^ b,
    "not.b32 %0, %1;": lambda a, b, c: ~a,
    "cnot.b32 %0, %1;": lambda a, b, c: a == 0,
    "neg.s32 %0, %1;": lambda a, b, c: -a,
    "abs.s32 %0, %1;": lambda a, b, c: abs(s32(a)),
    "min.s32 %0, %1, %2;": lambda a, b, c: min(s32(a), s32(b)),
    "max.u32 %0, %1, %2;": lambda a, b, c: max(a, b),
    "shl.b32 %0, %1, %2;": lambda a, b, c: a << min(b, 32),
    "shr.u32 %0, %1, %2;": lambda a, b, c: a >> min(b, 32),
    "shr.s32 %0, %1, %2;": lambda a, b, c: s32(a) >> min(b, 32),
    "shf.l.wrap.b32 %0, %1, %2, %3;": lambda a, b, c: (b << 32 | a) << (c & 31) >> 32,
    "shf.r.wrap.b32 %0, %1, %2, %3;": lambda a, b, c: (b << 32 | a) >> (c & 31),
    "shf.l.clamp.b32 %0, %1, %3, %2;": lambda a, b, c: (c << 32 | a) << min(b, 32) >> 32,
    "shf.r.clamp.b32 %0, %1, %3, %2;": lambda a, b, c: (c << 32 | a) >> min(b, 32),
    "bfe.u32 %0, %3, %1, %2;": lambda a, b, c: bfe(c, a, b, 32, False),
    "bfe.s32 %0, %3, %1, %2;": lambda a, b, c: bfe(c, a, b, 32, True),
    "bfe.u32 %0, %3, 4, 8;": lambda a, b, c: c >> 4 & 255,
    "bfi.b32 %0, %3, 0x5a5a5a5a, %1, %2;": lambda a, b, c: bfi(c, 0x5A5A5A5A, a, b),
    "bmsk.clamp.b32 %0, %1, %2;": lambda a, b, c: bmsk(a, b),
    "bmsk.wrap.b32 %0, %1, %2;": lambda a, b, c: bmsk(a & 31, b & 31),
    "bfind.u32 %0, %1;": lambda a, b, c: bfind(a, False),
    "bfind.s32 %0, %1;": lambda a, b, c: bfind(a, True),
    "bfind.shiftamt.u32 %0, %1;": lambda a, b, c: 32 - a.bit_length() if a else M32,
    "popc.b32 %0, %1;": lambda a, b, c: a.bit_count(),
    "clz.b32 %0, %1;": lambda a, b, c: 32 - a.bit_length(),
    "brev.b32 %0, %1;": lambda a, b, c: int(f"{a:032b}"[::-1], 2),
    "prmt.b32 %0, %3, %1, %2;": lambda a, b, c: prmt(c, a, b),
    "prmt.b32 %0, %1, %3, 0x5410;": lambda a, b, c: prmt(a, c, 0x5410),
    "prmt.b32 %0, %1, %3, 0xBA98;": lambda a, b, c: prmt(a, c, 0xBA98),
    **{
        f"prmt.b32.{mode} %0, %1, %3, %2;": permuted(rows)
        for mode, rows in {
            "f4e": ("3210", "4321", "5432", "6543"),
            "b4e": ("5670", "6701", "7012", "0123"),
            "rc8": ("0000", "1111", "2222", "3333"),
            "ecl": ("3210", "3211", "3222", "3333"),
            "ecr": ("0000", "1110", "2210", "3210"),
            "rc16": ("1010", "3232", "1010", "3232"),
        }.items()
    },
    "lop3.b32 %0, %1, %2, %3, 0x96;": lambda a, b, c: a ^ b ^ c,
    "lop3.b32 %0, %1, %2, %3, 0xE8;": lambda a, b, c: a & b | a & c | b & c,
    "lop3.b32 %0, %1, %2, %3, 0xCA;": lambda a, b, c: a & b | ~a & c,
    "lop3.b32 %0, %1, %2, %3, 0;": lambda a, b, c: 0,
    "dp4a.s32.s32 %0, %1, %2, %3;": lambda a, b, c: dp(a, b, c, parts=4, bits=8, signed=(True, True)),
    "dp4a.u32.s32 %0, %1, %2, %3;": lambda a, b, c: dp(a, b, c, parts=4, bits=8, signed=(False, True)),
    "dp2a.lo.s32.u32 %0, %1, %2, %3;": lambda a, b, c: dp(a, b, c, parts=2, bits=16, signed=(True, False)),
    "dp2a.hi.u32.u32 %0, %1, %2, %3;": lambda a, b, c: dp(a, b, c, parts=2, bits=16, first=2, signed=(False, False)),
    "sad.u32 %0, %1, %2, %3;": lambda a, b, c: abs(a - b) + c,
    "sad.s32 %0, %1, %2, %3;": lambda a, b, c: abs(s32(a) - s32(b)) + c,
    "set.lt.u32.s32 %0, %1, %2;": lambda a, b, c: M32 * (s32(a) < s32(b)),
    "slct.u32.s32 %0, %1, %2, %3;": lambda a, b, c: a if s32(c) >= 0 else b,
    "mov.b32 %0, 0xFFFFFFFF;": lambda a, b, c: M32,
    "{ .reg .pred p, q; setp.lt.s32 p, %1, %2; setp.ge.and.u32 q, %2, %3, !p; selp.b32 %0, %1, %3, q; }": (
        lambda a, b, c: a if b >= c and not s32(a) < s32(b) else c
    ),
    "{ .reg .pred p; setp.hi.u32 p, %1, %2; mov.u32 %0, 5; @p add.u32 %0, %1, 1; @!p add.u32 %0, %2, 2; }": (
        lambda a, b, c: a + 1 if a > b else b + 2
    ),
    "{ .reg .b16 l, h; mov.b32 {l, h}, %1; mov.b32 %0, {h, l}; } // swapped": lambda a, b, c: a >> 16 | a << 16,
    "{ .reg .u32 t<2>; add.u32 t0, %1, %2; /* twice */ mul.lo.u32 t1, t0, t0; sub.u32 %0, t1, %3; }": (
        lambda a, b, c: (a + b) ** 2 - c
    ),
    "{ .reg .u64 w; mul.wide.u32 w, %1, %2; shr.u64 w, w, 16; cvt.u32.u64 %0, w; }": lambda a, b, c: a * b >> 16,
    "{ .reg .s64 w; mul.wide.s32 w, %1, %2; shr.s64 w, w, 16; cvt.u32.u64 %0, w; }": (
        lambda a, b, c: s32(a) * s32(b) >> 16
    ),
    "{ .reg .u32 l, h; add.cc.u32 l, %1, %2; addc.u32 h, %3, 0; xor.b32 %0, l, h; }": (
        lambda a, b, c: (a + b & M32) ^ (c + (a + b >> 32) & M32)
    ),
    "{ .reg .u32 l, m, h; add.cc.u32 l, %1, %2; addc.cc.u32 m, %2, %3; addc.u32 h, %3, %1; xor.b32 %0, m, h; }": (
        lambda a, b, c: halves((a | b << 32 | c << 64) + (b | c << 32 | a << 64))
    ),
    "{ .reg .u32 l, h; sub.cc.u32 l, %1, %2; subc.u32 h, %3, 1; xor.b32 %0, l, h; }": (
        lambda a, b, c: (a - b & M32) ^ (c - 1 - (a < b) & M32)
    ),
    "{ .reg .u32 l, h; mad.lo.cc.u32 l, %1, %2, %3; madc.hi.u32 h, %1, %2, 7; xor.b32 %0, l, h; }": (
        lambda a, b, c: (a * b + c & M32) ^ ((a * b + (7 << 32) + c) >> 32 & M32)
    ),
    "{ .reg .u16 x; cvt.u16.u32 x, %1; mul.lo.u16 x, x, 3; cvt.u32.u16 %0, x; }": lambda a, b, c: a * 3 & 0xFFFF,
    "{ .reg .s16 x; cvt.s16.s32 x, %1; cvt.s32.s16 %0, x; }": lambda a, b, c: ((a & 0xFFFF) ^ 0x8000) - 0x8000,
    "{ .reg .s16 x; cvt.s16.s32 x, %1; mul.wide.s16 %0, x, 3; }": lambda a, b, c: (
        3 * (((a & 0xFFFF) ^ 0x8000) - 0x8000)
    ),
    "div.u32 %0, %1, 10;": lambda a, b, c: a // 10,
    "rem.u32 %0, %1, 10;": lambda a, b, c: a % 10,
    "div.s32 %0, %1, 10;": lambda a, b, c: math.trunc(s32(a) / 10),
}


def run(text: str, name: str, arrays: list[np.ndarray], block: int) -> tuple[list[np.ndarray], list[np.ndarray]]:
    """Return the arrays after the compiled kernel and after the interpreter."""
    ours, theirs = ([array.copy() for array in arrays] for _ in range(2))
    RawKernel(text, name)((1,), (block,), tuple(ours))
    Interpreter(module(text)).launch(name, 1, block, theirs)
    return ours, theirs


def test_integer_instructions() -> None:
    statements = "".join(
        f'asm("{text}" : "=r"(d) : "r"(a[i]), "r"(b[i]), "r"(c[i])); d_[{k} * 256 + i] = d;\n'
        for k, text in enumerate(WORDS)
    )
    text = f"""__global__ void k(unsigned *d_, const unsigned *a, const unsigned *b, const unsigned *c) {{
        int i = threadIdx.x; unsigned d = 0; {statements} }}"""
    out = np.zeros(len(WORDS) * 256, np.uint32)
    ours, theirs = run(text, "k", [out, A, B, C], 256)
    for k, (name, meaning) in enumerate(WORDS.items()):
        expected = [meaning(*map(int, row)) & M32 for row in zip(A, B, C, strict=True)]
        for found in (ours[0], theirs[0]):
            assert found[k * 256 : k * 256 + 256].tolist() == expected, name


LONG: dict[str, Callable[[int, int], int]] = {
    "add.u64 %0, %1, %2;": lambda a, b: a + b,
    "sub.s64 %0, %1, %2;": lambda a, b: a - b,
    "mul.lo.u64 %0, %1, %2;": lambda a, b: a * b,
    "mul.hi.u64 %0, %1, %2;": lambda a, b: a * b >> 64,
    "mad.lo.u64 %0, %1, %2, %2;": lambda a, b: a * b + b,
    "popc.b64 %0, %1;": lambda a, b: a.bit_count(),
    "clz.b64 %0, %1;": lambda a, b: 64 - a.bit_length(),
    "brev.b64 %0, %1;": lambda a, b: int(f"{a:064b}"[::-1], 2),
    "bfe.u64 %0, %1, 7, 40;": lambda a, b: a >> 7 & (1 << 40) - 1,
    "bfe.s64 %0, %1, 7, 40;": lambda a, b: bfe(a, 7, 40, 64, True),
    "shl.b64 %0, %1, 13;": lambda a, b: a << 13,
    "min.u64 %0, %1, %2;": min,
    "{ .reg .u64 l, h; add.cc.u64 l, %1, %2; addc.u64 h, 0, 0; xor.b64 %0, l, h; }": (
        lambda a, b: (a + b & M64) ^ (a + b >> 64)
    ),
    "{ .reg .u32 l, h; mov.b64 {l, h}, %1; mov.b64 %0, {h, l}; }": lambda a, b: a >> 32 | a << 32,
    "cvta.to.global.u64 %0, %1;": lambda a, b: a,
}


def test_long_instructions() -> None:
    statements = "".join(
        f'asm("{text}" : "=l"(d) : "l"(a[i]), "l"(b[i])); d_[{k} * 64 + i] = d;\n' for k, text in enumerate(LONG)
    )
    text = f"""__global__ void k(unsigned long long *d_, const unsigned long long *a, const unsigned long long *b) {{
        int i = threadIdx.x; unsigned long long d; {statements} }}"""
    for narrow in ("popc.b64 %0, %1;", "clz.b64 %0, %1;"):  # their results have 32 bits
        text = text.replace(narrow, f"{{ .reg .u32 r; {narrow.replace('%0', 'r')} cvt.u64.u32 %0, r; }}")
    a, b = (RNG.integers(0, 1 << 64, 64, np.uint64) for _ in range(2))
    a[:4], b[:4] = [0, M64, 1, 1 << 63], [M64, M64, 0, 1]
    ours, theirs = run(text, "k", [np.zeros(len(LONG) * 64, np.uint64), a, b], 64)
    for k, (name, meaning) in enumerate(LONG.items()):
        expected = [meaning(int(x), int(y)) & M64 for x, y in zip(a, b, strict=True)]
        for found in (ours[0], theirs[0]):
            assert found[k * 64 : k * 64 + 64].tolist() == expected, name


def single(value: float) -> float:
    return float(np.float32(value))


FLOATS: dict[str, Callable[[float, float], float]] = {
    "add.f32 %0, %1, %2;": lambda a, b: single(a + b),
    "sub.rn.f32 %0, %1, 0f3F800000;": lambda a, b: single(a - 1),
    "mul.f32 %0, %1, 2.5;": lambda a, b: single(a * 2.5),
    "fma.rn.f32 %0, %1, %2, %1;": lambda a, b: single(a * b + a),
    "div.rn.f32 %0, %1, %2;": lambda a, b: single(a / b),
    "rcp.rn.f32 %0, %2;": lambda a, b: single(1 / b),
    "sqrt.rn.f32 %0, %2;": lambda a, b: single(math.sqrt(b)),
    "abs.f32 %0, %1;": lambda a, b: abs(a),
    "neg.f32 %0, %1;": lambda a, b: -a,
    "min.f32 %0, %1, %2;": min,
    "max.f32 %0, %1, %2;": max,
    "copysign.f32 %0, %1, %2;": lambda a, b: math.copysign(b, a),
    "cvt.rni.f32.f32 %0, %1;": lambda a, b: float(round(a)),
    "cvt.rzi.f32.f32 %0, %1;": lambda a, b: float(math.trunc(a)),
    "cvt.sat.f32.f32 %0, %1;": lambda a, b: min(1.0, max(0.0, a)),
    "{ .reg .f64 x; cvt.f64.f32 x, %1; mul.f64 x, x, 0d3FB999999999999A; cvt.rn.f32.f64 %0, x; }": (
        lambda a, b: single(a * 0.1)
    ),
    "{ .reg .s32 n; cvt.rzi.s32.f32 n, %1; add.s32 n, n, 3; cvt.rn.f32.s32 %0, n; }": lambda a, b: math.trunc(a) + 3.0,
    "{ .reg .pred p; setp.gtu.f32 p, %1, %2; selp.f32 %0, %1, %2, p; }": max,
    "{ .reg .b32 n; mov.b32 n, %1; xor.b32 n, n, 0x80000000; mov.b32 %0, n; }": lambda a, b: -a,
}
NEARLY: dict[str, Callable[[float, float], float]] = {
    "rsqrt.approx.f32 %0, %2;": lambda a, b: 1 / math.sqrt(b),
    "rcp.approx.ftz.f32 %0, %2;": lambda a, b: 1 / b,
    "sqrt.approx.f32 %0, %2;": lambda a, b: math.sqrt(b),
    "ex2.approx.ftz.f32 %0, %1;": lambda a, b: 2**a,
    "lg2.approx.f32 %0, %2;": lambda a, b: math.log2(b),
    "sin.approx.f32 %0, %1;": lambda a, b: math.sin(a),
    "cos.approx.ftz.f32 %0, %1;": lambda a, b: math.cos(a),
    "tanh.approx.f32 %0, %1;": lambda a, b: math.tanh(a),
    "div.approx.f32 %0, %1, %2;": lambda a, b: a / b,
}


def test_floating_point_instructions() -> None:
    every = [*FLOATS.items(), *NEARLY.items()]
    statements = "".join(
        f'asm("{text}" : "=f"(d) : "f"(a[i]), "f"(b[i])); d_[{k} * 64 + i] = d;\n' for k, (text, _) in enumerate(every)
    )
    text = f"""__global__ void k(float *d_, const float *a, const float *b) {{
        int i = threadIdx.x; float d; {statements} }}"""
    a = RNG.uniform(-3, 3, 64).astype(np.float32)
    b = RNG.uniform(0.1, 9, 64).astype(np.float32)
    ours, theirs = run(text, "k", [np.zeros(len(every) * 64, np.float32), a, b], 64)
    for k, (name, meaning) in enumerate(every):
        expected = [meaning(float(x), float(y)) for x, y in zip(a, b, strict=True)]
        for found in (ours[0], theirs[0]):
            mine = found[k * 64 : k * 64 + 64]
            if name in FLOATS:
                assert mine.tolist() == expected, name
            else:
                np.testing.assert_allclose(mine, expected, rtol=3e-6, atol=1e-6, err_msg=name)


SPECIAL = (
    "laneid warpid lanemask_eq lanemask_lt lanemask_le lanemask_gt lanemask_ge tid.x tid.y ntid.y ctaid.x nctaid.x "
    "smid nsmid clusterid.x nclusterid.y cluster_ctaid.x cluster_nctaid.z cluster_ctarank cluster_nctarank"
).split()


def test_special_registers() -> None:
    statements = "".join(
        f'asm volatile("mov.u32 %0, %%{name};" : "=r"(d)); d_[{k} * 96 + t] = d;\n' for k, name in enumerate(SPECIAL)
    )
    text = f"""__global__ void k(unsigned *d_) {{
        unsigned d; int t = threadIdx.y * blockDim.x + threadIdx.x; {statements} }}"""
    out, theirs = np.zeros(len(SPECIAL) * 96, np.uint32), np.zeros(len(SPECIAL) * 96, np.uint32)
    RawKernel(text, "k")((1,), (24, 4), (out,))
    Interpreter(module(text)).launch("k", 1, (24, 4), (theirs,))
    t = np.arange(96, dtype=np.uint32)
    lane = t % 32
    one = np.uint32(1)
    below = (one << lane) - one
    masks = [one << lane, below, below | one << lane, ~(below | one << lane), ~below]
    expected = [lane, t // 32, *masks, t % 24, t // 24, t * 0 + 4, t * 0, t * 0 + 1, t * 0, t * 0 + 1]
    expected += [t * 0, t * 0 + 1, t * 0, t * 0 + 1, t * 0, t * 0 + 1]
    for found in (out, theirs):
        np.testing.assert_array_equal(found.reshape(len(SPECIAL), 96), np.array(expected))


def test_time_in_ptx() -> None:
    text = r"""__global__ void k(unsigned long long *d) {
        unsigned low, high; unsigned long long whole, clock;
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(whole));
        asm volatile("mov.u32 %0, %%globaltimer_lo;" : "=r"(low));
        asm volatile("mov.u32 %0, %globaltimer_hi;" : "=r"(high));
        asm volatile("mov.u64 %0, %%clock64;" : "=l"(clock) :: "memory");
        asm volatile("nanosleep.u32 %0;" :: "r"(1000u));
        d[0] = whole; d[1] = (unsigned long long)high << 32 | low; d[2] = clock; d[3] = clock64() - clock;
    }"""
    out = np.zeros(4, np.uint64)
    RawKernel(text, "k")((1,), (1,), (out,))
    assert 0 <= int(out[1]) - int(out[0]) < 10**9 and out[2] > 0 and 0 < out[3] < 10**10


MEMORY = r"""__global__ void k(unsigned *d, const unsigned *a, float *sum, unsigned long long *wide) {
    __shared__ unsigned s[64];
    int i = threadIdx.x; unsigned x, y, z, w; unsigned long long p = (unsigned long long)(a + 4 * i);
    asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(x) : "l"(a + i));
    asm volatile("ld.global.nc.v4.u32 {%0, %1, %2, %3}, [%4];" : "=r"(x), "=r"(y), "=r"(z), "=r"(w) : "l"(p));
    asm volatile("st.shared.u32 [%0], %1;" :: "l"(s + i), "r"(x + w) : "memory");
    asm volatile("bar.sync 0;" ::: "memory");
    asm volatile("{ .reg .u32 t; ld.shared.u32 t, [%1]; ld.volatile.shared.u32 %0, [%1+4]; add.u32 %0, %0, t; }"
                 : "=r"(z) : "l"(s + (i & 62)));
    asm volatile("st.global.v2.b32 [%0+8], {%1, %2};" :: "l"(d + 4 * i), "r"(y), "r"(z) : "memory");
    unsigned char byte; unsigned u; asm("ld.u8 %0, [%1 + 1];" : "=r"(u) : "l"(a + i)); d[4 * i] = u;
    asm("ld.s8 %0, [%1+-1];" : "=r"(u) : "l"((const char *)(a + i) + 4)); d[4 * i + 1] = u;
    asm volatile("membar.gl;"); asm volatile("fence.acq_rel.gpu;" ::: "memory");
    unsigned old; asm volatile("atom.global.add.u32 %0, [%1], %2;" : "=r"(old) : "l"(d + 256), "r"(2) : "memory");
    asm volatile("red.global.add.f32 [%0], %1;" :: "l"(sum), "f"(1.5f) : "memory");
    asm volatile("red.relaxed.gpu.max.u64 [%0], %1;" :: "l"(wide), "l"((unsigned long long)old) : "memory");
    asm volatile("atom.cas.b32 %0, [%1], %2, %3;" : "=r"(old) : "l"(d + 257), "r"(i), "r"(i + 1) : "memory");
}"""


def test_memory_in_ptx() -> None:
    a = RNG.integers(0, 1 << 32, 300, np.uint32)
    arrays = [np.zeros(260, np.uint32), a, np.zeros(1, np.float32), np.zeros(1, np.uint64)]
    ours, theirs = run(MEMORY, "k", arrays, 64)
    for found in (ours, theirs):
        d, rows = found[0], a[:256].reshape(64, 4)
        np.testing.assert_array_equal(d[2:256:4], rows[:, 1])
        shared = rows[:, 0] + rows[:, 3]
        np.testing.assert_array_equal(d[3:256:4], (shared[0::2] + shared[1::2]).repeat(2))
        np.testing.assert_array_equal(d[0:256:4], a[:64] >> 8 & 255)
        np.testing.assert_array_equal(d[1:256:4], (a[:64].view(np.int32) >> 24).view(np.uint32))
        assert d[256:258].tolist() == [128, 64] and found[2][0] == 96 and found[3][0] == 126


def test_operands_of_asm() -> None:
    text = r"""struct P { int x; double y; };
    __global__ void k(int *d, P *p, short *s) {
        int a = 5, b = 7; unsigned char c = 200; short h = -3; double y = 2.5; bool flag = true;
        asm("add.s32 %[sum], %[left], %[right];" : [sum] "=r"(d[0]) : [left] "r"(a), [right] "r"(b));
        asm("add.s32 %0, %0, %1;" : "+r"(a) : "n"(40)); d[1] = a;
        asm("{\n\t add.u32 %0, %1, %2;\n\t}" : "=&r"(d[2]) : "r"((int)c), "r"(flag));
        asm("add.f64 %0, %1, 0d3FF0000000000000;" : "=d"(p->y) : "d"(y));
        asm("mul.lo.s16 %0, %1, %1;" : "=h"(*s) : "h"(h));
        asm("add.s32 %0, %1, 1;\n add.s32 %0, %0, 1" : "=r"(p->x) : "r"(-1));
        asm("" ::: "memory"); asm volatile("");
    }"""
    layout = np.dtype([("x", np.int32), ("y", np.float64)], align=True)
    for run_one in range(2):
        d, p, s = np.zeros(3, np.int32), np.zeros(1, layout), np.zeros(1, np.int16)
        if run_one:
            Interpreter(module(text)).launch("k", 1, 1, (d, p, s))
        else:
            RawKernel(text, "k")((1,), (1,), (d, p, s))
        assert d.tolist() == [12, 45, 201] and p["y"][0] == 3.5 and p["x"][0] == 1 and s[0] == 9


def test_asm_prints_as_cuda() -> None:
    shown = show(module('__global__ void k(int *d) { asm("bfe.u32 %0, %1, 3, 5;" : "=r"(d[0]) : "r"(d[1])); }'))
    assert "asm" not in shown
    pointers = show(module('__global__ void k(int *d) { asm("prefetch.global.L2 [%0];" :: "l"(d)); }'))
    assert "= (unsigned long long)d;" in pointers and show(module(pointers)) == pointers
    assert show(module(shown)) == shown


@pytest.mark.parametrize(
    ("statement", "message"),
    [
        ('asm("wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32 %0;" :: "r"(1));', "'wmma.mma.sync.aligned.row.col."),
        ('asm volatile("shfl.idx.b32 %0, %0, 0, 31;" : "+r"(i));', "'shfl.idx.b32' is not supported"),
        ('asm("add.ftz.f16x2 %0, %0, %0;" : "+r"(i));', "'add.ftz.f16x2' is not supported"),
        ('asm("wgmma.fence.sync.aligned;");', "'wgmma.fence.sync.aligned' is not supported"),
        ('asm("tcgen05.wait::ld.sync.aligned;");', "'tcgen05.wait::ld.sync.aligned' is not supported"),
        ('asm("cp.async.bulk.commit_group;");', "'cp.async.bulk.commit_group' is not supported"),
        (
            'asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0}, {%0}, {%0}, {%0};" : "+r"(i));',
            "has 4, 4, 2 and 4",
        ),
        ('asm("mma.sync.aligned.m16n8k16.row.row.f32.f16.f16.f32 {%0}, {%0}, {%0}, {%0};" : "+r"(i));', "row.row"),
        ('asm("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0}, [%0];" : "+r"(i));', "has 2 registers"),
        ('asm("mbarrier.arrive.expect_tx.shared.b64 _, [%0], 8;" :: "r"(i));', "counts the bytes of bulk copies"),
        ('asm("brx.idx %0, next;" :: "r"(i));', "'brx.idx' is not supported"),
        ('asm("bra next;");', "there is no label 'next'"),
        ('asm("mov.u32 %0, %%pm0;" : "=r"(i));', "register '%pm0' is not supported"),
        ('asm("addc.u32 %0, %0, 0;" : "+r"(i));', "sets the carry flag"),
        ('asm("add.u32 %0, %1, 0;" : "=r"(i));', "there is no operand '%1'"),
        ('asm("add.u32 %0, x, 0;" : "=r"(i));', "'x' is neither a register nor a number"),
        ('asm("add.u32 %0, %0, 0;" : "=r"(f));', "does not fit the constraint"),
        ('asm("add.u32 %0, %0, 0;" : "=l"(i), "=x"(i));', 'the constraint "=x" is not supported'),
        ('asm("add.u32 %0, %0, %1;" : "+r"(i) : "n"(i));', 'the constraint "n" needs an integer constant'),
        ('asm("add.u32 %[no], 1, 1;" : "=r"(i));', "there is no operand '%[no]'"),
        ('asm(".shared .b32 x;");', "directive '.shared'"),
        ('asm("{ .reg .f16 h; }");', "'.f16'"),
        ('asm("{ add.u32 %0, 1, 1;" : "=r"(i));', "never closed"),
        ('asm("ld.global.u32 %0, [%0];" : "+r"(i));', "only addresses of shared memory have so many"),
        ('asm("ld.shared.u16 %0, [%1];" : "=r"(i) : "h"((short)i));', "no address has so many"),
    ],
)
def test_what_is_not_there_is_refused_by_name(statement: str, message: str) -> None:
    with pytest.raises(CompileError) as failure:
        module(f"__global__ void k(int i, float f) {{\n    {statement} }}")
    assert message in str(failure.value) and str(failure.value).startswith("test.cu:2:")


def test_trap_in_ptx() -> None:
    with pytest.raises(LaunchError) as failure:
        RawKernel('__global__ void k() { asm("trap;"); }', "k")((1,), (1,), ())
    assert failure.value.code == 719


def test_floats_keep_their_bits() -> None:
    text = 'extern "C" __global__ void k(float *d) { asm("mov.f32 %0, 0f7F800000;" : "=f"(d[0])); }'
    out = np.zeros(1, np.float32)
    RawKernel(text, "k")((1,), (1,), (out,))
    assert struct.pack("<f", out[0]) == b"\0\0\x80\x7f"
