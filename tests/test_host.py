"""The host split: kernels become stubs, launches become calls, lines stay where they were."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from host_programs import COMPILERS, compile_host

from simt2simd import runtime
from simt2simd.abi import kernel_symbol, variable_symbol
from simt2simd.command.toolchain import HostFlags, Toolchain
from simt2simd.diag import CompileError
from simt2simd.host.part import HostPart
from simt2simd.host.split import split
from simt2simd.source import Source


def split_text(text: str) -> HostPart:
    """Split `text` as if the C++ preprocessor had nothing to do."""
    return split(f'# 1 "t.cu"\n{text}', Source("t.cu", text))


def host(text: str) -> str:
    """Return the host code of `text` without the declarations in front and without line markers, spaces collapsed."""
    code = split_text(text).text.split('# 1 "t.cu"\n', 1)[1]
    return " ".join(re.sub(r'\n# \d+ "t\.cu"\n *', "", code).split())


def lines(text: str) -> dict[int, str]:
    """Return the host code of `text` by the number that the C++ compiler gives each line; the last part of a line."""
    found: dict[int, str] = {}
    number = 0
    for line in split_text(text).text.split("\n"):
        number += 1
        if marker := re.match(r'# (\d+) "t\.cu"', line):
            number = int(marker[1]) - 1
        else:
            found[number] = line
    return found


def faults(text: str) -> str:
    with pytest.raises(CompileError) as caught:
        split_text(text)
    return str(caught.value)


# ---------------------------------------------------------------------------------------------- kernels


def test_kernel_becomes_stub() -> None:
    part = split_text("__global__ void k(int n, float *x) {\n  x[threadIdx.x] = n;\n}\nint a;\n")
    assert list(part.kernels) == ["k"] and (part.kernels["k"].line, part.kernels["k"].column) == (1, 17)
    assert 'extern "C" { extern const struct s2s_kernel s2s_kernel_k; }' in part.text
    lines = part.text.split('# 1 "t.cu"\n')[1].split("\n")
    stub = "{ void *s2s_args[] = {(void *)&n, (void *)&x}; s2s_launch_pushed(&s2s_kernel_k, s2s_args); }"
    assert lines[0].strip() == f"void k(int n, float *x) {stub}"
    assert lines[1].strip() == "" and lines[2].strip() == ""
    assert lines[3] == "int a;"


def test_kernel_without_parameters() -> None:
    stub = "{ s2s_launch_pushed(&s2s_kernel_k, 0); }"
    assert host("__global__ void k() { f(); }") == f"void k() {stub}"
    assert host("__global__ void k(void) { f(); }") == f"void k(void) {stub}"


@pytest.mark.parametrize(
    ("param", "name"),
    [
        ("int n", "n"),
        ("const unsigned int n", "n"),
        ("float * __restrict__ x", "x"),
        ("const Point *p", "p"),
        ("struct Node *node", "node"),
        ("geo::Point p", "p"),
        ("Point const *p", "p"),
        ("float (*tile)[16]", "tile"),
        ("int a[]", "a"),
        ("int a[4][4]", "a"),
        ("std::pair<int, float> p", "p"),
        ("int n = 3", "n"),
        ("__grid_constant__ const int n", "n"),
        ("[[maybe_unused]] int n", "n"),
        ("int n [[maybe_unused]]", "n"),
    ],
)
def test_parameter_names(param: str, name: str) -> None:
    assert f"{{(void *)&{name}, (void *)&last}}" in host(f"__global__ void k({param}, int last) {{ }}")


@pytest.mark.parametrize(
    "param", ["int", "unsigned long long", "float *", "const Point", "Point *", "struct Node", "geo::Point", "int []"]
)
def test_unnamed_parameter_gets_a_name(param: str) -> None:
    text = host(f"__global__ void k({param}) {{ }}")
    assert "{(void *)&s2s_param0}" in text
    assert " s2s_param0" in text.split("{")[0]


def test_prototypes_and_qualifiers() -> None:
    assert host("__global__ void k(int);") == "void k(int);"
    assert host('extern "C" __global__ void k(int n);') == 'extern "C" void k(int n);'
    assert host("static __host__ __device__ int f(int x) { return x; }") == "static int f(int x) { return x; }"


@pytest.mark.parametrize(
    "declared",
    [
        "int (*pick(int))(int) {",
        "int (&pick(int))(int) {",
        "int (*pick(int))[3] {",
        "int (*(*pick(int))(int))(int) {",
        "int S::*pick(int) {",
        "int (S::*pick(int))(int) const {",
        "int (pick)(int) {",
        "auto pick(int) -> int (*)(int) {",
        "[[nodiscard]] int pick(int) {",
        "[[nodiscard, maybe_unused]] const int pick [[maybe_unused]] (int) noexcept(true) {",
        "operator int *() const {",
    ],
)
@pytest.mark.parametrize("sides", ["__device__", "__host__ __device__"])
def test_what_follows_a_function_is_left(sides: str, declared: str) -> None:
    assert host(f"{sides} {declared} return 0; }} struct S {{ int k; }};").endswith("struct S { int k; };")
    assert "return 0;" not in host(f"__device__ {declared} return 0; }} int main() {{}}")
    words = host(f"__host__ __device__ {declared} return 0; }} struct S {{ int k; }};").split()
    assert words == f"{declared} return 0; }} struct S {{ int k; }};".split()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("[[nodiscard]] __host__ __device__ int f();", "[[nodiscard]] int f();"),
        ("__host__ [[nodiscard]] __device__ int f();", "[[nodiscard]] int f();"),
        ("__host__ __device__ [[nodiscard]] int f();", "[[nodiscard]] int f();"),
        ("struct S { [[nodiscard]] __device__ S f() { return {}; } };", "[[nodiscard]] inline __attribute__"),
        ("__device__ [[maybe_unused]] alignas(16) int v;", "[[maybe_unused]] alignas(16) extern int v"),
        ("[[maybe_unused]] static __device__ int v;", "[[maybe_unused]] extern int v"),
        ("auto f = [] __host__ __device__ (int x) { return x; };", "auto f = s2s_close<"),
    ],
)
def test_attributes_stay_where_the_compiler_wants_them(text: str, expected: str) -> None:
    assert expected in host(text)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("S<T>::type S<T>::f() {}", "typename S<T>::type S<T>::f() {}"),
        ("inline const S<T>::type *S<T>::f() {}", "inline const typename S<T>::type *S<T>::f() {}"),
        ("a::S<T>::type a::S<T>::f() {}", "typename a::S<T>::type a::S<T>::f() {}"),
        ("S<T>::type S<T>::s = 3;", "typename S<T>::type S<T>::s = 3;"),
        ("typename S<T>::type S<T>::f() {}", "typename S<T>::type S<T>::f() {}"),
        ("S<T> S<T>::f() {}", "S<T> S<T>::f() {}"),
        ("S<T>::S(S<T>::type x) {}", "S<T>::S(S<T>::type x) {}"),
        ("T S<T>::f(S<T> s) { return S<T>::n; }", "T S<T>::f(S<T> s) { return S<T>::n; }"),
    ],
)
def test_typename_is_completed_before_members_of_templates(text: str, expected: str) -> None:
    assert host(f"template <class T> {text}") == f"template <class T> {expected}"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("struct S { using box = box<T>; };", "struct S { using box = ::ns::box<T>; };"),
        ("struct S { typedef const box<T> box; };", "struct S { typedef const ::ns::box<T> box; };"),
        (
            "struct S { box<T> a; int f() { box<T> b; } int box; };",
            "struct S { ::ns::box<T> a; int f() { box<T> b; } int box; };",
        ),
        ("struct S { foo foo; };", "struct S { ::ns::foo foo; };"),
        ("struct alignas(8) box { static box box(box b); };", "struct alignas(8) box { static box box(box b); };"),
        ("struct S { int foo(foo f); };", "struct S { int foo(::ns::foo f); };"),
        ("struct S { struct N { using foo = foo; }; };", "struct S { struct N { using foo = ::ns::foo; }; };"),
        (
            "struct S { using foo = int; struct N { foo foo; }; };",
            "struct S { using foo = int; struct N { foo foo; }; };",
        ),
        ("struct S { foo(foo f); };", "struct S { foo(foo f); };"),
        ("struct box { explicit box(box b); };", "struct box { explicit box(box b); };"),
        (
            "struct S { int f(foo f) { foo foo; return foo.a; } };",
            "struct S { int f(foo f) { foo foo; return foo.a; } };",
        ),
        ("struct S { int n = sizeof(foo) * foo(3); };", "struct S { int n = sizeof(foo) * foo(3); };"),
        ("struct S { friend foo foo(int); };", "struct S { friend foo foo(int); };"),
    ],
)
def test_types_keep_their_meaning_in_classes(text: str, expected: str) -> None:
    head = "namespace ns { template <class T> struct box; struct foo; template <class T> "
    assert host(f"{head}{text} }}") == f"{head}{expected} }}"


def test_device_functions_named_from_the_global_namespace_are_declared(tmp_path: Path) -> None:
    text = """
    template <class T> __host__ __device__ void grow(T *x, T e) { ::atomicMin(x, e); T y = ::__ldg(x); (void)y; }
    namespace n { __host__ __device__ inline int twice(int x) { return 2 * x; } }
    __global__ void k(int *x) { grow(x, n::twice(2)); }
    int main() { k<<<1, 1>>>(nullptr); }"""
    compile_host(tmp_path, text)
    assert "T atomicMin(T *, A...)" in split_text(text).text
    assert "atomicMin(T" not in split_text("__global__ void k(int *x) { ::atomicMin(x, 1); }").text


def test_noinline_is_an_attribute() -> None:
    assert host("__host__ __device__ __noinline__ int f(int);") == "__attribute__((noinline))int f(int);"
    text = "__attribute__((__noinline__, used)) int f(int);"
    assert host(text) == text


def test_launch_bounds_vanish() -> None:
    assert host("__global__ void __launch_bounds__(128, 2) k(int);") == "void k(int);"
    assert host("__launch_bounds__(N) __global__ void k(int);") == "void k(int);"


def test_device_functions_vanish_and_lines_stay() -> None:
    text = "int a;\n__device__ int f(int x) {\n  #pragma unroll\n  return x; }\n__device__ int g(int);\nint b;\n"
    lines = split_text(text).text.split("\n")[1:]
    assert [line.strip() for line in lines] == ["int a;", "", "", "", "", "int b;", ""]


def test_device_methods_stay_declared() -> None:
    text = "struct V { float x; __device__ float f() const { return x; } __host__ __device__ V(float a) : x(a) {} };"
    body = '{ s2s_not_on_host("f"); }'
    words = """__attribute__((warning("host code calls 'f', a __device__ function")))"""
    assert host(text) == f"struct V {{ float x; inline {words} float f() const {body}V(float a) : x(a) {{}} }};"


def test_markers_inside_a_body_survive() -> None:
    text = '__global__ void k() {\n  f();\n# 9 "t.cu"\n  g();\n}\nint a;\n'
    assert '# 9 "t.cu"\n' in split_text(text).text


def test_static_kernels_have_a_symbol_of_their_own() -> None:
    symbol = kernel_symbol("k", "t.cu", static=True)
    assert symbol in host("static __global__ void k() { }")
    assert symbol in host("__global__ static void k() { }")


def test_system_headers_are_left_alone() -> None:
    text = '# 1 "t.cu"\n# 1 "/usr/include/h.h" 1 3\nint f(int *__global);\n# 2 "t.cu" 2\n__device__ int g();\n'
    result = split(text, Source("t.cu", "")).text
    assert "int f(int *__global);" in result
    assert "g" not in result.split("2\n")[-1]


def test_system_headers_with_qualifiers_are_of_cuda() -> None:
    """A library's header calls itself one by `#pragma GCC system_header`, as those of libcu++ do."""
    text = '# 1 "t.cu"\n# 1 "h.h" 1 3\n__host__ __device__ int f();\n__device__ int g();\n# 2 "t.cu" 2\nint h;\n'
    result = split(text, Source("t.cu", "")).text
    assert re.search(r"\n +int f\(\);", result)
    assert "g()" not in result
    assert "__host__" not in result


