"""Loops that may wait for other threads: which are counted, and what becomes of launches that wait for ever."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from simt2simd import LaunchError, RawKernel
from simt2simd.analysis import spin_waits
from simt2simd.options import Options
from simt2simd.pipeline import compile_device
from simt2simd.source import Source

ROOT = Path(spin_waits.__file__).parent.parent

FOREVER = """
__global__ void neighbour(volatile int *s) {
    int i = threadIdx.x, missing;
    do {
        missing = 0;
        if (s[i] & 1) { if (s[i + 1] & 1) missing = 1; else s[i] = 2; }
    } while (missing);
}
__global__ void chain(int *flags, int tasks) {
    for (int t = blockIdx.x; t < tasks; t += gridDim.x) {
        if (threadIdx.x == 0) {
            while (atomicAdd(&flags[t], 0) == 0) { }
            atomicAdd(&flags[t + 1], 1);
        }
        __syncthreads();
    }
}
__global__ void turns(volatile int *turn, int rounds) {
    if (threadIdx.x == 0)
        for (int r = 0; r < rounds; r++) {
            while (turn[0] != 2 * r + blockIdx.x) { }
            turn[0] = turn[0] + 1;
        }
}
"""


def waits_of(body: str) -> spin_waits.Waits:
    """What is found of the loops of a kernel, which begins in line 4."""
    parameters = "volatile int *flag, int *x, int n"
    code = (
        "__device__ int read(volatile int *p) { return *p; }\n"
        "__device__ void set(int *p) { *p = 1; }\n"
        f"__global__ void k({parameters}) {{ int i = threadIdx.x, a;\n{body}\n}}"
    )
    module = compile_device(Source("k.cu", code), Options(), until="kernel-parameters-in-place").module
    return spin_waits.find(module)


def counted(body: str) -> list[int]:
    """The lines of the loops of a kernel whose iterations are counted."""
    return sorted(loop.span.line - 3 for loop in waits_of(body).loops)


@pytest.mark.parametrize(
    ("body", "lines"),
    [
        ("while (flag[i] == 0) { }\nwhile (x[i] == 0) { }", [1]),
        ("while (read(flag) == 0) { }", [1]),
        ("while (atomicAdd(x, 0) == 0) { }\nwhile (atomicAdd(x, 1) == 0) { }", [1]),
        ("while (atomicCAS(x, 0, 0) == 0) { }", [1]),
        ("while (atomicCAS(x, 0, 1) != 0) { }", [1]),
        ("while (atomicExch(x, 1)) { }\nx[1]++;\natomicExch(x, 0);", []),  # gives it back inside
        ("for (a = 0; !a;) { if (atomicCAS(x, 0, 1) == 0) { x[1]++; a = 1; atomicExch(x, 0); } }", []),
        (
            "for (a = 0; !a;) if (atomicCAS(x, 0, 1) == 0) {\nwhile (atomicCAS(&x[1], 0, 1)) { } x[1] = a = 1; x[0] = 0; }",  # noqa: E501
            [1, 2],
        ),
        ("for (;;) if ((a = atomicCAS(x, 0, 1)) == 0) break;", [1]),
        ("for (a = 0;; a++) if (flag[i]) break;", [1]),
        ("for (a = 8; flag[i] == 0; a *= 2) __nanosleep(a);", [1]),
        ("for (a = 0; a < 100; a++) if (flag[i]) break;", []),
        ("for (a = 0; a < 1000; a++) if (flag[i]) break;", [1]),
        ("for (a = 0; a < 100; a++) if (flag[a]) break;", []),  # moves on
        ("for (a = 0; a < 100; a++) x[i] += flag[i];", []),
        ("int b = 0;\nfor (a = 0; flag[i] == 0 && b < 9; a++) if (a % 7 == 0) b++;", []),
        ("do { a = flag[i]; } while (a == 0);", [1]),
        ("do { __threadfence(); a = x[i]; } while (a == 0);", [1]),
        ("a = 0;\nwhile (a == 0) { if (flag[i]) a = 1; }", [2]),
        ("for (a = 0; a < n; a++) x[i] += flag[a];", []),
        ("a = 0;\nwhile (flag[a] == 0) a = a + 1;", []),  # moves on
        ("while (flag[i] == 0) x[i] = 1;", [1]),
        ("while (flag[i] == 0) set(x);", [1]),
        ("for (;;) { x[i] = 1; if (read(flag)) break; }", [1]),
        ("for (;;) { volatile int *p = flag + i; x[i] = 1; if (*p) break; }", [1]),
        ("do { atomicAdd(&x[1], 1); } while (atomicAdd(x, 0) == 0);", [1]),
        ("do { x[i] = 1; __threadfence(); } while (x[0] == 0);", [1]),
        ("do { x[i] = 1; a = atomicAdd(x, 1); } while (a < n);", []),
        ("for (a = n;;) { x[i] = 1; if (flag[a] == 0) break; a = a / 2; }", []),  # moves on
        ("for (a = 0; a < n;) { if (flag[a] == 0) continue; x[a] = 1; a++; }", [1]),
        ("for (a = 0; a < n;) { x[a] = 1; if (flag[n] == 0) continue; a++; }", [1]),
        ("for (a = 0; a < n;) { for (int k = 0; k < 8; k++) if (k == n) continue; x[a] = flag[a]; a++; }", []),
        ("while (atomicMax(x, 0) == 0) { }\nwhile (atomicMax(x, n) == 0) { }", [1]),
        ("while (flag[i] == 0) { if (flag[n]) x[i] = 1; }", [1]),
        ("for (a = 0; a < n; a++) { while (flag[i] == a) { } }", [1]),
        ("while (flag[0] == 0) __syncthreads();", [1]),
        ("a = 0; while (a < n) { if (flag[a]) { x[a] = 1; a += 8; } __syncthreads(); }", [1]),
        ("do { a = flag[i]; } while (__syncthreads_or(a == 0));", [1]),
        ("__shared__ volatile int s;\ndo { s = 1; __syncthreads(); } while (s == 0);", []),  # its block writes it
        (
            "__shared__ int s;\ndo { if (i == 0) s = atomicAdd(x, 1); __syncthreads(); x[s + 1] = i; } while (s < n);",
            [],
        ),
        ("__shared__ int s;\ndo { if (i == 0) s = flag[0]; __syncthreads(); } while (!s);", [2]),
        ("do { a = flag[i]; } while (__any_sync(~0u, a == 0));", [1]),
        ("for (a = i; __any_sync(~0u, a < n);) if (a < n) { atomicAdd(&x[a], 1); a += 32; }", []),
        ("a = 0; while (a == 0) { __threadfence(); a = flag[0]; }", [1]),
        ("int b; a = 0; while (a == 0) { b = a; a = atomicAdd(x, 0); x[1] = b; }", [1]),
        ("int b; a = 0; while (a == 0) { b = a; a = atomicAdd(x, 0) + b * 0; }", []),
        ("int b; while ((a = flag[0]) == 0) b = a;", [1]),
        ("int b = 0, c; for (a = 0; a == 0;) { c = b; b = a; a = flag[c]; }", []),  # moves on
        ("int b = 0, c; for (a = 0; a == 0;) { c = b; b = a; a = flag[1]; }", [1]),
    ],
)
def test_which_loops_are_counted(body: str, lines: list[int]) -> None:
    assert counted(body) == lines


@pytest.mark.parametrize(
    ("body", "lines"),
    [
        ("if (i & 1) a = __shfl_xor_sync(~0u, n, 1);\nelse a = __shfl_xor_sync(~0u, 2 * n, 1);\nx[i] = a;", [1, 2]),
        ("if (i / 32 == 0) a = __shfl_xor_sync(~0u, n, 1);\nelse a = __shfl_xor_sync(~0u, 2, 1);\nx[i] = a;", []),
        ("if (n > 7) a = __shfl_xor_sync(~0u, i, 1);\nelse a = __shfl_xor_sync(~0u, 2, 1);\nx[i] = a;", []),
        ("if (i & 1) a = __shfl_up_sync(~0u, i, 1);\nelse a = __shfl_down_sync(~0u, i, 1);\nx[i] = a;", []),
        ("if (i & 1) __syncwarp();\n__syncwarp();", []),
        ("if (i & 1) { __syncwarp(); return; }\n__syncwarp();", [1, 2]),
        ("if (i & 1) { __syncwarp(); return; }\n__syncthreads();\n__syncwarp();", []),
        ("for (a = 0; a < i; a++) __syncwarp();\n__syncwarp();", [1, 2]),
        ("for (a = 0; a < n; a++) __syncwarp();\n__syncwarp();", []),
        ("for (a = 0; a < i; a++) x[a] = i;\n__syncwarp();", []),
        ("if (i & 1) x[i] = __any_sync(__activemask(), n > i);\nelse x[i] = __any_sync(__activemask(), n > i);", []),
        ("x[i] = i & 1 ? __any_sync(~0u, n > i) :\n__any_sync(~0u, n < i);", [1, 2]),
    ],
)
def test_which_warp_functions_meet_others(body: str, lines: list[int]) -> None:
    assert sorted(node.span.line - 3 for node in waits_of(body).meetings) == lines


def run_alone(program: str) -> str:
    """Run a Python program without other threads that could write what kernels wait for: NumPy starts none either."""
    env = {**os.environ, "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
    imports = "import numpy as np\nfrom simt2simd import LaunchError, RawKernel, RawModule, runtime\n"
    text = f"{imports}module = RawModule(code={FOREVER!r})\n{program}"
    done = subprocess.run([sys.executable, "-c", text], cwd=ROOT, env=env, capture_output=True, text=True, timeout=60)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_threads_may_wait_for_later_gangs() -> None:
    program = """
