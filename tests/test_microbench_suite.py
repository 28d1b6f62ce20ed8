"""The microbenchmark suite: programs check what they do, wrong results show, records and figures are whole."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import pytest

from apps import harness
from apps.machine import Machine
from apps.programs import build as build_program
from apps.progress import progress
from apps.records import read_records, write_records
from microbench import against, build, measure, plan, plot, report, run, run_built
from microbench.__main__ import main
from microbench.measure import ProgramFailed, Record
from microbench.plan import Built, Contents
from microbench.suite import ALL, GPU, QUESTIONS, Choice, Mapping, Question, mappings_of
from simt2simd.target import TARGETS

ROOT = Path(__file__).parent.parent
TARGET = next(target for target in TARGETS if plan.runs_here(target))
NAMES = [question.name for question in QUESTIONS]
SCHEMA = {"bench", "platform", "mapping", "params", "work", "unit", "median", "min", "max", "runs", "checked", "quick"}
QUICK = ("--quick", "--target", TARGET, "--lanes", "32")


def question(name: str) -> Question:
    return next(question for question in QUESTIONS if question.name == name)


def program(name: str) -> Path:
    return build_program(build.HERE / f"{name}.cu", build.flags_of(TARGET, 0, ""))


def measured(name: str, mapping: Mapping, *arguments: str) -> list[Record]:
    return list(measure.measure(name, program(name), mapping, [*question(name).quick, *plan.QUICK, *arguments]))


# ------------------------------------------------------------------------------------------- programs


def slow_but(*quick: str) -> list[Any]:
    """Return the names of all programs; those that are not named are slow tests."""
    return [name if name in quick else pytest.param(name, marks=pytest.mark.slow) for name in NAMES]


@pytest.mark.parametrize("name", slow_but("launch", "memory"))
def test_every_question_is_answered_with_right_results(
    name: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "records.json"
    assert main([name, *QUICK, "--cores", "1", "--json", str(file)]) == 0, capsys.readouterr()
    machine, *records = json.loads(file.read_text())
    assert {"machine", "compiler", "flags", "date", "commit"} <= machine.keys()
    assert machine["flags"][TARGET].startswith(f"--target {TARGET}")
    asked = dict(argument.split("=") for argument in question(name).quick)
    for record in records:
        assert record.keys() == SCHEMA
        assert record["bench"] == name and record["checked"] is True
        assert record["params"].keys() >= {question(name).x, *question(name).panels}
        assert 0 <= record["min"] <= record["median"] <= record["max"] and 1 <= record["runs"] <= 2
    values = {str(record["params"][question(name).x]) for record in records}
    assert values == set(asked[question(name).x].split(","))


@pytest.mark.parametrize("name", ["launch", "barrier", "shared"])
@pytest.mark.parametrize("count, barrier", [("2", "ours"), ("2", "pthread"), (ALL, "pthread")])
def test_results_are_right_when_hthreads_share_blocks(name: str, count: str, barrier: str) -> None:
    cores = len(os.sched_getaffinity(0))
    records = measured(name, Mapping(TARGET, cores=cores, hthreads_per_block=count, barrier=barrier))
    assert records and all(record.checked for record in records)
    assert records[0].platform.endswith(f"{count} hthreads/block" + (", pthread barrier" if barrier != "ours" else ""))


def test_bound_hthreads_give_right_results() -> None:
    assert all(record.checked for record in measured("barrier", Mapping(TARGET, hthreads_per_block=ALL, affinity=2)))


@pytest.mark.slow
def test_results_are_right_on_any_number_of_lanes_and_blocks() -> None:
    """What the quick runs leave out: every number of ways and depths that are no powers of two."""
    assert all(record.checked for record in measured("divergence", Mapping(TARGET), "ways=1,3,8,17,24,31"))
    assert all(record.checked for record in measured("recursion", Mapping(TARGET), "depth=1,3,7,40", "threads=100"))


def test_a_program_counts_down_to_what_it_can_afford() -> None:
    affordable = measured("barrier", Mapping(TARGET), "form=data", "threads=1024", "barriers=100000000", "ms=10")
    assert 2 <= affordable[0].work["barriers"] < 10_000_000
    assert affordable[0].checked


def test_params_do_not_depend_on_what_a_machine_can_afford() -> None:
    few, many = (measured("barrier", Mapping(TARGET), "form=switch", f"barriers={most}") for most in (20, 40))
    assert [record.params for record in few] == [record.params for record in many]
    assert few[0].params == {"form": "switch", "threads": 16}
    assert 2 <= few[0].work["barriers"] <= 20 and 2 <= many[0].work["barriers"] <= 40


def test_a_program_explains_an_unknown_parameter() -> None:
    done = subprocess.run([program("shared"), "degrees=3"], capture_output=True, text=True)
    assert done.returncode == 2
    assert "error: unknown argument 'degrees=3'; the parameters are degree=0,2,4" in done.stderr


@pytest.mark.parametrize("name", slow_but("launch"))
def test_nvcc_compiles_the_same_file(name: str, tmp_path: Path) -> None:
    if not shutil.which("nvcc"):
        pytest.skip("nvcc is not installed")
    command = ["nvcc", "-std=c++17", "-arch=sm_90", "-c", str(build.HERE / f"{name}.cu"), "-o", str(tmp_path / "o")]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


# ------------------------------------------------------------------------------------------- mappings

SIXTEEN = Choice((("avx512", 0), ("avx512", 32), ("avx2", 0)), 16)


def test_names_of_mappings_differ() -> None:
    for each in QUESTIONS:
        mappings = mappings_of(each, SIXTEEN)
        assert len({mapping.name for mapping in mappings}) == len(mappings) > 0
        assert SIXTEEN.best(1) in mappings or SIXTEEN.best(16) in mappings


def test_every_axis_is_measured() -> None:
    everything = [mapping for each in QUESTIONS for mapping in mappings_of(each, SIXTEEN)]
    assert {mapping.cores for mapping in everything} == {1, 2, 4, 8, 16}
    assert {(mapping.target, mapping.lanes) for mapping in everything} == set(SIXTEEN.builds)
    assert {(mapping.hthreads_per_block, mapping.barrier) for mapping in everything} == {
        ("1", "ours"), ("2", "ours"), ("2", "pthread"), (ALL, "ours"), (ALL, "pthread"),
    }  # fmt: skip
    assert {mapping.affinity for mapping in everything} == {0, 1, 2, 4}


def test_three_cores_are_one_two_and_three() -> None:
    mappings = mappings_of(question("memory"), Choice((("avx512", 0),), 3))
    assert {mapping.cores for mapping in mappings} == {1, 2, 3}


def test_programs_that_this_cpu_cannot_run_are_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plan, "runs_here", lambda target: target == "avx2")
    programs = [(Built("call", target, 0, "x"), Path("x")) for target in ("avx512", "avx2", GPU)]
    found = [step.mapping.target for step in plan.steps(programs, NAMES, 1, quick=True)]
    assert found == ["avx2", GPU]


# ------------------------------------------------------------------------------------------- programs built elsewhere

LINE = (
    '{"params": {"kind": "called", "steps": 1}, "work": {"rounds": 9}, "unit": "ns per call", '
    '"times": [3, 1, 2.5], "checked": true}'
)


def folder_with(folder: Path, script: str, names: Sequence[str] = ("call",), target: str = TARGET) -> Path:
    """Make a folder of built programs, which are all the same shell script."""
    folder.mkdir(exist_ok=True)
    for name in names:
        (folder / name).write_text(f"#!/bin/sh\n{script}\n")
        (folder / name).chmod(0o755)
    programs = tuple(Built(name, target, 0, name) for name in names)
    plan.write_contents(folder, Contents("abc", {target: "compiler 1"}, {target: "-O9"}, programs))
    return folder


def test_built_programs_run_without_our_dependencies(tmp_path: Path) -> None:
    folder = tmp_path / "built"
    assert main(["call", "--build", str(folder), "--target", TARGET, "--lanes", "16"]) == 0
    command = [sys.executable, "-S", "-m", "microbench.run_built", str(folder), "--json", str(tmp_path / "x.json")]
    done = subprocess.run([*command, "--quick"], capture_output=True, text=True, cwd=ROOT, env={"PATH": os.defpath})
    assert done.returncode == 0, done.stderr
    taken = read_records(tmp_path / "x.json", Record)
    assert taken is not None
    machine, records = taken
    assert machine.compiler[TARGET].startswith("simt2simd") and machine.flags[TARGET].startswith("--target")
    assert {record.params["kind"] for record in records} == {"inlined", "called", "divergent"}
    assert all(record.checked for record in records)


def test_a_record_holds_median_and_spread(tmp_path: Path) -> None:
    folder = folder_with(tmp_path, f"echo '{LINE}'")
    assert run_built.main([str(folder), "--json", str(tmp_path / "x.json")]) == 0
    taken = read_records(tmp_path / "x.json", Record)
    assert taken is not None
    machine, (record,) = taken
    assert (record.median, record.min, record.max, record.runs) == (2.5, 1, 3, 3)
    assert (record.unit, record.params, record.checked) == ("ns per call", {"kind": "called", "steps": 1}, True)
    assert record.work == {"rounds": 9}
    assert (machine.commit, machine.compiler, machine.flags) == ("abc", {TARGET: "compiler 1"}, {TARGET: "-O9"})


@pytest.mark.parametrize(
    "script, said, records",
    [
        (f"echo '{LINE}'; echo out of luck >&2; exit 3", "ended with code 3: out of luck", 1),
        (f"echo '{LINE}' | sed s/true/false/", "wrong results with {'kind': 'called', 'steps': 1}", 1),
        ("echo hello", "unexpected line 'hello'", 0),
        ("kill -9 $$", "ended with code -9", 0),
    ],
)
def test_a_program_that_fails_is_reported_and_the_others_continue(
    script: str, said: str, records: int, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder_with(tmp_path, script, ["recursion"])
    folder = folder_with(tmp_path, f"case $0 in *recursion) {script};; *) echo '{LINE}';; esac", ["recursion", "call"])
    assert run_built.main([str(folder), "--json", str(tmp_path / "x.json")]) == 1
    assert f"run_built: error: recursion, {TARGET}, 1 core: {said}" in capsys.readouterr().err
    taken = read_records(tmp_path / "x.json", Record)
    assert taken is not None
    assert [record.bench for record in taken[1]] == ["recursion"] * records + ["call"]


def test_a_program_that_hangs_is_ended(tmp_path: Path) -> None:
    folder_with(tmp_path, "exec sleep 100")
    with pytest.raises(ProgramFailed, match="not done after 0 seconds"):
        list(measure.measure("call", tmp_path / "call", Mapping(TARGET), [], patience=0.1))


def test_gpu_programs_wait_for_a_gpu(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = folder_with(tmp_path, f"echo '{LINE}'", target=GPU)
    monkeypatch.setattr(run_built, "gpu_name", str)
    assert run_built.main([str(folder), "--json", str(tmp_path / "x.json")]) == 0
    assert "without the GPU programs: nvidia-smi finds no GPU" in capsys.readouterr().err
    monkeypatch.setattr(run_built, "gpu_name", lambda: "GPU 1")
    assert run_built.main([str(folder), "--json", str(tmp_path / "x.json"), "--no-cpu"]) == 0
    taken = read_records(tmp_path / "x.json", Record)
    assert taken is not None and [record.platform for record in taken[1]] == ["gpu"]


@pytest.mark.parametrize(
    "arguments, code, said",
    [
        (["nowhere", "--json", "x.json"], 1, "cannot read nowhere/programs.json: No such file or directory"),
        (["nowhere", "calls", "--json", "x.json"], 2, "no question 'calls': choose from launch, memory"),
        (["nowhere", "--json", "x.json", "--cores", "0"], 2, "--cores 0: this process may use"),
        (["nowhere"], 2, "the following arguments are required: --json"),
    ],
)
def test_wrong_arguments_of_run_built_are_explained(arguments: list[str], code: int, said: str) -> None:
    command = [sys.executable, "-m", "microbench.run_built", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == code and said in done.stderr and "Traceback" not in done.stderr


def test_a_folder_of_something_else_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / plan.CONTENTS).write_text('{"programs": 3}')
    assert run_built.main([str(tmp_path), "--json", str(tmp_path / "x.json")]) == 1
    assert "programs.json was not written by --build" in capsys.readouterr().err


def test_records_that_cannot_be_written_are_an_error(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = folder_with(tmp_path, f"echo '{LINE}'")
    assert run_built.main([str(folder), "--json", str(tmp_path / "nowhere" / "x.json")]) == 1
    assert "cannot write" in capsys.readouterr().err


# ------------------------------------------------------------------------------------------- tables and figures

HERE = Machine("This CPU", 2, "", 0.0, "Linux", "2026-01-01", "abc", {"avx512": "c"}, {"avx512": "f"})
THERE = replace(
    HERE, machine="That CPU", hardware_threads=16, gpu="GPU 1, driver 5", compiler={"avx512": "c", GPU: "n"}
)


def record(name: str, mapping: Mapping, checked: bool = True, ns: float = 10.0, **params: str | int) -> Record:
    return Record(name, mapping.name, asdict(mapping), params, {}, "ns per thing", ns, ns - 1, ns + 1, 3, checked)


def records_of(mapping: Mapping) -> list[Record]:
    """Return a few records for every question."""
    made = []
    for each in QUESTIONS:
        panels: dict[str, str | int] = dict.fromkeys(each.panels, "one")
        made += [
            replace(record(each.name, mapping, ns=10.0 + x), params={**panels, each.x: x})
            for x in (int(each.relative), 4, 1024)
        ]
    return made


def test_there_is_a_figure_for_each_question_with_recorded_results_in_it(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    write_records(tmp_path / "there.json", THERE, records_of(Mapping("avx512", cores=16)) + records_of(Mapping(GPU)))
    (tmp_path / "other.json").write_text("[1, 2]")
    others = measure.recorded(tmp_path)
    assert len(others) == 1
    files = plot.plot(records_of(Mapping("avx512", cores=2)), HERE, others, tmp_path / "new")
    assert [file.name for file in files] == [f"{name}.svg" for name in NAMES]
    for file in files:
        text = file.read_text()
        for label in ("<!-- avx512, 2 cores -->", "<!-- That CPU, avx512, 16 cores -->", "<!-- GPU 1 -->"):
            assert label in text


def test_affinities_have_a_figure_of_right_results(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    bound = [Mapping("avx512", cores=16, hthreads_per_block=ALL, affinity=affinity) for affinity in (0, 1, 2)]
    found = [
        replace(record("shared", mapping, ns=100.0 * (mapping.affinity + 1) + degree), params={"degree": degree})
        for mapping in (*bound, Mapping("avx512"), replace(bound[1], barrier="pthread"))
        for degree in (0, 4, 512)
    ]
    wrong = replace(found[8], checked=False)
    assert plot.affinities([*found[:8], wrong, *found[9:]]) == {
        "random degree 0": {0: 100.0, 1: 200.0, 2: 300.0},
        "random degree 512": {0: 612.0, 1: 712.0},
    }
    assert not plot.affinities([each for each in found if not each.mapping["affinity"]])
    files = plot.plot(found, HERE, [], tmp_path)
    assert [file.name for file in files] == ["shared.svg", "affinity.svg"]


def test_a_figure_shows_no_second_gpu_and_no_special_mapping_of_others() -> None:
    special = [
        Mapping("avx512", cores=16, hthreads_per_block=ALL),
        Mapping("avx512", cores=4),
        Mapping("avx512", affinity=1),
    ]
    found = [record("call", mapping) for mapping in (Mapping("avx512"), Mapping(GPU), *special)]
    shown = plot.lines_of_other(question("call"), HERE, THERE, found, "grey", "--")
    assert [line.label for line in shown] == ["That CPU, avx512, 1 core", "GPU 1"]
    assert all(line.style["linestyle"] == "--" for line in shown)
    assert plot.lines_of_other(question("call"), THERE, THERE, found, "grey", "--") == []


def test_a_figure_shows_few_distinct_lines() -> None:
    choice = Choice(tuple((target, lanes) for target in ("avx512", "avx2") for lanes in (0, 16, 32)), 16)
    for each in QUESTIONS:
        found = [r for m in (*mappings_of(each, choice), Mapping(GPU)) for r in records_of(m) if r.bench == each.name]
        lines = plot.lines_of(each, replace(THERE, compiler={"avx512": "c", "avx2": "c", GPU: "n"}), found)
        labels = {line.label for line in lines}
        assert "GPU 1" in labels and len(lines) <= 8
        assert labels & {choice.best(1).name, choice.best(16).name}
        assert len({(line.style["color"], line.style["marker"]) for line in lines}) == len(lines) == len(labels)
    assert {"avx512, 16 cores, all hthreads/block, pthread barrier", "avx2, 1 core", "avx512x16, 1 core"} <= {
        line.label
        for line in plot.lines_of(
            question("barrier"), THERE, [r for m in mappings_of(question("barrier"), choice) for r in records_of(m)]
        )
    }


def test_recorded_results_are_told_and_drawn_again(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("matplotlib")
    file = tmp_path / "there.json"
    write_records(file, THERE, records_of(Mapping(GPU)))
    assert main(["call", "shared", "--from", str(file), "--plot", str(tmp_path / "new")]) == 0
    assert sorted(made.name for made in (tmp_path / "new").iterdir()) == ["call.svg", "shared.svg"]
    printed = capsys.readouterr().out
    assert "That CPU" in printed and "call: " in printed and "launch: " not in printed
    file.write_text("[]")
    assert main(["--from", str(file)]) == 1
    assert "holds no records of the suite" in capsys.readouterr().err


def test_wrong_results_are_not_drawn_and_stand_out_in_the_table(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    wrong = record("shared", Mapping("avx512"), checked=False, degree=0)
    right = record("shared", Mapping("avx512"), ns=2000.0, degree=4)
    report.print_tables(HERE, [wrong, right])
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert lines[0][:4] == ["This", "CPU,", "2", "hardware"]
    assert ["platform", "0", "4"] in lines
    assert ["avx512,", "1", "core", "WRONG", "2", "us"] in lines
    (line,) = plot.lines_of(question("shared"), HERE, [wrong, right])
    assert line.records == [right]


def table_of(printed: str, name: str) -> list[list[str]]:
    """Return the words of the rows below a question's heading in the comparison with a GPU."""
    below = printed.split("ratio: of the CPU's time", 1)[1].split(f"\n{name}: ", 1)[1].split("\n\n")[1]
    return [line.split() for line in below.splitlines()]


