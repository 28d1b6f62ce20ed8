"""bfs, hotspot, pathfinder, gaussian, distance, levenshtein: right answers in every form, and what bad input says."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from apps.__main__ import main as apps_main
from apps.bfs import run as bfs_run
from apps.common.iterative import check_numbers
from apps.distance import run as distance_run
from apps.gaussian import run as gaussian_run
from apps.harness import AppError
from apps.hotspot import run as hotspot_run
from apps.levenshtein import run as levenshtein_run
from apps.pathfinder import run as pathfinder_run

APPS = Path(__file__).parent.parent / "apps"
Programs = Callable[[str], Path]
SIDES: list[tuple[str, ...]] = [(), ("--host",)]


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Programs:
    """Return what compiles an application and returns its program; once for all tests."""
    folder = tmp_path_factory.mktemp("iterative")

    def compiled(name: str) -> Path:
        path = folder / name
        if not path.exists():
            source = str(APPS / name / f"{name}.cu")
            flags = ["-Xcompiler", "-fopenmp", "-l", "gomp"]
            command = [sys.executable, "-m", "simt2simd", "compile", source, *flags, "-o", str(path)]
            done = subprocess.run(command, capture_output=True, text=True)
            assert (done.returncode, done.stderr) == (0, "")
        return path

    return compiled


def run(program: Path, *args: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run([str(program), *map(str, args), "--reps", "1"], capture_output=True, text=True)


def answers(program: Path, folder: Path, *args: object) -> Path:
    """Return the file of a run's answers, which the program found right itself."""
    out = folder / "answers.npy"
    done = run(program, "--out", out, "--check", *args)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "check: PASS" in done.stdout
    return out


def assert_refused(program: Path, message: str, *args: object) -> None:
    done = run(program, *args)
    assert (done.returncode, done.stderr) == (1, f"{program.name}: error: {message}\n")


# ------------------------------------------------------------------------------------------- bfs


@pytest.mark.slow
@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("form", ["queue", "masks"])
@pytest.mark.parametrize("graph", ["road:1", "road:40", "rmat:1x1", "rmat:12x16"])
def test_levels_are_those_of_scipy(
    programs: Programs, tmp_path: Path, graph: str, form: str, side: tuple[str, ...]
) -> None:
    edges = tmp_path / "edges.npy"
    options = (
        "--input",
        graph,
        "--order",
        "shuffled",
        "--form",
        form,
        "--save-edges",
        edges,
        *side,
    )
    found = np.load(answers(programs("bfs"), tmp_path, *options))
    if len(np.load(edges)):
        right = bfs_run.levels(np.load(edges))
        check_numbers(graph, "levels", "node", right, found[: len(right)])
        assert (found[len(right) :] == -1).all()


def test_nodes_without_edges_at_the_end_of_a_made_graph_are_nodes() -> None:
    edges = np.array([[0, 1], [1, 2]], np.int32)
    assert bfs_run.nodes_of("rmat:3x1", edges) == 8 and bfs_run.nodes_of("road:2", edges) == 4
    assert bfs_run.nodes_of("edges.npy", edges) == 3
    assert bfs_run.levels(edges, 0, bfs_run.nodes_of("rmat:3x1", edges)).tolist() == [0, 1, 2, *[-1] * 5]


