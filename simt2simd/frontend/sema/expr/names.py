"""Checking names: what `a::b<int>::c` denotes, also as an expression, and which functions a call may mean."""

from __future__ import annotations

from typing import NoReturn

from pycparser import c_ast

from ....diag import Note
from ....lang.builtins import ADDRESS_FUNCTIONS, BUILTINS, THREAD_VARIABLES, WARP_SIZE, make
from ....lang.ctype import INT, UINT, Pointer, Scalar, Struct
from ....lang.typedefs import TYPEDEFS
from ....lang.unsupported import UNSUPPORTED_FUNCTIONS
from ....lang.vectors import DIM3, UINT3
from ....source import NOWHERE, Span
from ....tree.nodes import BuiltinCall, Constant, Deref, Expr, Load, Place, ThreadIndex, VarRef
from ....tree.rewrite import copied
from ...parse import cxx
from ...parse.words import Node, host_only_use
from ...text.headers import header_of
from ..context import Part
from ..declared_names import DeclaredNames, NamesWithLater
from ..identifiers import did_you_mean
from ..qualified import Qualified
from ..scopes import (
    Ambiguous,
    EnumeratorName,
    FunctionName,
    Functions,
    MemberName,
    Name,
    NamespaceName,
    PackName,
    Reported,
    Scope,
    TemplateName,
    TypeName,
    Unusable,
    ValueName,
    VariableName,
)
from .expressions import spelled

_STANDARD = ("std", "cuda")
_WITHOUT_SCOPE = (VariableName, MemberName, Functions, EnumeratorName)


FUNCTION_NAMES = ("__func__", "__FUNCTION__", "__PRETTY_FUNCTION__")


