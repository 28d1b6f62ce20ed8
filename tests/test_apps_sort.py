"""apps/sort: every form sorts, whatever the keys, the depth and the launches that are left; what bad input says."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from apps.__main__ import main as apps_main
from apps.common import prepare
from apps.common.app import Case
from apps.harness import AppError
from apps.machine import CUDA
from apps.sort import run as sort_run

pytestmark = pytest.mark.unoptimised

HERE = Path(__file__).parent.parent / "apps" / "sort"
FORMS = ("simple", "advanced", "merge")
RANDOM = np.random.default_rng(3)
KEYS: dict[str, NDArray[Any]] = {
    "random": RANDOM.integers(0, 2**32, 9000, dtype=np.uint32),
    "signed": RANDOM.integers(-(2**31), 2**31, 5000).astype(np.int32),
    "equal": np.full(5000, 7, np.uint32),
    "largest": np.full(1500, 2**32 - 1, np.uint32),
    "two": RANDOM.integers(0, 2, 6000, dtype=np.uint32),
    "ascending": np.arange(7000, dtype=np.uint32),
    "descending": np.arange(7000, dtype=np.uint32)[::-1].copy(),
    "up and down": np.concatenate((np.arange(3000), np.arange(3000)[::-1])).astype(np.uint32),
}


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory, level: tuple[str, ...]) -> Path:
    path = tmp_path_factory.mktemp("sort") / "sort"
    command = [sys.executable, "-m", "simt2simd", "compile", str(HERE / "sort.cu"), *level, "-o", str(path)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    return path


def run(program: Path, *args: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run([str(program), *map(str, args), "--reps", "2"], capture_output=True, text=True, timeout=120)


def sorted_by(program: Path, folder: Path, keys: NDArray[Any], *args: object) -> tuple[NDArray[Any], str]:
    """Return the keys that a run wrote, and what it printed."""
    np.save(folder / "keys.npy", keys)
    done = run(program, "--input", folder / "keys.npy", "--out", folder / "sorted.npy", "--check", *args)
    assert done.returncode == 0, done.stdout + done.stderr
    assert f"check: PASS, {len(keys)} keys" in done.stdout
    found: NDArray[Any] = np.load(folder / "sorted.npy")
    return found, done.stdout


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", KEYS)
def test_keys_are_those_of_numpy(program: Path, tmp_path: Path, form: str, name: str) -> None:
    found, _ = sorted_by(program, tmp_path, KEYS[name], "--form", form)
    sort_run.check_keys(name, KEYS[name], found)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("count", [1, 2, 3, 32, 33, 1023, 1024, 1025, 2049, 4096])
def test_every_number_of_keys(program: Path, tmp_path: Path, form: str, count: int) -> None:
    keys = KEYS["random"][:count]
    found, _ = sorted_by(program, tmp_path, keys, "--form", form)
    assert (found == np.sort(keys)).all()


@pytest.mark.parametrize("form", ["simple", "advanced"])
@pytest.mark.parametrize("depth", [0, 1, 2, 22])
@pytest.mark.parametrize("name", ["random", "up and down", "equal"])
def test_where_the_depth_ends_keys_are_sorted_without_launches(
    program: Path, tmp_path: Path, form: str, depth: int, name: str
) -> None:
    found, said = sorted_by(program, tmp_path, KEYS[name], "--form", form, "--depth", depth)
    assert (found == np.sort(KEYS[name])).all()
    assert depth > 0 or "child launches" not in said


@pytest.mark.parametrize("form", ["simple", "advanced"])
@pytest.mark.parametrize("launches", [0, 1, 5, 8])
def test_who_is_refused_a_launch_sorts_alone(program: Path, tmp_path: Path, form: str, launches: int) -> None:
    found, said = sorted_by(program, tmp_path, KEYS["random"], "--form", form, "--launches", launches)
    assert (found == np.sort(KEYS["random"])).all()
    made, asked = map(int, re.findall(r"child launches: (\d+) for (\d+) items", said)[0])
    assert made == launches
    assert f"refused launches: {asked - made}; " in said


def test_many_levels_of_launches(program: Path) -> None:
    for form in FORMS:
        done = run(program, "--input", "random:150000", "--form", form, "--check")
        assert done.returncode == 0 and "check: PASS" in done.stdout


@pytest.mark.parametrize("host", ["std", "openmp"])
def test_hosts_sort(program: Path, tmp_path: Path, host: str) -> None:
    found, _ = sorted_by(program, tmp_path, KEYS["signed"], "--host", host)
    assert (found == np.sort(KEYS["signed"])).all()


# ------------------------------------------------------------------------------------------- bad input


@pytest.mark.parametrize(
    ("keys", "message"),
    [
        (np.zeros(3, np.int64), "numbers of type '<i8'; uint32 ('<u4') and int32 ('<i4') are supported"),
        (np.zeros((3, 2), np.int32), "rows of 2 numbers; one is expected, a key"),
        (np.zeros(0, np.int32), "sorting needs at least 1 key, found 0"),
    ],
)
def test_bad_keys_are_named(
    program: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], keys: NDArray[Any], message: str
) -> None:
    path = tmp_path / "k.npy"
    np.save(path, keys)
    done = run(program, "--input", path)
    assert (done.returncode, done.stdout, done.stderr) == (1, "", f"sort: error: {path}: {message}\n")
    assert apps_main(["sort", "--input", str(path)]) == 1
    assert capsys.readouterr().err.startswith(f"apps sort: error: {path}: ")


def test_a_file_that_ends_early_is_named(program: Path, tmp_path: Path) -> None:
    path = tmp_path / "k.npy"
    np.save(path, np.zeros(100, np.int32))
    path.write_bytes(path.read_bytes()[:-4])
    done = run(program, "--input", path)
    assert (done.returncode, done.stderr) == (1, f"sort: error: {path}: the file ends before key 99\n")


@pytest.mark.parametrize(
    ("args", "message"),
    [
        (("--form", "gang"), "--form: expected simple, advanced or merge, found 'gang'"),
        (("--host", "gang"), "--host: expected std or openmp, found 'gang'"),
        (("--depth", "23"), "--depth: expected a whole number from 0 to 22, found '23'"),
        (("--input", "random:x"), "random:x: expected random:N, for example random:1000000"),
    ],
)
def test_wrong_usage_is_explained(program: Path, args: tuple[str, ...], message: str) -> None:
    done = run(program, *args)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith(f"sort: error: {message}\nusage: ")


# ------------------------------------------------------------------------------------------- the application


def test_wrong_keys_are_found() -> None:
    given = np.array([3, 1, 2], np.uint32)
    sort_run.check_keys("three", given, np.array([1, 2, 3], np.uint32))
    with pytest.raises(AppError, match="three: 2 keys are wrong; first: key 1 is 3, not 2"):
        sort_run.check_keys("three", given, np.array([1, 3, 2], np.uint32))
    with pytest.raises(AppError, match=r"three: int32 of shape \(3,\), expected uint32 of \(3,\)"):
        sort_run.check_keys("three", given, np.array([1, 2, 3], np.int32))


def test_gpu_runs_every_form_by_one_program() -> None:
    wanted = prepare.Builder("avx512", False, "sm_90").wanted(
        sort_run.APP, Case("i", "i", {}, ()), sort_run.APP.variants
    )
    found = {each.variant.name: each for each in wanted if each.target == CUDA}
    assert list(found) == list(FORMS)
    assert all(each.recipe and "-rdc=true" in each.recipe.flags for each in found.values())


@pytest.mark.slow("sort by nvcc")
@pytest.mark.skipif(shutil.which("nvcc") is None, reason="nvcc is not installed")
def test_nvcc_compiles_it(tmp_path: Path) -> None:
    flags = ("-std=c++17", "-arch=sm_90", "-rdc=true", "-lcudadevrt", "-o", str(tmp_path / "sort"))
    done = subprocess.run(["nvcc", str(HERE / "sort.cu"), *flags], capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.mark.slow("sort as an application")
def test_application_measures_and_checks(capsys: pytest.CaptureFixture[str]) -> None:
    assert apps_main(["sort", "--quick", "--input", "random:3000", "--depth", "2", "16"]) == 0, capsys.readouterr().err
    rows = [row.split() for row in capsys.readouterr().out.splitlines() if row.startswith("random:")]
    names = [variant.name for variant in sort_run.APP.variants]
    assert [(row[2], row[3]) for row in rows] == [(depth, name) for depth in ("2", "16") for name in names]
    assert all(row[-1] == "yes" for row in rows)
