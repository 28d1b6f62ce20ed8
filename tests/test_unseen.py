"""`microbench unseen`: programs of others are found, built, run, read and compared; none of them stops the rest."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import textwrap
import time
from pathlib import Path
from typing import Any

import pytest

from apps.machine import describe
from microbench.__main__ import main
from microbench.unseen import report
from microbench.unseen.arguments import Arguments, from_lines, missing_files, with_repeats
from microbench.unseen.build import Built, remarks_in
from microbench.unseen.find import chosen, find_programs, find_twin
from microbench.unseen.kernels import kernels_of, reasons, worst
from microbench.unseen.measure import Setting, measured
from microbench.unseen.process import execute
from microbench.unseen.records import FAILED, RAN, WALL, WRONG, Result, Timing
from microbench.unseen.shadow import shadow
from microbench.unseen.times import compared, printed_times, reference_time, verdict, work_time

ROOT = Path(__file__).parent.parent


def write(file: Path, text: str = "") -> Path:
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(textwrap.dedent(text))
    return file


# ------------------------------------------------------------------------------------------- times that programs print


@pytest.mark.parametrize(
    "text, label, kind, seconds",
    [
        ("Average kernel execution time: 12.5 (us)", "Average kernel execution time", "kernel", 12.5e-6),
        ("Average kernel execution time 0.25 (s)", "Average kernel execution time", "kernel", 0.25),
        ("Total time: 3e-2 seconds", "Total time", "other", 0.03),
        ("kernel time (ms): 7", "kernel time", "kernel", 0.007),
        ("Processing time: 1.5 (ms)", "Processing time", "other", 0.0015),
        ("GPU Time in seconds:\n0.125", "GPU Time", "kernel", 0.125),
        ("CPU Runtime: 0.50s", "CPU Runtime", "host", 0.5),
        ("reference implementation took 20 msec", "reference implementation took", "host", 0.02),
        ("Time for CUDA kernels:\t2 sec", "Time for CUDA kernels", "kernel", 2.0),
        ("Memcpy host to device\t: 3 ms (5.0 GB/s), elapsed", "Memcpy host to device", "transfer", 0.003),
        ("Average kernel time: 8 usec.", "Average kernel time", "kernel", 8e-6),
        ("kernel execution time (Mul8): 4 (s)", "kernel execution time (Mul8)", "kernel", 4.0),
        ("MatchGPU1:   16532.1 ms  3.9 Gflops", "MatchGPU1", "kernel", 16.5321),
        ("MatchCPU1:   61520.3 ms", "MatchCPU1", "host", 61.5203),
        ("elapsed 5 \u00b5s", "elapsed", "other", 5e-6),
    ],
)
def test_a_printed_time_has_its_label_kind_and_seconds(text: str, label: str, kind: str, seconds: float) -> None:
    if kind == "transfer":
        text = text.replace("Memcpy", "Time of memcpy")
        label = label.replace("Memcpy", "Time of memcpy")
    (found,) = printed_times(text)
    assert (found.label, found.kind) == (label, kind)
    assert found.seconds == pytest.approx(seconds)


@pytest.mark.parametrize(
    "text",
    [
        "throughput 12.5 GB/s in all the time",
        "time step 5 / 10",
        "Kernel executed 12 times",
        "Kernel time : 0.5",
        "size 5 s",
        "timestep=3, svd0=1.0",
        "GPU Time in seconds:\nnothing",
    ],
)
def test_what_is_no_time_or_has_no_unit_is_not_read_as_one(text: str) -> None:
    assert printed_times(text) == []


def test_two_times_of_a_line_have_labels_of_their_own() -> None:
    first, second = printed_times("sort, Throughput = 3.0 GNumbers/s, Time = 0.5 s, kernel time 20 ms")
    assert (first.label, first.seconds) == ("sort Throughput GNumbers/s Time", 0.5)
    assert (second.label, second.seconds) == ("kernel time", 0.02)


def test_a_program_is_as_slow_as_its_kernels_are_together() -> None:
    text = "time of copies to the device: 9 s\nkernel a: 2 s\nkernel b: 3 s\nTotal kernel time: 5 s\nCPU time: 7 s\n"
    printed = printed_times(text)
    work = work_time(printed)
    assert work is not None and work[1] == 5.0
    assert reference_time(printed) == ("CPU time", 7.0)


def test_equal_labels_are_compared_and_others_are_left_out() -> None:
    ours = printed_times("kernel time: 2 s\nkernel launch time: 50 s\n")
    theirs = printed_times("kernel time: 6 s\nkernel start time: 70 s\n")
    pair = compared(ours, theirs)
    assert pair is not None and (pair.what, pair.ours, pair.theirs) == ("kernel time", 2.0, 6.0)


def test_twins_that_print_other_labels_are_compared_by_all_of_their_work() -> None:
    pair = compared(printed_times("kernel time: 2 s"), printed_times("loop took 6 s"))
    assert pair is not None and (pair.ours, pair.theirs) == (2.0, 6.0)
    assert compared(printed_times("kernel time: 2 s"), printed_times("done")) is None


@pytest.mark.parametrize(
    "text, said",
    [
        ("PASS", "right"),
        ("Test FAILED", "wrong"),
        ("results are correct", "right"),
        ("results are incorrect", "wrong"),
        ("12 mismatches", "wrong"),
        ("0 mismatches", "right"),
        ("mismatches: 0", "right"),
        ("Number of incorrect matches: 0", "right"),
        ("Number of incorrect matches: 10", "wrong"),
        ("sum = -nan", "wrong"),
        ("Non-Matching CPU-GPU Outputs Beyond Error Threshold of 0.05 Percent: 0", "right"),
        ("Non-Matching CPU-GPU Outputs Beyond Error Threshold of 0.05 Percent: 14", "wrong"),
        ("PASS\nFAIL", "wrong"),
        ("error: 1.5e-7", ""),
        ("checksum 17", ""),
    ],
)
def test_a_program_is_believed_what_it_says_of_its_results(text: str, said: str) -> None:
    assert verdict(text) == said


# ------------------------------------------------------------------------------------------- finding programs


MAIN = "int main() { return 0; }\n"


def suite(top: Path) -> Path:
    """Make a folder with programs in the layouts of several suites."""
    write(top / "src/sort-cuda/Makefile", "run:\n\t./main 10\n")
    write(top / "src/sort-cuda/main.cu", MAIN)
    write(top / "src/sort-cuda/parts/kernels.cu", "__global__ void k() {}\n")
    write(top / "src/sort-omp/main.cpp", MAIN)
    write(top / "rodinia/cuda/bfs/Makefile")
    write(top / "rodinia/cuda/bfs/bfs.cu", MAIN)
    write(top / "rodinia/openmp/bfs/bfs.cpp", MAIN)
    write(top / "sample/CMakeLists.txt", "add_executable(sample sample.cu gold.cpp)\ninclude_directories(../inc)\n")
    write(top / "sample/sample.cu", MAIN)
    write(top / "sample/gold.cpp")
    write(top / "inc/x.h")
    write(top / "plain/one.cu", MAIN)
    write(top / "plain/two.cu", MAIN)
    write(top / "single/main.cu", '#include "k.cu"\n' + MAIN)
    write(top / "single/k.cu")
    write(top / "single/more.cu")
    write(top / "nothing/kernels.cu", "__global__ void k() {}\n")
    return top


def test_programs_of_all_layouts_are_found(tmp_path: Path) -> None:
    found = {program.name: program for program in find_programs(suite(tmp_path))}
    assert list(found) == ["plain/one", "plain/two", "rodinia/cuda/bfs", "sample", "single", "src/sort-cuda"]
    assert [found[name].makefile for name in found] == [False, False, True, False, False, True]
    assert [file.name for file in found["sample"].sources] == ["sample.cu", "gold.cpp"]
    assert [folder.resolve() for folder in found["sample"].includes] == [tmp_path / "inc"]
    assert [file.name for file in found["single"].sources] == ["main.cu", "more.cu"]


def test_a_folder_of_one_program_with_files_below_is_one_program(tmp_path: Path) -> None:
    write(tmp_path / "Makefile")
    write(tmp_path / "src/main.cu", MAIN)
    write(tmp_path / "src/kernels.cu")
    (program,) = find_programs(tmp_path)
    assert program.folder == tmp_path and program.makefile


def test_a_makefile_of_the_whole_suite_is_not_that_of_its_programs(tmp_path: Path) -> None:
    write(tmp_path / "Makefile")
    write(tmp_path / "a/Makefile")
    write(tmp_path / "a/a.cu", MAIN)
    write(tmp_path / "b/b.cu", MAIN)
    assert [(program.name, program.makefile) for program in find_programs(tmp_path)] == [("a", True), ("b", False)]


def test_twins_are_found_beside_programs(tmp_path: Path) -> None:
    top = suite(tmp_path)
    twins = {program.name: find_twin(program, top) for program in find_programs(top)}
    assert twins.pop("src/sort-cuda") == top / "src/sort-omp"
    assert twins.pop("rodinia/cuda/bfs") == top / "rodinia/openmp/bfs"
    assert set(twins.values()) == {None}


def test_a_program_is_chosen_by_its_name_a_part_of_it_or_a_pattern(tmp_path: Path) -> None:
    programs = find_programs(suite(tmp_path))

    def names(*only: str) -> list[str]:
        return [program.name for program in chosen(programs, only)[0]]

    assert names("src/sort-cuda") == names("sort-cuda") == names("sort") == ["src/sort-cuda"]
    assert names("bfs,one") == ["plain/one", "rodinia/cuda/bfs"]
    assert names("plain/*") == ["plain/one", "plain/two"]
    assert chosen(programs, ["sort", "sord"])[1] == ["sord"]


def test_what_programs_write_stays_in_the_copy(tmp_path: Path) -> None:
    top = suite(tmp_path / "suites" / "top")
    write(tmp_path / "suites" / "data" / "input.txt", "5")
    copy = shadow(top, tmp_path / "work")
    write(copy / "src/sort-cuda/main.cu", "changed")
    write(copy / "src/sort-cuda/output.txt", "new")
    assert (top / "src/sort-cuda/main.cu").read_text() == MAIN
    assert not (top / "src/sort-cuda/output.txt").exists()
    assert (copy / "../data/input.txt").read_text() == "5"


def test_twins_beside_the_folder_are_copied_too(tmp_path: Path) -> None:
    suite(tmp_path / "suites")
    copy = shadow(tmp_path / "suites/rodinia/cuda", tmp_path / "work")
    (program,) = find_programs(copy)
    twin = find_twin(program, copy)
    assert twin is not None and twin.name == "bfs" and not twin.parent.is_symlink()


def test_a_changed_file_is_copied_again(tmp_path: Path) -> None:
    top = suite(tmp_path / "suite")
    copy = shadow(top, tmp_path / "work")
    write(top / "plain/one.cu", "new")
    os.utime(top / "plain/one.cu", (time.time() + 5, time.time() + 5))
    shadow(top, tmp_path / "work")
    assert (copy / "plain/one.cu").read_text() == "new"


# ------------------------------------------------------------------------------------------- arguments


@pytest.mark.parametrize(
    "text, words",
    [
        ("./main 1000 8192", ("1000", "8192")),
        ("g++ -o main main.cpp\n./main 7 > log", ("7",)),
        ("#!/bin/sh\nOMP_NUM_THREADS=4 ./bfs ../data/graph.txt\n./bfs other", ("../data/graph.txt",)),
        ("./main \\\n  1 2 | tee log", ("1", "2")),
        ("./main 'a b'", ("a b",)),
    ],
)
def test_arguments_are_those_of_the_first_line_that_runs_a_program(
    text: str, words: tuple[str, ...], tmp_path: Path
) -> None:
    found = from_lines(text, tmp_path)
    assert found is not None and found[1].words == words


@pytest.mark.parametrize("text", ["", "make: *** No rule", "./runtests.sh", "python main.py"])
def test_lines_that_run_no_program_have_no_arguments(text: str, tmp_path: Path) -> None:
    assert from_lines(text, tmp_path) is None


@pytest.mark.parametrize(
    "source, words, repeats",
    [
        ("const int n = atoi(argv[1]); const int repeat = atoi(argv[2]);", ("64", "100"), 1),
        ("int iterations = std::stoi(argv[1]);", ("100", "64"), 0),
        ('printf("Usage: %s <rows> <repeat>\\n", argv[0]);', ("64", "100"), 1),
        ('printf("Usage: %s <rows> <columns>\\n", argv[0]);', ("64", "100"), None),
        ("int n = atoi(argv[1]);", ("100",), None),
        ("int iterations = atoi(argv[1]); int repeat = atoi(argv[2]);", ("64", "100"), 1),
        ("", ("-n", "64", "-r", "100"), 3),
        ("", ("--iterations", "100", "64"), 1),
        ("char *runs = argv[1]; int runs_n = atoi(argv[1]);", ("file",), None),
    ],
)
def test_the_number_of_repetitions_is_found_in_the_sources(
    source: str, words: tuple[str, ...], repeats: int | None, tmp_path: Path
) -> None:
    write(tmp_path / "main.cu", source)
    assert with_repeats(words, tmp_path).repeats == repeats


def test_cutting_repetitions_leaves_the_rest_and_says_so() -> None:
    arguments = Arguments(("64", "100", "file name"), 1)
    cut = arguments.cut(3)
    assert cut.words == ("64", "3", "file name") and cut.count == 3
    assert cut.text == "64 3 'file name' (cut from 100)"
    assert arguments.cut(200) is arguments and arguments.text == "64 100 'file name'"
    assert cut.cut(1).text == "64 1 'file name' (cut from 100)"


def test_files_that_are_not_there_are_named(tmp_path: Path) -> None:
    write(tmp_path / "data/here.txt")
    arguments = Arguments(("data/here.txt", "data/gone.txt", "12", "1.5", "-r", "out.txt", "../x/gone", "photo.ppm"))
    assert missing_files(arguments, tmp_path) == ["data/gone.txt", "../x/gone", "photo.ppm"]


# ------------------------------------------------------------------------------------------- running


def script(file: Path, text: str) -> Path:
    write(file, "#!/bin/sh\n" + textwrap.dedent(text)).chmod(0o755)
    return file


def setting(**changes: Any) -> Setting:
    given: dict[str, Any] = {"seconds": 0.2, "limit": 10.0, "quick": True, "cpus": (0,)}
    return Setting(**given | changes)


def result_of(tmp_path: Path, text: str, twin: str | None = None, **changes: Any) -> Result:
    """Measure a shell script in place of a program."""
    ours = Built(script(tmp_path / "ours", text), folder=tmp_path)
    beside = None if twin is None else Built(script(tmp_path / "twin", twin), folder=tmp_path, peer="openmp")
    return measured("name", ours, Built(None), beside, setting(**changes))


def test_a_program_is_compared_with_its_twin_by_what_both_print(tmp_path: Path) -> None:
    result = result_of(tmp_path, "echo kernel time: 2 s; echo PASS", "echo kernel time: 5 s; echo PASS")
    assert (result.state, result.checked) == (RAN, True)
    assert result.timings == [Timing(1, "kernel time", 2.0, "openmp", 5.0, 2.5)]


def test_a_program_is_compared_with_its_own_reference(tmp_path: Path) -> None:
    result = result_of(tmp_path, "echo GPU time: 2 s; echo CPU time: 1 s")
    assert result.timings == [Timing(1, "GPU time", 2.0, "reference", 1.0, 0.5, "CPU time")]


def test_a_program_that_prints_no_time_takes_that_of_its_process(tmp_path: Path) -> None:
    (timing,) = result_of(tmp_path, "sleep 0.2").timings
    assert timing.what == WALL and 0.2 <= timing.ours < 2


def test_wrong_results_are_named_and_have_no_ratio(tmp_path: Path) -> None:
    ours = result_of(tmp_path, "echo kernel time: 2 s; echo item 7: FAIL", "echo kernel time: 5 s; echo PASS")
    assert (ours.state, ours.said) == (WRONG, "item 7: FAIL")
    assert ours.timings[0].ratio is None
    theirs = result_of(tmp_path, "echo kernel time: 2 s; echo PASS", "echo kernel time: 5 s; echo FAIL")
    assert theirs.state == RAN and theirs.timings[0].ratio is None


@pytest.mark.parametrize(
    "text, said",
    [
        ("echo out of luck; exit 3", "exit code 3: out of luck"),
        ("kill -SEGV $$", "ended by SIGSEGV"),
        ("exec sleep 100", "not done after 0.3 seconds"),
    ],
)
def test_a_program_that_fails_is_named(text: str, said: str, tmp_path: Path) -> None:
    result = result_of(tmp_path, text, limit=0.3)
    assert (result.state, result.said, result.timings) == (FAILED, said, [])


def test_a_twin_that_fails_leaves_our_time(tmp_path: Path) -> None:
    (timing,) = result_of(tmp_path, "echo kernel time: 2 s", "exit 3").timings
    assert (timing.ours, timing.peer, timing.note) == (2.0, "", "failed: exit code 3")


def test_a_program_has_as_many_repetitions_as_there_is_time_for(tmp_path: Path) -> None:
    write(tmp_path / "main.cu", "int repeat = atoi(argv[1]);")
    file = script(tmp_path / "ours", "sleep 0.05; echo repeats $1, kernel time: $1 s")
    ours = Built(file, "", with_repeats(("1000",), tmp_path), tmp_path)
    quick = measured("name", ours, Built(None), None, setting())
    assert quick.arguments == "1 (cut from 1000)"
    longer = measured("name", ours, Built(None), None, setting(quick=False, seconds=1.0))
    assert 2 <= int(longer.arguments.split()[0]) <= 10


def test_a_program_that_takes_too_long_gets_a_smaller_last_number(tmp_path: Path) -> None:
    file = script(tmp_path / "ours", "[ $2 -gt 1 ] && exec sleep 100; echo kernel time: 1 s")
    result = measured("name", Built(file, "", Arguments(("64", "50")), tmp_path), Built(None), None, setting(limit=0.5))
    assert (result.state, result.arguments) == (RAN, "64 1 (cut from 50)")


def test_cores_are_those_that_are_asked_for(tmp_path: Path) -> None:
    done = execute(["sh", "-c", "taskset -pc $$; echo $S2S_THREADS"], tmp_path, 5, setting().environment(1), (0,))
    assert done.text.splitlines()[0].endswith(": 0") and done.text.splitlines()[1] == "1"


def test_what_a_program_starts_ends_with_it(tmp_path: Path) -> None:
    started = time.monotonic()
    done = execute(["sh", "-c", "sleep 100 & echo $!; exec sleep 100"], tmp_path, 0.3)
    assert done.ended and time.monotonic() - started < 5
    time.sleep(0.1)
    state = Path(f"/proc/{done.text.strip()}/stat")
    assert not state.exists() or state.read_text().split()[2] == "Z"


def test_long_output_keeps_its_beginning_and_its_end(tmp_path: Path) -> None:
    done = execute(["sh", "-c", "echo first; yes | head -c 5000000; echo last"], tmp_path, 20)
    assert done.text.startswith("first") and done.text.endswith("last\n") and len(done.text) < 3_000_000


# ------------------------------------------------------------------------------------------- kernels


def row(name: str, **estimated: float) -> dict[str, Any]:
    return {
        "name": name, "file": "a.cu", "line": 3, "launches": 1, "gangs": 10, "lanes_active": 120, "lanes": 160,
        "accesses": {}, "estimated_ns": estimated, "lines": [],
    }  # fmt: skip


def test_the_kernel_in_which_most_of_the_time_is_lost_comes_first() -> None:
    stats = {
        "kernels": [
            row("small", gather=90, other=10),
            row("large", scatter=300, divergent=100, other=500) | {"line": 7},
        ]
    }
    large, small = kernels_of("p", stats, [])
    assert (large.name, small.name) == ("large", "small")
    assert large.of_program == pytest.approx(0.9) and small.of_program == pytest.approx(0.1)
    assert large.lost["scatter"] == pytest.approx(1 / 3)
    assert large.lost["masked"] == pytest.approx(0.25 * 5 / 9)
    assert (large.mean_lanes, large.lanes) == (12, 16)


def test_kernels_that_do_next_to_nothing_are_not_among_the_worst() -> None:
    rows = [row("large", gather=1e5, other=3e5) | {"line": 7}, row("tiny", gather=90)]
    other = kernels_of("q", {"kernels": [row("most", gather=1e5)]}, [])
    assert [kernel.name for kernel in worst([*kernels_of("p", {"kernels": rows}, []), *other], 20)] == ["most", "large"]
    assert [kernel.name for kernel in worst(other, 0)] == []


def site(line: int, column: int, kind: str, ns: float) -> dict[str, Any]:
    return {"file": "/here/a.cu", "line": line, "column": column, "kind": kind, "estimated_ns": ns}


def remark(line: int, column: int, instruction: str, cost_ns: float) -> dict[str, Any]:
    return {
        "file": "a.cu", "line": line, "column": column, "instruction": instruction, "why": "so", "cost_ns": cost_ns
    }  # fmt: skip


def test_the_dearest_place_of_a_line_says_what_it_is() -> None:
    sites = [
        site(5, 3, "gather", 20),
        site(5, 9, "consecutive", 10),
        site(5, 3, "statement", 5),
        site(8, 1, "gather", 60),
    ]
    remarks = [remark(5, 3, "gather, 32-bit offsets", 99.0), remark(5, 9, "vector load", 1.0)]
    (kernel,) = kernels_of("p", {"kernels": [row("k", gather=80.0, other=15.0) | {"lines": sites}]}, remarks)
    assert [(line.line, line.ns) for line in kernel.lines] == [(8, 60), (5, 35)]
    assert [line.remark for line in kernel.lines] == ["gather access", "gather, 32-bit offsets; so"]


def test_a_remark_about_another_form_of_a_function_is_left_out() -> None:
    remarks = [remark(5, 3, "gather of two halves, 64-bit addresses", 9.0), remark(6, 1, "divergent: arms", 2.0)]
    sites = [site(5, 3, "consecutive", 5), site(6, 1, "branch", 6)]
    (kernel,) = kernels_of("p", {"kernels": [row("k", consecutive=5.0) | {"lines": sites}]}, remarks)
    assert [line.remark for line in kernel.lines] == ["divergent: arms; so", "consecutive access"]


def test_instructions_are_counted_over_programs() -> None:
    remarks = [remark(5, 3, "gather", 2.0), remark(7, 1, "scatter", 4.0)]
    sites = [site(5, 3, "gather", 20), site(7, 1, "scatter", 4)]
    both = row("k", gather=20.0, scatter=4.0, other=76.0) | {"lines": sites}
    one = row("k", gather=20.0, other=20.0) | {"lines": sites[:1]}
    first, second = (kernels_of(name, {"kernels": [each]}, remarks) for name, each in (("a", both), ("b", one)))
    ((instruction, programs, share),) = reasons([*first, *second])
    assert (instruction, programs, round(share, 9)) == ("gather", 2, 0.35)


def test_instances_of_a_template_are_one_kernel() -> None:
    rows = [row("k<int>", gather=10, other=20), row("k<float>", gather=30, other=40), row("j", other=10) | {"line": 9}]
    joined, other = kernels_of("p", {"kernels": rows}, [])
    assert (joined.name, joined.ns, joined.launches, other.name) == ("k (2 instances)", 100, 2, "j")
    assert joined.lost["gather"] == 0.4


def test_kernels_that_did_not_run_are_left_out() -> None:
    idle = row("idle", other=0.0) | {"gangs": 0, "lanes": 0, "lanes_active": 0}
    assert [kernel.name for kernel in kernels_of("p", {"kernels": [idle, row("k", other=1)]}, [])] == ["k"]
    assert kernels_of("p", {}, []) == []


def test_remarks_are_found_between_the_lines_of_a_build() -> None:
    remark = {"file": "a.cu", "line": 5}
    log = f"nvcc -c a.cu\n{json.dumps([remark], indent=1)}\n[100%] done\n{json.dumps([remark, remark], indent=1)}\n"
    assert remarks_in(log) == [remark] * 3
    assert remarks_in("[\n broken\n]\n") == []


# ------------------------------------------------------------------------------------------- the whole


CUDA = r"""
#include <cstdio>
#include <cstdlib>
__global__ void twice(int *x, int n) { int i = blockIdx.x * blockDim.x + threadIdx.x; if (i < n) x[i] *= 2; }
int main(int argc, char **argv) {
    int n = atoi(argv[1]), repeat = atoi(argv[2]), *x;
    cudaMallocManaged(&x, n * sizeof(int));
    for (int i = 0; i < n; i++) x[i] = 1;
    for (int i = 0; i < repeat; i++) twice<<<(n + 255) / 256, 256>>>(x, n);
    cudaDeviceSynchronize();
    printf("Average kernel execution time: %f (us)\n", 2.0);
    printf("%s\n", x[n - 1] == 1 << repeat ? "PASS" : "FAIL");
}
"""
TWIN = r"""
#include <cstdio>
int main() {
    #pragma omp parallel for
    for (int i = 0; i < 10; i++) {}
    printf("Average kernel execution time: %f (us)\n", 3.0);
}
"""
MAKEFILE = """\
CC = nvcc
main: main.cu
	$(CC) main.cu -o main
