"""Wu's figures: what they need, what they make of records, and what ncu's CSV says."""

from __future__ import annotations

import argparse
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from apps.bfs import run as bfs_run
from apps.common.measure import _active_lanes
from apps.common.nested_records import LEVELS
from apps.common.prepare import Builder
from apps.harness import AppError, Record
from apps.hotspot import run as hotspot_run
from apps.machine import CUDA, Machine
from apps.papers import wu_chapter3, wu_chapter4, wu_chapter5, wu_chapter6, wu_counters, wu_drawing
from apps.papers.measured import Measured, Source, is_counted, of_machine
from apps.papers.table import GPU, Needed, PaperTable
from apps.papers.work import asked_of
from apps.records import read_records

MACHINE = Machine("A CPU", 16, "A GPU", 0.0, "Linux", "2026-01-02", "abc", {"avx512": "c"}, {"avx512": "f"})
TABLES = {
    table.name: table for module in (wu_chapter3, wu_chapter4, wu_chapter5, wu_chapter6) for table in module.TABLES
}
SIZES = {"csr_bytes": 100.0, "h3_bytes": 80.0, "h4_bytes": 70.0, "h5_bytes": 110.0, "accuracy": 0.75}  # of forests


def record(needed: Needed, variant: str, on: int, ms: float, order: str | None = None, **fields: Any) -> Record:
    return Record(
        needed.app, needed.inputs[0], order, variant, CUDA if on == GPU else "avx512", on, ms, True,
        parameters={**needed.parameters, **SIZES}, **fields,
    )  # fmt: skip


def measured(table: PaperTable, *records: Record) -> Measured:
    return of_machine(table.needs, [Source(Path("a.json"), MACHINE, records)], ("A CPU", 16, "A GPU"))


def everything(table: PaperTable, ms: float = 2.0) -> list[Record]:
    """Return a record of each measurement that a table needs, each a little slower than the one before."""
    found = []
    for needed in table.needs:
        for order in needed.asked_orders():
            for name, on in [*((name, 16) for name in needed.variants), *((name, GPU) for name in needed.on_gpu)]:
                ms += 1.0
                one = 1 if name == "host-recursive" else on
                found.append(record(needed, name, one, ms, order, active_lanes=0.5, child_launches=7, launches_ms=0.5))
    return found


