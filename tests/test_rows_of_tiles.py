"""Rows of a block that run in step from barrier to barrier: where, and that only the time shows it."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest
import row_kernels

from simt2simd.analysis import warp_synchronous
from simt2simd.options import Options
from simt2simd.pipeline import compile_device
from simt2simd.python.kernel import RawKernel, RawModule
from simt2simd.source import Source
from simt2simd.target import AVX2, AVX512, Target
from simt2simd.transform import thread_coarsening
from simt2simd.tree.companions import RunsInStep
from simt2simd.tree.nodes import BuiltinCall, Module
from simt2simd.tree.walk import walk

INDICES = """
    int tx = threadIdx.x, ty = threadIdx.y;
    int row = blockIdx.y * SIDE + ty, col = blockIdx.x * SIDE + tx;
"""
PRODUCT = """
    float s = 0;
    for (int t = 0; t < n; t += SIDE) {
        p[ty][tx] = row < n && t + tx < n ? a[row * n + t + tx] : 0;
        if (col < n && t + ty < n) q[ty][tx] = b[(t + ty) * n + col]; else q[ty][tx] = 0;
        __syncthreads();
        for (int k = 0; k < SIDE; k++) s += p[ty][k] * q[k][tx];
        __syncthreads();
    }
    if (row < n && col < n) c[row * n + col] = s;
"""
TILES = "__shared__ float p[SIDE][SIDE + 1], q[SIDE][SIDE];"


def kernel(body: str, side: int = 16) -> str:
    params = "const float *a, const float *b, float *c, int n, int *count"
    return f"#define SIDE {side}\n__global__ void k({params}) {{ {TILES} {INDICES} {body} }}"


def group(text: str, options: Options | None = None) -> RunsInStep | None:
    """Return how rows of the kernel's blocks run in step, if they do."""
    made = compile_device(Source("k.cu", text), options or Options(target=AVX512), until="thread-coarsening")
    rows = made.module.rows_in_step.get(("k", "x"))
    return rows[0].role if rows else None


@pytest.mark.parametrize(("side", "target", "count"), [(16, AVX512, 8), (32, AVX512, 8), (16, AVX2, 4), (32, AVX2, 2)])
def test_as_many_rows_run_in_step_as_fit_the_registers(side: int, target: Target, count: int) -> None:
    found = group(kernel(PRODUCT, side), Options(target=target))
    assert found is not None
    assert (found.rows, found.side) == (count, side)


@pytest.mark.parametrize("side", [16, 32])
def test_gangs_are_as_wide_as_the_blocks_whose_rows_run_in_step(side: int) -> None:
    made = compile_device(Source("k.cu", kernel(PRODUCT, side)), Options(target=AVX512), until="plans")
    assert max(version.lanes for version in made.plans.versions["k"]) == side
    (companion,) = made.plans.versions[made.plans.rows["k", "x"][0].kernel]
    assert companion.lanes == side
    assert made.plans.division(companion) is not None


@pytest.mark.parametrize("lanes", [16, 64])
@pytest.mark.parametrize("verify", [False, True])
def test_rows_run_alone_where_no_gang_may_be_as_wide_as_the_blocks(lanes: int, verify: bool) -> None:
    text = """__global__ void k() {
        const int tx = threadIdx.x, ty = threadIdx.y, tid = ty * blockDim.x + tx;
        __shared__ int cells[1024], tile[16][16];
        cells[tid] = tid * 3;
        tile[ty][tx] ^= tid % 4095;
        __syncthreads();
        unsigned sum = 0;
        for (int k = 0; k < 16; k++) sum += tile[ty][k] * tile[k][tx];
    }"""
    options = Options(target=AVX512, lanes=lanes, verify=verify)
    plans = compile_device(Source("k.cu", text), options, until="plans").plans
    assert all(not versions for name, versions in plans.versions.items() if name != "k")
    RawKernel(text, "k", options=(f"--lanes={lanes}", *(["--verify"] if verify else [])))((1,), (16, 16), ())


