"""Wu's dissertation, chapter 6: applications on a CPU and a GPU, figure 6.13 with table 6.3."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ..common import drawing
from ..common.summary import with_transfers
from ..common.tables import Table, ms, times_as_fast
from ..harness import Record
from .measured import Measured
from .table import GPU, Key, Needed, PaperTable
from .wu_chapter4 import PAPER


@dataclass(frozen=True)
class Application:
    """A row of table 6.3: what it is called there, its type, whether it uses shared memory and launches repeatedly."""

    name: str
    kind: str
    shared: bool
    repeats: bool
    app: str
    input: str
    quick: str
    kernel: str = "auto"
    on_gpu: str = "auto"
    openmp: str = "openmp"


APPLICATIONS = (
    Application("BFS", "graph traversal", False, True, "bfs", "rmat:20x16", "road:64"),
    Application("Hot Spot", "structured grid", True, True, "hotspot", "random:1024x1024", "random:256x256"),
    Application("Pathfinder", "dynamic programming", True, True, "pathfinder", "random:20x10000", "random:20x1000"),
    Application("Gaussian elimination", "dense algebra", False, True, "gaussian", "random:128", "random:64"),
    Application("Knn", "dense algebra", False, False, "distance", "random:8388608x2", "random:100000x2"),
    Application("Nearest neighbour", "tree traversals", False, False, "nn", "random:70000x2", "random:20000x2",
                on_gpu="recursive", openmp="openmp-recursive"),
    Application("Levenshtein", "automata", True, False, "levenshtein", "random:4000000", "random:100000"),
)  # fmt: skip
ORDERED = ("bfs", "nn")  # queries or nodes in the order of the tree or the graph


def _needed(each: Application) -> Needed:
    return Needed(
        each.app,
        (each.input,),
        (each.kernel, each.openmp),
        (each.on_gpu,),
        cores="most",
        orders=("sorted",) if each.app in ORDERED else (),
        quick_inputs=(each.quick,),
        urgent=0,
    )


@dataclass(frozen=True)
class Found:
    """What was measured of an application; None is missing."""

    application: Application
    cpu: Record | None
    openmp: Record | None
    gpu: Record | None


def _keys(measured: Measured, needed: Needed, each: Application) -> tuple[Key, Key, Key]:
    order = needed.orders[0] if needed.orders else None
    name, most = needed.inputs[0], measured.most_cores
    return (
        needed.key(name, each.kernel, most, order),
        needed.key(name, each.openmp, most, order),
        needed.key(name, each.on_gpu, GPU, order),
    )


def _found(measured: Measured) -> list[Found]:
    pairs = zip(measured.needs, APPLICATIONS, strict=True)
    return [Found(each, *(measured.record(key) for key in _keys(measured, needed, each))) for needed, each in pairs]


def share(record: Record | None) -> str:
    """Return how much of a time as many empty launches take, in percent; nothing where that is unknown."""
    if record is None or record.launches_ms is None:
        return ""
    part = 100 * record.launches_ms / record.ms
    return f"{part:.1f} %" if part < 10 else f"{part:.0f} %"


def _rows(measured: Measured) -> Sequence[Table]:
    rows = []
    for needed, each in zip(measured.needs, APPLICATIONS, strict=True):
        keys = _keys(measured, needed, each)
        cpu, gpu = measured.record(keys[0]), measured.record(keys[2])
        rows.append(
            (
                each.name, f"{each.app}, {needed.inputs[0]}", each.kind,
                "yes" if each.shared else "no", "yes" if each.repeats else "no",
                measured.ms(keys[1]), measured.ms(keys[0]), share(cpu), measured.ms(keys[2]), share(gpu),
                ms(gpu.transfer_ms) if gpu else "",
                times_as_fast(cpu.ms / gpu.ms) if cpu and gpu else "",
                times_as_fast(cpu.ms / with_transfers(gpu)) if cpu and gpu else "",
            )
        )  # fmt: skip
    header = (
        "application", "ours, input", "type", "shared memory", "launches repeat", "OpenMP",
        f"{measured.most_cores} cores", "launches", "GPU", "launches", "copies", "CPU / GPU", "with copies",
    )  # fmt: skip
    title = "Milliseconds; launches: the share of the time that as many empty launches take"
    return [Table(title, header, tuple(rows), 5)]


def _draw(measured: Measured) -> Any:
    found = _found(measured)
    series = {
        "OpenMP": [each.openmp for each in found],
        f"simt2simd, {measured.most_cores} cores": [each.cpu for each in found],
        "GPU": [each.gpu for each in found],
    }
    if not any(record for records in series.values() for record in records):
        return None
    figure, axes = drawing.panels(1, 1, 0.95 * len(found) + 1, 3.4)
    for number, (name, records) in enumerate(series.items()):
        there = [(i - 0.28 + 0.28 * number, record) for i, record in enumerate(records) if record]
        if there:
            axes[0].bar([x for x, _ in there], [r.ms for _, r in there], 0.26, label=name, **drawing.style(number))
        known = [(x, record) for x, record in there if record.launches_ms]
        if known:
            label = "empty launches, as many"
            axes[0].plot([x for x, _ in known], [r.launches_ms for _, r in known], "k_", markersize=8, label=label)
        for x, record in known:
            axes[0].text(x, record.ms, f" {share(record)}", rotation=90, ha="center", va="bottom", fontsize=6)
    axes[0].margins(y=0.15)
    axes[0].set_ylabel("ms")
    axes[0].set_xticks(range(len(found)), [f"{each.application.name}\n{each.application.app}" for each in found])
    axes[0].tick_params(axis="x", labelsize=6)
    return drawing.with_legend(
        figure, axes, "Wu, figure 6.13: the applications of table 6.3, and their launches' share"
    )


SAID = """Three Intel machines (Xeon Phi coprocessor and processor, 12-core Skylake) against a Pascal GPU; a logarithmic
axis, no numbers (section 6.6.2, figure 6.13).

- BFS, Pathfinder and Gaussian launch 24, 500 and 128 times: launches are most of their time on a CPU, and the GPU wins.
- Hot Spot launches 4 times only; its blocks of 256 threads are 16 pthreads each, which meet at barriers, and whose
  shared memory moves between cores: the GPU wins here, too.
- Knn is better on the GPU: its accesses are irregular.
- NN and Levenshtein are best on the Knights Landing processor: recursion with the stacks of a gang's lanes side by
  side, and blocks small enough for one pthread each."""


def _says(measured: Measured) -> str:
    lines = []
    for each in _found(measured):
        parts = []
        if each.cpu and each.openmp:
            parts.append(f"{times_as_fast(each.openmp.ms / each.cpu.ms)} times as fast as OpenMP")
        if each.cpu and each.gpu:
            ratio, moved = each.cpu.ms / each.gpu.ms, each.cpu.ms / with_transfers(each.gpu)
            parts.append(
                f"the GPU takes {times_as_fast(1 / ratio)} of its time, with copies {times_as_fast(1 / moved)}"
            )
        if each.cpu and share(each.cpu):
            parts.append(f"launches take {share(each.cpu)} of it")
        if parts:
            lines.append(f"- {each.application.name}, {measured.most_cores} cores: {'; '.join(parts)}.")
    return "\n".join(lines)


TABLES = (
    PaperTable(
        name="wu-6.13",
        paper=PAPER,
        number="figure 6.13 and table 6.3",
        title="seven applications, and the share of their launches",
        needs=tuple(_needed(each) for each in APPLICATIONS),
        rows=_rows,
        said=SAID,
        found=_says,
        draw=_draw,
    ),
)
