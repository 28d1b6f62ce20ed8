"""Rewrites switches that have labels in loops and blocks, or into whose sections a `goto` jumps, in the parser's tree.

    switch (n) {                        {
    case 0:                                 switch (n) {
        r = 1;                              case 0: goto section_0;
        goto two;                           case 2: goto section_1;
    case 2:                                 default: goto end;
    two:                                    }
        r += 20;                        section_0:
        break;                              r = 1;
    }                                       goto two;
                                        section_1:
                                        two:
                                            r += 20;
                                            goto end;
                                        end:;
                                        }

All sections then are in one block, where `gotos` knows what to do with jumps. What the head of the switch declares is
declared first in that block. A `case` in a loop or block (Duff's device) is a label there, into which a jump leads.

`if (int n = f(); n > 0) { goto other; } else { other: ... }` has what its head declares in a block around it too.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator
from itertools import count
from typing import Any

from pycparser import c_ast

from ...source import Span
from . import cxx

Node = Any  # of pycparser, which has no types

_PARTS = {"block_items", "iftrue", "iffalse", "stmts", "stmt", "body"}
_TAKES_BREAK = (c_ast.For, c_ast.While, c_ast.DoWhile, c_ast.Switch, cxx.RangeFor)


class MadeGoto(c_ast.Goto):
    """A `goto` that the program has in another form; `shown` is what messages call that."""

    def __init__(self, name: str, coord: Span, shown: str) -> None:
        super().__init__(name, coord)
        self.shown = shown


def shown_jump(node: c_ast.Goto) -> str:
    """Return what a message calls a jump."""
    return node.shown if isinstance(node, MadeGoto) else f"'goto {node.name}'"


def has_inner_labels(switch: Node) -> bool:
    """Whether a switch has a `case` or `default` in another statement of its block."""
    return any(
        isinstance(below, c_ast.Case | c_ast.Default)
        for item in _items(switch.stmt)
        for stmt in (item.stmts or [] if isinstance(item, c_ast.Case | c_ast.Default) else [item])
        for below in _below(stmt, c_ast.Switch)
    )


def with_flat_switches(body: Node) -> Node:
    """Return a function's body whose switches have no inner labels, and no jumps into a section from outside of it."""
    return _rewritten(body, body, count())


def _rewritten(node: Node, body: Node, numbers: Iterator[int]) -> Node:
    node = _with_parts(node, lambda part: _rewritten(part, body, numbers))
    if isinstance(node, cxx.If) and _has_jumps_between_arms(node):
        declared, cond = _head(node)
        return c_ast.Compound([*declared, c_ast.If(cond, node.iftrue, node.iffalse, node.coord)], node.coord)
    if not isinstance(node, c_ast.Switch):
        return node
    node.stmt = _with_labels_in_sections(node.stmt)
    return _flat(node, next(numbers)) if has_inner_labels(node) or _is_entered(node, body) else node


def _has_jumps_between_arms(node: cxx.If) -> bool:
    """Whether a jump leads from one arm of an `if` into the other, where what its head declares is known too."""
    arms = [node.iftrue, *([node.iffalse] if node.iffalse is not None else [])]
    labels = [{below.name for below in _below(arm) if isinstance(below, c_ast.Label)} for arm in arms]
    if node.constexpr or len(arms) < 2:
        return False
    return any(labels[1 - i].intersection(_jumps(arm)) for i, arm in enumerate(arms))


def _items(block: Node) -> list[Node]:
    """Return the statements of a switch: mostly sections."""
    return list(block.block_items or []) if isinstance(block, c_ast.Compound) else [block]


def _with_labels_in_sections(block: Node) -> Node:
    """Return a switch's block in which `one: case 3:` is the end of the section before, and another section."""
    if not isinstance(block, c_ast.Compound):
        return block
    sections: list[Node] = []
    for section in block.block_items or []:
        if not isinstance(section, c_ast.Case | c_ast.Default):
            sections.append(section)
            continue
        sections.append(copy.copy(section))
        stmts, sections[-1].stmts = section.stmts or [], []
        for stmt in stmts:
            while isinstance(stmt, c_ast.Label) and isinstance(_labelled(stmt), c_ast.Case | c_ast.Default):
                sections[-1].stmts.append(c_ast.Label(stmt.name, c_ast.EmptyStatement(stmt.coord), stmt.coord))
                stmt = stmt.stmt
            if isinstance(stmt, c_ast.Case | c_ast.Default):
                sections.append(copy.copy(stmt))
                sections[-1].stmts = list(stmt.stmts or [])
            else:
                sections[-1].stmts.append(stmt)
    return c_ast.Compound(sections, block.coord)


