"""Kernels that launch themselves for the children of a tree's node, a level at a time (`--traverse=flat`, `crec`)."""

from __future__ import annotations

import functools
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from front import module
from numpy.typing import NDArray

from simt2simd import RawKernel
from simt2simd.command import cuda_text
from simt2simd.diag import CompileError
from simt2simd.interp.run import run
from simt2simd.options import Options, Traverse
from simt2simd.pipeline import compile_device
from simt2simd.source import Source
from simt2simd.transform.nested_launches.level_synchronous import level_synchronous
from simt2simd.tree import legal

Ints = NDArray[np.int32]
FLAT, CREC, BLOCK = Traverse.FLAT, Traverse.CREC, Traverse.CREC_BLOCK
ALL = (FLAT, CREC, BLOCK)
LEVELS = (CREC, BLOCK)

HEAD = "(const int *__restrict__ first, int *__restrict__ value, int *out, int node)"
SHARED_OUT = "for (int c = first[node] + threadIdx.x; c < first[node + 1]; c += blockDim.x)"
ALONE = "for (int c = first[node]; c < first[node + 1]; ++c)"
INNER = "if (first[c] < first[c + 1])"
LAUNCH = "k<<<1, 32>>>(first, value, out, c);"
FORGET = "k<<<1, 32, 0, cudaStreamFireAndForget>>>(first, value, out, c);"
WAIT = "cudaDeviceSynchronize(); __syncthreads();"
ADD = "atomicAdd(&value[node], value[c]);"


def waiting(after: str, before: str = f"{SHARED_OUT} {INNER} {LAUNCH}") -> str:
    return f"__global__ void k{HEAD} {{ {before} {WAIT} {after} }}"


def tailing(after: str, before: str = f"{SHARED_OUT} {INNER} {FORGET}", args: str = "first, value, out, node") -> str:
    tail = f"if (threadIdx.x == 0) after<<<1, 32, 0, cudaStreamTailLaunch>>>({args});"
    return f"__global__ void after{HEAD} {{ {after} }} __global__ void k{HEAD} {{ {before} {tail} }}"


NOTED = "out[node] = 1;"
NOTE = "__syncthreads(); if (threadIdx.x == 0) out[node] = 2 * value[node] + 1;"

