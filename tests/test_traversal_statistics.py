"""What `--stats` counts is what a Python model of the same traversals does, whatever form they run in."""

from __future__ import annotations

import json
import math
import os
import shutil
import statistics
import subprocess
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from simt2simd import LaunchError, RawModule, runtime
from simt2simd.command import cli
from simt2simd.options import Options
from simt2simd.pipeline import Compiled, compile_device, results
from simt2simd.source import Source
from simt2simd.target import LANES

pytestmark = pytest.mark.unoptimised

CODE = r"""
typedef struct { int key, left, right; } Node;

// a walk, which becomes a loop over a stack
__device__ void count(const Node *nodes, int n, int x, int *found) {
    const Node *node = &nodes[n];
    if (node->key > x) return;
    *found += 1;
    if (node->left >= 0) count(nodes, node->left, x, found);
    if (node->right >= 0) count(nodes, node->right, x, found);
}
__global__ void unguided(const Node *nodes, const int *x, int *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) { int found = 0; count(nodes, 0, x[i], &found); out[i] = found; }
}

// two orders of the children
__device__ void near(const Node *nodes, int n, int x, int *best) {
    if (n < 0) return;
    int d = x - nodes[n].key;
    if (d * d < *best) *best = d * d;
    if (d < 0) {
        near(nodes, nodes[n].left, x, best);
        if (d * d < *best + 100) near(nodes, nodes[n].right, x, best);
    } else {
        near(nodes, nodes[n].right, x, best);
        if (d * d < *best + 100) near(nodes, nodes[n].left, x, best);
    }
}
__global__ void guided(const Node *nodes, const int *x, int *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) { int best = 1 << 30; near(nodes, 0, x[i], &best); out[i] = best; }
}

// a traversal with a result, and one at each of its nodes, by functions that call each other
__device__ bool is_odd(int n);
__device__ bool is_even(int n) { return n <= 0 || is_odd(n - 1); }
__device__ bool is_odd(int n) { return n > 0 && is_even(n - 1); }
__device__ int height(const Node *nodes, int n, int x) {
    if (n < 0 || nodes[n].key > x) return 0;
    int own = is_even(nodes[n].key & 3);
    int left = height(nodes, nodes[n].left, x), right = height(nodes, nodes[n].right, x);
    return own + (left > right ? left : right);
}
__global__ void nested(const Node *nodes, const int *x, int *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = height(nodes, 0, x[i]) + height(nodes, 1, x[i]);
}

// a traversal in which gangs wait for each other
__device__ void sum(int *s, int n) {
    int more = s[(threadIdx.x + 1) % blockDim.x];
    __syncthreads();
    s[threadIdx.x] += more;
    __syncthreads();
    if (n > 0) sum(s, n - 1);
}
__global__ void waiting(const Node *nodes, const int *x, int *out, int n) {
    __shared__ int s[64];
    s[threadIdx.x] = 1;
    __syncthreads();
    sum(s, blockIdx.x);
    if (blockIdx.x * blockDim.x + threadIdx.x < n) out[blockIdx.x * blockDim.x + threadIdx.x] = s[threadIdx.x];
}

// a traversal between two barriers
__global__ void divided(const Node *nodes, const int *x, int *out, int n) {
    __shared__ int s[64];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    s[threadIdx.x] = i < n ? x[i] : 0;
    __syncthreads();
    int found = 0;
    count(nodes, 0, s[blockDim.x - 1 - threadIdx.x], &found);
    __syncthreads();
    if (i < n) out[i] = found;
}
"""

NODE = np.dtype([("key", "i4"), ("left", "i4"), ("right", "i4")])
QUERIES = 100


