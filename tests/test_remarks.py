"""Remarks tell what became of each access and branch, and why, worst first."""

from __future__ import annotations

import json
import re

from simt2simd.options import Options
from simt2simd.pipeline import compile_device
from simt2simd.report.remarks import Remark, listing, messages
from simt2simd.source import Source


def remarks_of(text: str, options: Options | None = None) -> list[Remark]:
    return compile_device(Source("t.cu", text), options or Options(), until="llvm").remarks()


def lines(found: list[Remark]) -> dict[int, str]:
    """The last remark of each line, as kind and instruction."""
    return {remark.span.line: f"{remark.kind}: {remark.instruction}" for remark in found}


def test_quick_code_outside_loops_needs_no_remark() -> None:
    assert not remarks_of(
        "__global__ void k(float *x, const float *y, int n) {\n"
        "  int i = blockIdx.x * blockDim.x + threadIdx.x;\n"
        "  if (i < n) x[i] = y[i] + y[n] + y[blockIdx.x];\n}"
    )


def test_in_loops_every_access_is_told() -> None:
    found = lines(
        remarks_of(
            "__global__ void k(float *x, const float *y, int n) {\n"
            "  for (int j = 0; j < n; j++)\n"
            "    x[threadIdx.x] =\n"
            "      y[j];\n}"
        )
    )
    assert found == {2: "loop: one scalar branch", 3: "store: vector store", 4: "load: scalar load"}


def test_gathers_scatters_and_their_reasons() -> None:
    found = remarks_of(
        "__global__ void k(float *x, const int *i) {\n"
        "  float v = x[i[threadIdx.x]];\n"
        "  x[i[threadIdx.x]] = v;\n"
        "  x[i[threadIdx.x]] += v;\n}"
    )
    assert [remark.span.line for remark in found] == [4, 3, 2]
    assert lines(found) == {
        2: "load: gather, 32-bit offsets",
        3: "store: scatter, 32-bit offsets",
        4: "update: gather, 32-bit offsets and scatter, 32-bit offsets",
    }
    assert all(remark.why == "the address varies with 'i[threadIdx.x]'" for remark in found)


def test_both_ways_of_an_access_are_told() -> None:
    found = remarks_of(
        "__global__ void k(float *x, double *y, char *z, int n) {\n"
        "  int i = threadIdx.x;\n"
        "  for (int k = 0; k < n; k++) {\n"
        "    y[(i + 1) % n] =\n"
        "      x[(i + n - 1) % n] +\n"
        "      x[2 * i % n] +\n"
        "      x[i / n] +\n"
        "      z[(i * n) % n];\n  }\n}"
    )
    assert lines(found) == {
        3: "loop: one scalar branch",
        4: "store: vector store if consecutive, else scatter of two halves, 32-bit offsets",
        5: "load: vector load if consecutive, else gather, 32-bit offsets",
        6: "load: 2 vector loads and shuffles if evenly spaced, else gather, 32-bit offsets",
        7: "load: scalar load if the same in all lanes, else gather, 32-bit offsets",
        8: "load: gather, 32-bit offsets, of the words round the scalars",
    }


def test_strides_are_told() -> None:
    (found,) = remarks_of(
        "struct P { double x, y, z; };\n"
        "__global__ void k(double *o, const P *p) {\n  o[threadIdx.x] = p[threadIdx.x].y;\n}"
    )
    assert found.why == "neighbouring lanes are 24 bytes apart" and found.shape == "affine +24"
    assert found.help == "one array per field would be one vector load"


def test_divergence() -> None:
    found = remarks_of(
        "__global__ void k(int *x, int n) {\n"
        "  int v = x[threadIdx.x];\n"
        "  for (int i = 0; i < n; i++) {\n"
        "    if (v > 3) x[threadIdx.x] = 1;\n"
        "    while (v > 0) v -= 2;\n"
        "    switch (v) { case 0: x[threadIdx.x] = 2; }\n"
        "    if (n > 3) x[threadIdx.x] = 4;\n"
        "    if (v > i) v++;\n  }\n}"
    )
    kinds = {remark.span.line: remark for remark in found if remark.kind in ("if", "loop", "switch")}
    assert {line: remark.instruction.split(":")[0] for line, remark in kinds.items()} == {
        3: "one scalar branch",
        4: "divergent",
        5: "divergent",
        6: "divergent",
        7: "one scalar branch",
        8: "predicated",
    }
    assert kinds[4].why == "the condition varies with 'v'"
    assert found[0].span.line == 5 and found[0].loops == 2


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


