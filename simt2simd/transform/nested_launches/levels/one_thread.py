"""What a block of threads does, done by one of them.

    for (int c = first[n] + threadIdx.x; c < first[n + 1]; c += blockDim.x) { ... }
    __syncthreads();                                  ->      for (int c = first[n]; c < first[n + 1]; c++) { ... }
    if (threadIdx.x == 0) out[n] = 1;                         out[n] = 1;

That is the same where the block's size makes no difference: one thread does a thing, or each takes iterations of a loop
that starts at its number and advances by their count.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeVar, cast

from ....analysis.call_sets import quoted
from ....analysis.frames import RefusedError
from ....lang.ctype import BOOL, is_integer
from ....tree import nodes as tree
from ....tree.effects import (
    declared_variables,
    has_effects,
    is_barrier,
    is_effect,
    is_of_warp,
    named_variables,
    own_written,
)
from ....tree.launches import is_launch
from ....tree.nodes import Node, Variable
from ....tree.same import is_value_of, without_conversions
from ....tree.walk import children, map_children, walk

N = TypeVar("N", bound=Node)


def alone(node: N) -> N:
    """Return what a block of one thread, in a grid of one block, does by `node`."""
    return cast(N, _alone(node))


def _alone(node: Node) -> Node:
    if isinstance(node, tree.ThreadIndex):
        return tree.Constant(node.span, node.type, 0 if node.name.endswith("Idx") else 1)
    return _folded(map_children(node, _alone))


def _folded(node: Node) -> Node:
    """Leave out what the numbers of one thread have made trivial."""
    match node:
        case tree.Binary(op="+", left=left, right=tree.Constant(value=0)) if is_integer(node.type):
            return left
        case tree.Binary(op="+", left=tree.Constant(value=0), right=right) if is_integer(node.type):
            return right
        case tree.Binary(op="==", left=tree.Constant() as left, right=tree.Constant() as right):
            return tree.Constant(node.span, BOOL, left.value == right.value)
        case tree.Unary(op="!", operand=tree.Constant() as operand) if node.type == BOOL:
            return tree.Constant(node.span, BOOL, not operand.value)
        case tree.Convert(operand=tree.Constant(value=int() as value)) if is_integer(node.type) and value in (0, 1):
            return tree.Constant(node.span, node.type, value)
        case tree.Convert(operand=tree.Constant() as operand) if node.type == BOOL:
            return tree.Constant(node.span, BOOL, operand.value != 0)
        case tree.Convert(operand=tree.Convert(operand=inner)) if inner.type == node.type and _resigned(node):
            return inner
        case tree.CompoundAssign(op="+", value=tree.Constant(value=1)) if is_integer(node.type):
            return tree.Increment(node.span, node.type, node.place, 1, prefix=False)
        case tree.Increment():
            return tree.Increment(node.span, node.type, node.place, node.delta, prefix=False) if node.prefix else node
        case tree.Block():
            return tree.Block(node.span, tuple(_statements(node.statements)))
    return node


def _resigned(node: tree.Convert) -> bool:
    """Whether an integer is converted to the other sign and back."""
    inner = node.operand
    return is_integer(node.type) and is_integer(inner.type) and node.type.size == inner.type.size


def _statements(statements: Sequence[tree.Stmt]) -> Iterator[tree.Stmt]:
    for node in statements:
        match node:
            case tree.Evaluate(expr=expr) if is_barrier(expr):
                continue
            case tree.If(cond=tree.Constant(value=value)):
                yield from (node.then if value else node.other).statements
            case tree.Block(statements=()):
                continue
            case _:
                yield node


# ---------------------------------------------------------------------------------- where that is the same


def require_any_size(body: tree.Block, what: str) -> None:
    """Raise `RefusedError` unless a block of one thread does the same as one of many; `what` has this body."""
    for node in body.statements:
        _by_all(node, what)


def _by_all(node: tree.Stmt, what: str) -> None:
    """Look at a statement that all threads reach."""
    match node:
        case tree.If() if _is_first_thread(node.cond) and not node.other.statements:
            _require_no_threads(node.then, "what one thread does", what)
            _require_unobserved(node.then, what)
        case tree.If():
            _require_no_threads(node.cond, f"{quoted(node.cond)} decides what each thread does, and", what)
            for arm in (node.then, node.other):
                require_any_size(arm, what)
        case tree.Loop() if _is_shared_out(node):
            _require_shared_out(node, what)
        case tree.Loop():
            for part in (*node.init, *node.step, *((node.cond,) if node.cond is not None else ())):
                _require_no_threads(part, "the iterations of a loop", what)
            require_any_size(node.body, what)
        case tree.Block():
            require_any_size(node, what)
        case tree.Evaluate(expr=tree.BuiltinCall() as call) if is_barrier(call) or call.builtin.op == "await_children":
            return
        case tree.Declare() | tree.Evaluate():
            _require_same_for_all(node, what)
        case tree.Return() | tree.Break() | tree.Continue():
            return
        case _:
            raise RefusedError(node.span, f"in {what}, a statement of this kind may depend on the block's size")


def _require_same_for_all(node: tree.Declare | tree.Evaluate, what: str) -> None:
    if any(map(is_of_warp, walk(node))):
        raise RefusedError(node.span, f"in {what}, the threads of a warp do this together")
    if isinstance(node, tree.Declare) and node.variable.storage == "shared":
        raise RefusedError(node.span, f"the threads of a block share '{node.variable.name}' in {what}")
    _require_no_threads(node, "what all threads do", what)
    for below in walk(node):
        if is_effect(below) and not own_written(below):
            why = f"in {what}, each thread does this, so that it depends on the block's size how often it happens"
            raise RefusedError(below.span, why)


def _is_first_thread(cond: tree.Expr) -> bool:
    """`threadIdx.x == 0` or `!threadIdx.x`"""
    match cond:
        case tree.Binary(op="==", left=left, right=tree.Constant(value=0)):
            return _is_thread(left)
        case tree.Unary(op="!", operand=operand):
            return _is_thread(operand)
    return False


def _require_unobserved(arm: tree.Block, what: str) -> None:
    """Check what one thread does: what the others do afterwards must not depend on it."""
    own = declared_variables(arm)
    for below in walk(arm):
        if isinstance(below, tree.Return) or (isinstance(below, tree.Break | tree.Continue) and _leaves(arm, below)):
            raise RefusedError(below.span, f"in {what}, one thread leaves here, and the others continue")
        variable = own_written(below)
        if variable is not None and variable not in own:
            raise RefusedError(below.span, f"in {what}, '{variable.name}' has another value in one thread from here on")


def _is_thread(node: Node) -> bool:
    node = without_conversions(node)
    return isinstance(node, tree.ThreadIndex) and (node.name, node.axis) == ("threadIdx", 0)


def _is_size(node: Node) -> bool:
    node = without_conversions(node)
    return isinstance(node, tree.ThreadIndex) and (node.name, node.axis) == ("blockDim", 0)


def _start(node: tree.Loop) -> tuple[Variable, Node] | None:
    """Return the variable of a loop `for (int c = first + threadIdx.x; ...)`, and `first`, None of others."""
    if len(node.init) != 1 or not isinstance(node.init[0], tree.Declare):
        return None
    initial = node.init[0].initial
    value = None if initial is None else without_conversions(initial)
    if value is not None and _is_thread(value):
        return node.init[0].variable, value
    if isinstance(value, tree.Binary) and value.op == "+":
        for own, first in ((value.left, value.right), (value.right, value.left)):
            if _is_thread(own):
                return node.init[0].variable, first
    return None


def _is_shared_out(node: tree.Loop) -> bool:
    start = _start(node)
    match node.step:
        case (tree.CompoundAssign(op="+", place=tree.VarRef(variable=variable), value=value),):
            return start is not None and start[0] is variable and _is_size(value)
    return False


def _require_shared_out(node: tree.Loop, what: str) -> None:
    """Look at a loop of which each thread takes some of the iterations."""
    start = _start(node)
    assert start is not None
    if node.cond is None or not _is_bounded(node.cond, start[0]):
        why = f"in {what}, each thread ends this loop by itself: its condition is to be '{start[0].name} < bound'"
        raise RefusedError(node.span if node.cond is None else node.cond.span, why)
    if not _is_thread(start[1]):
        _require_no_threads(start[1], "the iterations of a loop", what)
    for part in (node.cond, node.body):
        _require_no_threads(part, "an iteration of a loop that threads share", what)
    own = declared_variables(node)
    for below in walk(node.body):
        variable = own_written(below)
        if isinstance(below, tree.Return) or (isinstance(below, tree.Break) and _leaves(node.body, below)):
            raise RefusedError(below.span, f"in {what}, a thread leaves a loop of which others run iterations, too")
        if variable is start[0] or (variable is not None and variable not in own):
            why = f"in {what}, '{variable.name}' has another value in each thread after the loop"
            raise RefusedError(below.span, why)


def _is_bounded(cond: tree.Expr, variable: Variable) -> bool:
    """`variable < bound`, `variable <= bound` or turned around, with a bound that is the same in all iterations."""
    match cond:
        case tree.Binary(op="<" | "<=", left=own, right=bound) | tree.Binary(op=">" | ">=", left=bound, right=own):
            named = is_value_of(without_conversions(own), variable)
            return named and variable not in named_variables(bound) and not has_effects(bound)
    return False


def _leaves(node: Node, jump: tree.Break | tree.Continue) -> bool:
    """Whether a jump continues after `node`, or with the next iteration of a loop around it."""
    if isinstance(node, tree.Loop) or (isinstance(node, tree.Switch) and isinstance(jump, tree.Break)):
        return False
    return node is jump or any(_leaves(child, jump) for child in children(node))


def _require_no_threads(node: Node, doing: str, what: str) -> None:
    """Refuse what depends on the thread's number or on the block's size, but for the size of blocks to launch."""
    if is_launch(node):
        for arg in (*node.args[:1], *node.args[2:]):
            _require_no_threads(arg, doing, what)
        return
    if isinstance(node, tree.ThreadIndex):
        raise RefusedError(node.span, f"in {what}, {doing} depends on '{node.name}'")
    if is_barrier(node) or is_of_warp(node):
        raise RefusedError(node.span, f"in {what}, threads wait for each other in a part that not all of them reach")
    for child in children(node):
        _require_no_threads(child, doing, what)
