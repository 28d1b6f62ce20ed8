"""Regions that only the first threads of a row run: `if (threadIdx.x < s) ...`, with `s` equal in the whole block.

The gangs after those threads have nothing to do there, and all but one of the others have every lane on. The last
levels of a tree reduction cost one gang each, not a block of them, and `if (threadIdx.x == 0)` costs one gang too.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from ..analysis.block_values import BlockValues
from ..analysis.shapes import FunctionShapes, Instance, Shapes
from ..analysis.storage import Storage
from ..lang.ctype import BOOL, is_integer
from ..tree import nodes as tree
from ..tree.effects import has_effects
from ..tree.nodes import Variable
from .barrier_fission import Plan, Region, regions

Values = Mapping[Variable, tree.Expr]  # of variables that keep the value which they were declared with


@dataclass(frozen=True, eq=False)
class Prefix:
    """Threads with `threadIdx.x` below `count`, or up to `count` if `inclusive`, run `body`; others do nothing."""

    count: tree.Expr | None  # None: 1
    inclusive: bool
    body: tree.Block


def choose(shapes: Shapes, divisions: Mapping[Instance, Plan | str]) -> dict[Region, Prefix]:
    """Return the regions of divided kernels in which only the first threads of each row have something to do."""
    found: dict[Region, Prefix] = {}
    for version, plan in divisions.items():
        if version.along == "x" and not isinstance(plan, str):
            found |= find(plan, shapes.instances[version], shapes.storage)
    return found


def find(plan: Plan, shapes: FunctionShapes, storage: Storage) -> dict[Region, Prefix]:
    """Return those regions of one version. The one where masks begin and parameters arrive is for all threads."""
    block = BlockValues(shapes, storage)
    values = {node.variable: node.initial for node in plan.remade if isinstance(node.initial, tree.Expr)}
    starts = plan.loses_threads or any(param not in plan.once for param in shapes.function.params)
    found: dict[Region, Prefix] = {}
    for region in regions(plan.items):
        for_block = any(block.is_once(variable) for variable in region.assigned & plan.wanted[region])
        if region.returns or for_block or (starts and region is plan.start):
            continue
        first = prefix(region.statements, block.is_uniform, values)
        if first is not None:
            found[region] = first
    return found


def prefix(
    statements: tuple[tree.Stmt, ...], is_block_uniform: Callable[[tree.Expr], bool], values: Values
) -> Prefix | None:
    """Return which threads run the statements if those are an `if` for the first threads of a row."""
    if len(statements) != 1 or not isinstance(statements[0], tree.If) or statements[0].other.statements:
        return None
    cond, body = statements[0].cond, statements[0].then
    match cond:
        case tree.Unary(op="!", operand=tree.Convert(type=ctype, operand=operand)) if ctype == BOOL:
            return Prefix(None, False, body) if is_thread_index(operand, values) else None
        case tree.Binary(op="==", left=left, right=right):
            for thread, value in ((left, right), (right, left)):
                if is_thread_index(thread, values) and isinstance(value, tree.Constant) and value.value == 0:
                    return Prefix(None, False, body)
        case tree.Binary(op="<" | "<=", left=left, right=right):
            if is_thread_index(left, values) and is_block_uniform(right) and not has_effects(right):
                return Prefix(right, cond.op == "<=", body)
        case tree.Binary(op=">" | ">=", left=left, right=right):
            if is_thread_index(right, values) and is_block_uniform(left) and not has_effects(left):
                return Prefix(left, cond.op == ">=", body)
    return None


def is_thread_index(node: tree.Expr, values: Values) -> bool:
    """Whether a value is `threadIdx.x`, in any integer type that holds it."""
    while True:
        match node:
            case tree.Convert() if is_integer(node.type) and node.type.size >= 4:
                node = node.operand
            case tree.Load(place=tree.VarRef(variable=variable)) if variable in values:
                node = values[variable]
            case _:
                return isinstance(node, tree.ThreadIndex) and (node.name, node.axis) == ("threadIdx", 0)
