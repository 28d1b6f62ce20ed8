"""Measuring in little time: what runs side by side, what has no time, and what need not run again."""

from __future__ import annotations

import argparse
import json
import os
import stat
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from apps import run_built
from apps.common import hurried, jobs, plan
from apps.common.app import App, Array, Arrays, Case
from apps.common.jobs import Job, Pool
from apps.common.measure import Settings
from apps.common.session import Session
from apps.common.variants import Variant
from apps.harness import AppError, Record
from apps.machine import CUDA, Machine
from apps.records import read_records, write_records
from simt2simd.target import TARGETS, cpu_features

TARGET = next(name for name, target in TARGETS.items() if target.required <= cpu_features())
MACHINE = Machine("This CPU", 16, "", 0.0, "Linux", "2026-01-01", "abc", {TARGET: "c"}, {TARGET: "f"})


# ------------------------------------------------------------------------------------------- side by side


class Watch:
    """Keeps what runs at a time."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.lock = threading.Lock()
        self.running: dict[str, int] = {}
        self.seen: list[dict[str, int]] = []
        self.bound: dict[int, list[int]] = {}
        monkeypatch.setattr(os, "sched_setaffinity", self.bind)

    def bind(self, _: int, cpus: list[int]) -> None:
        self.bound[threading.get_ident()] = list(cpus)

    def job(self, name: str, cpus: int, gpu: bool = False, urgent: int = 1, timed: bool = True) -> Job:
        def work(_: Callable[[], None]) -> None:
            with self.lock:
                self.running[name] = len(self.bound[threading.get_ident()])
                self.seen.append(dict(self.running))
                used = [cpu for cpus in self.bound.values() for cpu in cpus]
                assert len(used) == len(set(used)), "each has CPUs of its own"
            time.sleep(0.03)
            with self.lock:
                del self.running[name], self.bound[threading.get_ident()]

        return Job(cpus, gpu, urgent, work, timed)


def test_one_is_timed_on_the_cpu_beside_one_on_the_gpu_and_what_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    watch = Watch(monkeypatch)
    jobs = [watch.job("all", 4), *(watch.job(f"timed {i}", 1) for i in range(5)), watch.job("timed wide", 2)]
    jobs += [watch.job(f"gpu {i}", 1, gpu=True) for i in range(3)]
    jobs += [watch.job(f"counts {i}", 1, timed=False) for i in range(6)]
    assert Pool([[0], [1], [2], [3]], time.monotonic() + 60).run(jobs) == []
    assert max(map(len, watch.seen)) == 4, "as many as there are CPUs"
    for kind in ("gpu", "timed"):
        assert max(sum(name.startswith(kind) for name in seen) for seen in watch.seen) == 1
    assert [seen for seen in watch.seen if "all" in seen] == [{"all": 4}]
    assert watch.seen[0] == {"all": 4} and not watch.running, "what takes all cores takes least time"


def test_jobs_share_no_core(monkeypatch: pytest.MonkeyPatch) -> None:
    watch = Watch(monkeypatch)
    bound = []

    def bind(thread: int, cpus: list[int]) -> None:
        bound.append(sorted(cpus))
        watch.bind(thread, cpus)

    monkeypatch.setattr(os, "sched_setaffinity", bind)
    jobs = [*(watch.job(f"one {i}", 1, timed=False) for i in range(4)), watch.job("two", 2), watch.job("three", 3)]
    assert Pool([[0, 2], [1, 3]], time.monotonic() + 60).run([*jobs, watch.job("all", 4)]) == []
    assert max(map(len, watch.seen)) == 2, "two of one core would take twice as long"
    assert all(len(cpus) > 1 or cpus[0] in (0, 1) for cpus in bound)
    assert [0, 1] in bound and [0, 1, 2, 3] in bound and len(bound) == 7
    assert [seen for seen in watch.seen if "three" in seen] == [{"three": 3}]


def test_cpus_of_one_core_are_told_by_linux(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for cpu, siblings in enumerate(["0,2", "1,3", "0,2", "1,3"]):
        (tmp_path / str(cpu)).write_text(f"{siblings}\n")
    monkeypatch.setattr(jobs, "TOPOLOGY", f"{tmp_path}/{{}}")
    assert jobs.physical_cores([0, 1, 2, 3]) == [[0, 2], [1, 3]] and jobs.physical_cores([2, 3]) == [[2], [3]]
    assert jobs.physical_cores([7, 8]) == [[7], [8]], "of which Linux says nothing"


def test_the_gpu_is_free_once_its_program_has_run() -> None:
    began = threading.Event()

    def check_answers(release: Callable[[], None]) -> None:
        release()
        assert began.wait(timeout=20), "another begins while answers are compared"

    cpus = sorted(os.sched_getaffinity(0)) * 2
    jobs = [Job(1, True, 1, check_answers), Job(1, True, 1, lambda _: began.set())]
    assert Pool([[cpu] for cpu in cpus[:2]], time.monotonic() + 60).run(jobs) == []


def test_less_urgent_jobs_use_the_cpus_that_the_gpu_leaves_idle(monkeypatch: pytest.MonkeyPatch) -> None:
    watch = Watch(monkeypatch)
    on_gpu = [watch.job(f"gpu {i}", 1, gpu=True) for i in range(3)]
    jobs = [watch.job("all", 3), *on_gpu, watch.job("late", 1, urgent=2)]
    assert Pool([[0], [1], [2]], time.monotonic() + 60).run(jobs) == []
    assert {"gpu 0": 1, "late": 1} in watch.seen and watch.seen[0] == {"all": 3}


def test_urgent_jobs_run_first(monkeypatch: pytest.MonkeyPatch) -> None:
    watch = Watch(monkeypatch)
    Pool([[0]], time.monotonic() + 60).run([watch.job("b", 1), watch.job("a", 1, urgent=0), watch.job("c", 9)])
    assert watch.seen == [{"a": 1}, {"c": 1}, {"b": 1}], "nine of one CPU are one"


def test_what_had_no_time_is_returned(monkeypatch: pytest.MonkeyPatch) -> None:
    watch = Watch(monkeypatch)
    deadline = time.monotonic() + 1
    ended = threading.Event()

    def outlast(_: Callable[[], None]) -> None:
        while time.monotonic() <= deadline:
            time.sleep(0.05)
        ended.set()

    late = [watch.job(name, 1) for name in "ab"]
    assert Pool([[0]], deadline).run([Job(1, False, 0, outlast), *late]) == late
    assert ended.is_set() and not watch.seen, "what has begun is waited for"


def test_a_failure_ends_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    watch = Watch(monkeypatch)

    def fail(_: Callable[[], None]) -> None:
        raise AppError("no disk")

    with pytest.raises(AppError, match="no disk"):
        Pool([[0]], time.monotonic() + 60).run([Job(1, False, 0, fail), watch.job("a", 1)])
    assert not watch.seen


# ------------------------------------------------------------------------------------------- a run


def _check(what: str, case: Case, truth: Arrays, answers: Array) -> None:
    if (answers != truth["doubled"]).any():
        raise AppError(f"{what}: {answers.tolist()} is not double")


def _cases(name: str, _: argparse.Namespace) -> Iterator[Case]:
    yield Case(name, name, {"numbers": np.arange(4.0)}, ("--input", "{numbers}"))


APP = App(
    name="double",
    question="twice as much",
    source=Path("double.cu"),
    inputs=("four",),
    known_inputs="four",
    cases=_cases,
    truth=lambda case, most: {"doubled": 2 * case.arrays["numbers"]},
    check=_check,
    variants=(Variant("quickly", "a program"),),
    baselines=("baseline",),
)


def program(folder: Path, name: str, factor: float, ms: float, seconds: float = 0) -> str:
    text = f"""#!{sys.executable}
