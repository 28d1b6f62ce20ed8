"""Integer terms that occur in many places of a very large function: what becomes of them, and of all the rest."""

from __future__ import annotations

import functools

import pytest
from test_size import calls_of_passes

from simt2simd.options import Options
from simt2simd.pipeline import compile_device, results, stages
from simt2simd.pipeline.compiled import Compiled
from simt2simd.source import Source
from simt2simd.transform.common_subexpressions import LARGE, common_subexpressions
from simt2simd.tree import nodes as tree
from simt2simd.tree.nodes import Module
from simt2simd.tree.walk import count_nodes, walk

MACRO = "#define at(c, i, j, k) (base + (i) + ni * (j) + nij * (k) + nijk * (c) - (jfirst * ni + kfirst * nij))\n"
PARAMS = "const float *__restrict__ u, float *out, int ni, int nij, int nijk, int jfirst, int kfirst"
INDICES = """int base = -jfirst, i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
    int k = blockIdx.z * blockDim.z + threadIdx.z;"""
ACCESSES = "u[at(#, i - 1, j, k)] * u[at(#, i + 1, j, k)] - u[at(#, i, j - 1, k)] * u[at(#, i, j + 1, k)]"


def stencil(lines: int) -> str:
    """A kernel of so many lines, each with four accesses, to one of four planes."""
    text = "\n".join(f"s += {ACCESSES.replace('#', str(line % 4))};" for line in range(lines))
    return f"{MACRO} __global__ void k({PARAMS}) {{ {INDICES} float s = 0; {text} out[at(0, i, j, k)] = s; }}"


def compiled(text: str, until: str) -> Compiled:
    return compile_device(Source("k.cu", text), Options(check_ir=True), until=until)


def size(module: Module) -> int:
    return count_nodes(module.functions["k"].body)


def test_functions_of_ordinary_size_stay_the_same_objects() -> None:
    made = compiled(stencil(8), "common-subexpressions")
    assert made[results.COMMON_SUBEXPRESSIONS] is made[results.CAPTURE_FORWARDING]


def test_the_arithmetic_of_indices_is_written_once() -> None:
    """Of a line there remain four accesses, an operation between two, and an assignment."""
    made = compiled(stencil(80), "common-subexpressions")
    assert size(made[results.CAPTURE_FORWARDING]) > LARGE
    assert size(made[results.COMMON_SUBEXPRESSIONS]) < size(made[results.CAPTURE_FORWARDING]) / 3


@pytest.mark.parametrize(
    ("body", "count"),
    [
        ("out[n * i + 1] = n * i + 1;", 1),
        ("out[n * i + 1] = n * i + 2;", 1),
        ("out[n * i + 1] = n * i + 1; out[n * i] = 0;", 2),
        ("out[i << 2] = ~(i << 2); if (n > 3) out[~(i << 2)] = 2;", 2),
        ("out[(long)i] = out[(long)i + 1];", 0),
        ("out[i] = i; out[3] = 3;", 0),
        ("out[i / n] = out[i / n];", 0),
        ("out[out[0] + 1] = out[0] + 1;", 0),
        ("float x = n; out[i] = x * 2; out[n] = x * 2;", 0),
        ("int x = n; x++; out[x * 2] = x * 2;", 0),
        ("int x = n; int *p = &x; out[x * 2] = x * 2; *p = 3;", 0),
        ("for (int r = 0; r < n; r++) out[r * n] = r * n;", 0),
        ("for (int r = 0; r < n; r++) { int x = r; out[x * n] = x * n; }", 1),
        ("for (int r = i * n; r < i * n + n; r++) out[r] = 0;", 1),
        ("while (out[i * n] < n) { out[i * n] += 1; }", 1),
        ("volatile int x = n; out[x * 2] = x * 2;", 0),
        ("if (i > n) out[i * n] = 1; else out[i * n] = 2;", 1),
        ("out[i * n] = 0; __syncthreads(); out[i * n] = 1;", 0),
    ],
)
def test_terms_of_steady_integers_get_variables(body: str, count: int) -> None:
    text = f"__global__ void k(int *out, int n) {{ int i = threadIdx.x; {body} }}"
    module = common_subexpressions(compiled(text, "capture-forwarding").module, large=0)
    names = [node.variable.name for node in walk(module.functions["k"].body) if isinstance(node, tree.Declare)]
    assert sum(name.startswith("term") for name in names) == count


def test_a_number_is_not_taken_for_the_operand_of_that_number() -> None:
    text = "__global__ void k(int *out) { int i = threadIdx.x + blockIdx.x; out[i] = 2; out[2] = 2; out[1] = 3; }"
    module = common_subexpressions(compiled(text, "capture-forwarding").module, large=0)
    constants = [node.value for node in walk(module.functions["k"].body) if isinstance(node, tree.Constant)]
    assert sorted(map(int, constants)) == [1, 2, 2, 2, 3]


def test_what_lies_side_by_side_is_still_known_to_do_so(monkeypatch: pytest.MonkeyPatch) -> None:
    gathers = []
    for large in (LARGE, 0):
        monkeypatch.setattr(stages, "common_subexpressions", functools.partial(common_subexpressions, large=large))
        made = compiled(stencil(3), "llvm")
        assert ("term1" in made.dump("common-subexpressions")) == (large == 0)
        gathers.append(made.dump("llvm").count("call <16 x float> @llvm.masked.gather"))
    assert gathers[1] <= gathers[0]


def test_passes_have_little_to_do_with_the_arithmetic_of_indices(monkeypatch: pytest.MonkeyPatch) -> None:
    """Less than half as much from there on as without."""
    calls = []
    for large in (LARGE, 0):
        monkeypatch.setattr(stages, "common_subexpressions", functools.partial(common_subexpressions, large=large))
        found = calls_of_passes(stencil(5))
        names = list(found)
        calls.append(sum(found[name] for name in names[names.index("stack-loops") : names.index("llvm")]))
    assert calls[1] < calls[0] / 2
