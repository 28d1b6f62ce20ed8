"""The room for templates: instances, deduction, specialisations, packs, traits."""

from __future__ import annotations

from typing import Any

import pytest
from front import messages, module, refusal, syntax, whole

from simt2simd.frontend.sema.context import Sema
from simt2simd.frontend.sema.scopes import FunctionName, Functions, TemplateName
from simt2simd.frontend.sema.statements.functions import FunctionDeclarations
from simt2simd.frontend.sema.templates.arguments import argument_key, spell_argument
from simt2simd.tree.nodes import Constant
from simt2simd.tree.show import show

TEXT = """
template <class T, int n = 4> struct Box { T held[n]; };
template <class T> struct Box<T, 1> { T one; };
template <class T> __device__ T twice(T x) { return x + x; }
template <class... T> struct Count { static constexpr int n = sizeof...(T); };
"""


def shown(s: Sema, text: str) -> str:
    return spell_argument(s.templates.template_argument(syntax(s, text)))


def test_instances_are_shown_with_all_their_arguments() -> None:
    s = whole(TEXT)
    assert shown(s, "Box<int>") == "Box<int, 4>"
    texts = ("Box<int>", "Box<int, 2 * 2>", "Box<int, 5>")
    one, same, other = (s.templates.template_argument(syntax(s, text)) for text in texts)
    assert argument_key(one) == argument_key(same) != argument_key(other)


@pytest.mark.parametrize(
    ("text", "value"), [("sizeof(Box<int>)", 16), ("sizeof(Box<int, 1>)", 4), ("Count<int, char>::n", 2)]
)
def test_the_best_specialisation_defines_the_instance(text: str, value: int) -> None:
    s = whole(TEXT)
    found = s.constexpr.constant(syntax(s, text))
    assert isinstance(found, Constant)
    assert found.value == value


def test_deduction_finds_what_the_arguments_determine() -> None:
    s = whole(TEXT)
    entry = s.scopes.lookup("twice")
    assert isinstance(entry, Functions)
    (template,) = entry.candidates
    assert isinstance(template, TemplateName)
    function = s.templates.functions.deduced(template, s.calls.arguments.arguments([syntax(s, "1.5")]), None)
    assert isinstance(function, FunctionName)
    assert str(function.params[0].type) == "double"
    assert s.templates.functions.deduced(template, [], None) is None


def test_what_is_tried_leaves_no_fault() -> None:
    s = whole(TEXT)
    with s.templates.deduction.attempt() as tried:
        s.expr.value(syntax(s, "nowhere + 1"))
    assert tried.failed
    assert s.diagnostics.faults == []
    assert refusal(s, lambda: s.expr.value(syntax(s, "somewhere + 1"))) == "'somewhere' is not declared"


def test_traits_answer_for_types() -> None:
    s = whole(TEXT)
    texts = ("__is_same(int, int)", "__is_same(int, char)", "__is_class(Box<int>)")
    found = [s.expr.value(syntax(s, text)) for text in texts]
    assert [answer.value for answer in found if isinstance(answer, Constant)] == [True, False, True]


def test_what_is_tried_leaves_no_object_at_hand() -> None:
    """Members are those of the method's own object after an initialiser of another class has failed."""
    text = """
    template <class T> struct Held { int x = T::value; };
    template <class T> struct Holder { Held<T> held; };
    struct Empty {};
    struct A {
      int x;
      __device__ int f() { if constexpr (requires { Holder<Empty>{{}}; }) return 1; return x; }
    };
    __device__ int g(A *a) { return a->f(); }"""
    assert "return self->x;" in show(module(text))


def _set_of(count: int) -> str:
    """Return `count` templates of one name, of which each call means one."""
    text = "template <bool B> struct When {}; template <> struct When<true> { typedef int type; };"
    for i in range(count):
        text += f"template <int N> __device__ typename When<N == {i}>::type f(int x) {{ return x + {i}; }}\n"
        text += f"struct S{i} {{ int m{i}; }};\n"
        text += f"template <class T> __device__ auto g(T x) -> decltype(x.m{i}) {{ return x.m{i}; }}\n"
    calls = "".join(f"a[{i}] = f<{i}>(1) + g(S{i}());" for i in range(count))
    return f"{text}__global__ void k(int *a) {{ {calls} }}"


def test_substitutions_grow_with_the_calls_of_a_set(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not with calls times templates: those that are known to fail are not made."""
    made = [0]
    entry = FunctionDeclarations.function_entry

    def counted(self: FunctionDeclarations, *args: Any, **more: Any) -> FunctionName:
        made[0] += 1
        return entry(self, *args, **more)

    monkeypatch.setattr(FunctionDeclarations, "function_entry", counted)
    counts = []
    for size in (20, 40):
        made[0] = 0
        module(_set_of(size))
        counts.append(made[0])
    assert counts[0] <= 20 * 4
    assert counts[1] <= 2 * counts[0]


DEPENDENT_BASE = """
template <class T> struct Base {
    static __device__ constexpr int size(T) { return 1; }
    static __device__ constexpr int none() { return 2; }
};
template <class T> struct Derived : Base<T> {
    static __device__ constexpr int dependent(T t) { return size(t) + 5; }
    static __device__ constexpr int hidden(T t) { return other(t); }
    static __device__ constexpr int known(T) { return %s; }
    static __device__ constexpr int other(T) { return 7; }
};
__device__ constexpr int asked = Derived<int>::known(1);
"""


@pytest.mark.parametrize(("call", "value"), [("dependent(3)", 6), ("hidden(3)", 7)])
def test_a_dependent_call_finds_functions_of_dependent_bases_last(call: str, value: int) -> None:
    """As nvcc has it; the standard has such a call find nothing ([temp.dep]/3)."""
    s = whole(DEPENDENT_BASE % "0")
    found = s.constexpr.constant(syntax(s, f"Derived<int>::{call}"))
    assert isinstance(found, Constant)
    assert found.value == value


def test_a_function_outside_hides_those_of_dependent_bases() -> None:
    s = whole("__device__ constexpr int size(double) { return 3; }" + DEPENDENT_BASE % "0")
    found = s.constexpr.constant(syntax(s, "Derived<int>::dependent(3)"))
    assert isinstance(found, Constant)
    assert found.value == 8


@pytest.mark.parametrize("call", ["none()", "size(1)"])
def test_a_call_without_dependent_arguments_finds_no_dependent_base(call: str) -> None:
    assert f"function '{call.split('(')[0]}' is not declared" in " ".join(messages(DEPENDENT_BASE % call))
