"""apps/bh6: forces are those of all pairs, trees hold every body once, and what bad input and wrong usage say."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from apps.__main__ import main as apps_main
from apps.bh.run import SOFTENING, all_pairs, bodies
from apps.bh6 import run as bh6_run
from apps.common import plots, tables
from apps.harness import AppError, Record, cxx_compiler
from apps.harness import run as run_command
from apps.machine import describe

pytestmark = pytest.mark.unoptimised

HERE = Path(__file__).parent.parent / "apps" / "bh6"
WAYS = ["kernels", "all-pairs", "walks", "serial"]
TREES = ["kernels", "serial"]
ROUNDING = 2e-5  # of float, on average over some thousand bodies

Rows = NDArray[np.float32]


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory, level: tuple[str, ...]) -> Path:
    path = tmp_path_factory.mktemp("bh6") / "bh6"
    command = [sys.executable, "-m", "simt2simd", "compile", str(HERE / "bh6.cu"), *level, "-o", str(path)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    return path


def run(program: Path, *args: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run([str(program), *map(str, args), "--reps", "1"], capture_output=True, text=True, timeout=120)


def moved(program: Path, folder: Path, rows: Rows, *args: str) -> NDArray[Any]:
    """Return what the bodies have become."""
    np.save(folder / "bodies.npy", rows)
    done = run(program, "--input", folder / "bodies.npy", "--out", folder / "moved.npy", "--check", *args)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "check: PASS" in done.stdout
    found: NDArray[Any] = np.load(folder / "moved.npy")
    return found


def cluster(count: int) -> Rows:
    return bodies(f"plummer:{count}")


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("count", [33, 1003])
def test_without_far_cells_forces_are_those_of_all_pairs(program: Path, tmp_path: Path, way: str, count: int) -> None:
    found = moved(program, tmp_path, cluster(count), "--theta", "0", "--by", way)
    bh6_run.check_forces("test", found, most=ROUNDING)


@pytest.mark.parametrize("way", ["kernels", "walks", "serial"])
def test_far_cells_pull_as_a_whole(program: Path, tmp_path: Path, way: str) -> None:
    found = moved(program, tmp_path, cluster(4000), "--by", way)
    bh6_run.check_forces("test", found)
    with pytest.raises(AppError, match="test: the acceleration of 4000 bodies is off by "):
        bh6_run.check_forces("test", found, most=ROUNDING)


def test_warps_are_more_precise_than_serial_walks(program: Path, tmp_path: Path) -> None:
    """A cell that is too near for one lane is opened for all."""
    errors = []
    for way in TREES:
        found = moved(program, tmp_path, cluster(4000), "--by", way)
        right, _ = all_pairs(found["from"], found["mass"], np.arange(4000), SOFTENING)
        errors.append(((found["acceleration"] - right) ** 2).sum())
    assert errors[0] < errors[1]


@pytest.mark.parametrize("way", WAYS)
def test_steps_are_half_a_kick_a_drift_and_half_a_kick(program: Path, tmp_path: Path, way: str) -> None:
    rows = cluster(200)
    found = moved(program, tmp_path, rows, "--theta", "0", "--steps", "4", "--dt", "0.05", "--by", way)
    place, velocity, mass = rows[:, :3].astype(np.float64), rows[:, 3:6].astype(np.float64), rows[:, 6]
    everyone = np.arange(len(rows))
    pull, _ = all_pairs(place.astype(np.float32), mass, everyone, SOFTENING)
    for step in range(4):
        before = place.copy()
        velocity += 0.025 * pull
        place += 0.05 * velocity
        if step < 3:  # the last half of a kick is that of the last forces found
            pull, _ = all_pairs(place.astype(np.float32), mass, everyone, SOFTENING)
        velocity += 0.025 * pull
    assert abs(found["from"] - before).max() < 1e-4
    assert abs(found["place"] - place).max() < 1e-4
    assert abs(found["velocity"] - velocity).max() < 1e-4
    bh6_run.check_step("test", found, dt=0.05)


def test_a_place_to_which_no_step_leads_is_found(program: Path, tmp_path: Path) -> None:
    found = moved(program, tmp_path, cluster(50))
    bh6_run.check_step("test", found)
    found["place"][7, 1] += 1e-3
    with pytest.raises(AppError, match="test: row 7: the last step does not lead to "):
        bh6_run.check_step("test", found)


def test_a_wrong_force_is_found(program: Path, tmp_path: Path) -> None:
    found = moved(program, tmp_path, cluster(50))
    bh6_run.check_forces("test", found)
    found["acceleration"][3] *= -1
    with pytest.raises(AppError, match="test: the acceleration of 50 bodies is off by "):
        bh6_run.check_forces("test", found)


# --------------------------------------------------------------------------------------------------- trees


@pytest.mark.parametrize("way", TREES)
@pytest.mark.parametrize("hthreads", [1, 5])
def test_trees_hold_every_body_once(program: Path, way: str, hthreads: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("S2S_THREADS", str(hthreads))
    for count in (1, 31, 32, 257, 10000):
        done = run(program, "--input", f"plummer:{count}", "--steps", "2", "--check", "--by", way)
        assert done.returncode == 0, done.stdout + done.stderr
        assert done.stdout.endswith(" answers compared with all pairs, all cells of the tree with their bodies\n")


def test_both_trees_have_the_same_cells(program: Path) -> None:
    lines = {run(program, "--input", "plummer:10000", "--by", way).stdout.splitlines()[0] for way in TREES}
    assert len(lines) == 1
    assert lines.pop().startswith("tree: 10000 bodies, ")


@pytest.mark.parametrize("hthreads", [1, 3])
def test_work_is_counted(program: Path, hthreads: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where no cell is far, each of the 32 warps looks at all nodes but the root, and all bodies pull."""
    monkeypatch.setenv("S2S_THREADS", str(hthreads))
    said = run(program, "--input", "plummer:1003", "--theta", "0", "--count").stdout
    cells, levels, visits, pulls = map(int, re.findall(r"^count \w+: (\d+)$", said, re.MULTILINE))
    assert f"tree: 1003 bodies, {cells} cells, " in said
    assert (visits, pulls) == (32 * (1003 + cells - 1), 32 * 1003)
    assert 1003 < levels < 1003 * 12


