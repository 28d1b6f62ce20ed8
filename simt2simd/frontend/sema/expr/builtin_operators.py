"""Checking the operators of C: on numbers and pointers."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

from pycparser import c_ast

from ....lang.ctype import (
    BOOL,
    DOUBLE,
    FLOAT,
    INT,
    ULONG,
    VOID,
    Array,
    CType,
    Pointer,
    Scalar,
    Struct,
    common,
    is_arithmetic,
    is_integer,
    is_short_float,
    promote,
)
from ....source import Span
from ....tree.effects import has_effects
from ....tree.nodes import (
    ARITHMETIC,
    COMPARISONS,
    Arithmetic,
    Assign,
    Binary,
    BinaryOp,
    Comma,
    CompoundAssign,
    Conditional,
    Constant,
    Convert,
    Deref,
    Expr,
    Increment,
    Logical,
    LogicalOp,
    Member,
    Place,
    Temporary,
    Unary,
    UnaryOp,
    VarRef,
)
from ....tree.value_category import as_xvalue, is_xvalue, value_category
from ...parse import cxx
from ...parse.words import Node
from ..classes.prvalues import alike
from ..constexpr.fold import fold
from ..context import Part
from ..qualified import Qualified
from ..restore import restoring
from ..scopes import Reported, VariableName
from ..types.member_types import bytes_in_cxx, members_of, names_functions
from .conversions import bits_promotion, is_index, is_scoped, place_type, same_type

_OPERATORS: tuple[BinaryOp, ...] = (*ARITHMETIC, *COMPARISONS)

_ON_NUMBERS: dict[str, BinaryOp] = {op: op for op in _OPERATORS if op in ("+", "-", "*", "/", *COMPARISONS)}
_LOGICAL: tuple[LogicalOp, ...] = ("&&", "||")

_SIGNS: tuple[UnaryOp, ...] = ("-", "~")


class BuiltinOperators(Part):
    """The checker's part for built-in operators."""

    def unary(self, node: c_ast.UnaryOp) -> Expr | Place:
        match node.op:
            case "sizeof" | "_Alignof" | "alignof" | "__alignof__" | "__alignof":
                return self.size_of(node)
            case "++" | "--" | "p++" | "p--":
                return self.increment(node)
            case "&":
                return self.s.expr.pointers.address_of(node)
            case "*":
                term = self.s.expr.term(node.expr)
                if isinstance(term.type, Struct) and (
                    found := self.s.classes.operators.overloaded("*", [term], [node.expr], node.coord)
                ):
                    return found
                pointer = self.s.classes.conversions.to_number(self.s.expr.load(term))
                if not isinstance(pointer.type, Pointer):
                    self.fail(node.coord, f"'*' needs a pointer, not '{pointer.type}'")
                return Deref(node.coord, pointer.type.target, pointer)
        term = self.s.expr.term(node.expr)
        if is_class_or_enum(term.type) and (
            found := self.s.classes.operators.overloaded(node.op, [term], [node.expr], node.coord)
        ):
            return found
        operand = self.s.expr.load(term)
        if node.op == "!":
            return fold(Unary(node.coord, BOOL, "!", self.s.expr.conversions.to_bool(operand, "the operand of '!'")))
        if node.op == "+" and (
            plain := self.s.classes.lambdas.plain_pointer(operand.type, node.coord)
        ) is not None:  # fmt: skip
            return plain
        operand = self.s.classes.conversions.to_number(operand)
        if node.op == "+" and (isinstance(operand.type, Pointer) or is_short_float(operand.type)):
            return self.s.classes.prvalues.read(operand)
        fits = is_integer(operand.type) if node.op == "~" else is_arithmetic(operand.type)
        if not fits or is_scoped(operand.type):
            self.fail(node.coord, f"'{node.op}' cannot be applied to '{operand.type}'")
        given = operand.type
        operand = self.s.expr.conversions.promoted(operand)
        if node.op == "+":
            return self.s.classes.prvalues.read(operand)
        assert node.op in _SIGNS
        return self.rounded(fold(Unary(node.coord, operand.type, node.op, operand)), given, given)

    def size_of(self, node: c_ast.UnaryOp) -> Expr:
        if isinstance(node.expr, c_ast.Typename):
            ctype = self.s.types.qualified(node.expr).type
        else:
            ctype = self.type_of(node.expr, sized=True).type
        if ctype is VOID:
            self.fail(node.coord, "void has no size")
        self.s.types.require_size(ctype, node.coord)
        self.s.types.records.require_complete(ctype, node.coord)
        if isinstance(ctype, Array) and ctype.count == 0 and node.op == "sizeof":
            self.fail(node.coord, "the launch gives the size of dynamic shared memory: it is not known here")
        return Constant(node.coord, ULONG, bytes_in_cxx(ctype) if node.op == "sizeof" else ctype.align)

    @contextlib.contextmanager
    def unevaluated(self) -> Iterator[None]:
        """Check unevaluated operands: they need no memory, and what they make is not destroyed."""
        hidden = len(self.s.current.hidden)
        functions = self.s.functions
        called, checked = len(functions.called), len(functions.checked)
        with (
            restoring(
                self.s.variables,
                used=dict(self.s.variables.used),
                used_constants=dict(self.s.variables.used_constants),
            ),
            restoring(self.s.current, temporaries=list(self.s.current.temporaries), unevaluated=True),
        ):
            try:
                yield
            finally:
                del self.s.current.hidden[hidden:]
                if len(functions.called) > called and len(functions.checked) == checked:
                    for one in list(functions.called)[called:]:
                        if one.node is None:
                            del functions.called[one]  # a declaration is enough ([basic.def.odr]/2)

    def type_of(self, node: Node, *, sized: bool = False) -> Qualified:
        """Return the type of an expression that is not evaluated."""
        with self.unevaluated():
            term = self.s.expr.term(node)
        if isinstance(term, Member) and term.bits is not None and sized:
            self.fail(node.coord, f"bit-field '{term.name}' has no size in bytes")
        const, volatile = place_type(term, self.s.structs.const_members) if isinstance(term, Place) else (False, False)
        return Qualified(term.type, const and not isinstance(term, Temporary), volatile)

    def increment(self, node: c_ast.UnaryOp) -> Expr | Place:
        sign = node.op.removeprefix("p")
        deed = "increment" if sign == "++" else "decrement"
        if isinstance(node.expr, c_ast.CompoundLiteral):
            term = self.s.classes.prvalues.as_place(self.s.expr.term(node.expr))
        else:
            term = self.s.expr.place(node.expr, deed)
        if is_class_or_enum(term.type) and (
            found := self.s.classes.operators.overloaded(node.op, [term], [node.expr], node.coord)
        ):
            return found
        place = self.s.expr.writable(node.expr, deed, term)
        if place.type is BOOL:
            self.fail(node.coord, f"'{sign}' cannot be applied to bool")
        if isinstance(place.type, Pointer):
            self.s.expr.require_size(place.type.target, node.coord, "increment" if sign == "++" else "decrement")
        elif not is_arithmetic(place.type) or is_enum(place.type):
            self.fail(node.coord, f"'{sign}' cannot be applied to '{place.type}'")
        return Increment(node.coord, place.type, place, 1 if sign == "++" else -1, not node.op.startswith("p"))

    def variable_behind(self, node: c_ast.ID) -> VarRef | None:
        """Return the const variable of which `node` was taken for its value."""
        entry = self.s.scopes.lookup(node.name)
        if not isinstance(entry, VariableName) or entry.reference or entry.alias is not None:
            return None
        return VarRef(node.coord, entry.variable.type, entry.variable)

    def binary(self, node: c_ast.BinaryOp) -> Expr | Place:
        op, span = node.op, node.coord
        operands = self.s.expr.terms(node.left, node.right)
        first, second = operands[0].type, operands[1].type
        if first is second and (first is INT or first is FLOAT or first is DOUBLE) and op in _ON_NUMBERS:
            left, right = map(self.s.expr.load, operands)  # as nearly all operands are: nothing is converted
            return fold(Binary(span, BOOL if op in COMPARISONS else first, _ON_NUMBERS[op], left, right))
        if any(is_class_or_enum(operand.type) for operand in operands):
            found = self.s.classes.operators.overloaded(op, operands, [node.left, node.right], span)
            if found is not None:
                return found
        left, right = map(self.s.expr.load, operands)
        if op not in _LOGICAL:
            left, right = map(self.s.classes.conversions.to_number, (left, right))
            if isinstance(left.type, Struct) or isinstance(right.type, Struct):
                self.s.classes.operators.refuse_operator(op, operands, [node.left, node.right], span)
        return self.plain_binary(op, left, right, span)

    def plain_binary(self, op: str, left: Expr, right: Expr, span: Span) -> Expr:
        """Return what a built-in operator makes of two values."""
        if op in _LOGICAL:
            what = f"an operand of '{op}'"
            first = self.s.expr.conversions.to_bool(left, what)
            second = self.s.expr.conversions.to_bool(right, what)
            return fold(Logical(span, BOOL, op, first, self.s.classes.temporaries.guarded(second)))
        assert op in _OPERATORS
        left, right = map(self.s.classes.conversions.to_number, (left, right))
        if members_of(left.type) is not None or members_of(right.type) is not None:
            return self.s.expr.pointers.compare_members(op, left, right, span)
        if isinstance(left.type, Pointer) or isinstance(right.type, Pointer):
            return self.s.expr.pointers.pointer_binary(op, left, right, span)
        self.require_operands(op, left.type, right.type, span)
        if op in ("<<", ">>"):
            left, right = self.s.expr.conversions.promoted(left), self.s.expr.conversions.promoted(right)
            return fold(Binary(span, left.type, op, left, right))
        given = left.type, right.type
        left, right, shared = self.s.expr.conversions.balanced(left, right)
        result = fold(Binary(span, BOOL if op in COMPARISONS else shared, op, left, right))
        return result if op in COMPARISONS else self.rounded(result, *given)

    def rounded(self, value: Expr, left: CType, right: CType) -> Expr:
        """Round what an operator on two short floats, or on one and an integer, gives: it has their type."""
        short = left if is_short_float(left) else right
        others = (left, right) if is_short_float(short) else ()
        return (
            self.s.expr.conversions.convert(value, short)
            if others and all(t == short or is_integer(t) for t in others)
            else value
        )

    def require_operands(self, op: str, left: CType, right: CType, span: Span) -> None:
        """Fail unless both operands of an operator on numbers are numbers, and integers where it needs them."""
        suitable = is_integer if op in ("%", "&", "|", "^", "<<", ">>") else is_arithmetic
        scoped = is_scoped(left) or is_scoped(right)
        if suitable(left) and suitable(right) and (not scoped or (op in COMPARISONS and same_type(left, right))):
            return
        help = "use 'fmodf' or 'fmod'" if op == "%" and is_arithmetic(left) and is_arithmetic(right) else None
        castable = members_of(left) is None and members_of(right) is None
        help = "write the cast: 'static_cast<int>(...)'" if scoped and castable else help
        self.fail(span, f"invalid operands of '{op}': '{left}' and '{right}'", help=help)

    def conditional(self, node: c_ast.TernaryOp) -> Expr | Place:
        """Check `c ? a : b` ([expr.cond])."""
        condition, *arms = self.s.expr.terms(node.cond, node.iftrue, node.iffalse)
        arms = self._const_variables(arms, [node.iftrue, node.iffalse])
        cond = self.s.expr.conversions.to_bool(self.s.expr.load(condition))
        span = node.coord
        if any(isinstance(arm.type, Struct) for arm in arms):
            arms = [self.s.classes.prvalues.denoted(arm) for arm in arms]
            first, second = self.s.classes.conversions.brought_together(arms[0], arms[1], node)
            if isinstance(first.type, Struct) and first.type is second.type:
                return self._chosen_object(cond, first, second, span)
            arms = [first, second]
        then, other = self.s.expr.pointers.same_members(*map(self.s.expr.load, arms))
        target: CType
        if is_arithmetic(then.type) and is_arithmetic(other.type):
            assert isinstance(then.type, Scalar) and isinstance(other.type, Scalar)
            if (is_scoped(then.type) or is_scoped(other.type)) and not same_type(then.type, other.type):
                self.fail(span, f"the arms of '?:' have different types: '{then.type}' and '{other.type}'")
            target = then.type if same_type(then.type, other.type) else common(then.type, other.type)
            then, other = self.s.expr.conversions.convert(then, target), self.s.expr.conversions.convert(other, target)
        elif isinstance(then.type, Pointer) or isinstance(other.type, Pointer):
            pointer = self.s.expr.pointers.composite(then, other)
            if pointer is None:
                self.fail(span, f"the arms of '?:' have different types: '{then.type}' and '{other.type}'")
            target = pointer
            then, other = (
                self.s.expr.pointers.convert_pointer(then, pointer),
                self.s.expr.pointers.convert_pointer(other, pointer),
            )
        elif then.type == other.type:
            target = then.type
        else:
            self.fail(span, f"the arms of '?:' have different types: '{then.type}' and '{other.type}'")
        guarded = self.s.classes.temporaries.guarded
        found = fold(Conditional(span, target, cond, guarded(then), guarded(other)))
        if isinstance(found, Conditional) or self._are_alike(then, other):
            return found
        return self.s.classes.prvalues.read(found)  # the arm that a constant chooses, converted to a value

    def _are_alike(self, then: Expr, other: Expr) -> bool:
        """Whether the arms of `?:` are the values of two places of one kind: it denotes the one or the other."""
        first, second = map(self.s.classes.prvalues.place_behind, (then, other))
        return first is not None and second is not None and alike(first, second)

    def _const_variables(self, arms: list[Expr | Place], nodes: list[Node]) -> list[Expr | Place]:
        """Return the arms of `?:`, a const variable as itself and not as its value where the result is an lvalue."""
        if not any(isinstance(arm, Constant) for arm in arms):
            return arms
        behind = [self.variable_behind(node) if isinstance(node, c_ast.ID) else None for node in nodes]
        named = [
            variable if isinstance(arm, Constant) and variable is not None else arm
            for arm, variable in zip(arms, behind, strict=True)
        ]
        reads = all(isinstance(arm, Constant) for arm in arms) and not self.s.current.unevaluated
        both = all(isinstance(one, Place) and value_category(one) == "lvalue" for one in named)
        local = all(variable is None or variable.variable.storage == "local" for variable in behind)
        return arms if reads or not both or not local else named

    def _chosen_object(self, cond: Expr, then: Expr | Place, other: Expr | Place, span: Span) -> Expr | Place:
        """Return the object that `?:` chooses: one of two places of one category, or a new one.

        The new one is const if one of both is ([expr.cond]/4.3).
        """
        prvalues, guarded = self.s.classes.prvalues, self.s.classes.temporaries.guarded
        category = value_category(then)
        struct = then.type
        const = any(prvalues.is_const(arm) or self.s.classes.conversions.is_const_place(arm) for arm in (then, other))
        if not prvalues.by_address(struct):
            values = (guarded(self.s.expr.load(arm)) for arm in (then, other))
            plain = fold(Conditional(span, struct, cond, *values))
            if category != value_category(other):
                plain = prvalues.read(plain)
            return prvalues.as_const(plain) if const and "prvalue" in map(value_category, (then, other)) else plain
        if category != "prvalue" and category == value_category(other):
            assert not isinstance(then, Expr) and not isinstance(other, Expr)
            place = prvalues.chosen_place(cond, then, other, span)
            return as_xvalue(place) if category == "xvalue" else place
        made = prvalues.chosen(cond, self.s.expr.load(then), self.s.expr.load(other), span)
        return prvalues.as_const(made) if const else made

    def assignment(self, node: c_ast.Assignment) -> Expr | Place:
        target = self.assigned(node)
        if node.op == "=" and isinstance(node.rvalue, c_ast.InitList):
            return self.s.expr.objects.assign_braces(node, target)
        if is_class_or_enum(target.type):
            found = self.s.classes.operators.class_assignment(node, target)
            if found is not None:
                return found
        place, value = self._both(node, target)
        self.s.classes.temporaries.made_in_turn(place)
        if node.op == "=":
            self.s.types.records.require_complete(place.type, node.coord)
            return Assign(
                node.coord,
                place.type,
                place,
                self.s.expr.conversions.implicit(value, place.type, "in an assignment", span=value.span),
            )
        op = node.op.removesuffix("=")
        assert op in ARITHMETIC
        return self.compound_assignment(node, place, op, self.s.classes.conversions.to_number(value))

    def assigned(self, node: c_ast.Assignment) -> Place:
        """Check the left side of an assignment."""
        try:
            return self.s.expr.place(node.lvalue, "assign to")
        except Reported:
            self.s.expr.value(node.rvalue)
            raise

    def _both(self, node: c_ast.Assignment, target: Place) -> tuple[Place, Expr]:
        """Check both sides of an assignment, the right one even if the left one is faulty."""
        try:
            place = self.s.expr.writable(node.lvalue, "assign to", target)
        except Reported:
            self.s.expr.value(node.rvalue)
            raise
        if names_functions(place.type) and (functions := self.s.expr.pointers.functions_named(node.rvalue)) is not None:
            return place, self.s.calls.indirect.chosen_function(functions, place.type, node.rvalue.coord)
        return place, self.s.expr.value(node.rvalue)

    def compound_assignment(self, node: c_ast.Assignment, place: Place, op: Arithmetic, value: Expr) -> Expr:
        span = node.coord
        if isinstance(place.type, Pointer) and op in ("+", "-"):
            if not is_index(value.type):
                self.fail(span, f"invalid operands of '{node.op}': '{place.type}' and '{value.type}'")
            self.s.expr.require_size(place.type.target, span, "do arithmetic on")
            return CompoundAssign(span, place.type, place, op, self.s.expr.conversions.promoted(value), place.type)
        self.require_operands(op, place.type, value.type, span)
        assert isinstance(place.type, Scalar) and isinstance(value.type, Scalar)
        self.s.expr.conversions.require_enum(common(place.type, value.type), place.type, "in an assignment", span)
        held = bits_promotion(place)
        if op in ("<<", ">>"):
            return CompoundAssign(
                span, place.type, place, op, self.s.expr.conversions.promoted(value), held or promote(place.type)
            )
        compute = common(held or place.type, value.type)
        return CompoundAssign(span, place.type, place, op, self.s.expr.conversions.convert(value, compute), compute)

    def cast_expression(self, node: c_ast.Cast) -> Expr | Place:
        target: Qualified = self.s.templates.functions.made_type(node.to_type, [node.expr], node.coord)
        if names_functions(target.type) and (functions := self.s.expr.pointers.functions_named(node.expr)) is not None:
            return self.s.calls.indirect.chosen_function(functions, target.type, node.coord)
        if isinstance(target.type, Struct) and not target.reference:
            return self.s.expr.as_term(self.s.calls.construct_type(target.type, [node.expr], node.coord))
        term = self.s.expr.term(node.expr)
        word = node.word if isinstance(node, cxx.NamedCast) else ""
        if target.reference:
            return self.s.classes.conversions.cast_reference(term, target, node.coord, word)
        if target.type is VOID and isinstance(term.type, Struct):
            return Convert(node.coord, VOID, self.s.statements.left_where_it_is(term), explicit=True)
        value = self.s.expr.load(term)
        if word:
            self.s.expr.casts.require_cast(word, value, target.type, node.coord)
        pointers = isinstance(value.type, Pointer) and isinstance(target.type, Pointer)
        if word == "reinterpret_cast" and pointers and value.type != target.type:
            return fold(Convert(node.coord, target.type, value, explicit=True))  # never moved to a base
        return self.s.classes.prvalues.read(self.s.expr.conversions.cast(value, target.type, node.coord))

    def comma(self, node: c_ast.ExprList) -> Expr | Place:
        terms = self.s.expr.terms(*node.exprs)
        result = terms[0]
        for left, term, at in zip(node.exprs, terms[1:], node.exprs[1:], strict=False):
            found = None
            if is_class_or_enum(result.type) or is_class_or_enum(term.type):
                found = self.s.classes.operators.overloaded(",", [result, term], [left, at], node.coord)
            result = found if found is not None else self.in_turn(result, term, node.coord)
        return result

    def in_turn(self, first: Expr | Place, then: Expr | Place, span: Span) -> Expr | Place:
        """Return `first, then` by the built-in operator."""
        value: Expr | None = None
        if not isinstance(first, Place):
            value = first
        elif isinstance(first, Temporary) or has_effects(first):  # `a += b` by a function
            value = self.s.statements.left_where_it_is(first)
        if value is None:
            return then if isinstance(then.type, Struct) else self.s.expr.load(then)
        if isinstance(then.type, Struct) and isinstance(then, Place) and not isinstance(then, Temporary):
            address = self.s.expr.pointers.address(then, span)
            place = Deref(span, then.type, Comma(span, address.type, value, address))
            return as_xvalue(place) if is_xvalue(then) else place
        last = self.s.expr.load(then)
        return self.s.expr.as_term(Comma(span, last.type, value, last))


def is_class_or_enum(ctype: CType) -> bool:
    """True for the types for which a program may define operators."""
    return isinstance(ctype, Struct) or is_enum(ctype)


def is_enum(ctype: CType) -> bool:
    return isinstance(ctype, Scalar) and ctype.enum is not None
