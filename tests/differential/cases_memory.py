"""Local arrays, pointers, narrow types, structs in memory, barriers and shared memory."""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any

import numpy as np

from .case import ONE_D, THREE_D, TWO_D, Array, Case, Launch, given, in_out, with_number

INNER = np.dtype([("low", "u1"), ("value", "i8")], align=True)
RECORD = np.dtype(
    [("tag", "i1"), ("weight", "f8"), ("pair", "i2", (2,)), ("inner", INNER), ("m", "f4", (2, 3))], align=True
)
PIXEL = np.dtype([("r", "u1"), ("g", "u1"), ("b", "u1"), ("a", "u1")])
MIXED = np.dtype([("tag", "i2"), ("low", "u1"), ("high", "u1"), ("weight", "f4")])
PARTS = np.dtype(
    [*((name, "f4") for name in ("x", "y", "z", "range")), ("tag", "i4"), ("low", "i2"), ("high", "i2"),
     ("bytes", "u1", (4,))]
)  # fmt: skip
LIGHT = np.dtype([(name, "f4") for name in ("x", "y", "z", "range", "red", "green", "blue")])
EITHER = np.dtype([("bits", "f4"), ("tag", "i4")])
NODE = np.dtype([(name, "i4") for name in ("left", "right", "value", "weight")])
PAIR = np.dtype([("x", "f4"), ("y", "f4")])
TRIPLE = np.dtype([("x", "i4"), ("y", "i4"), ("z", "i4")])
QUAD = np.dtype([("x", "f4"), ("y", "f4"), ("z", "f4"), ("w", "f4")])
COMPLEX = np.dtype([("re", "f8"), ("im", "f8")])
JOB = np.dtype([("data", "u8"), ("count", "i4"), ("result", "u8")], align=True)

LONG_BLOCKS = (*ONE_D, (40,), (72,), (1000,))
SHARED_BLOCKS = (*ONE_D, (40,), (72,))

NARROW = (*TWO_D, *THREE_D, (4, 4), (8, 8, 2), (24, 2), (12, 12))


# They hold no addresses.
VARIABLES = ("total", "scale", "odd", "small", "managed", "pair", "counts", "flag", "later")


def words(count: int) -> Callable[[Launch], int]:
    """Return how many bytes `count` words a thread of the block are."""
    return lambda launch: 4 * count * prod(launch.block)


def _sizes(launch: Launch) -> list[int]:
    return [launch.nx, launch.ny, launch.nz]


def _volume(launch: Launch) -> list[Any]:
    count = prod(_sizes(launch))
    return [launch.ints(count=count), launch.out(count=count), *_sizes(launch)]


def _bytes_and_doubles(launch: Launch) -> list[Any]:
    count = prod(_sizes(launch))
    small = [launch.ints(0, 256, count, np.uint8), launch.out(np.uint8, count)]
    return [*small, launch.floats(count=count, dtype=np.float64), launch.out(np.float64, count), *_sizes(launch)]


def records(launch: Launch) -> Array:
    array = np.zeros(launch.n, RECORD)
    array["tag"], array["weight"] = launch.ints(-50, 50), launch.floats(-1, 1)
    array["pair"] = launch.ints(-999, 999, launch.n * 2).reshape(-1, 2)
    array["inner"]["low"], array["inner"]["value"] = launch.ints(0, 256), launch.any_ints(np.int64)
    array["m"] = launch.floats(-1, 1, launch.n * 6).reshape(-1, 2, 3)
    return array


def pixels(launch: Launch) -> Array:
    array = np.zeros(launch.n, PIXEL)
    for name in "rgba":
        array[name] = launch.ints(0, 256)
    return array


def mixed(launch: Launch) -> Array:
    array = np.zeros(launch.n, MIXED)
    array["tag"], array["weight"] = launch.ints(-999, 999), launch.floats(-9, 9)
    array["low"], array["high"] = launch.ints(0, 256), launch.ints(0, 256)
    return array


def permutation(launch: Launch) -> Array:
    return launch.rng.permutation(launch.n).astype(np.int32)