def test_a_cpu_is_compared_with_the_gpu_beside_it(capsys: pytest.CaptureFixture[str]) -> None:
    def points(mapping: Mapping, *ns: float) -> list[Record]:
        points = zip((16, 64, 1024), ns, strict=True)
        return [record("barrier", mapping, ns=time, form="data", threads=threads) for threads, time in points]

    found = points(Mapping("avx512"), 1, 30, 500)
    found += points(Mapping("avx512", lanes=16), 7, 7, 7)
    found += points(Mapping("avx512", cores=4, hthreads_per_block=ALL), 9, 9, 9)
    found += points(Mapping(GPU), 2000, 20, 40)
    against.print_against_gpu(THERE, found, [])
    printed = capsys.readouterr().out
    assert "That CPU against GPU 1, driver 5\n" in printed
    assert table_of(printed, "barrier") == [
        ["form", "platform", "16", "64", "1024", "gpu", "better"],
        ["data", "avx512,", "1", "core", "1", "ns", "30", "ns", "500", "ns"],
        ["gpu", "2", "us", "20", "ns", "40", "ns"],
        ["ratio", "<0.001x", "1.5x", "12x", "from", "64"],
    ]


def test_all_cores_are_compared_with_the_gpu_and_with_what_gathers_can_do(capsys: pytest.CaptureFixture[str]) -> None:
    def point(mapping: Mapping, ns: float) -> Record:
        return record("memory", mapping, ns=ns, form="read", warps="all", degree=64)

    found = [point(Mapping("avx512", cores=16), 0.245), point(Mapping("avx512"), 3.0), point(Mapping(GPU), 0.001)]
    against.print_against_gpu(THERE, found, [])
    assert table_of(capsys.readouterr().out, "memory")[1:] == [
        ["read,", "all", "avx512,", "16", "cores", "0.245", "ns"],
        ["gpu", "0.001", "ns"],
        ["ratio", "245x", "everywhere"],
        ["of", "gather", "limit", "63%"],
    ]


