"""Sites: the places of a program whose executions `--stats` counts, and the code that counts them.

    out[p[i]] = in[i];        site 0: a statement         site 1: a consecutive access, for `p[i]`
                              site 2: the same, `in[i]`   site 3: a scatter

Each site has an `s2s_counter`: how often a gang came there with a lane on, how many lanes were on then, and how often
some lanes were off. Sites in one basic block and under one mask share one, so that it is raised once for all of them.
Each hthread has counters of its own, which ordinary instructions raise.

With `--warp-stats` gangs are warps of 32 lanes: a counter also has how many gangs of sixteen there would be, and the
runtime gets the addresses of each access.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field

from llvmlite import ir

from .. import abi, costs
from ..costs import Form
from ..lang.compiler_calls import VISIT
from ..lang.ctype import CType
from ..report.work import BARRIER, NO_WORK, Work, is_written, work_of
from ..simd import mask as masks
from ..simd.address import Address, pointer_to
from ..simd.builder import I1, I8, I16, I32, I64, const, declare
from ..simd.mask import Mask
from ..simd.values import ANY_POINTER, PTR, constant_table, constant_text, move, vector
from ..source import Span
from ..target import LANES
from ..tree import nodes as tree
from ..tree.walk import children, walk
from .frame import Frame, fixed
from .sites import KINDS, TIMES, Kind, Site, Sites, Time


@dataclass
class State:
    """Of one function: its counters, by the block, the mask and whether it is done `once`; the mask is kept alive.

    `repeats` are not counted, as another statement counts for them.
    """

    counted: dict[tuple[int, int, bool], tuple[ir.Value, int]] = field(default_factory=dict)
    repeats: frozenset[tree.Stmt] = frozenset()


# ------------------------------------------------------------------------------------------- what is counted


def entered(f: Frame, mask: Mask) -> None:
    """Count a gang that begins its kernel."""
    if f.shapes.function.kind == "kernel":
        _count(f, f.shapes.function.span, "kernel", "other", NO_WORK, mask)
        if f.program.options.warp_stats:
            function = declare(f.b.module, "s2s_begin_gang_traffic", ir.VoidType(), [PTR, I64])
            f.b.call(function, [f.gang, _lanes_on(f, mask)])


def passed_barrier(f: Frame, mask: Mask) -> None:
    """Count a gang after a barrier, where it begins the next region of its block's loops."""
    if f.program.options.warp_stats:
        _count(f, f.shapes.function.span, "statement", "other", BARRIER, mask)


def ran(f: Frame, node: tree.Stmt, mask: Mask) -> None:
    """Count a statement without parts that are statements, for the lanes that run it."""
    made = node in f.state(State).repeats or _is_nothing(node) or not is_written(node)
    if f.program.sites is not None and not made:
        _count(f, node.span, "statement", "other", work_of(f.shapes, *children(node)), mask)


def branched(f: Frame, node: tree.Node, form: Form, mask: Mask, *, divergent: bool) -> None:
    """Count a branch, for the lanes that reach it."""
    if f.program.sites is not None and is_written(node):
        work = work_of(f.shapes, *_conditions(node)).and_ns(form.cost_ns)
        _count(f, node.span, "branch", "divergent" if divergent else "other", work, mask)


def began_iteration(f: Frame, node: tree.Stmt, conditions: Sequence[tree.Expr], mask: Mask, *, divergent: bool) -> None:
    """Count an iteration of a loop, for the lanes that are in it."""
    if f.program.sites is not None:
        cost = costs.BRANCH_NS if divergent else costs.UNIFORM_BRANCH_NS
        time: Time = "divergent" if divergent else "other"
        _count(f, node.span, "loop", time, work_of(f.shapes, *conditions).and_ns(cost), mask)


@contextmanager
def access(
    f: Frame, span: Span, form: Form, mask: Mask, where: Address | None = None, ctype: CType | None = None, how: int = 0
) -> Iterator[None]:
    """Count the access that is emitted inside, to a value of type `ctype` at `where`, if it is known.

    `how`: `STORES`, `ATOMIC`, both or none.
    """
    if f.program.sites is None or form.kind is None:
        yield
        return
    if f.program.options.warp_stats and where is not None and ctype is not None:
        _report_access(f, where, ctype.size, how, mask)
    if form.uneven is None or f.uneven is None:
        yield
        _count(f, span, form.kind, form.kind, Work(form.cost_ns), mask)
        return
    f.b.store(ir.Constant(I1, 0), f.uneven)
    yield
    usual, other = (f.program.sites.new_counter() for _ in range(2))
    for counter, one in ((usual, form), (other, form.uneven)):
        assert one.kind is not None
        _add(f, span, one.kind, one.kind, Work(one.cost_ns), mask, counter)
    _raise(f, f.b.select(f.b.load(f.uneven, typ=I1), ir.Constant(I64, other), ir.Constant(I64, usual)), mask)


STORES, ATOMIC = 2, 4
_UNIFORM = 1


