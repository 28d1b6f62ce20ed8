"""Rows of a block that run in step: where, and that only the time shows it."""

from __future__ import annotations

import numpy as np
import pytest
import row_kernels

from simt2simd.mapping import versions
from simt2simd.options import Options
from simt2simd.pipeline import compile_device
from simt2simd.python.kernel import RawKernel, RawModule
from simt2simd.source import Source
from simt2simd.target import AVX2, AVX512, Target
from simt2simd.transform import thread_coarsening

INDICES = "int row = blockIdx.y * blockDim.y + threadIdx.y, col = blockIdx.x * blockDim.x + threadIdx.x;"
PRODUCT = "float s = 0; for (int k = 0; k < n; k++) s += a[row * n + k] * b[k * n + col]; c[row * n + col] = s;"


def kernel(body: str) -> str:
    params = "const float *a, const float *b, float *c, int n, int *count"
    functions = "__device__ float less(float x) { return x - 1; } __device__ float twice(float x) { return x * x; }"
    return f"{functions} __global__ void k({params}) {{ {INDICES} {body} }}"


def in_step(body: str, options: Options | None = None) -> bool:
    """Whether rows of the kernel's blocks run in step."""
    return ("k", "x") in compile_device(
        Source("k.cu", kernel(body)), options or Options(), until="thread-coarsening"
    ).module.rows_in_step


@pytest.mark.parametrize(
    "body",
    [
        PRODUCT,
        f"if (row < n && col < n) {{ {PRODUCT} }}",
        f"if (row >= n || col >= n) return; {PRODUCT}",
        f"if (row >= n) return; if (a[row] < 0 || col >= n) return; {PRODUCT}",
        "for (int k = 0; k < n; k++) c[row * n + col] += a[row * n + k] * b[k * n + col];",
        "for (int k = 0; k < n; k++) c[row * n + col] += a[row * n + k] * a[col * n + k];",
        "int m = 1 << 30; for (int k = 0; k < n; k++) m = min(m, count[row * n + k] + count[k * n + col]); c[row] = m;",
        "float s = 0; for (int k = 0; k < n; k++) { if (b[k * n + col] < 0) break; s += a[row] * b[k]; } c[col] = s;",
        "float s = 0; for (int k = 0; k < col; k++) s += less(a[row]) * b[k + col]; c[row * n + col] = s;",
    ],
)
def test_rows_that_read_the_same_run_in_step(body: str) -> None:
    assert in_step(body)


@pytest.mark.parametrize(
    ("body", "why"),
    [
        ("c[row * n + col] = a[col];", "there is no loop"),
        ("float s = 0; for (int k = 0; k < n; k++) s += a[row * n + k] * b[k]; c[row] = s;", "nothing varies with x"),
        ("float s = 0; for (int k = 0; k < n; k++) s += a[row * n + k + col]; c[row] = s;", "each row reads its own"),
        ("float s = 0; for (int k = 0; k < row; k++) s += b[k * n + col]; c[row] = s;", "rows run as they like"),
        ("float s = 0; for (int k = 0; s < n; k++) s += a[row + k] * b[k * n + col]; c[row] = s;", "so do these"),
        (PRODUCT + "atomicAdd(count, 1);", "the order of the threads may be seen"),
        (PRODUCT + "if (row < n) __syncthreads();", "rows reach the barrier one by one"),
        (PRODUCT + "count[col] = __syncthreads_count(row);", "the barrier returns data of other threads"),
        (PRODUCT + "__threadfence();", "another thread may look"),
        ("__shared__ int x[1]; x[0] = 1;" + PRODUCT, "threads may talk to each other"),
        (PRODUCT + 'printf("%d", row);', "the order of the lines may be seen"),
        ("int v[2] = {1}; int *p = n ? v : count; *p += v[n];" + PRODUCT, "pointers lead to a thread's own variables"),
        ("volatile int *p = count; *p = 1;" + PRODUCT, "another thread may look"),
        ("float s[5] = {0}; for (int k = 0; k < n; k++) s[k % 5] += a[row] * b[k + col]; c[row] = s[n];", "too much"),
    ],
)
def test_other_rows_run_one_by_one(body: str, why: str) -> None:
    assert not in_step(body), why


FUSED_ALONE = (
    "float s = 0;"
    "for (int k = 0; k < n; k++) { float p = a[k] * b[k * n + col]; s = s * a[row] + p; }"
    "c[row * n + col] = s;"
)


