"""What the checker knows of a class beside the layout of its objects."""

from __future__ import annotations

from dataclasses import dataclass, field

from ...lang.ctype import Struct
from ...source import Span
from ..parse.words import Node
from .qualified import Qualified
from .scopes import Bindings, FunctionName, Functions, Scope, TemplateArgument, TemplateName

VPTR = "vptr"


@dataclass(frozen=True)
class BaseClass:
    """A base of a class: a member without a name of its own, `field`, `offset` bytes from the beginning."""

    struct: Struct
    field: str
    offset: int


@dataclass(frozen=True)
class FieldInfo:
    """A data member as it is declared. `init` is the syntax tree of its initialiser, `node` the declaration."""

    type: Qualified
    span: Span
    init: Node | None = None
    node: Node | None = None


@dataclass(eq=False)
class ClassInfo:
    """What the checker knows of a struct beside its layout. `scopes` are those around it.

    `virtual` are its virtual functions, its bases' included, the last overriders. `made` caches the functions that the
    compiler makes: "construct", "copy", "assign", "destroy"; None where nothing is to be done. `empty`: its objects
    hold nothing. `base_size`: how many bytes belong to it where it is a base: with its padding if it is `plain`, a POD.
    `pattern` and `args`: the template of which it is an instance, and its arguments. `chosen`: the template itself or
    the specialisation that defines the instance, whose parameters are `bindings`.
    `mixes_access`: its data members have not all the same access.
    `has_friends`: it declares friends, whatever they are.
    `friends`: the functions of namespaces that its friend declarations declare, by their names. `defined`: the end of
    its definition was reached, so that all its members are declared.
    """

    struct: Struct
    scope: Scope
    scopes: tuple[Scope, ...]
    name: str = ""
    bases: tuple[BaseClass, ...] = ()
    fields: dict[str, FieldInfo] = field(default_factory=dict)
    constructors: Functions | None = None
    destructor: FunctionName | None = None
    conversions: list[FunctionName | TemplateName] = field(default_factory=list)
    pattern: TemplateName | None = None
    args: tuple[TemplateArgument, ...] = ()
    chosen: TemplateName | None = None
    bindings: Bindings = field(default_factory=dict)
    virtual: list[FunctionName] = field(default_factory=list)
    made: dict[str, FunctionName | None] = field(default_factory=dict)
    polymorphic: bool = False
    plain: bool = True
    final: bool = False
    mixes_access: bool = False
    has_friends: bool = False
    empty: bool = False
    base_size: int = 0
    host_members: dict[str, object] = field(default_factory=dict)
    is_lambda: bool = False
    defined: bool = False
    friends: dict[str, list[FunctionName | TemplateName]] = field(default_factory=dict)

    @property
    def virtual_destructor(self) -> FunctionName | None:
        """Its virtual destructor, or that of a base, which its own one overrides."""
        return next((one for one in self.virtual if one.name.startswith("~")), None)


def is_pure(function: FunctionName, struct: Struct) -> bool:
    """Whether a virtual function of a class is pure; a derived class always has a destructor of its own."""
    return "=0" in function.words and (function.owner is struct or not function.name.startswith("~"))


def overrides(function: FunctionName, other: FunctionName) -> bool:
    """Whether a method overrides a virtual one of a base."""
    if function.name.startswith("~") and other.name.startswith("~"):
        return True
    return (
        function.name == other.name
        and function.qualifiers == other.qualifiers
        and [p.qualified.stored for p in function.params] == [p.qualified.stored for p in other.params]
    )
