"""Kernels with several forms: what the host object says about which are needed, and how they are launched."""

from __future__ import annotations

import json
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest
from host_programs import COMPILERS, FLAGS, compile_host, instances

from simt2simd import runtime
from simt2simd.abi import instances_symbol
from simt2simd.command import cli
from simt2simd.command.toolchain import Toolchain
from simt2simd.diag import CompileError
from simt2simd.host.instances import parse_arguments, plain, read_instances
from simt2simd.lang.instance import Argument, Instance, Place

ROOT = Path(__file__).parent.parent

TYPES = """
#include <cstddef>
#include <utility>
template <class T> struct Vec { T x; };
struct S { int i; };
enum Color { red, green };
namespace ns {
struct S { int i; };
enum class Mode : short { a = -1, b };
namespace { struct Q {}; }
}
int global;
int function(int);
template <class T> __global__ void type(T *x) { *x = threadIdx.x; }
template <auto V> __global__ void value() { }
template <class T, int N = sizeof(T), class = void> __global__ void defaults(T) { }
template <typename, int> __global__ void unnamed() { }
template <class... Ts> __global__ void pack(Ts... x) { }
template <class A, int... Ns> __global__ void values(A) { }
template <template <class> class V, class T> __global__ void holder(V<T> v) { }
template <int (*F)(int)> __global__ void pointer(int *x) { *x = F(*x); }
"""


def shown(found: list[str]) -> list[str]:
    """Return texts as both compilers would write them."""
    same = {
        "long int": "long",
        "short int": "short",
        "long unsigned int": "unsigned long",
        "(& global)": "&global",
        "(Color)7": "7",
    }
    result = []
    for text in found:
        for gcc, clang in same.items():
            text = text.replace(gcc, clang)
        result.append(text.replace(" *", "*").replace(" [", "[").replace("&function", "function"))
    return result


@pytest.mark.parametrize("cxx", COMPILERS)
def test_types(tmp_path: Path, cxx: str) -> None:
    written = [
        "float", "const float", "int *const", "int (*)(float, char)", "int[3]", "int[4][5]", "int (float)",
        "float (*)[3]", "int S::*", "Vec<Vec<float>>", "std::pair<int, Vec<unsigned long>>", "S", "ns::S", "ns::Mode",
        "ns::Q", "bool", "signed char", "wchar_t", "long double", "unsigned long", "Vec<Color>",
        "int (*(*)(int))(float)",
    ]  # fmt: skip
    launches = "".join(f"type<{one}><<<1, 1>>>(nullptr); " for one in written)
    found = instances(tmp_path, f"{TYPES} int main() {{ {launches} }}", cxx=cxx)
    texts = shown([argument.text for instance in found for argument in instance.arguments])
    assert {text.replace(" ", "") for text in texts} == {one.replace(" ", "") for one in written}
    assert {argument.kind for instance in found for argument in instance.arguments} == {"type"}


@pytest.mark.parametrize("cxx", COMPILERS)
def test_values_have_types(tmp_path: Path, cxx: str) -> None:
    written = ["3", "3u", "-4l", "'a'", "','", "'>'", "true", "green", "(Color)7", "ns::Mode::a", "(short)3", "&global"]
    launches = "".join(f"value<{one}><<<1, 1>>>(); " for one in written)
    found = instances(tmp_path, f"{TYPES} int main() {{ {launches} }}", cxx=cxx)
    arguments = {(argument.type, argument.text) for instance in found for argument in instance.arguments}
    assert {tuple(shown(list(one))) for one in arguments} == {
        ("int", "3"), ("unsigned int", "3"), ("long", "-4"), ("char", "'a'"), ("char", "','"), ("char", "'>'"),
        ("bool", "true"), ("Color", "green"), ("Color", "7"), ("ns::Mode", "ns::Mode::a"), ("short", "3"),
        ("int*", "&global"),
    }  # fmt: skip