@pytest.mark.parametrize(
    ("body", "why"),
    [
        ("if (row >= n || col >= n) return;" + PRODUCT, "rows that have ended reach no barrier"),
        ("if (row < n) {" + PRODUCT + "}", "some rows reach no barrier"),
        (PRODUCT.replace("k < SIDE", "k < ty"), "rows run as many rounds as they like"),
        (PRODUCT + "atomicAdd(count, 1);", "the order of the threads may be seen"),
        (PRODUCT + "atomicAdd((int *)&p[0][0], 1);", "the order of the threads may be seen"),
        (PRODUCT + "volatile float *v = &p[0][0]; v[0] = 1;", "another thread may look"),
        (PRODUCT + "__threadfence_block();", "another thread may look"),
        (PRODUCT + "s = __shfl_sync(~0u, s, 0); c[row] = s;", "warps have lanes of several rows"),
        (PRODUCT.replace("__syncthreads()", "__syncwarp()"), "so have these"),
        (PRODUCT + "if (__syncthreads_or(row)) c[0] = 1;", "the barrier returns data of other threads"),
        (PRODUCT.replace("p[ty][k] * q[k][tx]", "p[ty][k] * q[ty][tx]"), "no row reads what another one reads"),
        (PRODUCT.replace("p[ty][k] * q[k][tx]", "p[0][k] * q[k][0]"), "all lanes read the same"),
    ],
)
def test_other_rows_run_one_by_one(body: str, why: str) -> None:
    assert group(kernel(body)) is None, why


COUNTED = PRODUCT.replace("t += SIDE", "t++").replace("t < n;", "t < n / SIDE;").replace("t + t", "t * SIDE + t")


@pytest.mark.parametrize("disabled", [frozenset[str](), frozenset({"software-prefetch"})])
def test_rows_run_in_step_whether_or_not_a_loop_over_tiles_asks_early(disabled: frozenset[str]) -> None:
    """A prefetch has no result that a thread sees."""
    options = Options(target=AVX512, disabled=disabled)
    made = compile_device(Source("k.cu", kernel(COUNTED)), options, until="thread-coarsening").module
    assert made.rows_in_step["k", "x"][0].role.rows == 8
    asks = [
        node
        for node in walk(made.functions["k"].body)
        if isinstance(node, BuiltinCall) and node.builtin.op == "prefetch"
    ]
    assert bool(asks) == (not disabled)


def test_rows_that_share_their_gangs_already_are_left_alone() -> None:
    assert group(kernel(PRODUCT, 8)) is None


def test_threads_that_hand_each_other_values_without_a_barrier_run_in_warps() -> None:
    hand = "if (ty == 0) { p[0][tx] = s; s = p[0][tx ^ 1]; } c[row * n + col] = s;"
    assert group(kernel(PRODUCT + hand)) is None


SHAPES = [
    ((16, 16), (3, 3)),
    ((32, 32), (2, 2)),
    ((16, 8), (3, 5)),
    ((32, 4), (2, 9)),
    ((15, 3), (3, 9)),
    ((17, 5), (3, 9)),
    ((31, 2), (2, 20)),
    ((1, 1), (4, 4)),
    ((16, 16, 2), (2, 2)),
    ((256,), (1, 3)),
]


