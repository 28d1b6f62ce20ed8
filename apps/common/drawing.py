"""How figures are drawn: their colours, panels, legends, and files that are the same from run to run."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

# Colours that colour-blind people can distinguish (Okabe and Ito, "Color Universal Design", 2008), and greys.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#E69F00", "#CC79A7", "#56B4E9", "#8C510A", "#000000", "#777777", "#BBBBBB")
HATCHES = ("", "//", "..", "xx")  # when the colours begin again
LETTER = 0.068  # inches
SETTINGS: Any = {
    "svg.hashsalt": "apps",
    "font.size": 8,
    "axes.titlesize": 8,
    "axes.spines.top": False,
    "axes.spines.right": False,
}


def style(number: int) -> dict[str, Any]:
    """Return how the bars of a series look."""
    hatch = HATCHES[number // len(COLOURS) % len(HATCHES)]
    return {"color": COLOURS[number % len(COLOURS)], "hatch": hatch, "zorder": 2}


def line(number: int) -> dict[str, Any]:
    """Return how the line of a series looks."""
    look = {"color": COLOURS[number % len(COLOURS)], "marker": "os^vDPX*"[number % 8]}
    return look | {"markersize": 3.5, "linewidth": 1.2}


def figure(width: float, height: float) -> tuple[Any, Any]:
    """Return a figure with one panel, whose axes are linear."""
    drawn, (axes,) = panels(1, 1, width, height, "linear")
    return drawn, axes


def panels(rows: int, columns: int, width: float, height: float, scale: str = "log") -> tuple[Any, list[Any]]:
    """Return a figure and its panels, which share their axes; the vertical one is of a scale."""
    from matplotlib import pyplot

    size = (width, height)
    drawn, axes = pyplot.subplots(
        rows, columns, figsize=size, sharex=True, sharey=True, squeeze=False, layout="constrained"
    )
    found = list(axes.ravel())
    found[0].set_yscale(scale)
    for panel in found:
        panel.grid(axis="y", linewidth=0.3, color="0.85")
        panel.set_axisbelow(True)
    return drawn, found


def finish(drawn: Any, shown: Sequence[Any], title: str, file: Path) -> None:
    """Write a figure, with a legend of all panels to the right of them."""
    from matplotlib import pyplot

    with_legend(drawn, shown, title)
    drawn.savefig(file, metadata={"Date": None}, bbox_inches="tight")
    pyplot.close(drawn)


def with_legend(drawn: Any, shown: Sequence[Any], title: str) -> Any:
    """Return a figure with a title, and a legend of all panels to the right of them."""
    if shown[0].get_yscale() == "log":
        _few_ticks(shown[0])
    found = (zip(*axes.get_legend_handles_labels(), strict=True) for axes in shown)
    handles = {label: handle for pairs in found for handle, label in pairs}
    drawn.legend(handles.values(), handles.keys(), frameon=False, loc="outside right upper")
    drawn.suptitle(title, fontsize=8, x=0.01, ha="left")
    width, height = drawn.get_size_inches()
    beside = 0.6 + LETTER * max(map(len, handles), default=0)
    drawn.set_size_inches(beside + max(width, LETTER * max(map(len, title.split("\n")))), height)
    return drawn


def save(draw: Callable[[], Any], file: Path) -> bool:
    """Write the figure that a function draws; return whether it drew one. Equal figures make equal files.

    Text stays text: as outlines, it is most of a file.
    """
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    with matplotlib.rc_context(SETTINGS | {"svg.fonttype": "none"}):
        drawn = draw()
        if drawn is None:
            return False
        drawn.savefig(file, metadata={"Date": None}, bbox_inches="tight")
        pyplot.close(drawn)
    return True


def _few_ticks(axes: Any) -> None:
    """Number a logarithmic axis with plain numbers: 1, 2, 5 and so on if it is short."""
    from matplotlib.ticker import LogLocator, NullFormatter

    low, high = axes.get_ylim()
    axes.yaxis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0) if high < 100 * low else (1.0,)))
    axes.yaxis.set_major_formatter(lambda value, _: f"{value:g}")
    axes.yaxis.set_minor_formatter(NullFormatter())
