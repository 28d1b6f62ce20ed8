"""Goldfarb, Jo and Kulkarni, "General transformations for GPU execution of tree traversals" (SC 2013), section 6."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from ..common import drawing
from ..common.tables import Table, times_as_fast
from ..harness import Record, milliseconds
from .measured import Measured
from .table import GPU, Key, Needed, PaperTable

PAPER = "Goldfarb, Jo and Kulkarni (2013)"
K = 8
ORDERS = ("sorted", "shuffled")
POINTS = ("covtype-like", "digits", "random:200000x7", "cities")
QUICK = ("random:20000x7", "random:20000x2")
BODIES = ("plummer:1000000", "random:1000000x6")
QUICK_BODIES = ("plummer:20000",)
APPS = ("bh", "pc", "knn", "nn", "vp")


def needed(app: str, **what: Any) -> Needed:
    """Return what a table needs of an application, for the paper's inputs."""
    if app == "bh":
        return Needed(app, BODIES, quick_inputs=QUICK_BODIES, **what)
    k: dict[str, Any] = {"options": ("--k", str(K)), "parameters": {"k": K}} if app == "knn" else {}
    return Needed(app, POINTS, quick_inputs=QUICK, **k, **what)


# ------------------------------------------------------------------------------------------- table 2

LOCKSTEP, ROPES = "lockstep-as-asked", "ropes-as-asked"
UNGUIDED = ("bh", "pc")  # in lockstep, their queries visit the same nodes as alone


def _counted_variants(app: str) -> tuple[str, ...]:
    """Return the variants that count visits: of guided traversals also one without votes."""
    return (LOCKSTEP,) if app in UNGUIDED else (LOCKSTEP, ROPES)


def _visits_needed() -> tuple[Needed, ...]:
    """Return the needs of what counts visits; they can wait where time is short."""
    own = {app: _counted_variants(app) for app in APPS}
    return tuple(needed(app, variants=own[app], counted=own[app], cores="one", urgent=3) for app in APPS)


@dataclass(frozen=True)
class Visits:
    """What gangs of lockstep traversals do, and what each query needs.

    `nodes` and `steps` are means of a query and of a gang, `longest` of the longest query of each gang; `expansion` is
    the work expansion with its standard deviation, the latter only where lockstep visits children in the queries' own
    order.
    """

    nodes: float
    steps: float
    expansion: float
    deviation: float | None


def visits_of(measured: Measured, needed: Needed, input: str, order: str) -> Visits | None:
    """Return what was counted for an input in an order; None if something is missing."""
    on = min(measured.cores)
    lockstep = measured.traversals(needed.key(input, LOCKSTEP, on, order))
    ropes = measured.traversals(needed.key(input, ROPES, on, order)) if needed.app not in UNGUIDED else lockstep
    if lockstep is None or ropes is None:
        return None
    separate, together = _counted(ropes), _counted(lockstep)
    own = needed.app in UNGUIDED or abs(together["nodes"] / separate["nodes"] - 1) < 1e-3  # no vote moved lanes
    longest = separate["steps_per_gang"] / separate["expansion"]
    return Visits(
        nodes=separate["nodes"],
        steps=together["steps_per_gang"],
        expansion=together["expansion"] if own else together["steps_per_gang"] / longest,
        deviation=together["deviation"] if own else None,
    )


def _counted(record: Record) -> dict[str, float]:
    most = max(record.traversals, key=lambda each: each["visits_per_query"]["mean"])
    return {
        "nodes": most["visits_per_query"]["mean"],
        "steps_per_gang": most["steps_per_gang"],
        "expansion": most["work_expansion"]["mean"],
        "deviation": most["work_expansion"]["deviation"],
    }


def _rows_2(measured: Measured) -> Sequence[Table]:
    rows = []
    for each in measured.needs:
        for input in each.inputs:
            cells = [cell for order in ORDERS for cell in _cells_2(measured, each, input, order)]
            rows.append((each.app, input, *cells))
    header = ("app", "input", *(f"{order}: {what}" for order in ORDERS for what in ("expansion", "deviation")))
    return [Table("Work expansion of lockstep in gangs of 16 lanes; the paper's warps have 32", header, tuple(rows), 2)]


