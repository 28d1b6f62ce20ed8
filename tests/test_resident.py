"""Which shared arrays registers hold while the first gang of a block is alone with them."""

from __future__ import annotations

import re

import pytest

from simt2simd.options import Options
from simt2simd.pipeline import compile_device
from simt2simd.source import Source
from simt2simd.target import AVX2


def held(loop: str, options: Options | None = None) -> set[str]:
    """The arrays that are held in registers in a kernel with this loop."""
    code = f"""__global__ void k(int *out, const int *in, int n) {{
        __shared__ int s[64], r[64];
        __shared__ double d[64];
        int t = threadIdx.x, u = in[t];
        s[t] = r[t] = u;
        d[t] = u;
        __syncthreads();
        {loop}
        out[t] = s[t] + r[t] + (int)d[t];
    }}"""
    dumps: list[str] = []
    compile_device(Source("k.cu", code), options or Options(), ["llvm"], lambda _, text: dumps.append(text))
    return set(re.findall(r'%"(\w+)\.held"', dumps[0]))


TREE = "for (int w = n; w > 0; w /= 2) { if (t < w) s[t] += s[t + w]; __syncthreads(); }"


def test_a_tree_is_held() -> None:
    assert held(TREE) == {"s"}


def test_the_step_may_stand_at_the_end_of_the_body() -> None:
    assert held("int w = n; while (w != 0) { if (t < w) s[t] += s[t + w]; __syncthreads(); w /= 2; }") == {"s"}


def test_both_arrays_of_a_loop_are_held() -> None:
    body = "if (s[t] < s[t + w]) { s[t] = s[t + w]; r[t] = r[t + w]; }"
    assert held(f"for (int w = n; w > 0; w /= 2) {{ if (t < w) {body} __syncthreads(); }}") == {"s", "r"}


@pytest.mark.parametrize(
    "options", [Options(target=AVX2), Options(verify=True), Options(disabled=frozenset({"barrier-fission"}))]
)
def test_nothing_is_held_without_permutations_or_loops_over_gangs(options: Options) -> None:
    assert held(TREE, options) == set()


@pytest.mark.parametrize(
    "step",
    [
        "s[t + 1] = s[t];",  # another thread's place
        "s[u] = 1; u = s[t ^ 1];",
        "s[t] = u;",  # never read
        "u += s[t ^ w];",  # never written
        "s[t] = s[w];",  # one place for all: a broadcast from memory is better
        "d[t] = d[t ^ w];",  # no vector has sixteen of them
        "atomicAdd(&s[w], 1); s[t] += s[t ^ 1];",  # reached by an address
        "int *p = s; s[t] += p[t ^ 1];",
        "s[t] = s[(long long)u * w];",
        "s[t] = s[u++];",
        "if (w == 3) break; s[t] = s[t ^ 1];",
        "if (u == 3) return; s[t] = s[t ^ 1];",
    ],
)
def test_other_arrays_stay_in_memory(step: str) -> None:
    assert held(f"for (int w = n; w > 0; w--) {{ {step} __syncthreads(); }}") == set()


def test_a_loop_whose_test_comes_last_stays_in_memory() -> None:
    assert held("int w = n; do { s[t] += s[t ^ w]; __syncthreads(); } while (--w);") == set()


def test_the_number_of_threads_may_change_only_between_iterations() -> None:
    assert held("for (int w = n; w > 0;) { w /= 2; if (t < w) s[t] += s[t + w]; __syncthreads(); }") == set()
