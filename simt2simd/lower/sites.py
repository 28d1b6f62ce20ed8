"""Sites: the places of a program whose executions `--stats` counts, and the code that counts them.

    out[p[i]] = in[i];        site 0: a statement         site 1: a consecutive access, for `p[i]`
                              site 2: the same, `in[i]`   site 3: a scatter

Each site has an `s2s_counter`: how often a gang came there with a lane on, how many lanes were on then, and how often
some lanes were off. Sites in one basic block and under one mask share one, so that it is raised once for all of them.
Each hthread has counters of its own, which ordinary instructions raise.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Literal

from llvmlite import ir

from .. import abi, costs
from ..costs import AccessKind, Form
from ..lang.builtins import VISIT
from ..report.work import is_written, work_ns
from ..simd import mask as masks
from ..simd.builder import I1, I8, I32, I64, declare
from ..simd.mask import Mask
from ..simd.values import PTR, constant_table, constant_text, move
from ..source import Span
from ..target import LANES
from ..tree import nodes as tree
from ..tree.walk import children, walk
from .frame import Frame, fixed

Kind = Literal["kernel", "statement", "branch", "loop"] | AccessKind
Time = Literal["divergent", "other"] | AccessKind

KINDS: tuple[Kind, ...] = (
    "kernel", "statement", "branch", "loop", "uniform", "consecutive", "strided", "gather", "scatter", "atomic"
)  # fmt: skip
TIMES: tuple[Time, ...] = (
    "uniform", "consecutive", "strided", "gather", "scatter", "atomic", "divergent", "other"
)  # fmt: skip


@dataclass(frozen=True)
class Site:
    """A place where gangs of so many `lanes` come. `time`: for what they take `cost_ps` there, each time.

    `counter`: the number of its counter, of which only `gangs` is raised if all lanes come (`full`).
    """

    file: str
    line: int
    column: int
    kind: Kind
    time: Time
    lanes: int
    cost_ps: int
    full: bool
    counter: int


@dataclass
class Sites:
    """The sites of a module, and the record of them, to which the kernels' descriptors refer."""

    record: ir.GlobalVariable
    all: list[Site] = field(default_factory=list)
    counters: int = 0

    def new_counter(self) -> int:
        self.counters += 1
        return self.counters - 1


# ------------------------------------------------------------------------------------------- what is counted


def entered(f: Frame, mask: Mask) -> None:
    """Count a gang that begins its kernel."""
    if f.shapes.function.kind == "kernel":
        _count(f, f.shapes.function.span, "kernel", "other", 0.0, mask)


def ran(f: Frame, node: tree.Stmt, mask: Mask) -> None:
    """Count a statement without parts that are statements, for the lanes that run it."""
    made = node in f.repeats or _is_nothing(node) or not is_written(node)
    if f.program.sites is not None and not made:
        _count(f, node.span, "statement", "other", work_ns(f.shapes, *children(node)), mask)


def branched(f: Frame, node: tree.Node, form: Form, mask: Mask, *, divergent: bool) -> None:
    """Count a branch, for the lanes that come to it."""
    if f.program.sites is not None and is_written(node):
        cost = form.cost_ns + work_ns(f.shapes, *_conditions(node))
        _count(f, node.span, "branch", "divergent" if divergent else "other", cost, mask)


def began_round(f: Frame, node: tree.Stmt, conditions: Sequence[tree.Expr], mask: Mask, *, divergent: bool) -> None:
    """Count a round of a loop, for the lanes that are in it."""
    if f.program.sites is not None:
        cost = costs.BRANCH_NS if divergent else costs.UNIFORM_BRANCH_NS
        time: Time = "divergent" if divergent else "other"
        _count(f, node.span, "loop", time, cost + work_ns(f.shapes, *conditions), mask)


@contextmanager
def access(f: Frame, span: Span, form: Form, mask: Mask) -> Iterator[None]:
    """Count the access that is emitted inside."""
    if f.program.sites is None or form.kind is None:
        yield
        return
    if form.uneven is None or f.uneven is None:
        yield
        _count(f, span, form.kind, form.kind, form.cost_ns, mask)
        return
    f.b.store(ir.Constant(I1, 0), f.uneven)
    yield
    usual, other = (f.program.sites.new_counter() for _ in range(2))
    for counter, one in ((usual, form), (other, form.uneven)):
        assert one.kind is not None
        _add(f, span, one.kind, one.kind, one.cost_ns, mask, counter)
    _raise(f, f.b.select(f.b.load(f.uneven, typ=I1), ir.Constant(I64, other), ir.Constant(I64, usual)), mask)


def _count(f: Frame, span: Span, kind: Kind, time: Time, cost_ns: float, mask: Mask) -> None:
    """Count a site, by the counter that is raised in this basic block for these lanes already, if there is one."""
    sites = f.program.sites
    if sites is None or not span.line:
        return
    key = (id(f.b.block), id(mask.lanes), f.once)
    if key not in f.counted:
        f.counted[key] = (mask.lanes, sites.new_counter())
        _raise(f, ir.Constant(I64, f.counted[key][1]), mask)
    _add(f, span, kind, time, cost_ns, mask, f.counted[key][1])