def _labelled(stmt: Node) -> Node:
    while isinstance(stmt, c_ast.Label):
        stmt = stmt.stmt
    return stmt


def _with_parts(node: Node, change: Any) -> Node:
    """Return a copy of a statement in which `change` was applied to each statement that is directly in it."""
    found = copy.copy(node)
    for name in _PARTS & set(dir(node)):
        inside = getattr(node, name)
        if isinstance(inside, list):
            setattr(found, name, [change(part) for part in inside])
        elif isinstance(inside, c_ast.Node):
            setattr(found, name, change(inside))
    return found


def _below(node: Node, apart: type | tuple[type, ...] = ()) -> Iterator[Node]:
    """Yield a statement and all statements in it; what is in those of the types `apart` is left out."""
    yield node
    if isinstance(node, apart):
        return
    for name in _PARTS & set(dir(node)):
        inside = getattr(node, name)
        for part in inside if isinstance(inside, list) else [inside] if isinstance(inside, c_ast.Node) else []:
            yield from _below(part, apart)


def _is_entered(switch: c_ast.Switch, body: Node) -> bool:
    """Whether a jump leads to a label in a section from outside of that section, or one is in front of them."""
    everywhere = _jumps(body)
    for section in _items(switch.stmt):
        own = _jumps(section)
        is_first = not isinstance(section, c_ast.Case | c_ast.Default)
        for below in _below(section):
            if isinstance(below, c_ast.Label) and (is_first or everywhere.count(below.name) > own.count(below.name)):
                return True
    return False


def _jumps(node: Node) -> list[str]:
    return [below.name for below in _below(node) if isinstance(below, c_ast.Goto)]


def _flat(switch: Node, number: int) -> c_ast.Compound:
    span = switch.coord
    end = f"s2s_end_{number}"
    choices: list[Node] = []

    def chosen(section: Node) -> str:
        """Add a label of the switch to those that it chooses from; return the label to which it jumps."""
        label = f"s2s_section_{number}_{len(choices)}"
        choice = copy.copy(section)
        choice.stmts = [MadeGoto(label, section.coord, "this label of the switch")]
        choices.append(choice)
        return label

    def without_cases(node: Node) -> Node:
        if isinstance(node, c_ast.Case | c_ast.Default):
            label = chosen(node)
            inside = [without_cases(stmt) for stmt in node.stmts or []]
            first = inside[0] if len(inside) == 1 else c_ast.Compound(inside, node.coord)
            return c_ast.Label(label, first, node.coord)
        return node if isinstance(node, c_ast.Switch) else _with_parts(node, without_cases)

    items: list[Node] = []
    for section in _items(switch.stmt):
        stmts = [section]
        if isinstance(section, c_ast.Case | c_ast.Default):
            items.append(c_ast.Label(chosen(section), c_ast.EmptyStatement(section.coord), section.coord))
            stmts = section.stmts or []
        items += [without_cases(_leaving(stmt, end)) for stmt in stmts]
    if not any(isinstance(choice, c_ast.Default) for choice in choices):
        choices.append(c_ast.Default([c_ast.Goto(end, span)], span))
    declared, cond = _head(switch)
    chooser = c_ast.Switch(cond, c_ast.Compound(choices, span), span)
    return c_ast.Compound([*declared, chooser, *items, c_ast.Label(end, c_ast.EmptyStatement(span), span)], span)


def _head(switch: Node) -> tuple[list[Node], Node]:
    """Return what a switch or `if` runs and declares first, which all of it knows, and the expression that chooses."""
    init = getattr(switch, "init", None)
    before = init.decls if isinstance(init, c_ast.DeclList) else [] if init is None else [init]
    cond = switch.cond
    if not isinstance(cond, c_ast.Decl):
        return [*before], cond
    return [*before, cond], c_ast.ID(cond.name or "", cond.coord)


def _leaving(node: Node, end: str) -> Node:
    """Return a statement in which `break` of the switch is a jump to its end."""
    if isinstance(node, c_ast.Break):
        return c_ast.Goto(end, node.coord)
    return node if isinstance(node, _TAKES_BREAK) else _with_parts(node, lambda part: _leaving(part, end))
