"""Rewrites jumps into loops and blocks, in the parser's tree of a function: they jump to the statement in front.

    goto in;                            { enter = 1; goto head; }
    while (n > 0) {                 head:
        a();                            while (enter != 0 || n > 0) {
    in:                                     if (enter == 1) goto in;
        b();                                a();
    }                                   in:
                                            enter = 0;
                                            b();
                                        }

Each label into whose block a jump leads has a number, which is not 0. `enter` is that number between the jump and the
label, and 0 everywhere else. So the heads of the loops and `if`s between are passed without their conditions.

A jump is refused if it would pass an initialisation ([stmt.dcl]), or enter an `if constexpr`.
"""

from __future__ import annotations

import copy
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from typing import Any

from pycparser import c_ast

from ...diag import CompileError, Note, error
from ...source import Span
from . import cxx
from .flat_switches import MadeGoto, shown_jump
from .goto_ranges import declared_names, is_scalar, jumps_over, listed_parts

Node = Any  # of pycparser, which has no types

_ENTER = "s2s_enter"
_Key = Hashable  # a list of statements: the node that holds it, and the part


@dataclass(frozen=True)
class _Step:
    """Statement `index` of a list."""

    key: _Key
    index: int


_Path = tuple[_Step, ...]  # from the function's body to a statement


def with_entries(body: c_ast.Compound) -> c_ast.Compound:
    """Return a function's body in which each jump leads to a label in a list of statements around it.

    Raises `CompileError` for a jump that enters what it must not.
    """
    entries = _Entries()
    entries.find(body.block_items or [], id(body), ())
    for jump, path in entries.jumps:
        entries.enter(jump, path)
    if not entries.numbers:
        return body
    items = entries.rewritten_list(body.block_items or [], id(body))
    return c_ast.Compound([_declared(body.coord), *items], body.coord)


@dataclass
class _Entries:
    """The jumps of one function. `entered`: labels into a statement. `chosen`: those to which a list leads first."""

    jumps: list[tuple[c_ast.Goto, _Path]] = field(default_factory=list)
    labels: dict[str, tuple[_Path, Span]] = field(default_factory=dict)
    labelled: set[_Step] = field(default_factory=set)
    nodes: dict[_Step, Node] = field(default_factory=dict)
    numbers: dict[str, int] = field(default_factory=dict)
    entered: dict[_Step, dict[str, c_ast.Goto]] = field(default_factory=dict)
    chosen: dict[_Key, dict[str, MadeGoto]] = field(default_factory=dict)
    heads: dict[_Step, str] = field(default_factory=dict)
    leads: dict[int, Node] = field(default_factory=dict)  # by the identity of a jump: what replaces it

    # --------------------------------------------------------------------------------------- searching

    def find(self, nodes: Sequence[Node], key: _Key, path: _Path) -> None:
        """Note the labels and jumps of a list."""
        for i, item in enumerate(nodes):
            step = _Step(key, i)
            node = item
            while isinstance(node, c_ast.Label):
                self.labels[node.name] = (*path, step), node.coord
                self.labelled.add(step)
                node = node.stmt
            self.nodes[step] = node
            if isinstance(node, c_ast.Goto):
                self.jumps.append((node, (*path, step)))
            for name, inside in listed_parts(node):
                self.find(inside, (id(node), name), (*path, step))

    def enter(self, jump: c_ast.Goto, path: _Path) -> None:
        """Note what a jump enters, and what replaces it."""
        if jump.name not in self.labels:
            return
        target, labelled = self.labels[jump.name]
        common = sum(one.key == other.key for one, other in zip(path, target, strict=False))
        if common == len(target):
            return
        number = self.numbers.setdefault(jump.name, len(self.numbers) + 1)
        for step in target[common - 1 : -1]:
            _require_enterable(self.nodes[step], jump, labelled)
            self.entered.setdefault(step, {}).setdefault(jump.name, jump)
            self.heads.setdefault(step, f"s2s_head_{len(self.heads) + 1}")
        for step in target[common:]:
            name = jump.name if step is target[-1] else self.heads[step]
            if step.index > 0 or step in self.labelled:
                lead = MadeGoto(name, jump.coord, shown_jump(jump))
                self.chosen.setdefault(step.key, {}).setdefault(jump.name, lead)
        head = MadeGoto(self.heads[target[common - 1]], jump.coord, shown_jump(jump))
        self.leads[id(jump)] = c_ast.Compound([_assign(number, jump.coord), head], jump.coord)

    # --------------------------------------------------------------------------------------- rewriting

    def rewritten_list(self, nodes: Sequence[Node], key: _Key) -> list[Node]:
        done: list[Node] = []
        for name, lead in self.chosen.get(key, {}).items():
            done.append(c_ast.If(self.enters([name], lead.coord), lead, None, lead.coord))
        for i, item in enumerate(nodes):
            node = item
            first = len(done)
            while first > 0 and isinstance(done[first - 1], c_ast.Pragma):
                first -= 1
            before: list[Node] = []
            while isinstance(node, c_ast.Label):
                before.append(c_ast.Label(node.name, c_ast.EmptyStatement(node.coord), node.coord))
                if node.name in self.numbers:
                    before.append(_assign(0, node.coord))
                node = node.stmt
            step = _Step(key, i)
            if step in self.heads:
                before.append(c_ast.Label(self.heads[step], c_ast.EmptyStatement(node.coord), node.coord))
                if (init := _init(node)) is not None and not isinstance(init, c_ast.DeclList):
                    before.append(c_ast.If(_not_entering(node.coord), init, None, node.coord))
            done[first:first] = before
            done.append(self.rewritten(node, self.entered.get(step, {})))
        return done

    def rewritten(self, node: Node, labels: dict[str, c_ast.Goto]) -> Node:
        """Return a statement into which jumps to `labels` lead."""
        if isinstance(node, c_ast.Goto):
            return self.leads.get(id(node), node)
        if not listed_parts(node):
            return node
        new = copy.copy(node)
        for name, inside in listed_parts(node):
            items = self.rewritten_list(inside, (id(node), name))
            listed = isinstance(getattr(node, name), list)
            whole = getattr(node, name)
            if not listed and not isinstance(whole, c_ast.Compound) and len(items) == 1 and items[0] is inside[0]:
                continue
            setattr(new, name, items if listed else c_ast.Compound(items, whole.coord or node.coord))
        if labels:
            return self.with_open_head(new, node, list(labels))
        return new

    def with_open_head(self, new: Node, node: Node, labels: list[str]) -> Node:
        """Return a statement whose head leads to the block of the label that is entered."""
        span = node.coord
        if isinstance(node, c_ast.If):
            inside = [label for label in labels if self.is_in(label, (id(node), "iftrue"))]
            new = c_ast.If(node.cond, new.iftrue, new.iffalse, span)
            if len(inside) < len(labels):
                new.cond = c_ast.BinaryOp("&&", _not_entering(span), new.cond, span)
            if inside:
                new.cond = c_ast.BinaryOp("||", self.enters(inside, span), new.cond, span)
        elif isinstance(node, c_ast.While | c_ast.For) and new.cond is not None:
            new.cond = c_ast.BinaryOp("||", self.enters(labels, span), new.cond, span)
        if isinstance(node, c_ast.For) and not isinstance(node.init, c_ast.DeclList):
            new.init = None
        return new

    def is_in(self, label: str, key: _Key) -> bool:
        return any(step.key == key for step in self.labels[label][0])

    def enters(self, labels: Sequence[str], span: Span) -> Node:
        """Return whether a jump to one of some labels is under way."""
        tests = [c_ast.BinaryOp("==", _read(span), _number(self.numbers[label], span), span) for label in labels]
        whole = tests[0]
        for test in tests[1:]:
            whole = c_ast.BinaryOp("||", whole, test, span)
        return whole