def test_hub_has_more_neighbours_than_a_block_keeps(programs: Programs, tmp_path: Path) -> None:
    text = tmp_path / "star.txt"
    text.write_text("# a star\n" + "".join(f"0 {i}\n" for i in range(1, 5000)))
    found = np.load(answers(programs("bfs"), tmp_path, "--input", text, "--source", "7"))
    assert found.tolist() == [1] + [2] * 6 + [0] + [2] * 4992


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "there are no edges"),
        ("0 1\n1\n", "line 2: '1': two numbers of nodes are expected"),
        ("0 1\n\n2 x\n", "line 3: '2 x': two numbers of nodes are expected"),
        ("0 -1\n", "line 1: node -1; 0 to 268435455 are supported"),
    ],
)
def test_bad_list_of_edges_is_refused(programs: Programs, tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "edges.txt"
    path.write_text(text)
    assert_refused(programs("bfs"), f"{path}: {message}", "--input", path)


def test_source_must_be_a_node(programs: Programs) -> None:
    message = "--source: expected a node from 0 to 15, found '16'"
    assert_refused(programs("bfs"), message, "--input", "road:4", "--source", "16")


# ------------------------------------------------------------------------------------------- hotspot


@pytest.mark.slow
@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("shape", [(1, 1), (1, 9), (3, 2), (40, 130), (65, 33)])
def test_temperatures_are_those_of_numpy(
    programs: Programs, tmp_path: Path, shape: tuple[int, int], side: tuple[str, ...]
) -> None:
    temperature, power = hotspot_run.chip(f"random:{shape[0]}x{shape[1]}")
    np.save(tmp_path / "t.npy", temperature)
    np.save(tmp_path / "p.npy", power)
    right = hotspot_run.heated(temperature, power, 11)
    options = ("--input", tmp_path / "t.npy", "--power", tmp_path / "p.npy", "--steps", "11")
    for pyramid in ("1", "4", "7"):
        out = answers(programs("hotspot"), tmp_path, *options, "--pyramid", pyramid, *side)
        hotspot_run.check_temperatures("test", right, 11, np.load(out))


def test_power_must_have_the_shape_of_the_chip(programs: Programs, tmp_path: Path) -> None:
    path = tmp_path / "p.txt"
    path.write_text("1 2\n3 4\n")
    message = f"{path}: 2 x 2 cells, but 3 x 3 temperatures"
    assert_refused(programs("hotspot"), message, "--input", "random:3x3", "--power", path)


# ------------------------------------------------------------------------------------------- pathfinder


@pytest.mark.slow
@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("shape", [(1, 1), (2, 1), (7, 2), (21, 984), (22, 985), (61, 3000)])
def test_ways_cost_what_numpy_says(
    programs: Programs, tmp_path: Path, shape: tuple[int, int], side: tuple[str, ...]
) -> None:
    costs = pathfinder_run.grid(f"random:{shape[0]}x{shape[1]}")
    np.save(tmp_path / "costs.npy", costs)
    out = answers(programs("pathfinder"), tmp_path, "--input", tmp_path / "costs.npy", *side)
    check_numbers("test", "costs", "column", pathfinder_run.cheapest(costs), np.load(out))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1 2\n3\n", "line 2: 1 numbers, 2 expected"),
        ("1,2\n3,x\n", "line 2, column 1: 'x' is not a number"),
        ("1 2\n3 0.5\n", "row 1, column 1: a cost of 0.5; whole numbers from 0 to 1000 are supported"),
        ("1 2\n-3 1\n", "row 1, column 0: a cost of -3; whole numbers from 0 to 1000 are supported"),
        ("\n", "there are no rows of numbers"),
    ],
)
def test_bad_grid_is_refused_with_the_row(programs: Programs, tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "grid.txt"
    path.write_text(text)
    assert_refused(programs("pathfinder"), f"{path}: {message}", "--input", path)


# ------------------------------------------------------------------------------------------- gaussian


@pytest.mark.slow
@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("form", ["panels", "steps"])
@pytest.mark.parametrize("size", [1, 2, 15, 16, 17, 100, 257])
def test_unknowns_are_those_of_numpy(
    programs: Programs, tmp_path: Path, size: int, form: str, side: tuple[str, ...]
) -> None:
    equations = gaussian_run.system(f"random:{size}")
    np.save(tmp_path / "system.npy", equations)
    options = ("--input", tmp_path / "system.npy", "--form", form, *side)
    gaussian_run.check_unknowns("test", equations, np.load(answers(programs("gaussian"), tmp_path, *options)))


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("form", ["panels", "steps"])
def test_pivot_of_zero_is_an_error(programs: Programs, tmp_path: Path, form: str, side: tuple[str, ...]) -> None:
    path = tmp_path / "system.txt"
    path.write_text("1 2 3 1\n2 4 1 1\n1 1 1 1\n")
    message = "row 1: the pivot is 0: the matrix is singular, or its rows would have to change places"
    assert_refused(programs("gaussian"), message, "--input", path, "--form", form, *side)


def test_system_needs_a_column_more_than_rows(programs: Programs, tmp_path: Path) -> None:
    path = tmp_path / "system.txt"
    path.write_text("1 2\n3 4\n")
    message = f"{path}: 2 rows of 2 numbers; rows of 3 are expected, the last number is b's"
    assert_refused(programs("gaussian"), message, "--input", path)


# ------------------------------------------------------------------------------------------- distance


@pytest.mark.slow
@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize(("count", "k"), [(1, 1), (20, 20), (5003, 7), (40000, 100)])
def test_nearest_records_are_those_of_numpy(
    programs: Programs, tmp_path: Path, count: int, k: int, side: tuple[str, ...]
) -> None:
    points = np.random.default_rng(count).random((count, 2)).astype(np.float32)
    np.save(tmp_path / "records.npy", points)
    options = (
        "--input",
        tmp_path / "records.npy",
        "--k",
        str(k),
        "--x",
        "0.25",
        "--y",
        "0.5",
        *side,
    )
    out = answers(programs("distance"), tmp_path, *options)
    distance_run.check_nearest("test", points, np.array([0.25, 0.5], np.float32), k, np.load(out))


@pytest.mark.parametrize("side", SIDES)
def test_equal_records_are_all_found(programs: Programs, tmp_path: Path, side: tuple[str, ...]) -> None:
    points = np.ones((1000, 2), np.float32)
    np.save(tmp_path / "records.npy", points)
    out = answers(programs("distance"), tmp_path, "--input", tmp_path / "records.npy", "--k", "900", *side)
    distance_run.check_nearest("test", points, np.array([0.5, 0.5], np.float32), 900, np.load(out))


@pytest.mark.parametrize(
    ("text", "options", "message"),
    [
        ("1,2\n3,4\n", ("--k", "3"), "k is 3, but there are only 2 records"),
        ("1,2,3\n", (), "records have 2 coordinates, found 3"),
        ("1,2\n3,nan\n", (), "row 1, column 1: nan is not a finite number"),
    ],
)
def test_bad_records_are_refused(
    programs: Programs, tmp_path: Path, text: str, options: tuple[str, ...], message: str
) -> None:
    path = tmp_path / "records.csv"
    path.write_text(text)
    assert_refused(programs("distance"), f"{path}: {message}", "--input", path, *options)


# ------------------------------------------------------------------------------------------- levenshtein


@pytest.mark.slow
@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize(("length", "patterns"), [(8, 1), (9, 3), (1000, 70), (40000, 300)])
def test_counts_are_those_of_numpy(
    programs: Programs, tmp_path: Path, length: int, patterns: int, side: tuple[str, ...]
) -> None:
    text = np.random.default_rng(length).choice(np.frombuffer(b"ab\xff", np.uint8), length)
    text.tofile(tmp_path / "text")
    options = ("--input", tmp_path / "text", "--patterns", str(patterns), *side)
    found = np.load(answers(programs("levenshtein"), tmp_path, *options))
    assert len(found) == patterns
    levenshtein_run.check_counts("test", text, found, {})


@pytest.mark.parametrize("side", SIDES)
def test_one_error_of_each_kind_is_found(programs: Programs, tmp_path: Path, side: tuple[str, ...]) -> None:
    (tmp_path / "patterns").write_text("abcdefgh\n")
    for text, count in (
        ("..abcdefgh..", 3),  # ends a character early, too, and late
        ("..abcXefgh..", 1),
        ("..abcefgh..", 1),
        ("..abcXdefgh..", 1),
        ("..abXdefXh..", 0),
        ("abcdefg", 0),  # shorter than a pattern: refused
    ):
        (tmp_path / "text").write_text(text)
        options = ("--input", tmp_path / "text", "--pattern-file", tmp_path / "patterns", *side)
        if len(text) < 8:
            message = f"{tmp_path / 'text'}: a text of 7 characters; at least 8 are needed"
            assert_refused(programs("levenshtein"), message, *options)
        else:
            assert np.load(answers(programs("levenshtein"), tmp_path, *options))["count"].tolist() == [count]


def test_occurrences_across_two_blocks_are_found_once(programs: Programs, tmp_path: Path) -> None:
    text = np.full(40000, ord("."), np.uint8)
    (tmp_path / "patterns").write_text("abcdXfgh\n")
    for end in range(16380, 16400):
        text[:] = ord(".")
        text[end - 8 : end] = np.frombuffer(b"abcdefgh", np.uint8)
        text.tofile(tmp_path / "text")
        options = ("--input", tmp_path / "text", "--pattern-file", tmp_path / "patterns")
        assert np.load(answers(programs("levenshtein"), tmp_path, *options))["count"].tolist() == [1]


def test_pattern_of_another_length_is_refused(programs: Programs, tmp_path: Path) -> None:
    path = tmp_path / "patterns"
    path.write_text("abcdefgh\nabc\n")
    message = f"{path}: line 2: a pattern of 3 characters; 8 are expected"
    assert_refused(programs("levenshtein"), message, "--input", "random:100", "--pattern-file", path)


# ------------------------------------------------------------------------------------------- all


@pytest.mark.parametrize(
    ("name", "given", "options"),
    [
        ("bfs", "road:50", ("--order", "sorted")),
        ("hotspot", "random:40x50", ()),
        ("pathfinder", "random:30x500", ()),
        ("gaussian", "random:60", ()),
        ("distance", "random:3000x2", ()),
        ("levenshtein", "random:5000", ()),
    ],
)
def test_application_measures_and_checks(
    name: str,
    given: str,
    options: tuple[str, ...],
    programs: Programs,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("apps.programs.build", lambda source, *_: programs(source.stem))  # takes long
    monkeypatch.setattr("apps.common.prepare.build", lambda source, *_: programs(source.stem))
    assert apps_main([name, "--quick", "--input", given, *options]) == 0, capsys.readouterr().err
    rows = [row.split() for row in capsys.readouterr().out.splitlines() if row.startswith(given)]
    assert [(row[1 + len(options) // 2], row[-1]) for row in rows] == [("auto", "yes"), ("openmp", "yes")]


@pytest.mark.parametrize("name", ["bfs", "hotspot", "pathfinder", "gaussian", "distance", "levenshtein"])
def test_missing_file_is_an_error(name: str, programs: Programs, capsys: pytest.CaptureFixture[str]) -> None:
    missing = "/nowhere.csv"
    assert_refused(programs(name), f"{missing}: No such file or directory", "--input", missing)
    assert apps_main([name, "--input", missing]) == 1
    assert f"{missing}: No such file or directory" in capsys.readouterr().err


def test_wrong_answers_are_found(tmp_path: Path) -> None:
    right = np.array([0, 1, 2])
    with pytest.raises(AppError, match="1 of 3 levels are wrong; first: node 2: 3, expected 2"):
        check_numbers("bfs", "levels", "node", right, np.array([0, 1, 3], np.int32))
    np.save(tmp_path / "a.npy", np.array([4, 1, 2], np.int32))
    with pytest.raises(AppError, match="1 of 3 costs are wrong; first: column 0: 4, expected 0"):
        check_numbers("pathfinder", "costs", "column", right, np.load(tmp_path / "a.npy"))
    np.save(tmp_path / "a.npy", np.array([[300.0, 300.1]], np.float32))
    with pytest.raises(AppError, match=r"first: row 0, column 1: 300\.1"):
        hotspot_run.check_temperatures("hotspot", np.array([[300.0, 300.0]]), 1, np.load(tmp_path / "a.npy"))
    with pytest.raises(AppError, match="unknown 0 is 3, expected 2"):
        gaussian_run.check_unknowns("gaussian", np.array([[1.0, 2.0]]), np.array([3], np.float32))
    records = np.array([(1, 1.0)], [("row", "<i4"), ("distance", "<f4")])
    np.save(tmp_path / "a.npy", records)
    with pytest.raises(AppError, match=r"neighbour 1 is row 1 at 1 \(1\), expected one at 0"):
        distance_run.check_nearest(
            "d", np.array([[0, 0], [0, 1]], np.float32), np.zeros(2, np.float32), 1, np.load(tmp_path / "a.npy")
        )
    counts = np.array([(b"abcdefgh", 2)], [("pattern", "V8"), ("count", "<i4")])
    with pytest.raises(AppError, match="pattern 0, b'abcdefgh': 2, expected 3"):
        levenshtein_run.check_counts("l", np.frombuffer(b"..abcdefgh..", np.uint8), counts, {})