def test_expansions_of_system_macros_are_the_users() -> None:
    text = (
        '# 1 "t.cu"\n__global__ void k(int n) { }\nint main() { \n# 3 "t.cu" 3 4\n (k<<<1, 2>>>(3));\n# 3 "t.cu"\n }\n'
    )
    result = split(text, Source("t.cu", "")).text
    assert re.search(r'\(s2s_push_call\(\n# 3 "t.cu" 3 4\n {6}1, 2\)', result)


# ----------------------------------------------------------------------------------------------- classes

CLASSES = """
#include <cstdio>
#include <type_traits>
#include <utility>
struct Base {
    virtual __host__ __device__ ~Base() {}
    __device__ virtual float eval(float x) const = 0;
    __device__ virtual int id() const { return threadIdx.x; }
};
class Poly : public Base {
  public:
    __host__ __device__ Poly() : c{1, 2}, n{0} {}
    __device__ Poly(int a, float *p) : c{a, threadIdx.x}, n(a), q{p} { __syncthreads(); }
    __host__ __device__ explicit Poly(float x) noexcept : Poly() { c[0] = x; }
    __device__ Poly(const Poly &o, int) : Poly(o) {}
    Poly(const Poly &) = default;
    Poly &operator=(const Poly &) = default;
    __device__ ~Poly() { atomicAdd(q, 1.f); }
    __device__ float eval(float x) const override { return c[0] + __shfl_sync(~0u, x, 0); }
    __device__ int id() const final { return 3; }
    float operator[](int i) const { return c[i]; }
    __device__ float &operator[](int i) { return c[i + threadIdx.x]; }
    __device__ float operator()(float x, float y = 3) const { return eval(x) + y; }
    __host__ __device__ operator bool() const { return n > 0; }
    __device__ explicit operator int() const { return n; }
    __device__ friend Poly operator+(const Poly &a, const Poly &) { return a; }
    friend __host__ __device__ bool operator==(const Poly &a, const Poly &b) { return a.n == b.n; }
    __device__ auto deduced() const { return threadIdx.x; }
    __device__ auto trailing() const -> decltype(std::declval<float>() + 1) { return 1; }
    __device__ static int count(int x) { return x + blockDim.x; }
    static __host__ __device__ constexpr int square(int x) { return x * x; }
    template <class T> __device__ T get(T x) const { return x + threadIdx.x; }
    template <class T, int N = 3> __host__ __device__ T both(T x) const {
#ifdef __CUDA_ARCH__
        return x + threadIdx.x;
#else
        return x + N;
#endif
    }
    struct Inner {
        int a;
        __device__ int f() { return atomicAdd(&a, 1); }
        __host__ __device__ int g() { return a; }
    };
    __device__ int later(int x);
    __device__ void nothing() = delete;

  private:
    float c[2];
    int n;
    float *q = nullptr;
};
__device__ int Poly::later(int) { return threadIdx.x; }
template <class T> class Box {
    T t;

  public:
    __host__ __device__ Box(T t) : t(t) {}
    __device__ Box();
    __device__ T load() const { return __ldg(&t); }
    T host() const;
    __device__ T outside(T x) const;
    template <class U> __device__ U convert() const;
};
template <class T> __device__ Box<T>::Box() : t(threadIdx.x) {}
template <class T> T Box<T>::host() const { return t; }
template <class T> __device__ T Box<T>::outside(T x) const { return x * threadIdx.x; }
template <class T> template <class U> __device__ U Box<T>::convert() const { return U(t); }
template <> struct Box<bool> { __device__ bool load() { return __any_sync(~0u, 1); } };
template <class T> struct Twice : Box<T> {
    using Box<T>::Box;
    __device__ T twice() const { return 2 * this->load(); }
};
template <class T> __device__ T reduce(T) { __shared__ T s[32]; return s[0]; }
template <> __device__ float reduce<float>(float x) { return x; }
template <class T> using Reduced = decltype(reduce(std::declval<T>()));
template <class T> __device__ Nowhere unseen(T x) { __shared__ T s[32]; return s[0]; }
template <class T> constexpr T pi = T(3.14159);
template <class T> __device__ constexpr T third = T(1) / 3;
constexpr __host__ __device__ int cube(int x) { return x * x * x; }
struct Times {
    int k;
    __host__ __device__ int operator()(int x) const { return x * k; }
};
template <class F> struct HasLoad {
    template <class U> static auto test(int) -> decltype(std::declval<U>().load(), std::true_type());
    template <class> static std::false_type test(...);
    static constexpr bool value = decltype(test<F>(0))::value;
};
union Bits {
    int i;
    float f;
    __device__ void set(float x) { f = x + threadIdx.x; }
};
enum class Op { add, mul };
template <Op O> struct Apply;
template <> struct Apply<Op::add> { __device__ static float run(float a, float b) { return __fadd_rn(a, b); } };
namespace util {
namespace { __device__ inline int helper() { return threadIdx.x; } }
__host__ __device__ inline int calls_helper(int x) { return x > 0 ? 2 : helper(); }
}
static_assert(HasLoad<Box<int>>::value && !HasLoad<Times>::value && std::is_same<Reduced<int>, int>::value, "");
static_assert(sizeof(Box<double>) == 8 && sizeof(Poly) == 32 && Poly::square(3) == 9 && cube(2) == 8, "");
int main(int argc, char **) {
    Poly p(2.5f);
    const Poly &q = p;
    Bits bits;
    bits.i = 5;
    printf("%g %d %g %d %d %d\\n", q[0], p.both(4), Box<int>(3).host() + pi<float>, bits.i, Times{4}(2), p == q);
    printf("%d\\n", util::calls_helper(argc - 1));
}
"""