def test_levels_are_those_of_all_bodies(program: Path, tmp_path: Path) -> None:
    """Two pairs lie in opposite corners, each in one cell below the root."""
    rows = np.array([(0, 0, 0), (0.3, 0, 0), (1, 1, 1), (1, 0.7, 1)], np.float32)
    np.save(tmp_path / "bodies.npy", rows)
    said = run(program, "--input", tmp_path / "bodies.npy", "--count").stdout
    assert "count cells: 3\ncount levels: 8\n" in said


def test_only_kernels_count(program: Path) -> None:
    done = run(program, "--count", "--by", "serial")
    assert done.returncode == 2
    assert "--count counts what the six kernels do: --by serial does not go with it" in done.stderr


def test_more_bodies_than_children_can_be_numbered_are_refused(tmp_path: Path) -> None:
    (tmp_path / "many.cpp").write_text(MANY)
    run_command((cxx_compiler(), "-std=c++17", "-I", HERE, tmp_path / "many.cpp", "-o", tmp_path / "many"))
    assert run_command((tmp_path / "many",)) == "50000000\n134000000\n"


MANY = r"""
#include <cstdio>
#include "result.h"
int main()
{
	for (int bodies : {50000000, 134000000, 134217728, 150000000})
		try {
			check_numbers(bodies);
			std::printf("%d\n", bodies);
		} catch (const InputError &) {
		}
}
"""


def test_clusters_are_the_same_whoever_draws_them(program: Path, tmp_path: Path) -> None:
    command = (program, "--input", "plummer:140000", "--by", "walks", "--reps", "1", "--out", tmp_path / "x.npy")
    drawn = []
    for cpus in (sorted(os.sched_getaffinity(0)), sorted(os.sched_getaffinity(0))[:1]):
        run_command(command, cpus=cpus)
        drawn.append(np.load(tmp_path / "x.npy")["from"])
    assert (drawn[0] == drawn[1]).all()
    assert len(np.unique(drawn[0], axis=0)) == 140000


