"""Launches that sort the threads of a traversal: which kernels, and whether every thread does what it did."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from test_cuda_text import nvcc

from simt2simd import RawKernel, runtime
from simt2simd.command import cli, cuda_text
from simt2simd.diag import CompileError
from simt2simd.interp.run import run as interpret
from simt2simd.options import Options, Traverse
from simt2simd.pipeline import Compiled, compile_device
from simt2simd.runtime import LaunchError
from simt2simd.source import Source
from simt2simd.tree.companions import RunsInOrder, StoresCoordinates, with_role

Array = NDArray[Any]

# A search tree over the interval [0, 1): node n has the children 2n + 1 and 2n + 2, `LEVELS` deep.
VISIT = """
typedef struct { float x, y, radius; int visits; double sum; } Query;
__device__ void visit(const float *keys, int n, int level, float low, float high, Query *q) {
    if (q->x + q->radius < low || q->x - q->radius >= high) return;
    q->visits++;
    if (level == 7) { q->sum += keys[n] * q->y; return; }
    float middle = (low + high) / 2;
    visit(keys, 2 * n + 1, level + 1, low, middle, q);
    visit(keys, 2 * n + 2, level + 1, middle, high, q);
}
"""
NUMBER = """
    const int i = (((blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x) * blockDim.z + threadIdx.z)
        * blockDim.y * blockDim.x + threadIdx.y * blockDim.x + threadIdx.x;
"""
KERNEL = f"""{VISIT}
__global__ void k(const float *keys, const float *x, int count, int *visits, double *sum) {{
    {NUMBER}
    if (i >= count) return;
    Query q;
    q.x = x[i]; q.y = 1.0f + i % 3; q.radius = 0.03f; q.visits = 0; q.sum = 0.0;
    visit(keys, 0, 0, 0.0f, 1.0f, &q);
    visits[i] += q.visits;
    sum[i] = q.sum;
}}
"""
KEYS = np.random.default_rng(1).random(255).astype(np.float32)


def compiled(code: str, until: str = "query-order") -> Compiled:
    return compile_device(Source("k.cu", code), Options(check_ir=True), until=until)


def model(x: Array, count: int) -> tuple[Array, Array]:
    """Return the visits and sums of the queries, level by level."""
    visits, sums = np.zeros(len(x), np.int32), np.zeros(len(x))
    radius = np.float32(0.03)
    for level in range(8):
        for i in range(2**level):
            low, high = np.float32(i / 2**level), np.float32((i + 1) / 2**level)
            inside = ~((x + radius < low) | (x - radius >= high)) & (np.arange(len(x)) < count)
            visits += inside
            if level == 7:
                y = (1 + np.arange(len(x)) % 3).astype(np.float32)
                sums += np.where(inside, (KEYS[2**level - 1 + i] * y).astype(np.float64), 0)
    return visits, sums


def run(
    code: str, x: Array, grid: tuple[int, ...], block: tuple[int, ...], count: int, *flags: str
) -> tuple[Array, Array]:
    visits, sums = np.zeros(len(x), np.int32), np.zeros(len(x))
    kernel = RawKernel(code, "k", options=flags)
    kernel(grid, block, (KEYS, x, np.int32(count), visits, sums))
    return visits, sums


SHAPES = [
    ((300,), (16,)),
    ((4200,), (1,)),
    ((129,), (33,)),
    ((40,), (128,)),
    ((5, 7, 3), (8, 3, 2)),
    ((3, 11), (31, 5)),
    ((17,), (256,)),
    ((4,), (1024,)),
]


@pytest.mark.parametrize(("grid", "block"), SHAPES)
@pytest.mark.parametrize("flags", [("--sort-queries",), ()])
def test_each_thread_does_what_it_did(grid: tuple[int, ...], block: tuple[int, ...], flags: tuple[str, ...]) -> None:
    threads = int(np.prod(grid) * np.prod(block))
    x = np.random.default_rng(threads).random(threads).astype(np.float32)
    for count in (threads, threads - 37):
        visits, sums = run(KERNEL, x, grid, block, count, *flags)
        expected, expected_sums = model(x, count)
        np.testing.assert_array_equal(visits, expected)
        np.testing.assert_allclose(sums, expected_sums, rtol=1e-12)


@pytest.mark.parametrize("odd", [np.nan, np.inf, -np.inf, 1e38, 0.5])
def test_places_that_are_odd(odd: float) -> None:
    x = np.random.default_rng(3).random(8192).astype(np.float32)
    for part in (x[::7], x):  # then all are the same: there is nothing to sort by
        part[:] = odd
        visits, sums = run(KERNEL, x, (64,), (128,), len(x), "--sort-queries")
        expected, expected_sums = model(x, len(x))
        np.testing.assert_array_equal(visits, expected)
        np.testing.assert_allclose(sums, expected_sums, rtol=1e-12)


def test_hthreads_share_the_sorting() -> None:
    x = np.random.default_rng(4).random(200_000).astype(np.float32)
    expected, _ = model(x, len(x))
    runtime.configure(threads=3)
    try:
        for flags in (("--sort-queries",), ()):
            visits, _ = run(KERNEL, x, (1563,), (128,), len(x), *flags)
            np.testing.assert_array_equal(visits, expected)
    finally:
        runtime.configure()


def test_more_threads_than_two_digits_distinguish() -> None:
    x = np.random.default_rng(5).random(1 << 20).astype(np.float32)
    visits, _ = run(KERNEL, x, (1 << 13,), (128,), len(x), "--sort-queries")
    np.testing.assert_array_equal(visits, model(x, len(x))[0])


def test_a_fault_ends_the_launch() -> None:
    x = np.random.default_rng(6).random(4096).astype(np.float32)
    kernel = RawKernel(KERNEL, "k", options=("--sort-queries",))
    visits, sums = np.zeros(len(x), np.int32), np.zeros(len(x))
    with pytest.raises(LaunchError, match="kernel 'k': illegal memory access"):
        kernel((32,), (128,), (KEYS, None, np.int32(len(x)), visits, sums))
    with pytest.raises(LaunchError, match="kernel 'k': illegal memory access"):
        kernel((32,), (128,), (None, x, np.int32(len(x)), visits, sums))


def test_parameters_that_leave_no_room_for_more() -> None:
    params = "const float *keys, const float *x, int count, int *visits, double *sum"
    code = KERNEL.replace(params, f"{params}, Big big")
    x = np.random.default_rng(12).random(5000).astype(np.float32)
    for size in (32720, 32712, 32704):
        big = bytes(size)
        kernel = RawKernel(f"typedef struct {{ char bytes[{size}]; }} Big; {code}", "k", options=("--sort-queries",))
        visits, sums = np.zeros(len(x), np.int32), np.zeros(len(x))
        kernel((50,), (100,), (KEYS, x, np.int32(len(x)), visits, sums, big))
        np.testing.assert_array_equal(visits, model(x, len(x))[0])


# ------------------------------------------------------------------------------------------- which kernels


def names(code: str) -> set[str]:
    return {each.of for each in with_role(compiled(code).module.companions, RunsInOrder)}


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("visits[i] += q.visits;", "atomicAdd(&visits[i], q.visits);"),
        ("q.visits = 0;", "q.visits = 0; visits[i] = 0;"),
        ("q.visits = 0;", "q.visits = 0; __shared__ int s[32]; s[threadIdx.x % 32] = 1;"),
        ("q.visits = 0;", "q.visits = 0; __syncthreads();"),
        ("float middle =", "if (threadIdx.x == 7) return; float middle ="),
        ("q.visits = 0;", "q.visits = 0; ((volatile int *)visits)[i];"),
        ("visit(keys, 0, 0, 0.0f, 1.0f, &q);", ""),
        ("visit(keys, 0, 0, 0.0f, 1.0f, &q);", "if (visits[i]++ >= 0) visit(keys, 0, 0, 0.0f, 1.0f, &q);"),
        ("visit(keys, 0, 0, 0.0f, 1.0f, &q);", "switch (visits[i]++) { default: visit(keys, 0, 0, 0, 1, &q); }"),
    ],
)
def test_kernels_that_stay_alone(old: str, new: str) -> None:
    assert names(KERNEL) == {"k"}
    assert old in KERNEL
    assert names(KERNEL.replace(old, new)) == set()


@pytest.mark.parametrize(
    "call",
    [
        "switch (count) { case 7: visit(keys, 0, 0, 0.0f, 1.0f, &q); break; default: visit(keys, 0, 0, 0, 1, &q); }",
        "if (count > 7) { visit(keys, 0, 0, 0.0f, 1.0f, &q); } else visit(keys, 0, 0, 0, 1, &q);",
        "for (int round = 0; round < 1; round++) visit(keys, 0, 0, 0.0f, 1.0f, &q);",
        "int before = search(keys, &q); q.visits = before;",
    ],
)
def test_ways_to_the_walk(call: str) -> None:
    outer = """__device__ int search(const float *k, Query *q) {
        if (q->y < 0) return 1;
        visit(k, 0, 0, 0, 1, q);
        return q->visits;
    }"""
    code = KERNEL.replace("visit(keys, 0, 0, 0.0f, 1.0f, &q);", call).replace("__global__", f"{outer}\n__global__")
    assert names(code) == {"k"}
    x = np.random.default_rng(8).random(5000).astype(np.float32)
    visits, _ = run(code, x, (40,), (128,), len(x), "--sort-queries")
    np.testing.assert_array_equal(visits, model(x, len(x))[0])


ROUNDS = f"""{VISIT}
__global__ void k(const float *keys, const float *x, const int *wanted, int rounds, int *visits) {{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    Query q = {{x[i], 1.0f, 0.03f, 0, 0.0}};
    int round = 0;
    while (round < rounds) {{
        if (wanted[i]) visit(keys, 0, 0, 0.0f, 1.0f, &q);
        round++;
    }}
    visits[i] = q.visits;
}}
"""


def coordinates(code: str, wanted: list[int]) -> list[list[float]]:
    """Return what each thread of one block stores as its coordinates, by the interpreter."""
    module = compiled(code).module
    companion = module.companion("k", StoresCoordinates)
    assert companion is not None
    n, count = len(wanted), companion.role.count
    stored = np.full(count * n, np.nan, np.float32)
    x = np.arange(n, dtype=np.float32)
    args = [KEYS, x, np.array(wanted, np.int32), 2, np.zeros(n, np.int32), stored, n]
    interpret(module, "k_coordinates", 1, n, args, max_steps=1000)
    return [list(map(float, place)) for place in stored.reshape(count, n).T]


def test_threads_that_call_nothing_store_nothing() -> None:
    for place, wanted in zip(coordinates(ROUNDS, [0, 1, 0, 1]), [0, 1, 0, 1], strict=True):
        assert np.isnan(place).all() == (not wanted)


def test_no_section_of_a_switch_goes_on_in_the_next() -> None:
    call = "if (wanted[i]) visit(keys, 0, 0, 0.0f, 1.0f, &q);"
    assert call in ROUNDS
    sections = f"switch (i) {{ case 1: {call} break; default: q.x = keys[10000 * i]; {call} }}"
    first, second = coordinates(ROUNDS.replace(call, sections), [1, 0])
    assert first[0] == KEYS[0]
    assert np.isnan(second).all()


SEARCH = """
__device__ int search(const float *keys, float x, int *calls) {
    Query q = {x, 1.0f, 0.03f, 0, 0.0};
    visit(keys, 0, 0, 0.0f, 1.0f, &q);
    return q.visits;
}
"""


def test_kernels_share_a_way_to_the_walk() -> None:
    kernel = "__global__ void {}(const float *keys, const float *x, int *visits) {{ {} {} }}"
    body = "int i = blockIdx.x * blockDim.x + threadIdx.x; visits[i] = search(keys, x[i], visits);"
    code = VISIT + SEARCH + kernel.format("first", "", body) + kernel.format("second", "if (!x) return;", body)
    orders = names(code)
    assert orders == {"first", "second"}
    x = np.random.default_rng(10).random(5000).astype(np.float32)
    for name in orders:
        visits = np.zeros(len(x), np.int32)
        RawKernel(code, name, options=("--sort-queries",))((50,), (100,), (KEYS, x, visits))
        np.testing.assert_array_equal(visits, model(x, len(x))[0])


def test_names_of_the_program_stay() -> None:
    code = KERNEL + "__global__ void k_in_order(int *a) { *a = 1; } __global__ void k_coordinates(int *a) { *a = 2; }"
    assert names(code) == {"k"}
    x = np.random.default_rng(11).random(5000).astype(np.float32)
    visits, _ = run(code, x, (50,), (100,), len(x), "--sort-queries")
    np.testing.assert_array_equal(visits, model(x, len(x))[0])
    a = np.zeros(1, np.int32)
    RawKernel(code, "k_in_order")((1,), (1,), (a,))
    assert a == 1


@pytest.mark.parametrize(
    ("struct", "call"),
    [
        ("", "int at = 100000; int all = (at = i, search(keys, x[at], visits)); visits[i] = all;"),
        ("", "int at = 100000; int all = (at = i) * 0 + search(keys, x[at], visits); visits[i] = all;"),
        ("Query q[2] = {}; int at = 0;", "q[0] = q[1]; by_value(keys, q[at++]); visits[i] = at;"),
    ],
)
def test_effects_before_the_call_are_not_lost(struct: str, call: str) -> None:
    code = f"""{VISIT} {SEARCH}
    __device__ void by_value(const float *keys, Query q) {{
        if (q.x > 1) return;
        Query next = {{q.x + q.radius, q.y, q.radius}};
        by_value(keys, next);
    }}
    __global__ void k(const float *keys, const float *x, const int *wanted, int rounds, int *visits) {{
        int i = blockIdx.x * blockDim.x + threadIdx.x;
        {struct}
        {call}
    }}"""
    if "k" in names(code):
        assert coordinates(code, [1, 1])


def test_coordinates_are_what_no_visit_changes() -> None:
    text = compiled(KERNEL).functions("query-order")["k_coordinates"]
    assert "= q.x;" in text
    assert "= q.y;" in text
    assert "= (float)q.sum" not in text
    assert "= (float)q.visits" not in text
    assert "visits[i]" not in text


def test_integers_where_there_are_no_floating_numbers() -> None:
    code = """
    __device__ int find(const int *keys, int n, int key) {
        if (n >= 127) return -1;
        if (keys[n] == key) return n;
        return find(keys, key < keys[n] ? 2 * n + 1 : 2 * n + 2, key);
    }
    __global__ void k(const int *keys, const int *wanted, int *found) {
        int i = blockIdx.x * blockDim.x + threadIdx.x;
        found[i] = find(keys, 0, wanted[i]);
    }
    """
    assert [each.role for each in with_role(compiled(code).module.companions, StoresCoordinates)] == [
        StoresCoordinates(1)
    ]
    keys = np.zeros(127, np.int32)
    for level in range(7):
        for i in range(2**level):
            keys[2**level - 1 + i] = 128 * (2 * i + 1) // 2 ** (level + 1)
    wanted = np.random.default_rng(9).integers(0, 130, 64 * 128).astype(np.int32)
    found = np.zeros_like(wanted)
    RawKernel(code, "k", options=("--sort-queries",))((64,), (128,), (keys, wanted, found))
    there = {int(key): n for n, key in enumerate(keys)}
    np.testing.assert_array_equal(found, [there.get(int(key), -1) for key in wanted])


def test_programs_do_not_see_the_helpers() -> None:
    with pytest.raises(ValueError, match=r"'k_in_order'.*'k'"):
        RawKernel(KERNEL, "k_in_order")((1,), (1,), ())


def test_remark() -> None:
    result = compile_device(Source("k.cu", KERNEL), Options())
    (found,) = [remark for remark in result.remarks() if remark.kind == "order"]
    assert found.instruction == "launches may sort its threads by what they search for: 3 coordinates"
    assert not [remark for remark in result.remarks() if "coordinates" in remark.function]


# --------------------------------------------------------------------------------------------- as CUDA-C, for GPUs

PROGRAM = f"""#include <cstdio>
#include <vector>
#include <cuda_runtime.h>
{KERNEL}
int main() {{
    const int threads = 6000;
    std::vector<float> keys(255), x(threads);
    for (int i = 0; i < 255; i++) keys[i] = i % 37;
    for (int i = 0; i < threads; i++) x[i] = i % 997 == 0 ? NAN : i * 7919 % 6007 / 6007.0f;
    float *keys_there, *x_there; int *visits; double *sums;
    cudaMalloc(&keys_there, 4 * 255); cudaMalloc(&x_there, 4 * threads);
    cudaMalloc(&visits, 4 * threads); cudaMalloc(&sums, 8 * threads);
    cudaMemcpy(keys_there, keys.data(), 4 * 255, cudaMemcpyHostToDevice);
    cudaMemcpy(x_there, x.data(), 4 * threads, cudaMemcpyHostToDevice);
    cudaMemset(visits, 0, 4 * threads); cudaMemset(sums, 0, 8 * threads);
    cudaStream_t stream; cudaStreamCreate(&stream);
    cudaDeviceSynchronize();
    for (int round = 0; round < 3; round++)
        k<<<dim3(threads / 80, 5), dim3(4, 4), 0, stream>>>(keys_there, x_there, threads - 3 * round, visits, sums);
    cudaStreamSynchronize(stream);
    std::vector<int> v(threads); std::vector<double> s(threads);
    cudaMemcpy(v.data(), visits, 4 * threads, cudaMemcpyDeviceToHost);
    cudaMemcpy(s.data(), sums, 8 * threads, cudaMemcpyDeviceToHost);
    unsigned int all = 0;
    for (int i = 0; i < threads; i++) all = all * 31 + v[i] + (unsigned int)s[i];
    printf("%u\\n", all);
}}
"""


def emitted(form: Traverse = Traverse.AUTO, program: str = PROGRAM, *, sort: bool = True) -> str:
    options = Options(traverse=form, sort_queries=sort)
    made = cuda_text.emit(Source("k.cu", program), options, choose=form == "auto")
    assert made.left == ()
    return made.text


@pytest.mark.parametrize("form", [Traverse.ROPES])
def test_the_cuda_program_sorts_its_threads(form: Traverse, tmp_path: Path) -> None:
    """Each launch has the results that it had, whichever thread does what, three times in a row in one stream."""
    text = emitted(form)
    assert text.index("cub::DeviceRadixSort::SortPairs") < text.index("k_in_order<<<at.grid, at.block, at.shared_bytes")
    results = set()
    for name, code in (("before", PROGRAM), ("after", text)):
        (tmp_path / f"{name}.cu").write_text(code)
        assert cli.main(["compile", str(tmp_path / f"{name}.cu"), "-O1", "-o", str(tmp_path / name)]) == 0
        results.add(subprocess.run([tmp_path / name], capture_output=True, text=True, check=True).stdout)
    assert len(results) == 1


@pytest.mark.slow("sorting by nvcc and CUB")
@pytest.mark.skipif(shutil.which("nvcc") is None, reason="needs nvcc")
def test_nvcc_compiles_it(tmp_path: Path) -> None:
    nvcc(emitted(Traverse.ROPES), tmp_path)


@pytest.mark.parametrize(
    ("program", "form", "why"),
    [
        (
            PROGRAM.replace("Query q;", "__syncthreads(); Query q;"),
            Traverse.ROPES,
            "search for is not known before the launch",
        ),
        (PROGRAM.replace("visit(keys, 0, 0, 0.0f, 1.0f, &q);", ";"), Traverse.AUTO, "--sort-queries has nothing to do"),
        (PROGRAM, Traverse.REFILL, "is of no use with --traverse=refill"),
        (PROGRAM.replace("int main", "void *a = (void *)k;\nint main"), Traverse.AUTO, "names it in another way"),
    ],
    ids=["barrier", "nothing", "refill", "address"],
)
def test_a_launch_that_cannot_sort_is_an_error(program: str, form: Traverse, why: str) -> None:
    with pytest.raises(CompileError, match=f"--sort-queries.*{why}|{why}"):
        emitted(form, program)


@pytest.mark.slow("launches that choose")
@pytest.mark.parametrize("wrong", [False, True])
@pytest.mark.parametrize("far", [False, True])
def test_the_cuda_program_chooses_a_form_by_its_threads(far: bool, wrong: bool, tmp_path: Path) -> None:
    """Neighbours that search for about the same run in lockstep; the results are the same, even by a wrong choice."""
    program = PROGRAM if far else PROGRAM.replace("i * 7919 % 6007", "i")
    text = emitted(Traverse.AUTO, program, sort=False)
    assert "cub::" not in text and text.index("s2s_look<<<1, 1024") < text.index("k_near<<<") < text.index("k_far<<<")
    shown = 'puts(*s2s_near ? "near" : "far");'
    end = "        return;\n    }\n    k<<<"
    text = text.replace(end, f"        cudaDeviceSynchronize();\n        {shown}\n{end}")
    chosen = "far" if far else "near"
    if wrong:
        decided = "*near = varying > 0 &&"
        assert decided in text
        text = text.replace(decided, f"*near = {int(far)} || varying < 0 &&")
        chosen = "near" if far else "far"
    results = []
    for name, code in (("before", program), ("after", text)):
        (tmp_path / f"{name}.cu").write_text(code)
        assert cli.main(["compile", str(tmp_path / f"{name}.cu"), "-O1", "-o", str(tmp_path / name)]) == 0
        done = subprocess.run([tmp_path / name], capture_output=True, text=True, check=True)
        results.append(done.stdout.split())
    assert results[1] == [*[chosen] * 3, *results[0]]
