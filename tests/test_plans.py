"""Decisions as data: what is chosen for a kernel can be looked up, printed and switched off."""

from __future__ import annotations

import pytest

from simt2simd.options import Options
from simt2simd.pipeline import compile_device
from simt2simd.source import Source
from simt2simd.target import AVX2

REDUCE = """
__global__ void sum(const int *in, int *out, int n) {
    __shared__ int s[64];
    int t = threadIdx.x;
    s[t] = in[blockIdx.x * 64 + t];
    __syncthreads();
    for (int w = 32; w > 0; w /= 2) {
        if (t < w) s[t] += s[t + w];
        __syncthreads();
    }
    if (t == 0) out[blockIdx.x] = s[0];
}
"""
LISTS = """
__global__ void lengths(const int *next, const int *heads, int *out) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, n = 0;
    for (int at = heads[i]; at >= 0; at = next[at]) n++;
    out[i] = n;
}
"""
WALK = """
typedef struct { int key, left, right; } Node;
__device__ void visit(const Node *nodes, int n, int *sum) {
    if (nodes[n].key < 0) return;
    *sum += nodes[n].key;
    visit(nodes, nodes[n].left, sum);
    visit(nodes, nodes[n].right, sum);
}
__global__ void k(const Node *nodes, int *out) { int sum = 0; visit(nodes, 0, &sum); out[threadIdx.x] = sum; }
"""
PRODUCT = """
__global__ void product(const float *a, const float *b, float *c, int n) {
    int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= n || column >= n) return;
    float sum = 0;
    for (int k = 0; k < n; k++) sum += a[row * n + k] * b[k * n + column];
    c[row * n + column] = sum;
}
"""
BY_KIND = """
__global__ void k(const int *kind, float *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v = x[i];
    if (kind[i] == 3)
        for (int j = 0; j < n; j++) v = v * v * v + v * 0.5f + v * v;
    x[i] = v;
}
"""
FIND = """
__device__ void find(const int *tree, int at, int key, int *out) {
    if (at > 99) return;
    if (tree[at] == key) *out = at;
    if (tree[at] < key) find(tree, 2 * at + 1, key, out); else find(tree, 2 * at, key, out);
    *out += 1;
}
__global__ void k(const int *tree, const int *keys, int *out) { find(tree, 1, keys[threadIdx.x], out + threadIdx.x); }
"""


def plans(code: str, *disabled: str, options: Options | None = None) -> str:
    """All decisions for a program, as `--dump-ir=plans` prints them."""
    options = options or Options(disabled=frozenset(disabled))
    return compile_device(Source("k.cu", code), options, until="plans").dump("plans")


@pytest.mark.parametrize(
    ("code", "name", "line"),
    [
        (REDUCE, "barrier-fission", "sum, gangs along x: divided into 3 regions"),
        (REDUCE, "first-threads", "region in line 8: threadIdx.x < w"),
        (REDUCE, "first-threads", "region in line 11: threadIdx.x < 1"),
        (REDUCE, "register-arrays", "while w > 0: s in registers"),
        (LISTS, "block-merging", "lengths, gangs along x: few blocks together, fused"),
        (LISTS, "scalar-tail", "loop in line 4: the last 3 lanes finish one by one"),
        (WALK, "stack-walks", "visit(uniform, uniform, affine +4 interleaved), gangs along x: a loop"),
        (WALK, "stack-walks", "a loop over a stack, in place of its calls"),
        (FIND, "single-lane", "one lane continues in scalar code"),
        (PRODUCT, "thread-coarsening", "product: 8 rows of a block, as product_rows8"),
        (PRODUCT, "wide-gangs", "product: gangs along x; gangs may span rows; gangs along x, 32 lanes"),
        (BY_KIND, "lane-compaction", "up to 16 lanes run in a gang of so many"),
        (BY_KIND, "wide-gangs", "k: gangs along x; gangs may span rows; gangs along x, 64 lanes"),
    ],
)
def test_a_decision_is_printed_and_can_be_switched_off(code: str, name: str, line: str) -> None:
    assert line in plans(code)
    assert line not in plans(code, name)


def test_why_a_kernel_is_not_divided_is_reported() -> None:
    code = "__global__ void k(int *x) { if (x[threadIdx.x]) __syncthreads(); x[0] = 1; }"
    text = plans(code)
    assert "k, gangs along x: not divided: threads of a block may disagree about the barrier in line 1" in text
    assert "functions in which gangs may be split:\n  k" in text


def test_shared_memory_is_laid_out() -> None:
    code = """
    __device__ int first(int x) { __shared__ int a[3]; a[threadIdx.x] = x; __syncthreads(); return a[0]; }
    __global__ void k(int *x) { __shared__ double b[2]; b[0] = x[0]; x[threadIdx.x] = b[0] + first(first(1)); }
    """
    text = plans(code)
    assert "a [line 2]: at byte 0" in text and "b [line 3]: at byte 16" in text and "k: 32 bytes" in text


def test_a_variable_of_an_inlined_function_has_one_place_in_all_kernels() -> None:
    """Each kernel has as much shared memory as its own variables need: one that lay behind another kernel's would not
    be in it."""
    code = """
    __device__ int turn(int x) { __shared__ int s[64]; s[threadIdx.x] = x; __syncthreads(); return s[63 - x % 64]; }
    __global__ void small(int *x) { int v = turn(x[threadIdx.x]); x[threadIdx.x] = v; }
    __global__ void large(int *x) { __shared__ int a[999]; a[5] = 1; int v = turn(x[0]); x[threadIdx.x] = v + a[5]; }
    """
    text = plans(code)
    assert "s [line 2]: at byte 0" in text and "a [line 4]: at byte 256" in text
    assert "small: 256 bytes" in text and "large: 4252 bytes" in text


def test_arrays_stay_in_memory_where_there_is_no_permutation() -> None:
    assert "in registers" not in plans(REDUCE, options=Options(target=AVX2))


def test_what_is_switched_off_in_the_lowering_is_reported() -> None:
    assert plans(LISTS, "likely", "full-mask").endswith("choices that are switched off:\n  full-mask\n  likely")