def test_divergence_is_compared_relative_to_one_way(capsys: pytest.CaptureFixture[str]) -> None:
    times = {Mapping("avx512"): (8.0, 16.0), Mapping("avx512", cores=16): (0.5, 4.0), Mapping(GPU): (0.1, 0.4)}
    found = [
        record("divergence", mapping, ns=ns, ways=ways)
        for mapping, pair in times.items()
        for ways, ns in zip((1, 16), pair, strict=True)
    ]
    against.print_against_gpu(THERE, found, [])
    printed = capsys.readouterr().out
    assert table_of(printed, "divergence")[1:] == [
        ["avx512,", "1", "core", "1", "2"], ["gpu", "1", "4"], ["ratio", "1x", "0.5x", "nowhere"],
    ]  # fmt: skip
    assert "avx512, 16 cores   1   8\n" in printed


def test_a_machine_without_a_gpu_is_compared_with_a_recorded_one(capsys: pytest.CaptureFixture[str]) -> None:
    ours = [record("call", Mapping("avx512"), kind="called", steps=1)]
    theirs = [record("call", Mapping(GPU), ns=20.0, kind="called", steps=steps) for steps in (1, 4)]
    against.print_against_gpu(HERE, ours, [(HERE, ours), (THERE, theirs)])
    printed = capsys.readouterr().out
    assert "This CPU against GPU 1, driver 5, measured 2026-01-01 beside That CPU\n" in printed
    assert table_of(printed, "call")[3] == ["ratio", "0.5x", "nowhere"]


