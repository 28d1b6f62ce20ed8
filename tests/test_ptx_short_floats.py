"""PTX's arithmetic of 16 bits, alone and in pairs: NumPy's for half, and exact sums rounded once for bfloat16."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest
from front import module
from ptx_assembler import assembles
from test_ptx_warps import both

from simt2simd.diag import CompileError

RNG = np.random.default_rng(8)
COUNT = 256


def halves() -> np.ndarray:
    """Return numbers of all exponents, zeros and infinities among them."""
    bits = RNG.integers(0, 1 << 16, COUNT, np.uint16)
    bits[:16] = [0, 0x8000, 0x7C00, 0xFC00, 1, 0x8001, 0x3FF, 0x7BFF] * 2
    none = (bits & 0x7C00 == 0x7C00) & (bits & 0x3FF != 0)
    return np.where(none, 0x3C00, bits).astype(np.uint16)


def run(statements: list[str], words: list[np.ndarray], kind: str) -> np.ndarray:
    """Return the results of statements on pairs in words, or on the low halves; each a row."""
    letter, ctype = ("r", "unsigned") if kind.endswith("x2") else ("h", "unsigned short")
    body = "".join(
        f'asm("{text}" : "={letter}"(x) : "{letter}"(a), "{letter}"(b), "{letter}"(c)); d[{k * COUNT} + i] = x;\n'
        for k, text in enumerate(statements)
    )
    text = f"""extern "C" __global__ void k(unsigned *d, const unsigned *as, const unsigned *bs, const unsigned *cs) {{
        int i = threadIdx.x; {ctype} x, a = as[i], b = bs[i], c = cs[i]; {body} }}"""
    assembles(text, "sm_90")
    found, *_ = both(text, "k", COUNT, [np.zeros(len(statements) * COUNT, np.uint32), *words])
    return found.reshape(len(statements), COUNT)


@pytest.mark.parametrize("kind", ["f16x2", "f16"])
def test_arithmetic_of_halves(kind: str) -> None:
    def f(name: str, count: int) -> str:
        return f"{name}.{kind} {', '.join(f'%{i}' for i in range(count + 1))};"

    expected: dict[str, Callable[..., np.ndarray]] = {
        f("add", 2): lambda a, b, c: a + b, f("sub.rn", 2): lambda a, b, c: a - b, f("mul", 2): lambda a, b, c: a * b,
        f("fma.rn", 3): lambda a, b, c: a.astype(np.float64) * b + c,
        f("fma.rn.relu", 3): lambda a, b, c: np.maximum(a.astype(np.float64) * b + c, 0),
        f("min", 2): lambda a, b, c: np.fmin(a, b), f("max.NaN", 2): lambda a, b, c: np.maximum(a, b),
        f("neg", 1): lambda a, b, c: -a, f("abs", 1): lambda a, b, c: abs(a),
    }  # fmt: skip
    pairs = [(halves(), halves()) for _ in range(3)]
    words = [low.astype(np.uint32) | high.astype(np.uint32) << 16 for low, high in pairs]
    found = run(list(expected), words, kind)
    with np.errstate(all="ignore"):
        for row, compute in zip(found, expected.values(), strict=True):
            for part in range(1 + kind.endswith("x2")):
                wanted = compute(*(pair[part].view(np.float16) for pair in pairs)).astype(np.float16)
                mine = (row >> 16 * part & 0xFFFF).astype(np.uint16).view(np.float16)
                np.testing.assert_array_equal(mine, wanted)


def bfloat(bits: int) -> Fraction:
    return Fraction(float(np.array(bits << 16, np.uint32).view(np.float32)))


def rounded(value: Fraction) -> int:
    """Return the bits of the nearest bfloat16, ties to even; for normal numbers and 0."""
    if value == 0:
        return 0
    sign, value, exponent = (0x8000 if value < 0 else 0), abs(value), 0
    while value >= 256:
        value, exponent = value / 2, exponent + 1
    while value < 128:
        value, exponent = value * 2, exponent - 1
    return sign | ((exponent + 7 + 127) << 7) + round(value) - 128


@pytest.mark.parametrize("kind", ["bf16x2", "bf16"])
def test_fused_sums_of_bfloat16_are_rounded_once(kind: str) -> None:
    signs = RNG.integers(0, 2, (3, COUNT), np.uint32) << 15
    numbers = [RNG.integers(0x3800, 0x4700, COUNT, np.uint32) | sign for sign in signs]
    numbers[0][:3], numbers[1][:3], numbers[2][:3] = 0x3F88, [0x3F88, 0x3FF0, 0x3F90], [0x2000, 0xA000, 0x1000]
    numbers[0][3], numbers[1][3], numbers[2][3] = 0x3F81, 0x3FC0, 0x2000  # next to the middle between two
    words = [each | each[::-1] << 16 for each in numbers]
    (found,) = run([f"fma.rn.{kind} %0, %1, %2, %3;"], words, kind)
    wanted = np.array(
        [
            rounded(bfloat(a) * bfloat(b) + bfloat(c))
            for a, b, c in zip(*(each.tolist() for each in numbers), strict=True)
        ]
    )
    np.testing.assert_array_equal(found & 0xFFFF, wanted)
    if kind == "bf16x2":
        np.testing.assert_array_equal(found >> 16, wanted[::-1])


def test_approximations_of_halves() -> None:
    a = RNG.uniform(-4, 4, (2, COUNT)).astype(np.float16)
    words = a[0].view(np.uint16).astype(np.uint32) | a[1].view(np.uint16).astype(np.uint32) << 16
    found = run(["ex2.approx.f16x2 %0, %1;", "tanh.approx.f16x2 %0, %1;"], [words] * 3, "f16x2")
    for row, function in zip(found, (np.exp2, np.tanh), strict=True):
        for part in range(2):
            mine = (row >> 16 * part & 0xFFFF).astype(np.uint16).view(np.float16)
            np.testing.assert_allclose(mine, function(a[part].astype(np.float64)), rtol=2e-3)


def test_powers_of_bfloat16_are_flushed() -> None:
    bits = np.resize(np.array([0xC300, 0xC2FC, 0xC304, 0x4120, 0x0001], np.uint32), COUNT)  # -128, -126, -132, 10
    (found,) = run(["ex2.approx.ftz.bf16x2 %0, %1;"], [bits | 0x3F80 << 16] * 3, "bf16x2")
    assert (found[:5] & 0xFFFF).tolist() == [0, 0x0080, 0, 0x4480, 0x3F80] and {*(found >> 16)} == {0x4000}


def test_other_forms_are_refused() -> None:
    for text in ("add.ftz.f16x2 %0, %0, %0;", "fma.f16x2 %0, %0, %0, %0;", "ex2.approx.bf16x2 %0, %0;"):
        with pytest.raises(CompileError, match="is not supported"):
            module(f'__global__ void k(unsigned i) {{ asm("{text}" : "+r"(i)); }}')