@pytest.mark.parametrize("cxx", COMPILERS)
def test_classes_compile_for_the_host(tmp_path: Path, cxx: str) -> None:
    flags = HostFlags(standard="c++17", compile_args=("-Wall", "-Wno-attribute-warning"))
    _, made = compile_host(tmp_path, CLASSES, flags, cxx)
    program = tmp_path / "program"
    Toolchain((cxx,), runtime.native_dir()).link([str(made)], program, HostFlags())
    done = subprocess.run([str(program), "more"], capture_output=True, text=True)
    assert done.stdout == "2.5 7 6.14159 5 8 1\n2\n"
    done = subprocess.run([str(program)], capture_output=True, text=True)
    assert done.stderr == "simt2simd: host code called 'helper', a __device__ function\n"


def test_device_functions_that_host_code_names_stay_declared() -> None:
    text = "__device__ int f(int x) { return x; } __device__ int g(int x) { return x; }\nauto h = wrapped<f>;"
    assert "int f(int x) { (void)x; s2s_not_on_host" in host(text)
    assert "int g" not in host(text)


# --------------------------------------------------------------------------------------------- launches

KERNEL = "__global__ void k(int n); __global__ void e(); "


@pytest.mark.parametrize(
    ("launch", "call"),
    [
        ("k<<<1, 2>>>(3);", "(s2s_push_call(1, 2) ? (void)0 : k(3));"),
        ("e<<<1, 2>>>();", "(s2s_push_call(1, 2) ? (void)0 : e());"),
        ("k <<< g, b, 4, s >>> (3);", "(s2s_push_call(g, b, 4, s ) ? (void)0 : k(3));"),
        ("k<<<n >> 1, m << 2>>>(3);", "(s2s_push_call(n >> 1, m << 2) ? (void)0 : k(3));"),
        ("k<<<n>>1,m>>2>>>(3);", "(s2s_push_call(n>>1,m>>2) ? (void)0 : k(3));"),
        ("k<<<dim3(1, 2), {3, 4}>>>(3);", "(s2s_push_call(dim3(1, 2), {3, 4}) ? (void)0 : k(3));"),
        ("k<<<f(a, b)[0], size<A<B>>>>(3);", "(s2s_push_call(f(a, b)[0], size<A<B>) ? (void)0 : k(3));"),
        ("if (x) k<<<1, 2>>>(3); else e<<<1, 2>>>();", None),
        ("x ? k<<<1, 2>>>(3) : e<<<1, 2>>>();", None),
        ("::k<<<1, 2>>>(3);", "(s2s_push_call(1, 2) ? (void)0 : ::k(3));"),
        ("ns::k<<<1, 2>>>(3);", "(s2s_push_call(1, 2) ? (void)0 : ns::k(3));"),
        ("t<int, 4><<<1, 2>>>(3);", "(s2s_push_call(1, 2) ? (void)0 : t<int, 4>(3));"),
        ("t<int, (1 << 3) + 1><<<1, 2>>>(3);", "(s2s_push_call(1, 2) ? (void)0 : t<int, (1 << 3) + 1>(3));"),
        ("(*kernel)<<<1, 2>>>(3);", "(s2s_push_call(1, 2) ? (void)0 : (*kernel)(3));"),
        ("table[i]<<<1, 2>>>(3);", "(s2s_push_call(1, 2) ? (void)0 : table[i](3));"),
        ("if (x) (*kernel)<<<1, 2>>>(3);", "if (x) (s2s_push_call(1, 2) ? (void)0 : (*kernel)(3));"),
        ("s.k<<<1, 2>>>(3);", "(s2s_push_call(1, 2) ? (void)0 : s.k(3));"),
    ],
)
def test_launch_becomes_call(launch: str, call: str | None) -> None:
    text = host(f"{KERNEL} void f() {{ {launch} }}")
    assert "<<<" not in text
    if call is not None:
        assert call in text
    else:
        assert "(s2s_push_call(1, 2) ? (void)0 : k(3))" in text and "(s2s_push_call(1, 2) ? (void)0 : e())" in text


