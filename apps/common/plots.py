"""Figures of records: speed-ups of the variants, scaling over cores, CPU against GPU."""

from __future__ import annotations

from collections.abc import Sequence
from math import log2
from pathlib import Path
from typing import Any

from ..harness import Record
from ..machine import Machine
from .app import app_of, names
from .nested_records import LEVELS, Forms, configurations_of, forms_of
from .summary import Duel, Place, duels, least_cores, over_cores, places, platform_of, right, with_transfers
from .tables import axis_of, question_of

# Colours that colour-blind people can tell apart (Okabe and Ito, "Color Universal Design", 2008), and greys.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#E69F00", "#CC79A7", "#56B4E9", "#8C510A", "#000000", "#777777", "#BBBBBB")
HATCHES = ("", "//", "..", "xx")  # when the colours begin again
SETTINGS: Any = {
    "svg.hashsalt": "apps",
    "font.size": 8,
    "axes.titlesize": 8,
    "axes.spines.top": False,
    "axes.spines.right": False,
}


def plot(machine: Machine, records: Sequence[Record], folder: Path) -> list[Path]:
    """Write figures of what there are records of; return the files. Wrong answers have no bar."""
    import matplotlib

    matplotlib.use("Agg")
    folder.mkdir(parents=True, exist_ok=True)
    files = []
    least = least_cores(records)
    numbers = _numbers(records, least)
    with matplotlib.rc_context(SETTINGS):
        for app in dict.fromkeys(record.app for record in records):
            own = [record for record in records if record.app == app and record.ratio]
            if own:
                files.append(folder / f"{app}.svg")
                _draw_speedups(own, numbers, least, _title(f"{app}: {question_of(app)}", machine), files[-1])
        for app in dict.fromkeys(record.app for record in records):
            axis = axis_of(app)
            over = [record for record in records if record.app == app and record.checked and axis in record.parameters]
            if len({record.parameters[axis] for record in over}) > 1:
                files.append(folder / f"{app}-{axis.replace(' ', '-')}.svg")
                _draw_over(over, axis, least, _title(f"{app}: {question_of(app)}", machine), files[-1])
            if app in names() and (figures := app_of(app).figures):
                title = _title(f"{app}: {question_of(app)}", machine)
                files += figures(title, [record for record in records if record.app == app], folder)
        if len({record.cores for record in records if record.checked and record.cores}) > 1:
            files.append(folder / "scaling.svg")
            _draw_scaling(records, _title("times as fast as one core", machine), files[-1])
        if found := duels(records):
            files.append(folder / "gpu.svg")
            _draw_duels(found, _title(f"CPU and GPU, {machine.gpu.split(', driver')[0]}", machine), files[-1])
        if nested := forms_of(records):
            files.append(folder / "nested.svg")
            _draw_nested(nested, _title("launches from kernels, and how many there are", machine), files[-1])
        if sizes := [forms for forms in nested if configurations_of(forms)]:
            files.append(folder / "configurations.svg")
            _draw_configurations(sizes, _title("sizes of consolidated grids", machine), files[-1])
    return files


def _numbers(records: Sequence[Record], least: int) -> dict[str, int]:
    """Number the variants, so that each has one colour in all figures."""
    names = dict.fromkeys(platform_of(record, least) for record in records if record.ratio)
    return {name: number for number, name in enumerate(names)}


def _title(what: str, machine: Machine) -> str:
    cpu = " ".join(machine.machine.replace("(R)", "").replace("(TM)", "").replace("Processor", "").split())
    return f"{what}\n{cpu}, {machine.date}"


# ------------------------------------------------------------------------------------------- speed-ups


def _draw_speedups(records: Sequence[Record], numbers: dict[str, int], least: int, title: str, file: Path) -> None:
    """Draw a group of bars for each input and order, a bar for each variant, as high as it is faster."""
    groups = places(records)
    names = list(dict.fromkeys(platform_of(record, least) for record in records))
    figure, axes = _figure(max(5.0, 0.16 * len(groups) * (len(names) + 2) + 1), 3.4)
    width = 0.9 / len(names)
    for number, name in enumerate(names):
        heights = [_ratio(records, place, name, least) for place in groups]
        at = [i - 0.45 + (number + 0.5) * width for i in range(len(groups))]
        axes.bar(at, heights, width, label=name, **_style(numbers[name]))
    axes.axhline(1, color="black", linewidth=0.8)
    axes.set_xticks(range(len(groups)), [place.name.replace(", ", "\n") for place in groups])
    axes.set_ylabel("times as fast as the quickest baseline")
    _finish(figure, axes, title, file)


def _ratio(records: Sequence[Record], place: Place, name: str, least: int) -> float:
    here = (record.ratio for record in right(records, place) if platform_of(record, least) == name)
    return next((ratio for ratio in here if ratio), 0.0)


# ------------------------------------------------------------------------------------------- over a parameter


def _draw_over(records: Sequence[Record], axis: str, least: int, title: str, file: Path) -> None:
    """Draw times over a parameter, a line for each variant, on numbers of cores and on a GPU, and for each order."""
    figure, axes = _figure(6.0, 4.2)
    orders = list(dict.fromkeys(record.order for record in records))
    names = list(dict.fromkeys(platform_of(record, least) for record in records))
    for number, name in enumerate(names):
        for order in orders:
            own = [record for record in records if record.order == order and platform_of(record, least) == name]
            points = sorted((record.parameters[axis], record.ms) for record in own)
            style = {"color": COLOURS[number % len(COLOURS)], "marker": "os^vDPX*"[number % 8], "markersize": 3.5}
            dashes = {"linestyle": ("-", "--", ":")[orders.index(order) % 3], "linewidth": 1.2}
            label = f"{name}, {order}" if len(orders) > 1 else name
            axes.plot(*zip(*points, strict=True) if points else ((), ()), label=label, **style, **dashes)
    values = {record.parameters[axis] for record in records}
    axes.set_xscale("log", base=2 if all(value == 2 ** round(log2(value)) for value in values) else 10)
    axes.set_yscale("log")
    axes.set_xlabel(axis)
    axes.set_ylabel("ms")
    _finish(figure, axes, title, file)


