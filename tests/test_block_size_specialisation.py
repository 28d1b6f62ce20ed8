"""Which kernels get code of their own for blocks of the size that their shared arrays are made for."""

from __future__ import annotations

import pytest

from simt2simd.options import Options
from simt2simd.pipeline import compile_device, results
from simt2simd.source import Source

REDUCTION = """
__global__ void k(float *out) {
    __shared__ float s[256];
    int t = threadIdx.x;
    s[t] = out[t];
    __syncthreads();
    for (int h = 128; h > 0; h /= 2) {
        if (t < h) s[t] += s[t + h];
        __syncthreads();
    }
    out[t] = s[0];
}"""
TILE = """
__global__ void k(float *out, int width) {
    __shared__ float tile[16][17];
    tile[threadIdx.y][threadIdx.x] = out[threadIdx.y * width + threadIdx.x];
    __syncthreads();
    out[threadIdx.y * width + threadIdx.x] = tile[threadIdx.x][threadIdx.y];
}"""
PASSED_ON = """
__global__ void k(int *out, int rounds) {
    __shared__ int numbers[256];
    int t = threadIdx.x, next = t + 1 == blockDim.x ? 0 : t + 1;
    numbers[t] = t;
    __syncthreads();
    for (int i = 0; i < rounds; i++) {
        int number = numbers[next];
        __syncthreads();
        numbers[t] = number;
        __syncthreads();
    }
    out[t] = numbers[t];
}"""


def block_sizes(code: str) -> set[tuple[int, int]]:
    found = compile_device(Source("k.cu", code), Options(), until="block-size-specialisation")[
        results.BLOCK_SIZE_SPECIALISATION
    ]
    return {(size.width, size.height) for size in found.values()}


@pytest.mark.parametrize(("code", "size"), [(REDUCTION, (256, 1)), (TILE, (16, 16))], ids=["reduction", "tile"])
def test_blocks_of_the_size_of_the_arrays_have_code_of_their_own(code: str, size: tuple[int, int]) -> None:
    assert block_sizes(code) == {size}


def test_a_loop_in_which_all_threads_have_work_to_the_end_is_no_reduction() -> None:
    assert block_sizes(PASSED_ON) == set()


def test_a_kernel_that_may_not_have_so_many_threads_has_no_code_for_them() -> None:
    assert block_sizes(REDUCTION.replace("void k", "void __launch_bounds__(128) k")) == set()
