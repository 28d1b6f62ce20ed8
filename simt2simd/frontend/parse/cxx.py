"""Syntax trees for the C++ that C lacks: what the parser adds to pycparser's nodes.

A template or a class is parsed once. `check` walks its nodes once for each instance, with the names of the template's
parameters bound, so no node here ever changes. `coord` is the `Span` that messages point at.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, cast

from pycparser import c_ast

from ...diag import Diagnostic
from ...source import Span

Node = c_ast.Node


class CxxNode(Node):
    """A node that pycparser does not have; its fields are its children."""

    @property
    def attr_names(self) -> tuple[str, ...]:
        return tuple(name for name, value in vars(self).items() if isinstance(value, str | bool) and value)

    def children(self) -> list[tuple[str, Node]]:
        found: list[tuple[str, Node]] = []
        for name, value in vars(self).items():
            if isinstance(value, Node):
                found.append((name, value))
            elif isinstance(value, list | tuple):
                found += [(f"{name}[{index}]", item) for index, item in enumerate(value) if isinstance(item, Node)]
        return found


# ------------------------------------------------------------------------------------------------ names


@dataclass(frozen=True)
class NamePart:
    """`scan<int, 256>`: an identifier, and its template arguments if it has a list of them (even an empty one).

    An argument is a `Typename`, an expression, or a `PackExpansion` of one. A bare name is an `ID` if the parser does
    not know it for a type: `check` finds out what it names. `type`: the `decltype(x)` of `decltype(x)::member`.
    """

    name: str
    args: tuple[Node, ...] | None
    span: Span
    type: Node | None = None


@dataclass(eq=False)
class Name(CxxNode):
    """`a::b<int>::c`, or `::c` (`rooted`). A plain identifier is an `ID` in expressions, an `IdentifierType` in types.

    In types it replaces an `IdentifierType`. `typename` and `template` inside it are dropped.
    """

    parts: tuple[NamePart, ...]
    rooted: bool
    coord: Span


class Grouped:
    """A name in parentheses: `decltype` of it is a reference ([dcl.type.decltype]/1)."""


class GroupedID(Grouped, c_ast.ID):
    """`(x)`."""


class GroupedMember(Grouped, c_ast.StructRef):
    """`(x.m)`."""


class GroupedName(Grouped, Name):
    """`(a::x)`."""


def grouped(node: Node) -> Node:
    """Return what `(node)` is."""
    if isinstance(node, Grouped):
        return node
    match node:
        case c_ast.ID():
            return GroupedID(node.name, node.coord)
        case c_ast.StructRef():
            return GroupedMember(node.name, node.type, node.field, node.coord)
        case Name():
            return GroupedName(node.parts, node.rooted, node.coord)
        case _:
            return node


@dataclass(eq=False)
class DeclType(CxxNode):
    """`decltype(expr)` as a type; `parenthesised` for `decltype((x))`. `expr` is None for `decltype(auto)`."""

    expr: Node | None
    parenthesised: bool
    coord: Span


@dataclass(eq=False)
class PackExpansion(CxxNode):
    """`pattern...` in a list of arguments, types, initialisers, bases or captures.

    In a list of parameters, `Args... rest` is a `Decl` whose type is a `PackExpansion` of the declarator.
    """

    pattern: Node
    coord: Span


# ----------------------------------------------------------------------------------------- declarations


class Reference(CxxNode):
    """`&` and `&&` in a chain of declarators, where a `PtrDecl` would appear. (`type` is None only while parsing.)"""

    def __init__(self, type: Node | None, rvalue: bool, coord: Span) -> None:
        self.type, self.rvalue, self.coord = cast("Node", type), rvalue, coord


class MemberPointer(CxxNode):
    """`Owner::*` in a chain of declarators, where a `PtrDecl` would appear. (`type` is None only while parsing.)"""

    def __init__(self, owner: Node, type: Node | None, quals: list[str], coord: Span) -> None:
        self.owner, self.type, self.quals, self.coord = owner, cast("Node", type), quals, coord


class Signature(c_ast.FuncDecl):
    """A parameter list, with what C++ writes after it. `type` is None for constructors and destructors."""

    def __init__(
        self,
        args: c_ast.ParamList | None,
        type: Node | None,
        coord: Span,
        *,
        const: bool = False,
        volatile: bool = False,
        ref: Literal["", "&", "&&"] = "",
        requires: Node | None = None,
        noexcept: Node | bool = False,
    ) -> None:
        super().__init__(args, type, coord)
        self.const, self.volatile, self.ref, self.requires, self.noexcept = const, volatile, ref, requires, noexcept


class MemberOf(c_ast.Decl):
    """A declaration of a member outside its scope, `T Matrix<T>::at(int i)`: `scope` names the class or namespace."""

    scope: Name


@dataclass(frozen=True)
class MemberInit:
    """`m(a, b)`, `m{a, b}` or `Base<T>(x)` before a constructor's body; `init` is `Arguments` or an `InitList`."""

    target: Node
    init: Node
    pack: bool = False