@cache
def tree() -> np.ndarray:
    """A binary tree of which no two subtrees have the same form; keys rise from the root down."""
    rng = np.random.default_rng(5)
    nodes = np.zeros(120, NODE)
    nodes["left"] = nodes["right"] = -1
    free = [(0, "left"), (0, "right")]
    for i in range(1, len(nodes)):
        parent, side = free.pop(rng.integers(len(free)))
        nodes[side][parent] = i
        nodes["key"][i] = nodes["key"][parent] + rng.integers(0, 12)
        free += [(i, "left"), (i, "right")]
    return nodes


@cache
def keys() -> np.ndarray:
    return np.random.default_rng(6).integers(0, 80, QUERIES).astype(np.int32)


# ------------------------------------------------------------------------------------------- the model


@dataclass
class Gangs:
    """What the gangs of a launch do in one traversal: their steps, and the visits of each of their lanes."""

    steps: list[int] = field(default_factory=list)
    visits: list[dict[int, int]] = field(default_factory=list)

    def begin(self, lanes: Sequence[int]) -> None:
        self.steps.append(0)
        self.visits.append(dict.fromkeys(lanes, 0))

    def visit(self, lanes: Sequence[int]) -> None:
        self.steps[-1] += 1
        for lane in lanes:
            self.visits[-1][lane] += 1

    def expected(self) -> dict[str, Any]:
        """Return what a row of the statistics says, but for the names."""
        each = [count for visits in self.visits for count in visits.values()]
        expansions = [s / max(visits.values()) for s, visits in zip(self.steps, self.visits, strict=True)]
        return {
            "gangs": len(self.steps),
            "queries": len(each),
            "visits": sum(each),
            "steps": sum(self.steps),
            "visits_per_query": {"mean": sum(each) / len(each), "max": max(each)},
            "steps_per_gang": statistics.fmean(self.steps),
            "lanes_per_step": sum(each) / sum(self.steps),
            "work_expansion": {"mean": statistics.fmean(expansions), "deviation": statistics.pstdev(expansions)},
        }


Model = Callable[[dict[str, Gangs], list[int], int], None]  # runs a gang: its threads, and its block


def unguided(found: dict[str, Gangs], threads: list[int], _: int) -> None:
    nodes, x = tree(), keys()

    def visit(n: int, lanes: list[int]) -> None:
        if not lanes:
            return
        found["count"].visit(lanes)
        inside = [lane for lane in lanes if nodes["key"][n] <= x[lane]]
        for child in (nodes["left"][n], nodes["right"][n]):
            if child >= 0:
                visit(child, inside)

    found["count"].begin(threads)
    visit(0, threads)


def guided(found: dict[str, Gangs], threads: list[int], _: int) -> None:
    """The calls are merged: some lanes go left, all that want to go right, and then the others left."""
    nodes, x = tree(), keys()
    best = dict.fromkeys(threads, 1 << 30)

    def visit(n: int, lanes: list[int]) -> None:
        if not lanes:
            return
        found["near"].visit(lanes)
        if n < 0:
            return
        d = {lane: int(x[lane]) - int(nodes["key"][n]) for lane in lanes}
        for lane in lanes:
            best[lane] = min(best[lane], d[lane] ** 2)

        def wants(lane: int) -> bool:
            return d[lane] ** 2 < best[lane] + 100

        below = [lane for lane in lanes if d[lane] < 0]
        above = [lane for lane in lanes if d[lane] >= 0]
        visit(nodes["left"][n], below)
        visit(nodes["right"][n], [lane for lane in lanes if lane in above or wants(lane)])
        visit(nodes["left"][n], [lane for lane in above if wants(lane)])

    found["near"].begin(threads)
    visit(0, threads)


def nested(found: dict[str, Gangs], threads: list[int], _: int) -> None:
    nodes, x = tree(), keys()

    def parity(n: int, lanes: list[int]) -> None:
        found["is_even, is_odd"].begin(lanes)
        for _ in range(n + 1):
            found["is_even, is_odd"].visit(lanes)

    def visit(n: int, lanes: list[int]) -> None:
        if not lanes:
            return
        found["height"].visit(lanes)
        inside = [lane for lane in lanes if n >= 0 and nodes["key"][n] <= x[lane]]
        if inside:
            parity(int(nodes["key"][n]) & 3, inside)
            visit(nodes["left"][n], inside)
            visit(nodes["right"][n], inside)

    for root in (0, 1):
        found["height"].begin(threads)
        visit(root, threads)