def _cells_2(measured: Measured, needed: Needed, input: str, order: str) -> Iterator[str]:
    visits = visits_of(measured, needed, input, order)
    if visits is None:
        yield measured.missing(needed.key(input, LOCKSTEP, min(measured.cores), order))
        yield ""
        return
    yield f"{visits.expansion:.2f}"
    yield "" if visits.deviation is None else f"{visits.deviation:.2f}"


SAID_2 = """Work expansion: how many nodes a warp visits in lockstep for each node of its longest traversal.
Sorted, 1.33 (bh, Plummer) to 6.2 (pc, Mnist) for one call set, and 3.7 to 19.6 for two; only pc on cities has 101.
Unsorted, 9 to 27 for one call set, and 21 to 1479 (knn, cities) for two."""


def _found_2(measured: Measured) -> str:
    found = {
        order: [v.expansion for n in measured.needs for i in n.inputs if (v := visits_of(measured, n, i, order))]
        for order in ORDERS
    }
    if not all(found.values()):
        return ""
    texts = (f"{order} {min(each):.2f} to {max(each):.2f}" for order, each in found.items())
    return f"Work expansion is {', '.join(texts)}: sorting makes the queries of a gang visit the same nodes here, too."


# ------------------------------------------------------------------------------------------- table 1

# Of bodies, one of the two scalar programs is enough: a million take them minutes.
SCALAR = {app: ("openmp-iterative",) if app == "bh" else ("openmp-recursive", "openmp-iterative") for app in APPS}
OURS = "auto"
FORMS = {"L": "lockstep", "N": "ropes", "auto": "auto", "L, launch sorts": "lockstep-sorted"}  # on the GPU


def _scalar(measured: Measured, needed: Needed, input: str, order: str, on: int) -> Record | None:
    """Return the quickest scalar program on a number of cores."""
    return measured.best(needed.key(input, name, on, order) for name in SCALAR[needed.app])


def _over(measured: Measured, slow: Record | None, slow_key: Key, fast: Key) -> str:
    """Return a cell with how many times as fast as a record another one is."""
    found = measured.record(fast)
    if slow is None or found is None:
        return measured.missing(fast if found is None else slow_key)
    return times_as_fast(slow.ms / found.ms)


def _rows_1(measured: Measured) -> Sequence[Table]:
    return [_table_1(measured, order) for order in ORDERS]


def _table_1(measured: Measured, order: str) -> Table:
    most = measured.most_cores
    rows = []
    for each in (needed for needed in measured.needs if needed.on_gpu):
        for input in each.inputs:
            visits = visits_of(measured, each, input, order)
            nodes = {"L": f"{visits.steps:.0f}", "N": f"{visits.nodes:.0f}"} if visits else {}
            scalar = [_scalar(measured, each, input, order, on) for on in (1, most)]
            scalar_keys = [each.key(input, SCALAR[each.app][0], on, order) for on in (1, most)]
            recursive = each.key(input, "recursive", GPU, order)
            ours = each.key(input, OURS, most, order)
            lines = {name: each.key(input, form, GPU, order) for name, form in FORMS.items()} | {"CPU, ours": ours}
            for name, key in lines.items():
                against = (_over(measured, *pair, key) for pair in zip(scalar, scalar_keys, strict=True))
                over_recursive = "" if key.on != GPU else measured.ratio(recursive, key)
                rows.append((each.app, input, name, measured.ms(key), nodes.get(name, ""), *against, over_recursive))
    header = ("app", "input", "type", "ms", "nodes", "x 1 thread", f"x {most} threads", "x recursion")
    return Table(f"{order.capitalize()} queries", header, tuple(rows), 3)


