"""Constant expressions: what functions give while the program is compiled, compared with a C++ compiler."""

from __future__ import annotations

import random
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from front import as_a, module

from simt2simd.diag import CompileError
from simt2simd.frontend.sema.constexpr import evaluate
from simt2simd.lang.ctype import Scalar
from simt2simd.tree.nodes import Assign, Call, Constant, Declare, Loop, Module, Switch
from simt2simd.tree.walk import walk

compiler = pytest.mark.skipif(shutil.which("g++") is None, reason="needs g++")

HEAD = "#define __device__\n#define __host__\n#define __constant__\n#define __global__\n"

FUNCTIONS = """
constexpr int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
constexpr int gcd(int a, int b) { while (b) { int t = a % b; a = b; b = t; } return a; }
constexpr int sum(int n) {
    int s = 0;
    for (int i = 1; i <= n; i++) { if (i % 3 == 0) continue; if (i > 20) break; s += i; }
    return s;
}
constexpr int factorial(int n) { int r = 1; do r *= n; while (--n > 0); return r; }
constexpr int chosen(int x) {
    switch (x) { case 1: return 10; case 2: x += 5; case 3: x *= 2; break; default: x = -1; }
    return x;
}
enum class Mode : unsigned char { A = 3, B };
enum Bits { ONE = 1, FOUR = 4, BOTH = ONE | FOUR };
constexpr int of_mode(Mode m) { return m == Mode::B ? static_cast<int>(m) : -1; }
struct Vec {
    float x, y;
    constexpr Vec operator+(const Vec &o) const { return Vec{x + o.x, y + o.y}; }
    constexpr Vec &operator*=(float k) { x *= k; y *= k; return *this; }
    constexpr float operator[](int i) const { return i ? y : x; }
};
constexpr Vec scaled(Vec v, float k) { v *= k; return v; }
struct Point {
    int x = 1, y;
    constexpr Point(int v) : y(v) {}
    constexpr Point() : Point(5) {}
    constexpr int sum() const { return x + y; }
};
struct Base { int v = 7; constexpr int get() const { return v; } };
struct Derived : Base { int w = 8; constexpr int both() const { return get() + w; } };
template <class D> struct Crtp { constexpr int call() const { return static_cast<const D *>(this)->impl(); } };
struct Impl : Crtp<Impl> { int z = 3; constexpr int impl() const { return z * 2; } };
template <class T, int N> struct Row {
    T v[N] = {};
    constexpr T *begin() { return v; }
    constexpr T *end() { return v + N; }
    constexpr T &operator[](int i) { return v[i]; }
    constexpr T operator[](int i) const { return v[i]; }
};
constexpr Row<int, 6> squares() { Row<int, 6> r; int i = 0; for (int &x : r) { x = i * i; i++; } return r; }
template <class T, int N> constexpr Row<T, N> reversed(Row<T, N> r) {
    for (int i = 0; i < N / 2; i++) { T t = r[i]; r[i] = r[N - 1 - i]; r[N - 1 - i] = t; }
    return r;
}
constexpr int length(const char *s) { int n = 0; while (*s++) n++; return n; }
constexpr unsigned hash(const char *s) {
    unsigned h = 2166136261u;
    for (; *s; ++s) { h ^= (unsigned char)*s; h *= 16777619u; }
    return h;
}
constexpr int twice(int x) { return 2 * x; }
constexpr int apply(int (*f)(int), int x) { return f(f(x)); }
constexpr int at(int i) { int t[3] = {1, 2, 3}; return t[i]; }
constexpr int matrix(int i, int j) { int m[2][3] = {{1, 2, 3}, {4, 5}}; return m[i][j]; }
constexpr int distance(int i) { int t[8] = {}; const int *p = &t[i], *q = t + 7; return q - p; }
constexpr void put(int *p, int v) { *p = v; }
constexpr int through() { int x = 1; put(&x, 9); int &r = x; r++; return x; }
constexpr int swapped() { int a = 1, b = 2; int t = a; a = b; b = t; return 10 * a + b; }
struct Packed { unsigned a : 3; int b : 5; bool c : 1; };
constexpr int packed() { Packed p{}; p.a = 9; p.b = -3; p.b += 1; p.c = true; return p.a * 1000 + p.b + p.c * 100; }
union Number { int i; float f; };
constexpr int active() { Number n{5}; return n.i; }
template <int... I> constexpr int total = (I + ... + 0);
template <int N> constexpr long long power = 2 * power<N - 1>;
template <> constexpr long long power<0> = 1;
constexpr int table[5] = {1, gcd(8, 12), 9, fib(7), 25};
constexpr const int *second = table + 1;
constexpr unsigned add(unsigned a, unsigned b) { return a + b; }
constexpr signed char narrow(int x) { return (signed char)x; }
constexpr unsigned char step(unsigned char x) { x++; x += 3; return x; }
constexpr float third(float x) { return x / 3.0f; }
constexpr double mixed(int a, float b) { return a * b + 0.1; }
constexpr long long wide(int x) { return (long long)x * x * x; }
constexpr bool both(int a, int b) { return a && b || !a; }
constexpr int early(int n) { for (int i = 0; ; i++) for (int j = 0; j < 3; j++) if (i * 3 + j == n) return i * 10 + j; }
constexpr int shadow(int x) { int y = x; { int y = 2; x += y; } return x + y; }
constexpr int declared(int x) { if (int y = x - 1; y > 0) return y; return -1; }
constexpr double half(int n) { double r = 1; while (n--) r /= 2; return r; }
constexpr int divide(int a, int b) { return a / b; }
constexpr int next(int x) { return x + 1; }
constexpr int shift(int x, int n) { return x << n; }
constexpr int negative(int x) { return -x; }
constexpr int forever(int x) { while (true) x ^= 1; return x; }
constexpr int deep(int n) { return n == 0 ? 0 : 1 + deep(n - 1); }
constexpr int nothing(int x) { if (x) return 1; }
constexpr int follow(const int *p) { return *p; }
constexpr const int *local() { int x = 1; return &x + 0; }
constexpr bool order(int x) { int a = x, b = x; return &a < &b; }
constexpr int whole(double x) { return (int)x; }
constexpr double product(double x, double y) { return x * y; }
constexpr double over(double x, double y) { return x / y; }
constexpr float inactive() { Number n{5}; return n.f; }
constexpr int changed(int x) { const int &t = table[x]; return const_cast<int &>(t) = 3; }
__device__ int plain(int x) { return x; }
constexpr int calls_plain(int x) { return x ? plain(x) : 0; }
"""

