"""`RawKernel` and `RawModule`: kernels on NumPy arrays, without copies."""

from __future__ import annotations

import copy
import pickle
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from simt2simd import CompileError, LaunchError, RawKernel, RawModule
from simt2simd.lang.instance import KernelRequests
from simt2simd.options import Options
from simt2simd.python import kernel as kernel_module
from simt2simd.python import machine_code
from simt2simd.python.cache import Cache
from simt2simd.source import Source

SAXPY = r"""
__global__ void saxpy(float a, const float *x, float *y, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) y[i] = a * x[i] + y[i];
}
"""


def test_saxpy_in_place() -> None:
    n = 1000
    x, y = np.arange(n, dtype=np.float32), np.ones(n, np.float32)
    RawKernel(SAXPY, "saxpy")((4,), (256,), (np.float32(2), x, y, n))
    np.testing.assert_array_equal(y, 2 * np.arange(n, dtype=np.float32) + 1)


def test_views_are_written_through() -> None:
    x, y = np.ones(64, np.float32), np.zeros((3, 64), np.float32)
    RawKernel(SAXPY, "saxpy")((1,), (64,), (3.0, x, y[1], 64))
    assert y.sum(axis=1).tolist() == [0, 192, 0]


def test_grid_and_block_of_three_dimensions() -> None:
    code = """
    __global__ void where(int *out) {
        int block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
        int thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
        out[block * blockDim.x * blockDim.y * blockDim.z + thread] = 1000 * block + thread;
    }"""
    out = np.zeros((2 * 3 * 4, 5 * 3 * 2), np.int32)
    RawKernel(code, "where")((2, 3, 4), (5, 3, 2), (out,))
    np.testing.assert_array_equal(out, 1000 * np.arange(24)[:, None] + np.arange(30))


def test_structs_by_pointer_and_by_value() -> None:
    code = """
    typedef struct { float x; char n; } Point;
    __global__ void k(Point *p, Point add) { p[threadIdx.x].x += add.x; p[threadIdx.x].n += add.n; }"""
    dtype = np.dtype([("x", "f4"), ("n", "i1")], align=True)
    points, add = np.zeros(20, dtype), np.zeros(1, dtype)
    points["n"] = np.arange(20)
    add[0] = (0.5, 3)
    RawKernel(code, "k")((1,), (20,), (points, add[0]))
    assert points["x"].tolist() == [0.5] * 20 and points["n"].tolist() == list(range(3, 23))


def test_null_pointers_and_all_kinds_of_numbers() -> None:
    code = """
    __global__ void k(bool b, char c, unsigned short s, long long l, double d, const int *p, double *out) {
        out[0] = b; out[1] = c; out[2] = s; out[3] = l; out[4] = d; out[5] = p == 0;
    }"""
    out = np.zeros(6)
    RawKernel(code, "k")((1,), (1,), (True, -5, np.uint16(65535), 2**40, 0.1, None, out))
    assert out.tolist() == [1, -5, 65535, 2**40, 0.1, 1]


def test_options() -> None:
    code = "__global__ void k(int *out) { out[0] = N; }"
    out = np.zeros(1, np.int32)
    RawKernel(code, "k", ("-DN=__cplusplus", "--std", "c++20"))((1,), (1,), (out,))
    assert out[0] == 202002
    with pytest.raises(ValueError, match=r"option '-std': expected c\+\+03, .* or c\+\+23, got 'c\+\+18'"):
        RawKernel(code, "k", ("-std=c++18",))
    out = np.zeros(1, np.int32)
    RawKernel(code, "k", ("-DN=5", "--std=c++17", "--use_fast_math"))((1,), (1,), (out,))
    RawKernel(code, "k", options=["-D", "N=out[0] + 1", "-fmad=false"], backend="nvcc")((1,), (1,), (out,))
    assert out[0] == 6
    with pytest.raises(ValueError, match="unknown option '-march=native'"):
        RawKernel(code, "k", ("-march=native",))
    for wrong in ("-D1=2", "-DA=1\n#error x", "-D"):
        with pytest.raises(ValueError, match="-D defines a macro as NAME or NAME=VALUE, on one line"):
            RawKernel("", "k", options=(wrong,))
    with pytest.raises(ValueError, match="option '--lanes': expected 16, 32 or 64, got '8'"):
        RawKernel(code, "k", ("--lanes=8",))
    with pytest.raises(
        ValueError, match=r"no optimisation 'bogus': choose from\n  unreachable-code-elimination +what constants"
    ):
        RawKernel(code, "k", ("--disable=bogus",))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("#include <nosuch.h>", "file 'nosuch.h' not found"),
        ("#include <cstdint>\n#include <cuda/std/cstdint>", None),
        ("@", "illegal character '@'"),
        ("int a = 3\0;", "illegal character '\\x00'"),
        ("1 + 2;", "expected a declaration before '1'"),
        ("return 0;", "expected a declaration before 'return'"),
        ("*p = 3;", "expected a declaration before '*'"),
        ('int h() { return 1; } int v = 3; static_assert(1, ""); ; using namespace std; enum { A };', None),
    ],
)
def test_what_no_other_compiler_would_see(text: str, message: str | None) -> None:
    kernel = RawKernel(f"{text}\n__global__ void k(int *out) {{ out[0] = 1; }}", "k")
    if message is None:
        kernel.compile()
        return
    with pytest.raises(CompileError, match=re.escape(message)):
        kernel.compile()


