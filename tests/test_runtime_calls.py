"""What the runtime does for kernels: `printf`, `assert`, the heap, C's library, time, and string literals.

What kernels print is compared with what the interpreter prints and with the same calls in a C++ program.
"""

from __future__ import annotations

import multiprocessing
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from front import module

from simt2simd import LaunchError, RawKernel, RawModule, runtime
from simt2simd.command.toolchain import find_cxx
from simt2simd.diag import CompileError
from simt2simd.interp.run import Interpreter, InterpreterError
from simt2simd.tree.show import show

pytestmark = pytest.mark.unoptimised


def device(
    text: str, name: str = "k", *, block: int = 1, args: tuple[Any, ...] = (), options: tuple[str, ...] = ()
) -> None:
    RawKernel(text, name, options=options)((1,), (block,), args)


def interpreted(text: str, name: str = "k", *, block: int = 1, args: tuple[Any, ...] = ()) -> None:
    Interpreter(module(text)).launch(name, 1, block, args)


# Calls of printf that C defines, each for a kernel, the interpreter and a host program.
PRINTED = [
    r'printf("plain\n");',
    r'printf("%d %i %u %o %x %X|%c\n", -5, 7, 4000000000u, 8, 255, 255, 65);',
    r'printf("%5d|%-5d|%05d|%+d|% d|%#x|%#o|%.3d|%8.3d|%-8.3d|\n", 42, 42, 42, 42, 42, 42, 42, 7, 7, 7);',
    r'printf("%hhd %hd %ld %lld %zu %jd %td\n", 300, 70000, -1l, -1ll << 40, sizeof(int), 5l, 6l);',
    r'printf("%hhu %hu %lu %llu %hhx\n", 300, 70000, ~0ul, ~0ull, -1);',
    r'printf("%f %F %e %E %g %G %a %A\n", 1.5, 2.5, 12345.678, 0.00012, 1e10, 1e-10, 1.0, 0.1);',
    r'printf("%.0f %.3f %10.2f|%-10.2f|%+f|%010.3f|%.15g\n", 0.5, 3.14159, 2.5, 2.5, 1.0, -1.5, 0.1);',
    r'printf("%f %f %f %g\n", 1.0 / 0.0, -1.0 / 0.0, 1e300 * 1e10, -0.0);',
    r'printf("%s|%10s|%-10s|%.2s|%*s|%-*s|%.*s\n", "abc", "abc", "abc", "abc", 5, "x", 5, "y", 1, "zz");',
    r'printf("%*d|%-*d|%*d|%.*f|%.*f\n", 6, 1, 6, 2, -6, 3, 2, 1.23456, -1, 1.5);',
    r'printf("100%% %5%|%c%c\n", 10, 11);',
    r'printf("%c%c%c", 0x61, 0, 0x62);',
    r'printf("%.60f %80d|%.40d\n", 0.1, 5, 6);',
    r'{ float f = 0.1f; char c = -3; short s = -4; bool b = true; unsigned char u = 200; '
    r'printf("%f %d %d %d %u\n", f, c, s, b, u); }',
    r'{ char text[] = "changed"; text[0] = 67; char *s = "literal"; printf("%s %s %c\n", text, s + 3, s[1]); }',
    r'{ const char *format = "%d %s\n"; printf(format, 3, "three"); }',
    r'printf("%d\n", printf("%d%d\n", 1, 2) * 0);',
    r'printf("a" "b\x41" "B\101\0" "hidden\n"); printf("\n\t\"\\\?\a%s\n", "");',
    r'printf("%p\n", (void *)0x1234);',
    r'printf("%5c|%-5c|%lc\n", 65, 66, 67);',
    r'printf("%s\n", (const char *)"x" "y");',
    r'printf("%10.4s|%-10.4s|%.0s|\n", "abcdefgh", "abcdefgh", "abc");',
    r'printf("%llx %#llX %lo\n", 0xfedcba9876543210ull, 255ull, 64l);',
    r'printf("%i%i%i%i%i%i%i%i%i%i%i%i%i%i%i%i%i%i%i%i%i%i%i%i%i%i%i%i%i%i%i%i\n", '
    + ", ".join(map(str, range(32))) + ");",
]  # fmt: skip


