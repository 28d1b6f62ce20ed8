"""Checking the arguments of calls, and binding them to parameters: as values, or as addresses for references."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from pycparser import c_ast

from ....diag import Note
from ....lang.ctype import Array, CType, FunctionType, Pointer, Struct
from ....source import Span
from ....tree.nodes import (
    AddressOf,
    Assign,
    Comma,
    Constant,
    Deref,
    Expr,
    Member,
    Place,
    Temporary,
    VarRef,
)
from ....tree.value_category import is_lvalue, is_xvalue
from ...parse import cxx
from ...parse.words import Node
from ..argument import Argument, chooses
from ..context import Part
from ..expr.conversions import place_type, same_type
from ..expr.expressions import root_of
from ..qualified import Qualified, may_throw
from ..scopes import FunctionName, Reported


class Arguments(Part):
    """The checker's part for arguments."""

    def arguments(self, nodes: Sequence[Node]) -> list[Argument]:
        """Check the arguments of a call, each as what it denotes, packs expanded."""
        found: list[Argument] = []
        faulty = False
        for node in nodes:
            try:
                if isinstance(node, cxx.PackExpansion):
                    found += self.s.templates.packs.expanded(node, partial(self.argument_of, node.pattern))
                else:
                    found.append(self.argument_of(node))
            except Reported:
                faulty = True
        if faulty:
            raise Reported
        return found

    def sound_arguments(self, nodes: Sequence[Node]) -> list[Argument]:
        """Check arguments, whose faults are reported; without arguments or with faulty ones the list is empty."""
        try:
            return self.arguments(nodes)
        except Reported:
            return []

    def argument_of(self, node: Node) -> Argument:
        if isinstance(node, c_ast.InitList):
            return Argument(node, None)
        if (
            isinstance(node, c_ast.ID | cxx.Name | c_ast.UnaryOp)
            and (found := self.s.expr.pointers.functions_named(node)) is not None
        ):
            match found.candidates:
                case [FunctionName() as only] if found.given is None:
                    return self._function_argument(node, self.s.calls.indirect.function_address(only, node.coord))
            only_one = self.s.templates.functions.only_instance(found, node.coord) if found.given is not None else None
            if only_one is not None:
                return self._function_argument(node, self.s.calls.indirect.pointer_to(only_one, node.coord))
            return Argument(node, None, found)
        term = self.s.expr.term(node)
        value = None if isinstance(term, Place) else term
        behind = self.s.classes.prvalues.place_behind(value) if value is not None and chooses(node) else None
        named = (
            isinstance(term, Constant)
            and isinstance(node, c_ast.ID)
            and self.s.expr.operators.variable_behind(node) is not None
        )
        constant = named or (behind is not None and self.s.classes.conversions.is_const_place(behind))
        return Argument(node, term, constant=constant, read=named or (behind is not None and is_lvalue(behind)))

    def _function_argument(self, node: Node, pointer: Expr) -> Argument:
        """Return an argument that names one function, or points to it."""
        named = not isinstance(node, c_ast.UnaryOp) and isinstance(pointer.type, Pointer)
        return Argument(node, pointer, function=named)

    def passed(self, arg: Argument, target: Qualified, context: str, *notes: Note) -> Expr:
        """Return what a call passes for a parameter of type `target`: for many objects of classes, their address."""
        return self.s.classes.prvalues.passed(self.bind(arg, target, context, *notes))

    def bind(self, arg: Argument, target: Qualified, context: str, *notes: Note) -> Expr:
        """Return the value of an argument for a variable of type `target`: an address for a reference."""
        if target.reference:
            return self._bind_reference(self.without_braces(arg, target), target, context, notes)
        return self.converted(arg, target.type, context, *notes)

    def without_braces(self, arg: Argument, target: Qualified) -> Argument:
        """Return the one element of a braced list to which a reference of its type is bound ([dcl.init.list]/3.8)."""
        exprs: list[Node] = getattr(arg.node, "exprs", []) if arg.term is None and arg.functions is None else []
        if len(exprs) != 1 or isinstance(exprs[0], c_ast.InitList | c_ast.NamedInitializer | cxx.PackExpansion):
            return arg
        with self.s.expr.operators.unevaluated():
            one = self.argument_of(exprs[0])
        related = one.term is not None and self.s.calls.sequences.base_depth(one.term.type, target.type) is not None
        return self.argument_of(exprs[0]) if related else arg

    def converted(self, arg: Argument, target: CType, context: str, *notes: Note) -> Expr:
        """Return an argument as a value of type `target`."""
        if arg.functions is not None:
            return self.s.calls.indirect.chosen_function(arg.functions, target, arg.span)
        if arg.term is None:
            assert isinstance(arg.node, c_ast.InitList)
            if isinstance(target, Struct):
                return self.s.expr.objects.braced_object(arg.node, target)
            return self.s.expr.initialisers.scalar_in_braces(arg.node, target, context)
        return self.s.expr.conversions.implicit(self.s.expr.load(arg.term), target, context, *notes, span=arg.span)

    def _bind_reference(self, arg: Argument, target: Qualified, context: str, notes: tuple[Note, ...]) -> Expr:
        term, span = arg.term, arg.span
        if isinstance(target.type, FunctionType):
            return self._bind_function(arg, target, context)
        pointer = Pointer(target.type, target.const, target.volatile)
        if term is not None and (named := self._converted_reference(term, target, span)) is not None:
            arg = Argument(arg.node, named)
            term = named
        prvalues = self.s.classes.prvalues
        if term is not None and (
            isinstance(term, Temporary) or (isinstance(term.type, Struct) and not isinstance(term, Place))
        ):
            value = term.value if isinstance(term, Temporary) else term
            term = prvalues.place_behind(value) or prvalues.materialised(value)
        elif term is not None and not isinstance(term, Place):
            term = prvalues.place_behind(term) or term
        place = (
            self.s.expr.operators.variable_behind(arg.node)
            if isinstance(arg.node, c_ast.ID) and isinstance(term, Constant)
            else None
        )
        if place is not None and target.const and place.type == target.type and place.variable.storage == "local":
            term = place
        if place is not None and not target.const and target.reference == "&":
            self.fail(span, f"'{target}' cannot be another name of this: it is const", *notes)
        to_lvalue = target.reference == "&" and not target.const
        if isinstance(term, Place) and not isinstance(root_of(term), Temporary) and not (to_lvalue and is_xvalue(term)):
            related = self.s.calls.sequences.base_depth(term.type, target.type)
            if related is not None:
                const, volatile = place_type(term, self.s.structs.const_members)
                if (const and not target.const) or (volatile and not target.volatile):
                    word = "const" if const and not target.const else "volatile"
                    self.fail(span, f"'{target}' cannot be another name of this: it is {word}", *notes)
                if not self.is_bit_field(term):
                    found = (
                        self.s.classes.members.as_base(term, target.type, span)
                        if isinstance(target.type, Struct)
                        else term
                    )
                    return self.s.expr.pointers.pointer_as(self.s.expr.pointers.address(found, span), pointer)
        if to_lvalue:
            what = "a value" if not isinstance(term, Place) else f"'{term.type}'"
            help = "store it in a variable first, or make the parameter a 'const' reference"
            self.fail(span, f"a reference to '{target.type}' {context} needs a variable, not {what}", *notes, help=help)
        if (
            isinstance(term, Temporary)
            and isinstance(target.type, Struct)
            and self.s.calls.sequences.base_depth(term.type, target.type)
        ):
            whole, store = self.kept(term.value, term.type, span)  # of which the reference names a part
            return Comma(
                span, pointer, store, AddressOf(span, pointer, self.s.classes.members.as_base(whole, target.type, span))
            )
        if term is None and isinstance(arg.node, c_ast.InitList) and isinstance(target.type, Array):
            return self._listed_array(arg.node, target.type, pointer, span)
        value = prvalues.own(self.bind(arg, Qualified(target.type), context, *notes))
        if prvalues.parts(value) is not None:
            return self.s.expr.pointers.pointer_as(
                self.s.expr.pointers.address(prvalues.materialised(value), span), pointer
            )
        stored, store = self.kept(value, target.type, span)
        return Comma(span, pointer, store, AddressOf(span, pointer, stored))

    def _listed_array(self, node: c_ast.InitList, ctype: Array, pointer: Pointer, span: Span) -> Expr:
        """Return the address of a temporary array with these elements."""
        array = self.s.expr.objects.hidden_variable(ctype, span)
        result: Expr = self.s.expr.pointers.pointer_as(self.s.expr.pointers.address(array, span), pointer)
        leaves = self.s.expr.initialisers.braces(node, ctype, 0)
        for store in reversed(self.s.expr.objects.stores(array, leaves, span)):
            result = Comma(span, result.type, store, result)
        self.s.classes.temporaries.destroy_later(array, span)
        return result

    def _bind_function(self, arg: Argument, target: Qualified, context: str) -> Expr:
        """Return the pointer that a reference to a function holds."""
        wanted = Pointer(target.type)
        if arg.functions is not None:
            return self.s.calls.indirect.chosen_function(arg.functions, wanted, arg.span)
        denoted = arg.denoted if arg.term is not None else None
        if not isinstance(denoted, Deref) or not _fits_function(denoted.type, target.type):
            self.fail(arg.span, f"a reference to '{target.type}' {context} needs such a function")
        return self.s.expr.conversions.convert(denoted.pointer, wanted)

    def _converted_reference(self, term: Expr | Place, target: Qualified, span: Span) -> Expr | Place | None:
        """Return what a conversion function makes of an object for a reference to be bound to ([over.match.ref])."""
        if not isinstance(term.type, Struct) or self.s.calls.sequences.base_depth(term.type, target.type) is not None:
            return None
        conversions = self.s.classes.user_conversions
        found = conversions.reference_conversions(term, target)
        conversions.refuse_ambiguous(found, term.type, target, span)
        if not found or not isinstance(found[0].function, FunctionName):
            return None
        return self.s.classes.conversions.call_conversion(found[0].function, term, span)

    def kept(self, value: Expr, ctype: CType, span: Span) -> tuple[VarRef, Expr]:
        """Return a hidden variable that holds `value` until the end of the statement, and what stores it there."""
        place = self.s.expr.objects.hidden_variable(ctype, span)
        return VarRef(span, ctype, place.variable), Assign(span, ctype, place, value)

    def is_bit_field(self, place: Place) -> bool:
        """Whether no pointer can point to `place`."""
        return isinstance(place, Member) and place.bits is not None


def _fits_function(given: CType, target: CType) -> bool:
    """Whether a reference to functions of type `target` may name a function: also one that throws nothing."""
    throwing = isinstance(given, FunctionType) and same_type(may_throw(given), target)
    return same_type(given, target) or throwing  # ([dcl.init.ref]/4)
