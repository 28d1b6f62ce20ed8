"""The papers' tables: what they need, which records they take, their pages and figures."""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from apps.__main__ import main
from apps.common import driver
from apps.common.app import app_of, names
from apps.common.prepare import HOST, Builder
from apps.common.tables import Table
from apps.harness import AppError, Record
from apps.machine import CUDA, Machine
from apps.papers import catalogue, command, goldfarb, index, page, work
from apps.papers.measured import Measured, Source, lacking, of_best_machine, read
from apps.papers.table import GPU, Key, Needed, PaperTable
from apps.records import write_records
from simt2simd.target import TARGETS, cpu_features

TARGET = next(name for name, target in TARGETS.items() if target.required <= cpu_features())
MACHINE = Machine("This CPU", 4, "A GPU", 0.0, "Linux", "2026-01-02", "abc", {TARGET: "c"}, {TARGET: "f"})
NEED = Needed("bs", ("random:1000000x1",), ("auto", "host-recursive"), ("ropes",), quick_inputs=("random:20000x1",))


def record(variant: str, cores: int, ms: float, **fields: Any) -> Record:
    target = fields.pop("target", CUDA if cores == GPU else TARGET)
    fields = {"input": "random:1000000x1", "order": "sorted", "checked": True, **fields}
    return Record("bs", variant=variant, target=target, cores=cores, ms=ms, **fields)


def source(*records: Record, name: str = "a.json", **fields: Any) -> Source:
    return Source(Path(name), replace(MACHINE, **fields), records)


def _rows(found: Measured) -> list[Table]:
    (need,) = found.needs
    own = [need.key(name, "auto", on, "sorted") for name in need.inputs for on in (1, found.most_cores)]
    gpu = need.key(need.inputs[0], "ropes", GPU, "sorted")
    return [Table("ms", ("auto", "GPU", "ratio"), ((found.ms(own[0]), found.ms(gpu), found.ratio(own[0], own[1])),), 0)]


def _draw(found: Measured) -> Any:
    from apps.common import drawing

    best = found.best(found.needs[0].cpu_keys(found.cores))
    if best is None:
        return None
    drawn, axes = drawing.figure(2, 2)
    axes.bar([0], [best.ms], label="auto")
    return drawing.with_legend(drawn, [axes], "best")


TABLE = PaperTable("a-1", "A (2000)", "table 1", "times", (NEED,), _rows, "It is 3.", lambda found: "It is 4.", _draw)


@pytest.fixture
def only_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(catalogue, "tables", lambda: {TABLE.name: TABLE})


# ------------------------------------------------------------------------------------------- what is needed


def test_every_table_needs_what_applications_have() -> None:
    for name, table in catalogue.tables().items():
        assert name == table.name and table.said and table.needs
        for needed in (*table.needs, *(each.quick() for each in table.needs)):
            app = app_of(needed.app)
            there = {variant.name for variant in app.variants}
            assert {*needed.variants, *needed.on_gpu, *needed.counted} <= there, name
            assert set(needed.counted) <= set(needed.variants), name
            assert set(needed.orders) <= set(app.orders), name


def test_what_no_record_is_of_is_lacking() -> None:
    need = replace(NEED, counted=("auto",), orders=("sorted",))
    auto, host = need.key(need.inputs[0], "auto", 1, "sorted"), need.key(need.inputs[0], "host-recursive", 1, "sorted")
    many, ropes = need.key(need.inputs[0], "auto", 4, "sorted"), need.key(need.inputs[0], "ropes", GPU, "sorted")
    assert lacking([need], [], (1, 2, 4), gpu=True) == {auto, host, many, ropes}
    there = source(record("host-recursive", 1, 5.0), record("auto", 4, 5.0), record("ropes", GPU, 1.0, checked=False))
    assert lacking([need], [there], (1, 2, 4), gpu=True) == {auto, ropes}, "wrong answers are none"
    there = source(record("auto", 1, 5.0))
    assert auto in lacking([need], [there], (1,), gpu=False), "nothing was counted"
    there = source(record("auto", 1, 5.0, traversals=[{}]))
    assert auto not in lacking([need], [there], (1,), gpu=False)


