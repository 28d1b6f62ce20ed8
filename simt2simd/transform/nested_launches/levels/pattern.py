"""Kernels that descend a tree: launch themselves for the children of a node, wait for them, and then finish the node.

    __global__ void visit(first, sum, n) {                __global__ void visit(first, sum, n) {
        before;                                               before;
        for (c in children) visit<<<1, 32>>>(..., c);         for (c in children) visit<<<1, 32>>>(..., c);
        cudaDeviceSynchronize();                              after<<<1, 32, 0, cudaStreamTailLaunch>>>(..., n);
        after;                                            }
    }

What comes before runs for a node ahead of all below it, what follows runs after all below it. Nodes of which neither is
below the other have no order, as long as siblings do not count on the order in which a default stream runs them: so the
nodes of one level may run together.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from ....analysis.call_sets import quoted
from ....analysis.frames import RefusedError
from ....lang.builtins import Builtin
from ....lang.ctype import Pointer, Scalar, is_integer
from ....lang.device_runtime import NAMED_STREAMS
from ....tree import nodes as tree
from ....tree.calls import reached_functions
from ....tree.effects import (
    addressed_variables,
    declared_variables,
    has_effects,
    is_barrier,
    is_effect,
    is_of_warp,
    named_variables,
    only_reads,
    written_variables,
)
from ....tree.launches import awaits_children, is_launch, launching_functions, parts_of, stream_number
from ....tree.nodes import Function, Module, Node, Variable
from ....tree.rewrite import copied
from ....tree.same import is_value_of, same_text
from ....tree.walk import walk

TAIL = NAMED_STREAMS["cudaStreamTailLaunch"]
_ANY_ORDER = (0, NAMED_STREAMS["cudaStreamFireAndForget"])


@dataclass(frozen=True)
class Descent:
    """A kernel that descends a tree.

    `node`: the parameter that identifies the node. `threads`: of a child's block; `threads_after`: of that which does
    what comes after. `before`: the statements up to the wait, in which the children are launched; `tail`: the launch
    among them that does what comes after, None where `before` ends at the wait. `after`: what comes after, in terms of
    the kernel's own parameters.
    """

    kernel: Function
    node: Variable
    threads: tree.Expr
    threads_after: tree.Expr
    before: tuple[tree.Stmt, ...]
    tail: tree.BuiltinCall | None
    after: tuple[tree.Stmt, ...]


def launches_itself(kernel: Function) -> bool:
    return any(is_launch(node) and node.builtin.kernel == kernel.name for node in walk(kernel.body))


def descent_of(module: Module, kernel: Function) -> Descent:
    """Return how a kernel that launches itself descends a tree. Raises `RefusedError` if it does not."""
    children = [node for node in walk(kernel.body) if is_launch(node) and node.builtin.kernel == kernel.name]
    node = _node_of(kernel, children)
    threads = _block_of(kernel, children)
    _require_no_other_family(module, kernel, children)
    _require_kept_params(kernel)
    tail = _tail_of(kernel)
    if tail is None:
        before, after = _around_the_wait(kernel)
        threads_after = threads
    else:
        before, after = kernel.body.statements, tuple(_after_of(module, kernel, tail))
        threads_after = _row_of(kernel, tail)
    _require_own_numbers(module, (*before, *after))
    return Descent(kernel, node, threads, threads_after, before, tail, after)


# ------------------------------------------------------------------------------------------- the children


def _node_of(kernel: Function, children: Sequence[tree.BuiltinCall]) -> Variable:
    """Return the parameter that differs from node to node."""
    changing = {
        place
        for child in children
        for place, arg in enumerate(parts_of(child).args)
        if not is_value_of(arg, kernel.params[place])
    }
    if len(changing) != 1:
        names = " and ".join(f"'{kernel.params[place].name}'" for place in sorted(changing))
        why = f"{names} change from node to node" if changing else "no parameter identifies the node"
        raise RefusedError(children[0].span, f"{why}: one parameter must identify the node, and others stay the same")
    node = kernel.params[changing.pop()]
    if not isinstance(node.type, Pointer) and not (isinstance(node.type, Scalar) and is_integer(node.type)):
        raise RefusedError(node.span, f"'{node.name}', which identifies the node, is neither an integer nor a pointer")
    return node


def _block_of(kernel: Function, children: Sequence[tree.BuiltinCall]) -> tree.Expr:
    """Return the threads of a child's block; its grid must be that one block."""
    first = parts_of(children[0])
    for child in children:
        launch = parts_of(child)
        if not _is_one(launch.grid):
            raise RefusedError(child.span, "a child has a grid of one block where it is one node")
        if not same_text(launch.block, first.block):
            raise RefusedError(child.span, "children have blocks of different sizes")
        if not isinstance(launch.shared, tree.Constant) or launch.shared.value != 0:
            raise RefusedError(launch.shared.span, "children have dynamic shared memory")
        if stream_number(launch.stream) not in _ANY_ORDER:
            raise RefusedError(launch.stream.span, "the stream of the children gives them an order among themselves")
    return _row_of(kernel, children[0])


