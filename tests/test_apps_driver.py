"""The applications' driver: measuring, wrong answers and arguments, folders for other machines, tables, figures."""

from __future__ import annotations

import argparse
import json
import shutil
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from apps import report, run_built
from apps.__main__ import main
from apps.bs.run import APP as BS
from apps.common import driver, measure, plan, plots, session, summary, tables, variants
from apps.common.app import FOLDER, App, Array, Arrays, Case, Peer, app_of, chapters, names
from apps.common.chapters import CHAPTERS, Chapter, by_chapter
from apps.common.measure import Settings
from apps.common.prepare import HOST, Builder, make_programs
from apps.common.variants import Variant
from apps.harness import AppError, Record, print_records
from apps.machine import CUDA, Machine
from apps.pc.run import APP as PC
from apps.records import read_records, write_records
from simt2simd.target import TARGETS, cpu_features

ROOT = Path(__file__).parent.parent
TARGET = next(name for name, target in TARGETS.items() if target.required <= cpu_features())
MACHINE = Machine("This CPU", 16, "", 0.0, "Linux", "2026-01-01", "abc", {TARGET: "c"}, {TARGET: "f"})

# ------------------------------------------------------------------------------------------- an application

QUICKLY = Variant("quickly", "a program", "device")
BASELINE = Variant("baseline", "C++", "host", parallel=False)
PACKAGE = Variant("package", "NumPy", "python")


def _double(name: str, args: argparse.Namespace) -> Iterator[Case]:
    if name == "empty":
        raise AppError("empty: there must be a number")
    yield Case(name, name, {"numbers": np.arange(4.0)}, ("--input", "{numbers}"))


def _check(what: str, case: Case, truth: Arrays, answers: Array) -> None:
    if (answers != truth["doubled"]).any():
        raise AppError(f"{what}: {answers.tolist()} is not double")


DOUBLE = App(
    name="double",
    question="twice as much",
    source=ROOT / "double.cu",
    inputs=("four",),
    known_inputs="four",
    cases=_double,
    truth=lambda case, most: {"doubled": 2 * case.arrays["numbers"]},
    check=_check,
    variants=(QUICKLY, BASELINE, PACKAGE),
    baselines=("baseline",),
    peers={
        "package": Peer("numpy", lambda case, _, __: lambda: 2 * case.arrays["numbers"], lambda _, result: result),
    },
)


def program(folder: Path, name: str, factor: float, says: str) -> str:
    """Write a program that multiplies by a factor and prints a text; its arguments are those of every application."""
    text = f"""#!{sys.executable}
import sys, numpy
given = dict(zip(sys.argv[1::2], sys.argv[2::2]))
numpy.save(given["--out"], {factor} * numpy.load(given["--input"]))
print({says!r})
"""
    path = folder / name
    path.write_text(text)
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return name


def command(variant: str, target: str, file: str, parallel: bool = True) -> plan.Command:
    return plan.Command(variant, target, file, (), parallel)


def measured(folder: Path, *commands: plan.Command, cores: tuple[int, ...] = (1,)) -> tuple[list[Record], list[str]]:
    (case,) = _double("four", argparse.Namespace())
    problem = plan.problem_of(DOUBLE, case, commands, folder, None)
    return measure.measure(DOUBLE, problem, "sorted", folder, Settings(cores, quick=True), lambda: None)


# ------------------------------------------------------------------------------------------- measuring


