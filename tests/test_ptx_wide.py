"""PTX's registers of 128 bits, and what a launch says of shared memory and clusters."""

from __future__ import annotations

import numpy as np
import pytest
from front import module
from ptx_assembler import assembles

from simt2simd import RawKernel
from simt2simd.diag import CompileError
from simt2simd.interp.run import Interpreter

PAIR = "struct alignas(16) pair { unsigned long long x, y; };\n"


def run(text: str, threads: int, *arrays: np.ndarray, blocks: int = 1) -> list[np.ndarray]:
    """Run the kernel `k` compiled and interpreted, which must agree; return its arrays."""
    ours, theirs = ([array.copy() for array in arrays] for _ in range(2))
    RawKernel(text, "k")((blocks,), (threads,), tuple(ours))
    Interpreter(module(text)).launch("k", blocks, threads, theirs)
    for mine, other in zip(ours, theirs, strict=True):
        np.testing.assert_array_equal(mine, other)
    return ours


def aligned(words: int) -> np.ndarray:
    """Return an array that begins at a multiple of 16 bytes."""
    whole = np.zeros(words + 1, np.uint64)
    return whole[(whole.ctypes.data // 8) % 2 :][:words]


def test_words_are_put_together_and_taken_apart() -> None:
    text = (
        PAIR
        + r"""__global__ void k(pair *p) {
        pair &v = p[threadIdx.x];
        asm("{ .reg .b128 a, b; mov.b128 a, {%0, %1}; mov.b128 b, a;\n"
            "  { .reg .b64 a; mov.b64 a, 5; mov.b128 b, {%1, a}; } mov.b128 {_, %0}, b; mov.b128 {%1, _}, a; }"
            : "+l"(v.x), "+l"(v.y));
        v.x += threadIdx.x;
    }"""
    )
    assembles(text.replace("mov.b128 {_, %0}, b; mov.b128 {%1, _}, a;", "mov.b128 {%0, %1}, b;"), "sm_90")
    data = aligned(66)
    data[:] = np.arange(66) + 100
    (found,) = run(text, 33, data)
    assert found[0::2].tolist() == [5 + i for i in range(33)]
    assert found[1::2].tolist() == [100 + 2 * i for i in range(33)]


MEMORY = [
    ("ld.b128 a, [%0]; st.b128 [%0+16], a;", [3, 4, 3, 4]),
    ("ld.global.b128 a, [%0+16]; st.global.b128 [%0], a;", [5, 6, 5, 6]),
    ("ld.acquire.gpu.b128 a, [%0]; st.release.sys.b128 [%0+16], a;", [3, 4, 3, 4]),
    ("ld.relaxed.cta.b128 a, [%0+16]; st.relaxed.cluster.b128 [%0], a;", [5, 6, 5, 6]),
    ("ld.volatile.b128 a, [%0+16]; st.volatile.b128 [%0], a;", [5, 6, 5, 6]),
    ("mov.b128 a, {7, 8}; atom.exch.gpu.b128 b, [%0], a; st.b128 [%0+16], b;", [7, 8, 3, 4]),
    (
        "mov.b128 a, {3, 4}; mov.b128 b, {8, 9}; atom.cas.acq_rel.sys.b128 a, [%0], a, b; st.b128 [%0+16], a;",
        [8, 9, 3, 4],
    ),
    ("mov.b128 a, {3, 5}; mov.b128 b, {8, 9}; atom.cas.cta.b128 a, [%0], a, b; st.b128 [%0+16], a;", [3, 4, 3, 4]),
    (
        "mov.b128 a, {3, 4}; atom.relaxed.cluster.cas.b128 _, [%0], a, a; mov.b128 a, {1, 2}; st.b128 [%0], a;",
        [1, 2, 5, 6],
    ),
]


@pytest.mark.parametrize(("instructions", "expected"), MEMORY)
def test_sixteen_bytes_of_memory(instructions: str, expected: list[int]) -> None:
    text = f"""{PAIR}__global__ void k(pair *p) {{
        if (threadIdx.x % 3 == 1) {{
            p += threadIdx.x * 2;
            asm volatile("{{ .reg .b128 a, b; {instructions} }}" :: "l"(p) : "memory");
        }}
    }}"""
    data = aligned(4 * 40)
    data[:] = np.tile([3, 4, 5, 6], 40)
    (found,) = run(text, 40, data)
    for i, row in enumerate(found.reshape(40, 4)):
        assert row.tolist() == (expected if i % 3 == 1 else [3, 4, 5, 6]), i


def test_swaps_of_shared_memory_lose_nothing() -> None:
    text = (
        PAIR
        + r"""__global__ void k(unsigned long long *out) {
        __shared__ pair sum;
        if (threadIdx.x == 0) sum.x = sum.y = 0;
        __syncthreads();
        unsigned at = (unsigned)__cvta_generic_to_shared(&sum);
        unsigned long long x = 0, y = 0, a, b;
        do {
            a = x, b = y;
            asm volatile("{ .reg .b128 d, v; mov.b128 d, {%0, %1}; mov.b128 v, {%2, %3};"
                " atom.shared.cas.b128 d, [%4], d, v; mov.b128 {%0, %1}, d; }"
                : "+l"(x), "+l"(y) : "l"(a + threadIdx.x), "l"(b + 2), "r"(at) : "memory");
        } while (x != a || y != b);
        __syncthreads();
        if (threadIdx.x == 0) out[2 * blockIdx.x] = sum.x, out[2 * blockIdx.x + 1] = sum.y;
    }"""
    )
    (found,) = run(text, 100, aligned(6), blocks=3)
    assert found.tolist() == [4950, 200] * 3


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (".reg .b128 a; mov.b64 %0, a;", "'a' does not fit the instruction's type"),
        (".reg .b128 a; mov.u64 a, %0;", "a result of the type 'unsigned long long' does not fit 'a'"),
        (".reg .b128 a; mov.b128 a, %0;", "'%operand$0' is no register of the type '.b128'"),
        (".reg .b128 a; mov.b128 a, {%0, 1, 2};", "does not name two words"),
        (".reg .b128 a; mov.b128 {%0, _, _}, a;", "does not name two words"),
        (".reg .b128 a; add.b128 a, a, a;", "the PTX instruction 'add.b128' is not supported"),
        (".reg .b128 a; atom.add.b128 a, [%0], a;", "the PTX instruction 'atom.add.b128' is not supported"),
    ],
)
def test_what_a_wide_register_cannot_do_is_refused(text: str, message: str) -> None:
    with pytest.raises(CompileError) as failure:
        module(f'__global__ void k(unsigned long long *p) {{ asm("{{ {text} }}" : "+l"(p[0])); }}')
    assert message in str(failure.value)