@pytest.fixture(scope="module")
def printed_by_cxx(tmp_path_factory: pytest.TempPathFactory) -> list[bytes]:
    """Return what each statement prints in a C++ program."""
    folder = tmp_path_factory.mktemp("printf")
    cases = "".join(f"case {i}: {statement} break;\n" for i, statement in enumerate(PRINTED))
    source = f"#include <cstdio>\n#include <cstdlib>\nint main(int, char **v) {{ switch (atoi(v[1])) {{ {cases} }} }}\n"
    (folder / "a.cpp").write_text(source)
    program = folder / "a"
    subprocess.run([*find_cxx(), "-w", "-o", program, folder / "a.cpp"], check=True)
    numbers = map(str, range(len(PRINTED)))
    return [subprocess.run([program, number], capture_output=True, check=False).stdout for number in numbers]


@pytest.mark.parametrize("number", range(len(PRINTED)))
def test_printf_prints_what_c_prints(
    number: int, printed_by_cxx: list[bytes], capfd: pytest.CaptureFixture[str]
) -> None:
    text = f"__global__ void k() {{ {PRINTED[number]} }}"
    expected = printed_by_cxx[number].decode()
    device(text)
    assert capfd.readouterr().out == expected
    interpreted(text)
    assert capfd.readouterr().out == expected


def test_lanes_print_whole_lines_in_order(capfd: pytest.CaptureFixture[str]) -> None:
    text = """__global__ void k() { if (threadIdx.x % 3 == 1) printf("thread %u, %s\\n", threadIdx.x, "whole"); }"""
    device(text, block=100)
    lines = capfd.readouterr().out.splitlines()
    assert sorted(lines) == sorted(f"thread {i}, whole" for i in range(100) if i % 3 == 1)
    numbers = [int(line.split()[1].rstrip(",")) for line in lines]
    for gang in range(0, 100, 16):
        own = [number for number in numbers if gang <= number < gang + 16]
        assert own == sorted(own)


def test_printf_of_all_hthreads_and_much_text(capfd: pytest.CaptureFixture[str]) -> None:
    text = """__global__ void k() { printf("%07u %0200d\\n", blockIdx.x * blockDim.x + threadIdx.x, 7); }"""
    RawKernel(text, "k")((1000,), (32,), ())
    lines = capfd.readouterr().out.splitlines()
    assert len(lines) == 32000 and {len(line) for line in lines} == {208}
    assert sorted(int(line[:7]) for line in lines) == list(range(32000))


def test_printf_returns_the_number_of_its_arguments(capfd: pytest.CaptureFixture[str]) -> None:
    text = """__global__ void k(int *r, const char *null) {
        r[0] = printf(""); r[1] = printf("%d %s", 1, "x"); r[2] = printf(null, 1);
        const char *f = "%d"; r[3] = printf(f, 2);
    }"""
    out = np.zeros(4, np.int32)
    device(text, args=(out, None))
    assert out.tolist() == [0, 2, -1, 1]
    own = np.zeros(4, np.int32)
    interpreted(text, args=(own, None))
    assert own.tolist() == out.tolist()


@pytest.mark.parametrize(
    ("statement", "message"),
    [
        ('printf("%s", 1);', "'%s' prints a string, not 'int'"),
        ('struct S { int a; } s; printf("%d", s);', "'printf' cannot print a 'S'"),
        ("printf();", "'printf' needs a format"),
        ('printf("", ' + ", ".join("1" * 33) + ");", "at most 32 arguments"),
        ('const char *s = u8"x";', "strings with the prefix 'u8'"),
        ('const char *s = u8"x";', "strings with the prefix 'u8'"),
        ('char s[3] = "abc";', "a string of 3 characters and its zero do not fit 'char [3]'"),
        ('signed char *s = "abc";', "cannot convert"),
        ('"abc"[0] = 1;', "cannot assign to"),
        ('const char *s = "\\q";', "the escape '\\q' is unknown"),
        ("alloca(3);", "'alloca' is not supported"),
        ("__nv_aligned_device_malloc(3, 4);", "'__nv_aligned_device_malloc' is not supported"),
        (
            "struct C { int v; __device__ C(int v) : v(v) { } }; new C[3]{1, 2};",
            "too few arguments to 'C::C': 0 given, 1 expected",
        ),
        (
            "struct C { int v; __device__ C(int v) : v(v) { } }; int n = 2; new C[n]{1, 2};",
            "too few arguments to 'C::C': 0 given, 1 expected",
        ),
        (
            "struct C { int v; __device__ C(int v) : v(v) { } }; char m[8]; new (m) C[2];",
            "too few arguments to 'C::C': 0 given, 1 expected",
        ),
        ("int *p = new int[2]{1, 2, 3};", "3 values are given for 2 elements"),
        ("memcpy(1);", "too few arguments to 'memcpy': 1 given, 3 expected"),
        ("const int a = 1; int b; memcpy(&a, &b, 4);", "'const' would be lost"),
    ],
)
def test_what_cannot_be_is_refused(statement: str, message: str) -> None:
    with pytest.raises(CompileError) as failure:
        module(f"__global__ void k() {{ {statement} }}")
    assert message in str(failure.value)


