"""Scopes of the parser: which names are types, templates and namespaces. What they mean is for `check` to find out."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

Kind = Literal["type", "value", "concept", "namespace", "unknown"]


@dataclass(eq=False, slots=True)
class Known:
    """What a name is. `scope` holds the members of a class or a namespace, if the parser has seen them.

    "unknown" is for a name whose declaration says too little, such as that of `using std::sort`. `library`: another
    name of namespace std or cuda.
    """

    kind: Kind
    template: bool = False
    scope: Scope | None = None
    library: bool = False


class Scope:
    """The names of a block, a class or a namespace.

    `searched` are the scopes whose members count as its own: of base classes, used and inline namespaces.
    """

    __slots__ = ("class_name", "header", "names", "parent", "path", "searched")

    def __init__(
        self, parent: Scope | None, *, class_name: str = "", path: str | None = None, header: bool = False
    ) -> None:
        self.parent = parent
        self.names: dict[str, Known] = {}
        self.searched: list[Scope] = []
        self.class_name = class_name
        self.path = path  # "a::b" of a namespace, "" of the file, None of all others
        self.header = header  # of template parameters, or of a class that a declaration outside it names

    def find(self, name: str) -> Known | None:
        """Look `name` up here and in all enclosing scopes."""
        scope: Scope | None = self
        while scope is not None:
            found = scope.names.get(name) or (scope.searched and scope.member(name))
            if found:
                return found
            scope = scope.parent
        return None

    def member(self, name: str) -> Known | None:
        """Look `name` up as in `scope::name`."""
        reached: list[Scope] = [self]  # with all that are searched with it, each once
        for scope in reached:
            if found := scope.names.get(name):
                return found
            for other in scope.searched:
                if other not in reached:
                    reached.append(other)
        return None

    def namespace_path(self) -> str:
        """Return the path of the innermost namespace, "" at file scope."""
        scope: Scope | None = self
        while scope is not None and scope.path is None:
            scope = scope.parent
        return scope.path or "" if scope is not None else ""

    def in_function(self) -> bool:
        scope = self
        while scope.header and scope.parent is not None:
            scope = scope.parent
        return scope.path is None and not scope.class_name

    def visible(self) -> Iterator[str]:
        """Yield the names of the types that can be seen from here."""
        scope: Scope | None = self
        while scope is not None:
            for name, known in scope.names.items():
                if known.kind == "type":
                    yield name
            scope = scope.parent
