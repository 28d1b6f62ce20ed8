"""Loops in which each thread goes along a row of its own: which reads are found, and what a gang reads ahead."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from llvmlite import ir
from test_memory_ends import at_the_edge

from simt2simd.codegen.llvm import optimise
from simt2simd.options import Options
from simt2simd.pipeline import compile_device
from simt2simd.python.kernel import RawKernel
from simt2simd.simd.transposed import transposed
from simt2simd.source import Source
from simt2simd.target import AVX2


def dump(stage: str, code: str) -> str:
    dumps: list[str] = []
    compile_device(Source("k.cu", code), Options(target=AVX2), [stage], lambda _, text: dumps.append(text))
    return dumps[0]


def found(loop: str, params: str = "const int *a, const int *b, int *out", before: str = "") -> list[str]:
    """Return the reads that go along rows."""
    code = f"""
__device__ int last;
__device__ int fixed(int x) {{ return x * 3; }}
__device__ int changing(int x) {{ last = x; return x; }}
__global__ void k({params}, int n) {{
    __shared__ int mine[64];
    int i = threadIdx.x, first = i * n, sum = 0, step = 1, *p = &step;
    {before}
    {loop}
    out[i] = sum + mine[i] + *p;
}}"""
    lines = dump("row-streams", code).split("\n")
    return [line.removeprefix("k: ").partition(" [")[0] for line in lines if line]


FIXED = "const int *__restrict__ a, const int *__restrict__ b, int *out"


@pytest.mark.parametrize(
    ("loop", "reads"),
    [
        ("for (int k = 0; k < n; k++) sum += a[first + k];", ["a[first + k]"]),
        ("for (int k = first; k < first + n; ++k) sum += a[k] * b[k];", ["a[k]", "b[k]"]),
        ("for (int k = b[i]; k < b[i + 1]; k++) sum += a[k];", ["a[k]"]),
        ("for (unsigned k = 0; k < n; k++) sum += a[first + k - 1];", ["a[first + k - 1u]"]),
        ("for (int k = 0; k < n; k++) { if (a[k + first] > 3) sum++; }", ["a[k + first]"]),
        ("for (int k = 0; k < n; k++) sum += fixed(a[k + b[i]]);", ["a[k + b[i]]"]),
        ("for (int k = 0; k < n; k++) for (int j = 0; j < 4; j++) sum += a[first + j];", ["a[first + j]"]),
        ("for (int k = 0; k < n; k++) mine[i] += a[first + k];", ["a[first + k]"]),
    ],
)
def test_reads_along_rows_are_found(loop: str, reads: list[str]) -> None:
    assert found(loop) == reads


@pytest.mark.parametrize(
    "loop",
    [
        "for (int k = 0; k < n; k++) sum += a[first + 2 * k];",
        "for (int k = 0; k < n; k++) sum += a[first - k];",
        "for (int k = n; k > 0; k--) sum += a[first + k];",
        "for (int k = 0; k <= n; k++) sum += a[first + k];",
        "for (int k = 0; k < n; k += 2) sum += a[first + k];",
        "for (int k = 0; k < n; k++) { sum += a[first + k]; first += 3; }",
        "for (int k = 0; k < n; k++) { if (sum > 5) break; sum += a[first + k]; }",
        "for (int k = 0; k < n; k++) { sum += a[first + k]; if (sum > 5) return; }",
        "for (int k = 0; k < n; k++) { if (k & 1) continue; sum += a[first + k]; }",
        "for (int k = 0; k < n; k++) if (k & 1) sum += a[first + k];",
        "for (int k = 0; k < n; k++) sum += k & 1 ? a[first + k] : 0;",
        "for (int k = 0; k < n; k++) { sum += a[first + k]; n -= sum & 1; }",
        "for (int k = 0; k < n; k++) { sum += a[first + k]; k += sum & 1; }",
        "for (int k = 0; k < n; k++) { sum += a[first + k]; out[k] = sum; }",
        "for (int k = 0; k < n; k++) sum += changing(a[first + k]);",
        "for (int k = 0; k < n; k++) { sum += a[first + k]; atomicAdd(out, sum); }",
        "for (int k = 0; k < n; k++) { sum += a[first + k]; __syncthreads(); }",
        "for (int k = 0; k < n; k++) { sum += a[first + k * step]; *p = sum; }",
        "for (int k = 0; k < n; k++) { sum += a[step + k]; *p = sum; }",
        "for (int k = 0; k < n; k++) sum += mine[(first + k) & 63];",
    ],
)
def test_other_reads_are_not(loop: str) -> None:
    assert found(loop) == []


def test_what_nobody_writes_is_read_ahead_of_writes() -> None:
    assert found("for (int k = 0; k < n; k++) { sum += a[first + k]; out[k] = sum; }", FIXED) == ["a[first + k]"]
    assert found("for (int k = 0; k < n; k++) { sum += a[first + k]; atomicAdd(out, 1); }", FIXED) == ["a[first + k]"]
    for loop in (
        "for (int k = 0; k < n; k++) { sum += a[first + k]; assert(sum < 9); }",
        "for (int k = 0; k < n; k++) { sum += a[first + k]; __syncthreads(); }",
        "for (int k = 0; k < out[i]; k++) { sum += a[first + k]; out[k] = sum; }",
        "for (int k = 0; k < n; k++) { sum += a[out[i] + k]; out[k] = sum; }",
        "for (int k = 0; k < n; k++) { sum += a[step + k]; *p = sum; }",
    ):
        assert found(loop, FIXED) == []


ROWS = "const int *a = row, *b = row; (void)b;"


def test_a_pointer_of_its_own_may_lead_to_what_is_written() -> None:
    """To the block's memory, say; a parameter of a kernel cannot."""
    loop = "for (int k = 0; k < n; k++) { sum += a[first + k]; mine[i] = sum; }"
    assert found(loop, "const int *row, int *out", ROWS) == []
    assert found("for (int k = 0; k < n; k++) sum += a[first + k];", "const int *row, int *out", ROWS) != []


