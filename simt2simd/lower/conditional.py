"""Lowering of `&&`, `||` and `?:`: operands that only some of the lanes evaluate, or none.

What lowers an operand is handed in, as the operands are expressions of any kind.
"""

from __future__ import annotations

from collections.abc import Callable

from llvmlite import ir

from ..analysis.lattice import Shape
from ..lang.ctype import BOOL, Struct
from ..report import outcome
from ..simd import mask as masks
from ..simd.builder import const, undefined
from ..simd.mask import Mask
from ..simd.values import Value, vector
from ..tree import nodes as tree
from ..tree.same import only_repeats
from . import profile_counters
from .frame import Frame, Parts, as_value, coerce, merge
from .gang_split import onward
from .speculate import costs_much, runs_for_nothing

# What lowers an operand under a mask.
Lower = Callable[[tree.Expr, Mask], Value | Parts]
LowerScalar = Callable[[tree.Expr, Mask], Value]


def logical(f: Frame, node: tree.Logical, mask: Mask, lower: LowerScalar) -> Value:
    """Lower `&&` or `||`: the right side runs only for lanes that the left one leaves undecided, or for nothing."""
    left = lower(node.left, mask)
    if left.uniform:
        return _uniform_logical(f, node, left, onward(f, mask, node.left), lower)
    return _varying_logical(f, node, left, mask, lower)


def _uniform_logical(f: Frame, node: tree.Logical, left: Value, mask: Mask, lower: LowerScalar) -> Value:
    """Decide for all lanes at once whether the right side runs: a scalar branch, unless it is cheap."""
    b, is_and, shape = f.b, node.op == "&&", f.shapes.of(node)
    if runs_for_nothing(f, node.right) and not costs_much(f, node.right):
        right = lower(node.right, mask)
        both = (left.ir, right.ir) if right.uniform else (vector(b, left), vector(b, right))
        return Value(BOOL, b.and_(*both) if is_and else b.or_(*both))
    f.note(node, outcome.UNIFORM_BRANCH)
    start, more, done = b.block, f.block("more"), f.block("decided")
    b.cbranch(left.ir, *((more, done) if is_and else (done, more)))
    known = coerce(b, Value(BOOL, const(left.ir.type, 0 if is_and else 1)), shape)
    b.position_at_end(more)
    right = coerce(b, lower(node.right, mask), shape)
    end = b.block
    b.branch(done)
    b.position_at_end(done)
    return merge(b, [(known, start), (right, end)], shape)


def _varying_logical(f: Frame, node: tree.Logical, left: Value, mask: Mask, lower: LowerScalar) -> Value:
    """Run the right side for the undecided lanes, after a branch unless it may run for nothing."""
    b, is_and = f.b, node.op == "&&"
    combine = b.and_ if is_and else b.or_
    lanes = vector(b, left)
    undecided = masks.both(b, onward(f, mask, node.left), lanes if is_and else b.not_(lanes))
    if runs_for_nothing(f, node.right):
        return Value(BOOL, combine(lanes, vector(b, lower(node.right, undecided))))
    f.note(node, outcome.DIVERGENT_ARMS)
    profile_counters.branched(f, node, outcome.DIVERGENT_ARMS, mask, divergent=True)
    start, more, done = b.block, f.block("more"), f.block("decided")
    b.cbranch(masks.any_on(b, undecided), more, done)
    b.position_at_end(more)
    combined = combine(lanes, vector(b, lower(node.right, undecided.nonempty())))
    end = b.block
    b.branch(done)
    b.position_at_end(done)
    return merge(b, [(Value(BOOL, lanes), start), (Value(BOOL, combined), end)], f.shapes.of(node))


