"""Wu's dissertation, chapter 3: kernels that launch kernels, and consolidation, figures 3.4 to 3.8."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from math import exp, log
from typing import Any

from ..common.nested import SIZES
from ..common.nested_records import CONFIGURATIONS, LEVELS
from ..common.summary import in_words
from ..common.tables import Table, times_as_fast, where
from ..harness import Record
from . import wu_counters
from .measured import Measured
from .table import GPU, Needed, PaperTable
from .wu_chapter4 import PAPER
from .wu_counters import Counted
from .wu_drawing import Bars, bars

FORMS = ("flat", "basic", *LEVELS)
LAUNCHING = FORMS[1:]
NAMES = {"sssp": "SSSP", "spmv": "SpMV", "pagerank": "PageRank", "coloring": "GC", "bfs_rec": "BFS"}
KRON, CITATION, SMALL_CITATION = "kron", "citation:100000", "citation:20000"
QUICK_KRON, QUICK_CITATION = "kron:9", "citation:2000"


def _inputs(app: str) -> tuple[tuple[str, str, int], ...]:
    """Return an application's inputs, those for --quick, and how urgent they are.

    Colours take hundreds of rounds on `citation`; BFS finds nodes again and again there, a launch each time, which a
    GPU does not finish for the whole graph.
    """
    if app == "coloring":
        return ((KRON, QUICK_KRON, 1),)
    citation = SMALL_CITATION if app == "bfs_rec" else CITATION
    return ((KRON, QUICK_KRON, 1), (citation, QUICK_CITATION, 3 if app == "bfs_rec" else 2))


def _needs(apps: Sequence[str], variants: tuple[str, ...], on_gpu: tuple[str, ...], **more: Any) -> tuple[Needed, ...]:
    fields = {"cores": "most", **more}
    return tuple(
        Needed(app, (name,), variants, on_gpu, quick_inputs=(quick,), urgent=urgent, **fields)
        for app in apps
        for name, quick, urgent in _inputs(app)
    )


def _places(measured: Measured) -> Iterator[tuple[Needed, str]]:
    for needed in measured.needs:
        for name in needed.inputs:
            yield needed, name


def _label(needed: Needed, name: str) -> str:
    return f"{NAMES[needed.app]}\n{name}"


def _speedup(measured: Measured, needed: Needed, name: str, variant: str, on: int) -> float | None:
    basic, other = (measured.record(needed.key(name, each, on)) for each in ("basic", variant))
    return basic.ms / other.ms if basic and other else None


def mean(numbers: Sequence[float]) -> float:
    """Return the geometric mean, which suits ratios."""
    return exp(sum(map(log, numbers)) / len(numbers))


# ------------------------------------------------------------------------------------------- figure 3.4

KC = {f"KC_{n}": n for n in (1, 16, 32)}


def name_of(size: str, level: str) -> str:
    """Return the variant of a level whose grids have a size of the figure's."""
    if size in KC and CONFIGURATIONS[level] == KC[size]:
        return level
    return f"{level}-kc{KC[size]}" if size in KC else f"{level}-{size}"


KINDS = (*KC, "1-1", "best")
VARIANTS_4 = ("basic", *LEVELS, *(variant.name for variant in SIZES))


def _rows_4(measured: Measured) -> Sequence[Table]:
    rows = []
    for needed, name in _places(measured):
        for on in (measured.most_cores, GPU):
            basic = needed.key(name, "basic", on)
            for kind in KINDS:
                cells = (measured.ratio(basic, needed.key(name, name_of(kind, level), on)) for level in LEVELS)
                rows.append((NAMES[needed.app], name, in_words(on), kind, *cells))
    return [Table("Times as fast as a launch for each node", ("app", "input", "on", "size", *LEVELS), tuple(rows), 4)]


def _draw_4(measured: Measured) -> Any:
    shown = []
    for needed, name in _places(measured):
        for on in (measured.most_cores, GPU):
            series = {
                kind: [_speedup(measured, needed, name, name_of(kind, level), on) for level in LEVELS] for kind in KINDS
            }
            shown.append(Bars(f"BFS, {name}, {in_words(on)}", LEVELS, series))
    title = "Wu, figure 3.4: sizes of consolidated grids"
    return bars(title, "times as fast as basic", shown, base=1.0)


SAID_4 = """BFS on a K20c, two data sets: KC_1 is the best size for `grid`, KC_16 for `block`, KC_32 for `warp`, and
much better than a block for each item (1-1). These choices reach 97 % of what an exhaustive search finds (section
3.7, figure 3.4)."""