VALUES = [
    "fib(15)", "gcd(84, 36)", "sum(100)", "factorial(6)", "chosen(1)", "chosen(2)", "chosen(3)", "chosen(4)",
    "of_mode(Mode::B)", "of_mode(Mode::A)", "(int)BOTH", "(Vec{1, 2} + Vec{3, 4})[1]", "scaled(Vec{1.5f, 2}, 3)[0]",
    "Point(4).sum()", "Point().sum()", "Derived{}.both()", "Impl{}.call()", "squares()[5]", "reversed(squares())[1]",
    'length("hello")', 'hash("abc")', "apply(twice, 5)", "at(2)", "matrix(1, 1)", "matrix(1, 2)", "distance(3)",
    "through()", "swapped()", "packed()", "active()", "total<1, 2, factorial(3)>", "power<40>", "table[1] + table[3]",
    "*second", "second - table", "add(4000000000u, 500000000u)", "narrow(200)", "step(254)", "third(1.0f)",
    "mixed(3, 0.1f)", "wide(-1000000)", "both(1, 0)", "both(0, 0)", "early(7)", "shadow(3)", "declared(5)",
    "declared(1)", "half(1000)", "divide(-7, 2)", "shift(1, 31)", "deep(300)", "calls_plain(0)", "nothing(3)",
    "[](int x) { return x * gcd(4, 6); }(5)", "[] { int s = 0, a[2] = {1, 2}; for (int x : a) s += x; return s; }()",
    "whole(-2.9)", "product(1e-200, 1e-200)", "over(1, 3)", "product(-0.0, 1)", "sizeof(Row<int, fib(6)>)",
]  # fmt: skip

