"""apps/pc: right counts, exact ones where float is exact, and what bad input and wrong usage say."""

from __future__ import annotations

import argparse
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.spatial import cKDTree

from apps.__main__ import main as apps_main
from apps.harness import AppError
from apps.pc import run as pc_run

HERE = Path(__file__).parent.parent / "apps" / "pc"
OPENMP = ("-Xcompiler", "-fopenmp", "-l", "gomp")
VARIANTS: list[tuple[str, ...]] = [
    (),
    ("--order", "shuffled"),
    ("--host", "recursive"),
    ("--host", "iterative"),
    ("--host", "recursive", "--openmp"),
]


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("pc") / "pc"
    command = [sys.executable, "-m", "simt2simd", "compile", str(HERE / "pc.cu"), *OPENMP, "-o", str(path)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    return path


def run(program: Path, *args: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([str(program), *map(str, args), "--reps", "1"], capture_output=True, text=True)


def counts(program: Path, folder: Path, points: NDArray[np.generic], *args: str) -> NDArray[np.int32]:
    np.save(folder / "points.npy", points)
    done = run(program, "--input", folder / "points.npy", "--out", folder / "counts.npy", "--check", *args)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "check: PASS" in done.stdout
    found: NDArray[np.int32] = np.load(folder / "counts.npy")
    return found


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("dim", [1, 2, 3, 5, 7, 16])
def test_counts_are_those_of_scipy(program: Path, tmp_path: Path, dim: int, variant: tuple[str, ...]) -> None:
    points = np.random.default_rng(dim).normal(size=(1003, dim)).astype(np.float32)
    radius = 0.7 * dim**0.5
    counts(program, tmp_path, points, "--radius", repr(radius), *variant)
    pc_run.check_counts("test", pc_run.bounds(points, radius), np.load(tmp_path / "counts.npy"))


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("radius", [0, 1, 5])
def test_points_at_the_radius_itself_count_where_float_is_exact(
    program: Path, tmp_path: Path, radius: int, variant: tuple[str, ...]
) -> None:
    points = np.random.default_rng(radius).integers(0, 40, (3000, 2)).astype(np.float32)  # 3, 4, 5 is there
    expected = cKDTree(points.astype(np.float64)).query_ball_point(points, radius, return_length=True)
    assert (counts(program, tmp_path, points, "--radius", str(radius), *variant) == expected).all()


@pytest.mark.parametrize("count", [1, 2, 15, 16, 17, 33, 257])
def test_every_size_is_counted(program: Path, tmp_path: Path, count: int) -> None:
    points = np.random.default_rng(count).random((count, 3)).astype(np.float32)
    counts(program, tmp_path, points, "--radius", "0.4")
    pc_run.check_counts("test", pc_run.bounds(points, 0.4), np.load(tmp_path / "counts.npy"))


def test_equal_points_are_near_each_other(program: Path, tmp_path: Path) -> None:
    assert (counts(program, tmp_path, np.ones((500, 2), np.float32), "--radius", "0") == 500).all()


def test_wide_radius_finds_all_pairs(program: Path) -> None:
    assert "pairs within 2: 1000000\n" in run(program, "--input", "random:1000x2", "--radius", "2").stdout


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "there are no rows of numbers"),
        ("1,2\n3\n", "line 2: 1 fields, 2 expected"),
        ("1,2\n3,x\n", "line 2, column 1: 'x' is not a number"),
        ("1,2\n3,nan\n", "row 1, column 1: nan is not a finite number"),
    ],
)
def test_bad_file_is_refused_with_the_row(program: Path, tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "p.csv"
    path.write_text(text)
    done = run(program, "--input", path)
    assert (done.returncode, done.stdout, done.stderr) == (1, "", f"pc: error: {path}: {message}\n")


def test_empty_set_is_refused(program: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "p.npy"
    np.save(path, np.zeros((0, 2), np.float32))
    done = run(program, "--input", path)
    message = "point correlation needs at least 1 point, found 0\n"
    assert (done.returncode, done.stdout, done.stderr) == (1, "", f"pc: error: {path}: {message}")
    assert apps_main(["pc", "--input", str(path)]) == 1
    assert capsys.readouterr().err == f"apps pc: error: {path}: {message}"


@pytest.mark.parametrize("radius", ["-1", "nan", "inf", "1e19", "x", "1x"])
def test_radius_is_a_number_from_0(program: Path, radius: str) -> None:
    done = run(program, "--radius", radius)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"pc: error: --radius: expected a number from 0 to 1e+18, found '{radius}'\nusage: ")


def test_wrong_counts_are_found(tmp_path: Path) -> None:
    points = np.array([[0], [1], [3]], np.float32)
    truth = pc_run.bounds(points, 1.5)
    np.save(tmp_path / "counts.npy", np.array([2, 2, 1], np.int32))
    pc_run.check_counts("three", truth, np.load(tmp_path / "counts.npy"))
    np.save(tmp_path / "counts.npy", np.array([2, 3, 1], np.int32))
    with pytest.raises(AppError, match="three: 1 of 3 counts are wrong; first: point 1: 3, expected 2 to 2"):
        pc_run.check_counts("three", truth, np.load(tmp_path / "counts.npy"))


def test_application_measures_and_checks(capsys: pytest.CaptureFixture[str]) -> None:
    names = ("auto", "host-recursive", "host-iterative", "scipy")
    command = ["pc", "--quick", "--input", "random:3000x2", "--order", "sorted", "--variant", *names]
    assert apps_main(command) == 0, capsys.readouterr().err
    rows = [row.split() for row in capsys.readouterr().out.splitlines() if row.startswith("random:")]
    assert [row[:3] for row in rows] == [["random:3000x2", "sorted", name] for name in names]
    assert all(row[-1] == "yes" for row in rows)


def test_radius_of_projected_points_has_some_of_them_within(tmp_path: Path) -> None:
    np.save(tmp_path / "rows.npy", np.random.default_rng(0).normal(size=(3000, 20)))
    (case,) = pc_run.APP.cases(f"projected:{tmp_path}/rows.npy", argparse.Namespace())
    points = case.arrays["points"]
    near = cKDTree(points).query_ball_point(points, case.parameters["radius"], return_length=True)
    assert 60 < np.median(near) < 160
