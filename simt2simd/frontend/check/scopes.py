"""What the parts of the checker share: scopes, what a name stands for, and how faults are gathered."""

from __future__ import annotations

import contextlib
import difflib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import Literal, NoReturn

from ...diag import Diagnostic, Note
from ...lang.ctype import Array, CType, Enumeration, FunctionType, Pointer, Scalar, Struct
from ...source import Span
from ...tree.nodes import Constant, Content, Declare, Expr, Function, FunctionKind, Place, Variable, VarRef
from .. import cxx
from ..items import HostOnly
from ..words import Node, host_only_use


class Reported(Exception):
    """A fault was found and recorded; whoever catches this goes on with the next independent thing."""


@dataclass(frozen=True)
class Qualified:
    """A type as declared: with the qualifiers of the object itself (for an array, of its elements).

    `reference` says that a name of this type is another name of an object that exists.
    """

    type: CType
    const: bool = False
    volatile: bool = False
    restrict: bool = False
    reference: Literal["", "&", "&&"] = ""

    def __str__(self) -> str:
        words = "const " * self.const + "volatile " * self.volatile
        if isinstance(self.type, Pointer):
            return f"{self.type} {words}{self.reference}".rstrip()
        return f"{words}{self.type}{' ' * bool(self.reference)}{self.reference}"

    @property
    def stored(self) -> CType:
        """The type of the variable that holds it: that of an address for a reference."""
        return Pointer(self.type, self.const, self.volatile) if self.reference else self.type


# ------------------------------------------------------------------------------- what a name stands for


@dataclass(frozen=True)
class VariableName:
    """`value` is set where the variable is const and its value known: a use of it is that constant.

    `reference`: the variable holds the address of what the name stands for. `alias`: the name stands for this place,
    and there is no variable.
    """

    span: Span
    variable: Variable
    value: Constant | None = None
    reference: Literal["", "&", "&&"] = ""
    alias: Place | None = None


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
    """What a parameter pack stands for: one entry for each of its elements."""

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
    """A device function or kernel, from its first declaration on. `defined` is where its body stands.

    `key` names it in the tree; `shown` in messages. `result` is None until the body tells, for `auto`. `scopes` are
    those around its declaration, `node` its definition. `owner`: the class of which it is a method; `static` methods
    have no `this`. `pattern`: the template of which it is an instance.
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
    words: frozenset[str] = frozenset()
    pattern: TemplateName | None = None
    checked: bool = False
    constexpr: bool = False
    variadic: bool = False

    @property
    def type(self) -> FunctionType:
        assert self.result is not None
        return FunctionType(self.result.stored, tuple(p.qualified.stored for p in self.params))

    @property
    def is_method(self) -> bool:
        return self.owner is not None and not self.static


@dataclass(eq=False)
class Functions:
    """The functions and function templates of one name in one scope. `given`: template arguments that were written."""

    span: Span
    name: str
    candidates: list[FunctionName | TemplateName]
    given: tuple[TemplateArgument, ...] | None = None


@dataclass(eq=False)
class TemplateName:
    """A template. `kind` says of what. `scopes` are those around it.

    `instances` are by the key of the arguments; `special` are explicit and partial specialisations. `owner`: the class
    of which a method template is a member.
    """

    span: Span
    name: str
    kind: Literal["function", "class", "variable", "alias"]
    node: cxx.Template
    scopes: tuple[Scope, ...]
    instances: dict[object, Name] = field(default_factory=dict)
    special: list[TemplateName] = field(default_factory=list)
    owner: Struct | None = None
    shown: str = ""


@dataclass(frozen=True)
class NamespaceName:
    span: Span
    scope: Scope


@dataclass(frozen=True)
class Unusable:
    """A name whose declaration was faulty: uses of it say nothing more. With `why`, the name is the host's alone."""

    span: Span
    why: HostOnly | None = None


