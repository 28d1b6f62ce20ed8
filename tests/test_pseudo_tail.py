"""Pseudo-tail form: what a recursive function does between and after its calls moves into the calls."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from front import module
from traversals import HEAD, KERNELS, program, queries_of, tree_of

from simt2simd import RawKernel
from simt2simd.analysis.frames import Frames
from simt2simd.analysis.walks import parts
from simt2simd.interp.run import run
from simt2simd.lang.ctype import BOOL
from simt2simd.transform.traversals.pseudo_tail import Converted, Refused, pseudo_tail, put_in_place, zero
from simt2simd.tree import legal, show
from simt2simd.tree import nodes as tree
from simt2simd.tree.build import Build
from simt2simd.tree.nodes import Module, Variable
from simt2simd.tree.rewrite import copied


def visiting(body: str, memory: str = "own") -> str:
    """Return a program whose kernel calls a function with this body."""
    return f"{HEAD}__device__ void visit(const Node *nodes, int n, int w, Query *q) {{ {body} }}\n{KERNELS[memory]}"


def converted(code: str) -> Module:
    """Return a program with `visit` in pseudo-tail form."""
    before = module(code)
    made = pseudo_tail(before, "visit")
    assert isinstance(made, Converted), made
    after = put_in_place(before, made)
    legal.check(after, "pseudo-tail")
    return after


def text(body: str, memory: str = "own") -> str:
    """Return `visit` in pseudo-tail form."""
    return show.show_functions(converted(visiting(body, memory)))["visit"]


def refusal(code: str) -> str:
    made = pseudo_tail(module(code), "visit")
    assert isinstance(made, Refused)
    assert made.span.line > 0
    return made.why


def deferred(before: Module) -> Module:
    """Return a program in which `visit` knows all calls of an iteration, with arguments, before it makes the first one.

    That is what a loop over a stack does. Assumes that `visit` is in pseudo-tail form.
    """
    function = before.functions["visit"]
    frames = Frames(before, function)

    def rounds(statements: tuple[tree.Stmt, ...]) -> list[tree.Stmt]:
        found = parts(statements, "visit", frames.is_stable)
        assert found is not None
        if found.fork is not None:
            fork = found.fork
            then, other = (tree.Block(arm.span, tuple(rounds(arm.statements))) for arm in (fork.then, fork.other))
            return [*found.work, replace(fork, then=then, other=other)]
        first: list[tree.Stmt] = []
        last: list[tree.Stmt] = []
        steps = [noted(step, first, last) for step in found.steps]
        return [*found.work, *first, *steps, *last]

    def noted(step: tree.Stmt, first: list[tree.Stmt], last: list[tree.Stmt]) -> tree.Stmt:
        build = Build(step.span)
        match step:
            case tree.Evaluate(expr=tree.Call() as call):
                made = Variable("made", BOOL, step.span, "local")
                args = [Variable("kept", arg.type, arg.span, "local") for arg in call.args]
                first += [build.declare(variable, zero(step.span, variable)) for variable in (made, *args)]
                last.append(
                    build.when(build.read(made), [build.evaluate(build.call(function, *map(build.read, args)))])
                )
                keep = [build.assign(variable, arg) for variable, arg in zip(args, call.args, strict=True)]
                return build.block(build.assign(made, build.number(BOOL, True)), *keep)
            case tree.If():
                then, other = (
                    tree.Block(arm.span, tuple(noted(below, first, last) for below in arm.statements))
                    for arm in (step.then, step.other)
                )
                return replace(step, then=then, other=other)
            case tree.Block():
                return replace(step, statements=tuple(noted(below, first, last) for below in step.statements))
        return step

    body = copied(replace(function.body, statements=tuple(rounds(function.body.statements))))
    after = replace(before, functions={**before.functions, "visit": replace(function, body=body)})
    legal.check(after, "deferred")
    return after


def results(code: Module, seed: int = 0) -> list[int]:
    """Return the results of the threads of a block of the program."""
    queries = queries_of(seed)
    out = np.zeros(len(queries), np.int32)
    run(code, "k", 1, len(queries), [tree_of(seed), queries, out], max_steps=1_000_000)
    return list(out.tolist())


def compiled_results(code: str, seed: int = 0) -> list[int]:
    queries = queries_of(seed, 33)
    out = np.zeros(len(queries), np.int32)
    RawKernel(code, "k")((1,), (len(queries),), (tree_of(seed), queries, out))
    return list(out.tolist())


# --------------------------------------------------------------------------------------------- what becomes of what

FIRST, SECOND = "visit(nodes, nodes[n].child[0], w, q);", "visit(nodes, nodes[n].child[1], w * 2, q);"
LEAF = "if (n < 0 || q->fuel-- <= 0 || nodes[n].leaf) return;"
NEAREST = f"""
    {LEAF}
    const int left = nodes[n].child[0], right = nodes[n].child[1];
    const int to_left = distance(nodes, left, q), to_right = distance(nodes, right, q);
    if (to_left < to_right) {{
        if (to_left < q->x) visit(nodes, left, w, q);
        if (to_right < q->x) visit(nodes, right, w, q);
    }} else {{
        if (to_right < q->x) visit(nodes, right, w, q);
        if (to_left < q->x) visit(nodes, left, w, q);
    }}
