"""Partial ordering: which of two templates is the more specialised ([temp.func.order], [temp.deduct.partial]).

One template is at least as specialised as another one if the other's parameters can be deduced from its own types, in
which unique types, values and templates have the places of its template parameters.
"""

from __future__ import annotations

import contextlib
from dataclasses import dataclass

from pycparser import c_ast

from ....lang.ctype import BOOL, INT, Pointer, Scalar, Struct, is_integer
from ....source import Span
from ....tree.nodes import Constant
from ...parse import cxx
from ...parse.words import Node
from ..context import Part, Sema
from ..qualified import Qualified
from ..scopes import Bindings, TemplateArgument, TemplateName
from .arguments import same_arguments
from .patterns import adjusted, parameter_nodes, special_arguments, without_pack
from .specialisation import written


@dataclass(frozen=True, slots=True)
class StandInValue(Constant):
    """A unique value, of a template parameter: no literal is equal to it."""


@dataclass(frozen=True)
class _ParameterType:
    """The type of a function template's parameter. `pack`: it is an element of a function parameter pack."""

    type: Qualified
    pack: bool


class PartialOrdering(Part):
    """The checker's part for ordering templates."""

    def __init__(self, s: Sema) -> None:
        super().__init__(s)
        self.stand_ins: list[Struct] = []  # unique types
        self.arguments: dict[tuple[TemplateName, int], list[TemplateArgument]] = {}  # stand-ins for its parameters
        self.types: dict[tuple[TemplateName, int], list[_ParameterType]] = {}  # of function templates' parameters
        self.known: dict[tuple[TemplateName, TemplateName, int | None], bool] = {}

    def preferred(self, one: TemplateName, other: TemplateName, count: int | None = None) -> bool:
        """Whether `one` is the more specialised of two templates, or else the more constrained ([temp.func.order]/6).

        `count`: the number of arguments of the call, whose parameters alone are compared; None compares all.
        """
        key = (one, other, count)
        if key not in self.known:
            self.known[key] = self._is_preferred(one, other, count)
        return self.known[key]

    def _is_preferred(self, one: TemplateName, other: TemplateName, count: int | None) -> bool:
        if special_arguments(one.node) is not None:
            forth, back = self._arguments_fit(one, other), self._arguments_fit(other, one)
        else:
            forth, back = self._parameters_fit(one, other, count), self._parameters_fit(other, one, count)
        if forth != back:
            return forth
        if forth and special_arguments(one.node) is None:
            first, second = _has_pack(one), _has_pack(other)
            if first != second:  # a trailing pack is the less specialised ([temp.deduct.partial]/11)
                return second
        return self.s.templates.constraints.more_constrained(one, other)

    # --------------------------------------------------------------------------------------- specialisations

    def _arguments_fit(self, one: TemplateName, other: TemplateName) -> bool:
        """Whether the partial specialisation `other` fits the arguments of `one` ([temp.spec.partial.order])."""
        return all(self._arguments_of_size_fit(one, other, size) for size in _pack_sizes(one))

    def _arguments_of_size_fit(self, one: TemplateName, other: TemplateName, size: int) -> bool:
        special, found = self.s.templates.specialisations, dict[str, TemplateArgument]()
        patterns = tuple(special_arguments(other.node) or ())
        with self.s.templates.deduction.attempt():
            with self._inside(one, size):
                own = self.s.templates.template_arguments(tuple(special_arguments(one.node) or ()))
                args = special.with_defaults(one, own)
            shown = written(patterns, args)
            with self.s.scopes.instead(other.scopes):
                if not self.s.templates.matching.match_arguments(other, patterns, shown, found):
                    return False
            if len(shown) == len(args):
                return True
            scope = self.s.templates.binding_scope(other, found)
            with self.s.scopes.instead((*other.scopes, scope)), self.s.templates.own_specifiers():
                whole = special.with_defaults(other, self.s.templates.template_arguments(patterns))
            return same_arguments(whole, args)
        return False

    # ------------------------------------------------------------------------------------ function templates

    def _parameters_fit(self, one: TemplateName, other: TemplateName, count: int | None) -> bool:
        """Whether `one` is at least as specialised as `other`: [temp.deduct.partial]/2 to /10."""
        return all(self._types_fit(one, other, count, size) for size in _pack_sizes(one))

    def _types_fit(self, one: TemplateName, other: TemplateName, count: int | None, size: int) -> bool:
        given = self._types_of(one, size)
        if count is not None:
            given = given[:count] if not any(param.pack for param in given[:count]) else given
        nodes = _parameters(other)
        nodes = nodes if count is None or any(without_pack(node)[1] for node in nodes[:count]) else nodes[:count]
        with self.s.templates.deduction.attempt() as tried, self.s.scopes.instead(other.scopes):
            fits = self._all_fit(one, other, nodes, given)
        return fits and not tried.failed

    def _all_fit(self, one: TemplateName, other: TemplateName, nodes: list[Node], given: list[_ParameterType]) -> bool:
        found: Bindings = {}
        own = [without_pack(node)[0] for node in _parameters(one)]
        theirs = self._types_of(other, 1)
        for number, node in enumerate(nodes):
            inner, pack = without_pack(node)
            if pack:
                return all(self._fits(other, inner, param.type, {}) for param in given[number:])
            if number >= len(given) or given[number].pack:
                return False
            if not self._fits(other, inner, given[number].type, found):
                return False
            if _loses_tie(given[number].type, theirs[number].type) and self._fits(
                one, own[number], theirs[number].type, {}
            ):
                return False
        return len(nodes) == len(given) or (len(given) == len(nodes) + 1 and given[-1].pack)

    def _fits(self, other: TemplateName, node: Node, given: Qualified, found: Bindings) -> bool:
        """Whether one parameter's pattern can be deduced from the other template's type ([temp.deduct.partial]/5)."""
        pattern = node.type if isinstance(node, c_ast.Decl | c_ast.Typename) else node
        pattern = _unqualified(pattern.type) if isinstance(pattern, cxx.Reference) else adjusted(pattern)
        return self.s.templates.matching.match(other, pattern, Qualified(given.type), found)

    def _types_of(self, template: TemplateName, size: int) -> list[_ParameterType]:
        """Return the types of a function template's parameters, with stand-ins for the template's parameters."""
        key = template, size
        if key not in self.types:
            self.types[key] = []
            with self._inside(template, size):
                self.types[key] = [self._type_of(node) for node in _parameters(template)]
        return self.types[key]

    def _type_of(self, node: Node) -> _ParameterType:
        inner, pack = without_pack(node)
        declarator = inner.type if isinstance(inner, c_ast.Decl | c_ast.Typename) else inner
        found: Qualified | None = None
        with self.s.templates.deduction.attempt() as tried:
            if pack:
                for _ in self.s.templates.packs.each_element(inner):
                    found = self.s.types.parameter_type(declarator)
            else:
                found = self.s.types.parameter_type(declarator)
        if tried.failed or found is None:  # `typename T::type`: a type of its own
            found = Qualified(self._stand_in_type(node.coord))
        return _ParameterType(found, pack)

    # ---------------------------------------------------------------------------------------- stand-ins

    def _inside(self, template: TemplateName, size: int) -> contextlib.ExitStack:
        """Enter the scopes of a template, in which unique entities have the places of its parameters."""
        scope = self.s.templates.binding_scope(template, self.unique_arguments(template, size))
        entered = contextlib.ExitStack()
        entered.enter_context(self.s.scopes.instead((*template.scopes, scope)))
        entered.enter_context(self.s.templates.own_specifiers())
        return entered

    def unique_arguments(self, template: TemplateName, size: int = 1) -> Bindings:
        """Return unique entities as the arguments of a template, always the same ones; a pack has `size` of them."""
        params, key = template.node.params, (template, size)
        if key not in self.arguments:
            bindings: Bindings = {}
            for param in params:
                with self.s.scopes.instead((*template.scopes, self.s.templates.binding_scope(template, bindings))):
                    own = [self._stand_in(param, template.span) for _ in range(size if param.pack else 1)]
                bindings[param.name_key] = tuple(own) if param.pack else own[0]
            self.arguments[key] = [bindings[param.name_key] for param in params]
        return {param.name_key: own for param, own in zip(params, self.arguments[key], strict=True)}

    def _stand_in(self, param: cxx.TemplateParameter, span: Span) -> TemplateArgument:
        if param.kind == "value":
            return self._stand_in_value(param, span)
        if param.kind == "template":
            return TemplateName(span, param.name, "class", cxx.Template((), c_ast.EmptyStatement(span), span), ())
        return Qualified(self._stand_in_type(span))

    def _stand_in_type(self, span: Span) -> Struct:
        own = Struct(f"stand_in_{len(self.stand_ins)}", span, ())
        self.stand_ins.append(own)
        return own

    def _stand_in_value(self, param: cxx.TemplateParameter, span: Span) -> StandInValue:
        """Return a value of the parameter's type: a number that a small integer can hold, and arrays may have."""
        ctype = INT
        if param.type is not None:
            with self.s.templates.deduction.attempt():
                found = self.s.types.qualified(param.type).type
                if isinstance(found, Scalar) and is_integer(found):
                    ctype = found
                elif isinstance(found, Pointer):
                    return StandInValue(span, found, 0)
        self.stand_ins.append(Struct(f"stand_in_{len(self.stand_ins)}", span, ()))
        return StandInValue(span, ctype, True if ctype == BOOL else 33 + len(self.stand_ins) % 90)


def _parameters(template: TemplateName) -> list[Node]:
    nodes = parameter_nodes(template.node.declaration)
    return [node for node in nodes if not isinstance(node, c_ast.EllipsisParam)]


def _pack_sizes(template: TemplateName) -> tuple[int, ...]:
    """Return two numbers of elements for the packs of a template: no list of fixed length fits both."""
    return (1, 2) if any(param.pack for param in template.node.params) else (1,)


def _has_pack(template: TemplateName) -> bool:
    return any(without_pack(node)[1] for node in _parameters(template))


def _loses_tie(own: Qualified, other: Qualified) -> bool:
    """Whether `own` is not as specialised as `other`, if each can be deduced from the other: [temp.deduct.partial]/9.

    Among references, `T &` is more specialised than `T &&`, and the more qualified type than the other one.
    """
    if not own.reference or not other.reference:
        return False
    if own.reference != other.reference:
        return own.reference == "&&"
    return (other.const, other.volatile) > (own.const, own.volatile)


def _unqualified(pattern: Node) -> Node:
    """Return the pattern of what a reference refers to without the qualifiers of its outermost type."""
    return pattern if isinstance(pattern, c_ast.ArrayDecl | c_ast.FuncDecl) else adjusted(pattern)