def test_target_and_optimisations_can_be_chosen() -> None:
    code = "__global__ void k(int *out) { out[threadIdx.x] += threadIdx.x; }"
    out = np.zeros(20, np.int32)
    for option in ("--target=avx2", "--target=native", "--disable=full-mask,wide-gangs", "-O0"):
        RawKernel(code, "k", (option,))((1,), (20,), (out,))
    assert out.tolist() == [4 * i for i in range(20)]


def test_modules_have_several_kernels() -> None:
    module = RawModule(
        code="static __global__ void a(int *x) { x[0] = 1; }\n__device__ int f() { return 2; }\n"
        "__global__ void b(int *x) { x[0] += f(); }"
    )
    x = np.zeros(1, np.int32)
    for name in ("a", "b"):
        module.get_function(name)((1,), (1,), (x,))
    assert x[0] == 3
    with pytest.raises(ValueError, match="the code has no kernel 'f'; its kernels: 'a', 'b'"):
        module.get_function("f")


def test_kernels_outlive_their_module_object() -> None:
    x = np.zeros(1, np.int32)
    kernel = RawModule(code="__global__ void a(int *x) { x[0] = 1; }").get_function("a")
    kernel((1,), (1,), (x,))
    assert x[0] == 1


def test_compiled_once_on_the_first_call(monkeypatch: pytest.MonkeyPatch) -> None:
    count = []
    device_code = machine_code.device_code

    def counting(
        source: Source, options: Options, cache: Cache, asked: Callable[[], KernelRequests]
    ) -> machine_code.DeviceCode:
        count.append(1)
        return device_code(source, options, cache, asked)

    monkeypatch.setattr(kernel_module, "device_code", counting)
    kernel = RawKernel(SAXPY, "saxpy")
    assert not count
    x, results = np.ones(32, np.float32), [np.zeros(32, np.float32) for _ in range(8)]
    threads = [threading.Thread(target=kernel, args=((1,), (32,), (2.0, x, y, 32))) for y in results]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(count) == 1
    assert all((y == 2).all() for y in results)


# ---------------------------------------------------------------------------------------------- errors


def test_faults_in_the_code_come_when_it_is_compiled() -> None:
    kernel = RawKernel("__global__ void k(int *x) {\n  x[0] = unknown;\n}", "k")
    with pytest.raises(CompileError, match=r"2:10: error:.*unknown"):
        kernel.compile()
    with pytest.raises(CompileError):
        kernel((1,), (1,), (np.zeros(1, np.int32),))


def test_arguments_that_do_not_fit() -> None:
    kernel = RawKernel(SAXPY, "saxpy")
    x = np.zeros(4, np.float32)
    with pytest.raises(TypeError, match="too few arguments to kernel 'saxpy': 3 given, 4 expected"):
        kernel((1,), (4,), (1.0, x, x))
    with pytest.raises(
        TypeError, match=r"parameter 'y' of type 'float \*': expected an array of float32, got an array of float64"
    ):
        kernel((1,), (4,), (1.0, x, x.astype(np.float64), 4))
    with pytest.raises(TypeError, match="parameter 'n' of type 'int'"):
        kernel((1,), (4,), (1.0, x, x, 4.5))
    assert not x.any()