def reversed_(launch: Launch) -> list[Any]:
    n = launch.n
    shorts = launch.ints(-99, 99, 2 * n, np.int16)
    doubles = launch.ints(-99, 99, 2 * n).astype(np.float64)
    return [launch.ints(count=3 * n), launch.out(), launch.out(count=2 * n), shorts, doubles, n]


def steps(launch: Launch) -> list[Any]:
    n = launch.n
    shorts = launch.ints(-99, 99, 4 * n, np.int16)
    doubles = launch.ints(-99, 99, 4 * n).astype(np.float64)
    return [launch.ints(count=8 * n), launch.out(count=2 * n), launch.ints(0, 256, 8 * n, np.uint8), shorts, doubles, n]


def narrow_stores(launch: Launch) -> list[Any]:
    n = launch.n
    return [launch.ints(), launch.out(np.uint8, 3 * n), launch.out(np.int16, 3 * n), launch.out(np.float64, 3 * n), n]


def bumped(launch: Launch) -> list[Any]:
    n, width = launch.n, 5
    return [launch.ints(count=n + width * width + 9), launch.out(), launch.ints(1, n + 1), n, width]


def widened(launch: Launch) -> list[Any]:
    n = launch.n
    data, bytes_ = launch.ints(count=3 * n + 9), launch.ints(0, 256, 3 * n + 9, np.uint8)
    return [data, launch.ints(0, n), launch.any_ints(np.uint32), bytes_, launch.out(), n]


def rows(launch: Launch) -> list[Any]:
    lengths = launch.ints(0, 6)
    parts = [launch.reach(launch.ints(count=int(length) or 1)) for length in lengths]
    table = launch.holds_addresses(np.array([part.ctypes.data for part in parts], np.uint64))
    return [table, lengths, launch.out(), launch.n]


def other_types(launch: Launch, shift: int) -> list[Any]:
    n = launch.n
    pairs, triples = np.zeros(n, PAIR), np.zeros(n, TRIPLE)
    for name in "xy":
        pairs[name] = launch.ints(-99, 99)
    for name in "xyz":
        triples[name] = launch.ints(-99, 99)
    weights, bytes_ = launch.ints(-99, 99, n + 1).astype(np.float64), launch.ints(0, 256, n, np.uint8)
    written = [launch.out(np.float64), launch.out(np.int64, 2 * n), launch.out(np.uint8, 2 * n)]
    return [weights, bytes_, launch.ints(-99, 99, n, np.int16), pairs, triples, *written, n, shift % n]


def jobs(launch: Launch) -> list[Any]:
    results = launch.reach(launch.out(np.float32))
    array = launch.holds_addresses(np.zeros(launch.n, JOB))
    for i in range(launch.n):
        data = launch.reach(launch.floats(-1, 1, int(launch.rng.integers(1, 7))))
        array[i] = (data.ctypes.data, len(data), results.ctypes.data + 4 * i)
    return [array, launch.n]


def one_job(launch: Launch) -> list[Any]:
    data, result = launch.reach(launch.floats(-50, 50, 20)), launch.reach(launch.out(np.float32, 1))
    job = np.zeros((), JOB)
    job["data"], job["count"], job["result"] = data.ctypes.data, 20, result.ctypes.data
    return [job.tobytes(), launch.out(), launch.n]


def transposed(launch: Launch, args: list[Any]) -> dict[int, Array]:
    return {1: args[0].reshape(launch.ny, launch.nx).T.ravel()}


def block_sums(launch: Launch, args: list[Any]) -> dict[int, Array]:
    padded = np.zeros(launch.threads, np.int32)
    padded[: launch.n] = args[0]
    return {1: padded.reshape(launch.blocks, -1).sum(1, dtype=np.int32)}


def block_scans(launch: Launch, args: list[Any]) -> dict[int, Array]:
    padded = np.zeros(launch.threads, np.int32)
    padded[: launch.n] = args[0]
    return {1: padded.reshape(launch.blocks, -1).cumsum(1, dtype=np.int32).ravel()[: launch.n]}


def histograms(launch: Launch) -> list[Any]:
    return [launch.ints(0, 256, launch.threads * 5, np.uint8), launch.out(count=launch.threads * 7), launch.n * 5, 7, 5]


