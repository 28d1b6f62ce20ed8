"""Matrices of warps: products of fragments are those of NumPy and of the host."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from library_kernels import run_program

from simt2simd import RawKernel

ONE = """
#include <mma.h>
using namespace nvcuda::wmma;
extern "C" __global__ void k(const half *a, const half *b, float *c, half *d, float *rounded) {
    fragment<matrix_a, 16, 16, 16, half, row_major> left;
    fragment<matrix_b, 16, 16, 16, half, col_major> right;
    fragment<accumulator, 16, 16, 16, float> sum;
    fragment<accumulator, 16, 16, 16, half> narrow;
    load_matrix_sync(left, a, 16);
    load_matrix_sync(right, b, 24);
    fill_fragment(sum, 1.0f);
    mma_sync(sum, left, right, sum);
    for (int i = 0; i < sum.num_elements; i++) narrow.x[i] = __float2half(2 * sum.x[i]);
    store_matrix_sync(c, sum, 20, mem_row_major);
    store_matrix_sync(d, narrow, 16, mem_col_major);
    rounded[threadIdx.x] = __float_to_tf32(1 + threadIdx.x / 4096.0f);
}
"""


def test_a_product_and_its_elements() -> None:
    """Accumulators of the same size have their elements at the same places: programs convert one into another."""
    random = np.random.default_rng(3)
    a, b = random.integers(-4, 5, (16, 16)).astype(np.float16), random.integers(-4, 5, (16, 24)).astype(np.float16)
    c, d, rounded = np.zeros((16, 20), np.float32), np.zeros((16, 16), np.float16), np.zeros(32, np.float32)
    RawKernel(ONE, "k")((1,), (32,), (a, b, c, d, rounded))
    right = a.astype(np.float32) @ b[:, :16].T.astype(np.float32) + 1
    np.testing.assert_array_equal(c[:, :16], right)
    assert not c[:, 16:].any()
    np.testing.assert_array_equal(d.T, 2 * right)
    np.testing.assert_array_equal(rounded, 1 + np.floor(np.arange(32) / 4 + 0.5) / 1024)


@pytest.mark.slow
def test_products_of_every_size_and_type(tmp_path: Path) -> None:
    text = (Path(__file__).parent / "libraries" / "mma.cu").read_text()
    assert run_program(tmp_path, text).endswith("PASS\n")