@pytest.mark.parametrize("grid", [1, "1", (), (1, 1, 1, 1), (1.5,)])
def test_grids_that_are_no_tuples_of_numbers(grid: object) -> None:
    with pytest.raises(TypeError):
        RawKernel(SAXPY, "saxpy")(grid, (4,), (1.0, None, None, 0))  # type: ignore[arg-type]


def test_a_size_of_0_means_1() -> None:
    out = np.zeros(4, np.int32)
    code = (
        "__global__ void k(int *out) { out[blockIdx.x + threadIdx.x] = gridDim.x * 100 + gridDim.y * 10 + blockDim.x; }"
    )
    RawKernel(code, "k")((0, 0), (0,), (out,))
    assert out.tolist() == [111, 0, 0, 0]


def test_columns_of_a_fortran_ordered_array() -> None:
    x, y = np.ones(6, np.float32), np.asfortranarray(np.arange(6, dtype=np.float32).reshape(2, 3))
    RawKernel(SAXPY, "saxpy")((1,), (2,), (10.0, x, y, 2))
    assert y.tolist() == [[10, 1, 2], [13, 4, 5]]


def test_kernels_and_modules_can_be_pickled() -> None:
    module = RawModule(code=SAXPY.replace("a * x", "A * x"), options=("-DA=2*a",))
    first, second = pickle.loads(pickle.dumps([module.get_function("saxpy"), module]))
    x, y = np.ones(4, np.float32), np.zeros(4, np.float32)
    for kernel in (first, second.get_function("saxpy"), copy.deepcopy(first)):
        kernel((1,), (4,), (1.0, x, y, 4))
    assert y.tolist() == [6, 6, 6, 6] and repr(first) == "<simt2simd.RawKernel saxpy>"
    assert first._module is second


def test_sizes_out_of_range() -> None:
    kernel = RawKernel(SAXPY, "saxpy")
    with pytest.raises(ValueError, match="grid"):
        kernel((-1,), (4,), (1.0, None, None, 0))
    with pytest.raises(LaunchError) as caught:
        kernel((1,), (2000,), (1.0, None, None, 0))
    assert caught.value.name == "cudaErrorInvalidValue"


def test_no_such_kernel() -> None:
    with pytest.raises(ValueError, match="the code has no kernel 'saxpi'; its kernels: 'saxpy'"):
        RawKernel(SAXPY, "saxpi").compile()
    with pytest.raises(TypeError, match="code"):
        RawKernel(None, "k")  # type: ignore[arg-type]


def test_a_kernel_that_fails_raises() -> None:
    code = "__global__ void k(int *x) { x[threadIdx.x] = 1; }"
    with pytest.raises(LaunchError) as caught:
        RawKernel(code, "k")((1,), (32,), (None,))
    assert caught.value.name == "cudaErrorIllegalAddress"


@pytest.mark.parametrize("n", [8, 40, 100_000])
def test_a_write_past_a_local_array_ends_the_kernel(n: int) -> None:
    code = """__global__ void k(int n, int *out) {
        int a[4];
        for (int j = 0; j < n; j++) a[j] = 77;
        out[threadIdx.x] = a[n & 3];
    }"""
    kernel, out = RawKernel(code, "k"), np.zeros(64, np.int32)
    for _ in range(3):
        with pytest.raises(LaunchError, match="illegal memory access") as caught:
            kernel((1,), (64,), (n, out))
        assert caught.value.name == "cudaErrorIllegalAddress" and not out.any()


ENDLESS = {  # blocks and threads
    "loop": ("while (true) { }", 1, 64),
    "blocks": ("while (true) { }", 1000, 64),
    "the_last_block": ("while (blockIdx.x == gridDim.x - 1) { }", 1000, 64),
    "polling": ("while (*(volatile int *)x == 0) { x[1]++; }", 1, 1),
    "barriers": ("__shared__ int s[64]; while (x[0] == 0) { s[threadIdx.x] = x[1]; __syncthreads(); }", 3, 64),
}


Start = Callable[[str], subprocess.Popen[str]]


@pytest.fixture
def start() -> Iterator[Start]:
    """Start a Python program that Ctrl-C ends, also where tests run in the background, until it has printed "ready".

    It is gone when the test ends.
    """
    root = Path(kernel_module.__file__).parent.parent
    started = []

    def run(program: str) -> subprocess.Popen[str]:
        text = f"import signal; signal.signal(signal.SIGINT, signal.default_int_handler)\n{program}"
        pipe = subprocess.PIPE
        running = subprocess.Popen([sys.executable, "-uc", text], cwd=root, stdin=pipe, stdout=pipe, text=True)
        started.append(running)
        assert running.stdout is not None and running.stdout.readline() == "ready\n"
        return running

    yield run
    for running in started:
        with running:
            running.kill()