class DirectList(c_ast.InitList):
    """The braces of direct-list-initialisation, `T x{a}` ([dcl.init.list]/1): no `=` precedes them."""

    __slots__ = ()


class ConditionalExplicit(str):
    """The word `explicit` with a condition ([dcl.fct.spec]/3)."""

    condition: Node

    def __new__(cls, condition: Node) -> ConditionalExplicit:
        word = super().__new__(cls, "explicit")
        word.condition = condition
        return word


class Definition(c_ast.FuncDef):
    """A function's definition. Its `decl.funcspec` also holds the words `virtual explicit friend override final`,

    and `=default`, `=delete`, `=0` where these replace a body. `decl.name` is `operator+`, `operator()`,
    `operator[]`, `operator new`, ... for operators, `operator type` for conversions (the type is the signature's),
    the class's own name for constructors, `~` before it for destructors.
    """

    def __init__(self, decl: c_ast.Decl, body: Body, coord: Span, inits: Sequence[MemberInit] = ()) -> None:
        super().__init__(decl, None, body, coord)
        self.inits = tuple(inits)


class Body(c_ast.Compound):
    """The braces of a function, parsed when they are first looked at: most functions of a header never are."""

    def __init__(self, parse: Callable[[], tuple[list[Node], list[Diagnostic]]], coord: Span) -> None:
        super().__init__([], coord)
        self._parse, self._parsed = parse, False
        self.faults: list[Diagnostic] = []

    def items(self) -> list[Node]:
        """Return the statements; `faults` then holds the syntax errors, which the first caller reports."""
        if not self._parsed:
            self.block_items, self.faults = self._parse()
            self._parsed = True
        return self.block_items or []

    def children(self) -> list[tuple[str, Node]]:
        return [(f"block_items[{index}]", item) for index, item in enumerate(self.items())]


@dataclass(frozen=True)
class Base:
    """A base class. `name` is a type: `IdentifierType` or `Name`."""

    name: Node
    virtual: bool
    span: Span
    pack: bool = False


class Class(c_ast.Struct):
    """`struct` and `class`, with whatever they contain.

    `decls` holds, in order: `Decl` (members; static ones have `static` in `storage`, initialisers are in `init`),
    `Definition`s and `Decl`s of methods, `Typedef`, `Template`, `Friend`, `UsingDeclaration`, `StaticAssert`, `Decl`s
    of nested classes and enums without a name of their own. `args` are the arguments of a specialisation. Access
    specifiers are dropped; `hides_data` says that some data member is not public, `mixes_access` that not all data
    members have the same access. `final` is set by the parser, too. `host_members` has the names of what
    device code cannot use, and why. `scope` is the whole name where the class is named as `A::B`.
    """

    def __init__(
        self,
        key: Literal["struct", "class"],
        name: str | None,
        decls: list[Node] | None,
        coord: Span,
        bases: Sequence[Base] = (),
        args: tuple[Node, ...] | None = None,
    ) -> None:
        super().__init__(name, decls, coord)
        self.key, self.bases, self.args = key, tuple(bases), args
        self.host_members: dict[str, object] = {}
        self.scope: Name | None = None
        self.hides_data = self.mixes_access = self.final = False


class UnionClass(c_ast.Union):
    """A `union` that has more than data members; its attributes are those of `Class`."""

    key = "union"

    def __init__(
        self,
        name: str | None,
        decls: list[Node] | None,
        coord: Span,
        bases: Sequence[Base] = (),
        args: tuple[Node, ...] | None = None,
    ) -> None:
        super().__init__(name, decls, coord)
        self.bases, self.args = tuple(bases), args
        self.host_members: dict[str, object] = {}
        self.hides_data = self.mixes_access = self.final = False
        self.scope: Name | None = None


class AlignedTypedef(c_ast.Typedef):
    """A `typedef`, and what its attributes ask for: `typedef struct {...} Site __attribute__((aligned(16)));`."""

    align: Sequence[Node] = ()


class ScopedEnum(c_ast.Enum):
    """`enum class`."""


