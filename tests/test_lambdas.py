"""Lambdas for the device in host code: what they capture, that the host may call them, and how they lie in memory."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from host_programs import COMPILERS, FLAGS, compile_host, instances, run_host

from simt2simd.command.toolchain import CompilerFailed
from simt2simd.diag import CompileError
from simt2simd.host.instances import read_instances
from simt2simd.lang.instance import Lambda

BEGIN = """
#include <cstdio>
#include <cstring>
#include <utility>
int global = 3;
struct Scale { float by; };
template <class A, class B> struct Pair { A a; B b; Pair(A, B); };
template <class F> __global__ void each(int n, F f) { f(threadIdx.x); }
template <class F> void launch(int n, F f) { each<<<1, n>>>(n, f); }
"""


def the_lambda(folder: Path, body: str) -> tuple[Lambda, str]:
    """Return what is known of the only lambda in a function, and the types in the one instance that launches it."""
    text = f"{BEGIN} void f([[maybe_unused]] int argc, [[maybe_unused]] float *in) {{ {body} }}"
    part, made = compile_host(folder, text, replace(FLAGS, compile_args=()))
    (found,) = part.lambdas
    (instance,) = read_instances(made.read_bytes())
    name, _, types = instance.arguments[0].text.partition("<")
    assert name == found.name
    return found, types.removesuffix(">")


@pytest.mark.parametrize(
    ("body", "captures", "types"),
    [
        ("launch(1, [=] __device__ (int i) { in[i] = argc; });", "in argc", "float*, int"),
        ("launch(1, [=] __device__ (int i) { argc; in; argc; });", "argc in", "int, float*"),
        ("launch(1, [] __device__ (int i) { __syncthreads(); });", "", ""),
        ("launch(1, [in, argc] __device__ (int i) { });", "in argc", "float*, int"),
        ("int a = 1, *b = 0, c[3] = {}; launch(1, [=] __device__ (int) { c[a] = b; });", "c a b", "int [3], int, int*"),
        ("Scale s{2}; launch(1, [=] __device__ (int) { s.by; s.argc; global; });", "s", "Scale"),
        ("auto [p, q] = std::pair<int, char>(1, 2); launch(1, [=] __device__ (int) { q + p; });", "q p", "char, int"),
        ("const int &r = argc; launch(1, [=] __device__ (int) { r; });", "r", "int"),
        ("float (*t)[4] = 0; launch(1, [=] __device__ (int) { t; });", "t", "float (*)[4]"),
        ("launch(1, [k = argc * 2.0, in] __device__ (int) { k; });", "k in", "double, float*"),
        ("launch(1, [=, k = Pair<int, char>(1, 2)] __device__ (int) { k; in; });", "k in", "Pair<int, char>, float*"),
        ("for (int i = 0; i < 2; i++) launch(1, [=] __device__ (int k) { i + k; });", "i", "int"),
        ("for (float x : {1.f, 2.f}) { launch(1, [=] __device__ (int k) { x; }); }", "x", "float"),
        ("for (int global = 0; global < 2; global++) ; launch(1, [=] __device__ (int k) { global; });", "", ""),
        ("if (auto z = argc; z > 0) launch(1, [=] __device__ (int k) { z; });", "z", "int"),
        ("{ int global = 4; (void)global; } launch(1, [=] __device__ (int k) { global; });", "", ""),
        ("auto l = [&](short u) { launch(1, [=] __device__ (int k) { u; }); }; l(3);", "u", "short int"),
        ("launch(1, [=] __device__ (int in) { in = argc; });", "argc", "int"),
        ("static int s; (void)s; launch(1, [=] __device__ (int i) { s; argc; });", "argc", "int"),
        ("launch(1, [=] __host__ __device__ (int i) { return argc + i; });", "argc", "int"),
        ("launch(1, [=] __device__ (auto i) mutable -> int { argc++; return i; });", "argc", "int"),
        ("launch(1, [=] __device__ { argc; });", "argc", "int"),
        ("Pair<int, int> p(1, 2), *z; launch(1, [=] __device__ (int) { z; });", "z", "Pair<int, int>*"),
        ("unsigned long long n(3); launch(1, [=] __device__ (int) { n; });", "n", "long long unsigned int"),
        ("decltype(argc) n = 3; launch(1, [=] __device__ (int) { n; });", "n", "int"),
        ("constexpr int N = 4; launch(1, [=] __device__ (int) { float t[N]; argc; });", "argc", "int, 4"),
    ],
)  # fmt: skip
def test_captures(tmp_path: Path, body: str, captures: str, types: str) -> None:
    found, seen = the_lambda(tmp_path, body)
    assert list(found.captures) == captures.split()
    assert seen == types


TEMPLATES = """
template <class T, int N> struct Box {
    T *data;
    void run(T value) {
        auto data_ = data;
        launch(N, [=] __device__ (int i) { data_[i] = value + N + T(3); });
    }
    template <class U, class... Rest> void more(U u);
};
template <class T, int N> template <class U, class... Rest>
void Box<T, N>::more(U u) { launch(N, [=] __device__ (int i) { f<Rest...>(u, T(i)); }); }
int main() { Box<double, 5>{nullptr}.run(3.0); Box<float, 5>{nullptr}.more<char, int, long>('a'); }
"""


def test_parameters_of_the_templates_around(tmp_path: Path) -> None:
    part, _ = compile_host(tmp_path, BEGIN + TEMPLATES)
    assert [(found.captures, found.parameters) for found in part.lambdas] == [
        (("data_", "value"), ("T", "N")),
        (("u",), ("T", "Rest")),
    ]
    texts = [instance.shown.partition("<")[2] for instance in instances(tmp_path, BEGIN + TEMPLATES)]
    assert sorted(text.partition("<")[2].removesuffix(">>") for text in texts) == [
        "char, float, int, long int", "double*, double, double, 5",
    ]  # fmt: skip


def test_lambdas_on_one_line_differ(tmp_path: Path) -> None:
    text = f"{BEGIN} void f() {{ launch(1, [] __device__ (int) {{}}); launch(1, [] __device__ (int) {{}}); }}"
    part, _ = compile_host(tmp_path, text)
    assert [(found.line, found.nth) for found in part.lambdas] == [(10, 1), (10, 2)]
    assert len({instance.shown for instance in instances(tmp_path, text)}) == 2


RUNS = r"""
template <class F> int twice(F f) { return f(1) + f(global); }
template <class T> int scaled(T by) {
    const int extra = 2;
    constexpr int M = 100;
    return twice([=] __host__ __device__ (int i) { return int(i * by) + extra + M; });
}
struct Members { char a; double b; int c[3]; short d; };
int main() {
    char a = 1; double b = 2.5; int c[3] = {3, 4, 5}; short d = 6;
    auto l = [=] __device__ (int i) { a; b; c; d; __syncthreads(); };
    Members m{a, b, {3, 4, 5}, d};
    static_assert(sizeof l == sizeof m, "");
    Members copy; memcpy(&copy, &l, sizeof l);
    if (copy.a != 1 || copy.b != 2.5 || copy.c[2] != 5 || copy.d != 6) return 1;
    int n = 10;
    auto counter = [n] __host__ __device__ () mutable { return n++; };
    counter();
    printf("%d %d %d %d\n", twice([=] __host__ __device__ (int i) -> int { return c[i % 3] * n; }), scaled(1.5),
           counter(), n);
    auto none = [] __device__ (int) { };
    static_assert(sizeof none == 1, "");
    (void)none;
}
"""


@pytest.mark.parametrize("cxx", COMPILERS)
def test_the_host_calls_them_and_they_are_structs(tmp_path: Path, cxx: str) -> None:
    done = run_host(tmp_path, BEGIN.replace("each<<<1, n>>>(n, f);", "(void)n; (void)f;") + RUNS, cxx)
    assert (done.returncode, done.stdout) == (0, "70 209 11 10\n")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("void f(int n) { auto l = [&] __device__ (int i) { n; }; }", "t.cu:1:27: error: a lambda for the"),
        ("void f(int n) { auto l = [=, &n] __device__ (int i) { n; }; }", "cannot capture by reference"),
        ("struct S { void f() { auto l = [this] __device__ (int i) { }; } };", "cannot capture 'this'"),
        ("struct S { int n; void f() { auto l = [=] __device__ (int i) { this->n; }; } };", "cannot capture 'this'"),
        ("template <class... T> void f(T... n) { auto l = [=] __device__ (int) { n; }; }", "cannot capture a par"),
    ],
)  # fmt: skip
def test_what_cannot_be_captured(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(CompileError) as caught:
        compile_host(tmp_path, text)
    assert message in str(caught.value)


@pytest.mark.parametrize("captures", ["n, , n", ",", "n,"])
def test_a_comma_too_many_is_told_by_the_compiler(tmp_path: Path, captures: str) -> None:
    with pytest.raises(CompilerFailed):
        compile_host(tmp_path, f"void f(int n) {{ auto l = [{captures}] __device__ (int i) {{ n; }}; }}")


@pytest.mark.parametrize(("wrong", "place"), [("nothing; int c;", "5:6"), ("int c; nothing;", "5:13")])
def test_messages_name_the_users_lines(tmp_path: Path, wrong: str, place: str) -> None:
    text = f"void f(int n) {{\n  auto l = [=] __device__ (int i) {{\n    n;\n    i;\n  }}; {wrong} }}\n"
    with pytest.raises(CompilerFailed) as caught:
        compile_host(tmp_path, text)
    assert f"t.cu:{place}: error: ‘nothing’ was not declared" in caught.value.output


def test_lambdas_in_kernels_are_device_code(tmp_path: Path) -> None:
    part, _ = compile_host(tmp_path, "__global__ void k(int n) { auto l = [=] __device__ (int i) { n; }; l(3); }")
    assert part.lambdas == ()