def _row_of(kernel: Function, child: tree.BuiltinCall) -> tree.Expr:
    """Return the threads of the block of a launch, all along x."""
    block = parts_of(child).block
    sizes = _sizes(block)
    if sizes is None or not _is_number(sizes[1], 1) or not _is_number(sizes[2], 1) or not _is_fixed(kernel, sizes[0]):
        raise RefusedError(block.span, "the block is to be a row of as many threads for all nodes")
    return sizes[0]


def _require_own_numbers(module: Module, statements: Sequence[tree.Stmt]) -> None:
    """Refuse functions that ask for the thread's number or wait for others: they would get to know of the level."""
    reached = reached_functions(module)
    called = [node for top in statements for node in walk(top) if isinstance(node, tree.Call)]
    for call in called:
        for name in sorted({call.function, *reached[call.function]}):
            for node in walk(module.functions[name].body):
                if isinstance(node, tree.ThreadIndex) or is_barrier(node) or is_of_warp(node):
                    why = f"'{call.function}', which it calls, asks for the thread's number, or waits for other threads"
                    raise RefusedError(call.span, why)


def _is_fixed(kernel: Function, size: tree.Expr) -> bool:
    """Whether a size is the same for all nodes."""
    for node in walk(size):
        if isinstance(node, tree.ThreadIndex) and node.name != "blockDim":
            return False
        if is_effect(node) or (isinstance(node, tree.Load) and not isinstance(node.place, tree.VarRef)):
            return False
        if isinstance(node, tree.VarRef) and node.variable.storage not in ("constant",):
            return False
    return True


def _sizes(extent: tree.Expr) -> tuple[tree.Expr, ...] | None:
    match extent:
        case tree.BuiltinCall(builtin=Builtin(op="make"), args=sizes):
            return sizes
    return None


def _is_number(node: tree.Expr, number: int) -> bool:
    return isinstance(node, tree.Constant) and node.value == number


def _is_one(extent: tree.Expr) -> bool:
    sizes = _sizes(extent)
    return sizes is not None and all(_is_number(size, 1) for size in sizes)


def _require_no_other_family(module: Module, kernel: Function, children: Sequence[tree.BuiltinCall]) -> None:
    """Refuse other uses of children: other launches, and questions about them."""
    launching = launching_functions(module)
    for node in walk(kernel.body):
        if isinstance(node, tree.Call) and node.function in launching:
            raise RefusedError(node.span, f"'{node.function}', which it calls, uses children, too")
        if is_launch(node) and node not in children and stream_number(parts_of(node).stream) != TAIL:
            raise RefusedError(node.span, f"it launches '{node.builtin.kernel}', too, and not after its children")
        if isinstance(node, tree.BuiltinCall) and node.builtin.of_runtime and not awaits_children(node):
            raise RefusedError(node.span, f"it calls '{node.builtin.name}'")


def _require_kept_params(kernel: Function) -> None:
    changed = written_variables(kernel.body) | addressed_variables(kernel.body)
    for param in kernel.params:
        if param in changed:
            raise RefusedError(param.span, f"its parameter '{param.name}' does not keep its value")


# ------------------------------------------------------------------------------------- what comes after


def _tail_of(kernel: Function) -> tree.BuiltinCall | None:
    """Return the launch of what comes after; None if the kernel waits instead."""
    found = [node for node in walk(kernel.body) if is_launch(node) and stream_number(parts_of(node).stream) == TAIL]
    waits = [node for node in walk(kernel.body) if awaits_children(node)]
    if len(found) > 1:
        raise RefusedError(found[1].span, "it launches several kernels after its children")
    if found and waits:
        raise RefusedError(waits[0].span, "it waits for its children, and launches a kernel after them, too")
    if not found and not waits:
        why = "it does not wait for its children: nothing is to be done when they are complete"
        raise RefusedError(kernel.span, why)
    return found[0] if found else None