def test_launch_over_several_lines_keeps_them() -> None:
    text = f"{KERNEL}\nvoid f() {{\n  k\n  <<<1,\n  2>>>\n  (3\n  );\n  int last; }}\n"
    assert lines(text)[8] == "  int last; }"


def test_what_follows_a_launch_or_a_kernel_keeps_its_column() -> None:
    text = f"{KERNEL}\n__global__ void o() {{ }} int first;\nvoid f() {{\n  k<<<1, 2>>>(nothing); int second; }}\n"
    for name, line in (("first", 2), ("second", 4)):
        assert lines(text)[line].index(name) == text.split("\n")[line - 1].index(name)


def test_strings_and_stream_operators_are_no_launches() -> None:
    text = 'auto s = "k<<<1, 2>>>(3)", r = R"x(k<<<1,2>>>(3)\n")x"; int c = \'"\'; void f() { o << a << 1\'000 << b; }'
    assert host(text) == " ".join(text.split())
    text = "struct S { template <class T> S &operator<<<T>(T x); };"
    assert host(text) == text


def test_launch_inside_a_kernel_is_not_host_code() -> None:
    assert "s2s_push_call" not in host(f"{KERNEL} __global__ void outer() {{ k<<<1, 2>>>(3); }}")


@pytest.mark.parametrize(
    "before",
    [
        "template <int n, bool t = false> int f(int a) { return a; }",
        "template <> float g<3>(float x) { return x; }",
        "template <class T> V<T>::operator bool() const { return true; }",
        "V<int>::V(int n = 3) : a{n}, b(n) { }",
        "auto f = [](int a) { return a; };",
        "int a[] = {1, 2}, b{3};",
        "ODD(1) { }",
    ],
)
def test_a_kernel_is_found_after(before: str) -> None:
    assert list(split_text(f"{before}\n__global__ void k(int n) {{ }}\n").kernels) == ["k"]


