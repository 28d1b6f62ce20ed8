"""apps/knn: right neighbours for every k, and what bad input and wrong usage say."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from apps.__main__ import main as apps_main
from apps.common import neighbours
from apps.harness import AppError

pytestmark = pytest.mark.unoptimised

HERE = Path(__file__).parent.parent / "apps" / "knn"
OPENMP = ("-Xcompiler", "-fopenmp", "-l", "gomp")
VARIANTS: list[tuple[str, ...]] = [
    (),
    ("--order", "shuffled"),
    ("--host", "recursive"),
    ("--host", "iterative"),
    ("--host", "recursive", "--openmp"),
]


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory, level: tuple[str, ...]) -> Path:
    path = tmp_path_factory.mktemp("knn") / "knn"
    flags = (*OPENMP, *level)
    command = [sys.executable, "-m", "simt2simd", "compile", str(HERE / "knn.cu"), *flags, "-o", str(path)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    return path


def run(program: Path, *args: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([str(program), *map(str, args), "--reps", "1"], capture_output=True, text=True)


def assert_right(program: Path, folder: Path, points: NDArray[np.float32], k: int, *args: str) -> None:
    points_file, out = folder / "points.npy", folder / "answers.npy"
    np.save(points_file, points)
    done = run(program, "--input", points_file, "--k", str(k), "--out", out, "--check", *args)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "check: PASS" in done.stdout
    truth = neighbours.nearest_distances("test", points, k)
    neighbours.check_file("test", points, truth, out)


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize(("k", "dim"), [(1, 2), (2, 1), (8, 7), (31, 3), (32, 5)])
def test_neighbours_are_those_of_scipy(
    program: Path, tmp_path: Path, k: int, dim: int, variant: tuple[str, ...]
) -> None:
    points = np.random.default_rng(dim).normal(size=(1003, dim)).astype(np.float32)
    assert_right(program, tmp_path, points, k, *variant)


@pytest.mark.parametrize("count", [9, 10, 16, 17, 33, 257])
def test_every_size_is_answered(program: Path, tmp_path: Path, count: int) -> None:
    assert_right(program, tmp_path, np.random.default_rng(count).random((count, 3)).astype(np.float32), 8)


@pytest.mark.parametrize("distinct", [1, 2, 40])
def test_points_that_are_there_many_times_are_different_neighbours(
    program: Path, tmp_path: Path, distinct: int
) -> None:
    rng = np.random.default_rng(distinct)
    points = rng.random((distinct, 2)).astype(np.float32)[rng.integers(0, distinct, 2000)]
    assert_right(program, tmp_path, points, 32)


@pytest.mark.parametrize(("k", "count"), [(1, 1), (8, 8), (32, 32), (8, 0)])
def test_k_larger_than_the_set_is_refused(
    program: Path, tmp_path: Path, k: int, count: int, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "p.npy"
    np.save(path, np.zeros((count, 2), np.float32))
    done = run(program, "--input", path, "--k", str(k))
    message = f"a search for k={k} needs at least {k + 1} points, found {count}\n"
    assert (done.returncode, done.stdout, done.stderr) == (1, "", f"knn: error: {path}: {message}")
    assert apps_main(["knn", "--input", str(path), "--k", str(k)]) == 1
    assert capsys.readouterr().err == f"apps knn: error: {path}, k={k}: {message}"


def test_bad_file_is_refused_with_the_row(program: Path, tmp_path: Path) -> None:
    path = tmp_path / "p.csv"
    for text, message in (
        ("1,2\n3\n", "line 2: 1 fields, 2 expected"),
        ("1,2\nnan,3\n", "row 1, column 0: nan is not a finite number"),
    ):
        path.write_text(text)
        done = run(program, "--input", path)
        assert (done.returncode, done.stdout, done.stderr) == (1, "", f"knn: error: {path}: {message}\n")


@pytest.mark.parametrize("k", ["0", "33", "-1", "x"])
def test_k_is_from_1_to_32(program: Path, k: str) -> None:
    done = run(program, "--k", k)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"knn: error: --k: expected a whole number from 1 to 32, found '{k}'\nusage: ")


def test_wrong_neighbours_are_found() -> None:
    points = np.array([[0], [1], [3], [4]], np.float32)
    truth = neighbours.nearest_distances("four", points, 2)
    rows = np.array([[1, 2], [0, 2], [3, 1], [2, 1]], np.int32)
    distances = np.array([[1, 3], [1, 2], [1, 2], [1, 3]], np.float32)
    neighbours.check("four", points, truth, rows, distances)
    for row, wrong in ((2, (3, 3)), (1, (0, 3)), (0, (1, 0)), (3, (2, -1))):
        bad = rows.copy()
        bad[row] = wrong
        with pytest.raises(AppError, match=f"four: 1 of 4 answers are wrong; first: point {row}: "):
            neighbours.check("four", points, truth, bad, distances)


@pytest.mark.slow
def test_application_measures_and_checks(capsys: pytest.CaptureFixture[str]) -> None:
    names = ("auto", "host-recursive", "host-iterative", "scipy")
    command = ["knn", "--quick", "--input", "random:2000x2", "--order", "sorted", "--k", "4", "--variant", *names]
    assert apps_main(command) == 0, capsys.readouterr().err
    rows = [row.split() for row in capsys.readouterr().out.splitlines() if row.startswith("random:")]
    assert [row[:4] for row in rows] == [["random:2000x2,", "k=4", "sorted", name] for name in names]
    assert all(row[-1] == "yes" for row in rows)
