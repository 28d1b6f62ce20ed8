"""sssp, spmv, pagerank, coloring, bfs_rec: right answers in every form, graphs as they should be, bad files named."""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from apps.__main__ import main as apps_main
from apps.bfs_rec import run as bfs_rec_run
from apps.coloring import run as coloring_run
from apps.common import nested, plots, tables
from apps.common.app import Array, app_of
from apps.common.nested_records import configurations_of, forms_of
from apps.common.prepare import Builder
from apps.harness import AppError, Record
from apps.machine import CUDA, Machine
from apps.pagerank import run as pagerank_run
from apps.spmv import run as spmv_run
from apps.sssp import run as sssp_run
from simt2simd.options import Options
from simt2simd.pipeline import compile_device
from simt2simd.source import Source

APPS = Path(__file__).parent.parent / "apps"
NAMES = ("sssp", "spmv", "pagerank", "coloring", "bfs_rec")
FORMS = ("flat", "basic", "warp", "block", "grid")
WAYS = [*(("--form", form) for form in FORMS), ("--host", "serial"), ("--host", "openmp")]
Programs = Callable[[str], Path]
SLOW = {name: pytest.mark.slow(f"nested {name}") for name in NAMES}  # those of one program run together
EACH = [pytest.param(name, marks=SLOW[name]) for name in NAMES]


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Programs:
    """Return what compiles an application and returns its program; once for all tests."""
    folder = tmp_path_factory.mktemp("nested")

    def compiled(name: str) -> Path:
        path = folder / name
        if not path.exists():
            source = str(APPS / name / f"{name}.cu")
            flags = ["-Xcompiler", "-fopenmp,-O2", "-l", "gomp"]
            command = [sys.executable, "-m", "simt2simd", "compile", source, *flags, "-o", str(path)]
            done = subprocess.run(command, capture_output=True, text=True)
            assert (done.returncode, done.stderr) == (0, "")
        return path

    return compiled


def run(program: Path, *args: object, threads: int = 2) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"S2S_THREADS": str(threads), "OMP_NUM_THREADS": "2"}
    command = [str(program), *map(str, args), "--reps", "1"]
    return subprocess.run(command, capture_output=True, text=True, env=environment, timeout=300)


def answers(program: Path, folder: Path, *args: object) -> tuple[dict[str, Array], Array]:
    """Return a run's graph and answers, which the program found right itself."""
    for file in folder.glob("*.npy"):
        file.unlink()
    done = run(program, "--out", folder / "answers.npy", "--save-graph", folder / "g", "--check", *args)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "check: PASS" in done.stdout
    graph = {file.stem.partition("-")[2]: np.load(file) for file in folder.glob("g-*.npy")}
    return graph, np.load(folder / "answers.npy")


def assert_right(name: str, graph: dict[str, Array], found: Array) -> None:
    """Compare answers with those of SciPy or NumPy."""
    if name == "spmv":
        nested.check_bounds(name, "numbers", "row", spmv_run.product(graph), found)
    elif name == "pagerank":
        nested.check_bounds(name, "ranks", "node", pagerank_run.ranks(graph, pagerank_run.ITERATIONS), found)
    elif name == "sssp":
        assert found.tolist() == sssp_run.distances(graph).tolist()
    elif name == "coloring":
        assert found.tolist() == coloring_run.colours(graph).tolist()
    else:
        assert found.tolist() == bfs_rec_run.levels(graph).tolist()


def children(said: str) -> tuple[int, int]:
    """Return how many launches kernels made, and for how many items."""
    words = next(line for line in said.splitlines() if line.startswith("child launches: ")).split()
    return int(words[2]), int(words[4])


# ------------------------------------------------------------------------------------------- answers


@pytest.mark.parametrize("graph", ["citation:700", "citation:17", "kron:9"])
@pytest.mark.parametrize("way", WAYS, ids=lambda way: way[1])
@pytest.mark.parametrize("name", EACH)
def test_answers_are_those_of_scipy_in_every_form(
    programs: Programs, tmp_path: Path, name: str, way: tuple[str, str], graph: str
) -> None:
    assert_right(name, *answers(programs(name), tmp_path, "--input", graph, *way))


