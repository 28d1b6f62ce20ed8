"""Which kernels are divided at their barriers, what their gangs keep, and why others are not."""

from __future__ import annotations

from pathlib import Path

import pytest

from simt2simd.mapping import barrier_fission, first_threads
from simt2simd.mapping.barrier_fission import Plan, Region, regions
from simt2simd.options import Options
from simt2simd.pipeline import Compiled, compile_device
from simt2simd.source import Source

TESTS = Path(__file__).parent


def analysed(source: Source) -> Compiled:
    return compile_device(source, Options(), until="keep-versions")


def kernel_of(body: str, before: str = "") -> Compiled:
    """A kernel with this body."""
    code = f"{before}\n__global__ void k(int *out, int n) {{ __shared__ int s[64]; int t = threadIdx.x; {body} }}"
    return analysed(Source("k.cu", code))


def plan_of(compiled: Compiled) -> Plan | str:
    (kernel,) = compiled.module.kernels
    return barrier_fission.plan(compiled.module, compiled.shapes.versions(kernel)[0], compiled.shapes.storage)


def divide(body: str, before: str = "") -> Plan | str:
    """The plan for a kernel with this body."""
    return plan_of(kernel_of(body, before))


def kept(plan: Plan | str) -> list[str]:
    assert isinstance(plan, Plan), plan
    return [variable.name for variable in plan.kept]


def test_a_kernel_of_very_many_regions_is_not_divided() -> None:
    part = "s[t] += out[t]; __syncthreads();"
    assert isinstance(divide(part * barrier_fission.MAX_REGIONS), Plan)
    assert (
        divide(part * (barrier_fission.MAX_REGIONS + 1))
        == f"it has more than {barrier_fission.MAX_REGIONS} parts between barriers"
    )


@pytest.mark.parametrize("file", ["differential/barriers/regions.cu", "corpus/hotspot.cu", "corpus/matmul.cu"])
def test_kernels_with_block_uniform_barriers_are_divided(file: str) -> None:
    compiled = analysed(Source.read(TESTS / file))
    for kernel in compiled.module.kernels:
        assert isinstance(
            barrier_fission.plan(compiled.module, compiled.shapes.versions(kernel)[0], compiled.shapes.storage), Plan
        )


def test_what_is_cheap_to_compute_is_not_kept() -> None:
    plan = divide("int i = t * 2 + n, x = out[i]; s[t] = x; __syncthreads(); out[i] = s[63 - t] + x;")
    assert kept(plan) == ["x"]


def test_what_does_not_live_across_a_barrier_is_not_kept() -> None:
    plan = divide("int x = out[t]; s[t] = x * x; __syncthreads(); x = s[63 - t]; int y = x + 1; out[t] = x * y;")
    assert kept(plan) == []


def test_values_of_the_block_are_not_kept() -> None:
    plan = divide("for (int w = n; w > 0; w /= 2) { int h = w / 3; s[t] = h; __syncthreads(); out[t] += s[h] + w; }")
    assert kept(plan) == []


def test_only_local_arrays_that_are_used_later_are_kept() -> None:
    here = "int a[4]; for (int k = 0; k < 4; k++) a[k] = out[k * t]; s[t] = a[t & 3];"
    assert kept(divide(f"{here} __syncthreads(); out[t] = s[63 - t];")) == []
    assert kept(divide(f"{here} __syncthreads(); out[t] = s[63 - t] + a[t / 16];")) == ["a"]


def test_code_between_barriers_is_one_region() -> None:
    plan = divide("s[t] = n; { int x = s[t]; if (t < 5) s[t] = x + 1; } __syncthreads(); out[t] = s[63 - t];")
    assert isinstance(plan, Plan)
    assert [len(region.statements) for region in regions(plan.items)] == [4, 1]


def test_only_a_loss_of_threads_costs_a_mask() -> None:
    lost = divide("if (t >= n) return; s[t] = 1; __syncthreads(); out[t] = s[0];")
    together = divide("if (n < 5) return; s[t] = 1; __syncthreads(); out[t] = s[0];")
    assert isinstance(lost, Plan) and isinstance(lost.start, Region) and lost.loses_threads
    assert isinstance(together, Plan) and not together.loses_threads


@pytest.mark.parametrize(
    ("body", "reason"),
    [
        ("if (t < n) __syncthreads();", "threads of a block may disagree about the barrier in line 2"),
        ("while (s[0]) __syncthreads();", "threads of a block may disagree about the barrier in line 2"),
        (
            "for (int k = 0; k < n; k++) { __syncthreads(); if (s[t]) continue; s[t]++; }",
            "threads of a block may disag",
        ),
        ("walk(n);", "'walk', called in line 2, has a barrier"),
        ("n ? __syncthreads() : (void)0;", "the barrier in line 2 is part of an expression"),
        ("for (int k = 0; k < five(k); k++) __syncthreads();", "the condition in line 2 is not computed once"),
        ("int a[600]; a[t] = n; __syncthreads(); out[t] = a[0];", "more than 2048 bytes per thread"),
    ],
)
def test_why_a_kernel_is_not_divided(body: str, reason: str) -> None:
    before = "__device__ void walk(int n) { if (n == 0) return; __syncthreads(); walk(n - 1); }"
    plan = divide(body, before + " __device__ __noinline__ int five(int k) { return 5; }")
    assert isinstance(plan, str) and plan.startswith(reason)


@pytest.mark.parametrize(
    ("guard", "found"),
    [
        ("t < n", True),
        ("n >= (long)t", True),
        ("t == 0", True),
        ("!threadIdx.x", True),
        ("t > n", False),
        ("t == 1", False),
        ("t < s[0]", False),
        ("threadIdx.y < n", False),
        ("t < n || s[t] == 1", False),
    ],
)
def test_regions_of_the_first_threads(guard: str, found: bool) -> None:
    body = f"s[t] = 1; __syncthreads(); if ({guard}) out[t] += s[63 - t]; __syncthreads(); out[t + 1] = s[t];"
    compiled = kernel_of(body)
    plan, shapes = plan_of(compiled), compiled.shapes
    assert isinstance(plan, Plan)
    prefixes = first_threads.find(plan, shapes.versions(compiled.module.kernels[0])[0], shapes.storage)
    assert [region in prefixes for region in regions(plan.items)] == [False, found, False]


def test_variables_that_share_a_place_in_the_source_keep_their_order() -> None:
    """Two copies of an inlined function's variable differ in nothing but the order of their declarations."""
    code = """
    __device__ int turn(int *s, int x) {
        int before = x;
        __syncthreads();
        s[threadIdx.x] = before;
        __syncthreads();
        return s[threadIdx.x ^ 1] + before;
    }
    __global__ void k(int *out) {
        __shared__ int s[64];
        int a = turn(s, out[threadIdx.x]);
        int b = turn(s, a);
        out[threadIdx.x] = a + b;
    }
    """
    (kernel,) = (compiled := compile_device(Source("k.cu", code), Options(), until="keep-versions")).module.kernels
    found = barrier_fission.plan(compiled.module, compiled.shapes.versions(kernel)[0], compiled.shapes.storage)
    assert isinstance(found, barrier_fission.Plan)
    copies = [variable for variable in found.kept if variable.name == "before"]
    assert len(copies) == 2
    assert found.ordered(reversed(copies)) == copies
    assert [found.declared[variable] for variable in copies] == sorted(found.declared[variable] for variable in copies)
