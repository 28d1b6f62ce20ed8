"""`--warp-stats` counts what warps ask of memory, and `simt2simd predict` makes times of it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from simt2simd import RawModule, runtime
from simt2simd.command import cli
from simt2simd.predict.counts import KernelCounts, WrongCounts, of_row, read
from simt2simd.predict.machines import CPU_KINDS, CPUS, GPUS
from simt2simd.predict.times import on_cpu, on_gpu

CODE = """
__global__ void copy(const float *in, float *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        out[i] = in[i];
}
__global__ void strided(const float *in, float *out, int stride) {
    out[threadIdx.x] = in[threadIdx.x * stride];
}
__global__ void halves(float *out) {
    if (threadIdx.x % 32 < 16)
        out[threadIdx.x] = 1.0f;
}
__global__ void banks(float *out, int stride) {
    __shared__ float tile[1024];
    tile[threadIdx.x * stride] = 1.0f;
    __syncthreads();
    out[threadIdx.x] = tile[threadIdx.x];
}
__global__ void meet(int *counts, int n) {
    atomicAdd(&counts[threadIdx.x % n], 1);
}
__global__ void ragged(const float *in, float *out) {
    float sum = 0.0f;
    int rounds = blockIdx.x == 0 ? 100 : 1;
    for (int i = 0; i < rounds; i++)
        sum += in[i];
    out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}