def test_no_kernel_becomes_a_host_function_in_silence() -> None:
    text = "int a = __global__ void k(int n) { a = n; }\n"
    assert "t.cu:1:9: error: '__global__' begins no declaration of a function" in faults(text)


# --------------------------------------------------------------------------------------------- messages


def test_kernel_called_as_a_function() -> None:
    assert faults("__global__ void k(int n) { }\nint main() {\n  k(3);\n}") == (
        "t.cu:3:3: error: a kernel cannot be called as a function: 'k'\n"
        "    3 |   k(3);\n"
        "      |   ^\n"
        "t.cu:1:17: note: 'k' is declared here\n"
        "    1 | __global__ void k(int n) { }\n"
        "      |                 ^\n"
        "help: launch it: k<<<grid, block>>>(...)"
    )


def test_device_function_called_by_the_host() -> None:
    text = faults("__device__ int f(int n) { return n; }\nint main() {\n  return f(3);\n}")
    assert "t.cu:3:10: error: host code cannot call 'f', a __device__ function" in text
    assert "help: declare it `__host__ __device__`" in text


def test_a_member_of_a_class_is_not_what_the_host_calls(tmp_path: Path) -> None:
    text = """
    struct Sums { __device__ static int before(int n) { return n; } };
    __global__ void k(int *p) { *p = Sums::before(1); }
    struct One { int n; One(int n) : n(n) {} };
    int main() { One sums(1), before(2); return sums.n + before.n; }"""
    compile_host(tmp_path, text)


