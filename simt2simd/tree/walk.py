"""Walks over the tree: what is below a node, in the order of the source, and trees with other parts.

A walk that treats kinds of statements differently is written as a `match` that ends in `assert_never`, or it leaves
the kinds that it does not know to `map_blocks` or `children`: then a new kind cannot be forgotten.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain
from operator import attrgetter
from types import UnionType
from typing import Any, TypeVar, assert_never, get_args, get_type_hints
from weakref import WeakKeyDictionary

from .nodes import Block, Break, Continue, Declare, Evaluate, If, Loop, Node, Return, Section, Stmt, Switch

N = TypeVar("N", bound=Node)


def children(node: Node) -> Sequence[Node]:
    """Return the direct sub-nodes of `node`, in the order of its fields."""
    return _CHILDREN[type(node)](node)


def walk(node: Node) -> Iterator[Node]:
    """Return `node` and everything below it, parents first."""
    if type(node) is not Block:
        return _walked(node)
    below = _BELOW.get(node)
    if below is None:
        below = _BELOW[node] = tuple(_walked(node))[1:]
    return chain((node,), below)


# What is below a block: scores of passes walk over the same bodies of functions, and few of them make new ones.
# The block itself is not in it, or it would keep itself alive.
_BELOW: WeakKeyDictionary[Block, tuple[Node, ...]] = WeakKeyDictionary()


def count_nodes(node: Node) -> int:
    """Return how many nodes `node` is, with everything below it."""
    return sum(1 for _ in walk(node))


def _walked(node: Node) -> Iterator[Node]:
    left = [node]
    while left:
        node = left.pop()
        yield node
        if below := _CHILDREN[type(node)](node):
            left += below[::-1]


def walk_loops(node: Node, loops: int = 0) -> Iterator[tuple[Node, int]]:
    """`walk`, with the number of loops around each node. A loop is inside itself, its start values are not."""
    left = [(node, loops, False)]
    while left:
        node, loops, begun = left.pop()
        if isinstance(node, Loop) and not begun:
            left.append((node, loops + 1, True))
            left += [(part, loops, False) for part in reversed(node.init)]
            continue
        yield node, loops
        below = children(node)
        if isinstance(node, Loop):
            below = (*((node.cond,) if node.cond is not None else ()), *node.step, node.body)
        left += [(part, loops, False) for part in reversed(below)]


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


def _reader(kind: type) -> Callable[[Any], Sequence[Node]]:
    """Return the function that reads the children of nodes of a kind: the quickest for what its fields may hold."""
    names = _FIELDS[kind]
    hints = get_type_hints(kind)
    if not all(_is_node(hints[name]) for name in names):
        return lambda node: _children_of(node, names)
    match names:
        case ():
            return lambda node: ()
        case (name,):
            only = attrgetter(name)
            return lambda node: (only(node),)
        case _:
            return attrgetter(*names)


def _is_node(hint: Any) -> bool:
    """Whether a field of this type always holds a node, and nothing but that."""
    return hint in _KINDS or (isinstance(hint, UnionType) and all(map(_is_node, get_args(hint))))


def _children_of(node: Node, names: tuple[str, ...]) -> list[Node]:
    found: list[Node] = []
    for name in names:
        value = getattr(node, name)
        if type(value) is tuple:
            found.extend(_nodes(value))
        elif value is not None:
            found.append(value)
    return found


_CHILDREN: dict[type, Callable[[Any], Sequence[Node]]] = {kind: _reader(kind) for kind in _KINDS}


# ------------------------------------------------------------------------------------------ rewriting


def map_children(node: N, change: Callable[[Any], Any]) -> N:
    """Return `node` with `change(child)` for each node directly below it, `node` itself if all of them stay."""
    changed: dict[str, Any] = {}
    for name in _FIELDS[type(node)]:
        old = getattr(node, name)
        new = _mapped(old, change)
        if new is not old:
            changed[name] = new
    return replace(node, **changed) if changed else node


def _mapped(value: Any, change: Callable[[Any], Any]) -> Any:
    """Apply `change` to a node, or to the nodes in a tuple, whose items may be tuples themselves."""
    if type(value) in _KINDS:
        return change(value)
    if type(value) is not tuple:
        return value
    items = tuple(_mapped(item, change) for item in value)
    return value if all(new is old for new, old in zip(items, value, strict=True)) else items


def map_blocks(node: Stmt, change: Callable[[Block], Block]) -> Stmt:
    """Return a statement with `change(block)` for each block directly in it; a block is its own only one."""
    match node:
        case Block():
            return change(node)
        case If():
            return replace(node, then=change(node.then), other=change(node.other))
        case Loop():
            return replace(node, body=change(node.body))
        case Switch():
            sections = tuple(replace(section, body=change(section.body)) for section in node.sections)
            return replace(node, sections=sections)
        case Declare() | Evaluate() | Break() | Continue() | Return():
            return node
        case _:
            assert_never(node)


def map_statements(block: Block, change: Callable[[Stmt], Iterable[Stmt]]) -> Block:
    """Return a block with the statements of `change(statement)` in place of each of its own."""
    return replace(block, statements=tuple(new for node in block.statements for new in change(node)))
