"""Random kernels mean the same to the interpreter, to plain C++ and to the compiled code; so does the fuzzer itself."""

from __future__ import annotations

import io
import shutil
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from fuzz import check, ours, shrink
from fuzz.__main__ import main
from fuzz.choices import RandomChoices
from fuzz.data import arguments
from fuzz.launch import Program
from fuzz.oracle import Library
from fuzz.plant import FAULTS, PACKAGE, plant, programs_needed
from fuzz.programs import program
from fuzz.run import Settings, run

CLASS_PROGRAMS = (2, 11)  # of seed 3


@pytest.mark.parametrize(("about", "count"), [((), 6), (("warps",), 3), (("tiles",), 2)], ids=["any", "warps", "tiles"])
def test_random_kernels_agree(about: tuple[str, ...], count: int) -> None:
    out = io.StringIO()
    summary = run(Settings(seed=3, count=count, jobs=2, shrink_seconds=0, about=about), out)
    assert summary.programs == count
    assert summary.findings == [], out.getvalue()


@pytest.mark.parametrize("number", CLASS_PROGRAMS)
def test_random_classes_agree(number: int) -> None:
    out = io.StringIO()
    settings = Settings(seed=3, first=number, count=1, shrink_seconds=0, about=("classes",))
    assert run(settings, out).findings == [], out.getvalue()


@pytest.mark.slow
def test_random_classes_find_a_planted_fault() -> None:
    fault = next(fault for fault in FAULTS if fault.about == "classes")
    assert any(programs_needed(fault, 3, 1, 1, number) for number in CLASS_PROGRAMS)


@pytest.mark.slow
def test_many_random_kernels_agree(tmp_path: Path) -> None:
    out = io.StringIO()
    summary = run(Settings(seed=2, count=500, jobs=2, keep=tmp_path), out)
    assert summary.findings == [], out.getvalue()


@pytest.mark.parametrize(
    "about", [pytest.param(name, marks=pytest.mark.slow(f"fuzz {name}")) for name in ("warps", "tiles")]
)
def test_many_random_kernels_about_one_thing_agree(about: str, tmp_path: Path) -> None:
    out = io.StringIO()
    summary = run(Settings(seed=2, count=300, jobs=2, keep=tmp_path, about=(about,)), out)
    assert summary.findings == [], out.getvalue()


@pytest.mark.parametrize("first", [0, *(pytest.param(first, marks=pytest.mark.slow) for first in range(25, 150, 25))])
def test_programs_are_valid(first: int) -> None:
    for number in range(first, first + 25):
        ours.checked(program(RandomChoices(f"0/{number}")))


def test_planted_faults_have_their_place(tmp_path: Path) -> None:
    for number, fault in enumerate(FAULTS):
        package = tmp_path / str(number)
        shutil.copytree(PACKAGE, package, ignore=shutil.ignore_patterns("_native", "__pycache__"))
        plant(fault, package)


def test_programs_of_warps_end_in_plain_code() -> None:
    """No warp function names a lane that does not reach it: threads would wait for each other for ever."""
    programs = [program(RandomChoices(f"5/{number}"), ("warps",)) for number in range(12)]
    library = Library(programs)
    for at, made in enumerate(programs):
        for launch in made.launches:
            library.run(at, made, launch, arguments(made, launch))


def test_a_seed_and_a_number_name_a_program() -> None:
    assert program(RandomChoices("3/4")) == program(RandomChoices("3/4"))
    assert program(RandomChoices("3/4")) != program(RandomChoices("3/5"))


@pytest.mark.slow
def test_failing_programs_become_small() -> None:
    def fails(candidate: Program) -> bool:
        return "switch" in candidate.text and "out[" in candidate.text

    numbers = (RandomChoices(f"1/{k}") for k in range(100))
    choices = next(choices for choices in numbers if fails(program(choices)))
    small = shrink.smallest(choices.made, (), fails, seconds=6)
    assert small is not None
    smaller = shrink.trim(small, fails, seconds=6)
    assert fails(smaller)
    assert len(smaller.text.splitlines()) < 12
    assert len(smaller.parameters) < 3


@pytest.mark.parametrize(
    "arguments",
    [["--seconds", "0"], ["--count", "x"], ["--variants", "default,none"], ["--seed"], ["--nothing"], ["x"]],
)
def test_wrong_arguments_are_refused(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as end:
        main(arguments)
    assert end.value.code == 2
    assert "usage: python -m tests.fuzz" in capsys.readouterr().err


def _busy(seconds: float) -> None:
    end = time.process_time() + seconds
    while time.process_time() < end:
        pass


def _now_and_then() -> None:
    for _ in range(12):
        _busy(0.03)
        time.sleep(0.07)


@pytest.mark.parametrize(
    ("work", "finishes"),
    [(lambda: time.sleep(60), False), (lambda: _busy(60), False), (_now_and_then, True)],
    ids=["waits", "runs", "runs now and then"],
)
def test_a_program_may_take_long_but_neither_run_nor_wait_for_ever(
    monkeypatch: pytest.MonkeyPatch, work: Callable[[], None], finishes: bool
) -> None:
    """On a busy machine, seconds pass in which a process runs little."""

    def stand_in(*_: object) -> check.Verdict:
        work()
        return check.Verdict("agree")

    monkeypatch.setattr(check, "TIMEOUT", 0.5)
    monkeypatch.setattr(check, "LEAST_CPU", 0.01)
    monkeypatch.setattr(check, "check", stand_in)
    verdict = check.isolated(program(RandomChoices("1")), (), None)
    assert (verdict.kind == "agree", "not finished" in verdict.detail) == (finishes, not finishes)
