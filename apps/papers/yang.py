"""Yang, He, Luo, Sander and Shi, "Stack-based parallel recursion on graphics processors" (PPoPP 2009)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ..common import drawing
from ..common.tables import Table
from ..harness import Record
from .measured import Measured
from .table import GPU, Key, Needed, PaperTable

PAPER = "Yang, He, Luo, Sander and Shi (2009)"
POINTS, QUICK_POINTS = "random:4194304x2", "random:20000x2"
ORDER = "sorted"
SIZES = tuple(2**power for power in range(1, 13))
PAPERS = ("t-stack", "w-stack", "b-stack")
PLAIN = ("recursive", *PAPERS)
SMALL = ("t-stack-16", "w-stack-16", "b-stack-16")
HYBRID = ("bw-stack", "wt-stack")
FORMS = (*PLAIN, *SMALL, *HYBRID)
OPENMP = "openmp"
URGENT = {4: 0, 64: 0, 1024: 0, 2: 2, 16: 2, 256: 2, 4096: 2}  # of node sizes; others come last


def _needs(size: int) -> Iterator[Needed]:
    """Yield what is needed of a node size: of a GPU, of all cores, and of one."""
    options = ("--node-size", str(size))
    parameters = {"node size": size}
    urgent = URGENT.get(size, 3)
    for variants, cores, on_gpu, later in (
        ((), "most", FORMS, 0),
        ((*PLAIN, *HYBRID, "w-stack-16", OPENMP), "most", (), 2),
    ):
        yield Needed(
            "rtree",
            (POINTS,),
            variants=variants,
            on_gpu=on_gpu,
            cores=cores,  # type: ignore[arg-type]
            orders=(ORDER,),
            options=options,
            parameters=parameters,
            quick_inputs=(QUICK_POINTS,),
            urgent=urgent + later,
        )


NEEDS = tuple(needed for size in SIZES for needed in _needs(size))


def _sizes(measured: Measured) -> dict[int, Needed]:
    """Return a need of each node size."""
    return {int(each.parameters["node size"]): each for each in measured.needs}


def _key(needed: Needed, form: str, on: int) -> Key:
    return needed.key(needed.inputs[0], form, on, ORDER)


def _table(measured: Measured, on: int, forms: Sequence[str], title: str) -> Table:
    """Return a table of milliseconds, a row for each node size, the least of a row bold."""
    rows = []
    for size, needed in _sizes(measured).items():
        keys = [_key(needed, form, on) for form in forms]
        best = measured.best(keys)
        cells = [measured.ms(key) for key in keys]
        if best:
            cells = [f"**{c}**" if k.variant == best.variant else c for k, c in zip(keys, cells, strict=True)]
            rows.append((str(size), *cells))
    return Table(title, ("N", *forms), tuple(rows), 0)


def _rows(measured: Measured) -> Sequence[Table]:
    most = measured.most_cores
    tables = [_table(measured, most, (*PLAIN, *HYBRID, OPENMP), f"Milliseconds on {most} cores, by entries of a node")]
    if any(measured.record(_key(needed, "w-stack", GPU)) for needed in _sizes(measured).values()):
        tables.insert(0, _table(measured, GPU, FORMS, "Milliseconds on the GPU, by entries of a node"))
    else:
        measured.because("no GPU was measured on this machine")
    return tables


def _draw(measured: Measured) -> Any:
    """Draw milliseconds over the entries of a node, for the GPU and the CPU."""
    most = measured.most_cores
    shown = [
        (title, [(form, _line(measured, form, on)) for form in forms])
        for title, on, forms in (("GPU", GPU, FORMS), (f"{most} cores", most, (*PLAIN, *HYBRID, OPENMP)))
    ]
    shown = [(title, lines) for title, lines in shown if any(points for _, points in lines)]
    if not shown:
        return None
    drawn, panels = drawing.panels(1, len(shown), 3.2 * len(shown), 3.2)
    colours = (*FORMS, OPENMP)
    for axes, (title, lines) in zip(panels, shown, strict=True):
        for form, points in lines:
            if points:
                style = drawing.line(colours.index(form))
                dashes = "-" if form in PAPERS else "--"
                axes.plot(*zip(*points, strict=True), label=form, linestyle=dashes, **style)
        axes.set_title(title, loc="left")
        axes.set_xscale("log", base=2)
        axes.set_xlabel("entries of a node")
    panels[0].set_ylabel("milliseconds")
    return drawing.with_legend(drawn, panels, "100,000 range queries; solid: the paper's three stacks")


def _line(measured: Measured, form: str, on: int) -> list[tuple[int, float]]:
    found = ((size, measured.record(_key(needed, form, on))) for size, needed in _sizes(measured).items())
    return [(size, record.ms) for size, record in found if record]


SAID = """Figure 2 (a GeForce 8800GTX, 4 M records, 100,000 queries; no numbers are printed but these):

