"""apps/nn: right answers in every dimension, and what bad input and wrong usage say."""

from __future__ import annotations

import io
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.spatial import cKDTree

from apps.__main__ import main as apps_main
from apps.common import neighbours
from apps.harness import AppError, Record, print_records
from apps.records import read_records

HERE = Path(__file__).parent.parent / "apps" / "nn"
OPENMP = ("-Xcompiler", "-fopenmp", "-l", "gomp")
VARIANTS: list[tuple[str, ...]] = [
    ("--order", "sorted"),
    ("--order", "shuffled"),
    ("--host", "recursive"),
    ("--host", "iterative"),
    ("--host", "recursive", "--openmp"),
]


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("nn") / "nn"
    command = [sys.executable, "-m", "simt2simd", "compile", str(HERE / "nn.cu"), *OPENMP, "-o", str(path)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert done.stderr == "", "a warning"
    return path


def run(program: Path, *args: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([str(program), *map(str, args)], capture_output=True, text=True)


def assert_answers_are_right(points: NDArray[np.float32], answers: Path) -> None:
    double = points.astype(np.float64)
    truth = cKDTree(double).query(double, k=2)[0][:, 1:]
    neighbours.check_file("test", points, truth, answers)


# ------------------------------------------------------------------------------------------- answers


@pytest.mark.slow
@pytest.mark.parametrize("dim", range(1, 17))
def test_every_dimension_is_answered_as_by_scipy(program: Path, tmp_path: Path, dim: int) -> None:
    points = np.random.default_rng(dim).normal(size=(1003, dim)).astype(np.float32)
    np.save(tmp_path / "points.npy", points)
    for variant in VARIANTS:
        command: tuple[str | Path, ...] = (
            "--input",
            tmp_path / "points.npy",
            *variant,
            "--check",
            "--out",
            tmp_path / "answers.npy",
        )
        done = run(program, *command, "--reps", "1")
        assert done.returncode == 0, done.stdout + done.stderr
        assert "check: PASS, 1003 answers" in done.stdout
        assert_answers_are_right(points, tmp_path / "answers.npy")


@pytest.mark.parametrize("count", [2, 3, 15, 16, 17, 31, 32, 33, 257, 5000])
def test_every_size_is_answered(program: Path, tmp_path: Path, count: int) -> None:
    points = np.random.default_rng(count).random((count, 3)).astype(np.float32)
    np.save(tmp_path / "points.npy", points)
    done = run(program, "--input", tmp_path / "points.npy", "--check", "--out", tmp_path / "answers.npy")
    assert done.returncode == 0, done.stdout + done.stderr
    assert_answers_are_right(points, tmp_path / "answers.npy")


@pytest.mark.parametrize("distinct", [1, 2, 40])
def test_points_that_are_there_many_times_have_neighbours_at_distance_0(
    program: Path, tmp_path: Path, distinct: int
) -> None:
    rng = np.random.default_rng(distinct)
    points = rng.random((distinct, 2)).astype(np.float32)[rng.integers(0, distinct, 2000)]
    np.save(tmp_path / "points.npy", points)
    done = run(program, "--input", tmp_path / "points.npy", "--check", "--out", tmp_path / "answers.npy")
    assert done.returncode == 0, done.stdout + done.stderr
    assert_answers_are_right(points, tmp_path / "answers.npy")
    assert not np.load(tmp_path / "answers.npy")["distances"].any()


def test_default_is_70000_random_points_in_the_order_of_the_tree(program: Path) -> None:
    done = run(program, "--reps", "1")
    assert done.returncode == 0
    tree, kernel, transfers, mean = done.stdout.splitlines()
    assert tree.startswith("tree: 70000 points of 2 dimensions, ")
    assert kernel.startswith("kernel: ") and kernel.endswith("queries/s, sorted")
    assert re.fullmatch(r"transfers: \d+\.\d+ ms", transfers)
    # n random points in the unit square: 1 / (2 sqrt(n)), and a little more near the border
    assert float(mean.removeprefix("mean distance: ")) == pytest.approx(0.5 / 70000**0.5, rel=0.02)


def test_seed_decides_the_points(program: Path) -> None:
    def means(*seeds: str) -> list[str]:
        return [run(program, "--input", "random:300x4", "--seed", s).stdout.splitlines()[-1] for s in seeds]

    first, again, other = means("5", "5", "6")
    assert first == again != other


def test_program_compiled_for_one_dimension_refuses_others(tmp_path: Path) -> None:
    command = [
        sys.executable,
        "-m",
        "simt2simd",
        "compile",
        str(HERE / "nn.cu"),
        "-DDIM=3",
        "-o",
        str(tmp_path / "nn3"),
    ]
    subprocess.run(command, check=True)
    assert run(tmp_path / "nn3", "--input", "random:5000x3", "--check").returncode == 0
    refused = run(tmp_path / "nn3", "--input", "random:100x2")
    assert (refused.returncode, refused.stderr) == (1, "nn: error: compiled for 3 dimensions, not 2\n")


# ------------------------------------------------------------------------------------------- files


@pytest.mark.parametrize("dtype", ["<f4", "<f8"])
@pytest.mark.parametrize("version", [(1, 0), (2, 0), (3, 0)])
def test_npy_files_of_all_versions_are_read(
    program: Path, tmp_path: Path, dtype: str, version: tuple[int, int]
) -> None:
    points = np.random.default_rng(1).random((50, 2)).astype(dtype)
    with open(tmp_path / "points.npy", "wb") as file:
        np.lib.format.write_array(file, points, version=version)
    done = run(program, "--input", tmp_path / "points.npy", "--out", tmp_path / "answers.npy")
    assert done.returncode == 0, done.stderr
    assert_answers_are_right(points.astype(np.float32), tmp_path / "answers.npy")


def test_one_dimensional_array_is_points_of_one_coordinate(program: Path, tmp_path: Path) -> None:
    np.save(tmp_path / "points.npy", np.array([5, 1, 2, 9], np.float32))
    run(program, "--input", tmp_path / "points.npy", "--out", tmp_path / "answers.npy")
    answers = np.load(tmp_path / "answers.npy")
    assert answers["neighbours"][:, 0].tolist() == [2, 2, 1, 0]
    assert answers["distances"][:, 0].tolist() == [3, 1, 1, 4]


@pytest.mark.parametrize("text", ["x,y\r\n0,0\r\n3,4\r\n\r\n", "0, 0\n3 ,4e0", "# a, # b\n0,0\n3,4\n"])
def test_csv_file_may_have_names_blanks_and_any_line_ends(program: Path, tmp_path: Path, text: str) -> None:
    (tmp_path / "points.csv").write_text(text, newline="")
    done = run(program, "--input", tmp_path / "points.csv")
    assert done.stdout.splitlines()[-1] == "mean distance: 5", done.stderr


def npy(array: NDArray[np.generic]) -> bytes:
    file = io.BytesIO()
    np.save(file, array)
    return file.getvalue()


SQUARE = np.array([[0, 0], [0, 1], [1, 0]], np.float32)
WITH_NAN = np.array([[0, 0], [0, np.nan], [1, 0]], np.float32)

BAD_FILES = [
    ("p.csv", b"x,y\n1,2\n3\n", "line 3: 1 fields, 2 expected"),
    ("p.csv", b"1,2\n3,4,5\n", "line 2: 3 fields, 2 expected"),
    ("p.csv", b"1,2\n3,four\n", "line 2, column 1: 'four' is not a number"),
    ("p.csv", b"1,2\n3,\n", "line 2, column 1: '' is not a number"),
    ("p.csv", b"1,2\nnan,4\n", "row 1, column 0: nan is not a finite number"),
    ("p.csv", b"1,2\n3,1e999\n", "row 1, column 1: inf is not a finite number"),
    ("p.csv", b"1,2\n3,-1e30\n", "row 1, column 1: -1e+30 is too large; at most 1e18 is supported"),
    ("p.csv", b"", "there are no rows of numbers"),
    ("p.csv", b"x,y\n", "there are no rows of numbers"),
    ("p.csv", b"1,2\n\x00,3\n", "line 2: not text"),
    ("p.csv", b"1,2\n", "a nearest neighbour needs at least 2 points, found 1"),
    ("p.csv", b"1" + b",1" * 16 + b"\n" + b"1" + b",1" * 16, "points have 17 coordinates; 1 to 16 are supported"),
    ("p.npy", b"", "not a .npy file: it does not begin with \\x93NUMPY"),
    ("p.npy", b"PK\x03\x04" + bytes(100), "not a .npy file: it does not begin with \\x93NUMPY"),
    ("p.npy", b"\x93NUMPY\x09\x00" + bytes(100), ".npy format version 9 is unknown"),
    ("p.npy", npy(SQUARE)[:40], "the file ends in its header"),
    ("p.npy", npy(SQUARE)[:-1], "the file ends in row 2 of 3"),
    ("p.npy", npy(SQUARE.astype(np.int32)), "numbers of type '<i4'; float32 ('<f4') and float64 ('<f8') are supported"),
    ("p.npy", npy(np.asfortranarray(SQUARE)), "the array is in Fortran order; save numpy.ascontiguousarray() of it"),
    ("p.npy", npy(np.array(1, np.float32)), "an array of shape (); points x coordinates are expected"),
    ("p.npy", npy(SQUARE.reshape(3, 2, 1)), "an array of shape (3, 2, 1); points x coordinates are expected"),
    ("p.npy", npy(WITH_NAN), "row 1, column 1: nan is not a finite number"),
    ("p.npy", npy(np.zeros((5, 0), np.float32)), "points have 0 coordinates; 1 to 16 are supported"),
    ("p.npy", npy(np.zeros((0, 2), np.float32)), "a nearest neighbour needs at least 2 points, found 0"),
]


@pytest.mark.parametrize(("name", "content", "message"), BAD_FILES)
def test_bad_file_is_refused_with_the_row(
    program: Path, tmp_path: Path, name: str, content: bytes, message: str
) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    done = run(program, "--input", path, "--out", tmp_path / "answers.npy")
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith(f"nn: error: {path}: ") and done.stderr.endswith(f"{message}\n")
    assert not (tmp_path / "answers.npy").exists()


def test_missing_file_and_unwritable_output_are_errors(program: Path, tmp_path: Path) -> None:
    missing = tmp_path / "none.npy"
    assert run(program, "--input", missing).stderr == f"nn: error: {missing}: No such file or directory\n"
    for name in ("folder.npy", "folder.csv"):
        (tmp_path / name).mkdir()
        assert run(program, "--input", tmp_path / name).stderr == f"nn: error: {tmp_path / name}: Is a directory\n"
    done = run(program, "--input", "random:10x2", "--out", missing / "x")
    assert (done.returncode, done.stderr) == (
        1,
        f"nn: error: {missing / 'x'}: cannot be written: No such file or directory\n",
    )


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (["--inptu", "x"], "unknown argument '--inptu'"),
        (["70000"], "unknown argument '70000'"),
        (["--input"], "--input needs a value"),
        (["--input", "random:10by2"], "random:10by2: expected random:NxD, for example random:70000x2"),
        (["--input", "points.txt"], "points.txt: expected random:NxD, FILE.npy or FILE.csv"),
        (["--order", "random"], "--order: expected sorted or shuffled, found 'random'"),
        (["--seed", "-1"], "--seed: expected a whole number from 0 to 18446744073709551615, found '-1'"),
        (["--seed", "18446744073709551616"], "--seed: expected a whole number from 0 to"),
        (["--reps", "0"], "--reps: expected a whole number from 1 to 1000000, found '0'"),
        (["--reps", "2x"], "--reps: expected a whole number from 1 to 1000000, found '2x'"),
    ],
)
def test_wrong_usage_is_explained_with_exit_code_2(program: Path, args: list[str], message: str) -> None:
    done = run(program, *args)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"nn: error: {message}") and "\nusage: nn " in done.stderr