# Of table 1, for sorted and unsorted queries each: milliseconds, nodes, times as fast as 1 thread and as 32, and the
# improvement against recursion in per cent. L is lockstep, N is not. The paper's table has no Geocity (cities).
PAPER_1 = """
bh Plummer L 669.07 3345 150.07 7.18 1409 4580.48 22107 32.55 1.85 1364
bh Plummer N 8206.30 2551 12.24 0.59 -26 13938.18 2551 10.70 0.61 210
bh Random L 213.71 1068 211.16 12.77 1400 2467.92 11909 34.85 2.75 1348
bh Random N 2391.84 671 18.87 1.14 -19 4517.50 671 19.04 1.50 416
pc Covtype L 5738.00 76160 123.08 15.48 199 18533.40 257771 45.31 4.60 202
pc Covtype N 48582.40 28057 14.54 1.83 -2 37871.60 28057 22.17 2.25 345
pc Mnist L 2070.60 26188 48.93 4.68 173 7204.40 97653 24.24 1.94 188
pc Mnist N 9707.00 6138 10.44 1.00 71 8689.40 6138 20.10 1.61 618
pc Random L 3125.40 37618 52.20 6.04 186 11586.60 156353 23.00 2.52 202
pc Random N 17017.40 10161 9.59 1.11 42 16978.00 10161 15.70 1.72 504
knn Covtype L 2907.00 25277 4.72 0.28 332 16049.00 197160 1.57 0.12 57
knn Covtype N 1816.40 1982 7.56 0.45 180 2408.50 1982 10.48 0.77 269
knn Mnist L 6396.00 60172 4.54 0.26 181 16153.00 199840 3.28 0.24 64
knn Mnist N 3827.30 4150 7.59 0.44 161 5359.30 4150 9.89 0.74 234
knn Random L 2008.00 16695 9.63 0.43 599 16234.00 200000 2.30 0.17 59
knn Random N 2448.00 2937 7.90 0.35 84 3692.90 2937 10.11 0.73 244
nn Covtype L 12350.20 53948 27.09 3.17 124 58470.80 259132 7.48 0.70 131
nn Covtype N 38116.10 16669 8.78 1.03 348 34814.90 16669 12.57 1.18 925
nn Mnist L 14673.60 65812 25.64 3.19 119 60540.20 267645 8.26 0.87 124
nn Mnist N 43886.00 19020 8.57 1.07 427 46764.00 19020 10.70 1.13 769
nn Random L 1869.70 8808 15.32 0.75 110 15666.10 73011 2.53 0.19 107
nn Random N 2559.00 1838 11.19 0.55 427 3846.00 1838 10.30 0.77 866
vp Covtype L 1787.00 11814 6.13 0.48 18 10235.4 109719 2.25 0.14 65
vp Covtype N 1623.40 686 6.75 0.52 295 1704.60 686 13.50 0.81 365
vp Mnist L 4034.20 36347 11.46 0.87 43 13835.00 150992 6.61 0.39 66
vp Mnist N 5114.00 2763 9.04 0.68 412 5599.80 2763 16.33 0.96 451
vp Random L 4541.00 41054 11.13 1.00 45 13130.60 143189 7.14 0.43 67
vp Random N 5074.60 2659 9.96 0.90 401 5355.00 2659 17.50 1.05 453
"""


def _paper_1() -> Table:
    rows = []
    for line in PAPER_1.split("\n"):
        if words := line.split():
            halves = (words[3:8], words[8:13])
            cells = [c for h in halves for c in (*h[:4], f"{1 + float(h[4]) / 100:.2f}")]
            rows.append((*words[:3], *cells))
    columns = (f"{o}: {what}" for o in ORDERS for what in ("ms", "nodes", "x 1", "x 32", "x recursion"))
    title = "On a Tesla C2070, against 1 and 32 threads of four Opteron 6176, and against recursion on the GPU:"
    return Table(title, ("app", "input", "type", *columns), tuple(rows), 3)


SAID_1 = f"""{_paper_1().markdown()}

L is lockstep, N is not. Sorted queries are quickest in lockstep, but for knn on Covtype and Mnist and vp on Covtype;
unsorted ones in lockstep for bh and pc, without for knn, nn and vp."""


