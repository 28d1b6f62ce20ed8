"""apps/bh: forces are those of all pairs, steps keep the energy, and what bad input and wrong usage say."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from apps.__main__ import main as apps_main
from apps.bh import run as bh_run
from apps.common import data
from apps.harness import AppError

pytestmark = pytest.mark.unoptimised

HERE = Path(__file__).parent.parent / "apps" / "bh"
OPENMP = ("-Xcompiler", "-fopenmp", "-l", "gomp")
VARIANTS: list[tuple[str, ...]] = [
    (),
    ("--order", "shuffled"),
    ("--host", "recursive"),
    ("--host", "iterative"),
    ("--host", "recursive", "--openmp"),
]
ROUNDING = 2e-5  # of float, on average over some thousand bodies

Rows = NDArray[np.float32]


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory, level: tuple[str, ...]) -> Path:
    path = tmp_path_factory.mktemp("bh") / "bh"
    flags = (*OPENMP, *level)
    command = [sys.executable, "-m", "simt2simd", "compile", str(HERE / "bh.cu"), *flags, "-o", str(path)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    return path


def run(program: Path, *args: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([str(program), *map(str, args), "--reps", "1"], capture_output=True, text=True)


def moved(program: Path, folder: Path, rows: Rows, *args: str) -> NDArray[Any]:
    """Return what the bodies have become."""
    np.save(folder / "bodies.npy", rows)
    done = run(program, "--input", folder / "bodies.npy", "--out", folder / "moved.npy", "--check", *args)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "check: PASS" in done.stdout
    found: NDArray[Any] = np.load(folder / "moved.npy")
    return found


@pytest.mark.parametrize("variant", VARIANTS)
def test_without_far_nodes_forces_are_those_of_all_pairs(
    program: Path, tmp_path: Path, variant: tuple[str, ...]
) -> None:
    found = moved(program, tmp_path, data.load("plummer:1003"), "--theta", "0", "--steps", "0", *variant)
    bh_run.check_forces("test", found, most=ROUNDING)


@pytest.mark.parametrize("variant", VARIANTS)
def test_far_nodes_pull_as_a_whole(program: Path, tmp_path: Path, variant: tuple[str, ...]) -> None:
    found = moved(program, tmp_path, data.load("plummer:5000"), "--steps", "1", *variant)
    bh_run.check_forces("test", found)
    with pytest.raises(AppError, match="test: the acceleration of 5000 bodies is off by "):
        bh_run.check_forces("test", found, most=ROUNDING)


@pytest.mark.parametrize("variant", VARIANTS)
def test_steps_are_half_a_kick_a_drift_and_half_a_kick(program: Path, tmp_path: Path, variant: tuple[str, ...]) -> None:
    rows = data.load("plummer:200")
    found = moved(program, tmp_path, rows, "--theta", "0", "--steps", "4", "--dt", "0.05", *variant)
    place, velocity, mass = rows[:, :3].astype(np.float64), rows[:, 3:6].astype(np.float64), rows[:, 6]
    everyone = np.arange(len(rows))
    pull, _ = bh_run.all_pairs(place.astype(np.float32), mass, everyone, bh_run.SOFTENING)
    for _ in range(4):
        velocity += 0.025 * pull
        place += 0.05 * velocity
        pull, _ = bh_run.all_pairs(place.astype(np.float32), mass, everyone, bh_run.SOFTENING)
        velocity += 0.025 * pull
    assert abs(found["place"] - place).max() < 1e-4
    assert abs(found["velocity"] - velocity).max() < 1e-4


def test_energy_is_kept_over_many_steps(program: Path, tmp_path: Path) -> None:
    rows = data.load("plummer:2000")
    before = bh_run.energy(moved(program, tmp_path, rows, "--steps", "0"))
    after = bh_run.energy(moved(program, tmp_path, rows, "--steps", "40"))
    assert abs(after - before) < 1e-3 * abs(before)


def test_steps_that_are_too_long_fail_the_check(program: Path) -> None:
    done = run(program, "--input", "plummer:500", "--dt", "5", "--check")
    assert done.returncode == 1
    assert "check: FAIL, the energy has changed by " in done.stdout


@pytest.mark.parametrize("source", ["program", "package"])
def test_plummer_cluster_has_energy_of_a_quarter(program: Path, tmp_path: Path, source: str) -> None:
    options = ("--softening", "0.001", "--steps", "0", "--check", "--out", tmp_path / "out.npy")
    np.save(tmp_path / "rows.npy", data.load("plummer:20000"))
    chosen = "plummer:20000" if source == "program" else tmp_path / "rows.npy"
    assert run(program, "--input", chosen, *options).returncode == 0
    assert bh_run.energy(np.load(tmp_path / "out.npy")) == pytest.approx(-0.25, rel=0.03)
    motion = (np.load(tmp_path / "out.npy")["velocity"].astype(np.float64) ** 2).sum() / 40000
    assert motion == pytest.approx(0.25, rel=0.03), "the virial theorem"


def _places(kind: str) -> Rows:
    rng = np.random.default_rng(1)
    if kind == "one body":
        return np.array([[1, 2, 3]], np.float32)
    if kind == "two bodies":
        return np.array([[1, 2, 3], [1, 2, 4]], np.float32)
    if kind == "all at one place":
        return np.full((300, 3), 0.1, np.float32)
    if kind == "many at each of few places":
        return rng.random((5, 3)).astype(np.float32)[rng.integers(0, 5, 300)]
    if kind == "nearer than the tree divides":
        return np.concatenate((rng.random((300, 3)) * 1e-9, [[1, 1, 1]])).astype(np.float32)
    if kind == "in a plane":
        return (rng.random((300, 3)) * [1, 1, 0]).astype(np.float32)
    assert kind == "far from everything"
    return np.concatenate((rng.random((300, 3)), [[1e18, -1e18, 1e18]])).astype(np.float32)


@pytest.mark.parametrize("variant", [(), ("--host", "iterative")])
@pytest.mark.parametrize(
    "kind",
    [
        "one body",
        "two bodies",
        "all at one place",
        "many at each of few places",
        "nearer than the tree divides",
        "in a plane",
        "far from everything",
    ],
)
def test_odd_places_are_answered(program: Path, tmp_path: Path, kind: str, variant: tuple[str, ...]) -> None:
    found = moved(program, tmp_path, _places(kind), "--steps", "0", *variant)
    bh_run.check_forces("test", found)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "there are no rows of numbers"),
        ("1,2\n", "rows of 2 numbers; bodies have 3 (x y z), 6 (and their velocity) or 7 (and their mass)"),
        ("1,2,3\n3,4\n", "line 2: 2 fields, 3 expected"),
        ("1,2,3\n1,x,3\n", "line 2, column 1: 'x' is not a number"),
        ("1,2,3\n3,nan,1\n", "row 1, column 1: nan is not a finite number"),
        ("1,2,3,0,0,0,1\n1,2,3,0,0,0,-1\n", "row 1: a mass of -1; it must be positive"),
    ],
)
def test_bad_file_is_refused_with_the_row(program: Path, tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "b.csv"
    path.write_text(text)
    done = run(program, "--input", path)
    assert (done.returncode, done.stdout, done.stderr) == (1, "", f"bh: error: {path}: {message}\n")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--theta", "0.6"), "--theta: expected a number from 0 to 0.57, found '0.6'"),
        (("--softening", "0"), "--softening: expected a number from 1e-06 to 1e+06, found '0'"),
        (("--input", "plummer:1e3"), "plummer:1e3: expected plummer:N, for example plummer:100000"),
        (("--input", "cluster"), "cluster: expected plummer:N, random:NxD, FILE.npy or FILE.csv"),
        (("--host", "quickly"), "--host: expected recursive or iterative, found 'quickly'"),
    ],
)
def test_wrong_usage_is_explained(program: Path, arguments: tuple[str, str], message: str) -> None:
    done = run(program, *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"bh: error: {message}\nusage: ")


def test_too_few_bodies_are_refused(program: Path) -> None:
    done = run(program, "--input", "plummer:0")
    assert (done.returncode, done.stderr) == (1, "bh: error: plummer:0: gravity needs at least 1 point, found 0\n")


@pytest.mark.slow
def test_application_measures_and_checks(capsys: pytest.CaptureFixture[str]) -> None:
    names = ("auto", "host-recursive", "host-iterative")
    command = ["bh", "--quick", "--input", "plummer:3000", "--steps", "2", "--order", "sorted", "--variant", *names]
    assert apps_main(command) == 0, capsys.readouterr().err
    rows = [row.split() for row in capsys.readouterr().out.splitlines() if row.startswith("plummer:")]
    assert [row[:3] for row in rows] == [["plummer:3000", "sorted", name] for name in names]
    assert all(row[-1] == "yes" for row in rows)