@pytest.mark.parametrize(
    ("size", "message"), [("1x2", "at least 2 points, found 1"), ("10x17", "17 coordinates"), ("2000000000x2", "2^30")]
)
def test_sizes_that_cannot_be_are_refused(program: Path, size: str, message: str) -> None:
    done = run(program, "--input", f"random:{size}")
    assert done.returncode == 1 and message in done.stderr


def test_help_is_no_error(program: Path) -> None:
    done = run(program, "--help")
    assert done.returncode == 0 and done.stdout.startswith("usage: nn ") and done.stderr == ""


# ------------------------------------------------------------------------------------------- run.py


@pytest.mark.parametrize(
    ("field", "row", "value"),
    [("neighbours", 3, 3), ("neighbours", 5, -1), ("neighbours", 0, 2), ("distances", 1, 1.01)],
)
def test_wrong_answers_are_found(tmp_path: Path, field: str, row: int, value: float) -> None:
    points = np.array([[0], [1], [3], [4], [10], [12]], np.float32)
    truth = np.array([[1], [1], [1], [1], [2], [2]], np.float64)
    fields = [("neighbours", "<i4", (1,)), ("distances", "<f4", (1,))]
    answers = np.array([(1, 1), (0, 1), (3, 1), (2, 1), (5, 2), (4, 2)], fields)
    np.save(tmp_path / "answers.npy", answers)
    neighbours.check_file("six", points, truth, tmp_path / "answers.npy")
    answers[field][row] = value
    np.save(tmp_path / "answers.npy", answers)
    with pytest.raises(AppError, match=f"1 of 6 answers are wrong; first: point {row}: "):
        neighbours.check_file("six", points, truth, tmp_path / "answers.npy")