def _add(f: Frame, span: Span, kind: Kind, time: Time, cost_ns: float, mask: Mask, counter: int) -> None:
    assert f.program.sites is not None
    lanes = 1 if f.once else f.lanes
    registers = 1 if kind == "uniform" else max(1, lanes // LANES)
    cost_ps = round(1000 * cost_ns) * registers
    full = f.once or mask.all_on
    f.program.sites.all.append(
        Site(span.source.name, span.line, span.column, kind, time, lanes, cost_ps, full, counter)
    )


def _raise(f: Frame, number: ir.Value, mask: Mask) -> None:
    """Raise a counter."""
    b, one, none = f.b, ir.Constant(I64, 1), ir.Constant(I64, 0)
    counter = b.gep(_counters(f), [b.mul(number, ir.Constant(I64, abi.COUNTER.size))], source_etype=I8)
    more: dict[str, ir.Value] = {"gangs": one}
    if not f.once and not mask.all_on:
        bits = masks.wide_bits(b, mask)
        lanes = b.ctpop(bits if bits.type == I64 else b.zext(bits, I64), name="lanes.on")
        some = b.icmp_unsigned("!=", lanes, none)  # also where a mask is taken not to be empty, as in `predication`
        partial = b.icmp_unsigned("<", b.sub(lanes, one), ir.Constant(I64, f.lanes - 1))
        more = {"gangs": b.zext(some, I64), "lanes": lanes, "partial": b.zext(partial, I64)}
    for name, value in more.items():
        place = move(b, counter, abi.COUNTER.offset[name])
        b.store(b.add(b.load(place, typ=I64), value), place)


def _counters(f: Frame) -> ir.Value:
    """Return where the hthread's counters for the kernel are, asked for once on entry."""
    if _COUNTERS not in f.fields:
        launch = fixed(f.entry, f.entry.load(move(f.entry, f.gang, abi.GANG.offset["launch"]), typ=PTR))
        function = declare(f.b.module, "s2s_counters", PTR, [PTR], pure=True)
        f.fields[_COUNTERS] = f.entry.call(function, [launch], name=_COUNTERS)
    return f.fields[_COUNTERS]


_COUNTERS = "counters"


# ------------------------------------------------------------------------------------------- statements


def repeats(body: tree.Block) -> frozenset[tree.Stmt]:
    """Return the statements that one of the program's became besides another that stands right before them."""
    found: set[tree.Stmt] = set()
    for node in walk(body):
        if isinstance(node, tree.Block):
            for before, after in zip(node.statements, node.statements[1:], strict=False):
                if before.span == after.span and type(before) is type(after):
                    found.add(after)
    return frozenset(found)


def _is_nothing(node: tree.Stmt) -> bool:
    """Whether a statement is no code, or only counts."""
    match node:
        case tree.Declare():
            return node.initial is None
        case tree.Evaluate(expr=tree.BuiltinCall() as call):
            return call.builtin is VISIT
    return False


def _conditions(node: tree.Node) -> Sequence[tree.Node]:
    match node:
        case tree.If() | tree.Conditional():
            return (node.cond,)
        case tree.Switch():
            return (node.value,)
        case tree.Logical():
            return (node.left,)
    return ()


# ------------------------------------------------------------------------------------------- the module's record


def begin(llvm: ir.Module) -> Sites:
    """Return no sites yet, and the record that will tell of them."""
    record = ir.GlobalVariable(llvm, ir.LiteralStructType([PTR, PTR, I32, I32, I64, I32]), "s2s.counted")
    record.global_constant, record.linkage = True, "internal"
    return Sites(record)


def complete(llvm: ir.Module, sites: Sites, traversals: Sequence[tree.Traversal]) -> None:
    """Fill in the record, an `s2s_counted_module`, when all is lowered. Its texts can stand in JSON as they are."""
    tables = [_traversals(llvm, traversals), _sites(llvm, sites)]
    numbers = [ir.Constant(I32, len(traversals)), ir.Constant(I32, len(sites.all))]
    numbers += [ir.Constant(I64, abi.mark_of(repr(sites.all))), ir.Constant(I32, sites.counters)]
    sites.record.initializer = ir.Constant(sites.record.value_type, [*tables, *numbers])


def text(llvm: ir.Module, content: str) -> ir.Value:
    """Return a text that can stand in JSON as it is."""
    return constant_text(llvm, "text", json.dumps(content)[1:-1])


def _sites(llvm: ir.Module, sites: Sites) -> ir.Value:
    type_ = ir.LiteralStructType([PTR, I32, I32, I8, I8, I8, I8, I32, I32])
    files = {file: text(llvm, file) for file in {site.file: None for site in sites.all}}
    items = []
    for site in sites.all:
        kinds = (KINDS.index(site.kind), TIMES.index(site.time))
        numbers = (site.line, site.column, *kinds, site.lanes, site.full, site.counter, site.cost_ps)
        typed = zip(type_.elements[1:], numbers, strict=True)
        items.append(
            ir.Constant(type_, [files[site.file], *(ir.Constant(each, int(number)) for each, number in typed)])
        )
    return constant_table(llvm, "sites", items, type_)


def _traversals(llvm: ir.Module, traversals: Sequence[tree.Traversal]) -> ir.Value:
    type_ = ir.LiteralStructType([PTR, PTR, I32])
    items = []
    for traversal in traversals:
        texts = [text(llvm, name) for name in (traversal.name, traversal.span.source.name)]
        items.append(ir.Constant(type_, [*texts, ir.Constant(I32, traversal.span.line)]))
    return constant_table(llvm, "traversals", items, type_)