@pytest.mark.parametrize("kind", ENDLESS)
def test_ctrl_c_ends_a_kernel(kind: str, start: Start) -> None:
    body, blocks, threads = ENDLESS[kind]
    program = f"""
import time
import numpy as np
from simt2simd import RawKernel
x = np.zeros(64, np.int32)
endless = RawKernel("__global__ void k(int *x) {{ {body} }}", "k")
one = RawKernel("__global__ void one(int *x) {{ x[threadIdx.x] = 1; }}", "one")
for kernel in (endless, one):
    kernel.compile()
print("ready")
start = time.perf_counter()
try:
    endless(({blocks},), ({threads},), (x,))
except KeyboardInterrupt:
    print(time.perf_counter() - start < 1)
one((1,), (64,), (x,))
print(x.sum())
"""
    running = start(program)
    time.sleep(0.5)
    running.send_signal(signal.SIGINT)
    assert running.communicate(timeout=20)[0] == "True\n64\n"


@pytest.mark.parametrize("body", ["while (true) x[threadIdx.x] += 1;", "while (*(volatile int *)x == 0) { }"])
def test_ctrl_c_ends_launches_of_other_threads(body: str, start: Start) -> None:
    """One of two launches runs when the signal comes, and the other one waits for it."""
    program = f"""
import time
from concurrent.futures import ThreadPoolExecutor
import numpy as np
from simt2simd import RawKernel
x = np.zeros(64, np.int32)
endless = RawKernel("__global__ void k(int *x) {{ {body} }}", "k")
one = RawKernel("__global__ void one(int *x) {{ x[threadIdx.x] = 1; }}", "one")
for kernel in (endless, one):
    kernel.compile()
print("ready")
with ThreadPoolExecutor(2) as pool:
    results = [pool.submit(endless, (1,), (64,), (x,)) for _ in range(2)]
    try:
        time.sleep(20)
    except KeyboardInterrupt:
        start = time.perf_counter()
        print([repr(result.exception()) for result in results], time.perf_counter() - start < 1)
    pool.submit(one, (1,), (64,), (x,)).result()
print(x.sum())
"""
    running = start(program)
    time.sleep(0.5)
    running.send_signal(signal.SIGINT)
    assert running.communicate(timeout=20)[0] == "['KeyboardInterrupt()', 'KeyboardInterrupt()'] True\n64\n"


def test_a_handler_of_the_program_s_own_sees_the_first_ctrl_c(start: Start) -> None:
    """A kernel waits for what another thread writes, first for a while, then in vain."""
    program = """
import signal, sys, threading, time
import numpy as np
from simt2simd import RawKernel
x = np.ones(2, np.int32)
kernel = RawKernel("__global__ void k(volatile int *x) { while (x[0] == 0) { } x[1] = 1; }", "k")
kernel((1,), (1,), (x,))
x[:] = 0
def write():
    sys.stdin.readline()
    x[0] = 1
threading.Thread(target=write).start()
seen = []
signal.signal(signal.SIGINT, lambda *_: seen.append(int(x[1])))
print("ready")
kernel((1,), (1,), (x,))
print(seen)
x[:] = 0
threading.Thread(target=time.sleep, args=(60,), daemon=True).start()  # which might write
try:
    kernel((1,), (1,), (x,))
except KeyboardInterrupt:
    print(set(seen))
"""
    running = start(program)
    assert running.stdin is not None and running.stdout is not None
    time.sleep(0.5)
    running.send_signal(signal.SIGINT)
    time.sleep(0.3)
    print("go", file=running.stdin, flush=True)
    assert running.stdout.readline() == "[1]\n"
    while running.poll() is None:
        time.sleep(0.3)
        running.send_signal(signal.SIGINT)
    assert running.stdout.read() == "{0, 1}\n"


def test_needs_no_cpp_compiler() -> None:
    code = (
        "import numpy as np; from simt2simd import RawKernel; x = np.zeros(4, np.int32);"
        "RawKernel('__global__ void k(int *x) { x[threadIdx.x] = 7; }', 'k')((1,), (4,), (x,)); print(x.sum())"
    )
    root = Path(kernel_module.__file__).parent.parent
    env = {"PATH": "/nowhere", "SIMT2SIMD_CACHE_SIZE": "0"}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=root, env=env)
    assert done.stdout == "28\n", done.stderr


