"""What the parts of the checker share: scopes, what a name stands for, and how faults are gathered."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NoReturn

from ...diag import Diagnostic, Note
from ...lang.ctype import CType, Scalar, Struct
from ...source import Span
from ...tree.nodes import Constant, Declare, FunctionKind, Variable
from ..items import HostOnly
from ..words import Node


class Reported(Exception):
    """A fault was found and recorded; whoever catches this goes on with the next independent thing."""


@dataclass(frozen=True)
class Qualified:
    """A type as declared: with the qualifiers of the object itself (for an array, of its elements)."""

    type: CType
    const: bool = False
    volatile: bool = False
    restrict: bool = False


# ------------------------------------------------------------------------------- what a name stands for


@dataclass(frozen=True)
class VariableName:
    """`value` is set where the variable is const and its value known: a use of it is that constant."""

    span: Span
    variable: Variable
    value: Constant | None = None


@dataclass(frozen=True)
class TypeName:
    span: Span
    type: Qualified


@dataclass(frozen=True)
class EnumeratorName:
    span: Span
    type: Scalar
    value: int


@dataclass(frozen=True)
class Parameter:
    """`default` is the syntax tree of a default argument."""

    name: str
    span: Span
    type: CType
    const: bool
    default: Node | None = None
    restrict: bool = False


@dataclass
class FunctionName:
    """A device function or kernel, from its first declaration on. `defined` is where its body stands."""

    span: Span
    name: str
    kind: FunctionKind
    params: tuple[Parameter, ...]
    result: CType
    defined: Span | None = None


@dataclass(frozen=True)
class Unusable:
    """A name whose declaration was faulty: uses of it say nothing more. With `why`, the name is the host's alone."""

    span: Span
    why: HostOnly | None = None


Name = VariableName | TypeName | EnumeratorName | FunctionName | Unusable


@dataclass
class Scope:
    """The names and the tags that one pair of braces declares."""

    names: dict[str, Name] = field(default_factory=dict)
    tags: dict[str, Struct | Scalar] = field(default_factory=dict)


class Base:
    """The state of the checker while it walks a file."""

    def __init__(self, host_only: dict[str, HostOnly]) -> None:
        self.faults: list[Diagnostic] = []
        self.scopes = [Scope()]
        self.structs: list[Struct] = []
        self.specifiers: dict[Node, Struct | Scalar] = {}  # what each `struct ...` and `enum ...` of the text names
        self.tags: set[str] = set()
        self.host_only = host_only
        self.has_bit_fields = False
        self.const_members: set[tuple[Struct, str]] = set()
        self.shared_variables: list[Variable] = []  # of the file
        self.used_constants: dict[Variable, None] = {}
        self.hidden: list[Declare] = []  # variables for the values of `(T){...}`, declared before the statement at hand
        self.hidden_count = 0
        self.elsewhere: dict[str, Span] = {}  # every function of the file, also those further down
        self.called: dict[str, Span] = {}  # where each device function is first called

    def fail(self, span: Span, message: str, *notes: Note, help: str | None = None) -> NoReturn:
        """Record a fault and leave whatever depends on it."""
        self.report(Diagnostic(span, message, notes, help))
        raise Reported

    def report(self, diagnostic: Diagnostic) -> None:
        self.faults.append(diagnostic)

    # ------------------------------------------------------------------------------------------ names

    def lookup(self, name: str) -> Name | None:
        return next((scope.names[name] for scope in reversed(self.scopes) if name in scope.names), None)

    def lookup_tag(self, tag: str) -> Struct | Scalar | None:
        return next((scope.tags[tag] for scope in reversed(self.scopes) if tag in scope.tags), None)

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


def did_you_mean(name: str, candidates: Iterable[str]) -> str | None:
    close = difflib.get_close_matches(name, list(candidates), 1, 0.7)
    return f"did you mean '{close[0]}'?" if close else None