def test_there_is_no_comparison_of_wrong_results_or_without_a_gpu(capsys: pytest.CaptureFixture[str]) -> None:
    ours = [record("call", Mapping("avx512"), kind="called", steps=1)]
    wrong = [record("call", Mapping(GPU), checked=False, kind="called", steps=1)]
    against.print_against_gpu(THERE, ours + wrong, [(HERE, ours)])
    assert capsys.readouterr().out == ""


def test_quick_runs_are_not_compared(capsys: pytest.CaptureFixture[str]) -> None:
    """Twenty barriers take as long as the launch: beside 100,000 of a GPU they would say anything."""
    ours = replace(record("barrier", Mapping("avx512"), form="data", threads=64), work={"barriers": 20}, quick=True)
    theirs = replace(record("barrier", Mapping(GPU), form="data", threads=64), work={"barriers": 100000})
    against.print_against_gpu(HERE, [ours], [(THERE, [theirs])])
    against.print_against_gpu(THERE, [ours, replace(theirs, quick=True)], [])
    printed = capsys.readouterr().out
    assert printed.count("no comparison with a GPU: --quick does too little for one") == 2 and "ratio" not in printed


def test_what_takes_no_longer_than_a_launch_is_a_bound(capsys: pytest.CaptureFixture[str]) -> None:
    def barriers(mapping: Mapping, form: str, ns: float) -> Record:
        made = record("barrier", mapping, ns=ns, form=form, threads=64)
        return replace(made, work={"barriers": 100000}, unit="ns per barrier")

    ours = [barriers(Mapping("avx512"), "empty", 0.0012), barriers(Mapping("avx512"), "data", 5.0)]
    theirs = [barriers(Mapping(GPU), "empty", 8.0), barriers(Mapping(GPU), "data", 10.0)]
    report.print_tables(HERE, ours)
    against.print_against_gpu(HERE, ours, [(THERE, theirs)])
    lines = [line.split() for line in capsys.readouterr().out.splitlines()]
    assert [line[-2:] for line in lines if "empty" in line] == [["<0.01", "ns"]] * 2
    assert [line[1:] for line in lines if line[:1] == ["ratio"]] == [[], ["0.5x", "nowhere"]]
    launch = replace(record("launch", Mapping("avx512")), unit="ns per launch", work={"launches": 1})
    assert launch.is_known and launch.least is None


