"""Rewrites switches into whose sections a `goto` jumps, in the parser's tree of a function.

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
declared first in that block.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator
from itertools import count
from typing import Any

from pycparser import c_ast

from . import cxx

Node = Any  # of pycparser, which has no types

SECTION = "s2s_section_"  # how the labels of sections begin
_PARTS = {"block_items", "iftrue", "iffalse", "stmts", "stmt", "body"}
_TAKES_BREAK = (c_ast.For, c_ast.While, c_ast.DoWhile, c_ast.Switch, cxx.RangeFor)


def with_flat_switches(body: Node) -> Node:
    """Return a function's body in which no jump leads into a section of a switch, from outside of that section."""
    return _rewritten(body, body, count())


def _rewritten(node: Node, body: Node, numbers: Iterator[int]) -> Node:
    node = _with_parts(node, lambda part: _rewritten(part, body, numbers))
    if not isinstance(node, c_ast.Switch):
        return node
    node.stmt = _with_labels_in_sections(node.stmt)
    return _flat(node, next(numbers)) if _is_entered(node, body) else node


def _with_labels_in_sections(block: Node) -> Node:
    """Return a switch's block in which `one: case 3:` is the end of the section before, and another section."""
    if not isinstance(block, c_ast.Compound):
        return block
    sections: list[Node] = []
    for section in block.block_items or []:
        if not isinstance(section, c_ast.Case | c_ast.Default):
            return block
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


def _below(node: Node) -> Iterator[Node]:
    yield node
    for name in _PARTS & set(dir(node)):
        inside = getattr(node, name)
        for part in inside if isinstance(inside, list) else [inside] if isinstance(inside, c_ast.Node) else []:
            yield from _below(part)


def _is_entered(switch: c_ast.Switch, body: Node) -> bool:
    """Whether a jump from elsewhere leads to a label that is directly in a section."""
    sections = getattr(switch.stmt, "block_items", None) or []
    if not all(isinstance(section, c_ast.Case | c_ast.Default) for section in sections):
        return False
    everywhere = _jumps(body)
    for section in sections:
        own = _jumps(section)
        for label in _labels(section):
            if everywhere.count(label) > own.count(label):
                return True
    return False


def _labels(section: Node) -> Iterator[str]:
    for stmt in section.stmts or []:
        while isinstance(stmt, c_ast.Label):
            yield stmt.name
            stmt = stmt.stmt


def _jumps(node: Node) -> list[str]:
    return [below.name for below in _below(node) if isinstance(below, c_ast.Goto)]


def _flat(switch: Node, number: int) -> c_ast.Compound:
    span = switch.coord
    end = f"s2s_end_{number}"
    choices: list[Node] = []
    items: list[Node] = []
    for index, section in enumerate(switch.stmt.block_items):
        label = f"{SECTION}{number}_{index}"
        choice = copy.copy(section)
        choice.stmts = [c_ast.Goto(label, section.coord)]
        choices.append(choice)
        items.append(c_ast.Label(label, c_ast.EmptyStatement(section.coord), section.coord))
        items += [_leaving(stmt, end) for stmt in section.stmts or []]
    if not any(isinstance(choice, c_ast.Default) for choice in choices):
        choices.append(c_ast.Default([c_ast.Goto(end, span)], span))
    declared, cond = _head(switch)
    chooser = c_ast.Switch(cond, c_ast.Compound(choices, span), span)
    return c_ast.Compound([*declared, chooser, *items, c_ast.Label(end, c_ast.EmptyStatement(span), span)], span)


def _head(switch: Node) -> tuple[list[Node], Node]:
    """Return what a switch runs and declares first, which all its sections know, and the expression that chooses."""
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