@pytest.mark.parametrize("cxx", COMPILERS)
@pytest.mark.parametrize(
    ("launch", "expected"),
    [
        ("defaults<<<1, 1>>>(2.0);", "defaults<double, 8, void>"),
        ("unnamed<char, -1><<<1, 1>>>();", "unnamed<char, -1>"),
        ("pack<<<1, 1>>>();", "pack<>"),
        ("pack<<<1, 1>>>(1, 2.f, Vec<int>());", "pack<int, float, Vec<int>>"),
        ("values<int, 1, -2><<<1, 1>>>(3);", "values<int, 1, -2>"),
        ("holder<<<1, 1>>>(Vec<S>());", "holder<Vec, S>"),
        ("pointer<function><<<1, 1>>>(nullptr);", "pointer<function>"),
        ("auto f = type<char>; f<<<1, 1>>>(nullptr);", "type<char>"),
        ("void *args[] = {nullptr}; cudaLaunchKernel((void *)type<char>, 1, 1, args);", "type<char>"),
        ("cudaFuncAttributes a; cudaFuncGetAttributes(&a, type<char>);", "type<char>"),
        ("int g, b; cudaOccupancyMaxPotentialBlockSize(&g, &b, type<char>, 0, 0);", "type<char>"),
        ("cudaFuncSetAttribute(type<char>, cudaFuncAttributeMaxDynamicSharedMemorySize, 9);", "type<char>"),
        ("[](auto x) { type<<<1, 1>>>(&x); }('a');", "type<char>"),
    ],
)
def test_instances(tmp_path: Path, launch: str, expected: str, cxx: str) -> None:
    (found,) = instances(tmp_path, f"{TYPES} int main() {{ {launch} }}", cxx=cxx)
    assert shown([found.shown]) == [expected]


@pytest.mark.parametrize("cxx", COMPILERS)
@pytest.mark.parametrize("optimise", [0, 1, 2, 3])
def test_every_level_of_optimisation_asks_for_the_same(tmp_path: Path, optimise: int, cxx: str) -> None:
    text = f"""{TYPES}
    template <class T> void run(T *p) {{ type<<<1, 1>>>(p); type<Vec<T>><<<1, 1>>>(nullptr); }}
    template <class T> void never() {{ type<Vec<Vec<T>>><<<1, 1>>>(nullptr); }}
    template __global__ void type<long>(long *);
    int main() {{ run((int *)nullptr); run((float *)nullptr); }}"""
    found = shown([instance.shown for instance in instances(tmp_path, text, optimise, cxx)])
    assert sorted(found) == ["type<Vec<float>>", "type<Vec<int>>", "type<float>", "type<int>", "type<long>"]


@pytest.mark.parametrize("cxx", COMPILERS)
def test_kernels_that_share_a_name_differ_by_place(tmp_path: Path, cxx: str) -> None:
    text = """static __global__ void k(int) { }
__global__ void k(float *) { }
template <class T> __global__ void k(T *, int); template <class T> __global__ void k(T *, int) { }
template <> __global__ void k<float>(float *, int) { }
namespace { namespace deep { __global__ void k(int) { } } } __global__ void k(short) { } __global__ void k(char) { }
int main() { k<<<1, 1>>>(3); k<<<1, 1>>>((int *)nullptr, 1); k<float><<<1, 1>>>(nullptr, 1); deep::k<<<1, 1>>>(3); }
"""
    found = instances(tmp_path, text, cxx=cxx)
    file = str(tmp_path / "t.cu")
    assert [(instance.place, shown([instance.shown])[0]) for instance in found] == [
        (Place(file, 1, "k"), "k"), (Place(file, 2, "k"), "k"), (Place(file, 3, "k"), "k<int>"),
        (Place(file, 4, "k"), "k"), (Place(file, 5, "k", 1), "k"), (Place(file, 5, "k", 2), "k"),
        (Place(file, 5, "k", 3), "k"),
    ]  # fmt: skip


def test_simple_kernels_ask_for_nothing(tmp_path: Path) -> None:
    part, made = compile_host(tmp_path, '__global__ void k(int) { } extern "C" __global__ void l() { } int main() { }')
    assert not part.has_instances and set(part.kernels) == {"k", "l"} and read_instances(made.read_bytes()) == []
    assert "s2s_reference" not in part.text.split("t.cu")[-1]


@pytest.mark.parametrize("cxx", COMPILERS)
@pytest.mark.parametrize(
    ("launch", "message"),
    [
        ("struct L {}; type<L><<<1, 1>>>(nullptr);", "a type that is local to a function"),
        ("struct L {}; type<Vec<L>><<<1, 1>>>(nullptr);", "a type that is local to a function"),
        ("auto l = [](int) {}; type<decltype(l)><<<1, 1>>>(nullptr);", "a lambda"),
        ("auto l = [=](auto x) { return x; }; pack<<<1, 1>>>(1, l);", "a lambda"),
    ],
)
def test_types_that_device_code_cannot_name(tmp_path: Path, launch: str, message: str, cxx: str) -> None:
    with pytest.raises(CompileError) as caught:
        instances(tmp_path, f"{TYPES} int main() {{ {launch} }}", cxx=cxx)
    assert f"error: {message} cannot be a template argument of a kernel: '" in str(caught.value)
    assert "help: " in str(caught.value)


