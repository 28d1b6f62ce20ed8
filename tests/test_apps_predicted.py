"""The page of predicted beside measured times: what is compared, the shares, the fit."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from apps.common.app import app_of, names
from apps.harness import Record
from apps.machine import Machine
from apps.papers import counted, predicted, predicting
from apps.papers.counted import WANTED, Counted, added, read
from apps.papers.measured import Measured, Source, results
from apps.papers.measured import read as read_records
from apps.papers.table import GPU
from simt2simd.predict.times import FITTED, Factors

MACHINE = Machine("Xeon", 16, "NVIDIA H200", 0.0, "Linux", "2026-11-28", "0123456789ab", {}, {})


def records(factor: float = 1.0) -> list[Record]:
    """Return records of all that is counted: what is predicted, times a factor."""
    found = []
    all_ = read()
    for on in (1, 16, GPU):
        for each in predicting.for_gpu(all_) if on == GPU else predicting.for_cpu(all_):
            steps = 2 if each.app == predicting.STEPS else 1
            machine = "h200" if on == GPU else "xeon"
            ms = predicting.run_ms(predicting.times(each, on, machine), on, machine) / steps
            target = "cuda" if on == GPU else "avx512"
            found.append(Record(*each.what[:4], target, on, ms * factor, True, parameters={"steps": steps}))
    return found


def measured(own: list[Record]) -> Measured:
    return Measured((), [Source(Path("records.json"), MACHINE, tuple(own))], [], (1, 16))


def test_all_applications_are_wanted_and_named_right() -> None:
    assert {each.app for each in WANTED} == set(names())
    for each in WANTED:
        assert {variant.name for variant in app_of(each.app).variants} >= set(each.variants), each.app
    assert set(predicting.FITTED_ON) < set(names()) and len(predicting.FITTED_ON) == len(names()) // 2


def test_counts_are_those_that_are_wanted() -> None:
    known = {(each.app, variant) for each in WANTED for variant in each.variants}
    assert known >= {(each.app, each.variant) for each in read()}


def test_what_is_measured_as_predicted_is_near() -> None:
    tables = predicted._rows(measured(records()))
    shares, runs, off = tables
    assert all("100 %" in cell for row in shares.rows for cell in row[1:-1] if cell) and not off.rows
    assert {row[0] for row in runs.rows} <= set(names()) and len(runs.header) == len(runs.rows[0])
    assert predicted.right_winners(predicted.compare(measured(records())))[0] > 0


@pytest.mark.parametrize("factor", [0.3, 3.0])
def test_what_takes_three_times_as_long_is_off(factor: float) -> None:
    shares, runs, off = predicted._rows(measured(records(factor)))
    assert all(" 0 %" in cell for row in shares.rows for cell in row[1:-1] if cell)
    assert len(off.rows) == sum(bool(cell) for row in runs.rows for cell in row[6:13:3])
    assert all(row[-1] == f"{1 / factor:.2f}" for row in off.rows)


def test_without_records_there_is_nothing_to_say() -> None:
    none = Measured((), [], [], (1,))
    assert predicted.compare(none) == [] and predicted._draw(none) is None


def test_wrong_answers_are_not_compared() -> None:
    own = [replace(record, checked=False) for record in records()]
    assert predicted.compare(measured(own)) == []


def test_each_number_of_cores_is_of_the_best_machine() -> None:
    """One core of a small machine that has most of the runs; else of the one with the most of them; newest first."""
    epyc, other = replace(MACHINE, machine="AMD EPYC", hardware_threads=2, gpu=""), replace(MACHINE, gpu="")
    all_, own = read(), records()
    one = [record for record in own if record.cores == 1]
    sources = [
        Source(Path("old"), replace(other, date="2026-11-01"), tuple(replace(each, ms=1e6) for each in own)),
        Source(Path("new"), MACHINE, tuple(own)),
        Source(Path("epyc"), epyc, tuple(one)),
    ]
    first, all_cores, gpu = predicting.columns(all_, sources)
    assert [first.name, all_cores.name, gpu.name] == ["epyc", "xeon", "h200"]
    assert [source.file.name for source in all_cores.sources] == ["new", "old"]
    found = predicting.beside(all_, [all_cores])
    assert found and all(each.near for each in found)
    few = Source(Path("epyc"), epyc, tuple(one[:3]))
    assert predicting.columns(all_, [*sources[:2], few])[0].name == "xeon"
    assert predicting.columns(all_, []) == []


def test_the_readme_says_how_often_the_model_is_right() -> None:
    """Else: `python -m apps tables predicted --from apps/results/*.json; python -m apps.papers.predicting --page`."""
    found = predicting.beside(read(), predicting.columns(read(), read_records(results())))
    wanted = predicting.sentence(found)
    assert predicting.SENTENCE.findall(predicting.PAGE.read_text(encoding="utf-8")) == [wanted]
    page = (predicting.FILE.parent / "predicted.md").read_text(encoding="utf-8")
    times, near, runs, right = (int(each) for each in re.findall(r"\d+", wanted))
    assert f"{near} of {times} times are within a factor of two, and {right} of {runs} runs" in page


def test_a_fit_finds_what_times_were_made_with() -> None:
    """Times that a model with dearer gathers makes are nearer to a fit than to where it began."""
    slow = replace(FITTED, cpu_gathers=FITTED.cpu_gathers * 3)
    some = [each for each in read() if each.app in ("spmv", "pc") and each.where == "cpu"]

    def compared(factors: Factors) -> list[predicting.Beside]:
        found = []
        for each in some:
            ms, truth = (sum(time.ms for _, time in predicting.times(each, 1, "xeon", own)) for own in (factors, slow))
            found.append(predicting.Beside(each, 1, ms, truth, ()))
        return found

    def distance(factors: Factors) -> float:
        return predicting._distance(compared(factors), factors, factors)

    fitted = predicting.fit(compared, FITTED)
    assert fitted.cpu_gathers > FITTED.cpu_gathers and distance(fitted) < distance(FITTED) / 2


def test_what_is_added_is_the_second_run() -> None:
    once: list[dict[str, Any]] = [
        {"name": "a", "file": "f", "line": 1, "tail": True, "launches": 2, "warps": {"n": 5}},
        {"name": "setup", "file": "f", "line": 2, "launches": 1, "warps": {"n": 3}},
    ]
    twice = [{**once[0], "launches": 5, "warps": {"n": 12}}, once[1]]
    assert added(once, twice) == [{**once[0], "launches": 3, "warps": {"n": 7}}]


def test_counts_are_written_as_they_are_read(tmp_path: Path) -> None:
    some = read()[:3]
    counted.write(some, tmp_path / "counts.json")
    assert {each.what for each in read(tmp_path / "counts.json")} == {each.what for each in some}
    assert read(tmp_path / "none.json") == []
    assert isinstance(some[0], Counted) and some[0].counts()[0].warps > 0


def test_wrong_names_end_in_usage(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="2"):
        counted.main(["nothing"])
    assert "unknown application 'nothing'" in capsys.readouterr().err