def test_times_of_all_variants_are_compared_with_the_quickest_baseline(tmp_path: Path) -> None:
    quick = program(tmp_path, "quick", 2, "kernel: 1.5 ms (best of 1)\ntransfers: 0.25 ms")
    slow = program(tmp_path, "slow", 2, "host: 6.0 ms")
    commands = (command("quickly", TARGET, quick), command("baseline", HOST, slow, parallel=False))
    records, troubles = measured(tmp_path, *commands, command("package", "python", ""))
    assert not troubles
    assert [(r.variant, r.target, r.cores) for r in records] == [
        ("quickly", TARGET, 1), ("baseline", HOST, 1), ("package", "python", 1),
    ]  # fmt: skip
    assert all(record.checked and record.baseline == "baseline" for record in records)
    assert (records[0].ms, records[0].ratio, records[0].transfer_ms) == (1.5, 4.0, 0.25)
    assert (records[1].ratio, records[1].transfer_ms) == (1.0, None)


def test_wrong_answers_have_a_record_that_says_so_and_no_ratio(tmp_path: Path) -> None:
    right = command("baseline", HOST, program(tmp_path, "right", 2, "host: 6.0 ms"))
    wrong = command("quickly", TARGET, program(tmp_path, "wrong", 3, "kernel: 1.5 ms"))
    records, troubles = measured(tmp_path, right, wrong)
    assert [(record.checked, record.ratio) for record in records] == [(True, 1.0), (False, None)]
    assert troubles == [
        "four, sorted, quickly, 1 core: four, quickly: [0.0, 3.0, 6.0, 9.0] is not double",
    ]


def test_package_with_another_model_is_judged_and_not_compared(tmp_path: Path) -> None:
    def judge(case: Case, found: Array) -> dict[str, float]:
        if case.input != "four":
            raise AppError("bad answers")
        return {"accuracy": float(np.mean(found == case.arrays["numbers"]))}

    def one_more(case: Case, _: str, __: int) -> Callable[[], Array]:
        return lambda: np.maximum(case.arrays["numbers"], 1)

    other = Peer("numpy", one_more, lambda _, found: found, judge)
    app = replace(DOUBLE, peers={"package": other})
    (case,) = _double("four", argparse.Namespace())
    for name, accuracy, trouble in (("four", 0.75, []), ("five", None, ["bad answers"])):
        own = replace(case, input=name)
        problem = plan.problem_of(app, own, (command("package", "python", ""),), tmp_path, None)
        records, troubles = measure.measure(app, problem, "sorted", tmp_path, Settings((1,), True), lambda: None)
        assert [record.parameters.get("accuracy") for record in records if record.checked] == [accuracy] * (not trouble)
        assert [each.rpartition(": ")[2] for each in troubles] == trouble


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("#!/bin/sh\necho no memory >&2\nexit 3\n", "exit code 3 from"),
        ("#!/bin/sh\necho kernel: soon\n", "it did not say how long it took, or wrote no answers"),
    ],
)
def test_program_that_fails_is_reported_and_the_others_continue(tmp_path: Path, text: str, said: str) -> None:
    program(tmp_path, "failing", 2, "")
    (tmp_path / "failing").write_text(text)
    right = program(tmp_path, "right", 2, "host: 6.0 ms")
    records, troubles = measured(tmp_path, command("quickly", TARGET, "failing"), command("baseline", HOST, right))
    assert [record.variant for record in records] == ["baseline"]
    assert len(troubles) == 1 and said in troubles[0]


def test_only_parallel_commands_run_on_several_cores(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measure, "_cpus", lambda cores: [])
    file = program(tmp_path, "any", 2, "kernel: 1.5 ms")
    commands = (command("quickly", TARGET, file), command("baseline", HOST, file, False), command("x", CUDA, file))
    records, _ = measured(tmp_path, *commands, cores=(1, 2, 4))
    assert [(record.variant, record.cores) for record in records] == [
        ("quickly", 1), ("quickly", 2), ("quickly", 4), ("baseline", 1), ("x", plan.GPU_CORES),
    ]  # fmt: skip


