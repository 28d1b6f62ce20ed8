"""Argument-dependent name lookup: functions beside the types of arguments ([basic.lookup.argdep])."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from pycparser import c_ast

from ....lang.ctype import Array, CType, FunctionType, Pointer, Scalar, Struct
from ...parse import cxx
from ...parse.words import Node
from ..argument import Argument
from ..context import Part
from ..qualified import Qualified
from ..scopes import FunctionName, Functions, MemberName, Name, Scope, TemplateName, VariableName, flat
from ..templates.packs import names_in
from ..types.member_types import members_of


@dataclass
class Associated:
    """The entities that belong to a set of types ([basic.lookup.argdep]/3)."""

    classes: dict[Struct, None] = field(default_factory=dict)
    namespaces: dict[Scope, None] = field(default_factory=dict)


class ArgumentLookup(Part):
    """The checker's part for lookup by the types of arguments."""

    def candidates(
        self, entry: Functions | None, name: str, args: Sequence[Argument]
    ) -> list[FunctionName | TemplateName]:
        """Return the functions that an unqualified call means: those found by ordinary lookup and by the arguments.

        `entry` is what ordinary lookup found. If that is a class member, or declared in a block, the arguments add
        nothing ([basic.lookup.argdep]/1).
        """
        found = list(entry.candidates) if entry is not None else []
        if any(one.owner is not None for one in found) or (entry is not None and entry.local):
            return found
        near = self.associated(args)
        beside = [
            one
            for scope in near.namespaces
            if isinstance(more := scope.names.get(name), Functions)
            for one in more.candidates
        ]
        limit = self.s.scopes.limit
        if limit and any(one.since > limit for one in beside) and not any(map(self._is_dependent, args)):
            beside = [one for one in beside if one.since <= limit]  # ([temp.nondep])
        found += beside
        for struct in near.classes:
            info = self.s.structs.classes.get(struct)
            if info is not None:
                found += info.friends.get(name, ())
        return list(dict.fromkeys(found))

    def in_dependent_bases(self, name: str, args: Sequence[Argument]) -> Functions | None:
        """Return the functions that only a dependent base of a class around declares.

        The standard has no unqualified name looked up there ([temp.dep]/3), so the call would be ill-formed. nvcc takes
        a call with dependent arguments for one of these where nothing else has the name.
        """
        if not any(map(self._is_dependent, args)):
            return None
        for region in self.s.scopes.regions():
            for scope in region.scopes:
                if scope.dependent and isinstance(entry := scope.find(name), Functions) and entry.candidates:
                    return entry
        return None

    def _is_dependent(self, arg: Argument) -> bool:
        """Whether the type of an argument in a template may be dependent ([temp.dep.expr]); true in case of doubt."""
        return not all(map(self._is_known, names_in(arg.node)))

    def _is_known(self, name: str) -> bool:
        """Whether a name in a template denotes the same in all instances."""
        for region in self.s.scopes.regions():
            found = region.find(name)
            if found is None:
                continue
            if region.scopes[0].kind == "namespace":
                return True
            declared = self._declaration(name, found)
            if not isinstance(declared, c_ast.Decl | c_ast.Typename):
                return False
            if _is_inferred(declared.type):
                init = getattr(declared, "init", None)
                return init is not None and name not in (used := set(names_in(init))) and all(map(self._is_known, used))
            return name not in (used := set(names_in(declared.type))) and all(map(self._is_known, used))
        return name != "this"  # the name of a member after a dot

    def _declaration(self, name: str, found: Name) -> Node | None:
        """Return the declaration of a local variable, a parameter or a data member in a template."""
        match found:
            case VariableName(variable=variable) if variable in self.s.current.declared:
                return self.s.current.declared[variable]
            case VariableName() if self.s.current.bodies and (node := self.s.current.body.function.node) is not None:
                signature = node.decl.type
                params = signature.args.params if isinstance(signature, c_ast.FuncDecl) and signature.args else ()
                return next((one for one in params if getattr(one, "name", None) == name), None)
            case MemberName(owner=owner) if owner in self.s.structs.classes:
                field = self.s.structs.classes[owner].fields.get(name)
                return field.node if field is not None else None
        return None

    def associated(self, args: Iterable[Argument]) -> Associated:
        """Return the classes and namespaces that belong to the types of arguments."""
        found = Associated()
        for arg in args:
            for ctype in self._types_of(arg):
                self._add_type(ctype, found)
        return found

    def _types_of(self, arg: Argument) -> Iterator[CType]:
        """Yield the type of an argument; of overloaded functions, those of all ([basic.lookup.argdep]/3)."""
        if arg.term is not None:
            yield arg.term.type
        for one in arg.functions.candidates if arg.functions is not None else ():
            if isinstance(one, FunctionName):
                yield from (param.type for param in one.params)
                if one.result is not None:
                    yield one.result.type

    def _add_type(self, ctype: CType, found: Associated) -> None:
        match ctype:
            case Pointer():
                self._add_type(ctype.target, found)
            case Array():
                self._add_type(ctype.element, found)
            case FunctionType():
                for one in (ctype.result, *ctype.params):
                    self._add_type(one, found)
            case Struct():
                self._add_class(ctype, found)
            case Scalar() if ctype.enum is not None:
                self._add_home(self.s.structs.homes.get(ctype.enum, ()), found)
            case Scalar() if (members := members_of(ctype)) is not None:
                result, params = members.called or (members.target, ())
                kinds = [members.owner, *(one.type for one in (result, *params) if one is not None)]
                for kind in kinds:
                    if kind is not None:
                        self._add_type(kind, found)

    def _add_class(self, struct: Struct, found: Associated) -> None:
        """Add a class, its bases, the class of which it is a member, and what its template arguments bring."""
        if struct in found.classes:
            return
        found.classes[struct] = None
        self.s.classes.complete(struct)
        info = self.s.structs.classes.get(struct)
        self._add_home(info.scopes if info is not None else self.s.structs.homes.get(struct, ()), found)
        if info is None:
            return
        for base in info.bases:
            self._add_class(base.struct, found)
        for arg in flat(info.args):
            if isinstance(arg, Qualified):
                self._add_type(arg.type, found)
            elif isinstance(arg, TemplateName):
                self._add_home(arg.scopes, found)

    def _add_home(self, scopes: Sequence[Scope], found: Associated) -> None:
        """Add the namespace in which something is declared, with the inline namespaces around and in it.

        A class in which it is declared belongs to it too.
        """
        owner = next((scope.owner for scope in reversed(scopes) if scope.kind in ("class", "namespace")), None)
        if owner is not None:
            found.classes.setdefault(owner)
        spaces = [scope for scope in scopes if scope.kind == "namespace"] or [self.s.scopes.file_scope]
        home = spaces.pop()
        while spaces and home in spaces[-1].inline:
            home = spaces.pop()
        homes = [home]
        for scope in homes:
            homes += scope.inline
        found.namespaces.update(dict.fromkeys(homes))


def _is_inferred(declarator: Node) -> bool:
    """Whether a variable is declared with `auto`."""
    while not isinstance(declarator, c_ast.TypeDecl):
        if not hasattr(declarator, "type"):
            return True
        declarator = declarator.type
    return not isinstance(declarator.type, c_ast.IdentifierType | cxx.Name)
