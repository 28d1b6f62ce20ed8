"""The figures of Wu (2017), chapter 5: memory of layouts, mappings compared, subtrees against CSR."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from ..harness import Record
from ..machine import CUDA

DEPTHS = (3, 4, 5)
KERNELS = ("iterative", "encoded", "collaborative")
COLOURS = {3: "#0072B2", 4: "#D55E00", 5: "#009E73"}
MARKERS = dict(zip(KERNELS, "os^", strict=True))

Line = tuple[str, str, str, list[tuple[float, float]]]  # label, colour, marker, points


def draw(title: str, records: Sequence[Record], folder: Path) -> list[Path]:
    """Draw what there are records of; return the files."""
    right = [record for record in records if record.checked]
    found = _memory(right)
    for where, own in (("cpu", _on_cpu(right)), ("gpu", [record for record in right if record.target == CUDA])):
        for name, panels in (("mappings", _mappings(own)), ("subtrees", _subtrees(own))):
            found |= {f"{name}-{where}": panels} if panels else {}
    return [
        _draw(f"{title}\n{_in_words(name)}", panels, folder / f"forest-{name}.svg")
        for name, panels in found.items()
        if panels
    ]


def _in_words(name: str) -> str:
    what, _, where = name.partition("-")
    return f"{what}, {where.upper()}" if where else what


def _on_cpu(records: Sequence[Record]) -> list[Record]:
    """Return the records of kernels on the most cores that there are any of."""
    own = [record for record in records if record.target not in (CUDA, "c++", "python")]
    most = max((record.cores for record in own), default=0)
    return [record for record in own if record.cores == most]


def _name(record: Record) -> str:
    return record.input.split(",")[0]


def _points(records: Iterable[Record], by: str, value: Callable[[Record], float | None]) -> list[tuple[float, float]]:
    """Return where a line goes through; it is one if there are two points."""
    found = {record.parameters[by]: found for record in records if (found := value(record)) is not None}
    return sorted(found.items()) if len(found) > 1 else []


def _memory(records: Sequence[Record]) -> dict[str, dict[str, list[Line]]]:
    """Figure 5.10: the bytes of subtrees, relative to CSR."""
    panels: dict[str, list[Line]] = {}
    for name in dict.fromkeys(map(_name, records)):
        own = [record for record in records if _name(record) == name]
        for depth in DEPTHS:
            points = _points(own, "depth", lambda r, d=depth: r.parameters[f"h{d}_bytes"] / r.parameters["csr_bytes"])  # type: ignore[misc]
            if points:
                panels.setdefault(f"{name}: bytes / bytes of CSR, by depth of trees", []).append(
                    (f"subtrees of {depth}", COLOURS[depth], "o", points)
                )
    return {"memory": panels}


def _mappings(records: Sequence[Record]) -> dict[str, list[Line]]:
    """Figure 5.11: the atomic-free mapping's time divided by the atomic one's."""
    panels: dict[str, list[Line]] = {}
    for name in dict.fromkeys(map(_name, records)):
        for by, fixed in (("trees", "depth"), ("depth", "trees")):
            own = [record for record in records if _name(record) == name]
            own = _of_the_greatest(own, fixed)
            for kernel in KERNELS:
                for depth in DEPTHS:
                    variant = f"{kernel}-{depth}"
                    points = _points(own, by, lambda r, v=variant, o=own: _ratio(o, r, v, f"{v}-atomic"))  # type: ignore[misc]
                    if points:
                        panels.setdefault(f"{name}: free / atomic, by {by}", []).append(
                            (variant, COLOURS[depth], MARKERS[kernel], points)
                        )
    return panels


def _of_the_greatest(records: Sequence[Record], parameter: str) -> list[Record]:
    most = max((record.parameters[parameter] for record in records), default=0)
    return [record for record in records if record.parameters[parameter] == most]


def _subtrees(records: Sequence[Record]) -> dict[str, list[Line]]:
    """Figures 5.12 and 5.13: the time of CSR divided by that of subtrees, each with its better mapping.

    Over the depth of the trees as there, and over their number.
    """
    panels: dict[str, list[Line]] = {}
    for name in dict.fromkeys(map(_name, records)):
        for by, fixed, text in (("depth", "trees", "depth of trees"), ("trees", "depth", "number of trees")):
            own = _of_the_greatest([record for record in records if _name(record) == name], fixed)
            for kernel in KERNELS:
                lines = _lines_of(own, by, kernel)
                if lines:
                    panels[f"{name}, {kernel}: CSR / subtrees, by {text}"] = lines
    return panels


def _lines_of(records: Sequence[Record], by: str, kernel: str) -> list[Line]:
    """Return a line for each depth of subtrees, and one of the forests' accuracy if there are any."""
    lines: list[Line] = []
    for depth in DEPTHS:
        points = _points(records, by, lambda r, d=depth: _against_csr(records, r, f"{kernel}-{d}"))  # type: ignore[misc]
        lines += [(f"subtrees of {depth}", COLOURS[depth], "o", points)] if points else []
    accuracy = _points(records, by, lambda r: r.parameters["accuracy"])
    return [*lines, ("accuracy", "#777777", "", accuracy)] if lines and accuracy else lines


def _ratio(records: Sequence[Record], at: Record, slow: str, quick: str) -> float | None:
    ms = {record.variant: record.ms for record in records if record.input == at.input}
    return ms[slow] / ms[quick] if slow in ms and quick in ms else None


def _against_csr(records: Sequence[Record], at: Record, variant: str) -> float | None:
    ms = {record.variant: record.ms for record in records if record.input == at.input}
    both = [
        min((ms[name] for name in (base, f"{base}-atomic") if name in ms), default=None) for base in ("csr", variant)
    ]
    return both[0] / both[1] if both[0] is not None and both[1] is not None else None


def _draw(title: str, panels: dict[str, list[Line]], file: Path) -> Path:
    from matplotlib import pyplot

    columns = min(3, len(panels))
    rows = -(-len(panels) // columns)
    size = (5.0 * columns, 0.6 + 2.6 * rows)
    figure, axes = pyplot.subplots(rows, columns, figsize=size, squeeze=False, layout="constrained")
    for ax in axes.ravel()[len(panels) :]:
        ax.set_visible(False)
    for ax, (name, lines) in zip(axes.ravel(), panels.items(), strict=False):
        _draw_panel(ax, name, lines)
    figure.suptitle(title, fontsize=8, x=0.01, ha="left")
    figure.savefig(file, metadata={"Date": None}, bbox_inches="tight")
    pyplot.close(figure)
    return file


def _draw_panel(axes: Any, name: str, lines: list[Line]) -> None:
    beside = 1.0
    for label, colour, marker, points in lines:
        on = axes.twinx() if label == "accuracy" else axes
        style = {"linestyle": ":", "zorder": 0} if label == "accuracy" else {"marker": marker, "markersize": 3.5}
        on.plot(*zip(*points, strict=True), color=colour, label=label, linewidth=1.2, **style)
        if label == "accuracy":
            on.set_ylabel("accuracy", color=colour)
            on.spines["right"].set_visible(True)
            beside = 1.25
    axes.axhline(1, color="black", linewidth=0.6)
    axes.set_xticks(sorted({x for _, _, _, points in lines for x, _ in points}))
    axes.set_title(name)
    axes.legend(frameon=False, fontsize=6, loc="upper left", bbox_to_anchor=(beside, 1.0))
