"""User-defined conversions: the constructor or the conversion function that converts an object.

Which one it is overload resolution says, as for a call: [over.match.copy] for a class, [over.match.conv] for a scalar,
[over.match.ref] for what a reference is bound to. Where several are equally good, the conversion is ambiguous.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from pycparser import c_ast

from ....lang.ctype import VOID, CType, Pointer, Struct
from ....source import Span
from ....tree.nodes import Constant, Deref, Expr, Place, Temporary
from ...parse import cxx
from ...parse.words import Node
from ..argument import Argument
from ..calls.conversion_sequences import EXACT, USER, Rank
from ..calls.overloads import Candidate
from ..context import Part
from ..qualified import Qualified, type_key
from ..scopes import FunctionName, TemplateName


class UserConversions(Part):
    """The checker's part for choosing the function that converts."""

    def conversions(self, term: Expr | Place, target: CType, *, direct: bool = False) -> list[Candidate]:
        """Return the best functions that make a `target` of `term`: none, one, or several that are equally good.

        `direct`: explicit conversion functions count too, as in direct-initialisation ([class.conv.fct]/2).
        """
        found: list[Candidate] = []
        if isinstance(target, Struct):
            found += self._constructors(term, target)
        if isinstance(term.type, Struct) and term.type is not target:
            found += self._functions(term, Qualified(target), direct=direct)
        return self.s.calls.overloads.best(found)

    def reference_conversions(self, term: Expr | Place, target: Qualified, *, direct: bool = False) -> list[Candidate]:
        """Return the best conversion functions to what the reference `target` is bound to without a copy.

        A const reference is bound to an lvalue, or else to an object that a function returns ([dcl.init.ref]/5).
        """
        if not isinstance(term.type, Struct):
            return []
        found = self._functions(term, target, direct=direct)
        bound = [one for one in found if self._binds(one, target)]
        if not bound and target.reference == "&" and target.const and isinstance(target.type, Struct):
            bound = [one for one in found if self._binds(one, replace(target, reference="&&"))]
        return self.s.calls.overloads.best(bound)

    def rank(self, found: list[Candidate]) -> Rank | None:
        """Return the rank of a conversion by these functions ([over.ics.user], [over.best.ics]/10)."""
        match found:
            case []:
                return None
            case [Candidate(function=function, second=second)]:
                return Rank(USER, via=function, second=second)
        return Rank(USER)

    def refuse_ambiguous(self, found: list[Candidate], source: CType, target: object, span: Span) -> None:
        """Fail if several functions convert equally well."""
        if len(found) > 1:
            notes = self.s.calls.overloads.notes_of(found)
            self.fail(span, f"the conversion of '{source}' to '{target}' is ambiguous", *notes, help="cast it")

    # ----------------------------------------------------------------------------------------- candidates

    def _constructors(self, term: Expr | Place, target: Struct) -> list[Candidate]:
        """Return the converting constructors of a class that take `term` ([class.conv.ctor])."""
        info = self.s.classes.construction.info(target)
        if info is None or info.constructors is None or self.s.classes.construction.is_kind_of(term.type, target):
            return []
        arg = Argument(c_ast.ID("value", term.span), term)
        candidates = [one for one in info.constructors.candidates if not is_explicit(one)]
        with self.s.at(replace(self.s.here, standard_only=True)):
            found = self.s.calls.overloads.viable(candidates, [arg], None, made=target)
        return [one for one in found if isinstance(one.function, FunctionName) and not self._is_explicit(one.function)]

    def _functions(self, term: Expr | Place, target: Qualified, *, direct: bool) -> list[Candidate]:
        """Return the conversion functions of the class of `term` whose result becomes a `target`."""
        assert isinstance(term.type, Struct)
        place = term if isinstance(term, Place) else Temporary(term.span, term.type, term)
        found: list[Candidate] = []
        for one in self.functions_of(term.type):
            template = one if isinstance(one, TemplateName) else None
            function = (
                self.s.templates.functions.conversion_instance(template, target.type) if template is not None else one
            )
            if not isinstance(function, FunctionName) or function.result is None:
                continue
            ranks = self.s.calls.overloads.rank_object(function, place, ())
            second = self._second(function.result, target, term.span)
            if ranks is None or second is None:
                continue
            if self._is_explicit(function) and not (direct and second.kind == EXACT):
                continue
            found.append(Candidate(function, ranks, template is not None, template, 0, second))
        return found

    def _is_explicit(self, function: FunctionName) -> bool:
        """Whether a function is for direct-initialisation only: `explicit(c)` is if c holds ([dcl.fct.spec]/4)."""
        word = next((one for one in function.words if one == "explicit"), None)
        if not isinstance(word, cxx.ConditionalExplicit):
            return word is not None
        with self.s.scopes.instead(function.scopes or (self.s.scopes.file_scope,)):
            return self.s.constexpr.constant_condition(word.condition, "the condition of 'explicit'")

    def functions_of(self, struct: Struct) -> list[FunctionName | TemplateName]:
        """Return the conversion functions of a class, and those of bases that none to the same type hides."""
        return list(dict.fromkeys(self._visible_functions(struct, frozenset())))

    def _visible_functions(self, struct: Struct, hidden: frozenset[object]) -> Iterator[FunctionName | TemplateName]:
        """Yield them but those to types that are `hidden` by classes that derive from it ([class.conv])."""
        info = self.s.classes.construction.info(struct)
        if info is None:
            return
        own = [(function, _result_key(function)) for function in info.conversions]
        yield from (function for function, key in own if key is None or key not in hidden)
        hidden |= {key for _, key in own if key is not None}
        for base in info.bases:
            yield from self._visible_functions(base.struct, hidden)

    def call_named(self, object: Place, name: cxx.ConversionName, arguments: list[Node]) -> Expr | Place:
        """Return the call of `object.operator T()`; T is also looked up in the class ([basic.lookup.classref])."""
        struct = object.type if name.scope is None else self.s.expr.names.named(name.scope).type
        assert isinstance(object.type, Struct) and isinstance(struct, Struct)
        info = self.s.classes.construction.info(struct)
        with self.s.scopes.inside(*([info.scope] if info is not None else [])):
            target = self.s.types.qualified(name.type)
        wanted = type_key(target.type), target.const, target.volatile, target.reference
        known = self.functions_of(struct)
        found = [one for one in known if _result_key(one) == wanted]
        if not found:
            templates = [one for one in known if isinstance(one, TemplateName)]
            made = [self.s.templates.functions.conversion_instance(one, target.type) for one in templates]
            found = [one for one in made if one is not None]
        if not found:
            self.fail(name.coord, f"'{struct}' has no conversion function to '{target}'")
        args = self.s.calls.arguments.arguments(arguments)
        function = self.s.calls.overloads.choose(f"operator {target}", found, args, name.coord, object=object)
        assert isinstance(function, FunctionName)
        return self.s.calls.call_method(function, object, args, name.coord, qualified=name.scope is not None)

    def _second(self, result: Qualified, target: Qualified, span: Span) -> Rank | None:
        """Return the rank of the standard conversion of a conversion function's result."""
        const_prvalue = result.const and not result.reference and isinstance(result.type, Struct)
        if const_prvalue and target.reference == "&&" and not target.const:
            return None
        value = Constant(span, result.type, 1)
        probe: Expr | Place = value
        if result.reference:
            address = Constant(span, Pointer(result.type, result.const, result.volatile), 1)
            probe = Deref(span, result.type, address, xvalue=result.reference == "&&")
        elif isinstance(result.type, Struct):
            probe = Temporary(span, result.type, value)
        argument = Argument(c_ast.ID("value", span), probe)
        return self.s.calls.sequences.rank(argument, target, user=False)

    def _binds(self, candidate: Candidate, target: Qualified) -> bool:
        """Whether a reference is bound to what a function returns, not to a copy that is converted."""
        function = candidate.function
        assert isinstance(function, FunctionName) and function.result is not None
        result = function.result
        if self.s.calls.sequences.base_depth(result.type, target.type) is None:
            return False
        return result.reference == "&" if target.reference == "&" else result.reference != "&"


def is_conversion_function(function: FunctionName) -> bool:
    """Whether a function that converts is a conversion function, and no constructor: those return nothing."""
    return function.result is not None and function.result.type is not VOID


def is_explicit(candidate: FunctionName | TemplateName) -> bool:
    """Whether a constructor is declared `explicit`, without a condition."""
    if isinstance(candidate, TemplateName):
        inner = candidate.node.declaration
        words = getattr(inner.decl if isinstance(inner, cxx.Definition) else inner, "funcspec", ())
    else:
        words = candidate.words
    return any(word == "explicit" and not isinstance(word, cxx.ConditionalExplicit) for word in words)


def _result_key(function: FunctionName | TemplateName) -> object:
    """Return what identifies the type to which a function converts; None of a template."""
    if isinstance(function, TemplateName) or function.result is None:
        return None
    result = function.result
    return type_key(result.type), result.const, result.volatile, result.reference
