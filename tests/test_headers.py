"""The device versions of the standard headers: what g++ says of the real ones is what ours say."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

import numpy as np
import pytest
from front import module, parsed
from host_programs import run_host

from simt2simd import RawKernel, runtime
from simt2simd.diag import CompileError
from simt2simd.frontend.parse.cxx import Body, Namespace
from simt2simd.frontend.parse.parse import ParsedItem, parse
from simt2simd.frontend.sema.module import check
from simt2simd.frontend.text.header_macros import MACROS_OF
from simt2simd.frontend.text.headers import COMPILER, LIBRARIES, Piece, header, headers, headers_of_the_host
from simt2simd.frontend.text.preprocess import preprocess
from simt2simd.lang.concepts import STANDARD_CONCEPTS
from simt2simd.options import Options
from simt2simd.source import Source

INCLUDES = "".join(f"#include <{name}>\n" for name in sorted(headers()))
OF_GXX = INCLUDES.replace("#include <mdspan>\n", "")  # those that g++ has
ON_THE_HOST = "#define __global__\n#define __device__\nstatic struct { int x; } threadIdx;\n"

DECLARED = """
struct Empty {}; struct Base { int a; }; struct Derived : Base { float b; };
struct Made { int x; __device__ Made(int n) : x(n) {} };
struct Destroyed { int x; __device__ ~Destroyed() {} };
struct Fixed { const int x; Fixed &operator=(const Fixed &) = delete; };
union Either { int i; float f; };
enum Plain { one }; enum class Small : unsigned char { two };
"""

TYPES = (
    """
void|bool|char|signed char|unsigned short|int|const int|volatile long|const volatile unsigned|float|double|long long
int *|const char *|int *const|void *|int[3]|int[2][4]|const float[2]|int &|const int &|int &&|Base|Derived|Empty|Made
Destroyed|Fixed|Either|Plain|Small|const Base|Base *|Base &|int (*)(float)
""".replace("\n", "|")
    .strip("|")
    .split("|")
)

QUESTIONS = """
void integral floating_point arithmetic pointer array enum class union function signed unsigned const volatile empty
polymorphic trivially_copyable trivially_destructible reference lvalue_reference rvalue_reference scalar object compound
fundamental destructible default_constructible copy_constructible move_constructible copy_assignable move_assignable
trivial abstract trivially_default_constructible trivially_copy_constructible trivially_copy_assignable
""".split()

MADE = """
remove_const remove_volatile remove_cv remove_reference remove_pointer remove_extent remove_all_extents add_const
add_volatile add_cv add_pointer add_lvalue_reference add_rvalue_reference decay remove_cvref_t
""".split()

PAIRS = [(a, b) for a in TYPES[::2] for b in TYPES[1::3]]

LIMITS = """
is_specialized is_signed is_integer is_exact has_infinity has_quiet_NaN is_iec559 is_bounded is_modulo digits digits10
max_digits10 radix min_exponent min_exponent10 max_exponent max_exponent10 traps max() min() lowest() epsilon()
round_error() denorm_min() infinity()
""".split()

NUMBERS = (
    """