class Names(Part):
    """The checker's part for names."""

    def resolve(self, node: cxx.Name) -> Name:
        """Return what a qualified name denotes."""
        found = self.find(node)
        if found is None:
            self.unknown_qualified(node)
        return found

    def find(self, node: cxx.Name) -> Name | None:
        """Return what a qualified name denotes; None for a built-in of namespace std, which no scope has.

        Fails where a part of it before the last one is unknown.
        """
        scope: Scope | None = self.s.scopes.file_scope if node.rooted else None
        entry: Name | None = None
        for number, part in enumerate(node.parts):
            opens = number < len(node.parts) - 1
            if part.type is not None:
                entry = TypeName(part.span, self.s.types.base_type(part.type))
            else:
                entry = self.find_in(scope, part.name, opens=True) if opens else None
                entry = entry or self.find_in(scope, part.name)
            if entry is None:
                entry = self._beyond_std(node, number, scope)
                if entry is None:
                    return None if number == len(node.parts) - 1 else self.unknown_qualified(node, number)
            if part.args is not None and isinstance(entry, Ambiguous):
                entry = self._common_template(entry, part)
            if part.args is not None:
                entry = self.s.templates.with_arguments(
                    entry, self.s.templates.template_arguments(part.args), part.span
                )
            if opens:
                scope = self.scope_of(entry, node, number)
        return entry

    def _common_template(self, entry: Ambiguous, part: cxx.NamePart) -> Name:
        """Return one of the injected class names of several bases if all are of one template ([temp.local]/4)."""
        types = [one.type.type if isinstance(one, TypeName) else None for one in entry.entries]
        patterns = {self.s.structs.made_of.get(one, (None,))[0] if isinstance(one, Struct) else None for one in types}
        if len(patterns) > 1 or None in patterns:
            self.s.diagnostics.refuse_unusable(part.name, part.span, entry)
        return entry.entries[0]

    def find_in(self, scope: Scope | None, name: str, *, opens: bool = False) -> Name | None:
        """Return what `name` denotes in `scope`; without one, in those around. A tag is a type.

        If it `opens` a scope, before `::`, variables and functions of that name hide nothing.
        """
        for place in [scope] if scope is not None else self.s.scopes.regions():
            entry = place.find(name)
            if opens and isinstance(entry, Ambiguous):
                entry = entry.opening()
            if entry is not None and not (opens and isinstance(entry, _WITHOUT_SCOPE)):
                return entry
            tag = place.find_tag(name)
            if tag is not None:
                return TypeName(tag.span if isinstance(tag, Struct) else NOWHERE, Qualified(tag))
        if scope in (None, self.s.scopes.file_scope) and name in TYPEDEFS:
            return TypeName(NOWHERE, Qualified(TYPEDEFS[name]))
        return None

    def _beyond_std(self, node: cxx.Name, number: int, scope: Scope | None) -> Name | None:
        """`std::uint32_t` and `std::size_t` are what they are without `std::`, also by another name of it."""
        name = node.parts[number].name
        if not number or (node.parts[0].name not in _STANDARD and scope is not self.s.scopes.std):
            return None
        return TypeName(node.coord, Qualified(TYPEDEFS[name])) if name in TYPEDEFS else None

    def scope_of(self, entry: Name, node: cxx.Name, number: int) -> Scope:
        """Return the scope that `entry`, part `number` of a qualified name, opens."""
        if isinstance(entry, TemplateName) and entry.kind == "class":
            entry = TypeName(entry.span, self.s.templates.bare_template(entry, node.coord))
        match entry:
            case NamespaceName(scope=scope):
                return scope
            case TypeName(type=Qualified(type=Struct() as struct)):
                if struct not in self.s.structs.classes:  # of one that is being defined, what is declared so far
                    self.s.types.records.require_complete(struct, node.coord)
                return self.s.classes.members.class_scope(struct)
            case TypeName(type=Qualified(type=Scalar(enum=own))) if own in self.s.types.enums.enumerators:
                return self.s.types.enums.enumerators[own]
            case TypeName(type=Qualified(type=short)) if isinstance(found := self.s.classes.as_base(short), Struct):
                return self.s.classes.members.class_scope(found)
            case Ambiguous():
                self.s.diagnostics.refuse_unusable(node.parts[number].name, node.parts[number].span, entry)
            case Unusable():
                self.s.diagnostics.refuse_unusable(spelled(node), node.coord, entry)
        name = "::".join(part.name for part in node.parts[: number + 1])
        shown = entry.type if isinstance(entry, TypeName) else name
        self.fail(node.coord, f"'{shown}' is no class, namespace or enumeration: it has no members")

    def unknown_qualified(self, node: cxx.Name, number: int = -1) -> NoReturn:
        name, span = spelled(node), node.coord
        last = node.parts[number].name
        for host_name in (name, last, node.parts[0].name):
            if host_name in self.s.scopes.host_only:
                self.report(host_only_use(host_name, span, self.s.scopes.host_only[host_name]))
                raise Reported
        if node.parts[0].name in _STANDARD:
            header = header_of(last)
            help = f"add `#include <{header}>`" if header is not None else None
            self.fail(span, f"'{name}' is not there for device code", help=help)
        if len(node.parts) == 1 or number == 0:
            self.fail(span, f"'{last}' is not declared", help=did_you_mean(last, self.s.scopes.visible_names()))
        owner = "::".join(part.name for part in node.parts[:-1] if part)
        found = (
            self.find(cxx.Name(node.parts[:-1], node.rooted, span)) if number == -1 and len(node.parts) > 1 else None
        )
        names = self.scope_of(found, node, len(node.parts) - 2).names if found is not None else ()
        self.fail(span, f"'{owner}' has no member '{last}'", help=did_you_mean(last, names))

    def named(self, node: cxx.Name) -> Qualified:
        """Return the type that a qualified name or a template with arguments denotes."""
        entry = self.resolve(node)
        if isinstance(entry, TypeName):
            return entry.type
        if isinstance(entry, TemplateName):
            return self.s.templates.bare_template(entry, node.coord)
        if isinstance(entry, Unusable):
            self.entry_term(node, entry)
        self.fail(node.coord, f"'{spelled(node)}' is not a type")

    # -------------------------------------------------------------------------------- using declarations

    def using_declaration(self, node: cxx.UsingDeclaration) -> None:
        """`using a::b;` declares the name here too. In our own headers, one of namespace std waits for its use."""
        target = node.target
        if not isinstance(target, cxx.Name):
            self.fail(node.coord, "a pack of declarations is possible only in a class")
        scope = self.s.scopes.stack[-1]
        if node.coord.source.library and _is_of_std(target) and isinstance(scope.names, DeclaredNames):
            if not isinstance(scope.names, NamesWithLater):
                scope.names = NamesWithLater(scope.names)
            scope.names.later(target.parts[-1].name, lambda: self._use_of_std(node, target, scope))
        else:
            self._use_here(node, target)

    def _use_of_std(self, node: cxx.UsingDeclaration, target: cxx.Name, scope: Scope) -> None:
        """Declare in `scope` what our own headers use of namespace std."""
        with self.s.scopes.instead([self.s.scopes.file_scope, scope]), self.s.scopes.clock.stopped():
            self._use_here(node, target)

    def _use_here(self, node: cxx.UsingDeclaration, target: cxx.Name) -> None:
        entry = self.find(target)
        name = target.parts[-1].name
        scope = self.s.scopes.stack[-1]
        if entry is None:
            if name in BUILTINS and scope is not self.s.scopes.file_scope:
                entry = Functions(node.coord, name, [], builtins=True)
            elif name in BUILTINS or name in TYPEDEFS:
                return
            else:
                self.unknown_qualified(target)
        known = scope.names.get(name)
        if isinstance(known, Functions) and isinstance(entry, Functions):
            known.candidates += [one for one in entry.candidates if one not in known.candidates]
            known.builtins |= entry.builtins
        elif isinstance(entry, Functions):
            scope.names[name] = Functions(node.coord, name, list(entry.candidates), builtins=entry.builtins)
        else:
            scope.names[name] = entry

    def using_directive(self, node: cxx.UsingDirective) -> None:
        """`using namespace a;` makes its names visible; one that device code has nothing of is none."""
        target = node.target if isinstance(node.target, cxx.Name) else None
        name = spelled(node.target)
        entry = self.find(target) if target is not None and len(target.parts) > 1 else self.find_in(None, name)
        if isinstance(entry, NamespaceName) and entry.scope not in self.s.scopes.stack[-1].nominated:
            self.s.scopes.stack[-1].nominated.append(entry.scope)

    def using_enum(self, node: cxx.UsingEnum) -> None:
        """`using enum E;` makes the enumerators visible here."""
        ctype = self.s.types.base_type(node.target).type
        members = (
            self.s.types.enums.enumerators.get(ctype.enum)
            if isinstance(ctype, Scalar) and ctype.enum is not None
            else None
        )
        if members is None:
            self.fail(node.coord, f"'{ctype}' is no enumeration")
        self.s.scopes.stack[-1].names.update(members.names)

    def namespace_alias(self, node: cxx.NamespaceAlias) -> None:
        target = node.target
        entry = self.find(target) if isinstance(target, cxx.Name) else self.find_in(None, spelled(target))
        if isinstance(entry, NamespaceName):
            self.s.scopes.stack[-1].names[node.name] = entry

    # ---------------------------------------------------------------------------- what a name denotes

    def name(self, node: c_ast.ID) -> Expr | Place:
        name, span = node.name, node.coord
        if name == "this":
            pointer = self.s.statements.bodies.this(span)
            if pointer is None:
                self.fail(span, "'this' exists only in methods")
            return pointer
        entry = self.s.scopes.lookup(name)
        if isinstance(entry, VariableName) and not self.s.current.unevaluated and self.is_left_out(name, entry):
            note = Note(entry.span, f"'{name}' is declared here")
            help = f"write '[=]', '[&]' or '[{name}]'"
            self.fail(span, f"'{name}' is not captured by this lambda", note, help=help)
        return self.unknown_name(name, span) if entry is None else self.entry_term(node, entry)

    def is_left_out(self, name: str, entry: VariableName) -> bool:
        """Whether a name is a variable of the function around the lambda whose body is checked, which has no such."""
        if not self.s.current.bodies or entry.value is not None or entry.variable.storage not in ("local", "param"):
            return False
        body = self.s.current.bodies[-1]
        info = self.s.structs.classes.get(body.function.owner) if body.function.owner is not None else None
        around = body.function.scopes
        if (
            info is None
            or not info.is_lambda
            or len(self.s.scopes.stack) < body.base
            or self.s.scopes.stack[body.base - 1] is not around[-1]
        ):
            return False
        return not any(scope.names.get(name) is entry for scope in self.s.scopes.stack[body.base :])

    def entry_term(self, node: Node, entry: Name) -> Expr | Place:
        """Return what the use of a name at `node` denotes, whose meaning is `entry`."""
        span, name = node.coord, spelled(node)
        match entry:
            case VariableName():
                return self.variable_term(entry, span)
            case ValueName(value=value):
                return Constant(span, value.type, value.value)
            case EnumeratorName():
                return Constant(span, entry.type, entry.value)
            case MemberName():
                this = self.s.statements.bodies.this_of(entry.owner, span)
                if this is None:
                    self.fail(span, f"'{name}' is a member: there is no object here")
                assert isinstance(this.type, Pointer)
                place: Place = Deref(span, this.type.target, this)
                if isinstance(node, cxx.Name) and len(node.parts) > 1:  # `Base::x`, where the class may have its own x
                    place = self.s.classes.members.as_base(place, entry.owner, span)
                return self.s.classes.members.member_of(place, entry.name, span, span)
            case Functions(candidates=[]):
                return self.unknown_name(name, span)
            case Functions():
                return self.s.calls.indirect.function_address(self.only_function(entry, span), span)
            case TypeName():
                self.fail(span, f"'{name}' is a type, not a value")
            case TemplateName():
                self.fail(span, f"'{name}' is a template: its arguments are missing")
            case NamespaceName():
                self.fail(span, f"'{name}' is a namespace, not a value")
            case PackName():
                self.fail(span, f"'{name}' is a parameter pack: expand it with '...'")
            case Unusable():
                self.s.diagnostics.refuse_unusable(name, span, entry)

    def variable_term(self, entry: VariableName, span: Span) -> Expr | Place:
        variable = entry.variable
        if entry.alias is not None:
            return copied(entry.alias)
        if variable.initial is not None and entry.value is None:
            self.s.variables.used_constants[variable] = None
        if variable.space:
            self.s.variables.used.setdefault(variable, span)
        if variable.storage != "constant" and entry.value is not None:
            return Constant(span, entry.value.type, entry.value.value)
        place = VarRef(span, variable.type, variable)
        if not entry.reference:
            return place
        assert isinstance(variable.type, Pointer)
        return Deref(span, variable.type.target, Load(span, variable.type, place))

    def only_function(self, entry: Functions, span: Span) -> FunctionName:
        """Return the function of a name that has one."""
        if entry.given is not None:
            found = self.s.templates.functions.only_instance(entry, span)
            if found is not None:
                return found
        match entry.candidates:
            case [FunctionName() as function]:
                return function
        note = Note(entry.span, f"'{entry.name}' is declared here")
        self.fail(span, f"'{entry.name}' names several functions", note, help="cast it to a pointer of the type meant")

    def unknown_name(self, name: str, span: Span) -> Expr | Place:
        if name in FUNCTION_NAMES and (text := self.s.statements.function_text(name)) is not None:
            return self.s.expr.strings.constant_string(text.encode(errors="surrogateescape"), span)
        if name in THREAD_VARIABLES:
            axes = tuple(ThreadIndex(span, UINT, name, axis) for axis in range(3))
            ctype = UINT3 if name in ("threadIdx", "blockIdx") else DIM3
            return BuiltinCall(span, ctype, make(ctype, f"make_{ctype}" if ctype == UINT3 else None), axes)
        if name == "warpSize":
            return Constant(span, INT, WARP_SIZE)
        if (constant := self.s.calls.launches.runtime_constant(name, span)) is not None:
            return constant
        self.explain_unusable(name, span)
        if (found := self.s.calls.indirect.builtin_functions_named(name, span)) is not None and found.candidates:
            return self.s.calls.indirect.function_address(self.only_function(found, span), span)
        if name in BUILTINS or name in ADDRESS_FUNCTIONS:
            self.fail(span, f"'{name}' is a function: only a call of it is possible")
        # Say it once per function: the name is then known to be bad.
        candidates = [*self.s.scopes.visible_names(), *THREAD_VARIABLES, "warpSize"]
        help = did_you_mean(name, candidates)
        self.s.scopes.stack[min(1, len(self.s.scopes.stack) - 1)].names[name] = Unusable(span)
        self.fail(span, f"'{name}' is not declared", help=help)

    def explain_unusable(self, name: str, span: Span) -> None:
        """Fail if `name` is known, but not for device code."""
        if name in self.s.scopes.host_only:
            self.report(host_only_use(name, span, self.s.scopes.host_only[name]))
            raise Reported
        if name in UNSUPPORTED_FUNCTIONS:
            self.fail(span, f"'{name}' is not supported yet", help=UNSUPPORTED_FUNCTIONS[name])
        if name.startswith("__builtin_"):
            self.fail(span, f"'{name}' is not supported in device code")
        if name.startswith("cuda") and name[4:5].isupper():
            self.fail(span, f"'{name}' is a function of the host: device code cannot call it")


def _is_of_std(name: cxx.Name) -> bool:
    """Whether a name is `std::x`."""
    return [part.name for part in name.parts[:-1]] == ["std"]