def test_strings_are_constants(capfd: pytest.CaptureFixture[str]) -> None:
    text = r"""__global__ void k(int *r) {
        const char *s = "abc" "d\0e";
        char own[] = "hello", larger[8] = {"ab"}, two[2][4] = {"ab", "cde"};
        struct { char name[4]; int n; } record = {"xyz", 5};
        unsigned char bytes[] = "\xff\377";
        r[0] = sizeof("abc"); r[1] = s[3]; r[2] = s[5]; r[3] = sizeof own; r[4] = own[4]; r[5] = larger[2];
        r[6] = two[1][2]; r[7] = record.name[2] + record.n; r[8] = bytes[0] + bytes[1];
        r[9] = "0123456789abcdef"[threadIdx.x];
        r[10] = strlen(s); r[11] = strcmp("abc", "abd"); r[12] = strncmp("abc", "abd", 2); r[13] = __func__[0];
        strcpy(larger, "1234567"); r[14] = larger[6] + larger[7]; r[15] = memcmp(own, "hellp", 5);
    }"""
    expected = [4, 100, 101, 6, 111, 0, 101, 122 + 5, 510, 48, 4, -1, 0, 107, 55, -1]
    out, own = np.zeros(16, np.int32), np.zeros(16, np.int32)
    device(text, args=(out,))
    interpreted(text, args=(own,))
    assert out.tolist() == expected and own.tolist() == expected


def test_strings_print_as_they_were() -> None:
    shown = show(
        module(r"""__global__ void k() { printf("a\t\"%d\"\\ \x01""2\n", 1); const char *s = "x"; char t[] = "y"; }""")
    )
    assert r'printf("a\t\"%d\"\\ \0012\n", 1);' in shown and "__constant__" not in shown
    assert show(module(shown)) == shown


# ------------------------------------------------------------------------------------------------- assert


def test_assertions_that_hold_say_nothing(capfd: pytest.CaptureFixture[str]) -> None:
    text = "#include <cassert>\n__global__ void k(int *p) { assert(p); assert(threadIdx.x < 40); p[threadIdx.x] = 1; }"
    out = np.zeros(40, np.int32)
    device(text, block=40, args=(out,))
    assert out.all() and capfd.readouterr() == ("", "")


def test_an_assertion_that_fails_ends_the_launch(capfd: pytest.CaptureFixture[str]) -> None:
    text = """#define LIMIT 30
__device__ float f(int i, const float *p) {
    assert(i < LIMIT && "too large");
    return p[i];
}
__global__ void k(float *p) { int i = blockIdx.x * blockDim.x + threadIdx.x; p[i] = f(i, p); }"""
    out = np.zeros(32, np.float32)
    with pytest.raises(LaunchError) as failure:
        RawKernel(text, "k")((4,), (8,), (out,))
    assert failure.value.code == 710 and failure.value.name == "cudaErrorAssert"
    assert 'assertion `i < LIMIT && "too large"` failed' in str(failure.value)
    lines = capfd.readouterr().err.splitlines()
    assert [line.partition(": ")[2] for line in lines] == [
        f'float f(int, const float *): block: [3,0,0], thread: [{i},0,0] Assertion `i < LIMIT && "too large"` failed.'
        for i in (6, 7)
    ]
    with pytest.raises(InterpreterError, match="assertion `i < LIMIT"):
        Interpreter(module(text)).launch("k", 4, 8, (out,))
    RawKernel("__global__ void k(float *p) { p[0] = 1; }", "k")((1,), (1,), (out,))
    assert out[0] == 1