@pytest.mark.parametrize("bits", [32, 64])
def test_columns_of_a_square(bits: int) -> None:
    """LLVM knows what is in the lanes, and folds it all."""
    count = 512 // bits
    vector = ir.VectorType(ir.IntType(bits), count)
    rows: list[ir.Value] = [
        ir.Constant(vector, [row * count + column for column in range(count)]) for row in range(count)
    ]
    module = ir.Module()
    function = ir.Function(module, ir.FunctionType(ir.VoidType(), [ir.PointerType()]), "f")
    b = ir.IRBuilder(function.append_basic_block())
    for place, turned in enumerate(transposed(b, rows)):
        b.store(turned, b.gep(function.args[0], [ir.Constant(ir.IntType(64), place)], source_etype=vector))
    b.ret_void()
    text = str(optimise(module, Options()))
    for column in range(count):
        lanes = ", ".join(f"i{bits} {number}" for number in range(column, count * count, count))
        assert f"store <{count} x i{bits}> <{lanes}>" in text


CODE = """
__global__ void sums(const int *row, const float *a, const double *b, double *out, int rows) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= rows) return;
    double sum = 0;
    for (int k = row[i]; k < row[i + 1]; k++) sum += a[k] * b[k];
    out[i] = sum;
}
__global__ void chain(const int *a, int *b, int n, int rows) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= rows) return;
    for (int k = 0; k < n - 1; k++) b[i * n + k + 1] = a[i * n + k] * 3 + k;
}
"""


@pytest.mark.parametrize("lanes", [16, 32, 64])
@pytest.mark.parametrize("ends", [True, False], ids=["at the end", "at the beginning"])
def test_nothing_beside_the_rows_is_touched(ends: bool, lanes: int) -> None:
    rng = np.random.default_rng(3)
    kernel = RawKernel(CODE, "sums", ("--target=avx2", f"--lanes={lanes}"))
    for lengths in (
        rng.integers(0, 40, 100),
        np.full(50, 16),
        rng.integers(0, 2, 33) * 70,
        np.array([1]),
        np.full(64, 7),
    ):
        offsets = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int32)
        a = at_the_edge(rng.integers(-9, 9, offsets[-1]).astype(np.float32), ends=ends)
        b = at_the_edge(rng.integers(-9, 9, offsets[-1]).astype(np.float64), ends=ends)
        out = np.full(len(lengths), -1.0)
        kernel((-(-len(lengths) // 48),), (48,), (offsets, a, b, out, len(lengths)))
        expected = [np.dot(a[i:j].astype(float), b[i:j]) for i, j in pairwise(offsets)]
        np.testing.assert_array_equal(out, expected)


def test_what_is_written_is_read_in_the_next_iteration() -> None:
    rows, n = 40, 50
    a = np.random.default_rng(4).integers(0, 9, (rows, n)).astype(np.int32)
    expected = a.copy()
    for k in range(n - 1):
        expected[:, k + 1] = expected[:, k] * 3 + k
    RawKernel(CODE, "chain", ("--target=avx2",))((2,), (32,), (a.reshape(-1), a.reshape(-1), n, rows))
    np.testing.assert_array_equal(a, expected)


def test_rows_of_both_sizes_are_read_by_functions() -> None:
    text = dump("opt", CODE)
    assert all(f"call fastcc void @s2s.runs.{size}(" in text for size in (4, 8))
