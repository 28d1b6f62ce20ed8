"""What was measured: records, tables, the bar chart."""

from __future__ import annotations

import os
import platform
import statistics
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from apps import harness
from apps.machine import commit
from simt2simd.target import cpu_name

from .build import Peer

PEERS = ("scalar", "openmp", "limit", "ispc", "ispc-plain", "intel", "pocl")


@dataclass(frozen=True)
class Record:
    """One workload, simt2simd against one peer.

    `ms_ours` and `ms_peer` are the quickest of all rounds, `ratio` is `ms_peer / ms_ours`: above 1 we are faster.
    `checked`: the results of both were checked and are right; without that there is no ratio.
    """

    workload: str
    size: str
    cores: int
    peer: str
    ms_ours: float
    ms_peer: float
    ratio: float | None
    checked: bool
    median_ours: float | None = None
    median_peer: float | None = None
    runs_ours: int = 0
    runs_peer: int = 0


@dataclass(frozen=True)
class Machine:
    """Where and with what the records were taken. `load` is the load average of the last minute before."""

    machine: str
    hardware_threads: int
    load: float
    system: str
    date: str
    commit: str
    versions: dict[str, str]


@dataclass(frozen=True)
class Timing:
    """Milliseconds of a program's runs. `right`: its results were checked and are right."""

    ms: list[float]
    right: bool


def machine(peers: Sequence[Peer]) -> Machine:
    """Describe this machine and the peers."""
    return Machine(
        machine=cpu_name() or platform.machine(),
        hardware_threads=len(os.sched_getaffinity(0)),
        load=os.getloadavg()[0],
        system=platform.platform(),
        date=time.strftime("%Y-%m-%d"),
        commit=commit(),
        versions={peer.name: peer.version for peer in peers},
    )


def compare(workload: str, size: str, cores: int, timings: Mapping[str, Timing]) -> list[Record]:
    """Make a record for each peer out of the timings of "ours" and of the peers."""
    ours = timings["ours"]
    records = []
    for peer in PEERS:
        if peer not in timings:
            continue
        theirs = timings[peer]
        checked = ours.right and theirs.right
        ratio = min(theirs.ms) / min(ours.ms) if checked else None
        records.append(
            Record(
                workload=workload,
                size=size,
                cores=cores,
                peer=peer,
                ms_ours=min(ours.ms),
                ms_peer=min(theirs.ms),
                ratio=ratio,
                checked=checked,
                median_ours=statistics.median(ours.ms),
                median_peer=statistics.median(theirs.ms),
                runs_ours=len(ours.ms),
                runs_peer=len(theirs.ms),
            )
        )
    return records


# ------------------------------------------------------------------------------------------- tables


def print_comparison(records: Sequence[Record]) -> None:
    """Print a row for each workload and number of cores, then the least ratio and the geometric means of each peer.

    The second mean leaves out launches and barriers, where ratios can be enormous.
    """
    peers = [peer for peer in PEERS if any(record.peer == peer for record in records)]
    rows = []
    for workload, size, cores in dict.fromkeys((r.workload, r.size, r.cores) for r in records):
        of_row = {r.peer: r for r in records if (r.workload, r.cores) == (workload, cores)}
        ours = next(iter(of_row.values())).ms_ours
        cells = [_ratio(of_row[peer]) if peer in of_row else "" for peer in peers]
        rows.append((workload, size, str(cores), duration(ours), *cells))
    ratios = [[r.ratio for r in records if r.peer == peer and r.ratio] for peer in peers]
    rows.append(("least", "", "", "", *(f"{min(of):.2f}x" if of else "" for of in ratios)))
    rows.append(("geometric mean", "", "", "", *map(_mean, ratios)))
    long = [[r.ratio for r in records if r.peer == peer and r.ratio and r.ms_ours >= 1e-3] for peer in peers]
    rows.append(("... of 1 us and more", "", "", "", *map(_mean, long)))
    harness.print_table(("workload", "size", "cores", "ours", *peers), rows, left=2)
    print("\nEach peer's time divided by ours, quickest runs: above 1 simt2simd is faster.")


def _mean(ratios: Sequence[float]) -> str:
    return f"{statistics.geometric_mean(ratios):.2f}x" if ratios else ""


def _ratio(record: Record) -> str:
    return f"{record.ratio:.2f}x" if record.ratio is not None else "WRONG"


def duration(ms: float) -> str:
    """Write a time with the unit that suits it."""
    for unit, size in (("s", 1e3), ("ms", 1.0), ("us", 1e-3)):
        if ms >= size:
            return f"{ms / size:.3g} {unit}"
    return f"{ms * 1e6:.3g} ns"


# ------------------------------------------------------------------------------------------- bar chart


AXIS = (0.1, 30.0)  # of the bar charts


def bar_label(ratio: float) -> str:
    """Return what stands beside a bar: the ratio, behind an arrow if the bar is cut off."""
    number = f"{ratio:.{2 if ratio < 10 else 0}f}"
    if ratio > AXIS[1]:
        return f"\u2192 {number}"
    return f"{number} \u2190" if ratio < AXIS[0] else number


def plot(records: Sequence[Record], folder: Path, where: Machine) -> list[Path]:
    """Write a bar chart for every number of cores to a folder; return the files.

    A row for each workload, a panel for each peer, bars of the ratio on a logarithmic axis that begin at 1. Those that
    would leave `AXIS` end there, with an arrow before the number.
    """
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    folder.mkdir(parents=True, exist_ok=True)
    files = []
    for cores in sorted({record.cores for record in records}):
        shown = [r for r in records if r.cores == cores and r.ratio and r.peer in PEERS]
        names = list(dict.fromkeys(r.workload for r in shown))[::-1]
        peers = [peer for peer in PEERS if any(r.peer == peer for r in shown)]
        if not peers:
            continue
        size = (2 + 2.4 * len(peers), 1.2 + 0.22 * len(names))
        figure, panels = pyplot.subplots(1, len(peers), sharey=True, sharex=True, squeeze=False, figsize=size)
        for panel, peer in zip(panels[0], peers, strict=True):
            ratios = {r.workload: r.ratio for r in shown if r.peer == peer and r.ratio}
            rows = [names.index(name) for name in ratios]
            faster = ["tab:blue" if ratio >= 1 else "tab:red" for ratio in ratios.values()]
            ends = [min(max(ratio, AXIS[0]), AXIS[1]) for ratio in ratios.values()]
            panel.barh(rows, [end - 1 for end in ends], left=1, color=faster, height=0.7)
            for row, end, ratio in zip(rows, ends, ratios.values(), strict=True):
                side = "left" if ratio >= 1 else "right"
                panel.text(end, row, f" {bar_label(ratio)} ", fontsize=7, va="center", ha=side)
            panel.axvline(1, color="black", linewidth=0.8)
            panel.set_xscale("log")
            panel.set_xlim(AXIS[0] / 3, AXIS[1] * 12)
            panel.set_ylim(-0.7, len(names) - 0.3)
            panel.set_title(peer, fontsize=10)
            panel.grid(axis="x", linewidth=0.3)
        panels[0][0].set_yticks(range(len(names)), names, fontsize=8)
        figure.suptitle(
            f"time of the peer / time of simt2simd, {cores} core(s), {where.machine}, {where.date}; "
            "where there is an arrow, the bar goes on",
            fontsize=9,
        )
        figure.tight_layout()
        file = folder / f"peers-{cores}.svg"
        figure.savefig(file)
        pyplot.close(figure)
        files.append(file)
    return files