__global__ void roots(float *x, double *y) {
    x[threadIdx.x] = sqrtf(x[threadIdx.x]) * 2.0f;
    y[threadIdx.x] += 1.5;
}
"""
SEARCH = """
struct Node { float key; int left, right; };
__device__ int search(const Node *nodes, int n, float value, int found) {
    if (n < 0)
        return found;
    const Node *node = &nodes[n];
    if (node->key >= value)
        return search(nodes, node->left, value, n);
    return search(nodes, node->right, value, found);
}
__global__ void look_up_all(const Node *nodes, const float *values, int count, int *rows) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < count)
        rows[i] = search(nodes, 0, values[i], -1);
}
"""
WARP = 32


@pytest.fixture(scope="module")
def module() -> RawModule:
    return RawModule(code=CODE, options=("--warp-stats",))


@pytest.fixture(autouse=True)
def forget() -> Iterator[None]:
    runtime.stats(forget=True)
    yield
    runtime.stats(forget=True)


def counted(module: RawModule, kernel: str, blocks: int, threads: int, *args: Any) -> dict[str, Any]:
    """Launch a kernel; return what it has counted."""
    module.get_function(kernel)((blocks,), (threads,), args)
    (row,) = runtime.stats(forget=True)["kernels"]
    found: dict[str, Any] = row
    return found


def aligned(count: int) -> np.ndarray:
    """Return zeros that begin with a line."""
    x = np.zeros(count + 16, np.float32)
    first = -x.ctypes.data % 64 // 4
    return x[first : first + count]


@pytest.mark.parametrize("n", [1, 16, 33, 64, 1000])
def test_a_copy_reads_and_writes_whole_sectors(module: RawModule, n: int) -> None:
    x, y = aligned(1024), aligned(1024)
    x[:] = np.arange(1024)
    row = counted(module, "copy", 16, 64, x, y, np.int32(n))
    warps = -(-n // WARP)
    found = row["warps"]["global"]
    assert np.array_equal(y[:n], x[:n])
    assert (row["gangs"], row["lanes_active"]) == (1024 // WARP, 1024)
    assert (found["accesses"], found["stores"], found["bytes"]) == (2 * warps, warps, 8 * n)
    assert found["sectors"] == 2 * -(-n // 8)


@pytest.mark.parametrize(("stride", "sectors", "lines"), [(1, 4, 2), (2, 8, 4), (8, 32, 16), (16, 32, 32), (0, 1, 1)])
def test_strides_touch_more_sectors(module: RawModule, stride: int, sectors: int, lines: int) -> None:
    x, y = aligned(1024), aligned(32)
    found = counted(module, "strided", 1, 32, x, y, np.int32(stride))["warps"]["global"]
    assert (found["sectors"], found["lines"]) == (sectors + 4, lines + 2)


def test_a_gang_of_sixteen_does_half_of_what_a_warp_does(module: RawModule) -> None:
    row = counted(module, "halves", 1, 64, np.zeros(64, np.float32))
    assert row["accesses"]["consecutive"] == 2
    assert row["warps"]["narrow_ns"]["consecutive"] == row["estimated_ns"]["consecutive"] / 2


@pytest.mark.parametrize(("stride", "rounds"), [(1, 1), (2, 2), (8, 8), (32, 32)])
def test_banks_of_shared_memory_conflict(module: RawModule, stride: int, rounds: int) -> None:
    found = counted(module, "banks", 1, 32, np.zeros(32, np.float32), np.int32(stride))["warps"]
    assert found["shared"] == {"accesses": 2, "rounds": rounds + 1}
    assert found["operations"]["barrier"] == 1


@pytest.mark.parametrize("addresses", [1, 2, 32])
def test_lanes_meet_at_addresses(module: RawModule, addresses: int) -> None:
    counts = np.zeros(32, np.int32)
    found = counted(module, "meet", 4, 64, counts, np.int32(addresses))["warps"]["atomics"]
    assert counts.sum() == 256
    assert (found["accesses"], found["lanes"], found["addresses"]) == (8, 256, 8 * addresses)
    assert found["hottest"] == pytest.approx(256 / max(1, addresses // 8), abs=32 if addresses == 32 else 1)  # sectors


def test_sorted_threads_are_counted() -> None:
    """Of the threads in disorder, all but the blocks that are run for a try, by whose time a launch decides."""
    kernel = RawModule(code=SEARCH, options=("--warp-stats",)).get_function("look_up_all")
    levels, threads = 16, 1 << 14
    n = (1 << levels) - 1
    index = np.arange(n)
    depth = np.frexp(index + 1)[1] - 1
    nodes = np.zeros(n, [("key", np.float32), ("left", np.int32), ("right", np.int32)])
    nodes["left"], nodes["right"] = (np.where(child < n, child, -1) for child in (2 * index + 1, 2 * index + 2))
    nodes["key"] = (2 * (index + 1 - (1 << depth)) + 1) << (levels - 1 - depth)
    values = n * np.random.default_rng(1).random(threads, np.float32)

    def count_sorted(queries: NDArray[np.float32]) -> int:
        kernel((threads // 64,), (64,), (nodes, queries, np.int32(threads), np.zeros(threads, np.int32)))
        (row,) = runtime.stats(forget=True)["kernels"]
        found: int = row["warps"]["sorted"]
        return found

    tries = (count_sorted(values) for _ in range(50))
    assert any(threads // 2 <= found <= threads for found in tries)
    assert count_sorted(np.sort(values)) == 0


def test_the_longest_warp_is_found(module: RawModule) -> None:
    row = counted(module, "ragged", 8, 32, np.zeros(128, np.float32), np.zeros(256, np.float32))
    assert row["warps"]["longest"] == 101
    assert row["warps"]["global"]["accesses"] == 101 + 7 * 2


def test_operations_are_distinguished(module: RawModule) -> None:
    row = counted(module, "roots", 1, 64, np.ones(64, np.float32), np.ones(64))
    operations, lanes = row["warps"]["operations"], row["warps"]["lane_operations"]
    assert (operations["special"], operations["float"], operations["double"]) == (2, 2, 2)
    assert (lanes["special"], lanes["float"], lanes["double"]) == (64, 64, 64)


def test_caches_keep_what_is_read_again(module: RawModule) -> None:
    x, y = np.zeros(1 << 20, np.float32), np.zeros(1 << 20, np.float32)
    kernel = module.get_function("copy")
    runtime.configure(threads=1)  # each hardware thread has caches of its own
    try:
        for _ in range(2):
            kernel((1 << 14,), (64,), (x, y, np.int32(1 << 20)))
    finally:
        runtime.configure()
    (row,) = runtime.stats(forget=True)["kernels"]
    missed = {int(size): lines for size, lines in row["warps"]["lines_missed"].items()}
    all_lines = 2 * 2 * (1 << 20) // 16  # which of them are sampled depends on where the arrays lie
    assert missed[2 << 20] == pytest.approx(all_lines, rel=0.1)
    assert missed[128 << 20] == pytest.approx(all_lines / 2, rel=0.1)


TAILS = """
__device__ int down(const int *t, int i, int n) {
    if (i >= n)
        return i;
    if (t[i] & 1)
        return down(t, 2 * i + 1, n);
    return down(t, 2 * i + 2, n);
}
__device__ int sum(const int *t, int i, int n) {
    return i < n ? t[i] + sum(t, 2 * i + 1, n) : 0;
}
__device__ void go(const int *t, int i, int n, int *out) {
    if (i >= n)
        return;
    *out += t[i];
    go(t, 2 * i + 1, n, out);
    go(t, 2 * i + 2, n, out);
}
__global__ void k(const int *t, int n, int *out) {
    int own = down(t, 0, n) + sum(t, 0, n);
    go(t, 0, n, &own);
    out[threadIdx.x] = own;
}
"""


def test_tail_recursions_are_reported() -> None:
    kernel = RawModule(code=TAILS, options=("--warp-stats",)).get_function("k")
    kernel((1,), (32,), (np.arange(100, dtype=np.int32), np.int32(100), np.zeros(32, np.int32)))
    found = runtime.stats(forget=True)
    assert {row["function"]: row.get("tail", False) for row in found["traversals"]} == {
        "down": True,
        "sum": False,
        "go": False,
    }
    steps = {row["function"]: row["steps"] for row in found["traversals"]}
    (row,) = found["kernels"]
    assert of_row(row, found["traversals"]).calls == steps["sum"] + steps["go"]


def test_plain_stats_do_not_count_warps() -> None:
    module = RawModule(code=CODE, options=("--stats",))
    assert "warps" not in counted(module, "meet", 1, 32, np.zeros(32, np.int32), np.int32(1))


# ------------------------------------------------------------------------------------------- times

ROW: dict[str, Any] = {
    "name": "k", "file": "k.cu", "line": 1, "launches": 1, "gangs": 100_000, "lanes_active": 3_200_000,
    "statements": {"gangs": 100_000, "lanes_active": 3_200_000, "lanes": 3_200_000},
    "accesses": {"uniform": 0, "consecutive": 200_000, "strided": 0, "gather": 0, "scatter": 0, "atomic": 0},
    "warps": {
        "children": 0, "longest": 2,
        "operations": {"int": 100_000, "float": 100_000, "double": 0, "special": 0, "call": 0, "barrier": 0},
        "narrow_ns": {
            "uniform": 0.0, "consecutive": 360_000.0, "strided": 0.0, "gather": 0.0, "scatter": 0.0, "atomic": 0.0,
            "divergent": 0.0, "other": 60_000.0,
        },
        "global": {
            "accesses": 200_000, "uniform": 0, "stores": 100_000, "bytes": 25_600_000, "sectors": 800_000,
            "lines": 400_000,
        },
        "lines_missed": {
            "4096": 400_000, "32768": 400_000, "262144": 400_000, "2097152": 400_000, "16777216": 400_000,
            "134217728": 400_000,
        },
        "shared": {"accesses": 0, "rounds": 0}, "local": {"accesses": 0, "bytes": 0},
        "atomics": {"accesses": 0, "lanes": 0, "addresses": 0, "hottest": 0},
    },
}  # fmt: skip
XEON, H200 = CPUS["xeon"], GPUS["h200"]


@pytest.fixture
def stream() -> KernelCounts:
    """Return a kernel that copies 12.8 MB that no cache has."""
    return of_row(ROW, [])


def test_a_stream_takes_what_the_memory_takes(stream: KernelCounts) -> None:
    time = on_gpu(stream, H200)
    least = 25.6e6 / (H200.dram_gbs * 1e6)
    assert least + H200.launch_us / 1e3 <= time.ms < 3 * least
    slow = replace(H200, dram_gbs=100)
    assert on_gpu(stream, slow).ms == pytest.approx(0.256 + H200.launch_us / 1e3)
    assert (on_gpu(stream, slow).bound, on_cpu(stream, XEON, 16).bound) == ("memory", "memory")


def test_more_cores_are_no_slower_and_one_launch_is_no_quicker_than_none(stream: KernelCounts) -> None:
    times = [on_cpu(stream, XEON, cores).ms for cores in (1, 2, 4, 8, 16)]
    assert times == sorted(times, reverse=True) and times[0] > 4 * times[-1]
    nothing = replace(stream, warps=0, longest=0, launches=0, operations=dict.fromkeys(stream.operations, 0))
    assert on_gpu(nothing, H200).ms < on_gpu(stream, H200).ms


def test_launches_and_children_count(stream: KernelCounts) -> None:
    many = replace(stream, launches=100_000)
    children = replace(stream, launches=100_001, children=100_000)
    assert on_gpu(many, H200).bound == on_gpu(children, H200).bound == "launches"
    assert on_gpu(many, H200).ms > on_gpu(children, H200).ms > 50


def test_lanes_that_meet_wait(stream: KernelCounts) -> None:
    hot = replace(stream, atomics=100_000, atomic_lanes=3_200_000, atomic_addresses=100_000, atomic_hottest=3_200_000)
    assert on_gpu(hot, H200).bound == "atomics"


def test_a_core_waits_longer_for_lines_that_it_does_not_foresee(stream: KernelCounts) -> None:
    """Gathers, of which several are on their way; scalars that seldom miss are waited for alone."""
    gathers = replace(stream, accesses={**stream.accesses, "consecutive": 0, "gather": 200_000})
    scalars = replace(stream, accesses={**stream.accesses, "consecutive": 0, "uniform": 40_000_000})
    assert on_cpu(stream, XEON, 1).ms < on_cpu(gathers, XEON, 1).ms / 2 < on_cpu(scalars, XEON, 1).ms / 4


def test_two_threads_of_a_core_share_its_instructions(stream: KernelCounts) -> None:
    busy = replace(stream, cpu_ns={**stream.cpu_ns, "other": 1e9}, missed=dict.fromkeys(stream.missed, 0))
    times = [on_cpu(busy, XEON, cores).ms for cores in (1, 8, 16)]
    assert times[0] / times[1] == pytest.approx(8, rel=0.01) and times[1] / times[2] == pytest.approx(1.25, rel=0.01)
    waiting = replace(stream, cpu_ns=dict.fromkeys(stream.cpu_ns, 0.0), accesses={**stream.accesses, "uniform": 10**8})
    assert on_cpu(waiting, XEON, 8).ms > 1.9 * on_cpu(waiting, XEON, 16).ms


def test_cores_pass_each_other_what_they_update(stream: KernelCounts) -> None:
    counts = replace(stream, atomics=10_000, atomic_lanes=10_000, atomic_addresses=10_000, atomic_hottest=10_000)
    assert on_cpu(counts, XEON, 1).ms == on_cpu(stream, XEON, 1).ms
    assert on_cpu(counts, XEON, 16).ms > 0.8 and on_cpu(counts, XEON, 16).bound == "atomics"
    together = replace(counts, atomic_lanes=320_000, atomic_addresses=10_000, atomic_hottest=320_000)
    assert on_cpu(together, XEON, 16).ms < 3 * on_cpu(counts, XEON, 16).ms  # gangs add up first


def test_what_is_slow_on_a_cpu_is_told_by_kind(stream: KernelCounts) -> None:
    gathers = replace(stream, cpu_ns={**stream.cpu_ns, "gather": 1e8})
    slow = replace(XEON, slowness={"gather": 3.0})
    assert on_cpu(gathers, slow, 1).ms > 2.5 * on_cpu(gathers, XEON, 1).ms
    assert on_cpu(stream, slow, 1).ms == on_cpu(stream, XEON, 1).ms


def test_sorting_threads_takes_time_on_a_cpu(stream: KernelCounts) -> None:
    queries = replace(stream, sorted=1_000_000)
    assert on_cpu(queries, XEON, 1).ms - on_cpu(stream, XEON, 1).ms > 10
    assert on_gpu(queries, H200).ms == on_gpu(stream, H200).ms


def test_frames_of_recursive_calls_are_traffic(stream: KernelCounts) -> None:
    calls = replace(stream, calls=10_000_000)
    assert on_gpu(calls, H200).bound == "cache" and on_gpu(calls, H200).ms > 10 * on_gpu(stream, H200).ms


def test_generations_of_launches_take_turns(stream: KernelCounts) -> None:
    """A kernel that launches itself once runs behind itself; one of another kernel's children does not."""
    itself, others = replace(stream, launches=11, children=10), replace(stream, launches=10, children=10)
    assert on_gpu(itself, H200).ms - on_gpu(others, H200).ms > 10 * H200.generation_us / 1e3


