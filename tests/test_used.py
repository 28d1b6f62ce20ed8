"""Of included files, what a program does not use is not parsed, and what it uses means what it meant."""

from __future__ import annotations

import time
from dataclasses import replace
from pathlib import Path

import pytest

from simt2simd.diag import CompileError
from simt2simd.frontend.parse.fragments import Fragments
from simt2simd.frontend.parse.parse import Parsed, parse
from simt2simd.frontend.sema.module import check
from simt2simd.frontend.text.lazy_declarations import without_unused
from simt2simd.frontend.text.preprocess import preprocess
from simt2simd.frontend.text.top_level import split_items
from simt2simd.options import Options
from simt2simd.source import Source
from simt2simd.tree.show import show

KERNEL = "__global__ void k(float *p, int n) { int i = threadIdx.x; if (i < n) p[i] = %s; }\n"


def parsed(folder: Path, header: str, main: str, *, device_only: bool = False) -> Parsed:
    """Parse `main`, which includes `header`."""
    (folder / "h.h").write_text(header)
    source = Source(str(folder / "main.cu"), f'#include "h.h"\n{main}')
    return parse(preprocess(source, replace(Options(), device_only=device_only)))


def names(parse: Parsed) -> list[str]:
    """Return what is declared of the items that were parsed, one word for each."""
    found = []
    for item in parse.items:
        for node in item.nodes:
            inner = getattr(node, "declaration", None) or getattr(node, "decl", None) or node
            inner = (
                inner if getattr(inner, "name", None) else getattr(inner, "decl", None) or getattr(inner, "type", inner)
            )
            found.append(str(getattr(inner, "name", None)))
    return found


HEADER = """
__device__ inline float helper(float x) { return x + 1; }
__device__ inline float used(float x) { return helper(x); }
__device__ inline float used(int x) { return x; }
__device__ inline float unused(float x) { { return helper(x); } }
struct Used { float x; __device__ float get_x() const { return x; } };
struct Unused { Used u; __device__ float f() { return u.x; } };
enum Color { RED, GREEN };
enum { SIZE = 4 };
typedef struct Tag { int a; } Named, *PointerToNamed;
using Alias = Used;
template <typename T> __device__ T twice(T x) { return x + x; }
template <> __device__ int twice<int>(int x) { return 3 * x; }
template <typename T> struct Box { T x; __device__ T first(); };
template <typename T> __device__ T Box<T>::first() { return x; }
namespace deep { namespace inside { __device__ inline float far_away() { return RED; } } }
static int host_only(int x) { return x > 0 ? host_only(x - 1) : 0; }
"""


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("1", []),
        ("used(1.0f)", ["helper", "used", "used"]),
        ("unused(1.0f)", ["helper", "unused"]),
        ("GREEN", ["Color"]),
        ("SIZE", ["None"]),
        ("twice(2)", ["twice", "twice"]),
        ("sizeof(PointerToNamed)", ["Named", "PointerToNamed"]),
        ("Alias().x", ["Used", "Alias"]),
        ("Box<float>().first()", ["Box", "first"]),
        ("Unused().f()", ["Used", "Unused"]),
    ],
)
def test_only_what_is_named_is_parsed(expression: str, expected: list[str], tmp_path: Path) -> None:
    found = parsed(tmp_path, HEADER, KERNEL % expression)
    assert [name for name in names(found) if name not in ("deep", "k")] == expected
    assert found.left_out


@pytest.mark.parametrize(
    "header",
    [
        "__device__ int counter;",
        "__constant__ float table[2] = {1, 2};",
        "__global__ void other(int *p) { *p = 1; }",
        "template <typename T> __global__ void other(T *p) { *p = 1; }\ntemplate __global__ void other<int>(int *);",
        "template <typename T> __global__ void other(T *p) { *p = 1; }\nvoid launch(int *p) { other<<<1, 1>>>(p); }",
        "template <typename T> T operator-(T a, int b);",
    ],
)
def test_what_may_be_used_without_its_name_is_kept(header: str, tmp_path: Path) -> None:
    assert not parsed(tmp_path, header, KERNEL % 1).left_out


