"""Jumps in PTX: `bra` and labels do what the loops and conditions of CUDA-C do that NumPy computes."""

from __future__ import annotations

import numpy as np
import pytest
from front import module
from ptx_assembler import assembles
from test_ptx_warps import both

from simt2simd.diag import CompileError

A = np.random.default_rng(3).integers(0, 100, 64, np.int32)


def run(statement: str) -> np.ndarray:
    """Return what a statement makes of y, which is 1, and x, which is an element of A."""
    text = f"""extern "C" __global__ void k(int *d, const int *a) {{
        int y = 1, x = a[threadIdx.x]; {statement} d[threadIdx.x] = y; }}"""
    assembles(text, "sm_80")
    return both(text, "k", 64, [np.zeros(64, np.int32), A])[0]


def test_a_loop_with_its_condition_at_the_end() -> None:
    found = run("""asm("{ .reg .pred p; .reg .s32 n; mov.s32 n, %1; again: add.s32 %0, %0, n; add.s32 n, n, -7;"
                       " setp.gt.s32 p, n, 0; @p bra again; }" : "+r"(y) : "r"(x));""")
    expected = [1 + sum(range(x, 0, -7)) if x > 0 else 1 + x for x in A.tolist()]
    assert found.tolist() == expected


def test_a_loop_that_a_jump_leaves() -> None:
    found = run(r"""asm volatile("{\n\t.reg .pred P1;\n\t.reg .s32 n; mov.s32 n, %1;\n\t"
                "LAB_WAIT:\n\tadd.s32 %0, %0, 1; shr.s32 n, n, 1; setp.eq.s32 P1, n, 0;\n\t"
                "@P1 bra.uni DONE;\n\tbra.uni LAB_WAIT;\n\tDONE:\n\t}" : "+r"(y) : "r"(x));""")
    assert found.tolist() == [1 + max(1, int(x).bit_length()) for x in A]


def test_jumps_past_statements() -> None:
    found = run("""asm("{ .reg .pred p, q; setp.lt.s32 p, %1, 50; setp.lt.s32 q, %1, 20; @!p bra $past%=;"
                       " add.s32 %0, %0, 10; @q bra $inner%=; add.s32 %0, %0, 100; $inner%=: add.s32 %0, %0, 1000;"
                       " bra $past%=; mov.s32 %0, 0; $past%=: add.s32 %0, %0, 1; }" : "+r"(y) : "r"(x));""")
    assert found.tolist() == [2 if x >= 50 else 1012 if x < 20 else 1112 for x in A]


def test_loops_within_loops() -> None:
    found = run("""asm("{ .reg .pred p; .reg .s32 i, j; mov.s32 i, 0; mov.s32 j, 0; "
        "outer: setp.ge.s32 p, i, %1; @p bra done; add.s32 i, i, 9; mov.s32 j, 0;"
        "inner: add.s32 j, j, 1; setp.eq.s32 p, j, 5; @p bra next; rem.s32 %0, j, 3; setp.eq.s32 p, %0, 1;"
        " @p bra inner; add.s32 j, j, %0; setp.lt.s32 p, j, 5; @p bra inner; next: bra outer; done: add.s32 %0, i, j; }"
        : "+r"(y) : "r"(x));""")
    expected = []
    for x in A.tolist():
        i = j = 0
        while i < x:
            i, j = i + 9, 1
            while j != 5 and (j % 3 == 1 or j + j % 3 < 5):
                j += (j % 3) * (j % 3 != 1) + 1
            j += (j % 3) * (j != 5)
        expected.append(i + j)
    assert found.tolist() == expected


