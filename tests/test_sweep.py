"""Which loops are swept, and which kernels run them iteration by iteration."""

from __future__ import annotations

import pytest

from simt2simd.mapping import barrier_fission
from simt2simd.mapping.barrier_fission import Items, Plan, Repeat
from simt2simd.options import Options
from simt2simd.pipeline import Compiled, compile_device
from simt2simd.source import Source
from simt2simd.tree import nodes as tree
from simt2simd.tree.walk import walk

START, STEP = "blockIdx.x * blockDim.x + threadIdx.x", "blockDim.x * gridDim.x"


def analysed(body: str) -> Compiled:
    code = f"__global__ void k(const float *in, float *out, int n, long m) {{ __shared__ int s[64]; {body} }}"
    return compile_device(Source("k.cu", code), Options(), until="keep-versions")


def swept(body: str) -> list[tree.Loop]:
    (kernel,) = analysed(body).module.kernels
    return [node for node in walk(kernel.body) if isinstance(node, tree.Loop) and node.swept]


@pytest.mark.parametrize(
    "body",
    [
        f"for (int i = {START}; i < n; i += {STEP}) out[i] = in[i];",
        f"for (unsigned i = {START}; n > i; i = i + {STEP}) out[i] = in[i];",
        f"int first = {START}, stride = {STEP}; for (long i = first; i <= m; i += stride) out[i] = in[i];",
        f"int t = threadIdx.x; size_t i = blockIdx.x * blockDim.x + t; while (i < n) {{ out[i] = 1; i += {STEP}; }}",
        f"float sum = 0; for (int i = {START}; i < n; i += {STEP}) sum += in[3 * i + 1]; out[threadIdx.x] = sum;",
        "for (int r = blockIdx.x; r < m; r += gridDim.x) for (int i = threadIdx.x; i < n; i += 64) out[r * n + i] = 1;",
    ],
)
def test_grid_stride_loops_are_swept(body: str) -> None:
    assert len(swept(body)) == 1


@pytest.mark.parametrize(
    "body",
    [
        f"for (int i = {START}; i < n; i += {STEP}) if (in[i] > 0) break;",
        f"for (int i = {START}; i < n; i += {STEP}) {{ out[i] = 1; __syncthreads(); }}",
        f"for (int i = {START}; i < n; i += {STEP}) {{ out[i] = 1; n--; }}",
        f"for (int i = {START}; i < n; i += {STEP}) {{ out[i] = 1; i++; }}",
        f"int i; for (i = {START}; i < n; i += {STEP}) out[i] = 1; out[0] = i;",
        f"int i = {START}; int j = 0, *p = &i; if (n > 3) p = &j; for (; i < n; i += {STEP}) out[i] = *p;",
        f"for (short i = {START}; i < n; i += {STEP}) out[i] = 1;",
        f"for (int i = {START}; i < n; i += {STEP}) out[s[i % 64]] = 1;",
        f"for (int i = {START}; i < n; i += threadIdx.y) out[i] = 1;",
        f"for (int i = {START}; i < in[0]; i += {STEP}) out[i] = 1;",
        f"for (int i = 2 * threadIdx.x; i < n; i += {STEP}) out[i] = 1;",
        f"for (int i = threadIdx.x + threadIdx.x; i < n; i += {STEP}) out[i] = 1;",
        f"if (threadIdx.x < 7) for (int i = {START}; i < n; i += {STEP}) out[i] = 1;",
        f"float a[9]; for (int k = 0; k < 9; k++) a[k] = in[k]; "
        f"for (int i = {START}; i < n; i += {STEP}) out[i] = a[i % 9];",
    ],
)
def test_other_loops_are_left_as_they_are(body: str) -> None:
    assert swept(body) == []


def depth(items: Items) -> int:
    """How many loops of the whole block lie in each other."""
    depths = [0]
    for item in items:
        match item:
            case Repeat():
                depths.append(1 + depth(item.body))
            case barrier_fission.Choice():
                depths += [depth(item.then), depth(item.other)]
    return max(depths)


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        (f"for (int i = {START}; i < n; i += {STEP}) out[i] = in[i];", 1),
        ("for (int r = 0; r < m; r++) for (int i = threadIdx.x; i < n; i += 64) out[r * n + i] = in[i];", 2),
        (
            "for (int r = 0; r < m; r++) { if (in[r] > 0) break; for (int i = threadIdx.x; i < n; i += 9) out[i] = 1;}",
            0,
        ),
    ],
)
def test_kernels_without_barriers_are_divided_for_them(body: str, expected: int) -> None:
    compiled = analysed(body)
    (kernel,) = compiled.module.kernels
    plan = barrier_fission.plan(compiled.module, compiled.shapes.versions(kernel)[0], compiled.shapes.storage)
    assert isinstance(plan, Plan) == (expected > 0)
    assert not isinstance(plan, Plan) or depth(plan.items) == expected
