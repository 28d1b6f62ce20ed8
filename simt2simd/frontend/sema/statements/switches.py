"""Checking `switch`: its sections and their labels."""

from __future__ import annotations

from dataclasses import dataclass, field

from pycparser import c_ast

from ....diag import Diagnostic, Note
from ....lang.ctype import is_integer
from ....source import Span
from ....tree.nodes import Block, Constant, Declare, Expr, Section, Stmt, Switch
from ...parse.words import Node
from ..context import Part
from ..scopes import Reported, Scope, VariableName
from ..types.records import name_span


@dataclass
class _OpenSection:
    """A section of a `switch` while its statements are gathered."""

    span: Span
    labels: list[int | None]
    statements: list[Stmt] = field(default_factory=list)


class Switches(Part):
    """The checker's part for `switch`."""

    def switch(self, node: c_ast.Switch) -> list[Stmt]:
        init = getattr(node, "init", None)
        if init is None and not isinstance(node.cond, c_ast.Decl | c_ast.DeclList):
            return self.plain_switch(node, node.cond)
        with self.s.scopes.inside(Scope()):
            before = (
                self.s.statements.with_hidden(lambda: self.s.statements.statement(init)) if init is not None else []
            )
            cond = node.cond
            if isinstance(cond, c_ast.Decl | c_ast.DeclList):
                decl = cond.decls[0] if isinstance(cond, c_ast.DeclList) else cond
                before += self.s.statements.with_hidden(lambda: self.s.statements.declarations.declaration(decl))
                cond = c_ast.ID(decl.name or "", name_span(decl))
            found = self.plain_switch(node, cond)
            ends = self.s.statements.destroyed(self.s.scopes.stack[-1:], node.coord)
        return [Block(node.coord, (*before, *found, *ends))]

    def switch_operand(self, node: Node) -> Expr:
        value = self.s.classes.conversions.to_number(self.s.expr.value(node))
        if not is_integer(value.type):
            self.fail(node.coord, f"the operand of 'switch' must be an integer, not '{value.type}'")
        return self.s.expr.conversions.promoted(value)

    def plain_switch(self, node: c_ast.Switch, operand: Node) -> list[Stmt]:
        faults = len(self.s.diagnostics.faults)
        testing, value = self.s.statements.tested(lambda: self.switch_operand(operand))
        items = (node.stmt.block_items or []) if isinstance(node.stmt, c_ast.Compound) else [node.stmt]
        scopes = self.s.scopes
        with scopes.inside(Scope()), self.s.current.body.switch(len(scopes.stack)):
            before, sections = self.sections(items, value if len(self.s.diagnostics.faults) == faults else None)
        statement = Switch(node.coord, value, sections)
        return [*testing, Block(node.coord, (*before, statement)) if before else statement]

    def sections(self, items: list[Node], value: Expr | None) -> tuple[list[Stmt], tuple[Section, ...]]:
        """Return the declarations before the first label, and the sections."""
        before: list[Stmt] = []
        gathered: list[_OpenSection] = []
        seen: dict[int | None, Span] = {}
        initialised: VariableName | None = None
        for item in items:
            if not isinstance(item, c_ast.Case | c_ast.Default):
                # Unreachable, but what it declares is visible in the sections.
                before += [stmt for stmt in self.s.statements.statements([item]) if isinstance(stmt, Declare)]
                continue
            if initialised is not None:
                note = Note(initialised.span, f"'{initialised.variable.name}' is declared here")
                message = f"this label jumps over the initialisation of '{initialised.variable.name}'"
                self.s.diagnostics.faults.append(
                    _diagnostic(item.coord, message, note, "put the statements of the section before into braces")
                )
            label = self.label(item, value, seen)
            statements = self.s.statements.statements(item.stmts or [])
            if gathered and not gathered[-1].statements:
                gathered[-1].labels += label
            else:
                gathered.append(_OpenSection(item.coord, label))
            gathered[-1].statements += statements
            initialised = next(
                (
                    VariableName(s.span, s.variable)
                    for s in statements
                    if isinstance(s, Declare) and s.initial is not None
                ),
                None,
            )
        sections = tuple(Section(s.span, tuple(s.labels), Block(s.span, tuple(s.statements))) for s in gathered)
        return before, sections

    def label(
        self, item: c_ast.Case | c_ast.Default, value: Expr | None, seen: dict[int | None, Span]
    ) -> list[int | None]:
        """Check a label; return it as a list, empty if it is faulty."""
        key: int | None = None
        if isinstance(item, c_ast.Case):
            try:
                label = self.s.constexpr.constant(item.expr)
                if not isinstance(label, Constant) or not is_integer(label.type):
                    self.s.constexpr.refuse_constant(item.expr.coord, "the label of a case must be an integer constant")
            except Reported:
                return []
            if value is not None:
                converted = self.s.expr.conversions.convert(label, value.type)
                assert isinstance(converted, Constant)
                key = int(converted.value)
            else:
                key = int(label.value)
        if key in seen:
            text = "'default'" if key is None else f"'case {key}'"
            note = Note(seen[key], "the first one is here")
            span = item.expr.coord if isinstance(item, c_ast.Case) else item.coord
            self.s.diagnostics.faults.append(_diagnostic(span, f"{text} appears twice in the switch", note))
            return []
        seen[key] = item.coord
        return [key]


def _diagnostic(span: Span, message: str, note: Note, help: str | None = None) -> Diagnostic:
    return Diagnostic(span, message, (note,), help)