@pytest.mark.parametrize("name", EACH)
def test_every_size_of_consolidated_grids_gives_right_answers(programs: Programs, tmp_path: Path, name: str) -> None:
    for form in ("warp", "block", "grid"):
        for size in ("1", "7", "9999", "1-1"):
            options = ("--input", "kron:8", "--form", form, "--kc", size)
            assert_right(name, *answers(programs(name), tmp_path, *options))


@pytest.mark.parametrize("name", EACH[:-1])  # not bfs_rec
def test_all_or_no_items_may_be_large(programs: Programs, tmp_path: Path, name: str) -> None:
    for threshold in (0, 100000):
        for form in FORMS[1:]:
            options = ("--input", "citation:300", "--form", form, "--threshold", threshold)
            assert_right(name, *answers(programs(name), tmp_path, *options))


@SLOW["bfs_rec"]
def test_search_deeper_than_launches_nest_begins_again(programs: Programs, tmp_path: Path) -> None:
    path = tmp_path / "path.mtx"
    edges = "".join(f"{i + 1} {i}\n" for i in range(1, 90))
    path.write_text(f"%%MatrixMarket matrix coordinate pattern symmetric\n90 90 89\n{edges}")
    for form in FORMS:
        _, found = answers(programs("bfs_rec"), tmp_path, "--input", path, "--source", "0", "--form", form)
        assert found.tolist() == list(range(90))


@SLOW["spmv"]
def test_launches_are_counted(programs: Programs) -> None:
    made = {
        form: children(run(programs("spmv"), "--input", "citation:2000", "--form", form).stdout) for form in FORMS[1:]
    }
    (basic, items), large = made["basic"], {count for _, count in made.values()}
    assert basic == items and large == {items}  # each large row once
    assert 1 == made["grid"][0] < made["block"][0] <= 16 < made["warp"][0] <= 63


@SLOW["bfs_rec"]
def test_recursive_search_on_one_thread_launches_once_for_each_node(programs: Programs) -> None:
    done = run(programs("bfs_rec"), "--input", "kron:10", "--form", "basic", "--check", threads=1)
    assert done.returncode == 0 and children(done.stdout) == (1023, 1023)


# ------------------------------------------------------------------------------------------- inputs