def _found_1(measured: Measured) -> str:
    sentences = []
    for order in ORDERS:
        found = []
        for each in (needed for needed in measured.needs if needed.on_gpu):
            for input in each.inputs:
                pair = [measured.record(each.key(input, FORMS[name], GPU, order)) for name in ("L", "N")]
                if pair[0] and pair[1]:
                    found.append((pair[1].ms / pair[0].ms, f"{each.app} on {input}"))
        if found:
            ahead = [name for ratio, name in found if ratio > 1]
            text = f"{order.capitalize()}, lockstep is ahead of ropes on {len(ahead)} of {len(found)} problems"
            text += f", {min(found)[0]:.2f} ({min(found)[1]}) to {max(found)[0]:.2f} times ({max(found)[1]}) as fast."
            sentences.append(text)
    return " ".join(sentences)


# ------------------------------------------------------------------------------------------- figures 10 and 11


def _gpu_best(measured: Measured, needed: Needed, input: str, order: str) -> Record | None:
    """Return the GPU's quickest record of the paper's two forms."""
    return measured.best(needed.key(input, FORMS[name], GPU, order) for name in ("L", "N"))


def _rows_of_figure(order: str, measured: Measured) -> Sequence[Table]:
    rows = []
    for each in measured.needs:
        for input in each.inputs:
            best = _gpu_best(measured, each, input, order)
            keys = [each.key(input, FORMS["L"], GPU, order)]
            form = best.variant if best else measured.missing(keys[0])
            cells = []
            for on in measured.cores:
                scalar = _scalar(measured, each, input, order, on)
                ours = measured.record(each.key(input, OURS, on, order))
                for there, name in ((scalar, SCALAR[each.app][0]), (ours, OURS)):
                    lacking = each.key(input, name, on, order) if there is None else keys[0]
                    cells.append(times_as_fast(there.ms / best.ms) if there and best else measured.missing(lacking))
            rows.append((each.app, input, form, *cells))
    columns = [f"{on}: {who}" for on in measured.cores for who in ("scalar", "ours")]
    title = "The CPU's time divided by the GPU's, by number of cores: scalar C++ by OpenMP, and ours"
    ratios = Table(title, ("app", "input", "GPU", *columns), tuple(rows), 3)
    times = Table("Milliseconds", ("app", "input", *columns, "GPU"), tuple(_times(order, measured)), 2)
    return [ratios, times]


def _times(order: str, measured: Measured) -> Iterator[tuple[str, ...]]:
    for each in measured.needs:
        for input in each.inputs:
            best = _gpu_best(measured, each, input, order)
            cells = []
            for on in measured.cores:
                scalar = _scalar(measured, each, input, order, on)
                lacking = each.key(input, SCALAR[each.app][0], on, order)
                cells += [milliseconds(scalar.ms) if scalar else measured.missing(lacking)]
                cells += [measured.ms(each.key(input, OURS, on, order))]
            gpu = milliseconds(best.ms) if best else measured.missing(each.key(input, FORMS["L"], GPU, order))
            yield (each.app, input, *cells, gpu)