def test_texts_of_both_compilers() -> None:
    gcc = (
        "constexpr const char* s2s_text() [with S2S_ARGUMENTS = s2s_list<{anonymous}::P, "
        "s2s_value<char, '\\''>, s2s_list<s2s_value<int, 1> >, s2s_template<Vec>, s2s_list<> >]"
    )
    clang = (
        "const char *s2s_text() [S2S_ARGUMENTS = s2s_list<(anonymous namespace)::P, "
        "s2s_value<char, '\\''>, s2s_list<s2s_value<int, 1>>, s2s_template<Vec>, s2s_list<>>]"
    )
    assert parse_arguments(gcc) == parse_arguments(clang)
    assert parse_arguments(gcc) == (
        Argument("type", "P"),
        Argument("value", "'\\''", "char"),
        Argument("pack", items=(Argument("value", "1", "int"),)),
        Argument("template", "Vec"),
        Argument("pack"),
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("s2s_closure<s2s_lambda_3_1_ab<int*, float>, main()::<lambda(int)> >", "s2s_lambda_3_1_ab<int*, float>"),
        ("Both<s2s_closure<s2s_lambda_3_1_ab<>, (lambda at a, b.cu:3:4)>, int>", "Both<s2s_lambda_3_1_ab<>, int>"),
        ("s2s_lambda_1_1_ab<int, s2s_value<const int, 4>, s2s_list<> >", "s2s_lambda_1_1_ab<int, 4>"),
        ("s2s_lambda_1_1_ab<s2s_value<const unsigned int, 4> >", "s2s_lambda_1_1_ab<(unsigned int)4>"),
        ("s2s_lambda_1_1_ab<s2s_list<int, float> >", "s2s_lambda_1_1_ab<int, float>"),
        ("ns::{anonymous}::Q  const", "ns::Q const"),
    ],
)
def test_helpers_leave_the_text(text: str, expected: str) -> None:
    assert plain(text) == expected


NAMESPACES = r"""
#include <cstdio>
namespace {
__global__ void fill(int *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] = i * 2;
}
__global__ __launch_bounds__(128) void bounded(int *x) { __shared__ int s[32]; s[0] = 1; x[0] = s[0]; }
}
int main() {
    int *x, n = 50, sum = 0, grid, block;
    cudaMallocManaged(&x, 400);
    fill<<<4, 25>>>(x, 100);
    for (int i = 0; i < 100; i++) sum += x[i];
    void (*f)(int *, int) = fill;
    void *args[] = {&x, &n};
    x[7] = 0;
    if (cudaLaunchKernel((void *)f, dim3(2), dim3(32), args, 0, 0) != cudaSuccess || x[7] != 14) return 1;
    x[7] = 0;
    f<<<4, 25>>>(x, 100);
    if (x[7] != 14) return 2;
    cudaFuncAttributes a;
    if (cudaFuncGetAttributes(&a, bounded) != cudaSuccess || a.sharedSizeBytes != 128) return 3;
    if (a.maxThreadsPerBlock != 128) return 4;
    if (cudaOccupancyMaxPotentialBlockSize(&grid, &block, bounded, 0, 0) != cudaSuccess || block != 128) return 5;
    if (cudaOccupancyMaxActiveBlocksPerMultiprocessor(&block, bounded, 256, 0) != cudaSuccess || block != 0) return 6;
    if (cudaFuncSetAttribute(fill, cudaFuncAttributeMaxDynamicSharedMemorySize, 227 << 10) != cudaSuccess) return 7;
    if (cudaFuncGetAttributes(&a, fill) != cudaSuccess || a.maxDynamicSharedSizeBytes != 227 << 10) return 11;
    if (cudaFuncSetAttribute(bounded, cudaFuncAttributeMaxDynamicSharedMemorySize, 227 << 10) == cudaSuccess) return 8;
    if (cudaLaunchKernel((void *)nullptr, dim3(2), dim3(32), args, 0, 0) != cudaErrorInvalidDeviceFunction) return 9;
    if (cudaLaunchKernel(fill, dim3(2), dim3(0), args, 0, 0) != cudaErrorInvalidValue) return 10;
    printf("%d\n", sum);
}
"""