def test_sizes_between_those_counted_are_between(stream: KernelCounts) -> None:
    counts = replace(stream, missed={4096: 100, 32768: 20})
    assert counts.missed_by(1024) == counts.missed_by(4096) == 100
    assert 20 < counts.missed_by(16384) < 100
    assert counts.missed_by(32768) == counts.missed_by(1 << 30) == 20


# ------------------------------------------------------------------------------------------- the file, the command


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", '{"kernels": 1, "traversals": []}', '{"kernels": [{}], "traversals": []}']
)
def test_other_files_are_refused(text: str) -> None:
    with pytest.raises(WrongCounts):
        read(text)


@pytest.mark.parametrize(
    ("keys", "value"),
    [
        (("launches",), "many"),
        (("launches",), -1),
        (("gangs",), None),
        (("warps", "lines_missed"), {}),
        (("warps", "narrow_ns"), {"other": 1.0}),
        (("warps", "operations", "int"), []),
        (("accesses",), {"uniform": 1}),
        (("warps", "global", "lines"), float("nan")),
    ],
)
def test_counts_that_make_no_sense_are_refused(keys: tuple[str, ...], value: Any) -> None:
    row = json.loads(json.dumps(ROW))
    place = row
    for key in keys[:-1]:
        place = place[key]
    place[keys[-1]] = value
    with pytest.raises(WrongCounts, match="no file that S2S_STATS_FILE has named"):
        read(json.dumps({"kernels": [row], "traversals": []}))


