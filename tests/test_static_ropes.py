"""Unguided traversals that follow ropes which launches install (`--traverse=static-ropes`)."""

from __future__ import annotations

import functools
import random
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from front import module
from numpy.typing import NDArray
from test_cuda_text import nvcc

from simt2simd import RawKernel, runtime
from simt2simd.command import cli, cuda_text
from simt2simd.diag import CompileError
from simt2simd.interp.run import run
from simt2simd.options import Options, Traverse
from simt2simd.pipeline import compile_device
from simt2simd.report.remarks import Remark
from simt2simd.runtime import LaunchError
from simt2simd.source import Source
from simt2simd.transform.traversals.static_ropes import refused, static_ropes

Array = NDArray[Any]

HEAD = """\
struct Node { int key, leaf, child[4]; };
struct Query { int sum, x, fuel; };
__device__ void note(Query *q, int value) { q->sum = q->sum * 31 + value; }
"""
NODE = np.dtype([("key", np.int32), ("leaf", np.int32), ("child", np.int32, 4)])
QUERY = np.dtype([("sum", np.int32), ("x", np.int32), ("fuel", np.int32)])
CALLS = [f"visit(nodes, nodes[n].child[{i}], q);" for i in range(4)]

PLAIN = f"""{HEAD}
__device__ void visit(const Node *nodes, int n, Query *q) {{
    note(q, n);
    if (nodes[n].key & q->x) return;
    if (nodes[n].leaf) {{ q->fuel++; return; }}
    for (int i = 0; i < 4; i++) if (nodes[n].child[i] >= 0) visit(nodes, nodes[n].child[i], q);
}}
__global__ void k(const Node *nodes, const Query *queries, int *out, int root) {{
    Query q = queries[blockIdx.x * blockDim.x + threadIdx.x];
    visit(nodes, root, &q);
    out[blockIdx.x * blockDim.x + threadIdx.x] = q.sum + q.fuel;
}}
"""


def remarks(code: str) -> list[Remark]:
    result = compile_device(Source("k.cu", code), Options(check_ir=True, optimise=0, traverse=Traverse.STATIC_ROPES))
    return [remark for remark in result.remarks() if remark.kind == "ropes"]


def tree_of(rng: random.Random, count: int = 60) -> Array:
    """Return a random tree with root 0, whose nodes have numbers in no order. There are no children at -1."""
    nodes = np.zeros(count, NODE)
    nodes["child"] = -1
    names = [0, *rng.sample(range(1, count), count - 1)]
    nodes["key"] = [rng.randrange(100) for _ in range(count)]
    nodes["leaf"] = 1
    for i in range(1, count):
        parent = nodes[names[rng.choice([p for p in range(max(0, i - 12), i) if -1 in nodes["child"][names[p]]])]]
        parent["leaf"] = 0
        parent["child"][rng.choice([c for c in range(4) if parent["child"][c] == -1])] = names[i]
    return nodes


def queries_of(rng: random.Random, count: int) -> Array:
    return np.array([(0, rng.randrange(60, 110), rng.randrange(5, 60)) for _ in range(count)], QUERY)


