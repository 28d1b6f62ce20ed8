"""Checking function templates: their instances, class template argument deduction, and `auto`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import NoReturn

from pycparser import c_ast

from ....diag import Note
from ....lang.ctype import CType, FunctionType, Pointer, Struct
from ....source import Span
from ...parse import cxx
from ...parse.words import Node
from ..argument import Argument
from ..context import Part
from ..qualified import Qualified, function_type, signature_of
from ..restore import restoring
from ..scopes import (
    Bindings,
    FunctionName,
    Functions,
    Parameter,
    Reported,
    TemplateArgument,
    TemplateName,
    TypeName,
    flat,
)
from ..types.member_types import members_of
from ..types.records import name_span
from .arguments import argument_key, by_param, spell_argument
from .instantiate import DEEPEST


class FunctionTemplates(Part):
    """The checker's part for function templates."""

    def deduced(
        self, template: TemplateName, args: Sequence[Argument], given: tuple[TemplateArgument, ...] | None
    ) -> FunctionName | None:
        """Return the instance of a function template that a call with `args` means; None if there is none.

        What its declaration asks for is no part of a conversion that is being looked for.
        """
        own = self.s.at(replace(self.s.here, standard_only=False))
        with own, self.s.templates.deduction.attempt() as tried:
            bindings = self.s.templates.deduction.deduce_call(template, args, given or ())
            if bindings is None:
                return None
            found = self.function_instance(template, bindings)
        return found if not tried.failed else None

    def why_not_deduced(
        self, template: TemplateName, args: Sequence[Argument], given: tuple[TemplateArgument, ...]
    ) -> str:
        """Return why a call with `args` does not mean an instance of a function template, if that is known."""
        function: FunctionName | None = None
        all_made = restoring(self.s.templates.conditions, used=False)
        with all_made, self.s.templates.deduction.attempt() as tried:
            faults = self.s.diagnostics.faults
            bindings = self.s.templates.deduction.deduce_call(template, args, given)
            function = self.function_instance(template, bindings) if bindings is not None else None
        if tried.failed:
            return faults[0].message if faults else "its conditions do not hold"
        if function is None:
            return self.s.templates.deduction.undeduced(template, args)
        return self.s.calls.overloads.why_not(function, args, None, None)

    def function_instance(self, template: TemplateName, bindings: Bindings) -> FunctionName:
        """Return the instance of a function template with these arguments; fail if its declaration has no meaning."""
        args = tuple(bindings[param.name_key] for param in template.node.params)
        key = argument_key(args)
        known = template.instances.get(key)
        if isinstance(known, Functions):
            only = known.candidates[0]
            assert isinstance(only, FunctionName)
            return only
        self.s.templates.member_templates.find(template)
        bindings = by_param(template, args)  # the definition may call its parameters something else
        node = template.node
        inner = node.declaration
        decl = inner.decl if isinstance(inner, cxx.Definition) else inner
        assert isinstance(decl, c_ast.Decl)
        scope = self.s.templates.binding_scope(template, bindings)
        with self.s.scopes.instead((*template.scopes, scope)), self.s.templates.own_specifiers():
            if not self.s.templates.constraints.satisfied(node.requires):
                raise Reported
            function = self.s.statements.functions.function_entry(decl, template.name, owner=template.owner)
            if not self.s.templates.constraints.satisfied_by(function):
                raise Reported
        named = [arg for arg in args if arg != ()]
        function.shown = f"{template.shown}<{', '.join(map(spell_argument, named))}>" if named else template.shown
        function.scopes = (*template.scopes, scope)
        function.pattern = template
        function.key = self.s.linkage.function_key(function, args)
        function.depth = self.s.current.bodies[-1].function.depth + 1 if self.s.current.bodies else 0
        if function.depth > DEEPEST:
            self.s.templates.refuse_depth(function.shown, function.span)
        if isinstance(inner, cxx.Definition):
            function.node, function.defined = inner, function.span
        else:
            template.undefined.append((function, args))
        template.instances[key] = Functions(function.span, template.name, [function])
        return function

    def define_instances(self, template: TemplateName, definition: cxx.Definition) -> None:
        """Give the instances of what was a declaration until now the body of its definition.

        In `template <int N> int f(int); int g() { return f<2>(1); } template <int M> int f(int x) {...}`, `f<2>` has
        the names of the parameters from the last of these.
        """
        for function, args in template.undefined:
            if function.node is not None:
                continue  # a specialisation
            scope = self.s.templates.binding_scope(template, by_param(template, args))
            with self.s.scopes.instead((*template.scopes, scope)), self.s.templates.own_specifiers():
                defined = self.s.statements.functions.function_entry(
                    definition.decl, template.name, owner=template.owner
                )
            function.params, function.packs = defined.params, defined.packs
            function.scopes = (*template.scopes, scope)
            function.node, function.defined = definition, defined.span
            if function in self.s.functions.called:
                self.s.functions.pending.append(function)
        template.undefined.clear()

    def conversion_instance(self, template: TemplateName, target: CType) -> FunctionName | None:
        """Return the instance of a template of conversion operators that gives a `target`; None if there is none."""
        inner = template.node.declaration
        decl = inner.decl if isinstance(inner, cxx.Definition) else inner
        assert isinstance(decl, c_ast.Decl) and isinstance(decl.type, c_ast.FuncDecl)
        bindings: Bindings = {}
        with self.s.templates.deduction.attempt() as tried:
            if not self.s.templates.matching.match(template, decl.type.type, Qualified(target), bindings):
                return None
            whole = self.s.templates.deduction.with_defaults(template, bindings)
            if whole is None:
                return None
            found = self.function_instance(template, whole)
        return None if tried.failed else found

    def matching_instance(self, functions: Functions, target: CType) -> FunctionName | None:
        """Return the instance of one of `functions` to which a pointer of type `target` may point."""
        members = members_of(target)
        if members is not None and members.called is not None:
            target = function_type(*members.called)
        if isinstance(target, Pointer):
            target = target.target
        if not isinstance(target, FunctionType):
            return None
        result, given = signature_of(target)
        params = tuple(
            Parameter("", functions.span, one.type, one.const, reference=one.reference, volatile=one.volatile)
            for one in given
        )
        wanted = FunctionName(functions.span, functions.name, "device", params, result)
        for candidate in functions.candidates:
            if isinstance(candidate, TemplateName):
                args = self.s.templates.specialisations.arguments_of_signature(candidate, wanted, functions.given or ())
                if args is not None:
                    found = self.function_instance(candidate, by_param(candidate, args))
                    is_alike = members is None or (found.is_method and found.method_qualifiers == members.qualifiers)
                    if is_alike and self.s.calls.functions.result_of(found, functions.span).stored == target.result:
                        return found
        return None

    def only_instance(self, functions: Functions, span: Span) -> FunctionName | None:
        """Return the function that a name with all its template arguments denotes."""
        for candidate in functions.candidates:
            if not isinstance(candidate, TemplateName) or functions.given is None:
                continue
            with self.s.templates.deduction.attempt() as tried:
                args = self.s.templates.completed(candidate, functions.given, span)
                found = self.function_instance(candidate, by_param(candidate, args))
            if not tried.failed:
                return found
        return None

    def bare_class_template(self, node: Node) -> TemplateName | None:
        """Return the class template that a type names without arguments, if it is one."""
        entry = self.s.templates.named_entry(node) if isinstance(node, c_ast.IdentifierType | cxx.Name) else None
        if isinstance(node, cxx.Name) and node.parts[-1].args is not None:
            return None
        return entry if isinstance(entry, TemplateName) and entry.kind == "class" else None

    def made_type(self, node: c_ast.Typename, arguments: list[Node], span: Span) -> Qualified:
        """Return the type of `T(a, b)` and `T{a, b}`: of a class template's bare name, the deduced one."""
        bare = node.type
        template = None
        if isinstance(bare, c_ast.TypeDecl) and not bare.quals:
            template = self.bare_class_template(bare.type)
        if template is None:
            return self.s.types.qualified(node)
        return Qualified(self.guided(template, arguments, span))

    def guided(self, entry: TemplateName, arguments: list[Node], span: Span) -> Struct:
        """Return the instance of a class template that is deduced from a constructor's arguments."""
        with self.s.expr.operators.unevaluated():  # what initialises the object is checked again, for its class
            args = self.s.calls.arguments.arguments(arguments)
        if len(args) == 1 and args[0].term is not None and isinstance(args[0].term.type, Struct):
            info = self.s.structs.classes.get(args[0].term.type)
            if info is not None and info.pattern is entry:
                return info.struct
        record = entry.node.declaration
        if isinstance(record, c_ast.Decl):
            record = record.type
        guides = [*entry.guides, *self._constructors(entry, record)]
        found = self.s.calls.overloads.best(self.s.calls.overloads.viable(guides, args, None))
        written = [one for one in found if one.pattern in entry.guides]
        for chosen in written or found:
            result = getattr(chosen.function, "result", None)
            if isinstance(result, Qualified) and isinstance(result.type, Struct):
                return result.type
        found_struct = self._guided_by_members(entry, record, args, span)
        if found_struct is not None:
            return found_struct
        if args:
            self._refuse_guides(entry, guides, args, span)
        return_type = self.s.templates.bare_template(entry, span).type
        assert isinstance(return_type, Struct)
        return return_type

    def _refuse_guides(
        self, entry: TemplateName, guides: list[TemplateName], args: list[Argument], span: Span
    ) -> NoReturn:
        notes = [Note(entry.span, f"'{entry.shown}' is declared here")]
        for guide in guides:
            reason = self.s.calls.overloads.why_not(guide, args, None, None)
            notes.append(
                Note(guide.span, f"candidate: '{self.s.calls.overloads.signature(guide)}'{reason and f': {reason}'}")
            )
        types = ", ".join(map(self.s.calls.overloads.spell, args))
        message = f"class template argument deduction failed: ({types}) does not fix the arguments of '{entry.shown}'"
        self.fail(span, message, *notes[:1] if len(notes) < 2 else notes[1:], help=f"write '{entry.name}<...>'")

    def _constructors(self, entry: TemplateName, record: object) -> list[TemplateName]:
        """Return a class template's constructors as functions that return an instance of it."""
        span = entry.span
        args = tuple(map(_named_argument, entry.node.params))
        result = c_ast.TypeDecl(None, [], None, cxx.Name((cxx.NamePart(entry.name, args, span),), False, span), span)
        found: list[TemplateName] = []
        for member in getattr(record, "decls", None) or ():
            decl = member.decl if isinstance(member, cxx.Definition) else member
            if not isinstance(decl, c_ast.Decl) or decl.name != entry.name or not isinstance(decl.type, c_ast.FuncDecl):
                continue
            signature = cxx.Signature(decl.type.args, result, span)
            function = c_ast.Decl(entry.name, [], [], [], [], signature, None, None, span)
            guide = cxx.Template(entry.node.params, function, span)
            found.append(TemplateName(name_span(decl), entry.name, "function", guide, entry.scopes, shown=entry.shown))
        return found

    def _guided_by_members(
        self, entry: TemplateName, record: object, args: list[Argument], span: Span
    ) -> Struct | None:
        """Deduce from an aggregate's members, in their order."""
        decls = [d for d in getattr(record, "decls", None) or () if isinstance(d, c_ast.Decl) and d.name]
        nodes = [d for d in decls if not isinstance(d.type, c_ast.FuncDecl) and "static" not in d.storage]
        if not args or len(args) > len(nodes):
            return None
        signature = cxx.Signature(c_ast.ParamList(nodes[: len(args)], span), None, span)
        decl = c_ast.Decl(entry.name, [], [], [], [], signature, None, None, span)
        template = TemplateName(
            entry.span, entry.name, "function", cxx.Template(entry.node.params, decl, span), entry.scopes
        )
        with self.s.templates.deduction.attempt() as tried:
            bindings = self.s.templates.deduction.deduce_call(template, args, ())
            if bindings is None:
                return None
            found = self.s.templates.instance(entry, flat(tuple(bindings[p.name_key] for p in entry.node.params)), span)
        if tried.failed or not isinstance(found, TypeName) or not isinstance(found.type.type, Struct):
            return None
        return found.type.type

    def deduced_type(self, node: Node, arg: Argument, span: Span) -> Qualified:
        """Return the type of a variable or a result that is declared with `auto`, which `arg` initialises."""
        return self.with_inferred(node, self.inferred_type(node, arg, span))

    def inferred_type(self, node: Node, arg: Argument, span: Span) -> Qualified:
        """Return what `auto` denotes in the type `node` of something that `arg` initialises."""
        if arg.functions is not None:
            function = self.s.expr.names.only_function(arg.functions, span)
            arg = Argument(arg.node, self.s.calls.indirect.function_address(function, span))
        if arg.term is None:
            self.fail(span, "'auto' needs a value, not a braced list")
        if _is_decltype_auto(node):
            return self.s.templates.traits.inferred(arg)
        nothing = TemplateName(span, "auto", "function", cxx.Template((), node, span), ())
        bindings: Bindings = {}
        self.s.templates.deduction.deduce_argument(nothing, node, arg, bindings, set())
        found = bindings.get("auto")
        if not isinstance(found, Qualified):
            self.fail(span, f"'auto' does not fit '{arg.term.type}' here")
        self.s.templates.constraints.require_constraint(node, found, span)
        return found

    def with_inferred(self, node: Node, inferred: Qualified) -> Qualified:
        """Return the type that `node` is where its `auto` denotes `inferred`."""
        with self.s.at(replace(self.s.here, inferred=inferred)):
            return self.s.types.qualified(node)


def _is_decltype_auto(node: Node) -> bool:
    inner = node.type if isinstance(node, c_ast.TypeDecl) else node
    return isinstance(inner, cxx.DeclType)


def _named_argument(param: cxx.TemplateParameter) -> Node:
    """Return a template's own parameter as an argument for it."""
    name: Node = c_ast.ID(param.name, param.span)
    if param.kind != "value":
        named = c_ast.IdentifierType([param.name], param.span)
        name = c_ast.Typename(None, [], None, c_ast.TypeDecl(None, [], None, named, param.span), param.span)
    return cxx.PackExpansion(name, param.span) if param.pack else name
