"""Tree-to-tree: loops with barriers ask early for what they read some iterations later, where iterations are far apart.

**Known as:** software prefetching.

    for (i = 0; i < rows; i++) {             for (i = 0; i < rows; i++) {
        if (x < columns)                         if (x < columns) {
            t[x] += wall[columns * i + x];           __prefetch(&wall[columns * (i + PREFETCH_DISTANCE) + x]);
        __syncthreads();                             t[x] += wall[columns * i + x];
        ...                                      }
                                                 __syncthreads(); ...

A block reads a short run of memory in each iteration, and the next one lies a row of a matrix away: CPUs prefetch runs,
but not that. To ask for what is not there, or is not read, does no harm: a prefetch never fails.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import cast

from ..costs import MAX_PREFETCHES, PREFETCH_DISTANCE
from ..lang.ctype import is_integer
from ..tree import nodes as tree
from ..tree.build import Build
from ..tree.effects import declared_variables, is_barrier, is_local, is_volatile, named_variables, own_written
from ..tree.nodes import Module, Variable
from ..tree.rewrite import copied
from ..tree.same import is_value_of, same_value
from ..tree.walk import map_blocks, map_children, map_statements, walk


def software_prefetch(module: Module) -> Module:
    """Let the loops with barriers of every kernel ask early."""
    functions = dict(module.functions)
    for kernel in module.kernels:
        if any(map(is_barrier, walk(kernel.body))):
            functions[kernel.name] = replace(kernel, body=map_statements(kernel.body, _statement))
    return replace(module, functions=functions)


def _statement(node: tree.Stmt) -> Iterator[tree.Stmt]:
    node = map_blocks(node, lambda block: map_statements(block, _statement))
    counter = counter_of(node) if isinstance(node, tree.Loop) else None
    if not isinstance(node, tree.Loop) or counter is None or not any(map(is_barrier, walk(node.body))):
        yield node
        return
    asked: list[tree.Index] = []

    def asking(below: tree.Stmt) -> Iterator[tree.Stmt]:
        for place in _own_reads(below):
            far = strides(place, counter, node) and not any(same_place(place, other) for other in asked)
            if far and len(asked) < MAX_PREFETCHES:
                asked.append(place)
                yield copied(prefetch(place, counter))
        yield below if _has_barrier_loop(below) else map_blocks(below, lambda block: map_statements(block, asking))

    yield replace(node, body=map_statements(node.body, asking))


def _has_barrier_loop(node: tree.Stmt) -> bool:
    """Whether a statement is a loop that has asked for what it reads itself."""
    return isinstance(node, tree.Loop) and any(map(is_barrier, walk(node)))


def _own_reads(node: tree.Stmt) -> Iterator[tree.Index]:
    """Yield the elements of arrays in memory that a plain statement reads."""
    if isinstance(node, tree.Evaluate | tree.Declare):
        for below in walk(node):
            if isinstance(below, tree.Load) and isinstance(below.place, tree.Index) and not is_volatile(below.place):
                yield below.place


def counter_of(node: tree.Loop) -> Variable | None:
    """Return the variable that counts the iterations of a loop, if there is one that nothing else changes."""
    if len(node.step) != 1 or not isinstance(node.step[0], tree.Increment) or node.step[0].delta != 1:
        return None
    counter = own_written(node.step[0])
    if counter is None or counter.type.size < 4 or not is_integer(counter.type):
        return None
    return None if any(own_written(below) is counter for below in walk(node.body)) else counter


def strides(place: tree.Index, counter: Variable, loop: tree.Loop) -> bool:
    """Whether an index contains a multiple of the counter, and can be computed before the iteration."""
    nodes = [*walk(place.pointer), *walk(place.index)]
    simple = all(
        isinstance(node, tree.Constant | tree.ThreadIndex | tree.Convert | tree.VarRef)
        or (isinstance(node, tree.Binary) and node.op in ("+", "-", "*"))
        or (isinstance(node, tree.Load) and isinstance(node.place, tree.VarRef) and is_local(node.place.variable))
        for node in nodes
    )
    products = [node for node in nodes if isinstance(node, tree.Binary) and node.op == "*"]
    multiple = any(is_value_of(below, counter) for node in products for below in walk(node))
    return simple and multiple and not named_variables(place) & declared_variables(loop.body)


def same_place(left: tree.Index, right: tree.Index) -> bool:
    return same_value(left.pointer, right.pointer) and same_value(left.index, right.index)


def prefetch(place: tree.Index, counter: Variable) -> tree.Stmt:
    """Return what asks for a place as it will be some iterations later."""
    build = Build(place.span)

    def later(node: tree.Node) -> tree.Node:
        if is_value_of(node, counter):
            ahead = build.number(counter.type, PREFETCH_DISTANCE)
            return build.binary(build.read(counter), "+", ahead)
        return map_children(node, later)

    index = cast("tree.Expr", later(place.index))
    return build.prefetch(place.pointer, index)
