"""`--emit cuda --traverse=lockstep`: a warp goes through a tree with one stack in shared memory."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from front import module
from test_cuda_text import nvcc

from simt2simd.command import cli, cuda_text
from simt2simd.options import Options, Traverse
from simt2simd.pipeline import rewrite_for_gpus
from simt2simd.source import Source
from simt2simd.transform.traversals.lockstep import lockstep, refused
from simt2simd.tree.nodes import Module
from simt2simd.tree.show import show_functions

PROGRAM = Path(__file__).parent / "programs" / "traversals.cu"

HEAD = "struct Node { int left, right; float key; };\n"
KERNEL = """
__global__ void k(const Node *t, const float *x, int *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x, sum = 0;
    if (i < n) { visit(t, 0, x[i], &sum); out[i] = sum; }
}
"""
PLAIN = """
__device__ void visit(const Node *t, int n, float x, int *sum) {
    if (t[n].key > x) return;
    *sum += n;
    if (t[n].left < 0) return;
    visit(t, t[n].left, x, sum);
    visit(t, t[n].right, x, sum);
}
"""


def rewritten(code: str) -> Module:
    return rewrite_for_gpus(Source("k.cu", code), Options(traverse=Traverse.LOCKSTEP, check_ir=True)).module


def reason(code: str) -> str:
    (found,) = refused(module(code))
    return found.why


def test_a_warp_has_a_stack_in_shared_memory_and_votes() -> None:
    text = show_functions(rewritten(HEAD + PLAIN + KERNEL))["visit"]
    assert "extern __shared__ unsigned long long s2s_stacks[];" in text
    assert "__ballot_sync(here, " in text
    assert "lanes_stack[depth] = going_0;" in text
    assert "visit(" not in text.partition("{")[2].replace("visit_round(", "")


def test_what_all_lanes_can_compute_is_not_handed_from_lane_to_lane() -> None:
    code = PLAIN.replace("visit(t, t[n].left, x, sum)", "visit(t, n + 1, x, sum)")
    assert "n = n + 1;" in show_functions(rewritten(HEAD + code + KERNEL))["visit"]


def test_arguments_that_differ_by_lane_are_the_threads_own() -> None:
    code = """
__device__ void visit(const Node *t, int n, float x, int *sum) {
    if (t[n].key > x) return;
    *sum += n;
    if (t[n].left < 0) return;
    visit(t, t[n].left, x * 0.5f + *sum, sum);
    visit(t, t[n].right, x - *sum, sum);
}
"""
    text = show_functions(rewritten(HEAD + code + KERNEL))["visit"]
    assert "float x_stack[256];" in text
    assert "int *const n_stack = (int *)(stack + 1);" in text


def test_calls_that_the_same_lanes_make_need_one_ballot() -> None:
    text = show_functions(rewritten(HEAD + PLAIN + KERNEL))["visit"]
    assert text.count("__ballot_sync") == 1
    conditional = PLAIN.replace("visit(t, t[n].right, x, sum);", "if (x > 3) visit(t, t[n].right, x, sum);")
    assert show_functions(rewritten(HEAD + conditional + KERNEL))["visit"].count("__ballot_sync") == 2


GUIDED = """
__device__ void visit(const Node *t, int n, float x, int *sum) {
    *sum = *sum * 31 + n;
    if (t[n].left < 0) return;
PRAGMA
    if (t[n].key > x) { visit(t, t[n].left, x, sum); visit(t, t[n].right, x, sum); }
    else { visit(t, t[n].right, x, sum); visit(t, t[n].left, x, sum); }
}
"""


def test_guided_traversals_are_refused_unless_any_order_is_right() -> None:
    why = reason(HEAD + GUIDED.replace("PRAGMA", "") + KERNEL)
    assert why.startswith("it is guided: 't[n].key > x' decides on the order")
    assert "#pragma s2s any_order" in why
    text = show_functions(rewritten(HEAD + GUIDED.replace("PRAGMA", "#pragma s2s any_order") + KERNEL))
    assert "2 * __popc(__ballot_sync(__activemask(), t[n].key > x)) > __popc(__activemask())" in text["visit_round"]


@pytest.mark.parametrize(
    ("code", "why"),
    [
        (
            """