# Expressions that are no constants, and what is said of them.
FAULTS = [
    ("divide(1, 0)", "division by zero"),
    ("divide(-2147483647 - 1, -1)", "2147483648 does not fit 'int'"),
    ("next(2147483647)", "2147483648 does not fit 'int'"),
    ("negative(-2147483647 - 1)", "2147483648 does not fit 'int'"),
    ("shift(1, 32)", "a shift by 32 of 'int', which has 32 bits"),
    ("shift(1, -1)", "a shift by -1 of 'int', which has 32 bits"),
    ("shift(3, 31)", "6442450944 does not fit 'int'"),
    ("shift(-1, 1)", "a negative number is shifted to the left"),
    ("forever(1)", "the evaluation takes more than 1000000 steps"),
    ("deep(600)", "more than 512 calls are inside each other"),
    ("nothing(0)", "'nothing' ends without a 'return'"),
    ("at(3)", "element 3 of 3 is read"),
    ("at(4)", "element 4 of an array of 3"),
    ("at(-1)", "element -1 of an array of 3"),
    ("matrix(0, 3)", "element 3 of 3 is read"),
    ("distance(9)", "element 9 of an array of 8"),
    ("follow(nullptr)", "a null pointer is followed"),
    ("follow(table + 5)", "element 5 of 5 is read"),
    ("whole(3e9)", "3e+09 does not fit 'int'"),
    ("over(1, 0)", "division by zero"),
    ("product(1e200, 1e200)", "the result is too large for 'double'"),
    ("inactive()", "'n.f' is read without a value"),
    ("changed(1)", "'table' is changed, which lives longer than the evaluation"),
]

# What g++ takes for a constant beyond the standard, and what it refuses where the function is defined.
MORE_FAULTS = [
    ("order(1)", "pointers into different objects are compared"),
    ("[](int x) { int y; if (x) y = 1; return y; }(0)", "'y' is read without a value"),
]


@pytest.fixture(autouse=True)
def deep_recursion() -> Iterator[None]:
    """Allow what the pipeline allows."""
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(50_000)
    yield
    sys.setrecursionlimit(before)


def messages(text: str) -> list[str]:
    with pytest.raises(CompileError) as error:
        module(text)
    return [diagnostic.message for diagnostic in error.value.diagnostics]


def values(functions: str, expressions: list[str]) -> list[Constant]:
    """Return what constexpr variables with these values hold."""
    declared = " ".join(f"constexpr auto v{i} = {text};" for i, text in enumerate(expressions))
    kernel = module(f"{functions}\n__global__ void k() {{ {declared} }}").functions["k"]
    declarations = [node for node in kernel.body.statements if isinstance(node, Declare)]
    return [as_a(Constant, node.initial) for node in declarations if node.initial is not None]


def is_valid(path: Path, text: str) -> str:
    """Return what a C++ compiler says of a program."""
    path.write_text(HEAD + text)
    done = subprocess.run(
        ["g++", "-std=c++17", "-fsyntax-only", "-w", str(path)], capture_output=True, text=True, check=False
    )
    return done.stderr


def literal(constant: Constant) -> str:
    """Return a C++ expression for a number of a type, exactly."""
    value, ctype = constant.value, constant.type
    assert isinstance(ctype, Scalar)
    if isinstance(value, float):
        return f"({ctype})({value.hex()})"
    if value == -(1 << 63):
        return "(-9223372036854775807ll - 1)"
    suffix = "ull" if value >= 1 << 63 else "ll"
    return f"({ctype})({int(value)}{suffix})"


# -------------------------------------------------------------------------------------------- values


@compiler
def test_values_are_those_of_a_compiler(tmp_path: Path) -> None:
    found = values(FUNCTIONS, VALUES)
    assert len(found) == len(VALUES)
    checks = [
        f"static_assert(({text}) == {literal(constant)} && sizeof({text}) == {constant.type.size});"
        for text, constant in zip(VALUES, found, strict=True)
        if "[]" not in text
    ]
    checks += [
        f"constexpr auto l{i} = {t}; static_assert(l{i} == {literal(c)});"
        for i, (t, c) in enumerate(zip(VALUES, found, strict=True))
        if "[]" in t
    ]
    assert is_valid(tmp_path / "values.cpp", FUNCTIONS + "\n".join(checks)) == ""


