"""Checking pointers to members: `&S::x`, `s.*p`, `(s.*f)(1)`."""

from __future__ import annotations

from pycparser import c_ast

from ....lang.ctype import BOOL, CHAR, LONG, CType, FunctionType, Pointer, Scalar, Struct, is_nullptr_t
from ....source import Span
from ....tree.effects import only_reads, outermost
from ....tree.nodes import (
    Assign,
    Binary,
    Comma,
    Constant,
    Convert,
    Deref,
    Expr,
    Load,
    Member,
    Place,
    PointerAdd,
    Temporary,
)
from ....tree.rewrite import copied
from ....tree.value_category import is_lvalue
from ...parse import cxx
from ...parse.words import Node
from ..context import Part, Sema
from ..expr.conversions import is_null, place_type, same_type
from ..qualified import Qualified, signature_of, type_key
from ..scopes import FunctionName, Functions, MemberName, Parameter
from ..types.member_types import Members, MemberTypes, members_of, method_type, qualifiers_of


class MemberPointers(Part):
    """The checker's part for pointers to members."""

    def __init__(self, s: Sema) -> None:
        super().__init__(s)
        self.member_types = MemberTypes()
        self.methods_by_pointer: dict[FunctionName, FunctionName] = {}  # those that pointers to methods lead to

    # ----------------------------------------------------------------------------------------------- making

    def member_address(self, node: Node, span: Span) -> Expr | None:
        """Return the pointer that `&S::x` is; None where `node` names no member that needs an object."""
        if not isinstance(node, cxx.Name) or len(node.parts) < 2:
            return None
        entry = self.s.expr.names.find(node)
        if isinstance(entry, MemberName):
            return self._data_address(entry, span)
        if isinstance(entry, Functions) and all(one.owner is not None for one in entry.candidates):
            function = self.s.expr.names.only_function(entry, span)
            return self.method_address(function, span) if function.is_method else None
        return None

    def _data_address(self, entry: MemberName, span: Span) -> Expr:
        nowhere = Deref(span, entry.owner, Constant(span, Pointer(entry.owner), 0))
        place = self.s.classes.members.member_of(nowhere, entry.name, span, span)
        if not isinstance(place, Member) or place.bits is not None:
            self.fail(span, f"'{entry.name}' is no member that a pointer can point to")
        target = Qualified(place.type, self.s.classes.conversions.is_const_place(place))
        return Constant(span, self.member_types.data(entry.owner, target, span), outermost(place)[1])

    def method_address(self, function: FunctionName, span: Span) -> Expr:
        """Return the pointer to a method: the number of the function, or of the one that calls its last overrider."""
        assert function.owner is not None
        self.s.calls.functions.require_usable(function, span)
        result = self.s.calls.functions.result_of(function, span)
        made = self.methods_by_pointer.get(function)
        if made is None:
            virtual = "virtual" in function.words
            key = (
                self.s.calls.indirect.virtual_chooser(function)
                if virtual
                else self.s.calls.functions.use(function, span)
            )
            this = Parameter("self", span, function.this_type, False)
            shown = f"{'virtual ' * virtual}{function.shown}{function.ref}"  # overloads have numbers of their own
            made = FunctionName(
                span, key, "device", (this, *function.params), result, span, key, shown, checked=True,
                noexcept=self.s.templates.exceptions.is_noexcept(function),
            )  # fmt: skip
            self.methods_by_pointer[function] = made
        number = self.s.calls.indirect.function_address(made, span)
        assert isinstance(number, Constant)
        params = tuple(param.qualified for param in function.params)
        noexcept = self.s.templates.exceptions.is_noexcept(function)
        ctype = self.member_types.method(
            function.owner, result, params, span, qualifiers=function.method_qualifiers, noexcept=noexcept
        )
        return Constant(span, ctype, number.value)

    def member_pointer_type(self, node: cxx.MemberPointer) -> Qualified:
        """Return the type `int S::*` or `int (S::*)(int) const`."""
        owner = self.s.types.base_type(node.owner).type
        if not isinstance(owner, Struct):
            self.fail(node.coord, f"'{owner}' is no class: it has no members to point to")
        quals = "const" in node.quals, "volatile" in node.quals
        if isinstance(node.type, c_ast.FuncDecl):
            result = self.s.types.qualified(node.type.type)
            params = tuple(
                param.qualified for param in self.s.statements.functions.parameters(node.type.args, node.coord)
            )
            qualifiers, noexcept = qualifiers_of(node.type), self.s.types.is_noexcept(node.type)
            method = self.member_types.method(
                owner, result, params, node.coord, qualifiers=qualifiers, noexcept=noexcept
            )
            return Qualified(method, *quals)
        target = self.s.types.qualified(node.type)
        if isinstance(target.type, FunctionType):
            result, given = signature_of(target.type)
            method = self.member_types.method(
                owner, result, given, node.coord, qualifiers=target.type.qualifiers, noexcept=target.type.noexcept
            )
            return Qualified(method, *quals)
        if target.reference:
            self.fail(node.coord, "a pointer to a member that is a reference is not possible")
        return Qualified(self.member_types.data(owner, target, node.coord), *quals)

    # ---------------------------------------------------------------------------------------------- using

    def pointed_member(self, node: cxx.PointedMember) -> Place:
        """Return the place that `object.*pointer` is."""
        base, pointer, members = self._operands(node)
        if members.called is not None:
            self.fail(node.coord, "a method by its pointer must be called", help="write '(object.*pointer)(...)'")
        assert members.owner is not None and members.target is not None
        place = self.s.classes.members.as_base(base, members.owner, node.coord)
        if isinstance(pointer, Constant) and (known := _field_at(place, int(pointer.value), members.target.type)):
            return known
        const, volatile = place_type(place, self.s.structs.const_members)
        start = self.s.classes.members.object_address(place, members.owner, node.coord)
        address = Convert(node.coord, Pointer(CHAR), start, explicit=True)
        moved = PointerAdd(node.coord, Pointer(CHAR), address, Convert(node.coord, LONG, pointer))
        target = members.target
        to = Pointer(target.type, target.const or const, target.volatile or volatile)
        return Deref(node.coord, target.type, Convert(node.coord, to, moved, explicit=True))

    def call_pointed(self, node: c_ast.FuncCall, callee: cxx.PointedMember, arguments: list[Node]) -> Expr | Place:
        """Check `(object.*pointer)(...)`."""
        base, pointer, members = self._operands(callee)
        if members.called is None:
            return self.s.calls.call_value(node, self.pointed_member(callee), arguments)
        assert members.owner is not None
        result, params = members.called
        self._require_object(base, members, pointer, node.coord)
        args = self.s.calls.arguments.arguments(arguments)
        if len(args) != len(params):
            few = "few" if len(args) < len(params) else "many"
            self.fail(node.coord, f"too {few} arguments: {len(args)} given, {len(params)} expected")
        values = [
            self.s.calls.arguments.passed(arg, param, f"in argument {number}")
            for number, (arg, param) in enumerate(zip(args, params, strict=True), start=1)
        ]
        this = self.s.classes.members.object_address(base, members.owner, node.coord)
        whole = method_type(members)
        assert isinstance(this.type, Pointer)
        pointer_to = Pointer(members.owner, members.qualifiers.const, members.qualifiers.volatile)
        this = self.s.expr.pointers.convert_pointer(this, pointer_to)
        call = self.s.calls.indirect.call_by_number(pointer, whole, (this, *values), node.coord)
        if not result.reference:
            return call
        return Deref(node.coord, result.type, call, xvalue=result.reference == "&&")

    def _require_object(self, base: Place, members: Members, pointer: Expr, span: Span) -> None:
        """Fail unless a method with these qualifiers can be called on an object ([expr.mptr.oper]/5, /6)."""
        const, volatile, ref = members.qualifiers
        if not isinstance(base, Temporary):
            is_const, is_volatile = place_type(base, self.s.structs.const_members)
            for word, lost in (("const", is_const and not const), ("volatile", is_volatile and not volatile)):
                if lost:
                    self.fail(span, f"the object is {word}: it has no use for a '{pointer.type}'")
        if ref and (ref == "&") != is_lvalue(base) and not (ref == "&" and const and not volatile):
            kind = "an lvalue" if ref == "&&" else "no lvalue"
            self.fail(span, f"the object is {kind}: it has no use for a '{pointer.type}'")

    def _operands(self, node: cxx.PointedMember) -> tuple[Place, Expr, Members]:
        if node.op == "->":
            address = self.s.expr.arrow(node.object)
            if not isinstance(address.type, Pointer):
                self.fail(node.object.coord, f"'->*' needs a pointer to an object, not '{address.type}'")
            base: Place = Deref(node.object.coord, address.type.target, address)
        else:
            term = self.s.expr.behind(self.s.expr.term(node.object), node.object)
            base = term if isinstance(term, Place) else Temporary(term.span, term.type, term)
        pointer = self.s.expr.value(node.pointer)
        members = members_of(pointer.type)
        if members is None:
            self.fail(node.pointer.coord, f"'{node.op}*' needs a pointer to a member, not '{pointer.type}'")
        assert members.owner is not None
        if not isinstance(base.type, Struct) or (
            base.type is not members.owner and self.s.classes.members.base_path(base.type, members.owner) is None
        ):
            self.fail(node.coord, f"an object of type '{base.type}' has no members of '{members.owner}'")
        return base, pointer, members

    # ---------------------------------------------------------------------------------------- conversions

    def to_member_pointer(self, expr: Expr, target: Scalar) -> Expr | None:
        """Convert a null pointer, or a pointer to a member of a base class; None if that is not possible."""
        wanted = members_of(target)
        if wanted is None or wanted.owner is None:
            return None
        given = members_of(expr.type)
        if given is None and (is_nullptr_t(expr.type) or is_null(expr)):
            return Constant(expr.span, target, wanted.zero)
        if given is None or given.owner is None or not _can_become(given, wanted):
            return None
        if given.owner is not wanted.owner and self.s.classes.members.base_path(wanted.owner, given.owner) is None:
            return None
        nowhere = Deref(expr.span, wanted.owner, Constant(expr.span, Pointer(wanted.owner), 0))
        part = self.s.classes.members.as_base(nowhere, given.owner, expr.span)
        moved = outermost(part)[1] if given.called is None else 0  # what calls the function finds the object's base
        if isinstance(expr, Constant):
            value = int(expr.value)
            return Constant(expr.span, target, value if value == given.zero else value + moved)
        if not moved:
            return Convert(expr.span, target, expr)
        return self._moved(expr, target, given, moved)

    def to_base_member_pointer(self, expr: Expr, target: Scalar) -> Expr | None:
        """Convert a pointer to a data member to one of a base class, which only a cast does ([expr.static.cast]/12)."""
        given, wanted = members_of(expr.type), members_of(target)
        if given is None or wanted is None or given.owner is None or wanted.owner is None or given.called is not None:
            return None
        if given.owner is wanted.owner or not self.s.classes.members.base_path(given.owner, wanted.owner):
            return None
        if not _can_become(given, wanted):
            return None
        nowhere = Deref(expr.span, given.owner, Constant(expr.span, Pointer(given.owner), 0))
        back = outermost(self.s.classes.members.as_base(nowhere, wanted.owner, expr.span))[1]
        if isinstance(expr, Constant):
            value = int(expr.value)
            return Constant(expr.span, target, value if value == given.zero else value - back)
        return self._moved(expr, target, given, -back) if back else Convert(expr.span, target, expr)

    def _moved(self, pointer: Expr, target: Scalar, given: Members, offset: int) -> Expr:
        """Return a pointer to a data member that lies `offset` bytes further in a derived class, if there is one."""
        span = pointer.span
        if not only_reads(pointer):
            kept = self.s.expr.objects.hidden_variable(pointer.type, span)
            fill = Assign(span, pointer.type, kept, pointer)
            value = self._moved(Load(span, pointer.type, copied(kept)), target, given, offset)
            return Comma(span, target, fill, value)
        place = Convert(span, LONG, pointer)
        there = Binary(span, BOOL, "!=", copied(place), Constant(span, LONG, given.zero))
        further = Binary(span, LONG, "*", Convert(span, LONG, there), Constant(span, LONG, offset))
        return Convert(span, target, Binary(span, LONG, "+", place, further))


def _can_become(given: Members, wanted: Members) -> bool:
    """Whether the members are alike, their class aside; what is pointed to may become const."""
    if given.called is not None or wanted.called is not None:
        fits = given.qualifiers == wanted.qualifiers and given.noexcept >= wanted.noexcept  # ([conv.fctptr])
        return fits and _signature(given) == _signature(wanted)
    if given.target is None or wanted.target is None or not same_type(given.target.type, wanted.target.type):
        return False
    return wanted.target.const >= given.target.const and wanted.target.volatile >= given.target.volatile


def _signature(members: Members) -> object:
    if members.called is None:
        return None
    result, params = members.called
    return tuple((type_key(one.stored), one.reference) for one in (result, *params))


def _field_at(place: Place, offset: int, ctype: CType) -> Member | None:
    """Return the member of a class, not of its bases, at an offset."""
    assert isinstance(place.type, Struct)
    for field in place.type.fields or ():
        if field.offset == offset and same_type(field.type, ctype):
            return Member(place.span, field.type, place, field.name, field.offset)
    return None