# What a kernel does, and the forms that it can have.
KERNELS: dict[str, tuple[str, tuple[Traverse, ...]]] = {
    "sums": (waiting(f"{SHARED_OUT} {ADD}"), ALL),
    "sums, with a tail launch": (tailing(f"{SHARED_OUT} {ADD}"), ALL),
    "sums, and a result of each node": (tailing(f"{SHARED_OUT} {ADD} {NOTE}"), ALL),
    "all children are launched, leaves return": (
        waiting(
            f"{SHARED_OUT} {ADD} {NOTE}",
            f"if (first[node] == first[node + 1]) {{ if (threadIdx.x == 0) out[node] = 7; return; }} "
            f"{SHARED_OUT} {LAUNCH}",
        ),
        ALL,
    ),
    "what goes down the tree": (
        waiting(
            f"{SHARED_OUT} {ADD}",
            f"if (threadIdx.x == 0) value[node] = out[node] % 9; __syncthreads(); "
            f"{SHARED_OUT} {{ out[c] = 3 * out[node] + c; {INNER} {LAUNCH} }}",
        ),
        ALL,
    ),
    "one thread launches and adds": (
        waiting(
            f"if (threadIdx.x == 0) {{ {ALONE} value[node] = max(value[node], value[c]); }}",
            f"if (threadIdx.x == 0) {{ {ALONE} {INNER} {LAUNCH} }}",
        ),
        ALL,
    ),
    "blocks of one thread": (
        waiting(f"{ALONE} value[node] ^= value[c]; out[node] = value[node];", f"{ALONE} {INNER} {LAUNCH}").replace(
            "1, 32", "1, 1"
        ),
        ALL,
    ),
    "a variable on both sides of the wait": (
        waiting(
            "for (int c = begin + threadIdx.x; c < end; c += blockDim.x) atomicMin(&value[node], value[c]);",
            "const int begin = first[node], end = first[node + 1]; "
            f"for (int c = begin + threadIdx.x; c < end; c += blockDim.x) {INNER} {LAUNCH}",
        ),
        ALL,
    ),
    "names that are taken": (
        waiting(
            f"{SHARED_OUT} {ADD} {NOTE}",
            f"const int slot = 2, found = 3; if (threadIdx.x == 0) out[node] = slot + found; "
            f"{SHARED_OUT} {INNER} {LAUNCH}",
        )
        .replace("first", "lists")
        .replace("node", "level"),
        ALL,
    ),
    "not associative": (
        waiting(f"if (threadIdx.x == 0) {{ {ALONE} value[node] = 3 * value[node] + value[c]; }}"),
        LEVELS,
    ),
    "children without a loop": (
        waiting(
            f"if (threadIdx.x == 0) {{ {ALONE} value[node] += value[c]; }}",
            "const int begin = first[node], count = first[node + 1] - begin; if (threadIdx.x == 0) { "
            + " ".join(
                f"if (count > {i} && first[begin + {i}] < first[begin + {i + 1}]) "
                f"{LAUNCH.replace('out, c', f'out, begin + {i}')}"
                for i in range(3)
            )
            + "}",
        ),
        LEVELS,
    ),
    "a condition stated ahead of the loops": (
        waiting(
            f"{SHARED_OUT} if (many) {ADD}",
            f"const bool many = first[node + 1] - first[node] > 1; {SHARED_OUT} if (many) {LAUNCH}",
        ),
        ALL,
    ),
    "what rounds see of each other": (
        waiting(
            f"{ALONE} {{ {ADD} out[c] = value[node]; if (c % 3 == 0) value[node] = 0; }}", f"{ALONE} {INNER} {LAUNCH}"
        ).replace("1, 32", "1, 1"),
        LEVELS,
    ),
    "rounds that there are not": (
        waiting(
            f"const int at = first[node] < first[node + 1] ? node : -100000000; {SHARED_OUT} "
            "atomicAdd(&value[at], value[c]);",
            f"{SHARED_OUT} {LAUNCH}",
        ),
        LEVELS,
    ),
    "shared memory": (
        waiting(
            "__shared__ int sum; if (threadIdx.x == 0) sum = value[node]; __syncthreads(); "
            f"{SHARED_OUT} atomicAdd(&sum, value[c]); __syncthreads(); if (threadIdx.x == 0) value[node] = sum;"
        ),
        (Traverse.CREC_BLOCK,),
    ),
}
CASES = [(name, form) for name, (_, forms) in KERNELS.items() for form in forms]
QUICK = {("sums", "flat"), ("sums, and a result of each node", "crec"), ("shared memory", "crec-block")}


def tree_of(seed: int, levels: int = 5, most: int = 3) -> tuple[Ints, Ints, Ints]:
    """Return where the children of each node begin, level by level, and some values."""
    rng = np.random.default_rng(seed)
    counts, begin, end = [most], 0, 1
    for level in range(levels):
        new = sum(counts[begin:end])
        counts += list(rng.integers(0, most + 1, new) * (level < levels - 1))
        begin, end = end, end + new
    first = np.concatenate(([1], 1 + np.cumsum(counts))).astype(np.int32)
    return first, rng.integers(0, 100, len(counts), np.int32), rng.integers(0, 100, len(counts), np.int32)


@functools.cache
def kernel_of(code: str, form: str) -> RawKernel:
    return RawKernel(code, "k", options=(f"--traverse={form}", "-O0"))


def threads_of(code: str) -> int:
    return 32 if "<<<1, 32" in code else 1