WAIT = """#include <cstdint>
__device__ void wait(uint32_t at, uint32_t phase) {
    asm volatile("{\\n.reg .pred P1;\\nLAB_WAIT: \\nmbarrier.try_wait.parity.shared::cta.b64 P1, [%0], %1;\\n"
                 "@P1 bra DONE;\\nbra LAB_WAIT;\\nDONE: \\n}" :: "r"(at), "r"(phase) : "memory");
}
__device__ void wait_again(uint32_t at, uint32_t phase) {
    asm volatile("{ .reg .pred p; again%=: mbarrier.test_wait.parity.shared::cta.b64 p, [%0], %1; @!p bra again%=; }"
                 :: "r"(at), "r"(phase) : "memory");
}
extern "C" __global__ void k(int *d) {
    __shared__ unsigned long long bar;
    __shared__ int data[256];
    int i = threadIdx.x;
    uint32_t at = (uint32_t)__cvta_generic_to_shared(&bar);
    if (i == 0) asm volatile("mbarrier.init.shared.b64 [%0], %1;" :: "r"(at), "r"(256));
    __syncthreads();
    int sum = 0;
    for (int phase = 0; phase < 4; phase++) {
        data[i] = i + phase;
        asm volatile("{ .reg .b64 t; mbarrier.arrive.shared.b64 t, [%0]; }" :: "r"(at) : "memory");
        if (phase % 2) wait(at, phase & 1); else wait_again(at, phase & 1);
        sum += data[255 - i];
        __syncthreads();
    }
    d[i] = sum;
}"""


def test_loops_that_wait_for_a_barrier() -> None:
    assembles(WAIT, "sm_90")
    (d,) = both(WAIT, "k", 256, [np.zeros(256, np.int32)])
    assert d.tolist() == [4 * (255 - i) + 6 for i in range(256)]


PIPE = (
    WAIT[: WAIT.index("extern")]
    + """
extern "C" __global__ void k(int *d, const int *a, int n) {
    __shared__ unsigned long long full[2], empty[2];
    __shared__ int data[2][64];
    int i = threadIdx.x;
    if (i < 2) {
        uint32_t full_at = (uint32_t)__cvta_generic_to_shared(&full[i]);
        asm volatile("mbarrier.init.shared.b64 [%0], %1;" :: "r"(full_at), "r"(64));
        uint32_t empty_at = (uint32_t)__cvta_generic_to_shared(&empty[i]);
        asm volatile("mbarrier.init.shared.b64 [%0], %1;" :: "r"(empty_at), "r"(64));
    }
    __syncthreads();
    int sum = 0;
    for (int k = 0; k < n; k++) {
        int stage = k % 2, phase = k / 2 % 2;
        uint32_t filled = (uint32_t)__cvta_generic_to_shared(&full[stage]);
        uint32_t read = (uint32_t)__cvta_generic_to_shared(&empty[stage]);
        if (i < 64) {
            wait(read, phase ^ 1);
            data[stage][i] = a[k * 64 + i];
            asm volatile("{ .reg .b64 t; mbarrier.arrive.shared.b64 t, [%0]; }" :: "r"(filled) : "memory");
        } else {
            wait(filled, phase);
            sum += data[stage][127 - i] * (k + 1);
            asm volatile("{ .reg .b64 t; mbarrier.arrive.shared.b64 t, [%0]; }" :: "r"(read) : "memory");
        }
    }
    if (i >= 64) d[i - 64] = sum;
}"""
)


def test_warps_that_write_and_warps_that_read() -> None:
    """A pipeline of two stages: the first two warps fill them, the others read them."""
    assembles(PIPE, "sm_90")
    text = PIPE.replace("int *d, const int *a, int n)", "int *d, const int *a)").replace("k < n", "k < 7")
    a = np.random.default_rng(4).integers(0, 100, (7, 64), np.int32)
    d, _ = both(text, "k", 128, [np.zeros(64, np.int32), a])
    assert d.tolist() == (a[:, ::-1] * np.arange(1, 8)[:, None]).sum(axis=0).tolist()


@pytest.mark.parametrize(
    ("statement", "message", "column"),
    [
        ('asm("bra next;");', "there is no label 'next' in this 'asm'", 10),
        ('asm("{ l: } bra l;");', "there is no label 'l'", 17),
        ('asm("l: l: bra l;");', "the label 'l' is there twice", 9),
        (
            'asm("{ .reg .pred p; setp.eq.s32 p, %0, 0; @p bra b; a: add.s32 %0, %0, 1; b: add.s32 %0, %0, 2; bra a; }"'
            ' : "+r"(i));',
            "the PTX jump to 'b' is not supported",
            51,
        ),
    ],
)
def test_other_jumps_are_refused(statement: str, message: str, column: int) -> None:
    with pytest.raises(CompileError) as failure:
        module(f"__global__ void k(int i) {{\n    {statement} }}")
    assert message in str(failure.value) and str(failure.value).startswith(f"test.cu:2:{column}:"), failure.value
