"""apps/forest: answers as scikit-learn's in every form, layouts that say the same, and what malformed forests say."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from apps.__main__ import main as apps_main
from apps.common.app import Case
from apps.common.plan import load, save
from apps.forest import data, figures, layout, others, trees
from apps.forest import run as forest_run
from apps.forest.layout import SUBTREE_DEPTHS, Layout, csr, hierarchical, rounded_down
from apps.forest.trees import LEAF, Forest
from apps.harness import AppError, Record

pytestmark = [pytest.mark.xdist_group("forest"), pytest.mark.unoptimised]
SOURCE = Path(__file__).parent.parent / "apps" / "forest" / "forest.cu"
COLUMNS, CLASSES = 5, 3


def forest_of(count: int, deepest: int, seed: int = 0, numbers: bool = False) -> Forest:
    """Return random trees of depths up to `deepest`; their nodes are in the order of a walk in depth."""
    rng = np.random.default_rng(seed)
    nodes: list[tuple[int, int, int, float]] = []
    first = [0]

    def grow(depth: int) -> int:
        own = len(nodes) - first[-1]
        nodes.append((LEAF, LEAF, LEAF, -2.0))
        if depth < deepest and rng.random() < 0.8:
            left, right = grow(depth + 1), grow(depth + 1)
            nodes[first[-1] + own] = (left, right, int(rng.integers(COLUMNS)), float(rng.normal()))
        return own

    for _ in range(count):
        grow(0)
        first.append(len(nodes))
    left, right, feature, threshold = (np.array(each) for each in zip(*nodes, strict=True))
    values = rng.random((len(nodes), 1 if numbers else CLASSES))
    return Forest(
        columns=COLUMNS,
        numbers=numbers,
        first=np.array(first, np.int32),
        left=left.astype(np.int32),
        right=right.astype(np.int32),
        feature=feature.astype(np.int32),
        threshold=threshold,
        values=values if numbers else values / values.sum(axis=1, keepdims=True),
    )


def rows_of(count: int, seed: int = 1) -> NDArray[np.float32]:
    return np.random.default_rng(seed).normal(size=(count, COLUMNS)).astype(np.float32)


def sums_of(forest: Forest, rows: NDArray[np.float32]) -> NDArray[np.float64]:
    """Return what the leaves add up to, tree after tree, row by row."""
    sums = np.zeros((len(rows), forest.outputs))
    for i, row in enumerate(rows):
        for first in forest.first[:-1]:
            n = 0
            while forest.left[first + n] != LEAF:
                goes_left = row[forest.feature[first + n]] <= forest.threshold[first + n]
                n = (forest.left if goes_left else forest.right)[first + n]
            sums[i] += forest.values[first + n]
    return sums


def leaf_in(made: Layout, tree: int, row: NDArray[np.float32]) -> int:
    """Return the row of values that a tree of a layout has for a row."""
    thresholds = made.nodes[:, 1].view(np.float32)
    head, n = int(made.roots[tree]), 1 if made.depth else 0
    while True:
        at = head + n
        feature = made.nodes[at, 0]
        if feature == LEAF:
            return int(made.nodes[at, 1])
        right = int(not row[feature] <= thresholds[at])
        if made.depth == 0:
            head = int(made.children[made.links[at] + right])
            continue
        n = 2 * n + right
        if n >= 2**made.depth:
            head = int(made.children[made.nodes[head, 0] + n - 2**made.depth])
            if head < 0:
                return ~head
            n = 1


# ------------------------------------------------------------------------------------------- layouts


@pytest.mark.parametrize("depth", [0, *SUBTREE_DEPTHS])
@pytest.mark.parametrize("deepest", [0, 1, 2, 3, 4, 5, 9])
def test_layouts_have_the_leaves_of_the_forest(deepest: int, depth: int) -> None:
    forest, rows = forest_of(4, deepest), rows_of(40)
    made = hierarchical(forest, depth) if depth else csr(forest)
    found = [sum(made.values[leaf_in(made, tree, row)] for tree in range(forest.trees)) for row in rows]
    assert np.array_equal(found, sums_of(forest, rows))


def full_forest(count: int, levels: int) -> Forest:
    """Return trees of whose levels none has a leaf but the last one."""
    size = 2**levels - 1
    left = np.where(np.arange(size) < size // 2, 2 * np.arange(size) + 1, LEAF).astype(np.int32)
    right = np.where(left == LEAF, LEAF, left + 1).astype(np.int32)
    feature = np.where(left == LEAF, LEAF, 0).astype(np.int32)
    first = size * np.arange(count + 1, dtype=np.int32)
    left, right, feature = (np.tile(each, count) for each in (left, right, feature))
    return Forest(COLUMNS, True, first, left, right, feature, np.zeros(count * size), np.ones((count * size, 1)))


def comb_forest(levels: int) -> Forest:
    """Return one tree with two nodes on each level, of which the left one has children."""
    nodes = np.arange(2 * levels + 1, dtype=np.int32)
    inner = (nodes % 2 == 1) & (nodes < nodes[-2]) | (nodes == 0)
    left = np.where(inner, nodes + np.where(nodes, 2, 1), LEAF).astype(np.int32)
    right = np.where(inner, left + 1, LEAF).astype(np.int32)
    feature = np.where(inner, 0, LEAF).astype(np.int32)
    first = np.array([0, len(nodes)], np.int32)
    return Forest(COLUMNS, True, first, left, right, feature, np.zeros(len(nodes)), np.ones((len(nodes), 1)))


@pytest.mark.parametrize("depth", SUBTREE_DEPTHS)
def test_full_subtrees_need_less_memory_than_csr(depth: int) -> None:
    full = full_forest(1, 13)
    trees.check(full)
    assert hierarchical(full, depth).bytes < 0.8 * csr(full).bytes


@pytest.mark.parametrize("depth", [0, 4])
def test_values_of_a_tree_lie_together(depth: int) -> None:
    forest = forest_of(6, 5)
    made = hierarchical(forest, depth) if depth else csr(forest)
    leaves = forest.left == LEAF
    assert np.array_equal(made.values, forest.values[leaves])  # of these no two are the same
    again = replace(forest, values=np.round(forest.values, 1))
    made = hierarchical(again, depth) if depth else csr(again)
    _, firsts = np.unique(again.values[leaves], axis=0, return_index=True)
    assert np.array_equal(made.values, again.values[leaves][np.sort(firsts)])


def test_subtrees_lie_in_no_more_lines_than_they_need() -> None:
    starts = layout._starts(np.array([3, 8, 2, 5, 16, 1, 9]))
    for start, size in zip(starts, [3, 8, 2, 5, 16, 1, 9], strict=False):
        assert (start + size - 1) // 8 - start // 8 == (size - 1) // 8
    assert (np.diff(starts) >= [3, 8, 2, 5, 16, 1, 9]).all()


def test_thresholds_in_single_precision_part_the_same_numbers() -> None:
    thresholds = np.concatenate([np.random.default_rng(1).normal(size=1000), [0.1, -0.1, 1e300, -1e300, 1e-320, 0.0]])
    rounded = rounded_down(thresholds)
    with np.errstate(over="ignore"):
        above, below = (np.nextafter(rounded, np.float32(end)) for end in (np.inf, -np.inf))
    for x in (rounded, above, below):
        assert np.array_equal(x <= thresholds, x <= rounded)


# ------------------------------------------------------------------------------------------- malformed forests


def with_(forest: Forest, name: str, node: int, value: Any) -> Forest:
    """Return a forest with another number at a node of its first tree."""
    array = getattr(forest, name).copy()
    array[node] = value
    return replace(forest, **{name: array})


@pytest.mark.parametrize(
    ("name", "node", "value", "message"),
    [
        ("left", 1, 0, "tree 0: node 0 is the root and the child of another node: a cycle"),
        ("left", 1, 4, "tree 0: node 4 is the child of 2 nodes"),
        ("left", 1, LEAF, "tree 0: node 1 has one child; two or none are expected"),
        ("right", 1, 7, "tree 0: node 1 has the child 7; the tree has 7 nodes"),
        ("right", 1, -3, "tree 0: node 1 has the child -3; the tree has 7 nodes"),
        ("feature", 4, 5, "tree 0: node 4 compares column 5; rows have 5"),
        ("feature", 4, -1, "tree 0: node 4 compares column -1; rows have 5"),
        ("threshold", 0, np.nan, "tree 0: node 0 has the threshold nan"),
        ("values", 2, np.nan, "tree 0: node 2 is a leaf whose value is not a finite number"),
        ("values", 2, 0.0, "tree 0: node 2 is a leaf whose classes are all empty"),
        ("values", 2, -1.0, "tree 0: node 2 is a leaf with a class of negative weight"),
    ],
)
def test_malformed_forest_is_refused_with_tree_and_node(name: str, node: int, value: Any, message: str) -> None:
    left, right = np.array([1, 2, -1, -1, 5, -1, -1], np.int32), np.array([4, 3, -1, -1, 6, -1, -1], np.int32)
    feature = np.where(left == LEAF, LEAF, 0).astype(np.int32)
    good = Forest(5, False, np.array([0, 7], np.int32), left, right, feature, np.zeros(7), np.full((7, 2), 0.5))
    trees.check(good)
    with pytest.raises(AppError) as fault:
        trees.check(with_(good, name, node, value))
    assert str(fault.value) == message


def test_cycle_that_the_root_does_not_reach_is_found() -> None:
    left, right = np.array([-1, 2, 1], np.int32), np.array([-1, 0, 0], np.int32)
    looped = Forest(
        5, True, np.array([0, 3], np.int32), left, right, np.zeros(3, np.int32), np.zeros(3), np.ones((3, 1))
    )
    with pytest.raises(AppError, match="a cycle"):
        trees.check(looped)


def test_forests_without_trees_or_classes_are_refused() -> None:
    good = forest_of(1, 2)
    empty = replace(good, values=np.zeros((len(good.left), 0)))
    for forest, message in (
        (empty, "a forest without classes"),
        (replace(good, first=np.array([0], np.int32)), "a forest without trees"),
        (replace(good, columns=0), "a forest for rows without columns"),
        (replace(good, values=np.ones((len(good.left), 33))), "a forest of 33 classes; at most 32 are supported"),
    ):
        with pytest.raises(AppError, match=message):
            trees.check(forest)
    with pytest.raises(AppError, match="subtrees of depth 6; 3, 4 and 5 are supported"):
        hierarchical(good, 6)


# ------------------------------------------------------------------------------------------- the program


def compiled(path: Path, *flags: str) -> Path:
    command = [sys.executable, "-m", "simt2simd", "compile", str(SOURCE), *flags, "-o", str(path)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    return path


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory, level: tuple[str, ...]) -> Path:
    """Return the program for subtrees of 3 levels: most of the time goes into the encoded kernels of 4 and 5."""
    return compiled(tmp_path_factory.mktemp("forest") / "forest", "-DMOST_DEPTH=3", *level, "-Xcompiler", "-O0")


@pytest.fixture(scope="module")
def whole_program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return compiled(tmp_path_factory.mktemp("forest") / "forest")


def run(program: Path, *args: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run([str(program), *map(str, args), "--reps", "1"], capture_output=True, text=True)


def saved(folder: Path, forest: Forest, rows: NDArray[Any]) -> dict[str, Path]:
    """Write all layouts of a forest, and rows."""
    made = {"csr": csr(forest).words(), **{f"h{d}": hierarchical(forest, d).words() for d in SUBTREE_DEPTHS}}
    files = {name: folder / f"{name}.npy" for name in (*made, "rows")}
    for name, array in {**made, "rows": rows}.items():
        np.save(files[name], array)
    return files


def answers_of(program: Path, folder: Path, files: dict[str, Path], *arguments: object) -> NDArray[Any]:
    """Return what a program answers, once it has compared the answers with the host's."""
    out = folder / "answers.npy"
    named = [str(argument).format(**files) for argument in arguments]
    done = run(program, "--input", files["rows"], *named, "--check", "--out", out)
    assert done.returncode == 0, done.stdout + done.stderr
    found: NDArray[Any] = np.load(out)
    return found