@pytest.mark.parametrize(
    ("name", "form"),
    [pytest.param(*case, marks=[pytest.mark.slow(str(case))] * (case not in QUICK)) for case in CASES],
)
def test_levels_give_what_the_recursion_gives(name: str, form: Traverse) -> None:
    code, threads = KERNELS[name][0], threads_of(KERNELS[name][0])
    made, refused = level_synchronous(module(code), form)
    assert not refused
    legal.check(made, "level-synchronous")
    for seed in (1, 2):
        first, value, out = tree_of(seed)
        run(module(code), "k", (1,), (threads,), [first, value, out, np.int32(0)])
        for way in ("interpreted", "none", form):
            _, own_value, own_out = tree_of(seed)
            args = [first, own_value, own_out, np.int32(0)]
            if way == "interpreted":
                run(made, "k", (1,), (threads,), args)
            else:
                kernel_of(code, way)((1,), (threads,), tuple(args))
            np.testing.assert_array_equal(own_value, value)
            np.testing.assert_array_equal(own_out, out)


SLOTS = """
__global__ void k(const int *__restrict__ slots, const int *__restrict__ place, int *__restrict__ value,
                  int *__restrict__ out, int node) {
    for (int i = threadIdx.x; i < 8; i += blockDim.x) {
        const int child = slots[8 * node + i];
        if (child >= 0) k<<<1, 32>>>(slots, place, value, out, child);
    }
    cudaDeviceSynchronize();
    for (int i = threadIdx.x; i < 8; i += blockDim.x) {
        const int child = slots[8 * node + i];
        if (child >= 0) atomicAdd(&value[node], value[child]);
    }
    __syncthreads();
    if (threadIdx.x == 0) out[place[node]] = value[node];
}"""


@pytest.mark.parametrize("form", [pytest.param(form, marks=[pytest.mark.slow] * (form is not FLAT)) for form in ALL])
def test_children_in_slots_and_results_in_any_order(form: Traverse) -> None:
    """Null children lie between others; results go where an index says."""
    first, value, _ = tree_of(4)
    rng = np.random.default_rng(5)
    slots = np.full((len(value), 8), -1, np.int32)
    for node in range(len(value)):
        count = first[node + 1] - first[node]
        slots[node, rng.permutation(8)[:count]] = np.arange(first[node], first[node + 1])
    place = rng.permutation(len(value)).astype(np.int32)
    expected, out = value.copy(), np.zeros_like(value)
    for node in range(len(value) - 1, -1, -1):
        expected[node] += expected[first[node] : first[node + 1]].sum()
    kernel_of(SLOTS, form)((1,), (32,), (slots, place, value, out, np.int32(0)))
    np.testing.assert_array_equal(value, expected)
    np.testing.assert_array_equal(out[place], expected)


@pytest.mark.slow
@pytest.mark.parametrize("form", LEVELS)
def test_sums_of_negative_zeros_are_negative(form: Traverse) -> None:
    code = KERNELS["sums"][0].replace("int *__restrict__ value", "float *__restrict__ value")
    first, _, out = tree_of(1)
    value = np.full(len(out), -0.0, np.float32)
    kernel_of(code, form)((1,), (32,), (first, value, out, np.int32(0)))
    assert np.signbit(value).all()


@pytest.mark.slow
@pytest.mark.parametrize("form", ALL)
def test_other_grids_and_subtrees_run_as_they_are_asked_for(form: Traverse) -> None:
    code = KERNELS["one thread launches and adds"][0]
    for grid, node in ((2, 0), (1, 1)):
        first, value, out = tree_of(3)
        expected = value.copy()
        kernel_of(code, "none")((grid,), (32,), (first, expected, out, np.int32(node)))
        kernel_of(code, form)((grid,), (32,), (first, value, out, np.int32(node)))
        np.testing.assert_array_equal(value, expected)


@pytest.mark.slow
def test_a_chain_of_nodes_is_as_deep_as_levels_go() -> None:
    deep = 3000
    first = np.minimum(np.arange(1, deep + 2), deep).astype(np.int32)
    for form in LEVELS:
        value, out = np.ones(deep, np.int32), np.zeros(deep, np.int32)
        kernel_of(KERNELS["sums"][0], form)((1,), (32,), (first, value, out, np.int32(0)))
        np.testing.assert_array_equal(value, np.arange(deep, 0, -1))


