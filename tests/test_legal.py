"""The laws of the tree: each has a tree that breaks it, and the message says so. Every pass keeps them."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from front import module
from fuzz.choices import RandomChoices
from fuzz.programs import program

from simt2simd.analysis import liveness
from simt2simd.diag import InternalError
from simt2simd.lang.ctype import FLOAT, INT, UINT, VOID, Pointer
from simt2simd.options import Options
from simt2simd.pipeline import STAGES, compile_device
from simt2simd.pipeline.state import PipelineState
from simt2simd.source import Source
from simt2simd.transform.outline import outline
from simt2simd.tree import legal
from simt2simd.tree import nodes as tree
from simt2simd.tree.build import Build
from simt2simd.tree.nodes import Function, Module
from simt2simd.tree.rewrite import renamed, replaced
from simt2simd.tree.walk import map_children, walk

TEXT = """
struct S { int x; float y; };
const int table[2] = {1, 2};
__device__ int twice(int v) { __shared__ int kept; kept = v; return 2 * v; }
__global__ void k(int *out, int n, float f, S *s) {
    const int first = n + 1;
    int x = first;
    int a[2] = {1, 2};
    if (n > 3) x = twice(n);
    for (int i = 0; i < n; i++) { out[i] = a[i % 2] + table[0]; if (x) continue; break; }
    switch (n) { case 1: x = 2; break; case 2: x = 3; }
    s->x = -x;
    s->y = f * 2.0f;
    atomicAdd(out, x << 3u);
}
"""


def broken(made: Module) -> str:
    """What the check says about a module."""
    with pytest.raises(InternalError, match="internal error in stage test: IllegalTree: ") as fault:
        legal.check(made, "test")
    return str(fault.value).removeprefix("internal error in stage test: IllegalTree: ").removesuffix("; please report")


def with_kernel(made: Module, change: Callable[[Function], Function]) -> Module:
    (kernel,) = made.kernels
    return replace(made, functions=made.functions | {"k": change(kernel)})


def changed(kind: type[Any], change: Callable[[Any], Any], where: Callable[[Any], bool] = lambda node: True) -> Module:
    """The program above with another node for the first one of a kind in its kernel."""
    left = [True]

    def inside(node: Any) -> Any:
        if left and isinstance(node, kind) and where(node):
            left.clear()
            return change(node)
        return map_children(node, inside)

    result = with_kernel(module(TEXT), lambda kernel: replace(kernel, body=inside(kernel.body)))
    assert not left
    return result


def first(made: Module, kind: type[Any]) -> Any:
    return next(node for node in walk(made.kernels[0].body) if isinstance(node, kind))


def test_what_the_checker_makes_is_legal() -> None:
    legal.check(module(TEXT), "test")


def test_a_node_stands_once() -> None:
    made = module(TEXT)
    (kernel,) = made.kernels
    statements = kernel.body.statements
    twice = replace(kernel, body=replace(kernel.body, statements=(*statements, statements[-1])))
    text = broken(with_kernel(made, lambda _: twice))
    assert text == "in 'k', line 14, `atomicAdd(out, x << 3u);`: Evaluate appears twice"
    one = next(node for node in walk(kernel.body) if isinstance(node, tree.Constant) and node.value == 2.0)
    shared = with_kernel(made, lambda kernel: replace(kernel, body=replaced(kernel.body, first(made, tree.Load), one)))
    assert "Constant appears twice" in broken(shared) or "types" in broken(shared)


def test_functions_share_no_node() -> None:
    made = module(TEXT)
    copy = replace(made.functions["twice"], name="copy", params=())
    assert "appears twice" in broken(replace(made, functions=made.functions | {"copy": copy}))


def test_functions_have_their_names() -> None:
    made = module(TEXT)
    assert broken(replace(made, functions={"m": made.kernels[0]})) == "'k' is listed as 'm'"


@pytest.mark.parametrize("storage", ["param", "constant"])
def test_only_local_and_shared_variables_are_declared(storage: str) -> None:
    made = changed(tree.Declare, lambda node: replace(node, variable=replace(node.variable, storage=storage)))
    assert broken(made) == f"in 'k', line 6, `const int first = n + 1;`: 'first' is {storage}"


def test_a_variable_is_declared_once() -> None:
    made = module(TEXT)
    again = Build(made.kernels[0].span).declare(made.kernels[0].body.statements[1].variable)  # type: ignore[union-attr]
    body = replace(made.kernels[0].body, statements=(*made.kernels[0].body.statements, again))
    assert broken(with_kernel(made, lambda kernel: replace(kernel, body=body))).endswith("'x' is declared twice")


def test_a_parameter_is_one_of_one_function() -> None:
    made = module(TEXT)
    other = replace(made.kernels[0], name="m", body=replace(made.kernels[0].body, statements=()))
    other = replace(other, body=tree.Block(other.span, ()))
    assert broken(replace(made, functions=made.functions | {"m": other})) == "in 'm': 'out' is declared twice"
    local = replace(made.kernels[0].params[1], storage="local")
    kernel = replace(made.kernels[0], params=(local,))
    assert broken(with_kernel(made, lambda _: kernel)) == "in 'k': 'n' is no parameter"


def test_a_variable_is_named_in_its_scope() -> None:
    made = module(TEXT)
    loop = first(made, tree.Loop)
    counter = loop.init[0].variable
    names = {made.kernels[0].params[1]: counter}
    late = with_kernel(made, lambda kernel: replace(kernel, body=renamed(kernel.body, names)))
    assert broken(late) == "in 'k', line 6, `const int first = i + 1;`: 'i' is not declared here"
    gone = changed(tree.Loop, lambda node: replace(node, init=()))
    assert "'i' is not declared here" in broken(gone)


def test_a_shared_variable_is_named_where_it_is_declared() -> None:
    made = module(TEXT)
    kept = made.functions["twice"].body.statements[0]
    assert isinstance(kept, tree.Declare)
    (kernel,) = made.kernels
    named = Build(kernel.span).evaluate(Build(kernel.span).read(kept.variable))
    alone = replace(kernel, body=replace(kernel.body, statements=(named, *kernel.body.statements)))
    assert "'kept' is not declared here" in broken(with_kernel(made, lambda _: alone))
    statements = (replace(kept), named, *kernel.body.statements)
    legal.check(with_kernel(made, lambda _: replace(kernel, body=replace(kernel.body, statements=statements))), "test")
    twice = (replace(kept), replace(kept), *kernel.body.statements)
    twice_declared = with_kernel(made, lambda _: replace(kernel, body=replace(kernel.body, statements=twice)))
    assert "'kept' is declared twice" in broken(twice_declared)


def test_a_shared_variable_has_no_initial_value() -> None:
    made = changed(tree.Declare, lambda node: replace(node, variable=replace(node.variable, storage="shared")))
    assert broken(made).endswith("'first' is shared and has a value")


def test_a_const_variable_is_not_assigned() -> None:
    made = module(TEXT)
    x, first_variable = (made.kernels[0].body.statements[i].variable for i in (1, 0))  # type: ignore[union-attr]
    body = made.kernels[0].body
    later = [renamed(node, {x: first_variable}) for node in body.statements[2:]]
    const = with_kernel(made, lambda k: replace(k, body=replace(body, statements=(*body.statements[:2], *later))))
    assert broken(const) == "in 'k', line 9, `first = twice(n);`: 'first' is const"


TYPES: list[tuple[type[Any], dict[str, Any]]] = [
    (tree.VarRef, {"type": FLOAT}),
    (tree.Deref, {"type": INT}),
    (tree.Index, {"type": FLOAT}),
    (tree.Member, {"name": "z"}),
    (tree.Member, {"offset": 2}),
    (tree.Constant, {"value": 1 << 40}),
    (tree.Constant, {"value": 1.5}),
    (tree.ThreadIndex, {"type": INT}),
    (tree.Load, {"type": UINT}),
    (tree.Decay, {"type": Pointer(FLOAT)}),
    (tree.Unary, {"type": FLOAT}),
    (tree.Unary, {"op": "!"}),
    (tree.Binary, {"type": FLOAT}),
    (tree.Binary, {"op": "<"}),
    (tree.Assign, {"type": FLOAT}),
    (tree.Increment, {"delta": 2}),
    (tree.BuiltinCall, {"type": FLOAT}),
    (tree.BuiltinCall, {"args": ()}),
]


@pytest.mark.parametrize(("kind", "fields"), TYPES, ids=lambda value: getattr(value, "__name__", None))
def test_types_agree(kind: type[Any], fields: dict[str, Any]) -> None:
    if kind is tree.ThreadIndex:
        made = changed(tree.Constant, lambda node: tree.ThreadIndex(node.span, INT, "threadIdx", 0))
    else:
        made = changed(kind, lambda node: replace(node, **fields))
    assert "types do not agree in " in broken(made)


def test_conditions_are_bool() -> None:
    made = changed(tree.If, lambda node: replace(node, cond=tree.Constant(node.span, INT, 1)))
    assert broken(made) == "in 'k', line 9, `if (1) {`: the condition is 'int'"
    made = changed(tree.Loop, lambda node: replace(node, cond=tree.Constant(node.span, FLOAT, 1.0)))
    assert broken(made).endswith("the condition is 'float'")


def test_values_fit_what_they_are_for() -> None:
    made = changed(tree.Declare, lambda node: replace(node, initial=tree.Constant(node.span, FLOAT, 1.0)))
    assert broken(made) == "in 'k', line 6, `const int first = 1.0f;`: the value is 'float', not 'int'"
    made = changed(tree.Braces, lambda node: replace(node, items=tuple((at + 1, t, v) for at, t, v in node.items)))
    assert broken(made).endswith("the list does not fit the variable")
    made = module(TEXT)
    twice = replace(made.functions["twice"], result=FLOAT)
    assert "it gives back 'int'" in broken(replace(made, functions=made.functions | {"twice": twice}))


@pytest.mark.parametrize(
    ("jump", "text"), [(tree.Break, "outside loops and switches"), (tree.Continue, "outside loops")]
)
def test_jumps_lead_somewhere(jump: Callable[[Any], tree.Stmt], text: str) -> None:
    made = changed(tree.Evaluate, lambda node: jump(node.span))
    assert broken(made).endswith(text)


def test_continue_does_not_lead_out_of_a_switch() -> None:
    made = changed(tree.Break, lambda node: tree.Continue(node.span), lambda node: node.span.line == 11)
    assert broken(made) == "in 'k', line 11, `continue;`: a 'continue' outside loops"


def test_a_for_begins_with_declarations_or_expressions() -> None:
    made = changed(tree.Loop, lambda node: replace(node, init=(tree.Block(node.span, ()), *node.init)))
    assert broken(made) == "in 'k', line 10, `Loop`: the first part of a 'for' holds another statement"


def test_calls_match() -> None:
    assert broken(changed(tree.Call, lambda node: replace(node, function="nobody"))).endswith(
        "there is no device function 'nobody'"
    )
    assert broken(changed(tree.Call, lambda node: replace(node, function="k"))).endswith("no device function 'k'")
    assert broken(changed(tree.Call, lambda node: replace(node, args=()))).endswith(
        "'twice' is called with other types"
    )
    made = changed(tree.Evaluate, lambda node: replace(node, expr=replace(node.expr.value, type=VOID)))
    assert broken(made) == "in 'k', line 9, `twice(n);`: 'twice' is called with other types"


def test_labels_differ() -> None:
    made = changed(tree.Section, lambda node: replace(node, labels=(2,)))
    assert broken(made) == "in 'k', line 11, `switch (n) {`: two labels are the same"
    made = changed(tree.Section, lambda node: replace(node, labels=(1 << 33,)))
    assert broken(made).endswith("no such value")


def test_what_is_noted_of_loops_is_of_loops_of_the_module() -> None:
    text = "__global__ void k(int *out, int n) { int i = 0; for (; i < n; i++) out[i] = out[i + n]; out[0] = i; }"
    made = outline(module(text), liveness.Table())
    legal.check(made, "test")
    assert made.outlined
    afresh = with_kernel(made, lambda kernel: replace(kernel, body=map_children(kernel.body, _again)))
    assert broken(afresh) == "'k.loop0' is of a loop that is no more"
    (loop,) = made.outlined.values()
    other = {key: replace(loop, captured=()) for key in made.outlined}
    assert "is not the function of a loop" in broken(replace(made, outlined=other))


def _again(node: Any) -> Any:
    return replace(node) if isinstance(node, tree.Loop) else node


def test_an_outlined_function_names_the_shared_variables_of_its_own() -> None:
    text = "__global__ void k(int *out, int n) { __shared__ int s; for (int i = 0; i < n; i++) out[i] = s; }"
    made = outline(module(text), liveness.Table())
    (name,) = (name for name in made.functions if name != "k")
    named = {below.variable for below in walk(made.functions[name].body) if isinstance(below, tree.VarRef)}
    assert any(variable.storage == "shared" for variable in named)
    legal.check(made, "test")


def test_the_option_checks_every_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[str] = []
    monkeypatch.setattr(legal, "check", lambda _, stage: seen.append(stage))
    source = Source("k.cu", "__global__ void k(int *out) { out[0] = 1; }")
    compile_device(source, Options(check_ir=False), until="outline")
    assert seen == []
    compiled = compile_device(source, Options(check_ir=True), until="outline")
    trees = [("", None), *((name, made) for name, made in compiled.results.items() if isinstance(made, tree.Module))]
    changing = [name for (_, before), (name, after) in itertools.pairwise(trees) if after is not before]
    assert seen == changing and len(changing) < len(trees) - 1
    seen.clear()
    last = PipelineState.__dict__["module"].fget
    monkeypatch.setattr(PipelineState, "module", property(lambda c: replace(last(c))))  # as if each pass changed it
    compile_device(source, Options(check_ir=True), until="outline")
    names = [stage.name for stage in STAGES]
    no_trees = ("call-sets", "liveness")
    assert seen == [name for name in names[names.index("tree") : names.index("outline") + 1] if name not in no_trees]


def test_tests_check_every_pass() -> None:
    assert Options().check_ir


@pytest.mark.parametrize("seed", range(12))
def test_random_kernels_stay_legal(seed: int) -> None:
    compile_device(Source("random.cu", program(RandomChoices(f"{seed}")).text), Options(check_ir=True), until="outline")
