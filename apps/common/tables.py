"""Tables of records, as rows of cells: for a terminal, and in Markdown."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from .. import harness
from ..harness import Record
from ..machine import Machine
from .app import app_of, names
from .nested_records import LEVELS, configurations_of, forms_of
from .summary import (
    Duel,
    Place,
    core_counts,
    duels,
    in_words,
    least_cores,
    over_cores,
    places,
    platform_of,
    with_transfers,
)

LEAST_SHARE = 0.005  # of launches that are listed


@dataclass(frozen=True)
class Table:
    """A table with a line above it; its first `left` columns hold words."""

    title: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    left: int

    def markdown(self) -> str:
        """Return the table in Markdown, with its title."""
        rules = ["---"] * self.left + ["---:"] * (len(self.header) - self.left)
        lines = [f"| {' | '.join(row)} |" for row in (self.header, rules, *self.rows)]
        return "\n".join([f"{self.title}\n", *lines])


def where(machine: Machine) -> str:
    """Return a line about where records were taken."""
    gpu = f", {machine.gpu}" if machine.gpu else ""
    return f"{machine.machine}, {machine.hardware_threads} hardware threads{gpu}, {machine.date}, {machine.commit}"


def print_all(machine: Machine, records: Sequence[Record]) -> None:
    """Print where the records were taken and all of them, by application, then what they say about cores and a GPU."""
    print(where(machine))
    for app in dict.fromkeys(record.app for record in records):
        print(f"\n{app}: {question_of(app)}\n")
        harness.print_records([record for record in records if record.app == app])
        _print(parts(records, app))
    for table in (each(records) for each in (scaling, against_gpu, expansion, nested, configurations)):
        _print(table)


def _print(table: Table) -> None:
    if table.rows:
        print(f"\n{table.title}\n")
        harness.print_table(table.header, table.rows, table.left)


def question_of(app: str) -> str:
    """Return what an application does; of one that there is no more, nothing."""
    return app_of(app).question if app in names() else ""


def axis_of(app: str) -> str:
    """Return the parameter over which an application's times are shown, nothing if there is none."""
    return app_of(app).axis if app in names() else ""


# ------------------------------------------------------------------------------------------- variants


def times(records: Sequence[Record], app: str) -> Table:
    """Return a table of an application's times in ms, a column for each variant."""
    return _by_variant(records, app, "Milliseconds, least of all rounds", lambda record: ms(record.ms))


def speedups(records: Sequence[Record], app: str) -> Table:
    """Return a table of how many times as fast as the quickest baseline each variant is."""
    title = "Times as fast as the quickest of the baselines"
    return _by_variant(records, app, title, lambda record: times_as_fast(record.ratio))


def _by_variant(records: Sequence[Record], app: str, title: str, cell: Callable[[Record], str]) -> Table:
    """Return a table with a row for each place and number of cores, the GPU's last; those without a cell left out."""
    measured = [record for record in records if record.app == app and record.goal_ms is None]
    columns = list(dict.fromkeys(record.variant for record in measured))
    rows = []
    for place in places(measured):
        here = [record for record in measured if _is_at(record, place)]
        for cores in core_counts(here):
            cells = {r.variant: cell(r) if r.checked else "WRONG" for r in here if r.cores == cores}
            if any(cells.values()):
                words = (place.input, place.order or "", in_words(cores))
                rows.append((*words, *(cells.get(column, "") for column in columns)))
    return Table(title, ("input", "order", "on", *columns), tuple(rows), left=3)


def _is_at(record: Record, place: Place) -> bool:
    return (record.app, record.input, record.order) == (place.app, place.input, place.order)


def parts(records: Sequence[Record], app: str) -> Table:
    """Return a table of the parts that an application's times have, where programs report them."""
    own = [record for record in records if record.app == app and record.parts and record.checked]
    least = least_cores(own)
    columns = list(dict.fromkeys(name for record in own for name in record.parts))
    rows = tuple(
        (
            record.input,
            record.order or "",
            platform_of(record, least),
            *(ms(record.parts.get(name)) for name in columns),
        )
        for record in own
    )
    return Table("Milliseconds of each part", ("input", "order", "variant", *columns), rows, left=3)


def overheads(records: Sequence[Record], app: str) -> Table:
    """Return a table of what is no variant, such as compiling and launching, with the project's goals."""
    rows = tuple(
        (record.input, ms(record.ms), ms(record.goal_ms))
        for record in records
        if record.app == app and record.goal_ms is not None
    )
    return Table("What else takes time", ("what", "ms", "goal, ms"), rows, left=1)


def expansion(records: Sequence[Record]) -> Table:
    """Return a table of how much work gangs do for what their lanes need (Goldfarb, Jo and Kulkarni 2013, 6.3)."""
    rows = []
    for record in records:
        for found in record.traversals:
            of_gang = found["work_expansion"]
            numbers = (
                found["visits_per_query"]["mean"],
                found["steps_per_gang"],
                found["lanes_per_step"],
                of_gang["mean"],
                of_gang["deviation"],
            )
            words = (record.app, record.input, record.order or "", record.variant, found["function"])
            rows.append((*words, *(f"{number:.2f}" for number in numbers)))
    header = (
        "app", "input", "order", "variant", "function",
        "visits / query", "steps / gang", "lanes / step", "work expansion", "deviation",
    )  # fmt: skip
    return Table("What traversals do", header, tuple(rows), left=5)