@SLOW["bfs_rec"]
def test_graphs_are_simple_and_have_the_degrees_that_they_should(programs: Programs, tmp_path: Path) -> None:
    for name, least, most in (("citation:5000", 1, 1199), ("kron:11", 8, 36114 // 32)):
        graph, _ = answers(programs("bfs_rec"), tmp_path, "--input", name, "--host", "serial")
        start, column = graph["start"], graph["column"]
        degrees = np.diff(start)
        row = np.repeat(np.arange(len(degrees)), degrees)
        assert (degrees.min(), degrees.max()) == (least, most)
        edges = set(zip(row.tolist(), column.tolist(), strict=True))
        assert len(edges) == len(row) and all((b, a) in edges and a != b for a, b in edges)


def test_seeds_give_different_random_graphs(programs: Programs, tmp_path: Path) -> None:
    graphs = []
    for seed in (1, 1, 2):
        options = ("--input", "citation:100", "--seed", seed, "--host", "serial")
        graphs.append(answers(programs("spmv"), tmp_path, *options)[0]["column"].tolist())
    assert graphs[0] == graphs[1] != graphs[2]


@pytest.mark.parametrize("symmetry", ["general", "symmetric"])
@pytest.mark.parametrize("kind", ["pattern", "real", "integer"])
def test_files_are_read_as_scipy_reads_them(programs: Programs, tmp_path: Path, kind: str, symmetry: str) -> None:
    pytest.importorskip("scipy")
    from scipy.io import mmread

    rows, entries = (4, [(1, 2), (3, 3), (2, 1), (4, 2)]) if symmetry == "general" else (4, [(2, 1), (3, 3), (4, 2)])
    columns = 3 if symmetry == "general" else 4
    value = {"pattern": "", "real": " -2.5e-1", "integer": " 7"}[kind]
    lines = "".join(f"{i}\t{j}{value}\r\n" for i, j in entries)
    path = tmp_path / "m.mtx"
    path.write_text(
        f"%%MatrixMarket Matrix Coordinate {kind} {symmetry}\n% c\n\n{rows} {columns} {len(entries)}\n{lines}"
    )
    right = mmread(path).toarray().astype(np.float32)
    graph, _ = answers(programs("spmv"), tmp_path, "--input", path, "--host", "serial")
    found = np.zeros_like(right)
    found[np.repeat(np.arange(rows), np.diff(graph["start"])), graph["column"]] = graph["value"]
    assert found.tolist() == right.tolist()


HEAD = "%%MatrixMarket matrix coordinate"
BANNER = "line 1: '%%MatrixMarket matrix coordinate KIND SYMMETRY' is expected"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", BANNER),
        ("1 2\n", BANNER),
        (
            "%%MatrixMarket matrix array real general\n1 1\n2\n",
            "line 1: '%%MatrixMarket matrix array real general': the format array is not supported; coordinate is",
        ),
        (
            f"{HEAD} complex general\n1 1 0\n",
            f"line 1: '{HEAD} complex general': numbers of the kind complex are not supported; pattern, real and "
            "integer are",
        ),
        (
            f"{HEAD} real skew-symmetric\n1 1 0\n",
            f"line 1: '{HEAD} real skew-symmetric': the symmetry skew-symmetric is not supported; general and "
            "symmetric are",
        ),
        (f"{HEAD} real general\n% only\n", "the line with rows, columns and entries is missing"),
        (f"{HEAD} real general\n2 2\n", "line 2: '2 2': the numbers of rows, columns and entries are expected"),
        (f"{HEAD} real general\n0 2 0\n", "line 2: '0 2 0': a matrix has at least one row and one column"),
        (f"{HEAD} real symmetric\n2 3 0\n", "line 2: '2 3 0': a symmetric matrix has as many columns as rows"),
        (f"{HEAD} real general\n2 2 2\n1 1 1\n", "the file ends after 1 of 2 entries"),
        (f"{HEAD} real general\n2 2 1\n1 1 1\n2 2 1\n", "line 4: '2 2 1': there are more than 1 entries"),
        (f"{HEAD} real general\n2 2 1\n1 3 1\n", "line 3: '1 3 1': the matrix has rows 1 to 2 and columns 1 to 2"),
        (f"{HEAD} real general\n2 2 1\n1 x 1\n", "line 3: '1 x 1': a row, a column and a number are expected"),
        (f"{HEAD} real general\n2 2 1\n1 1 nan\n", "line 3: '1 1 nan': the number is not finite, or too large"),
        (
            f"{HEAD} integer general\n2 2 1\n1 1 1.5\n",
            "line 3: '1 1 1.5': a row, a column and a whole number are expected",
        ),
        (f"{HEAD} pattern general\n2 2 1\n1 1 1\n", "line 3: '1 1 1': a row and a column are expected"),
        (
            f"{HEAD} pattern symmetric\n2 2 1\n1 2\n",
            "line 3: '1 2': an entry above the diagonal, of a matrix that is symmetric",
        ),
    ],
)
def test_malformed_file_is_refused_with_the_line(programs: Programs, tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "m.mtx"
    path.write_text(text)
    done = run(programs("spmv"), "--input", path)
    assert (done.returncode, done.stderr) == (1, f"spmv: error: {path}: {message}\n")


@SLOW["sssp"]
@pytest.mark.parametrize(
    ("name", "size", "entry", "message"),
    [
        ("sssp", "2 3", "", "2 rows and 3 columns; of a graph both are as many as nodes"),
        (
            "sssp",
            "2 2",
            "1 2 -1",
            "the edge from node 1 to 2 has length -1; whole numbers from 0 to 65535 are supported",
        ),
        (
            "sssp",
            "40000 40000",
            "1 2 60000",
            "a way over 40000 nodes by edges of length 60000 may be longer than 2^31 - 1",
        ),
        ("spmv", "2 2", "1 2 1e30", "the entry in row 1, column 2 is too large; at most 1e18 is supported"),
    ],
)
def test_graph_that_an_application_cannot_take_is_refused(
    programs: Programs, tmp_path: Path, name: str, size: str, entry: str, message: str
) -> None:
    path = tmp_path / "m.mtx"
    path.write_text(f"{HEAD} real general\n{size} {1 if entry else 0}\n{entry}\n")
    done = run(programs(name), "--input", path)
    assert (done.returncode, done.stderr) == (1, f"{name}: error: {path}: {message}\n")


def test_wrong_usage_is_reported(programs: Programs) -> None:
    for options, message in (
        (("--form", "thread"), "--form: expected flat, basic, warp, block or grid, found 'thread'"),
        (("--kc", "0"), "--kc: expected a whole number from 1 to 9999, 1-1 or best, found '0'"),
        (("--form", "flat", "--kc", "1"), "--kc: the form flat does not consolidate"),
        (("--input", "kron:99"), "kron:99: expected kron:N with a number from 6 to 20"),
    ):
        done = run(programs("spmv"), *options)
        assert done.returncode == 2 and done.stderr.startswith(f"spmv: error: {message}\n")


@SLOW["bfs_rec"]
def test_node_that_is_not_there_cannot_be_the_source(programs: Programs) -> None:
    done = run(programs("bfs_rec"), "--input", "citation:50", "--source", "50")
    message = "bfs_rec: error: --source: expected a node from 0 to 49, found '50'\n"
    assert (done.returncode, done.stderr) == (1, message)
    for text in ("x", "-1", "5.0", str(2**64)):
        done = run(programs("bfs_rec"), "--source", text)
        message = f"bfs_rec: error: --source: expected a whole number from 0 to {2**63 - 1}, found '{text}'\n"
        assert done.returncode == 2 and done.stderr.startswith(message)


def test_distances_go_over_edges_of_length_zero_and_the_shortest_of_several() -> None:
    pytest.importorskip("scipy")
    graph = {
        "start": np.array([0, 3, 4, 5, 5], np.int32),
        "column": np.array([1, 1, 2, 2, 0], np.int32),
        "length": np.array([9, 4, 0, 1, 3], np.int32),
    }
    assert sssp_run.distances(graph, 0).tolist() == [0, 4, 0, -1]


# ------------------------------------------------------------------------------------------- the driver


@pytest.mark.parametrize("name", EACH)
def test_application_measures_and_checks(
    name: str, programs: Programs, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("apps.programs.build", lambda source, *_: programs(source.stem))  # takes long
    monkeypatch.setattr("apps.common.prepare.build", lambda source, *_: programs(source.stem))
    assert apps_main([name, "--quick", "--input", "kron:8"]) == 0, capsys.readouterr().err
    printed = capsys.readouterr().out
    rows = [row.split() for row in printed.splitlines() if row.startswith("kron:8")]
    assert {row[1] for row in rows} == {variant.name for variant in app_of(name).variants}
    assert all(row[-1] == "yes" for row in rows)
    assert "Launches from kernels: how many times as fast as basic, and how many" in printed


def test_file_that_is_missing_or_no_matrix_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(AppError, match=r"^/nowhere\.mtx: No such file or directory$"):
        nested.case_of("/nowhere.mtx", {})
    (tmp_path / "a.mtx").write_text("1 2\n")
    with pytest.raises(AppError, match="line 1: '%%MatrixMarket"):
        nested.case_of(str(tmp_path / "a.mtx"), {})


def test_fault_in_a_graph_is_reported_in_the_words_of_the_program(
    programs: Programs, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("apps.programs.build", lambda source, *_: programs(source.stem))
    with pytest.raises(AppError, match=r"^kron:99: expected kron:N with a number from 6 to 20$"):
        nested.graph_of(app_of("sssp").source, nested.case_of("kron:99", {}))


def test_numbers_off_by_more_than_their_bound_are_wrong() -> None:
    truth = {"right": np.array([1.0, 2.0]), "bound": np.array([0.1, 0.1])}
    nested.check_bounds("a", "numbers", "row", truth, np.array([1.05, 1.95], np.float32))
    for found in ([1.0, 2.2], [1.0, np.nan]):
        with pytest.raises(AppError, match="a: 1 of 2 numbers are wrong; first: row 1"):
            nested.check_bounds("a", "numbers", "row", truth, np.array(found, np.float32))
    with pytest.raises(AppError, match="2 of 2 numbers are wrong"):
        nested.check_bounds("a", "numbers", "row", truth, np.ones(1, np.float32))


def test_all_forms_run_on_a_gpu_with_device_code_that_is_linked() -> None:
    app = app_of("spmv")
    (case,) = app.cases("kron:8", argparse.Namespace())
    wanted = [each for each in Builder("avx2", True, "sm_90").wanted(app, case, app.variants) if each.target == CUDA]
    assert [each.variant.name for each in wanted] == list(FORMS)
    assert all(each.recipe and {"-rdc=true", "cudadevrt"} <= set(each.recipe.flags) for each in wanted)


@pytest.mark.parametrize("name", ["sssp", "spmv", "pagerank", "coloring", "bfs_rec", "td", "mc"])
def test_forms_launch_what_is_written(name: str) -> None:
    """What is consolidated by hand is to be compared with what is not."""

    def kernels(*disabled: str) -> set[str]:
        options = Options(disabled=frozenset(disabled))
        compiled = compile_device(Source.read(app_of(name).source), options, until="launch-consolidation")
        return {kernel.name for kernel in compiled.module.kernels}

    assert kernels() == kernels("launch-consolidation") != set()


# ------------------------------------------------------------------------------------------- tables and figures


def record(variant: str, ms: float, launches: int | None) -> Record:
    return Record("bfs_rec", "kron", None, variant, "avx2", 1, ms, True, child_launches=launches, child_items=launches)


RECORDS = [
    record("flat", 5.0, None),
    record("basic", 10.0, 900),
    *(record(level, ms, n) for level, ms, n in (("warp", 4.0, 90), ("block", 2.0, 9), ("grid", 1.0, 1))),
    *(record(f"{level}-best", 1.0, 1) for level in ("warp", "block", "grid")),
    record("block-kc1", 5.0, 9),
    replace(record("openmp", 3.0, None), target="c++"),
]


def test_forms_are_compared_with_basic_and_their_launches_listed() -> None:
    (row,) = tables.nested(RECORDS).rows
    assert row == ("bfs_rec", "kron", "1 core", "10.00", "2.00", "2.50", "5.00", "10.0", "900", "90", "9", "1")
    assert not tables.nested(RECORDS[:1]).rows


def test_sizes_of_consolidated_grids_are_compared() -> None:
    (forms,) = forms_of(RECORDS)
    found = configurations_of(forms)
    assert found["KC_1"] == {"block": 2.0, "grid": 10.0} and found["KC_32"] == {"warp": 2.5}
    assert found["best"] == {"warp": 10.0, "block": 10.0, "grid": 10.0}
    (forms,) = forms_of(RECORDS[:5])
    assert not configurations_of(forms)


def test_figures_of_forms_and_sizes_are_drawn(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    machine = Machine("This CPU", 16, "", 0.0, "Linux", "2026-01-01", "abc", {}, {})
    assert [file.name for file in plots.plot(machine, RECORDS, tmp_path)] == ["nested.svg", "configurations.svg"]
    assert all(file.read_text().count("<path") > 5 for file in tmp_path.glob("*.svg"))