def _found_4(measured: Measured) -> str:
    lines = []
    for on in (measured.most_cores, GPU):
        parts = []
        for needed, name in _places(measured):
            for level in LEVELS:
                names = (level, name_of("best", level))
                own, best = (measured.record(needed.key(name, each, on)) for each in names)
                parts += [100 * min(1.0, best.ms / own.ms)] if own and best else []
        if parts:
            texts = ", ".join(f"{part:.0f}" for part in parts)
            lines.append(f"- {in_words(on)}: the paper's sizes reach {texts} % of the best of nine.")
    return "\n".join(lines)


# ------------------------------------------------------------------------------------------- figure 3.5


def _rows_5(measured: Measured) -> Sequence[Table]:
    rows = []
    for needed, name in _places(measured):
        for on in (measured.most_cores, GPU):
            basic = needed.key(name, "basic", on)
            others = (measured.ratio(basic, needed.key(name, form, on)) for form in ("flat", *LEVELS))
            host = "" if on == GPU else measured.ms(needed.key(name, "openmp", on))
            rows.append((NAMES[needed.app], name, in_words(on), measured.ms(basic), *others, host))
    header = ("app", "input", "on", "basic, ms", "flat", *LEVELS, "OpenMP, ms")
    return [Table("Times as fast as a launch for each large item (basic)", header, tuple(rows), 3)]


def _draw_5(measured: Measured) -> Any:
    places = list(_places(measured))
    shown = [
        Bars(
            in_words(on),
            tuple(_label(needed, name) for needed, name in places),
            {
                form: [_speedup(measured, needed, name, form, on) for needed, name in places]
                for form in ("flat", *LEVELS)
            },
        )
        for on in (measured.most_cores, GPU)
    ]
    title = "Wu, figure 3.5: how many times as fast as basic"
    return bars(title, "times as fast as basic", shown, base=1.0, columns=1)


SAID_5 = """SSSP, SpMV and PageRank on CiteSeer, GC and BFS on Kron_log16; a K20c (section 3.7, figure 3.5).

- `basic` takes 80 to 1100 times as long as `flat`.
- `warp`, `block` and `grid` are 999, 1357 and 1459 times as fast as `basic` on average, and 2.18, 3.26 and 3.78 times
  as fast as `flat`. `grid` is the best for every application.

The inputs here are made at random in the likeness of these two; `citation` has 100,000 of its 434,102 nodes, for BFS
20,000, and the same degrees, 1 to 1,199."""


def _found_5(measured: Measured) -> str:
    lines = []
    for on in (measured.most_cores, GPU):
        found = {form: [s for n, i in _places(measured) if (s := _speedup(measured, n, i, form, on))] for form in FORMS}
        found.pop("basic")
        if not all(found.values()):
            continue
        means = ", ".join(f"{form} {times_as_fast(mean(ratios))}" for form, ratios in found.items())
        first = [_best_form(measured, needed, name, on) for needed, name in _places(measured)]
        best = ", ".join(f"{form} {first.count(form)}" for form in FORMS if form in first)
        low, high = min(found["flat"]), max(found["flat"])
        lines.append(
            f"- {in_words(on)}: on (geometric) average {means} times as fast as basic, which takes "
            f"{times_as_fast(low)} to {times_as_fast(high)} times as long as flat. "
            f"How often a form is the best: {best}."
        )
    return "\n".join(lines)


def _best_form(measured: Measured, needed: Needed, name: str, on: int) -> str:
    best = measured.best(needed.key(name, form, on) for form in FORMS)
    return best.variant if best else ""


# ------------------------------------------------------------------------------------------- figures 3.6 to 3.8


def _counted() -> tuple[str, list[Counted]]:
    """Return where GPU counters are from, and what they are."""
    taken = wu_counters.recorded()
    return (where(taken[0]), taken[1]) if taken else ("", [])


def _percent(part: float | None) -> str:
    return "" if part is None else f"{100 * part:.1f} %"


def _gpu(counted: Sequence[Counted], needed: Needed, name: str, form: str, what: str) -> float | None:
    found = wu_counters.of(counted, needed.app, name, form)
    return None if found is None else float(getattr(found, what))


def _on_cpu(measured: Measured, needed: Needed, name: str, form: str) -> Record | None:
    """Return a record with counted lanes, which do not depend on the number of cores."""
    there = (measured.record(needed.key(name, form, on)) for on in measured.cores)
    return next((record for record in there if record and record.active_lanes is not None), None)


