"""What kernels should take, by `simt2simd predict`'s model, beside what they take."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from simt2simd.predict.machines import GPUS

from ..common import drawing
from ..common.app import names
from ..common.tables import Table
from ..harness import milliseconds
from . import predicting
from .counted import BOTH, WANTED, Wanted, read
from .measured import Measured
from .predicting import FITTED_ON, Beside, Column
from .table import GPU, Needed, PaperTable

# Why a prediction is off by more than a factor of two; "" stands for any variant. What is likely was not tried.
_KEPT = "likely: LLVM keeps in registers what is counted as accesses and operations"
REASONS = {
    ("mc", "flat"): "all threads add to one root: one constant covers waiting for one another",
    ("td", "flat"): "all threads add to one root: one constant covers waiting for one another",
    ("distance", ""): "what is measured also has three copies, and work of the host between the kernels",
    ("gaussian", ""): _KEPT,
    ("hotspot", ""): _KEPT,
    ("pathfinder", ""): _KEPT,
    ("bh6", ""): "grids have as many blocks as run at a time: fewer are counted than a GPU has",
    ("levenshtein", ""): _KEPT,
    ("bfs", "auto"): "the host copies a flag and waits after each launch, which is not counted",
    ("bs", "recursive"): "each step is a branch that no CPU foresees: only those on which lanes part are counted",
    ("bs", "ropes"): "whether a launch sorts its threads depends on their time, which is longer while they are counted",
    ("spmv", "flat"): "likely: nvcc asks for several iterations of a loop at once",
    ("pagerank", "flat"): "likely: nvcc asks for several iterations of a loop at once",
    ("mc", "hier"): "parents wait for their children: how long is not counted",
    ("td", "hier"): "parents wait for their children: how long is not counted",
}
OF_CHILDREN = "launches from kernels are counted; how long they wait for one another is not"

SAID = """No paper of these predicts times. They explain them by numbers of their own: nodes visited, work expansion,
launches, bytes. The model takes the same numbers, and nothing else, to predict which is quicker."""


def needed(wanted: Wanted) -> Needed:
    """Return which measurements counts of an application go with."""
    orders = BOTH if wanted.orders == BOTH else tuple(order for order in wanted.orders if order)
    return Needed(
        wanted.app,
        (wanted.input,),
        wanted.variants,
        on_gpu=wanted.variants,
        cores="ends",
        orders=orders,
        options=wanted.options,
    )


def compare(measured: Measured) -> list[Beside]:
    """Return what was predicted and measured, on each number of cores and a GPU on the best machine that has it."""
    all_ = read()
    where = _columns(measured)
    for column in where:
        for each in all_:
            if (taken := column.record(each)) and taken[0] not in measured.used:
                measured.used.append(taken[0])
    return predicting.beside(all_, where)


def _columns(measured: Measured) -> list[Column]:
    return predicting.columns(read(), [*measured.sources, *measured.elsewhere])


# ------------------------------------------------------------------------------------------- tables


def _rows(measured: Measured) -> Sequence[Table]:
    found = compare(measured)
    places = sorted({each.on for each in found}, key=lambda on: (on == GPU, on))
    runs: dict[tuple[str, ...], dict[int, Beside]] = {}
    for each in found:
        key = tuple(part or "" for part in each.counted.what[:4])
        runs.setdefault(key, {})[each.on] = each
    header = ["application", "input", "order", "variant"]
    for on in places:
        header += [f"{_place(on)}: measured", "predicted", "factor"]
    rows = []
    for key in sorted(runs, key=lambda key: (names().index(key[0]), key)):
        cells = [cell for on in places for cell in _cells(runs[key].get(on))]
        rows.append((*key, *cells, *_winners(runs[key])))
    header += ["quicker", "predicted"]
    return [
        _shares(found),
        Table("All runs, in milliseconds; factor: predicted, divided by measured.", tuple(header), tuple(rows), 4),
        Table("What is off by more than a factor of two, and why.", *_off(found), 5),
    ]


def _place(on: int) -> str:
    return "GPU" if on == GPU else "1 core" if on == 1 else f"{on} cores"


def _cells(each: Beside | None) -> tuple[str, str, str]:
    if each is None:
        return "", "", ""
    return milliseconds(each.measured), milliseconds(each.predicted), f"{each.factor:.2f}"


def duels(found: Sequence[Beside]) -> Iterator[tuple[Beside, Beside]]:
    """Yield the runs that the GPU and all cores have made."""
    most = max((each.on for each in found if each.on != GPU), default=0)
    of_cpu = {each.counted.what[:4]: each for each in found if each.on == most}
    for each in found:
        if each.on == GPU and each.counted.what[:4] in of_cpu:
            yield of_cpu[each.counted.what[:4]], each


def _winners(of_run: dict[int, Beside]) -> tuple[str, str]:
    pairs = list(duels(list(of_run.values())))
    if not pairs:
        return "", ""
    cpu, gpu = pairs[0]
    return _quicker(cpu.measured, gpu.measured), _quicker(cpu.predicted, gpu.predicted)


def _quicker(cpu: float, gpu: float) -> str:
    return "CPU" if cpu <= gpu else "GPU"


def right_winners(found: Sequence[Beside]) -> tuple[int, int]:
    """Return how often the model says which is quicker, and of how many runs."""
    both = list(duels(found))
    right = [_quicker(c.measured, g.measured) == _quicker(c.predicted, g.predicted) for c, g in both]
    return sum(right), len(right)


def _kinds() -> list[tuple[str, Callable[[Beside], bool]]]:
    return [
        ("the model was fitted to", lambda each: each.counted.app in FITTED_ON),
        ("it was not fitted to", lambda each: each.counted.app not in FITTED_ON),
        ("all", lambda each: True),
    ]


def _shares(found: Sequence[Beside]) -> Table:
    places = sorted({each.on for each in found}, key=lambda on: (on == GPU, on))
    header = ("applications", *(_place(on) for on in places), "all", "the right one is quicker")
    rows = []
    for name, is_of in _kinds():
        own = [each for each in found if is_of(each)]
        cells = [_share([each.near for each in own if each.on == on]) for on in places]
        right, of = right_winners(own)
        rows.append((name, *cells, _share([each.near for each in own]), f"{right} of {of}"))
    return Table("Runs that are predicted within a factor of two of what they take.", header, tuple(rows), 1)


def _share(near: Sequence[bool]) -> str:
    return f"{sum(near)} of {len(near)}, {100 * sum(near) / len(near):.0f} %" if near else ""


def _off(found: Sequence[Beside]) -> tuple[tuple[str, ...], tuple[tuple[str, ...], ...]]:
    rows = []
    for each in sorted(found, key=lambda each: (names().index(each.counted.app), each.counted.variant, each.on)):
        if not each.near:
            kernel, time = max(each.parts, key=lambda part: part[1].ms)
            what = f"{each.counted.variant}{f', {each.counted.order}' if each.counted.order else ''}"
            rows.append(
                (
                    each.counted.app,
                    what,
                    each.counted.what[1],
                    f"{kernel}: {time.bound}",
                    _reason(each),
                    _place(each.on),
                    f"{each.factor:.2f}",
                )
            )
    return ("application", "variant", "input", "most of the prediction", "reason", "on", "factor"), tuple(rows)


def _reason(each: Beside) -> str:
    app, variant = each.counted.app, each.counted.variant
    known = REASONS.get((app, variant)) or REASONS.get((app, ""))
    return known or (OF_CHILDREN if any(kernel.children for kernel in each.counted.counts()) else "not known")


# ------------------------------------------------------------------------------------------- the words, the figure


def _found(measured: Measured) -> str:
    found = compare(measured)
    near, (right, of) = [each.near for each in found], right_winners(found)
    there = {each.counted.app for each in found}
    without = [name for name in names() if name not in there]
    fitted = ", ".join(FITTED_ON)
    return (
        f"{sum(near)} of {len(near)} times are within a factor of two, and {right} of {of} runs have the right winner. "
        f"{_goals(found)} The constants of `simt2simd/predict/times.py` were fitted to such records of {fitted}; "
        f"`python -m apps.papers.predicting --fit` does so again. The other applications are new to it.\n\n"
        f"Its form was chosen with all of them in view. {_machines(measured)} "
        f"A run on a GPU has {GPUS['h200'].wait_us:g} us beside its kernels, for which the host waits.\n\n"
        f"Counts are in `counts.json`, which `python -m apps.papers.counted` makes; they do not depend on the machine. "
        f"Times of a run are those of all its kernels together, as programs report them."
        + (f" Without records of this machine or counts: {', '.join(without)}." if without else "")
    )


NEAR_GOAL, WINNERS_GOAL = 0.8, 0.9


def _goals(found: Sequence[Beside]) -> str:
    """Say what was to be reached, and where it was not."""
    missed = []
    for name, is_of in _kinds():
        own = [each for each in found if is_of(each)]
        right, of = right_winners(own)
        if own and sum(each.near for each in own) < NEAR_GOAL * len(own):
            missed.append(f"times of those that {name}" if name != "all" else "times of all")
        if of and right < WINNERS_GOAL * of:
            missed.append(f"winners of those that {name}" if name != "all" else "winners of all")
    reached = f"To reach were {NEAR_GOAL:.0%} of the times and {WINNERS_GOAL:.0%} of the winners"
    return f"{reached}; not reached: {', '.join(missed)}." if missed else f"{reached}: they are."


def _machines(measured: Measured) -> str:
    """Say which machine each column is of."""
    texts = []
    for column in _columns(measured):
        machine = column.machine
        what = machine.gpu if column.on == GPU else f"{machine.machine}, {machine.hardware_threads} hardware threads"
        texts.append(f"{_place(column.on)}: {what}")
    return f"Machines: {'; '.join(texts)}." if texts else ""


def _draw(measured: Measured) -> Any:
    found = compare(measured)
    if not found:
        return None
    drawn, (axes,) = drawing.panels(1, 1, 4.2, 3.6)
    axes.set_xscale("log")
    least = min(min(each.measured, each.predicted) for each in found) / 2
    most = max(max(each.measured, each.predicted) for each in found) * 2
    for factor, style in ((1, "-"), (2, ":"), (0.5, ":")):
        axes.plot([least, most], [least * factor, most * factor], color="0.5", linewidth=0.8, linestyle=style)
    places = sorted({each.on for each in found}, key=lambda on: (on == GPU, on))
    for number, on in enumerate(places):
        own = [each for each in found if each.on == on]
        look = drawing.line(number) | {"linestyle": ""}
        axes.plot([each.measured for each in own], [each.predicted for each in own], label=_place(on), **look)
    axes.set_xlabel("measured, ms")
    axes.set_ylabel("predicted, ms")
    return drawing.with_legend(drawn, [axes], "predicted beside measured; dotted: a factor of two")


TABLES = (
    PaperTable(
        name="predicted",
        paper="simt2simd",
        number="predicted",
        title="what kernels should take beside what they take",
        needs=tuple(map(needed, WANTED)),
        rows=_rows,
        draw=_draw,
        said=SAID,
        found=_found,
    ),
)