SPOILED = r"""
#include <cstdlib>
#include "serial.h"
#include "checks.h"
int main(int argc, char **argv)
{
	const Bodies bodies = plummer(500, 1);
	const Physics physics = {1, 0.025f, 0.5f, 0.05f};
	Serial serial(bodies, physics);
	Times times;
	Result result;
	serial.find_forces(0, times);
	serial.copy_tree(result);
	Tree &tree = result.tree;
	int last = 0;
	while (tree.child[last + 1] != NOTHING)
		last++;
	switch (std::atoi(argv[1])) {
	case 1: std::swap(tree.sorted[3], tree.sorted[4]); break;
	case 2: tree.child[last] = NOTHING; break;
	case 3: tree.count[5]++; break;
	case 4: tree.nodes[tree.first_cell + 7].w *= 1.0001f; break;
	case 5: tree.nodes[tree.first_cell + 7].y += 0.01f; break;
	case 6: tree.edge *= 0.5; break;
	case 7: tree.cells++; break;
	case 8: tree.child[last] = 500 + tree.cells; break;
	case 9: tree.child[last] = -2; break;
	case 10: tree.sorted[3] = tree.sorted[4]; break;
	}
	try {
		TreeCheck(tree, bodies.place, argc > 2 ? std::atoi(argv[2]) : 4000000).run();
		std::puts("right");
	} catch (const WrongAnswer &fault) {
		std::puts(fault.what());
	}
}
"""


def test_trees_that_are_wrong_are_found(tmp_path: Path) -> None:
    (tmp_path / "spoiled.cpp").write_text(SPOILED)
    command = (cxx_compiler(), "-std=c++17", "-I", HERE, tmp_path / "spoiled.cpp", "-o", tmp_path / "spoiled")
    run_command(command)
    said = [run_command((tmp_path / "spoiled", str(kind))) for kind in range(10)]
    assert said[0] == "right\n"
    for text, wrong in zip(
        said[1:],
        [
            "where the order has another one",
            "cell 1 has 0 bodies, not ",
            "cell 5 has ",
            "cell 7 has the mass ",
            "cell 7 has its center of gravity at ",
            " apart, and an edge of ",
            "cells are in the tree",
            "has the depth",
            " is -2",
        ],
        strict=True,
    ):
        assert wrong in text
    sampled = [run_command((tmp_path / "spoiled", str(kind), "250")) for kind in range(11)]
    assert [kind for kind, text in enumerate(sampled) if text == "right\n"] == [0, 7], "cells are not counted"
    assert sampled[10] == "body 270 is in place 4 of the tree's order, and elsewhere or nowhere\n"


# --------------------------------------------------------------------------------------------------- input


def _places(kind: str) -> Rows:
    rng = np.random.default_rng(1)
    if kind == "one body":
        return np.array([[1, 2, 3]], np.float32)
    if kind == "two bodies":
        return np.array([[1, 2, 3], [1, 2, 4]], np.float32)
    if kind == "close pairs":
        places = rng.random((300, 3))
        return np.concatenate((places, places + 1e-6)).astype(np.float32)
    if kind == "in a plane":
        return (rng.random((300, 3)) * [1, 1, 0]).astype(np.float32)
    assert kind == "far from everything"
    return np.concatenate((rng.random((30, 3)), [[1e4, -1e4, 1e4]])).astype(np.float32)


@pytest.mark.parametrize("way", TREES)
@pytest.mark.parametrize("kind", ["one body", "two bodies", "close pairs", "in a plane", "far from everything"])
def test_odd_places_are_answered(program: Path, tmp_path: Path, kind: str, way: str) -> None:
    bh6_run.check_forces("test", moved(program, tmp_path, _places(kind), "--by", way))


@pytest.mark.parametrize("way", TREES)
def test_bodies_at_one_place_are_refused_with_their_rows(program: Path, tmp_path: Path, way: str) -> None:
    rows = cluster(500)
    rows[[41, 407]] = rows[7]
    np.save(tmp_path / "b.npy", rows[: 408 if way == "kernels" else 42])
    done = run(program, "--input", tmp_path / "b.npy", "--by", way)
    assert (done.returncode, done.stdout) == (1, "")
    named = {"rows 7 and 41", "rows 7 and 407", "rows 41 and 407"}
    assert done.stderr in {
        f"bh6: error: {rows}: bodies too near each other for a tree of 32 levels\n" for rows in named
    }


