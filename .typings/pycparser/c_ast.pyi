"""The types of pycparser's nodes, as far as simt2simd uses them, and as its parser makes them.

`coord` is what the parser puts there: ours puts the `Span`.
"""

from collections.abc import Sequence
from typing import TextIO

from simt2simd.source import Span

class Node:
    coord: Span
    def show(self, buf: TextIO = ...) -> None: ...

class ArrayDecl(Node):
    type: Node
    dim: Node | None
    dim_quals: list[str]
    def __init__(self, type: Node, dim: Node | None, dim_quals: list[str], coord: Span) -> None: ...

class ArrayDesignator(Node):
    expr: Node

class ArrayRef(Node):
    name: Node
    subscript: Node
    def __init__(self, name: Node, subscript: Node, coord: Span) -> None: ...

class Assignment(Node):
    op: str
    lvalue: Node
    rvalue: Node
    def __init__(self, op: str, lvalue: Node, rvalue: Node, coord: Span) -> None: ...

class Alignas(Node):
    alignment: Node
    def __init__(self, alignment: Node, coord: Span) -> None: ...

class AttributeDeclaration(Node): ...

class AttributedStatement(Node):
    stmt: Node

class AttributedType(Node):
    type: Node

class BinaryOp(Node):
    op: str
    left: Node
    right: Node
    def __init__(self, op: str, left: Node, right: Node, coord: Span) -> None: ...

class Break(Node):
    def __init__(self, coord: Span) -> None: ...

class Case(Node):
    expr: Node
    stmts: list[Node] | None

class Cast(Node):
    to_type: Typename
    expr: Node
    def __init__(self, to_type: Typename, expr: Node, coord: Span) -> None: ...

class Compound(Node):
    block_items: list[Node] | None
    def __init__(self, block_items: list[Node] | None, coord: Span | None = None) -> None: ...

class CompoundLiteral(Node):
    type: Typename
    init: InitList
    storage: list[str]
    def __init__(self, type: Typename, init: InitList, storage: list[str], coord: Span) -> None: ...

class Constant(Node):
    type: str
    value: str
    def __init__(self, type: str, value: str, coord: Span) -> None: ...

class Continue(Node):
    def __init__(self, coord: Span) -> None: ...

class Decl(Node):
    name: str | None
    quals: list[str]
    align: list[Alignas]
    storage: list[str]
    funcspec: list[str]
    type: Node
    init: Node | None
    bitsize: Node | None
    def __init__(
        self,
        name: str | None,
        quals: list[str],
        align: list[Alignas],
        storage: list[str],
        funcspec: list[str],
        type: Node,
        init: Node | None,
        bitsize: Node | None,
        coord: Span,
    ) -> None: ...

class DeclList(Node):
    decls: list[Decl]
    def __init__(self, decls: list[Node], coord: Span) -> None: ...

class Default(Node):
    stmts: list[Node] | None
    def __init__(self, stmts: list[Node], coord: Span) -> None: ...

class DoWhile(Node):
    cond: Node
    stmt: Node
    def __init__(self, cond: Node, stmt: Node, coord: Span) -> None: ...

class EllipsisParam(Node):
    def __init__(self, coord: Span) -> None: ...

class EmptyStatement(Node):
    def __init__(self, coord: Span | None = None) -> None: ...

class Enum(Node):
    name: str | None
    values: EnumeratorList | None
    underlying_type: Typename | None
    attributes: list[Node]
    def __init__(
        self,
        name: str | None,
        values: EnumeratorList | None,
        underlying_type: Typename | None,
        coord: Span,
        attributes: list[Node] | None = None,
    ) -> None: ...

class Enumerator(Node):
    name: str
    value: Node | None
    def __init__(self, name: str, value: Node | None, coord: Span) -> None: ...

class EnumeratorList(Node):
    enumerators: list[Enumerator | Pragma]
    def __init__(self, enumerators: list[Enumerator | Pragma], coord: Span) -> None: ...

class ExprList(Node):
    exprs: list[Node]
    def __init__(self, exprs: list[Node], coord: Span) -> None: ...

class For(Node):
    init: Node | None
    cond: Node | None
    next: Node | None
    stmt: Node
    def __init__(self, init: Node | None, cond: Node | None, next: Node | None, stmt: Node, coord: Span) -> None: ...

