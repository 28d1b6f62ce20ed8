"""The listing of a program: of each line of device code its shape, mask, accesses, cost and machine instructions.

Facts are of the functions as the compiler leaves them, listed by the lines of the program that they are from. Where a
line became several pieces of code, in copies of a function or for other shapes of its arguments, the dearest counts.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ..analysis.lattice import Kind, Known, Shape
from ..analysis.shapes import FunctionShapes, Instance, Shapes, access_shape
from ..costs import TRIP_COUNT, AccessKind, Form
from ..lang.ctype import VOID
from ..mapping.plans import Plans
from ..source import Source, Span
from ..target import LANES
from ..tree import nodes as tree
from ..tree.walk import children, walk
from .assembly import Code, Instruction, Place, by_line
from .counts import Counts, LineCounts
from .masks import Mask, Met, at_entry, nodes
from .outcome import Outcomes
from .remarks import MAX_DEPTH, function_depths, is_best
from .work import is_written, work_of

ACCESS_KINDS: tuple[AccessKind, ...] = ("uniform", "consecutive", "strided", "gather", "scatter", "atomic")


@dataclass(frozen=True)
class Access:
    """An access of a line: `text` says by which instructions, `masked` whether lanes may be off."""

    column: int
    source: str
    verb: str
    shape: str
    kind: AccessKind | None
    text: str
    masked: bool
    cost_ns: float


@dataclass(frozen=True)
class Branch:
    """What an `if`, a loop, a `?:` or `&&` of a line became, or a call."""

    column: int
    kind: str
    text: str
    cost_ns: float


@dataclass(frozen=True)
class Line:
    """A line of a function. `shape` and `mask` are empty where there is no code.

    `cost_ns`: estimated, for each time that a gang of 16 comes; `part`: of the time of all functions of the listing, by
    the counts of a run if there are any, else as if every loop ran `TRIP_COUNT` times.
    """

    number: int
    text: str
    shape: str = ""
    mask: Mask | None = None
    accesses: tuple[Access, ...] = ()
    branches: tuple[Branch, ...] = ()
    cost_ns: float = 0.0
    part: float = 0.0
    counts: LineCounts | None = None
    code: tuple[Instruction, ...] = ()


@dataclass(frozen=True)
class Summary:
    """A function in short. `times`: the parts of its estimated time, by what it is spent for; they add up to 1."""

    accesses: Mapping[AccessKind, int]
    masked: int
    times: Mapping[str, float]
    instructions: int
    part: float  # of the time of all functions


@dataclass(frozen=True)
class Function:
    """A kernel or a device function: its name or, of several forms, their names; and how its gangs lie."""

    titles: tuple[str, ...]
    kind: str
    source: Source
    gangs: str
    lines: tuple[Line, ...]
    summary: Summary

    @property
    def first(self) -> int:
        return self.lines[0].number


@dataclass
class _Facts:
    """What is known of a line, while it is gathered: the dearest of what is at one column."""

    shapes: dict[int, Shape] = field(default_factory=dict)
    inside: Shape | None = None  # of what is computed on the way; counts where no statement begins
    mask: Mask = Mask.ALL
    accesses: dict[tuple[int, str], Access] = field(default_factory=dict)
    branches: dict[tuple[int, str], Branch] = field(default_factory=dict)
    work: dict[int, float] = field(default_factory=dict)
    loops: int = 0

    @property
    def cost_ns(self) -> float:
        cost = sum(access.cost_ns for access in self.accesses.values())
        return cost + sum(branch.cost_ns for branch in self.branches.values()) + sum(self.work.values())


def functions(
    written: tree.Module, shapes: Shapes, plans: Plans, outcomes: Outcomes,
    code: Mapping[str, Code], counts: Counts | None,
) -> list[Function]:  # fmt: skip
    """Return the listing of all functions of the program that were compiled, in the order of the source."""
    facts = _facts(shapes, plans, outcomes)
    instructions = by_line(code, list(_entries(shapes, plans, code)))
    weights = {place: _weight(place, fact, counts) for place, fact in facts.items()}
    total = sum(weights.values()) or 1.0
    found = []
    for source, forms in _by_place(written, shapes):
        first = forms[0]
        numbers = _extent(first)
        lines = [
            _line(source, number, facts.get((source.name, number)), weights, total, instructions, counts)
            for number in numbers
        ]
        titles = tuple(dict.fromkeys(form.shown or form.name for form in forms))
        summary = _summary(lines, facts, source, weights)
        found.append(Function(titles, first.kind, source, _gangs(first, shapes, plans), tuple(lines), summary))
    return found


# ------------------------------------------------------------------------------------------- which functions


_OURS = str(Path(__file__).parent.parent)  # the headers that come with us


def _by_place(written: tree.Module, shapes: Shapes) -> list[tuple[Source, list[tree.Function]]]:
    """Return the program's functions that some kernel needs, the forms of a template together, as they are."""
    lines = {(f.function.span.source, f.function.span.line) for f in shapes.instances.values()}
    used = {node.span for f in shapes.instances.values() for node in walk(f.function.body)}
    lines |= {(span.source, span.line) for span in used}
    places: dict[tuple[Source, int], list[tree.Function]] = {}
    for function in written.functions.values():
        source = function.span.source
        inside = any((source, number) in lines for number in _extent(function))
        if inside and function.span.line and not source.name.startswith(_OURS):
            places.setdefault((source, function.span.line), []).append(function)
    ordered = sorted(places.items(), key=lambda item: (item[0][0].name, item[0][1]))
    return [(source, forms) for (source, _), forms in ordered]


