"""Turns `goto` and its labels into loops, blocks and flags, in the parser's tree of a function.

    again:                              for (;;) {
        n = next(n);                        n = next(n);
        if (n < 0)                          if (n < 0)
            goto done;                          break;
        if (n & 1)                          if (n & 1)
            goto again;                         continue;
        n /= 2;                             n /= 2;
    done:                                   break;
                                        }

Statements from a label to the last jump back to it become a loop, those from the first jump to a label up to the label
a loop of one iteration. A jump is a `break` or `continue` of these. Where loops or switches are between, a flag makes
them break as well. So later code sees a jump leave the blocks that it leaves.

What an `if` or a loop declares in its head stays there: a test that declares something is no condition of ours.

Jumps into blocks are jumps to the statement in front of them by then (`block_entries`). Refused are jumps past an
initialisation.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, cast

from pycparser import c_ast

from ...diag import Note, error
from ...source import Span
from . import cxx
from .block_entries import with_entries
from .flat_switches import MadeGoto, has_inner_labels, shown_jump, with_flat_switches
from .goto_ranges import (
    Node,
    Range,
    StatementList,
    all_statements,
    declared_names,
    jump_ranges,
    jump_targets,
    listed,
    names_in,
    parts_of,
)

_OUTSIDE = {False: "'break' outside a loop or switch", True: "'continue' outside a loop"}


def without_gotos(body: c_ast.Compound) -> c_ast.Compound:
    """Return the body of a function without `goto`, in new nodes; `body` itself if it has none.

    Raises `CompileError` for a jump that cannot be written with loops and blocks, or whose label is not there.
    """
    if not any(
        isinstance(node, c_ast.Goto | c_ast.Label) or (isinstance(node, c_ast.Switch) and has_inner_labels(node))
        for node in all_statements(body)
    ):
        return body
    body = with_flat_switches(body)
    labels: dict[str, Span] = {}
    for node in all_statements(body):
        if isinstance(node, c_ast.Label):
            if node.name in labels:
                note = Note(labels[node.name], "the first one is here")
                raise error(node.coord, f"label '{node.name}' appears twice in the function", note)
            labels[node.name] = node.coord
    body = with_entries(body)
    labels |= {node.name: node.coord for node in all_statements(body) if isinstance(node, c_ast.Label)}
    return cast("c_ast.Compound", _Structure(labels).compound(body))


# ----------------------------------------------------------------------------------------------- rewriting


@dataclass(eq=False)
class _Frame:
    """A loop or a switch around the current statement.

    `original`: the program wrote it. `exits`: where jumps lead further out through it, and whether by `continue`.
    """

    is_loop: bool
    original: bool
    exits: dict[tuple[_Frame, bool], None] = field(default_factory=dict)


@dataclass
class _Structure:
    """Rewrites one function. `frames`: what is around, outermost first. `known`: where jumps to a label lead."""

    labels: dict[str, Span]
    frames: list[_Frame] = field(default_factory=list)
    known: list[tuple[str, _Frame, bool]] = field(default_factory=list)  # the label; its frame; whether by `continue`
    flags: dict[tuple[_Frame, bool], str] = field(default_factory=dict)
    entries: int = 0

    # -------------------------------------------------------------------------------------- statements

    def compound(self, node: Node) -> Node:
        return _with(node, block_items=self.items(node.block_items or []))

    def one(self, node: Node | None) -> Node | None:
        """Rewrite a statement that is not in a list."""
        return None if node is None else _block(self.items([node]), node.coord)

    def statement(self, node: Node) -> list[Node]:
        match node:
            case c_ast.Goto():
                return self.goto(node)
            case c_ast.Break() | c_ast.Continue():
                again = isinstance(node, c_ast.Continue)
                frame = next((f for f in reversed(self.frames) if f.original and (f.is_loop or not again)), None)
                if frame is None:
                    raise error(node.coord, _OUTSIDE[again])
                return self.jump(frame, again, node.coord)
            case c_ast.Compound():
                return [self.compound(node)]
            case c_ast.If():
                return [_with(node, iftrue=self.one(node.iftrue), iffalse=self.one(node.iffalse))]
            case c_ast.Switch() if isinstance(node.stmt, c_ast.Compound):
                return self.construct(
                    _Frame(False, True), node.coord, lambda: _with(node, stmt=self.sections(node.stmt))
                )
            case c_ast.Case() | c_ast.Default():
                return [_with(node, stmts=self.items(node.stmts or []))]
            case _ if parts_of(node):
                frame = _Frame(not isinstance(node, c_ast.Switch), True)
                if _is_loop(node) or not frame.is_loop:
                    return self.construct(frame, node.coord, lambda: _with_body(node, self.one(*parts_of(node))))
                return [_with_body(node, self.one(*parts_of(node)))]
        return [node]

    def sections(self, node: Node) -> Node:
        """Rewrite the body of a switch, each section by itself."""
        return _with(node, block_items=[new for item in node.block_items or [] for new in self.statement(item)])

    def construct(self, frame: _Frame, span: Span, make: Callable[[], Node]) -> list[Node]:
        """Return a loop or switch, and after it what continues the jumps that lead through it."""
        self.frames.append(frame)
        node = make()
        self.frames.pop()
        if not frame.exits:
            return [node]
        flags: list[Node] = []
        leave: list[Node] = []
        for target, again in frame.exits:
            name = self.flags[target, again]
            if self.is_direct(target, again):
                flags.append(_flag(name, span))
            leave.append(c_ast.If(c_ast.ID(name, span), _block(self.onward(target, again, span), span), None, span))
        return [c_ast.Compound([*flags, node, *leave], span)]

    # ------------------------------------------------------------------------------------------- jumps

    def goto(self, node: Node) -> list[Node]:
        for label, frame, again in reversed(self.known):
            if label == node.name:
                return self.jump(frame, again, node.coord)
        raise error(node.coord, f"there is no label '{node.name}' in the function")

    def is_direct(self, target: _Frame, again: bool) -> bool:
        """Whether a plain `break` or `continue` leads to the end of a frame, or to its next iteration."""
        inner = self.frames[self.frames.index(target) + 1 :]
        return not any(frame.is_loop for frame in inner) if again else not inner

    def jump(self, target: _Frame, again: bool, span: Span) -> list[Node]:
        """Return what leaves a frame, or continues with its next iteration."""
        if self.is_direct(target, again):
            return [c_ast.Continue(span) if again else c_ast.Break(span)]
        name = self.flags.setdefault((target, again), f"__leave_{len(self.flags) + 1}")
        return [_assign(name, span), *self.onward(target, again, span)]

    def onward(self, target: _Frame, again: bool, span: Span) -> list[Node]:
        """Return what leads a jump whose flag is set to the next frame further out."""
        if self.is_direct(target, again):
            return [c_ast.Continue(span) if again else c_ast.Break(span)]
        self.frames[-1].exits[target, again] = None
        return [c_ast.Break(span)]

    # ------------------------------------------------------------------------------------------- lists

    def items(self, nodes: Sequence[Node]) -> list[Node]:
        """Rewrite a list of statements with labels in it."""
        block = listed(nodes)
        if not block.marks:
            return self.plain(nodes)
        entered = self.with_entry(block)
        if entered is not None:
            return self.items(entered)
        ranges = jump_ranges(block)
        return self.nested(block, 0, len(block.statements), ranges)

    def plain(self, nodes: Sequence[Node]) -> list[Node]:
        """Rewrite statements without labels. A pragma stays directly before its loop."""
        done: list[Node] = []
        pragmas: list[Node] = []
        for node in nodes:
            if isinstance(node, c_ast.Pragma):
                pragmas.append(node)
                continue
            made = self.statement(node)
            if pragmas and made and isinstance(made[0], c_ast.Compound) and not isinstance(node, c_ast.Compound):
                inside = made[0].block_items or []
                at = next(i for i, below in enumerate(inside) if not isinstance(below, c_ast.Decl))
                made = [c_ast.Compound([*inside[:at], *pragmas, *inside[at:]], made[0].coord)]
            else:
                done += pragmas
            pragmas = []
            done += made
        return done + pragmas

    def nested(self, block: StatementList, start: int, end: int, ranges: Sequence[Range]) -> list[Node]:
        """Rewrite statements of a list, those in ranges as loops."""
        done: list[Node] = []
        left = sorted(ranges, key=lambda one: (one.start, -one.end, not one.back))
        while left:
            one, *rest = left
            inside = [other for other in rest if one.holds(other)]
            left = [other for other in rest if not one.holds(other)]
            done += self.plain(_without(block, start, one.start))
            done += [block.statements[i] for i in range(one.start, one.end) if self.hoist(block, i)]
            done += self.loop(block, one, inside)
            start = one.end
        return done + self.plain(_without(block, start, end))

    def hoist(self, block: StatementList, i: int) -> bool:
        """Whether a declaration is to be made here, in front of the outermost range around it."""
        if i not in block.hoisted or i in block.made:
            return False
        block.made.add(i)
        return True

    def loop(self, block: StatementList, one: Range, inside: Sequence[Range]) -> list[Node]:
        """Return a range as a loop."""
        span = self.labels[one.label]
        if not one.back and _only_skips(block, one, inside):
            return self.skipping(block, one, inside, one.start)
        frame = _Frame(True, False)
        outside = len(self.known)
        self.known.append((one.label, frame, one.back))
        if one.back:  # what follows the loop is reached by leaving it
            ends = [other for other in inside if not other.back and other.end == one.end]
            self.known += [(other.label, frame, False) for other in ends]
            inside = [other for other in inside if other not in ends]
            made = self.construct(frame, span, lambda: self.backward_loop(block, one, inside, span))
        else:
            made = self.construct(frame, span, lambda: self.single_iteration(block, one, inside, span))
        del self.known[outside:]
        return made

    def skipping(self, block: StatementList, one: Range, inside: Sequence[Range], start: int) -> list[Node]:
        """Return the statements of a range from `start` on, with `if`s for the jumps to its end."""
        at = next((i for i in range(start, one.end) if one.label in jump_targets(block.statements[i])), one.end)
        before = self.nested(block, start, at, [other for other in inside if start <= other.start and other.end <= at])
        if at == one.end or isinstance(block.statements[at], c_ast.Goto):
            return before
        test = block.statements[at]
        rest = c_ast.Compound(self.skipping(block, one, inside, at + 1), test.coord)
        return [*before, c_ast.If(c_ast.UnaryOp("!", test.cond, test.coord), rest, None, test.coord)]

    def single_iteration(self, block: StatementList, one: Range, inside: Sequence[Range], span: Span) -> Node:
        """Return the loop that jumps forward to a label leave."""
        body = self.nested(block, one.start, one.end, inside)
        return c_ast.DoWhile(_zero(span), c_ast.Compound(body, span), span)

    def backward_loop(self, block: StatementList, one: Range, inside: Sequence[Range], span: Span) -> Node:
        """Return the loop that jumps back to a label make."""
        last = block.statements[one.end - 1]
        if _is_test(last, one.label) and not any(other.end == one.end for other in inside):
            only = sum(one.label in jump_targets(node) for node in block.statements[one.start : one.end]) == 1
            declared = {name for s in block.statements[one.start : one.end] for name in declared_names(s)}
            if only and not declared & names_in(last.cond):
                body = self.nested(block, one.start, one.end - 1, inside)
                return c_ast.DoWhile(last.cond, c_ast.Compound(body, span), span)
        body = self.nested(block, one.start, one.end, inside)
        if isinstance(last, c_ast.Goto) and last.name == one.label and isinstance(body[-1], c_ast.Continue):
            body.pop()
        else:
            body.append(c_ast.Break(span))
        return c_ast.For(None, None, None, c_ast.Compound(body, span), span)

    # ------------------------------------------------------------------------------------------ entries

    def with_entry(self, block: StatementList) -> list[Node] | None:
        """Return the list with a flag for a loop that is entered in its middle, None if there is none.

        `goto test; again: ...; test: ...; goto again;` becomes `enter = true; goto again; again: if (enter) { ... }`.
        """
        loops = {
            label: block.users(label)[-1]
            for label, at in block.marks.items()
            if max(block.users(label), default=-1) >= at
        }
        for head, last in loops.items():
            first = block.marks[head]
            for label, at in block.marks.items():
                if first < at <= last and any(i < first for i in block.users(label)):
                    return self.entered(block, head, label, first)
        return None

    def entered(self, block: StatementList, head: str, label: str, first: int) -> list[Node]:
        self.entries += 1
        name, span = f"__enter_{self.entries}", self.labels[head]
        entering = block.jump_to(label, block.users(label)[0])

        def to_head(node: Node) -> list[Node]:
            return [_assign(name, node.coord), MadeGoto(head, node.coord, shown_jump(node))]

        def changed(node: Node) -> Node:
            if isinstance(node, c_ast.Goto) and node.name == label:
                return c_ast.Compound(to_head(node), node.coord)
            return _map(node, changed)

        done: list[Node] = [_flag(name, span)]
        for i in range(len(block.statements) + 1):
            for mark in (mark for mark, at in block.marks.items() if at == i):
                done.append(c_ast.Label(mark, c_ast.EmptyStatement(span), self.labels[mark]))
            if i == first:
                lead = MadeGoto(label, entering.coord, shown_jump(entering))
                enter = [_assign(name, span, "false"), lead]
                done.append(c_ast.If(c_ast.ID(name, span), c_ast.Compound(enter, span), None, span))
            if i < len(block.statements):
                node = block.statements[i]
                if i == first - 1 and isinstance(node, c_ast.Goto) and node.name == label:
                    done += to_head(node)
                else:
                    done.append(changed(node) if i < first else node)
        return done


# --------------------------------------------------------------------------------------------------- nodes


def _is_loop(node: Node) -> bool:
    return isinstance(node, c_ast.While | c_ast.DoWhile) or type(node).__name__.endswith("For")


def _is_test(node: Node, label: str) -> bool:
    """`if (...) goto label;`, whose condition is an expression that may be moved."""
    if not isinstance(node, c_ast.If) or isinstance(node, cxx.If) or node.iffalse is not None:
        return False
    then = node.iftrue
    while isinstance(then, c_ast.Compound) and then.block_items is not None and len(then.block_items) == 1:
        then = then.block_items[0]
    return isinstance(then, c_ast.Goto) and then.name == label


def _only_skips(block: StatementList, one: Range, inside: Sequence[Range]) -> bool:
    """Whether all jumps to the end of a range are in `if`s of their own in the list, or at its end."""
    for i in range(one.start, one.end):
        node = block.statements[i]
        if one.label not in jump_targets(node):
            continue
        if not _is_test(node, one.label) and not (isinstance(node, c_ast.Goto) and i == one.end - 1):
            return False
        if any(other.start <= i < other.end for other in inside):
            return False
    return True


def _without(block: StatementList, start: int, end: int) -> list[Node]:
    """Return statements of a list without the declarations that are made earlier."""
    return [block.statements[i] for i in range(start, end) if i not in block.hoisted]


def _with(node: Node, **fields: Any) -> Node:
    """Return a copy of a node with other parts."""
    new = copy.copy(node)
    for name, value in fields.items():
        setattr(new, name, value)
    return new


def _with_body(node: Node, body: Node) -> Node:
    """Return a copy of a loop, or of another statement that has one, with another one in it."""
    return _with(node, body=body) if isinstance(node, cxx.RangeFor) else _with(node, stmt=body)


def _map(node: Node, change: Callable[[Node], Node]) -> Node:
    """Return a statement with changed statements in it."""
    match node:
        case c_ast.Compound():
            return _with(node, block_items=[change(part) for part in node.block_items or []])
        case c_ast.If():
            other = None if node.iffalse is None else change(node.iffalse)
            return _with(node, iftrue=change(node.iftrue), iffalse=other)
        case c_ast.Case() | c_ast.Default():
            return _with(node, stmts=[change(part) for part in node.stmts or []])
    return _with_body(node, change(*parts_of(node))) if parts_of(node) else node


def _block(nodes: list[Node], span: Span) -> Node:
    return nodes[0] if len(nodes) == 1 and not isinstance(nodes[0], c_ast.Decl) else c_ast.Compound(nodes, span)


def _zero(span: Span) -> Node:
    return c_ast.Constant("bool", "false", span)


def _flag(name: str, span: Span) -> Node:
    """`bool name = false;`"""
    ctype = c_ast.TypeDecl(name, [], None, c_ast.IdentifierType(["bool"], span), span)
    return c_ast.Decl(name, [], [], [], [], ctype, _zero(span), None, span)


def _assign(name: str, span: Span, value: str = "true") -> Node:
    return c_ast.Assignment("=", c_ast.ID(name, span), c_ast.Constant("bool", value, span), span)