s = np.full(1025, 2, np.int32)
for n in (16, 32, 100, 1024):
    s[:n] = 1
    module.get_function("neighbour")((1,), (n,), (s,))
    print(s.min(), s.max())
"""
    assert run_alone(program).splitlines() == ["2 2"] * 4


def test_more_blocks_may_wait_for_each_other_than_there_are_hthreads() -> None:
    program = """
kernel, flags = module.get_function("chain"), np.zeros(66, np.int32)
for threads in (2, 8, 2, 8):
    runtime.configure(threads=threads)
    flags[:], flags[0] = 0, 1
    try:
        kernel((8,), (64,), (flags, 64))
        print(flags.sum())
    except LaunchError as fault:
        print(fault.name)
"""
    assert run_alone(program).split() == ["65"] * 4


def test_threads_that_sleep_between_their_looks_are_an_error_soon() -> None:
    program = """
code = '''__device__ void rest(unsigned ns) { __nanosleep(ns); }
__global__ void k(volatile int *flag) { while (flag[0] == 0) rest(200); }'''
try:
    RawKernel(code, "k")((3,), (64,), (np.zeros(1, np.int32),))
except LaunchError as fault:
    print(fault.name)
"""
    assert run_alone(program) == "cudaErrorLaunchTimeout\n"  # 2 s; with as many rounds as without sleep, 50 s


@pytest.mark.parametrize("threads", [2, 5])
def test_blocks_that_take_turns_come_to_their_end(threads: int) -> None:
    program = f"""
