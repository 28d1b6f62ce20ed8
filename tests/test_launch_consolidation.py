"""Consolidated launches mean what the launches do that they replace; what cannot be consolidated is refused."""

from __future__ import annotations

import functools
import shutil
import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from front import messages, module

from simt2simd.command import cli, cuda_text
from simt2simd.diag import CompileError
from simt2simd.interp.children import Child, ChildServices
from simt2simd.interp.run import Interpreter
from simt2simd.options import Options
from simt2simd.python.kernel import RawModule
from simt2simd.source import Source
from simt2simd.transform.nested_launches.launch_consolidation import launch_consolidation
from simt2simd.tree import legal
from simt2simd.tree.launches import launches
from simt2simd.tree.show import show

KERNEL_FILES = Path(__file__).parent / "differential" / "consolidation"
PROGRAMS = Path(__file__).parent / "consolidation"
TEXT = (KERNEL_FILES / "levels.cu").read_text()
needs_nvcc = pytest.mark.skipif(shutil.which("nvcc") is None, reason="needs nvcc")
LEVELS = ("warp", "block", "grid")
CONCURRENCY = ("1", "16", "32", "items")
Array = np.ndarray[Any, np.dtype[Any]]
Arguments = list[Any]


def text(level: str, kc: str) -> str:
    return f"#define LEVEL {level}\n#define KC {kc}\n{TEXT}"


@functools.cache
def as_written() -> Interpreter:
    return Interpreter(module(text("block", "1")))


@functools.cache
def interpreted(level: str, kc: str) -> Interpreter:
    return Interpreter(launch_consolidation(module(text(level, kc))))


@functools.cache
def compiled(level: str, kc: str, *options: str) -> RawModule:
    return RawModule(code=text(level, kc), options=("-fmad=false", *options))


# --------------------------------------------------------------------------------------------------- arguments


def row_of(n: int, rng: np.random.Generator, most: int = 40) -> Array:
    degrees = rng.integers(0, most, max(n, 1)) * (rng.integers(0, 3, max(n, 1)) > 0)
    return np.concatenate([[0], np.cumsum(degrees)]).astype(np.int32)


def rows(n: int, rng: np.random.Generator) -> Arguments:
    row = row_of(n, rng)
    return [row, np.zeros(row[-1] + 1, np.int32), n, 5]


def changes(n: int, rng: np.random.Generator) -> Arguments:
    return [rng.integers(0, 50, n + 1).astype(np.int32), rng.integers(0, 10, n + 1).astype(np.int32), n, 16]


def reductions(n: int, rng: np.random.Generator) -> Arguments:
    row = row_of(n, rng, 90)
    return [rng.integers(0, 99, row[-1] + 1).astype(np.int32), row, np.full(n + 1, -1, np.int32), n]


def mirrors(n: int, rng: np.random.Generator) -> Arguments:
    return [np.zeros((n + 1) * 12 * 8, np.int32), n, 3]


def fills(n: int, rng: np.random.Generator) -> Arguments:
    row = row_of(n, rng, 100)
    return [row, np.zeros(row[-1] + 1, np.int32), n]


def visit(n: int, rng: np.random.Generator) -> Arguments:
    """A tree of n nodes and more, node 0 of which has the threads of the first block as children."""
    first, end = [1], 1 + n
    for node in range(1, n + 1):
        first.append(end)
        end += int(rng.integers(0, 3)) if node < n // 2 else 0
    first += [end] * (end - n + 1)
    nodes = end + 2
    return [np.array(first, np.int32), 0, 0, np.zeros(64, np.int32), np.full(nodes, -1, np.int32)]


def top(n: int, rng: np.random.Generator) -> Arguments:
    return [np.zeros(n + 1, np.int32), n]


def ticks(n: int, rng: np.random.Generator) -> Arguments:
    return [np.zeros(4, np.int32), n]


KERNELS = {
    "ticks": ticks,
    "rows": rows,
    "changes": changes,
    "reductions": reductions,
    "mirrors": mirrors,
    "fills": fills,
    "top": top,
}
SIZES = (0, 1, 15, 33, 150)
BLOCKS = (1, 16, 33, 96)