@pytest.mark.slow
def test_a_full_heap_ends_the_launch() -> None:
    """In a process of its own, as the lists that were made stay in the heap."""
    code = f"""
import numpy as np
from simt2simd import RawKernel
from simt2simd.runtime import LaunchError, set_heap_limit
set_heap_limit(1 << 17)
kernel = RawKernel({KERNELS["sums"][0]!r}, "k", options=("--traverse=crec", "-O0"))
inner = 20000  # nodes of a level, a child each
first = np.concatenate((1 + inner * np.minimum(np.arange(2), 1), inner + 1 + np.arange(1, inner + 1)))
first = np.concatenate((first, np.full(inner, 2 * inner + 1))).astype(np.int32)
value = np.ones(len(first), np.int32)
try:
    kernel((1,), (32,), (first, value, value.copy(), np.int32(0)))
except LaunchError as fault:
    print(fault)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert "no room for the nodes of a level: raise cudaLimitMallocHeapSize" in done.stdout, done.stderr


# ---------------------------------------------------------------------------------------------- refusals

REFUSED: list[tuple[Traverse, str, str, str]] = [
    (FLAT, waiting(f"{ALONE.replace('++c', 'c++')} value[node] -= value[c];").replace("1, 32", "1, 1"),
     "value[node] -= value[c]", "'-' is not associative and commutative"),
    (FLAT, waiting(f"if (threadIdx.x == 0) {{ {ALONE} value[node] *= value[c]; }}"),
     "value[node] *= value[c]", "there is no atomic function that multiplies"),
    (FLAT, waiting(f"{SHARED_OUT} atomicExch(&value[node], value[c]);"),
     "atomicExch(&value[node], value[c])", "'atomicExch' does not combine values in any order"),
    (FLAT, waiting(f"{SHARED_OUT} atomicAdd(&value[node], 2 * value[c]);"),
     "atomicAdd(&value[node], 2 * value[c])", "it depends on its children by more than the combination"),
    (FLAT, waiting(f"{SHARED_OUT} {{ {ADD} out[c] = value[c]; }}"),
     "out[c] = value[c]", "does more than to combine their results"),
    (FLAT, waiting(f"{SHARED_OUT} if (value[c] > 3) {ADD}"),
     "value[c] > 3", "decides whether a child is combined, but not whether it is launched"),
    (FLAT, waiting(f"{SHARED_OUT.replace('first[node + 1]', 'first[node + 1] - 1')} {ADD}"),
     "for (int c = first[node] + threadIdx.x; c < first[node + 1] - 1", "goes over other children"),
    (FLAT, waiting(f"{SHARED_OUT} {ADD} __syncthreads(); if (threadIdx.x == 0) value[node] /= 2;"),
     "value[node] /= 2", "is changed after the combination, and the node above gets that"),
    (FLAT, waiting(f"{SHARED_OUT} {ADD} __syncthreads(); if (threadIdx.x == 0) out[node] = value[first[node]];"),
     "value[first[node]]", "it may be a result of another node"),
    (FLAT, waiting(f"{SHARED_OUT} {ADD}", f"{SHARED_OUT} {{ value[c] += value[node]; {INNER} {LAUNCH} }}"),
     "value[c]", "it may be a result of another node"),
    (FLAT, waiting(f"{SHARED_OUT} {ADD}").replace("*__restrict__", "*"),
     "first[node]", "declare the pointers '__restrict__'"),
    (FLAT, waiting("if (threadIdx.x == 0) out[node] = 1;"), "out[node] = 1", "must come first"),
    (FLAT, waiting(f"if (threadIdx.x == 0) {{ {ALONE} value[node] = max(out[node], value[c]); }}"),
     "value[node] = max(out[node], value[c])", "is not combined with what it holds"),
    (CREC, f"__global__ void k{HEAD} {{ {SHARED_OUT} {INNER} {LAUNCH} }}",
     "k(const", "it does not wait for its children"),
    (CREC, waiting(f"{SHARED_OUT} {ADD}", f"{SHARED_OUT} {INNER} k<<<2, 32>>>(first, value, out, c);"),
     "k<<<2, 32>>>(first, value, out, c)", "a grid of one block"),
    (CREC, waiting(f"{SHARED_OUT} {ADD}", f"{SHARED_OUT} {INNER} k<<<1, 32>>>(first, value + 1, out, c);"),
     "k<<<1, 32>>>(first, value + 1, out, c)", "'value' and 'node' change from node to node"),
    (CREC, waiting(f"{SHARED_OUT} {ADD} {SHARED_OUT} {LAUNCH}"), LAUNCH[:-1], "launches children after the wait"),
    (CREC, waiting(f"{SHARED_OUT} {ADD}", f"{SHARED_OUT} {INNER} {FORGET}"),
     "cudaStreamFireAndForget", "waits for children in the default stream, and not for this one"),
    (CREC, waiting(f"{SHARED_OUT} {ADD} node = 0;"), "node)", "'node' does not keep its value"),
    (CREC, waiting(f"{SHARED_OUT} {ADD} if (old > 3) out[node] = old;",
                     f"const int old = value[node]; {SHARED_OUT} {INNER} {LAUNCH}"),
     "old = value[node]", "where it might be another one; compute it there again"),
    (CREC, waiting(f"{SHARED_OUT} {ADD} atomicAdd(&out[node], 1);"),
     "atomicAdd(&out[node], 1)", "depends on the block's size how often it happens"),
    (CREC, waiting(f"{SHARED_OUT} {ADD} if (threadIdx.x < 2) out[node + threadIdx.x] = 1;"),
     "threadIdx.x < 2", "depends on 'threadIdx'"),
    (FLAT, waiting(f"{SHARED_OUT} if (first[c] == first[c + 1]) {ADD}",
                     f"{SHARED_OUT} if (first[c] == first[c + 1]) out[c] = 1; else {LAUNCH}"),
     "first[c] == first[c + 1]", "decides whether a child is combined, but not whether it is launched"),
    (FLAT, waiting(f"{SHARED_OUT} {ADD}", f"{SHARED_OUT} {INNER} {LAUNCH} if (out[node] > 3) return;"),
     "return", "may leave without combining them"),
    (FLAT, tailing(f"{SHARED_OUT} {ADD}").replace("(threadIdx.x == 0)", "(threadIdx.x == 0) if (out[node] > 3)"),
     "after<<<", "is launched under a condition"),
    (FLAT, waiting(f"{SHARED_OUT} {ADD} {NOTE}").replace("*__restrict__ first", "*first"),
     "out[node] = 2", "it may change 'first[node]', which determines the children of a node"),
    (CREC, waiting(f"{SHARED_OUT} {ADD} const int x = __shfl_sync(~0u, value[node], 1); "
                     "if (threadIdx.x == 0) out[node] = x;"),
     "x = __shfl", "the threads of a warp do this together"),
    (BLOCK, tailing(f"{SHARED_OUT} {ADD}").replace("after<<<1, 32", "after<<<1, 64"),
     "after<<<", "runs in blocks of another size"),
    (CREC, KERNELS["shared memory"][0], "sum", "the threads of a block share 'sum'"),
    (CREC, tailing(f"{SHARED_OUT} {ADD}", args="first, value, out + value[node], node"),
     "out + value[node]", "is more than the kernel's own parameters"),
    *((form, waiting(f"{SHARED_OUT} {ADD}", f"if (threadIdx.x == 0) {{ {NOTED} return; }} {SHARED_OUT} {LAUNCH}"),
       "return", "one thread leaves here, and the others continue") for form in LEVELS),
    (CREC, waiting(f"for (int i = 0; i < 3; i++) {{ if (threadIdx.x == 0) {{ if (i) break; }} {SHARED_OUT} {ADD} }}"),
     "break", "one thread leaves here, and the others continue"),
    (CREC, waiting(f"{SHARED_OUT} {ADD}",
                     "int n = 0; if (threadIdx.x == 0) n = first[node + 1]; "
                     f"{SHARED_OUT.replace('first[node + 1]', 'n')} {LAUNCH}"),
     "n = first", "'n' has another value in one thread from here on"),
    (CREC, waiting(f"{SHARED_OUT.replace('1];', '1] && value[c] % 3;')} {ADD}"),
     "c < first[node + 1] && value[c] % 3", "each thread ends this loop by itself"),
    *((form, waiting(f"{SHARED_OUT} {ADD}", f"if (threadIdx.x == 0) out[0] += 1; {SHARED_OUT} {LAUNCH}"),
       "out[0] += 1", "several nodes may have 'out[0]'") for form in ALL),
    (CREC, waiting("if (threadIdx.x == 0) value[node / 2] += value[node];"),
     "value[node / 2] += value[node]", "several nodes may have 'value[node / 2]'"),
    (CREC, waiting(f"{SHARED_OUT} {ADD} if (threadIdx.x == 0) out[3] = node;"),
     "out[3] = node", "several nodes may have 'out[3]'"),
    (CREC, waiting(f"if (threadIdx.x == 0) {{ {ALONE} {{ value[node] += c; value[node + 1] += value[c]; }} }}"),
     "value[node + 1]", "'value[node + 1]' of one node may be 'value[node]' of another one"),
    (CREC, waiting(f"{SHARED_OUT} {ADD} __syncthreads(); if (threadIdx.x == 0) out[node] = value[node - 1];"),
     "value[node - 1]", "may be what another node has in 'value[node]'"),
    (CREC, waiting(f"{SHARED_OUT} {ADD}", f"{SHARED_OUT} {{ out[c] = out[node] + 1; if (out[c] < 4) {LAUNCH} }}"),
     "out[c] <", "'out[c]' decides on the children of a node, and is written there"),
    (CREC, waiting(f"{ALONE} value[node] += value[c];", "int n = 0; while (out[node] > 0) { out[node]--; n++; } "
                     f"{ALONE} if (n != 5) {LAUNCH}").replace("1, 32", "1, 1"),
     "out[node] > 0", "what it reads may be written there"),
    (CREC, waiting(f"{ALONE} value[node] += value[c];", "for (int c = first[node]; c < first[node + 1];) "
                     f"{LAUNCH.replace('c)', 'c++)')}").replace("1, 32", "1, 1"),
     "c++", "which children a node has may depend on this"),
    (CREC, waiting(f"{SHARED_OUT} {ADD}").replace(WAIT, "if (atomicAdd(&out[0], 1) >= 0) cudaDeviceSynchronize();"),
     "if (atomicAdd", "in a statement of its own"),
    (FLAT, waiting(f"if (threadIdx.x == 0) {{ {ALONE} value[node] += (float)value[c]; }}"),
     "value[node] += (float)value[c]", "combined as 'float', which rounds"),
    (CREC, waiting(f"{SHARED_OUT} atomicAdd(&value[node % 4], value[c % 4]);"),
     "value[c % 4]", "may be what another node has in 'value[node % 4]'"),
    (FLAT, waiting(f"{SHARED_OUT} atomicAdd(&value[first[node]], value[first[c]]);"),
     "value[first[", "may be what another node has in 'value[first[node]]'"),
    (FLAT, waiting(f"{SHARED_OUT} {{ {ADD} {ADD} }}"), "value[node]", "is combined with its children twice"),
    (FLAT, waiting(f"{SHARED_OUT} {{ {ADD} atomicAdd(&out[node], out[c]); }}").replace("*__restrict__ v", "*v"),
     "out[node]", "'out[node]' may be 'value[node]'"),
    (FLAT, waiting(f"{SHARED_OUT} {ADD} {NOTE}").replace("*__restrict__ value", "*value"),
     "out[node]", "it may be what is combined"),
    (FLAT, waiting(f"{SHARED_OUT} {ADD} __syncthreads(); int *own = value + node; if (threadIdx.x == 0) *own /= 2;"),
     "*own /= 2", "it may be what is combined"),
    (CREC, waiting(f"{SHARED_OUT} {ADD}",
                     f"{SHARED_OUT} if (atomicAdd(&out[c], 1) < 3) {LAUNCH}"),
     "atomicAdd(&out[c], 1)", "which children a node has may depend on this"),
]  # fmt: skip


@pytest.mark.parametrize(("form", "code", "where", "why"), REFUSED, ids=[case[3][:40] for case in REFUSED])
def test_what_cannot_be_is_refused_with_its_place_and_reason(form: Traverse, code: str, where: str, why: str) -> None:
    with pytest.raises(CompileError) as fault:
        compile_device(Source("k.cu", code), Options(traverse=form), until="level-synchronous")
    (shown,) = fault.value.diagnostics
    assert shown.message.startswith(f"kernel 'k' cannot run under --traverse={form}: ")
    assert why in shown.message
    assert shown.help == f"compile without --traverse={form}: then it launches itself, as it is written"
    places = [i for i in range(len(code)) if code.startswith(where, i)]
    assert (shown.span.line, shown.span.column - 1 in places) == (1, True), (shown.span.column, places)


def test_functions_that_ask_for_their_thread_are_refused() -> None:
    helper = "__device__ int mine(int n) { for (int i = 0; i < 9; i++) n += threadIdx.x; return n; }"
    code = helper + waiting(f"{SHARED_OUT} {ADD} if (threadIdx.x == 0) out[node] = mine(3);")
    for form in LEVELS:
        (refused,) = level_synchronous(module(code), form)[1]
        assert refused.why == "'mine', which it calls, asks for the thread's number, or waits for other threads"


def test_functions_that_count_on_the_order_of_nodes_are_refused() -> None:
    helper = "__device__ int seen; __device__ void see(int n) { for (int i = 0; i < n; i++) seen = 2 * seen + i; } "
    code = helper + waiting(f"{SHARED_OUT} {ADD} if (threadIdx.x == 0) see(node);")
    for form in LEVELS:
        (refused,) = level_synchronous(module(code), form)[1]
        assert "changes 'seen', and the nodes of a level run at the same time" in refused.why


def test_of_several_kernels_some_may_stay_as_they_are() -> None:
    other = f"__global__ void other{HEAD} {{ {SHARED_OUT} {LAUNCH.replace('k<', 'other<')} }}"
    code = KERNELS["sums"][0] + other
    made, refused = level_synchronous(module(code), CREC)
    assert [each.kernel for each in refused] == ["other"]
    assert "k_next" in made.functions
    result = compile_device(Source("k.cu", code), Options(check_ir=True, optimise=0, traverse=CREC))
    (shown,) = [remark for remark in result.remarks() if remark.kind == "levels"]
    assert (shown.function, shown.why) == ("other", refused[0].why)


# ---------------------------------------------------------------------------------------------- as CUDA-C


@pytest.mark.parametrize(("name", "form"), CASES)
def test_what_is_emitted_means_the_same(name: str, form: Traverse) -> None:
    text = cuda_text.emit(Source("k.cu", KERNELS[name][0] + "\n"), Options(traverse=form))
    assert text.left == ()
    assert "k_ups<<<1u, 1u, 0, cudaStreamTailLaunch>>>" in text.text


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("nvcc") is None, reason="there is no nvcc")
@pytest.mark.parametrize("form", ALL)
@pytest.mark.parametrize("name", ["sums", "sums, and a result of each node"])
def test_nvcc_compiles_what_is_emitted(name: str, form: Traverse, tmp_path: Path) -> None:
    """What waits by `cudaDeviceSynchronize()` does so nowhere: CUDA 12 and later do not have it in device code."""
    code = KERNELS[name][0] + "\nint main() { k<<<1, 32>>>(0, 0, 0, 0); }\n"
    file = tmp_path / "k.cu"
    file.write_text(cuda_text.emit(Source("k.cu", code), Options(traverse=form)).text)
    command = ["nvcc", "-arch=sm_90", "-rdc=true", str(file), "-o", str(tmp_path / "k"), "-lcudadevrt"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