import json, os, sys, time, numpy
given = dict(zip(sys.argv[1::2], sys.argv[2::2]))
time.sleep({seconds})
numpy.save(given["--out"], {factor} * numpy.load(given["--input"]))
with open({str(folder / "log")!r}, "a") as log:
    print({name!r}, given["--order"], given["--reps"], file=log)
if (counts := os.environ.get("S2S_STATS", "0")) != "0":
    open(counts.removeprefix("json:"), "w").write(json.dumps({{"traversals": [{{"visits": 1}}]}}))
print("kernel: {ms} ms")
"""
    path = folder / name
    path.write_text(text)
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return name


def measured(
    folder: Path,
    commands: list[plan.Command],
    seconds: float = 60,
    known: tuple[Record, ...] = (),
    cores: tuple[int, ...] = (1,),
) -> Session:
    (case,) = _cases("four", argparse.Namespace())
    problem = plan.problem_of(APP, case, tuple(commands), folder, None)
    session = Session(MACHINE, folder / "out.json")
    todo = [(APP, problem, ("sorted", "shuffled"))]
    hurried.measure_until(time.monotonic() + seconds, todo, known, folder, Settings(cores, quick=False), session)
    return session


def command(variant: str, target: str, file: str, **fields: Any) -> plan.Command:
    return plan.Command(variant, target, file, (), parallel=True, **fields)


def test_each_runs_once_and_short_ones_repeat_in_a_second_run(tmp_path: Path) -> None:
    short, long = program(tmp_path, "short", 2, 50), program(tmp_path, "long", 2, 500)
    commands = [command("quickly", TARGET, short, counting=short), command("slowly", CUDA, long, orders=("sorted",))]
    session = measured(tmp_path, commands)
    assert not session.troubles
    assert [(r.variant, r.order, r.cores, r.ms, r.checked) for r in session.records] == [
        ("quickly", "sorted", 1, 50, True), ("slowly", "sorted", 0, 500, True), ("quickly", "shuffled", 1, 50, True),
    ]  # fmt: skip
    assert [record.traversals for record in session.records] == [[{"visits": 1}], [], [{"visits": 1}]]
    log = (tmp_path / "log").read_text().splitlines()
    shorts = [f"short {order} {reps}" for order in ("shuffled", "sorted") for reps in (1, 1, 8)]
    assert sorted(log) == ["long sorted 3", *shorts], "one of each is the program that counts"
    taken = read_records(tmp_path / "out.json", Record)
    assert taken is not None and taken[1] == session.records


def test_least_and_most_cores_come_before_those_between(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0})
    monkeypatch.setattr(os, "sched_setaffinity", lambda _, __: None)
    file = program(tmp_path, "any", 2, 2000)
    text = (tmp_path / "any").read_text()
    (tmp_path / "any").write_text(text.replace('given["--order"]', 'os.environ["S2S_THREADS"]'))
    measured(tmp_path, [command("quickly", TARGET, file, orders=("sorted",))], cores=(1, 2, 4))
    assert [line.split()[1] for line in (tmp_path / "log").read_text().splitlines()] == ["4", "1", "2"]


def test_what_is_wrong_or_late_is_left_out_with_the_reason(tmp_path: Path) -> None:
    right, wrong = program(tmp_path, "right", 2, 500), program(tmp_path, "wrong", 3, 500)
    late = program(tmp_path, "late", 2, 500, seconds=60)
    commands = [
        command("quickly", TARGET, right, orders=("sorted",), urgent=0),
        command("wrongly", TARGET, wrong, orders=("sorted",), urgent=0),
        command("late", TARGET, late, orders=("sorted",)),
    ]
    session = measured(tmp_path, commands, seconds=hurried.SPARE + 3)
    assert [(record.variant, record.checked) for record in session.records] == [("quickly", True), ("wrongly", False)]
    left = session.machine.left_out
    assert left.keys() == {f"double, {name} for {TARGET}: four, sorted, 1" for name in ("wrongly", "late")}
    assert "is not double" in left[f"double, wrongly for {TARGET}: four, sorted, 1"]
    assert "not done after" in left[f"double, late for {TARGET}: four, sorted, 1"]
    assert len(session.troubles) == 2
    taken = read_records(tmp_path / "out.json", Record)
    assert taken is not None and taken[0].left_out == left


def test_known_records_are_kept_and_not_measured_again(tmp_path: Path) -> None:
    file = program(tmp_path, "any", 2, 500)
    commands = [command("quickly", TARGET, file, orders=("sorted",), counting=file), command("slowly", TARGET, file)]
    first = measured(tmp_path, commands).records
    (tmp_path / "log").unlink()
    known = tuple(replace(r, traversals=[]) if r.variant == "quickly" else r for r in first if r.order == "sorted")
    session = measured(tmp_path, commands, known=known)
    assert session.records[:2] == list(known), "they stay as they are"
    assert sorted({line.rpartition(" ")[0] for line in (tmp_path / "log").read_text().splitlines()}) == [
        "any shuffled", "any sorted",
    ]  # fmt: skip
    assert [record.variant for record in session.records[2:]] == ["quickly", "slowly"]


def test_only_records_of_this_machine_are_resumed(tmp_path: Path) -> None:
    file = tmp_path / "r.json"
    write_records(file, MACHINE, [])
    assert run_built._known(file, MACHINE) == []
    for other, said in (
        (replace(MACHINE, gpu="B"), "its gpu is '', not 'B'"),
        (replace(MACHINE, commit="d"), "commit"),
    ):
        with pytest.raises(AppError, match=said):
            run_built._known(file, other)
    file.write_text(json.dumps([]))
    with pytest.raises(AppError, match="holds no records"):
        run_built._known(file, MACHINE)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [(["--seconds", "2"], "expected a number of seconds above 5"), (["--resume", "x"], "goes with --seconds only")],
)
def test_wrong_arguments_are_explained(
    arguments: list[str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        run_built.main([str(tmp_path), *arguments])
    assert said in capsys.readouterr().err


def test_packed_programs_run_again(tmp_path: Path) -> None:
    text = f"#!{sys.executable}\nprint('here')\n"
    (tmp_path / "a").write_text(text)
    plan.pack(tmp_path, ["a"])
    assert [file.name for file in tmp_path.iterdir()] == ["a.gz"]
    plan.unpack(tmp_path)
    assert (tmp_path / "a").read_text() == text and os.access(tmp_path / "a", os.X_OK)
    (tmp_path / "a").write_text("mine")
    plan.unpack(tmp_path)
    assert (tmp_path / "a").read_text() == "mine", "what is unpacked stays"