PLANE_BLOCKS = ((8, 8), (5, 3), (32, 4), (16, 8), (1, 7), (16, 1))
REGION_BLOCKS = (*ONE_D, (96,))
ROW_BLOCKS = ((4, 4, 4), (5, 3, 2), (16, 2, 2), (32, 1, 3), (1, 1, 3), (17, 3, 1))

WRAPPED = (*ONE_D, (64,))
LOW_BLOCKS = ((8, 2, 1), (16, 1, 1), (2, 7, 1), (4, 4, 1), (3, 5, 2), (1, 33, 1), (2, 16, 1))
COLUMNS = ((16, 16), (8, 16), (5, 32), (1, 16), (3, 48), (16, 1), (4, 4), (33, 16), (2, 16, 2), (3, 5, 2))


def _links(s: Launch) -> list[Any]:
    return [np.stack([s.ints(), s.ints(0, s.n), s.ints(0, s.n)], axis=1), s.out(), s.n]


def _ragged_rows(s: Launch) -> list[Any]:
    ends = np.cumsum(s.ints(0, 9), dtype=np.int32)
    return [ends, s.ints(0, 20, max(int(ends[-1]), s.n) + 1), s.out(), s.n]


def _far_values(s: Launch) -> list[Any]:
    values = s.ints(-50, 50).astype(np.float64)
    return [s.ints(0, s.n, dtype=np.uint32), s.ints(0, s.n, dtype=np.int64), values, s.out(np.float64), s.n]


def _rows_and_columns(launch: Launch) -> list[Any]:
    """Rows along x, columns along y."""
    height, width = launch.nx, launch.ny
    out = launch.out(np.float32, (width + 1) * height)
    return [launch.floats(-9, 9, width * height), launch.floats(count=64), out, width, height]


def _to_eliminate(launch: Launch, pivot: int) -> list[Any]:
    height, width = launch.nx, launch.ny
    a, b, factor = (launch.floats(count=count) for count in (height * width, height, height))
    return [a, b, factor, height, width, min(pivot, height - 1)]


def _to_transpose(launch: Launch) -> list[Any]:
    size = launch.nx * launch.ny
    return [launch.ints(count=size), launch.out(count=size), launch.nx, launch.ny]


def _parts(launch: Launch) -> Array:
    array = np.zeros(launch.n, PARTS)
    for name in ("x", "y", "z", "range"):
        array[name] = launch.floats(-1, 1)
    array["tag"], array["low"], array["high"] = (launch.ints(0, 99) for _ in range(3))
    array["bytes"] = launch.ints(0, 256, launch.n * 4).reshape(-1, 4)
    return array


def _lights(launch: Launch) -> list[Any]:
    array = np.zeros(launch.n, LIGHT)
    for name in ("x", "y", "red"):
        array[name] = launch.floats(-2, 2)
    array["z"], array["range"] = launch.floats(0, 4), launch.floats(0, 2)
    return [array, launch.rng.permutation(launch.n).astype(np.int32), launch.out(), launch.n]


def _named(launch: Launch) -> list[Any]:
    either = np.zeros(launch.n, EITHER)
    either["bits"], either["tag"] = launch.floats(-50, 50), launch.ints()
    return [either, _parts(launch), _parts(launch), launch.out(), launch.n]


def _nodes(launch: Launch) -> list[Any]:
    array = np.zeros(launch.n, NODE)
    for name in ("left", "right"):
        array[name] = launch.ints(-1, launch.n)
    array["value"], array["weight"] = launch.ints(), launch.ints()
    return [array, launch.out(), launch.n]


def _bytes(launch: Launch) -> list[Any]:
    """Return arguments for `(unsigned char *in, unsigned long long *out, int n)`, of which `out` has room behind it."""
    return [launch.any_ints(np.uint8, 32 * launch.n + 64), launch.out(np.uint64, 2 * launch.n), launch.n]


NEIGHBOURS = "memory/neighbours.cu"
PART = np.dtype([("x", "f4"), ("y", "f4"), ("left", "i4"), ("right", "i4"), ("tag", "i4")])
LINK = np.dtype([("next", "u8"), ("low", "i4"), ("high", "i4")], align=True)


