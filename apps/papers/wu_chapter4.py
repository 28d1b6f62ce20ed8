"""Wu's dissertation (2018), chapter 4: forms of recursive tree traversals, figures 4.8 to 4.11."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from ..common.summary import in_words
from ..common.tables import Table, times_as_fast
from .measured import Measured
from .table import GPU, Key, Needed, PaperTable
from .wu_drawing import Bars, bars

PAPER = "Wu (dissertation)"
ORDERS = ("sorted", "shuffled")

# The figures' names of forms, and ours.
FORMS = {
    "REC": "recursive",
    "DR": "ropes",
    "SR": "static-ropes",
    "GDR": "refill",
    "DR-L": "lockstep",
    "SR-L": "static-ropes-lockstep",
}
GUIDED = {name: form for name, form in FORMS.items() if not name.startswith("SR")}
OF_APP = {"bh": FORMS, "pc": FORMS, "nn": GUIDED, "vp": GUIDED, "bs": GUIDED}
KERNELS = {"bh": "GF (bh)", "pc": "PC", "nn": "NN", "vp": "VP", "bs": "BS"}


def _traversal(app: str, inputs: tuple[str, ...], quick: tuple[str, ...], urgent: int = 1) -> Needed:
    forms = tuple(OF_APP[app].values())
    return Needed(app, inputs, forms, forms, cores="most", quick_inputs=quick, urgent=urgent)


# ------------------------------------------------------------------------------------------- figures 4.8 to 4.10


def _places(measured: Measured) -> Iterator[tuple[Needed, str, str, int]]:
    """Yield what has a row: an application with an input, an order, and a number of cores."""
    for needed in measured.needs:
        for name in needed.inputs:
            for order in ORDERS:
                for on in (measured.most_cores, GPU):
                    yield needed, name, order, on


def traversals(measured: Measured) -> Sequence[Table]:
    """Return a table of times, a column for each form."""
    rows = []
    for needed, name, order, on in _places(measured):
        cells = [
            measured.ms(needed.key(name, FORMS[form], on, order)) if form in OF_APP[needed.app] else "n/a"
            for form in FORMS
        ]
        rows.append((KERNELS[needed.app], name, order, in_words(on), *cells))
    title = "Milliseconds of the kernels; n/a: the order of the children depends on the query, and no form of it exists"
    return [Table(title, ("kernel", "input", "order", "on", *FORMS), tuple(rows), 4)]


def draw_traversals(title: str, measured: Measured) -> Any:
    """Draw a panel for each application and input, a group of bars for each order on the CPU and the GPU."""
    shown = []
    for needed in measured.needs:
        for name in needed.inputs:
            groups = [(order, on) for on in (measured.most_cores, GPU) for order in ORDERS]
            series = {
                form: [_ms(measured, needed.key(name, FORMS[form], on, order)) for order, on in groups]
                for form in OF_APP[needed.app]
            }
            labels = tuple(f"{order}\n{in_words(on)}" for order, on in groups)
            shown.append(Bars(f"{KERNELS[needed.app]}, {name}", labels, series))
    return bars(title, "ms", shown)


def _ms(measured: Measured, key: Key) -> float | None:
    record = measured.record(key)
    return record.ms if record else None


def best_forms(measured: Measured) -> str:
    """Say which form is the quickest of each application on the CPU and on the GPU, and what sorting brings there."""
    lines = []
    for needed in measured.needs:
        for name in needed.inputs:
            for on in (measured.most_cores, GPU):
                found = [text for order in ORDERS if (text := _best(measured, needed, name, order, on))]
                gains = _gains(measured, needed, name, on)
                if found:
                    what = f"- {KERNELS[needed.app]}, {name}, {in_words(on)}: {'; '.join(found)}."
                    lines.append(what + (f" Sorting makes {gains} as fast." if gains else ""))
    return "\n".join(lines)


def _times(measured: Measured, needed: Needed, name: str, order: str, on: int) -> dict[str, float]:
    found = {form: _ms(measured, needed.key(name, FORMS[form], on, order)) for form in OF_APP[needed.app]}
    return {form: ms for form, ms in found.items() if ms}


def _best(measured: Measured, needed: Needed, name: str, order: str, on: int) -> str:
    times = _times(measured, needed, name, order, on)
    if len(times) < 2:
        return ""
    best = min(times, key=times.__getitem__)
    others = [f"{form} {times[form] / times[best]:.1f}" for form in times if form != best]
    return f"{order}, {best} is the quickest (times of others divided by its: {', '.join(others)})"


def _gains(measured: Measured, needed: Needed, name: str, on: int) -> str:
    both = [_times(measured, needed, name, order, on) for order in ORDERS]
    gains = [f"{form} {times_as_fast(both[1][form] / ms)} times" for form, ms in both[0].items() if form in both[1]]
    return ", ".join(gains)


SAID_8 = """GF on Plummer's model, 1,000,000 bodies, and PC on Covtype, 200,000 points of 7 columns; 12 cores (24
threads), a Xeon Phi and a K20c (section 4.5.2, figure 4.8).

