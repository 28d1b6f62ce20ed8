"""The scopes around what is being checked: names are declared in the innermost one and looked up from there."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import AbstractContextManager

from ...diag import Diagnostic, Note
from ...lang.ctype import Scalar, Struct
from ...source import NOWHERE, Span
from ..text.top_level import HostOnly
from .diagnostics import Diagnostics
from .restore import restoring
from .scopes import Name, NamespaceName, Scope, Unusable


class ScopeStack:
    """The scopes around what is being checked, the innermost last."""

    def __init__(self, diagnostics: Diagnostics, host_only: Mapping[str, HostOnly]) -> None:
        self.diagnostics = diagnostics
        self.host_only = host_only  # names of the file that only the host knows
        self.file_scope = Scope(kind="namespace")
        self.std = Scope(kind="namespace", shown="std::")
        self.file_scope.names["std"] = NamespaceName(NOWHERE, self.std)
        self.stack = [self.file_scope]
        self.namespaces = 0  # of the program
        self.has_friends = False  # functions that only friend declarations declare
        self.unnamed: dict[Scope, NamespaceName] = {}  # the unnamed namespace in each scope that has one

    def join_cuda_std(self) -> None:
        """Make cuda::std the same as std, as our own headers have it."""
        cuda = Scope(kind="namespace", shown="cuda::")
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
        return next((found for scope in reversed(self.stack) if (found := scope.find(name)) is not None), None)

    def lookup_tag(self, tag: str) -> Struct | Scalar | None:
        """Return the struct or the enumeration that has this tag here."""
        return next((found for scope in reversed(self.stack) if (found := scope.find_tag(tag)) is not None), None)

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
