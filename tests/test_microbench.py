"""microbench: every peer's results are right, wrong ones are not hidden, and the report says what was measured."""

from __future__ import annotations

import importlib
import json
import shutil
import subprocess
import sys
import textwrap
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from apps import programs
from microbench.__main__ import main
from microbench.peers import build, report, run
from microbench.peers.program import Program, ProgramFailed
from microbench.peers.report import Record, Timing
from microbench.peers.workload import CheckFailed, Inputs, Outputs, Workload

PEERS = build.HERE
WORKLOADS = run.all_workloads()
FOLDERS = sorted({workload.folder for workload in WORKLOADS})
WITHOUT_OPENCL = tuple(f"--peer={name}" for name in ("scalar", "openmp", "limit", "ispc", "ispc-plain"))


def records_in(path: Path) -> list[dict[str, object]]:
    found: list[dict[str, object]] = json.loads(path.read_text())
    return found


# ------------------------------------------------------------------------------------------- workloads


def slow_but(*quick: str) -> list[Any]:
    """Return the folders of all workloads; those that are not named are slow tests."""
    return [folder if folder in quick else pytest.param(folder, marks=pytest.mark.slow) for folder in FOLDERS]


@pytest.mark.parametrize("folder", slow_but("divergence", "nn", "reduction", "saxpy"))
def test_all_programs_of_a_workload_are_right_on_small_inputs(
    folder: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    name = next(workload.name for workload in WORKLOADS if workload.folder == folder)
    file = tmp_path / "records.json"
    assert main(["peers", "--only", name, "--quick", "--json", str(file), *WITHOUT_OPENCL]) == 0, capsys.readouterr()
    machine, *records = records_in(file)
    assert {record["size"] for record in records} <= {"small"}
    assert machine["machine"] and (records or folder in ("launch", "barrier", "shared"))  # those have only OpenCL peers
    assert all(record["checked"] for record in records)


@pytest.mark.slow
def test_all_workloads_are_right_on_small_inputs_with_all_peers(tmp_path: Path) -> None:
    assert main(["peers", "--quick", "--json", str(tmp_path / "records.json")]) == 0
    records = records_in(tmp_path / "records.json")[1:]
    names = {workload.name for workload in WORKLOADS if (PEERS / workload.folder / "scalar.cpp").exists()}
    assert names <= {record["workload"] for record in records}


def test_names_are_unique_and_folders_complete() -> None:
    names = [workload.name for workload in WORKLOADS]
    assert len(names) == len(set(names))
    for folder in FOLDERS:
        assert (PEERS / folder / f"{folder}.cu").exists()
        assert (PEERS / folder / "opencl.cpp").exists() == (PEERS / folder / "kernels.cl").exists()
        assert (PEERS / folder / "ispc.cpp").exists() == (PEERS / folder / "kernels.ispc").exists()


@pytest.mark.parametrize("workload", WORKLOADS, ids=lambda workload: workload.name)
def test_inputs_are_the_same_at_every_call(workload: Workload) -> None:
    first, second = workload.quick_inputs(), workload.quick_inputs()
    assert first.keys() == second.keys()
    assert all(np.array_equal(first[name], second[name]) for name in first)


@pytest.mark.parametrize("folder", slow_but("saxpy"))
def test_nvcc_compiles_the_same_file(folder: str, tmp_path: Path) -> None:
    if not shutil.which("nvcc"):
        pytest.skip("nvcc is not installed")
    defines = next(workload.defines for workload in WORKLOADS if workload.folder == folder)
    command = ["nvcc", "-std=c++17", *defines, "-c", str(PEERS / folder / f"{folder}.cu"), "-o", str(tmp_path / "o")]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_programs_may_be_built_here_and_measured_there(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, file = tmp_path / "built", tmp_path / "records.json"
    assert main(["peers", "--only", "saxpy", "--peer=scalar", "--build", str(folder)]) == 0
    monkeypatch.setattr(run, "build_program", lambda source, flags: pytest.fail("nothing is built there"))
    monkeypatch.chdir(tmp_path)
    assert main(["peers", "--only", "saxpy", "--built", "built", "--quick", "--json", str(file)]) == 0
    machine, *records = records_in(file)
    assert [record["peer"] for record in records] == ["scalar"] and records[0]["checked"]
    assert set(machine["versions"]) == {"ours", "scalar"}  # type: ignore[call-overload]
    assert main(["peers", "--built", str(tmp_path)]) == 1
    assert "no folder that --build made" in capsys.readouterr().err


# ------------------------------------------------------------------------------------------- checking


@pytest.mark.parametrize("name", ["ao", "noise", pytest.param("volume-small", marks=pytest.mark.slow)])
def test_checks_of_images_see_a_few_pixels_that_are_off(name: str) -> None:
    workload = next(workload for workload in WORKLOADS if workload.name == name)
    module = importlib.import_module(f"microbench.peers.{workload.folder}.workload")
    given = workload.quick_inputs()
    pixels = np.arange(given["width"] * given["height"])
    image = module.image(given) if name == "noise" else module.image(given, pixels)
    workload.check(given, {"image": image})
    image[::50] += 1 / 256
    with pytest.raises(CheckFailed):
        workload.check(given, {"image": image})


def bench_of(tmp_path: Path, **sources: str) -> tuple[run.Bench, Workload]:
    """Make a bench whose peers are C++ programs given as text, and a workload for it: b is twice a."""
    for name, text in sources.items():
        (tmp_path / f"{name}.cpp").write_text(f'#include "{PEERS}/bench.h"\n' + textwrap.dedent(text))
    peers = [build.Peer(name, str(tmp_path / f"{name}.cpp"), ("all",), "1") for name in sources]

    def check(given: Inputs, found: Outputs) -> None:
        if not np.array_equal(found["b"], 2 * given["a"]):
            raise CheckFailed("b is not twice a")

    workload = Workload("twice", "3", "twice", dict, check, lambda: {"a": np.arange(3, dtype=np.int32), "factor": 2})
    bench = run.Bench(peers, None, quick=True, seconds=1)
    bench.build([workload])
    return bench, workload


TWICE = """
    static Array<int> a;
    static int factor;
    static std::vector<int> b;
    static void setup(const Inputs &in) { a = in.array<int>("a"); factor = in.number("factor"); }
    static void reset() { b.assign(a.data, a.data + a.count); }
    static void run() { for (int &x : b) x *= factor; }
    static void results(Outputs &out) { out.array("b", b.data(), b.size()); }
"""


def test_right_results_give_ratios(tmp_path: Path) -> None:
    bench, workload = bench_of(tmp_path, ours=TWICE, openmp=TWICE)
    (record,) = bench.measure(workload)
    assert bench.troubles == []
    assert record.checked
    assert record.ratio == record.ms_peer / record.ms_ours
    assert record.runs_ours > 0


def test_a_peer_with_wrong_results_has_no_ratio(tmp_path: Path) -> None:
    wrong = TWICE.replace("x *= factor", "x *= factor + 1")
    bench, workload = bench_of(tmp_path, ours=TWICE, openmp=wrong)
    (record,) = bench.measure(workload)
    assert not record.checked and record.ratio is None
    assert bench.troubles == ["twice, openmp, all: wrong result: b is not twice a"]


def test_wrong_results_of_ours_spoil_every_ratio(tmp_path: Path) -> None:
    wrong = TWICE.replace("x *= factor", "x *= factor + 1")
    bench, workload = bench_of(tmp_path, ours=wrong, openmp=TWICE, limit=TWICE)
    assert [record.ratio for record in bench.measure(workload)] == [None, None]


@pytest.mark.parametrize(
    "change, said",
    [
        (('"factor"', '"facto"'), "no number 'facto' in the inputs"),
        (("x *= factor", 'throw std::runtime_error("out of luck")'), "out of luck"),
        (("x *= factor", "std::abort()"), "ended with code -6"),
    ],
)
def test_a_peer_that_fails_is_reported_and_others_run(tmp_path: Path, change: tuple[str, str], said: str) -> None:
    bench, workload = bench_of(tmp_path, ours=TWICE, openmp=TWICE.replace(*change), limit=TWICE)
    (record,) = bench.measure(workload)
    assert record.peer == "limit" and record.checked
    (trouble,) = bench.troubles
    assert trouble.startswith("twice, openmp, all: ") and said in trouble


def test_a_peer_that_does_not_compile_is_reported(tmp_path: Path) -> None:
    bench, workload = bench_of(tmp_path, ours=TWICE, openmp="no C++", limit=TWICE)
    assert [record.peer for record in bench.measure(workload)] == ["limit"]
    (trouble,) = bench.troubles
    assert "openmp.cpp" in trouble and "error" in trouble


def test_a_program_that_hangs_is_ended(tmp_path: Path) -> None:
    with pytest.raises(ProgramFailed, match="no answer in 0 seconds"):
        program = Program(["sh", "-c", "exec sleep 100"], {}, tmp_path, Path(), patience=0.1)
        try:
            program.wait_until_ready()
        finally:
            program.close()


def test_a_program_is_built_once(tmp_path: Path) -> None:
    (tmp_path / "x.h").write_text("int answer = 1;\n")
    source = tmp_path / "program.cpp"
    source.write_text('#include "x.h"\nint main() { return answer; }\n')
    first = programs.build(source)
    assert programs.build(source) == first
    (tmp_path / "x.h").write_text("int answer = 2;\n")
    second = programs.build(source)
    assert second != first
    assert subprocess.run([second]).returncode == 2


# ------------------------------------------------------------------------------------------- timing


class Clockwork:
    """Stands for a program each of whose runs takes the time that it says."""

    def __init__(self, ms: float) -> None:
        self.ms = ms
        self.asked: list[int] = []

    def run(self, count: int) -> list[float]:
        self.asked.append(count)
        return [self.ms] * count


def test_a_slow_first_run_counts_only_if_it_is_the_only_one() -> None:
    quick, slow = Clockwork(1.0), Clockwork(1.0)
    programs = {"quick": quick, "slow": slow}
    times = run.take_turns(programs, {"quick": 50.0, "slow": 1e6}, seconds=0.1, rounds=3)
    assert set(times["quick"]) == {1.0}
    assert times["slow"] == [1e6] and slow.asked == []


# ------------------------------------------------------------------------------------------- reports


def record(workload: str, peer: str, ours: float, theirs: float, cores: int = 1) -> Record:
    return Record(workload, "1", cores, peer, ours, theirs, theirs / ours, True)


def test_batches_are_told_per_piece(tmp_path: Path) -> None:
    bench, workload = bench_of(tmp_path, ours=TWICE, openmp=TWICE)
    (whole,) = bench.measure(workload)
    (piece,) = bench.measure(replace(workload, quick_batch=1_000_000))
    assert piece.ms_ours < whole.ms_ours / 1000


def test_a_ratio_is_of_the_quickest_runs() -> None:
    (made,) = report.compare("w", "1", 2, {"ours": Timing([3.0, 2.0], True), "intel": Timing([9.0, 6.0, 7.0], True)})
    assert (made.ms_ours, made.ms_peer, made.ratio) == (2.0, 6.0, 3.0)
    assert (made.median_ours, made.median_peer, made.runs_peer) == (2.5, 7.0, 3)


def test_the_table_has_a_row_for_each_workload(capsys: pytest.CaptureFixture[str]) -> None:
    wrong = replace(record("c", "limit", 2.0, 1.0), ratio=None, checked=False)
    report.print_comparison([record("a", "scalar", 2.0, 4.0), record("b", "scalar", 2e-5, 16e-5), wrong])
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert lines[1] == ["a", "1", "1", "2", "ms", "2.00x"]
    assert lines[2] == ["b", "1", "1", "20", "ns", "8.00x"]
    assert lines[3] == ["c", "1", "1", "2", "ms", "WRONG"]
    assert lines[4:7] == [["least", "2.00x"], ["geometric", "mean", "4.00x"], "... of 1 us and more 2.00x".split()]


def test_the_chart_is_written(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    machine = report.machine([])
    files = report.plot([record("a", "scalar", 2, 4), record("a", "intel", 2, 1, cores=2)], tmp_path / "new", machine)
    assert [file.name for file in files] == ["peers-1.svg", "peers-2.svg"]
    assert all("<svg" in file.read_text() for file in files)


# ------------------------------------------------------------------------------------------- wrong usage


@pytest.mark.parametrize(
    "arguments, said",
    [
        (["--only", "nothing"], "no workload 'nothing'; --list prints those there are"),
        (["--only", "saxpy", "--cores", "1000"], "--cores 1000: this process may use"),
    ],
)
def test_wrong_arguments_are_explained(arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["peers", *arguments]) == 1
    assert said in capsys.readouterr().err


def test_a_plot_without_matplotlib_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert main(["peers", "--only", "saxpy", "--plot", str(tmp_path)]) == 1
    assert "pip install simt2simd[plot]" in capsys.readouterr().err


def test_the_number_of_a_bar_that_is_cut_off_has_an_arrow() -> None:
    assert [report.bar_label(ratio) for ratio in (0.02, 0.5, 7.0, 29.6, 55798.0)] == [
        "0.02 \u2190", "0.50", "7.00", "30", "\u2192 55798",
    ]  # fmt: skip


def test_absent_opencl_is_named_once_and_skipped(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(build, "_opencl_platforms", dict)
    assert main(["peers", "--only", "saxpy", "--quick"]) == 0
    printed = capsys.readouterr()
    assert printed.err.count("without intel: no OpenCL platform 'Intel' with a CPU is installed") == 1
    assert "intel" not in printed.out


def test_list_names_every_workload(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["peers", "--list"]) == 0
    printed = capsys.readouterr().out
    assert all(workload.name in printed for workload in WORKLOADS)


def test_usage() -> None:
    command = [sys.executable, "-m", "microbench", "peers", "--no-such-option"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=PEERS.parent.parent)
    assert done.returncode == 2 and done.stderr.startswith("usage:")


@pytest.mark.slow
def test_libraries_find_what_cxx_finds(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["libraries", "--runs", "1", "--count", "131072"]) == 0
    printed = capsys.readouterr().out
    for name in ("shuffles, one sum", "BlockReduce", "DeviceScan", "DeviceRadixSort"):
        assert f"\n{name} " in printed