# ------------------------------------------------------------------------------------------ name expressions


def test_name_expressions() -> None:
    code = (
        "namespace { __global__ void twice(int *x) { x[threadIdx.x] *= 2; } } __global__ void k(int *x) { x[0] = 7; }"
    )
    module = RawModule(code=code, name_expressions=["twice", " k "])
    x = np.arange(4, dtype=np.int32)
    module.get_function("twice")((1,), (4,), (x,))
    np.testing.assert_array_equal(x, 2 * np.arange(4))
    pickle.loads(pickle.dumps(module)).get_function("k")((1,), (1,), (x,))
    assert x[0] == 7


def test_a_name_expression_without_a_kernel() -> None:
    module = RawModule(code="namespace { __global__ void k(int *x) { } }", name_expressions=["other"])
    with pytest.raises(CompileError, match="'other' names no kernel"):
        module.compile()


KERNELS = """
template <class T> struct Vec { T x, y; };
namespace ns {
enum class Mode { slow, fast };
template <class T, int N, Mode M = Mode::slow> __global__ void k(T *x) { *x = N + (M == Mode::fast) * 100; }
__global__ void plain(int *x) { *x = 5; }
}
template <class... Ts> __global__ void pack(int *x) { *x = sizeof...(Ts) * 10 + (0 + ... + sizeof(Ts)); }
template <template <class> class V, class T> __global__ void holder(T *x) { V<T> v{1, 2}; *x = v.x + v.y; }
__device__ int square(int a) { return a * a; }
template <int (*F)(int)> __global__ void call(int *x) { *x = F(*x); }
template <class T> __global__ void special(T *x) { *x = 1; }
template <> __global__ void special<float>(float *x) { *x = 2; }
__global__ void over(int *x) { *x = 1; }
__global__ void over(float *x) { *x = 2; }
"""


@pytest.mark.parametrize(
    ("name", "dtype", "expected"),
    [
        ("ns::k<float, 3>", np.float32, 3),
        ("ns::k<int, 4, ns::Mode::fast>", np.int32, 104),
        ("ns::k<unsigned  int, -1>", np.uint32, 0xFFFFFFFF),
        ("ns::plain", np.int32, 5),
        ("pack<int, double, Vec<char>>", np.int32, 44),
        ("holder<Vec, float>", np.float32, 3),
        ("call<square>", np.int32, 36),
        ("special<float>", np.float32, 2),
        ("special<int>", np.int32, 1),
    ],
)
def test_instances_by_name(name: str, dtype: type, expected: int) -> None:
    x: np.ndarray[Any, Any] = np.full(1, 6, dtype)
    RawModule(code=KERNELS, name_expressions=[name]).get_function(name)((1,), (1,), (x,))
    assert x[0] == expected


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("ns::k", "'ns::k' names no kernel"),
        ("ns::k<float>", "too few template arguments for 'ns::k'"),
        ("over", "'over' names several kernels"),
        ("square", "'square' names no kernel"),
        ("nothing<int>", "'nothing' is not declared"),
        ("ns::k<Unknown, 3>", "'Unknown' is not declared"),
        ("holder<int, int>", "the template argument for 'V' must be a template"),
        ("ns::k<int, 3> x", "expected ',' or '>' before 'x'"),
    ],
)
def test_names_of_no_instance(name: str, message: str) -> None:
    with pytest.raises(CompileError, match=re.escape(message)):
        RawModule(code=KERNELS, name_expressions=[name]).get_function(name)


@pytest.mark.parametrize("wrong", ["k<float>", [3]])
def test_what_is_no_list_of_name_expressions(wrong: object) -> None:
    with pytest.raises(TypeError, match="name_expressions: expected a list of names"):
        RawModule(code="", name_expressions=wrong)  # type: ignore[arg-type]


def test_arguments_find_functions_after_a_template_without_any_namespace() -> None:
    code = """
        struct S { int v; };
        __device__ int g(...) { return 1; }
        template <class T> __device__ int h(T t, S s) { return g(s) * 10 + g(t); }
        __device__ int g(S) { return 2; }
        __global__ void k(int *out) { *out = h(S(), S()); }
    """
    out = np.zeros(1, np.int32)
    RawKernel(code, "k")((1,), (1,), (out,))
    assert out[0] == 12