def program(rng: random.Random) -> str:
    """Return a program with a traversal that may be run by ropes."""
    null = rng.random() < 0.5
    head = rng.choice(("if (n < 0) return;", "if (n < 0 || nodes[n].key > q->x) return;")) if null else ""
    rng.shuffle(calls := list(CALLS))
    if not null:
        calls = [f"if (nodes[n].child[{call.split('[')[2][0]}] >= 0) {call}" for call in calls]
    three = "".join(calls[:3])
    last = calls[3]
    steps = rng.choice(
        (
            three,
            three + last,
            f"if (nodes[n].key & 1) {{ {three} }} else {{ {last} {calls[0]} }}",
            f"if (nodes[n].key & 1) {{ {calls[0]} }} {last}",
            f"if (q->x & 3) {{ {three} {last} }}",
            f"if (q->x & 3 && !nodes[n].leaf) {{ note(q, 5); {three} }} else {{ note(q, 4); }}",
            f"for (int i = 0; i < 4; i++) {'' if null else 'if (nodes[n].child[i] >= 0)'} "
            "visit(nodes, nodes[n].child[i], q);",
            f"const int c = nodes[n].child[1]; {'' if null else 'if (c >= 0)'} visit(nodes, c, q); {calls[0]}",
        )
    )
    work = rng.sample(
        (
            "if (q->fuel-- <= 0) return;",
            "if (nodes[n].key > q->x) { note(q, 1); return; }",
            "for (int i = 0; i < 3; i++) { if ((q->x + i) % 7 == 0) return; note(q, i); }",
            "const Node *node = &nodes[n]; note(q, node->key); if (node->leaf) { q->x++; return; }",
            "if (nodes[n].leaf || q->sum % 5 == 0) return;",
            "switch (q->sum & 7) { case 1: return; case 2: note(q, 2); break; default: q->x--; }",
        ),
        rng.randrange(1, 5),
    )
    way = rng.random() < 0.5
    call = "search(nodes, root, &q);" if way else f"visit(nodes, {rng.choice(('0', 'root'))}, &q);"
    search = "{ const int first = n; visit(tree, first, q); note(q, 7); }"
    return f"""{HEAD}
__device__ void visit(const Node *nodes, int n, Query *q) {{ {head} note(q, n); {" ".join(work)} {steps} }}
{f"__device__ void search(const Node *tree, int n, Query *q) {search}" if way else ""}
__global__ void k(const Node *nodes, const Query *queries, int *out, int root) {{
    Query q = queries[threadIdx.x];
    {call} {call if rng.random() < 0.3 else ""}
    out[threadIdx.x] = q.sum * 7 + q.x * 3 + q.fuel;
}}
"""


@functools.cache
def kernel_of(code: str, form: str, *flags: str) -> RawKernel:
    return RawKernel(code, "k", options=(f"--traverse={form}", "-O0", *flags))


def launched(code: str, nodes: Array, queries: Array, *flags: str, root: int = 0, form: str = "static-ropes") -> Array:
    found = np.zeros(len(queries), np.int32)
    kernel_of(code, form, *flags)((1,), (len(queries),), (nodes, queries, found, np.int32(root)))
    return found


FORMS = ("static-ropes", "static-ropes-lockstep")
SEEDS = [pytest.param(seed, marks=[pytest.mark.slow(f"static ropes {seed}")] * (seed >= 3)) for seed in range(60)]


