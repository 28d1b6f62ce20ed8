"""Figures of the suite: one for each question, all platforms in it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from .measure import Machine, Record, Taken
from .peers.report import duration
from .report import panel_of
from .suite import GPU, QUESTIONS, Question


def plot(records: Sequence[Record], machine: Machine, others: Sequence[Taken], folder: Path) -> list[Path]:
    """Write a figure for each question that has records; return the files.

    Of `others`, results taken before, dashed lines show GPUs, unless `machine` has one, and the default mapping of
    other CPUs. A point without right results is left out.
    """
    import matplotlib

    matplotlib.use("Agg")

    folder.mkdir(parents=True, exist_ok=True)
    overlaid = [(other, _overlaid(machine, other, found)) for other, found in others]
    files = []
    for question in QUESTIONS:
        taken = [(source, _of_question(question, found)) for source, found in ((machine, list(records)), *overlaid)]
        if taken[0][1]:
            files.append(_draw(question, taken, folder / f"{question.name}.svg"))
    return files


def _of_question(question: Question, records: Sequence[Record]) -> list[Record]:
    return [record for record in records if record.bench == question.name and record.checked]


def _overlaid(machine: Machine, other: Machine, records: Sequence[Record]) -> list[Record]:
    """Return what a figure of `machine` shows of another one's records."""
    shown = []
    for record in records:
        mapping = record.mapping
        if mapping["target"] == GPU:
            if not machine.gpu:
                shown.append(record)
        elif (other.machine, other.hardware_threads) != (machine.machine, machine.hardware_threads):
            best = mapping["target"] == next(iter(other.compiler)) and not mapping["lanes"]
            default = best and mapping["hthreads_per_block"] == "1" and not mapping["affinity"]
            if default and mapping["cores"] in (1, other.hardware_threads):
                shown.append(record)
    return shown


def _draw(question: Question, taken: Sequence[Taken], file: Path) -> Path:
    from matplotlib import pyplot

    everything = [record for _, records in taken for record in records]
    panels = list(dict.fromkeys(panel_of(question, record) for record in everything))
    columns = min(len(panels), 3) if len(panels) != 4 else 2
    rows = -(-len(panels) // columns)
    size = (4.2 * columns + 3.2, 3.4 * rows + 0.6)
    figure, grid = pyplot.subplots(rows, columns, squeeze=False, sharex=True, sharey=True, figsize=size)
    styles = _styles(taken)
    for axes, panel in zip(grid.flat, panels, strict=False):
        for (label, style), line in zip(styles, _lines(question, taken, panel), strict=True):
            if line:
                axes.plot(*zip(*line, strict=True), label=label, **style)
        _dress(axes, question, [record for record in everything if panel_of(question, record) == panel], panel)
    for axes in list(grid.flat)[len(panels) :]:
        axes.set_visible(False)
    values = [record.params[question.x] for record in everything]
    unit = everything[0].unit.removeprefix("ns ")
    grid.flat[0].set_ylabel(f"time relative to {question.x} = {min(values)}" if question.relative else unit)
    handles = {label: line for axes in grid.flat for line, label in zip(*axes.get_legend_handles_labels(), strict=True)}
    place = (1 - 3.1 / size[0], 0.5)
    figure.legend(handles.values(), handles.keys(), fontsize=7, frameon=False, loc="center left", bbox_to_anchor=place)
    figure.suptitle(f"{question.name}: {question.text}; {taken[0][0].machine}, {taken[0][0].date}", fontsize=10)
    figure.tight_layout(rect=(0, 0, 1 - 3.1 / size[0], 1))
    figure.savefig(file)
    pyplot.close(figure)
    return file


def _styles(taken: Sequence[Taken]) -> list[tuple[str, dict[str, Any]]]:
    """Return a label and a line style for every platform of every machine; results taken before are dashed."""
    from matplotlib import colormaps

    styles: list[tuple[str, dict[str, Any]]] = []
    for number, (machine, records) in enumerate(taken):
        for platform in dict.fromkeys(record.platform for record in records):
            place = machine.gpu.split(", driver")[0] if platform == "gpu" else machine.machine
            label = f"{place}, {platform}" if number or platform == "gpu" else platform
            colour = "black" if platform == "gpu" else colormaps["tab20"](len(styles) % 20)
            line = {"color": colour, "linestyle": "--" if number else "-", "marker": ".", "linewidth": 1.2}
            styles.append((label, line))
    return styles


def _lines(question: Question, taken: Sequence[Taken], panel: str) -> list[list[tuple[float, float]]]:
    """Return the points of a panel's line for every platform of every machine, in the order of `_styles`."""
    lines = []
    for _, records in taken:
        for platform in dict.fromkeys(record.platform for record in records):
            shown = [r for r in records if r.platform == platform and panel_of(question, r) == panel]
            line = sorted((float(record.params[question.x]), record.median) for record in shown)
            if question.relative and line:
                line = [(x, y / line[0][1]) for x, y in line]
            lines.append(line)
    return lines


def _dress(axes: Any, question: Question, records: Sequence[Record], panel: str) -> None:
    """Give a panel its axes: logarithmic both, with room for 0 on the horizontal one if there is one."""
    values = sorted({float(record.params[question.x]) for record in records})
    least = min((value for value in values if value > 0), default=1)
    if values[0] == 0:
        axes.set_xscale("symlog", base=2, linthresh=least, linscale=0.5)
    else:
        axes.set_xscale("log", base=2)
    axes.set_xticks(values, map(_short, values), rotation=90 if len(values) > 8 else 0)
    axes.minorticks_off()
    axes.set_yscale("log")
    axes.yaxis.set_major_formatter(_factor if question.relative else _time)
    axes.set_xlabel(question.x_label, fontsize=8)
    axes.tick_params(labelsize=7)
    axes.grid(linewidth=0.3)
    names = panel.split(", ") if panel else []
    title = ", ".join(f"{name}: {value}" for name, value in zip(question.panels, names, strict=True))
    axes.set_title(title, fontsize=9)


def _short(value: float) -> str:
    """Write 2048 as 2K."""
    for size, letter in ((2**20, "M"), (2**10, "K")):
        if value >= size and value % size == 0:
            return f"{value / size:.0f}{letter}"
    return f"{value:.0f}"


def _time(ns: float, _: object) -> str:
    return duration(ns * 1e-6)


def _factor(value: float, _: object) -> str:
    return f"{value:g}"