def test_an_assertion_names_class_namespace_and_arguments(capfd: pytest.CaptureFixture[str]) -> None:
    text = """namespace geo {
    template <class T> struct Box { T limit; __device__ void check(T x) const { assert(x < limit); } };
    template <int N> __device__ int deep(int x) { if constexpr (N) return deep<N - 1>(x); assert(x != 5); return x; }
    }
    __global__ void methods(int n) { geo::Box<float> box{n}; box.check(threadIdx.x); }
    __global__ void templates(int n) { geo::deep<2>(n); }"""
    for name, expected in (
        ("methods", "void geo::Box<float>::check(float) const: block: [0,0,0], thread: [1,0,0] Assertion `x < limit`"),
        ("templates", "int geo::deep<0>(int): block: [0,0,0], thread: [0,0,0] Assertion `x != 5`"),
    ):
        with pytest.raises(LaunchError) as failure:
            device(text, name, block=2, args=(1 if name == "methods" else 5,))
        assert failure.value.code == 710
        assert expected in capfd.readouterr().err


def test_threads_of_an_assertion_have_three_coordinates(capfd: pytest.CaptureFixture[str]) -> None:
    text = """__global__ void k() { assert(!(blockIdx.x == 1 && blockIdx.y == 2 && blockIdx.z == 1
        && threadIdx.x == 2 && threadIdx.y == 3 && threadIdx.z == 1)); }"""
    with pytest.raises(LaunchError):
        RawKernel(text, "k")((2, 3, 2), (5, 4, 2), ())
    assert "block: [1,2,1], thread: [2,3,1] Assertion" in capfd.readouterr().err


@pytest.mark.parametrize("text", ["#define NDEBUG\n#include <assert.h>\n", "#define NDEBUG\n#include <cassert>\n"])
def test_ndebug_removes_assertions(text: str) -> None:
    device(text + "__global__ void k() { assert(0); }")


def test_ndebug_on_the_command_line_removes_assertions() -> None:
    device("__global__ void k() { assert(0); }", options=("-DNDEBUG",))


def test_an_assertion_prints_as_cuda() -> None:
    shown = show(module("__global__ void k(int n) { assert(n > 1); }"))
    assert '__assert_fail("n > 1", "test.cu", 1u, "void k(int)")' in shown
    assert show(module(shown)) == shown


def test_traps_end_the_launch() -> None:
    with pytest.raises(LaunchError, match=r"__trap\(\)") as failure:
        device("__global__ void k() { __brkpt(); __prof_trigger(1); __trap(); }")
    assert failure.value.code == 719


@pytest.mark.parametrize("call", ["((Base *)words)->f()", "((int (*)(int))words[0])(1)"])
def test_calls_that_find_no_function_end_the_launch(call: str) -> None:
    """What host code stores in objects with virtual functions, and in pointers to functions, means nothing here."""
    text = f"""struct Base {{ __device__ virtual int f() {{ return 1; }} }};
    struct Derived : Base {{ __device__ int f() override {{ return 2; }} }};
    __device__ int g(int a) {{ return a; }}
    __device__ int (*keep)(int) = g;
    __global__ void k(long *words) {{ Derived d; words[1] = d.f() + {call}; }}"""
    with pytest.raises(LaunchError, match="host code made the object or the pointer") as failure:
        device(text, args=(np.full(2, 4096, np.int64),))
    assert failure.value.code == 719
    with pytest.raises(InterpreterError, match="host code made the object or the pointer"):
        interpreted(text, args=(np.full(2, 4096, np.int64),))


# --------------------------------------------------------------------------------------------------- time

CLOCKS = """__global__ void k(long long *r) {
    clock_t a = clock(); long long b = clock64();
    unsigned long long t = __globaltimer();
    for (int i = 0; i < 10; i++) __nanosleep(100000);
    long long c = clock64(); unsigned long long u = __globaltimer();
    r[0] = b - a; r[1] = c - b; r[2] = u - t;
}"""


def test_clocks_continue() -> None:
    out = np.zeros(3, np.int64)
    device(CLOCKS, args=(out,))
    assert 0 < out[0] < out[1] and 1_000_000 <= out[2] < 1_000_000_000
    interpreted(CLOCKS, args=(out,))
    assert out[0] >= 0 and out[1] > 0


def test_clocks_are_not_hoisted() -> None:
    text = """__global__ void k(long long *r) {
        long long last = clock64(), most = 0;
        for (int i = 0; i < 1000; i++) { long long now = clock64(); most += now > last; last = now; }
        r[0] = most;
    }"""
    out = np.zeros(1, np.int64)
    device(text, args=(out,))
    assert out[0] > 500