bool|char|signed char|unsigned char|short|unsigned short|int|unsigned|long|unsigned long|long long|unsigned long long
float|double
""".replace("\n", "|")
    .strip("|")
    .split("|")
)


def answers(expressions: list[str], folder: Path) -> list[str]:
    """Return the values of integer constant expressions, as g++ sees them with the real headers."""
    lines = "\n".join(f'printf("%lld\\n", (long long)({text}));' for text in expressions)
    (folder / "t.cpp").write_text(f"#include <cstdio>\n{OF_GXX}{ON_THE_HOST}{DECLARED}int main() {{\n{lines}\n}}\n")
    subprocess.run(["g++", "-std=c++17", "-w", "-o", folder / "t", folder / "t.cpp"], check=True)
    return subprocess.run([folder / "t"], check=True, capture_output=True, text=True).stdout.split()


def require_same(expressions: list[str], folder: Path) -> None:
    values = answers(expressions, folder)
    # In C++, the least long long is no literal.
    asserts = [
        f"static_assert((long long)({text}) == {value}LL);" for text, value in zip(expressions, values, strict=True)
    ]
    asserts = [line.replace("-9223372036854775808LL", "(-9223372036854775807LL - 1)") for line in asserts]
    module(f"{INCLUDES}{DECLARED}__global__ void k() {{\n" + "\n".join(asserts) + "\n}\n")


def test_every_trait_of_every_type_is_that_of_the_host(tmp_path: Path) -> None:
    asked = [f"std::is_{question}_v<{ctype}>" for question in QUESTIONS for ctype in TYPES]
    asked += [f"std::is_{question}<int>::value" for question in QUESTIONS]
    require_same(asked, tmp_path)


def test_traits_of_two_types_are_those_of_the_host(tmp_path: Path) -> None:
    kinds = ("same", "convertible", "constructible", "assignable")
    asked = [f"std::is_{kind}_v<{a}, {b}>" for kind in kinds for a, b in PAIRS]
    asked += [f"std::is_base_of_v<{a}, {b}>" for a in ("Base", "Derived", "int") for b in ("Base", "Derived", "float")]
    require_same(asked, tmp_path)


def test_types_made_of_types_are_those_of_the_host(tmp_path: Path) -> None:
    made = [f"std::{name}<{ctype}>::type" for name in MADE if name != "remove_cvref_t" for ctype in TYPES]
    asked = [
        f"std::is_same_v<{one}, {ctype}>" for one in made for ctype in ("int", "const int", "int &", "Base", "int *")
    ]
    asked += ["std::is_same_v<std::make_unsigned_t<const int>, const unsigned>", "std::rank_v<int[2][3]>"]
    asked += ["std::is_same_v<std::make_signed_t<unsigned long long>, long long>", "std::extent_v<int[2][3], 1>"]
    asked += ["std::is_same_v<std::common_type_t<int, float, double>, double>", "std::extent_v<int[2][3]>"]
    asked += ["std::is_same_v<std::underlying_type_t<Small>, unsigned char>", "std::conjunction_v<std::is_void<void>>"]
    asked += ["std::is_same_v<std::conditional_t<true, int, float>, int>", "std::alignment_of_v<double>"]
    asked += ["std::disjunction_v<std::is_void<int>, std::is_same<int, int>>", "std::negation_v<std::is_void<int>>"]
    asked += ["std::is_same_v<decltype(std::make_index_sequence<3>()), std::index_sequence<0, 1, 2>>"]
    asked += ["std::is_invocable_v<std::plus<int>, int, int>", "std::is_invocable_v<std::plus<int>, Base>"]
    require_same(asked, tmp_path)


def test_limits_are_those_of_the_host(tmp_path: Path) -> None:
    constants = [limit for limit in LIMITS if not limit.endswith(")")]
    require_same([f"std::numeric_limits<{number}>::{limit}" for number in NUMBERS for limit in constants], tmp_path)


def test_least_and_greatest_integers_are_those_of_the_host(tmp_path: Path) -> None:
    functions = [limit for limit in LIMITS if limit.endswith(")")]
    asked = [f"std::numeric_limits<{n}>::{limit}" for n in NUMBERS[:-2] for limit in functions]
    lines = "".join(f"out[{at}] = {text};\n" for at, text in enumerate(asked))
    out = np.zeros(len(asked), np.int64)
    RawKernel(f"{INCLUDES}__global__ void k(long long *out) {{ {lines} }}", "k")((1,), (1,), (out,))
    assert out.tolist() == [int(value) for value in answers(asked, tmp_path)]


def test_limits_of_floats_are_those_of_the_host() -> None:
    names = ("max", "min", "lowest", "epsilon", "round_error", "denorm_min", "infinity")
    for ctype, kind in (("float", np.float32), ("double", np.float64)):
        info = np.finfo(kind)
        lines = "".join(f"out[{at}] = std::numeric_limits<{ctype}>::{name}();" for at, name in enumerate(names))
        out = np.zeros(len(names), kind)
        RawKernel(f"#include <limits>\n__global__ void k({ctype} *out) {{ {lines} }}", "k")((1,), (1,), (out,))
        wanted = [info.max, info.tiny, info.min, info.eps, 0.5, info.smallest_subnormal, np.inf]
        assert out.tolist() == np.array(wanted, kind).tolist()


FUNCTIONS = r"""
struct Both { int a; float b; };
enum class Small : unsigned char { one = 1, two };
template <class T> __device__ T sum_of(const T *p, int n) { return std::accumulate(p, p + n, T(0)); }
template <class F, class... A>
__device__ auto call(F f, A... a) -> typename std::invoke_result<F, A...>::type { return f(a...); }
template <std::size_t... I> __device__ int picks(const int *p, std::index_sequence<I...>) { return (p[I] + ... + 0); }
__global__ void k(float *out, int n) {
  int i = threadIdx.x, at = 0;
  int v[8] = {5, 3, 8, 1, 9, 2, 7, 4};
  out[at++] = std::min(i, 3) + std::max(2, 7) + std::max(1.5f, 0.5f);
  out[at++] = std::min(4, 2, std::greater<int>()) + std::clamp(9, 1, 5);
  int a = 1, b = 2; std::swap(a, b); out[at++] = a * 10 + b;
  out[at++] = std::exchange(a, 7) + a;
  std::sort(v, v + 8); out[at++] = v[0] * 100 + v[3] * 10 + v[7];
  out[at++] = std::lower_bound(v, v + 8, 4) - v; out[at++] = std::upper_bound(v, v + 8, 4) - v;
  std::sort(v, v + 8, std::greater<>()); out[at++] = v[0];
  out[at++] = std::numeric_limits<float>::max() > 1e38f; out[at++] = std::numeric_limits<int>::digits;
  out[at++] = std::isinf(std::numeric_limits<float>::infinity());
  out[at++] = std::numeric_limits<unsigned char>::max() + std::numeric_limits<short>::min();
  auto p = std::make_pair(3, 2.5f); out[at++] = p.first + p.second;
  auto [x, y] = p; out[at++] = x * y;
  std::array<int, 4> arr = {1, 2, 3, 4}; out[at++] = arr.size() + arr[2] + std::get<1>(arr);
  int s = 0; for (int e : arr) s += e; out[at++] = s;
  out[at++] = std::abs(-3) + std::abs(-2.5f) + std::fabs(-1.0f) + std::pow(2.0f, 3.0f);
  out[at++] = std::sqrt(16.f) + std::floor(2.7f) + std::fmod(7.f, 4.f);
  out[at++] = picks(v, std::make_index_sequence<3>());
  out[at++] = call(std::plus<int>(), 3, 4); out[at++] = sum_of(v, 8);
  out[at++] = std::gcd(12, 18) + std::lcm(4, 6);
  out[at++] = std::count_if(v, v + 8, [](int e) { return e > 4; }); out[at++] = *std::max_element(v, v + 8);
  std::fill(v, v + 8, 3); out[at++] = std::accumulate(v, v + 8, 0);
  std::iota(v, v + 8, 1); std::reverse(v, v + 8); out[at++] = v[0];
  out[at++] = static_cast<std::underlying_type_t<Small>>(Small::two);
  unsigned w = std::numeric_limits<unsigned>::max(); out[at++] = w >> 24;
  std::pair<int, int> u(1, 2), z(1, 3); out[at++] = u < z; out[at++] = u == z;
  std::common_type_t<int, float> c = 1.5f; out[at++] = c;
  out[at++] = *std::next(std::begin(v)) + std::distance(std::begin(v), std::end(v)) + std::size(v);
  Both both = std::move(Both{1, 2.f}); out[at++] = both.b;
  out[at++] = at;
}
"""


def test_functions_give_what_they_give_on_the_host(tmp_path: Path) -> None:
    out = np.zeros(64, np.float32)
    RawKernel(INCLUDES + "#include <cmath>\n" + FUNCTIONS, "k")((1,), (1,), (out, np.int32(64)))
    main = 'int main() { float out[64] = {}; k(out, 64); for (float x : out) printf("%.9g\\n", x); }'
    text = f"#include <cstdio>\n#include <cmath>\n{OF_GXX}{ON_THE_HOST}{FUNCTIONS}{main}\n"
    (tmp_path / "t.cpp").write_text(text)
    subprocess.run(["g++", "-std=c++17", "-w", "-o", tmp_path / "t", tmp_path / "t.cpp"], check=True)
    printed = subprocess.run([tmp_path / "t"], check=True, capture_output=True, text=True).stdout.split()
    assert out.tolist() == [np.float32(value) for value in printed]


def test_all_of_the_text_is_well_formed() -> None:
    for name in headers() | headers_of_the_host() | {COMPILER}:
        program = parsed(f"#include <{name}>\n")
        for piece in header(name)[1]:
            items = program.library.items_of(piece)
            assert items
            for body in (body for item in items for body in bodies_in(item.nodes)):
                body.items()
                assert body.faults == []


def bodies_in(nodes: Iterable[object]) -> Iterator[Body]:
    for node in nodes:
        if isinstance(node, Namespace):
            yield from (body for item in node.items if isinstance(item, ParsedItem) for body in bodies_in(item.nodes))
        elif isinstance(node, Body):
            yield node
        else:
            yield from bodies_in(child for _, child in getattr(node, "children", tuple)())


def test_a_piece_that_the_parser_cannot_read_is_a_fault_of_the_compiler() -> None:
    """What device code may call must not become the host's without a word: a function, one in a namespace, a member."""
    faulty = (
        "__host__ __device__ constexpr int f(int ]) { return 1; }",
        "namespace inner {\n  __host__ __device__ constexpr int f(int ]) { return 1; }\n}",
        "struct f {\n  __host__ __device__ int g(int ]) { return 1; }\n};",
        "template <class T>\nstruct f {\n  struct inner {\n    __device__ f(int ]) {}\n  };\n};",
    )
    for text in faulty:
        source = Source("<own>", text, library=True)
        piece = Piece(source, text, 1, ("f",), frozenset(), frozenset(), frozenset(), ())
        with pytest.raises(AssertionError, match="the compiler's own <own> is faulty"):
            parsed("").library.items_of(piece)


