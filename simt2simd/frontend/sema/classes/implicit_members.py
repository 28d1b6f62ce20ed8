"""Checking the functions that the compiler makes for a class: what constructs, copies, assigns and destroys objects."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Literal

from pycparser import c_ast

from ....diag import Note
from ....lang.ctype import INT, VOID, Array, BitField, CType, Pointer, Struct
from ....lang.vectors import DIM3
from ....source import Span
from ....tree.nodes import (
    Assign,
    Block,
    Call,
    Constant,
    Decay,
    Deref,
    Evaluate,
    Expr,
    Function,
    Index,
    Load,
    Member,
    Place,
    Stmt,
    Variable,
    VarRef,
)
from ....tree.rewrite import copied
from ....tree.value_category import as_xvalue, is_xvalue
from ...parse import cxx
from ...parse.words import Node
from ..argument import Argument
from ..class_info import VPTR, ClassInfo
from ..context import Part
from ..qualified import Qualified
from ..scopes import FunctionName, Parameter

_IMPLICIT = frozenset({"constexpr"})  # where what it calls is ([class.default.ctor]/4, [class.copy.ctor]/12)


class ImplicitMembers(Part):
    """The checker's part for functions that the compiler makes."""

    def made(self, info: ClassInfo, what: str) -> FunctionName | None:
        """Return what the compiler makes: "construct", "destroy", "copy", "move", "assign", "move_assign"."""
        if what in info.made:
            return info.made[what]
        struct = info.struct
        key = self.s.linkage.unique_key(f"{struct.tag}_{what}")
        this = Variable("self", Pointer(struct), struct.span, "param")
        moves = what in ("move", "move_assign")
        other = Variable("other", Pointer(struct, const=not moves), struct.span, "param")
        params = (this,) if what in ("construct", "destroy") else (this, other)
        function = FunctionName(
            struct.span, key, "device", (), Qualified(VOID), struct.span, key, key, info.scopes, words=_IMPLICIT
        )
        info.made[what] = function
        with self.s.scopes.instead((*info.scopes, info.scope)), self.s.statements.bodies.a_body(function):
            place = Deref(struct.span, struct, Load(struct.span, this.type, VarRef(struct.span, this.type, this)))
            source = Deref(struct.span, struct, Load(struct.span, other.type, VarRef(struct.span, other.type, other)))
            if what == "construct":
                self.s.current.body.this = this
                body = self.construct_members(info, place, {}, struct.span)
            elif what == "destroy":
                body = self.destroy_members(info, place, struct.span)
            else:
                body = self._copy_members(info, place, source, what)
        self.s.functions.checked[key] = Function(
            key, struct.span, "device", params, VOID, Block(struct.span, tuple(body)), shown=f"{struct}::{what}"
        )
        self.s.functions.only_checked.add(key)
        return function

    def constructors(self, info: ClassInfo) -> list[FunctionName]:
        """Return the copy and move constructors that a class has implicitly ([class.copy.ctor]/6, /8)."""
        declared = self.s.classes.construction.copying(info)
        own = {(one.name == "operator=", one.params[0].reference) for one in declared}
        found: list[tuple[Literal["&", "&&"], str]] = []
        if (False, "&") not in own:
            found.append(("&", "=delete" if {(False, "&&"), (True, "&&")} & own else "=default"))
        if not own and info.destructor is None:
            found.append(("&&", "=default"))
        return [self._special(info, info.name, reference, word) for reference, word in found]

    def assignments(self, info: ClassInfo) -> list[FunctionName]:
        """Return the copy and move assignments that a class has implicitly ([class.copy.assign]/2, /4)."""
        declared = self.s.classes.construction.copying(info)
        own = {(one.name == "operator=", one.params[0].reference) for one in declared}
        found: list[FunctionName] = []
        if not {(True, "&"), (True, "")} & own:
            moves = {(False, "&&"), (True, "&&")} & own
            found.append(self._special(info, "operator=", "&", "=delete" if moves else "=default"))
        if not own and info.destructor is None:
            found.append(self._special(info, "operator=", "&&", "=default"))
        return found

    def _special(self, info: ClassInfo, name: str, reference: Literal["&", "&&"], word: str) -> FunctionName:
        """Return the declaration of a function that takes another object of its class."""
        struct = info.struct
        other = Parameter("", struct.span, struct, reference == "&", reference=reference)
        return FunctionName(
            struct.span,
            name,
            "device",
            (other,),
            Qualified(VOID),
            shown=f"{struct}::{name}",
            owner=struct,
            words=frozenset({word}),
        )

    def member_place(self, place: Place, name: str, span: Span) -> Place:
        struct = place.type
        assert isinstance(struct, Struct)
        member: Place = copied(place)
        for part in struct.path(name):
            bits = part if isinstance(part, BitField) else None
            member = Member(span, part.type, member, part.name, part.offset, bits)
        return member

    def construct_members(
        self,
        info: ClassInfo,
        place: Place,
        given: dict[str, cxx.MemberInit],
        span: Span,
        made: tuple[str, Stmt] | None = None,
    ) -> list[Stmt]:
        """Return what initialises the bases and members of the object at `place`, in the order of their declaration.

        `made`: a base, and what makes it, for which there is no initialiser.
        From the first member on, virtual functions are those of the class ([class.cdtor]/4).
        """
        result: list[Stmt] = []
        own_statements = self.s.statements.with_hidden  # each initialiser is a full-expression ([class.base.init]/7)
        vptr = [Evaluate(span, self.s.calls.indirect.set_vptr(info, place, span))] if info.polymorphic else []
        bases = {base.field for base in info.bases}
        ordered = sorted(self.s.classes.construction.parts_of(info), key=lambda part: part[0] not in bases)
        if info.struct.union:  # one member at most has a first value ([class.base.init]/9)
            with_values = [name for name, field in info.fields.items() if field.init is not None]
            chosen = [name for name, _ in ordered if name in given] or with_values[:1]
            ordered = [part for part in ordered if part[0] in chosen]
        for name, ctype in ordered:
            if name == VPTR:
                continue
            if made is not None and name == made[0]:
                result.append(made[1])
                continue
            if name not in bases:
                result += vptr
                vptr = []
            if not name:  # of a struct or union without a name, what is initialised
                assert isinstance(ctype, Struct)
                for inner in [one for one in ctype.member_names() if one in given]:
                    part = self.member_place(place, inner, span)
                    result += own_statements(partial(self.initialise_member, part, None, given[inner].init))
                continue
            member = self.member_place(place, name, span)
            field = info.fields.get(name)
            init = given.get(name)
            written = init.init if init is not None else field.init if field is not None else None
            if written is not None:
                result += own_statements(partial(self.initialise_member, member, field, written))
            elif self.s.classes.construction.needs_construction(ctype):
                result += own_statements(partial(self.s.classes.construction.construct, member, [], span))
            elif field is not None:
                self.s.classes.construction.require_first_value(
                    name, field, span, f"a constructor of '{info.struct}' leaves out a member"
                )
        return result + vptr

    def initialise_member(self, member: Place, field: object, init: Node) -> list[Stmt]:
        """Return what an initialiser of a member does: `m(a, b)`, `m{...}`, `m = a`."""
        span = init.coord
        reference = getattr(getattr(field, "type", None), "reference", "")
        if reference:
            nodes = init.exprs if isinstance(init, cxx.Arguments | c_ast.InitList) else [init]
            nodes = self.s.templates.packs.spread_nodes(nodes)
            if len(nodes) != 1:
                self.fail(span, "a reference needs one object")
            target: Qualified = field.type  # type: ignore[attr-defined]
            address = self.s.calls.arguments.bind(
                self.s.calls.arguments.argument_of(nodes[0]), target, "in an initialiser"
            )
            return [Evaluate(span, Assign(span, member.type, member, address))]
        return self.initialise(member, init, span)

    def initialise(self, place: Place, init: Node, span: Span) -> list[Stmt]:
        """Return what gives the object at `place` its first value."""
        ctype = place.type
        if isinstance(init, cxx.Arguments) and not isinstance(ctype, Struct):
            if not self.s.templates.packs.spread_nodes(init.exprs):
                return self._zeros(place)
            return self.initialise(place, self.s.expr.initialisers.only_argument(init, ctype), span)
        if isinstance(ctype, Struct):
            return self._initialise_object(place, init, span)
        if isinstance(ctype, Array):
            if isinstance(init, c_ast.InitList) and self.s.classes.construction.needs_construction(ctype.element):
                return self._initialise_elements(place, init, span)
            leaves = self.s.expr.initialisers.initialiser(init, ctype, "in an initialiser")
            items = list(leaves.items) if hasattr(leaves, "items") else []
            return [Evaluate(span, store) for store in self.s.expr.objects.stores(place, items, span)]
        value = self.s.expr.initialisers.initialiser(init, ctype, "in an initialiser")
        assert not hasattr(value, "items")
        return [Evaluate(span, Assign(span, ctype, copied(place), value))]

    def _initialise_elements(self, place: Place, init: c_ast.InitList, span: Span) -> list[Stmt]:
        """Return what makes the objects of an array: those that the list gives, and the rest without arguments."""
        ctype = place.type
        assert isinstance(ctype, Array)
        nodes = self.s.templates.packs.spread_nodes(init.exprs)
        result, used = self._initialise_in_turn(place, nodes, 0, span)
        if used < len(nodes):
            self.fail(nodes[used].coord, f"too many values for '{ctype}'")
        return result

    def _initialise_in_turn(self, place: Place, nodes: list[Node], used: int, span: Span) -> tuple[list[Stmt], int]:
        """Return what makes the objects of an array of `nodes[used:]`, and how many nodes are used then.

        An array in an array takes what it needs where its braces are left out ([dcl.init.aggr]).
        """
        ctype = place.type
        assert isinstance(ctype, Array)
        result: list[Stmt] = []
        for number in range(ctype.count):
            first = Decay(span, Pointer(ctype.element), copied(place))
            element = Index(span, ctype.element, first, Constant(span, INT, number))
            if isinstance(ctype.element, Array) and used < len(nodes) and not isinstance(nodes[used], c_ast.InitList):
                made, used = self._initialise_in_turn(element, nodes, used, span)
                result += made
            elif used < len(nodes):
                result += self.initialise(element, nodes[used], span)
                used += 1
            else:
                result += self.initialise(element, c_ast.InitList([], span), span)
        return result, used

    def _zeros(self, place: Place) -> list[Stmt]:
        return [Evaluate(place.span, store) for store in self.s.expr.objects.stores(place, [], place.span)]

    def _zeros_and_defaults(self, place: Place, span: Span) -> list[Stmt]:
        return [*self._zeros(place), *self.s.classes.construction.construct(place, [], span)]

    def _initialise_object(self, place: Place, init: Node, span: Span) -> list[Stmt]:
        struct = place.type
        assert isinstance(struct, Struct)
        if isinstance(init, cxx.Arguments):
            args = self.s.calls.arguments.arguments(init.exprs)
            if struct == DIM3:
                return [
                    Evaluate(
                        span,
                        Assign(
                            span, struct, copied(place), self.s.classes.construction.object_value(struct, args, span)
                        ),
                    )
                ]
            if not args and self.s.classes.construction.zeroes_first(struct):
                return self._zeros_and_defaults(place, span)
            return self.s.classes.construction.construct(place, args, span)
        if isinstance(init, c_ast.InitList):
            if self.s.classes.construction.has_constructors(struct):
                made = self.s.classes.lists.list_construction(place, init)
                if made is not None:
                    return [Evaluate(span, made)]
                if not init.exprs and self.s.classes.construction.zeroes_first(struct):
                    return self._zeros_and_defaults(place, span)
                return self.s.classes.construction.construct(
                    place, self.s.calls.arguments.arguments(init.exprs), span, braced=True
                )
            same = self.same_object(init, struct)
            if same is not None:
                return self.s.classes.construction.construct(place, [same], span)
            if self.s.classes.construction.needs_construction(struct) and not init.exprs:
                return self._zeros_and_defaults(place, span)
            with self.s.at(replace(self.s.here, listed=place)):
                leaves = self.s.expr.initialisers.braces(init, struct, 0)
            return [Evaluate(span, store) for store in self.s.expr.objects.stores(place, leaves, span)]
        value = self.s.expr.initialisers.initialiser(init, struct, "in an initialiser")
        if hasattr(value, "items"):
            return [Evaluate(span, store) for store in self.s.expr.objects.stores(place, list(value.items), span)]
        return [Evaluate(span, self.s.classes.prvalues.initialised(place, value, span))]

    def same_object(self, init: c_ast.InitList, struct: Struct) -> Argument | None:
        """Return the argument of `T x{y}`, where y is an object of class T ([dcl.init.list]/3.2)."""
        unlike = c_ast.InitList | c_ast.NamedInitializer | cxx.PackExpansion
        if len(init.exprs) != 1 or isinstance(init.exprs[0], unlike):
            return None
        if not self.s.classes.construction.is_kind_of(self.s.expr.operators.type_of(init.exprs[0]).type, struct):
            return None
        return self.s.calls.arguments.argument_of(init.exprs[0])

    def destroy_members(self, info: ClassInfo, place: Place, span: Span) -> list[Stmt]:
        """Return what destroys an object: its destructor's body, then its members and bases, last first."""
        result: list[Stmt] = []
        if info.polymorphic:  # the object is one of this class again
            result.append(Evaluate(span, self.s.calls.indirect.set_vptr(info, place, span)))
        if info.destructor is not None and "=default" not in info.destructor.words:
            body = info.destructor
            self.s.calls.functions.require_usable(body, span)
            result.append(
                Evaluate(
                    span,
                    Call(
                        span,
                        VOID,
                        self.s.calls.functions.use(body, span),
                        (self.s.classes.construction.address_for_writing(place, span),),
                    ),
                )
            )
        if info.struct.union:  # whose members are not destroyed with it ([class.dtor])
            return result
        bases = {base.field for base in info.bases}
        # Which member of a union there is, only its class's own destructor can know ([class.dtor]/14).
        parts = [] if info.struct.union else [*self.s.classes.construction.parts_of(info)]
        backwards = parts[::-1]
        for name, _ in sorted(backwards, key=lambda part: part[0] in bases):
            result += self.s.classes.construction.destruction(self.member_place(place, name, span), span)
        return result

    def _copy_members(self, info: ClassInfo, place: Place, source: Place, what: str) -> list[Stmt]:
        """Return what copies or moves each base and member; an assignment leaves the object's class as it is."""
        span = place.span
        result: list[Stmt] = []
        constructs = what in ("copy", "move")
        order = {base.field: number for number, base in enumerate(info.bases)}  # a polymorphic one may lie before
        for field in sorted(info.struct.fields or (), key=lambda field: order.get(field.name, len(order))):
            if field.name == VPTR:
                continue
            to, origin = (Member(span, field.type, copied(one), field.name, field.offset) for one in (place, source))
            source_part: Place = as_xvalue(origin) if what.startswith("move") else origin
            copy = partial(self._copy_part, to, source_part, field.type, what, span)
            result += self.s.statements.with_hidden(copy)
        if info.polymorphic and constructs:
            result.append(Evaluate(span, self.s.calls.indirect.set_vptr(info, place, span)))
        return result

    def _copy_part(self, to: Place, origin: Place, ctype: CType, what: str, span: Span) -> list[Stmt]:
        if isinstance(ctype, Array):
            counterpart = Decay(span, Pointer(ctype.element), origin)

            def one(element: Index) -> list[Stmt]:
                other = Index(span, element.type, copied(counterpart), copied(element.index), xvalue=is_xvalue(origin))
                return self._copy_part(element, other, element.type, what, span)

            return self.s.classes.construction.for_elements(to, span, one)
        constructs = what in ("copy", "move")
        if isinstance(ctype, Struct) and not self.s.classes.construction.copies_trivially(
            ctype, "copy" if constructs else "assign"
        ):
            expr = (
                self.s.classes.construction.copy(to, origin, span)
                if constructs
                else self.assign_object(to, origin, span)
            )
            return [Evaluate(span, expr)]
        return [Evaluate(span, Assign(span, ctype, to, Load(span, ctype, origin)))]

    def require_assignment(self, struct: Struct, span: Span, *, moved: bool) -> None:
        """Fail if the implicit assignment of a class is deleted, or only the host's ([class.copy.assign]/2, /7).

        `moved`: what is assigned is an rvalue, which a move assignment of the class takes.
        """
        info = self.s.structs.classes.get(struct)
        declared = self.s.classes.construction.copying(info) if info is not None else []
        assigning = {one.params[0].reference for one in declared if one.name == "operator="}
        note = Note(struct.span, f"'{struct}' is declared here")
        if info is not None and "operator=" in info.host_members and not assigning:
            self.s.classes.members.refuse_member(struct, "operator=", span)
        moves = any(one.params[0].reference == "&&" for one in declared)
        if moves and not assigning & {"", "&"} and not (moved and "&&" in assigning):
            help = f"declare '{struct} &operator=(const {struct} &)'"
            self.fail(span, f"'{struct}' cannot be assigned: it declares how its objects are moved", note, help=help)
        for name, part in self.s.classes.construction.parts_of(info) if info is not None else ():
            known = info.fields.get(name) if info is not None else None
            word = "a reference" if known is not None and known.type.reference else "const"
            if known is not None and (known.type.reference or (struct, name) in self.s.structs.const_members):
                note = Note(known.span, f"'{name}' is declared here")
                self.fail(span, f"'{struct}' cannot be assigned: its member '{name}' is {word}", note)
            self._require_part_assignment(part, span, moved=moved)

    def _require_part_assignment(self, ctype: CType, span: Span, *, moved: bool) -> None:
        while isinstance(ctype, Array):
            ctype = ctype.element
        info = self.s.classes.construction.info(ctype)
        if info is not None and self.s.classes.construction.copy_assignment(info) is None:
            self.require_assignment(info.struct, span, moved=moved)

    def assign_object(self, place: Place, source: Place, span: Span) -> Expr:
        """Return `place = source` for objects of one class, as the compiler makes it."""
        struct = place.type
        assert isinstance(struct, Struct)
        if self.s.classes.construction.copies_trivially(struct, "assign"):
            self.s.types.require_copyable(struct, source.span)
            return Assign(span, struct, place, self.s.expr.load(source))
        info = self.s.structs.classes[struct]
        if self.s.classes.construction.copy_assignment(info) is not None:
            args = [
                self.s.classes.construction.object_argument(place),
                self.s.classes.construction.object_argument(source),
            ]
            found = self.s.classes.operators.apply_operator("=", args, span)
            if found is not None:
                return found.pointer if isinstance(found, Deref) else self.s.expr.load(found)
        moved = self.s.classes.construction.moves_from(source, info, "operator=")
        function = self.made(info, "move_assign" if moved else "assign")
        assert function is not None
        self.s.calls.functions.require_usable(function, span)
        to = self.s.classes.construction.address_for_writing(place, span)
        origin = self.s.classes.construction.source_address(source, span, moved=moved)
        return Call(span, VOID, self.s.calls.functions.use(function, span), (to, origin))