# A type, a value, a template, or the elements of a pack.
TemplateArgument = Qualified | Constant | TemplateName | tuple["TemplateArgument", ...]

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

    `shown` is what stands before its names in messages: "geo::". `also` are scopes whose names are visible here too:
    unnamed and inline namespaces, those of `using namespace`, and the bases of a class. `owner`: it is that class's.
    """

    names: dict[str, Name] = field(default_factory=dict)
    tags: dict[str, Struct | Scalar] = field(default_factory=dict)
    shown: str = ""
    also: list[Scope] = field(default_factory=list)
    owner: Struct | None = None
    kind: Literal["block", "namespace", "class", "function", "template"] = "block"
    cleanups: list[Variable] = field(default_factory=list)  # objects that are destroyed at the end

    def find(self, name: str) -> Name | None:
        """Return what `name` stands for in this scope, and in those that are visible in it."""
        if name in self.names or not self.also:
            return self.names.get(name)
        return next((scope.names[name] for scope in self._visible() if name in scope.names), None)

    def find_tag(self, tag: str) -> Struct | Scalar | None:
        if tag in self.tags or not self.also:
            return self.tags.get(tag)
        return next((scope.tags[tag] for scope in self._visible() if tag in scope.tags), None)

    def _visible(self) -> list[Scope]:
        """Return this scope and all whose names are visible in it, each once."""
        found = [self]
        for scope in found:
            found += [one for one in scope.also if one not in found]
        return found


class Base:
    """The state of the checker while it walks a file."""

    def __init__(self, host_only: dict[str, HostOnly]) -> None:
        self.faults: list[Diagnostic] = []
        self.heard = self.faults  # those that the user reads: while something is only tried, `faults` is another list
        self.has_syntax_faults = False
        self._file_scope = Scope(kind="namespace")
        self.scopes = [self._file_scope]
        self.structs: list[Struct] = []
        self.specifiers: dict[Node, Struct | Scalar] = {}  # what each `struct ...` and `enum ...` of the text names
        self.tags: set[str] = set()
        self.keys: set[str] = set()  # of functions
        self.enumerators: dict[Enumeration, Scope] = {}
        self.enum_homes: dict[Enumeration | None, Scope] = {}  # the namespaces in which they are declared
        self.host_only = host_only
        self.has_bit_fields = False
        self.const_members: set[tuple[Struct, str]] = set()
        self.shared_variables: list[Variable] = []  # of the file
        self.used_constants: dict[Variable, None] = {}
        self.known_values: dict[Variable, Constant] = {}  # of constants that are numbers
        self.variables: dict[Variable, Content] = {}  # of the file, known to the host
        self.undefined: set[Variable] = set()  # those of them that are only declared so far
        self.used_variables: dict[Variable, Span] = {}  # where device code first names each of them
        self.hidden: list[Declare] = []  # variables for the values of `(T){...}`, declared before the statement at hand
        self.hidden_count = 0
        self.unwanted: Node | None = None  # a call whose value nobody wants
        self.strings: dict[bytes, Variable] = {}  # what string literals hold
        self.temporaries: list[VarRef] = []  # objects that are destroyed at the end of the statement at hand
        self.evaluated: dict[Node, Expr | Place] = {}  # what was checked to tell a type, and will be asked for again
        self.empty_packs: set[str] = set()  # names of parameter packs that have no elements
        self.outside: dict[TemplateName, list[tuple[cxx.Template, Node, tuple[Scope, ...]]]] = {}
        self.functions: dict[str, Function] = {}
        self.variable_keys: set[str] = set()  # names of file-scope variables in the tree
        self.pointer_calls: dict[str, FunctionType] = {}  # functions that call by a pointer, by their keys
        self.virtual_calls: dict[str, FunctionName] = {}  # functions that call a virtual one
        self.elsewhere: dict[str, Span] = {}  # every function of the file, also those further down
        self.called: dict[FunctionName, Span] = {}  # where each device function is first called
        self.namespaces = 0  # of the program
        self.unnamed: dict[Scope, NamespaceName] = {}  # the unnamed namespace in each scope that has one
        self.only_checked: set[str] = set()  # functions that belong to the module only if others call them
        self.host_faults: list[Diagnostic] = []  # of these functions
        self.array_makers: dict[tuple[CType, bool], str] = {}
        self.deleters: dict[tuple[CType, bool], str] = {}
        self.asked: list[Note] = []  # the instances of templates that are being checked, innermost last

    def fail(self, span: Span, message: str, *notes: Note, help: str | None = None) -> NoReturn:
        """Record a fault and leave whatever depends on it."""
        self.report(Diagnostic(span, message, notes, help))
        raise Reported

    def report(self, diagnostic: Diagnostic) -> None:
        if self.asked:
            diagnostic = replace(diagnostic, notes=(*diagnostic.notes, *reversed(self.asked)))
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
        return unique(identifier(shown), self.keys)


def identifier(shown: str) -> str:
    """Return `shown` as an identifier: `geo::scan<int, 4>` becomes `geo_scan_int_4`."""
    if shown.isidentifier():
        return shown
    words = "".join(char if char.isalnum() and char.isascii() else "_" for char in _spelled(shown)).split("_")
    return "_".join(word for word in words if word) or "operator"


def _spelled(shown: str) -> str:
    head, mark, sign = shown.partition("operator")
    for symbol, word in _SIGNS.items():
        sign = sign.replace(symbol, f"_{word}_") if mark else sign
    return head + mark + sign.replace("*", "_p").replace("&", "_r").replace("-", "_m")


_SIGNS = {
    "()": "call", "[]": "at", "->": "arrow", "<<": "shl", ">>": "shr", "==": "eq", "!=": "ne", "<=": "le", ">=": "ge",
    "&&": "land", "||": "lor", "++": "inc", "--": "dec", "*": "mul", "&": "and", "<": "lt", ">": "gt", "+": "add", "-": "sub", "/": "div", "%": "mod", "^": "xor",
    "|": "or", "~": "not", "!": "lnot", "=": "assign",
}  # fmt: skip


def unique(name: str, taken: set[str]) -> str:
    """Return `name`, with a number after it if it is taken, and take it."""
    count, found = 1, name
    while found in taken:
        count += 1
        found = f"{name}_{count}"
    taken.add(found)
    return found


def did_you_mean(name: str, candidates: Iterable[str]) -> str | None:
    close = difflib.get_close_matches(name, list(candidates), 1, 0.7)
    return f"did you mean '{close[0]}'?" if close else None


def type_key(ctype: CType) -> object:
    """Return what identifies a type among template arguments, enumerations included."""
    match ctype:
        case Scalar():
            return (ctype.name, ctype.enum)
        case Pointer():
            return ("*", type_key(ctype.target), ctype.const, ctype.volatile)
        case Array():
            return ("[]", type_key(ctype.element), ctype.count)
        case FunctionType():
            return ("()", type_key(ctype.result), *map(type_key, ctype.params))
        case Struct():
            return ctype