@pytest.mark.parametrize("name", TABLES)
def test_every_figure_is_drawn_of_its_records_and_empty_without(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("matplotlib")
    monkeypatch.setattr(wu_counters, "recorded", lambda: None)
    table = TABLES[name]
    found = measured(table, *everything(table))
    assert all(rows.rows for rows in table.rows(found)[:1])
    widths = {len(row) for each in table.rows(found) for row in each.rows} | {
        len(each.header) for each in table.rows(found) if each.rows
    }
    assert all(len(row) == len(each.header) for each in table.rows(found) for row in each.rows), widths
    assert table.draw
    if name not in ("wu-3.7", "wu-3.8"):  # of counters alone
        assert table.draw(found) is not None and table.found(found)
    assert table.draw(measured(table)) is None and not table.found(measured(table))


def test_forms_are_compared_in_their_order_and_none_is_made_up() -> None:
    table = TABLES["wu-4.9"]
    needed = table.needs[0]
    found = measured(
        table,
        record(needed, "recursive", GPU, 8.0, "shuffled"),
        record(needed, "recursive", GPU, 4.0, "sorted"),
        record(needed, "lockstep", GPU, 1.0, "sorted"),
    )
    row = next(row for row in table.rows(found)[0].rows if row[2:4] == ("sorted", "GPU"))
    assert row[4:] == ("4.00", "–[1]", "n/a", "–[1]", "1.00", "n/a")
    assert found.reasons == ["not measured"]
    says = table.found(found)
    assert "sorted, DR-L is the quickest (times of others divided by its: REC 4.0)" in says
    assert "Sorting makes REC 2.00 times as fast" in says


def test_the_better_mapping_of_a_consolidated_recursion_counts() -> None:
    table = TABLES["wu-4.11"]
    needed = table.needs[0]
    found = measured(table, record(needed, "crec", 16, 9.0), record(needed, "crec-block", 16, 3.0))
    row = table.rows(found)[0].rows[0]
    assert row[:2] == ("TD, Random-1", "16 cores") and row[4] == "3.00 (block)"
    large = next(row for row in table.rows(found)[0].rows if row[0] == "TD, Random-2")
    assert found.reasons[int(large[2][2:-1]) - 1] == "not tried on a tree this large"


def test_sizes_of_grids_have_the_figures_names() -> None:
    assert wu_chapter3.name_of("KC_32", "warp") == "warp" and wu_chapter3.name_of("KC_1", "warp") == "warp-kc1"
    assert wu_chapter3.name_of("1-1", "grid") == "grid-1-1" and wu_chapter3.name_of("best", "block") == "block-best"
    made = {wu_chapter3.name_of(size, level) for size in wu_chapter3.KINDS for level in LEVELS}
    assert made | {"basic"} == set(wu_chapter3.VARIANTS_4)


def test_forests_are_compared_at_their_depths() -> None:
    table = TABLES["wu-5.13"]
    needed = next(each for each in table.needs if each.parameters["depth"] == 12)
    synth = replace(needed, inputs=needed.inputs[1:])
    found = measured(
        table,
        *(record(synth, name, GPU, ms) for name, ms in (("csr", 6.0), ("csr-atomic", 4.0), ("encoded-3-atomic", 1.0))),
    )
    rows = table.rows(found)[0].rows
    depths = table.rows(found)[0].header[3:]
    assert ("synth", "GPU", "encoded-3-atomic", *("4.00" if each == "depth 12" else "" for each in depths)) in rows
    assert ("synth", "", "accuracy", *("75.0 %" if each == "depth 12" else "" for each in depths)) in rows
    table = TABLES["wu-5.10"]
    found = measured(table, *(record(each, "iterative-4", 16, 1.0) for each in table.needs))
    assert "h-sd5 takes less than CSR in 0 of 8 cases (1.10 to 1.10 of it)" in table.found(found)


def test_forests_are_left_to_their_own_command() -> None:
    needs = [needed for module in (wu_chapter5,) for table in module.TABLES for needed in table.needs]
    assert needs and not asked_of(needs, Builder("avx512", native=True, architecture=None))


def test_the_share_of_launches_is_reported() -> None:
    table = TABLES["wu-6.13"]
    needed = table.needs[3]
    found = measured(table, record(needed, "auto", 16, 2.0, launches_ms=0.5), record(needed, "auto", GPU, 1.0))
    row = next(row for row in table.rows(found)[0].rows if row[0] == "Gaussian elimination")
    assert row[6:] == ("2.00", "25 %", "1.00", "", "", "2.00", "2.00")


def test_active_lanes_are_those_of_all_statements() -> None:
    kernels = [{"statements": {"lanes": 10, "lanes_active": 10}}, {"statements": {"lanes": 30, "lanes_active": 10}}]
    assert _active_lanes(kernels) == 0.5 and _active_lanes([]) is None
    needed = TABLES["wu-3.6"].needs[0]
    assert is_counted(record(needed, "basic", 16, 1.0, active_lanes=0.1))
    assert not is_counted(record(needed, "basic", 16, 1.0))


# ------------------------------------------------------------------------------------------- truth about some answers


def test_a_sample_of_levels_finds_wrong_ones() -> None:
    case = next(iter(bfs_run._cases("road:8", argparse.Namespace(order="shuffled"))))
    assert case.arguments[:4] == ("--input", "road:8", "--order", "shuffled") and not case.arrays
    truth = {"rows": np.array([1, 5]), "levels": np.array([3, 4], np.int32), "nodes": np.array(8)}
    right = np.arange(8, dtype=np.int32) - 1
    right[[1, 5]] = 3, 4
    bfs_run._check("bfs", case, truth, right)
    with pytest.raises(AppError, match="1 of 2 levels are wrong; first: node 5: 9, expected 4"):
        bfs_run._check("bfs", case, truth, np.where(np.arange(8) == 5, 9, right))
    with pytest.raises(AppError, match="expected 8 levels"):
        bfs_run._check("bfs", case, truth, right[:7])


def test_a_sample_of_temperatures_finds_wrong_ones() -> None:
    (case,) = hotspot_run._cases("random:8x16", argparse.Namespace())
    whole = hotspot_run._truth(case, None)["temperature"]
    truth = hotspot_run._truth(case, 32)
    assert truth["rows"].tolist() == [0, 7] and (truth["temperature"] == whole[[0, 7]]).all()
    hotspot_run._check("hotspot", case, truth, whole)
    wrong = whole.copy()
    wrong[7, 3] += 1
    with pytest.raises(AppError, match="first: row 7, column 3"):
        hotspot_run._check("hotspot", case, truth, wrong)


# ------------------------------------------------------------------------------------------- ncu

# Made by hand after the formats of `ncu --csv` and of its `--page raw`, not by a GPU.
_HEAD = (
    '"ID","Process ID","Process Name","Host Name","Kernel Name","Context","Stream","Block Size","Grid Size","Device",'
    '"CC","Section Name","Metric Name","Metric Unit","Metric Value"'
)
_VALUES = {
    "dram__sectors_read.sum": "1,000", "dram__sectors_write.sum": "500", "sm__cycles_active.sum": "2,000.00",
    "sm__warps_active.avg.pct_of_peak_sustained_active": "25.50", "smsp__inst_executed.sum": "100",
    "smsp__thread_inst_executed.sum": "1,600",
}  # fmt: skip


def _by_metric(number: int, **changed: str) -> list[str]:
    words = [*"77 spmv host range 1 7 (0,0,0) (0,0,0) 0 9.0".split(), "Command line profiler metrics"]
    begin = ",".join(f'"{word}"' for word in (number, *words))
    values = {**_VALUES, **{name: changed[name.split(".")[0]] for name in _VALUES if name.split(".")[0] in changed}}
    return [f'{begin},"{name}","unit","{value}"' for name, value in values.items()]


def test_counters_are_read_among_the_programs_own_output() -> None:
    text = "\n".join(["input: 10 x 10", "==PROF== Profiling", _HEAD, *_by_metric(0), "kernel: 1 ms", "==PROF== Done"])
    (result,) = wu_counters.read_csv(text)
    found = wu_counters.sum_up("spmv", "kron", "grid", [result])
    assert (found.efficiency, found.occupancy, found.sectors) == (0.5, 0.255, 1500)


def test_counters_of_several_results_are_ratios_of_sums() -> None:
    other = _by_metric(1, smsp__thread_inst_executed="9,600", smsp__inst_executed="300", sm__cycles_active="6,000",
                       sm__warps_active="5.5")  # fmt: skip
    found = wu_counters.sum_up("a", "i", "v", wu_counters.read_csv("\n".join([_HEAD, *_by_metric(0), *other])))
    assert found.efficiency == 11200 / 400 / 32 and found.sectors == 3000
    assert found.occupancy == pytest.approx((25.5 * 2000 + 5.5 * 6000) / 8000 / 100)


def test_a_raw_page_has_a_column_for_each_metric() -> None:
    head = ",".join(f'"{name}"' for name in ("ID", "Kernel Name", *_VALUES))
    units = ",".join(f'"{name}"' for name in ("", "", *("unit" for _ in _VALUES)))
    row = ",".join(f'"{value}"' for value in ("0", "range", *_VALUES.values()))
    (result,) = wu_counters.read_csv("\n".join([head, units, row]))
    assert result["smsp__thread_inst_executed.sum"] == 1600 and len(result) == len(_VALUES)


@pytest.mark.parametrize(
    ("lines", "message"),
    [
        (["==ERROR== ERR_NVGPUCTRPERM"], "ncu printed no CSV:\n==ERROR== ERR_NVGPUCTRPERM"),
        ([_HEAD], "ncu printed nothing of smsp__thread_inst_executed.sum"),
        ([_HEAD, *_by_metric(0)[1:]], "ncu printed nothing of dram__sectors_read.sum"),
        ([_HEAD, *_by_metric(0, dram__sectors_read="n/a")], "dram__sectors_read.sum is 'n/a', not a number"),
    ],
)
def test_what_ncu_cannot_count_is_said(lines: list[str], message: str) -> None:
    with pytest.raises(AppError) as fault:
        wu_counters.read_csv("\n".join(lines))
    assert message in str(fault.value)


def test_ncu_counts_the_programs_of_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ncu = tmp_path / "ncu"
    csv = "\n".join([_HEAD, *_by_metric(0)])
    ncu.write_text(f"#!/bin/sh\necho \"$@\" >> {tmp_path}/asked\ncat <<'END'\n{csv}\nEND\n")
    ncu.chmod(0o755)
    monkeypatch.setenv("NCU", str(ncu))
    monkeypatch.setattr(wu_counters, "gpu_name", lambda: "A GPU")
    commands = [
        {"variant": variant, "target": target, "program": "spmv-1", "arguments": ["--form", variant], "parallel": True}
        for variant, target in (("grid", CUDA), ("grid", "avx512"), ("grid-best", CUDA))
    ]
    for command in commands:
        command |= {"counting": "", "on": "every", "orders": [], "urgent": 1}
    problem = {
        "app": "spmv", "input": "kron", "label": "kron", "arrays": {}, "arguments": ["--input", "kron"],
        "parameters": {}, "truth": {}, "commands": commands, "order": "",
    }  # fmt: skip
    folder = tmp_path / "built"
    folder.mkdir()
    manifest = {
        "commit": "abc",
        "compiler": {CUDA: "nvcc"},
        "flags": {CUDA: "f"},
        "problems": [problem],
        "left_out": {},
    }
    (folder / "manifest.json").write_text(json.dumps(manifest))
    file = tmp_path / "counters.json"
    assert wu_counters.main([str(folder), "--json", str(file)]) == 0
    taken = read_records(file, wu_counters.Counted)
    assert taken and [(each.variant, each.efficiency) for each in taken[1]] == [("grid", 0.5)]
    asked = (tmp_path / "asked").read_text()
    assert "--replay-mode app-range --metrics smsp__" in asked and "--form grid --reps 1" in asked
    ncu.write_text("#!/bin/sh\necho '==ERROR== no permission'\nexit 1\n")
    assert wu_counters.main([str(folder), "--json", str(file)]) == 1


def test_counters_have_their_columns_in_the_figures(monkeypatch: pytest.MonkeyPatch) -> None:
    counted = [
        wu_counters.Counted("spmv", "kron", form, efficiency, 0.25, sectors)
        for form, efficiency, sectors in (("basic", 0.5, 1000.0), ("grid", 1.0, 250.0))
    ]
    monkeypatch.setattr(wu_counters, "recorded", lambda: (replace(MACHINE), counted))
    found = measured(TABLES["wu-3.8"])
    row = next(row for row in TABLES["wu-3.8"].rows(found)[0].rows if row[:2] == ("SpMV", "kron"))
    assert row[3] == "1,000" and row[6] == "250" and row[2] == "–[1]"
    assert wu_chapter3._ratios_8(found, counted, "grid")[2] == 0.25
    row = next(row for row in TABLES["wu-3.7"].rows(found)[0].rows if row[:2] == ("SpMV", "kron"))
    assert row[3] == "25.0 %"


# ------------------------------------------------------------------------------------------- figures


def test_bars_that_nothing_was_measured_of_are_left_out_or_said() -> None:
    pytest.importorskip("matplotlib")
    labels = ("a", "b", "c")
    shown = [
        wu_drawing.Bars("GPU", labels, {"flat": [1.0, 2.0, None], "grid": [3.0, None, None]}),
        wu_drawing.Bars("16 cores", labels, {"flat": [1.0, None, None], "grid": [None, None, None]}),
        wu_drawing.Bars("1 core", labels, {"flat": [None, None, None]}),
    ]
    figure = wu_drawing.bars("title", "ms", shown)
    panels = [axes for axes in figure.axes if axes.get_title(loc="left")]
    assert [axes.get_title(loc="left") for axes in panels] == ["GPU", "16 cores"]
    assert [[text.get_text() for text in axes.get_xticklabels()] for axes in panels] == [["a", "b"], ["a", "b"]]
    said = [[text.get_text() for text in axes.texts if text.get_text().strip()] for axes in panels]
    assert said == [[], ["not measured"]]
