"""apps/rtree: right answers of all forms, trees that are checked, and what bad input and wrong usage say."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from apps.__main__ import main as apps_main
from apps.common import measure, plan, prepare
from apps.common.app import Case
from apps.harness import AppError
from apps.machine import CUDA
from apps.rtree import run as rtree_run

pytestmark = pytest.mark.unoptimised

HERE = Path(__file__).parent.parent / "apps" / "rtree"
STACKS = [("--form", form) for form in ("thread", "warp", "block", "block-warp", "warp-thread")]
DEVICE = [("--form", "recursive"), *STACKS]
HOST = [("--host", how) for how in ("recursive", "iterative", "openmp")]
FORMS = [*DEVICE, *HOST]


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory, level: tuple[str, ...]) -> Path:
    path = tmp_path_factory.mktemp("rtree") / "rtree"
    command = [sys.executable, "-m", "simt2simd", "compile", str(HERE / "rtree.cu"), *level, "-o", str(path)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    return path


def run(program: Path, *args: str | Path) -> subprocess.CompletedProcess[str]:
    once = () if "--reps" in args else ("--reps", "1")
    return subprocess.run([str(program), *map(str, args), *once], capture_output=True, text=True)


def rectangles(seed: int, count: int, side: float) -> NDArray[np.float32]:
    rng = np.random.default_rng(seed)
    low = rng.random((count, 2))
    return np.concatenate((low, low + side * rng.random((count, 2))), axis=1).astype(np.float32)


def answers(
    program: Path, folder: Path, records: NDArray[Any], queries: NDArray[Any], *args: str | Path
) -> NDArray[Any]:
    np.save(folder / "records.npy", records)
    np.save(folder / "queries.npy", queries)
    files = ("--input", folder / "records.npy", "--queries", folder / "queries.npy", "--out", folder / "out.npy")
    done = run(program, *files, *args)
    assert done.returncode == 0, done.stdout + done.stderr
    found: NDArray[Any] = np.load(folder / "out.npy")
    return found


# ------------------------------------------------------------------------------------------- answers


@pytest.mark.parametrize("form", FORMS, ids=" ".join)
@pytest.mark.parametrize("size", [2, 3, 31, 32, 33, 128, 300])
def test_answers_are_those_of_all_records(program: Path, tmp_path: Path, form: tuple[str, str], size: int) -> None:
    records, queries = rectangles(size, 2003, 0.03), rectangles(size + 1, 77, 0.3)
    for order in ("sorted", "shuffled"):
        found = answers(program, tmp_path, records, queries, *form, "--node-size", str(size), "--order", order)
        assert (found == rtree_run.search(records, queries)).all()


@pytest.mark.parametrize("form", FORMS, ids=" ".join)
def test_edges_that_touch_overlap(program: Path, tmp_path: Path, form: tuple[str, str]) -> None:
    grid = np.stack(np.meshgrid(np.arange(20), np.arange(20)), axis=-1).reshape(-1, 2).astype(np.float64)
    queries = np.array([(3, 4, 7, 9), (0, 0, 19, 19), (2, 2, 2, 2), (-5, -5, 0, 0), (19.5, 0, 30, 19)], np.float64)
    found = answers(program, tmp_path, grid, queries, "--node-size", "7", *form)
    assert found["count"].tolist() == [30, 400, 1, 1, 0]
    assert (
        found == rtree_run.search(np.concatenate((grid, grid), axis=1).astype(np.float32), queries.astype(np.float32))
    ).all()


@pytest.mark.parametrize("form", DEVICE, ids=" ".join)
@pytest.mark.parametrize("count", [1, 2, 15, 16, 17, 33])
def test_every_number_of_records_and_queries(program: Path, tmp_path: Path, form: tuple[str, str], count: int) -> None:
    records, queries = rectangles(count, count, 0.1), rectangles(count + 50, 34 - count, 0.5)
    found = answers(program, tmp_path, records, queries, "--node-size", "2", *form)
    assert (found == rtree_run.search(records, queries)).all()


@pytest.mark.parametrize("form", DEVICE, ids=" ".join)
def test_equal_records_are_all_found(program: Path, tmp_path: Path, form: tuple[str, str]) -> None:
    found = answers(program, tmp_path, np.ones((500, 2)), np.ones((20, 2)), "--node-size", "4", *form)
    assert set(zip(found["count"], found["sum"], strict=True)) == {(500, 500 * 499 // 2)}


@pytest.mark.parametrize("form", FORMS, ids=" ".join)
@pytest.mark.parametrize("size", ["2", "100", "1500", "5000"])
def test_queries_of_everything_have_room_on_the_stacks(
    program: Path, tmp_path: Path, form: tuple[str, str], size: str
) -> None:
    everything = np.tile(np.array([-1, -1, 2, 2], np.float32), (40, 1))
    found = answers(program, tmp_path, rectangles(7, 4000, 0.01), everything, "--node-size", size, *form)
    assert (found["count"] == 4000).all() and (found["sum"] == 4000 * 3999 // 2).all()


def test_sum_of_rows_wraps_as_unsigned(program: Path, tmp_path: Path) -> None:
    everything = np.array([(0, 0, 1, 1)], np.float32)
    np.save(tmp_path / "q.npy", everything)
    out = tmp_path / "out.npy"
    for form in DEVICE:
        done = run(program, "--input", "random:100000x2", "--queries", tmp_path / "q.npy", "--out", out, *form)
        assert done.returncode == 0, done.stderr
        assert np.load(out)[0].tolist() == (100000, 99999 * 50000 % 2**32)


def test_answers_are_checked_by_the_program(program: Path) -> None:
    done = run(program, "--input", "random:3000x2", "--queries", "random:100", "--selectivity", "0.01", "--check")
    assert "check: PASS, 100 answers compared with all records" in done.stdout


# ------------------------------------------------------------------------------------------- trees from files

TREE: list[tuple[float, ...]] = [  # a root with two leaves
    (0, 1, 0, 0, 4, 4), (0, 2, 3, 3, 9, 9),
    (1, -1, 0, 0, 1, 1), (1, -3, 2, 2, 4, 4),
    (2, -2, 3, 3, 5, 5), (2, -4, 8, 8, 9, 9),
]  # fmt: skip


def tree_file(folder: Path, entries: Sequence[tuple[float, ...]]) -> Path:
    path = folder / "tree.csv"
    path.write_text("".join(",".join(map(str, entry)) + "\n" for entry in entries))
    return path


@pytest.mark.parametrize("form", FORMS, ids=" ".join)
def test_tree_is_read(program: Path, tmp_path: Path, form: tuple[str, str]) -> None:
    queries = tmp_path / "q.csv"
    queries.write_text("0,0,10,10\n3.5,3.5,4,4\n6,6,7,7\n")
    out = tmp_path / "out.npy"
    done = run(program, "--tree", tree_file(tmp_path, TREE), "--queries", queries, "--out", out, "--check", *form)
    assert (done.returncode, done.stderr) == (0, "")
    assert "tree: 4 records, 3 nodes on 2 levels" in done.stdout
    assert np.load(out).tolist() == [(4, 0 + 1 + 2 + 3), (2, 1 + 2), (0, 0)]


def with_entry(number: int, *entry: float) -> list[tuple[float, ...]]:
    return [*TREE[:number], entry, *TREE[number + 1 :]]


@pytest.mark.parametrize(
    ("entries", "message"),
    [
        (with_entry(1, 0, 0, 3, 3, 4, 4), "node 0: entry 1 leads to node 0, which another entry leads to, or which is"),
        (with_entry(1, 0, 1, 3, 3, 9, 9), "node 0: entry 1 leads to node 1, which another entry leads to"),
        ([TREE[0], *TREE[2:]], "node 2: no entry leads to it"),
        (with_entry(1, 0, 3, 3, 3, 9, 9), "row 1: child 3; expected a whole number from -6 to 2"),
        (with_entry(1, 0, 1.5, 3, 3, 9, 9), "row 1: child 1.5; expected a whole number"),
        (with_entry(5, 2, -5, 8, 8, 9, 9), "record 4 is not there; there are 4, from 0 on"),
        (with_entry(5, 2, -1, 8, 8, 9, 9), "record 0 is there twice"),
        (with_entry(5, 2, -4, 8, 8, 9, 9.5), "node 2: entry 1, (8, 8) to (9, 9.5), is not within the node's box"),
        (with_entry(5, 2, -4, 8, 8, 7, 9), "row 5: (8, 8) to (7, 9) is no rectangle: lower edges come first"),
        (with_entry(3, 1, 2, 2, 2, 4, 4), "row 3: node 1 has nodes and records as entries"),
        (with_entry(2, 2, -1, 0, 0, 1, 1), "row 2: an entry of node 2; expected one of node 0 or of the next"),
        ([(1, -1, 0, 0, 1, 1)], "row 0: an entry of node 1; expected one of node 0"),
        ([(0, -1, 0, 0)], "rows of 4 numbers; entries of a tree have 6: node, child, x0, y0, x1, y1"),
    ],
)
def test_malformed_trees_are_refused(
    program: Path, tmp_path: Path, entries: list[tuple[float, ...]], message: str
) -> None:
    path = tree_file(tmp_path, entries)
    done = run(program, "--tree", path)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith(f"rtree: error: {path}: ") and message in done.stderr


def test_cycle_below_the_root_is_found(program: Path, tmp_path: Path) -> None:
    path = tree_file(tmp_path, [(0, 1, 0, 0, 1, 1), (1, 2, 0, 0, 1, 1), (2, 1, 0, 0, 1, 1)])
    done = run(program, "--tree", path)
    assert done.returncode == 1 and "node 2: entry 0 leads to node 1, which another entry" in done.stderr


# ------------------------------------------------------------------------------------------- full stacks


@pytest.mark.parametrize("form", STACKS, ids=" ".join)
@pytest.mark.parametrize(("size", "stack"), [(2, 1), (2, 7), (5, 3), (33, 2), (33, 9), (300, 1)])
def test_full_stacks_are_dumped_and_resumed(
    program: Path, tmp_path: Path, form: tuple[str, str], size: int, stack: int
) -> None:
    records, queries = rectangles(size, 4003, 0.03), rectangles(size + 1, 77, 0.4)
    options = ("--node-size", str(size), "--stack", str(stack), "--enough", "3", *form)
    found = answers(program, tmp_path, records, queries, *options)
    assert (found == rtree_run.search(records, queries)).all()
    assert full_stacks(program, tmp_path, *options) > 0


def full_stacks(program: Path, folder: Path, *args: str) -> int:
    """Return how many stacks were full in a run over the files of `answers`."""
    done = run(program, "--input", folder / "records.npy", "--queries", folder / "queries.npy", *args)
    said = re.findall(r"^overflow: (\d+) stacks of \d+ entries were full$", done.stdout, re.MULTILINE)
    return sum(map(int, said))


@pytest.mark.parametrize("form", STACKS, ids=" ".join)
def test_repeated_runs_add_nothing_twice(program: Path, tmp_path: Path, form: tuple[str, str]) -> None:
    records, queries = rectangles(5, 2000, 0.03), rectangles(6, 50, 0.4)
    once = answers(program, tmp_path, records, queries, "--stack", "2", *form)
    many = answers(program, tmp_path, records, queries, "--stack", "2", *form, "--reps", "3")
    assert (once == many).all()


def test_stacks_that_hold_all_are_never_full(program: Path, tmp_path: Path) -> None:
    records, queries = rectangles(5, 2000, 0.03), rectangles(6, 50, 0.4)
    for form in STACKS:
        answers(program, tmp_path, records, queries, *form)
        assert full_stacks(program, tmp_path, *form) == 0


@pytest.mark.parametrize("enough", ["1", "2", "40", "1000"])
def test_hybrid_stacks_divide_wherever_asked(program: Path, tmp_path: Path, enough: str) -> None:
    records, queries = rectangles(5, 4000, 0.03), rectangles(6, 50, 0.4)
    right = rtree_run.search(records, queries)
    for form in STACKS[3:]:
        for size in ("3", "40"):
            found = answers(program, tmp_path, records, queries, *form, "--enough", enough, "--node-size", size)
            assert (found == right).all()


@pytest.mark.parametrize("form", STACKS, ids=" ".join)
def test_wide_trees_are_searched_with_stacks_that_they_do_not_fit(
    program: Path, tmp_path: Path, form: tuple[str, str]
) -> None:
    """A query of everything pushes 70,000 nodes: more than a thread's stack or a block's shared memory holds."""
    count = 70_000
    rows = np.zeros((2 * count, 6), np.float32)
    rows[:, 4:] = 1
    rows[:count, 1] = np.arange(1, count + 1)
    rows[count:, 0], rows[count:, 1] = np.arange(1, count + 1), -1 - np.arange(count)
    np.save(tmp_path / "tree.npy", rows)
    np.save(tmp_path / "q.npy", np.array([(0, 0, 1, 1), (2, 2, 3, 3), (0.5, 0, 0.5, 1)], np.float32))
    done = run(program, "--tree", tmp_path / "tree.npy", "--queries", tmp_path / "q.npy", *form, "--check")
    assert (done.returncode, done.stderr) == (0, "")
    assert "overflow: 2 stacks" in done.stdout and "check: PASS, 3 answers" in done.stdout


def chain(levels: int) -> list[tuple[float, ...]]:
    """Return a tree in which each node has a leaf and the next one, or two records at the end."""
    entries: list[tuple[float, ...]] = []
    for n in range(levels - 1):
        entries += [(2 * n, 2 * n + 1, 0, 0, 1, 1), (2 * n, 2 * n + 2, 0, 0, 1, 1), (2 * n + 1, -1 - n, 0, 0, 1, 1)]
    return [*entries, (2 * levels - 2, -levels, 0, 0, 1, 1)]


def test_deep_trees_are_searched_with_stacks(program: Path, tmp_path: Path) -> None:
    path = tree_file(tmp_path, chain(3000))
    for form in (*STACKS, ("--host", "iterative")):
        for stack in ("0", "1"):
            done = run(program, "--tree", path, "--queries", "random:5", "--check", *form, "--stack", stack)
            assert (done.returncode, done.stderr) == (0, ""), form
            assert "records, 5999 nodes on 3000 levels" in done.stdout and "check: PASS" in done.stdout


@pytest.mark.parametrize("form", [("--form", "recursive"), ("--host", "recursive"), ("--host", "openmp")])
def test_recursion_into_very_deep_trees_is_refused(program: Path, tmp_path: Path, form: tuple[str, str]) -> None:
    done = run(program, "--tree", tree_file(tmp_path, chain(256)), "--queries", "random:5", "--check", *form)
    assert (done.returncode, done.stderr) == (0, "") and "check: PASS" in done.stdout
    done = run(program, "--tree", tree_file(tmp_path, chain(257)), "--queries", "random:5", *form)
    assert done.returncode == 1
    assert done.stderr == (
        "rtree: error: a tree of 257 levels; recursion goes down 256 levels at most, the other forms any\n"
    )


# ------------------------------------------------------------------------------------------- bad input


@pytest.mark.parametrize(
    ("records", "message"),
    [
        (np.zeros((3, 3), np.float32), "rows of 3 numbers; rectangles have 4 (x0, y0, x1, y1), points 2"),
        (np.zeros((0, 2), np.float32), "an R-tree needs at least 1 "),
        (np.array([(0, 0, 1, 1), (2, 0, 1, 1)], np.float32), "is no rectangle: lower edges come first"),
    ],
)
def test_bad_records_are_named(
    program: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], records: NDArray[Any], message: str
) -> None:
    path = tmp_path / "r.npy"
    np.save(path, records)
    done = run(program, "--input", path)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.startswith(f"rtree: error: {path}: ") and message in done.stderr
    assert apps_main(["rtree", "--input", str(path)]) == 1
    said = capsys.readouterr().err
    assert said.startswith(f"apps rtree: error: {path}: ") and message in said


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (
            ("--form", "gang"),
            "--form: expected recursive, thread, warp, block, block-warp or warp-thread, found 'gang'",
        ),
        (("--host", "gang"), "--host: expected recursive, iterative or openmp, found 'gang'"),
        (("--stack", "4353"), "--stack: expected a whole number from 0 to 4352, found '4353'"),
        (("--node-size", "1"), "--node-size: expected a whole number from 2 to 65536, found '1'"),
        (("--queries", "random:0"), "--queries: expected random:N, FILE.npy or FILE.csv, found 'random:0'"),
        (("--selectivity", "2"), "--selectivity: expected a number from 0 to 1, found '2'"),
        (("--tree", "x", "--input", "y"), "--input builds a tree, --tree reads one: only one of them can be"),
    ],
)
def test_wrong_usage_is_explained(program: Path, args: tuple[str, ...], message: str) -> None:
    done = run(program, *(args if "--input" in args else ("--input", "random:9x2", *args)))
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"rtree: error: {message}\nusage: ")


# ------------------------------------------------------------------------------------------- the application


def test_queries_cover_the_part_of_the_area_that_is_stated() -> None:
    boxes = rectangles(3, 1000, 0.01)
    queries = rtree_run.queries_of(boxes, 0.04).astype(np.float64)
    sides = boxes[:, 2:].max(axis=0) - boxes[:, :2].min(axis=0)
    np.testing.assert_allclose(queries[:, 2:] - queries[:, :2], np.broadcast_to(0.2 * sides, (1000, 2)), rtol=1e-4)


def test_wrong_answers_are_found() -> None:
    right = np.array([(3, 5), (0, 0), (2, 9)], [("count", "<i4"), ("sum", "<u4")])
    truth = {"rows": np.array([2, 0]), "right": right[[2, 0]]}
    rtree_run.check_answers("three", truth, right)
    wrong = right.copy()
    wrong["sum"][0] = 4
    with pytest.raises(AppError, match=r"1 of 2 answers are wrong; first: query 0: \(3, 4\), expected \(3, 5\)"):
        rtree_run.check_answers("three", truth, wrong)


def test_answers_that_are_not_sampled_must_be_those_of_other_variants(tmp_path: Path) -> None:
    right = np.array([(3, 5), (0, 0)], [("count", "<i4"), ("sum", "<u4")])
    other = np.array([(3, 5), (0, 1)], right.dtype)
    truth = {"rows": np.array([0]), "right": right[:1]}
    case = Case("i", "i", {"queries": np.zeros((2, 4), np.float32)}, ())
    command = plan.Command("t-stack", "avx512", "", (), True)
    problem = plan.Problem("rtree", "i", "i", {}, (), {}, {}, (command,))
    runner = measure.Runner(rtree_run.APP, case, problem, truth, None, tmp_path, tmp_path / "x.npy")
    known: list[NDArray[Any]] = []
    runner._check(measure.Timed(command, 1), right, known)
    with pytest.raises(AppError, match=r"differ from other variants' in 1 places; first: row 1: \(0, 1\), others"):
        runner._check(measure.Timed(command, 1), other, known)


def test_gpu_runs_every_form_that_is_asked_for_by_an_argument() -> None:
    case = Case("i", "i", {}, ())
    wanted = prepare.Builder("avx512", False, "sm_90").wanted(rtree_run.APP, case, rtree_run.APP.variants)
    found = {each.variant.name: each for each in wanted if each.target == CUDA}
    plain = ["recursive", "t-stack", "w-stack", "b-stack"]
    assert list(found) == [*plain, "t-stack-16", "w-stack-16", "b-stack-16", "bw-stack", "wt-stack"]
    assert len({each.recipe for each in found.values()}) == 1


@pytest.mark.slow
def test_application_measures_and_checks(capsys: pytest.CaptureFixture[str]) -> None:
    names = ("recursive", "t-stack", "w-stack", "b-stack", "t-stack-16", "bw-stack", "host-iterative", "openmp")
    command = ["rtree", "--quick", "--input", "random:3000x2", "--order", "sorted", "--node-size", "8", "--variant"]
    assert apps_main([*command, *names]) == 0, capsys.readouterr().err
    rows = [row.split() for row in capsys.readouterr().out.splitlines() if row.startswith("random:")]
    assert [row[:4] for row in rows] == [["random:3000x2,", "N=8", "sorted", name] for name in names]
    assert all(row[-1] == "yes" for row in rows)