# --------------------------------------------------------------------------------------------------- heap

LIST = """struct Node { int value; Node *next; };
__global__ void build(Node **heads, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    Node *head = nullptr;
    for (int k = 0; k < n + i % 5; k++) {
        Node *node = (Node *)malloc(sizeof(Node));
        if (!node) return;
        node->value = i * 100 + k; node->next = head; head = node;
    }
    heads[i] = head;
}
__global__ void sum(Node **heads, long *sums) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    long total = 0;
    for (Node *p = heads[i]; p;) { total += p->value; Node *next = p->next; free(p); p = next; }
    sums[i] = total;
    free(nullptr);
}"""


def test_the_heap_lives_from_kernel_to_kernel() -> None:
    code = RawModule(code=LIST)
    heads, sums = np.zeros(2048, np.uint64), np.zeros(2048, np.int64)
    for _ in range(3):
        code.get_function("build")((16,), (128,), (heads, 20))
        assert (heads % 16 == 0).all() and heads.all()
        code.get_function("sum")((16,), (128,), (heads, sums))
        assert sums.tolist() == [sum(i * 100 + k for k in range(20 + i % 5)) for i in range(2048)]


def alone(check: Callable[[], None]) -> None:
    """Run a check in a process of its own, whose heap nobody has used."""
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        pool.submit(check).result()


def test_malloc_gives_null_when_the_heap_is_full() -> None:
    alone(fill_the_heap)


def test_aligned_memory_is_that_of_malloc_or_null() -> None:
    """`__cuda_syscall_aligned_malloc`, which NVIDIA's headers declare and call, may give null."""
    text = """extern "C" __device__ void *__cuda_syscall_aligned_malloc(size_t size, size_t alignment);
    __global__ void k(int *out) {
        size_t alignment = 1 << threadIdx.x;
        int *p = (int *)__cuda_syscall_aligned_malloc(8, alignment);
        if (p) { p[1] = 7; out[threadIdx.x] = p[1] + (size_t)p % alignment; free(p); }
    }"""
    out = np.zeros(7, np.int32)
    RawKernel(text, "k")((1,), (7,), (out,))
    assert out.tolist() == [7, 7, 7, 7, 7, 0, 0]


def fill_the_heap() -> None:
    text = """__global__ void k(void **p, long bytes) { p[threadIdx.x] = malloc(bytes); }
    __global__ void f(void **p) { free(p[threadIdx.x]); }"""
    code = RawModule(code=text)
    pointers = np.zeros(20, np.uint64)
    before = runtime.heap_limit()
    for _ in range(2):
        code.get_function("k")((1,), (20,), (pointers, 1 << 20))
        assert np.count_nonzero(pointers) == 7  # of 8 MB, less the headers
        with pytest.raises(ValueError, match="heap"):
            runtime.set_heap_limit(1 << 24)
        code.get_function("f")((1,), (20,), (pointers,))
    runtime.set_heap_limit(1 << 25)
    try:
        code.get_function("k")((1,), (20,), (pointers, 1 << 20))
        assert np.count_nonzero(pointers) == 20
        code.get_function("f")((1,), (20,), (pointers,))
        code.get_function("k")((1,), (20,), (pointers, -1))
        assert not pointers.any()
        code.get_function("k")((1,), (20,), (pointers, 0))
        assert not pointers.any()
    finally:
        runtime.set_heap_limit(before)


@pytest.mark.parametrize(
    "text", ["int *p = (int *)malloc(40); free(p); free(p);", "int a; free(&a);", "free((void *)4096);"]
)
def test_a_wrong_free_ends_the_launch(text: str) -> None:
    with pytest.raises(LaunchError, match=r"free\(\) of an address") as failure:
        device(f"__global__ void k() {{ {text} }}")
    assert failure.value.code == 719


def test_the_heap_under_random_use() -> None:
    alone(use_the_heap)