runtime.configure(threads={threads})
turn = np.zeros(1, np.int32)
for rounds in (1, 1000, 1):
    turn[0] = 0
    module.get_function("turns")((2,), (64,), (turn, rounds))
    print(turn[0])
"""
    assert run_alone(program).split() == ["2", "2000", "2"]


def test_threads_may_wait_for_the_program() -> None:
    """It has another thread, which may write what they wait for."""
    program = """
import threading, time
flag = np.zeros(1, np.int32)
kernel = RawKernel("__global__ void k(volatile int *flag) { while (*flag == 0) { } }", "k")
kernel.compile()
def write():
    time.sleep(0.5)
    flag[0] = 1
threading.Thread(target=write).start()
kernel((1,), (64,), (flag,))
print("written")
"""
    assert run_alone(program) == "written\n"


TIMEOUT = """
import numpy as np
from simt2simd import LaunchError, RawKernel
endless = RawKernel("__global__ void endless(volatile int *x) { for (int i = 0; x[0] == 0; i++) x[1] = i; }", "endless")
ones = RawKernel("__global__ void ones(int *x) { x[threadIdx.x] = 1; }", "ones")
for blocks in (1, 8, 1, 8):
    x = np.zeros(64, np.int32)
    try:
        endless((blocks,), (64,), (x,))
    except LaunchError as error:
        print(error.name, error)
    ones((1,), (64,), (x,))
    assert x.sum() == 64