def _in_any_order(launch: Launch) -> list[Any]:
    return [launch.ints(count=launch.n + 2), launch.ints(0, launch.n), launch.out(), launch.n]


def _parts_in_any_order(launch: Launch) -> list[Any]:
    array = np.zeros(launch.n, PART)
    array["x"], array["y"], array["tag"] = launch.floats(), launch.floats(), launch.ints()
    array["left"] = launch.ints(0, launch.n)
    array["right"] = np.minimum(array["left"] + launch.ints(0, 4), launch.n)
    return [array, launch.ints(0, launch.n), launch.out(np.float32), launch.n]


def _to_write(launch: Launch) -> list[Any]:
    return [launch.ints(count=4 * launch.n), launch.rng.permutation(launch.n).astype(np.int32), launch.out(), launch.n]


def _linked(launch: Launch) -> list[Any]:
    array = launch.reach(np.zeros(launch.n, LINK))
    array["low"], array["high"] = launch.ints(), launch.ints()
    further = np.arange(launch.n) + launch.ints(1, 5)  # so that the list ends
    array["next"] = np.where(further < launch.n, array.ctypes.data + LINK.itemsize * further, 0)
    return [launch.holds_addresses(array), launch.ints(0, launch.n), launch.out(), launch.n]


def _places(launch: Launch, width: int) -> list[Any]:
    """Places within an image, next to its edges, and as far away as numbers go."""
    height, count = 5, 2 * launch.n
    far = launch.any_ints(np.int32, count)
    places = np.where(launch.ints(0, 4, count) > 0, launch.ints(-2, width + 2, count), far).astype(np.int32)
    inside = launch.ints(0, max(1, width - 1), count)
    places[: count // 2] = inside[: count // 2]  # so that all lanes of some gangs are within
    return [launch.floats(count=width * height), places, launch.out(np.float32), width, height, launch.n]


def _ends(launch: Launch, width: int) -> list[Any]:
    places = _places(launch, width)[1]
    return [launch.ints(count=width), places[: launch.n], launch.out(), width, launch.n]


READ_BEFORE = "memory/available_loads.cu"


def _blocks_of_floats(launch: Launch) -> list[Any]:
    return [launch.floats(-1, 1, launch.threads), launch.out(np.float32, launch.blocks), launch.threads - 5]


USUAL_SIZE = "barriers/usual_size.cu"
USUAL_BLOCKS = (*ONE_D, (64,), (128,), (255,))

IN_TILES = "barriers/tiles.cu"
WIDE_TILES = ((32, 32), (32, 31), (32, 1), (16, 32), (31, 4), (33, 1), (16, 16))


def _pyramid(s: Launch, steps: int) -> list[Any]:
    columns, rows = s.nx - 4, max(1, s.ny - 3)
    return [s.floats(count=columns * rows), s.out(np.float32, columns * rows), columns, rows, steps]


def _each_thread(s: Launch) -> list[Any]:
    return [s.ints(), s.out(count=s.threads), s.n]


def _rows_of_numbers(s: Launch) -> list[Any]:
    return [s.ints(count=s.n * 5), s.out(), s.n, 5]


CASES = [
    Case(IN_TILES, "pyramid", given(0, _pyramid), blocks=((8, 8),)),
    Case(IN_TILES, "pyramid", given(1, _pyramid), blocks=((16, 16), (8, 8))),
    Case(IN_TILES, "pyramid", given(2, _pyramid), blocks=((16, 16), (15, 15))),
    Case(IN_TILES, "padded", _each_thread, blocks=WIDE_TILES, grid=(2, 1)),
    Case(IN_TILES, "tables", in_out, blocks=(*ONE_D, (16, 16), (8, 3))),
    *(
        Case(
            IN_TILES,
            "settled",
            given(zero, lambda s, zero: [s.ints(), s.out(count=s.threads), s.n, zero]),
            blocks=((16, 16), (16, 4), (7, 5), (16, 1)),
            grid=(3, 1),
        )
        for zero in (0, 3)
    ),
    Case(IN_TILES, "cheapest", _rows_of_numbers, blocks=((1,), (17,), (48,), (256,))),
    Case(USUAL_SIZE, "halves", _blocks_of_floats, blocks=USUAL_BLOCKS),
    Case(
        USUAL_SIZE,
        "halves_of_rows",
        _blocks_of_floats,
        blocks=((256, 1), (64, 1), (16, 16), (128, 2), (64, 3)),
        grid=(2, 1),
    ),
    Case(USUAL_SIZE, "thirds", in_out, blocks=USUAL_BLOCKS),
    Case(USUAL_SIZE, "named_elsewhere", in_out, blocks=USUAL_BLOCKS),
    Case(USUAL_SIZE, "again", in_out, blocks=((1,), (16,), (17,), (33,), (48,), (64,))),
    *(Case(NEIGHBOURS, kernel, _in_any_order) for kernel in ("lengths", "three", "depends", "watched")),
    Case(NEIGHBOURS, "members", _parts_in_any_order),
    Case(NEIGHBOURS, "written", _to_write),
    Case(NEIGHBOURS, "listed", _linked),
    *(Case(NEIGHBOURS, k, given(w, _places)) for k in ("between", "around") for w in (1, 2, 40)),
    *(Case(NEIGHBOURS, "ends", given(width, _ends)) for width in (1, 2, 40)),
    Case(NEIGHBOURS, "shared", in_out),
    Case(READ_BEFORE, "culled", _lights),
    Case(READ_BEFORE, "parts", lambda s: [_parts(s), s.out(), s.n]),
    Case(READ_BEFORE, "written", lambda s: [_parts(s), s.ints(0, s.n), s.out(), s.n]),
    Case(READ_BEFORE, "moved", lambda s: [_parts(s), s.ints(0, s.n), s.out(), s.n]),
    Case(READ_BEFORE, "around", lambda s: [_parts(s), s.out(), s.n]),
    Case(READ_BEFORE, "named", _named),
    Case(READ_BEFORE, "handed_on", in_out),
    Case(READ_BEFORE, "divided", lambda s: [_parts(s), s.ints(0, s.n), s.out(), s.n]),
    Case(READ_BEFORE, "down_to_one", given(1, lambda s, rounds: [_parts(s), s.out(), s.n, rounds])),
    Case(READ_BEFORE, "down_to_one", given(3, lambda s, rounds: [_parts(s), s.out(), s.n, rounds])),
    Case(READ_BEFORE, "walked", _nodes),
    Case("memory/columns.cu", "scale_rows", _rows_and_columns, blocks=COLUMNS),
    Case("memory/columns.cu", "transpose", _to_transpose, blocks=COLUMNS),
    Case("memory/columns.cu", "eliminate", given(0, _to_eliminate), blocks=LOW_BLOCKS, grid=(3, 9, 1)),
    Case("memory/columns.cu", "eliminate", given(5, _to_eliminate), blocks=LOW_BLOCKS, grid=(2, 70, 2)),
    Case("memory/local_arrays.cu", "arrays", in_out),
    Case("memory/local_arrays.cu", "stack", in_out),
    Case("memory/local_arrays.cu", "fresh", in_out),
    Case("memory/pointers.cu", "arithmetic", in_out),
    Case("memory/pointers.cu", "null", lambda s: [s.ints(), None, s.out(), s.n]),
    Case("memory/pointers.cu", "double_pointers", in_out),
    Case("memory/pointers.cu", "rows", rows),
    Case("memory/pointers.cu", "bits", lambda s: [s.floats(-9, 9), s.out(np.uint32), s.n]),
    Case(
        "memory/narrow.cu",
        "chars",
        lambda s: [s.any_ints(np.int8), s.any_ints(np.uint8), s.out(np.int8), s.out(np.uint8), s.n],
    ),
    Case(
        "memory/narrow.cu",
        "shorts",
        # 7 must not divide the number of elements: the kernel permutes by it.
        lambda s: [
            s.any_ints(np.int16),
            s.any_ints(np.uint16),
            s.out(np.int16),
            s.out(np.uint16),
            s.n - (s.n % 7 == 0),
        ],
    ),
    Case(
        "memory/narrow.cu",
        "gathered",
        lambda s: [s.ints(0, 256, dtype=np.uint8), s.ints(0, 999, dtype=np.uint16), s.out(np.uint8), s.n],
    ),
    Case("memory/indexing.cu", "strided", lambda s: [s.ints(count=2 * s.n), s.out(count=3 * s.n), s.n, 3]),
    Case("memory/indexing.cu", "neighbours", lambda s: [s.ints(), s.out(), s.n]),
    Case("memory/indexing.cu", "wide", lambda s: [s.ints(), s.out(), s.n]),
    Case(
        "memory/indexing.cu",
        "plane",
        lambda s: [s.floats(-1, 1, s.nx * s.ny), s.out(np.float32, s.nx * s.ny), s.nx, s.ny],
        blocks=TWO_D,
    ),
    Case(
        "memory/indexing.cu",
        "volume",
        lambda s: [s.ints(count=s.nx * s.ny * s.nz), s.out(count=s.nx * s.ny * s.nz), s.nx, s.ny, s.nz],
        blocks=THREE_D,
        grid=(2, 1, 2),
    ),
    Case("memory/pointer_indices.cu", "lists", _links),
    Case("memory/pointer_indices.cu", "rows", _ragged_rows),
    Case("memory/pointer_indices.cu", "unsigned_and_long", _far_values),
    Case("memory/new_names.cu", "moved", lambda s: [s.ints(count=2 * s.n + 8), s.out(), s.n, s.n]),
    Case("memory/new_names.cu", "chunks", lambda s: [s.ints(), s.out(), s.n]),
    Case("memory/new_names.cu", "joined", lambda s: [s.ints(0, 99), s.out(), s.n]),
    Case("memory/new_names.cu", "seen", in_out),
    Case("memory/new_names.cu", "recursive", lambda s: [s.ints(count=s.n + 40), s.out(), s.n]),
    Case("memory/new_names.cu", "waiting", in_out),
    *[Case("memory/whole_words.cu", name, _bytes) for name in ("words", "no_words", "changing", "changed_by_others")],
    *[Case("memory/struct_words.cu", name, _bytes) for name in ("reads", "writes", "parts")],
    *[Case("memory/alike.cu", name, _bytes) for name in ("pointers", "numbers")],
    Case("memory/addresses.cu", "split", lambda s: [s.ints(count=1100), s.out(), s.n]),
    *[
        Case("memory/addresses.cu", "rows", lambda s: [s.ints(count=1100), s.out(count=s.threads), s.threads], blocks=b)
        for b in (TWO_D, THREE_D)
    ],
    Case("memory/addresses.cu", "reversed", reversed_),
    Case("memory/addresses.cu", "steps", steps),
    Case("memory/addresses.cu", "narrow_stores", narrow_stores),
    Case(
        "memory/addresses.cu",
        "pairs",
        lambda s: [s.floats(count=2 * s.n).view(PAIR), s.out(np.float32, 2 * s.n).view(PAIR), s.n],
    ),
    Case(
        "memory/addresses.cu",
        "triples",
        lambda s: [s.ints(count=3 * s.n).view(TRIPLE), s.out(count=3 * s.n).view(TRIPLE), s.n],
    ),
    Case(
        "memory/addresses.cu",
        "quads",
        lambda s: [s.floats(-1, 1, 4 * s.n).view(QUAD), s.out(np.float32, 4 * s.n).view(QUAD), s.out(np.float32), s.n],
    ),
    Case("memory/addresses.cu", "pixels", lambda s: [pixels(s), pixels(s), s.ints(0, s.n), s.n]),
    Case(
        "memory/addresses.cu",
        "complexes",
        lambda s: [s.floats(-1, 1, 2 * s.n, np.float64).view(COMPLEX), s.out(np.float64, 2 * s.n).view(COMPLEX), s.n],
    ),
    Case("memory/addresses.cu", "mixed", lambda s: [mixed(s), mixed(s), permutation(s), s.n]),
    Case("memory/addresses.cu", "shared_records", in_out),
    *[
        Case("memory/addresses.cu", "clamped", given(a, lambda s, a: [s.ints(), s.out(), s.n, a[0], a[1]]))
        for a in ((-3, 0), (2, 9), (-20, 1))
    ],
    Case("memory/addresses.cu", "bumped", bumped),
    *[
        Case("memory/wrapped.cu", "neighbours", given(k, lambda s, k: [*in_out(s), k % s.n]), blocks=WRAPPED)
        for k in (1, 15, 18)
    ],
    *[Case("memory/wrapped.cu", "other_types", given(k, other_types), blocks=WRAPPED[1:]) for k in (1, 15)],
    *[
        Case(
            "memory/wrapped.cu", "rows", given(w, lambda s, w: [s.ints(count=s.n + w), s.out(), s.n, w]), blocks=WRAPPED
        )
        for w in (3, 37, 64)
    ],
    Case("memory/wrapped.cu", "passed_round", lambda s: [s.ints(), s.out(), s.n, 9], blocks=WRAPPED),
    Case("memory/wrapped.cu", "bytes_round", lambda s: [s.ints(0, 256, s.n, np.uint8), s.out(np.uint8), s.n]),
    Case("memory/addresses.cu", "exchanged", lambda s: [s.ints(count=8 * s.n), s.ints(), s.n]),
    Case("memory/addresses.cu", "widened", widened),
    Case("memory/addresses.cu", "repeated", lambda s: [s.ints(), s.ints(0, s.n), s.ints(), s.out(), s.n]),
    Case(
        "memory/addresses.cu",
        "blocked",
        lambda s: [s.ints(count=s.nx * s.ny), s.out(count=s.nx * s.ny), s.nx, s.ny],
        blocks=(*PLANE_BLOCKS, (16, 16), (32, 32)),
    ),
    Case(
        "memory/addresses.cu",
        "restricted",
        lambda s: [s.floats(), s.floats(count=3), s.out(np.float32, 3 * s.n), s.n],
    ),
    Case("memory/structs_in_memory.cu", "records", lambda s: [records(s), records(s), s.n]),
    Case("memory/structs_in_memory.cu", "jobs", jobs),
    Case("memory/structs_in_memory.cu", "one_job", one_job),
    Case("memory/structs_in_memory.cu", "local_structs", in_out),
    *[
        Case("memory/unasked.cu", "by_condition", given(u, with_number), blocks=LONG_BLOCKS, grid=g)
        for u, g in ((7, (1,)), (-3, (3,)), (200, (2,)))
    ],
    *[
        Case("memory/unasked.cu", "by_number", given(u, with_number), blocks=SHARED_BLOCKS)
        for u in (0, 1, 3, 5, 1 << 29)
    ],
    *[
        Case("memory/unasked.cu", "threads_of_region", given(u, with_number), blocks=((32,), (64,), (256,)))
        for u in (0, 2, 1 << 29)
    ],
    Case("memory/long_lists.cu", "lists", in_out),
    Case("memory/constants.cu", "tables", lambda s: [s.ints(), s.out(np.float32), s.n]),
    Case(
        "memory/scatter.cu",
        "permute",
        lambda s: [s.rng.permutation(s.n).astype(np.int32), s.floats(dtype=np.float64), s.out(np.float64), s.n],
    ),
    Case("memory/scatter.cu", "histogram", histograms),
    Case("memory/scatter.cu", "rank_sort", in_out, expect=lambda s, args: {1: np.sort(args[0])}),
    Case("memory/scatter.cu", "in_place", lambda s: [s.ints(), s.n]),
    Case("barriers/reduce.cu", "sum_blocks", lambda s: [s.ints(), s.out(count=s.blocks), s.n], expect=block_sums),
    Case("barriers/reduce.cu", "scan_blocks", in_out, expect=block_scans),
    Case("barriers/narrow_blocks.cu", "tile", _volume, blocks=NARROW),
    Case("barriers/narrow_blocks.cu", "sizes", _bytes_and_doubles, blocks=NARROW),
    Case("barriers/shared_shapes.cu", "shapes", in_out),
    Case("barriers/shared_shapes.cu", "of_file", in_out),
    Case("barriers/shared_shapes.cu", "alone", in_out),
    *[Case("barriers/placed.cu", "uniform_if", given(m, with_number)) for m in (0, 1, 2, 3)],
    Case("barriers/placed.cu", "in_functions", lambda s: [s.ints(), s.out(), s.n, 3]),
    Case("barriers/placed.cu", "in_loops", lambda s: [s.ints(), s.out(), s.n, 6]),
    Case("barriers/placed.cu", "after_return", in_out),
    Case("barriers/placed.cu", "many_shared", in_out),
    Case("barriers/placed.cu", "few_shared", in_out),
    *[Case("memory/variables.cu", kernel, in_out, variables=VARIABLES) for kernel in ("reads", "writes", "scattered")],
    Case("memory/variables.cu", "atomics", in_out, variables=(*VARIABLES, "sums")),
    Case("memory/spaces.cu", "cached", in_out),
    Case("memory/spaces.cu", "spaces", in_out, shared=words(1)),
    Case("memory/volatile.cu", "volatile_values", in_out, variables=("flags", "cells")),
    *[
        Case("barriers/dynamic_shared.cu", kernel, in_out, blocks=SHARED_BLOCKS, shared=words(count))
        for kernel, count in (("reversed", 1), ("reduce", 1), ("two_parts", 2), ("in_functions", 2), ("structs", 2))
    ],
    *[Case("barriers/named.cu", kernel, in_out) for kernel in ("halves", "pipeline", "votes", "exits")],
    *[Case("barriers/objects.cu", kernel, in_out) for kernel in ("reduce", "drops", "two_buffers", "completes")],
    *[Case("barriers/skips.cu", kernel, in_out) for kernel in ("either", "follows", "nested", "by_rows")],
    Case("barriers/guarded.cu", "guarded", in_out),
    Case(
        "barriers/planes.cu",
        "tiled_transpose",
        lambda s: [s.ints(count=s.nx * s.ny), s.out(count=s.nx * s.ny), s.nx, s.ny],
        blocks=(*PLANE_BLOCKS, (16, 16), (32, 32)),
        expect=transposed,
    ),
    Case(
        "barriers/planes.cu",
        "row_sums",
        lambda s: [s.ints(count=40 * s.ny * s.nz * 2), s.out(count=s.ny * s.nz * 2), 40, s.ny * s.nz * 2],
        blocks=ROW_BLOCKS,
        grid=(2, 1, 1),
    ),
    Case("barriers/reduce.cu", "scan_blocks", in_out, blocks=((1024,),), grid=(1,), expect=block_scans),
    Case("barriers/regions.cu", "block_values", in_out, blocks=REGION_BLOCKS),
    Case("barriers/regions.cu", "counts_in_a_declaration", in_out, blocks=REGION_BLOCKS),
    *[Case("barriers/regions.cu", "returns", given(m, with_number)) for m in (0, 9)],
    Case("barriers/regions.cu", "all_return", in_out),
    Case("barriers/regions.cu", "locals", in_out),
    Case("barriers/regions.cu", "parameters", lambda s: [s.ints(), s.out(), s.n, 3, 4]),
    *[Case("barriers/regions.cu", "jumps", given(m, with_number)) for m in (0, 1, 3, 9)],
    *[Case("barriers/regions.cu", "cases", given(m, with_number)) for m in (0, 1, 3)],
    Case("barriers/regions.cu", "calls", in_out),
    *[Case("barriers/regions.cu", "same_every_round", given(m, with_number)) for m in (0, 3)],
    Case(
        "barriers/regions.cu",
        "dimensions",
        lambda s: [s.ints(count=s.nx * s.ny), s.out(count=s.nx * s.ny), s.nx, s.ny],
        blocks=(*TWO_D, *THREE_D),
    ),
    Case("barriers/pipelines.cu", "games", lambda s: [s.ints(), s.out(), s.n, 4]),
    Case(
        "barriers/pipelines.cu",
        "odd_even_sort",
        lambda s: [s.ints(count=23), 23],
        grid=(1,),
        expect=lambda s, args: {0: np.sort(args[0])},
    ),
]
