"""Small programs as people write them."""

from __future__ import annotations

import itertools
import zlib
from typing import Any

import numpy as np

from .case import TWO_D, Array, Case, Launch

NODE = np.dtype([("start", "i4"), ("count", "i4")], align=True)
BODY = np.dtype([("x", "f4"), ("y", "f4"), ("z", "f4"), ("mass", "f4")], align=True)
LONGEST = 12


def square(launch: Launch) -> list[Any]:
    n = min(launch.nx, launch.ny)
    return [launch.floats(-1, 1, n * n), launch.floats(-1, 1, n * n), launch.out(np.float32, n * n), n]


def product(launch: Launch, args: list[Any]) -> dict[int, Array]:
    n = args[3]
    a, b, c = args[0].reshape(n, n), args[1].reshape(n, n), np.zeros((n, n), np.float32)
    for k in range(n):
        c += a[:, k : k + 1] * b[k]
    return {2: c.ravel()}


def systems(launch: Launch) -> list[Any]:
    size = 5
    matrices = launch.floats(-1, 1, launch.n * size * (size + 1))
    matrices.reshape(launch.n, -1)[::7, :] = 0.0  # some have no solution
    return [matrices, launch.out(np.float32, launch.n * size), size, launch.n]


def plane(launch: Launch, dtype: Any = np.float32) -> Array:
    return launch.floats(0, 100, launch.nx * launch.ny, dtype)


def heat(launch: Launch) -> list[Any]:
    rates = [np.float32(0.3), np.float32(0.2), np.float32(0.1)]
    return [plane(launch), plane(launch), launch.out(np.float32, launch.nx * launch.ny), launch.nx, launch.ny, *rates]


def heat_in_tile(launch: Launch) -> list[Any]:
    turns = 2
    width, height = (2 * (side - 2 * turns) - 1 for side in launch.block)
    return [launch.floats(0, 9, width * height), launch.out(np.float32, width * height), width, height, turns]


def life(launch: Launch) -> list[Any]:
    cells = launch.ints(0, 2, launch.nx * launch.ny, np.uint8)
    return [cells, launch.out(np.uint8, launch.nx * launch.ny), launch.nx, launch.ny]


def next_generation(launch: Launch, args: list[Any]) -> dict[int, Array]:
    cells = args[0].reshape(launch.ny, launch.nx)
    around = [np.roll(cells, (dy, dx), (0, 1)) for dy in (-1, 0, 1) for dx in (-1, 0, 1) if dx or dy]
    alive = np.sum(around, axis=0)
    return {1: ((alive == 3) | ((alive == 2) & (cells == 1))).astype(np.uint8).ravel()}


def graph(launch: Launch) -> tuple[Array, Array]:
    """Return nodes and the targets of their edges."""
    nodes = np.zeros(launch.n, NODE)
    nodes["count"] = launch.ints(0, 6)
    nodes["start"] = np.cumsum(nodes["count"]) - nodes["count"]
    return nodes, launch.ints(0, launch.n, max(1, int(nodes["count"].sum())))


def bfs(launch: Launch) -> list[Any]:
    nodes, edges = graph(launch)
    frontier, visited = launch.ints(0, 3) == 0, launch.ints(0, 3) == 1
    return [nodes, edges, frontier, np.zeros(launch.n, bool), visited, launch.ints(), launch.n]


def bellman_ford(launch: Launch) -> list[Any]:
    nodes, edges = graph(launch)
    return [nodes, edges, launch.floats(0, 9, len(edges)), launch.floats(0, 50), launch.out(np.float32), launch.n]


def spmv(launch: Launch) -> list[Any]:
    nodes, edges = graph(launch)
    return [nodes, edges, launch.floats(-1, 1, len(edges)), launch.floats(-1, 1), launch.out(np.float32), launch.n]


def forest(launch: Launch) -> list[Any]:
    parents = np.arange(launch.n) - launch.rng.integers(0, 5, launch.n)
    return [np.maximum(parents, 0).astype(np.int32), launch.out(), launch.n]


