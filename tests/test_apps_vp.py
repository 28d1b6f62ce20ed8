"""apps/vp: right neighbours, also of points far from everything else, and what bad input says."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from apps.__main__ import main as apps_main
from apps.common import neighbours

pytestmark = pytest.mark.unoptimised

HERE = Path(__file__).parent.parent / "apps" / "vp"
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
    path = tmp_path_factory.mktemp("vp") / "vp"
    flags = (*OPENMP, *level)
    command = [sys.executable, "-m", "simt2simd", "compile", str(HERE / "vp.cu"), *flags, "-o", str(path)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    return path


def run(program: Path, *args: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([str(program), *map(str, args), "--reps", "1"], capture_output=True, text=True)


def assert_right(program: Path, folder: Path, points: NDArray[np.float32], *args: str) -> None:
    points_file, out = folder / "points.npy", folder / "answers.npy"
    np.save(points_file, points)
    done = run(program, "--input", points_file, "--out", out, "--check", *args)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "check: PASS" in done.stdout
    truth = neighbours.nearest_distances("test", points, 1)
    neighbours.check_file("test", points, truth, out)


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("dim", [1, 2, 3, 5, 7, 16])
def test_neighbours_are_those_of_scipy(program: Path, tmp_path: Path, dim: int, variant: tuple[str, ...]) -> None:
    points = np.random.default_rng(dim).normal(size=(1003, dim)).astype(np.float32)
    assert_right(program, tmp_path, points, *variant)


@pytest.mark.parametrize("seed", range(4))
def test_distances_far_below_those_to_vantage_points_are_right(program: Path, tmp_path: Path, seed: int) -> None:
    """Distances to a vantage point, rounded, differ by more than the distance of neighbours."""
    rng = np.random.default_rng(seed)
    clusters = rng.normal(size=(150, 7)).repeat(20, axis=0) + rng.normal(size=(3000, 7)) * 3e-7
    assert_right(program, tmp_path, clusters.astype(np.float32))


@pytest.mark.parametrize("count", [2, 15, 16, 17, 18, 33, 34, 257])
def test_every_size_is_answered(program: Path, tmp_path: Path, count: int) -> None:
    assert_right(program, tmp_path, np.random.default_rng(count).random((count, 3)).astype(np.float32))


@pytest.mark.parametrize("distinct", [1, 2, 40])
def test_points_that_are_there_many_times_have_neighbours_at_distance_0(
    program: Path, tmp_path: Path, distinct: int
) -> None:
    rng = np.random.default_rng(distinct)
    assert_right(program, tmp_path, rng.random((distinct, 2)).astype(np.float32)[rng.integers(0, distinct, 2000)])
    assert not np.load(tmp_path / "answers.npy")["distances"].any()


def test_host_and_device_answer_alike(program: Path) -> None:
    def mean(*args: str) -> str:
        return run(program, *args).stdout.splitlines()[-1]

    assert mean("--input", "random:3000x2") == mean("--input", "random:3000x2", "--host", "iterative")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1,2\n", "a nearest neighbour needs at least 2 points, found 1"),
        ("1,2\n3\n", "line 2: 1 fields, 2 expected"),
        ("1,2\n3,nan\n", "row 1, column 1: nan is not a finite number"),
    ],
)
def test_bad_file_is_refused_with_the_row(program: Path, tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "p.csv"
    path.write_text(text)
    done = run(program, "--input", path)
    assert (done.returncode, done.stdout, done.stderr) == (1, "", f"vp: error: {path}: {message}\n")


@pytest.mark.slow
def test_application_measures_and_checks(capsys: pytest.CaptureFixture[str]) -> None:
    names = ("auto", "host-recursive", "host-iterative", "scipy")
    command = ["vp", "--quick", "--input", "random:3000x2", "--order", "sorted", "--variant", *names]
    assert apps_main(command) == 0, capsys.readouterr().err
    rows = [row.split() for row in capsys.readouterr().out.splitlines() if row.startswith("random:")]
    assert [row[:3] for row in rows] == [["random:3000x2", "sorted", name] for name in names]
    assert all(row[-1] == "yes" for row in rows)