def test_each_command_is_asked_for_once_for_all_tables() -> None:
    builder = Builder(TARGET, native=True, architecture="sm_90")
    other = replace(NEED, variants=("auto",), on_gpu=(), cores="every", orders=("shuffled",), urgent=0)
    small = [replace(need, inputs=("random:20x1",)) for need in (replace(NEED, orders=("sorted",)), other)]
    (asked,) = work.asked_of(small, builder)
    assert [(each.variant.name, each.target, each.on, each.orders) for each in asked.wanted] == [
        ("auto", TARGET, "every", ("shuffled", "sorted")),
        ("host-recursive", HOST, "ends", ("sorted",)),
        ("ropes", CUDA, "ends", ("sorted",)),
    ]
    assert asked.orders == ("shuffled", "sorted") and asked.wanted[0].urgent == 0
    lack = {small[0].key("random:20x1", "ropes", GPU, "sorted")}
    (asked,) = work.asked_of(small, builder, lack)
    assert [each.variant.name for each in asked.wanted] == ["ropes"]


# ------------------------------------------------------------------------------------------- records


def test_the_machine_with_most_of_what_is_needed_makes_the_table() -> None:
    small = source(record("auto", 1, 9.0), name="small.json", hardware_threads=2, gpu="")
    large = source(record("auto", 1, 5.0), record("auto", 4, 2.0), record("ropes", GPU, 1.0), name="large.json")
    found = of_best_machine([NEED], [small, large])
    assert (found.cores, found.most_cores) == ((1, 4), 4)
    assert [row for table in _rows(found) for row in table.rows] == [("5.00", "1.00", "2.50")]
    assert not found.reasons and [each.file.name for each in found.used] == ["large.json"]


def test_the_newest_record_counts() -> None:
    old = source(record("auto", 1, 5.0), name="old.json", date="2026-01-01")
    found = of_best_machine([NEED], [source(record("auto", 1, 7.0)), old])
    assert found.ms(NEED.key(NEED.inputs[0], "auto", 1, "sorted")) == "7.00"


def test_parameters_tell_apart_problems_of_one_input() -> None:
    two, eight = (record("auto", 1, ms, input=f"i, k={k}", parameters={"k": k}) for k, ms in ((2, 3.0), (8, 4.0)))
    found = of_best_machine([replace(NEED, inputs=("i",))], [source(two, eight)])
    assert found.ms(Key("bs", "i", "auto", 1, "sorted", (("k", 8),))) == "4.00"
    assert found.record(Key("bs", "i", "auto", 1, "sorted", (("k", 9),))) is None
    assert found.record(Key("bs", "input", "auto", 1, "sorted")) is None


@pytest.mark.parametrize(
    ("sources", "key", "reason"),
    [
        ([], ("auto", 1), "not measured"),
        ([source(record("auto", 1, 1.0), gpu="")], ("ropes", GPU), "no GPU was measured on this machine"),
        ([source(record("auto", 1, 1.0, checked=False))], ("auto", 1), "bs, auto: the answers are wrong"),
        (
            [source(record("auto", 1, 1.0), left_out={"bs, ropes for cuda": "error: no stack"})],
            ("ropes", GPU),
            "bs, ropes, GPU: error: no stack",
        ),
        (
            [source(record("auto", 1, 1.0), left_out={"bs, ropes for cuda": "error: no stack"})],
            ("ropes", 1),
            "not measured",
        ),
        (
            [
                source(record("auto", 1, 1.0), record("auto", 4, 1.0)),
                source(record("none", 1, 1.0), machine="B", name="b"),
            ],
            ("none", 1),
            "measured on another machine: b",
        ),
    ],
)
def test_what_is_missing_has_its_reason(sources: list[Source], key: tuple[str, int], reason: str) -> None:
    found = of_best_machine([NEED], sources)
    wanted = NEED.key(NEED.inputs[0], *key, "sorted")
    assert (found.ms(wanted), found.ratio(wanted, wanted)) == ("–[1]", "–[1]")
    assert found.reasons == [reason]