run: main
	./main 1000 5
"""


@pytest.mark.slow
def test_a_suite_is_built_measured_and_reported(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    top = tmp_path / "suite"
    write(top / "twice-cuda/Makefile", MAKEFILE)
    write(top / "twice-cuda/main.cu", CUDA)
    write(top / "twice-omp/main.cpp", TWIN)
    write(top / "broken-cuda/Makefile", MAKEFILE)
    write(top / "broken-cuda/main.cu", "int main() { return nothing; }\n")
    write(top / "alone/alone.cu", "#include <cstdio>\n" + MAIN)
    file = tmp_path / "records.json"
    assert main(["unseen", str(top), "--quick", "--json", str(file)]) == 0
    _, *records = json.loads(file.read_text())
    found = {record["program"]: record for record in records}
    assert list(found) == ["alone", "broken-cuda", "twice-cuda"]
    assert found["alone"]["state"] == RAN
    assert found["broken-cuda"]["state"] == "not built" and "nothing" in found["broken-cuda"]["said"]
    twice = found["twice-cuda"]
    assert twice["checked"] and twice["arguments"] == "1000 1 (cut from 5)"
    assert {(timing["peer"], timing["ratio"]) for timing in twice["timings"]} == {("openmp", 1.5)}
    printed = capsys.readouterr()
    assert "openmp, 1 core: geometric mean 1.50 of 1 programs, slower in 0" in printed.out
    assert "broken-cuda" in printed.out and "[3/3] twice-cuda: ran" in printed.err
    assert sorted(path.name for path in (top / "twice-cuda").iterdir()) == ["Makefile", "main.cu"]


def wait_for(text: str, process: subprocess.Popen[str]) -> None:
    assert process.stderr is not None
    for line in process.stderr:
        if text in line:
            return
    raise AssertionError(f"no '{text}' before the end")


@pytest.mark.slow
def test_an_interrupt_prints_what_there_is(tmp_path: Path) -> None:
    write(tmp_path / "suite/a.cu", MAIN)
    write(tmp_path / "suite/b.cu", "#include <unistd.h>\nint main() { sleep(100); }\n")
    command = [sys.executable, "-m", "microbench", "unseen", str(tmp_path / "suite"), "--limit", "90"]
    with subprocess.Popen(command, cwd=ROOT, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        wait_for("[1/2] a: ran", process)
        process.send_signal(signal.SIGINT)
        printed, _ = process.communicate(timeout=30)
    assert process.returncode == 130
    assert "1 of 2 programs: 1 ran, 0 of them say that their results are right" in printed


@pytest.mark.slow
def test_an_interrupt_ends_builds(tmp_path: Path) -> None:
    write(tmp_path / "suite/Makefile", "main:\n\tsleep 100\n")
    write(tmp_path / "suite/a.cu", MAIN)
    command = [sys.executable, "-m", "microbench", "unseen", str(tmp_path / "suite"), "--limit", "90"]
    with subprocess.Popen(command, cwd=ROOT, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        wait_for("building: 0 of 1", process)
        time.sleep(2)
        process.send_signal(signal.SIGINT)
        printed, _ = process.communicate(timeout=30)
    assert process.returncode == 130 and "0 of 1 programs" in printed


def test_the_report_names_what_went_wrong(capsys: pytest.CaptureFixture[str]) -> None:
    results = [
        Result("good", RAN, checked=True, timings=[Timing(1, "kernel", 2.0, "openmp", 4.0, 2.0)]),
        Result("bad", WRONG, "3 mismatches", timings=[Timing(1, "kernel", 2.0)]),
        Result("gone", FAILED, "exit code 1"),
        Result("alone", RAN, timings=[Timing(1, "kernel", 2.0, note="failed: exit code 9")]),
    ]
    report.print_report(describe({}, {}, ""), results, 5)
    printed = capsys.readouterr().out
    assert "4 of 5 programs: 2 ran, 1 of them say that their results are right" in printed
    assert (
        "WRONG" in printed
        and "3 mismatches" in printed
        and "exit code 1" in printed
        and "failed: exit code 9" in printed
    )


@pytest.mark.parametrize(
    "arguments, code, said",
    [
        (["/no/such/folder"], 1, "/no/such/folder: no such folder"),
        (["{empty}"], 1, "no CUDA programs there"),
        (["{suite}", "--only", "nothing"], 1, "no program 'nothing'"),
        ([], 2, "usage:"),
        (["{suite}", "--peer", "nobody"], 2, "invalid choice"),
        (["{suite}", "--seconds", "-1"], 2, "expected a number of seconds, found '-1'"),
    ],
)
def test_wrong_arguments_are_explained(
    arguments: list[str], code: int, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    write(tmp_path / "suite/one.cu", MAIN)
    (tmp_path / "empty").mkdir()
    places = {"suite": tmp_path / "suite", "empty": tmp_path / "empty"}
    try:
        ended = main(["unseen", *(word.format(**places) for word in arguments)])
    except SystemExit as stop:
        ended = int(str(stop.code))
    assert ended == code and said in capsys.readouterr().err