def _report_access(f: Frame, where: Address, size: int, how: int, mask: Mask) -> None:
    """Report the lanes' addresses of so many bytes each to the runtime; for private memory it needs no addresses."""
    b = f.b
    addresses: ir.Value = ir.Constant(PTR, None)
    if not where.interleave:
        addresses = f.slots(1)
        place = pointer_to(b, where, ANY_POINTER)
        found = b.ptrtoint(place.ir, I64) if place.uniform else vector(b, place)
        b.store(found, addresses)
    how |= _UNIFORM if where.uniform or f.once else 0
    function = declare(b.module, "s2s_count_access", ir.VoidType(), [PTR, I64, PTR, I32, I32])
    b.call(function, [f.gang, _lanes_on(f, mask), addresses, const(I32, size), const(I32, how)])


def _lanes_on(f: Frame, mask: Mask) -> ir.Value:
    bits = ir.Constant(I64, 1) if f.once else masks.wide_bits(f.b, mask)
    return bits if bits.type == I64 else f.b.zext(bits, I64)


def _count(f: Frame, span: Span, kind: Kind, time: Time, work: Work, mask: Mask) -> None:
    """Count a site, by the counter that is raised in this basic block for these lanes already, if there is one."""
    sites = f.program.sites
    if sites is None or not span.line:
        return
    key = (id(f.b.block), id(mask.lanes), f.once)
    counted = f.state(State).counted
    if key not in counted:
        counted[key] = (mask.lanes, sites.new_counter())
        _raise(f, ir.Constant(I64, counted[key][1]), mask)
    _add(f, span, kind, time, work, mask, counted[key][1])


def _add(f: Frame, span: Span, kind: Kind, time: Time, work: Work, mask: Mask, counter: int) -> None:
    assert f.program.sites is not None
    lanes = 1 if f.once else f.lanes
    registers = 1 if kind == "uniform" else max(1, lanes // LANES)
    cost_ps = round(1000 * work.ns) * registers
    full = f.once or mask.all_on
    f.program.sites.all.append(
        Site(span.source.name, span.line, span.column, kind, time, lanes, cost_ps, full, counter, work.operations)
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
        if f.program.options.warp_stats and f.lanes > LANES:
            more["halves"] = _parts_on(f, bits)
    for name, value in more.items():
        place = move(b, counter, abi.COUNTER.offset[name])
        b.store(b.add(b.load(place, typ=I64), value), place)


def _parts_on(f: Frame, bits: ir.Value) -> ir.Value:
    """Return how many gangs of sixteen the lanes would be that are on."""
    b = f.b
    total: ir.Value = ir.Constant(I64, 0)
    for first in range(0, f.lanes, LANES):
        part = b.and_(bits, ir.Constant(bits.type, ((1 << LANES) - 1) << first))
        total = b.add(total, b.zext(b.icmp_unsigned("!=", part, ir.Constant(bits.type, 0)), I64))
    return total


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
    """Return the statements that one of the program's became besides another right before them."""
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
    """Return no sites yet, and the record that will describe them."""
    record = ir.GlobalVariable(llvm, ir.LiteralStructType([PTR, PTR, I32, I32, I64, I32, I32]), "s2s.counted")
    record.global_constant, record.linkage = True, "internal"
    return Sites(record)


def complete(llvm: ir.Module, sites: Sites, traversals: Sequence[tree.Traversal], traffic: bool) -> None:
    """Fill in the record, an `s2s_counted_module`, when all is lowered. Its texts can appear in JSON as they are.

    `traffic`: accesses are reported to the runtime.
    """
    tables = [_traversals(llvm, traversals), _sites(llvm, sites)]
    numbers = [ir.Constant(I32, len(traversals)), ir.Constant(I32, len(sites.all))]
    numbers += [
        ir.Constant(I64, abi.mark_of(repr(sites.all))),
        ir.Constant(I32, sites.counters),
        ir.Constant(I32, int(traffic)),
    ]
    sites.record.initializer = ir.Constant(sites.record.value_type, [*tables, *numbers])


def text(llvm: ir.Module, content: str) -> ir.Value:
    """Return a text that can appear in JSON as it is."""
    return constant_text(llvm, "text", json.dumps(content)[1:-1])


def _sites(llvm: ir.Module, sites: Sites) -> ir.Value:
    type_ = ir.LiteralStructType([PTR, I32, I32, I8, I8, I8, I8, I32, I32, *[I16] * len(NO_WORK.operations)])
    files = {file: text(llvm, file) for file in {site.file: None for site in sites.all}}
    items = []
    for site in sites.all:
        kinds = (KINDS.index(site.kind), TIMES.index(site.time))
        numbers = (site.line, site.column, *kinds, site.lanes, site.full, site.counter, site.cost_ps, *site.operations)
        typed = zip(type_.elements[1:], numbers, strict=True)
        items.append(
            ir.Constant(type_, [files[site.file], *(ir.Constant(each, int(number)) for each, number in typed)])
        )
    return constant_table(llvm, "sites", items, type_)


def _traversals(llvm: ir.Module, traversals: Sequence[tree.Traversal]) -> ir.Value:
    type_ = ir.LiteralStructType([PTR, PTR, I32, I32])
    items = []
    for traversal in traversals:
        texts = [text(llvm, name) for name in (traversal.name, traversal.span.source.name)]
        numbers = (traversal.span.line, int(traversal.tail))
        items.append(ir.Constant(type_, [*texts, *(ir.Constant(I32, number) for number in numbers)]))
    return constant_table(llvm, "traversals", items, type_)