def waiting(found: dict[str, Gangs], threads: list[int], block: int) -> None:
    found["sum"].begin(threads)
    for _ in range(block + 1):
        found["sum"].visit(threads)


FUNCTIONS = {"unguided": ["count"], "guided": ["near"], "nested": ["height", "is_even, is_odd"], "waiting": ["sum"]}
MODELS: dict[str, Model] = {"unguided": unguided, "guided": guided, "nested": nested, "waiting": waiting}


def modelled(kernel: str, block: int) -> dict[str, dict[str, Any]]:
    """Return what each function does in a launch of enough blocks for all queries."""
    found = {name: Gangs() for name in FUNCTIONS[kernel]}
    for number in range(blocks(block)):
        for first in range(0, block, LANES):
            threads = [number * block + i for i in range(first, min(block, first + LANES))]
            existing = threads if kernel == "waiting" else [thread for thread in threads if thread < QUERIES]
            if existing:
                MODELS[kernel](found, existing, number)
    return {name: gangs.expected() for name, gangs in found.items()}


def blocks(block: int) -> int:
    return -(-QUERIES // block)


# --------------------------------------------------------------------------------------- what is counted

FORMS = {
    "as usual": [],
    "recursive": ["--disable=walks,stack-walks"],
    "whole": ["--disable=walks,stack-walks,partial-inlining,single-lane"],
    "checked": ["--verify"],
    "avx2": ["--target=avx2"],
    "unoptimised": ["-O0"],
}


@cache
def counting(*options: str) -> RawModule:
    return RawModule(code=CODE, options=("--stats", *options))


def launch(module: RawModule, kernel: str, block: int) -> np.ndarray:
    out = np.zeros(QUERIES, np.int32)
    module.get_function(kernel)((blocks(block),), (block,), (tree(), keys(), out, QUERIES))
    return out


def counted() -> dict[str, dict[str, Any]]:
    """Return what was counted since the last time, by function; names that are in each row are checked and left."""
    rows: dict[str, dict[str, Any]] = {}
    for row in runtime.stats(forget=True)["traversals"]:
        row.pop("tail", None)  # see test_predict
        assert row.pop("file") == "<code>" and row.pop("line") > 0 and row.pop("kernel") in [*MODELS, "divided"]
        rows[row.pop("function")] = row
    return rows


def agree(found: Any, expected: Any) -> bool:
    """Whether all numbers are the same, fractions to six digits."""
    if isinstance(expected, dict):
        return found.keys() == expected.keys() and all(agree(found[key], expected[key]) for key in expected)
    return math.isclose(found, expected, rel_tol=1e-5, abs_tol=1e-6)


@pytest.fixture(autouse=True)
def nothing_counted() -> Iterator[None]:
    runtime.stats(forget=True)
    yield
    runtime.configure()


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("kernel", MODELS)
def test_counts_are_those_of_the_model(kernel: str, form: str) -> None:
    for block in (1, 16, 17, 33):
        launch(counting(*FORMS[form]), kernel, block)
        found, expected = counted(), modelled(kernel, block)
        assert agree(found, expected), (block, found, expected)


@pytest.mark.parametrize("threads, together", [(2, 1), (2, 2), (3, 3)])
@pytest.mark.parametrize("kernel", MODELS)
def test_hthreads_add_up(kernel: str, threads: int, together: int) -> None:
    runtime.configure(threads=threads, hthreads_per_block=together)
    launch(counting(), kernel, 33)
    assert agree(counted(), modelled(kernel, 33))


def test_launches_add_up() -> None:
    for _ in range(3):
        launch(counting(), "unguided", 17)
    (row,) = runtime.stats()["traversals"]
    once = modelled("unguided", 17)["count"]
    for name in ("gangs", "queries", "visits", "steps"):
        assert row[name] == 3 * once[name]
    assert row["visits_per_query"]["max"] == once["visits_per_query"]["max"]
    assert agree(row["work_expansion"], once["work_expansion"])
    assert runtime.stats(forget=True)["traversals"] == [row] and runtime.stats() == {"traversals": [], "kernels": []}


def test_merged_calls_are_visits_of_the_same_lanes() -> None:
    """Without merging, a gang takes more steps; each lane makes the same visits."""
    launch(counting("--disable=merge-calls"), "guided", 33)
    found, expected = counted()["near"], modelled("guided", 33)["near"]
    assert found["visits"] == expected["visits"] and found["visits_per_query"] == expected["visits_per_query"]
    assert found["steps"] > expected["steps"]


def ropes(found: dict[str, Gangs], threads: list[int], block: int) -> None:
    """Each lane is at a node of its own: no lane waits for another, and the last one ends the traversal."""
    unguided(found, threads, block)
    found["count"].steps[-1] = max(found["count"].visits[-1].values())


def test_lanes_that_go_their_own_ways(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(MODELS, "unguided", ropes)
    for block in (1, 17, 33):
        launch(counting("--traverse=ropes", "--disable=block-merging,wide-gangs"), "unguided", block)
        found, expected = counted(), modelled("unguided", block)
        assert agree(found, expected), (block, found, expected)


def test_threads_that_are_sorted() -> None:
    """Sorted threads make the same visits, in other gangs, and the kernel is the program's."""
    launch(counting("--sort-queries"), "unguided", 33)
    found, expected = counted()["count"], modelled("unguided", 33)["count"]
    assert found["queries"] == expected["queries"] and found["visits_per_query"] == expected["visits_per_query"]


def test_a_divided_kernel_counts() -> None:
    launch(counting(), "divided", 48)
    row = counted()["count"]
    assert row["gangs"] == 9 and row["queries"] == 144
    launch(counting("--disable=barrier-fission"), "divided", 48)
    assert counted()["count"] == row


def test_a_failed_launch_counts_what_was_done() -> None:
    code = """
    __device__ int deep(const int *n, int i) { return n[i] == 0 ? 1 : i + deep(n, i + 1) * 3; }
    __global__ void k(const int *n, int *out) { out[blockIdx.x] = deep(n, n[0] * blockIdx.x); }"""
    kernel = RawModule(code=code, options=("--stats",)).get_function("k")
    out, endless = np.zeros(1, np.int32), np.ones(1 << 22, np.int32)
    with pytest.raises(LaunchError, match="stack overflow"):
        kernel((1,), (16,), (endless, out))
    assert runtime.stats()["traversals"] == []
    kernel((1,), (16,), (np.zeros(4, np.int32), out))
    (row,) = runtime.stats()["traversals"]
    assert (row["gangs"], row["visits"], row["steps"]) == (1, 16, 1)


# ------------------------------------------------------------------------------------------- the code


def compiled(options: Options) -> Compiled:
    return compile_device(Source("k.cu", CODE), options, until="llvm")


def test_without_the_option_nothing_is_counted() -> None:
    plain = compiled(Options())
    assert plain.module.traversals == ()
    for name in ("__s2s_visit", "s2s_count_visit", "s2s_begin_traversal"):
        assert name not in plain.dump("after-all") + str(plain[results.LLVM])


def test_what_is_counted_is_what_runs() -> None:
    """The same functions become loops, and continue for single lanes."""
    plain, counts = compiled(Options()).plans, compiled(Options(stats=True)).plans
    assert plain.walks and plain.walks == counts.walks
    assert plain.single_lane and plain.single_lane == counts.single_lane
    assert plain.versions == counts.versions


# --------------------------------------------------------------------------------- programs, and what they print

PROGRAM = r"""
#include <cuda_runtime.h>
__device__ void halve(int n, int *out) {
    *out += 1;
    if (n > 1) halve(n / 2, out);
}
__global__ void k(int *out) { halve(threadIdx.x + 1, &out[threadIdx.x]); }
int main() {
    int *out;
    cudaMalloc(&out, 32 * sizeof(int));
    cudaMemset(out, 0, 32 * sizeof(int));
    k<<<1, 32>>>(out);
    return cudaDeviceSynchronize() == cudaSuccess ? 3 : 4;
}
"""

TABLE = """\
simt2simd: what kernels did
kernel  launches       gangs  active lanes  gathers  scatters   masked  divergent
k              1           2         76.7%     0.0%      0.0%    45.5%      46.3%
simt2simd: what traversals did
kernel  function  gangs  queries  visits  visits/query  most  steps/gang  lanes/step  expansion  deviation
k       halve         2       32     135           4.2     6         5.5       12.27       1.00       0.00
"""


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A program that counts, and one that does not."""
    if shutil.which("c++") is None:
        pytest.skip("no C++ compiler")
    folder = tmp_path_factory.mktemp("stats")
    source = folder / "halve.cu"
    source.write_text(PROGRAM)
    made = (folder / "counting", folder / "plain")
    assert cli.main(["compile", str(source), "--stats", "-O0", "-o", str(made[0])]) == 0
    assert cli.main(["compile", str(source), "-O0", "-o", str(made[1])]) == 0
    return made


def printed(program: Path, setting: str | None) -> str:
    """Run a program and return what it prints on stderr; its exit code stays its own."""
    env = {name: value for name, value in os.environ.items() if not name.startswith("S2S_")}
    if setting is not None:
        env["S2S_STATS"] = setting
    done = subprocess.run([str(program)], env=env, capture_output=True, text=True, timeout=60, cwd=program.parent)
    assert (done.returncode, done.stdout) == (3, "")
    return done.stderr


@pytest.mark.parametrize("setting", [None, "", "1", "text"])
def test_a_program_prints_a_table(programs: tuple[Path, Path], setting: str | None) -> None:
    assert printed(programs[0], setting) == TABLE


@pytest.mark.parametrize("setting", ["json:found", "found.json", "./found.json"])
def test_a_program_writes_json(programs: tuple[Path, Path], setting: str) -> None:
    assert printed(programs[0], setting) == ""
    file = programs[0].parent / setting.removeprefix("json:")
    (row,) = json.loads(file.read_text())["traversals"]
    file.unlink()
    assert row["file"] == str(programs[0].parent / "halve.cu") and row["line"] == 3
    assert (row["kernel"], row["function"], row["gangs"], row["visits"]) == ("k", "halve", 2, 135)


def test_a_program_may_say_nothing(programs: tuple[Path, Path]) -> None:
    assert printed(programs[0], "0") == printed(programs[1], "0") == printed(programs[1], None) == ""


def test_wrong_settings_are_named(programs: tuple[Path, Path]) -> None:
    for setting in ("yes", "json:", ".json"):
        ignored = (
            f"simt2simd: S2S_STATS={setting} is ignored: expected 0, 1, text, json:FILE or a name ending in .json\n"
        )
        assert printed(programs[0], setting) == ignored + TABLE
    for setting in ("json:no/such/file", "no/such/file.json"):
        fault = "simt2simd: cannot write 'no/such/file%s', which S2S_STATS names: No such file or directory\n"
        assert printed(programs[0], setting) == fault % (".json" if "json:" not in setting else "") + TABLE


def test_a_program_that_does_not_count_says_so(programs: tuple[Path, Path]) -> None:
    wanted = "simt2simd: S2S_STATS is set, but no kernel counts what it does: compile with --stats\n"
    assert printed(programs[1], "1") == printed(programs[1], "x.json") == wanted
    assert not (programs[1].parent / "x.json").exists()
