"""Branches, loops and calls."""

from __future__ import annotations

from typing import Any

import numpy as np

from .case import ONE_D, THREE_D, TWO_D, Array, Case, Launch, given, in_out


def _shifted(x: Array, steps: int) -> Array:
    moved = np.full_like(x, -1)
    if steps > 0:
        moved[steps:] = x[:-steps]
    else:
        moved[:steps] = x[-steps:]
    return moved


def _plane(launch: Launch) -> list[Any]:
    size = launch.nx * launch.ny * launch.nz
    return [launch.ints(count=size), launch.out(count=size)]


def _columns(launch: Launch) -> list[Any]:
    return [launch.ints(), launch.out(), launch.nx]


def _and_a_sum(launch: Launch) -> list[Any]:
    return [launch.ints(), launch.out(count=launch.n + 1), launch.n]


def _both_sides(launch: Launch) -> list[Any]:
    return [*_plane(launch), launch.nx, launch.ny]


def _guarded(launch: Launch, args: list[Any]) -> dict[int, Array]:
    x = args[0]
    quotient = np.where(x % 7 != 0, 1000 // np.maximum(x % 7, 1), 0)
    return {1: _shifted(x, 1) * 1000 + _shifted(x, -1) * 10 + quotient}


def _chain(launch: Launch, args: list[Any]) -> dict[int, Array]:
    x = args[0]
    tens = np.where(x & 1, 100 - x, x - 100)
    return {1: np.select([x < 10, x < 30, x < 60, x == 77], [1, x * 2, tens, 7], x % 13).astype(np.int32)}


def _collatz(launch: Launch, args: list[Any]) -> dict[int, Array]:
    results = []
    for x in args[0].tolist():
        x, steps = x + 1, 0
        while x != 1 and steps < 60:
            x, steps = 3 * x + 1 if x & 1 else x // 2, steps + 1
        results.append(steps * 1000 + x % 1000)
    return {1: np.array(results, np.int32)}


def _for_sum(launch: Launch, args: list[Any]) -> dict[int, Array]:
    sums = [sum(k ^ i for k in range(x)) * 100 + x for i, x in enumerate(args[0].tolist())]
    return {1: np.array(sums, np.int32)}


def _lists(launch: Launch) -> list[Any]:
    """Every element points to a later one or ends its list."""
    at = np.arange(launch.n)
    to = at + launch.rng.integers(1, 6, launch.n)
    return [np.where(to < launch.n, to, -1).astype(np.int32), launch.out(), launch.n]


def _rows(launch: Launch) -> tuple[Array, Array]:
    """Where the rows of a sparse matrix start, and the columns of its elements: rows of very different lengths."""
    lengths = launch.ints(0, 6) * np.where(launch.ints(0, 5) == 0, 9, 1)
    start = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int32)
    return start, launch.ints(0, launch.n, int(start[-1]) + 1)


def _row_sums(launch: Launch) -> list[Any]:
    start, column = _rows(launch)
    return [start, column, launch.floats(count=column.size), launch.floats(), launch.out(np.float32), launch.n]


def _marks(launch: Launch) -> list[Any]:
    return [*_rows(launch), launch.out(np.uint8), launch.n]


def _strides(launch: Launch) -> list[Any]:
    n = 3 * launch.threads + 5
    return [launch.ints(count=n), launch.out(count=launch.threads), n, 2]


def _first_large(launch: Launch) -> list[Any]:
    start, column = _rows(launch)
    values = launch.floats(count=column.size)
    return [start, column, values, np.float32(0.9), launch.out(np.float32), launch.out(), launch.n]


MEETINGS = "control/meetings_of_lanes.cu"


def _parts(s: Launch, limit: int) -> list[Any]:
    size = s.nx * s.ny
    return [s.ints(count=size), s.out(count=size), s.nx, s.ny, limit]