def test_files_that_hold_something_else_are_refused(tmp_path: Path) -> None:
    (tmp_path / "x.json").write_text("[]")
    for name, said in (("x.json", "holds no records of applications"), ("y.json", "No such file")):
        with pytest.raises(AppError, match=said):
            read([tmp_path / name])


# ------------------------------------------------------------------------------------------- pages


def test_a_page_has_its_origin_tables_words_and_reasons(tmp_path: Path) -> None:
    found = of_best_machine([NEED], [source(record("auto", 1, 5.0), record("auto", 4, 2.0))])
    written = page.write(TABLE, found, tmp_path, "python -m apps tables a-1")
    assert [file.name for file in written] == ["a-1.md", "a-1.svg"]
    text = written[0].read_text()
    assert text.startswith("# A (2000), table 1: times\n")
    for part in (
        "- `a.json`: This CPU, 4 hardware threads, A GPU, 2026-01-02, abc", "\npython -m apps tables a-1\n",
        "![times](a-1.svg)", "| 5.00 | –[1] | 2.50 |", "Missing: [1] not measured.",
        "## What the paper says\n\nIt is 3.", "## What we find\n\nIt is 4.",
    ):  # fmt: skip
        assert part in text


def test_equal_records_make_equal_files(tmp_path: Path) -> None:
    made = []
    for name in ("a", "b"):
        found = of_best_machine([NEED], [source(record("auto", 1, 5.0), record("auto", 4, 2.0))])
        made.append([file.read_bytes() for file in page.write(TABLE, found, tmp_path / name, "again")])
    assert made[0] == made[1]


def test_without_records_all_cells_are_missing_and_there_is_no_figure(tmp_path: Path) -> None:
    (tmp_path / "a-1.svg").write_text("of a run before")
    (file,) = page.write(TABLE, of_best_machine([NEED], []), tmp_path, "again")
    assert "| –[1] | –[1] | –[1] |" in file.read_text() and "There are no records yet." in file.read_text()
    assert not (tmp_path / "a-1.svg").exists()


@pytest.mark.usefixtures("only_one")
def test_from_files_nothing_is_measured(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "records.json"
    write_records(file, MACHINE, [record("auto", 1, 5.0), record("ropes", GPU, 1.0)])
    assert main(["tables", "all", "--from", str(file), "--out", str(tmp_path / "out")]) == 0
    assert capsys.readouterr().out == f"{tmp_path}/out/a-1.md\n{tmp_path}/out/a-1.svg\n"
    assert "| 5.00 | 1.00 | 1.00 |" in (tmp_path / "out" / "a-1.md").read_text()


@pytest.mark.usefixtures("only_one")
def test_the_command_of_a_page_names_only_the_files_that_it_is_made_of(tmp_path: Path) -> None:
    used, other, dear = (tmp_path / f"{name}.json" for name in ("used", "other", "dear"))
    write_records(used, MACHINE, [record("auto", 1, 5.0), record("ropes", GPU, 1.0)])
    write_records(other, MACHINE, [replace(record("auto", 2, 5.0), app="nn")])  # another application's cores
    write_records(dear, MACHINE, [record("auto", 4, 2.0)])
    for files, kept in (((used, other), "used.json"), ((other, used, dear), "used.json dear.json")):
        assert main(["tables", "a-1", "--from", *map(str, files), "--out", str(tmp_path)]) == 0
        (again,) = (line for line in (tmp_path / "a-1.md").read_text().splitlines() if line.startswith("python"))
        assert " ".join(Path(word).name for word in again.partition("--from ")[2].split()) == kept
    assert of_best_machine([NEED], read([used, other, dear])).cores == (1, 4)


@pytest.mark.usefixtures("only_one")
def test_inputs_can_be_replaced(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, replaced = tmp_path / "records.json", ["--input", "random:1000000x1=mine.npy"]
    write_records(file, MACHINE, [record("auto", 1, 5.0, input="mine.npy")])
    assert main(["tables", "a-1", "--from", str(file), "--out", str(tmp_path), *replaced]) == 0
    text = (tmp_path / "a-1.md").read_text()
    assert "| 5.00 | –[1] | 1.00 |" in text and f"{file.name} --input random:1000000x1=mine.npy\n" in text
    for where in (["--build", str(tmp_path / "x")], ["--from", str(file)], ["--quick", "--out", str(tmp_path / "x")]):
        assert main(["tables", "a-1", *where, "--input", "cities=mine.npy"]) == 1
        assert "--input cities: these tables need no such input" in capsys.readouterr().err
    assert not (tmp_path / "x").exists()


# ------------------------------------------------------------------------------------------- arguments


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["b-1"], "unknown table 'b-1'; there are a-1"),
        (["a-1", "--quick"], "--quick needs --out DIR"),
        (["a-1", "--from", "x", "--json", "y"], "--from measures nothing"),
        (["a-1", "--build", "x", "--out", "y"], "--build only builds"),
        (["a-1", "--stats"], "--stats goes with --build only"),
        (["a-1", "--input", "covtype.npy"], "expected NAME=INPUT, found 'covtype.npy'"),
    ],
)
@pytest.mark.usefixtures("only_one")
def test_wrong_arguments_are_explained(arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]) -> None:
    try:
        code = main(["tables", *arguments])
    except SystemExit as exit:
        code = int(exit.code or 0)
    assert code == 2 and said in capsys.readouterr().err


