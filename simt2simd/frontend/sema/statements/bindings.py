"""Checking structured bindings by what they mean ([dcl.struct.bind])."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from pycparser import c_ast

from ....lang.ctype import INT, Array, BitField, CType, Pointer, Struct
from ....source import Span
from ....tree.nodes import Constant, Decay, Deref, Index, Load, Member, Place, Stmt, Variable
from ...parse import cxx
from ...parse.words import Node
from ..class_info import VPTR
from ..context import Part
from ..expr.conversions import place_type
from ..qualified import Qualified, Reference
from ..scopes import Functions, Reported, TemplateName, TypeName, VariableName
from .declarations import auto_variable


class Bindings(Part):
    """The checker's part for structured bindings."""

    def structured_binding(self, node: cxx.StructuredBinding) -> list[Stmt]:
        """`auto [a, b] = x;`: a hidden object, and the names of its members or elements."""
        span = node.coord
        assert node.init is not None
        name = f"s2s_{'_'.join(name for name, _ in node.names)}"
        if not node.reference and isinstance(ctype := self.s.expr.operators.type_of(node.init).type, Array):
            found = self._copied_array(node, ctype, name)
        else:
            declared = auto_variable(name, node.init, span, node.reference, node.quals)
            found = self.s.statements.declarations.declaration(declared)
        entry = self.s.scopes.lookup(name)
        if not isinstance(entry, VariableName):
            raise Reported
        whole = self.s.expr.names.variable_term(entry, span)
        assert isinstance(whole, Place)
        if self._is_tuple(whole.type, span):
            return found + self._tuple_elements(node, name, whole.type)
        parts = self._parts(whole, len(node.names), span)
        for (one, at), (place, reference) in zip(node.names, parts, strict=True):
            stand_in = Variable(one, place.type, at, "local")
            declared_type = Qualified(place.type, self.s.classes.conversions.is_const_place(place), reference=reference)
            self.s.scopes.declare(one, VariableName(at, stand_in, alias=place, binding=declared_type))
        return found

    def _copied_array(self, node: cxx.StructuredBinding, ctype: Array, name: str) -> list[Stmt]:
        """Declare the array `name`, whose elements are made of those of the initialiser ([dcl.struct.bind]/1)."""
        span, source = node.coord, f"{name}_source"
        assert node.init is not None
        found = self.s.statements.declarations.declaration(auto_variable(source, node.init, span))
        element = ctype.element
        while isinstance(element, Array):
            element = element.element
        const = self.s.classes.conversions.is_const_place(self.s.expr.place(c_ast.ID(source, span), "read"))
        self.s.scopes.declare(f"{name}_element", TypeName(span, Qualified(element, const)))
        elements = c_ast.IdentifierType([f"{name}_element"], span)
        declarator: Node = c_ast.TypeDecl(name, list(node.quals), None, elements, coord=span)
        for count in reversed(_counts(ctype)):
            declarator = c_ast.ArrayDecl(declarator, c_ast.Constant("int", str(count), span), [], span)
        copies = _elements(_forwarded(source, span), ctype, span)
        return found + self.s.statements.declarations.declaration(
            c_ast.Decl(name, [], [], [], [], declarator, copies, None, span)
        )

    def _is_tuple(self, ctype: CType, span: Span) -> bool:
        """Whether `get` gives the parts of a class, in place of its members: `std::tuple_size` of it is complete."""
        template = self.s.scopes.std.names.get("tuple_size")
        if not isinstance(ctype, Struct) or not isinstance(template, TemplateName):
            return False
        made = self.s.templates.instance(template, [Qualified(ctype)], span)
        if not isinstance(made, TypeName) or not isinstance(made.type.type, Struct):
            return False
        self.s.classes.complete(made.type.type)
        return made.type.type.fields is not None

    def _tuple_elements(self, node: cxx.StructuredBinding, whole: str, ctype: CType) -> list[Stmt]:
        """Return the references `auto &&x = get<0>(whole)`, which `whole` has as a member or its namespace declares."""
        count = self._tuple_size(whole, node.coord)
        if count != len(node.names):
            self.fail(node.coord, f"'{ctype}' has {_parts_in_words(count)}: {len(node.names)} names are given")
        template, _ = self.s.structs.made_of.get(ctype, (None, ())) if isinstance(ctype, Struct) else (None, ())
        standard, method = self.s.calls.overloads.is_standard(template), self._has_get(ctype)
        found: list[Stmt] = []
        for number, (name, at) in enumerate(node.names):
            index = c_ast.Constant("int", str(number), at)
            part = cxx.NamePart("get", (index,), at)
            parts = (cxx.NamePart("std", None, at), part) if standard else (part,)
            given = _forwarded(whole, at)
            if method:
                element = c_ast.FuncCall(c_ast.StructRef(given, ".", cxx.Name((part,), False, at), at), None, at)
            else:
                get = cxx.Name(parts, standard, at)
                element = c_ast.FuncCall(get, c_ast.ExprList([given], at), at)
            found += self.s.statements.with_hidden(
                partial(self.s.statements.declarations.declaration, auto_variable(name, element, at))
            )
            entry = self.s.scopes.lookup(name)
            if isinstance(entry, VariableName):
                declared = self.s.expr.names.named(_std_name("tuple_element_t", (index, _bare(whole, at)), at))
                self.s.scopes.stack[-1].names[name] = replace(entry, binding=declared)
        return found

    def _tuple_size(self, whole: str, span: Span) -> int:
        size = _std_name("tuple_size_v", (_bare(whole, span),), span)
        return self.s.types.constant_integer(size, "the number of parts")

    def _has_get(self, ctype: CType) -> bool:
        """Whether a class has a member template `get` that takes a value first ([dcl.struct.bind]/4)."""
        found = self.s.classes.members.find_member(ctype, "get") if isinstance(ctype, Struct) else None
        candidates = found[1].candidates if found is not None and isinstance(found[1], Functions) else ()
        return any(isinstance(one, TemplateName) and one.node.params[0].kind == "value" for one in candidates)

    def _has_data(self, struct: Struct) -> bool:
        """Whether a class or one of its bases has members that are no functions."""
        info = self.s.structs.classes.get(struct)
        bases = {base.field: base.struct for base in info.bases} if info is not None else {}
        fields = [field.name for field in struct.fields or () if field.name != VPTR]
        return any(self._has_data(bases[name]) if name in bases else True for name in fields)

    def _parts(self, whole: Place, count: int, span: Span) -> list[tuple[Place, Reference]]:
        """Return the elements or members, and with which kind of reference each is declared."""
        ctype = whole.type
        places: list[tuple[Place, Reference]] = []
        if isinstance(ctype, Array):
            first = Decay(span, Pointer(ctype.element, *place_type(whole, self.s.structs.const_members)), whole)
            places = [(Index(span, ctype.element, first, Constant(span, INT, i)), "") for i in range(ctype.count)]
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
                known = info.fields.get(field.name) if info is not None else None
                if known is not None and known.type.reference:
                    assert isinstance(field.type, Pointer)
                    place = Deref(span, field.type.target, Load(span, field.type, place))
                places.append((place, known.type.reference if known is not None else ""))
        if len(places) != count:
            self.fail(span, f"'{ctype}' has {_parts_in_words(len(places))}: {count} names are given")
        return places


