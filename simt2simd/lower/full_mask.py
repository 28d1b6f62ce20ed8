"""Code of its own for gangs with every lane on.

Most gangs are full: only the last one of a row reaches past the edge of the data. Where a region of a kernel
reads memory, loops or calls, it is lowered twice, and a branch picks: once for `ALL_LANES`, where accesses are
plain loads and stores and nothing is blended, once for any mask. The region is what is under the kernel's
guard, `if (i < n) { ... }` or the rest after `if (i >= n) return;`, or else the body from its first access on.

A guard that compares an affine value with a uniform one is tested for all lanes at once, on scalars: the first
and the last lane's values bound the rest. The iterations of `for (int i = thread; i < n; i += threads)` that all lanes
run come in a loop of their own.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from llvmlite import ir

from ..analysis import boundary_guards
from ..analysis.shapes import register_place
from ..lang.ctype import BOOL, Scalar, is_integer
from ..simd import mask as masks
from ..simd.builder import const
from ..simd.mask import Mask
from ..simd.values import Value, vector
from ..tree import nodes as tree
from ..tree.effects import is_barrier, jumps_out
from ..tree.walk import walk
from .expressions import whole_scalar
from .frame import Frame
from .operators import binary
from .speculate import costs_much, runs_for_nothing

MAX_COPIED_NODES = 1500  # of a function's tree: bounds the growth of code and of compile time


@dataclass
class State:
    """Of one function: how many nodes were lowered twice, and how many statements have, as far as known."""

    copied_nodes: int = 0
    weights: dict[tree.Stmt, int] = field(default_factory=dict)


@dataclass(frozen=True)
class Condition:
    """A condition and, for a guard, whether it holds in all lanes of a full gang (`always`), or in none (`never`).

    `some` and `some_not`, where scalars decide it exactly: whether there is a lane of a full gang in which it holds, or
    not.
    """

    value: Value
    always: ir.Value | None = None
    never: ir.Value | None = None
    some: ir.Value | None = None
    some_not: ir.Value | None = None


def usually_full(f: Frame, mask: Mask) -> Mask:
    """Return a mask that has all lanes in most gangs, which are worth code of their own."""
    return masks.usually_full(f.b, mask) if f.may("full-mask") else mask


def condition(f: Frame, node: tree.Expr, mask: Mask) -> Condition:
    """Lower the condition of an `if`."""
    often_full = f.may("full-mask") and (mask.all_on or mask.full is not None)
    if often_full and not f.shapes.of(node).uniform and is_guard(f, node):
        return _guard(f, node, mask)
    if f.may("full-mask") and mask.all_on and _is_meeting(f, node):
        return _meeting(f, node, mask)
    return Condition(whole_scalar(f, node, mask))


def is_guard(f: Frame, node: tree.Expr) -> bool:
    """Whether a condition is a guard, of which all parts may be evaluated without a branch."""
    match node:
        case tree.Unary(op="!"):
            return is_guard(f, node.operand)
        case tree.Logical():
            cheap = runs_for_nothing(f, node.right) and not costs_much(f, node.right)
            return cheap and is_guard(f, node.left) and is_guard(f, node.right)
    return boundary_guards.is_guard(f.shapes, node)


def _guard(f: Frame, node: tree.Expr, mask: Mask) -> Condition:
    b = f.b
    match node:
        case tree.Unary(op="!"):
            inner = _guard(f, node.operand, mask)
            value = Value(BOOL, b.not_(inner.value.ir))
            return Condition(value, inner.never, inner.always, inner.some_not, inner.some)
        case tree.Logical():
            left, right = _guard(f, node.left, mask), _guard(f, node.right, mask)
            is_and = node.op == "&&"
            join = b.and_ if is_and else b.or_
            both = [side.value for side in (left, right)]
            first, second = (vector(b, side) if not all(s.uniform for s in both) else side.ir for side in both)
            always = _conjunction(b, left.always, right.always) if is_and else None
            never = None if is_and else _conjunction(b, left.never, right.never)
            return Condition(Value(BOOL, join(first, second)), always, never)
        case tree.Binary(op="<" | "<=" | ">" | ">=" as op) if not f.shapes.of(node).uniform:
            left_value, right_value = whole_scalar(f, node.left, mask), whole_scalar(f, node.right, mask)
            value = binary(f, op, BOOL, left_value, right_value, f.shapes.of(node))
            sides = f.shapes.of(node.left), f.shapes.of(node.right)
            if any(side.uniform for side in sides) and all(side.exact for side in sides) and is_integer(node.left.type):
                always, never = _at_the_ends(b, op, left_value, right_value, f.lanes)
                return Condition(value, always, never, b.not_(never), b.not_(always))
            true = Mask(value.ir, maybe_empty=True)
            return Condition(value, masks.all_on(b, true), b.not_(masks.any_on(b, true)))
    value = whole_scalar(f, node, mask)
    return Condition(value, value.ir, b.not_(value.ir))


def _is_meeting(f: Frame, node: tree.Expr) -> bool:
    """Whether a condition asks which lane has a number, of those that each have the one after their neighbour's."""
    match node:
        case tree.Binary(op="==" | "!=", left=left, right=right) if is_integer(left.type):
            shapes = f.shapes.of(left), f.shapes.of(right)
            return all(shape.scalar for shape in shapes) and abs(shapes[0].stride - shapes[1].stride) == 1
    return False