@pytest.mark.parametrize("seed", SEEDS)
def test_random_traversals(seed: int) -> None:
    rng = random.Random(f"static ropes {seed}")
    code, nodes = program(rng), tree_of(rng)
    if seed % 4 == 3:  # no tree: a node has two parents, or a leaf leads nowhere
        nodes["child"][rng.randrange(1, 60), 1] = rng.choice((59, 60 + 10**6, -5))
        nodes["child"][nodes["child"] == 0] = -1
    queries = queries_of(rng, (33, 16, 17, 1)[(seed + seed // 4) % 4])
    for root in (0, int(nodes["child"][0].max())):
        expected = np.zeros(len(queries), np.int32)
        try:
            run(module(code), "k", (1,), (len(queries),), [nodes, queries.copy(), expected, np.int32(root)])
        except Exception:
            return  # the recursive program fails, too
        np.testing.assert_array_equal(launched(code, nodes, queries, root=root, form=FORMS[seed % 2]), expected)


def test_most_random_traversals_follow_ropes() -> None:
    found = [not refused(module(program(random.Random(f"static ropes {seed}")))) for seed in range(10)]
    assert sum(found) >= 9


# ---------------------------------------------------------------------------------------------- what launches do


def halves(depth: int) -> Array:
    """Return a binary tree whose root has two subtrees: of nodes with key 1, and with key 2."""
    nodes = np.zeros(2**depth - 1, NODE)
    nodes["child"] = -1
    for n in range(len(nodes)):
        nodes["leaf"][n] = 2 * n + 1 >= len(nodes)
        nodes["child"][n, 1:3] = (-1, -1) if nodes["leaf"][n] else (2 * n + 1, 2 * n + 2)
        nodes["key"][n] = 0 if n == 0 else n if n < 3 else nodes["key"][(n - 1) // 2]
    return nodes


def steps(nodes: Array, form: str, root: int = 0) -> tuple[int, list[int]]:
    """Return in how many steps a gang visited the nodes, of which each thread skips a half, and the results."""
    queries = np.array([(0, x, 0) for x in (1, 2) * 8], QUERY)
    runtime.stats(forget=True)
    found = launched(PLAIN, nodes, queries, "--stats", root=root, form=form)
    (traversal,) = runtime.stats(forget=True)["traversals"]
    return int(traversal["steps"]), found.tolist()


def test_threads_do_not_wait_for_each_other() -> None:
    nodes = halves(6)
    together, expected = steps(nodes, "lockstep")
    found, results = steps(nodes, "static-ropes")
    assert results == expected
    assert (together, found) == (63, 33)  # threads that skip a half see its first node
    assert steps(nodes, "static-ropes-lockstep") == (together, expected)


def _two_parents(nodes: Array) -> None:
    nodes["child"][5, 0] = 61


def _circle(nodes: Array) -> None:
    nodes["child"][40, 0], nodes["leaf"][40], nodes["key"][40] = 1, 0, 3


def _wild(nodes: Array) -> None:
    nodes["child"][62], nodes["leaf"][62], nodes["key"][62] = 1 << 24, 0, 3


@pytest.mark.parametrize("change", [_two_parents, _circle, _wild])
def test_what_is_no_tree_runs_as_it_is_written(change: Any) -> None:
    nodes = halves(6)
    change(nodes)
    assert steps(nodes, "static-ropes") == steps(nodes, "lockstep")
    assert steps(halves(6), "static-ropes")[0] == 33  # the fault is forgotten


def test_the_root_is_the_launch_s() -> None:
    nodes = halves(6)
    for root in (1, 40):
        assert steps(nodes, "static-ropes", root)[1] == steps(nodes, "lockstep", root)[1]
    with pytest.raises(LaunchError, match="kernel 'k': illegal memory access"):
        launched(PLAIN, nodes, np.zeros(3, QUERY), root=1 << 27)


def test_trees_grow_and_change() -> None:
    for depth in (3, 14, 4, 1):
        nodes = halves(depth)
        assert steps(nodes, "static-ropes")[1] == steps(nodes, "lockstep")[1]
    few, many = halves(3), halves(3)
    many["child"][6, 0], many["leaf"][6] = 3, 0
    many["child"][1, 1] = -1
    queries = np.zeros(5, QUERY)
    kernel = kernel_of(PLAIN, "static-ropes")
    for nodes in (few, many):
        few[:] = nodes  # at the same place
        found = np.zeros(5, np.int32)
        kernel((1,), (5,), (few, queries, found, np.int32(0)))
        assert found.tolist() == launched(PLAIN, few, queries, form="lockstep").tolist()


def test_sorted_threads_follow_ropes_too() -> None:
    nodes, rng = halves(8), np.random.default_rng(3)
    queries = np.zeros(128 * 64, QUERY)
    queries["x"] = rng.integers(0, 4, len(queries))
    found = np.zeros(len(queries), np.int32)
    kernel_of(PLAIN, "static-ropes", "--sort-queries")((64,), (128,), (nodes, queries, found, np.int32(0)))
    expected = {x: launched(PLAIN, nodes, np.array([(0, x, 0)], QUERY), form="lockstep")[0] for x in range(4)}
    assert found.tolist() == [expected[x] for x in queries["x"]]


def test_teams_follow_ropes_too() -> None:
    nodes, queries = halves(5), queries_of(random.Random(4), 100)
    expected = launched(PLAIN, nodes, queries, form="lockstep")
    runtime.configure(threads=2, hthreads_per_block=2)
    try:
        np.testing.assert_array_equal(launched(PLAIN, nodes, queries), expected)
    finally:
        runtime.configure()


# --------------------------------------------------------------------------------------------- what is refused


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("visit(nodes, root, &q);", "visit(nodes, threadIdx.x, &q);", "may differ from thread to thread"),
        ("visit(nodes, root, &q);", "visit(nodes, queries[0].x + q.x, &q);", "'queries.* may differ"),
        ("visit(nodes, root, &q);", "visit(nodes, root, &q); visit(nodes, 1, &q);", "pass different values of 'n'"),
        ("visit(nodes, root, &q);", "out[0] = 7; visit(nodes, root, &q);", "writes, before a traversal, to memory"),
        (
            "visit(nodes, root, &q);",
            "for (int i = 0; i < 2; i++) { visit(nodes, root, &q); out[i] = 1; }",
            "writes, before a traversal, to memory",
        ),
        ("visit(nodes, root, &q);", "__syncthreads(); visit(nodes, root, &q);", "writes, before a traversal"),
        ("visit(nodes, root, &q);", "atomicAdd(out, 1); visit(nodes, root, &q);", "writes, before a traversal"),
        ("if (nodes[n].child[i] >= 0)", "if (nodes[n].child[i] >= (int)threadIdx.x)", "'.*' decides which children"),
        (
            "visit(nodes, nodes[n].child[i], q)",
            "visit(nodes, nodes[n].child[i] + threadIdx.x, q)",
            "which node .* visits next",
        ),
        ("visit(nodes, nodes[n].child[i], q)", "visit(nodes + 1, nodes[n].child[i], q)", "'nodes' and 'n' change"),
        ("int n, Query *q)", "short n, Query *q)", "'n', which identifies the node, is no number of type int"),
        ("visit(nodes, nodes[n].child[i], q);", "{ visit(nodes, nodes[n].child[i], q); note(q, 1); }", "between its"),
        ("if (nodes[n].child[i] >= 0)", "if (nodes[n].child[i] >= q->sum)", "what visits may change"),
    ],
)
def test_what_cannot_follow_ropes_says_why(old: str, new: str, why: str) -> None:
    assert old in PLAIN
    code = PLAIN.replace(old, new)
    (found,) = refused(module(code))
    assert re.search(why, found.why), found.why
    assert not static_ropes(module(code)).companions


def test_remarks() -> None:
    (remark,) = remarks(PLAIN)
    assert remark.instruction == "launches install ropes in the tree of 'visit', and follow them"
    (remark,) = remarks(PLAIN.replace("visit(nodes, root, &q);", "visit(nodes, threadIdx.x, &q);"))
    assert remark.instruction == "it stays recursive"
    assert "thread to thread" in remark.why


def test_what_others_write_later_does_no_harm() -> None:
    code = PLAIN.replace("visit(nodes, root, &q);", "visit(nodes, root, &q); atomicAdd((float *)out + 99, 1.0f);")
    assert not static_ropes(module(code.replace("+ 99", ""))).companions  # `out` is an array of ints, as nodes are
    code = code.replace("int *out, int root", "float *out, int root")
    assert {each.of for each in static_ropes(module(code)).companions} == {"k"}


# --------------------------------------------------------------------------------------------- as CUDA-C, for GPUs

PROGRAM = f"""#include <cstdio>
#include <vector>
#include <cuda_runtime.h>
{PLAIN}
// k<<<1, 1>>>() in a comment stays.
int main() {{
    const int count = COUNT, threads = 50;
    std::vector<Node> nodes(count);
    for (int n = 0; n < count; n++) {{
        nodes[n] = {{n % 5, 2 * n + 1 >= count, {{-1, 2 * n + 1, 2 * n + 2, -1}}}};
        if (nodes[n].leaf) nodes[n].child[1] = nodes[n].child[2] = -1;
    }}
    Node *tree; Query *queries; int *out, found[threads];
    cudaMalloc((void **)&tree, count * sizeof(Node));
    cudaMalloc((void **)&queries, threads * sizeof(Query));
    cudaMalloc((void **)&out, sizeof found);
    cudaMemset(queries, 0, threads * sizeof(Query));
    unsigned int sum = 0;
    for (int round = 0; round < 3; round++) {{
        if (round == 2) nodes[count - 1] = {{0, 0, {{7, -1, -1, -1}}}}; // no tree, and no end
        if (round == 2) nodes[7].leaf = 1;
        cudaMemcpy(tree, nodes.data(), count * sizeof(Node), cudaMemcpyHostToDevice);
        k<<<dim3(threads / 25), 25, 0, (round, (cudaStream_t)0)>>>(tree, queries, out, round % 2);
        cudaMemcpy(found, out, sizeof found, cudaMemcpyDeviceToHost);
        for (int i = 0; i < threads; i++) sum = sum * 31 + found[i];
    }}
    printf("%u\\n", sum);
}}
"""


GPU_FORMS = (Traverse.STATIC_ROPES, Traverse.STATIC_ROPES_LOCKSTEP)


def emitted(text: str, form: Traverse = Traverse.STATIC_ROPES) -> cuda_text.CudaText:
    return cuda_text.emit(Source("k.cu", text), Options(traverse=form))


@pytest.mark.parametrize(("form", "count"), [(GPU_FORMS[0], 5001), (GPU_FORMS[1], 1023)])
def test_the_cuda_program_launches_what_follows_ropes(form: Traverse, count: int, tmp_path: Path) -> None:
    """The third tree is none; one of more than 4096 nodes needs more room than there is at first."""
    program = PROGRAM.replace("COUNT", str(count))
    made = emitted(program, form)
    assert made.left == ()
    assert "k_launch(s2s_launch_at(dim3(threads / 25), 25, 0, (round, (cudaStream_t)0)), tree, queries" in made.text
    assert "// k<<<1, 1>>>() in a comment stays." in made.text
    assert ("__any_sync(lanes, down)" in made.text) == (form == "static-ropes-lockstep")
    results = set()
    for name, text in (("before", program), ("after", made.text)):
        (tmp_path / f"{name}.cu").write_text(text)
        build = ["compile", str(tmp_path / f"{name}.cu"), "-O1", "-o", str(tmp_path / name)]
        assert cli.main(build) == 0
        results.add(subprocess.run([tmp_path / name], capture_output=True, text=True, check=True).stdout)
    assert len(results) == 1


@pytest.mark.slow("static ropes by nvcc")
@pytest.mark.skipif(shutil.which("nvcc") is None, reason="needs nvcc")
@pytest.mark.parametrize("form", GPU_FORMS)
def test_nvcc_compiles_it(form: Traverse, tmp_path: Path) -> None:
    nvcc(emitted(PROGRAM.replace("COUNT", "63"), form).text, tmp_path)


LATER = """__global__ void k(const Node *nodes, const Query *queries, int *out, int root);
void before() { k<<<1, 1>>>(0, 0, 0, 0); }
"""


@pytest.mark.parametrize(
    ("old", "new", "why"),
    [
        ("const int count", "const int k_by_ropes = 0, count", "the name 'k_by_ropes', .* is taken"),
        ("int main", "auto pointer = &k;\nint main", "line .* names it in another way than 'k<<<...>>>"),
        ("int root) {", "int root = 0) {", "a parameter of it has a default value"),
        ("int main", "__global__ void k2(int *x) { k<<<1, 1>>>(0, 0, 0, 0); }\nint main", "device code launches it"),
        ("__global__ void k(", LATER + "__global__ void k(", "line 15 launches it before its definition"),
        ("struct Query", "#define __CUDA_ARCH__ 0\nstruct Query", "asks for '__CUDA_ARCH__'"),
    ],
)
def test_a_program_that_cannot_be_emitted_says_why(old: str, new: str, why: str) -> None:
    with pytest.raises(CompileError) as fault:
        emitted(PROGRAM.replace("COUNT", "63").replace(old, new, 1))
    assert re.search(f"'(k|visit)' cannot be emitted under --traverse=static-ropes: .*{why}", str(fault.value))


def test_launches_are_changed_wherever_the_text_names_them() -> None:
    """In lambdas, templates and macros; what only asks about a kernel, and what has its name, stays."""
    more = """
    #define LAUNCH(n) k<<<1, n>>>(0, 0, 0, 0)
    template <class T> void launch(T n) {
        k<<<n, 32>>>(0, 0, 0, 0);
        [&] { k <<< 1, dim3(2, 3), sizeof(T) >>> (0, 0, 0, 0); }();
    }
    int asked() { int blocks; cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, k, 32, 0); return blocks; }
    struct S { int k; };
    int members(S s) { const auto k = [] { return 1; }; return s.k + k(); }
    """
    text = emitted(PROGRAM.replace("COUNT", "63") + more).text
    assert "#define LAUNCH(n) k_launch(s2s_launch_at(1, n), 0, 0, 0, 0)" in text
    assert "k_launch(s2s_launch_at(n, 32), 0, 0, 0, 0);\n" in text
    assert "[&] { k_launch(s2s_launch_at( 1, dim3(2, 3), sizeof(T) ), 0, 0, 0, 0); }();" in text
    assert more[more.index("    int asked") :] in text
