"""Explicit specialisations with faults in their arguments: an instance that one of them may be is refused."""

from __future__ import annotations

from pycparser import c_ast

from ....diag import Diagnostic, Note
from ....source import Span
from ...parse import cxx
from ...parse.words import Node
from ..context import Part
from ..scopes import DroppedSpecialisation, NamespaceName, TemplateArgument, TemplateName, flat
from .arguments import same_arguments, spell_argument


class DroppedSpecialisations(Part):
    """The checker's part for specialisations that are left to the host alone."""

    def remember(self, node: cxx.Template, cause: Diagnostic) -> None:
        """Remember an explicit specialisation of a class or a variable, which has faults.

        One whose argument is a class of the host alone is no instance that device code names.
        """
        inner = node.declaration
        record = inner.type if isinstance(inner, c_ast.Decl) and inner.name is None else inner
        given = record.args if isinstance(record, cxx.Class | cxx.UnionClass) else node.specialised
        name = getattr(record, "name", None)
        if node.params or given is None or not name:
            return
        with self.s.templates.deduction.attempt() as tried:
            primary = self.s.templates.declarations.specialised(record, name)
        if tried.failed:
            return
        args: list[TemplateArgument | None] = []
        kinds = [param.kind for param in primary.node.params]
        for at, one in enumerate(given):
            with self.s.templates.deduction.attempt() as tried:
                args += flat(self.s.templates.template_arguments((one,)))
            if tried.failed:
                if kinds[min(at, len(kinds) - 1)] != "value" and self._names_class(one):
                    return
                args.append(None)
        primary.dropped.append(DroppedSpecialisation(record.coord, tuple(args), cause))

    def _names_class(self, node: Node) -> bool:
        """Whether a type with faults names a class, or what is made of one: its last name is that of a namespace."""
        while isinstance(node, c_ast.Typename | c_ast.TypeDecl | c_ast.PtrDecl | c_ast.ArrayDecl):
            node = node.type
        if not isinstance(node, cxx.Name):
            return isinstance(node, c_ast.ID | c_ast.IdentifierType)
        outer = node.parts[:-1]
        with self.s.templates.deduction.attempt():
            return not outer or isinstance(
                self.s.expr.names.find(cxx.Name(outer, node.rooted, node.coord)), NamespaceName
            )
        return False

    def refuse(self, template: TemplateName, args: tuple[TemplateArgument, ...], span: Span) -> None:
        """Fail if an instance with these arguments may be a specialisation that was dropped."""
        for dropped in template.dropped:
            pairs = list(zip(dropped.args, flat(args), strict=False))
            if all(own is None or same_arguments((own,), (other,)) for own, other in pairs):
                shown = f"{template.shown}<{', '.join(map(spell_argument, args))}>"
                notes = (
                    Note(dropped.span, "this specialisation may be the one that is meant"),
                    Note(dropped.cause.span, dropped.cause.message, is_cause=True),
                )
                self.fail(span, f"'{shown}' cannot be used in device code", *notes, help=dropped.cause.help)
