"""What a name denotes, and the scopes that declare names."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from pycparser import c_ast

from ...diag import Diagnostic
from ...lang.ctype import CType, FunctionType, MethodQualifiers, Pointer, Scalar, Struct
from ...source import NOWHERE, Span
from ...tree.nodes import Constant, FunctionKind, Place, Variable
from ..parse import cxx
from ..parse.words import Node
from ..text.top_level import HostOnly
from .declared_names import DeclaredNames
from .qualified import Qualified, function_type, type_key


class Reported(Exception):
    """A fault was found and recorded; a handler continues with the next independent construct."""


@dataclass
class SubstitutionAttempt:
    """Whether a substitution failed (SFINAE). Its diagnostics are not reported."""

    failed: bool = False


# ------------------------------------------------------------------------------- what a name denotes


@dataclass(frozen=True)
class VariableName:
    """`value` is set where the variable is const and its value known: a use of it is that constant.

    `reference`: the variable holds the address of what the name denotes. `alias`: the name denotes this place,
    and there is no variable. `binding`: it is a structured binding, and this its type by `decltype`.
    """

    span: Span
    variable: Variable
    value: Constant | None = None
    reference: Literal["", "&", "&&"] = ""
    alias: Place | None = None
    binding: Qualified | None = None


@dataclass(frozen=True)
class ValueName:
    """A constant that is no variable: a value that a template was given."""

    span: Span
    value: Constant


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
class MemberName:
    """A member of the class whose method is being checked."""

    span: Span
    owner: Struct
    name: str


@dataclass(frozen=True)
class PackName:
    """What a parameter pack denotes: one entry for each of its elements."""

    span: Span
    items: tuple[Name, ...]


@dataclass(frozen=True)
class Parameter:
    """`default` is the syntax tree of a default argument. `reference` as in `Qualified`.

    `pack`: the parameter pack of which it is an element.
    """

    name: str
    span: Span
    type: CType
    const: bool
    default: Node | None = None
    restrict: bool = False
    reference: Literal["", "&", "&&"] = ""
    volatile: bool = False
    pack: str = ""

    @property
    def qualified(self) -> Qualified:
        return Qualified(self.type, self.const, self.volatile, self.restrict, self.reference)


@dataclass(eq=False)
class FunctionName:
    """A device function or kernel, from its first declaration on. `defined` is where its body is.

    `key` names it in the tree; `shown` in messages. `result` is None until deduced, for `auto`. `scopes` are
    those around its declaration, `node` its definition. `owner`: the class of which it is a method; `static` methods
    have no `this`. `requires`: the condition after its parameters. `noexcept`: its exception specification, false
    without one; `never_throws`: its condition is known to hold. `pattern`: the template of which it is an instance, to
    which `depth` others led. `since`: when it was declared, by the clock of `DeclaredNames`. `packs`: the names of
    its parameter packs, also of those that have no elements.
    """

    span: Span
    name: str
    kind: FunctionKind
    params: tuple[Parameter, ...]
    result: Qualified | None
    defined: Span | None = None
    key: str = ""
    shown: str = ""
    scopes: tuple[Scope, ...] = ()
    node: cxx.Definition | None = None
    owner: Struct | None = None
    static: bool = False
    const: bool = False
    volatile: bool = False
    words: frozenset[str] = frozenset()
    pattern: TemplateName | None = None
    checked: bool = False
    constexpr: bool = False
    variadic: bool = False
    depth: int = 0
    ref: Literal["", "&", "&&"] = ""
    requires: Node | None = None
    noexcept: Node | bool = False
    never_throws: bool = False
    since: int = 0
    packs: tuple[str, ...] = ()
    known_signature: object = None

    @property
    def signature(self) -> object:
        """What distinguishes it from overloads: the types of its parameters, and the qualifiers of its object."""
        if self.known_signature is None:
            params = tuple((type_key(p.qualified.stored), p.reference) for p in self.params)
            self.known_signature = params, self.qualifiers
        return self.known_signature

    @property
    def qualifiers(self) -> tuple[bool, bool]:
        """Whether a method is const, and whether it is volatile."""
        return self.const, self.volatile

    @property
    def method_qualifiers(self) -> MethodQualifiers:
        """The qualifiers of a method that are a part of the type of a pointer to it."""
        return MethodQualifiers(self.const, self.volatile, self.ref)

    @property
    def this_type(self) -> Pointer:
        """The type of `this` in a method ([class.this])."""
        assert self.owner is not None
        return Pointer(self.owner, self.const, self.volatile)

    @property
    def type(self) -> FunctionType:
        assert self.result is not None
        noexcept = self.noexcept is True or self.never_throws
        return function_type(self.result, [p.qualified for p in self.params], noexcept=noexcept)

    @property
    def is_method(self) -> bool:
        return self.owner is not None and not self.static

    @property
    def of_both_sides(self) -> bool:
        return is_of_both_sides(self.words)


def declared_function(node: Node) -> c_ast.Decl | None:
    """Return what a node declares, if that is a function."""
    decl = node.decl if isinstance(node, cxx.Definition) else node
    return decl if isinstance(decl, c_ast.Decl) and isinstance(decl.type, c_ast.FuncDecl) else None


USER_PROVIDED = "user-provided"  # among a function's words: defaulted, but not where it is first declared


def is_of_both_sides(words: Iterable[str]) -> bool:
    """Whether what precedes a declaration gives it to the host and to the device."""
    return {"__host__", "__device__"} <= {*words}


@dataclass(eq=False)
class Functions:
    """The functions and function templates of one name in one scope. `given`: template arguments that were written.

    `builtins`: a using-declaration, `using ::min;`, names the built-in functions of this name too. `local`: a block
    declares them, so the types of arguments add none ([basic.lookup.argdep]/1).
    """

    span: Span
    name: str
    candidates: list[FunctionName | TemplateName]
    given: tuple[TemplateArgument, ...] | None = None
    builtins: bool = False
    local: bool = False


@dataclass(frozen=True)
class DroppedSpecialisation:
    """An explicit specialisation that device code cannot use, and why. `args`: None for what is not known."""

    span: Span
    args: tuple[TemplateArgument | None, ...]
    cause: Diagnostic


@dataclass(eq=False)
class TemplateName:
    """A template. `kind` says of what. `scopes` are those around it.

    `instances` are by the key of the arguments; `special` are explicit and partial specialisations, `dropped` those
    that device code cannot use. `owner`: the class of which a method template is a member. `guides`: the deduction
    guides of a class template. `primary`: the template of which it is a partial specialisation. `since`: when it was
    declared. `limit`: when it was defined, after which declarations are of no concern to it; 0 if none is too late.
    `undefined`: instances that a declaration of a function template has, with their arguments, until there is a
    definition.
    """

    span: Span
    name: str
    kind: Literal["function", "class", "variable", "alias", "concept"]
    node: cxx.Template
    scopes: tuple[Scope, ...]
    instances: dict[object, Name] = field(default_factory=dict)
    special: list[TemplateName] = field(default_factory=list)
    dropped: list[DroppedSpecialisation] = field(default_factory=list)
    guides: list[TemplateName] = field(default_factory=list)
    undefined: list[tuple[FunctionName, tuple[TemplateArgument, ...]]] = field(default_factory=list)
    owner: Struct | None = None
    primary: TemplateName | None = None
    shown: str = ""
    since: int = 0
    limit: int = 0


@dataclass(frozen=True)
class NamespaceName:
    span: Span
    scope: Scope


@dataclass(frozen=True)
class Unusable:
    """A name whose declaration was faulty: uses of it say nothing more. With `why`, the name is the host's alone."""

    span: Span
    why: HostOnly | None = None


