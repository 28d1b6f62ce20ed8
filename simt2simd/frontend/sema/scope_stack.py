"""The scopes around what is being checked: names are declared in the innermost one and looked up from there."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import NamedTuple

from ...diag import Diagnostic, Note
from ...lang.ctype import Scalar, Struct
from ...source import NOWHERE, Span
from ..text.top_level import HostOnly
from .declared_names import Clock, DeclaredNames
from .diagnostics import Diagnostics
from .restore import restoring
from .scopes import Name, NamespaceName, Scope, Unusable, merged


class Region(NamedTuple):
    """Scopes that are searched together, and the time after which their declarations do not count; 0 for none."""

    scopes: Sequence[Scope]
    limit: int

    @property
    def is_class(self) -> bool:
        return self.scopes[0].kind == "class"

    def find(self, name: str) -> Name | None:
        if len(self.scopes) > 1:
            return merged(self.scopes, name, self.limit)
        only = self.scopes[0]
        return only.find(name, member=False) if only.kind == "class" else only.declared(name, self.limit)

    def find_tag(self, tag: str) -> Struct | Scalar | None:
        if self.is_class:
            return self.scopes[0].find_tag(tag, member=False)
        found = (scope.declared_tag(tag, self.limit) for scope in self.scopes)
        return next((one for one in found if one is not None), None)


class ScopeStack:
    """The scopes around what is being checked, the innermost last."""

    def __init__(self, diagnostics: Diagnostics, host_only: Mapping[str, HostOnly]) -> None:
        self.diagnostics = diagnostics
        self.host_only = host_only  # names of the file that only the host knows
        self.clock = Clock()
        self.file_scope = self.new_namespace("", None)
        self.std = self.new_namespace("std::", self.file_scope)
        self.file_scope.names["std"] = NamespaceName(NOWHERE, self.std)
        self.stack = [self.file_scope]
        self.namespaces = 0  # of the program
        self.has_friends = False  # functions that only friend declarations declare
        self.unnamed: dict[Scope, NamespaceName] = {}  # the unnamed namespace in each scope that has one

    def new_namespace(self, shown: str, parent: Scope | None) -> Scope:
        """Return the scope of a namespace inside `parent`."""
        names: DeclaredNames[Name] = DeclaredNames(self.clock)
        tags: DeclaredNames[Struct | Scalar] = DeclaredNames(self.clock)
        return Scope(names, tags, kind="namespace", shown=shown, parent=parent)

    def join_cuda_std(self) -> None:
        """Make cuda::std the same as std, as our own headers have it."""
        cuda = self.new_namespace("cuda::", self.file_scope)
        cuda.names["std"] = self.file_scope.names["std"]
        self.file_scope.names["cuda"] = NamespaceName(NOWHERE, cuda)

    @property
    def namespace(self) -> Scope:
        """The innermost namespace, or the file scope."""
        return next(scope for scope in reversed(self.stack) if scope.kind == "namespace")

    @contextlib.contextmanager
    def inside(self, *scopes: Scope) -> Iterator[None]:
        """Enter these scopes, the innermost last, and leave them at the end."""
        count = len(self.stack)
        self.stack.extend(scopes)
        try:
            yield
        finally:
            del self.stack[count:]

    def instead(self, scopes: Iterable[Scope]) -> AbstractContextManager[None]:
        """Enter these scopes, the innermost last, and return to the present ones at the end."""
        return restoring(self, stack=list(scopes))

    def lookup(self, name: str) -> Name | None:
        """Return what a name denotes here."""
        return next((found for region in self.regions() if (found := region.find(name)) is not None), None)

    def lookup_tag(self, tag: str) -> Struct | Scalar | None:
        """Return the struct or the enumeration that has this tag here."""
        return next((found for region in self.regions() if (found := region.find_tag(tag)) is not None), None)

    @property
    def limit(self) -> int:
        """The time at which the innermost template around was defined; 0 outside of templates."""
        return min((scope.limit for scope in self.stack if scope.limit), default=0)

    def regions(self) -> Iterator[Region]:
        """Yield what is searched for an unqualified name, the innermost first ([basic.lookup.unqual]).

        The names of a namespace that a using-directive nominates count as those of the nearest namespace that holds
        both it and the directive ([namespace.udir]/2).
        """
        limit, nominated = 0, list[Scope]()
        for scope in reversed(self.stack):
            if scope.limit:
                limit = min(limit, scope.limit) if limit else scope.limit
            if scope.nominated:
                nominated += scope.all_nominated()
            if scope.kind != "namespace":
                yield Region((scope,), limit)
                continue
            spaces = scope.set_of()
            if nominated:
                outermost = scope is self.stack[0]
                spaces += [one for one in nominated if (outermost or one.is_inside(scope)) and one not in spaces]
                nominated = [one for one in nominated if one not in spaces]
            yield Region(spaces, limit)

    def declare(self, name: str, entry: Name) -> None:
        """Enter `name` into the innermost scope; a second declaration of it there is a fault."""
        scope = self.stack[-1]
        before = scope.names.get(name)
        if before is not None and not isinstance(before, Unusable):
            note = Note(before.span, f"'{name}' is first declared here")
            twice = f"'{name}' is declared twice in the same scope"
            self.diagnostics.report(Diagnostic(entry.span, twice, (note,)))
        scope.names[name] = entry

    def make_unusable(self, name: str, span: Span, why: HostOnly | None = None) -> None:
        """Enter a name whose declaration is faulty, or for the host alone."""
        self.stack[-1].names.setdefault(name, Unusable(span, why))

    def visible_names(self) -> Iterable[str]:
        """Yield all names that denote something here."""
        for scope in self.stack:
            yield from scope.names

    def prefix(self) -> str:
        """Return what precedes the names that the present scope declares: `geo::`, `geo::Point::`."""
        return next((scope.shown for scope in reversed(self.stack) if scope.shown), "")
