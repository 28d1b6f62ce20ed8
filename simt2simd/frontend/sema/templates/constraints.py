"""Checking constraints: concepts, `requires`, and which of two templates asks for more ([temp.constr])."""

from __future__ import annotations

from pycparser import c_ast

from ....diag import Note
from ....lang.ctype import BOOL
from ....source import Span
from ....tree.nodes import Constant, Expr
from ...parse import cxx
from ...parse.constraints import all_of, auto_in
from ...parse.words import Node
from ..ast_fingerprint import ast_fingerprint
from ..context import Part
from ..qualified import Qualified
from ..scopes import Bindings, FunctionName, Name, Reported, Scope, TemplateName, ValueName
from .packs import names_in
from .patterns import bare_name, pack_names

# Conditions that consist of nothing else: one that is written somewhere, with what its names denote there.
_Clause = frozenset[tuple[int, object]]


class Constraints(Part):
    """The checker's part for constraints."""

    def satisfied(self, condition: Node | None) -> bool:
        """Whether a condition holds. A part of it that has no meaning does not, and is not reported (SFINAE)."""
        match condition:
            case None:
                return True
            case c_ast.BinaryOp(op="&&"):
                return self.satisfied(condition.left) and self.satisfied(condition.right)
            case c_ast.BinaryOp(op="||"):
                return self.satisfied(condition.left) or self.satisfied(condition.right)
        holds = False
        with self.s.templates.deduction.attempt() as tried:
            holds = self.s.constexpr.constant_condition(condition, "a constraint")
        return holds and not tried.failed

    def concept_value(self, concept: TemplateName, bindings: Bindings) -> Name:
        """Return what a concept with template arguments is: true or false."""
        declaration = concept.node.declaration
        assert isinstance(declaration, cxx.Concept)
        with (
            self.s.scopes.instead((*concept.scopes, self.s.templates.binding_scope(concept, bindings))),
            self.s.templates.own_specifiers(),
        ):
            return ValueName(concept.span, Constant(concept.span, BOOL, self.satisfied(declaration.expr)))

    def requires_expression(self, node: cxx.Requires) -> Expr:
        """Whether all that a `requires {...}` asks for has a meaning."""
        with self.s.templates.deduction.attempt() as tried:
            params = self.s.statements.functions.parameters(node.params, node.coord)
            packs = pack_names(node.params)
            with self.s.scopes.inside(Scope(self.s.statements.functions.named_parameters(params, packs, node.coord))):
                for want in node.wants:
                    self._require(want)
        return Constant(node.coord, BOOL, not tried.failed)

    def _require(self, want: Node) -> None:
        if isinstance(want, cxx.Nested):
            if not self.satisfied(want.condition):
                raise Reported
        elif isinstance(want, c_ast.Typename):
            self.s.types.qualified(want)
        else:
            self.s.templates.traits.expression_type(want)

    def allowed(self, function: FunctionName) -> bool:
        """Whether what a function that is no template asks for, in a class template's instance, holds."""
        if function.requires is None:
            return True
        with self.s.scopes.instead(function.scopes):
            return self.satisfied_by(function)

    def satisfied_by(self, function: FunctionName) -> bool:
        """Whether the condition after a function's parameters holds, which may name these."""
        if function.requires is None:
            return True
        named = self.s.statements.functions.named_parameters(function.params, function.packs, function.span)
        with self.s.scopes.inside(Scope(named)):
            return self.satisfied(function.requires)

    def require_constraint(self, node: Node, found: Qualified, span: Span) -> None:
        """Fail unless `found` is what `C auto x` asks for."""
        auto = auto_in(node)
        constraint = auto.constraint if isinstance(auto, cxx.Auto) else None
        if constraint is None:
            return
        template = self.s.expr.names.find(cxx.Name(_plain_parts(constraint), constraint.rooted, constraint.coord))
        if not isinstance(template, TemplateName) or template.kind != "concept":
            self.fail(constraint.coord, f"'{constraint.parts[-1].name}' is no concept")
        rest = self.s.templates.template_arguments(constraint.parts[-1].args or ())
        entry = self.s.templates.with_arguments(template, (found, *rest), span)
        if not (isinstance(entry, ValueName) and entry.value.value):
            note = Note(template.span, f"'{template.name}' is declared here")
            self.fail(span, f"'{found}' does not satisfy '{template.shown}'", note)

    # ------------------------------------------------------------------------------------------------ subsumption

    def more_constrained(self, one: FunctionName | TemplateName, other: FunctionName | TemplateName) -> bool:
        """Whether `one` asks for all that `other` asks for, and for more."""
        if conditions_of(one) is None:
            return False
        return self._subsumes(one, other) and not self._subsumes(other, one)

    def _subsumes(self, one: FunctionName | TemplateName, other: FunctionName | TemplateName) -> bool:
        wanted = self._clauses_of(other, "&&")
        return all(given & clause for given in self._clauses_of(one, "||") for clause in wanted)

    def _clauses_of(self, entry: FunctionName | TemplateName, joined: str) -> list[_Clause]:
        """Return the alternatives of which one must hold, joined by `||`, or the clauses that all must, by `&&`."""
        condition = conditions_of(entry)
        if condition is None:
            return [frozenset()] if joined == "||" else []
        params = entry.node.params if isinstance(entry, TemplateName) else ()
        with self.s.scopes.instead(entry.scopes):
            return self._clauses(condition, {param.name: number for number, param in enumerate(params)}, joined)

    def _clauses(self, node: Node, names: dict[str, object], joined: str) -> list[_Clause]:
        if isinstance(node, c_ast.BinaryOp) and node.op in ("&&", "||"):
            left, right = self._clauses(node.left, names, joined), self._clauses(node.right, names, joined)
            return left + right if node.op == joined else [a | b for a in left for b in right]
        concept = self._concept_named(node)
        if concept is not None:
            assert isinstance(node, cxx.Name) and isinstance(concept.node.declaration, cxx.Concept)
            args = [_shape_of_argument(arg, names) for arg in node.parts[-1].args or ()]
            own = dict(zip((param.name for param in concept.node.params), args, strict=False))
            with self.s.scopes.instead(concept.scopes):
                return self._clauses(concept.node.declaration.expr, own, joined)
        used = tuple((name, names[name]) for name in sorted(set(names_in(node))) if name in names)
        return [frozenset([(id(node), used)])]

    def _concept_named(self, node: Node) -> TemplateName | None:
        if not isinstance(node, cxx.Name) or node.parts[-1].args is None:
            return None
        entry = self.s.expr.names.find(cxx.Name(_plain_parts(node), node.rooted, node.coord))
        return entry if isinstance(entry, TemplateName) and entry.kind == "concept" else None


def conditions_of(entry: FunctionName | TemplateName) -> Node | None:
    """Return what a function or a template asks for."""
    if isinstance(entry, FunctionName):
        return entry.requires
    inner = entry.node.declaration
    decl = inner.decl if isinstance(inner, cxx.Definition) else inner
    return all_of([entry.node.requires, getattr(getattr(decl, "type", None), "requires", None)])


def _shape_of_argument(arg: Node, names: dict[str, object]) -> object:
    """Return what a template argument is, in terms of what `names` denote."""
    bare = bare_name(arg)
    name = next(names_in(bare), "") if isinstance(bare, c_ast.ID | c_ast.IdentifierType) else ""
    return names[name] if name in names else ast_fingerprint(bare, names)


def _plain_parts(node: cxx.Name) -> tuple[cxx.NamePart, ...]:
    """Return the parts of a name without the template arguments at its end."""
    last = node.parts[-1]
    return (*node.parts[:-1], cxx.NamePart(last.name, None, last.span))