@dataclass(frozen=True)
class Ambiguous(Unusable):
    """A name that several namespaces declare which are searched together ([namespace.udir]/6)."""

    entries: tuple[Name, ...] = ()

    @property
    def spans(self) -> list[Span]:
        """Where it is declared."""
        return [one.span for one in self.entries]

    def opening(self) -> Name | None:
        """Return what it denotes before `::`: a namespace, a type or a template ([basic.lookup.qual])."""
        left = tuple(one for one in self.entries if isinstance(one, TypeName | TemplateName | NamespaceName))
        return left[0] if len(left) == 1 else replace(self, entries=left) if left else None


# A type, a value, a template, or the elements of a pack.
TemplateArgument = Qualified | Constant | TemplateName | tuple["TemplateArgument", ...]

ParameterNode = c_ast.Decl | c_ast.Typename

# Members that are const, and const objects, which their constructors may write.
ConstMembers = set[tuple[Struct, str] | Variable]

Bindings = dict[str, TemplateArgument]  # what the parameters of a template denote, by their `name_key`

Name = (
    VariableName
    | ValueName
    | TypeName
    | EnumeratorName
    | MemberName
    | PackName
    | Functions
    | TemplateName
    | NamespaceName
    | Unusable
)


@dataclass(eq=False)
class Scope:
    """The names and the tags that one pair of braces declares.

    `shown` precedes its names in messages: "geo::". `also` are scopes whose names are visible here too: unnamed and
    inline namespaces, and the bases of a class, of which the `dependent` ones are searched for members only
    ([temp.dep]/3). `nominated`: the namespaces of `using namespace` here. `owner`: it is that class's. `parent`: the
    namespace around a namespace. `inline`: its inline namespaces. `limit`: of template parameters, when the template
    was defined; 0 if no declaration is too late for it. `friends`: functions that only friend declarations have
    declared here, which ordinary lookup does not find ([namespace.memdef]/3).
    `kind`: an "element" is one of an expanded pack.
    """

    names: dict[str, Name] = field(default_factory=dict)
    tags: dict[str, Struct | Scalar] = field(default_factory=dict)
    shown: str = ""
    also: list[Scope] = field(default_factory=list)
    dependent: frozenset[Scope] = frozenset()
    nominated: list[Scope] = field(default_factory=list)
    parent: Scope | None = None
    limit: int = 0
    inline: list[Scope] = field(default_factory=list)
    friends: dict[str, list[FunctionName | TemplateName]] = field(default_factory=dict)
    owner: Struct | None = None
    kind: Literal["block", "namespace", "class", "function", "template", "element"] = "block"
    cleanups: list[Variable] = field(default_factory=list)  # objects that are destroyed at the end

    def find(self, name: str, *, member: bool = True) -> Name | None:
        """Return what `name` denotes in this scope, and in those that are visible in it.

        A name hides those of bases ([class.member.lookup]), and those of namespaces that using-directives nominate
        ([namespace.qual]). `member`: it is looked for as a member, with an object or after `::`.
        """
        if self.kind == "class":
            own = self.names.get(name)
            if own is not None or not self.also or name in self.tags:
                return own
            bases = self.also if member or not self.dependent else [b for b in self.also if b not in self.dependent]
            return bases[0].find(name) if len(bases) == 1 else of_bases(bases, name)
        spaces = self.set_of()
        found = merged(spaces, name)
        if found is not None or not self.nominated or any(name in scope.tags for scope in spaces):
            return found
        return merged(self._nominated_declaring(name), name)

    def find_tag(self, tag: str, *, member: bool = True) -> Struct | Scalar | None:
        """Return the struct or the enumeration that has this tag, as `find` does."""
        if tag in self.tags or not (self.also or self.nominated):
            return self.tags.get(tag)
        if self.kind == "class":
            bases = self.also if member or not self.dependent else [b for b in self.also if b not in self.dependent]
            return next((found for base in bases if (found := base.find_tag(tag)) is not None), None)
        spaces = (*self.set_of(), *self._nominated_declaring(tag))
        return next((one.tags[tag] for one in spaces if tag in one.tags), None)

    def declared(self, name: str, limit: int = 0) -> Name | None:
        """Return what this scope itself declares by a name, but nothing that it declares after `limit`."""
        entry = self.names.get(name)
        if not limit or entry is None or not isinstance(self.names, DeclaredNames):
            return entry
        if self.names.since.get(name, 0) > limit:
            return None
        if not isinstance(entry, Functions) or all(one.since <= limit for one in entry.candidates):
            return entry
        known = [one for one in entry.candidates if one.since <= limit]
        return Functions(entry.span, name, known, builtins=entry.builtins) if known or entry.builtins else None

    def sole_tag(self, tag: str, limit: int = 0) -> Struct | Scalar | None:
        """Return what has a tag in this scope itself, unless something else hides it ([basic.scope.hiding]/2)."""
        return None if tag in self.names else self.declared_tag(tag, limit)

    def declared_tag(self, tag: str, limit: int = 0) -> Struct | Scalar | None:
        """Return what has a tag in this scope itself, as `declared` does."""
        if limit and isinstance(self.tags, DeclaredNames) and self.tags.since.get(tag, 0) > limit:
            return None
        return self.tags.get(tag)

    def set_of(self) -> list[Scope]:
        """Return this namespace, and the inline and unnamed ones in it, each once."""
        found = [self]
        for scope in found:
            found += [one for one in scope.also if one not in found]
        return found

    def all_nominated(self) -> list[Scope]:
        """Return the namespaces that using-directives nominate here, and in those themselves ([namespace.udir]/4)."""
        found: list[Scope] = []
        for one in self.nominated:
            found += [scope for scope in one.set_of() if scope not in found]
        for scope in found:
            for one in scope.nominated:
                found += [inner for inner in one.set_of() if inner not in found]
        return found

    def _nominated_declaring(self, name: str) -> list[Scope]:
        """Return the nominated namespaces that declare a name: it hides those nominated there ([namespace.qual]/2)."""
        found: list[Scope] = []
        seen = {self}
        todo = list(self.nominated)
        for one in todo:
            spaces = [scope for scope in one.set_of() if scope not in seen]
            seen.update(spaces)
            declaring = [scope for scope in spaces if name in scope.names or name in scope.tags]
            found += declaring
            todo += [] if declaring else [inner for scope in spaces for inner in scope.nominated]
        return found

    def is_inside(self, other: Scope) -> bool:
        """Whether this namespace is `other`, or a member of it at any depth."""
        scope: Scope | None = self
        while scope is not None and scope is not other:
            scope = scope.parent
        return scope is not None


