"""Goldfarb, Jo and Kulkarni, "General transformations for GPU execution of tree traversals" (SC 2013), section 6."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ..common.tables import Table
from ..harness import Record
from .measured import Measured
from .table import Needed, PaperTable

PAPER = "Goldfarb, Jo and Kulkarni (2013)"
K = 8
ORDERS = ("sorted", "shuffled")
POINTS = ("covtype-like", "random:200000x7", "cities")
QUICK = ("random:20000x7", "random:20000x2")
BODIES = ("plummer:1000000", "random:1000000x6")
QUICK_BODIES = ("plummer:20000",)
APPS = ("bh", "pc", "knn", "nn", "vp")


def needed(app: str, **what: object) -> Needed:
    """Return what a table needs of an application, for the paper's inputs."""
    bodies = app == "bh"
    options = {"options": ("--k", str(K)), "parameters": {"k": K}} if app == "knn" else {}
    return Needed(
        app,
        BODIES if bodies else POINTS,
        quick_inputs=QUICK_BODIES if bodies else QUICK,
        **options,  # type: ignore[arg-type]
        **what,  # type: ignore[arg-type]
    )


# ------------------------------------------------------------------------------------------- table 2

LOCKSTEP, ROPES = "lockstep-as-asked", "ropes-as-asked"


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
    ropes = measured.traversals(needed.key(input, ROPES, on, order))
    if lockstep is None or ropes is None:
        return None
    apart, together = _counted(ropes), _counted(lockstep)
    longest = apart["steps_per_gang"] / apart["expansion"]
    same = abs(together["nodes"] / apart["nodes"] - 1) < 1e-3  # no vote made lanes visit other nodes
    return Visits(
        nodes=apart["nodes"],
        steps=together["steps_per_gang"],
        expansion=together["expansion"] if same else together["steps_per_gang"] / longest,
        deviation=together["deviation"] if same else None,
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


TABLES = (
    PaperTable(
        name="goldfarb-2",
        paper=PAPER,
        number="table 2",
        title="work expansion of lockstep traversals",
        needs=tuple(needed(app, variants=(LOCKSTEP, ROPES), counted=(LOCKSTEP, ROPES), cores="one") for app in APPS),
        rows=_rows_2,
        said=SAID_2,
        found=_found_2,
    ),
)
