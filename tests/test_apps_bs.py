"""apps/bs: right rows, the first one of equal keys, and what bad input says."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from apps.__main__ import main as apps_main
from apps.bs import run as bs_run
from apps.harness import AppError

pytestmark = pytest.mark.unoptimised

HERE = Path(__file__).parent.parent / "apps" / "bs"
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
    path = tmp_path_factory.mktemp("bs") / "bs"
    flags = (*OPENMP, *level)
    command = [sys.executable, "-m", "simt2simd", "compile", str(HERE / "bs.cu"), *flags, "-o", str(path)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    return path


def run(program: Path, *args: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([str(program), *map(str, args), "--reps", "1"], capture_output=True, text=True)


def assert_right(program: Path, folder: Path, keys: NDArray[np.float32], *args: str) -> None:
    keys_file, out = folder / "keys.npy", folder / "answers.npy"
    np.save(keys_file, keys)
    done = run(program, "--input", keys_file, "--out", out, "--check", *args)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "check: PASS" in done.stdout
    assert len(np.load(out)) == len(keys)
    bs_run.check_rows("test", keys, np.load(out))


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("count", [1, 2, 3, 16, 17, 31, 1000, 5003])
def test_rows_are_those_of_numpy(program: Path, tmp_path: Path, count: int, variant: tuple[str, ...]) -> None:
    assert_right(program, tmp_path, np.random.default_rng(count).normal(size=count).astype(np.float32), *variant)


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("distinct", [1, 2, 40])
def test_first_row_of_equal_keys_is_found(
    program: Path, tmp_path: Path, distinct: int, variant: tuple[str, ...]
) -> None:
    keys = np.random.default_rng(distinct).integers(0, distinct, 2000).astype(np.float32)
    assert_right(program, tmp_path, keys, *variant)


def test_order_of_the_keys_in_the_file_does_not_matter(program: Path, tmp_path: Path) -> None:
    for keys in (np.arange(999), np.arange(999)[::-1]):
        assert_right(program, tmp_path, keys.astype(np.float32))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "there are no rows of numbers"),
        ("1\nx\n", "line 2, column 0: 'x' is not a number"),
        ("1\nnan\n", "row 1, column 0: nan is not a finite number"),
        ("1,2\n", "a search tree needs points of 1 coordinate, found 2"),
    ],
)
def test_bad_file_is_refused_with_the_row(program: Path, tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "p.csv"
    path.write_text(text)
    done = run(program, "--input", path)
    assert (done.returncode, done.stdout, done.stderr) == (1, "", f"bs: error: {path}: {message}\n")


def test_empty_set_is_refused(program: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "p.npy"
    np.save(path, np.zeros(0, np.float32))
    done = run(program, "--input", path)
    message = f"{path}: a search tree needs at least 1 point, found 0\n"
    assert (done.returncode, done.stderr) == (1, f"bs: error: {message}")
    assert apps_main(["bs", "--input", str(path)]) == 1
    assert capsys.readouterr().err == f"apps bs: error: {message}"


def test_wrong_rows_are_found(tmp_path: Path) -> None:
    keys = np.array([5, 1, 3], np.float32)
    answers = np.array([(1, 1), (2, 2), (6, -1)], [("value", "<f4"), ("row", "<i4")])
    np.save(tmp_path / "answers.npy", answers)
    bs_run.check_rows("three", keys, np.load(tmp_path / "answers.npy"))
    answers["row"][1] = 0
    np.save(tmp_path / "answers.npy", answers)
    with pytest.raises(AppError, match="three: 1 of 3 answers are wrong; first: value 1: row 0, expected 2"):
        bs_run.check_rows("three", keys, np.load(tmp_path / "answers.npy"))


@pytest.mark.slow
def test_application_measures_and_checks(capsys: pytest.CaptureFixture[str]) -> None:
    names = ("auto", "host-recursive", "host-iterative")
    command = ["bs", "--quick", "--input", "random:3000x1", "--order", "sorted", "--variant", *names]
    assert apps_main(command) == 0, capsys.readouterr().err
    rows = [row.split() for row in capsys.readouterr().out.splitlines() if row.startswith("random:")]
    assert [row[:3] for row in rows] == [["random:3000x1", "sorted", name] for name in names]
    assert all(row[-1] == "yes" for row in rows)