@pytest.mark.parametrize(
    "header",
    [
        "const int a = 1, b = 2;",
        "const int a(1), b(2);",
        "const int a(1), b = 2;",
        "constexpr int a{1}, b{2};",
        "typedef int a, b;",
        "struct S { int x; } a, b;",
        "enum class E { a }; using b = E;",
        "namespace c {} namespace b = c;",
        "namespace c { __device__ int b(); } using c::b;",
        "struct S { __device__ void b(); }; __device__ void S::b() { }",
        "struct S; template <> struct S<int> { int b; }; __device__ S *b();",
    ],
)
def test_every_name_that_a_declaration_declares_counts(header: str, tmp_path: Path) -> None:
    assert parsed(tmp_path, header, KERNEL % 1).left_out
    (tmp_path / "h.h").write_text(header)
    pre = preprocess(Source(str(tmp_path / "m.cu"), '#include "h.h"\n__global__ void k() { b; }'), Options())
    kept, _ = without_unused(split_items(Fragments().outline(pre)), pre)
    assert any(token.value == "b" for item in kept.items for token in item.tokens)


@pytest.mark.parametrize(
    "main",
    [
        "__global__ void k(float *p) { float2 a = make_float2(1, 2); p[0] = (a + a).x; }",
        "__global__ void k(float *p) { auto a = make_float2(1, 2); p[0] = (a + a).x; }",
        "__global__ void k(float2 *p) { p[0] = p[1] + p[2]; }",
    ],
)
def test_operators_are_kept_with_the_types_of_their_operands(main: str, tmp_path: Path) -> None:
    """An alias in the header is another name of the type that the program names."""
    header = """typedef float2 pair;
__device__ inline pair operator+(pair a, pair b) { return make_float2(a.x + b.x, a.y + b.y); }
struct Other { int x; };
__device__ inline Other operator+(Other a, Other b) { return Other{a.x + b.x}; }
"""
    found = parsed(tmp_path, header, main)
    assert names(found) == ["pair", "operator+", "k"]
    assert "operator" in show(check(found))


@pytest.mark.parametrize(
    ("expression", "expected"),
    [("threadIdx . x", 0), ("gridDim.y", 0), ("(threadIdx + 1).x", 1), ("(blockDim * 2).x", 1), ("(gridDim + 1).x", 1)],
)
def test_operators_on_indices_are_kept_with_whole_indices(expression: str, expected: int, tmp_path: Path) -> None:
    header = """__device__ inline uint3 operator+(uint3 a, int b) { return make_uint3(a.x + b, a.y + b, a.z + b); }
__device__ inline dim3 operator*(dim3 a, int b) { return dim3(a.x * b, a.y * b, a.z * b); }
"""
    found = parsed(tmp_path, header, f"__global__ void k(int *p) {{ *p = {expression}; }}")
    assert len(found.items) == expected + 1


def test_the_order_of_declarations_is_kept(tmp_path: Path) -> None:
    """A call means the best function that is declared before it."""
    header = """__device__ inline float f(double) { return 1; }
__device__ inline float unused() { return 1; }
__device__ inline float g() { return f(1); }
__device__ inline float f(int) { return 2; }
"""
    found = parsed(tmp_path, header, KERNEL % "g()")
    shown = show(check(found))
    assert found.left_out and "return f((double)1)" in shown.replace("f(1.0)", "f((double)1)")


def test_faults_in_what_is_used_are_reported(tmp_path: Path) -> None:
    header = "__device__ inline float a() { return missing; }\n__device__ inline float b() { return absent; }\n"
    with pytest.raises(CompileError) as caught:
        check(parsed(tmp_path, header, KERNEL % "a()"))
    assert [d.message for d in caught.value.diagnostics] == ["'missing' is not declared"]


def test_faults_in_what_nobody_uses_are_not_looked_for(tmp_path: Path) -> None:
    check(parsed(tmp_path, "__device__ inline float b() { return absent; }\n", KERNEL % 1))