- Sorting is crucial: on the GPU it makes REC, DR-L and SR-L about 4.6 times as fast, as their warps go together.
- Sorted, the GPU's lockstep forms are by far the best of all platforms: DR-L and SR-L are 2 to 7 times as fast as REC.
- Unsorted, SR is the best on the GPU, DR beats REC, and lockstep gains nothing: few lanes of a warp need its node.
- On the CPU, SR is like the others; DR beats REC on GF, and not on PC.

On the CPU the paper's forms are scalar threads; ours are gangs of lanes, so REC goes in lockstep here as on a GPU."""

SAID_9 = """NN and VP on Covtype, 200,000 points of 7 columns (figure 4.9). SR, SR-L and DR-L are not tried there.

- Sorting hardly matters: 1.2 to 1.4 times for REC on the GPU.
- DR is much faster than REC on the GPU, and about as fast as REC on the CPU.
- GDR does not help, though the warps' efficiency rises from 21 to 42 %: memory is the limit.
- The 12 cores beat the K20c and the Xeon Phi everywhere, and REC is the best form there.

Here DR-L goes the way that most lanes of a warp or a gang want, where the kernel allows any order of the children."""

SAID_10 = """BS on Covtype (figure 4.10, a logarithmic axis, in ms): a traversal takes one child of each node.

- Only REC on the GPU gains by sorting, 1.5 times, and is then 1.5 times as fast as 12 cores.
- Recursion is the best form of sorted queries on the GPU (section 4.6)."""

# ------------------------------------------------------------------------------------------- figure 4.11

SUBTREES: Mapping[str, tuple[str, ...]] = {
    "REC": ("rec",),
    "FLAT": ("flat",),
    "CREC": ("crec", "crec-block"),
    "HIER": ("hier",),
    "REC by the compiler: FLAT": ("rec-flat",),
    "REC by the compiler: CREC": ("rec-crec", "rec-crec-block"),
    "C++, 1 core": ("host-recursive",),
    "OpenMP": ("openmp",),
}
ONLY_ON_CPU = ("host-recursive", "openmp")
DEVICE_FORMS = tuple(name for names in SUBTREES.values() for name in names if name not in ONLY_ON_CPU)
LARGE = tuple(name for name in DEVICE_FORMS if name != "rec")  # forms of the tree of 92 million nodes


def _subtrees(app: str, name: str, quick: str, forms: tuple[str, ...], urgent: int) -> Needed:
    return Needed(app, (name,), (*forms, *ONLY_ON_CPU), forms, cores="most", quick_inputs=(quick,), urgent=urgent)


TREES = {
    "plummer:1000000": "MC, Plummer", "random:1000000x3": "MC, random",
    "random:14:4-8:50": "TD, Random-1", "random:10:32-64:12.5": "TD, Random-2",
}  # fmt: skip


def _key(needed: Needed, name: str, variant: str, most: int, on: int) -> Key:
    return needed.key(name, variant, 1 if variant == "host-recursive" else most if on != GPU else GPU)


def _cell(measured: Measured, needed: Needed, name: str, forms: tuple[str, ...], on: int) -> str:
    """Return the time of the quicker form, with its name if there are two."""
    if on == GPU and forms[0] in ONLY_ON_CPU:
        return ""
    wanted = needed.variants if on != GPU else needed.on_gpu
    keys = [_key(needed, name, form, measured.most_cores, on) for form in forms]
    best = measured.best(keys)
    if best is None:
        return (
            measured.because("not tried on a tree this large") if forms[0] not in wanted else measured.missing(keys[0])
        )
    text = measured.ms(next(key for key in keys if key.variant == best.variant))
    return f"{text} ({'thread' if best.variant.endswith('crec') else 'block'})" if len(forms) > 1 else text


def _rows_11(measured: Measured) -> Sequence[Table]:
    rows = [
        (
            TREES.get(name, f"{needed.app}, {name}"),
            in_words(on),
            *(_cell(measured, needed, name, forms, on) for forms in SUBTREES.values()),
        )
        for needed in measured.needs
        for name in needed.inputs
        for on in (measured.most_cores, GPU)
    ]
    return [Table("Milliseconds; CREC has a thread or a block for a node, of which the better one counts",
                  ("tree", "on", *SUBTREES), tuple(rows), 2)]  # fmt: skip