def test_a_header_that_is_not_used_is_not_parsed() -> None:
    program = parsed(f"{INCLUDES}__global__ void k(int *p) {{ *p = 1; }}")
    check(program)
    assert program.library.parsed_items == 0


def test_only_what_is_used_is_parsed() -> None:
    program = parsed(f"{INCLUDES}__global__ void k(int *p) {{ *p = std::is_same_v<int, float>; }}")
    check(program)
    assert program.library.parsed_items <= 4


def test_names_of_cuda_std_are_those_of_std() -> None:
    text = """
    #include <cuda/std/type_traits>
    #include <cuda/std/utility>
    namespace other = cuda::std;
    __global__ void k(int *p) {
      static_assert(cuda::std::is_same_v<cuda::std::decay_t<int &>, other::remove_reference_t<int &>>);
      cuda::std::swap(p[0], p[1]);
    }"""
    out = np.array([1, 2], np.int32)
    RawKernel(text, "k")((1,), (1,), (out,))
    assert out.tolist() == [2, 1]


def test_host_code_has_each_header_of_cuda_std_that_device_code_has() -> None:
    folders = runtime.native_dir() / "include" / "cuda" / "std", LIBRARIES / "cuda" / "std"
    beside = {"new"}  # of it, device code has std::nothrow
    assert sorted(headers() - beside - {path.name for folder in folders for path in folder.iterdir()}) == []


