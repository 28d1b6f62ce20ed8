"""Wu's dissertation, section 4.4: quicksort by dynamic parallelism against merge sort."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..common import drawing
from ..common.tables import Table
from .measured import Measured
from .table import GPU, Key, Needed, PaperTable

PAPER = "Wu's dissertation"
INPUTS = tuple(f"random:{count}" for count in (300_000, 500_000, 1_000_000, 2_000_000))
QUICK_INPUTS = ("random:20000", "random:50000")
DEPTHS = (4, 8, 12, 16, 20)
DEPTH = 16
OF_DEPTHS = "random:1000000"
QUICKSORTS = ("simple", "advanced")
DEVICE = (*QUICKSORTS, "merge")
HOST = ("std-sort", "openmp")


def _needed(inputs: Sequence[str], quick: Sequence[str], forms: Sequence[str], depth: int, urgent: int) -> Needed:
    return Needed(
        "sort",
        tuple(inputs),
        variants=tuple(forms),
        on_gpu=tuple(form for form in forms if form in DEVICE),
        cores="ends",
        options=("--depth", str(depth)),
        parameters={"depth": depth},
        quick_inputs=tuple(quick),
        urgent=urgent,
    )


NEEDS = (
    _needed(INPUTS, QUICK_INPUTS, (*DEVICE, *HOST), DEPTH, 0),
    *(_needed((OF_DEPTHS,), QUICK_INPUTS[:1], QUICKSORTS, depth, 1) for depth in DEPTHS if depth != DEPTH),
)


def _places(measured: Measured) -> list[int]:
    """Return where was measured: one core, all, a GPU."""
    gpu = [GPU] if any(source.machine.gpu for source in measured.sources) else []
    return [*dict.fromkeys((min(measured.cores), measured.most_cores)), *gpu]


def _name(on: int) -> str:
    return "GPU" if on == GPU else f"{on} core{'s' if on > 1 else ''}"


def _on(form: str, on: int) -> int | None:
    """Return the cores that a form has where `on` are measured; None if it does not run there."""
    if form in HOST and on == GPU:
        return None
    return 1 if form == "std-sort" else on


def _rows(measured: Measured) -> Sequence[Table]:
    main = measured.needs[0]
    rows = []
    for input in main.inputs:
        for on in _places(measured):
            cells = ["" if (cores := _on(f, on)) is None else measured.ms(main.key(input, f, cores)) for f in DEVICE]
            cells += ["" if (c := _on(f, on)) is None else measured.ms(main.key(input, f, c)) for f in HOST]
            keys = [main.key(input, form, on) for form in DEVICE]
            ratios = [measured.ratio(key, keys[2]) for key in keys[:2]]
            rows.append((input, _name(on), *cells, *ratios, *(_launches(measured, key) for key in keys[:2])))
    header = (
        "input", "on", *DEVICE, *HOST, "simple / merge", "advanced / merge", "launches, simple", "launches, advanced",
    )  # fmt: skip
    return [Table("Milliseconds, and how many launches kernels make", header, tuple(rows), 2), _depths(measured)]


def _launches(measured: Measured, key: Key) -> str:
    record = measured.record(key)
    return "" if record is None or record.child_launches is None else f"{record.child_launches:,}"


def _by_depth(measured: Measured) -> dict[int, Needed]:
    found = {int(each.parameters["depth"]): each for each in measured.needs}
    return dict(sorted(found.items()))


def _depths(measured: Measured) -> Table:
    by_depth = _by_depth(measured)
    input = next((each.inputs[0] for depth, each in by_depth.items() if depth != DEPTH), INPUTS[0])
    rows = []
    for form in QUICKSORTS:
        for on in _places(measured):
            cells = (measured.ms(needed.key(input, form, on)) for needed in by_depth.values())
            rows.append((form, _name(on), *cells))
    title = f"Milliseconds by how deep launches nest, {input}"
    return Table(title, ("form", "on", *(f"depth {depth}" for depth in by_depth)), tuple(rows), 2)


def _draw(measured: Measured) -> Any:
    """Draw milliseconds over the number of keys, a panel for each place."""
    main = measured.needs[0]
    shown = []
    for on in _places(measured):
        lines = {}
        for form in (*DEVICE, *HOST):
            cores = _on(form, on)
            if cores is None:
                continue
            found = [(int(i.removeprefix("random:")), measured.record(main.key(i, form, cores))) for i in main.inputs]
            lines[form] = [(count, record.ms) for count, record in found if record]
        if any(lines.values()):
            shown.append((_name(on), lines))
    if not shown:
        return None
    drawn, panels = drawing.panels(1, len(shown), 2.4 * len(shown), 2.8)
    for axes, (title, lines) in zip(panels, shown, strict=True):
        for form, points in lines.items():
            if points:
                number = (*DEVICE, *HOST).index(form)
                dashes = "-" if form in DEVICE else "--"
                axes.plot(*zip(*points, strict=True), label=form, linestyle=dashes, **drawing.line(number))
        axes.set_title(title, loc="left")
        axes.set_xscale("log")
        counts = [int(input.removeprefix("random:")) for input in main.inputs]
        axes.set_xticks(counts, [_short(count) for count in counts])
        axes.minorticks_off()
        axes.set_xlabel("keys")
    panels[0].set_ylabel("milliseconds")
    return drawing.with_legend(drawn, panels, "quicksort by launches from kernels, and merge sort")


def _short(count: int) -> str:
    return f"{count / 1e6:g} M" if count >= 1_000_000 else f"{count // 1000} k"


SAID = """Three programs of the CUDA samples sort 300,000 to 2,000,000 keys (a K20; no times are printed):

| | finding |
| --- | --- |
| Simple QuickSort | the slowest; at the depth limit, a selection sort |
| Advanced QuickSort | ahead of it; at the depth limit, a bitonic sort |
| MergeSort, without recursion | the best on all data sets |

"The overhead of the nested kernel calls and their need for synchronization makes a non-recursive GPU implementation
preferable to a recursive one." Ours are written anew: their names and ways are the samples', their code is not."""


def _found(measured: Measured) -> str:
    main = measured.needs[0]
    sentences = []
    for on in _places(measured):
        found = []
        for input in main.inputs:
            records = [measured.record(main.key(input, form, on)) for form in DEVICE]
            if all(records):
                found.append([record.ms for record in records if record])
        if found:
            simple, advanced = ([ms[i] / ms[2] for ms in found] for i in (0, 1))
            where = "the GPU" if on == GPU else _name(on)
            sentences.append(
                f"On {where}, advanced takes {min(advanced):.2g} to {max(advanced):.2g} "
                f"times as long as merge sort, and simple {min(simple):.2g} to {max(simple):.2g} times."
            )
    return " ".join(sentences)


TABLES = (
    PaperTable(
        name="wu-4.4",
        paper=PAPER,
        number="section 4.4",
        title="quicksort by dynamic parallelism against merge sort",
        needs=NEEDS,
        rows=_rows,
        draw=_draw,
        said=SAID,
        found=_found,
    ),
)