def test_recursion_counts_as_a_loop_and_lockstep_is_told() -> None:
    found = remarks_of("#define START 0\n" + TRAVERSAL)
    calls = [remark for remark in found if remark.kind == "call of 'visit'"]
    assert [remark.span.line for remark in calls] == [6, 7]
    assert all(remark.instruction == "lockstep in 'nodes', 'node'" and remark.loops == 1 for remark in calls)
    assert not [remark for remark in found if "gather" in remark.instruction]


def test_a_long_chain_of_conditions_has_remarks() -> None:
    text = f"__global__ void k(int *p, int x) {{ while (p[threadIdx.x]{' && p[x]' * 400}) x++; }}"
    assert remarks_of(text)


def test_a_struct_is_read_as_the_remark_says() -> None:
    text = (
        "typedef struct { char tag, kind; short count; float x, y; } Item;\n"
        "__global__ void k(const Item *in, float *out) {\n"
        "  for (int j = 0; j < 4; j++) {\n"
        "    Item one = in[threadIdx.x + blockIdx.x * blockDim.x];\n"
        "    out[threadIdx.x] += one.tag + one.kind + one.count + one.x + one.y;\n  }\n}"
    )
    found = lines(remarks_of(text))
    assert found[4] == "load: 5 times 3 vector loads and shuffles"
    along_x = str(compile_device(Source("t.cu", text), Options(), until="llvm").results["llvm"]).split("define ")[1]
    assert '@"k"(' in along_x and "gather" not in along_x


def test_calls_that_lose_lockstep() -> None:
    found = remarks_of("#define START threadIdx.x\n" + TRAVERSAL)
    calls = [remark for remark in found if remark.kind == "call of 'visit'"]
    assert calls[0].instruction == "lockstep in 'nodes'"
    assert [remark for remark in found if remark.span.line == 6 and remark.instruction.startswith("gather")]


def test_recursion_that_becomes_a_loop() -> None:
    found = remarks_of(
        "__device__ void sum(const int *next, int n, int *total) {\n"
        "  *total += n;\n"
        "  if (next[n] > 0) sum(next, next[n], total);\n"
        "  if (next[n] > 9) sum(next, n - 5, total);\n}\n"
        "__global__ void k(const int *next, int *out) { int t = 0; sum(next, 7, &t); out[threadIdx.x] = t; }"
    )
    calls = [remark for remark in found if remark.kind == "recursion"]
    assert [remark.span.line for remark in calls] == [3, 4]
    assert all(remark.instruction == "loop over a stack, lockstep in 'next', 'n'" for remark in calls)


def test_a_function_called_in_a_loop_is_in_that_loop() -> None:
    found = remarks_of(
        "__device__ __noinline__ float f(const float *x, int i) { return x[i * i]; }\n"
        "__global__ void k(float *x, int n) {\n"
        "  float s = 0;\n"
        "  for (int i = 0; i < n; i++) s += f(x, threadIdx.x + i);\n  x[threadIdx.x] = s;\n}"
    )
    assert [remark.loops for remark in found if remark.function == "f"] == [1]


def test_what_costs_is_told_first_and_the_rest_in_one_line() -> None:
    found = messages(remarks_of(
        "__global__ void k(float *x, const float *y, int n) {\n"
        "  for (int j = 0; j < n; j++) {\n"
        "    float v = y[j] + y[threadIdx.x] + x[threadIdx.x];\n"
        "    x[(int)y[threadIdx.x]] = n > 3 ? v : 0;\n  }\n}"
    ))  # fmt: skip
    assert [message.span.line for message in found] == [4, 0]
    assert str(found[-1]) == (
        "remark: as good as possible: 3 vector loads, 1 scalar load, 1 scalar branch, 1 scalar choice"
    )


