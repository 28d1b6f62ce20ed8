"""Wu's dissertation, chapter 5: random forests, figures 5.10 to 5.13."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from math import exp, log
from typing import Any

from ..common.summary import in_words
from ..common.tables import Table, times_as_fast
from ..forest.layout import SUBTREE_DEPTHS
from ..forest.sweep import DEPTHS, INPUTS, NUMBERS, QUICK_INPUTS, TREES
from ..harness import Record
from .measured import Measured
from .table import GPU, Needed, PaperTable
from .wu_chapter4 import PAPER
from .wu_drawing import Lines, lines

KERNELS = ("iterative", "encoded", "collaborative")
DEEPEST = DEPTHS[-1]
LAYOUTS = tuple(f"h-sd{depth}" for depth in SUBTREE_DEPTHS)
SYNTH = INPUTS[-1:]
SWEEP = "python -m apps.forest.sweep"
MEASURED_BY = f"Forests are too large to be carried: `{SWEEP}` grows them where they are measured."


def _needed(
    inputs: tuple[str, ...], trees: int, depth: int, variants: tuple[str, ...], on_gpu: tuple[str, ...]
) -> Needed:
    return Needed(
        "forest",
        inputs,
        variants,
        on_gpu,
        cores="most",
        parameters={"trees": trees, "depth": depth},
        quick_inputs=QUICK_INPUTS,
        elsewhere=SWEEP,
    )


def _over_depths(inputs: tuple[str, ...], variants: tuple[str, ...], on_gpu: tuple[str, ...]) -> tuple[Needed, ...]:
    return tuple(_needed(inputs, TREES, depth, variants, on_gpu) for depth in DEPTHS)


def _inputs(measured: Measured) -> list[str]:
    return list(dict.fromkeys(name for needed in measured.needs for name in needed.inputs))


def _record(measured: Measured, name: str, variant: str, on: int, depth: int, trees: int = TREES) -> Record | None:
    for needed in measured.needs:
        if needed.parameters == {"trees": trees, "depth": depth} and name in needed.inputs:
            return measured.record(needed.key(name, variant, on))
    return None


def _short(name: str) -> str:
    return name.partition(":")[0]


def _mean(ratios: Sequence[float]) -> str:
    return times_as_fast(exp(sum(map(log, ratios)) / len(ratios)))


# ------------------------------------------------------------------------------------------- figure 5.10

ASKED_10 = ("iterative-4",)  # its records say how large the forest is in each layout


def _bytes(measured: Measured, name: str, levels: int, depth: int) -> float | None:
    record = _record(measured, name, ASKED_10[0], measured.most_cores, depth)
    return record.parameters[f"h{levels}_bytes"] / record.parameters["csr_bytes"] if record else None


def _rows_10(measured: Measured) -> Sequence[Table]:
    rows = []
    for name in _inputs(measured):
        for levels, layout in zip(SUBTREE_DEPTHS, LAYOUTS, strict=True):
            found = [_bytes(measured, name, levels, depth) for depth in DEPTHS]
            cells = ("" if ratio is None else f"{ratio:.2f}" for ratio in found)
            rows.append((_short(name), layout, *cells))
    header = ("input", "layout", *(f"depth {depth}" for depth in DEPTHS))
    return [Table("Bytes of subtrees divided by those of CSR, 100 trees", header, tuple(rows), 2)]


def _draw_10(measured: Measured) -> Any:
    shown = []
    for name in _inputs(measured):
        series = {
            layout: [(depth, r) for depth in DEPTHS if (r := _bytes(measured, name, levels, depth)) is not None]
            for levels, layout in zip(SUBTREE_DEPTHS, LAYOUTS, strict=True)
        }
        shown.append(Lines(_short(name), series, {}))
    return lines("Wu, figure 5.10: memory of forests in subtrees", "depth of the trees", "bytes / bytes of CSR", shown)


SAID_10 = f"""Of 32 forests, on Covtype, Higgs, Susy and Synth with depths from 8 on, subtrees of 3, 4 and 5 levels
take less memory than CSR in 21, 25 and 24 cases; with depths above 11 in 7, 11 and 12 of them (section 5.7.2, figure
5.10).

The inputs here are made at random with as many columns and classes, 500,000 rows each, of which 100,000 train and
150,000 are asked. Forests of less depth, or of fewer trees, are cut out of the largest one.