def launches(records: Sequence[Record]) -> Table:
    """Return a table of how much of the time as many empty launches take, where that is something."""
    rows = tuple(
        (r.app, r.input, r.variant, in_words(r.cores), ms(r.ms), f"{100 * r.launches_ms / r.ms:.2f} %")
        for r in records
        if r.launches_ms is not None and r.checked and r.launches_ms >= LEAST_SHARE * r.ms
    )
    return Table(
        f"Share of launches, from {100 * LEAST_SHARE:g} % on",
        ("app", "input", "variant", "on", "ms", "launches"),
        rows,
        left=4,
    )


# ------------------------------------------------------------------------------------------- nested launches


def nested(records: Sequence[Record]) -> Table:
    """Return a table of the forms of applications whose kernels launch kernels (Wu's figures 3.5 and 3.6)."""
    others = ("flat", *LEVELS)
    rows = []
    for forms in forms_of(records):
        speedups = (times_as_fast(forms.speedup(name)) for name in others)
        made = (forms.records[name].child_launches if name in forms.records else None for name in ("basic", *LEVELS))
        counts = ("" if count is None else str(count) for count in made)
        words = (forms.place.app, forms.place.input, in_words(forms.cores))
        rows.append((*words, ms(forms.records["basic"].ms), *speedups, *counts))
    header = (
        "app", "input", "on", "basic, ms", *(f"basic / {name}" for name in others),
        *(f"launches, {name}" for name in ("basic", *LEVELS)),
    )  # fmt: skip
    return Table("Launches from kernels: how many times as fast as basic, and how many", header, tuple(rows), left=3)


def configurations(records: Sequence[Record]) -> Table:
    """Return a table of the sizes of consolidated grids (Wu's figure 3.4)."""
    rows = tuple(
        (forms.place.app, forms.place.input, in_words(forms.cores), name, *(times_as_fast(of[n]) for n in LEVELS))
        for forms in forms_of(records)
        for name, of in configurations_of(forms).items()
        if len(of) == len(LEVELS)
    )
    title = "Sizes of consolidated grids: how many times as fast as basic"
    return Table(title, ("app", "input", "on", "size", *LEVELS), rows, left=4)


# ------------------------------------------------------------------------------------------- cores, GPU


def scaling(records: Sequence[Record]) -> Table:
    """Return a table of how many times as fast more cores are than one."""
    found = {place: over_cores(records, place) for place in places(records)}
    found = {place: by_cores for place, by_cores in found.items() if 1 in by_cores and len(by_cores) > 1}
    counts = sorted({cores for by_cores in found.values() for cores in by_cores} - {1})
    rows = []
    for place, by_cores in found.items():
        ratios = {cores: times_as_fast(by_cores[1].ms / record.ms) for cores, record in by_cores.items()}
        one = by_cores[1]
        rows.append(
            (place.app, place.input, place.order or "", one.variant, ms(one.ms), *(ratios.get(n, "") for n in counts))
        )
    header = ("app", "input", "order", "variant", "1 core, ms", *(f"{n} cores" for n in counts))
    return Table("Times as fast as one core", header, tuple(rows), left=4)


def against_gpu(records: Sequence[Record]) -> Table:
    """Return a table of the quickest variants on a CPU and a GPU."""
    header = (
        "app", "input", "order", "CPU", "GPU", "GPU with transfers",
        "CPU, ms", "GPU, ms", "transfers, ms", "CPU / GPU", "... with transfers", "CPU / recursive GPU",
    )  # fmt: skip
    title = "The CPU's time divided by the GPU's: below 1 the CPU is ahead"
    return Table(title, header, tuple(map(_duel, duels(records))), left=6)


def _duel(duel: Duel) -> tuple[str, ...]:
    place, cpu, gpu, moved = duel.place, duel.cpu, duel.gpu, duel.gpu_with_transfers
    return (
        place.app,
        place.input,
        place.order or "",
        f"{cpu.variant}, {in_words(cpu.cores)}",
        gpu.variant,
        moved.variant,
        ms(cpu.ms),
        ms(gpu.ms),
        ms(moved.transfer_ms),
        f"{cpu.ms / gpu.ms:.2f}",
        f"{cpu.ms / with_transfers(moved):.2f}",
        f"{cpu.ms / duel.gpu_recursive.ms:.2f}" if duel.gpu_recursive else "",
    )


def ms(number: float | None) -> str:
    return harness.milliseconds(number)


def times_as_fast(ratio: float | None) -> str:
    return "" if ratio is None else f"{ratio:.2g}" if ratio < 0.1 else f"{ratio:.2f}" if ratio < 10 else f"{ratio:.1f}"