def test_unqualified_calls_mean_the_built_in_where_it_fits_better() -> None:
    text = """
    #include <algorithm>
    using namespace std;
    __global__ void k(float *out) { out[0] = max(1u, 2); out[1] = min(3.5f, 2.0f); out[2] = max(1, 2); }"""
    out = np.zeros(3, np.float32)
    RawKernel(text, "k")((1,), (1,), (out,))
    assert out.tolist() == [2, 2, 2]


def test_a_const_reference_to_one_of_two_is_that_one() -> None:
    text = """
    __device__ const int &larger(const int &a, const int &b) { return a < b ? b : a; }
    __global__ void k(int *out) { int a = 1, b = 2; const int &c = larger(a, b); b = 7; out[0] = c; }"""
    out = np.zeros(1, np.int32)
    RawKernel(text, "k")((1,), (1,), (out,))
    assert out.tolist() == [7]


def test_what_a_header_declares_is_said_where_it_is_missing() -> None:
    text = "#include <cuda/std/cstdint>\n__global__ void k(int *p) { *p = std::gcd(1, 2); }"
    with pytest.raises(CompileError, match=r"'std::gcd' is not there for device code(.|\n)*add `#include <numeric>`"):
        RawKernel(text, "k").compile()


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("cub/agent/agent_reduce.cuh", "this part of CUB is not there yet"),
        ("thrust/mr/pool.h", "this part of Thrust is not there yet"),
        ("curand_mtgp32_host.h", "this part of cuRAND is not there yet"),
        ("nvtx3/nvToolsExtSync.h", "this part of NVTX is not there yet"),
        ("cublas_v2.h", "cuBLAS is not there yet"),
        ("cufft.h", "cuFFT is not there yet"),
        ("cusparse.h", "cuSPARSE is not there yet"),
        ("cusolverDn.h", "cuSOLVER is not there yet"),
        ("cudnn.h", "cuDNN is not there yet"),
        ("nccl.h", "NCCL is not there yet"),
        ("cuda/std/ranges", "this part of libcu++ is not there yet"),
    ],
)
@pytest.mark.parametrize("device_only", [False, True])
def test_a_missing_library_is_named_where_it_is_included(name: str, message: str, device_only: bool) -> None:
    for quoted in (f"<{name}>", f'"{name}"'):
        source = Source("t.cu", f"int a;\n#include {quoted}\n")
        with pytest.raises(CompileError, match=re.escape(f"{name}: {message}")) as caught:
            preprocess(source, Options(device_only=device_only))
        (fault,) = caught.value.diagnostics
        assert (fault.span.line, fault.span.column, fault.span.length) == (2, 10, len(quoted))


