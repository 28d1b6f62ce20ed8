"""Which kernels have a companion for blocks of one thread."""

from __future__ import annotations

import pytest

from simt2simd.options import Options
from simt2simd.pipeline import compile_device
from simt2simd.source import Source
from simt2simd.tree.companions import SingleThread, with_role

OTHERS = """
__noinline__ __device__ int by_block(int n) { for (int i = 0; i < n; i++) n -= blockIdx.x * i; return n; }
__device__ int by_thread() { return threadIdx.y; }
__device__ int deep(int n) { return n > 0 ? deep(n - 1) + 1 : 0; }
__device__ int half(int n) { return n / 2; }
struct Flag { volatile int raised; };
"""


def companions(body: str, options: Options = Options()) -> dict[str, str]:  # noqa: B008
    code = f"{OTHERS}__global__ void k(const int *in, int *out, int n, Flag *flag) {{ int i = blockIdx.x; {body} }}"
    module = compile_device(Source("k.cu", code), options, until="single-thread-blocks").module
    return {each.of: each.kernel for each in with_role(module.companions, SingleThread)}


@pytest.mark.parametrize(
    "body",
    [
        "out[i] = in[i];",
        "out[i] = half(in[i]) + blockDim.x * gridDim.x;",
        "if (i < n && blockIdx.y == 0) atomicAdd(out, in[i]);",
        "for (; i < n; i += gridDim.x) out[i] = in[i];",
    ],
)
def test_kernels_that_know_blocks_only_have_one(body: str) -> None:
    assert companions(body) == {"k": "k_lone"}


@pytest.mark.parametrize(
    "body",
    [
        "out[i + threadIdx.x] = in[i];",
        "out[i] = by_thread();",
        "out[i] = by_block(in[i]);",
        "out[i] = deep(in[i]);",
        "__shared__ int s; s = in[i]; out[i] = s;",
        "out[i] = in[i]; __syncthreads(); out[i + 1] = 0;",
        "out[i] = __ballot_sync(~0u, in[i]);",
        "while (!flag->raised) out[i]++;",
        "out[i] = atomicAdd(out + n, 1);",
    ],
)
def test_kernels_whose_lanes_have_to_be_of_one_block_have_none(body: str) -> None:
    assert companions(body) == {}


def test_kernels_that_are_counted_or_debugged_stay_as_they_are() -> None:
    assert companions("out[i] = in[i];", Options(stats=True)) == {}
    assert companions("out[i] = in[i];", Options(debug="full")) == {}


def test_a_kernel_without_blocks_of_its_own_has_none() -> None:
    code = "__global__ void k(int *out) { for (int i = 0; i < 9; i++) out[i] = i; }"
    assert compile_device(Source("k.cu", code), Options(), until="single-thread-blocks").module.companions == ()
