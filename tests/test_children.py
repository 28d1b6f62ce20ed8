"""Kernels that launch kernels, seen from the host: faults, limits and order."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

from simt2simd import RawKernel, RawModule
from simt2simd.command import cli
from simt2simd.lang.device_runtime import RUNTIME_CONSTANTS
from simt2simd.runtime import LaunchError, configure

FAULTS = """
#include <cassert>
__global__ void wild(int *p, int i) { p[-((long)(i + 1) << 36)] = 1; }  // no memory, but an address
__global__ void asserting(int i) { assert(i != 3); }
__global__ void trapping(int i) { if (i == 7) __trap(); }
__global__ void for_ever(volatile int *p) { while (*p == 0) {} }
__global__ void breeding() { breeding<<<1, 1>>>(); }
__global__ void parent(int *p, int what) {
    int i = threadIdx.x + blockIdx.x * blockDim.x;
    if (what == 0) wild<<<1, 1>>>(p, i);
    if (what == 1) asserting<<<1, 1>>>(i);
    if (what == 2) trapping<<<1, 1>>>(i);
    if (what == 3) for_ever<<<1, 1>>>(p);
    if (what == 4 && i == 0) breeding<<<1, 1>>>();
}
__global__ void fine(int *p) { p[1] = 5; }
"""


@pytest.fixture(scope="module")
def faults() -> RawModule:
    return RawModule(code=FAULTS)


@pytest.mark.parametrize(
    ("what", "message"),
    [
        (0, r"kernel 'wild': illegal memory access.* in block \(0, 0, 0\)"),
        (1, r"kernel 'asserting': <code>:4: assertion `i != 3` failed"),
        (2, r"kernel 'trapping': <code>:5:\d+: __trap\(\)"),
    ],
)
def test_a_fault_of_a_child_is_one_of_the_launch(faults: RawModule, what: int, message: str) -> None:
    p = np.zeros(4, np.int32)
    with pytest.raises(LaunchError, match=message):
        faults.get_function("parent")((2,), (10,), (p, np.int32(what)))
    faults.get_function("fine")((1,), (1,), (p,))
    assert p[1] == 5


@pytest.mark.skipif(
    signal.getsignal(signal.SIGINT) is not signal.default_int_handler,
    reason="this process ignores Ctrl-C, as shells request for background jobs",
)
@pytest.mark.parametrize("what", [3, 4])
def test_ctrl_c_ends_children(faults: RawModule, what: int) -> None:
    p = np.zeros(4, np.int32)
    timer = threading.Timer(0.2, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        faults.get_function("parent")((1,), (1,), (p, np.int32(what)))
    timer.join()
    faults.get_function("fine")((1,), (1,), (p,))
    assert p[1] == 5


@pytest.mark.slow
def test_children_that_take_too_long_end_the_launch() -> None:
    program = f"""
