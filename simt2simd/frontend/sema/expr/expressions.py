"""Checking expressions: a pycparser node becomes a typed `Expr` or `Place` of the tree."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from pycparser import c_ast

from ....diag import Note
from ....lang.builtins import THREAD_VARIABLES
from ....lang.ctype import BOOL, NULLPTR, UINT, VOID, Array, CType, FunctionType, Pointer, Scalar, Struct, is_integer
from ....source import Span
from ....tree.effects import outermost
from ....tree.nodes import (
    AddressOf,
    Assign,
    Call,
    Comma,
    CompoundAssign,
    Constant,
    Decay,
    Deref,
    Expr,
    Increment,
    Index,
    Load,
    Member,
    Place,
    Temporary,
    ThreadIndex,
    VarRef,
)
from ....tree.rewrite import after, unwound
from ...parse import cxx
from ...parse.words import BlockExpression, Node
from ..constexpr.fold import char_literal, float_literal, integer_literal
from ..context import Part
from ..scopes import Reported, VariableName
from ..templates.bound import Bound
from .conversions import is_index, place_type, root_variable

if TYPE_CHECKING:
    from .argument_lookup import ArgumentLookup
    from .braced_objects import BracedObjects
    from .builtin_operators import BuiltinOperators
    from .casts import Casts
    from .conversions import Conversions
    from .initialisers import Initialisers
    from .names import Names
    from .pointers import Pointers
    from .strings import Strings

_AXES = ("x", "y", "z")


class Expressions(Part):
    """The checker's part for expressions.

    `term` gives what an expression denotes, `value` what it evaluates to, `place` where it is. A faulty operand does
    not keep its siblings from being checked: see `each`.
    """

    operators: BuiltinOperators
    conversions: Conversions
    casts: Casts
    strings: Strings
    names: Names
    by_arguments: ArgumentLookup
    initialisers: Initialisers
    objects: BracedObjects
    pointers: Pointers

    def value(self, node: Node) -> Expr:
        """Check `node` as a value: a place is read, an array becomes the address of its first element."""
        return self.load(self.term(node))

    def load(self, term: Expr | Place) -> Expr:
        if not isinstance(term, Place):
            return term
        if isinstance(term, Member | Index) and isinstance(term.type, Scalar):
            known = self.s.constexpr.known_part(term, term.type)
            if known is not None:
                return known
        if isinstance(term.type, Array):
            const, volatile = place_type(term, self.s.structs.const_members)
            const = const or self.s.classes.prvalues.is_const(term)
            return Decay(term.span, Pointer(term.type.element, const, volatile), term)
        if isinstance(term, Temporary):
            return term.value
        if isinstance(term.type, FunctionType):
            return self.pointers.address(term, term.span)  # ([conv.func])
        if term.type == VOID:
            self.fail(term.span, "a void pointer cannot be dereferenced", help="cast it to a pointer to a type first")
        self.s.types.records.require_complete(term.type, term.span)
        if isinstance(term, VarRef) and term.variable.storage == "constant":
            known = self.known_value(term)
            if known is not None:
                return known
        if isinstance(term.type, Struct) and self.s.classes.prvalues.by_address(term.type):
            return Load(term.span, term.type, term)  # what `Prvalues.own` copies or moves
        self.s.types.require_copyable(term.type, term.span)
        steps, place = _made_before(term)
        return after(steps, Load(term.span, term.type, place))

    def known_value(self, ref: VarRef) -> Constant | None:
        known = self.s.variables.known_values.get(ref.variable)
        return None if known is None else Constant(ref.span, known.type, known.value)

    def each(self, *nodes: Node) -> list[Expr]:
        """Check several operands as values, every one even if another is faulty."""
        return self.every([partial(self.value, node) for node in nodes])

    def every(self, checks: Sequence[Callable[[], Expr]]) -> list[Expr]:
        values: list[Expr] = []
        for check in checks:
            try:
                values.append(check())
            except Reported:
                continue
        if len(values) < len(checks):
            raise Reported
        return values

    def place(self, node: Node, deed: str) -> Place:
        """Check `node` as a place; `deed` says what is to be done to it."""
        if isinstance(node, c_ast.StructRef) and node.type == "." and isinstance(node.name, c_ast.TernaryOp):
            base = self.chosen_place(node.name, deed)
            term = self.s.classes.members.member_of(base, spelled(node.field), node.coord, node.field.coord)
        else:
            term = self.chosen_place(node, deed) if isinstance(node, c_ast.TernaryOp) else self.term(node)
        if isinstance(term, Constant) and isinstance(node, c_ast.ID):
            term = self.operators.variable_behind(node) or term
        term = self.assigned_place(term, node, deed)
        if not isinstance(term, Place):
            self.fail(node.coord, f"cannot {deed} this: it is a value, not a variable or a place in memory")
        return term

    def assigned_place(self, term: Expr | Place, node: Node, deed: str) -> Expr | Place:
        """Return the place that `(a = b)`, `++a` and `(b, a)` are: a, after what they do."""
        if isinstance(node, c_ast.ExprList) and not isinstance(term, Place):
            *first, last = node.exprs
            place = self.place(last, deed)
            address: Expr = self.pointers.address(place, place.span)
            for value in reversed([self.load(self.term(one)) for one in first]):
                address = Comma(node.coord, address.type, value, address)
            return Deref(node.coord, place.type, address)
        if isinstance(term, Temporary):
            return self.behind(term, node)
        prefix = isinstance(term, Increment) and term.prefix
        if not (isinstance(term, Assign | CompoundAssign) or prefix) or term in self.s.current.read:
            return term
        assert isinstance(term, Assign | CompoundAssign | Increment)
        return self.s.classes.prvalues.assigned(term, node.coord)

    def behind(self, term: Expr | Place, node: Node) -> Expr | Place:
        """Return the object that `c ? a : b`, `(a, b)` or `(a = b)` denotes, if `term` is its value."""
        value = term.value if isinstance(term, Temporary) else term
        if isinstance(value, Place) or not isinstance(node, c_ast.TernaryOp | c_ast.ExprList | c_ast.Assignment):
            return term
        return self.s.classes.prvalues.place_behind(value) or term

    def chosen_place(self, node: c_ast.TernaryOp, deed: str) -> Place:
        """Check `c ? x : y` as a place that the program may write: `*(c ? &x : &y)`.

        Of two objects of classes it may be a temporary object, of which a method may be called.
        """
        if isinstance(self.operators.type_of(node).type, Struct):
            value = self.load(self.term(node))
            return self.s.classes.prvalues.place_behind(value) or Temporary(value.span, value.type, value)
        cond = self.conversions.to_bool(self.value(node.cond))
        then, other = (self.writable(arm, deed) for arm in (node.iftrue, node.iffalse))
        if then.type != other.type:
            what = f"cannot {deed} this: the arms of '?:' are not two variables of one type"
            self.fail(node.coord, what, help="write an `if`")
        return self.s.classes.prvalues.chosen_place(cond, then, other, node.coord)

    def writable(self, node: Node, deed: str, place: Place | None = None) -> Place:
        """Check `node`, which denotes `place` if that is known, as a place that the program may write."""
        place = self.place(node, deed) if place is None else place
        root = root_of(place)
        if isinstance(root, Temporary):
            what = "function's result" if isinstance(root.value, Call) else "value"
            help = f"store the {what.split()[-1]} in a variable first"
            self.fail(node.coord, f"cannot {deed} a part of a {what}", help=help)
        if isinstance(place.type, Array):
            self.fail(node.coord, f"cannot {deed} an array", help="do it element by element")
        if place_type(place, self.s.structs.const_members)[0]:
            self.refuse_const(place, node, deed)
        named = root_variable(place)
        if named is not None and named.variable.storage == "constant":
            name, declared = named.variable.name, named.variable.span
            note = Note(declared, f"'{name}' is declared here")
            message = f"cannot {deed} '{name}': a kernel cannot change a `__constant__` variable"
            self.fail(node.coord, message, note, help="make it `__device__`")
        return place

    def refuse_const(self, place: Place, node: Node, deed: str) -> None:
        variable = root_variable(place)
        if variable is not None and variable.variable.const:
            name = variable.variable.name
            self.fail(
                node.coord,
                f"cannot {deed} '{name}': it is const",
                Note(variable.variable.span, f"'{name}' is declared here"),
            )
        if (
            isinstance(place, Member)
            and isinstance(place.base.type, Struct)
            and (place.base.type, place.name) in self.s.structs.const_members
        ):
            note = Note(place.base.type.span, f"'{place.base.type.tag}' is declared here")
            self.fail(node.coord, f"cannot {deed} '{place.name}': the member is const", note)
        owner = place.base.type if isinstance(place, Member) else None
        if (
            isinstance(place, Member)
            and isinstance(owner, Struct)
            and owner in self.s.structs.classes
            and self.s.structs.classes[owner].is_lambda
        ):
            help = "capture it by reference, or write 'mutable'"
            self.fail(node.coord, f"cannot {deed} '{place.name}': the lambda has captured its value", help=help)
        self.fail(node.coord, f"cannot {deed} {self._what_is_const(place)}")

    def _what_is_const(self, place: Place) -> str:
        """Return what is const where `place` lies after an address: `this`, a reference or a pointer."""
        name = ""
        while isinstance(place, Member) or (isinstance(place, Index) and isinstance(place.pointer, Decay)):
            if isinstance(place, Member):
                name, place = name or place.name, place.base
            else:
                assert isinstance(place.pointer, Decay)
                place = place.pointer.place
        pointer = place.pointer if isinstance(place, Deref) else None
        if isinstance(pointer, Load) and isinstance(pointer.place, VarRef):
            variable = pointer.place.variable
            if variable is (self.s.current.body.this if self.s.current.bodies else None):
                return f"'{name}': the method is const"
            entry = self.s.scopes.lookup(variable.name)
            if isinstance(entry, VariableName) and entry.reference:
                return f"what '{variable.name}' refers to: it is a reference to const"
        return "what a pointer to const points to"

    # ---------------------------------------------------------------------------------------- terms

    def term(self, node: Node) -> Expr | Place:
        """Check `node`; the result is a `Place` if it denotes one."""
        if isinstance(node, Bound):
            with self.s.scopes.inside(node.scope):
                return self.term(node.node)
        if node in self.s.current.evaluated:
            return self.s.current.evaluated.pop(node)
        match node:
            case c_ast.Constant():
                return self.literal(node)
            case c_ast.ID():
                return self.names.name(node)
            case c_ast.ArrayRef():
                return self.index(node)
            case c_ast.StructRef():
                return self.member(node)
            case c_ast.UnaryOp():
                return self.operators.unary(node)
            case c_ast.BinaryOp():
                return self.operators.binary(node)
            case c_ast.Assignment():
                return self.operators.assignment(node)
            case c_ast.TernaryOp():
                return self.operators.conditional(node)
            case c_ast.Cast():
                return self.operators.cast_expression(node)
            case c_ast.ExprList():
                return self.operators.comma(node)
            case c_ast.FuncCall():
                return self.as_term(self.s.calls.call(node))
            case c_ast.CompoundLiteral():
                return self.as_term(self.objects.compound_literal(node))
            case BlockExpression():
                return self.s.statements.block_value(node)
            case cxx.Name():
                return self.names.entry_term(node, self.names.resolve(node))
            case cxx.Launch():
                return self.s.calls.launches.launch(node)
            case cxx.Construct():
                return self.as_term(self.s.classes.construction.construction(node))
            case cxx.Lambda():
                return self.as_term(self.s.classes.lambdas.lambda_value(node))
            case cxx.New():
                return self.s.classes.new_delete.new(node)
            case cxx.Delete():
                return self.s.classes.new_delete.delete(node)
            case cxx.Fold():
                return self.s.templates.packs.fold_expression(node)
            case cxx.SizeofPack():
                return self.s.templates.packs.size_of_pack(node)
            case cxx.PointedMember():
                return self.s.classes.member_pointers.pointed_member(node)
            case cxx.Requires():
                return self.s.templates.constraints.requires_expression(node)
            case cxx.Trait():
                return self.s.templates.traits.trait(node)
            case cxx.PackExpansion():
                self.fail(node.coord, "a pack can be expanded only in a list")
            case cxx.Throw():
                self.fail(node.coord, "exceptions do not exist in device code", help="return an error code")
            case c_ast.InitList():
                self.fail(node.coord, "a braced list is possible only as an initialiser", help="write `T{...}`")
            case _:
                self.fail(node.coord, f"this expression is not supported: {type(node).__name__}")

    def as_term(self, result: Expr | Place) -> Expr | Place:
        """A struct that an expression makes is a place without a name."""
        if isinstance(result.type, Struct) and not isinstance(result, Place):
            return Temporary(result.span, result.type, result)
        return result

    def terms(self, *nodes: Node) -> list[Expr | Place]:
        """Check several operands, every one even if another is faulty."""
        found: list[Expr | Place] = []
        for node in nodes:
            try:
                found.append(self.term(node))
            except Reported:
                continue
        if len(found) < len(nodes):
            raise Reported
        return found

    def literal(self, node: c_ast.Constant) -> Constant | VarRef:
        text, span = node.value, node.coord
        if node.type == "string":
            return self.strings.string(node)
        if node.type == "bool":
            return Constant(span, BOOL, text == "true")
        if node.type == "nullptr_t":
            return Constant(span, NULLPTR, 0)
        result: Constant | None
        if "'" in text and not text[0].isdigit() and text[0] != ".":
            result = char_literal(text, span)
            if result is None:
                self.fail(span, f"the character {text} is not supported")
            return result
        if node.type in ("float", "double", "long double"):
            return float_literal(text, span)
        result = integer_literal(text, span) if "BitInt" not in node.type else None
        if result is None:
            shown = text if len(text) <= 40 else f"{text[:20]}..."
            self.fail(span, f"the integer {shown} is too large for any type")
        return result

    # -------------------------------------------------------------------------- places inside places

    def index(self, node: c_ast.ArrayRef) -> Expr | Place:
        if isinstance(node.subscript, c_ast.InitList):
            self.fail(node.subscript.coord, "an index must be a number")
        operands = self.terms(node.name, node.subscript)
        if isinstance(operands[0].type, Struct):
            found = self.s.classes.operators.overloaded("[]", operands, [node.name, node.subscript], node.coord)
            if found is not None:
                return found
        base, index = (self.s.classes.conversions.to_number(self.load(operand)) for operand in operands)
        if isinstance(index.type, Pointer) and is_integer(base.type):
            base, index = index, base  # i[a] is a[i]
        if isinstance(operands[0].type, Struct) and not isinstance(base.type, Pointer):
            self.s.classes.operators.refuse_operator("[]", operands, [node.name, node.subscript], node.coord)
        if not isinstance(base.type, Pointer):
            self.fail(node.coord, f"only an array or a pointer can be indexed, not '{base.type}'")
        if not is_index(index.type):
            self.fail(index.span, f"an index must be an integer, not '{index.type}'")
        self.require_size(base.type.target, node.coord, "index")
        return Index(node.coord, base.type.target, base, self.conversions.as_index(index))

    def require_size(self, target: CType, span: Span, deed: str) -> None:
        if target is VOID:
            self.fail(span, f"cannot {deed} a void pointer", help="cast it to a pointer to a type first")
        self.s.types.records.require_complete(target, span)

    def member(self, node: c_ast.StructRef) -> Expr | Place:
        name, span = spelled(node.field), node.coord
        if (
            node.type == "."
            and isinstance(node.name, c_ast.ID)
            and node.name.name in THREAD_VARIABLES
            and not self.s.scopes.lookup(node.name.name)
        ):
            if name not in _AXES:
                self.fail(
                    node.field.coord, f"'{node.name.name}' has no member '{name}'", help="its members are x, y and z"
                )
            return ThreadIndex(span, UINT, node.name.name, _AXES.index(name))
        base: Place
        if node.type == "->":
            pointer = self.arrow(node.name)
            if not isinstance(pointer.type, Pointer):
                help = "write '.'" if isinstance(pointer.type, Struct) else None
                self.fail(node.name.coord, f"'->' needs a pointer to a struct, not '{pointer.type}'", help=help)
            base = Deref(node.name.coord, pointer.type.target, pointer)
        else:
            term = self.term(node.name)
            if not isinstance(node.name, c_ast.TernaryOp):
                term = self.behind(term, node.name)
            base = self.s.classes.prvalues.as_place(term)
        struct = base.type
        if not isinstance(struct, Struct):
            if node.type == "." and isinstance(struct, Pointer) and isinstance(struct.target, Struct):
                self.fail(node.name.coord, f"'.' needs a struct, not the pointer '{struct}'", help="write '->'")
            self.fail(node.name.coord, f"'{struct}' is not a struct: it has no member '{name}'")
        self.s.types.records.require_complete(struct, node.name.coord)
        if isinstance(node.field, cxx.Name) and len(node.field.parts) > 1:  # x.Base::member
            base, name = self.s.classes.members.named_part(base, node.field), node.field.parts[-1].name
        return self.s.classes.members.member_of(base, name, span, node.field.coord)

    def arrow(self, node: Node) -> Expr:
        """Return the pointer whose member `->` names: a class may have an operator for it."""
        term = self.term(node)
        while isinstance(term.type, Struct):
            found = self.s.classes.operators.overloaded("->", [term], [node], node.coord)
            if found is None:
                break
            term = found
        return self.load(term)


def _made_before(place: Place) -> tuple[list[Expr], Place]:
    """Return what makes the temporary object in which a place is, and the place after that."""
    whole, _ = outermost(place)
    if isinstance(whole, Temporary):
        steps, value = unwound(whole.value)
        return (steps, _in(place, whole, value.place)) if isinstance(value, Load) else ([], place)
    if not isinstance(whole, Deref):
        return [], place
    steps, pointer = unwound(whole.pointer)
    if not steps or not isinstance(pointer, AddressOf):
        return [], place
    return steps, _in(place, whole, pointer.place)


def _in(place: Place, whole: Place, other: Place) -> Place:
    """Return the part of `other` that `place` is of `whole`."""
    if place is whole:
        return other
    assert isinstance(place, Member)
    return replace(place, base=_in(place.base, whole, other))


def spelled(node: Node) -> str:
    """Return the name at `node` as messages say it."""
    if isinstance(node, cxx.ConversionName):
        return "operator"
    if isinstance(node, cxx.Name):
        return "::" * node.rooted + "::".join(part.name for part in node.parts)
    assert isinstance(node, c_ast.ID)
    return node.name


def root_of(place: Place) -> Place:
    """Return the place that `place` is a member of, itself if it is no member."""
    place, _ = outermost(place)
    if isinstance(place, Index) and isinstance(place.pointer, Decay):
        return root_of(place.pointer.place)
    return place
