"""Device functions, recursion, structs."""

from __future__ import annotations

from typing import Any

import numpy as np

from .case import Array, Case, Launch, in_out

POINT = np.dtype([("x", "f4"), ("y", "f4")], align=True)
BOX = np.dtype([("low", POINT), ("high", POINT), ("tag", "i4", (3,)), ("kind", "i1")], align=True)
TREE_NODE = np.dtype([("key", "i4"), ("left", "i4"), ("right", "i4")], align=True)
TREE = np.dtype([("key", "i4"), ("child", "u8", (2,))], align=True)
DIMS = 3
KD_NODE = np.dtype([("point", "f4", (DIMS,)), ("axis", "i4"), ("left", "i4"), ("right", "i4")], align=True)


FILTER = np.dtype(
    [("weight", "f4", (9,)), ("on", "?", (4,)), ("table", "i2", (2, 5)), ("range", [("low", "i4"), ("high", "i8")])],
    align=True,
)
LARGE = np.dtype([("data", "u1", (32000,)), ("n", "i4")], align=True)


def filters(launch: Launch) -> list[Any]:
    one = np.zeros((), FILTER)
    one["weight"], one["on"] = launch.ints(-4, 4, 9), launch.ints(0, 2, 4)
    one["table"], one["range"]["low"], one["range"]["high"] = launch.ints(-99, 99, 10).reshape(2, 5), 13, 7
    return [launch.ints(), launch.out(), one.tobytes(), launch.n]


def two_filters(launch: Launch) -> list[Any]:
    ints, out, one, n = filters(launch)
    return [ints, out, one, filters(launch)[2], n]


def large(launch: Launch) -> list[Any]:
    one = np.zeros((), LARGE)
    one["data"], one["n"] = launch.ints(0, 256, 32000), 1234
    return [launch.ints(), launch.out(), one.tobytes(), launch.n]


def points(launch: Launch) -> Array:
    array = np.zeros(launch.n, POINT)
    array["x"], array["y"] = launch.floats(-5, 5), launch.floats(-5, 5)
    return array


def boxes(launch: Launch) -> list[Any]:
    first = np.zeros((), BOX)
    first["low"], first["tag"] = (1.0, -1.0), (7, 8, 9)
    return [points(launch), np.zeros(launch.n, BOX), launch.out(np.float32), first.tobytes(), launch.n]


def search_tree(keys: list[int], nodes: Array) -> int:
    """Fill `nodes` with a balanced search tree over sorted keys, in preorder; return the root's index."""
    used = 0

    def build(low: int, high: int) -> int:
        nonlocal used
        if low >= high:
            return -1
        at, middle = used, (low + high) // 2
        used += 1
        nodes[at] = (keys[middle], 0, 0)
        nodes["left"][at] = build(low, middle)
        nodes["right"][at] = build(middle + 1, high)
        return at

    return build(0, len(keys))


def ranges(launch: Launch) -> list[Any]:
    nodes = np.zeros(40, TREE_NODE)
    root = search_tree(list(range(0, 120, 3)), nodes)
    return [nodes, root, launch.ints(0, 125), launch.out(), launch.n]


def walks(launch: Launch) -> list[Any]:
    nodes = np.zeros(40, TREE_NODE)
    search_tree(launch.rng.permutation(40).tolist(), nodes)
    return [launch.ints(0, 60, launch.n + 50), nodes, launch.out(), launch.n]


def pointers(launch: Launch) -> list[Any]:
    flat = np.zeros(25, TREE_NODE)
    search_tree(list(range(0, 100, 4)), flat)
    tree = launch.holds_addresses(np.zeros(25, TREE))
    tree["key"] = flat["key"]
    for side, name in enumerate(("left", "right")):
        addresses = tree.ctypes.data + flat[name].astype(np.int64) * TREE.itemsize
        tree["child"][:, side] = np.where(flat[name] < 0, 0, addresses)
    return [tree, launch.ints(), launch.out(), launch.n]


def kd_tree(launch: Launch) -> list[Any]:
    cloud = launch.floats(0, 1, 60 * DIMS).reshape(60, DIMS)
    nodes, used = np.zeros(60, KD_NODE), 0

    def build(indices: Array, depth: int) -> int:
        nonlocal used
        if not len(indices):
            return -1
        at, axis = used, depth % DIMS
        used += 1
        indices = indices[np.argsort(cloud[indices, axis], kind="stable")]
        middle = len(indices) // 2
        nodes[at] = (cloud[indices[middle]], axis, 0, 0)
        nodes["left"][at] = build(indices[:middle], depth + 1)
        nodes["right"][at] = build(indices[middle + 1 :], depth + 1)
        return at

    root = build(np.arange(60), 0)
    queries = launch.floats(-0.2, 1.2, launch.n * DIMS)
    return [nodes, root, queries, launch.out(), launch.out(np.float32), launch.out(), launch.n]