"""


def test_a_condition_between_calls_moves_into_the_second_one() -> None:
    """Both orders share one piece: the distance to the far child travels, the child is the node of the visit."""
    assert text(NEAREST) == (
        """\
__device__ void visit(const Node *nodes, int n, int w, Query *q, int call, int carried) {
    if (call == 1) {
        if (!(carried < q->x)) {
            return;
        }
    }
    if (n < 0 || q->fuel-- <= 0 || nodes[n].leaf) {
        return;
    }
    const int left = nodes[n].child[0];
    const int right = nodes[n].child[1];
    const int to_left = distance(nodes, left, q);
    const int to_right = distance(nodes, right, q);
    if (to_left < to_right) {
        const bool chosen = to_left < q->x;
        if (chosen) {
            visit(nodes, left, w, q, 0, 0);
        }
        visit(nodes, right, w, q, 1, to_right);
    } else {
        const bool chosen = to_right < q->x;
        if (chosen) {
            visit(nodes, right, w, q, 0, 0);
        }
        visit(nodes, left, w, q, 1, to_left);
    }
}
"""
    )


def test_an_epilogue_becomes_a_call_that_visits_no_node() -> None:
    """Its node is computed again from the parameters."""
    body = f"{LEAF} const Node *node = &nodes[n]; visit(nodes, node->child[0], w, q); note(q, node->key);"
    shown = text(body)
    assert "visit(nodes, node->child[0], w, q, 0);\n    visit(nodes, n, w, q, 1);\n}" in shown
    assert (
        "if (call == 1) {\n        const Node *node = &nodes[n];\n        note(q, node->key);\n        return;" in shown
    )


def test_loops_over_children_unroll() -> None:
    """The test of a child that visits do not change is made before them."""
    body = f"{LEAF} for (int i = 0; i < 4; i++) if (nodes[n].child[i] >= 0) visit(nodes, nodes[n].child[i], w, q);"
    shown = text(body)
    assert shown.count("visit(nodes, nodes[n].child[") == 4
    assert "for" not in shown
    assert "call" not in shown


def test_a_test_that_visits_do_not_change_is_made_before_them() -> None:
    """The rest of the condition is a piece, the same for all children: it gets which child."""
    body = f"{LEAF} for (int i = 0; i < 4; i++) if (nodes[n].key != i && q->x > i) visit(nodes, n + i, w, q);"
    shown = text(body)
    assert "if (call == 1) {\n        if (!(q->x > carried)) {\n            return;\n" in shown
    assert "if (nodes[n].key != 3) {\n        visit(nodes, n + 3, w, q, 1, 3);\n    }\n}" in shown
    assert "call == 2" not in shown


def test_arguments_that_may_be_read_early_take_the_place_of_the_node() -> None:
    """Of an object that is read in any case each part may be read; then the pieces of both orders are one."""
    near, far = (f"visit(nodes, node->child[{i}], w, q);" for i in range(2))
    arms = f"if (node->key < w) {{ {near} if (q->x > w) {far} }} else {{ {far} if (q->x > w) {near} }}"
    shown = text(f"const Node *node = &nodes[n]; {LEAF} {arms}")
    assert "visit(nodes, node->child[0], w, q, 1);" in shown
    assert "visit(nodes, node->child[1], w, q, 1);" in shown
    assert "call == 2" not in shown


def test_arguments_are_not_read_where_the_program_might_not() -> None:
    shown = text(f"{LEAF} {FIRST} if (q->x > w) visit(nodes, nodes[n + w].child[0], w, q);")
    assert "n = nodes[n + w].child[0];" in shown
    assert "visit(nodes, n, w, q, 1);\n}" in shown


def test_what_is_done_between_the_iterations_of_a_loop_is_one_piece() -> None:
    body = f"{LEAF} for (int i = 0; i < 4; i++) {{ visit(nodes, nodes[n].child[i], w, q); q->x += i; }} note(q, n);"
    shown = text(body)
    assert "if (call == 1) {\n        q->x += carried;\n    } else if (call == 2) {" in shown
    assert "    visit(nodes, nodes[n].child[3], w, q, 1, 2);\n    visit(nodes, n, w, q, 2, 3);\n}" in shown


@pytest.mark.parametrize(
    "body",
    [
        "visit(nodes, nodes[n].child[0], w, q); visit(nodes, nodes[n].child[1], w, q);",
        "note(q, n); if (nodes[n].key > 3) visit(nodes, n + 1, w, q); else { visit(nodes, n + 2, w + 1, q); }",
    ],
)
def test_a_function_in_pseudo_tail_form_stays(body: str) -> None:
    before = module(visiting(f"{LEAF} {body}"))
    made = pseudo_tail(before, "visit")
    assert made == Converted(before.functions["visit"], ())


# ------------------------------------------------------------------------------------------------ same results

BODIES = [
    NEAREST,
    f"{FIRST} if (w + nodes[n].key < q->x) {SECOND}",
    f"{FIRST} note(q, n); {SECOND}",
    f"{FIRST} note(q, n); {SECOND} note(q, w);",
    f"if (q->x > 50) {FIRST} note(q, n); if (q->x & 1) {SECOND} else {{ q->x++; {FIRST} }} note(q, w);",
    f"int i = 3; {FIRST} i += q->x; {SECOND} note(q, i); {FIRST} i ^= 7; note(q, i);",
    f"{FIRST} if (q->x & 1) return; {SECOND} if (q->x & 2) return; q->x++; {FIRST}",
    f"if (w & 1) {{ {FIRST} if (q->x & 1) return; note(q, 3); }} {SECOND} note(q, n);",
    f"{FIRST} w = q->x; {SECOND} note(q, w);",
    f"{FIRST} for (int i = 0; i < 4; i++) {{ if (q->a[i] > 60) return; q->a[i] += n; }} {SECOND}",
    f"int v = n; {FIRST} twist(&v, q); {SECOND} note(q, v);",
    "for (int i = 0; i < 4; i++) { visit(nodes, nodes[n].child[i], w + i, q); q->x += i; }",
    "for (int i = 3; i >= 0; i--) { if (nodes[n].key & i) continue; visit(nodes, n + i, w, q); if (q->x > 90) break; }",
    "#pragma unroll\nfor (unsigned i = 0; i != 6; i += 2) if (distance(nodes, n, q) < q->x) visit(nodes, n + i, w, q);",
    f"switch (nodes[n].key & 3) {{ case 0: {FIRST} case 1: q->x++; {SECOND} break; default: {SECOND} note(q, w); }}",
    f"switch (q->x & 3) {{ case 2: if (w & 1) break; {FIRST} q->x++; break; case 3: {SECOND} }} note(q, 2); {FIRST}",
    f"q->x > 40 ? {FIRST[:-1]} : {SECOND[:-1]}; note(q, n); q->x++, {FIRST[:-1]};",
    f"do {{ {FIRST} if (q->x & 1) break; note(q, 1); }} while (false); {SECOND}",
    f"{FIRST} visit(nodes, nodes[n].child[q->x++ & 3], q->x--, q); {SECOND}",
    f"int far; if (w & 1) far = q->x; {FIRST} if (w & 1) note(q, far); {SECOND} if (w & 1) note(q, far);",
    f"const float d = sqrtf(nodes[n].key); {FIRST} if (d * 2 < q->x) {SECOND} note(q, (int)d); {FIRST}",
    f"const Node *node = nodes + n, *far = &nodes[node->child[q->x & 3]]; {FIRST} note(q, node->key); "
    f"if (far->key < q->x) visit(nodes, (int)(far - nodes), w, q); note(q, far->key);",
    f"{FIRST} int i = 3; while (i > 0 && q->a[i - 1] > w) {{ q->a[i] = q->a[i - 1]; i--; }} q->a[i] = w; {SECOND}",
    f"q->a[0] = nodes[n].key; {FIRST} const int sum = q->a[0]; q->a[0] = 0; {SECOND} q->a[0] += sum; note(q, q->a[0]);",
    f"{FIRST} if (q->x > 1000000) visit(nodes, nodes[n + 1000].child[0], w, q); {SECOND}",
    f"int c = w; note(q, c); {FIRST} if (q->x & 1) {{ c = n; note(q, c); }} {SECOND}",
    "for (int i = 0; i < 2; i++) for (int j = 0; j < 2; j++) if (w + j < q->x) visit(nodes, n + 2 * i + j, w + i, q);",
    f"int left = n + 1, right = n + 2; if (q->x & 1) {{ int t = left; left = right; right = t; }} "
    f"visit(nodes, left, w, q); if (q->x & 2) visit(nodes, right, w, q); else n = left; {FIRST}",
]


@pytest.mark.parametrize("memory", KERNELS)
@pytest.mark.parametrize("body", BODIES)
def test_results_are_the_same(body: str, memory: str) -> None:
    """Also if all calls of an iteration are known before the first of them is made."""
    code = visiting(f"{LEAF} {body}" if body is not NEAREST else body, memory)
    after = converted(code)
    expected = results(module(code))
    assert results(after) == expected
    assert results(deferred(after)) == expected
    assert results(module(show.show(after))) == expected


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(24))
def test_random_functions_come_to_the_same_results(seed: int) -> None:
    before = module(program(seed))
    made = pseudo_tail(before, "visit")
    if isinstance(made, Refused):
        assert seed == 18, made
        return
    after = put_in_place(before, made)
    legal.check(after, "pseudo-tail")
    expected = results(before, seed)
    assert results(after, seed) == expected
    assert results(deferred(after), seed) == expected


@pytest.mark.slow
@pytest.mark.parametrize("body", [BODIES[0], BODIES[6], BODIES[12]])
def test_compiled_results_are_the_same(body: str) -> None:
    code = visiting(body if body is NEAREST else f"{LEAF} {body}")
    assert compiled_results(show.show(deferred(converted(code)))) == compiled_results(code)


# ------------------------------------------------------------------------------------------------- refusals

ROUNDS = "how often the loop around a call of 'visit' runs is not constant"
PART = "a call of 'visit' is a part of an expression"
SECTION = "a section of the switch around a call uses a variable of another one"


@pytest.mark.parametrize(
    ("body", "why"),
    [
        ("note(q, n);", "'visit' does not call itself"),
        ("for (int i = 0; i < q->x; i++) CALL", ROUNDS),
        ("for (unsigned i = 3; i >= 0; i--) CALL", ROUNDS),
        ("for (int i = 0; i != -1u; i++) CALL", ROUNDS),
        ("for (int i = 0; i < 20; i++) CALL", "the loop around a call of 'visit' has more than 16 iterations"),
        ("for (int i = 0; i < 2; visit(nodes, n, w, q), i++) ;", PART),
        ("q->x && (visit(nodes, n, w, q), true);", PART),
        ("twist(&w, q); CALL", "the address of parameter 'w' is taken"),
        ("Query a = *q; visit(nodes, n, w, &a);", "a call of 'visit' may get a pointer to a variable of its caller"),
        ("int a[4]; a[w & 3] = w; CALL note(q, a[w & 3]);", "'a', no number or pointer, is needed after a call"),
        ("int a = w, *p = &a; CALL note(q, *p);", "'p', a pointer to a variable, is needed after a call"),
        ("__syncthreads(); CALL", "'visit' may wait at a barrier"),
        ("switch (w) { case 0: int v; v = 1; note(q, v); case 1: v = 2; visit(nodes, v, w, q); }", SECTION),
    ],
)
def test_refusals_say_why(body: str, why: str) -> None:
    assert refusal(visiting(body.replace("CALL", "visit(nodes, n, w, q);"))) == why


def test_functions_with_results_are_refused() -> None:
    count = "__device__ int visit(int n) { return n ? visit(n / 2) + 1 : 0; }"
    assert refusal(f"{count} __global__ void k(int *out) {{ *out = visit(9); }}") == "'visit' returns a value"


def test_functions_that_call_each_other_are_refused() -> None:
    other = "__device__ void visit(int n); __device__ void other(int n) { if (n) visit(n - 1); }"
    code = f"{other} __device__ void visit(int n) {{ other(n); }} __global__ void k() {{ visit(9); }}"
    assert refusal(code) == "'visit' calls itself by way of 'other'"


def test_a_const_parameter_that_a_piece_assigns_is_no_longer_const() -> None:
    code = visiting(f"{LEAF} {FIRST} if (q->x & 1) visit(nodes, nodes[n + w % 2].child[0], w, q); {SECOND}")
    code = code.replace("int n, int w, Query", "const int n, const int w, Query")
    after = converted(code)
    assert "visit(const Node *nodes, int n, const int w, Query *q, int call)" in show.show(after)
    assert results(after) == results(module(code))