def _draw_11(measured: Measured) -> Any:
    shown = []
    for needed in measured.needs:
        for name in needed.inputs:
            series = {}
            for what, forms in SUBTREES.items():
                best = [
                    measured.best(_key(needed, name, form, measured.most_cores, on) for form in forms)
                    if on != GPU or forms[0] not in ONLY_ON_CPU
                    else None
                    for on in (measured.most_cores, GPU)
                ]
                series[what] = [record.ms if record else None for record in best]
            labels = (in_words(measured.most_cores), "GPU")
            shown.append(Bars(TREES.get(name, f"{needed.app}, {name}"), labels, series))
    return bars("Wu, figure 4.11: forms of a recursion over a tree", "ms", shown)


SAID_11 = """MC on 1,000,000 bodies (Plummer and random), TD on Random-1 (14 levels, 4 to 8 children of half of the
nodes) and Random-2 (10 levels, 32 to 64 children of 12.5 %); figure 4.11, a logarithmic axis.

- REC on the GPU, a launch for each node, is the slowest of all; on the CPU, where it is serial there, the best.
- FLAT on the GPU beats every form on the CPU: 6 times on MC, 1.7 times on TD.
- CREC on the GPU is the best of all. A thread for a node is 2 times as fast on MC and Random-1, a block 8.3 times as
  fast on Random-2. HIER is better than REC and worse than CREC.
- On the CPU, FLAT and CREC lose to REC: atomic operations and buffers cost more than they bring.

TD's REC is left out for Random-2: a launch for each of 92 million nodes."""


def _found_11(measured: Measured) -> str:
    lines = []
    for needed in measured.needs:
        for name in needed.inputs:
            for on in (measured.most_cores, GPU):
                times: dict[str, float] = {}
                for what, forms in SUBTREES.items():
                    if forms[0] in ONLY_ON_CPU and (on == GPU or what == "OpenMP"):
                        continue
                    best = measured.best(_key(needed, name, form, measured.most_cores, on) for form in forms)
                    times |= {what: best.ms} if best else {}
                if len(times) > 1:
                    first = min(times, key=times.__getitem__)
                    others = ", ".join(f"{what} {ms / times[first]:.1f}" for what, ms in times.items() if what != first)
                    tree = TREES.get(name, f"{needed.app}, {name}")
                    lines.append(
                        f"- {tree}, {in_words(on)}: {first} is the quickest; times of others by its: {others}."
                    )
    return "\n".join(lines)


def _figure(number: str, title: str, needs: tuple[Needed, ...], said: str) -> PaperTable:
    return PaperTable(
        name=f"wu-{number}",
        paper=PAPER,
        number=f"figure {number}",
        title=title,
        needs=needs,
        rows=traversals,
        said=said,
        found=best_forms,
        draw=partial(draw_traversals, f"Wu, figure {number}: {title}"),
    )


TABLES = (
    _figure(
        "4.8",
        "forms of traversals whose order is fixed",
        (
            _traversal("pc", ("covtype-like",), ("random:20000x7",), urgent=0),
            _traversal("bh", ("plummer:1000000",), ("plummer:5000",)),
        ),
        SAID_8,
    ),
    _figure(
        "4.9",
        "forms of traversals whose order depends on the query",
        tuple(_traversal(app, ("covtype-like",), ("random:20000x7",)) for app in ("nn", "vp")),
        SAID_9,
    ),
    _figure(
        "4.10",
        "forms of traversals from the root to a leaf",
        (_traversal("bs", ("random:1000000x1",), ("random:20000x1",)),),
        SAID_10,
    ),
    PaperTable(
        name="wu-4.11",
        paper=PAPER,
        number="figure 4.11",
        title="forms of a recursion over a tree",
        needs=(
            _subtrees("td", "random:14:4-8:50", "random:8:4-8:50", DEVICE_FORMS, 1),
            _subtrees("mc", "plummer:1000000", "plummer:5000", DEVICE_FORMS, 1),
            _subtrees("mc", "random:1000000x3", "random:5000x3", DEVICE_FORMS, 3),
            _subtrees("td", "random:10:32-64:12.5", "random:5:32-64:12.5", LARGE, 2),
        ),
        rows=_rows_11,
        said=SAID_11,
        found=_found_11,
        draw=_draw_11,
    ),
)  # fmt: skip
