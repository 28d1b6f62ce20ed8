"""SIMD functions on two or four small integers in one word: compiled code, interpreter and NumPy agree."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from simt2simd.frontend.parse.parse import parse
from simt2simd.frontend.sema.module import check
from simt2simd.frontend.text.preprocess import preprocess
from simt2simd.interp.run import Interpreter
from simt2simd.lang.builtins import BUILTINS
from simt2simd.options import Options
from simt2simd.python.kernel import RawKernel
from simt2simd.source import Source

FUNCTIONS = [name for name, rows in BUILTINS.items() if rows[0].op.startswith("packed_")]
COUNT = 600
Array = np.ndarray[Any, np.dtype[Any]]


def words(seed: int) -> list[Array]:
    """Return words of random parts, many of which are extreme or near each other."""
    rng = np.random.default_rng(seed)
    edges = np.array([0, 1, 2, 0x7F, 0x80, 0x81, 0xFE, 0xFF], np.uint8)

    def any_words() -> Array:
        random = rng.integers(0, 256, 4 * COUNT).astype(np.uint8)
        return np.where(rng.random(4 * COUNT) < 0.5, random, edges[rng.integers(0, 8, 4 * COUNT)]).view(np.uint32)

    return [any_words(), any_words(), any_words()]


def call(name: str) -> str:
    return f"{name}({', '.join(('a[i]', 'b[i]', 'c[i]')[: len(BUILTINS[name][0].params)])})"


HEAD = "(const unsigned *a, const unsigned *b, const unsigned *c, unsigned *out, int n)"


def kernel(name: str, body: str) -> str:
    return f"""__global__ void {name}{HEAD} {{
        int i = blockIdx.x * blockDim.x + threadIdx.x; if (i >= n) return; {body} }}"""


def compiled(name: str, seed: int, *options: str) -> Array:
    out = np.zeros(COUNT, np.uint32)
    RawKernel(kernel("k", f"out[i] = {call(name)};"), "k", options=options)((5,), (128,), (*words(seed), out, COUNT))
    return out


def test_compiled_functions_are_those_of_the_interpreter() -> None:
    each = "\n".join(f"out[{number} * n + i] = {call(name)};" for number, name in enumerate(FUNCTIONS))
    text = kernel("all", each)
    ours, theirs = (np.zeros((len(FUNCTIONS), COUNT), np.uint32) for _ in range(2))
    module = check(parse(preprocess(Source("packed.cu", text), Options())))
    Interpreter(module).launch("all", 5, 128, [*words(1), ours.reshape(-1), COUNT])
    RawKernel(text, "all")((5,), (128,), (*words(1), theirs, COUNT))
    for number, name in enumerate(FUNCTIONS):
        np.testing.assert_array_equal(theirs[number], ours[number], name)


def parts(word: Array, dtype: type[np.generic]) -> Array:
    wide: Array = word.view(dtype).astype(np.int64)
    return wide


def rounded_average(x: Array, y: Array) -> Array:
    """Halves are rounded away from zero (PTX ISA, `vavrg4`)."""
    doubled = np.abs(x + y)
    rounded: Array = np.sign(x + y) * ((doubled + 1) // 2)
    return rounded


@pytest.mark.parametrize(
    ("name", "dtype", "meaning"),
    [
        ("__vadd2", np.uint16, lambda x, y: x + y),
        ("__vaddss4", np.int8, lambda x, y: np.clip(x + y, -128, 127)),
        ("__vsubus2", np.uint16, lambda x, y: np.clip(x - y, 0, 65535)),
        ("__vavgs4", np.int8, rounded_average),
        ("__vavgu2", np.uint16, lambda x, y: (x + y + 1) // 2),
        ("__vhaddu4", np.uint8, lambda x, y: (x + y) // 2),
        ("__vabsdiffs2", np.int16, lambda x, y: np.abs(x - y)),
        ("__vabsss4", np.int8, lambda x, y: np.minimum(np.abs(x), 127)),
        ("__vcmpgts4", np.int8, lambda x, y: -(x > y).astype(np.int64)),
        ("__vsetleu2", np.uint16, lambda x, y: x <= y),
        ("__vmins2", np.int16, np.minimum),
    ],
)
@pytest.mark.parametrize("target", [pytest.param("avx512", marks=pytest.mark.avx512), "avx2"])
def test_parts_are_numpys_integers(
    name: str, dtype: type[np.generic], meaning: Callable[[Array, Array], Array], target: str
) -> None:
    x, y = (parts(word, dtype) for word in words(2)[:2])
    expected = meaning(x, y).astype(np.int64).astype(dtype).view(np.uint32)
    np.testing.assert_array_equal(compiled(name, 2, f"--target={target}"), expected)


def test_sums_of_differences() -> None:
    x, y = (parts(word, np.int8).reshape(COUNT, 4) for word in words(3)[:2])
    np.testing.assert_array_equal(compiled("__vsads4", 3), np.abs(x - y).sum(axis=1))