"""


def test_launches_end_when_their_time_is_up() -> None:
    env = {**os.environ, "S2S_TIMEOUT": "0.2"}
    done = subprocess.run(
        [sys.executable, "-c", TIMEOUT], cwd=ROOT, env=env, capture_output=True, text=True, timeout=60
    )
    text = "kernel 'endless': it took longer than the 0.2 seconds of S2S_TIMEOUT"
    assert done.stdout == f"cudaErrorLaunchTimeout {text}\n" * 4, done.stderr


def test_a_time_that_is_no_time_is_ignored() -> None:
    program = "import numpy as np\nfrom simt2simd import RawKernel\n"
    program += "RawKernel('__global__ void k() { }', 'k')((1,), (1,), ())\n"
    env = {**os.environ, "S2S_TIMEOUT": "soon"}
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, env=env, capture_output=True, text=True, timeout=60
    )
    assert done.stderr == "simt2simd: S2S_TIMEOUT=soon is ignored: expected seconds\n" and done.returncode == 0


OBJECT = "__shared__ cuda::barrier<cuda::thread_scope_block> b;"


@pytest.mark.parametrize(
    ("body", "what"),
    [
        ('asm volatile("bar.sync 1, 128;");', "a named barrier"),
        (
            'if (threadIdx.x < 16) asm volatile("barrier.sync 2;"); else asm volatile("barrier.sync 3;");',
            "a named barrier",
        ),
        (
            f"{OBJECT} if (threadIdx.x == 0) init(&b, 200); __syncthreads(); b.arrive_and_wait();",
            "a barrier in shared memory",
        ),
    ],
)
def test_a_barrier_to_which_too_few_threads_come_ends_the_launch(body: str, what: str) -> None:
    code = f"#include <cuda/barrier>\n__global__ void k() {{ {body} }}"
    with pytest.raises(LaunchError, match=what):
        RawKernel(code, "k")((1,), (32,), ())


def test_threads_that_end_do_not_keep_others_at_a_named_barrier() -> None:
    RawKernel('__global__ void k() { if (threadIdx.x < 16) asm volatile("barrier.sync 2;"); }', "k")((1,), (32,), ())


def test_a_block_has_sixteen_named_barriers() -> None:
    with pytest.raises(LaunchError, match="the barriers 0 to 15"):
        RawKernel('__global__ void k(int n) { asm volatile("bar.sync %0;" : : "r"(n)); }', "k")((1,), (32,), (16,))


@pytest.mark.parametrize(
    ("body", "waiting"),
    [
        ("for (a = 0; a < n;) { if (flag[a] == 0) continue; x[a] = 1; a++; }", True),
        ("for (a = 0; a < n;) { if (flag[a] == 0) { } else { x[a] = 1; a++; } }", True),
        ("for (a = 0; a < n;) { x[a] = 1; if (flag[n] == 0) continue; a++; }", False),
    ],
)
def test_iterations_that_end_early_change_nothing(body: str, waiting: bool) -> None:
    found = waits_of(body)
    assert found.loops
    assert bool(found.working) != waiting


OTHERS = """
import sys, threading, time
import numpy as np
from simt2simd import LaunchError, RawKernel
kernel = RawKernel("__global__ void k(volatile int *f) { while (*f == 0) { } }", "k")
flag = np.zeros(1, np.int32)
event = threading.Event()

def write():
    event.wait()
    flag[0] = 1

waiting = threading.Thread(target=write)
waiting.start()
try:
    kernel((2,), (32,), (flag,))
except LaunchError as fault:
    print(fault.name)
