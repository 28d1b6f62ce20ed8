"""Call sets of recursive functions, and which traversals are guided."""

from __future__ import annotations

import pytest
from front import module

from simt2simd.analysis.call_sets import MOST_SETS, CallSets, Table
from simt2simd.options import Options
from simt2simd.pipeline import compile_device
from simt2simd.report.remarks import Remark
from simt2simd.source import Source

TYPES = """\
struct Node { float x, y, mass, split; int axis, leaf; Node *left, *right, *child[8]; };
struct Point { float x, y, best; int count; };
__device__ bool far(const Node *n, const Point *p) { return fabsf(n->x - p->x) > p->best; }
"""
CALLER = "__global__ void k(const Node *root, Point *points) { Point p = points[threadIdx.x]; visit(root, &p); }\n"


def visits(text: str) -> dict[str, CallSets]:
    return {found.function.name: found for found in Table(module(text)).found}


def visit(body: str) -> CallSets:
    """Return what is known of `visit(const Node *n, Point *p)` with this body, called for a point of each thread."""
    (found,) = visits(f"{TYPES}__device__ void visit(const Node *n, Point *p) {{ {body} }}\n{CALLER}").values()
    return found


LEFT, RIGHT = "visit(n->left, p);", "visit(n->right, p);"
BOTH = ("n->left", "n->right")


# --------------------------------------------------------------------------- the examples of Goldfarb, Jo and Kulkarni


def test_point_correlation_is_unguided() -> None:
    """Their figure 4."""
    found = visit(f"if (far(n, p)) return; if (n->leaf) {{ p->count++; return; }} else {{ {LEFT} {RIGHT} }}")
    assert (found.kind, found.sets) == ("unguided", (BOTH,))
    assert str(found) == "unguided, 1 call set: (n->left; n->right)"


def test_nearest_neighbour_is_guided() -> None:
    """Their figure 5, with its further arguments."""
    (found,) = visits(
        TYPES + "__device__ bool closer_to_left(const Node *n, const Point *p) { return p->x < n->split; }\n"
        "__device__ void recurse(const Node *n, Point *p, int arg, int c) {\n"
        "    if (far(n, p)) return;\n"
        "    if (n->leaf) { p->best = fminf(p->best, n->x - p->x); return; }\n"
        "    if (closer_to_left(n, p)) {\n"
        "        arg = arg + c + 1; recurse(n->left, p, arg, c); recurse(n->right, p, arg, c);\n"
        "    } else { recurse(n->right, p, arg, c); recurse(n->left, p, arg, c); }\n}\n"
        "__global__ void k(const Node *root, Point *points) { recurse(root, points + threadIdx.x, 0, 1); }\n"
    ).values()
    assert (found.kind, found.sets) == ("guided", (BOTH, BOTH[::-1]))
    assert found.why == "'closer_to_left(n, p)' decides on the order, and depends on the thread's data"


BARNES_HUT = """\
__device__ void force(const Node *n, float x, float y, float dsq, float *ax, float *ay) {
    float dx = n->x - x, dy = n->y - y, d = dx * dx + dy * dy;
    if (n->leaf || d > dsq) { *ax += dx * n->mass / d; *ay += dy * n->mass / d; return; }
    for (int i = 0; i < 8; i++) %s
}
__global__ void k(const Node *root, const Point *p, float *out) {
    float ax = 0, ay = 0;
    force(root, p[threadIdx.x].x, p[threadIdx.x].y, 9.0f, &ax, &ay);
    out[threadIdx.x] = ax + ay;
}
"""
CALL = "force(n->child[i], x, y, dsq * 0.25f, ax, ay);"


@pytest.mark.parametrize(
    "body",
    [
        CALL,
        f"if (n->child[i]) {CALL}",
        f"{{ if (n->child[i] == nullptr) continue; {CALL} }}",
        f"{{ const Node *c = n->child[i]; if (c) {CALL.replace('n->child[i]', 'c')} }}",
        f"{{ if (n->child[i] == nullptr) break; {CALL} }}",
    ],
)
def test_barnes_hut_is_unguided(body: str) -> None:
    """A loop over the children is unrolled; a child that is not there is skipped."""
    (found,) = visits(TYPES + BARNES_HUT % body).values()
    assert found.kind == "unguided" and [len(calls) for calls in found.sets] == [8]
    assert str(found).startswith("unguided, 1 call set: (8 times ")


# ------------------------------------------------------------------------------------------------ other forms