def shortest_paths(launch: Launch, args: list[Any]) -> dict[int, Array]:
    n = args[1]
    distance = args[0].reshape(n, n).copy()
    for k in range(n):
        distance = np.minimum(distance, distance[:, k : k + 1] + distance[k])
    return {0: distance.ravel()}


def floyd(launch: Launch) -> list[Any]:
    distance = launch.ints(1, 99, 9 * 9)
    distance.reshape(9, 9)[np.arange(9), np.arange(9)] = 0  # then row and column k stay as they are in turn k
    return [distance, 9]


def edit_distance(launch: Launch) -> list[Any]:
    texts = launch.ints(ord("a"), ord("d"), launch.n * LONGEST, np.int8)
    pattern = np.frombuffer(b"abcabca", np.int8).copy()
    return [texts, launch.ints(0, LONGEST + 1), pattern, len(pattern), launch.out(), launch.n]


def knapsack(launch: Launch) -> list[Any]:
    return [launch.ints(1, 9, 6), launch.ints(1, 50, 6), launch.ints(0, 20), launch.out(), 6, launch.n]


def mandelbrot(launch: Launch) -> list[Any]:
    corner = [np.float32(-2.0), np.float32(-1.25), np.float32(2.5 / max(launch.nx, launch.ny))]
    return [launch.out(count=launch.nx * launch.ny), launch.nx, launch.ny, *corner, 40]


def black_scholes(launch: Launch) -> list[Any]:
    n = launch.n * 2
    prices = [launch.floats(5, 30, n), launch.floats(1, 100, n), launch.floats(0.25, 10, n)]
    return [*prices, launch.out(np.float32, n), launch.out(np.float32, n), np.float32(0.02), np.float32(0.3), n]


def bodies(launch: Launch) -> list[Any]:
    cloud = np.zeros(launch.n, BODY)
    for name in BODY.names or ():
        cloud[name] = launch.floats(0.1, 1)
    return [cloud, np.zeros(launch.n, BODY), launch.n]


def knn(launch: Launch) -> list[Any]:
    points, queries = launch.floats(0, 1, 30 * 3), launch.floats(0, 1, launch.n * 3)
    return [points, 30, queries, launch.out(count=launch.n * 4), launch.out(np.float32, launch.n * 4), launch.n]


def heap_sorts(launch: Launch) -> list[Any]:
    return [launch.ints(count=launch.n * 10), launch.ints(0, 11), 10, launch.n]


def heaps_sorted(launch: Launch, args: list[Any]) -> dict[int, Array]:
    data = args[0].reshape(-1, 10).copy()
    for row, count in zip(data, args[1], strict=True):
        row[:count] = np.sort(row[:count])
    return {0: data.ravel()}


def crcs(launch: Launch) -> list[Any]:
    offsets = np.cumsum([0, *launch.ints(0, 12)]).astype(np.int32)
    return [launch.ints(0, 256, int(offsets[-1]) + 1, np.uint8), offsets, launch.out(np.uint32), launch.n]


def crcs_by_zlib(launch: Launch, args: list[Any]) -> dict[int, Array]:
    data, offsets = args[0].tobytes(), args[1].tolist()
    sums = [zlib.crc32(data[start:end]) for start, end in itertools.pairwise(offsets)]
    return {2: np.array(sums, np.uint32)}


def substrings(launch: Launch) -> list[Any]:
    text, pattern = launch.ints(ord("a"), ord("d"), launch.n, np.int8), np.frombuffer(b"a?b", np.int8).copy()
    return [text, launch.n, pattern, 3, launch.out(np.bool_), launch.n]


def number_lists(launch: Launch) -> list[Any]:
    lines = [
        ", ".join(str(x) for x in launch.ints(-99, 1000, int(launch.rng.integers(1, 5)))) + ";" for _ in range(launch.n)
    ]
    starts = np.cumsum([0, *(len(line) for line in lines[:-1])]).astype(np.int32)
    return [np.frombuffer("".join(lines).encode() + b"\0", np.int8).copy(), starts, launch.out(), launch.n]


