"""Checking calls of the functions of cuda_fp16.h and cuda_bf16.h, and operators on pairs of short floats.

What a function does to pairs is written out for both parts: `__hadd2(a, b)` is `(s = a, t = b, __halves2half2(s.x +
t.x, s.y + t.y))`, with hidden variables s and t.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from pycparser import c_ast

from ....lang.builtins import BUILTINS, make
from ....lang.ctype import (
    BFLOAT16,
    BOOL,
    FLOAT,
    HALF,
    INT,
    UINT,
    CType,
    Pointer,
    Scalar,
    Struct,
    is_arithmetic,
    is_integer,
    is_short_float,
)
from ....lang.vectors import BFLOAT162, HALF2, VECTOR_TYPES
from ....source import Span
from ....tree.build import Build
from ....tree.effects import only_reads
from ....tree.nodes import (
    AddressOf,
    Assign,
    BinaryOp,
    BuiltinCall,
    Comma,
    Deref,
    Expr,
    Load,
    Logical,
    Place,
    Unary,
    VarRef,
)
from ....tree.rewrite import copied
from ..argument import Argument
from ..constexpr.fold import fold
from ..context import Part
from ..qualified import Qualified
from .half import (
    ARITHMETIC,
    ARRANGEMENTS,
    BUILTIN_OF,
    COMPARISONS,
    COMPUTATIONS,
    CONVERSIONS,
    FLOAT2,
    PAIR_OF,
    PAIR_OPERATORS,
    RAW,
    SHORT_OF,
    UNORDERED,
    Arrangement,
    Computation,
)

_MAKER = {HALF2: "__halves2half2", BFLOAT162: "__halves2bfloat162", FLOAT2: "make_float2"}
_ADDED_BY_PARTS = (HALF2, BFLOAT162, FLOAT2, VECTOR_TYPES["float4"])

_READ_TWICE = ("ne", "equ", "max", "min", "max_nan", "min_nan", "isinf")

# What gives the value of an operand, each time in nodes of its own.
Read = Callable[[], Expr]


class Half(Part):
    """The checker's part for `__half`, `__nv_bfloat16` and pairs of them."""

    def call_short_float(self, node: c_ast.FuncCall, name: str, values: list[Expr]) -> Expr:
        span = node.coord
        if name in CONVERSIONS:
            self._require_count(node, name, values, 1)
            source, target = CONVERSIONS[name]
            value = self.s.expr.conversions.implicit(values[0], source, f"in argument 1 of '{name}'")
            return fold(Build(span).convert(target, fold(value)))
        if name in ARRANGEMENTS:
            return self._arranged(node, name, values)
        computation = COMPUTATIONS[name]
        self._require_count(node, name, values, computation.operands)
        return self._computed(name, computation, values, span)

    def _require_count(self, node: c_ast.FuncCall, name: str, values: list[Expr], expected: int) -> None:
        if len(values) != expected:
            few = "few" if len(values) < expected else "many"
            self.fail(node.coord, f"too {few} arguments to '{name}': {len(values)} given, {expected} expected")

    # ------------------------------------------------------------------------------------- arrangements

    def _arranged(self, node: c_ast.FuncCall, name: str, values: list[Expr]) -> Expr:
        span, choices = node.coord, ARRANGEMENTS[name]
        self._require_count(node, name, values, len(choices[0].params))
        fitting = (choice for choice in choices if choice.params[0] == values[0].type)
        return self._of_parts(name, next(fitting, choices[0]), values, span)

    def _of_parts(self, name: str, arrangement: Arrangement, values: list[Expr], span: Span) -> Expr:
        build, result = Build(span), arrangement.result
        given = [
            self.s.expr.conversions.implicit(value, param, f"in argument {number} of '{name}'")
            for number, (value, param) in enumerate(zip(values, arrangement.params, strict=True), start=1)
        ]
        stores: list[Expr] = []
        reads = [self._read_again(value, stores, span) for value in given]
        parts = [self._part(reads[int(part[0])](), part[1:], span) for part in arrangement.parts]
        if isinstance(result, Struct):
            return _after(stores, self._pair(result, parts, span))
        assert isinstance(result, Scalar)
        return _after(stores, build.convert(result, parts[0]))

    def _pair(self, pair: Struct, parts: Sequence[Expr], span: Span) -> Expr:
        build = Build(span)
        maker = make(pair, _MAKER.get(pair))
        return build.call_builtin(
            maker, *(build.convert(param, part) for param, part in zip(maker.params, parts, strict=True))
        )

    def _read_again(self, value: Expr, stores: list[Expr], span: Span) -> Read:
        """Keep a value in a hidden variable, which `stores` fills."""
        stored, store = self.s.calls.arguments.kept(value, value.type, span)
        stores.append(store)
        return lambda: Load(span, stored.type, VarRef(span, stored.type, stored.variable))

    def _part(self, value: Expr, name: str, span: Span) -> Expr:
        """Return the part x or y of a pair that was kept; without a name, all of a value."""
        if not name:
            return value
        assert isinstance(value, Load) and isinstance(value.type, Struct)
        field = next(field for field in value.type.fields or () if field.name == name)
        member = Build(span).member(value.place, field)
        return Load(span, member.type, member)

    # ------------------------------------------------------------------------------------- computations

    def _computed(self, name: str, computation: Computation, values: list[Expr], span: Span) -> Expr:
        """Return what a function makes of numbers, or of pairs part by part."""
        short = next((found for value in values if (found := _format(value.type)) is not None), HALF)
        param: CType = PAIR_OF[short] if computation.pairs else short
        for number, value in enumerate(values, start=1):
            if not computation.pairs and not is_arithmetic(value.type):
                self.fail(value.span, f"argument {number} of '{name}' must be a number, not '{value.type}'")
        given = [
            self.s.expr.conversions.implicit(value, param, f"in argument {number} of '{name}'")
            for number, value in enumerate(values, start=1)
        ]
        stores: list[Expr] = []
        if not computation.pairs:
            if computation.op in _READ_TWICE:
                reads = [self._read_again(value, stores, span) for value in given]
            else:
                reads = [_once(value) for value in given]
            return _after(stores, self._single(computation, reads, short, span))
        pairs = [self._read_again(value, stores, span) for value in given]
        parts: list[Expr] = []
        for axis in "xy":
            parts.append(self._single(computation, [self._reading(axis, read) for read in pairs], short, span))
        return _after(stores, self._together(computation, parts, short, span))

    def _reading(self, axis: str, pair: Read) -> Read:
        """Return what reads one part of a pair."""

        def read() -> Expr:
            whole = pair()
            return self._part(whole, axis, whole.span)

        return read

    def _together(self, computation: Computation, parts: list[Expr], short: Scalar, span: Span) -> Expr:
        """Return what a function makes of its results for the parts of pairs."""
        build = Build(span)
        match computation.result:
            case "all":
                return Logical(span, BOOL, "&&", parts[0], parts[1])
            case "mask":
                low, high = (
                    build.choose(part, build.number(UINT, mask), build.number(UINT, 0))
                    for part, mask in zip(parts, (0xFFFF, 0xFFFF0000), strict=True)
                )
                return build.binary(low, "|", high)
            case "flag":
                parts = [build.choose(part, build.number(FLOAT, 1.0), build.number(FLOAT, 0.0)) for part in parts]
                return self._pair(PAIR_OF[short], parts, span)
            case "":
                return self._pair(PAIR_OF[short], parts, span)

    def _single(self, computation: Computation, reads: Sequence[Read], short: Scalar, span: Span) -> Expr:
        """Return what a function makes of single numbers: a short float, or bool."""
        build = Build(span)
        value = self._of_floats(computation.op, reads, short, span)
        if is_integer(value.type):
            return value
        rounded = build.convert(short, value)
        match computation.limit:
            case "sat":
                (row,) = BUILTINS["__saturatef"]
                return build.convert(short, build.call_builtin(row, build.convert(FLOAT, rounded)))
            case "relu":
                stores: list[Expr] = []
                read = self._read_again(build.convert(FLOAT, rounded), stores, span)
                negative = build.binary(read(), "<=", build.number(FLOAT, 0.0))
                kept = build.choose(negative, build.number(FLOAT, 0.0), read())
                return build.convert(short, _after(stores, kept))
            case "":
                return rounded

    def _of_floats(self, op: str, reads: Sequence[Read], short: Scalar, span: Span) -> Expr:
        """Return what an operation makes of short floats, as float, double or bool."""
        build = Build(span)
        if op in UNORDERED:
            return build.negate(self._of_floats(UNORDERED[op], reads, short, span))
        if op in BUILTIN_OF:
            (row,) = BUILTINS[BUILTIN_OF[op]]
            if op in ("max", "min") and short == BFLOAT16:
                return build.call_builtin(row, *(_quiet(read, build) for read in reads))
            args = (build.convert(param, read()) for param, read in zip(row.params, reads, strict=True))
            return build.call_builtin(row, *args)

        def wide() -> list[Expr]:
            return [build.convert(FLOAT, read()) for read in reads]

        first, *others = wide()
        if op == "neg":
            return Unary(span, FLOAT, "-", first)
        if op == "isinf":  # -1 for minus infinity
            (again,) = wide()
            one, none, minus_one = (build.number(INT, value) for value in (1, 0, -1))
            is_low = build.binary(again, "==", build.number(FLOAT, -math.inf))
            is_high = build.binary(first, "==", build.number(FLOAT, math.inf))
            return build.choose(is_high, one, build.choose(is_low, minus_one, none))
        (second,) = others
        if op == "ne":
            less, greater = build.binary(first, "<", second), build.binary(*_around(">", wide()))
            return Logical(span, BOOL, "||", less, greater)
        if op.endswith("_nan"):
            numbers = [build.binary(one, "==", again) for one, again in zip((first, second), wide(), strict=True)]
            best = self._of_floats(op.removesuffix("_nan"), reads, short, span)
            return build.choose(build.both(*numbers), best, build.binary(*_around("+", wide())))
        return build.binary(first, ARITHMETIC[op] if op in ARITHMETIC else COMPARISONS[op], second)

    # ----------------------------------------------------------------------------- operators, construction

    def pair_operator(self, op: str, args: list[Argument], span: Span) -> Expr | Place | None:
        """Return an operator on short floats or pairs of them; None if these operands have none."""
        if not any(arg.term is not None and arg.term.type in SHORT_OF for arg in args):
            return None
        terms = [arg.term for arg in args if arg.term is not None]
        if len(terms) != len(args):
            return None
        if op in ("++", "--", "p++", "p--"):
            return self._step(terms[0], op, span)
        if op in ("+", "-") and len(terms) == 1:
            value = self.s.expr.load(terms[0])
            return value if op == "+" else self._computed("operator-", COMPUTATIONS["__hneg2"], [value], span)
        operator = op.removesuffix("=") if op not in PAIR_OPERATORS else op
        if operator not in PAIR_OPERATORS or len(terms) != 2 or terms[0].type != terms[1].type:
            return None
        if operator == op:
            return self._computed(
                f"operator{op}", COMPUTATIONS[PAIR_OPERATORS[op]], [*map(self.s.expr.load, terms)], span
            )
        return self._updated(terms[0], operator, self.s.expr.load(terms[1]), span)

    def _updated(self, place: Expr | Place, op: str, by: Expr, span: Span) -> Expr | Place:
        """Return `place op= by`, an assignment to a place that is evaluated once."""
        if not isinstance(place, Place):
            self.fail(span, f"'{op}=' needs a variable on its left")
        if only_reads(AddressOf(span, Pointer(place.type), place)):
            before = Load(span, place.type, copied(place))
            after = self._computed(f"operator{op}", COMPUTATIONS[PAIR_OPERATORS[op]], [before, by], span)
            return Assign(span, place.type, place, after)
        stores: list[Expr] = []
        pointer = self._read_again(self.s.expr.pointers.address(place, span), stores, span)
        before = Load(span, place.type, Deref(span, place.type, pointer()))
        after = self._computed(f"operator{op}", COMPUTATIONS[PAIR_OPERATORS[op]], [before, by], span)
        target = Deref(span, place.type, _after(stores, pointer()))
        return Deref(span, place.type, _after([*stores, Assign(span, place.type, target, after)], pointer()))

    def _step(self, place: Expr | Place, op: str, span: Span) -> Expr | Place:
        """Return `++x`, `x++` and so on: of both parts."""
        ones = self._pair_of_ones(place.type, span)
        if not op.startswith("p"):
            return self._updated(place, op[0], ones, span)
        stores: list[Expr] = []
        before = self._read_again(self.s.expr.load(place), stores, span)
        again = copied(place) if isinstance(place, Place) else place
        after = self.s.expr.load(self._updated(again, op[1], ones, span))
        return _after([*stores, after], before())

    def _pair_of_ones(self, pair: CType, span: Span) -> Expr:
        assert isinstance(pair, Struct)
        build = Build(span)
        return self._pair(pair, [build.number(FLOAT, 1.0), build.number(FLOAT, 1.0)], span)

    def pair_construction(self, place: Place, args: list[Argument], span: Span) -> Expr | None:
        """Return what makes a pair: `half2(a, b)` as well as `half2{a, b}`; None if these arguments make none."""
        pair = place.type
        if isinstance(pair, Struct) and pair in SHORT_OF and len(args) == 2:
            short = Qualified(SHORT_OF[pair])
            parts = [
                self.s.calls.arguments.bind(arg, short, f"in argument {n} of '{pair}'")
                for n, arg in enumerate(args, start=1)
            ]
            return Assign(span, pair, copied(place), self._pair(pair, parts, span))
        if isinstance(pair, Struct) and pair in RAW and len(args) == 1:
            return Assign(
                span,
                pair,
                copied(place),
                self.s.calls.arguments.bind(args[0], Qualified(pair), f"in argument 1 of '{pair}'"),
            )
        return None

    # ------------------------------------------------------------------------------------------------ bits

    def bits_conversion(self, expr: Expr, target: CType, span: Span) -> Expr:
        """Convert between a short float and its bits: `half h = raw;` and `__half_raw raw = h;`."""
        build = Build(span)
        if isinstance(target, Struct):
            (row,) = BUILTINS[RAW[target][2]]
            return build.call_builtin(make(target), build.call_builtin(row, expr))
        assert isinstance(expr.type, Struct)
        (row,) = BUILTINS[RAW[expr.type][1]]
        stores: list[Expr] = []
        read = self._read_again(expr, stores, span)
        return _after(stores, build.call_builtin(row, self._part(read(), "x", span)))

    def has_bits(self, source: CType, target: CType) -> bool:
        """Whether one of the types is a short float, and the other one the struct that holds its bits."""
        if isinstance(source, Struct) and source in RAW:
            return RAW[source][0] == target
        return isinstance(target, Struct) and target in RAW and RAW[target][0] == source

    # ------------------------------------------------------------------------------------------- atomicAdd

    def add_to_parts(self, node: c_ast.FuncCall, name: str, values: list[Expr]) -> Expr | None:
        """Return `atomicAdd` on a pair or on four floats: each part is added on its own, as CUDA promises no more."""
        span, target = node.coord, values[0].type
        if not isinstance(target, Pointer) or target.target not in _ADDED_BY_PARTS or len(values) != 2:
            return None
        whole = target.target
        if not name.startswith("atomicAdd") or target.const or target.volatile or not isinstance(whole, Struct):
            return None
        stores: list[Expr] = []
        pointer = self._read_again(values[0], stores, span)
        added = self._read_again(
            self.s.expr.conversions.implicit(values[1], whole, f"in argument 2 of '{name}'"), stores, span
        )
        parts: list[Expr] = []
        for field in whole.fields or ():
            member = Build(span).member(Deref(span, whole, pointer()), field)
            row = next(row for row in BUILTINS[name] if row.result == field.type)
            address = AddressOf(span, Pointer(field.type), member)
            parts.append(BuiltinCall(span, row.result, row, (address, self._part(added(), field.name, span))))
        return _after(stores, self._pair(whole, parts, span))


def _format(ctype: CType) -> Scalar | None:
    """Return the short float that a type is, or is a pair of."""
    if isinstance(ctype, Struct):
        return SHORT_OF.get(ctype)
    return ctype if isinstance(ctype, Scalar) and is_short_float(ctype) else None


def _quiet(read: Read, build: Build) -> Expr:
    """Return a bfloat16 as float, signalling NaNs as quiet ones: x86's maximum does not treat others as missing."""
    value, again = build.convert(FLOAT, read()), build.convert(FLOAT, read())
    doubled = build.binary(build.convert(FLOAT, read()), "+", build.convert(FLOAT, read()))
    return build.choose(build.binary(value, "==", again), build.convert(FLOAT, read()), doubled)


def _once(value: Expr) -> Read:
    return lambda: value


def _after(stores: Sequence[Expr], value: Expr) -> Expr:
    for store in reversed(stores):
        value = Comma(value.span, value.type, store, value)
    return value


def _around(op: BinaryOp, operands: Sequence[Expr]) -> tuple[Expr, BinaryOp, Expr]:
    left, right = operands
    return left, op, right
