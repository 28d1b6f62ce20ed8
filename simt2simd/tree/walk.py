"""Walks over the tree: what stands below a node, in the order of the source."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, get_args, get_type_hints

from .nodes import Loop, Node


def children(node: Node) -> list[Node]:
    """Return the direct sub-nodes of `node`, in the order of its fields."""
    found: list[Node] = []
    for name in _FIELDS[type(node)]:
        value = getattr(node, name)
        if type(value) is tuple:
            found.extend(_nodes(value))
        elif value is not None:
            found.append(value)
    return found


def walk(node: Node) -> Iterator[Node]:
    """Yield `node` and everything below it, parents first."""
    left = [node]
    while left:
        node = left.pop()
        yield node
        if below := children(node):
            below.reverse()
            left += below


def walk_loops(node: Node, loops: int = 0) -> Iterator[tuple[Node, int]]:
    """`walk`, with the number of loops round each node. A loop is inside itself, its start values are not."""
    if isinstance(node, Loop):
        for below in node.init:
            yield from walk_loops(below, loops)
        yield node, loops + 1
        inner = (*((node.cond,) if node.cond is not None else ()), *node.step, node.body)
        for child in inner:
            yield from walk_loops(child, loops + 1)
        return
    yield node, loops
    for child in children(node):
        yield from walk_loops(child, loops)


def loop_depth(node: Node) -> int:
    """Return how deep loops lie in each other in a statement."""
    deepest, left = 0, [(node, 0)]
    while left:
        node, depth = left.pop()
        deepest = max(deepest, depth)
        inside = depth + isinstance(node, Loop)
        left += ((child, inside) for child in children(node) if isinstance(child, Stmt | Section))
    return deepest


_KINDS = frozenset(get_args(Node))


def _may_hold_nodes(hint: Any) -> bool:
    return hint in _KINDS or any(map(_may_hold_nodes, get_args(hint)))


# The fields of each kind of node that hold a node, None, or a tuple with nodes in it.
_FIELDS: dict[type, tuple[str, ...]] = {
    kind: tuple(name for name, hint in get_type_hints(kind).items() if _may_hold_nodes(hint)) for kind in _KINDS
}


def _nodes(items: tuple[Any, ...]) -> Iterator[Node]:
    """Yield the nodes in a tuple; items may be tuples of a node and what is said of it."""
    for item in items:
        if type(item) in _KINDS:
            yield item
        elif type(item) is tuple:
            yield from _nodes(item)