@pytest.mark.parametrize(("text", "reason"), [*FAULTS, *MORE_FAULTS])
def test_what_is_undefined_is_no_constant(text: str, reason: str) -> None:
    program = f"{FUNCTIONS}\n__global__ void k() {{ constexpr auto v = {text}; }}"
    assert messages(program) == [f"'v' is not a constant: {reason}"]


@compiler
def test_a_compiler_refuses_the_same(tmp_path: Path) -> None:
    first = (HEAD + FUNCTIONS).count("\n") + 1
    lines = [f"constexpr auto v{i} = {text};" for i, (text, _) in enumerate(FAULTS)]
    said = is_valid(tmp_path / "faults.cpp", FUNCTIONS + "\n".join(lines))
    accepted = [text for i, (text, _) in enumerate(FAULTS) if f"faults.cpp:{first + i}:" not in said]
    assert accepted == []


# -------------------------------------------------------------------------------------- random operations

_TYPES = ["bool", "signed char", "unsigned char", "short", "unsigned short", "int", "unsigned int", "long long",
          "unsigned long long", "float", "double"]  # fmt: skip
_NUMBERS = ["0", "1", "(-1)", "7", "100", "(-128)", "255", "65535", "2147483647", "(-2147483647)", "4294967295u",
            "9223372036854775807", "0.5", "(-2.75)", "1e10", "3e38"]  # fmt: skip


def random_function(source: random.Random, number: int) -> tuple[str, str]:
    """Return a function of one random expression, and a call of it."""
    params = [source.choice(_TYPES) for _ in range(3)]
    names = ["a", "b", "c"]

    def expression(depth: int) -> str:
        if depth == 0:
            return source.choice([*names, *names, source.choice(_NUMBERS)])
        left, right = expression(depth - 1), expression(depth - 1)
        match source.randrange(8):
            case 0:
                return f"(({source.choice(_TYPES)}){left})"
            case 1:
                return f"({left} ? {left} : {right})"
            case 2:
                return f"({source.choice(['-', '!', '+'])}{left})"
            case 3:
                return f"((long long)({left}) {source.choice(['%', '&', '|', '^', '<<', '>>'])} (int)({right}))"
            case 4:
                return f"({left} {source.choice(['<', '<=', '==', '!=', '>', '>='])} {right})"
            case _:
                return f"({left} {source.choice(['+', '-', '*', '/'])} {right})"

    declared = ", ".join(f"{ctype} {name}" for ctype, name in zip(params, names, strict=True))
    update = source.choice(["a += b", "a -= b", "a *= c", "a++", "--b", "c = a", "a = b, b = c"])
    if "bool" in params and ("++" in update or "--" in update):
        update = "a = b"
    function = f"constexpr auto r{number}({declared}) {{ {update}; return {expression(3)}; }}"
    args = ", ".join(f"({ctype})({source.choice(_NUMBERS)})" for ctype in params)
    return function, f"r{number}({args})"


@compiler
def test_random_functions_give_what_a_compiler_gives(tmp_path: Path) -> None:
    source = random.Random(11)
    functions, sound, checks, refused = [], [], [], []
    for number in range(200):
        function, call = random_function(source, number)
        functions.append(function)
        try:
            (constant,) = values(function, [call])
        except CompileError:
            refused.append(call)
        else:
            sound.append(function)
            checks.append(f"static_assert({call} == {literal(constant)});")
    whole = "\n".join(functions) + "\n"
    assert len(checks) > 60 and len(refused) > 10
    assert is_valid(tmp_path / "values.cpp", "\n".join([*sound, *checks])) == ""
    said = is_valid(
        tmp_path / "faults.cpp", whole + "\n".join(f"constexpr auto v{i} = {t};" for i, t in enumerate(refused))
    )
    first = (HEAD + whole).count("\n") + 1
    assert [text for i, text in enumerate(refused) if f"faults.cpp:{first + i}:" not in said] == []