SIZES = pytest.mark.parametrize(("count", "deepest"), [(1, 0), (7, 6), (20, 11)])
NUMBERS = pytest.mark.parametrize("numbers", [False, True])


def check_leaves_add_up(
    program: Path, folder: Path, forest: Forest, rows: NDArray[np.float32], ways: Iterable[tuple[str, ...]]
) -> None:
    files = saved(folder, forest, rows)
    means = sums_of(forest, rows) / forest.trees
    right = means[:, 0] if forest.numbers else means.argmax(axis=1)
    for way in ways:
        found = answers_of(program, folder, files, *way, "--group", 3)
        assert np.allclose(found, right, rtol=1e-12, atol=0) if forest.numbers else np.array_equal(found, right), way


@NUMBERS
@SIZES
def test_all_kernels_and_the_host_add_up_the_leaves(
    program: Path, tmp_path: Path, count: int, deepest: int, numbers: bool
) -> None:
    ways = [variant.arguments for variant in forest_run.KERNELS if {"{csr}", "{h3}"} & {*variant.arguments}]
    assert len(ways) == 9  # four kernels with two mappings each, and one with one
    ways.append(("--host", "--forest", "{h3}"))
    check_leaves_add_up(program, tmp_path, forest_of(count, deepest, numbers=numbers), rows_of(133), ways)


