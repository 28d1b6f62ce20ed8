"""Checking range-`for` and structured bindings, both by what they mean ([stmt.ranged], [dcl.struct.bind])."""

from __future__ import annotations

from functools import partial

from pycparser import c_ast

from ....lang.ctype import INT, Array, BitField, CType, Pointer, Struct
from ....source import Span
from ....tree.nodes import Block, Constant, Decay, Deref, Index, Load, Member, Place, Stmt, Variable
from ...parse import cxx
from ...parse.words import Node
from ..class_info import VPTR
from ..context import Part
from ..scopes import Functions, Reported, Scope, VariableName


class Ranges(Part):
    """The checker's part for range-`for` and structured bindings."""

    def range_for(self, node: cxx.RangeFor, unroll: int | None) -> list[Stmt]:
        """`for (T x : range) body` counts the elements of an array, and goes from `begin` to `end` in a class."""
        span = node.coord
        with self.s.scopes.inside(Scope()):
            before = (
                self.s.statements.with_hidden(partial(self.s.statements.statement, node.init))
                if node.init is not None
                else []
            )
            whole = _list(node.range, span) if isinstance(node.range, c_ast.InitList) else None
            declared = whole or _auto("s2s_range", node.range, span)
            before += self.s.statements.with_hidden(lambda: self.s.statements.declarations.declaration(declared))
            entry = self.s.scopes.lookup("s2s_range")
            if not isinstance(entry, VariableName):
                raise Reported
            ctype = self.s.expr.names.variable_term(entry, span).type
            loop = self._over_array(node, ctype, span) if isinstance(ctype, Array) else self._over_class(node, span)
            found = self.s.statements.statement(loop, unroll)
            ends = self.s.statements.destroyed(self.s.scopes.stack[-1:], span)
        return [Block(span, (*before, *found, *ends))]

    def _over_array(self, node: cxx.RangeFor, ctype: Array, span: Span) -> Node:
        kind = c_ast.TypeDecl("s2s_index", [], None, c_ast.IdentifierType(["int"], span), coord=span)
        start = c_ast.Decl("s2s_index", [], [], [], [], kind, c_ast.Constant("int", "0", span), None, span)
        index = c_ast.ID("s2s_index", span)
        test = c_ast.BinaryOp("<", index, c_ast.Constant("int", str(ctype.count), span), span)
        step = c_ast.UnaryOp("p++", index, span)
        element = c_ast.ArrayRef(c_ast.ID("s2s_range", span), index, span)
        return c_ast.For(c_ast.DeclList([start], span), test, step, self._body(node, element), span)

    def _over_class(self, node: cxx.RangeFor, span: Span) -> Node:
        entry = self.s.scopes.lookup("s2s_range")
        assert isinstance(entry, VariableName)
        ctype = self.s.expr.names.variable_term(entry, span).type
        method = isinstance(ctype, Struct) and self.s.classes.members.find_member(ctype, "begin") is not None

        def call(name: str) -> Node:
            whole = c_ast.ID("s2s_range", span)
            if method:
                return c_ast.FuncCall(c_ast.StructRef(whole, ".", c_ast.ID(name, span), span), None, span)
            return c_ast.FuncCall(c_ast.ID(name, span), c_ast.ExprList([whole], span), span)

        known = self.s.scopes.lookup("begin")
        if not method and not isinstance(known, Functions) and not isinstance(ctype, Struct):
            self.fail(node.range.coord, f"'{ctype}' is no range: it has no 'begin'")
        start, stop = _plain_auto("s2s_begin", call("begin"), span), _plain_auto("s2s_end", call("end"), span)
        at = c_ast.ID("s2s_begin", span)
        test = c_ast.BinaryOp("!=", at, c_ast.ID("s2s_end", span), span)
        step = c_ast.UnaryOp("++", at, span)
        element = c_ast.UnaryOp("*", at, span)
        return c_ast.For(c_ast.DeclList([start, stop], span), test, step, self._body(node, element), span)

    def _body(self, node: cxx.RangeFor, element: Node) -> Node:
        declared = node.declaration
        if isinstance(declared, cxx.StructuredBinding):
            first: Node = cxx.StructuredBinding(
                declared.names, declared.quals, declared.reference, element, declared.coord
            )
        else:
            if isinstance(declared, c_ast.DeclList):
                declared = declared.decls[0]
            assert isinstance(declared, c_ast.Decl)
            first = c_ast.Decl(
                declared.name, declared.quals, declared.align, declared.storage, declared.funcspec, declared.type,
                element, None, declared.coord,
            )  # fmt: skip
        return c_ast.Compound([first, node.body], node.coord)

    def structured_binding(self, node: cxx.StructuredBinding) -> list[Stmt]:
        """`auto [a, b] = x;`: a hidden object, and the names of its members or elements."""
        span = node.coord
        assert node.init is not None
        if not node.reference and isinstance(ctype := self.s.expr.operators.type_of(node.init).type, Array):
            return self._copied_elements(node, ctype)
        name = f"s2s_{'_'.join(name for name, _ in node.names)}"
        declared = _auto(name, node.init, span, node.reference, node.quals)
        found = self.s.statements.declarations.declaration(declared)
        entry = self.s.scopes.lookup(name)
        if not isinstance(entry, VariableName):
            raise Reported
        whole = self.s.expr.names.variable_term(entry, span)
        assert isinstance(whole, Place)
        if self._is_tuple(whole.type):
            return found + self._tuple_elements(node, name)
        places = self._parts(whole, len(node.names), span)
        for (one, at), place in zip(node.names, places, strict=True):
            stand_in = Variable(one, place.type, at, "local")
            self.s.scopes.declare(one, VariableName(at, stand_in, alias=place, binding=True))
        return found

    def _copied_elements(self, node: cxx.StructuredBinding, ctype: Array) -> list[Stmt]:
        """The names of an array's copy are variables of their own."""
        if ctype.count != len(node.names):
            self.fail(node.coord, f"'{ctype}' has {_parts_in_words(ctype.count)}: {len(node.names)} names are given")
        if isinstance(ctype.element, Array):
            help = "write 'auto &[...]', and copy the array before if it changes"
            self.fail(node.coord, f"the parts of a copy of '{ctype}' cannot be arrays", help=help)
        found: list[Stmt] = []
        assert node.init is not None
        for number, (name, at) in enumerate(node.names):
            index = c_ast.Constant("int", str(number), at)
            found += self.s.statements.declarations.declaration(
                _auto(name, c_ast.ArrayRef(node.init, index, at), at, "", node.quals)
            )
        return found

    def _is_tuple(self, ctype: CType) -> bool:
        """Whether the library's `get` gives the parts of a class, in place of its members."""
        template, _ = self.s.structs.made_of.get(ctype, (None, ())) if isinstance(ctype, Struct) else (None, ())
        return (
            self.s.calls.overloads.is_standard(template)
            and template is not None
            and template.name in ("tuple", "array")
        )

    def _tuple_elements(self, node: cxx.StructuredBinding, whole: str) -> list[Stmt]:
        """Return the references `auto &&x = std::get<0>(whole)`."""
        count = self._tuple_size(whole, node.coord)
        if count != len(node.names):
            shown = self.s.expr.operators.type_of(c_ast.ID(whole, node.coord)).type
            self.fail(node.coord, f"'{shown}' has {_parts_in_words(count)}: {len(node.names)} names are given")
        found: list[Stmt] = []
        for number, (name, at) in enumerate(node.names):
            index = c_ast.Constant("int", str(number), at)
            get = cxx.Name((cxx.NamePart("std", None, at), cxx.NamePart("get", (index,), at)), True, at)
            element = c_ast.FuncCall(get, c_ast.ExprList([c_ast.ID(whole, at)], at), at)
            found += self.s.statements.with_hidden(
                partial(self.s.statements.declarations.declaration, _auto(name, element, at))
            )
        return found

    def _tuple_size(self, whole: str, span: Span) -> int:
        kind = c_ast.TypeDecl(None, [], None, cxx.DeclType(c_ast.ID(whole, span), True, span), coord=span)
        bare = cxx.NamePart("remove_reference_t", (c_ast.Typename(None, [], None, kind, span),), span)
        std = cxx.NamePart("std", None, span)
        plain = cxx.NamePart("remove_cv_t", (cxx.Name((std, bare), True, span),), span)
        size = cxx.NamePart("tuple_size_v", (cxx.Name((std, plain), True, span),), span)
        return self.s.types.constant_integer(cxx.Name((std, size), True, span), "the number of parts")

    def _has_data(self, struct: Struct) -> bool:
        """Whether a class or one of its bases has members that are no functions."""
        info = self.s.structs.classes.get(struct)
        bases = {base.field: base.struct for base in info.bases} if info is not None else {}
        fields = [field.name for field in struct.fields or () if field.name != VPTR]
        return any(self._has_data(bases[name]) if name in bases else True for name in fields)

    def _parts(self, whole: Place, count: int, span: Span) -> list[Place]:
        ctype = whole.type
        places: list[Place] = []
        if isinstance(ctype, Array):
            first = Decay(span, Pointer(ctype.element), whole)
            places = [Index(span, ctype.element, first, Constant(span, INT, i)) for i in range(ctype.count)]
        elif isinstance(ctype, Struct):
            self.s.types.records.require_complete(ctype, span)
            info = self.s.structs.classes.get(ctype)
            bases = {base.field for base in info.bases} if info is not None else set()
            hidden = {VPTR, *bases}
            own = [one for one in ctype.declared if one.name and one.name not in hidden]
            holders = [base for base in info.bases if self._has_data(base.struct)] if info is not None else []
            if not own and len(holders) == 1:  # all members are those of one base ([dcl.struct.bind]/4)
                return self._parts(self.s.classes.members.as_base(whole, holders[0].struct, span), count, span)
            if holders:
                self.fail(span, f"'{ctype}' has members in several classes: it cannot be taken apart")
            for field in own:
                place: Place = Member(
                    span, field.type, whole, field.name, field.offset, field if isinstance(field, BitField) else None
                )  # fmt: skip
                if info is not None and field.name in info.fields and info.fields[field.name].type.reference:
                    assert isinstance(field.type, Pointer)
                    place = Deref(span, field.type.target, Load(span, field.type, place))
                places.append(place)
        if len(places) != count:
            self.fail(span, f"'{ctype}' has {_parts_in_words(len(places))}: {count} names are given")
        return places


def _auto(name: str, init: Node, span: Span, reference: str = "&&", quals: tuple[str, ...] = ()) -> c_ast.Decl:
    """Return `auto &&name = init`, with a name that programs do not write."""
    kind: Node = c_ast.TypeDecl(name, list(quals), None, c_ast.InferredType(span), coord=span)
    if reference:
        kind = cxx.Reference(kind, reference == "&&", span)
    return c_ast.Decl(name, [], [], [], [], kind, init, None, span)


def _list(braces: c_ast.InitList, span: Span) -> c_ast.Decl:
    """Return an array with the elements of a braced list, all of which are of the first one's type."""
    first = cxx.DeclType(braces.exprs[0], False, span)
    element = c_ast.TypeDecl("s2s_range", [], None, first, coord=span)
    kind = c_ast.ArrayDecl(element, None, [], span)
    return c_ast.Decl("s2s_range", [], [], [], [], kind, braces, None, span)


def _plain_auto(name: str, init: Node, span: Span) -> c_ast.Decl:
    return _auto(name, init, span, "")


def _parts_in_words(count: int) -> str:
    return f"{count or 'no'} part{'s' * (count != 1)}"