import numpy as np
from simt2simd import RawModule
RawModule(code={FAULTS!r}).get_function("parent")((1,), (1,), (np.zeros(4, np.int32), np.int32(4)))
"""
    env = {**os.environ, "S2S_TIMEOUT": "0.2"}
    done = subprocess.run([sys.executable, "-c", program], env=env, capture_output=True, text=True, timeout=60)
    assert "took longer than the 0.2 seconds of S2S_TIMEOUT" in done.stderr


TREE = """
__global__ void tree(int *count, int depth) {
    atomicAdd(&count[depth], 1);
    if (depth > 0) tree<<<2, 2>>>(count, depth - 1);
}
__device__ int at;
__global__ void next(int *order, int i) { order[at++] = i; }
__global__ void first(int *order, int i) {
    order[at++] = i;
    next<<<1, 1>>>(order, i + 1);
    next<<<1, 1, 0, cudaStreamTailLaunch>>>(order, i + 2);
}
__global__ void ordered(int *order, int n) {
    at = 0;
    next<<<1, 1, 0, cudaStreamTailLaunch>>>(order, 1000);
    for (int i = 0; i < n; i++) first<<<1, 1>>>(order, 3 * i);
}
"""


@pytest.mark.parametrize("threads", [1, 3])
def test_every_descendant_runs_once(threads: int) -> None:
    configure(threads)
    try:
        count = np.zeros(6, np.int32)
        RawKernel(TREE, "tree")((1,), (1,), (count, np.int32(5)))
    finally:
        configure()
    assert count.tolist() == [4 ** (5 - depth) for depth in range(6)]  # threads


@pytest.mark.parametrize("threads", [1, 3])
def test_a_stream_goes_on_when_all_descendants_are_complete(threads: int) -> None:
    configure(threads)
    try:
        order = np.zeros(301, np.int32)
        RawKernel(TREE, "ordered")((1,), (1,), (order, np.int32(100)))
    finally:
        configure()
    assert order.tolist() == [*range(300), 1000]


LIMITED = """
#include <cstdio>
__device__ int refused, run;
__global__ void child() { atomicAdd(&run, 1); }
__global__ void parent(int n) {
    for (int i = 0; i < n; i++) {
        child<<<1, 1>>>();
        if (cudaGetLastError() == cudaErrorLaunchPendingCountExceeded) refused++;
    }
}
int main() {
    int counts[2];
    for (int limit : {0, 100}) {
        if (limit) cudaDeviceSetLimit(cudaLimitDevRuntimePendingLaunchCount, limit);
        parent<<<1, 1>>>(3000);
        parent<<<1, 1>>>(50);
        cudaMemcpyFromSymbol(&counts[0], refused, 4);
        cudaMemcpyFromSymbol(&counts[1], run, 4);
        printf("%d refused, %d run\\n", counts[0], counts[1]);
    }
}
"""


def test_pending_launches_are_limited_if_the_program_says_so(tmp_path: Path) -> None:
    (tmp_path / "limited.cu").write_text(LIMITED)
    assert cli.main(["compile", str(tmp_path / "limited.cu"), "-o", str(tmp_path / "limited")]) == 0
    done = subprocess.run([tmp_path / "limited"], capture_output=True, text=True, timeout=60)
    assert done.stdout.splitlines() == ["0 refused, 3050 run", "2900 refused, 3200 run"]


MANY = """
__global__ void child(int *p, int i) { atomicAdd(&p[i & 63], 1); }
__global__ void parent(int *p, int n) { for (int i = 0; i < n; i++) child<<<1, 1>>>(p, i); }
"""


def test_a_million_children_may_wait() -> None:
    p = np.zeros(64, np.int32)
    RawKernel(MANY, "parent")((1,), (256,), (p, np.int32(4096)))
    assert p.tolist() == [1 << 14] * 64


DEEP = """
__global__ void deep(int *p, int depth) {
    if (depth > 0) {
        deep<<<1, 1>>>(p, depth - 1);
        cudaDeviceSynchronize();
    }
    p[0]++;
}
__global__ void chain(int *p, int depth) {
    p[0]++;
    if (depth > 0) chain<<<1, 1>>>(p, depth - 1);
}
"""


def test_blocks_that_wait_may_lie_deep_in_each_other() -> None:
    p = np.zeros(1, np.int32)
    RawKernel(DEEP, "deep")((1,), (1,), (p, np.int32(60)))
    assert p[0] == 61


def test_waits_that_lie_too_deep_are_an_error() -> None:
    p = np.zeros(1, np.int32)
    configure(1)
    try:
        with pytest.raises(LaunchError, match="kernels that wait for their children lie too deep in each other"):
            RawKernel(DEEP, "deep")((1,), (1,), (p, np.int32(200)))
    finally:
        configure()


def test_children_without_waits_need_no_stack() -> None:
    p = np.zeros(1, np.int32)
    RawKernel(DEEP, "chain")((1,), (1,), (p, np.int32(100_000)))
    assert p[0] == 100_001


ERRORS = """
__global__ void nothing() {}
__global__ void failing(int *codes, bool asks) {
    nothing<<<0, 1>>>();
    if (asks) codes[threadIdx.x] = cudaGetLastError();
}
__global__ void fine(int *codes) {
    nothing<<<1, 1>>>();
    codes[threadIdx.x] = cudaGetLastError();
}
__global__ void waiting(int *codes) {
    nothing<<<0, 1>>>();
    __syncthreads();
    codes[threadIdx.x] = cudaGetLastError();
}
__global__ void by_turns(int *codes) {
    for (int i = 0; i < 20; i++) {
        failing<<<1, 64>>>(codes, false);
        fine<<<1, 64>>>(codes + 64 * i);
    }
}
"""


@pytest.mark.parametrize("threads", [1, 2])
def test_errors_are_those_of_the_thread_that_made_them(threads: int) -> None:
    """Some threads do not ask for theirs, and blocks of other grids have the same indices."""
    module = RawModule(code=ERRORS)
    codes = np.zeros(2048, np.int32)
    configure(threads)
    try:
        for kernel, threads_of_block, code in (
            ("failing", 1024, 9), ("waiting", 1024, 9), ("by_turns", 1, 0), ("failing", 1, 9), ("fine", 1024, 0),
        ):  # fmt: skip
            count = 1280 if kernel == "by_turns" else threads_of_block
            codes[:] = -1
            module.get_function("failing")((1,), (1024,), (codes, np.bool_(False)))
            module.get_function(kernel)((1,), (threads_of_block,), (codes, np.bool_(True))[: 1 + (kernel == "failing")])
            assert (codes[:count] == code).all() and (codes[count:] == -1).all(), kernel
    finally:
        configure()


OWN_ERRORS = """
__global__ void nothing() {}
__device__ void fail(char *room) {
    if ((blockIdx.x + threadIdx.x) % 3 == 0) cudaMemcpy2DAsync(room, 1, room, 1, 2, 2, cudaMemcpyDeviceToDevice, 0);
    else nothing<<<0, 1>>>();
}
__device__ void check(int *right) {
    int expected = (blockIdx.x + threadIdx.x) % 3 == 0 ? 12 : 9;
    bool peeks = threadIdx.x % 7 < 5;
    bool is_right = !peeks || cudaPeekAtLastError() == expected;
    is_right = cudaGetLastError() == expected && is_right;
    if (cudaGetLastError() == 0 && is_right) atomicAdd(right, 1);
}
__global__ void meeting(int *right, char *room) {
    fail(room);
    __syncthreads();
    check(right);
}
__global__ void waiting(int *right, char *room) {
    fail(room);
    nothing<<<1, 1>>>();
    cudaDeviceSynchronize();
    check(right);
}
"""


@pytest.mark.parametrize("kernel, blocks", [("meeting", 20_000), ("waiting", 400)])
@pytest.mark.parametrize("threads_of_block", [1024, 33])
def test_no_error_of_a_thread_is_lost(kernel: str, blocks: int, threads_of_block: int) -> None:
    """Of so many, a store that throws them into places of eight by chance loses some."""
    right, room = np.zeros(1, np.int32), np.zeros(8, np.int8)
    RawKernel(OWN_ERRORS, kernel)((blocks,), (threads_of_block,), (right, room))
    assert right[0] == blocks * threads_of_block


@pytest.mark.slow
@pytest.mark.parametrize("stream", ["0", "cudaStreamTailLaunch", "cudaStreamFireAndForget"])
def test_launches_without_end_are_an_error(stream: str) -> None:
    code = f"""
    __global__ void endless(int *p) {{ atomicAdd(p, 1); endless<<<1, 1, 0, {stream}>>>(p); }}
    """
    p = np.zeros(1, np.int32)
    with pytest.raises(LaunchError, match="kernel 'endless': it is launched by children of children"):
        RawKernel(code, "endless", options=("--disable=launch-consolidation",))((1,), (1,), (p,))
    assert p[0] > 1_000_000


def test_device_code_knows_the_errors_and_attributes_that_host_code_knows() -> None:
    header = (Path(__file__).parent.parent / "runtime" / "include" / "cuda_runtime.h").read_text()
    named = {name: int(value) for name, value in re.findall(r"\b(cuda(?:Error|DevAttr)\w+) = (\d+)", header)}
    assert len(named) > 100
    assert {name: RUNTIME_CONSTANTS[name][1] for name in named} == named