# ---------------------------------------------------------------------------------------- where it is used


def kernel_text(functions: str, statements: str) -> Module:
    return module(f"{functions}\n__global__ void k(float *out, int n) {{ {statements} }}")


SQUARE = "constexpr int square(int x) { return x * x; }"


@pytest.mark.parametrize(
    ("declared", "statements"),
    [
        ("", "int a[square(3)]; out[0] = sizeof a / sizeof a[0];"),
        ("template <int N> struct S { static constexpr int v = N; };", "out[0] = S<square(3)>::v;"),
        ("template <int N> struct S { int a[square(N)]; };", "out[0] = sizeof(S<3>) / sizeof(int);"),
        ("template <int N = square(3)> constexpr int f() { return N; }", "constexpr int v = f(); out[0] = v;"),
        ("", "if constexpr (square(3) == 9) out[0] = 9; else out[0] = nothing;"),
        ("enum E { A = square(3) };", "out[0] = A;"),
        ("__device__ constexpr auto nine = square(3);", "out[0] = nine;"),
        ("struct alignas(square(4)) S { char c[9]; };", "out[0] = alignof(S) - 7;"),
        ("constexpr int nine = square(3);", "out[0] = nine;"),
        ("template <class T> constexpr T nine = square(3);", "out[0] = nine<float>;"),
        ("struct S { static constexpr int nine = square(3); };", "out[0] = S::nine;"),
        ("", "constexpr int table[] = {1, square(3)}; out[0] = table[1];"),
        ("constexpr int table[2][2] = {{1}, {square(3), 4}};", "out[0] = table[1][0];"),
        ("struct P { int x, y; }; constexpr P p[] = {{1, 2}, {3, square(3)}};", "out[0] = p[1].y;"),
        ("struct P { int x, y; };", "constexpr P p{1, square(3)}; out[0] = p.y;"),
        ("struct P { int x = square(3), y; constexpr P() : y(1) {} }; constexpr P p;", "out[0] = p.x;"),
        ("", "const int m = square(3); int a[m]; out[0] = sizeof a / sizeof(int);"),
        ("", "constexpr auto f = [](int x) { return square(x); }; constexpr int v = f(3); out[0] = v;"),
        ("", "constexpr auto f = [k = square(3)] { return k; }; constexpr int v = f(); out[0] = v;"),
        ("template <int N> constexpr long long power = 3 * power<N - 1>; template <> constexpr long long power<0> = 1;",
         "out[0] = power<2>;"),
    ],
)  # fmt: skip
def test_constants_are_computed_where_they_must_be(declared: str, statements: str) -> None:
    found = kernel_text(f"{SQUARE}\n{declared}", statements)
    stored = [node.value for node in walk(found.functions["k"].body) if isinstance(node, Assign)]
    assert as_a(Constant, stored[-1]).value == 9.0


def test_labels_bounds_and_pragmas_are_constants() -> None:
    text = SQUARE + "__global__ void __launch_bounds__(square(8), square(2)) k(int *out, int n) {\n"
    text += "#pragma unroll square(2)\nfor (int i = 0; i < n; i++) switch (out[i]) { case square(3): out[i] = 1; } }"
    found = module(text).functions["k"]
    unrolled = [node.unroll for node in walk(found.body) if isinstance(node, Loop)]
    labels = [node.sections[0].labels for node in walk(found.body) if isinstance(node, Switch)]
    assert (found.max_threads, found.min_blocks, unrolled, labels) == (64, 4, [4], [(9,)])


def test_what_only_constants_call_is_no_part_of_the_module() -> None:
    text = (
        SQUARE + "struct T { int v[4] = {}; }; constexpr T make() { T t; for (int &x : t.v) x = square(3); return t; }"
    )
    text += "constexpr T unused = make(), used = make(); static_assert(make().v[0] == 9);"
    found = kernel_text(text, "out[n] = used.v[n] + used.v[0];")
    assert list(found.functions) == ["k"]
    assert [(one.name, one.initial) for one in found.constants] == [("used", bytes((9, 0, 0, 0)) * 4)]


