"""Parsing: what is overridden in pycparser, one test per idea, and which part of a mixed C++ file is taken."""

from __future__ import annotations

import pytest
from front import as_a, body, kernel, messages, module, parsed
from pycparser import c_ast
from pycparser.c_lexer import CLexer
from pycparser.c_parser import CParser

from simt2simd.diag import CompileError
from simt2simd.frontend.parse.cuda_parser import CudaParser
from simt2simd.frontend.parse.parse import parse_constant
from simt2simd.frontend.text.lexer import CudaLexer
from simt2simd.lang.ctype import Array, Pointer
from simt2simd.options import Options
from simt2simd.pipeline import compile_device
from simt2simd.source import NOWHERE, Source
from simt2simd.tree.nodes import Assign, Block, Declare, Evaluate, If, Loop, Return


def test_every_override_overrides_something() -> None:
    """A release of pycparser that renames a method must not pass unnoticed."""
    own = {
        "_parse_call", "_parse_member", "_parse_compound_literal", "_parse_named_cast", "_parse_functional_cast",
        "_parse_block_expression", "_parse_tokens",
    }  # fmt: skip
    layers = [layer for layer in CudaParser.__mro__ if issubclass(layer, CParser) and layer is not CParser]
    names = {name for layer in layers for name in vars(layer) if name.startswith(("_parse_", "_starts_"))} - own
    assert {name for name in names | _OTHER_OVERRIDES if not hasattr(CParser, name)} <= {"_starts_parameter"}
    lexer = {name for name in vars(CudaLexer) if name in ("_match_token", "_make_token", "_error")}
    assert len(lexer) == 3 and all(hasattr(CLexer, name) for name in lexer)


_OTHER_OVERRIDES = {
    "_tok_coord", "_expect", "_peek", "_advance", "_add_identifier", "_add_typedef_name", "_is_type_in_scope",
    "_push_scope", "_pop_scope", "_fix_decl_name_type", "_try_parse_paren_type_name",
}  # fmt: skip

# ----------------------------------------------------------------------------------------------- lexer


def test_qualifiers_are_tokens_in_any_order() -> None:
    text = """
    static __device__ __forceinline__ int a() { return 1; }
    int __device__ b() { return 1; }
    __noinline__ __host__ __device__ int c() { return 1; }
    void __global__ d() {}
    extern "C" __global__ void e() {}
    """
    functions = module(text).functions
    assert [(f.kind, f.inline, f.static) for f in functions.values()] == [
        ("device", "always", True), ("device", None, False), ("device", "never", False), ("kernel", None, False),
        ("kernel", None, False),
    ]  # fmt: skip


def test_alternative_spellings() -> None:
    text = (
        "__inline__ __device__ int f(const int *__restrict a, int *__restrict__ b, __volatile__ int *c) { return *a; }"
    )
    (function,) = module(text).functions.values()
    pointer = function.params[2].type
    assert isinstance(pointer, Pointer) and pointer.volatile
    assert kernel("b = not b and c or i; i = i bitand 3 xor 1;")


def test_malformed_tokens_matter_only_in_device_code() -> None:
    assert (
        messages("void host() { auto s = R\"(it's)\"; int x = 0b; char c = 'toolong'; @ }\n__global__ void k() {}")
        == []
    )
    assert messages("__global__ void k() { int x = 08; }") == ["1:31: invalid octal constant"]


def test_longest_names_and_numbers() -> None:
    assert messages(f"__global__ void k(int *{'y' * 512}) {{ {'y' * 512}[0] = 1; }}") == []
    assert messages(f"__global__ void k() {{ int {'y' * 1000}; }}") == ["1:27: a name has at most 512 characters"]
    assert messages(f"int {'y' * 1000}; __global__ void k() {{ }}") == []
    for digits in ("1" * 5000, "0x" + "f" * 5000, "0" + "7" * 5000):
        assert messages(f"__global__ void k() {{ long x = {digits}; }}") == [
            f"1:32: the integer {digits[:20]}... is too large for any type"
        ]


@pytest.mark.parametrize(
    "expression", ["- " * 20_000 + "x", "x" + " + x" * 20_000, "x" + " = x" * 20_000, "x ? 1 : " * 20_000 + "0"]
)
def test_nesting_beyond_all_bounds_is_a_message(expression: str) -> None:
    with pytest.raises(CompileError, match="expressions or statements are nested too deeply"):
        compile_device(Source("k.cu", f"__global__ void k(int x) {{ x = {expression}; }}"), Options(), until="tree")


