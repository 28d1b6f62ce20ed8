"""The statements of a block that a `goto` repeats or skips: as ranges, each nested in another one or disjoint from it.

    again: a; b; if (c) goto again; d;          `a` to the `if` are repeated
    if (c) goto done; a; b; done: d;            the `if` to `b` are skipped

A range grows until it holds the other ranges that it crosses, and the uses of what it declares. Refused are jumps past
an initialisation, and a second way into what another jump repeats.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import permutations
from typing import Any

from pycparser import c_ast

from ...diag import CompileError, Diagnostic, Note, error
from ...source import Span
from . import cxx
from .flat_switches import shown_jump

Node = Any  # of pycparser, which has no types

_WORDS = frozenset("bool char short int long float double signed unsigned _Bool".split())  # for types that C has


def parts_of(node: Node) -> list[Node]:
    """Return the statements directly in a statement."""
    match node:
        case c_ast.Compound():
            return node.block_items or []
        case c_ast.If():
            return [part for part in (node.iftrue, node.iffalse) if part is not None]
        case c_ast.Case() | c_ast.Default():
            return node.stmts or []
        case cxx.RangeFor():
            return [node.body]
    stmt = getattr(node, "stmt", None)
    return [stmt] if isinstance(stmt, c_ast.Node) else []


def listed_parts(node: Node) -> list[tuple[str, list[Node]]]:
    """Return the lists of statements directly in a statement, each with the name of the field that holds it."""
    match node:
        case c_ast.Compound():
            names = ["block_items"]
        case c_ast.If():
            names = ["iftrue", "iffalse"]
        case c_ast.Case() | c_ast.Default():
            names = ["stmts"]
        case cxx.RangeFor():
            names = ["body"]
        case _:
            names = ["stmt"]
    found = []
    for name in names:
        inside = getattr(node, name, None)
        if isinstance(inside, c_ast.Compound):
            found.append((name, inside.block_items or []))
        elif isinstance(inside, list | c_ast.Node):
            found.append((name, inside if isinstance(inside, list) else [inside]))
    return found


def all_statements(node: Node) -> Iterator[Node]:
    """Yield a statement and all statements in it."""
    left = [node]
    while left:
        node = left.pop()
        yield node
        left += reversed(parts_of(node))


def jump_targets(node: Node) -> set[str]:
    """Return the labels to which a statement jumps."""
    return {below.name for below in all_statements(node) if isinstance(below, c_ast.Goto)}


def names_in(node: Node) -> set[str]:
    """Return the names that occur in a part of the tree."""
    found: set[str] = set()
    left = [node]
    while left:
        node = left.pop()
        if isinstance(node, c_ast.ID):
            found.add(node.name)
        left += [child for _, child in node.children()]
    return found


def declared_names(node: Node) -> list[str]:
    """Return the names of the variables that a statement of a block declares."""
    match node:
        case c_ast.Decl():
            return [] if node.name is None else [node.name]
        case cxx.StructuredBinding():
            return [name for name, _ in node.names]
    return []


def _is_type(node: Node) -> bool:
    """Whether a statement of a block declares a type, or another name that is no variable."""
    return isinstance(node, c_ast.Typedef | cxx.UsingDeclaration | cxx.NamespaceAlias) or (
        isinstance(node, c_ast.Decl) and node.name is None
    )


def is_scalar(node: c_ast.Decl) -> bool:
    """Whether to make a variable without an initialiser is surely to do nothing: its type has only words of C."""
    inner = node.type
    while isinstance(inner, c_ast.ArrayDecl):
        inner = inner.type
    if isinstance(inner, c_ast.PtrDecl):
        return True
    named = inner.type if isinstance(inner, c_ast.TypeDecl) else None
    return isinstance(named, c_ast.IdentifierType) and _WORDS.issuperset(named.names)


# ------------------------------------------------------------------------------------------------ ranges


@dataclass(eq=False)
class Range:
    """Statements `start` to `end` - 1 of a list: those that jumps to `label` repeat (`back`), or that they skip."""

    label: str
    back: bool
    start: int
    end: int

    def holds(self, other: Range) -> bool:
        return self.start <= other.start and other.end <= self.end


@dataclass
class StatementList:
    """The statements of a block, without labels.

    `marks`: at which of them labels are. `hoisted`: declarations that must be made in front of a loop around them.
    """

    statements: list[Node]
    marks: dict[str, int]
    hoisted: set[int] = field(default_factory=set)
    made: set[int] = field(default_factory=set)  # those that are declared by now

    def users(self, label: str) -> list[int]:
        return self._users.get(label, [])

    @cached_property
    def _users(self) -> dict[str, list[int]]:
        users: dict[str, list[int]] = {}
        for i, node in enumerate(self.statements):
            for label in jump_targets(node):
                users.setdefault(label, []).append(i)
        return users

    def jump_to(self, label: str, at: int) -> c_ast.Goto:
        """Return the first jump to a label in a statement."""
        jumps = (node for node in all_statements(self.statements[at]) if isinstance(node, c_ast.Goto))
        return next(node for node in jumps if node.name == label)

    def used_last(self, name: str, first: int) -> int:
        """Return the last statement, from `first` on, in which a name occurs; -1 if there is none."""
        return max((i for i in range(first, len(self.statements)) if name in names_in(self.statements[i])), default=-1)


def listed(nodes: Sequence[Node]) -> StatementList:
    """Return the statements of a block, and apart from them where its labels are."""
    statements: list[Node] = []
    marks: dict[str, int] = {}
    for node in nodes:
        while isinstance(node, c_ast.Label):
            marks[node.name] = len(statements)
            node = node.stmt
        if node is not None and not isinstance(node, c_ast.EmptyStatement):
            statements.append(node)
    return StatementList(statements, marks)


def jump_ranges(block: StatementList) -> list[Range]:
    """Return the ranges that jumps need, each nested in another one or disjoint from it."""
    found: list[Range] = []
    for label, at in block.marks.items():
        users = block.users(label)
        before, from_label = [i for i in users if i < at], [i for i in users if i >= at]
        if before:
            _require_no_initialisation(block, label, before[0], at)
            found.append(Range(label, False, before[0], at))
        if from_label:
            found.append(Range(label, True, at, from_label[-1] + 1))
    grew = True
    while grew:
        grew = sum(_widened(block, one, found) for one in found) > 0
    for one, other in permutations(found, 2):
        if one.start < other.start < one.end < other.end:
            jump = block.jump_to(one.label, block.users(one.label)[0])
            raise error(
                jump.coord,
                f"{shown_jump(jump)} is a second way into what the jumps to '{other.label}' repeat",
                help="declare variables before the first label of the block, and leave loops only to what follows them",
            )
    return found


def _require_no_initialisation(block: StatementList, label: str, first: int, at: int) -> None:
    """Refuse a jump past an initialisation; mark what only the checker knows to have none."""
    for i in range(first, at):
        node = block.statements[i]
        if not isinstance(node, c_ast.Decl | cxx.StructuredBinding):
            continue
        jump = block.jump_to(label, first)
        if node.init is not None:
            names = " and ".join(declared_names(node))
            raise CompileError([jumps_over(shown_jump(jump), jump.coord, names, node.coord)])
        if isinstance(node, c_ast.Decl) and not isinstance(node, cxx.PassedOver) and not is_scalar(node):
            block.statements[i] = cxx.PassedOver(node, shown_jump(jump), jump.coord)


def jumps_over(shown: str, jump: Span, name: str, declared: Span) -> Diagnostic:
    """Return the message for a jump past the initialisation of a variable; `shown` is what it calls the jump."""
    return Diagnostic(
        jump,
        f"{shown} jumps over the initialisation of '{name}'",
        (Note(declared, f"'{name}' is declared here"),),
        help="declare it before the jump, or put the statements between into braces",
    )


def _widened(block: StatementList, one: Range, found: Sequence[Range]) -> bool:
    """Make a range hold what it must hold whole; return whether it grew."""
    start, end = one.start, one.end
    for other in found:
        if one.start < other.start < one.end < other.end and one.back and other.back:
            one.end = other.end
        elif other.start < one.start < other.end < one.end and not one.back:
            one.start = other.start
    for i in range(one.start, one.end):
        node = block.statements[i]
        if one.back and _is_type(node):  # the uses of a type are hard to find
            one.end = len(block.statements)
        names = declared_names(node)
        if not names or i in block.hoisted:
            continue
        last = max(block.used_last(name, one.end) for name in names)
        if last < 0:
            continue
        is_made = not isinstance(node, c_ast.Decl) or node.init is not None
        if is_made or _named(block, names[0], one.start, i) or (one.back and not is_scalar(node)):
            if one.back:
                one.end = last + 1
                continue
            raise error(
                node.coord,
                f"the declaration of '{' and '.join(names)}' is between a 'goto' and its label",
                Note(block.jump_to(one.label, block.users(one.label)[0]).coord, "the jump is here"),
                help="declare it before the first jump of the block",
            )
        block.hoisted.add(i)
    return (start, end) != (one.start, one.end)


def _named(block: StatementList, name: str, start: int, end: int) -> bool:
    return any(name in names_in(node) for node in block.statements[start:end])