@pytest.mark.parametrize("side", [16, 32])
@pytest.mark.parametrize("n", [1, 16, 37, 64])
def test_sums_have_the_same_bits_for_matrices_of_any_size(side: int, n: int) -> None:
    """Rounded as they are, in the order of the program; what no thread of the matrix writes stays."""
    rng = np.random.default_rng(n)
    a, b = (rng.normal(size=n * n).astype(np.float32) for _ in range(2))
    found = []
    for options in ((), ("--disable=thread-coarsening",)):
        c = np.full(n * n + 99, 3, np.float32)
        run = RawKernel(kernel(PRODUCT, side), "k", options=options)
        blocks = -(-n // side)
        run((blocks, blocks), (side, side), (a, b, c, np.int32(n), np.zeros(1, np.int32)))
        found.append(c)
    assert np.array_equal(found[0], found[1])
    assert np.allclose(found[0][: n * n].reshape(n, n), a.reshape(n, n) @ b.reshape(n, n), atol=1e-3)
    assert (found[0][n * n :] == 3).all()


@pytest.mark.parametrize(("block", "grid"), SHAPES)
def test_blocks_of_any_shape_mean_the_same(block: tuple[int, ...], grid: tuple[int, int]) -> None:
    """The size that blocks seem to have is no more than likely."""
    text = """
    __global__ void k(const int *a, int *out, int rounds) {
        __shared__ int p[40][33], q[1024];
        int x = threadIdx.x, y = threadIdx.y, w = min(blockDim.x, 32), h = min(blockDim.y, 40), s = 0;
        int number = ((blockIdx.y * gridDim.x + blockIdx.x) * blockDim.z + threadIdx.z) * blockDim.y * blockDim.x;
        number += y * blockDim.x + x;
        for (int r = 0; r < rounds; r++) {
            if (threadIdx.z == 0 && x < w) p[y][x] = a[number % 97] + r, q[y * w + x] = a[number % 89] - r;
            __syncthreads();
            for (int k = 0; k < h; k++) s += p[y][k % w] * q[k * w + x % w] - k;
            __syncthreads();
        }
        out[number] = s;
    }
    """
    a = np.random.default_rng(1).integers(-99, 99, 97).astype(np.int32)
    found = [np.zeros(20000, np.int32) for _ in range(2)]
    for options, out in zip(((), ("--disable=thread-coarsening",)), found, strict=True):
        RawKernel(text, "k", options=options)(grid, block, (a, out, np.int32(3)))
    assert group(text) is not None
    assert found[0].any()
    assert np.array_equal(found[0], found[1])


@pytest.mark.parametrize("seed", [pytest.param(seed, marks=pytest.mark.slow(f"tiles {seed}")) for seed in range(12)])
@pytest.mark.filterwarnings("ignore::simt2simd.CompileWarning")
def test_random_kernels_of_tiles_mean_the_same_row_by_row(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """However much their rows hand on: what pays is another question."""
    monkeypatch.setattr(thread_coarsening, "MOST_CARRIED", 1 << 20)
    monkeypatch.setattr(thread_coarsening, "MOST_NODES", 1 << 20)
    monkeypatch.setattr(thread_coarsening, "_fitting_rows", lambda most, side, body: 4)
    text = row_kernels.program_of_tiles(seed, kernels=1)
    made = compile_device(Source("tiles.cu", text), Options(check_ir=True), until="thread-coarsening")
    modules = [RawModule(code=text, options=("-O0", *more)) for more in ((), ("--disable=thread-coarsening",))]
    for name, _ in made.module.rows_in_step:
        for block, grid in (((16, 16), (2, 2)), ((16, 24), (1, 2)), ((17, 5), (3, 2)), ((32, 8), (1, 2))):
            nx, ny = (count * side for count, side in zip(grid, block, strict=True))
            rng = np.random.default_rng(seed)
            a, b = (rng.integers(0, 99, count * row_kernels.DEPTH, np.int32) for count in (ny, nx))
            together, alone = (np.full(nx * ny, 7, np.int32) for _ in modules)
            for module, c in zip(modules, (together, alone), strict=True):
                module.get_function(name)(grid, block, (a, b, c, nx, ny, row_kernels.DEPTH))
            assert np.array_equal(together, alone), f"{name}, block {block}"


def test_the_search_for_exchanges_is_made_once_for_all_kernels(monkeypatch: pytest.MonkeyPatch) -> None:
    searches = []

    def counted(module: Module) -> dict[str, warp_synchronous.Exchange]:
        searches.append(module)
        return warp_synchronous.find(module)

    monkeypatch.setattr(thread_coarsening, "warp_synchronous", SimpleNamespace(find=counted))
    text = kernel(PRODUCT)
    more = text[text.index("__global__") :]
    made = compile_device(
        Source("k.cu", text + more.replace("k(", "l(", 1) + more.replace("k(", "m(", 1)),
        Options(),
        until="thread-coarsening",
    )
    assert {name for name, _ in made.module.rows_in_step} == {"k", "l", "m"}
    assert len(searches) == 1