def _extent(function: tree.Function) -> range:
    """Return the lines of a function: from its name to the brace that ends it."""
    source, first = function.span.source, function.span.line
    inside = (node.span.line for node in walk(function.body) if node.span.source == source)
    last = max((line for line in inside if line >= first), default=first)
    while last < len(source.lines) and source.line(last + 1).strip().startswith("}"):
        last += 1
    return range(first, last + 1)


def _best(name: str, plans: Plans) -> Instance:
    return max(plans.versions[name], key=lambda version: (version.along, version.lanes))


def _gangs(function: tree.Function, shapes: Shapes, plans: Plans) -> str:
    """Return how the gangs of a kernel lie in the version that most launches use."""
    if function.kind != "kernel" or function.name not in plans.versions:
        return ""
    version = _best(function.name, plans)
    rows = f"gangs of {version.lanes} lanes along {version.along}" if version.along else "gangs may span rows"
    if function.name not in shapes.storage.synchronising:
        return rows
    divided = plans.division(version) is not None
    return f"{rows}; {'divided at its barriers' if divided else 'gangs take turns at barriers'}"


_SLOTS = {"x": 0, "": 1, "y": 2}
_WIDE_SLOT = 3


def _entries(shapes: Shapes, plans: Plans, code: Mapping[str, Code]) -> Iterator[str]:
    """Return the symbols at which the kernels begin, each in the version that most launches use."""
    for name in plans.versions:
        version = _best(name, plans)
        wide = version.lanes > LANES and name not in plans.warps.kernels
        slot = _WIDE_SLOT if wide else _SLOTS[version.along]
        yield next((symbol for symbol in (f"{name}.range{slot}", f"{name}.gang{slot}") if symbol in code), "")


# ------------------------------------------------------------------------------------------- facts


def _facts(shapes: Shapes, plans: Plans, outcomes: Outcomes) -> dict[Place, _Facts]:
    facts: dict[Place, _Facts] = {}
    masks, depths = at_entry(shapes), function_depths(shapes)
    for instance, function in shapes.instances.items():
        if function.function.outlined or function.function.helps or not is_best(instance, plans):
            continue
        for met in nodes(function, masks[instance], depths[instance.name]):
            span = met.node.span
            if span.line:
                fact = facts.setdefault((span.source.name, span.line), _Facts())
                _note(fact, met, function, shapes, outcomes.forms.get((instance, met.node)))
    return facts


def _note(fact: _Facts, met: Met, function: FunctionShapes, shapes: Shapes, form: Form | None) -> None:
    node, column = met.node, met.node.span.column
    if isinstance(node, tree.Stmt) and not is_written(node):
        return
    fact.mask = max(fact.mask, met.mask)
    fact.loops = max(fact.loops, min(met.loops, MAX_DEPTH))
    if isinstance(node, tree.Unary | tree.Binary | tree.Call | tree.BuiltinCall | tree.Load):
        fact.inside = _worst([fact.inside, function.expressions.get(node)])
    if isinstance(node, tree.Stmt):
        shape = _shape_of(function, node)
        if shape is not None:
            fact.shapes[column] = max(fact.shapes.get(column, shape), shape, key=lambda each: each.kind)
        if isinstance(node, tree.Declare | tree.Evaluate | tree.Return):
            work = work_of(function, *children(node)).ns
            fact.work[column] = max(fact.work.get(column, 0.0), work)
    if form is None:
        return
    match node:
        case tree.Load() | tree.Assign() | tree.CompoundAssign() | tree.Increment():
            address = access_shape(function, node.place, shapes.storage)
            _note_access(fact, node.place.span, _VERBS[type(node)], str(address), form, met.mask)
        case tree.BuiltinCall() if not node.builtin.atomic:
            _note_branch(fact, column, node.builtin.name, form)
        case tree.BuiltinCall():
            _note_access(fact, node.span, node.builtin.name, str(function.of(node.args[0])), form, met.mask)
        case tree.Call():
            _note_branch(fact, column, "call", form)
        case _:
            _note_branch(fact, column, _BRANCHES.get(type(node), "branch"), form)


