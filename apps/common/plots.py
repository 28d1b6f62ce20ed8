"""Figures of records: speed-ups of the variants, scaling over cores, CPU against GPU."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from math import log2
from pathlib import Path
from typing import Any

from ..harness import Record
from ..machine import CUDA, Machine
from .app import app_of, names
from .drawing import LETTER, SETTINGS, figure, finish, line, panels, style
from .nested_records import LEVELS, Forms, configurations_of, forms_of
from .summary import Duel, Place, core_counts, duels, in_words, is_kernel, over_cores, places, right, with_transfers
from .tables import axis_of, question_of


def plot(machine: Machine, records: Sequence[Record], folder: Path) -> list[Path]:
    """Write figures of what there are records of; return the files. Wrong answers have no bar."""
    import matplotlib

    matplotlib.use("Agg")
    folder.mkdir(parents=True, exist_ok=True)
    files = []
    numbers = _numbers(records)
    with matplotlib.rc_context(SETTINGS):
        for app in dict.fromkeys(record.app for record in records):
            own = [record for record in records if record.app == app and record.ratio]
            if own:
                files.append(folder / f"{app}.svg")
                _draw_speedups(own, numbers, machine, files[-1])
        for app in dict.fromkeys(record.app for record in records):
            axis = axis_of(app)
            over = [record for record in records if record.app == app and record.checked and axis in record.parameters]
            if len({record.parameters[axis] for record in over}) > 1:
                files.append(folder / f"{app}-{axis.replace(' ', '-')}.svg")
                _draw_over(over, axis, machine, files[-1])
            if app in names() and (figures := app_of(app).figures):
                files += figures(_title_of(app, machine), [record for record in records if record.app == app], folder)
        if scaling := _scaling(records):
            files.append(folder / "scaling.svg")
            _draw_scaling(scaling, _title("times as fast as one core", machine), files[-1])
        if found := duels(records):
            files.append(folder / "gpu.svg")
            _draw_duels(found, _title(f"CPU and GPU, {_gpu(machine)}", machine), files[-1])
        if nested := forms_of(records):
            files.append(folder / "nested.svg")
            _draw_nested(nested, _title("launches from kernels, and how many there are", machine), files[-1])
        if sizes := [forms for forms in nested if configurations_of(forms)]:
            files.append(folder / "configurations.svg")
            _draw_configurations(sizes, _title("sizes of consolidated grids", machine), files[-1])
    return files


def _numbers(records: Sequence[Record]) -> dict[str, int]:
    """Number the variants, so that each has one colour in all figures."""
    return {name: number for number, name in enumerate(dict.fromkeys(r.variant for r in records if r.ratio))}


def _title(what: str, machine: Machine) -> str:
    cpu = " ".join(machine.machine.replace("(R)", "").replace("(TM)", "").replace("Processor", "").split())
    return f"{what}\n{cpu}, {machine.date}"


def _title_of(app: str, machine: Machine) -> str:
    return _title(f"{app}: {question_of(app)}", machine)


def _gpu(machine: Machine) -> str:
    return machine.gpu.split(", driver")[0]


def _panel(cores: int, machine: Machine) -> str:
    return in_words(cores) if cores else _gpu(machine)


# ------------------------------------------------------------------------------------------- speed-ups


def _draw_speedups(records: Sequence[Record], numbers: dict[str, int], machine: Machine, file: Path) -> None:
    """Draw a panel for each number of cores that kernels ran on, and for a GPU: bars for each input and order.

    A variant's bar goes up from 1 if it is quicker than the quickest baseline, and down if it is slower.
    """
    counts = core_counts(record for record in records if is_kernel(record) or record.target == CUDA) or core_counts(
        records
    )
    records = [record for record in records if record.cores in counts]
    groups = places(records)
    labels = [place.name.replace(", ", "\n") for place in groups]
    names = sorted({record.variant for record in records}, key=numbers.__getitem__)
    letters = max(len(line) for label in labels for line in label.split("\n"))
    group = max(0.13 * (len(names) + 2), LETTER * (letters + 1))
    drawn, shown = panels(len(counts), 1, max(4.0, group * len(groups) + 1), 1.2 + 1.9 * len(counts))
    width = 0.9 / len(names)
    for axes, cores in zip(shown, counts, strict=True):
        here = [record for record in records if record.cores == cores]
        for number, name in enumerate(names):
            heights = [_ratio(here, place, name) for place in groups]
            at = [i - 0.45 + (number + 0.5) * width for i in range(len(groups))]
            _bars(axes, at, heights, width, name, numbers[name])
        axes.axhline(1, color="black", linewidth=0.8)
        axes.set_title(_panel(cores, machine), loc="left")
        axes.set_xticks(range(len(groups)), labels)
        axes.set_xlim(-0.6, len(groups) - 0.4)
    drawn.supylabel("times as fast as the quickest baseline", fontsize=8)
    finish(drawn, shown, _title_of(records[0].app, machine), file)


def _ratio(records: Sequence[Record], place: Place, name: str) -> float | None:
    """Return how many times as fast as the quickest baseline a variant is; nothing of that baseline."""
    own = (record for record in right(records, place) if record.variant == name != record.baseline)
    return next((record.ratio for record in own), None)


def _bars(axes: Any, at: Sequence[float], heights: Sequence[float | None], width: float, label: str, n: int) -> None:
    """Draw bars of ratios on a logarithmic axis, up or down from 1; those that are None are left out."""
    there = [(x, height - 1) for x, height in zip(at, heights, strict=True) if height is not None]
    if there:
        axes.bar(*zip(*there, strict=True), width, bottom=1, label=label, **style(n))


# ------------------------------------------------------------------------------------------- over a parameter


def _draw_over(records: Sequence[Record], axis: str, machine: Machine, file: Path) -> None:
    """Draw times over a parameter: a panel for each number of cores and a GPU, a line for each variant and order."""
    counts = core_counts(records)
    drawn, shown = panels(1, len(counts), 1.2 + 2.6 * len(counts), 3.6)
    orders = list(dict.fromkeys(record.order for record in records))
    names = list(dict.fromkeys(record.variant for record in records))
    for axes, cores in zip(shown, counts, strict=True):
        for name, order in product(names, orders):
            own = [r for r in records if (r.cores, r.variant, r.order) == (cores, name, order)]
            points = sorted((record.parameters[axis], record.ms) for record in own)
            if points:
                dashes = ("-", "--", ":")[orders.index(order) % 3]
                label = f"{name}, {order}" if len(orders) > 1 else name
                axes.plot(*zip(*points, strict=True), label=label, linestyle=dashes, **line(names.index(name)))
        axes.set_title(_panel(cores, machine), loc="left")
        axes.set_xlabel(axis)
    values = {record.parameters[axis] for record in records}
    shown[0].set_xscale("log", base=2 if all(value == 2 ** round(log2(value)) for value in values) else 10)
    shown[0].set_ylabel("ms")
    finish(drawn, shown, _title_of(records[0].app, machine), file)


# ------------------------------------------------------------------------------------------- cores


def _scaling(records: Sequence[Record]) -> dict[Place, dict[int, Record]]:
    """Return the records of what ran on one core and on more, by number of cores."""
    found = {place: over_cores(records, place) for place in places(records)}
    return {place: by_cores for place, by_cores in found.items() if 1 in by_cores and len(by_cores) > 1}


def _draw_scaling(found: dict[Place, dict[int, Record]], title: str, file: Path) -> None:
    """Draw a line for each input and order of each application."""
    drawn, axes = figure(6.0, 4.2)
    for number, (place, by_cores) in enumerate(found.items()):
        counts = sorted(by_cores)
        label = f"{place.app}, {place.name}"
        axes.plot(counts, [by_cores[1].ms / by_cores[n].ms for n in counts], label=label, **line(number))
    counts = sorted({cores for by_cores in found.values() for cores in by_cores})
    axes.plot([1, counts[-1]], [1, counts[-1]], color="0.6", linestyle=":", label="in proportion", zorder=0)
    axes.set_xticks(counts)
    axes.set_xlabel("cores")
    axes.set_ylabel("times as fast as one core")
    finish(drawn, [axes], title, file)


# ------------------------------------------------------------------------------------------- CPU and GPU


def _draw_duels(found: Sequence[Duel], title: str, file: Path) -> None:
    """Draw for each place what the CPU, the GPU, and the GPU with its copies take."""
    labels = [f"{duel.place.app}, {duel.place.name}" for duel in found]
    drawn, axes = figure(max(4.0, 0.5 * len(found) + 1), 3.0 + LETTER * max(map(len, labels)))
    series = {
        "CPU": [duel.cpu.ms for duel in found],
        "GPU": [duel.gpu.ms for duel in found],
        "GPU with transfers": [with_transfers(duel.gpu_with_transfers) for duel in found],
        "GPU, recursive": [duel.gpu_recursive.ms if duel.gpu_recursive else 0.0 for duel in found],
    }
    for number, (name, times) in enumerate((name, times) for name, times in series.items() if any(times)):
        axes.bar([i - 0.3 + 0.2 * number for i in range(len(found))], times, 0.2, label=name, **style(number))
    axes.set_yscale("log")
    axes.set_ylabel("ms")
    axes.set_xticks(range(len(found)), labels, rotation=60, ha="right")
    finish(drawn, [axes], title, file)


# ------------------------------------------------------------------------------------------- nested launches


def _label(forms: Forms) -> str:
    return f"{forms.place.app}\n{forms.place.input}\n{in_words(forms.cores)}"


def _draw_nested(found: Sequence[Forms], title: str, file: Path) -> None:
    """Draw for each place how much faster than basic the other forms are, with the numbers of their launches beside."""
    drawn, axes = figure(max(6.0, 0.9 * len(found) + 1), 3.8)
    for number, name in enumerate(("flat", *LEVELS)):
        at = [i - 0.3 + 0.2 * number for i in range(len(found))]
        heights = [forms.speedup(name) for forms in found]
        _bars(axes, at, heights, 0.2, name, number)
        for x, height, forms in zip(at, heights, found, strict=True):
            if height and (made := forms.records[name].child_launches):
                end = "bottom" if height > 1 else "top"
                axes.text(x, height, f" {made} ", rotation=90, ha="center", va=end, fontsize=5)
    axes.axhline(1, color="black", linewidth=0.8)
    axes.set_yscale("log")
    axes.margins(y=0.2)
    axes.set_ylabel("times as fast as basic")
    axes.set_xticks(range(len(found)), [_label(forms) for forms in found])
    finish(drawn, [axes], title, file)


def _draw_configurations(found: Sequence[Forms], title: str, file: Path) -> None:
    """Draw for each place and level how much faster than basic each size of the consolidated grids is."""
    groups = [(forms, level) for forms in found for level in LEVELS]
    drawn, axes = figure(max(6.0, 0.7 * len(groups) + 1), 3.4)
    for number, name in enumerate(configurations_of(found[0])):
        heights = [configurations_of(forms)[name].get(level, 0.0) for forms, level in groups]
        axes.bar([i - 0.32 + 0.16 * number for i in range(len(groups))], heights, 0.16, label=name, **style(number))
    axes.set_ylabel("times as fast as basic")
    axes.set_xticks(range(len(groups)), [f"{_label(forms)}\n{level}" for forms, level in groups])
    finish(drawn, [axes], title, file)
