"""Checking initialisers: braced lists of any nesting become flat lists of (offset, type, value)."""

from __future__ import annotations

import math
from collections.abc import Collection, Container, Iterator
from dataclasses import dataclass, replace

from pycparser import c_ast

from ....diag import Note
from ....lang.ctype import (
    BOOL,
    CHAR,
    CHAR16,
    CHAR32,
    INT,
    SCHAR,
    UCHAR,
    WCHAR,
    Array,
    BitField,
    CType,
    Field,
    Pointer,
    Scalar,
    Struct,
    is_arithmetic,
    is_enum,
    is_integer,
    is_short_float,
    zero_has_bits,
    zero_of,
)
from ....lang.numbers import round_to
from ....lang.vectors import DIM3
from ....source import Span
from ....tree.effects import only_reads
from ....tree.nodes import Assign, Binary, Braces, Comma, Constant, Decay, Expr, Index, Load, Member, Place
from ....tree.rewrite import copied
from ...parse.cxx import Arguments, DirectList
from ...parse.words import Node
from ..constexpr.fold import convert_value, fold, integer_literal, wrap
from ..context import Part
from ..qualified import Qualified
from ..types.bit_fields import bits_in_word
from ..types.member_types import names_functions

Leaf = tuple[int, CType, Expr]

_WIDE = (WCHAR, CHAR16, CHAR32)
_UNSIZED = 1 << 30  # elements of an array whose length follows from its initialiser


@dataclass
class _Cursor:
    """The items of one braced list, and how many of them are used up."""

    items: list[Node]
    span: Span
    next: int = 0

    @property
    def done(self) -> bool:
        return self.next >= len(self.items)