def test_only_the_programs_own_names_are_told() -> None:
    found = remarks_of("""
    struct Node { float x; int left, right; };
    struct Query { float x[3], best; int nearest; };
    __device__ void search(const Node *nodes, int n, Query *q) {
        if (n < 0) return;
        float here = nodes[n].x - q->x[n & 1];
        if (here < q->best) { q->best = here; q->nearest = n; }
        if (here < 0) { search(nodes, nodes[n].left, q); search(nodes, nodes[n].right, q); }
        else { search(nodes, nodes[n].right, q); if (here < q->best) search(nodes, nodes[n].left, q); }
    }
    __global__ void k(const Node *nodes, const float *x, int *out, int n) {
        Query q = {{x[threadIdx.x]}, 1e9f, -1};
        int i = 0;
        for (int j = 0; j < n; j++) { search(nodes, j, &q); for (i = 0; i < x[j]; i++) if (q.best < i) break; }
        out[threadIdx.x] = q.nearest + i;
    }""")
    text = "\n".join(f"{remark.function} {remark.kind} {remark.why} {remark.instruction}" for remark in found)
    assert "condition varies with 'here < 0'" in text
    assert not re.search(r"_rest|_twin|_here|first_arm|hoisted|with '(if|for|while)'", text)


BARRIERS = """__global__ void k(int *x, int n) {
  __shared__ int s[64];
  for (int i = 0; i < n; i++) {
    s[threadIdx.x] = x[threadIdx.x];
    if (x[i] > n) __syncthreads();
    x[threadIdx.x] = s[63 - threadIdx.x];
  }
}
"""


def test_why_barriers_switch_between_gangs() -> None:
    (found,) = [remark for remark in remarks_of(BARRIERS) if remark.kind == "barriers"]
    assert found.why == "threads of a block may disagree about the barrier in line 5"
    assert (found.span.line, found.span.column, found.loops) == (1, 17, 1)


def test_versions_that_never_run_have_no_remarks() -> None:
    """Wide gangs would have to wait at these barriers."""
    assert remarks_of(BARRIERS, Options(lanes=64)) == remarks_of(BARRIERS)


def test_barriers_switch_between_gangs_where_kernels_are_left_whole() -> None:
    text = BARRIERS.replace("if (x[i] > n) ", "")
    assert not [remark for remark in remarks_of(text) if remark.kind == "barriers"]
    (found,) = [r for r in remarks_of(text, Options(disabled=frozenset({"fission"}))) if r.kind == "barriers"]
    assert found.why == "--verify and --disable=fission leave kernels whole"


def test_parameters_that_each_thread_copies_are_told() -> None:
    text = "struct A {{ int a[8]; }};\n__global__ void k(A read, A written, int *p) {{ {} *p = read.a[*p]; }}"
    (found,) = [remark for remark in remarks_of(text.format("written.a[*p] = 3;")) if remark.kind == "parameter"]
    assert found.instruction == "each thread has a copy of its 32 bytes in memory"
    assert found.why == "'written' is changed, or its address is taken" and found.span.column == 29
    assert not [remark for remark in remarks_of(text.format("")) if remark.kind == "parameter"]


def test_one_byte_apart() -> None:
    found = remarks_of("__global__ void k(char *x, int n) { for (int i = 0; i < n; i++) x[threadIdx.x] = i; }")
    assert "neighbouring lanes are 1 byte apart" in [remark.why for remark in found]


def test_records_and_messages_say_the_same() -> None:
    (found,) = remarks_of("__global__ void k(float *x, const int *i) {\n  x[i[threadIdx.x]] = 1;\n}")
    record = json.loads(json.dumps(found.record()))
    assert record["file"] == "t.cu" and (record["line"], record["column"]) == (2, 3)
    assert record["instruction"] in str(found.diagnostic()) and record["why"] in str(found.diagnostic())


def test_listing_names_every_instance() -> None:
    shapes = compile_device(Source("t.cu", "#define START 0\n" + TRAVERSAL), Options(), until="keep-versions").shapes
    text = listing(shapes)
    assert "k(nodes: block, p: block, out: block)" in text
    assert "visit(nodes: uniform, node: uniform, p: varying) -> varying" in text
