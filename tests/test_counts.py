"""What `--stats` counts of each line is what a Python model of the gangs does, at every block size."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from simt2simd import RawModule, runtime
from simt2simd.command import cli
from simt2simd.lower import sites
from simt2simd.target import LANES, native

CODE = r"""
struct Pair { int x, y; };
__global__ void mixed(const int *in, const int *p, const Pair *pairs, int *out, int *total, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int x = in[i];
    if (x & 1)
        out[p[i]] = x * 3;
    else
        for (int j = 0; j < x; j++)
            atomicAdd(total, p[i + j]);
    out[n] = in[0];
    out[n + 1 + i] = pairs[i].y + in[p[i]];
}

__device__ int steps(int v) {
    int n = 0;
    while (v > 0) {
        v /= 2;
        n++;
    }
    return n;
}
__global__ void called(const int *in, const int *p, const Pair *pairs, int *out, int *total, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && in[i] > 2)
        out[i] = steps(in[i]);
}

__global__ void divided(const int *in, const int *p, const Pair *pairs, int *out, int *total, int n) {
    __shared__ int s[64];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    s[threadIdx.x] = i < n ? in[i] : 0;
    __syncthreads();
    int other = s[blockDim.x - 1 - threadIdx.x];
    if (i < n)
        out[i] = other;
}

