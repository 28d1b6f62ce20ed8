"""`apps/papers/README.md`: all tables of the papers, and for each application who wins and why.

The numbers come from records, and from what was predicted; the words about them from `why.md`, which people write.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path

from ..common import summary
from ..common.app import FOLDER, names
from ..common.summary import Place, in_words, is_kernel, with_transfers
from ..common.tables import Table, ms, question_of, where
from ..harness import AppError, Record
from ..machine import CUDA
from .measured import Source, is_there
from .table import GPU, PaperTable

HERE = FOLDER / "papers"
NAME = "README"
SHORT = "In short"  # the section of `why.md` that stands before all applications
WHY, PREDICTED = HERE / "why.md", HERE / "predicted.json"
MOST_ROWS = 8  # of an application
INTRODUCTION = """# The papers' tables, measured here

Each page has a table or a figure of one of the papers that this project comes from: what we measure, on which machine
and from which commit, the command that makes it again, what the paper says in numbers, and what we find.
`python -m apps tables NAME...` measures what no record in `../results` is of and writes the pages; with `--from FILE`
it takes the records of files; `python -m apps tables README` writes this page."""


@dataclass(frozen=True)
class Prediction:
    """What a variant should take on a number of cores (0: a GPU), and the bytes that its kernels move."""

    app: str
    input: str
    order: str | None
    variant: str
    cores: int
    ms: float
    bytes: float | None = None


def read_predictions(file: Path) -> list[Prediction]:
    """Read a list of predictions; none if there is no file. Raises `AppError` for a file of something else."""
    try:
        return [Prediction(**each) for each in json.loads(file.read_text(encoding="utf-8"))]
    except FileNotFoundError:
        return []
    except (OSError, ValueError, TypeError) as fault:
        raise AppError(f"{file}: not a list of predictions: {fault}") from None


def read_words(file: Path) -> dict[str, str]:
    """Return the text of each section of a file in Markdown, by its title; nothing if there is no file."""
    try:
        text = file.read_text(encoding="utf-8")
    except FileNotFoundError:
        return {}
    except OSError as fault:
        raise AppError(f"{file}: {fault.strerror}") from None
    sections = re.split(r"^## (.+)$", text, flags=re.MULTILINE)
    return {title.strip(): body.strip() for title, body in zip(sections[1::2], sections[2::2], strict=True)}


def text_of(
    tables: Sequence[PaperTable],
    sources: Sequence[Source],
    predictions: Sequence[Prediction],
    words: Mapping[str, str],
    folder: Path,
) -> str:
    """Return the text of the page; pages of tables are linked if they are in a folder.

    Raises `AppError` if there are words about an application that there is not.
    """
    unknown = [name for name in words if name not in (SHORT, *names())]
    if unknown:
        raise AppError(f"{WHY.name}: no application '{unknown[0]}'; there are {', '.join(names())}")
    sections = [_section(app, sources, predictions, words.get(app, "")) for app in names()]
    short = f"## {SHORT}\n\n{words[SHORT]}" if SHORT in words else ""
    parts = [INTRODUCTION, short, _listed(tables, folder), "## Who wins, and why", *sections]
    return "\n\n".join(part for part in parts if part) + "\n"


def _listed(tables: Sequence[PaperTable], folder: Path) -> str:
    rows = []
    for table in tables:
        page = folder / f"{table.name}.md"
        name = f"[{table.name}]({page.name})" if page.exists() else f"{table.name} (not made yet)"
        rows.append((name, f"{table.paper}, {table.number}", table.title))
    return Table("## Tables", ("page", "paper", "what it shows"), tuple(rows), 3).markdown()


# ------------------------------------------------------------------------------------------- an application


def _section(app: str, sources: Sequence[Source], predictions: Sequence[Prediction], words: str) -> str:
    source = _best_source(app, sources)
    parts = [f"### [{app}](../{app}/README.md): {question_of(app)}"]
    if source:
        records = source.records
        everywhere = [record for each in sources for record in each.records if record.app == app]
        parts.append(_numbers(app, where(source.machine), records, predictions).markdown())
        parts += [table.markdown() for table in _counts(everywhere) if table.rows]
    return "\n\n".join([*parts, *([words] if words else [])])


def _best_source(app: str, sources: Sequence[Source]) -> Source | None:
    """Return the records of the machine that has most of an application, those of a GPU counting twice."""
    merged: dict[tuple[str, int, str], Source] = {}
    for source in sorted(sources, key=lambda source: source.machine.date, reverse=True):
        own = tuple(record for record in source.records if record.app == app and record.checked)
        if own:
            before = merged.get(source.place)
            newest = before.machine if before else source.machine
            merged[source.place] = Source(source.file, newest, (*(before.records if before else ()), *own))
    weights = {place: sum(1 + (record.cores == GPU) for record in source.records) for place, source in merged.items()}
    best = max(weights, key=weights.__getitem__, default=None)
    if best is None:
        return None
    found = merged.pop(best)
    more = (source.records for place, source in merged.items() if is_there(place, best))
    return replace(found, records=(*found.records, *chain.from_iterable(more)))


def _numbers(app: str, title: str, records: Sequence[Record], predictions: Sequence[Prediction]) -> Table:
    """Return a row for each problem, those that a GPU has solved first: the quickest of each, and who wins.

    `others` are scalar C++ with OpenMP, peers and packages.
    """
    places = summary.places(records)
    on_gpu = [place for place in places if any(r.cores == GPU for r in summary.right(records, place))]
    chosen = [*on_gpu, *(place for place in places if place not in on_gpu)][:MOST_ROWS]
    rows = [row for place in chosen for row in _row(place, summary.right(records, place), predictions)]
    header = (
        "input", "order", "others", "1 core", "all cores", "GPU", "copies, ms", "CPU / GPU", "with copies",
        "launches", "predicted: CPU", "GPU", "predicted right",
    )  # fmt: skip
    return Table(f"Milliseconds; {title}:", header, tuple(rows), 2)


def _row(place: Place, records: Sequence[Record], predictions: Sequence[Prediction]) -> Iterator[tuple[str, ...]]:
    kernels = [record for record in records if is_kernel(record)]
    most = max((record.cores for record in kernels), default=1)
    one, many = (_quickest([r for r in kernels if r.cores == cores]) for cores in (1, most))
    gpu = _quickest([record for record in records if record.target == CUDA])
    baseline = _quickest([record for record in records if record.target != CUDA and not is_kernel(record)])
    cpu = many or one
    if cpu is None and gpu is None:
        return
    own = [p for p in predictions if (p.app, p.input, p.order) == (place.app, place.input, place.order)]
    said = [_predicted(own, record) for record in (cpu, gpu)]
    yield (
        place.input,
        place.order or "",
        _told(baseline),
        _told(one),
        _told(many if most > 1 else None),
        _told(gpu),
        ms(gpu.transfer_ms if gpu else None),
        f"{cpu.ms / gpu.ms:.2f}" if cpu and gpu else "",
        f"{cpu.ms / with_transfers(gpu):.2f}" if cpu and gpu else "",
        _launches(cpu or gpu),
        *(ms(each) for each in said),
        _is_right(cpu, gpu, said),
    )


def _quickest(records: Sequence[Record]) -> Record | None:
    return min(records, key=lambda record: record.ms, default=None)


def _told(record: Record | None) -> str:
    if record is None:
        return ""
    cores = f", {in_words(record.cores)}" if record.cores > 1 else ""
    return f"{ms(record.ms)} ({record.variant}{cores})"


def _launches(record: Record | None) -> str:
    if record is None:
        return ""
    if record.child_launches is not None:
        return f"{record.child_launches} from kernels"
    share = (record.launches_ms or 0) / record.ms
    return f"{100 * share:.0f} % of the time" if share >= 0.005 else ""


def _predicted(predictions: Sequence[Prediction], record: Record | None) -> float | None:
    if record is None:
        return None
    same = (each.ms for each in predictions if (each.variant, each.cores) == (record.variant, record.cores))
    return next(same, None)


def _is_right(cpu: Record | None, gpu: Record | None, said: Sequence[float | None]) -> str:
    """Say whether the winner that was predicted is the one that was measured."""
    if cpu is None or gpu is None or said[0] is None or said[1] is None:
        return ""
    return "yes" if (cpu.ms < gpu.ms) == (said[0] < said[1]) else "no"


def _counts(records: Sequence[Record]) -> list[Table]:
    """Return what traversals were counted to do: visits, and divergence, in lockstep and with a stack for each lane."""
    rows: dict[tuple[str, ...], tuple[str, ...]] = {}
    for record in records:
        for found in record.traversals[:1]:
            expansion = found["work_expansion"]
            numbers = (
                found["visits_per_query"]["mean"], found["steps_per_gang"], found["lanes_per_step"], expansion["mean"]
            )  # fmt: skip
            key = (record.input, record.order or "", record.variant)
            rows[key] = (*key, *(f"{number:.2f}" for number in numbers))
    header = ("input", "order", "variant", "visits / query", "steps / gang", "lanes / step", "work expansion")
    return [Table("What its traversals do, in gangs of 16 lanes:", header, tuple(rows.values()), 3)]