@pytest.mark.slow("forest")
@NUMBERS
@SIZES
def test_all_depths_of_subtrees_add_up_the_leaves(
    whole_program: Path, tmp_path: Path, count: int, deepest: int, numbers: bool
) -> None:
    ways = [variant.arguments for variant in (*forest_run.KERNELS, forest_run.HOST)]
    check_leaves_add_up(whole_program, tmp_path, forest_of(count, deepest, numbers=numbers), rows_of(133), ways)


@pytest.mark.parametrize("rows", [1, 255, 257, 9001])
def test_linked_nodes_answer_as_csr_does_whatever_a_block_takes(
    program: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rows: int
) -> None:
    monkeypatch.setenv("S2S_THREADS", "1")  # one multiprocessor: blocks of many rows come round several times
    files = saved(tmp_path, forest_of(9, 9), rows_of(rows))
    csr_s, linked = (
        answers_of(program, tmp_path, files, "--forest", "{csr}", "--kernel", kernel) for kernel in ("csr", "linked")
    )
    assert np.array_equal(csr_s, linked)


def refusal(program: Path, *args: object) -> str:
    done = run(program, *args)
    assert done.returncode == 1
    return done.stderr


@pytest.mark.parametrize(
    ("name", "section", "at", "value", "message"),
    [
        ("csr", "children", 0, 0, "node 0 has the child 0, which is not behind it: a cycle"),
        ("csr", "children", 0, 10**6, "node 0 has the child 1000000; there are"),
        ("csr", "links", 0, -4, "node 0 has its children at -4"),
        ("csr", "nodes", 0, 5, "node 0 compares column 5; rows have 5"),
        ("csr", "nodes", 1, 0x7FC00000, "node 0 has the threshold nan"),
        ("csr", "roots", 1, 10**6, "tree 1 has the root 1000000"),
        ("h3", "children", 0, 0, "the subtree at 0 has the child 0, which is not behind it: a cycle"),
        ("h3", "children", 0, 9, "the subtree at 0 has the child 9, where none begins"),
        ("h3", "nodes", 0, -70000, "the subtree at 0 has its children at -70000"),
        ("h3", "nodes", 1, 0, "the subtree at 0 ends at 0"),
        ("h3", "roots", 0, 1, "tree 0 begins at 1, where no subtree does"),
        ("h3", "header", 1, 6, "the depth of subtrees: 6; 0 to 3 are expected"),
        ("h3", "header", 1, 2, "subtrees of depth 2; 3 to 3 are supported"),
        ("h3", "header", 4, 0, "classes: 0; 1 to 32 are expected"),
        ("h3", "header", 0, 1, "the first word: 1"),
        ("h3", "header", 5, 10**7, "words, and more are expected"),
    ],
)
def test_malformed_file_is_refused(
    program: Path, tmp_path: Path, name: str, section: str, at: int, value: int, message: str
) -> None:
    forest = full_forest(3, 8)
    made = hierarchical(forest, 3) if name == "h3" else csr(forest)
    words = made.words()
    sizes = {"header": 10, "roots": 3, "links": len(made.links), "children": len(made.children), "nodes": 0}
    start = sum(list(sizes.values())[: list(sizes).index(section)])
    words[start + at] = value
    file, rows = tmp_path / "forest.npy", tmp_path / "rows.npy"
    np.save(file, words)
    np.save(rows, rows_of(3))
    assert (
        f"forest: error: {file}: " in (said := refusal(program, "--forest", file, "--input", rows)) and message in said
    )


