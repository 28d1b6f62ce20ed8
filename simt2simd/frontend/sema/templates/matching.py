"""Matching types with the patterns that the parameters of templates are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from pycparser import c_ast

from ....lang.ctype import BOOL, ULONG, Array, CType, FunctionType, Pointer, Struct, is_nullptr_t
from ....tree.nodes import Constant
from ...parse import cxx
from ...parse.words import Node
from ..context import Part, Sema
from ..expr.conversions import same_type
from ..qualified import Qualified, signature_of
from ..scopes import Bindings, Name, TemplateArgument, TemplateName, TypeName, flat
from ..types.member_types import members_of, qualifiers_of, type_of_method
from .arguments import BegunPack, same_arguments
from .packs import names_in
from .partial_ordering import StandInValue
from .patterns import bare_name, is_void, spread, with_arguments


class Matching(Part):
    """The checker's part for patterns of types: what they bind template parameters to."""

    def __init__(self, s: Sema) -> None:
        super().__init__(s)
        self._named: dict[tuple[TemplateName, Node, int], TemplateName] = {}  # class templates that patterns name

    def match(
        self,
        template: TemplateName,
        pattern: Node,
        source: Qualified,
        bindings: Bindings,
        *,
        fixed: set[str] | frozenset[str] = frozenset(),
        derived: bool = False,
    ) -> bool:
        """Bind the template's parameters so that the type `pattern` is `source`; False if that is not possible.

        `fixed` parameters keep what they are. `derived`: a class that derives from the pattern's will do.
        """
        if isinstance(pattern, c_ast.Typename | c_ast.Decl):
            return self.match(template, pattern.type, source, bindings, fixed=fixed)
        match pattern:
            case cxx.Reference():
                wanted = "&&" if pattern.rvalue else "&"
                if source.reference != wanted:
                    return False
                return self.match(template, pattern.type, replace(source, reference=""), bindings, fixed=fixed)
            case cxx.MemberPointer():
                return self._match_member_pointer(template, pattern, source, bindings)
            case c_ast.PtrDecl():
                if source.reference or not isinstance(source.type, Pointer) or is_nullptr_t(source.type):
                    return False
                if ("const" in pattern.quals) != source.const and not derived and "const" in pattern.quals:
                    return False
                target = Qualified(source.type.target, source.type.const, source.type.volatile)
                return self.match(template, pattern.type, target, bindings, fixed=fixed, derived=derived)
            case c_ast.ArrayDecl():
                return self._match_array(template, pattern, source, bindings, derived=derived)
            case c_ast.FuncDecl():
                return self._match_function(template, pattern, source, bindings, fixed)
            case c_ast.TypeDecl():
                const, volatile = "const" in (pattern.quals or ()), "volatile" in (pattern.quals or ())
                if not derived and ((const and not source.const) or (volatile and not source.volatile)):
                    return False
                rest = replace(source, const=source.const and not const, volatile=source.volatile and not volatile)
                return self._match_named(template, pattern.type, rest, bindings, fixed, derived)
        return self._match_named(template, pattern, source, bindings, fixed, derived)

    def _match_array(
        self,
        template: TemplateName,
        pattern: c_ast.ArrayDecl,
        source: Qualified,
        bindings: Bindings,
        *,
        derived: bool,
    ) -> bool:
        if not isinstance(source.type, Array) or source.reference or source.type.unknown != (pattern.dim is None):
            return False
        element = replace(source, type=source.type.element)
        if not self.match(template, pattern.type, element, bindings, derived=derived):
            return False
        if pattern.dim is None:
            return True
        count = Constant(template.span, ULONG, source.type.count)
        return self._match_value(template, pattern.dim, count, bindings)

    def _match_member_pointer(
        self, template: TemplateName, pattern: cxx.MemberPointer, source: Qualified, bindings: Bindings
    ) -> bool:
        members = members_of(source.type)
        if members is None or members.owner is None or source.reference:
            return False
        if not self.match(template, pattern.owner, Qualified(members.owner), bindings):
            return False
        if not isinstance(pattern.type, c_ast.FuncDecl):
            return self.match(template, pattern.type, members.target or Qualified(type_of_method(members)), bindings)
        if members.called is None or qualifiers_of(pattern.type) != members.qualifiers:
            return False
        if not self._match_noexcept(template, pattern.type, members.noexcept, bindings):
            return False
        result, params = members.called
        nodes = pattern.type.args.params if pattern.type.args is not None else []
        if not self.match(template, pattern.type.type, result, bindings):
            return False
        return self._match_parameters(template, [node for node in nodes if not is_void(node)], params, bindings)

    def _match_function(
        self, template: TemplateName, pattern: c_ast.FuncDecl, source: Qualified, bindings: Bindings, fixed: object
    ) -> bool:
        if not isinstance(source.type, FunctionType) or qualifiers_of(pattern) != source.type.qualifiers:
            return False
        if not self._match_noexcept(template, pattern, source.type.noexcept, bindings):
            return False
        nodes = pattern.args.params if pattern.args is not None else []
        result, params = signature_of(source.type)
        if not self.match(template, pattern.type, result, bindings):
            return False
        return self._match_parameters(template, [node for node in nodes if not is_void(node)], params, bindings)

    def _match_noexcept(
        self, template: TemplateName, pattern: c_ast.FuncDecl, noexcept: bool, bindings: Bindings
    ) -> bool:
        """Match exception specifications, of which the condition may be a parameter ([temp.deduct.type]/8)."""
        condition = getattr(pattern, "noexcept", False)
        if isinstance(condition, bool):
            return condition == noexcept
        return self._match_value(template, condition, Constant(template.span, BOOL, noexcept), bindings)

    def _match_parameters(
        self, template: TemplateName, nodes: list[Node], params: Sequence[Qualified], bindings: Bindings
    ) -> bool:
        """Match the parameters of a function's type, which are adjusted types ([dcl.fct]/5)."""
        return self.match_arguments(template, [spread(node) for node in nodes], params, bindings)

    def _match_named(
        self,
        template: TemplateName,
        pattern: Node,
        source: Qualified,
        bindings: Bindings,
        fixed: set[str] | frozenset[str],
        derived: bool,
    ) -> bool:
        """Match the name of a type: a parameter of the template, a template with arguments, or any other."""
        param = self._parameter_of(template, pattern)
        if param is not None and param.kind == "type":
            return self._bind_type(param, source, bindings, fixed, derived)
        if isinstance(pattern, c_ast.InferredType):
            bindings["auto"] = source
            return True
        if isinstance(pattern, cxx.Name) and pattern.parts[-1].args is not None:
            names = {p.name for p in template.node.params}
            if len(pattern.parts) > 1 and any(names.intersection(names_in(p)) for p in pattern.parts[:-1]):
                return True  # `typename T::template X<U>` is a non-deduced context
            wanted = self.template_named(template, pattern, bindings)
            if isinstance(wanted, TemplateName) and wanted.kind == "alias":
                return self._match_alias(template, wanted, pattern, source, bindings, derived)
            return self._match_instance(template, pattern, source.type, bindings, derived)
        if self.depends(template, pattern):
            return True
        around = (
            (*template.scopes, self.s.templates.binding_scope(template, bindings))
            if template.scopes
            else self.s.scopes.stack
        )
        with self.s.templates.deduction.attempt() as tried, self.s.scopes.instead(around):
            found = self.s.types.base_type(pattern)
            if source.const and not found.const and not derived:
                return False
            if derived:
                return True  # the conversion of the argument decides
            return same_type(found.type, source.type) and found.reference == source.reference
        return not tried.failed

    def _bind_type(
        self,
        param: cxx.TemplateParameter,
        source: Qualified,
        bindings: Bindings,
        fixed: set[str] | frozenset[str],
        derived: bool,
    ) -> bool:
        name = param.name_key
        if name in fixed:
            return True
        known = bindings.get(name)
        if isinstance(known, Qualified):
            same = same_type(known.type, source.type) and known.reference == source.reference
            return same and (known.const == source.const or derived)
        bindings[name] = replace(source, restrict=False)
        return True

    def depends(self, template: TemplateName, pattern: Node) -> bool:
        """Whether a pattern names a parameter of the template."""
        used = self.s.templates.packs.names_of(pattern)
        return any(param.name in used for param in template.node.params if param.name)

    def _parameter_of(self, template: TemplateName, node: Node) -> cxx.TemplateParameter | None:
        name = None
        if isinstance(node, c_ast.IdentifierType) and len(node.names) == 1:
            name = node.names[0]
        elif isinstance(node, c_ast.ID):
            name = node.name
        elif isinstance(node, cxx.Name) and len(node.parts) == 1 and node.parts[0].args is None:
            name = node.parts[0].name
        return next((param for param in template.node.params if param.name == name and name), None)

    def _match_instance(
        self, template: TemplateName, pattern: cxx.Name, source: CType, bindings: Bindings, derived: bool
    ) -> bool:
        """Match `Vec<T, N>` with an instance of `Vec`; if `derived`, else with one base ([temp.deduct.call]/4)."""
        if not isinstance(source, Struct):
            return False
        wanted = self.template_named(template, pattern, bindings)
        fits: list[Bindings] = []
        hidden: set[Struct] = set()  # bases of one that fits
        for struct in self.with_bases(source) if derived else [source]:
            if struct in hidden:
                continue
            tried = dict(bindings)
            if self._is_instance(template, pattern, wanted, struct, tried):
                fits.append(tried)
                hidden.update(self.with_bases(struct) if derived else ())
                if struct is source:
                    break
        if len(fits) != 1:
            return False
        bindings.update(fits[0])
        return True

    def _is_instance(
        self,
        template: TemplateName,
        pattern: cxx.Name,
        wanted: TemplateName | cxx.TemplateParameter | None,
        struct: Struct,
        bindings: Bindings,
    ) -> bool:
        """Match `Vec<T, N>`, where `Vec` is `wanted`, with the very class `struct`."""
        made_of, args = self.s.structs.made_of.get(struct, (None, ()))
        if made_of is None:
            return False
        if isinstance(wanted, cxx.TemplateParameter):
            known = bindings.get(wanted.name_key)
            if known is not None and known is not made_of:
                return False
            bindings[wanted.name_key] = made_of
        elif wanted is not made_of:
            return False
        patterns, values = pattern.parts[-1].args or (), flat(args)
        written = values if any(isinstance(one, cxx.PackExpansion) for one in patterns) else values[: len(patterns)]
        if not self.match_arguments(template, patterns, written, bindings):
            return False
        return len(written) == len(values) or self._has_defaults(made_of, written, values)

    def _has_defaults(
        self, made_of: TemplateName, written: Sequence[TemplateArgument], args: Sequence[TemplateArgument]
    ) -> bool:
        """Whether a class template with the arguments `written` is the one with `args`."""
        with self.s.templates.deduction.attempt() as tried:
            bindings = self.s.templates.deduction.with_defaults(
                made_of, self.s.templates.bind_given(made_of, written, made_of.span)
            )
            if bindings is None:
                return False
            whole = [bindings[param.name_key] for param in made_of.node.params]
        return not tried.failed and same_arguments(flat(tuple(whole)), args)

    def without_alias(self, template: TemplateName, declarator: Node) -> Node:
        """Return what the instance of an alias template is another name of, if that is made of its parameters alone.

        `P<const T>` is `const T *`, of which a `T` can be deduced that the instance's type does not show.
        """
        name = declarator.type if isinstance(declarator, c_ast.TypeDecl) else None
        if not isinstance(name, cxx.Name) or not name.parts[-1].args:
            return declarator
        alias = self.template_named(template, name, {})
        if not isinstance(alias, TemplateName) or alias.kind != "alias":
            return declarator
        params, args = alias.node.params, name.parts[-1].args
        plain = all(param.kind == "type" and not param.pack for param in params)
        if not plain or len(params) != len(args) or not all(isinstance(arg, c_ast.Typename) for arg in args):
            return declarator
        given = [arg.type for arg in args if isinstance(arg, c_ast.Typename)]
        types = {param.name: one for param, one in zip(params, given, strict=True)}
        assert isinstance(alias.node.declaration, c_ast.Typedef)
        found = with_arguments(alias.node.declaration.type, types)
        quals = declarator.quals or () if isinstance(declarator, c_ast.TypeDecl) else ()
        return declarator if found is None or quals else found

    def _match_alias(
        self,
        template: TemplateName,
        alias: TemplateName,
        pattern: cxx.Name,
        source: Qualified,
        bindings: Bindings,
        derived: bool,
    ) -> bool:
        """Match `index_sequence<I...>` with an instance of what it is another name of.

        Of parameters that cannot be seen in that type, as those of `enable_if_t`, nothing is deduced: in
        `first_of<T, U...>`, which is `T`, the `U` are only checked ([temp.alias]/2).
        """
        declaration = alias.node.declaration
        assert isinstance(declaration, c_ast.Typedef)
        own: Bindings = {}
        with self.s.scopes.instead(alias.scopes):
            fits = self.match(alias, declaration.type, source, own, derived=derived)
        if not own:
            return True
        args, patterns = [own.get(param.name_key) for param in alias.node.params], pattern.parts[-1].args or ()
        whole = flat(tuple(arg for arg in args if arg is not None))
        if None not in args:
            return fits and self.match_arguments(template, patterns, whole, bindings)
        if any(isinstance(one, cxx.PackExpansion) for one in patterns[: len(args)]):
            return True
        seen = [(one, arg) for one, arg in zip(patterns, args, strict=False) if arg is not None]
        return fits and all(self._match_argument(template, one, arg, bindings) for one, arg in seen)

    def template_named(
        self, template: TemplateName, pattern: cxx.Name, bindings: Bindings
    ) -> TemplateName | cxx.TemplateParameter | None:
        """Return the template whose instance a pattern is.

        That of a plain name is always the same: it is looked up from where the template was defined ([temp.nondep]).
        """
        key = template, pattern, template.limit
        if key in self._named:
            return self._named[key]
        last = pattern.parts[-1]
        for param in template.node.params:
            if param.kind == "template" and param.name == last.name and len(pattern.parts) == 1:
                return param
        plain = (*pattern.parts[:-1], replace(last, args=None))
        with self.s.scopes.instead((*template.scopes, self.s.templates.binding_scope(template, bindings))):
            entry: Name | None = self.s.expr.names.find(cxx.Name(plain, pattern.rooted, pattern.coord))
        if isinstance(entry, TypeName) and isinstance(entry.type.type, Struct):
            info = self.s.structs.classes.get(entry.type.type)
            return info.pattern if info is not None else None
        if not isinstance(entry, TemplateName):
            return None
        if entry.kind == "class" and len(pattern.parts) == 1:
            self._named[key] = entry
        return entry

    def with_bases(self, struct: Struct) -> Iterator[Struct]:
        """Yield a class and all its bases, those nearer to it first; it is completed only for its bases."""
        found = [struct]
        for one in found:
            yield one
            self.s.classes.complete(one)
            info = self.s.structs.classes.get(one)
            found += [base.struct for base in info.bases] if info is not None else []

    def match_arguments(
        self, template: TemplateName, patterns: Sequence[Node], args: Sequence[TemplateArgument], bindings: Bindings
    ) -> bool:
        """Match a list of template arguments, whose last pattern may be a pack."""
        for number, pattern in enumerate(patterns):
            if isinstance(pattern, cxx.PackExpansion):
                return self._match_rest(template, pattern.pattern, list(args[number:]), bindings)
            if number >= len(args):
                return False
            if not self._match_argument(template, pattern, args[number], bindings):
                return False
        return len(patterns) == len(args)

    def _match_rest(
        self, template: TemplateName, pattern: Node, rest: Sequence[TemplateArgument], bindings: Bindings
    ) -> bool:
        """Match what is left of a list with the pattern of a pack. All elements share what no pack is.

        Explicit arguments are only the first elements of a pack ([temp.arg.explicit]/9).
        """
        names = self.s.templates.packs.names_of(pattern)
        gathered: dict[str, list[TemplateArgument]] = {
            param.name_key: [] for param in template.node.params if param.pack and param.name in names
        }
        for arg in rest:
            found: Bindings = {name: value for name, value in bindings.items() if name not in gathered}
            if not self._match_argument(template, pattern, arg, found):
                return False
            for name, value in found.items():
                if name in gathered:
                    gathered[name].append(value)
                else:
                    bindings[name] = value
        for name, values in gathered.items():
            known = bindings.get(name)
            if isinstance(known, tuple):
                written = values[: len(known)] if isinstance(known, BegunPack) else values
                if not same_arguments(known, written):
                    return False
            bindings[name] = tuple(values)
        return True

    def _match_argument(self, template: TemplateName, pattern: Node, arg: TemplateArgument, bindings: Bindings) -> bool:
        param = self._parameter_of(template, bare_name(pattern))
        if isinstance(arg, tuple):
            return False
        match arg:
            case Qualified():
                if isinstance(pattern, c_ast.Typename):
                    return self.match(template, pattern, arg, bindings)
                return self._match_named(template, pattern, arg, bindings, frozenset(), False)
            case Constant():
                return self._match_value(template, bare_name(pattern), arg, bindings)
            case TemplateName():
                if param is not None and param.kind == "template":
                    known = bindings.setdefault(param.name_key, arg)
                    return known is arg
                return self._template_named_by(template, pattern) is arg

    def _template_named_by(self, template: TemplateName, pattern: Node) -> TemplateArgument | None:
        with self.s.templates.deduction.attempt(), self.s.scopes.instead(template.scopes):
            return self.s.templates.template_argument(pattern)
        return None

    def _match_value(self, template: TemplateName, pattern: Node, value: Constant, bindings: Bindings) -> bool:
        param = self._parameter_of(template, pattern)
        if param is not None and param.kind == "value":
            known = bindings.get(param.name_key)
            if isinstance(known, Constant):
                return bool(known.value == value.value)
            bindings[param.name_key] = value
            return True
        if self.depends(template, pattern):
            return True  # an expression of parameters is a non-deduced context
        with self.s.templates.deduction.attempt(), self.s.scopes.instead(template.scopes):
            found = self.s.constexpr.constant(pattern)
            return isinstance(found, Constant) and found.value == value.value and not isinstance(value, StandInValue)
        return False
