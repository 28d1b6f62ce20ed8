"""Figures of Wu's chapters: groups of bars, and lines over a parameter, in panels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..common import drawing

Heights = Sequence[float | None]  # None: nothing was measured


@dataclass(frozen=True)
class Bars:
    """A panel with a group of bars for each label, one of each series; a text may stand on a bar."""

    title: str
    labels: tuple[str, ...]
    series: Mapping[str, Heights]
    texts: Mapping[str, Sequence[str]] | None = None


@dataclass(frozen=True)
class Lines:
    """A panel with a line of points for each series; those of `shares` have an axis of their own on the right."""

    title: str
    series: Mapping[str, Sequence[tuple[float, float]]]
    shares: Mapping[str, Sequence[tuple[float, float]]]


def bars(
    title: str, what: str, shown: Sequence[Bars], *, scale: str = "log", base: float | None = None, columns: int = 2
) -> Any:
    """Draw panels of bars; `base`, if there is one, is where they begin and has a line. None if nothing is there.

    A group that has no bar in any panel of the same labels is left out.
    """
    found = [panel for panel in shown if _measured(panel)]
    if not found:
        return None
    found = [_without(panel, _empty(panel.labels, found)) for panel in found]
    names = list(dict.fromkeys(name for panel in found for name in panel.series))
    columns = min(columns, len(found))
    group = max(max(0.14 * (len(names) + 1), drawing.LETTER * (_letters(panel.labels) + 1)) for panel in found)
    width = columns * (max(group * len(panel.labels) for panel in found) + 0.9)
    figure, axes = _axes(len(found), columns, width, scale, share_x=False)
    for panel, ax in zip(found, axes, strict=False):
        _draw_bars(ax, panel, names, base)
    figure.supylabel(what, fontsize=8)
    return drawing.with_legend(figure, axes[: len(found)], title)


def _measured(panel: Bars) -> set[int]:
    """Return the groups of a panel, by their numbers, that have a bar."""
    return {i for heights in panel.series.values() for i, height in enumerate(heights) if height}


def _empty(labels: tuple[str, ...], shown: Sequence[Bars]) -> set[int]:
    """Return the groups that have no bar in any of the panels with these labels."""
    return set(range(len(labels))).difference(*(_measured(panel) for panel in shown if panel.labels == labels))


def _without(panel: Bars, empty: set[int]) -> Bars:
    def kept(cells: Sequence[Any]) -> tuple[Any, ...]:
        return tuple(cell for i, cell in enumerate(cells) if i not in empty)

    series = {name: kept(heights) for name, heights in panel.series.items()}
    texts = panel.texts and {name: kept(each) for name, each in panel.texts.items()}
    return Bars(panel.title, kept(panel.labels), series, texts)


def _letters(labels: Sequence[str]) -> int:
    return max((len(line) for label in labels for line in label.split("\n")), default=0)


def _draw_bars(axes: Any, panel: Bars, names: Sequence[str], base: float | None) -> None:
    width = 0.9 / len(names)
    for number, name in enumerate(names):
        heights = panel.series.get(name, ())
        texts = (panel.texts or {}).get(name, [""] * len(heights))
        there = [
            (i - 0.45 + (number + 0.5) * width, h, t) for i, (h, t) in enumerate(zip(heights, texts, strict=True)) if h
        ]
        if there:
            low = base or 0.0
            axes.bar(
                [x for x, _, _ in there], [h - low for _, h, _ in there], width, bottom=low, label=name,
                **drawing.style(number),
            )  # fmt: skip
        for x, height, text in there:
            axes.text(x, height, f" {text}", rotation=90, ha="center", va="bottom", fontsize=5)
    if base is not None:
        axes.axhline(base, color="black", linewidth=0.8)
    for i in set(range(len(panel.labels))) - _measured(panel):
        axes.annotate(
            "not measured", (i, 0.03), xycoords=("data", "axes fraction"), rotation=90, ha="center", va="bottom",
            fontsize=6, color="0.5",
        )  # fmt: skip
    axes.set_title(panel.title, loc="left")
    axes.set_xticks(range(len(panel.labels)), panel.labels)
    axes.set_xlim(-0.6, len(panel.labels) - 0.4)
    if panel.texts:
        axes.margins(y=0.15)


def lines(title: str, x: str, what: str, shown: Sequence[Lines], columns: int = 2) -> Any:
    """Draw panels of lines over `x`, with a line at 1; None if nothing is there."""
    found = [panel for panel in shown if any(panel.series.values())]
    if not found:
        return None
    names = list(dict.fromkeys(name for panel in found for name in panel.series))
    columns = min(columns, len(found))
    figure, axes = _axes(len(found), columns, 3.2 * columns, "linear", share_x=False)
    for panel, ax in zip(found, axes, strict=False):
        for number, name in enumerate(names):
            if points := panel.series.get(name):
                ax.plot(*zip(*points, strict=True), label=name, **drawing.line(number))
        for points in filter(None, panel.shares.values()):
            _draw_share(ax, points)
        ax.axhline(1, color="black", linewidth=0.6)
        ax.set_title(panel.title, loc="left")
        ax.set_xlabel(x)
        ax.set_xticks(sorted({at for points in panel.series.values() for at, _ in points}))
    for name in dict.fromkeys(name for panel in found for name in panel.shares):
        axes[0].plot([], [], label=f"{name} (right)", linestyle=":", color="#777777", linewidth=1.2)
    figure.supylabel(what, fontsize=8)
    return drawing.with_legend(figure, axes[: len(found)], title)


def _draw_share(axes: Any, points: Sequence[tuple[float, float]]) -> None:
    from matplotlib.ticker import MaxNLocator

    right = axes.twinx()
    right.plot(*zip(*points, strict=True), linestyle=":", color="#777777", linewidth=1.2, zorder=0)
    right.yaxis.set_major_locator(MaxNLocator(4))
    right.yaxis.set_major_formatter(lambda value, _: f"{100 * value:.1f} %")
    right.spines["right"].set_visible(True)
    right.tick_params(colors="#777777")


def _axes(count: int, columns: int, width: float, scale: str, *, share_x: bool = True) -> tuple[Any, list[Any]]:
    """Return a figure and its axes; those of no panel are not shown."""
    from matplotlib import pyplot

    rows = -(-count // columns)
    size = (max(width, 3.5), 0.7 + 2.2 * rows)
    figure, found = pyplot.subplots(
        rows, columns, figsize=size, sharex=share_x, sharey=True, squeeze=False, layout="constrained"
    )
    axes = list(found.ravel())
    axes[0].set_yscale(scale)
    for ax in axes:
        ax.grid(axis="y", linewidth=0.3, color="0.85")
        ax.set_axisbelow(True)
        ax.tick_params(labelbottom=True)
    for ax in axes[count:]:
        ax.set_visible(False)
    return figure, axes
