"""Checking calls of what the runtime does for kernels: `printf`, `assert`, `memcpy` and the rest of C's library.

A copy of few bytes, whose number is known, needs no call: it becomes loads and stores.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce
from typing import Literal

from pycparser import c_ast

from ....lang.builtins import BUILTINS, MOST_PRINTED, Builtin
from ....lang.compiler_calls import ASSERT_FAIL, TEXT, printf
from ....lang.ctype import (
    BOOL,
    DOUBLE,
    FLOAT,
    INT,
    LONGLONG,
    UCHAR,
    UINT,
    ULONG,
    ULONGLONG,
    USHORT,
    VOID,
    Array,
    CType,
    Pointer,
    Scalar,
    Struct,
    is_float,
    is_integer,
    promote,
)
from ....lang.device_runtime import LAST_IS_OPTIONAL
from ....lang.formats import DIRECTIVE
from ....source import Span
from ....tree.nodes import (
    AddressOf,
    Assign,
    Binary,
    BuiltinCall,
    Comma,
    Constant,
    Convert,
    Decay,
    Deref,
    Expr,
    Index,
    Load,
    Place,
    ThreadIndex,
    VarRef,
)
from ...parse.words import Node
from ..context import Part
from ..expr.strings import decode

ASSERTION = "__s2s_assert"  # what the macro `assert` calls with its text

# A copy of at most so many parts is written out.
_MOST_PARTS = 16
_UNITS: dict[int, Scalar] = {8: ULONGLONG, 4: UINT, 2: USHORT, 1: UCHAR}


class RuntimeCalls(Part):
    """The checker's part for calls of what the runtime does."""

    def is_service(self, name: str) -> bool:
        return name in ("printf", "__assert_fail", ASSERTION) or (name in BUILTINS and BUILTINS[name][0].service)

    def call_service(self, node: c_ast.FuncCall, name: str, arguments: list[Node]) -> Expr:
        if name == "printf":
            return self.call_printf(node, arguments)
        if name == ASSERTION:
            return self.assertion(node, arguments)
        row = ASSERT_FAIL if name == "__assert_fail" else BUILTINS[name][0]
        params = row.params[:4] if row is ASSERT_FAIL else row.params
        values = self.s.expr.each(*arguments)
        if name in LAST_IS_OPTIONAL and len(values) == len(params) - 1:
            values = [*values, Constant(node.coord, params[-1] if isinstance(params[-1], Pointer) else UINT, 0)]
        if len(values) != len(params):
            few = "few" if len(values) < len(params) else "many"
            self.fail(node.coord, f"too {few} arguments to '{name}': {len(values)} given, {len(params)} expected")
        match values[0].type if name == "cudaMalloc" else VOID:
            case Pointer(target=Pointer(), const=False):  # CUDA has a template for these
                values = [Convert(values[0].span, params[0], values[0], explicit=True), *values[1:]]
        args = tuple(
            self.s.expr.conversions.implicit(value, param, f"in argument {index + 1} of '{name}'")
            for index, (value, param) in enumerate(zip(values, params, strict=True))
        )
        if row is ASSERT_FAIL:
            return BuiltinCall(node.coord, VOID, row, (*args, *_whereabouts(node.coord)))
        written_out = self.written_out(name, values, args, node.coord) if node is self.s.current.unwanted else None
        return written_out if written_out is not None else BuiltinCall(node.coord, row.result, row, args)

    # ------------------------------------------------------------------------------------------- printf

    def call_printf(self, node: c_ast.FuncCall, arguments: list[Node]) -> Expr:
        if not arguments:
            self.fail(node.coord, "'printf' needs a format")
        values = self.s.expr.each(*arguments)
        template = self.s.expr.conversions.implicit(
            values[0], TEXT, "in argument 1 of 'printf'", span=arguments[0].coord
        )
        if len(values) - 1 > MOST_PRINTED:
            self.fail(node.coord, f"'printf' in a kernel takes at most {MOST_PRINTED} arguments after the format")
        printed = [self.printable(value, argument) for value, argument in zip(values[1:], arguments[1:], strict=True)]
        if isinstance(arguments[0], c_ast.Constant):
            self.check_strings(decode(arguments[0].value).decode("latin-1"), printed, arguments[1:])
        row = printf(tuple(value.type for value in printed))
        return BuiltinCall(node.coord, INT, row, (template, *printed))

    def printable(self, value: Expr, argument: Node) -> Expr:
        """Apply C's default promotions of arguments."""
        if isinstance(value.type, Pointer):
            return value
        if not isinstance(value.type, Scalar) or value.type is VOID:
            help = "pass its members" if isinstance(value.type, Struct) else None
            self.fail(argument.coord, f"'printf' cannot print a '{value.type}'", help=help)
        if is_integer(value.type) and value.type.size > ULONG.size:
            self.fail(argument.coord, f"'printf' cannot print a '{value.type}'", help="print its halves")
        return self.s.expr.conversions.convert(value, DOUBLE if is_float(value.type) else promote(value.type))

    def check_strings(self, template: str, printed: Sequence[Expr], arguments: Sequence[Node]) -> None:
        """Refuse `%s` of a number: it would be taken for an address."""
        position = 0
        for directive in DIRECTIVE.finditer(template):
            if directive["kind"] in ("", "%"):
                continue
            position += (directive["width"] == "*") + (directive["precision"] == "*")
            if position < len(printed) and directive["kind"] == "s" and not isinstance(printed[position].type, Pointer):
                self.fail(arguments[position].coord, f"'%s' prints a string, not '{printed[position].type}'")
            position += 1

    # ------------------------------------------------------------------------------------------- assert

    def assertion(self, node: c_ast.FuncCall, arguments: list[Node]) -> Expr:
        """What the macro `assert` does with its text where it does not hold."""
        span = node.coord
        (text,) = arguments
        assert isinstance(text, c_ast.Constant)
        file = self.text(span.source.name, span)
        line = Constant(span, UINT, span.line)
        args = (
            self.s.expr.value(text),
            file,
            line,
            self.text(self.s.statements.function_text("__PRETTY_FUNCTION__") or "", span),
        )
        return BuiltinCall(span, VOID, ASSERT_FAIL, (*args, *_whereabouts(span)))

    def text(self, text: str, span: Span) -> Expr:
        return self.load_value(self.s.expr.strings.constant_string(text.encode(errors="surrogateescape"), span))

    def load_value(self, place: Place) -> Expr:
        value = self.s.expr.load(place)
        assert isinstance(value, Decay)
        return value

    # ------------------------------------------------------------------------------------------- copies

    def written_out(self, name: str, values: Sequence[Expr], args: Sequence[Expr], span: Span) -> Expr | None:
        """Return what a call whose value is discarded means, in loads and stores; None if a call does it better."""
        match name.removeprefix("__builtin_"):
            case "memcpy":
                return self.copied_bytes(values[0], values[1], args[2], span)
            case "memset":
                return self.fill_with_zeros(values[0], args[1], args[2], span)
        return None

    def fill_with_zeros(self, to: Expr, value: Expr, count: Expr, span: Span) -> Expr | None:
        """Return the assignments that set the first elements of an array to zero."""
        if not (isinstance(count, Constant) and isinstance(value, Constant) and value.value == 0):
            return None
        if not (isinstance(to, Decay) and isinstance(to.place, VarRef) and isinstance(to.type, Pointer)):
            return None
        element = to.type.target
        if to.type.const or not isinstance(element, Scalar) or int(count.value) % element.size:
            return None
        number = int(count.value) // element.size
        if not 0 < number <= _MOST_PARTS:
            return None
        zero = {"float": 0.0, "bool": False}.get(element.kind, 0)
        steps: list[Expr] = []
        for i in range(number):
            array = Decay(span, to.type, _again(to.place))
            place = Index(span, element, array, Constant(span, INT, i))
            steps.append(Assign(span, element, place, Constant(span, element, zero)))
        return reduce(lambda first, then: Comma(span, then.type, first, then), steps)

    def copied_bytes(self, to: Expr, source: Expr, count: Expr, span: Span) -> Expr | None:
        """Return what copies a constant number of bytes, None if a call does it better."""
        if not (isinstance(count, Constant) and isinstance(to.type, Pointer) and isinstance(source.type, Pointer)):
            return None
        size, target, origin = int(count.value), to.type.target, source.type.target
        if to.type.const or VOID in (target, origin) or size == 0:
            return None
        if _same_bits(target, origin, size) and target.size == size:
            read: Expr = Load(span, origin, _pointed(source, span))
            if target != origin:
                read = _bits_as(read, target, span)
            return Assign(span, target, _pointed(to, span), read)
        unit = max((u for u in _UNITS if size % u == 0 and u <= min(_align(target), _align(origin))), default=0)
        if unit == 0 or size // unit > _MOST_PARTS:
            return None
        return self.copy_of_parts(to, source, _UNITS[unit], size // unit, span)

    def copy_of_parts(self, to: Expr, source: Expr, unit: Scalar, count: int, span: Span) -> Expr:
        pointers = [self.s.expr.objects.hidden_variable(Pointer(unit, const), span) for const in (False, True)]
        steps: list[Expr] = [
            Assign(span, place.type, place, Convert(span, place.type, pointer, explicit=True))
            for place, pointer in zip(pointers, (to, source), strict=True)
        ]
        for i in range(count):
            write, read = (
                Index(span, unit, Load(span, place.type, _again(place)), Constant(span, INT, i)) for place in pointers
            )
            steps.append(Assign(span, unit, write, Load(span, unit, read)))
        return reduce(lambda first, then: Comma(span, then.type, first, then), steps)


def _again(place: VarRef) -> VarRef:
    return VarRef(place.span, place.type, place.variable)


def _whereabouts(span: Span) -> list[Expr]:
    """Return which thread of the launch this is, along each axis."""
    return [_global_index(span, axis) for axis in range(3)]


def _global_index(span: Span, axis: int) -> Expr:
    block, width, thread = (ThreadIndex(span, UINT, name, axis) for name in _INDEX_PARTS)
    return Binary(span, UINT, "+", Binary(span, UINT, "*", block, width), thread)


_INDEX_PARTS: tuple[Literal["blockIdx"], Literal["blockDim"], Literal["threadIdx"]] = (
    "blockIdx",
    "blockDim",
    "threadIdx",
)


def _pointed(pointer: Expr, span: Span) -> Place:
    if isinstance(pointer, AddressOf):
        return pointer.place
    assert isinstance(pointer.type, Pointer)
    return Deref(span, pointer.type.target, pointer)


def _align(ctype: CType) -> int:
    return ctype.element.align if isinstance(ctype, Array) else ctype.align


_CASTS: dict[CType, Scalar] = {FLOAT: INT, DOUBLE: LONGLONG}  # the integers of their size


def _same_bits(target: CType, origin: CType, size: int) -> bool:
    """Whether an assignment copies an object as it is: of one type, or two numbers of one size."""
    if target == origin:
        return not isinstance(target, Array)
    if not (isinstance(target, Scalar) and isinstance(origin, Scalar)) or BOOL in (target, origin):
        return False
    return target.size == origin.size == size and all(is_integer(c) or c in _CASTS for c in (target, origin))


def _bits_as(value: Expr, target: CType, span: Span) -> Expr:
    """Return the bits of a number as one of another type of the same size."""
    if value.type in _CASTS:
        value = _bit_cast(value, _CASTS[value.type], span)
    if target in _CASTS:
        if value.type != _CASTS[target]:
            value = Convert(span, _CASTS[target], value, explicit=True)
        return _bit_cast(value, target, span)
    return value if value.type == target else Convert(span, target, value, explicit=True)


def _bit_cast(value: Expr, target: CType, span: Span) -> Expr:
    row: Builtin = next(
        rows[0] for rows in BUILTINS.values() if rows[0].op == "bitcast" and _signature(rows[0]) == (value.type, target)
    )
    return BuiltinCall(span, target, row, (value,))


def _signature(row: Builtin) -> tuple[CType, CType]:
    return row.params[0], row.result