def _around_the_wait(kernel: Function) -> tuple[tuple[tree.Stmt, ...], tuple[tree.Stmt, ...]]:
    """Return the statements before `cudaDeviceSynchronize()` and after it."""
    statements = kernel.body.statements
    places = [i for i, node in enumerate(statements) if any(map(awaits_children, walk(node)))]
    place = places[0]
    if len(places) > 1 or not _is_wait(statements[place]):
        why = "it is to wait for its children once, in a statement of its own that all blocks reach"
        raise RefusedError(statements[places[-1]].span, why)
    for child in (below for node in statements for below in walk(node) if is_launch(below)):
        if stream_number(parts_of(child).stream) != 0:
            why = "'cudaDeviceSynchronize' waits for children in the default stream, and not for this one"
            raise RefusedError(parts_of(child).stream.span, why)
    before, after = statements[:place], statements[place + 1 :]
    for node in after:
        for below in walk(node):
            if is_launch(below):
                raise RefusedError(below.span, "it launches children after the wait, too")
    return before, tuple(_with_own_values(kernel, before, after))


def _is_wait(node: tree.Stmt) -> bool:
    """`cudaDeviceSynchronize();`, by all threads or by one."""
    match node:
        case tree.Evaluate(expr=tree.Convert(operand=expr)) | tree.Evaluate(expr=expr):
            return awaits_children(expr)
        case tree.If(cond=cond, then=tree.Block(statements=(inner,)), other=tree.Block(statements=())):
            return isinstance(inner, tree.Evaluate) and _is_wait(inner) and not has_effects(cond)
    return False


def _with_own_values(kernel: Function, before: Sequence[tree.Stmt], after: Sequence[tree.Stmt]) -> Iterator[tree.Stmt]:
    """What comes after, with declarations of its own of what it has in common with what comes before."""
    needed = {variable for part in after for variable in named_variables(part)}
    changed = {variable for part in (*before, *after) for variable in written_variables(part)}
    again: list[tree.Stmt] = []
    for node in reversed(before):
        if not isinstance(node, tree.Declare) or node.variable not in needed:
            continue
        if node.variable in changed or not isinstance(node.initial, tree.Expr) or not _lasts(node.initial):
            name = node.variable.name
            why = f"'{name}' gets its value before the wait and is read after it, where it might be another one"
            raise RefusedError(node.span, f"{why}; compute it there again")
        needed |= named_variables(node.initial)
        again.append(node)
    new = {variable: replace(variable) for part in (*again, *after) for variable in declared_variables(part)}
    yield from (copied(node, new) for node in (*reversed(again), *after))


def _lasts(value: tree.Expr) -> bool:
    """Whether a value is the same when it is computed after the children: nothing writes what it reads."""
    if not only_reads(value) or any(isinstance(node, tree.ThreadIndex) for node in walk(value)):
        return False
    for node in walk(value):
        if isinstance(node, tree.Load) and not isinstance(node.place, tree.VarRef):
            bases = [below.variable for below in walk(node.place) if isinstance(below, tree.VarRef)]
            if not any(base.restrict and isinstance(base.type, Pointer) and base.type.const for base in bases[:1]):
                return False
    return True


def _after_of(module: Module, kernel: Function, tail: tree.BuiltinCall) -> Iterator[tree.Stmt]:
    """The body of the kernel that is launched after the children, its parameters as variables with these values."""
    launch = parts_of(tail)
    called = module.functions[launch.kernel]
    if called is kernel:
        raise RefusedError(tail.span, "it launches itself after its children")
    if not _is_one(launch.grid):
        raise RefusedError(tail.span, f"'{called.name}' has a grid of one block where it is for one node")
    if not _is_number(launch.shared, 0):
        raise RefusedError(launch.shared.span, f"'{called.name}' has dynamic shared memory")
    if called.name in launching_functions(module):
        raise RefusedError(tail.span, f"'{called.name}' uses children, too")
    for arg in launch.args:
        if not only_reads(arg) or any(
            isinstance(node, tree.ThreadIndex) or (isinstance(node, tree.Load) and not _is_own_param(node, kernel))
            for node in walk(arg)
        ):
            why = f"{quoted(arg)}, which '{called.name}' is launched with, is more than the kernel's own parameters"
            raise RefusedError(arg.span, why)
    changed = written_variables(called.body) | addressed_variables(called.body)
    new = {variable: _local(variable) for variable in (*called.params, *declared_variables(called.body))}
    for param, arg in zip(called.params, launch.args, strict=True):
        if isinstance(arg, tree.Load) and isinstance(arg.place, tree.VarRef) and param not in changed:
            new[param] = arg.place.variable
        else:
            yield tree.Declare(param.span, new[param], copied(arg))
    yield from (copied(node, new) for node in called.body.statements)


def _local(variable: Variable) -> Variable:
    return replace(variable, storage="local") if variable.storage == "param" else replace(variable)


def _is_own_param(node: Node, kernel: Function) -> bool:
    return isinstance(node, tree.Load) and isinstance(node.place, tree.VarRef) and node.place.variable in kernel.params
