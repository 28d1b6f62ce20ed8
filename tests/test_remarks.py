"""Remarks say what became of each access and branch, and why, worst first."""

from __future__ import annotations

import json
import re

import pytest

from simt2simd.options import Options
from simt2simd.pipeline import compile_device, results
from simt2simd.report.remarks import Remark, listing, messages
from simt2simd.source import Source
from simt2simd.target import TARGETS


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


def test_in_loops_every_access_is_reported() -> None:
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


def test_both_ways_of_an_access_are_reported() -> None:
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
        8: "load: gather, 32-bit offsets, of the words around the scalars",
    }


def test_strides_are_reported() -> None:
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


def test_recursion_counts_as_a_loop_and_lockstep_is_reported() -> None:
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
    along_x = str(compile_device(Source("t.cu", text), Options(), until="llvm")[results.LLVM]).split("define ")[1]
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


def test_only_the_programs_own_names_are_reported() -> None:
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
    (found,) = [r for r in remarks_of(text, Options(disabled=frozenset({"barrier-fission"}))) if r.kind == "barriers"]
    assert found.why == "--verify and --disable=barrier-fission leave kernels whole"


def test_parameters_that_each_thread_copies_are_reported() -> None:
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


# ------------------------------------------------------------------------------------------- what costs, and cures

SLOW = """
struct Big { int a[8]; int n; };
struct Point { double x, y, z; };
typedef const float *Row;
__global__ void k(Big b, const int *in, const char *bytes, const Point *p, float *out, int *hist, Row *rows, int n) {
    __shared__ float s[256];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    b.a[i & 7] = 3;
    float sum = 0;
    for (int j = 0; j < in[i]; j++) {
        sum += out[i * n + j];
        sum += rows[i][j];
        sum += bytes[in[j] + in[i]];
        sum += p[i].x;
        atomicAdd(&hist[in[i]], 1);
        if (sum > 3)
            out[in[i]] = lgammaf(sum) + b.a[j & 7];
    }
    s[threadIdx.x] = sum;
    if (in[i] > 3) __syncthreads();
    int *own = (int *)malloc(n * 4);
    out[i] = s[0] + *own;
    atomicAdd(hist, 1);
}
__global__ void fine(float *x) { x[threadIdx.x] *= 2; }
"""
MISSED = """\
17: lgammaf: the C library's function, called for one lane after the other
15: atomicAdd: an update for each address, locked
    help: count in a __shared__ array, and add that to the other one once for each block: this takes no lock
21: malloc: the runtime serves one lane after the other
    help: allocate once for the block, or before the launch
17: store: scatter, 32-bit offsets
12: load: gather of two halves, 64-bit addresses
    help: one pointer for all threads and an `int` for each, as in `base[i]`, take half the time of a pointer for each
13: load: gather, 32-bit offsets, of the words around the scalars
    help: elements of 4 bytes are gathered by one instruction, without splitting words
11: load: gather, 32-bit offsets
    help: neighbouring threads are far apart: FAR
14: load: 3 vector loads and shuffles
    help: one array per field would be one vector load
10: loop: divergent: lanes leave at different times, it runs until the last one is done
16: if: divergent: the arms run one after the other under masks, one without lanes is skipped
23: atomicAdd: the lanes combined, then one update, locked
5: parameter: each thread has a copy of its 36 bytes in memory
    help: leave it as it is, and change copies of single members: then it is there once for all threads
5: barriers: at each one the gangs of a block take turns, in contexts of their own
    help: let all threads reach the barrier: put the `if` around the work, and the barrier after it
8: store: scatter, 32-bit offsets
22: load: gather of two halves, 64-bit addresses
    help: one pointer for all threads and an `int` for each, as in `base[i]`, take half the time of a pointer for each
"""


def missed(text: str, options: Options | None = None) -> list[str]:
    """Return what `--remarks=missed` says, each remark and each kernel without the line of the program."""
    compiled = compile_device(Source("t.cu", text), options or Options(target=TARGETS["avx512"]), until="llvm")
    shown = compiled.remark_messages(compiled.remarks(), only_missed=True)
    return [f"{each.span.line}: {each.message}" + (f"\n    help: {each.help}" if each.help else "") for each in shown]


def test_what_costs_is_told_with_its_cure_the_most_expensive_first() -> None:
    shown = [re.sub(r"; .*?( \(in a loop\))?$", "", text, count=1, flags=re.MULTILINE) for text in missed(SLOW)[:-2]]
    shown = [text.replace(" (in a loop)", "") for text in shown]
    assert re.sub("far apart: .*", "far apart: FAR", "\n".join(shown)) + "\n" == MISSED