@pytest.mark.parametrize(
    "ratios, said",
    [
        ((0.5, 0.5, 0.5), "nowhere"),
        ((2, 2, 2), "everywhere"),
        ((0.5, 2, 2), "from 4"),
        ((2, 0.5, 0.5), "up to 1"),
        ((0.5, 2, 0.5), "at 4"),
    ],
)
def test_where_the_gpu_is_better(ratios: tuple[float, ...], said: str) -> None:
    assert against.where_better(dict(zip((1, 4, 16), ratios, strict=True))) == said


def test_divergence_is_drawn_relative_to_one_way() -> None:
    found = [record("divergence", Mapping("avx512"), ns=ns, ways=ways) for ways, ns in ((1, 5.0), (2, 15.0))]
    assert plot.points(question("divergence"), found) == [(1.0, 1.0), (2.0, 3.0)]


def test_recorded_results_of_the_suite_are_whole() -> None:
    for machine, records in measure.recorded():
        assert machine.commit and machine.compiler and machine.flags and records
        assert {record.bench for record in records} in ({"children"}, set(NAMES) - {"children"})  # measured separately
        assert all(record.checked for record in records)


# ------------------------------------------------------------------------------------------- wrong usage


@pytest.mark.parametrize(
    "arguments, code, said",
    [
        (["nothing"], 2, "no question 'nothing': choose from launch, memory"),
        (["--cores", "0"], 2, "--cores 0: expected a number from 1"),
        (["--target", "avx"], 2, "invalid choice: 'avx'"),
        (["--lanes", "17"], 2, "invalid choice: 17"),
        (["--build", "x", "--json", "y"], 2, "--build only builds: --json and --plot do not go with it"),
        (["call", "--cores", "1000"], 1, "--cores 1000: this process may use"),
        (["call", "--json", "nowhere/x.json"], 1, "nowhere/x.json: there is no directory 'nowhere'"),
        (["call", "--from", "nowhere.json"], 1, "nowhere.json: No such file or directory"),
        (
            ["call", "--from", "x", "--json", "y"],
            2,
            "--from measures nothing: --json, --build and --gpu do not go with it",
        ),
        (["call", "--gpu"], 1, "--gpu: nvidia-smi finds no GPU on this machine"),
    ],
)
def test_wrong_arguments_are_explained(
    arguments: list[str], code: int, said: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(run, "gpu_architecture", str)
    try:
        found = main(arguments)
    except SystemExit as exit:
        found = int(str(exit.code))
    assert found == code
    assert said in capsys.readouterr().err


def test_a_target_that_this_cpu_lacks_is_named(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(run, "runs_here", lambda target: False)
    monkeypatch.setattr(run, "cpu_features", frozenset)
    assert main(["call", "--target", "avx2"]) == 1
    assert "--target avx2: this CPU has no abm avx avx2 bmi1" in capsys.readouterr().err


def test_a_plot_without_matplotlib_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert main(["call", "--plot", str(tmp_path)]) == 1
    assert "pip install simt2simd[plot]" in capsys.readouterr().err


def test_help_lists_the_questions(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as exit:
        main(["--help"])
    printed = capsys.readouterr().out
    assert exit.value.code == 0
    assert all(f"  {each.name}" in printed and each.text in printed for each in QUESTIONS)


@pytest.fixture
def terminal_without_rich(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    for name in ("rich", "rich.console", "rich.progress", "rich.table"):
        monkeypatch.setitem(sys.modules, name, None)
    for stream in (sys.stdout, sys.stderr):
        monkeypatch.setattr(stream, "isatty", lambda: True)


@pytest.mark.usefixtures("terminal_without_rich")
def test_without_rich_bars_are_lines_and_tables_columns(capsys: pytest.CaptureFixture[str]) -> None:
    with progress("building", 1) as done:
        done()
    harness.print_table(("name", "ms"), [("launch", "7"), ("call", "12.5")], left=1)
    printed = capsys.readouterr()
    assert printed.err.splitlines() == ["building: 0 of 1", "building: 1 of 1"]
    assert printed.out.splitlines() == ["name      ms", "launch     7", "call    12.5"]


def test_with_rich_tables_have_lines(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("rich")
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    harness.print_table(("name", "ms"), [("launch", "7")], left=1)
    assert "│ launch │  7 │" in capsys.readouterr().out


def test_without_a_terminal_a_line_now_and_then_says_how_far_it_is(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    seconds = iter(range(0, 100, 4))
    monkeypatch.setattr("time.monotonic", lambda: next(seconds))
    with progress("measuring", 7) as done:
        for _ in range(7):
            done()
    assert capsys.readouterr().err.splitlines() == [f"measuring: {n} of 7" for n in (0, 3, 6, 7)]


def test_nothing_is_drawn_into_a_pipe() -> None:
    command = [sys.executable, "-m", "microbench", "call", *QUICK, "--cores", "1"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0
    plain = re.compile(r"this machine is busy .*|(building|measuring): \d+ of \d+")
    assert all(plain.fullmatch(line) for line in done.stderr.splitlines()), done.stderr