DYNAMIC = r"""
    __device__ unsigned bytes() { unsigned n; asm volatile("mov.u32 %0, %%dynamic_smem_size;" : "=r"(n)); return n; }
"""


def test_the_bytes_of_dynamic_shared_memory() -> None:
    text = DYNAMIC + "__global__ void k(unsigned *out) { out[threadIdx.x] = bytes(); }"
    for size in (0, 4, 1000, 40000):
        ours, theirs = np.zeros(20, np.uint32), np.zeros(20, np.uint32)
        RawKernel(text, "k")((1,), (20,), (ours,), shared_mem=size)
        Interpreter(module(text)).launch("k", 1, 20, [theirs], shared_bytes=size)
        assert ours.tolist() == theirs.tolist() == [size] * 20


def test_children_have_their_own_bytes() -> None:
    text = (
        DYNAMIC
        + """__global__ void child(unsigned *out) { extern __shared__ unsigned s[]; *out = bytes() + (s == nullptr); }
    __global__ void k(unsigned *out) {
        unsigned n = threadIdx.x;
        child<<<1, 1, n % 3 * 64>>>(out + n);
        out[40 + n] = bytes();
    }"""
    )
    ours, theirs = np.zeros(80, np.uint32), np.zeros(80, np.uint32)
    RawKernel(text, "k")((1,), (40,), (ours,), shared_mem=128)
    Interpreter(module(text)).launch("k", 1, 40, [theirs], shared_bytes=128)
    assert ours.tolist() == theirs.tolist() == [i % 3 * 64 for i in range(40)] + [128] * 40


def test_a_cluster_is_one_block() -> None:
    text = r"""__global__ void k(unsigned *out) {
        __shared__ unsigned s;
        unsigned rank, is_explicit; unsigned long long graph;
        asm("getctarank.shared::cluster.u32 %0, %1;" : "=r"(rank) : "r"((unsigned)__cvta_generic_to_shared(&s)));
        asm("{ .reg .pred p; mov.pred p, %%is_explicit_cluster; selp.u32 %0, 1, 0, p; }" : "=r"(is_explicit));
        asm("mov.u64 %0, %%current_graph_exec;" : "=l"(graph));
        asm volatile("setmaxnreg.inc.sync.aligned.u32 64;");
        out[threadIdx.x] = rank + is_explicit * 2 + (unsigned)graph * 4;
    }"""
    (found,) = run(text, 20, np.ones(20, np.uint32))
    assert found.tolist() == [0] * 20