def _meeting(f: Frame, node: tree.Expr, mask: Mask) -> Condition:
    """Find out by scalars whether a lane is the one: the numbers of all lanes of the gang are different."""
    b = f.b
    assert isinstance(node, tree.Binary)
    left, right = whole_scalar(f, node.left, mask), whole_scalar(f, node.right, mask)
    value = binary(f, node.op, BOOL, left, right, f.shapes.of(node))
    ahead = b.sub(right.ir, left.ir) if left.stride > right.stride else b.sub(left.ir, right.ir)
    one = b.icmp_unsigned("<", ahead, const(ahead.type, f.lanes), name="one.meets")
    return Condition(value, some=one) if node.op == "==" else Condition(value, some_not=one)


def _conjunction(b: ir.IRBuilder, left: ir.Value | None, right: ir.Value | None) -> ir.Value | None:
    return b.and_(left, right) if left is not None and right is not None else None


def _at_the_ends(
    b: ir.IRBuilder, op: tree.Comparison, left: Value, right: Value, lanes: int
) -> tuple[ir.Value, ir.Value]:
    """Whether `left op right` holds in all lanes, and in none; one side is affine and does not wrap in the gang."""
    assert isinstance(left.type, Scalar)
    compare = b.icmp_signed if left.type.signed else b.icmp_unsigned

    def holds(lane: int) -> ir.Value:
        x, y = (b.add(side.ir, const(side.ir.type, side.stride * lane)) for side in (left, right))
        return compare(op, x, y)

    rises = (left.stride - right.stride > 0) == (op in (">", ">="))
    first, last = holds(0), holds(lanes - 1)
    return (first, b.not_(last)) if rises else (last, b.not_(first))


# ---------------------------------------------------------------------------------------- where it pays


def pays(f: Frame, statements: tuple[tree.Stmt, ...]) -> bool:
    """Whether the statements are to be lowered twice. Counts what is copied against the limit."""
    return pays_from(f, statements, 0, next_decisive(f, statements, 0))


def pays_from(f: Frame, statements: tuple[tree.Stmt, ...], start: int, decisive: int) -> bool:
    """Whether those from `start` on are, the first of which that matters is `decisive`."""
    if decisive == len(statements) or _sees_to_it(f, statements[decisive]):
        return False
    return _within_limit(f, statements[start:])


def next_decisive(f: Frame, statements: tuple[tree.Stmt, ...], start: int) -> int:
    """Return which statement from `start` on is the first that masks make slower; one past the last if none is."""
    for i in range(start, len(statements)):
        if _sees_to_it(f, statements[i]) or _is_masked(f, statements[i]):
            return i
    return len(statements)


def _sees_to_it(f: Frame, node: tree.Stmt) -> bool:
    """Whether a statement has code of its own for full gangs in any case."""
    return (isinstance(node, tree.If) and is_guard(f, node.cond)) or has_full_iterations(f, node)


def gangs_pay(f: Frame, statements: tuple[tree.Stmt, ...]) -> bool:
    """Whether the full gangs of a block get a loop of their own. Counts what is copied."""
    masked = f.may("full-mask") and any(_is_masked(f, node) for node in statements)
    return masked and _within_limit(f, statements)


def loop_pays(f: Frame, node: tree.Loop, mask: Mask) -> bool:
    """Whether the iterations of a loop that all lanes run get a loop of their own. Counts what is copied."""
    often_full = mask.all_on or mask.full is not None
    return often_full and has_full_iterations(f, node) and _within_limit(f, (node.body,))


def has_full_iterations(f: Frame, node: tree.Stmt) -> bool:
    """Whether lanes leave a loop only by a test that most iterations pass with all lanes.

    That is a guard, or the test of a loop with barriers: all threads of a block meet there, at less cost in full gangs.
    """
    if not isinstance(node, tree.Loop) or node not in f.shapes.divergent_loops or not f.may("full-mask"):
        return False
    test = node.cond if node.test_first else None
    often_full = test is not None and (is_guard(f, test) or any(map(is_barrier, walk(node.body))))
    return often_full and not jumps_out(node.body) and _is_masked(f, node.body)


def _within_limit(f: Frame, statements: tuple[tree.Stmt, ...]) -> bool:
    state = f.state(State)
    copied = state.copied_nodes
    for node in statements:
        copied += _weight(f, node)
        if copied > MAX_COPIED_NODES:
            return False
    state.copied_nodes = copied
    return True


def _is_masked(f: Frame, statement: tree.Stmt) -> bool:
    """Whether masks cost something in a statement: it loops, calls or uses memory."""
    for node in walk(statement):
        match node:
            case tree.Loop() | tree.Call() | tree.BuiltinCall():
                return True
            case tree.Load() | tree.Assign() | tree.CompoundAssign() | tree.Increment():
                if register_place(node.place, f.program.storage) is None:
                    return True
    return False


def _weight(f: Frame, statement: tree.Stmt) -> int:
    """Return how many nodes a statement has, with those of the functions that LLVM may put in place of its calls.

    More than the limit if one of them is recursive: its lanes diverge at once, and its body is not worth a copy.
    """
    weights = f.state(State).weights
    if statement not in weights:
        weights[statement] = _nodes(f, statement, ())
    return weights[statement]


def _nodes(f: Frame, node: tree.Node, callers: tuple[str, ...]) -> int:
    total = 0
    for below in walk(node):
        total += 1
        if isinstance(below, tree.Call):
            if below.function in callers:
                return MAX_COPIED_NODES + 1
            body = f.program.module.functions[below.function].body
            total += _nodes(f, body, (*callers, below.function))
        if total > MAX_COPIED_NODES:
            break
    return total