CASES = [
    *(
        Case(MEETINGS, "one_lane", given(k, lambda s, k: [*in_out(s), k]), blocks=(*ONE_D, (24,)), grid=(3,))
        for k in (-1, 0, 16, 47)
    ),
    *(Case(MEETINGS, "parts", given(limit, _parts), blocks=(*TWO_D, (33, 2))) for limit in (0, 3)),
    *(
        Case(MEETINGS, "wrapping", given(start, lambda s, start: [*in_out(s), np.uint32(start)]), blocks=((17,), (48,)))
        for start in (0, 2**32 - 10, 2**31 - 20)
    ),
    Case("control/squeezed.cu", "by_kind", lambda s: [s.ints(0, 30), s.ints(), s.out(count=2 * s.n), s.n]),
    Case("control/squeezed.cu", "all_types", lambda s: [s.ints(0, 9), s.ints(), s.out(np.int64, 4 * s.n), s.n]),
    Case("control/squeezed.cu", "stores", lambda s: [s.ints(0, 30), s.ints(count=4 * s.n), s.out(), s.n]),
    Case("control/if_else.cu", "chain", in_out, expect=_chain),
    Case("control/if_else.cu", "nest", in_out),
    Case("control/ternary.cu", "ternary", in_out),
    Case("control/ternary.cu", "guarded", in_out, expect=_guarded),
    Case("control/ternary.cu", "types", lambda s: [s.ints(-100, 100), s.out(np.float64), s.n]),
    Case("control/short_circuit.cu", "effects", in_out),
    Case("control/short_circuit.cu", "guards", lambda s: [s.ints(), s.ints(-3, s.n + 3), s.out(), s.n]),
    Case("control/order.cu", "order", in_out),
    *[
        Case("control/effects.cu", kernel, given(u, lambda s, u: [*in_out(s), u]), blocks=((1,), (16,), (33,), (100,)))
        for kernel in ("places", "rounds", "trees")
        for u in (0, 3)
    ],
    Case("control/effects.cu", "strides", _strides, blocks=((16,), (64,), (100,))),
    Case("control/products.cu", "products", in_out),
    Case("control/switch_fall.cu", "fall", in_out),
    Case("control/switch_fall.cu", "nested", in_out),
    *[Case("control/switch_fall.cu", "chosen_alike", given(u, lambda s, u: [*in_out(s), u])) for u in range(-1, 10)],
    *[Case("control/switch_fall.cu", "chosen_by_block", given(u, lambda s, u: [*in_out(s), u])) for u in range(-1, 8)],
    *[
        Case("control/switch_odd.cu", kernel, given(u, lambda s, u: [*in_out(s), u]), blocks=((1,), (16,), (33,)))
        for kernel in ("odd", "types")
        for u in (0, 3, 4, 5)
    ],
    Case("control/switch_fall.cu", "scopes", lambda s: [s.ints(0, 12) + 92 * s.ints(0, 2), s.out(np.uint64), s.n]),
    Case("control/switch_in_loop.cu", "steps", in_out),
    Case("control/switch_in_loop.cu", "machine", in_out),
    Case("control/early_return.cu", "early", in_out),
    Case("control/early_return.cu", "all_leave", in_out, expect=lambda s, args: {1: args[0]}),
    Case("control/odd_statements.cu", "odd", in_out),
    Case("control/cpp_forms.cu", "conversions", in_out),
    Case("control/cpp_forms.cu", "blocks", in_out),
    Case("control/cpp_forms.cu", "chosen", in_out),
    Case("control/read_once.cu", "read_once", in_out),
    Case("control/read_once.cu", "cheap_arms", in_out),
    *[
        Case("control/swaps.cu", kernel, lambda s: [s.special_floats(nan=True), s.out(np.float32), s.n])
        for kernel in ("waiting", "median", "indices")
    ],
    *[
        Case("control/swaps.cu", kernel, lambda s: [s.ints(0, 100).astype(np.float32), s.out(np.float32), s.n])
        for kernel in ("waiting", "median", "indices")
    ],
    Case("control/full_gangs.cu", "forms", lambda s: [s.ints(count=s.n + 16), s.out(), s.n]),
    Case("control/full_gangs.cu", "leaving", in_out),
    Case("control/full_gangs.cu", "switched", lambda s: [s.ints(count=3 * s.n), s.out(count=3 * s.n), s.n]),
    Case("control/full_gangs.cu", "rounds", lambda s: [s.ints(count=3 * s.n), s.out(count=3 * s.n), s.n]),
    *[
        Case("control/uniform_branch.cu", "uniform", given(mode, lambda s, m: [*in_out(s), m, np.float32(1.5)]))
        for mode in (0, 1, 3)
    ],
    *[
        Case("control/uniform_branch.cu", "broken_switch", given(mode, lambda s, m: [*in_out(s), m]))
        for mode in (0, 1, 2)
    ],
    Case(
        "control/bools.cu",
        "bools",
        lambda s: [s.ints(0, 20), s.ints(0, 3).astype(np.float32) / 2, s.out(np.bool_), s.out(), s.n],
    ),
    *[
        Case("loops/tiles.cu", "far", lambda s: [*_plane(s), s.nx, s.ny], blocks=(*TWO_D, (8, 4), (4, 4), (32, 8))),
        Case(
            "loops/tiles.cu", "layers", lambda s: [*_plane(s), s.nx, s.ny, s.nz], blocks=(*TWO_D, *THREE_D, (8, 8, 2))
        ),
        Case("loops/tiles.cu", "counted", lambda s: [*_plane(s), s.out(count=7), s.nx, s.ny], blocks=TWO_D),
    ],
    Case("control/single_thread_blocks.cu", "add", in_out, blocks=((1,),), grid=(100,)),
    Case("control/single_thread_blocks.cu", "add", in_out, blocks=((1,), (2,), (17,)), grid=(7,)),
    Case("control/single_thread_blocks.cu", "steps", _and_a_sum, blocks=((1,), (5,)), grid=(333,)),
    Case("control/single_thread_blocks.cu", "square", _both_sides, blocks=((1, 1),), grid=(19, 35)),
    Case("control/single_thread_blocks.cu", "square", _both_sides, blocks=((1, 1), (1, 4), (3, 1)), grid=(40, 3)),
    Case("control/decided.cu", "decided", in_out),
    Case("control/idle_axes.cu", "columns", _columns, blocks=(*TWO_D, *THREE_D, (32, 8))),
    Case("control/idle_axes.cu", "layers", lambda s: [*_plane(s), s.nx, s.ny], blocks=(*TWO_D, *THREE_D, (8, 8, 2))),
    Case("control/idle_axes.cu", "counted", _columns, blocks=(*TWO_D, *THREE_D)),
    Case("loops/trip_counts.cu", "for_sum", lambda s: [s.ints(0, 40), s.out(), s.n], expect=_for_sum),
    Case("loops/trip_counts.cu", "triangle", in_out),
    Case("loops/trip_counts.cu", "backwards", in_out),
    Case("loops/while_break.cu", "collatz", in_out, expect=_collatz),
    Case("loops/while_break.cu", "search", in_out),
    Case("loops/while_break.cu", "effects_in_test", in_out),
    Case("loops/do_while.cu", "repeat", in_out),
    Case("loops/do_while.cu", "nested", in_out),
    Case("loops/exit_values.cu", "counters", in_out),
    Case("loops/exit_values.cu", "two_exits", in_out),
    Case("loops/exit_values.cu", "address_after", in_out),
    Case("loops/exit_values.cu", "inner_exit", in_out),
    Case("loops/exit_values.cu", "carried", in_out),
    Case("loops/exit_values.cu", "flags", in_out),
    Case("loops/twins.cu", "arms", in_out),
    Case("loops/twins.cu", "nested", in_out),
    Case("loops/twins.cu", "starts", lambda s: [np.append(s.ints()[1:], 2).astype(np.int32), s.out(), s.n]),
    Case("loops/uniform_assigned.cu", "one_arm", in_out),
    Case("loops/uniform_assigned.cu", "both_arms", in_out),
    Case("loops/uniform_assigned.cu", "in_loop", lambda s: [s.ints(0, 14), s.out(), s.n]),
    Case("loops/uniform_assigned.cu", "swapped", in_out),
    Case("loops/uniform_assigned.cu", "in_switch", lambda s: [s.ints(), s.out(), s.n, 40]),
    Case("loops/uniform_assigned.cu", "pointer", lambda s: [s.ints(), s.ints(), s.out(), s.n]),
    Case("loops/skipped_update.cu", "skips", in_out),
    Case("loops/skipped_update.cu", "nested_skips", in_out),
    Case("loops/skipped_update.cu", "else_continues", in_out),
    Case("loops/skipped_update.cu", "next_round_only", in_out),
    Case("loops/nested_return.cu", "from_loops", in_out),
    Case("loops/nested_return.cu", "by_flag", in_out),
    Case("loops/uniform_loops.cu", "unrolled", lambda s: [s.ints(), s.out(), s.n, 9]),
    Case(
        "loops/uniform_loops.cu",
        "horner",
        lambda s: [s.floats(-2, 2), s.floats(-1, 1, 9), s.out(np.float32), s.n, 8],
    ),
    Case(
        "loops/uniform_loops.cu",
        "grid_stride",
        lambda s: [s.ints(count=3 * s.n), s.out(count=3 * s.n), 3 * s.n],
        expect=lambda s, args: {1: args[0] ** 2 - np.arange(3 * s.n, dtype=np.int32)},
    ),
    Case("loops/lists.cu", "row_sums", _row_sums),
    Case("loops/lists.cu", "mark", _marks),
    Case("loops/lists.cu", "first_large", _first_large),
    Case("loops/lists.cu", "two_ways", lambda s: [*_rows(s), s.out(), s.n]),
    Case("loops/pointers_in_loops.cu", "walk", in_out),
    Case("loops/pointers_in_loops.cu", "list", _lists),
]
