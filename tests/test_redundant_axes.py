"""Idle axes: one row or layer of a block runs for all where the others would do the same, and nothing counts them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import numpy as np
import pytest

from simt2simd.options import Options
from simt2simd.pipeline import compile_device, results
from simt2simd.python.kernel import RawModule
from simt2simd.runtime import ALL_GANGS, configure
from simt2simd.source import Source

HEADERS = """
#include <cooperative_groups.h>
#include <assert.h>
namespace cg = cooperative_groups;
"""
OTHERS = """
struct Place { unsigned x, y; };
struct Shape { int kind; __device__ virtual unsigned row() const { return threadIdx.y; } };
struct Flat : Shape { __device__ unsigned row() const override { return 0; } };
struct Flag { volatile int raised; int other; };
__device__ unsigned row() { return threadIdx.y; }
__device__ unsigned deep(int n) { return n > 0 ? deep(n - 1) : row(); }
__device__ unsigned chosen(unsigned (*which)()) { return which(); }
__device__ void placed(Place *place) { place->x = threadIdx.x; place->y = threadIdx.y; }
__device__ int counted(int *out) { return atomicAdd(out, 1); }
template <class Work> __device__ void with(Work work) { work(); }
__device__ int total;
__global__ void child(int *out) { atomicAdd(out, 1); }
"""


def axes(body: str) -> int:
    """Return how many axes of the blocks of a kernel with this body run."""
    text = HEADERS + OTHERS + "__global__ void k(const int *in, int *out, int n, Flag *flag) {\n"
    text += f"int i = blockIdx.x * blockDim.x + threadIdx.x;\n{body}\n}}"
    found = compile_device(Source("k.cu", text), Options(), until="redundant-axes")[results.REDUNDANT_AXES]
    return int(found.get("k", 3))


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("out[i] = in[i];", 1),
        ("out[i] += in[i];", 1),
        ("if (i == 0) out[0] = blockIdx.y * blockDim.y + gridDim.z;", 1),  # the same in all rows of a block
        ("for (int k = 0; k < n; k++) out[i] += in[i * n + k];", 1),
        ("float s, c; sincosf(in[i], &s, &c); out[i] = s + c;", 1),
        ("int own[4]; for (int k = 0; k < 4; k++) own[in[i + k] & 3] = k; out[i] = own[n & 3];", 1),
        ("out[i] = threadIdx.y;", 2),
        ("if (threadIdx.y == 0) out[i] = 1;", 2),
        ("out[i] = threadIdx.z;", 3),
    ],
)
def test_an_axis_is_idle_if_no_thread_asks_where_it_is_along_it(body: str, expected: int) -> None:
    assert axes(body) == expected


@pytest.mark.parametrize(
    "body",
    [
        "out[i] = row();",
        "out[i] = deep(n);",
        "out[i] = chosen(row);",
        "Place place; placed(&place); out[i] = place.y;",
        "Place place = {threadIdx.x, threadIdx.y}; out[i] = (&place.x)[n];",
        "unsigned of[2] = {threadIdx.x, threadIdx.y}, *p = of; out[i] = p[n];",
        "uint3 where = threadIdx; out[i] = where.y;",
        "auto where = threadIdx; const uint3 &again = where; out[i] = again.y;",
        "Shape shape; Flat flat; const Shape *s = in[i] ? &shape : &flat; out[i] = s->row();",
        "with([=] { out[i] = threadIdx.y; });",
        "unsigned y; asm(\"mov.u32 %0, %%tid.y;\" : \"=r\"(y)); out[i] = y;",
        "out[i] = cg::this_thread_block().thread_rank();",
        "out[i] = cg::this_thread_block().thread_index().y;",
        "cg::this_thread_block().sync(); out[i] = 1;",
    ],
)  # fmt: skip
def test_threads_may_ask_for_it_in_any_way(body: str) -> None:
    assert axes(body) > 1


@pytest.mark.parametrize(
    "body",
    [
        "atomicAdd(&out[i], 1);",
        "atomicExch(&out[i], 1);",
        "counted(out);",
        "with([=] { atomicAdd(&total, 1); });",
        'printf("%d\\n", i);',
        "assert(in[i] > 0);",
        "out[i] = clock();",
        "out[i] = clock64();",
        "__syncthreads(); out[i] = in[i];",
        "out[i] = __syncthreads_count(in[i] > 0);",
        "out[i] = __ballot_sync(0xffffffff, in[i] > 0);",
        "out[i] = __shfl_xor_sync(0xffffffff, in[i], 1);",
        "out[i] = __activemask();",
        "unsigned lane; asm(\"mov.u32 %0, %%laneid;\" : \"=r\"(lane)); out[i] = lane;",
        "__threadfence(); out[i] = in[i];",
        "flag->raised += 1;",
        "volatile int *v = out; v[i] += 1;",
        "out[i] = *(volatile const int *)(in + i);",
        "int *p = new int; *p = in[i]; out[i] = *p; delete p;",
        "__shared__ int last; last = i; out[i] = last;",
        "__nanosleep(n); out[i] = in[i];",
        "child<<<1, 1>>>(out);",
        "if (in[i] < 0) __trap();",
    ],
)  # fmt: skip
def test_no_axis_is_idle_if_it_shows_how_many_come_by(body: str) -> None:
    assert axes(body) == 3


def test_no_axis_is_idle_where_threads_are_counted_or_looked_at() -> None:
    code = "__global__ void k(int *out) { out[threadIdx.x] = 1; }"
    for options in (Options(stats=True), Options(debug="full")):
        assert compile_device(Source("k.cu", code), options, until="redundant-axes")[results.REDUNDANT_AXES] == {}


KERNELS = r"""
__device__ int mixed(const int *in, int x, int nx) {
    int sum = in[x];
    for (int k = 0; k < in[x] % 5; k++) sum = 3 * sum + in[(x + k) % nx];
    return sum;
}
__global__ void columns(const int *in, int *out, int nx) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    if (x < nx) out[x] = mixed(in, x, nx) + blockDim.y;
}
__global__ void layers(const int *in, int *out, int nx) {
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = threadIdx.y;
    if (x < nx) out[y * nx + x] = mixed(in, x, nx) + 1000 * y;
}
__global__ void visits(const int *in, int *out, int nx) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    if (x < nx) atomicAdd(&out[x], in[x]);
}
__global__ void votes(const int *in, int *out, int nx) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int all = __syncthreads_count(x < nx && in[x] > 50);
    if (x < nx) out[x] = all;
}
__global__ void sums(const int *in, int *out, int nx) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    if (x >= nx) return;
    out[x] = 0;
    for (int k = 0; k < 4; k++) out[x] += in[(x + k) % nx];
}
"""
BLOCKS = [(32, 8), (4, 4), (8, 8, 2), (7, 5, 3), (1, 64), (100, 3), (16, 1, 4)]


@contextmanager
def hthreads(count: int, per_block: int) -> Iterator[None]:
    configure(count, per_block)
    try:
        yield
    finally:
        configure()


@pytest.mark.parametrize("way", ["", "--disable=redundant-axes", "--lanes=32", "--lanes=64"])
@pytest.mark.parametrize(("count", "per_block"), [(1, 0), (2, 0), (4, 0), (4, 2), (2, ALL_GANGS)])
def test_blocks_with_idle_axes_do_what_all_their_threads_do(way: str, count: int, per_block: int) -> None:
    module = RawModule(code=KERNELS, options=tuple(way.split()))
    for block in BLOCKS:
        wide, high, deep = (*block, 1)[:3]
        grid, nx = (5, 1, 1), 5 * wide - wide // 3
        given = np.random.default_rng(1).integers(0, 100, nx).astype(np.int32)
        mixed, x = given.astype(np.int64), np.arange(nx)
        for k in range(4):
            mixed = np.where(k < given % 5, 3 * mixed + given[(x + k) % nx], mixed)
        blocks = np.pad(given > 50, (0, 5 * wide - nx)).reshape(5, wide).sum(axis=1) * high * deep
        expected = {
            "columns": mixed + high,
            "layers": mixed + 1000 * np.arange(high)[:, None],
            "visits": given * (high * deep),
            "votes": blocks[x // wide],
        }
        if "redundant-axes" not in way:  # else its rows race
            expected["sums"] = sum(given[(x + k) % nx] for k in range(4))
        for name, values in expected.items():
            out = np.zeros(np.shape(values), np.int32)
            with hthreads(count, per_block):
                module.get_function(name)(grid, block, (given, out, nx))
            assert np.array_equal(out, values), (name, block)