__global__ void even(const int *in, const int *p, const Pair *pairs, int *out, int *total, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = in[(i + 1) % n];
}
"""
N = 100
FIXED = "--disable=block-merging,wide-gangs"  # gangs lie in blocks, and have 16 lanes
EVEN = "strided" if native().mask_registers else "gather"  # without them there are no windows


def line(begin: str, kernel: str = "") -> int:
    """Return the number of the line that begins so, after that of the kernel if one is named."""
    lines = CODE.split("\n")
    first = next(i for i, text in enumerate(lines) if f" {kernel}(" in text) if kernel else 0
    return next(i for i, text in enumerate(lines, 1) if i > first and text.strip().startswith(begin))


@cache
def data() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    rng = np.random.default_rng(3)
    pairs = np.zeros(N, [("x", "i4"), ("y", "i4")])
    pairs["y"] = np.arange(N)
    return rng.integers(0, 8, N + 8).astype(np.int32), rng.permutation(N + 8).astype(np.int32) % N, pairs


Counts = dict[tuple[int, str], tuple[int, int, int]]  # of a line and a kind: gangs, lanes, those of some lanes only


class Model:
    """Counts what gangs do."""

    def __init__(self) -> None:
        self.found: dict[tuple[int, str], list[int]] = {}

    def at(self, where: int, kind: str, lanes: Sequence[int]) -> None:
        if lanes:
            counts = self.found.setdefault((where, kind), [0, 0, 0])
            counts[0] += 1
            counts[1] += len(lanes)
            counts[2] += len(lanes) < LANES

    @property
    def counts(self) -> Counts:
        return {key: (a, b, c) for key, (a, b, c) in self.found.items()}


def mixed(m: Model, threads: list[int]) -> None:
    x, _, _ = data()
    m.at(line("__global__ void mixed"), "kernel", threads)
    m.at(line("int i =", "mixed"), "statement", threads)
    m.at(line("if (i >= n)"), "branch", threads)
    m.at(line("return;"), "statement", [i for i in threads if i >= N])
    inside = [i for i in threads if i < N]
    m.at(line("int x"), "statement", inside)
    m.at(line("int x"), "consecutive", inside)
    m.at(line("if (x & 1)"), "branch", inside)
    odd = [i for i in inside if x[i] & 1]
    for kind in ("statement", "consecutive", "scatter"):
        m.at(line("out[p[i]]"), kind, odd)
    even = [i for i in inside if not x[i] & 1]
    m.at(line("for (int j"), "statement", even)
    j = 0
    while live := [i for i in even if j < x[i]]:
        m.at(line("for (int j"), "loop", live)
        for kind in ("statement", "consecutive", "atomic"):
            m.at(line("atomicAdd"), kind, live)
        j += 1
    m.at(line("out[n] ="), "statement", inside)
    m.at(line("out[n] ="), "uniform", inside)
    m.at(line("out[n] ="), "uniform", inside)
    for kind in ("statement", "consecutive", "consecutive", EVEN, "gather"):
        m.at(line("out[n + 1"), kind, inside)


def called(m: Model, threads: list[int]) -> None:
    x, _, _ = data()
    m.at(line("__global__ void called"), "kernel", threads)
    m.at(line("int i =", "called"), "statement", threads)
    inside = [i for i in threads if i < N]
    m.at(line("if (i < n && in"), "branch", threads)  # `&&` is none: the load may run for no lane
    m.at(line("if (i < n && in"), "consecutive", inside)
    large = [i for i in inside if x[i] > 2]
    for kind in ("statement", "consecutive", "consecutive"):
        m.at(line("out[i] = steps"), kind, large)
    m.at(line("int n = 0"), "statement", large)
    v = {i: int(x[i]) for i in large}
    while live := [i for i in large if v[i] > 0]:
        m.at(line("while (v"), "loop", live)
        m.at(line("v /="), "statement", live)
        m.at(line("n++"), "statement", live)
        v = {i: value // 2 for i, value in v.items()}
    m.at(line("return n;"), "statement", large)


def divided(m: Model, threads: list[int]) -> None:
    m.at(line("__global__ void divided"), "kernel", threads)
    m.at(line("int i =", "divided"), "statement", threads)
    m.at(line("s[threadIdx.x]"), "statement", threads)
    m.at(line("s[threadIdx.x]"), "branch", threads)
    m.at(line("s[threadIdx.x]"), "consecutive", [i for i in threads if i < N])
    m.at(line("s[threadIdx.x]"), "consecutive", threads)
    m.at(line("int other"), "statement", threads)
    m.at(line("int other"), EVEN, threads)
    m.at(line("if (i < n)", "divided"), "branch", threads)
    inside = [i for i in threads if i < N]
    m.at(line("out[i] = other"), "statement", inside)
    m.at(line("out[i] = other"), "consecutive", inside)


MODELS: dict[str, Callable[[Model, list[int]], None]] = {"mixed": mixed, "called": called, "divided": divided}
BLOCKS = (1, 15, 16, 17, 33)


def modelled(kernel: str, block: int) -> Counts:
    m = Model()
    for number in range(-(-N // block)):
        for first in range(0, block, LANES):
            MODELS[kernel](m, [number * block + i for i in range(first, min(block, first + LANES))])
    return m.counts


# ------------------------------------------------------------------------------------------- what is counted


@cache
def module(*options: str) -> RawModule:
    return RawModule(code=CODE, options=options)


def launch(code: RawModule, kernel: str, block: int) -> np.ndarray:
    x, p, pairs = data()
    out, total = np.zeros(2 * N + 1, np.int32), np.zeros(1, np.int32)
    code.get_function(kernel)((-(-N // block),), (block,), (x, p, pairs, out, total, N))
    return np.append(out, total)


def kernels() -> list[dict[str, Any]]:
    """Return what was counted since the last time."""
    found: list[dict[str, Any]] = runtime.stats(forget=True)["kernels"]
    return found


def counts_of(kernel: dict[str, Any]) -> Counts:
    found: Counter[tuple[int, str, str]] = Counter()
    for row in kernel["lines"]:
        assert row["file"] == "<code>" and row["column"] > 0 and row["kind"] in sites.KINDS
        assert 0 < row["gangs"] <= row["lanes_active"] <= row["lanes"]
        for name in ("gangs", "lanes_active", "partial"):
            found[row["line"], row["kind"], name] += row[name]
    keys = {(where, kind) for where, kind, _ in found}
    return {key: (found[*key, "gangs"], found[*key, "lanes_active"], found[*key, "partial"]) for key in keys}


@pytest.fixture(autouse=True)
def nothing_counted() -> Iterator[None]:
    runtime.stats(forget=True)
    yield
    runtime.configure()


@pytest.mark.parametrize("block", BLOCKS)
@pytest.mark.parametrize("kernel", MODELS)
def test_counts_are_those_of_the_model(kernel: str, block: int) -> None:
    launch(module("--stats", FIXED), kernel, block)
    (row,) = kernels()
    found, expected = counts_of(row), modelled(kernel, block)
    assert found == expected, {key: (found.get(key), expected.get(key)) for key in {*found, *expected}}


@pytest.mark.parametrize("block", BLOCKS)
def test_the_sums_are_those_of_the_lines(block: int) -> None:
    launch(module("--stats", FIXED), "mixed", block)
    (row,) = kernels()
    by_kind: Counter[str] = Counter()
    for each in row["lines"]:
        by_kind[each["kind"]] += each["gangs"]
    assert row["accesses"] == {kind: by_kind[kind] for kind in row["accesses"]}
    assert (row["name"], row["file"], row["launches"]) == ("mixed", "<code>", 1)
    (entry,) = (each for each in row["lines"] if each["kind"] == "kernel")
    assert {name: row[name] for name in ("line", "gangs", "lanes_active", "lanes")}.items() <= entry.items()
    assert row["statements"]["gangs"] == by_kind["statement"]
    assert row["masked_accesses"] == sum(each["partial"] for each in row["lines"] if each["kind"] in row["accesses"])
    times = row["estimated_ns"]
    assert set(times) == {*row["accesses"], "divergent", "other"}
    assert all((times[kind] > 0) == (count > 0) for kind, count in row["accesses"].items())
    assert times["divergent"] > 0 and row["estimated_partial_ns"] <= sum(times.values()) + 1


def test_only_lanes_that_part_make_divergent_work() -> None:
    """A guard that holds in all lanes of a gang, or in none, costs a scalar test."""
    code = "__global__ void k(float *x, int n) { int i = threadIdx.x; if (i < n) x[i] *= %s; }"
    for factor, n, expected in (("2", 32, 0.0), ("2", 20, 1), ("(x[i] > 0 ? sinf(x[i]) / x[i + 1] : x[i + 2])", 32, 1)):
        kernel = RawModule(code=code % factor, options=("--stats", "--disable=speculate")).get_function("k")
        kernel((1,), (32,), (np.ones(40, np.float32), n))
        (row,) = kernels()
        assert (row["estimated_ns"]["divergent"] > 0) == (expected > 0), (factor, n, row)


FORMS = {
    "as usual": [],
    "wide": ["--lanes=32"],
    "checked": ["--verify"],
    "avx2": ["--target=avx2"],
    "unoptimised": ["-O0"],
    "plain": ["--disable=full-mask,predicate,speculate,barrier-fission,uniform-tests"],
}


@pytest.mark.parametrize(
    "form", [form if form == "unoptimised" else pytest.param(form, marks=pytest.mark.slow) for form in FORMS]
)
def test_counting_changes_no_result_and_counts_all_threads(form: str) -> None:
    for kernel in ("mixed", "called", "divided", "even"):
        for block in (15, 33):
            expected = launch(module(*FORMS[form]), kernel, block)
            np.testing.assert_array_equal(launch(module("--stats", *FORMS[form]), kernel, block), expected)
            (row,) = kernels()
            assert row["lanes_active"] == -(-N // block) * block
            stored = [each for each in row["lines"] if each["line"] == line("out[n + 1")]
            assert kernel != "mixed" or {each["lanes_active"] for each in stored if each["kind"] == "statement"} == {N}


@pytest.mark.avx512
def test_a_gang_is_counted_as_what_it_turns_out_to_be() -> None:
    """Where lanes are likely to be evenly spaced, only those gangs count as gathers that are not."""
    launch(module("--stats", FIXED), "even", 16)
    (row,) = kernels()
    where, found = line("out[i] = in[(i + 1)"), counts_of(row)
    assert found[where, "gather"] == (1, 4, 1)
    assert found[where, "consecutive"] == (6 + 7, 96 + 100, 1)  # and the stores


@pytest.mark.parametrize("threads, together", [(2, 1), (2, 2), (3, 3)])
def test_hthreads_add_up(threads: int, together: int) -> None:
    runtime.configure(threads=threads, hthreads_per_block=together)
    for kernel in ("mixed", "called"):
        launch(module("--stats", FIXED), kernel, 33)
        (row,) = kernels()
        assert counts_of(row) == modelled(kernel, 33)


def test_launches_add_up() -> None:
    for _ in range(3):
        launch(module("--stats", FIXED), "mixed", 17)
    launch(module("--stats", FIXED), "called", 17)
    rows = {row["name"]: row for row in kernels()}
    assert rows["mixed"]["launches"] == 3 and rows["called"]["launches"] == 1
    thrice = {key: tuple(3 * number for number in counts) for key, counts in modelled("mixed", 17).items()}
    assert counts_of(rows["mixed"]) == thrice and counts_of(rows["called"]) == modelled("called", 17)
    assert runtime.stats() == {"traversals": [], "kernels": []}


def test_kernels_that_kernels_launch_are_counted() -> None:
    code = r"""
    __global__ void child(int *out, int k) { if (threadIdx.x < k) out[threadIdx.x] += 1; }
    __global__ void parent(int *out) { child<<<1, 20>>>(out, threadIdx.x); }"""
    out = np.zeros(20, np.int32)
    RawModule(code=code, options=("--stats", FIXED)).get_function("parent")((1,), (18,), (out,))
    assert out.sum() == sum(range(18))
    rows = {row["name"]: row for row in kernels()}
    assert rows["parent"]["launches"] == 1 and rows["parent"]["gangs"] == 2
    assert rows["child"]["launches"] == 18 and rows["child"]["gangs"] == 36
    assert rows["child"]["lanes_active"] == 18 * 20


def test_without_the_option_nothing_is_counted() -> None:
    launch(module(FIXED), "mixed", 33)
    assert kernels() == []


# --------------------------------------------------------------------------------- programs, and what they write

PROGRAM = r"""
__global__ void k(float *x, const int *p, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] = x[p[i]] * 2;
}
template <char c> __global__ void t(float *x) {
    x[threadIdx.x] = c;
}
int main() {
    float *x; int *p;
    cudaMallocManaged(&x, 400); cudaMallocManaged(&p, 400);
    for (int i = 0; i < 100; i++) p[i] = i * 7 % 100;
    for (int launch = 0; launch < 3; launch++) k<<<2, 48>>>(x, p, 90);
    t<'"'><<<1, 16>>>(x);
    return cudaDeviceSynchronize();
}
"""
TABLE = """\
simt2simd: what kernels did
kernel  launches       gangs  active lanes  gathers  scatters   masked  divergent
"""


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if shutil.which("c++") is None:
        pytest.skip("no C++ compiler")
    source = tmp_path_factory.mktemp("counts") / "gather.cu"
    source.write_text(PROGRAM)
    assert cli.main(["compile", str(source), "--stats", FIXED, "-o", str(source.with_suffix(""))]) == 0
    return source.with_suffix("")


def run(program: Path, **settings: str) -> str:
    """Run a program and return what it prints on stderr."""
    env = {name: value for name, value in os.environ.items() if not name.startswith("S2S_")} | settings
    done = subprocess.run([str(program)], env=env, capture_output=True, text=True, timeout=60, cwd=program.parent)
    assert (done.returncode, done.stdout) == (0, "")
    return done.stderr


def test_a_program_prints_a_table(program: Path) -> None:
    title, columns, *rows = run(program).splitlines()
    assert title == "simt2simd: what kernels did"
    assert columns.split() == "kernel launches gangs active lanes gathers scatters masked divergent".split()
    (k, launches, gangs, active, gathers, scatters, masked, _), (t, *_) = (row.split() for row in rows)
    assert (k, launches, gangs, gathers, scatters) == ("k", "3", "18", "33.3%", "0.0%")
    assert t.startswith("t<") and float(active.rstrip("%")) > 90 and float(masked.rstrip("%")) < 20


@pytest.mark.parametrize("setting", ["0", "text"])
def test_a_program_writes_the_file_that_is_named(program: Path, setting: str) -> None:
    assert bool(run(program, S2S_STATS=setting, S2S_STATS_FILE="counts.json")) == (setting == "text")
    found = json.loads((program.parent / "counts.json").read_text())
    (k,) = (row for row in found["kernels"] if row["name"] == "k")
    assert (k["file"], k["line"]) == (str(program.with_suffix(".cu")), 2)
    assert (k["launches"], k["gangs"], k["lanes"]) == (3, 18, 288)
    assert k["accesses"]["gather"] == 18 and k["accesses"]["consecutive"] == 36


def test_a_file_that_cannot_be_written_is_named(program: Path) -> None:
    fault = "simt2simd: cannot write 'no/such', which S2S_STATS_FILE names: No such file or directory\n"
    assert run(program, S2S_STATS="0", S2S_STATS_FILE="no/such") == fault