def test_launches_are_tokens() -> None:
    assert (
        messages("__global__ void k() {}\nint main() { k<<<1, 2>>>(); k<<<dim3(1), 2, 3>>>(); return 8 >> 1; }") == []
    )
    assert messages("__global__ void k() { k<<<1, 8 >> 1, sizeof(int[2 > 1])>>>(); }") == []
    assert "expected '>>>' before ';'" in messages("__global__ void k() { k<<<1, 1; }")[0]


# -------------------------------------------------------------------------------------- top-level items


def test_host_code_is_skipped() -> None:
    text = """
    #include <vector>
    template <typename T, int N> class Grid { public: T data[N]; Grid() : data{} {} ~Grid() {} };
    template <> struct std::hash<int> { int operator()(int a) const { return a; } };
    class Timer { int t{0}; void start() { t = 1; } };
    namespace tools { int helper(int a) { return a; } template <class T> T twice(T a) { return a + a; } }
    using namespace std; using std::vector; typedef std::vector<int> Ints; using Table = std::map<int, std::string>;
    static const std::string names[] = {"a", "b"}; vector<int> list = {1, 2}; int *pointer = new int[3];
    auto lambda = [](int a) -> int { return a; }; enum class Color { RED }; extern int elsewhere; union U { int i; };
    Grid<int, 3>::Grid() : data{} {} int (*callback)(int, float); struct Host { std::string s; int f() { return 1; } };
    int operator+(const Host &a, const Host &b) { try { throw 1; } catch (...) {} return 0; }
    static_assert(sizeof(int) == 4, "int"); extern "C" { int c_function(int); } int main() { lambda(3); return 0; }
    __global__ void k(int *p) { *p = 1; }
    """
    assert list(module(text).functions) == ["k"]


def test_device_items_inside_extern_c_and_unnamed_namespaces() -> None:
    text = 'extern "C" { __global__ void a() {} }\nnamespace { __device__ int b() { return 1; } }\nnamespace { int h; }'
    assert list(module(text).functions) == ["a", "b"]


def test_types_and_constants_of_the_host_serve_the_device() -> None:
    text = "struct P { int x; }; enum E { A = 2, B }; typedef P *PP; static const int n = A + B; using R = float;\n"
    statements = body(text + "__global__ void k(PP p, R *r) { int a[n]; a[0] = p->x + B; r[0] = n; }").statements
    assert isinstance(statements[0], Declare) and statements[0].variable.type.size == 20


def test_names_of_the_host_are_remembered() -> None:
    names = parsed(
        "int f() { return 1; } int a, *b = 0, c[3]; class K {}; template <class T> T t(T x) { return x; }"
    ).host_only
    assert {name: why.what for name, why in names.items()} == {
        "f": "a host function", "a": "a host variable", "b": "a host variable", "c": "a host variable",
        "t": "a template",
    }  # fmt: skip


# ------------------------------------------------------------------------------------------ spans


def test_spans_reach_from_the_first_to_the_last_token() -> None:
    (statement,) = body("__global__ void k(int *p, int i) {\n  p[(i + 1)] = -i * (2 + 3);\n}").statements
    assert isinstance(statement, Evaluate)
    assert (statement.span.line, statement.span.column, statement.span.length) == (2, 3, 25)
    assigned = as_a(Assign, statement.expr)
    assert (assigned.value.span.column, assigned.value.span.length) == (16, 12)
    assert (assigned.place.span.column, assigned.place.span.length) == (3, 10)


def test_a_span_ends_with_its_line() -> None:
    (statement,) = body("__global__ void k(int i) {\n  i = i +\n    2;\n}").statements
    assert (statement.span.column, statement.span.length) == (3, 7)


# ----------------------------------------------------------------------------------- declarations


def test_a_tag_is_a_type_name() -> None:
    text = "struct Node { Node *next; }; enum Kind { A }; typedef struct Late Late; struct Late { int x; };\n"
    assert body(text + "__global__ void k(Node *n, Kind kind, Late *l) { Node here; struct Node there; here = there; }")


def test_a_class_may_be_declared_and_pointed_to() -> None:
    kernel = "__global__ void k(Q *q, int *p) { *p = q != 0; }"
    assert module(f"class Q; {kernel} class R {{ public: int f(); }};")
    assert messages(f"class Q; {kernel.replace('q != 0', 'q->x')}") == ["1:49: struct 'Q' is declared but not defined"]


def test_a_name_may_hide_a_type() -> None:
    assert body("typedef int T; __global__ void k(int *T) { *T = *T * 2; }")


def test_alignment_of_structs() -> None:
    text = """
    struct __align__(16) A { float x; };
    struct alignas(8) B { char c; };
    struct C { char c; } __attribute__((aligned(4)));
    typedef struct { A a; char c; } D;
    __global__ void k(A a, B b, C c, D d) {}
    """
    structs = module(text).structs
    assert [(s.tag, s.size, s.align) for s in structs] == [("A", 16, 16), ("B", 8, 8), ("C", 4, 4), ("D", 32, 16)]