@pytest.mark.parametrize(
    ("launch", "message"),
    [
        ("k<<<1, 2>>>();", "too few arguments to 'k': 0 given, 1 expected"),
        ("k<<<1, 2>>>(1, f(2, 3));", "too many arguments to 'k': 2 given, 1 expected"),
        ("k<<<1>>>(1);", "an execution configuration has 2 to 4 arguments: 1 given"),
        ("k<<<1, 2, 3, 4, 5>>>(1);", "an execution configuration has 2 to 4 arguments: 5 given"),
        ("k<<<1, 2>>(1);", "no '>>>' ends the execution configuration that '<<<' begins"),
        ("k<<<1, 2>>> 3;", "expected '(' and the kernel's arguments after '>>>'"),
        ("4<<<1, 2>>>(3);", "expected the name of a kernel before '<<<'"),
        ("g<<<1, 2>>>(3);", "only a kernel can be launched: 'g' is not declared __global__"),
    ],
)
def test_bad_launches(launch: str, message: str) -> None:
    assert f"t.cu:3:3: error: {message}\n" in faults(f"{KERNEL} void g(int n);\nvoid f() {{\n  {launch}\n}}")


@pytest.mark.parametrize(("comment", "places"), [("", ("2:28", "2:43")), ("/* k */", ("2", "2"))])
def test_faults_on_one_line_have_their_columns(comment: str, places: tuple[str, str]) -> None:
    text = f"{KERNEL}\nvoid f() {{ k<<<1, 2>>>(1); k<<<1, 2>>>(); k(2); }}"
    with pytest.raises(CompileError) as caught:
        split(f'# 1 "t.cu"\n{text}', Source("t.cu", f"{text} {comment}"))
    few, called = places
    assert f"t.cu:{few}: error: too few" in str(caught.value)
    assert f"t.cu:{called}: error: a kernel cannot be called" in str(caught.value)