def nearest(launch: Launch, args: list[Any]) -> dict[int, Array]:
    nodes, queries = args[0], args[2].reshape(-1, DIMS)
    gaps = nodes["point"][None] - queries[:, None]
    squares = gaps * gaps
    distances = (squares[..., 0] + squares[..., 1]) + squares[..., 2]
    return {3: distances.argmin(1).astype(np.int32), 4: distances.min(1)}


def texts(launch: Launch) -> list[Any]:
    """Random sums and products of digits, with parentheses."""

    def expression(depth: int) -> str:
        kind = int(launch.rng.integers(0, 3)) if depth < 3 else 0
        if kind == 0:
            return str(launch.rng.integers(0, 10))
        a, b = expression(depth + 1), expression(depth + 1)
        return f"({a}+{b})" if kind == 1 else f"{a}*{b}"

    every = [f"{expression(0)}+{expression(1)}" for _ in range(launch.n)]
    data = np.frombuffer("".join(text + "\0" for text in every).encode(), np.int8).copy()
    starts = np.cumsum([0] + [len(text) + 1 for text in every[:-1]]).astype(np.int32)
    return [data, starts, launch.out(), launch.n]


def parsed(launch: Launch, args: list[Any]) -> dict[int, Array]:
    every = [text.decode() for text in args[0].tobytes().split(b"\0")[:-1]]
    return {2: np.array([eval(text) * 100 + len(text) for text in every], np.int32)}


CASES = [
    Case("functions/many_returns.cu", "returns", in_out),
    Case("functions/address_arguments.cu", "addresses", in_out),
    Case("functions/address_arguments.cu", "aliased", in_out),
    *[
        Case("functions/places.cu", kernel, in_out)
        for kernel in ("values", "stacks", "conditions", "functors", "orders")
    ],
    *[Case("functions/captures.cu", kernel, in_out) for kernel in ("closures", "choices", "steps")],
    Case("functions/structs.cu", "boxes", boxes),
    Case("functions/structs.cu", "chain", in_out),
    *[Case("functions/launched.cu", kernel, filters) for kernel in ("only_read", "written", "between_barriers")],
    Case("functions/launched.cu", "addressed", two_filters),
    *[Case("functions/launched.cu", kernel, large) for kernel in ("large", "large_written")],
    Case("functions/qualifiers.cu", "qualified", in_out),
    Case("functions/parameters.cu", "parameters", in_out),
    Case("functions/local_array_arguments.cu", "sorted", in_out),
    Case("functions/divergent_calls.cu", "calls", in_out),
    Case("recursion/classic.cu", "numbers", in_out),
    Case("recursion/classic.cu", "powers", lambda s: [s.ints(), s.out(np.float64), s.n]),
    Case("recursion/mutual.cu", "mutual", in_out),
    Case("recursion/mutual.cu", "parser", texts, expect=parsed),
    Case("recursion/uniform_arguments.cu", "uniform", lambda s: [s.ints(), s.out(), s.n, 6]),
    Case("recursion/alone.cu", "walks", lambda s: [s.ints(0, 100, s.n + 200), s.out(np.float32), s.n]),
    Case("recursion/alone.cu", "descents", lambda s: [s.ints(0, 100, s.n + 200), s.out(), s.n]),
    Case("recursion/state.cu", "towers", in_out),
    Case("recursion/state.cu", "boards", in_out),
    Case("recursion/state.cu", "subsets", lambda s: [s.ints(1, 12), s.out(), s.n]),
    Case("recursion/trees.cu", "ranges", ranges),
    Case("recursion/trees.cu", "pointers", pointers),
    Case("recursion/nearest.cu", "search", kd_tree, expect=nearest),
    Case("recursion/stacks.cu", "nearest_by_stack", kd_tree, expect=nearest),
    Case("recursion/stacks.cu", "nearest_by_current_node", kd_tree, expect=nearest),
    Case("recursion/sorting.cu", "sorts", in_out),
    Case("recursion/walks.cu", "collected", walks),
    Case("recursion/walks.cu", "guided_ways", walks),
    Case("recursion/walks.cu", "wandered", walks),
    Case("recursion/walks.cu", "descended", walks),
    Case("recursion/walks.cu", "paired", walks),
    Case("recursion/walks.cu", "used_up", walks),
    Case("recursion/in_loops.cu", "searches", in_out),
]