def test_rows_must_fit_the_forest(program: Path, tmp_path: Path) -> None:
    files = saved(tmp_path, forest_of(2, 3), rows_of(9)[:, :4])
    fits = ("--forest", files["h3"], "--input", files["rows"])
    assert "rows of 4 numbers; the forest was trained with 5" in refusal(program, *fits)
    rows = rows_of(9)
    rows[3, 2] = np.nan
    np.save(files["rows"], rows)
    assert "row 3, column 2: nan is not a finite number" in refusal(program, *fits)
    np.save(files["rows"], rows_of(9))
    assert "nodes in subtrees, which --kernel csr does not walk through" in refusal(program, *fits, "--kernel", "csr")
    np.save(files["h3"], np.zeros(3))
    assert "not a forest: an array of another type than int32" in refusal(program, *fits)


def test_linked_nodes_are_refused_where_they_have_no_room(program: Path, tmp_path: Path) -> None:
    wide, rows = tmp_path / "wide.npy", tmp_path / "rows.npy"
    np.save(rows, rows_of(3))
    np.save(wide, csr(replace(full_forest(1, 8), columns=2**24)).words())
    linked = ("--forest", wide, "--input", rows, "--kernel", "linked")
    assert "a tree of more than 128 nodes, for rows of 16777216 numbers" in refusal(program, *linked)
    comb = csr(comb_forest(6))
    twice = replace(comb, children=np.repeat(comb.children[::2], 2))
    np.save(wide, twice.words())
    assert "the tree of root 0 has more nodes than the forest: one has two parents" in refusal(program, *linked)