def test_launch_bounds() -> None:
    text = """
    const int N = 64;
    __global__ void __launch_bounds__(2 * N, 4) a() {}
    __launch_bounds__(32) __global__ void b() {}
    """
    a, b = module(text).functions.values()
    assert (a.max_threads, a.min_blocks, b.max_threads, b.min_blocks) == (128, 4, 32, None)


def test_launch_bounds_name_template_parameters() -> None:
    text = """
    template <int N, int M> __global__ void __launch_bounds__(2 * N, M) a() {}
    template <class T> struct S { static const int n = sizeof(T) * 8; };
    template <class T> __global__ __launch_bounds__(S<T>::n) void b(T x) {}
    template __global__ void a<32, 4>();
    template __global__ void b<double>(double);
    """
    b, a = module(text).functions.values()
    assert (a.max_threads, a.min_blocks, b.max_threads, b.min_blocks) == (64, 4, 64, None)


def test_attributes_are_read_over() -> None:
    head = "__attribute__((always_inline)) __device__ int f(int a [[maybe_unused]]) noexcept"
    assert module(head + " { [[maybe_unused]] int b; return a; }")


def test_using_is_a_typedef() -> None:
    assert body("using T = const float *; __global__ void k(T p) { float x = *p; }")


def test_braces_initialise_without_an_equals_sign() -> None:
    first, second, third = body(
        "struct P { int x, y; }; __device__ P f() { int a{3}; P p{1, 2}; return {4, 5}; }"
    ).statements[:3]
    assert isinstance(first, Declare) and isinstance(second, Declare) and isinstance(third, Declare | Return)


def test_parentheses_initialise_without_an_equals_sign() -> None:
    text = "int x(3), *p(&x), y = 1, z(int(3)), w(float(y) + 1); S t(st); for (int i(0); i < 3; i++) x++;"
    declared = [statement for statement in kernel(text).statements if isinstance(statement, Declare)]
    assert [node.variable.name for node in declared] == [*"xpyzwt"]
    assert [node.variable.name for node in declared if node.initial is None] == ["t"]  # which is copied behind it


def test_constants_at_file_scope_need_no_equals_sign() -> None:
    text = "const int M{7}, N = 8; __device__ const float Q(M + 0.5f); __device__ const float R{1};"
    assert body(f"{text} __global__ void k(float *p) {{ p[0] = M + N + Q + R; }}")


def test_a_parameter_list_begins_with_a_type() -> None:
    functions = module(
        "__device__ int f(int x, float (*g)[3]), *h(int); __device__ int *h(int) { return nullptr; }"
        "__device__ int f(int x, float (*g)[3]) { return *h(x); }"
    ).functions
    assert [len(function.params) for function in functions.values()] == [1, 2]


def test_default_arguments() -> None:
    text = "const int n = 3; __device__ int f(int a, int = n + 1); __device__ int f(int a, int b) { return a + b; }\n"
    (statement,) = body(text + "__global__ void k(int *p) { int n = 7; *p = f(1) + n; }").statements[1:]
    assert statement


def test_parameters_are_adjusted() -> None:
    (function,) = module(
        "typedef int T[2]; __device__ void f(int a[], float b[3][4], T c, const char *const d) {}"
    ).functions.values()
    types = [str(param.type) for param in function.params]
    assert types[0] == "int *" and types[2] == "int *" and function.params[3].const
    assert isinstance(function.params[1].type, Pointer) and isinstance(function.params[1].type.target, Array)


# --------------------------------------------------------------------------------------- statements


def test_pragma_unroll_reaches_its_loop() -> None:
    statements = body("""
    const int n = 2;
    __global__ void k(int *p) {
        #pragma unroll n * 2
        for (int i = 0; i < 4; i++) p[i] = 1;
        #pragma unroll
        while (*p) *p = 0;
        #pragma unroll(8)
        do *p = 1; while (*p);
        #pragma nv_diag_suppress 1
        for (;;) break;
        if (*p)
            #pragma unroll 1
            for (;;) break;
        for (;;) break;
    }
    """).statements
    assert [s.unroll for s in statements if isinstance(s, Loop)] == [4, 0, 8, None, None]
    inner = next(s for s in statements if isinstance(s, If)).then.statements[0]
    assert isinstance(inner, Loop) and inner.unroll == 1