@pytest.mark.parametrize(
    ("body", "options", "same"),
    [
        (FUSED_ALONE, Options(), False),
        (FUSED_ALONE, Options(fmad=False), True),
        (FUSED_ALONE.replace("+ p", "* p"), Options(), True),
        (FUSED_ALONE.replace("a[k] * ", "a[k] + "), Options(), True),
        (FUSED_ALONE.replace("= a[k] * b[k * n + col]", "= twice(b[k * n + col])"), Options(), False),
    ],
)
def test_a_common_product_is_not_rounded_for_some_rows_only(body: str, options: Options, same: bool) -> None:
    """A row by itself fuses it with its sum; rows in step compute it once, and would round it."""
    assert in_step(body, options) == same


@pytest.mark.parametrize(
    ("target", "scalar", "lanes", "counts"),
    [(AVX512, "float", 32, [8, 4]), (AVX512, "double", 32, [4]), (AVX2, "float", 16, [4])],
)
def test_what_rows_hand_on_fits_the_registers(target: Target, scalar: str, lanes: int, counts: list[int]) -> None:
    """Sums take half of the registers: sixteen of sixteen floats, or eight of eight."""
    text = kernel(f"if (row < n && col < n) {{ {PRODUCT} }}".replace("float s", f"{scalar} s"))
    made = compile_device(Source("k.cu", text), Options(target=target), until="keep-versions")
    assert max(version.lanes for version in made.shapes.kernels["k"]) == lanes
    assert [each.role.rows for each in made.module.rows_in_step["k", "x"]] == counts
    for companion in made.module.rows_in_step["k", "x"]:
        assert {v.lanes for v in made.shapes.kernels[companion.kernel]} == {v.lanes for v in made.shapes.kernels["k"]}


@pytest.mark.parametrize(
    ("body", "wide"),
    [
        ("for (int k = 0; k < n; k++) c[row * n + col] += a[row * n + k] * b[k * n + col];", True),
        ("for (int k = 0; k < n; k++) c[row * n + col] += a[row * n + k] * a[col * n + k];", False),  # gathers
        (PRODUCT.replace("int k = 0", "int k = col"), False),  # lanes leave one by one
    ],
)
def test_gangs_of_rows_are_wide_where_lanes_stay_together(body: str, wide: bool) -> None:
    made = compile_device(Source("k.cu", kernel(body)), Options(target=AVX512), until="run-versions")
    companion = made.module.rows_in_step["k", "x"][0].kernel
    assert {v.lanes for v in made.shapes.kernels["k"]} == {v.lanes for v in made.shapes.kernels[companion]}
    assert (max(v.lanes for v in made.shapes.kernels[companion]) > 16) == wide


def turned(body: str) -> str:
    """Return the kernel with rows that follow one another along x."""
    return kernel(body).replace(INDICES, INDICES.replace(".x", ".?").replace(".y", ".x").replace(".?", ".y"))


@pytest.mark.parametrize(("text", "what"), [(kernel(PRODUCT), "rows"), (turned(PRODUCT), "columns")])
def test_a_remark_names_rows_in_step(text: str, what: str) -> None:
    compiled = compile_device(Source("k.cu", text), Options(), until="llvm")
    shown = [r.instruction for r in compiled.remarks() if r.kind == "rows"]
    assert shown == [f"8 {what} of a block run in step, and share what they read"]


def test_code_for_debuggers_runs_row_by_row() -> None:
    """A debugger shows one thread in each lane."""
    assert not in_step(PRODUCT, Options(debug="full"))


SHAPES = [
    ((16, 16), (3, 3)),
    ((32, 8), (2, 5)),
    ((32, 3), (2, 9)),
    ((16, 13), (3, 4)),
    ((48, 12), (1, 4)),
    ((7, 5), (6, 9)),
    ((8, 7), (5, 6)),
    ((256, 1), (1, 40)),
    ((4, 4, 4), (11, 11)),
]


@pytest.fixture(scope="module")
def both() -> tuple[RawKernel, RawKernel]:
    """A product of columns with rows in step, and row by row."""
    text = kernel(f"if (row >= n || col >= n) return; {PRODUCT} if (threadIdx.z) *count = 1;")
    return RawKernel(text, "k"), RawKernel(text, "k", options=("--disable=thread-coarsening",))