# ------------------------------------------------------------------------------------------- the application


def test_wrong_answers_are_found() -> None:
    truth = {"rows": np.array([2, 0]), "answers": np.array([1, 0], np.int32), "ahead": np.array([0.2, 0.0])}
    forest_run.check_answers("two", truth, np.array([1, 7, 1], np.int32))  # row 0 is even
    with pytest.raises(AppError, match="two: 1 of 2 answers are not scikit-learn's; first: row 2: 0, expected 1"):
        forest_run.check_answers("two", truth, np.array([0, 7, 0], np.int32))
    numbers = {"rows": np.arange(2), "answers": np.array([1.0, 2.0]), "ahead": np.zeros(2)}
    forest_run.check_answers("numbers", numbers, np.array([1.0 + 1e-6, 2.0], np.float32))
    with pytest.raises(AppError, match="row 0"):
        forest_run.check_answers("numbers", numbers, np.array([1.0 + 1e-6, 2.0]))


def case_of_size(**parameters: float) -> Case:
    return Case("synth:1000", "", {}, (), parameters={"depth": 15, "columns": 50, **parameters})


@pytest.mark.parametrize(
    ("classes", "trees", "rounds"), [(2, 20, 20), (0, 20, 20), (7, 20, 3), (7, 100, 14), (7, 2, 1)]
)
def test_other_ensembles_have_as_many_trees_and_leaves(classes: int, trees: int, rounds: int) -> None:
    size = others.size_of(case_of_size(classes=classes, trees=trees, nodes=201 * trees))
    assert (size.rounds, size.leaves, size.depth) == (rounds, 101, 15)