def _forwarded(name: str, span: Span) -> Node:
    """Return `static_cast<decltype(name) &&>(name)`: an lvalue if it is an lvalue reference, else an xvalue."""
    kind: Node = c_ast.TypeDecl(None, [], None, cxx.DeclType(c_ast.ID(name, span), False, span), coord=span)
    cast = cxx.NamedCast(
        c_ast.Typename(None, [], None, cxx.Reference(kind, True, span), span), c_ast.ID(name, span), span
    )
    cast.word = "static_cast"
    return cast


def _bare(name: str, span: Span) -> Node:
    """Return the type `std::remove_reference_t<decltype(name)>`."""
    kind = c_ast.TypeDecl(None, [], None, cxx.DeclType(c_ast.ID(name, span), False, span), coord=span)
    bare = _std_name("remove_reference_t", (c_ast.Typename(None, [], None, kind, span),), span)
    return c_ast.Typename(None, [], None, c_ast.TypeDecl(None, [], None, bare, coord=span), span)


def _std_name(name: str, args: tuple[Node, ...], span: Span) -> cxx.Name:
    return cxx.Name((cxx.NamePart("std", None, span), cxx.NamePart(name, args, span)), True, span)


def _counts(ctype: CType) -> list[int]:
    """Return the extents of an array, the outermost first."""
    return [ctype.count, *_counts(ctype.element)] if isinstance(ctype, Array) else []


def _elements(array: Node, ctype: Array, span: Span) -> c_ast.InitList:
    """Return a braced list of all elements of an array."""
    found: list[Node] = []
    for number in range(ctype.count):
        element = c_ast.ArrayRef(array, c_ast.Constant("int", str(number), span), span)
        found.append(_elements(element, ctype.element, span) if isinstance(ctype.element, Array) else element)
    return c_ast.InitList(found, span)


def _parts_in_words(count: int) -> str:
    return f"{count or 'no'} part{'s' * (count != 1)}"