def test_kernels_in_anonymous_namespaces_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.cu").write_text(NAMESPACES)
    Path("b.cu").write_text(
        "namespace { __global__ void fill(int *x, int n) { *x = n; } } void g() { fill<<<1, 1>>>(0, 0); }"
    )
    for _ in range(2):  # the second time from the cache
        assert cli.main(["compile", "a.cu", "b.cu", "-o", "a"]) == 0
        assert subprocess.run(["./a"], capture_output=True, text=True).stdout == "9900\n"
    assert cli.main(["compile", "a.cu", "--emit", "llvm", "-o", "a.ll"]) == 0
    assert "@s2s_instances_" in Path("a.ll").read_text()


def tables(found: list[Instance], module: str, shared_bytes: int) -> str:
    """Return in C what device code of a file gives to host code; all its kernels have so much shared memory."""
    kernel = f'{{.name = "k", .shared_bytes = {shared_bytes}, .max_threads = 1024}}'
    items = "".join(f"{{{json.dumps(str(i.place))}, {json.dumps(i.key)}, &kernel}}, " for i in found)
    symbol = instances_symbol(module)
    return (
        f'#include "s2s.h"\nstatic const s2s_kernel kernel = {kernel};\n'
        f"static const s2s_instance items[] = {{{items}}};\n"
        f"const s2s_instances {symbol} = {{items, {len(found)}}};\n"
    )


@pytest.mark.parametrize("cxx", COMPILERS)
def test_files_share_a_template(tmp_path: Path, cxx: str) -> None:
    (tmp_path / "k.cuh").write_text("template <class T> __global__ void k(T *) { }\n")
    ask = "cudaFuncAttributes a; cudaFuncGetAttributes(&a, kernel); return a.sharedSizeBytes;"
    ask = f"template <class T> static int bytes(T *kernel) {{ {ask} }}"
    begin = f'#include "k.cuh"\n{ask}\nnamespace {{ __global__ void own() {{ }} }}\n'
    texts = {
        "a.cu": f"{begin} int other(); int main() {{ return bytes(k<float>) + bytes(own) - 100 * other(); }}",
        "b.cu": f"{begin} int other() {{ return bytes(k<float>) != 1 || bytes(k<int>) != 2 || bytes(own) != 2; }}",
    }
    objects: list[str] = []
    for shared_bytes, (name, text) in enumerate(texts.items(), 1):
        _, made = compile_host(tmp_path, text, cxx=cxx, name=name)
        device = tmp_path / f"{name}.c"
        device.write_text(tables(read_instances(made.read_bytes()), str(tmp_path / name), shared_bytes))
        device_object = tmp_path / f"{name}.device.o"
        subprocess.run(["gcc", f"-I{ROOT / 'runtime' / 'include'}", "-c", device, "-o", device_object], check=True)
        objects += [str(made), str(device_object)]
    program = tmp_path / "program"
    Toolchain((cxx,), runtime.native_dir()).link(objects, program, FLAGS)
    assert subprocess.run([program]).returncode == 2  # `k<float>` of a.cu, and its own `own`


@pytest.mark.parametrize("flags", [("-flto",), ("-g", "-fPIC"), ("-fdata-sections", "-ffunction-sections")])
def test_flags_of_the_compiler(tmp_path: Path, flags: tuple[str, ...]) -> None:
    text = f"{TYPES} int main() {{ type<char><<<1, 1>>>(nullptr); }}"
    _, made = compile_host(tmp_path, text, replace(FLAGS, compile_args=flags))
    assert [instance.shown for instance in read_instances(made.read_bytes())] == ["type<char>"]


# ------------------------------------------------------------------------------------------- whole programs