def test_a_file_that_is_cut_off_is_refused() -> None:
    text = json.dumps({"kernels": [ROW], "traversals": []})
    assert len(read(text)) == 1
    for length in (0, 1, 20, len(text) - 1):
        with pytest.raises(WrongCounts, match="no JSON, or cut off"):
            read(text[:length])


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("k.cu").write_text("__global__ void k() {}\n")
    Path("other.cu").write_text("__global__ void other() {}\n")
    Path("k.json").write_text(json.dumps({"kernels": [ROW], "traversals": []}))
    return tmp_path


def test_a_table_is_printed(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main("predict k.cu --stats-file k.json --cpu xeon --cores 8 --gpu a100".split()) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[0] == f"CPU: {XEON.text}; GPU: {GPUS['a100'].text}"
    assert lines[1].split("  ")[0] == "kernel" and "8 cores, ms" in lines[1]
    assert lines[2].startswith("k ") and lines[2].endswith("GPU") and len(lines) == 3


def test_json_has_the_same(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main("predict k.cu --stats-file k.json --cpu xeon --json".split()) == 0
    found = json.loads(capsys.readouterr().out)
    (kernel,) = found["kernels"]
    assert (found["cores"], found["gpu"]["name"], kernel["kernel"], kernel["winner"]) == (16, "h200", "k", "GPU")
    assert kernel["cpu_1_core"]["ms"] > kernel["cpu"]["ms"] > kernel["gpu"]["ms"] > 0


def test_this_cpu_is_measured(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert cli.main("predict k.cu --stats-file k.json --json".split()) == 0
    cpu = json.loads(capsys.readouterr().out)["cpu"]
    assert cpu["name"] == "this" and cpu["l1_bytes"] < cpu["l2_bytes"] < cpu["l3_bytes"]
    assert set(cpu["slowness"]) == set(CPU_KINDS) and all(0.1 < each < 20 for each in cpu["slowness"].values())
    assert 1 <= cpu["physical"] <= cpu["cores"] and 0.5 < cpu["dram_gbs"] < 2000
    assert 0 < cpu["l2_ns"] < cpu["dram_ns"] < 2000


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("k.cu --stats-file no.json", "cannot read 'no.json': no such file or directory"),
        ("no.cu --stats-file k.json", "cannot read 'no.cu': no such file"),
        ("k.cu --stats-file k.cu", "cannot read 'k.cu': it is no JSON, or cut off"),
        (". --stats-file k.json", "cannot read '.': is a directory"),
        ("other.cu --stats-file k.json", "'k.json' is not of 'other.cu': it has kernels of k.cu"),
        ("k.cu --stats-file plain.json", "cannot read 'plain.json': kernel 'k' did not count warps"),
        ("k.cu --stats-file none.json", "'none.json' has no kernel that ran"),
    ],
)
def test_wrong_files_end_in_one_message(
    folder: Path, capsys: pytest.CaptureFixture[str], words: str, said: str
) -> None:
    plain = {key: value for key, value in ROW.items() if key != "warps"}
    Path("plain.json").write_text(json.dumps({"kernels": [plain], "traversals": []}))
    Path("none.json").write_text(json.dumps({"kernels": [], "traversals": []}))
    assert cli.main(["predict", *words.split()]) == 1
    output = capsys.readouterr()
    assert output.err.splitlines()[0] == f"simt2simd: error: {said}" and not output.out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("k.cu --stats-file k.json --gpu h300", "choose from h200, h100"),
        ("k.cu", "the following arguments are required: --stats-file"),
        ("k.cu --stats-file k.json --cores 0", "expected a whole number from 1, found '0'"),
    ],
)
def test_wrong_arguments_end_in_usage(folder: Path, capsys: pytest.CaptureFixture[str], words: str, said: str) -> None:
    with pytest.raises(SystemExit, match="2"):
        cli.main(["predict", *words.split()])
    assert said in capsys.readouterr().err.replace("'h200', 'h100'", "h200, h100")