def use_the_heap() -> None:
    text = """__global__ void k(unsigned *bad, int rounds) {
        unsigned *slots[8] = {}; unsigned sizes[8] = {}; unsigned seed = threadIdx.x * 7919 + blockIdx.x + 1;
        for (int r = 0; r < rounds; r++) {
            seed = seed * 1664525u + 1013904223u;
            int s = seed >> 29; unsigned words = 1 + (seed >> 20) % 60;
            if (slots[s]) {
                for (unsigned w = 0; w < sizes[s]; w++)
                    if (slots[s][w] != (threadIdx.x << 16 | s << 8 | w)) atomicAdd(bad, 1);
                free(slots[s]); slots[s] = nullptr;
            } else {
                slots[s] = (unsigned *)malloc(words * 4); sizes[s] = slots[s] ? words : 0;
                for (unsigned w = 0; w < sizes[s]; w++) slots[s][w] = threadIdx.x << 16 | s << 8 | w;
            }
        }
        for (int s = 0; s < 8; s++) free(slots[s]);
    }"""
    bad = np.zeros(1, np.uint32)
    RawKernel(text, "k")((8,), (64,), (bad, 200))
    assert bad[0] == 0
    runtime.set_heap_limit(runtime.heap_limit())  # nothing is left in it


# ------------------------------------------------------------------------------------------------- memory

COPIES = """struct S { float a, b, c; short d; };
__global__ void k(unsigned char *out, const unsigned char *in, int n) {
    int t = threadIdx.x;
    memcpy(out + t * 64, in + t, 40);
    float f = 1.5f + t; int bits; memcpy(&bits, &f, 4); double d; long long l = t * 3ll; memcpy(&d, &l, sizeof d);
    S s = {1, 2, 3, (short)t}, r; memcpy(&r, &s, sizeof r);
    int a[4] = {t, 1, 2, 3}, b[4]; memcpy(b, a, sizeof a);
    memmove(out + t * 64 + 1, out + t * 64, n);
    memset(out + t * 64 + 50, t, 3);
    out[t * 64 + 60] = (unsigned char)(bits >> 19); out[t * 64 + 61] = r.d + b[0] + b[3];
    out[t * 64 + 62] = memcmp(in, in + t, 5) < 0;
    memcpy(&l, &d, 8); out[t * 64 + 63] = l;
    int small[5] = {t, t, t, t, t}; float more[20]; memset(small, 0, 4 * sizeof(int)); memset(more, 0, sizeof more);
    out[t * 64 + 59] = small[t & 3] + small[4] + more[t % 20];
}"""


def test_bytes_are_copied() -> None:
    data = np.random.default_rng(1).integers(0, 255, 100, np.uint8)
    results = []
    for run in (device, interpreted):
        out = np.zeros((32, 64), np.uint8)
        run(COPIES, block=32, args=(out, data, 20))
        results.append(out)
    np.testing.assert_array_equal(results[0], results[1])
    assert (results[0][:, 21:40] == np.stack([data[t + 21 : t + 40] for t in range(32)])).all()


def test_a_copy_outside_of_memory_is_an_error() -> None:
    with pytest.raises(LaunchError) as failure:
        device("__global__ void k(char *p, long n) { memcpy(p, p + n, 100); }", args=(np.zeros(8, np.uint8), 1 << 44))
    assert failure.value.code == 700


# ------------------------------------------------------------------------------------------------ programs


def run_program(folder: Path, text: str) -> subprocess.CompletedProcess[str]:
    (folder / "a.cu").write_text(text)
    subprocess.run([sys.executable, "-m", "simt2simd", "compile", "a.cu", "-o", "a"], cwd=folder, check=True)
    return subprocess.run(["./a"], cwd=folder, capture_output=True, text=True, check=False)


def test_output_comes_at_synchronisation(tmp_path: Path) -> None:
    text = r"""#include <cstdio>
    __global__ void k(int n) { printf("kernel %d\n", n); }
    int main() {
        int *p, x = 0; cudaMalloc(&p, 4); cudaEvent_t e; cudaEventCreate(&e);
        k<<<1, 1>>>(1); printf("host 1\n"); cudaDeviceSynchronize(); printf("host 2\n");
        k<<<1, 1>>>(2); printf("host 3\n"); k<<<1, 1>>>(3); printf("host 4\n");
        cudaMemcpy(p, &x, 4, cudaMemcpyHostToDevice); printf("host 5\n");
        k<<<1, 1>>>(4); cudaEventRecord(e); printf("host 6\n"); cudaEventSynchronize(e);
        k<<<1, 1>>>(5); printf("host 7\n"); cudaStreamSynchronize(0);
        k<<<1, 1>>>(6); printf("host 8\n");
    }"""
    expected = (
        "host 1,kernel 1,host 2,host 3,kernel 2,host 4,kernel 3,host 5,host 6,kernel 4,host 7,kernel 5,host 8,kernel 6"
    )
    assert run_program(tmp_path, text).stdout.split("\n")[:-1] == expected.split(",")