def test_independent_faults_come_together() -> None:
    text = faults(f"{KERNEL}\nvoid f() {{\n  k<<<1, 2>>>();\n  e();\n}}")
    assert text.count("error:") == 2


@pytest.mark.parametrize(
    "body",
    [
        "auto k = [](int a, int b) {}; k(1, 2);",
        "int (*g)(int) = h; g<<<1, 2>>>(3);",
        "s.k(1); p->k(1); std::k(1);",
        "void (*pointer)(int) = k; pointer<<<1, 2>>>(3);",
        "call(k);",
        "void k(int);",
    ],
)
def test_names_that_hide_a_kernel_are_left_to_the_compiler(body: str) -> None:
    host(f"{KERNEL} void g(int); void f() {{ {body} }}")


def test_template_commas_do_not_count_as_arguments() -> None:
    host(f"{KERNEL} void f() {{ k<<<1, 2>>>(g<int, 3>(4)); }}")


# -------------------------------------------------------------------------------------------- variables


def label(name: str) -> str:
    return f'__asm__("{variable_symbol(name, "t.cu")}")'


def list_size(element: str, values: str, shape: str = "[ ]") -> str:
    return f"sizeof(s2s_array<{element} {shape}>{values}) / sizeof(s2s_element<{element} {shape}>::type)"