def test_if_constexpr_is_what_it_chooses() -> None:
    (chosen,) = kernel("if constexpr (sizeof(int) == 4) i = 1; else i = 2;").statements
    assert isinstance(chosen, Block) and len(chosen.statements) == 1
    (nothing,) = kernel("if constexpr (sizeof(int) == 8) i = 1;").statements
    assert isinstance(nothing, Block) and not nothing.statements


def test_statements_after_a_faulty_one_are_parsed() -> None:
    text = """__global__ void k(int *p) {
 int a = ;
 p[0] = a;
 for (int i = 0, i < 3; i++) p[i] = 1;
 p[1] = b;
 if (p[0] { p[2] = 1; }
 p[3] = c
}"""
    assert messages(text) == [
        "2:10: expected an expression before ';'",
        "4:19: expected ';' after 'i'",
        "5:9: 'b' is not declared",
        "6:11: expected ')' before '{'",
        "7:9: 'c' is not declared",
        "7:10: expected ';' after 'c'",
    ]


def test_functions_after_a_faulty_one_are_parsed() -> None:
    text = "__device__ int f(int a, { return a; }\n__device__ int g(int b) { return f(b) + c; }"
    assert messages(text) == ["1:25: expected a parameter before '{'", "2:41: 'c' is not declared"]


def test_a_missing_brace_is_found_at_the_next_function() -> None:
    text = "__global__ void a(int *p) {\n if (*p) {\n *p = 1;\n}\n__device__ int b() { return c; }"
    assert messages(text) == ["5:1: expected '}' before '__device__'", "5:29: 'c' is not declared"]


@pytest.mark.parametrize(
    "before",
    [
        "template <int n, bool t = false> int f(int a) { return a; }",
        "template <int n = (3 > 2), class T = V<V<int>>> int f(int a) { return a; }",
        "template <> float g<3>(float x) { return x; }",
        "template <class T> template <class U> void V<T>::f(U u = 3) { }",
        "template int f<3, true>(int);",
        "V<int>::V(int n = 3) : a{n}, b(n) { }",
        "V<int>::V(int n) : a(1), b{1} { c = 3; }",
        "struct F { friend __global__ void k(int); };",
    ],
)
def test_a_kernel_is_found_after(before: str) -> None:
    assert [f.name for f in module(f"{before}\n__global__ void k(int *p) {{ *p = 1; }}").kernels] == ["k"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "int a[] = {1, 2} __global__ void k(int *p) { }",
            "1:18: a kernel is declared at file scope: this '__global__'",
        ),
        ("template <> __global__ void k<3>(int *p) { }", "1:29: 'k' is no template: it cannot be specialised"),
        ("template __global__ void k<3>(int *p);", "1:26: 'k' is no template"),
        ("class C { __global__ void k(int *p) { } };", "1:11: a kernel is declared at file scope"),
    ],
)
def test_no_kernel_is_dropped_in_silence(text: str, message: str) -> None:
    assert [found[: len(message)] for found in messages(text)] == [message]


def test_constants_initialised_as_in_cpp() -> None:
    text = (
        "const unsigned N(1024), M{N / 2}; constexpr float F(-2.0f); const int L(M), Z{}; const float f(float);\n"
        "__global__ void k(float *p) { p[N] = M + F + L + Z; }"
    )
    assert messages(text) == []
    assert messages(text.replace("Z; }", "f(1); }")) == ["2:50: 'f' is a host function: device code cannot use it"]


# -------------------------------------------------------------------------------------- expressions


def test_casts_of_cpp() -> None:
    text = (
        "d = float(i) + static_cast<int>(f) + unsigned(3) + int() + (f < float(2)); pv = reinterpret_cast<char *>(pi);"
    )
    assert kernel(
        text + " pi = const_cast<int *>(pci); st = S(); st = S{1}; i = ::i; for (; bool(i);) i--;".replace("::i", "i")
    )


def test_a_conversion_in_parentheses_is_no_cast() -> None:
    assert kernel("f = (float(1) + f); f = (S{1}).x + (unsigned long(i) + 1) + (float(*pf)) + sizeof(float(1) + d);")
    assert kernel("f = *(float(*))pf; f = ((float(*)[2])pf)[0][1]; l = sizeof(float(*)[3]);")


def test_a_global_name_may_be_qualified() -> None:
    assert body("__device__ int f() { return 1; } __global__ void k(int *p) { *p = ::f(); }")


def test_expressions_where_types_and_values_look_alike() -> None:
    assert body(
        "typedef int T; __global__ void k(int *p, int T2) { *p = (T)T2 * (T2) - (T)(-1) + sizeof(T) + sizeof T2; }"
    )


def test_parse_constant_takes_one_expression() -> None:
    constant = parse_constant("(N / 2)", NOWHERE)
    assert isinstance(constant, c_ast.BinaryOp) and constant.op == "/"