def merged(scopes: Sequence[Scope], name: str, limit: int = 0) -> Name | None:
    """Return what `name` denotes in several namespaces together: functions of all of them are overloads.

    Declarations after `limit` do not count. A tag alone is none of the `names`. What our own headers declare gives way
    to what the program does: those of other libraries need not declare it.
    """
    found = [entry for scope in scopes if (entry := scope.declared(name, limit)) is not None]
    if all(isinstance(one, Functions) for one in found) and len(found) > 1:
        return _overloads([one for one in found if isinstance(one, Functions)])
    tags = (
        [] if len(scopes) < 2 else [_tag_name(tag) for one in scopes if (tag := one.sole_tag(name, limit)) is not None]
    )
    distinct: list[Name] = []
    for one in (*found, *tags):
        if not any(_is_same(one, other) for other in distinct):
            distinct.append(one)
    if len(distinct) > 1:
        distinct = [one for one in distinct if not one.span.source.library] or distinct
    if len(distinct) > 1:
        return Ambiguous(distinct[0].span, entries=tuple(distinct))
    return distinct[0] if found or len(tags) > 1 else None


def of_bases(bases: Sequence[Scope], name: str) -> Name | None:
    """Return what `name` denotes in several bases of a class: it must be one entity ([class.member.lookup])."""
    distinct: list[Name] = []
    for base in bases:
        found = base.find(name)
        if found is None and (tag := base.find_tag(name)) is not None:
            found = _tag_name(tag)
        if found is not None and not any(is_same_member(found, other) for other in distinct):
            distinct.append(found)
    return Ambiguous(distinct[0].span, entries=tuple(distinct)) if len(distinct) > 1 else next(iter(distinct), None)


