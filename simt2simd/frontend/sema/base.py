"""What all parts of the checker do: they report faults, enter and leave scopes, declare names and look them up."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import NoReturn

from ...diag import Diagnostic, Note
from ...lang.ctype import Scalar, Struct
from ...source import Span
from ..items import HostOnly
from ..words import host_only_use
from .identifiers import identifier, unique
from .parts import Parts
from .scopes import Name, Reported, Scope, Unusable

_MOST_ASKED = 5  # notes that say which instances of templates a fault is in


class Base(Parts):
    """The checker's part that all others need."""

    def fail(self, span: Span, message: str, *notes: Note, help: str | None = None) -> NoReturn:
        """Record a fault and leave whatever depends on it."""
        self.report(Diagnostic(span, message, notes, help))
        raise Reported

    def report(self, diagnostic: Diagnostic) -> None:
        if self.asked:
            asked = [*reversed(self.asked)]
            if len(asked) > _MOST_ASKED:
                asked = [*asked[: _MOST_ASKED - 1], asked[-1]]  # the last one stands where the program's own code asks
            diagnostic = replace(diagnostic, notes=(*diagnostic.notes, *asked))
        self.faults.append(diagnostic)

    def refuse_unusable(self, name: str, span: Span, entry: Unusable) -> NoReturn:
        """Leave what uses a name whose declaration was faulty; the message about that is enough."""
        if entry.why is not None:
            self.report(host_only_use(name, span, entry.why))
        elif not (self.has_syntax_faults or self.heard or self.host_faults):
            note = Note(entry.span, f"'{name}' is declared here")
            self.report(Diagnostic(span, f"'{name}' cannot be used in device code", (note,)))
        raise Reported

    @contextlib.contextmanager
    def aloud(self) -> Iterator[None]:
        """Do something whose faults the user reads even while something is only tried: the body of an instance."""
        before, self.faults = self.faults, self.heard
        try:
            yield
        finally:
            self.faults = before

    @property
    def file_scope(self) -> Scope:
        return self._file_scope

    @property
    def namespace(self) -> Scope:
        """The innermost namespace, or the file scope."""
        return next(scope for scope in reversed(self.scopes) if scope.kind == "namespace")

    @contextlib.contextmanager
    def inside(self, *scopes: Scope) -> Iterator[None]:
        """Enter these scopes, the innermost last, and leave them at the end."""
        count = len(self.scopes)
        self.scopes.extend(scopes)
        try:
            yield
        finally:
            del self.scopes[count:]

    @contextlib.contextmanager
    def instead(self, scopes: Iterable[Scope]) -> Iterator[None]:
        """Stand in these scopes, the innermost last, and return to the present ones at the end."""
        before, self.scopes = self.scopes, list(scopes)
        try:
            yield
        finally:
            self.scopes = before

    # ------------------------------------------------------------------------------------------ names

    def lookup(self, name: str) -> Name | None:
        return next((found for scope in reversed(self.scopes) if (found := scope.find(name)) is not None), None)

    def lookup_tag(self, tag: str) -> Struct | Scalar | None:
        return next((found for scope in reversed(self.scopes) if (found := scope.find_tag(tag)) is not None), None)

    def declare(self, name: str, entry: Name) -> None:
        """Enter `name` into the innermost scope; a second declaration of it there is a fault."""
        scope = self.scopes[-1]
        before = scope.names.get(name)
        if before is not None and not isinstance(before, Unusable):
            note = Note(before.span, f"'{name}' is first declared here")
            self.report(Diagnostic(entry.span, f"'{name}' is declared twice in the same scope", (note,)))
        scope.names[name] = entry

    def make_unusable(self, name: str, span: Span, why: HostOnly | None = None) -> None:
        self.scopes[-1].names.setdefault(name, Unusable(span, why))

    def visible_names(self) -> Iterable[str]:
        for scope in self.scopes:
            yield from scope.names

    def prefix(self) -> str:
        """Return what stands before the names that the present scope declares: `geo::`, `geo::Point::`."""
        return next((scope.shown for scope in reversed(self.scopes) if scope.shown), "")

    def unique_key(self, shown: str) -> str:
        """Return an identifier for a function that no other one of the module has."""
        return unique(identifier(shown) + self.mark, self.keys)