class Auto(c_ast.InferredType):
    """`auto`, perhaps with the concept before it: `constraint` is `C<int>` in `C<int> auto`, without the type asked."""

    def __init__(self, coord: Span, constraint: Name | None = None) -> None:
        super().__init__(coord)
        self.constraint = constraint


class NamedCast(c_ast.Cast):
    """`static_cast<T>(x)`; `word` is `static_cast`, `reinterpret_cast` or `const_cast`."""

    word: str


@dataclass(eq=False)
class Friend(CxxNode):
    """`friend` before a declaration or a definition. `args`: of an instance, as in `friend int f<>(S)`."""

    declaration: Node
    coord: Span
    args: tuple[Node, ...] | None = None


@dataclass(frozen=True)
class TemplateParameter:
    """`class T = int`, `int N = 4` (`type` is a `Decl`), `template <class> class C`, each perhaps a pack."""

    kind: Literal["type", "value", "template"]
    name: str
    span: Span
    pack: bool = False
    default: Node | None = None
    type: Node | None = None
    inner: tuple[TemplateParameter, ...] = ()

    @property
    def name_key(self) -> str:
        """What bindings call the parameter, which need not have a name."""
        return self.name or f"{self.span.line}:{self.span.column}"


@dataclass(eq=False)
class Template(CxxNode):
    """`template <...>` before a function, a class, a variable (`Decl`), an alias (`Typedef`) or another `Template`.

    Without parameters it is an explicit specialisation, whose arguments are those of the declared name: for a class
    `Class.args`, for a function or variable `decl.name` with `specialised` (None where they are to be deduced). `key`
    is what identifies it among overloads, once it is known.
    """

    params: tuple[TemplateParameter, ...]
    declaration: Node
    coord: Span
    requires: Node | None = None
    specialised: tuple[Node, ...] | None = None
    key: object = None


@dataclass(eq=False)
class Concept(CxxNode):
    """`concept Name = expr;`, what a `Template` declares."""

    name: str
    expr: Node
    coord: Span


@dataclass(eq=False)
class DeductionGuide(CxxNode):
    """`Name(T *) -> Name<T>;`: `decl` declares a function of that name with these parameters and this result."""

    decl: c_ast.Decl
    coord: Span


@dataclass(eq=False)
class ExplicitInstantiation(CxxNode):
    """`template void k<float>(float *);` has a `Decl` or a `Class` as `declaration`; `args` as in `Template`."""

    declaration: Node
    coord: Span
    args: tuple[Node, ...] | None = None


@dataclass(eq=False)
class Namespace(CxxNode):
    """`namespace a { ... }`; `name` is None for an unnamed one; `a::b` is two. `items` are `parse.ParsedItem`s."""

    name: str | None
    inline: bool
    items: tuple[object, ...]
    coord: Span


@dataclass(eq=False)
class NamespaceAlias(CxxNode):
    name: str
    target: Node
    coord: Span


@dataclass(eq=False)
class UsingDirective(CxxNode):
    """`using namespace a;`"""

    target: Node
    coord: Span


@dataclass(eq=False)
class UsingDeclaration(CxxNode):
    """`using a::b;`, `using Base::f;`, `using Base::Base;`: a `Name`, or a `PackExpansion` of one."""

    target: Node
    coord: Span


@dataclass(eq=False)
class UsingEnum(CxxNode):
    """`using enum E;`"""

    target: Node
    coord: Span


@dataclass(eq=False)
class StructuredBinding(CxxNode):
    """`auto [a, b] = init;`; `reference` is "", "&" or "&&"."""

    names: tuple[tuple[str, Span], ...]
    quals: tuple[str, ...]
    reference: Literal["", "&", "&&"]
    init: Node | None
    coord: Span


class PassedOver(c_ast.Decl):
    """A declaration past which a jump leads: its type must be one that needs no initialisation.

    `shown`: what messages call the jump.
    """

    def __init__(self, decl: c_ast.Decl, shown: str, jump: Span) -> None:
        super().__init__(
            decl.name, decl.quals, decl.align, decl.storage, decl.funcspec, decl.type, decl.init, decl.bitsize,
            decl.coord,
        )  # fmt: skip
        self.shown, self.jump = shown, jump


@dataclass(eq=False)
class Arguments(CxxNode):
    """The `(a, b)` of `T x(a, b)`: an initialiser."""

    exprs: list[Node]
    coord: Span


# ------------------------------------------------------------------------------------------- statements