FORMS = r"""
#include <cstdio>
template <class T> struct Vec { T x, y; };
enum Color { red, green };
__device__ __host__ int square(int a) { return a * a; }
__device__ int offset = 7;
template <class T, int N = sizeof(T)> __global__ void declared(T *out);
template <class T> __global__ void special(T *out) { *out = 1; }
template <> __global__ void special<float>(float *out) { *out = 2; }
template <class... Ts> __global__ void pack(int *out, Ts... x) { *out = sizeof...(Ts) * 100 + (0 + ... + int(x)); }
template <class... Ts> struct Many { int n; };
template <class... Ts> __global__ void many(int *out, Many<Ts...> x, Many<Ts...>) { *out = x.n + sizeof...(Ts); }
template <template <class> class V, class T> __global__ void holder(int *out, V<T> v) { *out = v.x * 10 + v.y; }
template <int (*F)(int)> __global__ void call(int *out) { *out = F(5); }
template <int *P> __global__ void address(int *out) { *out = *P; }
template <char C, bool B, Color K, long L> __global__ void values(int *out) { *out = C + B * 1000 + K * 2000 + L; }
__global__ void over(int *out, int x) { *out = x; }
__global__ void over(int *out, float x) { *out = x * 2; }
template <class T> __global__ void over(int *out, T x, int) { *out = x * 3; }
static __global__ void hidden(int *out) { *out = 40; }
namespace a { __global__ void same(int *out) { *out = 41; } }
namespace a::b { __global__ void same(int *out) { *out = 42; } }
namespace { template <class T> __global__ void same(int *out, T x) { *out = x + 43; } }
template <class T> __global__ void thrice(T *out) { *out = 3; }
template __global__ void thrice<long>(long *);
template <class T, int N> __global__ void declared(T *out) { *out = N; }
__global__ void a_same(int *out) { *out = 44; }

int *out;
int number = 0;
void expect(int wanted) {
    number++;
    cudaError_t code = cudaDeviceSynchronize();
    if (code == cudaSuccess) code = cudaGetLastError();
    if (*out != wanted || code != cudaSuccess)
        printf("%d: %d (%s), not %d\n", number, *out, cudaGetErrorString(code), wanted);
    *out = -1;
}
template <class T> void run(T x) {
    over<<<1, 1>>>(out, x, 0);
    expect(int(x * 3));
    declared<Vec<T>><<<1, 1>>>((Vec<T> *)nullptr + 0);
    cudaGetLastError();
}
template <> __global__ void declared<Vec<int>, 8>(Vec<int> *) { }
template <> __global__ void declared<Vec<double>, 16>(Vec<double> *) { }
int main() {
    cudaMallocManaged(&out, 8);
    declared<<<1, 1>>>(out), expect(4);
    declared<int, 9><<<1, 1>>>(out), expect(9);
    special<<<1, 1>>>(out), expect(1);
    float *f = (float *)out;
    special<<<1, 1>>>(f);
    cudaDeviceSynchronize();
    if (*f != 2) printf("special\n");
    pack<<<1, 1>>>(out), expect(0);
    pack<<<1, 1>>>(out, 1, 2.5f, 'a'), expect(400);
    many<<<1, 1>>>(out, Many<int, char>{50}, Many<int, char>{1}), expect(52);
    holder<<<1, 1>>>(out, Vec<short>{3, 4}), expect(34);
    call<square><<<1, 1>>>(out), expect(25);
    values<'a', true, green, -7><<<1, 1>>>(out), expect(97 + 1000 + 2000 - 7);
    values<'\'', false, (Color)7, 1><<<1, 1>>>(out), expect(39 + 14000 + 1);
    over<<<1, 1>>>(out, 5), expect(5);
    over<<<1, 1>>>(out, 5.f), expect(10);
    run(6);
    run(7.0);
    hidden<<<1, 1>>>(out), expect(40);
    a::same<<<1, 1>>>(out), expect(41);
    a::b::same<<<1, 1>>>(out), expect(42);
    same<<<1, 1>>>(out, 1), expect(44);
    a_same<<<1, 1>>>(out), expect(44);
    thrice<<<1, 1>>>(out), expect(3);
    auto chosen = &special<int>;
    chosen<<<1, 1>>>(out), expect(1);
    void *args[] = {&out};
    cudaLaunchKernel((const void *)declared<int, 12>, 1, 1, args, 0, 0), expect(12);
    puts("done");
}
"""


def run(*files: str) -> str:
    assert cli.main(["compile", *files, "-o", "program"]) == 0
    return subprocess.run(["./program"], capture_output=True, text=True, timeout=60).stdout


def test_every_form_of_kernel_is_launched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.cu").write_text(FORMS)
    assert run("a.cu") == "done\n"