def test_each_kernel_is_told_in_short() -> None:
    found = missed(SLOW)
    slow, fine = found[-2:]
    assert fine == "25: kernel 'fine': nothing that costs; of its estimated memory time: vectors 100%"
    for words in ("4 gathers", "2 scatters", "2 calls lane by lane", "1 barrier with turns", "1 copy for each thread"):
        assert words in slow
    assert "2 locked atomic updates" in slow and "(2 with 64-bit addresses)" in slow
    parts = [int(part) for part in re.findall(r"(\d+)%", slow)]
    assert parts == sorted(parts, reverse=True) and 97 <= sum(parts) <= 103


def test_only_what_costs_is_reported() -> None:
    assert len(missed("__global__ void k(float *x, int n) { for (int i = 0; i < n; i++) x[threadIdx.x] += i; }")) == 1
    assert not [remark for remark in remarks_of(SLOW) if remark.missed and remark.good]


def test_what_a_kernel_calls_is_its_own() -> None:
    text = """
    __device__ __noinline__ float f(const float *x, const int *i) { return x[i[threadIdx.x]]; }
    __global__ void k(float *x, const int *i) { x[threadIdx.x] = f(x, i); }
    __global__ void other(float *x) { x[threadIdx.x] = 0; }"""
    *_, first, second = missed(text)
    assert "kernel 'k': 1 gather;" in first and "kernel 'other': nothing that costs" in second


CURES = {
    "a barrier in an expression": (
        "x[0] = n > 2 ? __syncthreads_count(threadIdx.x > n) : 0;",
        "call it in a statement of its own, that all threads reach",
    ),
    "an update behind a loop": (
        "for (int i = 0; i < n; i++) atomicAdd(x, i);",
        "add up in a variable of the thread's own, and update memory once, after the loop",
    ),
    "a byte": (
        "((char *)x)[x[threadIdx.x]] = 1;",
        "elements of 4 bytes are scattered by one instruction, without splitting words",
    ),
    "a column": ("x[3 * threadIdx.x] = n;", None),
    "an old value": ("x[threadIdx.x] = atomicAdd(&x[x[threadIdx.x]], 1);", None),
}


@pytest.mark.parametrize("case", CURES)
def test_cures_are_told_where_there_are_some(case: str) -> None:
    code, cure = CURES[case]
    found = {remark.help for remark in remarks_of(f"__global__ void k(int *x, int n) {{ {code} }}") if remark.help}
    assert found == ({cure} if cure else found & {"one array per column would be one vector store"})


def test_variables_that_wait_at_barriers_have_the_programs_names() -> None:
    text = """
    __global__ void k(float *x, int n) {
        __shared__ float s[256];
        float most = 0, least = 0;
        for (int i = threadIdx.x; i < n; i += blockDim.x) { most = fmaxf(most, x[i]); least = fminf(least, x[i]); }
        for (int round = 0; round < n; round++) {
            s[threadIdx.x] = most;
            __syncthreads();
            most += s[0] * least;
            __syncthreads();
        }
        x[threadIdx.x] = most;
    }"""
    (found,) = [remark for remark in remarks_of(text) if remark.missed == "variable kept across barriers"]
    assert found.instruction == "2 variables of each thread wait in memory"
    assert found.why == "'most', 'least' are used on both sides of one" and found.loops == 1


def test_copies_whose_addresses_go_anywhere_are_reported() -> None:
    text = """
    __device__ int *kept;
    __global__ void k(int *x) { int own[4] = {1, 2, 3, 4}; kept = own; x[threadIdx.x] = own[x[0]]; }"""
    (found,) = [remark for remark in remarks_of(text) if remark.kind == "variable"]
    assert found.why == "the address of 'own' is handed on" and found.help is not None


def test_a_guided_traversal_may_be_any_order() -> None:
    text = """
    struct Node { float x; int left, right; };
    __device__ void near(const Node *nodes, int n, float x, float *best) {
        if (n < 0) return;
        float d = x - nodes[n].x;
        if (d * d < *best) *best = d * d;
        if (d < 0) { near(nodes, nodes[n].left, x, best); if (d * d < *best) near(nodes, nodes[n].right, x, best); }
        else { near(nodes, nodes[n].right, x, best); if (d * d < *best) near(nodes, nodes[n].left, x, best); }
    }
    __global__ void k(const Node *nodes, float *x) {
        float best = 1e9f; near(nodes, 0, x[threadIdx.x], &best); x[threadIdx.x] = best;
    }"""
    (found,) = [remark for remark in remarks_of(text) if remark.kind == "traversal"]
    assert found.help is not None and "any_order" in found.help
    text = text.replace("if (d < 0) {", "\n#pragma s2s any_order\nif (d < 0) {")
    (found,) = [remark for remark in remarks_of(text) if remark.kind == "traversal"]
    assert found.why == "'d < 0.0f' decides on the order, by a vote of the gang's lanes" and found.help is None