def test_parallel_baselines_are_compared_with_on_as_many_cores(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(measure, "_cpus", lambda cores: [])
    program(tmp_path, "host", 2, "")
    text = (
        (tmp_path / "host")
        .read_text()
        .replace("print('')", "import os; print('host:', 8 / int(os.environ['S2S_THREADS']), 'ms')")
    )
    (tmp_path / "host").write_text(text)
    kernel = program(tmp_path, "kernel", 2, "kernel: 2.0 ms")
    commands = (command("quickly", TARGET, kernel), command("baseline", HOST, "host"), command("x", CUDA, kernel))
    records, _ = measured(tmp_path, *commands, cores=(1, 2))
    assert [record.ratio for record in records] == [4.0, 2.0, 1.0, 1.0, 2.0]


def test_arrays_that_lie_in_an_order_are_measured_in_that_one_only(tmp_path: Path) -> None:
    args = argparse.Namespace(order=None)
    assert session.orders_of(DOUBLE, "", args) == ("sorted", "shuffled")
    assert session.orders_of(DOUBLE, "shuffled", args) == ("shuffled",)
    assert session.orders_of(replace(DOUBLE, orders=()), "", args) == (None,)
    args.order = "sorted"
    assert session.orders_of(DOUBLE, "", args) == ("sorted",)
    assert session.orders_of(DOUBLE, "shuffled", args) == ()
    assert session.orders_of(replace(DOUBLE, orders=()), "", args) == (None,)


def test_numbers_that_differ_from_other_variants_are_wrong() -> None:
    known = np.array([(1, 1.0), (2, 2.0)], [("row", "<i4"), ("distance", "<f4")])
    measure._compare(known, known.copy(), 1e-6)
    other = known.copy()
    other["distance"][1] = 2.1
    with pytest.raises(AppError, match="the field distance differs from other variants' in 1 places; first: row 1"):
        measure._compare(known, other, 1e-6)


def test_what_traversals_do_is_read_from_the_runtime(tmp_path: Path) -> None:
    counted = {
        "function": "walk", "visits_per_query": {"mean": 20.5, "max": 40}, "steps_per_gang": 50, "lanes_per_step": 6.5,
        "work_expansion": {"mean": 1.25, "deviation": 0.5},
    }  # fmt: skip
    file = program(tmp_path, "any", 2, "kernel: 1.5 ms")
    written = json.dumps({"traversals": [counted]})
    text = (tmp_path / file).read_text()
    text += f"import os\nopen(os.environ['S2S_STATS'].removeprefix('json:'), 'w').write({written!r})\n"
    (tmp_path / "counting").write_text(text)
    (tmp_path / "counting").chmod(0o755)
    records, troubles = measured(tmp_path, replace(command("quickly", TARGET, file), counting="counting"))
    assert not troubles and records[0].traversals == [counted]
    (row,) = tables.expansion(records).rows
    assert row == ("double", "four", "sorted", "quickly", "walk", "20.50", "50.00", "6.50", "1.25", "0.50")


# ------------------------------------------------------------------------------------------- arguments


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["nm"], f"unknown application 'nm'; there are {', '.join(names())}"),
        (["pc", "nm"], "unknown application 'nm'"),
        (["pc", "--variant", "quick"], "unknown variant 'quick'; those of pc are auto, host-iterative, host-recursive"),
        (["--variant", "auto", "quick"], "unknown variant 'quick'; those are advanced, all-pairs, auto,"),
        (["nn", "--variant", "static-ropes"], "unknown variant 'static-ropes'; those of nn are auto,"),
        (["pc", "--order", "random"], "--order: invalid choice: 'random'"),
        (["pc", "--cores", "0"], "--cores: expected a whole number from 1, found '0'"),
        (["pc", "--radius", "-1"], "--radius: expected a number from 0 to 1e18, found '-1'"),
        (["pc", "knn", "--k", "8"], "unrecognized arguments: --k"),
        (["pc", "--build", "x", "--json", "y"], "--build only builds: --json and --plot do not go with it"),
    ],
)
def test_wrong_arguments_are_explained_with_exit_code_2(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as exit:
        main(arguments)
    assert exit.value.code == 2
    assert said in capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["nn", "--input", "towns"], "apps nn: error: unknown input 'towns'; expected cities, flights,"),
        (["nn", "vp", "--input", "random:3x2"], "apps: error: no application has an input 'random:3x2'; name one"),
        (["bs", "--cores", "100000"], "apps: error: --cores 100000: this process may use "),
        (["bs", "--json", "nowhere/x.json"], "apps: error: nowhere/x.json: there is no directory 'nowhere'"),
        (["bs", "--gpu"], "apps: error: --gpu: nvidia-smi finds no GPU on this machine"),
        (["bs", "--input", "random:3x2"], "apps bs: error: random:3x2: a search tree needs points of 1 coordinate"),
    ],
)
def test_what_cannot_be_is_explained_with_exit_code_1(
    arguments: list[str], said: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(driver, "gpu_architecture", str)
    assert main(arguments) == 1
    assert said in capsys.readouterr().err


def test_help_of_an_application_has_its_variants_and_options(capsys: pytest.CaptureFixture[str]) -> None:
    for arguments, said in ((["pc", "--help"], ["--radius R", "static-ropes", "cities"]), (["--help"], [PC.question])):
        with pytest.raises(SystemExit) as exit:
            main(arguments)
        assert exit.value.code == 0
        printed = capsys.readouterr().out
        assert all(text in printed for text in said)


def test_quick_runs_take_small_inputs() -> None:
    def inputs(*arguments: str) -> tuple[str, ...]:
        (chosen,), _ = driver._parse(["bs", *arguments])
        return chosen.inputs

    assert (inputs(), inputs("--quick")) == (BS.inputs, BS.quick_inputs)
    assert inputs("--quick", "--input", "mine.npy", "yours.npy") == ("mine.npy", "yours.npy")


def test_quick_runs_take_few_forms() -> None:
    """All 100 programs of all applications take half an hour to build."""

    def forms(*arguments: str) -> dict[str, tuple[str, ...]]:
        chosen, _ = driver._parse([*arguments])
        return {each.app.name: tuple(variant.name for variant in each.variants) for each in chosen}

    every = forms("--quick")
    assert list(every) == names()
    assert every["pc"] == ("auto", "recursive", "host-recursive")
    assert every["td"] == ("rec", "flat", "host-recursive") and every["hotspot"] == ("auto", "openmp")
    chosen, _ = driver._parse(["--quick"])
    assert all(len(each.inputs) == 1 and len(each.variants) <= 3 for each in chosen)
    assert forms("bs", "--quick", "--input", "random:50x1")["bs"] == tuple(v.name for v in BS.variants if v.usual)
    assert forms("bs", "--quick", "--variant", "ropes", "refill")["bs"] == ("ropes", "refill")


def test_what_compiling_and_launching_take_is_a_timing(capsys: pytest.CaptureFixture[str]) -> None:
    timing = Record("nn", "compile", None, "auto", TARGET, 1, 3.0, False, goal_ms=4.0)
    print_records([timing, replace(timing, goal_ms=None), replace(timing, goal_ms=None, checked=True)])
    lines = [line.split() for line in capsys.readouterr().out.splitlines()[1:]]
    assert [" ".join(line[-2:]) for line in lines] == ["a timing", "3.00 WRONG", "3.00 yes"]


def test_of_several_applications_each_takes_the_inputs_that_it_has() -> None:
    chosen, _ = driver._parse(["--input", "cities", "random:20000x1", "--variant", "static-ropes", "host-recursive"])
    assert {each.app.name: each.inputs for each in chosen if each.app.name in ("pc", "bs", "vp")} == {
        "pc": ("cities",), "bs": ("random:20000x1",), "vp": ("cities",),
    }  # fmt: skip
    for each in chosen:
        wanted = {"static-ropes", "host-recursive"} & {variant.name for variant in each.app.variants}
        assert {variant.name for variant in each.variants} == wanted


def test_unusual_variants_run_only_if_they_are_named() -> None:
    for arguments, there in (["pc"], False), (["pc", "--variant", "ropes-as-asked"], True):
        (chosen,), _ = driver._parse(arguments)
        assert (variants.ROPES_AS_ASKED in chosen.variants) == there


def test_every_application_says_what_the_driver_needs() -> None:
    for name in names():
        app = app_of(name)
        assert app.name == name and app.source.exists() and app.inputs and app.question
        assert set(app.baselines) <= {variant.name for variant in app.variants if variant.runner == "host"}
        assert set(app.peers) == {variant.name for variant in app.variants if variant.runner == "python"}
        assert len({variant.name for variant in app.variants}) == len(app.variants)


# ------------------------------------------------------------------------------------------- chapters


def test_every_application_is_in_one_chapter() -> None:
    there = {path.parent.name for path in FOLDER.glob("*/run.py")}
    listed = [name for chapter in CHAPTERS for name in chapter.names]
    assert there <= set(listed)
    assert len(set(listed)) == len(listed)


def test_chapters_have_only_applications_that_there_are() -> None:
    pc, forest, other = "pc", "forest", "unheard-of"
    assert by_chapter([other, forest, pc]) == [
        Chapter("Traversals", (pc,)), Chapter("Random forests", (forest,)), Chapter("In no chapter", (other,)),
    ]  # fmt: skip


def test_without_arguments_all_applications_are_listed_by_chapter(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 0
    printed = capsys.readouterr().out
    places = [printed.index(f"  {name} ") for name in names()]
    assert places == sorted(places)
    assert all(printed.count(f"{chapter.title}:\n") == 1 for chapter in chapters())


def test_all_stands_for_every_application() -> None:
    chosen, _ = driver._parse(["all", "--quick"])
    assert [each.app.name for each in chosen] == names()
    chosen, _ = driver._parse(["bs", "pc", "--quick"])
    assert [each.app.name for each in chosen] == ["pc", "bs"]


def test_readme_has_every_application_under_its_chapter() -> None:
    text = (FOLDER / "README.md").read_text()
    for chapter in chapters():
        section = text.partition(f"\n### {chapter.title}\n")[2].partition("\n#")[0]
        assert all(f"\n| [{name}]({name}/README.md) |" in section for name in chapter.names), chapter.title


# ------------------------------------------------------------------------------------------- building


def test_gpu_gets_the_program_as_it_is_and_every_transformed_form() -> None:
    case = Case("i", "i", {}, (), ("-DDIM=2",))
    wanted = Builder(TARGET, native=False, architecture="sm_90").wanted(PC, case, PC.variants)
    recipes = {each.variant.name: each.recipe for each in wanted if each.target == CUDA}
    assert list(recipes) == [
        "auto", "recursive", "ropes", "static-ropes", "lockstep", "static-ropes-lockstep", "refill", "sort-queries",
        "lockstep-sorted",
    ]  # fmt: skip
    flags = ("--target", "cuda", "-std=c++17", "-arch=sm_90")
    as_it_is = recipes.pop("recursive")
    assert as_it_is and (as_it_is.flags, as_it_is.emit) == ((*flags, "-DDIM=2"), ())
    for name, flag in (("sort-queries", ("--sort-queries",)), ("lockstep-sorted", variants.LOCKSTEP_SORTED.flags)):
        recipe = recipes.pop(name)
        assert recipe and recipe.emit == (*flag, "-DDIM=2")
    for name, recipe in recipes.items():
        assert recipe and (recipe.flags, recipe.emit) == (flags, (f"--traverse={name}", "-DDIM=2"))


def test_built_host_code_runs_wherever_the_kernels_do() -> None:
    case = Case("i", "i", {}, ())
    for native, march in ((True, "native"), (False, {"avx512": "x86-64-v4", "avx2": "x86-64-v3"}[TARGET])):
        (wanted,) = Builder(TARGET, native, None).wanted(PC, case, (variants.HOST_RECURSIVE,))
        assert wanted.recipe and f"-O3,-march={march},-fno-math-errno,-fopenmp" in wanted.recipe.flags


@pytest.mark.slow
def test_nvcc_compiles_what_simt2simd_emits() -> None:
    if not shutil.which("nvcc"):
        pytest.skip("nvcc is not installed")
    wanted = Builder(TARGET, False, "sm_90").on_gpu(BS, Case("i", "i", {}, ()), variants.ROPES)
    assert wanted and wanted.recipe
    assert isinstance(make_programs([wanted.recipe], lambda: None)[wanted.recipe], Path)


BARE = """
import runpy, sys
for name in ("scipy", "sklearn", "llvmlite", "pycparser", "pcpp", "cffi", "simt2simd._runtime", "rich", "matplotlib"):
    sys.modules[name] = None
sys.argv = sys.argv[1:]
runpy.run_module("apps.run_built", run_name="__main__", alter_sys=True)
"""


def test_built_folder_is_measured_without_our_packages(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder, file = tmp_path / "built", tmp_path / "records.json"
    command = ["bs", "--input", "random:3000x1", "--variant", "auto", "host-recursive", "--build", str(folder)]
    assert main(command) == 0, capsys.readouterr().err
    assert capsys.readouterr().out == f"1 problems and 1 programs in {folder}\n"
    manifest = plan.read_manifest(folder)
    assert [each.variant for each in manifest.problems[0].commands] == ["auto", "host-recursive"]
    assert manifest.compiler[TARGET].startswith("simt2simd")
    assert not list(folder.glob("*.npy")), "NumPy makes the input again"
    arguments = ["run_built", str(folder), "--quick", "--order", "shuffled", "--json", str(file)]
    done = subprocess.run([sys.executable, "-c", BARE, *arguments], capture_output=True, text=True, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    taken = read_records(file, Record)
    assert taken is not None and taken[0].flags == manifest.flags
    assert [(record.variant, record.order, record.checked) for record in taken[1]] == [
        ("auto", "shuffled", True), ("host-recursive", "shuffled", True),
    ]  # fmt: skip


def built(folder: Path, *commands: plan.Command) -> Path:
    (case,) = BS.cases("random:30x1", argparse.Namespace())
    folder.mkdir()
    problem = plan.problem_of(BS, case, commands, folder, None)
    plan.write_manifest(folder, plan.Manifest("abc", {TARGET: "c", CUDA: "n"}, {TARGET: "f", CUDA: "g"}, (problem,)))
    return folder


def test_built_folder_with_wrong_answers_ends_with_exit_code_1(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = built(tmp_path / "built", command("auto", TARGET, "wrong"))
    program(folder, "wrong", 1, "kernel: 1 ms")
    assert run_built.main([str(folder), "--quick", "--order", "sorted"]) == 1
    said = "apps bs: error: random:30x1, sorted, auto, 1 core: answers of type float32 and shape (30,) make no sense: "
    assert said in capsys.readouterr().err


def test_gpu_programs_run_only_where_they_are_wanted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = built(tmp_path / "built", command("recursive", CUDA, "any"))
    assert run_built.main([str(folder)]) == 1
    assert f"nothing in {folder} is wanted and runs on this machine" in capsys.readouterr().err
    monkeypatch.setattr(run_built, "gpu_name", str)
    assert run_built.main([str(folder), "--gpu"]) == 1
    assert "--gpu: nvidia-smi finds no GPU on this machine" in capsys.readouterr().err


def test_inputs_that_numpy_makes_otherwise_are_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = built(tmp_path / "built", command("auto", TARGET, "any"))
    for file in folder.glob("*.npy"):
        file.unlink()
    problem = plan.read_manifest(folder).problems[0]
    (tmp_path / "made").mkdir()
    made = plan.make_missing(BS, problem, folder, tmp_path / "made")
    assert Path(made.arrays["keys"]).exists() and made.case(folder).arrays["keys"].shape == (30,)
    monkeypatch.setattr(np.random, "default_rng", lambda seed: np.random.Generator(np.random.PCG64(7)))
    assert run_built.main([str(folder)]) == 1
    assert "apps bs: error: random:30x1: NumPy " in capsys.readouterr().err


def test_programs_that_this_cpu_cannot_run_are_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = built(tmp_path / "built", command("auto", TARGET, "any"), command("host-recursive", HOST, "any"))
    monkeypatch.setattr(run_built, "cpu_features", frozenset)
    assert run_built.main([str(folder)]) == 1
    assert f"nothing in {folder} is wanted and runs on this machine" in capsys.readouterr().err


def test_what_was_not_built_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run_built.main([str(tmp_path)]) == 1
    assert f"cannot read {tmp_path / plan.MANIFEST}: No such file or directory" in capsys.readouterr().err
    (tmp_path / plan.MANIFEST).write_text('{"problems": 3}')
    assert run_built.main([str(tmp_path)]) == 1
    assert "manifest.json was not written by --build" in capsys.readouterr().err
    folder = built(tmp_path / "built", command("auto", TARGET, "any"))
    for arguments, said in (
        (["nn"], "no application 'nn' in the folder; there are bs"),
        (["--variant", "ropes"], "no variant 'ropes' in the folder; there are auto"),
        (["--input", "cities"], "no input 'cities' in the folder; there are random:30x1"),
    ):
        with pytest.raises(SystemExit) as exit:
            run_built.main([str(folder), *arguments])
        assert exit.value.code == 2 and said in capsys.readouterr().err


# ------------------------------------------------------------------------------------------- tables and figures


def record(variant: str, target: str, cores: int, ms: float, transfer_ms: float | None = None) -> Record:
    return Record(
        "pc", "cities", "sorted", variant, target, cores, ms, True, "host-recursive", 12 / ms, transfer_ms=transfer_ms
    )


RECORDS = [
    record("host-recursive", HOST, 1, 12.0),
    record("auto", TARGET, 1, 4.0),
    record("auto", TARGET, 16, 0.4),
    record("ropes", TARGET, 16, 0.5),
    record("recursive", CUDA, 0, 0.8, transfer_ms=0.3),
    record("lockstep", CUDA, 0, 0.1, transfer_ms=0.5),
    record("refill", CUDA, 0, 0.2, transfer_ms=0.2),
    replace(record("none", TARGET, 1, 1.0), checked=False, ratio=None),
]


def test_speedups_have_a_row_for_each_number_of_cores_and_show_wrong_answers() -> None:
    table = tables.speedups(RECORDS, "pc")
    variants = ("host-recursive", "auto", "ropes", "recursive", "lockstep", "refill", "none")
    assert table.header == ("input", "order", "on", *variants)
    assert table.rows == (
        ("cities", "sorted", "1 core", "1.00", "3.00", "", "", "", "", "WRONG"),
        ("cities", "sorted", "16 cores", "", "30.0", "24.0", "", "", "", ""),
        ("cities", "sorted", "GPU", "", "", "", "15.0", "120.0", "60.0", ""),
    )
    assert table.markdown().splitlines()[2].startswith("| input | order | on | host-recursive |")


def test_places_without_a_baseline_are_not_among_the_speedups() -> None:
    alone = replace(RECORDS[1], input="mine", baseline=None, ratio=None)
    assert [row[0] for row in tables.speedups([*RECORDS, alone], "pc").rows] == ["cities"] * 3
    assert [row[0] for row in tables.times([*RECORDS, alone], "pc").rows] == [*["cities"] * 3, "mine"]


def test_launches_are_told_where_they_take_time() -> None:
    short, long = (replace(RECORDS[1], launches_ms=ms) for ms in (0.01, 0.1))
    assert [row[-1] for row in tables.launches([short, long]).rows] == ["2.50 %"]


def test_cores_are_compared_with_one() -> None:
    table = tables.scaling(RECORDS)
    assert (table.header[-1], table.rows) == ("16 cores", (("pc", "cities", "sorted", "auto", "4.00", "10.0"),))


def test_gpu_is_compared_with_its_quickest_form_without_and_with_transfers() -> None:
    (duel,) = summary.duels(RECORDS)
    assert (duel.cpu.variant, duel.cpu.cores) == ("auto", 16)
    assert (duel.gpu.variant, duel.gpu_with_transfers.variant) == ("lockstep", "refill")
    (row,) = tables.against_gpu(RECORDS).rows
    assert row[-3:] == ("4.00", "1.00", "0.50")
    assert not tables.against_gpu([each for each in RECORDS if each.target != CUDA]).rows


def test_figures_are_drawn_of_what_there_is(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    machine = replace(MACHINE, gpu="GPU 1, driver 5")
    files = plots.plot(machine, RECORDS, tmp_path / "all")
    assert [file.name for file in files] == ["pc.svg", "scaling.svg", "gpu.svg"]
    assert all(file.read_text().count("<path") > 5 for file in files)
    assert [file.name for file in plots.plot(MACHINE, RECORDS[:2], tmp_path / "few")] == ["pc.svg"]
    many = [RECORDS[0], *RECORDS[2:4]]
    assert [file.name for file in plots.plot(MACHINE, many, tmp_path / "many")] == ["pc.svg"]


def test_figures_have_a_panel_for_each_number_of_cores_and_the_gpu(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    drawn = plots.plot(replace(MACHINE, gpu="GPU 1, driver 5"), RECORDS, tmp_path)[0].read_text()
    assert all(f"<!-- {text} -->" in drawn for text in ("1 core", "16 cores", "GPU 1", "auto", "ropes", "lockstep"))
    assert "<!-- none -->" not in drawn and "<!-- host-recursive -->" not in drawn


def test_times_are_drawn_over_the_parameter_that_an_application_names(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    sizes = (2, 16, 128)
    own = [
        replace(each, app="rtree", input=f"random:9x2, N={size}", order=order, parameters={"node size": size})
        for size in sizes
        for order in ("sorted", "shuffled")
        for each in (*RECORDS[:2], replace(RECORDS[3], checked=False, ratio=None))
    ]
    files = plots.plot(MACHINE, [*own, *RECORDS[:2]], tmp_path)
    drawn = next(file for file in files if file.name == "rtree-node-size.svg").read_text()
    named = ("host-recursive, sorted", "auto, shuffled", "node size")
    assert all(f"<!-- {text} -->" in drawn for text in named) and "ropes" not in drawn
    assert "pc-" not in "".join(file.name for file in files)


def test_report_renders_recorded_results(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "records.json"
    write_records(file, MACHINE, [*RECORDS, Record("pc", "compile", None, "auto", TARGET, 1, 3.0, False, goal_ms=4.0)])
    assert report.main([str(file)]) == 0
    printed = capsys.readouterr().out
    assert printed.startswith("## This CPU, 16 hardware threads, 2026-01-01, abc\n")
    assert f"### pc: {PC.question}" in printed and "| compile | 3.00 | 4.00 |" in printed
    file.write_text("[1]")
    assert report.main([str(file)]) == 1
    assert capsys.readouterr().err == f"report: error: {file} holds no records of applications\n"


def test_input_too_large_for_memory_is_an_error_that_names_the_application() -> None:
    message = r"^apps pc: error: an input is too large for this machine's memory: 1 TiB$"
    with pytest.raises(AppError, match=message), session.naming(PC):
        raise MemoryError("1 TiB")
