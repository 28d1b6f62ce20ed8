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


@pytest.mark.parametrize(
    ("size", "a", "b", "total", "how"), list(products()), ids=lambda value: str(value).replace(" ", "")
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