class Initialisers(Part):
    """The checker's part for initialisers."""

    def initialiser(
        self, node: Node, target: CType, context: str, *, braced: bool = False, direct: bool = False
    ) -> Expr | Braces:
        """Check the initialiser of an object of type `target`. `braced`: in a list, where constants must fit.

        `direct`: by direct-initialisation, where explicit conversion functions count.
        """
        if isinstance(node, Arguments):
            if isinstance(target, Struct):
                return self.s.classes.construction.object_value(
                    target, self.s.calls.arguments.arguments(node.exprs), node.coord
                )
            node, direct = self.only_argument(node, target), True
        if names_functions(target):
            functions = self.s.expr.pointers.functions_named(node)
            if functions is not None:
                return self.s.calls.indirect.chosen_function(functions, target, node.coord)
        if (
            isinstance(target, Struct)
            and isinstance(node, c_ast.InitList)
            and self.s.classes.construction.is_class(target)
        ):
            return self.s.expr.objects.braced_object(node, target)
        literal = node if isinstance(node, c_ast.CompoundLiteral) and isinstance(target, Struct) else None
        made = (
            self.s.templates.functions.made_type(literal.type, literal.init.exprs, literal.coord).type
            if literal is not None
            else None
        )
        if literal is not None and made == target:  # `S s = S{...}` is `S s = {...}`
            return self.initialiser(literal.init, target, context)
        if (literal_text := _literal_of(node, target)) is not None:
            assert isinstance(target, Array)
            return Braces(node.coord, tuple(self.characters(literal_text, target, 0)))
        if isinstance(node, c_ast.InitList):
            if target == DIM3 and len(node.exprs) <= 3:
                return self.s.expr.conversions.dim3(self.s.expr.each(*node.exprs), node.coord)
            if not isinstance(target, Array | Struct):
                return self.scalar_in_braces(node, target, context)
            if isinstance(target, Struct) and self.s.expr.objects.copied_object(node, target) is not None:
                return self.s.expr.objects.braced_object(node, target)
            return Braces(node.coord, tuple(self.braces(node, target, 0)))
        if isinstance(target, Array):
            self.fail(node.coord, f"an array needs a braced list as initialiser, such as '{{{_zeros(target)}}}'")
        value = self.s.expr.value(node)
        if braced:
            self.refuse_narrowing(value, target, node.coord, "in braces")
        if direct and isinstance(value.type, Struct) and not isinstance(target, Array):
            converted = self.s.classes.conversions.user_conversion(value, target, node.coord, direct=True)
            if converted is not None:
                return converted
        return self.s.expr.conversions.implicit(value, target, context, span=node.coord)

    def only_argument(self, init: Arguments, ctype: CType) -> Node:
        """Return the value in `int x(3)` and `new int(3)`."""
        nodes = self.s.templates.packs.spread_nodes(init.exprs)
        if len(nodes) != 1:
            self.fail(init.coord, f"'{ctype}' is no class: it is made of one value")
        return nodes[0]

    def refuse_narrowing(self, value: Expr, target: CType, span: Span, where: str) -> None:
        """Fail if a constant does not fit its target where C++ wants it to: in a braced list, as template argument."""
        if not isinstance(value, Constant) or not is_arithmetic(value.type) or not is_arithmetic(target):
            return
        assert isinstance(value.type, Scalar) and isinstance(target, Scalar)
        if is_short_float(target) or target is BOOL:
            return
        fits = convert_value(value.value, target) == value.value
        if target.kind == "float" and value.type.kind == "float":
            fits = not math.isfinite(value.value) or math.isfinite(round_to(float(value.value), target))
        elif value.type.kind == "float":
            fits = False
        if not fits:
            help = f"write the cast: '({target})'"
            self.fail(span, f"'{value.value}' of type '{value.type}' does not fit '{target}' {where}", help=help)

    def scalar_in_braces(self, node: c_ast.InitList, target: CType, context: str) -> Expr:
        """`int x = {3}`, `int x{}` and `int x{pack...}`."""
        nodes = self.s.templates.packs.spread_nodes(node.exprs)
        if not nodes:
            return self.zero(target, node.coord)
        if len(nodes) > 1 or isinstance(nodes[0], c_ast.NamedInitializer):
            self.fail(node.coord, f"too many values for '{target}'")
        if isinstance(target, Scalar) and target.enum is not None and not isinstance(nodes[0], c_ast.InitList):
            return self.enum_in_braces(nodes[0], target, context)
        direct = isinstance(node, DirectList)
        inner = self.initialiser(nodes[0], target, context, braced=True, direct=direct)
        assert not isinstance(inner, Braces)
        return inner

    def enum_in_braces(self, node: Node, target: Scalar, context: str) -> Expr:
        """`std::byte{3}`: braces make an enumeration of an integer without a cast."""
        value = self.s.expr.value(node)
        if is_integer(value.type) and not is_enum(value.type):
            self.refuse_narrowing(value, replace(target, enum=None), node.coord, "in braces")
            return self.s.expr.conversions.cast(value, target, node.coord)
        return self.s.expr.conversions.implicit(value, target, context, span=node.coord)

    def zero(self, target: CType, span: Span) -> Constant:
        if isinstance(target, Pointer):
            return Constant(span, target, 0)
        assert isinstance(target, Scalar)
        if target.kind == "void":
            self.fail(span, "void has no value")
        return Constant(span, target, {"float": 0.0, "bool": False}.get(target.kind, zero_of(target)))

    def array_length(self, node: Node, element: CType) -> int:
        """Return how many elements an initialiser gives to an array without a size."""
        if (literal := _literal_of(node, Array(element, 1))) is not None:
            return len(self.s.expr.strings.characters(literal)[1]) + 1
        if not isinstance(node, c_ast.InitList):
            self.fail(node.coord, "an array needs a braced list as initialiser")
        probe = Array(element, _UNSIZED)
        end = 0
        with self.s.expr.operators.unevaluated():
            for offset, _, _ in self.braces(node, probe, 0):
                end = max(end, offset // element.size + 1)
        if not end:
            self.fail(node.coord, "the array has no size")
        return end

    def characters(self, literal: c_ast.Constant, target: Array, offset: int) -> list[Leaf]:
        """Return what a string literal stores into an array of characters; the zero at its end, counts."""
        element = target.element
        assert isinstance(element, Scalar)
        ctype, text = self.s.expr.strings.characters(literal)
        if ctype != element and (ctype is not CHAR or element in _WIDE):
            self.fail(literal.coord, f"'{target}' cannot be initialised by characters of the type '{ctype}'")
        if len(text) >= target.count:
            self.fail(literal.coord, f"a string of {len(text)} characters and its zero do not fit '{target}'")
        constants = (Constant(literal.coord, element, wrap(code, element)) for code in text)
        return [(offset + i * element.size, element, constant) for i, constant in enumerate(constants)]

    def braces(self, node: c_ast.InitList, target: CType, offset: int) -> list[Leaf]:
        """Return what a braced list stores into an object of type `target` that begins at `offset`."""
        if (literal := _literal_of(node, target)) is not None:
            assert isinstance(target, Array)
            return self.characters(literal, target, offset)
        cursor = _Cursor(self.s.templates.packs.spread_nodes(node.exprs), node.coord)
        leaves: list[Leaf] = []
        if isinstance(target, Array):
            leaves += self.array_items(cursor, target, offset, braced=True)
        elif isinstance(target, Struct):
            self.s.types.records.require_complete(target, node.coord)
            leaves += self.struct_items(cursor, target, offset, braced=True)
        if not cursor.done:
            self.fail(cursor.items[cursor.next].coord, f"too many values for '{target}'")
        return leaves

    def array_items(self, cursor: _Cursor, target: Array, offset: int, *, braced: bool) -> list[Leaf]:
        leaves: list[Leaf] = []
        index = 0
        while not cursor.done:
            item = cursor.items[cursor.next]
            if isinstance(item, c_ast.NamedInitializer):
                if not braced:
                    break
                first = item.name[0]
                if not isinstance(first, c_ast.ArrayDesignator):
                    self.fail(first.coord, f"'.{first.name}' does not fit an array")
                index = self.array_index(first, target)
                leaves += self.designated(cursor, item, target.element, offset + index * target.element.size)
            elif index >= target.count:
                break
            else:
                leaves += self.item(cursor, target.element, offset + index * target.element.size)
            index += 1
        element = target.element
        made = (
            target.count < _UNSIZED
            and cursor.done
            and (self.s.classes.construction.needs_construction(element) or zero_has_bits(element))
        )
        for rest in range(index, target.count if made else 0):
            leaves += self.defaults(target.element, offset + rest * target.element.size, cursor.span)
        return leaves

    def struct_items(self, cursor: _Cursor, target: Struct, offset: int, *, braced: bool) -> list[Leaf]:
        leaves: list[Leaf] = []
        bits: list[tuple[BitField, Expr]] = []
        fields = target.declared
        given: set[str] = set()
        index = 0
        while not cursor.done:
            item = cursor.items[cursor.next]
            if isinstance(item, c_ast.NamedInitializer):
                if not braced:
                    break
                path = self.designated_member(item.name[0], target)
                index = fields.index(path[0])
                given.add(path[0].name)
                found = path[-1]
                if isinstance(found, BitField):
                    if len(path) > 1:
                        self.fail(item.coord, f"bit-field '{found.name}' cannot be initialised by this name")
                    cursor.next += 1
                    bits.append((found, self.bits_initialiser(item.expr, found)))
                else:
                    leaves += self.designated(cursor, item, found.type, offset + sum(part.offset for part in path))
            elif index >= len(fields):
                break
            elif isinstance(found := fields[index], BitField):
                given.add(found.name)
                cursor.next += 1
                bits.append((found, self.bits_initialiser(item, found)))
            elif (declared := self.reference_member(target, found.name)) is not None:
                given.add(found.name)
                cursor.next += 1
                address = self.s.calls.arguments.bind(
                    self.s.calls.arguments.argument_of(item), declared, "in an initialiser"
                )
                leaves.append((offset + found.offset, found.type, address))
            else:
                leaves += self.item(cursor, found.type, offset + found.offset)
            given.add(fields[index].name)
            index = len(fields) if target.union else index + 1
        leaves += self.words(bits, offset)
        if cursor.done and not target.union:
            leaves += self.member_defaults(target, offset, given)
        return leaves

    def member_defaults(self, target: Struct, offset: int, given: Collection[str]) -> list[Leaf]:
        """Return what the members' own initialisers store, for all but the `given` members."""
        info = self.s.structs.classes.get(target)
        leaves: list[Leaf] = []
        if info is None:
            return leaves
        listed = self.s.here.listed
        with self.s.scopes.instead((*info.scopes, info.scope)):
            for field in target.fields or ():
                declared = info.fields.get(field.name)
                if field.name in given:
                    continue
                if declared is None or declared.init is None:
                    leaves += self.defaults(field.type, offset + field.offset, info.struct.span)
                    continue
                made = part_at(listed, target, offset) if listed is not None else None
                with self.s.at(replace(self.s.here, being_made=made)):
                    cursor = _Cursor([declared.init], declared.init.coord)
                    leaves += self.item(cursor, field.type, offset + field.offset)
        return leaves

    def defaults(self, target: CType, offset: int, span: Span) -> list[Leaf]:
        """Return what an object without an initialiser stores, except zeros."""
        if isinstance(target, Array):
            if not isinstance(target.element, Array | Struct) and not zero_has_bits(target):
                return []
            places = range(offset, offset + target.size, max(1, target.element.size))
            return [leaf for place in places for leaf in self.defaults(target.element, place, span)]
        if not isinstance(target, Struct):
            return [(offset, target, self.zero(target, span))] if zero_has_bits(target) else []
        if self.s.classes.construction.is_class(target):
            return self.spread(
                self.s.classes.construction.object_value(target, [], span),
                target,
                offset,
            )
        return self.member_defaults(target, offset, ())

    def reference_member(self, target: Struct, name: str) -> Qualified | None:
        """Return the type of a member that is a reference; None if it is none."""
        info = self.s.structs.classes.get(target)
        declared = info.fields.get(name) if info is not None else None
        return declared.type if declared is not None and declared.type.reference else None

    def bits_initialiser(self, node: Node, target: BitField) -> Expr:
        """Check the value that a braced list gives to a bit-field."""
        initial = self.initialiser(node, target.type, "in an initialiser")
        assert not isinstance(initial, Braces)
        if len(target.pieces) < 2 or isinstance(initial, Constant):
            return initial
        place = self.s.expr.objects.hidden_variable(target.type, initial.span)  # each of its pieces reads the value
        fill = Assign(initial.span, target.type, place, initial)
        return Comma(initial.span, target.type, fill, Load(initial.span, target.type, place))

    def words(self, bits: list[tuple[BitField, Expr]], offset: int) -> list[Leaf]:
        """Return the words that hold the values of the bit-fields of one object, which begins at `offset`."""
        words: dict[Field, Expr] = {}
        for target, value in bits:
            for number, piece in enumerate(target.pieces):
                # The first piece evaluates the value, the others read it.
                again = value.right if number and isinstance(value, Comma) else value
                part = fold(bits_in_word(copied(again) if number else again, piece))
                known = words.get(piece.word)
                both = part if known is None else Binary(part.span, part.type, "|", known, part)
                words[piece.word] = fold(both)
        return [
            (offset + word.offset, word.type, self.s.expr.conversions.convert(value, word.type))
            for word, value in words.items()
        ]

    def designated_member(
        self, designator: c_ast.ArrayDesignator | c_ast.ID, target: CType
    ) -> tuple[Field | BitField, ...]:
        """Return the members that lead to what `.name` in a braced list names."""
        if isinstance(designator, c_ast.ArrayDesignator):
            self.fail(designator.coord, f"an index does not fit '{target}'")
        if not isinstance(target, Struct):
            self.fail(designator.coord, f"'{target}' has no member '{designator.name}'")
        path = target.path(designator.name)
        if not path:
            note = Note(target.span, f"'{target.tag}' is declared here")
            self.fail(designator.coord, f"'{target.tag}' has no member '{designator.name}'", note)
        return path

    def designated(self, cursor: _Cursor, item: c_ast.NamedInitializer, target: CType, offset: int) -> list[Leaf]:
        """`.a.b[2] = value`: the first designator is done with, the rest lies in `target`."""
        cursor.next += 1
        for designator in item.name[1:]:
            if isinstance(designator, c_ast.ArrayDesignator):
                if not isinstance(target, Array):
                    self.fail(designator.coord, f"'{target}' is not an array")
                index = self.array_index(designator, target)
                element = target.element
                target, offset = element, offset + index * element.size
            else:
                for part in self.designated_member(designator, target):
                    if isinstance(part, BitField):
                        self.fail(designator.coord, f"bit-field '{part.name}' cannot be initialised by this name")
                    target, offset = part.type, offset + part.offset
        return self.item(_Cursor([item.expr], item.coord), target, offset)

    def array_index(self, designator: c_ast.ArrayDesignator, target: Array) -> int:
        index = self.s.types.constant_integer(designator.expr, "an index in an initialiser")
        if not 0 <= index < target.count:
            self.fail(designator.coord, f"index {index} is outside '{target}'")
        return index

    def item(self, cursor: _Cursor, target: CType, offset: int) -> list[Leaf]:
        """Take from the list what one element or member of type `target` needs."""
        node = cursor.items[cursor.next]
        if (literal := _literal_of(node, target)) is not None:
            assert isinstance(target, Array)
            cursor.next += 1
            return self.characters(literal, target, offset)
        if isinstance(target, Struct) and self.s.classes.construction.is_class(target):
            cursor.next += 1
            return self.spread(self.s.expr.objects.class_item(node, target), target, offset)
        if isinstance(node, c_ast.InitList) and isinstance(target, Array | Struct):
            cursor.next += 1
            if isinstance(target, Struct) and self.s.expr.objects.copied_object(node, target) is not None:
                return self.spread(self.s.expr.objects.braced_object(node, target), target, offset)
            return self.braces(node, target, offset)
        if isinstance(target, Array):
            return self.array_items(cursor, target, offset, braced=False)
        if isinstance(target, Struct):
            value = self.s.expr.value(node)
            if self.s.calls.sequences.base_depth(value.type, target) is not None:
                cursor.next += 1
                value = self.s.expr.conversions.implicit(value, target, "in an initialiser", span=node.coord)
                return self.spread(value, target, offset)
            return self.struct_items(cursor, target, offset, braced=False)
        cursor.next += 1
        if isinstance(node, c_ast.Constant) and (number := _literal_number(node, target)) is not None:
            return [(offset, target, number)]
        initial = self.initialiser(node, target, "in an initialiser", braced=True)
        assert not isinstance(initial, Braces)
        return [(offset, target, initial)]

    def spread(self, value: Expr, target: Struct, offset: int) -> list[Leaf]:
        """Return the scalars of a struct value inside a braced list.

        What must be evaluated only once goes through a hidden variable, which the first scalar's value fills.
        """
        if self.s.classes.prvalues.by_address(target):
            return [(offset, target, value)]
        fill: Expr | None = None
        if isinstance(value, Load) and only_reads(value):
            place = value.place
        else:
            place = self.s.expr.objects.hidden_variable(target, value.span)
            fill = Assign(value.span, target, place, value)
        leaves: list[Leaf] = []
        for part, at in parts(place, value.span):
            read: Expr = Load(value.span, part.type, part)
            if fill is not None:
                read, fill = Comma(value.span, part.type, fill, read), None
            leaves.append((offset + at, part.type, read))
        return leaves


def _literal_number(node: c_ast.Constant, target: CType) -> Constant | None:
    """Return the constant of type `target` that an integer literal is, if both are integers and it fits.

    Tables have hundreds of thousands of these: none of them needs a conversion.
    """
    if node.type != "int" or not isinstance(target, Scalar) or target.kind != "int" or is_enum(target):
        return None
    value = integer_literal(node.value, node.coord)
    if value is None or wrap(int(value.value), target) != value.value:
        return None
    return replace(value, type=target)


def _literal_of(node: Node, target: CType) -> c_ast.Constant | None:
    """Return the string literal, perhaps in braces, that initialises an array of characters; None for all else."""
    if not isinstance(target, Array) or target.element not in (CHAR, SCHAR, UCHAR, *_WIDE):
        return None
    if isinstance(node, c_ast.InitList) and len(node.exprs) == 1:
        node = node.exprs[0]
    return node if isinstance(node, c_ast.Constant) and node.type == "string" else None


def parts(
    place: Place, span: Span, offset: int = 0, whole: Container[tuple[int, CType]] = ()
) -> Iterator[tuple[Place, int]]:
    """Yield every scalar, union and object of `whole` inside `place` with its offset, as trees of their own."""
    ctype = place.type
    if isinstance(ctype, Struct) and (offset, ctype) in whole:
        yield copied(place), offset
    elif isinstance(ctype, Struct) and not ctype.union:
        for field in ctype.fields or ():
            member = Member(span, field.type, place, field.name, field.offset)
            yield from parts(member, span, offset + field.offset, whole)
    elif isinstance(ctype, Array):
        first = Decay(span, Pointer(ctype.element), place)
        for index in range(ctype.count):
            element = Index(span, ctype.element, first, Constant(span, INT, index))
            yield from parts(element, span, offset + index * ctype.element.size, whole)
    else:
        yield copied(place), offset


def part_at(place: Place, target: Struct, offset: int) -> Place | None:
    """Return the part of an object that has type `target` and begins `offset` bytes into it."""
    while place.type is not target:
        if isinstance(place.type, Array):
            element = place.type.element
            first = Decay(place.span, Pointer(element), place)
            number = offset // max(1, element.size)
            place = Index(place.span, element, first, Constant(place.span, INT, number))
            offset -= number * element.size
        elif isinstance(place.type, Struct):
            inside = [one for one in place.type.fields or () if one.offset <= offset < one.offset + one.type.size]
            if not inside:
                return None
            place = Member(place.span, inside[0].type, place, inside[0].name, inside[0].offset)
            offset -= inside[0].offset
        else:
            return None
    return place


def _zeros(target: Array) -> str:
    return ", ".join(["0"] * min(target.count, 3))