_VERBS: dict[type[tree.Node], str] = {
    tree.Load: "load",
    tree.Assign: "store",
    tree.CompoundAssign: "update",
    tree.Increment: "update",
}
_BRANCHES: dict[type[tree.Node], str] = {
    tree.If: "if",
    tree.Loop: "loop",
    tree.Switch: "switch",
    tree.Conditional: "conditional",
    tree.Logical: "condition",
}


def _note_access(fact: _Facts, span: Span, verb: str, shape: str, form: Form, mask: Mask) -> None:
    known = fact.accesses.get((span.column, verb))
    if known is None or known.cost_ns < form.cost_ns:
        text = span.source.line(span.line)[max(0, span.column - 1) :][: span.length]
        masked = mask >= Mask.GUARD and form.kind != "uniform"
        fact.accesses[span.column, verb] = Access(
            span.column, " ".join(text.split()), verb, shape, form.kind, form.text, masked, form.cost_ns
        )


def _note_branch(fact: _Facts, column: int, kind: str, form: Form) -> None:
    known = fact.branches.get((column, kind))
    if known is None or known.cost_ns < form.cost_ns:
        fact.branches[column, kind] = Branch(column, kind, form.text, form.cost_ns)


def _shape_of(function: FunctionShapes, node: tree.Stmt) -> Shape | None:
    """Return the shape of what a statement computes, or decides by; None if it is nothing."""
    match node:
        case tree.Declare(initial=tree.Braces() as braces):
            return _worst(function.expressions.get(expr) for _, _, expr in braces.items)
        case tree.Declare() if node.initial is not None and not isinstance(node.initial, tree.Braces):
            return _worst([function.expressions.get(node.initial)])
        case tree.Evaluate(expr=tree.Assign() as assign):
            return _worst([function.expressions.get(assign.value)])
        case tree.Evaluate() if node.expr.type != VOID:
            return _worst([function.expressions.get(node.expr)])
        case tree.Return() if node.value is not None:
            return _worst([function.expressions.get(node.value)])
        case tree.If():
            return function.of(node.cond)
        case tree.Loop() if node.cond is not None:
            return function.of(node.cond)
        case tree.Switch():
            return function.of(node.value)
    return None


def _worst(found: Iterable[Known]) -> Shape | None:
    parts = [part for each in found for part in (each if isinstance(each, tuple) else (each,)) if part is not None]
    return max(parts, key=lambda shape: shape.kind, default=None)


# ------------------------------------------------------------------------------------------- lines


def _weight(place: Place, fact: _Facts, counts: Counts | None) -> float:
    measured = counts.at(*place) if counts is not None else None
    if measured is not None:
        return measured.estimated_ns
    return 0.0 if counts is not None else fact.cost_ns * float(TRIP_COUNT**fact.loops)


def _line(
    source: Source, number: int, fact: _Facts | None, weights: Mapping[Place, float], total: float,
    instructions: Mapping[Place, tuple[Instruction, ...]], counts: Counts | None,
) -> Line:  # fmt: skip
    place, text = (source.name, number), source.line(number)
    code = instructions.get(place, ())
    measured = counts.at(*place) if counts is not None else None
    if fact is None:
        return Line(number, text, counts=measured, code=code)
    shape = max(fact.shapes.values(), key=lambda each: each.kind, default=fact.inside)
    return Line(
        number,
        text,
        "" if shape is None else _in_short(shape),
        fact.mask,
        tuple(fact.accesses[key] for key in sorted(fact.accesses)),
        tuple(fact.branches[key] for key in sorted(fact.branches)),
        fact.cost_ns,
        weights[place] / total,
        measured,
        code,
    )


def _in_short(shape: Shape) -> str:
    return f"affine {shape.stride:+d}" if shape.kind == Kind.AFFINE else shape.kind.name.lower()


def _summary(
    lines: Sequence[Line], facts: Mapping[Place, _Facts], source: Source, weights: Mapping[Place, float]
) -> Summary:
    accesses = [access for line in lines for access in line.accesses]
    times: defaultdict[str, float] = defaultdict(float)
    for line in lines:
        fact = facts.get((source.name, line.number))
        if fact is None or fact.cost_ns == 0:
            continue
        scale = weights[source.name, line.number] / fact.cost_ns
        for access in line.accesses:
            times[access.kind or "other"] += access.cost_ns * scale
        divergent = sum(branch.cost_ns for branch in line.branches if "divergent" in branch.text)
        counted = sum(access.cost_ns for access in line.accesses) + divergent
        times["divergent"] += divergent * scale
        times["other"] += (fact.cost_ns - counted) * scale
    whole = sum(times.values()) or 1.0
    return Summary(
        {kind: sum(access.kind == kind for access in accesses) for kind in ACCESS_KINDS},
        sum(access.masked for access in accesses),
        {kind: times[kind] / whole for kind in (*ACCESS_KINDS, "divergent", "other") if times[kind]},
        sum(len(line.code) for line in lines),
        sum(line.part for line in lines),
    )