{MEASURED_BY}"""


def _found_10(measured: Measured) -> str:
    names = _inputs(measured)
    found = {
        layout: [r for name in names for d in DEPTHS if (r := _bytes(measured, name, levels, d)) is not None]
        for levels, layout in zip(SUBTREE_DEPTHS, LAYOUTS, strict=True)
    }
    if not all(found.values()):
        return ""
    parts = (
        f"{layout} takes less than CSR in {sum(r < 1 for r in ratios)} of {len(ratios)} cases ({min(ratios):.2f} to "
        f"{max(ratios):.2f} of it)"
        for layout, ratios in found.items()
    )
    return f"{'; '.join(parts)}."


# ------------------------------------------------------------------------------------------- figure 5.11

PAIRS = tuple(f"{kernel}-{levels}" for kernel in KERNELS for levels in SUBTREE_DEPTHS)
VARIANTS_11 = tuple(name for pair in PAIRS for name in (pair, f"{pair}-atomic"))


def _gain(measured: Measured, name: str, pair: str, on: int, depth: int, trees: int) -> float | None:
    free, atomic = (_record(measured, name, each, on, depth, trees) for each in (pair, f"{pair}-atomic"))
    return free.ms / atomic.ms if free and atomic else None


AXES_11 = {"trees": [(DEEPEST, trees) for trees in (*NUMBERS, TREES)], "depth": [(depth, TREES) for depth in DEPTHS]}


def _rows_11(measured: Measured) -> Sequence[Table]:
    tables = []
    for axis, places in AXES_11.items():
        rows = []
        for name in _inputs(measured):
            for on in (measured.most_cores, GPU):
                for pair in PAIRS:
                    found = [_gain(measured, name, pair, on, depth, trees) for depth, trees in places]
                    if any(found):
                        rows.append((_short(name), in_words(on), pair, *map(times_as_fast, found)))
        values = (str(trees if axis == "trees" else depth) for depth, trees in places)
        title = f"How many times as fast the atomic mapping is, by {axis}"
        tables.append(Table(title, ("input", "on", "kernel", *(f"{axis} {value}" for value in values)), tuple(rows), 3))
    return tables


def _draw_11(measured: Measured) -> Any:
    shown = []
    for axis, places in AXES_11.items():
        for name in _inputs(measured):
            for on in (measured.most_cores, GPU):
                series = {
                    pair: [
                        (trees if axis == "trees" else depth, gain)
                        for depth, trees in places
                        if (gain := _gain(measured, name, pair, on, depth, trees)) is not None
                    ]
                    for pair in PAIRS
                }
                shown.append(Lines(f"{_short(name)}, {in_words(on)}, by {axis}", series, {}))
    return lines("Wu, figure 5.11: atomic mapping over atomic-free", "trees, or their depth", "times as fast", shown)


SAID_11 = f"""Synth on a V100 (section 5.7.3, figure 5.11). With depth 15 and 20 to 100 trees, the atomic mapping is
slightly better than the atomic-free one, whatever the number of trees. With 100 trees, it is up to 2.2 times as fast
where the depth is below 12, and equal or better everywhere: a block asks few trees, which its cache holds for the
next rows.

