"""What may run for nothing: in lanes that did not ask for it, or in none.

A short piece of plain arithmetic costs less than the branch around it; a load must not run where a lane might hold
any address, unless the same load was made just before, for those lanes too.
"""

from __future__ import annotations

from ..analysis.shapes import register_place
from ..lang.ctype import is_float
from ..tree import nodes as tree
from ..tree.same import only_repeats
from ..tree.walk import walk
from .frame import Frame

# Built-ins of one instruction or a few.
_CHEAP = frozenset(
    "abs bitcast brev ceil clz copysign fabs ffs floor fma fmax fmin isfinite isinf isnan max min mul24 mulhi popc "
    "rint sad saturate signbit trunc".split()
)
DIVISION = 8  # costs as much as that many nodes


def runs_for_nothing(f: Frame, node: tree.Expr) -> bool:
    """Whether `node` may be evaluated where it is not asked for, instead of a branch round it."""
    return f.may("speculate") and not needs_lanes(f, node)


def needs_lanes(f: Frame, node: tree.Expr) -> bool:
    """Whether `node` must not run under an empty mask: it calls, assigns, or reads memory through a uniform address."""
    for below in walk(node):
        if _has_effect(below):
            return True
        if isinstance(below, tree.Load) and _reads_memory(f, below):
            shape = f.shapes.expressions.get(below)
            if shape is None or isinstance(shape, tuple) or shape.uniform:
                return True
    return False


def cost(f: Frame, node: tree.Expr) -> int | None:
    """About how many nodes of plain arithmetic `node` is worth; None if it is better to branch around it."""
    total = 0
    for below in walk(node):
        match below:
            case tree.BuiltinCall() if below.builtin.op not in _CHEAP:
                return None
            case tree.Binary(op="/" | "%", type=ctype):
                if not is_float(ctype) and not isinstance(below.right, tree.Constant):
                    return None
                total += DIVISION
            case tree.Load() if _reads_memory(f, below):
                return None
        total += 1
    return total


def costs_much(f: Frame, node: tree.Expr) -> bool:
    """Whether it is better to branch around `node` than to evaluate it for nothing."""
    return cost(f, node) is None


def loads_made(f: Frame, cond: tree.Expr, node: tree.Expr) -> bool:
    """Whether `node` reads memory, but nothing that `cond` has not read for all lanes, and changes nothing."""
    return f.may("repeated-loads") and reads_memory(f, node) and only_repeats(node, cond)


def reads_memory(f: Frame, node: tree.Node) -> bool:
    return any(_reads_memory(f, below) for below in walk(node))


def _has_effect(node: tree.Node) -> bool:
    if isinstance(node, tree.BuiltinCall):
        return not node.builtin.pure
    return isinstance(node, tree.Call | tree.Assign | tree.CompoundAssign | tree.Increment)


def _reads_memory(f: Frame, node: tree.Node) -> bool:
    return isinstance(node, tree.Load) and register_place(node.place, f.program.storage) is None