def shapes() -> list[tuple[int, int]]:
    return [(n, block) for i, n in enumerate(SIZES) for block in (BLOCKS[i % 4], BLOCKS[(i + 2) % 4])]


def launch_of(kernel: str, n: int, block: int) -> tuple[int, int, Arguments]:
    rng = np.random.default_rng([n, block, len(kernel)])
    if kernel == "visit":
        return 1, max(n, 1), visit(max(n, 1), rng)
    return max(1, -(-n // block)), block, KERNELS[kernel](n, rng)


@functools.cache
def expected(kernel: str, n: int, block: int) -> tuple[Any, ...]:
    grid, threads, args = launch_of(kernel, n, block)
    as_written().launch(kernel, grid, threads, args)
    return tuple(args)


def assert_same(kernel: str, n: int, block: int, args: Arguments) -> None:
    for i, (ours, theirs) in enumerate(zip(args, expected(kernel, n, block), strict=True)):
        assert np.array_equal(ours, theirs), f"argument {i} of {kernel}, {n} items, blocks of {block}"


def check(level: str, kc: str, *options: str) -> None:
    for kernel in (*KERNELS, "visit"):
        for n, block in shapes():
            grid, threads, args = launch_of(kernel, n, block)
            compiled(level, kc, *options).get_function(kernel)((grid,), (threads,), tuple(args))
            assert_same(kernel, n, block, args)


def test_compiled_code_means_what_is_written() -> None:
    check("block", "16", "-O0")


@pytest.mark.slow
@pytest.mark.parametrize("kc", CONCURRENCY)
@pytest.mark.parametrize("level", LEVELS)
def test_every_level_means_what_is_written(level: str, kc: str) -> None:
    check(level, kc)


@pytest.mark.slow
@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("way", ["--verify -O0", "--target=avx2", "--lanes=32 -O0"])
def test_every_way_of_compiling_means_what_is_written(level: str, way: str) -> None:
    check(level, "16", *way.split())


@pytest.mark.parametrize("level", LEVELS)
def test_the_interpreter_agrees(level: str) -> None:
    for kernel in (*KERNELS, "visit"):
        for n, block in ((0, 16), (15, 16), (33, 20)):
            grid, threads, args = launch_of(kernel, n, block)
            interpreted(level, "16").launch(kernel, grid, threads, args)
            assert_same(kernel, n, block, args)


# ------------------------------------------------------------------------------------- what is launched, and how often

COUNTED = """
__device__ int launched;
__global__ void child(int i, int *out) {
    if (threadIdx.x == 0) { atomicAdd(&launched, 1); }
    atomicAdd(&out[i], 1);
}
__global__ void parent(int *out, int n, int times) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    for (int k = 0; k < times; k++) {
#pragma dp consolidate(LEVEL) size(SIZE) buffer(BUFFER) kc(1) blocks(1)
        child<<<1, 4>>>(i, out);
    }
}
"""


def launches_of(level: str, n: int, block: int, times: int, *, size: int = 4096, buffer: int = 1 << 20) -> int:
    """Return how many grids of children there are, after a check that no item is lost."""
    words = {"LEVEL": level, "SIZE": str(size), "BUFFER": str(buffer)}
    code = COUNTED
    for word, value in words.items():
        code = code.replace(word, value)
    made = launch_consolidation(module(code))
    calls: list[Child] = []
    add = ChildServices._add

    def noted(services: ChildServices, stream: int, child: Child) -> None:
        calls.append(child)
        add(services, stream, child)

    out = np.zeros(n + 1, np.int32)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ChildServices, "_add", noted)
        Interpreter(made).launch("parent", -(-n // block), block, [out, n, times])
    assert out.tolist() == [4 * times] * n + [0]
    return len(calls)


@pytest.mark.parametrize(("level", "count"), [("warp", 2 * 4), ("block", 4), ("grid", 1)])
def test_launches_become_few(level: str, count: int) -> None:
    assert launches_of(level, 200, 64, 1) == count - (level == "warp")  # the last block's second warp has no items


@pytest.mark.parametrize("level", LEVELS)
def test_items_without_room_are_launched_as_they_are(level: str) -> None:
    """A buffer for 16 items; each of 32 threads has three."""
    assert launches_of(level, 32, 32, 3, size=16) == 1 + (96 - 16)


@pytest.mark.parametrize("level", LEVELS)
def test_a_pool_that_is_used_up_loses_nothing(level: str) -> None:
    count = launches_of(level, 200, 64, 2, buffer=512)
    assert launches_of(level, 200, 64, 2) < count <= 400


# ------------------------------------------------------------------------------------------- what is refused

CHILD = "__global__ void child(int i, int *out) { out[i] = blockIdx.x; }\n"
BARRIER = "__global__ void child(int i, int *out) { __syncthreads(); out[i] = 1; }\n"


def parent(
    launch: str, before: str = "", after: str = "", params: str = "int *out, int n", pragma: str = "block"
) -> str:
    return (
        f"__global__ void parent({params}) {{\n    int i = threadIdx.x;\n    {before}\n"
        f"#pragma dp consolidate({pragma})\n    {launch}\n    {after}\n}}\n"
    )


def refusal(code: str) -> str:
    with pytest.raises(CompileError) as failure:
        launch_consolidation(module(code))
    (only,) = failure.value.diagnostics
    assert only.span.line > 0 and only.span.column > 0
    return only.message.removeprefix("cannot consolidate: ")


REFUSED = {
    "blocks of different sizes, with barriers": (
        BARRIER + parent("child<<<1, n + i>>>(i, out);"),
        "'child' has barriers, and its blocks differ in size between items",
    ),
    "another stream": (
        CHILD + parent("child<<<1, 1, 0, cudaStreamTailLaunch>>>(i, out);"),
        "launches into another stream than the default cannot be consolidated",
    ),
    "a wait for children": (
        CHILD + parent("child<<<1, 1>>>(i, out);", after="cudaDeviceSynchronize(); out[n] = 1;"),
        "'parent' waits for its children, which are launched at its end if consolidated",
    ),
    "a child that waits": (
        "__global__ void child(int i, int *out) { cudaDeviceSynchronize(); out[i] = 1; }\n"
        + parent("child<<<1, 1>>>(i, out);"),
        "'child' waits for its own children",
    ),
    "a copy in the stream": (
        CHILD + parent("child<<<1, 1>>>(i, out);", after="cudaMemsetAsync(out, 0, 4);"),
        "'parent' uses streams, in which launches to consolidate would come too late",
    ),
    "shared memory of different sizes": (
        CHILD + parent("child<<<1, 1, i * 4>>>(i, out);"),
        "the size of shared memory differs between the launches to consolidate",
    ),
    "a configuration from a call": (
        "__device__ dim3 size(int i) { return dim3(i, 2); }\n" + CHILD + parent("child<<<size(i), 32>>>(i, out);"),
        "the configuration of a launch to consolidate is computed by a call",
    ),
    "blocks that differ along y": (
        CHILD + parent("child<<<1, dim3(4, i)>>>(i, out);"),
        "blocks that differ in size differ along y or z",
    ),
    "shared memory of a thread": (
        "__global__ void child(int i, int *out) { __shared__ int s; s = i; out[i] = s; }\n"
        + parent("child<<<1, 1>>>(i, out);"),
        "'child' uses shared memory, and an item has no block of its own here",
    ),
    "warps of a thread": (
        "__global__ void child(int i, int *out) { out[i] = __activemask(); }\n" + parent("child<<<1, 1>>>(i, out);"),
        "'child' uses warps, and an item has no warps of its own here",
    ),
    "a return before a barrier": (
        "__global__ void child(int i, int *out) { if (threadIdx.x > 3) return; __syncthreads(); out[i] = 1; }\n"
        + parent("child<<<1, 8>>>(i, out);"),
        "threads may return from 'child' before others reach its barrier",
    ),
    "a return of the parent before a barrier": (
        CHILD + parent("child<<<1, 8>>>(i, out);", before="if (i > n) return;", after="__syncthreads(); out[i] = 1;"),
        "threads may return from 'parent' before others reach its barrier",
    ),
    "another launch in the stream": (
        CHILD + parent("child<<<1, 8>>>(i, out);", after="child<<<1, 1>>>(0, out);"),
        "this launch is not consolidated, and comes before or after one that is, in the same stream",
    ),
    "several launches in a loop": (
        CHILD
        + parent(
            "child<<<1, 8>>>(i, out);",
            before="for (int k = 0; k < n; k++) {",
            after="\n#pragma dp consolidate(block)\nchild<<<1, 1>>>(0, out); }",
        ),
        "several launches into the default stream, of which one is in a loop, would change their order",
    ),
    "different levels": (
        CHILD + parent("child<<<1, 8>>>(i, out);", after="\n#pragma dp consolidate(warp)\nchild<<<1, 1>>>(0, out);"),
        "launches of 'parent' are consolidated by different levels",
    ),
    "a launch in a device function": (
        CHILD + parent("child<<<1, 8>>>(i, out);").replace("__global__ void parent", "__device__ void helper")
        + "__global__ void parent(int *out, int n) { helper(out, n); }\n",
        "'helper' is no kernel: its launches cannot be consolidated",
    ),
    "an argument that work does not name": (
        CHILD + parent("child<<<1, 8>>>(i, out);", pragma="block) work(out"),
        "argument 1 may differ between threads, and 'work(...)' names nothing in it",
    ),
    "work that is none": (
        CHILD + parent("child<<<1, 8>>>(i, out);", pragma="block) work(i, n"),
        "'work(...)' names 'n', which no argument of the launch does",
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", REFUSED)
def test_what_cannot_be_consolidated_is_refused(what: str) -> None:
    code, message = REFUSED[what]
    assert refusal(code) == message


@pytest.mark.parametrize(
    "what", [what for what in REFUSED if what not in ("different levels", "a launch in a device function")]
)
def test_auto_leaves_what_cannot_be_consolidated(what: str) -> None:
    code = REFUSED[what][0].replace("consolidate(block)", "consolidate(auto)")
    assert "_consolidated" not in show(launch_consolidation(module(code)))


def test_pragmas_with_faults_are_reported() -> None:
    def said(pragma: str, statement: str = "child<<<1, 8>>>(i, out);") -> str:
        return messages(CHILD + parent(statement).replace("dp consolidate(block)", pragma))[0].partition(": ")[2]

    assert said("dp consolidate(thread)").startswith("launches are consolidated by 'warp', 'block', 'grid' or 'auto'")
    assert said("dp merge(warp)") == "unknown pragma '#pragma dp merge(warp)'"
    assert said("dp consolidate(warp) room(3)") == "'#pragma dp consolidate' has no clause 'room(...)'"
    assert said("dp consolidate(warp) kc(0)") == "the operand of 'kc(...)' must be a positive integer constant"
    assert said("dp consolidate(warp) kc(1) kc(2)") == "'kc(...)' appears twice in '#pragma dp consolidate'"
    assert said("dp consolidate(warp) work(i + 1)").startswith("'work(...)' names the variables that differ")
    assert said("dp consolidate(warp)", "out[i] = 1;").endswith("must precede the launch of a kernel")
    assert said("dp consolidate(warp)", "").endswith("must precede the launch of a kernel")
    assert said("dp consolidate(warp)\n#pragma dp consolidate(warp)").endswith("appears twice before a launch")
    assert said("dp") == "unknown pragma '#pragma dp'"
    assert said("dp consolidate(warp").startswith("unknown pragma")
    assert said("dp consolidate(warp) threads(2048)") == "'threads(2048)' is too much: 1024 at most"
    assert said("dp consolidate(warp) buffer(99999999999)").startswith("'buffer(99999999999)' is too much")
    for clause in ("buffer", "size", "kc", "blocks", "threads"):
        assert said(f"dp consolidate(warp) {clause}()").startswith(f"the operand of '{clause}(...)' must be a positive")
    assert messages("#pragma dp consolidate(warp)\n" + CHILD)[0].endswith("it must precede the launch of a kernel")


def test_clauses_hold_expressions_and_may_have_commas_between_them() -> None:
    pragma = "warp), buffer((1 << 4) * sizeof(double)), size((3)), work( i , out"
    code = CHILD + parent("child<<<1, 8>>>(i, out);", pragma=pragma)
    (found,) = (node.builtin.consolidation for node in launches(module(code)))
    assert found is not None
    assert (found.buffer, found.size, found.work) == (128, 3, ("i", "out"))


# ------------------------------------------------------------------------------------------------- what auto means

ONE = "__global__ void child(int i, int *out) { out[i] = 1; }\n"


def levels_of(code: str, *, for_gpus: bool = False) -> list[str]:
    """Return of what the counters of the parent's buffers are: nothing, a block, warps or a grid."""
    text = show(launch_consolidation(module(code), for_gpus=for_gpus)).rpartition("__global__ void parent(")[2]
    text = text.partition("\n}\n")[0]
    found = {"grid": "s2s_grid *grid", "warp": "count[32]", "block": "long count;"}
    return [level for level, words in found.items() if words in text]


def test_auto_on_a_cpu_consolidates_children_of_one_thread() -> None:
    assert levels_of(ONE + parent("child<<<1, 1>>>(i, out);", pragma="auto")) == ["block"]
    assert levels_of(ONE + parent("child<<<1, 64>>>(i, out);", pragma="auto")) == []
    assert levels_of(ONE + parent("child<<<i, 64>>>(i, out);", pragma="auto")) == []


def test_auto_on_a_cpu_consolidates_recursion_by_grids() -> None:
    code = parent("parent<<<1, 64>>>(out, n - 1);", before="if (n == 0) return;", pragma="auto")
    assert levels_of(code) == ["grid"]


@pytest.mark.parametrize("block", ["1", "64"])
def test_auto_on_a_cpu_leaves_recursion_that_goes_level_by_level(block: str) -> None:
    launch = f"parent<<<1, {block}, 0, cudaStreamFireAndForget>>>(out, n - 1);"
    assert levels_of(parent(launch, before="if (n == 0) return;", pragma="auto")) == []


def test_auto_for_a_gpu_consolidates_by_grids() -> None:
    assert levels_of(ONE + parent("child<<<i, 64>>>(i, out);", pragma="auto"), for_gpus=True) == ["grid"]


@pytest.mark.parametrize(("stream", "levels"), [("cudaStreamFireAndForget", ["block"]), ("0", [])])
def test_without_a_pragma_only_launches_without_an_order_are_consolidated(stream: str, levels: list[str]) -> None:
    code = ONE + parent(f"child<<<1, 1, 0, {stream}>>>(i, out);").replace("#pragma dp consolidate(block)", "")
    assert levels_of(code) == levels
    assert levels_of(code, for_gpus=True) == []


def test_where_auto_cannot_be_followed_the_others_are() -> None:
    code = CHILD + parent(
        "child<<<1, 1, n, cudaStreamFireAndForget>>>(i, out);",
        after="child<<<1, 1, i, cudaStreamFireAndForget>>>(i, out);",
    )
    assert levels_of(code) == ["block"]


# ------------------------------------------------------------------------------------------------ random programs


def random_program(rng: np.random.Generator) -> str:
    """Return kernels whose children add numbers, in forms, sizes and places of all kinds.

    Sums do not depend on the order in which children run.
    """

    def pick(*words: str) -> str:
        return str(rng.choice(words))

    barriers = rng.integers(0, 2) == 0
    grid = pick("1", "1", "2", "1 + i % 3", "i % 4", "dim3(1 + i % 2, 2)", "dim3(1, 1, 2)")
    block = (
        pick("1", "8", "dim3(4, 3)", "size") if barriers else pick("1", "1", "8", "i % 9", "5 + i", "n", "dim3(2, 2)")
    )
    if block == "1":
        barriers = False
    types = [pick("int", "short", "double", "unsigned char", "long long", "Pair") for _ in range(rng.integers(1, 4))]
    params = ", ".join(f"{ctype} p{k}" for k, ctype in enumerate(types))
    values = ", ".join(
        pick("Pair{i, 3}", "pair") if t == "Pair" else pick("i", "n", "in[i]", "in[i] * i + 1", "k") for t in types
    )
    used = " + ".join(f"p{k}.a * p{k}.b" if t == "Pair" else f"(int)p{k}" for k, t in enumerate(types))
    where = "(blockIdx.x + 2 * blockIdx.y + threadIdx.x + 3 * threadIdx.y + to) % 32"
    body = f"atomicAdd(&out[{where}], {used} + (int)(gridDim.x * 5 + blockDim.x + blockIdx.z));"
    if barriers:
        body = (
            "__shared__ int s[512]; int t = threadIdx.y * blockDim.x + threadIdx.x;\n"
            f"    s[t] = {used}; __syncthreads();\n"
            f"    atomicAdd(&out[{where}], s[(t + 1) % (blockDim.x * blockDim.y)] + (int)gridDim.y);"
        )
    early = (
        "" if barriers else pick("", "if (to % 5 == 2) return;", "while (to > 20) { to -= 7; if (to == 9) return; }")
    )
    stream = pick("", "", ", 0, cudaStreamFireAndForget")
    clauses = pick("", "", "size(16)", "size(n)", "buffer(4096)", "threads(16)", "blocks(2)")
    pragma = f"#pragma dp consolidate({pick('warp', 'block', 'grid')}) kc({pick('1', '16', '32', 'items')}) {clauses}"
    launch = f"\n{pragma}\n        child<<<{grid}, {block}{stream}>>>(in[i] + k, {values}, out, n);\n"
    loop = f"for (int k = 0; k < {pick('1', '2', 'i % 4')}; k++) {{{launch}}}"
    inside = pick(loop, f"int k = 3; if (in[i] % 3) {{{launch}}}", f"int k = 1;{launch}    atomicAdd(&out[k], 1);")
    leave = pick("if (i >= n) return;", "if (i >= n || in[i] == 4) return;")
    given = ", ".join(f"p{k}" for k in range(len(types)))
    again = f"""\
    if (to < 3 && threadIdx.x == 0 && threadIdx.y == 0) {{
{pragma}
        child<<<1, {"8" if barriers else "2 + to"}>>>(to + 40, {given}, out, n);
    }}
"""
    again = again if rng.integers(0, 3) == 0 else ""
    return (
        f"struct Pair {{ int a; char b; }};\n__global__ void child(int to, {params}, int *out, int n) {{\n"
        f"    {early}\n    {body}\n{again}}}\n"
        "__global__ void parent(const int *in, int *out, int n, int size) {\n"
        f"    int i = blockIdx.x * blockDim.x + threadIdx.x;\n    {leave}\n    Pair pair = {{n, 2}};\n"
        f"    {inside}\n}}\n"
    )


def random_arguments(seed: int) -> Arguments:
    rng = np.random.default_rng(seed)
    n = int(rng.integers(0, 80))
    return [rng.integers(0, 30, n + 1).astype(np.int32), np.zeros(32, np.int32), n, 12]


def check_random(seed: int, *, also_compiled: bool = False) -> None:
    rng = np.random.default_rng(seed)
    code = random_program(rng)
    block = int(rng.choice([1, 16, 33, 64]))
    args, again = random_arguments(seed), random_arguments(seed)
    grid = max(1, -(-args[2] // block))
    written = module(code)
    Interpreter(written).launch("parent", grid, block, args)
    try:
        made = launch_consolidation(written)
    except CompileError as refused:  # what the program has at random may not go together
        assert all(d.message.startswith("cannot consolidate: ") for d in refused.diagnostics), code
        return
    legal.check(made, "launch-consolidation")
    if also_compiled:
        RawModule(code=code, options=("-fmad=false", "-O0")).get_function("parent")((grid,), (block,), tuple(again))
    else:
        Interpreter(made).launch("parent", grid, block, again)
    assert again[1].tolist() == args[1].tolist(), code


@pytest.mark.parametrize("seed", range(16))
def test_random_programs(seed: int) -> None:
    check_random(seed)


@pytest.mark.slow
@pytest.mark.parametrize("first", range(100, 500, 50))
def test_many_random_programs(first: int) -> None:
    for seed in range(first, first + 50):
        check_random(seed, also_compiled=seed % 10 == 0)


# ------------------------------------------------------------------------------------------------- text for a GPU


def emitted(source: Source) -> str:
    made = cuda_text.emit(source, Options())
    assert made.left == ()
    return made.text


def compiles(code: str, folder: Path) -> None:
    unit = folder / "unit.cu"
    unit.write_text(code)
    words = ["nvcc", "-arch=sm_90", "-rdc=true", "-w", "-c", str(unit), "-o", str(folder / "unit.o")]
    done = subprocess.run(words, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[:2000]


@pytest.mark.slow
@pytest.mark.parametrize("level", LEVELS)
def test_what_is_printed_reads_back(level: str) -> None:
    code = emitted(Source("t.cu", text(level, "16")))
    assert "#pragma dp" not in code and code.count("_consolidated(unsigned char *work") > 2


@needs_nvcc
def test_nvcc_compiles_what_is_printed(tmp_path: Path) -> None:
    code = (KERNEL_FILES / "few.cu").read_text().replace("consolidate(block)", "consolidate(auto)")
    code = emitted(Source("t.cu", code))
    assert "s2s_grid *grid" in code
    compiles(code, tmp_path)


@needs_nvcc
@pytest.mark.slow
@pytest.mark.parametrize("level", LEVELS)
def test_nvcc_compiles_every_form(level: str, tmp_path: Path) -> None:
    compiles(emitted(Source("t.cu", text(level, "32"))), tmp_path)


# ---------------------------------------------------------------------------------------------- complete programs


@pytest.mark.slow
@pytest.mark.parametrize("level", [*LEVELS, "auto", "written"])
@pytest.mark.parametrize("program", ["sssp", "spmv", "bfs_rec", "tasks"])
def test_programs_find_the_answers(program: str, level: str, tmp_path: Path) -> None:
    source, made = PROGRAMS / f"{program}.cu", tmp_path / program
    words = ["--disable=launch-consolidation"] if level == "written" else [f"-DLEVEL={level}", "-DKC=16"]
    assert cli.main(["compile", str(source), "-o", str(made), *words]) == 0
    for nodes in (2, 15, 257, 1000):
        done = subprocess.run([made, str(nodes), "12", "4", "2", "96"], capture_output=True, text=True, timeout=120)
        assert done.returncode == 0 and " 0 wrong" in done.stdout, done.stdout + done.stderr


def test_a_pragma_in_a_template_that_is_printed_as_it_is_is_told_of() -> None:
    whole = CHILD + parent("child<<<1, 8>>>(i, out);")
    typed = "template <class T> " + parent("child<<<1, 8>>>(T(i), out);").replace("parent", "typed")
    made = cuda_text.emit(Source("t.cu", whole + typed), Options())
    (warning,) = made.left
    assert (warning.span.line, warning.span.column) == (len(whole.splitlines()) + 4, 2)
    assert made.text.count("#pragma dp") == 1 and "child_consolidated" in made.text


@pytest.mark.parametrize("block", ["1", "8", "1 + i % 3"])
def test_children_that_ask_for_their_only_block_are_printed(block: str) -> None:
    body = (
        "int at = blockIdx.x * blockDim.x + threadIdx.x, last = gridDim.x - 1; float part = blockIdx.x;"
        "if (blockIdx.x + 1 < gridDim.x && at) return;"
        "atomicAdd(&out[i], at + last + (blockIdx.y ? 1 : 2) + (int)part + (!blockIdx.z ? 4 : -(int)gridDim.y));"
    )
    code = f"__global__ void child(int i, int *out) {{ {body} }}\n" + parent(f"child<<<1, {block}>>>(i, out);")
    assert "child_consolidated" in emitted(Source("t.cu", code))
