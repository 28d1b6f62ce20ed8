"""Remarks tell what is slow and why, at its place in the source."""

from __future__ import annotations

from simt2simd.pipeline import compile_device
from simt2simd.remarks import listing, remarks
from simt2simd.source import Source
from simt2simd.target import Options


def remarks_of(text: str) -> list[str]:
    """Return the remarks of a program as "line: message"."""
    shapes = compile_device(Source("t.cu", text), Options(), until="shape").shapes
    return [f"{remark.span.line}: {remark.message}" for remark in remarks(shapes)]


def test_vector_and_scalar_accesses_need_no_remark() -> None:
    assert not remarks_of(
        "__global__ void k(float *x, const float *y, int n) {\n"
        "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
        "  x[i] = y[i] + y[n] + y[blockIdx.x];\n"
        "  for (int j = 0; j < n; j++) x[i] += y[j];\n}"
    )


def test_gathers_and_scatters() -> None:
    found = remarks_of(
        "__global__ void k(float *x, const int *i) {\n"
        "  float v = x[i[threadIdx.x]];\n"
        "  x[i[threadIdx.x]] = v;\n"
        "  x[i[threadIdx.x]] += v;\n}"
    )
    assert [line.split(":")[:2] for line in found] == [
        ["2", " gather"],
        ["3", " scatter"],
        ["4", " gather and scatter"],
    ]


def test_strides_are_told() -> None:
    found = remarks_of(
        "struct P { float x, y, z; };\n"
        "__global__ void k(float *o, const P *p) {\n  o[threadIdx.x] = p[threadIdx.x].y;\n}"
    )
    assert found == ["3: gather: neighbouring lanes read 12 bytes apart"]


def test_divergence() -> None:
    found = remarks_of(
        "__global__ void k(int *x, int n) {\n"
        "  int v = x[threadIdx.x];\n"
        "  if (v > 3) x[threadIdx.x] = 1;\n"
        "  while (v > 0) v -= 2;\n"
        "  switch (v) { case 0: x[threadIdx.x] = 2; }\n"
        "  if (n > 3) x[threadIdx.x] = 4;\n"
        "  for (int i = 0; i < n; i++) x[threadIdx.x] += i;\n}"
    )
    assert [line.split(":")[:2] for line in found] == [
        ["3", " divergent if"],
        ["4", " divergent loop"],
        ["5", " divergent switch"],
    ]


TRAVERSAL = """
struct Node { float x; int left, right; };
__device__ int visit(const Node *nodes, int node, float p) {
  if (node < 0) return 0;
  if (p < nodes[node].x) return visit(nodes, nodes[node].left, p);
  return visit(nodes, nodes[node].right, p) + 1;
}
__global__ void k(const Node *nodes, const float *p, int *out) {
  out[threadIdx.x] = visit(nodes, START, p[threadIdx.x]);
}
"""


def test_lockstep_calls() -> None:
    found = remarks_of("#define START 0\n" + TRAVERSAL)
    assert found[-1] == "10: call of 'visit' is lockstep in 'nodes', 'node'"
    assert not [line for line in found if "gather" in line]


def test_calls_that_lose_lockstep() -> None:
    found = remarks_of("#define START threadIdx.x\n" + TRAVERSAL)
    assert found[-1] == "10: call of 'visit' is lockstep in 'nodes'"
    assert [line for line in found if line.startswith("6: gather")]


def test_listing_names_every_instance() -> None:
    shapes = compile_device(Source("t.cu", "#define START 0\n" + TRAVERSAL), Options(), until="shape").shapes
    text = listing(shapes)
    assert "k(nodes: block, p: block, out: block)" in text
    assert "visit(nodes: uniform, node: uniform, p: varying) -> varying" in text