class If(c_ast.If):
    """An `if` with what C++ adds: `init` runs first, `cond` may be a `Decl`, `constexpr` drops one arm unseen."""

    def __init__(
        self, cond: Node, iftrue: Node, iffalse: Node | None, coord: Span, init: Node | None = None,
        constexpr: bool = False,
    ) -> None:  # fmt: skip
        super().__init__(cond, iftrue, iffalse, coord)
        self.init, self.constexpr = init, constexpr


class Switch(c_ast.Switch):
    """A `switch` with an initialiser, or whose `cond` is a `Decl`. (So may be that of a `While`.)"""

    def __init__(self, cond: Node, stmt: Node, coord: Span, init: Node | None = None) -> None:
        super().__init__(cond, stmt, coord)
        self.init = init


@dataclass(eq=False)
class RangeFor(CxxNode):
    """`for (init; declaration : range) body`: its declaration is a `Decl` or a `StructuredBinding` without `init`."""

    init: Node | None
    declaration: Node
    range: Node
    body: Node
    coord: Span


# ------------------------------------------------------------------------------------------ expressions


@dataclass(eq=False)
class PointedMember(CxxNode):
    """`object.*pointer` and `address->*pointer`; `op` is "." or "->"."""

    object: Node
    op: str
    pointer: Node
    coord: Span


@dataclass(eq=False)
class ConversionName(CxxNode):
    """`operator T` as the name of the member function that is called. `scope`: the class that is named before it."""

    type: Node
    scope: Name | None
    coord: Span


@dataclass(eq=False)
class Launch(CxxNode):
    """`kernel<<<grid, block, shared, stream>>>(arguments)`: the call, and what is between the brackets."""

    called: c_ast.FuncCall
    configuration: list[Node]
    coord: Span


@dataclass(eq=False)
class Construct(CxxNode):
    """`T(a, b)` and `T()`; `T{...}` is a `CompoundLiteral`."""

    type: c_ast.Typename
    args: list[Node]
    coord: Span


@dataclass(frozen=True)
class Capture:
    """`x`, `&x`, `x = init`, `this`, `*this`; `pack` for `xs...`."""

    name: str
    by_reference: bool
    span: Span
    init: Node | None = None
    pack: bool = False


@dataclass(eq=False)
class Lambda(CxxNode):
    """`default` is what a capture without a name of its own means: "=", "&" or nothing.

    `params`: those of a generic lambda that writes them; a parameter of type `auto` is a template parameter too.
    `signature` is None without a parameter list; its `type` is None where the result is deduced.
    """

    default: Literal["", "=", "&"]
    captures: tuple[Capture, ...]
    params: tuple[TemplateParameter, ...]
    signature: Signature | None
    mutable: bool
    words: tuple[str, ...]
    body: Body
    coord: Span


@dataclass(eq=False)
class New(CxxNode):
    """`new (placement) T[count](args)`; `init` is `Arguments`, an `InitList` or None. `rooted`: `::new`."""

    type: Node
    count: Node | None
    init: Node | None
    placement: tuple[Node, ...]
    coord: Span
    rooted: bool = False


@dataclass(eq=False)
class Delete(CxxNode):
    expr: Node
    array: bool
    coord: Span
    rooted: bool = False


@dataclass(eq=False)
class Fold(CxxNode):
    """`(pack op ...)`, `(... op pack)`, `(init op ... op pack)`, `(pack op ... op init)`.

    `left`: the dots are at the left.
    """

    op: str
    pack: Node
    init: Node | None
    left: bool
    coord: Span


@dataclass(eq=False)
class SizeofPack(CxxNode):
    """`sizeof...(name)`"""

    name: str
    coord: Span


@dataclass(eq=False)
class Trait(CxxNode):
    """A question to the compiler, `__is_same(T, U)`: `args` are `Typename`s or expressions, packs expanded later."""

    name: str
    args: tuple[Node, ...]
    coord: Span


@dataclass(eq=False)
class Requires(CxxNode):
    """`requires (T a) { a + a; typename T::x; {f(a)} -> C<int>; requires D<T>; }`

    Each of `wants` is an expression or a `Typename`, which must have a meaning, or a `Nested` condition. The third of
    these becomes `f(a)` and a condition, `C<decltype((f(a))), int>`.
    """

    params: c_ast.ParamList | None
    wants: tuple[Node, ...]
    coord: Span


@dataclass(eq=False)
class Nested(CxxNode):
    """A condition among the requirements of a `Requires`."""

    condition: Node
    coord: Span


@dataclass(eq=False)
class Throw(CxxNode):
    """Replaces `throw`, `try` and other words that device code lacks, so that templates which are never used pass."""

    word: str
    coord: Span