def _require_enterable(node: Node, jump: c_ast.Goto, labelled: Span) -> None:
    """Refuse a jump into a statement whose head initialises something, or that is no statement to be entered."""
    declared = _declarations(node)
    for decl in declared:
        if isinstance(decl, c_ast.Decl) and decl.init is None and is_scalar(decl) and isinstance(node, c_ast.For):
            continue
        names = " and ".join(declared_names(decl))
        raise CompileError([jumps_over(shown_jump(jump), jump.coord, names, decl.coord)])
    constexpr = isinstance(node, cxx.If) and node.constexpr
    if constexpr or not isinstance(
        node, c_ast.Compound | c_ast.If | c_ast.While | c_ast.DoWhile | c_ast.For | c_ast.AttributedStatement
    ):
        what = "an 'if constexpr'" if constexpr else "a block"
        note = Note(labelled, "the label is here")
        help = "jump to a label in the same block, or in one around it"
        raise error(jump.coord, f"{shown_jump(jump)} jumps into {what}", note, help=help)


def _init(node: Node) -> Node | None:
    """Return what an `if` or a loop runs first."""
    init: Node | None = getattr(node, "init", None) if isinstance(node, c_ast.If | c_ast.For) else None
    return init


def _declarations(node: Node) -> list[Node]:
    """Return what the head of a statement declares."""
    if isinstance(node, cxx.RangeFor):
        return [node.declaration]
    found = []
    for part in (_init(node), getattr(node, "cond", None)):
        found += part.decls if isinstance(part, c_ast.DeclList) else [part] if isinstance(part, c_ast.Decl) else []
    return found


# --------------------------------------------------------------------------------------------------- nodes


def _declared(span: Span) -> Node:
    """`int s2s_enter = 0;`"""
    ctype = c_ast.TypeDecl(_ENTER, [], None, c_ast.IdentifierType(["int"], span), span)
    return c_ast.Decl(_ENTER, [], [], [], [], ctype, _number(0, span), None, span)


def _read(span: Span) -> Node:
    return c_ast.ID(_ENTER, span)


def _number(value: int, span: Span) -> Node:
    return c_ast.Constant("int", str(value), span)


def _assign(value: int, span: Span) -> Node:
    return c_ast.Assignment("=", _read(span), _number(value, span), span)


def _not_entering(span: Span) -> Node:
    return c_ast.BinaryOp("==", _read(span), _number(0, span), span)
