"""What the stages between the tree and LLVM IR found out and chose, as text: `--dump-ir=NAME`."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping

from ..analysis import liveness
from ..analysis.available_loads import AvailableLoads
from ..analysis.call_sets import CallSets
from ..analysis.lattice import BLOCK
from ..analysis.liveness import Live
from ..analysis.row_streams import RowStreams
from ..analysis.shapes import Instance
from ..analysis.spin_waits import Waits
from ..analysis.storage import Storage
from ..mapping.barrier_fission import Plan, Region, Repeat, regions
from ..mapping.block_merging import Strips
from ..mapping.block_size_specialisation import UsualBlock
from ..mapping.first_threads import Prefix
from ..mapping.lane_compaction import CompactedLoop
from ..mapping.plans import Plans
from ..mapping.scalar_tail import ScalarTail
from ..mapping.stack_walks import StackWalk
from ..target import LANES, Axis
from ..tree import nodes as tree
from ..tree.companions import IN_STEP, Rows
from ..tree.nodes import Loop, Module, Variable
from ..tree.shared_memory import SharedLayout
from ..tree.show_expr import ExprPrinter
from ..tree.walk import walk


def call_sets(found: Iterable[CallSets]) -> str:
    """Return the call sets of recursive functions, and what follows from them."""
    lines = []
    for visits in found:
        lines.append(f"{visits.function.name}: {visits.kind}: {visits.why}")
        lines += [f"  {text}" for text in visits.texts()]
    return "\n".join(lines)


def storage(module: Module, found: Storage) -> str:
    """Return where each variable lives."""
    lines = []
    for function in module.functions.values():
        declared = [node.variable for node in walk(function.body) if isinstance(node, tree.Declare)]
        barriers = "  [may reach a barrier]" if function.name in found.synchronising else ""
        lines.append(f"{function.name}{barriers}")
        lines += [f"  {_variable(variable)}: {found.of(variable)}" for variable in (*function.params, *declared)]
    return "\n".join(lines)


def lives(module: Module, table: liveness.Table) -> str:
    """Return what may be read after each statement where lanes wait."""
    lines = []
    for function in module.functions.values():
        lines.append(function.name)
        after = table.of(function).after.items()
        lines += [f"  after {_statement(node)}: {_names(live)}" for node, live in after]
    return "\n".join(lines)


def waits(found: Waits) -> str:
    """Return the loops whose iterations are counted."""
    return "\n".join(f"line {line}" for line in sorted({loop.span.line for loop in found.loops}))


def names(found: Collection[str]) -> str:
    return "\n".join(sorted(found))


def widths(found: Mapping[str, int]) -> str:
    return "\n".join(f"{name}: {lanes} lanes" for name, lanes in found.items())


def versions(found: Mapping[str, tuple[Instance, ...]]) -> str:
    return "\n".join(f"{name}: {'; '.join(map(_version, those))}" for name, those in found.items())


def rows(found: Mapping[tuple[str, Axis], Rows]) -> str:
    """Return how many rows or columns of a block run in step, by kernel."""
    return "\n".join(
        f"{name}: {each.role.rows} {IN_STEP[along]} of a block, as {each.kernel}"
        for (name, along), rows in found.items()
        for each in rows
    )


def strips(found: Mapping[Axis, Mapping[str, Strips]]) -> str:
    """Return how neighbouring blocks run together, by the axis of the gangs."""
    return "\n".join(
        f"{name}, gangs along {axis}: {'many' if plan.long else 'few'} blocks together{', fused' * plan.fused}"
        for axis, kernels in found.items()
        for name, plan in kernels.items()
    )


def running_axes(found: Mapping[str, int]) -> str:
    """Return which parts of their blocks kernels run once."""
    return "\n".join(f"{name}: one {'row' if axes == 1 else 'layer'} does it for all" for name, axes in found.items())


def shared_memory(found: SharedLayout) -> str:
    offsets = sorted(found.offset.items(), key=lambda item: item[1])
    variables = (f"{_variable(variable)}: at byte {offset}" for variable, offset in offsets)
    return "\n".join((*variables, *(f"{name}: {size} bytes" for name, size in found.bytes.items() if size)))


def instances(found: Collection[Instance]) -> str:
    return "\n".join(sorted(map(_instance, found)))


def divisions(found: Mapping[Instance, Plan | str]) -> str:
    lines: list[str] = []
    for version, plan in found.items():
        if isinstance(plan, str):
            lines.append(f"{_instance(version)}: not divided: {plan}")
            continue
        lines.append(f"{_instance(version)}: divided into {sum(1 for _ in regions(plan.items))} regions")
        remade = [node.variable for node in plan.remade]
        parts = {"once for the block": plan.once, "kept": plan.kept, "remade": remade}
        lines += [f"  {what}: {_names(those)}" for what, those in parts.items() if those]
        lines += [f"  {_region(region)}" for region in regions(plan.items)]
    return "\n".join(lines)


def first_threads(found: Mapping[Region, Prefix]) -> str:
    return "\n".join(
        f"{_region(region)}: threadIdx.x {'<=' if prefix.inclusive else '<'} "
        f"{'1' if prefix.count is None else _text(prefix.count)}"
        for region, prefix in found.items()
    )


def register_arrays(found: Mapping[Repeat, tuple[Variable, ...]]) -> str:
    return "\n".join(
        f"{'' if loop.cond is None else f'while {_text(loop.cond)}: '}{_names(arrays)} in registers"
        for loop, arrays in found.items()
    )


def walks(found: Mapping[Instance, StackWalk]) -> str:
    how = {True: "in place of its calls", False: "called"}
    return "\n".join(f"{_instance(walk)}: a loop over a stack, {how[plan.inlined]}" for walk, plan in found.items())


def single_lane(found: Mapping[Instance, Instance]) -> str:
    return "\n".join(f"{_instance(instance)}: one lane continues in scalar code" for instance in found)


def scalar_tails(found: Mapping[tuple[Instance, Loop], ScalarTail]) -> str:
    return "\n".join(
        f"{_instance(instance)}, {_statement(loop)}: the last {plan.lanes} lanes finish one by one"
        for (instance, loop), plan in found.items()
    )


def compacted_loops(found: Mapping[tuple[Instance, Loop], CompactedLoop]) -> str:
    return "\n".join(
        f"{_instance(instance)}, {_statement(loop)}: up to {plan.instance.lanes} lanes run in a gang of so many"
        for (instance, loop), plan in found.items()
    )


def block_sizes(found: Mapping[Instance, UsualBlock]) -> str:
    return "\n".join(
        f"{_instance(version)}: {size.width if size.height == 1 else f'{size.width} x {size.height}'} threads"
        + (f", {_names(size.arrays)} on the stack" if size.arrays else "")
        for version, size in found.items()
    )


def available_loads(found: Mapping[str, AvailableLoads]) -> str:
    return "\n".join(
        f"{name}: {_text(load)} [line {load.span.line}] after line {sources[0].span.line}"
        for name, known in found.items()
        for load, sources in known.sources.items()
    )


def divisible(found: Mapping[str, frozenset[Axis]]) -> str:
    return "\n".join(f"{name}: along {' and '.join(sorted(axes))}" for name, axes in found.items())


def row_streams(found: Mapping[str, Mapping[Loop, RowStreams]]) -> str:
    return "\n".join(
        f"{name}: {_text(load)} [line {load.span.line}]"
        for name, loops in found.items()
        for rows in loops.values()
        for load in rows.loads
    )


def plans(found: Plans) -> str:
    """All decisions."""
    off = sorted(name for name, on in found.choices.items() if not on)
    parts = {
        "versions": versions(found.versions),
        "rows in step": rows(found.rows),
        "neighbouring blocks": strips(found.strips),
        "blocks that may be divided": divisible(found.divisible),
        "blocks of which one part does it for all": running_axes(found.running_axes),
        "kernels whose blocks may run in any order": names(found.independent),
        "divisions at barriers": divisions(found.divisions),
        "regions of the first threads": first_threads(found.first_threads),
        "arrays in registers": register_arrays(found.register_arrays),
        "block sizes with code of their own": block_sizes(found.block_sizes),
        "recursive walks": walks(found.walks),
        "functions for a single lane": single_lane(found.single_lane),
        "last lanes of loops": scalar_tails(found.scalar_tails),
        "loops in narrower gangs": compacted_loops(found.compacted_loops),
        "shared memory": shared_memory(found.shared),
        "functions in which gangs may be split": instances(found.divergent_waits.functions),
        "reads of what was read before": available_loads(found.available_loads),
        "reads along rows of each thread's own": row_streams(found.row_streams),
        "choices that are switched off": names(off),
    }
    return "\n".join(line for what, text in parts.items() if text for line in _section(what, text))


def _section(what: str, text: str) -> Iterator[str]:
    yield f"{what}:"
    yield from (f"  {line}" for line in text.splitlines())


# --------------------------------------------------------------------------------------------- names


def _instance(instance: Instance) -> str:
    """Return a function instance: its arguments' shapes, which are the same in all kernels, and its gangs."""
    args = [tuple(map(str, arg)) if isinstance(arg, tuple) else str(arg) for arg in instance.args]
    known = "" if all(arg == str(BLOCK) for arg in args) else f"({', '.join(map(str, args))})"
    return f"{instance.name}{known}, {_version(instance)}"


def _version(version: Instance) -> str:
    rows = {"xy": "gangs are tiles", "": "gangs may span rows"}.get(version.along, f"gangs along {version.along}")
    return rows + (f", {version.lanes} lanes" if version.lanes > LANES else "")


def _variable(variable: Variable) -> str:
    return f"{variable.name} [line {variable.span.line}]"


def _names(variables: Iterable[Variable] | Live) -> str:
    return ", ".join(sorted({variable.name for variable in variables}))


def _statement(node: tree.Stmt) -> str:
    return f"{type(node).__name__.lower()} in line {node.span.line}"


def _region(region: Region) -> str:
    lines = [node.span.line for node in region.statements]
    if not lines:
        return "region without statements"
    return f"region in line {lines[0]}" if lines[0] == lines[-1] else f"region in lines {lines[0]} to {lines[-1]}"


def _text(node: tree.Expr) -> str:
    return ExprPrinter(lambda variable: variable.name).show(node)