def _lanes(measured: Measured, needed: Needed, name: str, form: str) -> float | None:
    record = _on_cpu(measured, needed, name, form)
    return record.active_lanes if record else None


def _launches(measured: Measured, needed: Needed, name: str, form: str) -> str:
    """Say how many launches kernels make; they are counted in any run, the newest of the most cores counts here."""
    record = _on_cpu(measured, needed, name, form) or measured.record(needed.key(name, form, measured.most_cores))
    return f"{record.child_launches:,}" if record and record.child_launches is not None else ""


NO_LANES = "lanes are not counted yet; `python -m apps tables wu-3.6` does"


def _rows_6(measured: Measured) -> Sequence[Table]:
    origin, counted = _counted()
    rows, gpu_rows = [], []
    for needed, name in _places(measured):
        words = (NAMES[needed.app], name)
        lanes = (_percent(_lanes(measured, needed, name, form)) or measured.because(NO_LANES) for form in FORMS)
        launches = (
            _launches(measured, needed, name, form) or measured.missing(needed.key(name, form, measured.most_cores))
            for form in LAUNCHING
        )
        rows.append((*words, *lanes, *launches))
        cells = [_percent(_gpu(counted, needed, name, form, "efficiency")) for form in FORMS]
        gpu_rows += [(*words, *cells)] if any(cells) else []
    header = ("app", "input", *FORMS, *(f"launches, {form}" for form in LAUNCHING))
    title = "Lanes of gangs that are on, of all statements, and launches that kernels make; a CPU, by --stats"
    return [
        Table(title, header, tuple(rows), 2),
        Table(f"Warp execution efficiency; by ncu, {origin}", ("app", "input", *FORMS), tuple(gpu_rows), 2),
    ]


def _draw_6(measured: Measured) -> Any:
    places = list(_places(measured))
    _, counted = _counted()
    labels = tuple(_label(needed, name) for needed, name in places)
    on_cpu = Bars(
        "CPU: lanes of gangs that are on; on the bars, launches that kernels make",
        labels,
        {form: [_share(_lanes(measured, n, i, form)) for n, i in places] for form in FORMS},
        {form: [_launches(measured, n, i, form) for n, i in places] for form in FORMS},
    )
    on_gpu = Bars("GPU: warp execution efficiency", labels, _series(places, counted, "efficiency"))
    return bars("Wu, figure 3.6: efficiency of warps and gangs", "%", [on_cpu, on_gpu], scale="linear", columns=1)


def _share(part: float | None) -> float | None:
    return None if part is None else 100 * part


def _series(
    places: Sequence[tuple[Needed, str]], counted: Sequence[Counted], what: str
) -> dict[str, list[float | None]]:
    return {form: [_share(_gpu(counted, n, i, form, what)) for n, i in places] for form in FORMS}


SAID_6 = """Warp execution efficiency is 33.2 % of `basic`, 69.3 % of `warp`, 75 % of `block` and 83.1 % of `grid` on
average. Consolidated forms launch 0.07 to 14.48 % of the kernels of `basic`; PageRank 6.7 million, 380 thousand, 113
thousand and 40 (section 3.7, figure 3.6). The K20c's counters have the instructions of launches in them, ours of a CPU
do not.

A gang has 16 lanes, or 32 in kernels that use warps, as the consolidated ones do."""


def _found_6(measured: Measured) -> str:
    found = {
        form: [lanes for n, i in _places(measured) if (lanes := _lanes(measured, n, i, form)) is not None]
        for form in FORMS
    }
    if not all(found.values()):
        return _found_on_gpu(measured, "efficiency").strip()
    means = ", ".join(f"{form} {_percent(sum(lanes) / len(lanes))}" for form, lanes in found.items())
    return f"On average, of the lanes of gangs are on: {means}." + _found_on_gpu(measured, "efficiency")


def _found_on_gpu(measured: Measured, what: str) -> str:
    _, counted = _counted()
    found = {
        form: [part for n, i in _places(measured) if (part := _gpu(counted, n, i, form, what)) is not None]
        for form in FORMS
    }
    if not all(found.values()):
        return ""
    return " On the GPU: " + ", ".join(f"{form} {_percent(sum(p) / len(p))}" for form, p in found.items()) + "."


