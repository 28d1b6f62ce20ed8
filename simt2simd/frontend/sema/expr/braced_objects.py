"""Objects that braces make as values: `T{...}`, `x = {...}`; the hidden variables that hold such values."""

from __future__ import annotations

from dataclasses import replace

from pycparser import c_ast

from ....lang.builtins import make
from ....lang.ctype import INT, VOID, Array, CType, Struct, leaves, overlapping_parts
from ....lang.vectors import DIM3, VECTOR_TYPES
from ....source import Span
from ....tree.nodes import (
    Assign,
    BuiltinCall,
    Comma,
    Constant,
    Convert,
    Declare,
    Expr,
    Member,
    Place,
    Variable,
    VarRef,
)
from ...parse.words import Node
from ..argument import Argument
from ..context import Part, Sema
from ..qualified import Qualified
from .initialisers import Leaf, parts


class BracedObjects(Part):
    """The checker's part for objects that braces make, and the hidden variables that hold them."""

    def __init__(self, s: Sema) -> None:
        super().__init__(s)
        self.hidden_count = 0

    def hidden_variable(self, target: CType, span: Span) -> VarRef:
        """Declare a variable before the current statement."""
        self.hidden_count += 1
        variable = Variable(f"literal_{self.hidden_count}", target, span, "local")
        self.s.current.hidden_objects.add(variable)
        self.s.current.hidden.append(Declare(span, variable, None))
        return VarRef(span, target, variable)

    def class_item(self, node: Node, target: Struct) -> Expr:
        """Return the object that one item of a braced list makes."""
        if isinstance(node, c_ast.InitList):
            return self.braced_object(node, target)
        return self.s.calls.arguments.bind(
            self.s.calls.arguments.argument_of(node), Qualified(target), "in an initialiser"
        )

    def braced_object(self, node: c_ast.InitList, target: Struct) -> Expr:
        """Return the object that `T{...}` makes."""
        if self.s.classes.construction.is_class(target):
            return self.s.classes.lists.object_of_list(node, target)
        if (origin := self.copied_object(node, target)) is not None:
            argument = self.s.calls.arguments.argument_of(origin)
            made = self.s.calls.arguments.bind(argument, Qualified(target), "in an initialiser")
            return self.s.classes.prvalues.read(made)  # a copy: no reference is bound to the operand
        if target == DIM3:
            return self.s.expr.conversions.dim3(self.s.expr.each(*node.exprs), node.coord)
        return self.struct_value(node, target)

    def copied_object(self, node: c_ast.InitList, target: Struct) -> Node | None:
        """Return the one object of its class or a derived one of which an aggregate is made ([dcl.init.list]/3.2)."""
        given = self.s.templates.packs.spread_nodes(node.exprs)
        if len(given) != 1 or isinstance(given[0], c_ast.InitList | c_ast.NamedInitializer):
            return None
        copied = self.s.classes.construction.is_kind_of(self.s.expr.operators.type_of(given[0]).type, target)
        return given[0] if copied else None

    def compound_literal(self, node: c_ast.CompoundLiteral) -> Expr:
        """`T{...}` and `(T){...}`."""
        target = self.s.templates.functions.made_type(node.type, node.init.exprs, node.coord).type
        if isinstance(target, Array):
            self.fail(node.coord, "an array cannot be written as a value", help="declare it as a variable")
        if target is VOID and not node.init.exprs:
            return Convert(node.coord, VOID, Constant(node.coord, INT, 0), explicit=True)
        if not isinstance(target, Struct):
            return self.s.expr.initialisers.scalar_in_braces(node.init, target, "in an initialiser")
        return self.braced_object(node.init, target)

    def assign_braces(self, node: c_ast.Assignment, target: Place) -> Expr | Place:
        """`x = {...}`: an object's operator takes the list ([expr.ass]/9)."""
        assert isinstance(node.rvalue, c_ast.InitList)
        if isinstance(target.type, Struct):
            return self.s.classes.operators.assign_to_object(
                target, Argument(node.rvalue, None), node.lvalue, node.coord
            )
        place = self.s.expr.writable(node.lvalue, "assign to", target)
        value = self.s.expr.initialisers.scalar_in_braces(node.rvalue, place.type, "in an assignment")
        return Assign(node.coord, place.type, place, value)

    def struct_value(self, braces: c_ast.InitList, target: Struct) -> Expr:
        """Return the value of a braced list for a struct: a hidden variable is filled, then read."""
        span = braces.coord
        if target in VECTOR_TYPES.values():
            given = {offset: value for offset, _, value in self.s.expr.initialisers.braces(braces, target, 0)}
            scalars = tuple(
                given.get(offset) or self.s.expr.initialisers.zero(leaf, span) for offset, leaf in leaves(target)
            )
            return BuiltinCall(span, target, make(target, f"make_{target}"), scalars)
        self.s.types.require_copyable(target, span)
        place = self.hidden_variable(target, span)
        with self.s.at(replace(self.s.here, listed=place)):
            items = self.s.expr.initialisers.braces(braces, target, 0)
        result: Expr = self.s.classes.prvalues.prvalue(place, None, span)
        for store in reversed(self.stores(place, items, span)):
            result = Comma(span, target, store, result)
        return result

    def stores(self, place: Place, leaves: list[Leaf], span: Span) -> list[Expr]:
        """Return the assignments that give `place` the value of a braced list, zeros included."""
        given = {(offset, ctype): value for offset, ctype, value in leaves}
        done: list[Expr] = []
        for part, offset in parts(place, span, whole=given):
            if (offset, part.type) in given:
                done.append(self.s.classes.prvalues.initialised(part, given[offset, part.type], span))
            elif isinstance(part.type, Struct):
                done += self.union_stores(part, offset, given, span)
            else:
                done.append(Assign(span, part.type, part, self.s.expr.initialisers.zero(part.type, span)))
        return done

    def union_stores(self, place: Place, offset: int, given: dict[tuple[int, CType], Expr], span: Span) -> list[Expr]:
        """Return the assignments that give a union zero, and then the values of one of its members."""
        assert isinstance(place.type, Struct)
        fields = place.type.fields or ()
        inside = {(at, ctype): value for (at, ctype), value in given.items() if offset <= at < offset + place.type.size}
        members = [Member(span, part.type, place, part.name, part.offset) for part in fields]
        largest = max(members, key=lambda part: part.type.size, default=None)
        chosen = next((part for part in members if inside.keys() <= set(overlapping_parts(part.type, offset))), largest)
        done: list[Expr] = []
        if largest is not None and largest is not chosen:
            done += self.stores(largest, [], span)
        if chosen is not None:
            leaves = [(at - offset, ctype, value) for (at, ctype), value in inside.items()]
            done += self.stores(chosen, leaves, span)
        return done