def test_answers_of_other_ensembles_are_judged_by_their_accuracy(monkeypatch: pytest.MonkeyPatch) -> None:
    known = data.Rows(3, *(np.zeros((0, 1), np.float32),) * 3, np.array([0, 1, 2, 1]))
    monkeypatch.setattr(data, "rows_of", lambda _: known)
    shares = np.array([[0.5, 0.3, 0.2], [0.1, 0.8, 0.1], [0.1, 0.2, 0.7], [0.6, 0.4, 0.0]])
    found = others.answers(case_of_size(classes=3), shares)
    assert np.array_equal(found, [0, 1, 2, 0])
    assert np.array_equal(others.answers(case_of_size(classes=2), np.array([0.4, 0.6])), [0, 1])
    assert others._judged(case_of_size(classes=3), "L", found, [3, 5]) == {"accuracy": 0.75, "nodes": 14}
    with pytest.raises(AppError, match=r"L: an accuracy of 0\.500; the same answer for all rows has 0\.500"):
        others._judged(case_of_size(classes=3), "L", np.array([1, 1, 2, 0]), [3])
    with pytest.raises(AppError, match="L: 2 answers to 4 rows"):
        others._judged(case_of_size(classes=3), "L", found[:2], [3])
    numbers = others.answers(case_of_size(classes=0), np.array([0.0, 1.0, 2.0, 0.0]))
    assert others._judged(case_of_size(classes=0), "L", numbers, [3])["accuracy"] == pytest.approx(0.5)


@pytest.mark.slow("forest packages")
@pytest.mark.parametrize("package", ["lightgbm", "xgboost", "treelite", "onnxruntime"])
@pytest.mark.parametrize("name", ["synth:600", "covtype-like:1500", "friedman:600"])
def test_packages_answer(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, package: str, name: str) -> None:
    for needed in ("sklearn", package, *(["skl2onnx"] if package == "onnxruntime" else [])):
        pytest.importorskip(needed)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    case = forest_run.case_of(name, 20, 6, 10_000)
    peer = forest_run.APP.peers[package]
    found = peer.answers(case, peer.setup(case, "", 1)())
    if peer.judge is None:
        forest_run._check(package, case, forest_run._truth(case, None), found)
    else:
        assert case.parameters["nodes"] / 2 < peer.judge(case, found)["nodes"] <= 1.2 * case.parameters["nodes"]


@pytest.mark.parametrize(
    ("array", "message"),
    [
        (np.array([[1.0, 2.0, 0.0], [np.nan, 1.0, 1.0]]), "row 1, column 0: nan is not a finite number"),
        (np.array([[1.0, 1e39, 0.0], [2.0, 1.0, 1.0]]), r"row 0, column 1: 1e\+39 is not a finite number"),
        (np.array([[1.0, 2.0, 4.0], [2.0, 1.0, 4.0]]), "all rows are of class 4"),
        (np.zeros((0, 3)), "there are no rows"),
        (np.zeros(3), r"float64 of shape \(3,\); rows of numbers, the class last, are expected"),
    ],
)
def test_bad_rows_are_refused(tmp_path: Path, array: NDArray[Any], message: str) -> None:
    file = tmp_path / "rows.npy"
    np.save(file, array)
    with pytest.raises(AppError, match=message):
        data.rows_of(str(file))


def test_unknown_input_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert apps_main(["forest", "--input", "covtype"]) == 1
    assert "apps forest: error: unknown input 'covtype'; expected covtype-like" in capsys.readouterr().err