def is_same_member(one: Name, other: Name) -> bool:
    """Whether what two bases have by one name is the same declaration, which using-declarations may have brought."""
    if isinstance(one, Functions) and isinstance(other, Functions):
        return one.candidates == other.candidates
    return one == other


def _tag_name(tag: Struct | Scalar) -> TypeName:
    enum = tag.enum if isinstance(tag, Scalar) else None
    span = tag.span if isinstance(tag, Struct) else enum.span if enum is not None else NOWHERE
    return TypeName(span, Qualified(tag))


def _overloads(several: list[Functions]) -> Functions:
    functions = dict.fromkeys(candidate for one in several for candidate in one.candidates)
    first = several[0]
    return Functions(first.span, first.name, list(functions), builtins=any(one.builtins for one in several))


def _is_same(one: Name, other: Name) -> bool:
    """Whether two declarations of a name declare the same entity."""
    match one, other:
        case TypeName(type=first), TypeName(type=second):
            alike = type_key(first.stored) == type_key(second.stored)
            return alike and (first.const, first.volatile) == (second.const, second.volatile)
        case NamespaceName(scope=space), NamespaceName(scope=other_space):
            return space is other_space
        case EnumeratorName(), EnumeratorName():
            return one == other
    return one is other


def flat(args: Sequence[TemplateArgument]) -> tuple[TemplateArgument, ...]:
    """Return arguments as they are written, packs spread out."""
    return tuple(one for arg in args for one in (arg if isinstance(arg, tuple) else (arg,)))