{MEASURED_BY}"""


def _found_11(measured: Measured) -> str:
    parts = []
    for on in (measured.most_cores, GPU):
        for name, places in (("depths below 12", DEPTHS[:4]), ("depths from 12 on", DEPTHS[4:])):
            found = [
                gain
                for each in _inputs(measured)
                for depth in places
                for pair in PAIRS
                if (gain := _gain(measured, each, pair, on, depth, TREES)) is not None
            ]
            if found:
                low, high = times_as_fast(min(found)), times_as_fast(max(found))
                parts.append(f"- {in_words(on)}, {name}: {_mean(found)} times on average ({low} to {high}).")
    return "\n".join(parts)


# ------------------------------------------------------------------------------------------- figures 5.12 and 5.13

ATOMIC = tuple(f"{pair}-atomic" for pair in PAIRS)
VARIANTS_12 = ("csr", "csr-atomic", *ATOMIC)


def _speedup(measured: Measured, name: str, variant: str, on: int, depth: int) -> float | None:
    """Return how many times as fast as the better one of CSR a variant is."""
    own = _record(measured, name, variant, on, depth)
    base = [r.ms for each in ("csr", "csr-atomic") if (r := _record(measured, name, each, on, depth))]
    return min(base) / own.ms if own and base else None


def _accuracy(measured: Measured, name: str, depth: int) -> float | None:
    for on in (measured.most_cores, GPU):
        record = _record(measured, name, "csr-atomic", on, depth)
        if record:
            return record.parameters["accuracy"]
    return None


def _rows_12(measured: Measured) -> Sequence[Table]:
    rows = []
    for name in _inputs(measured):
        known = [_accuracy(measured, name, depth) for depth in DEPTHS]
        rows.append((_short(name), "", "accuracy", *("" if a is None else f"{100 * a:.1f} %" for a in known)))
        for on in (measured.most_cores, GPU):
            for variant in ATOMIC:
                found = [_speedup(measured, name, variant, on, depth) for depth in DEPTHS]
                if any(found):
                    rows.append((_short(name), in_words(on), variant, *map(times_as_fast, found)))
    header = ("input", "on", "kernel", *(f"depth {depth}" for depth in DEPTHS))
    return [Table("Times as fast as CSR, 100 trees; of CSR the better mapping counts", header, tuple(rows), 3)]


def _panels_12(measured: Measured) -> Iterator[Lines]:
    for kernel in KERNELS:
        for name in _inputs(measured):
            for on in (measured.most_cores, GPU):
                series = {
                    layout: [
                        (depth, ratio)
                        for depth in DEPTHS
                        if (ratio := _speedup(measured, name, f"{kernel}-{levels}-atomic", on, depth)) is not None
                    ]
                    for levels, layout in zip(SUBTREE_DEPTHS, LAYOUTS, strict=True)
                }
                known = [(depth, a) for depth in DEPTHS if (a := _accuracy(measured, name, depth)) is not None]
                yield Lines(f"{_short(name)}, {kernel}, {in_words(on)}", series, {"accuracy": known})


def _draw_12(number: str, measured: Measured) -> Any:
    title = f"Wu, figure {number}: subtrees over CSR"
    shown = [panel for panel in _panels_12(measured) if any(panel.series.values())]
    columns = max(1, len(shown) // len(KERNELS))  # a row for each kernel
    return lines(title, "depth of the trees", "times as fast as CSR", shown, columns=columns)


SAID_12 = f"""100 trees (96 in section 5.7.1) of depths 8 to 15 on a V100, subtrees of 3, 4 and 5 levels (h-sd3 to
h-sd5) with the atomic mapping, against CSR (section 5.7.3, figures 5.12 and 5.13: curves up to some 5 times, for
Susy). Accuracy grows with the depth: 78 to 80 % for Susy, 84 to 98 % for Synth.

{MEASURED_BY}"""


def _found_12(measured: Measured) -> str:
    parts = []
    for on in (measured.most_cores, GPU):
        for name in _inputs(measured):
            found = {
                variant: [r for depth in DEPTHS if (r := _speedup(measured, name, variant, on, depth)) is not None]
                for variant in ATOMIC
            }
            found = {variant: ratios for variant, ratios in found.items() if ratios}
            if found:
                best = max(found, key=lambda variant: sum(map(log, found[variant])) / len(found[variant]))
                first, last = times_as_fast(found[best][0]), times_as_fast(found[best][-1])
                parts.append(
                    f"- {_short(name)}, {in_words(on)}: {best} is the best, {_mean(found[best])} times as fast as CSR "
                    f"on (geometric) average; {first} at the least depth, {last} at the greatest."
                )
    return "\n".join(parts)


def _figure_12(number: str, inputs: tuple[str, ...]) -> PaperTable:
    return PaperTable(
        name=f"wu-{number}",
        paper=PAPER,
        number=f"figure {number}",
        title=f"subtrees over CSR, {' and '.join(map(_short, inputs))}",
        needs=_over_depths(inputs, VARIANTS_12, VARIANTS_12),
        rows=_rows_12,
        said=SAID_12,
        found=_found_12,
        draw=partial(_draw_12, number),
    )


TABLES = (
    PaperTable(
        name="wu-5.10",
        paper=PAPER,
        number="figure 5.10",
        title="memory of forests in subtrees",
        needs=_over_depths(INPUTS, ASKED_10, ()),
        rows=_rows_10,
        said=SAID_10,
        found=_found_10,
        draw=_draw_10,
    ),
    PaperTable(
        name="wu-5.11",
        paper=PAPER,
        number="figure 5.11",
        title="the atomic mapping and the atomic-free one",
        needs=(
            *_over_depths(SYNTH, VARIANTS_11, VARIANTS_11),
            *(_needed(SYNTH, trees, DEEPEST, VARIANTS_11, VARIANTS_11) for trees in NUMBERS),
        ),
        rows=_rows_11,
        said=SAID_11,
        found=_found_11,
        draw=_draw_11,
    ),
    _figure_12("5.12", INPUTS[:2]),
    _figure_12("5.13", INPUTS[2:]),
)