def _rows_of(what: str, text: Callable[[float], str], title: str, measured: Measured) -> Sequence[Table]:
    origin, counted = _counted()
    rows = []
    for needed, name in _places(measured):
        found = [_gpu(counted, needed, name, form, what) for form in FORMS]
        cells = ["" if part is None else text(part) for part in found]
        rows.append((NAMES[needed.app], name, *(cell or measured.because(NO_COUNTERS) for cell in cells)))
    return [Table(f"{title}{f'; by ncu, {origin}' if origin else ''}", ("app", "input", *FORMS), tuple(rows), 2)]


NO_COUNTERS = "not counted yet; `apps/papers/wu_counters.py` does, where there is ncu"


def _draw_7(measured: Measured) -> Any:
    places = list(_places(measured))
    labels = tuple(_label(needed, name) for needed, name in places)
    shown = Bars("GPU", labels, _series(places, _counted()[1], "occupancy"))
    return bars("Wu, figure 3.7: achieved occupancy", "%", [shown], scale="linear", columns=1)


SAID_7 = """Achieved occupancy, on average 27.9 % of `basic`, 39.3 % of `warp`, 60.3 % of `block` and 82.9 % of
`grid`: the K20c runs at most 32 kernels at a time, and those of `basic` are small (section 3.7, figure 3.7)."""


def _ratios_8(measured: Measured, counted: Sequence[Counted], form: str) -> list[float | None]:
    found = []
    for needed, name in _places(measured):
        own, basic = (_gpu(counted, needed, name, each, "sectors") for each in (form, "basic"))
        found.append(own / basic if own is not None and basic else None)
    return found


def _draw_8(measured: Measured) -> Any:
    labels = tuple(_label(needed, name) for needed, name in _places(measured))
    _, counted = _counted()
    series = {form: _ratios_8(measured, counted, form) for form in ("flat", *LEVELS)}
    title = "Wu, figure 3.8: DRAM transactions"
    return bars(title, "of those of basic", [Bars("GPU", labels, series)], base=1.0, columns=1)


SAID_8 = """DRAM transactions, reads and writes, of `warp` are 60 % of those of `basic`, of `block` 34 % and of
`grid` 36 % (section 3.7, figure 3.8)."""


def _found_8(measured: Measured) -> str:
    _, counted = _counted()
    found = {form: [r for r in _ratios_8(measured, counted, form) if r] for form in ("flat", *LEVELS)}
    if not all(found.values()):
        return ""
    means = ", ".join(f"{form} {_percent(mean(ratios))}" for form, ratios in found.items())
    return f"Of the transactions of `basic`, on (geometric) average: {means}."


COUNTED = _needs(tuple(NAMES), FORMS, FORMS, counted=FORMS)
COUNTERS = "The table names the machine, the date and the commit of the counts, `apps/results/counters`."
ON_GPU = _needs(tuple(NAMES), (), FORMS)

TABLES = (
    PaperTable(
        name="wu-3.4",
        paper=PAPER,
        number="figure 3.4",
        title="sizes of consolidated grids",
        needs=_needs(("bfs_rec",), VARIANTS_4, VARIANTS_4),
        rows=_rows_4,
        said=SAID_4,
        found=_found_4,
        draw=_draw_4,
    ),
    PaperTable(
        name="wu-3.5",
        paper=PAPER,
        number="figure 3.5",
        title="a launch for each large item, and consolidated ones",
        needs=_needs(tuple(NAMES), (*FORMS, "openmp"), FORMS),
        rows=_rows_5,
        said=SAID_5,
        found=_found_5,
        draw=_draw_5,
    ),
    PaperTable(
        name="wu-3.6",
        paper=PAPER,
        number="figure 3.6",
        title="efficiency of warps and gangs, and numbers of launches",
        needs=COUNTED,
        rows=_rows_6,
        said=SAID_6,
        found=_found_6,
        draw=_draw_6,
    ),
    PaperTable(
        name="wu-3.7",
        paper=PAPER,
        number="figure 3.7",
        title="achieved occupancy",
        needs=ON_GPU,
        rows=partial(_rows_of, "occupancy", _percent, "Warps that are active, of those a multiprocessor has room for"),
        said=SAID_7,
        found=lambda measured: _found_on_gpu(measured, "occupancy").strip(),
        draw=_draw_7,
        origin=COUNTERS,
    ),
    PaperTable(
        name="wu-3.8",
        paper=PAPER,
        number="figure 3.8",
        title="DRAM transactions",
        needs=ON_GPU,
        rows=partial(_rows_of, "sectors", lambda sectors: f"{sectors:,.0f}", "Sectors of 32 bytes, read and written"),
        said=SAID_8,
        found=_found_8,
        draw=_draw_8,
        origin=COUNTERS,
    ),
)