threading.Timer(0.3, event.set).start()
kernel((2,), (32,), (flag,))
print(flag[0])
"""


def test_threads_that_sleep_for_ever_write_nothing() -> None:
    """A thread that another one wakes later, after a time, may write: before that, no thread can wake it."""
    done = subprocess.run([sys.executable, "-c", OTHERS], capture_output=True, text=True, timeout=60)
    assert done.stdout == "cudaErrorLaunchTimeout\n1\n", done.stderr


CHAIN = """
__global__ void behind(volatile int *x, int n) {
    for (int i = (gridDim.x - blockIdx.x) * blockDim.x - threadIdx.x; i <= n;) {
        int before = x[i - 1];
        if (before == 0) continue;
        x[i] = before + 1;
        i += gridDim.x * blockDim.x;
    }
}
"""


@pytest.mark.parametrize(("blocks", "threads"), [(1, 16), (5, 40), (30, 32)])
def test_threads_that_continue_wait_for_those_of_later_blocks(blocks: int, threads: int) -> None:
    program = f"""
runtime.configure(1)
x = np.zeros(2001, np.int32)
x[0] = 1
RawKernel({CHAIN!r}, "behind")(({blocks},), ({threads},), (x, 2000))
print((x == np.arange(1, 2002)).all())
"""
    assert run_alone(program) == "True\n"


WORKING = """
__device__ __noinline__ int seen(volatile int *flags, int i) { return flags[i]; }
__global__ void chain(volatile int *flags, int *rounds) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i + 1 < gridDim.x * blockDim.x)
        while (seen(flags, i + 1) == 0) rounds[i]++;
    flags[i] = 1;
}
"""


@pytest.mark.parametrize(("blocks", "threads"), [(1, 2), (1, 40), (3, 17)])
@pytest.mark.parametrize("hthreads", [1, 2])
def test_threads_that_work_while_they_wait(blocks: int, threads: int, hthreads: int) -> None:
    program = f"""
runtime.configure({hthreads})
module = RawModule(code={WORKING!r})
flags, rounds = (np.zeros({blocks * threads}, np.int32) for _ in range(2))
module.get_function("chain")(({blocks},), ({threads},), (flags, rounds))
print(flags.all(), rounds[:-1].all(), rounds[-1])
"""
    assert run_alone(program) == "True True 0\n"


RETURNING = """
__global__ void in_a_loop(volatile int *flag, int *came, int n) {
    if (threadIdx.x >= n) return;
    if (blockIdx.x == 0) { while (*flag == 0) { } }
    else *flag = 1;
    __syncthreads();
    atomicAdd(came, 1);
}
__global__ void at_a_named_barrier(volatile int *flag, int *came, int n) {
    if (threadIdx.x >= n) return;
    asm volatile("bar.sync 1;" ::: "memory");
    atomicAdd(came, 1);
}
"""


@pytest.mark.parametrize("kernel", ["in_a_loop", "at_a_named_barrier"])
def test_threads_that_returned_do_not_come_back_with_those_that_wait(kernel: str) -> None:
    program = f"""
module = RawModule(code={RETURNING!r})
for n in (1, 5, 16, 20, 33):
    flag, came = np.zeros(1, np.int32), np.zeros(1, np.int32)
    module.get_function({kernel!r})((2,), (40,), (flag, came, n))
    print(came[0] - 2 * n, end=" ")
"""
    assert run_alone(program) == "0 0 0 0 0 "


EXCHANGING = """
__global__ void pairs(volatile int *boxes, int *sum) {
    volatile int *box = boxes + blockIdx.x / 2 * 16;
    if (threadIdx.x != 0) return;
    if (blockIdx.x % 2 == 0) {
        for (int i = 1; i <= 100; i++) {
            while (*box != 0) { }
            *box = i;
        }
    } else {
        for (int i = 1; i <= 100; i++) {
            int value;
            while ((value = *box) == 0) { }
            atomicAdd(sum, value);
            *box = 0;
        }
    }
}
"""


@pytest.mark.parametrize("hthreads", [1, 2, 4])
def test_blocks_that_hand_each_other_values_come_to_their_end(hthreads: int) -> None:
    program = f"""
runtime.configure({hthreads})
kernel = RawKernel({EXCHANGING!r}, "pairs")
for _ in range(10):
    boxes, total = np.zeros(500 * 16, np.int32), np.zeros(1, np.int32)
    kernel((1000,), (32,), (boxes, total))
    assert total[0] == 500 * 5050
"""
    assert run_alone(program) == ""