@pytest.mark.parametrize("way", TREES)
def test_too_many_close_pairs_are_refused(program: Path, tmp_path: Path, way: str) -> None:
    places = np.random.default_rng(1).random((20000, 3))
    np.save(tmp_path / "b.npy", np.concatenate((places, places * (1 + 1e-6))).astype(np.float32))
    done = run(program, "--input", tmp_path / "b.npy", "--by", way)
    assert (done.returncode, done.stdout) == (1, "")
    said = "a tree of 40000 bodies has at most 65536 cells; here are too many close pairs"
    assert done.stderr == f"bh6: error: {said}\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "there are no rows of numbers"),
        ("1,2\n", "rows of 2 numbers; bodies have 3 (x y z), 6 (and their velocity) or 7 (and their mass)"),
        ("1,2,3\n3,nan,1\n", "row 1, column 1: nan is not a finite number"),
        ("1,2,3,0,0,0,1\n1,2,3,0,0,0,-1\n", "row 1: a mass of -1; it must be positive"),
    ],
)
def test_bad_file_is_refused_with_the_row(program: Path, tmp_path: Path, text: str, message: str) -> None:
    path = tmp_path / "b.csv"
    path.write_text(text)
    done = run(program, "--input", path)
    assert (done.returncode, done.stdout, done.stderr) == (1, "", f"bh6: error: {path}: {message}\n")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--theta", "0.6"), "--theta: expected a number from 0 to 0.57, found '0.6'"),
        (("--by", "magic"), "--by: expected kernels, all-pairs, walks or serial, found 'magic'"),
        (("--steps", "0"), "--steps: expected a whole number from 1 to 1000000, found '0'"),
        (("--input", "cluster"), "cluster: expected plummer:N, random:NxD, FILE.npy or FILE.csv"),
        (("--order", "sorted"), "unknown argument '--order'"),
    ],
)
def test_wrong_usage_is_explained(program: Path, arguments: tuple[str, str], message: str) -> None:
    done = run(program, *arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"bh6: error: {message}\nusage: ")


def test_no_bodies_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert apps_main(["bh6", "--input", "plummer:0"]) == 1
    assert "plummer:0: gravity needs at least 1 body, found 0" in capsys.readouterr().err


# --------------------------------------------------------------------------------------------------- records


def _record(variant: str, cores: int, size: int, ms: float) -> Record:
    target = {"serial": "c++", "auto": "avx512"}[variant]
    parts = {"box": 0.25 * ms, "forces": 0.75 * ms}
    return Record(
        "bh6", f"plummer:{size}", None, variant, target, cores, ms, True, parameters={"bodies": size}, parts=parts
    )


def test_parts_have_a_table() -> None:
    table = tables.parts([_record("auto", 1, 5000, 4.0), _record("auto", 2, 5000, 2.0)], "bh6")
    assert table.header == ("input", "order", "variant", "box", "forces")
    assert table.rows == (
        ("plummer:5000", "", "auto", "1.00", "3.00"),
        ("plummer:5000", "", "auto, 2 cores", "0.5", "1.50"),
    )


def test_wrong_answers_have_no_parts() -> None:
    assert tables.parts([replace(_record("auto", 1, 5000, 4.0), checked=False)], "bh6").rows == ()


def test_times_over_sizes_have_a_figure(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    records = [_record(variant, 1, size, size * 1e-3) for variant in ("auto", "serial") for size in (5000, 50000)]
    files = plots.plot(describe({}, {}, ""), records, tmp_path)
    assert tmp_path / "bh6-bodies.svg" in files
    assert tmp_path / "bh6-bodies.svg" not in plots.plot(describe({}, {}, ""), records[:1], tmp_path)


@pytest.mark.slow
def test_application_measures_and_checks(capsys: pytest.CaptureFixture[str]) -> None:
    names = ("auto", "all-pairs", "walks", "serial")
    command = ["bh6", "--quick", "--input", "plummer:2000", "--steps", "2", "--variant", *names]
    assert apps_main(command) == 0, capsys.readouterr().err
    printed = capsys.readouterr().out
    rows = [row.split() for row in printed.splitlines() if row.startswith("plummer:")]
    assert [row[:2] for row in rows[:4]] == [["plummer:2000", name] for name in names]
    assert all(row[-1] == "yes" for row in rows[:4])
    assert "Milliseconds of each part" in printed


def test_masses_that_are_not_positive_are_refused_with_their_row(tmp_path: Path) -> None:
    rows = np.ones((5, 7))
    rows[3, 6] = 0
    np.save(tmp_path / "bodies.npy", rows)
    with pytest.raises(AppError, match=r"bodies\.npy: row 3: a mass of 0; it must be positive"):
        bodies(str(tmp_path / "bodies.npy"))
