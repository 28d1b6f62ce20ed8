"""td and mc: every form adds up what a walk does, and what bad trees and wrong usage say."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from apps.__main__ import main as apps_main
from apps.common import data
from apps.common.subtrees import DEVICE, HOST
from apps.harness import AppError
from apps.mc import run as mc_run
from apps.td import run as td_run

pytestmark = pytest.mark.unoptimised

APPS = Path(__file__).parent.parent / "apps"
FORMS = [("--form", form) for form in ("rec", "flat", "crec", "crec-block", "hier", "levels")]
HOSTS = [("--host", how) for how in ("recursive", "iterative", "openmp")]
QUICK = (("--form", "rec"), ("--form", "crec"), ("--host", "openmp"))
WAYS = [pytest.param(way, marks=[pytest.mark.slow(" ".join(way))] * (way not in QUICK)) for way in (*FORMS, *HOSTS)]
Programs = Callable[..., Path]


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory, level: tuple[str, ...]) -> Programs:
    """Return what compiles an application and returns its program; once for all tests."""
    folder = tmp_path_factory.mktemp("subtrees")

    def compiled(name: str, *flags: str) -> Path:
        path = folder / "".join((name, *flags))
        if not path.exists():
            source = str(APPS / name / f"{name}.cu")
            flags = (*flags, *level, "-Xcompiler", "-fopenmp", "-l", "gomp")
            command = [sys.executable, "-m", "simt2simd", "compile", source, *flags, "-o", str(path)]
            done = subprocess.run(command, capture_output=True, text=True)
            assert (done.returncode, done.stderr) == (0, "")
        return path

    return compiled


def run(program: Path, *args: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run([str(program), *map(str, args), "--reps", "2"], capture_output=True, text=True)


def answers(program: Path, folder: Path, *args: object) -> np.ndarray:
    """Return a run's answers, which the program found right itself."""
    done = run(program, "--out", folder / "answers.npy", "--check", *args)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "check: PASS" in done.stdout
    found: np.ndarray = np.load(folder / "answers.npy")
    return found


def assert_refused(program: Path, message: str, *args: object) -> None:
    done = run(program, *args)
    assert (done.returncode, done.stderr) == (1, f"{program.name}: error: {message}\n")


# ------------------------------------------------------------------------------------------- td


def shuffled(parents: np.ndarray) -> np.ndarray:
    """Return the same tree with other numbers of its nodes."""
    number = np.random.default_rng(1).permutation(len(parents))
    found = np.empty_like(parents)
    found[number] = np.where(parents >= 0, number[parents], -1)
    return found


TREES = {
    "a node": np.array([-1]),
    "two nodes, the root last": np.array([1, -1]),
    "a chain": np.arange(-1, 15),
    "a star": np.array([-1] + [0] * 1000),
    "random": td_run.random_tree("random", 7, 4, 8, 0.5),
    "wide": td_run.random_tree("wide", 4, 32, 64, 0.125),
    "shuffled": shuffled(td_run.random_tree("random", 6, 1, 9, 0.6)),
}


@pytest.mark.parametrize("way", WAYS)
def test_descendants_are_those_of_numpy(programs: Programs, tmp_path: Path, way: tuple[str, ...]) -> None:
    for name, parents in TREES.items():
        np.save(tmp_path / "tree.npy", parents.astype(np.int64 if name == "a chain" else np.int32))
        found = answers(programs("td"), tmp_path, "--input", tmp_path / "tree.npy", *way)
        np.testing.assert_array_equal(found, td_run.descendants(name, parents))


def test_numpy_counts_as_a_plain_loop_does() -> None:
    for name, parents in TREES.items():
        right = np.zeros(len(parents), int)
        for node in range(len(parents)):
            above = node
            while above >= 0:
                right[above] += 1
                above = int(parents[above])
        np.testing.assert_array_equal(td_run.descendants(name, parents), right)