VARIABLES = {
    "__constant__ float c[4];": f"extern float c[4] {label('c')};",
    "static __device__ int n = 3;": f"extern int n {label('n')} ;",
    "__device__ static int n{3};": f"extern int n {label('n')} ;",
    "volatile __managed__ int n(3);": f"volatile extern int n {label('n')} ;",
    "__device__ __managed__ double d = f(1, 2), *p = &d, e;": (
        f"extern double d {label('d')} , *p {label('p')} , e {label('e')};"
    ),
    "extern __device__ unsigned long u;": f"extern unsigned long u {label('u')};",
    "__constant__ const int *p;": f"extern const int *p {label('p')};",
    "__device__ int (*rows)[4], *heads[2][3];": (
        f"extern int (*rows)[4] {label('rows')}, *heads[2][3] {label('heads')};"
    ),
    "__device__ void (*f)(int, float) = nullptr;": f"extern void (*f)(int, float) {label('f')} ;",
    "__device__ T<int, 2> t, s = {1, 2};": f"extern T<int, 2> t {label('t')}, s {label('s')} ;",
    "__device__ n::T t;": f"extern n::T t {label('t')};",
    "__device__ struct { int x; } s = {1};": f"extern struct s2s_type_s {{ int x; }} s {label('s')} ;",
    "__device__ struct P { int x; } s[2];": f"extern struct P {{ int x; }} s[2] {label('s')};",
    "__device__ char b[8] __attribute__((aligned(16)));": (
        f"extern char b[8] {label('b')} __attribute__((aligned(16)));"
    ),
    "__constant__ float t[] = {1, 2};": f"extern float t[{list_size('float', '{ 1 , 2 }')}] {label('t')} ;",
    "__device__ int t[][2]{{1, 2}};": (
        f"extern int t[{list_size('int', '{ { 1 , 2 } }', '[ ] [ 2 ]')}][2] {label('t')} ;"
    ),
    "namespace a { __device__ int n; }": f"namespace a {{ extern int n {label('a.n')}; }}",
}


@pytest.mark.parametrize("text", VARIABLES)
def test_variables_of_kernels_are_declared(text: str) -> None:
    assert host(text).replace(" ", "") == VARIABLES[text].replace(" ", "")


CONSTANTS = (
    "__constant__ const float c[] = {1, 2};",
    "__device__ constexpr int n = 3;",
    "__device__ int *const p = nullptr;",
    "static const __device__ int n = 3;",
    "__device__ constexpr C c;",
)


@pytest.mark.parametrize("text", CONSTANTS)
def test_constants_stay_on_the_host(text: str) -> None:
    assert host(text) == " ".join(re.sub("__constant__|__device__", "", text).split())


def test_variables_are_reported() -> None:
    text = "__device__ int a, *b;\nextern __device__ int c;\n__constant__ const int d = 1;\n__global__ void k(int e) {}"
    assert {name: (span.line, span.column) for name, span in split_text(text).variables.items()} == {
        "a": (1, 16),
        "b": (1, 20),
    }


def test_words_of_declarations_for_the_device() -> None:
    part = split_text("__device__ int a[2] = {b};\nstatic __constant__ T<c> d;\nint e;\n__global__ void k(int f) {}")
    assert {"a", "c", "d"} <= part.marked
    assert not part.marked & {"e", "f", "k"}


def test_a_variable_keeps_its_lines() -> None:
    text = "__device__ int a[2] = {\n  1,\n  2\n};\nint b;"
    assert lines(text)[5] == "int b;"
