"""Figures of the suite: one for each question, in it the most informative platforms; the tables have all."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from apps.machine import Machine

from .measure import Record, Taken, is_default
from .peers.report import duration
from .report import panel_of
from .suite import ALL, GPU, QUESTIONS, Mapping, Question

# Colours that colour-blind people can distinguish (Okabe and Ito, "Color Universal Design", 2008).
BLUE, SKY, ORANGE, RED, GREEN, PURPLE = "#0072B2", "#56B4E9", "#E69F00", "#D55E00", "#009E73", "#CC79A7"
BROWN, GREY = "#8C510A", "#777777"
OTHERS = ((BROWN, "--"), (GREY, ":"), (PURPLE, "-."))  # other machines: colour of the CPU, dashes of all
PANEL = (3.3, 2.6)  # inches
LINE_OF_LEGEND = 0.2  # inches
AFFINITY_DEGREES = (0, 512)


@dataclass(frozen=True)
class Line:
    """A platform in a figure: what it is called there, how it is drawn, and its records."""

    label: str
    style: dict[str, Any]
    records: list[Record]


def plot(records: Sequence[Record], machine: Machine, others: Sequence[Taken], folder: Path) -> list[Path]:
    """Write a figure for each question that has records; return the files.

    Of `others`, results taken before, dashed lines show GPUs, unless `machine` has one, and the default mapping of
    other CPUs. A point without right results is left out.
    """
    import matplotlib

    matplotlib.use("Agg")
    settings: Any = {
        "svg.hashsalt": "microbench",
        "font.size": 8,
        "axes.titlesize": 8,
        "axes.spines.top": False,
        "axes.spines.right": False,
    }

    folder.mkdir(parents=True, exist_ok=True)
    files = []
    for question in QUESTIONS:
        lines = lines_of(question, machine, records)
        if lines:
            for number, (other, found) in enumerate(others):
                lines += lines_of_other(question, machine, other, found, *OTHERS[number % len(OTHERS)])
            title = f"{question.name}: {question.text}\n{_short_name(machine.machine)}, {machine.date}"
            files.append(folder / f"{question.name}.svg")
            with matplotlib.rc_context(settings):
                _draw(question, lines, title, files[-1])
    bound = affinities(records)
    if bound:
        files.append(folder / "affinity.svg")
        where = f"{_short_name(machine.machine)}, {machine.date}"
        title = f"shared, by affinity: hthreads of a block bound to each core\n{where}"
        with matplotlib.rc_context(settings):
            _draw_affinities(bound, title, files[-1])
    return files


# ------------------------------------------------------------------------------------------- what is drawn


def lines_of(question: Question, machine: Machine, records: Sequence[Record]) -> list[Line]:
    """Choose what a figure shows of its own machine, at most ten lines.

    The default mapping on one core and on all, the other numbers of lanes, other targets, one hthread for each gang
    with either barrier, and the GPU: not what lies between one core and all, and no affinity.
    """
    found = _of_question(question, records)
    most = max((record.mapping["cores"] for record in found), default=1)
    best = next((target for target in machine.compiler if target != GPU), "")
    chosen = []
    for name in dict.fromkeys(record.platform for record in found):
        of_platform = [record for record in found if record.platform == name]
        mapping = Mapping(**of_platform[0].mapping)  # type: ignore[arg-type]
        if mapping.target == GPU:
            chosen.append(Line(_gpu_name(machine), _style("black", "*"), of_platform))
        elif mapping.cores in (1, most):
            colour_and_marker = _own_style(mapping, best)
            if colour_and_marker:
                chosen.append(Line(name, _style(*colour_and_marker), of_platform))
    return chosen


def _own_style(mapping: Mapping, best: str) -> tuple[str, str] | None:
    """Return colour and marker of a mapping, the same in every figure; None if it is not drawn."""
    default = Mapping(mapping.target, mapping.lanes, mapping.cores)
    team = (mapping.hthreads_per_block, mapping.affinity) == (ALL, 0)
    if mapping == default and mapping.target == best:
        one_core = (BLUE, "o") if mapping.cores == 1 else (RED, "s")
        return {0: one_core, 16: (SKY, "^"), 32: (ORANGE, "v")}.get(mapping.lanes)
    if mapping == default and mapping.lanes == 0:
        return GREEN, "D"
    if team:
        return (PURPLE, "P") if mapping.barrier == "ours" else (GREY, "X")
    return None


def lines_of_other(
    question: Question, machine: Machine, other: Machine, records: Sequence[Record], colour: str, dashes: str
) -> list[Line]:
    """Choose what a figure of `machine` shows of another one's records, all dashed.

    That is its GPU if `machine` has none, and the default mapping on one core and on all cores of another CPU.
    """
    found = _of_question(question, records)
    same = (other.machine, other.hardware_threads) == (machine.machine, machine.hardware_threads)
    chosen = []
    for name in dict.fromkeys(record.platform for record in found):
        of_platform = [record for record in found if record.platform == name]
        mapping = of_platform[0].mapping
        if mapping["target"] == GPU:
            if not machine.gpu:
                chosen.append(Line(_gpu_name(other), _style("black", "*", dashes), of_platform))
        elif not same and is_default(other, mapping) and mapping["cores"] in (1, other.hardware_threads):
            style = _style(colour, "o" if mapping["cores"] == 1 else "s", dashes)
            chosen.append(Line(f"{_short_name(other.machine)}, {name}", style, of_platform))
    return chosen


def _of_question(question: Question, records: Sequence[Record]) -> list[Record]:
    return [record for record in records if record.bench == question.name and record.checked]


def _style(colour: str, marker: str, dashes: str = "-") -> dict[str, Any]:
    size = {"*": 6.0, "P": 5.0, "X": 5.0}.get(marker, 3.5)
    on_top = 4 if marker in "os*" else 3
    return {
        "color": colour,
        "marker": marker,
        "markersize": size,
        "linestyle": dashes,
        "linewidth": 1.3,
        "zorder": on_top,
    }


def _gpu_name(machine: Machine) -> str:
    return machine.gpu.split(", driver")[0]


def _short_name(cpu: str) -> str:
    return " ".join(cpu.replace("(R)", "").replace("(TM)", "").replace("Processor", "").split())


def points(question: Question, records: Sequence[Record]) -> list[tuple[float, float]]:
    """Return the points of a line: medians, or medians relative to the first."""
    found = sorted((float(record.params[question.x]), record.median) for record in records)
    if question.relative:
        return [(x, y / found[0][1]) for x, y in found]
    return found


def affinities(records: Sequence[Record]) -> dict[str, dict[int, float]]:
    """Return the medians of `shared` by affinity, for the least and one of the large degrees (Wu's figure 6.12b).

    An affinity of 0 stands for hthreads that move freely. Without records of bound hthreads there is nothing.
    """
    found: dict[str, dict[int, float]] = {}
    for record in records:
        mapping = Mapping(**record.mapping)  # type: ignore[arg-type]
        if record.bench != "shared" or not record.checked or record.params["degree"] not in AFFINITY_DEGREES:
            continue
        if (mapping.hthreads_per_block, mapping.barrier) == (ALL, "ours"):
            found.setdefault(f"random degree {record.params['degree']}", {})[mapping.affinity] = record.median
    return {name: by_affinity for name, by_affinity in found.items() if any(by_affinity)}


# ------------------------------------------------------------------------------------------- drawing


def _draw_affinities(found: dict[str, dict[int, float]], title: str, file: Path) -> None:
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(5.4, 2.8))
    counts = sorted({affinity for by_affinity in found.values() for affinity in by_affinity})
    width = 0.8 / len(found)
    for number, (name, by_affinity) in enumerate(found.items()):
        at = [counts.index(affinity) - 0.4 + (number + 0.5) * width for affinity in by_affinity]
        bars = axes.bar(at, list(by_affinity.values()), width, label=name, color=(BLUE, RED)[number % 2], zorder=2)
        axes.bar_label(bars, [duration(ns * 1e-6) for ns in by_affinity.values()], fontsize=6)
    axes.grid(axis="y", linewidth=0.3, color="0.85")
    axes.set_yscale("log")
    axes.margins(y=0.15)
    axes.yaxis.set_major_formatter(_time)
    axes.set_ylabel("time per iteration")
    axes.set_xlabel("hthreads bound to a core")
    axes.set_xticks(range(len(counts)), [str(count) if count else "free" for count in counts])
    axes.legend(frameon=False)
    figure.suptitle(title, fontsize=9)
    figure.tight_layout()
    figure.savefig(file, metadata={"Date": None})
    pyplot.close(figure)


def _draw(question: Question, lines: Sequence[Line], title: str, file: Path) -> None:
    from matplotlib import pyplot

    everything = [record for line in lines for record in line.records]
    panels = list(dict.fromkeys(panel_of(question, record) for record in everything))
    columns = 2 if len(panels) == 4 else min(len(panels), 3)
    rows = -(-len(panels) // columns)
    columns_of_legend = min(len(lines), max(2, columns), 3)
    below = LINE_OF_LEGEND * -(-(len(lines) + question.relative) // columns_of_legend)
    width, height = max(PANEL[0] * columns, 5.4), PANEL[1] * rows + below + 0.5
    figure, grid = pyplot.subplots(rows, columns, squeeze=False, sharex=True, sharey=True, figsize=(width, height))
    for axes, panel in zip(grid.flat, panels, strict=False):
        for line in lines:
            shown = points(question, [record for record in line.records if panel_of(question, record) == panel])
            if shown:
                axes.plot(*zip(*shown, strict=True), label=line.label, **line.style)
        names = panel.split(", ") if panel else []
        axes.set_title(", ".join(f"{name}: {value}" for name, value in zip(question.panels, names, strict=True)))
        axes.grid(linewidth=0.3, color="0.85")
        axes.set_axisbelow(True)
    for axes in list(grid.flat)[len(panels) :]:
        axes.set_visible(False)
    xs = sorted({float(record.params[question.x]) for record in everything})
    ys = [y for line in lines for panel in panels for _, y in points(question, _in(question, line.records, panel))]
    if question.relative:
        grid[0, 0].plot(xs, [x / xs[0] for x in xs], color="0.6", linestyle=":", label="in proportion", zorder=0)
    _dress_x(grid[0, 0], xs)
    _dress_y(grid[0, 0], question, min(ys), max(ys))
    for axes in grid[-1]:
        axes.set_xlabel(question.x_label)
    what = f"relative to {question.x} = {xs[0]:.0f}" if question.relative else everything[0].unit.removeprefix("ns ")
    for row in grid:
        row[0].set_ylabel(f"time {what}")
    handles = {label: line for axes in grid.flat for line, label in zip(*axes.get_legend_handles_labels(), strict=True)}
    figure.legend(handles.values(), handles.keys(), frameon=False, loc="lower center", ncol=columns_of_legend)
    figure.suptitle(title, fontsize=9)
    figure.tight_layout(rect=(0, below / height, 1, 1))
    figure.savefig(file, metadata={"Date": None})
    pyplot.close(figure)


def _in(question: Question, records: Sequence[Record], panel: str) -> list[Record]:
    return [record for record in records if panel_of(question, record) == panel]


def _dress_x(axes: Any, values: Sequence[float]) -> None:
    """Make the horizontal axis logarithmic, with room for 0 if there is one, and label at most eight values."""
    least = min((value for value in values if value > 0), default=1)
    if values[0] == 0:
        axes.set_xscale("symlog", base=2, linthresh=least, linscale=0.5)
    else:
        axes.set_xscale("log", base=2)
    every = -(-len(values) // 8)
    axes.set_xticks(values, [_short(value) if i % every == 0 else "" for i, value in enumerate(values)])
    axes.minorticks_off()


def _dress_y(axes: Any, question: Question, least: float, most: float) -> None:
    """Make the vertical axis logarithmic: labels at powers of 10, with others between if there are few, or of 2."""
    from matplotlib.ticker import LogLocator, NullLocator

    if question.relative:
        axes.set_yscale("log", base=2)
        axes.yaxis.set_major_formatter(_factor)
    else:
        axes.set_yscale("log")
        between = (1.5, 2, 3, 5, 7) if most < 10 * least else (2, 5) if most < 1000 * least else ()
        axes.yaxis.set_major_locator(LogLocator(subs=(1, *between), numticks=12))
        axes.yaxis.set_minor_locator(NullLocator())
        axes.yaxis.set_major_formatter(_time)


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