@pytest.mark.parametrize(
    ("body", "kind", "sets"),
    [
        # What is skipped makes no set of its own.
        (f"if (n->left) {LEFT} if (n->right) {RIGHT}", "unguided", (BOTH,)),
        (f"if (!n) return; {LEFT} if (far(n, p)) return; {RIGHT}", "unguided", (BOTH,)),
        (f"do {{ if (far(n, p)) break; {LEFT} }} while (0); {RIGHT}", "unguided", (BOTH,)),
        # Either child, but never in another order.
        (f"if (p->x < n->x) {LEFT} else {RIGHT}", "unguided", (("n->left",), ("n->right",))),
        (f"switch (n->axis) {{ case 0: {LEFT} break; case 1: {RIGHT} }}", "unguided", (("n->left",), ("n->right",))),
        (f"switch (n->axis) {{ case 0: {LEFT} default: {RIGHT} }}", "unguided", (BOTH,)),
        # The node chooses.
        (f"if (n->axis) {{ {LEFT} {RIGHT} }} else {{ {RIGHT} {LEFT} }}", "unguided", (BOTH, BOTH[::-1])),
        # The thread chooses.
        (f"if (p->x < n->x) {{ {LEFT} {RIGHT} }} else {{ {RIGHT} {LEFT} }}", "guided", (BOTH, BOTH[::-1])),
        (f"bool l = p->x < n->x; if (l) {LEFT} {RIGHT} if (!l) {LEFT}", "guided", ((*BOTH, "n->left"),)),
        (f"do {{ if (far(n, p)) break; {LEFT} {RIGHT} return; }} while (0); {RIGHT} {LEFT}", "guided", None),
        (f"if (threadIdx.x & 1) {{ {LEFT} {RIGHT} }} else {{ {RIGHT} {LEFT} }}", "guided", None),
        ("const Node *a = p->x < n->x ? n->left : n->right; visit(a, p);", "guided", (("a",),)),
        ("const Node *a = n->left; if (far(n, p)) a = n->right; visit(a, p);", "guided", (("a",),)),
        ("const Node *a = n; while (far(a, p)) a = a->left; visit(a->right, p);", "guided", None),
        ("while (far(n, p)) n = n->left; visit(n->right, p);", "guided", None),
        ("for (int i = 0; i < 8; i++) visit(n->child[i ^ p->count], p);", "guided", None),
        ("int c = 0; if (far(n, p)) c++; visit(n->child[c], p);", "guided", None),
        ("__shared__ int s; visit(n->child[s], p);", "guided", None),
        ("visit(n->child[atomicAdd(&p->count, 1) & 7], p);", "guided", None),
        (f"if (p->count) {{ {LEFT} {RIGHT} }} else {{ Node *r = n->right; visit(r, p); {LEFT} }}", "guided", None),
        (
            "if (p->count) { visit(n->child[n->leaf], p); visit(n->child[n->axis], p); }"
            "else { visit(n->child[1], p); visit(n->child[2], p); }",
            "guided", None,
        ),
        # Unknown.
        ("for (int i = 0; i < n->leaf; i++) visit(n->child[i], p);", "unknown", ()),
        ("while (far(n, p)) visit(n->left, p);", "unknown", ()),
        ("for (int i = 0; i < 8; i += n->leaf) visit(n->child[i], p);", "unknown", ()),
        ("if (p->count++ < 9) visit(n, p);", "unknown", ()),
    ],
)  # fmt: skip
def test_forms(body: str, kind: str, sets: tuple[tuple[str, ...], ...] | None) -> None:
    found = visit(body)
    assert found.kind == kind, found.why
    assert sets is None or found.sets == sets


@pytest.mark.parametrize(
    ("head", "rounds"),
    [
        ("int i = 0; i < 8; i++", 8),
        ("int i = 7; i >= 0; --i", 8),
        ("unsigned i = 0; i <= 6; i += 2", 4),
        ("int i = 0; i != 4; i++", 4),
        ("int i = 0; i < N; i++", 3),
        ("int i = 3; i < 3; i++", 0),
    ],
)
def test_loops_are_unrolled(head: str, rounds: int) -> None:
    (found,) = visits(
        f"{TYPES}const int N = 3;\n__device__ void visit(const Node *n, Point *p) {{\n"
        f"  visit(n->right, p); for ({head}) visit(n->child[i], p);\n}}\n{CALLER}"
    ).values()
    assert found.kind == "unguided" and found.sets == (("n->right", *["n->child[i]"] * rounds),)


def test_children_in_two_orders_of_a_loop() -> None:
    up, down = (f"for ({head}) visit(n->child[i], p);" for head in ("int i = 0; i < 4; i++", "int i = 3; i >= 0; i--"))
    assert visit(f"if (far(n, p)) {{ {up} }} else {{ {down} }}").kind == "guided"