class FuncCall(Node):
    name: Node
    args: ExprList | None
    def __init__(self, name: Node, args: ExprList | None, coord: Span) -> None: ...

class FuncDecl(Node):
    args: ParamList | None
    type: Node
    def __init__(self, args: ParamList | None, type: Node | None, coord: Span | None = None) -> None: ...

class FuncDef(Node):
    decl: Decl
    body: Compound
    def __init__(self, decl: Node, param_decls: None, body: Node, coord: Span | None = None) -> None: ...

class Goto(Node):
    name: str
    def __init__(self, name: str, coord: Span) -> None: ...

class ID(Node):
    name: str
    def __init__(self, name: str, coord: Span) -> None: ...

class IdentifierType(Node):
    names: list[str]
    def __init__(self, names: list[str], coord: Span | None = None) -> None: ...

class If(Node):
    cond: Node
    iftrue: Node
    iffalse: Node | None
    def __init__(self, cond: Node, iftrue: Node, iffalse: Node | None, coord: Span | None = None) -> None: ...

class InferredType(Node):
    def __init__(self, coord: Span) -> None: ...

class InitList(Node):
    exprs: list[Node]
    def __init__(self, exprs: list[Node], coord: Span) -> None: ...

class Label(Node):
    name: str
    stmt: Node
    def __init__(self, name: str, stmt: Node, coord: Span) -> None: ...

class NamedInitializer(Node):
    name: list[ID | ArrayDesignator]
    expr: Node

class ParamList(Node):
    params: list[Decl | Typename | EllipsisParam]
    def __init__(self, params: Sequence[Decl | Typename | EllipsisParam], coord: Span) -> None: ...

class PtrDecl(Node):
    quals: list[str]
    type: Node
    def __init__(self, quals: list[str], type: Node | None, coord: Span) -> None: ...

class Return(Node):
    expr: Node | None
    def __init__(self, expr: Node | None, coord: Span) -> None: ...

class StaticAssert(Node):
    cond: Node
    message: Constant | None

class Struct(Node):
    name: str | None
    decls: list[Decl | Pragma | StaticAssert] | None
    attributes: list[Node]
    def __init__(self, name: str | None, decls: list[Node] | None, coord: Span | None = None) -> None: ...

class StructRef(Node):
    name: Node
    type: str
    field: Node
    def __init__(self, name: Node, type: str, field: Node, coord: Span) -> None: ...

class Switch(Node):
    cond: Node
    stmt: Node
    def __init__(self, cond: Node, stmt: Node, coord: Span | None = None) -> None: ...

class TernaryOp(Node):
    cond: Node
    iftrue: Node
    iffalse: Node
    def __init__(self, cond: Node, iftrue: Node, iffalse: Node, coord: Span | None = None) -> None: ...

class TypeDecl(Node):
    declname: str | None
    quals: list[str]
    align: list[Alignas] | None
    type: Node
    def __init__(
        self,
        declname: str | None,
        quals: list[str] | None,
        align: list[Alignas] | None,
        type: Node | None,
        coord: Span | None = None,
    ) -> None: ...

class Typedef(Node):
    name: str
    quals: list[str]
    storage: list[str]
    type: Node
    def __init__(self, name: str | None, quals: list[str], storage: list[str], type: Node, coord: Span) -> None: ...

class Typename(Node):
    name: str | None
    quals: list[str]
    align: list[Alignas] | None
    type: Node
    def __init__(
        self, name: str | None, quals: list[str], align: list[Alignas] | None, type: Node, coord: Span
    ) -> None: ...

class TypeOf(Node):
    op: str
    expr: Node

class UnaryOp(Node):
    op: str
    expr: Node
    def __init__(self, op: str, expr: Node, coord: Span) -> None: ...

class Union(Node):
    name: str | None
    decls: list[Decl | Pragma | StaticAssert] | None
    attributes: list[Node]
    def __init__(
        self,
        name: str | None,
        decls: list[Node] | None,
        coord: Span | None = None,
        attributes: list[Node] | None = None,
    ) -> None: ...

class While(Node):
    cond: Node
    stmt: Node
    def __init__(self, cond: Node, stmt: Node, coord: Span) -> None: ...

class Pragma(Node):
    string: str | Constant