def _draw(order: str, measured: Measured) -> Any:
    """Draw a panel for each application: over the cores, the CPU's time divided by the GPU's."""
    shown = [(n, [i for i in n.inputs if _gpu_best(measured, n, i, order)]) for n in measured.needs]
    shown = [(needed, inputs) for needed, inputs in shown if inputs]
    if not shown:
        return None
    drawn, panels = drawing.panels(1, len(shown), 1.7 * len(shown) + 0.6, 2.8)
    names = list(dict.fromkeys(input for each in measured.needs for input in each.inputs))
    for axes, (each, inputs) in zip(panels, shown, strict=True):
        for input in inputs:
            best = _gpu_best(measured, each, input, order)
            for who, dashes in (("scalar", "--"), ("ours", "-")):
                points = []
                for on in measured.cores:
                    ours = measured.record(each.key(input, OURS, on, order))
                    there = ours if who == "ours" else _scalar(measured, each, input, order, on)
                    if there and best:
                        points.append((on, there.ms / best.ms))
                style = drawing.line(names.index(input)) | ({"markerfacecolor": "white"} if who == "scalar" else {})
                if points:
                    axes.plot(*zip(*points, strict=True), label=f"{input}, {who}", linestyle=dashes, **style)
        axes.axhline(1, color="black", linewidth=0.8)
        axes.set_title(each.app, loc="left")
        axes.set_xlabel("cores")
        axes.set_xscale("log", base=2)
        axes.set_xticks(measured.cores, [str(on) for on in measured.cores])
    panels[0].set_ylabel("CPU's time / GPU's")
    machine = measured.machine
    gpu = machine.gpu.split(", driver")[0] if machine else ""
    return drawing.with_legend(drawn, panels, f"{order} queries: above 1 the {gpu} is ahead of so many cores")


def _found_in_figure(order: str, measured: Measured) -> str:
    behind = {"scalar": 0, "ours": 0}
    count = 0
    most = measured.most_cores
    for each in measured.needs:
        for input in each.inputs:
            best = _gpu_best(measured, each, input, order)
            scalar = _scalar(measured, each, input, order, most)
            ours = measured.record(each.key(input, OURS, most, order))
            if best and scalar and ours:
                count += 1
                behind["scalar"] += scalar.ms > best.ms
                behind["ours"] += ours.ms > best.ms
    if not count:
        return ""
    return (
        f"On {order} queries the GPU is ahead of scalar C++ on {most} cores on {behind['scalar']} of {count} problems, "
        f"and ahead of vector code on as many cores on {behind['ours']}."
    )


SAID_10 = """Sorted: the GPU's best form is ahead of scalar code on 8 threads but for a handful of problems, and of 32
threads for most. Against 32 threads it is 7.2 and 12.8 times as fast on bh, 4.7 to 15.5 on pc, 0.43 to 0.45 on knn,
0.75 to 3.2 on nn and 0.52 to 1.0 on vp. On cities (Geocity), whose traversals are short and whose points lie close
together, the CPU is well ahead for knn and vp."""
SAID_11 = """Unsorted: against 32 threads the GPU's best form is 1.9 and 2.8 times as fast on bh, 1.9 to 4.6 on pc, 0.73
to 0.77 on knn, 0.77 to 1.2 on nn and 0.81 to 1.05 on vp. It gains on sorted queries where the CPU loses more."""


TABLES = (
    PaperTable(
        name="goldfarb-1",
        paper=PAPER,
        number="table 1",
        title="traversals on the GPU against scalar C++ on the CPU and recursion on the GPU",
        needs=(
            *(
                needed(app, variants=(*SCALAR[app], OURS), on_gpu=("recursive", *FORMS.values()), cores="ends")
                for app in APPS
            ),
            *_visits_needed(),
        ),
        rows=_rows_1,
        said=SAID_1,
        found=_found_1,
    ),
    PaperTable(
        name="goldfarb-2",
        paper=PAPER,
        number="table 2",
        title="work expansion of lockstep traversals",
        needs=_visits_needed(),
        rows=_rows_2,
        said=SAID_2,
        found=_found_2,
    ),
    *(
        PaperTable(
            name=f"goldfarb-{number}",
            paper=PAPER,
            number=f"figure {number}",
            title=f"the GPU against more and more cores, {order} queries",
            needs=tuple(
                needed(
                    app,
                    variants=(*SCALAR[app], OURS),
                    on_gpu=(FORMS["L"], FORMS["N"]),
                    cores="every",
                    orders=(order,),
                )
                for app in APPS
            ),
            rows=partial(_rows_of_figure, order),
            draw=partial(_draw, order),
            said=said,
            found=partial(_found_in_figure, order),
        )
        for number, order, said in ((10, "sorted", SAID_10), (11, "shuffled", SAID_11))
    ),
)