def test_an_assertion_is_sticky_until_the_device_is_reset(tmp_path: Path) -> None:
    text = r"""#include <cstdio>
    #include <cassert>
    __global__ void k(int n) { assert(n == 1); printf("ran %d\n", n); }
    int main() {
        size_t bytes; cudaDeviceSetLimit(cudaLimitPrintfFifoSize, 12345);
        cudaDeviceGetLimit(&bytes, cudaLimitPrintfFifoSize);
        printf("%zu\n", bytes);
        cudaDeviceGetLimit(&bytes, cudaLimitMallocHeapSize); printf("%zu\n", bytes);
        k<<<1, 1>>>(2); printf("%d\n", cudaDeviceSynchronize()); k<<<1, 1>>>(1);
        void *p; printf("%d %s\n", cudaMalloc(&p, 4), cudaGetErrorName(cudaGetLastError()));
        cudaDeviceReset(); k<<<1, 1>>>(1); printf("%d\n", cudaDeviceSynchronize());
    }"""
    done = run_program(tmp_path, text)
    assert done.stdout.split() == "12345 8388608 710 710 cudaErrorAssert ran 1 0".split()
    assert done.stderr == "a.cu:3: void k(int): block: [0,0,0], thread: [0,0,0] Assertion `n == 1` failed.\n"


def test_small_copies_need_no_call() -> None:
    shown = show(
        module("""__global__ void k(float *p, int *q, const float *from) {
        float f = p[0]; int bits; memcpy(&bits, &f, 4); int a[3]; memset(a, 0, sizeof a);
        memcpy(p, from, 16); q[0] = bits + a[1]; memset(q, 0, 4096);
    }""")
    )
    assert "bits = __float_as_int(f);" in shown and "a[0] = 0, a[1] = 0, a[2] = 0;" in shown
    assert shown.count("memcpy") == 0 and shown.count("memset") == 1 and show(module(shown)) == shown


OBJECTS = """struct P { int a; float b; };
__global__ void k(int *out, const int *in, const int *__restrict__ fixed, int n) {
    __shared__ int s[64], r[64]; __shared__ P records[8];
    int t = threadIdx.x, a[4] = {1, 2, 3, 4}, b[8], c[300]; P p = {t, 2.0f}, q; float f[4];
    if (t == 0) memset(s, 1, n * 4);
    __syncthreads();
    memcpy(&r[t], &s[63 - t], 4); if (t < 8) memcpy(records + t, &p, sizeof p);
    __syncthreads();
    for (int i = 0; i < n % 7; i++) {
        memset(b, i, sizeof b); memcpy(b + i % 4, a, n % 5 * 4); a[i & 3] += b[(t + i) & 7];
        memset(c, 0, sizeof c); c[(t * 5 + i) % 300] = i; memcpy(c + 3, c, 40); a[0] += c[7] + c[(t + 1) % 300];
        q = p; memset(&q, 0, n % 5); p.a += q.a; memcpy(f, &q.b, n % 5 ? 4 : 0); p.b += f[0];
    }
    const P *one = &records[t & 7];
    int before = out[t]; memcpy(out + t, in + t % 50, 4 * (t == 5)); int behind = out[t];
    for (int i = 0; i < 3; i++) { memcpy(out + 100 + t * 3, fixed + i, 4); a[1] += fixed[i] + out[100 + t * 3]; }
    int all = a[0] + a[1] * 3 + a[2] * 5 + a[3] * 7 + p.a + (int)p.b + before + behind;
    out[400 + t] = all + r[t] + one->a + (int)one->b;
}"""


@pytest.mark.parametrize("options", [(), ("--lanes", "64"), ("--verify",), ("--target", "avx2")], ids=str)
def test_objects_of_every_storage_are_copied(options: tuple[str, ...]) -> None:
    results = []
    for compiled in (True, False):
        out, source = np.arange(500, dtype=np.int32), np.arange(7, 60, dtype=np.int32)
        args = (out, source, source[3:].copy(), 64)
        if compiled:
            device(OBJECTS, block=64, args=args, options=options)
        else:
            interpreted(OBJECTS, block=64, args=args)
        results.append(out)
    np.testing.assert_array_equal(results[0], results[1])