@pytest.mark.slow
@pytest.mark.parametrize("form", ["flat", "crec", "crec-block"])
@pytest.mark.parametrize("name", ["td", "mc"])
def test_what_the_compiler_makes_gives_the_same(programs: Programs, tmp_path: Path, name: str, form: str) -> None:
    given = ("--input", "random:8:4-8:50" if name == "td" else "plummer:3000", "--form", "rec")
    found, right = (answers(programs(name, *flags), tmp_path, *given) for flags in ((f"--traverse={form}",), ()))
    if name == "td":
        np.testing.assert_array_equal(found, right)
    else:
        np.testing.assert_allclose(found["center"], right["center"], rtol=1e-5, atol=1e-7)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "a tree has at least 1 node, found 0"),
        ("-1\n0\nx\n", "line 3: 'x': the number of a node's parent is expected"),
        ("-1\n0 1\n", "line 2: '0 1': the number of a node's parent is expected"),
        ("-1\n-2\n", "line 2: parent -2; -1 to 1073741823 are supported"),
        ("-1\n0\n3\n", "node 2: the parent is 3; nodes are 0 to 2, and -1 is the root's"),
        ("-1\n0\n-1\n", "nodes 0 and 2 both have no parent: a tree has one root"),
        ("1\n2\n0\n", "node 0 is its own ancestor: the parents lead in a circle, 0, 1, 2, 0"),
        ("# a loop\n-1\n0\n2\n", "node 2 is its own ancestor: the parents lead in a circle, 2, 2"),
        ("-1\n2\n1\n1\n", "node 1 is its own ancestor: the parents lead in a circle, 1, 2, 1"),
    ],
)
def test_what_is_no_tree_is_refused_with_the_node(programs: Programs, tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "tree.txt"
    path.write_text(text)
    assert_refused(programs("td"), f"{path}: {message}", "--input", path)


def test_files_that_hold_something_else_are_refused(programs: Programs, tmp_path: Path) -> None:
    path = tmp_path / "tree.npy"
    np.save(path, np.zeros((3, 2), np.int32))
    assert_refused(programs("td"), f"{path}: rows of 2 numbers; one is expected, a node's parent", "--input", path)
    np.save(path, np.zeros(3))
    message = "numbers of type '<f8'; int32 ('<i4') and int64 ('<i8') are supported"
    assert_refused(programs("td"), f"{path}: {message}", "--input", path)
    path.write_bytes(path.read_bytes().replace(b"<f8", b"<i8")[:-4])
    assert_refused(programs("td"), f"{path}: the file ends before node 2", "--input", path)


def test_a_tree_may_be_too_deep_to_recurse_on_the_host(programs: Programs, tmp_path: Path) -> None:
    np.save(tmp_path / "tree.npy", np.arange(-1, 30000))
    options = ("--input", tmp_path / "tree.npy")
    message = "a tree of 30001 levels: --host recursive takes up to 20000"
    assert_refused(programs("td"), message, *options, "--host", "recursive")
    assert answers(programs("td"), tmp_path, *options, "--form", "levels")[0] == 30001


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (("--form", "cres"), "--form: expected rec, flat, crec, crec-block, hier or levels, found 'cres'"),
        (("--form", "rec", "--host", "openmp"), "--form and --host exclude each other"),
        (("--input", "random:3:5-4:50"), "random:3:5-4:50: expected random:LEVELS:LEAST-MOST:PERCENT, for example "),
    ],
)
def test_wrong_usage_says_what_is_expected(programs: Programs, options: tuple[str, ...], message: str) -> None:
    done = run(programs("td"), *options)
    assert done.returncode == 2
    assert done.stderr.startswith(f"td: error: {message}")


@pytest.mark.parametrize(
    ("parents", "message"),
    [
        ([-1, 0, -1], "nodes 0 and 2 both have no parent"),
        ([-1, -1, 0], "nodes 0 and 1 both have no parent"),
        ([], "a tree has at least 1 node, found 0"),
        ([1, 2, 0], "node 0 is its own ancestor, or below one that is"),
        ([-1, 7], "node 1: the parent is 7; nodes are 0 to 1"),
        ([[-1]], "whole numbers are expected, a parent for each node"),
    ],
)
def test_the_check_refuses_what_is_no_tree_too(tmp_path: Path, parents: list[int], message: str) -> None:
    np.save(tmp_path / "tree.npy", np.array(parents))
    with pytest.raises(AppError, match=message):
        td_run.parents(str(tmp_path / "tree.npy"))


# ------------------------------------------------------------------------------------------- mc


def bodies_of(kind: str) -> np.ndarray:
    rng = np.random.default_rng(1)
    match kind:
        case "one":
            return np.array([[1, 2, 3]], np.float32)
        case "at few places":
            return rng.random((5, 3)).astype(np.float32)[rng.integers(0, 5, 200)]
        case "with masses":
            return np.column_stack((rng.normal(size=(500, 6)), rng.uniform(0.1, 5, 500))).astype(np.float32)
    return data.load("plummer:2000")


@pytest.mark.parametrize("way", WAYS)
def test_centers_are_those_of_numpy(programs: Programs, tmp_path: Path, way: tuple[str, ...]) -> None:
    for kind in ("one", "at few places", "with masses", "plummer"):
        rows = bodies_of(kind)
        np.save(tmp_path / "bodies.npy", rows)
        found = answers(programs("mc"), tmp_path, "--input", tmp_path / "bodies.npy", *way)
        mc_run.check_centers(kind, rows, found)


def test_wrong_centers_are_found() -> None:
    rows = bodies_of("with masses")
    order, first, end = mc_run.cubes(rows[:, :3].astype(np.float64))
    found = np.zeros(len(first), [("center", "<f4", (3,)), ("mass", "<f4")])
    for cube in range(len(first)):
        inside = rows[order[first[cube] : end[cube]]].astype(np.float64)
        found["mass"][cube] = inside[:, 6].sum()
        found["center"][cube] = (inside[:, :3] * inside[:, 6:]).sum(axis=0) / inside[:, 6].sum()
    mc_run.check_centers("plain", rows, found)
    found["center"][7, 1] += 1e-5
    with pytest.raises(AppError, match=r"plain: 1 of .* centers are wrong; first: cube 7, axis 1"):
        mc_run.check_centers("plain", rows, found)
    with pytest.raises(AppError, match=f"plain: {len(found) - 1} cubes, expected {len(found)}"):
        mc_run.check_centers("plain", rows, found[1:])


def test_bodies_need_masses_and_places(programs: Programs, tmp_path: Path) -> None:
    path = tmp_path / "bodies.csv"
    path.write_text("1,2\n")
    message = "rows of 2 numbers; bodies have 3 (x y z), 6 (and their velocity) or 7 (and their mass)"
    assert_refused(programs("mc"), f"{path}: {message}", "--input", path)


# ------------------------------------------------------------------------------------------- both


@pytest.mark.slow
@pytest.mark.parametrize(("name", "given"), [("td", "random:5:4-8:50"), ("mc", "plummer:500")])
def test_application_measures_and_checks(name: str, given: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert apps_main([name, "--quick", "--cores", "1", "--input", given]) == 0, capsys.readouterr().err
    rows = [row.split() for row in capsys.readouterr().out.splitlines() if row.startswith(given)]
    assert [(row[1], row[-1]) for row in rows] == [(variant.name, "yes") for variant in (*DEVICE, *HOST)]