def test_kernels_of_an_included_file_are_launched(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The program's own text names none of them."""
    monkeypatch.chdir(tmp_path)
    Path("a.cuh").write_text(FORMS)
    Path("a.cu").write_text('#include "a.cuh"\n')
    assert run("a.cu") == "done\n"


WRAPPED = """
namespace inside {
template <class T> struct Add { T by; __device__ T operator()(T x) const { return x + by; } };
template <class T, class F> __global__ void apply(T *x, F f) { *x = f(*x); }
template <class T> __global__ void unused(T *x) { *x = missing; }
}
template <class T> void add(T *x, T by) { inside::apply<<<1, 1>>>(x, inside::Add<T>{by}); }
inline void twice(float *x) { inside::apply<<<1, 1>>>(x, [] __device__(float y) { return y * 2; }); }
"""


def test_kernels_that_included_templates_launch(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.cuh").write_text(WRAPPED)
    Path("a.cu").write_text(
        '#include "a.cuh"\n#include <cstdio>\nint main() { float *x; cudaMallocManaged(&x, 4); *x = 4; add(x, 1.5f);'
        'twice(x); cudaDeviceSynchronize(); printf("%g\\n", *x); }\n'
    )
    assert run("a.cu") == "11\n"


def test_files_make_the_same_instance(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("k.cuh").write_text("template <class T> __global__ void k(T *x) { x[threadIdx.x] += WHICH; }\n")
    Path("b.cu").write_text(
        '#define WHICH 1\n#include "k.cuh"\nvoid other(int *x, float *y) { k<<<1, 2>>>(x); k<<<1, 2>>>(y); }\n'
    )
    Path("a.cu").write_text(
        '#define WHICH 1\n#include "k.cuh"\n#include <cstdio>\nvoid other(int *, float *);\n'
        "int main() { int *x; float *y; cudaMallocManaged(&x, 8); cudaMallocManaged(&y, 8);\n"
        'k<<<1, 2>>>(x); other(x, y); cudaDeviceSynchronize(); printf("%d %g\\n", x[1], y[1]); }\n'
    )
    assert run("a.cu", "b.cu") == "2 1\n"


LAMBDAS = r"""
#include <cstdio>
struct Scale { float by; __host__ __device__ float operator()(float x) const { return by * x; } };
template <class F> __global__ void loop(int n, F f) { int i = threadIdx.x; if (i < n) f(i); }
template <class F, class G> __global__ void both(int *out, F f, G g) { *out = f(2) * 100 + g(3); }
__device__ int base = 1000;
namespace app {
constexpr int offset = 5;
__device__ int helper(int x) { return x + 1; }
template <class T, int N> void fill(T *x, T value) {
    T pair[2] = {value, T(value * 2)};
    loop<<<1, 32>>>(N, [=] __device__(int i) mutable { T t = pair[i % 2]; x[i] = t + offset + helper(N); });
}
}
int main() {
    float *x; int *out;
    cudaMallocManaged(&x, 128); cudaMallocManaged(&out, 4);
    app::fill<float, 3>(x, 10);
    cudaDeviceSynchronize();
    printf("%g %g %g\n", x[0], x[1], x[2]);
    constexpr unsigned steps = 4;
    Scale scale{2};
    char c = 3; double d = 0.5; short s = 7;
    loop<<<1, 32>>>(2, [=] __device__(int i) { x[i] = scale(x[i]) + c + d + s + (steps - 5 > 0) + base; });
    cudaDeviceSynchronize();
    printf("%g %g\n", x[0], x[1]);
    auto add = [k = 3] __device__(int a) { return a + k; };
    both<<<1, 1>>>(out, add, [=] __host__ __device__(int a) { return a * c; });
    both<<<1, 1>>>(out, add, [] __device__(auto a) -> int { return a - 1; });
    cudaDeviceSynchronize();
    printf("%d\n", *out);
    loop<<<1, 1>>>(1, [=] __device__(int) { if (true) { out[0] = [](int y) { return y * 2; }(21) + add(1); } });
    cudaDeviceSynchronize();
    printf("%d\n", *out);
}
"""


def test_lambdas_of_host_code_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.cu").write_text(LAMBDAS)
    assert run("a.cu") == "19 29 19\n1049.5 1069.5\n502\n46\n"


def test_a_fault_in_an_instance_names_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.cu").write_text(
        "#include <fstream>\ntemplate <class T> __global__ void k(T *x) { x->nothing = 1; }\n"
        "template <class T> __global__ void v(T *x) { }\n"
        "int main() { int *x = nullptr; k<<<1, 1>>>(x); v<std::ifstream><<<1, 1>>>(nullptr); }\n"
    )
    assert cli.main(["compile", "a.cu"]) == 1
    printed = capsys.readouterr().err
    assert "a.cu:2:46: error: 'int' is not a struct: it has no member 'nothing'" in printed
    assert "note: in 'k<int>' asked for here" in printed
    assert "note: in 'v<std::basic_ifstream<char, std::char_traits<char>>>' asked for here" in printed


def test_messages_name_the_instance(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.cu").write_text(
        "namespace ns { template <class T, int N> __global__ void k(T *x, const int *at) {\n"
        "for (int i = 0; i < N; i++) x[at[threadIdx.x] + i * 9] = 1; if (N == 7) __trap(); } }\n"
        "int main() { int *x; cudaMallocManaged(&x, 4096);\n"
        "ns::k<int, 4><<<1, 32>>>(x, x); ns::k<int, 7><<<1, 32>>>(x, x); }\n"
    )
    assert cli.main(["compile", "a.cu", "-o", "a", "--remarks"]) == 0
    printed = capsys.readouterr().err
    assert "(in 'ns::k<int, 4>')" in printed and "(in 'ns::k<int, 7>')" in printed
    done = subprocess.run(["./a"], capture_output=True, text=True, check=False)
    assert "kernel 'ns::k<int, 7>': a.cu:2:" in done.stderr


@pytest.mark.parametrize("emit", ["object", "llvm"])
def test_a_header_that_only_the_host_lacks_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], emit: str
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("host.h").write_text("#pragma once\n#include <boost/nothing.hpp>\n")
    Path("k.cu").write_text(
        '#include "host.h"\n'
        "template <class T> __global__ void fill(T *x) { x[0] = 1; }\n"
        "void run(float *x) { fill<<<1, 1>>>(x); }\n"
    )
    assert cli.main(["compile", "k.cu", "--emit", emit, "-o", "out"]) == 1
    printed = capsys.readouterr().err
    assert "host.h:2:10: fatal error: boost/nothing.hpp: No such file or directory" in printed
    assert "internal error" not in printed and not Path("out").exists()


CONSTRAINED = """#include <concepts>
#include <cstdio>
template <class T> concept Number = std::integral<T> || std::floating_point<T>;
template <Number T> __global__ void twice(T *p) { p[threadIdx.x] *= 2; }
template <class T> requires(sizeof(T) == 8) __global__ void add(T *p) { p[threadIdx.x] += 1; }
template <class T> requires(sizeof(T) == 4) __global__ void add(T *p) { p[threadIdx.x] += 3; }
template <class T> requires requires(T x) { x + x; } __device__ T sum(T x) { return x + x; }
template <class T> __device__ T all(T x) requires requires { x + x; } { return 3 * sum(x); }
template <std::same_as<float> T, std::integral auto N> __global__ void put(T *p) { p[0] = all(N); }
__host__ __device__ auto next(std::integral auto x) { return x + 1; }
int main() {
    float *p;
    double *q;
    cudaMallocManaged(&p, 64);
    cudaMallocManaged(&q, 64);
    for (int i = 0; i < 8; i++) p[i] = i, q[i] = i;
    twice<<<1, 8>>>(p);
    twice<double><<<1, 8>>>(q);
    add<<<1, 8>>>(p);
    add<<<1, 8>>>(q);
    put<float, 4><<<1, 1>>>(p);
    cudaDeviceSynchronize();
    printf("%g %g %g %d", p[0], p[7], q[7], next(4));
}
"""


def test_kernel_templates_with_constraints(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.cu").write_text(CONSTRAINED)
    assert cli.main(["compile", "a.cu", "-std=c++20", "-o", "a"]) == 0
    assert subprocess.run(["./a"], capture_output=True, text=True, check=True).stdout == "24 17 15 5"


def test_a_kernel_is_launched_of_which_another_overload_is_only_declared(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.cu").write_text("""#include <cstdio>
    __global__ void fill(int *out, int a, int b);
    __global__ void fill(int *out, float a);
    __global__ void fill(int *out, int a) { *out = a; }
    __global__ void fill(float *out, int a);
    int main() { int *out; cudaMallocManaged(&out, 4); fill<<<1, 1>>>(out, 5);
      cudaDeviceSynchronize(); printf("%d", *out); }""")
    assert run("a.cu") == "5"