def test_a_constant_and_a_run_time_call_of_one_function() -> None:
    found = kernel_text(SQUARE, "constexpr int v = square(3); const int w = square(n), x = square(4); out[v] = w + x;")
    assert list(found.functions) == ["square", "k"] or list(found.functions) == ["k", "square"]
    assert len([node for node in walk(found.functions["k"].body) if isinstance(node, Call)]) == 2


@pytest.mark.parametrize(
    "declared", ["constexpr int table[4] = {1, 2, 3, 4};", "static const int table[4] = {1, 2, 3, 4};",
                 "struct T { int v[4]; }; constexpr T table{{1, 2, 3, 4}};"],
)  # fmt: skip
def test_local_tables_are_constants_of_the_file(declared: str) -> None:
    index = "table.v[n]" if "T table" in declared else "table[n]"
    found = kernel_text("", f"{declared} out[n] = {index};")
    assert [one.initial for one in found.constants] == [b"".join(bytes((i, 0, 0, 0)) for i in (1, 2, 3, 4))]
    assert not [node for node in walk(found.functions["k"].body) if isinstance(node, Declare)]


def test_device_variables_begin_with_what_constant_expressions_give() -> None:
    text = SQUARE + "struct T { int a, b; constexpr T(int x) : a(x), b(square(x)) {} __device__ T() : a(5), b(6) {} };"
    text += "__device__ T made(3); __constant__ T plain; __device__ int *into = &made.b;"
    text += "__device__ float f = square(3) / 2.0f;"
    found = module(text + "__global__ void k(int *out) { out[0] = made.a + plain.b + *into + (int)f; }")
    contents = {variable.name: content for variable, content in found.variables.items()}
    assert contents["made"].data == bytes((3, 0, 0, 0, 9, 0, 0, 0))
    assert contents["plain"].data == bytes((5, 0, 0, 0, 6, 0, 0, 0))
    assert [(other.name, past) for _, other, past in contents["into"].addresses] == [("made", 4)]
    assert contents["f"].data == bytes.fromhex("00009040")


# ------------------------------------------------------------------------------------------- messages


@pytest.mark.parametrize(
    ("statements", "expected"),
    [
        ("constexpr int v = n + 1;", "'v' is not a constant: 'n' is known only at run time"),
        ("int a[divide(n, 2)];", "the size of an array must be an integer constant: 'n' is known only at run time"),
        ("int a[divide(1, 0)];", "the size of an array must be an integer constant: division by zero"),
        ("static_assert(divide(1, 0) == 0);", "the condition of 'static_assert' must be a constant: division by zero"),
        ("constexpr float v = sinf(1.0f);", "'v' is not a constant: 'sinf' is not computed at compile time"),
        ("constexpr int v = threadIdx.x;", "'v' is not a constant: 'threadIdx' is known only to a running thread"),
        ("constexpr int v = plain(1);", "'v' is not a constant: 'plain' is not constexpr"),
        ("constexpr const int *v = local();", "'v' is not a constant: 'v' holds the address of 'x'"),
        ("struct S { int a, b; constexpr S() : a(1) {} }; constexpr S v;", "'v' is not a constant: 'v.b' has no value"),
        (
            "const int m = plain(3); int a[m];",
            "the size of an array must be an integer constant: 'plain' is not constexpr",
        ),
        ("static_assert(fib(4) == 4);", "static assertion failed"),
    ],
)
def test_messages_say_why(statements: str, expected: str) -> None:
    assert messages(f"{FUNCTIONS}\n__global__ void k(int n) {{ {statements} }}") == [expected]


def test_a_note_leads_to_the_function_that_has_no_value() -> None:
    with pytest.raises(CompileError) as error:
        module("constexpr int divide(int a, int b) {\n  return a / b;\n}\n__global__ void k() { int a[divide(1, 0)]; }")
    (diagnostic,) = error.value.diagnostics
    assert [(note.span.line, note.message) for note in diagnostic.notes] == [(2, "in 'divide', here")]


def test_functions_are_not_evaluated_where_nobody_asks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(evaluate.Evaluator, "call", None)
    found = kernel_text(SQUARE, "const int v = square(3); int w = square(4); out[v] = w;")
    assert "square" in found.functions