def test_figures_have_a_line_for_each_depth_of_subtrees(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    sizes = {f"h{depth}_bytes": 8 for depth in (3, 4, 5)}
    records = [
        Record(
            "forest", f"synth, 20 trees, depth {depth}", None, variant.name, "avx512", 2, 10.0 + depth, True,
            parameters={"trees": 20, "depth": depth, "accuracy": 0.9, "csr_bytes": 9, **sizes},
        )
        for depth in (8, 12)
        for variant in forest_run.KERNELS
    ]  # fmt: skip
    files = figures.draw("forests", records, tmp_path)
    assert [file.name for file in files] == ["forest-memory.svg", "forest-mappings-cpu.svg", "forest-subtrees-cpu.svg"]
    more = [
        replace(r, input="synth, 40 trees, depth 12", parameters=r.parameters | {"trees": 40}) for r in records[20:]
    ]
    over_trees = [name for name in figures._subtrees([*records, *more]) if name.endswith("number of trees")]
    assert over_trees == [f"synth, {kernel}: CSR / subtrees, by number of trees" for kernel in figures.KERNELS]
    lines = figures._subtrees(records)
    assert {name: [line[0] for line in panel] for name, panel in lines.items()} == {
        f"synth, {kernel}: CSR / subtrees, by depth of trees": [*(f"subtrees of {d}" for d in (3, 4, 5)), "accuracy"]
        for kernel in figures.KERNELS
    }


@pytest.mark.slow
@pytest.mark.parametrize("name", ["covtype-like:1500", "friedman:600"])
def test_application_agrees_with_scikit_learn(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    pytest.importorskip("sklearn")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    names = [variant.name for variant in (*forest_run.KERNELS, forest_run.HOST)] + ["scikit-learn"]
    command = ["forest", "--quick", "--input", name, "--variant", *names]
    assert apps_main(command) == 0, capsys.readouterr().err
    rows = [row.split() for row in capsys.readouterr().out.splitlines() if row.startswith(name)]
    assert len(rows) == len(names)
    assert all(row[-1] == "yes" for row in rows)


@pytest.mark.parametrize("name", ["synth:300", "friedman:300"])
def test_a_forest_trained_by_parts_is_that_of_one_call(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    ensemble = pytest.importorskip("sklearn.ensemble")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    rows = data.rows_of(name)
    kind = ensemble.RandomForestClassifier if rows.classes else ensemble.RandomForestRegressor
    once = kind(23, max_depth=4, random_state=1).fit(rows.trained[:150], rows.known[:150])
    by_parts = data.model_of(name, 23, 4, 150)
    assert f"training trees for {name}: 23 of 23" in capsys.readouterr().err
    made, expected = (csr(trees.of_scikit_learn(model)).words() for model in (by_parts, once))
    assert np.array_equal(made, expected)


def test_leaves_are_those_of_scikit_learn() -> None:
    ensemble = pytest.importorskip("sklearn.ensemble")
    rng = np.random.default_rng(3)
    x = rng.normal(size=(400, COLUMNS)).astype(np.float32)
    y = (x[:, 0] * x[:, 1] > 0).astype(int) + (x[:, 2] > 1)
    for kind, known in ((ensemble.RandomForestClassifier, y), (ensemble.RandomForestRegressor, x[:, 3] * x[:, 4])):
        model = kind(5, max_depth=7, random_state=1).fit(x[:300], known[:300])
        forest = trees.of_scikit_learn(model)
        means = sums_of(forest, x[300:]) / forest.trees
        found = means[:, 0] if forest.numbers else model.classes_[means.argmax(axis=1)]
        assert np.array_equal(found, model.predict(x[300:]))
    with pytest.raises(AppError, match="RandomForestRegressor is not fitted: it has no trees"):
        trees.of_scikit_learn(ensemble.RandomForestRegressor())
    for other in (ensemble.AdaBoostClassifier, ensemble.GradientBoostingClassifier):
        with pytest.raises(AppError, match=f"{other.__name__} is no forest of scikit-learn"):
            trees.of_scikit_learn(other(n_estimators=2).fit(x, y > 0))


def test_arrays_of_a_forest_come_back_from_files(tmp_path: Path) -> None:
    forest = forest_of(2, 4)
    back = trees.of_arrays(load(tmp_path, save(tmp_path, forest.arrays())))
    assert np.array_equal(csr(back).words(), csr(forest).words())
    with pytest.raises(AppError, match="not a forest: there is no array 'columns'"):
        trees.of_arrays({})