# ------------------------------------------------------------------------------------------- cores


def _draw_scaling(records: Sequence[Record], title: str, file: Path) -> None:
    """Draw a line for each input and order of each application."""
    figure, axes = _figure(6.0, 4.2)
    most = 1
    for place in places(records):
        by_cores = over_cores(records, place)
        if 1 in by_cores and len(by_cores) > 1:
            counts = sorted(by_cores)
            most = max(most, counts[-1])
            number = len(axes.get_lines())
            label = f"{place.app}, {place.name}"
            style = {"color": COLOURS[number % len(COLOURS)], "marker": "os^vDPX*"[number % 8], "markersize": 3.5}
            axes.plot(counts, [by_cores[1].ms / by_cores[n].ms for n in counts], label=label, linewidth=1.2, **style)
    axes.plot([1, most], [1, most], color="0.6", linestyle=":", label="in proportion", zorder=0)
    axes.set_xlabel("cores")
    axes.set_ylabel("times as fast as one core")
    _finish(figure, axes, title, file)


# ------------------------------------------------------------------------------------------- CPU and GPU


def _draw_duels(found: Sequence[Duel], title: str, file: Path) -> None:
    """Draw for each place what the CPU, the GPU, and the GPU with its copies take."""
    figure, axes = _figure(max(5.0, 0.5 * len(found) + 1), 3.8)
    series = {
        "CPU": [duel.cpu.ms for duel in found],
        "GPU": [duel.gpu.ms for duel in found],
        "GPU with transfers": [with_transfers(duel.gpu_with_transfers) for duel in found],
        "GPU, recursive": [duel.gpu_recursive.ms if duel.gpu_recursive else 0.0 for duel in found],
    }
    for number, (name, times) in enumerate(series.items()):
        axes.bar([i - 0.3 + 0.2 * number for i in range(len(found))], times, 0.2, label=name, **_style(number))
    axes.set_yscale("log")
    axes.set_ylabel("ms")
    labels = [f"{duel.place.app}, {duel.place.name}" for duel in found]
    axes.set_xticks(range(len(found)), labels, rotation=60, ha="right")
    _finish(figure, axes, title, file)


# ------------------------------------------------------------------------------------------- nested launches


def _label(forms: Forms) -> str:
    where = "GPU" if forms.cores == 0 else f"{forms.cores} core{'s' if forms.cores > 1 else ''}"
    return f"{forms.place.app}\n{forms.place.input}\n{where}"


def _draw_nested(found: Sequence[Forms], title: str, file: Path) -> None:
    """Draw for each place how much faster than basic the other forms are, with the numbers of their launches above."""
    names = ("flat", *LEVELS)
    figure, axes = _figure(max(6.0, 0.9 * len(found) + 1), 3.8)
    for number, name in enumerate(names):
        at = [i - 0.3 + 0.2 * number for i in range(len(found))]
        heights = [forms.speedup(name) or 0.0 for forms in found]
        axes.bar(at, heights, 0.2, label=name, **_style(number))
        for x, height, forms in zip(at, heights, found, strict=True):
            made = forms.records[name].child_launches if name in forms.records else None
            axes.text(x, height, f" {made}" if made else "", rotation=90, ha="center", va="bottom", fontsize=5)
    axes.axhline(1, color="black", linewidth=0.8)
    axes.set_yscale("log")
    axes.margins(y=0.3)
    axes.set_ylabel("times as fast as basic")
    axes.set_xticks(range(len(found)), [_label(forms) for forms in found])
    _finish(figure, axes, title, file)


def _draw_configurations(found: Sequence[Forms], title: str, file: Path) -> None:
    """Draw for each place and level how much faster than basic each size of the consolidated grids is."""
    groups = [(forms, level) for forms in found for level in LEVELS]
    figure, axes = _figure(max(6.0, 0.7 * len(groups) + 1), 3.4)
    for number, name in enumerate(configurations_of(found[0])):
        heights = [configurations_of(forms)[name].get(level, 0.0) for forms, level in groups]
        axes.bar([i - 0.32 + 0.16 * number for i in range(len(groups))], heights, 0.16, label=name, **_style(number))
    axes.set_ylabel("times as fast as basic")
    axes.set_xticks(range(len(groups)), [f"{_label(forms)}\n{level}" for forms, level in groups])
    _finish(figure, axes, title, file)


# ------------------------------------------------------------------------------------------- drawing


def _style(number: int) -> dict[str, Any]:
    hatch = HATCHES[number // len(COLOURS) % len(HATCHES)]
    return {"color": COLOURS[number % len(COLOURS)], "hatch": hatch, "zorder": 2}


def _figure(width: float, height: float) -> tuple[Any, Any]:
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(width, height))
    axes.grid(axis="y", linewidth=0.3, color="0.85")
    axes.set_axisbelow(True)
    return figure, axes


def _finish(figure: Any, axes: Any, title: str, file: Path) -> None:
    from matplotlib import pyplot

    axes.set_title(title)
    axes.legend(frameon=False, loc="upper left", bbox_to_anchor=(1.0, 1.0))
    figure.savefig(file, metadata={"Date": None}, bbox_inches="tight")
    pyplot.close(figure)