@pytest.mark.usefixtures("only_one")
def test_a_folder_that_cannot_be_made_is_explained(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_text("")
    assert main(["tables", "a-1", "--quick", "--out", str(tmp_path / "file")]) == 1
    assert f"error: cannot write {tmp_path / 'file'}: File exists" in capsys.readouterr().err


@pytest.mark.usefixtures("only_one")
def test_a_directory_for_records_is_refused_before_anything_is_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(command, "make_steps", lambda asked, _: pytest.fail("programs are built"))
    monkeypatch.setattr(driver, "make_steps", lambda asked, _: pytest.fail("programs are built"))
    out = tmp_path / "out"
    for words in (["tables", "a-1", "--quick", "--out", str(out)], ["bs", "--quick"]):
        assert main([*words, "--json", str(tmp_path)]) == 1
        assert f"error: {tmp_path}: it is a directory; expected a file" in capsys.readouterr().err
    assert not out.exists()


@pytest.mark.parametrize("wrong", [{"ms": "fast"}, {"cores": True}, {"parameters": 7}, {"parts": {"a": "b"}}])
@pytest.mark.usefixtures("only_one")
def test_records_whose_fields_have_other_types_are_none(
    wrong: dict[str, Any], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "records.json"
    write_records(file, MACHINE, [replace(record("auto", 1, 5.0), **wrong)])
    assert main(["tables", "a-1", "--from", str(file), "--out", str(tmp_path / "x")]) == 1
    assert "records.json holds no records of applications" in capsys.readouterr().err
    assert not (tmp_path / "x").exists()


@pytest.mark.usefixtures("only_one")
def test_without_names_tables_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["tables"]) == 0
    assert "  a-1            A (2000), table 1: times\n" in capsys.readouterr().out


@pytest.mark.usefixtures("only_one")
def test_only_what_is_lacking_is_measured(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Whatever is built, nothing runs: the records are there already, once they are those of this machine."""
    asked: list[Any] = []

    def make_none(each: list[Any], _: object) -> tuple[list[Any], dict[str, str]]:
        asked.extend(each)
        return [], {}

    monkeypatch.setattr(command, "make_steps", make_none)
    arguments = ["tables", "a-1", "--quick", "--out", str(tmp_path), "--cores", "1", "--json", str(tmp_path / "n.json")]
    assert main(arguments) == 0
    (only,) = asked
    assert (only.case.label, [each.variant.name for each in only.wanted]) == (
        "random:20000x1",
        ["auto", "host-recursive"],
    )
    assert not (tmp_path / "n.json").exists()
    assert "not measured" in (tmp_path / "a-1.md").read_text()


# ------------------------------------------------------------------------------------------- the page of all


def index_of(*records: Record, words: dict[str, str] | None = None, predictions: Any = ()) -> str:
    return index.text_of([TABLE], [source(*records)], predictions, words or {}, Path("nowhere"))


def section(text: str, app: str) -> str:
    return text.partition(f"### [{app}](")[2].partition("\n### ")[0]


def test_the_index_lists_tables_and_every_application(tmp_path: Path) -> None:
    text = index_of()
    assert "| a-1 (not made yet) | A (2000), table 1 | times |" in text
    assert all(f"\n### [{app}](../{app}/README.md): {app_of(app).question}" in text for app in names())
    (tmp_path / "a-1.md").write_text("")
    assert "| [a-1](a-1.md) |" in index.text_of([TABLE], [], [], {}, tmp_path)


def test_an_application_has_its_winners_counts_and_words() -> None:
    counts = {
        "visits_per_query": {"mean": 20.0}, "steps_per_gang": 30, "lanes_per_step": 8, "work_expansion": {"mean": 1.5},
    }  # fmt: skip
    records = [
        record("host-recursive", 1, 20.0, target="c++"), record("auto", 1, 8.0, traversals=[counts]),
        record("ropes", 4, 2.0),
        record("auto", GPU, 4.0, transfer_ms=1.0), record("ropes", GPU, 1.0, transfer_ms=4.0),
    ]  # fmt: skip
    predictions = [
        index.Prediction("bs", "random:1000000x1", "sorted", variant, cores, ms)
        for variant, cores, ms in (("ropes", 4, 3.0), ("ropes", GPU, 2.5))
    ]
    text = section(index_of(*records, words={"bs": "As nothing is shared."}, predictions=predictions), "bs")
    row = "| random:1000000x1 | sorted | 20.00 (host-recursive) | 8.00 (auto) | 2.00 (ropes, 4 cores) | 1.00 (ropes) |"
    assert f"{row} 4.00 | 2.00 | 0.40 |  | 3.00 | 2.50 | yes |" in text
    assert "| random:1000000x1 | sorted | auto | 20.00 | 30.00 | 8.00 | 1.50 |" in text
    assert text.rstrip().endswith("As nothing is shared.")
    wrong = [replace(predictions[0], ms=1.0), predictions[1]]
    assert "| 1.00 | 2.50 | no |" in index_of(*records, predictions=wrong)


def test_words_and_predictions_that_make_no_sense_are_refused(tmp_path: Path) -> None:
    with pytest.raises(AppError, match="no application 'nothing'"):
        index_of(words={"nothing": "x"})
    (tmp_path / "p.json").write_text('[{"app": 1}]')
    with pytest.raises(AppError, match="not a list of predictions"):
        index.read_predictions(tmp_path / "p.json")
    assert index.read_predictions(tmp_path / "none.json") == []
    assert index.read_words(tmp_path / "none.md") == {}
    (tmp_path / "w.md").write_text("Of it.\n\n## pc\n\nOne.\n\n## nn\n\nTwo.\n")
    assert index.read_words(tmp_path / "w.md") == {"pc": "One.", "nn": "Two."}


def test_every_application_has_its_words() -> None:
    assert index.read_words(index.WHY).keys() == {index.SHORT, *names()}


def test_what_is_found_in_short_stands_before_the_tables() -> None:
    text = index_of(words={index.SHORT: "The CPU."})
    assert text.index("\n## In short\n\nThe CPU.\n") < text.index("\n## Tables\n") and text.count("The CPU.") == 1


# ------------------------------------------------------------------------------------------- Goldfarb, Jo and Kulkarni


def counted(app: str, variant: str, order: str, nodes: float, steps: float, expansion: float) -> Record:
    row = {
        "visits_per_query": {"mean": nodes}, "steps_per_gang": steps,
        "work_expansion": {"mean": expansion, "deviation": 0.5},
    }  # fmt: skip
    return Record(app, "i", order, variant, TARGET, 1, 1.0, True, traversals=[row])


def test_work_expansion_of_votes_is_that_over_the_longest_query_alone() -> None:
    records = [
        counted("nn", goldfarb.LOCKSTEP, "sorted", 30, 90, 1.8), counted("nn", goldfarb.ROPES, "sorted", 20, 39, 1.3),
        counted("pc", goldfarb.LOCKSTEP, "sorted", 20, 90, 1.8),
    ]  # fmt: skip
    found = of_best_machine([Needed("nn", ("i",), (goldfarb.LOCKSTEP,))], [source(*records)])
    visits = {
        app: goldfarb.visits_of(found, Needed(app, ("i",), (goldfarb.LOCKSTEP,)), "i", "sorted") for app in ("nn", "pc")
    }
    assert visits["nn"] == goldfarb.Visits(nodes=20, steps=90, expansion=90 / 30, deviation=None)
    assert visits["pc"] == goldfarb.Visits(nodes=20, steps=90, expansion=1.8, deviation=0.5)


def goldfarb_records() -> list[Record]:
    """Return records of nn, of which all but recursion is there; the GPU's ropes are twice as fast as its lockstep."""
    times = {("openmp-iterative", 1): 80.0, ("openmp-recursive", 1): 90.0, ("auto", 1): 40.0}
    times |= {("openmp-iterative", 4): 22.0, ("openmp-recursive", 4): 20.0, ("auto", 4): 10.0}
    times |= {("lockstep", GPU): 4.0, ("ropes", GPU): 2.0}
    return [
        Record("nn", "cities", "sorted", name, CUDA if on == GPU else TARGET, on, ms, True)
        for (name, on), ms in times.items()
    ]


def test_table_1_compares_with_the_best_scalar_program_on_as_many_cores() -> None:
    table = catalogue.tables()["goldfarb-1"]
    needs = [replace(need, inputs=("cities",)) for need in table.needs if need.app == "nn"]
    found = of_best_machine(needs, [source(*goldfarb_records())])
    by_order, _ = table.rows(found)
    assert by_order.header[5:7] == ("x 1 thread", "x 4 threads")
    rows = {row[2]: row[3:] for row in by_order.rows}
    assert rows["N"][:4] == ("2.00", "", "40.0", "10.0") and rows["N"][4].startswith("–[")
    assert rows["CPU, ours"] == ("10.00", "", "8.00", "2.00", "")
    assert "lockstep is ahead of ropes on 0 of 1 problems" in table.found(found)


def test_figure_10_divides_by_the_best_form_of_the_gpu(tmp_path: Path) -> None:
    table = catalogue.tables()["goldfarb-10"]
    needs = [replace(need, inputs=("cities",)) for need in table.needs if need.app == "nn"]
    found = of_best_machine(needs, [source(*goldfarb_records())])
    rows, times = table.rows(found)
    assert times.rows == (("nn", "cities", "80.00", "40.00", "20.00", "10.00", "2.00"),)
    assert rows.header == ("app", "input", "GPU", "1: scalar", "1: ours", "4: scalar", "4: ours")
    assert rows.rows == (("nn", "cities", "ropes", "40.0", "20.0", "10.0", "5.00"),)
    assert "ahead of scalar C++ on 4 cores on 1 of 1 problems" in table.found(found)
    assert [file.name for file in page.write(table, found, tmp_path, "again")] == ["goldfarb-10.md", "goldfarb-10.svg"]


def test_the_papers_table_has_28_rows() -> None:
    assert len(goldfarb._paper_1().rows) == 28
    assert goldfarb._paper_1().rows[0][-5:] == ("4580.48", "22107", "32.55", "1.85", "14.64")


def test_records_of_an_earlier_run_of_the_same_commit_stay(tmp_path: Path) -> None:
    args = argparse.Namespace(out=tmp_path)
    names = []
    for _ in range(3):
        file = command._new_file(args, 4, "abc")
        file.write_text("[]")
        names.append(file.name)
    assert names == ["4-cores-abc.json", "4-cores-abc-2.json", "4-cores-abc-3.json"]