def test_a_base_that_a_function_of_its_type_chooses_is_no_parameter_list() -> None:
    text = """
    template <bool B> struct Bool { static constexpr bool value = B; };
    template <class T> struct Wide : Bool<(sizeof(T) > 4)> {};
    __global__ void k() { static_assert(Wide<double>::value && !Wide<int>::value); }"""
    module(text)


CONTAINERS = """
#include <functional>
#include <map>
#include <string>
#include <vector>
struct Model { std::vector<int> v; std::string s; std::map<int, int> m; std::function<int(int)> f; int n;
  __host__ __device__ int count() const { return n; } };
"""


@pytest.mark.parametrize(
    ("use", "name"),
    [
        ("m->v[0]", "vector<int, std::allocator<int>>::operator[]"),
        ("m->v.size()", "vector<int, std::allocator<int>>::size"),
        ('m->s == "a"', "operator==<char, std::char_traits<char>, std::allocator<char>>"),
        ("m->f(1)", "function<int (int)>::operator()"),
        ("m->m[1]", "map<int, int, std::less<int>, std::allocator<std::pair<const int, int>>>::operator[]"),
        ("Model(*m).count()", "function<int (int)>::function"),
        ("Model().count()", "vector<int, std::allocator<int>>::vector"),
        ("std::to_string(1).empty()", "to_string"),
    ],
)
def test_members_that_only_host_code_uses_are_refused_by_name(use: str, name: str) -> None:
    for mark in ("", "other"):  # no other file defines them
        with pytest.raises(CompileError) as raised:
            check(parsed(f"{CONTAINERS}__global__ void k(Model *m, int *p) {{ *p = {use}; }}"), mark=mark)
        assert f"'std::{name}' is a host function: device code cannot use it" in str(raised.value)


def test_deduction_sees_through_an_alias_template() -> None:
    text = """
    template <int... I> struct List {};
    template <int... I> using Same = List<I...>;
    template <int... I> __device__ int sum(Same<I...>) { return (I + ... + 0); }
    __global__ void k(int *p) { *p = sum(List<1, 2, 3>()); }"""
    out = np.zeros(1, np.int32)
    RawKernel(text, "k")((1,), (1,), (out,))
    assert out.tolist() == [6]


def test_library_text_is_read_from_the_package() -> None:
    assert {"type_traits", "limits", "utility", "algorithm", "functional", "array", "numeric"} <= headers()
    assert parse(preprocess(Source("t.cu", "#include <limits>\n"), Options())).library.headers == ("cmath", "limits")


ATOMICS = """
__global__ void k(long long *sums, unsigned *bits, double *d, float *f, int n) {
  int i = threadIdx.x + blockIdx.x * blockDim.x;
  if (i >= n) return;
  __nv_atomic_fetch_add(sums, i, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_DEVICE);
  __nv_atomic_fetch_max(sums + 1, i, __NV_ATOMIC_SEQ_CST);
  __nv_atomic_sub(sums + 2, 1, __NV_ATOMIC_RELAXED, __NV_THREAD_SCOPE_SYSTEM);
  __nv_atomic_fetch_or(bits, 1u << (i & 31), __NV_ATOMIC_RELAXED);
  double expected = __nv_atomic_load_n(d, __NV_ATOMIC_RELAXED);
  while (!__nv_atomic_compare_exchange_n(d, &expected, expected + 1, false, __NV_ATOMIC_ACQ_REL, __NV_ATOMIC_RELAXED))
    ;
  __nv_atomic_add(f, 1.0f, __NV_ATOMIC_RELAXED);
  if (i == 7) __nv_atomic_store_n(bits + 1, 77, __NV_ATOMIC_RELEASE);
  if (i == 9) f[1] = __nv_atomic_exchange_n(f + 2, 5, __NV_ATOMIC_RELAXED);
}
"""