@pytest.mark.parametrize("brace", ["__device__ float b() { {", "__device__ float b() { } }"])
def test_braces_that_do_not_match_are_reported_used_or_not(brace: str, tmp_path: Path) -> None:
    with pytest.raises(CompileError, match=r"never closed|expected '}'|extraneous"):
        check(parsed(tmp_path, f"{brace}\n", KERNEL % 1))


@pytest.mark.parametrize(
    "text",
    [
        'const char *s = "}";', "char c = '}';", 'auto r = R"(})";', "int n = 1'000;", "auto w = L'}';",
        "\n#pragma unroll\nfor (int i = 0; i < 3; i++) { x += i; }\n",
    ],
)  # fmt: skip
def test_braces_in_quotes_are_none(text: str, tmp_path: Path) -> None:
    header = f"__device__ inline float a(float x) {{ {text} return x; }}\n__device__ inline float b() {{ return 2; }}\n"
    assert "b" in names(parsed(tmp_path, header, KERNEL % "b()"))
    assert names(parsed(tmp_path, header, KERNEL % "a(1)")) == ["a", "k"]


def test_names_that_are_asked_for_later_are_found(tmp_path: Path) -> None:
    header = "template <typename T> __global__ void late(T *p) { *p = 1; }\n"
    assert not parsed(tmp_path, header, KERNEL % 1, device_only=True).left_out


PLAIN = """/// Computes value {i}.
__device__ inline float plain_{i}(const float *in, int n) {{
    float sum = 0.0f;
    for (int k = 0; k < n; k++) {{
        float x = in[k] * {i}.5f;  // the element
        if (x > 0.0f) sum += sqrtf(x);
        else sum -= x * x;
    }}
    return sum;
}}
"""


def test_a_header_that_nobody_uses_costs_little(tmp_path: Path) -> None:
    """2,000 lines take about 20 ms; they took 280."""
    header = "".join(PLAIN.format(i=i) for i in range(200))
    (tmp_path / "h.h").write_text(header)
    source = Source(str(tmp_path / "main.cu"), f'#include "h.h"\n{KERNEL % 1}')
    spent = []
    for _ in range(5):
        start = time.process_time()
        check(parse(preprocess(source, Options())))
        spent.append(time.process_time() - start)
    assert min(spent) < 0.1


BODIES = """
struct S { int a, b; __device__ S(int x); __device__ int get() const; __device__ S &operator+=(int x); };
__device__ inline S::S(int x) : a(x), b{x + 1} { if (x > 0) { b += 2; } }
__device__ inline int S::get() const { struct L { int v; }; L l = {a}; return l.v * b; }
__device__ inline S &S::operator+=(int x) { a += x; return *this; }
template <class T> __device__ auto twice(T x) -> T { return [](T y) { return y + y; }(x); }
template <class T, int N = sizeof(T)> __device__ int size(T (&)[2] = *(T (*)[2])0) noexcept { return N; }
__device__ inline void empty() {}
__device__ inline int braces(int x) { int a[2] = {x, 2}; return a[0] + '{' + "}"[0]; }
"""
USE = """__global__ void k(int *p) {
    empty(); S s(1); s += 2; int a[2]; p[0] = s.get() + twice(p[1]) + size(a) + braces(p[2]); }"""


def test_a_body_that_is_read_late_is_the_one_that_was_written(tmp_path: Path) -> None:
    def tree(found: Parsed) -> str:
        return show(check(found))

    (tmp_path / "at_once").mkdir()
    late = tree(parsed(tmp_path, BODIES, USE))
    at_once = parse(preprocess(Source(str(tmp_path / "at_once" / "main.cu"), BODIES + USE), Options()))
    assert late == tree(at_once)


def test_a_fault_in_a_body_that_is_read_late_has_its_place(tmp_path: Path) -> None:
    header = "__device__ inline int f(int x) {\n  int y = ;\n  return y; }"
    with pytest.raises(CompileError) as fault:
        check(parsed(tmp_path, header, "__global__ void k(int *p) { p[0] = f(1); }"))
    (found,) = fault.value.diagnostics
    assert str(found.span) == f"{tmp_path / 'h.h'}:2:11"
