"""Burtscher and Pingali, "An efficient CUDA implementation of the tree-based Barnes Hut n-body algorithm" (2011)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..common import drawing
from ..common.tables import Table
from ..harness import Record, milliseconds
from .measured import Measured
from .table import GPU, Key, Needed, PaperTable

PAPER = "Burtscher and Pingali (2011)"
SIZES = (5_000, 50_000, 500_000, 5_000_000)
LARGEST = 50_000_000
KERNELS = ("box", "tree", "sums", "sort", "forces", "move")
OURS, SERIAL, ALL_PAIRS, COUNTED = "auto", "serial", "all-pairs", "counted"
WARP, TILE = 32, 256


def _input(bodies: int) -> str:
    return f"plummer:{bodies}"


INPUTS = tuple(map(_input, SIZES))
QUICK = (_input(2_000), _input(5_000))
FULL, OF_PAIRS = _input(5_000_000), _input(500_000)


def _bodies(input: str) -> int:
    return int(input.removeprefix("plummer:"))


@dataclass(frozen=True)
class Place:
    """What takes a time step: the serial program, or ours on some cores or a GPU."""

    name: str
    variant: str
    on: int

    def key(self, needed: Needed, input: str) -> Key:
        return needed.key(input, self.variant, self.on)


def _places(measured: Measured, ours: str = OURS, serial: bool = True) -> list[Place]:
    places = [Place("C++, 1 core", SERIAL, 1)] if serial else []
    for on in dict.fromkeys((min(measured.cores), measured.most_cores)):
        places.append(Place(f"{on} core{'s' if on > 1 else ''}", ours, on))
    if any(source.machine.gpu for source in measured.sources):
        places.append(Place("GPU", ours, GPU))
    return places


# ------------------------------------------------------------------------------------------- table 6.2


def _rows_62(measured: Measured) -> Sequence[Table]:
    needed = measured.needs[0]
    rows = []
    for input in needed.inputs:
        for place in _places(measured):
            record = measured.record(place.key(needed, input))
            if record is None:
                rows.append((f"{_bodies(input):,}", place.name, *[""] * 6, measured.missing(place.key(needed, input))))
            else:
                cells = (milliseconds(record.parts.get(kernel)) for kernel in KERNELS)
                rows.append((f"{_bodies(input):,}", place.name, *cells, milliseconds(record.ms)))
    header = ("bodies", "on", *(f"{i}: {name}" for i, name in enumerate(KERNELS, 1)), "all")
    ratios = Table("Times as fast as C++ on one core", header, tuple(_ratios(measured, needed)), 2)
    return [Table("Milliseconds of a time step, by kernel", header, tuple(rows), 2), ratios]


def _ratios(measured: Measured, needed: Needed) -> Iterator[tuple[str, ...]]:
    for input in needed.inputs:
        serial = measured.record(needed.key(input, SERIAL, 1))
        for place in _places(measured, serial=False):
            record = measured.record(place.key(needed, input))
            if serial and record:
                pairs = [(serial.parts.get(k), record.parts.get(k)) for k in KERNELS]
                cells = [_times(slow, fast) for slow, fast in (*pairs, (serial.ms, record.ms))]
                yield (f"{_bodies(input):,}", place.name, *cells)


def _times(slow: float | None, fast: float | None) -> str:
    return _ratio(slow / fast) if slow and fast else ""


def _ratio(number: float) -> str:
    return f"{number:,.0f}" if number >= 100 else f"{number:.2g}"


def _draw_62(measured: Measured) -> Any:
    """Draw the time of each kernel for the most bodies that are measured, a bar for each place."""
    needed = measured.needs[0]
    for input in reversed(needed.inputs):
        found = [(place, measured.record(place.key(needed, input))) for place in _places(measured)]
        there = [(place, record) for place, record in found if record and record.parts]
        if len(there) > 1:
            return _bars(
                [(place.name, [record.parts.get(kernel) for kernel in KERNELS]) for place, record in there],
                "milliseconds",
                f"kernels of a time step, {_bodies(input):,} bodies",
            )
    return None


def _bars(series: Sequence[tuple[str, Sequence[float | None]]], unit: str, title: str) -> Any:
    """Draw bars for each kernel, side by side for each of a series."""
    drawn, (axes,) = drawing.panels(1, 1, 5.2, 2.8)
    width = 0.8 / len(series)
    for number, (name, values) in enumerate(series):
        places = [i + (number - (len(series) - 1) / 2) * width for i, value in enumerate(values) if value]
        axes.bar(places, [value for value in values if value], width, label=name, **drawing.style(number))
    axes.set_xticks(range(len(KERNELS)), [f"{i}: {name}" for i, name in enumerate(KERNELS, 1)])
    axes.set_ylabel(unit)
    return drawing.with_legend(drawn, [axes], title)


SAID_62 = """For 5,000,000 bodies, milliseconds, on a Quadro FX 5800 and one core of a Xeon E5540:

| | 1 | 2 | 3 | 4 | 5 | 6 |
| --- | ---: | ---: | ---: | ---: | ---: | ---: |
| CPU | 50.0 | 2,160.0 | 430.0 | 310.0 | 382,840.0 | 990.0 |
| GPU | 0.8 | 868.0 | 100.3 | 38.6 | 4,202.8 | 4.1 |
| CPU / GPU | 62.5 | 2.5 | 4.3 | 8.0 | 91.1 | 241.5 |

Kernel 5 takes by far the longest, then kernel 2; 2, 3 and 4 gain less than ten times, the others more than 60."""


def _found_62(measured: Measured) -> str:
    needed = measured.needs[0]
    sentences = []
    for place in _places(measured, serial=False)[-2:]:
        for input in reversed(needed.inputs):
            serial, record = measured.record(needed.key(input, SERIAL, 1)), measured.record(place.key(needed, input))
            if serial and record and serial.parts and record.parts:
                gains = {k: serial.parts[k] / record.parts[k] for k in KERNELS if record.parts.get(k)}
                least, most = min(gains, key=gains.__getitem__), max(gains, key=gains.__getitem__)
                sentences.append(
                    f"{_where(place)}, kernel 5 takes {100 * record.parts['forces'] / record.ms:.0f} % of a step of "
                    f"{_bodies(input):,} bodies; against serial C++, `{least}` gains least, "
                    f"{_ratio(gains[least])} times, `{most}` most, {_ratio(gains[most])} times."
                )
                break
    return " ".join(sentences)


def _where(place: Place) -> str:
    return "On the GPU" if place.on == GPU else f"On {place.name}"


# ------------------------------------------------------------------------------------------- table 6.3


@dataclass(frozen=True)
class Amount:
    """How much a kernel does: floating-point operations, and bytes that it asks memory for."""

    flops: float
    bytes: float


def amounts(bodies: int, counts: Mapping[str, float]) -> dict[str, Amount]:
    """Return how much each kernel does in the first time step, from what `bh6 --count` prints."""
    n, cells, levels = bodies, counts["cells"], counts["levels"]
    visits, pulls = counts["visits"], counts["pulls"]
    children = n + cells - 1
    return {
        "box": Amount(6 * n, 12 * n),
        "tree": Amount(7 * levels, 4 * levels + 12 * n + 4 * (n + cells) + 40 * cells),
        "sums": Amount(7 * children + 3 * cells, 16 * children + 4 * (cells - 1) + 52 * cells),
        "sort": Amount(0, 36 * cells + 8 * (cells - 1) + 4 * n),
        "forces": Amount(WARP * (10 * visits + 10 * pulls), 16 * visits + 4 * pulls + 28 * n),
        "move": Amount(15 * n, 60 * n),
    }


def amount_of_all_pairs(bodies: int) -> Amount:
    return Amount(19 * bodies**2, 16 * bodies * -(-bodies // TILE) + 28 * bodies)


FORMULAE = f"""n bodies, c cells, L levels of cells above all bodies, V nodes that warps look at, P of these that pull:

| kernel | flops | bytes |
| --- | --- | --- |
| 1: box | 6 n | 12 n |
| 2: tree | 7 L | 4 L + 12 n + 4 (n + c) + 40 c |
| 3: sums | 7 (n + c - 1) + 3 c | 16 (n + c - 1) + 4 (c - 1) + 52 c |
| 4: sort | 0 | 36 c + 8 (c - 1) + 4 n |
| 5: forces | {WARP} (10 V + 10 P) | 16 V + 4 P + 28 n |
| 6: move | 15 n | 60 n |
| all pairs | 19 n² | 16 n ⌈n / {TILE}⌉ + 28 n |

A flop is an addition, a product, a quotient, a comparison or `rsqrt`. Bytes are those that kernels ask for, once
where the lanes of a warp ask for the same; caches serve most of them. Retries are not counted, nor levels that a body
sinks twice. `bh6 --count` prints c, L, V and P."""


def _counts(measured: Measured, key: Key) -> Mapping[str, float] | None:
    """Return what was counted, on this machine or another: it does not depend on that."""
    found = measured.record(key)
    if found and found.counts:
        return found.counts
    for source in (*measured.sources, *measured.elsewhere):
        for record in source.records:
            if (record.app, record.input, record.variant) == (key.app, key.input, COUNTED) and record.counts:
                return record.counts
    return None


def _rows_63(measured: Measured) -> Sequence[Table]:
    needed, pairs = measured.needs
    rows = []
    for input in needed.inputs:
        for place in _places(measured, COUNTED, serial=False):
            key = place.key(needed, input)
            record, counts = measured.record(key), _counts(measured, key)
            if record is None and not _is_needed(measured, place, input):
                continue
            if record is None or counts is None:
                rows.append((f"{_bodies(input):,}", place.name, "all", measured.missing(key), *[""] * 4))
                continue
            found = amounts(_bodies(input), counts)
            for number, kernel in enumerate(KERNELS, 1):
                words = (f"{_bodies(input):,}", place.name, f"{number}: {kernel}")
                rows.append((*words, *_rates(found[kernel], record.parts[kernel])))
            whole = Amount(sum(a.flops for a in found.values()), sum(a.bytes for a in found.values()))
            rows.append((f"{_bodies(input):,}", place.name, "all", *_rates(whole, record.ms)))
    for input in pairs.inputs:
        for place in _places(measured, ALL_PAIRS, serial=False):
            record = measured.record(place.key(pairs, input))
            if record is not None:
                cells = _rates(amount_of_all_pairs(_bodies(input)), record.ms)
                rows.append((f"{_bodies(input):,}", place.name, "all pairs", *cells))
    header = ("bodies", "on", "kernel", "ms", "Gflop", "Gflop/s", "GB", "GB/s")
    return [Table(FORMULAE, header, tuple(rows), 3)]


def _rates(amount: Amount, ms: float) -> tuple[str, ...]:
    rates = (amount.flops / 1e9, amount.flops / ms / 1e6, amount.bytes / 1e9, amount.bytes / ms / 1e6)
    return (milliseconds(ms), *(f"{rate:.3g}" for rate in rates))


def _draw_63(measured: Measured) -> Any:
    needed = measured.needs[0]
    drawn, panels = drawing.panels(1, 2, 6.4, 2.8)
    series = 0
    places = _places(measured, COUNTED, serial=False)
    for number, place in enumerate(places):
        for input in needed.inputs[-1:]:
            key = place.key(needed, input)
            record, counts = measured.record(key), _counts(measured, key)
            if record is None or counts is None:
                continue
            series += 1
            found = amounts(_bodies(input), counts)
            rates: Sequence[Callable[[Amount], float]] = (lambda a: a.flops, lambda a: a.bytes)
            for axes, of in zip(panels, rates, strict=True):
                values = [of(found[kernel]) / record.parts[kernel] / 1e6 for kernel in KERNELS]
                width = 0.8 / len(places)
                at = [i + (number - (len(places) - 1) / 2) * width for i, value in enumerate(values) if value]
                axes.bar(at, [v for v in values if v], width, label=place.name, **drawing.style(number))
    if not series:
        return None
    for axes, title in zip(panels, ("Gflop/s", "GB/s asked for"), strict=True):
        axes.set_xticks(range(len(KERNELS)), KERNELS)
        axes.set_title(title, loc="left")
    return drawing.with_legend(drawn, panels, f"kernels of a time step, {_bodies(needed.inputs[-1]):,} bodies")


SAID_63 = """For 5,000,000 bodies, all kernels together, on a Quadro FX 5800:

| | Gflop/s | GB/s | seconds |
| --- | ---: | ---: | ---: |
| Barnes-Hut | 75.8 | 2.9 | 5.2 |
| all pairs | 304.9 | 0.9 | 1639.9 |

The regular program uses the hardware nearly fully, the irregular one does not. Bytes are few as one lane reads for its
warp. (1639.9 s at 304.9 Gflop/s are 20 flops a pair.)"""


def _found_63(measured: Measured) -> str:
    needed, pairs = measured.needs
    sentences = []
    for place in _places(measured, COUNTED, serial=False):
        for input in needed.inputs[-1:]:
            record, counts = measured.record(place.key(needed, input)), _counts(measured, place.key(needed, input))
            if record and counts:
                found = amounts(_bodies(input), counts)
                flops, size = (sum(of) / record.ms / 1e6 for of in _sums(found))
                sentences.append(f"{_where(place)}: {flops:,.3g} Gflop/s and {size:.3g} GB/s.")
    for input in pairs.inputs[-1:]:
        for place in _places(measured, ALL_PAIRS, serial=False)[-1:]:
            every = measured.record(place.key(pairs, input))
            if every:
                rate = amount_of_all_pairs(_bodies(input)).flops / every.ms / 1e6
                sentences.append(f"All pairs, {_where(place).lower()}: {rate:,.3g} Gflop/s.")
    return " ".join(sentences)


def _sums(found: Mapping[str, Amount]) -> tuple[list[float], list[float]]:
    return [each.flops for each in found.values()], [each.bytes for each in found.values()]


# ------------------------------------------------------------------------------------------- figure 6.15


def _lines_615(measured: Measured) -> list[Place]:
    pairs = _places(measured, ALL_PAIRS, serial=False)
    named = [Place(f"all pairs, {place.name}", place.variant, place.on) for place in pairs]
    return [*_places(measured), *named]


def _sizes_615(measured: Measured) -> dict[str, Needed]:
    return {input: needed for needed in measured.needs for input in needed.inputs}


def _record_615(measured: Measured, place: Place, input: str) -> Record | None:
    return measured.record(place.key(measured.needs[0], input))


def _rows_615(measured: Measured) -> Sequence[Table]:
    places = _lines_615(measured)
    rows = []
    for input in _sizes_615(measured):
        cells = []
        for place in places:
            record = _record_615(measured, place, input)
            wanted = _is_needed(measured, place, input)
            cells.append(
                milliseconds(record.ms)
                if record
                else measured.missing(place.key(measured.needs[0], input))
                if wanted
                else ""
            )
        rows.append((f"{_bodies(input):,}", *cells))
    return [Table("Milliseconds of a time step", ("bodies", *(place.name for place in places)), tuple(rows), 0)]


def _is_needed(measured: Measured, place: Place, input: str) -> bool:
    """Whether a table needs an input to be solved there."""
    return any(
        place.key(needed, input) in (needed.gpu_keys() if place.on == GPU else needed.cpu_keys(measured.cores))
        for needed in measured.needs
    )


def _draw_615(measured: Measured) -> Any:
    drawn, (axes,) = drawing.panels(1, 1, 4.2, 3.2)
    shown = 0
    for number, place in enumerate(_lines_615(measured)):
        found = [(_bodies(i), _record_615(measured, place, i)) for i in _sizes_615(measured)]
        points = [(bodies, record.ms) for bodies, record in sorted(found, key=lambda pair: pair[0]) if record]
        if points:
            shown += 1
            dashes = "--" if place.variant == ALL_PAIRS else "-"
            axes.plot(*zip(*points, strict=True), label=place.name, linestyle=dashes, **drawing.line(number))
    if not shown:
        return None
    axes.set_xscale("log")
    counts = sorted(map(_bodies, _sizes_615(measured)))
    axes.set_xticks(counts, [f"{count / 1e6:g} M" if count >= 1e6 else f"{count // 1000} k" for count in counts])
    axes.minorticks_off()
    axes.set_xlabel("bodies")
    axes.set_ylabel("milliseconds a time step")
    return drawing.with_legend(drawn, [axes], "Barnes-Hut by six kernels, by serial C++, and all pairs")


SAID_615 = """The GPU (a Quadro FX 5800) against serial C on one core of a Xeon E5540, and against all pairs on the GPU:

| bodies | 5,000 | 50,000 | 500,000 | 5,000,000 | 50,000,000 |
| --- | ---: | ---: | ---: | ---: | ---: |
| times as fast as serial C | 5 | 35 | 66 | 74 | 53 |
| times as fast as all pairs | 0.2 | 3.3 | 35 | 314 | |

A step takes just over 5 s for 5,000,000 bodies and 88 s for 50,000,000. All pairs are the quickest below about
10,000."""


def _found_615(measured: Measured) -> str:
    sentences = []
    places = _places(measured)
    pairs = Place("all pairs", ALL_PAIRS, places[-1].on)
    for text, slow in (("serial C++", places[0]), ("all pairs there", pairs)):
        found = []
        for input in _sizes_615(measured):
            one, other = _record_615(measured, slow, input), _record_615(measured, places[-1], input)
            if one and other:
                found.append(f"{_ratio(one.ms / other.ms)} ({_bodies(input):,} bodies)")
        if found:
            sentences.append(
                f"{_where(places[-1])}, the kernels are as many times as fast as {text}: {', '.join(found)}."
            )
    largest = _record_615(measured, places[-1], _input(LARGEST))
    if largest:
        sentences.append(f"A step of {LARGEST:,} bodies takes {largest.ms / 1e3:.2f} s there.")
    return " ".join(sentences)


def _steps(cpu: Sequence[str], gpu: Sequence[str]) -> tuple[Needed, ...]:
    """Return what both the table and the figure need of all sizes."""
    small, (large,) = INPUTS[:3], INPUTS[3:]
    return (
        Needed("bh6", INPUTS, quick_inputs=QUICK, cores="ends"),  # names the inputs
        Needed("bh6", small, tuple(cpu), tuple(gpu), quick_inputs=QUICK, urgent=0),
        Needed("bh6", (large,), (OURS,), (OURS,), cores="most", urgent=0),
        Needed("bh6", (large,), (OURS, SERIAL), cores="one", urgent=3),
    )


TABLES = (
    PaperTable(
        name="burtscher-6.2",
        paper=PAPER,
        number="table 6.2",
        title="the six kernels of a Barnes-Hut time step",
        needs=_steps((OURS, SERIAL), (OURS,)),
        rows=_rows_62,
        draw=_draw_62,
        said=SAID_62,
        found=_found_62,
    ),
    PaperTable(
        name="burtscher-6.3",
        paper=PAPER,
        number="table 6.3",
        title="floating-point operations and bytes of the six kernels",
        needs=(
            Needed("bh6", (FULL,), (COUNTED,), (COUNTED,), quick_inputs=QUICK[1:], cores="most", urgent=1),
            Needed("bh6", (OF_PAIRS,), (), (ALL_PAIRS,), quick_inputs=QUICK[1:], urgent=1),
        ),
        rows=_rows_63,
        draw=_draw_63,
        said=SAID_63,
        found=_found_63,
    ),
    PaperTable(
        name="burtscher-6.15",
        paper=PAPER,
        number="figure 6.15",
        title="the time of a Barnes-Hut step by the number of bodies",
        needs=(
            *_steps((OURS, SERIAL), (OURS, ALL_PAIRS)),
            Needed("bh6", INPUTS[:2], (ALL_PAIRS,), quick_inputs=QUICK, cores="ends", urgent=1),
            Needed("bh6", (_input(LARGEST),), (), (OURS,), urgent=1),
        ),
        rows=_rows_615,
        draw=_draw_615,
        said=SAID_615,
        found=_found_615,
    ),
)