def test_atomic_functions_of_the_compiler() -> None:
    sums, bits = np.zeros(3, np.int64), np.zeros(2, np.uint32)
    doubles, floats = np.zeros(1), np.array([0, 0, 2], np.float32)
    RawKernel(ATOMICS, "k")((4,), (100,), (sums, bits, doubles, floats, np.int32(333)))
    assert sums.tolist() == [333 * 332 // 2, 332, -333]
    assert bits.tolist() == [2**32 - 1, 77]
    assert (doubles.tolist(), floats.tolist()) == ([333], [333, 2, 5])


def test_functions_of_the_compiler_on_words_and_text() -> None:
    text = """
    __global__ void k(unsigned *out, float *f, char *s) {
      bool high, low;
      out[0] = __dp2a_lo(0x00020003, 0x01020304, 5);
      out[1] = __dp2a_hi(0xfffe0003u, 0x81020304u, 5u);
      out[2] = __dp2a_hi(int(0xfffe0003), int(0x81020304), 5);
      out[3] = __nv_bswap32(0x01020304);
      out[4] = __nv_bswap64(0x0102030405060708) >> 32;
      out[5] = __fns(0xf0f0, 3, 2);
      out[6] = __fns(0xf0f0, 31, -1);
      out[7] = __vibmax_s16x2(0xffff0001u, 0x00010001u, &high, &low);
      out[8] = high * 2 + low;
      out[9] = __vibmin_s32(-3, 4, &high) * 10 + high;
      f[0] = normf(4, f + 1);
      strncpy(s, "hello", 12);
      strcat(s, " you");
      *strchr(s, 'y') = 'Y';
    }"""
    out, floats, letters = np.zeros(10, np.uint32), np.arange(5, dtype=np.float32), np.full(16, ord("?"), np.uint8)
    RawKernel(text, "k")((1,), (1,), (out, floats, letters))
    # 5 - 2 * -127 + 3 * 2, for instance, is the third.
    assert out.tolist() == [23, 0x80FF09, 265, 0x04030201, 0x08070605, 5, 15, 0x10001, 1, 2**32 - 29]
    assert floats[0] == np.float32(np.sqrt(30))
    assert bytes(letters.tolist()) == b"hello You\0\0\0????"


def test_bessel_functions_are_those_of_the_host(tmp_path: Path) -> None:
    text = """
    __global__ void k(const double *x, double *i0, double *i1, float *f0, float *f1) {
      int i = threadIdx.x;
      i0[i] = cyl_bessel_i0(x[i]), i1[i] = cyl_bessel_i1(x[i]);
      f0[i] = cyl_bessel_i0f(x[i]), f1[i] = cyl_bessel_i1f(-x[i]);
    }"""
    x = np.array([0, 1e-9, 0.5, 1, 3, 10, 29.9, 30.1, 50, 80])
    i0, i1, f0, f1 = (np.zeros(10, dtype) for dtype in (float, float, np.float32, np.float32))
    RawKernel(text, "k")((1,), (10,), (x, i0, i1, f0, f1))
    calls = "".join(f'printf("%.17g %.17g\\n", std::cyl_bessel_i(0, {n}), std::cyl_bessel_i(1, {n}));' for n in x)
    printed = run_host(tmp_path, f"#include <cstdio>\n#include <cmath>\nint main() {{ {calls} }}").stdout.split()
    right = np.array(printed, float).reshape(10, 2)
    assert np.allclose(np.stack([i0, i1], 1), right, 1e-13, 0)
    assert np.allclose(np.stack([f0, -f1], 1), right, 1e-6, 0)


COMPLEX = """
#include <cuComplex.h>
#include "cuComplex.h"
#include <math_constants.h>
#include <math_functions.h>
__host__ __device__ void compute(float *out, float x) {
  cuFloatComplex a = make_cuFloatComplex(x, 1), b = cuCmulf(a, cuConjf(a));
  cuComplex c = cuCdivf(cuCaddf(a, b), make_cuComplex(2, CUDART_PI_F));
  cuDoubleComplex d = cuCfma(make_cuDoubleComplex(x, 2), cuComplexFloatToDouble(c), cuConj(make_cuDoubleComplex(3, 4)));
  out[0] = cuCrealf(c), out[1] = cuCimagf(c), out[2] = cuCreal(d), out[3] = cuCimag(d);
  out[4] = cuCabs(cuCsub(make_cuDoubleComplex(4, 5), make_cuDoubleComplex(1, 1))), out[5] = CUDART_PI;
}
"""


def test_the_names_of_the_standard_concepts_are_those_of_the_headers() -> None:
    declared = {name for one in ("concepts", "iterator") for piece in header(one)[1] for name in piece.concepts}
    assert {name for name in declared if not name.startswith("__")} == STANDARD_CONCEPTS


def test_complex_numbers_are_those_of_the_host(tmp_path: Path) -> None:
    main = """#include <cstdio>
    int main() { float out[6]; compute(out, 5); for (float x : out) printf("%.9g\\n", x); }"""
    done = run_host(tmp_path, COMPLEX + main)
    out = np.zeros(6, np.float32)
    RawKernel(COMPLEX + "__global__ void k(float *out) { compute(out, 5); }", "k")((1,), (1,), (out,))
    assert np.allclose(out, [float(word) for word in done.stdout.split()], 1e-6)
    c = ((5 + 1j) + 26) / (2 + np.pi * 1j)
    d = (5 + 2j) * c + 3 - 4j
    assert np.allclose(out, [c.real, c.imag, d.real, d.imag, 5, np.pi], 1e-6)


ATOMIC_OBJECTS = """
#include <cuda/atomic>
#include <cuda/std/atomic>
struct Small { short x, y; };
template <class T, int N> __host__ __device__ T numbers() {
  cuda::atomic<T> a{T(N)};
  a.fetch_add(3), a -= 1, a.fetch_max(40), a.fetch_min(T(90)), a++;
  T old = a.exchange(7, cuda::memory_order_acq_rel), other = 3;
  bool wrong = a.compare_exchange_weak(other, 4), right = a.compare_exchange_strong(other, 5);
  return T(old * 2 + a.load(cuda::memory_order_acquire) + other * 4 + wrong + right * 2);
}
__host__ __device__ void compute(double *out) {
  out[0] = numbers<signed char, 9>(), out[1] = numbers<unsigned short, 50>(), out[2] = numbers<int, 95>();
  out[3] = numbers<unsigned long long, 20>(), out[4] = numbers<float, 43>(), out[5] = numbers<double, 44>();
  cuda::atomic<int, cuda::thread_scope_block> bits{12};
  bits.fetch_and(6), bits |= 33, bits ^= 3;
  out[6] = bits + (--bits);
  int array[4] = {5, 6, 7, 8};
  cuda::atomic<int *> place(array);
  ++place, place += 2, place.fetch_sub(1);
  out[7] = *place.load() + *place--;
  Small small{3, 4};
  cuda::atomic_ref<Small> ref(small);
  Small seen = ref.load(), next{short(seen.x + 1), 9};
  out[8] = ref.compare_exchange_strong(seen, next) + small.x * 10 + ref.load().y * 100;
  cuda::atomic_flag flag{};
  out[9] = flag.test_and_set() + flag.test_and_set() * 2 + sizeof(cuda::atomic<Small>);
}
"""


def test_atomic_objects_are_those_of_the_host(tmp_path: Path) -> None:
    main = """#include <cstdio>
    int main() { double out[10]; compute(out); for (double x : out) printf("%.9g\\n", x); }"""
    done = run_host(tmp_path, ATOMIC_OBJECTS + main)
    out = np.zeros(10)
    RawKernel(ATOMIC_OBJECTS + "__global__ void k(double *out) { compute(out); }", "k")((1,), (1,), (out,))
    assert out.tolist() == [float(word) for word in done.stdout.split()]


def test_types_of_the_c_library_are_in_the_global_namespace() -> None:
    """[headers] names of <cstdint> and <cstddef>, written with `::` at file scope, in namespaces and in functions."""
    text = """
#include <cstddef>
#include <cstdint>
namespace q { using i64 = ::int64_t; typedef ::uint32_t u32; struct box { ::size_t n; ::int8_t s; }; }
template <class T> __device__ T plus_one(T v) { return v + 1; }
__global__ void k(q::i64 *o, ::size_t count) {
    q::u32 a = threadIdx.x;
    ::uint8_t b = 256 + 255;
    q::box c = {count, -1};
    o[0] = plus_one< ::uint16_t>(65535);
    o[1] = a + b;
    o[2] = (::int64_t)c.n + c.s + sizeof(::uintptr_t);
}
"""
    out = np.zeros(3, np.int64)
    RawKernel(text, "k")((1,), (1,), (out, 40))
    assert out.tolist() == [0, 255, 47]


@pytest.mark.skipif(shutil.which("c++") is None, reason="needs a C++ compiler")
def test_formats_of_inttypes_are_those_of_the_host(tmp_path: Path) -> None:
    rows = [definition.split(" ", 1) for definition in MACROS_OF["inttypes.h"]]
    checks = "".join(f'static_assert(same({name}, {text}), "{name}");\n' for name, text in rows)
    same = "constexpr bool same(const char *a, const char *b) { return *a == *b && (!*a || same(a + 1, b + 1)); }\n"
    (tmp_path / "t.cpp").write_text("#include <inttypes.h>\n" + same + checks)
    subprocess.run(["c++", "-fsyntax-only", str(tmp_path / "t.cpp")], check=True)
    assert len(rows) > 150


def test_whole_numbers_of_cuda_cmath(tmp_path: Path) -> None:
    text = r"""
    #include <cuda/cmath>
    #include <cstdio>
    enum class Size : short { eight = 8 };
    struct Found { unsigned long long up, div; int down, log2, log10; };
    __host__ __device__ Found of(unsigned long long x, int i) {
        static_assert(cuda::ceil_div(10, 4u) == 3 && cuda::round_up(10, Size::eight) == 16);
        static_assert(std::is_same<decltype(cuda::ceil_div(short(1), short(2))), short>::value);
        static_assert(std::is_same<decltype(cuda::round_down(1, 2ll)), long long>::value);
        return {cuda::round_up(x / 2, i + 1), cuda::ceil_div(x, i + 1), cuda::round_down(i, 7),
                cuda::ilog2(x) + cuda::ilog2(short(i + 1)), cuda::ilog10(x)};
    }
    __global__ void k(Found *out) { int i = threadIdx.x; out[i] = of(~0ull >> i, i); }
    int main() {
        Found *out;
        cudaMallocManaged(&out, 64 * sizeof(Found));
        k<<<1, 64>>>(out);
        cudaDeviceSynchronize();
        for (int i = 0; i < 64; i++)
            for (Found f : {out[i], of(~0ull >> i, i)})
                printf("%llu %llu %d %d %d\n", f.up, f.div, f.down, f.log2, f.log10);
    }"""
    Path(tmp_path, "t.cu").write_text(text)
    command = [sys.executable, "-m", "simt2simd", "nvcc", "-w", "t.cu", "-o", "t"]
    subprocess.run(command, cwd=tmp_path, check=True)
    printed = subprocess.run([tmp_path / "t"], capture_output=True, text=True, check=True).stdout.split("\n")
    for i in range(64):
        x = (1 << 64) - 1 >> i
        up, log2 = -(-(x // 2) // (i + 1)) * (i + 1), x.bit_length() - 1 + (i + 1).bit_length() - 1
        line = f"{up} {-(-x // (i + 1))} {i // 7 * 7} {log2} {len(str(x)) - 1}"
        assert printed[2 * i : 2 * i + 2] == [line, line]


def test_what_no_kernel_needs_of_a_header_may_be_refused(tmp_path: Path) -> None:
    (tmp_path / "quits.h").write_text(
        '__device__ inline void quit() { asm volatile("exit;"); }\n__device__ inline void calls() { quit(); }\n'
        "__device__ inline int good() { return 3; }\n"
    )
    options = Options(include_dirs=(str(tmp_path),))

    def compiled(body: str) -> None:
        text = f'#include "quits.h"\n__global__ void k(int *x) {{ {body} }}\n'
        check(parse(preprocess(Source(str(tmp_path / "main.cu"), text), options)))

    compiled("*x = good();")
    with pytest.raises(CompileError, match=r"quits.h:1:\d+: error: 'exit' works in a kernel"):
        compiled("calls();")


def test_functions_that_lead_to_one_of_the_host_are_all_left_out() -> None:
    chain = "".join(f"__host__ __device__ int f{i + 1}(int x) {{ return f{i}(x); }}\n" for i in range(40))
    text = f"int host(int);\n__host__ __device__ int f0(int x) {{ return host(x); }}\n{chain}"
    left = module(text + "__global__ void k(int *x) { *x = 1; }")
    assert list(left.functions) == ["k"]