def conditional(f: Frame, node: tree.Conditional, cond: Value, mask: Mask, lower: Lower) -> Value | Parts:
    """Lower `cond ? then : other`, whose `cond` is lowered already: lanes that disagree choose by a select."""
    b = f.b
    mask = onward(f, mask, node.cond)
    shapes = f.shapes.parts(node) if isinstance(node.type, Struct) else (f.shapes.of(node),)
    if cond.uniform:
        return _uniform_conditional(f, node, cond, shapes, mask, lower)
    branches = any(not runs_for_nothing(f, a) and not only_repeats(a, node.cond) for a in (node.then, node.other))
    form = outcome.DIVERGENT_ARMS if branches else outcome.SELECT
    f.note(node, form)
    profile_counters.branched(f, node, form, mask, divergent=branches)
    lanes = vector(b, cond)
    then = _arm(f, node, node.then, mask, masks.both(b, mask, lanes), shapes, lower)
    mask = onward(f, mask, node.then)
    other = _arm(f, node, node.other, mask, masks.without(b, mask, lanes), shapes, lower)
    chosen = tuple(Value(t.type, b.select(lanes, vector(b, t), vector(b, o))) for t, o in zip(then, other, strict=True))
    return as_value(node.type, chosen)


def _uniform_conditional(
    f: Frame, node: tree.Conditional, cond: Value, shapes: tuple[Shape, ...], mask: Mask, lower: Lower
) -> Value | Parts:
    """Decide for all lanes at once which arm runs: a scalar branch, or a select if both are cheap."""
    b = f.b
    cheap = all(runs_for_nothing(f, arm) and not costs_much(f, arm) for arm in (node.then, node.other))
    f.note(node, outcome.SCALAR_SELECT if cheap else outcome.UNIFORM_BRANCH)
    if cheap:
        then, other = (_coerced(f, lower(arm, mask), shapes) for arm in (node.then, node.other))
        chosen = tuple(
            Value(t.type, b.select(cond.ir, t.ir, o.ir), t.stride, t.interleave)
            for t, o in zip(then, other, strict=True)
        )
        return as_value(node.type, chosen)
    blocks = f.block("cond.then"), f.block("cond.else")
    done = f.block("cond.done")
    b.cbranch(cond.ir, *blocks)
    ways: list[tuple[Parts, ir.Block]] = []
    for block, arm in zip(blocks, (node.then, node.other), strict=True):
        b.position_at_end(block)
        ways.append((_coerced(f, lower(arm, mask), shapes), b.block))
        b.branch(done)
    b.position_at_end(done)
    merged = tuple(merge(b, [(parts[i], block) for parts, block in ways], shape) for i, shape in enumerate(shapes))
    return as_value(node.type, merged)


def _arm(
    f: Frame,
    whole: tree.Conditional,
    node: tree.Expr,
    outside: Mask,
    mask: Mask,
    shapes: tuple[Shape, ...],
    lower: Lower,
) -> Parts:
    """Evaluate one arm of a conditional whose lanes disagree; in other lanes its value is arbitrary."""
    b = f.b
    if only_repeats(node, whole.cond):  # under the mask of the first time, so that LLVM finds the loads equal
        return _coerced(f, lower(node, outside), shapes)
    if runs_for_nothing(f, node):
        return _coerced(f, lower(node, mask), shapes)
    start, run, done = b.block, f.block("arm"), f.block("arm.done")
    b.cbranch(masks.any_on(b, mask), run, done)
    b.position_at_end(run)
    values = _coerced(f, lower(node, mask.nonempty()), shapes)
    end = b.block
    b.branch(done)
    b.position_at_end(done)
    return tuple(
        merge(b, [(value, end), (Value(value.type, undefined(value.ir.type)), start)], shape)
        for value, shape in zip(values, shapes, strict=True)
    )


def _coerced(f: Frame, value: Value | Parts, shapes: tuple[Shape, ...]) -> Parts:
    parts = value if isinstance(value, tuple) else (value,)
    return tuple(coerce(f.b, part, shape) for part, shape in zip(parts, shapes, strict=True))