@pytest.mark.parametrize(("block", "grid"), SHAPES)
def test_sums_have_the_same_bits_in_blocks_of_any_shape(
    block: tuple[int, ...], grid: tuple[int, int], both: tuple[RawKernel, RawKernel]
) -> None:
    """Rounded as they are, in the order of the program; what no thread of the matrix writes stays."""
    n = 41
    rng = np.random.default_rng(7)
    a, b = (rng.normal(size=n * n).astype(np.float32) for _ in range(2))
    found = []
    for run in both:
        c, count = np.full(n * n + 99, 3, np.float32), np.zeros(1, np.int32)
        run(grid, block, (a, b, c, np.int32(n), count))
        found.append((c, count))
    assert np.array_equal(found[0][0], found[1][0])
    assert (found[0][0][n * n :] == 3).all()
    assert found[0][1] == found[1][1]


def test_rows_behind_the_matrix_touch_nothing() -> None:
    """Under the guard, threads behind the last row read no memory: it ends there."""
    text = kernel(f"if (row < n && col < n) {{ {PRODUCT} }}")
    run = RawKernel(text, "k")
    n = 1000
    memory = np.ones(n * n, np.float32)
    c = np.zeros(n * n, np.float32)
    run((63, 1), (16, 16), (memory[-16 * n :], memory[: 16 * n], c, np.int32(16), np.zeros(1, np.int32)))
    assert (c[: 16 * 16] == 16).all() and not c[16 * 16 :].any()


@pytest.mark.parametrize("axes", ["yx", "xy"], ids=["rows", "columns"])
@pytest.mark.parametrize("way", ["-O0 --lanes=16", "-O0 --lanes=64"])
@pytest.mark.parametrize("seed", [pytest.param(seed, marks=pytest.mark.slow(f"rows {seed}")) for seed in range(12)])
@pytest.mark.filterwarnings("ignore::simt2simd.CompileWarning")
def test_random_kernels_mean_the_same_row_by_row(
    seed: int, way: str, axes: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However much their rows hand on: what pays is another question."""
    monkeypatch.setattr(thread_coarsening, "MOST_CARRIED", 1 << 20)
    monkeypatch.setattr(thread_coarsening, "MOST_NODES", 1 << 20)
    monkeypatch.setattr(versions, "_is_better_along_y", lambda version, shapes: axes == "xy")
    text = row_kernels.program(seed, 3, axes)
    made = compile_device(Source("rows.cu", text), Options(check_ir=True), until="thread-coarsening")
    modules = [
        RawModule(code=text, options=tuple(f"{way} {more}".split())) for more in ("", "--disable=thread-coarsening")
    ]
    for name, _ in made.module.rows_in_step:
        for block, grid in (((16, 16), (2, 2)), ((7, 5), (3, 2)), ((33, 13), (1, 2)), ((4, 9), (2, 1))):
            nx, ny = (count * side - side // 3 for count, side in zip(grid, block, strict=True))
            step = 1 if axes == "yx" else -1
            rng = np.random.default_rng(seed)
            a, b = (rng.integers(0, 99, count * row_kernels.DEPTH, np.int32) for count in (ny, nx))
            together, alone = (np.full(nx * ny, 7, np.int32) for _ in modules)
            for module, c in zip(modules, (together, alone), strict=True):
                module.get_function(name)(grid[::step], block[::step], (a, b, c, nx, ny, row_kernels.DEPTH))
            assert np.array_equal(together, alone), f"{name}, block {block}"


@pytest.mark.parametrize(
    ("body", "columns"),
    [
        (PRODUCT, True),
        (f"if (row < n && col < n) {{ {PRODUCT} }}", True),
        (f"if (row >= n || col >= n) return; {PRODUCT}", True),
        (PRODUCT.replace("k * n + col", "col * n + k"), False),  # along y, gangs would gather
        (PRODUCT + "if (n < 0) __syncthreads();", False),  # has no gangs along y
        ("float s = 0; for (int k = 0; k < n; k++) s += a[row * n + k]; c[col] = s;", False),  # nothing in common
    ],
)
def test_columns_run_in_step_where_gangs_lie_along_y(body: str, *, columns: bool) -> None:
    made = compile_device(Source("k.cu", turned(body)), Options(target=AVX512), until="keep-versions")
    assert (("k", "y") in made.module.rows_in_step) == columns
    if columns:
        assert "y" in {version.along for version in made.shapes.kernels["k"]}
        for companion in made.module.rows_in_step["k", "y"]:
            assert [version.along for version in made.shapes.kernels[companion.kernel]] == ["y"]