def test_records_without_a_terminal_are_plain_columns(capsys: pytest.CaptureFixture[str]) -> None:
    print_records([Record("nn", "cities", "sorted", "auto", "avx512", 1, 2.5, True, "scalar", 4.0, 2.75)])
    header, row = capsys.readouterr().out.splitlines()
    assert header.split() == "input order variant target cores ms median ratio checked".split()
    assert row.split() == "cities sorted auto avx512 1 2.50 2.75 4.00x scalar yes".split()


@pytest.mark.slow
@pytest.mark.avx512
def test_kernel_and_baselines_are_measured_and_right(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["nn", "--input", "random:3000x2", "--order", "sorted", "--quick", "--json", str(tmp_path / "out.json")]
    assert apps_main(command) == 0, capsys.readouterr().err
    taken = read_records(tmp_path / "out.json", Record)
    assert taken is not None
    measured = [record for record in taken[1] if record.order]
    assert {r.variant for r in measured} >= {
        "auto",
        "host-recursive",
        "host-iterative",
        "scalar-cell",
        "limit",
        "scipy",
    }
    assert all(record.checked and record.ms > 0 and record.ratio for record in measured)
    assert {record.input for record in taken[1] if record.goal_ms} >= {"import simt2simd", "barrier, block of 256"}


@pytest.mark.parametrize("defines", [[], ["-DDIM=2"], ["-DDIM=7"]])
def test_the_traversal_gathers_nothing(tmp_path: Path, defines: list[str]) -> None:
    """The node is the same for all active lanes, so its fields, box and points are scalar loads."""
    output = tmp_path / "nn.s"
    command = ["compile", str(HERE / "nn.cu"), *defines, "--target", "avx512", "--emit", "assembly", "-o", str(output)]
    subprocess.run([sys.executable, "-m", "simt2simd", *command], check=True)
    searches = [part.split(".Lfunc_end")[0] for part in output.read_text().split("\nsearch_rest")[1:]]
    assert len(searches) == 8  # for three dimensions and for any other: for lanes that go together, and for one lane
    for search in searches:
        assert "call" in search and "vmax" in search  # it recurses, and clamps to the box
        assert "gather" not in search