__device__ void visit(const Node *t, int n, float x, int *sum) {
    *sum += n;
    if (t[n].left < 0) return;
    int first = x > t[n].key ? t[n].left : t[n].right;
    visit(t, first, x, sum);
}
""",
            "it is guided: which node it continues with, 'first', depends on the thread's data",
        ),
        (
            """
__device__ void visit(const Node *t, int n, float x, int *sum) {
    __syncthreads();
    if (t[n].left < 0) return;
    visit(t, t[n].left, x, sum);
    visit(t, t[n].right, x, sum);
}
""",
            "'visit' meets other threads itself",
        ),
        (
            """
__device__ int visit(const Node *t, int n, float x, int *sum) {
    *sum += n;
    return t[n].left < 0 ? 1 : visit(t, t[n].left, x, sum) + visit(t, t[n].right, x, sum);
}
""",
            "'visit' returns a value",
        ),
        (
            """
__device__ void below(const Node *t, int n, int *sum) {
    *sum += n;
    if (t[n].left >= 0) below(t, t[n].left, sum);
}
__device__ void visit(const Node *t, int n, float x, int *sum) {
    below(t, n, sum);
    if (t[n].left < 0) return;
    visit(t, t[n].left, x, sum);
    visit(t, t[n].right, x, sum);
}
""",
            "'below', which it calls, is recursive too",
        ),
    ],
)
def test_what_cannot_go_in_lockstep_is_refused_with_the_reason(code: str, why: str) -> None:
    found = {each.name: each.why for each in refused(module(HEAD + code + KERNEL))}
    assert found["visit"] == why


def test_a_kernel_with_dynamic_shared_memory_is_refused() -> None:
    kernel = KERNEL.replace("sum = 0;", "sum = 0; extern __shared__ int own[]; own[threadIdx.x] = i;")
    assert reason(HEAD + PLAIN + kernel) == "kernel 'k' uses dynamic shared memory itself"


def test_nothing_changes_without_recursion() -> None:
    plain = module("__global__ void k(int *p) { p[threadIdx.x] = 1; }")
    assert lockstep(plain) is plain


def test_launches_make_room_for_a_stack_of_each_warp() -> None:
    program = HEAD + PLAIN + KERNEL + "\nint main() { k<<<3, 64, 0, 0>>>(nullptr, nullptr, nullptr, 0); }\n"
    text = cuda_text.emit(Source("k.cu", program), Options(traverse=Traverse.LOCKSTEP)).text
    assert "k_launch(s2s_launch_at(3, 64, 0, 0), nullptr, nullptr, nullptr, 0);" in text
    assert "k<<<at.grid, at.block, at.bytes_with_stacks((const void *)k, 264), at.stream>>>" in text


def test_what_is_emitted_finds_what_the_program_finds(tmp_path: Path) -> None:
    emitted = tmp_path / "emitted.cu"
    assert cli.main(["compile", str(PROGRAM), "--emit", "cuda", "--traverse=lockstep", "-o", str(emitted)]) == 0
    found = []
    for source in (PROGRAM, emitted):
        assert cli.main(["compile", str(source), "-O1", "-o", str(tmp_path / "program")]) == 0
        run = subprocess.run([tmp_path / "program"], capture_output=True, text=True, timeout=120)
        assert run.returncode == 0, run.stderr
        found.append(run.stdout)
    assert found[0] == found[1]
    assert found[0].count("cudaSuccess") == 8


@pytest.mark.skipif(shutil.which("nvcc") is None, reason="needs nvcc")
def test_nvcc_compiles_what_is_emitted(tmp_path: Path) -> None:
    nvcc(cuda_text.emit(cuda_text.read(str(PROGRAM)), Options(traverse=Traverse.LOCKSTEP)).text, tmp_path)
