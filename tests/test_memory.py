"""Variables at file scope and dynamic shared memory, as whole programs and `RawModule`s have them."""

from __future__ import annotations

import gc
import mmap
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import front
import numpy as np
import pytest

from simt2simd import LaunchError, RawKernel, RawModule
from simt2simd.command import cli
from simt2simd.interp.run import Interpreter
from simt2simd.lang.ctype import Array
from simt2simd.options import Options
from simt2simd.pipeline import compile_device
from simt2simd.source import Source
from simt2simd.tree.shared_memory import lay_out
from simt2simd.tree.show import show

pytestmark = pytest.mark.unoptimised

PROGRAMS = Path(__file__).parent / "programs"


@pytest.fixture(autouse=True)
def in_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def output_of(*files: str) -> str:
    assert cli.main(["compile", *files, "-o", "prog"]) == 0
    done = subprocess.run("./prog", capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


# ------------------------------------------------------------------------------------------ whole programs


def test_hosts_and_kernels_share_variables() -> None:
    assert output_of(str(PROGRAMS / "symbols.cu")) == "ok\n"


def test_variables_are_private_to_their_file() -> None:
    for name, value in (("first", 1), ("second", 2)):
        Path(f"{name}.cu").write_text(
            f"__device__ int state = {value};\n"
            f"__global__ static void add() {{ state += {10 * value}; }}\n"
            f"int {name}() {{ int n; add<<<1, 1>>>(); cudaMemcpyFromSymbol(&n, state, 4); return n; }}\n"
        )
    Path("main.cu").write_text(
        "#include <cstdio>\nint first(); int second();\nint main() {\n"
        '  int a = first(), b = second(), c = first();\n  printf("%d %d %d\\n", a, b, c);\n}\n'
    )
    assert output_of("first.cu", "second.cu", "main.cu") == "11 22 21\n"


NAMESPACES = r"""
#include <cstdio>
namespace a {
__device__ int table[4] = {1, 2, 3, 4}, table_2 = 8;
namespace { __constant__ float scale = 2; }
namespace b { __device__ int table[] = {5, 6}; }
}
namespace { __managed__ int count = 3; }
inline namespace v1 { __device__ int top; }
__device__ int a_table = 9;
const int *const a_b_table[] = {a::table + 1};
__global__ void k(int *x) {
    *x = a::table[threadIdx.x] + a::b::table[1] * 10 + (int)a::scale * 100 + count * 1000 + top * 10000;
    *x += a_table * 100000 + a::table_2 * 1000000;
    a::table[0] = 7, a_table = 6, a::b::table[0] = 77;
}
int main() {
    int *x, n = 2, t[4], u[2], v;
    float f = 4;
    size_t bytes;
    cudaMallocManaged(&x, 4);
    cudaMemcpyToSymbol(a::scale, &f, 4);
    cudaMemcpyToSymbol(top, &n, 4);
    k<<<1, 1>>>(x);
    cudaMemcpyFromSymbol(t, a::table, 16);
    cudaMemcpyFromSymbol(u, a::b::table, sizeof u);
    cudaMemcpyFromSymbol(&v, a_table, 4);
    cudaGetSymbolSize(&bytes, a::b::table);
    printf("%d %d %d %d %d %d %d\n", *x, t[0], t[3], u[0], v, (int)bytes, ++count);
}
"""


def test_variables_of_one_name_in_several_namespaces() -> None:
    Path("n.cu").write_text(NAMESPACES)
    assert output_of("n.cu") == "8923461 7 4 77 6 8 4\n"


def test_a_variable_may_be_another_one_for_the_host() -> None:
    Path("two.cu").write_text(
        """#include <cstdio>
        #ifdef __CUDA_ARCH__
        #define GLOBAL __device__
        #else
        #define GLOBAL inline
        #endif
        struct none {};
        static GLOBAL int count = 3;
        namespace n { GLOBAL int pair[2] = {4, 5}; }
        static __device__ int own = 7;
        __device__ constexpr none nothing;
        template <class T> __device__ int size_of(const T &) { return sizeof(T); }
        __global__ void k(int *out) { count += 10; *out = count + n::pair[1] * 100 + own + size_of(nothing) * 1000; }
        int main() {
            int *out, mine, theirs;
            cudaMalloc(&out, 4);
            k<<<1, 1>>>(out);
            count++;
            cudaMemcpyFromSymbol(&mine, own, 4);
            cudaMemcpy(&theirs, out, 4, cudaMemcpyDeviceToHost);
            printf("%d %d %d %d\\n", mine, theirs, count, n::pair[0]);
        }
        """
    )
    assert output_of("two.cu") == "7 1520 4 4\n"


def test_a_declaration_that_only_one_side_understands_is_named(capsys: pytest.CaptureFixture[str]) -> None:
    Path("bad.cu").write_text(
        "#ifndef __CUDA_ARCH__\n__device__ int n;\n#endif\n__global__ void k() {}\nint main() { k<<<1, 1>>>(); }\n"
    )
    assert cli.main(["compile", "bad.cu"]) == 1
    text = capsys.readouterr().err
    assert "bad.cu:2:16: error: the variable 'n' is in the host part only" in text and "undefined" not in text


def test_a_variable_of_another_file_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    Path("bad.cu").write_text("extern __device__ int n;\n__global__ void k(int *x) { *x = n; }\n")
    assert cli.main(["compile", "-c", "bad.cu"]) == 1
    assert "bad.cu:2:34: error: 'n' is not defined in this file" in capsys.readouterr().err


def test_instances_of_variable_templates_belong_to_kernels() -> None:
    """Each is one variable for all kernels; host code has one of its own, which is no symbol."""
    Path("t.cu").write_text(
        "#include <cstdio>\n"
        "template <class T> __device__ T total = T(1.5);\n"
        "template <class T> __constant__ T by[2] = {T(2), T(2.5)};\n"
        "template <class T> __global__ void add(T *out) { *out = total<T> += by<T>[1]; }\n"
        "template <class T> void run(T *x) { add<<<1, 1>>>(x); add<<<1, 1>>>(x); cudaDeviceSynchronize(); }\n"
        "int main() { double *x; cudaMallocManaged(&x, 8); run(x); double d = *x; run((int *)x);\n"
        '  int e = cudaMemcpyToSymbol(total<int>, &d, 4); printf("%g %d %d\\n", d, *(int *)x, e); }\n'
    )
    assert output_of("t.cu") == "6.5 5 13\n"


def test_variables_that_are_members_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    Path("bad.cu").write_text(
        "struct Q { static __device__ int n; };\n__device__ int Q::n = 3;\n"
        "__global__ void k(int *x) { *x = Q::n; }\nint main() { k<<<1, 1>>>(nullptr); }\n"
    )
    assert cli.main(["compile", "bad.cu"]) == 1
    printed = capsys.readouterr().err
    assert "bad.cu:3:34: error: 'Q::n' is a member of a class, which CUDA does not let be '__device__'" in printed
    assert "bad.cu:1:34: note: 'Q::n' is declared here" in printed and printed.count("error:") == 1


def test_dynamic_shared_memory_of_a_launch() -> None:
    Path("prog.cu").write_text(
        "#include <cstdio>\n"
        "__global__ void k(int *out) { extern __shared__ int s[]; s[threadIdx.x] = threadIdx.x; __syncthreads();\n"
        "  out[threadIdx.x] = s[blockDim.x - 1 - threadIdx.x]; }\n"
        "int main() { int *x; cudaMalloc(&x, 4096); k<<<1, 1024, 4096, 0>>>(x); int e = cudaDeviceSynchronize();\n"
        "  int first; cudaMemcpy(&first, x, 4, cudaMemcpyDeviceToHost);\n"
        '  k<<<1, 1024, 49153>>>(x); printf("%d %d %d\\n", e, first, cudaGetLastError()); }\n'
    )
    assert output_of("prog.cu") == "0 1023 1\n"


def test_every_variable_of_dynamic_shared_memory_begins_it() -> None:
    Path("prog.cu").write_text(
        "#include <cstdio>\n"
        "extern __shared__ int one; extern __shared__ int four[4]; struct S { int a, b; };\n"
        "__device__ __shared__ int file; __shared__ __device__ int files[2];\n"
        "template <bool B> struct If {}; template <> struct If<true> { using type = void; };\n"
        "template <int N> __global__ auto k() -> typename If<N == 1>::type {\n"
        "  extern __shared__ S s; extern __shared__ int raw[]; raw[threadIdx.x] = threadIdx.x + 10;\n"
        "  if (threadIdx.x == 0) { file = 5; files[1] = 6; } __syncthreads();\n"
        '  if (threadIdx.x == 0) printf("%d %d %d %d %d", one, four[1], s.b, file, files[1]); __syncthreads();\n'
        '  if (threadIdx.x == 1) one = 77; __syncthreads(); if (threadIdx.x == 2) printf(" %d %d", raw[0], s.a); }\n'
        "int main() { k<1><<<1, 4, 16>>>(); cudaDeviceSynchronize(); }\n"
    )
    assert output_of("prog.cu") == "10 11 11 5 6 77 77"


@pytest.mark.skipif(shutil.which("nvcc") is None, reason="no nvcc")
def test_nvcc_gives_the_same() -> None:
    assert cli.main(["compile", str(PROGRAMS / "symbols.cu"), "--target", "cuda", "-o", "prog"]) == 0


# --------------------------------------------------------------------------------------------- in Python

STATE = """
__device__ float table[4] = {1, 2, 3, 4};
__constant__ int step = 2;
__global__ void scale(float *out) {
    int i = threadIdx.x;
    out[i] = table[i] *= step;
}
"""


def test_module_globals_are_read_and_written() -> None:
    module = RawModule(code=STATE)
    table = np.ndarray((4,), np.float32, module.get_global("table"))
    step = module.get_global("step").view(np.int32)
    assert table.tolist() == [1, 2, 3, 4] and step.tolist() == [2]
    table[1], step[0] = 10, 3
    out = np.zeros(4, np.float32)
    module.get_function("scale")((1,), (4,), (out,))
    assert out.tolist() == table.tolist() == [3, 30, 9, 12]


def test_each_module_has_its_own_globals() -> None:
    modules = [RawModule(code=STATE) for _ in range(2)]
    modules[0].get_global("table")[:] = 0
    assert modules[1].get_global("table").any()


def test_globals_outlive_their_module_object() -> None:
    table = RawModule(code=STATE).get_global("table")
    gc.collect()
    assert table.view(np.float32).tolist() == [1, 2, 3, 4]


def test_a_global_may_be_an_argument() -> None:
    module = RawModule(code=STATE)
    out = module.get_global("table").view(np.float32)
    module.get_function("scale")((1,), (4,), (out,))
    assert out.tolist() == [2, 4, 6, 8]


def test_no_such_variable() -> None:
    with pytest.raises(ValueError, match="the code has no variable 'tables'; its variables: 'table', 'step'"):
        RawModule(code=STATE).get_global("tables")


DYNAMIC = """
__global__ void k(int *out, int n) {
    __shared__ int fixed[256];
    extern __shared__ int s[];
    for (int i = threadIdx.x; i < n; i += blockDim.x) s[i] = i;
    fixed[threadIdx.x] = s[n - 1];
    __syncthreads();
    int sum = 0;
    for (int i = 0; i < n; i++) sum += s[i];
    out[threadIdx.x] = sum + fixed[0];
}
"""


def test_the_limits_of_dynamic_shared_memory_are_cudas() -> None:
    kernel = RawKernel(DYNAMIC, "k")
    out = np.zeros(256, np.int32)
    most, n = (48 << 10) - 1024, (227 << 10) // 4 - 256
    assert kernel.max_dynamic_shared_size_bytes == most
    kernel((1,), (256,), (out, most // 4), shared_mem=most)
    with pytest.raises(LaunchError, match="dynamic shared memory beside 1024 bytes of static") as fault:
        kernel((1,), (256,), (out, 1), shared_mem=most + 1)
    assert fault.value.name == "cudaErrorInvalidValue"
    kernel.max_dynamic_shared_size_bytes = 4 * n
    kernel((1,), (256,), (out, n), shared_mem=4 * n)
    assert (out == np.int64(n * (n - 1) // 2 + n - 1).astype(np.int32)).all()
    with pytest.raises(LaunchError, match="a block has at most 231424"):
        kernel.max_dynamic_shared_size_bytes = 4 * n + 1
    kernel.max_dynamic_shared_size_bytes = 64
    with pytest.raises(LaunchError, match="at most 64"):
        kernel((1,), (256,), (out, 1), shared_mem=65)


REDUCTION = """
__global__ void k(const float *in, float *out) {
    DECLARATION
    int t = threadIdx.x, i = blockIdx.x * 256 + t;
    s[t] = in[i];
    __syncthreads();
    for (int h = 128; h > 0; h /= 2) {
        if (t < h) s[t] += s[t + h];
        __syncthreads();
    }
    float sum = 0;
    for (int k = 0; k < 16; k++) sum += s[(t + k) & 255];
    out[i] = sum;
}
"""


def test_dynamic_memory_is_as_fast_as_static_memory() -> None:
    """Only that its size is not known, so that there is no code for blocks of that size."""
    options = Options(optimise=3, disabled=frozenset({"block-size-specialisation"}))
    kinds = ("__shared__ float s[256];", "extern __shared__ float s[];")
    sources = (Source("k.cu", REDUCTION.replace("DECLARATION", kind)) for kind in kinds)
    static, dynamic = (compile_device(source, options).assembly() for source in sources)
    assert instructions(static) == instructions(dynamic) and len(instructions(static)) > 100


def instructions(assembly: str) -> list[str]:
    lines = (line.partition("#")[0].split() for line in assembly.splitlines() if re.match(r"\t[^.]", line))
    return [" ".join(line) for line in lines]


WARP = """
__device__ void tail(volatile int *s, int t) {
    s[t] += s[t + 32]; s[t] += s[t + 16]; s[t] += s[t + 8]; s[t] += s[t + 4]; s[t] += s[t + 2]; s[t] += s[t + 1];
}
__global__ void k(const int *in, int *out) {
    DECLARATION
    int t = threadIdx.x;
    s[t] = in[blockIdx.x * blockDim.x + t];
    __syncthreads();
    if (t < 64) s[t] += s[t + 64];
    __syncthreads();
    if (t < 32) LAST
    if (t == 0) out[blockIdx.x] = s[0];
}
"""
BY_HAND = (
    "{ s[t] += s[t + 32]; s[t] += s[t + 16]; s[t] += s[t + 8]; s[t] += s[t + 4]; s[t] += s[t + 2]; s[t] += s[t + 1]; }"
)


@pytest.mark.parametrize(
    ("declaration", "last"),
    [
        ("extern __shared__ int s[];", "tail(s, t);"),
        ("volatile __shared__ int s[128];", BY_HAND),
        ("extern volatile __shared__ int s[];", BY_HAND),
    ],
)
def test_volatile_reductions_within_a_warp(declaration: str, last: str) -> None:
    kernel = RawKernel(WARP.replace("DECLARATION", declaration).replace("LAST", last), "k")
    numbers, out = np.arange(3 * 128, dtype=np.int32) ** 2 % 1000, np.zeros(3, np.int32)
    kernel((3,), (128,), (numbers, out), shared_mem=512)
    assert out.tolist() == numbers.reshape(3, 128).sum(1).tolist()


# ---------------------------------------------------------------------------------------- generic pointers

SPACES = """
struct Ref { int *p; Ref *self; const int *q[2]; };
template <class T> struct Span {
    T *b, *e;
    __device__ T *begin() const { return b; }
    __device__ T *end() const { return e; }
    __device__ long size() const { return e - b; }
    __device__ T &operator[](int i) const { return b[i]; }
};
__constant__ int fixed[4] = {100, 200, 300, 400};
__device__ int wide[4] = {10, 20, 30, 40};
__device__ int *kept[96];
__device__ int *same(int *p, int depth) { return depth ? same(p, depth - 1) : p; }
__device__ int *choose(int *a, int *b, int *c, int which) { return which == 0 ? a : which == 1 ? b : c; }
template <class T> __device__ int total(Span<T> s) { int t = 0; for (auto &x : s) t += x; return t; }
__device__ int visit(const Ref &r, int n) { return n ? visit(*r.self, n - 1) + *r.p : r.q[0][1] + r.q[1][0]; }
__device__ void bump(int &x, int by) { if (by > 0) { x++; bump(x, by - 1); } }
__global__ void k(int *out) {
    __shared__ int s[4][32];
    int l[4], t = threadIdx.x, me = blockIdx.x * blockDim.x + t, *h = (int *)malloc(16), *g = new int[4]{1, 2, 3, 4};
    for (int i = 0; i < 4; i++) { s[i][t] = i * 1000 + t; l[i] = t * 10 + i; h[i] = i + t; }
    int *p = same(choose(l, &s[1][t], h, t % 3), t % 4);  // passed through calls, returned
    int r = *p;
    *p += 5;
    bump(*p, t % 5);
    r = r * 7 + *p;
    Ref a{p, nullptr, {fixed + t % 3, wide + t % 4}}, b{g + t % 4, &a, {l, h}};  // in structs and arrays of structs
    a.self = &b;
    r += visit(a, 3 + t % 2);
    Ref several[3] = {a, b, a}, *one = several + t % 3;
    r += *one->p + one->q[0][0];
    r += total(Span<int>{l, l + 4}) + total(Span<int>{h, h + t % 4}) + total(Span<const int>{fixed + 1, fixed + 3});
    kept[me] = t & 1 ? h : g;  // in global memory, read by another thread
    __syncthreads();
    r += kept[me ^ 1][1];
    int **pp = &kept[me], ***ppp = &pp;
    r += ***ppp + (int)Span<int>{g, g + 3}.size();
    Span<int> spans[2] = {{l, l + 2}, {&s[0][t], &s[0][t] + 1}};
    spans[t & 1][0] = 9;
    r += l[0] + s[0][t];
    r += (p == l) + 2 * (p == &s[1][t]) + 4 * (p == h) + 8 * (&l[3] - l) + (p != nullptr) * 64 + ((&l[1] > l) << 7);
    const char *bytes = (const char *)p;
    int (*row)[32] = s + t % 4;
    r += bytes[0] + (&s[1][t] - &s[0][0]) + (*row)[t];
    __syncthreads();
    free(h);
    delete[] g;
    out[me] = r;
}
"""


@pytest.mark.parametrize("options", [(), ("--lanes", "64"), ("--target", "avx2"), ("--verify",), ("--stats",)], ids=str)
def test_pointers_lead_to_every_space(options: tuple[str, ...]) -> None:
    """Through calls and recursion, in structs and arrays, returned, compared and subtracted."""
    expected, out = np.zeros(96, np.int32), np.zeros(96, np.int32)
    Interpreter(front.module(SPACES)).launch("k", 3, 32, (expected,))
    RawKernel(SPACES, "k", options=options)((3,), (32,), (out,))
    np.testing.assert_array_equal(out, expected)


# ----------------------------------------------------------------------------------------- large objects

LARGE = """
struct Three { char c[3]; };
__global__ void by_long(const char *p, const long *at, char *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = p[at[i]];
}
__global__ void by_unsigned(const char *p, const unsigned *at, char *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = p[at[i]];
}
__global__ void moved(const char *p, const long *at, char *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) { const char *q = p + at[i]; q += at[i] & 1; out[i] = q[-(at[i] & 1)]; }
}
__global__ void wrapping(const char *p, const unsigned *at, char *out, int n) {
    unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = p[(at[i] - 7) * 3 + 21 - at[i] * 2];
}
__global__ void structs(const Three *p, const long *at, char *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = p[at[i]].c[1];
}
__global__ void scattered(char *p, const long *at, char *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) { p[at[i]] += 1; out[i] = p[at[i]]; }
}
"""


@pytest.fixture(scope="module")
def large() -> np.ndarray[Any, np.dtype[np.int8]]:
    """Return 6 GiB, of which the system has only those pages that are used."""
    memory = mmap.mmap(-1, 6 << 30, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    return np.frombuffer(memory, np.int8)


@pytest.mark.parametrize("name", ["by_long", "by_unsigned", "moved", "wrapping", "structs", "scattered"])
def test_bytes_of_objects_over_4_gib(name: str, large: np.ndarray[Any, np.dtype[np.int8]]) -> None:
    """Of threads that access bytes far from each other, on both sides of 2 GiB and 4 GiB."""
    random = np.random.default_rng(3)
    n, end = 200, {"by_unsigned": 1 << 32, "wrapping": 1 << 32, "structs": large.size // 3}.get(name, large.size)
    at = np.unique(random.integers(0, end, n))
    places = 3 * at + 1 if name == "structs" else at
    large[places] = random.integers(-100, 100, len(at))
    array = large.view("V3") if name == "structs" else large
    indices = at.astype(np.uint32) if end == 1 << 32 else at
    out = np.zeros(len(at), np.int8)
    before = large[places].copy()
    RawKernel(LARGE, name)((4,), (64,), (array, indices, out, len(at)))
    assert (out == before + (name == "scattered")).all()


# What thread t reads: p[(first + stride * t + more) % 2^32], and of `both` what lies another t further.
WRAPPING = {
    "sum": ("out[t] = p[first + t];", 1, 0),
    "backwards": ("out[t] = p[first + 20 - t];", -1, 20),
    "strided": ("out[t] = p[3u * t + first];", 3, 0),
    "beside": ("unsigned i = first + t; i += 3; out[t] = p[i - 1];", 1, 2),
    "again": ("unsigned i = first + t; for (int k = 0; k < 3; k++, i += 7) out[t] = p[i];", 1, 14),
    "wide": ("size_t i = first + t; out[t] = p[i];", 1, 0),
    "signed": ("int i = (int)(first + t - (1u << 31)); out[t] = (p + (1u << 31))[i];", 1, 0),
    "converted": ("int i = (int)first + t; out[t] = p[(unsigned)i];", 1, 0),
    "pointer": ("unsigned char *q = p + (first + t); out[t] = *q;", 1, 0),
    "moved": ("unsigned char *q = p; q += first + t; out[t] = q[0];", 1, 0),
    "called": ("out[t] = behind(p + (first + 2 * t));", 2, 0),
    "subtracted": ("out[t] = *(p + 0xffffffffu - (t - first));", -1, -1),
    "struct": ("Pair pair = *(Pair *)(p + (first + 2 * t)); out[t] = pair.x;", 2, 0),
    "divergent": ("if (t % 3) out[t] = p[first + t]; else out[t] = p[first + 1 + (t - 1)];", 1, 0),
    "both": ("out[t] = (p + (first + t))[first + t - (first - 5)];", 1, 5),
}
WRAPPED = (
    "struct Pair { unsigned char x, y; };\n__device__ int behind(const unsigned char *p) { return *p; }\n"
    + "".join(
        f"""extern "C" __global__ void k_{name}(unsigned char *p, unsigned first, int *out) {{
    unsigned t = threadIdx.x;
    {text}
}}
"""
        for name, (text, _, _) in WRAPPING.items()
    )
)
EVERYWHERE = [(), ("--target", "avx2"), ("--lanes", "32"), ("--lanes", "64"), ("-O0",), ("--verify",)]


@pytest.mark.parametrize("options", EVERYWHERE, ids=" ".join)
def test_an_index_wraps_within_a_gang(large: np.ndarray[Any, np.dtype[np.int8]], options: tuple[str, ...]) -> None:
    """The threads on both sides of the wrap read what CUDA's would."""
    data, module = large.view(np.uint8), RawModule(code=WRAPPED, options=options)
    random, t = np.random.default_rng(4), np.arange(64)
    for begin in (0, 1 << 32):
        data[max(0, begin - 300) : begin + 300] = random.integers(0, 256, begin + 300 - max(0, begin - 300))
    for name, (_, stride, more) in WRAPPING.items():
        for first in ((1 << 32) - 8, (1 << 32) - 1, (1 << 32) - 70, 3):
            places = (first + stride * t + more) % (1 << 32)
            if name == "both":
                places = (first + t) % (1 << 32) + t + 5
            out = np.zeros(64, np.int32)
            module.get_function(f"k_{name}")((1,), (64,), (data, np.uint32(first), out))
            assert out.tolist() == data[places].tolist(), (name, first)


STORING = """
struct Pair { unsigned char x, y; };
extern "C" __global__ void bytes(unsigned char *p, unsigned first) {
    unsigned i = first + threadIdx.x;
    p[i] += 1;
}
extern "C" __global__ void pairs(unsigned char *p, unsigned first) {
    Pair pair = *(Pair *)(p + (first + 2 * threadIdx.x));
    pair.x++, pair.y++;
    *(Pair *)(p + (first + 2 * threadIdx.x)) = pair;
}
extern "C" __global__ void words(unsigned char *p, unsigned first) {
    atomicAdd((unsigned *)(p + (first + 4 * threadIdx.x)), 0x01010101u);
}
"""


@pytest.mark.parametrize("options", EVERYWHERE, ids=" ".join)
def test_threads_store_on_both_sides_of_a_wrap(
    large: np.ndarray[Any, np.dtype[np.int8]], options: tuple[str, ...]
) -> None:
    data, module = large.view(np.uint8), RawModule(code=STORING, options=options)
    around = np.arange(-512, 512) % (1 << 32)
    for name, size in (("bytes", 1), ("pairs", 2), ("words", 4)):
        data[around] = np.arange(1024) % 251
        module.get_function(name)((1,), (64,), (data, np.uint32((1 << 32) - 8 * size)))
        stored = (around + 8 * size) % (1 << 32) < 64 * size
        assert (data[around] == np.arange(1024) % 251 + stored).all(), name


def test_a_limit_ends_with_its_code() -> None:
    out = np.zeros(256, np.int32)
    for _ in range(3):
        kernel = RawKernel(DYNAMIC, "k")
        kernel((1,), (256,), (out, 32), shared_mem=128)
        kernel.max_dynamic_shared_size_bytes = 64
        del kernel
        gc.collect()


# --------------------------------------------------------------------------------------------- the tree


def test_dynamic_arrays_begin_behind_all_static_memory() -> None:
    module = front.module(
        "__device__ float *f() { extern __shared__ float a[]; return a; }\n"
        "__global__ void large() { __shared__ int x[1000]; x[0] = 1; *f() = 2; }\n"
        "__global__ void small() { __shared__ char y; extern __shared__ __align__(64) char b[]; y = b[0] + *f(); }\n"
        "__global__ void without() { __shared__ int z[2000]; z[0] = 1; }\n"
    )
    layout = lay_out(module)
    begins = {v.name: offset for v, offset in layout.offset.items() if v.dynamic}
    assert begins == {"a": 4032, "b": 4032}
    assert layout.bytes == {"large": 4000, "small": 1, "without": 8000}
    assert all(v.type.size == 0 for v in layout.offset if v.dynamic and isinstance(v.type, Array))


def test_what_no_kernel_uses_together_shares_a_place() -> None:
    """Each kernel has as much shared memory as a block of it needs, also where functions or their instances have it."""
    module = front.module(
        "__device__ int *both() { __shared__ int a[10]; return a; }\n"
        "template <int N> __device__ int *f() { __shared__ int b[N]; return b; }\n"
        "__global__ void k() { __shared__ int x[4]; *f<9000>() = *both() + x[0]; }\n"
        "__global__ void l() { *f<8000>() = *both(); }\n"
    )
    layout = lay_out(module)
    assert layout.bytes == {"k": 48 + 36000 + 16, "l": 48 + 32000}
    assert sorted((v.name, offset) for v, offset in layout.offset.items()) == [
        ("a", 0), ("b", 48), ("b", 48), ("x", 36048),
    ]  # fmt: skip


def test_contents_are_printed() -> None:
    text = (
        "__device__ int count = 3;\n"
        "__device__ int *where = (int *)((char *)&count + 0);\n"
        "__constant__ float table[2];\n"
        "__constant__ const int *const both[2] = {(const int *)((char *)&count + 0), nullptr};\n"
        "__managed__ volatile __align__(32) double d;\n"
    )
    shown = show(front.module(text.replace("volatile __align__(32)", "__align__(32) volatile")))
    assert shown == text.replace("volatile __align__(32)", "__align__(32) volatile")


SUBSCRIPTS = r"""
#include <cstdio>
__constant__ unsigned short squares[256];
__global__ void k(const unsigned long long *keys, const unsigned char *given, int *out, int shift) {
    __shared__ int counts[256][32];
    __shared__ unsigned char bytes[64][37];
    int t = threadIdx.x;
    for (int i = 0; i < 256; i++) counts[i][t] = i;
    for (int i = 0; i < 37; i++) bytes[t][i] = bytes[32 + t][i] = t + i;
    __syncthreads();
    unsigned long long key = keys[t];
    counts[(key >> shift) & 255][t] += 1000;
    out[t] = counts[key & 255][t] + 10 * bytes[key & 63][t] + 100 * bytes[t][key % 37]
           + squares[key >> 56] + given[key & 4095] * 10000;
}
int main() {
    unsigned long long *keys; unsigned char *given; unsigned short s[256]; int *out, wrong = 0;
    cudaMallocManaged(&keys, 256), cudaMallocManaged(&given, 4096), cudaMallocManaged(&out, 128);
    for (int i = 0; i < 256; i++) s[i] = i * i;
    for (int i = 0; i < 4096; i++) given[i] = i * 7;
    for (int i = 0; i < 32; i++) keys[i] = (i + 1) * 0xF123456789ABCDEFull;
    cudaMemcpyToSymbol(squares, s, sizeof s);
    k<<<1, 32>>>(keys, given, out, 8);
    cudaDeviceSynchronize();
    for (int t = 0; t < 32; t++) {
        unsigned long long key = keys[t];
        int count = (int)(key & 255) + ((key >> 8 & 255) == (key & 255) ? 1000 : 0);
        wrong += out[t] != count + 10 * (int)((key & 31) + t) + 100 * (int)(t + key % 37) + s[key >> 56]
                           + (unsigned char)((key & 4095) * 7) * 10000;
    }
    printf("%d wrong\n", wrong);
}
"""


def test_subscripts_of_64_bits_are_32_bit_offsets_where_they_fit(capsys: pytest.CaptureFixture[str]) -> None:
    """Into a variable, of any element and any number of dimensions, and where what computes them says so."""
    Path("s.cu").write_text(SUBSCRIPTS)
    assert cli.main(["compile", "--remarks", "s.cu", "-o", "s"]) == 0
    assert "64-bit addresses" not in capsys.readouterr().err
    assert output_of("s.cu") == "0 wrong\n"