def test_calls_in_expressions() -> None:
    text = """
    __device__ int size(const Node *n, float x) { return n ? 1 + size(n->left, x) + size(n->right, x) : 0; }
    __device__ bool any(const Node *n, float x) { return n && (n->x == x || any(n->left, x) || any(n->right, x)); }
    __device__ int either(const Node *n, float x) {
        if (!n) return 0;
        return x < n->x ? either(n->left, x) + either(n->right, x) : either(n->right, x) + either(n->left, x);
    }
    __global__ void k(const Node *n, float *x) {
        x[0] = size(n, 0) + any(n, x[threadIdx.x]) + either(n, x[threadIdx.x]);
    }
    """
    found = visits(TYPES + text)
    assert {name: (one.kind, one.sets) for name, one in found.items()} == {
        "size": ("unguided", (BOTH,)),
        "any": ("unguided", (BOTH,)),
        "either": ("guided", (BOTH, BOTH[::-1])),
    }


def test_nodes_are_numbers_too() -> None:
    text = """
    __device__ void visit(const int *next, int at, int depth, int *sum) {
        if (at < 0) return;
        *sum += at; visit(next, next[2 * at], depth + 1, sum); visit(next, next[2 * at + 1], depth + 1, sum);
    }
    __global__ void k(const int *next, int *out) {
        int s = 0; visit(next, out[threadIdx.x], 0, &s); out[threadIdx.x] = s;
    }
    """
    (found,) = visits(text).values()
    assert (found.kind, found.sets) == ("unguided", (("next[2 * at]", "next[2 * at + 1]"),))


def test_trees_of_the_thread_s_own_make_no_common_order() -> None:
    arms = f"if (p->count) {{ {LEFT} {RIGHT} }} else {{ {RIGHT} {LEFT} }}"
    text = f"{TYPES}__device__ void visit(const Node *n, Point *p) {{ {arms} }}\n"
    (common,) = visits(text + "__global__ void k(const Node *n, Point *p) { visit(n, p); }").values()
    (own,) = visits(text + "__global__ void k(const Node *n, Point *p) { visit(n, p + threadIdx.x); }").values()
    (unused,) = visits(text).values()
    assert (common.kind, own.kind, unused.kind) == ("unguided", "guided", "guided")


def test_recursion_by_way_of_others_is_reported() -> None:
    text = """
    __device__ int odd(const Node *n);
    __device__ int even(const Node *n) { return n ? odd(n->left) : 0; }
    __device__ int odd(const Node *n) { return n ? even(n->left) + odd(n->right) : 0; }
    """
    found = visits(TYPES + text)
    assert [(one.kind, one.why) for one in found.values()] == [
        ("unknown", "it calls itself by way of 'odd'"),
        ("unknown", "it calls itself by way of 'even'"),
    ]


def test_recursion_without_a_tree_is_no_traversal() -> None:
    (found,) = visits("__device__ int gcd(int a, int b) { return b ? gcd(b, a % b) : a; }").values()
    assert (found.kind, found.why) == ("unknown", "no parameter identifies a node of a tree")


def test_too_many_sets_are_reported() -> None:
    choices = " ".join(f"if (p->count & {1 << i}) visit(n->child[{i}], p); else visit(n->left, p);" for i in range(12))
    found = visit(choices)
    assert (found.kind, found.why) == ("unknown", f"there are more than {MOST_SETS} call sets")


# ---------------------------------------------------------------------------------------------- reports


def remark(text: str) -> Remark:
    found = compile_device(Source("t.cu", text), Options(), until="llvm").remarks()
    (remark,) = [remark for remark in found if remark.kind == "traversal"]
    return remark


def test_remarks_say_which_and_why() -> None:
    arms = f"if (p->x < n->x) {{ {LEFT} {RIGHT} }} else {{ {RIGHT} {LEFT} }}"
    found = remark(f"{TYPES}__device__ void visit(const Node *n, Point *p) {{ if (n) {arms} }}\n{CALLER}")
    assert str(found.diagnostic()).splitlines()[0] == (
        "t.cu:4:17: remark: traversal: guided, 2 call sets: (n->left; n->right), (n->right; n->left); "
        "'p->x < n->x' decides on the order, and depends on the thread's data"
    )


def test_the_stage_is_printed() -> None:
    text = f"{TYPES}__device__ void visit(const Node *n, Point *p) {{ if (n) {{ {LEFT} {RIGHT} }} }}\n{CALLER}"
    assert compile_device(Source("t.cu", text), Options(), until="call-sets").dump("call-sets") == (
        "visit: unguided: all threads continue with the same nodes, in this order, or skip some\n  n->left; n->right"
    )
    assert (
        compile_device(Source("t.cu", "__global__ void k() {}"), Options(), until="call-sets").dump("call-sets") == ""
    )