| | against two OpenMP threads, at most | is the best for |
| --- | ---: | --- |
| t_stack | 5 times as fast | N below 4; slower than the CPU above 1024 |
| b_stack | 5.9 | none; like w_stack for N below 32, behind it above 256 |
| w_stack | 6.3 | large nodes |

Section 2.4: a thread whose stack overflows dumps it to memory, and a second kernel resumes. Hybrids of stacks, a
block's at the beginning and a warp's or a thread's near the base cases, are left to the future; the challenge is "to
reduce the switching overhead"."""


def _found(measured: Measured) -> str:
    sentences = []
    for where, on, rivals in (
        ("the GPU", GPU, PLAIN),
        (f"{measured.most_cores} cores", measured.most_cores, (*PLAIN, OPENMP)),
    ):
        best = {
            size: record
            for size, needed in _sizes(measured).items()
            if (record := measured.best(_key(needed, form, on) for form in rivals))
        }
        if best:
            sentences.append(f"On {where}, the best form is {_ranges(best)}.")
        sentences += _against_plain(measured, where, on)
    return " ".join(sentences)


def _ranges(best: dict[int, Record]) -> str:
    """Say which form is the best from which size to which."""
    runs: list[tuple[str, list[int]]] = []
    for size, record in best.items():
        if not runs or runs[-1][0] != record.variant:
            runs.append((record.variant, []))
        runs[-1][1].append(size)
    texts = (f"{form} for N = {f'{sizes[0]} to {sizes[-1]}' if len(sizes) > 1 else sizes[0]}" for form, sizes in runs)
    return ", ".join(texts)


def _against_plain(measured: Measured, where: str, on: int) -> Iterator[str]:
    """Say what stacks of 16 entries and hybrids gain over the stacks that they stand in for."""
    for form, plain, words in (
        ("w-stack-16", "w-stack", "Stacks of 16 entries, dumped when full,"),
        ("bw-stack", "b-stack", "Blocks' stacks, divided among warps,"),
        ("wt-stack", "w-stack", "Warps' stacks, divided among lanes,"),
    ):
        ratios = {}
        for size, needed in _sizes(measured).items():
            pair = [measured.record(_key(needed, name, on)) for name in (plain, form)]
            if pair[0] and pair[1]:
                ratios[size] = pair[0].ms / pair[1].ms
        if ratios:
            least, most = min(ratios, key=ratios.__getitem__), max(ratios, key=ratios.__getitem__)
            yield (
                f"{words} take {where} {1 / ratios[most]:.2f} (N = {most}) to {1 / ratios[least]:.2f} (N = {least}) "
                f"times as long as {plain}."
            )


TABLES = (
    PaperTable(
        name="yang-2",
        paper=PAPER,
        number="figure 2 and section 2.4",
        title="range queries with a stack a thread, a warp or a block, stacks that overflow, and hybrids",
        needs=NEEDS,
        rows=_rows,
        draw=_draw,
        said=SAID,
        found=_found,
    ),
)
