"""Versions that hardly a launch runs: which ones these are, and that they do what the others do."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from simt2simd.options import Options
from simt2simd.pipeline import compile_device
from simt2simd.pipeline.results import LLVM, RARE_VERSIONS
from simt2simd.python.kernel import RawModule
from simt2simd.runtime import ALL_GANGS, configure
from simt2simd.source import Source

PLAIN = "out[i] = 3 * in[i];"
BARRIER = "__shared__ int s[256]; s[threadIdx.x] = in[i]; __syncthreads(); out[i] = s[blockDim.x - 1 - threadIdx.x];"
LOOP = "int sum = 0; for (int k = in[i] & 31; k > 0; k--) { if (k == 7) continue; sum += k * in[i]; } out[i] = sum;"
ARRAY = "int own[5]; for (int k = 0; k < 5; k++) own[k] = in[i] + k; out[i] = own[(unsigned)in[i] % 5];"
CALL = "out[i] = twice(in[i]) + depth(in[i] & 7);"
DOUBLES = "double d = in[i]; out[i] = (int)(sin(d) * 1000.0) + (in[i] > 0 ? (int)sqrt(d) : (int)exp(d / 500.0));"
WARP = "int sum = in[i]; for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(~0u, sum, d); out[i] = sum;"
RETURN = "if (in[i] % 3 == 0) return; out[i] = in[i] % 3 == 1 ? -1 : 1;"
UNDIVIDED = "if (n > 0) __syncthreads(); if (in[0] != n) __syncthreads(); out[i] = in[i] + 1;"
OTHERS = """
__device__ int twice(int x) { return 2 * x; }
__device__ int depth(int n) { return n > 0 ? 1 + depth(n - 1) : 0; }
"""


def code(body: str, index: str = "blockIdx.x * blockDim.x + threadIdx.x") -> str:
    kernel = 'extern "C" __global__ void k(const int *in, int *out, int n)'
    return f"{OTHERS}{kernel} {{ int i = {index}; {body} }}"


def rare(text: str, *disabled: str, options: Options | None = None) -> set[str]:
    """Return the names of the kernels of which a version is rarely launched."""
    compiled = compile_device(
        Source("k.cu", text), options or Options(disabled=frozenset(disabled)), until="rare-versions"
    )
    return {version.name for version in compiled[RARE_VERSIONS] if version.along == ""}


@pytest.mark.parametrize("body", [PLAIN, BARRIER, LOOP, ARRAY, CALL, DOUBLES, WARP, RETURN])
def test_gangs_that_span_rows_are_rare_where_nobody_asks_for_rows(body: str) -> None:
    assert "k" in rare(code(body))
    assert not rare(code(body), "rare-versions")


@pytest.mark.parametrize("index", ["threadIdx.y * blockDim.x + threadIdx.x", "threadIdx.x + threadIdx.z", "row()"])
def test_they_are_usual_where_somebody_does(index: str) -> None:
    assert not rare("__device__ int row() { return threadIdx.y; }" + code(PLAIN, index))


def test_what_numbers_all_threads_in_a_header_of_the_library_says_nothing_of_rows() -> None:
    group = "auto block = cooperative_groups::this_thread_block(); block.sync(); out[i] = in[block.thread_rank()];"
    assert "k" in rare("#include <cooperative_groups.h>\n" + code(group))
    assert not rare("#include <cooperative_groups.h>\n" + code(group, "threadIdx.y * blockDim.x + threadIdx.x"))
    assert not rare("#include <cooperative_groups.h>\n" + code(group, "blockIdx.x"))


def test_a_header_of_the_program_is_no_library(tmp_path: Path) -> None:
    (tmp_path / "row.h").write_text("__device__ int row() { return threadIdx.y; }\n")
    options = Options(include_dirs=(str(tmp_path),))
    assert not rare('#include "row.h"\n' + code("out[i] = row();"), options=options)


def test_they_are_usual_with_atomic_functions_whose_code_all_versions_share() -> None:
    assert not rare(code("atomicAdd(out, in[i]);"))


def test_versions_whose_gangs_wait_and_those_that_debuggers_see_are_left_to_llvm() -> None:
    assert not rare(code(UNDIVIDED))
    assert not rare(code(PLAIN), options=Options(debug="full"))
    assert not rare(code(PLAIN), options=Options(verify=True))


def test_what_sorts_the_threads_goes_with_the_kernel() -> None:
    tree = """
    struct Node { float at; int left, right; };
    __device__ void visit(const Node *nodes, int n, float x, float *best) {
        if (n < 0 || fabsf(nodes[n].at - x) > *best) return;
        *best = fminf(*best, fabsf(nodes[n].at - x));
        visit(nodes, nodes[n].left, x, best);
        visit(nodes, nodes[n].right, x, best);
    }
    __global__ void k(const Node *nodes, const float *x, float *out, int n) {
        int i = blockIdx.x * blockDim.x + threadIdx.x;
        if (i >= n) return;
        float best = 1e9f;
        visit(nodes, 0, x[i], &best);
        out[i] = best;
    }
    """
    found = rare(tree)
    module = compile_device(Source("k.cu", tree), Options(), until="query-order").module
    helpers = {each.kernel for each in module.companions if each.of == "k"}
    assert len(helpers) == 2 and helpers <= found


def test_llvm_leaves_the_version_as_it_is_and_no_other_one() -> None:
    compiled = compile_device(Source("k.cu", code(LOOP)), Options())
    text = str(compiled[LLVM])
    heads = re.findall(r'(?m)^define internal \w+ @"(k[.\w]*)"\([^)]*\)(.*)$', text)
    assert [name for name, attributes in heads if "optnone" in attributes] == ["k.general"]
    assert "alwaysinline" not in next(line for line in text.splitlines() if 'call void @"k.general"' in line)


@pytest.mark.parametrize("gangs", [False, True])
@pytest.mark.parametrize("body", [PLAIN, BARRIER, LOOP, ARRAY, CALL, DOUBLES, RETURN])
def test_such_launches_do_what_they_did(body: str, gangs: bool) -> None:
    """All rows of a block do the same: they read and write the same places. `gangs`: hthreads share each block."""
    ways = [(), ("--disable=rare-versions",), ("-O0",)]
    modules = [RawModule(code=code(body), options=options) for options in ways]
    configure(2, ALL_GANGS if gangs else 0)
    try:
        for block in [(20, 3), (5, 7), (1, 9), (33, 2, 2), (16, 2), (50,)]:
            values = np.random.default_rng(1).integers(-500, 500, 7 * block[0]).astype(np.int32)
            results = []
            for module in modules:
                out = np.full_like(values, 77)
                module.get_function("k")((7,), block, (values, out, np.int32(0)))
                results.append(out)
            assert (results[0] != 77).any()
            assert (results[0] == results[1]).all() and (results[0] == results[2]).all(), block
    finally:
        configure()


@pytest.mark.parametrize("block", [(8, 8), (24, 4)])
def test_warps_span_rows(block: tuple[int, int]) -> None:
    """All lanes of a warp, of several rows, add up to 32."""
    body = "int sum = 1; for (int d = 16; d > 0; d /= 2) sum += __shfl_xor_sync(~0u, sum, d); out[i] = sum;"
    assert rare(code(body)) == {"k"}
    out = np.zeros(block[0], np.int32)
    RawModule(code=code(body)).get_function("k")((1,), block, (out, out, np.int32(0)))
    assert (out == 32).all()