def run_lengths(launch: Launch) -> list[Any]:
    width = 11
    return [
        launch.ints(0, 2, launch.n * width, np.uint8), launch.out(np.uint8, launch.n * width * 2), launch.out(), width,
        launch.n,
    ]  # fmt: skip


CASES = [
    Case("apps/matrix.cu", "plain", square, blocks=TWO_D, expect=product),
    Case("apps/matrix.cu", "tiled", square, blocks=((8, 8),), grid=(2, 2), expect=product),
    Case(
        "apps/matrix.cu",
        "times_vector",
        lambda s: [
            s.floats(count=s.n * 9, dtype=np.float64),
            s.floats(count=9, dtype=np.float64),
            s.out(np.float64),
            s.n,
            9,
        ],
    ),
    Case("apps/matrix.cu", "gaussian", systems),
    Case("apps/stencils.cu", "heat", heat, blocks=TWO_D),
    Case("apps/stencils.cu", "heat_in_tile", heat_in_tile, blocks=((16, 16), (8, 8), (7, 7))),
    Case("apps/stencils.cu", "life", life, blocks=TWO_D, expect=next_generation),
    Case("apps/stencils.cu", "convolution", lambda s: [s.floats(-1, 1), s.out(np.float32), s.n]),
    Case("apps/graphs.cu", "bfs", bfs),
    Case("apps/graphs.cu", "bellman_ford", bellman_ford),
    Case("apps/graphs.cu", "spmv", spmv),
    Case("apps/graphs.cu", "roots", forest),
    Case("apps/graphs.cu", "floyd", floyd, grid=(1,), expect=shortest_paths),
    Case("apps/dynamic.cu", "pathfinder", lambda s: [s.ints(0, 10, s.n * 5), s.out(), s.n, 5]),
    Case("apps/dynamic.cu", "edit_distance", edit_distance),
    Case("apps/dynamic.cu", "knapsack", knapsack),
    Case("apps/numeric.cu", "mandelbrot", mandelbrot, blocks=TWO_D),
    # The sums cancel: what counts is a few ulps of the price.
    Case("apps/numeric.cu", "black_scholes", black_scholes, ulps={3: 4096, 4: 4096}),
    Case("apps/numeric.cu", "bodies", bodies, blocks=((1,), (15,), (33,), (64,))),
    Case(
        "apps/numeric.cu",
        "monte_carlo",
        lambda s: [s.any_ints(np.uint32), s.out(), 12, s.n],
    ),
    Case(
        "apps/numeric.cu",
        "kepler",
        lambda s: [
            s.floats(-3, 3, dtype=np.float64),
            s.floats(0, 0.9, dtype=np.float64),
            s.out(np.float64),
            s.out(),
            s.n,
        ],
        blocks=((1,), (15,), (17,), (33,)),
    ),
    Case("apps/neighbours.cu", "knn", knn),
    Case(
        "apps/neighbours.cu",
        "assign",
        lambda s: [s.floats(count=s.n * 3), s.floats(count=5 * 3), 5, s.out(), s.n],
    ),
    Case(
        "apps/sorts.cu",
        "bitonic",
        lambda s: [s.ints(count=s.threads)],
        blocks=((1,), (16,), (32,), (64,), (256,)),
        expect=lambda s, args: {0: np.sort(args[0].reshape(s.blocks, -1), axis=1).ravel()},
    ),
    Case("apps/sorts.cu", "heap_sort", heap_sorts, expect=heaps_sorted),
    Case("apps/sorts.cu", "binary_search", lambda s: [np.sort(s.ints(0, 60, 31)), 31, s.ints(0, 60), s.out(), s.n]),
    Case(
        "apps/sorts.cu",
        "counting_sort",
        lambda s: [s.ints(0, 16, 40, np.uint8), s.out(np.uint8, 40), 40],
        grid=(1,),
        expect=lambda s, args: {1: np.sort(args[0])},
    ),
    Case("apps/texts.cu", "crc32", crcs, expect=crcs_by_zlib),
    Case("apps/texts.cu", "find", substrings),
    Case("apps/texts.cu", "numbers", number_lists),
    Case("apps/texts.cu", "run_lengths", run_lengths),
]
